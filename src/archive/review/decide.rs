//! Carrying out the Ratings Administrator's decisions.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::record::Decided;
use crate::archive::review::event_inputs::overrule_input;
use crate::archive::review::review_reason::ReviewReason;
use crate::archive::settings::Settings;
use crate::decisions::{Decision, DecisionError, Decisions, Forfeit, Split};
use crate::events::{Event, EventContext, SegmentKind};
use crate::games::{GameTable, Round, TempoReason};
use crate::hint::nearest;
use crate::players::{PersonName, PlayerId, Players, fold, slug};
use crate::ratings::{InitialRatings, RatingsOrigin};
use crate::source::{Diagnostic, DiagnosticKind, Wanted, find};
use crate::tournament::{self, Options};

/// Reads the Ratings Administrator's decisions.
///
/// # Errors
///
/// Where a file is missing, cannot be read or says what no decision can.
pub fn read_decisions(settings: &Settings) -> Result<Decisions, DecisionError> {
    let mut decisions = Decisions::default();
    let mut diagnostics = Vec::new();
    let mut errors = Vec::new();
    for file in find(&settings.input.decisions, Wanted::Decisions, &mut diagnostics) {
        errors.extend(decisions.read(&file).err());
    }
    // A folder without a single file of decisions is as wrong as a missing one.
    errors.extend(diagnostics.into_iter().map(|missing| DecisionError::Read {
        file: missing.file.to_string(),
        error: std::io::Error::new(std::io::ErrorKind::NotFound, missing.message),
    }));
    DecisionError::of_all(errors).map_or(Ok(decisions), Err)
}

/// Merges, splits, renames and marks events as decided; a rule becomes the decision of each event that it is about. Rules that
/// are about no event are told.
///
/// # Errors
///
/// Where decisions name events, players or games that are not there: all of them at once.
pub fn amend(
    mut events: Vec<Event>,
    decisions: &mut Decisions,
    material: EventContext<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Event>, DecisionError> {
    let EventContext { table, players, .. } = material;
    if let Some(error) = DecisionError::of_all(decisions.wrong_merges()) {
        return Err(error);
    }
    let mut errors = Vec::new();
    let has_field = |events: &[Event], id: &str, field: &str| {
        events
            .iter()
            .filter(|event| event.id == id)
            .any(|event| fold(&event.field(players)) == fold(field))
    };
    let mut other_fields: Vec<(&str, &Decision, &String)> = Vec::new();
    let mut unknown: BTreeSet<&str> = BTreeSet::new();
    for (id, decision) in decisions.iter() {
        if let Err(error) = place(&events, id, id, decision) {
            errors.push(error);
            unknown.insert(id);
            continue;
        }
        // The field is that of before or of behind what this decides.
        if let Some(field) = decision.field.as_ref().filter(|field| !has_field(&events, id, field))
        {
            other_fields.push((id, decision, field));
        }
    }
    let known = |(id, _): &(&str, &Decision)| !unknown.contains(id);
    for (id, decision) in decisions.iter().filter(known) {
        for other in &decision.merge {
            errors.extend(merge(&mut events, id, other, decision, material).err());
        }
    }
    for (id, decision) in decisions.iter().filter(known) {
        for part in &decision.split {
            errors.extend(split(&mut events, id, part, decision, material).err());
        }
    }
    for (id, decision, field) in other_fields {
        let now = match place(&events, id, id, decision) {
            Ok(place) => events[place].field(players),
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        if !has_field(&events, id, field) {
            errors.push(decision.wrong(
                id,
                format!(
                    "field: this was decided for {field}, and the event of this id has {now}; look which event \
                     is meant, and write its id and field"
                ),
            ));
        }
    }
    let unknown: BTreeSet<String> = unknown.into_iter().map(str::to_owned).collect();
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
    let mut undated: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, decision) in decisions.iter().filter(|(_, decision)| decision.date.is_none()) {
        let file =
            decision.place.rsplit_once(':').map_or(decision.place.as_str(), |(file, _)| file);
        *undated.entry(file).or_default() += 1;
    }
    for (file, count) in undated {
        let what = if count == 1 { "one decision has" } else { "decisions have" };
        let count = if count == 1 { String::new() } else { format!("{count} ") };
        diagnostics.push(Diagnostic::warning(
            file,
            0,
            DiagnosticKind::Decisions,
            format!("{count}{what} no day; write `date = YYYY-MM-DD`"),
        ));
    }
    hold_together(&mut events);
    events.sort_by(|a, b| (a.start, &a.name, &a.id).cmp(&(b.start, &b.name, &b.id)));
    Ok(events)
}

/// Makes rules the decisions of the events that they are about.
fn follow_rules(decisions: &mut Decisions, events: &[Event], diagnostics: &mut Vec<Diagnostic>) {
    let rules = decisions.rules().to_vec();
    for event in events {
        let about: Vec<_> =
            rules.iter().filter(|rule| rule.is_about(&event.name, &event.id)).collect();
        decisions.with_rules(&event.id, &about);
    }
    for rule in &rules {
        if !events.iter().any(|event| rule.is_about(&event.name, &event.id)) {
            let (file, line) = rule.place.rsplit_once(':').unwrap_or((&rule.place, ""));
            diagnostics.push(Diagnostic::warning(
                file,
                line.parse().unwrap_or_default(),
                DiagnosticKind::Decisions,
                format!("no event is called {}: this rule decides nothing here", rule.event),
            ));
        }
    }
}

/// Takes an event out of another.
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
    let new_id = id_of(&split.name, &events[place]);
    if events.iter().any(|event| event.id == new_id) {
        let message = format!("split: there is an event {new_id} already");
        return Err(decision.wrong(id, message));
    }
    let (rest, taken) =
        events[place].split(&split.name, &new_id, &part, material).ok_or_else(|| {
            let message = format!("split: too few games for {} or for the rest", split.name);
            decision.wrong(id, message)
        })?;
    events[place] = rest;
    events.push(taken);
    Ok(())
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
    material: EventContext<'_>,
) -> Result<(), DecisionError> {
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
    events.iter().position(|event| event.id == id).ok_or_else(|| {
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

/// Marks an event as decided; what of it cannot be carried out.
fn mark(
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
    for (segment, analysed) in [
        (SegmentKind::Main, decision.segments.main),
        (SegmentKind::Extra, decision.segments.extra),
        (SegmentKind::PlayOff, decision.segments.play_off),
    ] {
        let Some(analysed) = analysed else { continue };
        if event.games.iter().all(|game| game.segment != segment) {
            let message = format!("segments: it has no games of the kind \"{}\"", segment.words());
            errors.push(decision.wrong(&event.id, message));
        }
        event.set_segment(segment, analysed);
    }
    if event.games.iter().all(|game| !game.analysed) {
        errors.push(decision.wrong(&event.id, "segments: no game is left"));
    }
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
            let message = format!("expected_games: {expected}, and {found} are there");
            errors.push(decision.wrong(&event.id, message));
        }
    }
    if decision.listed == Some(true) && event.ranked_elsewhere {
        let message = "listed: its games are ranked with another event; decide for that";
        errors.push(decision.wrong(&event.id, message));
    }
    if let Some(name) = &decision.name {
        event.name.clone_from(name);
    }
    errors
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
pub(crate) fn overrule(
    decision: &Decision,
    event: &Event,
    players: &Players,
    ratings: &mut InitialRatings,
    input: &mut tournament::Event,
    options: &mut Options,
) -> Result<Decided, DecisionError> {
    let find = |_: &tournament::Event, name: &str| {
        let player = player_of(event, name, decision, players)?;
        Ok(event.players.iter().position(|id| *id == player).unwrap_or_default())
    };
    overrule_input(decision, &event.id, find, input, options)?;
    let mut what = Vec::new();
    for rating in &decision.ratings {
        let index = find(input, &rating.player)?;
        ratings.ratings[index] = rating.set;
        what.push(match rating.set {
            Some(set) => format!("{} is rated {set:.0}.", input.players[index].name),
            None => format!("The rating of {} is deleted.", input.players[index].name),
        });
    }
    if !decision.ratings.is_empty() {
        // The administrator vouches for what the source knows too little of.
        ratings.weak = false;
        if ratings.origin == RatingsOrigin::Unknown {
            ratings.origin = RatingsOrigin::Decided;
            ratings.origin.name().clone_into(&mut input.rating_system);
        }
    }
    if let Some(number_two) = decision.number_two {
        what.push(format!("The world's number two is rated {number_two:.0}."));
        ratings.number_two = None;
        ratings.number_two_plays = None;
    }
    match decision.listed {
        Some(true) => what.push("It enters the lists, whatever the rules say.".into()),
        Some(false) => what.push("It enters no list.".into()),
        None => {}
    }
    if let Some(tempo) = decision.tempo {
        what.push(format!("It was {} chess.", tempo.word()));
    }
    if decision.complete {
        what.push("All of its games are there.".into());
    }
    if let Some(expected) = decision.expected_games {
        what.push(format!("It had {expected} games."));
    }
    if let Some(policy) = decision.policy {
        what.push(format!("Ratings that do not fit: policy \"{}\".", policy.word()));
    }
    if let Some(move_pressure) = decision.move_pressure {
        what.push(match move_pressure {
            true => "Ratings under pressure move too.".into(),
            false => "Ratings under pressure do not move.".into(),
        });
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
        settles.extend([
            ReviewReason::Failed,
            ReviewReason::Corrected,
            ReviewReason::Rebuilt,
            ReviewReason::Omitted,
        ]);
    }
    if decision.complete || decision.expected_games.is_some() {
        settles.push(ReviewReason::Uncertain);
    }
    if decision.tempo.is_some() {
        settles.push(ReviewReason::Doubtful);
    }
    if decision.move_pressure.is_some() {
        settles.push(ReviewReason::Pressure);
    }
    if decision.reviewed {
        what.push("The event was reviewed and stands as it is.".into());
    }
    if decision.reviewed || decision.listed.is_some() {
        settles.extend(ReviewReason::ALL);
    }
    Ok(Decided {
        author: decision.author.clone(),
        date: decision.date.map(|date| date.to_string()).unwrap_or_default(),
        reason: decision.reason.clone(),
        what,
        special_conditions: decision.special_conditions.clone(),
        note: decision.note.clone(),
        listed: decision.listed,
        settles,
    })
}
