//! Counts what it costs to check a call's arguments. What definitions and calls cost is counted in `tests/bench/ours`.
//!
//! Instructions are counted under callgrind, so that they are the same on a busy machine; allocations by the allocator.
//! Prints a table with the goals and ends with 1 if one is missed:
//!
//! ```sh
//! cd tests/bench/arguments && cargo run --release
//! cd tests/bench/arguments && cargo run --release -- linear  # texts that are made to be slow
//! ```

mod count;
mod linear;
mod work;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &str| text.parse().expect("a number");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => report(),
        ["linear"] => exit(linear::report()),
        // The rest is run by this program itself, under callgrind.
        ["linear", family, length] => {
            linear::run(number(family), number(length));
            ExitCode::SUCCESS
        }
        [name, times] => {
            let (work, times) = (work::named(name), number(times));
            (0..times).for_each(|_| work());
            ExitCode::SUCCESS
        }
        _ => panic!("what is `{arguments:?}`?"),
    }
}

fn exit(is_good: bool) -> ExitCode {
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A cost, what it is compared with, and how much of it is good.
struct Line {
    what: &'static str,
    cost: f64,
    base: f64,
    goal: Goal,
}

enum Goal {
    /// At most so many times the base.
    Times(f64),
    /// At most so many more than the base.
    More(f64),
}

impl Line {
    fn is_met(&self) -> bool {
        match self.goal {
            Goal::Times(times) => self.cost <= times * self.base,
            Goal::More(more) => self.cost <= self.base + more,
        }
    }

    fn print(&self) {
        let (measured, goal) = match self.goal {
            Goal::Times(times) => (format!("{:.2} times", self.cost / self.base), format!("{times} times")),
            Goal::More(more) => (format!("{:+}", self.cost - self.base), format!("+{more}")),
        };
        let verdict = if self.is_met() { "met" } else { "MISSED" };
        println!("| {} | {:.0} | {:.0} | {measured} | {goal} | {verdict} |", self.what, self.cost, self.base);
    }
}

fn report() -> ExitCode {
    let instructions = count::instructions;
    let allocations = |name| count::allocations(work::named(name));
    let lines = [
        Line {
            what: "check and typed parse: instructions, to the typed parse",
            cost: instructions("check and parse"),
            base: instructions("parse"),
            goal: Goal::Times(2.2),
        },
        Line {
            what: "check and typed parse: allocations, to the typed parse",
            cost: allocations("check and parse"),
            base: allocations("parse"),
            goal: Goal::More(1.0),
        },
    ];
    println!("| what | cost | base | measured | goal | |");
    println!("|---|---|---|---|---|---|");
    lines.iter().for_each(Line::print);
    exit(lines.iter().all(Line::is_met))
}
