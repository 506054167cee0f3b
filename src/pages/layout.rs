//! The layout that all pages share: head, header, trail of links, footer.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::{
    assets::{ICON, PREVIEW, SCRIPT, STYLE},
    corrections::Report,
    linked, report,
    site::Site,
    words::date,
};

/// A page without its layout.
#[derive(Debug)]
pub(super) struct PageLayout {
    /// The subject of the page, without the name of the service.
    pub(super) title: String,
    /// One or two sentences, which search engines show in their results.
    pub(super) description: String,
    /// The canonical path and query of the page; empty for pages without one, such as refusals.
    pub(super) path: String,
    /// The pages above this one, the widest first: name and link.
    pub(super) trail: Vec<(String, String)>,
    /// The content of the page, with its one `h1`.
    pub(super) body: Markup,
    /// The content for programs, in the terms of schema.org.
    pub(super) linked: Vec<Value>,
    /// The path of the same answer as JSON; `None` for a page without one.
    pub(super) json: Option<String>,
    /// Whether search engines may list the page.
    pub(super) listed: bool,
    /// The report of an error that a person may begin here; `None` for a report that only names the page.
    pub(super) report: Option<Report>,
}

impl PageLayout {
    /// Makes a page with an empty trail and without content for programs.
    pub(super) fn new(
        title: impl Into<String>,
        description: impl Into<String>,
        path: impl Into<String>,
        body: Markup,
    ) -> PageLayout {
        PageLayout {
            title: title.into(),
            description: description.into(),
            path: path.into(),
            trail: Vec::new(),
            body,
            linked: Vec::new(),
            json: None,
            listed: true,
            report: None,
        }
    }

    /// Returns the whole HTML document.
    pub(super) fn render(&self, site: Site<'_>) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (self.head(site))
                body {
                    a.skip href="#main" { "Skip to the page" }
                    (header(site))
                    main #main {
                        (self.trail())
                        (self.body)
                    }
                    (self.footer(site))
                }
            }
        };
        page.into_string()
    }

    fn head(&self, site: Site<'_>) -> Markup {
        let asset = |name: &str| site.href(&format!("/assets/{name}"));
        let canonical = format!("{}{}", site.origin(), self.path);
        let title = if self.path == "/" { self.title.clone() } else { format!("{} | platbook", self.title) };
        html! {
            head {
                meta charset="utf-8";
                title { (title) }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="description" content=(self.description);
                meta name="color-scheme" content="light dark";
                @if !self.listed { meta name="robots" content="noindex"; }
                @if !self.path.is_empty() {
                    link rel="canonical" href=(canonical);
                    meta property="og:url" content=(canonical);
                }
                @if let Some(json) = &self.json {
                    link rel="alternate" type="application/json" href=(site.href(json));
                }
                link rel="stylesheet" href=(asset(&STYLE.name));
                link rel="icon" type="image/svg+xml" href=(asset(&ICON.name));
                meta property="og:title" content=(self.title);
                meta property="og:description" content=(self.description);
                meta property="og:type" content="website";
                meta property="og:image" content=(format!("{}/assets/{}", site.origin(), PREVIEW.name));
                script src=(asset(&SCRIPT.name)) defer {}
                @for data in self.linked.iter().chain(&linked::trail(site, &self.trail)) {
                    script type="application/ld+json" { (PreEscaped(linked::in_html(data))) }
                }
            }
        }
    }

    fn trail(&self) -> Markup {
        html! {
            @if !self.trail.is_empty() {
                nav.trail aria-label="You are here" {
                    ol { @for (name, link) in &self.trail { li { a href=(link) { (name) } } } }
                }
            }
        }
    }

    fn footer(&self, site: Site<'_>) -> Markup {
        let report = self.report.clone().unwrap_or_else(|| report::page(site, &self.path));
        html! {
            footer.foot {
                p {
                    "platbook is a guide, not an authority: the office that is named has the final say. "
                    "Data as of " (date(site.directory().as_of())) "."
                }
                @if !self.path.is_empty() && self.path != "/" { (self.cite(site)) }
                ul.plain {
                    li { a href=(site.corrections().link(&report)) rel="nofollow" { (site.corrections().words()) } }
                    li { a href=(site.href("/data")) { "Sources and freshness" } }
                    li { a href=(site.href("/about")) { "About" } }
                    li { a href=(site.href("/docs")) { "API" } }
                    @if let Some(json) = &self.json { li { a href=(site.href(json)) { "This answer as JSON" } } }
                }
            }
        }
    }

    /// Shows how to cite the page: its title, date, edition and address.
    fn cite(&self, site: Site<'_>) -> Markup {
        let directory = site.directory();
        let address = format!("{}{}", site.origin(), self.path);
        html! {
            details.cite {
                summary { "Cite or link to this page" }
                p { "platbook, “" (self.title) "”, data of " (date(directory.as_of())) ", edition " (directory.snapshot_id()) ", " a href=(address) { (address) } }
                p { "The page lists its sources; their licenses are under " a href=(site.href("/data")) { "Sources and freshness" } ". The edition names the exact data: the same edition gives the same answer." }
            }
        }
    }
}

fn header(site: Site<'_>) -> Markup {
    html! {
        header.top {
            a.name href=(site.href("/")) { "platbook" }
            nav aria-label="Main" {
                ul.plain {
                    li { a href=(site.href("/states")) { "States" } }
                    li { a href=(site.href("/topics")) { "Topics" } }
                    li { a href=(site.href("/guides")) { "Guides" } }
                }
            }
        }
    }
}
