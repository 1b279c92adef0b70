//! Disjoint sets with union and find.

/// A partition of the numbers `0..count` into disjoint sets. At first each number is a separate
/// set.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    /// The parent of each number. A root is its own parent.
    parents: Vec<usize>,
}

impl DisjointSets {
    /// Creates `count` sets of one number each.
    pub fn new(count: usize) -> DisjointSets {
        DisjointSets { parents: (0..count).collect() }
    }

    /// Returns the root of the set that contains a number.
    pub fn find(&mut self, mut one: usize) -> usize {
        while self.parents[one] != one {
            self.parents[one] = self.parents[self.parents[one]];
            one = self.parents[one];
        }
        one
    }

    /// Joins the sets of two numbers. The smaller of the two roots becomes the common root.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// Joins the set of `one` to the set of `other`, whose root becomes the common root.
    pub fn join_to(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one] = other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_sets_have_the_smaller_root_unless_another_is_chosen() {
        let mut sets = DisjointSets::new(6);
        sets.join(4, 2);
        sets.join(4, 5);
        assert_eq!([2, 4, 5].map(|one| sets.find(one)), [2, 2, 2]);
        sets.join_to(0, 5);
        assert_eq!(sets.find(0), 2);
        assert_eq!((sets.find(1), sets.find(3)), (1, 3));
    }
}
