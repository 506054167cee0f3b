//! The main part of an answer's page: what a person wants done, the office that does it, and the ways to reach it.

use maud::{Markup, html};

use super::{
    dates,
    reach::{self, telephone},
    site::Site,
    words::{WORDS, full_name, host, is_web, with_article},
};
use platbook::{
    answers::{Assignments, Entry, Link, LinkKind},
    directory::Row,
    vocabulary::{Confidence, Function, VerifiedStatus},
    words::{Label, Phrase, Words as _},
};

/// Most links of a task; chosen, not measured. Further ones are with the reasons.
const ACTIONS_MAX: usize = 2;
/// Fewest tasks with the same main site as their only link, for which it is shown once before them. Chosen, not measured.
const SHARED_MIN: usize = 3;

/// A link that gets a task done, with its text. The host is shown beside it.
pub(super) struct Action<'s> {
    text: &'s str,
    url: &'s str,
    status: VerifiedStatus,
    /// Whether it is the main site of the government.
    is_main: bool,
}

/// The main office of a task, with the first links to it.
pub(super) struct Task<'s, 'e> {
    main: &'e Entry,
    actions: Vec<Action<'s>>,
}

impl<'s, 'e> Task<'s, 'e> {
    pub(super) fn of(site: Site<'s>, main: &'e Entry) -> Task<'s, 'e> {
        Task { main, actions: actions(site, main) }
    }
}

/// Lists the tasks of these functions, which also stand on `page`; it is empty for this page itself. `around` has
/// governments to ask if no office is known, the nearest first.
pub(super) fn list(
    site: Site<'_>,
    assignments: &Assignments,
    around: &[Row],
    functions: &[Function],
    page: &str,
) -> Markup {
    let task = |function: &Function| assignments.get(*function).map(|main| Task::of(site, main));
    let tasks: Vec<_> = functions.iter().map(|function| (*function, task(function))).collect();
    let hall = shared_site(tasks.iter().filter_map(|(_, task)| task.as_ref()));
    html! {
        @if let Some((row, url)) = hall {
            p { (WORDS.phrase(Phrase::OfMostOffices(&with_article(&site.directory().jurisdiction(row))))) " "
                a href=(url) rel="external" { (host(url)) } }
        }
        ul.tasks {
            @for (function, task) in &tasks {
                li id=(function.as_str()) {
                    (heading(*function, page))
                    (who(site, task.as_ref(), around, hall.map(|(_, url)| url)))
                }
            }
        }
    }
}

/// Returns the heading of a task, which links the task on its page: the address leads others there.
pub(super) fn heading(function: Function, page: &str) -> Markup {
    html! { h3 { a href=(format!("{page}#{}", function.as_str())) { (WORDS.function(function).task) } } }
}

/// The main site that is the only link of several tasks, with its government; it is shown once, before them.
fn shared_site<'t, 's: 't, 'e: 't>(tasks: impl Iterator<Item = &'t Task<'s, 'e>>) -> Option<(Row, &'s str)> {
    let mut counts: Vec<(Row, &str, usize)> = Vec::new();
    for task in tasks {
        let (Some(row), [Action { url, is_main: true, .. }]) = (task.main.body, &task.actions[..]) else {
            continue;
        };
        match counts.iter_mut().find(|(_, known, _)| known == url) {
            Some((.., count)) => *count += 1,
            None => counts.push((row, url, 1)),
        }
    }
    counts.into_iter().find(|(.., count)| *count >= SHARED_MIN).map(|(row, url, _)| (row, url))
}

/// Shows the office of a task and the ways to reach it; without a rule, the government to ask.
fn who(site: Site<'_>, task: Option<&Task<'_, '_>>, around: &[Row], hall: Option<&str>) -> Markup {
    html! {
        (on_one_side(site, task, around, None, hall))
        @if let Some(Task { main, .. }) = task {
            @if main.body.is_none() { p.whom { (WORDS.basis(&main.outcome.basis)) } }
            (dates::list(site, &main.dates))
            (dates::further_relief(site, main))
            @for also in &main.also {
                p.whom {
                    (WORDS.phrase(Phrase::Role(also.outcome.role, also.outcome.levy_scope))) ": " (title(site, also, None))
                }
                (ways(site, also, &actions(site, also), hall))
            }
        }
    }
}

/// Shows the main office of a task and the ways to reach it, in few words: for one of two columns. `side` is the
/// government that the column is headed with, and `hall` the main site that stands before all tasks. Without governments
/// to ask, the city above is.
pub(super) fn on_one_side(
    site: Site<'_>,
    task: Option<&Task<'_, '_>>,
    around: &[Row],
    side: Option<Row>,
    hall: Option<&str>,
) -> Markup {
    let Some(Task { main, actions }) = task else {
        return html! { p.whom { (WORDS.label(Label::NoRule)) } (ask_instead(site, around, &[])) };
    };
    let (outcome, is_unsure) = (&main.outcome, main.outcome.confidence == Confidence::Low);
    let ways = ways(site, main, actions, hall);
    if main.body.is_none() && around.is_empty() {
        return html! { p.whom { (title(site, main, side)) } };
    }
    html! {
        p.whom {
            (title(site, main, side))
            @if is_unsure { " " strong.unsure { "(" (WORDS.label(Label::NotSure)) ")" } }
        }
        (ways)
        @if main.body.is_none() && (outcome.office.is_some() || is_unsure) { (ask_instead(site, around, actions)) }
        @else if let Some(body) = main.body.filter(|_| ways.0.is_empty() && actions.is_empty()) { p.whom { (reach::no_contact(site, body)) } }
    }
}

/// Names the office, linked to its page, and its body unless that is `side`, which is named already.
fn title(site: Site<'_>, entry: &Entry, side: Option<Row>) -> Markup {
    let directory = site.directory();
    let is_named = |body: Row| side.is_some_and(|side| directory.is_same(side, body));
    html! {
        @match (&entry.office, entry.outcome.office.as_deref()) {
            (Some(office), _) => { a href=(site.office(office)) { (office.title) } }
            (None, Some(title)) => { (title) }
            (None, None) => { (WORDS.label(Label::NoOffice)) }
        }
        @match entry.body {
            Some(body) if is_named(body) => {}
            Some(body) => { ", " (full_name(&directory.jurisdiction(body))) }
            None => {}
        }
    }
}

/// Shows links in one line and the telephone below; nothing if neither is on record. Leaves out the link that stands
/// before all tasks.
fn ways(site: Site<'_>, entry: &Entry, actions: &[Action<'_>], hall: Option<&str>) -> Markup {
    let shown = entry.office.as_ref().and_then(|office| office.shown_site(site.directory()));
    let phone = shown.as_ref().and_then(|shown| Some((shown.phone?, reach::short_note(shown))));
    let actions = if matches!(actions, [only] if hall == Some(only.url)) { &[] } else { actions };
    html! {
        (in_one_line(actions))
        @if let Some((phone, note)) = &phone { p.call { (WORDS.label(Label::Call)) " " (telephone(phone)) (note) } }
    }
}

/// Shows the links of a task on a page that shows the rest of its office.
pub(super) fn links(site: Site<'_>, entry: &Entry) -> Markup {
    let actions = actions(site, entry);
    in_one_line(if matches!(actions[..], [Action { is_main: true, .. }]) { &[] } else { &actions })
}

fn in_one_line(actions: &[Action<'_>]) -> Markup {
    html! {
        @if !actions.is_empty() {
            p.ways {
                @for (at, action) in actions.iter().enumerate() {
                    @if at > 0 { span.between { " · " } }
                    (action.link(actions.get(at + 1).map(|next| next.url)))
                }
            }
        }
    }
}

/// Returns the first links of an entry: a page on which to do the task, and the office's own page. The main site of the
/// government stands in for both. Portals and downloads of data are left out: they are for programs. Of two links with
/// one text the first is shown.
fn actions<'s>(site: Site<'s>, entry: &Entry) -> Vec<Action<'s>> {
    let links = entry.links(site.directory());
    let action = |link: &Link<'s>| {
        let text = match link.kind {
            LinkKind::Action(action) => WORDS.action(action),
            LinkKind::Office => WORDS.label(Label::OfficePage),
            LinkKind::HomePage => WORDS.label(Label::StartAtMainSite),
            LinkKind::Page => link.page.map(|page| page.name)?,
            LinkKind::Data => return None,
        };
        let is_main = link.kind == LinkKind::HomePage;
        is_web(link.url).then_some(Action { text, url: link.url, status: link.status, is_main })
    };
    let near = links.iter().filter(|link| link.kind != LinkKind::HomePage);
    let mut actions: Vec<Action<'s>> = Vec::new();
    for action in near.filter_map(action) {
        if actions.len() < ACTIONS_MAX && actions.iter().all(|known| known.text != action.text) {
            actions.push(action);
        }
    }
    if actions.is_empty() {
        actions.extend(links.iter().find(|link| link.kind == LinkKind::HomePage).and_then(action));
    }
    actions
}

impl Action<'_> {
    /// Links the page, with its host unless the next link has the same.
    fn link(&self, next: Option<&str>) -> Markup {
        let is_host_shown = next.is_none_or(|next| host(next) != host(self.url));
        html! {
            a href=(self.url) rel="external" { (self.text) }
            @if is_host_shown { " " span.host { (host(self.url)) } }
            @if self.status == VerifiedStatus::PossiblyBroken { " (" (WORDS.phrase(Phrase::Link(self.status, ""))) ")" }
        }
    }
}

/// Shows a government to ask if no office is known, unless its site is among the links of the task.
fn ask_instead(site: Site<'_>, around: &[Row], shown: &[Action<'_>]) -> Markup {
    let directory = site.directory();
    let locals = around.iter().filter(|row| directory.state_code_of(**row).is_none());
    let mut sites = locals.filter_map(|row| Some((*row, directory.main_site_of(*row)?.url?)));
    html! {
        @if let Some((row, url)) = sites.find(|(_, url)| is_web(url)).filter(|(_, url)| shown.iter().all(|known| known.url != *url)) {
            p.ways {
                a href=(url) rel="external" { (WORDS.phrase(Phrase::StartByAsking(&with_article(&directory.jurisdiction(row))))) }
                " " span.host { (host(url)) }
            }
        }
    }
}
