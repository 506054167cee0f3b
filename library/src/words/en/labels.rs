//! Headings and short remarks, in English.

use super::{English, coverage::known_text};
use crate::{
    answers::FoundAddress,
    directory::Quality,
    vocabulary::{
        Action, DatedKind, Function, LevyScope, PublisherKind, Role, SourceKind, StateCode, Topic,
        VerifiedStatus,
    },
    words::{FunctionText, Label, Phrase, TopicText, date, day, figures::listed, thousands},
};

impl English {
    pub(super) fn label_text(label: Label) -> &'static str {
        match label {
            Label::Governments => "Governments",
            Label::GovernmentsWithIds => "Governments (type:GEOID)",
            Label::WhoDoesWhat => "Who does what",
            Label::WhoDoesWhatVaries => "Who does what (each varies locally)",
            Label::Offices => "Offices",
            Label::Pages => "Pages",
            Label::PagesByTopic => "Pages by topic",
            Label::Places => "Places",
            Label::Counties => "Counties",
            Label::MapFacts => "What the maps say",
            Label::Caveats => "Please note",
            Label::Sources => "Sources",
            Label::OwnPage => "Page",
            Label::Topic => "Topic",
            Label::Also => "also",
            Label::Best => "Best",
            Label::Then => "Then",
            Label::Confirm => "confirm",
            Label::Decides => "decides",
            Label::DecidesHere => "Here",
            Label::ScreenHere => "screen_location looks up the fact at a point or an address.",
            Label::Telephone => "Tel.",
            Label::NoTelephone => "(no telephone on record)",
            Label::Note => "note",
            Label::RelatedGuides => "Related guides",
            Label::DatesAndAmounts => "Dates and amounts",
            Label::NoOffice => "No office does this here",
            Label::NotSure => "not sure: ask first",
            Label::VariesLocally => "varies locally",
            Label::MainSite => "main site",
            Label::NoPage => "No page is on record.",
            Label::NotOfficial => "not official",
            Label::UncheckedLinks => "Links without a remark were not checked yet.",
            Label::NoRule => "No rule for this is on record here.",
            Label::NoContact => "No page or telephone number of this office is on record.",
            Label::NoNumber => "No telephone number of it is on record.",
            Label::Tasks => "What do you need?",
            Label::InTrust => {
                "Land held in trust pays no county tax, and county zoning and permits do not apply there. No map shows which \
                               parcels are in trust."
            }
            Label::TasksInFee => "On land owned outright: county and state offices",
            Label::Call => "Call",
            Label::WhyThese => "Why these offices, and the law",
            Label::OfficePage => "Open the office’s page",
            Label::StartAtMainSite => "Start at the main site",
            Label::SameEitherWay => "The same either way",
            Label::DependsOnLine => "Depends on the line",
            Label::Likely => "likely",
            Label::IfLineIsOff => "if the line is off",
            Label::DependsOnCity => "Depends on the city or town",
            Label::ChooseAbove => "Choose your city or town above: it does these, or knows who does.",
            Label::WhatItChanges => "Who decides there, and the law",
            Label::KnownByJob => "Known by job, in percent of people",
            Label::KnownByState => {
                "Known by state, in percent of people over all jobs: office, page, telephone"
            }
            Label::KnownOutlines => "Outlines",
            Label::KnownLinks => "Links and rules",
            Label::ChooseCity => "Is the land in a city or village? Choose it:",
            Label::ChooseTown => "Which city or town is the land in? Choose it:",
        }
    }

    pub(super) fn phrase_text(phrase: Phrase<'_>) -> String {
        match phrase {
            Phrase::Quality(quality) => quality_text(quality).to_owned(),
            Phrase::Law(law) => format!("Law: {law}{}", if law.ends_with('.') { "" } else { "." }),
            Phrase::Role(role, levy) => role_text(role, levy).to_owned(),
            Phrase::Link(status, listed) => link_text(status, listed),
            Phrase::FoundBy(kind) => source_text(kind).to_owned(),
            Phrase::AddressRead(FoundAddress { matched_address, geocoder, method, .. }) => {
                format!("The address was read as {matched_address} ({geocoder}, {method}).")
            }
            Phrase::AddressShare(0) => "less than 1% of its addresses".to_owned(),
            Phrase::AddressShare(percent) => format!("about {percent}% of its addresses"),
            Phrase::SameOffice(function) => format!("same office as {}.", function.as_str()),
            Phrase::InPart(functions) => {
                let jobs: Vec<&str> = functions.iter().map(|function| function.as_str()).collect();
                format!("in a part of it, {}", jobs.join(" and "))
            }
            Phrase::AskHall(word, name) => format!("Ask at the {} of {name}.", hall(word)),
            Phrase::PageOf(name) => format!("page of {name}"),
            Phrase::InState(state) => format!("In {state}"),
            Phrase::FurtherSources(count) => {
                format!("Sources, besides those linked: {count}, in the structured content.")
            }
            Phrase::OtherSources(sources) => format!("Sources, besides those linked: {sources}."),
            Phrase::NotOfficial(kind) => not_official(kind).to_owned(),
            Phrase::MapOf(date) => format!("Map of {date}."),
            Phrase::GuideChecked(date) => format!("Guide checked on {date}."),
            Phrase::RulesChecked(date) => format!("Rules checked on {date}."),
            Phrase::LinksGathered(date) => {
                format!("Links were gathered on {date} or later and have not been opened since.")
            }
            Phrase::StartByAsking(name) => format!("Start by asking {name}"),
            Phrase::AskNation(nation) => format!("Ask the {nation} first."),
            Phrase::OnLand(land) => format!("This point lies in {land}."),
            Phrase::Anywhere(name) => format!("The same anywhere in {name}"),
            Phrase::AsOf(date) => {
                format!(
                    "Data of {}. A guide, not an authority: the named office has the final say.",
                    day(date)
                )
            }
            Phrase::Telephones(known, all) => telephones(known, all),
            Phrase::MoreOnTopic(more, limit) => {
                format!("{more} more on this topic: repeat the call with limit {limit}.")
            }
            Phrase::People(people, year) => format!("{} people in {year}", thousands(u64::from(people))),
            Phrase::TakenBy(office) => format!("File it with {office}."),
            Phrase::StartAt(host) => format!("Start at {host}"),
            Phrase::DatedInShort(kind, days) => dated_in_short(kind, days),
            Phrase::FurtherRelief(kinds, state) => further_relief(kinds, state),
            Phrase::OnlyOffice(place) => {
                format!("No page on this topic is on record for {place}. Ask the office named here.")
            }
            Phrase::NoLocalOffice(place) => no_local_office(place),
            Phrase::CityTaken(city, others) => format!(
                "This answer is for {city}. For another government of this name, ask with its jurisdiction_id: {others}."
            ),
            Phrase::Shown(shown, all) => format!("{} of {}:", thousands(shown as u64), thousands(all as u64)),
            Phrase::PlacesShown(shown) => {
                format!("{shown} places are shown, and there may be more: repeat the call with limit 50.")
            }
            Phrase::Known(known) => known_text(known),
            Phrase::NextPage(cursor) => {
                format!("There are more pages. Repeat the request with cursor {cursor}")
            }
        }
    }

    /// The words for one county of a state and for several.
    pub(super) fn county_text(state: StateCode) -> (&'static str, &'static str) {
        match state.usps() {
            "LA" => ("parish", "parishes"),
            "AK" => ("borough or census area", "boroughs and census areas"),
            "PR" => ("municipio", "municipios"),
            "CT" => ("planning region", "planning regions"),
            _ => ("county", "counties"),
        }
    }

    pub(super) fn function_text(function: Function) -> FunctionText {
        let (name, question, task) = match function {
            Function::Assessment => (
                "Property value",
                "What is my property worth for tax, and how do I appeal?",
                "Question the value of a property, or appeal",
            ),
            Function::TaxCollection => (
                "Paying property tax",
                "Where do I look up or pay my property tax bill?",
                "Pay a property tax bill",
            ),
            Function::Recording => (
                "Deeds and land records",
                "Where is my deed, mortgage or lien on record?",
                "Get a copy of a deed, or record one",
            ),
            Function::Zoning => ("Zoning", "What may I build or do on this land?", "Ask what zoning allows"),
            Function::Permits => {
                ("Building permits", "Do I need a permit, and who issues it?", "Get a building permit")
            }
            Function::Gis => {
                ("Property maps", "Where are my property lines on a map?", "Find property lines on a map")
            }
            Function::Exemptions => (
                "Exemptions and tax relief",
                "Can I pay less: homestead, senior, veteran?",
                "Claim an exemption or tax relief",
            ),
        };
        FunctionText { name, question, task }
    }

    pub(super) fn action_text(action: Action) -> &'static str {
        match action {
            Action::PayBill => "Pay or look up the bill",
            Action::LookUpProperty => "Look up the property and its value",
            Action::QuestionValue => "Question the value or appeal",
            Action::ClaimExemption => "Claim an exemption",
            Action::FindDeed => "Find a deed",
            Action::LookUpZoning => "Look up the zoning",
            Action::ApplyForPermit => "Apply for a permit",
            Action::SeeParcelMap => "See the parcel on a map",
            Action::GetMapData => "Get map data",
        }
    }

    pub(super) fn dated_kind_text(kind: DatedKind) -> &'static str {
        match kind {
            DatedKind::Appeal => "Last day to appeal",
            DatedKind::Exemption => "Exemption",
            DatedKind::Due => "Due",
            DatedKind::Penalty => "If you pay late",
            DatedKind::RecordingFee => "Fee to record",
            DatedKind::CopyFee => "Fee for a copy",
            DatedKind::TransferTax => "Tax on a sale",
            DatedKind::ExemptionSenior => "For older owners",
            DatedKind::ExemptionVeteran => "For veterans",
            DatedKind::ExemptionDisability => "For disabled owners",
            DatedKind::ExemptionIncome => "For low incomes",
            DatedKind::AppealNext => "Next step of an appeal",
            DatedKind::ExemptionFarm => "For farmland",
        }
    }

    pub(super) fn topic_text(topic: Topic) -> TopicText {
        let (name, description) = match topic {
            Topic::ParcelMap => ("Parcel map", "Maps of property lines, parcel numbers and lot sizes."),
            Topic::CountyGis => (
                "County and city map sites (GIS)",
                "Map sites and open map data of counties, cities and states.",
            ),
            Topic::Assessor => (
                "Property assessment",
                "The office that sets a property's value for tax, with value lookups, appeals and exemptions.",
            ),
            Topic::PropertyTaxPayment => {
                ("Paying property tax", "How to look up and pay a property tax bill.")
            }
            Topic::TaxCollector => (
                "Property tax office",
                "The office that sends tax bills, takes payments and handles overdue tax.",
            ),
            Topic::RecorderDeeds => (
                "Deeds and land records",
                "The office that records deeds, mortgages and liens, and where to search them.",
            ),
            Topic::PlatsSurveys => ("Plats and surveys", "Maps of subdivisions, surveys and survey marks."),
            Topic::Zoning => {
                ("Zoning and land use", "Rules for what may be built or done on a lot, and who decides.")
            }
            Topic::BuildingPermits => {
                ("Building permits", "The offices that issue permits for building, and the codes that apply.")
            }
            Topic::SepticWell => {
                ("Septic systems and wells", "Permits and records for septic systems and private wells.")
            }
            Topic::Wetlands => ("Wetlands", "Wetland maps, and who decides what is a wetland."),
            Topic::Floodplain => ("Flood zones", "Flood maps, flood zones and flood insurance."),
            Topic::Soils => ("Soils", "Soil maps, and what a soil is fit for."),
            Topic::Elevation => ("Elevation", "Ground height, contour lines and lidar."),
            Topic::RoadsRightOfWay => {
                ("Roads and rights of way", "Owners of roads, road rights of way and driveway permits.")
            }
            Topic::PublicLand => ("Public land", "Land of the federal, state and local governments."),
            Topic::PropertyRecordsGeneral => (
                "Property records in general",
                "A first place to look when it is not clear which office has a record.",
            ),
            Topic::Appeals => (
                "Appeals of the value",
                "How to question or appeal an assessed value, where, and by which day.",
            ),
            Topic::Exemptions => (
                "Exemptions and tax relief",
                "Ways to pay less property tax, who may use them, and by which day.",
            ),
        };
        TopicText { name, description }
    }
}

/// A sentence on how many of these offices have a telephone on record.
fn telephones(known: usize, all: usize) -> String {
    match (known, all) {
        (_, 1) => "No telephone is on record for it.".to_owned(),
        (0, all) => format!("None of these {all} has a telephone on record."),
        (known, all) => format!("A telephone is on record for {known} of these {all}."),
    }
}

/// A kind of dates, with its next days if there are any.
fn dated_in_short(kind: DatedKind, days: &str) -> String {
    match (kind, days) {
        (DatedKind::Appeal, "") => "How and when to appeal".to_owned(),
        (DatedKind::Appeal, days) => format!("Appeal by {days}"),
        (DatedKind::Due, "") => "When it is due".to_owned(),
        (DatedKind::Exemption, "") => "Exemption".to_owned(),
        (DatedKind::Exemption, days) => format!("Apply by {days}"),
        (kind, "") => English::dated_kind_text(kind).to_owned(),
        (kind, days) => format!("{} {days}", English::dated_kind_text(kind)),
    }
}

fn no_local_office(place: &str) -> String {
    format!("No page or telephone of {place} on this topic is on record. Ask at the main site.")
}

fn quality_text(quality: Quality) -> &'static str {
    match quality {
        Quality::Inside => "",
        Quality::Sliver => "The maps disagree here; see the notes.",
        Quality::Water => "The point lies in water; see the notes.",
        Quality::Nearest { .. } => "The point lies outside all mapped lines; see the notes.",
    }
}

/// The result of a link's check, as the end of a sentence. `listed` is the day on which the source of the link was
/// read; empty if unknown.
fn link_text(status: VerifiedStatus, listed: &str) -> String {
    match status {
        VerifiedStatus::Verified => "link checked".to_owned(),
        VerifiedStatus::NotYetVerified if listed.is_empty() => "link not checked yet".to_owned(),
        VerifiedStatus::NotYetVerified => format!("link listed on {} and not opened since", date(listed)),
        VerifiedStatus::PossiblyBroken => "this link may be broken".to_owned(),
    }
}

fn role_text(role: Role, levy: Option<LevyScope>) -> &'static str {
    match (role, levy) {
        (Role::Delinquent, _) => "If the tax is overdue",
        (_, Some(LevyScope::School)) => "Also, for the school tax",
        (_, Some(LevyScope::Municipal)) => "Also, for the city, town or village tax",
        (_, Some(LevyScope::County)) => "Also, for the county tax",
        (_, Some(LevyScope::Special)) => "Also, for special districts",
        (Role::Primary | Role::Secondary, Some(LevyScope::All) | None) => "Also",
    }
}

fn source_text(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Curated => "Kept by hand in this project.",
        SourceKind::DomainRegistry => "From the registry of .gov domains.",
        SourceKind::AddressList => "From a list of government addresses outside .gov.",
        SourceKind::OpenDataList => "From a list of open data.",
        SourceKind::MapData => "Data for map software, from a list of open data.",
        SourceKind::Unknown => "Not known.",
    }
}

/// The name of the building of a government with this legal word, in lower case.
fn hall(word: &str) -> &'static str {
    match word {
        "city" => "city hall",
        "village" => "village hall",
        "borough" => "borough hall",
        word if word.ends_with("township") => "township office",
        _ => "town hall",
    }
}

fn further_relief(kinds: &[DatedKind], state: Option<&str>) -> String {
    let owners: Vec<String> =
        kinds.iter().map(|kind| English::dated_kind_text(*kind).to_lowercase()).collect();
    match state {
        Some(state) => {
            let whose: Vec<String> =
                owners.iter().map(|owners| owners.trim_start_matches("for ").to_owned()).collect();
            format!("Relief for {}: {state} guide", listed(&whose))
        }
        None => format!(
            "There is more relief {}: resolve_jurisdiction with functions [\"exemptions\"] gives it.",
            listed(&owners)
        ),
    }
}

fn not_official(kind: Option<PublisherKind>) -> &'static str {
    use PublisherKind as P;
    match kind {
        None | Some(P::Official | P::Other) => "not official",
        Some(P::LawPublisher) => "not official: law publisher",
        Some(P::Association) => "not official: association",
        Some(P::Vendor) => "not official: company",
        Some(P::News) => "not official: news",
        Some(P::Encyclopedia) => "not official: encyclopedia",
    }
}
