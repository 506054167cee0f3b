//! The `layer` subcommand: writes a layer file of addresses, maps or county tables.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use platbook::{
    snapshot::{
        LayerFile,
        write::{About, LayerContents, SourceRecord, Streets},
    },
    vocabulary::{JurisdictionId, LicenseClass, MapKind},
};
use platbook_pipeline::{
    addresses,
    input::{digest, radon, zip_counties},
    layers::{counties, maps},
};

use super::files::{bytes_of, open, publish};

/// The kinds of layer files.
#[derive(clap::Subcommand)]
pub(crate) enum Layer {
    /// Address ranges of counties, from TIGER/Line `addrfeat` or `edges` files.
    Addresses(AddressArgs),
    /// Polygons of one kind of map: flood, wetlands, soils or shoreland, from shapefiles in zips or GeoJSON. The kind
    /// ground is roads, rivers and lakes, from TIGER/Line primaryroads, prisecroads, areawater, linearwater or edges.
    Polygons(PolygonArgs),
    /// Radon zones of counties, and the counties of ZIP codes.
    Counties(CountyArgs),
}

#[derive(clap::Args)]
pub(crate) struct PolygonArgs {
    #[command(flatten)]
    common: Common,
    /// Kind of the map: flood, wetlands, soils, shoreland or ground.
    #[arg(long)]
    kind: MapKind,
    /// Name of the data set, as answers show it.
    #[arg(long)]
    dataset: String,
    /// Publisher of the data set, as answers show it.
    #[arg(long)]
    publisher: String,
    /// Web page of the data set.
    #[arg(long)]
    url: String,
    /// Date of the map: YYYY, YYYY-MM or YYYY-MM-DD.
    #[arg(long)]
    as_of: String,
    /// Scale of its lines: 24000 for 1:24,000.
    #[arg(long)]
    scale: u32,
    /// County or state that the map covers completely, such as county:25017. A point there that lies in no polygon has
    /// nothing of the kind that the map shows.
    #[arg(long)]
    covers: Vec<JurisdictionId>,
    /// Snapshot with the outline of that county or state.
    #[arg(long, default_value = "snapshots/default.platbook")]
    snapshot: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct CountyArgs {
    #[command(flatten)]
    output: Output,
    /// The Environmental Protection Agency's list of radon zones (radon_zone.xls, a table with tabs).
    #[arg(long)]
    radon: PathBuf,
    /// Counties of each ZIP code: a Parquet or CSV table with ZIP, county_fips and n_ranges.
    #[arg(long)]
    zips: PathBuf,
    /// Snapshot with the current counties.
    #[arg(long, default_value = "snapshots/default.platbook")]
    snapshot: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct AddressArgs {
    #[command(flatten)]
    common: Common,
    /// Snapshot that says which cities the streets lie in.
    #[arg(long, default_value = "snapshots/default.platbook")]
    snapshot: PathBuf,
}

/// Options of the kinds that are made from a list of files.
#[derive(clap::Args)]
struct Common {
    /// Published files to read.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Options of every kind.
#[derive(clap::Args)]
struct Output {
    /// File to write; replaced only by a complete one.
    #[arg(long)]
    out: PathBuf,
    /// Day on which the files were downloaded, YYYY-MM-DD; builds use no clock.
    #[arg(long)]
    retrieved: jiff::civil::Date,
}

pub(crate) fn run(layer: &Layer) -> Result<()> {
    match layer {
        Layer::Addresses(args) => build_addresses(args),
        Layer::Polygons(args) => build_polygons(args),
        Layer::Counties(args) => build_counties(args),
    }
}

fn read(path: &Path) -> Result<(String, Vec<u8>)> {
    let bytes = bytes_of(path)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok((name.unwrap_or_default(), bytes))
}

fn build_polygons(args: &PolygonArgs) -> Result<()> {
    let files = args.common.read()?;
    let directory = if args.covers.is_empty() { None } else { Some(open(&args.snapshot)?) };
    let mut extent = Vec::new();
    for id in &args.covers {
        extent.extend(
            directory
                .iter()
                .map(|directory| maps::extent(directory, id))
                .collect::<Result<Vec<_>, _>>()?
                .concat(),
        );
    }
    let map = maps::map(args.kind, &files, extent)?;
    let source = |(_, bytes): &(String, Vec<u8>)| SourceRecord {
        name: args.dataset.clone(),
        url: args.url.clone(),
        publisher: args.publisher.clone(),
        official: true,
        retrieved_at: args.common.output.retrieved.to_string(),
        license_class: LicenseClass::Open as u8,
        vintage: args.as_of.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0),
        scale: args.scale,
        digest: format!("sha256:{}", digest::sha256(bytes)),
        simplified_m: 0,
    };
    say!("{:10} polygons with {} vertices; {} records without one", map.polygons, map.vertices, map.empty);
    let contents = LayerContents {
        about: args.common.output.about(args.as_of.clone(), files.iter().map(source).collect()),
        polygons: Some(map.section),
        ..LayerContents::default()
    };
    args.common.output.write(&contents)
}

fn build_counties(args: &CountyArgs) -> Result<()> {
    let directory = open(&args.snapshot)?;
    let ((radon_file, radon_bytes), (zip_file, zip_bytes)) = (read(&args.radon)?, read(&args.zips)?);
    let radon = counties::radon(&radon::zones(&radon_file, &radon_bytes)?, &directory);
    let pairs = zip_counties::pairs(&zip_file, &zip_bytes)?;
    say!("{:10} counties and {} towns with a radon zone", radon.counties.len(), radon.towns.len());
    say!("{:10} lines of the list that no county has {}", radon.unmatched.len(), radon.unmatched.join("; "));
    say!("{:10} pairs of ZIP code and county", pairs.len());
    let source = |name: &str, url: &str, publisher: &str, official, vintage, bytes: &[u8]| SourceRecord {
        name: name.to_owned(),
        url: url.to_owned(),
        publisher: publisher.to_owned(),
        official,
        retrieved_at: args.output.retrieved.to_string(),
        license_class: LicenseClass::Open as u8,
        vintage,
        scale: 0,
        digest: format!("sha256:{}", digest::sha256(bytes)),
        simplified_m: 0,
    };
    let sources = vec![
        source(
            "EPA Map of Radon Zones",
            "https://www.epa.gov/radon/epa-map-radon-zones",
            "U.S. Environmental Protection Agency",
            true,
            1993,
            &radon_bytes,
        ),
        source(
            "Counties of ZIP codes, from TIGER/Line 2025 address ranges",
            "https://github.com/geomarker-io/addr",
            "geomarker.io",
            false,
            2025,
            &zip_bytes,
        ),
    ];
    let contents = LayerContents {
        about: args.output.about("1993".to_owned(), sources),
        county_tables: Some(counties::tables(radon, Some(0), &pairs, Some(1))),
        ..LayerContents::default()
    };
    args.output.write(&contents)
}

fn build_addresses(args: &AddressArgs) -> Result<()> {
    let files = args.common.read()?;
    let directory = open(&args.snapshot)?;
    let gathered = addresses::gather(&files, &directory)?;
    let sources: Result<Vec<SourceRecord>> = files.iter().map(|file| tiger_source(file, args)).collect();
    let sources = sources?;
    let as_of =
        sources.iter().map(|source| source.vintage).min().map_or(String::new(), |year| year.to_string());
    let contents = LayerContents {
        about: args.common.output.about(as_of, sources),
        streets: Some(Streets::pack(&gathered.streets)?),
        ..LayerContents::default()
    };
    for (result, count) in &gathered.results {
        say!("{count:10} sides with numbers: {}", result.as_str());
    }
    say!(
        "{:10} ranges lie in another county by the snapshot's lines than by their file",
        gathered.beyond_county
    );
    args.common.output.write(&contents)
}

/// The source row of one TIGER/Line file, from its name and digest.
fn tiger_source((name, bytes): &(String, Vec<u8>), args: &AddressArgs) -> Result<SourceRecord> {
    let mut parts = name.split(['_', '.']);
    let (Some("tl"), Some(year), Some(county), Some(kind)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        bail!("{name}: expected a file named like tl_2021_30059_addrfeat.zip; keep its published name");
    };
    let vintage: u16 = year.parse().with_context(|| format!("{name}: expected a year after tl_"))?;
    let folder = kind.to_uppercase();
    Ok(SourceRecord {
        name: format!("TIGER/Line {year} address ranges ({kind}) of county {county}"),
        url: format!("https://www2.census.gov/geo/tiger/TIGER{year}/{folder}/tl_{year}_{county}_{kind}.zip"),
        publisher: "U.S. Census Bureau, Geography Division".to_owned(),
        official: true,
        retrieved_at: args.common.output.retrieved.to_string(),
        license_class: LicenseClass::Open as u8,
        vintage,
        scale: 100_000,
        digest: format!("sha256:{}", digest::sha256(bytes)),
        simplified_m: 0,
    })
}

impl Common {
    /// Reads the files; each item is the name and the bytes of a file.
    fn read(&self) -> Result<Vec<(String, Vec<u8>)>> {
        self.files.iter().map(|path| read(path)).collect()
    }
}

impl Output {
    fn about(&self, as_of: String, sources: Vec<SourceRecord>) -> About {
        About { as_of, pipeline_version: env!("CARGO_PKG_VERSION").to_owned(), sources }
    }

    /// Writes the file after reading it back as a check.
    fn write(&self, contents: &LayerContents) -> Result<()> {
        let bytes = contents.to_bytes()?;
        let layer = LayerFile::copy(&bytes).context("the layer file just made cannot be read back")?;
        publish(&self.out, &bytes)?;
        for (section, size) in layer.sizes() {
            say!("{size:10} bytes of {section}");
        }
        say!("{:10} bytes in {}", bytes.len(), Path::new(&self.out).display());
        Ok(())
    }
}
