//! Reads coordinates as people write them: decimal degrees, or degrees with minutes and seconds, with letters or words
//! beside them.

use std::ops::Range;

use crate::geometry::LonLat;

/// Maximum numbers of characters and tokens of a text that may be coordinates. `latitude: 44 degrees 58 minutes 38.28
/// seconds north, longitude: ...` has half of both.
const CHARS_MAX: usize = 160;
const TOKENS_MAX: usize = 40;
/// A full turn in degrees. A larger number is not a coordinate.
const DEGREES_MAX: f64 = 360.0;

/// Two numbers that are meant as a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    /// Degrees north; the first number if no letter or word labels the numbers.
    pub lat: f64,
    /// Degrees east; negative in the west.
    pub lon: f64,
    /// Whether letters or words say which number is the latitude. Without them, the latitude is the first number.
    pub is_labeled: bool,
}

impl Coordinates {
    /// Returns the points that the numbers may mean, the likelier first.
    pub fn points(self) -> impl Iterator<Item = LonLat> {
        let point = |lat, lon| LonLat::from_lat_lon(lat, lon).ok();
        let swapped = if self.is_labeled { None } else { point(self.lon, self.lat) };
        point(self.lat, self.lon).into_iter().chain(swapped)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    /// A number, and whether a minus stands before it.
    Number(f64, bool),
    /// The unit of the number before it: 0 degrees, 1 minutes, 2 seconds.
    Unit(u8),
    /// A compass letter or word, such as `N` or `west`.
    Letter(Letter),
    /// A word that names the coordinate, such as `latitude`.
    Label(Axis),
    Comma,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    Lat,
    Lon,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Letter {
    axis: Axis,
    is_negative: bool,
}

/// Reads a text of coordinates; `None` if it holds anything else.
pub(super) fn read(text: &str) -> Option<Coordinates> {
    if text.len() > 4 * CHARS_MAX || text.chars().count() > CHARS_MAX {
        return None;
    }
    let tokens = tokens(text)?;
    let (first, second) = halves(&tokens)?;
    let (first, second) = (Half::read(first)?, Half::read(second)?);
    let pair = |lat, lon, is_labeled| Some(Coordinates { lat, lon, is_labeled });
    match (first.axis, second.axis) {
        (None, None) => pair(first.degrees, second.degrees, false),
        (Some(Axis::Lat), Some(Axis::Lon) | None) | (None, Some(Axis::Lon)) => {
            pair(first.degrees, second.degrees, true)
        }
        (Some(Axis::Lon), Some(Axis::Lat) | None) | (None, Some(Axis::Lat)) => {
            pair(second.degrees, first.degrees, true)
        }
        _ => None,
    }
}

/// Maximum number of bytes between the two numbers of a pair within a sentence: `45.025° N, lon -93.95`.
const GAP_MAX: usize = 14;

/// Reads the first pair of coordinates within a sentence; `None` without a pair. Prices and acres are not
/// coordinates: they have fewer decimals and no sign.
pub(super) fn within(text: &str) -> Option<Coordinates> {
    let numbers = decimals(text);
    let is_pair = |pair: &&[Decimal]| {
        let is_exact = pair.iter().all(|number| number.decimals >= 3);
        pair[1].range.start - pair[0].range.end <= GAP_MAX
            && (is_exact || pair.iter().any(|number| number.is_negative))
    };
    let pairs = numbers.windows(2).filter(is_pair);
    pairs.map(|pair| pair[0].range.start..pair[1].range.end).find_map(|pair| {
        let behind = &text[pair.end..];
        let letter = behind.trim_start_matches(['°', ' ']);
        let end = text.len() - letter.len() + 1;
        let is_compass =
            letter.starts_with(['E', 'N', 'S', 'W']) && !letter[1..].starts_with(char::is_alphanumeric);
        read(if is_compass { &text[pair.start..end] } else { &text[pair] })
    })
}

/// A number with at least two decimals.
struct Decimal {
    range: Range<usize>,
    decimals: usize,
    is_negative: bool,
}

fn decimals(text: &str) -> Vec<Decimal> {
    let is_part = |letter: char| letter.is_ascii_digit() || ['.', '-', '−'].contains(&letter);
    let mut found = Vec::new();
    let mut from = 0;
    for token in text.split_inclusive(|letter: char| !is_part(letter)) {
        let number = token.trim_end_matches(|letter: char| !is_part(letter)).trim_end_matches('.');
        let unsigned = number.trim_start_matches(['-', '−']);
        let decimals = unsigned.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let is_number = unsigned.starts_with(|letter: char| letter.is_ascii_digit());
        if is_number && decimals >= 2 && !text[..from].ends_with(char::is_alphanumeric) {
            let range = from..from + number.len();
            found.push(Decimal { range, decimals, is_negative: unsigned.len() < number.len() });
        }
        from += token.len();
    }
    found
}

/// Splits a text into tokens; `None` if it holds anything else.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if tokens.len() >= TOKENS_MAX {
            return None;
        }
        let length = match first {
            '0'..='9' | '.' | '-' | '+' | '−' | '–' => {
                let (number, length) = number(rest)?;
                tokens.push(number);
                length
            }
            'a'..='z' | 'A'..='Z' => {
                let length = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
                tokens.extend(word(&rest[..length])?);
                length
            }
            _ => {
                let (token, length) = sign(rest)?;
                tokens.extend(token);
                length
            }
        };
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// Reads a number at the start; also returns how many bytes it takes.
fn number(text: &str) -> Option<(Token, usize)> {
    let unsigned = text.trim_start_matches(['-', '+', '−', '–']);
    let sign = &text[..text.len() - unsigned.len()];
    let digits = |letter: char| !letter.is_ascii_digit() && letter != '.';
    let length = unsigned.find(digits).unwrap_or(unsigned.len());
    let number = unsigned[..length].parse().ok()?;
    let is_negative = !sign.is_empty() && sign != "+";
    (sign.chars().count() <= 1).then_some((Token::Number(number, is_negative), sign.len() + length))
}

/// Reads a word beside coordinates: `Some(None)` for a known word without meaning, `None` for an unknown word.
fn word(text: &str) -> Option<Option<Token>> {
    let letter = |axis, is_negative| Token::Letter(Letter { axis, is_negative });
    Some(Some(match text.to_ascii_lowercase().as_str() {
        "n" | "north" => letter(Axis::Lat, false),
        "s" | "south" => letter(Axis::Lat, true),
        "e" | "east" => letter(Axis::Lon, false),
        "w" | "west" => letter(Axis::Lon, true),
        "lat" | "latitude" => Token::Label(Axis::Lat),
        "lon" | "lng" | "long" | "longitude" => Token::Label(Axis::Lon),
        "d" | "deg" | "degree" | "degrees" => Token::Unit(0),
        "m" | "min" | "minute" | "minutes" => Token::Unit(1),
        "sec" | "second" | "seconds" => Token::Unit(2),
        "and" | "gps" | "coordinates" => return Some(None),
        _ => return None,
    }))
}

/// Reads a sign between numbers, such as `°` or a comma; also returns how many bytes it takes.
fn sign(text: &str) -> Option<(Option<Token>, usize)> {
    const SECONDS: [&str; 5] = ["''", "\"", "″", "”", "’’"];
    const MINUTES: [&str; 4] = ["'", "′", "’", "`"];
    const DEGREES: [&str; 3] = ["°", "º", "˚"];
    for (unit, signs) in [(2, &SECONDS[..]), (1, &MINUTES), (0, &DEGREES)] {
        if let Some(sign) = signs.iter().find(|sign| text.starts_with(**sign)) {
            return Some((Some(Token::Unit(unit)), sign.len()));
        }
    }
    let first = text.chars().next()?;
    let token = match first {
        ',' | ';' | '/' | '|' => Some(Token::Comma),
        ':' | '=' | '(' | ')' | '[' | ']' | '@' => None,
        _ => return None,
    };
    Some((token, first.len_utf8()))
}

/// Splits the tokens into those of the two coordinates; `None` if the place to split is unclear.
fn halves(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let places = |is: fn(&Token) -> bool| -> Vec<usize> {
        tokens.iter().enumerate().filter(|(_, token)| is(token)).map(|(at, _)| at).collect()
    };
    let labels = places(|token| matches!(token, Token::Label(_)));
    let letters = places(|token| matches!(token, Token::Letter(_)));
    let marks = if labels.len() == 2 { &labels } else { &letters };
    if let [first, second] = marks[..] {
        // Letters and labels stand either before their numbers or behind them.
        let at = if first == 0 { second } else { first + 1 };
        return Some(tokens.split_at(at));
    }
    let commas = places(|token| *token == Token::Comma);
    if let [at] = commas[..] {
        return Some((&tokens[..at], &tokens[at + 1..]));
    }
    let numbers = places(|token| matches!(token, Token::Number(..)));
    let degrees = places(|token| *token == Token::Unit(0));
    match (&numbers[..], &degrees[..]) {
        ([_, second], _) => Some(tokens.split_at(*second)),
        (_, [_, second]) => Some(tokens.split_at(second.checked_sub(1)?)),
        _ => None,
    }
}

/// One coordinate, read from its half of the tokens.
struct Half {
    degrees: f64,
    axis: Option<Axis>,
}

impl Half {
    fn read(tokens: &[Token]) -> Option<Half> {
        let (mut degrees, mut is_negative, mut count) = (0.0, false, 0_u8);
        let (mut letter, mut label): (Option<Letter>, Option<Axis>) = (None, None);
        for token in tokens {
            match *token {
                Token::Number(number, minus) => {
                    let is_part = count > 0;
                    if count > 2 || (is_part && (minus || number >= 60.0 || has_fraction(degrees, count))) {
                        return None;
                    }
                    is_negative |= minus;
                    degrees += number / [1.0, 60.0, 3600.0][usize::from(count)];
                    count += 1;
                }
                Token::Unit(unit) if unit + 1 == count => {}
                Token::Letter(read) if letter.is_none() => letter = Some(read),
                Token::Label(read) if label.is_none() => label = Some(read),
                Token::Comma => {}
                _ => return None,
            }
        }
        let axis = letter.map(|letter| letter.axis);
        let is_contradictory = axis.is_some() && label.is_some() && axis != label;
        // ZIP codes and house numbers are not degrees. A number up to 360 may be a mistake, which a later error
        // explains.
        if count == 0 || is_contradictory || degrees > DEGREES_MAX {
            return None;
        }
        // "-93.26 W" means west: sign and letter do not cancel each other.
        let is_negative = is_negative || letter.is_some_and(|letter| letter.is_negative);
        let degrees = if is_negative { -degrees } else { degrees };
        Some(Half { degrees, axis: axis.or(label) })
    }
}

/// Whether the number read last has a fraction, so that no number may follow it. `degrees` is the sum of `count`
/// numbers so far.
fn has_fraction(degrees: f64, count: u8) -> bool {
    let scale = [1.0, 60.0][usize::from(count.min(2)) - 1];
    let units: f64 = degrees * scale;
    (units - units.round()).abs() > 1e-9
}
