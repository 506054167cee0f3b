//! Exact tests of one edge against a cell or a path.
//!
//! Coordinates are relative to the cell's south-west corner. The cell holds the integers 0 to size - 1, and its sides
//! lie at -1/2 and size - 1/2. Half-integers are doubled before use, so all tests are integer tests.

/// A vertex relative to a cell's south-west corner.
pub(super) type Vertex = (i32, i32);

/// Limit for the extent of an edge in steps (26.8 degrees). Every product in [`side`] then stays below 2^62, so the
/// result fits in an i64.
pub(super) const EXTENT_MAX: i64 = 1 << 28;

/// Twice the signed area of the triangle `a b p`; positive if `p` is left of `a -> b`.
#[inline(always)]
fn side(a: Vertex, b: Vertex, p: Vertex) -> i64 {
    let (ax, ay) = (i64::from(a.0), i64::from(a.1));
    (i64::from(b.0) - ax) * (i64::from(p.1) - ay) - (i64::from(b.1) - ay) * (i64::from(p.0) - ax)
}

/// Whether the corner (x - 1/2, y - 1/2) is above the edge from `west` to `east`. A corner exactly on the edge counts
/// as below the edge, as if all corners lay slightly further south.
#[inline(always)]
fn corner_above(west: Vertex, east: Vertex, x: i64, y: i64) -> bool {
    let (wx, wy) = (i64::from(west.0), i64::from(west.1));
    (i64::from(east.0) - wx) * (2 * (y - wy) - 1) > (i64::from(east.1) - wy) * (2 * (x - wx) - 1)
}

/// Whether the edge crosses the path to `p`. The path runs from the cell's corner up the west side to the height of
/// `p`, and then east. By the border rule, `p` counts as slightly further east and, by less, further north.
#[inline(always)]
pub(super) fn crosses_path(a: Vertex, b: Vertex, p: Vertex) -> bool {
    let level = (a.1 <= p.1) != (b.1 <= p.1);
    if (a.0 < 0) != (b.0 < 0) {
        return crosses_path_through_west_side(a, b, p, level);
    }
    if !level || a.0 < 0 {
        return false;
    }
    // Only the eastward part of the path can meet this edge: it crosses the edge if `p` lies east of the edge or on it.
    if a.1 < b.1 { side(a, b, p) <= 0 } else { side(b, a, p) <= 0 }
}

/// [`crosses_path`] for an edge that crosses the north-south line of the cell's west side. The result is false for an
/// edge that the path crosses twice or not at all: the corner and `p` lie on the same side.
#[cold]
#[inline(never)]
fn crosses_path_through_west_side(a: Vertex, b: Vertex, p: Vertex, level: bool) -> bool {
    let (west, east) = if a.0 < b.0 { (a, b) } else { (b, a) };
    let end_above = if level {
        let s = side(west, east, p);
        s > 0 || (s == 0 && east.1 < west.1)
    } else {
        // The path's eastward part misses the edge, so the end of its upward part decides.
        a.1 <= p.1
    };
    corner_above(west, east, 0, 0) != end_above
}

/// Whether the edge touches the cell of this size, its sides included.
pub(super) fn touches_cell(a: Vertex, b: Vertex, size: i64) -> bool {
    let high = 2 * size - 1;
    let double = |v: i32| 2 * i64::from(v);
    let (ax, ay, bx, by) = (double(a.0), double(a.1), double(b.0), double(b.1));
    // The edge touches the cell if their boxes meet and the cell's corners do not all lie on one side of the edge.
    if ax.max(bx) < -1 || ax.min(bx) > high || ay.max(by) < -1 || ay.min(by) > high {
        return false;
    }
    let sign = |x: i64, y: i64| {
        ((i128::from(bx - ax)) * i128::from(y - ay) - (i128::from(by - ay)) * i128::from(x - ax)).signum()
    };
    let corners = [sign(-1, -1), sign(high, -1), sign(-1, high), sign(high, high)];
    !(corners.iter().all(|sign| *sign > 0) || corners.iter().all(|sign| *sign < 0))
}

/// Whether the edge crosses the line from corner `from` to corner `to`. The corners differ in only one coordinate.
pub(super) fn crosses_between_corners(a: Vertex, b: Vertex, from: (i64, i64), to: (i64, i64)) -> bool {
    let straddles = if from.1 == to.1 {
        (i64::from(a.1) < from.1) != (i64::from(b.1) < from.1)
    } else {
        (i64::from(a.0) < from.0) != (i64::from(b.0) < from.0)
    };
    if !straddles {
        return false;
    }
    if a.0 == b.0 {
        // A vertical edge has no upper side, so the test compares west and east of it. No corner lies on such an edge.
        return (i64::from(a.0) < from.0) != (i64::from(a.0) < to.0);
    }
    let (west, east) = if a.0 < b.0 { (a, b) } else { (b, a) };
    corner_above(west, east, from.0, from.1) != corner_above(west, east, to.0, to.1)
}
