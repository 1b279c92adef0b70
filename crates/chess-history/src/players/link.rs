//! Links groups of spellings by weighed evidence: the best pair first.
//!
//! The log odds that two groups are one player are a sum of terms ([`Term`]). A pair is joined if
//! its odds exceed a limit, against the sum of the odds of all rivals of either side. The
//! neighbours of a joined pair are scored again with the games of both.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use strum::IntoStaticStr;

use super::block::Candidates;
use super::cluster::{Cluster, LinkInput, opponent_classes, profiles, same_moves_pairs};
use super::evidence::circle;
use super::evidence::name::{GivenMatch, NameForm, NumberMatch, SurnameMatch, match_given_names};
use super::evidence::prior::NameCounts;
use super::evidence::rating::RatingDensity;
use super::evidence::seats::{Seats, SharedSeats};
use super::evidence::weights::{Term, Terms};
use super::explain::in_words;
use super::spelling::Spelling;

/// The probability from which two groups are joined.
///
/// Measured with the first half of the labels of the shared collection: of 100,000 games of masters
/// of 2200 and more, 45 are with a wrong player and 772 are missed. With 0.95 as many are wrong and
/// 1,022 are missed; with 0.85 they are 62 and 692.
const LIMIT: f64 = 0.9;

/// The log odds (bits) of a pair that something excludes.
const EXCLUDED: f64 = -99.0;

/// How much (bits) the odds of a rival are below those of a pair if they change nothing.
///
/// A thousand such rivals would together have the odds of the pair.
const NEGLIGIBLE: f64 = 10.0;

/// The log odds (bits) above which more evidence changes nothing.
const MOST_BITS: f64 = 40.0;

/// Two groups that are joined, or doubtful, and why.
#[derive(Debug)]
pub(super) struct Link {
    /// A spelling of the group with more games.
    pub home: usize,
    /// A spelling of the other group.
    pub other: usize,
    pub probability: f64,
    pub evidence: String,
}

/// The state of the linking.
pub(super) struct Linker<'a> {
    spellings: &'a [Spelling],
    candidates: Candidates,
    counts: NameCounts,
    /// The weight of the names of each pair of candidates.
    name_bits: Vec<f64>,
    seats: Vec<SharedSeats>,
    same_moves: FxHashMap<usize, u32>,
    density: RatingDensity,
    chances: Vec<f64>,
    countries: Vec<f64>,
    /// Those that were joined with another have no members.
    clusters: Vec<Cluster>,
    /// The clusters that may be the same player, in order.
    neighbours: Vec<Vec<u32>>,
    scores: FxHashMap<(u32, u32), f64>,
    /// Whether the name of a spelling excludes others of its player, so that it is an error.
    odd: Vec<bool>,
}

impl<'a> Linker<'a> {
    /// Prepares the evidence; `groups` are those joined so far, `known` their players in the table
    /// of names.
    pub fn new(
        input: &LinkInput<'a>,
        groups: &[Vec<usize>],
        known: &[Option<usize>],
    ) -> Linker<'a> {
        let spellings = input.spellings;
        let mut home = vec![usize::MAX; spellings.len()];
        for (number, group) in groups.iter().enumerate() {
            for &member in group {
                home[member] = number;
            }
        }
        let forms: Vec<Vec<NameForm>> = spellings.par_iter().map(NameForm::of_spelling).collect();
        let classes = opponent_classes(&forms);
        let seats = Seats::new(input, &classes);
        let copied = seats.copied_games();
        let same_moves_pairs = same_moves_pairs(input.same_moves);
        let recorded_twice = copied.pairs().chain(same_moves_pairs.iter().copied());
        let candidates = Candidates::new(forms, &home, recorded_twice);
        let counts = NameCounts::new(
            candidates.forms.iter().filter(|forms| forms.len() == 1).map(|forms| &forms[0]),
        );
        let seats = seats.compare(input, &copied, &candidates);
        let mut same_moves: FxHashMap<usize, u32> = FxHashMap::default();
        for (a, b) in same_moves_pairs {
            if let Some(pair) = candidates.partners.find(a, b) {
                *same_moves.entry(pair).or_default() += 1;
            }
        }
        let (profiles, chances, countries) = profiles(input, &classes.with_initials);
        let density = RatingDensity::new(profiles.iter().map(|profile| profile.tags.as_slice()));
        let mut clusters: Vec<Cluster> = Vec::with_capacity(groups.len());
        for (group, known) in groups.iter().zip(known) {
            let mut cluster = Cluster { known: *known, ..Cluster::default() };
            for &member in group {
                cluster.join(profiles[member].clone());
            }
            clusters.push(cluster);
        }
        let mut neighbours = vec![Vec::new(); clusters.len()];
        for &(a, b) in &candidates.pairs {
            let (a, b) = (home[a as usize], home[b as usize]);
            neighbours[a].push(b as u32);
            neighbours[b].push(a as u32);
        }
        neighbours.par_iter_mut().for_each(|others| {
            others.sort_unstable();
            others.dedup();
        });
        let mut linker = Linker {
            spellings,
            candidates,
            counts,
            name_bits: Vec::new(),
            seats,
            same_moves,
            density,
            chances,
            countries,
            clusters,
            neighbours,
            scores: FxHashMap::default(),
            odd: vec![false; spellings.len()],
        };
        for group in groups.iter().filter(|group| group.len() > 1) {
            let members: Vec<u32> = group.iter().map(|one| *one as u32).collect();
            for (place, &one) in members.iter().enumerate() {
                linker.mark_odd(&[one], &members[place + 1..]);
            }
        }
        let pairs = 0..linker.candidates.pairs.len();
        linker.name_bits =
            pairs.into_par_iter().map(|pair| linker.name_terms(pair).bits()).collect();
        let all: Vec<(u32, u32)> = (0..linker.clusters.len() as u32)
            .flat_map(|one| linker.neighbours[one as usize].iter().map(move |other| (one, *other)))
            .filter(|(one, other)| one < other)
            .collect();
        linker.scores = all.par_iter().map(|&(a, b)| ((a, b), linker.score_of(a, b))).collect();
        linker
    }

    /// Returns the terms of the names of a pair of candidates.
    fn name_terms(&self, pair: usize) -> Terms {
        let (a, b) = self.candidates.pairs[pair];
        let (found, x, y) = self.candidates.matches[pair];
        let [one, other] = [(a, x), (b, y)]
            .map(|(spelling, reading)| &self.candidates.forms[spelling as usize][reading]);
        let exchanged = found.is_exchanged.then(|| other.exchanged()).flatten();
        let other = exchanged.as_ref().unwrap_or(other);
        let mut terms = Terms::new();
        match found.surname {
            SurnameMatch::Equal => {}
            SurnameMatch::SameSound => terms.set(Term::SameSound, 1.0),
            SurnameMatch::Transliterated => terms.set(Term::Transliterated, 1.0),
            SurnameMatch::Part => terms.set(Term::PartOfSurname, 1.0),
            SurnameMatch::OneLetter => terms.set(Term::OneLetter, 1.0),
            SurnameMatch::OneLetterOfFew => terms.set(Term::OneLetterOfFew, 1.0),
            SurnameMatch::FirstLetter => terms.set(Term::FirstLetter, 1.0),
        }
        match found.given {
            GivenMatch::Equal => {}
            GivenMatch::Initial => terms.set(Term::Initial, 1.0),
            GivenMatch::OtherForm => terms.set(Term::OtherForm, 1.0),
            GivenMatch::OneLetter => terms.set(Term::GivenLetter, 1.0),
            GivenMatch::SecondName => terms.set(Term::SecondName, 1.0),
            GivenMatch::Missing => terms.set(Term::GivenMissing, 1.0),
        }
        match found.second {
            Some(true) => terms.set(Term::SecondEqual, 1.0),
            Some(false) => terms.set(Term::SecondDiffers, 1.0),
            None => {}
        }
        match found.numbers {
            NumberMatch::None => {}
            NumberMatch::Equal => terms.set(Term::NumberEqual, 1.0),
            NumberMatch::Different => terms.set(Term::NumberDiffers, 1.0),
            NumberMatch::OneOfFirst => terms.set(Term::NumberOfFirst, 1.0),
            NumberMatch::OneOfLater => terms.set(Term::NumberOfLater, 1.0),
        }
        match found.countries {
            Some(true) => terms.set(Term::CountryEqual, 1.0),
            Some(false) => terms.set(Term::CountryDiffers, 1.0),
            None => {}
        }
        terms.set(Term::MarkDiffers, f64::from(u8::from(found.marks_differ)));
        terms.set(Term::Exchanged, f64::from(u8::from(found.is_exchanged)));
        let style = |spelling: u32| {
            let text = &self.spellings[spelling as usize].text;
            (text.contains(','), text.contains(", "))
        };
        terms.set(Term::SameStyle, f64::from(u8::from(style(a) == style(b))));
        let readings = |spelling: u32| self.candidates.forms[spelling as usize].len();
        terms.set(Term::NoComma, f64::from(u8::from(readings(a) + readings(b) > 2)));
        terms.set(Term::Rarity, self.counts.rarity(one, other));
        terms.set(Term::Rivals, self.counts.rivals(one, other));
        terms
    }

    /// Returns the evidence of two clusters, unless something excludes that they are one.
    fn terms(&self, a: u32, b: u32) -> Result<Terms, Veto> {
        let (one, other) = (&self.clusters[a as usize], &self.clusters[b as usize]);
        let mut best: Option<usize> = None;
        let (mut excluding, mut same_moves) = (0.0, 0);
        let mut shared = SharedSeats::default();
        for &x in &one.members {
            for &y in &other.members {
                if !self.spellings[x as usize].is_one_career_with(&self.spellings[y as usize]) {
                    return Err(Veto::Lives);
                }
                let Some(pair) = self.candidates.partners.find(x, y) else {
                    if !self.odd[x as usize] && !self.odd[y as usize] {
                        excluding += f64::from(u8::from(self.exclude_each_other(x, y)));
                    }
                    continue;
                };
                let found = &self.candidates.matches[pair].0;
                if found.second == Some(false) || found.numbers == NumberMatch::Different {
                    excluding += 0.5;
                }
                if best.is_none_or(|best| self.name_bits[pair] > self.name_bits[best]) {
                    best = Some(pair);
                }
                shared.add(&self.seats[pair]);
                same_moves += self.same_moves.get(&pair).copied().unwrap_or(0);
            }
        }
        if shared.met {
            return Err(Veto::Met);
        }
        let mut terms = self.name_terms(best.ok_or(Veto::Names)?);
        terms.set(Term::NamesExclude, excluding);
        self.add_ratings(&mut terms, one, other);
        self.add_circle(&mut terms, one, other);
        add_years(&mut terms, one, other);
        let counted = |events: u32| f64::from(1 + events).log2().min(4.0);
        terms.set(Term::Conflicts, counted(shared.conflicts));
        terms.set(Term::TwoPlaces, counted(shared.two_places));
        terms.set(Term::SameGames, counted(shared.same_games));
        terms.set(Term::SameMoves, counted(same_moves));
        terms.set(Term::Complement, shared.complement.clamp(0.0, 10.0));
        terms.set(Term::MetInOtherRounds, (-shared.complement).clamp(0.0, 3.0));
        let fewer = f64::from(one.games.min(other.games).max(1)).log2();
        let more = f64::from(one.games.max(other.games).max(1)).log2();
        terms.set(Term::GamesOfFewer, fewer.min(8.0));
        terms.set(Term::GamesOfMore, more.min(8.0));
        if !one.fide_ids.is_empty() && !other.fide_ids.is_empty() {
            let is_equal = one.fide_ids.iter().any(|id| other.fide_ids.contains(id));
            terms.set(if is_equal { Term::FideEqual } else { Term::FideDiffers }, 1.0);
        }
        if let Some((one, other)) = one.known.zip(other.known) {
            terms.set(if one == other { Term::TableEqual } else { Term::TableDiffers }, 1.0);
        }
        Ok(terms)
    }

    /// Whether two spellings that are no candidates have names of two players.
    fn exclude_each_other(&self, x: u32, y: u32) -> bool {
        let [mine, theirs] = [x, y].map(|one| &self.candidates.forms[one as usize]);
        mine.iter().all(|mine| {
            theirs.iter().all(|theirs| {
                let have_given = !mine.given.is_empty() && !theirs.given.is_empty();
                (have_given && match_given_names(&mine.given, &theirs.given).is_none())
                    || mine.has_other_second_surname(theirs)
            })
        })
    }

    /// Marks the spellings of one player whose names exclude others of his with more games.
    ///
    /// An error was paid for when the spelling was joined, so it does not count again.
    fn mark_odd(&mut self, mine: &[u32], theirs: &[u32]) {
        for &x in mine {
            for &y in theirs {
                if self.candidates.partners.find(x, y).is_none() && self.exclude_each_other(x, y) {
                    let [a, b] = [x, y].map(|one| self.spellings[one as usize].games);
                    self.odd[if a < b { x } else { y } as usize] = true;
                }
            }
        }
    }

    fn add_ratings(&self, terms: &mut Terms, one: &Cluster, other: &Cluster) {
        if let Some(bits) = self.density.bits(&one.tags, &other.tags) {
            terms.set(Term::Rating, bits.clamp(0.0, 5.0));
            terms.set(Term::RatingMore, (bits - 5.0).clamp(0.0, 15.0));
            terms.set(Term::RatingAgainst, (-bits).clamp(0.0, 12.0));
        } else if one.tags.is_empty() != other.tags.is_empty() {
            terms.set(Term::OneUnrated, 1.0);
        }
    }

    fn add_circle(&self, terms: &mut Terms, one: &Cluster, other: &Cluster) {
        let bits = circle::common_bits(&one.opponents, &other.opponents, &self.chances);
        terms.set(Term::Circle, bits.clamp(0.0, 8.0));
        terms.set(Term::CircleAgainst, (-bits).clamp(0.0, 8.0));
        let bits = circle::country_bits(&one.countries, &other.countries, &self.countries);
        terms.set(Term::Countries, bits.clamp(0.0, 8.0));
        terms.set(Term::CountriesAgainst, (-bits).clamp(0.0, 8.0));
    }

    fn score_of(&self, a: u32, b: u32) -> f64 {
        self.terms(a, b).map_or(EXCLUDED, |terms| terms.bits())
    }

    fn score(&mut self, a: u32, b: u32) -> f64 {
        let key = (a.min(b), a.max(b));
        if let Some(score) = self.scores.get(&key) {
            return *score;
        }
        let score = self.score_of(key.0, key.1);
        self.scores.insert(key, score);
        score
    }

    /// Returns the sum of the odds of the rivals of `b` for being the player `a`.
    ///
    /// A rival is one that is not the player `b`. Two misspellings of one name are no rivals,
    /// although they are not similar to each other.
    fn rivals(&mut self, a: u32, b: u32) -> f64 {
        let least = self.score(a, b) - NEGLIGIBLE;
        let mut sum = 0.0;
        for place in 0..self.neighbours[a as usize].len() {
            let rival = self.neighbours[a as usize][place];
            let score = self.score(a, rival);
            if rival == b || score < least {
                continue;
            }
            let is_other = if self.neighbours[b as usize].binary_search(&rival).is_ok() {
                self.score(rival, b) < 0.0 && self.differ_without_spelling(rival, b)
            } else {
                !self.have_compatible_given_names(rival, b)
            };
            if is_other {
                sum += score.min(MOST_BITS).exp2();
            }
        }
        sum
    }

    /// Whether two clusters are rather two players, leaving aside that one is misspelt.
    ///
    /// `Kaspanov` and `Kaspatov` are both a letter from Kasparov, and two letters from each other.
    fn differ_without_spelling(&self, a: u32, b: u32) -> bool {
        self.terms(a, b).map_or(true, |terms| terms.bits() < terms.misspelling_bits())
    }

    /// Whether the given names of any spellings of two clusters are compatible.
    fn have_compatible_given_names(&self, a: u32, b: u32) -> bool {
        let [mine, theirs] = [a, b].map(|one| {
            let members = self.clusters[one as usize].members.iter();
            members.flat_map(|one| &self.candidates.forms[*one as usize])
        });
        mine.into_iter().any(|one| {
            theirs.clone().any(|other| match_given_names(&one.given, &other.given).is_some())
        })
    }

    /// Returns the probability that two clusters are one player, among all rivals of either.
    fn probability(&mut self, a: u32, b: u32) -> f64 {
        let odds = self.score(a, b).min(MOST_BITS).exp2();
        let rivals = self.rivals(a, b).max(self.rivals(b, a));
        odds / (1.0 + odds + rivals)
    }

    /// Joins the pairs whose probability exceeds the limit, best first.
    pub fn run(&mut self) -> Vec<Link> {
        let mut links = Vec::new();
        let mut queue: BinaryHeap<(Probability, Reverse<(u32, u32)>)> = BinaryHeap::new();
        let mut positive: Vec<(u32, u32)> =
            self.scores.iter().filter(|(_, score)| **score > 0.0).map(|(pair, _)| *pair).collect();
        positive.sort_unstable();
        for (a, b) in positive {
            let now = self.probability(a, b);
            if now >= LIMIT {
                queue.push((Probability(now), Reverse((a, b))));
            }
        }
        while let Some((Probability(before), Reverse((a, b)))) = queue.pop() {
            if before < LIMIT {
                continue;
            }
            if self.neighbours[a as usize].binary_search(&b).is_err() {
                continue;
            }
            let now = self.probability(a, b);
            if now < before - 1e-9 {
                queue.push((Probability(now), Reverse((a, b))));
                continue;
            }
            let terms = self.terms(a, b);
            let evidence = terms.map(|terms| in_words(&terms)).unwrap_or_default();
            let (home, other) = self.join(a, b);
            let member = |links: &[u32]| links[0] as usize;
            links.push(Link {
                home: member(&home),
                other: member(&other),
                probability: now,
                evidence,
            });
            let joined = if self.clusters[a as usize].members.is_empty() { b } else { a };
            let mut pairs: Vec<(u32, u32)> = Vec::new();
            for one in std::iter::once(joined).chain(self.neighbours[joined as usize].clone()) {
                for &next in &self.neighbours[one as usize] {
                    pairs.push((one.min(next), one.max(next)));
                }
            }
            pairs.sort_unstable();
            pairs.dedup();
            for (x, y) in pairs {
                if self.score(x, y) > 0.0 {
                    let now = self.probability(x, y);
                    if now >= LIMIT {
                        queue.push((Probability(now), Reverse((x, y))));
                    }
                }
            }
        }
        links
    }

    /// Moves the cluster with fewer games into the other. Returns the members of both before.
    fn join(&mut self, a: u32, b: u32) -> (Vec<u32>, Vec<u32>) {
        let is_smaller = self.clusters[a as usize].games < self.clusters[b as usize].games;
        let (home, other) = if is_smaller { (b, a) } else { (a, b) };
        let moved = std::mem::take(&mut self.clusters[other as usize]);
        let members = moved.members.clone();
        let kept = &mut self.clusters[home as usize];
        let before = kept.members.clone();
        kept.join(moved);
        self.mark_odd(&before, &members);
        for next in std::mem::take(&mut self.neighbours[other as usize]) {
            self.scores.remove(&(next.min(other), next.max(other)));
            remove(&mut self.neighbours[next as usize], other);
            if next != home {
                insert(&mut self.neighbours[next as usize], home);
                insert(&mut self.neighbours[home as usize], next);
            }
        }
        for place in 0..self.neighbours[home as usize].len() {
            let next = self.neighbours[home as usize][place];
            self.scores.remove(&(next.min(home), next.max(home)));
        }
        (before, members)
    }

    /// Returns the pairs that are left apart although their names are similar, most likely first.
    pub fn left_apart(&mut self) -> Vec<Link> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (one, others) in (0..).zip(&self.neighbours) {
            pairs.extend(others.iter().filter(|other| one < **other).map(|other| (one, *other)));
        }
        let mut apart = Vec::new();
        for (a, b) in pairs {
            let [home, other] = [a, b].map(|one| self.clusters[one as usize].members[0] as usize);
            let probability = self.probability(a, b);
            let evidence = match self.terms(a, b) {
                Ok(terms) => in_words(&terms),
                Err(veto) => <&str>::from(veto).to_owned(),
            };
            apart.push(Link { home, other, probability, evidence });
        }
        apart
    }
}

/// What excludes that two names are one player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
enum Veto {
    #[strum(serialize = "they played each other")]
    Met,
    #[strum(serialize = "no career is so long, or the life of one excludes games of the other")]
    Lives,
    #[strum(serialize = "no spelling of one is similar to one of the other")]
    Names,
}

/// A probability, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Probability(f64);

impl Eq for Probability {}

impl PartialOrd for Probability {
    fn partial_cmp(&self, other: &Probability) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Probability {
    fn cmp(&self, other: &Probability) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn insert(sorted: &mut Vec<u32>, one: u32) {
    if let Err(place) = sorted.binary_search(&one) {
        sorted.insert(place, one);
    }
}

fn remove(sorted: &mut Vec<u32>, one: u32) {
    if let Ok(place) = sorted.binary_search(&one) {
        sorted.remove(place);
    }
}

fn add_years(terms: &mut Terms, one: &Cluster, other: &Cluster) {
    let Some((mine, theirs)) = one.usual_years().zip(other.usual_years()) else { return };
    let gap = (theirs.0 - mine.1).max(mine.0 - theirs.1);
    match gap {
        ..=0 => terms.set(Term::SameYears, 1.0),
        1..=3 => {}
        4..=8 => terms.set(Term::YearsApart, 1.0),
        9..=25 => terms.set(Term::DecadesApart, 1.0),
        _ => terms.set(Term::CareerApart, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use crate::games::{Game, GameTable, PartialDate};
    use crate::players::aliases::Aliases;
    use crate::players::resolve::resolve;

    /// Returns the players of games of names with a year and a rating, each against its own
    /// opponent, among many players near 2300.
    fn players(games: &[(&str, u16, u16)]) -> Vec<String> {
        let mut table = GameTable::default();
        let crowd: Vec<(String, u16, u16)> = (0..200)
            .map(|number| {
                let letter = |place: u16| char::from(b'a' + (place % 26) as u8);
                let name = format!("Qu{}x{}, R", letter(number), letter(number / 26));
                (name, 2005, 2200 + number)
            })
            .collect();
        let named = games.iter().map(|(name, year, elo)| ((*name).to_owned(), *year, *elo));
        for (number, (name, year, elo)) in named.chain(crowd).enumerate() {
            let texts = [format!("Event {number}"), name, format!("Opponent{number}, Z")];
            let [event, white, black] = texts.map(|text| table.names.intern(&text));
            let (date, white_elo) = (PartialDate::of_year(year), elo);
            table.push(Game {
                event,
                site: event,
                white,
                black,
                date,
                white_elo,
                ..Game::default()
            });
        }
        let players = resolve(&table, &Aliases::default());
        let names = players.iter().map(|(_, player)| player.spellings.join(" = "));
        names.filter(|name| name.contains("Rozentali")).collect()
    }

    #[test]
    fn a_wrong_letter_with_the_ratings_of_a_master_is_his() {
        let games = |elo| {
            players(&[
                ("Rozentalis, Eduardas", 2004, 2590),
                ("Rozentalis, Eduardas", 2005, 2601),
                ("Rozentalis, Eduardas", 2006, 2587),
                ("Rozentaliz,E", 2005, elo),
            ])
        };
        assert_eq!(games(2601).len(), 1, "{:?}", games(2601));
        assert_eq!(games(2230).len(), 2, "{:?}", games(2230));
    }
}
