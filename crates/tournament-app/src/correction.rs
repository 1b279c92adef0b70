//! From the ratings found to the ratings used: filling what is missing, moving what does not fit.

use bitcode::{Decode, Encode};
use serde::Serialize;

use super::estimator::{BEYOND_EVIDENCE, Estimator, Omitted, estimate};
use super::fit_test::{FitResult, FitTest};
use super::line::Line;
use super::options::{Options, Policy};
use super::steps::Step;
use crate::kind::Kind;

/// Beyond this residual (rating points) a player is out of spec. Source: Berard, the PRA paper.
pub const OUT_OF_SPEC: f64 = 100.0;

/// From this residual (rating points) on a player is under pressure. Source: Berard, the PRA paper.
pub const PRESSURE: f64 = 75.0;

/// How a residual is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum Spec {
    /// Within 75 points of the line.
    In,
    /// 75 to 100 points below the line: the performance pushes the rating up.
    PressureUp,
    /// 75 to 100 points above the line: the performance pushes the rating down.
    PressureDown,
    /// More than 100 points from the line.
    Out,
}

impl Spec {
    /// Reads a residual (rating points; initial rating minus the line).
    pub fn of(residual: f64) -> Spec {
        if residual.abs() > OUT_OF_SPEC {
            Spec::Out
        } else if residual.abs() < PRESSURE {
            Spec::In
        } else if residual < 0.0 {
            Spec::PressureUp
        } else {
            Spec::PressureDown
        }
    }
}

/// Where a player's rating comes from in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum RatingOrigin {
    /// From a list or the games' tags, as it stood.
    Given,
    /// From the estimator line.
    Filled,
    /// Moved to the line.
    Corrected,
    /// Set by the Ratings Administrator.
    Decided,
    /// Nowhere.
    Missing,
}

/// A line with its residuals and its test.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The performance line.
    pub line: Line,
    /// Initial rating minus line, for players that have games and a rating.
    pub residuals: Vec<Option<f64>>,
    /// The test on them.
    pub test: FitTest,
}

impl Fit {
    /// Fits the players that have games (`p_zeros` is `Some`) and a rating; `None` below two, and where the
    /// line is [too steep](Line::is_too_steep) to say anything.
    pub fn of(p_zeros: &[Option<f64>], ratings: &[Option<f64>]) -> Option<Fit> {
        let points = p_zeros.iter().zip(ratings).filter_map(|(x, y)| Some(((*x)?, (*y)?)));
        let line = Line::through(points).filter(|line| !line.is_too_steep())?;
        let residuals: Vec<Option<f64>> =
            p_zeros.iter().zip(ratings).map(|(x, y)| Some((*y)? - line.expected((*x)?))).collect();
        let present: Vec<f64> = residuals.iter().flatten().copied().collect();
        Some(Fit { line, residuals, test: FitTest::of(&present) })
    }
}

/// The field as this stage sees it; all slices run parallel.
#[derive(Clone, Copy, Debug)]
pub struct FieldColumns<'a> {
    /// Names, for the story.
    pub names: &'a [&'a str],
    /// P-Zeros (rating points); `None` for a player without games.
    pub p_zeros: &'a [Option<f64>],
    /// Games played.
    pub games: &'a [usize],
    /// Ratings found.
    pub ratings: &'a [Option<f64>],
    /// Why the Ratings Administrator set or deleted them, where he did.
    pub decided: &'a [Option<&'a str>],
}

/// Ratings as the analysis uses them, and how they came about.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Ratings used.
    pub ratings: Vec<Option<f64>>,
    /// Where each comes from.
    pub origins: Vec<RatingOrigin>,
    /// The fit of the ratings as they were found.
    pub before: Option<Fit>,
    /// The fit of the ratings used.
    pub after: Option<Fit>,
    /// Whether the event rests on a weak line.
    pub weak: bool,
    /// The story.
    pub steps: Vec<Step>,
}

/// Settles the ratings of an event of this kind.
///
/// Missing ratings are filled through the estimator line; a full set that fails the test is
/// treated by the policy for the kind, at most once; whatever comes out stands.
pub fn settle(field: FieldColumns, kind: Kind, options: &Options) -> Settled {
    let mut settled = Settled {
        ratings: field.ratings.to_vec(),
        origins: field
            .ratings
            .iter()
            .zip(field.decided)
            .map(|(rating, decided)| match (rating, decided) {
                (None, _) => RatingOrigin::Missing,
                (Some(_), Some(_)) => RatingOrigin::Decided,
                (Some(_), None) => RatingOrigin::Given,
            })
            .collect(),
        before: Fit::of(field.p_zeros, field.ratings),
        after: None,
        weak: false,
        steps: Vec::new(),
    };
    for (player, name) in field.names.iter().enumerate() {
        let found = field.ratings[player];
        let player_name = || (*name).to_owned();
        if let Some(reason) = field.decided[player].map(str::to_owned) {
            settled.steps.push(match found {
                Some(rating) => Step::Decided { player: player_name(), rating, reason },
                None => Step::DeletedByDecision { player: player_name(), reason },
            });
        }
        if field.p_zeros[player].is_none() {
            settled.steps.push(Step::WithoutGames { player: player_name() });
        } else if found.is_none() && field.decided[player].is_none() {
            settled.steps.push(Step::Missing { player: player_name() });
        }
    }
    let active: Vec<usize> =
        (0..field.names.len()).filter(|&player| field.p_zeros[player].is_some()).collect();
    if active.iter().any(|&player| field.ratings[player].is_none()) {
        settled.fill(&field, &active, options.omits_ratings(kind));
    } else {
        settled.test_full_set(&field, &active, kind, options);
    }
    settled.after = Fit::of(field.p_zeros, &settled.ratings);
    settled.tell_of_steep_line(&field);
    // Where ratings are kept that do not fit, the whole does not.
    if options.omits_ratings(kind) {
        settled.doubt_line_that_does_not_fit();
    } else if settled.origins.contains(&RatingOrigin::Filled)
        && settled.before.as_ref().is_some_and(|fit| fit.line.slope < 0.0)
    {
        settled.weak = true;
        settled.steps.push(Step::FilledDoNotFit);
    }
    settled
}

/// The ratings that a line rests on.
struct KnownRange {
    lowest: f64,
    highest: f64,
}

impl KnownRange {
    fn of(ratings: impl Iterator<Item = f64>) -> KnownRange {
        let none = KnownRange { lowest: f64::INFINITY, highest: f64::NEG_INFINITY };
        ratings.fold(none, |evidence, rating| KnownRange {
            lowest: evidence.lowest.min(rating),
            highest: evidence.highest.max(rating),
        })
    }

    /// Whether a rating (points) lies among them, or not far outside.
    fn reaches(&self, rating: f64) -> bool {
        rating >= self.lowest - BEYOND_EVIDENCE && rating <= self.highest + BEYOND_EVIDENCE
    }
}

impl Settled {
    /// Filled ratings lie on the line that supplied them, so with them the event fits as it did
    /// without, unless the line fell and was turned round (a negative slope is made positive).
    /// Where the event then fails, the line said nothing of the others: at Hastings 1967 the four
    /// known ratings belong to four who shared first place, and their line gives 11,438 to a fifth.
    /// Such a line is weak. (This is ours; the paper does not mention it.)
    fn doubt_line_that_does_not_fit(&mut self) {
        let filled = self.origins.contains(&RatingOrigin::Filled);
        let failed = self.after.as_ref().is_some_and(|fit| fit.test.result == FitResult::Failed);
        if filled && failed && !self.weak {
            self.weak = true;
            self.steps.push(Step::FilledDoNotFit);
        }
    }

    /// A full set of ratings whose line is too steep keeps its ratings and shows no line.
    fn tell_of_steep_line(&mut self, field: &FieldColumns) {
        let known = field.p_zeros.iter().zip(&self.ratings);
        let known = known.filter(|(p_zero, rating)| p_zero.is_some() && rating.is_some()).count();
        if self.after.is_none() && known > 1 && !self.weak {
            self.steps.push(Step::SteepLine);
        }
    }

    /// Fills every missing rating of the active players through the estimator line.
    fn fill(&mut self, field: &FieldColumns, active: &[usize], may_omit: bool) {
        let p_zeros: Vec<f64> = active.iter().filter_map(|&player| field.p_zeros[player]).collect();
        let ratings: Vec<Option<f64>> = active.iter().map(|&player| self.ratings[player]).collect();
        let known = ratings.iter().flatten().count();
        let decided: Vec<bool> =
            active.iter().map(|&player| field.decided[player].is_some()).collect();
        let Some(estimator) = estimate(&p_zeros, &ratings, &decided, may_omit) else {
            self.weak = true;
            self.steps.push(Step::TooFewRatings { known, players: active.len() });
            return;
        };
        let Estimator { line, fit_test, omitted, weak } = estimator;
        for Omitted { player, rating, residual, contribution, statistic, critical } in omitted {
            let player = active[player];
            self.ratings[player] = None;
            self.origins[player] = RatingOrigin::Missing;
            let player = field.names[player].to_owned();
            self.steps.push(Step::Omitted {
                player,
                rating,
                residual,
                contribution,
                statistic,
                critical,
            });
        }
        let (ratings, players) = (line.n, active.len());
        if let (Some(statistic), Some(critical)) = (fit_test.statistic, fit_test.critical) {
            self.steps.push(match fit_test.result {
                FitResult::Failed => Step::DoesNotFit { statistic, critical },
                _ => Step::EstimatorFits { ratings, statistic, critical },
            });
            if fit_test.result == FitResult::Failed && !may_omit {
                self.steps.push(Step::KeptByPolicy);
            }
        }
        if weak {
            self.weak = true;
            self.steps.push(Step::WeakLine { ratings, players });
        }
        let supplied = |player: usize| field.p_zeros[player].map(|x| line.performance(x).round());
        if line.is_too_steep() {
            self.weak = true;
            self.steps.push(Step::SteepEstimator { slope: line.slope });
            return;
        }
        let evidence = KnownRange::of(active.iter().filter_map(|&player| self.ratings[player]));
        let beyond = active
            .iter()
            .filter(|&&player| self.ratings[player].is_none())
            .filter_map(|&player| supplied(player))
            .find(|rating| !evidence.reaches(*rating));
        if let Some(rating) = beyond {
            self.weak = true;
            let KnownRange { lowest, highest } = evidence;
            self.steps.push(Step::BeyondEvidence { rating, lowest, highest });
            return;
        }
        for &player in active {
            let (None, Some(rating)) = (self.ratings[player], supplied(player)) else {
                continue;
            };
            self.ratings[player] = Some(rating);
            self.origins[player] = RatingOrigin::Filled;
            let found = field.ratings[player];
            let player = field.names[player].to_owned();
            self.steps.push(Step::Filled { player, found, rating });
        }
    }

    /// Tests a full set of ratings and lets the policy act on a failure.
    fn test_full_set(
        &mut self,
        field: &FieldColumns,
        active: &[usize],
        kind: Kind,
        options: &Options,
    ) {
        let Some(fit) = self.before.clone() else { return };
        if fit.test.result == FitResult::NotApplicable {
            self.steps.push(Step::TwoPlayers);
            return;
        }
        let (Some(statistic), Some(critical), Some(lower)) =
            (fit.test.statistic, fit.test.critical, fit.test.lower)
        else {
            return;
        };
        match fit.test.result {
            FitResult::Failed => self.steps.push(Step::DoesNotFit { statistic, critical }),
            FitResult::TooClose => {
                self.steps.push(Step::FitsTooClosely { statistic, lower });
                return;
            }
            FitResult::Passed | FitResult::NotApplicable => {
                self.steps.push(Step::Fits { statistic, critical });
                return;
            }
        }
        let moves = |residual: f64| match Spec::of(residual) {
            Spec::Out => true,
            Spec::PressureUp | Spec::PressureDown => options.move_pressure,
            Spec::In => false,
        };
        let concerned: Vec<(usize, f64)> = active
            .iter()
            .filter_map(|&player| Some((player, fit.residuals[player]?)))
            .filter(|&(_, residual)| moves(residual))
            // What a person decided stands.
            .filter(|&(player, _)| field.decided[player].is_none())
            .collect();
        match options.policy_for(kind) {
            Policy::Keep => self.steps.push(Step::KeptByPolicy),
            Policy::Correct => {
                let mut moved = false;
                for (player, residual) in concerned {
                    moved |= self.correct(field, &fit.line, player, residual, options);
                }
                if !moved {
                    self.steps.push(Step::NothingToCorrect);
                }
            }
            Policy::Rebuild if concerned.is_empty() => self.steps.push(Step::NothingToRebuild),
            Policy::Rebuild => self.rebuild(field, active, &concerned, options),
        }
    }

    /// Deletes ratings (player, residual) and fills them again by the estimator line.
    fn rebuild(
        &mut self,
        field: &FieldColumns,
        active: &[usize],
        concerned: &[(usize, f64)],
        options: &Options,
    ) {
        let kept = (self.ratings.clone(), self.origins.clone());
        for &(player, residual) in concerned {
            if let Some(rating) = self.ratings[player].take() {
                let player = field.names[player].to_owned();
                self.steps.push(Step::DeletedToRebuild { player, rating, residual });
            }
        }
        self.fill(field, active, options.omit_ratings);
        // A line that supplies nothing rebuilds nothing.
        if active.iter().any(|&player| self.ratings[player].is_none()) {
            (self.ratings, self.origins) = kept;
            self.weak = false;
            self.steps.push(Step::NothingRebuilt);
        }
    }

    /// Moves one rating to the line if the player has the games for it; whether it moved.
    fn correct(
        &mut self,
        field: &FieldColumns,
        line: &Line,
        player: usize,
        residual: f64,
        options: &Options,
    ) -> bool {
        let (Some(rating), Some(p_zero)) = (self.ratings[player], field.p_zeros[player]) else {
            return false;
        };
        let (name, games) = (field.names[player].to_owned(), field.games[player]);
        if games < options.minimum_games {
            self.steps.push(Step::TooFewGames { player: name, rating, residual, games });
            return false;
        }
        let corrected = line.performance(p_zero).round();
        let evidence = KnownRange::of(field.ratings.iter().flatten().copied());
        if !evidence.reaches(corrected) {
            self.steps.push(Step::CorrectionBeyondEvidence { player: name, rating, corrected });
            return false;
        }
        self.ratings[player] = Some(corrected);
        self.origins[player] = RatingOrigin::Corrected;
        self.steps.push(Step::Corrected { player: name, rating, residual, corrected });
        true
    }
}
