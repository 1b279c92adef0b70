//! The PRA for a population: the Basic System over all games, an anchor, the Boosting System.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.

use jiff::civil::Date;

use super::about::About;
use super::lists::{ComputedList, ListedRating};
use super::parameters::parameters;
use super::results::{Results, first_of, month_of};
use super::system::{Before, RatingSystem, Ratings, Registered, differences};
use crate::tournament::basic_system::K_BASIC;
use crate::tournament::expectation;

/// Rating (points) with which everybody starts, and the mean of all.
const START: f64 = 1500.0;

parameters! {
    /// The PRA for a population, and how it runs.
    Pra {
        /// Months after which all ratings move so that their mean is 1500 again; 0 never.
        anchor_months: i32 = 1, 0..=1200;
        /// Whether the Boosting System runs.
        boosts: bool = true;
    }
}

impl Registered for Pra {
    const ABOUT: About = About {
        word: "pra",
        name: "PRA",
        list_name: "Computed PRA",
        summary: "Tony Berard's PRA for a population: Basic System, anchor and Boosting System, lists of each year",
        knows_later_games: false,
        is_of_events: false,
        led_by: None,
        period_years: None,
    };
}

impl RatingSystem for Pra {
    fn expected(&self, difference: f64) -> f64 {
        expectation(difference)
    }

    fn explained(&self) -> String {
        let boosting = match self.boosts {
            true => {
                "with Berard's Boosting System (which here goes on for players whom an event has corrected)"
            }
            false => "without Berard's Boosting System",
        };
        format!(
            "the system of the P-Zeros over all games, everybody starting at {START:.0}, {boosting}."
        )
    }

    fn rate(&self, results: &Results) -> Ratings {
        population(results, self)
    }
}

/// Games until which blocks are short, and until which there are blocks at all.
const SHORT_UNTIL: u32 = 160;
const BLOCKS_UNTIL: u32 = 320;

/// The Boosting System of one player.
#[derive(Clone, Debug, Default, PartialEq)]
struct Boosting {
    games: u32,
    direction: i8,
    /// Ratings after each game of the block.
    block: Vec<f64>,
}

impl Boosting {
    /// Takes the rating after a game; the rating to go on with, which at the end of a block may be boosted.
    fn after(&mut self, rating: f64) -> f64 {
        if self.games >= BLOCKS_UNTIL {
            return rating;
        }
        let is_short = self.games < SHORT_UNTIL;
        self.games += 1;
        self.block.push(rating);
        let length = if is_short { 20 } else { 40 };
        if self.block.len() < length {
            return rating;
        }
        let omega = if is_short { 1.0 } else { 0.15 };
        let is_first = self.games == 20;
        let boosted = self.boosted(rating, omega, is_first);
        self.block.clear();
        boosted
    }

    /// The rating at the end of a block.
    fn boosted(&mut self, rating: f64, omega: f64, is_first: bool) -> f64 {
        let means: Vec<f64> = self
            .block
            .chunks(self.block.len() / 4)
            .map(|quarter| quarter.iter().sum::<f64>() / quarter.len() as f64)
            .collect();
        let rises = means.windows(2).all(|two| two[1] > two[0]);
        let falls = means.windows(2).all(|two| two[1] < two[0]);
        let sign: i8 = match (rises, falls) {
            (true, _) => 1,
            (_, true) => -1,
            _ => {
                self.direction = 0;
                return rating;
            }
        };
        if is_first {
            self.direction = sign;
        }
        let peak = self.block.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let trough = self.block.iter().copied().fold(f64::INFINITY, f64::min);
        let (factor, next) = match self.direction * sign {
            1 => (2.625, sign),
            0 => (0.875, sign),
            _ => (0.5, 0),
        };
        self.direction = next;
        let step = omega * factor * (peak - trough);
        if sign > 0 { peak + step } else { trough - step }
    }
}

/// Runs the system over all games. Who has not played yet has no rating before an event.
fn population(results: &Results, parameters: &Pra) -> Ratings {
    let players = results.players.len();
    // Ratings without what the anchor moved all by: the data points of a block stay comparable.
    let mut ratings = vec![START; players];
    let mut games = vec![0u32; players];
    let mut last: Vec<Option<Date>> = vec![None; players];
    let mut boosting: Vec<Boosting> = vec![Boosting::default(); players];
    let (mut moved, mut sum, mut present) = (0.0, 0.0, 0usize);
    let mut lists = Vec::new();
    let mut known = Vec::with_capacity(results.games.len());
    let mut month: Option<i32> = None;
    for event in results.events() {
        let day = event.iter().map(|game| game.day).min().unwrap_or_default();
        let now = month_of(day);
        while let Some(before) = month.filter(|before| *before < now) {
            let next = before + 1;
            if parameters.anchor_months > 0 && next % parameters.anchor_months == 0 && present > 0 {
                moved = START - sum / present as f64;
            }
            if next.rem_euclid(12) == 0 {
                lists.push(list(first_of(next), &ratings, moved, &games, &last));
            }
            month = Some(next);
        }
        month.get_or_insert(now);
        known.extend(differences(event, &|player| {
            (games[player as usize] > 0).then(|| ratings[player as usize] + moved)
        }));
        for game in event {
            let (white, black) = (game.white as usize, game.black as usize);
            for player in [white, black] {
                if games[player] == 0 {
                    ratings[player] = START - moved;
                    sum += ratings[player];
                    present += 1;
                }
            }
            let expected = expectation(ratings[white] - ratings[black]);
            let gain = K_BASIC * (game.score - expected);
            for (player, gain) in [(white, gain), (black, -gain)] {
                let before = ratings[player];
                let after = before + gain;
                ratings[player] =
                    if parameters.boosts { boosting[player].after(after) } else { after };
                sum += ratings[player] - before;
                games[player] += 1;
                last[player] = Some(game.day).max(last[player]);
            }
        }
    }
    if let Some(month) = month {
        let next = (month + 12) - month.rem_euclid(12);
        lists.push(list(first_of(next), &ratings, moved, &games, &last));
    }
    lists.retain(|list| list.ratings.len() > 1);
    Ratings { lists, before: Before::Differences(known), ..Ratings::default() }
}

/// Games below which a rating is a beginning: a block of the Boosting System.
const PROVISIONAL_UNTIL: u32 = 20;

/// Those who played in the two years before.
fn list(
    day: Date,
    ratings: &[f64],
    moved: f64,
    games: &[u32],
    last: &[Option<Date>],
) -> ComputedList {
    let from = Date::new(day.year() - 2, day.month(), 1).unwrap_or(day);
    let active = (0..ratings.len()).filter(|&player| last[player].is_some_and(|last| last >= from));
    let lines = active.map(|player| ListedRating {
        player: player as u32,
        rating: ratings[player] + moved,
        games: f64::from(games[player]),
        deviation: None,
        is_provisional: games[player] < PROVISIONAL_UNTIL,
    });
    ComputedList::of(day, lines.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a block of ratings that go by the same step.
    fn block(boosting: &mut Boosting, from: f64, step: f64, games: usize) -> f64 {
        (1..=games).map(|game| boosting.after(from + step * game as f64)).last().unwrap()
    }

    #[test]
    fn a_first_block_that_rises_is_boosted_with_the_largest_factor() {
        let mut boosting = Boosting::default();
        // Peak 1520, trough 1501.
        assert_eq!(block(&mut boosting, 1500.0, 1.0, 20), 1520.0 + 2.625 * 19.0);
        assert_eq!(boosting.direction, 1);
    }

    #[test]
    fn directions_never_jump() {
        let mut boosting = Boosting::default();
        block(&mut boosting, 1500.0, 1.0, 20);
        // From rising to falling: half a step, and no direction.
        assert_eq!(block(&mut boosting, 1600.0, -1.0, 20), 1580.0 - 0.5 * 19.0);
        assert_eq!(boosting.direction, 0);
        assert_eq!(block(&mut boosting, 1600.0, -1.0, 20), 1580.0 - 0.875 * 19.0);
        assert_eq!(boosting.direction, -1);
        assert_eq!(block(&mut boosting, 1600.0, -1.0, 20), 1580.0 - 2.625 * 19.0);
        // A block that goes nowhere leaves the rating, and no direction.
        assert_eq!(block(&mut boosting, 1600.0, 0.0, 20), 1600.0);
        assert_eq!(boosting.direction, 0);
    }

    #[test]
    fn blocks_are_longer_and_weigh_less_after_160_games_and_end_after_320() {
        let mut boosting = Boosting::default();
        for _ in 0..8 {
            block(&mut boosting, 1500.0, 0.0, 20);
        }
        assert_eq!(block(&mut boosting, 1500.0, 1.0, 40), 1540.0 + 0.15 * 0.875 * 39.0);
        for _ in 0..3 {
            block(&mut boosting, 1500.0, 1.0, 40);
        }
        assert_eq!(boosting.games, 320);
        assert_eq!(block(&mut boosting, 1500.0, 1.0, 40), 1540.0);
    }
}
