//! Resolves rows into outcomes: the governments of each row, and the number of its chain.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{
    cells::ChainCells,
    column::Column,
    outcome::{Location, Outcome, Resolved},
};
use crate::{
    answers::{Answers, Ground, Refusal, Territory, check_day, check_existed},
    directory::{Chain, Directory, Quality, Resolution, Row},
    geometry::LonLat,
    vocabulary::Date,
};

/// A choice of columns over a directory, shared by all threads.
#[derive(Debug)]
pub struct Table {
    answers: Arc<Answers>,
    columns: Vec<Column>,
    has_functions: bool,
    /// The day whose governments the rows have; `None` for today.
    date: Option<Date>,
}

/// Rows with the same key have the same shared cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    county: Row,
    cousub: Option<Row>,
    place: Option<Row>,
    /// The ground varies within a chain, but only columns of functions depend on it.
    ground: Ground,
    /// The jurisdiction that the row names; `None` for a point.
    named: Option<Row>,
}

impl Table {
    /// A table with these columns.
    pub fn new(answers: Arc<Answers>, columns: Vec<Column>) -> Table {
        let has_functions = columns.iter().any(|column| matches!(column, Column::Function(..)));
        Table { answers, columns, has_functions, date: None }
    }

    /// The same table with the governments of a day.
    ///
    /// # Errors
    /// If the day is not of the last ten years, counted from the date of the snapshot.
    pub fn on_day(self, date: Date) -> Result<Table, Refusal> {
        check_day(self.directory(), date)?;
        Ok(Table { date: Some(date), ..self })
    }

    /// The columns, in their order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The answers that make the columns of functions.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// The directory that resolves points.
    pub fn directory(&self) -> &Directory {
        self.answers.directory()
    }

    /// Makes a resolver, for one thread.
    pub fn resolver(self: &Arc<Table>) -> Resolver {
        Resolver {
            table: self.clone(),
            numbers: FxHashMap::default(),
            last: None,
            outcomes: Vec::new(),
            points: Vec::new(),
        }
    }

    /// The key of a point, and the point's chain on the table's day.
    fn key(&self, point: LonLat, chain: Chain) -> (Key, Chain) {
        let directory = self.directory();
        let date = directory.day_of(self.date);
        let on = date.map(|date| directory.on_day(date, point, &chain));
        let ground = match &on {
            _ if !self.has_functions => Ground::default(),
            Some(on) => Ground::on_day(directory, point, on),
            None => Ground::at(directory, point, &chain),
        };
        let chain = on.map_or(chain, |on| on.chain);
        let Chain { county, cousub, place, .. } = chain;
        (Key { county, cousub, place, ground, named: None }, chain)
    }

    fn territory(&self, key: &Key, chain: &Chain) -> Territory {
        match key.named {
            Some(row) => self.answers.territory_on(row, self.date),
            None => key.ground.territory(self.directory(), chain),
        }
    }

    /// The chain around a jurisdiction; `None` for one that lies in no county, such as a state.
    fn chain_around(&self, row: Row) -> Option<Chain> {
        let directory = self.directory();
        let scope = directory.scope_of(row)?;
        let state = directory.state_row(directory.state_of(scope.county)?)?;
        let (cousub, place) = (scope.cousub.area(), scope.place.area());
        Some(Chain { state, county: scope.county, cousub, place, quality: Quality::Inside })
    }
}

/// Resolves the rows of one thread, and numbers the chains that occur.
pub struct Resolver {
    table: Arc<Table>,
    numbers: FxHashMap<Key, u32>,
    /// The chain of the previous row: neighbors in a file are often neighbors on the map.
    last: Option<(Key, u32)>,
    outcomes: Vec<Outcome>,
    points: Vec<LonLat>,
}

impl Resolver {
    /// The table whose rows are resolved.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Resolves some rows and returns the outcome of each. Works fastest with
    /// [`BLOCK_POINTS`](crate::directory::BLOCK_POINTS) rows at a time. Calls `add_chain` for each chain without a
    /// number. The chain gets the next number; the first is 0.
    pub fn resolve(
        &mut self,
        locations: impl Iterator<Item = Location>,
        mut add_chain: impl FnMut(&ChainCells<'_>),
    ) -> &[Outcome] {
        self.outcomes.clear();
        self.points.clear();
        for location in locations {
            let outcome = match location {
                Location::Point(point) => {
                    self.points.push(point);
                    Outcome::Outside
                }
                Location::Jurisdiction(row) => self.named(row, &mut add_chain),
                Location::Invalid(reason) => Outcome::Invalid(reason),
            };
            self.outcomes.push(outcome);
        }
        let Resolver { table, numbers, last, outcomes, points } = self;
        let (table, points): (&Table, &[LonLat]) = (table, points);
        // Each point has an entry in `outcomes`, with the value `Outside` until the point is resolved.
        let mut places = outcomes.iter_mut().filter(|outcome| matches!(outcome, Outcome::Outside));
        let mut given = points.iter();
        table.directory().resolve_each(points, |resolution| {
            let (Some(place), Some(point)) = (places.next(), given.next()) else { return };
            let Resolution::Inside(chain) = resolution else { return };
            let (key, chain) = table.key(*point, chain);
            let number = match last {
                Some((known, number)) if *known == key => *number,
                _ => number_of(table, numbers, &key, &chain, &mut add_chain),
            };
            *last = Some((key, number));
            *place = Outcome::Resolved(Resolved { point: Some(*point), chain, number });
        });
        &self.outcomes
    }

    /// The outcomes that the last call returned.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Numbers chains from 0 again, so that a format can free the cells that it holds for them.
    pub fn forget_chains(&mut self) {
        self.numbers = FxHashMap::default();
        self.last = None;
    }

    fn named(&mut self, row: Row, add_chain: &mut impl FnMut(&ChainCells<'_>)) -> Outcome {
        let began = self.table.date.and_then(|date| check_existed(self.table.directory(), date, row).err());
        if let Some(refusal) = began {
            return Outcome::Invalid(refusal.detail.into());
        }
        let Some(chain) = self.table.chain_around(row) else {
            let view = self.table.directory().jurisdiction(row);
            let reason = format!("expected a county, city, town or township, got {}", view.name);
            return Outcome::Invalid(reason.into());
        };
        let Chain { county, cousub, place, .. } = chain;
        let key = Key { county, cousub, place, ground: Ground::default(), named: Some(row) };
        let number = number_of(&self.table, &mut self.numbers, &key, &chain, add_chain);
        Outcome::Resolved(Resolved { point: None, chain, number })
    }
}

/// Returns the number of a chain. A new chain gets the next number.
fn number_of(
    table: &Table,
    numbers: &mut FxHashMap<Key, u32>,
    key: &Key,
    chain: &Chain,
    add_chain: &mut impl FnMut(&ChainCells<'_>),
) -> u32 {
    let next = numbers.len() as u32;
    let number = *numbers.entry(*key).or_insert(next);
    if number == next {
        let territory = || table.territory(key, chain);
        let performers = table.has_functions.then(|| table.answers.performers(territory()));
        add_chain(&ChainCells { directory: table.directory(), columns: &table.columns, chain, performers });
    }
    number
}
