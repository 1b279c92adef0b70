//! Handicaps in tournaments: points that weaker players get before the first round.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.93
//! (Brasket's handicap by performance), 3.96 and 3.97 (round robins), 3.99 (Swiss events). The book
//! worked the tables out by hand; no formula gives them exactly.

use crate::systems::elo::formulas::Expectancy;

/// Numbers of players of the columns, and the first difference (points) below scratch of each row:
/// `101 + 25 * row`.
pub const ROUND_ROBIN_PLAYERS: [usize; 12] = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22];
const FIRST_ROW: f64 = 101.0;
const ROW: f64 = 25.0;

/// The handicaps of round robins (3.96).
const ROUND_ROBIN: [[f64; 12]; 10] = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3],
    [0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2],
    [0.5, 0.6, 0.7, 0.9, 1.0, 1.1, 1.3, 1.4, 1.5, 1.7, 1.8, 2.1],
    [0.9, 1.1, 1.2, 1.4, 1.6, 1.7, 1.9, 2.1, 2.3, 2.4, 2.6, 3.0],
    [1.2, 1.4, 1.5, 1.7, 1.9, 2.1, 2.3, 2.6, 2.8, 3.0, 3.2, 3.6],
    [1.5, 1.7, 1.9, 2.1, 2.4, 2.7, 2.9, 3.1, 3.4, 3.6, 3.9, 4.4],
    [1.8, 2.0, 2.3, 2.5, 2.8, 3.1, 3.4, 3.7, 4.0, 4.3, 4.6, 5.2],
    [2.1, 2.5, 2.8, 3.1, 3.4, 3.8, 4.1, 4.5, 4.8, 5.1, 5.4, 6.1],
    [2.5, 2.9, 3.2, 3.6, 4.0, 4.3, 4.7, 5.0, 5.4, 5.8, 6.2, 7.0],
    [2.8, 3.3, 3.6, 4.0, 4.3, 4.7, 5.1, 5.5, 5.9, 6.3, 6.8, 7.8],
];

/// Numbers of rounds of the columns of the table for Swiss events.
pub const SWISS_ROUNDS: [usize; 8] = [5, 6, 7, 8, 9, 10, 11, 12];

/// The largest difference (points) without a handicap in a Swiss event, and the height of a row.
const SWISS_FREE: f64 = 200.0;
const SWISS_ROW: f64 = 50.0;

/// The handicaps of Swiss events, from 201 points below scratch on (3.99).
const SWISS: [[f64; 8]; 17] = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.1, 0.2],
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.7],
    [0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2],
    [0.6, 0.8, 1.0, 1.2, 1.3, 1.4, 1.5, 1.6],
    [0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 1.9, 2.0],
    [1.0, 1.3, 1.5, 1.7, 1.9, 2.1, 2.3, 2.4],
    [1.2, 1.6, 1.9, 2.1, 2.3, 2.5, 2.7, 2.8],
    [1.3, 1.8, 2.2, 2.4, 2.7, 2.9, 3.0, 3.1],
    [1.4, 1.9, 2.3, 2.5, 2.8, 3.0, 3.3, 3.4],
    [1.5, 2.0, 2.4, 2.7, 3.0, 3.2, 3.5, 3.7],
    [1.6, 2.1, 2.5, 2.9, 3.3, 3.6, 3.8, 4.0],
    [1.7, 2.2, 2.6, 3.0, 3.4, 3.8, 4.0, 4.2],
    [1.8, 2.3, 2.7, 3.1, 3.5, 3.9, 4.2, 4.4],
    [1.9, 2.4, 2.8, 3.2, 3.6, 4.0, 4.3, 4.6],
    [2.0, 2.5, 2.9, 3.3, 3.7, 4.1, 4.5, 4.8],
    [2.0, 2.5, 3.0, 3.4, 3.8, 4.2, 4.6, 5.0],
    [2.0, 2.6, 3.1, 3.5, 3.9, 4.3, 4.7, 5.1],
];

/// The part of the difference from scratch that Brasket's handicap adds to a performance (3.93).
pub const BY_PERFORMANCE: f64 = 0.8;

/// Brasket's handicap score (points): the performance rating plus a part of the difference between
/// scratch and the player's rating (3.93). A player above scratch has no handicap.
pub fn handicap_by_performance(scratch: f64, rating: f64, performance: f64, part: f64) -> f64 {
    performance + part * (scratch - rating).max(0.0)
}

/// The handicap (game points) in a round robin of `players` players for a player this many points
/// below scratch (3.96).
///
/// The table's figure belongs to the lower limit of its row and is interpolated up to the next one,
/// as in the book's example (3.97). Other numbers of players, and differences beyond the table,
/// follow the stated principle: the difference of the expected scores, less one standard deviation,
/// with scratch 160 points above the mean. This is at most 0.32 from the table.
pub fn round_robin_handicap(players: usize, below_scratch: f64) -> f64 {
    let last = FIRST_ROW + ROW * (ROUND_ROBIN.len() - 1) as f64;
    let column = ROUND_ROBIN_PLAYERS.iter().position(|one| *one == players);
    let Some(column) = column.filter(|_| below_scratch < last + ROW - 1.0) else {
        return round_robin_handicap_by_formula(players as f64, below_scratch);
    };
    if below_scratch < FIRST_ROW {
        return 0.0;
    }
    let mut at = (below_scratch - FIRST_ROW) / ROW;
    // 125 and 150 points belong to the rows that begin a point later.
    if at.ceil() - at <= 1.0 / ROW + 1e-9 {
        at = at.ceil();
    }
    let row = (at.floor() as usize).min(ROUND_ROBIN.len() - 1);
    let from = ROUND_ROBIN[row][column];
    match ROUND_ROBIN.get(row + 1) {
        Some(next) => from + (at - row as f64) * (next[column] - from),
        None => from,
    }
}

fn round_robin_handicap_by_formula(players: f64, below_scratch: f64) -> f64 {
    /// Points of scratch above the mean of the field. The formula is then nearest to the table.
    const SCRATCH: f64 = 160.0;
    let expected = Expectancy::Normal.expected(SCRATCH - below_scratch);
    let lead = players * (Expectancy::Normal.expected(SCRATCH) - expected);
    (lead - (players * expected * (1.0 - expected)).sqrt()).max(0.0)
}

/// The handicap (game points) in a Swiss event of `rounds` rounds for a player this many points
/// below scratch (3.99). `None` if the table has no column for this number of rounds.
pub fn swiss_handicap(rounds: usize, below_scratch: f64) -> Option<f64> {
    let column = SWISS_ROUNDS.iter().position(|one| *one == rounds)?;
    if below_scratch <= SWISS_FREE {
        return Some(0.0);
    }
    let row = ((below_scratch - SWISS_FREE) / SWISS_ROW).ceil() as usize - 1;
    Some(SWISS[row.min(SWISS.len() - 1)][column])
}

/// The rows of the table for round robins: the first difference (points) of each, and the
/// handicaps.
pub fn round_robin_rows() -> impl Iterator<Item = (f64, [f64; 12])> {
    (0..).zip(ROUND_ROBIN).map(|(row, handicaps)| (FIRST_ROW + ROW * f64::from(row), handicaps))
}

/// The rows of the table for Swiss events: the first difference (points) of each, and the
/// handicaps.
pub fn swiss_rows() -> impl Iterator<Item = (f64, [f64; 8])> {
    (0..)
        .zip(SWISS)
        .map(|(row, handicaps)| (SWISS_FREE + 1.0 + SWISS_ROW * f64::from(row), handicaps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wijk_aan_zee_1975_as_a_handicap_event() {
        // 3.97: scratch 2635, 16 players; points below scratch, and the handicap as printed.
        for (below, printed) in [
            (0.0, 0.0),
            (85.0, 0.0),
            (125.0, 0.6),
            (150.0, 1.3),
            (165.0, 1.6),
            (175.0, 1.9),
            (190.0, 2.1),
            (225.0, 2.9),
        ] {
            let found = round_robin_handicap(16, below);
            assert_eq!((10.0 * found).round() / 10.0, printed, "{below}: {found}");
        }
    }

    #[test]
    fn rows_of_the_tables_begin_a_point_after_the_hundred() {
        assert_eq!(round_robin_handicap(20, 100.0), 0.0);
        assert_eq!(round_robin_handicap(20, 101.0), 0.2);
        assert_eq!(swiss_handicap(12, 200.0), Some(0.0));
        assert_eq!(swiss_handicap(12, 201.0), Some(0.2));
        assert_eq!(swiss_handicap(5, 250.0), Some(0.0));
        assert_eq!(swiss_handicap(5, 251.0), Some(0.1));
        assert_eq!(swiss_handicap(8, 5000.0), Some(3.5));
        assert_eq!(swiss_handicap(4, 300.0), None);
    }

    #[test]
    fn the_formula_is_near_the_table_and_continues_it() {
        let (mut squares, mut count) = (0.0, 0.0);
        for (from, handicaps) in round_robin_rows() {
            for (players, printed) in ROUND_ROBIN_PLAYERS.into_iter().zip(handicaps) {
                let found = round_robin_handicap_by_formula(players as f64, from);
                assert!((found - printed).abs() <= 0.33, "{players} {from}: {found} {printed}");
                squares += (found - printed).powi(2);
                count += 1.0;
            }
        }
        assert!((squares / count).sqrt() < 0.11);
        assert!(round_robin_handicap(8, 300.0) < round_robin_handicap(10, 301.0));
        assert!(round_robin_handicap(10, 400.0) > 2.8);
    }

    #[test]
    fn brasket_adds_four_fifths_of_the_difference_to_the_performance() {
        // 3.93.
        assert_eq!(handicap_by_performance(2200.0, 1900.0, 2050.0, BY_PERFORMANCE), 2290.0);
        assert_eq!(handicap_by_performance(2200.0, 2300.0, 2250.0, BY_PERFORMANCE), 2250.0);
    }
}
