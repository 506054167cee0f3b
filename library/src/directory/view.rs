//! Reads the fields of rows.

use super::{Directory, Row, SourceRow};
use crate::{
    geometry::LonLat,
    snapshot::LinkCheck,
    vocabulary::{
        Folded, FuncStat, JurisdictionId, JurisdictionType, Layer, LicenseClass, PublisherKind, Scale,
        StateCode,
    },
};

/// The year of the population estimates. Snapshots do not hold it; a test of the pipeline compares it with the list
/// of sources.
pub const POPULATION_YEAR: u16 = 2019;

/// A jurisdiction with its fields read.
#[derive(Clone, Debug, PartialEq)]
pub struct JurisdictionView<'a> {
    /// The row of the jurisdiction.
    pub row: Row,
    /// The id of the jurisdiction.
    pub id: JurisdictionId,
    /// The type of the jurisdiction, by its id.
    pub kind: JurisdictionType,
    /// Name as people write it.
    pub name: &'a str,
    /// Legal word in lower case, such as `charter township`.
    pub legal_type: Option<&'a str>,
    /// State; `None` for the country.
    pub state: Option<StateCode>,
    /// Year of the boundary or list that the record comes from; `None` if unknown.
    pub tiger_vintage: Option<u16>,
    /// Census functional status of the area.
    pub func_stat: FuncStat,
    /// Number of people; used only for ranking.
    pub population: u32,
    /// A point inside the jurisdiction's area, if known.
    pub point: Option<LonLat>,
    /// Whether the snapshot has the jurisdiction's polygons. Without them, no point resolves to it.
    pub has_boundary: bool,
    /// Source of the record.
    pub source: SourceRow,
}

/// A source with its fields read.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceView<'a> {
    /// Name of the data set.
    pub name: &'a str,
    /// URL of the published data.
    pub url: &'a str,
    /// Name of the publisher.
    pub publisher: &'a str,
    /// Whether the publisher is a government.
    pub official: bool,
    /// Date of the download, `YYYY-MM-DD`.
    pub retrieved_at: &'a str,
    /// The license class of the data, which says how freely it may be redistributed.
    pub license_class: LicenseClass,
    /// The kind of the publisher; `None` where it is not known.
    pub publisher_kind: Option<PublisherKind>,
    /// Year that the data describes.
    pub vintage: u16,
    /// Scale of the source's lines; `None` for a source without lines.
    pub scale: Option<Scale>,
    /// Meters by which simplification may have moved the source's lines.
    pub simplified_m: u32,
    /// The last check of the source's address; `None` if it is not known.
    pub check: Option<LinkCheck<'a>>,
}

impl Directory {
    /// The fields of a row. Only a directory makes rows. An unknown row is from another snapshot, or from a section
    /// that names a row which the file lacks. It is read as the nation, which is better than a panic.
    pub fn jurisdiction(&self, row: Row) -> JurisdictionView<'_> {
        let jurisdictions = self.snapshot.jurisdictions();
        let (id, fields) = jurisdictions
            .get(row.number())
            .or_else(|| jurisdictions.get(0))
            .expect("a snapshot has the nation in row 0");
        JurisdictionView {
            row,
            kind: id.jurisdiction_type(),
            id,
            name: jurisdictions.name(fields),
            legal_type: jurisdictions.legal_type(fields),
            state: StateCode::from_fips(fields.state()),
            tiger_vintage: Some(fields.vintage()).filter(|year| *year != 0),
            func_stat: fields.func_stat(),
            population: fields.population(),
            point: fields.point(),
            has_boundary: fields.has_boundary(),
            source: SourceRow::new(fields.source()),
        }
    }

    /// The id of a row; that of the country for an unknown row.
    pub fn id_of(&self, row: Row) -> JurisdictionId {
        self.snapshot.jurisdictions().id(row.number()).unwrap_or(JurisdictionId::Country)
    }

    /// The name of a row, as people write it.
    pub fn name_of(&self, row: Row) -> &str {
        let jurisdictions = self.snapshot.jurisdictions();
        let fields = jurisdictions.fields(row.number()).or_else(|| jurisdictions.fields(0));
        jurisdictions.name(fields.expect("a snapshot has the nation in row 0"))
    }

    /// The number of people in a row, from the list of places; 0 if it is not known.
    pub fn population_of(&self, row: Row) -> u32 {
        self.snapshot.jurisdictions().fields(row.number()).map_or(0, |fields| fields.population())
    }

    /// The population of a government under any of its ids, estimated for [`POPULATION_YEAR`]; `None` if unknown. The
    /// estimates list a consolidated government only under its county.
    pub fn people_of(&self, row: Row) -> Option<u32> {
        let own = Some(self.population_of(row)).filter(|people| *people > 0);
        own.or_else(|| {
            self.same_as(row).map(|same| self.population_of(same)).max().filter(|people| *people > 0)
        })
    }

    /// The legal type of a row, such as `charter township`; `None` without one.
    pub(super) fn legal_type_of(&self, row: Row) -> Option<&str> {
        let jurisdictions = self.snapshot.jurisdictions();
        jurisdictions.fields(row.number()).and_then(|fields| jurisdictions.legal_type(fields))
    }

    /// The Open Civic Data id of a row; `None` if it is not known.
    pub fn ocd_id(&self, row: Row) -> Option<String> {
        let jurisdictions = self.snapshot.jurisdictions();
        jurisdictions.get(row.number()).and_then(|(_, fields)| jurisdictions.ocd_id(fields))
    }

    /// All jurisdictions, in the order of their ids.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + Clone + use<> {
        (0..self.jurisdiction_count() as u32).map(Row::new)
    }

    /// All jurisdictions of a layer, in the order of their ids.
    pub fn rows_of(&self, layer: Layer) -> impl ExactSizeIterator<Item = Row> + Clone + use<> {
        self.snapshot.jurisdictions().rows_of(layer).map(Row::new)
    }

    /// The jurisdiction with this number in the snapshot's sections; `None` beyond the last.
    pub fn row(&self, number: u32) -> Option<Row> {
        ((number as usize) < self.jurisdiction_count()).then(|| Row::new(number))
    }

    /// The source with this number in the snapshot's sections; `None` beyond the last.
    pub fn source_row(&self, number: u16) -> Option<SourceRow> {
        (usize::from(number) < self.source_count()).then(|| SourceRow::new(number))
    }

    /// The number of jurisdictions; each [`Row::index`] is below it.
    pub fn jurisdiction_count(&self) -> usize {
        self.snapshot.jurisdictions().len()
    }

    /// The number of sources; each [`SourceRow::index`] is below it.
    pub fn source_count(&self) -> usize {
        self.snapshot.meta().sources.len()
    }

    /// The source of a row's record.
    pub fn jurisdiction_source(&self, row: Row) -> SourceRow {
        SourceRow::new(self.snapshot.jurisdictions().fields(row.number()).map_or(0, |fields| fields.source()))
    }

    /// Percent by which the mapped outline of a row encloses more area than the legal outline; negative if it
    /// encloses less. 0 if no difference is known.
    pub fn area_off_percent(&self, row: Row) -> i8 {
        self.snapshot.jurisdictions().fields(row.number()).map_or(0, |fields| fields.area_off_percent())
    }

    /// The year of the boundary or list that a row comes from; `None` if it is not known.
    pub fn vintage_of(&self, row: Row) -> Option<u16> {
        let fields = self.snapshot.jurisdictions().fields(row.number())?;
        Some(fields.vintage()).filter(|year| *year != 0)
    }

    /// The functional status of a row.
    pub fn func_stat_of(&self, row: Row) -> FuncStat {
        let fields = self.snapshot.jurisdictions().fields(row.number());
        fields.map_or(FuncStat::Unknown, |fields| fields.func_stat())
    }

    /// The rows of the same government or area under other ids.
    pub fn same_as(&self, row: Row) -> impl Iterator<Item = Row> {
        self.snapshot.jurisdictions().same_as(row.number()).map(Row::new)
    }

    /// Whether two rows are one government or area.
    pub fn is_same(&self, row: Row, other: Row) -> bool {
        row == other || self.same_as(row).any(|same| same == other)
    }

    /// Removes rows that are the same government as an earlier row.
    pub fn each_government_once(&self, rows: impl IntoIterator<Item = Row>) -> Vec<Row> {
        let mut kept: Vec<Row> = Vec::new();
        for row in rows {
            if !kept.iter().any(|known| self.is_same(*known, row)) {
                kept.push(row);
            }
        }
        kept
    }

    /// The row by which lists show this government, if it has several ids: that of its finest layer. So a borough of New
    /// York City stands for its county, as in [`Directory::each_government_once`] of a chain.
    pub fn shown_row(&self, row: Row) -> Row {
        self.with_same(row).max_by_key(|row| self.layer(*row).map(|layer| layer as u8)).unwrap_or(row)
    }

    /// All names of a row, folded; the row's own name comes first.
    pub(super) fn names(&self, row: Row) -> Vec<Folded> {
        let jurisdictions = self.snapshot.jurisdictions();
        jurisdictions.get(row.number()).map_or_else(Vec::new, |(id, fields)| jurisdictions.names(&id, fields))
    }

    /// The fields of a source.
    ///
    /// # Panics
    /// If the row comes from the directory of another snapshot, which has more sources.
    pub fn source(&self, row: SourceRow) -> SourceView<'_> {
        let source = self.snapshot.meta().sources.get(row.index()).expect("rows come from this directory");
        SourceView {
            name: &source.name,
            url: &source.url,
            publisher: &source.publisher,
            official: source.official,
            retrieved_at: &source.retrieved_at,
            license_class: source.license_class(),
            publisher_kind: source.publisher_kind(),
            vintage: source.vintage(),
            scale: source.scale(),
            simplified_m: source.simplified_m(),
            check: self.snapshot.link_checks().and_then(|checks| checks.of_source(row.index())),
        }
    }
}
