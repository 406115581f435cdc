//! Spans of time in words.

/// Names of spans in milliseconds, the longest first.
const UNITS: [(i64, &str); 5] =
    [(604_800_000, "week"), (86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second")];

/// A span in the largest unit in which it is a whole number, as `90 minutes`; in milliseconds if there is none.
pub(super) fn in_words(milliseconds: i64) -> String {
    let unit = UNITS.iter().find(|(length, _)| milliseconds % length == 0);
    let (number, name) =
        unit.map_or((milliseconds, "millisecond"), |(length, name)| (milliseconds / length, name));
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn the_largest_exact_unit() {
        let shown = [1, 1_000, 1_500, 90_000, 3_600_000, 5_400_000, 86_400_000, 604_800_000, 1_209_600_000];
        assert_eq!(
            shown.map(in_words),
            [
                "1 millisecond",
                "1 second",
                "1500 milliseconds",
                "90 seconds",
                "1 hour",
                "90 minutes",
                "1 day",
                "1 week",
                "2 weeks"
            ]
        );
    }
}
