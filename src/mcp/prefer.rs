//! Takes the city where a name is that of a city and of smaller neighbors: "Dallas, TX" is a county, too.
//!
//! REST refuses such a name, as the contract demands. A model would have to ask its user, who nearly always means the city,
//! so tools answer for the city and name the others.

use platbook::{
    answers::{Answer, Choice, Locality, Refusal, Request},
    directory::{Directory, Row},
    vocabulary::{FuncStat, JurisdictionType, Layer, ProblemKind},
    words::{English, Phrase, Words as _},
};

use super::{Setting, run};

/// Answers a request. If its name is ambiguous but plainly that of a city, answers for the city, with a remark that names
/// the others.
///
/// # Errors
/// As for the operation.
pub(super) async fn answer<'a>(
    setting: &mut Setting<'a>,
    request: &Request,
) -> Result<(Answer<'a>, Option<String>), Refusal> {
    let refusal = match run::answer(setting, request).await {
        Ok(answer) => return Ok((answer, None)),
        Err(refusal) => refusal,
    };
    let directory = setting.edition.answers().directory();
    let Some((city, remark)) = city_of(directory, &refusal) else { return Err(refusal) };
    let id = directory.id_of(city);
    let of_city = match request {
        Request::ScreenPlace { .. } => Request::ScreenPlace { place: Locality::Id(id) },
        _ => Request::of_id(id),
    };
    let answer = run::answer(setting, &of_city).await?;
    Ok((answer, Some(remark)))
}

/// Returns the city that an ambiguous name means, and the remark on the others of the name; `None` where it is not plain.
pub(super) fn city_of(directory: &Directory, refusal: &Refusal) -> Option<(Row, String)> {
    if refusal.kind != ProblemKind::Ambiguous {
        return None;
    }
    let row = |choice: &Choice| directory.found(choice.jurisdiction.as_ref()?);
    let rows: Vec<Row> = refusal.choices.iter().map(row).collect::<Option<_>>()?;
    let city = plain_city(directory, &rows)?;
    let (taken, others): (Vec<_>, Vec<_>) =
        refusal.choices.iter().zip(&rows).partition(|(_, row)| **row == city);
    let others: Vec<String> =
        others.iter().map(|(choice, row)| format!("{} ({})", choice.label, directory.id_of(**row))).collect();
    let taken = &taken.first()?.0.label;
    Some((city, English.phrase(Phrase::CityTaken(taken, &others.join("; ")))))
}

/// The only city among governments of one name and state, if all others are counties, towns and townships. `None` where two
/// cities have the name, or where the city is a county of its own beside a county, as in St. Louis.
fn plain_city(directory: &Directory, rows: &[Row]) -> Option<Row> {
    let is_place = |row: &Row| directory.layer(*row) == Some(Layer::Place);
    let city = *rows.iter().find(|row| is_place(row))?;
    let view = directory.jurisdiction(city);
    let governs = view.func_stat.governs() || view.func_stat == FuncStat::Unknown;
    let is_city = governs && matches!(view.legal_type, Some("city" | "city and borough"));
    let is_county_too = is_in_layer(directory, city, Layer::County);
    let is_lesser = |row: &Row| {
        let other = directory.jurisdiction(*row);
        other.state == view.state
            && match other.kind {
                JurisdictionType::Layer(Layer::Cousub) => true,
                JurisdictionType::Layer(Layer::County) => !is_county_too,
                _ => false,
            }
    };
    (is_city && rows.iter().filter(|row| **row != city).all(is_lesser)).then_some(city)
}

/// Whether a government has an id in this layer.
fn is_in_layer(directory: &Directory, row: Row, layer: Layer) -> bool {
    directory.same_as(row).any(|same| directory.layer(same) == Some(layer))
}
