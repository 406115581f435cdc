use proptest::prelude::*;

use super::*;

fn clean<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let (mut cleaner, mut text) = (Cleaner::default(), String::new());
    parts.into_iter().for_each(|part| cleaner.push(part, |piece| text.push_str(piece)));
    cleaner.finish(|piece| text.push_str(piece));
    text
}

/// What comes of `bytes`, whole and byte by byte.
fn cleaned(bytes: &[u8]) -> String {
    let whole = clean([bytes]);
    assert_eq!(whole, clean(bytes.chunks(1)));
    whole
}

/// Parts that stand for the ways of terminals.
fn output() -> impl Strategy<Value = Vec<u8>> {
    const PARTS: &[&[u8]] = &[
        b"a",
        b"bc d",
        b"\n",
        b"\r",
        b"\r\n",
        b"\t",
        b"\x08",
        b"\0",
        b"\x07",
        b"\x7f",
        b"\x1b",
        b"\x1b[",
        b"\x1b[1;3",
        b"\x1b[2K",
        b"\x1b[1G",
        b"\x1b[K",
        b"\x1b[0m",
        b"\x1b]0;t",
        b"\x1b\\",
        b"\x1bP",
        b"\x1b_",
        b"\x1b(B",
        b"\x18",
        b"\xe2\x82\xac",
        b"\xe2\x82",
        b"\xac",
        b"\xff",
        b"\xc2\x9b",
        b"\xc2",
        b"\x9c",
        b"m",
        b"7",
    ];
    prop::collection::vec(prop::sample::select(PARTS), 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn it_does_not_matter_in_which_pieces_output_comes(bytes in output(), size in 1..20_usize) {
        let whole = clean([&bytes[..]]);
        prop_assert_eq!(&whole, &clean(bytes.chunks(size)));
        prop_assert!(whole.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
    }
}

#[test]
fn escape_sequences_are_removed() {
    assert_eq!(
        cleaned(b"\x1b[1;31mred\x1b[0m \x1b]0;title\x07and \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n"),
        "red and link\n"
    );
    assert_eq!(cleaned(b"\x1b(B\x1b[?25l\x1bPqdata\x1b\\x\xc2\x9b1mB"), "x1mB");
}

#[test]
fn control_characters_are_removed_but_tabs_and_lines() {
    assert_eq!(cleaned(b"a\tb\x00\x07\x7f\nc\x0cd\x0be"), "a\tb\nc\nd\ne");
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(cleaned(b"a\xff\xfeb \xe2\x82\xac"), "a\u{fffd}\u{fffd}b €");
}

#[test]
fn a_line_written_anew_is_kept_as_it_was_last() {
    assert_eq!(cleaned(b" 10%\r 50%\r100%\r\ndone\r\n"), "100%\ndone\n");
    assert_eq!(cleaned(b"50 of 100\x1b[2K\x1b[1Gdone\n"), "done\n");
    assert_eq!(cleaned(b"working\r\x1b[K\rdone"), "done");
    assert_eq!(cleaned(b"kept\r"), "kept");
}

#[test]
fn characters_taken_back_are_left_out() {
    assert_eq!(cleaned(b"b\x08bo\x08ol\x08ld"), "bold");
}

#[test]
fn a_sequence_without_end_swallows_one_line_at_most() {
    assert_eq!(cleaned(b"a\x1b]0;never ends\nb\n"), "a\nb\n");
    let mut cleaner = Cleaner::default();
    let mut given = 0;
    cleaner.push(b"\x1b]0;", |text| given += text.len());
    cleaner.push(&[b'x'; 200_000], |text| given += text.len());
    cleaner.finish(|text| given += text.len());
    assert!(given > 190_000, "{given}");
}

#[test]
fn a_line_without_end_takes_no_more_memory_than_its_bound() {
    let mut cleaner = Cleaner::default();
    let mut given = 0;
    for _ in 0..100 {
        cleaner.push(&[b'x'; 10_000], |text| given += text.len());
        assert!(cleaner.screen.line.capacity() <= 4 * MAX_LINE);
    }
    assert!(given > 900_000);
}
