//! What the loop says to the model in the place of the user.

/// After the last round with tools.
pub(super) fn synthesis(limit: u32) -> String {
    format!(
        "The limit of {limit} rounds with tools is reached, and no tool can be called any more. Give your final answer now, \
         from what you have: what was done, what was found, and what is still open."
    )
}

/// After tool results that the model answered with nothing.
pub(super) const NUDGE: &str = "You have read the results of the tools and said nothing. Go on with the task: call the next \
                                tool, or give your answer.";

/// After a response that was cut off before it said anything.
pub(super) const CUT: &str =
    "Your response was cut off by its length limit before it said anything. Try again, and be brief.";

/// After a call that the provider could not read.
pub(super) fn malformed_call(said: &str) -> String {
    format!(
        "Your call could not be read, so nothing was run ({said}). Call again: one of the listed tools by its exact name, with \
         its arguments as one JSON object and no code around it. Or answer without a call."
    )
}

/// After a call that failed again the way it did before.
pub(super) fn repeated_failure(tools: &[String], limit: u32) -> String {
    let tools: Vec<String> = tools.iter().map(|tool| format!("`{tool}`")).collect();
    let tools = tools.join(" and ");
    let end = match limit {
        0 => String::new(),
        limit => format!(" After {limit} equal failures the turn is ended."),
    };
    format!(
        "The call of {tools} has failed again in exactly the same way. The same call will not succeed: find out first why it \
         fails, for example by looking at what it works on, then change its arguments or go another way. If something \
         outside stands in the way, say so in your answer.{end}"
    )
}
