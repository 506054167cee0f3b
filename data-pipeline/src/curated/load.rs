//! Reads the text of a state's file into a checked state, or returns all its faults.

use std::path::Path;

use platbook::{
    rules::{Governing, PastCases, StateRules},
    vocabulary::{Date, Function, FunctionSet, Geoid, Layer, StateCode},
};

use super::{
    cases::{ByPages, function_rule},
    checker::{Checker, Label},
    error::{CuratedError, Fault, line_of},
    file::{AreasTable, StateFile},
    files::{read_folder, toml_fault, whole},
    lists::{
        CuratedOffice, CuratedResource, CuratedSource, districts, groups, offices, per_county, resources,
        sources,
    },
};

/// The content of a state's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuratedState {
    /// Rules for the engine.
    pub rules: StateRules,
    /// Cases that held until a day.
    pub past: PastCases,
    /// Day of the last review of the file, `YYYY-MM-DD`.
    pub checked: String,
    /// Plain sentences about the state as a whole.
    pub summary: Vec<String>,
    /// Sentences about traps for residents.
    pub quirks: Vec<String>,
    /// Jobs of county officers outside of the county's government, who have sites of their own. The county's
    /// main site is not their page.
    pub apart: FunctionSet,
    /// Sources, in the order of the file; rules refer to them by position.
    pub sources: Vec<CuratedSource>,
    /// Offices with a page, telephone, mail or street address.
    pub offices: Vec<CuratedOffice>,
    /// Resources of the whole state.
    pub resources: Vec<CuratedResource>,
    /// Every GEOID with the name that the file gives it, for comparison with the Census names.
    pub labels: Vec<Label>,
    /// Cases and further bodies that depend on pages on record.
    pub(super) by_pages: ByPages,
}

/// Reads one state's text. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_state(file: &str, text: &str) -> Result<CuratedState, Vec<Fault>> {
    let table: StateFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let Ok(state) = table.state.get_ref().parse::<StateCode>() else {
        let line = line_of(text, table.state.span().start);
        let what =
            format!("{:?} is not a state, DC or a territory of the United States", table.state.get_ref());
        return Err(vec![Fault { file: file.to_owned(), line, key: "state".to_owned(), what }]);
    };
    let mut checker = Checker::new(file, text, state);
    let checked = header(&mut checker, state, &table);
    let curated = build(&mut checker, state, &table);
    if checked.is_some_and(|checked| curated.past.count_on(checked) > 0) {
        checker.at(&table.checked, "checked", "is before the last day of until, so that case holds today");
    }
    let labels = std::mem::take(&mut checker.labels);
    checker.finish()?;
    Ok(CuratedState { labels, ..curated })
}

/// Checks the head of the file, and returns the day of its last review.
fn header(checker: &mut Checker<'_>, state: StateCode, table: &StateFile) -> Option<Date> {
    let name = table.name.get_ref();
    checker.file_is_named_after(&table.state, state);
    if name != state.name() {
        checker.at(&table.name, "name", format!("{state} is {}, not {name}", state.name()));
    }
    checker.date(&table.checked, "checked")
}

fn build(checker: &mut Checker<'_>, state: StateCode, table: &StateFile) -> CuratedState {
    let sources = sources(checker, &table.source);
    groups(checker, &table.group);
    let summary = checker.sentences(&table.summary, "summary");
    let quirks = table.quirks.iter().map(|text| checker.sentence(text, "quirks")).collect();
    let apart = table.apart.as_ref().map(|list| checker.functions(list, "apart")).unwrap_or_default();
    let counties = governing(checker, Some(&table.counties), Layer::County, "counties");
    let cousubs = governing(checker, table.subdivisions.as_ref(), Layer::Cousub, "subdivisions");
    let places = governing(checker, table.places.as_ref(), Layer::Place, "places");
    let districts = districts(checker, &table.district);
    let per_county = per_county(checker, &table.district_per_county);
    let known = super::cases::Known {
        sets: districts
            .iter()
            .map(|d| d.set.clone())
            .chain(per_county.iter().map(|p| p.set.clone()))
            .collect(),
        districts: districts.iter().map(|district| district.id.clone()).collect(),
        has_cousubs: table.subdivisions.is_some(),
    };
    let tables = [
        (Function::Assessment, &table.assessment),
        (Function::TaxCollection, &table.tax_collection),
        (Function::Recording, &table.recording),
        (Function::Zoning, &table.zoning),
        (Function::Permits, &table.permits),
        (Function::Gis, &table.gis),
        (Function::Exemptions, &table.exemptions),
    ];
    let mut by_pages = ByPages::default();
    let read = tables.map(|(function, table)| function_rule(checker, &known, function, table, &mut by_pages));
    let (functions, past): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let mut past = PastCases { state, cases: past.concat() };
    past.cases.sort_by_key(|past| past.until);
    let offices = offices(checker, &known, &table.office);
    let resources = resources(checker, Some(&known), &table.resource);
    unused(checker, table);
    CuratedState {
        rules: StateRules {
            state,
            cousub_word: table.subdivisions.as_ref().map(|areas| areas.word.get_ref().clone()),
            counties,
            cousubs,
            places,
            functions,
            districts,
            per_county,
        },
        past,
        checked: table.checked.get_ref().to_string(),
        summary,
        quirks,
        apart: apart.into_iter().collect(),
        sources,
        offices,
        resources,
        labels: Vec::new(),
        by_pages,
    }
}

fn governing(checker: &mut Checker<'_>, table: Option<&AreasTable>, layer: Layer, key: &str) -> Governing {
    let Some(table) = table else { return Governing::default() };
    checker.words(&table.word, &format!("{key}.word"));
    checker.opt_words(table.note.as_ref(), &format!("{key}.note"));
    let always: Vec<Geoid> = checker.areas(&table.governing, layer, &format!("{key}.governing"));
    let never = checker.areas(&table.not_governing, layer, &format!("{key}.not_governing"));
    if let Some(text) = table.not_governing.iter().find(|text| table.governing.contains(text)) {
        checker.at(text, &format!("{key}.not_governing"), "is also listed as governing");
    }
    Governing {
        types: checker.types(&table.governing_types, &format!("{key}.governing_types")),
        always,
        never,
    }
}

fn unused(checker: &mut Checker<'_>, table: &StateFile) {
    checker.every_source_is_used(&table.source);
    if checker.has_unknown_names {
        return;
    }
    for group in &table.group {
        let name = &group.get_ref().name;
        if !checker.groups.iter().any(|group| group.name == *name.get_ref() && group.used) {
            checker.at(name, "group", format!("nothing refers to the group {:?}", name.get_ref()));
        }
    }
}

/// Reads every `XX.toml` of a folder, in the order of names.
///
/// # Errors
/// All faults of all files; an unreadable file is one fault.
pub fn load_states(folder: &Path) -> Result<Vec<CuratedState>, CuratedError> {
    whole(read_folder(folder, parse_state))
}
