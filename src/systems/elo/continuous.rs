//! Elo's system run through history event by event: everybody's games of an event are rated together, by the
//! ratings before it.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition): the current rating
//! formula; K = 4C/N (8.25, 8.28) as federations have it; long events in parts (1.62); points given back after exceptional performances (3.75). The
//! anchor is ours, and that a performance is exceptional beyond 1.645 standard deviations without draws, the rating's own among them.

use super::fide_1978::fide_1978;
use super::formulas::{
    Expectancy, KFactors, current, k_of_event, performance, rating_error, remembered,
    round_robin_performance,
};
use super::rounds::Rounds;
use super::rules::Rules;
use crate::systems::about::{About, Role};
use crate::systems::event_by_event::{EventRule, Played, Standing, event_by_event};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::running::Running;
use crate::systems::system::{RatingSystem, Ratings, Registered};

parameters! {
    /// Elo's continuous system, and how it runs.
    Elo {
        /// Whose rules: elo, fide-1978 or uscf; those of fide-1978 have their own K, those of uscf also their own curve.
        rules: Rules = Rules::Elo;
        /// Expected scores: normal, logistic, table (of the book, of two decimals) or linear.
        expectancy: Expectancy = Expectancy::Normal;
        /// Games of the initial period, in which a rating is a performance and provisional.
        initial_games: u32 = 25, 1..=1000;
        /// K below 30 games.
        k_new: f64 = 32.0, 0.0..=200.0;
        /// K from 30 games on, below the high ratings.
        k: f64 = 20.0, 0.0..=200.0;
        /// K of high ratings.
        k_high: f64 = 10.0, 0.0..=200.0;
        /// Rating (points) from which the smallest K holds.
        high: f64 = 2400.0, 0.0..=4000.0;
        /// Games that ratings remember where K goes by the length of the event instead; 0 where it does not.
        remembered: u32 = 0, 0..=1000;
        /// Whether an event of more games than a rating remembers is rated in parts.
        in_parts: bool = true;
        /// Whether opponents of an exceptional performer get back what he took from them beyond expectation.
        feedback: bool = false;
        /// Mean rating (points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
    }
}

impl Registered for Elo {
    const ABOUT: About = About {
        word: "elo",
        name: "Elo",
        list_name: "Computed Elo",
        summary: "Arpad Elo's continuous system, event by event: lists of each half year",
        knows_later_games: false,
        role: Role::Whole,
        led_by: None,
        period_years: None,
    };
}

/// K of the rules of USCF.
const K_USCF: f64 = 32.0;

impl RatingSystem for Elo {
    fn expected(&self, difference: f64) -> f64 {
        self.curve().expected(difference)
    }

    fn explained(&self) -> String {
        match self.rules {
            Rules::Fide1978 => {
                "by the rules of FIDE of 1978: K 25 for 30 games, 15 until a list above 2400, then 10; lists of each half year, from 9 \
                 games and 2200; begun with a list of the continuous system."
                    .into()
            }
            Rules::Elo | Rules::Uscf => {
                let k = self.k_factors();
                let remembers = [k.new, k.settled, k.high].map(|k| remembered(k).round());
                let remembers = match self.remembered {
                    0 => format!(
                        " A rating remembers the last {}, {} or {} games (4C/K), by experience and level; an event of more is rated in parts.",
                        remembers[0], remembers[1], remembers[2]
                    ),
                    games => format!(" A rating remembers the last {games} games; K goes by the length of the event."),
                };
                format!(
                    "first a performance, from {} games on K × (score − expectation), event by event, by the {}.{remembers}",
                    self.initial_games,
                    self.curve().words()
                )
            }
        }
    }

    fn rate(&self, results: &Results) -> Ratings {
        match self.rules {
            Rules::Fide1978 => {
                let before = event_by_event(results, &Elo { rules: Rules::Elo, ..self.clone() });
                fide_1978(results, self.expectancy, &before.lists)
            }
            Rules::Elo | Rules::Uscf => event_by_event(results, self),
        }
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(Rounds::of(self.expectancy, self.k_factors(), start)))
    }

    fn heard_in_rounds(&self) -> &'static [&'static str] {
        &["expectancy", "k_new", "k", "k_high", "high"]
    }
}

impl Elo {
    fn k_factors(&self) -> KFactors {
        match self.rules {
            Rules::Uscf => {
                KFactors { new: K_USCF, settled: K_USCF, high: K_USCF, high_from: self.high }
            }
            Rules::Elo | Rules::Fide1978 => KFactors {
                new: self.k_new,
                settled: self.k,
                high: self.k_high,
                high_from: self.high,
            },
        }
    }

    /// The curve. R + 16 (W - L) + .04 sum (Ri - R), each within 350 (12), is K = 32 on the straight line.
    fn curve(&self) -> Expectancy {
        match self.rules {
            Rules::Uscf => Expectancy::Linear,
            Rules::Elo | Rules::Fide1978 => self.expectancy,
        }
    }

    /// K for this many games together.
    fn k_of(&self, standing: &Standing<InitialPeriod>, games: usize) -> f64 {
        match self.remembered {
            0 => self.k_factors().of(standing.rating, standing.games),
            remembered => k_of_event(f64::from(remembered), games as f64),
        }
    }

    fn is_initial(&self, standing: &Standing<InitialPeriod>) -> bool {
        standing.memory.games < self.initial_games
    }

    fn expected_of(&self, standing: &Standing<InitialPeriod>, games: &[Played]) -> f64 {
        games.iter().map(|game| self.curve().expected(standing.rating - game.theirs)).sum()
    }
}

/// The games of the initial period.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::systems) struct InitialPeriod {
    /// Sum of the opponents' ratings (points).
    opponents: f64,
    points: f64,
    games: u32,
}

/// Fraction of the points, half a point from its ends at least; of a single game a quarter, since half a point
/// would make a win as good as a draw.
fn capped(points: f64, games: f64) -> f64 {
    if games <= 1.0 {
        return points.clamp(0.25, 0.75);
    }
    points.clamp(0.5, games - 0.5) / games
}

/// Standard deviations beyond which one performance of twenty lies above expectation.
const EXCEPTIONAL: f64 = 1.644_853_6;

/// Games from which a performance can be exceptional.
const PERFORMANCE_GAMES: usize = 5;

impl EventRule for Elo {
    type Memory = InitialPeriod;

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        performance(self.curve(), mean_opponent, capped(points, games))
    }

    fn found(&self, standing: &mut Standing<InitialPeriod>, games: &[Played], players: usize) {
        let points: f64 = games.iter().map(|game| game.score).sum();
        let fraction = capped(points, games.len() as f64);
        standing.rating = round_robin_performance(self.curve(), self.anchor, fraction, players);
        standing.memory = InitialPeriod {
            opponents: self.anchor * games.len() as f64,
            points,
            games: games.len() as u32,
        };
    }

    fn update(&self, standing: &mut Standing<InitialPeriod>, games: &[Played]) {
        let score: f64 = games.iter().map(|game| game.score).sum();
        if self.is_initial(standing) {
            let initial = &mut standing.memory;
            initial.opponents += games.iter().map(|game| game.theirs).sum::<f64>();
            initial.points += score;
            initial.games += games.len() as u32;
            let count = f64::from(initial.games);
            let fraction = capped(initial.points, count);
            standing.rating = performance(self.curve(), initial.opponents / count, fraction);
        } else {
            let k = self.k_of(standing, games.len());
            standing.rating = current(standing.rating, k, score, self.expected_of(standing, games));
        }
    }

    /// As many as a rating remembers: the formula would go beyond the performance otherwise (1.62). K by the length of the event cannot.
    fn most_games(&self, standing: &Standing<InitialPeriod>) -> Option<u32> {
        if !self.in_parts || self.remembered > 0 || self.is_initial(standing) {
            return None;
        }
        let most = remembered(self.k_factors().of(standing.rating, standing.games));
        most.is_finite().then_some(most as u32)
    }

    fn feedback(&self, standing: &Standing<InitialPeriod>, games: &[Played]) -> Option<f64> {
        if !self.feedback || games.len() < PERFORMANCE_GAMES || self.is_initial(standing) {
            return None;
        }
        let score: f64 = games.iter().map(|game| game.score).sum();
        let over = score - self.expected_of(standing, games);
        let error = self.error(standing).unwrap_or(0.0);
        let (mut variance, mut slope) = (0.0, 0.0);
        for game in games {
            let difference = standing.rating - game.theirs;
            let expected = self.curve().expected(difference);
            variance += expected * (1.0 - expected);
            slope += self.curve().expected(difference + 1.0) - expected;
        }
        let deviation = (variance + (slope * error).powi(2)).sqrt();
        let k = self.k_of(standing, games.len());
        (over > EXCEPTIONAL * deviation).then(|| k * over / games.len() as f64)
    }

    fn feed(&self, standing: &mut Standing<InitialPeriod>, points: f64) {
        if !self.is_initial(standing) {
            standing.rating += points;
        }
    }

    fn is_provisional(&self, standing: &Standing<InitialPeriod>) -> bool {
        self.is_initial(standing)
    }

    /// Of the games that it remembers (8.25).
    fn error(&self, standing: &Standing<InitialPeriod>) -> Option<f64> {
        let remembered = match self.remembered {
            0 => remembered(self.k_factors().of(standing.rating, standing.games)),
            games => f64::from(games),
        };
        Some(rating_error(f64::from(standing.games).max(1.0).min(remembered)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_unrated_players_wait_until_one_of_them_is_rated_and_none_is_lost() {
        use crate::systems::{Rated, RatedPlayer};
        use jiff::civil::date;
        // 0 and 1 found the scale; 3 and 4 meet before 3 meets 0; 5 and 6 meet nobody else.
        let pairs: [&[(u32, u32)]; 4] = [
            &[(3, 4), (4, 3)],
            &[(5, 6)],
            &[(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)],
            &[(0, 3)],
        ];
        let mut results = Results::default();
        for number in 0..7 {
            let name = format!("P{number}");
            results.players.push(RatedPlayer { name, ..RatedPlayer::default() });
        }
        for (event, pairs) in (0..).zip(pairs) {
            let day = date(1900 + event as i16, 1, 1);
            let games =
                pairs.iter().map(|&(white, black)| Rated { white, black, score: 0.5, day, event });
            results.games.extend(games);
        }
        let found = Elo::default().rate(&results);
        let expected = "2 players met nobody who could be rated; 1 games wait for ever";
        assert_eq!(found.notes, [expected]);
        let last = found.lists.last().unwrap();
        let games: f64 =
            last.ratings.iter().filter(|line| line.player == 3).map(|line| line.games).sum();
        assert_eq!(games, 3.0, "{last:?}");
    }
}
