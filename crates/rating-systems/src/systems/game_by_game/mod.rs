//! Basic systems that rate game by game, with the same initial rating for all players. Their scale
//! measures ratios.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011), sections 5 and 8.
//! Numbers in brackets are those of its formulas. The half-yearly lists, their constant and the ten
//! provisional games are ours.

mod established_berkin;
mod progressive;

pub use established_berkin::EstablishedBerkin;
pub use progressive::Progressive;

use jiff::civil::Date;

use super::event_by_event::half_year_after;
use super::lists::{ComputedList, ListedRating, anchored};
use super::results::Results;
use super::system::{PreEventRatings, SystemRatings, differences};
use super::timeline::{EventPhase, event_phases};

/// Number of games below which a rating is provisional and predicts nothing. Judged: all players
/// begin with the same rating, so the first games say little; with twice as many, more games would
/// have no prediction.
const PROVISIONAL_GAMES: u32 = 10;

/// Years without a game after which a player is left off the lists, as for systems that rate event
/// by event.
const LISTED_YEARS: i16 = 2;

/// Defines the effect of a game on both ratings, on the rule's own scale.
trait GameRule {
    /// A rating on the rule's own scale, with what else the rule remembers of a player.
    type Rating: Copy;

    /// The rating of all players before their first game.
    const START: Self::Rating;

    /// The ratings of White and Black after a game with this score of White.
    fn after(
        &self,
        white: Self::Rating,
        black: Self::Rating,
        score: f64,
    ) -> (Self::Rating, Self::Rating);

    /// Converts a rating to points.
    fn points(&self, rating: Self::Rating) -> f64;

    /// The mean rating (points) of the ten best of the anchored list.
    fn anchor(&self) -> f64;
}

#[derive(Clone, Copy)]
struct RatingSoFar<R> {
    /// Rating, on the rule's own scale.
    rating: R,
    games: u32,
    /// Day of the last game.
    last: Option<Date>,
}

/// Runs a system game by game. Games of an event are predicted by the ratings before the event.
fn game_by_game<R: GameRule>(results: &Results, rule: &R) -> SystemRatings {
    let start = RatingSoFar { rating: R::START, games: 0, last: None };
    let mut players = vec![start; results.players.len()];
    let mut lists: Vec<ComputedList> = Vec::new();
    let mut before = vec![None; results.games.len()];
    let mut next_list: Option<Date> = None;
    for (day, step) in event_phases(results) {
        while let Some(list) = next_list.filter(|list| *list <= day) {
            lists.push(list_of(rule, &players, list));
            next_list = half_year_after(list);
        }
        next_list = next_list.or_else(|| half_year_after(day));
        let event = match step {
            EventPhase::Begins(place, event) => {
                let known = differences(event, &|player| {
                    let player = &players[player as usize];
                    (player.games >= PROVISIONAL_GAMES).then(|| rule.points(player.rating))
                })
                .collect::<Vec<_>>();
                before[place..place + event.len()].copy_from_slice(&known);
                continue;
            }
            EventPhase::Ends(_, event) => event,
        };
        // A postponed game belongs to the day on which it was played.
        let mut in_order = event.to_vec();
        in_order.sort_by_key(|game| game.day);
        for game in &in_order {
            let (white, black) = (game.white as usize, game.black as usize);
            let (of_white, of_black) =
                rule.after(players[white].rating, players[black].rating, game.score);
            for (player, rating) in [(white, of_white), (black, of_black)] {
                let player = &mut players[player];
                player.rating = rating;
                player.games += 1;
                player.last = player.last.max(Some(game.day));
            }
        }
    }
    if let Some(last) = next_list {
        lists.push(list_of(rule, &players, last));
    }
    lists.retain(|list| list.ratings.len() > 1);
    anchored(&mut lists, rule.anchor());
    SystemRatings {
        lists,
        before: PreEventRatings::Differences(before),
        ..SystemRatings::default()
    }
}

/// The list of a day, of the players who have played lately.
fn list_of<R: GameRule>(rule: &R, players: &[RatingSoFar<R::Rating>], day: Date) -> ComputedList {
    let from = Date::new(day.year() - LISTED_YEARS, day.month(), 1).unwrap_or(day);
    let lines = (0..)
        .zip(players)
        .filter(|(_, player)| player.last.is_some_and(|last| last >= from))
        .map(|(number, player)| ListedRating {
            player: number,
            rating: rule.points(player.rating),
            games: f64::from(player.games),
            deviation: None,
            is_provisional: player.games < PROVISIONAL_GAMES,
        });
    ComputedList::new(day, lines.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    /// A rule by which a win adds ten points.
    struct TenPointsPerWin;

    impl GameRule for TenPointsPerWin {
        type Rating = f64;

        const START: f64 = 100.0;

        fn after(&self, white: f64, black: f64, score: f64) -> (f64, f64) {
            (white + 10.0 * score, black + 10.0 * (1.0 - score))
        }

        fn points(&self, rating: f64) -> f64 {
            rating
        }

        fn anchor(&self) -> f64 {
            2640.0
        }
    }

    /// A game of player 0 against player 1 in 1900.
    fn game(event: u32, score: f64, month: i8) -> RatedGame {
        RatedGame { white: 0, black: 1, score, day: date(1900, month, 1), event }
    }

    #[test]
    fn provisional_ratings_predict_nothing_and_events_use_earlier_ratings() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 3], ..Results::default() };
        results.games.extend((0..9).map(|_| game(0, 1.0, 1)));
        results.games.extend([game(1, 1.0, 3), game(2, 1.0, 4), game(2, 0.0, 4)]);
        let found = game_by_game(&results, &TenPointsPerWin);
        let PreEventRatings::Differences(before) = &found.before else { panic!("{found:?}") };
        assert!(before[..10].iter().all(Option::is_none));
        assert_eq!(before[10..], [Some(100.0), Some(100.0)]);
        let list = &found.lists[0];
        assert_eq!((list.day, list.ratings.len()), (date(1900, 7, 1), 2));
        // 210 and 110 points, shifted so that their mean is the anchor.
        assert_eq!(
            list.ratings.iter().map(|line| line.rating).collect::<Vec<_>>(),
            [2690.0, 2590.0]
        );
        assert_eq!(game_by_game(&Results::default(), &TenPointsPerWin).lists, []);
    }
}
