//! Compares a player's scores in matches and in tournaments.

use crate::lists::PlayerRow;
use crate::record::EventRecord;
use rating_systems::forecasts::ScorePrediction;
use tournament_app::Kind;

/// The totals of a player's scores in matches or in tournaments, relative to the forecasts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormTotals {
    pub games: usize,
    /// The points scored above expectation.
    pub over: f64,
    /// The variance of the sum (points squared).
    pub variance: f64,
}

impl FormTotals {
    fn add(&mut self, predicted: &ScorePrediction) {
        self.games += predicted.games;
        self.over += predicted.over();
        self.variance += predicted.sigma * predicted.sigma;
    }

    /// The points per game above expectation.
    fn mean(self) -> f64 {
        self.over / self.games as f64
    }

    fn variance_of_mean(self) -> f64 {
        self.variance / (self.games as f64).powi(2)
    }
}

/// The number of games of each form that the comparison needs: those of an established rating
/// (Elo's book, 2.59).
const FORM_GAMES: usize = 30;

/// A player's scores relative to expectation in matches and in tournaments (Elo's book, 5.62).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchesAndTournaments {
    pub matches: FormTotals,
    pub tournaments: FormTotals,
}

impl MatchesAndTournaments {
    /// Computes the totals from the events of a player.
    pub fn new(row: &PlayerRow, records: &[EventRecord]) -> MatchesAndTournaments {
        let mut sums = MatchesAndTournaments::default();
        for &(event, standing) in &row.events {
            let record = &records[event];
            // The games of a match in a cycle are already counted in the cycle.
            if record.event.part_of.is_some() {
                continue;
            }
            let Some(player) = record.forecast.players.get(standing).and_then(Option::as_ref)
            else {
                continue;
            };
            match record.event.kind {
                Kind::Match => sums.matches.add(&player.predicted),
                _ => sums.tournaments.add(&player.predicted),
            }
        }
        sums
    }

    /// The difference between the mean results per game in matches and in tournaments, each
    /// relative to expectation, in standard deviations; `None` for fewer than thirty games of
    /// either form.
    pub fn difference(&self) -> Option<f64> {
        let (matches, tournaments) = (self.matches, self.tournaments);
        if matches.games.min(tournaments.games) < FORM_GAMES {
            return None;
        }
        let sigma = (matches.variance_of_mean() + tournaments.variance_of_mean()).sqrt();
        (sigma > 0.0).then(|| (matches.mean() - tournaments.mean()) / sigma)
    }
}
