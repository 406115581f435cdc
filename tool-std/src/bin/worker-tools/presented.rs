//! What tools show beside the reply, as lines for a terminal.

use serde_json::Value;
use tool_runtime::PresentationEvent;

use crate::screen::one_line;

/// The lines of an event; of one that is not known, its kind.
pub(crate) fn lines(event: &PresentationEvent) -> Vec<String> {
    match event.kind.as_str() {
        "plan.snapshot" => plan(&event.payload),
        "interaction.request" => question(&event.payload),
        "effect.receipt" => vec![receipt(&event.payload)],
        kind => vec![format!("shown beside the reply: {}", one_line(kind))],
    }
}

fn plan(payload: &Value) -> Vec<String> {
    let items = payload["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        return vec!["the plan is empty".to_owned()];
    }
    let task = |item: &Value| {
        let sign = match text(item, "status") {
            "completed" => 'x',
            "in_progress" => '>',
            "cancelled" => '-',
            _ => ' ',
        };
        format!("[{sign}] {}", one_line(text(item, "content")))
    };
    items.iter().map(task).collect()
}

fn question(payload: &Value) -> Vec<String> {
    let choices = payload["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
    let choice = |(index, choice): (usize, &Value)| {
        let (label, description) = (one_line(text(choice, "label")), one_line(text(choice, "description")));
        let separator = if description.is_empty() { "" } else { ": " };
        format!("  {}) {label}{separator}{description}", index + 1)
    };
    let asked = one_line(text(payload, "question"));
    std::iter::once(asked).chain(choices.iter().enumerate().map(choice)).collect()
}

fn receipt(payload: &Value) -> String {
    let scope = &payload["scope"];
    let when = ["interval", "expression", "instant", "timezone"].map(|key| one_line(text(scope, key)));
    let when: Vec<_> = when.into_iter().filter(|part| !part.is_empty()).collect();
    let done = one_line(text(payload, "summary")).replace(['.', '_'], " ");
    format!("{done}: {} ({})", one_line(text(payload, "target")), when.join(", "))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_is_a_list_of_tasks() {
        let items = json!([{"content": "read", "status": "completed"}, {"content": "wri\nte", "status": "in_progress"}]);
        let event = PresentationEvent::new("plan.snapshot", json!({ "items": items }));
        assert_eq!(lines(&event), ["[x] read", "[>] wri te"]);
        assert_eq!(lines(&PresentationEvent::new("plan.snapshot", Value::Null)), ["the plan is empty"]);
    }

    #[test]
    fn a_question_stands_before_its_choices() {
        let choices = json!([{"label": "yes"}, {"label": "no", "description": "keep it"}]);
        let asked = json!({ "question": "Remove it?", "choices": choices });
        let event = PresentationEvent::new("interaction.request", asked);
        assert_eq!(lines(&event), ["Remove it?", "  1) yes", "  2) no: keep it"]);
    }

    #[test]
    fn a_receipt_says_what_was_done_to_what_and_when_it_will_be() {
        let scope = json!({ "expression": "0 9 * * *", "timezone": "Europe/Berlin" });
        let done = json!({ "summary": "cron.added", "target": "re\nport", "scope": scope });
        let event = PresentationEvent::new("effect.receipt", done);
        assert_eq!(lines(&event), ["cron added: re port (0 9 * * *, Europe/Berlin)"]);
    }

    #[test]
    fn an_event_of_another_kind_is_named() {
        assert_eq!(lines(&PresentationEvent::new("x.y", Value::Null)), ["shown beside the reply: x.y"]);
    }
}
