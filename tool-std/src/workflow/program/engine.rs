//! The engine of programs: QuickJS with chosen parts, one fresh context a replay.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use rquickjs::context::EvalOptions;
use rquickjs::context::intrinsic::{Eval, Json, MapSet, Promise, RegExp, RegExpCompiler};
use rquickjs::{Context, Ctx, Function, Object, Runtime};

use crate::workflow::limits::WorkflowLimits;

use super::host::{Host, failed, place};
use super::meter::{Meter, Stop};
use super::{CallOutcome, KnownCall, Program, Replay, fits};

/// What stands before a program.
const PRELUDE: &str = include_str!("prelude.js");
/// What the program is called in errors.
pub(super) const FILE: &str = "workflow.js";
/// The body of an async function. It begins on the first line, so that the numbers of lines are right.
const BEGIN: &str = "(async () => {";
const END: &str = "\n})";

/// After how many jobs the collector runs. It never does while the program is at work: where memory runs out in the middle of
/// an operation, it would find values that are not whole.
const JOBS_BETWEEN_COLLECTIONS: u32 = 5_000;

/// Replays a program, and tells what came of it while the engine still stands.
pub(super) fn replay(
    program: &Program,
    known: &[KnownCall],
    limits: &WorkflowLimits,
    tell: &Rc<dyn Fn(Replay)>,
) {
    let given =
        known.iter().map(|known| known.call.len() + known.outcome.as_ref().map_or(0, CallOutcome::len));
    if let Err(sentence) =
        fits("what is known of the calls of this run", given.sum(), limits.memo_input_bytes)
    {
        return tell(failed("too_large", sentence));
    }
    let host = Rc::new(RefCell::new(Host::new(known, limits)));
    let meter = Meter::new(limits.fuel, limits.replay_time, {
        let (host, limits, tell) = (Rc::clone(&host), limits.clone(), Rc::clone(tell));
        move || {
            let end = host.try_borrow_mut().ok().and_then(|mut host| host.end.take());
            tell(end.unwrap_or_else(|| out_of_memory(&limits)));
        }
    });
    match context(limits, &meter) {
        Ok(context) => context.with(|ctx| {
            let play = Play { program, host: &host, meter: &meter };
            // What is left of an error of the engine itself stands in the host or in the meter.
            let ended = play.run(&ctx);
            tell(play.verdict(&ctx, ended));
        }),
        Err(_) => tell(out_of_memory(limits)),
    }
}

fn context(limits: &WorkflowLimits, meter: &Meter) -> rquickjs::Result<Context> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(limits.memory_bytes.max(1));
    runtime.set_gc_threshold(usize::MAX);
    runtime.set_max_stack_size(limits.stack_bytes.max(1));
    let handler = meter.clone();
    runtime.set_interrupt_handler(Some(Box::new(move || handler.tick())));
    Context::custom::<(Eval, RegExpCompiler, RegExp, Json, MapSet, Promise)>(&runtime)
}

/// A replay.
struct Play<'a> {
    program: &'a Program,
    host: &'a Rc<RefCell<Host>>,
    meter: &'a Meter,
}

impl Play<'_> {
    /// Runs the program until it is over, waits for what is not known, or has to stop.
    fn run(&self, ctx: &Ctx<'_>) -> rquickjs::Result<()> {
        let prelude: Function<'_> = ctx.eval_with_options(PRELUDE, named("prelude.js"))?;
        let handles: Object<'_> = prelude.call((
            self.call_function(ctx)?,
            self.done_function(ctx)?,
            f64::from(self.program.seed),
            // Exact for 285,000 years.
            self.program.began as f64,
            self.program.args.as_str(),
        ))?;
        let (start, settle): (Function<'_>, Function<'_>) = (handles.get("start")?, handles.get("settle")?);
        let source = format!("{BEGIN}{}{END}", self.program.source);
        let body: rquickjs::Value<'_> = ctx.eval_with_options(source, named(FILE))?;
        start.call::<_, ()>((body,))?;
        let mut jobs = 0_u32;
        loop {
            while self.meter.stopped().is_none() && ctx.execute_pending_job() {
                jobs = jobs.wrapping_add(1);
                if jobs.is_multiple_of(JOBS_BETWEEN_COLLECTIONS) {
                    ctx.run_gc();
                }
            }
            if self.meter.stopped().is_some() || self.is_waiting_for_nothing() {
                return Ok(());
            }
            let Some(answers) = self.host.borrow_mut().answers() else { return Ok(()) };
            for (call, value) in answers {
                settle.call::<_, ()>((u32::try_from(call).unwrap_or(u32::MAX), value))?;
            }
        }
    }

    fn call_function<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let (host, meter) = (Rc::clone(self.host), self.meter.clone());
        Function::new(ctx.clone(), move |prompt: String, options: String| {
            host.borrow_mut().call(prompt, &options, &meter)
        })
    }

    fn done_function<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let (host, meter) = (Rc::clone(self.host), self.meter.clone());
        Function::new(ctx.clone(), move |kind: String, text: String, stack: String| {
            host.borrow_mut().done(&kind, text, &stack, &meter);
        })
    }

    fn is_waiting_for_nothing(&self) -> bool {
        let host = self.host.borrow();
        host.answered == host.calls.len()
    }

    /// What came of it.
    fn verdict(&self, ctx: &Ctx<'_>, ended: rquickjs::Result<()>) -> Replay {
        // Reading an error may run the program, which may call the host.
        let limits = self.host.borrow().limits.clone();
        let error = ended.is_err().then(|| error_of(ctx, &limits));
        let mut host = self.host.borrow_mut();
        if let Some(end) = host.end.take() {
            return end;
        }
        match self.meter.stopped() {
            Some(Stop::Fuel) => {
                return failed(
                    "too_much_work",
                    "the program computes too much between two calls; it may never end",
                );
            }
            Some(Stop::Time) => {
                let seconds = limits.replay_time.as_secs_f64();
                return failed("too_long", format!("the program takes longer than {seconds} seconds"));
            }
            Some(Stop::Refused) | None => {}
        }
        if let Some(error) = error {
            return error;
        }
        if let Some(missing) = host.missing() {
            return missing;
        }
        let first = host.answered;
        let calls = mem::take(&mut host.calls).split_off(first);
        if calls.is_empty() {
            return failed(
                "never_ends",
                "the program waits for something that never comes: it may only await calls of `agent`; or its memory ran out",
            );
        }
        Replay::Pending { first, calls }
    }
}

/// An error before the program ran: mostly that it is none.
fn error_of(ctx: &Ctx<'_>, limits: &WorkflowLimits) -> Replay {
    let error = ctx.catch();
    let Some(error) = error.as_exception() else {
        // Where not even an error has room there is none.
        let is_none = error.is_null() || error.is_undefined();
        let thrown = "the script is no program: it threw something before it began";
        return if is_none { out_of_memory(limits) } else { failed("syntax", thrown) };
    };
    let words = error.message().unwrap_or_default();
    if words.contains("out of memory") {
        return out_of_memory(limits);
    }
    let place = place(&error.stack().unwrap_or_default());
    failed("syntax", format!("the script is no program{place}: {words}"))
}

fn out_of_memory(limits: &WorkflowLimits) -> Replay {
    let most = limits.memory_bytes;
    failed(
        "too_much_memory",
        format!("the program needs more than the {most} bytes of memory that it may have"),
    )
}

fn named(file: &str) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.filename = Some(file.to_owned());
    options
}
