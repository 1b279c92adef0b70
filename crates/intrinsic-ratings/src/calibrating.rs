//! Calibrates an engine: relates the errors of moves to Elo ratings, using players with known
//! ratings.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::calibration::{Calibration, Milepost, PUBLISHED_FACTOR};
use super::choices::{Choices, Terms, TurnValues};
use super::fitting::{Method, fit};
use super::line::{RatingLine, line};
use super::model::{ChoiceModel, Skill};

/// Number of mileposts that an accepted calibration needs, and turns that each needs. Judged: the
/// line has two parameters, and 2,000 turns determine a rating to about 35 points.
const FEWEST: usize = 5;
const FEWEST_TURNS: usize = 2_000;
/// Further conditions for accepting a calibration: the least correlation (absolute value), the
/// largest distance of a milepost from its rating (Elo), and the largest spread of halves as a
/// multiple of the projected one. Judged: a first calibration with 600 turns a milepost, too few,
/// reached a correlation of 0.95 and was up to 96 points off. The spread is somewhat above the
/// published factor of 1.4.
const LEAST_CORRELATION: f64 = 0.95;
const FARTHEST: f64 = 60.0;
const WIDEST: f64 = 1.5;
/// Number of resamplings for the factor, and of random halvings. Judged: the error of a standard
/// deviation from 200 resamplings is 5%.
const RESAMPLINGS: usize = 200;
const HALVINGS: usize = 20;

/// The choice model of all calibrations.
const MODEL: ChoiceModel = ChoiceModel::Powers;

/// Turns played by players of about the same rating, game by game.
#[derive(Clone, Debug, Default)]
pub struct RatedTurns {
    /// The rating of the players (Elo).
    pub elo: f64,
    /// The turns of each game, without the decided ones.
    pub games: Vec<Vec<TurnValues>>,
}

fn choices<'g>(games: impl IntoIterator<Item = &'g Vec<TurnValues>>, terms: &Terms) -> Choices {
    Choices::new(games.into_iter().flatten(), terms)
}

/// Calibrates the engine with this key, from sets of turns and the reference turns.
///
/// 1. The consistency c is that of the likelihood fit of all sets together.
/// 2. The sensitivity s of each set is fitted with [`Method::Matched`].
/// 3. Ratings follow from the line through the errors expected on the reference turns.
/// 4. The factor follows from seeded resampling of whole games.
pub fn calibrate(
    engine: &str,
    sets: &[RatedTurns],
    reference: &[TurnValues],
    terms: Terms,
) -> Calibration {
    let all = choices(sets.iter().flat_map(|set| &set.games), &terms);
    let joined = fit(&all, Method::Likelihood, 0.5, MODEL);
    let mut calibration = Calibration {
        method: Method::Matched.word().to_owned(),
        consistency: joined.map_or(0.5, |joined| joined.skill.consistency),
        ..Calibration::new(engine, terms)
    }
    .with_reference(reference);
    for set in sets {
        match milepost(&calibration, set, &terms) {
            Ok(milepost) => calibration.milepost.push(milepost),
            Err(NoFit { turns }) => calibration
                .provisional
                .push(format!("at {:.0} no skill could be fitted to {turns} turns", set.elo)),
        }
    }
    let points: Vec<(f64, f64)> = calibration
        .milepost
        .iter()
        .map(|milepost| (milepost.elo, milepost.error_expected))
        .collect();
    let Some((found, correlation)) = line(&points) else {
        calibration.milepost.iter_mut().for_each(|milepost| milepost.rating = milepost.elo);
        calibration.provisional.push(
            "better players do not make smaller errors in these turns, so no line can be fitted"
                .into(),
        );
        return calibration;
    };
    calibration.line = Some(found);
    calibration.correlation = Some(correlation);
    for milepost in &mut calibration.milepost {
        milepost.rating = found.rating(milepost.error_expected);
    }
    let own = spread_ratio(&calibration, found, sets, &terms).unwrap_or(1.0);
    calibration.factor = own.max(PUBLISHED_FACTOR);
    let doubts = doubts(&calibration, sets, &terms);
    calibration.provisional.extend(doubts);
    calibration
}

/// The turns of a set gave no fit.
struct NoFit {
    turns: usize,
}

/// Fits the skill of one set of turns. The rating is computed once the line is known.
fn milepost(calibration: &Calibration, set: &RatedTurns, terms: &Terms) -> Result<Milepost, NoFit> {
    let of_set = choices(&set.games, terms);
    let Some((skill, error)) = error_of(calibration, &of_set) else {
        return Err(NoFit { turns: of_set.len() });
    };
    let c = calibration.consistency;
    let own = fit(&of_set, Method::Likelihood, c, MODEL);
    Ok(Milepost {
        elo: set.elo,
        games: set.games.len(),
        turns: of_set.len(),
        sensitivity: skill.sensitivity,
        error_expected: error,
        rating: f64::NAN,
        matches: 100.0 * of_set.matches(),
        matches_expected: 100.0 * of_set.expected(skill, MODEL).matches,
        own_consistency: own.map_or(c, |own| own.skill.consistency),
    })
}

/// How widely the ratings of resampled games spread, as a multiple of the standard error that the
/// model gives. Returns `None` if no set can be resampled.
fn spread_ratio(
    calibration: &Calibration,
    found: RatingLine,
    sets: &[RatedTurns],
    terms: &Terms,
) -> Option<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(2012);
    let (mut squares, mut projected) = (0.0, 0.0);
    for set in sets.iter().filter(|set| set.games.len() > 1) {
        let of_set = choices(&set.games, terms);
        let Some((skill, _)) = error_of(calibration, &of_set) else { continue };
        let sigma = found.slope.abs() * of_set.expected(skill, MODEL).error_sigma;
        let ratings: Vec<f64> = (0..RESAMPLINGS / sets.len().max(1))
            .filter_map(|_| {
                let drawn = (0..set.games.len())
                    .map(|_| &set.games[random.random_range(0..set.games.len())]);
                let (_, error) = error_of(calibration, &choices(drawn, terms))?;
                Some(found.rating(error))
            })
            .collect();
        let mean = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
        let spread: f64 = ratings.iter().map(|rating| (rating - mean).powi(2)).sum();
        squares += spread / (ratings.len().max(2) - 1) as f64;
        projected += sigma * sigma;
    }
    (projected > 0.0).then(|| (squares / projected).sqrt())
}

/// Fits the skill of turns, and computes its expected error on the reference turns.
fn error_of(calibration: &Calibration, choices: &Choices) -> Option<(Skill, f64)> {
    let found = fit(choices, Method::Matched, calibration.consistency, MODEL)?;
    let skill = Some(found).filter(|found| !found.is_end)?.skill;
    Some((skill, calibration.expected_on_reference(skill)?))
}

/// Lists the reasons why a calibration is not accepted.
fn doubts(calibration: &Calibration, sets: &[RatedTurns], terms: &Terms) -> Vec<String> {
    let mut doubts = Vec::new();
    let mileposts = calibration.milepost.iter();
    let full = mileposts.filter(|milepost| milepost.turns >= FEWEST_TURNS).count();
    if full < FEWEST {
        doubts.push(format!(
            "{full} ratings have {FEWEST_TURNS} or more turns, but {FEWEST} are needed"
        ));
    }
    let correlation = calibration.correlation.map_or(0.0, f64::abs);
    if correlation < LEAST_CORRELATION {
        doubts.push(format!(
            "the absolute correlation of ratings and errors is {correlation:.3}, below {LEAST_CORRELATION}"
        ));
    }
    for milepost in &calibration.milepost {
        let apart = (milepost.rating - milepost.elo).abs();
        if apart > FARTHEST {
            doubts.push(format!(
                "players rated {:.0} get a rating of {:.0}, more than {FARTHEST} points away",
                milepost.elo, milepost.rating
            ));
        }
    }
    let wide = halves_ratio(calibration, sets, terms);
    if wide > WIDEST {
        doubts.push(format!(
            "ratings of one half of the games by the line of the other half spread {wide:.2} times as widely as projected; the limit is {WIDEST}"
        ));
    }
    doubts
}

/// How widely the ratings of one half of the games spread by the line of the other half, as a
/// multiple of the standard error that the model gives. Infinite if no half can be rated.
fn halves_ratio(calibration: &Calibration, sets: &[RatedTurns], terms: &Terms) -> f64 {
    let mut random = Pcg64Mcg::seed_from_u64(2011);
    let (mut squares, mut projected) = (0.0, 0.0);
    for _ in 0..HALVINGS {
        let halves: Vec<(f64, Choices, Choices)> = sets
            .iter()
            .map(|set| {
                let (mut one, mut other) = (Vec::new(), Vec::new());
                for game in &set.games {
                    if random.random_range(0..2) == 0 { one.push(game) } else { other.push(game) }
                }
                (set.elo, choices(one, terms), choices(other, terms))
            })
            .collect();
        let points: Vec<(f64, f64)> = halves
            .iter()
            .filter_map(|(elo, one, _)| Some((*elo, error_of(calibration, one)?.1)))
            .collect();
        let Some((found, _)) = line(&points) else { continue };
        for (elo, _, other) in &halves {
            let Some((skill, error)) = error_of(calibration, other) else { continue };
            let rating = found.rating(error);
            let sigma = found.slope * other.expected(skill, MODEL).error_sigma;
            squares += (rating - elo).powi(2);
            projected += sigma * sigma;
        }
    }
    if projected > 0.0 { (squares / projected).sqrt() } else { f64::INFINITY }
}
