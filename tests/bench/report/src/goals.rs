//! What was aimed at, and whether it was reached.

use bench_common::{PARALLEL, TOOLS, median};

use crate::page::time;
use crate::results::{Case, Results};

pub(crate) struct Goal {
    pub(crate) row: char,
    pub(crate) what: &'static str,
    pub(crate) measured: String,
    pub(crate) met: bool,
}

/// All goals for which there are figures.
pub(crate) fn all(results: &Results) -> Vec<Goal> {
    let parts = [definitions, calls, parallel, growth, malformed, turns, builds];
    parts.iter().flat_map(|part| part(results)).collect()
}

fn goal(row: char, what: &'static str, measured: String, met: bool) -> Goal {
    Goal { row, what, measured, met }
}

fn definitions(results: &Results) -> Vec<Goal> {
    let mut goals = Vec::new();
    if let Some(kept) = results.ours('a', "kept set, encode_tools") {
        let measured = format!("{:.2} times, {}", kept.ratio, counted(kept));
        goals.push(goal(
            'a',
            "text of a built set: at most 1.2 times a copy of it",
            measured,
            kept.ratio <= 1.2,
        ));
    }
    if let Some(anew) = results.ours('a', "ToolSet::new, encode_tools") {
        let each = anew.time / TOOLS as f64;
        let what = "list, check and text from nothing: at most 100 ns a tool";
        goals.push(goal('a', what, format!("{each:.0} ns"), each <= 100.0));
    }
    goals
}

fn counted(case: &Case) -> String {
    case.instructions
        .map_or_else(String::new, |(work, floor)| format!("{:.2} times by instructions", work / floor))
}

fn calls(results: &Results) -> Vec<Goal> {
    let Some(call) = results.ours('b', "set.call") else { return Vec::new() };
    let by_count = call.instructions.map_or(f64::INFINITY, |(work, floor)| work / floor);
    let more = call.allocations - call.floor_allocations;
    let documented =
        |case: &&Case| case.peer != "ours" && case.peer != "bare" && case.form != bench_common::Form::Best;
    let fastest = results.row('b').filter(documented).min_by(|one, other| one.ratio.total_cmp(&other.ratio));
    let mut goals = vec![
        goal(
            'b',
            "a call: at most 2.2 times the floor, by instructions",
            format!("{by_count:.2} times"),
            by_count <= 2.2,
        ),
        goal('b', "the same by time", format!("{:.2} times", call.ratio), call.ratio <= 2.2),
        goal('b', "at most 4 allocations more", format!("{more:+.0}"), more <= 4.0),
    ];
    if let Some(peer) = fastest {
        let measured = format!("{:.2} times the floor; {} {:.2} times", call.ratio, peer.peer, peer.ratio);
        let what = "faster than every peer as documented, none of which enforces";
        goals.push(goal('b', what, measured, call.ratio < peer.ratio));
    }
    goals
}

fn parallel(results: &Results) -> Vec<Goal> {
    let Some(case) = results.ours('c', "dispatch") else { return Vec::new() };
    let above = case.above(PARALLEL);
    vec![
        goal(
            'c',
            "at most 1.1 times `join_all` by hand",
            format!("{:.3} times", case.ratio),
            case.ratio <= 1.1,
        ),
        goal('c', "at most 1 µs a call above it", format!("{above:.2} µs"), above <= 1.0),
    ]
}

/// Numbers of tools, and twice as many.
const DOUBLED: [(usize, usize); 3] = [(1_250, 2_500), (2_500, 5_000), (5_000, 10_000)];

fn growth(results: &Results) -> Vec<Goal> {
    let case = |count: usize, what: &str| results.ours('d', &format!("{count} tools: {what}"));
    let times = |what: &str, fewer, more| Some(case(more, what)?.time / case(fewer, what)?.time);
    let worst = |figures: &mut dyn Iterator<Item = f64>| figures.fold(f64::NAN, f64::max);
    let mut goals = Vec::new();
    let doubled = worst(&mut DOUBLED.iter().filter_map(|(fewer, more)| times("set and text", *fewer, *more)));
    if !doubled.is_nan() {
        let what = "twice the tools: at most 2.2 times the set and its text from nothing";
        goals.push(goal('d', what, format!("{doubled:.2} times at most"), doubled <= 2.2));
    }
    let again = worst(&mut DOUBLED.iter().filter_map(|(_, more)| Some(case(*more, "text again")?.ratio)));
    if !again.is_nan() {
        let what = "text of a built set, however large: at most 1.2 times a copy of it";
        goals.push(goal('d', what, format!("{again:.2} times at most"), again <= 1.2));
    }
    if let Some(change) = times("call", 1_000, 10_000) {
        let what = "ten times the tools change (b) by less than 10 %";
        goals.push(goal('d', what, format!("{:+.0} %", (change - 1.0) * 100.0), change < 1.1));
    }
    if let Some(verdict) = results.search.lines().find(|line| line.starts_with("queries over")) {
        let what = "a search among 5,000 deferred tools: under 200 µs";
        goals.push(goal('d', what, verdict.to_owned(), verdict.ends_with("none")));
    }
    goals
}

fn malformed(results: &Results) -> Vec<Goal> {
    let of = |peer: &str| -> Vec<&Case> { results.row('e').filter(|case| case.peer == peer).collect() };
    let right = |cases: &[&Case]| cases.iter().filter(|case| case.right == Some(true)).count();
    let middle = |cases: &[&Case]| median(cases.iter().map(|case| case.time));
    let ours = of("ours");
    let libraries: Vec<Vec<&Case>> =
        ["llm_json", "jsonrepair", "jsonrepair-rs"].iter().map(|peer| of(peer)).collect();
    if ours.is_empty() || libraries.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let fastest = libraries.iter().map(|cases| middle(cases)).fold(f64::INFINITY, f64::min);
    let most = libraries.iter().map(|cases| right(cases)).max().unwrap_or_default();
    vec![
        goal(
            'e',
            "the median text: faster than every repair library",
            format!("{}; the fastest of them {}", time(middle(&ours)), time(fastest)),
            middle(&ours) < fastest,
        ),
        goal(
            'e',
            "more texts right",
            format!("{} of {}; of them {most}", right(&ours), ours.len()),
            right(&ours) > most,
        ),
    ]
}

fn turns(results: &Results) -> Vec<Goal> {
    let allocations = |what: &str| results.ours('f', what).map(|case| case.allocations);
    let call = results.ours('b', "set.call").map(|case| case.allocations);
    let (Some(round), Some(call), Some(early), Some(late)) = (
        allocations("a round of 3 calls"),
        call,
        allocations("rounds 2 to 6"),
        allocations("rounds 16 to 20"),
    ) else {
        return Vec::new();
    };
    let more = round / 3.0 - call;
    vec![
        goal('f', "at most 3 allocations a call beyond those of (b)", format!("{more:.1}"), more <= 3.0),
        goal(
            'f',
            "none that grows with the history",
            format!("{early:.0} a round early, {late:.0} late"),
            late <= early,
        ),
    ]
}

fn builds(results: &Results) -> Vec<Goal> {
    let mut goals = Vec::new();
    // The numbers of the sentence about crates.
    let sentence = results.versions.lines().find(|line| line.contains("crates, itself included"));
    let words = sentence.into_iter().flat_map(|line| line.split([' ', '.']));
    let counts: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
    if let [default, validator] = counts[..] {
        goals.push(goal('g', "default features: at most 32 crates", default.to_string(), default <= 32));
        goals.push(goal('g', "with `validator`: at most 85 crates", validator.to_string(), validator <= 85));
    }
    let Some(ours) = results.build("ours") else { return goals };
    if let Some(other) = results.build("tools-rs") {
        let measured = format!("{:.1} s; {:.1} s", ours.clean, other.clean);
        goals.push(goal('g', "fewer CPU seconds than `tools-rs`", measured, ours.clean < other.clean));
    }
    if let Some(bare) = results.build("bare") {
        let (edit, size) = (ours.edit() / bare.edit(), ours.size() / bare.size());
        let what = "a tool on rebuild: at most 1.2 times the bare derives";
        goals.push(goal('g', what, format!("{edit:.2} times"), edit <= 1.2));
        let what = "a tool in release size: at most 1.2 times the bare derives";
        goals.push(goal('g', what, format!("{size:.2} times"), size <= 1.2));
    }
    goals
}
