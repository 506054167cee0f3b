//! Reads the table of one function: its cases in order, and further bodies.

use platbook::{
    rules::{Case, Conditions, FunctionRule, PastCase, Performer},
    vocabulary::{Confidence, Date, Function, Geoid, JurisdictionId, Layer, Level, LevyScope, Role},
};
use toml::Spanned;

use super::{
    checker::Checker,
    file::{CaseTable, FunctionTable, Text, WhenTable},
};

/// A case with a more certain reason, for bodies whose pages show that they do the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SureCase {
    /// The function of the case.
    pub(super) function: Function,
    /// The position of the case in its function, from 0.
    pub(super) case: usize,
    /// The reason that applies if a page shows that the body does the job.
    pub(super) why: String,
}

/// The parts of a state's rules that depend on the pages on record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ByPages {
    /// Cases with a more certain reason for bodies with a page.
    pub(super) sure: Vec<SureCase>,
    /// Further bodies, each as its function and its position there, from 0. They do not act where a page shows that the
    /// city, town or township does the job.
    pub(super) unless_shown: Vec<(Function, usize)>,
}

/// The sets and districts that cases may refer to.
pub(super) struct Known {
    pub(super) sets: Vec<String>,
    pub(super) districts: Vec<JurisdictionId>,
    pub(super) has_cousubs: bool,
}

impl Known {
    /// Checks that a named district is listed in the file.
    pub(super) fn district(&self, checker: &mut Checker<'_>, body: &JurisdictionId, text: &Text, key: &str) {
        if matches!(body, JurisdictionId::District(_)) && !self.districts.contains(body) {
            checker.at(text, key, format!("no [[district]] has the id {body}"));
        }
    }
}

/// Reads the table of a function. Also returns its cases that held until a day, in the order of the file.
pub(super) fn function_rule(
    checker: &mut Checker<'_>,
    known: &Known,
    function: Function,
    spanned: &Spanned<FunctionTable>,
    by_pages: &mut ByPages,
) -> (FunctionRule, Vec<PastCase>) {
    let (table, name) = (spanned.get_ref(), function.as_str());
    let levels =
        [("state", Level::State), ("county", Level::County), ("town", Level::Town), ("city", Level::City)];
    let key = |part: &str| format!("{name}.{part}");
    let office = checker.words(&table.office, &key("office"));
    let source = checker.source(&table.source, &key("source"));
    let confidence = checker.confidence(&table.confidence, &key("confidence"));
    let statute = checker.opt_words(table.statute.as_ref(), &key("statute"));
    let reader = |key: String, further: bool| CaseReader {
        known,
        office: &office,
        statute: statute.as_ref(),
        source,
        confidence,
        key,
        further,
    };
    let (mut cases, mut past, faults_before) = (Vec::new(), Vec::new(), checker.faults.len());
    for (at, case) in table.case.iter().enumerate() {
        let reader = reader(format!("{name}.case[{}]", at + 1), false);
        let read = reader.read(checker, case);
        if let Some(until) = reader.until(checker, case, &read) {
            past.push(PastCase { function, until, case: read });
            continue;
        }
        let sure = reader.sure(checker, case, &read).map(|why| SureCase { function, case: cases.len(), why });
        by_pages.sure.extend(sure);
        cases.push(read);
    }
    // A case with a mistyped area would seem to have no condition, and so to be in the wrong place. The order
    // is checked only without faults.
    if checker.faults.len() == faults_before {
        order(checker, spanned, &cases, name);
    }
    let mut also = Vec::new();
    for (at, case) in table.also.iter().enumerate() {
        let reader = reader(format!("{name}.also[{}]", at + 1), true);
        let read = reader.read(checker, case);
        if also.contains(&read) {
            checker.at(case, &reader.key, "the same further body is listed twice");
        }
        if case.get_ref().unless.as_ref().is_some_and(|unless| unless.get_ref().shown == Some(true)) {
            by_pages.unless_shown.push((function, at));
        }
        also.push(read);
    }
    let rule = FunctionRule {
        function,
        office,
        level: table.level.as_ref().map(|level| checker.word(level, &key("level"), &levels)),
        place_words: checker.words(&table.place_words, &key("where")),
        note: checker.opt_words(table.note.as_ref(), &key("note")),
        summary: checker.sentences(&table.summary, &key("summary")),
        cases,
        also,
    };
    (rule, past)
}

/// The rank of a case by its conditions: 0 names places, 1 county subdivisions, 2 counties, 3 no areas; 4 has
/// no condition.
fn rank(case: &Case) -> u8 {
    let when = &case.when;
    match () {
        () if !when.places.is_empty() => 0,
        () if !when.cousubs.is_empty() => 1,
        () if !when.counties.is_empty() => 2,
        () if when.is_empty() && case.unless.is_empty() => 4,
        () => 3,
    }
}

/// Checks that the most specific case comes first and the unconditional one last, and that no case is
/// unreachable.
fn order(checker: &mut Checker<'_>, spanned: &Spanned<FunctionTable>, cases: &[Case], name: &str) {
    const NAMES: [&str; 5] = ["places", "county subdivisions", "counties", "no areas", "no condition"];
    let tables: Vec<_> =
        spanned.get_ref().case.iter().filter(|case| case.get_ref().until.is_none()).collect();
    for (at, case) in cases.iter().enumerate() {
        let key = format!("{name}.case[{}]", at + 1);
        let before = &cases[..at];
        if before.iter().any(|earlier| rank(earlier) == 4) {
            checker.at(tables[at], &key, "is never reached: a case without conditions comes before it");
        } else if let Some(earlier) = before.iter().find(|earlier| rank(earlier) > rank(case)) {
            let (own, other) = (NAMES[usize::from(rank(case))], NAMES[usize::from(rank(earlier))]);
            checker.at(
                tables[at],
                &key,
                format!("names {own} and must come before the cases that name {other}"),
            );
        }
        if before.iter().any(|earlier| earlier.when == case.when && earlier.unless == case.unless) {
            checker.at(tables[at], &key, "is never reached: an earlier case has the same conditions");
        }
        for geoid in taken(before, case) {
            checker.at(tables[at], &key, format!("{geoid} is already settled by an earlier case"));
        }
    }
    if cases.last().is_none_or(|case| rank(case) != 4) {
        checker.at(spanned, name, "needs a last case without when and unless, for everywhere else");
    }
}

/// Areas of this case that an earlier case covers without a further condition.
fn taken(before: &[Case], case: &Case) -> Vec<Geoid> {
    let mut found = Vec::new();
    for earlier in before.iter().filter(|earlier| earlier.unless.is_empty()) {
        let when = &earlier.when;
        for (theirs, own) in [
            (&when.places, &case.when.places),
            (&when.cousubs, &case.when.cousubs),
            (&when.counties, &case.when.counties),
        ] {
            let alone = Conditions { places: vec![], cousubs: vec![], counties: vec![], ..when.clone() };
            let lists = [&when.places, &when.cousubs, &when.counties];
            let one_list = lists.iter().filter(|list| !list.is_empty()).count() == 1;
            if alone.is_empty() && one_list {
                found.extend(own.iter().copied().filter(|geoid| theirs.contains(geoid)));
            }
        }
    }
    found
}

/// Reads one case; missing values come from the function's table.
struct CaseReader<'a> {
    known: &'a Known,
    office: &'a String,
    statute: Option<&'a String>,
    source: usize,
    confidence: Confidence,
    key: String,
    further: bool,
}

impl CaseReader<'_> {
    fn read(&self, checker: &mut Checker<'_>, spanned: &Spanned<CaseTable>) -> Case {
        let table = spanned.get_ref();
        let key = |part: &str| format!("{}.{part}", self.key);
        let when = self.conditions(checker, table.when.as_ref(), "when");
        let unless = self.conditions(checker, table.unless.as_ref(), "unless");
        let by = self.performer(checker, &table.by, &when);
        let own_office = checker.opt_words(table.office.as_ref(), &key("office"));
        let office = match by {
            Performer::Nobody => {
                if let Some(text) = &table.office {
                    checker.at(text, &key("office"), "no body does the job here, so there is no office");
                }
                None
            }
            _ => own_office.or_else(|| Some(self.office.clone())),
        };
        if let (true, Some(text)) = (self.further, &table.sure) {
            checker.at(text, &key("sure"), "only a case has it, no further body");
        }
        if let (true, Some(date)) = (self.further, &table.until) {
            checker.at(date, &key("until"), "only a case has it, no further body");
        }
        if self.further && table.office.is_none() {
            checker.at(spanned, &key("office"), "a further body needs its own office");
        }
        let why = checker.sentence(&table.why, &key("why"));
        self.template(checker, &table.why, &by, &when, "why");
        let statute = checker.opt_words(table.statute.as_ref(), &key("statute"));
        let source = table.source.as_ref().map(|text| checker.source(text, &key("source")));
        let confidence = table.confidence.as_ref().map(|text| checker.confidence(text, &key("confidence")));
        Case {
            when,
            unless,
            by,
            office,
            role: self.role(checker, spanned),
            levy_scope: self.levy_scope(checker, table),
            why,
            statute: statute.or_else(|| self.statute.cloned()),
            source: source.unwrap_or(self.source),
            confidence: confidence.unwrap_or(self.confidence),
        }
    }

    /// The reason that applies if a page of the body shows that it does the job; `None` if the case has none.
    fn sure(&self, checker: &mut Checker<'_>, spanned: &Spanned<CaseTable>, case: &Case) -> Option<String> {
        let text = spanned.get_ref().sure.as_ref()?;
        let key = format!("{}.sure", self.key);
        if !matches!(case.by, Performer::Place | Performer::Cousub | Performer::County) {
            checker.at(text, &key, "needs a case by place, cousub or county");
        }
        self.template(checker, text, &case.by, &case.when, "sure");
        Some(checker.sentence(text, &key))
    }

    /// The first day on which the case did not hold anymore, in digits; `None` for a case that holds today.
    fn until(&self, checker: &mut Checker<'_>, spanned: &Spanned<CaseTable>, case: &Case) -> Option<u32> {
        let (table, key) = (spanned.get_ref(), format!("{}.until", self.key));
        let date = table.until.as_ref()?;
        let day = checker.date(date, &key);
        if let Some(text) = &table.sure {
            checker.at(text, &format!("{}.sure", self.key), "a case with until has none");
        }
        if case.when.is_empty() {
            checker.at(spanned, &key, "needs when: the case comes before all cases that hold today");
        }
        day.map(Date::number)
    }

    fn role(&self, checker: &mut Checker<'_>, spanned: &Spanned<CaseTable>) -> Role {
        let key = format!("{}.role", self.key);
        match (&spanned.get_ref().role, self.further) {
            (Some(text), true) => {
                checker.word(text, &key, &[("secondary", Role::Secondary), ("delinquent", Role::Delinquent)])
            }
            (Some(text), false) => {
                checker.at(text, &key, "only a further body ([[...also]]) has a role; a case is primary");
                Role::Primary
            }
            (None, true) => {
                checker.at(spanned, &key, "a further body needs a role: secondary or delinquent");
                Role::Secondary
            }
            (None, false) => Role::Primary,
        }
    }

    fn levy_scope(&self, checker: &mut Checker<'_>, table: &CaseTable) -> Option<LevyScope> {
        let words = [
            ("county", LevyScope::County),
            ("municipal", LevyScope::Municipal),
            ("school", LevyScope::School),
            ("special", LevyScope::Special),
            ("all", LevyScope::All),
        ];
        table.levy_scope.as_ref().map(|text| checker.word(text, &format!("{}.levy_scope", self.key), &words))
    }

    fn performer(&self, checker: &mut Checker<'_>, text: &Text, when: &Conditions) -> Performer {
        let key = format!("{}.by", self.key);
        let value = text.get_ref();
        match value.as_str() {
            "place" => {
                if !implies_place(when) {
                    checker.at(
                        text,
                        &key,
                        "\"place\" needs a condition that there is one: place, place_type or in_place = true",
                    );
                }
                Performer::Place
            }
            "cousub" => {
                if !self.known.has_cousubs {
                    checker.at(text, &key, "\"cousub\" needs a [subdivisions] table");
                }
                Performer::Cousub
            }
            "county" => Performer::County,
            "state" => Performer::State,
            "unsettled" => Performer::Unsettled,
            "nobody" => Performer::Nobody,
            _ => {
                if let Some(set) = value.strip_prefix("district of ") {
                    if !self.known.sets.iter().any(|known| known == set) {
                        checker.at(text, &key, format!("no district has the set {set:?}"));
                    }
                    return Performer::DistrictOf(set.to_owned());
                }
                if !value.contains(':') {
                    checker.at(text, &key, format!("unknown performer {value:?}, expected place, cousub, county, state, nobody, unsettled, \"district of SET\" or a body such as \"county:27053 Hennepin County\""));
                    return Performer::Unsettled;
                }
                let Some(body) = checker.body(text, &key) else { return Performer::Unsettled };
                self.known.district(checker, &body, text, &key);
                Performer::Body(body)
            }
        }
    }

    /// Checks that `{place}` and other fields occur only if the case ensures that they exist.
    fn template(
        &self,
        checker: &mut Checker<'_>,
        text: &Text,
        by: &Performer,
        when: &Conditions,
        part: &str,
    ) {
        let key = format!("{}.{part}", self.key);
        for part in text.get_ref().split('{').skip(1) {
            let Some((field, _)) = part.split_once('}') else {
                checker.at(text, &key, "has a { without }");
                continue;
            };
            let known = match field {
                "county" | "state" => true,
                "place" => implies_place(when),
                "cousub" => implies_cousub(when) || *by == Performer::Cousub,
                "district" => matches!(by, Performer::DistrictOf(_)),
                _ => {
                    checker.at(text, &key, format!("unknown field {{{field}}}, expected {{place}}, {{cousub}}, {{county}}, {{state}} or {{district}}"));
                    true
                }
            };
            if !known {
                checker.at(text, &key, format!("{{{field}}} is not sure to exist where this case applies"));
            }
        }
    }

    fn conditions(
        &self,
        checker: &mut Checker<'_>,
        table: Option<&Spanned<WhenTable>>,
        part: &str,
    ) -> Conditions {
        let Some(spanned) = table else { return Conditions::default() };
        let (table, key) = (spanned.get_ref(), |name: &str| format!("{}.{part}.{name}", self.key));
        let found = Conditions {
            places: checker.areas(&table.place, Layer::Place, &key("place")),
            cousubs: checker.areas(&table.cousub, Layer::Cousub, &key("cousub")),
            counties: checker.areas(&table.county, Layer::County, &key("county")),
            place_types: checker.types(&table.place_type, &key("place_type")),
            cousub_types: checker.types(&table.cousub_type, &key("cousub_type")),
            county_types: checker.types(&table.county_type, &key("county_type")),
            in_place: table.in_place,
            in_cousub: table.in_cousub,
            cousub_governs: table.cousub_governs,
            county_governs: table.county_governs,
        };
        let takes_shown = self.further && part == "unless";
        if table.shown.is_some_and(|is_shown| !is_shown || !takes_shown) {
            checker.at(spanned, &key("shown"), "can only be true, in unless of a further body");
        }
        if found.is_empty() && table.shown.is_none() {
            checker.at(
                spanned,
                &format!("{}.{part}", self.key),
                "is empty: leave it out or give a condition",
            );
        }
        let about_cousubs = !found.cousubs.is_empty()
            || !found.cousub_types.is_empty()
            || found.in_cousub.is_some()
            || found.cousub_governs.is_some();
        if about_cousubs && !self.known.has_cousubs {
            checker.at(
                spanned,
                &key("cousub"),
                "conditions on county subdivisions need a [subdivisions] table",
            );
        }
        found
    }
}

fn implies_place(when: &Conditions) -> bool {
    !when.places.is_empty() || !when.place_types.is_empty() || when.in_place == Some(true)
}

fn implies_cousub(when: &Conditions) -> bool {
    !when.cousubs.is_empty()
        || !when.cousub_types.is_empty()
        || when.in_cousub == Some(true)
        || when.cousub_governs == Some(true)
}
