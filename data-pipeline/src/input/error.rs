//! Why an input file was refused.

/// Every message names the file, what was expected, what came and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The extension tells no known kind of file.
    #[error("{file}: expected .zip, .geojson or .json; convert the file or correct its path in the manifest")]
    Kind {
        /// The file.
        file: String,
    },
    /// The file is not a zip archive, or is damaged.
    #[error("{file}: expected a zip archive, got one that cannot be read ({source}); download it again")]
    Zip {
        /// The file.
        file: String,
        /// What the zip reader says.
        source: zip::result::ZipError,
    },
    /// A member of a zip archive cannot be unpacked.
    #[error("{file}: cannot unpack {member} ({source}); download the file again")]
    Member {
        /// The file.
        file: String,
        /// The member.
        member: String,
        /// What the unpacker says.
        source: std::io::Error,
    },
    /// A member is larger than any published one.
    #[error("{file}: {member} unpacks to more than {limit} bytes; check that it is the published file")]
    TooLarge {
        /// The file.
        file: String,
        /// The member.
        member: String,
        /// Largest size that is read.
        limit: u64,
    },
    /// A zip archive lacks a part.
    #[error("{file}: expected a member that ends in .{part}, got {members}; download the file again")]
    MissingPart {
        /// The file.
        file: String,
        /// Extension of the part.
        part: String,
        /// The members that there are.
        members: String,
    },
    /// The .shp part is damaged.
    #[error("{file}: record {record} of the .shp part cannot be read ({source}); download the file again")]
    Shape {
        /// The file.
        file: String,
        /// Counted from 1; 0 is the header.
        record: usize,
        /// What the reader says.
        source: shapefile::Error,
    },
    /// The .dbf part is damaged.
    #[error("{file}: record {record} of the .dbf part cannot be read ({source}); download the file again")]
    Dbf {
        /// The file.
        file: String,
        /// Counted from 1; 0 is the header.
        record: usize,
        /// What the reader says.
        source: dbase::Error,
    },
    /// The parts disagree.
    #[error(
        "{file}: expected as many shapes as table rows, got {shapes} shapes and {rows} rows; download the file again"
    )]
    Count {
        /// The file.
        file: String,
        /// Shapes in the .shp part.
        shapes: usize,
        /// Rows in the .dbf part.
        rows: usize,
    },
    /// The .cpg part names an unknown encoding.
    #[error("{file}: expected UTF-8, ISO-8859-1 or another known encoding in the .cpg part, got {got:?}")]
    Encoding {
        /// The file.
        file: String,
        /// What came.
        got: String,
    },
    /// The file is not GeoJSON.
    #[error("{file}: expected a GeoJSON FeatureCollection, got {got}; convert the file or download it again")]
    GeoJson {
        /// The file.
        file: String,
        /// What came, or where the JSON breaks off.
        got: String,
    },
    /// The file is no Parquet table, or a damaged one.
    #[error(
        "{file}: expected a Parquet table, got one that cannot be read ({source}); download it again, or give it as CSV"
    )]
    Parquet {
        /// The file.
        file: String,
        /// What the reader says.
        source: parquet::errors::ParquetError,
    },
    /// The .prj part names a projection that is not read.
    #[error(
        "{file}: expected degrees, Albers, Lambert, Mercator or transverse Mercator in the .prj part, got {got}; project the file to WGS84"
    )]
    Projection {
        /// The file.
        file: String,
        /// What came.
        got: String,
    },
    /// A record's geometry is not an area.
    #[error(
        "{file}: record {record}: expected a polygon, got {got}; take the boundary edition of this data set"
    )]
    Geometry {
        /// The file.
        file: String,
        /// Counted from 1.
        record: usize,
        /// Kind of geometry.
        got: String,
    },
    /// A coordinate is not on the globe.
    #[error(
        "{file}: record {record}: {source}; is the file projected? it must be in degrees (NAD83 or WGS84)"
    )]
    Coordinate {
        /// The file.
        file: String,
        /// Counted from 1.
        record: usize,
        /// Which coordinate, and what came.
        source: platbook::geometry::PointError,
    },
    /// A field is missing or makes no sense.
    #[error(
        "{file}: record {record}: field {field}: expected {expected}, got {got}; correct the file or its layer in the manifest"
    )]
    Field {
        /// The file.
        file: String,
        /// Counted from 1 (in a table, the line).
        record: usize,
        /// The field.
        field: &'static str,
        /// What would be right.
        expected: String,
        /// What came.
        got: String,
    },
    /// A comma-separated table is damaged.
    #[error("{file}: {source}; download the file again")]
    Csv {
        /// The file.
        file: String,
        /// Line and reason.
        source: csv::Error,
    },
    /// The file is not a gzipped tar archive, or is damaged.
    #[error("{file}: expected a .tar.gz archive, got one that cannot be read ({source}); download it again")]
    Tar {
        /// The file.
        file: String,
        /// What the unpacker says.
        source: std::io::Error,
    },
    /// A member of an archive is not JSON of the expected shape.
    #[error("{file}: {member}: {source}; download the file again")]
    Json {
        /// The file.
        file: String,
        /// The member.
        member: String,
        /// Line, column and what was expected.
        source: serde_json::Error,
    },
}
