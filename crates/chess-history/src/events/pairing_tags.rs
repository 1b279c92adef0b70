//! Finds the names of both players in Event tags.
//!
//! Studies and some programs name each game by its players (`Testville Open: Adler - Bauer`), so
//! that an event has as many tags as games.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::numbered_tags::joined_parts;
use crate::games::lexicon::{self, Class};
use crate::games::tag_words;
use crate::players::fold;

/// Returns the names of events that several tags have besides the names of players, by the place
/// in `tags`. Each has the key of its site and the names of the players of its only game.
pub(super) fn events_of_pairings(tags: &[(&str, &str, [&str; 2])]) -> Vec<(usize, String)> {
    let named: Vec<(usize, String)> = tags
        .iter()
        .enumerate()
        .filter_map(|(place, (tag, _, players))| Some((place, without_players(tag, *players)?)))
        .filter(|(_, name)| !name.is_empty())
        .collect();
    let key = |(place, name): &(usize, String)| (fold(name), tags[*place].1);
    let mut counts: FxHashMap<(String, &str), usize> = FxHashMap::default();
    for one in &named {
        *counts.entry(key(one)).or_default() += 1;
    }
    named.into_iter().filter(|one| counts[&key(one)] > 1).collect()
}

/// Returns an Event tag without the names of both players of a game. Returns `None` if they do not
/// stand next to each other in it.
fn without_players(tag: &str, players: [&str; 2]) -> Option<String> {
    let [white, black] = players.map(|name| tag_words(&fold(name)).collect::<Vec<String>>());
    let mut span: Option<Range<usize>> = None;
    let mut found = [false; 2];
    for place in words(tag) {
        let word = fold(&tag[place.clone()]);
        for (found, name) in found.iter_mut().zip([&white, &black]) {
            // The first word of a name is a surname, or a given name that stands in front of it.
            *found |= name.iter().any(|own| own.len() > 1 && *own == word);
        }
        let is_of_name = [&white, &black]
            .iter()
            .any(|name| name.iter().any(|own| *own == word || is_initial(&word, own)));
        match &mut span {
            None if is_of_name => span = Some(place),
            Some(span) if is_of_name && joins(&tag[span.end..place.start]) => span.end = place.end,
            Some(_) if is_of_name => return None,
            _ => {}
        }
    }
    let span = span.filter(|_| found == [true; 2])?;
    // A rating in brackets after a name belongs to it.
    let mut after = tag[span.end..].trim_start();
    if let Some((inside, rest)) = after.strip_prefix('(').and_then(|rest| rest.split_once(')'))
        && inside.chars().all(|c| !c.is_alphabetic())
    {
        after = rest;
    }
    Some(joined_parts(&tag[..span.start], after))
}

fn is_initial(word: &str, name: &str) -> bool {
    word.chars().count() == 1 && name.starts_with(word)
}

/// Returns whether the text between two names has no words but those of a pairing: `vs`, a rating,
/// a title.
fn joins(text: &str) -> bool {
    words(text).all(|place| {
        let word = text[place].to_lowercase();
        word.bytes().all(|byte| byte.is_ascii_digit())
            || lexicon::means(Class::Person, &word, "title")
            || matches!(word.as_str(), "vs" | "v" | "gegen" | "contra" | "contre" | "против")
    })
}

/// Returns the places of the words of a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split(|c: char| !c.is_alphanumeric()).filter_map(move |word| {
        let place = start..start + word.len();
        let gap = text[place.end..].chars().next().map_or(0, char::len_utf8);
        start = place.end + gap;
        (!word.is_empty()).then_some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_both_players_are_no_part_of_the_event() {
        let players = ["Adler, Anton", "Bauer, Bruno"];
        for tag in [
            "Testville Open: Adler - Bauer",
            "Testville Open Bauer vs Adler",
            "Testville Open, Anton Adler - B. Bauer",
            "Adler-Bauer, Testville Open",
            "Testville Open: Adler, Anton (2400) - GM Bauer, Bruno (2500)",
        ] {
            assert_eq!(without_players(tag, players).as_deref(), Some("Testville Open"), "{tag}");
        }
        assert_eq!(without_players("Adler - Bauer", players).as_deref(), Some(""));
    }

    #[test]
    fn a_name_alone_or_apart_belongs_to_the_event() {
        let players = ["Adler, Anton", "Bauer, Bruno"];
        for tag in ["Adler Memorial", "Adler Memorial, Bauer Stadium", "Testville Open"] {
            assert_eq!(without_players(tag, players), None, "{tag}");
        }
    }

    #[test]
    fn tags_that_share_no_name_keep_theirs() {
        let open = ("Open: Adler - Bauer", "testville", ["Adler, Anton", "Bauer, Bruno"]);
        let next = ("Open: Conti - Dupont", "testville", ["Conti, Carlo", "Dupont, Denis"]);
        let other = ("Cup: Conti - Dupont", "testville", ["Conti, Carlo", "Dupont, Denis"]);
        let found = events_of_pairings(&[open, next, other]);
        assert_eq!(found, [(0, "Open".to_owned()), (1, "Open".to_owned())]);
    }
}
