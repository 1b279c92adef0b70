//! What an engine's errors mean in Elo points: worked out once for each engine and settings.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::choices::{Choices, Terms, TurnValues};
use super::fitting::Method;
use super::line::RatingLine;
use super::model::{ChoiceModel, Skill};

/// The factor by which ratings spread more than the model has it, from random parts of training data.
///
/// Source: K. Regan, B. Macieja and G. Haworth, *Understanding Distributions of Chess Performances* (2011).
pub const PUBLISHED_FACTOR: f64 = 1.4;

/// A set of turns by players of about one rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Milepost {
    /// Their rating (Elo).
    pub elo: f64,
    /// Games from which the turns are.
    pub games: usize,
    /// Turns.
    pub turns: usize,
    /// Sensitivity of its fit.
    pub sensitivity: f64,
    /// Expected error (scaled pawns) on the reference turns.
    pub error_expected: f64,
    /// Rating (Elo) by the line.
    pub rating: f64,
    /// Part of turns in which the engine's best move was made, in percent.
    pub matches: f64,
    /// The same as the fit, which does not know of it, lets expect.
    pub matches_expected: f64,
    /// Consistency of a fit by likelihood of this set alone; told, not used.
    pub own_consistency: f64,
}

/// What is known of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The engine's key.
    pub engine: String,
    /// How skills are found.
    pub method: String,
    /// A of the scale (pawns).
    pub scale_pawns: f64,
    /// How much worse (scaled) than the last listed the moves that are not listed count.
    pub tail: f64,
    /// Turns with a best value beyond this (pawns) are left out.
    pub cut: f64,
    /// The first move (of either side) that counts.
    pub first_move: u32,
    /// The consistency that is held.
    pub consistency: f64,
    /// The factor between the interval that the model has and the one that shows.
    pub factor: f64,
    /// The correlation of ratings and expected errors.
    pub correlation: Option<f64>,
    /// Why it is provisional; empty where it is accepted.
    pub provisional: Vec<String>,
    /// The line; nothing where none could be drawn.
    pub line: Option<RatingLine>,
    /// The sets.
    #[serde(default)]
    pub milepost: Vec<Milepost>,
    /// The reference turns.
    #[serde(skip)]
    pub reference: Choices,
    /// Errors that sensitivities, with the consistency that is held, let expect on these: ln s, error; both rise.
    #[serde(skip)]
    pub(super) errors: Vec<(f64, f64)>,
}

impl PartialEq for Choices {
    fn eq(&self, other: &Choices) -> bool {
        self.len() == other.len() && self.error() == other.error()
    }
}

/// A calibration that cannot be used.
#[derive(Debug, Error)]
pub enum CalibrationError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// It says something else.
    #[error("{path}: is no calibration: {error}")]
    Toml {
        /// The file.
        path: String,
        /// Why.
        error: Box<toml::de::Error>,
    },
    /// It says what cannot be.
    #[error("{path}: is no calibration: {what}")]
    Value {
        /// The file.
        path: String,
        /// What.
        what: String,
    },
}

impl Calibration {
    /// Nothing known of an engine: skills can be found, ratings cannot.
    pub fn none(engine: &str) -> Calibration {
        let terms = Terms::default();
        Calibration {
            engine: engine.to_owned(),
            method: Method::default().word().to_owned(),
            scale_pawns: terms.scale_pawns,
            tail: terms.tail,
            cut: terms.cut,
            first_move: FIRST_MOVE,
            consistency: 0.5,
            factor: PUBLISHED_FACTOR,
            provisional: vec!["the engine was not calibrated".into()],
            ..Calibration::default()
        }
    }

    /// Reads the file; the values of its reference turns are given.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or says what no calibration says.
    pub fn read(path: &Path) -> Result<Calibration, CalibrationError> {
        let shown = || path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| CalibrationError::File { path: shown(), error })?;
        let found: Calibration = toml::from_str(&text)
            .map_err(|error| CalibrationError::Toml { path: shown(), error: Box::new(error) })?;
        let is_above = |value: f64| value.is_finite() && value > 0.0;
        let wrong = if Method::of_word(&found.method).is_none() {
            Some(format!("method \"{}\"", found.method))
        } else if ![found.scale_pawns, found.tail, found.cut, found.consistency]
            .into_iter()
            .all(is_above)
        {
            Some("scale_pawns, tail, cut and consistency are above 0".into())
        } else if found.cut != Terms::default().cut || found.first_move != FIRST_MOVE {
            // They say which turns the tables hold.
            Some(format!("cut is {} and first_move {FIRST_MOVE} here", Terms::default().cut))
        } else if !(1.0..=100.0).contains(&found.factor) {
            Some("factor lies between 1 and 100".into())
        } else if found.milepost.iter().any(|milepost| {
            !(0.0..=10.0).contains(&milepost.error_expected)
                || ![milepost.elo, milepost.rating].iter().all(|elo| elo.abs() <= 10_000.0)
        }) {
            Some("mileposts have errors from 0 to 10 and ratings up to 10,000".into())
        } else if found.line.is_some_and(|line| {
            !(-1e6..=-1.0).contains(&line.slope) || !(-1e4..=1e4).contains(&line.intercept)
        }) {
            Some(
                "its line has an intercept up to 10,000 and a slope between -1,000,000 and -1"
                    .into(),
            )
        } else {
            None
        };
        match wrong {
            Some(what) => Err(CalibrationError::Value { path: shown(), what }),
            None => Ok(found),
        }
    }

    /// Takes the values of the reference turns.
    pub fn with_reference<'t>(
        mut self,
        turns: impl IntoIterator<Item = &'t TurnValues>,
    ) -> Calibration {
        self.reference = Choices::of(turns, &self.terms());
        let (low, high) = (f64::ln(0.01), f64::ln(1.0));
        self.errors = (0..=STEPS)
            .map(|step| low + (high - low) * step as f64 / STEPS as f64)
            .filter_map(|log| {
                let skill = Skill { sensitivity: log.exp(), consistency: self.consistency };
                Some((log, self.expected_on_reference(skill)?))
            })
            .collect();
        self
    }

    /// The skill of a rating (Elo); nothing without a line, or where the rating is beyond what skills reach.
    pub fn skill_of(&self, rating: f64) -> Option<Skill> {
        let line = self.line?;
        let error = (rating - line.intercept) / line.slope;
        let after = self.errors.partition_point(|(_, other)| *other < error);
        let (below, above) = (self.errors.get(after.checked_sub(1)?)?, self.errors.get(after)?);
        let part = (error - below.1) / (above.1 - below.1);
        let log = below.0 + part * (above.0 - below.0);
        Some(Skill { sensitivity: log.exp(), consistency: self.consistency })
    }

    /// As the file says it.
    pub fn text(&self) -> String {
        let numbers = toml::to_string(self).unwrap_or_default();
        format!(
            "# What the errors of moves mean in Elo points, by this engine with these settings. Written by `greatness intrinsic calibrate`.\n{numbers}"
        )
    }

    /// How values become differences.
    pub fn terms(&self) -> Terms {
        Terms { scale_pawns: self.scale_pawns, tail: self.tail, cut: self.cut }
    }

    /// How skills are found.
    pub fn method(&self) -> Method {
        Method::of_word(&self.method).unwrap_or_default()
    }

    /// Whether it may be relied on.
    pub fn is_accepted(&self) -> bool {
        self.provisional.is_empty() && self.line.is_some()
    }

    /// The error (scaled pawns) that a skill lets expect on the reference turns; nothing where there are none.
    pub fn expected_on_reference(&self, skill: Skill) -> Option<f64> {
        (!self.reference.is_empty())
            .then(|| self.reference.expected_error(skill, ChoiceModel::Powers))
    }
}

/// The first move (of either side) that counts, unless something else is said.
pub const FIRST_MOVE: u32 = 9;

/// Sensitivities for which errors are known beforehand.
const STEPS: usize = 60;

/// The file with the values of the reference turns, beside a calibration.
pub fn reference_path(calibration: &Path) -> PathBuf {
    let stem = calibration.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    calibration.with_file_name(format!("{stem}-reference.parquet"))
}
