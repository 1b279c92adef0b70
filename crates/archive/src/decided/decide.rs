//! Carries out the Ratings Administrator's decisions.

use std::collections::{BTreeMap, BTreeSet};

use crate::decided::event_shape::{EventShape, no_single_forfeit, places_of_winners};
use crate::decisions::{
    Decision, DecisionError, Decisions, Forfeit, MovedGame, Regrouping, Segments, Split,
    file_and_line,
};
use crate::progress::counted;
use crate::record::Decided;
use crate::record::event_inputs::overrule_input;
use crate::record::review_reason::ReviewReason;
use chess_history::events::{DecidedFacts, Ending, Event, EventContext, SegmentKind};
use chess_history::players::{PersonName, PlayerId, Players, fold, slug};
use chess_history::ratings::{InitialRatings, RatingsOrigin};
use error_hints::nearest;
use pgn_collections::games::{GameTable, PartialDate, Round, TempoReason};
use pgn_collections::source::{Diagnostic, DiagnosticKind};
use tournament_app::{Options, Policy};

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
    let unrelated = shape(&events[to]).unrelated(&shape(&events[from]), is_common, decision);
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

/// The facts of an event that decide whether a decision fits it.
fn shape(event: &Event) -> EventShape<'_> {
    EventShape {
        id: &event.id,
        players: event.players.len(),
        days: event.days(),
        is_ranked_elsewhere: event.ranked_elsewhere,
    }
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

fn did_you_mean(hint: Option<&str>) -> String {
    hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default()
}

/// Finds a player of an event by name or id.
fn player_of(
    event: &Event,
    name: &str,
    decision: &Decision,
    players: &Players,
) -> Result<PlayerId, DecisionError> {
    // By the displayed name, the id or a spelling; otherwise under another form of the name, if
    // only one player has it.
    let exactly = event.players.iter().copied().find(|id| {
        let player = players.get(*id);
        player.name == name || player.id == name || player.spellings.iter().any(|s| s == name)
    });
    if let Some(player) = exactly {
        return Ok(player);
    }
    let key = PersonName::parse(name).key();
    let mut same_key = Vec::new();
    for id in &event.players {
        if players.get(*id).names.iter().any(|name| name.key() == key) {
            same_key.push(*id);
        }
    }
    if let [player] = same_key[..] {
        return Ok(player);
    }
    let hint = nearest(name, event.players.iter().map(|id| players.get(*id).name.as_str()));
    let message = format!("no player {name} in the event{}", did_you_mean(hint));
    Err(decision.wrong(&event.id, message))
}

/// The place in the event's list of the player whom a decision names.
fn place_of_player(
    event: &Event,
    name: &str,
    decision: &Decision,
    players: &Players,
) -> Result<usize, DecisionError> {
    let player = player_of(event, name, decision, players)?;
    Ok(event.players.iter().position(|id| *id == player).unwrap_or_default())
}

/// Applies a decision to an event. Returns what cannot be carried out.
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
    for (segment, analysed) in segments(decision) {
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
    errors.extend(shape(event).misfits(decision));
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
        event.name.clone_from(name);
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
    let Decision { start, end, outcome: ending, .. } = *decision;
    event.set_facts(DecidedFacts { start, end, winners, ending });
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

/// The inputs of one event's analysis, which a decision may overrule.
pub struct AnalysisInputs {
    /// The ratings that were found.
    pub ratings: InitialRatings,
    /// The event, as the app receives it.
    pub input: tournament_app::Event,
    pub options: Options,
}

impl AnalysisInputs {
    /// Overrules ratings, number two and policy as decided. Returns what was decided, in words.
    ///
    /// # Errors
    ///
    /// Returns an error if the decision names a player who is not in the event.
    pub fn overrule(
        &mut self,
        decision: &Decision,
        event: &Event,
        players: &Players,
    ) -> Result<Decided, DecisionError> {
        overrule_input(
            decision,
            &event.id,
            |_, name| place_of_player(event, name, decision, players),
            &mut self.input,
            &mut self.options,
        )?;
        let mut what = Vec::new();
        for rating in &decision.ratings {
            let index = place_of_player(event, &rating.player, decision, players)?;
            self.ratings.ratings[index] = rating.set;
            let name = &self.input.players[index].name;
            what.push(match rating.set {
                Some(set) => format!("{name} is rated {set:.0}."),
                None => format!("The rating of {name} is deleted."),
            });
        }
        if !decision.ratings.is_empty() {
            // The administrator vouches for ratings of a source that knows too few of the players.
            self.ratings.weak = false;
            if self.ratings.origin == RatingsOrigin::Unknown {
                self.ratings.origin = RatingsOrigin::Decided;
                self.ratings.origin.name().clone_into(&mut self.input.rating_system);
            }
        }
        if decision.number_two.is_some() {
            self.ratings.number_two = None;
            self.ratings.number_two_plays = None;
        }
        what.extend(sentences(decision));
        let mut names = BTreeMap::new();
        for name in decision.player_names() {
            let Ok(index) = place_of_player(event, name, decision, players) else { continue };
            let shown = &self.input.players[index].name;
            if shown != name {
                names.insert(name.to_owned(), shown.clone());
            }
        }
        Ok(Decided {
            author: decision.author.clone(),
            date: decision.date.map(|date| date.to_string()).unwrap_or_default(),
            reason: decision.reason.clone(),
            what,
            special_conditions: decision.special_conditions.clone(),
            note: decision.note.clone(),
            listed: decision.listed,
            settles: settled_reasons(decision),
            file: decision.file_name().to_owned(),
            names,
            regrouped: Regrouping::new(decision),
        })
    }
}

/// The content of a decision in sentences, except its ratings.
fn sentences(decision: &Decision) -> Vec<String> {
    let mut what = Vec::new();
    if let Some(number_two) = decision.number_two {
        what.push(format!("The world's number two is rated {number_two:.0}."));
    }
    match decision.listed {
        Some(true) => what.push("It enters the lists by decision.".into()),
        Some(false) => what.push("It enters no list.".into()),
        None => {}
    }
    if let Some(tempo) = decision.tempo {
        what.push(format!("It was {} chess.", tempo.word()));
    }
    if decision.complete {
        what.push("All of its games are known.".into());
    }
    if let Some(expected) = decision.expected_games {
        let games = if expected == 1 { "game" } else { "games" };
        what.push(format!("It had {expected} {games}."));
    }
    if let Some(policy) = decision.policy {
        let happens = match policy {
            Policy::Keep => "stay as they are",
            Policy::Correct => "move to the performance line",
            Policy::Rebuild => "are estimated again from the estimator line",
        };
        what.push(format!("Ratings that do not fit {happens}."));
    }
    if let Some(move_pressure) = decision.move_pressure {
        let moves = if move_pressure { "move too" } else { "do not move" };
        what.push(format!("Ratings under pressure {moves}."));
    }
    if let Some(elo_k) = decision.elo_k {
        what.push(format!("Elo ratings after the event: K = {elo_k}."));
    }
    for forfeit in &decision.forfeits {
        let round =
            forfeit.round.as_ref().map(|round| format!(", round {round},")).unwrap_or_default();
        what.push(format!(
            "The game {} against {}{round} was not played.",
            forfeit.white, forfeit.black
        ));
    }
    for (segment, analysed) in segments(decision) {
        let does = if analysed { "count" } else { "do not count" };
        what.push(format!("Games of the kind \"{}\" {does}.", segment.words()));
    }
    if let Some(kind) = decision.kind {
        what.push(format!("It is a {}.", kind.words()));
    }
    if let Some(name) = &decision.name {
        what.push(format!("It is called {name}."));
    }
    what.extend(fact_sentences(decision));
    what.extend(
        decision
            .merge
            .iter()
            .map(|other| format!("The games of the event \"{other}\" belong to it.")),
    );
    what.extend(decision.moved_games.iter().map(|game| {
        let round = game.round.as_ref().map(|round| format!(", round {round},"));
        let round = round.unwrap_or_default();
        let MovedGame { from, white, black, .. } = game;
        format!(
            "The game {white} against {black}{round} belongs to it, not to the event \"{from}\"."
        )
    }));
    what.extend(decision.persons.iter().map(|person| {
        format!("{} is one person with {}.", person.name, listed(&person.spellings))
    }));
    what.extend(decision.split.iter().map(|split| format!("{} is a separate event.", split.name)));
    if decision.reviewed {
        what.push("The event was reviewed and stays as it is.".into());
    }
    what
}

/// The days, the end and the winners that a decision states, in sentences.
fn fact_sentences(decision: &Decision) -> Vec<String> {
    let mut what = Vec::new();
    match (decision.start.map(day_phrase), decision.end.map(day_phrase)) {
        (Some(start), Some(end)) if start == end => what.push(format!("It was played {start}.")),
        (Some(start), Some(end)) => what.push(format!("It began {start} and ended {end}.")),
        (Some(start), None) => what.push(format!("It began {start}.")),
        (None, Some(end)) => what.push(format!("It ended {end}.")),
        (None, None) => {}
    }
    if let Some(ending) = decision.outcome {
        what.push(format!("It was {}.", ending.participle()));
    }
    match decision.winners.as_deref() {
        Some([]) => what.push("It had no winner.".into()),
        Some([winner]) => what.push(format!("The winner is {winner}.")),
        Some(winners) => what.push(format!("The winners are {}.", listed(winners))),
        None => {}
    }
    what
}

/// A day with its preposition: `on 3 May 1927`, `in May 1927`.
fn day_phrase(day: PartialDate) -> String {
    let preposition = if day.is_exact() { "on" } else { "in" };
    format!("{preposition} {}", day.in_words().unwrap_or_default())
}

/// Joins names: `A; B and C`. Semicolons, because names contain commas.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join("; ")),
    }
}

/// The segments that a decision takes into the analysis (`true`) or out of it.
fn segments(decision: &Decision) -> impl Iterator<Item = (SegmentKind, bool)> {
    let Segments { main, extra, play_off } = decision.segments;
    [(SegmentKind::Main, main), (SegmentKind::Extra, extra), (SegmentKind::PlayOff, play_off)]
        .into_iter()
        .filter_map(|(segment, analysed)| Some((segment, analysed?)))
}

/// The reasons for review that a decision answers.
fn settled_reasons(decision: &Decision) -> Vec<ReviewReason> {
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
    // A decision about the winner answers a source that names another.
    if decision.winners.is_some() || decision.outcome.is_some_and(Ending::is_without_result) {
        settles.push(ReviewReason::Contradicted);
    }
    if decision.reviewed || decision.listed.is_some() {
        settles.extend(ReviewReason::ALL);
    }
    settles
}
