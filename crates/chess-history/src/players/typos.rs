//! Finds typos in players' names by the events that they share.
//!
//! A source with a wrong letter in one game has the right name in the other games of the event.
//! Both names are then in one table: with the same game, if the event is recorded twice, or with
//! games that complete each other. Two players in one table have games in the same rounds, and
//! results of their own against the same opponents.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::alike_names::are_a_letter_apart;
use super::event_numbers::EventNumber;
use super::joining::Joining;
use super::merge_reason::MergeReason;
use super::name::{fold, without_marks};
use super::shared_events::{GroupedGames, SharedEvents, SpelledGames};
use super::spelling::Spelling;

/// The greatest number of games of a name that may be a typo if nothing else shows that it is.
const FEW_GAMES: u32 = 2;

/// The smallest number of games of the player whose name it is.
const MANY_GAMES: u32 = 6;

/// How many times as many games the player has if the name has more than a few.
const TIMES_AS_MANY: u32 = 2;

/// The shortest name (letters) that may have a wrong letter.
const LONG_NAME: usize = 6;

/// The shortest given name (letters) that may have a letter too many.
const LONG_GIVEN_NAME: usize = 3;

/// The longest word (letters) that distinguishes namesakes.
const SHORT_WORD: usize = 2;

/// The number of passes. A further one finds the gaps of players whose other games were joined.
const PASSES: usize = 3;

/// The number of spellings of a group that are compared.
const SPELLINGS: usize = 32;

/// The number of forms of a spelling that are compared.
const FORMS: usize = 16;

impl Joining<'_> {
    /// Step 5: joins names that differ by one character from that of another player of their event.
    ///
    /// The character may be a comma or a space (`RadjabovtT`, `NieHua`). Either the name is rare
    /// and has one or two games, which the other player lacks or has as well, or its games are just
    /// those that he lacks. If the wrong letter is an initial, the rating must be the same as well.
    pub fn typos(&mut self, games: SpelledGames) {
        let homes = self.homes();
        let search = TypoSearch::new(self, &games.grouped(self, &homes));
        let mut pairs = search.pairs(self, &games.grouped(self, &homes));
        for _ in 0..PASSES {
            let before = pairs.len();
            self.join_typos(&search, &pairs, games);
            pairs.retain(|(typo, known)| {
                !self.groups[*typo].is_empty() && !self.groups[*known].is_empty()
            });
            if pairs.len() == before {
                break;
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Joins the typos among pairs of groups. The groups keep their numbers.
    fn join_typos(
        &mut self,
        search: &TypoSearch,
        pairs: &FxHashSet<(usize, usize)>,
        games: SpelledGames,
    ) {
        let homes = self.homes();
        let mut found: Vec<((usize, usize), SharedEvents)> = games
            .grouped(self, &homes)
            .in_shared_events(pairs)
            .into_iter()
            .filter(|(pair, shared)| search.is_typo(*pair, shared))
            .collect();
        found.sort_unstable_by_key(|(pair, _)| *pair);
        // The typo must have only one candidate.
        for typo in found.chunk_by(|a, b| a.0.0 == b.0.0) {
            let [((typo, known), shared)] = *typo else { continue };
            let is_joined = [typo, known].iter().any(|group| self.groups[*group].is_empty());
            if !is_joined && self.nothing_excludes(typo, known) {
                let evidence = shared.evidence.in_words();
                self.join(known, typo, MergeReason::SameEvents, evidence);
            }
        }
    }
}

/// All groups, prepared for the search for typos.
struct TypoSearch {
    /// The number of games of each group.
    games: Vec<u32>,
    /// The names of each group.
    names: Vec<GroupNames>,
    /// The groups that bear each surname.
    bearers: FxHashMap<String, Vec<usize>>,
    /// The groups with one or two games, all in known rounds, and a surname of their own.
    rare: FxHashSet<usize>,
}

impl TypoSearch {
    fn new(joining: &Joining, games: &GroupedGames) -> TypoSearch {
        let names = |group: &Vec<usize>| GroupNames::new(joining, group);
        let count = |group: &Vec<usize>| joining.members(group).map(|one| one.games).sum();
        let mut search = TypoSearch {
            games: joining.groups.par_iter().map(count).collect(),
            names: joining.groups.par_iter().map(names).collect(),
            bearers: FxHashMap::default(),
            rare: FxHashSet::default(),
        };
        let surnames: Vec<BTreeSet<String>> =
            joining.groups.par_iter().map(|group| surnames(joining, group)).collect();
        for (number, surnames) in surnames.into_iter().enumerate() {
            for surname in surnames {
                search.bearers.entry(surname).or_default().push(number);
            }
        }
        search.rare = search.rare_names(joining, games);
        search
    }

    /// Returns the groups with one or two games, all in known rounds, and a surname of their own.
    ///
    /// Without rounds it is unknown whether a player lacks the game.
    fn rare_names(&self, joining: &Joining, games: &GroupedGames) -> FxHashSet<usize> {
        let has_round = |row: &u32| games.table.games()[*row as usize].round.number().is_some();
        let are_in_known_rounds = |group: usize| {
            let mut texts = joining.members(&joining.groups[group]).flat_map(|one| &one.texts);
            texts.all(|(name, _)| games.rows.of_name(*name).iter().all(has_round))
        };
        let is_rare = |group: &usize| {
            self.games[*group] <= FEW_GAMES
                && are_in_known_rounds(*group)
                && self.namesakes(joining, *group).all(|namesake| namesake == *group)
        };
        (0..joining.groups.len()).into_par_iter().filter(is_rare).collect()
    }

    /// Returns the groups that bear a surname of a group, itself among them.
    fn namesakes(&self, joining: &Joining, group: usize) -> impl Iterator<Item = usize> {
        let surnames = surnames(joining, &joining.groups[group]).into_iter();
        surnames.flat_map(|surname| self.bearers[&surname].iter().copied())
    }

    /// Whether one of two names is a typo for the other.
    fn is_typo(&self, (typo, known): (usize, usize), shared: &SharedEvents) -> bool {
        let evidence = shared.evidence;
        let is_in_one_event = evidence.games + evidence.both_differ + evidence.completes > 0;
        let is_rare = self.rare.contains(&typo) && self.games[known] >= MANY_GAMES;
        let is_near =
            self.games[typo] <= FEW_GAMES || self.are_all_near(typo, known) || shared.is_proof();
        // A wrong initial is a namesake's, unless the rating is the same.
        let all_are_his =
            evidence.games + evidence.both_differ + evidence.completes >= self.games[typo] as usize;
        let is_rated_the_same = shared.has_his_ratings
            && all_are_his
            && (evidence.games + evidence.both_differ > 0 || shared.fills_gaps());
        is_in_one_event
            && evidence.contradictions == 0
            && match self.differ_in_initials(typo, known) {
                true => is_rated_the_same,
                false => is_rare || (is_near && shared.fills_gaps()),
            }
    }

    /// Whether two groups differ only by initials, or other short words.
    fn differ_in_initials(&self, typo: usize, known: usize) -> bool {
        let established = || self.names[known].established().iter().flatten();
        let mut forms = self.names[typo].spellings.iter().flatten();
        forms.all(|wrong| established().all(|right| !differ_by_a_typo(wrong, right)))
    }

    /// Whether each spelling of a group differs by a letter from an established name of another.
    fn are_all_near(&self, typo: usize, known: usize) -> bool {
        let established = || self.names[known].established().iter().flatten();
        self.names[typo].spellings.iter().all(|forms| {
            forms.iter().any(|wrong| established().any(|right| differ_by_a_typo(wrong, right)))
        })
    }

    /// Returns pairs of groups that play in one event and whose names differ by a letter.
    ///
    /// The one with fewer games is first.
    fn pairs(&self, joining: &Joining, games: &GroupedGames) -> FxHashSet<(usize, usize)> {
        let of_event = |event: EventNumber| {
            let rows = games.rows.of_event(event).iter();
            let seats = rows.flat_map(|row| {
                let game = &games.table.games()[*row as usize];
                [game.white, game.black]
            });
            let mut players: Vec<usize> = seats.filter_map(&games.group_of).collect();
            players.sort_unstable();
            players.dedup();
            self.pairs_of_event(&players)
        };
        let events = 0..games.numbers.len() as EventNumber;
        let mut pairs: Vec<(usize, usize)> =
            events.into_par_iter().flat_map_iter(of_event).collect();
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs.retain(|pair| have_near_given_names(joining, *pair));
        // Another player's surname is no typo, unless all who bear it seem to have typos.
        let typos: FxHashSet<usize> = pairs.iter().map(|(typo, _)| *typo).collect();
        pairs.retain(|&(typo, known)| {
            self.namesakes(joining, typo).all(|namesake| typos.contains(&namesake))
                || !surnames(joining, &joining.groups[typo])
                    .is_disjoint(&surnames(joining, &joining.groups[known]))
        });
        pairs.into_iter().collect()
    }

    /// Returns the pairs among the players of an event.
    fn pairs_of_event(&self, players: &[usize]) -> Vec<(usize, usize)> {
        let mut keyed: Vec<(&[u8], &str, usize, bool)> = Vec::new();
        for &group in players {
            let names = &self.names[group];
            for (place, forms) in names.spellings.iter().enumerate() {
                let is_established = place < names.established().len();
                let keys = forms.iter().flat_map(|form| ends(form).map(|end| (end, form.as_str())));
                keyed.extend(keys.map(|(end, form)| (end, form, group, is_established)));
            }
        }
        keyed.sort_unstable();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for alike in keyed.chunk_by(|a, b| a.0 == b.0) {
            for (place, &(_, one, a, is_known)) in alike.iter().enumerate() {
                for &(_, other, b, is_other_known) in &alike[place + 1..] {
                    if a != b
                        && (is_known || is_other_known)
                        && (differ_by_a_typo(one, other) || differ_by_an_initial(one, other))
                    {
                        pairs.extend(is_other_known.then_some((a, b)));
                        pairs.extend(is_known.then_some((b, a)));
                    }
                }
            }
        }
        let is_better_known = |(typo, known): &(usize, usize)| {
            let [few, many] = [typo, known].map(|group| self.games[*group]);
            TIMES_AS_MANY * few <= many || (few <= FEW_GAMES && few <= many)
        };
        pairs.retain(is_better_known);
        pairs
    }
}

/// The names of a group.
#[derive(Debug)]
struct GroupNames {
    /// The forms in which each spelling is compared, established spellings first.
    spellings: Vec<Vec<String>>,
    established: usize,
}

impl GroupNames {
    fn new(joining: &Joining, group: &[usize]) -> GroupNames {
        let (many, few): (Vec<&Spelling>, Vec<&Spelling>) =
            joining.members(group).partition(|one| one.games > FEW_GAMES);
        let spellings = many.iter().chain(&few).take(SPELLINGS).map(|one| forms(one)).collect();
        GroupNames { spellings, established: many.len().min(SPELLINGS) }
    }

    /// Returns the spellings with more than a few games, or all if there are none.
    ///
    /// A typo that was joined is not the name that another may be a typo for.
    fn established(&self) -> &[Vec<String>] {
        match self.established {
            0 => &self.spellings,
            established => &self.spellings[..established],
        }
    }
}

/// Returns the forms of a spelling in which it is compared: the parsed name, and the texts.
///
/// Folding replaces `ae` by `a`, which is wrong in a typo (`Fusaer`). So the texts as written count
/// too. Without a comma the last word may be the surname.
fn forms(spelling: &Spelling) -> Vec<String> {
    let name = spelling.name.surname.iter().chain(&spelling.name.given);
    let mut forms = vec![name.map(String::as_str).collect::<Vec<_>>().join(" ")];
    for (_, text) in &spelling.texts {
        let text = &*without_marks(text).0;
        forms.push(words(&fold(text)));
        if text.is_ascii() {
            forms.push(words(&text.to_ascii_lowercase()));
        }
        if !text.contains(',')
            && let Some((given, surname)) = words(&fold(text)).rsplit_once(' ')
        {
            forms.push(format!("{surname} {given}"));
        }
    }
    forms.retain(|form| form.len() >= LONG_NAME);
    forms.sort();
    forms.dedup();
    forms.truncate(FORMS);
    forms
}

/// Returns the words of a text, without the punctuation between them.
fn words(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the surnames of a group.
fn surnames(joining: &Joining, group: &[usize]) -> BTreeSet<String> {
    joining.members(group).map(|one| one.name.surname_key()).collect()
}

/// Whether the given names of two groups may be one with a wrong letter.
fn have_near_given_names(joining: &Joining, (typo, known): (usize, usize)) -> bool {
    let given = |group: usize| -> Vec<&str> {
        let members = joining.members(&joining.groups[group]);
        let names = members.flat_map(Spelling::names);
        names.filter_map(|name| name.given.first().map(String::as_str)).collect()
    };
    let are_near = |one: &str, other: &str| {
        let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
        longer.starts_with(shorter)
            || (are_a_letter_apart(one, other)
                && (shorter.len() == longer.len() || shorter.len() >= LONG_GIVEN_NAME))
    };
    let (mine, theirs) = (given(typo), given(known));
    // An initial fits many names, so it does not decide if a whole name is known.
    let is_whole = |name: &&str| name.len() > 1;
    let whole: Vec<&str> = theirs.iter().copied().filter(|name| is_whole(name)).collect();
    let theirs = if whole.is_empty() { theirs } else { whole };
    theirs.is_empty() || mine.iter().all(|one| theirs.iter().any(|other| are_near(one, other)))
}

/// Whether two names differ by a letter that may be wrong.
///
/// A number or a word of one or two letters is none: it distinguishes programs, teams and namesakes
/// (`Löwy, Leopold Jr`).
fn differ_by_a_typo(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let separates = |letter: char| !letter.is_alphanumeric();
    let last = |text: &str| text.chars().next_back();
    let letters = |text: &str| -> String {
        let words = text.split(separates);
        words.filter(|word| word.len() <= SHORT_WORD).collect()
    };
    let (mine, theirs) = (letters(one), letters(other));
    are_a_letter_apart(one, other)
        && digits(one) == digits(other)
        // The last letter of a single word may be an initial.
        && (one.contains(separates) || other.contains(separates) || last(one) == last(other))
        && (mine.is_empty() || theirs.is_empty() || mine == theirs)
}

/// Whether two names differ by a letter in a word of one or two letters (`Adams,Ki`, `Adams,Mi`).
fn differ_by_an_initial(one: &str, other: &str) -> bool {
    let mut pairs = one.split(' ').zip(other.split(' ')).filter(|(mine, theirs)| mine != theirs);
    one.len() == other.len()
        && pairs.next().is_some_and(|(mine, theirs)| {
            mine.len() == theirs.len()
                && mine.len() <= SHORT_WORD
                && mine.bytes().chain(theirs.bytes()).all(|letter| letter.is_ascii_alphabetic())
                && are_a_letter_apart(mine, theirs)
        })
        && pairs.next().is_none()
}

/// Returns both ends of a text. A text that differs by a letter has one of them too.
fn ends(text: &str) -> [&[u8]; 2] {
    let (text, length) = (text.as_bytes(), LONG_NAME / 2);
    [&text[..length], &text[text.len() - length..]]
}

#[cfg(test)]
pub(super) mod tests {
    use crate::games::{Game, GameResult, GameTable, PartialDate, Round};
    use crate::players::{Aliases, resolve};

    /// Resolves a round robin of 1955 with ten opponents and further games.
    ///
    /// Each further game has the round, both names and the result.
    pub fn persons(further: &[(u16, &str, &str, GameResult)]) -> Vec<String> {
        let mut table = GameTable::default();
        let mut push = |round: u16, white: &str, black: &str, result: GameResult| {
            let [event, white, black] =
                ["Gothenburg", white, black].map(|text| table.names.intern(text));
            let (date, round) = (PartialDate::of_year(1955), Round::of_number(round));
            table.push(Game { event, white, black, date, round, result, ..Game::default() });
        };
        for round in 1..=10 {
            let letter = char::from(b'A' + round as u8);
            push(round, "Ilivitsky, Georgy", &format!("{letter}berg, Otto"), GameResult::White);
        }
        for (round, white, black, result) in further {
            push(*round, white, black, *result);
        }
        let players = resolve(&table, &Aliases::default());
        players.iter().map(|(_, player)| player.spellings.join(" = ")).collect()
    }

    #[test]
    fn a_wrong_letter_in_a_missing_game_is_a_typo() {
        let found = persons(&[(11, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw)]);
        assert!(found.contains(&"Ilivitkky, Georgy = Ilivitsky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn the_wrong_character_may_be_between_surname_and_given_name() {
        let of = |round: u16, name: &'static str| {
            persons(&[(round, name, "Zberg, Otto", GameResult::Draw)])
        };
        let found = of(11, "Ilivitskyt Georgy");
        assert!(found.contains(&"Ilivitsky, Georgy = Ilivitskyt Georgy".to_owned()), "{found:?}");
        // In a round in which he has another game it is another player's.
        let found = of(3, "Ilivitskyt Georgy");
        assert!(found.contains(&"Ilivitskyt Georgy".to_owned()), "{found:?}");
        // Two characters are too many.
        let found = of(11, "Ilivitskytt Georgy");
        assert!(found.contains(&"Ilivitskytt Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn a_similar_name_in_the_same_rounds_is_another_player() {
        let games =
            [1, 2, 3].map(|round| (round, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw));
        let found = persons(&games);
        assert!(found.contains(&"Ilivitkky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn a_surname_with_several_bearers_is_not_a_typo() {
        let found = persons(&[
            (11, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw),
            (12, "Ilivitkky, Semyon", "Zberg, Otto", GameResult::Draw),
        ]);
        assert!(found.contains(&"Ilivitkky, Georgy".to_owned()), "{found:?}");
    }

    /// Resolves a knock-out in which a name has a game of a match of a known player.
    ///
    /// `name` and `rating` are those of the second game of the match; returns the spellings.
    fn in_knock_out(name: &str, rating: u16) -> Vec<String> {
        let mut table = GameTable::default();
        let mut push = |round: &str, white: (&str, u16), black: (&str, u16)| {
            let event = table.names.intern("KO");
            let [(white, white_elo), (black, black_elo)] =
                [white, black].map(|(text, elo)| (table.names.intern(text), elo));
            let (date, round) = (PartialDate::of_year(2004), Round::parse(round));
            let game = Game { event, white, black, date, round, white_elo, ..Game::default() };
            table.push(Game { black_elo, result: GameResult::Draw, ..game });
        };
        let adams = ("Adams,Mi", 2731);
        for (number, opponent) in ["Hamdouchi,H", "Nisipeanu,LD", "Akopian,V"].iter().enumerate() {
            push(&format!("{}.1", number + 1), adams, (opponent, 2600));
            push(&format!("{}.2", number + 1), (opponent, 2600), adams);
        }
        push("4.1", adams, ("Radjabov,T", 2670));
        push("4.2", ("Radjabov,T", 2670), (name, rating));
        let players = resolve(&table, &Aliases::default());
        players.iter().map(|(_, player)| player.spellings.join(" = ")).collect()
    }

    #[test]
    fn a_match_in_a_round_has_several_games() {
        let found = in_knock_out("Adamk,Mi", 2731);
        assert!(found.contains(&"Adamk,Mi = Adams,Mi".to_owned()), "{found:?}");
    }

    #[test]
    fn a_wrong_initial_needs_the_same_rating() {
        let found = in_knock_out("Adams,ki", 2731);
        assert!(found.contains(&"Adams,Mi = Adams,ki".to_owned()), "{found:?}");
        for rating in [0, 2725] {
            let found = in_knock_out("Adams,ki", rating);
            assert!(found.contains(&"Adams,ki".to_owned()), "{found:?}");
        }
    }
}
