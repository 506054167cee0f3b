//! Clips outlines to the frame of a drawing.

/// Distance beyond the frame at which outlines are clipped, in units, so that the line along the cut is not visible.
/// Chosen, not measured.
const BEYOND: i32 = 40;

/// A position on a drawing, in whole units.
pub(super) type Dot = (i32, i32);

/// One edge of the frame.
#[derive(Clone, Copy)]
struct Edge {
    /// Whether the edge is vertical.
    vertical: bool,
    /// Coordinate of the edge, in units.
    at: i32,
    /// Whether the side with larger coordinates is kept.
    keeps_larger: bool,
}

impl Edge {
    fn keeps(self, dot: Dot) -> bool {
        let along = if self.vertical { dot.0 } else { dot.1 };
        if self.keeps_larger { along >= self.at } else { along <= self.at }
    }

    /// Returns the intersection of a line between two dots with the edge.
    fn meets(self, a: Dot, b: Dot) -> Dot {
        let between = |from: i32, to: i32, start: i32, end: i32| {
            let part = f64::from(self.at - from) / f64::from(to - from);
            (f64::from(start) + f64::from(end - start) * part).round() as i32
        };
        if self.vertical {
            (self.at, between(a.0, b.0, a.1, b.1))
        } else {
            (between(a.1, b.1, a.0, b.0), self.at)
        }
    }
}

/// Returns the part of a ring within the frame (Sutherland-Hodgman algorithm). The first dot is not repeated at the
/// end.
pub(super) fn clipped(ring: Vec<Dot>, width: i32, height: i32) -> Vec<Dot> {
    let inside = |dot: &Dot| {
        (-BEYOND..=width + BEYOND).contains(&dot.0) && (-BEYOND..=height + BEYOND).contains(&dot.1)
    };
    if ring.iter().all(inside) {
        return ring;
    }
    let edges = [
        Edge { vertical: true, at: -BEYOND, keeps_larger: true },
        Edge { vertical: true, at: width + BEYOND, keeps_larger: false },
        Edge { vertical: false, at: -BEYOND, keeps_larger: true },
        Edge { vertical: false, at: height + BEYOND, keeps_larger: false },
    ];
    edges.into_iter().fold(ring, clipped_at)
}

fn clipped_at(ring: Vec<Dot>, edge: Edge) -> Vec<Dot> {
    let mut kept = Vec::with_capacity(ring.len());
    let Some(mut before) = ring.last().copied() else { return kept };
    for dot in ring {
        if edge.keeps(dot) != edge.keeps(before) {
            kept.push(edge.meets(before, dot));
        }
        if edge.keeps(dot) {
            kept.push(dot);
        }
        before = dot;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_cut_at_the_frame() {
        let large = vec![(-500, -500), (900, -500), (900, 900), (-500, 900)];
        let mut cut = clipped(large, 100, 60);
        cut.sort_unstable();
        assert_eq!(cut, [(-40, -40), (-40, 100), (140, -40), (140, 100)]);
        let small = vec![(1, 1), (9, 1), (9, 9)];
        assert_eq!(clipped(small.clone(), 100, 60), small);
        assert_eq!(clipped(vec![(300, 300), (310, 300), (310, 310)], 100, 60), []);
    }

    #[test]
    fn a_line_is_cut_where_it_meets_the_edge() {
        let cut = clipped(vec![(0, 0), (180, 0), (180, 40)], 100, 60);
        assert!(cut.contains(&(140, 0)) && cut.iter().all(|dot| dot.0 <= 140), "{cut:?}");
    }
}
