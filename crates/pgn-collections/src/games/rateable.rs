//! Decides which games are rated, and why the others are set aside.

use rustc_hash::FxHashMap;
use serde::Serialize;
use strum::IntoStaticStr;

use super::game::{Game, GameFlags};
use super::names::NameId;
use super::result::GameResult;
use super::table::GameTable;

/// Why a game is not rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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
    /// One player has both sides.
    OnePlayer,
}

impl SetAside {
    /// Returns the reason in words.
    pub fn words(self) -> &'static str {
        match self {
            SetAside::Duplicate => "duplicate",
            SetAside::NoResult => "no result",
            SetAside::Nameless => "a side without a name",
            SetAside::OnePlayer => "one player on both sides",
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

/// Decides which games are rated. It remembers the decision about each tag value.
#[derive(Debug, Default)]
pub struct Rateable {
    events: FxHashMap<NameId, Option<SetAside>>,
    players: FxHashMap<NameId, Option<SetAside>>,
    programs: FxHashMap<NameId, bool>,
    servers: FxHashMap<(NameId, NameId), bool>,
    series: FxHashMap<NameId, bool>,
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
        for player in [game.white, game.black] {
            let reason =
                *self.players.entry(player).or_insert_with(|| why_not_a_player(table.text(player)));
            if reason.is_some() {
                return reason;
            }
        }
        if game.white == game.black {
            return Some(SetAside::Nameless);
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
        let tags = (game.event, game.site);
        let is_online = *self
            .servers
            .entry(tags)
            .or_insert_with(|| is_online(table.text(game.event), table.text(game.site)));
        if is_online {
            return Some(SetAside::Internet);
        }
        let by_words = [game.event, game.site].into_iter().find_map(|tag| {
            *self.events.entry(tag).or_insert_with(|| reason_by_words(table.text(tag)))
        });
        let by_words = by_words.or_else(|| {
            let is_rapid = self
                .series
                .entry(game.event)
                .or_insert_with(|| is_of_rapid_series(table.text(game.event)));
            (*is_rapid || is_rapid_edition(table.text(game.event), game.date.year()))
                .then_some(SetAside::Rapid)
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

/// Names of programs that alone prove nothing, because people, places and teams have them too.
const NEEDS_MORE: [&str; 8] =
    ["deep", "genius", "fire", "laser", "junior", "hydra", "rebel", "allie"];

/// Returns whether a name may be that of a program, but proves it only among other programs:
/// `Hydra`, `Junior`.
pub fn may_name_a_program(name: &str) -> bool {
    NEEDS_MORE.contains(&&*name.trim().to_lowercase())
}

const PROGRAMS: [&str; 41] = [
    "stockfish",
    "komodo",
    "houdini",
    "rybka",
    "fritz",
    "shredder",
    "hiarcs",
    "leela",
    "lczero",
    "lc0",
    "alphazero",
    "deep",
    "mephisto",
    "hydra",
    "zappa",
    "crafty",
    "gull",
    "critter",
    "ethereal",
    "naum",
    "genius",
    "chessmaster",
    "cray",
    "sargon",
    "novag",
    "fidelity",
    "hitech",
    "rebel",
    "nimzo-comp",
    "junior",
    "andscacs",
    "booot",
    "laser",
    "fire",
    "fizbo",
    "equinox",
    "chiron",
    "ginkgo",
    "stoofvlees",
    "allie",
    "scorpionn",
];

/// Words that show that the word before them names a program.
const COMPANIONS: [&str; 8] =
    ["blue", "thought", "fritz", "junior", "shredder", "sjeng", "rybka", "chess"];

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
    if words.iter().any(|word| matches!(*word, "computer" | "comp" | "engine")) {
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
    let is_alone =
        rest.iter().all(|word| word.chars().all(|c| c.is_ascii_digit()) || is_version(word));
    if NEEDS_MORE.contains(&plain) {
        let has_companion = rest.first().is_some_and(|word| COMPANIONS.contains(word));
        return has_companion || !rest.is_empty() && is_alone;
    }
    is_alone && (PROGRAMS.contains(&plain) || PROGRAMS.contains(first))
}

/// Returns whether a word is the number of a version: `9.3`, `v0.24`.
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    number.contains('.')
        && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
}

/// Servers that also broadcast games played over the board.
const SERVERS: [&str; 8] = [
    "lichess.org",
    "chess.com",
    "chess24.com",
    "playchess",
    "idchess",
    "chessbase.com",
    "follow.chess",
    "worldchess.com",
];

/// Returns whether a Site tag names a server and no place.
pub fn is_server(site: &str) -> bool {
    let lower = site.to_lowercase();
    lower.starts_with("http://")
        || lower.starts_with("https://")
        || SERVERS.iter().any(|server| lower.contains(server))
}

/// Returns whether a game was played on a server.
///
/// A server as the site does not suffice, because servers broadcast games over the board.
fn is_online(event: &str, site: &str) -> bool {
    // Names that servers give to the games that are played on them.
    const OWN: [&str; 13] = [
        "rated ",
        "casual ",
        "live chess",
        "hourly ",
        "let's play",
        "titled tue",
        "titled arena",
        "titled cup",
        "speed chess",
        "pro chess league",
        "bullet chess",
        "internet",
        "thematic arena",
    ];
    let (event, place) = (event.to_lowercase(), site.to_lowercase());
    let on_server = is_server(site);
    // The site `chess.com INT` is in no country.
    let nowhere = site.split_whitespace().any(|word| word == "INT");
    (on_server && nowhere)
        || ((on_server || place.is_empty() || place == "?")
            && OWN.iter().any(|words| event.starts_with(words)))
        || (on_server && event.ends_with(" arena"))
        || ["titled tue", "titled arena", "speed chess champ"].iter().any(|w| event.contains(w))
}

/// Returns whether a name in the White or Black column is that of one player, rather than of none
/// or of several.
pub fn names_a_player(name: &str) -> bool {
    why_not_a_player(name).is_none()
}

/// Returns why a name is not that of one player, or `None` if it is.
fn why_not_a_player(name: &str) -> Option<SetAside> {
    let name = name.trim();
    // `A + B`, `A & B`, `Kasparov, G/Short, N`, `Lasker:Pillsbury`
    if name.contains('+')
        || name.contains(" & ")
        || name.split_once(['/', ':']).is_some_and(|(one, other)| {
            one.trim().starts_with(char::is_uppercase)
                && other.trim().starts_with(char::is_uppercase)
        })
        || name.eq_ignore_ascii_case("allies")
    {
        return Some(SetAside::Consultation);
    }
    let nameless = ["", "?", "-", "nn", "n.n.", "n. n.", "n, n", "bye", "unknown", "anonymous"];
    nameless.iter().any(|word| name.eq_ignore_ascii_case(word)).then_some(SetAside::Nameless)
}

/// Splits a tag into words in lower case, without digits at their ends: `sim2` becomes `sim`. Words
/// of digits alone stay.
pub fn tag_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(|word| {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if stem.is_empty() { word.to_owned() } else { stem.to_lowercase() }
    })
}

/// Series of rapid events whose names do not state the tempo, by whole words of Event tags.
///
/// They are the PCA's Grand Prix of 1994 to 1996 (25 minutes; sponsors Intel and, in Geneva, Credit
/// Suisse), Monaco's Amber tournaments, the
/// Chess Classics of Frankfurt and Mainz, the Immopar trophies of Paris, Corsica's Masters, the
/// tournaments of Cap d'Agde, the Global Chess League, the Champions Showdowns of Saint Louis and
/// the Champions Chess Tour. [`is_of_rapid_series`] adds chess on television.
const RAPID_SERIES: [&str; 18] = [
    "intel-gp",
    "intel gp",
    "intel grand prix",
    "pca-gp",
    "pca gp",
    "pca grand prix",
    "geneve credit suisse",
    "geneva credit suisse",
    "amber",
    "chess classics",
    "mainz chess",
    "immopar",
    "gcl",
    "global chess league",
    "corsica masters",
    "cap d'agde",
    "champions showdown",
    "champions chess tour",
];

/// Rapid editions of series that were otherwise classical, as a word of the Event tag and a year.
///
/// The Eurotel Trophy of Prague, for example, was a match with one game a day in 1998 and 1999.
const RAPID_EDITIONS: [(&str, i16); 1] = [("eurotel", 2002)];

/// Returns whether an Event tag and the year of a game name a rapid edition.
fn is_rapid_edition(event: &str, year: Option<i16>) -> bool {
    RAPID_EDITIONS
        .iter()
        .any(|(series, of)| year == Some(*of) && tag_words(event).any(|word| word == *series))
}

/// Returns whether an Event tag names a rapid series.
fn is_of_rapid_series(event: &str) -> bool {
    let lower = event.to_lowercase();
    let spaced: String = lower
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' || c == '\'' { c } else { ' ' })
        .collect();
    let padded = format!(" {spaced} ");
    RAPID_SERIES.iter().any(|series| padded.contains(&format!(" {series} ")))
        || spaced
            .split(' ')
            .any(|word| word == "tv" || word.starts_with("tv-") || word.starts_with("amber-"))
}

/// Compounds (`Fernpartie`, `Blitzturnier`, `Schnellschach`) and abbreviations (`corres`) that
/// exclude a game, by their beginnings.
const EXCLUDING_BEGINNINGS: [(&str, SetAside); 12] = [
    ("corres", SetAside::Correspondence),
    ("korresp", SetAside::Correspondence),
    ("corrisp", SetAside::Correspondence),
    ("fernpart", SetAside::Correspondence),
    ("fernschach", SetAside::Correspondence),
    ("fernturn", SetAside::Correspondence),
    ("simultan", SetAside::Simultaneous),
    ("blitz", SetAside::Blitz),
    ("schnell", SetAside::Rapid),
    ("snelschaak", SetAside::Rapid),
    ("snabbschack", SetAside::Rapid),
    ("rapidplay", SetAside::Rapid),
];

/// Returns why a word of a tag, in lower case, excludes a game from the rated ones.
fn reason_by_word(word: &str) -> Option<SetAside> {
    Some(match word {
        "sim" | "simul" => SetAside::Simultaneous,
        "blindfold" | "blind" | "blindsim" | "blindsimul" | "ciegas" | "cieca" => {
            SetAside::Blindfold
        }
        "consult" | "consultation" | "beratung" => SetAside::Consultation,
        "corr" | "postal" | "iccf" | "iecg" | "iecc" | "email" | "webserver" => {
            SetAside::Correspondence
        }
        // `rap` ends a tag that was cut short.
        "rap" | "rapid" | "rapids" | "rapide" | "rapido" | "rapida" | "rapidas" | "semirapid"
        | "activechess" => SetAside::Rapid,
        "bullet" | "armageddon" | "lightning" | "relampago" | "lampo" | "lynskak" => {
            SetAside::Blitz
        }
        "internet" | "online" | "icc" => SetAside::Internet,
        _ => {
            let mut beginnings = EXCLUDING_BEGINNINGS.iter();
            return beginnings
                .find(|(start, _)| word.starts_with(start))
                .map(|(_, reason)| *reason);
        }
    })
}

/// Returns why the words of an Event or Site tag, in the usual languages, exclude a game from the
/// rated ones.
fn reason_by_words(text: &str) -> Option<SetAside> {
    let lower = text.to_lowercase();
    if lower.contains("sudden death") {
        return Some(SetAside::Blitz);
    }
    // Players with the help of programs are two on each side.
    if lower.contains("man+comp") || lower.contains("advanced chess") {
        return Some(SetAside::Consultation);
    }
    if lower.contains("e-mail") {
        return Some(SetAside::Correspondence);
    }
    tag_words(text).find_map(|word| reason_by_word(&word)).or_else(|| reason_by_minutes(&lower))
}

/// Returns the tempo of a number of minutes for the game, as in `g/25+10` or `25'`.
fn reason_by_minutes(text: &str) -> Option<SetAside> {
    let minutes = text.split_whitespace().find_map(|word| {
        let digits = word.strip_prefix("g/").or_else(|| word.strip_suffix('\''))?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse::<u32>().ok()
    })?;
    match minutes {
        0..=10 => Some(SetAside::Blitz),
        11..=60 => Some(SetAside::Rapid),
        _ => None,
    }
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
        assert!(is_rapid_edition("EuroTel Trophy", Some(2002)));
        assert!(!is_rapid_edition("EuroTel Trophy", Some(1999)));
        assert!(!is_rapid_edition("Eurotelecom Open", Some(2002)));
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
            assert!(is_of_rapid_series(event), "{event}");
        }
        for event in [
            "Bamberg",
            "Chambery",
            "Credit Suisse Masters",
            "London Chess Classic",
            "Intelligence Cup",
        ] {
            assert!(!is_of_rapid_series(event), "{event}");
        }
    }

    #[test]
    fn a_server_as_the_site_does_not_make_an_online_game() {
        for (event, site, online) in [
            ("Tata Steel", "chess.com INT", true),
            ("Rated Blitz game", "https://lichess.org/AbCdEfGh", true),
            ("Live Chess", "Chess.com", true),
            ("Titled Tuesday 12th", "?", true),
            ("Round 1: Aronian - Bacrot", "https://lichess.org/broadcast/-/-/AbCdEfGh", false),
            ("FIDE Chess.com Grand Swiss 2019", "Douglas ENG", false),
            ("Testville", "idChess.com", false),
            ("Rated Open", "Zurich", false),
        ] {
            assert_eq!(is_online(event, site), online, "{event}, {site}");
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
        assert_eq!(why_not_a_player("Nunn, John"), None);
        assert_eq!(why_not_a_player("Deep Blue"), None);
    }
}
