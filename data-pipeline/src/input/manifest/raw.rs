//! Reads the manifest as TOML spells it, and checks it into a [`super::Manifest`].

use std::{collections::HashSet, path::Path};

use platbook::vocabulary::{
    Geoid, JurisdictionId, Layer, LicenseClass, STATES, Scale, StateCode, legal_type_of,
};
use serde::Deserialize;
use toml::Spanned;

use super::{Divided, ManifestError, Replaced, Role, Shore, Source, SourceFile};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    released: Spanned<String>,
    #[serde(default)]
    source: Vec<RawSource>,
    #[serde(default)]
    replaced: Vec<RawReplaced>,
    #[serde(default)]
    divided: Vec<RawDivided>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSource {
    id: Spanned<String>,
    name: String,
    publisher: String,
    url: Spanned<String>,
    official: bool,
    license_class: LicenseClass,
    vintage: Spanned<u16>,
    scale: Option<Spanned<u32>>,
    retrieved_at: Spanned<String>,
    role: Spanned<Role>,
    layer: Option<Spanned<String>>,
    #[serde(default)]
    complete: bool,
    #[serde(default)]
    supplement: bool,
    #[serde(default)]
    only: Vec<Spanned<String>>,
    lsad_default: Option<Spanned<String>>,
    rings_from: Option<Spanned<String>>,
    shore: Option<Shore>,
    files: Vec<RawFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    path: Spanned<String>,
    states: Spanned<States>,
    sha256: Spanned<String>,
    fetch: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum States {
    Word(String),
    List(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawReplaced {
    old: Spanned<String>,
    new: Vec<Spanned<String>>,
    note: String,
    source_url: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDivided {
    old: Spanned<String>,
    by: String,
    inside: Spanned<String>,
    rest: Spanned<String>,
}

pub(super) struct Checker<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
}

impl Checker<'_> {
    pub(super) fn manifest(&self, raw: Manifest) -> Result<super::Manifest, ManifestError> {
        let released = self.date("released", &raw.released)?;
        let (mut sources, mut ids, mut paths) = (Vec::new(), HashSet::new(), HashSet::new());
        for source in raw.source {
            if !ids.insert(source.id.get_ref().clone()) {
                return Err(self.wrong(
                    "id",
                    &source.id,
                    "an id that no other source has",
                    source.id.get_ref(),
                ));
            }
            for file in &source.files {
                // One file may serve two sources (two `only` lists), but not twice in the same source.
                if !paths.insert((source.id.get_ref().clone(), file.path.get_ref().clone())) {
                    return Err(self.wrong(
                        "path",
                        &file.path,
                        "each file once in a source",
                        file.path.get_ref(),
                    ));
                }
            }
            sources.push(self.source(source)?);
        }
        let replaced = raw.replaced.iter().map(|row| self.replaced(row)).collect::<Result<_, _>>()?;
        let divided = raw.divided.iter().map(|row| self.divided(row)).collect::<Result<_, _>>()?;
        Ok(super::Manifest {
            path: self.path.to_owned(),
            released,
            sources,
            replaced,
            divided,
            only_state: None,
        })
    }

    fn source(&self, raw: RawSource) -> Result<Source, ManifestError> {
        let role = *raw.role.get_ref();
        let layered = role.has_areas();
        let layer = raw.layer.as_ref().map(|word| self.layer("layer", word)).transpose()?;
        if layered != layer.is_some() {
            let expected = if layered { "a layer beside this role" } else { "no layer beside this role" };
            return Err(self.wrong("role", &raw.role, expected, &format!("{role:?}")));
        }
        if layered && raw.scale.is_none() {
            return Err(self.wrong("role", &raw.role, "a scale beside this role", "none"));
        }
        let only = raw.only.iter().map(|digits| self.only(layer, digits)).collect::<Result<_, _>>()?;
        Ok(Source {
            name: raw.name,
            publisher: raw.publisher,
            url: self.url("url", &raw.url)?,
            official: raw.official,
            license_class: raw.license_class,
            vintage: self.vintage(&raw.vintage)?,
            scale: raw.scale.as_ref().map(|scale| self.scale(scale)).transpose()?,
            retrieved_at: self.date("retrieved_at", &raw.retrieved_at)?,
            role,
            layer,
            complete: raw.complete,
            supplement: raw.supplement,
            only,
            lsad_default: raw.lsad_default.as_ref().map(|lsad| self.lsad(lsad)).transpose()?,
            rings_from: raw.rings_from.as_ref().map(|word| self.layer("rings_from", word)).transpose()?,
            shore: raw.shore,
            files: raw.files.iter().map(|file| self.file(file)).collect::<Result<_, _>>()?,
            id: raw.id.into_inner(),
        })
    }

    fn file(&self, raw: &RawFile) -> Result<SourceFile, ManifestError> {
        let path = raw.path.get_ref();
        // A path must name the same file on every machine, and must not leave the data directory.
        let inside = !path.is_empty()
            && !path.contains('\\')
            && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        if !inside {
            return Err(self.wrong(
                "path",
                &raw.path,
                "a path below the data directory, with forward slashes",
                path,
            ));
        }
        let sha256 = raw.sha256.get_ref();
        if sha256.len() != 64 || !sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(self.wrong("sha256", &raw.sha256, "64 lower-case hex digits", sha256));
        }
        let fetch = raw.fetch.as_ref().map(|url| self.fetch(path, url)).transpose()?;
        let states = self.states(&raw.states)?;
        Ok(SourceFile { path: path.clone(), states, sha256: sha256.clone(), fetch })
    }

    fn fetch(&self, path: &str, url: &Spanned<String>) -> Result<String, ManifestError> {
        if !path.ends_with(".csv") {
            return Err(self.wrong(
                "fetch",
                url,
                "no address, since only lists that end with .csv are renewed",
                url.get_ref(),
            ));
        }
        self.url("fetch", url)
    }

    fn states(&self, raw: &Spanned<States>) -> Result<Vec<StateCode>, ManifestError> {
        let codes = match raw.get_ref() {
            States::Word(word) if word == "all" => return Ok(StateCode::all().collect()),
            States::Word(word) => std::slice::from_ref(word),
            States::List(codes) => codes.as_slice(),
        };
        let known = |code: &String| {
            (code.len() == 2).then(|| code.parse().ok()).flatten().and_then(StateCode::from_fips)
        };
        let mut states = Vec::new();
        for code in codes {
            let expected =
                format!("\"all\" or a list of two-digit FIPS codes, {:02} to {}", STATES[0].0, STATES[55].0);
            states.push(known(code).ok_or_else(|| self.wrong("states", raw, expected, code))?);
        }
        states.sort();
        Ok(states)
    }

    fn replaced(&self, raw: &RawReplaced) -> Result<Replaced, ManifestError> {
        let mut new: Vec<Geoid> = raw.new.iter().map(|id| self.geoid("new", id)).collect::<Result<_, _>>()?;
        new.sort();
        Ok(Replaced {
            old: self.geoid("old", &raw.old)?,
            new,
            note: raw.note.clone(),
            source_url: self.url("source_url", &raw.source_url)?,
        })
    }

    fn divided(&self, raw: &RawDivided) -> Result<Divided, ManifestError> {
        Ok(Divided {
            old: self.geoid("old", &raw.old)?,
            by: raw.by.clone(),
            inside: self.geoid("inside", &raw.inside)?,
            rest: self.geoid("rest", &raw.rest)?,
        })
    }

    fn geoid(&self, key: &'static str, raw: &Spanned<String>) -> Result<Geoid, ManifestError> {
        match raw.get_ref().parse() {
            Ok(JurisdictionId::Census(geoid)) => Ok(geoid),
            _ => Err(self.wrong(key, raw, "an id such as county:02261", raw.get_ref())),
        }
    }

    fn only(&self, layer: Option<Layer>, raw: &Spanned<String>) -> Result<Geoid, ManifestError> {
        let geoid = layer.and_then(|layer| Geoid::parse(layer, raw.get_ref()).ok());
        geoid.ok_or_else(|| self.wrong("only", raw, "GEOIDs of the source's layer", raw.get_ref()))
    }

    fn layer(&self, key: &'static str, raw: &Spanned<String>) -> Result<Layer, ManifestError> {
        Layer::from_prefix(raw.get_ref())
            .ok_or_else(|| self.wrong(key, raw, "state, county, cousub or place", raw.get_ref()))
    }

    fn lsad(&self, raw: &Spanned<String>) -> Result<String, ManifestError> {
        let known = legal_type_of(raw.get_ref()).is_some();
        if known {
            Ok(raw.get_ref().clone())
        } else {
            Err(self.wrong("lsad_default", raw, "an LSAD code", raw.get_ref()))
        }
    }

    fn scale(&self, raw: &Spanned<u32>) -> Result<Scale, ManifestError> {
        let denominator = *raw.get_ref();
        if (1_000..=100_000_000).contains(&denominator) {
            return Ok(Scale { denominator });
        }
        Err(self.wrong("scale", raw, "a denominator such as 500000", &denominator.to_string()))
    }

    fn vintage(&self, raw: &Spanned<u16>) -> Result<u16, ManifestError> {
        let year = *raw.get_ref();
        if (1990..=2100).contains(&year) {
            Ok(year)
        } else {
            Err(self.wrong("vintage", raw, "a year", &year.to_string()))
        }
    }

    fn url(&self, key: &'static str, raw: &Spanned<String>) -> Result<String, ManifestError> {
        let url = raw.get_ref();
        if url.starts_with("https://") && !url.contains(char::is_whitespace) {
            return Ok(url.clone());
        }
        Err(self.wrong(key, raw, "the publisher's https:// address", url))
    }

    fn date(&self, key: &'static str, raw: &Spanned<String>) -> Result<String, ManifestError> {
        let text = raw.get_ref();
        let number = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<u8>().ok());
        let shaped = text.len() == 10
            && text
                .bytes()
                .enumerate()
                .all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
        let month = number(5..7).is_some_and(|month| (1..=12).contains(&month));
        let day = number(8..10).is_some_and(|day| (1..=31).contains(&day));
        if shaped && month && day {
            Ok(text.clone())
        } else {
            Err(self.wrong(key, raw, "a date as YYYY-MM-DD", text))
        }
    }

    fn wrong<T>(
        &self,
        key: &'static str,
        at: &Spanned<T>,
        expected: impl Into<String>,
        got: &str,
    ) -> ManifestError {
        let line = 1 + self.text.bytes().take(at.span().start).filter(|byte| *byte == b'\n').count();
        ManifestError::Value {
            path: self.path.to_owned(),
            line,
            key,
            expected: expected.into(),
            got: got.chars().take(120).collect(),
        }
    }
}
