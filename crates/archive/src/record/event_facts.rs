//! Holds the facts about an event that its analysis does not use: days, winners, end and rounds.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use chess_history::events::{Ending, Event};
use pgn_collections::games::{GameTable, Round};

/// Facts about an event that decisions may state, and the rounds by which they name games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventFacts {
    /// The first day, as far as it is known: `1904`, `1904-04` or `1904-04-25`.
    pub start: String,
    /// The last day, as far as it is known.
    pub end: String,
    /// The names of the declared winners: several for a shared win, none for an event without a
    /// winner. `None` if points decide.
    pub winners: Option<Vec<String>>,
    /// How it ended, if it is known.
    pub outcome: Option<Ending>,
    /// The rounds of the analysed games, in their order; empty if none is known.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "as_texts",
        deserialize_with = "from_texts"
    )]
    pub rounds: Vec<Round>,
}

/// Writes rounds as their tags have them.
fn as_texts<S: Serializer>(rounds: &[Round], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rounds.iter().map(Round::to_string))
}

/// Reads rounds as tags have them.
fn from_texts<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<Round>, D::Error> {
    let texts = Vec::<String>::deserialize(source)?;
    Ok(texts.iter().map(|text| Round::parse(text)).collect())
}

impl EventFacts {
    /// The facts of an event that the app receives as `input`.
    pub fn new(event: &Event, input: &tournament_app::Event, table: &GameTable) -> EventFacts {
        let (start, end) = event.days();
        let winners = event.declared_winners().map(|winners| {
            winners.iter().map(|index| input.players[*index].name.clone()).collect()
        });
        // The app receives the same games in the same order.
        let analysed = event.games.iter().filter(|game| game.analysed);
        let games = analysed.map(|game| &table.games()[game.row]);
        let rounds =
            games.filter(|game| game.result.white_score().is_some()).map(|game| game.round);
        let mut rounds: Vec<Round> = rounds.collect();
        if !rounds.iter().any(|round| round.is_known()) {
            rounds = Vec::new();
        }
        EventFacts { start: start.iso(), end: end.iso(), winners, outcome: event.ending(), rounds }
    }

    /// The round of the game at a place, or the unknown round.
    pub fn round(&self, place: usize) -> Round {
        self.rounds.get(place).copied().unwrap_or(Round::UNKNOWN)
    }
}
