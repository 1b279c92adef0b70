//! Looks up the cached engine values of the turns of games.

use shakmaty::uci::UciMove;

use super::cache::{Cache, CacheError, engine_number};
use super::choices::{Terms, TurnValues};
use super::collect::GameTurns;
use super::engine::SearchResult;
use super::turns::{LeftOut, PositionKey, Turn};

/// A turn with its values, or with the reason why it is not rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredTurn {
    /// Why the turn is not rated; `None` if it is.
    pub left_out: Option<LeftOut>,
    /// The engine's values; `None` if the position was not analysed.
    pub values: Option<TurnValues>,
}

/// Looks up the values of the turns of each game, in the order of the turns.
///
/// # Errors
///
/// Fails if the cache cannot be read.
pub fn answers(
    games: &[GameTurns],
    key: &str,
    cache: &Cache,
    terms: &Terms,
) -> Result<Vec<Vec<AnsweredTurn>>, CacheError> {
    let engine = engine_number(key);
    let mut all = Vec::with_capacity(games.len());
    for game in games {
        let rated: Vec<&Turn> = game.turns.iter().filter(|turn| turn.left_out.is_none()).collect();
        let found = cache.found(engine, rated.iter().map(|turn| turn.position.bytes()))?;
        let lacking: Vec<(&PositionKey, &UciMove)> = rated
            .iter()
            .zip(&found)
            .filter(|(turn, found)| {
                found.as_ref().is_some_and(|found| place(turn, found).is_none())
            })
            .filter_map(|(turn, _)| Some((&turn.position, turn.played.as_ref()?)))
            .collect();
        let moves = lacking.iter().map(|(position, played)| (position.bytes(), *played));
        let mut alone = cache.found_moves(engine, moves)?.into_iter();
        let mut found = rated.iter().zip(found).map(|(turn, found)| {
            let found = found?;
            match place(turn, &found) {
                Some(_) => values(turn, &found, None),
                None => values(turn, &found, Some(alone.next().flatten()?)),
            }
        });
        let of_game = game.turns.iter().map(|turn| {
            if turn.left_out.is_some() {
                return AnsweredTurn { left_out: turn.left_out, values: None };
            }
            match found.next().flatten() {
                None => AnsweredTurn { left_out: Some(LeftOut::NotAnalysed), values: None },
                Some(values) => {
                    let left_out = values.is_decided(terms).then_some(LeftOut::Decided);
                    AnsweredTurn { left_out, values: Some(values) }
                }
            }
        });
        let illegal = AnsweredTurn { left_out: Some(LeftOut::Illegal), values: None };
        all.push(of_game.chain(std::iter::repeat_n(illegal, game.illegal)).collect());
    }
    Ok(all)
}

fn place(turn: &Turn, found: &SearchResult) -> Option<usize> {
    match turn.played {
        Some(played) => found.lines.iter().position(|line| line.played == played),
        // If only the position is of interest, the best move stands in for the move played.
        None => Some(0),
    }
}

/// The values of a turn, sorted from the best. `alone` is the search of a played move that the main
/// search did not list.
fn values(turn: &Turn, found: &SearchResult, alone: Option<SearchResult>) -> Option<TurnValues> {
    let mut lines: Vec<(i16, bool)> =
        found.lines.iter().map(|line| (line.value, Some(line.played) == turn.played)).collect();
    lines.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
    let place = match turn.played {
        Some(_) => lines.iter().position(|(_, is_played)| *is_played),
        None => Some(0),
    };
    let last = lines.last()?.0;
    let played = match (place, alone) {
        (Some(place), _) => lines[place].0,
        (None, Some(alone)) => alone.lines.first()?.value.min(last),
        (None, None) => return None,
    };
    let values = lines.into_iter().map(|(value, _)| value).collect();
    Some(TurnValues { legal: turn.legal, values, place, played })
}
