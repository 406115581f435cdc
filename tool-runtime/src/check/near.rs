//! The names that were probably meant.

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

/// How alike a whole name must be to count as near, from 0 to 1 (Jaro-Winkler).
const NEAR: f64 = 0.8;

/// How much less alike than the likest name another may be.
const BEHIND: f64 = 0.1;

/// The longest whole name, in bytes, that near ones are looked for; legal ones are shorter, with their namespace too.
const LONGEST_WHOLE: usize = 256;

/// The names most like `name`, at most `most` of them, the likest first. A name in a namespace is near as a whole, or by the
/// part behind its last dot.
pub(crate) fn nearest_names<'n>(
    name: &str,
    known: impl Iterator<Item = &'n str>,
    most: usize,
) -> Vec<String> {
    if name.len() > LONGEST_WHOLE {
        return Vec::new();
    }
    let likeness =
        |known: &str| strsim::jaro_winkler(name, known).max(strsim::jaro_winkler(bare(name), bare(known)));
    let scored = known.map(|known| (likeness(known), known));
    let mut near: Vec<(f64, &str)> = scored.filter(|(likeness, _)| *likeness >= NEAR).collect();
    near.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    let best = near.first().map_or(0.0, |(likeness, _)| *likeness);
    near.retain(|(likeness, _)| *likeness > best - BEHIND);
    near.into_iter().take(most).map(|(_, known)| known.to_owned()).collect()
}

fn bare(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The first of the most alike.
fn better<'n>(best: Option<(&'n str, f64)>, next: (&'n str, f64)) -> Option<(&'n str, f64)> {
    match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    }
}
