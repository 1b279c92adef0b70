//! Links groups of spellings by weighed evidence: the best pair first.
//!
//! The log odds that two groups are one player are a sum of terms ([`Term`]). A pair is joined if
//! its odds exceed a limit, against the sum of the odds of all rivals of either side. The
//! neighbours of a joined pair are scored again with the games of both.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use strum::IntoStaticStr;

use super::block::Candidates;
use super::cluster::{
    Cluster, LinkInput, chances_of_opponents, opponent_classes, profiles, same_moves_pairs,
    shares_of_countries,
};
use super::divided_initials::{DividedInitial, divided_initials};
use super::evidence::circle;
use super::evidence::name::{GivenMatch, NameForm, NumberMatch, SurnameMatch, match_given_names};
use super::evidence::prior::NameCounts;
use super::evidence::rating::RatingDensity;
use super::evidence::seats::{Seats, SharedSeats};
use super::evidence::weights::{Term, Terms, counted};
use super::explain::in_words;
use super::spelling::Spelling;

/// The probability from which two groups are joined.
///
/// Measured with the first half of the labels of the shared collection, before the last terms: with
/// 0.9, of 100,000 games of masters of 2200 and more, 45 are with a wrong player and 772 missed;
/// with 0.85, 62 and 692. A wrong game counts twice, so the lower limit is better. Above 0.86, too
/// few performances of copies with misspelt names are kept.
const LIMIT: f64 = 0.86;

/// How often the games are compared again at most.
///
/// Measured: in a decade with a copy of half of its events, in which most names are misspelt, the
/// third comparison still joins names. In the collections one is enough.
const MOST_COMPARISONS: usize = 3;

/// The rating (points) below which players are weak.
///
/// That of the lowest row of the figures by which the weights were fitted: names of such players
/// are in few games, and their ratings are close together.
const WEAK: u16 = 2200;

/// The log odds (bits) of a pair that something excludes.
const EXCLUDED: f64 = -99.0;

/// How much (bits) the odds of a rival are below those of a pair if they change nothing.
///
/// A thousand such rivals would together have the odds of the pair.
const NEGLIGIBLE: f64 = 10.0;

/// By how much the sum of the odds of rivals may exceed its limit by rounding, as a factor.
///
/// Judged: with odds of at most 40 bits, rounding errors are a thousandth of this.
const ROUNDING: f64 = 1.0 + 1e-6;

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

/// What the names of two spellings say, however many games there are.
#[derive(Clone, Copy, Debug)]
struct WeighedNames {
    rarity: f64,
    rivals: f64,
    /// The weight of all terms of the names.
    bits: f64,
}

/// A cluster that may be the same player as another.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    cluster: u32,
    odds: WeighedClusters,
    /// A rival because of whom the two are not joined, as long as he is a player of his own. It
    /// saves weighing hundreds of similar names again after each join.
    outdone_by: Option<u32>,
}

impl Neighbour {
    /// A neighbour that is not weighed yet.
    fn new(cluster: u32) -> Neighbour {
        Neighbour { cluster, odds: WeighedClusters::EXCLUDED, outdone_by: None }
    }
}

/// Why the probability that two clusters are one player is below a limit.
#[derive(Clone, Copy, Debug, Default)]
struct Unlikely {
    /// A rival who suffices.
    rival: Option<u32>,
}

/// What the evidence says of two clusters.
#[derive(Clone, Copy, Debug)]
struct WeighedClusters {
    /// The log odds that they are one player.
    score: f64,
    /// Whether they are rather two players, leaving aside that one is misspelt.
    ///
    /// `Kaspanov` and `Kaspatov` are both a letter from Kasparov, and two letters from each other.
    differ_without_spelling: bool,
}

impl WeighedClusters {
    /// The state of a pair that something excludes, or that is not weighed yet.
    const EXCLUDED: WeighedClusters =
        WeighedClusters { score: EXCLUDED, differ_without_spelling: true };
}

/// The state of the linking.
pub(super) struct Linker<'a> {
    spellings: &'a [Spelling],
    candidates: Candidates,
    counts: NameCounts,
    /// What the names of each pair of candidates say.
    names: Vec<WeighedNames>,
    /// The games of all spellings.
    seats: Seats,
    /// What they say of each pair of candidates.
    shared: Vec<SharedSeats>,
    same_moves: FxHashMap<usize, u32>,
    density: RatingDensity,
    chances: Vec<f64>,
    countries: Vec<f64>,
    /// Those that were joined with another have no members.
    clusters: Vec<Cluster>,
    /// The clusters that may be the same player, in order.
    neighbours: Vec<Vec<Neighbour>>,
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
        let mut home = vec![usize::MAX; input.spellings.len()];
        for (number, group) in groups.iter().enumerate() {
            for &member in group {
                home[member] = number;
            }
        }
        let forms: Vec<Vec<NameForm>> =
            input.spellings.par_iter().map(NameForm::of_spelling).collect();
        let groups_of_numbers: Vec<Vec<u32>> = groups
            .iter()
            .map(|group| group.iter().map(|member| *member as u32).collect())
            .collect();
        let classes =
            opponent_classes(&forms, input.spellings, groups_of_numbers.iter().map(Vec::as_slice));
        let seats = Seats::new(input, &classes);
        let copied = seats.copied_games();
        let same_moves_pairs = same_moves_pairs(input.same_moves);
        let recorded_twice = copied.pairs().chain(same_moves_pairs.iter().copied());
        let candidates = Candidates::new(forms, &home, recorded_twice);
        let counts = NameCounts::new(
            candidates.forms.iter().filter(|forms| forms.len() == 1).map(|forms| &forms[0]),
        );
        let shared = seats.compare(input, &classes, &copied, &candidates);
        let mut same_moves: FxHashMap<usize, u32> = FxHashMap::default();
        for (a, b) in same_moves_pairs {
            if let Some(pair) = candidates.partners.find(a, b) {
                *same_moves.entry(pair).or_default() += 1;
            }
        }
        let profiles = profiles(input, &classes.with_initials);
        let clusters = groups.iter().zip(known).map(|(group, known)| {
            let mut cluster = Cluster { known: *known, ..Cluster::default() };
            for &member in group {
                cluster.join(profiles[member].clone());
            }
            cluster
        });
        let mut linker = Linker {
            spellings: input.spellings,
            counts,
            names: Vec::new(),
            seats,
            shared,
            same_moves,
            density: RatingDensity::new(profiles.iter().map(|profile| profile.tags.as_slice())),
            chances: chances_of_opponents(&profiles, &classes.with_initials),
            countries: shares_of_countries(&profiles),
            clusters: clusters.collect(),
            neighbours: neighbours(&candidates, &home, groups.len()),
            odd: vec![false; input.spellings.len()],
            candidates,
        };
        linker.mark_odd_in_groups(groups);
        let pairs = 0..linker.candidates.pairs.len();
        linker.names = pairs.into_par_iter().map(|pair| linker.weigh_names(pair)).collect();
        linker.score_all();
        linker
    }

    /// Compares the games again, with the opponents known by the players found so far.
    ///
    /// An opponent with a misspelt name is then the same in both games.
    fn compare_games_again(&mut self, input: &LinkInput<'a>) {
        let groups = self.clusters.iter().map(|cluster| cluster.members.as_slice());
        let classes = opponent_classes(&self.candidates.forms, self.spellings, groups);
        self.seats.reclassify(&classes);
        let copied = self.seats.copied_games();
        self.shared = self.seats.compare(input, &classes, &copied, &self.candidates);
        self.score_all();
    }

    fn score_all(&mut self) {
        let pairs = self.pairs();
        let odds: Vec<WeighedClusters> = pairs.par_iter().map(|&(a, b)| self.weigh(a, b)).collect();
        for ((a, b), odds) in pairs.into_iter().zip(odds) {
            self.set_odds(a, b, odds);
        }
    }

    fn set_odds(&mut self, a: u32, b: u32, odds: WeighedClusters) {
        for (one, other) in [(a, b), (b, a)] {
            let neighbours = &mut self.neighbours[one as usize];
            if let Ok(place) = place_of(neighbours, other) {
                neighbours[place] = Neighbour { odds, ..Neighbour::new(other) };
            }
        }
    }

    /// Returns the pairs of clusters that may be the same player, in order.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (one, others) in (0..).zip(&self.neighbours) {
            let others = others.iter().map(|other| other.cluster);
            pairs.extend(others.filter(|other| one < *other).map(|other| (one, other)));
        }
        pairs
    }

    /// Weighs the names of a pair of candidates.
    fn weigh_names(&self, pair: usize) -> WeighedNames {
        let (a, b) = self.candidates.pairs[pair];
        let (found, x, y) = self.candidates.matches[pair];
        let [one, other] = [(a, x), (b, y)]
            .map(|(spelling, reading)| &self.candidates.forms[spelling as usize][reading]);
        let exchanged = found.is_exchanged.then(|| other.exchanged()).flatten();
        let other = exchanged.as_ref().unwrap_or(other);
        let (rarity, rivals) = (self.counts.rarity(one, other), self.counts.rivals(one, other));
        WeighedNames { rarity, rivals, bits: self.name_terms(pair, rarity, rivals).bits() }
    }

    /// Returns the terms of the names of a pair of candidates.
    fn name_terms(&self, pair: usize, rarity: f64, rivals: f64) -> Terms {
        let (a, b) = self.candidates.pairs[pair];
        let found = self.candidates.matches[pair].0;
        let mut terms = Terms::new();
        for term in found.terms() {
            terms.set(term, 1.0);
        }
        let style = |spelling: u32| {
            let text = &self.spellings[spelling as usize].text;
            (text.contains(','), text.contains(", "))
        };
        terms.set(Term::SameStyle, f64::from(u8::from(style(a) == style(b))));
        let readings = |spelling: u32| self.candidates.forms[spelling as usize].len();
        terms.set(Term::NoComma, f64::from(u8::from(readings(a) + readings(b) > 2)));
        terms.set(Term::Rarity, rarity);
        terms.set(Term::Rivals, rivals);
        terms
    }

    /// Returns the evidence of two clusters, unless something excludes that they are one.
    fn terms(&self, a: u32, b: u32) -> Result<Terms, Veto> {
        let (one, other) = (&self.clusters[a as usize], &self.clusters[b as usize]);
        let mut best: Option<usize> = None;
        let mut same_moves = 0;
        let mut shared = SharedSeats::default();
        for (x, y) in one.pairs_with(other) {
            if !self.spellings[x as usize].is_one_career_with(&self.spellings[y as usize]) {
                return Err(Veto::Lives);
            }
            let Some(pair) = self.candidates.partners.find(x, y) else { continue };
            if best.is_none_or(|best| self.names[pair].bits > self.names[best].bits) {
                best = Some(pair);
            }
            shared.add(&self.shared[pair]);
            same_moves += self.same_moves.get(&pair).copied().unwrap_or(0);
        }
        if shared.met {
            return Err(Veto::Met);
        }
        let best = best.ok_or(Veto::Names)?;
        let WeighedNames { rarity, rivals, .. } = self.names[best];
        let mut terms = self.name_terms(best, rarity, rivals);
        let is_misspelt = self.candidates.matches[best].0.surname.is_misspelt();
        terms.set(Term::NamesExclude, self.excluding_names(one, other, is_misspelt));
        self.add_ratings(&mut terms, one, other);
        self.add_circle(&mut terms, one, other);
        add_years(&mut terms, one, other);
        terms.set(Term::Conflicts, counted(shared.conflicts));
        terms.set(Term::TwoPlaces, counted(shared.two_places));
        let different = shared.conflicts + shared.two_places;
        terms.set(Term::SameGames, counted(shared.same_games.saturating_sub(different)));
        terms.set(Term::SameMoves, counted(same_moves));
        terms.set(Term::Complement, shared.complement.clamp(0.0, 10.0));
        terms.set(Term::MetInOtherRounds, (-shared.complement).clamp(0.0, 3.0));
        let found = self.candidates.matches[best].0;
        // A letter of a short surname makes another one: Levin is not Levy.
        let is_error = found.surname == SurnameMatch::OneLetter && found.given == GivenMatch::Equal;
        if is_error && shared.few_games > 0 && shared.conflicts == 0 && shared.complement >= 0.0 {
            terms.set(Term::ErrorInEvent, 1.0);
        }
        if shared.complement > 0.0 {
            // No player meets an opponent under both names in one event.
            terms.set(Term::CircleAgainst, 0.0);
        }
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

    /// Returns how many names of one cluster exclude those of another.
    ///
    /// If the surname of one is misspelt, the words of surnames say nothing more: `De Souia Mendes`
    /// is not excluded by `Mendes`, since it is read as `De Souza Mendes`.
    fn excluding_names(&self, one: &Cluster, other: &Cluster, is_misspelt: bool) -> f64 {
        let mut excluding = 0.0;
        for (x, y) in one.pairs_with(other) {
            if let Some(pair) = self.candidates.partners.find(x, y) {
                let found = &self.candidates.matches[pair].0;
                if found.second == Some(false) || found.numbers == NumberMatch::Different {
                    excluding += 0.5;
                }
            } else if !self.odd[x as usize]
                && !self.odd[y as usize]
                && self.exclude_each_other(x, y, !is_misspelt)
            {
                excluding += 1.0;
            }
        }
        excluding
    }

    /// Whether two spellings that are no candidates have names of two players.
    fn exclude_each_other(&self, x: u32, y: u32, with_surnames: bool) -> bool {
        let [mine, theirs] = [x, y].map(|one| &self.candidates.forms[one as usize]);
        mine.iter().all(|mine| {
            theirs.iter().all(|theirs| {
                let have_given = !mine.given.is_empty() && !theirs.given.is_empty();
                (have_given && match_given_names(&mine.given, &theirs.given).is_none())
                    || (with_surnames && mine.has_other_second_surname(theirs))
            })
        })
    }

    /// Marks the spellings of one player whose names exclude others of his with more games.
    ///
    /// An error was paid for when the spelling was joined, so it does not count again.
    fn mark_odd(&mut self, mine: &[u32], theirs: &[u32]) {
        for &x in mine {
            for &y in theirs {
                if self.candidates.partners.find(x, y).is_none()
                    && self.exclude_each_other(x, y, true)
                {
                    let [a, b] = [x, y].map(|one| self.spellings[one as usize].games);
                    self.odd[if a < b { x } else { y } as usize] = true;
                }
            }
        }
    }

    fn mark_odd_in_groups(&mut self, groups: &[Vec<usize>]) {
        for group in groups.iter().filter(|group| group.len() > 1) {
            let members: Vec<u32> = group.iter().map(|one| *one as u32).collect();
            for (place, &one) in members.iter().enumerate() {
                self.mark_odd(&[one], &members[place + 1..]);
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
        let best = [one, other].map(|cluster| cluster.tags.iter().map(|tag| tag.1).max());
        if best.iter().all(Option::is_some) && best.into_iter().min() < Some(Some(WEAK)) {
            terms.set(Term::WeakRatings, 1.0);
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

    /// Weighs the evidence of two clusters.
    fn weigh(&self, a: u32, b: u32) -> WeighedClusters {
        let Ok(terms) = self.terms(a.min(b), a.max(b)) else { return WeighedClusters::EXCLUDED };
        let score = terms.bits();
        WeighedClusters { score, differ_without_spelling: score < terms.misspelling_bits() }
    }

    /// Returns what the evidence says of two clusters, if they are neighbours.
    fn odds(&self, a: u32, b: u32) -> Option<WeighedClusters> {
        let neighbours = &self.neighbours[a as usize];
        Some(neighbours[place_of(neighbours, b).ok()?].odds)
    }

    /// Returns the sum of the odds of the rivals of `b` for being the player `a`, unless it exceeds
    /// `most`. `score` are the log odds of the two.
    ///
    /// A rival is one that is not the player `b`. Two misspellings of one name are no rivals,
    /// although they are not similar to each other.
    fn rivals(&self, a: u32, b: u32, score: f64, most: f64) -> Result<f64, Unlikely> {
        let least = score - NEGLIGIBLE;
        let mut sum = 0.0;
        for &Neighbour { cluster: rival, odds, .. } in &self.neighbours[a as usize] {
            if rival == b || odds.score < least {
                continue;
            }
            let is_other = match self.odds(b, rival) {
                Some(odds) => odds.score < 0.0 && odds.differ_without_spelling,
                None => !self.have_compatible_given_names(rival, b),
            };
            if is_other {
                let of_rival = odds.score.min(MOST_BITS).exp2();
                sum += of_rival;
                // Where hundreds of names are similar, the first rivals decide.
                if sum > most {
                    return Err(Unlikely { rival: (of_rival > most).then_some(rival) });
                }
            }
        }
        Ok(sum)
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

    /// Returns the probability that two clusters are one player, among all rivals of either, unless
    /// it is below `least`.
    fn probability(&self, a: u32, b: u32, least: f64) -> Result<f64, Unlikely> {
        let score = self.odds(a, b).unwrap_or(WeighedClusters::EXCLUDED).score;
        let odds = score.min(MOST_BITS).exp2();
        let most = (odds / least - odds - 1.0) * ROUNDING;
        let rivals = self.rivals(a, b, score, most)?.max(self.rivals(b, a, score, most)?);
        let probability = odds / (1.0 + odds + rivals);
        if probability >= least { Ok(probability) } else { Err(Unlikely::default()) }
    }

    /// Joins the pairs whose probability exceeds the limit, and compares the games again until no
    /// pair is left.
    pub fn run(&mut self, input: &LinkInput<'a>) -> Vec<Link> {
        let mut links = self.join_best();
        for _ in 0..MOST_COMPARISONS {
            self.compare_games_again(input);
            let more = self.join_best();
            if more.is_empty() {
                break;
            }
            links.extend(more);
        }
        links
    }

    /// Joins the pairs whose probability exceeds the limit, best first.
    fn join_best(&mut self) -> Vec<Link> {
        let mut links = Vec::new();
        let pairs = self.pairs();
        let likely: Vec<Result<Probability, Unlikely>> =
            pairs.par_iter().map(|pair| self.likely(*pair)).collect();
        let mut queue = BinaryHeap::new();
        for (pair, likely) in pairs.into_iter().zip(likely) {
            self.put(&mut queue, pair, likely);
        }
        while let Some((Probability(before), Reverse((a, b)))) = queue.pop() {
            if self.odds(a, b).is_none() {
                continue;
            }
            let Ok(now) = self.probability(a, b, LIMIT) else { continue };
            if now < before - 1e-9 {
                queue.push((Probability(now), Reverse((a, b))));
                continue;
            }
            let terms = self.terms(a, b);
            let evidence = terms.map(|terms| in_words(&terms)).unwrap_or_default();
            let near = self.best_scores(a, b);
            let [home, other] = self.join(a, b);
            links.push(Link { home, other, probability: now, evidence });
            let of_both =
                if self.clusters[a as usize].members.is_empty() { [b, a] } else { [a, b] };
            for pair in self.pairs_around(of_both, &near) {
                let likely = self.likely(pair);
                self.put(&mut queue, pair, likely);
            }
        }
        links
    }

    /// Puts a likely pair into the queue, and keeps the rival of another with both of its clusters.
    fn put(
        &mut self,
        queue: &mut BinaryHeap<(Probability, Reverse<(u32, u32)>)>,
        (a, b): (u32, u32),
        likely: Result<Probability, Unlikely>,
    ) {
        let rival = match likely {
            Ok(probability) => {
                queue.push((probability, Reverse((a, b))));
                None
            }
            Err(Unlikely { rival }) => rival,
        };
        for (one, other) in [(a, b), (b, a)] {
            let neighbours = &mut self.neighbours[one as usize];
            if let Ok(place) = place_of(neighbours, other) {
                neighbours[place].outdone_by = rival;
            }
        }
    }

    /// Returns the neighbours of two clusters, with the higher score with either.
    fn best_scores(&self, a: u32, b: u32) -> BTreeMap<u32, f64> {
        let mut best = BTreeMap::new();
        for near in [a, b].into_iter().flat_map(|one| &self.neighbours[one as usize]) {
            let score = best.entry(near.cluster).or_insert(near.odds.score);
            *score = near.odds.score.max(*score);
        }
        best
    }

    /// Returns the probability of a pair, if it exceeds the limit.
    fn likely(&self, (a, b): (u32, u32)) -> Result<Probability, Unlikely> {
        if self.odds(a, b).is_none_or(|odds| odds.score <= 0.0) {
            return Err(Unlikely::default());
        }
        self.probability(a, b, LIMIT).map(Probability)
    }

    /// Returns the pairs of a joined cluster, and those of its neighbours whose rivals its parts
    /// were. The other part is no cluster any more. `before` has the score of each neighbour with
    /// the better part.
    fn pairs_around(
        &self,
        [cluster, other_part]: [u32; 2],
        before: &BTreeMap<u32, f64>,
    ) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let near = &self.neighbours[cluster as usize];
        pairs.extend(near.iter().map(|one| (one.cluster.min(cluster), one.cluster.max(cluster))));
        for one in near.iter().map(|one| one.cluster) {
            for other in &self.neighbours[one as usize] {
                let score = other.odds.score;
                let is_outdone =
                    other.outdone_by.is_some_and(|rival| rival != cluster && rival != other_part);
                if score > 0.0 && before[&one] >= score - NEGLIGIBLE && !is_outdone {
                    pairs.push((one.min(other.cluster), one.max(other.cluster)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Moves the cluster with fewer games into the other. Returns a spelling of each.
    fn join(&mut self, a: u32, b: u32) -> [usize; 2] {
        let is_smaller = self.clusters[a as usize].games < self.clusters[b as usize].games;
        let (home, other) = if is_smaller { (b, a) } else { (a, b) };
        let moved = std::mem::take(&mut self.clusters[other as usize]);
        let members = moved.members.clone();
        let kept = &mut self.clusters[home as usize];
        let before = kept.members.clone();
        kept.join(moved);
        self.mark_odd(&before, &members);
        for Neighbour { cluster: next, .. } in std::mem::take(&mut self.neighbours[other as usize])
        {
            remove(&mut self.neighbours[next as usize], other);
            if next != home {
                insert(&mut self.neighbours[next as usize], home);
                insert(&mut self.neighbours[home as usize], next);
            }
        }
        for place in 0..self.neighbours[home as usize].len() {
            let next = self.neighbours[home as usize][place].cluster;
            self.set_odds(home, next, self.weigh(home, next));
        }
        [before[0] as usize, members[0] as usize]
    }

    /// Finds the player of the games of each event under an initial that several players may have.
    pub fn divided_initials(&mut self, input: &LinkInput) -> Vec<DividedInitial> {
        divided_initials(input, &self.candidates, &self.clusters, &mut self.seats)
    }

    /// Returns the pairs that are left apart although their names are similar: those whose
    /// probability exceeds a limit, and those of the spellings that are wanted.
    pub fn left_apart(
        &self,
        limit: f64,
        is_wanted: impl Fn([usize; 2]) -> bool + Sync,
    ) -> Vec<Link> {
        let pairs = self.pairs().into_par_iter();
        pairs
            .filter_map(|(a, b)| {
                let pair = [a, b].map(|one| self.clusters[one as usize].members[0] as usize);
                let least = if is_wanted(pair) { 0.0 } else { limit };
                let probability = self.probability(a, b, least).ok()?;
                let evidence = match self.terms(a, b) {
                    Ok(terms) => in_words(&terms),
                    Err(veto) => <&str>::from(veto).to_owned(),
                };
                let [home, other] = pair;
                Some(Link { home, other, probability, evidence })
            })
            .collect()
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

/// Returns, by group, the groups of the candidates of its spellings, in order and not yet scored.
fn neighbours(candidates: &Candidates, home: &[usize], groups: usize) -> Vec<Vec<Neighbour>> {
    let mut neighbours = vec![Vec::new(); groups];
    for &(a, b) in &candidates.pairs {
        let (a, b) = (home[a as usize], home[b as usize]);
        neighbours[a].push(Neighbour::new(b as u32));
        neighbours[b].push(Neighbour::new(a as u32));
    }
    neighbours.par_iter_mut().for_each(|others| {
        others.sort_unstable_by_key(|other| other.cluster);
        others.dedup_by_key(|other| other.cluster);
    });
    neighbours
}

fn place_of(sorted: &[Neighbour], cluster: u32) -> Result<usize, usize> {
    sorted.binary_search_by_key(&cluster, |one| one.cluster)
}

fn insert(sorted: &mut Vec<Neighbour>, cluster: u32) {
    if let Err(place) = place_of(sorted, cluster) {
        sorted.insert(place, Neighbour::new(cluster));
    }
}

fn remove(sorted: &mut Vec<Neighbour>, cluster: u32) {
    if let Ok(place) = place_of(sorted, cluster) {
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
        26..=40 => terms.set(Term::CareerApart, 1.0),
        _ => terms.set(Term::LifeApart, 1.0),
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
