//! The draw model that the predictions of all systems share.

use crate::evaluation::expectations::Expectations;
use crate::systems::Results;
use crate::systems::draw_tendency::draw_probabilities;
use crate::systems::published::PairedAndPublished;

/// Predicts the draws of a set of games from anyone's expected scores.
///
/// The probability depends on the expected score, on the level of the game and on how often both
/// players drew in earlier years. Systems have different scales, so the level of a game is the same
/// for all: the mean strength of both players by the filter of [`PairedAndPublished`]. For every
/// system this model predicts win, draw and loss better than the fraction of draws of the decade
/// (`reports/benchmarks/draw-model.md`).
#[derive(Clone, Debug)]
pub struct SharedDraws<'a> {
    results: &'a Results,
    /// The level of each game, in units of 200 points above 2400.
    levels: Vec<f32>,
}

impl SharedDraws<'_> {
    /// Measures the level of each game.
    pub fn new(results: &Results) -> SharedDraws<'_> {
        let forecasts = PairedAndPublished::default().forecasts_without_paired(results);
        SharedDraws { results, levels: forecasts.iter().map(|game| game.level as f32).collect() }
    }

    /// The probability of a draw in each game with an expected score.
    pub fn of_expected(&self, expected: &Expectations) -> Expectations {
        let draws = draw_probabilities(self.results, |game| expected.get(game), &self.levels);
        draws.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::comparison::rated;
    use crate::systems::{Overrides, RatedGame, RatedPlayer, System};
    use jiff::civil::date;

    /// Ten yearly events of four players, of whom the first two draw all their games.
    fn results() -> Results {
        let players = vec![RatedPlayer::default(); 4];
        let mut results = Results { players, ..Results::default() };
        for event in 0..10 {
            for number in 0..40 {
                let (white, black) = [(0, 1), (2, 3), (1, 0), (3, 2)][number % 4];
                let score = if white < 2 { 0.5 } else { f64::from(number as u32 / 4 % 2) };
                let day = date(1990 + event as i16, 5, 1);
                results.games.push(RatedGame { white, black, score, day, event });
                results.published.tags.push([2400, 2400]);
            }
        }
        results
    }

    #[test]
    fn draws_are_predicted_from_any_expected_scores() {
        let results = results();
        let shared = SharedDraws::new(&results);
        let games = results.games.len();
        let expected: Expectations =
            (0..games).map(|game| (game != games - 3).then_some(0.5)).collect();
        let found = shared.of_expected(&expected);
        // The third last game has no expected score. The second last is one of the drawing pair.
        assert_eq!(found.get(games - 3), None);
        let [drawing, other] = [2, 1].map(|back| found.get(games - back).unwrap());
        assert!(drawing > 0.6 && other < 0.4, "{drawing} {other}");
    }

    #[test]
    fn forecasts_from_games_and_published_ratings_have_the_draws_of_the_shared_model() {
        let results = results();
        let system = System::named("paired-and-published").unwrap();
        let rates = system.with(&Overrides::new()).unwrap();
        let predictions = rated(&results, system, rates.as_ref(), None).1.unwrap();
        let shared = SharedDraws::new(&results).of_expected(&predictions.recalibrated.expected);
        let own = predictions.draws.unwrap();
        assert!(own.rated() > 300);
        for game in 0..results.games.len() {
            let (own, shared) = (own.get(game), shared.get(game));
            let differ = own.zip(shared).map_or(own != shared, |(a, b)| (a - b).abs() > 1e-5);
            assert!(!differ, "game {game}: {own:?} {shared:?}");
        }
    }
}
