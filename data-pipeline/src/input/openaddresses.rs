//! Reads OpenAddresses source files: where counties, cities and states publish parcels, address points and
//! buildings.
//!
//! An archive has one JSON file for each source. Only the names of the area and the addresses of its data are
//! kept.

use std::io::Read;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;

use super::ReadError;

/// Maximum length of a member, in bytes; the largest published one has about 100 kB. Chosen, not measured.
const MEMBER_BYTES_MAX: u64 = 16 << 20;
/// Folder of the members in the archive.
const FOLDER: &str = "sources/us/";

/// One source file: an area and its data sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OaSource {
    /// Path below the folder of the country, such as `mn/hennepin.json`.
    pub member: String,
    /// Name of the county or counties; `None` if the file names none.
    pub county: Option<String>,
    /// Name of the city, town or place; `None` if the file names none.
    pub locality: Option<String>,
    /// GEOID as written, which is often wrong; `None` if the file has none.
    pub geoid: Option<String>,
    /// Name beside the GEOID; `None` if the file has none.
    pub census_name: Option<String>,
    /// Data sets, in the order of the file.
    pub layers: Vec<OaLayer>,
}

/// The subject of a data set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OaKind {
    /// Points with house numbers.
    #[default]
    Addresses,
    /// Outlines of single buildings.
    Buildings,
    /// Middle lines of roads.
    Centerlines,
    /// Outlines of parcels of land.
    Parcels,
}

/// One data set of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OaLayer {
    /// Subject of the data set.
    pub kind: OaKind,
    /// Name of the data set, mostly the level of government: `county`, `city`, `state`.
    pub name: String,
    /// Web address of the data.
    pub data: String,
    /// `ESRI`, `http` or `ftp`.
    pub protocol: String,
    /// Web page for people; `None` if the file has none.
    pub website: Option<String>,
    /// The publisher to credit; `None` if the file has none.
    pub attribution: Option<String>,
    /// The texts of the license, joined; `None` if the file has none.
    pub license: Option<String>,
    /// A remark of the list's editors; `None` if the file has none.
    pub note: Option<String>,
    /// Year of the data, as written; `None` if the file has none.
    pub year: Option<String>,
    /// Whether the list itself skips the data set.
    pub skip: bool,
    /// Whether the server requires a header that names another page.
    pub needs_header: bool,
}

impl OaSource {
    /// The folder of the state: two lower-case letters.
    pub fn folder(&self) -> &str {
        self.member.split_once('/').map_or("", |(folder, _)| folder)
    }

    /// The file's name without its extension.
    pub fn stem(&self) -> &str {
        let name = self.member.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".json").unwrap_or(name)
    }
}

/// Reads every source of an archive, in the order of the archive.
///
/// # Errors
/// When the archive is damaged, or a member is not JSON of the expected shape; the message names the member.
pub fn sources(file: &str, bytes: &[u8]) -> Result<Vec<OaSource>, ReadError> {
    let damaged = |source| ReadError::Tar { file: file.to_owned(), source };
    let mut archive = tar::Archive::new(GzDecoder::new(bytes));
    let mut sources = Vec::new();
    for entry in archive.entries().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let wanted = path.find(FOLDER).map(|at| path[at + FOLDER.len()..].to_owned());
        if let Some(member) = wanted.filter(|member| member.ends_with(".json")) {
            sources.push(source(file, member, entry)?);
        }
    }
    Ok(sources)
}

fn source(file: &str, member: String, entry: impl Read) -> Result<OaSource, ReadError> {
    let mut bytes = Vec::new();
    if let Err(source) = entry.take(MEMBER_BYTES_MAX + 1).read_to_end(&mut bytes) {
        return Err(ReadError::Member { file: file.to_owned(), member, source });
    }
    if bytes.len() as u64 > MEMBER_BYTES_MAX {
        return Err(ReadError::TooLarge { file: file.to_owned(), member, limit: MEMBER_BYTES_MAX });
    }
    match serde_json::from_slice::<Raw>(&bytes) {
        Ok(raw) => Ok(raw.into_source(member)),
        Err(source) => Err(ReadError::Json { file: file.to_owned(), member, source }),
    }
}

#[derive(Deserialize)]
struct Raw {
    coverage: Coverage,
    layers: Layers,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Coverage {
    county: Option<String>,
    city: Option<String>,
    town: Option<String>,
    place: Option<String>,
    #[serde(rename = "US Census")]
    census: Census,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Census {
    geoid: Option<String>,
    name: Option<String>,
    place: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Layers {
    addresses: Vec<RawLayer>,
    buildings: Vec<RawLayer>,
    centerlines: Vec<RawLayer>,
    parcels: Vec<RawLayer>,
}

#[derive(Deserialize)]
struct RawLayer {
    #[serde(default)]
    name: String,
    data: String,
    #[serde(default)]
    protocol: String,
    website: Option<String>,
    #[serde(default)]
    attribution: Value,
    #[serde(default)]
    license: Value,
    #[serde(default)]
    note: Value,
    #[serde(default)]
    year: Value,
    #[serde(default)]
    skip: bool,
    #[serde(default)]
    request: Value,
}

impl Raw {
    fn into_source(self, member: String) -> OaSource {
        let Coverage { county, city, town, place, census } = self.coverage;
        let Layers { addresses, buildings, centerlines, parcels } = self.layers;
        let kinds = [
            (OaKind::Addresses, addresses),
            (OaKind::Buildings, buildings),
            (OaKind::Centerlines, centerlines),
            (OaKind::Parcels, parcels),
        ];
        let layers =
            kinds.into_iter().flat_map(|(kind, raw)| raw.into_iter().map(move |raw| layer(kind, raw)));
        OaSource {
            member,
            county: county.filter(|text| filled(text)),
            locality: city.or(town).or(place).filter(|text| filled(text)),
            geoid: census.geoid.filter(|text| filled(text)),
            census_name: census.name.or(census.place).filter(|text| filled(text)),
            layers: layers.collect(),
        }
    }
}

fn layer(kind: OaKind, raw: RawLayer) -> OaLayer {
    OaLayer {
        kind,
        name: raw.name,
        data: raw.data.trim().to_owned(),
        protocol: raw.protocol,
        website: raw.website.map(|url| url.trim().to_owned()).filter(|text| filled(text)),
        attribution: texts(&raw.attribution),
        license: texts(&raw.license),
        note: texts(&raw.note),
        year: texts(&raw.year),
        skip: raw.skip,
        needs_header: !raw.request.is_null(),
    }
}

fn filled(text: &str) -> bool {
    !text.trim().is_empty()
}

/// Every text and number in a value, one after another.
fn texts(value: &Value) -> Option<String> {
    let joined = |parts: Vec<String>| Some(parts.join(" ")).filter(|text| filled(text));
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| filled(text)),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(values) => joined(values.iter().filter_map(texts).collect()),
        Value::Object(values) => joined(values.values().filter_map(texts).collect()),
        Value::Null | Value::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(members: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, text) in members {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_cksum();
            archive.append_data(&mut header, path, text.as_bytes()).unwrap();
        }
        let mut packer = archive.into_inner().unwrap();
        packer.flush().unwrap();
        packer.finish().unwrap()
    }

    const ELK: &str = r#"{"coverage": {"US Census": {"geoid": "27053", "name": "Elk County"}, "county": "Elk"},
        "schema": 2, "layers": {"parcels": [{"name": "county", "data": " https://gis.example.org/0 ",
        "protocol": "ESRI", "license": {"text": "CC0", "url": "https://example.org/l", "attribution": false},
        "year": 2014, "request": {"headers": {"Referer": "https://example.org/"}}, "conform": {}}],
        "addresses": [{"name": "county", "data": "ftp://example.org/a.zip", "protocol": "ftp", "skip": true}]}}"#;

    #[test]
    fn a_source_is_read_with_its_layers() {
        let bytes = packed(&[("o/sources/LICENSE", "free"), ("o/sources/us/mn/elk.json", ELK)]);
        let read = sources("oa.tar.gz", &bytes).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!((read[0].folder(), read[0].stem()), ("mn", "elk"));
        assert_eq!(read[0].county.as_deref(), Some("Elk"));
        assert_eq!(read[0].geoid.as_deref(), Some("27053"));
        let [addresses, parcels] = &read[0].layers[..] else {
            panic!("two layers, got {:?}", read[0].layers)
        };
        assert!(addresses.skip && addresses.kind == OaKind::Addresses && !addresses.needs_header);
        assert_eq!((parcels.kind, parcels.data.as_str()), (OaKind::Parcels, "https://gis.example.org/0"));
        assert_eq!(parcels.license.as_deref(), Some("CC0 https://example.org/l"));
        assert_eq!(parcels.year.as_deref(), Some("2014"));
        assert!(parcels.needs_header);
    }

    #[test]
    fn a_damaged_member_is_named() {
        let bytes = packed(&[("sources/us/mn/elk.json", r#"{"coverage": {}}"#)]);
        let message = sources("oa.tar.gz", &bytes).unwrap_err().to_string();
        assert!(message.starts_with("oa.tar.gz: mn/elk.json: missing field `layers`"), "{message}");
        let cut = sources("oa.tar.gz", &packed(&[("sources/us/mn/elk.json", ELK)])[..80]).unwrap_err();
        assert!(cut.to_string().contains("oa.tar.gz"), "{cut}");
        let none = sources("oa.tar.gz", b"PK").unwrap_err().to_string();
        assert!(none.contains("expected a .tar.gz archive"), "{none}");
    }
}
