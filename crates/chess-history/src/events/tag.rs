//! Parses Event and Site tags.

use std::borrow::Cow;

use crate::games::lexicon::{self, Class, TagWords};
use crate::games::{is_server, tag_words};
use crate::gazetteer::{Places, country};
use crate::players::fold;

/// The segment of an event to which a game belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SegmentKind {
    /// The event proper: neither extra games nor a play-off.
    Main,
    /// Games against players who withdrew, annulled games, replays (`Vienna+`).
    Extra,
    /// Play-off for a place.
    PlayOff,
}

impl SegmentKind {
    /// The segment in words.
    pub fn words(self) -> &'static str {
        match self {
            SegmentKind::Main => "main event",
            SegmentKind::Extra => "withdrawn, annulled or replayed",
            SegmentKind::PlayOff => "play-off",
        }
    }
}

/// A parsed Event tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTag {
    /// The event's own name, without the mark of a segment.
    pub base: String,
    /// Folded words of the base without years. Equal events share them.
    pub key: String,
    /// The segment that the tag names.
    pub segment: SegmentKind,
}

impl EventTag {
    /// Parses an Event tag. The names of a round and its pairing are ignored.
    pub fn parse(tag: &str) -> EventTag {
        // Broadcasts have a round and a pairing instead: `Round 3: Aronian - Bacrot`.
        let is_of_broadcast = tag
            .split_once(':')
            .is_some_and(|(round, pairing)| names_round(round) && pairing.contains(" - "));
        let with_years = with_years(if is_of_broadcast { "" } else { tag });
        let trimmed = with_years.trim();
        let extra = trimmed.ends_with('+');
        let trimmed = trimmed.trim_end_matches('+').trim_end();
        let (base, segment) = match play_off(trimmed) {
            Some(base) => (base, SegmentKind::PlayOff),
            None if extra => (trimmed.to_owned(), SegmentKind::Extra),
            None => (trimmed.to_owned(), SegmentKind::Main),
        };
        let key = key(&base);
        EventTag { base, key, segment }
    }

    /// Returns whether the tag names the players of a game and no event: `Adler, Anton (1682) -
    /// Fabre, Felix (-)`.
    pub(super) fn is_pairing(&self, players: [&str; 2]) -> bool {
        let Some((one, other)) = self.base.split_once(" - ") else { return false };
        [one, other].into_iter().zip(players).all(|(side, player)| {
            let [mut side, player] =
                [side, player].map(|text| fold(text.split('(').next().unwrap_or_default()));
            let player: Vec<String> = tag_words(&player).collect();
            side.retain(|c| !c.is_ascii_digit());
            let mut words = tag_words(&side).peekable();
            words.peek().is_some()
                && words.all(|word| player.iter().any(|own| own.starts_with(&word)))
        })
    }
}

/// Returns a tag with years in place of days, which differ between the games of an event: `Open
/// 2003` for `Open 2003-05-12` and `Open 12.05.2003`.
fn with_years(tag: &str) -> Cow<'_, str> {
    let year_of = |word: &str| -> Option<String> {
        let parts: Vec<&str> = word.split(['.', '-', '/']).collect();
        let &[first, month, last] = &parts[..] else { return None };
        let year = [first, last].into_iter().find(|part| is_year(part))?;
        let day = if year == first { last } else { first };
        let is_part = |part: &str, most: u8| {
            part.parse::<u8>().is_ok_and(|number| (1..=most).contains(&number))
        };
        // `05/12/2003` has the month first.
        let is_day = is_part(day, 31) && is_part(month, 31);
        (is_day && (is_part(day, 12) || is_part(month, 12))).then(|| year.to_owned())
    };
    let dated = |word: &str| year_of(word.trim_matches(['(', ')', ',']));
    if tag.split_whitespace().all(|word| dated(word).is_none()) {
        return Cow::Borrowed(tag);
    }
    let words = tag.split_whitespace().map(|word| dated(word).unwrap_or_else(|| word.to_owned()));
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

/// Returns whether a text is the number of a round: `Round 12`.
fn names_round(text: &str) -> bool {
    let number = text.trim().strip_prefix("Round ");
    number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// Returns the number of games in the score of a match: 20 in `World-ch01 Steinitz-Zukertort
/// +10-5=5`.
pub(super) fn games_of_score(base: &str) -> Option<u16> {
    let score = base.split_whitespace().find(|word| {
        word.starts_with('+') && word.bytes().all(|b| b.is_ascii_digit() || b"+-=".contains(&b))
    })?;
    let (won, rest) = score[1..].split_once('-')?;
    let (lost, drawn) = rest.split_once('=').unwrap_or((rest, "0"));
    let parts = [won, lost, drawn].map(|part| part.parse::<u8>().ok().map(u16::from));
    let total = parts.into_iter().sum::<Option<u16>>()?;
    (1..=60).contains(&total).then_some(total)
}

/// Returns the folded words without years.
fn key(base: &str) -> String {
    let words: Vec<String> = fold(base)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !is_year(word))
        .map(corrected_word)
        .collect();
    words.join(" ")
}

/// Corrects the misprint of a folded word.
pub(super) fn corrected_word(word: &str) -> String {
    lexicon::meaning(Class::Spelling, word).map_or_else(|| word.to_owned(), str::to_lowercase)
}

/// Whether the key of an event contains words for team competitions.
///
/// The words are those of common collections, in several languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TeamWords {
    None,
    /// It contains words that individual events also have: a league, a cup of nations.
    Doubtful,
    /// It contains a word such as olympiad or team championship.
    Certain,
}

/// Searches the key of an event for words of team competitions.
pub(super) fn team_words(key: &str) -> TeamWords {
    // `4teams`, `chT2`
    let uncounted = key.split(' ').map(|word| match lexicon::meaning(Class::Team, word) {
        Some(_) => word.to_owned(),
        None => word.trim_matches(|c: char| c.is_ascii_digit()).to_owned(),
    });
    let words = TagWords::parse(uncounted);
    if words.mean(Class::Team, "certain") {
        TeamWords::Certain
    } else if words.mean(Class::Team, "doubtful") {
        TeamWords::Doubtful
    } else {
        TeamWords::None
    }
}

/// Returns whether a name is that of a match of countries: `URS-JUG`, `USA-URS telex`, `Belgrade
/// URS-World`.
pub(super) fn names_countries(base: &str) -> bool {
    // `World` is a team like a country; `CIS` was none.
    let is_side = |word: &str| match lexicon::meaning(Class::Team, &word.to_lowercase()) {
        Some(meaning) => meaning == "country" && word.starts_with(char::is_uppercase),
        None => country(word).is_some(),
    };
    base.split_whitespace()
        .filter_map(|word| word.split_once('-'))
        .any(|(one, other)| is_side(one) && is_side(other))
}

/// Returns whether a name is that of a match: `Monaco m`, `Match of Champions`.
pub(super) fn names_match(base: &str) -> bool {
    tag_words(&fold(base)).any(|word| lexicon::means(Class::Generic, &word, "one match"))
}

/// Returns whether a word is a year from 1400 to 2199.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u16>().is_ok_and(|year| (1400..2200).contains(&year))
}

/// Returns whether a code is that of an organisation: the Shanghai Cooperation Organisation is not
/// Scotland, nor the European Chess Union Ecuador.
pub(super) fn is_organisation(code: &str) -> bool {
    lexicon::meaning(Class::Organisation, &code.to_lowercase()).is_some()
}

/// Splits a word before its last letter if that is its only capital after the first letter.
pub(super) fn before_capital(word: &str) -> Option<(&str, &str)> {
    let (place, last) = word.char_indices().next_back()?;
    let is_short = word[..place].chars().skip(1).all(char::is_lowercase);
    (last.is_uppercase() && place > 1 && is_short).then(|| word.split_at(place))
}

/// Returns whether a word is a letter or a number, as that of a group.
pub(super) fn counts(word: &str) -> bool {
    word.len() == 1 || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the name of the event whose play-off a tag names, or `None`.
fn play_off(tag: &str) -> Option<String> {
    let (lower, bytes) = (tag.to_lowercase(), tag.as_bytes());
    let mark = lexicon::rows_of(Class::PlayOff)
        .find_map(|mark| lower.find(mark.word).filter(|_| lower.len() == tag.len()))
        .or_else(|| {
            // The word `TB`.
            (0..bytes.len()).find(|&start| {
                (start == 0 || !bytes[start - 1].is_ascii_alphanumeric())
                    && bytes[start..].get(..2).is_some_and(|two| two.eq_ignore_ascii_case(b"tb"))
                    && bytes.get(start + 2).is_none_or(|next| !next.is_ascii_alphanumeric())
            })
        })?;
    let before = tag[..mark].trim_end_matches([' ', '-', '(']);
    if before.is_empty() {
        return None;
    }
    // `Superbet Classic TB 2022`: the year after the mark belongs to the event.
    let year = tag[mark..].split_whitespace().last().filter(|word| is_year(word));
    Some(match year {
        Some(year) => format!("{before} {year}"),
        None => before.to_owned(),
    })
}

/// Splits a tag into the name of a cycle and a stage: `Candidats sf1` is the stage `sf` of
/// `Candidats`.
///
/// Returns `None` if the tag names no stage.
pub(super) fn stage(base: &str) -> Option<(String, String)> {
    let mut words: Vec<&str> = base.split_whitespace().collect();
    // `Candidats sf1 1974`: the year after the stage belongs to the cycle.
    let year = words.pop_if(|word| is_year(word));
    let last = words.pop()?.to_lowercase();
    let plain = if last.contains('/') {
        last.as_str()
    } else {
        last.trim_end_matches(|c: char| c.is_ascii_digit())
    };
    // Both `semi-final` and `semi final`; `1/4 Final` is a quarterfinal.
    let half = words.pop_if(|word| order_of_stage(word).is_some() && plain.starts_with("final"));
    let plain = half.filter(|word| word.contains('/')).unwrap_or(plain);
    let stage = match words.last().map(|word| word.to_lowercase()) {
        Some(half) if plain.starts_with("final") && (half == "semi" || half == "quarter") => {
            words.pop();
            format!("{half}{plain}")
        }
        _ if order_of_stage(plain).is_some() => plain.to_owned(),
        _ => plain.replace("-final", "final"),
    };
    let known = order_of_stage(&stage).is_some();
    let rest = words.join(" ");
    let rest = rest.trim_end_matches([' ', '-', ',', '(']);
    (known && rest.chars().any(char::is_alphabetic)).then(|| {
        let rest = year.map_or_else(|| rest.to_owned(), |year| format!("{rest} {year}"));
        (rest, stage)
    })
}

/// Returns the place of a stage in the order of a cycle, from 1.
pub(super) fn order_of_stage(stage: &str) -> Option<u8> {
    lexicon::rows(stage).filter(|row| row.class == Class::Stage).find_map(|row| {
        match &*row.meaning.to_lowercase() {
            "eighth-final" => Some(1),
            "quarterfinal" => Some(2),
            "semifinal" => Some(3),
            "reserve" => Some(4),
            "final" => Some(5),
            _ => None,
        }
    })
}

/// A parsed Site tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteTag {
    /// The place, without the country code after it; may be empty.
    pub city: String,
    /// The folded words of the place.
    pub key: String,
    /// The event's name in the address of a broadcast; may be empty.
    ///
    /// It is `tata steel masters` in
    /// `https://lichess.org/broadcast/tata-steel-masters/round-1/AbCdEfGh`.
    pub broadcast: String,
}

impl SiteTag {
    /// Replaces the key by that of the common name of the place.
    pub(super) fn with_place(self, places: &Places) -> SiteTag {
        match places.name(&self.city) {
            Some(name) => SiteTag { key: site_key(name), ..self },
            None => self,
        }
    }

    /// Parses a tag. A server is not a place.
    pub fn parse(tag: &str) -> SiteTag {
        if is_server(tag) {
            let slug = tag.split("/broadcast/").nth(1).and_then(|path| path.split('/').next());
            let words = slug.unwrap_or_default().replace(['-', '_'], " ");
            let broadcast = words.trim().chars().filter(|c| !c.is_control()).take(100).collect();
            return SiteTag { city: String::new(), key: String::new(), broadcast };
        }
        let mut words: Vec<&str> = tag.split_whitespace().collect();
        while words.last().is_some_and(|word| is_country_code(word)) {
            words.pop();
        }
        let city = words.join(" ");
        let city = if city.chars().any(char::is_alphabetic) { city } else { String::new() };
        SiteTag { key: site_key(&city), city, broadcast: String::new() }
    }
}

fn site_key(place: &str) -> String {
    tag_words(&fold(place)).collect::<Vec<_>>().join(" ")
}

/// Returns whether a word is a country code (`NED`), or several with slashes (`BRA/ESP`).
pub(super) fn is_country_code(word: &str) -> bool {
    word.split('/').all(|code| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_a_tag_become_years() {
        for tag in ["Open 2003-05-12", "Open 12.05.2003", "Open (05/12/2003)", "Open 2003"] {
            assert_eq!(EventTag::parse(tag).base, "Open 2003", "{tag}");
        }
        assert_eq!(EventTag::parse("Open 2003-2004").base, "Open 2003-2004");
        assert_eq!(EventTag::parse("Open 40/50/2003").base, "Open 40/50/2003");
    }

    #[test]
    fn a_word_shows_that_a_name_is_that_of_a_match() {
        for name in ["Monaco m", "Aruba m2", "11th Rector Cup Match of Champions"] {
            assert!(names_match(name), "{name}");
        }
        for name in ["Mar del Plata", "Candidates", "GMA"] {
            assert!(!names_match(name), "{name}");
        }
    }

    #[test]
    fn matches_of_countries_are_recognised_by_their_codes() {
        for tag in ["URS-JUG", "USA-URS telex", "Belgrade URS-World"] {
            assert!(names_countries(tag), "{tag}");
        }
        for tag in ["URS-ch14", "GER-ch", "Steinitz-Zukertort", "BRA/ESP"] {
            assert!(!names_countries(tag), "{tag}");
        }
    }

    #[test]
    fn team_competitions_are_recognised_by_their_words() {
        for tag in [
            "Olympiad 34th",
            "URS-chT",
            "TCh-ESP Div Honor 2020",
            "EuCup-10 f",
            "13th World Teams",
            "Moscow-4teams",
        ] {
            assert!(team_words(&EventTag::parse(tag).key) > TeamWords::None, "{tag}");
        }
        for tag in ["Steam Cup", "Vienna", "Candidates", "Ligatne"] {
            assert_eq!(team_words(&EventTag::parse(tag).key), TeamWords::None, "{tag}");
        }
    }

    #[test]
    fn marks_of_segments_are_removed_from_the_name() {
        for (tag, base, segment) in [
            ("Vienna", "Vienna", SegmentKind::Main),
            ("Vienna+", "Vienna", SegmentKind::Extra),
            ("Vienna playoff-1pl", "Vienna", SegmentKind::PlayOff),
            ("DSB-12.Kongress playoff-1pl+", "DSB-12.Kongress", SegmentKind::PlayOff),
            ("WCh Playoffs", "WCh", SegmentKind::PlayOff),
            ("3rd GRENKE Classic TB", "3rd GRENKE Classic", SegmentKind::PlayOff),
            ("Superbet Classic TB 2022", "Superbet Classic 2022", SegmentKind::PlayOff),
            ("Candidats Playoff 1pl", "Candidats", SegmentKind::PlayOff),
            ("Playoff", "Playoff", SegmentKind::Main),
            ("Ostend-B", "Ostend-B", SegmentKind::Main),
        ] {
            let parsed = EventTag::parse(tag);
            assert_eq!((parsed.base.as_str(), parsed.segment), (base, segment), "{tag}");
        }
    }

    #[test]
    fn stages_of_a_cycle_are_removed_from_its_name() {
        for (tag, base, name) in [
            ("Candidats sf1", "Candidats", "sf"),
            ("Candidats final", "Candidats", "final"),
            ("Candidats reserve", "Candidats", "reserve"),
            ("Candidates 1/4", "Candidates", "1/4"),
            ("World Cup 1/4 Final", "World Cup", "1/4"),
            ("WCh Candidates Semi-final", "WCh Candidates", "semifinal"),
            ("Candidates 8th-final", "Candidates", "8th-final"),
            ("Candidates qf3 1977", "Candidates 1977", "qf"),
        ] {
            assert_eq!(stage(tag), Some((base.into(), name.into())), "{tag}");
        }
        for tag in ["2.f", "Linares", "final", "World Championship 28th", "Vienna 1882"] {
            assert_eq!(stage(tag), None, "{tag}");
        }
    }

    #[test]
    fn a_pairing_of_the_players_is_not_a_name_and_a_pair_with_a_name_is() {
        let game = ["Adler, Anton", "Fabre, Felix"];
        for tag in ["Adler - Fabre", "Adler, Anton (1682) - Fabre, Felix (-)", "A. Adler - Fabre"] {
            assert!(EventTag::parse(tag).is_pairing(game), "{tag}");
        }
        for tag in ["Adler - Fabre Blitz", "Adler - Bauer", "Fabre - Adler", "Indy - Premier", "-"]
        {
            assert!(!EventTag::parse(tag).is_pairing(game), "{tag}");
        }
    }

    #[test]
    fn a_round_with_a_pairing_is_not_a_name_and_a_server_is_not_a_place() {
        assert_eq!(EventTag::parse("Round 3: Aronian - Bacrot").key, "");
        assert_eq!(
            EventTag::parse("Round Robin: the best - of all").base,
            "Round Robin: the best - of all"
        );
        let site =
            SiteTag::parse("https://lichess.org/broadcast/tata-steel-masters/round-1/AbCdEfGh");
        assert_eq!((site.city.as_str(), site.broadcast.as_str()), ("", "tata steel masters"));
        assert_eq!(SiteTag::parse("idChess.com").city, "");
        assert_eq!(SiteTag::parse("https://lichess.org/broadcast/-/-/AbCdEfGh").broadcast, "");
    }

    #[test]
    fn a_score_in_the_name_shows_how_many_games_a_match_had() {
        assert_eq!(games_of_score("World-ch01 Steinitz-Zukertort +10-5=5"), Some(20));
        assert_eq!(games_of_score("London m +7-0=0"), Some(7));
        assert_eq!(games_of_score("Vienna +"), None);
        assert_eq!(games_of_score("Best of 2600+"), None);
    }

    #[test]
    fn keys_fold_spelling_and_omit_years() {
        assert_eq!(EventTag::parse("Superbet Classic 2022").key, "superbet classic");
        assert_eq!(
            EventTag::parse("9th Sinquefield Cup 2022").key,
            EventTag::parse("9th Sinquefield Cup TB").key
        );
        assert_eq!(EventTag::parse("Düsseldorf").key, EventTag::parse("Duesseldorf ").key);
    }

    #[test]
    fn countries_are_removed_from_the_place() {
        assert_eq!(SiteTag::parse("Amsterdam NED").city, "Amsterdam");
        assert_eq!(SiteTag::parse("Sao Paulo/Bilbao BRA/ESP").city, "Sao Paulo/Bilbao");
        assert_eq!(SiteTag::parse("URS").city, "");
        assert_eq!(SiteTag::parse("GER/AUT").city, "");
        assert_eq!(SiteTag::parse("?").city, "");
    }
}
