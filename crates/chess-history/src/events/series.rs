//! Recognises the series of events that Event tags name.

use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use thiserror::Error;

use super::known_results::KnownResults;
use super::name_words::roman;
use super::tag::{before_capital, counts, is_organisation, is_year};
use crate::games::MONTHS;
use crate::gazetteer::country;
use crate::players::fold;
use crate::wikidata::WikidataId;

/// How the name of a series is combined with place, year and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SeriesForm {
    /// `Interzonal, Portorož 1958`.
    Place,
    /// `AVRO 1938`.
    Bare,
    /// `14th USSR Championship, Moscow 1945`.
    Numbered,
}

/// The edition of a series that an Event tag names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeriesEdition {
    /// `USSR Championship`.
    pub name: String,
    pub form: SeriesForm,
    /// The number of the edition, if the tag contains it and the series is usually numbered.
    pub number: Option<u16>,
    /// The item of Wikidata about the series, if the table has it.
    pub wikidata: Option<WikidataId>,
}

/// A series of events with its item of Wikidata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentifiedSeries {
    /// `USSR Championship`.
    pub name: String,
    /// The item about the series.
    pub wikidata: WikidataId,
}

/// A table of series that cannot be read.
#[derive(Debug, Error)]
#[error("not a table of series (CSV with the columns key, place, name, form): {0}")]
pub struct SeriesError(#[from] csv::Error);

/// The known series, abbreviations, names and results of events.
#[derive(Clone, Debug)]
pub struct EventWords {
    /// Each series, by key and place.
    listed_series: FxHashMap<(String, String), ListedSeries>,
    pub(super) words: FxHashMap<String, String>,
    /// The field and the usual name of each event with an identifier in the table.
    names: FxHashMap<String, (String, String)>,
    /// The known results of events.
    pub results: KnownResults,
}

/// A row of the table of events whose usual name is not in their tags.
#[derive(Deserialize)]
struct KnownName {
    event_id: String,
    field: String,
    name: String,
}

#[derive(Clone, Debug)]
struct ListedSeries {
    name: String,
    form: SeriesForm,
    wikidata: Option<WikidataId>,
}

impl ListedSeries {
    /// Names the edition that a tag denotes, with its number and its age group.
    fn edition(self, base: &str, tokens: &[Token], number: Option<u16>) -> SeriesEdition {
        let ListedSeries { name, form, wikidata } = self;
        let number = number.filter(|_| form == SeriesForm::Numbered);
        // A league has the number of its teams: `Top 16`.
        let of_top = tokens.windows(2).find(|two| two[0].text == "top" && two[1].is_number);
        let words = name.split(' ').map(|word| match of_top {
            Some([_, number]) if word == "Top" => format!("{word} {}", number.text),
            _ => word.to_owned(),
        });
        let name = words.collect::<Vec<_>>().join(" ");
        let aged = add_age_group(name.clone(), base, tokens);
        // The item is about the series of all ages.
        let wikidata = wikidata.filter(|_| aged == name);
        SeriesEdition { name: aged, form, number, wikidata }
    }
}

#[derive(Deserialize)]
struct SeriesRow {
    key: String,
    place: String,
    name: String,
    form: SeriesForm,
    /// A user's table may lack this column.
    #[serde(default)]
    wikidata: Option<WikidataId>,
}

/// Words for events that a federation holds.
const CHAMPIONSHIPS: [(&str, &str); 14] = [
    ("ch", "Championship"),
    ("chb", "Championship B"),
    ("sf", "Championship Semifinal"),
    ("op", "Open"),
    ("open", "Open"),
    ("champ", "Championship"),
    ("championship", "Championship"),
    ("tch", "Team Championship"),
    ("cht", "Team Championship"),
    ("chtm", "Team Championship"),
    ("chj", "Junior Championship"),
    ("chtj", "Junior Team Championship"),
    ("cup", "Cup"),
    ("cupt", "Team Cup"),
];

/// Continents, which have championships like countries.
const CONTINENTS: [(&str, &str); 8] = [
    ("asia", "Asian"),
    ("asian", "Asian"),
    ("eu", "European"),
    ("eur", "European"),
    ("euro", "European"),
    ("africa", "African"),
    ("african", "African"),
    ("panam", "Pan American"),
];

/// Words that precede `Championship`.
const BEFORE: [(&str, &str); 24] = [
    ("w", "Women's"),
    ("women", "Women's"),
    ("womens", "Women's"),
    ("wom", "Women's"),
    ("men", ""),
    ("m", ""),
    ("j", "Junior"),
    ("jr", "Junior"),
    ("jun", "Junior"),
    ("junior", "Junior"),
    ("juniors", "Junior"),
    ("region", "Region"),
    ("clubs", "Club"),
    ("club", "Club"),
    ("super", "Super"),
    ("op", "Open"),
    ("boys", "Boys'"),
    ("girls", "Girls'"),
    ("sen", "Senior"),
    ("seniors", "Senior"),
    ("rapid", "Rapid"),
    ("blitz", "Blitz"),
    ("int", "International"),
    ("open", "Open"),
];

impl Default for EventWords {
    fn default() -> EventWords {
        static BUNDLED: LazyLock<EventWords> = LazyLock::new(|| {
            let mut words = EventWords {
                listed_series: FxHashMap::default(),
                words: FxHashMap::default(),
                names: FxHashMap::default(),
                results: KnownResults::default(),
            };
            let table = include_str!("../../../../data/events/series.csv");
            let table = csv::Reader::from_reader(table.as_bytes());
            words.add(table).expect("the bundled table is valid");
            let lines = include_str!("../../../../data/events/words.csv").lines().skip(1);
            let pairs = lines.filter_map(|line| line.split_once(','));
            words.words = pairs.map(|(code, words)| (fold(code), words.to_owned())).collect();
            let table = include_str!("../../../../data/events/names.csv");
            let mut table = csv::Reader::from_reader(table.as_bytes());
            for line in table.deserialize() {
                let KnownName { event_id, field, name } = line.expect("the bundled table is valid");
                words.names.insert(event_id, (field, name));
            }
            words
        });
        BUNDLED.clone()
    }
}

impl EventWords {
    /// Adds the series of a CSV file. Its columns are:
    ///
    /// - `key`: the words of the Event tag in small letters, without numbers;
    /// - `place`: where the words have this meaning only at one place or in one country (`FRA`);
    ///   mostly empty;
    /// - `name`: the name without year, number and place;
    /// - `form`: `place`, `bare` or `numbered`;
    /// - `wikidata`, optional: the item about the series, such as `Q1`; mostly empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or lacks these columns.
    pub fn read(&mut self, path: &Path) -> Result<(), SeriesError> {
        Ok(self.add(csv::Reader::from_path(path)?)?)
    }

    fn add<R: std::io::Read>(&mut self, mut reader: csv::Reader<R>) -> Result<(), csv::Error> {
        for line in reader.deserialize() {
            let SeriesRow { key, place, name, form, wikidata } = line?;
            let series = ListedSeries { name, form, wikidata };
            self.listed_series.insert((key_of(&tokens(&key)), fold(&place)), series);
        }
        Ok(())
    }

    /// Returns the usual name of an event whose tags do not contain it, if its field agrees.
    pub(super) fn known_name(&self, id: &str, field: impl FnOnce() -> String) -> Option<&str> {
        let (players, name) = self.names.get(id)?;
        (fold(players) == fold(&field())).then_some(name)
    }

    /// Returns the known series that a name denotes at a place of a country, given by its code.
    pub(super) fn find_series(
        &self,
        base: &str,
        place: &str,
        country: &str,
    ) -> Option<SeriesEdition> {
        let tokens = tokens(base);
        if let Some(known) = self.listed(&tokens, place, country) {
            return Some(known.clone().edition(base, &tokens, number(&tokens)));
        }
        // `FSIM July`: a tournament of every month.
        if let [code, month] = &tokens[..]
            && let Some(month) = MONTHS.iter().find(|name| fold(name) == month.text)
            && let Some(name) = self.words.get(&code.text)
            && name.starts_with("First Saturday")
        {
            let listed = ListedSeries {
                name: format!("{name} {month}"),
                form: SeriesForm::Place,
                wikidata: None,
            };
            return Some(listed.edition(base, &tokens, None));
        }
        if let Some((first, rest)) = tokens.split_first()
            && let Some(roman) = roman(&first.text.to_uppercase()).filter(|number| *number > 1)
            && !matches!(&*first.text, "l")
            && let Some(known) = self.listed(rest, place, country)
        {
            return Some(known.clone().edition(base, &tokens, Some(roman)));
        }
        self.national_championship(base, place, &tokens)
    }

    /// Looks up a series by its words: first for the place, then for the country, then for any
    /// place.
    fn listed(&self, tokens: &[Token], place: &str, country: &str) -> Option<&ListedSeries> {
        let key = key_of(tokens);
        [place, country, ""]
            .iter()
            .find_map(|place| self.listed_series.get(&(key.clone(), fold(place))))
    }

    /// Recognises the championship of a country by its code, or that of the town where it is held.
    ///
    /// Examples are `ch-FRA`, `USA-ch (Women)`, `81st ch-FRA 2006` and `TCh-ESP`.
    fn national_championship(
        &self,
        base: &str,
        place: &str,
        tokens: &[Token],
    ) -> Option<SeriesEdition> {
        let Championship { noun, adjective, begins_with_noun, last } =
            ChampionshipTag::parse(base, place).find(tokens)?;
        let Additions { before, mut behind, has_division } =
            self.additions(noun, &tokens[last + 1..]);
        // `Eastpointe ch-MI` is the championship of Michigan.
        if adjective == place && !begins_with_noun && !behind.is_empty() {
            return None;
        }
        // `ch-FRA Top 16`: the first division of the teams.
        let is_league = adjective == "French" && behind.first().is_some_and(|word| word == "Top");
        let noun = if is_league { "Team Championship" } else { noun };
        // The league is the team championship.
        if noun == "Team Championship" && behind == ["League"] {
            behind.clear();
        }
        // A number after it is that of a division (`1st Div`), except when it is alone (`27th`).
        let until = tokens.len().min(last + 2);
        let mut number = number(&tokens[..until]).filter(|_| !has_division);
        if let ([ordinal], None) = (&behind[..], number)
            && let Ok(counted) = ordinal.trim_end_matches(char::is_alphabetic).parse()
            && ordinal.ends_with(char::is_alphabetic)
        {
            (number, behind) = (Some(counted), Vec::new());
        }
        // `CSR-ch Havirov`, at Havířov: the place follows anyway.
        if !place.is_empty() && fold(&behind.join(" ")) == fold(place) {
            behind.clear();
        }
        // The `Boys' U20` are juniors.
        let noun = match noun {
            "Junior Championship" if before.iter().any(|word| word.starts_with('U')) => {
                "Championship"
            }
            noun => noun,
        };
        let parts = [vec![adjective.to_owned()], before, vec![noun.to_owned()], behind];
        let name = parts.concat().join(" ");
        Some(SeriesEdition { name, form: SeriesForm::Numbered, number, wikidata: None })
    }

    /// Expands the tokens after a championship into additions to its name.
    fn additions(&self, noun: &str, tokens: &[Token]) -> Additions {
        let (mut before, mut behind): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut rest = tokens.iter().peekable();
        // The digit of `CZE-chT2` is a division; the number of `USA-ch12` is that of the edition.
        let division = division(tokens).filter(|_| noun == "Team Championship");
        let has_division = division.is_some();
        if let Some((division, length)) = division {
            rest = tokens[length..].iter().peekable();
            behind.push(division);
        } else {
            // The ending of `RUS-ch49th` too.
            if rest.next_if(|token| token.is_number && token.is_joined).is_some() {
                rest.next_if(|token| is_ordinal_ending(token));
            }
        }
        while let Some(token) = rest.next() {
            let next = rest.peek();
            match BEFORE.iter().find(|(code, _)| *code == token.text) {
                Some((_, "")) => {}
                Some((_, meaning)) => before.push((*meaning).to_owned()),
                None if token.text == "u" && next.is_some_and(|next| next.is_number) => {
                    before.push(format!("U{}", rest.next().map_or("", |age| &age.text)));
                }
                None if token.text == "teams" && noun == "Team Championship" => {}
                // `Div 1a` and `1a`: a division; `Gp1A`: a group.
                None if token.is_number && next.is_some_and(|next| is_part_of_division(next)) => {
                    if !behind.last().is_some_and(|word| matches!(&**word, "Division" | "Group")) {
                        behind.push("Division".to_owned());
                    }
                    let letter = rest.next().map_or_else(String::new, |next| fold(&next.shown));
                    behind.push(format!("{}{}", token.text, letter.to_uppercase()));
                }
                None if token.is_number && next.is_some_and(|next| is_ordinal_ending(next)) => {
                    let ending = rest.next().map_or("", |ending| &ending.text);
                    behind.push(format!("{}{ending}", token.text));
                }
                // `b20` and `g-20`: boys and girls under 20.
                None if next.is_some_and(|next| is_age_of_youth(next)) && is_of_youth(token) => {
                    let whose = if token.text == "b" { "Boys'" } else { "Girls'" };
                    let age = rest.next().map_or("", |age| &age.text);
                    before.extend([format!("U{age}"), whose.to_owned()]);
                }
                // `GP` is a Grand Prix, but a group before a letter or a number.
                None if token.text == "gp" && !next.is_some_and(|next| counts(&next.shown)) => {
                    behind.push("Grand Prix".to_owned());
                }
                None if matches!(&*token.text, "gp" | "gr") => behind.push("Group".to_owned()),
                None if token.text == "g" && next.is_some_and(|next| next.is_number) => {
                    behind.push("Group".to_owned());
                }
                None => behind.push(self.meaning(token)),
            }
        }
        // `Women's` comes first, in any order of the words in the tag.
        before.sort_by_key(|word| word != "Women's");
        Additions { before, behind, has_division }
    }

    /// Expands a token if it is an abbreviation, or one with a letter: `DivA` is `Division A`.
    fn meaning(&self, token: &Token) -> String {
        if let Some(meaning) = self.words.get(&token.text) {
            return meaning.clone();
        }
        if let Some((known, letter)) = before_capital(&token.shown)
            && let Some(meaning) = self.words.get(&fold(known))
        {
            return format!("{meaning} {letter}");
        }
        token.shown.clone()
    }
}

/// Words added to the name of a championship.
struct Additions {
    /// Words that go before the noun: `Women's`, `U18`.
    before: Vec<String>,
    /// Words that go after the noun: `Group A`.
    behind: Vec<String>,
    /// Whether the first word after the noun is the division of a team championship.
    has_division: bool,
}

/// A championship in the tokens of an Event tag.
struct Championship<'a> {
    /// `Championship`, `Team Championship`, `Open`, `Cup`.
    noun: &'static str,
    /// The adjective of a country or continent, or the name of a town.
    adjective: &'a str,
    /// Whether the noun is the first of the two tokens: `ch-FRA`, not `FRA-ch`.
    begins_with_noun: bool,
    /// The index of the second of the two tokens.
    last: usize,
}

/// An Event tag that may name a championship.
struct ChampionshipTag<'a> {
    base: &'a str,
    place: &'a str,
    /// Whether `chI` in the tag is an international championship, and not the country `CHI`.
    is_international: bool,
}

impl<'a> ChampionshipTag<'a> {
    fn parse(base: &'a str, place: &'a str) -> ChampionshipTag<'a> {
        let is_international = base.contains("-chI") && !base.contains("-CHI");
        ChampionshipTag { base, place, is_international }
    }

    /// Finds the first two adjacent words that are a noun and a country.
    fn find(&self, tokens: &[Token]) -> Option<Championship<'a>> {
        let words: Vec<(usize, &Token)> = tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| !token.is_number && !is_ordinal_ending(token))
            .collect();
        words.windows(2).find_map(|two| {
            let [(_, first), (last, second)] = [two[0], two[1]];
            let begins_with_noun = self.noun(first).is_some();
            let forward = self.noun(first).zip(self.adjective(second));
            let found = forward.or_else(|| self.noun(second).zip(self.adjective(first)));
            let (noun, adjective) = found?;
            // `Copenhagen Open` needs no adjective.
            let is_open_of_town = noun == "Open" && adjective == self.place;
            (!is_open_of_town).then_some(Championship { noun, adjective, begins_with_noun, last })
        })
    }

    fn noun(&self, token: &Token) -> Option<&'static str> {
        let known = CHAMPIONSHIPS.iter().find(|(code, _)| *code == token.text);
        match (&*token.text, self.is_international) {
            ("chi", true) => Some("International Championship"),
            // `SVK-Cup` is Slovakia's, but `Kettler Cup CZE-USA` is a match.
            ("cup", _)
                if !self.base.split_whitespace().any(|word| {
                    word.rsplit_once('-')
                        .is_some_and(|(code, rest)| code.len() == 3 && rest == token.shown)
                }) =>
            {
                None
            }
            _ => known.map(|(_, noun)| *noun),
        }
    }

    /// Returns the adjective of the continent, town or country that a token names.
    fn adjective(&self, token: &Token) -> Option<&'a str> {
        let continent = CONTINENTS.iter().find(|(word, _)| *word == token.text);
        // `ch-Moscow`, at Moscow.
        let is_town = !self.place.is_empty() && fold(self.place) == token.text;
        let known = continent.map(|(_, adjective)| *adjective);
        known.or(is_town.then_some(self.place)).or_else(|| {
            // `City-ch` and `78th ch-City`, at Moscow.
            let is_of_city = token.text == "city"
                && !self.place.is_empty()
                && (self.base.starts_with("City-") || self.base.ends_with("ch-City"));
            if is_of_city {
                return Some(self.place);
            }
            let shown = &token.shown;
            // `Open Aut` is in autumn, and `ch-Aut` is Austria's championship.
            let is_code = token.text.len() == 3
                && ((shown.chars().all(char::is_uppercase) && !is_organisation(shown))
                    || self.base.contains(&format!("-{shown}"))
                    || self.base.contains(&format!("{shown}-")))
                && !(token.text == "chi" && self.is_international);
            is_code.then(|| country(&token.text.to_uppercase())).flatten().map(|c| c.adjective)
        })
    }
}

/// Parses the division after the code of a team championship: `CZE-chT1a`.
///
/// Returns its name and the number of its tokens.
fn division(behind: &[Token]) -> Option<(String, usize)> {
    let digit = behind.first().filter(|token| token.is_number && token.is_joined)?;
    if digit.text.len() > 1 {
        return None;
    }
    let group = behind.get(1).filter(|token| token.is_joined && !is_ordinal_ending(token));
    let name = match group {
        Some(Token { shown, .. }) if matches!(&**shown, "a" | "b" | "c" | "d") => {
            format!("Division {} Group {}", digit.text, shown.to_uppercase())
        }
        // In German, `O` is the east: `AUT-chT2O`.
        Some(Token { shown, .. }) if shown == "O" => format!("Division {} East", digit.text),
        Some(Token { shown, .. }) if shown == "W" => format!("Division {} West", digit.text),
        Some(Token { shown, .. }) => format!("Division {} {shown}", digit.text),
        None => format!("Division {}", digit.text),
    };
    Some((name, 1 + usize::from(group.is_some())))
}

/// Adds the age group to a name: that of seniors, or the one after `U`, `WYb` and similar words.
///
/// Players under 20 are juniors.
fn add_age_group(name: String, base: &str, tokens: &[Token]) -> String {
    // `65+` and `+65`: seniors of at least that age. A plus at the end of a tag may be lost.
    let mut numbers = base.split_whitespace().map(|word| word.trim_matches('+'));
    let seniors = numbers.find(|number| matches!(*number, "50" | "60" | "65" | "75"));
    if let Some(age) = seniors.filter(|_| name.contains("Senior")) {
        return format!("{name} {age}+");
    }
    let is_youth = name.contains("Youth");
    let age = tokens.windows(2).find_map(|two| {
        let is_of_youth = match &*two[0].text {
            "u" | "wyb" | "wyg" | "eyb" | "eyg" => true,
            // `b14` and `g14` of a youth championship.
            "b" | "g" => is_youth && two[1].is_joined,
            _ => false,
        };
        let age: u16 = two[1].text.parse().ok().filter(|_| is_of_youth && two[1].is_number)?;
        (6..=26).contains(&age).then_some(age)
    });
    match age {
        Some(20) if name.contains("Youth") => name.replace("Youth", "Junior"),
        Some(20) if name.contains("Junior") => name,
        Some(age) if !name.contains(&format!("U{age}")) => format!("{name} U{age}"),
        _ => name,
    }
}

/// A sequence of letters or of digits in a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    /// The folded text.
    text: String,
    /// The original text.
    shown: String,
    is_number: bool,
    /// Whether it follows the previous token without a separator.
    is_joined: bool,
}

/// Splits a name into sequences of letters and of digits, without years.
fn tokens(base: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for word in base.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if is_year(word) {
            continue;
        }
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let is_number = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != is_number).unwrap_or(rest.len());
            let (shown, behind) = rest.split_at(end);
            let is_joined = rest.len() < word.len();
            let text = match fold(shown) {
                // A misprint of a well-known collection.
                slip if slip == "candidats" => "candidates".to_owned(),
                text => text,
            };
            tokens.push(Token { text, shown: shown.to_owned(), is_number, is_joined });
            rest = behind;
        }
    }
    tokens
}

/// Returns whether a letter stands for boys or girls.
fn is_of_youth(token: &Token) -> bool {
    matches!(&*token.text, "b" | "g")
}

/// Returns whether a number is the age of a youth championship: even, from 8 to 20.
fn is_age_of_youth(token: &Token) -> bool {
    token.is_number
        && token.text.parse::<u8>().is_ok_and(|age| (8..=20).contains(&age) && age % 2 == 0)
}

/// Returns whether a letter follows the number of a division.
fn is_part_of_division(token: &Token) -> bool {
    token.is_joined && matches!(&*token.text, "a" | "b" | "c" | "d")
}

fn is_ordinal_ending(token: &Token) -> bool {
    matches!(&*token.text, "st" | "nd" | "rd" | "th")
}

/// Returns the words without numbers and their endings. All events of a series share them.
fn key_of(tokens: &[Token]) -> String {
    let words = tokens.iter().filter(|token| !token.is_number && !is_ordinal_ending(token));
    words.map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns the number of the edition: `81st`, `-ch14`, `09.Kongress`, `mem12`.
fn number(tokens: &[Token]) -> Option<u16> {
    let place = tokens.iter().enumerate().position(|(place, token)| {
        let before = place.checked_sub(1).and_then(|before| tokens.get(before));
        let is_counted = before.is_some_and(|before| {
            matches!(
                &*before.text,
                "ch" | "cht" | "mem" | "kongress" | "congress" | "championship" | "olympiad"
            )
        });
        let behind = tokens.get(place + 1);
        token.is_number
            && (behind.is_some_and(|behind| is_ordinal_ending(behind) && behind.is_joined)
                || (token.is_joined && is_counted)
                || behind.is_some_and(|behind| matches!(&*behind.text, "kongress" | "congress")))
    })?;
    tokens[place].text.parse().ok().filter(|number| (1..=250).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series_of(base: &str, place: &str) -> Option<(String, Option<u16>)> {
        EventWords::default()
            .find_series(base, place, "")
            .map(|series| (series.name, series.number))
    }

    fn rows(table: &str) -> usize {
        table.lines().count() - 1
    }

    #[test]
    fn every_row_of_the_tables_is_read() {
        let words = EventWords::default();
        assert_eq!(words.words.len(), rows(include_str!("../../../../data/events/words.csv")));
        // The table has several spellings that fold to the same key.
        assert!(
            words.listed_series.len() * 100
                > rows(include_str!("../../../../data/events/series.csv")) * 98
        );
    }

    fn known(name: &str, number: Option<u16>) -> Option<(String, Option<u16>)> {
        Some((name.to_owned(), number))
    }

    #[test]
    fn series_are_recognised_by_their_words() {
        assert_eq!(series_of("URS-ch14", "Moscow"), known("USSR Championship", Some(14)));
        assert_eq!(series_of("DSB-09.Kongress", "Leipzig"), known("DSB Congress", Some(9)));
        assert_eq!(series_of("Holland 1938", "Amsterdam"), None);
        assert_eq!(series_of("XX SuperGM", "Linares"), known("Linares", None));
        assert_eq!(series_of("81st ch-FRA 2006", ""), known("French Championship", Some(81)));
        assert_eq!(series_of("USA-ch (Women)", ""), known("US Women's Championship", None));
        assert_eq!(series_of("TCh-ESP", ""), known("Spanish Team Championship", None));
        assert_eq!(
            series_of("GER-chI", "Dortmund"),
            known("German International Championship", None)
        );
        assert_eq!(series_of("ch-CHI", ""), known("Chilean Championship", None));
        assert_eq!(
            series_of("TCh-POR 1st Div Final", ""),
            known("Portuguese Team Championship 1st Division Final", None)
        );
        assert_eq!(series_of("CAN-op", ""), known("Canadian Open", None));
        assert_eq!(series_of("Asia-ch", ""), known("Asian Championship", None));
        assert_eq!(series_of("ch-HUN U18", ""), known("Hungarian U18 Championship", None));
        assert_eq!(series_of("Vienna", "Vienna"), None);
    }

    #[test]
    fn an_item_of_wikidata_is_about_the_series_of_all_ages() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let table = "key,place,name,form,wikidata\nnautilus,,Nautilus Open,place,Q1\n\
                     nautilus u,,Nautilus Open,place,Q1\n";
        std::fs::write(file.path(), table).expect("written");
        let mut words = EventWords::default();
        words.read(file.path()).expect("a table");
        for (base, name, item) in [
            ("Nautilus", "Nautilus Open", Some("Q1".to_owned())),
            ("Nautilus U18", "Nautilus Open U18", None),
        ] {
            let series = words.find_series(base, "", "").expect("a series");
            let found = series.wikidata.map(|item| item.to_string());
            assert_eq!((series.name.as_str(), found), (name, item));
        }
        std::fs::write(file.path(), table.replace("Q1", "1")).expect("written");
        assert!(words.read(file.path()).is_err());
    }

    #[test]
    fn words_may_name_a_series_of_one_country() {
        let words = EventWords::default();
        for (base, country, name) in [
            ("TOP 16 GpA", "FRA", Some("French Team Championship Top 16 Group A")),
            ("TOP 16 GpA", "BEL", None),
            ("National I", "FRA", Some("French Team Championship National I")),
            ("National I", "", None),
        ] {
            let found = words.find_series(base, "Bordeaux", country).map(|series| series.name);
            assert_eq!(found.as_deref(), name);
        }
    }
}
