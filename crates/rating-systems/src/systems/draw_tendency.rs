//! Predicts draws from the expected score, the level and how often both players drew before.
//!
//! A logistic regression predicts the probability of a draw, and each player has a tendency to draw
//! more or less often than it predicts. Both use only earlier years. The method is ours.

use crate::systems::logistic::logistic;
use crate::systems::yearly_regression::{Memory, YearlyRegression};
use crate::systems::{EventSpan, RatedGame, Results};

/// Number of features without tendencies: 1, |o|, o², L, L², |o| L, with o the logit of White's
/// expected score and L the level.
const FEATURES: usize = 6;

/// Number of features with the sum of both tendencies.
const WITH_TENDENCY: usize = FEATURES + 1;

/// How the regression forgets, and how it starts: as the last layer of `paired-and-published`, for
/// which keeping 0.5 to 0.95 predicts equally well (measured).
const REGRESSION: Memory = Memory { keep: 0.8, prior: 30.0 };

/// The part of a player's record that remains after a year, and the information that it weighs
/// against. Measured by the specification of `paired-and-published`: with these tendencies,
/// three-way log loss is smaller by 0.008 to 0.011.
const KEPT: f64 = 0.85;
const AGAINST: f64 = 6.0;

/// Bounds of the expected score whose logit is a feature, so that the logit stays below 7.
const BOUNDS: (f64, f64) = (0.001, 0.999);

/// Smallest and largest probability of a draw, as multiples of the smaller expected score. With 2
/// the weaker player would never win. Judged: at least 1% of the weaker player's expected score
/// comes from draws, and at least 2% from wins.
const LEAST_DRAWS: f64 = 0.02;
const MOST_DRAWS: f64 = 1.96;

/// The largest multiple in the first year, when nothing is learnt yet: equals draw half of their
/// games, and others fewer.
const MOST_AT_FIRST: f64 = 1.0;

/// How often a player drew, compared with what was predicted, in past years.
#[derive(Clone, Copy, Debug, Default)]
struct DrawRecord {
    /// Draws minus predicted draws.
    surplus: f64,
    /// Variance of the predictions.
    information: f64,
}

impl DrawRecord {
    fn tendency(self) -> f64 {
        self.surplus / (self.information + AGAINST)
    }
}

/// A game that has been predicted, whose year is not over.
#[derive(Clone, Copy, Debug)]
struct UnfinishedYear {
    ends: i16,
    players: [u32; 2],
    surplus: f64,
    information: f64,
}

/// The state of the predictions up to some year.
struct DrawModel {
    year: Option<i16>,
    /// Whether there was an earlier year.
    has_learnt: bool,
    plain: YearlyRegression<FEATURES>,
    with_tendency: YearlyRegression<WITH_TENDENCY>,
    records: Vec<DrawRecord>,
    unfinished: Vec<UnfinishedYear>,
}

/// Predicts the probability of a draw in each game, from White's expected score by the game's
/// number. `levels` are the mean strengths of both players in units of 200 points above 2400. Games
/// without an expected score have no prediction.
pub fn draw_probabilities(
    results: &Results,
    expected: impl Fn(usize) -> Option<f64>,
    levels: &[f32],
) -> Vec<Option<f64>> {
    let mut model = DrawModel {
        year: None,
        has_learnt: false,
        plain: YearlyRegression::starting_at([0.0; FEATURES], REGRESSION),
        with_tendency: YearlyRegression::starting_at([0.0; WITH_TENDENCY], REGRESSION),
        records: vec![DrawRecord::default(); results.players.len()],
        unfinished: Vec::new(),
    };
    let mut found: Vec<Option<f64>> = Vec::with_capacity(results.games.len());
    for (event, EventSpan { first, last }) in results.events().zip(results.spans()) {
        model.begin_year(first.year());
        for game in event {
            let number = found.len();
            let level = f64::from(levels.get(number).copied().unwrap_or_default());
            // One forecast that is not a number must not spoil those of all later games.
            let expected = expected(number).filter(|own| !own.is_nan());
            found.push(expected.map(|own| model.predict(game, own, level, last.year())));
        }
    }
    found
}

impl DrawModel {
    /// Learns from all games that ended before a year. Years must not decrease.
    fn begin_year(&mut self, year: i16) {
        self.plain.begin_year(year);
        self.with_tendency.begin_year(year);
        let Some(last) = self.year.replace(year).filter(|last| *last < year) else { return };
        self.has_learnt = true;
        let forgotten = KEPT.powi(i32::from(year - last));
        for record in &mut self.records {
            record.surplus *= forgotten;
            record.information *= forgotten;
        }
        self.unfinished.retain(|game| {
            let is_over = game.ends < year;
            if is_over {
                for player in game.players {
                    let record = &mut self.records[player as usize];
                    record.surplus += game.surplus;
                    record.information += game.information;
                }
            }
            !is_over
        });
    }

    /// The probability of a draw in a game of an event that ends in the year `ends`.
    fn predict(&mut self, game: &RatedGame, expected: f64, level: f64, ends: i16) -> f64 {
        let p = expected.clamp(BOUNDS.0, BOUNDS.1);
        let ahead = (p / (1.0 - p)).ln().abs();
        let plain = [1.0, ahead, ahead * ahead, level, level * level, ahead * level];
        let players = [game.white, game.black];
        let tendencies = players.map(|player| self.records[player as usize].tendency());
        let mut all = [tendencies[0] + tendencies[1]; WITH_TENDENCY];
        all[..FEATURES].copy_from_slice(&plain);
        let drawn = if game.score == 0.5 { 1.0 } else { 0.0 };
        let without = logistic(self.plain.logit(&plain));
        let smaller = expected.min(1.0 - expected);
        let most = if self.has_learnt { MOST_DRAWS } else { MOST_AT_FIRST };
        let draw =
            logistic(self.with_tendency.logit(&all)).clamp(LEAST_DRAWS * smaller, most * smaller);
        self.plain.observe(&plain, drawn, ends);
        self.with_tendency.observe(&all, drawn, ends);
        let (surplus, information) = (drawn - without, without * (1.0 - without));
        self.unfinished.push(UnfinishedYear { ends, players, surplus, information });
        draw
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::results::RatedPlayer;
    use jiff::civil::date;

    /// Ten years of games between equals: players 0 and 1 draw all games, 2 and 3 none.
    fn results() -> Results {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 4], ..Results::default() };
        for year in 1990..2000 {
            for number in 0..200 {
                let (white, black) = if number % 2 == 0 { (0, 1) } else { (2, 3) };
                let score = if white == 0 { 0.5 } else { f64::from(number / 2 % 2) };
                let event = (year - 1990) as u32;
                let day = date(year, 5, 1);
                results.games.push(RatedGame { white, black, score, day, event });
            }
        }
        results
    }

    fn predicted(results: &Results) -> Vec<Option<f64>> {
        draw_probabilities(results, |_| Some(0.5), &vec![0.5; results.games.len()])
    }

    #[test]
    fn players_who_drew_often_are_predicted_to_draw_often() {
        let results = results();
        let found = predicted(&results);
        // Nothing is known in the first year.
        assert_eq!((found[0], found[1]), (Some(0.5), Some(0.5)));
        let unequal = draw_probabilities(&results, |_| Some(0.75), &[]);
        assert_eq!(unequal[0], Some(0.25));
        let last = results.games.len() - 2;
        let (drawing, fighting) = (found[last].unwrap(), found[last + 1].unwrap());
        assert!(drawing > 0.8 && fighting < 0.2, "{drawing} {fighting}");
    }

    /// The draws of the games of a year.
    fn of_year(results: &Results, draws: &[Option<f64>], year: i16) -> Vec<Option<f64>> {
        let games = results.games.iter().zip(draws);
        games.filter(|(game, _)| game.day.year() == year).map(|(_, draw)| *draw).collect()
    }

    #[test]
    fn results_of_a_year_change_no_prediction_of_that_year() {
        let mut results = results();
        let before = predicted(&results);
        for game in results.games.iter_mut().filter(|game| game.day.year() >= 1995) {
            game.score = 1.0;
        }
        let after = predicted(&results);
        assert_eq!(of_year(&results, &before, 1995), of_year(&results, &after, 1995));
        assert_ne!(of_year(&results, &before, 1996), of_year(&results, &after, 1996));
    }

    #[test]
    fn a_forecast_that_is_not_a_number_spoils_no_other() {
        let results = results();
        let odd = draw_probabilities(&results, |game| Some([0.5, f64::NAN][game % 2]), &[]);
        assert!(odd.iter().skip(1).step_by(2).all(Option::is_none));
        assert!(odd.iter().step_by(2).all(|draw| draw.is_some_and(f64::is_finite)));
    }

    #[test]
    fn every_result_remains_possible() {
        let results = results();
        for expected in [0.0001, 0.02, 0.3, 0.98] {
            let found = draw_probabilities(&results, |_| Some(expected), &[]);
            for draw in found.into_iter().flatten() {
                assert!(draw > 0.0 && draw / 2.0 < f64::min(expected, 1.0 - expected), "{draw}");
            }
        }
    }
}
