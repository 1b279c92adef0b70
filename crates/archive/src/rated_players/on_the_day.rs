//! Looks up historical Elo ratings of the players of the archive on any day.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use chess_history::players::Player;
use rating_systems::systems::elo::{CareerPoint, CareerYear, EloHistorical, HistoricalEloByDay};
use rating_systems::systems::{ComputedList, Overrides, Results};

/// The ratings, and the names by which players are found. The players of the results need not be
/// those of the games.
#[derive(Clone, Debug, Default)]
pub struct NamedOnTheDay {
    ratings: HistoricalEloByDay,
    /// Numbers by name; `None` where several players share the name.
    numbers: FxHashMap<String, Option<u32>>,
}

impl NamedOnTheDay {
    /// From the results, the parameters of the system, and its lists.
    pub fn new(results: &Results, overrides: &Overrides, lists: &[ComputedList]) -> NamedOnTheDay {
        let system = EloHistorical::with_valid_overrides(overrides);
        let mut numbers: FxHashMap<String, Option<u32>> = FxHashMap::default();
        for (number, player) in (0..).zip(&results.players) {
            for spelling in &player.spellings {
                let known = numbers.entry(spelling.clone()).or_insert(Some(number));
                if *known != Some(number) {
                    *known = None;
                }
            }
        }
        // A player's own name has priority over other players' spellings.
        for (number, player) in (0..).zip(&results.players) {
            numbers.insert(player.name.clone(), Some(number));
        }
        NamedOnTheDay { ratings: HistoricalEloByDay::new(results, &system, lists), numbers }
    }

    /// The number of a player among the players of the results.
    pub fn number(&self, player: &Player) -> Option<u32> {
        let names = std::iter::once(&player.name).chain(&player.spellings);
        names.filter_map(|name| *self.numbers.get(name)?).next()
    }

    /// The rating (points) of a player on a day.
    pub fn rating(&self, player: &Player, day: Date) -> Option<f64> {
        self.ratings.rating(self.number(player)?, day)
    }

    /// The half decades of a player next to the curve of ages.
    pub fn career(&self, player: &Player) -> Vec<CareerPoint> {
        self.number(player).map(|number| self.ratings.career(number)).unwrap_or_default()
    }

    pub fn career_years(&self, player: &Player) -> Vec<CareerYear> {
        self.number(player).map(|number| self.ratings.career_years(number)).unwrap_or_default()
    }

    /// The rating (points) of the half decade before a day.
    pub fn half_decade_before(&self, player: &Player, day: Date) -> Option<f64> {
        self.ratings.half_decade_before(self.number(player)?, day)
    }
}
