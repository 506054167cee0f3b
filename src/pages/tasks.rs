//! The main part of an answer's page: the tasks that a person may have, the office for each, and the ways to contact
//! it.

use std::borrow::Cow;

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
    words::{Label, Phrase, Words as _, is_named_in, without_body},
};

/// Maximum number of links for a task; chosen, not measured. Further links are shown with the reasons.
const ACTIONS_MAX: usize = 2;

/// A link with which a person can do the task, with its text. The host is shown beside it.
pub(super) struct Action<'s> {
    text: Cow<'s, str>,
    url: &'s str,
    status: VerifiedStatus,
    /// Whether the link leads to the main site of the government.
    is_main: bool,
}

/// Lists the tasks of these functions. `page` is the page with the same tasks; it is empty for this page itself.
/// `around` has the governments to ask if no office is known, the nearest first.
pub(super) fn list(
    site: Site<'_>,
    assignments: &Assignments,
    around: &[Row],
    functions: &[Function],
    page: &str,
) -> Markup {
    html! {
        ul.tasks {
            @for function in functions {
                li id=(function.as_str()) { (heading(*function, page)) (who(site, assignments.get(*function), around)) }
            }
        }
    }
}

/// Returns the heading of a task. It links to the task on its page, so that a reader can share the address.
pub(super) fn heading(function: Function, page: &str) -> Markup {
    html! { h3 { a href=(format!("{page}#{}", function.as_str())) { (WORDS.function(function).task) } } }
}

/// Shows the office for a task and the ways to contact it. Without a rule, shows the government to ask.
fn who(site: Site<'_>, main: Option<&Entry>, around: &[Row]) -> Markup {
    let actions = main.map(|main| first_actions(site, main)).unwrap_or_default();
    let is_shown = |other: &Action<'_>| actions.iter().any(|action| action.url == other.url);
    html! {
        (one_side(site, main, &actions, around, None))
        @if let Some(main) = main {
            @if main.body.is_none() { p.whom { (WORDS.basis(&main.outcome.basis)) } }
            (dates::list(site, &main.dates))
            (dates::further_relief(site, main))
            @for also in &main.also {
                @let is_new = |action: &Action<'_>| !action.is_main || !is_shown(action);
                @let actions: Vec<_> = first_actions(site, also).into_iter().filter(is_new).collect();
                p.whom {
                    (WORDS.phrase(Phrase::Role(also.outcome.role, also.outcome.levy_scope))) ": " (title(site, also, None))
                }
                (ways(site, also, &actions))
            }
        }
    }
}

/// Shows the main office of a task and the ways to contact it, in few words: for one of two columns. `side` is the
/// government in the heading of the column. With no governments in `around`, shows only the title: the reader then
/// asks the city named above.
pub(super) fn on_one_side(site: Site<'_>, main: Option<&Entry>, around: &[Row], side: Option<Row>) -> Markup {
    let actions = main.map(|main| first_actions(site, main)).unwrap_or_default();
    one_side(site, main, &actions, around, side)
}

fn one_side(
    site: Site<'_>,
    main: Option<&Entry>,
    actions: &[Action<'_>],
    around: &[Row],
    side: Option<Row>,
) -> Markup {
    let Some(main) = main else {
        return html! { p.whom { (WORDS.label(Label::NoRule)) } (ask_instead(site, around, &[])) };
    };
    let (outcome, is_unsure) = (&main.outcome, main.outcome.confidence == Confidence::Low);
    let ways = ways(site, main, actions);
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

/// Names the office, linked to its page. Also names its body, unless that is `side`, which the heading names already.
fn title(site: Site<'_>, entry: &Entry, side: Option<Row>) -> Markup {
    let directory = site.directory();
    let of_office = entry.office.as_ref().map(|office| office.title.as_str());
    let title = of_office.or(entry.outcome.office.as_deref());
    let is_side = |body: &Row| side.is_some_and(|side| directory.is_same(side, *body));
    let body = entry.body.filter(|body| !is_side(body)).map(|body| full_name(&directory.jurisdiction(body)));
    let bare = |title| body.as_deref().map_or(title, |name| without_body(name, title));
    let is_named = |name: &String| title.is_some_and(|title| is_named_in(name, bare(title)));
    html! {
        @match (&entry.office, entry.outcome.office.as_deref()) {
            (Some(office), _) => { a href=(site.office(office)) { (bare(&office.title)) } }
            (None, Some(title)) => { (bare(title)) }
            (None, None) => { (WORDS.label(Label::NoOffice)) }
        }
        @if let Some(body) = body.as_ref().filter(|name| !is_named(name)) { ", " (body) }
    }
}

/// Shows links in one line and the telephone number below; nothing if neither is known.
fn ways(site: Site<'_>, entry: &Entry, actions: &[Action<'_>]) -> Markup {
    let shown = entry.office.as_ref().and_then(|office| office.shown_site(site.directory()));
    let phone = shown.as_ref().and_then(|shown| Some((shown.phone?, reach::short_note(shown))));
    html! {
        (in_one_line(actions))
        @if let Some((phone, note)) = &phone { p.call { (WORDS.label(Label::Call)) " " (telephone(phone)) (note) } }
    }
}

/// Shows the links for a task on a page that shows the other data of its office.
pub(super) fn links(site: Site<'_>, entry: &Entry) -> Markup {
    let actions = first_actions(site, entry);
    html! { @if actions.iter().all(|action| !action.is_main) { (in_one_line(&actions)) } }
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

/// Returns the first links of an entry: a page on which to do the task, and the office's own page. The main site of
/// the government replaces either if it is missing. Omits portals and data downloads, which are for programs. Of two
/// links with the same text, returns the first.
fn first_actions<'s>(site: Site<'s>, entry: &Entry) -> Vec<Action<'s>> {
    let links = entry.links(site.directory());
    let action = |link: &Link<'s>| {
        let text = match link.kind {
            LinkKind::Action(action) => WORDS.action(action).into(),
            LinkKind::Office => WORDS.label(Label::OfficePage).into(),
            LinkKind::HomePage => WORDS.phrase(Phrase::StartAt(host(link.url))).into(),
            LinkKind::Page => link.page.map(|page| page.name)?.into(),
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
    /// Shows the link. Adds its host, unless the next link has the same host or the text already names it.
    fn link(&self, next: Option<&str>) -> Markup {
        let is_host_shown = !self.is_main && next.is_none_or(|next| host(next) != host(self.url));
        html! {
            a href=(self.url) rel="external" { (self.text) }
            @if is_host_shown { " " span.host { (host(self.url)) } }
            @if self.status == VerifiedStatus::PossiblyBroken { " (" (WORDS.phrase(Phrase::Link(self.status, ""))) ")" }
        }
    }
}

/// Shows a government to ask if no office is known, unless its site is among the task's links.
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
