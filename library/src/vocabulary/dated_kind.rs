//! Kinds of dates and amounts of the property tax. Kinds are only added, never renamed.

use serde::{Deserialize, Serialize};

use super::{Function, Topic};

/// The subject of a date or an amount. Snapshots store the position of each, so the order must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatedKind {
    /// The last day to question the assessed value.
    Appeal,
    /// The main exemption of an owner who lives in the home.
    Exemption,
    /// The day on which the tax is due.
    Due,
    /// The charge on a late payment.
    Penalty,
    /// The fee to record a deed.
    RecordingFee,
    /// The fee for a copy of a record.
    CopyFee,
    /// The tax on a sale.
    TransferTax,
    /// Relief for older owners: an exemption, a freeze, a deferral or a credit. In many states it is for disabled
    /// owners as well.
    ExemptionSenior,
    /// Relief for disabled and other veterans and their surviving spouses.
    ExemptionVeteran,
    /// Relief for disabled or blind owners, if it is separate from the relief for older owners.
    ExemptionDisability,
    /// Relief for households with low income, at any age.
    ExemptionIncome,
    /// The step after a board's decision on an appeal.
    AppealNext,
    /// Relief for farm and forest land, which is valued by its use.
    ExemptionFarm,
}

impl DatedKind {
    /// All kinds, in the contract's order.
    pub const ALL: [DatedKind; 13] = [
        DatedKind::Appeal,
        DatedKind::Exemption,
        DatedKind::Due,
        DatedKind::Penalty,
        DatedKind::RecordingFee,
        DatedKind::CopyFee,
        DatedKind::TransferTax,
        DatedKind::ExemptionSenior,
        DatedKind::ExemptionVeteran,
        DatedKind::ExemptionDisability,
        DatedKind::ExemptionIncome,
        DatedKind::AppealNext,
        DatedKind::ExemptionFarm,
    ];

    /// The exemptions that only some owners get, besides the main one.
    pub const RELIEF: [DatedKind; 5] = [
        DatedKind::ExemptionSenior,
        DatedKind::ExemptionVeteran,
        DatedKind::ExemptionDisability,
        DatedKind::ExemptionIncome,
        DatedKind::ExemptionFarm,
    ];

    /// The contract's word, which is also the word in the tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            DatedKind::Appeal => "appeal",
            DatedKind::Exemption => "exemption",
            DatedKind::Due => "due",
            DatedKind::Penalty => "penalty",
            DatedKind::RecordingFee => "recording_fee",
            DatedKind::CopyFee => "copy_fee",
            DatedKind::TransferTax => "transfer_tax",
            DatedKind::ExemptionSenior => "exemption_senior",
            DatedKind::ExemptionVeteran => "exemption_veteran",
            DatedKind::ExemptionDisability => "exemption_disability",
            DatedKind::ExemptionIncome => "exemption_income",
            DatedKind::AppealNext => "appeal_next",
            DatedKind::ExemptionFarm => "exemption_farm",
        }
    }

    /// Whether it is an exemption that only some owners get.
    pub fn is_relief(self) -> bool {
        DatedKind::RELIEF.contains(&self)
    }

    /// Whether an owner files something of this kind with an office: an appeal or a claim.
    pub fn is_taken(self) -> bool {
        matches!(self, DatedKind::Appeal | DatedKind::AppealNext | DatedKind::Exemption) || self.is_relief()
    }
}

impl Function {
    /// The dates and amounts that people ask the function's office about, without [`DatedKind::RELIEF`].
    pub fn dated_kinds(self) -> &'static [DatedKind] {
        match self {
            Function::Assessment => &[DatedKind::Appeal, DatedKind::AppealNext],
            Function::TaxCollection => &[DatedKind::Due, DatedKind::Penalty],
            Function::Recording => &[DatedKind::RecordingFee, DatedKind::CopyFee, DatedKind::TransferTax],
            Function::Exemptions => &[DatedKind::Exemption],
            Function::Zoning | Function::Permits | Function::Gis => &[],
        }
    }
}

impl Topic {
    /// The dates and amounts that belong to the topic.
    pub fn dated_kinds(self) -> &'static [DatedKind] {
        match self {
            Topic::Assessor => &[DatedKind::Appeal, DatedKind::Exemption],
            Topic::Appeals => &[DatedKind::Appeal, DatedKind::AppealNext],
            Topic::Exemptions => &[
                DatedKind::Exemption,
                DatedKind::ExemptionSenior,
                DatedKind::ExemptionVeteran,
                DatedKind::ExemptionDisability,
                DatedKind::ExemptionIncome,
                DatedKind::ExemptionFarm,
            ],
            Topic::PropertyTaxPayment | Topic::TaxCollector => Function::TaxCollection.dated_kinds(),
            Topic::RecorderDeeds => Function::Recording.dated_kinds(),
            Topic::ParcelMap
            | Topic::CountyGis
            | Topic::PlatsSurveys
            | Topic::Zoning
            | Topic::BuildingPermits
            | Topic::SepticWell
            | Topic::Wetlands
            | Topic::Floodplain
            | Topic::Soils
            | Topic::Elevation
            | Topic::RoadsRightOfWay
            | Topic::PublicLand
            | Topic::PropertyRecordsGeneral => &[],
        }
    }
}
