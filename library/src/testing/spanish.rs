use crate::{
    answers::Notice,
    directory::{Directory, Row},
    facts::{Elevation, Fact, FactKey, Fault, Said},
    geometry::METERS_PER_FOOT,
    words::{English, FactKind, FactText, Units, Words},
};

/// A second language, with a few sentences of its own and the rest in English.
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
}
