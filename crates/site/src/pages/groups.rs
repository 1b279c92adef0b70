//! Events by decade and players by letter: what the index pages and the pages of groups share.

use std::collections::BTreeMap;

use archive::Archive;

/// Events of one decade.
#[derive(Clone, Debug, PartialEq)]
pub struct Decade {
    /// Its first year; `None` for events without a date.
    pub first: Option<i16>,
    pub events: Vec<usize>,
}

impl Decade {
    pub fn name(&self) -> String {
        self.first.map_or_else(|| "Date unknown".into(), |first| format!("{first}s"))
    }

    pub fn path(&self) -> String {
        format!("decades/{}.html", self.slug())
    }

    pub fn slug(&self) -> String {
        self.first.map_or_else(|| "unknown".into(), |first| format!("{first}s"))
    }
}

/// The decades of all events, earliest first.
pub fn decades(archive: &Archive) -> Vec<Decade> {
    let mut decades: BTreeMap<(bool, Option<i16>), Vec<usize>> = Default::default();
    for (index, record) in archive.records.iter().enumerate() {
        let first = record.event.start.year().map(|year| year - year % 10);
        decades.entry((first.is_none(), first)).or_default().push(index);
    }
    decades.into_iter().map(|((_, first), events)| Decade { first, events }).collect()
}

/// The players on a page of the alphabet, unless as many have the same first two letters.
///
/// Judged: a dozen screens of rows, in which a name is found by scrolling.
const ON_PAGE: usize = 400;

/// Players whose identifiers begin with one letter or figure, or a part of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The letter, as a capital, or the first and the last beginning: `Sa–Sh`.
    pub name: String,
    /// The letter or the first beginning: `s`, `si`.
    pub slug: String,
    /// Places of the players among the archive's rows.
    pub rows: Vec<usize>,
}

impl Letter {
    pub fn path(&self) -> String {
        format!("letters/{}.html", self.slug)
    }
}

/// The letters of all players, in their order.
pub fn letters(archive: &Archive) -> Vec<Letter> {
    let rows = archive.lists.player_rows.iter();
    let ids = rows.map(|row| archive.players.get(row.player).id.as_str());
    letters_of(&ids.collect::<Vec<_>>())
}

/// The letters of some identifiers in alphabetical order.
fn letters_of(ids: &[&str]) -> Vec<Letter> {
    let mut letters = Vec::new();
    let places: Vec<usize> = (0..ids.len()).collect();
    let begin = |place: usize, count: usize| ids[place].get(..count).unwrap_or(ids[place]);
    for letter in places.chunk_by(|a, b| begin(*a, 1) == begin(*b, 1)) {
        let first = letters.len();
        let by_two = letter.chunk_by(|a, b| begin(*a, 2) == begin(*b, 2));
        let parts: Vec<&[usize]> =
            if letter.len() > ON_PAGE { by_two.collect() } else { vec![letter] };
        for part in parts {
            match letters[first..].last_mut() {
                Some(Letter { rows, .. }) if rows.len() + part.len() <= ON_PAGE => {
                    rows.extend_from_slice(part);
                }
                // The address of the letter is that of its first part.
                last => {
                    let count = if last.is_none() { 1 } else { 2 };
                    let slug = begin(part[0], count).to_owned();
                    letters.push(Letter { name: String::new(), slug, rows: part.to_vec() });
                }
            }
        }
        let is_divided = letters.len() > first + 1;
        for letter in &mut letters[first..] {
            let (from, to) = (letter.rows[0], letter.rows[letter.rows.len() - 1]);
            let [from, to] = [from, to].map(|place| capital(begin(place, 2)));
            letter.name = if !is_divided {
                capital(&letter.slug)
            } else if from == to {
                from
            } else {
                format!("{from}–{to}")
            };
        }
    }
    letters
}

/// A beginning of an identifier with a capital, without the hyphen at its end.
fn capital(beginning: &str) -> String {
    let beginning = beginning.trim_end_matches('-');
    let (first, rest) = beginning.split_at(beginning.len().min(1));
    format!("{}{rest}", first.to_ascii_uppercase())
}

#[cfg(test)]
mod letter_tests {
    use super::*;

    #[test]
    fn a_letter_with_many_players_is_divided_by_two_letters() {
        let mut ids: Vec<String> = Vec::new();
        for (beginning, players) in [("ra", 10), ("sa", 300), ("sb", 90), ("sh", 200), ("so", 150)]
        {
            ids.extend((0..players).map(|number| format!("{beginning}-{number:03}")));
        }
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let letters = letters_of(&ids);
        let shown: Vec<(&str, &str, usize)> = letters
            .iter()
            .map(|letter| (letter.name.as_str(), letter.slug.as_str(), letter.rows.len()))
            .collect();
        assert_eq!(shown, [("R", "r", 10), ("Sa–Sb", "s", 390), ("Sh–So", "sh", 350)]);
        let all: usize = letters.iter().map(|letter| letter.rows.len()).sum();
        assert_eq!(all, ids.len());
    }
}
