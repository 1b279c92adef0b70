//! Holds an event with its ratings and its analysis, before it is compared with others.

use crate::record::decided::Decided;
use crate::record::eligibility::Eligibility;
use crate::record::event_facts::EventFacts;
use crate::record::event_inputs::EventInputs;
use crate::record::scoring::points_by;
use crate::record::status::Status;
use chess_history::events::Event;
use chess_history::ratings::InitialRatings;
use tournament_app::{Analysis, Options, PlayerAnalysis};

/// What the bracket of a knock-out shows of the final, or of one of its matches. Players are places
/// in the field of the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracketResult {
    /// Who went on, or won the final.
    pub winner: usize,
    pub loser: usize,
    pub is_final: bool,
}

/// An event after the Tournament App. Its record has the same fields, and the figures that follow
/// from the analyses of all events.
#[derive(Clone, Debug)]
pub struct AnalysedEvent {
    pub event: Event,
    /// The ratings that were found.
    pub ratings: InitialRatings,
    /// The event as the app received it.
    pub input: tournament_app::Event,
    pub options: Options,
    pub analysis: Analysis,
    pub decided: Option<Decided>,
    /// The inputs before the decision; `None` without a decision.
    pub undecided: Option<Box<EventInputs>>,
    pub eligibility: Eligibility,
    pub facts: EventFacts,
    /// Its status by its own figures.
    pub status: Status,
    /// The status of its performances by its own figures.
    pub performances: Status,
    /// The G-scores of performances that enter a list, by place in the analysis.
    pub great: Vec<Option<f64>>,
}

impl AnalysedEvent {
    /// The places in the analysis of the winners: as decided, as historical sources name them, or
    /// else by the points of the main event, with ties broken by a play-off. Knock-outs, and their
    /// matches that points do not decide, have the winner that the bracket shows. Several places
    /// mean a shared win. The list is empty for teams, which points do not decide, for events that
    /// were broken off, and where missing games may have changed the winner.
    pub fn winners_with(&self, bracket_result: Option<BracketResult>) -> Vec<usize> {
        let Some(declared) = self.event.declared_winners() else {
            let mut by_points = self.eligibility.winners_by_points(&self.analysis);
            // If game points show a winner, no missing game leaves that open.
            if !by_points.is_empty()
                && let Some(points) = points_by(self.event.scoring(), &self.input)
            {
                by_points = self.first_by(&points);
            }
            let by_bracket = bracket_result.filter(|_| by_points.len() != 1);
            let place = by_bracket.and_then(|result| self.place_of(result.winner));
            return place.map_or(by_points, |place| vec![place]);
        };
        let mut places: Vec<usize> =
            declared.iter().filter_map(|index| self.place_of(*index)).collect();
        places.sort_unstable();
        places
    }

    /// The places in the analysis of the players with the most of these points, by index in the
    /// event; a play-off breaks ties.
    fn first_by(&self, points: &[f64]) -> Vec<usize> {
        let players = &self.analysis.players;
        let deciding = |player: &PlayerAnalysis| {
            (points[player.index], player.play_off_points.unwrap_or_default())
        };
        let most = players.iter().map(deciding).fold((0.0, 0.0), |most, own| {
            if own.0 > most.0 || (own.0 == most.0 && own.1 > most.1) { own } else { most }
        });
        (0..players.len()).filter(|place| deciding(&players[*place]) == most).collect()
    }

    /// The place in the analysis of a player, by index in the event.
    fn place_of(&self, index: usize) -> Option<usize> {
        self.analysis.players.iter().position(|player| player.index == index)
    }
}
