//! Parses the search output of a UCI engine, as far as it is needed.
//!
//! Source: R. Huber and S. Meyer-Kahlen, *Description of the universal chess interface* (2006).
//! Other words of the protocol are ignored.

use shakmaty::uci::UciMove;

/// A move listed by an engine, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The listed move, in UCI notation.
    pub played: UciMove,
    /// Value (centipawns) for the player to move. A mate has 32,000 minus the number of moves to
    /// it.
    pub value: i16,
}

/// Value (centipawns) of an immediate mate. No evaluation of an engine comes near it.
pub const MATE: i16 = 32_000;
/// The largest value (centipawns) that is not a mate.
const MOST: i64 = 30_000;

/// A line of search output: `info depth 9 ... multipv 1 score cp 44 ... pv f3e5 ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Info {
    pub depth: u32,
    /// Rank among the lines of this depth, from 1.
    pub place: usize,
    pub valued: Valued,
    /// Whether the value is only a bound.
    pub is_bound: bool,
}

impl Info {
    /// Parses a line. Returns `None` if it gives no value of a move.
    pub fn parse(line: &str) -> Option<Info> {
        let mut words = line.split_ascii_whitespace();
        if words.next()? != "info" {
            return None;
        }
        let (mut depth, mut place, mut value, mut is_bound, mut played) =
            (None, 1, None, false, None);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next()?.parse().ok(),
                "multipv" => place = words.next()?.parse().ok()?,
                "score" => {
                    let kind = words.next()?;
                    let number: i64 = words.next()?.parse().ok()?;
                    value = Some(match kind {
                        "cp" => number.clamp(-MOST, MOST) as i16,
                        "mate" => {
                            let away = MATE - number.unsigned_abs().min(1_000) as i16;
                            // "mate 0" and "mate -3": the player to move is mated.
                            if number > 0 { away } else { -away }
                        }
                        _ => return None,
                    });
                }
                "lowerbound" | "upperbound" => is_bound = true,
                "pv" => {
                    played = words.next()?.parse().ok();
                    break;
                }
                // The rest of the line is free text.
                "string" => return None,
                _ => {}
            }
        }
        Some(Info {
            depth: depth?,
            place,
            valued: Valued { played: played?, value: value? },
            is_bound,
        })
    }
}

/// Collects the lines of a search, block by block.
///
/// An engine prints its lines in blocks that begin with the line of rank 1, whose depth is that of
/// the block. Only the last block of a depth counts. Stockfish prints one block per depth while a
/// search is fast. After three seconds it prints one after each line that it has searched, where
/// the lines that are still to come have left-over values. So the earlier blocks of a depth depend
/// on the load of the machine, and the last one does not. When stopped, an engine may print some
/// lines of the previous depth under new numbers: such a block is incomplete.
#[derive(Debug)]
pub(super) struct Depths {
    /// Depth of the block that is being collected; 0 before the first.
    depth: u32,
    /// Its lines of that depth, by rank.
    lines: Vec<Option<Valued>>,
    /// The greatest earlier depth whose last block was complete.
    complete: Option<(u32, Vec<Valued>)>,
}

impl Depths {
    /// Starts with no line; a complete block has `wanted` lines.
    pub fn new(wanted: usize) -> Depths {
        Depths { depth: 0, lines: vec![None; wanted], complete: None }
    }

    pub fn take(&mut self, info: Info) {
        if info.depth < self.depth {
            return;
        }
        // Rank 1 starts a block, even if its value is only a bound.
        if info.place == 1 || info.depth > self.depth {
            if info.depth > self.depth {
                self.keep();
                self.depth = info.depth;
            }
            self.lines.iter_mut().for_each(|line| *line = None);
        }
        let Some(line) = info.place.checked_sub(1).and_then(|place| self.lines.get_mut(place))
        else {
            return;
        };
        if !info.is_bound {
            *line = Some(info.valued);
        }
    }

    /// Keeps the block that was collected, if it is complete.
    fn keep(&mut self) {
        if self.depth > 0 && self.lines.iter().all(Option::is_some) {
            let lines = self.lines.iter_mut().filter_map(Option::take).collect();
            self.complete = Some((self.depth, lines));
        }
    }

    /// Returns the greatest depth whose last block is complete, with its lines in the engine's
    /// order from the best.
    pub fn deepest(mut self) -> Option<(u32, Vec<Valued>)> {
        self.keep();
        self.complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<(u32, usize, String, i16, bool)> {
        let info = Info::parse(line)?;
        let Valued { played, value } = info.valued;
        Some((info.depth, info.place, played.to_string(), value, info.is_bound))
    }

    #[test]
    fn a_line_gives_depth_rank_value_and_move() {
        assert_eq!(
            parsed("info depth 9 seldepth 11 multipv 2 score cp 44 wdl 1 2 3 nodes 5 pv f3e5 a7a5"),
            Some((9, 2, "f3e5".into(), 44, false))
        );
        assert_eq!(
            parsed("info depth 9 score cp 23 upperbound nodes 5 pv e1g1"),
            Some((9, 1, "e1g1".into(), 23, true))
        );
        assert_eq!(
            parsed("info depth 3 multipv 1 score mate 2 pv a7a8q"),
            Some((3, 1, "a7a8q".into(), MATE - 2, false))
        );
        let mated = parsed("info depth 3 multipv 1 score mate -3 pv a7a8q").map(|line| line.3);
        assert_eq!(mated, Some(3 - MATE));
        for nothing in [
            "",
            "info string depth 9 score cp 3 pv e2e4",
            "info depth 9 currmove e2e4",
            "info depth 9 score cp pv e2e4",
            "info depth 9 score cp 1 pv",
            "bestmove e2e4",
            "info depth 99999999999 score cp 1 pv e2e4",
            "\u{0}\u{fffd}",
        ] {
            assert_eq!(parsed(nothing), None, "{nothing}");
        }
    }

    /// The greatest complete depth of these lines, with its values.
    fn deepest(wanted: usize, lines: &[&str]) -> Option<(u32, Vec<i16>)> {
        let mut depths = Depths::new(wanted);
        lines.iter().for_each(|line| depths.take(Info::parse(line).unwrap()));
        let (depth, lines) = depths.deepest()?;
        Some((depth, lines.iter().map(|line| line.value).collect()))
    }

    #[test]
    fn lines_repeated_when_a_search_is_stopped_are_ignored() {
        let lines = [
            "info depth 1 multipv 1 score cp 10 pv e2e4",
            "info depth 1 multipv 2 score cp 5 pv d2d4",
            "info depth 2 multipv 1 score cp 12 pv d2d4",
            "info depth 2 multipv 2 score cp 7 pv e2e4",
            "info depth 3 multipv 1 score cp 30 pv e2e4",
            "info depth 3 multipv 2 score cp 7 upperbound pv c2c4",
            // When stopped, the engine printed the second line of the previous depth again.
            "info depth 2 multipv 2 score cp 99 pv e2e4",
        ];
        assert_eq!(deepest(2, &lines), Some((2, vec![12, 7])));
        assert_eq!(deepest(1, &[]), None);
    }

    #[test]
    fn a_slow_search_that_prints_every_line_has_the_values_of_a_fast_one() {
        let fast = [
            "info depth 1 multipv 1 score cp 12 pv d2d4",
            "info depth 1 multipv 2 score cp 7 pv e2e4",
            "info depth 2 multipv 1 score cp 30 pv e2e4",
            "info depth 2 multipv 2 score cp 25 pv c2c4",
            "info depth 3 multipv 1 score cp 28 pv e2e4",
            "info depth 3 multipv 2 score cp 20 upperbound pv c2c4",
        ];
        // After its first line, a slow search prints the second with a left-over value.
        let slow = [
            fast[0],
            fast[1],
            "info depth 2 multipv 1 score cp 30 pv e2e4",
            "info depth 2 multipv 2 score cp 21 pv d2d4",
            fast[2],
            fast[3],
            "info depth 3 multipv 1 score cp 28 pv e2e4",
            "info depth 3 multipv 2 score cp 19 pv d2d4",
            fast[4],
            fast[5],
        ];
        assert_eq!(deepest(2, &fast), Some((2, vec![30, 25])));
        assert_eq!(deepest(2, &slow), deepest(2, &fast));
    }
}
