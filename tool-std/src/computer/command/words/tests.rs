use super::*;

/// The simple commands of a line, and whether all of it was read.
fn read(line: &str) -> (Vec<String>, bool) {
    let line = CommandLine::read(line);
    (line.commands.iter().map(|words| words.join("|")).collect(), line.is_whole)
}

fn whole(line: &str) -> Vec<String> {
    let (commands, is_whole) = read(line);
    assert!(is_whole, "{line}");
    commands
}

#[test]
fn lines_are_split_where_the_shell_splits_them() {
    assert_eq!(whole("a b; c && d || e | f & g\nh"), ["a|b", "c", "d", "e", "f", "g", "h"]);
    assert_eq!(whole("a 'b; c' \"d && e\" f\\;g $'h\\';i' $(j; k) `l; m`"), ["a|b; c|d && e|f;g|$|$|`"]);
    assert_eq!(whole("(a; b) && { c; }"), ["a", "b", "c"]);
    assert_eq!(whole("a \\\n b # c; d\ne"), ["a|b", "e"]);
}

#[test]
fn assignments_and_redirections_are_no_words() {
    assert_eq!(whole("A=1 B='x y' C+=2 D[1]=3 E=(f g) a b=c"), ["a|b=c"]);
    assert_eq!(whole("a >b 2>c <d >>e 2>&1 &>f <<<g >|h <&- i"), ["a|i"]);
    assert_eq!(whole(">b a <(c; d) e"), ["a|e"]);
    assert_eq!(whole("'A'=1 b"), ["A=1|b"]);
}

#[test]
fn words_of_the_shell_are_no_commands() {
    assert_eq!(whole("if a; then b; elif c; then d; else e; fi"), ["a", "b", "c", "d", "e"]);
    assert_eq!(whole("for x in a b; do c; done; while d; do e; done"), ["c", "d", "e"]);
    assert_eq!(whole("for ((i = 0; i < n; i++)); do a; done; ((b = 1)); c"), ["a", "c"]);
    assert_eq!(whole("! time a; f() { b; }; f () (c)"), ["a", "b", "c"]);
    assert_eq!(whole("[[ a && b < c || ( d ) ]] && e"), ["[[", "e"]);
}

#[test]
fn documents_are_no_commands() {
    assert_eq!(whole("a <<X b\nc; d\nX\ne <<-'Y'\n\tf\n\tY\ng"), ["a|b", "e", "g"]);
}

#[test]
fn what_is_too_hard_ends_the_reading() {
    for (line, before) in [
        ("a; case x in b) c;; d) e;; esac", "a"),
        ("a 'b; c", "a"),
        ("a \"$(b", "a"),
        ("a !(b|c); d", "a|!"),
        ("a \"$(cat <<'X'\nb; c)\nX\n)\"; d", "a"),
        ("a <<X\nb", "a"),
        ("a ${b:-'}; c'}; d", "a"),
        ("a $(b # )\n); c", "a"),
        ("a $(case x in b) c;; esac); d", "a"),
        ("a b (c)", "a|b"),
    ] {
        let (commands, is_whole) = read(line);
        assert_eq!((commands, is_whole), (vec![before.to_owned()], false), "{line}");
    }
    let deep = format!("a {}", "$(".repeat(100_000));
    assert!(!read(&deep).1);
}
