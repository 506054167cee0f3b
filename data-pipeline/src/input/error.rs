//! Errors of input files, with what to do about each.

/// The reason why an input file was rejected. Each message names the file, the expected and the actual value,
/// and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The extension is not that of a known kind of file.
    #[error("{file}: expected .zip, .geojson or .json; convert the file or correct its path in the manifest")]
    Kind {
        /// Name of the file.
        file: String,
    },
    /// The file is not a zip archive, or is damaged.
    #[error("{file}: expected a zip archive, got one that cannot be read ({source}); download it again")]
    Zip {
        /// Name of the file.
        file: String,
        /// Error of the zip reader.
        source: zip::result::ZipError,
    },
    /// A member of a zip archive cannot be unpacked.
    #[error("{file}: cannot unpack {member} ({source}); download the file again")]
    Member {
        /// Name of the file.
        file: String,
        /// Name of the member.
        member: String,
        /// Error of the unpacking.
        source: std::io::Error,
    },
    /// A member is larger than any published one.
    #[error("{file}: {member} unpacks to more than {limit} bytes; check that it is the published file")]
    TooLarge {
        /// Name of the file.
        file: String,
        /// Name of the member.
        member: String,
        /// Maximum size of a member, in bytes.
        limit: u64,
    },
    /// A zip archive lacks a part.
    #[error("{file}: expected a member that ends in .{part}, got {members}; download the file again")]
    MissingPart {
        /// Name of the file.
        file: String,
        /// Extension of the part.
        part: String,
        /// Names of the archive's members.
        members: String,
    },
    /// The .shp part is damaged.
    #[error("{file}: record {record} of the .shp part cannot be read ({source}); download the file again")]
    Shape {
        /// Name of the file.
        file: String,
        /// Number of the record, from 1; 0 is the header.
        record: usize,
        /// Error of the shapefile reader.
        source: shapefile::Error,
    },
    /// The .dbf part is damaged.
    #[error("{file}: record {record} of the .dbf part cannot be read ({source}); download the file again")]
    Dbf {
        /// Name of the file.
        file: String,
        /// Number of the record, from 1; 0 is the header.
        record: usize,
        /// Error of the table reader.
        source: dbase::Error,
    },
    /// The numbers of shapes and table rows differ.
    #[error(
        "{file}: expected as many shapes as table rows, got {shapes} shapes and {rows} rows; download the file again"
    )]
    Count {
        /// Name of the file.
        file: String,
        /// Number of shapes in the .shp part.
        shapes: usize,
        /// Number of rows in the .dbf part.
        rows: usize,
    },
    /// The .cpg part names an unknown encoding.
    #[error("{file}: expected UTF-8, ISO-8859-1 or another known encoding in the .cpg part, got {got:?}")]
    Encoding {
        /// Name of the file.
        file: String,
        /// The name in the .cpg part.
        got: String,
    },
    /// The file is not GeoJSON.
    #[error("{file}: expected a GeoJSON FeatureCollection, got {got}; convert the file or download it again")]
    GeoJson {
        /// Name of the file.
        file: String,
        /// The kind of GeoJSON found, or the place where the JSON breaks off.
        got: String,
    },
    /// The file is not a Parquet table, or is damaged.
    #[error(
        "{file}: expected a Parquet table, got one that cannot be read ({source}); download it again, or give it as CSV"
    )]
    Parquet {
        /// Name of the file.
        file: String,
        /// Error of the Parquet reader.
        source: parquet::errors::ParquetError,
    },
    /// The .prj part names a projection that is not read.
    #[error(
        "{file}: expected degrees, Albers, Lambert, Mercator or transverse Mercator in the .prj part, got {got}; project the file to WGS84"
    )]
    Projection {
        /// Name of the file.
        file: String,
        /// Beginning of the .prj part.
        got: String,
    },
    /// A record's geometry is not an area.
    #[error(
        "{file}: record {record}: expected a polygon, got {got}; take the boundary edition of this data set"
    )]
    Geometry {
        /// Name of the file.
        file: String,
        /// Number of the record, from 1.
        record: usize,
        /// Kind of the record's geometry.
        got: String,
    },
    /// A coordinate is not on the globe.
    #[error(
        "{file}: record {record}: {source}; is the file projected? it must be in degrees (NAD83 or WGS84)"
    )]
    Coordinate {
        /// Name of the file.
        file: String,
        /// Number of the record, from 1.
        record: usize,
        /// The coordinate and its value.
        source: platbook::geometry::PointError,
    },
    /// A field is missing or not valid.
    #[error(
        "{file}: record {record}: field {field}: expected {expected}, got {got}; correct the file or its layer in the manifest"
    )]
    Field {
        /// Name of the file.
        file: String,
        /// Number of the record, from 1; in a table, the line.
        record: usize,
        /// Name of the field.
        field: &'static str,
        /// The kind of value that is valid.
        expected: String,
        /// The value of the field.
        got: String,
    },
    /// A comma-separated table is damaged.
    #[error("{file}: {source}; download the file again")]
    Csv {
        /// Name of the file.
        file: String,
        /// The line and the reason.
        source: csv::Error,
    },
    /// The file is not a gzipped tar archive, or is damaged.
    #[error("{file}: expected a .tar.gz archive, got one that cannot be read ({source}); download it again")]
    Tar {
        /// Name of the file.
        file: String,
        /// Error of the unpacking.
        source: std::io::Error,
    },
    /// A member of an archive is not JSON of the expected shape.
    #[error("{file}: {member}: {source}; download the file again")]
    Json {
        /// Name of the file.
        file: String,
        /// Name of the member.
        member: String,
        /// Line, column and the expected value.
        source: serde_json::Error,
    },
}
