//! Makes the table of the chances of each game.

use std::ops::Range;

use crate::exports::cell_values::known_rating;
use crate::rated_players::game_forecasts::{ForecastSource, GameForecasts};
use crate::run::Archive;
use pgn_collections::games::{Game, NameId};
use rating_systems::evaluation::draw_model::Chances;
use tables::{ExportTable, some};

/// The chances of every game that the best forecast predicts.
pub(super) struct GameForecastTable<'a> {
    archive: &'a Archive,
    forecasts: &'a GameForecasts,
    best: &'a ForecastSource,
    /// The event of each row of the game table, by index of its record.
    events: Vec<Option<u32>>,
}

impl<'a> GameForecastTable<'a> {
    /// `None` without forecasts from published ratings.
    pub fn new(archive: &'a Archive) -> Option<GameForecastTable<'a>> {
        let forecasts = archive.studies.game_forecasts.as_ref()?;
        let best = forecasts.best()?;
        let mut events = vec![None; archive.table.len()];
        for (number, record) in (0..).zip(&archive.records) {
            // A match of a cycle repeats games of the cycle, which has all of them.
            if record.event.part_of.is_none() {
                for game in &record.event.games {
                    events[game.row] = Some(number);
                }
            }
        }
        Some(GameForecastTable { archive, forecasts, best, events })
    }

    /// The number of rated games, predicted or not.
    pub fn len(&self) -> usize {
        self.forecasts.len()
    }

    /// The rows of some of the rated games.
    pub fn table(&self, range: Range<usize>) -> ExportTable {
        let rows: Vec<(usize, &Game, Chances)> = range
            .filter_map(|number| {
                let row = self.forecasts.row(number);
                let game = &self.archive.table.games()[row];
                let chances = self.best.chances(number)?;
                Some((row, game, chances))
            })
            .collect();
        ExportTable::from_rows(&rows)
            .text("event_id", |(row, ..)| {
                some(&self.archive.records[self.events[*row]? as usize].event.id)
            })
            .text("date", |(_, game, _)| some(game.date.iso()))
            .text("white_id", |(_, game, _)| self.player_id(game.white))
            .text("black_id", |(_, game, _)| self.player_id(game.black))
            .text("white", |(_, game, _)| some(self.archive.table.text(game.white)))
            .text("black", |(_, game, _)| some(self.archive.table.text(game.black)))
            .number("white_score", |(_, game, _)| game.result.white_score())
            .whole("white_elo", |(_, game, _)| known_rating(game.white_elo))
            .whole("black_elo", |(_, game, _)| known_rating(game.black_elo))
            .number("expected", |(.., chances)| Some(chances.expected()))
            .number("win", |(.., chances)| Some(chances.win))
            .number("draw", |(.., chances)| Some(chances.draw))
            .number("loss", |(.., chances)| Some(chances.loss))
            .finish()
    }

    fn player_id(&self, name: NameId) -> Option<String> {
        let player = self.archive.players.of_name(name)?;
        some(&self.archive.players.get(player).id)
    }
}
