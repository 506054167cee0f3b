//! The names beside GEOIDs, against the names that the Census gives them: a mistyped number must not pass.

use platbook::vocabulary::Geoid;

use super::{Fault, Label};

/// A fault for each GEOID of a file that is not on the list, or bears another name there.
///
/// `names_of` gives every name under which the boundary files know an area ("Hennepin", "Hennepin County").
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
    use super::*;
    use crate::curated::load_states;

    #[test]
    fn a_number_with_another_name_is_told() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/curated/states");
        let states = load_states(folder.as_ref()).unwrap();
        let minnesota = states.iter().find(|state| state.rules.state.usps() == "MN").unwrap();
        let faults = wrong_labels("MN.toml", &minnesota.labels, |geoid| match geoid.to_string().as_str() {
            "place:2743000" => vec!["Minnetonka", "Minnetonka city"],
            "place:2740166" => vec![],
            "place:2706616" => vec!["Bloomington"],
            _ => vec!["Hennepin", "Ramsey", "Dakota", "Anoka"],
        });
        let shown: Vec<String> = faults.iter().map(Fault::to_string).collect();
        assert!(shown[0].contains("place: place:2743000 is Minnetonka, not Minneapolis"), "{shown:?}");
        assert!(shown[1].contains("(Maple Grove) is in no boundary file"), "{shown:?}");
        assert_eq!(shown.len(), 4, "{shown:?}");
    }
}
