//! Working out what an engine's errors mean, from the moves of players whose ratings are known.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::calibration::{Calibration, FIRST_MOVE, Milepost, PUBLISHED_FACTOR};
use super::choices::{Choices, Terms, TurnValues};
use super::fitting::{Method, fit};
use super::line::line;
use super::model::{Model, Skill};

/// Mileposts, and turns of each, that a calibration needs to be accepted.
const FEWEST: usize = 5;
const FEWEST_TURNS: usize = 2_000;
/// The correlation (without its sign), the distance of each milepost from its rating (Elo), and the spread of halves over the projected one at which it is
/// accepted.
const LEAST_CORRELATION: f64 = 0.95;
const FARTHEST: f64 = 60.0;
const WIDEST: f64 = 1.5;
/// Resamplings for the factor, and of halves.
const RESAMPLINGS: usize = 200;
const HALVINGS: usize = 20;

/// Turns by players of about one rating, game by game.
#[derive(Clone, Debug, Default)]
pub struct RatedTurns {
    /// Their rating (Elo).
    pub elo: f64,
    /// The turns of each game, decided ones left out.
    pub games: Vec<Vec<TurnValues>>,
}

fn choices<'g>(games: impl IntoIterator<Item = &'g Vec<TurnValues>>, terms: &Terms) -> Choices {
    Choices::of(games.into_iter().flatten(), terms)
}

/// Works out a calibration of the engine of a key from sets of turns and the reference turns.
///
/// c is that of the likelihood fit of all sets together, s of each set is [`Method::Matched`]; ratings are on the line through the errors that they let
/// expect on the reference turns. The factor comes from seeded resamplings of whole games.
pub fn calibrate(
    engine: &str,
    sets: &[RatedTurns],
    reference: &[TurnValues],
    terms: Terms,
) -> Calibration {
    let model = Model::Powers;
    let all = choices(sets.iter().flat_map(|set| &set.games), &terms);
    let joined = fit(&all, Method::Likelihood, 0.5, model);
    let mut calibration = Calibration {
        engine: engine.to_owned(),
        method: Method::Matched.word().to_owned(),
        scale_pawns: terms.scale_pawns,
        tail: terms.tail,
        cut: terms.cut,
        first_move: FIRST_MOVE,
        consistency: joined.map_or(0.5, |joined| joined.skill.consistency),
        factor: PUBLISHED_FACTOR,
        ..Calibration::default()
    }
    .with_reference(reference);
    let c = calibration.consistency;
    let (mut points, mut lost) = (Vec::new(), Vec::new());
    for set in sets {
        let of_set = choices(&set.games, &terms);
        let Some((skill, error)) = error_of(&calibration, &of_set) else {
            let turns = of_set.len();
            lost.push(format!("of {:.0} {turns} turns gave no fit", set.elo));
            continue;
        };
        points.push((set.elo, error));
        let own = fit(&of_set, Method::Likelihood, c, model);
        calibration.milepost.push(Milepost {
            elo: set.elo,
            games: set.games.len(),
            turns: of_set.len(),
            sensitivity: skill.sensitivity,
            error_expected: error,
            rating: f64::NAN,
            matches: 100.0 * of_set.matches(),
            matches_expected: 100.0 * of_set.expected(skill, model).matches,
            own_consistency: own.map_or(c, |own| own.skill.consistency),
        });
    }
    let Some((found, correlation)) = line(&points) else {
        calibration.milepost.iter_mut().for_each(|milepost| milepost.rating = milepost.elo);
        lost.push(
            "better players do not err less in these turns, so that no line can be drawn".into(),
        );
        calibration.provisional = lost;
        return calibration;
    };
    calibration.line = Some(found);
    calibration.correlation = Some(correlation);
    for milepost in &mut calibration.milepost {
        milepost.rating = found.intercept + found.slope * milepost.error_expected;
    }
    // How ratings of resampled games spread, beside what the model has.
    let mut random = Pcg64Mcg::seed_from_u64(2012);
    let (mut squares, mut projected) = (0.0, 0.0);
    for set in sets.iter().filter(|set| set.games.len() > 1) {
        let of_set = choices(&set.games, &terms);
        let Some((skill, _)) = error_of(&calibration, &of_set) else { continue };
        let sigma = found.slope.abs() * of_set.expected(skill, model).error_sigma;
        let ratings: Vec<f64> = (0..RESAMPLINGS / sets.len().max(1))
            .filter_map(|_| {
                let drawn = (0..set.games.len())
                    .map(|_| &set.games[random.random_range(0..set.games.len())]);
                let (_, error) = error_of(&calibration, &choices(drawn, &terms))?;
                Some(found.intercept + found.slope * error)
            })
            .collect();
        let mean = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
        let spread: f64 = ratings.iter().map(|rating| (rating - mean).powi(2)).sum();
        squares += spread / (ratings.len().max(2) - 1) as f64;
        projected += sigma * sigma;
    }
    let own = if projected > 0.0 { (squares / projected).sqrt() } else { 1.0 };
    calibration.factor = own.max(PUBLISHED_FACTOR);
    lost.extend(doubts(&calibration, sets, &terms));
    calibration.provisional = lost;
    calibration
}

/// The skill that turns show, and the error that it lets expect on the reference turns.
fn error_of(calibration: &Calibration, choices: &Choices) -> Option<(Skill, f64)> {
    let found = fit(choices, Method::Matched, calibration.consistency, Model::Powers)?;
    let skill = Some(found).filter(|found| !found.is_end)?.skill;
    Some((skill, calibration.expected_on_reference(skill)?))
}

/// What speaks against a calibration.
fn doubts(calibration: &Calibration, sets: &[RatedTurns], terms: &Terms) -> Vec<String> {
    let mut doubts = Vec::new();
    let mileposts = || calibration.milepost.iter();
    let full = mileposts().filter(|milepost| milepost.turns >= FEWEST_TURNS).count();
    if full < FEWEST {
        doubts.push(format!(
            "{full} of at least {FEWEST} ratings have {FEWEST_TURNS} turns and more"
        ));
    }
    let correlation = calibration.correlation.map_or(0.0, f64::abs);
    if correlation < LEAST_CORRELATION {
        doubts.push(format!(
            "the correlation of ratings and errors is {correlation:.3}, below {LEAST_CORRELATION}"
        ));
    }
    for milepost in &calibration.milepost {
        let apart = (milepost.rating - milepost.elo).abs();
        if apart > FARTHEST {
            doubts.push(format!(
                "players of {:.0} come out at {:.0}, more than {FARTHEST} away",
                milepost.elo, milepost.rating
            ));
        }
    }
    // The line of one half of the games, the ratings of the other.
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
            let rating = found.intercept + found.slope * error;
            let sigma = found.slope * other.expected(skill, Model::Powers).error_sigma;
            squares += (rating - elo).powi(2);
            projected += sigma * sigma;
        }
    }
    let wide = if projected > 0.0 { (squares / projected).sqrt() } else { f64::INFINITY };
    if wide > WIDEST {
        doubts.push(format!(
            "ratings of one half by the line of the other spread {wide:.2} times as projected, more than {WIDEST}"
        ));
    }
    doubts
}
