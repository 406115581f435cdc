//! "Did you mean …" for names that the author misspelt.

/// The sentence that follows a wrong name: the nearest of `known`, or all of them.
pub(crate) fn suggest(wrong: &str, known: &[impl AsRef<str>]) -> String {
    match nearest(wrong, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are {}", list(known)),
    }
}

/// All names, quoted and parted by commas.
pub(crate) fn list(names: &[impl AsRef<str>]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The one that looks most alike, if any looks alike at all.
fn nearest<'a>(wrong: &str, known: &'a [impl AsRef<str>]) -> Option<&'a str> {
    let scored = known.iter().map(|name| (strsim::jaro_winkler(wrong, name.as_ref()), name.as_ref()));
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (best.0 > 0.8).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::suggest;

    const KEYS: [&str; 3] = ["parallel", "read_only", "strict"];

    #[test]
    fn a_near_name_is_offered_alone() {
        assert_eq!(suggest("paralel", &KEYS), "did you mean `parallel`?");
        assert_eq!(suggest("readonly", &KEYS), "did you mean `read_only`?");
    }

    #[test]
    fn a_far_name_gets_the_list() {
        assert_eq!(suggest("zzz", &KEYS), "there are `parallel`, `read_only`, `strict`");
        assert_eq!(suggest("zzz", &[] as &[&str]), "there are none");
    }
}
