//! JSON Schemas of enums of words, with the meaning of each word for readers of the OpenAPI document. They are in
//! this module because `vocabulary` does not depend on schemas.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use platbook::vocabulary::{
    Action, Confidence, DatedKind, Function, Level, LevyScope, LicenseClass, PublisherKind, Role, SourceKind,
    Topic, UrlScope, VerificationMethod, VerifiedStatus,
};

/// An enum of words that the library defines. Only this crate can define its schema.
pub(super) trait WordSet {
    /// Name of the schema in the document.
    const NAME: &'static str;

    /// Returns the schema of the type: its words, each with its meaning.
    fn schema() -> Schema;
}

/// Represents a word type in `#[schemars(with = ..)]`.
pub(super) struct Word<T>(PhantomData<T>);

impl<T: WordSet> JsonSchema for Word<T> {
    fn schema_name() -> Cow<'static, str> {
        T::NAME.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        T::schema()
    }
}

/// Implements the schema of an enum of words, each variant with its meaning. A variant without a meaning does not
/// compile.
macro_rules! words {
    ($type:ident, $about:literal, { $($variant:ident: $meaning:literal),+ $(,)? }) => {
        impl WordSet for $type {
            const NAME: &'static str = stringify!($type);

            fn schema() -> Schema {
                let _every_variant_is_listed = |word: $type| match word { $($type::$variant => ()),+ };
                described($about, &[$(($type::$variant, $meaning)),+])
            }
        }
    };
}

words!(Function, "A job that some office does for a property. The order is the contract's.", {
    Assessment: "Setting the taxable value.",
    TaxCollection: "Billing and collecting the property tax.",
    Recording: "Keeping deeds and other land records.",
    Zoning: "Zoning.",
    Permits: "Building permits.",
    Gis: "Parcel maps.",
    Exemptions: "Exemptions and relief from property tax.",
});
words!(Action, "The things that a person can do on a page. More may be added.", {
    PayBill: "See the property tax bill, or pay it.",
    LookUpProperty: "Find a property with its value and its facts.",
    QuestionValue: "Question the assessed value, or appeal it.",
    ClaimExemption: "Claim an exemption or another relief from property tax.",
    FindDeed: "Search recorded deeds, or get a copy.",
    LookUpZoning: "See the zoning of a lot, or what it allows.",
    ApplyForPermit: "Apply for a building permit, or learn how.",
    SeeParcelMap: "See a parcel on a map in the browser.",
    GetMapData: "Get map data: a portal, a download or a service for software.",
});
words!(DatedKind, "The subject of a date or an amount. More may be added.", {
    Appeal: "The last day to question the assessed value.",
    Exemption: "The main exemption of an owner who lives in the home.",
    Due: "The day on which the tax is due.",
    Penalty: "The charge on a late payment.",
    RecordingFee: "The fee to record a deed.",
    CopyFee: "The fee for a copy of a record.",
    TransferTax: "The tax on a sale.",
    ExemptionSenior: "Relief for older owners, in many states for disabled ones as well.",
    ExemptionVeteran: "Relief for disabled and other veterans and their surviving spouses.",
    ExemptionDisability: "Relief for disabled or blind owners, if it is separate from that for older owners.",
    ExemptionIncome: "Relief for households with low income.",
    AppealNext: "The step after a board's decision on an appeal.",
    ExemptionFarm: "Farm and forest land that is valued by its use.",
});
words!(Role, "The part of a body in the function.", {
    Primary: "The body to ask first.",
    Secondary: "A further body, for example one that sends a second bill.",
    Delinquent: "Collects what is overdue.",
});
words!(LevyScope, "The levy that a body bills or collects.", {
    County: "The county's.",
    Municipal: "A city's, town's or village's.",
    School: "A school district's.",
    Special: "A special district's.",
    All: "Everybody's.",
});
words!(Level, "The level of government that does a job in most of a state.", {
    State: "The state.",
    County: "Counties.",
    Town: "Towns and townships.",
    City: "Cities and other incorporated places.",
});
words!(VerifiedStatus, "Whether a link was checked.", {
    Verified: "Checked.",
    NotYetVerified: "Not yet checked.",
    PossiblyBroken: "May be broken.",
});
words!(VerificationMethod, "How a link was checked.", {
    Automated: "By a program.",
    Browser: "By a program that runs a browser.",
    Manual: "By a person.",
});
words!(UrlScope, "The owner of the page or contact that is shown for an office.", {
    Office: "The office's own.",
    Government: "Those of its government: the office's own are not on record.",
});
words!(Confidence, "How sure a hand-kept table is of a fact.", {
    Low: "A pointer to check: the office title is shown, no body is named.",
    Medium: "Right in general, varies locally.",
    High: "Sure.",
});
words!(SourceKind, "How a resource was gathered.", {
    Unknown: "No saved source trail.",
    Curated: "A hand-kept table of this project.",
    DomainRegistry: "The registry of .gov domains.",
    AddressList: "A list of government addresses outside .gov.",
    OpenDataList: "A list of open data sources.",
    MapData: "A map service or a file from a list of open data sources: for map software, not a page to look at.",
});
words!(PublisherKind, "The kind of a source's publisher.", {
    Official: "A government or its office.",
    LawPublisher: "A company or a school that prints statutes, ordinances and court decisions.",
    Association: "An association of officials, governments, lawyers or planners.",
    Vendor: "A company that runs pages for governments, or sells data that it gathered.",
    News: "A newspaper, a station or a magazine.",
    Encyclopedia: "A text that anybody may write.",
    Other: "A copy on a site for documents, an open source project, a company or a private page.",
});
words!(LicenseClass, "How freely a source may be passed on.", {
    Open: "Public domain or an open license.",
    PublicRecord: "A public record without a stated license.",
    RestrictedNoRedistribution: "Redistribution is forbidden: records are withheld.",
    LicensedThirdParty: "Licensed from a third party.",
    Unknown: "Not known.",
});

/// `/topics` explains the topics, so the document only lists them.
impl WordSet for Topic {
    const NAME: &'static str = "Topic";

    fn schema() -> Schema {
        let words: Vec<Topic> = Topic::all().collect();
        json_schema!({ "type": "string", "enum": words, "description": "The subjects that a resource serves." })
    }
}

/// Returns a schema of words. Its description has the subject and the meaning of each word.
fn described<T: Serialize>(about: &str, words: &[(T, &str)]) -> Schema {
    let word = |word: &T| serde_json::to_value(word).expect("a word is written as a text");
    let (mut names, mut description) = (Vec::new(), format!("{about}\n"));
    for (variant, meaning) in words {
        let name = word(variant);
        description += &format!("\n- `{}`: {meaning}", name.as_str().unwrap_or_default());
        names.push(name);
    }
    json_schema!({ "description": description, "type": "string", "enum": names })
}
