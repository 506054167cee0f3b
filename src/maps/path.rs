//! Writes SVG path data in few characters.

use itoa::Buffer;

use super::clip::Dot;

/// Adds a closed ring as relative steps; its first dot is not repeated. Joins successive steps in one direction.
/// Omits the ring if fewer than three dots remain.
pub(super) fn push_ring(data: &mut String, ring: &[Dot]) {
    let dots = without_straight(ring);
    if dots.len() < 3 {
        return;
    }
    push_line(data, &dots);
    data.push('z');
}

/// Adds an open line as relative steps.
pub(super) fn push_line(data: &mut String, dots: &[Dot]) {
    let [first, rest @ ..] = dots else { return };
    data.push('M');
    push_number(data, first.0, false);
    data.push(' ');
    push_number(data, first.1, false);
    let mut before = *first;
    for (at, dot) in rest.iter().enumerate() {
        if at == 0 {
            data.push('l');
        }
        push_number(data, dot.0 - before.0, at > 0);
        push_number(data, dot.1 - before.1, true);
        before = *dot;
    }
}

/// Adds a number, after a space if `parted` is set. A minus sign needs no space.
fn push_number(data: &mut String, number: i32, parted: bool) {
    if parted && number >= 0 {
        data.push(' ');
    }
    data.push_str(Buffer::new().format(number));
}

/// Returns the ring without repeated dots, and without dots on a straight line between their neighbors.
fn without_straight(ring: &[Dot]) -> Vec<Dot> {
    let mut kept: Vec<Dot> = Vec::with_capacity(ring.len());
    for dot in ring {
        push_unless_straight(&mut kept, *dot);
    }
    // The ring is closed, so its last dots are neighbors of the first.
    while kept.len() > 2 && is_straight(kept[kept.len() - 2], kept[kept.len() - 1], kept[0]) {
        kept.pop();
    }
    kept
}

fn push_unless_straight(kept: &mut Vec<Dot>, dot: Dot) {
    while kept.len() > 1 && is_straight(kept[kept.len() - 2], kept[kept.len() - 1], dot) {
        kept.pop();
    }
    if kept.last() != Some(&dot) {
        kept.push(dot);
    }
}

/// Returns whether the middle dot lies on the straight line through the others, or equals one of them.
fn is_straight(a: Dot, b: Dot, c: Dot) -> bool {
    let wide = |one: i32, other: i32| i64::from(one) - i64::from(other);
    wide(b.0, a.0) * wide(c.1, a.1) == wide(c.0, a.0) * wide(b.1, a.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_written_in_steps() {
        for (ring, expected) in [
            (vec![(0, 0), (10, 0), (10, 5), (0, 5)], "M0 0l10 0 0 5-10 0z"),
            (vec![(0, 0), (5, 0), (10, 0), (10, 5), (10, 5), (0, 5)], "M0 0l10 0 0 5-10 0z"),
            (vec![(3, 0), (10, 0), (10, 5), (0, 5), (0, 0)], "M3 0l7 0 0 5-10 0 0-5z"),
            (vec![(0, 0), (10, 0), (20, 0)], ""),
            (vec![(7, 7)], ""),
            (vec![], ""),
        ] {
            let mut data = String::new();
            push_ring(&mut data, &ring);
            assert_eq!(data, expected, "{ring:?}");
        }
    }
}
