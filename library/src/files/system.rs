//! The differences between operating systems: permissions of files, their identity, and the sync of a folder.
//!
//! Both twins have the same functions. Windows has no permission bits: a new file there inherits the access list of its
//! folder, so a private file belongs in a private folder.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
