//! The texts of activity labels: values written into one short line.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The longest label, in characters.
const MAX_CHARS: usize = 120;

/// One line of at most 120 characters, written part by part: white space and control characters become single spaces, and
/// what is too long is cut with an ellipsis. What is not kept is not formatted either, so a long value costs no more than a
/// short one.
#[derive(Debug, Default)]
pub struct LabelText {
    line: String,
    chars: usize,
    /// White space came and may be followed by something.
    gap: bool,
    /// More came than there is room for.
    full: bool,
}

impl LabelText {
    /// An empty line.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        for c in text.chars() {
            if self.full {
                return;
            }
            self.push(c);
        }
    }

    /// Adds what a value shows of itself.
    pub fn display(&mut self, value: impl fmt::Display) {
        // The only error is our own, which says that the line is full.
        let _full = fmt::write(self, format_args!("{value}"));
    }

    fn push(&mut self, c: char) {
        if c.is_whitespace() || c.is_control() {
            self.gap = true;
            return;
        }
        if self.gap && !self.line.is_empty() {
            self.keep(' ');
        }
        self.gap = false;
        self.keep(c);
    }

    fn keep(&mut self, c: char) {
        if self.chars == MAX_CHARS {
            self.full = true;
        } else {
            self.line.push(c);
            self.chars += 1;
        }
    }

    /// The line; empty if nothing but white space was written.
    #[must_use]
    pub fn finish(mut self) -> String {
        if self.full {
            self.line.pop();
            self.line.truncate(self.line.trim_end().len());
            self.line.push('…');
        }
        self.line
    }
}

impl fmt::Write for LabelText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        if self.full { Err(fmt::Error) } else { Ok(()) }
    }
}

/// A value that `{field}` may name in an activity text.
///
/// Texts, numbers, paths and the like are written as they are, `None` as nothing, lists and maps as the number of their
/// elements. A type of your own takes one line:
///
/// ```
/// use tool_runtime::{LabelText, LabelValue};
///
/// struct Id(u64);
///
/// impl LabelValue for Id {
///     fn write_label(&self, label: &mut LabelText) {
///         label.display(self.0);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a label cannot show a `{Self}`",
    label = "names a value that cannot be shown",
    note = "name a field of it (`{{field.sub}}`), or `impl LabelValue for {Self}`, which takes one line"
)]
pub trait LabelValue {
    /// Writes the value.
    fn write_label(&self, label: &mut LabelText);
}

macro_rules! displayed {
    ($($ty:ty)*) => {$(
        impl LabelValue for $ty {
            fn write_label(&self, label: &mut LabelText) {
                label.display(self);
            }
        }
    )*};
}

displayed! {
    bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
    std::num::NonZeroU8 std::num::NonZeroU16 std::num::NonZeroU32 std::num::NonZeroU64 std::num::NonZeroUsize
    std::net::IpAddr std::net::SocketAddr
}

macro_rules! texts {
    ($($ty:ty)*) => {$(
        impl LabelValue for $ty {
            fn write_label(&self, label: &mut LabelText) {
                label.text(self);
            }
        }
    )*};
}

texts!(str String Cow<'_, str>);

impl LabelValue for Path {
    fn write_label(&self, label: &mut LabelText) {
        label.display(self.display());
    }
}

impl LabelValue for PathBuf {
    fn write_label(&self, label: &mut LabelText) {
        self.as_path().write_label(label);
    }
}

impl<T: LabelValue> LabelValue for Option<T> {
    fn write_label(&self, label: &mut LabelText) {
        if let Some(value) = self {
            value.write_label(label);
        }
    }
}

impl LabelValue for serde_json::Value {
    fn write_label(&self, label: &mut LabelText) {
        match self {
            Self::Null => {}
            Self::Bool(value) => label.display(value),
            Self::Number(value) => label.display(value),
            Self::String(value) => label.text(value),
            Self::Array(values) => label.display(values.len()),
            Self::Object(members) => label.display(members.len()),
        }
    }
}

macro_rules! references {
    ($($ty:ty)*) => {$(
        impl<T: LabelValue + ?Sized> LabelValue for $ty {
            fn write_label(&self, label: &mut LabelText) {
                (**self).write_label(label);
            }
        }
    )*};
}

references!(&T Box<T> Rc<T> Arc<T>);

macro_rules! counted {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> LabelValue for $ty {
            fn write_label(&self, label: &mut LabelText) {
                label.display(self.len());
            }
        }
    )*};
}

counted! {
    [T] [T];
    [T, const N: usize] [T; N];
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T] BTreeSet<T>;
    [T, S] HashSet<T, S>;
    [K, V] BTreeMap<K, V>;
    [K, V, S] HashMap<K, V, S>;
    [] serde_json::Map<String, serde_json::Value>;
}

/// What a label function may return: a text, or an `Option` of one. `None` as the activity shows no row, as the completed
/// activity leaves the first label.
#[diagnostic::on_unimplemented(
    message = "a label function cannot return `{Self}`",
    label = "does not return a text",
    note = "return `String`, `&str`, `Cow<str>`, or an `Option` of one of them"
)]
pub trait IntoLabel {
    /// The text, if there is one.
    fn into_label(self) -> Option<String>;
}

macro_rules! labels {
    ($($ty:ty)*) => {$(
        impl IntoLabel for $ty {
            fn into_label(self) -> Option<String> {
                let mut label = LabelText::new();
                label.text(&self);
                Some(label.finish())
            }
        }
    )*};
}

labels!(String Box<str> &str Cow<'_, str>);

impl<T: IntoLabel> IntoLabel for Option<T> {
    fn into_label(self) -> Option<String> {
        self.and_then(T::into_label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: impl LabelValue) -> String {
        let mut label = LabelText::new();
        label.text("<");
        value.write_label(&mut label);
        label.text(">");
        label.finish()
    }

    #[test]
    fn values() {
        assert_eq!(shown("a"), "<a>");
        assert_eq!(shown(String::from("a\n\t b")), "<a b>");
        assert_eq!(shown(Cow::Borrowed("a")), "<a>");
        assert_eq!(shown(u64::MAX), "<18446744073709551615>");
        assert_eq!(shown(1.5), "<1.5>");
        assert_eq!(shown(true), "<true>");
        assert_eq!(shown('x'), "<x>");
        assert_eq!(shown(PathBuf::from("/a/b")), "</a/b>");
        assert_eq!(shown(Some("a")), "<a>");
        assert_eq!(shown(None::<String>), "<>");
        assert_eq!(shown(vec!["a", "b"]), "<2>");
        assert_eq!(shown([1, 2, 3].as_slice()), "<3>");
        assert_eq!(shown(BTreeMap::from([(1, 2)])), "<1>");
        assert_eq!(shown(Box::new(Arc::new(7))), "<7>");
        assert_eq!(shown(serde_json::json!({"a": 1, "b": 2})), "<2>");
        assert_eq!(shown(serde_json::json!(null)), "<>");
    }

    #[test]
    fn one_line_without_control_characters() {
        let label = " Reading\n\ta\u{1b}[31m b ".into_label();
        assert_eq!(label.unwrap(), "Reading a [31m b");
        assert_eq!(" \n".into_label().unwrap(), "");
        assert_eq!(None::<&str>.into_label(), None);
        assert_eq!(Some("a").into_label().unwrap(), "a");
    }

    #[test]
    fn at_most_120_characters() {
        assert_eq!("é".repeat(120).into_label().unwrap(), "é".repeat(120));
        let cut = "é".repeat(500).into_label().unwrap();
        assert_eq!((cut.chars().count(), cut.ends_with("é…")), (120, true));
        let cut = format!("{} {}", "a".repeat(118), "b".repeat(9)).into_label().unwrap();
        assert_eq!(cut, format!("{}…", "a".repeat(118)));
    }

    #[test]
    fn a_long_value_is_not_formatted_to_its_end() {
        struct Endless;

        impl fmt::Display for Endless {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                loop {
                    f.write_str("x")?;
                }
            }
        }

        let mut label = LabelText::new();
        label.display(Endless);
        assert_eq!(label.finish().chars().count(), MAX_CHARS);
    }
}
