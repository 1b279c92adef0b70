//! Marks round robins of whose players some may be missing with all of their games.
//!
//! Where rounds, boards or colours contradict the known players, the missing ones are expected. But
//! nine players have as many rounds as ten, and many events have no rounds. In a source that lacks
//! players of other events, such an event may lack one too. It stays in the lists, with a remark.

use rustc_hash::{FxHashMap, FxHashSet};

use super::completeness::main_source;
use super::event::Event;
use super::rating_floor::rating_floors;
use crate::games::GameTable;
use crate::tournament::Kind;

/// The least number of events with missing players that show that a source lacks players. Judged:
/// one or two have wrong rounds.
const EVENTS: usize = 3;

/// One in this many round robins of the source must have missing players.
///
/// Measured: none of the bundled games has, and a fifth of the players left out in half of the
/// events of the 1990s shows in one in ten.
const ONE_IN: usize = 20;

/// Marks the round robins whose number of players nothing confirms, in sources that lack players.
pub(super) fn mark_unconfirmed_fields(events: &mut [Event], table: &GameTable) {
    let mut of_source: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
    for event in events.iter().filter(|event| has_field(event)) {
        let (lacking, all) = of_source.entry(main_source(event, table)).or_default();
        *lacking += usize::from(event.recognised.lacks_players());
        *all += 1;
    }
    let mut sources: FxHashSet<u32> =
        rating_floors(table).into_iter().map(|floor| floor.source).collect();
    for (source, (lacking, all)) in of_source {
        if lacking >= EVENTS && lacking * ONE_IN >= all {
            sources.insert(source);
        }
    }
    for event in events.iter_mut().filter(|event| has_field(event)) {
        let is_known = event.known.as_ref().is_some_and(|known| {
            known.result.players == Some(event.players.len())
                || known.result.games == Some(event.recognised.expected_games)
        });
        let is_open =
            !is_known && !event.recognised.shows_field && !event.recognised.lacks_players();
        if is_open && sources.contains(&main_source(event, table)) {
            event.recognised.is_field_unconfirmed = true;
            event.reasons.push(
                "field unconfirmed: its file lacks players of other events, and nothing shows \
                 how many this one had"
                    .to_owned(),
            );
        }
    }
}

/// Returns whether an event has a table with a place for each game of its players.
fn has_field(event: &Event) -> bool {
    event.kind.is_round_robin() || event.kind == Kind::Scheveningen
}
