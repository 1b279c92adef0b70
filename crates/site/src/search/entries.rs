//! The entries of the search index: their names, words and titles.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{FIRST_NAMES, GROUP, NAMES, NEAR_FILES, Words};
use crate::addresses::{key_of_event, key_of_player};
use crate::figures::{counted, fixed};
use crate::pages::glossary::glossary_terms;
use crate::pages::page::Entry;
use crate::pages::registry::searched;
use crate::pages::{Site, span};
use archive::{Archive, EventRecord, PlayerRow};
use chess_history::gazetteer::{Places, country_of_adjective};
use chess_history::players::fold;
use tournament_app::Kind;

/// The longest name or word, in letters. Judged: longer ones are garbled tags.
const LONGEST_NAME: usize = 120;

/// The largest number of indexed spellings of a player. Judged: the most famous players have fewer
/// that a reader may type.
const SPELLINGS: usize = 40;

/// The largest number of pairs of players. The pages of players link to the others. Judged: more
/// would make the index larger by more than they are searched for.
const PAIRS: usize = 10_000;

/// A search result: kind, key of its address, name, details. The kind is `p` for a player, `e` for
/// an event, `m` for a pair of players, `y` for a year, `g` for a term of the glossary, and `w` for
/// another page of the archive.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SearchEntry(char, String, String, String);

impl SearchEntry {
    fn id(&self) -> &str {
        self.1.trim_start_matches('#')
    }
}

/// An entry with what readers may type for it.
struct IndexedEntry {
    entry: SearchEntry,
    words: Vec<String>,
    /// Texts that name this entry alone, as one folded word each: `talpetrosian`, `gscore`. An
    /// entry comes first if the whole text of a search is one of its titles.
    titles: Vec<String>,
}

/// All entries, and their numbers by words and titles.
pub(super) struct SearchIndex {
    pub entries: Vec<SearchEntry>,
    /// The number of players and events. The entries from there on are of other kinds.
    pub others: usize,
    pub words: Words,
    pub titles: Words,
}

impl SearchIndex {
    pub fn new(site: &Site, present: &[&'static Entry]) -> SearchIndex {
        let mut indexed = players_and_events(site.archive);
        let others = indexed.len();
        indexed.extend(years(site));
        indexed.extend(terms());
        indexed.extend(other_pages(present));
        indexed.extend(pairs(site));
        let mut words: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        let mut titles: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        let mut entries = Vec::with_capacity(indexed.len());
        for (place, one) in (0..).zip(indexed) {
            for (all, own) in [(&mut words, one.words), (&mut titles, one.titles)] {
                for word in own {
                    all.entry(word).or_default().push(place);
                }
            }
            entries.push(one.entry);
        }
        SearchIndex {
            entries,
            others,
            words: words.into_iter().collect(),
            titles: titles.into_iter().collect(),
        }
    }
}

/// All players and events, most important first. Those whose names are in large files are so by
/// groups.
fn players_and_events(archive: &Archive) -> Vec<IndexedEntry> {
    let places = Places::default();
    let elsewhere = places.other_spellings();
    let players = archive.lists.player_rows.iter().map(|row| player(archive, row));
    let events = archive.records.iter().map(|record| {
        let other_places = elsewhere.get(record.event.site.as_str());
        event(record, other_places.map_or(&[], Vec::as_slice))
    });
    let mut entries: Vec<(usize, IndexedEntry)> = players.chain(events).collect();
    entries.sort_by(|(more, a), (less, b)| {
        less.cmp(more).then_with(|| (a.entry.0, a.entry.id()).cmp(&(b.entry.0, b.entry.id())))
    });
    let near = (FIRST_NAMES + NEAR_FILES * NAMES).min(entries.len());
    for group in entries[near..].chunks_mut(GROUP) {
        group.sort_by(|(_, a), (_, b)| (a.entry.0, a.entry.id()).cmp(&(b.entry.0, b.entry.id())));
    }
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// A player with the player's importance.
fn player(archive: &Archive, row: &PlayerRow) -> (usize, IndexedEntry) {
    let player = archive.players.get(row.player);
    let mut detail = span(row.years);
    if let Some(g_score) = row.great {
        detail.push_str(&format!(" · best G {}", fixed(g_score, 2)));
    }
    let names = std::iter::once(player.name.as_str())
        .chain(player.spellings.iter().map(String::as_str).take(SPELLINGS))
        .chain(player.also_called.iter().map(String::as_str).take(SPELLINGS));
    let initials = initials(&player.name);
    let names = names.chain(initials.as_deref());
    let key = key_of_player(archive, row.player);
    let entry = SearchEntry('p', key, short(&player.name), detail);
    // The G-score of the best performance weights the games.
    let each = row.great.map(|g_score| g_score / 50.0);
    let titles = title(surname(&player.name)).into_iter().collect();
    let indexed = IndexedEntry { entry, words: words_of(names), titles };
    (importance(row.games * 2, each), indexed)
}

/// An event with its importance. `other_places` are the other spellings of its place.
fn event(record: &EventRecord, other_places: &[String]) -> (usize, IndexedEntry) {
    let event = &record.event;
    let year = event.start.year().map(|year| year.to_string()).unwrap_or_default();
    let countries: Vec<&str> = countries_in(&event.name).collect();
    // Readers look for a player's victory: `Tarrasch Vienna`. A match is called by its players.
    let won = record.winners().into_iter().filter(|_| event.kind != Kind::Match);
    let winners: Vec<&str> =
        won.map(|place| surname(&record.analysis.players[place].name)).collect();
    let names = [&event.name, &event.tag, &event.site, &event.tagged_site, &year]
        .map(String::as_str)
        .into_iter()
        .chain(other_places.iter().map(String::as_str))
        .chain(countries.iter().copied())
        .chain(winners.iter().copied());
    let detail = format!("{}, {} games", event.kind.words(), event.games.len());
    let entry = SearchEntry('e', key_of_event(record), short(&event.name), detail);
    // A strength of 100 means that every player is as strong as the world number two. So a match
    // for the world championship precedes an open tournament with twenty times its games.
    let each = record.analysis.strength.map(|strength| strength.max(0.0).powi(2) / 100.0);
    let indexed = IndexedEntry { entry, words: words_of(names), titles: Vec::new() };
    (importance(event.games.len(), each), indexed)
}

/// Names of the countries whose adjective is in the name of an event: `Soviet Union` for `31st USSR
/// Championship`.
fn countries_in(name: &str) -> impl Iterator<Item = &'static str> {
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let two = words.windows(2).map(|two| two.join(" "));
    let adjectives: Vec<String> = two.chain(words.iter().map(|word| (*word).to_owned())).collect();
    adjectives.into_iter().filter_map(|adjective| country_of_adjective(&adjective))
}

fn years(site: &Site) -> impl Iterator<Item = IndexedEntry> {
    site.events_by_year().map(|(year, events)| {
        let year = year.to_string();
        let detail = counted(events, "event", "events");
        let entry = SearchEntry('y', year.clone(), year.clone(), detail);
        IndexedEntry { entry, words: vec![year.clone()], titles: vec![year] }
    })
}

/// The terms of the glossary, with their abbreviations and synonyms as titles: `G-score (G)`.
fn terms() -> impl Iterator<Item = IndexedEntry> {
    glossary_terms().map(|(anchor, term)| IndexedEntry {
        entry: SearchEntry('g', anchor, term.to_owned(), String::new()),
        words: words_of(std::iter::once(term)),
        titles: term.split([',', '(', ')']).filter_map(title).collect(),
    })
}

/// The other pages of this archive that readers look for.
fn other_pages(present: &[&'static Entry]) -> impl Iterator<Item = IndexedEntry> {
    searched(present).map(|(page, others)| {
        let titles = others.iter().copied().chain([page.title]);
        let (path, title_here) = (page.path.to_owned(), page.title.to_owned());
        IndexedEntry {
            entry: SearchEntry('w', path, title_here, String::new()),
            words: words_of(titles.clone()),
            titles: titles.filter_map(title).collect(),
        }
    })
}

/// The pages of pairs of players, most games first.
fn pairs(site: &Site) -> impl Iterator<Item = IndexedEntry> {
    site.frequent_pairs(PAIRS).into_iter().map(|(key, names, games)| {
        let [one, other] = names.map(surname);
        let entry = SearchEntry(
            'm',
            key,
            short(&format!("{one}–{other}")),
            counted(games, "game", "games"),
        );
        let both = [format!("{one} {other}"), format!("{other} {one}")];
        IndexedEntry {
            entry,
            words: words_of(names.into_iter()),
            titles: both.iter().filter_map(|both| title(both)).collect(),
        }
    })
}

/// The initials of a name of three or more words, as fans write them: `MVL`.
fn initials(name: &str) -> Option<String> {
    let (family, given) = name.split_once(',')?;
    let words = [given, family].into_iter().flat_map(|part| part.split([' ', '-']));
    let letters: String = words.filter_map(|word| word.chars().next()).collect();
    (letters.chars().count() >= 3).then_some(letters)
}

/// The surname of a displayed name: `Tal` for `Tal, Mikhail`.
fn surname(name: &str) -> &str {
    name.split(',').next().unwrap_or(name)
}

/// A title as one folded word; `None` if it has fewer than three letters, which begin many words.
fn title(text: &str) -> Option<String> {
    let title = words_of(std::iter::once(text)).concat();
    (title.len() > 2).then_some(title)
}

/// The importance of an entry: its number of games, weighted by their quality.
fn importance(games: usize, each: Option<f64>) -> usize {
    games * (1 + each.map_or(0, |each| each.clamp(0.0, 400.0) as usize))
}

fn short(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

/// The folded words of names, without repetitions.
fn words_of<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for name in names {
        for word in fold(&short(name)).split(|c: char| !c.is_ascii_alphanumeric()) {
            if !word.is_empty() && !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_without_repetitions() {
        let names = ["Möller, Jörg", "Moeller,J", "<script>\u{202e}Ø", "Таль"];
        assert_eq!(words_of(names.into_iter()).join(" "), "moller jorg j script o tal");
    }

    #[test]
    fn a_title_is_one_word_of_at_least_three_letters() {
        assert_eq!(title("G-score"), Some("gscore".to_owned()));
        assert_eq!(title("Müller"), Some("muller".to_owned()));
        assert_eq!(title(" G "), None);
    }

    #[test]
    fn an_event_of_a_country_is_found_by_the_name_of_the_country() {
        let found = |name| countries_in(name).collect::<Vec<_>>();
        assert_eq!(found("31st USSR Championship, Leningrad 1963"), ["Soviet Union"]);
        assert_eq!(found("West German Championship 1964"), ["West Germany", "Germany"]);
        assert!(found("Vienna 1898").is_empty());
    }
}
