//! Settles the ratings that an analysis uses: estimates missing ratings and corrects those that do
//! not fit.

use bitcode::{Decode, Encode};
use serde::Serialize;
use strum::IntoStaticStr;

use super::estimator::{
    BEYOND_EVIDENCE, Estimator, FAR_BEYOND_EVIDENCE, Omitted, POSSIBLE_RATINGS, estimate,
};
use super::fit_test::{FitResult, FitTest};
use super::line::Line;
use super::options::{Options, Policy};
use super::steps::Step;
use crate::kind::Kind;

/// Absolute residual (rating points) beyond which a player is out of spec. Source: Berard, the PRA
/// paper.
pub const OUT_OF_SPEC: f64 = 100.0;

/// Smallest absolute residual (rating points) of a player under pressure. Source: Berard, the PRA
/// paper.
pub const PRESSURE: f64 = 75.0;

/// The class of a residual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum Spec {
    /// Less than 75 points from the line.
    In,
    /// 75 to 100 points below the line: the performance pushes the rating up.
    PressureUp,
    /// 75 to 100 points above the line: the performance pushes the rating down.
    PressureDown,
    /// More than 100 points from the line.
    Out,
}

impl Spec {
    /// Classifies a residual (rating points; initial rating minus the line).
    pub fn from_residual(residual: f64) -> Spec {
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

/// The origin of a player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RatingOrigin {
    /// From a rating list or the rating tags of games, unchanged.
    Given,
    /// Missing, left out or deleted, then estimated from the estimator line.
    Filled,
    /// Replaced by the rating that the performance line gives.
    Corrected,
    /// Set by the Ratings Administrator.
    Decided,
    /// Missing, and not estimated.
    Missing,
}

impl RatingOrigin {
    /// Returns the word for it in data.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A performance line with its residuals and its fit test.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The performance line: initial ratings as a function of P-Zeros.
    pub line: Line,
    /// Initial rating minus the rating that the line predicts (points); `None` for players without
    /// games or without a rating.
    pub residuals: Vec<Option<f64>>,
    /// The fit test of the residuals.
    pub test: FitTest,
}

impl Fit {
    /// Fits a line through the players with games (`p_zeros` is `Some`) and a rating. Returns
    /// `None` with fewer than two such players, or if the line is [too steep](Line::is_too_steep).
    pub fn from_points(p_zeros: &[Option<f64>], ratings: &[Option<f64>]) -> Option<Fit> {
        let points = p_zeros.iter().zip(ratings).filter_map(|(x, y)| Some(((*x)?, (*y)?)));
        let line = Line::through(points).filter(|line| !line.is_too_steep())?;
        let residuals: Vec<Option<f64>> =
            p_zeros.iter().zip(ratings).map(|(x, y)| Some((*y)? - line.expected((*x)?))).collect();
        let present: Vec<f64> = residuals.iter().flatten().copied().collect();
        Some(Fit { line, residuals, test: FitTest::from_residuals(&present) })
    }
}

/// The players of an event as columns. All slices are parallel.
#[derive(Clone, Copy, Debug)]
pub struct FieldColumns<'a> {
    /// Names, for the descriptions of the steps.
    pub names: &'a [&'a str],
    /// P-Zeros (rating points); `None` for a player without games.
    pub p_zeros: &'a [Option<f64>],
    /// Number of games played.
    pub games: &'a [usize],
    /// Ratings found (points); `None` if missing.
    pub ratings: &'a [Option<f64>],
    /// The reason why the Ratings Administrator set or deleted a rating; `None` without a decision.
    pub decided: &'a [Option<&'a str>],
    /// Rating (points) of the world number two; `None` if it is unknown.
    pub number_two: Option<f64>,
}

impl FieldColumns<'_> {
    /// Whether a rating (points) is that of the world number one or two, or a higher one.
    fn is_leaders(&self, rating: f64) -> bool {
        self.number_two.is_some_and(|number_two| rating >= number_two)
    }
}

/// The ratings used in the analysis, with their origins.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Ratings used (points); `None` if missing and not estimated.
    pub ratings: Vec<Option<f64>>,
    /// Origin of each rating.
    pub origins: Vec<RatingOrigin>,
    /// The fit of the ratings found.
    pub before: Option<Fit>,
    /// The fit of the ratings used.
    pub after: Option<Fit>,
    /// Whether the estimator line is missing or too weak to rely on.
    pub weak: bool,
    /// How the ratings were settled, in order.
    pub steps: Vec<Step>,
}

/// Settles the ratings of an event of this kind.
///
/// - If ratings of players with games are missing, they are estimated from the estimator line.
/// - If all are known and fail the fit test, the [policy](Options::policy_for) for the kind of
///   event applies once. The result is kept even if it fails the test again.
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
        before: Fit::from_points(field.p_zeros, field.ratings),
        after: None,
        weak: false,
        steps: Vec::new(),
    };
    for (player, name) in field.names.iter().enumerate() {
        let found = field.ratings[player];
        if let Some(reason) = field.decided[player].map(str::to_owned) {
            let player = (*name).to_owned();
            settled.steps.push(match found {
                Some(rating) => Step::Decided { player, rating, reason },
                None => Step::DeletedByDecision { player, reason },
            });
        }
        if field.p_zeros[player].is_none() {
            settled.steps.push(Step::WithoutGames { player: (*name).to_owned() });
        } else if found.is_none() && field.decided[player].is_none() {
            settled.steps.push(Step::Missing { player: (*name).to_owned() });
        }
    }
    let active: Vec<usize> =
        (0..field.names.len()).filter(|&player| field.p_zeros[player].is_some()).collect();
    if active.iter().any(|&player| field.ratings[player].is_none()) {
        settled.fill(&field, &active, options.omits_ratings(kind), FAR_BEYOND_EVIDENCE);
    } else {
        settled.test_full_set(&field, &active, kind, options);
    }
    settled.after = Fit::from_points(field.p_zeros, &settled.ratings);
    settled.note_steep_line(&field);
    // If ratings that do not fit are kept, the event may fail because of them. Its failure then
    // says nothing about the line, so only a negative slope makes the line weak.
    let leader_kept = settled.steps.iter().any(|step| matches!(step, Step::LeaderKept { .. }));
    if options.omits_ratings(kind) && !leader_kept {
        settled.mark_line_that_does_not_fit();
    } else if settled.origins.contains(&RatingOrigin::Filled)
        && settled.before.as_ref().is_some_and(|fit| fit.line.slope < 0.0)
    {
        settled.weak = true;
        settled.steps.push(Step::FilledDoNotFit);
    }
    settled
}

/// The range (points) of the known ratings, within which a line gives plausible ratings.
struct KnownRange {
    lowest: f64,
    highest: f64,
}

impl KnownRange {
    /// Returns the range of some ratings. The range of none contains no rating.
    fn from_ratings(ratings: impl Iterator<Item = f64>) -> KnownRange {
        let none = KnownRange { lowest: f64::INFINITY, highest: f64::NEG_INFINITY };
        ratings.fold(none, |range, rating| KnownRange {
            lowest: range.lowest.min(rating),
            highest: range.highest.max(rating),
        })
    }

    /// Whether a rating (points) is inside the range, or at most some points outside.
    fn reaches(&self, rating: f64, outside: f64) -> bool {
        rating >= self.lowest - outside && rating <= self.highest + outside
    }
}

impl Settled {
    /// Marks the line as weak if the event with the estimated ratings fails the fit test.
    ///
    /// Ratings estimated from a line with a positive slope are on that line, so they do not worsen
    /// the fit. A negative slope is made positive for the estimates, which are then off the fitted
    /// line. If the event fails for that reason, the line predicts nothing about the other players.
    /// This rule is ours; the paper does not mention it.
    fn mark_line_that_does_not_fit(&mut self) {
        let filled = self.origins.contains(&RatingOrigin::Filled);
        let failed = self.after.as_ref().is_some_and(|fit| fit.test.result == FitResult::Failed);
        if filled && failed && !self.weak {
            self.weak = true;
            self.steps.push(Step::FilledDoNotFit);
        }
    }

    /// Records a performance line that is too steep to be shown. The ratings are kept.
    fn note_steep_line(&mut self, field: &FieldColumns) {
        let known = field.p_zeros.iter().zip(&self.ratings);
        let known = known.filter(|(p_zero, rating)| p_zero.is_some() && rating.is_some()).count();
        if self.after.is_none() && known > 1 && !self.weak {
            self.steps.push(Step::SteepLine);
        }
    }

    /// Estimates every missing rating of the active players (those with games) from the estimator
    /// line, rounded to whole points.
    ///
    /// If `may_omit`, known ratings that do not fit are left out of the line and estimated as well.
    /// The world number one and two keep theirs if the line would put them below the number two.
    /// Without a line, or if it is too steep or leads more than `farthest` points beyond the known
    /// ratings, no rating is estimated and the line is weak.
    fn fill(&mut self, field: &FieldColumns, active: &[usize], may_omit: bool, farthest: f64) {
        let p_zeros: Vec<f64> = active.iter().filter_map(|&player| field.p_zeros[player]).collect();
        let ratings: Vec<Option<f64>> = active.iter().map(|&player| self.ratings[player]).collect();
        let known = ratings.iter().flatten().count();
        let decided: Vec<bool> =
            active.iter().map(|&player| field.decided[player].is_some()).collect();
        let Some(estimator) = estimate(&p_zeros, &ratings, &decided, may_omit, field.number_two)
        else {
            self.weak = true;
            self.steps.push(Step::TooFewRatings { known, players: active.len() });
            return;
        };
        let Estimator { line, fit_test, omitted, leader_kept, weak } = estimator;
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
        if let Some((player, estimated)) = leader_kept {
            self.keeps_leader(field, active[player], estimated);
        }
        if weak {
            self.weak = true;
            self.steps.push(Step::WeakLine { ratings, players });
        }
        if line.is_too_steep() {
            self.weak = true;
            self.steps.push(Step::SteepEstimator { slope: line.slope });
            return;
        }
        let known_range =
            KnownRange::from_ratings(active.iter().filter_map(|&player| self.ratings[player]));
        let mut estimates: Vec<(usize, f64)> = Vec::new();
        for &player in active {
            if let (None, Some(x)) = (self.ratings[player], field.p_zeros[player]) {
                let rating = line.performance(x).round();
                if !self.keeps_leader(field, player, rating) {
                    estimates.push((player, rating));
                }
            }
        }
        let KnownRange { lowest, highest } = known_range;
        let refused = estimates.iter().map(|(_, rating)| *rating).find(|rating| {
            let is_far = !known_range.reaches(*rating, BEYOND_EVIDENCE);
            !known_range.reaches(*rating, farthest)
                || (is_far && !POSSIBLE_RATINGS.contains(rating))
        });
        if let Some(rating) = refused {
            self.weak = true;
            self.steps.push(Step::BeyondEvidence { rating, lowest, highest });
            return;
        }
        let mut ratings = estimates.iter().map(|(_, rating)| *rating);
        if let Some(rating) = ratings.find(|rating| !known_range.reaches(*rating, BEYOND_EVIDENCE))
        {
            self.weak = true;
            self.steps.push(Step::FarEstimate { rating, lowest, highest });
        }
        for (player, rating) in estimates {
            self.ratings[player] = Some(rating);
            self.origins[player] = RatingOrigin::Filled;
            let found = field.ratings[player];
            let player = field.names[player].to_owned();
            self.steps.push(Step::Filled { player, found, rating });
        }
    }

    /// Records the fit test of a full set of ratings, and applies the policy if the set fails.
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
        let misfits: Vec<(usize, f64)> = active
            .iter()
            .filter_map(|&player| Some((player, fit.residuals[player]?)))
            .filter(|&(_, residual)| match Spec::from_residual(residual) {
                Spec::Out => true,
                Spec::PressureUp | Spec::PressureDown => options.move_pressure,
                Spec::In => false,
            })
            // Ratings set by the Ratings Administrator never change.
            .filter(|&(player, _)| field.decided[player].is_none())
            .collect();
        match options.policy_for(kind) {
            Policy::Keep => self.steps.push(Step::KeptByPolicy),
            Policy::Correct => {
                let mut moved = false;
                for (player, residual) in misfits {
                    moved |= self.correct(field, &fit.line, player, residual, options);
                }
                if !moved {
                    self.steps.push(Step::NothingToCorrect);
                }
            }
            Policy::Rebuild if misfits.is_empty() => self.steps.push(Step::NothingToRebuild),
            Policy::Rebuild => self.rebuild(field, active, &misfits, options),
        }
    }

    /// Deletes the ratings of the misfits (player and residual), and estimates them again from the
    /// estimator line.
    fn rebuild(
        &mut self,
        field: &FieldColumns,
        active: &[usize],
        misfits: &[(usize, f64)],
        options: &Options,
    ) {
        let kept = (self.ratings.clone(), self.origins.clone());
        for &(player, residual) in misfits {
            if let Some(rating) = self.ratings[player].take() {
                let player = field.names[player].to_owned();
                self.steps.push(Step::DeletedToRebuild { player, rating, residual });
            }
        }
        self.fill(field, active, options.omit_ratings, BEYOND_EVIDENCE);
        // If no rating could be estimated, restore the old ones.
        if active.iter().any(|&player| self.ratings[player].is_none()) {
            (self.ratings, self.origins) = kept;
            self.weak = false;
            self.steps.push(Step::NothingRebuilt);
        }
    }

    /// Keeps the rating found of the world number one or two if the line puts the player below the
    /// number two. Returns whether it did.
    ///
    /// Source: Berard, the PRA paper, on Hastings 1919: to move the number one below the number two
    /// is a conflict, which only the Ratings Administrator can resolve.
    fn keeps_leader(&mut self, field: &FieldColumns, player: usize, corrected: f64) -> bool {
        let Some(rating) = field.ratings[player] else { return false };
        if !field.is_leaders(rating) || field.is_leaders(corrected) {
            return false;
        }
        self.ratings[player] = Some(rating);
        self.origins[player] = RatingOrigin::Given;
        let player = field.names[player].to_owned();
        self.steps.push(Step::LeaderKept { player, rating, corrected });
        true
    }

    /// Replaces one rating by the rating that the line gives, rounded to whole points. Returns
    /// whether it did.
    ///
    /// The rating stays if the player has too few games, if the new rating is more than
    /// [`BEYOND_EVIDENCE`] points outside the range of the known ratings, or if it is
    /// [a leader's](Settled::keeps_leader).
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
        let known_range = KnownRange::from_ratings(field.ratings.iter().flatten().copied());
        if !known_range.reaches(corrected, BEYOND_EVIDENCE) {
            self.steps.push(Step::CorrectionBeyondEvidence { player: name, rating, corrected });
            return false;
        }
        if self.keeps_leader(field, player, corrected) {
            return false;
        }
        self.ratings[player] = Some(corrected);
        self.origins[player] = RatingOrigin::Corrected;
        self.steps.push(Step::Corrected { player: name, rating, residual, corrected });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Settles the ratings of a round robin in which every player has a P-Zero.
    fn settled(p_zeros: &[f64], ratings: &[Option<f64>], number_two: Option<f64>) -> Settled {
        settled_with(p_zeros, ratings, number_two, &Options::default())
    }

    fn settled_with(
        p_zeros: &[f64],
        ratings: &[Option<f64>],
        number_two: Option<f64>,
        options: &Options,
    ) -> Settled {
        let p_zeros: Vec<Option<f64>> = p_zeros.iter().copied().map(Some).collect();
        let field = FieldColumns {
            names: &vec!["Player"; p_zeros.len()],
            p_zeros: &p_zeros,
            games: &vec![p_zeros.len() - 1; p_zeros.len()],
            ratings,
            decided: &vec![None; p_zeros.len()],
            number_two,
        };
        settle(field, Kind::RoundRobin, options)
    }

    #[test]
    fn no_correction_puts_the_world_number_one_below_the_number_two() {
        let p_zeros = [30.0, 20.0, 10.0, 0.0, -10.0, -20.0, -30.0];
        let ratings = [2871.0, 2560.0, 2545.0, 2530.0, 2515.0, 2500.0, 2485.0].map(Some);
        let of_number_one = settled(&p_zeros, &ratings, Some(2846.0));
        assert_eq!(of_number_one.origins[0], RatingOrigin::Given);
        assert!(of_number_one.steps.iter().any(|step| matches!(step, Step::LeaderKept { .. })));
        let of_number_three = settled(&p_zeros, &ratings, Some(2900.0));
        assert_eq!(of_number_three.origins[0], RatingOrigin::Corrected);
        let rebuild = Options { policy: Policy::Rebuild, minimum_games: 1, ..Options::default() };
        for (number_two, origin) in [(2846.0, RatingOrigin::Given), (2900.0, RatingOrigin::Filled)]
        {
            let rebuilt = settled_with(&p_zeros, &ratings, Some(number_two), &rebuild);
            assert_eq!(rebuilt.origins[0], origin, "{number_two}");
        }
    }

    #[test]
    fn the_world_number_one_stays_in_the_estimator_line() {
        // New York 1948: Najdorf, with 2795, is himself the world number two.
        let p_zeros =
            [31.195, 17.683, 4.431, 4.404, -4.485, 0.043, -8.846, -8.878, -22.17, -13.377];
        let [fine, najdorf, euwe] = [2601.0, 2795.0, 2730.0].map(Some);
        let others = [2640.0, 0.0, 2600.0, 2563.0, 0.0, 2598.0, 2546.0];
        let others = others.map(|rating| Some(rating).filter(|rating| *rating > 0.0));
        let ratings = [&[fine, najdorf, euwe][..], &others].concat();
        let of_number_two = settled(&p_zeros, &ratings, Some(2795.0));
        assert_eq!((of_number_two.ratings[1], of_number_two.weak), (Some(2795.0), false));
        assert!(of_number_two.steps.iter().any(|step| matches!(step, Step::LeaderKept { .. })));
        let test = of_number_two.after.unwrap().test;
        assert_eq!(
            (test.result, format!("{:.2}", test.statistic.unwrap())),
            (FitResult::Passed, "15.98".into())
        );
        let of_number_three = settled(&p_zeros, &ratings, Some(2900.0));
        assert_eq!(of_number_three.origins[1], RatingOrigin::Filled);
        assert_eq!(of_number_three.ratings[1], Some(2631.0));
    }

    #[test]
    fn an_estimate_beyond_200_points_is_weak_and_one_beyond_400_is_refused() {
        let ratings = [Some(2600.0), Some(2590.0), Some(2580.0), None];
        for (p_zero, rating, weak) in
            [(-30.0, Some(2430.0), false), (-60.0, Some(2280.0), true), (-100.0, None, true)]
        {
            let settled = settled(&[4.0, 2.0, 0.0, p_zero], &ratings, None);
            assert_eq!((settled.ratings[3], settled.weak), (rating, weak), "{p_zero}");
        }
    }

    #[test]
    fn an_estimate_far_beyond_the_known_ratings_is_no_impossible_rating() {
        let ratings = [None, Some(2700.0), Some(2690.0), Some(2680.0)];
        for (p_zero, rating) in [(50.0, Some(2930.0)), (66.0, None)] {
            let settled = settled(&[p_zero, 4.0, 2.0, 0.0], &ratings, None);
            assert_eq!((settled.ratings[0], settled.weak), (rating, true), "{p_zero}");
        }
    }
}
