//! Sets that have no element in common, joined pair by pair.

/// Sets of the numbers from 0 to a count; at first each number is one by itself.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    /// A number that is nearer to the one that stands for the set; that one has itself.
    nearer: Vec<usize>,
}

impl DisjointSets {
    /// So many sets of one number each.
    pub fn of(count: usize) -> DisjointSets {
        DisjointSets { nearer: (0..count).collect() }
    }

    /// The number that stands for the set of this one.
    pub fn find(&mut self, mut one: usize) -> usize {
        while self.nearer[one] != one {
            self.nearer[one] = self.nearer[self.nearer[one]];
            one = self.nearer[one];
        }
        one
    }

    /// Joins the sets of two numbers; the smaller of those that stand for them stands for both.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.nearer[one.max(other)] = one.min(other);
    }

    /// Joins the set of one number to that of another, whose standard-bearer stands for both.
    pub fn join_to(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.nearer[one] = other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_joined_has_one_number_and_the_smallest_unless_another_is_wanted() {
        let mut sets = DisjointSets::of(6);
        sets.join(4, 2);
        sets.join(4, 5);
        assert_eq!([2, 4, 5].map(|one| sets.find(one)), [2, 2, 2]);
        sets.join_to(0, 5);
        assert_eq!(sets.find(0), 2);
        assert_eq!((sets.find(1), sets.find(3)), (1, 3));
    }
}
