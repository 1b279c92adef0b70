//! Describes one spelling of a name in the games, with its years, ratings and FIDE numbers.

use super::life::{LONGEST_CAREER, Life};
use super::name::PersonName;
use crate::games::{GameTable, NameId};

/// A spelling after normalisation.
#[derive(Debug)]
pub(super) struct Spelling {
    pub name: PersonName,
    /// The fullest text, for display.
    pub text: String,
    pub texts: Vec<(NameId, String)>,
    /// The life of the only player with this name in the table of names.
    pub life: Option<Life>,
    pub first_year: i16,
    pub last_year: i16,
    pub games: u32,
    /// The highest rating tag (points); 0 if there is none.
    pub best_rating: u16,
    /// The FIDE numbers in the games' tags, each with the number of games.
    pub fide_ids: Vec<(u32, u32)>,
    /// Other names that the texts have, because a file of aliases assigns them.
    pub others: Vec<PersonName>,
}

impl Spelling {
    pub fn new(name: PersonName, text: String, texts: Vec<(NameId, String)>) -> Spelling {
        Spelling {
            name,
            text,
            texts,
            life: None,
            first_year: i16::MAX,
            last_year: i16::MIN,
            games: 0,
            best_rating: 0,
            fide_ids: Vec::new(),
            others: Vec::new(),
        }
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
