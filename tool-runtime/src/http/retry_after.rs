//! How long a server asks to wait.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The wait that the headers of an answer ask for: `retry-after-ms`, or `retry-after` in seconds or as a time. `None` where
/// they ask for none, or for one that is over.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |value: &reqwest::header::HeaderValue| value.to_str().ok().map(|text| text.trim().to_owned());
    let number = |text: &str| text.parse::<f64>().ok();
    let milliseconds = headers.get("retry-after-ms").and_then(text).and_then(|text| number(&text));
    let in_seconds = milliseconds.map(|milliseconds| milliseconds / 1_000.0).or_else(|| {
        let value = headers.get(RETRY_AFTER).and_then(text)?;
        number(&value).or_else(|| {
            // Against the server's own clock: ours may be another.
            let now = seconds(&headers.get(DATE).and_then(text)?)?;
            Some((seconds(&value)? - now) as f64)
        })
    })?;
    Duration::try_from_secs_f64(in_seconds).ok().filter(|wait| !wait.is_zero())
}

/// A time like `Sun, 06 Nov 1994 08:49:37 GMT`, in seconds from any fixed day.
fn seconds(time: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = time.split_ascii_whitespace().skip(1);
    let day: i64 = words.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let month = words.next()?;
    let month = i64::try_from(MONTHS.iter().position(|name| *name == month)?).ok()?;
    let year: i64 = words.next()?.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    let clock: Vec<i64> = words.next()?.split(':').map_while(|part| part.parse().ok()).collect();
    let [hours, minutes, seconds] = clock.try_into().ok()?;
    let in_day = |part: i64, most: i64| (0..=most).contains(&part);
    if !(in_day(hours, 23) && in_day(minutes, 59) && in_day(seconds, 60)) {
        return None;
    }
    // Years are counted from March, so that the day that some have more is their last.
    let year = if month < 2 { year - 1 } else { year };
    let days_before_month = ((month + 10) % 12 * 306 + 5) / 10;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + days_before_month + day;
    Some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&'static str, &str)]) -> Option<Duration> {
        let headers = headers
            .iter()
            .map(|(name, value)| (reqwest::header::HeaderName::from_static(name), value.parse().unwrap()));
        retry_after(&headers.collect())
    }

    #[test]
    fn a_wait_in_milliseconds_or_seconds_or_until_a_time() {
        assert_eq!(
            asked(&[("retry-after-ms", "1500"), ("retry-after", "9")]),
            Some(Duration::from_millis(1500))
        );
        assert_eq!(asked(&[("retry-after", " 2.5 ")]), Some(Duration::from_millis(2500)));
        let until = |date, until| asked(&[("date", date), ("retry-after", until)]);
        assert_eq!(
            until("Sun, 29 Feb 2032 23:59:50 GMT", "Mon, 01 Mar 2032 00:00:10 GMT"),
            Some(Duration::from_secs(20))
        );
        assert_eq!(
            until("Fri, 31 Dec 2027 23:59:59 GMT", "Sat, 01 Jan 2028 00:00:00 GMT"),
            Some(Duration::from_secs(1))
        );
    }

    #[test]
    fn what_is_no_wait_is_none() {
        for nonsense in ["0", "-3", "NaN", "inf", "soon", "1e300", "", "Sun, 40 Feb 2032 00:00:00 GMT"] {
            assert_eq!(asked(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
        assert_eq!(asked(&[("retry-after", "Mon, 01 Mar 2032 00:00:10 GMT")]), None);
        assert_eq!(asked(&[]), None);
    }
}
