//! What is known of a person besides games.

use serde::Serialize;

/// What is known of a person besides games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Life {
    /// Titles, joined by `+`; empty where there are none.
    pub titles: String,
    /// Federations, earliest first, joined by `/`.
    pub federation: String,
    /// FIDE's identification number, if known.
    pub fide_id: Option<u32>,
    /// Year of birth.
    pub born: Option<i16>,
    /// Year of death.
    pub died: Option<i16>,
    /// Month and day of birth, where both are known.
    pub birthday: Option<(i8, i8)>,
    /// Titles (`GM`) with the years of their award, as far as these are known.
    pub title_years: Vec<(String, i16)>,
}

/// Age at which somebody may play his first game that is kept.
const YOUNGEST: i16 = 5;

/// Age that nobody plays beyond.
const OLDEST: i16 = 100;

/// Ages between which somebody's age counts; else his birth is taken as unknown.
const AGES: std::ops::RangeInclusive<i16> = 8..=90;

impl Life {
    /// Whether he has this title (`GM`), as far as it is known.
    pub fn has_title(&self, title: &str) -> bool {
        self.titles.split('+').any(|own| own == title) || self.title_year(title).is_some()
    }

    /// The year in which he was given this title, if it is known.
    pub fn title_year(&self, title: &str) -> Option<i16> {
        self.title_years.iter().find(|(own, _)| own == title).map(|(_, year)| *year)
    }

    /// Whether a woman: a title of women says so, or the sign `W`.
    pub fn is_woman(&self) -> bool {
        self.titles.split('+').any(|title| title.starts_with('W'))
    }

    /// His age in a year; `None` where the birth is not known, or cannot be right.
    pub fn age(&self, year: i16) -> Option<i16> {
        self.born.map(|born| year - born).filter(|age| AGES.contains(age))
    }

    /// The age in one of these years at which nobody plays: then the birth is somebody else's, or a year is wrong.
    pub fn impossible_age(&self, years: (i16, i16)) -> Option<i16> {
        let born = self.born?;
        [years.0, years.1].into_iter().map(|year| year - born).find(|age| !AGES.contains(age))
    }

    /// Whether games of these years may have been played in it.
    pub(super) fn spans(&self, years: Option<(i16, i16)>) -> bool {
        let Some((first, last)) = years else { return true };
        self.born.is_none_or(|born| first >= born + YOUNGEST && last <= born + OLDEST)
            && self.died.is_none_or(|died| last <= died + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_that_nobody_plays_at() {
        let life = Life { born: Some(1900), ..Life::default() };
        assert_eq!(life.impossible_age((1908, 1990)), None);
        assert_eq!(life.impossible_age((1907, 1950)), Some(7));
        assert_eq!(life.impossible_age((1950, 1991)), Some(91));
        assert_eq!(Life::default().impossible_age((1, 3000)), None);
    }
}
