//! Chooses the few pages that a model reads. The place's own pages on the topic come first, then its own on a related one.
//! Laws, map services and national pages follow.
//!
//! Without it, a list for a county with one map is filled with map services of federal agencies, while the county's property
//! search stays unseen.

use std::sync::Arc;

use platbook::{
    answers::ResourceList,
    directory::{Directory, Matches, ResourceView, Row},
    vocabulary::{PageUse, SourceKind, Topic},
    words::{English, Phrase, Words as _},
};

/// Pages that are chosen from: REST's default.
pub(super) const FROM: usize = 50;

/// Topics whose pages help where pages on a topic are few, the closest first.
fn related(topic: Topic) -> &'static [Topic] {
    use Topic as T;
    match topic {
        T::ParcelMap => &[T::CountyGis, T::Assessor, T::PropertyRecordsGeneral, T::PlatsSurveys],
        T::CountyGis => &[T::ParcelMap, T::Assessor, T::PropertyRecordsGeneral],
        T::Assessor => &[T::PropertyRecordsGeneral, T::ParcelMap, T::CountyGis, T::PropertyTaxPayment],
        T::PropertyTaxPayment => &[T::TaxCollector, T::Assessor],
        T::TaxCollector => &[T::PropertyTaxPayment, T::Assessor],
        T::RecorderDeeds => &[T::PlatsSurveys, T::PropertyRecordsGeneral, T::Assessor],
        T::PlatsSurveys => &[T::RecorderDeeds, T::ParcelMap, T::CountyGis],
        T::Zoning => &[T::BuildingPermits, T::CountyGis, T::ParcelMap],
        T::BuildingPermits => &[T::Zoning, T::SepticWell],
        T::SepticWell => &[T::BuildingPermits, T::Zoning],
        T::Floodplain | T::Wetlands => &[T::Zoning, T::BuildingPermits, T::CountyGis],
        T::RoadsRightOfWay | T::PublicLand => &[T::CountyGis, T::ParcelMap],
        T::Soils | T::Elevation => &[T::CountyGis],
        T::Appeals => &[T::Assessor, T::PropertyRecordsGeneral],
        T::Exemptions => &[T::Assessor, T::PropertyTaxPayment],
        T::PropertyRecordsGeneral => &[T::Assessor, T::RecorderDeeds, T::ParcelMap],
    }
}

/// Leaves at most `limit` pages in a list that has up to [`FROM`]. Returns a remark if more are on record.
pub(super) fn choose<'d>(
    directory: &'d Directory,
    list: &mut ResourceList<'d>,
    limit: usize,
) -> Option<String> {
    let on_topic = list.resources.len();
    let country = directory.country_row();
    // Of wetlands or soils an agency knows more than the place does.
    let is_local_job = list.topic.is_some_and(|topic| !topic.functions().is_empty());
    let is_padding = |view: &ResourceView<'_>| {
        Some(view.jurisdiction) == country
            || view.page_use == PageUse::Law
            || (view.page_use == PageUse::Agency && is_local_job)
            || view.kind == SourceKind::MapData
    };
    let all = std::mem::take(&mut list.resources);
    let (padding, own): (Vec<ResourceView<'d>>, Vec<_>) = all.into_iter().partition(is_padding);
    list.resources = own;
    if let Some(topic) = list.topic.filter(|_| list.resources.len() < limit) {
        let others = of_place(directory, list.place, topic);
        let new = others.into_iter().filter(|view| list.resources.iter().all(|known| known.url != view.url));
        let new: Vec<ResourceView<'_>> = new.take(limit - list.resources.len()).collect();
        list.resources.extend(new);
    }
    list.resources.extend(padding);
    let is_whole = list.next_cursor.take().is_none() && list.resources.len() <= limit;
    if !is_local_job {
        keep_national(list, country, limit);
    }
    list.resources.truncate(limit);
    let hidden = on_topic.saturating_sub(limit);
    (!is_whole && hidden > 0).then(|| English.phrase(Phrase::MoreOnTopic(hidden, FROM)))
}

/// Moves the best national page to the last of the pages that are shown, if none is among them: flood maps are FEMA's.
fn keep_national(list: &mut ResourceList<'_>, country: Option<Row>, limit: usize) {
    let is_national = |view: &ResourceView<'_>| Some(view.jurisdiction) == country;
    let Some(last) = limit.checked_sub(1) else { return };
    if let Some(at) = list.resources.iter().position(is_national).filter(|at| *at > last) {
        let page = list.resources.remove(at);
        list.resources.insert(last, page);
    }
}

/// Leaves out national pages of a text's results if a place has pages of its own.
pub(super) fn prefer_local(directory: &Directory, matches: &mut Arc<Matches>) {
    let country = directory.country_row();
    let is_local =
        |number: &usize| directory.resource(*number).is_some_and(|view| Some(view.jurisdiction) != country);
    if matches.resources.iter().any(is_local) {
        Arc::make_mut(matches).resources.retain(is_local);
    }
}

/// Returns pages of the place, then of its county, on related topics, the closest topic first. Main sites, laws and map
/// services are left out.
fn of_place<'d>(directory: &'d Directory, place: Row, topic: Topic) -> Vec<ResourceView<'d>> {
    let state = directory.state_of(place).and_then(|state| directory.state_row(state));
    let own = |row: &Row| Some(*row) != state && Some(*row) != directory.country_row();
    let rows = directory.with_parents(place).into_iter().filter(own);
    let rank = |view: &ResourceView<'_>| related(topic).iter().position(|other| view.topics.has(*other));
    let mut views: Vec<ResourceView<'d>> = Vec::new();
    for row in rows {
        let mut of_row = directory.own_resources(row);
        of_row.retain(|view| {
            rank(view).is_some() && view.page_use == PageUse::Act && !directory.is_main_site(view)
        });
        of_row.sort_by_key(rank);
        views.extend(of_row);
    }
    views
}
