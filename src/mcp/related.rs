//! Chooses the few pages that a model gets. The place's own pages on the topic come first, then its own pages on
//! related topics. Laws, map services and national pages follow.
//!
//! Without this order, map services of federal agencies would fill the list of a county with one map, and hide the
//! county's property search.

use std::sync::Arc;

use platbook::{
    answers::{Answers, Entry, PAGE_LIMIT_MAX, Request, ResourceList, national_page, state_page_beside_jobs},
    directory::{Directory, Matches, ResourceView, Row},
    facts::FactKey,
    vocabulary::{Layer, PageUse, StateCode, Topic},
    words::{English, Phrase, Words as _},
};

/// Number of pages that are ordered together: the maximum that REST returns at once.
pub(super) const FROM: usize = PAGE_LIMIT_MAX;

/// Number of pages in a short list, to which pages on related topics may be added: the default of the tool.
pub(super) const FEW: usize = 3;

/// Returns related topics, the closest first. Their pages help if there are few pages on the topic itself.
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

/// Turns a request for the first few pages into a request for [`FROM`] pages. Returns how many pages were requested;
/// `None` for other requests.
pub(super) fn ask_all(request: &mut Request) -> Option<usize> {
    match request {
        Request::Resources { paging, .. } if paging.cursor.is_none() => {
            Some(std::mem::replace(&mut paging.limit, FROM))
        }
        _ => None,
    }
}

/// Shortens a list of up to [`FROM`] pages to `limit` pages. A longer list begins with the same pages as a shorter
/// one. Returns a remark if there are more pages.
pub(super) fn choose<'d>(answers: &'d Answers, list: &mut ResourceList<'d>, limit: usize) -> Option<String> {
    let last = arrange(answers, list);
    let is_cut = list.resources.len() > limit;
    let on_topic = |view: &&ResourceView<'_>| list.topic.is_none_or(|topic| view.topics.has(topic));
    let hidden = list.resources.iter().take(last).skip(limit).filter(on_topic).count();
    list.resources.truncate(if limit <= FEW { limit.min(last) } else { limit });
    if is_cut {
        // The cursor is removed, since it would continue after the whole list and not after the shown pages.
        list.next_cursor = None;
    }
    (hidden > 0).then(|| English.phrase(Phrase::MoreOnTopic(hidden, FROM)))
}

/// Orders the pages of a list whatever its limit, and adds pages on related topics if it has few. Pages that a short
/// list omits come last. Returns the number of pages before those. A short list omits national pages on a local
/// office's job, and pages of a county that leaves the job to others.
fn arrange<'d>(answers: &'d Answers, list: &mut ResourceList<'d>) -> usize {
    let directory = answers.directory();
    let Some(topic) = list.topic else { return list.resources.len() };
    let country = directory.country_row();
    // On septic systems or soils, an agency's pages say more than the place's own pages. On soils, these are pages of
    // a national agency.
    let is_local_job = !topic.office_functions().is_empty();
    let is_national = topic.functions().is_empty();
    let place = list.place;
    let doers = county_doers(answers, topic, place);
    let is_last = |view: &ResourceView<'_>| {
        let is_county = directory.layer(view.jurisdiction) == Some(Layer::County);
        let does_not = |doers: &Vec<Row>| !doers.iter().any(|row| directory.is_same(*row, view.jurisdiction));
        (is_local_job && Some(view.jurisdiction) == country && Some(place) != country)
            || (is_county && doers.as_ref().is_some_and(does_not))
    };
    let is_padding = |view: &ResourceView<'_>| {
        Some(view.jurisdiction) == country
            || view.page_use == PageUse::Law
            || (view.page_use == PageUse::Agency && is_local_job)
            || view.is_no_page()
    };
    let all = std::mem::take(&mut list.resources);
    let (last, all): (Vec<ResourceView<'d>>, Vec<_>) = all.into_iter().partition(is_last);
    let (padding, mut own): (Vec<ResourceView<'d>>, Vec<_>) = all.into_iter().partition(is_padding);
    if let Some(state) = directory.state_of(list.place).filter(|_| !is_local_job)
        && let Some(page) = state_page_beside_jobs(directory, state, topic)
    {
        put_first_of_state(directory, state, &mut own, page);
    }
    let new = of_place(directory, list.place, topic).into_iter();
    let new = new.filter(|view| own.iter().chain(&padding).chain(&last).all(|known| known.url != view.url));
    // The last position in a short list is for a national page.
    let room = if is_national { FEW - 1 } else { FEW };
    let new: Vec<ResourceView<'_>> = new.take(room.saturating_sub(own.len())).collect();
    own.extend(new);
    own.extend(padding);
    if is_national {
        keep_national(directory, topic, &mut own);
    }
    let before_last = own.len();
    own.extend(last);
    list.resources = own;
    before_last
}

/// Returns the bodies whose offices do the jobs of a topic. `None` if not all are known, and for topics on which a
/// county also helps. For example, a county hears appeals from towns' assessors, and has maps of cities.
fn county_doers(answers: &Answers, topic: Topic, place: Row) -> Option<Vec<Row>> {
    use Topic as T;
    let is_of_one_office = matches!(
        topic,
        T::Assessor
            | T::TaxCollector
            | T::PropertyTaxPayment
            | T::RecorderDeeds
            | T::Zoning
            | T::BuildingPermits
    );
    let entries = is_of_one_office.then(|| answers.entries_on(&[topic], answers.territory_of(place)))?;
    let bodies: Option<Vec<Row>> = entries.iter().flat_map(Entry::all).map(|entry| entry.body).collect();
    bodies.filter(|bodies| !bodies.is_empty())
}

/// Moves the state's page about the topic before the state's other pages, such as ground-water logs before septic
/// systems.
fn put_first_of_state<'d>(
    directory: &Directory,
    state: StateCode,
    own: &mut Vec<ResourceView<'d>>,
    page: ResourceView<'d>,
) {
    own.retain(|view| view.number != page.number);
    let of_state = |view: &ResourceView<'_>| Some(view.jurisdiction) == directory.state_row(state);
    let at = own.iter().position(of_state).unwrap_or(own.len());
    own.insert(at, page);
}

/// Moves the best national page to the last position of a short list that would show none: FEMA makes the flood maps.
/// The best page shows the fact itself.
fn keep_national(directory: &Directory, topic: Topic, pages: &mut Vec<ResourceView<'_>>) {
    let country = directory.country_row();
    let of_fact = FactKey::of_topic(topic).and_then(|key| national_page(directory, key));
    let is_fact = |view: &ResourceView<'_>| of_fact.is_some_and(|page| page.number == view.number);
    let is_national = |view: &ResourceView<'_>| Some(view.jurisdiction) == country;
    let found = pages.iter().position(is_fact).or_else(|| pages.iter().position(is_national));
    if let Some(at) = found.filter(|at| *at >= FEW) {
        let page = pages.remove(at);
        pages.insert(FEW - 1, page);
    }
}

/// Removes national pages from the results for a text if a place has pages of its own.
pub(super) fn prefer_local(directory: &Directory, matches: &mut Arc<Matches>) {
    let country = directory.country_row();
    let is_local =
        |number: &usize| directory.resource(*number).is_some_and(|view| Some(view.jurisdiction) != country);
    if matches.resources.iter().any(is_local) {
        Arc::make_mut(matches).resources.retain(is_local);
    }
}

/// Returns pages on related topics of the place, then of its county, the closest topic first. Omits main sites, laws
/// and map services.
fn of_place<'d>(directory: &'d Directory, place: Row, topic: Topic) -> Vec<ResourceView<'d>> {
    let state = directory.state_of(place).and_then(|state| directory.state_row(state));
    let own = |row: &Row| Some(*row) != state && Some(*row) != directory.country_row();
    let rows = directory.with_parents(place).into_iter().filter(own);
    let rank = |view: &ResourceView<'_>| related(topic).iter().position(|other| view.topics.has(*other));
    let mut views: Vec<ResourceView<'d>> = Vec::new();
    for row in rows {
        let mut of_row = directory.own_resources(row);
        of_row.retain(|view| {
            let is_page = view.page_use == PageUse::Act && !view.is_no_page();
            rank(view).is_some() && is_page && !directory.is_main_site(view)
        });
        of_row.sort_by_key(rank);
        views.extend(of_row);
    }
    views
}
