//! The words of tags, and what they mean (`data/events/lexicon.csv`).
//!
//! The file is sorted. Its columns are:
//!
//! - `word`: in lower case. A word with diacritics is one that the reader finds before it folds
//!   the tag. Words with spaces follow each other in the tag;
//!   `blitz*` is the beginning of a word, `*liga` its end.
//! - `language`: the code of the language from which it is;
//! - `class`: who reads it (see [`Class`]);
//! - `meaning`: what it means in this class;
//! - `from`, `to`: the years in which it has this meaning; mostly empty;
//! - `country`: the code of the only country in which it has this meaning; mostly empty.

use std::str::FromStr;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use strum::EnumString;

/// The classes of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Class {
    /// `tourn`, with the words that a name says instead.
    Abbreviation,
    /// `jr`: the words before `Championship` in a name.
    Adjective,
    /// `sen`: the age of the players.
    Age,
    /// `euro`: the adjective of a continent, which has championships like a country.
    Continent,
    /// `bob`: a short or national form of a given name, with the name for which it stands.
    Given,
    /// `international`: words that many events have. Their meaning is where they count for nothing.
    Generic,
    /// `ch`: what a federation holds.
    Kind,
    /// `hauptturnier`: the mark in the identifier of an event. Identifiers are permanent, so these
    /// do not follow from the other classes.
    Mark,
    /// `ics`: a word of an EventType or Mode tag, with the flag that it sets.
    Mode,
    /// `august`: the number of a month.
    Month,
    /// `copa`: a noun that follows the name of the event in English.
    Noun,
    /// `acp`: its letters are no code of a country.
    Organisation,
    /// `gm`: a `title` before or after a player's name, or the code of a `country` there. A `code`
    /// is one in capitals only, because it is also a name.
    Person,
    /// `tie-break`: the games after the event proper.
    PlayOff,
    /// `stockfish`: a word in the name of a player.
    Program,
    /// `runde`: a word next to the `number` of a round or game in an Event tag.
    Round,
    /// `gcl`: a series of events that is `rapid`, a stage of the world championship's `cycle`, or
    /// another name of a series in some years.
    Series,
    /// A server that has a `site`, on which players `play` or which has a `broadcast`; or the name
    /// that a server gives to a `game` or a `tournament`.
    Server,
    /// `frauen`: the sex of the players.
    Sex,
    /// `row`: a side in a match of teams that is no country.
    Side,
    /// `candidats`: a misprint, or a spelling with a hyphen.
    Spelling,
    /// `sf`: a part of an event.
    Stage,
    /// `bundesliga`: a competition of teams for `certain`, or `doubtful`; `world`: a side like a
    /// `country`; `cis`: a `union`, whose matches are no evidence of teams.
    Team,
    /// `blixt*`: a tempo, or another way to play that is not rated.
    Tempo,
    /// `monday`: the number of a day of the week, from Monday.
    Weekday,
}

/// The classes with the words that a name says instead. A kind is one of them where it also is an
/// abbreviation: `sf` is a `Semifinal`, though `RUS-sf` is a `Championship Semifinal`.
const WRITTEN: [Class; 7] = [
    Class::Abbreviation,
    Class::Age,
    Class::Organisation,
    Class::Series,
    Class::Sex,
    Class::Stage,
    Class::Tempo,
];

/// A row of the lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The word, the words or the pattern.
    pub word: &'static str,
    /// The class.
    pub class: Class,
    /// What it means.
    pub meaning: &'static str,
    /// The first and the last year in which it has this meaning.
    pub years: (Option<i16>, Option<i16>),
    /// The code of the only country in which it has this meaning; mostly empty.
    pub country: &'static str,
}

impl Entry {
    fn parse(line: &'static str) -> Option<Entry> {
        let fields: Vec<&str> = line.split(',').collect();
        let [word, _language, class, meaning, from, to, country] = fields[..] else { return None };
        let class = Class::from_str(class).ok()?;
        Some(Entry { word, class, meaning, years: (from.parse().ok(), to.parse().ok()), country })
    }

    /// Returns whether the word has this meaning in some years only.
    pub fn is_dated(&self) -> bool {
        self.years != (None, None)
    }

    /// Returns whether the word has this meaning in a year and in a country. In an unknown year
    /// only the words of all years have theirs.
    pub fn applies(&self, year: Option<i16>, country: &str) -> bool {
        let (from, to) = self.years;
        let is_of_year = !self.is_dated()
            || year.is_some_and(|year| {
                from.is_none_or(|from| from <= year) && to.is_none_or(|to| year <= to)
            });
        is_of_year && (self.country.is_empty() || self.country == country)
    }

    /// Returns whether the words of the row are the first of these.
    fn begins(&self, words: &[String]) -> bool {
        let mut own = self.word.split(' ').enumerate();
        own.all(|(place, own)| words.get(place).is_some_and(|word| word == own))
    }
}

/// The rows by their first word, and those with a pattern.
struct Lexicon {
    rows: Vec<Entry>,
    by_first_word: FxHashMap<&'static str, Vec<Entry>>,
    /// The meanings of the words that are given names.
    given: FxHashMap<&'static str, Vec<&'static str>>,
    patterns: Vec<Entry>,
}

const TABLE: &str = include_str!("../../../../data/events/lexicon.csv");

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let rows: Vec<Entry> = TABLE.lines().skip(1).filter_map(Entry::parse).collect();
    let mut by_first_word: FxHashMap<&'static str, Vec<Entry>> = FxHashMap::default();
    let mut given: FxHashMap<&'static str, Vec<&'static str>> = FxHashMap::default();
    let mut patterns: Vec<Entry> = Vec::new();
    for &row in &rows {
        if row.class == Class::Given {
            given.entry(row.word).or_default().push(row.meaning);
        }
        if row.word.contains('*') {
            patterns.push(row);
        } else {
            let first = row.word.split(' ').next().unwrap_or_default();
            by_first_word.entry(first).or_default().push(row);
        }
    }
    Lexicon { rows, by_first_word, given, patterns }
});

/// Returns all rows of a class.
pub fn rows_of(class: Class) -> impl Iterator<Item = &'static Entry> {
    LEXICON.rows.iter().filter(move |row| row.class == class)
}

/// Returns the rows of a word, or of several with spaces between them, in lower case.
pub fn rows(word: &str) -> impl Iterator<Item = &'static Entry> {
    let first = word.split_once(' ').map_or(word, |(first, _)| first);
    let rows = LEXICON.by_first_word.get(first).map_or(&[][..], Vec::as_slice);
    rows.iter().filter(move |row| row.word == word)
}

/// Returns the given names for which a given name stands: `robert` for `bob`.
pub fn given_names_of(word: &str) -> &'static [&'static str] {
    LEXICON.given.get(word).map_or(&[], Vec::as_slice)
}

/// Returns the meaning of a word in a class, in any year.
pub fn meaning(class: Class, word: &str) -> Option<&'static str> {
    rows(word).find(|row| row.class == class).map(|row| row.meaning)
}

/// Returns the rows of a class whose word begins with these letters.
pub fn rows_beginning_with(class: Class, start: &str) -> impl Iterator<Item = &'static Entry> {
    rows_of(class).filter(move |row| row.word.starts_with(start))
}

/// Returns whether a word has a meaning in a class.
pub fn means(class: Class, word: &str, meaning: &str) -> bool {
    rows(word).any(|row| row.class == class && row.meaning == meaning)
}

/// Returns the words that a name says instead of a word.
///
/// They begin with a capital. A meaning in small letters is a property, and the word stays.
///
/// ```
/// use pgn_collections::games::lexicon::written;
///
/// assert_eq!(written("mem"), Some("Memorial"));
/// assert_eq!(written("vienna"), None);
/// ```
pub fn written(word: &str) -> Option<&'static str> {
    rows(word)
        .find(|row| {
            let is_capital = row.meaning.starts_with(|c: char| c.is_uppercase());
            WRITTEN.contains(&row.class)
                && !row.is_dated()
                && (is_capital || row.class == Class::Abbreviation)
        })
        .map(|row| row.meaning)
}

/// The words of a tag that the lexicon has.
#[derive(Clone, Debug, Default)]
pub struct TagWords(Vec<&'static Entry>);

impl TagWords {
    /// Looks up the words of a tag, their beginnings and their ends.
    pub fn parse(words: impl Iterator<Item = String>) -> TagWords {
        let words: Vec<String> = words.collect();
        let mut found: Vec<&'static Entry> = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let rows = LEXICON.by_first_word.get(word.as_str()).map_or(&[][..], Vec::as_slice);
            found.extend(rows.iter().filter(|row| row.begins(&words[place..])));
            found.extend(LEXICON.patterns.iter().filter(|row| {
                match (row.word.strip_suffix('*'), row.word.strip_prefix('*')) {
                    (Some(start), _) => word.starts_with(start),
                    (_, Some(end)) => word.len() > end.len() + 1 && word.ends_with(end),
                    _ => false,
                }
            }));
        }
        TagWords(found)
    }

    /// Returns the rows of a class, in the order of the tag.
    pub fn of(&self, class: Class) -> impl Iterator<Item = &'static Entry> {
        self.0.iter().copied().filter(move |row| row.class == class)
    }

    /// Returns whether a word has a meaning in a class.
    pub fn mean(&self, class: Class, meaning: &str) -> bool {
        self.of(class).any(|row| row.meaning == meaning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_the_file_is_sorted_without_duplicates() {
        let lines: Vec<&str> = TABLE.lines().skip(1).collect();
        assert_eq!(LEXICON.rows.len(), lines.len());
        let keys: Vec<Vec<&str>> = lines
            .iter()
            .map(|line| line.split(',').collect::<Vec<_>>())
            .map(|fields| vec![fields[0], fields[2], fields[3]])
            .collect();
        for two in keys.windows(2) {
            assert!(two[0] < two[1], "{two:?}");
        }
    }

    #[test]
    fn words_are_found_alone_in_sequence_and_by_their_ends() {
        let classes = |tag: &str| {
            let found = TagWords::parse(tag.split(' ').map(str::to_owned));
            (
                found.of(Class::Tempo).next().map(|row| row.meaning),
                found.of(Class::Team).next().map(|row| row.meaning),
            )
        };
        assert_eq!(classes("lodz blitzturnier"), (Some("blitz"), None));
        assert_eq!(classes("clare benedict"), (None, Some("certain")));
        assert_eq!(classes("benedict clare"), (None, None));
        assert_eq!(classes("czech extraliga"), (None, Some("certain")));
        assert_eq!(classes("sudden death"), (Some("blitz"), None));
    }

    #[test]
    fn a_meaning_may_be_that_of_some_years_or_of_one_country() {
        let rapid = |year| rows("eurotel").any(|row| row.applies(year, "CZE"));
        assert!(rapid(Some(2002)) && !rapid(Some(1999)) && !rapid(None));
        let league = |country| rows("top").any(|row| row.applies(None, country));
        assert!(league("FRA") && !league("ENG"));
        assert_eq!(written("gma"), None);
    }
}
