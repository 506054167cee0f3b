//! License classes of sources and records, as the contract names them.

use serde::{Deserialize, Serialize};

/// How freely a source may be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum LicenseClass {
    /// Public domain or an open licence.
    Open = 0,
    /// A public record without a stated licence.
    PublicRecord = 1,
    /// Redistribution is forbidden: records are withheld.
    RestrictedNoRedistribution = 2,
    /// Licensed from a third party.
    LicensedThirdParty = 3,
    /// Not known.
    Unknown = 4,
}

impl LicenseClass {
    /// The class stored as this number.
    pub fn from_u8(number: u8) -> Option<LicenseClass> {
        use LicenseClass::{LicensedThirdParty, Open, PublicRecord, RestrictedNoRedistribution, Unknown};
        [Open, PublicRecord, RestrictedNoRedistribution, LicensedThirdParty, Unknown]
            .get(usize::from(number))
            .copied()
    }
}
