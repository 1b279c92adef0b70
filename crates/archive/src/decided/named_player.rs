//! Finds the players whom decisions name.

use crate::decisions::{Decision, DecisionError};
use chess_history::events::Event;
use chess_history::players::{PersonName, PlayerId, Players};
use error_hints::nearest;

pub(super) fn did_you_mean(hint: Option<&str>) -> String {
    hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default()
}

/// Finds a player of an event by name or id.
pub(super) fn player_of(
    event: &Event,
    name: &str,
    decision: &Decision,
    players: &Players,
) -> Result<PlayerId, DecisionError> {
    // By the displayed name, the id or a spelling; otherwise under another form of the name, if
    // only one player has it.
    let exactly = event.players.iter().copied().find(|id| {
        let player = players.get(*id);
        player.name == name || player.id == name || player.spellings.iter().any(|s| s == name)
    });
    if let Some(player) = exactly {
        return Ok(player);
    }
    let key = PersonName::parse(name).key();
    let mut same_key = Vec::new();
    for id in &event.players {
        if players.get(*id).names.iter().any(|name| name.key() == key) {
            same_key.push(*id);
        }
    }
    if let [player] = same_key[..] {
        return Ok(player);
    }
    let hint = nearest(name, event.players.iter().map(|id| players.get(*id).name.as_str()));
    let message = format!("no player {name} in the event{}", did_you_mean(hint));
    Err(decision.wrong(&event.id, message))
}

/// The place in the event's list of the player whom a decision names.
pub(super) fn place_of_player(
    event: &Event,
    name: &str,
    decision: &Decision,
    players: &Players,
) -> Result<usize, DecisionError> {
    let player = player_of(event, name, decision, players)?;
    Ok(event.players.iter().position(|id| *id == player).unwrap_or_default())
}
