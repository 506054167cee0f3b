//! Short forms that people write in names, such as "N. Las Vegas" and "Pt. Pleasant".
//!
//! Folding expands the unambiguous short forms. The short forms here may mean something else as well, so a text that
//! has one is looked up both as written and written out.

use super::StateCode;

/// Compass words, expanded only at the start of a name such as "N. Las Vegas".
const COMPASS: [(&str, &str); 6] =
    [("n", "north"), ("no", "north"), ("s", "south"), ("so", "south"), ("e", "east"), ("w", "west")];

/// Short forms that are expanded anywhere in a name.
const WORDS: [(&str, &str); 13] = [
    ("bch", "beach"),
    ("gr", "grand"),
    ("hgts", "heights"),
    ("hts", "heights"),
    ("is", "island"),
    ("jct", "junction"),
    ("pk", "park"),
    ("pt", "point"),
    ("spg", "spring"),
    ("spgs", "springs"),
    ("spr", "spring"),
    ("sprgs", "springs"),
    ("vly", "valley"),
];

/// Two word ends that people use for one name: Foxborough is signposted as Foxboro.
const ENDS: [(&str, &str); 2] = [("borough", "boro"), ("boro", "borough")];

/// Abbreviations of states that are older than the postal codes, folded. Postal codes and complete names are left
/// out, because `place_words` has them. Words such as "ill" do no harm: a state is read only after a name.
const STATES: [(&str, &str); 46] = [
    ("ala", "AL"),
    ("alas", "AK"),
    ("ariz", "AZ"),
    ("ark", "AR"),
    ("cal", "CA"),
    ("calif", "CA"),
    ("colo", "CO"),
    ("conn", "CT"),
    ("del", "DE"),
    ("fla", "FL"),
    ("ill", "IL"),
    ("ills", "IL"),
    ("ind", "IN"),
    ("kan", "KS"),
    ("kans", "KS"),
    ("mass", "MA"),
    ("mich", "MI"),
    ("minn", "MN"),
    ("miss", "MS"),
    ("mont", "MT"),
    ("ncar", "NC"),
    ("ndak", "ND"),
    ("neb", "NE"),
    ("nebr", "NE"),
    ("nev", "NV"),
    ("newmex", "NM"),
    ("nmex", "NM"),
    ("ncarolina", "NC"),
    ("ndakota", "ND"),
    ("okla", "OK"),
    ("ore", "OR"),
    ("oreg", "OR"),
    ("penn", "PA"),
    ("penna", "PA"),
    ("scar", "SC"),
    ("scarolina", "SC"),
    ("sdak", "SD"),
    ("sdakota", "SD"),
    ("tenn", "TN"),
    ("tex", "TX"),
    ("wash", "WA"),
    ("wis", "WI"),
    ("wisc", "WI"),
    ("wva", "WV"),
    ("wvirginia", "WV"),
    ("wyo", "WY"),
];

/// The abbreviations of states with their codes, folded and without spaces: `fla`, `wva`.
pub fn state_abbreviations() -> impl Iterator<Item = (&'static str, StateCode)> {
    STATES.iter().filter_map(|(short, code)| Some((*short, code.parse().ok()?)))
}

/// Writes out the short forms of a name's words, and gives word ends their other usual form. `None` if no word
/// changes.
pub fn written_out(words: &[&str]) -> Option<Vec<String>> {
    // A lone compass letter is not a direction: "N" is a name by itself.
    let other = |at: usize, word: &str| other_form(word, at == 0 && words.len() > 1);
    let first = words.iter().enumerate().position(|(at, word)| other(at, word).is_some())?;
    let written = |(at, word): (usize, &&str)| {
        let other = if at < first { None } else { other(at, word) };
        other.unwrap_or_else(|| (*word).to_owned())
    };
    Some(words.iter().enumerate().map(written).collect())
}

fn other_form(word: &str, may_be_compass: bool) -> Option<String> {
    let named = |table: &[(&str, &str)]| {
        table.iter().find(|(short, _)| *short == word).map(|(_, long)| (*long).to_owned())
    };
    let compass = may_be_compass.then(|| named(&COMPASS)).flatten();
    compass.or_else(|| named(&WORDS)).or_else(|| {
        ENDS.iter().find_map(|(end, other)| {
            let start = word.strip_suffix(end).filter(|start| !start.is_empty())?;
            Some(format!("{start}{other}"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_written_out() {
        for (text, written) in [
            ("n las vegas", Some("north las vegas")),
            ("so san francisco", Some("south san francisco")),
            ("pt pleasant", Some("point pleasant")),
            ("colorado spgs", Some("colorado springs")),
            ("foxboro", Some("foxborough")),
            ("middleborough", Some("middleboro")),
            ("e greensboro", Some("east greensborough")),
            ("n", None),
            ("las n vegas", None),
            ("borough", None),
            ("austin", None),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(written_out(&words).map(|words| words.join(" ")).as_deref(), written, "{text}");
        }
    }

    #[test]
    fn abbreviations_of_states_are_no_codes_and_no_names() {
        assert_eq!(state_abbreviations().count(), STATES.len());
        for (short, _) in STATES {
            assert!(short.parse::<StateCode>().is_err(), "{short}");
            assert!(StateCode::all().all(|state| state.name().to_lowercase() != short), "{short}");
        }
    }
}
