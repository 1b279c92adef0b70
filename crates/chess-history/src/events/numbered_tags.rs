//! Finds numbers of rounds and games in Event tags.
//!
//! Some sources write the round or the game into the Event tag (`Hastings Round 3`, `Game 5`), so
//! that one event has as many tags as rounds. Whether a number counts rounds, groups or editions
//! can be seen from the players: each plays once under a number, and most of them play on under the
//! next one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::same_tags::SameTags;
use super::tag::{EventTag, SegmentKind, SiteTag};
use crate::games::lexicon::{self, Class};
use crate::games::{GameTable, NameId};
use crate::players::{PlayerId, Players, fold};

/// The largest number of a round. Judged: no tournament has more rounds, but a long match may have
/// nearly as many games.
const MOST_ROUNDS: u16 = 60;

/// The most numbers of a tag that are tried. Judged: a tag has an edition, a group and a round. It
/// bounds the time and memory for a tag of digits.
const MOST_NUMBERS: usize = 4;

/// One player in so many may have two games under one number. Judged: a tenth, for wrong numbers
/// and copies with other moves.
const FEW: usize = 10;

/// The Event and Site tags of some games.
type Tags = (NameId, NameId);

/// An Event tag with a number that may be that of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NumberedTag {
    /// The folded tag with a sign in place of the number: equal for all rounds of an event.
    pattern: String,
    number: u16,
    /// The tag without the number and the words for it.
    rest: String,
}

/// The name of an event, and the number of the round or game that its Event tag has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RoundOfTag {
    pub name: String,
    pub round: u16,
}

/// Finds the Event tags that number the rounds of one event, among parsed tags. `is_copy` tells
/// rows of copies, whose games are counted elsewhere.
pub(super) fn rounds_of_tags(
    table: &GameTable,
    players: &Players,
    tagged: &[SameTags],
    (events, sites): (&FxHashMap<Tags, EventTag>, &FxHashMap<NameId, SiteTag>),
    is_copy: impl Fn(usize) -> bool,
) -> FxHashMap<Tags, RoundOfTag> {
    let mut all: Vec<Tags> = tagged.iter().map(|same| (same.event, same.site)).collect();
    all.sort_unstable();
    all.dedup();
    let mut by_board: FxHashMap<(String, &str), Vec<(Tags, String)>> = FxHashMap::default();
    let mut by_pattern: FxHashMap<(String, &str), Vec<(Tags, NumberedTag)>> = FxHashMap::default();
    for tags in all {
        let (event, site) = (&events[&tags], sites[&tags.1].key.as_str());
        if event.segment != SegmentKind::Main {
            continue;
        }
        let base = without_board(&event.base);
        if let Some(base) = &base {
            let key = (fold(base), site);
            by_board.entry(key).or_default().push((tags, base.clone()));
        }
        for numbered in numbers(base.as_deref().unwrap_or(&event.base)) {
            by_pattern.entry((numbered.pattern.clone(), site)).or_default().push((tags, numbered));
        }
    }
    let mut found: FxHashMap<Tags, RoundOfTag> = FxHashMap::default();
    for (tags, name) in by_board.into_values().filter(|tags| tags.len() > 1).flatten() {
        found.insert(tags, RoundOfTag { name, round: 0 });
    }
    let mut series: Vec<_> = by_pattern.into_iter().filter(|(_, tags)| tags.len() > 1).collect();
    let mut rows_of: FxHashMap<Tags, Vec<usize>> = FxHashMap::default();
    for (tags, _) in series.iter().flat_map(|(_, tags)| tags) {
        rows_of.entry(*tags).or_default();
    }
    for same in tagged {
        if let Some(rows) = rows_of.get_mut(&(same.event, same.site)) {
            let own = same.rows.iter().map(|row| *row as usize);
            rows.extend(own.filter(|row| !is_copy(*row)));
        }
    }
    // If a tag has two numbers, the one that more tags share counts rounds.
    series.sort_by(|(a, of_a), (b, of_b)| of_b.len().cmp(&of_a.len()).then_with(|| a.cmp(b)));
    for (_, mut tags) in series {
        tags.retain(|(tags, _)| found.get(tags).is_none_or(|found| found.round == 0));
        let numbers = tags
            .iter()
            .flat_map(|(tags, numbered)| rows_of[tags].iter().map(|row| (*row, numbered.number)));
        if count_rounds(table, players, numbers) {
            found.extend(tags.into_iter().map(|(tags, numbered)| {
                (tags, RoundOfTag { name: numbered.rest, round: numbered.number })
            }));
        }
    }
    found
}

/// Returns whether games with these numbers are those of the rounds of one event, or of the games
/// of one match: in each year, most players have at most one game under a number, and most of
/// those who play at all play under several.
fn count_rounds(
    table: &GameTable,
    players: &Players,
    numbers: impl Iterator<Item = (usize, u16)>,
) -> bool {
    let mut games: FxHashMap<(PlayerId, Option<i16>, u16), usize> = FxHashMap::default();
    for (row, number) in numbers {
        let game = &table.games()[row];
        for player in [game.white, game.black].into_iter().filter_map(|name| players.of_name(name))
        {
            *games.entry((player, game.date.year(), number)).or_default() += 1;
        }
    }
    let several = games.values().filter(|games| **games > 1).count();
    let mut rounds: FxHashMap<(PlayerId, Option<i16>), FxHashSet<u16>> = FxHashMap::default();
    for (player, year, number) in games.keys() {
        rounds.entry((*player, *year)).or_default().insert(*number);
    }
    let playing_on = rounds.values().filter(|rounds| rounds.len() > 1).count();
    FEW * several <= games.len() && 2 * playing_on > rounds.len()
}

/// Finds the numbers in an Event tag that may be those of rounds.
fn numbers(tag: &str) -> Vec<NumberedTag> {
    let bytes = tag.as_bytes();
    let mut found = Vec::new();
    let mut start = 0;
    while found.len() < MOST_NUMBERS
        && let Some(digits) = bytes[start..].iter().position(u8::is_ascii_digit)
    {
        let begin = start + digits;
        let length = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = begin + length;
        start = end;
        let number: u16 = tag[begin..end].parse().unwrap_or(0);
        if (1..=MOST_ROUNDS).contains(&number) {
            found.extend(without_number(tag, begin..end, number));
        }
    }
    found
}

/// Takes a number out of a tag, with the words for a round next to it. Returns `None` if the number
/// is part of a word that is not one of these.
fn without_number(tag: &str, place: std::ops::Range<usize>, number: u16) -> Option<NumberedTag> {
    let (before, after) = (&tag[..place.start], &tag[place.end..]);
    // `R3`, `3rd`
    let prefix = before.len() - before.trim_end_matches(char::is_alphabetic).len();
    let suffix = after.len() - after.trim_start_matches(char::is_alphabetic).len();
    let (before, joined) = before.split_at(before.len() - prefix);
    let (ending, after) = after.split_at(suffix);
    let is_round = joined.is_empty() || is_round_word(joined);
    let is_ordinal = ending.is_empty() || matches!(ending, "st" | "nd" | "rd" | "th");
    if !is_round || !is_ordinal {
        return None;
    }
    let pattern = fold(&format!("{before}{joined}#{after}"));
    let rest = joined_parts(without_last_words(before), without_first_words(after));
    Some(NumberedTag { pattern, number, rest })
}

/// Joins the parts of a tag around what was taken out of it.
pub(super) fn joined_parts(before: &str, after: &str) -> String {
    let [before, after] =
        [before, after].map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
    let gap = if before.is_empty() || after.is_empty() { "" } else { " " };
    format!("{before}{gap}{after}")
}

fn is_round_word(word: &str) -> bool {
    lexicon::means(Class::Round, &word.to_lowercase(), "number")
}

/// Returns a tag without the number of the board: `Round 3 Board 2`, `Round 3.2`. Returns `None` if
/// it has none.
fn without_board(tag: &str) -> Option<String> {
    for (start, _) in tag.match_indices(|c: char| c.is_ascii_digit()) {
        let before = &tag[..start];
        if before.ends_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let word_end = before.trim_end_matches(|c: char| !c.is_alphanumeric());
        let word = word_end.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_next = before.len() - word_end.len() <= 2;
        let rest = if is_next && lexicon::means(Class::Round, &word.to_lowercase(), "board") {
            &word_end[..word_end.len() - word.len()]
        } else if let Some(rest) = before.strip_suffix('.').filter(|rest| ends_with_round(rest)) {
            rest
        } else {
            continue;
        };
        let after = tag[start..].trim_start_matches(|c: char| c.is_ascii_digit());
        return Some(joined_parts(rest, after));
    }
    None
}

/// Returns whether a text ends with a word for a round and its number: `Open R3`.
fn ends_with_round(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = before.trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    before.len() < text.len() && is_round_word(word)
}

/// Returns the text before a number without the words for a round.
fn without_last_words(text: &str) -> &str {
    let mut rest = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    while let Some(word) = rest.split(|c: char| !c.is_alphanumeric()).next_back()
        && !word.is_empty()
        && is_round_word(word)
    {
        rest = rest[..rest.len() - word.len()].trim_end_matches(|c: char| !c.is_alphanumeric());
    }
    rest
}

/// Returns the text after a number without the words for a round.
fn without_first_words(text: &str) -> &str {
    let mut rest = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    while let Some(word) = rest.split(|c: char| !c.is_alphanumeric()).next()
        && !word.is_empty()
        && is_round_word(word)
    {
        rest = rest[word.len()..].trim_start_matches(|c: char| !c.is_alphanumeric());
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name and the number that a tag has, if its last number counts rounds.
    fn read(tag: &str) -> Option<(String, u16)> {
        numbers(tag).pop().map(|found| (found.rest, found.number))
    }

    #[test]
    fn the_words_for_a_round_are_no_part_of_the_name() {
        for (tag, name, number) in [
            ("Testville Open Round 3", "Testville Open", 3),
            ("Testville Open, 3. Runde", "Testville Open", 3),
            ("Testville Open R3", "Testville Open", 3),
            ("Testville Open (12)", "Testville Open", 12),
            ("Round 3 - Testville Open", "Testville Open", 3),
            ("World Championship 2012 Game 11", "World Championship 2012", 11),
            ("3rd round, Testville Open", "Testville Open", 3),
            ("Game 5", "", 5),
            ("5", "", 5),
        ] {
            assert_eq!(read(tag), Some((name.to_owned(), number)), "{tag}");
        }
    }

    #[test]
    fn the_number_of_a_board_is_no_part_of_the_name() {
        for (tag, name) in [
            ("Testville Open Board 3", Some("Testville Open")),
            ("Testville Open Round 2 Board 3", Some("Testville Open Round 2")),
            ("Testville Open R2.3", Some("Testville Open R2")),
            ("Brett 3, Testville Open", Some("Testville Open")),
            ("Testville Open 2.3.2003", None),
            ("Testville Open 12", None),
        ] {
            assert_eq!(without_board(tag).as_deref(), name, "{tag}");
        }
    }

    #[test]
    fn numbers_within_words_and_years_are_none_of_rounds() {
        for tag in ["Testville 2012", "Candidats sf1", "U20 Cup", "Testville B2B"] {
            assert_eq!(read(tag), None, "{tag}");
        }
    }

    #[test]
    fn texts_of_other_scripts_are_cut_between_letters() {
        assert_eq!(read("Кубок, 3 тур"), Some(("Кубок".to_owned(), 3)));
        assert_eq!(read("第3回大会"), None);
    }
}
