//! Reads the clocks in comments, which show the tempo of a game.
//!
//! Source: PGN Specification and Implementation Guide, Supplement (2001): `%clk` is the time on the
//! clock after a move, `%emt` the time spent on the move, `%egt` the time spent on the game.

use crate::games::{GameFlags, tag_flags};

/// Half-moves up to which clocks are read. Judged: the first move has the time at the beginning,
/// and within ten moves of the opening a player answers at once, which shows the time added.
const LAST_PLY: u32 = 20;

/// Most seconds that one move adds. Longer additions are corrections of the arbiter. The longest
/// increment in use is 60 seconds.
const LONGEST_INCREMENT: u32 = 60;

/// Seconds on the first clock from which the time added must be known: thirty minutes and thirty
/// seconds a move are classical, thirty minutes alone are not.
const NEEDS_INCREMENT: u32 = 30 * 60;

/// Seconds in which a player of sixty moves has spent the time of a classical game.
const CLASSICAL: u32 = 60 * 60;

/// Half-moves of the sixty moves for which FIDE computes the time of a game.
const SIXTY_MOVES: u32 = 120;

/// What the clocks of a game show so far. Sides are numbered 0 (White) and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clocks {
    /// Whether there is any clock.
    pub is_there: bool,
    /// The clock after the first move of the side that has one (seconds); 0 is unknown.
    first: u32,
    /// The last clock of each side (seconds).
    last: [Option<u32>; 2],
    /// The most by which a clock rose between two moves of a side (seconds).
    increment: u32,
    /// The time that each side has spent (seconds).
    spent: [u32; 2],
}

impl Clocks {
    /// Reads a command of a comment, from the letter after `[%` on.
    pub fn read(&mut self, command: &[u8], plies: u32) {
        let Some((name, value)) = command.split_first_chunk::<3>() else { return };
        let is_wanted = match name {
            b"clk" => plies <= LAST_PLY,
            b"emt" | b"egt" => plies <= SIXTY_MOVES,
            _ => false,
        };
        // Before the first move a clock is that of no side.
        if !is_wanted || plies == 0 {
            return;
        }
        let Some(seconds) = seconds(value) else { return };
        self.is_there = true;
        let side = (plies + 1) as usize % 2;
        match name {
            b"emt" => self.spent[side] = self.spent[side].saturating_add(seconds),
            b"egt" => self.spent[side] = seconds,
            _ => {
                if plies <= 2 && self.first == 0 {
                    self.first = seconds;
                }
                let gained = self.last[side].map_or(0, |last| seconds.saturating_sub(last));
                if gained <= LONGEST_INCREMENT {
                    self.increment = self.increment.max(gained);
                }
                self.last[side] = Some(seconds);
            }
        }
    }

    /// Returns the flag of the tempo, or none if the clocks do not show it.
    pub fn tempo(self) -> GameFlags {
        if self.spent.iter().any(|spent| *spent >= CLASSICAL) {
            return GameFlags::CLASSICAL;
        }
        if self.first == 0 {
            return GameFlags::empty();
        }
        // The first clock contains the time added for that move, but not the seconds spent on it.
        let base = self.first.saturating_sub(self.increment);
        let minutes = (f64::from(base) / 60.0 + f64::from(self.increment)).round();
        let tempo = tag_flags::of_minutes(minutes);
        let is_known = self.first < NEEDS_INCREMENT || tempo == GameFlags::CLASSICAL;
        if is_known { tempo } else { GameFlags::empty() }
    }
}

/// Parses a time: `1:30:54`, `0:15:00.5`, or minutes and seconds from ten minutes on (`90:00`).
fn seconds(text: &[u8]) -> Option<u32> {
    let mut parts = [0u32; 3];
    let mut count = 0;
    let mut digits = 0;
    for &byte in text.trim_ascii_start().iter().take(12) {
        match byte {
            b'0'..=b'9' if digits < 3 => {
                parts[count] = 10 * parts[count] + u32::from(byte - b'0');
                digits += 1;
            }
            b':' if count < 2 && digits > 0 => (count, digits) = (count + 1, 0),
            _ => break,
        }
    }
    if digits == 0 {
        return None;
    }
    match (count, parts) {
        (2, [hours, minutes, seconds]) => Some(3600 * hours + 60 * minutes + seconds),
        (1, [minutes, seconds, _]) if minutes >= 10 => Some(60 * minutes + seconds),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tempo of a game with a command after each half-move.
    fn tempo(commands: &[&str]) -> GameFlags {
        let mut clocks = Clocks::default();
        for (plies, command) in (1..).zip(commands) {
            clocks.read(command.as_bytes(), plies);
        }
        clocks.tempo()
    }

    #[test]
    fn the_first_clock_and_the_time_added_show_the_tempo() {
        for (expected, commands) in [
            (GameFlags::CLASSICAL, &["clk 1:30:54]", "clk 1:30:50]"][..]),
            (GameFlags::CLASSICAL, &["clk 2:00:00]"]),
            (GameFlags::CLASSICAL, &["clk 90:00]"]),
            // 45 minutes and 15 seconds a move are an hour for sixty moves.
            (GameFlags::CLASSICAL, &["clk 0:45:14]", "clk 0:45:10]", "clk 0:45:29]"]),
            (GameFlags::RAPID, &["clk 0:15:08]", "clk 0:15:05]", "clk 0:15:18]"]),
            (GameFlags::RAPID, &["clk 0:25:00.5]"]),
            (GameFlags::BLITZ, &["clk 0:03:00]", "clk 0:03:00]", "clk 0:03:01]"]),
            (GameFlags::BLITZ, &["clk 0:05:04]", "clk 0:05:02]", "clk 0:05:09]"]),
            // It depends on the time added, which no move shows.
            (GameFlags::empty(), &["clk 0:50:00]", "clk 0:50:00]", "clk 0:49:00]"]),
            (GameFlags::empty(), &["clk 0:00:00]", "clk 0:00:00]"]),
            (GameFlags::empty(), &["eval 0:15:00]", "clk soon]", "clk 1:30]"]),
        ] {
            assert_eq!(tempo(commands), expected, "{commands:?}");
        }
    }

    #[test]
    fn a_clock_after_the_first_moves_is_not_the_time_at_the_beginning() {
        let late = ["", "", "", "", "clk 0:09:00]", "clk 0:08:00]"];
        assert_eq!(tempo(&late), GameFlags::empty());
    }

    #[test]
    fn an_hour_spent_on_a_game_is_classical() {
        let slow = vec!["emt 0:04:00]"; 40];
        assert_eq!(tempo(&slow), GameFlags::CLASSICAL);
        assert_eq!(tempo(&["egt 0:00:10]", "egt 1:00:10]"]), GameFlags::CLASSICAL);
        // A classical game may be short.
        assert_eq!(tempo(&slow[..20]), GameFlags::empty());
        assert_eq!(tempo(&["egt 0:00:10]", "egt 0:10:10]"]), GameFlags::empty());
    }
}
