//! Files on a disk: read as what they are, replaced whole.
//!
//! [`regular_file`] opens what an operator names; [`durable`] writes what must survive a power cut. Both know bytes alone.

pub mod durable;
pub mod regular_file;
