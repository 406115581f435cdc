//! What a model is told of the skills before it loads any: names and one line each.

use std::fmt::Write;

use super::skill::{Skill, SkillRuntime, TurnKind};

/// The most of the whole, in bytes.
const MAX_BYTES: usize = 32 * 1024;
/// The most of one description, in bytes.
const MAX_LINE: usize = 400;
/// What stands around a name and a description.
const AROUND: usize = "-  (background jobs only): \n".len();

/// The lines of `skills`; empty without any. Where they would be too much, all descriptions are cut alike, so that no skill is
/// left out.
pub(super) fn project<'a>(skills: impl Iterator<Item = &'a Skill>, turn: TurnKind) -> String {
    let skills: Vec<_> = skills.collect();
    if skills.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "Skills hold instructions for kinds of work. Before you begin work that one of them is for, load it with `skill_view`; \
         it may name more files to load.\n",
    );
    let names: usize = skills.iter().map(|skill| skill.name().len() + AROUND).sum();
    let room = MAX_BYTES.saturating_sub(text.len() + names) / skills.len();
    for skill in skills {
        let only = match (skill.runtime(), turn) {
            (SkillRuntime::BackgroundJob, TurnKind::Main) => " (background jobs only)",
            _ => "",
        };
        let line = one_line(skill.description(), room.min(MAX_LINE));
        // Writing to a text cannot fail.
        let _ = writeln!(text, "- {}{only}: {line}", skill.name());
    }
    text
}

/// `text` in one line of at most `max` bytes, without characters that cannot be seen.
fn one_line(text: &str, max: usize) -> String {
    let seen = |c: char| if c.is_control() { ' ' } else { c };
    // Marks of direction and of nothing can hide what a person would see in the file.
    let hides = |c: &char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let plain: String = text.chars().filter(|c| !hides(c)).map(seen).collect();
    let mut line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() > max {
        let mut end = max.saturating_sub('…'.len_utf8());
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        line.truncate(end);
        line.truncate(line.trim_end().len());
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn a_description_is_one_visible_line() {
        assert_eq!(one_line(" a\n- b:\tc\u{1b}[0m\u{202e}d ", 100), "a - b: c [0md");
    }

    #[test]
    fn it_is_cut_at_a_character() {
        assert_eq!(one_line(&"ä".repeat(300), 400).len(), 399);
        assert_eq!(one_line("word word", 8), "word…");
        assert_eq!(one_line("abc", 3), "abc");
    }
}
