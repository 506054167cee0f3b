//! Maps and tables become sections of layer files, and tables of counties a section of a snapshot, too.

pub mod counties;
pub mod maps;
mod soil_tables;
