//! Decides which games are rated, and why the others are set aside.

use std::hash::BuildHasher;
use std::str::FromStr;

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::Serialize;
use strum::{EnumString, IntoStaticStr};

use super::game::{Game, GameFlags};
use super::lexicon::{Class, Entry, TagWords, means};
use super::names::NameId;
use super::result::GameResult;
use super::servers::Online;
use super::table::GameTable;

/// Why a game is not rated.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
pub enum SetAside {
    /// A copy of the game is kept.
    Duplicate,
    /// The game has no result.
    NoResult,
    /// A side has no player: `NN`, `BYE` or no name.
    Nameless,
    /// Several people consulted on one side.
    Consultation,
    /// The game began from another position than the initial one.
    SetUp,
    /// The game is a variant of chess.
    Variant,
    /// One player met many in a simultaneous display.
    Simultaneous,
    /// A player played without sight of the board.
    Blindfold,
    /// The game was played by correspondence: post, telegraph or server.
    Correspondence,
    /// The game was rapid chess.
    Rapid,
    /// The game was blitz chess.
    Blitz,
    /// The game was played on a server.
    Internet,
    /// Both players are programs.
    Computers,
    /// Both sides have the name of one player.
    OnePlayer,
}

impl SetAside {
    /// Returns the reason in words.
    pub fn words(self) -> &'static str {
        match self {
            SetAside::Duplicate => "duplicate",
            SetAside::NoResult => "no result",
            SetAside::Nameless => "a side without a name",
            SetAside::OnePlayer => "both sides have the same name",
            SetAside::Consultation => "consultation",
            SetAside::SetUp => "not from the starting position",
            SetAside::Variant => "not standard chess",
            SetAside::Simultaneous => "simultaneous display",
            SetAside::Blindfold => "blindfold",
            SetAside::Correspondence => "correspondence",
            SetAside::Rapid => "rapid",
            SetAside::Blitz => "blitz",
            SetAside::Internet => "internet",
            SetAside::Computers => "between computers",
        }
    }

    /// Returns the name of the reason in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// What the name of a side shows.
#[derive(Clone, Copy, Debug)]
struct SideName {
    /// Why it is not the name of one player.
    reason: Option<SetAside>,
    /// A hash of its words, in any order and without titles: `Carlsen, Magnus` and `GM Magnus
    /// CARLSEN` are one name.
    words: u64,
}

impl SideName {
    fn new(name: &str) -> SideName {
        let lower = name.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<&str> =
            words.filter(|word| !means(Class::Person, word, "title")).collect();
        words.sort_unstable();
        SideName { reason: why_not_a_player(name), words: FxBuildHasher.hash_one(words) }
    }
}

/// Decides which games are rated. It remembers the decision about each tag value.
#[derive(Debug, Default)]
pub struct Rateable {
    events: FxHashMap<NameId, Option<SetAside>>,
    players: FxHashMap<NameId, SideName>,
    /// Whether the name of a player has a word that would mean something in the name of an event
    /// (`Sim`).
    with_words_of_events: FxHashMap<NameId, bool>,
    programs: FxHashMap<NameId, bool>,
    servers: FxHashMap<(NameId, NameId), Online>,
    /// The rows of the lexicon about rapid series that an Event tag names.
    series: FxHashMap<NameId, Vec<&'static Entry>>,
}

impl Rateable {
    /// Returns why a game is not rated, or `None` if it is.
    ///
    /// Tags for the purpose decide first, then words in the Event and Site tags. Unplayed games are
    /// not set aside, because their points count in the table of the event.
    pub fn reason(&mut self, table: &GameTable, game: &Game) -> Option<SetAside> {
        if game.result == GameResult::Unknown {
            return Some(SetAside::NoResult);
        }
        let [white, black] = [game.white, game.black].map(|player| {
            *self.players.entry(player).or_insert_with(|| SideName::new(table.text(player)))
        });
        if let Some(reason) = white.reason.or(black.reason) {
            return Some(reason);
        }
        if white.words == black.words {
            return Some(SetAside::OnePlayer);
        }
        if self.is_program(table, game, true) && self.is_program(table, game, false) {
            return Some(SetAside::Computers);
        }
        let by_tag = [
            (GameFlags::SET_UP, SetAside::SetUp),
            (GameFlags::VARIANT, SetAside::Variant),
            (GameFlags::SIMULTANEOUS, SetAside::Simultaneous),
            (GameFlags::CORRESPONDENCE, SetAside::Correspondence),
            (GameFlags::ONLINE, SetAside::Internet),
        ];
        if let Some((_, reason)) = by_tag.into_iter().find(|(flag, _)| game.flags.contains(*flag)) {
            return Some(reason);
        }
        let online = *self
            .servers
            .entry((game.event, game.site))
            .or_insert_with(|| Online::judge(table.text(game.event), table.text(game.site)));
        if online == Online::Yes || online == Online::WithoutRounds && !game.round.is_known() {
            return Some(SetAside::Internet);
        }
        let by_words = [game.event, game.site].into_iter().find_map(|tag| {
            let reason =
                *self.events.entry(tag).or_insert_with(|| reason_by_words(table.text(tag)));
            if reason.is_none() || !self.is_named_like_an_event(table, game) {
                return reason;
            }
            let names = [game.white, game.black].map(|name| table.text(name));
            reason_by_words(&without_names(table.text(tag), names))
        });
        let by_words = by_words.or_else(|| {
            let series = self
                .series
                .entry(game.event)
                .or_insert_with(|| rapid_series(table.text(game.event)));
            let mut rapid = series.iter().filter(|row| row.applies(game.date.year(), ""));
            let names = [game.white, game.black].map(|name| table.text(name));
            // `Lara Amber - Felix Fabre`
            let is_rapid = rapid.next().is_some()
                && !rapid_series(&without_names(table.text(game.event), names)).is_empty();
            is_rapid.then_some(SetAside::Rapid)
        });
        let by_time = match game.flags {
            flags if flags.contains(GameFlags::BLITZ) => Some(SetAside::Blitz),
            flags if flags.contains(GameFlags::RAPID) => Some(SetAside::Rapid),
            _ => None,
        };
        match by_words {
            // A TimeControl tag is better evidence of the tempo than a word.
            None | Some(SetAside::Rapid | SetAside::Blitz) if by_time.is_some() => by_time,
            Some(SetAside::Rapid | SetAside::Blitz)
                if game.flags.contains(GameFlags::CLASSICAL) =>
            {
                None
            }
            reason => reason,
        }
    }

    /// Returns whether a player's name has a word that would mean something in an Event tag.
    fn is_named_like_an_event(&mut self, table: &GameTable, game: &Game) -> bool {
        [game.white, game.black].into_iter().any(|name| {
            let known = self.with_words_of_events.entry(name);
            *known.or_insert_with(|| reason_by_words(table.text(name)).is_some())
        })
    }

    /// Returns whether White (or Black) is a program.
    ///
    /// The evidence is a tag, the name, or a rating that no person has had.
    pub fn is_program(&mut self, table: &GameTable, game: &Game, white: bool) -> bool {
        let name = if white { game.white } else { game.black };
        // Before the first programs, `Fritz` was a person.
        let may_be = game.date.year().is_none_or(|year| year >= FIRST_PROGRAMS);
        game.is_tagged_program(white)
            || may_be
                && *self.programs.entry(name).or_insert_with(|| names_a_program(table.text(name)))
    }
}

impl Game {
    /// Returns whether the tags state that White (or Black) is a program, or give a rating that no
    /// person has had.
    pub fn is_tagged_program(&self, white: bool) -> bool {
        let (flag, elo) = if white {
            (GameFlags::WHITE_PROGRAM, self.white_elo)
        } else {
            (GameFlags::BLACK_PROGRAM, self.black_elo)
        };
        self.flags.contains(flag) || elo > HIGHEST_OF_PERSONS
    }
}

/// The first year in which a program played in a tournament of persons (Mac Hack, 1967).
const FIRST_PROGRAMS: i16 = 1967;

/// A rating (points) that programs exceed and no person ever has. The highest on a FIDE list is
/// 2882 (Carlsen, May 2014).
const HIGHEST_OF_PERSONS: u16 = 3000;

/// Returns whether a name may be that of a program, but proves it only among other programs:
/// `Hydra`, `Junior`.
pub fn may_name_a_program(name: &str) -> bool {
    means(Class::Program, &name.trim().to_lowercase(), "doubtful")
}

/// Returns whether a name is that of a program.
///
/// Such a name states it (`Fritz (Computer)`, `Comp Chess Tiger`), is well known, or contains the
/// number of a version (`Komodo 9.3`).
fn names_a_program(name: &str) -> bool {
    // `Given, Family` and `Family, Given` are persons (`Fritz, Alexander`, `Junior, Jose`), unless
    // a word states that it is a program.
    if name.contains(',') && !may_state_program(name) {
        return false;
    }
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|w| !w.is_empty()).collect();
    if words.iter().any(|word| means(Class::Program, word, "computer")) {
        return true;
    }
    !name.contains(',') && are_words_of_a_program(&words)
}

/// Returns whether a name may contain `comp`, `computer` or `engine`. This check is cheaper than
/// splitting the name into words.
fn may_state_program(name: &str) -> bool {
    name.as_bytes().windows(3).any(|part| {
        let lower = [part[0] | 0x20, part[1] | 0x20, part[2] | 0x20];
        lower == *b"com" || lower == *b"eng"
    })
}

/// Returns whether the words of a name, in lower case, are those of a well-known program or contain
/// the number of a version.
fn are_words_of_a_program(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    if rest.iter().any(|word| is_version(word)) || rest.contains(&"x64") {
        return true;
    }
    let plain = first.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    // A person may be called `Hans Fritz`. A program's name comes first, alone or with a number.
    let is_edition =
        |word: &&str| is_number(word) || is_version(word) || means(Class::Program, word, "edition");
    let is_alone = rest.iter().all(is_edition);
    // Such a name alone proves nothing: people, places and teams have it too.
    if means(Class::Program, plain, "doubtful") {
        let has_companion =
            rest.first().is_some_and(|word| means(Class::Program, word, "companion"));
        return has_companion || !rest.is_empty() && is_alone;
    }
    is_alone && [plain, first].into_iter().any(|word| means(Class::Program, word, "program"))
}

/// Returns whether a word is the number of a version: `9.3`, `v0.24`.
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    number.contains('.')
        && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
}

fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// Returns whether a name in the White or Black column is that of one player, rather than of none
/// or of several.
pub fn names_a_player(name: &str) -> bool {
    why_not_a_player(name).is_none()
}

/// Returns why a name is not that of one player, or `None` if it is.
fn why_not_a_player(name: &str) -> Option<SetAside> {
    let name = name.trim();
    let joints = [" - ", "; ", " and ", " und ", " et "];
    let is_joined = name.contains(" & ")
        || joints.iter().any(|joint| {
            let sides = name.split_once(joint);
            // In `Von Heydebrand und der Lasa` no second name begins.
            sides.is_some_and(|(one, other)| {
                [one, other].iter().all(|side| side.trim().starts_with(char::is_uppercase))
            })
        });
    if is_joined || joins_two_names(name) || name.eq_ignore_ascii_case("allies") {
        return Some(SetAside::Consultation);
    }
    // `N. N.`, `---` and `0`
    let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
    NAMELESS.iter().any(|word| letters.eq_ignore_ascii_case(word)).then_some(SetAside::Nameless)
}

/// Names of no one: of a player who is not known, or of a free round.
const NAMELESS: [&str; 12] = [
    "",
    "nn",
    "nnnn",
    "bye",
    "unknown",
    "anonymous",
    "nomennescio",
    "noplayer",
    "vacant",
    "spielfrei",
    "freilos",
    "exempt",
];

/// Returns whether a sign joins two names: `A + B`, `Kasparov, G/Short, N`, `Lasker:Pillsbury`.
///
/// Both begin like names, so the plus of a version (`Cheng4 0.36c+`) joins nothing.
fn joins_two_names(name: &str) -> bool {
    let Some((one, other)) = name.split_once(['+', '/', ':']) else { return false };
    begins_like_name(one) && begins_like_name(other)
}

fn begins_like_name(part: &str) -> bool {
    let part = part.trim();
    part.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
        // A surname may begin with a particle: `Van Wely + de Firmian`.
        || part.contains(' ') && part.starts_with(char::is_lowercase)
}

/// Returns a tag without the names of the players, if it has them. A word of a name says nothing
/// about the event: in `Round 1: Maerevoet, Sim - Fabre, Felix` no one plays many.
fn without_names(tag: &str, names: [&str; 2]) -> String {
    let mut words: Vec<String> = tag_words(tag).collect();
    for name in names {
        let of_name: Vec<String> = tag_words(name).collect();
        if of_name.iter().all(|word| words.contains(word)) {
            words.retain(|word| !of_name.contains(word));
        }
    }
    words.join(" ")
}

/// Splits a tag into words in lower case, without digits at their ends: `sim2` becomes `sim`. Words
/// of digits alone stay, and so does `chess960`.
pub fn tag_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(|word| {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        // The number of Chess960 is part of its name.
        let is_whole = stem.is_empty() || word.ends_with("960");
        if is_whole { word.to_lowercase() } else { stem.to_lowercase() }
    })
}

/// Returns the rapid series that an Event tag names without its tempo: the PCA's Grand Prix of 1994
/// to 1996, Monaco's Amber tournaments, chess on television.
///
/// Some were rapid in certain years only.
fn rapid_series(event: &str) -> Vec<&'static Entry> {
    let words = TagWords::parse(tag_words(event));
    words.of(Class::Series).filter(|row| row.meaning == SetAside::Rapid.word()).collect()
}

/// Returns why the words of an Event or Site tag, in the usual languages, exclude a game from the
/// rated ones. `Rapid City` is a town.
fn reason_by_words(text: &str) -> Option<SetAside> {
    let words = TagWords::parse(tag_words(text));
    let reason = words.of(Class::Tempo).find_map(|row| SetAside::from_str(row.meaning).ok());
    let reason = reason.filter(|_| !words.mean(Class::Tempo, "name"));
    reason.or_else(|| reason_by_minutes(&text.to_lowercase()))
}

/// Returns the tempo of a number of minutes for the game.
fn reason_by_minutes(text: &str) -> Option<SetAside> {
    match stated_minutes(text)? {
        0..=10 => Some(SetAside::Blitz),
        11..=60 => Some(SetAside::Rapid),
        _ => None,
    }
}

/// Returns the number of minutes for the game that a text in lower case states, as in `g/25+10`,
/// `25'`, `25 min` or `5 plus 0`.
pub(super) fn stated_minutes(text: &str) -> Option<u32> {
    let words = text.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', '.']));
    let words: Vec<&str> = words.collect();
    (0..words.len()).find_map(|place| minutes_of(&words[place..]))
}

/// The highest age (years) of a group of young players, whose signs are those of minutes: `G16`.
const OLDEST_OF_YOUTH: u32 = 20;

/// Returns the minutes for the game with which some words begin. Seconds for each of sixty moves
/// are as many minutes.
fn minutes_of(words: &[&str]) -> Option<u32> {
    let [word, rest @ ..] = words else { return None };
    if let Some(digits) = word.strip_prefix("g/").or_else(|| word.strip_suffix('\'')) {
        return leading_number(digits).map(|(minutes, _)| minutes);
    }
    let signed = ["game/", "g-", "g", "p-", "p'"].iter().find_map(|sign| word.strip_prefix(sign));
    if let Some(minutes) = signed.and_then(|minutes| minutes.parse::<u32>().ok()) {
        let is_of_time = minutes > OLDEST_OF_YOUTH || word.starts_with('p');
        return Some(minutes).filter(|minutes| is_of_time && minutes.is_multiple_of(5));
    }
    match (word.split_once(['+', '|', '/']), rest) {
        // `15+10` or `15m+10s`, but not the players over 50 of `50+`.
        (Some((minutes, seconds)), _) if word.contains(['+', '|']) && *word != "+" => {
            Some(amount(minutes, MINUTES)? + amount(seconds, SECONDS)?)
        }
        // `30/30` is no season, as `97/98` is.
        (Some((minutes, moves)), _) if minutes == moves => minutes.parse().ok(),
        // `Game 30`, `Game in 30`
        (None, [minutes, ..]) if *word == "game" && minutes.parse::<u32>().is_ok() => {
            minutes.parse().ok().filter(|minutes| *minutes > OLDEST_OF_YOUTH)
        }
        (None, ["in", minutes, ..]) if *word == "game" => minutes.parse().ok(),
        // `10m + 0s`
        (None, ["plus" | "+", seconds, ..]) => {
            Some(amount(word, MINUTES)? + amount(seconds, SECONDS)?)
        }
        // `15 min`, `2x15 min`, `20min/KO`, `30-minute`
        _ => {
            let (minutes, unit) = leading_number(word.rsplit('x').next()?)?;
            let unit = if unit.is_empty() { rest.first()? } else { unit.trim_start_matches('-') };
            let end = unit.find(|c: char| !c.is_alphabetic()).unwrap_or(unit.len());
            means(Class::Tempo, &unit[..end], "minutes").then_some(minutes)
        }
    }
}

/// Splits a text after the number with which it begins.
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Units behind the number of minutes and of seconds of a time control.
const MINUTES: &[&str] = &["min", "m", "'"];
const SECONDS: &[&str] = &["sec", "s", "\"", "''"];

/// Parses a number with or without a unit.
fn amount(text: &str, units: &[&str]) -> Option<u32> {
    let number = units.iter().find_map(|unit| text.strip_suffix(unit));
    number.unwrap_or(text).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_tags_show_what_is_not_classical_chess() {
        for (tag, reason) in [
            ("WCh Rapid TB 2016", Some(SetAside::Rapid)),
            ("GM Blitz Playoff", Some(SetAside::Blitz)),
            ("9th Norway Armageddon", Some(SetAside::Blitz)),
            ("Candidats qf3 rapid60", Some(SetAside::Rapid)),
            ("Porzellan Cup rap", Some(SetAside::Rapid)),
            ("Rapperswil op", None),
            ("FIDE-Wch k.o. g/25+10", Some(SetAside::Rapid)),
            ("Candidats m1 g/45", Some(SetAside::Rapid)),
            ("World Youth G14", None),
            ("Bamberg", None),
            ("Leon Man+Comp m", Some(SetAside::Consultation)),
            ("Lodz 5'", Some(SetAside::Blitz)),
            ("Lodz 10m + 0s", Some(SetAside::Blitz)),
            ("Lodz 15min+10sec", Some(SetAside::Rapid)),
            ("Lodz 90m + 30s", None),
            ("Testville, Canada (Active Championship)", Some(SetAside::Rapid)),
            ("Kansas Action Open", Some(SetAside::Rapid)),
            ("Quick Chess Open", Some(SetAside::Rapid)),
            ("Allegro Cup", Some(SetAside::Rapid)),
            ("Blixtschack Lund", Some(SetAside::Blitz)),
            ("DM i Lyn", Some(SetAside::Blitz)),
            ("Hurtigskak Aarhus", Some(SetAside::Rapid)),
            ("Pikashakki Turku", Some(SetAside::Blitz)),
            ("Budapest Gyors", Some(SetAside::Rapid)),
            ("Blesk Brno", Some(SetAside::Blitz)),
            ("Torneo Semirrápido", Some(SetAside::Rapid)),
            ("Championnat parties rapides", Some(SetAside::Rapid)),
            ("Быстрые шахматы", Some(SetAside::Rapid)),
            ("Open 25 min.", Some(SetAside::Rapid)),
            ("Open 90 min", None),
            ("Open 5 Plus 0", Some(SetAside::Blitz)),
            ("Bank Plus Cup", None),
            ("Open 15+10", Some(SetAside::Rapid)),
            ("Open 90+30", None),
            ("Senior 50+", None),
            ("Open 30/30", Some(SetAside::Rapid)),
            ("Open 15|10", Some(SetAside::Rapid)),
            ("Open P-15", Some(SetAside::Rapid)),
            ("Game 30 Open", Some(SetAside::Rapid)),
            ("Game in 25", Some(SetAside::Rapid)),
            ("G/5 Open", Some(SetAside::Blitz)),
            ("30-minute Open", Some(SetAside::Rapid)),
            ("2x15 min", Some(SetAside::Rapid)),
            ("20min/KO", Some(SetAside::Rapid)),
            ("5-Minuten-Turnier", Some(SetAside::Blitz)),
            ("Five-minute Tournament", Some(SetAside::Blitz)),
            ("Campionato Semi-lampo", Some(SetAside::Rapid)),
            ("NK Snelschaken", Some(SetAside::Blitz)),
            ("Бліц Львів", Some(SetAside::Blitz)),
            ("Chess960 Open", Some(SetAside::Variant)),
            ("Chess 960", Some(SetAside::Variant)),
            ("Rapid City Open", None),
            ("Schneller Cup", None),
            ("World Youth G-16", None),
            ("Game 12", None),
            ("6x6 Open", None),
            ("Rilton Cup 97/98", None),
            ("Lyngby op", None),
            ("Reactive Cup", None),
            ("FIDE-Wch k.o. Sudden Death", Some(SetAside::Blitz)),
            ("Mtel - Blindfold", Some(SetAside::Blindfold)),
            ("Moscow sim2", Some(SetAside::Simultaneous)),
            ("Nuremberg consult", Some(SetAside::Consultation)),
            ("corres we 1987", Some(SetAside::Correspondence)),
            ("Fernpartie", Some(SetAside::Correspondence)),
            ("Blitzturnier Bad Salzuflen", Some(SetAside::Blitz)),
            ("Testville online", Some(SetAside::Internet)),
            ("idChess.com", None),
            ("Vienna playoff-1pl", None),
            ("London 'Immortal game'", None),
            ("Simferopol", None),
            ("Rapidville-on-Sea Open", None),
            ("Hastings 3031", None),
        ] {
            assert_eq!(reason_by_words(tag), reason, "{tag}");
        }
    }

    #[test]
    fn a_single_word_may_name_a_program_and_a_full_name_does_not() {
        assert!(may_name_a_program("Hydra") && !names_a_program("Hydra"));
        assert!(!may_name_a_program("Junior, Jose") && !may_name_a_program("Hydra Chess Club"));
    }

    #[test]
    fn a_rapid_edition_is_recognised_by_its_year() {
        let is_rapid = |event, year| {
            rapid_series(event).into_iter().any(|series| series.applies(Some(year), ""))
        };
        assert!(is_rapid("EuroTel Trophy", 2002));
        assert!(!is_rapid("EuroTel Trophy", 1999));
        assert!(!is_rapid("Eurotelecom Open", 2002));
    }

    #[test]
    fn rapid_series_are_recognised_by_whole_words() {
        for event in [
            "PCA/Intel-GP",
            "Moscow PCA-GP",
            "Geneve Credit Suisse",
            "Amber-rapid 11th",
            "Chess Classics Giants",
            "TechM GCL",
            "Hamburg TV-1pl",
        ] {
            assert!(!rapid_series(event).is_empty(), "{event}");
        }
        for event in [
            "Bamberg",
            "Chambery",
            "Credit Suisse Masters",
            "London Chess Classic",
            "Intelligence Cup",
        ] {
            assert!(rapid_series(event).is_empty(), "{event}");
        }
    }

    #[test]
    fn programs_are_distinguished_from_people() {
        for name in [
            "Deep Blue",
            "Deep Thought",
            "Stockfish",
            "Stockfish 15",
            "Komodo 9.3",
            "LCZero v0.24-sv-t60",
            "Fritz (Computer)",
            "Comp Chess Tiger",
            "Mephisto Lyon 68030 (Computer)",
            "Xyz 2.1 x64",
            "Zappa Mexico II",
            "Stockfish dev-20230101",
        ] {
            assert!(names_a_program(name), "{name}");
        }
        for name in [
            "Fritz, Alexander",
            "Fritz Saemisch",
            "Junior, Jose",
            "Karthikeyan,M2",
            "Genius",
            "Compte, A",
            "Nunn, John",
            "Laser, Em",
            "St. Amant",
            "Deepan",
            "Botvinnik, M.",
            "Firouzja",
        ] {
            assert!(!names_a_program(name), "{name}");
        }
    }

    #[test]
    fn missing_and_several_players_are_distinguished_from_one() {
        assert_eq!(why_not_a_player("NN"), Some(SetAside::Nameless));
        assert_eq!(why_not_a_player("Lasker, Emanuel + Pillsbury"), Some(SetAside::Consultation));
        assert_eq!(
            why_not_a_player("Kasparov, Garry:Crumiller, Jon"),
            Some(SetAside::Consultation)
        );
        for name in ["Van Wely + de Firmian", "Lasker/Pillsbury", "Каспаров+Карпов", "Allies"]
        {
            assert_eq!(why_not_a_player(name), Some(SetAside::Consultation), "{name}");
        }
        for name in ["Adler, A and Bauer, B", "Adler, A; Bauer, B", "Adler - Bauer"] {
            assert_eq!(why_not_a_player(name), Some(SetAside::Consultation), "{name}");
        }
        for name in
            ["", "---", "...", "???", "N. N.", "n,n", "Bye", "*", "0", "Nn, Nn", "spielfrei"]
        {
            assert_eq!(why_not_a_player(name), Some(SetAside::Nameless), "{name}");
        }
        for name in [
            "Nunn, John",
            "Deep Blue",
            "Cheng4 0.36c+",
            "+Elo",
            "A.I.+2",
            "Ng, N",
            "Byeong",
            "Von Heydebrand und der Lasa",
        ] {
            assert_eq!(why_not_a_player(name), None, "{name}");
        }
    }

    #[test]
    fn the_names_of_the_players_are_no_words_of_the_event() {
        let reason = |tag, names| reason_by_words(&without_names(tag, names));
        let names = ["Maerevoet, Sim", "Fabre, Felix"];
        for (tag, expected) in [
            ("Round 1: Maerevoet, Sim - Fabre, Felix", None),
            ("Sim Maerevoet v Felix Fabre", None),
            ("Ghent sim", Some(SetAside::Simultaneous)),
            ("Round 1: Maerevoet, Sim - Fabre, Felix (blitz)", Some(SetAside::Blitz)),
        ] {
            assert_eq!(reason(tag, names), expected, "{tag}");
        }
    }
}
