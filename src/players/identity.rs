//! From spellings to persons.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::aliases::Aliases;
use super::name::PersonName;
use super::slug::{Slugs, slug};
use super::spelling_file::SpelledPlayer;
use crate::games::{GameTable, NameId, names_a_player};

/// Number of a person, dense from 0 in the order of their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(u32);

impl PlayerId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A person.
#[derive(Clone, Debug)]
pub struct Player {
    /// Identifier for URLs: `capablanca-jose-raul`.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// All spellings seen in games, sorted.
    pub spellings: Vec<String>,
    /// Names in parts, for finding the person on lists.
    pub names: Vec<PersonName>,
    /// His numbers with FIDE, as his games or a spelling file give them; almost always one or none.
    pub fide_ids: Vec<u32>,
    /// What a spelling file knows of him.
    pub life: Option<Life>,
}

/// What is known of a person besides games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Life {
    /// Titles, joined by `+`; empty where there are none.
    pub titles: String,
    /// Federations, earliest first, joined by `/`.
    pub federation: String,
    /// FIDE's identification number; 0 unknown.
    pub fide_id: u32,
    /// Year of birth.
    pub born: Option<i16>,
    /// Year of death.
    pub died: Option<i16>,
}

/// Why two spellings are one person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeReason {
    /// A file of aliases says so.
    Alias,
    /// A spelling file says so.
    SpellingFile,
    /// The same name but for case, spaces, diacritics, punctuation, titles.
    Normalised,
    /// The same surname, one given name an initial or the beginning of the other, nobody else
    /// that it could be, and they never met.
    Compatible,
}

/// Two spellings that were taken for one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Merge {
    /// A spelling.
    pub spelling: String,
    /// The name of the person it was given to.
    pub name: String,
    /// Why.
    pub reason: MergeReason,
}

/// All persons.
#[derive(Clone, Debug, Default)]
pub struct Players {
    players: Vec<Player>,
    by_name: FxHashMap<NameId, PlayerId>,
    /// What was merged and why.
    pub merges: Vec<Merge>,
}

impl Players {
    /// The person behind a name in the table's White and Black columns.
    pub fn of_name(&self, name: NameId) -> Option<PlayerId> {
        self.by_name.get(&name).copied()
    }

    /// A person.
    pub fn get(&self, id: PlayerId) -> &Player {
        &self.players[id.index()]
    }

    /// All persons, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Player)> {
        self.players.iter().enumerate().map(|(id, player)| (PlayerId(id as u32), player))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// Adds what a spelling file knows: of each person who is called as just one of its players is, and
    /// as no other person is.
    pub fn add_lives(&mut self, spelled: &[SpelledPlayer]) {
        let mut by_key: FxHashMap<String, Option<&SpelledPlayer>> = FxHashMap::default();
        for player in spelled {
            by_key
                .entry(PersonName::parse(&player.name).key())
                .and_modify(|known| *known = None)
                .or_insert(Some(player));
        }
        for player in &mut self.players {
            let found: Vec<&SpelledPlayer> = player
                .names
                .iter()
                .filter_map(|name| by_key.get(&name.key()).copied().flatten())
                .collect();
            if let [first, rest @ ..] = &found[..]
                && rest.iter().all(|other| other.name == first.name)
            {
                if first.fide_id > 0 && player.fide_ids.is_empty() {
                    player.fide_ids.push(first.fide_id);
                }
                player.life = Some(Life {
                    titles: first.titles.clone(),
                    federation: first.federation.clone(),
                    fide_id: first.fide_id,
                    born: first.born,
                    died: first.died,
                });
            }
        }
    }

    /// All names by surname, for asking whether a name of a list may be anybody's.
    pub fn known_names(&self) -> KnownNames<'_> {
        let mut by_surname: FxHashMap<String, Vec<&PersonName>> = FxHashMap::default();
        for name in self.players.iter().flat_map(|player| &player.names) {
            by_surname.entry(name.surname_key()).or_default().push(name);
            if let [first, _, ..] = &name.surname[..] {
                by_surname.entry(first.clone()).or_default().push(name);
            }
        }
        KnownNames { by_surname }
    }

    /// For each interned text the number of the person, for finding duplicates; texts that are no
    /// names have numbers of their own.
    pub fn numbers(&self, table: &GameTable) -> Vec<u32> {
        (0..table.names.len() as u32)
            .zip(table.names.iter())
            .map(|(other, (name, _))| self.of_name(name).map_or(u32::MAX - other, |id| id.0))
            .collect()
    }
}

/// The names of all persons by surname, and by the first word of surnames of several.
#[derive(Clone, Debug)]
pub struct KnownNames<'a> {
    by_surname: FxHashMap<String, Vec<&'a PersonName>>,
}

impl KnownNames<'_> {
    /// Whether a name, in one of the ways to read it, may be that of a person.
    pub fn may_hold(&self, readings: &[PersonName]) -> bool {
        readings.iter().any(|reading| {
            let namesakes = self.by_surname.get(&reading.surname_key()).into_iter().flatten();
            namesakes.into_iter().any(|name| name.given_compatible(reading, true))
        })
    }
}

/// Years in which two spellings may lie apart and still be one career.
const CAREER_GAP: i16 = 25;

/// One spelling after normalisation.
struct Spelling {
    name: PersonName,
    /// The text to show, the fullest of its kind.
    text: String,
    texts: Vec<(NameId, String)>,
    first_year: i16,
    last_year: i16,
    /// Rating tags by year: their sum and number.
    ratings: BTreeMap<i16, (u32, u32)>,
}

/// Years within which activity and rating tags are compared.
const NEAR_YEARS: i16 = 3;

/// Points by which the rating tags of two spellings of one person differ at most, in the middle, in
/// years near each other.
const SAME_RATING: f64 = 30.0;

/// Points by which those of two persons differ at least, to be told apart by them.
const OTHER_RATING: f64 = 100.0;

impl Spelling {
    /// Whether both were active in the same years, or nearly.
    fn is_active_with(&self, other: &Spelling) -> bool {
        self.first_year.saturating_sub(NEAR_YEARS) <= other.last_year
            && other.first_year.saturating_sub(NEAR_YEARS) <= self.last_year
    }

    /// Whether the given names may be those of one person, if something else says so: also without
    /// the numbers by which lists tell namesakes apart (`Hoffmann,Micha1`), and with a letter written
    /// otherwise (`Mexime` for `Maxime`).
    fn may_be(&self, other: &Spelling) -> bool {
        const LONG: usize = 5;
        if self.name.given.is_empty() || other.name.given.is_empty() {
            // A bare surname says too little to be joined with anybody.
            return false;
        }
        let (mine, theirs) = (self.name.without_numbers(), other.name.without_numbers());
        let numbers_differ = match (self.name.numbers(), other.name.numbers()) {
            (Some(mine), Some(theirs)) => mine != theirs,
            _ => false,
        };
        let is_near = match (&mine.given[..], &theirs.given[..]) {
            ([mine], [theirs]) => {
                mine.len() >= LONG && theirs.len() >= LONG && strsim::levenshtein(mine, theirs) <= 1
            }
            _ => false,
        };
        !numbers_differ && (mine.given_compatible(&theirs, false) || is_near)
    }

    /// The best rating tag of a year (points), in the mean of the year; 0 where there is none.
    fn best_rating(&self) -> f64 {
        let means = self.ratings.values().map(|(sum, count)| f64::from(*sum) / f64::from(*count));
        means.fold(0.0, f64::max)
    }
}

/// A rating (points) that nobody had without being rated wherever he played.
const STRONG: f64 = 2400.0;

/// Whether two groups of spellings have the same rating tags in the same years, or nearly; or quite
/// different ones; `None` where there is nothing to compare, or neither.
fn rated_alike(mine: &[&Spelling], theirs: &[&Spelling]) -> Option<bool> {
    let together = |group: &[&Spelling]| {
        let mut ratings: BTreeMap<i16, (u32, u32)> = BTreeMap::new();
        for (year, (sum, count)) in group.iter().flat_map(|spelling| &spelling.ratings) {
            let tags = ratings.entry(*year).or_default();
            tags.0 += sum;
            tags.1 += count;
        }
        ratings
    };
    let (mine, theirs) = (together(mine), together(theirs));
    let mean = |(sum, count): (u32, u32)| f64::from(sum) / f64::from(count);
    let mut near: Vec<f64> = Vec::new();
    let mut same_year: Vec<f64> = Vec::new();
    for (year, tags) in &mine {
        // The nearest year that there is.
        let years = theirs.range(year - NEAR_YEARS..=year + NEAR_YEARS);
        let Some((other, others)) = years.min_by_key(|(other, _)| (*other - year).abs()) else {
            continue;
        };
        let difference = (mean(*tags) - mean(*others)).abs();
        near.push(difference);
        if other == year {
            same_year.push(difference);
        }
    }
    let middle = |differences: &mut Vec<f64>| {
        differences.sort_by(f64::total_cmp);
        differences.get(differences.len() / 2).copied()
    };
    // Young players improve by a hundred points in a year, so that other years say less against.
    match (middle(&mut near), middle(&mut same_year)) {
        (_, Some(difference)) if difference >= OTHER_RATING => Some(false),
        (Some(difference), None) if difference >= 2.0 * OTHER_RATING => Some(false),
        (Some(difference), _) if difference <= SAME_RATING => Some(true),
        _ => None,
    }
}

/// Resolves the names of all games of the table to persons.
///
/// The steps: aliases; equal names after normalisation; compatible names where no other candidate
/// is active in the same years and the two never met, neither over the board nor in one event. In
/// doubt they stay apart: a false merge corrupts two careers. The result does not depend on the
/// order of the games.
pub fn resolve(table: &GameTable, aliases: &Aliases) -> Players {
    let mut merges = Vec::new();
    let mut spellings = spellings(table, aliases, &mut merges);
    part_those_who_met(table, &mut spellings, &mut merges);
    let spelling_of: FxHashMap<NameId, usize> = spellings
        .iter()
        .enumerate()
        .flat_map(|(index, spelling)| spelling.texts.iter().map(move |(name, _)| (*name, index)))
        .collect();
    years(table, &spelling_of, &mut spellings);
    let groups = compatible_groups(&spellings, &met(table, &spelling_of, &spellings));

    let mut persons: Vec<Vec<usize>> = groups;
    let shown = |group: &[usize]| -> String {
        group
            .iter()
            .map(|&index| &spellings[index])
            .max_by(|a, b| {
                let key =
                    |spelling: &Spelling| (is_plain(&spelling.text), spelling.name.fullness());
                key(a).cmp(&key(b)).then_with(|| b.text.cmp(&a.text))
            })
            .map(|spelling| spelling.text.clone())
            .unwrap_or_default()
    };
    persons.sort_by_cached_key(|group| (slug(&shown(group)), shown(group)));
    let mut slugs = Slugs::default();
    let mut players = Players::default();
    for (number, group) in persons.iter().enumerate() {
        let name = shown(group);
        for &index in group {
            let spelling = &spellings[index];
            for (text_id, _) in &spelling.texts {
                players.by_name.insert(*text_id, PlayerId(number as u32));
            }
            if spelling.text != name {
                merges.push(Merge {
                    spelling: spelling.text.clone(),
                    name: name.clone(),
                    reason: MergeReason::Compatible,
                });
            }
        }
        let mut texts: Vec<String> = group
            .iter()
            .flat_map(|&index| spellings[index].texts.iter().map(|(_, text)| text.clone()))
            .collect();
        texts.sort();
        let mut names: Vec<PersonName> =
            group.iter().map(|&index| spellings[index].name.clone()).collect();
        names.extend(texts.iter().map(|text| PersonName::parse(text)));
        names.sort();
        names.dedup();
        players.players.push(Player {
            id: slugs.take(&[slug(&name)]),
            name,
            spellings: texts,
            names,
            fide_ids: Vec::new(),
            life: None,
        });
    }
    merges.sort_by(|a, b| (&a.name, &a.spelling).cmp(&(&b.name, &b.spelling)));
    players.merges = merges;
    players
}

/// Whether a spelling is a name and nothing else: no number and no country that tells namesakes
/// apart (`Sokolov,Iv NED`).
fn is_plain(text: &str) -> bool {
    let country = text.rsplit(' ').next().is_some_and(|word| {
        word.len() == 3 && word.len() < text.len() && word.bytes().all(|b| b.is_ascii_uppercase())
    });
    !country && !text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Groups the texts of the White and Black columns by alias and normalised name.
fn spellings(table: &GameTable, aliases: &Aliases, merges: &mut Vec<Merge>) -> Vec<Spelling> {
    let mut seen: FxHashSet<NameId> = FxHashSet::default();
    for game in table.games() {
        seen.extend([game.white, game.black]);
    }
    // Nobody and several together are no persons, and must not be joined with one.
    let mut texts: Vec<(&str, NameId)> = seen
        .into_iter()
        .map(|name| (table.text(name), name))
        .filter(|(text, _)| names_a_player(text))
        .collect();
    texts.sort();
    let mut by_key: BTreeMap<String, Spelling> = BTreeMap::new();
    for (text, id) in texts {
        let alias = aliases.name_of(text);
        let shown = alias.map_or(text, |(name, _)| name);
        let name = PersonName::parse(shown);
        let entry = by_key.entry(name.key()).or_insert_with(|| Spelling {
            name,
            text: shown.to_owned(),
            texts: Vec::new(),
            first_year: i16::MAX,
            last_year: i16::MIN,
            ratings: BTreeMap::new(),
        });
        if entry.text != text {
            let reason = alias.map_or(MergeReason::Normalised, |(_, reason)| reason);
            merges.push(Merge { spelling: text.to_owned(), name: entry.text.clone(), reason });
        }
        entry.texts.push((id, text.to_owned()));
    }
    join_without_comma(&mut by_key, merges);
    by_key.into_values().collect()
}

/// Joins a name of two words without a comma (`Wang Hao`) with the same words with one
/// (`Wang, Hao`, or `Hao, Wang` if only that is there).
fn join_without_comma(by_key: &mut BTreeMap<String, Spelling>, merges: &mut Vec<Merge>) {
    let bare: Vec<(String, Vec<String>)> = by_key
        .iter()
        .filter(|(_, spelling)| spelling.name.given.is_empty() && spelling.name.surname.len() == 2)
        .map(|(key, spelling)| (key.clone(), spelling.name.surname.clone()))
        .collect();
    for (key, words) in bare {
        let whole = [format!("{},{}", words[0], words[1]), format!("{},{}", words[1], words[0])];
        let Some(home) = whole.into_iter().find(|whole| by_key.contains_key(whole)) else {
            continue;
        };
        let (Some(spelling), Some(home)) = (by_key.remove(&key), by_key.get_mut(&home)) else {
            continue;
        };
        merges.push(Merge {
            spelling: spelling.text,
            name: home.text.clone(),
            reason: MergeReason::Normalised,
        });
        home.texts.extend(spelling.texts);
    }
}

/// Takes apart what was put together as one name, although its texts played each other. (What a person
/// says in a file of aliases stands.)
fn part_those_who_met(table: &GameTable, spellings: &mut Vec<Spelling>, merges: &mut Vec<Merge>) {
    let several = spellings.iter().enumerate().filter(|(_, spelling)| spelling.texts.len() > 1);
    let of: FxHashMap<NameId, usize> = several
        .flat_map(|(index, spelling)| spelling.texts.iter().map(move |(name, _)| (*name, index)))
        .collect();
    let met: BTreeSet<usize> = table
        .games()
        .iter()
        .filter(|game| game.white != game.black)
        .filter_map(|game| {
            let index = of.get(&game.white)?;
            (of.get(&game.black) == Some(index)).then_some(*index)
        })
        .collect();
    for index in met {
        let said = |text: &str| {
            merges.iter().any(|merge| merge.reason == MergeReason::Alias && merge.spelling == text)
        };
        if spellings[index].texts.iter().any(|(_, text)| said(text)) {
            continue;
        }
        let texts = std::mem::take(&mut spellings[index].texts);
        merges.retain(|merge| !texts.iter().any(|(_, text)| *text == merge.spelling));
        for (id, text) in texts {
            spellings.push(Spelling {
                name: PersonName::parse(&text),
                text: text.clone(),
                texts: vec![(id, text)],
                first_year: i16::MAX,
                last_year: i16::MIN,
                ratings: BTreeMap::new(),
            });
        }
    }
    spellings.retain(|spelling| !spelling.texts.is_empty());
}

fn years(table: &GameTable, of: &FxHashMap<NameId, usize>, spellings: &mut [Spelling]) {
    for game in table.games() {
        let Some(year) = game.date.year() else { continue };
        for (name, elo) in [(game.white, game.white_elo), (game.black, game.black_elo)] {
            let Some(&index) = of.get(&name) else { continue };
            let spelling = &mut spellings[index];
            if elo > 0 {
                let (sum, count) = spelling.ratings.entry(year).or_default();
                *sum += u32::from(elo);
                *count += 1;
            }
            spelling.first_year = spelling.first_year.min(year);
            spelling.last_year = spelling.last_year.max(year);
        }
    }
}

/// What one spelling did in one event.
#[derive(Default)]
struct Appearance {
    spelling: usize,
    opponents: FxHashSet<usize>,
    rounds: FxHashSet<u16>,
    /// Whether the round of every game is known.
    rounds_known: bool,
    /// The rating tag, if all games have the same.
    elo: Option<u16>,
}

impl Appearance {
    /// Whether this may be the same person under another header: no round the same, no opponent the
    /// same, and every round known, or the rating tags the same. (Two players of one event meet the
    /// same people, in the same rounds.)
    fn completes(&self, other: &Appearance) -> bool {
        let is_rated_the_same = self.elo.is_some() && self.elo == other.elo;
        ((self.rounds_known && other.rounds_known) || is_rated_the_same)
            && self.rounds.is_disjoint(&other.rounds)
            && self.opponents.is_disjoint(&other.opponents)
    }
}

/// Pairs of spellings of one surname that met: over the board, or as players of one event.
fn met(
    table: &GameTable,
    of: &FxHashMap<NameId, usize>,
    spellings: &[Spelling],
) -> FxHashSet<(usize, usize)> {
    let mut namesakes: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (index, spelling) in spellings.iter().enumerate() {
        namesakes.entry(spelling.name.surname_key()).or_default().push(index);
    }
    // Only surnames with several spellings matter.
    let mut surname: Vec<Option<usize>> = vec![None; spellings.len()];
    for (number, indices) in namesakes.into_values().filter(|list| list.len() > 1).enumerate() {
        for index in indices {
            surname[index] = Some(number);
        }
    }
    let mut met = FxHashSet::default();
    let mut in_event: FxHashMap<(NameId, NameId, Option<i16>, usize), Vec<Appearance>> =
        FxHashMap::default();
    for game in table.games() {
        let (Some(&white), Some(&black)) = (of.get(&game.white), of.get(&game.black)) else {
            continue;
        };
        if surname[white].is_some() && surname[white] == surname[black] {
            met.insert((white.min(black), white.max(black)));
        }
        let sides = [(white, black, game.white_elo), (black, white, game.black_elo)];
        for (index, opponent, elo) in sides {
            let Some(surname) = surname[index] else { continue };
            let entry =
                in_event.entry((game.event, game.site, game.date.year(), surname)).or_default();
            let place =
                entry.iter().position(|other| other.spelling == index).unwrap_or_else(|| {
                    entry.push(Appearance {
                        spelling: index,
                        rounds_known: true,
                        elo: Some(elo),
                        ..Default::default()
                    });
                    entry.len() - 1
                });
            let appearance = &mut entry[place];
            appearance.opponents.insert(opponent);
            appearance.elo = appearance.elo.filter(|known| *known == elo && elo > 0);
            match game.round.number() {
                Some(round) => {
                    appearance.rounds.insert(round);
                }
                None => appearance.rounds_known = false,
            }
        }
    }
    for appearances in in_event.into_values() {
        for (place, a) in appearances.iter().enumerate() {
            for b in &appearances[place + 1..] {
                if !a.completes(b) {
                    met.insert((a.spelling.min(b.spelling), a.spelling.max(b.spelling)));
                }
            }
        }
    }
    met
}

/// Groups of spellings that are one person by compatible names; every spelling is in one group.
fn compatible_groups(spellings: &[Spelling], met: &FxHashSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let mut by_surname: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, spelling) in spellings.iter().enumerate() {
        by_surname.entry(spelling.name.surname_key()).or_default().push(index);
    }
    let mut groups = Vec::new();
    for namesakes in by_surname.into_values() {
        let joined = |a: usize, b: usize| {
            let (x, y) = (&spellings[a], &spellings[b]);
            // A bare surname says too little to be joined with anybody.
            !x.name.given.is_empty()
                && !y.name.given.is_empty()
                && x.name.given_compatible(&y.name, false)
                && x.first_year.saturating_sub(y.last_year) <= CAREER_GAP
                && y.first_year.saturating_sub(x.last_year) <= CAREER_GAP
        };
        let did_meet = |a: usize, b: usize| met.contains(&(a.min(b), a.max(b)));
        let mut rest = namesakes.clone();
        // Spellings that could be two different persons stay alone; what remains falls into
        // groups in which everybody is compatible with everybody.
        let ambiguous: Vec<usize> = namesakes
            .iter()
            .copied()
            .filter(|&a| {
                let others: Vec<usize> =
                    namesakes.iter().copied().filter(|&b| b != a && joined(a, b)).collect();
                others.iter().enumerate().any(|(i, &b)| {
                    others[i + 1..].iter().any(|&c| {
                        !spellings[b].name.given_compatible(&spellings[c].name, false)
                            || did_meet(b, c)
                    })
                }) || others.iter().any(|&b| did_meet(a, b))
            })
            .collect();
        rest.retain(|index| !ambiguous.contains(index));
        let first_of_surname = groups.len();
        while let Some(first) = rest.first().copied() {
            let (group, others): (Vec<usize>, Vec<usize>) =
                rest.iter().copied().partition(|&index| index == first || joined(first, index));
            groups.push(group);
            rest = others;
        }
        groups.extend(ambiguous.into_iter().map(|index| vec![index]));
        join_by_ratings(&mut groups, first_of_surname, spellings, did_meet);
    }
    groups
}

/// Joins groups of one surname, those from `first` on, where the names leave it open and something else
/// decides: nobody else was active in the same years; or only one was rated as this one was.
fn join_by_ratings(
    groups: &mut Vec<Vec<usize>>,
    first: usize,
    spellings: &[Spelling],
    did_meet: impl Fn(usize, usize) -> bool,
) {
    let members =
        |group: &[usize]| -> Vec<&Spelling> { group.iter().map(|&one| &spellings[one]).collect() };
    let may_be = |a: &[usize], b: &[usize], strictly: bool| {
        a.iter().all(|&a| {
            b.iter().all(|&b| {
                let (a, b) = (&spellings[a], &spellings[b]);
                if strictly { a.name.given_compatible(&b.name, false) } else { a.may_be(b) }
            })
        })
    };
    // The groups that a group may belong to, and whether they are rated alike.
    let candidates = |groups: &[Vec<usize>], index: usize| -> Vec<(usize, Option<bool>)> {
        let group = &groups[index];
        let others = (first..groups.len()).filter(|&other| other != index);
        others
            .filter(|&other| {
                let pairs =
                    || group.iter().flat_map(|&a| groups[other].iter().map(move |&b| (a, b)));
                may_be(group, &groups[other], false)
                    && pairs().any(|(a, b)| spellings[a].is_active_with(&spellings[b]))
                    && !pairs().any(|(a, b)| did_meet(a, b))
            })
            .map(|other| (other, rated_alike(&members(group), &members(&groups[other]))))
            .collect()
    };
    let mut index = first;
    while index < groups.len() {
        let mine = candidates(groups, index);
        let is_outclassed = |other: usize| {
            let unrated = groups[other].iter().all(|&one| spellings[one].ratings.is_empty());
            let strong = members(&groups[index]).iter().any(|one| one.best_rating() >= STRONG);
            unrated && strong
        };
        let is_open =
            |&(other, like): &(usize, Option<bool>)| like != Some(false) && !is_outclassed(other);
        let open: Vec<(usize, Option<bool>)> = mine.into_iter().filter(is_open).collect();
        let home = match open[..] {
            [(only, like)] => {
                let is_enough = like == Some(true) || may_be(&groups[index], &groups[only], true);
                // Neither may there be somebody else whom the other could be.
                let others = candidates(groups, only);
                let is_only = others.iter().all(|&(other, like)| {
                    other == index
                        || like == Some(false)
                        || may_be(&groups[index], &groups[other], false)
                });
                (is_enough && is_only).then_some(only)
            }
            _ => None,
        };
        match home {
            Some(home) => {
                let joined = std::mem::take(&mut groups[index]);
                groups[home].extend(joined);
                groups.remove(index);
                // What could be several persons before may be one now.
                index = first;
            }
            None => index += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, GameResult, PartialDate, Round};

    fn table(games: &[(&str, u16, &str, &str)]) -> GameTable {
        let mut table = GameTable::default();
        for &(event, year, white, black) in games {
            let [event, white, black] = [event, white, black].map(|text| table.names.intern(text));
            table.push(Game {
                event,
                site: event,
                white,
                black,
                date: PartialDate::of_year(year),
                event_date: PartialDate::UNKNOWN,
                round: Round::UNKNOWN,
                result: GameResult::Draw,
                white_elo: 0,
                black_elo: 0,
                white_fide_id: 0,
                black_fide_id: 0,
                plies: 0,
                fingerprint: 0,
                signs: Default::default(),
                member: 0,
                line: 1,
            });
        }
        table
    }

    fn persons(games: &[(&str, u16, &str, &str)]) -> Vec<String> {
        resolve(&table(games), &Aliases::default())
            .iter()
            .map(|(_, player)| player.spellings.join(" = "))
            .collect()
    }

    #[test]
    fn an_initial_joins_the_only_player_it_can_be() {
        assert_eq!(
            persons(&[
                ("A", 1990, "Kasparov, Garry", "Karpov, Anatoly"),
                ("B", 1991, "Kasparov,G", "Karpov,An"),
            ]),
            ["Karpov, Anatoly = Karpov,An", "Kasparov, Garry = Kasparov,G"]
        );
    }

    #[test]
    fn an_initial_that_could_be_two_players_stays_alone() {
        let found = persons(&[
            ("A", 1939, "Bolbochan, Julio", "X"),
            ("B", 1939, "Bolbochan, Jacobo", "X"),
            ("C", 1939, "Bolbochan, J.", "X"),
        ]);
        assert_eq!(found, ["Bolbochan, J.", "Bolbochan, Jacobo", "Bolbochan, Julio", "X"]);
    }

    #[test]
    fn names_that_met_are_never_one() {
        let found = persons(&[("A", 1924, "Lasker, E", "Lasker, Edward")]);
        assert_eq!(found.len(), 2);
        let found = persons(&[("A", 1994, "Polgar,S", "X"), ("A", 1994, "Polgar, Sofia", "Y")]);
        assert_eq!(found.len(), 4, "they played in one event");
    }

    #[test]
    fn spellings_that_fold_to_one_name_and_yet_played_each_other_are_two() {
        let found = persons(&[("A", 1990, "Müller, Hans", "Mueller,Hans"), ("B", 1991, "X", "Y")]);
        assert_eq!(found, ["Mueller,Hans", "Müller, Hans", "X", "Y"]);
    }

    #[test]
    fn an_initial_of_several_goes_to_who_was_rated_as_it_was() {
        let mut table = table(&[
            ("A", 1990, "Seirawan, Yasser", "X"),
            ("B", 1990, "Seirawan, Yvette", "X"),
            ("C", 1990, "Seirawan,Y", "X"),
            ("D", 1990, "Lee, Alan", "X"),
            ("E", 1990, "Lee, Andy", "X"),
            ("F", 1990, "Lee,A", "X"),
        ]);
        for (game, elo) in table.games_mut().iter_mut().zip([2600, 2100, 2595, 2300, 2330, 2310]) {
            game.white_elo = elo;
        }
        let players = resolve(&table, &Aliases::default());
        let found: Vec<String> =
            players.iter().map(|(_, player)| player.spellings.join(" = ")).collect();
        assert_eq!(
            found,
            [
                "Lee,A",
                "Lee, Alan",
                "Lee, Andy",
                "Seirawan, Yasser = Seirawan,Y",
                "Seirawan, Yvette",
                "X"
            ]
        );
    }

    #[test]
    fn one_stray_header_in_an_event_does_not_split_a_career() {
        let mut table = table(&[
            ("WCh", 2012, "Anand,V", "Gelfand,B"),
            ("WCh", 2012, "Gelfand,B", "Anand,V"),
            ("WCh", 2012, "Anand, Viswanathan", "Gelfand, Boris"),
        ]);
        for (round, game) in (1..).zip(table.games_mut()) {
            game.round = Round::parse(&format!("{round}"));
        }
        assert_eq!(resolve(&table, &Aliases::default()).len(), 2);
    }

    #[test]
    fn a_name_without_a_comma_is_the_name_with_one() {
        assert_eq!(
            persons(&[("A", 2009, "Wang, Hao", "X"), ("B", 2010, "Wang Hao", "Deep Blue")]),
            ["Deep Blue", "Wang Hao = Wang, Hao", "X"]
        );
    }

    #[test]
    fn nobody_and_several_together_are_no_persons() {
        let found = persons(&[
            ("A", 1999, "Kasparov, Garry", "Topalov, V"),
            ("B", 1999, "Kasparov, Garry:Crumiller, Jon", "NN"),
        ]);
        assert_eq!(found, ["Kasparov, Garry", "Topalov, V"]);
    }

    #[test]
    fn careers_a_lifetime_apart_are_two() {
        let found = persons(&[("A", 1880, "Berger, Johann", "X"), ("B", 1964, "Berger, J", "Y")]);
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let mut games = [
            ("A", 1990, "Kasparov, Garry", "Karpov, Anatoly"),
            ("B", 1991, "Kasparov,G", "Karpov,An"),
            ("C", 1992, "Anand,V", "Kasparov, Gary"),
        ];
        let forward = persons(&games);
        games.reverse();
        assert_eq!(forward, persons(&games));
    }
}
