//! `get_property_facts`: returns facts from a provider of parcel data, if one is configured and cleared. Always lists
//! the offices that keep such facts.

use serde_json::{Map, Value, json};

use super::{Setting, arguments, prefer, reply::ToolResult, run::parsed, text, tools::Tool};
use crate::{
    encode::{BodyParts, fact_value},
    operations::RESOLVE,
};
use platbook::{
    answers::{Data, Lookup, ParcelAnswer, Refusal, Resolved},
    vocabulary::FunctionSet,
    words::English,
};

/// Answers a call of the tool.
///
/// # Errors
/// Fails if the place is not found, or the caller has no lookups left.
pub(super) async fn facts(
    setting: &mut Setting<'_>,
    tool: &Tool,
    given: &Map<String, Value>,
) -> Result<ToolResult, Refusal> {
    let request = parsed(&RESOLVE, &arguments::given(tool, given)?)?;
    let (answer, remark) = prefer::answer(setting, &request, FunctionSet::default()).await?;
    let edition = setting.edition;
    let Data::Resolve(resolved) = &answer.data else { unreachable!("resolving gives what was resolved") };
    let found = found(setting, resolved).await?;
    let keepers = text::keepers(edition, &English, resolved, &answer);
    let mut structured = json!({ "status": found.status, "detail": found.detail });
    if !found.facts.is_null() {
        structured["facts"] = found.facts.clone();
    }
    structured["request_id"] = setting.request_id.into();
    let said = match &found.facts {
        Value::Null => format!("{} Do not guess them.", found.detail),
        facts => format!("{} {facts}", found.detail),
    };
    let mut text = format!("{said} These offices keep them:\n{keepers}");
    if let Some(remark) = remark {
        text = format!("{remark}\n{text}");
    }
    Ok(ToolResult { text, structured: Some(BodyParts::from(structured.to_string())) })
}

/// The status of the facts, a sentence about it, and the facts.
struct Findings {
    status: &'static str,
    detail: String,
    facts: Value,
}

/// Looks up the parcel at a point. A government found by its name has no point, so it has no parcel.
async fn found(setting: &mut Setting<'_>, resolved: &Resolved) -> Result<Findings, Refusal> {
    let Some(point) = resolved.point else {
        let detail = "Facts on a parcel need its point: give lat and lon, or an address.";
        return Ok(Findings { status: "needs_point", detail: detail.to_owned(), facts: Value::Null });
    };
    let answers = setting.edition.answers();
    let directory = answers.directory();
    let lineage = resolved.lineage.iter().map(|row| directory.id_of(*row)).collect();
    let found = setting.access.look_up(answers, Lookup::Parcel { point, lineage }).await?;
    Ok(findings_of(found.parcel))
}

fn findings_of(parcel: ParcelAnswer) -> Findings {
    let without = |status, detail: &str| Findings { status, detail: detail.to_owned(), facts: Value::Null };
    match parcel {
        ParcelAnswer::NotConfigured => without(
            "not_configured",
            "No provider of parcel data is configured on this server, so there are no parcel facts here.",
        ),
        ParcelAnswer::NotCleared => without(
            "not_cleared",
            "The provider of parcel data is not cleared for this place, so there are no parcel facts here.",
        ),
        ParcelAnswer::Unavailable(why) => {
            without("unavailable", &format!("There are no parcel facts now: {why}."))
        }
        ParcelAnswer::NoParcel => {
            without("no_parcel", "The provider of parcel data knows of no parcel at this point.")
        }
        ParcelAnswer::Facts(facts) => {
            let values: Map<String, Value> =
                facts.values.iter().map(|(name, value)| ((*name).to_owned(), fact_value(value))).collect();
            let source = &facts.source;
            let detail = format!(
                "Facts of {} ({}), which is a third party and not an office: the office named below has the final say.",
                source.name, source.publisher
            );
            let facts = json!({
                "values": values,
                "as_of": facts.as_of,
                "dataset": source.name,
                "publisher": source.publisher,
                "url": source.url,
            });
            Findings { status: "ok", detail, facts }
        }
    }
}
