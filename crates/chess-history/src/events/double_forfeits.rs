//! Excuses pairs of a round robin whose game both players forfeited.

use std::collections::BTreeSet;

use super::context::EventContext;
use super::event::Event;
use crate::games::{Game, GameFlags, GameResult, NameId};

/// Removes games that both players forfeited from the missing games of round robins. They have no
/// result, so they are in no event.
pub(super) fn excuse_double_forfeits(context: EventContext<'_>, events: &mut [Event]) {
    let table = context.table;
    let forfeits: Vec<&Game> =
        table.games().iter().filter(|game| is_double_forfeit(game)).collect();
    if forfeits.is_empty() {
        return;
    }
    let with_gaps = |event: &&mut Event| {
        event.recognised.kind.is_round_robin() && !event.recognised.missing.is_empty()
    };
    for event in events.iter_mut().filter(with_gaps) {
        let rows = event.games.iter().map(|game| &table.games()[game.row]);
        let tags: BTreeSet<(NameId, NameId)> = rows.map(|game| (game.event, game.site)).collect();
        let years = event.start.year()..=event.end.year();
        // Two sources may have the same game.
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for game in &forfeits {
            if !tags.contains(&(game.event, game.site)) || !years.contains(&game.date.year()) {
                continue;
            }
            let [white, black] = [game.white, game.black].map(|name| {
                let player = context.players.of_name(name)?;
                event.players.binary_search(&player).ok()
            });
            pairs.extend(white.zip(black));
        }
        for (white, black) in pairs {
            if event.recognised.excuse(white, black) {
                event.reasons.push("a game that both players forfeited is not missing".to_owned());
            }
        }
    }
}

fn is_double_forfeit(game: &Game) -> bool {
    game.result == GameResult::Unknown && game.flags.contains(GameFlags::UNPLAYED)
}

#[cfg(test)]
mod tests {
    use super::super::test_events::{TestResult, circle, events_of};

    /// A round robin of six players, whose first pair has the given result, or no game.
    fn expected_games(first: Option<&'static str>) -> (usize, usize) {
        let mut results: Vec<TestResult> = Vec::new();
        for (round, pairs) in (1..).zip(circle(6)) {
            results.extend(pairs.iter().map(|(white, black)| (round, *white, *black, "1/2-1/2")));
        }
        let (round, white, black, _) = results.remove(0);
        results.extend(first.map(|result| (round, white, black, result)));
        let found = events_of(&results);
        assert_eq!(found.len(), 1);
        (found[0].games.len(), found[0].recognised.expected_games)
    }

    #[test]
    fn a_game_that_both_forfeited_is_not_missing() {
        assert_eq!(expected_games(Some("0-0")), (14, 14));
        assert_eq!(expected_games(Some("1-0")), (15, 15));
    }

    #[test]
    fn a_game_of_which_nothing_is_known_is_missing() {
        assert_eq!(expected_games(None), (14, 15));
        // It was not finished, or its result is unknown.
        assert_eq!(expected_games(Some("*")), (14, 15));
    }
}
