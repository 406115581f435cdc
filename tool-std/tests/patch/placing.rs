//! Where hunks belong: the ladder, anchors, order, the end of the file, and what is said when there is no one place.

use crate::folder::{Folder, update};

/// What a hunk makes of a file, and what the model reads.
async fn placed(file: &str, hunks: &str) -> (String, String) {
    let folder = Folder::with(&[("f", file)]);
    let text = folder.applied(&update("f", hunks)).await;
    (folder.read("f"), text)
}

async fn result(file: &str, hunks: &str) -> String {
    placed(file, hunks).await.0
}

async fn refusal(file: &str, hunks: &str) -> String {
    Folder::with(&[("f", file)]).refused(&update("f", hunks)).await
}

#[tokio::test]
async fn exact_lines_come_before_looser_ones() {
    assert_eq!(result("  a\na\n a\n", "@@\n-a\n+b\n").await, "  a\nb\n a\n");
    assert_eq!(result("a \n  a\n", "@@\n-a\n+b\n").await, "b\n  a\n");
}

#[tokio::test]
async fn each_rung_of_the_ladder_forgives_one_thing_more() {
    for (file, what) in [
        ("a  b = 'x' - y\t \n", "blanks at the ends of lines"),
        ("\ta  b = 'x' - y\n", "indentation"),
        ("a b\t=  'x' - y\n", "blanks within lines"),
        ("a b = \u{2018}x\u{2019}\u{a0}\u{2013} y\n", "typographic characters"),
    ] {
        let file = format!("top\n{file}bottom\n");
        let (result, text) = placed(&file, "@@\n top\n-a  b = 'x' - y\n+new\n").await;
        assert_eq!(result, "top\nnew\nbottom\n");
        assert_eq!(text, format!("M f (+1 -1; 1 hunk fits but for {what})"));
    }
}

#[tokio::test]
async fn context_that_fits_loosely_keeps_the_bytes_of_the_file() {
    assert_eq!(
        result("top \n\tmid\u{2014}dle\nend\n", "@@\n top\n mid-dle\n-end\n+END\n").await,
        "top \n\tmid\u{2014}dle\nEND\n"
    );
}

#[tokio::test]
async fn a_hunk_that_fits_twice_is_refused_with_all_its_lines() {
    let text = refusal("x\na\nx\nb\nx\n", "@@\n-x\n+y\n").await;
    assert!(text.contains("the hunk of `f` fits at lines 1, 3 and 5"), "{text}");
    assert!(text.contains("or an anchor"), "{text}");
    let text = refusal(&"x\n".repeat(20), "@@\n-x\n+y\n").await;
    assert!(text.contains("fits at lines 1, 2, 3, 4, 5, 6, 7, 8 and more"), "{text}");
}

#[tokio::test]
async fn a_loose_fit_has_to_be_the_only_one_too() {
    let text = refusal("x  y\n-\nx   y\n", "@@\n-x y\n+z\n").await;
    assert!(text.contains("fits at lines 1 and 3"), "{text}");
}

#[tokio::test]
async fn more_context_makes_a_place_the_only_one() {
    assert_eq!(result("x\na\nx\nb\nx\n", "@@\n a\n-x\n+y\n").await, "x\na\ny\nb\nx\n");
}

#[tokio::test]
async fn an_anchor_chooses_the_first_place_below_it() {
    let file = "def a():\n  x\n  x\ndef b():\n  x\n  x\n";
    assert_eq!(result(file, "@@ def b():\n-  x\n+  y\n").await, "def a():\n  x\n  x\ndef b():\n  y\n  x\n");
}

#[tokio::test]
async fn an_anchor_is_compared_like_other_lines() {
    let file = "class A:\n    def  run(self):\n        x\n\n    def stop(self):\n        x\n";
    assert_eq!(
        result(file, "@@ def run(self):\n-        x\n+        y\n").await,
        "class A:\n    def  run(self):\n        y\n\n    def stop(self):\n        x\n"
    );
}

#[tokio::test]
async fn several_anchors_lead_from_the_outer_to_the_inner_one() {
    let file = "class A:\n def run():\n  x\nclass B:\n def stop():\n  x\n def run():\n  x\n";
    let expected = "class A:\n def run():\n  x\nclass B:\n def stop():\n  x\n def run():\n  y\n";
    assert_eq!(result(file, "@@ class B:\n@@  def run():\n-  x\n+  y\n").await, expected);
    assert_eq!(result(file, "@@ class B:\n@@ def run():\n@@\n-  x\n+  y\n").await, expected);
}

#[tokio::test]
async fn an_anchor_that_stands_several_times_does_not_decide() {
    let file = "class A:\n def run():\n  x\nclass B:\n def run():\n  x\n";
    let text = refusal(file, "@@ def run():\n-  x\n+  y\n").await;
    assert!(text.contains("fits at lines 3 and 6"), "{text}");
    // Unless all its lines lead to one place.
    assert_eq!(result("f()\nf()\nx\n", "@@ f()\n-x\n+y\n").await, "f()\nf()\ny\n");
}

#[tokio::test]
async fn hunks_may_share_an_anchor_and_it_may_be_their_first_line() {
    assert_eq!(
        result("def f():\n a\n b\n c\n", "@@ def f():\n-a\n+A\n@@ def f():\n- c\n+ C\n").await,
        "def f():\nA\n b\n C\n"
    );
    assert_eq!(result("def f():\n a\n", "@@ def f():\n def f():\n- a\n+ A\n").await, "def f():\n A\n");
}

#[tokio::test]
async fn the_order_of_hunks_decides_if_it_leaves_one_place() {
    // Two equal hunks and two places.
    assert_eq!(result("x\nm\nx\n", "@@\n-x\n+1\n@@\n-x\n+2\n").await, "1\nm\n2\n");
    // Before the only place of the next one, and behind that of the one before.
    assert_eq!(result("x\nm\nx\n", "@@\n-x\n+1\n@@\n-m\n+2\n").await, "1\n2\nx\n");
    assert_eq!(result("x\nm\nx\n", "@@\n-m\n+1\n@@\n-x\n+2\n").await, "x\n1\n2\n");
    // Two equal hunks and three places.
    let text = refusal("x\nx\nx\n", "@@\n-x\n+1\n@@\n-x\n+2\n").await;
    assert!(
        text.contains("hunk 1 of `f` fits at lines 1 and 2")
            && text.contains("hunk 2 of `f` fits at lines 2 and 3"),
        "{text}"
    );
}

#[tokio::test]
async fn hunks_out_of_order_are_refused_and_not_placed_loosely() {
    let text = refusal("a\nb\n a\n", "@@\n-b\n+B\n@@\n-a\n+A\n").await;
    assert!(text.contains("hunk 2 of `f` fits at line 1 only, and is looked for from line 3 on"), "{text}");
}

#[tokio::test]
async fn neighbouring_hunks_may_share_context() {
    assert_eq!(
        result("a\nb\nc\nd\ne\n", "@@\n a\n-b\n+B\n c\n@@\n c\n-d\n+D\n e\n").await,
        "a\nB\nc\nD\ne\n"
    );
}

#[tokio::test]
async fn the_end_of_the_file_is_the_last_place_only() {
    assert_eq!(result("x\na\nx\n", "@@\n-x\n+y\n*** End of File\n").await, "x\na\ny\n");
    let text = refusal("x\na\nb\n", "@@\n-x\n+y\n*** End of File\n").await;
    assert!(text.contains("shall end where the file ends, and its lines are at line 1 of 3"), "{text}");
}

#[tokio::test]
async fn lines_that_are_only_added_need_a_place() {
    assert_eq!(result("a\nb\n", "@@ a\n+x\n+y\n").await, "a\nx\ny\nb\n");
    assert_eq!(result("a\nb\n", "@@\n+x\n*** End of File\n").await, "a\nb\nx\n");
    assert_eq!(result("", "@@\n+x\n").await, "x\n");
    let text = refusal("a\nb\n", "@@\n+x\n").await;
    assert!(text.contains("only adds lines and does not say where"), "{text}");
    let text = refusal("a\nb\na\n", "@@ a\n+x\n").await;
    assert!(text.contains("has an anchor that is at lines 1 and 3"), "{text}");
}

#[tokio::test]
async fn a_hunk_that_does_not_fit_is_shown_the_nearest_place() {
    let file = "fn main() {\n    let total = add(1, 2);\n    print(total);\n}\n";
    let text = refusal(
        file,
        "@@\n fn main() {\n-    let total = add(1, 3);\n+    let total = 4;\n     print(total);\n",
    )
    .await;
    assert!(
        text.contains(
            "; at line 1, where it fits best, line 2 is `    let total = add(1, 2);` where the hunk has \
             `    let total = add(1, 3);`"
        ),
        "{text}"
    );
    let text = refusal(file, "@@\n-    let totals = add(1, 2)\n+x\n").await;
    assert!(text.contains("line 2, `    let total = add(1, 2);`"), "{text}");
    let text = refusal(file, "@@\n     print(total);\n }\n-// more\n").await;
    assert!(
        text.contains("; at line 3, where it fits best, the file ends where the hunk has `// more`"),
        "{text}"
    );
    let text = refusal(file, "@@ fn man() {\n-}\n+]\n").await;
    assert!(text.contains("has the anchor `fn man() {`, which is no line of the file (most like `fn man() {`: line 1, `fn main() {`)"), "{text}");
}
