//! Reasons why the laboratory cannot carry out a simulation or an experiment.

use thiserror::Error;

use super::limits::{
    LARGEST_FIELD, LARGEST_NOISE, LARGEST_RATING, MOST_GAMES, MOST_KEPT, MOST_PLAYERS, MOST_RUNS,
};
use crate::hint::no_such;
use crate::systems::ParameterError;
use crate::tournament::EventError;

/// The reason why the laboratory cannot carry out a plan.
#[derive(Debug, Error)]
pub enum PlanError {
    /// No system, pairing, start, result model or experiment has this name.
    #[error("{}", no_such(kind, word, words))]
    UnknownWord {
        /// What the name should name: `rating system`, `pairing`.
        kind: &'static str,
        /// The name as the user wrote it.
        word: String,
        /// All valid names of this kind.
        words: Vec<&'static str>,
    },
    /// The suffix of `simultaneous` is not a curve.
    #[error("{text}: simultaneous uses the PRA's curve, or Elo's with simultaneous:logistic")]
    SimultaneousCurve {
        /// The system as the user wrote it.
        text: String,
    },
    /// A suffix of a system's name is not a parameter.
    #[error("{text}: {part:?} is not a parameter; write parameters as boosts=false")]
    NotAParameter {
        /// The system as the user wrote it.
        text: String,
        /// The suffix that is not a parameter.
        part: String,
    },
    /// The system refuses the value of a parameter, or has no such parameter.
    #[error("{text}: {error}")]
    Parameter {
        /// The system as the user wrote it.
        text: String,
        /// The system's reason.
        error: ParameterError,
    },
    /// The parameter has no effect when the system rates round by round.
    #[error(
        "{text}: {key} has no effect round by round; use one of {}",
        effective.join(", ")
    )]
    ParameterWithoutEffect {
        /// The system as the user wrote it.
        text: String,
        /// Name of the parameter.
        key: String,
        /// The parameters that have an effect.
        effective: &'static [&'static str],
    },
    /// The system cannot rate round by round.
    #[error(
        "{word} does not run round by round; the laboratory has {}",
        words.join(", ")
    )]
    NotByRound {
        /// Name of the system.
        word: String,
        /// The systems that can.
        words: Vec<&'static str>,
    },
    /// The noise of a pairing is not a number of points.
    #[error("{text}: {number} is not a number of points from 0 to {LARGEST_NOISE}")]
    Noise {
        /// The pairing as the user wrote it.
        text: String,
        /// The noise as the user wrote it.
        number: String,
    },
    /// The number of players of an event is too small, too large or odd.
    #[error("{text}: an event has an even number of players from 4 to {LARGEST_FIELD}")]
    Field {
        /// The pairing as the user wrote it.
        text: String,
    },
    /// A pairing or a start lacks its number.
    #[error("{word} needs {what}: {word}:{example}")]
    MissingNumber {
        /// Name of the pairing or start.
        word: String,
        /// What the number means.
        what: &'static str,
        /// A valid number, which the message shows.
        example: &'static str,
    },
    /// A pairing or a start has a number that it does not take.
    #[error("{word} takes no number")]
    SurplusNumber {
        /// Name of the pairing or start.
        word: String,
    },
    /// The number of a start is not a number, or too large.
    #[error("{text}: {number} is not a number up to {LARGEST_RATING}")]
    StartNumber {
        /// The start as the user wrote it.
        text: String,
        /// The number as the user wrote it.
        number: String,
    },
    /// The standard deviation of the errors at the start is negative.
    #[error("{text}: errors are 0 points or more")]
    NegativeErrors {
        /// The start as the user wrote it.
        text: String,
    },
    /// The file of a population cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// Path of the file.
        path: String,
        /// What the operating system reported.
        error: std::io::Error,
    },
    /// A line of a population's file is not a rating.
    #[error(
        "{path}, line {line}: {shortened:?} is not a rating; a population has one true rating \
         per line"
    )]
    NotARating {
        /// Path of the file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// The first characters of the line.
        shortened: String,
    },
    /// The file of a population has no ratings.
    #[error("{path} is empty; a population has one true rating a line")]
    EmptyPopulation {
        /// Path of the file.
        path: String,
    },
    /// The file of a population has an odd number of players.
    #[error("{path} has {players} players; all play in every round, so their number must be even")]
    OddPopulation {
        /// Path of the file.
        path: String,
        /// How many players it has.
        players: usize,
    },
    /// The file of a population has too many players.
    #[error("{path} has {players} players; at most {MOST_PLAYERS} are possible")]
    LargePopulation {
        /// Path of the file.
        path: String,
        /// How many players it has.
        players: usize,
    },
    /// The number of players is odd, or less than 2.
    #[error("{0} players cannot all play in every round; choose an even number of at least 2")]
    UnpairablePlayers(usize),
    /// More players than the elite are chosen from.
    #[error("the elite are the best of a million; {0} players are too many")]
    TooManyElite(usize),
    /// More players than the program can number.
    #[error("{0} players are too many; at most {MOST_PLAYERS} are possible")]
    TooManyPlayers(usize),
    /// A population from a file has a fixed number of players.
    #[error("{name} has {players} players; their number cannot be changed")]
    FixedPlayers {
        /// Name of the population.
        name: String,
        /// How many players it has.
        players: usize,
    },
    /// A population from a file has fixed true ratings.
    #[error("the true ratings of {name} are fixed; leave out the spread and drawn ratings")]
    FixedRatings {
        /// Name of the population.
        name: String,
    },
    /// The elite are quantiles, not draws.
    #[error("the elite are quantiles of a million players and cannot be drawn")]
    DrawnElite,
    /// The spread of the population is out of range.
    #[error("the spread must be more than 0 and at most 10,000 points")]
    Spread,
    /// The number of games is out of range.
    #[error("each player plays 1 to {MOST_GAMES} games")]
    Games,
    /// The number of runs is out of range.
    #[error("the number of runs must be 1 to {MOST_RUNS}")]
    Runs,
    /// The proportion of drawn games is out of range.
    #[error("the proportion of drawn games must be 0 to 1")]
    Draws,
    /// An event has more players than the population.
    #[error("an event of {field} players is larger than the population of {players}")]
    LargeField {
        /// Players of an event.
        field: usize,
        /// Players of the population.
        players: usize,
    },
    /// A system would need too much memory.
    #[error(
        "{system} would keep {kept} games in memory, more than {MOST_KEPT}; \
         choose fewer players or games, or another system"
    )]
    TooManyKept {
        /// Name of the system.
        system: String,
        /// How many games it would keep.
        kept: u64,
    },
    /// The system equals another one unless games belong to events.
    #[error("{system} differs from pra only with events: add --pairing events:10")]
    NeedsEvents {
        /// Name of the system.
        system: String,
    },
    /// The plan names no system.
    #[error("the plan names no rating system")]
    NoSystem,
    /// The plan names a system twice.
    #[error("{0} is there twice; name each system once")]
    SystemTwice(String),
    /// An experiment needs more players, or a number that is divisible by 4.
    #[error("an experiment needs a multiple of 4 players, at least {fewest}; {players} are given")]
    ExperimentPlayers {
        /// The smallest number of players.
        fewest: usize,
        /// How many players the user wants.
        players: usize,
    },
    /// The tournament analysis refuses a simulated event: an error of the program.
    #[error(transparent)]
    Event(#[from] EventError),
}
