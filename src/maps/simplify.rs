//! Simplifies lines: removes vertices that would not be visible.

/// A position on a drawing, in units.
pub(super) type Place = (f64, f64);

/// Simplifies a line (Douglas-Peucker algorithm): removed positions lie at most `tolerance` units from the remaining
/// line. The ends stay, so lines that meet at their ends still meet.
pub(super) fn simplified(line: &[Place], tolerance: f64) -> Vec<Place> {
    if line.len() < 3 {
        return line.to_vec();
    }
    let mut stays = vec![false; line.len()];
    stays[0] = true;
    stays[line.len() - 1] = true;
    let mut parts = vec![(0, line.len() - 1)];
    while let Some((start, end)) = parts.pop() {
        let Some((at, off)) = farthest(&line[start..=end]) else { continue };
        if off > tolerance * tolerance {
            stays[start + at] = true;
            parts.push((start, start + at));
            parts.push((start + at, end));
        }
    }
    line.iter().zip(stays).filter(|(_, stays)| *stays).map(|(place, _)| *place).collect()
}

/// Returns the index of the position that is farthest from the straight line between the ends, with the square of its
/// distance.
fn farthest(line: &[Place]) -> Option<(usize, f64)> {
    let straight = Straight::between(*line.first()?, *line.last()?);
    let mut found = (0, 0.0);
    for (at, place) in line.iter().enumerate().take(line.len() - 1).skip(1) {
        let off = straight.squared_to(*place);
        if off > found.1 {
            found = (at, off);
        }
    }
    Some(found)
}

/// A straight line between two positions, with the terms that all distances from it share.
struct Straight {
    from: Place,
    step: Place,
    /// One divided by the square of the length; 0 for length 0.
    inverse: f64,
}

impl Straight {
    fn between(a: Place, b: Place) -> Straight {
        let step = (b.0 - a.0, b.1 - a.1);
        let length = step.0 * step.0 + step.1 * step.1;
        Straight { from: a, step, inverse: if length > 0.0 { length.recip() } else { 0.0 } }
    }

    fn squared_to(&self, place: Place) -> f64 {
        let (px, py) = (place.0 - self.from.0, place.1 - self.from.1);
        let along = ((px * self.step.0 + py * self.step.1) * self.inverse).clamp(0.0, 1.0);
        let (x, y) = (px - along * self.step.0, py - along * self.step.1);
        x * x + y * y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_near_what_stays() {
        let line: Vec<Place> =
            (0..200).map(|at| (f64::from(at), (f64::from(at) / 9.0).sin() * 12.0)).collect();
        for tolerance in [0.1, 0.5, 2.0] {
            let short = simplified(&line, tolerance);
            assert!(short.len() < line.len() && short.first() == line.first() && short.last() == line.last());
            for place in &line {
                let near =
                    short.windows(2).map(|edge| Straight::between(edge[0], edge[1]).squared_to(*place));
                assert!(near.fold(f64::MAX, f64::min).sqrt() <= tolerance + 1e-9);
            }
        }
    }

    #[test]
    fn a_ring_of_one_line_keeps_its_shape() {
        let ring = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 10.1), (0.0, 10.0), (0.0, 0.0)];
        assert_eq!(simplified(&ring, 0.5).len(), 5);
    }
}
