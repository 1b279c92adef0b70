//! Forecasts a match by a rating system, from all games before its day.

use anyhow::{anyhow, bail};
use jiff::civil::Date;
use serde_json::json;

use super::lines::{of_forecast, row};
use super::{ForecastArguments, ForecastFormat};
use crate::archive::{Grouped, Selected, Settings, Silent, read_published_lists};
use crate::cli::build::report;
use crate::cli::output::{counted, tell};
use crate::evaluation::comparison::computed;
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
    pub(super) fn of_match_by(
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
                tell!("{a} against {b}, {games}, by {}", system.about.name);
                for (colour, chances) in [("White", found.with_white), ("Black", found.with_black)]
                {
                    tell!("{}", row(&format!("a game with {colour}"), chances_in_words(chances)));
                }
                for line in of_forecast(&forecast) {
                    tell!("{line}");
                }
            }
            ForecastFormat::Json => tell!("{}", json_of(system, date, &found, &forecast)),
        }
        Ok(())
    }

    /// The chances of A in each game. If no one is known to begin, each game has both colours.
    fn games_of(&self, found: &SystemForecast, games: usize) -> Vec<Chances> {
        let (white, black) = (found.with_white, found.with_black);
        let mean = |of: fn(Chances) -> f64| (of(white) + of(black)) / 2.0;
        let either =
            Chances { win: mean(|of| of.win), draw: mean(|of| of.draw), loss: mean(|of| of.loss) };
        let of_game = |game: usize| match self.white_first {
            false => either,
            true if game.is_multiple_of(2) => white,
            true => black,
        };
        (0..games).map(of_game).collect()
    }

    fn by_system(
        &self,
        system: &'static System,
        names: [&String; 2],
        date: Date,
        settings: &Settings,
    ) -> anyhow::Result<SystemForecast> {
        let mut diagnostics = Vec::new();
        let games = Selected::read(settings, &Silent, &mut diagnostics)?;
        let Grouped { games, .. } = games.group(settings.events, &mut Vec::new());
        let lists = read_published_lists(settings, &games, &mut diagnostics);
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
        let chances = |game: usize| {
            let predictions = predictions.as_ref()?;
            let expected = predictions.recalibrated.expected.get(game)?;
            let draw = predictions.draws.as_ref()?.get(game)?;
            Some(Chances::with_draw(expected, draw))
        };
        let found = chances(planned).zip(chances(planned + 1));
        let (with_white, of_b) = found.ok_or_else(|| unknown(system, &results, [a, b], date))?;
        let with_black = Chances { win: of_b.loss, draw: of_b.draw, loss: of_b.win };
        let names = [a, b].map(|player| results.players[player as usize].name.clone());
        Ok(SystemForecast { names, with_white, with_black })
    }
}

/// The error that a system does not know the players.
fn unknown(system: &System, results: &Results, players: [u32; 2], date: Date) -> anyhow::Error {
    let has_games = |player: &u32| {
        let earlier = &results.games[..results.games.len() - 2];
        earlier.iter().any(|game| game.white == *player || game.black == *player)
    };
    let name = |player: u32| &results.players[player as usize].name;
    match players.iter().find(|player| !has_games(player)) {
        Some(player) => anyhow!("{} has no game before {date}, so no forecast", name(*player)),
        None => anyhow!(
            "{} does not rate both players on {date}; choose another day or another system",
            system.about.name
        ),
    }
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
    let game = |chances: Chances| {
        json!({
            "expected": chances.expected(), "win": chances.win, "draw": chances.draw,
            "loss": chances.loss,
        })
    };
    let (low, high) = forecast.scores.middle_half();
    json!({
        "by": system.about.word, "date": date.to_string(), "players": found.names,
        "with_white": game(found.with_white), "with_black": game(found.with_black),
        "expected": forecast.scores.mean(), "sigma": forecast.scores.sigma(),
        "win": forecast.win, "draw": forecast.draw, "loss": forecast.loss,
        "likeliest": forecast.scores.likeliest(), "middle_half": [low, high],
        "scores": forecast.scores.chances(),
    })
}
