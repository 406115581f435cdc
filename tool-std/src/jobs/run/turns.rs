//! The turns of a claimed job.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tool_runtime::{Agent, CancellationToken, Ending, FileJournal, Item, Outcome, Recovered, TurnError};

use crate::jobs::job::{Job, JobFailure, JobUsage};
use crate::jobs::kit::{JobBrief, JobKit, MakeKit};
use crate::jobs::space::JobSpace;
use crate::jobs::steps::Recorded;
use crate::jobs::store::{End, Finished, Message};

use crate::state::{StateError, StateErrorKind};

use super::ending;
use super::live::{Live, Recorder};
use super::meter::Metered;
use super::thread::Thread;
use super::watch::Why;

/// What is said to a model whose response was cut off, before it goes on.
const GO_ON: &str = "Your last response was cut off before it was complete. Go on from there.";

/// The turns of one claim.
pub(super) struct Turns {
    space: JobSpace,
    make_kit: MakeKit,
    job: Job,
    cancel: CancellationToken,
    usage: Arc<Mutex<JobUsage>>,
    live: Mutex<Option<Arc<Live>>>,
    why: Mutex<Option<Why>>,
    since: Instant,
}

/// How the turns ended.
pub(super) enum Done {
    /// The claim is ended.
    Over,
    /// The claim is to be ended like this.
    Ended(End),
    /// They were cancelled.
    Cancelled,
    /// Another process has the files.
    FilesHeld,
}

/// Why turns could not go on.
pub(super) enum Trouble {
    /// The job cannot be set up: a sentence that says what is wrong.
    Setup(String),
    /// The state database was away or busy, which is no fault of the job.
    Away(StateError),
}

impl From<String> for Trouble {
    fn from(problem: String) -> Self {
        Self::Setup(problem)
    }
}

impl From<StateError> for Trouble {
    fn from(error: StateError) -> Self {
        match error.kind() {
            StateErrorKind::Database => Self::Away(error),
            // It would be the same again and again.
            _ => Self::Setup(error.to_string()),
        }
    }
}

/// A turn that is about to run.
struct Next {
    turn: i64,
    journal: FileJournal,
    items: Vec<Item>,
}

/// What stands on the disk.
enum Found {
    /// A turn to run.
    Run(Next),
    /// The last turn came to an end that was not finished.
    Ended(End),
}

impl Turns {
    pub(super) fn new(space: JobSpace, make_kit: MakeKit, job: Job, cancel: CancellationToken) -> Self {
        let usage = Arc::new(Mutex::new(job.usage));
        Self {
            space,
            make_kit,
            job,
            cancel,
            usage,
            live: Mutex::default(),
            why: Mutex::default(),
            since: Instant::now(),
        }
    }

    /// Runs turns until the job is over, waits, or is cancelled.
    ///
    /// # Errors
    ///
    /// What could not be set up, or that the database was away.
    pub(super) async fn run(&self) -> Result<Done, Trouble> {
        let Some(thread) = self.open().await? else { return Ok(Done::FilesHeld) };
        let thread = Arc::new(thread);
        let kit = (self.make_kit)(self.brief(&thread)).await?;
        let mut is_next = false;
        loop {
            let unread = self.space.unread(self.job.id).await?;
            let end = match self.find(&thread, is_next, &unread).await? {
                Found::Ended(end) => end,
                Found::Run(next) => match self.turn(&kit, next, &unread).await? {
                    None => return Ok(Done::Cancelled),
                    Some(end) => end,
                },
            };
            if !matches!(end, End::Succeeded(_) | End::Waiting(_)) {
                return Ok(Done::Ended(end));
            }
            let recorded = self.recorded();
            match self.space.finish(&self.job, &end, recorded.as_ref()).await? {
                Finished::Done | Finished::Lost => return Ok(Done::Over),
                Finished::Unread => {
                    if let (Some(live), Some(recorded)) = (self.live(), &recorded) {
                        live.stored(recorded);
                    }
                    is_next = true;
                }
            }
        }
    }

    async fn open(&self) -> Result<Option<Thread>, String> {
        let (space, thread) = (self.space.clone(), self.job.thread);
        blocking(move || Thread::open(&space, thread)).await
    }

    fn brief(&self, thread: &Thread) -> JobBrief {
        let job = &self.job;
        JobBrief {
            id: job.id,
            agent: job.agent.clone(),
            title: job.title.clone(),
            task: job.task.clone(),
            workspace_template_id: job.template.clone(),
            model_profile: job.profile.clone(),
            workspace: thread.workspace.clone(),
            attempt: job.claims,
        }
    }

    /// Where to go on. `is_next`: the last turn is done, and there is more to read.
    async fn find(&self, thread: &Arc<Thread>, is_next: bool, unread: &[Message]) -> Result<Found, String> {
        let (thread, job) = (Arc::clone(thread), self.job.clone());
        let said: Vec<Message> = unread.to_vec();
        blocking(move || {
            let last = thread.files.last()?;
            let mut turn = last.max(job.first_turn);
            if last >= job.first_turn {
                let (journal, recorded) = thread.files.turn(last)?;
                if recorded.items.is_empty() {
                    // It was made and never began.
                    turn = last;
                } else if is_next {
                    turn = last + 1;
                } else {
                    let new = new_messages(&recorded.items, &said);
                    match ending::of_recorded(&recorded) {
                        Some(End::Succeeded(_) | End::Waiting(_))
                            if !new.is_empty() && recorded.ended.is_none() => {}
                        Some(end) => return Ok(Found::Ended(end)),
                        None => {}
                    }
                    return Ok(Found::Run(Next { turn: last, journal, items: go_on(recorded, new) }));
                }
            }
            let mut items = thread.files.before(turn)?;
            if turn == job.first_turn {
                items.push(Item::user(&job.task));
            }
            items.extend(new_messages(&items, &said));
            let (journal, _) = thread.files.turn(turn)?;
            Ok(Found::Run(Next { turn, journal, items }))
        })
        .await
    }

    /// Runs a turn; `None` if it was cancelled.
    async fn turn(&self, kit: &JobKit, next: Next, unread: &[Message]) -> Result<Option<End>, Trouble> {
        let Next { turn, journal, items } = next;
        let space = &self.space;
        if !space.begin_turn(&self.job, turn).await? {
            self.because(Why::Lost);
            return Ok(None);
        }
        let thread = self.job.thread;
        let before_turn = space.steps_before(thread, turn).await?;
        let before_job = space.steps_before(thread, self.job.first_turn).await?;
        let live = Arc::new(Live::new(turn, before_turn, before_job, Arc::clone(&self.usage)));
        live.offer(unread);
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&live));
        let model = Metered { model: Arc::clone(&kit.model), usage: Arc::clone(&self.usage) };
        let agent = Agent::new(model, kit.tools.clone()).map_err(|error| error.to_string())?;
        let agent = (kit.agent)(agent)
            .steering(live.steering.clone())
            .journal(Recorder { file: journal, live: Arc::clone(&live) });
        let ran = agent.run(items, &self.cancel).await;
        Ok(end_of(ran))
    }

    fn live(&self) -> Option<Arc<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What of the turn is still to be written down.
    pub(super) fn recorded(&self) -> Option<Recorded> {
        self.live().map(|live| live.recorded())
    }

    /// It was.
    pub(super) fn stored(&self, recorded: &Recorded) {
        if let Some(live) = self.live() {
            live.stored(recorded);
        }
    }

    /// Says messages to the turn that runs. Before one runs they will be in its input.
    pub(super) fn bring(&self, messages: Vec<Message>) {
        if let Some(live) = self.live() {
            live.bring(messages);
        }
    }

    /// How long nothing happened, and whether anything has.
    pub(super) fn idle(&self) -> (Duration, bool) {
        self.live().map_or((self.since.elapsed(), false), |live| live.idle())
    }

    /// Why it has to end; the first reason counts.
    pub(super) fn because(&self, why: Why) {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    }

    pub(super) fn why(&self) -> Option<Why> {
        *self.why.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The messages that a conversation does not hold yet.
fn new_messages(items: &[Item], messages: &[Message]) -> Vec<Item> {
    let new = messages.iter().map(|message| Item::user(message.as_said()));
    new.filter(|message| !items.contains(message)).collect()
}

/// The conversation of a turn that was broken off, with what is new.
fn go_on(recorded: Recovered, new: Vec<Item>) -> Vec<Item> {
    let mut items = recorded.items;
    items.extend(new);
    if matches!(items.last(), Some(Item::Assistant(_))) {
        items.push(Item::user(GO_ON));
    }
    items
}

/// The end that a turn gives its job; `None` if it was cancelled.
fn end_of(ran: Result<Outcome, TurnError>) -> Option<End> {
    let outcome = match ran {
        Ok(outcome) => outcome,
        Err(error) => return Some(again("journal_failed", &error.to_string())),
    };
    let kind = outcome.ending.kind();
    match &outcome.ending {
        Ending::Cancelled(_) => None,
        Ending::ModelFailed(error) if !error.retryable => {
            Some(End::Failed(JobFailure::new(kind, error.to_string(), false)))
        }
        Ending::ModelFailed(error) => Some(again(kind, &error.to_string())),
        _ => Some(
            ending::settled(kind, &outcome.items)
                .unwrap_or_else(|| again(kind, "the response of its model was cut off or could not be read")),
        ),
    }
}

/// A failure after which it is tried again; when, the caller says.
fn again(code: &str, words: &str) -> End {
    End::Again(JobFailure::new(code, words, true), 0)
}

/// Runs what blocks beside the other jobs.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err("the worker shuts down".to_owned()))
}
