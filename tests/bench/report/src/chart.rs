//! The chart: one bar for each case of calls and definitions, times the floor, on a logarithmic scale.

use std::fmt::Write;

use bench_common::Form;

use crate::results::{Case, Results};

const WIDTH: f64 = 860.0;
const NAMES: f64 = 400.0;
const ROW: f64 = 20.0;
const TOP: f64 = 34.0;

pub(crate) fn chart(results: &Results) -> String {
    let panels = [
        ("One call by name, times a typed parse and the function called", 'b'),
        ("Definitions of 32 tools as text, times a copy of the text", 'a'),
    ];
    let mut body = String::new();
    let mut height = 0.0;
    for (title, row) in panels {
        let mut cases: Vec<&Case> = results.row(row).filter(|case| !case.what.starts_with("floor")).collect();
        cases.sort_by(|one, other| one.ratio.total_cmp(&other.ratio));
        height = panel(&mut body, title, &cases, height);
    }
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
{body}</svg>
"#
    )
}

/// Draws one panel from `top` on; gives where it ends.
fn panel(body: &mut String, title: &str, cases: &[&Case], top: f64) -> f64 {
    let _ = writeln!(body, r#"<text x="10" y="{:.0}" font-weight="bold">{title}</text>"#, top + 22.0);
    let most = cases.iter().map(|case| case.ratio).fold(10.0, f64::max).log10();
    let length = |ratio: f64| (ratio.max(1.0).log10() / most * (WIDTH - NAMES - 70.0)).max(2.0);
    let mut y = top + TOP;
    for case in cases {
        let form = match case.form {
            Form::Documented => ", documented",
            Form::Best => ", best",
            Form::Only => "",
        };
        let name = escaped(&format!("{}: {}{form}", case.peer, case.what));
        let colour = if case.peer == "ours" { "#1a7f37" } else { "#8c959f" };
        let bar = length(case.ratio);
        let _ = writeln!(
            body,
            r#"<text x="{:.0}" y="{:.0}" text-anchor="end">{name}</text><rect x="{NAMES}" y="{:.0}" width="{bar:.0}" height="14" fill="{colour}"/><text x="{:.0}" y="{:.0}">{:.1}</text>"#,
            NAMES - 8.0,
            y + 12.0,
            y + 1.0,
            NAMES + bar + 6.0,
            y + 12.0,
            case.ratio
        );
        y += ROW;
    }
    y + 10.0
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
