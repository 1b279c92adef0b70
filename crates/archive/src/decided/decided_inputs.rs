//! Applies a decision to the inputs of an event without its games, so that the effect appears at
//! once.

use std::collections::BTreeMap;

use crate::decided::event_shape::{EventShape, no_single_forfeit, places_of_winners};
use crate::decided::regrouped::GameSearch;
use crate::decisions::{Decision, DecisionError};
use crate::progress::counted;
use crate::record::event_inputs::{EventInputs, overrule_input, player_of};
use error_hints::nearest;
use pgn_collections::games::PartialDate;
use tournament_app::{EventPart, Kind};

/// The other events that a decision names, by identifier.
pub type RelatedEvents = BTreeMap<String, EventInputs>;

#[derive(Clone, Debug)]
pub struct DecidedInputs {
    pub inputs: EventInputs,
    /// What only the next build can show, in sentences.
    pub later: Vec<String>,
}

impl EventInputs {
    /// The inputs after a decision about the event `id`. `others` are the events that it merges or
    /// from which it moves games.
    ///
    /// # Errors
    ///
    /// Returns an error if the decision names a player who is not in the event, or does not fit it.
    pub fn decide(
        &self,
        id: &str,
        decision: &Decision,
        others: &RelatedEvents,
    ) -> Result<DecidedInputs, DecisionError> {
        let mut case = DecidedInputs { inputs: self.clone(), later: Vec::new() };
        case.join_persons(id, decision)?;
        case.merge_and_move(id, decision, others)?;
        case.split(id, decision)?;
        if let Some(error) = DecisionError::of_all(case.inputs.shape(id).misfits(decision)) {
            return Err(error);
        }
        case.mark_games(id, decision)?;
        case.set_length(id, decision)?;
        case.set_facts(id, decision)?;
        let EventInputs { input, options, .. } = &mut case.inputs;
        overrule_input(
            decision,
            id,
            |input, name| find(input, name, id, decision),
            input,
            options,
        )?;
        Ok(case)
    }
}

impl EventInputs {
    /// The facts that decide whether a decision fits the event.
    fn shape<'a>(&self, id: &'a str) -> EventShape<'a> {
        let [start, end] = [&self.facts.start, &self.facts.end]
            .map(|day| PartialDate::parse(day).unwrap_or_default());
        EventShape {
            id,
            players: self.input.players.len(),
            days: (start, end),
            is_ranked_elsewhere: self.eligibility.is_ranked_elsewhere,
        }
    }
}

/// The index of a player whom a decision names.
fn find(
    input: &tournament_app::Event,
    name: &str,
    id: &str,
    decision: &Decision,
) -> Result<usize, DecisionError> {
    player_of(input, name).ok_or_else(|| {
        let hint = nearest(name, input.players.iter().map(|player| player.name.as_str()));
        let hint = hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default();
        decision.wrong(id, format!("no player {name} in the event{hint}"))
    })
}

impl DecidedInputs {
    fn join_persons(&mut self, id: &str, decision: &Decision) -> Result<(), DecisionError> {
        for person in &decision.persons {
            let names = std::iter::once(&person.name).chain(&person.spellings);
            let mut places: Vec<usize> =
                names.filter_map(|name| player_of(&self.inputs.input, name)).collect();
            let mut seen = std::collections::BTreeSet::new();
            places.retain(|place| seen.insert(*place));
            if places.len() > 1 {
                self.inputs = self.inputs.with_one_person(&places).ok_or_else(|| {
                    let message = format!(
                        "persons: players who are named as {} met in this event, so they are two \
                         persons",
                        person.name
                    );
                    decision.wrong(id, message)
                })?;
            }
            self.later.push(format!(
                "The next build merges {} in all events, and computes the ratings again.",
                person.name
            ));
        }
        Ok(())
    }

    /// Adds the games of merged events, and games that belong to this one.
    fn merge_and_move(
        &mut self,
        id: &str,
        decision: &Decision,
        others: &RelatedEvents,
    ) -> Result<(), DecisionError> {
        for (other_id, other) in decision.merge.iter().filter_map(|id| others.get_key_value(id)) {
            let mut names = other.input.players.iter().map(|player| &player.name);
            let own = &self.inputs.input.players;
            let is_common = names.any(|name| own.iter().any(|player| player.name == *name));
            let shape = self.inputs.shape(id);
            if let Some(error) = shape.unrelated(&other.shape(other_id), is_common, decision) {
                return Err(error);
            }
            self.inputs = self.inputs.merged(other);
        }
        for moved in &decision.moved_games {
            let Some(other) = others.get(&moved.from) else { continue };
            let sought = GameSearch {
                white: find(&other.input, &moved.white, id, decision)?,
                black: find(&other.input, &moved.black, id, decision)?,
                round: moved.round.as_deref(),
                play_off: None,
            };
            let Some(place) = other.game(sought) else {
                let message = format!(
                    "moved_games: {} has not exactly one such game of {} (White) against {}; \
                     identify it by its round",
                    moved.from, moved.white, moved.black
                );
                return Err(decision.wrong(id, message));
            };
            self.inputs = self.inputs.with_games_of(other, &[place]);
            self.later.push(format!("{} loses a game with the next build.", moved.from));
        }
        Ok(())
    }

    /// Takes out the games of events that are split off.
    fn split(&mut self, id: &str, decision: &Decision) -> Result<(), DecisionError> {
        for split in &decision.split {
            let players = split.players.iter();
            let part: Vec<usize> = players
                .map(|name| find(&self.inputs.input, name, id, decision))
                .collect::<Result<_, _>>()?;
            let rest = self
                .inputs
                .with_only(|_, game| !(part.contains(&game.white) && part.contains(&game.black)));
            if rest.input.games.is_empty()
                || rest.input.games.len() == self.inputs.input.games.len()
            {
                let message = format!(
                    "split: too few games are left for {} or for the rest; check its players",
                    split.name
                );
                return Err(decision.wrong(id, message));
            }
            self.inputs = rest;
            self.later.push(format!("{} becomes an event with the next build.", split.name));
        }
        Ok(())
    }

    /// Marks games that were not played, and takes out segments.
    fn mark_games(&mut self, id: &str, decision: &Decision) -> Result<(), DecisionError> {
        for forfeit in &decision.forfeits {
            let sought = GameSearch {
                white: find(&self.inputs.input, &forfeit.white, id, decision)?,
                black: find(&self.inputs.input, &forfeit.black, id, decision)?,
                round: forfeit.round.as_deref(),
                play_off: Some(forfeit.play_off),
            };
            match self.inputs.games(sought)[..] {
                [place] => self.inputs.input.games[place].played = false,
                ref games => return Err(no_single_forfeit(decision, id, forfeit, games.len())),
            }
        }
        let parts = decision.segments;
        let parts_left_out: Vec<EventPart> = [
            (EventPart::Main, parts.main),
            (EventPart::Extra, parts.extra),
            (EventPart::PlayOff, parts.play_off),
        ]
        .into_iter()
        .filter(|(_, counts)| *counts == Some(false))
        .map(|(part, _)| part)
        .collect();
        if self.inputs.input.games.iter().all(|game| parts_left_out.contains(&game.part)) {
            let message = "segments: no game is left; keep at least one segment";
            return Err(decision.wrong(id, message));
        }
        // A segment that is left out stays in the event's table, as its games in the event do.
        let rounds = std::mem::take(&mut self.inputs.facts.rounds);
        for (round, game) in rounds.into_iter().zip(&self.inputs.input.games) {
            if !parts_left_out.contains(&game.part) {
                self.inputs.facts.rounds.push(round);
            }
        }
        self.inputs.input.games.retain(|game| !parts_left_out.contains(&game.part));
        Ok(())
    }

    /// Sets kind, tempo and the number of games.
    fn set_length(&mut self, id: &str, decision: &Decision) -> Result<(), DecisionError> {
        let case = &mut self.inputs;
        case.eligibility.decide(decision);
        case.input.kind = case.eligibility.kind;
        let main = case.input.games.iter().filter(|game| game.part == EventPart::Main).count();
        let expected = decision.expected_games.or(decision.complete.then_some(main));
        let Some(expected) = expected else { return Ok(()) };
        if expected < main {
            let message = format!(
                "expected_games: {expected} is less than the {} of the event",
                counted(main, "game")
            );
            return Err(decision.wrong(id, message));
        }
        case.eligibility.expected_games = expected;
        case.eligibility.placed_games = main;
        case.eligibility.is_certain = true;
        let of_each = if case.eligibility.kind == Kind::Match { expected } else { 0 };
        case.eligibility.expected_of.fill(of_each);
        Ok(())
    }

    /// Sets name, days, winners and end.
    fn set_facts(&mut self, id: &str, decision: &Decision) -> Result<(), DecisionError> {
        let EventInputs { input, facts, .. } = &mut self.inputs;
        if let Some(name) = &decision.name {
            input.name = name.to_string();
        }
        if let Some(outcome) = decision.outcome {
            facts.outcome = Some(outcome);
            if outcome.is_without_result() {
                facts.winners = Some(Vec::new());
            }
        }
        let winners = places_of_winners(decision, id, |name| find(input, name, id, decision))?;
        if let Some(places) = winners {
            let names = places.into_iter().map(|place| input.players[place].name.clone());
            facts.winners = Some(names.collect());
        }
        for (day, decided) in [(&mut facts.start, decision.start), (&mut facts.end, decision.end)] {
            if let Some(decided) = decided {
                *day = decided.iso();
            }
        }
        Ok(())
    }
}
