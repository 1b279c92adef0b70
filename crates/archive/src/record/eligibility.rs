//! Decides whether an event and its performances enter the ranked lists.

use serde::{Deserialize, Serialize};

use crate::decisions::Decision;
use crate::record::status::Status;
use crate::settings::ListSettings;
use chess_history::events::{Event, complete_table, expect_complete_table};
use chess_history::ratings::InitialRatings;
use pgn_collections::games::Tempo;
use tournament_app::{Analysis, FitResult, Kind, PlayerAnalysis, RatingOrigin};

/// The facts that decide, in addition to the figures, whether an event enters the lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Eligibility {
    pub kind: Kind,
    /// The tempo: classical, rapid or blitz.
    pub tempo: Tempo,
    /// The number of games of a complete event; 0 where it is unknown.
    pub expected_games: usize,
    /// The number of these games that are known.
    pub placed_games: usize,
    /// The number of players in the complete table, without those who withdrew.
    pub players_to_the_end: usize,
    /// The number of games of each pair in a complete table.
    pub cycles: usize,
    /// The number of games of each player in a complete event, by place in the field; 0 where it is
    /// unknown.
    #[serde(default)]
    pub expected_of: Vec<usize>,
    /// Whether the expected number of games is certain.
    pub is_certain: bool,
    /// Whether the event has no name that identifies it.
    pub is_nameless: bool,
    /// The number of players that are computer programs.
    pub programs: usize,
    /// Whether the source of the ratings knows too few of the players.
    pub has_weak_source: bool,
    /// Whether its performances are ranked with another event.
    pub is_ranked_elsewhere: bool,
    /// Whether the Ratings Administrator decided that the event enters the lists; `None` without a
    /// decision.
    pub listed: Option<bool>,
}

/// An event counts as one of computers if at least one player in this many is a program. Judged: a
/// single guest in an open does not count. With ten, one program among ten players would exclude
/// the event; with two, only an event that is half programs.
const PROGRAMS: usize = 5;

/// Estimated ratings demand a more complete event, because the estimator line moves with every
/// game. Each pair is a proportion of estimated ratings, in `[0, 1]`, and the coverage that a
/// performance needs above it.
///
/// Measured by deleting games from the bundled events before 1960. With a tenth to a third of the
/// ratings estimated and 13 to 15% of the games deleted, 98% of the G-scores of players whose own
/// games were complete stayed within 5%. That is less than the error which such ratings leave
/// anyway. With more ratings estimated, one G-score in seven changed by more than 5%, and 5% of
/// them still did with a tenth of the games deleted.
const WHERE_SUPPLIED: [(f64, f64); 2] = [(1.0 / 3.0, 0.95), (0.1, 0.85)];

/// The proportion of players, in `[0, 1]`, whose ratings were estimated from the estimator line.
pub(super) fn supplied(analysis: &Analysis) -> f64 {
    let mut playing = 0;
    let mut estimated = 0;
    for player in analysis.players.iter().filter(|player| player.games > 0) {
        playing += 1;
        estimated += usize::from(player.rating_origin == RatingOrigin::Filled);
    }
    if playing == 0 { 0.0 } else { estimated as f64 / playing as f64 }
}

/// The proportion of estimated ratings, in `[0, 1]`, above which a failed fit test makes an event
/// weak. Measured: none of the 96 events of two collections with more estimates fails; two opens of
/// an incomplete database did, and gave 20 rows of its Greatness List.
const ESTIMATED: f64 = 1.0 / 3.0;

/// Whether many ratings are estimated, and the event with them fails the fit test. Its known
/// ratings then do not determine the level of the others, in any kind of event.
fn estimates_do_not_fit(analysis: &Analysis) -> bool {
    analysis.fit_test.result == FitResult::Failed && supplied(analysis) > ESTIMATED
}

impl Eligibility {
    /// The eligibility of an event with its ratings.
    pub fn new(event: &Event, ratings: &InitialRatings, listed: Option<bool>) -> Eligibility {
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

    /// Known games divided by expected games, in `[0, 1]`.
    pub fn coverage(&self) -> f64 {
        match self.expected_games {
            0 => 0.0,
            expected => self.placed_games as f64 / expected as f64,
        }
    }

    /// The number of a player's games that are known, and that a complete event would have.
    pub fn games_of(&self, player: &PlayerAnalysis) -> (usize, usize) {
        // A player outside the table (with annulled games) has no expected number of games.
        match self.expected_of.get(player.index).copied().unwrap_or(0) {
            0 => (player.games, player.games),
            expected => (player.main_games, expected.max(player.main_games)),
        }
    }

    fn missing_games(&self, player: &PlayerAnalysis) -> usize {
        let (known, expected) = self.games_of(player);
        expected - known
    }

    /// The places in the analysis of the winners by the known games alone; none if missing games
    /// may have changed the winner.
    pub fn winners_by_points(&self, analysis: &Analysis) -> Vec<usize> {
        let players = &analysis.players;
        if matches!(self.kind, Kind::Team | Kind::KnockOut | Kind::Fragment) {
            return Vec::new();
        }
        let best = players.iter().min_by_key(|player| player.points_rank);
        let Some(first) = best.filter(|first| first.main_games > 0) else { return Vec::new() };
        // With the points of missing games another player may have been first.
        for other in players.iter().filter(|other| other.index != first.index) {
            let missing = self.missing_games(other);
            let lacks_games = missing > 0 || self.missing_games(first) > 0;
            if lacks_games && other.main_points + missing as f64 >= first.main_points {
                return Vec::new();
            }
        }
        let is_level = |player: &PlayerAnalysis| {
            player.main_points == first.main_points
                && player.play_off_points == first.play_off_points
        };
        (0..players.len()).filter(|place| is_level(&players[*place])).collect()
    }

    /// Whether performances in the event enter the lists. They need fewer of the other players'
    /// games than the strength of the event does, but all games of the player.
    pub fn status_of_performances(&self, analysis: &Analysis, lists: &ListSettings) -> Status {
        let supplied = supplied(analysis);
        let needed = WHERE_SUPPLIED.iter().find(|(part, _)| supplied > *part);
        let needed = needed.map_or(0.0, |(_, needed)| *needed);
        self.status_with(analysis, lists, lists.minimum_coverage_of_performances.max(needed))
    }

    /// The G-scores of performances that are high enough for a list and lack no game, by place in
    /// the analysis; `None` for the others.
    pub fn great(&self, analysis: &Analysis, lists: &ListSettings) -> Vec<Option<f64>> {
        let players = analysis.players.iter();
        players
            .map(|player| {
                let lacks_games = self.missing_games(player) > 0 && self.listed != Some(true);
                if lacks_games { None } else { lists.great(player) }
            })
            .collect()
    }

    pub fn status(&self, analysis: &Analysis, lists: &ListSettings) -> Status {
        self.status_with(analysis, lists, lists.minimum_coverage)
    }

    fn status_with(&self, analysis: &Analysis, lists: &ListSettings, least: f64) -> Status {
        let may_be_listed = self.kind != Kind::Team && analysis.strength.is_some();
        if self.listed == Some(true) && may_be_listed {
            return self.ranked(lists);
        }
        let unrated = self.status_without_ratings(analysis.players.len(), least);
        unrated.unwrap_or_else(|| self.rated_status(analysis, lists))
    }

    /// The reason why an event with this number of players is not listed, if it does not depend on
    /// ratings.
    fn status_without_ratings(&self, players: usize, least: f64) -> Option<Status> {
        if self.listed == Some(false) {
            Some(Status::Excluded)
        } else if self.kind == Kind::Team {
            Some(Status::Team)
        } else if self.programs * PROGRAMS >= players {
            Some(Status::Computers)
        } else if self.coverage() < least {
            Some(Status::Incomplete)
        } else if !self.kind.is_recognised() || self.is_nameless {
            Some(Status::Unrecognised)
        } else if !self.is_certain {
            Some(Status::Uncertain)
        } else {
            None
        }
    }

    /// Whether a list may rank an event with this number of players, or a performance in it.
    pub fn may_rank(&self, players: usize, lists: &ListSettings) -> bool {
        let least = lists.minimum_coverage.min(lists.minimum_coverage_of_performances);
        match self.status_without_ratings(players, least) {
            None => true,
            // The bracket of its knock-out may show how many games a match has.
            Some(Status::Uncertain) => self.is_ranked_elsewhere,
            Some(_) => self.listed == Some(true),
        }
    }

    /// Whether a complete event enters the lists, as far as its ratings decide it.
    pub fn rated_status(&self, analysis: &Analysis, lists: &ListSettings) -> Status {
        if analysis.strength.is_none() {
            Status::Unrated
        } else if self.has_weak_source || analysis.weak || estimates_do_not_fit(analysis) {
            Status::Weak
        } else {
            self.ranked(lists)
        }
    }

    /// The list of an event that may be listed: the main lists or those of its tempo.
    fn ranked(&self, lists: &ListSettings) -> Status {
        if lists.tempo.contains(&self.tempo) { Status::Listed } else { Status::Faster }
    }

    /// Applies a decision, as far as this needs no games.
    pub fn decide(&mut self, decision: &Decision) {
        if let Some(kind) = decision.kind {
            if let Some((expected, cycles)) =
                complete_table(kind, self.players_to_the_end, self.cycles)
                && self.kind != kind
            {
                self.expected_games = expected;
                self.placed_games = self.placed_games.min(expected);
                self.cycles = cycles;
                expect_complete_table(&mut self.expected_of, self.players_to_the_end, cycles);
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

#[cfg(test)]
mod tests {
    use super::*;
    use tournament_app::{Event, Game, Options, Player, analyse};

    /// The analysis of a Swiss in which each player beats all players behind. `ratings` are those
    /// of the players from first to last.
    fn swiss(ratings: &[Option<f64>]) -> Analysis {
        let players = ratings.len();
        let mut games = Vec::new();
        for white in 0..players {
            for black in white + 1..players {
                games.push(Game::new(white, black, 1.0));
            }
        }
        let names = (0..players).map(|player| format!("Player {player}"));
        let event = Event {
            name: "Open".to_owned(),
            kind: Kind::Swiss,
            rating_system: "Elo".to_owned(),
            players: names.zip(ratings).map(|(name, rating)| Player::new(name, *rating)).collect(),
            games,
            number_two: Some(2700.0),
        };
        analyse(&event, &Options::default()).unwrap()
    }

    #[test]
    fn many_estimates_make_a_failed_event_weak() {
        let contradicting = [2700.0, 2000.0, 2600.0, 1900.0, 2500.0].map(Some);
        let failed = swiss(&[&contradicting[..], &[None; 3]].concat());
        assert_eq!(failed.fit_test.result, FitResult::Failed);
        assert!(!failed.weak && estimates_do_not_fit(&failed));
    }

    #[test]
    fn few_estimates_or_a_passed_test_do_not() {
        let contradicting = [2700.0, 2000.0, 2600.0, 1900.0, 2500.0].map(Some);
        let few = swiss(&[&contradicting[..], &[None]].concat());
        assert_eq!(few.fit_test.result, FitResult::Failed);
        assert!(!estimates_do_not_fit(&few));
        let fitting = [2700.0, 2600.0, 2540.0, 2490.0, 2440.0].map(Some);
        let passed = swiss(&[&fitting[..], &[None; 3]].concat());
        assert_ne!(passed.fit_test.result, FitResult::Failed);
        assert!(!estimates_do_not_fit(&passed));
    }
}
