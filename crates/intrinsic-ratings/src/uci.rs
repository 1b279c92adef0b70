//! Parses the search output of a UCI engine, as far as it is needed.
//!
//! Source: R. Huber and S. Meyer-Kahlen, *Description of the universal chess interface* (2006).
//! Other words of the protocol are ignored.

use shakmaty::uci::UciMove;

/// A move listed by an engine, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The move.
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
    pub fn of(line: &str) -> Option<Info> {
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

/// Collects the lines of a search, depth by depth.
///
/// A depth counts once it is complete, and is then frozen. When stopped, an engine may print all
/// lines again, some of them from the previous depth under new numbers.
#[derive(Debug)]
pub(super) struct Depths {
    /// Number of lines of a complete depth.
    wanted: usize,
    /// The depth that is being collected, with its lines by rank.
    depth: u32,
    lines: Vec<Option<Valued>>,
    /// The greatest complete depth.
    frozen: Option<(u32, Vec<Valued>)>,
}

impl Depths {
    pub fn of(wanted: usize) -> Depths {
        Depths { wanted, depth: 0, lines: vec![None; wanted], frozen: None }
    }

    pub fn take(&mut self, info: Info) {
        let is_old = self.frozen.as_ref().is_some_and(|(depth, _)| info.depth <= *depth);
        if info.is_bound || is_old || info.depth < self.depth {
            return;
        }
        if info.depth > self.depth {
            self.depth = info.depth;
            self.lines.iter_mut().for_each(|line| *line = None);
        }
        let Some(line) = info.place.checked_sub(1).and_then(|place| self.lines.get_mut(place))
        else {
            return;
        };
        *line = Some(info.valued);
        if self.lines.iter().all(Option::is_some) {
            let lines = self.lines.iter_mut().filter_map(Option::take).collect();
            self.frozen = Some((self.depth, lines));
        }
    }

    /// Returns the greatest complete depth with its lines, in the engine's order from the best.
    pub fn deepest(self) -> Option<(u32, Vec<Valued>)> {
        debug_assert!(self.frozen.as_ref().is_none_or(|(_, lines)| lines.len() == self.wanted));
        self.frozen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<(u32, usize, String, i16, bool)> {
        let info = Info::of(line)?;
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

    #[test]
    fn lines_repeated_when_a_search_is_stopped_are_ignored() {
        let mut depths = Depths::of(2);
        for line in [
            "info depth 1 multipv 1 score cp 10 pv e2e4",
            "info depth 1 multipv 2 score cp 5 pv d2d4",
            "info depth 2 multipv 1 score cp 12 pv d2d4",
            "info depth 2 multipv 2 score cp 7 pv e2e4",
            "info depth 3 multipv 1 score cp 30 pv e2e4",
            "info depth 3 multipv 2 score cp 7 upperbound pv c2c4",
            // When stopped, the engine printed the second line of the previous depth again.
            "info depth 2 multipv 2 score cp 99 pv e2e4",
        ] {
            depths.take(Info::of(line).unwrap());
        }
        let (depth, lines) = depths.deepest().unwrap();
        let values: Vec<i16> = lines.iter().map(|line| line.value).collect();
        assert_eq!((depth, values), (2, vec![12, 7]));
        assert_eq!(Depths::of(1).deepest(), None);
    }
}
