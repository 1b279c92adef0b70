//! Merges, splits and marks events as decided.

use std::collections::{BTreeMap, BTreeSet};

use crate::decided::event_shape::EventShape;
use crate::decided::marked::mark;
use crate::decided::named_player::{did_you_mean, player_of};
use crate::decisions::{Decision, DecisionError, Decisions, MovedGame, Split, file_and_line};
use crate::progress::counted;
use chess_history::events::{Event, EventContext};
use chess_history::players::{Players, fold, slug};
use error_hints::nearest;
use pgn_collections::games::Round;
use pgn_collections::source::{Diagnostic, DiagnosticKind};

/// Carries out decisions: merges, splits, renames and marks events. A rule becomes the decision of
/// each event that it covers; a rule that covers no event is reported as a warning.
///
/// # Errors
///
/// Returns one error for all decisions that name events, players or games that do not exist.
pub fn amend(
    mut events: Vec<Event>,
    decisions: &mut Decisions,
    material: EventContext<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Event>, DecisionError> {
    let EventContext { table, players, .. } = material;
    refuse_contradictions(decisions)?;
    let Addressees { unknown, other_fields, mut errors } =
        Addressees::new(&events, decisions, players);
    for (id, decision) in decisions.iter().filter(|(id, _)| !unknown.contains(*id)) {
        for other in &decision.merge {
            errors.extend(merge(&mut events, id, other, decision, material).err());
        }
    }
    for (id, decision) in decisions.iter().filter(|(id, _)| !unknown.contains(*id)) {
        for game in &decision.moved_games {
            errors.extend(move_game(&mut events, id, game, decision, material).err());
        }
    }
    for (id, decision) in decisions.iter().filter(|(id, _)| !unknown.contains(*id)) {
        for part in &decision.split {
            errors.extend(split(&mut events, id, part, decision, material).err());
        }
    }
    for id in &other_fields {
        if let Some(decision) = decisions.get(id) {
            errors.extend(check_field(&events, id, decision, players).err());
        }
    }
    follow_rules(decisions, &events, diagnostics);
    for (id, decision) in decisions.iter().filter(|(id, _)| !unknown.contains(*id)) {
        match place(&events, id, id, decision) {
            Ok(place) => {
                events[place].keep_detected();
                errors.extend(mark(&mut events[place], decision, table, players));
            }
            Err(error) => errors.push(error),
        }
    }
    if let Some(error) = DecisionError::of_all(errors) {
        return Err(error);
    }
    diagnostics.extend(undated(decisions));
    diagnostics.extend(doubtful(decisions));
    diagnostics.extend(names_in_use(decisions, &events));
    hold_together(&mut events);
    events.sort_by(|a, b| (a.start, &a.name, &a.id).cmp(&(b.start, &b.name, &b.id)));
    Ok(events)
}

/// Checks decisions without any games. Returns warnings of decisions without a date, of decisions
/// that decide nothing, and of bundled ones that no longer apply.
///
/// # Errors
///
/// Returns an error if decisions contradict each other, independent of the games.
pub fn check_decisions(decisions: &Decisions) -> Result<Vec<Diagnostic>, DecisionError> {
    refuse_contradictions(decisions)?;
    Ok(undated(decisions).into_iter().chain(doubtful(decisions)).collect())
}

fn refuse_contradictions(decisions: &Decisions) -> Result<(), DecisionError> {
    let mut impossible = decisions.wrong_merges();
    impossible.extend(decisions.names_alike());
    DecisionError::of_all(impossible).map_or(Ok(()), Err)
}

/// The agreement of ids and fields of decisions with the events, before any decision is carried
/// out.
struct Addressees {
    /// Ids of decisions that no event has.
    unknown: BTreeSet<String>,
    /// Ids of decisions whose field differs from that of the event. The field may be the one that
    /// the decision itself creates, so these are checked again after merges and splits.
    other_fields: Vec<String>,
    /// One error for each unknown id.
    errors: Vec<DecisionError>,
}

impl Addressees {
    fn new(events: &[Event], decisions: &Decisions, players: &Players) -> Addressees {
        let mut found =
            Addressees { unknown: BTreeSet::new(), other_fields: Vec::new(), errors: Vec::new() };
        for (id, decision) in decisions.iter() {
            if let Err(error) = place(events, id, id, decision) {
                found.errors.push(error);
                found.unknown.insert(id.to_owned());
            } else if decision
                .field
                .as_ref()
                .is_some_and(|field| !has_field(events, id, field, players))
            {
                found.other_fields.push(id.to_owned());
            }
        }
        found
    }
}

/// Whether the event with this id has these players, written as [`Event::field`] writes them.
fn has_field(events: &[Event], id: &str, field: &str, players: &Players) -> bool {
    events
        .iter()
        .filter(|event| event.id == id)
        .any(|event| fold(&event.field(players)) == fold(field))
}

/// Refuses a decision that was made for an event with other players.
fn check_field(
    events: &[Event],
    id: &str,
    decision: &Decision,
    players: &Players,
) -> Result<(), DecisionError> {
    let event = &events[place(events, id, id, decision)?];
    match &decision.field {
        Some(field) if !has_field(events, id, field, players) => {
            let message = format!(
                "field: this was decided for {field}, but the event with this id has {}; find the \
                 event that is meant, and write its id and field",
                event.field(players)
            );
            Err(decision.wrong(id, message))
        }
        _ => Ok(()),
    }
}

/// Warns of decisions without a date, one warning a file.
fn undated(decisions: &Decisions) -> Vec<Diagnostic> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, decision) in decisions.iter().filter(|(_, decision)| decision.date.is_none()) {
        *counts.entry(decision.file_and_line().0).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|(file, count)| {
            let subject = match count {
                1 => "one decision has".to_owned(),
                count => format!("{count} decisions have"),
            };
            let message = format!("{subject} no date; write `date = YYYY-MM-DD`");
            Diagnostic::warning(file, 0, DiagnosticKind::Decisions, message)
        })
        .collect()
}

/// Warns of decisions that decide nothing, and of bundled decisions that no longer apply.
fn doubtful(decisions: &Decisions) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (event, decision) in decisions.iter().filter(|(_, decision)| decision.is_empty()) {
        let message = format!(
            "{event}: this decides nothing; add what it decides, or `reviewed = true` to keep the \
             event as it is"
        );
        warnings.push(warning_at(&decision.place, message));
    }
    for replaced in decisions.replaced() {
        if let Some(message) = replaced.warning() {
            warnings.push(warning_at(&replaced.by, message));
        }
    }
    warnings
}

/// Warns of official names that another event has too.
fn names_in_use(decisions: &Decisions, events: &[Event]) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (id, decision) in decisions.iter() {
        let Some(name) = &decision.name else { continue };
        let has_name = |event: &&Event| event.id != id && *name == *event.name;
        if let Some(other) = events.iter().find(has_name) {
            let message =
                format!("name: {} is called {name}, too; give them different names", other.id);
            warnings.push(warning_at(&decision.place, format!("{id}: {message}")));
        }
    }
    warnings
}

/// A warning about a decision or rule at a place in a file.
fn warning_at(place: &str, message: String) -> Diagnostic {
    let (file, line) = file_and_line(place);
    Diagnostic::warning(file, line, DiagnosticKind::Decisions, message)
}

/// Turns rules into decisions of the events that they cover.
fn follow_rules(decisions: &mut Decisions, events: &[Event], diagnostics: &mut Vec<Diagnostic>) {
    let rules = decisions.rules().to_vec();
    for event in events {
        let about: Vec<_> =
            rules.iter().filter(|rule| rule.covers(&event.name, &event.id)).collect();
        decisions.with_rules(&event.id, &about);
    }
    for rule in &rules {
        if !events.iter().any(|event| rule.covers(&event.name, &event.id)) {
            let message = format!(
                "no event is called {}, so this rule has no effect; check its name",
                rule.event
            );
            diagnostics.push(warning_at(&rule.place, message));
        }
    }
}

/// Moves a game from another event to the event of a decision.
fn move_game(
    events: &mut [Event],
    id: &str,
    moved: &MovedGame,
    decision: &Decision,
    material: EventContext<'_>,
) -> Result<(), DecisionError> {
    let EventContext { table, players, .. } = material;
    let (to, from) = (place(events, id, id, decision)?, place(events, &moved.from, id, decision)?);
    let white = player_of(&events[from], &moved.white, decision, players)?;
    let black = player_of(&events[from], &moved.black, decision, players)?;
    let round = moved.round.as_deref().map(Round::parse);
    let games = events[from].games_between(white, black).map(|game| game.row);
    let rows: Vec<usize> =
        games.filter(|row| round.is_none_or(|round| table.games()[*row].round == round)).collect();
    if rows.len() != 1 {
        let message = format!(
            "moved_games: {} has {} of {} (White) against {}; identify one game by its round",
            moved.from,
            counted(rows.len(), "such game"),
            moved.white,
            moved.black
        );
        return Err(decision.wrong(id, message));
    }
    let given = events[from].give_games(&rows, &events[to], material);
    let (rest, other) = given.ok_or_else(|| {
        let message = format!(
            "moved_games: too few games are left for {}; merge the event instead",
            moved.from
        );
        decision.wrong(id, message)
    })?;
    (events[from], events[to]) = (rest, other);
    Ok(())
}

fn split(
    events: &mut Vec<Event>,
    id: &str,
    split: &Split,
    decision: &Decision,
    material: EventContext<'_>,
) -> Result<(), DecisionError> {
    let place = place(events, id, id, decision)?;
    let part = split
        .players
        .iter()
        .map(|name| player_of(&events[place], name, decision, material.players))
        .collect::<Result<Vec<_>, _>>()?;
    let new_id = id_of_split(&split.name, events[place].start.year());
    if events.iter().any(|event| event.id == new_id) {
        let message =
            format!("split: an event {new_id} exists already; give the new event another name");
        return Err(decision.wrong(id, message));
    }
    let (rest, taken) =
        events[place].split(&split.name, &new_id, &part, material).ok_or_else(|| {
            let message = format!(
                "split: too few games are left for {} or for the rest; check its players",
                split.name
            );
            decision.wrong(id, message)
        })?;
    events[place] = rest;
    events.push(taken);
    Ok(())
}

/// Applies forfeits of a game in its cycle and in its match, and clears links to events that no
/// longer exist.
fn hold_together(events: &mut [Event]) {
    let unplayed: BTreeSet<usize> = events
        .iter()
        .flat_map(|event| event.games.iter().filter(|game| !game.played).map(|game| game.row))
        .collect();
    let ids: BTreeSet<String> = events.iter().map(|event| event.id.clone()).collect();
    let wholes: BTreeSet<String> =
        events.iter().filter_map(|event| event.part_of.clone()).collect();
    for event in events {
        for game in event.games.iter_mut().filter(|game| unplayed.contains(&game.row)) {
            game.played = false;
        }
        if event.part_of.as_ref().is_some_and(|whole| !ids.contains(whole)) {
            event.part_of = None;
        }
        event.ranked_elsewhere &= event.part_of.is_some() || wholes.contains(&event.id);
    }
}

/// The identifier of an event that is split off: its name, with the year at the end.
pub fn id_of_split(name: &str, year: Option<i16>) -> String {
    let id = slug(name);
    match year {
        Some(year) if !id.ends_with(&format!("-{year}")) => format!("{id}-{year}"),
        _ => id,
    }
}

fn merge(
    events: &mut Vec<Event>,
    id: &str,
    other: &str,
    decision: &Decision,
    material: EventContext<'_>,
) -> Result<(), DecisionError> {
    let (to, from) = (place(events, id, id, decision)?, place(events, other, id, decision)?);
    let is_common = events[from].players.iter().any(|one| events[to].players.contains(one));
    let unrelated = EventShape::new(&events[to]).unrelated(
        &EventShape::new(&events[from]),
        is_common,
        decision,
    );
    if let Some(error) = unrelated {
        return Err(error);
    }
    let other = events.remove(from);
    let into = place(events, id, id, decision)?;
    if let Some(merged) = events[into].merged(&other, material) {
        events[into] = merged;
    }
    Ok(())
}

/// The index of the event `id`, which the decision about the event `about` names.
fn place(
    events: &[Event],
    id: &str,
    about: &str,
    decision: &Decision,
) -> Result<usize, DecisionError> {
    events.iter().position(|event| event.id == id).ok_or_else(|| {
        let hint = nearest(id, events.iter().map(|event| event.id.as_str()));
        decision.wrong(about, format!("no event {id}{}", did_you_mean(hint)))
    })
}
