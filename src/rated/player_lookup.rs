//! Finds the player that a name means.

use thiserror::Error;

use crate::hint::nearest;
use crate::players::{fold, slug};
use crate::systems::Results;

/// A name that no player has.
#[derive(Debug, Error)]
#[error("no player is called {name}{hint}")]
pub struct UnknownPlayer {
    /// The name, as it was given.
    name: String,
    /// A question with the nearest name; empty where none is near.
    hint: String,
}

/// A player that a name may mean.
#[derive(Clone, Debug)]
pub struct NamedPlayer<'p> {
    /// The name: the surname, a comma, the given names.
    pub name: &'p str,
    /// Other spellings of the name.
    pub spellings: Vec<&'p str>,
    /// Number of games.
    pub games: u32,
}

/// Finds the rated player whom a name means; see [`most_active_named`].
///
/// # Errors
///
/// Where no player has the name.
pub fn player_named(results: &Results, name: &str) -> Result<u32, UnknownPlayer> {
    let mut games = vec![0u32; results.players.len()];
    for game in &results.games {
        games[game.white as usize] += 1;
        games[game.black as usize] += 1;
    }
    let players: Vec<NamedPlayer<'_>> = results
        .players
        .iter()
        .zip(games)
        .map(|(player, games)| NamedPlayer {
            name: &player.name,
            spellings: player.spellings.iter().map(String::as_str).collect(),
            games,
        })
        .collect();
    // Results number their players with 32 bits.
    most_active_named(&players, name).map(|place| place as u32)
}

/// Finds the place of the player whom a name means: by the whole name, its words in any order and
/// in any known spelling, or by the surname. Of several players, the one with the most games is
/// meant.
///
/// # Errors
///
/// Where no player has the name.
pub fn most_active_named(players: &[NamedPlayer<'_>], name: &str) -> Result<usize, UnknownPlayer> {
    let words = |text: &str| -> Vec<String> {
        let folded = fold(text);
        let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    let wanted = words(name);
    let surname = |text: &str| words(text.split(',').next().unwrap_or_default());
    let most_active = |fits: &dyn Fn(&NamedPlayer<'_>) -> bool| {
        let players = players.iter().enumerate().filter(|(_, player)| fits(player));
        players.max_by_key(|(place, player)| (player.games, usize::MAX - place))
    };
    let is_whole = |own: &str| words(own) == wanted || slug(own) == name;
    // Of some players only the surname is known. A single word must not mean such a player where a
    // better known one has the surname too.
    let by_whole_name = match wanted.len() {
        1 => None,
        _ => most_active(&|player| is_whole(player.name)).or_else(|| {
            most_active(&|player| player.spellings.iter().any(|spelling| is_whole(spelling)))
        }),
    };
    let found = by_whole_name
        .or_else(|| most_active(&|player| surname(player.name) == wanted))
        .or_else(|| {
            most_active(&|player| {
                player.spellings.iter().any(|spelling| surname(spelling) == wanted)
            })
        });
    found.map(|(place, _)| place).ok_or_else(|| {
        let names = players.iter().map(|player| player.name);
        let hint = nearest(name, names).map(|hint| format!("; did you mean {hint}?"));
        UnknownPlayer { name: name.to_owned(), hint: hint.unwrap_or_default() }
    })
}
