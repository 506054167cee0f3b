//! Compares the names beside GEOIDs with Census names, so that a mistyped number is found.

use platbook::vocabulary::Geoid;

use super::{Fault, Label};

/// Returns a fault for each GEOID of a file that is unknown or has other names.
///
/// `names_of` gives every name of an area in the boundary files ("Hennepin", "Hennepin County"); none for an
/// unknown area.
pub fn wrong_labels<'n>(
    file: &str,
    labels: &[Label],
    names_of: impl Fn(Geoid) -> Vec<&'n str>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for label in labels {
        let names = names_of(label.geoid);
        if names.contains(&label.name.as_str()) {
            continue;
        }
        let what = match names.first() {
            Some(name) => format!("{} is {name}, not {}", label.geoid, label.name),
            None => format!("{} ({}) is in no boundary file", label.geoid, label.name),
        };
        let (file, key) = (file.to_owned(), label.geoid.layer().prefix().to_owned());
        faults.push(Fault { file, line: label.line, key, what });
    }
    faults
}

#[cfg(test)]
mod tests {
    use platbook::vocabulary::Layer;

    use super::*;

    #[test]
    fn a_number_with_another_name_is_reported() {
        let known: &[(&str, &[&str])] =
            &[("2743000", &["Minneapolis", "Minneapolis city"]), ("2706616", &["Bloomington"])];
        for (digits, name, expected) in [
            ("2743000", "Minneapolis", None),
            ("2743000", "Minneapolis city", None),
            (
                "2706616",
                "Minneapolis",
                Some("MN.toml:7: place: place:2706616 is Bloomington, not Minneapolis"),
            ),
            (
                "2740166",
                "Maple Grove",
                Some("MN.toml:7: place: place:2740166 (Maple Grove) is in no boundary file"),
            ),
        ] {
            let label =
                Label { geoid: Geoid::parse(Layer::Place, digits).unwrap(), name: name.to_owned(), line: 7 };
            let names = |geoid: Geoid| {
                let found = known.iter().find(|(digits, _)| geoid.digits() == *digits);
                found.map_or(Vec::new(), |(_, names)| names.to_vec())
            };
            let said: Vec<String> =
                wrong_labels("MN.toml", &[label], names).iter().map(Fault::to_string).collect();
            assert_eq!(said, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
