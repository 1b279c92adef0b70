//! Holds the inputs needed to re-analyse an event without its games.

use serde::{Deserialize, Serialize};

use crate::decisions::{Decision, DecisionError};
use crate::record::eligibility::Eligibility;
use crate::record::event_facts::EventFacts;
use crate::record::status::Status;
use crate::settings::ListSettings;
use chess_history::players::{PersonName, slug};
use tournament_app::{Analysis, EventError, Options, Policy, analyse};

/// The inputs of an event's analysis, which decisions may change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventInputs {
    /// The event as the app receives it.
    pub input: tournament_app::Event,
    pub options: Options,
    /// What decides, in addition to the figures, whether the event enters the lists.
    #[serde(rename = "standing")]
    pub eligibility: Eligibility,
    /// What is known of it and does not enter the analysis.
    #[serde(default)]
    pub facts: EventFacts,
}

/// The analysis of an event, and whether the event enters the lists.
#[derive(Clone, Debug)]
pub struct EventOutcome {
    pub analysis: Analysis,
    pub status: Status,
    /// Whether performances in it enter the lists.
    pub performances: Status,
    /// The G-scores of performances that enter a list, by place in the analysis; `None` for the
    /// others.
    pub great: Vec<Option<f64>>,
}

impl EventInputs {
    /// Analyses the event, without the order spread and the standard errors. They take long and
    /// decide nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the app refuses the event.
    pub fn outcome(&self, lists: &ListSettings) -> Result<EventOutcome, EventError> {
        let options = Options { order_spread: false, ..self.options };
        let analysis = analyse(&self.input, &options)?;
        let status = self.eligibility.status(&analysis, lists);
        let performances = self.eligibility.status_of_performances(&analysis, lists);
        let great = self.eligibility.great(&analysis, lists);
        Ok(EventOutcome { analysis, status, performances, great })
    }

    /// The names of the winners: as declared, or else by points.
    pub fn winners(&self, outcome: &EventOutcome) -> Vec<String> {
        if let Some(declared) = &self.facts.winners {
            return declared.clone();
        }
        let players = &outcome.analysis.players;
        let places = self.eligibility.winners_by_points(&outcome.analysis);
        places.into_iter().map(|place| players[place].name.clone()).collect()
    }
}

/// Finds a player of an event by name or id, or under another form of the name that only one player
/// has.
pub fn player_of(input: &tournament_app::Event, name: &str) -> Option<usize> {
    let mut players = input.players.iter();
    let exactly = players.position(|player| player.name == name || slug(&player.name) == name);
    if exactly.is_some() {
        return exactly;
    }
    let key = PersonName::parse(name).key();
    let players = input.players.iter().enumerate();
    let mut same_key = players.filter(|(_, player)| PersonName::parse(&player.name).key() == key);
    match (same_key.next(), same_key.next()) {
        (Some((place, _)), None) => Some(place),
        _ => None,
    }
}

/// Applies a decision to the app's event and options. `find` returns the number of a player in the
/// event.
///
/// # Errors
///
/// Returns an error if a decision names a player who is not in the event, or one of them twice.
pub fn overrule_input(
    decision: &Decision,
    id: &str,
    find: impl Fn(&tournament_app::Event, &str) -> Result<usize, DecisionError>,
    input: &mut tournament_app::Event,
    options: &mut Options,
) -> Result<(), DecisionError> {
    for rating in &decision.ratings {
        let index = find(input, &rating.player)?;
        if input.players[index].decided.is_some() {
            let message =
                format!("ratings: {} is decided twice; keep one", input.players[index].name);
            return Err(decision.wrong(id, message));
        }
        let reason = rating.reason.clone().unwrap_or_else(|| decision.reason.clone());
        input.players[index].initial_rating = rating.set;
        input.players[index].decided = Some(reason.into());
    }
    if let Some(number_two) = decision.number_two {
        input.number_two = Some(number_two);
    }
    if let Some(policy) = decision.policy {
        options.policy = policy;
        options.knock_out_policy = policy;
        options.omit_ratings = policy != Policy::Keep;
    }
    if let Some(move_pressure) = decision.move_pressure {
        options.move_pressure = move_pressure;
    }
    if let Some(elo_k) = decision.elo_k {
        options.elo_k = elo_k;
    }
    Ok(())
}
