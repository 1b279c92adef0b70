//! Builds the history of a player's ratings on one list.

use jiff::civil::Date;

use super::list::RatingList;
use crate::players::Player;

/// The longest gap (days) between two editions of one plateau of a rating.
///
/// Judged: two years and some weeks, so that one missing edition of a yearly list does not
/// interrupt a history. With double, the ratings of players who stopped and returned would seem to
/// go on.
pub const LONGEST_SILENCE: i32 = 800;

/// The ratings of a player on one list.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingHistory {
    /// Name of the rating system.
    pub system: String,
    /// Ratings (points) by the day of the edition, earliest first.
    ///
    /// Of a row of equal ratings only the first and the last are kept.
    pub ratings: Vec<(Date, f64)>,
    /// Their standard deviations (points); empty unless the list states all of them.
    pub deviations: Vec<f64>,
}

impl RatingHistory {
    /// Returns the rating (points) on the edition of a day; `None` if the player is not on it.
    pub fn on_edition(&self, day: Date) -> Option<f64> {
        let until = self.ratings.partition_point(|(edition, _)| *edition <= day);
        let (last, rating) = *self.ratings.get(until.checked_sub(1)?)?;
        // A history omits the middle of a plateau, and no other ratings.
        let is_rated =
            last == day || self.ratings.get(until).is_some_and(|(_, next)| *next == rating);
        is_rated.then_some(rating)
    }

    /// Returns the rating (points) on a day: the last one before it, unless it is too old.
    pub fn in_force(&self, day: Date) -> Option<f64> {
        let next = self.ratings.partition_point(|(edition, _)| *edition <= day);
        let (edition, rating) = self.ratings.get(next.checked_sub(1)?)?;
        ((day - *edition).get_days() <= LONGEST_SILENCE).then_some(*rating)
    }
}

/// A list sorted by players, for histories of many players.
#[derive(Debug)]
pub struct Histories<'a> {
    list: &'a RatingList,
    /// The position of the first line of each name.
    starts: Vec<u32>,
    lines: Vec<(Date, f64, Option<f32>)>,
}

impl<'a> Histories<'a> {
    /// Sorts a list by players.
    pub fn new(list: &'a RatingList) -> Histories<'a> {
        let mut starts = vec![0u32; list.names.all().len() + 1];
        for (_, name, ..) in list.lines() {
            starts[name as usize + 1] += 1;
        }
        for name in 1..starts.len() {
            starts[name] += starts[name - 1];
        }
        let mut next = starts.clone();
        let mut lines = vec![(Date::ZERO, 0.0, None); list.len()];
        for (day, name, rating, deviation) in list.lines() {
            let place = &mut next[name as usize];
            lines[*place as usize] = (day, rating, deviation);
            *place += 1;
        }
        Histories { list, starts, lines }
    }

    /// Returns the history of a player; `None` if no edition has a line that is certainly the
    /// player's.
    ///
    /// [`super::Edition::find_player`] describes how the line is chosen.
    pub fn player(&self, player: &Player) -> Option<RatingHistory> {
        let mut lines: Vec<(Date, u8, f64, Option<f32>)> = Vec::new();
        for (certainty, names) in (0..).zip(self.names(player)) {
            for name in names {
                let place = name as usize;
                let range = self.starts[place] as usize..self.starts[place + 1] as usize;
                let of_name = self.lines[range].iter();
                lines.extend(
                    of_name.map(|(day, points, deviation)| (*day, certainty, *points, *deviation)),
                );
            }
        }
        lines.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let mut ratings: Vec<(Date, f64)> = Vec::new();
        let mut deviations: Vec<Option<f64>> = Vec::new();
        for of_day in lines.chunk_by(|a, b| a.0 == b.0) {
            let (day, certainty, rating, deviation) = of_day[0];
            let deviation = deviation.map(f64::from);
            let best = of_day.iter().take_while(|line| line.1 == certainty);
            if best.clone().all(|line| line.2 == rating) {
                // The middle of a plateau is omitted.
                if let [.., (first, before), (last, same)] = &mut ratings[..]
                    && *before == rating
                    && *same == rating
                    && (day - *first).get_days() <= LONGEST_SILENCE
                {
                    *last = day;
                    deviations.pop();
                } else {
                    ratings.push((day, rating));
                }
                deviations.push(deviation);
            }
        }
        let deviations = deviations.into_iter().collect::<Option<Vec<f64>>>().unwrap_or_default();
        if ratings.is_empty() {
            return None;
        }
        Some(RatingHistory { system: self.list.system.clone(), ratings, deviations })
    }

    /// Returns a player's year of birth, if the list states it. The player's lines have the FIDE
    /// number, or else the exact name; they must agree.
    pub fn born(&self, player: &Player) -> Option<i16> {
        let [by_id, same, _] = self.names(player);
        [by_id, same].into_iter().find_map(|names| {
            let mut births = names.into_iter().filter_map(|name| self.list.born(name));
            let first = births.next()?;
            births.all(|born| born == first).then_some(first)
        })
    }

    /// Returns the numbers of the names on the list that may be a player's: those with the FIDE
    /// number, those with the same name, and those with a compatible one.
    fn names(&self, player: &Player) -> [Vec<u32>; 3] {
        let Player { names, fide_ids, .. } = player;
        let listed = &self.list.names;
        [
            listed.with_fide_ids(fide_ids),
            listed.similar(names, fide_ids, |mine, theirs| mine.given == theirs.given),
            listed.similar(names, fide_ids, |mine, theirs| mine.given_compatible(theirs, false)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::PersonName;
    use crate::ratings::RatingListLine;
    use jiff::civil::date;

    fn player(name: &str, fide_id: u32) -> Player {
        Player {
            id: String::new(),
            name: name.into(),
            surname: String::new(),
            surname_with_initials: String::new(),
            fullest_spelling: name.into(),
            spellings: vec![name.into()],
            also_called: Vec::new(),
            names: vec![PersonName::parse(name)],
            fide_ids: vec![fide_id],
            years: None,
            life: None,
        }
    }

    #[test]
    fn a_history_joins_initials_names_and_numbers_and_omits_doubtful_editions() {
        let mut list = RatingList::new("Elo");
        for (year, name, fide_id, rating) in [
            (1988, "Smith,J.", 0, 2400.0),
            (1989, "Smith,J.", 0, 2410.0),
            (1990, "Smith, John", 0, 2420.0),
            (1990, "Smith, Jack", 0, 2300.0),
            (1991, "Smith, J", 0, 2430.0),
            (1991, "Smith,Jo", 0, 2200.0),
            (2000, "Smith, John", 7, 2440.0),
            (2000, "Smith, John", 8, 2000.0),
            (2001, "Smith, John", 7, 2440.0),
            (2002, "Smith, John", 7, 2440.0),
        ] {
            let fide_id = Some(fide_id).filter(|id| *id > 0);
            let line = RatingListLine { fide_id, ..RatingListLine::new(name, rating) };
            list.add(date(year, 1, 1), line);
        }
        let histories = Histories::new(&list);
        let history = histories.player(&player("Smith, John", 7)).expect("he is on the list");
        let found: Vec<(i16, f64)> =
            history.ratings.iter().map(|(day, rating)| (day.year(), *rating)).collect();
        assert_eq!(
            found,
            [(1988, 2400.0), (1989, 2410.0), (1990, 2420.0), (2000, 2440.0), (2002, 2440.0)]
        );
        assert!(histories.player(&player("Brown, John", 0)).is_none());
    }
    #[test]
    fn a_birth_needs_the_number_or_the_exact_name_and_no_contradiction() {
        let mut list = RatingList::new("Elo");
        for (name, fide_id, born) in [
            ("Smith, John", Some(7), Some(1970)),
            ("Smith, John", Some(8), Some(1950)),
            ("Brown, Anna", None, Some(1960)),
            ("Brown, Anna", Some(9), Some(1961)),
            ("Grey, B", None, Some(1940)),
        ] {
            let line = RatingListLine { fide_id, born, ..RatingListLine::new(name, 2400.0) };
            list.add(date(2003, 1, 1), line);
        }
        let histories = Histories::new(&list);
        assert_eq!(histories.born(&player("Smith, John", 7)), Some(1970));
        assert_eq!(histories.born(&player("Brown, Anna", 9)), Some(1961));
        assert_eq!(histories.born(&player("Grey, Betty", 0)), None);
    }
}
