//! Finds the actions that a person can take on a page, by its topics, its name and its address.
//!
//! The rules read words that pages of one kind share; they were tuned on the pages of all tables. A row of
//! `curated/actions.toml` replaces their result for a page. Pages of a state or the nation only have the actions of
//! that table: a state's "property tax" page may be only for forfeited land.

use platbook::{
    snapshot::write::NewResource,
    vocabulary::{Action, ActionSet, PageUse, SourceKind, Topic, bare_url, host_of},
};

/// Maximum number of topics of a page with actions. A page with more is a front page or a directory, on which no task
/// can be done directly. Chosen, not measured.
const TOPICS_MAX: u32 = 5;

/// Parts of hosts and paths of programs that take applications for permits.
const PERMIT_PROGRAMS: &[&str] = &[
    "accela.com",
    "etrakit",
    "energov",
    "citizenserve",
    "mygovernmentonline",
    "mgoconnect",
    "viewpointcloud",
    "opengov.com",
    "iworq",
    "smartgov",
    "citizenaccess",
    "aspgov",
    "buildingeye",
    "permit",
];

/// Parts of hosts of programs that show recorded documents.
const DEED_PROGRAMS: &[&str] = &[
    "landmarkweb",
    "gsccca",
    "uslandrecords",
    "idocmarket",
    "doxpop",
    "laredo",
    "fidlar",
    "landshark",
    "kofile",
    "countyfusion",
    "publicsearch.us",
    "oncoreweb",
    "okcountyrecords",
    "masslandrecords",
    "mdlandrec",
    "sclandrecords",
    "searchiqs",
    "landrecords",
    "deeds.",
    "avenuinsights",
    "titlesearcher",
    "ustitlesearch",
    "digitalarchives",
    "cotthosting",
    "recordhub",
    "clericusweb",
    "acris",
];

/// Parts of addresses of viewers of maps.
const VIEWERS: &[&str] = &[
    "webappviewer",
    "experience.arcgis.com",
    "/apps/view/",
    "beacon.",
    "qpublic",
    "mapviewer",
    "map_viewer",
    "parcelviewer",
    "parcel-viewer",
    "interactive-map",
    "interactive_map",
    "/html5",
    "propertyviewer",
];

/// Parts of names of viewers of maps.
const VIEWER_NAMES: &[&str] = &[
    " parcel map ",
    " map viewer ",
    " parcel viewer ",
    " property map ",
    " interactive map",
    " web map ",
    " gis viewer ",
    " property viewer ",
    " parcel search map ",
    " county data map ",
];

/// Parts of addresses of portals, downloads and services for software.
const DATA_ADDRESSES: &[&str] = &[
    "opendata",
    "open-data",
    "open_data",
    "hub.arcgis",
    "gisdata",
    "geodata",
    "datahub",
    "/datasets",
    "/dataset/",
    "download",
    "shapefile",
    "clearinghouse",
    "/rest/services",
    "featureserver",
    "mapserver",
    ".zip",
    "dataportal",
    "data-portal",
    "certified-data",
    "publicdata",
];

/// Parts of names of portals and downloads.
const DATA_NAMES: &[&str] = &[
    " open data ",
    " open map data ",
    " open gis ",
    "download",
    " data portal ",
    "clearinghouse",
    " datasets ",
    " data request ",
    " geoportal ",
    " geohub ",
    " data hub ",
    " data catalog ",
];

/// The parts of a page that the rules read, in lower case. Words of name and path stand between single spaces.
struct Seen {
    topics: Vec<Topic>,
    name: String,
    path: String,
    host: String,
    url: String,
}

/// The actions that a person can take on a page. `is_wide` says whether the page is one of a state or of the nation.
pub(super) fn actions_of(page: &NewResource, is_wide: bool) -> ActionSet {
    let is_of_a_list = matches!(page.kind, SourceKind::DomainRegistry | SourceKind::AddressList);
    if page.page_use != PageUse::Act || is_of_a_list || page.topics.len() > TOPICS_MAX {
        return ActionSet::default();
    }
    if page.kind == SourceKind::MapData {
        return [Action::GetMapData].into_iter().collect();
    }
    let seen = Seen::of(page);
    let mut actions = ActionSet::default();
    actions.extend_by(seen.map(is_wide));
    if !is_wide {
        [seen.relief(), seen.appeal(), seen.bill(), seen.deed(), seen.zoning(), seen.permit()]
            .into_iter()
            .for_each(|action| actions.extend_by(action));
        if actions.without([Action::SeeParcelMap].into_iter().collect()).is_empty() {
            actions.extend_by(seen.property());
        }
    }
    actions
}

trait ExtendBy {
    fn extend_by(&mut self, action: Option<Action>);
}

impl ExtendBy for ActionSet {
    fn extend_by(&mut self, action: Option<Action>) {
        action.into_iter().for_each(|action| self.insert(action));
    }
}

impl Seen {
    fn of(page: &NewResource) -> Seen {
        let url = page.url.to_lowercase();
        let host = host_of(&page.url).to_lowercase();
        let bare = bare_url(&page.url);
        let path = bare.get(host.len()..).unwrap_or_default();
        Seen { topics: page.topics.iter().collect(), name: spaced(&page.name), path: spaced(path), host, url }
    }

    fn is_of(&self, topics: &[Topic]) -> bool {
        topics.iter().any(|topic| self.topics.contains(topic))
    }

    fn is_on_value_or_tax(&self) -> bool {
        self.is_of(&[Topic::Assessor, Topic::PropertyTaxPayment, Topic::TaxCollector])
    }

    /// Whether the page is a map viewer or a source of map data. A parcel map of a county is a viewer unless its
    /// address or name means data.
    fn map(&self, is_wide: bool) -> Option<Action> {
        if !self.is_of(&[Topic::ParcelMap, Topic::CountyGis]) {
            return None;
        }
        let is_parcel_map = self.topics.contains(&Topic::ParcelMap);
        let is_office = self.topics.contains(&Topic::Assessor);
        let is_data =
            has(&self.url, DATA_ADDRESSES) || has(&self.name, DATA_NAMES) || is_data_host(&self.host);
        let is_viewer = has(&self.url, VIEWERS) || has(&self.name, VIEWER_NAMES);
        // The host may be a hub for data, but the name of a viewer decides.
        if is_parcel_map && !is_wide && has(&self.name, VIEWER_NAMES) && !has(&self.name, DATA_NAMES) {
            return Some(Action::SeeParcelMap);
        }
        match (is_data, is_wide) {
            (true, _) if is_office && !is_parcel_map => None,
            (true, _) => Some(Action::GetMapData),
            // The portal of a state lists data sets. Its parcel viewer, if any, has a row in the table.
            (false, true) => (is_parcel_map && !is_office).then_some(Action::GetMapData),
            (false, false) => (is_parcel_map || (is_viewer && !is_office)).then_some(Action::SeeParcelMap),
        }
    }

    fn relief(&self) -> Option<Action> {
        let words = &["exempt", "homestead", " tax relief ", " deferral "];
        let is_relief = self.is_on_value_or_tax() && (has(&self.name, words) || has(&self.path, words));
        is_relief.then_some(Action::ClaimExemption)
    }

    fn appeal(&self) -> Option<Action> {
        let words = &[" appeal", " protest", "grievance"];
        let is_appeal = self.is_on_value_or_tax() && (has(&self.name, words) || has(&self.path, words));
        is_appeal.then_some(Action::QuestionValue)
    }

    /// The action of a page to see or pay the bill. The page of a collector's office counts only if its name or
    /// address means payment.
    fn bill(&self) -> Option<Action> {
        let words = &[
            " search ",
            " pay ",
            " payment",
            " bill ",
            " bills ",
            " look up ",
            " lookup ",
            " inquiry ",
            " tax roll ",
        ];
        let is_bill = self.topics.contains(&Topic::PropertyTaxPayment)
            && (!self.topics.contains(&Topic::TaxCollector)
                || has(&self.name, words)
                || has(&self.path, words));
        let is_other =
            has(&self.name, &["deferral", "postponement", "overdue", "delinquent", "credit", "exempt"]);
        (is_bill && !is_other).then_some(Action::PayBill)
    }

    fn deed(&self) -> Option<Action> {
        let in_name = &[
            " search",
            " index ",
            " land records ",
            " official records ",
            " recorded documents ",
            " recorded land ",
            " deeds online ",
            " look up ",
            " records online ",
        ];
        let in_path =
            &[" search", " records online ", " land records ", " recorded documents ", " official records "];
        let is_deed = self.topics.contains(&Topic::RecorderDeeds)
            && (has(&self.name, in_name) || has(&self.path, in_path) || has(&self.host, DEED_PROGRAMS));
        is_deed.then_some(Action::FindDeed)
    }

    /// The action of a page with the zoning of a lot, or with zoning rules. The page of a planning office does not
    /// count.
    fn zoning(&self) -> Option<Action> {
        let words = &[
            " zoning map",
            " zoning code",
            " zoning ordinance",
            " zoning lookup ",
            " zoning requirement",
            " zoning information ",
            " zoning regulation",
            " zoning standard",
            " zoning and standard",
            " zoning and development standard",
            " zoning and general plan ",
            " zoning and unified ",
            " zoning district",
            " zoning unified ",
            " development code ",
            " land use map",
            " zoning general plan ",
        ];
        let is_named_zoning = self.name.ends_with(" zoning ") && !self.name.ends_with(" and zoning ");
        let is_zoning = self.topics.contains(&Topic::Zoning)
            && (has(&self.name, words)
                || has(&self.path, words)
                || is_named_zoning
                || has(&self.host, &["municode", "ecode360"]));
        is_zoning.then_some(Action::LookUpZoning)
    }

    fn permit(&self) -> Option<Action> {
        let words = &[" permit ", " permits ", " permitting ", " epermit"];
        let is_permit = self.topics.contains(&Topic::BuildingPermits)
            && (has(&self.path, words)
                || has(&self.host, PERMIT_PROGRAMS)
                || (has(&self.name, words) && !has(&self.name, &[" permit office "])));
        is_permit.then_some(Action::ApplyForPermit)
    }

    /// The action of a page that searches assessed property. The page of an office does not count, even if the office
    /// has such a search elsewhere.
    fn property(&self) -> Option<Action> {
        let search = &[" search", " look up ", " lookup ", " inquiry "];
        let facts = &[
            " property information ",
            " property data ",
            " property record",
            " parcel",
            " property tax information ",
            " assessment roll",
            " assessment data ",
            " property cards ",
            " tax information ",
        ];
        let is_general = self.topics.contains(&Topic::PropertyRecordsGeneral);
        let is_search =
            has(&self.name, search) || has(&self.path, search) || (is_general && has(&self.name, facts));
        (self.topics.contains(&Topic::Assessor) && is_search).then_some(Action::LookUpProperty)
    }
}

fn has(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(part))
}

/// Whether a label of the host means data, as in `data.example.gov` and `data-county.example.com`.
fn is_data_host(host: &str) -> bool {
    host.split('.').any(|label| matches!(label, "data" | "open" | "hub") || label.starts_with("data-"))
}

/// The words of a text in lower case between single spaces; `PayBill` is two words.
fn spaced(text: &str) -> String {
    let mut spaced = String::from(" ");
    let mut is_small = false;
    for letter in text.chars() {
        let is_word = letter.is_alphanumeric();
        if (!is_word || (is_small && letter.is_uppercase())) && !spaced.ends_with(' ') {
            spaced.push(' ');
        }
        if is_word {
            spaced.extend(letter.to_lowercase());
        }
        is_small = letter.is_lowercase();
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    spaced
}

#[cfg(test)]
mod tests {
    use platbook::vocabulary::{JurisdictionId, TopicSet};

    use super::*;

    fn page(kind: SourceKind, name: &str, url: &str, topics: &[Topic]) -> NewResource {
        let page =
            NewResource::page(JurisdictionId::Country, url.to_owned(), String::new(), kind).placed(0, 0);
        NewResource { name: name.to_owned(), topics: topics.iter().copied().collect::<TopicSet>(), ..page }
    }

    #[test]
    fn topics_names_and_addresses_say_what_can_be_done() {
        use Topic::{
            Assessor, BuildingPermits, CountyGis, ParcelMap, PropertyRecordsGeneral, PropertyTaxPayment,
            RecorderDeeds, TaxCollector, Zoning as Zone,
        };
        let rows: &[(&str, &str, &[Topic], &[Action])] = &[
            ("Treasurer, tax search", "https://a.example/x", &[PropertyTaxPayment], &[Action::PayBill]),
            ("County Treasurer", "https://a.example/treasurer", &[PropertyTaxPayment, TaxCollector], &[]),
            (
                "Treasurer",
                "https://a.example/Pay-Your-Taxes",
                &[PropertyTaxPayment, TaxCollector],
                &[Action::PayBill],
            ),
            ("Treasurer (overdue tax)", "https://a.example/pay", &[PropertyTaxPayment, TaxCollector], &[]),
            ("Treasurer", "https://billings.example/treasurer", &[PropertyTaxPayment, TaxCollector], &[]),
            ("Assessor", "https://a.example/assessor", &[Assessor], &[]),
            (
                "Property search",
                "https://a.example/",
                &[Assessor, PropertyRecordsGeneral],
                &[Action::LookUpProperty],
            ),
            ("County Auditor", "https://a.example/", &[Assessor, PropertyRecordsGeneral], &[]),
            ("Finance (exemptions)", "https://a.example/", &[Assessor], &[Action::ClaimExemption]),
            (
                "Board of Assessment",
                "https://a.example/438/Assessment-Appeals",
                &[Assessor],
                &[Action::QuestionValue],
            ),
            ("Recorder", "https://a.example/recorder", &[RecorderDeeds], &[]),
            ("Recorder", "https://ava.fidlar.com/OHX/AvaWeb", &[RecorderDeeds], &[Action::FindDeed]),
            ("Planning and zoning", "https://a.example/planning-zoning", &[Zone], &[]),
            ("Planning: zoning", "https://a.example/planning", &[Zone], &[Action::LookUpZoning]),
            ("Planning", "https://a.example/390/Zoning-Ordinances", &[Zone], &[Action::LookUpZoning]),
            ("Building permit office", "https://a.example/building", &[BuildingPermits], &[]),
            (
                "Building permit office",
                "https://a.example/267/Permits",
                &[BuildingPermits],
                &[Action::ApplyForPermit],
            ),
            ("Parcel map", "https://a.example/map", &[ParcelMap], &[Action::SeeParcelMap]),
            ("Parcel map", "https://x.hub.arcgis.com/apps/1/explore", &[ParcelMap], &[Action::SeeParcelMap]),
            (
                "Parcels on a map (open data)",
                "https://opendata.a.example/",
                &[ParcelMap],
                &[Action::GetMapData],
            ),
            ("Maps and map data", "https://data-a.opendata.arcgis.com/", &[CountyGis], &[Action::GetMapData]),
            ("Maps", "https://data.a.example/", &[CountyGis], &[Action::GetMapData]),
            ("Maps and map data", "https://a.example/gis", &[CountyGis], &[]),
            ("Maps", "https://a.example/webappviewer/index.html?id=1", &[CountyGis], &[Action::SeeParcelMap]),
            (
                "Look up a property",
                "https://beacon.example/",
                &[ParcelMap, Assessor, PropertyRecordsGeneral],
                &[Action::SeeParcelMap, Action::LookUpProperty],
            ),
        ];
        for (name, url, topics, expected) in rows {
            let found = actions_of(&page(SourceKind::Curated, name, url, topics), false);
            assert_eq!(found, expected.iter().copied().collect(), "{name} {url}");
        }
    }

    #[test]
    fn lists_laws_and_wide_pages_have_no_action_by_rule() {
        let deeds = |kind| page(kind, "Deed search", "https://deeds.example/", &[Topic::RecorderDeeds]);
        assert_eq!(actions_of(&deeds(SourceKind::DomainRegistry), false), ActionSet::default());
        assert_eq!(actions_of(&deeds(SourceKind::Curated), true), ActionSet::default());
        let law = NewResource { page_use: PageUse::Law, ..deeds(SourceKind::Curated) };
        assert_eq!(actions_of(&law, false), ActionSet::default());
        let service =
            page(SourceKind::MapData, "Parcel map service", "https://a.example/x", &[Topic::ParcelMap]);
        assert_eq!(actions_of(&service, false), ActionSet::from_iter([Action::GetMapData]));
        let portal = page(SourceKind::Curated, "State map", "https://gis.example/", &[Topic::ParcelMap]);
        assert_eq!(actions_of(&portal, true), ActionSet::from_iter([Action::GetMapData]));
    }

    #[test]
    fn each_page_of_the_table_is_in_a_table() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("curated");
        let tables = crate::curated::Tables::load(&folder).unwrap();
        let of_states = tables.states.iter().flat_map(|state| &state.resources).map(|page| &page.url);
        let offices =
            tables.states.iter().flat_map(|state| &state.offices).filter_map(|office| office.url.as_ref());
        let of_sites = tables.sites.iter().flat_map(|sites| &sites.pages).map(|page| &page.url);
        let known: std::collections::HashSet<String> =
            of_states.chain(offices).chain(of_sites).map(|url| bare_url(url)).collect();
        for url in tables.actions.urls() {
            assert!(known.contains(url), "no table has the page {url}");
        }
    }
}
