//! Pages for people: one more door, and one more renderer of the typed answers.
//!
//! A [`route`] says what an address asks for. [`door`] has the question planned, looked up if need be, and finished by
//! [`platbook::answers`], as every door does, and gives the answer to the page of its kind, which puts it into plain words.
//! Pages read answers, the directory that they point into, and [`crate::maps`]; they know no snapshot. They work
//! without script: `assets/` has one style sheet and one script, which adds suggestions, one's own location and
//! the click on a map.

mod about;
mod ask;
mod assets;
mod cards;
mod confidence;
mod data;
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
mod questions;
mod report;
mod resource;
mod route;
mod screening;
mod short;
mod site;
mod sitemap;
mod states;
mod topics;
mod words;

pub use door::Pages;
