//! A run goes on by a stage, or is over.

use crate::state::{StateError, Tx, args};
use crate::workflow::program::{AgentCall, KnownCall, Program, Replay};
use crate::workflow::row::{Failure, Run, known, program, run_columns};
use crate::workflow::space::WorkflowSpace;
use crate::workflow::{WorkflowError, WorkflowEventKind};

/// What there is to replay.
#[derive(Debug)]
pub(crate) struct ToReplay {
    pub(crate) run: Run,
    pub(crate) program: Program,
    pub(crate) known: Vec<KnownCall>,
}

/// What came of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepped {
    /// It stands in the database.
    Done,
    /// The run was not any more as the replay had found it; nothing was changed.
    Stale,
}

impl WorkflowSpace {
    /// A run whose program can go on: it is live and none of its tasks is.
    pub(crate) async fn to_replay(&self, id: i64) -> Result<Option<ToReplay>, StateError> {
        let database = &self.state.database;
        let row = database
            .row(
                concat!(
                    "SELECT ",
                    run_columns!(),
                    ", script, args, seed, began FROM workflow_runs WHERE id = $1 AND live = 1"
                ),
                args![id],
            )
            .await?;
        let Some(row) = row else { return Ok(None) };
        let rows = database
            .rows("SELECT call, status, value FROM workflow_tasks WHERE run = $1 ORDER BY seq", args![id])
            .await?;
        let known = rows.iter().map(known).collect::<Result<Vec<_>, _>>()?;
        if known.iter().any(|call| call.outcome.is_none()) {
            return Ok(None);
        }
        Ok(Some(ToReplay { run: Run::read(&row)?, program: program(&row)?, known }))
    }

    /// Writes down what a replay came to.
    pub(crate) async fn step(&self, run: &Run, known: usize, replay: Replay) -> Result<Stepped, StateError> {
        let mut tx = self.change(&run.agent).await?;
        let now = tx
            .row(
                "SELECT COUNT(t.id) AS calls, COUNT(CASE WHEN t.status IN ('queued', 'running', 'sleeping') THEN 1 END) AS open
                 FROM workflow_runs r LEFT JOIN workflow_tasks t ON t.run = r.id
                 WHERE r.id = $1 AND r.live = 1 GROUP BY r.id",
                args![run.id],
            )
            .await?;
        let stands = match now {
            Some(row) => row.int("open")? == 0 && usize::try_from(row.int("calls")?).ok() == Some(known),
            None => false,
        };
        if !stands {
            return Ok(Stepped::Stale);
        }
        match replay {
            Replay::Completed(result) => {
                self.run_over(&mut tx, run, "completed", Some(result.as_str()), None).await?;
                self.event(&mut tx, run, WorkflowEventKind::Completed).await?;
            }
            Replay::Failed(failure) => self.fail_run(&mut tx, run, &failure.into()).await?,
            Replay::Diverged { call, difference } => {
                let words = format!("the call {call} of `agent` is not what it was before: {difference}");
                self.fail_run(&mut tx, run, &Failure::new("diverged", &words)).await?;
            }
            Replay::Pending { first, calls } => {
                for (at, call) in (first..).zip(&calls).skip(known.saturating_sub(first)) {
                    self.insert(&mut tx, run, at, call).await?;
                }
                tx.run(
                    "UPDATE workflow_runs SET updated_at = $2 WHERE id = $1",
                    args![run.id, self.state.now()],
                )
                .await?;
                self.dispatch(&mut tx, &run.agent).await?;
            }
        }
        tx.commit().await?;
        Ok(Stepped::Done)
    }

    async fn insert(&self, tx: &mut Tx, run: &Run, seq: usize, call: &AgentCall) -> Result<(), StateError> {
        tx.run(
            "INSERT INTO workflow_tasks (run, agent, seq, call, title, status, slot, ready_at, claims, losses, attempts, sleeps,
                 attention, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, 'queued', 0, $6, 0, 0, 0, 0, 0, $6, $6)",
            args![
                run.id,
                &run.agent,
                i64::try_from(seq).unwrap_or(i64::MAX),
                &call.to_text(),
                &call.title(),
                self.state.now(),
            ],
        )
        .await?;
        Ok(())
    }

    /// Cancels a run; one that is over stays as it is.
    pub(crate) async fn cancel(&self, agent: &str, id: i64) -> Result<Run, WorkflowError> {
        let mut tx = self.change(agent).await?;
        let row = tx
            .row(
                concat!("SELECT ", run_columns!(), " FROM workflow_runs WHERE id = $1 AND agent = $2"),
                args![id, agent],
            )
            .await?;
        let run = Run::read(&row.ok_or(WorkflowError::Unknown { id })?)?;
        if run.status.is_live() {
            self.run_over(&mut tx, &run, "cancelled", None, None).await?;
        }
        let run = by_id(&mut tx, id).await?;
        tx.commit().await?;
        Ok(run)
    }

    pub(super) async fn fail_run(&self, tx: &mut Tx, run: &Run, failure: &Failure) -> Result<(), StateError> {
        self.run_over(tx, run, "failed", None, Some(failure)).await?;
        self.event(tx, run, WorkflowEventKind::Failed).await
    }

    /// The last transition of a run, and of all its tasks that are live. Their workers see it at the next beat.
    async fn run_over(
        &self,
        tx: &mut Tx,
        run: &Run,
        status: &str,
        result: Option<&str>,
        failure: Option<&Failure>,
    ) -> Result<(), StateError> {
        let (now, error) = (self.state.now(), failure.map(Failure::to_json).transpose()?);
        tx.run(
            "UPDATE workflow_runs SET status = $2, live = 0, result = $3, error = $4, updated_at = $5, finished_at = $5
             WHERE id = $1 AND live = 1",
            args![run.id, status, result, error.as_deref(), now],
        )
        .await?;
        tx.run(
            "UPDATE workflow_tasks SET status = 'cancelled', slot = 0, ready_at = NULL, worker = NULL, lease_until = NULL,
                 wake_at = NULL, updated_at = $2
             WHERE run = $1 AND status IN ('queued', 'running', 'sleeping')",
            args![run.id, now],
        )
        .await?;
        self.dispatch(tx, &run.agent).await
    }
}

/// A run that is there.
pub(super) async fn by_id(tx: &mut Tx, id: i64) -> Result<Run, StateError> {
    let row =
        tx.row(concat!("SELECT ", run_columns!(), " FROM workflow_runs WHERE id = $1"), args![id]).await?;
    Run::read(
        &row.ok_or_else(|| StateError::unreadable(format!("the workflow {id} is gone from the database")))?,
    )
}
