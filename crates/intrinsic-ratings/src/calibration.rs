//! Reads and writes calibrations: the relation between an engine's errors and Elo ratings, computed
//! once for each engine and its settings.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::choices::{Choices, Terms, TurnValues};
use super::fitting::Method;
use super::line::{PUBLISHED_ENGINE, RatingLine};
use super::model::{ChoiceModel, Skill};

/// The factor by which ratings spread more than the model predicts, from random subsets of training
/// data.
///
/// Source: K. Regan, B. Macieja and G. Haworth, *Understanding Distributions of Chess Performances*
/// (2011).
pub const PUBLISHED_FACTOR: f64 = 1.4;

/// A set of turns by players of about the same rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Milepost {
    /// The rating of the players (Elo).
    pub elo: f64,
    /// Number of games that the turns come from.
    pub games: usize,
    /// Number of turns to which the sensitivity is fitted.
    pub turns: usize,
    /// Sensitivity that is fitted to these turns.
    pub sensitivity: f64,
    /// Expected error (scaled pawns) on the reference turns.
    pub error_expected: f64,
    /// Rating (Elo) according to the line.
    pub rating: f64,
    /// Percentage of turns in which the engine's best move was played.
    pub matches: f64,
    /// Percentage predicted by the fit, which does not use the observed one.
    pub matches_expected: f64,
    /// Consistency of a likelihood fit of this set alone. It is reported but not used.
    pub own_consistency: f64,
}

/// The calibration of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Key of the engine: its name, network and settings.
    pub engine: String,
    /// The method that fits skills.
    pub method: String,
    /// The constant A of the scale (pawns).
    pub scale_pawns: f64,
    /// How much worse (scaled pawns) than the last listed move the unlisted moves count.
    pub tail: f64,
    /// Turns whose best move has a value beyond this (pawns) are left out.
    pub cut: f64,
    /// The first move (of either side) that is rated.
    pub first_move: u32,
    /// The consistency, held fixed for all ratings.
    pub consistency: f64,
    /// The factor between the interval predicted by the model and the observed one.
    pub factor: f64,
    /// The correlation of ratings and expected errors.
    pub correlation: Option<f64>,
    /// Why the calibration is provisional; empty if it is accepted.
    pub provisional: Vec<String>,
    /// The line; `None` if it could not be fitted.
    pub line: Option<RatingLine>,
    /// The sets of turns.
    #[serde(default)]
    pub milepost: Vec<Milepost>,
    /// The reference turns, on which errors of different skills are compared.
    #[serde(skip)]
    pub reference: Choices,
    /// Expected errors on the reference turns for a grid of sensitivities at the held consistency:
    /// (ln s, error), both increasing.
    #[serde(skip)]
    pub(super) errors: Vec<(f64, f64)>,
}

impl PartialEq for Choices {
    fn eq(&self, other: &Choices) -> bool {
        self.len() == other.len() && self.error() == other.error()
    }
}

/// Errors of a calibration file.
#[derive(Debug, Error)]
pub enum CalibrationError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// Path of the file.
        path: String,
        /// What the library reported.
        error: std::io::Error,
    },
    /// The file is not a calibration in TOML.
    #[error("{path} is not a calibration: {error}")]
    Toml {
        /// Path of the file.
        path: String,
        /// What the library reported.
        error: Box<toml::de::Error>,
    },
    /// A value is out of range.
    #[error("{path} is not a calibration: {what}")]
    Value {
        /// Path of the file.
        path: String,
        /// The condition that is violated.
        what: String,
    },
}

impl Calibration {
    /// Makes a calibration for an engine that was not calibrated: skills can be fitted, but not
    /// ratings.
    pub fn none(engine: &str) -> Calibration {
        Calibration {
            provisional: vec!["the engine was not calibrated".into()],
            ..Calibration::new(engine, Terms::default())
        }
    }

    /// Makes a calibration without mileposts.
    pub(super) fn new(engine: &str, terms: Terms) -> Calibration {
        Calibration {
            engine: engine.to_owned(),
            method: Method::default().word().to_owned(),
            scale_pawns: terms.scale_pawns,
            tail: terms.tail,
            cut: terms.cut,
            first_move: FIRST_MOVE,
            consistency: 0.5,
            factor: PUBLISHED_FACTOR,
            ..Calibration::default()
        }
    }

    /// Reads a calibration file. The values of the reference turns are added with
    /// [`Calibration::with_reference`].
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not TOML, or has a value out of range.
    pub fn read(path: &Path) -> Result<Calibration, CalibrationError> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| CalibrationError::File { path: shown.clone(), error })?;
        let found: Calibration = toml::from_str(&text).map_err(|error| CalibrationError::Toml {
            path: shown.clone(),
            error: Box::new(error),
        })?;
        let wrong = if Method::of_word(&found.method).is_none() {
            Some(format!("the method \"{}\" is unknown", found.method))
        } else if ![found.scale_pawns, found.tail, found.cut, found.consistency]
            .into_iter()
            .all(|value| value.is_finite() && value > 0.0)
        {
            Some("scale_pawns, tail, cut and consistency must be above 0".into())
        } else if found.cut != Terms::default().cut || found.first_move != FIRST_MOVE {
            // These two determine which turns the tables hold.
            Some(format!(
                "cut must be {} and first_move must be {FIRST_MOVE}",
                Terms::default().cut
            ))
        } else if !(1.0..=100.0).contains(&found.factor) {
            Some("factor must be between 1 and 100".into())
        } else if found.milepost.iter().any(|milepost| {
            !(0.0..=10.0).contains(&milepost.error_expected)
                || ![milepost.elo, milepost.rating].iter().all(|elo| elo.abs() <= 10_000.0)
        }) {
            Some(
                "mileposts must have errors from 0 to 10 and ratings from -10,000 to 10,000".into(),
            )
        } else if found.line.is_some_and(|line| {
            !(-1e6..=-1.0).contains(&line.slope) || !(-1e4..=1e4).contains(&line.intercept)
        }) {
            Some(
                "the line must have an intercept from -10,000 to 10,000 and a slope from -1,000,000 to -1"
                    .into(),
            )
        } else {
            None
        };
        match wrong {
            Some(what) => Err(CalibrationError::Value { path: shown, what }),
            None => Ok(found),
        }
    }

    /// Adds the values of the reference turns.
    pub fn with_reference<'t>(
        mut self,
        turns: impl IntoIterator<Item = &'t TurnValues>,
    ) -> Calibration {
        self.reference = Choices::new(turns, &self.terms());
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

    /// Replaces the line by [`RatingLine::PUBLISHED`], which was measured with another engine. The
    /// calibration is provisional from then on.
    pub fn with_published_line(mut self) -> Calibration {
        self.line = Some(RatingLine::PUBLISHED);
        self.correlation = None;
        self.milepost.clear();
        self.provisional.push(format!("the line was published for {PUBLISHED_ENGINE}"));
        self
    }

    /// Converts a rating (Elo) to a skill. Returns `None` without a line, or if the rating is
    /// outside the range of skills.
    pub fn skill_of(&self, rating: f64) -> Option<Skill> {
        let line = self.line?;
        let error = (rating - line.intercept) / line.slope;
        let after = self.errors.partition_point(|(_, other)| *other < error);
        let (below, above) = (self.errors.get(after.checked_sub(1)?)?, self.errors.get(after)?);
        let part = (error - below.1) / (above.1 - below.1);
        let log = below.0 + part * (above.0 - below.0);
        Some(Skill { sensitivity: log.exp(), consistency: self.consistency })
    }

    /// Writes the calibration as the text of its file.
    pub fn text(&self) -> String {
        let numbers = toml::to_string(self).unwrap_or_default();
        format!(
            "# How the errors of moves relate to Elo ratings for this engine and its settings. Written by `greatness intrinsic calibrate`.\n{numbers}"
        )
    }

    /// Returns the terms by which values become differences.
    pub fn terms(&self) -> Terms {
        Terms { scale_pawns: self.scale_pawns, tail: self.tail, cut: self.cut }
    }

    /// Returns the method that fits skills.
    pub fn method(&self) -> Method {
        Method::of_word(&self.method).unwrap_or_default()
    }

    /// Whether the calibration is accepted.
    pub fn is_accepted(&self) -> bool {
        self.provisional.is_empty() && self.line.is_some()
    }

    /// Computes the expected error (scaled pawns) of a skill on the reference turns. Returns `None`
    /// if there are none.
    pub fn expected_on_reference(&self, skill: Skill) -> Option<f64> {
        (!self.reference.is_empty())
            .then(|| self.reference.expected_error(skill, ChoiceModel::Powers))
    }
}

/// The first move (of either side) that is rated. Source: K. Regan, *Intrinsic Ratings Compendium*
/// (2012).
pub const FIRST_MOVE: u32 = 9;

/// Number of intervals of the grid of sensitivities. Judged: neighbours differ by 8%, and values
/// between them are interpolated.
const STEPS: usize = 60;

/// Returns the path of the file with the values of the reference turns, which is next to the
/// calibration.
pub fn reference_path(calibration: &Path) -> PathBuf {
    let stem = calibration.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    calibration.with_file_name(format!("{stem}-reference.parquet"))
}
