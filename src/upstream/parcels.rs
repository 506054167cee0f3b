//! Facts about parcels, from a provider with whom the operator has a contract. Off unless configured. The provider is
//! called only for places for which it is cleared.

use std::{borrow::Cow, collections::BTreeSet, fmt::Debug, future::Future, pin::Pin, sync::Arc};

use serde::{Deserialize, Deserializer, de::Error as _};
use url::Url;

use super::{
    agencies::parcels,
    base::{BadBase, Base},
    fetch::Fetcher,
    service::Line,
};
use platbook::{
    answers::{ParcelAnswer, ParcelFacts},
    facts::Fault,
    geometry::LonLat,
    vocabulary::{JurisdictionId, LicenseClass, OUTSIDE_CHARS_MAX, OutsideSource, clean_text},
    words::{English, Words as _},
};

/// A source of facts about parcels. [`JsonParcels`] is one with a documented form.
pub trait ParcelProvider: Debug + Send + Sync {
    /// Returns whether the provider may be called about a point in these jurisdictions.
    fn is_cleared(&self, lineage: &[JurisdictionId]) -> bool;

    /// Looks up the parcel at a point, without a deadline of its own. Failures are answers as well.
    fn facts(&self, point: LonLat) -> ParcelFuture<'_>;
}

/// The future of a parcel lookup.
pub type ParcelFuture<'a> = Pin<Box<dyn Future<Output = ParcelAnswer> + Send + 'a>>;

/// The provider of parcel data in the configuration, section `[parcels]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ParcelSettings {
    /// The URL of the provider, called as `GET url?lat=..&lon=..`.
    pub url: String,
    /// Name of the data, as answers cite it.
    pub name: String,
    /// Publisher of the data, as answers cite it.
    pub publisher: String,
    /// URL of a description of the data: a link on pages and in answers.
    #[serde(deserialize_with = "web_address")]
    pub about_url: String,
    /// The jurisdictions for which the provider is cleared, such as `county:27053`, with all places in them.
    pub places: BTreeSet<JurisdictionId>,
}

/// Reads a URL to which answers link. Accepts only http and https: a browser would run a `javascript:` URL.
fn web_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let url = Url::parse(&text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
    let url = url.ok_or_else(|| {
        D::Error::custom(format!("expected an http or https address for about-url, got {text:?}"))
    })?;
    Ok(url.into())
}

/// A provider that responds with the documented JSON.
#[derive(Debug)]
pub struct JsonParcels {
    line: Line,
    places: BTreeSet<JurisdictionId>,
    source: OutsideSource,
}

impl JsonParcels {
    /// Makes the provider from these settings.
    ///
    /// # Errors
    /// Fails if the provider's URL cannot be the base address of a service.
    pub(super) fn new(settings: &ParcelSettings, fetcher: Arc<Fetcher>) -> Result<JsonParcels, BadBase> {
        let source = OutsideSource {
            name: Cow::Owned(clean_text(&settings.name, OUTSIDE_CHARS_MAX)),
            url: Cow::Owned(settings.about_url.clone()),
            publisher: Cow::Owned(clean_text(&settings.publisher, OUTSIDE_CHARS_MAX)),
            official: false,
            license_class: LicenseClass::LicensedThirdParty,
        };
        // There is no control question, because no place has a parcel in the data of every provider.
        let line = Line::new(Base::parse(&settings.url)?, fetcher, None);
        Ok(JsonParcels { line, places: settings.places.clone(), source })
    }

    /// Returns the host of the provider.
    pub(super) fn host(settings: &ParcelSettings) -> Result<String, BadBase> {
        Base::parse(&settings.url).map(|base| base.host().to_owned())
    }
}

impl ParcelProvider for JsonParcels {
    fn is_cleared(&self, lineage: &[JurisdictionId]) -> bool {
        lineage.iter().any(|id| self.places.contains(id))
    }

    fn facts(&self, point: LonLat) -> ParcelFuture<'_> {
        Box::pin(async move {
            match self.line.ask(parcels::query(point), parcels::read).await {
                Ok(Some((values, as_of))) => {
                    ParcelAnswer::Facts(ParcelFacts { values, as_of, source: self.source.clone() })
                }
                Ok(None) => ParcelAnswer::NoParcel,
                Err(fault) => unavailable(&fault),
            }
        })
    }
}

fn unavailable(fault: &Fault) -> ParcelAnswer {
    ParcelAnswer::Unavailable(format!(
        "the provider of parcel data could not be asked: {}; ask again later",
        English.fault(fault)
    ))
}
