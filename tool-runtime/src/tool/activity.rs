//! The short text that tells a person what a call does.

use crate::label::LabelText;

/// The label of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Activity {
    /// The author gave none: the tool's title, or its name in words.
    #[default]
    Generic,
    /// No row at all.
    Hidden,
    /// This text.
    Label(String),
}

/// One line of at most 120 characters, as [`LabelText`] makes it. `None` if nothing is left.
pub(crate) fn bound_label(label: &str) -> Option<String> {
    let mut text = LabelText::new();
    text.text(label);
    Some(text.finish()).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_line_and_one_of_blanks_is_none() {
        // How it is bounded is tested where it is done.
        assert_eq!(bound_label("Reading\n\ta ").unwrap(), "Reading a");
        assert_eq!(bound_label(" \n"), None);
    }
}
