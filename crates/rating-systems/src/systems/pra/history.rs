//! The PRA through history: event by event, with yearly lists.

use jiff::civil::Date;

use super::corrections::{Corrections, correct};
use super::population::PraPopulation;
use crate::systems::lists::{ComputedList, ListedRating};
use crate::systems::results::{RatedGame, Results, first_of, month_of};
use crate::systems::system::{PreEventRatings, SystemRatings, differences};
use crate::systems::timeline::{EventPhase, event_phases};
use crate::tournament::Game;

/// Initial rating (points) of all players, and the mean of all ratings, as in Berard's paper.
pub(super) const START: f64 = 1500.0;

/// When all ratings are shifted so that their mean is the initial rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Never,
    /// After each of these numbers of months of the calendar.
    Months(i32),
    /// After each of these numbers of days, at midnight.
    Days(i32),
}

impl Anchor {
    /// The anchor of the settings: by days if there are any, else by months; 0 means none.
    pub fn new(months: i32, days: i32) -> Anchor {
        match (months, days) {
            (0, 0) => Anchor::Never,
            (months, 0) => Anchor::Months(months),
            (_, days) => Anchor::Days(days),
        }
    }

    /// Whether ratings are shifted between two days with games.
    fn is_due(self, before: Date, day: Date) -> bool {
        match self {
            Anchor::Never => false,
            Anchor::Months(months) => {
                month_of(day).div_euclid(months) > month_of(before).div_euclid(months)
            }
            Anchor::Days(days) => {
                let [before, day] = [before, day].map(|day| (day - Date::ZERO).get_days());
                day.div_euclid(days) > before.div_euclid(days)
            }
        }
    }
}

/// Runs an empty population over all games. Players without a game have no rating before an event.
pub(super) fn run(
    results: &Results,
    mut population: PraPopulation,
    anchor: Anchor,
    corrections: Corrections,
) -> SystemRatings {
    let mut last: Vec<Option<Date>> = vec![None; results.players.len()];
    let mut lists = Vec::new();
    let mut known = vec![None; results.games.len()];
    let mut month: Option<i32> = None;
    let mut before: Option<Date> = None;
    for (day, step) in event_phases(results) {
        if before.is_some_and(|before| anchor.is_due(before, day)) {
            population.anchor(START);
        }
        before = Some(day);
        let now = month_of(day);
        while let Some(before) = month.filter(|before| *before < now) {
            let next = before + 1;
            if next.rem_euclid(12) == 0 {
                lists.push(list(first_of(next), &population, &last));
            }
            month = Some(next);
        }
        month.get_or_insert(now);
        let event = match step {
            EventPhase::Begins(place, event) => {
                let now = differences(event, &|player| {
                    let player = player as usize;
                    population.has_entered(player).then(|| population.rating(player))
                })
                .collect::<Vec<_>>();
                known[place..place + event.len()].copy_from_slice(&now);
                continue;
            }
            EventPhase::Ends(_, event) => event,
        };
        if corrections != Corrections::Ignored {
            let (players, games) = field(event);
            correct(&mut population, &players, &games, corrections);
        }
        for game in event {
            let (white, black) = (game.white as usize, game.black as usize);
            for player in [white, black] {
                if !population.has_entered(player) {
                    population.enter(player, START);
                }
                last[player] = Some(game.day).max(last[player]);
            }
            population.play(white, black, game.score);
        }
    }
    if let Some(month) = month {
        let next = (month + 12) - month.rem_euclid(12);
        lists.push(list(first_of(next), &population, &last));
    }
    lists.retain(|list| list.ratings.len() > 1);
    SystemRatings { lists, before: PreEventRatings::Differences(known), ..SystemRatings::default() }
}

/// The players of an event, and its games by index of the players.
fn field(event: &[RatedGame]) -> (Vec<u32>, Vec<Game>) {
    let mut players: Vec<u32> = event.iter().flat_map(|game| [game.white, game.black]).collect();
    players.sort_unstable();
    players.dedup();
    let games = event.iter().map(|game| {
        let white = players.partition_point(|other| *other < game.white);
        let black = players.partition_point(|other| *other < game.black);
        Game::new(white, black, game.score)
    });
    let games = games.collect();
    (players, games)
}

/// Number of games below which a rating is provisional: a block of the Boosting System.
const PROVISIONAL_UNTIL: u32 = 20;

/// The list of players with a game in the two years before.
fn list(day: Date, population: &PraPopulation, last: &[Option<Date>]) -> ComputedList {
    let from = Date::new(day.year() - 2, day.month(), 1).unwrap_or(day);
    let active = (0..last.len()).filter(|&player| last[player].is_some_and(|last| last >= from));
    let lines = active.map(|player| ListedRating {
        player: player as u32,
        rating: population.rating(player),
        games: f64::from(population.games(player)),
        deviation: None,
        is_provisional: population.games(player) < PROVISIONAL_UNTIL,
    });
    ComputedList::new(day, lines.collect())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn an_anchor_is_due_when_its_month_or_day_has_passed() {
        let [evening, midnight] = [date(2000, 5, 31), date(2000, 6, 1)];
        assert!(!Anchor::new(0, 0).is_due(evening, midnight));
        assert!(Anchor::new(1, 0).is_due(evening, midnight));
        assert!(!Anchor::new(12, 0).is_due(evening, midnight));
        assert!(Anchor::new(12, 1).is_due(evening, midnight));
        assert!(!Anchor::new(0, 1).is_due(evening, evening));
        assert!(Anchor::new(0, 7).is_due(evening, date(2000, 6, 7)));
    }
}
