//! What a UCI engine says of a position, as far as it is needed.
//!
//! Source: R. Huber and S. Meyer-Kahlen, *Description of the universal chess interface* (2006); words that are not needed are passed over.

use shakmaty::uci::UciMove;

/// A move that an engine lists, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The move.
    pub played: UciMove,
    /// Its value (centipawns) for the player to move; mates beyond [`MATE`] less the moves to it.
    pub value: i16,
}

/// Value (centipawns) from which mates are counted down; no engine's centipawns come near it.
pub const MATE: i16 = 32_000;
/// The largest value (centipawns) that is no mate.
const MOST: i64 = 30_000;

/// A line of an engine about a position: `info depth 9 ... multipv 1 score cp 44 ... pv f3e5 ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Info {
    pub depth: u32,
    /// Place among the lines of this depth, from 1.
    pub place: usize,
    pub valued: Valued,
    /// Whether the value is only a bound of it.
    pub is_bound: bool,
}

impl Info {
    /// From a line; nothing where it says nothing of a move's value.
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
                // Whatever follows is a text.
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
/// A depth counts once all its lines were seen, and is then frozen: when it is stopped, an engine may print all lines again, part of them of the depth
/// before under new numbers.
#[derive(Debug)]
pub(super) struct Depths {
    /// Lines that a depth must have.
    wanted: usize,
    /// The depth that is being collected, with its lines by place.
    depth: u32,
    lines: Vec<Option<Valued>>,
    /// The deepest that is complete.
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

    /// The deepest complete depth, and its lines, the best first as the engine has them.
    pub fn deepest(self) -> Option<(u32, Vec<Valued>)> {
        debug_assert!(self.frozen.as_ref().is_none_or(|(_, lines)| lines.len() == self.wanted));
        self.frozen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Option<(u32, usize, String, i16, bool)> {
        let info = Info::of(line)?;
        let Valued { played, value } = info.valued;
        Some((info.depth, info.place, played.to_string(), value, info.is_bound))
    }

    #[test]
    fn a_line_says_depth_place_value_and_move_whatever_else_it_says() {
        assert_eq!(
            told("info depth 9 seldepth 11 multipv 2 score cp 44 wdl 1 2 3 nodes 5 pv f3e5 a7a5"),
            Some((9, 2, "f3e5".into(), 44, false))
        );
        assert_eq!(
            told("info depth 9 score cp 23 upperbound nodes 5 pv e1g1"),
            Some((9, 1, "e1g1".into(), 23, true))
        );
        assert_eq!(
            told("info depth 3 multipv 1 score mate 2 pv a7a8q"),
            Some((3, 1, "a7a8q".into(), MATE - 2, false))
        );
        let mated = told("info depth 3 multipv 1 score mate -3 pv a7a8q").map(|line| line.3);
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
            assert_eq!(told(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn what_is_printed_again_when_a_search_is_stopped_changes_nothing() {
        let mut depths = Depths::of(2);
        for line in [
            "info depth 1 multipv 1 score cp 10 pv e2e4",
            "info depth 1 multipv 2 score cp 5 pv d2d4",
            "info depth 2 multipv 1 score cp 12 pv d2d4",
            "info depth 2 multipv 2 score cp 7 pv e2e4",
            "info depth 3 multipv 1 score cp 30 pv e2e4",
            "info depth 3 multipv 2 score cp 7 upperbound pv c2c4",
            // Stopped: the second line is that of the depth before.
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
