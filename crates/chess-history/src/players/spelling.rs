//! Describes one spelling of a name in the games, with its years, ratings and FIDE numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::DISTINCTIVE_RATING;
use super::life::{LONGEST_CAREER, Life};
use super::name::PersonName;
use crate::games::{GameTable, NameId};

/// The number of years within which activity and rating tags are compared.
///
/// Judged: a source may lack a player's games of a year or two. With six, ratings of young players
/// say nothing; with one, most spellings of few games have no year in common.
pub(super) const NEAR_YEARS: i16 = 3;

/// The greatest median difference (points) between the rating tags of one player's spellings, in
/// nearby years.
///
/// Judged: neighbouring lists differ by some ten points. With sixty, namesakes of one strength are
/// joined; with fifteen, tags of two lists contradict each other.
const SAME_RATING: f64 = 30.0;

/// The smallest median difference (points) that distinguishes two players.
///
/// Judged: few players gain so much within a year, and those who do are young. With fifty, they
/// would be two players; with two hundred, most namesakes would be possible.
const OTHER_RATING: f64 = 100.0;

/// The change (points) of a player's rating in a year.
///
/// Judged: masters change by ten to twenty points. It widens what counts as a continued rating, so
/// twice as much joins namesakes after a break of years.
const YEARLY_CHANGE: f64 = 15.0;

/// The loss (points) in a year that very few players have.
///
/// Judged: half more than [`OTHER_RATING`], because one bad year is possible. With 300, an initial
/// would be that of a much stronger player.
const YEARLY_LOSS: f64 = 150.0;

/// The loss (points) in any number of years that the age of a player does not explain.
///
/// Judged: masters lose some ten points a year after forty, so 350 points are 35 years. With 175,
/// veterans would be divided.
const COLLAPSE: f64 = 350.0;

/// The number of games of a player whose given name another may misspell.
///
/// Judged: some five events, as for a wrong letter in a surname. With few games the other name may
/// be the right one.
const WELL_KNOWN: u32 = 50;

/// How many times as many games as the misspelt name the player has.
///
/// Judged: with two, brothers with similar names would be joined; with ten, a typo in an event of
/// each year would stay apart.
const BETTER_KNOWN: u32 = 5;

/// The number of years over which a rating may continue.
///
/// Judged: after twelve years the allowed change exceeds the difference of two players.
const LONG_BREAK: i16 = 6;

/// A spelling after normalisation.
#[derive(Debug)]
pub(super) struct Spelling {
    /// The name, changed by [`rename`](Spelling::rename) only.
    pub name: PersonName,
    /// The fullest text, for display.
    pub text: String,
    pub texts: Vec<(NameId, String)>,
    /// The life of the only player with this name in the table of names.
    pub life: Option<Life>,
    pub first_year: i16,
    pub last_year: i16,
    pub games: u32,
    pub ratings: RatingTags,
    /// The FIDE numbers in the games' tags, each with the number of games.
    pub fide_ids: Vec<(u32, u32)>,
    /// The name without the number by which lists distinguish namesakes.
    plain: PersonName,
    /// The number by which lists distinguish the name from namesakes.
    number: Option<String>,
    /// Other names that the texts have, because a file of aliases assigns them.
    pub others: Vec<PersonName>,
}

impl Spelling {
    pub fn new(name: PersonName, text: String, texts: Vec<(NameId, String)>) -> Spelling {
        Spelling {
            plain: name.without_numbers(),
            number: name.numbers().map(str::to_owned),
            name,
            text,
            texts,
            life: None,
            first_year: i16::MAX,
            last_year: i16::MIN,
            games: 0,
            ratings: RatingTags::default(),
            fide_ids: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Returns the name, and other names that the texts have.
    pub fn names(&self) -> impl Iterator<Item = &PersonName> + Clone {
        std::iter::once(&self.name).chain(&self.others)
    }

    /// Replaces the name by another reading of the texts.
    pub fn rename(&mut self, name: PersonName) {
        self.plain = name.without_numbers();
        self.number = name.numbers().map(str::to_owned);
        self.name = name;
    }

    /// Whether both were active in the same years, or at most this many years apart.
    pub fn is_active_with(&self, other: &Spelling, years: i16) -> bool {
        self.first_year.saturating_sub(years) <= other.last_year
            && other.first_year.saturating_sub(years) <= self.last_year
    }

    /// Whether the years of both fit into one career.
    pub fn is_one_career_with(&self, other: &Spelling) -> bool {
        let (first, last) =
            (self.first_year.min(other.first_year), self.last_year.max(other.last_year));
        if first > last {
            return true;
        }
        let lives: Vec<&Life> =
            [self, other].into_iter().filter_map(|one| one.life.as_ref()).collect();
        if lives.is_empty() {
            last.saturating_sub(first) <= LONGEST_CAREER
        } else {
            lives.iter().all(|life| life.spans(Some((first, last))))
        }
    }

    /// Whether the given names, the numbers of lists and the years may be one player's if other
    /// evidence supports it.
    ///
    /// The numbers by which lists distinguish namesakes are ignored (`Hoffmann,Micha1`), and one
    /// letter may differ (`Mexime` for `Maxime`).
    pub fn given_names_agree(&self, other: &Spelling) -> bool {
        if self.name.given.is_empty() || other.name.given.is_empty() {
            // A bare surname is never joined with another name.
            return false;
        }
        let (mine, theirs) = (&self.plain, &other.plain);
        let numbers_differ =
            self.number.is_some() && other.number.is_some() && self.number != other.number;
        let is_misspelt = match (&mine.given[..], &theirs.given[..]) {
            ([mine], [theirs]) => differ_by_a_later_letter(mine, theirs),
            _ => self.misspells_given_name_of(other),
        };
        !numbers_differ
            && self.is_one_career_with(other)
            && (mine.given_compatible(theirs, false) || is_misspelt || self.may_be_called(other))
    }

    /// Whether the given name seems to be that of a much better known player with a wrong letter.
    ///
    /// `games` are those of that player.
    pub fn misspells(&self, known: &Spelling, games: u32) -> bool {
        self.ratings.is_empty()
            && games >= WELL_KNOWN.max(BETTER_KNOWN * self.games)
            && self.misspells_given_name_of(known)
    }

    /// Whether the first given names differ in one letter, and nothing else distinguishes the
    /// names.
    ///
    /// The first and the last letters are right: Mario is not Maria.
    pub fn misspells_given_name_of(&self, other: &Spelling) -> bool {
        let ([wrong, mine @ ..], [right, theirs @ ..]) =
            (&self.plain.given[..], &other.plain.given[..])
        else {
            return false;
        };

        self.number.is_none()
            && other.number.is_none()
            && wrong.chars().next_back() == right.chars().next_back()
            && differ_by_a_later_letter(wrong, right)
            && mine.iter().zip(theirs).all(|(mine, theirs)| {
                mine.starts_with(theirs.as_str()) || theirs.starts_with(mine.as_str())
            })
            && self.is_one_career_with(other)
    }

    /// Whether both have one second given name in full.
    pub fn has_second_name_of(&self, other: &Spelling) -> bool {
        const WHOLE: usize = 4;
        let [mine, theirs] = [self, other].map(|one| one.plain.given.get(1));
        mine.is_some_and(|name| name.len() >= WHOLE) && mine == theirs
    }

    /// Whether another name that the texts of one have may be a name of the other.
    fn may_be_called(&self, other: &Spelling) -> bool {
        (!self.others.is_empty() || !other.others.is_empty())
            && self
                .names()
                .any(|mine| other.names().any(|theirs| mine.given_compatible(theirs, false)))
    }

    /// Whether a list distinguishes the name from namesakes by this number (`Olafsson,H1`).
    pub fn is_numbered(&self, number: &str) -> bool {
        self.number.as_deref() == Some(number)
    }

    /// Returns the number of a later bearer of the name; `None` for the first one.
    ///
    /// A year after a name (`Wiersma, Eelke1995`) is that in which a list met it first.
    fn later_number(&self) -> Option<&str> {
        self.number.as_deref().filter(|number| *number != "1" && number.len() != 4)
    }

    /// Whether a list counts the player as a later bearer of the name (`Galic,I2`).
    pub fn is_later_bearer(&self) -> bool {
        self.later_number().is_some()
    }

    /// Whether the given names are compatible, and both names are the same bearer's by number.
    pub fn is_same_bearer_as(&self, other: &Spelling) -> bool {
        self.later_number() == other.later_number()
            && self.plain.given_compatible(&other.plain, false)
    }

    /// Whether both have one given name in full, and are the first bearer of it, as a list may say
    /// with a number.
    ///
    /// A number after an initial means that the list has a namesake with another given name, who
    /// may be meant by the initial alone.
    pub fn is_named_as(&self, other: &Spelling) -> bool {
        const SHORT: usize = 2;
        self.plain == other.plain
            && self.plain.given.first().is_some_and(|word| word.len() > SHORT)
            && self.is_same_bearer_as(other)
    }

    /// Whether a list counts both as the same later bearer of a name: `Gurevich,Mi2` and
    /// `Gurevich,Mikhail2`.
    ///
    /// The number after a single initial may count players of all given names.
    pub fn is_numbered_as(&self, other: &Spelling) -> bool {
        const SHORT: usize = 2;
        self.is_later_bearer()
            && self.is_same_bearer_as(other)
            && [self, other]
                .iter()
                .all(|one| one.plain.given.first().is_some_and(|word| word.len() >= SHORT))
    }

    /// Whether the number of a list is after a single initial (`Ismagambetov,A2`), so it may count
    /// players of all given names with that letter.
    pub fn counts_an_initial(&self) -> bool {
        self.number.is_some() && self.plain.given.first().is_some_and(|word| word.len() == 1)
    }

    /// Whether a list distinguishes the name from namesakes by another number.
    pub fn is_numbered_otherwise_than(&self, number: &str) -> bool {
        self.number.as_deref().is_some_and(|own| own != number)
    }

    /// Returns the surnames under which similar ones are searched: that of the name, and those of
    /// the texts, which may be aliases.
    ///
    /// Folding replaces `oe` by `o`, which is wrong in a typo (`Bisguoer`). So surnames as written
    /// count too.
    pub fn surnames(&self) -> BTreeSet<String> {
        let mut surnames: BTreeSet<String> = self.names().map(PersonName::surname_key).collect();
        let written = self.texts.iter().filter_map(|(_, text)| Some(text.split_once(',')?.0));
        for surname in written.filter(|surname| surname.is_ascii()) {
            let letters = surname.chars().filter(|letter| letter.is_alphanumeric());
            surnames.insert(letters.map(|letter| letter.to_ascii_lowercase()).collect());
        }
        surnames
    }

    /// Returns the highest rating tag (points); 0 if there is none.
    pub fn best_rating(&self) -> u16 {
        self.ratings.by_year.values().flatten().map(|(value, _)| *value).max().unwrap_or(0)
    }

    /// Returns the lowest rating tag (points), if there is one.
    pub fn lowest_rating(&self) -> Option<u16> {
        self.ratings.by_year.values().flatten().map(|(value, _)| *value).min()
    }

    /// Returns the number of games with a FIDE number.
    pub fn games_with_number(&self) -> u32 {
        self.fide_ids.iter().map(|(_, games)| games).sum()
    }

    /// Returns the FIDE number of at least nine in ten of the games with one.
    pub fn fide_id(&self) -> Option<u32> {
        let (id, games) = self.fide_ids.iter().max_by_key(|(id, games)| (*games, *id))?;
        (games * 10 >= self.games_with_number() * 9).then_some(*id)
    }
}

/// Whether two given names are long and differ in one letter, but not in the first one.
fn differ_by_a_later_letter(one: &str, other: &str) -> bool {
    // Judged: shorter names that differ in a letter are two names (`Jana`, `Jane`).
    const LONG: usize = 5;
    one.len() >= LONG
        && other.len() >= LONG
        // Goran is not Zoran.
        && one.as_bytes()[0] == other.as_bytes()[0]
        && strsim::levenshtein(one, other) <= 1
}

/// The rating tags of some spellings, by year; each value has its number of games.
#[derive(Clone, Debug, Default)]
pub(super) struct RatingTags {
    by_year: BTreeMap<i16, Vec<(u16, u32)>>,
}

impl RatingTags {
    pub fn from_spellings<'a>(spellings: impl IntoIterator<Item = &'a Spelling>) -> RatingTags {
        let mut by_year: BTreeMap<i16, Vec<(u16, u32)>> = BTreeMap::new();
        for (year, values) in spellings.into_iter().flat_map(|one| &one.ratings.by_year) {
            by_year.entry(*year).or_default().extend(values);
        }
        RatingTags { by_year }
    }

    /// Counts a tag (points) of a year.
    pub fn add(&mut self, year: i16, value: u16) {
        let values = self.by_year.entry(year).or_default();
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, games)) => *games += 1,
            None => values.push((value, 1)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.by_year.is_empty()
    }

    /// Returns the year of the highest tag; the last one of several.
    pub fn year_of_best(&self) -> Option<i16> {
        let best = self
            .by_year
            .iter()
            .filter_map(|(year, values)| {
                Some((values.iter().map(|(value, _)| *value).max()?, *year))
            })
            .max();
        best.map(|(_, year)| year)
    }

    /// Whether both have nearly the same tags in the same years (`true`), or very different ones
    /// (`false`).
    ///
    /// `None` if the tags cannot be compared, or neither holds.
    pub fn agree(&self, other: &RatingTags) -> Option<bool> {
        let mut all_years: Vec<f64> = Vec::new();
        let mut same_year: Vec<f64> = Vec::new();
        for (year, values) in &self.by_year {
            // The nearest year with tags.
            let years = other.by_year.range(year - NEAR_YEARS..=year + NEAR_YEARS);
            let Some((found, others)) = years.min_by_key(|(other, _)| (*other - year).abs()) else {
                continue;
            };
            let difference = (mean(values) - mean(others)).abs();
            all_years.push(difference);
            if found == year {
                same_year.push(difference);
            }
        }

        // Young players gain a hundred points in a year, so tags of other years are weaker evidence
        // against.
        match (upper_median(all_years), upper_median(same_year)) {
            (_, Some(difference)) if difference >= OTHER_RATING => Some(false),
            (Some(difference), None) if difference >= 2.0 * OTHER_RATING => Some(false),
            (Some(difference), _) | (_, Some(difference)) if difference <= SAME_RATING => {
                Some(true)
            }
            _ => None,
        }
    }

    /// Whether both have tags of the same years, all of them other ones.
    pub fn differs(&self, other: &RatingTags) -> bool {
        let mut have_a_common_year = false;
        for (year, mine) in &self.by_year {
            let Some(theirs) = other.by_year.get(year) else { continue };
            have_a_common_year = true;
            let has_equal = mine.iter().any(|(value, _)| {
                theirs.iter().any(|(other, _)| f64::from(value.abs_diff(*other)) <= SAME_RATING)
            });
            if has_equal {
                return false;
            }
        }
        have_a_common_year
    }

    /// Returns the difference (points) between the two nearest years, one of each.
    ///
    /// `None` if either has no tags.
    pub fn distance(&self, other: &RatingTags) -> Option<f64> {
        self.nearest(other).map(|(_, points)| points)
    }

    /// Returns the distance of the two nearest years, one of each, and the difference (points).
    fn nearest(&self, other: &RatingTags) -> Option<(i16, f64)> {
        let pairs = self.by_year.iter().flat_map(|(year, mine)| {
            other.by_year.iter().map(move |(other, theirs)| ((year - other).abs(), mine, theirs))
        });
        let (years, mine, theirs) = pairs.min_by_key(|(years, ..)| *years)?;
        Some((years, (mean(mine) - mean(theirs)).abs()))
    }

    /// Whether later ratings of one are so far below earlier ones of the other that age does not
    /// explain it.
    ///
    /// Young players gain a hundred points in a year, but very few players lose as much.
    pub fn falls_to(&self, other: &RatingTags) -> bool {
        [(self, other), (other, self)].into_iter().any(|(before, after)| {
            after.by_year.iter().any(|(year, values)| {
                let last = before.by_year.range(..year).next_back();
                last.is_some_and(|(last, earlier)| {
                    let most = if year - last == 1 { YEARLY_LOSS } else { COLLAPSE };
                    mean(earlier) - mean(values) >= most
                })
            })
        })
    }

    /// Whether one may continue the other.
    ///
    /// Their ratings agree, or differ by at most the amount that a player's rating changes
    /// between the nearest years. A young player gains more in a year; but then the last rating of
    /// one year is near the first of the next.
    pub fn continues(&self, other: &RatingTags) -> bool {
        if let Some(agree) = self.agree(other) {
            return agree;
        }
        let Some((years, points)) = self.nearest(other) else { return false };
        years > 0
            && years <= LONG_BREAK
            && (points <= SAME_RATING + YEARLY_CHANGE * f64::from(years)
                || (years == 1 && self.closest(other) <= YEARLY_CHANGE as u16))
    }

    /// Returns the smallest difference (points) of tags of neighbouring years.
    pub fn closest(&self, other: &RatingTags) -> u16 {
        let mut closest = u16::MAX;
        for (year, mine) in &self.by_year {
            for (theirs, _) in other.by_year.range(year - 1..=year + 1).flat_map(|(_, tags)| tags) {
                for (value, _) in mine {
                    closest = closest.min(value.abs_diff(*theirs));
                }
            }
        }
        closest
    }

    /// Whether both have identical values in the same years.
    ///
    /// It takes two such years, or one with a high rating, and fewer years with values that are far
    /// from each other.
    pub fn identical(&self, other: &RatingTags) -> bool {
        let (mut same, mut strong, mut different) = (0, 0, 0);
        for (year, mine) in &self.by_year {
            let Some(theirs) = other.by_year.get(year) else { continue };
            let shared = mine
                .iter()
                .map(|(value, _)| *value)
                .filter(|value| theirs.iter().any(|(other, _)| other == value));
            match shared.max() {
                Some(value) => {
                    same += 1;
                    strong += u32::from(value >= DISTINCTIVE_RATING);
                }
                // A list that is a month older has nearly the same values.
                None => different += u32::from((mean(mine) - mean(theirs)).abs() > SAME_RATING),
            }
        }
        (same >= 2 || strong >= 1) && same > different
    }

    /// Whether both have an identical value in a year, and more such years than years with values
    /// that are far from each other.
    pub fn share_a_value(&self, other: &RatingTags) -> bool {
        let (mut same, mut different) = (0, 0);
        for (year, mine) in &self.by_year {
            let Some(theirs) = other.by_year.get(year) else { continue };
            if mine.iter().any(|(value, _)| theirs.iter().any(|(other, _)| other == value)) {
                same += 1;
            } else if (mean(mine) - mean(theirs)).abs() > SAME_RATING {
                different += 1;
            }
        }
        same > different
    }
}

/// Returns the median of some numbers, the greater one of two; `None` if there are none.
fn upper_median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// Returns the mean of the rating tags of a year (points).
fn mean(values: &[(u16, u32)]) -> f64 {
    let (sum, count) = values.iter().fold((0, 0), |(sum, count), (value, games)| {
        (sum + u32::from(*value) * games, count + games)
    });
    f64::from(sum) / f64::from(count)
}

/// The spelling of each name of the table.
#[derive(Debug)]
pub(super) struct NameIndex {
    spellings: Vec<u32>,
}

impl NameIndex {
    pub fn new(table: &GameTable, spellings: &[Spelling]) -> NameIndex {
        let mut index = NameIndex { spellings: vec![u32::MAX; table.names.len()] };
        for (number, spelling) in (0..).zip(spellings) {
            for (name, _) in &spelling.texts {
                index.spellings[name.index()] = number;
            }
        }
        index
    }

    /// Returns the spelling of a name; `None` if the text does not name a player.
    pub fn get(&self, name: NameId) -> Option<usize> {
        let number = self.spellings[name.index()];
        (number != u32::MAX).then_some(number as usize)
    }
}

/// Returns the first and the last year of the games of a group, if any is known.
pub(super) fn years_of_group(spellings: &[Spelling], group: &[usize]) -> Option<(i16, i16)> {
    let (mut first, mut last) = (i16::MAX, i16::MIN);
    for &index in group {
        first = first.min(spellings[index].first_year);
        last = last.max(spellings[index].last_year);
    }
    (first <= last).then_some((first, last))
}
