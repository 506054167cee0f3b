//! The field's own words: Census ids, legal words, functional status, functions, topics, vintage, scale, licence.
//!
//! Knows nothing of files, shapes or transports.

mod func_stat;
mod function;
mod id;
mod layer;
mod legal;
mod license;
mod record;
mod record_id;
mod scale;
mod state;
mod topic;

pub use func_stat::FuncStat;
pub use function::{Function, FunctionSet, Level, LevyScope, Role};
pub use id::{IdError, JurisdictionId, JurisdictionType};
pub use layer::{Geoid, GeoidError, Layer};
pub use legal::{Affix, LegalType, legal_type_of, split_namelsad};
pub use license::LicenseClass;
pub use record::{Confidence, SourceKind, VerificationMethod, VerifiedStatus};
pub use record_id::{RecordId, bare_url, office_key, resource_key};
pub use scale::Scale;
pub use state::{STATES, StateCode, StateCodeError};
pub use topic::{TOPIC_ALIASES, Topic, TopicSet};
