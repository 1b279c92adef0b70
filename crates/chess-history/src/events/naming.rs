//! Names events.

use super::identifiers::Identifiers;
use super::name_words::{
    begins_with_place, contains_place, corrected, in_english_order, is_ordinal, is_uninformative,
    kind_in_brackets, name_by_words, without_additions, words_beyond_place, words_of,
};
use super::naming_input::NamingInput;
use super::season::without_year;
use super::series::{EventWords, IdentifiedSeries, SeriesEdition, SeriesForm, monthly_series};
use crate::games::MONTHS;
use crate::games::lexicon::{self, Class};
use crate::gazetteer::country;
use crate::ordinal::ordinal;
use crate::players::fold;
use crate::tournament::Kind;

/// The name of an event and its possible identifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventName {
    /// The name for readers: `Vienna 1898`, `14th USSR Championship, Moscow 1945`, `World
    /// Championship 1972: Fischer–Spassky, Reykjavík`.
    pub name: String,
    /// The parts of the name of a match. They form another name if it is a round of a larger event.
    pub of_match: Option<MatchName>,
    /// Details that distinguish it from events of the same name: its month, and the words of its
    /// tags. Unknown ones are empty.
    pub details: [String; 2],
    /// Identifiers, the best first, ending in the year.
    pub ids: Vec<String>,
    /// The first identifier with the month, for events of one year in different months.
    pub id_with_month: Option<String>,
    /// The series, if its item of Wikidata is known.
    pub series: Option<IdentifiedSeries>,
}

/// The parts of the name of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchName {
    /// Both surnames, the winner's first: `Fischer` and `Spassky`.
    pub pair: [String; 2],
    /// The series in its tags, if any.
    pub series: Option<String>,
    /// The year, with a space before it.
    pub year: String,
    /// The place, with a comma before it; may be empty.
    pub place: String,
}

impl MatchName {
    /// Names the match as part of a larger event.
    ///
    /// A round of a knock-out is `Candidates Semifinal 1971: Fischer–Larsen, Denver`. A match of a
    /// tournament that is named after its place is `London 1851: Anderssen–Kieseritzky`.
    pub fn within(&self, event_name: &str, round: Option<&str>) -> String {
        let MatchName { pair, series, year, place } = self;
        let pair = pair.join("–");
        // The `León Masters` need no second León.
        let is_said = series
            .as_ref()
            .is_some_and(|series| contains_place(series, place.trim_start_matches([',', ' '])));
        let place = if is_said { "" } else { place };
        match (series, round) {
            (None, _) => format!("{event_name}: {pair}"),
            // `Corsica Masters 2005, Round of 16`: a comma separates the two numbers.
            (Some(series), Some(round)) if round.ends_with(|c: char| c.is_ascii_digit()) => {
                format!("{series}{year}, {round}: {pair}{place}")
            }
            // The `Blitz Final` of a circuit has its own rounds.
            (Some(series), Some(round)) if series.ends_with(" Final") && round != "Final" => {
                format!("{series}{year}, {round}: {pair}{place}")
            }
            // Unless the series contains a round already.
            (Some(series), Some(round))
                if !["inal", "Playoff", "Round", "Reserve"]
                    .iter()
                    .any(|word| series.contains(word)) =>
            {
                let series = series.trim_end_matches(" Matches").trim_end_matches(" Tournament");
                format!("{series} {round}{year}: {pair}{place}")
            }
            (Some(series), _) => format!("{}{year}: {pair}{place}", singular(series)),
        }
    }
}

/// Names one match of a series of matches: `Candidates Match`.
fn singular(series: &str) -> String {
    match series.strip_suffix(" Matches") {
        Some(stem) => format!("{stem} Match"),
        None => match series.strip_suffix("Candidates Tournament") {
            // This match decided a tournament.
            Some(whose) => format!("{whose}Candidates Playoff"),
            None => series.to_owned(),
        },
    }
}

/// Names an event, and derives its possible identifiers.
pub fn name(about: NamingInput<'_>, words: &EventWords) -> EventName {
    let (base, category) = without_additions(&corrected(about.base));
    let (with_players, season) = without_year(&base, about.years);
    // A year or a season may leave its hyphen: `Open- 1988`.
    let with_players = with_players.trim_end_matches(['-', ',', ':', ' ']).to_owned();
    let years = season.or(about.years);
    let tagged = without_players(&with_players, about.players);
    // A series may have the letters in its key: `Corus GMA`.
    let listed = series_of_event(&about, words, &tagged);
    let base = match listed {
        Some(_) => tagged,
        None => without_association(&tagged, years),
    };
    let year = match years {
        None => String::new(),
        Some((first, last)) if last == first + 1 => match last % 100 {
            0 => format!(" {first}/{last}"),
            last => format!(" {first}/{last:02}"),
        },
        Some((first, _)) => format!(" {first}"),
    };
    let series = listed.or_else(|| series_of_event(&about, words, &base));
    let series = series.map(|series| in_its_time(series, years));
    let series = series.map(|series| match (about.kind, series.name.as_str()) {
        (Kind::KnockOut, "Candidates Tournament") => {
            SeriesEdition { name: "Candidates Matches".to_owned(), ..series }
        }
        _ => series,
    });
    let written = words.expanded(&base);
    let text = words_beyond_place(&written, about.place, about.tagged_place);
    let text = in_english_order(kind_in_brackets(&text), about.place);
    let text = if about.players.is_some() { text } else { words_with_team_names(&text).join(" ") };
    let name = match (about.shown_players, &series) {
        (Some([winner, loser]), Some(SeriesEdition { name, .. })) => {
            let at = if contains_place(name, about.place) {
                String::new()
            } else {
                after_comma(about.place)
            };
            format!("{}{year}: {winner}–{loser}{at}", singular(name))
        }
        (Some([winner, loser]), None) => {
            let text = match_words(&text, about.spellings, [about.place, about.tagged_place]);
            let is_category = category.is_some() && is_uninformative(&text);
            let text = if is_category { String::new() } else { text };
            let text = if text.is_empty() { text } else { format!(" ({text})") };
            format!("{winner}–{loser}{}{year}{text}", after_comma(about.place))
        }
        (None, Some(series)) => name_by_series(series, about.place, &year),
        (None, None) => match (about.place, text.as_str()) {
            // The tag names a country, which is not a town.
            ("", "") if !written.is_empty() => format!("{written}{year}"),
            ("", "") => format!("Unnamed event{year}"),
            // The tags name a country alone: `It (cat.8)` in Hungary.
            ("", text) if is_uninformative(text) && !about.tagged_place.is_empty() => {
                format!("{}{year}", about.tagged_place)
            }
            (place, "") => format!("{place}{year}"),
            ("", text) => format!("{text}{year}"),
            (place, text) if begins_with_place(text, place) => format!("{text}{year}"),
            (place, text) if contains_place(text, place) => format!("{text}{year}"),
            (place, text)
                if text.ends_with(" Memorial") || text.ends_with(" vs Rest of the World") =>
            {
                format!("{text}, {place}{year}")
            }
            (place, text) if is_uninformative(text) => format!("{place}{year}"),
            (place, text) => name_by_words(text, place, &year),
        },
    };
    let name = match (category, name.strip_suffix(')')) {
        (None, _) => name,
        (Some(category), None) => format!("{name} (category {category})"),
        (Some(category), Some(open)) => format!("{open}, category {category})"),
    };
    let detail = match kind_in_brackets(&written) {
        // It distinguishes nothing, like the place.
        kind if is_uninformative(kind) => about.place.to_owned(),
        kind => kind.to_owned(),
    };
    let details = [months_of(&about, &base), detail];
    let of_match = about.shown_players.map(|[winner, loser]| MatchName {
        pair: [winner, loser].map(str::to_owned),
        series: series.as_ref().map(|series| series.name.clone()),
        year: year.clone(),
        place: after_comma(about.place),
    });
    let Identifiers { to_try: ids, with_month: id_with_month } =
        Identifiers::new(&about, &base, series.as_ref(), years);
    let series = series.and_then(|SeriesEdition { name, wikidata, .. }| {
        Some(IdentifiedSeries { name, wikidata: wikidata? })
    });
    EventName { name: name.trim().to_owned(), of_match, details, ids, id_with_month, series }
}

/// Finds the series that a name denotes. A match of two players is not a match of two towns.
fn series_of_event(
    about: &NamingInput<'_>,
    words: &EventWords,
    base: &str,
) -> Option<SeriesEdition> {
    let series = words.find_series(base, about.place, about.country)?;
    (about.players.is_none() || !series.name.ends_with(" Match")).then_some(series)
}

/// Returns the months that distinguish an event from others of its name: `May`,
/// `November–February`; empty if they are unknown.
///
/// The tournaments of First Saturday have the number of the month in their tag: `FS03 GM`.
fn months_of(about: &NamingInput<'_>, base: &str) -> String {
    match (about.month, about.last_month) {
        (Some(first), Some(last)) if first != last => format!("{first}–{last}"),
        (Some(month), _) => month.to_owned(),
        (None, _) => {
            let month = base.split_whitespace().find_map(|word| {
                let code = word.trim_end_matches(|c: char| c.is_ascii_digit());
                let number: usize = word[code.len()..].parse().ok()?;
                monthly_series(&fold(code))?;
                MONTHS.get(number.checked_sub(1)?).copied()
            });
            month.unwrap_or_default().to_owned()
        }
    }
}

/// Returns whether a word is the code of a country, possibly an old one.
fn is_country(word: &str) -> bool {
    word == "nld" || (word.len() == 3 && country(&word.to_uppercase()).is_some())
}

fn after_comma(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(", {place}") }
}

/// Names an event of a series: `14th USSR Championship, Moscow 1945`; `AVRO 1938`.
fn name_by_series(series: &SeriesEdition, place: &str, year: &str) -> String {
    let SeriesEdition { name, form, number, .. } = series;
    // If a month ends the series, the place precedes it.
    let (name, year, comma) = match name.rsplit_once(' ').filter(|(_, last)| MONTHS.contains(last))
    {
        Some((name, month)) => (name, format!(" {month}{year}"), ","),
        None => (name.as_str(), year.to_owned(), ""),
    };
    let counted = number.map(|number| format!("{} ", ordinal(number.into()))).unwrap_or_default();
    // A series may contain its place already.
    let says_place = !place.is_empty() && contains_place(name, place);
    // `Division 2, 1995`: a comma separates the two numbers.
    let ends_in_number = name.ends_with(|c: char| c.is_ascii_digit());
    let before_year = if ends_in_number { "," } else { comma };
    match form {
        SeriesForm::Bare => format!("{name}{before_year}{year}"),
        _ if place.is_empty() || says_place => format!("{counted}{name}{before_year}{year}"),
        _ => format!("{counted}{name}, {place}{comma}{year}"),
    }
}

/// Returns the words that distinguish a match, beyond its players and its place.
fn match_words(text: &str, players: &[String], places: [&str; 2]) -> String {
    let players = players.iter().map(String::as_str);
    let known: Vec<String> = players.chain(places).flat_map(|text| words_of(&fold(text))).collect();
    let teams = words_with_team_names(text);
    let all: Vec<&str> = teams.iter().map(String::as_str).collect();
    let mut words: Vec<&str> = Vec::new();
    for (place, word) in all.iter().copied().enumerate() {
        let before = place.checked_sub(1).map(|before| all[before]);
        // `Chess Classic` and `5-Minute Games`.
        let ends_a_term = before.is_some_and(|before| match word {
            "Classic" => before == "Chess",
            "Games" => before.ends_with("-Minute"),
            _ => false,
        });
        // The trophy may be named after a player: `Karpov Trophy`.
        let next = all.get(place + 1).copied();
        let names_a_prize = matches!(next, Some("Trophy" | "Memorial" | "Cup"));
        // `UK vs Ukraine` is one word here.
        let are_teams = word.contains(' ');
        if are_teams || ends_a_term || names_a_prize || distinguishes_match(word, &known) {
            words.push(word);
        }
    }
    match words[..] {
        [] => String::new(),
        // The rest of `Krush Challenge Match` needs the word `Match`.
        _ if text.ends_with("Match") => format!("{} Match", words.join(" ")),
        _ => words.join(" "),
    }
}

/// Returns whether a word distinguishes a match from others of its players: it is none of the known
/// words of players and places, and it means more than a match, a number or a country.
fn distinguishes_match(word: &str, known: &[String]) -> bool {
    !words_of(&fold(word)).iter().all(|word| {
        known.contains(word)
            || lexicon::means(Class::Generic, word, "match")
            || word.bytes().all(|byte| byte.is_ascii_digit())
            || is_ordinal(word)
            || is_country(word)
    })
}

/// Returns the name of the country or continent that is a team of a match.
fn team_name(word: &str) -> Option<String> {
    let folded = fold(word);
    if lexicon::means(Class::Side, &folded, word) {
        return Some(word.to_owned());
    }
    let is_code = word.len() == 3 && is_country(&folded);
    is_code.then(|| country(&word.to_uppercase())).flatten().map(|country| country.name.to_owned())
}

/// Splits a name into words. The teams of `UK vs UKR` are one word, with their names in full.
fn words_with_team_names(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut named: Vec<String> = Vec::new();
    let mut place = 0;
    while place < words.len() {
        let teams = match words[place..] {
            [one, "vs" | "vs." | "v" | "-", other, ..] => team_name(one).zip(team_name(other)),
            _ => None,
        };
        match teams {
            Some((one, other)) => {
                named.push(format!("{one} vs {other}"));
                place += 3;
            }
            None => {
                named.push(words[place].to_owned());
                place += 1;
            }
        }
    }
    named
}

/// Removes the score and the players of a match from a name. The games determine these.
fn without_players(base: &str, players: Option<[&str; 2]>) -> String {
    let Some(players) = players else { return base.to_owned() };
    let names = players.map(fold);
    let mut words: Vec<&str> = Vec::new();
    for word in base.split_whitespace() {
        let is_score = word.len() > 2
            && word.starts_with(['+', '-', '='])
            && word.bytes().all(|byte| byte.is_ascii_digit() || b"+-=".contains(&byte));
        if is_score {
            continue;
        }
        let folded = fold(word);
        let names_both = names
            .iter()
            .all(|name| name.split(' ').any(|part| part.len() > 2 && folded.contains(part)));
        if !names_both {
            words.push(word);
        }
    }
    words.join(" ")
}

/// Replaces an abbreviation in capitals that means something else since some year: `GMA` is not
/// the Grandmasters Association, which held tournaments until 1993.
fn without_association(base: &str, years: Option<(i16, i16)>) -> String {
    let Some((first, _)) = years else { return base.to_owned() };
    let words = base.split_whitespace().map(|word| {
        let dated = lexicon::rows(&word.to_lowercase()).find(|row| {
            row.class == Class::Stage && row.is_dated() && row.applies(Some(first), "")
        });
        dated.filter(|_| word.chars().all(char::is_uppercase)).map_or(word, |row| row.meaning)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Names a series as it was called in that year: until 1977 the world championship of teams under
/// 26 was that of students. The olympiad of Munich was not one of FIDE.
fn in_its_time(series: SeriesEdition, years: Option<(i16, i16)>) -> SeriesEdition {
    let Some((first, _)) = years else { return series };
    let lower = series.name.to_lowercase();
    let renamed = lexicon::rows_of(Class::Series)
        .filter(|row| row.is_dated() && row.applies(Some(first), ""))
        .find(|row| {
            lower
                .strip_prefix(row.word)
                .is_some_and(|_| row.meaning.starts_with(char::is_uppercase))
        });
    match renamed {
        Some(row) => {
            let name = format!("{}{}", row.meaning, &series.name[row.word.len()..]);
            SeriesEdition { name, ..series }
        }
        None => series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Tempo;

    fn about<'a>(base: &'a str, place: &'a str, years: (i16, i16), kind: Kind) -> NamingInput<'a> {
        NamingInput {
            base,
            place,
            tagged_place: place,
            id_place: place,
            country: "",
            years: Some(years),
            month: None,
            last_month: None,
            kind,
            tempo: Tempo::Classical,
            field: 10,
            players: None,
            spellings: &[],
            shown_players: None,
        }
    }

    fn tournament(base: &str, place: &str, years: (i16, i16)) -> (String, String) {
        let name = name(about(base, place, years, Kind::RoundRobin), &EventWords::default());
        (name.name, name.ids[0].clone())
    }

    #[test]
    fn tournaments_are_named_after_series_or_after_place_and_year() {
        for (base, place, years, name, id) in [
            ("Vienna", "Vienna", (1898, 1898), "Vienna 1898", "vienna-1898"),
            ("Duesseldorf", "Düsseldorf", (1908, 1908), "Düsseldorf 1908", "dusseldorf-1908"),
            ("Hastings7576", "Hastings", (1975, 1976), "Hastings 1975/76", "hastings-1975"),
            ("Hastings6364", "Hastings", (1964, 1964), "Hastings 1963/64", "hastings-1963"),
            ("IBM", "Amsterdam", (1977, 1977), "IBM Tournament, Amsterdam 1977", "amsterdam-1977"),
            (
                "Cambridge Springs",
                "Cambridge",
                (1904, 1904),
                "Cambridge Springs 1904",
                "cambridge-springs-1904",
            ),
            ("London-B", "London", (1946, 1946), "London B 1946", "london-b-1946"),
            ("London-A", "London", (1946, 1946), "London A 1946", "london-a-1946"),
            ("Biel Interzonal", "Biel", (1976, 1976), "Interzonal, Biel 1976", "biel-1976"),
            (
                "10th Cesme Open A",
                "Çeşme",
                (2024, 2024),
                "10th Çeşme Open A 2024",
                "cesme-open-2024",
            ),
            (
                "URS-ch14",
                "Moscow",
                (1945, 1945),
                "14th USSR Championship, Moscow 1945",
                "moscow-1945",
            ),
            ("URS-ch36", "", (1968, 1968), "36th USSR Championship 1968", "ussr-championship-1968"),
            (
                "DSB-09.Kongress",
                "Leipzig",
                (1894, 1894),
                "9th DSB Congress, Leipzig 1894",
                "leipzig-1894",
            ),
            ("Tirnavia-B", "Trnava", (1987, 1987), "Tirnavia B, Trnava 1987", "trnava-b-1987"),
            ("Sajtar mem", "Brno", (1975, 1975), "Sajtar Memorial, Brno 1975", "brno-1975"),
            (
                "FIDE Candidates 2014",
                "Khanty-Mansiysk",
                (2014, 2014),
                "Candidates Tournament, Khanty-Mansiysk 2014",
                "khanty-mansiysk-2014",
            ),
        ] {
            assert_eq!(tournament(base, place, years), (name.into(), id.into()));
        }
    }

    #[test]
    fn words_of_a_name_precede_the_place_and_numbers_come_first() {
        for (base, place, name) in [
            ("BDO Masters", "Haarlem", "BDO Masters, Haarlem 2005"),
            ("27th Open", "Bratto", "27th Bratto Open 2005"),
            ("Open", "Winterthur", "Winterthur Open 2005"),
            ("Copenhagen Open 17", "Copenhagen", "17th Copenhagen Open 2005"),
            ("Milk Tournament 2nd", "Selfoss", "2nd Milk Tournament, Selfoss 2005"),
            ("RUS-sf", "Kazan", "Russian Championship Semifinal, Kazan 2005"),
            ("East German ch 27th", "Dresden", "27th East German Championship, Dresden 2005"),
            ("ch-Moscow", "Moscow", "Moscow Championship 2005"),
            ("ch-Donetsk region", "Donetsk", "Donetsk Region Championship 2005"),
            ("Eastpointe ch-MI", "Eastpointe", "Eastpointe ch-MI 2005"),
            ("TCh-Moscow", "Moscow", "Moscow Team Championship 2005"),
            ("60th ch-RUS U20 Boys", "Kazan", "60th Russian U20 Boys' Championship, Kazan 2005"),
            (
                "38th TCh-GRE DivA",
                "Peristeri",
                "38th Greek Team Championship Division A, Peristeri 2005",
            ),
            ("TOP 10 GpA", "Évry", "TOP 10 Group A, Évry 2005"),
            ("National I", "Ghent", "National I, Ghent 2005"),
            ("Wch U20 qual", "Copenhagen", "World Junior Championship Qualifier, Copenhagen 2005"),
            ("Wch U20 fin-A", "Antwerp", "World Junior Championship Final A, Antwerp 2005"),
            ("Tch-SLO League", "Bled", "Slovenian Team Championship, Bled 2005"),
            ("FSGM June", "Budapest", "First Saturday GM, Budapest, June 2005"),
            ("XX Ciudad de Leon", "León", "20th Ciudad de León 2005"),
            ("Rapidplay", "Villarrobledo", "Villarrobledo Rapidplay 2005"),
            ("Castle Chess GP", "Atlanta", "Castle Chess Grand Prix, Atlanta 2005"),
            ("BNbank Gp1", "Oslo", "BNbank Group 1, Oslo 2005"),
            ("ch-RUS Rapid GP Final", "Perm", "Russian Rapid Grand Prix Final, Perm 2005"),
            ("CZE-ch GP A", "Prague", "Czech Championship Group A, Prague 2005"),
            ("Maccabiah GMB", "Jerusalem", "Maccabiah GM Group B, Jerusalem 2005"),
            ("PRC-chT", "", "Chinese Team Championship 2005"),
            ("47th XtraCon TCh-DEN 2005-6", "", "47th Danish Team Championship 2005/06"),
            // A digit after a team championship is the division, not the edition.
            ("CZE-chT1a", "", "Czech Team Championship Division 1 Group A 2005"),
            ("CZE-chT2", "", "Czech Team Championship Division 2, 2005"),
            ("20th TCh-CRO 1a", "Pula", "20th Croatian Team Championship Division 1A, Pula 2005"),
            ("TCh-CRO Div 1b", "Pula", "Croatian Team Championship Division 1B, Pula 2005"),
            ("TCh-UKR Clubs", "", "Ukrainian Club Team Championship 2005"),
            ("TCh-UKR Teams", "", "Ukrainian Team Championship 2005"),
            ("Oviedo rapid45", "Oviedo", "Oviedo Rapid 2005"),
            ("26th Universiade Men", "Shenzhen", "26th Universiade, Shenzhen 2005"),
            ("78th ch-City", "Kazan", "78th Kazan Championship 2005"),
            ("City-ch", "Moscow", "Moscow Championship 2005"),
            ("I Menorca Open", "Ciutadella", "1st Menorca Open, Ciutadella 2005"),
            ("JUG-chT Cetinje", "Cetinje", "Yugoslav Team Championship, Cetinje 2005"),
            ("CSR-ch Havirov", "Havířov", "Czechoslovak Championship, Havířov 2005"),
            ("FSIMC August", "Budapest", "First Saturday IM C, Budapest, August 2005"),
            ("ch-FRA Top 16 GpA", "Évry", "French Team Championship Top 16 Group A, Évry 2005"),
            ("French Top 12", "Haguenau", "French Team Championship Top 12, Haguenau 2005"),
            ("chJ-POL b20", "Trzebinia", "Polish U20 Boys' Championship, Trzebinia 2005"),
            ("ch-UKR g-20", "Lviv", "Ukrainian U20 Girls' Championship, Lviv 2005"),
            ("NLD-ch op", "Dieren", "Dutch Open Championship, Dieren 2005"),
            ("RUS-ch49th (Women)", "Moscow", "49th Russian Women's Championship, Moscow 2005"),
            ("Buna-Turnier", "Halle", "Buna Tournament, Halle 2005"),
            ("Saint John op-2", "Saint John", "Saint John Open II 2005"),
            ("Chess Cruise g/15", "Odessa", "Chess Cruise, Odessa 2005"),
            ("Blitz 5'", "Philadelphia", "Blitz 5-Minute Games, Philadelphia 2005"),
            ("Hillerod 100th Ann. Open", "Hillerød", "Hillerød 100th Anniversary Open 2005"),
            ("VS Arhipov mem", "Chelyabinsk", "Arhipov Memorial, Chelyabinsk 2005"),
            ("SCO Open", "Qingdao", "Shanghai Cooperation Organisation Open, Qingdao 2005"),
            ("SCO-ch", "Oban", "Scottish Championship, Oban 2005"),
            ("St Louis Autumn GM", "Saint Louis", "Saint Louis Autumn GM 2005"),
            ("Rilton Cup 05/06", "Stockholm", "Rilton Cup 2005/06"),
            ("58th ch-RUS Semi-Final", "Kazan", "58th Russian Championship Semifinal, Kazan 2005"),
            ("Indonesia", "", "Indonesia 2005"),
            ("Western Championship.", "Reno", "Western Championship, Reno 2005"),
            ("Keres mem (Women)", "Tallinn", "Women's Keres Memorial, Tallinn 2005"),
            ("Jajce (Women)", "Jajce", "Jajce (Women) 2005"),
            ("AUT-chT2O", "", "Austrian Team Championship Division 2 East 2005"),
            // `Aut` is autumn here, and Austria below.
            ("Fagernes GM Open Aut", "Fagernes", "Fagernes GM Open Autumn 2005"),
            ("ch-Aut", "Graz", "Austrian Championship, Graz 2005"),
            ("DEN-chB", "Aarhus", "Danish Championship B, Aarhus 2005"),
            ("30th NAO Open", "Stillwater", "30th North American Open, Stillwater 2005"),
            ("FSIMA Feb", "Budapest", "First Saturday IM A Feb, Budapest 2005"),
            ("ARG-CHI", "Santiago", "Argentina–Chile, Santiago 2005"),
            ("SVK-Cup", "Trenčianske Teplice", "Slovak Cup, Trenčianske Teplice 2005"),
            ("Ajedrez UNAM", "Mexico City", "UNAM Chess, Mexico City 2005"),
            ("IT Agentlocator", "Sitges", "Agentlocator International Tournament, Sitges 2005"),
            ("31st World Senior 65+", "Prague", "World Senior Championship 65+, Prague 2005"),
            ("TCh-EUR Senior +50", "", "European Senior Team Championship 50+ 2005"),
            ("MK Cafe op-A", "Koszalin", "MK Cafe Open A, Koszalin 2005"),
            ("Perenyi mem-B", "Budapest", "Perenyi Memorial B, Budapest 2005"),
            ("Bled op18th", "Bled", "18th Bled Open 2005"),
            ("8th UKR Universiad", "Yevpatoria", "8th Ukrainian Universiad, Yevpatoria 2005"),
            ("20th NAO", "Stillwater", "20th North American Open, Stillwater 2005"),
            ("RUS Rapid GP", "Serpukhov", "Russian Rapid Grand Prix, Serpukhov 2005"),
            ("New York State-ch 121st", "New York", "121st New York State Championship 2005"),
            ("Senior WM", "Naumburg", "World Senior Championship, Naumburg 2005"),
            ("1st European Corporate", "Paris", "1st European Corporate Championship, Paris 2005"),
            ("Islington-J", "Islington", "Islington Junior 2005"),
            ("ch-Euro Youth b14", "Albena", "European Youth Championship Boys U14, Albena 2005"),
            ("2nd ch-Ibero-Americano", "Morelia", "2nd Ibero-American Championship, Morelia 2005"),
            ("49th ch-IND NatA", "Delhi", "49th Indian Championship National A, Delhi 2005"),
            ("ch-FRA Top 16 GpA", "", "French Team Championship Top 16 Group A 2005"),
            ("KAZ vs World", "Astana", "Kazakhstan vs World, Astana 2005"),
            ("WMSG w Teams", "Beijing", "World Mind Sports Games Women's Teams, Beijing 2005"),
            ("Turniej w Krakowie", "Kraków", "Turniej w Krakowie, Kraków 2005"),
            (
                "Armageddon Asia&Oceania L",
                "Berlin",
                "Armageddon Asia & Oceania Losers' Bracket, Berlin 2005",
            ),
            ("20. Open", "Tenerife", "20th Tenerife Open 2005"),
            ("05. Open", "Prague", "5th Prague Open 2005"),
            ("SLO-ch Men", "Bled", "Slovenian Championship, Bled 2005"),
            ("It (cat.2)", "Gausdal", "Gausdal 2005 (category 2)"),
            ("Magistral (cat.12)", "León", "León Magistral 2005 (category 12)"),
            ("It (open)", "Gausdal", "Gausdal Open 2005"),
            (r"\Troll Masters\", "Gausdal", "Troll Masters, Gausdal 2005"),
            ("Ch World", "Elista", "World Championship, Elista 2005"),
            ("Ch World (women)", "Elista", "Women's World Championship, Elista 2005"),
            (
                "Ch World (juniors) (under 20) (g)",
                "Vung Tau",
                "World Junior Girls' Championship, Vung Tau 2005",
            ),
            ("Ch World (under 18)", "Vung Tau", "World U18 Championship, Vung Tau 2005"),
            ("World Open", "Philadelphia", "World Open, Philadelphia 2005"),
            ("Ch Spain (juniors)", "León", "Spanish Junior Championship, León 2005"),
            ("Ch Hungary (team)", "Budapest", "Hungarian Team Championship, Budapest 2005"),
            ("Ch URS (1/2 final)", "Kiev", "USSR Championship Semifinal, Kiev 2005"),
            ("Candidates (1/4 final)", "Brussels", "Candidates Quarterfinal, Brussels 2005"),
            ("It (women)", "Belgrade", "Belgrade Women's International Tournament 2005"),
            ("Open Spain", "León", "Open Spain, León 2005"),
            ("SF Berlin", "Berlin", "SF Berlin 2005"),
            ("ch-RUS SF", "Kazan", "Russian Championship Semifinal, Kazan 2005"),
            ("Biel izt FIDE (37) 1990-1993", "Biel", "Interzonal, Biel 2005"),
            ("izt (Women)", "Biel", "Women's Interzonal, Biel 2005"),
            ("ct", "Amsterdam", "Candidates Tournament, Amsterdam 2005"),
            ("wch-m", "Moscow", "World Championship, Moscow 2005"),
            ("Raipur CM Masters", "Raipur", "Raipur CM Masters 2005"),
            // A single word may be anything: a club, a hall.
            ("Manhattan", "New York", "New York 2005 (Manhattan)"),
        ] {
            assert_eq!(tournament(base, place, (2005, 2005)).0, name);
        }
    }

    #[test]
    fn words_mean_what_they_meant_in_their_year() {
        for (base, place, year, name) in [
            ("GMA", "Reykjavík", 1991, "Reykjavík 1991 (GMA)"),
            ("GMA", "Nancy", 2010, "Nancy GM Group A 2010"),
            ("Corus GMA", "Wijk aan Zee", 2003, "Corus 2003"),
            ("WchT U26", "Graz", 1972, "World Student Team Championship, Graz 1972"),
            ("WchT U26", "Graz", 1981, "World U26 Team Championship, Graz 1981"),
            ("Inter-1", "Leipzig", 1965, "Leipzig 1965"),
        ] {
            assert_eq!(tournament(base, place, (year, year)).0, name);
        }
    }

    #[test]
    fn the_kind_of_an_event_is_part_of_its_identifier() {
        let words = EventWords::default();
        let open = name(about("Linares op", "Linares", (2002, 2002), Kind::Swiss), &words);
        assert_eq!(open.ids[0], "linares-open-2002");
        assert_eq!(open.name, "Linares Open 2002");
        let league = about("Bundesliga 2014-15", "", (2014, 2015), Kind::Team);
        let league = name(league, &words);
        assert_eq!(league.name, "Bundesliga 2014/15");
        let rapid = NamingInput {
            tempo: Tempo::Rapid,
            ..about("", "Mainz", (2003, 2003), Kind::RoundRobin)
        };
        assert_eq!(name(rapid, &words).ids[0], "mainz-rapid-2003");
    }

    fn match_of_1972(base: &str, place: &str, players: [&str; 2]) -> EventName {
        let spellings = ["Fischer, Bobby", "Spassky, Boris"].map(str::to_owned);
        let about = NamingInput {
            players: Some(players),
            shown_players: Some(players),
            spellings: &spellings,
            ..about(base, place, (1972, 1972), Kind::Match)
        };
        name(about, &EventWords::default())
    }

    #[test]
    fn matches_are_named_after_their_players_the_winner_first() {
        let world = match_of_1972("World Championship 28th", "Reykjavík", ["Fischer", "Spassky"]);
        assert_eq!(world.name, "World Championship 1972: Fischer–Spassky, Reykjavík");
        assert_eq!(world.ids[0], "fischer-spassky-reykjavik-1972");
        let other = match_of_1972("Reykjavik m2", "Reykjavík", ["Spassky", "Fischer"]);
        assert_eq!(other.name, "Spassky–Fischer, Reykjavík 1972");
        assert_eq!(other.ids[0], world.ids[0]);
        let base = "Sponsor Spassky-Fischer +3-0=0";
        let scored = match_of_1972(base, "Reykjavík", ["Spassky", "Fischer"]);
        assert_eq!(scored.name, "Spassky–Fischer, Reykjavík 1972 (Sponsor)");
        let teams = match_of_1972("UK vs UKR Solidarity m", "London", ["Spassky", "Fischer"]);
        assert_eq!(teams.name, "Spassky–Fischer, London 1972 (UK vs Ukraine Solidarity Match)");
    }
}
