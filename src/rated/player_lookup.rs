//! Finds the rated player that a name means.

use thiserror::Error;

use crate::hint::nearest;
use crate::players::{fold, slug};
use crate::systems::{RatedPlayer, Results};

/// A name that no rated player has.
#[derive(Debug, Error)]
#[error("no player is called {name}{hint}")]
pub struct UnknownPlayer {
    /// The name, as it was given.
    name: String,
    /// A question with the nearest name; empty where none is near.
    hint: String,
}

/// Finds the player whom a name means: by the whole name, its words in any order and in any known
/// spelling, or by the surname. Of several players, the one with the most games is meant.
///
/// # Errors
///
/// Where no player has the name.
pub fn player_named(results: &Results, name: &str) -> Result<u32, UnknownPlayer> {
    let words = |text: &str| -> Vec<String> {
        let folded = fold(text);
        let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    let wanted = words(name);
    let surname = |text: &str| words(text.split(',').next().unwrap_or_default());
    let mut games = vec![0u32; results.players.len()];
    for game in &results.games {
        games[game.white as usize] += 1;
        games[game.black as usize] += 1;
    }
    let most_active = |fits: &dyn Fn(&RatedPlayer) -> bool| {
        let players = (0u32..).zip(&results.players).filter(|(_, player)| fits(player));
        players.max_by_key(|(number, _)| (games[*number as usize], u32::MAX - number))
    };
    let is_whole = |own: &str| words(own) == wanted || slug(own) == name;
    // Of some players only the surname is known. A single word must not mean such a player where a
    // better known one has the surname too.
    let by_whole_name = match wanted.len() {
        1 => None,
        _ => most_active(&|player| is_whole(&player.name)).or_else(|| {
            most_active(&|player| player.spellings.iter().any(|spelling| is_whole(spelling)))
        }),
    };
    let found = by_whole_name
        .or_else(|| most_active(&|player| surname(&player.name) == wanted))
        .or_else(|| {
            most_active(&|player| {
                player.spellings.iter().any(|spelling| surname(spelling) == wanted)
            })
        });
    found.map(|(number, _)| number).ok_or_else(|| {
        let names = results.players.iter().map(|player| player.name.as_str());
        let hint = nearest(name, names).map(|hint| format!("; did you mean {hint}?"));
        UnknownPlayer { name: name.to_owned(), hint: hint.unwrap_or_default() }
    })
}
