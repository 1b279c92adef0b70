//! Expands the abbreviations of Event tags.

use super::name_words::{is_ordinal, roman_numeral};
use super::series::EventWords;
use super::tag::{before_capital, counts, is_organisation};
use crate::games::lexicon::{self, Class};
use crate::gazetteer::country;
use crate::ordinal::ordinal;
use crate::players::fold;

/// A word of a tag among the others.
#[derive(Clone, Copy)]
struct TagWord<'a> {
    words: &'a [&'a str],
    place: usize,
}

impl<'a> TagWord<'a> {
    fn text(&self) -> &'a str {
        self.words[self.place]
    }

    fn next(&self) -> Option<&'a str> {
        self.words.get(self.place + 1).copied()
    }

    fn before(&self) -> Option<&'a str> {
        self.place.checked_sub(1).map(|place| self.words[place])
    }

    fn is_last(&self) -> bool {
        self.next().is_none()
    }

    /// Returns the adjective of `RUS Rapid GP` and `8th UKR Universiad`, but not `RUS vs ROW`.
    fn nationality(&self) -> Option<&'static str> {
        let is_first = self.before().is_none_or(|before| self.place == 1 && is_ordinal(before));
        nationality(self.text(), self.next()?).filter(|_| is_first)
    }

    /// Returns whether letters mean something else before the next word.
    fn is_ambiguous(&self, letters: &str, stem: &str) -> bool {
        self.next().is_some_and(|next| match letters {
            "f" => true,
            "m" => {
                let next = fold(next.trim_matches(['(', ')']));
                lexicon::meaning(Class::Adjective, &next).is_none()
                    || lexicon::meaning(Class::Tempo, &next).is_none()
            }
            // `w` before the word of a competition means women; in a Polish name it means *in*.
            "w" => stem != "w" || !lexicon::means(Class::Generic, &fold(next), "women"),
            _ => false,
        })
    }
}

impl EventWords {
    /// Expands the abbreviations of a name: `Tal mem` is `Tal Memorial`.
    pub(super) fn expanded(&self, base: &str) -> String {
        let words: Vec<&str> = base.split_whitespace().collect();
        // `Ajedrez UNAM` is `UNAM Chess`.
        if let [first, name] = words[..]
            && let Some(chess) = lexicon::meaning(Class::Noun, &fold(first))
            && chess == "Chess"
        {
            return format!("{name} {chess}");
        }
        let mut out: Vec<String> = Vec::new();
        for place in 0..words.len() {
            let word = TagWord { words: &words, place };
            let text = word.text();
            // The time of a game is not a name: `Chess Cruise g/15`.
            let time = text.strip_prefix("g/").filter(|_| words.len() > 1);
            if time.is_some_and(|time| time.starts_with(|c: char| c.is_ascii_digit())) {
                continue;
            }
            // The teams of a match of two countries: `POL-URS` is `Poland–Soviet Union`.
            let teams = text.split_once('-').and_then(|(one, other)| {
                Some(format!("{}–{}", team_name(one)?, team_name(other)?))
            });
            let next = teams
                .or_else(|| word.nationality().map(str::to_owned))
                .or_else(|| self.expanded_compound(text))
                .or_else(|| minutes_of(text))
                .or_else(|| {
                    // `Islington-J`, the junior tournament of Islington.
                    let rest = text.strip_suffix("-J").filter(|_| word.is_last())?;
                    let known = lexicon::written(&fold(rest)).unwrap_or(rest);
                    Some(format!("{known} Junior"))
                })
                .unwrap_or_else(|| self.expanded_abbreviation(word));
            // `Friendly Match m` is one match.
            if next != "Match" || out.last() != Some(&next) {
                out.push(next);
            }
        }
        out.join(" ")
    }

    /// Expands an abbreviation, and returns other words as they are.
    fn expanded_abbreviation(&self, word: TagWord<'_>) -> String {
        /// Letters of a word that is too long for an abbreviation. Judged: `Semifinal.` has nine.
        /// With half of them, `champ.` would lose its full stop; with twice as many,
        /// `Championship.` would keep it.
        const LONG: usize = 9;
        let text = word.text();
        // A long word is not an abbreviation, and its full stop is left out: `Championship.`.
        let whole = text
            .strip_suffix('.')
            .filter(|rest| rest.len() >= LONG && rest.chars().all(char::is_alphabetic));
        let text = whole.unwrap_or(text);
        let stem = text.trim_matches(|c: char| !c.is_alphanumeric());
        let folded = fold(stem);
        let letters = folded.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &folded[letters.len()..];
        let letters = if letters == "prel-" { "prel" } else { letters };
        let meaning = self.meaning_at(word, letters, stem);
        let Some(meaning) = meaning.filter(|_| !stem.is_empty()) else { return text.to_owned() };
        // The number of `rapid45` is that of the minutes.
        let digits = match digits {
            "" => "",
            _ if matches!(letters, "rapid" | "blitz") => "",
            _ => &format!(" {digits}"),
        };
        // The full stop belongs to the abbreviation.
        let text = text.strip_suffix('.').unwrap_or(text);
        text.replacen(stem, &format!("{meaning}{digits}"), 1)
    }

    /// Returns the meaning of the letters of a word at its place.
    fn meaning_at(&self, word: TagWord<'_>, letters: &str, stem: &str) -> Option<&'static str> {
        if word.is_ambiguous(letters, stem) {
            return None;
        }
        let is_first = word.place == 0;
        match letters {
            // `GP` is a Grand Prix, but a group in `GP A`, `Gp B` and `Gp1`.
            "gp" if stem == "GP" && !word.next().is_some_and(counts) => Some("Grand Prix"),
            "gp" => Some("Group"),
            // As a first word it is the Grandmasters Association.
            "gma" if !is_first => lexicon::meaning(Class::Stage, letters),
            "aut" if stem == "Aut" && word.is_last() => Some("Autumn"),
            "ann" if word.before().is_some_and(is_ordinal) => Some("Anniversary"),
            // `SF Berlin` is a club.
            "sf" if is_first && stem == "SF" && !word.is_last() => None,
            // `VS Arhipov mem`: initials.
            "vs" if is_first && stem == "VS" => None,
            "w" if !word.is_last() => Some("Women's"),
            letters => lexicon::written(letters),
        }
    }

    /// Splits a word that joins an abbreviation to a letter or an ordinal: `op-A` is `Open A`,
    /// `DivA` is `Division A`, `op18th` is `Open 18th`. `State-ch` and `ch-City` are championships,
    /// and `Leningrad-5ch` the fifth one.
    fn expanded_compound(&self, word: &str) -> Option<String> {
        let of_championship = word.strip_suffix("-ch").or(word.strip_prefix("ch-"));
        if let Some(of) = of_championship.filter(|of| is_name(of)) {
            return Some(format!("{of} Championship"));
        }
        // `PCA-qual`, but not `URS-qual`, which has a country.
        if let Some((of, round)) = word.split_once('-')
            && country(of).is_none()
        {
            match round {
                "op" => return Some(format!("{of} Open")),
                "Turnier" => return Some(format!("{of} Tournament")),
                "qual" => return Some(format!("{of} Qualifier")),
                _ => {}
            }
        }
        let number = word.strip_suffix("ch").and_then(|rest| rest.rsplit_once('-'));
        if let Some((of, number)) = number.filter(|(of, _)| is_name(of))
            && let Ok(number) = number.parse::<usize>()
        {
            return Some(format!("{} {of} Championship", ordinal(number)));
        }
        // `op-2` is the second one of that year.
        if let Some(number) = word.strip_prefix("op-").and_then(|part| part.parse().ok())
            && (1..10).contains(&number)
        {
            return Some(format!("Open {}", roman_numeral(number)));
        }
        let (known, part) = match word.split_once('-') {
            Some((known, letter)) if is_capital(letter) => (known, letter),
            Some(_) => return None,
            None => match word.find(|c: char| c.is_ascii_digit()) {
                Some(digit) => word.split_at(digit),
                None if lexicon::written(&fold(word)).is_some() => return None,
                None => before_capital(word)?,
            },
        };
        let is_part = (is_capital(part) && part != "J") || is_ordinal(part);
        let meaning = lexicon::written(&fold(known)).filter(|_| is_part && known.len() > 1)?;
        Some(format!("{meaning} {part}"))
    }
}

fn team_name(code: &str) -> Option<&'static str> {
    if code == "ROW" {
        return lexicon::meaning(Class::Side, "row");
    }
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    country(code).filter(|_| is_code).map(|found| found.name)
}

/// Returns the adjective of a country whose code begins a name. In a name in capitals it may be a
/// word, and before `vs` it is a team.
fn nationality(code: &str, next: &str) -> Option<&'static str> {
    let is_code = code.len() == 3
        && !is_organisation(code)
        && code.bytes().all(|byte| byte.is_ascii_uppercase());
    let begins_with_capital = next.starts_with(|c: char| c.is_uppercase());
    let is_in_capitals = next.len() > 2 && next.chars().all(char::is_uppercase);
    let found = country(code).filter(|_| is_code && begins_with_capital && !is_in_capitals)?;
    Some(found.adjective)
}

/// Writes the time of a game in full: `G10` and `5'` are 10-minute and 5-minute games.
///
/// `G1` is a group.
fn minutes_of(word: &str) -> Option<String> {
    let grouped = word.strip_prefix('G').and_then(|rest| rest.parse::<u8>().ok());
    let grouped = grouped.filter(|minutes| minutes % 5 == 0 && (10..=60).contains(minutes));
    let minutes = word.strip_suffix('\'').and_then(|rest| rest.parse::<u8>().ok());
    let minutes = grouped.or(minutes.filter(|minutes| (1..=60).contains(minutes)))?;
    Some(format!("{minutes}-Minute Games"))
}

/// Returns whether a word is a name, and not a code as in `URS-ch`.
fn is_name(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && !word.chars().all(char::is_uppercase)
}

fn is_capital(part: &str) -> bool {
    part.len() == 1 && part.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_expanded() {
        let words = EventWords::default();
        for (base, written) in [
            ("Sajtar mem", "Sajtar Memorial"),
            ("Tirnavia op", "Tirnavia Open"),
            ("Nettuno m2", "Nettuno Match 2"),
            ("Quadrangular", "Quadrangular"),
            ("POL-URS", "Poland–Soviet Union"),
            ("10th Nancy GMA", "10th Nancy GM Group A"),
            ("GMA Open", "GMA Open"),
            ("Rapid DivA", "Rapid Division A"),
            ("New York PCA-qual", "New York PCA Qualifier"),
            ("GER-W chT", "West German Team Championship"),
            ("Leningrad-5ch sf", "5th Leningrad Championship Semifinal"),
            ("IND-ROW m", "India–Rest of the World Match"),
            ("SCO Teams", "SCO Teams"),
            ("HUN-POL Friendly Match m", "Hungary–Poland Friendly Match"),
        ] {
            assert_eq!(words.expanded(base), written);
        }
    }
}
