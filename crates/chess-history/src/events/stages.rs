//! Events in stages: groups or a preliminary, and then a final.
//!
//! Each stage looks like a separate tournament, and no game shows whether its points counted in the
//! next one. Therefore the table of known results names the stages.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::assembly::{last_month, programs};
use super::context::EventContext;
use super::draft::EventDraft;
use super::event::{Event, EventGame};
use super::known_results::{KnownEvent, KnownResult};
use super::naming;
use super::naming_input::NamingInput;
use super::recognised::{EndEvidence, MissingGame, Recognised};
use crate::games::PartialDate;
use crate::players::{Player, PlayerId};
use crate::tournament::Kind;

/// Assembles each known event of which all stages are found. Returns it with the indices of the
/// drafts of its stages.
pub(super) fn staged_drafts(
    context: EventContext<'_>,
    drafts: &[EventDraft],
) -> Vec<(EventDraft, Vec<usize>)> {
    // As elsewhere, the event with most games has the result.
    let mut draft_of: FxHashMap<&str, usize> = FxHashMap::default();
    for (place, draft) in drafts.iter().enumerate().filter(|(_, draft)| draft.part_of.is_none()) {
        let Some(known) = &draft.event.known else { continue };
        let held = draft_of.entry(known.result.event.as_str()).or_insert(place);
        if draft.event.games.len() > drafts[*held].event.games.len() {
            *held = place;
        }
    }
    let staged = context.words.results.iter().filter(|result| !result.stages.is_empty());
    staged
        .filter_map(|result| {
            let of_result = result.stages.iter().map(|stage| draft_of.get(stage.as_str()).copied());
            let stages: Vec<usize> = of_result.collect::<Option<_>>()?;
            let events: Vec<&Event> = stages.iter().map(|stage| &drafts[*stage].event).collect();
            Some((assemble(context, result, &events)?, stages))
        })
        .collect()
}

/// Assembles an event from its stages. Returns `None` if its known winners are not among the
/// players.
fn assemble(
    context: EventContext<'_>,
    result: &Arc<KnownResult>,
    stages: &[&Event],
) -> Option<EventDraft> {
    let first = *stages.first()?;
    let mut field: Vec<PlayerId> =
        stages.iter().flat_map(|stage| &stage.players).copied().collect();
    field.sort_unstable();
    field.dedup();
    let persons: Vec<&Player> = field.iter().map(|player| context.players.get(*player)).collect();
    let known = KnownEvent::from_result(result, &persons)?;
    let (start, end) = days(stages);
    let base = if result.name.is_empty() { &result.place } else { &result.name };
    let name = naming::name(
        NamingInput {
            base,
            place: &first.site,
            tagged_place: &first.tagged_site,
            id_place: &first.site,
            country: context.places.country(&first.site).unwrap_or_default(),
            years: start.year().zip(end.year()),
            month: start.month_name(),
            last_month: last_month(start, end),
            kind: Kind::Stages,
            tempo: first.tempo,
            field: field.len(),
            players: None,
            spellings: &[],
            shown_players: None,
        },
        context.words,
    );
    let recognised = recognised(&field, stages);
    let games = games(&field, stages);
    let event = Event {
        tag: base.clone(),
        start,
        end,
        kind: recognised.kind,
        programs: programs(context.table, &field, &games),
        reasons: recognised.notes.clone(),
        games,
        players: field,
        recognised,
        known: Some(known),
        series: name.series.clone(),
        ..first.clone()
    };
    Some(EventDraft { name, event, part_of: None })
}

/// Returns the first and the last day of the stages.
fn days(stages: &[&Event]) -> (PartialDate, PartialDate) {
    let start = stages.iter().map(|stage| stage.start).min_by_key(|day| day.earliest());
    let end = stages.iter().map(|stage| stage.end).max_by_key(|day| day.latest());
    (start.unwrap_or_default(), end.unwrap_or_default())
}

/// Returns the index in the field of each player of a stage.
fn places_in(field: &[PlayerId], stage: &Event) -> Vec<usize> {
    stage
        .players
        .iter()
        .map(|player| field.binary_search(player).expect("the field has all players of a stage"))
        .collect()
}

/// Returns the games of all stages, one stage after the other.
fn games(field: &[PlayerId], stages: &[&Event]) -> Vec<EventGame> {
    let mut games: Vec<EventGame> = Vec::new();
    for (stage, number) in stages.iter().zip(1..) {
        let places = places_in(field, stage);
        // The places in the order begin anew in each stage.
        let before = games.iter().filter_map(|game| game.sequence).max().map_or(0, |last| last + 1);
        games.extend(stage.games.iter().map(|game| EventGame {
            white: places[game.white],
            black: places[game.black],
            stage: number,
            sequence: game.sequence.map(|sequence| before + sequence),
            ..*game
        }));
    }
    games
}

/// Adds up what the pairing tables of the stages show.
fn recognised(field: &[PlayerId], stages: &[&Event]) -> Recognised {
    let number = stages.len();
    let mut sum = Recognised::new(Kind::Stages, 0, 0, vec![0; field.len()]);
    sum.notes.push(format!("assembled from its {number} stages"));
    for stage in stages {
        let places = places_in(field, stage);
        let own = &stage.recognised;
        sum.expected_games += own.expected_games;
        sum.placed_games += own.placed_games;
        for (place, expected) in places.iter().zip(&own.expected_of) {
            sum.expected_of[*place] += expected;
        }
        sum.withdrawn.extend(own.withdrawn.iter().map(|player| places[*player]));
        sum.missing.extend(own.missing.iter().map(|missing| MissingGame {
            player: missing.player.map(|player| places[player]),
            opponent: missing.opponent.map(|player| places[player]),
            ..missing.clone()
        }));
        sum.is_certain &= own.is_certain;
        if own.end != EndEvidence::Shown {
            sum.end = own.end;
        }
    }
    sum
}
