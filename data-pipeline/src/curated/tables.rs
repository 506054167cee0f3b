//! Reads all hand-kept tables of a folder, and returns all their faults.

use std::path::Path;

use platbook::{
    rules::Guide,
    vocabulary::{Geoid, StateCode},
};

use super::{
    ActionTable, CensusNames, CityChanges, CommunityTable, ContactTables, CuratedError, CuratedSites,
    CuratedState, Fault, FederalTable, Label, MainSites, NamingTable, National, PrecinctRules,
    PublishedLists, RetiredId, SameGovernment, StateDeadlines, StatusTable,
    actions::parse_actions,
    city_changes::parse_city_changes,
    communities::parse_communities,
    contacts::read_contacts,
    deadlines::read_deadlines,
    expected::{self, parse_chains},
    federal::read_federal,
    files::{read_file, read_folder},
    guides::read_guides,
    load::parse_state,
    main_sites::parse_main_sites,
    missing_states,
    naming::parse_naming,
    national::parse_national,
    precincts::read_precincts,
    published_lists::parse_published_lists,
    retired::parse_retired,
    same_as::parse_same_as,
    sites::parse_sites,
    sure,
    tribal::{TribalTable, parse_tribal},
};

/// The tables that decide about areas.
#[derive(Clone, Debug, Default)]
pub struct AreaTables {
    /// Which areas act as governments.
    pub status: StatusTable,
    /// Names and legal words of areas.
    pub naming: NamingTable,
    /// Ids that are one government.
    pub same_as: Vec<SameGovernment>,
    /// Rules for reading the names of election precincts.
    pub precincts: PrecinctRules,
}

/// All hand-kept tables of a folder.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// The tables that decide about areas.
    pub areas: AreaTables,
    /// Facts that published lists of pages leave open.
    pub lists: PublishedLists,
    /// The file of each state.
    pub states: Vec<CuratedState>,
    /// Pages of counties and cities.
    pub sites: Vec<CuratedSites>,
    /// Dates and amounts of the property tax.
    pub deadlines: Vec<StateDeadlines>,
    /// Telephones, addresses and mail boxes of offices.
    pub contacts: ContactTables,
    /// Main sites that published lists lack or give wrongly.
    pub main_sites: MainSites,
    /// Actions of single pages.
    pub actions: ActionTable,
    /// Pages of the whole nation.
    pub national: National,
    /// The guide to each topic.
    pub guides: Vec<Guide>,
    /// Sentences on owning land of an American Indian nation.
    pub tribal: TribalTable,
    /// Outlines and circles of federal land.
    pub federal: Vec<FederalTable>,
    /// Cities that began or ended, with the days of the changes.
    pub city_changes: CityChanges,
    /// Communities that no list of the Census has.
    pub communities: CommunityTable,
    /// Ids of records that are out of use.
    pub retired: Vec<RetiredId>,
    /// The areas that each file names, with the names in that file.
    pub labels: Vec<(String, Vec<Label>)>,
}

/// Collects valid tables, and all faults of the other tables.
struct Reader<'a> {
    folder: &'a Path,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn file<T: Default>(&mut self, name: &str, parse: impl Fn(&str, &str) -> Result<T, Vec<Fault>>) -> T {
        read_file(&self.folder.join(name), parse).unwrap_or_else(|more| {
            self.faults.extend(more);
            T::default()
        })
    }

    fn all<T>(&mut self, (all, faults): (Vec<T>, Vec<Fault>)) -> Vec<T> {
        self.faults.extend(faults);
        all
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }
}

impl AreaTables {
    /// Reads the tables of areas below `folder`.
    ///
    /// # Errors
    /// All faults of these tables.
    pub fn load(folder: &Path) -> Result<AreaTables, CuratedError> {
        let mut reader = Reader { folder, faults: Vec::new() };
        let tables = AreaTables::read(&mut reader);
        if reader.faults.is_empty() { Ok(tables) } else { Err(CuratedError(reader.faults)) }
    }

    fn read(reader: &mut Reader<'_>) -> AreaTables {
        let (precincts, faults) = read_precincts(&reader.folder.join("precincts"));
        reader.faults.extend(faults);
        AreaTables {
            precincts,
            status: reader.file("functional_status.toml", StatusTable::parse),
            naming: reader.file("naming.toml", parse_naming),
            same_as: reader.file("same_as.toml", parse_same_as),
        }
    }
}

impl Tables {
    /// Reads every table below `folder`, and tests each state's rules on the places of `tests/`.
    ///
    /// # Errors
    /// All faults of all files, each with its file and line.
    pub fn load(folder: &Path) -> Result<Tables, CuratedError> {
        let (tables, faults) = Tables::read(folder);
        if faults.is_empty() { Ok(tables) } else { Err(CuratedError(faults)) }
    }

    /// The valid content below `folder`, and the faults of all files in the order of files and lines. A file
    /// with a fault is left out, or its table is empty.
    pub fn read(folder: &Path) -> (Tables, Vec<Fault>) {
        let mut reader = Reader { folder, faults: Vec::new() };
        let states = read_folder(&folder.join("states"), parse_state);
        let sites = read_folder(&folder.join("sites"), parse_sites);
        let guides = read_guides(&folder.join("guides"));
        let (contacts, faults) = read_contacts(&folder.join("contacts"));
        reader.faults.extend(faults);
        let mut tables = Tables {
            areas: AreaTables::read(&mut reader),
            lists: reader.file("published_lists.toml", parse_published_lists),
            states: reader.all(states),
            sites: reader.all(sites),
            deadlines: reader.all(read_deadlines(&folder.join("deadlines"))),
            contacts,
            main_sites: reader.file("main_sites.toml", parse_main_sites),
            actions: reader.file("actions.toml", parse_actions),
            national: reader.file("national.toml", parse_national),
            guides: reader.all(guides),
            federal: reader.all(read_federal(&folder.join("federal"))),
            tribal: reader.file("tribal.toml", parse_tribal),
            city_changes: reader.file("city_changes.toml", parse_city_changes),
            communities: reader.file("communities.toml", parse_communities),
            retired: reader.file("retired_ids.toml", parse_retired),
            labels: Vec::new(),
        };
        reader.faults.extend(missing_states(&folder.join("states")));
        let chains = read_folder(&folder.join("tests"), parse_chains);
        let chains = reader.all(chains);
        reader.faults.extend(expected::faults(&folder.join("tests"), &tables.states, &chains));
        reader.faults.extend(doubled_districts(folder, &tables.states));
        tables.states.iter_mut().for_each(|state| sure::settle(state, &tables.sites));
        tables.labels = tables.gather_labels(&reader);
        reader.faults.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        (tables, reader.faults)
    }

    fn gather_labels(&self, reader: &Reader<'_>) -> Vec<(String, Vec<Label>)> {
        let state = |state: &CuratedState| {
            (reader.path(&format!("states/{}.toml", state.rules.state)), state.labels.clone())
        };
        let sites = self.sites.iter().map(|sites| (sites.file.clone(), sites.labels.clone()));
        let deadlines = self
            .deadlines
            .iter()
            .map(|file| (reader.path(&format!("deadlines/{}.toml", file.state)), file.labels.clone()));
        let tables = [
            (reader.path("naming.toml"), self.areas.naming.labels.clone()),
            (reader.path("published_lists.toml"), self.lists.labels.clone()),
            (reader.path("main_sites.toml"), self.main_sites.labels.clone()),
            (reader.path("city_changes.toml"), self.city_changes.labels.clone()),
            (reader.path("communities.toml"), self.communities.labels.clone()),
        ];
        let precincts = self.areas.precincts.states.values().map(|state| state.labels.clone());
        self.states.iter().map(state).chain(sites).chain(deadlines).chain(tables).chain(precincts).collect()
    }

    /// Leaves out the rules and pages of all states but one, because the snapshot lacks their governments.
    pub fn narrow(&mut self, state: StateCode) {
        self.states.retain(|other| other.rules.state == state);
        self.sites.retain(|other| other.state == state);
        self.deadlines.retain(|other| other.state == state);
        self.contacts.contacts.retain(|contact| contact.state() == Some(state));
        self.communities.communities.retain(|community| community.state == state);
        for (_, labels) in &mut self.labels {
            labels.retain(|label| label.geoid.state_fips() == state.fips());
        }
    }

    /// A fault for each area that a file names differently than the Census. Areas for which
    /// `is_known_elsewhere` is true are not checked.
    pub fn wrong_names(&self, names: &CensusNames, is_known_elsewhere: impl Fn(Geoid) -> bool) -> Vec<Fault> {
        let checked = |labels: &[Label]| -> Vec<Label> {
            labels.iter().filter(|label| !is_known_elsewhere(label.geoid)).cloned().collect()
        };
        self.labels.iter().flat_map(|(file, labels)| names.faults(file, &checked(labels))).collect()
    }
}

/// A fault for each district that is in two state files.
fn doubled_districts(folder: &Path, states: &[CuratedState]) -> Vec<Fault> {
    let mut known = std::collections::HashMap::new();
    let mut faults = Vec::new();
    for state in states {
        for district in &state.rules.districts {
            if let Some(other) = known.insert(&district.id, state.rules.state) {
                let file = folder.join(format!("states/{}.toml", state.rules.state)).display().to_string();
                let what = format!("{} is a district of {other} already", district.id);
                faults.push(Fault { file, line: 1, key: "district".to_owned(), what });
            }
        }
    }
    faults
}
