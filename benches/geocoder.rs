//! Measures address lookups among invented streets. Each ZIP code has as many streets as in a large city.
//!
//! A lookup parses the text, finds the street and locates the house number. PLATBOOK_BENCH_LAYER names a layer file
//! with real streets instead; then addresses have a ZIP code, but no city.

use std::{collections::BTreeMap, hint::black_box, path::Path, time::Instant};

use platbook::{
    geocoder::{Compass, Geocoder, Located, StreetName, parse},
    geometry::LonLat,
    snapshot::{
        ArchivedStreets, LayerFile,
        write::{LayerContents, NewCity, NewRange, NewStreet, NewStreets, Streets},
    },
    vocabulary::name_key,
};

const ROUNDS: usize = 7;
const ZIPS: u32 = 20;
const STREETS_OF_A_ZIP: usize = 1_500;
const QUESTIONS: usize = 4_000;

/// Cities of the invented ZIP codes; each city has the same number of ZIP codes.
const CITIES: [&str; 5] = ["Alberton", "Castor Falls", "New Kelso", "White Lake Springs", "St Verlan"];

fn main() {
    let layer = match std::env::var_os("PLATBOOK_BENCH_LAYER") {
        Some(path) => LayerFile::open(Path::new(&path)).expect("a layer file of addresses"),
        None => invented(),
    };
    let streets = layer.streets().expect("a layer file with streets");
    println!("{} ranges of {} streets", streets.range_count(), streets.street_count());
    let addresses = addresses(streets);
    println!("{:34} {:>9} {:>9}", "questions", "us", "found");
    let absent = |text: &str| text.replacen(' ', " Zyzzyva ", 1);
    row("as published", streets, &addresses, str::to_owned);
    row("lower case, no commas, a unit", streets, &addresses, |text| {
        without_commas(&text.replacen(',', " apt 4", 1))
    });
    row("no ZIP code", streets, &addresses, |text| text[..text.len() - 6].to_owned());
    row("a slip in the name", streets, &addresses, with_slip);
    row("a slip in the name, no commas", streets, &addresses, |text| without_commas(&with_slip(text)));
    row("a street that is not there", streets, &addresses, absent);
    row("such a street, no commas", streets, &addresses, |text| without_commas(&absent(text)));
}

fn without_commas(text: &str) -> String {
    text.to_lowercase().replace(',', "")
}

fn row(what: &str, streets: &ArchivedStreets, addresses: &[String], change: impl Fn(&str) -> String) {
    let texts: Vec<String> = addresses.iter().map(|text| change(text)).collect();
    let geocoder = Geocoder::new(streets);
    let locate = |text: &String| parse(text).map(|address| geocoder.locate(&address));
    let found = texts.iter().filter(|text| matches!(locate(text), Ok(Located::One(_)))).count();
    let rounds = (0..ROUNDS).map(|_| {
        let started = Instant::now();
        texts.iter().for_each(|text| {
            let _ = black_box(locate(black_box(text)));
        });
        started.elapsed().as_secs_f64() * 1e6 / texts.len() as f64
    });
    let mut rounds: Vec<f64> = rounds.collect();
    rounds.sort_by(f64::total_cmp);
    println!("{what:34} {:9.1} {:8.1}%", rounds[ROUNDS / 2], 100.0 * found as f64 / texts.len() as f64);
}

/// Returns the text with two letters of the longest word swapped.
fn with_slip(text: &str) -> String {
    let street = text.split(',').next().unwrap_or(text);
    let longest = street.split(' ').skip(1).max_by_key(|word| word.len()).unwrap_or_default();
    let mut letters: Vec<char> = longest.chars().collect();
    if letters.len() >= 5 {
        letters.swap(2, 3);
    }
    text.replacen(longest, &letters.into_iter().collect::<String>(), 1)
}

/// Returns addresses of streets spread over the file.
fn addresses(streets: &ArchivedStreets) -> Vec<String> {
    let step = (streets.street_count() / QUESTIONS).max(1);
    let zips: Vec<u32> = streets.zips().collect();
    let numbered = zips.iter().flat_map(|zip| streets.streets_of(*zip).map(move |street| (*zip, street)));
    let address = |(zip, number): (u32, usize)| {
        let (street, range) = (streets.street(number)?, streets.ranges(number).next()?);
        let city = city_of(streets, zip).map(|city| format!(" {city}, NC")).unwrap_or_default();
        Some(format!("{}{} {},{city} {zip:05}", range.prefix, range.from, street.name))
    };
    numbered.step_by(step).filter_map(address).collect()
}

fn city_of(streets: &ArchivedStreets, zip: u32) -> Option<&'static str> {
    let reaches = |city: &str| streets.zips_of_city(37, &name_key(city)).any(|(reached, _)| reached == zip);
    CITIES.into_iter().find(|city| reaches(city))
}

/// Makes streets with names of two or three syllables, each with four ranges.
fn invented() -> LayerFile {
    const SYLLABLES: [&str; 24] = [
        "al", "ber", "cas", "den", "el", "far", "gar", "hal", "in", "jor", "kel", "lan", "mar", "nor", "os",
        "pem", "quin", "ros", "sel", "tor", "ul", "ver", "wil", "yar",
    ];
    const TYPES: [&str; 6] = ["St", "Ave", "Rd", "Dr", "Ln", "Ct"];
    let mut new = NewStreets { streets: BTreeMap::new(), ..NewStreets::default() };
    let mut state: u64 = 1;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    for zip in 27_000..27_000 + ZIPS {
        let key = name_key(CITIES[zip as usize % CITIES.len()]);
        new.cities.push(NewCity { state: 37, key, zip, is_only: true });
        for _ in 0..STREETS_OF_A_ZIP {
            let syllables: String = (0..2 + below(2)).map(|_| SYLLABLES[below(SYLLABLES.len())]).collect();
            let name =
                format!("{}{} {}", syllables[..1].to_uppercase(), &syllables[1..], TYPES[below(TYPES.len())]);
            let Some(parts) = StreetName::read(&name) else { continue };
            let row = NewStreet {
                zip,
                key: parts.key,
                name,
                kind: parts.kind.unwrap_or_default().to_owned(),
                before: Compass::number(parts.before),
                after: Compass::number(parts.after),
            };
            let (lat, lon) = (360_000_000 + below(1_000_000) as i32, -780_000_000 + below(1_000_000) as i32);
            let line = new.lines.len() as u32;
            new.lines.push((0..4).map(|step| LonLat::from_units(lat + step * 5_000, lon)).collect());
            let range = |block: u32, right: bool| {
                let from = 100 * block + u32::from(!right);
                NewRange { from, to: from + 98, prefix: String::new(), county: 37_143, right, line }
            };
            new.streets.entry(row).or_default().extend([
                range(1, true),
                range(1, false),
                range(2, true),
                range(2, false),
            ]);
        }
    }
    new.cities.sort();
    let streets = Some(Streets::pack(&new).expect("short names"));
    let bytes = LayerContents { streets, ..LayerContents::default() }.to_bytes().expect("a small section");
    LayerFile::copy(&bytes).expect("a file just written")
}
