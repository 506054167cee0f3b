//! Fresh snapshots, while requests are served: where they come from, whether they may be served, and the way back.
//!
//! A snapshot comes from a file that is watched ([`WatchedFile`]) or from an address that is asked again and again
//! ([`Remote`]). Both give [`Directory`](platbook::directory::Directory) values that are verified, judged
//! ([`platbook::fitness`]) and warm; what is refused is a [`Refusal`], and the one that is served stays. [`follow`] swaps
//! them in; a service that has none to begin with waits for the first ([`first`]).
//!
//! Nothing is mapped that another program can write to: what is served is a copy without a name, which goes with the
//! process. The signature is that of the copy, so no byte can change between the check and the answers.

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
mod remote;
mod shelf;
mod signature;

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
pub use shelf::Shelf;
pub use signature::{BadKey, SignatureFault, SnapshotKey};
