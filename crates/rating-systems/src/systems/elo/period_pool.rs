//! The ratings of one period: a core of players is rated at once, the others against it.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.4. The
//! order of the circles and the evidence that an established rating needs are ours.

use rustc_hash::{FxHashMap, FxHashSet};

use super::formulas::Expectancy;
use super::successive::{self_consistent, self_consistent_against};
use crate::systems::mean::mean;
use crate::systems::simultaneous::Encounters;

/// White, Black, and White's score.
pub(super) type PeriodGame = (u32, u32, f64);

/// The evidence that a rating needs, in addition to the number of games.
#[derive(Clone, Copy, Debug)]
struct PoolEvidence {
    /// Games with the same opponent that count.
    with_one: u32,
    /// Minimum number of opponents.
    opponents: u32,
}

impl PoolEvidence {
    /// The evidence for an established rating. A series against one opponent compares two players,
    /// but does not compare them with others.
    const SEVERAL_OPPONENTS: PoolEvidence = PoolEvidence { with_one: 4, opponents: 3 };

    /// The evidence for a provisional rating.
    const ANY_OPPONENT: PoolEvidence = PoolEvidence { with_one: u32::MAX, opponents: 1 };
}

/// The circles of a pool, from the inside out. Players of an outer circle do not change the ratings
/// of an inner one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PoolCircle {
    /// Masters with long careers, by their games with each other.
    Masters,
    /// Players with enough games, of which few count with the same opponent.
    Established,
    /// Players with enough games, but against too few opponents. Their ratings are provisional.
    Others,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PeriodRating {
    /// Rating (points). The mean of the pool's core is 0.
    pub rating: f64,
    /// Number of games that the rating rests on.
    pub games: f64,
    /// The circle in which the player was rated.
    pub circle: PoolCircle,
    /// Whether the player won or lost all games. Such a score has no finite difference.
    pub is_capped: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PoolRules {
    /// The curve of expected scores.
    pub expectancy: Expectancy,
    /// Largest difference (points) between a rating and the performance against the opponents'
    /// ratings.
    pub tolerance: f64,
    /// Minimum number of a player's games with others of the core.
    pub core_games: u32,
    /// Minimum number of a player's games in other circles.
    pub minimum_games: u32,
}

/// The fewest players of a core, unless the outermost circle is the core. Judged: ratings of three
/// players rest on three series of games, of which one mistake changes all ratings.
const CORE_PLAYERS: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct PeriodPool {
    /// First year.
    pub first: i16,
    /// The middle of the period, as a year with its fraction.
    pub middle: f64,
    /// The ratings by player. Empty if no two players with enough games are connected.
    pub ratings: FxHashMap<u32, PeriodRating>,
    /// The circle that was rated at once: the innermost one with two connected players.
    pub core: PoolCircle,
    /// Number of players with enough games who are not connected with the core.
    pub unconnected: usize,
}

impl PeriodPool {
    /// Rates the games of a period; `masters` are rated first if they are given.
    pub fn new(
        (first, middle): (i16, f64),
        games: &[PeriodGame],
        masters: Option<&FxHashSet<u32>>,
        rules: &PoolRules,
    ) -> PeriodPool {
        let circles = masters.map(|masters| (PoolCircle::Masters, Some(masters))).into_iter();
        let circles = circles.chain([(PoolCircle::Established, None), (PoolCircle::Others, None)]);
        let (ratings, core) = (FxHashMap::default(), PoolCircle::Others);
        let mut pool = PeriodPool { first, middle, ratings, core, unconnected: 0 };
        for (circle, of) in circles {
            let evidence = match circle {
                PoolCircle::Masters | PoolCircle::Established => PoolEvidence::SEVERAL_OPPONENTS,
                PoolCircle::Others => PoolEvidence::ANY_OPPONENT,
            };
            if pool.ratings.is_empty() {
                // A period without a core of several opponents is rated as a whole.
                let (minimum, fewest) = match circle {
                    PoolCircle::Others => (rules.minimum_games, 2),
                    _ => (rules.core_games, CORE_PLAYERS),
                };
                let players = with_enough_games(games, of, evidence, minimum);
                pool.core = circle;
                pool.rate_core(games, &players, fewest, rules);
            }
            let players = with_enough_games(games, of, evidence, rules.minimum_games);
            // Masters with fewer games than the core needs are rated among the established players.
            if !pool.ratings.is_empty() && circle != PoolCircle::Masters {
                pool.rate_circle(circle, games, &players, rules);
            }
            pool.unconnected =
                players.iter().filter(|player| !pool.ratings.contains_key(*player)).count();
        }
        pool
    }

    /// Whether a rating is provisional: it rests on too few opponents, or only on wins or only on
    /// losses.
    pub fn is_provisional(rating: &PeriodRating) -> bool {
        rating.is_capped || rating.circle == PoolCircle::Others
    }

    /// Whether a rating may link this period with others. Provisional ratings may if there are no
    /// others.
    pub fn is_link(&self, rating: &PeriodRating) -> bool {
        !rating.is_capped && (rating.circle < PoolCircle::Others || rating.circle == self.core)
    }

    /// The mean rating (points) of the core's best players, at most `count`.
    pub fn mean_of_best(&self, count: usize) -> f64 {
        let core = self.ratings.values().filter(|rating| rating.circle == self.core);
        let mut best: Vec<f64> = core.map(|rating| rating.rating).collect();
        best.sort_by(|a, b| b.total_cmp(a));
        best.truncate(count);
        mean(&best)
    }

    /// Rates the largest connected set of these players at once, around a mean of 0, if it has at
    /// least `fewest` players.
    fn rate_core(
        &mut self,
        games: &[PeriodGame],
        players: &[u32],
        fewest: usize,
        rules: &PoolRules,
    ) {
        let numbered = between(games, players, |_, _| true);
        let components = Encounters::new(players.len(), &numbered).components();
        let Some(connected) = components.first().filter(|connected| connected.len() >= fewest)
        else {
            return;
        };
        let mut members: Vec<u32> =
            connected.iter().map(|place| players[*place as usize]).collect();
        members.sort_unstable();
        let inside = between(games, &members, |_, _| true);
        let encounters = Encounters::new(members.len(), &inside);
        let ratings = self_consistent(&encounters, rules.expectancy, 0.0, rules.tolerance);
        self.add(self.core, &members, &ratings, &inside);
    }

    /// Rates those of these players who have no rating yet. The known ratings stay the same.
    /// Players who are not connected with rated ones get none.
    fn rate_circle(
        &mut self,
        circle: PoolCircle,
        games: &[PeriodGame],
        players: &[u32],
        rules: &PoolRules,
    ) {
        let mut all: Vec<u32> = players.to_vec();
        all.extend(self.ratings.keys());
        all.sort_unstable();
        all.dedup();
        let numbered = between(games, &all, |white, black| self.has_unrated(white, black));
        let components = Encounters::new(all.len(), &numbered).components().into_iter();
        let connected = components
            .filter(|set| set.iter().any(|place| self.ratings.contains_key(&all[*place as usize])))
            .flatten();
        let mut members: Vec<u32> = connected.map(|place| all[place as usize]).collect();
        members.sort_unstable();
        let inside = between(games, &members, |white, black| self.has_unrated(white, black));
        let encounters = Encounters::new(members.len(), &inside);
        let known: Vec<Option<f64>> = members
            .iter()
            .map(|player| self.ratings.get(player).map(|rating| rating.rating))
            .collect();
        let ratings =
            self_consistent_against(&known, &encounters, rules.expectancy, rules.tolerance);
        self.add(circle, &members, &ratings, &inside);
    }

    /// Whether one of two players has no rating yet.
    fn has_unrated(&self, white: u32, black: u32) -> bool {
        !self.ratings.contains_key(&white) || !self.ratings.contains_key(&black)
    }

    /// Adds the members who were not rated before. The games are numbered by the places of their
    /// players among the members.
    fn add(
        &mut self,
        circle: PoolCircle,
        members: &[u32],
        ratings: &[f64],
        inside: &[(u32, u32, f64, f64)],
    ) {
        let mut sums = vec![(0.0, 0.0); members.len()];
        for (white, black, score, _) in inside {
            for (place, score) in [(*white, *score), (*black, 1.0 - *score)] {
                let sum: &mut (f64, f64) = &mut sums[place as usize];
                *sum = (sum.0 + 1.0, sum.1 + score);
            }
        }
        for ((player, &rating), (games, points)) in members.iter().zip(ratings).zip(sums) {
            let is_capped = points == 0.0 || points == games;
            let rating = PeriodRating { rating, games, circle, is_capped };
            self.ratings.entry(*player).or_insert(rating);
        }
    }
}

/// The games between these players that are wanted, numbered by the places of the players, which
/// are in order.
fn between(
    games: &[PeriodGame],
    players: &[u32],
    is_wanted: impl Fn(u32, u32) -> bool,
) -> Vec<(u32, u32, f64, f64)> {
    let mut numbered = Vec::new();
    for &(white, black, score) in games {
        if !is_wanted(white, black) {
            continue;
        }
        let Ok(white) = players.binary_search(&white) else { continue };
        let Ok(black) = players.binary_search(&black) else { continue };
        numbered.push((white as u32, black as u32, score, 1.0));
    }
    numbered
}

/// The players, in order, who have this evidence and at least `minimum` games that count, all from
/// games with each other.
///
/// Players with too few games are removed with their games, which can leave others with too few.
fn with_enough_games(
    games: &[PeriodGame],
    of: Option<&FxHashSet<u32>>,
    evidence: PoolEvidence,
    minimum: u32,
) -> Vec<u32> {
    let mut pairs: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (white, black, _) in games {
        if of.is_none_or(|of| of.contains(white) && of.contains(black)) {
            *pairs.entry((*white.min(black), *white.max(black))).or_default() += 1;
        }
    }
    loop {
        // Games that count, and opponents, by player.
        let mut counts: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        for ((one, other), met) in &pairs {
            for player in [one, other] {
                let (games, opponents) = counts.entry(*player).or_default();
                *games = games.saturating_add((*met).min(evidence.with_one));
                *opponents += 1;
            }
        }
        let before = pairs.len();
        pairs.retain(|(one, other), _| {
            [one, other].into_iter().all(|player| {
                let (games, opponents) = counts[player];
                games >= minimum && opponents >= evidence.opponents
            })
        });
        if pairs.len() == before {
            let mut players: Vec<u32> = counts.into_keys().collect();
            players.sort_unstable();
            return players;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: PoolRules = PoolRules {
        expectancy: Expectancy::Normal,
        tolerance: 1e-6,
        core_games: 12,
        minimum_games: 12,
    };

    /// Four games of each pair of the players 0 to 3, who score the same, and thirty offhand games
    /// of player 9 against player 0, of which player 9 wins 26.
    fn games() -> Vec<PeriodGame> {
        let pairs = (0..4).flat_map(|one| (0..one).map(move |other| (one, other)));
        let mut games: Vec<PeriodGame> =
            pairs.flat_map(|(one, other)| [(one, other, 0.5); 4]).collect();
        games.extend((0..30).map(|game| (9, 0, if game < 26 { 1.0 } else { 0.0 })));
        games
    }

    fn pool(games: &[PeriodGame], masters: Option<&FxHashSet<u32>>) -> PeriodPool {
        PeriodPool::new((1846, 1854.5), games, masters, &RULES)
    }

    #[test]
    fn games_against_one_opponent_give_a_provisional_rating_and_move_no_other() {
        let pool = pool(&games(), None);
        assert_eq!(pool.core, PoolCircle::Established);
        for player in 0..4 {
            let rating = &pool.ratings[&player];
            assert!(rating.rating.abs() < 1e-6, "{rating:?}");
            assert!(!PeriodPool::is_provisional(rating) && pool.is_link(rating));
        }
        let offhand = &pool.ratings[&9];
        let expected = Expectancy::Normal.difference(26.0 / 30.0);
        assert!((offhand.rating - expected).abs() < 1e-6, "{offhand:?}");
        assert!(PeriodPool::is_provisional(offhand) && !pool.is_link(offhand));
        assert!(pool.mean_of_best(10).abs() < 1e-6, "the core only");
    }

    #[test]
    fn masters_are_rated_by_games_with_each_other_and_others_against_them() {
        // Players 4 to 6 lose to all four masters, but draw with each other.
        let mut games = games();
        for one in 4..7 {
            games.extend((0..4).flat_map(|master| [(one, master, 0.25); 4]));
            games.extend((4..one).flat_map(|other| [(one, other, 0.5); 4]));
        }
        let masters = FxHashSet::from_iter(0..4);
        let found = pool(&games, Some(&masters));
        assert_eq!(found.core, PoolCircle::Masters);
        assert!((0..4).all(|master| found.ratings[&master].rating.abs() < 1e-6));
        // 4 of 16 points against masters rated 0, and 4 of 8 against equals: 8 of 24 against a mean
        // of 8/24 of the own rating.
        let expected = Expectancy::Normal.difference(8.0 / 24.0) * 24.0 / 16.0;
        for other in 4..7 {
            let rating = &found.ratings[&other];
            assert!((rating.rating - expected).abs() < 1e-5, "{rating:?} {expected}");
            assert_eq!(rating.circle, PoolCircle::Established);
        }
        // Without masters in the period, all established players are the core.
        assert_eq!(pool(&games, Some(&FxHashSet::from_iter([77]))).core, PoolCircle::Established);
    }

    #[test]
    fn two_players_who_only_met_each_other_are_provisional_and_still_link() {
        let pool = pool(&[(0, 1, 0.75); 20], None);
        let difference = pool.ratings[&0].rating - pool.ratings[&1].rating;
        assert!((difference - Expectancy::Normal.difference(0.75)).abs() < 1e-3, "{difference}");
        assert!(pool.ratings.values().all(PeriodPool::is_provisional));
        assert!(pool.ratings.values().all(|rating| pool.is_link(rating)));
    }

    #[test]
    fn players_apart_from_the_core_are_counted_and_not_rated() {
        let mut games = games();
        games.extend([(20, 21, 0.5); 12]);
        let pool = pool(&games, None);
        assert_eq!(pool.unconnected, 2);
        assert!(!pool.ratings.contains_key(&20));
    }
}
