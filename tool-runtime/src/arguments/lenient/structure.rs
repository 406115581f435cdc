//! Commas and brackets that are missing or too many, inside the object.

use super::{Cursor, Expect, Notes, is_quote, keys::starts_key};

/// Where something stands that JSON does not have there.
pub(super) struct Site {
    pub(super) expect: Expect,
    pub(super) next: char,
    /// The innermost open container is an object.
    pub(super) in_object: bool,
    /// Any of the open containers is a list.
    pub(super) in_list_somewhere: bool,
    /// A list or an object has just ended.
    pub(super) after_container: bool,
}

/// How reading goes on.
pub(super) enum Step {
    /// As if a comma had been there.
    AsAfterComma,
    /// As if the last comma had not been there.
    AsBeforeComma,
    /// As if the innermost container ended here.
    EndInnermost,
}

struct Repair {
    name: &'static str,
    apply: fn(&Site) -> Option<Step>,
}

/// Tried in order; at most one fits a site.
const STRUCTURE: &[Repair] = &[
    Repair { name: "trailing_comma", apply: trailing_comma },
    Repair { name: "missing_comma", apply: missing_comma },
    Repair { name: "missing_bracket", apply: missing_bracket },
];

pub(super) fn repair(site: &Site, notes: &mut Notes) -> Option<Step> {
    let (repair, step) =
        STRUCTURE.iter().find_map(|repair| (repair.apply)(site).map(|step| (repair, step)))?;
    notes.repaired(repair.name);
    Some(step)
}

/// A comma after the last member or item.
fn trailing_comma(site: &Site) -> Option<Step> {
    let comma = matches!(site.expect, Expect::Key | Expect::Item);
    (comma && matches!(site.next, '}' | ']')).then_some(Step::AsBeforeComma)
}

/// No comma between two members, or between two lists or objects of a list. Between other items it is not clear whether
/// they are two.
fn missing_comma(site: &Site) -> Option<Step> {
    let begins_another = if site.in_object {
        starts_key(site.next)
    } else {
        site.after_container && matches!(site.next, '{' | '[')
    };
    (site.expect == Expect::CommaOrEnd && begins_another).then_some(Step::AsAfterComma)
}

/// A closing bracket that fits not the innermost container but one around it.
fn missing_bracket(site: &Site) -> Option<Step> {
    let closes_outer = match site.next {
        '}' => !site.in_object,
        ']' => site.in_object && site.in_list_somewhere,
        _ => false,
    };
    (site.expect == Expect::CommaOrEnd && closes_outer).then_some(Step::EndInnermost)
}

/// What is wrong at a site that no repair fits.
pub(super) fn complaint(site: &Site, cursor: &Cursor<'_>) -> String {
    let found = shorten(cursor.rest());
    match site.expect {
        Expect::KeyOrEnd | Expect::Key => format!("`{found}` stands where a key in double quotes belongs"),
        Expect::Colon => format!("a key has no value: `{found}` stands where the colon belongs"),
        Expect::Value => format!("a key has no value: `{found}` stands where the value belongs"),
        Expect::ItemOrEnd | Expect::Item => format!("`{found}` stands where an item of a list belongs"),
        Expect::CommaOrEnd if matches!(site.next, '}' | ']') => {
            format!("`{found}` closes nothing that is open there")
        }
        Expect::CommaOrEnd if site.next == ':' || is_quote(site.next) => unclear_end(cursor.rest()),
        Expect::CommaOrEnd => format!("`{found}` stands where a comma or a closing bracket belongs"),
    }
}

/// A text may end before `rest`, or go on.
pub(in crate::arguments) fn unclear_end(rest: &str) -> String {
    let found = shorten(rest);
    format!(
        "it is unclear where a text ends, at `{found}`; write quotes inside a text as `\\\"` and close each text"
    )
}

/// The beginning of what stands there, on one line.
pub(in crate::arguments) fn shorten(text: &str) -> String {
    const SHOWN: usize = 24;
    let line = text.lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}
