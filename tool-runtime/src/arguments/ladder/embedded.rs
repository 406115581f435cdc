//! The one object in a text, whatever stands around it.

use std::mem;

use crate::json::{JsonError, JsonFault, Node};

use super::{Climber, around::Around, copies::only_object, too_long};
use crate::arguments::{
    lenient::{self, Cursor, Notes, Outcome},
    readings::{Readings, Truncated},
};

/// Repairs of which one alone has one reading, while two of them may come of a single lost quote or bracket further ahead.
const SHIFTING: [&str; 3] = ["inner_quote", "missing_bracket", "surplus_bracket"];

/// Reads every object of the text, and accepts what they all say.
pub(super) fn object_in_text(climber: &Climber<'_>) -> Option<Readings> {
    let long = climber.text.len() > climber.options.max_repair_bytes;
    let ended = matches!(climber.whole, Err(JsonError { fault: JsonFault::Ended, .. }));
    if long && !ended {
        return Some(Readings::None(too_long(climber.options)));
    }
    let mut notes = Notes::default();
    Some(match find_objects(climber.text, &mut notes) {
        Err(refusal) => refusal,
        Ok(_) if long => Readings::None(too_long(climber.options)),
        Ok(objects) => one_reading(objects, notes),
    })
}

/// All objects of the text, or why it cannot be read.
fn find_objects(text: &str, notes: &mut Notes) -> Result<Vec<Node>, Readings> {
    let mut around = Around::default();
    let mut objects = Vec::new();
    let mut cursor = Cursor::new(text);
    loop {
        let between = cursor.take_up_to(|character| character == '{');
        let in_quotes = between.rest().ends_with(lenient::is_quote);
        around.read(between, notes).map_err(Readings::None)?;
        if cursor.peek().is_none() {
            return Ok(objects);
        }
        around.begin_object().map_err(Readings::None)?;
        let start = cursor.clone();
        let mut inside = Notes::default();
        match lenient::read(&mut cursor, &mut inside) {
            Outcome::Whole(node) => {
                notes.add(inside);
                let length = start.rest().len() - cursor.rest().len();
                if in_quotes && start.rest().get(..length).is_some_and(|object| object.contains('\\')) {
                    notes.doubtful("the object stands in quotes, so it is unclear what its backslashes mean");
                }
                objects.push(node);
                around.end_object();
            }
            Outcome::Cut(mut truncated) => {
                if let Some(rest) = perhaps_closed(text, &inside) {
                    return Err(Readings::None(lenient::unclear_end(rest)));
                }
                notes.add(inside);
                truncated.rungs = mem::take(&mut notes.used);
                return Err(Readings::Truncated(cut_after(&objects, truncated)));
            }
            Outcome::Broken(why) => {
                let length = start.rest().len() - cursor.rest().len();
                if Around::are_marks(cursor.rest())
                    && let Some(arrived) = start.rest().get(..length)
                    && let Outcome::Cut(truncated) =
                        lenient::read(&mut Cursor::new(arrived), &mut Notes::default())
                {
                    // The wrapping ends before the object does.
                    return Err(Readings::Truncated(Truncated { closable: None, ..truncated }));
                }
                cursor = start;
                if !around.skip_braces(&mut cursor, notes).map_err(Readings::None)? {
                    return Err(Readings::None(why));
                }
            }
        }
    }
}

/// The one list or object that begins with `opener`, in a text that holds nothing else but wrapping.
pub(in crate::arguments) fn wrapped(text: &str, opener: char) -> Readings {
    let mut around = Around::without_prose();
    let mut notes = Notes::default();
    let mut cursor = Cursor::new(text);
    let before = cursor.take_up_to(|character| character == opener);
    if let Err(why) = around.read(before, &mut notes) {
        return Readings::None(why);
    }
    let value = match lenient::read(&mut cursor, &mut notes) {
        Outcome::Whole(node) => node,
        Outcome::Cut(truncated) => return Readings::Truncated(truncated),
        Outcome::Broken(why) => return Readings::None(why),
    };
    around.end_object();
    match around.read(cursor, &mut notes) {
        Ok(()) => one_reading(vec![value], notes),
        Err(why) => Readings::None(why),
    }
}

/// What follows the quote inside the text that was open at the end, if the object may as well be closed behind it, so that
/// something stands between two members: `{"a":"x" 3}`.
fn perhaps_closed<'t>(text: &'t str, inside: &Notes) -> Option<&'t str> {
    let behind = |left: usize| text.get(text.len().checked_sub(left)?..);
    let is_closed = Around::is_wrapping(behind(inside.closed_perhaps?)?);
    is_closed.then(|| behind(inside.open_quote?)).flatten()
}

/// A second object that is cut off may be another one: then nothing is closed.
fn cut_after(objects: &[Node], mut truncated: Truncated) -> Truncated {
    if !objects.is_empty() {
        truncated.closable = None;
    }
    truncated
}

fn one_reading(objects: Vec<Node>, mut notes: Notes) -> Readings {
    if let Some(doubt) = notes.doubt {
        return Readings::Many(doubt);
    }
    if SHIFTING.iter().filter(|name| notes.used.contains(name)).count() > 1 {
        return Readings::Many("quotes or brackets are missing or too many in several places".to_owned());
    }
    if objects.is_empty() {
        return Readings::None("there is no JSON object in it".to_owned());
    }
    let count = objects.len();
    match only_object(objects, &mut notes) {
        Some(node) => Readings::One { node, rungs: notes.used },
        None => Readings::Many(format!("{count} objects stand in it and differ; each call takes one object")),
    }
}
