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
