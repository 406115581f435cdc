//! From text to a tree of bounded size and depth.

use std::time::{Duration, Instant};

use dom_query::{Document, NodeRef};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};

/// How deep elements may be nested. Browsers stop at 512; pages that people write stay below 100.
pub(super) const MAX_DEPTH: usize = 256;
/// The most nodes of a tree.
const MAX_NODES: usize = 150_000;
/// How long making the tree may take.
const MAX_TIME: Duration = Duration::from_secs(5);
/// How much is read between two looks at the tree, in bytes. Little, since a few bytes can make many nodes.
const PIECE: usize = 1024;
/// Up to here an article is looked for, which takes several walks: nodes, and bytes of text times the elements around them.
const SMALL_NODES: usize = 40_000;
const SMALL_WEIGHT: usize = 40_000_000;

/// The elements that Markdown writes anew around all that is in them, and how many of them may be around one another: each
/// makes the text longer, and is a walk of its own.
const MARKED: &[&str] = &[
    "a",
    "b",
    "blockquote",
    "code",
    "em",
    "i",
    "li",
    "ol",
    "pre",
    "strong",
    "table",
    "td",
    "th",
    "tr",
    "ul",
];
const MAX_MARKED: usize = 24;

/// A page as a tree.
pub(super) struct Parsed {
    pub(super) document: Document,
    /// Why the end of the page is not in it.
    pub(super) cut: Option<&'static str>,
    /// Whether walking it often is cheap.
    pub(super) is_small: bool,
}

/// Reads a page, as far as the limits allow.
pub(super) fn parse(html: &str) -> Parsed {
    let options = ParseOpts {
        // What stands in `noscript` is read: there are no scripts here.
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(Document::default(), options);
    let (started, mut cut, mut rest) = (Instant::now(), None, html);
    while !rest.is_empty() && cut.is_none() {
        let (piece, behind) = rest.split_at(end_of_piece(rest));
        parser.process(piece.into());
        rest = behind;
        let document = &parser.tokenizer.sink.sink;
        // One for each fault of the page, and nobody reads them.
        document.errors.borrow_mut().clear();
        cut = if document.tree.len() > MAX_NODES {
            Some("the page has very many elements; only those of its first part were read")
        } else if is_deep(document) {
            Some(TOO_DEEP)
        } else if started.elapsed() > MAX_TIME {
            Some("the page takes very long to read; only its first part was read")
        } else {
            None
        };
    }
    let document = parser.finish();
    let Shape { weight, pruned } = shape(&document);
    let is_small = document.tree.len() <= SMALL_NODES && weight <= SMALL_WEIGHT;
    Parsed { document, cut: cut.or(pruned.then_some(TOO_DEEP)), is_small }
}

fn end_of_piece(text: &str) -> usize {
    (PIECE..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

const TOO_DEEP: &str = "the page nests its elements too deep; what lies deepest or behind it was not read";

/// Whether the element that is being read lies too deep. It is the last child of a last child; where it is not, the time
/// limit holds, and [`shape`] looks at all.
fn is_deep(document: &Document) -> bool {
    let mut at = document.tree.root().last_child();
    for _ in 0..MAX_DEPTH {
        match at {
            Some(node) => at = node.last_child(),
            None => return false,
        }
    }
    at.is_some()
}

struct Shape {
    /// The bytes of all texts, each counted once for every element around it.
    weight: usize,
    /// Whether something lay too deep and was taken away.
    pruned: bool,
}

/// Takes away what lies too deep, and makes plain what is marked up in too many ways at once. Each node is visited once,
/// without recursion.
fn shape(document: &Document) -> Shape {
    let mut shape = Shape { weight: 0, pruned: false };
    // For each element around the node, whether it is marked up.
    let mut around: Vec<bool> = Vec::new();
    let mut marked = 0;
    let mut next = document.tree.root().first_child();
    while let Some(node) = next {
        if node.is_text() {
            shape.weight = shape.weight.saturating_add(node.text().len().saturating_mul(around.len() + 1));
        }
        let is_marked = node.node_name().is_some_and(|name| MARKED.contains(&&*name));
        if is_marked && marked >= MAX_MARKED {
            node.rename("div");
        }
        let inner = node.first_child();
        if inner.is_some() && around.len() >= MAX_DEPTH {
            node.remove_children();
            shape.pruned = true;
        } else if inner.is_some() {
            next = inner;
            around.push(is_marked);
            marked += usize::from(is_marked);
            continue;
        }
        next = behind(node, &mut around, &mut marked);
    }
    shape
}

/// The next node in the order of the page that is not inside of `node`.
fn behind<'a>(node: NodeRef<'a>, around: &mut Vec<bool>, marked: &mut usize) -> Option<NodeRef<'a>> {
    let mut at = node;
    loop {
        if let Some(next) = at.next_sibling() {
            return Some(next);
        }
        at = at.parent()?;
        *marked -= usize::from(around.pop()?);
    }
}
