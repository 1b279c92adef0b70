//! Which games count, and why the others are set aside.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::names::NameId;
use super::result::GameResult;
use super::table::{Game, GameTable, Signs};

/// Why a game is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SetAside {
    /// The same game was read before.
    Duplicate,
    /// No result.
    NoResult,
    /// `NN`, `BYE`, or no name at all.
    Nameless,
    /// Several persons on one side.
    Consultation,
    /// Not from the normal starting position.
    SetUp,
    /// Not standard chess.
    Variant,
    /// One against many.
    Simultaneous,
    /// Without sight of the board.
    Blindfold,
    /// By post, by telegraph, by server.
    Correspondence,
    /// Faster than classical chess.
    Rapid,
    /// Faster still.
    Blitz,
    /// Played on a server.
    Internet,
}

impl SetAside {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            SetAside::Duplicate => "duplicate",
            SetAside::NoResult => "no result",
            SetAside::Nameless => "a side without a name",
            SetAside::Consultation => "consultation",
            SetAside::SetUp => "not from the starting position",
            SetAside::Variant => "not standard chess",
            SetAside::Simultaneous => "simultaneous display",
            SetAside::Blindfold => "blindfold",
            SetAside::Correspondence => "correspondence",
            SetAside::Rapid => "rapid",
            SetAside::Blitz => "blitz",
            SetAside::Internet => "internet",
        }
    }
}

/// Decides which games count; remembers what it made of each tag text.
#[derive(Debug, Default)]
pub struct Rateable {
    events: FxHashMap<NameId, Option<SetAside>>,
    players: FxHashMap<NameId, Option<SetAside>>,
}

impl Rateable {
    /// The reason to set a game aside, if there is one: tags first, then words in Event and Site.
    /// (Unplayed games are not set aside: they give their point in the table.)
    pub fn reason(&mut self, table: &GameTable, game: &Game) -> Option<SetAside> {
        if game.result == GameResult::Unknown {
            return Some(SetAside::NoResult);
        }
        for player in [game.white, game.black] {
            let reason =
                *self.players.entry(player).or_insert_with(|| of_player(table.text(player)));
            if reason.is_some() {
                return reason;
            }
        }
        if game.white == game.black {
            return Some(SetAside::Nameless);
        }
        let by_tag = [
            (Signs::SET_UP, SetAside::SetUp),
            (Signs::VARIANT, SetAside::Variant),
            (Signs::SIMULTANEOUS, SetAside::Simultaneous),
            (Signs::CORRESPONDENCE, SetAside::Correspondence),
            (Signs::BLITZ, SetAside::Blitz),
            (Signs::RAPID, SetAside::Rapid),
        ];
        if let Some((_, reason)) = by_tag.into_iter().find(|(sign, _)| game.signs.contains(*sign)) {
            return Some(reason);
        }
        [game.event, game.site]
            .into_iter()
            .find_map(|tag| *self.events.entry(tag).or_insert_with(|| of_words(table.text(tag))))
    }
}

/// Whether a name in the White or Black column is that of one player: not nobody, not several.
pub fn names_a_player(name: &str) -> bool {
    of_player(name).is_none()
}

/// What a name says: nobody, or several.
fn of_player(name: &str) -> Option<SetAside> {
    let name = name.trim();
    // `A + B`, `A & B`, `Kasparov, G/Short, N`, `Lasker:Pillsbury`
    let both_are_names = || {
        name.split_once(['/', ':']).is_some_and(|sides| {
            let is_name = |side: &str| side.trim().starts_with(char::is_uppercase);
            is_name(sides.0) && is_name(sides.1)
        })
    };
    let several = name.contains('+') || name.contains(" & ") || both_are_names();
    if several || name.eq_ignore_ascii_case("allies") {
        return Some(SetAside::Consultation);
    }
    let nobody = ["", "?", "-", "nn", "n.n.", "n. n.", "n, n", "bye", "unknown", "anonymous"];
    nobody.iter().any(|word| name.eq_ignore_ascii_case(word)).then_some(SetAside::Nameless)
}

/// Lower-case words of a tag, with the digits at their end cut off (`sim2` is `sim`); words of
/// digits alone stay.
pub fn tag_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(|word| {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if stem.is_empty() { word.to_owned() } else { stem.to_lowercase() }
    })
}

/// What the words of an Event or Site tag say, in the usual languages.
fn of_words(text: &str) -> Option<SetAside> {
    let by_word = |word: &str| {
        Some(match word {
            "sim" | "simul" | "simultaneous" | "simultan" | "simultanea" | "simultanee" => {
                SetAside::Simultaneous
            }
            "blindfold" | "blind" | "blindsim" | "blindsimul" | "ciegas" => SetAside::Blindfold,
            "consult" | "consultation" | "beratung" => SetAside::Consultation,
            "corr" | "correspondence" | "fernschach" | "postal" | "iccf" => {
                SetAside::Correspondence
            }
            "rapid" | "rapidplay" | "rapide" | "rapido" | "schnellschach" => SetAside::Rapid,
            "blitz" | "bullet" | "armageddon" | "lightning" => SetAside::Blitz,
            "internet" | "online" | "lichess" | "playchess" => SetAside::Internet,
            _ => return None,
        })
    };
    let lower = text.to_lowercase();
    if lower.contains("chess.com") || lower.contains("chess24.com") {
        return Some(SetAside::Internet);
    }
    if lower.contains("sudden death") {
        return Some(SetAside::Blitz);
    }
    tag_words(text).find_map(|word| by_word(&word)).or_else(|| of_minutes(&lower))
}

/// `g/25+10`, `25'`: minutes for the game.
fn of_minutes(text: &str) -> Option<SetAside> {
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
    fn words_in_tags_tell_what_is_not_classical_chess() {
        for (tag, reason) in [
            ("WCh Rapid TB 2016", Some(SetAside::Rapid)),
            ("GM Blitz Playoff", Some(SetAside::Blitz)),
            ("9th Norway Armageddon", Some(SetAside::Blitz)),
            ("Candidats qf3 rapid60", Some(SetAside::Rapid)),
            ("FIDE-Wch k.o. g/25+10", Some(SetAside::Rapid)),
            ("Candidats m1 g/45", Some(SetAside::Rapid)),
            ("Lodz 5'", Some(SetAside::Blitz)),
            ("FIDE-Wch k.o. Sudden Death", Some(SetAside::Blitz)),
            ("Mtel - Blindfold", Some(SetAside::Blindfold)),
            ("Moscow sim2", Some(SetAside::Simultaneous)),
            ("Nuremberg consult", Some(SetAside::Consultation)),
            ("chess.com INT", Some(SetAside::Internet)),
            ("Vienna playoff-1pl", None),
            ("London 'Immortal game'", None),
            ("Simferopol", None),
            ("Rapidville-on-Sea Open", None),
            ("Hastings 3031", None),
        ] {
            assert_eq!(of_words(tag), reason, "{tag}");
        }
    }

    #[test]
    fn nobody_and_several_are_told_from_players() {
        assert_eq!(of_player("NN"), Some(SetAside::Nameless));
        assert_eq!(of_player("Lasker, Emanuel + Pillsbury"), Some(SetAside::Consultation));
        assert_eq!(of_player("Kasparov, Garry:Crumiller, Jon"), Some(SetAside::Consultation));
        assert_eq!(of_player("Nunn, John"), None);
        assert_eq!(of_player("Deep Blue"), None);
    }
}
