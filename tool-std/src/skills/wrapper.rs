//! A file of a skill as the model reads it.

use super::skill::Skill;
use crate::marks;

/// `content` of the file `path` of `skill` between marks that say where it comes from.
pub(super) fn wrap(skill: &Skill, path: &str, content: &str) -> String {
    let (location, directory) = (location(skill.name(), path), skill.directory().to_string_lossy());
    let attributes = [
        ("name", skill.name()),
        ("path", path),
        ("location", &location),
        ("directory", &directory),
        ("runtime", skill.runtime().as_str()),
    ];
    marks::wrap("skill_file", attributes, content)
}

/// The address of a file of a skill.
fn location(name: &str, path: &str) -> String {
    use std::fmt::Write;
    let mut location = format!("skill://{name}/");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            location.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(location, "%{byte:02X}");
        }
    }
    location
}

#[cfg(test)]
mod tests {
    use super::location;

    #[test]
    fn locations_are_addresses() {
        assert_eq!(location("x", "a b/ü.md"), "skill://x/a%20b/%C3%BC.md");
    }
}
