//! Whether a file is text, and which.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use encoding_rs_io::DecodeReaderBytesBuilder;

use super::lines::Line;

/// How much of a file is looked at to tell text from other content.
const SNIFFED: usize = 8 * 1024;

/// A file as it is to be read.
pub(super) enum Content {
    /// No text; in words, what it is.
    Binary(String),
    Text(TextStream),
}

/// A file of text, from its beginning.
pub(super) struct TextStream {
    /// Its bytes; UTF-8 if the encoding is known.
    pub(super) bytes: Box<dyn Read>,
    /// Its encoding, if a byte order mark tells.
    pub(super) marked: Option<&'static str>,
}

/// Looks into a file.
///
/// # Errors
///
/// When it cannot be read.
pub(super) fn content(file: File) -> io::Result<Content> {
    let start = start_of(&file)?;
    if let Some((encoding, _)) = Encoding::for_bom(&start) {
        let bytes = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).strip_bom(true).build(file);
        return Ok(Content::Text(TextStream { bytes: Box::new(bytes), marked: Some(with_mark(encoding)) }));
    }
    Ok(match binary(&start) {
        Some(what) => Content::Binary(what),
        None => Content::Text(TextStream { bytes: Box::new(file), marked: None }),
    })
}

fn start_of(file: &File) -> io::Result<Vec<u8>> {
    let mut start = vec![0; SNIFFED];
    let mut len = 0;
    while let Some(room) = start.get_mut(len..).filter(|room| !room.is_empty()) {
        match file.read_at(room, len as u64) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    start.truncate(len);
    Ok(start)
}

fn with_mark(encoding: &'static Encoding) -> &'static str {
    if encoding == encoding_rs::UTF_8 { "UTF-8 with a byte order mark" } else { encoding.name() }
}

/// What the content is, if it is no text. What is good UTF-8 is text, whatever it begins with.
fn binary(start: &[u8]) -> Option<String> {
    let has_nul = start.contains(&0);
    if !has_nul && utf8(start, start.len() == SNIFFED).invalid == 0 {
        return None;
    }
    let known = infer::get(start).filter(|known| known.matcher_type() != infer::MatcherType::Text);
    match known {
        Some(known) => Some(known.mime_type().to_owned()),
        None if has_nul => Some("it holds NUL bytes".to_owned()),
        None if many_controls(start) => Some("it holds control bytes".to_owned()),
        None => None,
    }
}

/// Whether more than one byte in twenty is a control character that text does without.
fn many_controls(bytes: &[u8]) -> bool {
    let of_text = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x08 | 0x0c | 0x1b);
    let controls = bytes.iter().filter(|&&byte| byte.is_ascii_control() && !of_text(byte)).count();
    controls * 20 > bytes.len()
}

/// What of some bytes is UTF-8.
struct Utf8 {
    /// Characters of more than one byte.
    long: usize,
    /// Places where it is none.
    invalid: usize,
}

fn utf8(bytes: &[u8], is_cut: bool) -> Utf8 {
    let mut found = Utf8 { long: 0, invalid: 0 };
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        found.long += chunk.valid().bytes().filter(|&byte| byte >= 0xc0).count();
        // Of a cut text the last character may be missing its end.
        let cut_off = is_cut && chunks.peek().is_none() && chunk.invalid().len() < 4;
        found.invalid += usize::from(!chunk.invalid().is_empty() && !cut_off);
    }
    found
}

/// The texts of some lines of one file, and their encoding unless it is plain UTF-8. `marked` is what
/// [`TextStream::marked`] said.
///
/// Lines without a mark are judged together. Where most of what is no ASCII is good UTF-8, it is UTF-8 with faults, which
/// show as `�`; otherwise the encoding is guessed.
pub(super) fn decode(lines: &[Line], marked: Option<&'static str>) -> (Vec<String>, Option<String>) {
    let mut found = Utf8 { long: 0, invalid: 0 };
    for line in lines {
        let of_line = utf8(&line.kept, (line.kept.len() as u64) < line.len);
        found.long += of_line.long;
        found.invalid += of_line.invalid;
    }
    let lossy = || lines.iter().map(|line| String::from_utf8_lossy(&line.kept).into_owned()).collect();
    if let Some(marked) = marked {
        return (lossy(), Some(marked.to_owned()));
    }
    match found.invalid {
        0 => (lossy(), None),
        invalid if invalid <= found.long => {
            (lossy(), Some("UTF-8 with invalid bytes, shown as �".to_owned()))
        }
        _ => {
            let guess = guess(lines);
            let text = |line: &Line| guess.decode_without_bom_handling(&line.kept).0.into_owned();
            (lines.iter().map(text).collect(), Some(format!("{} (guessed)", guess.name())))
        }
    }
}

fn guess(lines: &[Line]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for line in lines {
        detector.feed(&line.kept, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    detector.guess(None, Utf8Detection::Deny)
}
