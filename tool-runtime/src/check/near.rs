//! The name that was probably meant.

/// How alike two names must be, from 0 to 1.
const LIKENESS: f64 = 0.6;

/// The longest name that is compared.
const LONGEST: usize = 64;

/// The name most like `word`, if any is like it.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if word.len() > LONGEST {
        return None;
    }
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_lowercase();
    let wanted = plain(word);
    names
        .filter(|name| name.len() <= LONGEST)
        .map(|name| (name, strsim::normalized_damerau_levenshtein(&wanted, &plain(name))))
        .fold(None, better)
        .filter(|(_, likeness)| *likeness >= LIKENESS)
        .map(|(name, _)| name)
}

/// The first of the most alike.
fn better<'n>(best: Option<(&'n str, f64)>, next: (&'n str, f64)) -> Option<(&'n str, f64)> {
    match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    }
}
