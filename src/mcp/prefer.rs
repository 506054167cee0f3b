//! Chooses the government that a shared name clearly means: "Dallas, TX" is also a county.
//!
//! REST refuses such a name, as the contract requires. A model would have to ask its user, who nearly always means
//! the city, or the government that does the job. So tools answer for that government and name the others.

use platbook::{
    answers::{Answer, Choice, Locality, Refusal, Request},
    directory::{Directory, Row},
    vocabulary::{Function, FunctionSet, ProblemKind},
    words::{English, Phrase, Words as _},
};

use super::{Setting, run};

/// Answers a request. An ambiguous name may clearly mean a city, or the only government that does the jobs. Then the
/// answer is for that government, with a remark that names the others.
///
/// # Errors
/// The same as those of the operation.
pub(super) async fn answer<'a>(
    setting: &mut Setting<'a>,
    request: &Request,
    jobs: FunctionSet,
) -> Result<(Answer<'a>, Option<String>), Refusal> {
    let refusal = match run::answer(setting, request).await {
        Ok(answer) => return Ok((answer, None)),
        Err(refusal) => refusal,
    };
    let directory = setting.edition.answers().directory();
    let Some((meant, remark)) = meant_by(directory, &refusal, jobs) else { return Err(refusal) };
    let id = directory.id_of(meant);
    let of_it = match request {
        Request::ScreenPlace { .. } => Request::ScreenPlace { place: Locality::Id(id) },
        _ => Request::of_id(id).on_day(request.date()),
    };
    let answer = run::answer(setting, &of_it).await?;
    Ok((answer, Some(remark)))
}

/// Returns the government that an ambiguous name clearly means, and the remark that names the others; `None` if the
/// meaning is not clear.
pub(super) fn meant_by(directory: &Directory, refusal: &Refusal, jobs: FunctionSet) -> Option<(Row, String)> {
    if refusal.kind != ProblemKind::Ambiguous {
        return None;
    }
    let row = |choice: &Choice| directory.found(choice.jurisdiction.as_ref()?);
    let rows: Vec<Row> = refusal.choices.iter().map(row).collect::<Option<_>>()?;
    let jobs: Vec<Function> = jobs.iter().collect();
    let meant = match directory.prefer_doers(&rows, jobs.iter())[..] {
        [doer] => doer,
        _ => directory.plain_city(&rows)?,
    };
    let (taken, others): (Vec<_>, Vec<_>) =
        refusal.choices.iter().zip(&rows).partition(|(_, row)| **row == meant);
    let others: Vec<String> =
        others.iter().map(|(choice, row)| format!("{} ({})", choice.label, directory.id_of(**row))).collect();
    let taken = &taken.first()?.0.label;
    Some((meant, English.phrase(Phrase::CityTaken(taken, &others.join("; ")))))
}
