//! Finds typos in players' names by the events that they share.
//!
//! A source with a wrong letter in one game has the right name in the other games of the event.
//! Both names are then in one table: with the same game, if the event is recorded twice, or with
//! games that complete each other. Two players in one table have games in the same rounds, and each
//! has a result against the same opponents.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::comparable_names::are_a_letter_apart;
use super::event_numbers::EventNumber;
use super::joining::Joining;
use super::merge::MergeReason;
use super::name::{fold, without_marks};
use super::shared_events::{GroupedGames, SharedEvents, SpelledGames};
use super::spelling::Spelling;

/// The greatest number of games of a name that may be a typo if nothing else shows that it is.
///
/// Judged: a typo is in a game or two. With four, a player who left an event early could be one.
const FEW_GAMES: u32 = 2;

/// The smallest number of games of the player whose name it is.
///
/// Judged: a short event. With three, either of two names could be the typo; with twelve, players
/// of one event would have none.
const MANY_GAMES: u32 = 6;

/// How many times as many games the player has if the name has more than a few.
///
/// Judged: the right name is the more common one. With four, a name that a source misspells in half
/// of an event stays apart.
const TIMES_AS_MANY: u32 = 2;

/// The shortest name (letters) that may have a wrong letter.
///
/// Surname, space and given name count. Judged: shorter ones (`Li, Bo`) differ in a letter from
/// many.
const LONG_NAME: usize = 6;

/// The shortest given name (letters) that may have a letter too many.
///
/// Judged: initials and beginnings of names have fewer letters, and each letter matters.
const LONG_GIVEN_NAME: usize = 3;

/// The longest word (letters) that distinguishes namesakes.
///
/// Judged: `Jr`, `Sr`, initials and letters of teams. With four, short given names could not have a
/// wrong letter.
const SHORT_WORD: usize = 2;

/// The number of passes. A further one finds the gaps of players whose other games were joined.
///
/// Judged: the search stops earlier if a pass joins nothing; each further pass repeats it.
const PASSES: usize = 3;

/// The number of spellings of a group that are compared, those of many games first.
///
/// Judged: few players have so many; a file of aliases may give thousands, and the work grows with
/// them.
const SPELLINGS: usize = 32;

/// The number of forms of a spelling that are compared.
///
/// Judged: texts of one spelling differ only in case, accents and punctuation, so few forms differ.
const FORMS: usize = 16;

impl Joining<'_> {
    /// Step 5: joins names that differ by one character from that of another player of their event.
    ///
    /// The character may be a comma or a space (`RadjabovtT`, `NieHua`). Either the name is rare
    /// and has one or two games, which the other player lacks or has as well, or its games are just
    /// those that the player lacks. If the wrong letter is an initial, the rating must be the same
    /// as well.
    pub fn typos(&mut self, games: SpelledGames) {
        let homes = self.homes();
        let search = TypoSearch::new(self, &self.grouped(games, &homes));
        let mut pairs = search.pairs(self, &self.grouped(games, &homes));
        for _ in 0..PASSES {
            let before = pairs.len();
            // The groups keep their numbers in all passes.
            let homes = self.homes();
            let mut found: Vec<((usize, usize), SharedEvents)> = self
                .grouped(games, &homes)
                .in_shared_events(&pairs)
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
            pairs.retain(|(typo, known)| {
                !self.groups[*typo].is_empty() && !self.groups[*known].is_empty()
            });
            if pairs.len() == before {
                break;
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }
}

/// All groups, prepared for the search for typos.
struct TypoSearch {
    /// The number of games of each group.
    games: Vec<u32>,
    names: Vec<GroupNames>,
    /// The groups that bear each surname.
    bearers: FxHashMap<String, Vec<usize>>,
    /// The groups with one or two games, all in known rounds, and a surname that no other has.
    rare: FxHashSet<usize>,
}

impl TypoSearch {
    fn new(joining: &Joining, games: &GroupedGames) -> TypoSearch {
        let groups = joining.groups.par_iter();
        let mut search = TypoSearch {
            games: groups
                .clone()
                .map(|group| joining.members(group).map(|one| one.games).sum())
                .collect(),
            names: groups.map(|group| GroupNames::new(joining, group)).collect(),
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
        search.rare = (0..joining.groups.len())
            .into_par_iter()
            .filter(|&group| {
                let texts = joining.members(&joining.groups[group]).flat_map(|one| &one.texts);
                let mut rows = texts.flat_map(|(name, _)| games.rows.of_name(*name));
                // Without rounds it is unknown whether a player lacks the game.
                search.games[group] <= FEW_GAMES
                    && rows.all(|row| games.table.games()[*row as usize].round.number().is_some())
                    && search.namesakes(joining, group).all(|namesake| namesake == group)
            })
            .collect();
        search
    }

    /// Returns the groups that bear a surname of a group, itself among them.
    fn namesakes(&self, joining: &Joining, group: usize) -> impl Iterator<Item = usize> {
        let surnames = surnames(joining, &joining.groups[group]).into_iter();
        surnames.flat_map(|surname| self.bearers[&surname].iter().copied())
    }

    /// Whether one of two names is a typo for the other.
    fn is_typo(&self, (typo, known): (usize, usize), shared: &SharedEvents) -> bool {
        let evidence = shared.evidence;
        let in_shared_events = evidence.games + evidence.both_differ + evidence.completes;
        if in_shared_events == 0 || evidence.contradictions > 0 {
            return false;
        }
        let (spellings, right) = (&self.names[typo].spellings, &self.names[known]);
        // Otherwise the names differ only by initials, or other short words.
        if spellings.iter().flatten().any(|form| right.has_typo_in(form)) {
            let is_misspelt = self.games[typo] <= FEW_GAMES
                || spellings.iter().all(|forms| forms.iter().any(|form| right.has_typo_in(form)))
                || shared.is_proof();
            (self.rare.contains(&typo) && self.games[known] >= MANY_GAMES)
                || (is_misspelt && shared.fills_gaps())
        } else {
            // A wrong initial is a namesake's, unless the rating is the same.
            shared.has_the_same_ratings
                && in_shared_events >= self.games[typo] as usize
                && (evidence.games + evidence.both_differ > 0 || shared.fills_gaps())
        }
    }

    /// Returns pairs of groups that play in one event and whose names differ by a letter.
    ///
    /// The one with fewer games is first.
    fn pairs(&self, joining: &Joining, games: &GroupedGames) -> FxHashSet<(usize, usize)> {
        let events = 0..games.numbers.len() as EventNumber;
        let mut pairs: Vec<(usize, usize)> = events
            .into_par_iter()
            .flat_map_iter(|event| {
                let seats = games.rows.of_event(event).iter().flat_map(|row| {
                    let game = &games.table.games()[*row as usize];
                    [game.white, game.black]
                });
                let mut players: Vec<usize> = seats.filter_map(&games.group_of).collect();
                players.sort_unstable();
                players.dedup();
                self.pairs_of_event(&players)
            })
            .collect();
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs.retain(|pair| first_names_may_be_variants(joining, *pair));
        // Another player's surname is not a typo, unless all who bear it seem to have typos.
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
        for entries in keyed.chunk_by(|a, b| a.0 == b.0) {
            for (place, &(_, one, a, is_known)) in entries.iter().enumerate() {
                for &(_, other, b, is_other_known) in &entries[place + 1..] {
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
        pairs.retain(|&(typo, known)| {
            let (few, many) = (self.games[typo], self.games[known]);
            TIMES_AS_MANY * few <= many || (few <= FEW_GAMES && few <= many)
        });
        pairs
    }
}

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

    /// Whether a form of another name differs by a letter from an established spelling.
    fn has_typo_in(&self, form: &str) -> bool {
        self.established().iter().flatten().any(|right| differ_by_a_typo(form, right))
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
    text.split(is_separator).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_separator(letter: char) -> bool {
    !letter.is_alphanumeric()
}

fn surnames(joining: &Joining, group: &[usize]) -> BTreeSet<String> {
    joining.members(group).map(|one| one.name.surname_key()).collect()
}

/// Whether the first given names of one group may be those of a known one, shortened or with a
/// wrong letter.
fn first_names_may_be_variants(joining: &Joining, (typo, known): (usize, usize)) -> bool {
    let [mine, mut theirs] = [typo, known].map(|group| -> Vec<&str> {
        let names = joining.members(&joining.groups[group]).flat_map(Spelling::names);
        names.filter_map(|name| name.given.first().map(String::as_str)).collect()
    });
    // An initial fits many names, so it does not decide if a whole name is known.
    if theirs.iter().any(|name| name.len() > 1) {
        theirs.retain(|name| name.len() > 1);
    }
    theirs.is_empty()
        || mine
            .iter()
            .all(|one| theirs.iter().any(|other| may_be_variants_of_first_name(one, other)))
}

/// Whether one given name abbreviates another, or one of them may have a wrong letter.
fn may_be_variants_of_first_name(one: &str, other: &str) -> bool {
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    longer.starts_with(shorter)
        || (are_a_letter_apart(one, other)
            && (shorter.len() == longer.len() || shorter.len() >= LONG_GIVEN_NAME))
}

/// Whether two names differ by a letter that may be wrong.
///
/// A number or a word of one or two letters is none: it distinguishes programs, teams and namesakes
/// (`Löwy, Leopold Jr`).
fn differ_by_a_typo(one: &str, other: &str) -> bool {
    if !are_a_letter_apart(one, other) {
        return false;
    }
    let [mine, theirs] = [one, other].map(|text| text.chars().filter(char::is_ascii_digit));
    if !mine.eq(theirs) {
        return false;
    }
    // The last letter of a single word may be an initial.
    if !one.contains(is_separator)
        && !other.contains(is_separator)
        && one.chars().next_back() != other.chars().next_back()
    {
        return false;
    }
    let [mine, theirs] = [one, other].map(|text| -> String {
        text.split(is_separator).filter(|word| word.len() <= SHORT_WORD).collect()
    });
    mine.is_empty() || theirs.is_empty() || mine == theirs
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
        let opponents: Vec<String> =
            (1..=10).map(|round| format!("{}berg, Otto", char::from(b'A' + round))).collect();
        let field = (1..).zip(&opponents).map(|(round, opponent)| {
            (round, "Ilivitsky, Georgy", opponent.as_str(), GameResult::White)
        });
        let mut table = GameTable::default();
        for (round, white, black, result) in field.chain(further.iter().copied()) {
            let [event, white, black] =
                ["Gothenburg", white, black].map(|text| table.names.intern(text));
            let (date, round) = (PartialDate::of_year(1955), Round::of_number(round));
            table.push(Game { event, white, black, date, round, result, ..Game::default() });
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
        let found = persons(&[(11, "Ilivitskyt Georgy", "Zberg, Otto", GameResult::Draw)]);
        assert!(found.contains(&"Ilivitsky, Georgy = Ilivitskyt Georgy".to_owned()), "{found:?}");
        // In a round in which Ilivitsky has another game, it is another player.
        let found = persons(&[(3, "Ilivitskyt Georgy", "Zberg, Otto", GameResult::Draw)]);
        assert!(found.contains(&"Ilivitskyt Georgy".to_owned()), "{found:?}");
        // Two characters are too many.
        let found = persons(&[(11, "Ilivitskytt Georgy", "Zberg, Otto", GameResult::Draw)]);
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
        let adams = ("Adams,Mi", 2731);
        let mut games = Vec::new();
        for (match_round, opponent) in (1..).zip(["Hamdouchi,H", "Nisipeanu,LD", "Akopian,V"]) {
            games.push((format!("{match_round}.1"), adams, (opponent, 2600)));
            games.push((format!("{match_round}.2"), (opponent, 2600), adams));
        }
        games.push(("4.1".to_owned(), adams, ("Radjabov,T", 2670)));
        games.push(("4.2".to_owned(), ("Radjabov,T", 2670), (name, rating)));
        let mut table = GameTable::default();
        for (round, white, black) in games {
            let event = table.names.intern("KO");
            let [(white, white_elo), (black, black_elo)] =
                [white, black].map(|(text, elo)| (table.names.intern(text), elo));
            let (date, round) = (PartialDate::of_year(2004), Round::parse(&round));
            let game = Game { event, white, black, date, round, white_elo, ..Game::default() };
            table.push(Game { black_elo, result: GameResult::Draw, ..game });
        }
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
