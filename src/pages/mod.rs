//! Pages for people: an HTTP interface that renders typed answers as HTML.
//!
//! A [`route`] is the parsed address of a page. [`door`] gets the answer for a route from [`platbook::answers`], as
//! every interface does, and passes it to the page for this kind of answer. Pages read answers, the directory to
//! which answers refer, and [`crate::maps`], but never a snapshot. Pages work without a script. `assets/` has one
//! style sheet, and one script for suggestions, the reader's location, exact clicks on a map, and requests of the
//! API.

mod about;
mod ask;
mod assets;
mod changelog;
mod changes;
mod confidence;
mod corrections;
mod cost;
mod coverage;
mod data;
mod dates;
mod discovery;
mod docs;
mod door;
mod front;
mod guides;
mod layout;
mod linked;
mod lists;
mod made;
mod map;
mod media;
mod nearby;
mod office;
mod page_cache;
mod place;
mod point;
mod problems;
mod query;
mod questions;
mod reach;
mod reasons;
mod report;
mod resource;
mod route;
mod screening;
mod site;
mod sitemap;
mod states;
mod tasks;
mod topics;
mod words;
mod zoom;

pub use corrections::{BadCorrections, Corrections};
pub use door::Pages;
