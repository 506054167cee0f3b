//! Joins the words of a numbered road: the many ways to write `US 17` become one word.

use std::borrow::Cow;

use super::street_word::Word;

/// Words between a state's code and the number: `NC Hwy 37`.
const AFTER_CODE: [&str; 7] = ["highway", "hwy", "route", "rte", "rt", "road", "rd"];

/// The words, with each numbered road joined into one word.
pub(super) fn joined<'w, 't>(words: &'w [Word<'t>]) -> Cow<'w, [Word<'t>]> {
    let mut joined = Vec::new();
    let (mut at, mut kept) = (0, 0);
    while at < words.len() {
        // A state's code names a road only at the start of a name: "5 Cedar Ct 12" does not name Connecticut's route
        // 12.
        let begins = words[..at].iter().all(|word| word.compass.is_some());
        let Some((text, taken)) = road_at(&words[at..], begins) else {
            at += 1;
            continue;
        };
        joined.extend_from_slice(&words[kept..at]);
        joined.push(Word::road(text));
        at += taken;
        kept = at;
    }
    if joined.is_empty() {
        return Cow::Borrowed(words);
    }
    joined.extend_from_slice(&words[kept..]);
    Cow::Owned(joined)
}

/// The key of a numbered road at the start of the words, and how many words it takes.
fn road_at(words: &[Word<'_>], begins: bool) -> Option<(String, usize)> {
    let first = words.first()?;
    let named = first.roads.iter().find(|(_, form)| {
        words.len() > form.len() && words.iter().zip(*form).all(|(word, part)| word.text == **part)
    });
    let named = named.map(|(class, form)| (*class, form.len()));
    let (class, taken) = named.or_else(|| state_road(words).filter(|_| begins))?;
    let number = words.get(taken).filter(|word| is_number(&word.text, class))?;
    Some((format!("{class}{}", number.text), taken + 1))
}

/// The class of a road written with a state's postal code before the number, such as `NC Hwy 37` or `MT 360`. Also
/// returns how many words stand before the number.
fn state_road(words: &[Word<'_>]) -> Option<(&'static str, usize)> {
    let first = &words.first()?.text;
    let further = words.get(1).is_some_and(|word| AFTER_CODE.contains(&&*word.text));
    // The number is checked first, because few two-letter words stand before a number, and most are not codes.
    let numbered = words.get(1 + usize::from(further)).is_some_and(|word| is_number(&word.text, "sr"));
    let is_code = numbered && first.len() == 2 && first.parse::<crate::vocabulary::StateCode>().is_ok();
    is_code.then_some(("sr", 1 + usize::from(further)))
}

/// Whether a word is a road number: digits with at most one letter. County roads may have only letters.
fn is_number(word: &str, class: &str) -> bool {
    let digits = word.trim_end_matches(|char: char| char.is_ascii_lowercase());
    let letters = word.len() - digits.len();
    let numbered =
        !digits.is_empty() && digits.len() <= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|end| word.ends_with(end));
    numbered && letters <= 1 && !is_ordinal
        || class == "cr" && digits.is_empty() && (1..=2).contains(&letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_road_is_one_word() {
        for (text, key) in [
            ("us hwy 17", "us17*"),
            ("us highway 17 n", "us17* n"),
            ("us 17", "us17*"),
            ("old us 17 rd", "old us17* rd"),
            ("state hwy 360", "sr360*"),
            ("mt hwy 360", "sr360*"),
            ("nc 37", "sr37*"),
            ("hwy 360", "hwy360*"),
            ("rte 9a", "hwy9a*"),
            ("county road 12", "cr12*"),
            ("co rd m", "crm*"),
            ("i 94", "i94*"),
            ("farm to market rd 1960", "fm1960*"),
            ("county line rd", "county line rd"),
            ("state st", "state st"),
            ("highway 1st", "highway 1st"),
            ("i st", "i st"),
            ("cedar ct 5", "cedar ct 5"),
            ("n nc 37", "n sr37*"),
        ] {
            let words: Vec<Word<'_>> = text.split(' ').map(Word::new).collect();
            let joined = joined(&words);
            let marked =
                joined.iter().map(|word| format!("{}{}", word.text, if word.is_road { "*" } else { "" }));
            assert_eq!(marked.collect::<Vec<_>>().join(" "), key, "{text}");
        }
    }
}
