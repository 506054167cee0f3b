//! What the directory found, as wire shapes.

use super::{Answers, functions::Remarks};
use crate::{
    directory::{BorderLine, Borders, Directory, ResourceView, Row, SourceRow},
    geometry::LonLat,
    wire::{self, Jurisdiction, Ready, Resource, Source},
};

/// Room for the sources of nearly all answers: lists that grow, each to another size, make allocation slow.
const SOURCES: usize = 32;

/// Turns rows into shapes and remembers their sources.
pub(super) struct Shown<'a> {
    answers: &'a Answers,
    sources: Vec<SourceRow>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(answers: &'a Answers) -> Shown<'a> {
        Shown { answers, sources: Vec::with_capacity(SOURCES) }
    }

    /// A jurisdiction; its source counts as used.
    pub(super) fn jurisdiction(&mut self, row: Row) -> &'a Ready<Jurisdiction<'static>> {
        let piece = self.answers.piece(row);
        self.source(piece.source);
        &piece.shape
    }

    /// A resource; its source counts as used.
    pub(super) fn resource(&mut self, view: &ResourceView<'_>) -> &'a Ready<Resource<'static>> {
        self.source(view.source);
        self.answers.resource_piece(view.number)
    }

    /// Counts a source as used.
    pub(super) fn source(&mut self, row: SourceRow) {
        if !self.sources.contains(&row) {
            self.sources.push(row);
        }
    }

    /// The sources used, in order of first use, and those of the remarks after them.
    pub(super) fn into_sources(mut self, remarks: &Remarks) -> Vec<&'a Ready<Source<'static>>> {
        remarks.sources.iter().for_each(|row| self.source(*row));
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
