//! What each source of forecasts expected of each game, before its event.

use rating_systems::evaluation::comparison::Predictions;
use rating_systems::evaluation::draw_model::Chances;
use rating_systems::evaluation::expectations::Expectations;
use rating_systems::systems::System;

/// Marks a row of the game table that was not rated.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, PartialEq)]
pub struct ForecastSource {
    pub system: &'static System,
    /// White's expected score, by the number of the rated game.
    expected: Expectations,
    /// The probability of a draw.
    draws: Expectations,
}

/// The forecasts of all rated games, by row of the game table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameForecasts {
    /// The number of the rated game in each row, or [`NONE`].
    numbers: Vec<u32>,
    rows: Vec<u32>,
    /// The sources, in the order of the registry.
    pub sources: Vec<ForecastSource>,
}

impl GameForecasts {
    /// Keeps the forecasts of the systems whose lists have pages and of those that read published
    /// ratings. `rows` are the rows of the rated games.
    pub fn new(rows: &[usize], predictions: Vec<(&'static System, Predictions)>) -> GameForecasts {
        let last = rows.iter().copied().max().map_or(0, |last| last + 1);
        let mut numbers = vec![NONE; last];
        for (number, row) in (0..).zip(rows) {
            numbers[*row] = number;
        }
        let kept = predictions.into_iter().filter(|(system, _)| {
            let about = &system.about;
            about.reads_published_ratings
                || (about.role.has_pages() && about.period_years.is_none())
        });
        let sources = kept.map(|(system, predictions)| ForecastSource {
            system,
            expected: predictions.recalibrated.expected,
            draws: predictions.draws.unwrap_or_default(),
        });
        GameForecasts {
            numbers,
            rows: rows.iter().map(|row| *row as u32).collect(),
            sources: sources.collect(),
        }
    }

    /// The number of rated games.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rated games.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn row(&self, number: usize) -> usize {
        self.rows[number] as usize
    }

    /// The number of the rated game in a row of the game table. `None` if the game was not rated.
    pub fn number(&self, row: usize) -> Option<usize> {
        self.numbers.get(row).filter(|number| **number != NONE).map(|number| *number as usize)
    }

    /// The source that predicts best: the one that reads published ratings.
    pub fn best(&self) -> Option<&ForecastSource> {
        self.sources.iter().find(|source| source.system.about.reads_published_ratings)
    }
}

impl ForecastSource {
    /// The chances of a rated game. `None` if the system could not predict it.
    pub fn chances(&self, number: usize) -> Option<Chances> {
        Some(Chances::with_draw(self.expected.get(number)?, self.draws.get(number)?))
    }

    /// White's expected score in a rated game. `None` if the system could not predict it.
    pub fn expected(&self, number: usize) -> Option<f64> {
        self.expected.get(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rating_systems::evaluation::recalibration::Recalibrated;

    #[test]
    fn chances_are_found_by_the_row_of_a_game() {
        let all = System::all().iter();
        let predictions = all.map(|system| {
            let expected: Expectations = [Some(0.75), None].into_iter().collect();
            let recalibrated = Recalibrated { expected, slope: None, white: None };
            let draws = Some([Some(0.125), None].into_iter().collect());
            let name = system.about.name.to_owned();
            (system, Predictions { name, own: None, recalibrated, draws })
        });
        let found = GameForecasts::new(&[7, 3], predictions.collect());
        assert_eq!((found.number(7), found.number(3), found.number(5)), (Some(0), Some(1), None));
        let best = found.best().unwrap();
        let chances = best.chances(0).unwrap();
        assert_eq!((chances.win, chances.draw), (0.6875, 0.125));
        assert_eq!(best.chances(1), None);
        // Basic systems and systems of the past are not sources of forecasts.
        assert!(found.sources.len() < System::all().len() / 2);
    }
}
