//! Implements `greatness event --what-if`: the figures of an event with other results.

use std::fmt::Write as _;
use std::str::FromStr;

use anyhow::{anyhow, bail};

use super::number;
use crate::hint::nearest;
use crate::tournament::{Analysis, Event, Game, Options, analyse};

/// A result in place of that of a game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OtherResult {
    white: String,
    black: String,
    white_score: f64,
    game: WhichGame,
}

/// The game of two players, with these colours, whose result is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhichGame {
    /// Their only one.
    Only,
    /// One of several, from 1.
    Number(usize),
    /// A further game, after all others.
    New,
}

impl FromStr for OtherResult {
    type Err = String;

    fn from_str(text: &str) -> Result<OtherResult, String> {
        let parts: Vec<&str> = text.split('|').map(str::trim).collect();
        let (white, black, result, game) = match parts[..] {
            [white, black, result] => (white, black, result, WhichGame::Only),
            [white, black, result, "new"] => (white, black, result, WhichGame::New),
            [white, black, result, number] => match number.parse() {
                Ok(number) => (white, black, result, WhichGame::Number(number)),
                Err(_) => return Err(format!("\"{number}\" is neither a number nor \"new\"")),
            },
            _ => return Err("write WHITE | BLACK | RESULT".into()),
        };
        let white_score = match result {
            "1-0" => 1.0,
            "0-1" => 0.0,
            "1/2-1/2" | "½-½" => 0.5,
            _ => return Err(format!("\"{result}\" is not a result; write 1-0, 0-1 or 1/2-1/2")),
        };
        Ok(OtherResult { white: white.into(), black: black.into(), white_score, game })
    }
}

impl OtherResult {
    fn apply(&self, event: &mut Event) -> anyhow::Result<()> {
        let [white, black] = [player(event, &self.white)?, player(event, &self.black)?];
        let games = event.games.iter().enumerate();
        let theirs = games.filter(|(_, game)| (game.white, game.black) == (white, black));
        let places: Vec<usize> = theirs.map(|(place, _)| place).collect();
        let place = match (self.game, &places[..]) {
            (WhichGame::New, _) => {
                let last = event.games.iter().filter_map(|game| game.sequence).max();
                let sequence = last.map(|last| last + 1);
                let game = Game { sequence, ..Game::new(white, black, self.white_score) };
                event.games.push(game);
                return Ok(());
            }
            (WhichGame::Only, [only]) => *only,
            (WhichGame::Number(number), places) if (1..=places.len()).contains(&number) => {
                places[number - 1]
            }
            (_, []) => bail!(
                "{} had White against {} in no game; add `| new` for a further game",
                self.white,
                self.black
            ),
            (_, several) => bail!(
                "{} had White against {} in {} games; add the number of the game, as in `| 2`",
                self.white,
                self.black,
                several.len()
            ),
        };
        let game = &mut event.games[place];
        (game.white_score, game.played) = (self.white_score, true);
        Ok(())
    }
}

/// The place of a player, by the whole name or by its beginning.
fn player(event: &Event, name: &str) -> anyhow::Result<usize> {
    let lower = name.to_lowercase();
    let names: Vec<String> =
        event.players.iter().map(|player| player.name.to_lowercase()).collect();
    if let Some(place) = names.iter().position(|known| *known == lower) {
        return Ok(place);
    }
    let mut similar = (0..names.len()).filter(|place| names[*place].starts_with(&lower));
    match (similar.next(), similar.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(anyhow!("several players have names that begin with {name}")),
        (None, _) => {
            let known = event.players.iter().map(|player| player.name.as_str());
            let hint = nearest(name, known).map(|hint| format!("; did you mean {hint}?"));
            Err(anyhow!("{} has no player {name}{}", event.name, hint.unwrap_or_default()))
        }
    }
}

/// The figures of an event next to those with other results, as a table of 80 columns.
///
/// # Errors
///
/// Returns an error if a result names no game of the event.
pub(super) fn what_if(
    event: &Event,
    options: &Options,
    others: &[OtherResult],
) -> anyhow::Result<String> {
    let mut changed = event.clone();
    for other in others {
        other.apply(&mut changed)?;
    }
    let options = Options { order_spread: false, ..*options };
    let (before, after) = (analyse(event, &options)?, analyse(&changed, &options)?);
    Ok(side_by_side(&before, &after))
}

fn side_by_side(before: &Analysis, after: &Analysis) -> String {
    let mut text = format!("{}\n\n", after.name);
    let _ = writeln!(text, "{:<24} {:>12} {:>12}", "", "as played", "what if");
    for (name, before, after, decimals) in [
        ("strength", before.strength, after.strength, 4),
        ("chi-squared", before.fit_test.statistic, after.fit_test.statistic, 3),
    ] {
        let [before, after] = [before, after].map(|figure| number(figure, decimals));
        let _ = writeln!(text, "{name:<24} {before:>12} {after:>12}");
    }
    let _ = writeln!(
        text,
        "\n{:<24} {:>6} {:>6} {:>8} {:>8} {:>9} {:>9}",
        "player", "points", "then", "P-Zero", "then", "G", "then"
    );
    for player in &after.players {
        let Some(old) = before.players.iter().find(|old| old.index == player.index) else {
            continue;
        };
        let name: String = player.name.chars().take(24).collect();
        let _ = writeln!(
            text,
            "{name:<24} {:>6} {:>6} {:>8} {:>8} {:>9} {:>9}",
            old.points,
            player.points,
            number(old.p_zero, 2),
            number(player.p_zero, 2),
            number(old.g_score, 2),
            number(player.g_score, 2),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::text_input;

    fn event() -> Event {
        let text = "Three\n3\nElo\n2600 Adams\n2550 Bird\n2500 Birdie\n2650\n1 2 .5 2 3 1 3 1 0\n";
        text_input::read(text).unwrap().event
    }

    fn apply(text: &str) -> Result<Event, String> {
        let mut event = event();
        let other: OtherResult = text.parse()?;
        other.apply(&mut event).map_err(|error| error.to_string())?;
        Ok(event)
    }

    #[test]
    fn a_result_replaces_that_of_the_game_or_adds_one() {
        let changed = apply("adams | Bird | 1-0").unwrap();
        assert_eq!(changed.games[0].white_score, 1.0);
        assert_eq!(changed.games[1..], event().games[1..]);
        let longer = apply("Bird | Adams | 0-1 | new").unwrap();
        assert_eq!((longer.games.len(), longer.games[3].white_score), (4, 0.0));
    }

    #[test]
    fn a_result_without_its_game_is_refused() {
        for (text, error) in [
            ("Adams | Bird", "write WHITE | BLACK | RESULT"),
            ("Adams | Bird | 2-0", "\"2-0\" is not a result"),
            ("Bird | Adams | 1-0", "in no game; add `| new`"),
            ("Adams | Bird | 1-0 | 2", "in 1 games; add the number"),
            ("Bir | Adams | 1-0", "several players"),
            ("Adam S | Bird | 1-0", "did you mean Adams?"),
        ] {
            let found = apply(text).unwrap_err();
            assert!(found.contains(error), "{text}: {found}");
        }
    }
}
