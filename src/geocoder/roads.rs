//! Numbered roads: the many ways to write `US 17` become one word.

use super::compass::Compass;

/// A word of a street's name. A numbered road is one word, such as `us17`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) is_road: bool,
}

/// Ways to write a class of roads before the number, longest first, and what the class is called in a key.
const CLASSES: [(&str, &[&str]); 44] = [
    ("us", &["united", "states", "highway"]),
    ("us", &["us", "highway"]),
    ("us", &["us", "hwy"]),
    ("us", &["us", "route"]),
    ("us", &["us", "rte"]),
    ("us", &["us", "rt"]),
    ("us", &["us"]),
    ("i", &["interstate", "highway"]),
    ("i", &["interstate", "hwy"]),
    ("i", &["interstate"]),
    ("i", &["i"]),
    ("sr", &["state", "highway"]),
    ("sr", &["state", "hwy"]),
    ("sr", &["state", "route"]),
    ("sr", &["state", "rte"]),
    ("sr", &["state", "rt"]),
    ("sr", &["state", "road"]),
    ("sr", &["state", "rd"]),
    ("sr", &["state", "trunk", "highway"]),
    ("sr", &["st", "hwy"]),
    ("sr", &["st", "rte"]),
    ("sr", &["st", "rd"]),
    ("sr", &["sr"]),
    ("sr", &["sh"]),
    ("sr", &["sth"]),
    ("cr", &["county", "trunk", "highway"]),
    ("cr", &["county", "trunk"]),
    ("cr", &["county", "highway"]),
    ("cr", &["county", "hwy"]),
    ("cr", &["county", "route"]),
    ("cr", &["county", "rte"]),
    ("cr", &["county", "road"]),
    ("cr", &["county", "rd"]),
    ("cr", &["co", "highway"]),
    ("cr", &["co", "hwy"]),
    ("cr", &["co", "rte"]),
    ("cr", &["co", "road"]),
    ("cr", &["co", "rd"]),
    ("cr", &["cr"]),
    ("cr", &["cth"]),
    ("fm", &["farm", "to", "market", "road"]),
    ("fm", &["farm", "to", "market", "rd"]),
    ("fm", &["farm", "to", "market"]),
    ("fm", &["fm"]),
];

/// Further classes that are written in few ways.
const RARE: [(&str, &[&str]); 14] = [
    ("rm", &["ranch", "to", "market", "rd"]),
    ("rm", &["ranch", "to", "market", "road"]),
    ("rm", &["ranch", "road"]),
    ("rm", &["ranch", "rd"]),
    ("rm", &["rm"]),
    ("twp", &["township", "highway"]),
    ("twp", &["township", "hwy"]),
    ("twp", &["township", "road"]),
    ("twp", &["township", "rd"]),
    ("twp", &["twp", "hwy"]),
    ("twp", &["twp", "rd"]),
    ("hwy", &["highway"]),
    ("hwy", &["hwy"]),
    ("hwy", &["route"]),
];

/// Words for a road whose owner is not said, or follows from the state before them: `NC Hwy 37`.
const PLAIN: [&str; 5] = ["highway", "hwy", "route", "rte", "rt"];

/// The words with each numbered road as one.
pub(super) fn joined(words: &[String]) -> Vec<Word> {
    let mut joined = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        // The code of a state names a road only where the name begins: 5 Cedar Ct 12 is not on Connecticut's route 12.
        let begins = words[..at].iter().all(|word| Compass::parse(word).is_some());
        if let Some((text, taken)) = road_at(&words[at..], begins) {
            joined.push(Word { text, is_road: true });
            at += taken;
        } else {
            joined.push(Word { text: words[at].clone(), is_road: false });
            at += 1;
        }
    }
    joined
}

/// The key of a numbered road that the words begin with, and how many of them it takes.
fn road_at(words: &[String], begins: bool) -> Option<(String, usize)> {
    let classes = CLASSES.iter().chain(&RARE);
    let named = classes.filter(|(_, form)| {
        words.len() > form.len() && words.iter().zip(*form).all(|(word, part)| word == part)
    });
    let (class, taken) = named
        .map(|(class, form)| (*class, form.len()))
        .max_by_key(|(_, taken)| *taken)
        .or_else(|| plain(words))
        .or_else(|| state_road(words).filter(|_| begins))?;
    let number = words.get(taken).filter(|word| is_number(word, class))?;
    Some((format!("{class}{number}"), taken + 1))
}

fn plain(words: &[String]) -> Option<(&'static str, usize)> {
    PLAIN.contains(&words.first()?.as_str()).then_some(("hwy", 1))
}

/// `NC Hwy 37`, `MT 360`: the postal code of a state before the number.
fn state_road(words: &[String]) -> Option<(&'static str, usize)> {
    let first = words.first()?;
    let is_code = first.len() == 2 && first.parse::<crate::vocabulary::StateCode>().is_ok();
    let further =
        words.get(1).is_some_and(|word| PLAIN.contains(&word.as_str()) || word == "road" || word == "rd");
    is_code.then_some(("sr", 1 + usize::from(further)))
}

/// A number with at most a letter after it; roads of counties may have letters alone.
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
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let marked =
                joined(&words).into_iter().map(|word| word.text + if word.is_road { "*" } else { "" });
            assert_eq!(marked.collect::<Vec<_>>().join(" "), key, "{text}");
        }
    }
}
