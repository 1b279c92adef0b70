//! Overrules the inputs of an event's analysis.

use std::collections::BTreeMap;

use crate::decided::named_player::place_of_player;
use crate::decided::sentences::sentences;
use crate::decisions::{Decision, DecisionError, Regrouping};
use crate::record::Decided;
use crate::record::event_inputs::overrule_input;
use crate::record::review_reason::ReviewReason;
use chess_history::events::{Ending, Event};
use chess_history::players::Players;
use chess_history::ratings::{InitialRatings, RatingsOrigin};
use tournament_app::Options;

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
            author: decision.author.to_string(),
            date: decision.date.map(|date| date.to_string()).unwrap_or_default(),
            reason: decision.reason.to_string(),
            what,
            special_conditions: decision
                .special_conditions
                .iter()
                .map(ToString::to_string)
                .collect(),
            source: decision.source.as_ref().map(ToString::to_string),
            note: decision.note.as_ref().map(ToString::to_string),
            listed: decision.listed,
            settles: settled_reasons(decision),
            file: decision.file_name().to_owned(),
            names,
            regrouped: Regrouping::new(decision),
        })
    }
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
            ReviewReason::LeaderKept,
        ]);
    }
    if decision.complete || decision.expected_games.is_some() {
        settles.extend([ReviewReason::Uncertain, ReviewReason::Tags]);
    }
    if decision.kind.is_some() {
        settles.push(ReviewReason::Tags);
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
