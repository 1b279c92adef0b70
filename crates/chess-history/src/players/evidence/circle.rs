//! Weighs the opponents and the countries that two names have in common.

/// What a player met, with how often, in the order of the numbers.
pub(in crate::players) type Counts = Vec<(u32, u32)>;

/// Adds the counts of one list to those of another.
pub(in crate::players) fn add(one: &Counts, other: &Counts) -> Counts {
    let mut all: Counts = one.iter().chain(other).copied().collect();
    all.sort_unstable();
    all.dedup_by(|next, before| {
        let is_same = next.0 == before.0;
        if is_same {
            before.1 += next.1;
        }
        is_same
    });
    all
}

/// Returns the weight (bits) of common opponents: how many more there are than two strangers of the
/// same years have.
///
/// `chance` is the chance that a game of those years is against each opponent.
pub(in crate::players) fn common_bits(a: &Counts, b: &Counts, chance: &[f64]) -> f64 {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if few.is_empty() {
        return 0.0;
    }
    let games: u32 = many.iter().map(|(_, games)| games).sum();
    let (mut common, mut expected) = (0.5, 0.5);
    for (opponent, _) in few {
        if many.binary_search_by_key(opponent, |one| one.0).is_ok() {
            common += 1.0;
        }
        expected += 1.0 - (1.0 - chance[*opponent as usize].min(0.5)).powf(f64::from(games));
    }
    f64::log2(common / expected)
}

/// The strength of the belief in the shares of all players, in events.
///
/// Fitted in the prototype: three events of a country outweigh what all players do.
const EVENTS_BEFORE: f64 = 3.0;

/// The number of events after which more say nothing new.
const MOST_EVENTS: f64 = 5.0;

/// Returns the weight (bits) of the countries in which both played.
pub(in crate::players) fn country_bits(a: &Counts, b: &Counts, share: &[f64]) -> f64 {
    let sum = |counts: &Counts| f64::from(counts.iter().map(|(_, events)| events).sum::<u32>());
    let (few, many) = if sum(a) <= sum(b) { (a, b) } else { (b, a) };
    if few.is_empty() {
        return 0.0;
    }
    let (of_few, of_many) = (sum(few), sum(many));
    let mut bits = 0.0;
    for (country, events) in few {
        let usual = share[*country as usize];
        let found = many.binary_search_by_key(country, |one| one.0);
        let here = found.map_or(0.0, |place| f64::from(many[place].1));
        let ratio = (here + EVENTS_BEFORE * usual) / ((of_many + EVENTS_BEFORE) * usual);
        bits += f64::from(*events) / of_few * ratio.log2();
    }
    of_few.min(MOST_EVENTS) * bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_opponents_count_beyond_those_that_strangers_have() {
        let chance = vec![0.001; 100];
        let games = |from: u32| -> Counts { (from..from + 20).map(|one| (one, 1)).collect() };
        assert!(common_bits(&games(0), &games(10), &chance) > 2.0);
        assert!(common_bits(&games(0), &games(50), &chance) < 0.0);
        // Two players of one small pool meet the same opponents.
        let chance = vec![0.05; 100];
        assert!(common_bits(&games(0), &games(10), &chance) < 0.5);
    }

    #[test]
    fn a_rare_country_weighs_more_than_a_common_one() {
        let share = [0.5, 0.01];
        let bits = |country: u32| country_bits(&vec![(country, 3)], &vec![(country, 5)], &share);
        assert!(bits(1) > bits(0) + 2.0);
        assert!(country_bits(&vec![(0, 3)], &vec![(1, 5)], &share) < 0.0);
    }

    #[test]
    fn counts_are_added() {
        assert_eq!(add(&vec![(1, 2), (3, 1)], &vec![(3, 4)]), [(1, 2), (3, 5)]);
    }
}
