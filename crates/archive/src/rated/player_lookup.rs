//! Finds the player that a name means.

use thiserror::Error;

use chess_history::players::{fold, slug};
use error_hints::nearest;
use rating_systems::systems::Results;

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
    pub games: u32,
}

/// Finds the rated player whom a name means; see [`most_active_named`].
///
/// # Errors
///
/// Returns an error if no player has the name.
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
/// Returns an error if no player has the name.
pub fn most_active_named(players: &[NamedPlayer<'_>], name: &str) -> Result<usize, UnknownPlayer> {
    let wanted = sorted_words(name);
    // Of some players only the surname is known. A single word must not mean such a player where a
    // better known one has the surname too.
    let by_whole_name = if wanted.len() == 1 {
        None
    } else {
        most_active(players, |own| sorted_words(own) == wanted || slug(own) == name)
    };
    let found = by_whole_name.or_else(|| {
        most_active(players, |own| {
            sorted_words(own.split(',').next().unwrap_or_default()) == wanted
        })
    });
    found.ok_or_else(|| {
        let names = players.iter().map(|player| player.name);
        let hint = nearest(name, names).map(|hint| format!("; did you mean {hint}?"));
        UnknownPlayer { name: name.to_owned(), hint: hint.unwrap_or_default() }
    })
}

/// The place of the player with most games whose name fits, or else of the one with a spelling that
/// fits.
fn most_active(players: &[NamedPlayer<'_>], fits: impl Fn(&str) -> bool) -> Option<usize> {
    let by_name = players.iter().enumerate().filter(|(_, player)| fits(player.name));
    let by_name = by_name.max_by_key(|(place, player)| (player.games, usize::MAX - place));
    let found = by_name.or_else(|| {
        let players = players.iter().enumerate();
        players
            .filter(|(_, player)| player.spellings.iter().any(|spelling| fits(spelling)))
            .max_by_key(|(place, player)| (player.games, usize::MAX - place))
    });
    found.map(|(place, _)| place)
}

/// The words of a name without accents and capitals, sorted.
fn sorted_words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}
