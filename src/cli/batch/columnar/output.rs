//! Writes groups of rows as Parquet or Arrow. Groups are encoded by many threads and written by one.

use std::{io::Write, sync::Arc};

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_ipc::{
    CompressionType,
    writer::{FileWriter, IpcWriteOptions},
};
use arrow_schema::SchemaRef;
use parquet::{
    arrow::arrow_writer::{
        ArrowColumnChunk, ArrowRowGroupWriterFactory, ArrowWriter, ArrowWriterOptions, compute_leaves,
    },
    basic,
    file::{metadata::KeyValue, properties::WriterProperties, writer::SerializedFileWriter},
};

use super::super::formats::{Compression, TableFormat};

/// The writer of an output.
pub(super) enum Writer<W: Write + Send> {
    Parquet(Box<SerializedFileWriter<W>>),
    Arrow(Box<FileWriter<W>>),
}

/// Encodes groups. Any thread may use it.
pub(super) enum Encoder {
    Parquet(ArrowRowGroupWriterFactory, SchemaRef),
    Arrow,
}

/// An encoded group of rows.
pub(super) enum Group {
    /// The chunk of each column.
    Parquet(Vec<ArrowColumnChunk>),
    /// Batches that are not encoded yet: the writer encodes them.
    Arrow(Vec<RecordBatch>),
}

/// Begins an output, and stores the metadata of the schema as those of the file.
///
/// # Errors
/// If a column has a type that the format lacks, or the first bytes cannot be written.
pub(super) fn begin<W: Write + Send>(
    output: W,
    schema: &SchemaRef,
    format: TableFormat,
    compression: Compression,
) -> Result<(Writer<W>, Encoder)> {
    Ok(match format {
        TableFormat::Parquet => {
            // Arrow readers take the metadata from the `ARROW:schema` entry. Other readers take the metadata from
            // these entries.
            let metadata = schema.metadata().iter();
            let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_string(), value.to_string()));
            let properties = WriterProperties::builder()
                .set_compression(match compression {
                    Compression::Zstd => basic::Compression::ZSTD(basic::ZstdLevel::default()),
                    Compression::Snappy => basic::Compression::SNAPPY,
                    Compression::None => basic::Compression::UNCOMPRESSED,
                })
                .set_key_value_metadata(Some(metadata.collect()))
                .set_max_row_group_row_count(None)
                .build();
            let options = ArrowWriterOptions::new().with_properties(properties);
            let writer = ArrowWriter::try_new_with_options(output, Arc::clone(schema), options)?;
            let (writer, factory) = writer.into_serialized_writer()?;
            (Writer::Parquet(Box::new(writer)), Encoder::Parquet(factory, Arc::clone(schema)))
        }
        TableFormat::Arrow => {
            let options = IpcWriteOptions::default().try_with_compression(match compression {
                Compression::Zstd => Some(CompressionType::ZSTD),
                Compression::Snappy | Compression::None => None,
            })?;
            (
                Writer::Arrow(Box::new(FileWriter::try_new_with_options(output, schema, options)?)),
                Encoder::Arrow,
            )
        }
    })
}

impl Encoder {
    /// Encodes the batches of a group.
    ///
    /// # Errors
    /// If a batch cannot be resolved or encoded.
    pub(super) fn encode(&self, batches: impl Iterator<Item = Result<RecordBatch>>) -> Result<Group> {
        let Encoder::Parquet(factory, schema) = self else {
            return batches.collect::<Result<_>>().map(Group::Arrow);
        };
        let mut columns = factory.create_column_writers(0)?;
        for batch in batches {
            let batch = batch?;
            let mut writers = columns.iter_mut();
            for (field, array) in schema.fields().iter().zip(batch.columns()) {
                for (leaf, writer) in compute_leaves(field, array)?.iter().zip(&mut writers) {
                    writer.write(leaf)?;
                }
            }
        }
        let chunks = columns.into_iter().map(|column| column.close());
        Ok(Group::Parquet(chunks.collect::<Result<_, _>>()?))
    }
}

impl<W: Write + Send> Writer<W> {
    /// Writes the next group.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, group: Group) -> Result<()> {
        match (self, group) {
            (Writer::Parquet(writer), Group::Parquet(chunks)) => {
                let mut group = writer.next_row_group()?;
                for chunk in chunks {
                    chunk.append_to_row_group(&mut group)?;
                }
                group.close()?;
            }
            (Writer::Arrow(writer), Group::Arrow(batches)) => {
                batches.iter().try_for_each(|batch| writer.write(batch))?;
            }
            (Writer::Parquet(_), Group::Arrow(_)) | (Writer::Arrow(_), Group::Parquet(_)) => {
                unreachable!("one call makes an encoder and its writer")
            }
        }
        Ok(())
    }

    /// Writes the end of the file, after the last group.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(self) -> Result<()> {
        match self {
            Writer::Parquet(writer) => drop(writer.close()?),
            Writer::Arrow(mut writer) => writer.finish()?,
        }
        Ok(())
    }
}
