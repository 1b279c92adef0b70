//! Lists the spellings with which each spelling forms a pair.

/// The other spellings of each spelling's pairs.
#[derive(Debug)]
pub(in crate::players) struct Partners {
    /// By spelling, in order, with the places of the pairs.
    lists: Vec<Vec<(u32, u32)>>,
}

impl Partners {
    /// Lists the pairs of so many spellings.
    pub fn new(spellings: usize, pairs: &[(u32, u32)]) -> Partners {
        let mut lists = vec![Vec::new(); spellings];
        for (&(a, b), pair) in pairs.iter().zip(0..) {
            lists[a as usize].push((b, pair));
            lists[b as usize].push((a, pair));
        }
        lists.iter_mut().for_each(|list| list.sort_unstable());
        Partners { lists }
    }

    /// Returns the partners of a spelling, with the places of the pairs.
    pub fn of(&self, spelling: u32) -> &[(u32, u32)] {
        &self.lists[spelling as usize]
    }

    /// Returns the place of a pair.
    pub fn find(&self, a: u32, b: u32) -> Option<usize> {
        let partners = self.of(a);
        let place = partners.binary_search_by_key(&b, |one| one.0).ok()?;
        Some(partners[place].1 as usize)
    }
}
