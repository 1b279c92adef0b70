//! Adjacency lists of the model. They fix the order in which each node's games are summed, so that
//! results do not depend on the number of threads.

/// Minimum number of nodes per parallel task, so that a task costs more than its scheduling.
pub const PIECE: usize = 4096;

/// The couplings of each node. A coupling has two seats, one at each of its nodes.
#[derive(Clone, Debug, Default)]
pub struct Couplings {
    /// Index of each node's first seat.
    starts: Vec<u32>,
    /// The node at the other end, by seat.
    others: Vec<u32>,
    /// Twice the number of the coupling, plus one for its second node, by seat.
    sides: Vec<u32>,
}

impl Couplings {
    /// The couplings of these pairs of nodes.
    pub fn new(nodes: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Couplings {
        let mut starts = vec![0u32; nodes + 1];
        for (a, b) in pairs.clone() {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut others = vec![0; starts[nodes] as usize];
        let mut sides = others.clone();
        for (number, (a, b)) in (0..).zip(pairs) {
            for (own, other, side) in [(a, b, 0), (b, a, 1)] {
                let place = &mut next[own as usize];
                (others[*place as usize], sides[*place as usize]) = (other, 2 * number + side);
                *place += 1;
            }
        }
        Couplings { starts, others, sides }
    }

    /// The indices of a node's seats.
    pub fn places(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    /// The node at the other end, by seat.
    pub fn others(&self) -> &[u32] {
        &self.others
    }

    /// Twice the number of the coupling, plus one for its second node, by seat.
    pub fn sides(&self) -> &[u32] {
        &self.sides
    }
}
