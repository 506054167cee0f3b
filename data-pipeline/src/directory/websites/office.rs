//! Recognizes the words that name an office, and those that mean the whole government.

use platbook::vocabulary::{Function, FunctionSet, StateCode};

use super::words::state_words;

/// The meaning of the words beside a government's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The government as a whole.
    Whole,
    /// An office that often keeps the government's site: its computer office, or its elected head.
    Keeper,
    /// An office with a property job: its functions and its title.
    Office(FunctionSet, String),
    /// Another office, with the reason why its site is left out.
    Other(&'static str),
    /// Words that are in no list.
    Unknown,
}

/// Words that mean the whole government.
const WHOLE: &str = " a the of and for in board boards commissioners commissioner supervisors supervisor commission \
    council councils government center county counties city town village borough township parish bocc boc courthouse \
    administration legislature freeholders select selectmen selectboard selectmens executive incorporated inc municipal \
    municipality municipio municipal corporation corp consolidated unified metropolitan metro urban charter trustees \
    general local office offices hall website de at site official page home homepage mayor aldermen trustee ";

/// Words of offices that often keep the government's site.
const KEEPERS: &str = " information technology technologies services service system systems it mis ois dio gis data \
    processing computer department division manager managers administrator administrators judge judges judgeexecutive clerk \
    clerks auditor auditors web management support network innovation communications ";

/// Words of other offices with the reason for leaving them out. They count as words of an organization, and
/// as parts of an address.
const OTHERS: [(&str, &str); 9] = [
    (
        "sheriff sheriffs police jail corrections detention constable marshal patrol deputies",
        "sheriff or police",
    ),
    (
        "court courts judicial probate attorney attorneys prosecutor prosecutors prosecuting defender magistrate justice juvenile bar law da districtattorney superior circuit",
        "court or attorney",
    ),
    (
        "election elections elect electoral voter voters vote votes voting boe soe boi boee registrar ballot ballots",
        "elections",
    ),
    (
        "911 e911 dispatch emergency fire rescue ema oem oes ems ecc firefighters ambulance eoc ready alert alerts safety",
        "emergency services",
    ),
    (
        "health hospital medical mental clinic nursing human social hhs dhs behavioral wellness wic family families babies care children aging senior seniors",
        "health or social services",
    ),
    (
        "school schools academy college university isd education educational boces library libraries lib museum",
        "school, library or museum",
    ),
    (
        "tourism visit visitors convention cvb travel parks recreation zoo events event festival promotion fairgrounds fair arts art",
        "tourism or recreation",
    ),
    (
        "utility utilities water sewer sanitary power electric light gas cable broadband airport airports transit transportation port housing landfill recycling waste solid sanitation drainage flood conservation energy",
        "utility, transport or public works",
    ),
    (
        "district authority association foundation coalition league cooperative regional agency veterans coroner engineer engineers roads highway development economic extension agricultural retirement employees dmv drive drives workforce recycle jobs archives animal cemetery communications",
        "another body or office",
    ),
];

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// Judges the words of an organization without the government's name.
pub(super) fn part(rest: &[String], state: StateCode) -> Part {
    let text = rest.join(" ");
    let text = [
        "fiscal court",
        "levy court",
        "police jury",
        "quorum court",
        "court house",
        "commissioners court",
        "county court commission",
    ]
    .iter()
    .fold(text, |text, words| text.replace(words, "board"));
    if text.contains("appraisal district") {
        return Part::Other("an appraisal district, a body of its own");
    }
    let left: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let functions = functions(&left, state);
    let states = state_words(state);
    let known = |list: &str, word: &&str| is_in(list, word) || states.iter().any(|state| state == word);
    let usual = |word: &&str| known(WHOLE, word) || is_in(TITLE, word) || is_in(KEEPERS, word);
    if !functions.is_empty() && left.iter().all(usual) {
        return Part::Office(functions, title(&left));
    }
    if let Some((_, reason)) =
        OTHERS.iter().find(|(list, _)| left.iter().any(|word| *word != "communications" && is_in(list, word)))
    {
        return Part::Other(reason);
    }
    if left.iter().all(|word| known(WHOLE, word)) {
        Part::Whole
    } else if left.iter().all(|word| known(WHOLE, word) || is_in(KEEPERS, word)) {
        Part::Keeper
    } else {
        Part::Unknown
    }
}

/// The property jobs that the words name.
fn functions(words: &[&str], state: StateCode) -> FunctionSet {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let tax = has("tax taxes");
    let mut set = FunctionSet::default();
    if has("assessor assessors assessment assessments appraiser appraisers appraisal pva") || has("valuation")
    {
        set.insert(Function::Assessment);
    }
    if has("treasurer treasurers collector collectors")
        || (has("trustee") && state.usps() == "TN")
        || (tax && has("commissioner office department bureau"))
    {
        set.insert(Function::TaxCollection);
    }
    if has("revenue") && has("commissioner commissioners") {
        set.insert(Function::Assessment);
        set.insert(Function::TaxCollection);
    }
    if has("recorder recorders deeds") {
        set.insert(Function::Recording);
    }
    if has("zoning") || (has("planning") && !has("health")) {
        set.insert(Function::Zoning);
    }
    if has("permits permitting") || (has("building") && has("department inspections inspection codes")) {
        set.insert(Function::Permits);
    }
    if has("gis mapping") && !has("information technology") {
        set.insert(Function::Gis);
    }
    set
}

/// Words that belong in a title.
const TITLE: &str = " assessor assessors assessment appraiser appraisers property appraisal valuation administrator treasurer \
    treasurers collector collectors tax taxes trustee commissioner revenue recorder recorders register registry deeds \
    zoning planning permits permitting building inspections gis mapping department board commission and clerk auditor controller office of ";

/// The title in the source's words, without words that do not name an office.
fn title(words: &[&str]) -> String {
    let mut kept: Vec<&str> = words.iter().copied().filter(|word| is_in(TITLE, word)).collect();
    while kept.first().is_some_and(|word| is_in("of and office", word)) {
        kept.remove(0);
    }
    while kept.last().is_some_and(|word| is_in("of and", word))
        || (kept.len() > 1 && kept.last() == Some(&"office") && kept[kept.len() - 2] != "tax")
    {
        kept.pop();
    }
    let word = |word: &&str| match *word {
        "gis" => "GIS".to_owned(),
        "pva" => "PVA".to_owned(),
        "and" | "of" => (*word).to_owned(),
        // A plural from a possessive ("Assessor's Office") becomes singular, except for a board of assessors.
        "assessors" | "appraisers" | "recorders" | "collectors" | "treasurers"
            if !words.contains(&"board") =>
        {
            capital(word.trim_end_matches('s'))
        }
        other => capital(other),
    };
    kept.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Short forms of other offices. They count only if they are a whole piece of an address.
const SHORT: &str = " pd so fd da lib wic ems ema oem hd sd isd fire court jail jp ctc cre hcs psc bh dss ";

/// Words of other offices that count anywhere in an address.
const ANYWHERE: &str = " sheriff police jail corrections detention constable court courts judicial probate attorney prosecutor \
    defender magistrate juvenile election elections elect voter voters vote votes vota registrar 911 alert dispatch emergency fire rescue \
    health hospital medical mental clinic wellness school schools academy college university education library museum \
    tourism visit parks recreation events festival fairgrounds utility utilities sewer electric broadband airport transit \
    housing landfill recycling district authority coalition regional veterans coroner engineer roads development \
    retirement dmv drives workforce archives ";

/// The meaning of a piece of an address beside the government's name.
pub(super) fn piece(piece: &str) -> Part {
    let function = |part: &str, function: Function, title: &str| {
        piece.contains(part).then(|| Part::Office([function].into_iter().collect(), title.to_owned()))
    };
    let other =
        |list: &str| list.split_whitespace().any(|word| is_in(ANYWHERE, word) && piece.contains(word));
    if let Some((_, reason)) = OTHERS.iter().find(|(list, _)| other(list) || is_in(list, piece)) {
        return Part::Other(reason);
    }
    if piece.contains("911") || is_in(SHORT, piece) {
        return Part::Other("another body or office");
    }
    function("assessor", Function::Assessment, "Assessor")
        .or_else(|| function("apprais", Function::Assessment, "Appraiser"))
        .or_else(|| function("treasurer", Function::TaxCollection, "Treasurer"))
        .or_else(|| function("collector", Function::TaxCollection, "Collector"))
        .or_else(|| function("recorder", Function::Recording, "Recorder"))
        .or_else(|| function("deeds", Function::Recording, "Register of Deeds"))
        .or_else(|| function("zoning", Function::Zoning, "Zoning"))
        .or_else(|| function("permits", Function::Permits, "Permits"))
        .or_else(|| {
            (piece == "gis").then(|| Part::Office([Function::Gis].into_iter().collect(), "GIS".to_owned()))
        })
        .or_else(|| piece.contains("clerk").then_some(Part::Other("clerk, whose land records are not named")))
        .or_else(|| piece.contains("auditor").then_some(Part::Other("another body or office")))
        .unwrap_or(Part::Unknown)
}
