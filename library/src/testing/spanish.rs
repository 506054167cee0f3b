use crate::{
    answers::Notice,
    directory::{ContactOrigin, Directory, Row},
    facts::{Elevation, Fact, FactKey, Fault, Said},
    geometry::METERS_PER_FOOT,
    rules::{Basis, DatedText, Reason},
    vocabulary::{Action, DatedKind, Function, StateCode, Topic},
    words::{English, FactKind, FactText, FunctionText, Label, Phrase, TopicText, Units, Words},
};

/// A second language for tests: a few sentences in Spanish, and the rest in English.
#[derive(Debug)]
pub struct Spanish;

impl Words for Spanish {
    fn tag(&self) -> &'static str {
        "es"
    }

    fn notice(&self, notice: &Notice, directory: &Directory, units: Units) -> String {
        match *notice {
            Notice::ScreeningOnly => "Estos datos no son una determinación oficial.".to_owned(),
            Notice::NoSuchName => "No hay nada con este nombre.".to_owned(),
            Notice::TribalLand { .. } => "Tierra de una nación.".to_owned(),
            Notice::NoCountyGovernment { county } => {
                format!("{} no tiene gobierno de condado.", self.name(directory, county))
            }
            _ => English.notice(notice, directory, units),
        }
    }

    fn name(&self, directory: &Directory, row: Row) -> String {
        English.name(directory, row)
    }

    fn contact(&self, origin: &ContactOrigin<'_>) -> String {
        English.contact(origin)
    }

    fn fact_kind(&self, key: FactKey) -> FactKind {
        English.fact_kind(key)
    }

    fn fact(&self, fact: &Fact) -> FactText {
        match &fact.said {
            Said::Elevation(Elevation { feet: Some(feet), .. }) => FactText {
                summary: format!(
                    "El terreno está a unos {:.0} m sobre el nivel del mar.",
                    feet * METERS_PER_FOOT
                ),
                detail: None,
            },
            _ => English.fact(fact),
        }
    }

    fn fault(&self, fault: &Fault) -> String {
        English.fault(fault)
    }

    fn basis(&self, basis: &Basis) -> String {
        match &basis.reason {
            Reason::NoDistrict => "No consta ningún distrito aquí.".to_owned(),
            _ => English.basis(basis),
        }
    }

    fn function(&self, function: Function) -> FunctionText {
        match function {
            Function::Zoning => FunctionText {
                name: "Zonificación",
                question: "¿Qué puedo construir o hacer en este terreno?",
                task: "Preguntar qué permite la zonificación",
            },
            _ => English.function(function),
        }
    }

    fn action(&self, action: Action) -> &'static str {
        English.action(action)
    }

    fn dated_kind(&self, kind: DatedKind) -> &'static str {
        English.dated_kind(kind)
    }

    fn dated_remark(&self, text: &DatedText, as_of: &str) -> String {
        English.dated_remark(text, as_of)
    }

    fn next_day(&self, text: &DatedText, as_of: &str) -> Option<String> {
        English.next_day(text, as_of)
    }

    fn topic(&self, topic: Topic) -> TopicText {
        English.topic(topic)
    }

    fn counties(&self, state: StateCode) -> (&'static str, &'static str) {
        English.counties(state)
    }

    fn label(&self, label: Label) -> &'static str {
        match label {
            Label::NoOffice => "Ninguna oficina lo hace aquí",
            _ => English.label(label),
        }
    }

    fn phrase(&self, phrase: Phrase<'_>) -> String {
        English.phrase(phrase)
    }
}
