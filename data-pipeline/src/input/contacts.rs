//! Reads published lists of offices with their telephones. Each list is one table, and all have the same columns.

use super::{ReadError, table};

/// A row of a list. Texts that it lacks are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedContact {
    /// Digits of the government's GEOID; empty where the row was joined to none.
    pub geoid: String,
    /// The government, as the list calls it.
    pub government: String,
    /// The office, as the list calls it.
    pub kind: String,
    /// Telephone of the office.
    pub phone: String,
    /// Mail box of the office.
    pub email: String,
    /// Street address, in one line.
    pub address: String,
    /// Page of the office.
    pub url: String,
    /// Year of the list.
    pub year: u16,
    /// How far the row is to be trusted: `high`, `medium` or `low`.
    pub trust: String,
}

/// Reads a list. The mailing address is not read.
///
/// # Errors
/// When the table is damaged, or a row has no office, no date or no trust.
pub fn rows(file: &str, bytes: &[u8]) -> Result<Vec<ListedContact>, ReadError> {
    table::rows(file, bytes, None, |row| {
        let text = |column| row.get(column).unwrap_or_default().to_owned();
        let date = row.need("source_date")?;
        let year = date.get(..4).and_then(|year| year.parse().ok());
        let trust = row.need("trust")?;
        if !["high", "medium", "low"].contains(&trust) {
            return Err(row.wrong("trust", "high, medium or low", trust));
        }
        Ok(Some(ListedContact {
            geoid: text("geoid"),
            government: row.need("jurisdiction")?.to_owned(),
            kind: row.need("office_kind")?.to_owned(),
            phone: text("phone"),
            email: text("email"),
            address: text("street_address"),
            url: text("url"),
            year: year.ok_or_else(|| row.wrong("source_date", "a date that begins with a year", date))?,
            trust: trust.to_owned(),
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_what_is_shown() {
        let head = "state,jurisdiction,jurisdiction_kind,geoid,office_kind,phone,email,street_address,mailing_address,url,source_date,source,trust\n";
        let row = "NH,Acworth,town,3301900260,clerk,603-555-0104,,\"1 Main St, Acworth, NH 03601\",PO BOX 37,,2020-10-12,a list,medium\n";
        let read = rows("c.csv", format!("{head}{row}").as_bytes()).unwrap().remove(0);
        assert_eq!(
            (read.geoid.as_str(), read.phone.as_str(), read.year),
            ("3301900260", "603-555-0104", 2020)
        );
        assert!(!read.address.contains("PO BOX") && read.email.is_empty());
        for (is, broken, said) in [
            (",medium", ",sure", "high, medium or low"),
            ("2020-10-12", "lately", "begins with a year"),
            (",clerk,", ",,", "office_kind"),
        ] {
            let error = rows("c.csv", format!("{head}{}", row.replace(is, broken)).as_bytes()).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }
}
