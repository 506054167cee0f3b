//! Updates the snapshot while requests are served: downloads, acceptance checks and rollback.
//!
//! A snapshot comes from a watched file ([`WatchedFile`]) or a polled address ([`Remote`]). Both yield
//! [`Directory`](platbook::directory::Directory) values that are verified, accepted ([`platbook::acceptance`]) and
//! warm. After a [`Refusal`], the service keeps the current snapshot. [`follow`] swaps editions; a service that
//! starts without a snapshot waits for the [`first`].
//!
//! The service never maps a file to which another program can write. The service serves a copy without a name, which
//! ends with the process. The signature check reads that copy, so no byte can change between the check and the
//! answers.

mod address;
mod built_in;
mod client;
mod copy;
mod dates;
mod event;
mod file;
mod follow;
mod limits;
mod receive;
mod refusal;
mod release;
mod remote;
mod signature;
mod snapshot_store;

pub use address::{BadAddress, SnapshotUrl};
pub use built_in::built_in;
pub use copy::open_layer;
pub use dates::Clock;
pub use event::Event;
pub use file::WatchedFile;
pub use follow::{Order, Source, first, follow};
pub use limits::Limits;
pub use refusal::Refusal;
pub use remote::Remote;
pub use signature::{BadKey, SignatureFault, SnapshotKey};
pub use snapshot_store::SnapshotStore;
