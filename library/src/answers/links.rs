//! The links of an entry in the order in which people need them: the page for the task, the office, the home page.

use super::{Entry, Office};
use crate::{
    directory::{Directory, ResourceView},
    vocabulary::{Action, Function, Layer, UrlScope, VerifiedStatus, is_same_page},
};

/// The page that a link leads to, the most useful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// A page on which people can do the task.
    Action(Action),
    /// The office's own page.
    Office,
    /// Another page of the job.
    Page,
    /// The home page of the government.
    HomePage,
    /// A data portal or a download, on which nobody can look up a property.
    Data,
}

/// A link of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// The kind of page that the link leads to.
    pub kind: LinkKind,
    /// URL of the page.
    pub url: &'a str,
    /// Result of the link check.
    pub status: VerifiedStatus,
    /// The resource of the page; `None` for the link of the office.
    pub page: Option<ResourceView<'a>>,
}

impl Link<'_> {
    /// Whether the link may be broken.
    pub fn is_broken(&self) -> bool {
        self.status == VerifiedStatus::PossiblyBroken
    }

    /// The sort key of a link. Links that may be broken come last; then the kind decides. A page of the state for the
    /// job of a local body, such as a list of all zoning codes, follows the local pages.
    fn rank(&self, is_of_state: bool) -> (bool, usize) {
        let kind = match self.kind {
            LinkKind::Action(_) if is_of_state => 3,
            LinkKind::Action(_) => 0,
            LinkKind::Office => 1,
            LinkKind::Page => 2,
            LinkKind::HomePage => 4,
            LinkKind::Data => 5,
        };
        (self.is_broken(), kind)
    }
}

impl Entry {
    /// The links of the job, best first: each page once.
    pub fn links<'d>(&self, directory: &'d Directory) -> Vec<Link<'d>> {
        let pages = self.resources.iter().filter_map(|number| directory.resource(*number));
        let pages = pages.map(|page| Link {
            kind: self.kind_of(directory, &page),
            url: page.url,
            status: page.status,
            page: Some(page),
        });
        let office = self.office.as_ref().and_then(|office| office_link(directory, office));
        let mut links: Vec<Link<'d>> = pages.chain(office).collect();
        links.sort_by_key(|link| link.rank(self.is_of_state(directory, link)));
        let mut urls: Vec<&str> = Vec::with_capacity(links.len());
        links.retain(|link| {
            let is_new = !urls.iter().any(|url| is_same_page(url, link.url));
            urls.extend(is_new.then_some(link.url));
            is_new
        });
        links
    }

    /// Whether a link is a page of the state for the job of another body. Parcel maps are left out: a state's viewer
    /// shows the same parcels.
    fn is_of_state(&self, directory: &Directory, link: &Link<'_>) -> bool {
        let Some(page) = link.page.filter(|_| self.outcome.function != Function::Gis) else { return false };
        let does_it = self.outcome.body.as_ref() == Some(&directory.id_of(page.jurisdiction));
        directory.layer(page.jurisdiction) == Some(Layer::State) && !does_it
    }

    fn kind_of(&self, directory: &Directory, page: &ResourceView<'_>) -> LinkKind {
        match self.outcome.function.first_action(page.actions) {
            Some(action) => LinkKind::Action(action),
            None if page.is_data() => LinkKind::Data,
            None if directory.is_main_site(page) => LinkKind::HomePage,
            None => LinkKind::Page,
        }
    }
}

/// The link of an office. If the page on record is a data portal, the link counts as data.
fn office_link<'d>(directory: &'d Directory, office: &Office) -> Option<Link<'d>> {
    let site = office.shown_site(directory)?;
    let url = site.url?;
    let is_data = || directory.page_at(office.body, url).is_some_and(|page| page.is_data());
    let kind = match site.scope {
        UrlScope::Government => LinkKind::HomePage,
        UrlScope::Office if is_data() => LinkKind::Data,
        UrlScope::Office => LinkKind::Office,
    };
    Some(Link { kind, url, status: site.status, page: None })
}
