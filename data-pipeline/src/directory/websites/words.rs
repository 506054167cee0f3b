//! Brings names into a form for comparison: lower case, plain letters, one spelling for each common word.

use platbook::vocabulary::StateCode;

/// The words of a text. Saint, Mount, Fort and Township have one spelling each; "co" is a county except in
/// Colorado.
pub(super) fn words(text: &str, state: Option<StateCode>) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match fold(letter) {
            Some(folded) => plain.push_str(folded),
            None if letter.is_ascii_alphanumeric() => plain.push(letter.to_ascii_lowercase()),
            None if matches!(letter, '\'' | '`' | '.' | '\u{2018}' | '\u{2019}') => {}
            None if letter == '&' => plain.push_str(" and "),
            None => plain.push(' '),
        }
    }
    let colorado = state.is_some_and(|state| state.usps() == "CO");
    plain.split_whitespace().map(|word| one_spelling(word, colorado).to_owned()).collect()
}

/// The words joined without spaces, so that DeKalb equals De Kalb.
pub(super) fn key(words: &[String]) -> String {
    words.concat()
}

fn fold(letter: char) -> Option<&'static str> {
    Some(match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'Á' | 'ā' => "a",
        'é' | 'è' | 'ê' | 'ë' | 'É' => "e",
        'í' | 'ì' | 'î' | 'ï' | 'Í' => "i",
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'Ó' => "o",
        'ú' | 'ù' | 'û' | 'ü' | 'Ú' | 'Ü' => "u",
        'ñ' | 'Ñ' => "n",
        'ç' | 'Ç' => "c",
        _ => return None,
    })
}

fn one_spelling(word: &str, colorado: bool) -> &str {
    match word {
        "saint" => "st",
        "sainte" => "ste",
        "mount" => "mt",
        "fort" => "ft",
        "twp" | "twsp" | "townships" => "township",
        "govt" | "governments" => "government",
        "dept" => "department",
        "cnty" | "couty" | "coutny" => "county",
        "boro" => "borough",
        "co" if !colorado => "county",
        other => other,
    }
}

/// The spellings of a name in an address: as compared, with full words, and without "and".
pub(super) fn spellings(words: &[String]) -> Vec<String> {
    let full = |word: &String| match word.as_str() {
        "st" => "saint".to_owned(),
        "ste" => "sainte".to_owned(),
        "mt" => "mount".to_owned(),
        "ft" => "fort".to_owned(),
        _ => word.clone(),
    };
    let mut all = vec![key(words), words.iter().map(full).collect::<String>()];
    if words.len() > 1 && words.iter().any(|word| word == "and") {
        all.push(words.iter().filter(|word| *word != "and").cloned().collect());
    }
    all.dedup();
    all
}

/// Short forms of the state in addresses and organizations, and the words of its name.
pub(super) fn state_words(state: StateCode) -> Vec<String> {
    let name = state.name().to_lowercase();
    let mut all = vec![name.replace(' ', ""), state.usps().to_lowercase()];
    let short: &[&str] = match state.usps() {
        "CA" => &["cal", "calif"],
        "CO" => &["colo"],
        "FL" => &["fla"],
        "IL" => &["ill"],
        "IN" => &["ind"],
        "KS" => &["kan", "kans"],
        "ME" => &["maine"],
        "MA" => &["mass"],
        "MI" => &["mich"],
        "MN" => &["minn"],
        "MS" => &["miss"],
        "NE" => &["neb"],
        "OK" => &["okla"],
        "OR" => &["ore"],
        "PA" => &["penn", "penna"],
        "TN" => &["tenn"],
        "TX" => &["tex"],
        "WA" => &["wash"],
        "WI" => &["wis", "wisc"],
        _ => &[],
    };
    all.extend(short.iter().map(|word| (*word).to_owned()));
    all.extend(name.split(' ').filter(|_| name.contains(' ')).map(str::to_owned));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_compare_without_spaces_marks_and_variants() {
        for (one, other) in [
            ("DeKalb", "De Kalb"),
            ("Saint Louis", "St. Louis"),
            ("Mount Vernon", "Mt. Vernon"),
            ("Doña Ana", "Dona Ana"),
            ("Prince George's", "Prince Georges"),
            ("King & Queen", "King and Queen"),
            ("Eaton Twp", "Eaton Township"),
        ] {
            assert_eq!(key(&words(one, None)), key(&words(other, None)), "{one}");
        }
        assert_eq!(words("Dunn Co", StateCode::from_fips(55)), ["dunn", "county"]);
        assert_eq!(words("Aurora, CO", StateCode::from_fips(8)), ["aurora", "co"]);
    }
}
