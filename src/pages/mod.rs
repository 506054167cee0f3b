//! Pages for people: a front end, and a renderer of the typed answers.
//!
//! A [`route`] is what an address stands for. [`door`] gets its answer from [`platbook::answers`], as every front end
//! does, and passes it to the page of its kind. Pages read answers, the directory that they point into, and
//! [`crate::maps`]; they know no snapshot. They work without script. `assets/` has one style sheet, and one script for
//! suggestions, the reader's location, exact clicks on a map, and requests of the API.

mod about;
mod ask;
mod assets;
mod changelog;
mod changes;
mod confidence;
mod corrections;
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
