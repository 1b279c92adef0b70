//! What decides, beside its figures, whether an event enters the lists.

use serde::{Deserialize, Serialize};

use crate::archive::settings::ListSettings;
use crate::archive::status::Status;
use crate::decisions::Decision;
use crate::events::{Event, complete_table, of_complete_table};
use crate::games::Tempo;
use crate::ratings::InitialRatings;
use crate::tournament::{Analysis, Kind, PlayerAnalysis, RatingOrigin};

/// What decides, beside its figures, whether an event enters the lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Eligibility {
    /// What sort of competition it is.
    pub kind: Kind,
    /// How fast it was played.
    pub tempo: Tempo,
    /// Games that a complete event would hold; 0 where nothing tells.
    pub expected_games: usize,
    /// Games that are there of these.
    pub placed_games: usize,
    /// Players of the complete table: those who withdrew are none.
    pub players_to_the_end: usize,
    /// Games of each pair in a complete table.
    pub cycles: usize,
    /// Games that a complete event would hold of each player, by place in the field; 0 where the number is unknown.
    #[serde(default)]
    pub expected_of: Vec<usize>,
    /// Whether anything tells how many games it had.
    pub is_certain: bool,
    /// Whether nothing tells which event it was.
    pub is_nameless: bool,
    /// How many of its players are programs.
    pub programs: usize,
    /// Whether the source of its ratings knows too few of the field.
    pub has_weak_source: bool,
    /// Whether its performances are ranked elsewhere.
    pub is_ranked_elsewhere: bool,
    /// Whether the Ratings Administrator wants it on the lists, where he said so.
    pub listed: Option<bool>,
}

/// One program in so many players makes an event of computers; a guest in an open does not.
const PROGRAMS: usize = 5;

/// Where more than a tenth of the ratings comes from the estimator line, a performance needs more
/// of the event: the line moves with every game. Parts of the field, with the part of the games
/// that must be there.
///
/// Measured by deleting games of the bundled events before 1960: with a tenth to a third of the
/// ratings supplied and 13 to 15% of the games gone, all but 2% of the G-scores of players who
/// lacked none stayed within 5%, which is less than the error that such ratings leave in them
/// anyway. With more ratings supplied one in seven went beyond it, and still 5% with a tenth of the
/// games gone.
const WHERE_SUPPLIED: [(f64, f64); 2] = [(1.0 / 3.0, 0.95), (0.1, 0.85)];

/// Part of the field whose ratings the line supplied, in `[0, 1]`.
pub(super) fn supplied(analysis: &Analysis) -> f64 {
    let playing = || analysis.players.iter().filter(|player| player.games > 0);
    let is_supplied = |player: &&PlayerAnalysis| player.rating_origin == RatingOrigin::Filled;
    match playing().count() {
        0 => 0.0,
        all => playing().filter(is_supplied).count() as f64 / all as f64,
    }
}

impl Eligibility {
    /// The standing of an event with its ratings.
    pub fn of(event: &Event, ratings: &InitialRatings, listed: Option<bool>) -> Eligibility {
        Eligibility {
            kind: event.kind,
            tempo: event.tempo,
            expected_games: event.recognised.expected_games,
            placed_games: event.recognised.placed_games,
            players_to_the_end: event.players.len() - event.recognised.withdrawn.len(),
            cycles: event.recognised.cycles,
            expected_of: event.recognised.expected_of.clone(),
            is_certain: event.recognised.is_certain,
            is_nameless: event.is_nameless(),
            programs: event.programs,
            has_weak_source: ratings.weak,
            is_ranked_elsewhere: event.ranked_elsewhere,
            listed,
        }
    }

    /// The standing that an event had before anything was decided of it.
    pub(super) fn found(event: &Event, ratings: &InitialRatings) -> Eligibility {
        let eligibility = Eligibility::of(event, ratings, None);
        let Some(found) = &event.found else { return eligibility };
        Eligibility {
            kind: found.kind,
            tempo: found.tempo,
            expected_games: found.recognised.expected_games,
            placed_games: found.recognised.placed_games,
            cycles: found.recognised.cycles,
            expected_of: found.recognised.expected_of.clone(),
            is_certain: found.recognised.is_certain,
            ..eligibility
        }
    }

    /// Games found over games expected, in `[0, 1]`.
    pub fn coverage(&self) -> f64 {
        match self.expected_games {
            0 => 0.0,
            expected => self.placed_games as f64 / expected as f64,
        }
    }

    /// Games of a player that are there, and that a complete event would hold.
    pub fn games_of(&self, player: &PlayerAnalysis) -> (usize, usize) {
        // A player outside of the table (annulled games) has no number of games to reach.
        match self.expected_of.get(player.index).copied().unwrap_or(0) {
            0 => (player.games, player.games),
            expected => (player.main_games, expected.max(player.main_games)),
        }
    }

    /// Whether performances in the event enter the lists: they need less of the other players' games than its
    /// strength does, and all games of the player.
    pub fn status_of_performances(&self, analysis: &Analysis, lists: &ListSettings) -> Status {
        let supplied = supplied(analysis);
        let needed = WHERE_SUPPLIED.iter().find(|(part, _)| supplied > *part);
        let needed = needed.map_or(0.0, |(_, needed)| *needed);
        self.status_with(analysis, lists, lists.minimum_coverage_of_performances.max(needed))
    }

    /// The performances that are high enough for a list and lack no game, by place in the analysis: the G-score,
    /// or `None`.
    pub fn great(&self, analysis: &Analysis, lists: &ListSettings) -> Vec<Option<f64>> {
        let is_whole = |player: &&PlayerAnalysis| {
            let (known, expected) = self.games_of(player);
            known == expected || self.listed == Some(true)
        };
        let great = |player| Some(player).filter(is_whole).and_then(|player| lists.great(player));
        analysis.players.iter().map(great).collect()
    }

    /// Whether the event enters the lists.
    pub fn status(&self, analysis: &Analysis, lists: &ListSettings) -> Status {
        self.status_with(analysis, lists, lists.minimum_coverage)
    }

    fn status_with(&self, analysis: &Analysis, lists: &ListSettings, least: f64) -> Status {
        let may_be_listed = self.kind != Kind::Team && analysis.strength.is_some();
        match self.listed {
            Some(false) => return Status::Excluded,
            Some(true) if may_be_listed => return self.ranked(lists),
            Some(true) | None => {}
        }
        if self.kind == Kind::Team {
            Status::Team
        } else if self.programs * PROGRAMS >= analysis.players.len() {
            Status::Computers
        } else if self.coverage() < least {
            Status::Incomplete
        } else if !self.kind.is_recognised() || self.is_nameless {
            Status::Unrecognised
        } else if !self.is_certain {
            Status::Uncertain
        } else {
            self.rated_status(analysis, lists)
        }
    }

    /// The same of an event that is whole.
    pub fn rated_status(&self, analysis: &Analysis, lists: &ListSettings) -> Status {
        if analysis.strength.is_none() {
            Status::Unrated
        } else if self.has_weak_source || analysis.weak {
            Status::Weak
        } else {
            self.ranked(lists)
        }
    }

    /// On which of the lists an event is that may be on one.
    fn ranked(&self, lists: &ListSettings) -> Status {
        if lists.tempo.contains(&self.tempo) { Status::Listed } else { Status::Faster }
    }

    /// What a decision makes of it, as far as it needs no games.
    pub(super) fn decide(&mut self, decision: &Decision) {
        if let Some(kind) = decision.kind {
            if let Some((expected, cycles)) =
                complete_table(kind, self.players_to_the_end, self.cycles)
                && self.kind != kind
            {
                self.expected_games = expected;
                self.placed_games = self.placed_games.min(expected);
                self.cycles = cycles;
                of_complete_table(&mut self.expected_of, self.players_to_the_end, cycles);
            }
            self.kind = kind;
        }
        if let Some(tempo) = decision.tempo {
            self.tempo = tempo;
        }
        if !decision.ratings.is_empty() {
            self.has_weak_source = false;
        }
        self.listed = decision.listed.or(self.listed);
    }
}
