//! Measures the geocoder on addresses made from the ranges of two real counties; the addresses are written as people
//! write them. Runs if `PLATBOOK_DATA` names the files and the default snapshot exists.

use std::{collections::BTreeMap, path::Path};

use platbook::{
    geocoder::NotAnAddress,
    geometry::{LonLat, METERS_PER_DEGREE},
};

use super::*;

/// Post offices of the ZIP codes of both counties.
const CITIES: [(u32, &str, &str); 11] = [
    (27_944, "Hertford", "NC"),
    (27_919, "Belvidere", "NC"),
    (27_985, "Winfall", "NC"),
    (27_980, "Tyner", "NC"),
    (27_932, "Edenton", "NC"),
    (27_946, "Hobbsville", "NC"),
    (59_645, "White Sulphur Springs", "MT"),
    (59_642, "Ringling", "MT"),
    (59_053, "Martinsdale", "MT"),
    (59_086, "Wilsall", "MT"),
    (59_644, "Townsend", "MT"),
];

/// A generator of numbers that is the same everywhere (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// Changes made to an address before it is geocoded.
const CHANGES: [&str; 9] =
    ["as it is", "lower case", "upper case", "typo", "no type", "unit", "compass moved", "no commas", "all"];

/// The point at a share of a line, in proportion of longitude and latitude. The tested code computes it in another way.
fn along(line: &[LonLat], share: f64) -> (f64, f64) {
    let at: Vec<(f64, f64)> = line.iter().map(|point| (point.lon_degrees(), point.lat_degrees())).collect();
    let shrink = at[0].1.to_radians().cos();
    let length = |a: (f64, f64), b: (f64, f64)| ((b.0 - a.0) * shrink).hypot(b.1 - a.1);
    let mut rest = at.windows(2).map(|edge| length(edge[0], edge[1])).sum::<f64>() * share;
    for edge in at.windows(2) {
        let long = length(edge[0], edge[1]);
        if rest <= long && long > 0.0 {
            let part = rest / long;
            return (edge[0].0 + (edge[1].0 - edge[0].0) * part, edge[0].1 + (edge[1].1 - edge[0].1) * part);
        }
        rest -= long;
    }
    at[at.len() - 1]
}

fn meters(truth: (f64, f64), found: LonLat) -> f64 {
    let shrink = truth.1.to_radians().cos();
    ((found.lon_degrees() - truth.0) * shrink).hypot(found.lat_degrees() - truth.1) * METERS_PER_DEGREE
}

/// The name with a typo in its longest word, if that word has five letters or more.
fn with_typo(name: &str, numbers: &mut Numbers) -> String {
    let longest = name.split(' ').max_by_key(|word| word.len()).unwrap_or_default();
    if longest.len() < 5 || longest.bytes().any(|byte| byte.is_ascii_digit()) {
        return name.to_owned();
    }
    let mut letters: Vec<u8> = longest.bytes().collect();
    let at = 1 + numbers.below(letters.len() - 1);
    match numbers.below(4) {
        0 => letters.swap(at - 1, at),
        1 => drop(letters.remove(at)),
        2 => letters.insert(at, b'a' + numbers.below(26) as u8),
        _ => letters[at] = b'a' + numbers.below(26) as u8,
    }
    name.replacen(longest, &String::from_utf8_lossy(&letters), 1)
}

fn without_type(name: &str, kind: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let at = words
        .iter()
        .rposition(|word| word.eq_ignore_ascii_case(kind))
        .filter(|at| !kind.is_empty() && *at > 0);
    let kept = words.iter().enumerate().filter(|(place, _)| Some(*place) != at).map(|(_, word)| *word);
    kept.collect::<Vec<_>>().join(" ")
}

/// Writes `N Church St` as `Church St N`, and the reverse.
fn with_compass_moved(name: &str, street: &NewStreet) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    match (street.before, street.after) {
        (1.., 0) => [&words[1..], &words[..1]].concat().join(" "),
        (0, 1..) => [&words[words.len() - 1..], &words[..words.len() - 1]].concat().join(" "),
        _ => name.to_owned(),
    }
}

fn text_of(number: &str, street: &NewStreet, change: &str, numbers: &mut Numbers) -> String {
    let all = change == "all";
    let mut name = street.name.clone();
    if change == "compass moved" || all && numbers.below(3) == 0 {
        name = with_compass_moved(&name, street);
    }
    if change == "no type" || all && numbers.below(4) == 0 {
        name = without_type(&name, &street.kind);
    }
    if change == "typo" || all && numbers.below(2) == 0 {
        name = with_typo(&name, numbers);
    }
    let unit = if change == "unit" || all {
        ["", " Apt 4", " #12", " Unit B", ", Ste 200"][numbers.below(5)]
    } else {
        ""
    };
    let city = CITIES.iter().find(|(zip, ..)| *zip == street.zip);
    // A ZIP code without a post office is written without a city, because each city's name would contradict it.
    let city = city.map_or(String::new(), |(_, city, state)| format!("{city}, {state} "));
    let text = format!("{number} {name}{unit}, {city}{:05}", street.zip);
    match change {
        "lower case" => text.to_lowercase(),
        "upper case" => text.to_uppercase(),
        "no commas" => text.replace(',', ""),
        "all" if numbers.below(2) == 0 => text.replace(',', "").to_lowercase(),
        _ => text,
    }
}

/// A house number within a range: even if both ends are even, odd if both are odd.
fn number_in(range: &NewRange, numbers: &mut Numbers) -> u32 {
    let (low, high) = (range.from.min(range.to), range.from.max(range.to));
    let step = if range.from % 2 == range.to % 2 { 2 } else { 1 };
    low + step * numbers.below(((high - low) / step + 1) as usize) as u32
}

#[derive(Default, Debug)]
struct Tally {
    total: usize,
    near: usize,
    several: usize,
    none: usize,
    far: usize,
    other_county: usize,
}

impl Tally {
    /// Counts the result for an address. Returns the mistake, or `None` if the address was found near its true point.
    fn count(
        &mut self,
        located: Result<Located, NotAnAddress>,
        truth: (f64, f64),
        county: u16,
    ) -> Option<String> {
        self.total += 1;
        match located {
            Ok(Located::One(place)) => {
                let meters = meters(truth, place.point);
                if place.county != county {
                    self.other_county += 1;
                    return Some(format!("county {}, not {county}: {}", place.county, place.address));
                }
                if meters <= 60.0 {
                    self.near += 1;
                    return None;
                }
                self.far += 1;
                Some(format!("{meters:.0} m: {}", place.address))
            }
            Ok(Located::Several(places)) => {
                self.several += 1;
                Some(format!("several, such as {}", places[0].address))
            }
            Ok(Located::None(miss)) => {
                self.none += 1;
                Some(format!("{miss:?}"))
            }
            Err(why) => {
                self.none += 1;
                Some(format!("{why:?}"))
            }
        }
    }
}

/// Looks up an address of each range, with each of the [`CHANGES`]. Prints some of those that were not found at their
/// place.
fn ask(gathered: &Gathered, geocoder: &Geocoder<'_>) -> BTreeMap<&'static str, Tally> {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let (mut numbers, mut missed) = (Numbers(1), 0);
    let ranges = gathered
        .streets
        .streets
        .iter()
        .flat_map(|(street, ranges)| ranges.iter().map(move |range| (street, range)));
    for (street, range) in ranges {
        for change in CHANGES {
            let number = number_in(range, &mut numbers);
            let whole = f64::from(range.to) - f64::from(range.from);
            let share = if whole == 0.0 { 0.5 } else { (f64::from(number) - f64::from(range.from)) / whole };
            let truth = along(&gathered.streets.lines[range.line as usize], share);
            let text = text_of(&format!("{}{number}", range.prefix), street, change, &mut numbers);
            let located = parse(&text).map(|address| geocoder.locate(&address));
            if let Some(mistake) = tallies.entry(change).or_default().count(located, truth, range.county) {
                missed += 1;
                if missed % 12 == 0 || mistake.starts_with("county") {
                    println!("  {change}: {text} -> {mistake}");
                }
            }
        }
    }
    tallies
}

#[test]
#[ignore = "reads the real files; set PLATBOOK_DATA and run with --ignored"]
fn addresses_of_two_counties() {
    let data = std::env::var("PLATBOOK_DATA").expect("PLATBOOK_DATA names the directory of published files");
    let file = |name: &str| {
        (name.to_owned(), std::fs::read(Path::new(&data).join("census/addr").join(name)).unwrap())
    };
    let files = [file("tl_2020_37143_edges.zip"), file("tl_2021_30059_addrfeat.zip")];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let directory = Directory::new(Snapshot::open(&root.join("snapshots/default.platbook")).unwrap());
    let gathered = gather(&files, &directory).unwrap();
    println!("{:?}; {} beyond their county", gathered.results, gathered.beyond_county);
    let streets = Some(Streets::pack(&gathered.streets).unwrap());
    let bytes = LayerContents { streets, ..LayerContents::default() }.to_bytes().unwrap();
    let ranges: usize = gathered.streets.streets.values().map(Vec::len).sum();
    println!(
        "{} bytes, {ranges} ranges: {:.1} bytes a range",
        bytes.len(),
        bytes.len() as f64 / ranges as f64
    );
    let layer = LayerFile::copy(&bytes).unwrap();
    let tallies = ask(&gathered, &Geocoder::new(layer.streets().unwrap()));
    let sum = |of: fn(&Tally) -> usize| tallies.values().map(of).sum::<usize>();
    let (total, near) = (sum(|tally| tally.total), sum(|tally| tally.near));
    for (change, tally) in &tallies {
        println!("{change:14} {tally:?}: {:.2} %", 100.0 * tally.near as f64 / tally.total as f64);
    }
    println!("{near} of {total}: {:.2} %", 100.0 * near as f64 / total as f64);
    assert_eq!(sum(|tally| tally.other_county), 0, "wrong counties");
    assert!(near * 100 >= total * 97, "{near} of {total}");
}
