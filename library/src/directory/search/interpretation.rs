//! Lists the meanings of a text: a name, perhaps followed by its state and its county.

use super::spanish::SPANISH_LEGAL;
use crate::vocabulary::{
    Folded, LegalWord, Spelling, StateCode, key_of, name_key, short_form, state_called, without_country,
    written_out, zip_at_end,
};

/// Number of words of the longest state name, as folded: U.S. Virgin Islands.
pub(super) const STATE_WORDS_MAX: usize = 4;
/// Maximum number of words in a county name that is recognized without a comma before it. The legal word counts.
/// Chosen, not measured.
const COUNTY_WORDS_MAX: usize = 4;
/// One way to read a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interpretation<'t> {
    /// Folded words of the name.
    pub(super) words: Vec<&'t str>,
    /// The state that the place must lie in, if the reading has one.
    pub(super) state: Option<StateCode>,
    /// Key of the county that the place must lie in, if the reading has one.
    pub(super) county: Option<String>,
}

/// A text whose parts between commas were folded.
#[derive(Debug)]
pub(super) struct Text {
    parts: Vec<Folded>,
    /// The parts, with the short forms in the name written out; `None` without short forms.
    written_out: Option<Vec<Folded>>,
    /// The last word as it was written, if it is a short form that may also begin a longer word.
    short_end: Option<&'static str>,
    /// Whether "mount" was written as "MT", which may mean Montana.
    has_mt: bool,
}

impl Text {
    pub(super) fn new(text: &str) -> Text {
        let folded = text.split(',').take(8).map(Folded::of).map(without_spanish);
        let mut parts: Vec<Folded> = folded.filter(|part| !part.is_empty()).collect();
        let last = parts.last().and_then(|part| part.words().next_back());
        let written = |short: &&str| {
            let end = text.len().checked_sub(short.len()).and_then(|at| text.get(at..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(short))
        };
        let short_end = last.and_then(short_form).filter(written);
        drop_country(&mut parts);
        let mut written = text.split(|char: char| !char.is_alphanumeric());
        let has_mount = parts.iter().any(|part| part.as_str().contains("mount"));
        let has_mt = has_mount && written.any(|word| word.eq_ignore_ascii_case("mt"));
        Text { has_mt, short_end, written_out: name_written_out(&parts), parts }
    }

    /// The state that the whole text names.
    pub(super) fn state(&self) -> Option<StateCode> {
        let words = self.words();
        state_named(&words).filter(|_| words != ["mount"] || self.has_mt)
    }

    /// The state whose name is spelled most similarly to the whole text.
    pub(super) fn misspelled_state(&self) -> Option<StateCode> {
        most_similar_state(&self.words()).map(|(_, state)| state)
    }

    /// The text with a misspelled state after its name corrected, as in "denver colarado". `None` if no state is
    /// misspelled.
    pub(super) fn with_corrected_state(&self) -> Option<Text> {
        let words = self.words();
        let longest = words.len().saturating_sub(1).min(STATE_WORDS_MAX);
        let near = (1..=longest).rev().find_map(|count| {
            let (name, state) = words.split_at(words.len() - count);
            Some((name, most_similar_state(state)?))
        });
        let (name, (slips, state)) = near?;
        (slips > 0).then(|| Text::new(&format!("{}, {}", name.join(" "), state.name())))
    }

    /// The key of the whole text, with its last word unexpanded. `None` if that word is not a short form.
    pub(super) fn as_written(&self) -> Option<String> {
        let mut words = self.words();
        *words.last_mut()? = self.short_end?;
        Some(key_of(&words))
    }

    pub(super) fn words(&self) -> Vec<&str> {
        self.parts.iter().flat_map(Folded::words).collect()
    }

    /// All readings, the plainest first: as a name, then as a name with its state, each perhaps with a county. Then
    /// come the same readings with short forms written out.
    pub(super) fn interpretations(&self, state: Option<StateCode>) -> Vec<Interpretation<'_>> {
        let mut interpretations = Vec::with_capacity(4);
        for parts in [Some(&self.parts), self.written_out.as_ref()].into_iter().flatten() {
            let parts: Vec<Vec<&str>> = parts.iter().map(|part| part.words().collect()).collect();
            self.add_interpretations(&parts, state, &mut interpretations);
        }
        interpretations
    }

    fn add_interpretations<'t>(
        &self,
        parts: &[Vec<&'t str>],
        state: Option<StateCode>,
        interpretations: &mut Vec<Interpretation<'t>>,
    ) {
        let Some(last) = parts.last() else { return };
        let stated = |count: usize| {
            let named = self.state_meant(&last[last.len() - count..])?;
            state.is_none_or(|state| state == named).then_some((count, named))
        };
        let own_part = parts.len() > 1 && self.state_meant(last).is_some();
        if !own_part {
            add(interpretations, parts, state);
        }
        // "Charleston, West Virginia" is not Charleston West in Virginia: a part between commas that names a state is
        // not divided.
        let fewest = if own_part { last.len() } else { 1 };
        for (count, state) in (fewest..=last.len().min(STATE_WORDS_MAX)).rev().filter_map(stated) {
            let mut parts = parts.to_vec();
            let last = parts.last_mut().map(|last| {
                last.truncate(last.len() - count);
                last.is_empty()
            });
            if last == Some(true) {
                parts.pop();
            }
            add(interpretations, &parts, Some(state));
        }
    }

    /// The state after a name, as a part of its own or as a code in capitals. `text` still has its capitals.
    pub(super) fn state_at_end(&self, text: &str) -> Option<StateCode> {
        let last: Vec<&str> = self.parts.last()?.words().collect();
        if self.parts.len() > 1
            && let Some(state) = self.state_meant(&last)
        {
            return Some(state);
        }
        let code = self.state_meant(&last[last.len().checked_sub(1)?..])?;
        let mut written = text.split(|char: char| !char.is_alphanumeric());
        written.any(|word| word == code.usps()).then_some(code)
    }

    /// The state that words after a name mean; `None` if they are not a state.
    fn state_meant(&self, words: &[&str]) -> Option<StateCode> {
        // "Rocky Mount" is not Rocky in Montana.
        let is_mount = words == ["mount"] && !self.has_mt;
        if is_mount { None } else { state_folded(words).map(|(state, _)| state) }
    }
}

/// The state that the text of these readings names, or that was given with it.
pub(super) fn stated(interpretations: &[Interpretation<'_>]) -> Option<StateCode> {
    interpretations.iter().find_map(|interpretation| interpretation.state)
}

/// The part with a Spanish word for a kind of government replaced by the English word: "condado de Harris" is "county
/// of Harris". The word for a state is removed: "estado de Texas", "State of Utah".
fn without_spanish(part: Folded) -> Folded {
    let words: Vec<&str> = part.words().collect();
    let words = words.strip_prefix(&["el"]).or(words.strip_prefix(&["la"])).unwrap_or(&words);
    if let ["estado", "de", name @ ..] | ["state", "of", name @ ..] = words
        && state_named(name).is_some()
    {
        return Folded::of(&name.join(" "));
    }
    let [word, "de", name @ ..] = words else { return part };
    match SPANISH_LEGAL.iter().find(|(spanish, _)| spanish == word) {
        Some((_, english)) if !name.is_empty() => Folded::of(&format!("{english} of {}", name.join(" "))),
        _ => part,
    }
}

/// Removes the country and the ZIP code after a name.
fn drop_country(parts: &mut Vec<Folded>) {
    while let Some(last) = parts.last() {
        let words: Vec<&str> = last.words().collect();
        let rest = without_country(&words).or_else(|| zip_at_end(&words).map(|(rest, _)| rest));
        let Some(rest) = rest.filter(|rest| !rest.is_empty() || parts.len() > 1) else { return };
        let rest = Folded::of(&rest.join(" "));
        parts.pop();
        parts.extend(Some(rest).filter(|rest| !rest.is_empty()));
    }
}

/// The parts with the short forms of the name written out; `None` without short forms.
fn name_written_out(parts: &[Folded]) -> Option<Vec<Folded>> {
    let (name, rest) = parts.split_first()?;
    let words = written_out(&name.words().collect::<Vec<_>>())?;
    Some([&[Folded::of(&words.join(" "))], rest].concat())
}

/// Adds the parts as one name. Several parts also become a reading with the last part as the county of the rest.
fn add<'t>(interpretations: &mut Vec<Interpretation<'t>>, parts: &[Vec<&'t str>], state: Option<StateCode>) {
    let words: Vec<&str> = parts.iter().flatten().copied().collect();
    if words.is_empty() {
        return;
    }
    let without_the = words.strip_prefix(&["the"]).filter(|rest| !rest.is_empty()).map(<[&str]>::to_vec);
    // "The Bronx" is tried before "Bronx".
    for words in [Some(words), without_the].into_iter().flatten() {
        interpretations.push(Interpretation { words, state, county: None });
    }
    if let [name @ .., county] = parts
        && !name.is_empty()
    {
        let words = name.iter().flatten().copied().collect();
        interpretations.push(Interpretation { words, state, county: Some(key_of(county)) });
    }
}

/// Further readings, for a text whose usual readings name nothing. The state may come first ("CO Aurora"), or the
/// county may follow a name without a comma ("Medfield Norfolk County").
pub(super) fn unusual<'t>(interpretations: &[Interpretation<'t>]) -> Vec<Interpretation<'t>> {
    let whole = interpretations.iter().filter(|interpretation| interpretation.county.is_none());
    whole
        .flat_map(|interpretation| state_first(interpretation).into_iter().chain(county_last(interpretation)))
        .collect()
}

fn state_first<'t>(interpretation: &Interpretation<'t>) -> Option<Interpretation<'t>> {
    (1..interpretation.words.len().min(STATE_WORDS_MAX + 1)).rev().find_map(|count| {
        let (first, words) = interpretation.words.split_at(count);
        let named =
            state_named(first).filter(|named| interpretation.state.is_none_or(|state| state == *named))?;
        Some(Interpretation { words: words.to_vec(), state: Some(named), county: None })
    })
}

fn county_last<'r, 't>(
    interpretation: &'r Interpretation<'t>,
) -> impl Iterator<Item = Interpretation<'t>> + use<'r, 't> {
    let words = &interpretation.words;
    let has_county = matches!(words.last(), Some(&("county" | "parish" | "borough")));
    let longest = if has_county { COUNTY_WORDS_MAX.min(words.len().saturating_sub(1)) } else { 0 };
    (2..=longest).map(|count| {
        let (name, county) = words.split_at(words.len() - count);
        Interpretation { words: name.to_vec(), state: interpretation.state, county: Some(key_of(county)) }
    })
}

impl Interpretation<'_> {
    /// The key for comparing the name with other names.
    pub(super) fn key(&self) -> String {
        key_of(&self.words)
    }

    /// The keys of the name without a legal word, each with the word that was removed.
    pub(super) fn without_legal_word(&self) -> impl Iterator<Item = (String, LegalWord)> {
        LegalWord::splits(&self.words).map(|(name, word)| (key_of(name), word))
    }

    /// Whether the last word is a legal word that may also be the state: "Boulder, CO".
    pub(super) fn may_end_in_state(&self) -> bool {
        self.words.len() > 1 && self.words.last() == Some(&"co")
    }
}

/// The state with the most similar name, and the number of slips in its spelling.
fn most_similar_state(words: &[&str]) -> Option<(usize, StateCode)> {
    let key = key_of(words);
    let spelling = Spelling::new(&key, Spelling::slips_for(&key))?;
    let slips = |state: StateCode| spelling.slips_to(&name_key(state.name()));
    StateCode::all().filter_map(|state| Some((slips(state)?, state))).min()
}

/// The state with this code or name; abbreviations such as `mich` are not accepted.
fn state_named(words: &[&str]) -> Option<StateCode> {
    state_folded(words).filter(|(_, is_abbreviation)| !is_abbreviation).map(|(state, _)| state)
}

/// The state with this code, name or abbreviation, and whether it is an abbreviation. Folding turns "MT" into "mount",
/// which is undone here.
fn state_folded(words: &[&str]) -> Option<(StateCode, bool)> {
    state_called(if words == ["mount"] { &["mt"] } else { words })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(interpretation: &Interpretation<'_>) -> String {
        let state = interpretation.state.map(|state| format!(" {state}")).unwrap_or_default();
        let county = interpretation.county.iter().map(|county| format!(" in {county}"));
        format!("{}{state}{}", interpretation.words.join(" "), county.collect::<String>())
    }

    #[test]
    fn texts_are_read_in_all_ways() {
        for (text, state, expected) in [
            ("Springfield", None, &["springfield"][..]),
            ("Springfield, IL", None, &["springfield IL"]),
            ("Springfield Illinois", None, &["springfield illinois", "springfield IL"]),
            ("springfield il", Some("IL"), &["springfield il IL", "springfield IL"]),
            ("Springfield, IL", Some("MO"), &[]),
            ("Billings, MT", None, &["billings MT"]),
            ("Rocky Mount", None, &["rocky mount"]),
            ("Billings, M.T.", None, &["billings MT"]),
            ("Billings, MT, USA", None, &["billings MT"]),
            ("Billings mt", None, &["billings mount", "billings MT"]),
            ("Miami, Fla.", None, &["miami FL"]),
            ("Grand Rapids Mich", None, &["grand rapids mich", "grand rapids MI"]),
            ("Charleston, W. Va.", None, &["charleston WV"]),
            ("Austin, TX 78701-1234, USA", None, &["austin TX"]),
            ("Austin 78701", None, &["austin"]),
            ("78701", None, &["78701"]),
            ("United States", None, &["united states"]),
            ("N. Las Vegas", None, &["n las vegas", "north las vegas"]),
            ("New York", None, &["new york"]),
            ("York, New York", None, &["york NY"]),
            ("West Virginia", None, &["west virginia", "west VA"]),
            (
                "Springfield township, Bucks County, Pennsylvania",
                None,
                &["springfield township bucks county PA", "springfield township PA in buckscounty"],
            ),
            (
                "Springfield, Bucks County",
                Some("PA"),
                &["springfield bucks county PA", "springfield PA in buckscounty"],
            ),
            ("St. Croix, U.S. Virgin Islands", None, &["saint croix VI"]),
            ("St. Croix, Virgin Islands", None, &["saint croix VI"]),
            ("The Bronx", None, &["the bronx", "bronx"]),
            ("condado de Harris", None, &["county of harris"]),
            ("el Condado de Harris, Texas", None, &["county of harris TX"]),
            ("Ciudad de Hialeah", None, &["city of hialeah"]),
            ("El Paso", None, &["el paso"]),
            ("TX", None, &["tx"]),
            (", ,", None, &[]),
        ] {
            let text = Text::new(text);
            let interpretations = text.interpretations(state.map(|state| state.parse().unwrap()));
            let shown: Vec<String> = interpretations.iter().map(shown).collect();
            assert_eq!(shown, expected, "{text:?}");
        }
    }

    #[test]
    fn the_state_of_a_name_is_read() {
        for (text, expected) in [
            ("Travis County, TX", Some(("TX", false))),
            ("Travis County, Texas 78701, USA", Some(("TX", false))),
            ("Austin TX", Some(("TX", false))),
            ("Austin TX 78701", Some(("TX", false))),
            ("Billings MT", Some(("MT", false))),
            ("Billings, Mont.", Some(("MT", false))),
            ("Texas", Some(("TX", true))),
            ("vt", Some(("VT", true))),
            ("West Virginia", Some(("WV", true))),
            ("Rocky Mount", None),
            ("Lake Washington", None),
            ("Boulder Co", None),
            ("Austin", None),
            ("78701", None),
            (", ,", None),
            ("", None),
        ] {
            let found = crate::directory::state_in_name(text);
            assert_eq!(found.map(|(state, is_whole)| (state.usps(), is_whole)), expected, "{text:?}");
        }
    }

    #[test]
    fn a_misspelled_state_after_a_name_is_corrected() {
        for (text, expected) in [
            ("denver colarado", Some("denver CO")),
            ("Clevland, Ohoi", Some("clevland OH")),
            ("bufalo new yrok", Some("bufalo NY")),
            ("Charleston west virgina", Some("charleston WV")),
            ("Denver Colorado", None),
            ("Colarado", None),
            ("mary smith", None),
        ] {
            let text = Text::new(text);
            let right = text.with_corrected_state();
            let first = right.as_ref().and_then(|text| text.interpretations(None).first().map(shown));
            assert_eq!(first.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn unusual_ways_are_tried_last() {
        for (text, expected) in [
            ("CO Aurora", &["aurora CO"][..]),
            ("new york buffalo", &["buffalo NY"]),
            ("texas", &[]),
            ("Medfield Norfolk County MA", &["medfield MA in norfolkcounty"]),
            ("Hennepin County", &[]),
            ("Austin", &[]),
        ] {
            let text = Text::new(text);
            let shown: Vec<String> = unusual(&text.interpretations(None)).iter().map(shown).collect();
            assert_eq!(shown, expected, "{text:?}");
        }
    }

    #[test]
    fn a_short_form_at_the_end_may_be_a_start() {
        for (text, written) in [
            ("St", Some("st")),
            ("north st", Some("northst")),
            ("Saint", None),
            ("St. Paul", None),
            ("St.", None),
        ] {
            assert_eq!(Text::new(text).as_written().as_deref(), written, "{text}");
        }
    }
}
