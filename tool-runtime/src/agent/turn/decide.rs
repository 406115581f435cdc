//! What comes after a round.

use crate::agent::correction::{Correction, FinalAnswer};
use crate::agent::guard::Alarm;
use crate::agent::journal::JournalError;
use crate::agent::outcome::{CallSummary, CancelledCalls, Ending};
use crate::agent::texts;
use crate::model::{Item, StopReason};

use super::{Next, Stage, Turn};

/// How many calls in a turn that the provider cannot read are the end of it.
const MALFORMED_CALLS: u32 = 3;

impl Turn<'_> {
    /// The model asked for no call.
    pub(super) async fn after_text(&mut self, stop: StopReason) -> Result<Next, JournalError> {
        let is_blank = self.text.trim().is_empty();
        if self.stage == Stage::Synthesis {
            return Ok(Next::End(self.limit_ending()));
        }
        if self.paused {
            // What came goes back as it is.
            let goes_on = self.has_rounds_left();
            return Ok(if goes_on { Next::Round } else { Next::End(Ending::Cut(stop)) });
        }
        if stop.is_cut() {
            let told = match &stop {
                StopReason::MalformedCall(said) => Some(texts::malformed_call(said)),
                _ => is_blank.then(|| texts::CUT.to_owned()),
            };
            let Some(told) = told else { return Ok(Next::End(Ending::Cut(stop))) };
            if let Some(ending) = self.count_cut(stop) {
                return Ok(Next::End(ending));
            }
            self.say(vec![Item::user(told)]).await?;
            return Ok(Next::Round);
        }
        let steering = if self.has_rounds_left() { self.agent.options.steering.take() } else { Vec::new() };
        let mut said = Vec::new();
        if is_blank && self.agent.options.nudge && !self.nudged && !self.results.is_empty() {
            self.nudged = true;
            said.push(Item::user(texts::NUDGE));
        } else if steering.is_empty()
            && let Some(correction) = self.correction()
        {
            if self.stage == Stage::Corrected {
                return Ok(Next::End(Ending::NotAccepted { reason: correction.instruction }));
            }
            self.stage = Stage::Corrected;
            self.offer = correction.offer;
            self.tool_choice = correction.tool_choice;
            said.push(Item::user(correction.instruction));
        }
        said.extend(steering);
        if said.is_empty() {
            return Ok(Next::End(Ending::Finished));
        }
        self.say(said).await?;
        Ok(Next::Round)
    }

    /// The calls of the last response were answered, beginning with the result at `first`.
    pub(super) async fn after_calls(&mut self, first: usize, stop: StopReason) -> Result<Next, JournalError> {
        self.nudged = false;
        let cut_again = if stop.is_cut() { self.count_cut(stop) } else { None };
        let results = self.results.get(first..).unwrap_or_default();
        if self.stage == Stage::Synthesis {
            return Ok(Next::End(self.limit_ending()));
        }
        if let Some(result) = results.iter().find(|result| result.ends_turn()) {
            return Ok(Next::End(Ending::EndedByTool(CallSummary::of(result))));
        }
        if self.cancel.is_cancelled() {
            return Ok(Next::End(Ending::Cancelled(CancelledCalls::of(&self.results))));
        }
        if let Some(ending) = cut_again {
            return Ok(Next::End(ending));
        }
        let options = &self.agent.options;
        let mut said = Vec::new();
        match self.guard.look_at(&self.agent.set, results, options.failures) {
            Some(Alarm::Stop(call)) => {
                let times = options.failures.stop_at;
                return Ok(Next::End(Ending::RepeatedFailure { call, times }));
            }
            Some(Alarm::Warn(tools)) => {
                said.push(Item::user(texts::repeated_failure(&tools, options.failures.stop_at)));
            }
            None => {}
        }
        if self.has_rounds_left() {
            said.extend(options.steering.take());
        } else {
            self.stage = Stage::Synthesis;
            said.push(Item::user(texts::synthesis(options.iteration_limit)));
        }
        if !said.is_empty() {
            self.say(said).await?;
        }
        Ok(Next::Round)
    }

    /// What the host has to say about the final answer.
    fn correction(&self) -> Option<Correction> {
        let check = self.agent.options.check_answer.as_ref()?;
        check(&FinalAnswer { text: &self.text, results: &self.results })
    }

    /// Counts a response that was cut off, and gives the ending if another would do no better: the model has one more try in
    /// a turn, none where a filter would cut it again, and two where the provider could not read its call.
    fn count_cut(&mut self, stop: StopReason) -> Option<Ending> {
        if let StopReason::MalformedCall(said) = stop {
            self.malformed += 1;
            let times = self.malformed;
            let is_over = times >= MALFORMED_CALLS || !self.has_rounds_left();
            return is_over.then_some(Ending::MalformedCall { said, times });
        }
        self.cuts += 1;
        (self.cuts >= 2 || stop == StopReason::Filtered).then_some(Ending::Cut(stop))
    }

    fn has_rounds_left(&self) -> bool {
        self.iterations < self.agent.options.iteration_limit
    }

    fn limit_ending(&self) -> Ending {
        Ending::IterationLimit { limit: self.agent.options.iteration_limit }
    }
}
