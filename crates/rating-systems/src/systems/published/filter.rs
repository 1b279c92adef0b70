//! A forward filter: one strength and one variance for each player, from games and from published
//! ratings.
//!
//! A published rating is a noisy, late observation of a strength. Between observations, strengths
//! move by age as in [`Movement`], but with other parameters.

use std::f64::consts::PI;

use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::paired::movement::Movement;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FilterModel {
    /// How strengths change with time.
    pub movement: Movement,
    /// Standard deviation (points) of newcomers around their mean.
    pub newcomers: f64,
    /// Number of newcomers after which the running mean has forgotten most.
    pub memory: f64,
    /// Standard deviation (points) of a published rating from the strength.
    pub noise: f64,
    /// Time (years) by which a published rating is behind.
    pub lag: f64,
    /// Standard deviations beyond which a rating is not believed.
    pub outlier: f64,
    /// Difference (points) within which a second such rating is believed.
    pub alike: f64,
    /// Days after which an unchanged rating counts anew.
    pub again: i32,
    /// Weight of a game.
    pub weight: f64,
    /// White's advantage (points).
    pub white: f64,
    /// Factor by which predictions shrink a difference of strengths.
    pub shrinkage: f64,
}

/// Days in a year.
pub(crate) const YEAR: f64 = 365.25;

/// Assumed age (years) at the first game of players whose birth is unknown, as in paired
/// comparison.
const USUAL_AGE: f64 = 25.0;

/// Mean (points) of newcomers before there are any, and the bounds of what a newcomer adds to it.
/// From the specification of these forecasts; the first weeks replace the mean.
const FIRST_MEAN: f64 = 2250.0;
const NEWCOMERS: (f64, f64) = (1200.0, 2900.0);

/// Part of a newcomer's first variance below which the first week has shown enough. From the
/// specification of these forecasts: nearer to 1, the division by what was shown would amplify
/// chance more than tenfold.
const ENOUGH_SHOWN: f64 = 0.9;

/// Number of games of a player, and of such players in a week, that determine the level of
/// strengths when the first published ratings appear. Judged, not measured: if differences scatter
/// by 100 points, the median of twenty has a standard error of 28.
const LEVEL_GAMES: u32 = 10;
const LEVEL_PLAYERS: usize = 20;

/// Newton steps for a player's strength after a week. From the specification of these forecasts:
/// a week has few games, so the second step is already small.
const STEPS: usize = 2;

/// Marks a day that has not come yet.
const NEVER: i32 = i32::MIN;

/// Marks a player who is not in the current week.
const ABSENT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WeekGame {
    /// Number of White.
    pub white: u32,
    /// Number of Black.
    pub black: u32,
    /// White's score: 1, 0.5 or 0.
    pub score: f64,
}

/// What the filter knows of a player on the day to which the player was moved last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlayerState {
    /// Strength (points on the scale of the published ratings).
    pub strength: f64,
    /// Variance of the strength (points squared).
    pub variance: f64,
    /// Age (years).
    pub age: f64,
    /// Time (years) since the last game; 0 before the first one.
    pub idle: f64,
}

/// The state of all players, in flat arrays by number.
#[derive(Clone, Debug)]
pub(crate) struct StrengthFilter {
    model: FilterModel,
    strength: Vec<f64>,
    variance: Vec<f64>,
    /// The day for which strength and variance are valid; [`NEVER`] before the first event.
    day: Vec<i32>,
    /// Time of birth (years); not a number until the first event of a player without one.
    birth: Vec<f64>,
    last_game: Vec<i32>,
    games: Vec<u32>,
    /// The last believed rating; 0 if there is none. Then the day on which it was new.
    rating: Vec<f64>,
    rating_day: Vec<i32>,
    /// The last rating if it was not believed, otherwise 0.
    doubted: Vec<f64>,
    /// Mean strength (points) of newcomers with and without a published rating.
    rated_mean: f64,
    unrated_mean: f64,
    /// Newcomers without a rating whose first games are not known yet.
    fresh: Vec<u32>,
    has_level: bool,
    has_experienced: bool,
    refused: usize,
    week: Week,
}

/// Room for the computations of one week, kept to avoid allocations.
#[derive(Clone, Debug, Default)]
struct Week {
    /// Place of each player in `players`, or [`ABSENT`].
    place: Vec<u32>,
    players: Vec<u32>,
    games: Vec<(u32, u32, f64)>,
    start: Vec<f64>,
    strength: Vec<f64>,
    scale: Vec<f64>,
    slope: Vec<f64>,
    information: Vec<f64>,
}

impl StrengthFilter {
    /// The state before the first game. `births` are the players' years of birth.
    pub fn new(model: FilterModel, births: &[Option<i16>]) -> StrengthFilter {
        let players = births.len();
        let birth = births.iter().map(|born| born.map_or(f64::NAN, |born| f64::from(born) + 0.5));
        StrengthFilter {
            model,
            strength: vec![f64::NAN; players],
            variance: vec![model.newcomers * model.newcomers; players],
            day: vec![NEVER; players],
            birth: birth.collect(),
            last_game: vec![NEVER; players],
            games: vec![0; players],
            rating: vec![0.0; players],
            rating_day: vec![NEVER; players],
            doubted: vec![0.0; players],
            rated_mean: FIRST_MEAN,
            unrated_mean: FIRST_MEAN,
            fresh: Vec::new(),
            has_level: false,
            has_experienced: false,
            refused: 0,
            week: Week { place: vec![ABSENT; players], ..Week::default() },
        }
    }

    /// Number of ratings that were not believed.
    #[cfg(test)]
    pub fn refused(&self) -> usize {
        self.refused
    }

    /// Number of a player's games so far.
    pub fn games(&self, player: u32) -> u32 {
        self.games[player as usize]
    }

    /// The day of a player's last game. `None` before the first.
    pub fn last_game(&self, player: u32) -> Option<i32> {
        Some(self.last_game[player as usize]).filter(|day| *day != NEVER)
    }

    /// Whether a player has a rating that was new, and believed, at most `days` days before a day.
    pub fn is_rated(&self, player: u32, day: i32, days: i32) -> bool {
        let rated = self.rating_day[player as usize];
        rated != NEVER && day - rated <= days
    }

    /// What is known of a player who was moved to this day.
    pub fn state(&self, player: u32, day: i32) -> PlayerState {
        let place = player as usize;
        let last = self.last_game[place];
        PlayerState {
            strength: self.strength[place],
            variance: self.variance[place],
            age: self.age(place, day),
            idle: if last == NEVER { 0.0 } else { f64::from(day - last) / YEAR },
        }
    }

    /// Strength and variance (points) of a player projected to a day. `None` before the first
    /// event.
    pub fn projected(&self, player: u32, day: i32) -> Option<(f64, f64)> {
        let place = player as usize;
        (self.day[place] != NEVER).then_some(())?;
        let (years, age) =
            (f64::from(day - self.day[place]) / YEAR, self.age(place, self.day[place]));
        let movement = &self.model.movement;
        Some((
            self.strength[place] + movement.mean_of(age, years),
            self.variance[place] + movement.variance_of(age, years),
        ))
    }

    /// Logit of White's expected score, from the states of both players.
    pub fn logit(&self, white: u32, black: u32) -> f64 {
        let (white, black) = (white as usize, black as usize);
        let FilterModel { shrinkage, white: advantage, .. } = self.model;
        let ahead = shrinkage * (self.strength[white] - self.strength[black]) + advantage;
        NATURAL * ahead / spread(self.variance[white] + self.variance[black])
    }

    /// Moves players to a day. `ratings` are their published ratings (points), 0 for none; they
    /// only decide what is assumed of newcomers.
    pub fn advance(&mut self, players: &[(u32, f64)], day: i32) {
        let newcomers: Vec<(u32, f64)> = players
            .iter()
            .filter(|(player, _)| self.day[*player as usize] == NEVER)
            .copied()
            .collect();
        if !newcomers.is_empty() {
            self.enter(&newcomers, day);
        }
        for &(player, _) in players {
            let place = player as usize;
            let passed = day - self.day[place];
            if passed != 0 {
                let (age, years) = (self.age(place, self.day[place]), f64::from(passed) / YEAR);
                self.strength[place] += self.model.movement.mean_of(age, years);
                self.variance[place] += self.model.movement.variance_of(age, years);
                self.day[place] = day;
            }
        }
    }

    /// Gives newcomers the mean strength of newcomers.
    fn enter(&mut self, newcomers: &[(u32, f64)], day: i32) {
        let (mut sum, mut rated) = (0.0, 0);
        for (_, rating) in newcomers.iter().filter(|(_, rating)| *rating > 0.0) {
            (sum, rated) = (sum + rating, rated + 1);
        }
        if rated > 0 {
            self.rated_mean += self.part(rated) * (sum / rated as f64 - self.rated_mean);
        }
        for &(player, rating) in newcomers {
            let place = player as usize;
            self.day[place] = day;
            if self.birth[place].is_nan() {
                self.birth[place] = f64::from(day) / YEAR - USUAL_AGE;
            }
            self.strength[place] = if rating > 0.0 { self.rated_mean } else { self.unrated_mean };
            if rating == 0.0 {
                self.fresh.push(player);
            }
        }
    }

    /// By what part a number of newcomers changes their running mean.
    fn part(&self, newcomers: usize) -> f64 {
        1.0 - (-(newcomers as f64) / self.model.memory).exp()
    }

    fn age(&self, place: usize, day: i32) -> f64 {
        f64::from(day) / YEAR - self.birth[place]
    }

    /// Takes in the published ratings (points) of players who were moved to this day; 0 is none.
    /// A rating counts if it is new. See [`FilterModel::again`].
    pub fn rate(&mut self, players: &[(u32, f64)], day: i32) {
        let mut new: Vec<(u32, f64)> = Vec::new();
        for &(player, rating) in players {
            let place = player as usize;
            if rating > 0.0
                && (rating != self.rating[place] || day - self.rating_day[place] > self.model.again)
            {
                new.push((player, rating));
            }
        }
        if new.is_empty() || !self.find_level(&new, day) {
            return;
        }
        for (player, rating) in new {
            self.rate_one(player as usize, rating, day);
        }
    }

    /// The strength of which a rating is an observation: a rating is behind a rising strength.
    fn observed(&self, place: usize, rating: f64, day: i32) -> f64 {
        rating + self.model.lag * self.model.movement.yearly_at(self.age(place, day))
    }

    /// Shifts all strengths once to the level of the first published ratings. `false` if there are
    /// too few ratings to determine it.
    fn find_level(&mut self, new: &[(u32, f64)], day: i32) -> bool {
        if self.has_level {
            return true;
        }
        let experienced =
            new.iter().filter(|(player, _)| self.games[*player as usize] >= LEVEL_GAMES);
        let mut apart: Vec<f64> = experienced
            .map(|&(player, rating)| {
                let place = player as usize;
                self.observed(place, rating, day) - self.strength[place]
            })
            .collect();
        if apart.len() >= LEVEL_PLAYERS {
            let shift = median(&mut apart);
            self.strength.iter_mut().for_each(|strength| *strength += shift);
            self.unrated_mean += shift;
        } else if self.has_experienced {
            return false;
        }
        self.has_level = true;
        true
    }

    fn rate_one(&mut self, place: usize, rating: f64, day: i32) {
        let FilterModel { noise, outlier, alike, newcomers, .. } = self.model;
        let noise = noise * noise;
        let observed = self.observed(place, rating, day);
        let error = observed - self.strength[place];
        let is_first = self.rating[place] == 0.0 && self.games[place] == 0;
        let is_plausible = error * error < outlier * outlier * (self.variance[place] + noise);
        if !is_first && !is_plausible {
            self.refused += 1;
            let doubted = self.doubted[place];
            if doubted == 0.0 || (rating - doubted).abs() > alike {
                self.doubted[place] = rating;
                return;
            }
            // A second rating of this kind cannot be a mistake: forget everything before.
            (self.strength[place], self.variance[place]) = (observed, newcomers * newcomers);
        }
        let gain = self.variance[place] / (self.variance[place] + noise);
        self.strength[place] += gain * (observed - self.strength[place]);
        self.variance[place] *= 1.0 - gain;
        (self.rating[place], self.rating_day[place]) = (rating, day);
        self.doubted[place] = 0.0;
    }

    /// Takes in all games that ended by a day, opponents with their strengths before.
    pub fn play(&mut self, games: &[WeekGame], day: i32) {
        let mut week = std::mem::take(&mut self.week);
        week.enter(games);
        let players: Vec<(u32, f64)> = week.players.iter().map(|player| (*player, 0.0)).collect();
        self.advance(&players, day);
        week.start.clear();
        week.start.extend(week.players.iter().map(|player| self.strength[*player as usize]));
        week.scale.clear();
        let variances = week.players.iter().map(|player| self.variance[*player as usize]);
        week.scale.extend(variances.map(|variance| NATURAL / spread(variance)));
        week.strength.clone_from(&week.start);
        for _ in 0..STEPS {
            week.step(&self.model, &self.variance);
        }
        for (place, &player) in week.players.iter().enumerate() {
            let player = player as usize;
            self.strength[player] = week.strength[place];
            self.variance[player] = 1.0 / (1.0 / self.variance[player] + week.information[place]);
            self.last_game[player] = day;
        }
        for &(white, black, _) in &week.games {
            for place in [white, black] {
                let player = week.players[place as usize] as usize;
                self.games[player] += 1;
                self.has_experienced |= self.games[player] >= LEVEL_GAMES;
            }
        }
        week.leave();
        self.week = week;
        self.learn_from_newcomers();
    }

    /// Lets newcomers without a rating change the mean of their kind after their first week.
    fn learn_from_newcomers(&mut self) {
        let (played, fresh): (Vec<u32>, Vec<u32>) =
            self.fresh.iter().partition(|player| self.games[**player as usize] > 0);
        self.fresh = fresh;
        let first = self.model.newcomers * self.model.newcomers;
        let (mut sum, mut count) = (0.0, 0);
        for player in played {
            let place = player as usize;
            if self.variance[place] >= ENOUGH_SHOWN * first {
                continue;
            }
            // What the games alone showed, so that the mean is not drawn towards itself.
            let shown = 1.0 - self.variance[place] / first;
            let alone = self.unrated_mean + (self.strength[place] - self.unrated_mean) / shown;
            (sum, count) = (sum + alone.clamp(NEWCOMERS.0, NEWCOMERS.1), count + 1);
        }
        if count > 0 {
            self.unrated_mean += self.part(count) * (sum / count as f64 - self.unrated_mean);
        }
    }
}

impl Week {
    /// Numbers the players of the games. Games are sorted, so that their order has no effect.
    fn enter(&mut self, games: &[WeekGame]) {
        self.players.clear();
        for player in games.iter().flat_map(|game| [game.white, game.black]) {
            if std::mem::replace(&mut self.place[player as usize], 0) == ABSENT {
                self.players.push(player);
            }
        }
        self.players.sort_unstable();
        for (place, player) in (0..).zip(&self.players) {
            self.place[*player as usize] = place;
        }
        self.games.clear();
        for game in games {
            let (white, black) = (self.place[game.white as usize], self.place[game.black as usize]);
            self.games.push((white, black, game.score));
        }
        self.games.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    }

    fn leave(&mut self) {
        for player in &self.players {
            self.place[*player as usize] = ABSENT;
        }
    }

    /// One Newton step for every player. `variance` holds all players' variances before the week.
    fn step(&mut self, model: &FilterModel, variance: &[f64]) {
        let count = self.players.len();
        self.slope.clear();
        self.slope.resize(count, 0.0);
        self.information.clear();
        self.information.resize(count, 0.0);
        for &(white, black, score) in &self.games {
            let sides =
                [(white, black, model.white, score), (black, white, -model.white, 1.0 - score)];
            for (own, opponent, advantage, score) in sides {
                let (own, opponent) = (own as usize, opponent as usize);
                let scale = self.scale[opponent];
                let ahead = self.strength[own] - self.start[opponent] + advantage;
                let expected = logistic(scale * ahead);
                self.slope[own] += model.weight * scale * (score - expected);
                self.information[own] += model.weight * scale * scale * expected * (1.0 - expected);
            }
        }
        for (place, player) in self.players.iter().enumerate() {
            let prior = 1.0 / variance[*player as usize];
            let away = self.strength[place] - self.start[place];
            self.strength[place] +=
                (self.slope[place] - away * prior) / (self.information[place] + prior);
        }
    }
}

/// By what factor an uncertainty of this variance (points squared) flattens a logistic curve.
fn spread(variance: f64) -> f64 {
    (1.0 + PI / 8.0 * NATURAL * NATURAL * variance).sqrt()
}

/// The median of at least one value.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::published::PairedAndPublished;

    /// Players of the specification's example: births 1960, unknown, 1985, 1950.
    const A: u32 = 0;
    const B: u32 = 1;
    const C: u32 = 2;
    const D: u32 = 3;
    const START: i32 = 730_000;

    fn filter() -> StrengthFilter {
        let births = [Some(1960), None, Some(1985), Some(1950)];
        StrengthFilter::new(PairedAndPublished::default().filter(), &births)
    }

    fn game(white: u32, black: u32, score: f64) -> WeekGame {
        WeekGame { white, black, score }
    }

    fn unrated(players: &[u32]) -> Vec<(u32, f64)> {
        players.iter().map(|player| (*player, 0.0)).collect()
    }

    /// Strengths and deviations to 0.001 points.
    fn assert_strengths(filter: &StrengthFilter, wanted: &[(u32, f64, f64)]) {
        for &(player, strength, deviation) in wanted {
            let (found, variance) =
                (filter.strength[player as usize], filter.variance[player as usize]);
            assert!((found - strength).abs() < 6e-4, "{player}: {found}, not {strength}");
            let found = variance.sqrt();
            assert!((found - deviation).abs() < 6e-4, "{player}: +- {found}, not {deviation}");
        }
    }

    /// Logits of A against B, B against C, and C against D, to 0.00001.
    fn assert_logits(filter: &StrengthFilter, wanted: [f64; 3]) {
        for ((white, black), wanted) in [(A, B), (B, C), (C, D)].into_iter().zip(wanted) {
            let found = filter.logit(white, black);
            assert!((found - wanted).abs() < 6e-6, "{white}{black}: {found}, not {wanted}");
        }
    }

    #[test]
    fn movement_of_the_young_and_the_old_is_that_of_the_specification() {
        let movement = PairedAndPublished::default().filter().movement;
        assert!((movement.mean_of(16.0, 1.0) - 57.886).abs() < 6e-4);
        assert!((movement.variance_of(16.0, 1.0) - 3130.17).abs() < 6e-3);
        assert!((movement.mean_of(50.0, 1.0) + 2.7).abs() < 6e-4);
        assert!((movement.variance_of(50.0, 1.0) - 702.71).abs() < 6e-3);
        assert!((movement.yearly_at(16.0) - 62.119).abs() < 6e-4);
    }

    #[test]
    fn four_players_have_the_strengths_of_the_specification() {
        let mut filter = filter();
        let ratings = [(A, 2500.0), (B, 2400.0), (C, 2300.0), (D, 0.0)];
        // The first week also moves the newcomers' mean; the example was computed with it.
        filter.advance(&ratings, START);
        filter.rate(&ratings, START);
        assert_strengths(
            &filter,
            &[
                (A, 2474.747, 56.579),
                (B, 2398.755, 56.579),
                (C, 2377.782, 56.579),
                (D, 2250.0, 170.0),
            ],
        );
        assert_logits(&filter, [0.60524, 0.31920, 0.76442]);
        let games = [game(A, B, 1.0), game(B, C, 0.5), game(C, A, 1.0), game(D, B, 0.5)];
        filter.play(&games, START + 6);
        assert_strengths(
            &filter,
            &[
                (A, 2470.724, 55.367),
                (B, 2389.818, 54.958),
                (C, 2390.945, 55.843),
                (D, 2270.370, 154.226),
            ],
        );
        filter.advance(&unrated(&[A, B, C, D]), START + 182);
        assert_strengths(
            &filter,
            &[
                (A, 2471.946, 58.459),
                (B, 2397.795, 59.671),
                (C, 2434.422, 72.755),
                (D, 2269.450, 155.322),
            ],
        );
        filter.rate(&[(A, 2490.0), (C, 2350.0), (D, 2250.0)], START + 182);
        filter.rate(&[(A, 2490.0), (B, 1200.0)], START + 182);
        assert_eq!(filter.refused(), 1);
        assert_strengths(
            &filter,
            &[
                (A, 2481.932, 41.871),
                (B, 2397.795, 59.671),
                (C, 2436.050, 46.289),
                (D, 2250.784, 55.969),
            ],
        );
        assert_logits(&filter, [0.65185, 0.01133, 1.18136]);
        filter.play(&[game(A, D, 0.5), game(C, B, 1.0)], START + 189);
        assert_strengths(
            &filter,
            &[
                (A, 2478.810, 41.862),
                (B, 2390.354, 59.049),
                (C, 2442.568, 46.860),
                (D, 2256.432, 55.668),
            ],
        );
        filter.advance(&unrated(&[A, B, C, D]), START + 210);
        filter.rate(&[(B, 1250.0)], START + 210);
        assert_strengths(&filter, &[(B, 1265.819, 56.579), (C, 2447.545, 49.646)]);
    }

    /// Strengths and variances after a week with these games.
    fn after_week(games: &[WeekGame]) -> (Vec<f64>, Vec<f64>) {
        let mut filter = filter();
        filter.advance(&[(A, 2500.0), (B, 2400.0), (C, 2300.0), (D, 0.0)], START);
        filter.play(games, START + 6);
        (filter.strength, filter.variance)
    }

    #[test]
    fn the_order_of_games_within_a_week_has_no_effect() {
        let mut games = vec![
            game(A, B, 1.0),
            game(B, C, 0.5),
            game(C, A, 1.0),
            game(D, B, 0.5),
            game(A, B, 0.0),
        ];
        let first = after_week(&games);
        games.reverse();
        games.swap(1, 3);
        assert_eq!(after_week(&games), first);
    }

    #[test]
    fn the_first_ratings_set_the_level_of_strengths_from_games() {
        let births = vec![None; 40];
        let mut filter = StrengthFilter::new(PairedAndPublished::default().filter(), &births);
        for week in 0..12 {
            let round: Vec<WeekGame> =
                (0..20).map(|one| game(one, 20 + (one + week) % 20, 0.5)).collect();
            filter.play(&round, START + 7 * week as i32);
        }
        let day = START + 84;
        let few: Vec<(u32, f64)> = (0..10).map(|player| (player, 2550.0)).collect();
        filter.advance(&few, day);
        filter.rate(&few, day);
        assert!(filter.strength.iter().all(|strength| *strength < 2300.0));
        let enough: Vec<(u32, f64)> = (0..20).map(|player| (player, 2550.0)).collect();
        filter.advance(&enough, day);
        filter.rate(&enough, day);
        // Players without a rating are shifted too.
        assert!(filter.strength.iter().all(|strength| *strength > 2500.0));
    }
}
