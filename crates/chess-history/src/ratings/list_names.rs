//! The names on a rating list.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::players::PersonName;

/// The numbered names of lists. Lists of the same players may share them.
#[derive(Clone, Debug, Default)]
pub struct ListNames {
    names: Vec<ListName>,
    /// The numbers of names by text and FIDE number.
    numbers: FxHashMap<(String, Option<u32>), u32>,
    by_surname: FxHashMap<String, Vec<u32>>,
    by_fide_id: FxHashMap<u32, Vec<u32>>,
}

/// A name as a list writes it. Most names are on many editions.
#[derive(Clone, Debug)]
pub(super) struct ListName {
    pub text: String,
    pub fide_id: Option<u32>,
    pub readings: Vec<PersonName>,
}

impl ListNames {
    /// Returns the number of a name, and assigns one to a new name.
    pub fn number_of(&mut self, text: &str, fide_id: Option<u32>) -> u32 {
        if let Some(number) = self.known_number(text, fide_id) {
            return number;
        }
        let number = self.names.len() as u32;
        let readings = PersonName::readings(text);
        for reading in &readings {
            let of_surname = self.by_surname.entry(reading.surname_key()).or_default();
            if of_surname.last() != Some(&number) {
                of_surname.push(number);
            }
        }
        if let Some(fide_id) = fide_id {
            self.by_fide_id.entry(fide_id).or_default().push(number);
        }
        self.names.push(ListName { text: text.to_owned(), fide_id, readings });
        self.numbers.insert((text.to_owned(), fide_id), number);
        number
    }

    fn known_number(&self, text: &str, fide_id: Option<u32>) -> Option<u32> {
        self.numbers.get(&(text.to_owned(), fide_id)).copied()
    }
}

/// The names on the editions of one list.
#[derive(Clone, Debug, Default)]
pub(super) struct ListedNames {
    /// The names, which lists of the same players share.
    shared: Arc<ListNames>,
    /// Whether each name, by number, is on any edition; shorter if no further name is.
    listed: Vec<bool>,
}

impl ListedNames {
    pub fn new(shared: &Arc<ListNames>) -> ListedNames {
        ListedNames { shared: Arc::clone(shared), listed: Vec::new() }
    }

    /// Returns the number of a name, which is now on an edition.
    pub fn add(&mut self, text: &str, fide_id: Option<u32>) -> u32 {
        let known = self.shared.known_number(text, fide_id);
        let number =
            known.unwrap_or_else(|| Arc::make_mut(&mut self.shared).number_of(text, fide_id));
        let place = number as usize;
        self.listed.resize(self.listed.len().max(place + 1), false);
        self.listed[place] = true;
        number
    }

    /// Returns the shared names by number, also those on no edition.
    pub fn all(&self) -> &[ListName] {
        &self.shared.names
    }

    /// Returns the numbers of the names that have one of these FIDE numbers.
    pub fn with_fide_ids(&self, fide_ids: &[u32]) -> Vec<u32> {
        let numbers = fide_ids.iter().filter_map(|id| self.shared.by_fide_id.get(id)).flatten();
        numbers.copied().filter(|number| self.is_listed(*number)).collect()
    }

    fn is_listed(&self, number: u32) -> bool {
        self.listed.get(number as usize).copied().unwrap_or_default()
    }

    /// Returns the numbers of the names that fit one of these names.
    ///
    /// Names with another FIDE number are excluded.
    pub fn similar(
        &self,
        names: &[PersonName],
        fide_ids: &[u32],
        fits: fn(&PersonName, &PersonName) -> bool,
    ) -> Vec<u32> {
        let with_key = names.iter().map(|name| (name, Cow::from(name.surname_key())));
        self.with_keys(with_key, fide_ids, fits)
    }

    /// Returns the numbers of the names with a reading that has the key as surname and fits the
    /// name next to it.
    ///
    /// Two different FIDE numbers are two players, even if the names are equal.
    pub fn with_keys<'n>(
        &self,
        names: impl Iterator<Item = (&'n PersonName, Cow<'n, str>)>,
        fide_ids: &[u32],
        fits: fn(&PersonName, &PersonName) -> bool,
    ) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for (mine, key) in names {
            for &number in self.shared.by_surname.get(&*key).into_iter().flatten() {
                let theirs = &self.shared.names[number as usize];
                let is_other = theirs
                    .fide_id
                    .is_some_and(|id| !fide_ids.is_empty() && !fide_ids.contains(&id));
                let mut readings = theirs.readings.iter();
                if self.is_listed(number)
                    && !is_other
                    && !found.contains(&number)
                    && readings.any(|theirs| theirs.has_surname_key(&key) && fits(mine, theirs))
                {
                    found.push(number);
                }
            }
        }
        found
    }
}
