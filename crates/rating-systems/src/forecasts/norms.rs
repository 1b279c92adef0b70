//! Computes norms for titles, by the rules of 1977 and by those of 1957.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 4.24,
//! 4.32, 4.34. The book's chart of percentages is its table of expected scores: a norm is the
//! expected score of a player at the title's level.

use crate::systems::elo::formulas::Expectancy;

/// A FIDE title that requires norms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Title {
    /// Grandmaster. A norm requires a performance of 2600 points.
    Grandmaster,
    /// International master. A norm requires a performance of 2450 points.
    Master,
    /// Woman grandmaster. A norm requires a performance of 2300 points.
    WomanGrandmaster,
    /// Woman international master. A norm requires a performance of 2150 points.
    WomanMaster,
}

impl Title {
    /// All titles, the one with the highest [`level`](Title::level) first.
    pub const ALL: [Title; 4] =
        [Title::Grandmaster, Title::Master, Title::WomanGrandmaster, Title::WomanMaster];

    /// Performance (points) that a norm requires (4.32).
    pub fn level(self) -> f64 {
        match self {
            Title::Grandmaster => 2600.0,
            Title::Master => 2450.0,
            Title::WomanGrandmaster => 2300.0,
            Title::WomanMaster => 2150.0,
        }
    }

    /// Abbreviation of the title: `GM`.
    pub fn word(self) -> &'static str {
        match self {
            Title::Grandmaster => "GM",
            Title::Master => "IM",
            Title::WomanGrandmaster => "WGM",
            Title::WomanMaster => "WIM",
        }
    }

    /// Rating (points) that a player needs for the title in addition to its norms.
    pub fn rating(self) -> f64 {
        match self {
            Title::Grandmaster => 2450.0,
            Title::Master => 2350.0,
            Title::WomanGrandmaster => 2200.0,
            Title::WomanMaster => 2100.0,
        }
    }

    /// Full name of the title.
    pub fn words(self) -> &'static str {
        match self {
            Title::Grandmaster => "grandmaster",
            Title::Master => "international master",
            Title::WomanGrandmaster => "woman grandmaster",
            Title::WomanMaster => "woman international master",
        }
    }

    /// Whether the book's chart (4.34) prints a figure for norms in this category. Others follow
    /// from the same rule.
    pub fn is_in_chart(self, category: u32) -> bool {
        let last = match self {
            Title::Grandmaster => 16,
            Title::Master | Title::WomanMaster => 15,
            Title::WomanGrandmaster => 21,
        };
        (self.lowest_category()..=last).contains(&category)
    }

    /// Whether players make norms for this title in women's events.
    pub fn is_womens(self) -> bool {
        matches!(self, Title::WomanGrandmaster | Title::WomanMaster)
    }

    /// Lowest category in which a player can make a norm.
    pub fn lowest_category(self) -> u32 {
        match self {
            Title::Grandmaster | Title::WomanGrandmaster => 7,
            Title::Master | Title::WomanMaster => 1,
        }
    }
}

/// Averages (points) at which the first category begins, for all events and for women's events;
/// width of a category (points). By the rules in the book (4.32).
const FIRST: f64 = 2251.0;
const FIRST_OF_WOMEN: f64 = 1951.0;
const WIDTH: f64 = 25.0;

/// The category of an average rating (points), which is rounded to the nearest point, halves
/// upwards. `None` below the first category.
pub fn category(average: f64, is_womens: bool) -> Option<u32> {
    let first = if is_womens { FIRST_OF_WOMEN } else { FIRST };
    let above = (average + 0.5).floor() - first;
    (above >= 0.0).then(|| (above / WIDTH) as u32 + 1)
}

/// The average (points) at which a category begins.
pub fn first_of_category(category: u32, is_womens: bool) -> f64 {
    let first = if is_womens { FIRST_OF_WOMEN } else { FIRST };
    first + WIDTH * f64::from(category.saturating_sub(1))
}

/// The percentage score, in `[0, 1]`, that is a norm in a category. `None` below the lowest
/// category.
pub fn norm_percentage(title: Title, category: u32) -> Option<f64> {
    if category < title.lowest_category() {
        return None;
    }
    let foot = first_of_category(category, title.is_womens());
    Some(Expectancy::Table.expected(title.level() - (foot - 1.0)))
}

/// Points by which a norm may fall short of the exact percentage. This is the most that all legible
/// rows of the book's chart allow.
const GRACE: f64 = 0.05;

/// The points that are a norm in `games` games of a category. This is the smallest number of half
/// points that falls short of the exact percentage by at most 0.05. `None` below the lowest
/// category.
pub fn norm_points(title: Title, category: u32, games: u32) -> Option<f64> {
    let exact = norm_percentage(title, category)? * f64::from(games);
    // Sums of hundredths are rounded.
    const ROUNDING: f64 = 1e-9;
    Some((2.0 * (exact - GRACE - ROUNDING)).ceil().max(0.0) / 2.0)
}

/// The rating (points) above which a player without a title counts as titled: in open events, and
/// in women's events (4.34, paragraph 4.1 of the regulations).
pub fn rated_as_titled(is_womens: bool) -> f64 {
    if is_womens { 2000.0 } else { 2300.0 }
}

/// The smallest numbers of players of each kind that a field needs for norms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormField {
    /// Players who are not from one federation.
    pub of_other_federations: u32,
    /// Rated players: four fifths of the field, rounded up.
    pub rated: u32,
    /// Players with a title, or rated above [`rated_as_titled`].
    pub titled: u32,
}

/// The requirements for a field of `players` players: a third from other federations, four fifths
/// rated and half of them titled, each rounded up.
pub fn norm_field(players: u32) -> NormField {
    NormField {
        of_other_federations: players.div_ceil(3),
        rated: (4 * players).div_ceil(5),
        titled: players.div_ceil(2),
    }
}

/// Points that are a norm by the rules of 1957 to 1970 (4.24). This is the first half point above
/// the sum of the required scores against grandmasters, masters and others.
pub fn norm_points_of_1957(title: Title, grandmasters: u32, masters: u32, others: u32) -> f64 {
    let parts = match title {
        Title::Grandmaster | Title::WomanGrandmaster => [55.0, 75.0, 85.0],
        Title::Master | Title::WomanMaster => [35.0, 55.0, 75.0],
    };
    let [of_grandmasters, of_masters, of_others] = parts;
    let required = of_grandmasters * f64::from(grandmasters)
        + of_masters * f64::from(masters)
        + of_others * f64::from(others);
    ((required / 50.0).floor() + 1.0) / 2.0
}

/// The rating (points) that makes a FIDE Master, and of how many games it must be (4.31). The title
/// has no norms.
pub fn rating_of_fide_master(is_womens: bool) -> (f64, u32) {
    (if is_womens { 2050.0 } else { 2300.0 }, 24)
}

/// The category of a round robin by the rules of 1957 to 1970 (4.24), from the numbers of its
/// players, of grandmasters, and of all who have a title. `None` for no title event. Almost half of
/// the players must be from foreign federations, which these numbers do not show.
pub fn category_of_1957(players: u32, grandmasters: u32, titled: u32) -> Option<&'static str> {
    let has_titled = |part: u32| 100 * titled >= part * players;
    match players {
        16.. if 2 * grandmasters >= players && has_titled(70) => Some("1a"),
        10.. if 3 * grandmasters >= players && has_titled(70) => Some("1b"),
        15.. if has_titled(50) => Some("2a"),
        10.. if has_titled(50) => Some("2b"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_category_of_1957_follows_from_the_titles_of_the_field() {
        for (players, grandmasters, titled, category) in [
            (16, 8, 12, Some("1a")),
            (16, 7, 12, Some("1b")),
            (16, 8, 11, Some("2a")),
            (12, 4, 9, Some("1b")),
            (12, 3, 9, Some("2b")),
            (14, 0, 7, Some("2b")),
            (15, 0, 8, Some("2a")),
            (15, 0, 7, None),
            (9, 9, 9, None),
        ] {
            let found = category_of_1957(players, grandmasters, titled);
            assert_eq!(found, category, "{players} players, {grandmasters}, {titled}");
        }
    }

    #[test]
    fn the_chart_of_percentages_is_the_table_of_expected_scores() {
        let grandmaster = [76.0, 73.0, 70.0, 67.0, 64.0, 60.0, 57.0, 53.0, 50.0, 47.0];
        assert_eq!(percentages(Title::Grandmaster, 7..=16), grandmaster);
        assert_eq!(percentages(Title::WomanGrandmaster, 7..=9), grandmaster[..3]);
        let master = percentages(Title::Master, 1..=15);
        assert_eq!(master[..10], grandmaster);
        assert_eq!(master[10..], [43.0, 40.0, 36.0, 33.0, 30.0]);
        assert_eq!(percentages(Title::WomanMaster, 1..=15), master);
        assert_eq!(norm_percentage(Title::Grandmaster, 6), None);
    }

    fn percentages(title: Title, categories: std::ops::RangeInclusive<u32>) -> Vec<f64> {
        categories
            .map(|category| (100.0 * norm_percentage(title, category).unwrap()).round())
            .collect()
    }

    #[test]
    fn the_points_of_the_chart() {
        for (games, expected) in [
            (9, [7.0, 7.0, 6.5, 6.0, 6.0, 5.5]),
            (11, [8.5, 8.0, 8.0, 7.5, 7.0, 7.0]),
            (15, [11.5, 11.0, 10.5, 10.0, 10.0, 9.0]),
            (19, [14.5, 14.0, 13.5, 13.0, 12.5, 11.5]),
        ] {
            for (category, points) in (7..).zip(expected) {
                let found = norm_points(Title::Grandmaster, category, games);
                assert_eq!(found, Some(points), "category {category}, {games} games");
            }
        }
    }

    #[test]
    fn wijk_aan_zee_1975_was_of_category_12() {
        assert_eq!(category(2534.375, false), Some(12));
        assert_eq!(norm_points(Title::Grandmaster, 12, 15), Some(9.0));
        assert_eq!(norm_points(Title::Master, 12, 15), Some(6.0));
        assert_eq!(category(2250.4, false), None);
        assert_eq!(category(2250.5, false), Some(1));
        assert_eq!((category(2275.0, false), category(2276.0, false)), (Some(1), Some(2)));
        assert_eq!(category(1951.0, true), Some(1));
    }

    #[test]
    fn fields_of_ten_to_twenty_players() {
        let of_other_federations = [4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7];
        let rated = [8, 9, 10, 11, 12, 12, 13, 14, 15, 16, 16];
        let titled = [5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10];
        for (place, players) in (10..=20).enumerate() {
            let expected = NormField {
                of_other_federations: of_other_federations[place],
                rated: rated[place],
                titled: titled[place],
            };
            assert_eq!(norm_field(players), expected, "{players} players");
        }
    }

    #[test]
    fn five_grandmasters_seven_masters_and_three_others_by_the_rules_of_1957() {
        assert_eq!(norm_points_of_1957(Title::Grandmaster, 5, 7, 3), 11.0);
        assert_eq!(norm_points_of_1957(Title::Master, 5, 7, 3), 8.0);
        // The score must exceed the sum.
        assert_eq!(norm_points_of_1957(Title::Grandmaster, 10, 0, 0), 6.0);
    }
}
