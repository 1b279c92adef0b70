//! Marks an event as decided: its forfeits, segments, kind, length, name, days and winners.

use crate::decided::event_shape::{EventShape, no_single_forfeit, places_of_winners};
use crate::decided::named_player::{place_of_player, player_of};
use crate::decisions::{Decision, DecisionError, Forfeit};
use crate::progress::counted;
use chess_history::events::{DecidedFacts, Event, SegmentKind};
use chess_history::players::Players;
use pgn_collections::games::{GameTable, Round, TempoReason};

/// Applies a decision to an event. Returns what cannot be carried out.
pub(super) fn mark(
    event: &mut Event,
    decision: &Decision,
    table: &GameTable,
    players: &Players,
) -> Vec<DecisionError> {
    let mut errors = Vec::new();
    for rating in &decision.ratings {
        errors.extend(player_of(event, &rating.player, decision, players).err());
    }
    for forfeit in &decision.forfeits {
        errors.extend(mark_forfeit(event, forfeit, decision, table, players).err());
    }
    for (segment, analysed) in decision.segments.decided() {
        if event.games.iter().all(|game| game.segment != segment) {
            let message =
                format!("segments: the event has no games of the kind \"{}\"", segment.words());
            errors.push(decision.wrong(&event.id, message));
        }
        event.set_segment(segment, analysed);
    }
    if event.games.iter().all(|game| !game.analysed) {
        errors.push(
            decision.wrong(&event.id, "segments: no game is left; keep at least one segment"),
        );
    }
    errors.extend(EventShape::new(event).misfits(decision));
    if let Some(kind) = decision.kind {
        event.set_kind(kind);
    }
    if let Some(tempo) = decision.tempo {
        (event.tempo, event.tempo_reason) = (tempo, TempoReason::Decided);
    }
    if decision.complete {
        event.set_complete();
    }
    if let Some(expected) = decision.expected_games {
        let found = event.games.iter().filter(|game| game.segment == SegmentKind::Main).count();
        if !event.set_expected_games(expected) {
            let message = format!(
                "expected_games: {expected} is less than the {} of the event",
                counted(found, "game")
            );
            errors.push(decision.wrong(&event.id, message));
        }
    }
    if let Some(name) = &decision.name {
        event.name = name.to_string();
    }
    errors.extend(mark_facts(event, decision, players).err());
    errors
}

/// Sets the days, the winners and the end of an event.
fn mark_facts(
    event: &mut Event,
    decision: &Decision,
    players: &Players,
) -> Result<(), DecisionError> {
    let winners = places_of_winners(decision, &event.id, |name| {
        place_of_player(event, name, decision, players)
    })?;
    let Decision { start, end, outcome: ending, scoring, score, list_day, .. } = *decision;
    event.set_facts(DecidedFacts { start, end, winners, ending, scoring, score, list_day });
    Ok(())
}

fn mark_forfeit(
    event: &mut Event,
    forfeit: &Forfeit,
    decision: &Decision,
    table: &GameTable,
    players: &Players,
) -> Result<(), DecisionError> {
    let white = player_of(event, &forfeit.white, decision, players)?;
    let black = player_of(event, &forfeit.black, decision, players)?;
    let round = forfeit.round.as_deref().map(Round::parse);
    let id = event.id.clone();
    let mut found: Vec<_> = event
        .games_between(white, black)
        .filter(|game| (game.segment == SegmentKind::PlayOff) == forfeit.play_off)
        .filter(|game| round.is_none_or(|round| table.games()[game.row].round == round))
        .collect();
    match &mut found[..] {
        [game] => {
            game.played = false;
            Ok(())
        }
        games => Err(no_single_forfeit(decision, &id, forfeit, games.len())),
    }
}
