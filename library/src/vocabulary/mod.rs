//! The field's own words: Census ids, legal words, functional status, functions, topics, scale, license.
//!
//! Each type parses and prints the contract's word and the number that snapshots store. Names are folded and compared
//! here as well. Must not know of files, shapes or transports.

mod abbreviations;
mod action;
mod base32;
mod causes;
mod clean_text;
mod coverage;
mod dated_kind;
mod echo;
mod federal_kind;
mod fold;
mod func_stat;
mod function;
mod id;
mod id_text;
mod layer;
mod legal;
mod legal_word;
mod license;
mod map_kind;
mod names;
mod outside_source;
mod per_state;
mod place_words;
mod problem;
mod record;
mod record_id;
mod scale;
mod set;
mod spelling;
mod state;
mod topic;

pub use abbreviations::{state_abbreviations, written_out};
pub use action::{Action, ActionSet};
pub use base32::{base32_bits, base32_text};
pub use causes::with_causes;
pub use clean_text::{OUTSIDE_CHARS_MAX, clean_text, is_clean_text, is_unsafe_to_show};
pub use coverage::Coverage;
pub use dated_kind::DatedKind;
pub use echo::{echoed, holds_key};
pub use federal_kind::FederalKind;
pub use fold::{Folded, key_of, name_key, short_form};
pub use func_stat::FuncStat;
pub use function::{Function, FunctionSet, Level, LevyScope, Role};
pub use id::{IdError, JurisdictionId, JurisdictionType};
pub use id_text::IdText;
pub use layer::{Geoid, GeoidError, Layer};
pub use legal::{Affix, LegalType, legal_type_of, split_namelsad};
pub use legal_word::LegalWord;
pub use license::LicenseClass;
pub use map_kind::{MapKind, MapKindError};
pub use names::{bare_name, names_of, ocd_name, topic_words};
pub use outside_source::OutsideSource;
pub use per_state::PerState;
pub use place_words::{state_called, without_country, zip_at_end, zip_code};
pub use problem::ProblemKind;
pub use record::{Confidence, PageUse, SourceKind, UrlScope, VerificationMethod, VerifiedStatus};
pub use record_id::{RecordId, bare_url, host_of, is_same_page, office_key, resource_key};
pub use scale::Scale;
pub use set::{Member, Set};
pub use spelling::{PATTERN_BYTES_MAX, Reached, SLIPS_MAX, Spelling};
pub use state::{STATES, StateCode, StateCodeError};
pub use topic::{TOPIC_ALIASES, Topic, TopicSet};
