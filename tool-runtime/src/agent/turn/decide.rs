//! What comes after a round.

use crate::agent::correction::{Correction, FinalAnswer};
use crate::agent::guard::Alarm;
use crate::agent::journal::JournalError;
use crate::agent::outcome::{CallSummary, CancelledCalls, Ending};
use crate::agent::texts;
use crate::model::{Item, StopReason};

use super::{Next, Stage, Turn};

impl Turn<'_> {
    /// The model asked for no call.
    pub(super) async fn after_text(&mut self, stop: StopReason) -> Result<Next, JournalError> {
        let is_blank = self.text.trim().is_empty();
        if self.stage == Stage::Synthesis {
            return Ok(Next::End(self.limit_ending()));
        }
        if stop.is_cut() {
            if is_blank && self.may_try_again(&stop) {
                self.say(vec![Item::user(texts::CUT)]).await?;
                return Ok(Next::Round);
            }
            return Ok(Next::End(Ending::Cut(stop)));
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
        let cut_again = stop.is_cut() && !self.may_try_again(&stop);
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
        if cut_again {
            return Ok(Next::End(Ending::Cut(stop)));
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

    /// Counts a response that was cut off, and says whether another may do better: once in a turn, and not where a filter
    /// would cut it again.
    fn may_try_again(&mut self, stop: &StopReason) -> bool {
        self.cuts += 1;
        self.cuts < 2 && *stop != StopReason::Filtered
    }

    fn has_rounds_left(&self) -> bool {
        self.iterations < self.agent.options.iteration_limit
    }

    fn limit_ending(&self) -> Ending {
        Ending::IterationLimit { limit: self.agent.options.iteration_limit }
    }
}
