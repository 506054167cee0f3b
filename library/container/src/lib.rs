//! The container format of snapshots and layer files: a header, a table of sections, and the sections, each with a
//! checksum.
//!
//! ```text
//! 0   magic "platbook"            8 bytes
//! 8   format version              u32
//! 12  number of sections          u32
//! 16  length of the file          u64
//! 24  checksum of the header      u64, over all header bytes with these eight as zero
//! 32  a row per section: name 16 bytes, offset u64, length u64, checksum u64
//! ..  sections, each at a multiple of 64, zero bytes between
//! ```
//! Numbers are little-endian, and checksums are XXH3-64. Every byte of the file is either covered by a checksum, or is
//! a padding byte that must be zero.
//!
//! This is a separate package because two programs read these files. One is the library, the other is the build script
//! of the service, which verifies the embedded snapshot.

mod error;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

pub use error::SnapshotError;

/// The snapshot format that this code writes.
pub const FORMAT_VERSION: u32 = 4;
/// The oldest snapshot format that this code reads.
pub const OLDEST_READABLE_VERSION: u32 = 3;

/// The layer file format that this code writes and reads.
pub const LAYER_FORMAT_VERSION: u32 = 1;

/// A kind of file made of sections, with the formats that this code can read.
#[derive(Debug, PartialEq, Eq)]
pub struct FileKind {
    /// The word for this kind of file in messages.
    pub noun: &'static str,
    /// The eight magic bytes at the start of the file.
    pub magic: [u8; 8],
    /// The format that this code writes.
    pub version: u32,
    /// The oldest format that this code reads.
    pub oldest: u32,
    /// The command that makes files of this kind.
    pub command: &'static str,
}

/// The kind of file that a snapshot is.
pub static SNAPSHOT: FileKind = FileKind {
    noun: "snapshot",
    magic: *b"platbook",
    version: FORMAT_VERSION,
    oldest: OLDEST_READABLE_VERSION,
    command: "platbook-pipeline build",
};

/// The kind of file that a layer file is.
pub static LAYER: FileKind = FileKind {
    noun: "layer file",
    magic: *b"platlayr",
    version: LAYER_FORMAT_VERSION,
    oldest: LAYER_FORMAT_VERSION,
    command: "platbook-pipeline layer",
};

/// Length in bytes of the header without the table of sections.
pub const HEADER_BYTES: usize = 32;
/// Length in bytes of one row of the table of sections.
pub const ROW_BYTES: usize = 40;
/// Length in bytes of a section's name in its row, padded with zeros.
const NAME_BYTES: usize = 16;
/// Position of the header's checksum in the file.
const CHECKSUM_AT: std::ops::Range<usize> = 24..32;
/// Sections begin at multiples of 64 bytes: the length of a cache line, and more than any archived type requires.
const SECTION_ALIGNMENT: usize = 64;
/// Maximum number of sections in a file. The format will need fewer; the limit bounds a damaged count.
const SECTIONS_MAX: usize = 64;

/// A section with its name and bytes.
#[derive(Debug)]
pub struct Section<'a> {
    /// Name of up to 16 ASCII characters.
    pub name: &'a str,
    /// The encoded contents of the section.
    pub bytes: &'a [u8],
}

/// Encodes a snapshot with these sections, in the given order.
pub fn write(sections: &[Section<'_>]) -> Vec<u8> {
    write_as(&SNAPSHOT, sections)
}

/// Encodes a file of this kind with these sections, in the given order.
pub fn write_as(kind: &FileKind, sections: &[Section<'_>]) -> Vec<u8> {
    let table_end = HEADER_BYTES + ROW_BYTES * sections.len();
    let mut file = vec![0; table_end];
    for (at, section) in sections.iter().enumerate() {
        file.resize(file.len().next_multiple_of(SECTION_ALIGNMENT), 0);
        let offset = file.len() as u64;
        file.extend_from_slice(section.bytes);
        let row = &mut file[HEADER_BYTES + ROW_BYTES * at..][..ROW_BYTES];
        row[..section.name.len()].copy_from_slice(section.name.as_bytes());
        row[16..24].copy_from_slice(&offset.to_le_bytes());
        row[24..32].copy_from_slice(&(section.bytes.len() as u64).to_le_bytes());
        row[32..40].copy_from_slice(&xxh3_64(section.bytes).to_le_bytes());
    }
    let length = file.len() as u64;
    file[..8].copy_from_slice(&kind.magic);
    file[8..12].copy_from_slice(&kind.version.to_le_bytes());
    file[12..16].copy_from_slice(&(sections.len() as u32).to_le_bytes());
    file[16..24].copy_from_slice(&length.to_le_bytes());
    seal_header(&mut file[..table_end]);
    file
}

/// Stores the checksum in the header. `header` must end where the table of sections ends.
fn seal_header(header: &mut [u8]) {
    header[CHECKSUM_AT].fill(0);
    let checksum = xxh3_64(header);
    header[CHECKSUM_AT].copy_from_slice(&checksum.to_le_bytes());
}

/// The byte ranges of the sections, from the table of a snapshot.
pub fn section_ranges(file: &[u8]) -> Vec<std::ops::Range<usize>> {
    let table = file[HEADER_BYTES..].chunks_exact(ROW_BYTES).take(u32_at(file, 12) as usize);
    let range = |row: &[u8]| u64_at(row, 16) as usize..(u64_at(row, 16) + u64_at(row, 24)) as usize;
    table.map(range).collect()
}

/// Renews the checksums of a snapshot after its sections were changed. Tests use it to imitate a writer with a defect.
pub fn reseal(file: &mut [u8]) {
    for (number, section) in section_ranges(file).into_iter().enumerate() {
        let checksum = xxh3_64(&file[section]);
        file[HEADER_BYTES + ROW_BYTES * number + 32..][..8].copy_from_slice(&checksum.to_le_bytes());
    }
    let table_end = HEADER_BYTES + ROW_BYTES * u32_at(file, 12) as usize;
    seal_header(&mut file[..table_end]);
}

/// Returns the verified sections of a snapshot, and the id of the file. The id has 32 hexadecimal characters and
/// depends on every byte of every section.
///
/// # Errors
/// If the file is not a snapshot, has another format, was truncated or extended, or was changed in any byte.
pub fn read(file: &[u8]) -> Result<(Vec<Section<'_>>, String), SnapshotError> {
    read_as(&SNAPSHOT, file)
}

/// Does the same as [`read`], for a file of the given kind.
///
/// # Errors
/// As for [`read`].
pub fn read_as<'a>(
    kind: &'static FileKind,
    file: &'a [u8],
) -> Result<(Vec<Section<'a>>, String), SnapshotError> {
    let (sections, id) = read_table_as(kind, file)?;
    let table = file[HEADER_BYTES..].chunks_exact(ROW_BYTES);
    for (section, row) in sections.iter().zip(table) {
        check(kind, section.name, u64_at(row, 32), section.bytes)?;
    }
    Ok((sections, id))
}

/// Does the same as [`read`], but does not verify the checksums of sections. `build.rs` has verified every byte of the
/// embedded snapshot, so the header and the table are enough.
///
/// # Errors
/// If the file is not a snapshot, has another format, or was truncated or extended, or if its header or table was
/// changed.
pub fn read_table(file: &[u8]) -> Result<(Vec<Section<'_>>, String), SnapshotError> {
    read_table_as(&SNAPSHOT, file)
}

fn read_table_as<'a>(
    kind: &'static FileKind,
    file: &'a [u8],
) -> Result<(Vec<Section<'a>>, String), SnapshotError> {
    let count = read_header(kind, file)?;
    let table = &file[HEADER_BYTES..HEADER_BYTES + ROW_BYTES * count];
    let mut sections = Vec::with_capacity(count);
    let mut end = HEADER_BYTES + table.len();
    for row in table.chunks_exact(ROW_BYTES) {
        let section = read_section(kind, file, row, end)?;
        end = end.next_multiple_of(SECTION_ALIGNMENT) + section.bytes.len();
        sections.push(section);
    }
    if end != file.len() {
        return Err(SnapshotError::Length { kind, expected: end as u64, got: file.len() as u64 });
    }
    let id = format!("{:032x}", xxh3_128(&file[..HEADER_BYTES + table.len()]));
    Ok((sections, id))
}

/// Verifies the header and returns the number of sections. The table is then complete, and its checksum is correct.
fn read_header(kind: &'static FileKind, file: &[u8]) -> Result<usize, SnapshotError> {
    let got = file.len() as u64;
    if file.len() < HEADER_BYTES {
        return Err(SnapshotError::Length { kind, expected: HEADER_BYTES as u64, got });
    }
    if file[..8] != kind.magic {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        return Err(SnapshotError::Magic { kind, expected: lossy(&kind.magic), got: lossy(&file[..8]) });
    }
    let version = u32_at(file, 8);
    if !(kind.oldest..=kind.version).contains(&version) {
        return Err(SnapshotError::Version { kind, got: version });
    }
    let expected = u64_at(file, 16);
    if expected != got {
        return Err(SnapshotError::Length { kind, expected, got });
    }
    let count = u32_at(file, 12) as usize;
    let table_end = HEADER_BYTES + ROW_BYTES * count.min(SECTIONS_MAX + 1);
    if count > SECTIONS_MAX || table_end > file.len() {
        return Err(SnapshotError::layout_of(
            kind,
            "header",
            format!("{count} sections, at most {SECTIONS_MAX} expected"),
        ));
    }
    let mut header = file[..table_end].to_vec();
    header[CHECKSUM_AT].fill(0);
    check(kind, "header", u64_at(file, CHECKSUM_AT.start), &header)?;
    Ok(count)
}

/// Reads one section. `end` is the end of the section before, and all bytes between the two must be zero.
fn read_section<'a>(
    kind: &'static FileKind,
    file: &'a [u8],
    row: &'a [u8],
    end: usize,
) -> Result<Section<'a>, SnapshotError> {
    let name = std::str::from_utf8(&row[..NAME_BYTES])
        .map_err(|error| SnapshotError::layout_of(kind, "header", error))?;
    let name = name.trim_end_matches('\0');
    let start = end.next_multiple_of(SECTION_ALIGNMENT);
    let (offset, length) = (u64_at(row, 16), u64_at(row, 24));
    let stop = (start as u64).saturating_add(length);
    if offset != start as u64 || stop > file.len() as u64 {
        return Err(SnapshotError::Length { kind, expected: stop.max(offset), got: file.len() as u64 });
    }
    if file[end..start].iter().any(|byte| *byte != 0) {
        return Err(SnapshotError::layout_of(kind, name, "the bytes before it are not zero"));
    }
    let bytes = &file[start..stop as usize];
    Ok(Section { name, bytes })
}

fn check(kind: &'static FileKind, part: &str, expected: u64, bytes: &[u8]) -> Result<(), SnapshotError> {
    let got = xxh3_64(bytes);
    if got == expected {
        Ok(())
    } else {
        Err(SnapshotError::Checksum { kind, part: part.to_owned(), expected, got })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Vec<u8> {
        write(&[
            Section { name: "first", bytes: b"some bytes" },
            Section { name: "empty", bytes: b"" },
            Section { name: "sixteen_chars_ok", bytes: &[7; 200] },
        ])
    }

    #[test]
    fn sections_come_back() {
        let file = small();
        let (sections, id) = read(&file).unwrap();
        let names: Vec<_> = sections.iter().map(|section| (section.name, section.bytes.len())).collect();
        assert_eq!(names, [("first", 10), ("empty", 0), ("sixteen_chars_ok", 200)]);
        assert_eq!(id.len(), 32);
        assert!(sections.iter().all(|section| section.bytes.as_ptr().addr() - file.as_ptr().addr() >= 32));
    }

    #[test]
    fn every_truncation_is_refused() {
        let file = small();
        for length in 0..file.len() {
            assert!(read(&file[..length]).is_err(), "{length}");
        }
    }

    /// Each row has the length of the file, the length in its header, and the length that the error should expect. The
    /// checksum of the header is correct.
    #[test]
    fn a_wrong_length_is_refused_with_the_right_one() {
        let whole = small().len();
        for (bytes, stated, expected) in [
            (whole + 1, whole, whole),
            (whole + 64, whole, whole),
            (whole - 1, whole, whole),
            (HEADER_BYTES, whole, whole),
            // The header has the length of the file, but the sections end elsewhere.
            (whole + 1, whole + 1, whole),
            (whole + 64, whole + 64, whole),
            (whole - 1, whole - 1, whole),
            (whole, whole + 1, whole + 1),
            (HEADER_BYTES - 1, HEADER_BYTES - 1, HEADER_BYTES),
        ] {
            let mut file = small();
            file[16..24].copy_from_slice(&(stated as u64).to_le_bytes());
            seal_header(&mut file[..HEADER_BYTES + 3 * ROW_BYTES]);
            file.resize(bytes, 0);
            let said = match read(&file) {
                Err(SnapshotError::Length { expected, got, .. }) => Some((expected, got)),
                _ => None,
            };
            assert_eq!(said, Some((expected as u64, bytes as u64)), "{bytes} bytes, {stated} stated");
        }
    }

    #[test]
    fn every_single_byte_flip_is_refused() {
        let file = small();
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                assert!(read(&damaged).is_err(), "byte {at} bit {bit}");
            }
        }
    }

    #[test]
    fn a_file_of_another_kind_is_named() {
        let layer = write_as(&LAYER, &[Section { name: "about", bytes: b"some bytes" }]);
        assert_eq!(read_as(&LAYER, &layer).unwrap().0[0].name, "about");
        let error = read(&layer).unwrap_err().to_string();
        assert!(error.contains("expected a platbook snapshot"), "{error}");
        let error = read_as(&LAYER, &small()).unwrap_err().to_string();
        assert!(error.contains("expected a platbook layer file"), "{error}");
    }

    #[test]
    fn another_format_is_named() {
        for other in [2, 99] {
            let mut file = small();
            file[8] = other;
            let error = read(&file).unwrap_err().to_string();
            let reads = format!(
                "reads snapshot formats {OLDEST_READABLE_VERSION} to {FORMAT_VERSION}, got format {other}"
            );
            assert!(error.contains(&reads), "{error}");
        }
    }
}
