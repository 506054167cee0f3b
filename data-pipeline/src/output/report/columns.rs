//! Aligns plain text, one row on each line, so that a changed figure is one changed line.

use std::fmt::Write as _;

/// Minimum width of a column, in characters, so that a figure that grows by a digit does not move other lines.
/// Chosen, not measured.
const WIDTH_MIN: usize = 5;

/// Turns rows of cells into lines: the first column aligned left, the others right, with two spaces between.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            let width = cell.chars().count().max(WIDTH_MIN);
            match widths.get_mut(at) {
                Some(known) => *known = width.max(*known),
                None => widths.push(width),
            }
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match at {
                0 => write!(line, "{cell:<width$}"),
                _ => write!(line, "  {cell:>width$}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_below_their_headings() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let text =
            columns(&[row(&["state", "counties", ""]), row(&["MN", "87"]), row(&["all", "3143", "7"])]);
        assert_eq!(text, "state  counties\nMN           87\nall        3143      7\n");
    }
}
