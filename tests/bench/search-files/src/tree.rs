//! A tree like that of a large project, the same each time.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const NAMES: &[&str] =
    &["user", "order", "controller", "service", "index", "model", "view", "report", "parser", "cache"];
const ENDS: &[&str] = &["rs", "rs", "ts", "tsx", "md", "json", "py", "txt"];
const WORDS: &[&str] = &[
    "let", "value", "return", "self", "result", "for", "in", "items", "if", "else", "match", "Some", "None",
    "while", "handle", "request", "response", "config", "update", "Return",
];

/// Makes `files` files that are to be found, and some that are not: ignored, hidden, binary. Gives the bytes of all.
pub(crate) fn make(folder: &Path, files: usize) -> usize {
    let mut numbers = Numbers(1);
    let mut bytes = 0;
    let mut write = |path: &str, content: &[u8]| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
        bytes += content.len();
    };
    write(".gitignore", b"/build\n*.log\nnode_modules/\n!keep.log\n");
    for file in 0..files {
        let (top, middle, low) = (file % 20, file / 20 % 25, file / 500 % 10);
        let (first, second, end) = (numbers.one_of(NAMES), numbers.one_of(NAMES), numbers.one_of(ENDS));
        let path = format!("d{top:02}/{first}s{middle}/part{low}/{first}_{second}_{file}.{end}");
        write(&path, text(&mut numbers).as_bytes());
        if file % 20 == 0 {
            write(&format!("build/{file}.o"), b"\x7fELF\0\0return");
            write(&format!("d{top:02}/node_modules/m{file}/index.js"), b"return quicksilver");
            write(&format!("d{top:02}/.hidden/{file}.rs"), b"return quicksilver");
            write(&format!("d{top:02}/{file}.log"), b"return quicksilver");
        }
        if file % 500 == 0 {
            write(&format!("d{top:02}/.gitignore"), b"*.tmp\n/generated\n");
        }
    }
    bytes
}

fn text(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    for line in 0..5 + numbers.below(90) {
        match numbers.below(400) {
            0 => _ = writeln!(text, "fn {}_index({}) {{", numbers.one_of(NAMES), numbers.one_of(NAMES)),
            1 if numbers.below(40) == 0 => text.push_str("    // here is quicksilver\n"),
            2 => _ = writeln!(text, "    const LIMIT: usize = {};", numbers.below(1_000_000)),
            _ => {
                text.push_str("    ");
                for _ in 0..3 + line % 7 {
                    text.push_str(numbers.one_of(WORDS));
                    text.push(' ');
                }
                text.push('\n');
            }
        }
    }
    text
}
