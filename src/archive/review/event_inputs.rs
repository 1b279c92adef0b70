//! Holds the inputs needed to re-analyse an event without its games.

use serde::{Deserialize, Serialize};

use crate::archive::eligibility::Eligibility;
use crate::archive::run::progress::counted;
use crate::archive::settings::ListSettings;
use crate::archive::status::Status;
use crate::decisions::{Decision, DecisionError};
use crate::events::recognise_pairs;
use crate::hint::nearest;
use crate::players::{PersonName, slug};
use crate::tournament::{self, Analysis, EventError, EventPart, Kind, Options, Policy, analyse};

/// The inputs of an event's analysis, which decisions may change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventInputs {
    /// The event as the app receives it.
    pub input: tournament::Event,
    /// The options of the analysis.
    pub options: Options,
    /// What decides, in addition to the figures, whether the event enters the lists.
    #[serde(rename = "standing")]
    pub eligibility: Eligibility,
}

/// The analysis of an event, and whether the event enters the lists.
#[derive(Clone, Debug)]
pub struct EventOutcome {
    /// The result of the app.
    pub analysis: Analysis,
    /// Whether the event enters the lists.
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
    /// Where the app refuses the event.
    pub fn outcome(&self, lists: &ListSettings) -> Result<EventOutcome, EventError> {
        let options = Options { order_spread: false, ..self.options };
        let analysis = analyse(&self.input, &options)?;
        let status = self.eligibility.status(&analysis, lists);
        let performances = self.eligibility.status_of_performances(&analysis, lists);
        let great = self.eligibility.great(&analysis, lists);
        Ok(EventOutcome { analysis, status, performances, great })
    }

    /// The inputs after a decision. Parts that move games (`split`, `segments`; `forfeits` where
    /// several games fit) take effect only in the next build. The events to be merged are given.
    ///
    /// # Errors
    ///
    /// Where the decision names a player who is not in the event, or does not fit it.
    pub fn decide(
        &self,
        id: &str,
        decision: &Decision,
        merged: &[EventInputs],
    ) -> Result<EventInputs, DecisionError> {
        let mut case = self.clone();
        for other in merged {
            case = case.merged(other);
        }
        let find = |input: &tournament::Event, name: &str| {
            player_of(input, name).ok_or_else(|| {
                let hint = nearest(name, input.players.iter().map(|player| player.name.as_str()));
                let hint = hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default();
                decision.wrong(id, format!("no player {name} in the event{hint}"))
            })
        };
        for forfeit in &decision.forfeits {
            let white = find(&case.input, &forfeit.white)?;
            let black = find(&case.input, &forfeit.black)?;
            let mut games = case.input.games.iter_mut().filter(|game| {
                (game.white, game.black) == (white, black)
                    && (game.part == EventPart::PlayOff) == forfeit.play_off
            });
            if let (Some(game), None) = (games.next(), games.next()) {
                game.played = false;
            }
        }
        case.eligibility.decide(decision);
        case.input.kind = case.eligibility.kind;
        let main = case.input.games.iter().filter(|game| game.part == EventPart::Main).count();
        let expected = decision.expected_games.or(decision.complete.then_some(main));
        if let Some(expected) = expected {
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
        }
        if let Some(name) = &decision.name {
            case.input.name.clone_from(name);
        }
        overrule_input(decision, id, find, &mut case.input, &mut case.options)?;
        Ok(case)
    }

    /// The inputs with the games of another event added.
    fn merged(&self, other: &EventInputs) -> EventInputs {
        let mut case = self.clone();
        let places: Vec<usize> = other
            .input
            .players
            .iter()
            .map(|player| {
                let known = case.input.players.iter().position(|known| known.name == player.name);
                known.unwrap_or_else(|| {
                    case.input.players.push(player.clone());
                    case.input.players.len() - 1
                })
            })
            .collect();
        // The order among the games of both events is unknown here.
        for game in &mut case.input.games {
            game.sequence = None;
        }
        let games = other.input.games.iter().map(|game| tournament::Game {
            white: places[game.white],
            black: places[game.black],
            sequence: None,
            ..*game
        });
        case.input.games.extend(games);
        let main = case.input.games.iter().filter(|game| game.part == EventPart::Main);
        let pairs: Vec<(usize, usize)> = main.map(|game| (game.white, game.black)).collect();
        let table = recognise_pairs(case.input.players.len(), &pairs);
        case.input.kind = table.kind;
        case.input.number_two = case.input.number_two.or(other.input.number_two);
        case.eligibility = Eligibility {
            kind: table.kind,
            expected_games: table.expected_games,
            placed_games: table.placed_games,
            players_to_the_end: case.input.players.len() - table.withdrawn.len(),
            cycles: table.cycles,
            expected_of: table.expected_of,
            is_certain: table.is_certain,
            programs: case.eligibility.programs.max(other.eligibility.programs),
            ..case.eligibility
        };
        case
    }
}

/// Finds a player of an event by name or id, or under another form of the name that only one player
/// has.
fn player_of(input: &tournament::Event, name: &str) -> Option<usize> {
    let all = || input.players.iter().enumerate();
    let exactly = all().find(|(_, player)| player.name == name || slug(&player.name) == name);
    let key = PersonName::parse(name).key();
    let mut alike = all().filter(|(_, player)| PersonName::parse(&player.name).key() == key);
    let only = match (alike.next(), alike.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    };
    exactly.or(only).map(|(place, _)| place)
}

/// Applies a decision to the app's event and options. `find` returns the number of a player in the
/// event.
///
/// # Errors
///
/// Where a decision names a player who is not in the event, or one of them twice.
pub(crate) fn overrule_input(
    decision: &Decision,
    id: &str,
    find: impl Fn(&tournament::Event, &str) -> Result<usize, DecisionError>,
    input: &mut tournament::Event,
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
        input.players[index].decided = Some(reason);
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
