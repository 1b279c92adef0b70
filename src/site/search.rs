//! The search index: players and events by the beginnings of their words, cut into small files that a
//! page loads as a reader types. Scripts, not JSON, since a page opened from a disk may load only those.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::archive::Archive;
use crate::players::fold;

/// Entries of one file; a beginning with more gets a file for each next letter.
const LARGEST: usize = 1500;

/// Entries that such a beginning itself shows.
const FIRST: usize = 100;

/// Longest beginning that has a file of its own.
const LONGEST: usize = 12;

/// Letters of a name or a word that are kept.
const LONGEST_NAME: usize = 120;

/// What can be found: kind (`p`, `e`), identifier, name, what else to show, words by which it is found.
#[derive(Clone, Debug, Serialize)]
struct Entry(char, String, String, String, String);

/// Files by their names below `search/`: `index.js` with the beginnings that have a file, and those.
pub(super) fn search_files(archive: &Archive) -> Vec<(String, String)> {
    let entries = entries(archive);
    let words: Vec<Vec<&str>> = entries.iter().map(|entry| entry.4.split(' ').collect()).collect();
    let all: Vec<usize> = (0..entries.len()).collect();
    let mut files: BTreeMap<String, (bool, Vec<usize>)> = BTreeMap::new();
    cut(&words, "", all, &mut files);
    let whole: BTreeMap<&str, u8> =
        files.iter().map(|(name, (whole, _))| (name.as_str(), u8::from(*whole))).collect();
    let mut written = vec![("index.js".to_owned(), format!("greatnessIndex({});\n", json(&whole)))];
    for (name, (_, places)) in &files {
        let shown: Vec<&Entry> = places.iter().map(|place| &entries[*place]).collect();
        let text = format!("greatnessEntries({}, {});\n", json(name), json(&shown));
        // `con.js` and `aux.js` are no names for files everywhere.
        written.push((format!("s-{name}.js"), text));
    }
    written
}

/// A value as it may stand in any script, also inside of a page.
fn json(value: &impl Serialize) -> String {
    // Texts, numbers and lists of them always serialize.
    let text = serde_json::to_string(value).expect("texts and numbers always serialize");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Cuts the entries that have a word with this beginning; the most important of too many stay with it.
fn cut(
    words: &[Vec<&str>],
    beginning: &str,
    places: Vec<usize>,
    files: &mut BTreeMap<String, (bool, Vec<usize>)>,
) {
    let letters = beginning.chars().count();
    let is_whole = letters >= 2 && (places.len() <= LARGEST || letters >= LONGEST);
    if letters >= 2 {
        let kept = match is_whole {
            // So many things that begin alike are told apart by their other words.
            true => places.iter().copied().take(4 * LARGEST).collect(),
            false => {
                // Ma and Li have no longer beginning under which they could be found.
                let is_word = |place: &usize| words[*place].contains(&beginning);
                let mut kept: Vec<usize> =
                    places.iter().copied().filter(is_word).take(LARGEST).collect();
                kept.extend(places.iter().copied().filter(|place| !is_word(place)).take(FIRST));
                kept
            }
        };
        files.insert(beginning.to_owned(), (is_whole, kept));
    }
    if is_whole {
        return;
    }
    let mut next: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for place in places {
        let mut longer: Vec<&str> = words[place]
            .iter()
            .filter(|word| word.starts_with(beginning))
            .filter_map(|word| {
                let end = word.char_indices().nth(letters + 1).map_or(word.len(), |(at, _)| at);
                (word.chars().count() > letters).then(|| &word[..end])
            })
            .collect();
        longer.sort_unstable();
        longer.dedup();
        for beginning in longer {
            next.entry(beginning.to_owned()).or_default().push(place);
        }
    }
    for (beginning, places) in next {
        cut(words, &beginning, places, files);
    }
}

/// All players and events, the most important first.
fn entries(archive: &Archive) -> Vec<Entry> {
    let mut entries: Vec<(usize, Entry)> = Vec::new();
    for row in &archive.player_rows {
        let player = archive.players.get(row.player);
        let mut detail = super::pages::span(row.years);
        if let Some(g_score) = row.great {
            detail.push_str(&format!(" · best G {}", super::figures::fixed(g_score, 2)));
        }
        let names = std::iter::once(player.name.as_str())
            .chain(player.spellings.iter().map(String::as_str).take(12))
            .chain(player.also_called.iter().map(String::as_str).take(12));
        entries.push((
            row.games * 2,
            Entry('p', player.id.clone(), short(&player.name), detail, words_of(names)),
        ));
    }
    for record in &archive.records {
        let event = &record.event;
        let names = [&event.name, &event.tag, &event.site, &event.tagged_site].map(String::as_str);
        let mut words = words_of(names.into_iter());
        if let Some(year) = event.start.year().map(|year| year.to_string())
            && !words.split(' ').any(|word| word == year)
        {
            words.push(' ');
            words.push_str(&year);
        }
        let detail = format!("{}, {} games", event.kind.words(), event.games.len());
        entries.push((
            event.games.len(),
            Entry('e', event.id.clone(), short(&event.name), detail, words),
        ));
    }
    entries.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.1.0, &a.1.1).cmp(&(b.1.0, &b.1.1))));
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn short(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

/// The words of names, folded, each once.
fn words_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut words: Vec<String> = Vec::new();
    for name in names {
        for word in fold(&short(name)).split(|c: char| !c.is_ascii_alphanumeric()) {
            if !word.is_empty() && !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_with_too_many_entries_are_cut_further_and_nothing_is_lost() {
        let names: Vec<String> = (0..4000).map(|n| format!("ma{:03x} ivan", n)).collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.push("ma long");
        let words: Vec<Vec<&str>> = names.iter().map(|name| name.split(' ').collect()).collect();
        let mut files = BTreeMap::new();
        cut(&words, "", (0..names.len()).collect(), &mut files);
        assert!(!files["ma"].0, "too many for one file");
        assert!(files["ma"].1.contains(&4000), "Ma has no longer beginning");
        for (place, words) in words.iter().enumerate().take(4000) {
            let found = (2..=words[0].len()).any(|end| {
                files.get(&words[0][..end]).is_some_and(|(_, places)| places.contains(&place))
            });
            assert!(found, "{}", words[0]);
        }
    }

    #[test]
    fn words_are_folded_and_come_once() {
        let names = ["Möller, Jörg", "Moeller,J", "<script>\u{202e}Ø"];
        assert_eq!(words_of(names.into_iter()), "moller jorg j script o");
    }

    #[test]
    fn no_text_leaves_its_string() {
        assert_eq!(json(&"</script>\u{2028}\"\\"), "\"\\u003c/script>\\u2028\\\"\\\\\"");
    }
}
