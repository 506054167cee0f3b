//! Turns maps and tables into sections of layer files; the tables of counties also become a section of a
//! snapshot.

pub mod counties;
pub mod maps;
mod soil_tables;
