//! The pool of a published list over the years: FIDE's.

use jiff::civil::Date;

use super::pools::{FirstAt, HalfDecades, Pool, PoolKind, first_at};
use crate::ratings::{RatingHistory, RatingList};
use crate::systems::pool::{Member, age_in, pool_years};

/// As tables name it; our own Elo is another.
const NAME: &str = "FIDE";

/// Players whom an edition has at least to be a pool.
const POOL: usize = 100;

/// Somebody of the games who stands on the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    /// Number of the player among those of the games.
    pub player: u32,
    /// Number among those of the results that the computed systems rate.
    pub rated: Option<u32>,
    /// Year of birth.
    pub born: Option<i16>,
    /// His ratings.
    pub history: &'a RatingHistory,
}

impl Known<'_> {
    /// His rating (points) on an edition, if he stands on it, and how often it had changed until then: a list tells no games, but who plays hardly
    /// keeps his rating.
    fn on(&self, day: Date) -> Option<(f64, f64)> {
        let ratings = &self.history.ratings;
        ratings.last().filter(|(last, _)| *last >= day)?;
        let rating = self.history.in_force(day)?;
        let until = ratings.partition_point(|(edition, _)| *edition <= day);
        let changes = ratings[..until].windows(2).filter(|two| two[0].1 != two[1].1).count();
        Some((rating, changes as f64))
    }
}

/// The pool of the first edition of each January, when players first reached levels there, and what they were rated.
#[derive(Clone, Debug)]
pub(super) struct PublishedPool {
    pub pool: Pool,
    pub first_at: Vec<FirstAt>,
    pub half_decades: HalfDecades,
}

/// The pool of a list, of which the players of the games are known; `None` where it has no two editions of players enough. Whoever plays in the
/// games stands on what is read of a list wherever he is rated, so that he can be watched even where the list is cut.
pub(super) fn published_pool(list: &RatingList, known: &[Known]) -> Option<PublishedPool> {
    let mut editions: Vec<(Date, Vec<Member>)> = Vec::new();
    for (day, number, rating, _) in list.lines().filter(|(day, ..)| day.month() == 1) {
        if editions.last().is_none_or(|(last, _)| last.year() < day.year()) {
            editions.push((day, Vec::new()));
        }
        let Some((_, members)) = editions.last_mut().filter(|(last, _)| *last == day) else {
            continue;
        };
        let player = list.bearer(number);
        members.push(Member { player, rating, played: None, is_established: true, age: None });
    }
    editions.retain_mut(|(_, members)| {
        members.sort_by_key(|member| member.player);
        members.dedup_by_key(|member| member.player);
        members.len() >= POOL
    });
    if editions.len() < 2 {
        return None;
    }
    let mut half_decades = HalfDecades::of(NAME, PoolKind::Published);
    let mut watched: Vec<(i16, Vec<Member>)> = Vec::with_capacity(editions.len());
    for (day, _) in &editions {
        let mut members = Vec::new();
        for one in known {
            let Some((rating, changes)) = one.on(*day) else { continue };
            let (played, age) = (Some(changes), age_in(day.year(), one.born));
            members.push(Member { player: one.player, rating, played, is_established: true, age });
            if let Some(rated) = one.rated {
                half_decades.add(day.year(), rated, rating);
            }
        }
        members.sort_by_key(|member| member.player);
        watched.push((day.year(), members));
    }
    let days: Vec<Date> = editions.iter().map(|(day, _)| *day).collect();
    let all: Vec<(i16, Vec<Member>)> =
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
    // Who stood on the first list of all may have had his rating for long.
    let first = list.lines().map(|(day, ..)| day).next();
    let mut early: Vec<u32> = known
        .iter()
        .filter(|one| one.history.ratings.first().map(|(day, _)| *day) == first)
        .map(|one| one.player)
        .collect();
    early.sort_unstable();
    for (_, members) in &mut watched {
        members.retain(|member| early.binary_search(&member.player).is_err());
    }
    let pool = Pool { system: NAME, kind: PoolKind::Published, years, ..Pool::default() };
    Some(PublishedPool { pool, first_at: first_at(&watched), half_decades })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::Line;
    use jiff::civil::date;

    /// A list of 120 players in three years, from 2700 down in steps of five; the last is the one who is known.
    fn list(cut: f64) -> (RatingList, RatingHistory) {
        let mut list = RatingList::default();
        let mut ratings = Vec::new();
        for (year, own) in [(1990, 2300.0), (1991, 2410.0), (1992, 2410.0)] {
            let day = date(year, 1, 1);
            for place in 0..119 {
                let line = Line::new(format!("Player{place}, A"), 2700.0 - 5.0 * f64::from(place));
                list.add(day, line);
            }
            list.add(day, Line::new("Known, B", own));
            ratings.push((day, own));
            list.set_complete_from(day, cut);
        }
        let history = RatingHistory { system: "Elo".into(), ratings, deviations: Vec::new() };
        (list, history)
    }

    #[test]
    fn of_a_whole_list_everything_is_told() {
        let (list, history) = list(0.0);
        let known = [Known { player: 7, rated: Some(3), born: Some(1965), history: &history }];
        let found = published_pool(&list, &known).unwrap();
        let years = &found.pool.years;
        assert_eq!(years.iter().map(|year| year.year).collect::<Vec<_>>(), [1990, 1991, 1992]);
        assert_eq!(years[0].size.unwrap().listed, 120);
        assert_eq!((years[0].mean_age, years[0].best_ten), (Some(25.0), Some(2677.5)));
    }

    #[test]
    fn of_a_cut_list_only_what_is_above_the_cut() {
        let (list, history) = list(2500.0);
        let known = [Known { player: 7, rated: None, born: Some(1965), history: &history }];
        let found = published_pool(&list, &known).unwrap();
        let year = &found.pool.years[1];
        assert_eq!((year.size, year.mean, year.rank_50), (None, None, None));
        assert_eq!((year.best_ten, year.rank_100, year.mean_age), (Some(2677.5), None, None));
    }

    #[test]
    fn who_stood_on_the_first_list_reached_no_level_there() {
        let (list, mut history) = list(0.0);
        let of = |history: &RatingHistory| {
            let known = [Known { player: 7, rated: None, born: Some(1965), history }];
            published_pool(&list, &known).unwrap().first_at
        };
        assert_eq!(of(&history), []);
        history.ratings.remove(0);
        let found = of(&history);
        assert_eq!(
            found.iter().map(|one| one.level).collect::<Vec<_>>(),
            [2300.0, 2300.0, 2400.0, 2400.0]
        );
        assert!(found.iter().all(|one| one.ages.quartiles[1] == 26.0));
    }

    #[test]
    fn a_rating_that_did_not_change_was_not_played_for() {
        let (_, history) = list(0.0);
        let known = Known { player: 7, rated: None, born: None, history: &history };
        assert_eq!(known.on(date(1990, 1, 1)), Some((2300.0, 0.0)));
        assert_eq!(known.on(date(1991, 1, 1)), Some((2410.0, 1.0)));
        assert_eq!(known.on(date(1992, 1, 1)), Some((2410.0, 1.0)));
        assert_eq!(known.on(date(1993, 1, 1)), None, "he is no longer on it");
    }
}
