//! Forecasts a match by a rating system, from all games before its day.

use anyhow::{anyhow, bail};
use jiff::civil::Date;
use serde_json::json;

use super::lines::{forecast_lines, row};
use super::{ForecastArguments, ForecastFormat};
use crate::archive::{Grouped, Selected, Settings, Silent, read_published_lists};
use crate::cli::build::report;
use crate::cli::output::{counted, outln};
use crate::evaluation::comparison::{Predictions, computed};
use crate::evaluation::shared_draws::SharedDraws;
use crate::forecasts::{Chances, MatchForecast, match_forecast};
use crate::rated::{listed_births, listed_ratings, player_named, results_of};
use crate::ratings::FIDE_SYSTEM;
use crate::systems::{Results, System};

/// The chances of A in a game by a rating system.
struct SystemForecast {
    names: [String; 2],
    /// With White, and with Black.
    with_white: Chances,
    with_black: Chances,
}

impl ForecastArguments {
    /// Forecasts a match of two players by a rating system.
    pub(super) fn forecast_match_by(
        &self,
        word: &str,
        opponents: &[String],
        games: usize,
    ) -> anyhow::Result<()> {
        let system = System::named(word)?;
        if system.about.knows_later_games {
            bail!("--by {word}: this system uses later games, so it forecasts nothing");
        }
        if let Some(number) = opponents.iter().find(|text| text.parse::<f64>().is_ok()) {
            bail!("--by {word} takes the names of two players; got {number}");
        }
        let [a, b] = opponents else { bail!("a match needs two players; give two names") };
        let (date, settings) = (self.day()?, self.settings()?);
        let found = self.by_system(system, [a, b], date, &settings)?;
        let forecast = match_forecast(&self.games_of(&found, games));
        match self.format {
            ForecastFormat::Text => {
                let [a, b] = &found.names;
                let games = counted(games, "game");
                outln!("{a} against {b}, {games}, by {}", system.about.name);
                for (colour, chances) in [("White", found.with_white), ("Black", found.with_black)]
                {
                    outln!("{}", row(&format!("a game with {colour}"), chances_in_words(chances)));
                }
                for line in forecast_lines(&forecast) {
                    outln!("{line}");
                }
            }
            ForecastFormat::Json => outln!("{}", json_of(system, date, &found, &forecast)),
        }
        Ok(())
    }

    /// The chances of A in each game. If no one is known to begin, each game has both colours.
    fn games_of(&self, found: &SystemForecast, games: usize) -> Vec<Chances> {
        let (white, black) = (found.with_white, found.with_black);
        if self.white_first {
            return (0..games)
                .map(|game| if game.is_multiple_of(2) { white } else { black })
                .collect();
        }
        let either = Chances {
            win: (white.win + black.win) / 2.0,
            draw: (white.draw + black.draw) / 2.0,
            loss: (white.loss + black.loss) / 2.0,
        };
        vec![either; games]
    }

    fn by_system(
        &self,
        system: &'static System,
        names: [&String; 2],
        date: Date,
        settings: &Settings,
    ) -> anyhow::Result<SystemForecast> {
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Silent, &mut diagnostics)?;
        let Grouped { games, .. } = games.group(settings.events, &mut Vec::new());
        let lists =
            read_published_lists(&settings.input, &settings.ratings, &games, &mut diagnostics);
        report(&diagnostics);
        let all = results_of(&games.table, &games.rows, &games.players, settings.events.gap_days);
        let a = player_named(&all, names[0])?;
        let b = player_named(&all, names[1])?;
        if a == b {
            bail!("both names mean {}; give two players", all.players[a as usize].name);
        }
        let mut results = all.with_planned(date, &[(a, b), (b, a)]);
        results.published.births = listed_births(&results, &games.players, &lists);
        if let Some(list) = lists.iter().find(|list| list.system == FIDE_SYSTEM) {
            results.published.fide_lists = listed_ratings(&results, &games.players, list);
        }
        let rates = settings.systems.system(system);
        let (_, mut predictions) = computed(&results, system, rates.as_ref(), None);
        if let Some(predictions) = &mut predictions {
            predictions.predict_draws(&SharedDraws::new(&results));
        }
        let planned = results.games.len() - 2;
        let found = predictions.and_then(|predictions| {
            let with_white = chances_of_white(&predictions, planned)?;
            Some((with_white, chances_of_white(&predictions, planned + 1)?))
        });
        let Some((with_white, of_b)) = found else {
            return Err(unknown(system, &results, [a, b], date));
        };
        let with_black = Chances { win: of_b.loss, draw: of_b.draw, loss: of_b.win };
        let names = [a, b].map(|player| results.players[player as usize].name.clone());
        Ok(SystemForecast { names, with_white, with_black })
    }
}

/// The predicted chances of White in a game of the results; `None` if the system predicts nothing.
fn chances_of_white(predictions: &Predictions, game: usize) -> Option<Chances> {
    let expected = predictions.recalibrated.expected.get(game)?;
    let draw = predictions.draws.as_ref()?.get(game)?;
    Some(Chances::with_draw(expected, draw))
}

/// The error that a system does not know the players.
fn unknown(system: &System, results: &Results, players: [u32; 2], date: Date) -> anyhow::Error {
    // The last two games are the planned ones.
    let earlier = &results.games[..results.games.len() - 2];
    for player in players {
        if !earlier.iter().any(|game| game.white == player || game.black == player) {
            let name = &results.players[player as usize].name;
            return anyhow!("{name} has no game before {date}, so no forecast");
        }
    }
    anyhow!(
        "{} does not rate both players on {date}; choose another day or another system",
        system.about.name
    )
}

fn chances_in_words(chances: Chances) -> String {
    format!(
        "{:.4}; win {:.1}%, draw {:.1}%, loss {:.1}%",
        chances.expected(),
        100.0 * chances.win,
        100.0 * chances.draw,
        100.0 * chances.loss
    )
}

fn json_of(
    system: &System,
    date: Date,
    found: &SystemForecast,
    forecast: &MatchForecast,
) -> serde_json::Value {
    let (low, high) = forecast.scores.middle_half();
    json!({
        "by": system.about.word, "date": date.to_string(), "players": found.names,
        "with_white": json_of_chances(found.with_white),
        "with_black": json_of_chances(found.with_black),
        "expected": forecast.scores.mean(), "sigma": forecast.scores.sigma(),
        "win": forecast.win, "draw": forecast.draw, "loss": forecast.loss,
        "likeliest": forecast.scores.likeliest(), "middle_half": [low, high],
        "scores": forecast.scores.chances(),
    })
}

fn json_of_chances(chances: Chances) -> serde_json::Value {
    json!({
        "expected": chances.expected(), "win": chances.win, "draw": chances.draw,
        "loss": chances.loss,
    })
}
