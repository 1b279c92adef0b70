//! Elo's continuous system, event by event: all games of an event are rated together, by the
//! ratings before it.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition):
//!
//! - the current rating formula
//! - K = 4C/N (8.25, 8.28), with the values of today's federations
//! - long events in parts (1.62)
//! - points given back after exceptional performances (3.75)
//! - performances of few games (2.59, 8.85), and provisional players rated first (3.71, 3.72)
//!
//! The anchor is ours. So is the limit from which a performance is exceptional: 1.645 standard
//! deviations, which include the rating's standard error and ignore draws.

use super::fide_1978::fide_1978;
use super::formulas::{Expectancy, KFactors, current, k_of_event, rating_error, remembered};
use super::rounds::EloRounds;
use super::rules::EloRules;
use crate::systems::about::{About, Role, Shorthand};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::initial_period::{InitialPeriod, InitialRule};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::running::Running;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of Elo's continuous system.
    Elo {
        /// The rules: elo, fide-1978 or uscf; fide-1978 has its own K, uscf its own K and curve.
        rules: EloRules = EloRules::Elo;
        /// The curve of expected scores: normal, logistic, table (of the book, to two decimals) or
        /// linear.
        expectancy: Expectancy = Expectancy::Normal;
        /// Games of the initial period, in which a rating is a performance and provisional.
        initial_games: u32 = 25, 1..=1000;
        /// K below 30 games.
        k_new: f64 = 32.0, 0.0..=200.0;
        /// K from 30 games on, below the high ratings.
        k: f64 = 20.0, 0.0..=200.0;
        /// K of high ratings.
        k_high: f64 = 10.0, 0.0..=200.0;
        /// Rating (points) from which the smallest K applies.
        high: f64 = 2400.0, 0.0..=4000.0;
        /// Games that ratings remember, if K depends on the length of the event; 0 if it does not.
        remembered: u32 = 0, 0..=1000;
        /// Whether an event of more games than a rating remembers is rated in parts.
        in_parts: bool = true;
        /// Whether opponents of an exceptional performance get back the points that they lost
        /// beyond expectation.
        feedback: bool = false;
        /// Whether the differences of performances of few games are reduced by the book's factor in
        /// the initial period.
        small_samples: bool = true;
        /// Whether the provisional players of an event are rated first, and the others by the new
        /// ratings of those.
        provisional_first: bool = false;
        /// Mean rating (points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
    }
}

impl Registered for Elo {
    const ABOUT: About = About {
        word: "elo",
        name: "Elo",
        list_name: "Computed Elo",
        summary: "Arpad Elo's continuous system, event by event: half-yearly lists",
        role: Role::Whole,
        is_standard: true,
        has_pool: true,
        shows_ageing: true,
        counts_games: true,
        shorthands: &[
            Shorthand {
                word: "elo",
                name: "Elo",
                set: &[("expectancy", "logistic")],
                numbers: &["k_new", "k", "k_high"],
                words: Some("expectancy"),
            },
            Shorthand {
                word: "elo-tiers",
                name: "Elo, K 30, 16, 10",
                set: &[
                    ("k_new", "30.0"),
                    ("k", "16.0"),
                    ("k_high", "10.0"),
                    ("expectancy", "logistic"),
                ],
                numbers: &[],
                words: Some("expectancy"),
            },
        ],
        ..About::PLAIN
    };
}

/// K of the USCF rules: 16 points for each win and loss (12).
const K_USCF: f64 = 32.0;

impl RatingSystem for Elo {
    fn expected(&self, difference: f64) -> f64 {
        self.curve().expected(difference)
    }

    fn explained(&self) -> String {
        match self.rules {
            EloRules::Fide1978 => {
                "by the FIDE rules of 1978: K is 25 for 30 games, then 15, and 10 after a list above 2400; \
                 half-yearly lists from 9 games and 2200 points on, starting from a list of the continuous \
                 system."
                    .into()
            }
            EloRules::Elo | EloRules::Uscf => format!(
                "a performance for the first {} games{}, then K × (score − expectation) event by event, with the {}. \
                 Players who meet mostly each other are placed by the results among themselves, so such a \
                 group may stand too high or too low.{}{}",
                self.initial_games,
                if self.small_samples { ", nearer to the opponents if they are few" } else { "" },
                self.curve().words(),
                self.memory_explained(),
                if self.feedback {
                    " Opponents get back the points that an exceptional performance took from them beyond expectation."
                } else {
                    ""
                }
            ),
        }
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        match self.rules {
            EloRules::Fide1978 => {
                let before = event_by_event(results, &Elo { rules: EloRules::Elo, ..self.clone() });
                fide_1978(results, self.expectancy, &before.lists)
            }
            EloRules::Elo | EloRules::Uscf => event_by_event(results, self),
        }
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(EloRounds::new(self.expectancy, self.k_factors(), start)))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        &["expectancy", "k_new", "k", "k_high", "high"]
    }
}

impl Elo {
    fn k_factors(&self) -> KFactors {
        match self.rules {
            EloRules::Uscf => {
                KFactors { new: K_USCF, settled: K_USCF, high: K_USCF, high_from: self.high }
            }
            EloRules::Elo | EloRules::Fide1978 => KFactors {
                new: self.k_new,
                settled: self.k,
                high: self.k_high,
                high_from: self.high,
            },
        }
    }

    /// Explains how many games ratings remember, and how long events are rated.
    fn memory_explained(&self) -> String {
        if self.remembered > 0 {
            return format!(
                " A rating remembers the last {} games; K depends on the length of the event.",
                self.remembered
            );
        }
        let k = self.k_factors();
        let games = [k.new, k.settled, k.high].map(remembered);
        if games.iter().all(|games| games.is_infinite()) {
            return " With a K of zero, ratings never change.".into();
        }
        let [new, settled, high] = games.map(games_in_words);
        let games = if new == settled && settled == high {
            format!("{new} games (4C/K)")
        } else {
            format!("{new}, {settled} or {high} games (4C/K), by experience and level")
        };
        let parts = if self.in_parts {
            "a longer event is rated in parts"
        } else {
            "an event of any length is rated as a whole"
        };
        format!(" A rating remembers the last {games}; {parts}.")
    }

    /// The curve. The USCF formula R + 16 (W - L) + .04 sum (Ri - R), each difference within 350
    /// (12), is K = 32 on the straight line.
    fn curve(&self) -> Expectancy {
        match self.rules {
            EloRules::Uscf => Expectancy::Linear,
            EloRules::Elo | EloRules::Fide1978 => self.expectancy,
        }
    }

    /// K for this many games that are rated together.
    fn k_of(&self, state: &PlayerState<InitialPeriod>, games: usize) -> f64 {
        match self.remembered {
            0 => self.k_factors().for_player(state.rating, state.games),
            remembered => k_of_event(f64::from(remembered), games as f64),
        }
    }

    fn initial_rule(&self) -> InitialRule {
        InitialRule { expectancy: self.curve(), small_samples: self.small_samples }
    }

    fn is_initial(&self, state: &PlayerState<InitialPeriod>) -> bool {
        state.memory.games < self.initial_games
    }

    fn expected_of(&self, state: &PlayerState<InitialPeriod>, games: &[PlayerGame]) -> f64 {
        games.iter().map(|game| self.curve().expected(state.rating - game.opponent_rating)).sum()
    }
}

/// The number of games that a rating remembers. With a K of zero, it remembers all games.
fn games_in_words(games: f64) -> String {
    if games.is_finite() { games.round().to_string() } else { "all".to_owned() }
}

/// Number of standard deviations that one performance in twenty exceeds by chance. The book calls
/// such performances exceptional (3.63).
const EXCEPTIONAL: f64 = 1.644_853_6;

/// Minimum number of games of an exceptional performance. Judged: in four games against equals only
/// four wins are exceptional, which says little about a player; with ten, many tournaments before
/// 1900 could have none.
const PERFORMANCE_GAMES: usize = 5;

impl EventRule for Elo {
    type Memory = InitialPeriod;

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        InitialPeriod::newcomer(self.initial_rule(), mean_opponent, points, games)
    }

    fn rate_founder(
        &self,
        state: &mut PlayerState<InitialPeriod>,
        games: &[PlayerGame],
        players: usize,
    ) {
        (state.memory, state.rating) =
            InitialPeriod::of_first_event(self.initial_rule(), self.anchor, games, players);
    }

    fn update(&self, state: &mut PlayerState<InitialPeriod>, games: &[PlayerGame]) {
        if self.is_initial(state) {
            state.rating = state.memory.add(self.initial_rule(), games);
        } else {
            let score: f64 = games.iter().map(|game| game.score).sum();
            let k = self.k_of(state, games.len());
            state.rating = current(state.rating, k, score, self.expected_of(state, games));
        }
    }

    /// The number of games that a rating remembers. With more games, the formula would go beyond
    /// the performance (1.62). A K that depends on the length of the event does not have this
    /// problem.
    fn most_games(&self, state: &PlayerState<InitialPeriod>) -> Option<u32> {
        if !self.in_parts || self.remembered > 0 || self.is_initial(state) {
            return None;
        }
        let most = remembered(self.k_factors().for_player(state.rating, state.games));
        most.is_finite().then_some(most as u32)
    }

    fn provisional_first(&self) -> bool {
        self.provisional_first
    }

    fn gives_back(&self) -> bool {
        self.feedback
    }

    fn feedback(&self, state: &PlayerState<InitialPeriod>, games: &[PlayerGame]) -> Option<f64> {
        if !self.feedback || games.len() < PERFORMANCE_GAMES || self.is_initial(state) {
            return None;
        }
        let score: f64 = games.iter().map(|game| game.score).sum();
        let over = score - self.expected_of(state, games);
        let error = self.error(state).unwrap_or(0.0);
        let (mut variance, mut slope) = (0.0, 0.0);
        for game in games {
            let difference = state.rating - game.opponent_rating;
            let expected = self.curve().expected(difference);
            variance += expected * (1.0 - expected);
            slope += self.curve().expected(difference + 1.0) - expected;
        }
        let deviation = (variance + (slope * error).powi(2)).sqrt();
        let k = self.k_of(state, games.len());
        (over > EXCEPTIONAL * deviation).then(|| k * over / games.len() as f64)
    }

    fn give_back(&self, state: &mut PlayerState<InitialPeriod>, points: f64) {
        if !self.is_initial(state) {
            state.rating += points;
        }
    }

    fn is_provisional(&self, state: &PlayerState<InitialPeriod>) -> bool {
        self.is_initial(state)
    }

    /// The standard error for the games that the rating remembers (8.25).
    fn error(&self, state: &PlayerState<InitialPeriod>) -> Option<f64> {
        let remembered = match self.remembered {
            0 => remembered(self.k_factors().for_player(state.rating, state.games)),
            games => f64::from(games),
        };
        Some(rating_error(f64::from(state.games).max(1.0).min(remembered)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    /// A player after the initial period.
    fn settled(rating: f64, games: u32) -> PlayerState<InitialPeriod> {
        let mut state = PlayerState::<InitialPeriod>::default();
        (state.rating, state.games) = (rating, games);
        state.memory.games = games;
        state
    }

    fn played(games: &[(f64, f64)]) -> Vec<PlayerGame> {
        (1..)
            .zip(games)
            .map(|(opponent, &(opponent_rating, score))| PlayerGame {
                player: 0,
                opponent,
                opponent_rating,
                score,
                day: date(1970, 1, 1),
            })
            .collect()
    }

    fn after(elo: &Elo, games: &[PlayerGame]) -> f64 {
        let mut state = settled(2000.0, 40);
        elo.update(&mut state, games);
        state.rating
    }

    #[test]
    fn uscf_rules_give_sixteen_points_a_win_and_four_hundredths_of_each_difference() {
        let elo = Elo { rules: EloRules::Uscf, ..Elo::default() };
        // R + 16 (W - L) + .04 sum (Ri - R): three wins, a draw and a loss.
        let games =
            played(&[(2100.0, 1.0), (1900.0, 1.0), (2250.0, 1.0), (2050.0, 0.5), (1800.0, 0.0)]);
        let differences = 100.0 - 100.0 + 250.0 + 50.0 - 200.0;
        assert!((after(&elo, &games) - (2000.0 + 16.0 * 2.0 + 0.04 * differences)).abs() < 1e-9);
        // Larger differences count as 350.
        let far = played(&[(2600.0, 1.0), (1400.0, 0.0), (2600.0, 0.0)]);
        assert!((after(&elo, &far) - (2000.0 - 16.0 + 0.04 * 350.0)).abs() < 1e-9);
        // The K and the curve for the book's rules do not change that.
        let other = Elo { k: 10.0, expectancy: Expectancy::Logistic, ..elo };
        assert_eq!(
            after(&other, &games),
            after(&Elo { rules: EloRules::Uscf, ..Elo::default() }, &games)
        );
    }

    #[test]
    fn k_depends_on_the_length_of_the_event_if_games_are_remembered() {
        // The book's K for ratings that remember 30 games (8.28), and four wins against equals.
        let elo = Elo { remembered: 30, ..Elo::default() };
        let games = played(&[(2000.0, 1.0); 4]);
        let k = k_of_event(30.0, 4.0);
        assert!((after(&elo, &games) - (2000.0 + 2.0 * k)).abs() < 1e-9);
        assert_eq!(elo.most_games(&settled(2000.0, 40)), None, "such a K needs no parts");
        // K is smaller for longer events.
        assert!(k_of_event(30.0, 20.0) < k);
    }

    #[test]
    fn opponents_of_an_exceptional_performance_get_points_back() {
        let elo = Elo { feedback: true, ..Elo::default() };
        let all_won = played(&[(2000.0, 1.0); 8]);
        // Four points more than expected, K 20, eight opponents.
        let share = elo.feedback(&settled(2000.0, 40), &all_won).unwrap();
        assert!((share - 20.0 * 4.0 / 8.0).abs() < 1e-9, "{share}");
        let mut state = settled(2000.0, 40);
        elo.give_back(&mut state, share);
        assert_eq!(state.rating, 2010.0);
        // One point above expectation in eight games is not exceptional, four games are too few,
        // and a provisional rating gives nothing back.
        let good = played(&[1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5].map(|score| (2000.0, score)));
        assert_eq!(elo.feedback(&settled(2000.0, 40), &good), None);
        assert_eq!(elo.feedback(&settled(2000.0, 40), &all_won[..4]), None);
        assert_eq!(elo.feedback(&settled(2000.0, 10), &all_won), None);
        assert_eq!(Elo::default().feedback(&settled(2000.0, 40), &all_won), None);
    }

    #[test]
    fn the_explanation_of_memory_follows_the_parameters() {
        assert!(Elo::default().explained().ends_with(
            "A rating remembers the last 25, 40 or 80 games (4C/K), by experience and level; a longer event is rated in parts."
        ));
        let whole = Elo { in_parts: false, ..Elo::default() }.explained();
        assert!(whole.ends_with("an event of any length is rated as a whole."));
        let uscf = Elo { rules: EloRules::Uscf, ..Elo::default() }.explained();
        assert!(uscf.contains("the last 25 games (4C/K); a longer event"));
        let constant = Elo { k_high: 0.0, ..Elo::default() }.explained();
        assert!(constant.contains("25, 40 or all games"));
        let never = Elo { k_new: 0.0, k: 0.0, k_high: 0.0, ..Elo::default() }.explained();
        assert!(never.ends_with("With a K of zero, ratings never change."));
        let feedback = Elo { feedback: true, ..Elo::default() }.explained();
        assert!(feedback.ends_with("beyond expectation."));
    }

    #[test]
    fn games_of_unrated_players_wait_until_one_of_them_is_rated() {
        use crate::systems::{RatedGame, RatedPlayer};
        // 0 and 1 found the scale. 3 and 4 meet before 3 meets 0. 5 and 6 meet no one else.
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
            for &(white, black) in pairs {
                results.games.push(RatedGame::new(white, black, 0.5, day, event));
            }
        }
        let found = Elo::default().rate(&results);
        let expected = "2 players never met a rated opponent; 1 game stays unrated";
        assert_eq!(found.notes, [expected]);
        let last = found.lists.last().unwrap();
        let games: f64 =
            last.ratings.iter().filter(|line| line.player == 3).map(|line| line.games).sum();
        assert_eq!(games, 3.0, "{last:?}");
    }
}
