//! Events: groups of games with a name, a kind, a coverage, an order.

use super::event_format::Recognised;
use super::known_results::KnownEvent;
use super::tag::{SegmentKind, is_year};
use crate::games::{GameTable, PartialDate, Tempo, TempoReason};
use crate::players::{PlayerId, Players, fold};
use crate::tournament::Kind;

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Identifier for URLs: `vienna-1898`.
    pub id: String,
    /// Name as people read it.
    pub name: String,
    /// Its own name in the tags.
    pub tag: String,
    /// The place as people call it, may be empty.
    pub site: String,
    /// The place as its tags have it, without the country behind it; may be empty.
    pub tagged_site: String,
    /// First day, as far as known.
    pub start: PartialDate,
    /// Last day, as far as known.
    pub end: PartialDate,
    /// What sort of competition it is.
    pub kind: Kind,
    /// What its pairing table shows.
    pub recognised: Recognised,
    /// How fast it was played.
    pub tempo: Tempo,
    /// By what that is known.
    pub tempo_reason: TempoReason,
    /// How many of its players are programs.
    pub programs: usize,
    /// The field, in the order of the ids.
    pub players: Vec<PlayerId>,
    /// Its games in playing order.
    pub games: Vec<EventGame>,
    /// What history knows of it, if it is a famous one.
    pub known: Option<KnownEvent>,
    /// What was mended to make it, for people.
    pub reasons: Vec<String>,
    /// Identifier of the cycle or knock-out of which this is a match; its games are there as well.
    pub part_of: Option<String>,
    /// Whether its performances are ranked elsewhere: those of a cycle with its matches, those of a match
    /// of a knock-out with that. No game is ranked twice.
    pub ranked_elsewhere: bool,
    /// What its tags and its table say of it, where the Ratings Administrator says something else.
    pub detected: Option<Box<DetectedProperties>>,
}

/// What the tags and the pairing table of an event say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectedProperties {
    /// Its kind.
    pub kind: Kind,
    /// How fast it was played.
    pub tempo: Tempo,
    /// What its pairing table shows.
    pub recognised: Recognised,
}

/// A game of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventGame {
    /// Row of the game table.
    pub row: usize,
    /// Index of White in the event's field.
    pub white: usize,
    /// Index of Black in the event's field.
    pub black: usize,
    /// Which part of the event.
    pub segment: SegmentKind,
    /// The stage of a cycle, in the order of playing; 0 where there are none.
    pub stage: u8,
    /// Whether it was played.
    pub played: bool,
    /// Whether it enters the analysis (the administrator may leave a segment out).
    pub analysed: bool,
    /// Place in the order where rounds or dates tell it.
    pub sequence: Option<u32>,
}

/// Words that events of all sorts are called by.
const GENERIC: [&str; 14] = [
    "the",
    "open",
    "match",
    "world",
    "fide",
    "chess",
    "cup",
    "masters",
    "final",
    "international",
    "tournament",
    "rapid",
    "blitz",
    "mem",
];

/// Days between an event and a tie-break of it.
const TIE_BREAK_DAYS: i32 = 3;

impl Event {
    /// Games found over games expected, in `[0, 1]`.
    pub fn coverage(&self) -> f64 {
        self.recognised.coverage()
    }

    /// Who played, in short: the first and the last of the players by their surnames, and how many there were.
    /// It is another where another event has come to the identifier of this.
    pub fn field(&self, players: &Players) -> String {
        let mut surnames: Vec<(String, &str)> = self
            .players
            .iter()
            .map(|player| players.get(*player).surname())
            .map(|surname| (fold(surname), surname))
            .collect();
        surnames.sort_unstable();
        match &surnames[..] {
            [(_, first), .., (_, last)] => format!("{first} to {last}, {} players", surnames.len()),
            _ => "nobody".to_owned(),
        }
    }

    /// Remembers what was found, before a person says something else.
    pub fn keep_detected(&mut self) {
        let found = || {
            let (kind, tempo, recognised) = (self.kind, self.tempo, self.recognised.clone());
            Box::new(DetectedProperties { kind, tempo, recognised })
        };
        self.detected = self.detected.take().or_else(|| Some(found()));
    }

    /// Whether nothing tells which event it was: it has no name, and no place or no year.
    pub fn is_nameless(&self) -> bool {
        is_no_name(&self.tag) && (self.site.is_empty() || self.start.year().is_none())
    }

    /// How many games each segment has, in the order of the segments.
    pub fn segments(&self) -> Vec<(SegmentKind, usize)> {
        [SegmentKind::Main, SegmentKind::Extra, SegmentKind::PlayOff]
            .into_iter()
            .map(|kind| (kind, self.games.iter().filter(|game| game.segment == kind).count()))
            .filter(|(_, games)| *games > 0)
            .collect()
    }

    /// Whether this event of rapid or blitz games is a tie-break of another: of the same name or place and
    /// time, and among a few of its players, or those of a knock-out.
    pub(super) fn is_tie_break_of(&self, slower: &Event) -> bool {
        let inside =
            self.players.iter().filter(|player| slower.players.binary_search(player).is_ok());
        if inside.count() < self.players.len() {
            return false;
        }
        let is_of_few = self.players.len() <= 4.max(slower.players.len() / 3)
            && self.games.len() < slower.games.len().max(6);
        let is_of_knock_out =
            slower.kind == Kind::KnockOut && self.games.len() < slower.games.len();
        // The openers of all players against each other (`Norway blitz`) are events.
        if !is_of_knock_out
            && (!is_of_few || self.players.len() == slower.players.len() && self.players.len() > 2)
        {
            return false;
        }
        let same_place = !self.site.is_empty() && self.site == slower.site;
        let words = |tag: &str| -> Vec<String> {
            crate::games::tag_words(&fold(tag))
                .filter(|word| {
                    word.len() > 2 && !is_year(word) && !GENERIC.contains(&word.as_str())
                })
                .collect()
        };
        let (mine, theirs) = (words(&self.tag), words(&slower.tag));
        if !same_place && !mine.iter().any(|word| theirs.contains(word)) {
            return false;
        }
        match (self.start.day_exact(), slower.start.earliest(), slower.end.latest()) {
            (Some(day), Some(start), Some(end)) => {
                (day - start).get_days() >= -TIE_BREAK_DAYS
                    && (day - end).get_days() <= TIE_BREAK_DAYS
            }
            _ => true,
        }
    }
}

/// Whether a tag names nothing: `?`, `-`.
pub(super) fn is_no_name(tag: &str) -> bool {
    !tag.chars().any(char::is_alphanumeric)
}

/// By how many points the first of the two players of a match leads.
pub(super) fn lead_of_first(table: &GameTable, games: &[EventGame]) -> f64 {
    games
        .iter()
        .filter_map(|game| Some((game, table.games()[game.row].result.white_score()?)))
        .map(|(game, white)| if game.white == 0 { 2.0 * white - 1.0 } else { 1.0 - 2.0 * white })
        .sum()
}
