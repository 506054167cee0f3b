//! The offices of a government, and remarks on their pages.

use super::titles::{office_id, shown_title};
use crate::{
    directory::{Directory, OfficeSite, Row, ShownSite, SiteRef},
    vocabulary::{FunctionSet, RecordId},
};

/// An office of a government.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Office {
    /// The office's id. It stays the same if the government is requested by another of its ids.
    pub id: RecordId,
    /// The government that runs the office.
    pub body: Row,
    /// The title of the office: that of the state's rules, with the kind of this government alone.
    pub title: String,
    /// All functions that the office performs for the body.
    pub functions: FunctionSet,
    /// The office's page and contact data on record.
    pub site: OfficeSite,
    /// Whether only an answer for an earlier day names the office. It then has no page here, and its body has.
    pub is_past: bool,
}

/// Counts and flags from which an answer's notices on its records are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Number of records left out because their source is not documented.
    pub withheld: usize,
    /// Number of offices with a page of their own.
    pub(super) own_pages: usize,
    /// Number of offices without a page of their own, which link to their government's main site.
    pub(super) main_sites: usize,
}

impl Remarks {
    /// Adds the remarks of a part of the answer.
    pub(super) fn add(&mut self, other: Remarks) {
        self.withheld += other.withheld;
        self.own_pages += other.own_pages;
        self.main_sites += other.main_sites;
    }

    /// Whether the government's main site stands in for the page of every office with a link. Each link also says so
    /// itself.
    pub fn has_main_sites_only(&self) -> bool {
        self.main_sites > 0 && self.own_pages == 0
    }
}

impl Office {
    /// The office's page and contact data; `None` if nothing is on record.
    pub fn shown_site<'a>(&self, directory: &'a Directory) -> Option<ShownSite<'a>> {
        directory.shown_site(self.site)
    }

    pub(super) fn remarks(&self) -> Remarks {
        let is_main = self.site.site.map(SiteRef::is_main);
        let [own_pages, main_sites] = [false, true].map(|main| usize::from(is_main == Some(main)));
        Remarks { withheld: 0, own_pages, main_sites }
    }
}

/// Returns the offices that the rules name at a government: each title once, under the id that the rules use.
pub(super) fn offices_of(directory: &Directory, row: Row) -> Vec<Office> {
    let mut offices: Vec<Office> = Vec::new();
    let jobs = directory.jobs_of(row);
    for job in jobs.iter() {
        let Some((body, title)) = directory.found(&job.body).zip(job.office.as_deref()) else { continue };
        match offices.iter_mut().find(|office| office.body == body && office.title == title) {
            Some(office) => office.functions.insert(job.function),
            None => {
                let functions = [job.function].into_iter().collect();
                let id = office_id(directory, body, title);
                offices.push(Office {
                    id,
                    body,
                    title: title.to_owned(),
                    functions,
                    site: OfficeSite::default(),
                    is_past: false,
                });
            }
        }
    }
    for office in &mut offices {
        office.site = directory.site_of_office(office.body, &jobs, &office.title, office.functions);
        office.title = shown_title(directory, office.body, &office.title);
    }
    offices
}
