//! Reads the Environmental Protection Agency's list of radon zones by county name, a table with tabs.

use platbook::vocabulary::StateCode;

use super::ReadError;

/// A line of the list: a county with its zone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RadonZone {
    /// State of the county.
    pub state: StateCode,
    /// Name of the county with its legal word, such as `Autauga County`; cities of Virginia have no legal word.
    pub name: String,
    /// Whether this is one of the cities of Virginia outside of all counties.
    pub is_city: bool,
    /// Radon zone, from 1 (highest potential) to 3.
    pub zone: u8,
}

/// Reads the list. Skips lines without a zone, which head the counties of a state.
///
/// # Errors
/// When a line does not have five columns, or has an unknown state or a zone other than 1 to 3.
pub fn zones(file: &str, bytes: &[u8]) -> Result<Vec<RadonZone>, ReadError> {
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let lines = text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty());
    let read = lines.filter_map(|(at, line)| line_of(file, at + 1, line).transpose());
    read.collect()
}

fn line_of(file: &str, record: usize, line: &str) -> Result<Option<RadonZone>, ReadError> {
    let wrong = |field, expected: &str, got: &str| ReadError::Field {
        file: file.to_owned(),
        record,
        field,
        expected: expected.to_owned(),
        got: format!("{got:?}"),
    };
    let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [place, label, group, _, zone] = columns[..] else {
        return Err(wrong("County,State", "five columns with tabs between them", line));
    };
    if zone == "." {
        return Ok(None);
    }
    let zone = match zone {
        "1" => 1,
        "2" => 2,
        "3" => 3,
        other => return Err(wrong("Zone", "1, 2 or 3", other)),
    };
    let by_code = || place.rsplit_once(',').and_then(|(_, code)| code.trim().parse().ok());
    // The District of Columbia is a line by itself, without a code.
    let by_name = || StateCode::all().find(|state| state.name() == place);
    let state = by_code().or_else(by_name);
    let state = state.ok_or_else(|| wrong("County,State", "a name, a comma and a state code", place))?;
    let is_city = group == "VA-CITY";
    let label = label.trim_start_matches('.');
    let name = if is_city { label.rsplit_once(',').map_or(label, |(name, _)| name) } else { label };
    Ok(Some(RadonZone { state, name: name.to_owned(), is_city, zone }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_zones() {
        let list = "County,State\tCOUNTY LABEL\tSTATE\tRegion\tZone\nALABAMA\tno data\tno data\t.\t.\n\
                    Autauga, AL\t.Autauga County\tAlabama\t4\t2\nBedford, VA\tBedford, VA\tVA-CITY\t.\t1\n\
                    District of Columbia\t.District of Columbia\tDistrict of Columbia\t3\t3\n";
        let read: Vec<String> = zones("a.xls", list.as_bytes())
            .unwrap()
            .iter()
            .map(|zone| format!("{} {} {} {}", zone.state.usps(), zone.name, zone.is_city, zone.zone))
            .collect();
        assert_eq!(
            read,
            ["AL Autauga County false 2", "VA Bedford true 1", "DC District of Columbia false 3"]
        );
        for (line, said) in [
            ("a\tb\n", "five columns"),
            ("Autauga, ZZ\t.Autauga County\tAlabama\t4\t2\n", "a state code"),
            ("Autauga, AL\t.Autauga County\tAlabama\t4\t7\n", "1, 2 or 3"),
        ] {
            let error = zones("a.xls", format!("head\n{line}").as_bytes()).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("record 2"), "{error}");
        }
    }
}
