//! Finds the pages for a job at a place: first the pages of the body that does the job, last those of state and
//! nation.

use std::collections::BTreeSet;

use super::{Match, Matches, OtherPlace, Search, Unlisted};
use crate::{
    directory::{Directory, ResourceView, Row},
    vocabulary::{Function, PageUse, StateCode, Topic},
};

/// Maximum number of pages for each topic at the first place, including those of areas around it, if there are
/// several topics or places. Chosen, not measured.
const FIRST_PLACE_PAGES: usize = 3;

impl Directory {
    /// The number of the best page on a topic at a place. The state and nation around the place count only if they do a
    /// job of the topic there. `None` if there is no page.
    pub fn first_local_page_for(&self, place: Row, topic: Topic) -> Option<usize> {
        let (bodies, _) = self.bodies_for(place, topic);
        let (own, no_pages) = self.searching(1).own_pages(&bodies, topic);
        own.first().or(no_pages.first()).copied()
    }

    /// The pages for topics at places, at most `limit`: first those of the bodies there, then those of state and
    /// nation.
    pub fn pages_for(&self, places: &[Match], topics: &[Topic], limit: usize) -> Vec<usize> {
        self.searching(limit).pages_at(places, topics).in_order(&[], &[]).take(limit).collect()
    }
}

impl Search<'_> {
    /// Two lists of pages for a topic at a place: pages of the bodies there, and pages of the state and nation around
    /// them. Map services and scanned documents of the bodies come last.
    pub(super) fn pages_of(&self, place: Row, topic: Topic) -> (Vec<usize>, Vec<usize>) {
        let (bodies, around) = self.directory.bodies_for(place, topic);
        let (own, mut no_pages) = self.own_pages(&bodies, topic);
        let mut around = self.pages_around(&around, topic);
        around.append(&mut no_pages);
        (own, around)
    }

    /// The pages for each topic at the first of several places, and the best ones at each other place.
    pub(super) fn pages_at(&self, places: &[Match], topics: &[Topic]) -> Pages {
        let mut pages = Pages::default();
        let Some((first, others)) = places.split_first() else { return pages };
        for topic in topics {
            let (mut own, mut around) = self.pages_of(first.row, *topic);
            if !others.is_empty() || topics.len() > 1 {
                around.truncate(FIRST_PLACE_PAGES.saturating_sub(own.len()));
                own.truncate(FIRST_PLACE_PAGES);
            }
            pages.own.append(&mut own);
            pages.around.append(&mut around);
            pages.others.extend(others.iter().filter_map(|place| self.best_page_of(place.row, *topic)));
        }
        pages
    }

    /// The first page that [`Search::pages_of`] would return, without finding the others.
    pub(super) fn best_page_of(&self, place: Row, topic: Topic) -> Option<usize> {
        let (bodies, around) = self.directory.bodies_for(place, topic);
        let (own, no_pages) = self.own_pages(&bodies, topic);
        let of_around = || self.pages_around(&around, topic).first().copied();
        own.first().copied().or_else(of_around).or(no_pages.first().copied())
    }

    fn pages_around(&self, around: &[Row], topic: Topic) -> Vec<usize> {
        numbers(self.directory.resources_for(around, topic))
    }

    /// Pages of the bodies for the topic, then what is no page. Pages for the topic's job come first if the bodies have
    /// none for the topic: a county's parcel map before the state's maps.
    fn own_pages(&self, bodies: &[Row], topic: Topic) -> (Vec<usize>, Vec<usize>) {
        let own = self.directory.resources_for(bodies, topic);
        let (no_pages, mut own): (Vec<_>, Vec<_>) = own.into_iter().partition(ResourceView::is_no_page);
        if own.iter().all(|view| self.directory.is_main_site(view)) {
            own.splice(0..0, self.related_pages(bodies, topic));
        }
        (numbers(own), numbers(no_pages))
    }

    /// Pages of the bodies for the job of a topic, or else their main sites.
    fn related_pages(&self, bodies: &[Row], topic: Topic) -> Vec<ResourceView<'_>> {
        let of_job = |function: &Function| self.directory.resources_for_function(bodies, *function);
        let mut related: Vec<ResourceView<'_>> = topic.functions().iter().flat_map(of_job).collect();
        if related.is_empty() {
            let own = bodies.iter().flat_map(|body| self.directory.own_resources(*body));
            related.extend(own.filter(|view| self.directory.is_main_site(view)));
        }
        related.retain(|view| !view.is_no_page());
        related
    }
}

/// The numbers of the pages, without texts of laws.
fn numbers(views: Vec<ResourceView<'_>>) -> Vec<usize> {
    let pages = views.into_iter().filter(|view| view.page_use != PageUse::Law);
    pages.map(|view| view.number).collect()
}

/// Pages for topics at places.
#[derive(Default)]
pub(super) struct Pages {
    /// Pages at the first place.
    own: Vec<usize>,
    /// Pages of the state and nation around the first place.
    around: Vec<usize>,
    /// The best page at each other place.
    others: Vec<usize>,
}

impl Pages {
    /// All pages, each once: `near` follows the pages at the first place, and `far` comes last.
    fn in_order(self, near: &[usize], far: &[usize]) -> impl Iterator<Item = usize> {
        let mut seen = BTreeSet::new();
        let all = [self.own, near.to_vec(), self.around, self.others, far.to_vec()].into_iter().flatten();
        all.filter(move |number| seen.insert(*number))
    }
}

/// The pages and places for a text that names jobs and a place.
pub(super) struct JobAtPlace {
    pub(super) places: Vec<Match>,
    pub(super) unlisted: Vec<Unlisted>,
    pub(super) topics: Vec<Topic>,
    /// Further places that the text names.
    pub(super) others: Vec<OtherPlace>,
    /// Whether a part of the text that may name a place was not found.
    pub(super) has_more: bool,
    pub(super) pages: Pages,
}

impl JobAtPlace {
    /// Adds the pages that contain all the words of the text. Pages of bodies in the place's state follow those of
    /// the place itself: "middlesex registry of deeds" finds a district's page. All other pages come last, with map
    /// services.
    pub(super) fn with_named(self, directory: &Directory, named: &[usize], limit: usize) -> Matches {
        let state = self.places.first().and_then(|place| directory.state_below(place.row));
        let is_near = |number: &usize| {
            let page = directory.resource(*number).filter(|page| !page.is_no_page());
            state.is_some() && page.and_then(|page| directory.state_below(page.jurisdiction)) == state
        };
        let (near, far): (Vec<usize>, Vec<usize>) = named.iter().copied().partition(is_near);
        let Self { places, unlisted, topics, others, has_more, pages } = self;
        let resources = pages.in_order(&near, &far).take(limit).collect();
        Matches { places, resources, unlisted, topics, others, has_more, ..Matches::default() }
    }
}

impl Directory {
    /// The bodies whose pages serve a topic at a place, the nearest first. These are the bodies that do the topic's
    /// jobs there, the place itself, and the areas that contain it. State and nation are returned separately, unless
    /// they do the job themselves.
    fn bodies_for(&self, place: Row, topic: Topic) -> (Vec<Row>, Vec<Row>) {
        let scope = self.scope_of(place);
        let doing = scope.into_iter().flat_map(|scope| {
            let bodies =
                topic.functions().iter().filter_map(move |function| self.who_does(scope, *function)?.body);
            bodies.filter_map(|body| self.found(&body))
        });
        let parents = self.with_parents(place);
        let is_around = |row: &Row| *row != place && self.state_below(*row).is_none();
        let (around, near): (Vec<Row>, Vec<Row>) = parents.into_iter().partition(is_around);
        let mut bodies: Vec<Row> = Vec::new();
        for row in doing.chain(near) {
            if !bodies.contains(&row) {
                bodies.push(row);
            }
        }
        let around = around.into_iter().filter(|row| !bodies.contains(row)).collect();
        (bodies, around)
    }

    /// The state of a jurisdiction below a state; `None` for states and the nation.
    fn state_below(&self, row: Row) -> Option<StateCode> {
        self.state_of(row).filter(|state| self.state_row(*state) != Some(row))
    }
}
