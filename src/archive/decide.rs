//! Carrying out the Ratings Administrator's decisions.

use std::collections::BTreeSet;

use super::record::Decided;
use super::review_reason::ReviewReason;
use super::settings::Settings;
use crate::decisions::{Decision, DecisionError, Decisions, Forfeit};
use crate::events::{Event, Material, SegmentKind};
use crate::games::{GameTable, Round};
use crate::hint::nearest;
use crate::players::{PersonName, PlayerId, Players, fold, slug};
use crate::ratings::{InitialRatings, RatingsOrigin};
use crate::source::{Wanted, find};
use crate::tournament::{self, Options};

/// Reads the Ratings Administrator's decisions.
///
/// # Errors
///
/// Where a file is missing, cannot be read or says what no decision can.
pub fn read_decisions(settings: &Settings) -> Result<Decisions, DecisionError> {
    let mut decisions = Decisions::default();
    let mut diagnostics = Vec::new();
    for file in find(&settings.input.decisions, Wanted::Decisions, &mut diagnostics) {
        decisions.read(&file)?;
    }
    // A folder without a single file of decisions is as wrong as a missing one.
    match diagnostics.into_iter().next() {
        Some(missing) => Err(DecisionError::Read {
            file: missing.file.to_string(),
            error: std::io::Error::new(std::io::ErrorKind::NotFound, missing.message),
        }),
        None => Ok(decisions),
    }
}

/// Puts decisions that name an event by its former identifier under the one that it has now.
pub fn follow_ids(decisions: &mut Decisions, events: &[Event]) {
    for event in events {
        if let Some(former) = &event.former_id {
            decisions.rename(former, &event.id);
        }
    }
}

/// Merges, splits, renames and marks events as decided.
///
/// # Errors
///
/// Where a decision names an event, a player or a game that is not there.
pub fn amend(
    mut events: Vec<Event>,
    decisions: &Decisions,
    material: Material<'_>,
) -> Result<Vec<Event>, DecisionError> {
    let Material { table, players, .. } = material;
    let has_field = |events: &[Event], id: &str, field: &str| {
        let is_it = |event: &&Event| event.id == id || event.former_id.as_deref() == Some(id);
        events.iter().filter(is_it).any(|event| fold(&event.field(players)) == fold(field))
    };
    let mut other_fields: Vec<(&str, &Decision, &String)> = Vec::new();
    for (id, decision) in decisions.iter() {
        // The field is that of before or of behind what this decides.
        if let Some(field) = decision.field.as_ref().filter(|field| !has_field(&events, id, field))
        {
            other_fields.push((id, decision, field));
        }
        if let Some(event) = events.iter().find(|event| event.former_id.as_deref() == Some(id)) {
            let message =
                format!("the event is called {} now, which has a decision of its own", event.id);
            return Err(decision.wrong(id, message));
        }
    }
    for (id, decision) in decisions.iter() {
        for other in &decision.merge {
            merge(&mut events, id, other, decision, material)?;
        }
    }
    for (id, decision) in decisions.iter() {
        for split in &decision.split {
            let place = place(&events, id, id, decision)?;
            let part = split
                .players
                .iter()
                .map(|name| player_of(&events[place], name, decision, players))
                .collect::<Result<Vec<_>, _>>()?;
            let new_id = id_of(&split.name, &events[place]);
            if events.iter().any(|event| event.id == new_id) {
                let message = format!("split: there is an event {new_id} already");
                return Err(decision.wrong(id, message));
            }
            let (rest, taken) =
                events[place].split(&split.name, &new_id, &part, material).ok_or_else(|| {
                    let message =
                        format!("split: too few games for {} or for the rest", split.name);
                    decision.wrong(id, message)
                })?;
            events[place] = rest;
            // No page leads from an address that is an event's own.
            for event in &mut events {
                if event.former_id.as_deref() == Some(new_id.as_str()) {
                    event.former_id = None;
                }
            }
            events.push(taken);
        }
    }
    for (id, decision, field) in other_fields {
        let now = events[place(&events, id, id, decision)?].field(players);
        if !has_field(&events, id, field) {
            return Err(decision.wrong(
                id,
                format!(
                    "field: this was decided for {field}, and the event of this id has {now}; look which event \
                     is meant, and write its id and field"
                ),
            ));
        }
    }
    for (id, decision) in decisions.iter() {
        let place = place(&events, id, id, decision)?;
        mark(&mut events[place], decision, table, players)?;
    }
    hold_together(&mut events);
    events.sort_by(|a, b| (a.start, &a.name, &a.id).cmp(&(b.start, &b.name, &b.id)));
    Ok(events)
}

/// What was decided of a game holds in the cycle and in its match; and nothing is part of what is gone.
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

/// Identifier of an event that is taken out of another: its name, and the year at the end.
fn id_of(name: &str, event: &Event) -> String {
    let id = slug(name);
    match event.start.year() {
        Some(year) if !id.ends_with(&format!("-{year}")) => format!("{id}-{year}"),
        _ => id,
    }
}

fn merge(
    events: &mut Vec<Event>,
    id: &str,
    other: &str,
    decision: &Decision,
    material: Material<'_>,
) -> Result<(), DecisionError> {
    if id == other {
        return Err(decision.wrong(id, "merge: an event cannot be merged into itself"));
    }
    place(events, id, id, decision)?;
    let from = place(events, other, id, decision)?;
    let other = events.remove(from);
    let into = place(events, id, id, decision)?;
    if let Some(merged) = events[into].merged(&other, material) {
        events[into] = merged;
    }
    Ok(())
}

/// Index of an event that a decision (for the event `about`) names.
fn place(
    events: &[Event],
    id: &str,
    about: &str,
    decision: &Decision,
) -> Result<usize, DecisionError> {
    let now = events.iter().position(|event| event.id == id);
    let before = || events.iter().position(|event| event.former_id.as_deref() == Some(id));
    now.or_else(before).ok_or_else(|| {
        let hint = nearest(id, events.iter().map(|event| event.id.as_str()));
        decision.wrong(about, format!("there is no event {id}{}", did_you_mean(hint)))
    })
}

fn did_you_mean(hint: Option<&str>) -> String {
    hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default()
}

/// A player of an event by name or id.
fn player_of(
    event: &Event,
    name: &str,
    decision: &Decision,
    players: &Players,
) -> Result<PlayerId, DecisionError> {
    let of = |id: PlayerId| players.get(id);
    let all = || event.players.iter().copied();
    // As he is shown or spelt, or else under another form of his name, if it is only one player's.
    let exactly = all().find(|id| {
        let player = of(*id);
        player.name == name || player.id == name || player.spellings.iter().any(|s| s == name)
    });
    let key = PersonName::parse(name).key();
    let called = || all().filter(|id| of(*id).names.iter().any(|name| name.key() == key));
    let alike = called().next().filter(|_| called().count() == 1);
    exactly.or(alike).ok_or_else(|| {
        let hint = nearest(name, all().map(|id| of(id).name.as_str()));
        let message = format!("there is no player {name} in it{}", did_you_mean(hint));
        decision.wrong(&event.id, message)
    })
}

fn mark(
    event: &mut Event,
    decision: &Decision,
    table: &GameTable,
    players: &Players,
) -> Result<(), DecisionError> {
    for forfeit in &decision.forfeits {
        mark_forfeit(event, forfeit, decision, table, players)?;
    }
    for (segment, analysed) in [
        (SegmentKind::Main, decision.segments.main),
        (SegmentKind::Extra, decision.segments.extra),
        (SegmentKind::PlayOff, decision.segments.play_off),
    ] {
        let Some(analysed) = analysed else { continue };
        if event.games.iter().all(|game| game.segment != segment) {
            let message = format!("segments: it has no games of the kind \"{}\"", segment.words());
            return Err(decision.wrong(&event.id, message));
        }
        event.set_segment(segment, analysed);
    }
    if event.games.iter().all(|game| !game.analysed) {
        return Err(decision.wrong(&event.id, "segments: no game is left"));
    }
    if let Some(kind) = decision.kind {
        event.set_kind(kind);
    }
    if let Some(expected) = decision.expected_games {
        let found = event.games.iter().filter(|game| game.segment == SegmentKind::Main).count();
        if !event.set_expected_games(expected) {
            let message = format!("expected_games: {expected}, and {found} are there");
            return Err(decision.wrong(&event.id, message));
        }
    }
    if let Some(name) = &decision.name {
        event.name.clone_from(name);
    }
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
        games => {
            let message = format!(
                "forfeits: {} games of {} (White) against {}{}; name one by its round",
                games.len(),
                forfeit.white,
                forfeit.black,
                forfeit
                    .round
                    .as_ref()
                    .map(|round| format!(" in round {round}"))
                    .unwrap_or_default(),
            );
            Err(decision.wrong(&id, message))
        }
    }
}

/// Overrules ratings, number two and policy of one event; what was decided, in words.
///
/// # Errors
///
/// Where a decision names a player who is not in the event.
pub(super) fn overrule(
    decision: &Decision,
    event: &Event,
    players: &Players,
    ratings: &mut InitialRatings,
    input: &mut tournament::Event,
    options: &mut Options,
) -> Result<Decided, DecisionError> {
    let mut what = Vec::new();
    for rating in &decision.ratings {
        let player = player_of(event, &rating.player, decision, players)?;
        let Some(index) = event.players.iter().position(|id| *id == player) else { continue };
        if input.players[index].decided.is_some() {
            let message = format!("ratings: {} is decided twice", input.players[index].name);
            return Err(decision.wrong(&event.id, message));
        }
        let reason = rating.reason.clone().unwrap_or_else(|| decision.reason.clone());
        what.push(match rating.set {
            Some(set) => format!("{} is rated {set:.0}.", input.players[index].name),
            None => format!("The rating of {} is deleted.", input.players[index].name),
        });
        ratings.ratings[index] = rating.set;
        input.players[index].initial_rating = rating.set;
        input.players[index].decided = Some(reason);
    }
    if !decision.ratings.is_empty() {
        // The administrator vouches for what the source knows too little of.
        ratings.weak = false;
        if ratings.origin == RatingsOrigin::Nobody {
            ratings.origin = RatingsOrigin::Decided;
            ratings.origin.name().clone_into(&mut input.rating_system);
        }
    }
    if let Some(number_two) = decision.number_two {
        what.push(format!("The world's number two is rated {number_two:.0}."));
        ratings.number_two = None;
        ratings.number_two_plays = None;
        input.number_two = Some(number_two);
    }
    if let Some(expected) = decision.expected_games {
        what.push(format!("It had {expected} games."));
    }
    if let Some(policy) = decision.policy {
        what.push(format!("Ratings that do not fit: policy \"{}\".", policy.word()));
        options.policy = policy;
        options.knock_out_policy = policy;
    }
    if let Some(move_pressure) = decision.move_pressure {
        what.push(match move_pressure {
            true => "Ratings under pressure move too.".into(),
            false => "Ratings under pressure do not move.".into(),
        });
        options.move_pressure = move_pressure;
    }
    for forfeit in &decision.forfeits {
        let round =
            forfeit.round.as_ref().map(|round| format!(", round {round},")).unwrap_or_default();
        what.push(format!(
            "The game {} against {}{round} was not played.",
            forfeit.white, forfeit.black
        ));
    }
    for (segment, analysed) in [
        (SegmentKind::Main, decision.segments.main),
        (SegmentKind::Extra, decision.segments.extra),
        (SegmentKind::PlayOff, decision.segments.play_off),
    ] {
        if let Some(analysed) = analysed {
            let does = if analysed { "count" } else { "do not count" };
            what.push(format!("Games of the kind \"{}\" {does}.", segment.words()));
        }
    }
    if let Some(kind) = decision.kind {
        what.push(format!("It is a {}.", kind.words()));
    }
    if let Some(name) = &decision.name {
        what.push(format!("It is called {name}."));
    }
    what.extend(decision.merge.iter().map(|other| format!("{other} belongs to it.")));
    what.extend(decision.split.iter().map(|split| format!("{} is an event apart.", split.name)));
    let mut settles = Vec::new();
    if decision.policy.is_some() {
        settles.extend([ReviewReason::Failed, ReviewReason::Corrected, ReviewReason::Rebuilt]);
    }
    if decision.move_pressure.is_some() {
        settles.push(ReviewReason::Pressure);
    }
    if decision.reviewed {
        what.push("The event was reviewed and stands as it is.".into());
        settles.extend(ReviewReason::ALL);
    }
    Ok(Decided {
        author: decision.author.clone(),
        date: decision.date.to_string(),
        reason: decision.reason.clone(),
        what,
        special_conditions: decision.special_conditions.clone(),
        note: decision.note.clone(),
        settles,
    })
}
