//! Results of games.

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// White won (`1-0`).
    White,
    /// Black won (`0-1`).
    Black,
    /// The game was drawn (`1/2-1/2`).
    Draw,
    /// The game was not finished, or its result is unknown (`*`).
    #[default]
    Unknown,
}

/// Longest text that is examined as a result (bytes): `0 – 0 forfeit` has 16.
const LONGEST_RESULT: usize = 24;

/// One side of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    One,
    Half,
    None,
    OneByForfeit,
    NoneByForfeit,
}

impl Points {
    fn parse(text: &str) -> Option<Points> {
        Some(match text {
            "1" | "1.0" | "1,0" => Points::One,
            "1/2" | "½" | "0.5" | "0,5" | ".5" | ",5" | "=" => Points::Half,
            "0" | "0.0" | "0,0" => Points::None,
            "+" => Points::OneByForfeit,
            "-" => Points::NoneByForfeit,
            _ => return None,
        })
    }
}

/// Words that follow the result of a game that was not played. They are compared in their order, so
/// longer ones precede their ends.
const FORFEITS: [&str; 10] =
    ["forfeit", "forfait", "kampflos", "default", "def", "w.o", "wo", "kl", "ff", "f"];

/// Words for a draw, in the languages in which tables have them.
const DRAWS: [&str; 6] = ["draw", "remis", "remise", "tablas", "nulle", "ничья"];

impl GameResult {
    /// Parses a result as programs write it: the points of both sides, in any of the usual
    /// spellings, with a dash, a colon, a slash or an x between them.
    ///
    /// The flag is `true` if the text states that the game was not played. A double forfeit (`0-0`)
    /// is such a game without a result.
    ///
    /// ```
    /// use pgn_collections::games::GameResult;
    ///
    /// assert_eq!(GameResult::parse("½ : ½"), Some((GameResult::Draw, false)));
    /// assert_eq!(GameResult::parse("-/+"), Some((GameResult::Black, true)));
    /// assert_eq!(GameResult::parse("1-1"), None);
    /// ```
    pub fn parse(text: &str) -> Option<(GameResult, bool)> {
        match text.trim() {
            "1-0" => return Some((GameResult::White, false)),
            "0-1" => return Some((GameResult::Black, false)),
            "1/2-1/2" | "1/2" | "½" => return Some((GameResult::Draw, false)),
            "*" => return Some((GameResult::Unknown, false)),
            // Programs write it for an unknown result.
            "" | "---" => return None,
            other if other.len() > LONGEST_RESULT => return None,
            _ => {}
        }
        let plain: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')'))
            .map(plain_sign)
            .collect::<String>()
            .to_lowercase();
        let plain = plain.trim_end_matches(['.', '!']);
        match plain {
            // The letter O is a slip.
            "1-o" => return Some((GameResult::White, false)),
            "o-1" => return Some((GameResult::Black, false)),
            // Some programs mark each side.
            "0f-0f" => return Some((GameResult::Unknown, true)),
            word if DRAWS.contains(&word) => return Some((GameResult::Draw, false)),
            _ => {}
        }
        let points = FORFEITS.iter().find_map(|word| plain.strip_suffix(word));
        let is_forfeit = points.is_some();
        let points = points.unwrap_or(plain);
        let separators = points.char_indices().filter(|(_, c)| matches!(c, '-' | ':' | '/' | 'x'));
        let both = separators.into_iter().find_map(|(place, _)| {
            Some((Points::parse(&points[..place])?, Points::parse(&points[place + 1..])?))
        });
        let (result, was_played) = match both? {
            (Points::One, Points::None) => (GameResult::White, true),
            (Points::None, Points::One) => (GameResult::Black, true),
            (Points::Half, Points::Half) => (GameResult::Draw, true),
            (Points::OneByForfeit, Points::NoneByForfeit | Points::None) => {
                (GameResult::White, false)
            }
            (Points::NoneByForfeit | Points::None, Points::OneByForfeit) => {
                (GameResult::Black, false)
            }
            (Points::None, Points::None) | (Points::NoneByForfeit, Points::NoneByForfeit) => {
                (GameResult::Unknown, false)
            }
            _ => return None,
        };
        Some((result, is_forfeit || !was_played))
    }

    /// Returns White's score (0, 0.5 or 1 point), or `None` without a result.
    pub fn white_score(self) -> Option<f64> {
        match self {
            GameResult::White => Some(1.0),
            GameResult::Black => Some(0.0),
            GameResult::Draw => Some(0.5),
            GameResult::Unknown => None,
        }
    }

    /// Returns the result in PGN notation.
    pub fn pgn(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

/// Returns the sign of ASCII for one that looks like it.
fn plain_sign(sign: char) -> char {
    match sign {
        '–' | '—' | '−' | '‐' | '‑' => '-',
        '⁄' | '∕' => '/',
        '×' => 'x',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_the_spellings_of_programs() {
        for (result, unplayed, spellings) in [
            (GameResult::White, false, "1-0 1:0 1–0 1/0 1.0-0.0 1x0 1-O (1-0) 1-0! 1-0."),
            (GameResult::Black, false, "0-1 0:1 0—1 0,0-1,0 0×1"),
            (
                GameResult::Draw,
                false,
                "1/2-1/2 1/2:1/2 ½-½ ½:½ ½–½ 0.5-0.5 0,5:0,5 .5-.5 =-= 1/2 ½ ½x½ 1⁄2-1⁄2 1/2–1/2 \
                 draw Remis",
            ),
            (GameResult::White, true, "+/- +:- +-- 1-0F 1-0ff 1:0(ff) +/0 1-0def 1-0w.o."),
            (GameResult::Black, true, "-/+ -:+ --+ 0-1f 0-1FF 0/+"),
            (GameResult::Unknown, true, "0-0 0:0 -/- -:- 0-0F 0F-0F"),
            (GameResult::Unknown, false, "*"),
        ] {
            for spelling in spellings.split(' ') {
                let found = GameResult::parse(spelling);
                assert_eq!(found, Some((result, unplayed)), "{spelling}");
            }
        }
        assert_eq!(GameResult::parse(" 1 - 0 "), Some((GameResult::White, false)));
        for forfeit in ["0-1 forfeit", "0 - 1 (forfeit)", "0:1 kl.", "0-1 kampflos"] {
            assert_eq!(GameResult::parse(forfeit), Some((GameResult::Black, true)), "{forfeit}");
        }
    }

    #[test]
    fn other_texts_are_no_results() {
        for text in [
            "", "?", "-", "---", "1-1", "1-1/2", "2-0", "+-", "1", "won", "½-0", "1-½", "+/+", "f",
            "wo", "O-O",
        ] {
            assert_eq!(GameResult::parse(text), None, "{text}");
        }
    }
}
