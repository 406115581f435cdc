//! How much of each page is shown.

use std::ops::Range;

/// The share of a cut page that its beginning gets, in percent; its end gets the rest.
const HEAD: usize = 70;

/// Splits `budget` over pages of these sizes: small ones are shown whole, and what they leave goes to the large ones.
pub(super) fn split(sizes: &[usize], budget: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&page| sizes.get(page));
    let mut shares = vec![0; sizes.len()];
    let (mut rest, mut left) = (budget, sizes.len());
    for page in order {
        let (Some(&size), Some(share)) = (sizes.get(page), shares.get_mut(page)) else { continue };
        *share = size.min(rest / left.max(1));
        rest -= *share;
        left -= 1;
    }
    shares
}

/// What of a text of `size` characters is left out so that about `room` of them are shown, in bytes. The cuts are at line
/// breaks where there is one in the outer half of what would be shown.
pub(super) fn cut(text: &str, room: usize) -> Range<usize> {
    let size = text.chars().count();
    let head = room * HEAD / 100;
    let tail = room - head;
    let at = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let (head_end, tail_start) = (at(head), at(size.saturating_sub(tail)));
    let (half_of_head, half_of_tail) = (at(head / 2), at(size.saturating_sub(tail / 2)));
    let before = text.get(half_of_head..head_end).and_then(|outer| outer.rfind('\n'));
    let behind = match text.get(..tail_start) {
        Some(left_out) if left_out.ends_with('\n') => None,
        _ => text.get(tail_start..half_of_tail).and_then(|outer| outer.find('\n')),
    };
    let from = before.map_or(head_end, |found| half_of_head + found + 1);
    let to = behind.map_or(tail_start, |found| tail_start + found + 1);
    from..to.max(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pages_are_whole_and_large_ones_share_the_rest() {
        for (sizes, budget, expected) in [
            (&[10, 10][..], 100, &[10, 10][..]),
            (&[100, 10], 60, &[50, 10]),
            (&[10, 100, 100], 110, &[10, 50, 50]),
            (&[1000], 100, &[100]),
            (&[0, 5], 3, &[0, 3]),
            (&[30, 20, 10], 30, &[10, 10, 10]),
            (&[], 10, &[]),
        ] {
            assert_eq!(split(sizes, budget), expected, "{sizes:?}");
        }
    }

    #[test]
    fn a_cut_is_at_line_breaks_in_the_outer_halves() {
        let text: String = (10..100).map(|line| format!("{line} sechs\n")).collect();
        let left_out = cut(&text, 100);
        assert!(text[..left_out.start].ends_with('\n') && text[left_out.end - 1..].starts_with('\n'));
        let shown = text.chars().count() - text[left_out.clone()].chars().count();
        assert!((70..=100).contains(&shown), "{shown}");
        assert!(left_out.start > 35 && left_out.start <= 70, "{left_out:?}");
    }

    #[test]
    fn a_line_without_an_end_is_cut_between_characters() {
        let text = "ä".repeat(1_000);
        let left_out = cut(&text, 100);
        assert_eq!((left_out.start, left_out.end), (140, 1_940));
        let early = format!("a\n{}\nb", "ä".repeat(1_000));
        let left_out = cut(&early, 100);
        assert_eq!(early[..left_out.start].chars().count(), 70);
        assert_eq!(early[left_out.end..].chars().count(), 30);
    }
}
