//! Studies the pool of FIDE's published lists over the years.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::rated_players::pools::{FirstAt, HalfDecades, PoolKind, RatingPool, first_at};
use chess_history::ratings::{RatingHistory, RatingList};
use rating_systems::population::ages::{LEVELS, generation};
use rating_systems::population::pool::{PoolMember, age_in, pool_years};
use rating_systems::systems::elo::ageing::AGES;

/// The name in tables. Our own Elo has another name.
const NAME: &str = "FIDE";

/// The least number of players of an edition for a pool. Judged: the figures include the player of
/// rank 100. FIDE's list of the twenty best is not a pool.
const POOL: usize = 100;

/// A player of the games who is on the list.
#[derive(Clone, Copy, Debug)]
pub struct ListedPlayer<'a> {
    /// The number of the player among those of the games.
    pub player: u32,
    /// The number among those of the results that the computed systems rate.
    pub rated: Option<u32>,
    /// Year of birth.
    pub born: Option<i16>,
    pub history: &'a RatingHistory,
}

impl ListedPlayer<'_> {
    /// The player's rating (points) on an edition, if listed, and the number of changes until then.
    /// Lists show no games, but active players rarely keep their rating.
    fn on(&self, day: Date) -> Option<(f64, f64)> {
        let ratings = &self.history.ratings;
        let rating = self.history.on_edition(day)?;
        let until = ratings.partition_point(|(edition, _)| *edition <= day);
        let changes = ratings[..until].windows(2).filter(|two| two[0].1 != two[1].1).count();
        Some((rating, changes as f64))
    }

    /// The levels (points) that the player reached, with generation and age. Levels that were
    /// exceeded on entering the list are left out, unless the player was young then: they may have
    /// been reached long before the list existed.
    fn reached(&self) -> impl Iterator<Item = (i16, f64, f64)> {
        let ratings = &self.history.ratings;
        let entered = ratings.first().copied();
        LEVELS.into_iter().filter_map(move |level| {
            let (born, (entered, first)) = (self.born?, entered?);
            let (day, _) = ratings.iter().find(|(_, rating)| *rating >= level)?;
            let age = age_on(*day, born).filter(|age| AGES.contains(age))?;
            (first < level || age_on(entered, born)? <= YOUNG).then_some((
                generation(born),
                level,
                age,
            ))
        })
    }
}

/// The age (years) up to which a player who enters a list above a level is assumed to have just
/// reached it. Judged: at this age players still rise fast. With 30, masters who were strong long
/// before the first list would count as late risers.
const YOUNG: f64 = 21.0;

/// The mean age on a day of players with this year of birth.
fn age_on(day: Date, born: i16) -> Option<f64> {
    let of_year = f64::from(day.day_of_year()) / f64::from(day.days_in_year());
    Some(f64::from(day.year()) + of_year - f64::from(born) - 0.5)
}

/// The pool of the first edition of each January, the ages at which players reached levels, and
/// their ratings by half decade.
#[derive(Clone, Debug)]
pub struct PublishedPool {
    pub pool: RatingPool,
    pub first_at: Vec<FirstAt>,
    pub half_decades: HalfDecades,
}

/// The pool of a list; `None` without two editions of enough players. Players of the games are read
/// from the list wherever they are rated, so they can be followed even where the list is cut.
pub fn published_pool(list: &RatingList, known: &[ListedPlayer]) -> Option<PublishedPool> {
    let mut editions: Vec<(Date, Vec<PoolMember>)> = Vec::new();
    for (day, number, rating, _) in list.lines().filter(|(day, ..)| day.month() == 1) {
        if editions.last().is_none_or(|(last, _)| last.year() < day.year()) {
            editions.push((day, Vec::new()));
        }
        let Some((_, members)) = editions.last_mut().filter(|(last, _)| *last == day) else {
            continue;
        };
        let player = list.bearer(number);
        members.push(PoolMember { player, rating, played: None, is_established: true, age: None });
    }
    editions.retain_mut(|(_, members)| {
        members.sort_by_key(|member| member.player);
        members.dedup_by_key(|member| member.player);
        members.len() >= POOL
    });
    if editions.len() < 2 {
        return None;
    }
    // If two players of the games have the name of one player of the results, neither is
    // identified.
    let mut claims: FxHashMap<u32, u32> = FxHashMap::default();
    for rated in known.iter().filter_map(|one| one.rated) {
        *claims.entry(rated).or_default() += 1;
    }
    let mut half_decades = HalfDecades::new(NAME, PoolKind::Published);
    let mut watched: Vec<(i16, Vec<PoolMember>)> = Vec::with_capacity(editions.len());
    for (day, _) in &editions {
        let mut members = Vec::new();
        for one in known {
            let Some((rating, changes)) = one.on(*day) else { continue };
            let (played, age) = (Some(changes), age_in(day.year(), one.born));
            members.push(PoolMember {
                player: one.player,
                rating,
                played,
                is_established: true,
                age,
            });
            if let Some(rated) = one.rated.filter(|rated| claims[rated] == 1) {
                half_decades.add(day.year(), rated, rating);
            }
        }
        members.sort_by_key(|member| member.player);
        watched.push((day.year(), members));
    }
    let days: Vec<Date> = editions.iter().map(|(day, _)| *day).collect();
    let all: Vec<(i16, Vec<PoolMember>)> =
        editions.into_iter().map(|(day, members)| (day.year(), members)).collect();
    let years = pool_years(&all).into_iter().zip(pool_years(&watched)).zip(days);
    let years = years.map(|((mut year, of_known), day)| {
        (year.watched, year.mean_age) = (of_known.watched, of_known.mean_age);
        match list.complete_from(day) {
            from if from > 0.0 => year.cut(from),
            _ => year,
        }
    });
    let years = years.collect();
    let reached: Vec<(i16, f64, f64)> = known.iter().flat_map(ListedPlayer::reached).collect();
    let pool =
        RatingPool { system: NAME, kind: PoolKind::Published, years, ..RatingPool::default() };
    Some(PublishedPool { pool, first_at: first_at(&reached), half_decades })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_history::ratings::RatingListLine;
    use jiff::civil::date;

    /// A list of 120 players in three years, from 2700 down in steps of five. The last player is
    /// the known one.
    fn list(cut: f64) -> (RatingList, RatingHistory) {
        let mut list = RatingList::default();
        let mut ratings = Vec::new();
        for (year, own) in [(1990, 2300.0), (1991, 2410.0), (1992, 2410.0)] {
            let day = date(year, 1, 1);
            for place in 0..119 {
                let line = RatingListLine::new(
                    format!("Player{place}, A"),
                    2700.0 - 5.0 * f64::from(place),
                );
                list.add(day, line);
            }
            list.add(day, RatingListLine::new("Known, B", own));
            ratings.push((day, own));
            list.set_complete_from(day, cut);
        }
        let history = RatingHistory { system: "Elo".into(), ratings, deviations: Vec::new() };
        (list, history)
    }

    #[test]
    fn a_complete_list_gives_all_figures() {
        let (list, history) = list(0.0);
        let known =
            [ListedPlayer { player: 7, rated: Some(3), born: Some(1965), history: &history }];
        let found = published_pool(&list, &known).unwrap();
        let years = &found.pool.years;
        assert_eq!(years.iter().map(|year| year.year).collect::<Vec<_>>(), [1990, 1991, 1992]);
        assert_eq!(years[0].size.unwrap().listed, 120);
        assert_eq!((years[0].mean_age, years[0].best_ten), (Some(25.0), Some(2677.5)));
    }

    #[test]
    fn a_cut_list_gives_only_figures_above_the_cut() {
        let (list, history) = list(2500.0);
        let known = [ListedPlayer { player: 7, rated: None, born: Some(1965), history: &history }];
        let found = published_pool(&list, &known).unwrap();
        let year = &found.pool.years[1];
        assert_eq!((year.size, year.mean, year.rank_50), (None, None, None));
        assert_eq!((year.best_ten, year.rank_100, year.mean_age), (Some(2677.5), None, None));
    }

    /// The levels that a player reached, and the ages (years).
    fn reached(born: i16, history: &RatingHistory) -> Vec<(f64, f64)> {
        let known = ListedPlayer { player: 0, rated: None, born: Some(born), history };
        known.reached().map(|(_, level, age)| (level, (age * 10.0).round() / 10.0)).collect()
    }

    #[test]
    fn levels_exceeded_on_entry_count_only_for_young_players() {
        let ratings = vec![
            (date(1990, 7, 1), 2310.0),
            (date(1991, 7, 1), 2420.0),
            (date(1992, 1, 1), 2390.0),
        ];
        let history = RatingHistory { system: "Elo".into(), ratings, deviations: Vec::new() };
        // The player of forty entered at 2310; the list of July shows when 2400 was reached.
        assert_eq!(reached(1950, &history), [(2400.0, 41.0)]);
        assert_eq!(reached(1972, &history), [(2300.0, 18.0), (2400.0, 19.0)]);
    }

    #[test]
    fn two_players_of_one_name_are_not_identified() {
        let (list, history) = list(0.0);
        let [one, other] = [7, 8].map(|player| ListedPlayer {
            player,
            rated: Some(3),
            born: None,
            history: &history,
        });
        let alone = published_pool(&list, &[one]).unwrap().half_decades;
        let both = published_pool(&list, &[one, other]).unwrap().half_decades;
        assert_eq!(both, HalfDecades::new(NAME, PoolKind::Published));
        assert_ne!(alone, both);
    }

    #[test]
    fn an_unchanged_rating_does_not_count_as_played() {
        let (_, history) = list(0.0);
        let known = ListedPlayer { player: 7, rated: None, born: None, history: &history };
        assert_eq!(known.on(date(1990, 1, 1)), Some((2300.0, 0.0)));
        assert_eq!(known.on(date(1991, 1, 1)), Some((2410.0, 1.0)));
        assert_eq!(known.on(date(1992, 1, 1)), Some((2410.0, 1.0)));
        assert_eq!(known.on(date(1993, 1, 1)), None, "no longer on the list");
        assert_eq!(known.on(date(1990, 7, 1)), None, "not on an edition of July");
        assert_eq!(known.on(date(1991, 7, 1)), Some((2410.0, 1.0)), "as before and after");
    }
}
