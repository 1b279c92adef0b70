//! What games of a decade are like: how many between equals are drawn, and what White's side is worth (8.91, 8.93).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::evaluation::draw_model::drawn_between_equals;
use crate::systems::bisection::bisect;

/// A game whose players both had a rating before its event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownGame {
    /// The calendar year.
    pub year: i16,
    /// How much (points) White was rated higher.
    pub difference: f64,
    /// White's score: 1, 0.5 or 0.
    pub score: f64,
    /// Whether it is known who had White.
    pub has_colours: bool,
    /// By which of the curves differences expect scores.
    pub curve: usize,
}

impl KnownGame {
    /// A total order, by all fields.
    pub fn order(one: &KnownGame, other: &KnownGame) -> Ordering {
        one.year
            .cmp(&other.year)
            .then(one.difference.total_cmp(&other.difference))
            .then(one.score.total_cmp(&other.score))
            .then(one.has_colours.cmp(&other.has_colours))
            .then(one.curve.cmp(&other.curve))
    }
}

/// What games of one decade were like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Customs {
    /// Games whose players both had a rating.
    pub games: usize,
    /// The part of the games between equals that are drawn, in `[0, 1]`.
    pub draws: f64,
    /// Whether there are too few games: then that is the plain part of draws, turned into it by the usual ratio.
    pub is_plain: bool,
    /// White's advantage (points); of too few games that of all decades.
    pub white: f64,
    /// Its standard error (points); `None` where nothing tells one.
    pub white_error: Option<f64>,
}

/// Games below which a decade's own ratio of draws is not taken.
const ENOUGH_GAMES: usize = 300;

/// The part of draws of all games by that between equals, as it usually is.
const USUAL_RATIO: f64 = 0.83;

/// Farthest (points) that White's advantage is sought.
const REACH: f64 = 400.0;

/// Halvings of that range: to less than a millionth of a point.
const HALVINGS: usize = 40;

/// Half of the step (points) over which a slope is taken.
const STEP: f64 = 0.5;

/// The customs of all decades, by their first year.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decades {
    of: BTreeMap<i16, Customs>,
}

/// The first year of a decade.
fn decade(year: i16) -> i16 {
    year - year.rem_euclid(10)
}

impl Decades {
    /// From games, in any order, and what a difference (points) expects by each of the curves; `plain` has, by year, how many games
    /// there were at all and how many of them were drawn.
    pub fn of(
        games: &[KnownGame],
        plain: &BTreeMap<i16, (usize, usize)>,
        expected: &(dyn Fn(usize, f64) -> f64 + Sync),
    ) -> Decades {
        let mut by_decade: BTreeMap<i16, Vec<&KnownGame>> = BTreeMap::new();
        for game in games {
            by_decade.entry(decade(game.year)).or_default().push(game);
        }
        let mut all: BTreeMap<i16, (usize, usize)> = BTreeMap::new();
        for (year, (games, draws)) in plain {
            let sum = all.entry(decade(*year)).or_default();
            *sum = (sum.0 + games, sum.1 + draws);
        }
        let everything: Vec<&KnownGame> = games.iter().collect();
        let draws = draws_of(&everything, expected).unwrap_or(0.0);
        let of_all = white_advantage(&everything, draws, expected);
        let of = all.into_iter().map(|(first, (count, drawn))| {
            let games = by_decade.get(&first).map_or(&[][..], Vec::as_slice);
            let own = draws_of(games, expected).filter(|_| games.len() >= ENOUGH_GAMES);
            let plain = (drawn as f64 / count.max(1) as f64 / USUAL_RATIO).min(1.0);
            let draws = own.unwrap_or(plain);
            let (white, white_error) = match own {
                Some(draws) => white_advantage(games, draws, expected),
                None => of_all,
            };
            let customs =
                Customs { games: games.len(), draws, is_plain: own.is_none(), white, white_error };
            (first, customs)
        });
        Decades { of: of.collect() }
    }

    /// What games of a year were like; nothing known is a game without draws, and no advantage.
    pub fn year(&self, year: i16) -> (f64, f64) {
        self.of.get(&decade(year)).map_or((0.0, 0.0), |customs| (customs.draws, customs.white))
    }

    /// The first years of the decades, with their customs.
    pub fn iter(&self) -> impl Iterator<Item = (i16, &Customs)> {
        self.of.iter().map(|(first, customs)| (*first, customs))
    }
}

/// The proportion of games between equals that are drawn; `None` where nothing shows it.
fn draws_of(games: &[&KnownGame], expected: &(dyn Fn(usize, f64) -> f64 + Sync)) -> Option<f64> {
    let of = |game: &&KnownGame| (expected(game.curve, game.difference), game.score);
    drawn_between_equals(games.iter().map(of))
}

/// White's advantage (points) with its standard error: where the sum of what he scored more than expected is nought. No advantage
/// where nothing tells it.
fn white_advantage(
    games: &[&KnownGame],
    draws: f64,
    expected: &(dyn Fn(usize, f64) -> f64 + Sync),
) -> (f64, Option<f64>) {
    let games: Vec<&&KnownGame> = games.iter().filter(|game| game.has_colours).collect();
    let rest = |white: f64| -> f64 {
        let over =
            games.iter().map(|game| game.score - expected(game.curve, game.difference + white));
        over.sum()
    };
    if games.is_empty() || rest(-REACH) < 0.0 || rest(REACH) > 0.0 {
        return (0.0, None);
    }
    let white = bisect(-REACH, REACH, HALVINGS, |white| rest(white) > 0.0);
    let slope = (rest(white - STEP) - rest(white + STEP)) / (2.0 * STEP);
    let variances = games
        .iter()
        .map(|game| super::game_variance(expected(game.curve, game.difference + white), draws));
    let variance: f64 = variances.sum();
    (white, (slope > 0.0).then(|| variance.max(0.0).sqrt() / slope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::elo::formulas::Expectancy;

    fn normal(_: usize, difference: f64) -> f64 {
        Expectancy::Normal.expected(difference)
    }

    /// A thousand games of equals: so many won by White, so many drawn.
    fn equals(year: i16, won: usize, drawn: usize) -> Vec<KnownGame> {
        (0..1000)
            .map(|place| KnownGame {
                year,
                difference: 0.0,
                score: if place < won {
                    1.0
                } else if place < won + drawn {
                    0.5
                } else {
                    0.0
                },
                has_colours: true,
                curve: 0,
            })
            .collect()
    }

    #[test]
    fn white_is_worth_what_makes_his_expected_score_right() {
        let games = equals(1975, 370, 400);
        let decades = Decades::of(&games, &BTreeMap::from([(1975, (1000, 400))]), &normal);
        let (draws, white) = decades.year(1979);
        assert!((draws - 0.4).abs() < 1e-12);
        assert!((Expectancy::Normal.expected(white) - 0.57).abs() < 1e-6, "{white}");
        let error = decades.iter().next().unwrap().1.white_error.unwrap();
        // Sigma of a game is sqrt(.57 * .43 - .4 * 2 * .43 / 4), and the curve rises by about .0014 a point.
        assert!((error - 8.9).abs() < 0.2, "{error}");
    }

    #[test]
    fn of_few_games_the_plain_part_of_draws_is_taken() {
        let mut games = equals(1855, 90, 5)[..100].to_vec();
        games.extend(equals(1925, 370, 400));
        let plain = BTreeMap::from([(1851, (1000, 83)), (1925, (1000, 400))]);
        let decades = Decades::of(&games, &plain, &normal);
        assert!((decades.year(1859).0 - 0.1).abs() < 1e-12);
        let few = decades.iter().next().unwrap().1;
        assert!(few.is_plain);
        // A hundred games say that White was worth 400 points; all games know better.
        assert!((50.0..90.0).contains(&few.white), "{few:?}");
        assert_eq!(decades.year(1901), (0.0, 0.0), "nothing is known of that decade");
    }
}
