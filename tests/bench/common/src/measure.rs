//! Runs a case side by side with its floor, and prints what both took.

use std::hint::black_box;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::allocations::allocations;
use crate::{callgrind, floor};

/// How a library is used in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// As its documentation tells.
    Documented,
    /// With the least cost that its public face allows.
    Best,
    /// In the one way there is.
    Only,
}

/// What one case took, beside its floor.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    pub peer: String,
    /// The row of the table, by its letter.
    pub row: char,
    pub form: Form,
    pub what: String,
    /// Nanoseconds, the median: of this thread on a processor, or by the clock on the wall for what waits.
    #[serde(default)]
    pub time: f64,
    /// Those of the floor, in the same process at the same time.
    #[serde(default)]
    pub floor: f64,
    /// The median of what one batch took by what the batch of the floor took that ran just before it.
    #[serde(default)]
    pub ratio: f64,
    /// For what waits: nanoseconds of this thread on a processor, and those of the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<(f64, f64)>,
    #[serde(default)]
    pub allocations: f64,
    #[serde(default)]
    pub floor_allocations: f64,
    /// Whether what came of a malformed text is what was meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<bool>,
    /// Instructions of the case and of its floor, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<(f64, f64)>,
}

enum Asked {
    Times,
    Instructions,
    /// One case, or its floor, so many times.
    Run {
        case: String,
        is_floor: bool,
        times: u64,
    },
}

/// The cases of one library.
pub struct Bench {
    peer: &'static str,
    asked: Asked,
}

/// How long batches are and how many.
#[derive(Clone, Copy)]
struct Batches {
    count: usize,
    nanoseconds: f64,
    clock: Clock,
    /// Runs before and while allocations are counted.
    warm: u64,
}

/// For what takes microseconds.
const SHORT: Batches = Batches { count: 41, nanoseconds: 1e6, clock: Clock::Processor, warm: 100 };
/// For what waits milliseconds: each run is a batch.
const LONG: Batches = Batches { count: 50, nanoseconds: 0.0, clock: Clock::Wall, warm: 3 };

impl Bench {
    /// The bench that the arguments of the program ask for.
    #[must_use]
    pub fn new(peer: &'static str) -> Self {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let asked = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => Asked::Times,
            ["instructions"] => Asked::Instructions,
            [case, kind, times] => Asked::Run {
                case: case.to_owned(),
                is_floor: kind == "floor",
                times: times.parse().expect("a number"),
            },
            _ => panic!("what is `{arguments:?}`?"),
        };
        Self { peer, asked }
    }

    /// Whether the rows without a floor are wanted, which are measured in time only.
    #[must_use]
    pub fn is_timing(&self) -> bool {
        matches!(self.asked, Asked::Times)
    }

    /// Row (a): the text of the definitions. Its floor is a copy of that text.
    pub async fn definitions(&self, form: Form, what: &str, work: impl FnMut() -> String) {
        self.text(self.line('a', form, what), work).await;
    }

    /// The same of row (d), for more tools.
    pub async fn many_definitions(&self, what: &str, work: impl FnMut() -> String) {
        if self.is_timing() {
            self.text(self.line('d', Form::Only, what), work).await;
        }
    }

    async fn text(&self, line: Line, mut work: impl FnMut() -> String) {
        let text = work();
        let copy = async || black_box(&text).clone();
        self.case(SHORT, line, copy, async || work()).await;
    }

    /// The other floor of row (a): the text that `work` gives, made of values that are there already.
    pub async fn ready_values(&self, work: impl FnOnce() -> String) {
        let text = work();
        let values: Vec<Value> = serde_json::from_str(&text).expect("a list");
        let copy = async || black_box(&text).clone();
        let write = async || serde_json::to_string(black_box(&values)).expect("it can be written");
        self.case(SHORT, self.line('a', Form::Only, "floor: ready values written"), copy, write).await;
    }

    /// Row (b): one call by name. Its floor is the typed parse and the bare function.
    pub async fn call<T>(&self, form: Form, what: &str, work: impl AsyncFnMut() -> T) {
        self.case(SHORT, self.line('b', form, what), floor::call, work).await;
    }

    /// Row (c): calls at once. Their floor is joined by hand.
    pub async fn parallel<T>(&self, form: Form, what: &str, work: impl AsyncFnMut() -> T) {
        if self.is_timing() {
            self.case(LONG, self.line('c', form, what), floor::parallel, work).await;
        }
    }

    /// Row (e): a malformed text read into the type. Its floor is the typed parse and the bare function, with the good text.
    pub async fn malformed<T>(&self, what: &str, right: bool, work: impl AsyncFnMut() -> T) {
        let line = Line { right: Some(right), ..self.line('e', Form::Only, what) };
        self.case(SHORT, line, floor::call, work).await;
    }

    /// Any other row: what `work` takes, without a floor.
    pub async fn alone<T>(&self, row: char, what: &str, mut work: impl AsyncFnMut() -> T) {
        if self.is_timing() {
            let allocations = counted(&mut work, LONG.warm).await;
            let once = batch(&mut work, LONG.warm).await.processor;
            let times = ((SHORT.nanoseconds / once).ceil() as u64).max(1);
            let mut taken = Vec::new();
            for _ in 0..SHORT.count {
                taken.push(batch(&mut work, times).await.processor);
            }
            self.print(&Line { time: median(taken), allocations, ..self.line(row, Form::Only, what) });
        }
    }

    /// Any other row that was measured already.
    pub fn measured(&self, row: char, what: &str, time: f64, allocations: f64) {
        if self.is_timing() {
            self.print(&Line { time, allocations, ..self.line(row, Form::Only, what) });
        }
    }

    fn line(&self, row: char, form: Form, what: &str) -> Line {
        Line {
            peer: self.peer.to_owned(),
            row,
            form,
            what: what.to_owned(),
            time: 0.0,
            floor: 0.0,
            ratio: 0.0,
            processor: None,
            allocations: 0.0,
            floor_allocations: 0.0,
            right: None,
            instructions: None,
        }
    }

    fn print(&self, line: &Line) {
        println!("{}", serde_json::to_string(line).expect("a line"));
    }

    async fn case<F, T>(
        &self,
        batches: Batches,
        mut line: Line,
        mut floor: impl AsyncFnMut() -> F,
        mut work: impl AsyncFnMut() -> T,
    ) {
        let name = format!("{} {} {}", line.peer, line.row, line.what);
        match &self.asked {
            Asked::Times => {
                line.floor_allocations = counted(&mut floor, batches.warm).await;
                line.allocations = counted(&mut work, batches.warm).await;
                let taken = side_by_side(&mut floor, &mut work, batches).await;
                let middle = |clock| {
                    let work = median(taken.iter().map(|(_, work)| work.by(clock)));
                    (work, median(taken.iter().map(|(floor, _)| floor.by(clock))))
                };
                let clock = batches.clock;
                (line.time, line.floor) = middle(clock);
                line.ratio = median(taken.iter().map(|(floor, work)| work.by(clock) / floor.by(clock)));
                line.processor = (clock == Clock::Wall).then(|| middle(Clock::Processor));
            }
            Asked::Instructions => {
                let instructions = |kind| callgrind::instructions(&[&name, kind]);
                line.instructions = Some((instructions("work"), instructions("floor")));
            }
            Asked::Run { case, is_floor, times } if *case == name => {
                if *is_floor {
                    batch(&mut floor, *times).await;
                } else {
                    batch(&mut work, *times).await;
                }
                return;
            }
            Asked::Run { .. } => return,
        }
        self.print(&line);
    }
}

/// What time is read from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clock {
    /// That of this thread, which stands still while others have the processor.
    Processor,
    Wall,
}

/// Nanoseconds of one run by both clocks.
struct Taken {
    processor: f64,
    wall: f64,
}

impl Taken {
    fn by(&self, clock: Clock) -> f64 {
        match clock {
            Clock::Processor => self.processor,
            Clock::Wall => self.wall,
        }
    }
}

/// Nanoseconds that this thread has had a processor.
#[must_use]
pub fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// One run, over so many of them.
async fn batch<T>(work: &mut impl AsyncFnMut() -> T, times: u64) -> Taken {
    let (start, before) = (Instant::now(), processor_time());
    for _ in 0..times {
        black_box(work().await);
    }
    let processor = (processor_time() - before) / times as f64;
    Taken { processor, wall: start.elapsed().as_nanos() as f64 / times as f64 }
}

/// Allocations of one run, once all is warm.
async fn counted<T>(work: &mut impl AsyncFnMut() -> T, times: u64) -> f64 {
    batch(work, times).await;
    let before = allocations();
    batch(work, times).await;
    (allocations() - before) as f64 / times as f64
}

/// The batches of both, one of each in turn.
async fn side_by_side<F, T>(
    floor: &mut impl AsyncFnMut() -> F,
    work: &mut impl AsyncFnMut() -> T,
    batches: Batches,
) -> Vec<(Taken, Taken)> {
    let times = |once: Taken| ((batches.nanoseconds / once.processor).ceil() as u64).max(1);
    let floor_times = times(batch(floor, batches.warm.min(20)).await);
    let work_times = times(batch(work, batches.warm.min(20)).await);
    let mut taken = Vec::new();
    for _ in 0..batches.count {
        taken.push((batch(floor, floor_times).await, batch(work, work_times).await));
    }
    taken
}

/// The middle one.
#[must_use]
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
