//! From bytes to text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::super::shown;
use super::content::named;

/// How much of a page is looked at for what it says of itself, in bytes, as browsers do.
const PRESCAN: usize = 1024;
/// How much of a text is looked at to guess its encoding, in bytes.
const GUESSED_FROM: usize = 256 * 1024;

/// A text, and what has to be said of how it was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) note: Option<String>,
}

/// The text of some bytes: by their byte order mark, by what the server says, by what the text says of itself, and else as
/// UTF-8, or by a guess where they are none.
pub(super) fn decode(
    bytes: &[u8],
    said: Option<&str>,
    inside: impl FnOnce(&[u8]) -> Option<&'static Encoding>,
) -> Decoded {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return read(bytes.get(mark..).unwrap_or_default(), encoding, None);
    }
    let by_server = said.and_then(named);
    let unknown = said.filter(|said| by_server.is_none() && !said.is_empty());
    if let Some(encoding) = by_server {
        return read(bytes, encoding, None);
    }
    let start = bytes.get(..PRESCAN).unwrap_or(bytes);
    let (encoding, how) = match inside(start) {
        Some(encoding) => (encoding, "as the page says"),
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, "which it fits"),
        None => (guess(bytes), "a guess"),
    };
    let note = match unknown {
        Some(unknown) => {
            let unknown = shown::line(unknown, 40);
            Some(format!(
                "the server names the character set `{unknown}`, which is unknown; the text was read as {} ({how})",
                encoding.name()
            ))
        }
        None if how == "a guess" => {
            Some(format!("no character set is named; the text was read as {} ({how})", encoding.name()))
        }
        None => None,
    };
    read(bytes, encoding, note)
}

fn read(bytes: &[u8], encoding: &'static Encoding, note: Option<String>) -> Decoded {
    let (text, is_faulty) = encoding.decode_without_bom_handling(bytes);
    let faults = is_faulty.then(|| format!("some bytes are no {} and show as �", encoding.name()));
    Decoded { text: text.into_owned(), note: note.or(faults) }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes.get(..GUESSED_FROM).unwrap_or(bytes), true);
    detector.guess(None, Utf8Detection::Allow)
}

/// What the start of an HTML page says: `<meta charset="…">`, or the same in the older form.
pub(super) fn in_html(start: &[u8]) -> Option<&'static Encoding> {
    let start = start.to_ascii_lowercase();
    let start = String::from_utf8_lossy(&start);
    start.match_indices("<meta").find_map(|(at, _)| {
        let tag = start.get(at..)?;
        let tag = tag.get(..tag.find('>').unwrap_or(tag.len()))?;
        let (_, value) = tag.split_once("charset")?;
        readable(named(label(value, |c| c == ';' || c == '/')?)?)
    })
}

/// What an XML declaration says: `<?xml version="1.0" encoding="…"?>`.
pub(super) fn in_xml(start: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(start);
    let declaration = start.trim_start().strip_prefix("<?xml")?;
    let declaration = declaration.get(..declaration.find("?>")?)?;
    let (_, value) = declaration.split_once("encoding")?;
    readable(named(label(value, |_| false)?)?)
}

/// The label behind `=`, with quotes or without.
fn label(text: &str, ends: impl Fn(char) -> bool) -> Option<&str> {
    let text = text.trim_start().strip_prefix('=')?.trim_start();
    let text = text.trim_start_matches(['"', '\'']);
    let end =
        text.find(|c: char| matches!(c, '"' | '\'') || c.is_whitespace() || ends(c)).unwrap_or(text.len());
    text.get(..end)
}

/// What was readable as ASCII up to here is no UTF-16, whatever it says.
fn readable(encoding: &'static Encoding) -> Option<&'static Encoding> {
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(bytes: &[u8], said: Option<&str>) -> Decoded {
        decode(bytes, said, in_html)
    }

    #[test]
    fn the_nearest_word_about_the_encoding_counts() {
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("é".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for (bytes, said, expected) in [
            (&b"\xef\xbb\xbf\xc3\xa9"[..], Some("iso-8859-1"), "é"),
            (&utf16, Some("utf-8"), "é"),
            (b"\xe9", Some("iso-8859-1"), "é"),
            (b"<meta charset=windows-1251>\xe9", Some("iso-8859-1"), "<meta charset=windows-1251>é"),
            (b"<meta charset='windows-1251'>\xe9", None, "<meta charset='windows-1251'>й"),
            (
                b"<META http-equiv=x content=\"text/html; charset=koi8-r\">\xca",
                None,
                "<META http-equiv=x content=\"text/html; charset=koi8-r\">й",
            ),
            (b"<meta charset=utf-16>\xc3\xa9", None, "<meta charset=utf-16>é"),
            ("<p>é".as_bytes(), None, "<p>é"),
            ("<p>é".as_bytes(), Some(""), "<p>é"),
        ] {
            assert_eq!(html(bytes, said), Decoded { text: expected.to_owned(), note: None }, "{said:?}");
        }
        let xml = b"<?xml version=\"1.0\" encoding=\"iso-8859-2\"?>\xb1";
        assert!(decode(xml, None, in_xml).text.ends_with('ą'));
    }

    #[test]
    fn what_is_uncertain_is_said() {
        let guessed = html(
            "Это простой русский текст для проверки"
                .encode_utf16()
                .flat_map(|_| [0xdd])
                .collect::<Vec<u8>>()
                .as_slice(),
            None,
        );
        assert!(guessed.note.unwrap().starts_with("no character set is named; the text was read as "));
        let unknown = html("é".as_bytes(), Some("x-made-up\u{7}"));
        assert_eq!(
            unknown.note.unwrap(),
            "the server names the character set `x-made-up`, which is unknown; the text was read as UTF-8 (which it fits)"
        );
        assert_eq!(html(b"a\xffb", Some("utf-8")).note.unwrap(), "some bytes are no UTF-8 and show as �");
    }
}
