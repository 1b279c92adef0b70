//! Finds the rated player that a name means.

use crate::hint::nearest;
use crate::players::{fold, slug};
use crate::systems::{RatedPlayer, Results};

/// The player whom a name means: the whole name in any order, as anybody spells it, or a surname, then whoever has most
/// games.
///
/// # Errors
///
/// Where nobody is called so: in words, with the nearest name.
pub fn called(results: &Results, name: &str) -> Result<u32, String> {
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
    let meant = |is_meant: &dyn Fn(&RatedPlayer) -> bool| {
        let players = (0u32..).zip(&results.players).filter(|(_, player)| is_meant(player));
        players.max_by_key(|(number, _)| (games[*number as usize], u32::MAX - number))
    };
    let is_whole = |own: &str| words(own) == wanted || slug(own) == name;
    // A surname alone may be all that is known of somebody, who is not meant where a better known has it too.
    let whole = match wanted.len() {
        1 => None,
        _ => meant(&|player| is_whole(&player.name)).or_else(|| {
            meant(&|player| player.spellings.iter().any(|spelling| is_whole(spelling)))
        }),
    };
    let found = whole.or_else(|| meant(&|player| surname(&player.name) == wanted)).or_else(|| {
        meant(&|player| player.spellings.iter().any(|spelling| surname(spelling) == wanted))
    });
    found.map(|(number, _)| number).ok_or_else(|| {
        let names = results.players.iter().map(|player| player.name.as_str());
        let hint = nearest(name, names).map(|hint| format!("; did you mean {hint}?"));
        format!("nobody is called {name}{}", hint.unwrap_or_default())
    })
}
