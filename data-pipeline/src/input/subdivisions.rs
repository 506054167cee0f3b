//! Reads a list of county subdivisions by code, name and legal word.

use platbook::vocabulary::{Geoid, Layer};

use super::{ReadError, table};

/// A county subdivision that the list has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subdivision {
    /// GEOID of the subdivision.
    pub geoid: Geoid,
    /// Name without the legal word.
    pub name: String,
    /// Legal word, lower case: "charter township".
    pub word: String,
}

/// Reads a table with the columns Subdivision, Jurisdiction Type and FIPS. Its codes lack leading zeros.
/// Skips rows of counties, which have at most five digits.
///
/// # Errors
/// When the table is damaged or a code is not a GEOID.
pub fn rows(file: &str, bytes: &[u8]) -> Result<Vec<Subdivision>, ReadError> {
    table::rows(file, bytes, None, |row| {
        let fips = row.need("FIPS")?;
        if fips.len() <= 5 {
            return Ok(None);
        }
        let geoid = Geoid::parse(Layer::Cousub, &format!("{fips:0>10}"));
        let geoid = geoid.map_err(|_| row.wrong("FIPS", "9 or 10 digits", fips))?;
        // Rows without a name or a legal word are remainders of counties.
        let (Some(name), Some(word)) = (row.get("Subdivision"), row.get("Jurisdiction Type")) else {
            return Ok(None);
        };
        let (name, word) = split(name, word);
        Ok(Some(Subdivision { geoid, name: name.to_owned(), word: word.to_owned() }))
    })
}

/// Name and legal word. The list gives charter townships the word "charter", and some names end in their
/// legal word.
fn split<'a>(name: &'a str, word: &'a str) -> (&'a str, &'a str) {
    let word = if word == "charter" { "charter township" } else { word };
    let bare = name.strip_suffix(word).map(str::trim_end).filter(|bare| !bare.is_empty());
    (bare.filter(|_| word.ends_with("township")).unwrap_or(name), word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_get_their_zeros_back_and_names_lose_their_word() {
        let table = b"State,County,Subdivision,Jurisdiction Type,FIPS,Website\nAlabama,Autauga,,county,1001,\nAlabama,Autauga,Autaugaville,city,100190171,\nMichigan,Barry,Hastings charter township,charter,2601537180,\nMichigan,Barry,Hastings,city,2601537120,\n";
        let found = rows("s.csv", table).unwrap();
        let found: Vec<_> = found.iter().map(|row| (row.geoid.digits(), &*row.name, &*row.word)).collect();
        assert_eq!(
            found,
            [
                ("0100190171".to_owned(), "Autaugaville", "city"),
                ("2601537180".to_owned(), "Hastings", "charter township"),
                ("2601537120".to_owned(), "Hastings", "city"),
            ]
        );
        let broken = b"Subdivision,Jurisdiction Type,FIPS\nA,town,55x0100275\n";
        let message = rows("s.csv", broken).unwrap_err().to_string();
        assert!(message.contains("s.csv: record 2: field FIPS"), "{message}");
    }
}
