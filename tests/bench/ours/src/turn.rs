//! Row (f): a turn of 20 rounds with 3 calls each, against a model in this process.

use std::sync::Mutex;

use bench_common::{ARGUMENTS, Bench, TARGET, allocations, median, processor_time};
use tool_runtime::{
    Agent, BoxFuture, CancellationToken, Delta, Item, Model, ModelError, ModelRequest, ModelResponse,
    ToolCall,
};

const ROUNDS: usize = 20;
const CALLS: usize = 3;
const TURNS: usize = 31;

/// Asks for the same calls in each round, and notes what the loop took between its answers.
#[derive(Default)]
struct Scripted(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    answered: usize,
    /// What this thread had taken when the last answer was given, and how many allocations there were.
    since: Option<(f64, u64)>,
    /// Nanoseconds and allocations of each round.
    rounds: Vec<(f64, f64)>,
}

impl Model for Scripted {
    fn respond<'a>(
        &'a self,
        _: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        let (now, counted) = (processor_time(), allocations());
        let mut noted = self.0.lock().expect("no panic");
        if let Some((start, before)) = noted.since {
            noted.rounds.push((now - start, (counted - before) as f64));
        }
        let call = |at| Item::call(ToolCall::new(format!("c{}_{at}", noted.answered), TARGET, ARGUMENTS));
        let items = match noted.answered {
            ROUNDS => vec![Item::assistant("done")],
            _ => (0..CALLS).map(call).collect(),
        };
        let answer: BoxFuture<'a, _> = Box::pin(std::future::ready(Ok(ModelResponse::new(items))));
        noted.answered += 1;
        noted.since = Some((processor_time(), allocations()));
        answer
    }
}

/// One turn: nanoseconds and allocations of each round.
async fn turn() -> Vec<(f64, f64)> {
    let model = std::sync::Arc::new(Scripted::default());
    let agent = Agent::new(std::sync::Arc::clone(&model), crate::tools::all()).expect("no faults");
    let outcome = agent.run("Read it.", &CancellationToken::new()).await.expect("it ends");
    assert_eq!(outcome.results.len(), ROUNDS * CALLS);
    assert!(outcome.results.iter().all(|result| !result.is_error()));
    std::mem::take(&mut model.0.lock().expect("no panic").rounds)
}

/// Prints the median round, and the first and the last full one.
pub(crate) async fn rows(bench: &Bench) {
    let mut turns = Vec::new();
    for _ in 0..TURNS {
        turns.push(turn().await);
    }
    let of = |rounds: std::ops::Range<usize>, part: fn(&(f64, f64)) -> f64| {
        median(turns.iter().flat_map(|turn| turn.get(rounds.clone()).unwrap_or_default()).map(part))
    };
    for (what, rounds) in [
        ("a round of 3 calls", 0..ROUNDS),
        ("a round of 3 calls: rounds 2 to 6", 1..6),
        ("a round of 3 calls: rounds 16 to 20", 15..ROUNDS),
    ] {
        bench.measured('f', what, of(rounds.clone(), |round| round.0), of(rounds, |round| round.1));
    }
}
