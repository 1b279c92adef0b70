//! Whether somebody scored better in matches or in tournaments.

use crate::archive::lists::PlayerRow;
use crate::archive::record::EventRecord;
use crate::forecasts::Foretold;
use crate::tournament::Kind;

/// Points and games in events of one form, beside what was foretold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormTotals {
    /// Games.
    pub games: usize,
    /// What he scored more than was expected.
    pub over: f64,
    /// Its variance.
    pub variance: f64,
}

impl FormTotals {
    fn add(&mut self, foretold: &Foretold) {
        self.games += foretold.games;
        self.over += foretold.over();
        self.variance += foretold.sigma * foretold.sigma;
    }
}

/// Games of each form below which a player is not asked whether he was better in matches or in tournaments.
const FORM_GAMES: usize = 30;

/// What was foretold of a player in matches and in tournaments (5.62).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchesAndTournaments {
    /// Matches.
    pub matches: FormTotals,
    /// Tournaments.
    pub tournaments: FormTotals,
}

impl MatchesAndTournaments {
    /// Of somebody's events.
    pub fn of(row: &PlayerRow, records: &[EventRecord]) -> MatchesAndTournaments {
        let mut sums = MatchesAndTournaments::default();
        for &(event, standing) in &row.events {
            let record = &records[event];
            // A match of a cycle has the cycle's games.
            if record.event.part_of.is_some() {
                continue;
            }
            let Some(player) = record.forecast.players.get(standing).and_then(Option::as_ref)
            else {
                continue;
            };
            match record.event.kind {
                Kind::Match => sums.matches.add(&player.foretold),
                _ => sums.tournaments.add(&player.foretold),
            }
        }
        sums
    }

    /// How much more a game he scored in matches than in tournaments, both beside what was expected, in standard deviations; `None`
    /// below thirty games of each.
    pub fn difference(&self) -> Option<f64> {
        let (matches, tournaments) = (self.matches, self.tournaments);
        if matches.games.min(tournaments.games) < FORM_GAMES {
            return None;
        }
        let mean = |sum: FormTotals| sum.over / sum.games as f64;
        let variance = |sum: FormTotals| sum.variance / (sum.games as f64).powi(2);
        let sigma = (variance(matches) + variance(tournaments)).sqrt();
        (sigma > 0.0).then(|| (mean(matches) - mean(tournaments)) / sigma)
    }
}
