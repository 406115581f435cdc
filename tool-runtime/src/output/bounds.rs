//! The bound on what one call may give the model.

use super::{CallOutput, Content};

/// The most that one image or file may take on the wire, in bytes: what the Responses API takes for an image
/// (20,971,520 characters of `image_url`), less room for the data URL's head.
pub const MAX_MEDIA: usize = 20_000_000;

impl CallOutput {
    /// Cuts the text parts to `max_text` bytes in all, at character boundaries, and leaves out media beyond
    /// [`MAX_MEDIA`]. What was left out is said in its place, so the bounded text is longer by that note.
    #[inline]
    pub(crate) fn bound(&mut self, max_text: usize) {
        // As mostly: one text that has room.
        if !matches!(self.content.as_slice(), [Content::Text(text)] if text.len() <= max_text) {
            self.bound_parts(max_text);
        }
    }

    fn bound_parts(&mut self, max_text: usize) {
        let mut room = max_text;
        for part in &mut self.content {
            match part {
                Content::Text(text) => room -= cut(text, room),
                Content::Image(image) if image.media.wire_len() > MAX_MEDIA => {
                    *part = left_out("image", &image.media_type, image.media.wire_len());
                }
                Content::File(file) if file.media.wire_len() > MAX_MEDIA => {
                    *part = left_out("file", &file.name, file.media.wire_len());
                }
                Content::Image(_) | Content::File(_) => {}
            }
        }
    }
}

/// Cuts one text to `max` bytes at a character boundary and says so at its end. Gives how many bytes were kept.
pub(crate) fn cut(text: &mut String, max: usize) -> usize {
    let len = text.len();
    let kept = char_boundary_at_or_below(text, max);
    if kept < len {
        text.truncate(kept);
        text.push_str(&format!("\n[output cut: {} of {len} bytes left out]", len - kept));
    }
    kept
}

/// `str::floor_char_boundary`, which the promised compiler does not have yet.
fn char_boundary_at_or_below(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0)
}

fn left_out(what: &str, name: &str, len: usize) -> Content {
    Content::Text(format!(
        "[{what} `{name}` left out: {len} bytes are more than the {MAX_MEDIA} that can be sent]"
    ))
}

#[cfg(test)]
mod tests {
    use crate::output::{Image, ToolOutput};

    use super::*;

    fn bounded(output: ToolOutput, max: usize) -> CallOutput {
        let mut output = CallOutput::from_tool(output, |()| None).unwrap();
        output.bound(max);
        output
    }

    #[test]
    fn text_within_the_bound_is_untouched() {
        assert_eq!(bounded(ToolOutput::text("aaaaaaaaaé"), 11).text(), "aaaaaaaaaé");
    }

    #[test]
    fn d_08_text_is_cut_at_a_character_boundary_with_a_note() {
        assert_eq!(
            bounded(ToolOutput::text("aaaaaaaaaé…"), 10).text(),
            "aaaaaaaaa\n[output cut: 5 of 14 bytes left out]"
        );
    }

    #[test]
    fn several_parts_share_the_bound() {
        let output = bounded(ToolOutput::text("12345").with("67890").with("x"), 7);
        assert_eq!(
            output.text(),
            "1234567\n[output cut: 3 of 5 bytes left out]\n[output cut: 1 of 1 bytes left out]"
        );
    }

    #[test]
    fn an_image_that_no_provider_takes_is_named_instead() {
        let image = Image::from_base64("image/png", "A".repeat(MAX_MEDIA + 1));
        let output = bounded(ToolOutput::from_content(vec![image.into()]), 10);
        assert!(output.text().starts_with("[image `image/png` left out"), "{}", output.text());
    }
}
