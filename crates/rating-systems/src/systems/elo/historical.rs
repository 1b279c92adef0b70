//! Elo's historical ratings: each half decade is rated on its own, and the half decades are linked.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition):
//! successive approximations, and ageing (5.67, 6.22).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jiff::civil::{Date, date};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::ageing::RISE;
use super::five_year_averages::{HalfDecades, five_year_careers};
use super::formulas::Expectancy;
use super::historical_players::{HistoricalPlayers, masters};
use super::levels::{LinkRules, SPREAD, levels};
use super::period_pool::{PeriodGame, PeriodPool, PoolRules};
use super::periods::Periods;
use crate::systems::about::{About, Role};
use crate::systems::lists::{ComputedList, FiveYearCareer, ListedRating};
use crate::systems::parameters::{Overrides, Parameters, parameters};
use crate::systems::results::Results;
use crate::systems::running::Running;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};
use crate::systems::wording::counted;

/// Years of a period (5.4).
const PERIOD: i16 = 5;

/// One year and a few days: a list is in force again on each 1 January, and the last copy serves
/// until the end of its year.
const PREDICTS_FOR_DAYS: i32 = 369;

parameters! {
    /// Parameters of Elo's historical ratings.
    EloHistorical {
        /// The curve of expected scores: normal, logistic, table (of the book, to two decimals) or
        /// linear.
        expectancy: Expectancy = Expectancy::Normal;
        /// The players who are rated first and link the periods: masters with long careers, as in
        /// the book (5.4), or all.
        players: HistoricalPlayers = HistoricalPlayers::Masters;
        /// Games in a period that make it count for a master's career.
        master_games: usize = 30, 1..=1000;
        /// Minimum number of such periods in a master's career.
        master_periods: usize = 2, 1..=100;
        /// Age (years) from which a master's strength counts as stable; masters of stable strength
        /// link the periods.
        stable_from: f64 = 25.0, 8.0..=90.0;
        /// Age (years) until which a master's strength counts as stable.
        stable_to: f64 = 45.0, 8.0..=90.0;
        /// Minimum number of a player's games in a period, among the players who are rated first;
        /// in the long period, minimum_games if that is less.
        core_games: usize = 20, 4..=1000;
        /// Minimum number of a player's games in a period; a rating is provisional unless so many
        /// remain when only four count per opponent.
        minimum_games: usize = 12, 4..=1000;
        /// First year of the book's long period, 1846 to 1862, which has too few games for half
        /// decades (5.43).
        long_period_from: i16 = 1846, 1400..=2200;
        /// Last year of the long period; a year before its first one if there is no long period.
        long_period_to: i16 = 1862, 1400..=2200;
        /// The year whose period is anchored; the last period if that one is missing.
        anchor_year: i16 = 1967, 1400..=2200;
        /// Mean rating (points) of the ten best of the anchored period.
        anchor: f64 = 2640.0, 0.0..=4000.0;
        /// Rise (points) of the ageing curve from 21 to 36, which links the periods.
        rise: f64 = RISE, 0.0..=1000.0;
        /// Largest difference (points) between a rating and the performance against the opponents'
        /// ratings.
        tolerance: f64 = 0.001, 0.000001..=10.0;
    }
}

impl Registered for EloHistorical {
    const ABOUT: About = About {
        word: EloHistorical::WORD,
        name: "Elo, historical",
        list_name: "Computed historical Elo",
        summary: "Arpad Elo's historical ratings: half decades rated on their own, and linked",
        role: Role::Whole,
        period_years: Some(PERIOD),
        short_name: Some("Elo, by periods"),
        rates_periods: true,
        ..About::PLAIN
    };
}

impl RatingSystem for EloHistorical {
    fn expected(&self, difference: f64) -> f64 {
        self.expectancy.expected(difference)
    }

    fn explained(&self) -> String {
        match self.players {
            HistoricalPlayers::All => {
                "half decades, each solved at once, linked by the players of two half decades and \
                 by the ageing curve."
            }
            HistoricalPlayers::Masters => {
                "half decades, each solved at once for masters with long careers, linked by those \
                 at ages of stable strength; all others are rated by their games against them."
            }
        }
        .into()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        historical(results, self)
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(Periods::new(self.expectancy, self.tolerance, start)))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        &["expectancy", "tolerance"]
    }

    /// Dates a list for each year of the following half decade, or until the next list, because it
    /// rests on all games of the half decade that it rates.
    fn in_force<'a>(&self, lists: &'a [ComputedList]) -> Cow<'a, [ComputedList]> {
        let years = lists.iter().enumerate().flat_map(|(place, list)| {
            let first = self.end(list.day.year());
            let next = lists.get(place + 1).map(|next| self.end(next.day.year()));
            let last = next.map_or(first + PERIOD, |next| next.min(first + PERIOD));
            (first..last).filter_map(|year| {
                let day = Date::new(year, 1, 1).ok()?;
                Some(ComputedList { day, ..list.clone() })
            })
        });
        Cow::Owned(years.collect())
    }

    fn last_year(&self, first: i16) -> Option<i16> {
        Some(self.end(first) - 1)
    }

    fn five_year_careers(&self, results: &Results, lists: &[ComputedList]) -> Vec<FiveYearCareer> {
        let half_decades = HalfDecades {
            lists: lists.iter().map(|list| (self.middle(list.day.year()), list)).collect(),
            anchor: self.start(self.anchor_year),
            anchored: ANCHORED,
        };
        let last_year = |first| {
            if first == self.long_period_from { self.end(first) - 1 } else { first + PERIOD - 1 }
        };
        five_year_careers(&self.windows(results), &half_decades, &last_year)
    }

    /// From the last copy of a list to the end of the half decade that follows its own.
    fn predicts_for_days(&self) -> i32 {
        PREDICTS_FOR_DAYS
    }
}

impl EloHistorical {
    /// The word for commands and settings.
    pub const WORD: &'static str = "elo-historical";

    /// The system with these values. Values that settings would have refused keep their defaults.
    pub fn with_valid_overrides(overrides: &Overrides) -> EloHistorical {
        let mut system = EloHistorical::default();
        for (key, value) in overrides {
            let _ = system.set(key, value);
        }
        system
    }

    /// The first year of the period that contains a year.
    pub(super) fn start(&self, year: i16) -> i16 {
        let (from, to) = (self.long_period_from, self.long_period_to);
        let half_decade = year - year.rem_euclid(PERIOD);
        if from > to {
            half_decade
        } else if (from..=to).contains(&year) {
            from
        } else if year > to {
            half_decade.max(to + 1)
        } else {
            half_decade
        }
    }

    /// The first year after the period that begins in a year.
    pub(super) fn end(&self, first: i16) -> i16 {
        let (from, to) = (self.long_period_from, self.long_period_to);
        let half_decade = first - first.rem_euclid(PERIOD) + PERIOD;
        if from > to {
            half_decade
        } else if first == from {
            to + 1
        } else if first < from {
            half_decade.min(from)
        } else {
            half_decade
        }
    }
}

impl EloHistorical {
    /// The masters, if they are rated first.
    pub(super) fn masters(
        &self,
        by_period: &BTreeMap<i16, Vec<PeriodGame>>,
    ) -> Option<FxHashSet<u32>> {
        (self.players == HistoricalPlayers::Masters)
            .then(|| masters(by_period, self.master_games, self.master_periods))
    }

    /// The rules by which the period that begins in a year is rated.
    pub(super) fn pool_rules(&self, first: i16) -> PoolRules {
        let is_long = self.is_long_period(first);
        let core_games =
            if is_long { self.core_games.min(self.minimum_games) } else { self.core_games };
        PoolRules {
            expectancy: self.expectancy,
            tolerance: self.tolerance,
            core_games: u32::try_from(core_games).unwrap_or(u32::MAX),
            minimum_games: u32::try_from(self.minimum_games).unwrap_or(u32::MAX),
        }
    }

    /// The middle of the period that begins in a year, as a year with its fraction.
    fn middle(&self, first: i16) -> f64 {
        f64::from(first + self.end(first)) / 2.0
    }

    /// The games of five years, from every year on, each rated like a half decade. The long period
    /// is one window, and no other window has games of it. The last window ends with the last game.
    fn windows(&self, results: &Results) -> Vec<PeriodPool> {
        let by_period = games_by_year(results, |year| self.start(year));
        let masters = self.masters(&by_period);
        let by_year = games_by_year(results, |year| year);
        let has_long_period = self.long_period_from <= self.long_period_to;
        let [first, last] = [by_year.keys().next(), by_year.keys().next_back()];
        let Some((&first, &last)) = first.zip(last) else { return Vec::new() };
        // The last five years are the last window.
        let begin = first..=last.saturating_sub(PERIOD - 1).max(first);
        let mut years: Vec<RangeInclusive<i16>> = by_year
            .range(begin)
            .map(|(year, _)| *year..=year.saturating_add(PERIOD - 1))
            .filter(|years| {
                !has_long_period
                    || *years.end() < self.long_period_from
                    || *years.start() > self.long_period_to
            })
            .collect();
        if has_long_period {
            years.push(self.long_period_from..=self.long_period_to);
        }
        let rated = years.into_par_iter().map(|years| {
            let games: Vec<PeriodGame> =
                by_year.range(years.clone()).flat_map(|(_, games)| games).copied().collect();
            let first = *years.start();
            let middle = (f64::from(first) + f64::from(*years.end()) + 1.0) / 2.0;
            let rules = self.pool_rules(first);
            PeriodPool::new((first, middle), &games, masters.as_ref(), &rules)
        });
        rated.filter(|pool| !pool.ratings.is_empty()).collect()
    }

    /// Whether a year is in the long period.
    pub(super) fn is_long_period(&self, year: i16) -> bool {
        (self.long_period_from..=self.long_period_to).contains(&year)
    }
}

/// Number of the best players of the anchored period whose mean is fixed. Judged: with half as
/// many, one rating that is 50 points off would move the scale by ten.
pub(super) const ANCHORED: usize = 10;

/// The games by the year that `start` returns for theirs.
fn games_by_year(results: &Results, start: impl Fn(i16) -> i16) -> BTreeMap<i16, Vec<PeriodGame>> {
    let mut by_year: BTreeMap<i16, Vec<PeriodGame>> = BTreeMap::new();
    for game in &results.games {
        let games = by_year.entry(start(game.day.year())).or_default();
        games.push((game.white, game.black, game.score));
    }
    by_year
}

/// Rates all periods and links them.
fn historical(results: &Results, parameters: &EloHistorical) -> SystemRatings {
    let by_period = games_by_year(results, |year| parameters.start(year));
    let masters = parameters.masters(&by_period);
    let rated = by_period.iter().map(|(first, games)| {
        let rules = parameters.pool_rules(*first);
        PeriodPool::new((*first, parameters.middle(*first)), games, masters.as_ref(), &rules)
    });
    let (periods, empty): (Vec<PeriodPool>, Vec<PeriodPool>) =
        rated.partition(|pool| !pool.ratings.is_empty());
    let apart = periods.iter().chain(&empty).map(|pool| pool.unconnected).sum();
    let lists = linked(&periods, results, parameters);
    SystemRatings { notes: notes(apart, &lists), lists, ..SystemRatings::default() }
}

/// The lists of the periods on the anchored scale.
fn linked(
    periods: &[PeriodPool],
    results: &Results,
    parameters: &EloHistorical,
) -> Vec<ComputedList> {
    let wanted = parameters.start(parameters.anchor_year);
    let of_anchor = periods.iter().position(|pool| pool.first == wanted);
    let Some(anchor) = of_anchor.or_else(|| periods.len().checked_sub(1)) else {
        return Vec::new();
    };
    let rules = LinkRules {
        born: &|player| results.players[player as usize].born,
        rise: parameters.rise,
        stable: parameters.stable_from..=parameters.stable_to,
    };
    let scale = parameters.anchor - periods[anchor].mean_of_best(ANCHORED);
    let mut lists = Vec::with_capacity(periods.len());
    for (pool, level) in periods.iter().zip(levels(periods, &rules, anchor)) {
        let ratings = pool.ratings.iter().map(|(&player, rating)| ListedRating {
            player,
            rating: rating.rating + level.shift + scale,
            games: rating.games,
            deviation: Some(SPREAD / rating.games.sqrt()),
            is_provisional: PeriodPool::is_provisional(rating),
        });
        let list = ComputedList::new(date(pool.first, 1, 1), ratings.collect());
        lists.push(ComputedList { level_error: level.error, ..list });
    }
    lists
}

/// The notes for the terminal; `apart` is the number of ratings that are missing.
fn notes(apart: usize, lists: &[ComputedList]) -> Vec<String> {
    let mut notes = Vec::new();
    if apart > 0 {
        notes.push(format!(
            "{} missing: players with enough games are not connected with the others",
            counted(apart, "half-decade rating")
        ));
    }
    if lists.is_empty() {
        notes.push("no half decade has two connected players with enough games".into());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::successive::{approximate, self_consistent};
    use super::*;
    use crate::systems::simultaneous::Encounters;

    /// The book's cross table for 1846 to 1862: points of the row's player against the column's.
    const NAMES: [&str; 9] = [
        "Anderssen",
        "Harrwitz",
        "Horwitz",
        "Kolisch",
        "Lowenthal",
        "Morphy",
        "Paulsen",
        "Staunton",
        "Williams",
    ];
    const POINTS: [[f64; 9]; 9] = [
        [0.0, 10.5, 1.5, 10.5, 5.0, 4.0, 5.0, 4.0, 0.0],
        [7.5, 0.0, 14.5, 1.5, 16.0, 3.5, 0.0, 0.0, 21.0],
        [0.5, 11.5, 0.0, 1.0, 1.0, 0.0, 0.0, 11.0, 7.5],
        [9.5, 2.5, 3.0, 0.0, 0.0, 0.0, 17.0, 0.0, 0.0],
        [3.0, 11.0, 5.0, 0.0, 0.0, 4.5, 0.0, 2.0, 11.0],
        [13.0, 5.5, 0.0, 0.0, 10.5, 0.0, 9.5, 0.0, 0.0],
        [4.0, 0.0, 0.0, 19.0, 0.0, 2.5, 0.0, 0.0, 0.0],
        [1.0, 7.0, 20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 11.0],
        [0.0, 6.0, 9.5, 0.0, 8.0, 0.0, 0.0, 10.0, 0.0],
    ];

    /// One game for each pair, weighted by its number of games.
    fn encounters() -> Encounters {
        let mut games = Vec::new();
        for (a, points) in POINTS.iter().enumerate() {
            for (b, mine) in points.iter().enumerate().take(a) {
                let all = mine + POINTS[b][a];
                if all > 0.0 {
                    games.push((a as u32, b as u32, mine / all, all));
                }
            }
        }
        Encounters::new(9, &games)
    }

    #[test]
    fn five_approximations_reproduce_the_figures_for_1846_to_1862() {
        let encounters = encounters();
        let mut ratings = vec![500.0; 9];
        for _ in 0..5 {
            ratings = approximate(&encounters, Expectancy::Normal, &ratings);
        }
        let rounded: Vec<(&str, f64)> =
            NAMES.into_iter().zip(ratings.iter().map(|rating| rating.round())).collect();
        let expected = [551.0, 513.0, 400.0, 520.0, 499.0, 693.0, 511.0, 501.0, 412.0];
        assert_eq!(rounded, NAMES.into_iter().zip(expected).collect::<Vec<_>>());
    }

    #[test]
    fn self_consistent_ratings_are_performances_against_each_other() {
        let encounters = encounters();
        let ratings = self_consistent(&encounters, Expectancy::Normal, 500.0, 1e-6);
        let next = approximate(&encounters, Expectancy::Normal, &ratings);
        let shift = next.iter().zip(&ratings).map(|(a, b)| a - b).sum::<f64>() / 9.0;
        for (next, rating) in next.iter().zip(&ratings) {
            assert!((next - rating - shift).abs() < 1e-3);
        }
    }

    #[test]
    fn two_players_who_only_meet_each_other_converge() {
        let encounters = Encounters::new(2, &[(0, 1, 0.75, 20.0)]);
        let ratings = self_consistent(&encounters, Expectancy::Normal, 0.0, 1e-6);
        let difference = Expectancy::Normal.difference(0.75);
        assert!((ratings[0] - ratings[1] - difference).abs() < 1e-3, "{ratings:?}");
    }
}
