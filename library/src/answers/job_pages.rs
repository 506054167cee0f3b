//! The pages that an entry shows beside the office of a job.

use crate::{
    directory::{Directory, ResourceView, Row},
    vocabulary::{Function, PageUse, Topic},
};

/// Returns pages of these places for a function, best first. If an office is named, leaves out main sites. Otherwise
/// leaves out only main sites about property in general.
pub(super) fn pages<'d>(
    directory: &'d Directory,
    places: &[Row],
    function: Function,
    has_office: bool,
) -> Vec<ResourceView<'d>> {
    let mut views = directory.resources_for_function(places, function);
    views.retain(|view| {
        view.page_use != PageUse::Law
            && !view.is_no_page()
            && !(directory.is_main_site(view) && (has_office || !is_for(view, function)))
    });
    views
}

/// Whether a page is about this function, and not only about property in general.
fn is_for(view: &ResourceView<'_>, function: Function) -> bool {
    let topics = function.topics().iter().filter(|topic| **topic != Topic::PropertyRecordsGeneral);
    topics.copied().any(|topic| view.topics.has(topic))
}
