//! The tools of a main turn, composed from what the turn has.

use tool_runtime::{WorkerAgentTool, tools};

use crate::clarify::clarify_tools;
#[cfg(feature = "computer")]
use crate::computer::{Computer, computer_tools};
#[cfg(feature = "durable")]
use crate::jobs::{Jobs, job_tools};
#[cfg(feature = "memory")]
use crate::memory::{Memory, memory_tools};
#[cfg(feature = "schedule")]
use crate::schedule::{Schedules, schedule_tools};
#[cfg(feature = "skills")]
use crate::skills::{Skills, skill_tools};
use crate::todo::{TodoStore, todo_tools};
#[cfg(feature = "web")]
use crate::web::{Web, web_tools};
#[cfg(feature = "workflow")]
use crate::workflow::{Workflows, workflow_tools};

/// The tools of a main turn, in a fixed order. A tool that the turn cannot support is not in the list.
///
/// The list is a plain one: take tools away, or put your own beside them with `tools![..main_turn_tools(&turn), my_tool]`.
///
/// ```
/// use tool_std::todo::TodoStore;
/// use tool_std::turn::{TurnContext, main_turn_tools};
///
/// let turn = TurnContext::new(TodoStore::new());
/// let names: Vec<_> = main_turn_tools(&turn).iter().map(|tool| tool.spec().name.clone()).collect();
/// assert_eq!(names, ["todo"]);
/// ```
#[must_use]
pub fn main_turn_tools(turn: &TurnContext) -> Vec<WorkerAgentTool> {
    tools![
        ..todo_tools(&turn.todo),
        #[cfg(feature = "computer")]
        if let Some(computer) = &turn.computer => ..computer_tools(computer),
        #[cfg(feature = "web")]
        if let Some(web) = &turn.web => ..web_tools(&web.saving_to(turn.computer.as_ref())),
        #[cfg(feature = "schedule")]
        if let Some(schedules) = &turn.schedules => ..schedule_tools(schedules),
        #[cfg(feature = "memory")]
        if let Some(memory) = &turn.memory => ..memory_tools(memory),
        if turn.clarify => ..clarify_tools(),
        #[cfg(feature = "durable")]
        if let Some(jobs) = &turn.jobs => ..job_tools(jobs),
        #[cfg(feature = "workflow")]
        if let Some(workflows) = &turn.workflows => ..workflow_tools(workflows),
        #[cfg(feature = "skills")]
        if let Some(skills) = &turn.skills => ..skill_tools(skills),
    ]
}

/// What a turn has. Cheap to clone.
#[derive(Clone, Debug)]
#[must_use]
pub struct TurnContext {
    todo: TodoStore,
    #[cfg(feature = "computer")]
    computer: Option<Computer>,
    #[cfg(feature = "web")]
    web: Option<Web>,
    #[cfg(feature = "schedule")]
    schedules: Option<Schedules>,
    #[cfg(feature = "memory")]
    memory: Option<Memory>,
    clarify: bool,
    #[cfg(feature = "durable")]
    jobs: Option<Jobs>,
    #[cfg(feature = "workflow")]
    workflows: Option<Workflows>,
    #[cfg(feature = "skills")]
    skills: Option<Skills>,
}

impl TurnContext {
    /// A turn that has a plan and nothing else. A store that the host keeps carries the plan to the next turn.
    pub fn new(todo: TodoStore) -> Self {
        Self {
            todo,
            #[cfg(feature = "computer")]
            computer: None,
            #[cfg(feature = "web")]
            web: None,
            #[cfg(feature = "schedule")]
            schedules: None,
            #[cfg(feature = "memory")]
            memory: None,
            clarify: false,
            #[cfg(feature = "durable")]
            jobs: None,
            #[cfg(feature = "workflow")]
            workflows: None,
            #[cfg(feature = "skills")]
            skills: None,
        }
    }

    /// Gives the turn another plan.
    pub fn todo(mut self, todo: TodoStore) -> Self {
        self.todo = todo;
        self
    }

    /// Gives the turn a computer.
    #[cfg(feature = "computer")]
    pub fn computer(mut self, computer: Computer) -> Self {
        self.computer = Some(computer);
        self
    }

    /// Gives the turn the web. Where it has a computer too, the whole text of long pages is kept in its workspace.
    #[cfg(feature = "web")]
    pub fn web(mut self, web: Web) -> Self {
        self.web = Some(web);
        self
    }

    /// Gives the turn its schedules.
    #[cfg(feature = "schedule")]
    pub fn schedules(mut self, schedules: Schedules) -> Self {
        self.schedules = Some(schedules);
        self
    }

    /// Lets the model read what is remembered.
    #[cfg(feature = "memory")]
    pub fn memory(mut self, memory: Memory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Lets the model ask a question, which ends the turn: there is a person who answers with the next message.
    pub fn clarify(mut self) -> Self {
        self.clarify = true;
        self
    }

    /// Gives the turn background jobs.
    #[cfg(feature = "durable")]
    pub fn jobs(mut self, jobs: Jobs) -> Self {
        self.jobs = Some(jobs);
        self
    }

    /// Gives the turn workflows.
    #[cfg(feature = "workflow")]
    pub fn workflows(mut self, workflows: Workflows) -> Self {
        self.workflows = Some(workflows);
        self
    }

    /// Gives the turn its skills. The model hears of them by the [instructions](Self::instructions).
    #[cfg(feature = "skills")]
    pub fn skills(mut self, skills: Skills) -> Self {
        self.skills = Some(skills);
        self
    }

    /// What the model has to know of the turn before it begins, for the end of its instructions: the skills by name. Empty if
    /// there is nothing.
    #[must_use]
    pub fn instructions(&self) -> String {
        #[cfg(feature = "skills")]
        if let Some(skills) = &self.skills {
            return skills.projection();
        }
        String::new()
    }
}
