//! Which parameters an action takes. The schema is one flat object, which every provider can send; what goes together is
//! checked here.

use super::error::ScheduleError;

/// A call of one action.
pub(super) struct Given<'a> {
    pub(super) action: &'a str,
    /// Every parameter but the action, and whether it was given.
    pub(super) fields: &'a [(&'static str, bool)],
}

impl Given<'_> {
    /// Checks that everything of `needed` was given, and nothing that is neither there nor in `taken`.
    ///
    /// # Errors
    ///
    /// Names all that is missing or too much.
    pub(super) fn check(&self, needed: &[&str], taken: &[&str]) -> Result<(), ScheduleError> {
        let names = |wanted: &dyn Fn(&str, bool) -> bool| {
            let names = self.fields.iter().filter(|(name, given)| wanted(name, *given));
            names.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let missing = names(&|name, given| !given && needed.contains(&name));
        let unknown = names(&|name, given| given && !needed.contains(&name) && !taken.contains(&name));
        let action = self.action;
        match (missing.is_empty(), unknown.is_empty()) {
            (true, true) => Ok(()),
            (false, true) => Err(ScheduleError::invalid(format!("the action `{action}` needs {missing}"))),
            (true, false) => Err(ScheduleError::invalid(format!(
                "the action `{action}` does not take {unknown}; leave it out"
            ))),
            (false, false) => Err(ScheduleError::invalid(format!(
                "the action `{action}` needs {missing}, and does not take {unknown}"
            ))),
        }
    }

    /// Checks that at least one of `changes` was given.
    pub(super) fn check_change(&self, changes: &[&str]) -> Result<(), ScheduleError> {
        if self.fields.iter().any(|(name, given)| *given && changes.contains(name)) {
            return Ok(());
        }
        let changes: Vec<_> = changes.iter().map(|name| format!("`{name}`")).collect();
        Err(ScheduleError::invalid(format!(
            "the action `{}` needs what shall change: at least one of {}",
            self.action,
            changes.join(", ")
        )))
    }
}

/// A text without white space around it.
///
/// # Errors
///
/// When nothing is left; names the field.
pub(super) fn trimmed(field: &str, text: String) -> Result<String, ScheduleError> {
    let trimmed = text.trim();
    match trimmed.is_empty() {
        true => Err(ScheduleError::invalid(format!("`{field}` is blank; write a text"))),
        // PostgreSQL cannot keep it in a text.
        false => Ok(trimmed.replace('\0', "")),
    }
}
