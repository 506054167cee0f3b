//! What the directory found, as wire shapes.

use super::Answers;
use crate::{
    directory::{BorderLine, Borders, Directory, Row, SourceRow},
    geometry::LonLat,
    wire::{self, Jurisdiction, Ready, Source},
};

/// Turns rows into shapes and remembers their sources.
pub(super) struct Shown<'a> {
    answers: &'a Answers,
    sources: Vec<SourceRow>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(answers: &'a Answers) -> Shown<'a> {
        Shown { answers, sources: Vec::with_capacity(4) }
    }

    /// A jurisdiction; its source counts as used.
    pub(super) fn jurisdiction(&mut self, row: Row) -> &'a Ready<Jurisdiction<'static>> {
        let piece = self.answers.piece(row);
        if !self.sources.contains(&piece.source) {
            self.sources.push(piece.source);
        }
        &piece.shape
    }

    /// The sources used, in order of first use.
    pub(super) fn into_sources(self) -> Vec<&'a Ready<Source<'static>>> {
        let Answers { directory, pieces, .. } = self.answers;
        self.sources.iter().map(|row| pieces.source(directory, *row)).collect()
    }
}

pub(super) fn point(point: LonLat) -> wire::Point {
    wire::Point { lon: point.lon_degrees(), lat: point.lat_degrees() }
}

pub(super) fn border<'a>(directory: &'a Directory, borders: &Borders) -> wire::Border<'a> {
    let line = |line: &BorderLine| {
        let neighbour = line.neighbour.map(|row| directory.jurisdiction(row));
        wire::BorderLine {
            distance_m: whole(line.distance_m),
            neighbour_name: neighbour.as_ref().map(|view| view.name),
            neighbour: neighbour.map(|view| view.id),
            scale: line.scale,
            uncertainty_m: whole(line.uncertainty_m),
        }
    };
    wire::Border {
        county: borders.county.as_ref().map(line),
        place: borders.place.as_ref().map(line),
        searched_m: whole(borders.searched_m),
    }
}

/// Metres to the nearest whole one.
pub(super) fn whole(metres: f64) -> u32 {
    metres.round() as u32
}
