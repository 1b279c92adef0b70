//! Finds the missing games of events that would rank high.

use crate::lists::{GreatnessRow, StrengthRow};
use crate::record::EventRecord;
use crate::record::status::Status;
use crate::settings::ListSettings;
use tournament_app::Kind;

/// The rank that an incomplete event must reach for its missing games to be listed. Judged: about
/// as many events as readers of the lists look at. Half as many would leave out games that would
/// only reach the second half of a list.
const PLACES: usize = 1000;

/// Missing games of an event that would rank high if it were complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRow {
    /// Index of the event's record.
    pub event: usize,
    /// Index of one player in the event's field, if known.
    pub player: Option<usize>,
    /// Index of the opponent, if known.
    pub opponent: Option<usize>,
    pub round: Option<u16>,
    pub games: usize,
}

/// The missing games of incomplete events, the strongest event first. An event is included if its
/// known games put its strength, or a performance with at least half of the player's games, among
/// the first thousand of a list.
pub fn missing(
    records: &[EventRecord],
    greatness: &[GreatnessRow],
    strength: &[StrengthRow],
    settings: &ListSettings,
) -> Vec<MissingRow> {
    let least_g = greatness.get(PLACES - 1).map_or(settings.minimum_g_score, |row| row.g_score);
    let least_strength = strength.get(PLACES - 1).map_or(f64::NEG_INFINITY, |row| row.strength);
    let mut events: Vec<usize> = (0..records.len())
        .filter(|&event| {
            let record = &records[event];
            let is_candidate = matches!(record.status, Status::Incomplete | Status::Listed)
                && record.event.kind != Kind::Team
                && record.event.kind != Kind::Fragment
                && !record.event.recognised.missing.is_empty()
                && !(record.analysis.weak || record.ratings.weak);
            is_candidate
                && (record.analysis.strength.is_some_and(|strength| strength >= least_strength)
                    || record.analysis.players.iter().enumerate().any(|(standing, player)| {
                        // The complete performance would have enough games, so their number does
                        // not matter here. But a few games show performances that the whole event
                        // would not.
                        let (known, expected) = record.games_of(standing);
                        player.g_score.is_some_and(|g_score| g_score >= least_g)
                            && 2 * known >= expected
                    }))
        })
        .collect();
    events.sort_by(|&a, &b| {
        let [strength_of_a, strength_of_b] =
            [a, b].map(|event| records[event].analysis.strength.unwrap_or(f64::NEG_INFINITY));
        strength_of_b.total_cmp(&strength_of_a).then(a.cmp(&b))
    });
    events
        .into_iter()
        .flat_map(|event| {
            records[event].event.recognised.missing.iter().map(move |missing| MissingRow {
                event,
                player: missing.player,
                opponent: missing.opponent,
                round: missing.round,
                games: missing.games,
            })
        })
        .collect()
}
