//! Types of streets: the standard abbreviation, the word, and other spellings in use.
//!
//! Source: U.S. Postal Service, Publication 28, Appendix C1 "Street Suffix Abbreviations". The last few are from
//! TIGER/Line.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::{
    snapshot::{letters_near, letters_of},
    vocabulary::Spelling,
};

/// Standard abbreviation, word and other spellings of each type.
const TYPES: [(&str, &str, &[&str]); 210] = [
    ("aly", "alley", &["allee", "ally"]),
    ("anx", "anex", &["annex", "annx"]),
    ("arc", "arcade", &[]),
    ("arch", "arch", &[]),
    ("ave", "avenue", &["av", "aven", "avenu", "avn", "avnue"]),
    ("byu", "bayou", &["bayoo"]),
    ("bch", "beach", &[]),
    ("bnd", "bend", &[]),
    ("blf", "bluff", &["bluf"]),
    ("blfs", "bluffs", &[]),
    ("btm", "bottom", &["bot", "bottm"]),
    ("blvd", "boulevard", &["boul", "boulv", "bvd", "blv"]),
    ("br", "branch", &["brnch"]),
    ("brg", "bridge", &["brdge"]),
    ("brk", "brook", &[]),
    ("brks", "brooks", &[]),
    ("bg", "burg", &[]),
    ("bgs", "burgs", &[]),
    ("byp", "bypass", &["bypa", "bypas", "byps"]),
    ("cp", "camp", &["cmp"]),
    ("cyn", "canyon", &["canyn", "cnyn"]),
    ("cpe", "cape", &[]),
    ("cswy", "causeway", &["causwa"]),
    ("ctr", "center", &["cen", "cent", "centr", "centre", "cnter", "cntr"]),
    ("ctrs", "centers", &[]),
    ("cir", "circle", &["circ", "circl", "crcl", "crcle"]),
    ("cirs", "circles", &[]),
    ("clf", "cliff", &[]),
    ("clfs", "cliffs", &[]),
    ("clb", "club", &[]),
    ("cmn", "common", &[]),
    ("cmns", "commons", &[]),
    ("cor", "corner", &[]),
    ("cors", "corners", &[]),
    ("crse", "course", &[]),
    ("ct", "court", &["crt"]),
    ("cts", "courts", &[]),
    ("cv", "cove", &[]),
    ("cvs", "coves", &[]),
    ("crk", "creek", &[]),
    ("cres", "crescent", &["crsent", "crsnt"]),
    ("crst", "crest", &[]),
    ("xing", "crossing", &["crssng", "crossng"]),
    ("xrd", "crossroad", &[]),
    ("xrds", "crossroads", &[]),
    ("curv", "curve", &[]),
    ("dl", "dale", &[]),
    ("dm", "dam", &[]),
    ("dv", "divide", &["div", "dvd"]),
    ("dr", "drive", &["driv", "drv"]),
    ("drs", "drives", &[]),
    ("est", "estate", &[]),
    ("ests", "estates", &[]),
    ("expy", "expressway", &["exp", "expr", "express", "expw"]),
    ("ext", "extension", &["extn", "extnsn"]),
    ("exts", "extensions", &[]),
    ("fall", "fall", &[]),
    ("fls", "falls", &[]),
    ("fry", "ferry", &["frry"]),
    ("fld", "field", &[]),
    ("flds", "fields", &[]),
    ("flt", "flat", &[]),
    ("flts", "flats", &[]),
    ("frd", "ford", &[]),
    ("frds", "fords", &[]),
    ("frst", "forest", &["forests"]),
    ("frg", "forge", &["forg"]),
    ("frgs", "forges", &[]),
    ("frk", "fork", &[]),
    ("frks", "forks", &[]),
    ("ft", "fort", &["frt"]),
    ("fwy", "freeway", &["freewy", "frway", "frwy"]),
    ("gdn", "garden", &["gardn", "grden", "grdn"]),
    ("gdns", "gardens", &["grdns"]),
    ("gtwy", "gateway", &["gatewy", "gatway", "gtway"]),
    ("gln", "glen", &[]),
    ("glns", "glens", &[]),
    ("grn", "green", &[]),
    ("grns", "greens", &[]),
    ("grv", "grove", &["grov"]),
    ("grvs", "groves", &[]),
    ("hbr", "harbor", &["harb", "harbr", "hrbor"]),
    ("hbrs", "harbors", &[]),
    ("hvn", "haven", &[]),
    ("hts", "heights", &["ht", "hgts"]),
    ("hwy", "highway", &["highwy", "hiway", "hiwy", "hway", "hgwy"]),
    ("hl", "hill", &[]),
    ("hls", "hills", &[]),
    ("holw", "hollow", &["hllw", "hollows", "holws"]),
    ("inlt", "inlet", &[]),
    ("is", "island", &["islnd"]),
    ("iss", "islands", &["islnds"]),
    ("isle", "isle", &["isles"]),
    ("jct", "junction", &["jction", "jctn", "junctn", "juncton"]),
    ("jcts", "junctions", &["jctns"]),
    ("ky", "key", &[]),
    ("kys", "keys", &[]),
    ("knl", "knoll", &["knol"]),
    ("knls", "knolls", &[]),
    ("lk", "lake", &[]),
    ("lks", "lakes", &[]),
    ("land", "land", &[]),
    ("lndg", "landing", &["lndng"]),
    ("ln", "lane", &["lanes"]),
    ("lgt", "light", &[]),
    ("lgts", "lights", &[]),
    ("lf", "loaf", &[]),
    ("lck", "lock", &[]),
    ("lcks", "locks", &[]),
    ("ldg", "lodge", &["ldge", "lodg"]),
    ("loop", "loop", &["loops", "lp"]),
    ("mall", "mall", &[]),
    ("mnr", "manor", &[]),
    ("mnrs", "manors", &[]),
    ("mdw", "meadow", &[]),
    ("mdws", "meadows", &["medows"]),
    ("mews", "mews", &[]),
    ("ml", "mill", &[]),
    ("mls", "mills", &[]),
    ("msn", "mission", &["missn", "mssn"]),
    ("mtwy", "motorway", &[]),
    ("mt", "mount", &["mnt"]),
    ("mtn", "mountain", &["mntain", "mntn", "mountin", "mtin"]),
    ("mtns", "mountains", &["mntns"]),
    ("nck", "neck", &[]),
    ("orch", "orchard", &["orchrd"]),
    ("oval", "oval", &["ovl"]),
    ("opas", "overpass", &[]),
    ("park", "park", &["prk"]),
    ("pkwy", "parkway", &["parkwy", "pkway", "pky", "parkways", "pkwys"]),
    ("pass", "pass", &[]),
    ("psge", "passage", &[]),
    ("path", "path", &["paths"]),
    ("pike", "pike", &["pikes"]),
    ("pne", "pine", &[]),
    ("pnes", "pines", &[]),
    ("pl", "place", &[]),
    ("pln", "plain", &[]),
    ("plns", "plains", &[]),
    ("plz", "plaza", &["plza"]),
    ("pt", "point", &[]),
    ("pts", "points", &[]),
    ("prt", "port", &[]),
    ("prts", "ports", &[]),
    ("pr", "prairie", &["prr"]),
    ("radl", "radial", &["rad", "radiel"]),
    ("ramp", "ramp", &[]),
    ("rnch", "ranch", &["ranches", "rnchs"]),
    ("rpd", "rapid", &[]),
    ("rpds", "rapids", &[]),
    ("rst", "rest", &[]),
    ("rdg", "ridge", &["rdge"]),
    ("rdgs", "ridges", &[]),
    ("riv", "river", &["rvr", "rivr"]),
    ("rd", "road", &[]),
    ("rds", "roads", &[]),
    ("rte", "route", &[]),
    ("row", "row", &[]),
    ("rue", "rue", &[]),
    ("run", "run", &[]),
    ("shl", "shoal", &[]),
    ("shls", "shoals", &[]),
    ("shr", "shore", &["shoar"]),
    ("shrs", "shores", &["shoars"]),
    ("skwy", "skyway", &[]),
    ("spg", "spring", &["spng", "sprng"]),
    ("spgs", "springs", &["spngs", "sprngs"]),
    ("spur", "spur", &["spurs"]),
    ("sq", "square", &["sqr", "sqre", "squ"]),
    ("sqs", "squares", &["sqrs"]),
    ("sta", "station", &["statn", "stn"]),
    ("stra", "stravenue", &["strav", "straven", "stravn", "strvn", "strvnue"]),
    ("strm", "stream", &["streme"]),
    ("st", "street", &["strt", "str"]),
    ("sts", "streets", &[]),
    ("smt", "summit", &["sumit", "sumitt"]),
    ("ter", "terrace", &["terr"]),
    ("trwy", "throughway", &[]),
    ("trce", "trace", &["traces"]),
    ("trak", "track", &["tracks", "trk", "trks"]),
    ("trfy", "trafficway", &[]),
    ("trl", "trail", &["trails", "trls", "tr"]),
    ("trlr", "trailer", &["trlrs"]),
    ("tunl", "tunnel", &["tunel", "tunls", "tunnels", "tunnl"]),
    ("tpke", "turnpike", &["trnpk", "turnpk", "tpk"]),
    ("upas", "underpass", &[]),
    ("un", "union", &[]),
    ("uns", "unions", &[]),
    ("vly", "valley", &["vally", "vlly"]),
    ("vlys", "valleys", &[]),
    ("via", "viaduct", &["vdct", "viadct"]),
    ("vw", "view", &[]),
    ("vws", "views", &[]),
    ("vlg", "village", &["vill", "villag", "villg", "villiage"]),
    ("vlgs", "villages", &[]),
    ("vl", "ville", &[]),
    ("vis", "vista", &["vist", "vst", "vsta"]),
    ("walk", "walk", &["walks"]),
    ("wall", "wall", &[]),
    ("way", "way", &["wy"]),
    ("ways", "ways", &[]),
    ("wl", "well", &[]),
    ("wls", "wells", &[]),
    ("chase", "chase", &[]),
    ("cutoff", "cutoff", &[]),
    ("pathway", "pathway", &["pthwy"]),
    ("pointe", "pointe", &[]),
    ("esplanade", "esplanade", &[]),
    ("promenade", "promenade", &[]),
    ("alt", "alternate", &[]),
];

/// A type of street, such as avenue.
#[derive(Debug)]
pub(super) struct StreetType {
    /// Standard abbreviation, such as `ave`.
    pub(super) short: &'static str,
    /// The whole word, such as `avenue`.
    pub(super) word: &'static str,
}

/// Every spelling with its type.
static SPELLINGS: LazyLock<FxHashMap<&'static str, StreetType>> = LazyLock::new(|| {
    let spellings = TYPES.iter().flat_map(|(short, word, others)| {
        others.iter().copied().chain([*short, *word]).map(|spelling| (spelling, StreetType { short, word }))
    });
    spellings.collect()
});

/// The street type that a word means in any of its usual spellings; `None` for other words.
pub(super) fn street_type(word: &str) -> Option<&'static StreetType> {
    SPELLINGS.get(word)
}

/// The standard abbreviation of the street type that a word means; `None` for other words.
pub(super) fn type_of(word: &str) -> Option<&'static str> {
    street_type(word).map(|kind| kind.short)
}

/// The types that people write most, to which a misspelled word may be corrected. Chosen, not measured.
const FREQUENT: [&str; 24] = [
    "ave", "blvd", "cir", "ct", "cv", "dr", "hwy", "lndg", "ln", "loop", "park", "pkwy", "pl", "plz", "rd",
    "rdg", "run", "sq", "st", "ter", "trce", "trl", "xing", "way",
];

/// The frequent types whose words are long enough for a slip, each with the letters of its word.
static CORRECTABLE: LazyLock<Vec<(u32, &'static StreetType)>> = LazyLock::new(|| {
    let types = FREQUENT.iter().filter_map(|short| street_type(short));
    types.filter(|kind| kind.word.len() >= 4).map(|kind| (letters_of(kind.word), kind)).collect()
});

/// The type that a misspelled word of four letters or more means; `None` if no frequent type is similar.
pub(super) fn misspelled_type_of(word: &str) -> Option<&'static str> {
    if word.len() < 4 || type_of(word).is_some() {
        return None;
    }
    let slips = if word.len() < 7 { 1 } else { 2 };
    let letters = letters_of(word);
    let may_be = |known: u32, kind: &StreetType| {
        letters_near(letters, known, slips as u32) && word.len().abs_diff(kind.word.len()) <= slips
    };
    let mut near = CORRECTABLE.iter().filter(|(known, kind)| may_be(*known, kind)).peekable();
    near.peek()?;
    let spelling = Spelling::new(word, slips)?;
    near.filter_map(|(_, kind)| Some((spelling.slips_to(kind.word)?, kind.short)))
        .min()
        .map(|(_, short)| short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_lead_to_one_type() {
        for (word, short) in [
            ("street", Some("st")),
            ("st", Some("st")),
            ("avenue", Some("ave")),
            ("av", Some("ave")),
            ("crossing", Some("xing")),
            ("parkways", Some("pkwy")),
            ("hertford", None),
        ] {
            assert_eq!(type_of(word), short, "{word}");
        }
        let count: usize =
            TYPES.iter().map(|(short, word, others)| others.len() + 1 + usize::from(short != word)).sum();
        assert_eq!(SPELLINGS.len(), count, "no spelling stands for two types");
        assert!(FREQUENT.iter().all(|short| type_of(short) == Some(short)));
    }

    #[test]
    fn slips_lead_to_a_type_too() {
        for (word, short) in [
            ("stret", Some("st")),
            ("sreet", Some("st")),
            ("avnue", None),
            ("avenu", None),
            ("raod", Some("rd")),
            ("dirve", Some("dr")),
            ("boulavard", Some("blvd")),
            ("main", None),
            ("coast", None),
            ("plain", None),
            ("str", None),
        ] {
            assert_eq!(misspelled_type_of(word), short, "{word}");
        }
    }
}
