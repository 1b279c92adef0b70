//! Values of Round tags: `7`, `7.3`, `4.2.1`, a play-off or unknown.

use std::fmt;

use super::lexicon::{Class, rows_of};

/// Up to three numbers of a Round tag, ordered in the order of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round([u16; 3]);

impl Round {
    /// The unknown round, which is ordered before all others.
    pub const UNKNOWN: Round = Round([0; 3]);

    /// A game of a play-off, whose round is a word: `TB2`, `Armageddon`. Its number is unknown.
    const PLAY_OFF: Round = Round([0, 0, u16::MAX]);

    /// Creates a round without parts. The number 0 is the unknown round.
    pub fn of_number(number: u16) -> Round {
        Round([number, 0, 0])
    }

    /// Parses the value of a Round tag. Anything except numbers separated by points and the words
    /// of a play-off is the unknown round.
    pub fn parse(text: &str) -> Round {
        let mut parts = [0; 3];
        let mut numbers = text.trim().split('.');
        for part in &mut parts {
            match numbers.next().map(str::parse) {
                Some(Ok(number)) => *part = number,
                Some(Err(_)) => return Round::of_words(text),
                None => break,
            }
        }
        if numbers.next().is_some() { Round::UNKNOWN } else { Round(parts) }
    }

    fn of_words(text: &str) -> Round {
        let lower = text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphabetic());
        let names_play_off = words.any(|word| matches!(word, "tb" | "sd" | "armageddon"))
            || rows_of(Class::PlayOff).any(|row| lower.contains(row.word));
        if names_play_off { Round::PLAY_OFF } else { Round::UNKNOWN }
    }

    /// Returns whether a word says that the game is of a play-off.
    pub fn is_play_off(self) -> bool {
        self == Round::PLAY_OFF
    }

    /// Returns whether the round is known.
    pub fn is_known(self) -> bool {
        self.0[0] > 0
    }

    /// Returns whether two values may mean one round: they are equal, or one of them lacks the
    /// board (`13` and `13.5`).
    pub fn agrees(self, other: Round) -> bool {
        self == other
            || self.0[0] == other.0[0] && (self.0[1..] == [0, 0] || other.0[1..] == [0, 0])
    }

    /// Returns the part of the round: the 2 of `4.2`.
    pub fn part(self) -> Option<u16> {
        (self.0[1] > 0).then_some(self.0[1])
    }

    /// Returns the round itself: the 4 of `4.2`.
    pub fn number(self) -> Option<u16> {
        self.is_known().then_some(self.0[0])
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_known() {
            return f.write_str(if self.is_play_off() { "TB" } else { "?" });
        }
        write!(f, "{}", self.0[0])?;
        let parts = self.0.iter().rposition(|part| *part > 0).unwrap_or(0);
        for part in &self.0[1..=parts] {
            write!(f, ".{part}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_ordered_as_numbers() {
        assert!(Round::parse("4.2") > Round::parse("4.1"));
        assert!(Round::parse("10") > Round::parse("9.3"));
        assert!(Round::UNKNOWN < Round::parse("1"));
    }

    #[test]
    fn a_round_agrees_with_its_boards() {
        for (a, b, agree) in [
            ("13", "13.5", true),
            ("13.5", "13", true),
            ("13.5", "13.5", true),
            ("13.4", "13.5", false),
            ("12", "13.5", false),
            ("?", "1", false),
        ] {
            assert_eq!(Round::parse(a).agrees(Round::parse(b)), agree, "{a} {b}");
        }
    }

    #[test]
    fn words_of_a_play_off_are_no_unknown_round() {
        for text in ["TB", "TB2", "tb 1.2", "Armageddon", "Tie-break 3", "Playoff", "SD1"] {
            let round = Round::parse(text);
            assert!(round.is_play_off() && !round.is_known(), "{text}");
            assert_eq!(Round::parse(&round.to_string()), round, "{text}");
        }
        assert!(!Round::parse("stb").is_play_off() && !Round::UNKNOWN.is_play_off());
    }

    #[test]
    fn a_round_that_is_not_a_number_is_unknown() {
        for text in ["?", "-", "", "QF", "1.a", "0"] {
            assert!(!Round::parse(text).is_known(), "{text}");
        }
        assert_eq!(Round::parse("4.12").to_string(), "4.12");
        assert_eq!(Round::parse("1.0.1").to_string(), "1.0.1");
        assert_eq!(Round::parse("?").to_string(), "?");
    }
}
