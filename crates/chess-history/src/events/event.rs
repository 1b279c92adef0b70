//! Events: groups of games with a name, a kind, a coverage and an order.

use std::collections::BTreeSet;

use super::known_results::{Ending, KnownEvent, Scoring};
use super::recognised::Recognised;
use super::series::IdentifiedSeries;
use super::stated_facts::StatedFacts;
use super::tag::{SegmentKind, is_year};
use crate::games::lexicon::{self, Class};
use crate::games::{GameTable, PartialDate, Round, Tempo, TempoReason, tag_words};
use crate::gazetteer::{country, country_of_name};
use crate::players::{PlayerId, Players, fold};
use crate::tournament::Kind;

/// An event: its players and games, its name and dates, and what its pairing table shows.
#[derive(Clone, Debug)]
pub struct Event {
    /// Identifier for URLs: `vienna-1898`.
    pub id: String,
    /// The name that readers see.
    pub name: String,
    /// Its own name in the tags.
    pub tag: String,
    /// The common name of the place; may be empty.
    pub site: String,
    /// The place in the tags, without the country after it; may be empty.
    pub tagged_site: String,
    /// First day, as precisely as known.
    pub start: PartialDate,
    /// Last day, as precisely as known.
    pub end: PartialDate,
    /// The kind of competition.
    pub kind: Kind,
    /// What its pairing table shows.
    pub recognised: Recognised,
    /// What its tags state of it.
    pub stated: StatedFacts,
    /// How fast it was played.
    pub tempo: Tempo,
    /// The evidence for the tempo.
    pub tempo_reason: TempoReason,
    /// How many of its players are programs.
    pub programs: usize,
    /// The players, in the order of their ids.
    pub players: Vec<PlayerId>,
    /// The games, in playing order.
    pub games: Vec<EventGame>,
    /// The known result of a famous event.
    pub known: Option<KnownEvent>,
    /// What was corrected to assemble it, as sentences for readers.
    pub reasons: Vec<String>,
    /// Identifier of the cycle or knock-out of which this is a match, or of the event of which it
    /// is a stage. That event contains its games too.
    pub part_of: Option<String>,
    /// First and last day of a cycle or knock-out according to its matches, where each of them has
    /// a month; an unknown day has no parts.
    pub days_of_parts: (PartialDate, PartialDate),
    /// Whether its performances are ranked with another event, so that no game is ranked twice.
    ///
    /// Those of a cycle are ranked with its matches. Those of a match of a knock-out, or of a stage
    /// whose points counted in the next one, are ranked with the whole event.
    pub ranked_elsewhere: bool,
    /// The series to which it belongs, if its item of Wikidata is known.
    pub series: Option<IdentifiedSeries>,
    /// What the tags and the table show, where a decision of the Ratings Administrator differs.
    pub detected: Option<Box<DetectedProperties>>,
    /// What a decision states about its days, winners and end.
    pub decided: DecidedFacts,
}

/// Facts that neither tags nor tables show, by decision of the Ratings Administrator. They precede
/// the known result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecidedFacts {
    /// The first day of play.
    pub start: Option<PartialDate>,
    /// The last day of play.
    pub end: Option<PartialDate>,
    /// The winners, by index in the field: several for a shared win, none for an event without a
    /// winner.
    pub winners: Option<Vec<usize>>,
    /// How it ended; `None` if the decision does not say.
    pub ending: Option<Ending>,
    /// How the places follow from the games; `None` if the decision does not say.
    pub scoring: Option<Scoring>,
    /// The official points of the winner and of the second.
    pub score: Option<[f64; 2]>,
    /// The day for which rating lists are searched, if it is not the first day.
    pub list_day: Option<PartialDate>,
}

/// The properties of an event according to its tags and its pairing table.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectedProperties {
    /// The name without the decision.
    pub name: String,
    /// First day, as precisely as known.
    pub start: PartialDate,
    /// Last day, as precisely as known.
    pub end: PartialDate,
    /// The games, all of them played and analysed unless the tags show otherwise.
    pub games: Vec<EventGame>,
    /// The kind of competition.
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
    /// The round, unless its source gives the same to all games.
    pub round: Round,
    /// The segment of the event.
    pub segment: SegmentKind,
    /// The stage of a cycle or of an event in stages, in playing order; 0 in other events.
    pub stage: u8,
    /// Whether it was played; a walkover was not.
    pub played: bool,
    /// Whether it enters the analysis. The Ratings Administrator may exclude a segment.
    pub analysed: bool,
    /// Its place in the order, where rounds or dates show it.
    pub sequence: Option<u32>,
}

impl EventGame {
    /// Returns whether a player, by index in the event's field, played this game.
    pub fn is_of(&self, player: usize) -> bool {
        self.white == player || self.black == player
    }
}

/// The most days between an event and its tie-break.
///
/// Judged: a tie-break follows within a rest day or two. With one day, some tie-breaks would be
/// events; with six, a rapid event of the next weekend would be a tie-break.
pub(super) const TIE_BREAK_DAYS: i32 = 3;

impl Event {
    /// Returns games found divided by games expected, in `[0, 1]`.
    pub fn coverage(&self) -> f64 {
        self.recognised.coverage()
    }

    /// Describes the field briefly: the first and last surname in alphabetical order, and the
    /// number of players.
    ///
    /// It differs if another event has taken the identifier of this one.
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
            _ => "no players".to_owned(),
        }
    }

    /// Keeps the detected properties before a decision changes them.
    pub fn keep_detected(&mut self) {
        if self.detected.is_none() {
            self.detected = Some(Box::new(DetectedProperties {
                name: self.name.clone(),
                start: self.start,
                end: self.end,
                games: self.games.clone(),
                kind: self.kind,
                tempo: self.tempo,
                recognised: self.recognised.clone(),
            }));
        }
    }

    /// Returns the event as its tags and its table show it, except for merges, splits and moved
    /// games, which make another event.
    #[must_use]
    pub fn without_decision(&self) -> Event {
        let mut event = Event { decided: DecidedFacts::default(), ..self.clone() };
        if let Some(detected) = event.detected.take() {
            let DetectedProperties { name, start, end, games, kind, tempo, recognised } = *detected;
            (event.name, event.start, event.end, event.games) = (name, start, end, games);
            (event.kind, event.tempo, event.recognised) = (kind, tempo, recognised);
        }
        event
    }

    /// Returns the declared winners, by index in the field, with a decision before the known
    /// result.
    ///
    /// An event that was not played to its end has none. `None` means that points decide.
    pub fn declared_winners(&self) -> Option<Vec<usize>> {
        if let Some(winners) = &self.decided.winners {
            return Some(winners.clone());
        }
        // A decision that the event had no result overrides its known winners.
        if !self.decided.ending.is_some_and(Ending::is_without_result)
            && let Some(known) = &self.known
            && !known.winners.is_empty()
        {
            return Some(known.winners.clone());
        }
        self.ending().is_some_and(Ending::is_without_result).then(Vec::new)
    }

    /// Returns how it ended, with a decision before the known result; `None` if neither states it.
    pub fn ending(&self) -> Option<Ending> {
        self.decided.ending.or_else(|| Some(self.known.as_ref()?.result.ended))
    }

    /// Returns how the places follow from the games, with a decision before the known result.
    pub fn scoring(&self) -> Scoring {
        let known = self.known.as_ref().map(|known| known.result.scoring);
        self.decided.scoring.or(known).unwrap_or_default()
    }

    /// Returns the official points of the winner and of the second, with a decision before the
    /// known result.
    pub fn official_score(&self) -> Option<(f64, f64)> {
        if let Some([won, lost]) = self.decided.score {
            return Some((won, lost));
        }
        let result = &self.known.as_ref()?.result;
        result.points.zip(result.second_points)
    }

    /// Returns whether nothing identifies the event: it has no name, and no place or no year.
    pub fn is_nameless(&self) -> bool {
        lacks_name(&self.tag) && (self.site.is_empty() || self.start.year().is_none())
    }

    /// Counts the games of each segment that has some.
    pub fn segments(&self) -> Vec<(SegmentKind, usize)> {
        [SegmentKind::Main, SegmentKind::Extra, SegmentKind::PlayOff]
            .into_iter()
            .map(|kind| (kind, self.games.iter().filter(|game| game.segment == kind).count()))
            .filter(|(_, games)| *games > 0)
            .collect()
    }

    /// Returns whether all pairs of players that met here also met in another event.
    fn has_only_pairs_of(&self, other: &Event) -> bool {
        let met = other.pairs();
        self.pairs().iter().all(|pair| met.contains(pair))
    }

    /// Returns the pairs of players that met, without their colours.
    fn pairs(&self) -> BTreeSet<(PlayerId, PlayerId)> {
        let pair = |game: &EventGame| {
            let (white, black) = (self.players[game.white], self.players[game.black]);
            (white.min(black), white.max(black))
        };
        self.games.iter().map(pair).collect()
    }

    /// Returns whether this rapid or blitz event is a tie-break of a slower one.
    ///
    /// A tie-break shares its name or place and its time, and has only a few of its players, or
    /// those of a knock-out.
    pub(super) fn is_tie_break_of(&self, slower: &Event) -> bool {
        let inside =
            self.players.iter().filter(|player| slower.players.binary_search(player).is_ok());
        if inside.count() < self.players.len() {
            return false;
        }
        let is_of_few = self.players.len() <= 4.max(slower.players.len() / 3)
            && self.games.len() < slower.games.len().max(6);
        let is_of_knock_out = slower.kind == Kind::KnockOut
            && (self.games.len() < slower.games.len() || self.has_only_pairs_of(slower));
        // A blitz of all players before the tournament (`Norway blitz`) is an event.
        if !is_of_knock_out
            && (!is_of_few || self.players.len() == slower.players.len() && self.players.len() > 2)
        {
            return false;
        }
        let same_place = !self.site.is_empty() && self.site == slower.site;
        let (mine, theirs) = (distinctive_words(&self.tag), distinctive_words(&slower.tag));
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

/// Returns the words of a tag that occur in the names of few events.
fn distinctive_words(tag: &str) -> Vec<String> {
    tag_words(&fold(tag))
        .filter(|word| {
            word.len() > 2 && !is_year(word) && !lexicon::means(Class::Generic, word, "frequent")
        })
        .collect()
}

/// Returns whether a tag contains no name: `?`, `-`, or only a country.
pub(super) fn lacks_name(tag: &str) -> bool {
    let words: Vec<&str> = tag.split_whitespace().filter(|word| !is_year(word)).collect();
    let rest = words.join(" ");
    !tag.chars().any(char::is_alphanumeric)
        || country(&rest).is_some()
        || country_of_name(&rest).is_some()
}

/// Returns the lead of the first player of a match over the second, in game points.
pub(super) fn lead_of_first(table: &GameTable, games: &[EventGame]) -> f64 {
    games
        .iter()
        .filter_map(|game| Some((game, table.games()[game.row].result.white_score()?)))
        .map(|(game, white)| if game.white == 0 { 2.0 * white - 1.0 } else { 1.0 - 2.0 * white })
        .sum()
}
