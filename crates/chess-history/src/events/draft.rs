//! Names events and assigns their identifiers.

use std::cmp::Reverse;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bracket::Bracket;
use super::context::EventContext;
use super::event::{Event, lead_of_first};
use super::history::{date_by_parts, keep_one_event_per_result};
use super::name_words::{roman_numeral, words_of};
use super::naming::{self, EventName};
use crate::games::lexicon::{self, Class};
use crate::games::{GameTable, Tempo};
use crate::players::{Players, Slugs, fold, slug};
use crate::tournament::Kind;

/// An event without its identifier and final name.
pub(super) struct EventDraft {
    pub name: naming::EventName,
    pub event: Event,
    /// The index of the cycle or knock-out of which it is a match, or of the event of which it is a
    /// stage.
    pub part_of: Option<usize>,
}

impl EventDraft {
    /// Returns the group of drafts with which it competes for an identifier, matches last.
    fn competition(&self) -> (bool, Option<i16>, &str) {
        (self.part_of.is_some(), self.event.start.year(), &self.name.ids[0])
    }

    /// Returns the properties that decide between competing drafts; the least one comes first.
    fn priority(&self, table: &GameTable) -> (Tempo, u8, Reverse<u64>, Reverse<usize>) {
        let kind = match self.event.kind {
            Kind::Fragment | Kind::Other => 2,
            kind if kind.is_round_robin() => 0,
            _ => 1,
        };
        // The mean of the rating tags (points); 0 if there are none.
        let elos = self.event.games.iter().flat_map(|game| {
            let row = &table.games()[game.row];
            [row.white_elo, row.black_elo]
        });
        let (sum, known) = elos
            .filter(|elo| *elo > 0)
            .fold((0u64, 0), |(sum, known), elo| (sum + u64::from(elo), known + 1));
        let mean = sum.checked_div(known).unwrap_or(0);
        (self.event.tempo, kind, Reverse(mean), Reverse(self.event.games.len()))
    }

    fn player_ids<'a>(&self, players: &'a Players) -> impl Iterator<Item = &'a str> {
        self.event.players.iter().map(|player| players.get(*player).id.as_str())
    }
}

/// Names the events and assigns their identifiers. A match of a larger event is named after both.
pub(super) fn name_events(mut drafts: Vec<EventDraft>, context: EventContext<'_>) -> Vec<Event> {
    let EventContext { table, players, words, places, .. } = context;
    name_matches_of_larger_events(&mut drafts, table);
    let ids = identifiers(&drafts, table, players);
    let names = distinct_names(&drafts, &ids);
    let mut events: Vec<Event> = drafts
        .into_iter()
        .zip(names)
        .enumerate()
        .map(|(place, (draft, name))| Event {
            id: ids[place].clone(),
            name,
            part_of: draft.part_of.map(|larger| ids[larger].clone()),
            ..draft.event
        })
        .collect();
    for event in &mut events {
        if let Some(name) = words.known_name(&event.id, || event.field(players)) {
            name.clone_into(&mut event.name);
        }
    }
    keep_one_event_per_result(&mut events);
    for event in &mut events {
        event.apply_known_result(places);
    }
    date_by_parts(&mut events);
    events.sort_by(|a, b| (a.start, &a.name, &a.id).cmp(&(b.start, &b.name, &b.id)));
    events
}

/// Assigns a distinct identifier to each draft, in the order of the drafts.
///
/// Larger events choose before their matches. Where events compete for an identifier, their
/// properties decide, never the order of the input. The slowest comes first, then one of known
/// kind, then that with the highest ratings, then the largest.
fn identifiers(drafts: &[EventDraft], table: &GameTable, players: &Players) -> Vec<String> {
    let priorities: Vec<_> = drafts.par_iter().map(|draft| draft.priority(table)).collect();
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by(|&a, &b| {
        let (one, two) = (&drafts[a], &drafts[b]);
        one.competition()
            .cmp(&two.competition())
            .then_with(|| priorities[a].cmp(&priorities[b]))
            .then_with(|| one.event.start.cmp(&two.event.start))
            .then_with(|| one.name.name.cmp(&two.name.name))
            .then_with(|| one.player_ids(players).cmp(two.player_ids(players)))
    });
    let mut slugs = Slugs::default();
    let mut ids: Vec<String> = vec![String::new(); drafts.len()];
    let mut holders: FxHashMap<&str, Option<u8>> = FxHashMap::default();
    for place in order {
        let draft = &drafts[place];
        let mut wanted = draft.name.ids.clone();
        // The month distinguishes it from an event of another month.
        let month = draft.event.start.month();
        let holder = holders.entry(&draft.name.ids[0]).or_insert(month);
        if *holder != month {
            wanted.extend(draft.name.id_with_month.clone());
        }
        if let Some(larger) = draft.part_of.filter(|_| draft.event.players.len() == 2) {
            let surnames = draft.event.players.iter().map(|player| players.get(*player).surname());
            let names = slug(&surnames.collect::<Vec<_>>().join(" "));
            wanted.insert(0, format!("{}-{names}", ids[larger]));
        }
        ids[place] = slugs.take(&wanted);
    }
    ids
}

/// Names the matches of larger events.
///
/// Matches of a knock-out are named by their round. Matches of a tournament that is named after its
/// place follow its name. If the score was level, the player who advanced is named first.
fn name_matches_of_larger_events(drafts: &mut [EventDraft], table: &GameTable) {
    let mut brackets: FxHashMap<usize, Bracket> = FxHashMap::default();
    for place in 0..drafts.len() {
        let Some(larger) = drafts[place].part_of else { continue };
        let bracket = brackets
            .entry(larger)
            .or_insert_with(|| Bracket::from_event(&drafts[larger].event, table));
        let field = &drafts[larger].event.players;
        let [one, other] = drafts[place].event.players[..] else { continue };
        let [one, other] = [one, other].map(|id| field.iter().position(|player| *player == id));
        let within = one.zip(other).and_then(|(one, other)| bracket.between(one, other));
        let name_of_larger = drafts[larger].name.name.clone();
        let draft = &mut drafts[place];
        let Some(parts) = &mut draft.name.of_match else { continue };
        let is_level = lead_of_first(table, &draft.event.games) == 0.0;
        if is_level && one.is_some() && within.and_then(|within| bracket.loser(within)) == one {
            parts.pair.swap(0, 1);
        }
        let round = within.and_then(|within| bracket.round_name(within));
        draft.name.name = parts.within(&name_of_larger, round);
    }
}

/// Returns the names of the events, with a detail where several events have the same name.
///
/// The detail is their month, or otherwise the words of their tags. The best known event may keep
/// the plain name (see [`plainly_named`]), and so may one whose tags say nothing more.
fn distinct_names(drafts: &[EventDraft], ids: &[String]) -> Vec<String> {
    let mut of_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (place, draft) in drafts.iter().enumerate() {
        of_name.entry(&draft.name.name).or_default().push(place);
    }
    let mut names: Vec<String> = drafts.iter().map(|draft| draft.name.name.clone()).collect();
    for places in of_name.into_values().filter(|places| places.len() > 1) {
        let detail_kind = (0..2).find(|&kind| {
            let mut details: Vec<&str> =
                places.iter().map(|&place| drafts[place].name.details[kind].as_str()).collect();
            details.sort_unstable();
            details.windows(2).all(|two| two[0] != two[1])
        });
        let short: FxHashSet<&str> =
            places.iter().map(|&place| words_beyond_name(&drafts[place].name)).collect();
        let plain = plainly_named(&places, drafts, ids, detail_kind == Some(1));
        let are_shortened = detail_kind == Some(1)
            && short.len() == places.len()
            && (plain.is_none() || !short.contains(""));
        // Without any difference they are numbered, and the first keeps the plain name.
        let first = places.iter().copied().min_by_key(|place| &ids[*place]);
        let plain = plain.or(first.filter(|_| detail_kind.is_none()));
        let mut others: Vec<usize> =
            places.into_iter().filter(|place| Some(*place) != plain).collect();
        others.sort_unstable_by_key(|place| &ids[*place]);
        let details = match detail_kind {
            None => (2..).map(numeral).take(others.len()).collect(),
            Some(kind) => {
                let details: Vec<&str> = others
                    .iter()
                    .map(|&place| {
                        let name = &drafts[place].name;
                        if are_shortened { words_beyond_name(name) } else { &name.details[kind] }
                    })
                    .collect();
                details_with_numerals(&details, &drafts[others[0]].name.name)
            }
        };
        for (place, detail) in others.into_iter().zip(details) {
            if let Some(numbered) = name_with_section_number(&names[place], &detail) {
                names[place] = numbered;
            } else if !detail.is_empty() {
                names[place].push_str(&format!(" ({detail})"));
            }
        }
    }
    names
}

/// Adds the number of a section to the name that has the section: `USSR Championship Final 2, Kiev
/// 1929`.
fn name_with_section_number(name: &str, detail: &str) -> Option<String> {
    let (section, number) = detail.rsplit_once(' ')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let (before, behind) = name.split_once(&format!(" {section}, ")).filter(|_| is_number)?;
    is_section(&fold(section)).then(|| format!("{before} {section} {number}, {behind}"))
}

/// Returns the number of an event of one name: a Roman numeral as far as these go.
fn numeral(number: u16) -> String {
    if number <= LAST_NUMERAL { roman_numeral(number) } else { number.to_string() }
}

/// Replaces details that repeat the name by numerals.
///
/// The event of the tag `Moscow2` is `Moscow 1991 (II)`. So is a second one of the tag `Moscow`.
fn details_with_numerals(details: &[&str], name: &str) -> Vec<String> {
    let numbers: Vec<Option<u16>> =
        details.iter().map(|detail| number_of_repeated(detail, name)).collect();
    let mut free = (2..=LAST_NUMERAL).filter(|number| !numbers.contains(&Some(*number)));
    let numerals: Option<Vec<String>> = details
        .iter()
        .zip(&numbers)
        .map(|(detail, number)| match number {
            None => Some((*detail).to_owned()),
            Some(UNNUMBERED) => free.next().map(roman_numeral),
            Some(number) => Some(roman_numeral(*number)),
        })
        .collect();
    match numerals {
        Some(numerals) if numerals.iter().collect::<FxHashSet<_>>().len() == details.len() => {
            numerals
        }
        _ => details.iter().map(|detail| (*detail).to_owned()).collect(),
    }
}

/// Returns whether a word names a part of an event, which has a number.
fn is_section(word: &str) -> bool {
    lexicon::meaning(Class::Stage, word).is_some()
}

/// The last number that [`roman_numeral`] can write.
const LAST_NUMERAL: u16 = 89;

/// The number of a detail that only repeats the name.
const UNNUMBERED: u16 = 0;

/// Returns the number of a detail that otherwise repeats the name: 2 of `Moscow2`, 0 of `Moscow`.
///
/// Returns `None` for other details, and for the number of a section: `Quarterfinal 2`.
fn number_of_repeated(detail: &str, name: &str) -> Option<u16> {
    let letters = detail.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &detail[letters.len()..];
    let (own, known) = (words_of(&fold(letters)), words_of(&fold(name)));
    let all = words_of(&fold(detail));
    if all.len() > 1 && all.iter().all(|word| known.contains(word)) {
        return Some(UNNUMBERED);
    }
    let is_of_section = own.last().is_some_and(|last| is_section(last));
    if own.is_empty() || is_of_section || !own.iter().all(|word| known.contains(word)) {
        return None;
    }
    match digits {
        "" => Some(UNNUMBERED),
        digits => digits.parse().ok().filter(|number| (1..=LAST_NUMERAL).contains(number)),
    }
}

/// Returns which of several events with one name keeps the plain name: the one with the plain
/// identifier, if its rivals have distinct words or are all faster.
fn plainly_named(
    places: &[usize],
    drafts: &[EventDraft],
    ids: &[String],
    have_words: bool,
) -> Option<usize> {
    let plain = places.iter().copied().filter(|&place| ids[place] == drafts[place].name.ids[0]);
    plain
        .filter(|&place| {
            let tempo = drafts[place].event.tempo;
            have_words
                || places.iter().all(|&other| other == place || drafts[other].event.tempo > tempo)
        })
        .min_by_key(|&place| (drafts[place].event.tempo, &ids[place]))
}

/// Returns the words of the tag that the name lacks: `G30` of `Champions Showdown G30`.
///
/// A code such as `URS-ch06` adds nothing. A number alone keeps the word before it: `Quarterfinal
/// 1`.
fn words_beyond_name(name: &EventName) -> &str {
    let known = words_of(&fold(&name.name));
    let words = without_first_words(&name.details[1], is_code);
    let rest = without_first_words(words, |word| {
        is_code(word) || words_of(&fold(word)).iter().all(|part| known.contains(part))
    });
    let is_number = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return rest;
    }
    let before = words[..words.len() - rest.len()].trim_end();
    &words[before.rfind(' ').map_or(0, |space| space + 1)..]
}

/// Returns whether a word is the code of a championship: `URS-ch06`, `ch-CHN`.
fn is_code(word: &str) -> bool {
    let Some((one, other)) = word.split_once('-') else { return false };
    [(one, other), (other, one)].into_iter().any(|(country, championship)| {
        country.len() == 3
            && country.chars().all(char::is_uppercase)
            && championship.trim_end_matches(|c: char| c.is_ascii_digit()) == "ch"
    })
}

fn without_first_words(text: &str, is_left_out: impl Fn(&str) -> bool) -> &str {
    let mut rest = text;
    while let Some(word) = rest.split(' ').next().filter(|word| !word.is_empty()) {
        if !is_left_out(word) {
            break;
        }
        rest = rest[word.len()..].trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_that_repeat_the_name_are_numerals() {
        let moscow = ["Moscow2", "Moscow6", "Aeroflot"];
        assert_eq!(details_with_numerals(&moscow, "Moscow 1991"), ["II", "VI", "Aeroflot"]);
        assert_eq!(details_with_numerals(&["Berlin", "Berlin2"], "Berlin 1920"), ["III", "II"]);
        // The number of a section says more than a numeral.
        let finals = ["Quarterfinal 1", "Quarterfinal 3"];
        assert_eq!(
            details_with_numerals(&finals, "USSR Championship Quarterfinal, Odessa 1929"),
            finals
        );
        assert_eq!(details_with_numerals(&["", "May"], "Berlin 1920"), ["", "May"]);
        // The name has the words of the detail in another order.
        let league = "World Team Championship U26 1985";
        assert_eq!(
            details_with_numerals(&[league, "World Championship U26"], league),
            ["II", "III"]
        );
        let name = "USSR Championship Final, Kiev 1929";
        let numbered = name_with_section_number(name, "Final 2");
        assert_eq!(numbered.as_deref(), Some("USSR Championship Final 2, Kiev 1929"));
        assert_eq!(name_with_section_number(name, "Kiev 2"), None);
    }
}
