//! What was measured: one case each, over all rounds.

use std::path::Path;

use bench_common::{Form, Line, median};
use serde::Deserialize;

/// One case of one library: medians over the rounds.
pub(crate) struct Case {
    pub(crate) peer: String,
    pub(crate) row: char,
    pub(crate) form: Form,
    pub(crate) what: String,
    /// Nanoseconds.
    pub(crate) time: f64,
    pub(crate) floor: f64,
    /// Times the floor.
    pub(crate) ratio: f64,
    /// On a processor, the case and its floor; for what waits.
    pub(crate) processor: Option<(f64, f64)>,
    pub(crate) allocations: f64,
    pub(crate) floor_allocations: f64,
    pub(crate) right: Option<bool>,
    /// Of the case and of its floor.
    pub(crate) instructions: Option<(f64, f64)>,
}

/// What it takes to build the program of one library.
#[derive(Deserialize)]
pub(crate) struct Build {
    pub(crate) library: String,
    pub(crate) crates: u32,
    /// CPU seconds.
    pub(crate) clean: f64,
    pub(crate) edit_1: f64,
    pub(crate) edit_100: f64,
    /// Bytes.
    pub(crate) size_1: f64,
    pub(crate) size_100: f64,
}

impl Build {
    /// CPU milliseconds of one tool more, when the program is built again.
    pub(crate) fn edit(&self) -> f64 {
        (self.edit_100 - self.edit_1) / 99.0 * 1_000.0
    }

    /// Bytes of one tool more.
    pub(crate) fn size(&self) -> f64 {
        (self.size_100 - self.size_1) / 99.0
    }
}

pub(crate) struct Results {
    pub(crate) cases: Vec<Case>,
    pub(crate) builds: Vec<Build>,
    pub(crate) rounds: usize,
    /// The table of searches, as its bench prints it.
    pub(crate) search: String,
    pub(crate) versions: String,
    pub(crate) when: String,
}

impl Case {
    /// What one of many calls takes of the processor above the floor, in microseconds.
    pub(crate) fn above(&self, calls: usize) -> f64 {
        let (work, floor) = self.processor.unwrap_or((self.time, self.floor));
        (work - floor) / calls as f64 / 1e3
    }
}

impl Results {
    /// The cases of a row, in the order in which they were measured.
    pub(crate) fn row(&self, row: char) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(move |case| case.row == row)
    }

    /// The case of ours in a row whose description ends so.
    pub(crate) fn ours(&self, row: char, what: &str) -> Option<&Case> {
        self.row(row).find(|case| case.peer == "ours" && case.what.ends_with(what))
    }

    pub(crate) fn build(&self, library: &str) -> Option<&Build> {
        self.builds.iter().find(|build| build.library == library)
    }
}

pub(crate) fn read(folder: &Path) -> Results {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let times: Vec<Line> = lines(&text("times.jsonl"));
    let instructions: Vec<Line> = lines(&text("instructions.jsonl"));
    let is_same =
        |one: &Line, other: &Line| (one.row, &one.peer, &one.what) == (other.row, &other.peer, &other.what);
    let mut groups: Vec<Vec<&Line>> = Vec::new();
    for line in &times {
        match groups.iter_mut().find(|group| is_same(group[0], line)) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    let case = |group: &Vec<&Line>| {
        let middle = |part: fn(&Line) -> f64| median(group.iter().map(|line| part(line)));
        let first = group[0];
        Case {
            peer: first.peer.clone(),
            row: first.row,
            form: first.form,
            what: first.what.clone(),
            time: middle(|line| line.time),
            floor: middle(|line| line.floor),
            ratio: middle(|line| line.ratio),
            processor: first.processor.map(|_| {
                let processor = |line: &Line| line.processor.unwrap_or_default();
                let work = median(group.iter().map(|line| processor(line).0));
                (work, median(group.iter().map(|line| processor(line).1)))
            }),
            allocations: middle(|line| line.allocations),
            floor_allocations: middle(|line| line.floor_allocations),
            right: first.right,
            instructions: instructions
                .iter()
                .find(|line| is_same(line, first))
                .and_then(|line| line.instructions),
        }
    };
    Results {
        cases: groups.iter().map(case).collect(),
        rounds: groups.iter().map(Vec::len).max().unwrap_or_default(),
        builds: lines(&text("compile.jsonl")),
        search: text("search.md"),
        versions: text("versions.txt"),
        when: text("when.txt").trim().to_owned(),
    }
}

fn lines<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}
