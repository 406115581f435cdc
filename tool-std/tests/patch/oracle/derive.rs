//! From a unified diff to an envelope: hunks get as much context as they need to stand at one place, and noise on it.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::generate::Random;

/// A hunk of a unified diff.
pub(crate) struct DiffHunk {
    /// The first line of the old text, from 0.
    at: usize,
    lines: Vec<(char, String)>,
    /// The ending of each of these lines.
    endings: Vec<&'static str>,
}

/// What is put on the lines that have to be found.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Noise {
    None,
    Random,
}

/// The hunks of each file of a diff, by the file's name.
pub(crate) fn files(diff: &[u8]) -> HashMap<String, Vec<DiffHunk>> {
    let diff = std::str::from_utf8(diff).unwrap();
    let mut files: HashMap<String, Vec<DiffHunk>> = HashMap::new();
    let mut file = String::new();
    let mut left = (0, 0);
    for line in diff.split('\n') {
        if left == (0, 0) {
            if let Some(header) = line.strip_prefix("diff --git ") {
                file = header.rsplit('/').next().unwrap().to_owned();
            } else if let Some(header) = line.strip_prefix("@@ -") {
                let (old, new) = header.split_once(" @@").unwrap().0.split_once(" +").unwrap();
                let ((start, old), (_, new)) = (range(old), range(new));
                // A range of no lines names the line before it.
                let at = if old == 0 { start } else { start - 1 };
                files.entry(file.clone()).or_default().push(DiffHunk {
                    at,
                    lines: Vec::new(),
                    endings: Vec::new(),
                });
                left = (old, new);
            }
        } else if !line.starts_with('\\') {
            let mark = line.chars().next().unwrap_or(' ');
            left.0 -= usize::from(mark != '+');
            left.1 -= usize::from(mark != '-');
            let content = line.get(1..).unwrap_or_default();
            let content = content.strip_suffix('\r').unwrap_or(content);
            // The byte order mark stands before the first line, as the tool sees it.
            let content = content.strip_prefix('\u{feff}').unwrap_or(content).to_owned();
            let hunk = files.get_mut(&file).unwrap().last_mut().unwrap();
            hunk.endings.push(if line.ends_with('\r') { "\r\n" } else { "\n" });
            hunk.lines.push((mark, content));
        }
    }
    files
}

/// Whether each added line ends as the line of the old text above it does, or below it at the top,
/// or in a newline where there is no other line. That is all that an
/// envelope can say; git sees more in the ending of a line.
pub(crate) fn endings_follow(old: &str, hunks: &[DiffHunk]) -> bool {
    let endings: Vec<&str> = old
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .map(|line| if line.ends_with("\r\n") { "\r\n" } else { "\n" })
        .collect();
    hunks.iter().all(|hunk| {
        let mut at = hunk.at;
        hunk.lines.iter().zip(&hunk.endings).all(|((mark, _), ending)| {
            if *mark != '+' {
                at += 1;
                return true;
            }
            let above = if at == 0 { endings.first() } else { endings.get(at - 1).or(endings.last()) };
            above.unwrap_or(&"\n") == ending
        })
    })
}

fn range(text: &str) -> (usize, usize) {
    match text.split_once(',') {
        Some((start, count)) => (start.parse().unwrap(), count.parse().unwrap()),
        None => (text.parse().unwrap(), 1),
    }
}

/// The patch of one file.
pub(crate) fn envelope(
    path: &str,
    old: &str,
    hunks: &[DiffHunk],
    noise: Noise,
    random: &mut Random,
) -> String {
    let old = old.strip_prefix('\u{feff}').unwrap_or(old);
    let old: Vec<&str> = old.split_inclusive('\n').map(|line| line.trim_end_matches(['\r', '\n'])).collect();
    let mut patch = format!("*** Begin Patch\n*** Update File: {path}\n");
    for hunk in widened(hunks, &old) {
        let noisy = noise == Noise::Random && random.once_in(2);
        let lines = if noisy { with_noise(&hunk, random) } else { hunk.lines.clone() };
        patch.push_str("@@\n");
        for (mark, line) in lines {
            writeln!(patch, "{mark}{line}").unwrap();
        }
        let size = hunk.old().count();
        if hunk.at + size == old.len() && (size == 0 || random.once_in(2)) {
            patch.push_str("*** End of File\n");
        }
    }
    patch.push_str("*** End Patch\n");
    patch
}

impl DiffHunk {
    fn old(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|(mark, _)| *mark != '+').map(|(_, line)| line.as_str())
    }

    fn end(&self) -> usize {
        self.at + self.old().count()
    }
}

/// Lines as the loosest comparison has them.
fn loosely(line: &str) -> String {
    let plain: String = line
        .chars()
        .map(|c| match c {
            '\u{2018}' | '\u{2019}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            '\u{2013}' | '\u{2014}' => '-',
            c => c,
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Hunks with more context, until the lines of each stand in the old text once, also when they are compared loosely. Hunks
/// that meet become one.
fn widened(hunks: &[DiffHunk], old: &[&str]) -> Vec<DiffHunk> {
    let text: Vec<String> = old.iter().map(|line| loosely(line)).collect();
    let mut wide: Vec<DiffHunk> = Vec::new();
    for hunk in hunks {
        let mut hunk = DiffHunk { at: hunk.at, lines: hunk.lines.clone(), endings: Vec::new() };
        loop {
            if let Some(before) = wide.last()
                && before.end() >= hunk.at
            {
                hunk = joined(&wide.pop().unwrap(), &hunk, old);
                continue;
            }
            let pattern: Vec<String> = hunk.old().map(loosely).collect();
            let times =
                text.windows(pattern.len().max(1)).filter(|window| *window == pattern.as_slice()).count();
            let whole = hunk.at == 0 && hunk.end() == old.len();
            if whole || (times == 1 && !pattern.is_empty()) {
                break;
            }
            if hunk.end() < old.len() {
                hunk.lines.push((' ', old[hunk.end()].to_owned()));
            }
            if hunk.at > 0 {
                hunk.at -= 1;
                hunk.lines.insert(0, (' ', old[hunk.at].to_owned()));
            }
        }
        wide.push(hunk);
    }
    // The context that was added behind one may reach the next.
    let mut apart: Vec<DiffHunk> = Vec::new();
    for hunk in wide {
        match apart.pop() {
            Some(before) if before.end() >= hunk.at => apart.push(joined(&before, &hunk, old)),
            before => apart.extend(before.into_iter().chain([hunk])),
        }
    }
    apart
}

/// Two hunks as one. The context that they share is taken from the second.
fn joined(first: &DiffHunk, second: &DiffHunk, old: &[&str]) -> DiffHunk {
    let mut lines = first.lines.clone();
    let mut end = first.end();
    while end > second.at && lines.last().is_some_and(|(mark, _)| *mark == ' ') {
        lines.pop();
        end -= 1;
    }
    let mut rest = second.lines.clone();
    let mut start = second.at;
    while start < end {
        assert_eq!(rest.remove(0).0, ' ');
        start += 1;
    }
    lines.extend((end..start).map(|at| (' ', old[at].to_owned())));
    lines.extend(rest);
    DiffHunk { at: first.at, lines, endings: Vec::new() }
}

/// Other blanks, quotes and dashes on the lines that have to be found. The loosest comparison sees none of it.
fn with_noise(hunk: &DiffHunk, random: &mut Random) -> Vec<(char, String)> {
    let kind = random.number(0..4);
    let lines = hunk.lines.iter().map(|(mark, line)| {
        if *mark == '+' || line.trim().is_empty() {
            return (*mark, line.clone());
        }
        let line = match kind {
            0 => format!("{line} \t"),
            1 => format!("  {}", line.trim_start()),
            2 => line.replace(' ', "  "),
            _ => line.replace('\'', "\u{2019}").replace('"', "\u{201d}").replace('-', "\u{2013}"),
        };
        (*mark, line)
    });
    lines.collect()
}
