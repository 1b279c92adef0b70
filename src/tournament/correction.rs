//! From the ratings found to the ratings used: filling what is missing, moving what does not fit.

use serde::{Deserialize, Serialize};

use super::estimator::{Estimator, estimate};
use super::fit_test::{FitResult, FitTest};
use super::line::Line;
use super::steps::{Step, StepKind};

/// Beyond this residual (rating points) a player is out of spec.
pub const OUT_OF_SPEC: f64 = 100.0;

/// The line supplies no rating that lies farther than this (points) outside of those that it rests on: beyond
/// its evidence it says anything (at Hastings 1967 it would give 11,438). The limit is ours.
pub const BEYOND_EVIDENCE: f64 = 200.0;

/// From this residual on a player is under pressure.
pub const PRESSURE: f64 = 75.0;

/// Games that a player needs in the event before his rating may be moved.
pub const MINIMUM_GAMES: usize = 6;

/// What to do when a full set of ratings fails the fit test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Out-of-spec ratings move to the line, once.
    #[default]
    Correct,
    /// Out-of-spec ratings are deleted and filled again by the estimator line.
    Rebuild,
    /// Nothing moves; the failure is noted.
    Keep,
}

impl Policy {
    /// The word used in settings and decisions.
    pub fn word(self) -> &'static str {
        match self {
            Policy::Correct => "correct",
            Policy::Rebuild => "rebuild",
            Policy::Keep => "keep",
        }
    }
}

/// How a residual is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
pub struct Field<'a> {
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

/// Settles the ratings of an event under a policy.
///
/// Missing ratings are filled through the estimator line; a full set that fails the test is
/// treated by the policy, at most once; whatever comes out stands.
pub fn settle(field: Field, policy: Policy, move_pressure: bool, minimum_games: usize) -> Settled {
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
        if let Some(reason) = field.decided[player] {
            let (step, text) = match found {
                Some(rating) => (
                    StepKind::Decided,
                    format!("The Ratings Administrator gives {name} {rating:.0}: {reason}"),
                ),
                None => (
                    StepKind::Deleted,
                    format!("The Ratings Administrator deletes the rating of {name}: {reason}"),
                ),
            };
            settled.steps.push(Step::of_player(step, name, None, found, text));
        }
        if field.p_zeros[player].is_none() {
            let text = format!("{name} played no game that counts and stays outside the line.");
            settled.steps.push(Step::of_player(StepKind::Note, name, None, None, text));
        } else if found.is_none() && field.decided[player].is_none() {
            let text = format!("{name} has no rating in the source.");
            settled.steps.push(Step::of_player(StepKind::Missing, name, None, None, text));
        }
    }
    let active: Vec<usize> =
        (0..field.names.len()).filter(|&player| field.p_zeros[player].is_some()).collect();
    if active.iter().any(|&player| field.ratings[player].is_none()) {
        settled.fill(&field, &active);
    } else {
        settled.test_full_set(&field, &active, policy, move_pressure, minimum_games);
    }
    settled.after = Fit::of(field.p_zeros, &settled.ratings);
    settled.tell_of_steep_line(&field);
    settled.doubt_line_that_does_not_fit();
    settled
}

/// The ratings that a line rests on.
struct Evidence {
    lowest: f64,
    highest: f64,
}

impl Evidence {
    fn of(ratings: impl Iterator<Item = f64>) -> Evidence {
        let none = Evidence { lowest: f64::INFINITY, highest: f64::NEG_INFINITY };
        ratings.fold(none, |evidence, rating| Evidence {
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
            self.steps.push(Step::of_event(
                StepKind::Weak,
                "With the ratings that the line supplied the event does not fit: the line is weak.",
            ));
        }
    }

    /// A full set of ratings whose line is too steep keeps its ratings and shows no line.
    fn tell_of_steep_line(&mut self, field: &Field) {
        let known = field.p_zeros.iter().zip(&self.ratings);
        let known = known.filter(|(p_zero, rating)| p_zero.is_some() && rating.is_some()).count();
        if self.after.is_none() && known > 1 && !self.weak {
            self.steps.push(Step::of_event(
                StepKind::Note,
                "The results hardly differ, so that a line through them says nothing; no performance \
                 ratings are shown.",
            ));
        }
    }

    /// Fills every missing rating of the active players through the estimator line.
    fn fill(&mut self, field: &Field, active: &[usize]) {
        let p_zeros: Vec<f64> = active.iter().filter_map(|&player| field.p_zeros[player]).collect();
        let ratings: Vec<Option<f64>> = active.iter().map(|&player| self.ratings[player]).collect();
        let known = ratings.iter().flatten().count();
        let decided: Vec<bool> =
            active.iter().map(|&player| field.decided[player].is_some()).collect();
        let Some(estimator) = estimate(&p_zeros, &ratings, &decided) else {
            self.weak = true;
            self.steps.push(Step::of_event(
                StepKind::NoLine,
                format!(
                    "{} of {} ratings known: no line can be drawn, and the event waits for ratings.",
                    known,
                    active.len()
                ),
            ));
            return;
        };
        let Estimator { line, fit_test, omitted, weak } = estimator;
        for omitted in &omitted {
            let player = active[omitted.player];
            self.ratings[player] = None;
            self.origins[player] = RatingOrigin::Missing;
            let text = format!(
                "{}'s {:.0} is left out of the line: it lies {:.0} points {} and makes up {:.2} of a \
                 statistic of {:.2} against a limit of {:.2}.",
                field.names[player],
                omitted.rating,
                omitted.residual.abs(),
                if omitted.residual > 0.0 { "above" } else { "below" },
                omitted.contribution,
                omitted.statistic,
                omitted.critical,
            );
            self.steps.push(Step::of_player(
                StepKind::Omitted,
                field.names[player],
                Some(omitted.rating),
                None,
                text,
            ));
        }
        if let (Some(statistic), Some(critical)) = (fit_test.statistic, fit_test.critical) {
            self.steps.push(Step::of_event(
                StepKind::Tested,
                format!(
                    "The line through {} known ratings fits: {statistic:.2} against a limit of \
                     {critical:.2}.",
                    line.points
                ),
            ));
        }
        if weak {
            self.weak = true;
            self.steps.push(Step::of_event(
                StepKind::Weak,
                format!(
                    "The line rests on {} of {} ratings and is weak.",
                    line.points,
                    active.len()
                ),
            ));
        }
        let supplied = |player: usize| field.p_zeros[player].map(|x| line.performance(x).round());
        if line.is_too_steep() {
            self.weak = true;
            let text = format!(
                "The results hardly differ, so that the line has a slope of {:.0}; it supplies nothing.",
                line.slope.abs()
            );
            self.steps.push(Step::of_event(StepKind::NoLine, text));
            return;
        }
        let evidence = Evidence::of(active.iter().filter_map(|&player| self.ratings[player]));
        let beyond = active
            .iter()
            .filter(|&&player| self.ratings[player].is_none())
            .filter_map(|&player| supplied(player))
            .find(|rating| !evidence.reaches(*rating));
        if let Some(rating) = beyond {
            self.weak = true;
            self.steps.push(Step::of_event(
                StepKind::NoLine,
                format!(
                    "The line would supply {rating:.0}, more than {BEYOND_EVIDENCE:.0} points beyond \
                     the known ratings ({:.0} to {:.0}); it supplies none.",
                    evidence.lowest, evidence.highest
                ),
            ));
            return;
        }
        for &player in active {
            let (None, Some(rating)) = (self.ratings[player], supplied(player)) else {
                continue;
            };
            self.ratings[player] = Some(rating);
            self.origins[player] = RatingOrigin::Filled;
            let text = format!("The line supplies {rating:.0} for {}.", field.names[player]);
            self.steps.push(Step::of_player(
                StepKind::Filled,
                field.names[player],
                field.ratings[player],
                Some(rating),
                text,
            ));
        }
    }

    /// Tests a full set of ratings and lets the policy act on a failure.
    fn test_full_set(
        &mut self,
        field: &Field,
        active: &[usize],
        policy: Policy,
        move_pressure: bool,
        minimum_games: usize,
    ) {
        let Some(fit) = self.before.clone() else { return };
        if fit.test.result == FitResult::NotApplicable {
            self.steps.push(Step::of_event(
                StepKind::Note,
                "Two players: the line runs through both points, so the fit test says nothing.",
            ));
            return;
        }
        let (Some(statistic), Some(critical), Some(lower)) =
            (fit.test.statistic, fit.test.critical, fit.test.lower)
        else {
            return;
        };
        match fit.test.result {
            FitResult::Failed => {}
            FitResult::TooClose => {
                self.steps.push(Step::of_event(
                    StepKind::Tested,
                    format!(
                        "The ratings fit unusually closely: {statistic:.3} lies below {lower:.3}."
                    ),
                ));
                return;
            }
            _ => {
                self.steps.push(Step::of_event(
                    StepKind::Tested,
                    format!("The ratings fit: {statistic:.2} against a limit of {critical:.2}."),
                ));
                return;
            }
        }
        self.steps.push(Step::of_event(
            StepKind::Tested,
            format!("The ratings do not fit: {statistic:.2} against a limit of {critical:.2}."),
        ));
        let moves = |residual: f64| match Spec::of(residual) {
            Spec::Out => true,
            Spec::PressureUp | Spec::PressureDown => move_pressure,
            Spec::In => false,
        };
        let concerned: Vec<(usize, f64)> = active
            .iter()
            .filter_map(|&player| Some((player, fit.residuals[player]?)))
            .filter(|&(_, residual)| moves(residual))
            // What a person decided stands.
            .filter(|&(player, _)| field.decided[player].is_none())
            .collect();
        match policy {
            Policy::Keep => self.steps.push(Step::of_event(
                StepKind::Kept,
                "By the policy for this event nothing moves.",
            )),
            Policy::Correct => {
                let mut moved = false;
                for (player, residual) in concerned {
                    moved |= self.correct(field, &fit.line, player, residual, minimum_games);
                }
                if !moved {
                    self.steps.push(Step::of_event(
                        StepKind::Kept,
                        "No rating qualifies for a correction; the failure stands.",
                    ));
                }
            }
            Policy::Rebuild => {
                let kept = (self.ratings.clone(), self.origins.clone());
                for &(player, residual) in &concerned {
                    let name = field.names[player];
                    let text = format!(
                        "{name}'s {:.0} lies {:.0} points {} the line and is deleted.",
                        self.ratings[player].unwrap_or_default(),
                        residual.abs(),
                        if residual > 0.0 { "above" } else { "below" },
                    );
                    let before = self.ratings[player].take();
                    self.steps.push(Step::of_player(StepKind::Deleted, name, before, None, text));
                }
                if concerned.is_empty() {
                    self.steps.push(Step::of_event(
                        StepKind::Kept,
                        "No rating is out of spec, so none is rebuilt; the failure stands.",
                    ));
                } else {
                    self.fill(field, active);
                    // A line that supplies nothing rebuilds nothing.
                    if active.iter().any(|&player| self.ratings[player].is_none()) {
                        (self.ratings, self.origins) = kept;
                        self.weak = false;
                        self.steps.push(Step::of_event(
                            StepKind::Kept,
                            "The line supplies nothing, so the ratings stay as they were; the failure stands.",
                        ));
                    }
                }
            }
        }
    }

    /// Moves one rating to the line if the player has the games for it; whether it moved.
    fn correct(
        &mut self,
        field: &Field,
        line: &Line,
        player: usize,
        residual: f64,
        minimum_games: usize,
    ) -> bool {
        let (Some(before), Some(p_zero)) = (self.ratings[player], field.p_zeros[player]) else {
            return false;
        };
        let name = field.names[player];
        let side = if residual > 0.0 { "above" } else { "below" };
        if field.games[player] < minimum_games {
            let text = format!(
                "{name}'s {before:.0} lies {:.0} points {side} the line, but {} games are too few to \
                 move it.",
                residual.abs(),
                field.games[player],
            );
            self.steps.push(Step::of_player(
                StepKind::Kept,
                name,
                Some(before),
                Some(before),
                text,
            ));
            return false;
        }
        let rating = line.performance(p_zero).round();
        let evidence = Evidence::of(field.ratings.iter().flatten().copied());
        if !evidence.reaches(rating) {
            let text = format!(
                "{name}'s {before:.0} would move to {rating:.0}, more than {BEYOND_EVIDENCE:.0} points \
                 beyond the known ratings, and stays.",
            );
            let (from, to) = (Some(before), Some(before));
            self.steps.push(Step::of_player(StepKind::Kept, name, from, to, text));
            return false;
        }
        self.ratings[player] = Some(rating);
        self.origins[player] = RatingOrigin::Corrected;
        let text = format!(
            "{name}'s {before:.0} lies {:.0} points {side} the line and moves to {rating:.0}.",
            residual.abs(),
        );
        self.steps.push(Step::of_player(
            StepKind::Corrected,
            name,
            Some(before),
            Some(rating),
            text,
        ));
        true
    }
}
