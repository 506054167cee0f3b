//! License classes of sources and records, as the contract names them.

use serde::{Deserialize, Serialize};

/// How freely data from a source may be redistributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum LicenseClass {
    /// Public domain or an open license.
    Open = 0,
    /// A public record without a stated license.
    PublicRecord = 1,
    /// Redistribution is forbidden; records of the source are withheld.
    RestrictedNoRedistribution = 2,
    /// Licensed from a third party, with its terms.
    LicensedThirdParty = 3,
    /// The license could not be determined.
    Unknown = 4,
}

impl LicenseClass {
    /// The class stored as this number; `None` for a number that no release has written.
    pub fn from_u8(number: u8) -> Option<LicenseClass> {
        use LicenseClass::{LicensedThirdParty, Open, PublicRecord, RestrictedNoRedistribution, Unknown};
        [Open, PublicRecord, RestrictedNoRedistribution, LicensedThirdParty, Unknown]
            .get(usize::from(number))
            .copied()
    }
}
