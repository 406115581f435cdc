//! Judging a text in one pass, without building a value.
//!
//! Yes means yes: the text is JSON that `serde_json` reads, and it fits. No also comes for a key given twice and for a
//! whole float where an integer is wanted; who gets a no reads the value and judges it whole.

mod keys;
mod scan;

use self::keys::{Keys, Seen};
use self::scan::{Scanner, Text};
use super::bounds::{length_fits, number_fits, small_integer_fits, string_fits};
use super::number::Num;
use super::rule::{
    ANYTHING, Literals, ObjectRule, Property, Rule, RuleId, Rules, StringRule, Structure, Types,
};
use super::value::Judge;
use crate::json::{MAX_DEPTH, Node};

/// Whether the text is JSON that fits the rule as it is.
pub(super) fn fits(rules: &Rules, root: RuleId, text: &str) -> bool {
    let mut walk = Walk { rules, scanner: Scanner::new(text), depth: 0 };
    walk.value(root).is_some() && walk.scanner.is_at_end()
}

/// A walk over a text. Its steps give `None` as soon as something does not fit.
struct Walk<'t, 'c> {
    rules: &'c Rules,
    scanner: Scanner<'t>,
    depth: usize,
}

/// Goes on only if this holds.
#[inline]
fn given(fits: bool) -> Option<()> {
    fits.then_some(())
}

impl<'t> Walk<'t, '_> {
    #[inline]
    fn value(&mut self, id: RuleId) -> Option<()> {
        match self.scanner.first()? {
            b'"' => self.text(self.rules.get(id)),
            b'-' | b'0'..=b'9' => self.number(self.rules.get(id)),
            first => self.word_or_parts(first, id),
        }
    }

    fn text(&mut self, rule: &Rule) -> Option<()> {
        let text = self.scanner.text()?;
        given(text_fits(self.rules, rule, text))
    }

    fn number(&mut self, rule: &Rule) -> Option<()> {
        if let Some(integer) = self.scanner.small_integer() {
            return given(integer_fits(self.rules, rule, integer));
        }
        let number = self.scanner.number()?;
        // A loose integer is one to JSON Schema and none to serde, so it must not pass as it is.
        given(!(number.is_loose && rule.outline.integral))?;
        given(scalar_fits(self.rules, rule, &Scalar::Number(number.value)))
    }

    fn word_or_parts(&mut self, first: u8, id: RuleId) -> Option<()> {
        let rule = self.rules.get(id);
        match first {
            b'{' | b'[' if rule.outline.needs_whole() => self.whole(id),
            b'{' => self.nested(|walk| walk.object(rule)),
            b'[' => self.nested(|walk| walk.list(rule)),
            b't' => self.word("true", rule, &Scalar::Bool(true)),
            b'f' => self.word("false", rule, &Scalar::Bool(false)),
            b'n' => self.word("null", rule, &Scalar::Null),
            _ => None,
        }
    }

    fn word(&mut self, word: &str, rule: &Rule, scalar: &Scalar<'_>) -> Option<()> {
        self.scanner.word(word)?;
        given(scalar_fits(self.rules, rule, scalar))
    }

    #[inline]
    fn nested(&mut self, walk: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        given(self.depth < MAX_DEPTH)?;
        self.depth += 1;
        walk(self)?;
        self.depth -= 1;
        Some(())
    }

    /// A value that several rules decide about is read once and judged.
    #[cold]
    fn whole(&mut self, id: RuleId) -> Option<()> {
        let start = self.scanner.place();
        self.value(ANYTHING)?;
        let node = Node::parse(self.scanner.since(start)).ok()?;
        given(!super::oddity::has_loose_integer(&node))?;
        let mut judge = Judge::new(self.rules, &node);
        given(judge.fits(&node, id) && !judge.is_exhausted())
    }

    fn list(&mut self, rule: &Rule) -> Option<()> {
        let array = match rule.outline.lists {
            Structure::By(id) => self.rules.get(id).array.as_ref(),
            Structure::Free => None,
            Structure::Refused | Structure::Whole => return None,
        };
        let mut length = 0;
        self.scanner.open();
        while self.scanner.goes_on(b']', length == 0)? {
            self.value(array.map_or(ANYTHING, |array| array.item(length)))?;
            length += 1;
        }
        given(array.is_none_or(|array| length_fits(array.least, array.most, length)))
    }

    fn object(&mut self, rule: &Rule) -> Option<()> {
        match rule.outline.objects {
            Structure::By(id) => self.declared_object(self.rules.get(id).object.as_ref()?),
            Structure::Free => self.free_object(),
            Structure::Refused | Structure::Whole => None,
        }
    }

    fn declared_object(&mut self, object: &ObjectRule) -> Option<()> {
        let mut seen = Seen::for_properties(object.properties.len());
        let mut others = None;
        let (mut length, mut expected) = (0, 0);
        self.scanner.open();
        while self.scanner.goes_on(b'}', length == 0)? {
            length += 1;
            // Models mostly keep the order of the schema.
            let (place, rule) = match object.properties.get(expected) {
                Some(property) if self.takes(property) => {
                    self.name_fits(object, &property.name)?;
                    (expected, property.rule)
                }
                _ => match self.key(object, &mut others)? {
                    Some(place) => (place, object.properties.get(place)?.rule),
                    None => {
                        self.value(object.additional.unwrap_or(ANYTHING))?;
                        continue;
                    }
                },
            };
            expected = place + 1;
            given(seen.insert(place))?;
            self.value(rule)?;
        }
        given(seen.holds(&object.required) && length_fits(object.least, object.most, length))
    }

    /// Steps over the next key and its colon if it is that of the property, spelled as mostly.
    #[inline]
    fn takes(&mut self, property: &Property) -> bool {
        property.key.as_ref().is_some_and(|key| self.scanner.takes(key))
    }

    /// Steps over the next key and its colon. Gives its place among the properties; a key that has none is added to the
    /// others, each once.
    fn key(&mut self, object: &ObjectRule, others: &mut Option<Keys<'t>>) -> Option<Option<usize>> {
        let key = self.scanner.key()?.decoded()?;
        self.name_fits(object, &key)?;
        let place = object.place(&key);
        if place.is_none() {
            given(!object.is_closed() && others.get_or_insert_default().insert(key))?;
        }
        self.scanner.colon()?;
        Some(place)
    }

    #[inline]
    fn name_fits(&self, object: &ObjectRule, name: &str) -> Option<()> {
        let Some(names) = object.names else { return Some(()) };
        given(scalar_fits(self.rules, self.rules.get(names), &Scalar::Text(name)))
    }

    fn free_object(&mut self) -> Option<()> {
        let mut keys = Keys::default();
        let mut is_first = true;
        self.scanner.open();
        while self.scanner.goes_on(b'}', is_first)? {
            is_first = false;
            given(keys.insert(self.scanner.key()?.decoded()?))?;
            self.scanner.colon()?;
            self.value(ANYTHING)?;
        }
        Some(())
    }
}

/// A value without parts.
enum Scalar<'a> {
    Null,
    Bool(bool),
    Number(Num<'a>),
    Text(&'a str),
}

impl Scalar<'_> {
    #[inline]
    fn kind(&self) -> Types {
        match self {
            Self::Null => Types::NULL,
            Self::Bool(_) => Types::BOOLEAN,
            Self::Number(number) if number.is_whole() => Types::INTEGER,
            Self::Number(_) => Types::FRACTION,
            Self::Text(_) => Types::STRING,
        }
    }
}

/// Whether the rule admits the integer.
#[inline]
fn integer_fits(rules: &Rules, rule: &Rule, integer: i64) -> bool {
    if rule.outline.plain {
        let number = rule.number.as_ref();
        return rule.types.meets(Types::INTEGER)
            && number.is_none_or(|number| small_integer_fits(number, integer));
    }
    scalar_fits(rules, rule, &Scalar::Number(Num::from_integer(integer)))
}

/// The same for a text as it is spelled; it is decoded only if more than its length is asked for.
#[inline]
fn text_fits(rules: &Rules, rule: &Rule, text: Text<'_>) -> bool {
    if text.is_escaped() {
        return escaped_text_fits(rules, rule, text);
    }
    if rule.outline.plain {
        let string = rule.string.as_ref();
        return rule.types.meets(Types::STRING)
            && string.is_none_or(|string| string_fits(string, text.spelling()));
    }
    scalar_fits(rules, rule, &Scalar::Text(text.spelling()))
}

fn escaped_text_fits(rules: &Rules, rule: &Rule, text: Text<'_>) -> bool {
    if rule.outline.plain {
        match &rule.string {
            None => return rule.types.meets(Types::STRING),
            Some(StringRule { least, most, pattern: None, format: None }) => {
                return rule.types.meets(Types::STRING) && length_fits(*least, *most, text.length());
            }
            Some(_) => {}
        }
    }
    text.decoded().is_some_and(|text| scalar_fits(rules, rule, &Scalar::Text(&text)))
}

/// Whether the rule, with all its parts and branches, admits the scalar.
#[inline]
fn scalar_fits(rules: &Rules, rule: &Rule, scalar: &Scalar<'_>) -> bool {
    if !rule.types.meets(scalar.kind()) {
        return false;
    }
    let own = match scalar {
        Scalar::Number(number) => rule.number.as_ref().is_none_or(|rule| number_fits(rule, number)),
        Scalar::Text(text) => rule.string.as_ref().is_none_or(|rule| string_fits(rule, text)),
        Scalar::Null | Scalar::Bool(_) => true,
    };
    own && rule.literals.as_ref().is_none_or(|literals| is_literal(literals, scalar))
        && (!rule.is_compound() || compound_fits(rules, rule, scalar))
}

fn compound_fits(rules: &Rules, rule: &Rule, scalar: &Scalar<'_>) -> bool {
    let fits = |id: &RuleId| scalar_fits(rules, rules.get(*id), scalar);
    rule.all.iter().all(fits)
        && !rule.none.iter().any(fits)
        && rule.unions.iter().all(|union| {
            let mut fitting = union.branches.iter().filter(|id| fits(id));
            fitting.next().is_some() && !(union.exactly_one && fitting.next().is_some())
        })
}

fn is_literal(literals: &Literals, scalar: &Scalar<'_>) -> bool {
    match scalar {
        Scalar::Null => literals.null,
        Scalar::Bool(true) => literals.yes,
        Scalar::Bool(false) => literals.no,
        Scalar::Number(number) => literals.numbers.iter().any(|member| member.same(number)),
        Scalar::Text(text) => literals.strings.iter().any(|member| member == text),
    }
}
