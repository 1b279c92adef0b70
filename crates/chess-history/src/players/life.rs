//! Stores the facts about a player's life: titles, federations, and the years of birth and death.

use serde::Serialize;

use crate::wikidata::WikidataId;

/// Facts about a player's life.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Life {
    /// Titles, joined by `+`; empty where there are none.
    pub titles: String,
    /// Federations, earliest first, joined by `/`.
    pub federation: String,
    /// FIDE identification number, if known.
    pub fide_id: Option<u32>,
    /// Year of birth, if known.
    pub born: Option<i16>,
    /// Year of death, if known; `None` for the living.
    pub died: Option<i16>,
    /// Month and day of birth, if both are known.
    pub birthday: Option<(i8, i8)>,
    /// Titles (`GM`) with the years of their award, as far as known.
    pub title_years: Vec<(String, i16)>,
    /// The item of Wikidata about the player, if the table of names has it.
    pub wikidata: Option<WikidataId>,
}

/// The youngest age (years) at which recorded games are possible.
///
/// Judged: no child's games were recorded before. A higher age would leave games of prodigies
/// without their player.
const YOUNGEST_POSSIBLE_AGE: i16 = 5;

/// The greatest age (years) at which recorded games are possible.
///
/// Judged: few players reach it. It matters only for lives without a year of death.
const OLDEST_POSSIBLE_AGE: i16 = 100;

/// The range (years) of plausible ages; outside it the year of birth is ignored.
///
/// Judged: a wrong year of birth usually differs by decades. The few players who
/// played at other ages have no age in those years.
const AGES: std::ops::RangeInclusive<i16> = 8..=90;

/// The longest career (years from the first game to the last).
///
/// Judged: few careers were longer, and those players are in the table of names, whose years decide
/// first. Half as much would split most long careers, twice as much would join three generations.
pub(super) const LONGEST_CAREER: i16 = 65;

impl Life {
    /// Whether the player has this title (`GM`), as far as known.
    pub fn has_title(&self, title: &str) -> bool {
        self.titles.split('+').any(|own| own == title) || self.title_year(title).is_some()
    }

    /// Returns the year in which the player received this title, if known.
    pub fn title_year(&self, title: &str) -> Option<i16> {
        self.title_years.iter().find(|(own, _)| own == title).map(|(_, year)| *year)
    }

    /// Whether the player is a woman: she has a title for women, or the mark `W`.
    pub fn is_woman(&self) -> bool {
        self.titles.split('+').any(|title| title.starts_with('W'))
    }

    /// Returns the age (years) in a year; `None` if the year of birth is unknown or implausible.
    pub fn age(&self, year: i16) -> Option<i16> {
        self.born.map(|born| year - born).filter(|age| AGES.contains(age))
    }

    /// Returns an implausible age (years) in one of these years, if there is one.
    ///
    /// Then the year of birth belongs to another player, or a year is wrong.
    pub fn impossible_age(&self, years: (i16, i16)) -> Option<i16> {
        let born = self.born?;
        [years.0, years.1].into_iter().map(|year| year - born).find(|age| !AGES.contains(age))
    }

    /// Whether a player with this life may have played games in these years.
    pub(super) fn spans(&self, years: Option<(i16, i16)>) -> bool {
        let Some((first, last)) = years else { return true };
        self.born.is_none_or(|born| {
            first >= born + YOUNGEST_POSSIBLE_AGE && last <= born + OLDEST_POSSIBLE_AGE
        }) && self.died.is_none_or(|died| last <= died + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implausible_ages_are_found() {
        let life = Life { born: Some(1900), ..Life::default() };
        assert_eq!(life.impossible_age((1908, 1990)), None);
        assert_eq!(life.impossible_age((1907, 1950)), Some(7));
        assert_eq!(life.impossible_age((1950, 1991)), Some(91));
        assert_eq!(Life::default().impossible_age((1, 3000)), None);
    }
}
