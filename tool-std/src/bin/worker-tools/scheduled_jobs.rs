//! What a schedule begins on the command line: a background job with the instruction as its task.

use std::sync::Arc;

use tool_runtime::BoxFuture;
use tool_std::jobs::{JobSpace, Jobs};
use tool_std::schedule::{Occasion, Wake, WakeError, WakeUp};

use crate::screen::one_line;

/// The owner of jobs that schedules begin.
const OWNER: &str = "schedules";
/// The characters of a reason that stand in the title of a job.
const TITLE: usize = 60;

/// Makes a job of each wake-up. The key of the wake-up names the asking, so that a repeat gives the job that is there.
pub(crate) struct ScheduledJobs {
    space: JobSpace,
}

impl ScheduledJobs {
    pub(crate) fn of(space: &JobSpace) -> Arc<dyn Wake> {
        Arc::new(Self { space: space.clone() })
    }
}

impl Wake for ScheduledJobs {
    fn wake<'a>(&'a self, wake: &'a WakeUp) -> BoxFuture<'a, Result<(), WakeError>> {
        Box::pin(async move {
            let jobs = Jobs::new(&self.space, wake.agent.clone(), OWNER);
            jobs.create(&wake.key, &title(wake), &wake.prompt(), None, None).await?;
            Ok(())
        })
    }
}

fn title(wake: &WakeUp) -> String {
    match &wake.occasion {
        Occasion::CheckBack { reason, .. } => {
            format!("Check back: {}", one_line(reason).chars().take(TITLE).collect::<String>())
        }
        Occasion::Cron { name, .. } => format!("Scheduled: {}", one_line(name)),
        _ => "Scheduled".to_owned(),
    }
}
