//! Reads Open Civic Data division ids: the GEOID of each id, and ids that name the same government.
//!
//! County codes in the list are those of about 2013; [`crate::input::manifest::Replaced`] gives their
//! successors.

use std::collections::BTreeMap;

use platbook::vocabulary::{Geoid, Layer};

use super::{ReadError, table};
use crate::input::manifest::Role;

/// An id with its GEOID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OcdRow {
    /// The id as corrected, such as `ocd-division/country:us/...`.
    pub id: String,
    /// Full name with its legal word, such as "Hastings charter township".
    pub name: String,
    /// GEOID of a county, county subdivision or place.
    pub geoid: Geoid,
}

/// An id that names the same government as another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OcdAlias {
    /// The id to avoid.
    pub id: String,
    /// The id to use.
    pub same_as: String,
    /// The list's reason; empty if it gives none.
    pub note: String,
}

/// An id without a GEOID: island areas, and places that the Census list leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OcdName {
    /// The id, such as `ocd-division/country:us/...`.
    pub id: String,
    /// Name of the area, or a remark on it.
    pub name: String,
}

/// The content of all files of Open Civic Data.
#[derive(Clone, Debug, Default)]
pub struct Ocd {
    /// Ids with GEOIDs, in the order of the file.
    pub rows: Vec<OcdRow>,
    /// Pairs of ids of one government: counties and places only, not election districts.
    pub aliases: Vec<OcdAlias>,
    /// Ids and names without a GEOID.
    pub names: Vec<OcdName>,
    corrections: BTreeMap<String, String>,
}

impl Ocd {
    /// Reads one file of the role and adds its content.
    ///
    /// # Errors
    /// When the table is damaged, or the number of digits of a GEOID fits no layer.
    pub fn add(&mut self, role: Role, file: &str, bytes: &[u8]) -> Result<(), ReadError> {
        match role {
            Role::OcdIds => self.rows.extend(ids(file, bytes)?),
            Role::OcdAliases => self.aliases.extend(aliases(file, bytes)?),
            Role::OcdCorrections => self.corrections.extend(corrections(file, bytes)?),
            Role::OcdWhitelist => self.names.extend(names(file, bytes, Some(&["id", "name"]))?),
            Role::OcdTerritories => self.names.extend(names(file, bytes, None)?),
            _ => {}
        }
        Ok(())
    }

    /// Replaces misspelled ids by the corrected ones. Call once, after the last file.
    pub fn correct(&mut self) {
        let corrections = &self.corrections;
        let ids =
            self.rows.iter_mut().map(|row| &mut row.id).chain(self.names.iter_mut().map(|row| &mut row.id));
        for id in ids {
            if let Some(right) = corrections.get(id) {
                id.clone_from(right);
            }
        }
    }
}

fn ids(file: &str, bytes: &[u8]) -> Result<Vec<OcdRow>, ReadError> {
    table::rows(file, bytes, None, |row| {
        let census = row.need("census_geoid")?;
        let geoid =
            geoid(census).ok_or_else(|| row.wrong("census_geoid", "place- and 5, 7 or 10 digits", census))?;
        Ok(Some(OcdRow { id: row.need("id")?.to_owned(), name: row.need("name")?.to_owned(), geoid }))
    })
}

/// The GEOID of a row. The list calls every GEOID a place; the number of digits decides the layer.
fn geoid(census: &str) -> Option<Geoid> {
    let digits = census.strip_prefix("place-")?;
    let layers = [Layer::County, Layer::Place, Layer::Cousub];
    let layer = layers.into_iter().find(|layer| layer.geoid_digits() == digits.len())?;
    Geoid::parse(layer, digits).ok()
}

fn aliases(file: &str, bytes: &[u8]) -> Result<Vec<OcdAlias>, ReadError> {
    table::rows(file, bytes, None, |row| {
        let (id, same_as) = (row.need("id")?, row.need("sameAs")?);
        let note = row.get("sameAsNote").unwrap_or_default();
        let alias = || OcdAlias { id: id.to_owned(), same_as: same_as.to_owned(), note: note.to_owned() };
        Ok((is_area(id) && is_area(same_as)).then(alias))
    })
}

/// Whether the id's last part names an area of a Census layer rather than an election district.
fn is_area(id: &str) -> bool {
    let kind = id.rsplit('/').next().and_then(|part| part.split_once(':')).map(|(kind, _)| kind);
    kind.is_some_and(|kind| {
        matches!(
            kind,
            "state" | "district" | "territory" | "county" | "parish" | "borough" | "census_area" | "place"
        ) || matches!(kind, "municipality" | "municipio")
    })
}

fn corrections(file: &str, bytes: &[u8]) -> Result<Vec<(String, String)>, ReadError> {
    table::rows(file, bytes, None, |row| {
        Ok(Some((row.need("incorrectId")?.to_owned(), row.need("id")?.to_owned())))
    })
}

fn names(file: &str, bytes: &[u8], header: Option<&[&str]>) -> Result<Vec<OcdName>, ReadError> {
    table::rows(file, bytes, header, |row| {
        let name = OcdName { id: row.need("id")?.to_owned(), name: row.need("name")?.to_owned() };
        // Historic territories have the date on which they ended.
        Ok(row.get("validThrough").is_none().then_some(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(role: Role, text: &str) -> Result<Ocd, ReadError> {
        let mut ocd = Ocd::default();
        ocd.add(role, "ocd.csv", text.as_bytes()).map(|()| ocd)
    }

    #[test]
    fn the_number_of_digits_decides_the_layer() {
        let ocd = read(
            Role::OcdIds,
            "id,name,census_geoid\na,Aleutians East Borough,place-02013\nb,Hastings city,place-2627440\nc,\"Hastings charter township\",place-2601527440\n",
        )
        .unwrap();
        let geoids: Vec<_> = ocd.rows.iter().map(|row| row.geoid.to_string()).collect();
        assert_eq!(geoids, ["county:02013", "place:2627440", "cousub:2601527440"]);
    }

    #[test]
    fn a_wrong_geoid_names_file_line_and_column() {
        for wrong in ["place-020", "02013", "place-0201x", ""] {
            let text = format!("id,name,census_geoid\na,A,place-02013\nb,B,{wrong}\n");
            let message = read(Role::OcdIds, &text).unwrap_err().to_string();
            assert!(message.contains("ocd.csv: record 3: field census_geoid"), "{message}");
        }
    }

    #[test]
    fn corrections_aliases_and_names() {
        let mut ocd =
            read(Role::OcdIds, "id,name,census_geoid\nx/place:st._florian,St. Florian town,place-0167320\n")
                .unwrap();
        ocd.add(
            Role::OcdCorrections,
            "c.csv",
            b"incorrectId,id,note\nx/place:st._florian,x/place:st_florian,spelling\n",
        )
        .unwrap();
        ocd.add(
            Role::OcdAliases,
            "a.csv",
            b"id,sameAs,sameAsNote\nx/county:bedford_city,x/place:bedford,city\nx/sldl:1,x/sldu:1,same\n",
        )
        .unwrap();
        ocd.add(Role::OcdWhitelist, "w.csv", b"x/place:milford,Milford CT\n").unwrap();
        ocd.add(Role::OcdTerritories, "t.csv", b"id,name,sameAs,validFrom,validThrough\nx/territory:gu,Guam,,,\nx/territory:dt,Dakota,,1861-03-02,1889-11-02\n").unwrap();
        ocd.correct();
        assert_eq!(ocd.rows[0].id, "x/place:st_florian");
        assert_eq!(ocd.aliases.len(), 1);
        let names: Vec<_> = ocd.names.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["Milford CT", "Guam"]);
    }
}
