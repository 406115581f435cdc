//! The rows of runs and tasks. Every change of a status is one conditional update, so that what is over stays over and a
//! worker that lost its claim changes nothing.

mod claim;
mod create;
mod end;
mod events;
mod messages;
mod read;
mod runs;
mod slots;

#[cfg(test)]
mod model;

pub(crate) use claim::{Beat, Claim};
pub(crate) use create::NewRun;
pub(crate) use end::{End, Ended, Sleep};
pub(crate) use events::OUTBOX;
pub(crate) use messages::Message;
pub use read::Counts;
#[cfg(test)]
pub(crate) use runs::Stepped;

use super::row::{Task, task_columns};
use super::space::WorkflowSpace;
use crate::state::{StateError, Tx, args};

/// Who asks, and with which call: a call that is made again finds what it made.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a> {
    pub(crate) agent: &'a str,
    pub(crate) owner: &'a str,
    pub(crate) call_id: &'a str,
}

impl WorkflowSpace {
    /// A transaction in which no other changes workflows of this agent.
    async fn change(&self, agent: &str) -> Result<Tx, StateError> {
        let mut tx = self.state.write().await?;
        tx.lock(&format!("workflows/{agent}")).await?;
        Ok(tx)
    }
}

/// A task, if it is there.
async fn task_by_id(tx: &mut Tx, id: i64) -> Result<Option<Task>, StateError> {
    let row =
        tx.row(concat!("SELECT ", task_columns!(), " FROM workflow_tasks WHERE id = $1"), args![id]).await?;
    row.as_ref().map(Task::read).transpose()
}
