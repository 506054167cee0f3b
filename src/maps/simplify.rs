//! Lines without the vertices that nobody would see.

/// A place on a drawing, in units.
pub(super) type Place = (f64, f64);

/// The line by the rule of Douglas and Peucker: what is left out lies at most `tolerance` from the line that stays. The
/// ends stay, so lines that meet still do.
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

/// The place within the line that is farthest from the straight one between its ends, with the square of its distance.
fn farthest(line: &[Place]) -> Option<(usize, f64)> {
    let (first, last) = (*line.first()?, *line.last()?);
    let inner = line.iter().enumerate().take(line.len() - 1).skip(1);
    let distances = inner.map(|(at, place)| (at, squared_to_segment(*place, first, last)));
    distances.max_by(|one, other| one.1.total_cmp(&other.1))
}

fn squared_to_segment(place: Place, a: Place, b: Place) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (px, py) = (place.0 - a.0, place.1 - a.1);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - along * dx).powi(2) + (py - along * dy).powi(2)
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
                let near = short.windows(2).map(|edge| squared_to_segment(*place, edge[0], edge[1]));
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
