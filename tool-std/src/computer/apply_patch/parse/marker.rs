//! The lines that structure a patch.

/// A line that structures the patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker<'t> {
    Begin,
    End,
    Add(&'t str),
    Delete(&'t str),
    Update(&'t str),
    MoveTo(&'t str),
    EndOfFile,
    Unknown,
}

impl<'t> Marker<'t> {
    /// Blanks around the marker and its words, and the case of its letters, may vary.
    pub(super) fn of(line: &'t str) -> Option<Self> {
        let rest = line.trim_start().strip_prefix("***")?;
        let (key, path) = match rest.split_once(':') {
            Some((key, path)) => (key, Some(path.trim())),
            None => (rest, None),
        };
        let words: Vec<String> = key.split_whitespace().take(4).map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Some(match (words.as_slice(), path) {
            (["begin", "patch"], None) => Self::Begin,
            (["end", "patch"], None) => Self::End,
            (["end", "of", "file"], None) => Self::EndOfFile,
            (["add", "file"], Some(path)) => Self::Add(path),
            (["delete", "file"], Some(path)) => Self::Delete(path),
            (["update", "file"], Some(path)) => Self::Update(path),
            (["move", "to"], Some(path)) => Self::MoveTo(path),
            ([_, "file" | "to"], Some(_)) => Self::Unknown,
            _ => return None,
        })
    }
}
