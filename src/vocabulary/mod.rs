//! The field's own words: Census ids, legal words, functional status, vintage, scale, licence.
//!
//! Knows nothing of files, shapes or transports.

mod func_stat;
mod id;
mod layer;
mod legal;
mod license;
mod scale;
mod state;

pub use func_stat::FuncStat;
pub use id::{IdError, JurisdictionId, JurisdictionType};
pub use layer::{Geoid, GeoidError, Layer};
pub use legal::{Affix, LegalType, legal_type_of, split_namelsad};
pub use license::LicenseClass;
pub use scale::Scale;
pub use state::{STATES, StateCode, StateCodeError};
