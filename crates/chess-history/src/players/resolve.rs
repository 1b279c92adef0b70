//! Resolves identities: maps spellings of names to players.
//!
//! Spellings are merged in five steps. Each merge records its reason ([`MergeReason`]).
//!
//! 1. A file of aliases assigns spellings to players, and a spelling file assigns others.
//! 2. Names that differ only in case, diacritics, punctuation or titles are merged.
//! 3. Names with compatible given names are merged if no other player can be meant and the two
//!    never met. If another player is possible, rating tags decide.
//! 4. Spellings with the same FIDE number, the same games, or the same place in events are merged.
//! 5. Spellings with similar surnames are merged if they share opponents and their ratings agree.
//!    Obvious typos are merged as well, and names with just the games that a player of the same
//!    event lacks. Finally the spellings of each player in the table of names are merged.
//!
//! Different FIDE numbers prevent a merge. Doubtful pairs stay apart and are recorded, because a
//! false merge corrupts two careers. Players who met over the board are never merged. The result
//! does not depend on the order of the games.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::comparable_names::ComparableNames;
use super::event_numbers::{EventNumbers, GameRows};
use super::joining::Joining;
use super::life::Life;
use super::meetings::Meetings;
use super::merge::{Doubt, Merge, MergeReason};
use super::name::PersonName;
use super::namesakes::{Join, RawDoubt};
use super::naming::{NamedPerson, distinguish_namesakes, fullest};
use super::person::{Player, PlayerId, Players};
use super::same_events::same_events;
use super::same_games::{same_games, same_moves};
use super::same_tables::SameTables;
use super::shared_events::SpelledGames;
use super::similarity::{SurnameSimilarity, similar_surnames};
use super::slug::{Slugs, slug};
use super::spelling::{NEAR_YEARS, NameIndex, Spelling, years_of_group};
use super::spellings::spellings;
use crate::disjoint_sets::DisjointSets;
use crate::games::GameTable;

/// Resolves the names of all games of a table to players.
pub(crate) fn resolve(table: &GameTable, aliases: &Aliases) -> Players {
    let (spellings, mut merges) = spellings(table, aliases);
    let name_index = NameIndex::new(table, &spellings);
    let (similar, same_moves) =
        rayon::join(|| pairs_with_similar_surnames(&spellings), || same_moves(table, &name_index));
    let same_games = same_games(&same_moves, &spellings);
    let names = ComparableNames::new(&spellings);
    let same_tables = SameTables::find(table, &name_index, &names);
    let same_events =
        same_events(table, &spellings, &name_index, &names, &same_moves, &same_tables);
    let clusters = clusters(&spellings, &similar, same_games.keys().chain(same_events.keys()));
    let meetings = Meetings::new(table, &name_index, &spellings, &clusters);
    let mut joining = Joining::new(&spellings, &names, &meetings, &same_games);
    joining.compatible_names();
    joining.numbers_with_fide();
    joining.games_under_both();
    joining.same_places_of_events(&same_events);
    let numbers = EventNumbers::new(table, &same_tables.events);
    let rows = GameRows::new(table, &numbers);
    let games = SpelledGames { table, name_index: &name_index, numbers: &numbers, rows: &rows };
    joining.initials_in_events(games);
    joining.near_spellings(games, &similar);
    joining.typos(games);
    joining.known_persons(aliases.display_names());
    joining.doubt_two_numbers();
    let Joining { groups, joins, doubts, .. } = joining;
    let doubts = describe_doubts(&spellings, &groups, doubts);

    let mut players = Players::default();
    let mut persons: Vec<([String; 2], NamedPerson)> = groups
        .into_par_iter()
        .map(|group| NamedPerson::new(&spellings, group, aliases.display_names()))
        .map(|person| ([slug(&person.name), slug(&person.fullest)], person))
        .collect();
    persons.par_sort_by(|(a, one), (b, two)| (&a[0], &one.fullest).cmp(&(&b[0], &two.fullest)));
    let joins = joins_of_spellings(&spellings, persons.iter().map(|(_, person)| person), &joins);
    let mut slugs = Slugs::default();
    // Namesakes get their slugs from their fullest spellings, if these distinguish them.
    let mut persons: Vec<(String, NamedPerson)> =
        persons.into_iter().map(|(ids, person)| (slugs.take(&ids), person)).collect();
    persons.par_sort_by(|a, b| a.0.cmp(&b.0));
    let games: Vec<u32> = persons
        .iter()
        .map(|(_, person)| person.group.iter().map(|&index| spellings[index].games).sum())
        .collect();
    for (number, (_, person)) in persons.iter().enumerate() {
        let NamedPerson { name, group, fullest, .. } = person;
        for &index in group {
            let spelling = &spellings[index];
            for (text_id, _) in &spelling.texts {
                players.by_name.insert(*text_id, PlayerId(number as u32));
            }
            if spelling.text != *fullest {
                let join = joins.get(&index);
                let reason = join.map_or(MergeReason::Compatible, |join| join.reason);
                let evidence = join.map(|join| join.evidence.clone()).unwrap_or_default();
                merges.push(Merge::new(&spelling.text, name, reason, evidence));
            }
        }
    }
    players.players =
        persons.into_par_iter().map(|(id, person)| player(&spellings, id, person)).collect();
    distinguish_namesakes(&mut players.players, &games);
    merges.sort_by(|a, b| (&a.name, &a.spelling).cmp(&(&b.name, &b.spelling)));
    players.merges = merges;
    players.doubts = doubts;
    players
}

/// Builds a player, with the identifier `id`, from the spellings of a person.
fn player(spellings: &[Spelling], id: String, person: NamedPerson) -> Player {
    let NamedPerson { group, name, surname, fullest, life } = person;
    let members: Vec<&Spelling> = group.iter().map(|&index| &spellings[index]).collect();
    let mut texts: Vec<String> =
        members.iter().flat_map(|one| one.texts.iter().map(|(_, text)| text.clone())).collect();
    texts.sort();
    let mut names: Vec<PersonName> = members.iter().map(|one| one.name.clone()).collect();
    names.extend(texts.iter().map(|text| PersonName::parse(text)));
    names.push(PersonName::parse(&name));
    names.sort();
    names.dedup();
    let ids: BTreeSet<u32> = members.iter().filter_map(|one| one.fide_id()).collect();
    Player {
        id,
        fullest_spelling: fullest,
        name,
        surname,
        surname_with_initials: String::new(),
        spellings: texts,
        also_called: Vec::new(),
        names,
        fide_ids: ids.into_iter().collect(),
        years: years_of_group(spellings, &group),
        life: life.map(|Life { federation, born, died, wikidata, .. }| Life {
            federation,
            born,
            died,
            wikidata,
            ..Life::default()
        }),
    }
}

/// Returns pairs of spellings with similar surnames, compatible given names, and games at most
/// [`NEAR_YEARS`] years apart.
fn pairs_with_similar_surnames(spellings: &[Spelling]) -> Vec<(usize, usize, SurnameSimilarity)> {
    let mut by_surname: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, spelling) in spellings.iter().enumerate() {
        if !spelling.name.given.is_empty() {
            for surname in spelling.surnames() {
                by_surname.entry(surname).or_default().push(index);
            }
        }
    }
    let surnames: Vec<&str> = by_surname.keys().map(String::as_str).collect();
    let members: Vec<&Vec<usize>> = by_surname.values().collect();
    let mut pairs = Vec::new();
    for (one, other, similarity) in similar_surnames(&surnames) {
        for &a in members[one] {
            for &b in members[other] {
                let (x, y) = (&spellings[a], &spellings[b]);
                if x.is_active_with(y, NEAR_YEARS) && x.given_names_agree(y) {
                    pairs.push((a.min(b), a.max(b), similarity));
                }
            }
        }
    }
    pairs.retain(|(a, b, _)| a != b);
    pairs.sort_by_key(|(a, b, _)| (*a, *b));
    pairs.dedup_by_key(|(a, b, _)| (*a, *b));
    pairs
}

/// Divides the spellings into clusters, so that no player has spellings in two clusters.
///
/// A cluster is connected by equal surnames, equal FIDE numbers, and the pairs in `similar` and
/// `others`.
fn clusters<'a>(
    spellings: &[Spelling],
    similar: &[(usize, usize, SurnameSimilarity)],
    others: impl Iterator<Item = &'a (usize, usize)>,
) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::new(spellings.len());
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    let mut same: Vec<(usize, usize)> = Vec::new();
    for (index, spelling) in spellings.iter().enumerate() {
        let home = *first.entry(spelling.name.surname_key()).or_insert(index);
        same.push((home, index));
    }
    let mut first_of_id: FxHashMap<u32, usize> = FxHashMap::default();
    for (index, spelling) in spellings.iter().enumerate() {
        if let Some(id) = spelling.fide_id() {
            same.push((*first_of_id.entry(id).or_insert(index), index));
        }
    }
    same.extend(others);
    for (a, b) in same.into_iter().chain(similar.iter().map(|(a, b, _)| (*a, *b))) {
        sets.join(a, b);
    }
    let mut clusters: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..spellings.len() {
        clusters.entry(sets.find(index)).or_default().push(index);
    }
    clusters.into_values().collect()
}

/// Describes, for readers, the doubts that no later step resolved. Each is described once.
fn describe_doubts(
    spellings: &[Spelling],
    groups: &[Vec<usize>],
    doubts: Vec<RawDoubt>,
) -> Vec<Doubt> {
    let mut home = vec![usize::MAX; spellings.len()];
    for (number, group) in groups.iter().enumerate() {
        for &index in group {
            home[index] = number;
        }
    }
    let mut described: Vec<Doubt> = Vec::new();
    let mut known: FxHashSet<(usize, usize, String)> = FxHashSet::default();
    for RawDoubt { pair: (a, b), why } in doubts {
        let mut sides = [home[a], home[b]].map(|group| (fullest(spellings, &groups[group]), group));
        sides.sort();
        let [(name, one), (other, two)] = sides;
        // Skip pairs that were joined later, and doubts that are already described.
        if (a != b && one == two) || !known.insert((one, two, why.clone())) {
            continue;
        }
        let mut evidence = format!("{why}; {}", describe_games(spellings, &groups[one]));
        if a != b {
            evidence.push_str("; ");
            evidence.push_str(&describe_games(spellings, &groups[two]));
        }
        let texts = groups[two].iter().flat_map(|&index| &spellings[index].texts);
        let texts = texts.map(|(_, text)| text.clone()).collect();
        described.push(Doubt { name, other, spellings: texts, evidence });
    }
    described
        .sort_by(|a, b| (&a.name, &a.other, &a.evidence).cmp(&(&b.name, &b.other, &b.evidence)));
    described
}

/// Describes the games of a group: their number, their years, and the highest rating tag.
fn describe_games(spellings: &[Spelling], group: &[usize]) -> String {
    let (mut games, mut best_rating) = (0, 0);
    let (mut first, mut last) = (i16::MAX, i16::MIN);
    for spelling in group.iter().map(|&index| &spellings[index]) {
        games += spelling.games;
        first = first.min(spelling.first_year);
        last = last.max(spelling.last_year);
        best_rating = best_rating.max(spelling.best_rating());
    }
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    let years = if first > last {
        "unknown years".to_owned()
    } else if first == last {
        format!("{first}")
    } else {
        format!("{first} to {last}")
    };
    let rated =
        if best_rating > 0 { format!(", rated up to {best_rating}") } else { String::new() };
    format!("{games}, {years}{rated}")
}

/// Returns, by spelling, the join that connected it with the fullest spelling of its player.
fn joins_of_spellings<'a, 'p>(
    spellings: &[Spelling],
    persons: impl Iterator<Item = &'p NamedPerson>,
    joins: &'a [Join],
) -> FxHashMap<usize, &'a Join> {
    let fullest: FxHashSet<usize> = persons
        .filter_map(|person| {
            person.group.iter().find(|&&index| spellings[index].text == person.fullest)
        })
        .copied()
        .collect();
    let mut of_spelling = FxHashMap::default();
    for join in joins {
        let [one, other] = &join.sides;
        for (side, opposite) in [(one, other), (other, one)] {
            if opposite.iter().any(|index| fullest.contains(index)) {
                of_spelling.extend(side.iter().map(|index| (*index, join)));
            }
        }
    }
    of_spelling
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
                result: GameResult::Draw,
                ..Game::default()
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
    fn an_initial_joins_the_only_possible_player() {
        assert_eq!(
            persons(&[
                ("A", 1990, "Kasparov, Garry", "Karpov, Anatoly"),
                ("B", 1991, "Kasparov,G", "Karpov,An"),
            ]),
            ["Karpov, Anatoly = Karpov,An", "Kasparov, Garry = Kasparov,G"]
        );
    }

    #[test]
    fn games_of_one_match_may_be_under_two_spellings() {
        // No player meets two opponents in one round.
        for (other, players) in [("Chiburdanidze, M", 2), ("Kosteniuk, A", 4)] {
            let mut table = table(&[
                ("KO", 2004, "Chiburdanidze, M", "Cmilyte, V"),
                ("KO", 2004, other, "Cmilyte, Viktorija"),
            ]);
            for (row, round) in ["4.1", "4.6"].into_iter().enumerate() {
                table.games_mut()[row].round = Round::parse(round);
            }
            assert_eq!(resolve(&table, &Aliases::default()).len(), players, "{other}");
        }
    }

    #[test]
    fn a_given_name_with_a_wrong_letter_is_that_of_the_only_known_player() {
        for (wrong, right, players) in [
            ("Lagrave, Mexime", "Lagrave, Maxime", 1),
            // Another player may have the name with another end.
            ("Fernandez, Maria", "Fernandez, Mario", 2),
            ("Lagrave, Mexime2", "Lagrave, Maxime", 2),
            ("Alexander, Conol Hugh", "Alexander, Conel Hugh", 1),
            ("Alexander, Conol Otto", "Alexander, Conel Hugh", 2),
        ] {
            let mut games = vec![("A", 1999, wrong, "X")];
            games.extend((0..60).map(|_| ("B", 2001, right, "Y")));
            assert_eq!(persons(&games).len() - 2, players, "{wrong}");
        }
    }

    #[test]
    fn two_given_names_a_letter_apart_are_one_players_if_no_other_has_the_surname() {
        let two = [("Dassuj,Anderzej", 2012, 0), ("Dassuj,Andrzej", 2014, 0)];
        assert_eq!(rated(&two).len(), 1);
        assert_eq!(rated(&[two[0], two[1], ("Dassuj,Piotr", 2013, 0)]).len(), 3);
        for (second, players) in [("Howell, Clarance Seaman", 2), ("Howell, Clarance S", 3)] {
            let found = rated(&[
                ("Howell, Clarence Seaman", 1925, 0),
                (second, 1923, 0),
                ("Howell, James", 1990, 0),
            ]);
            assert_eq!(found.len(), players, "{second}");
        }
        assert_eq!(rated(&[("Izzat,Maria", 2012, 0), ("Izzat,Mario", 2014, 0)]).len(), 2);
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
    fn players_who_met_are_never_merged() {
        let found = persons(&[("A", 1924, "Lasker, E", "Lasker, Edward")]);
        assert_eq!(found.len(), 2);
        let found = persons(&[("A", 1994, "Polgar,S", "X"), ("A", 1994, "Polgar, Sofia", "Y")]);
        assert_eq!(found.len(), 4, "they played in one event");
    }

    #[test]
    fn spellings_of_one_name_that_played_each_other_are_two_players() {
        let found = persons(&[("A", 1990, "Müller, Hans", "Mueller,Hans"), ("B", 1991, "X", "Y")]);
        assert_eq!(found, ["Mueller,Hans", "Müller, Hans", "X", "Y"]);
    }

    #[test]
    fn an_ambiguous_initial_goes_to_the_player_with_its_rating() {
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
    fn the_first_bearer_of_a_numbered_name_is_the_one_without_a_number() {
        for (one, other, players) in [
            // One begins where the other ends, and the rating is near.
            (("Kolev, Atanas", 2007, 2502), ("Kolev,At1", 2008, 2553), 1),
            (("Wiersma, Eelke1995", 1999, 2362), ("Wiersma,E", 2000, 2395), 1),
            (("Meenakshi,S", 2007, 2370), ("Meenakshi,S1", 2007, 2293), 1),
            // Another level means another player, and so does a rating where the other has none.
            (("Gonzalez Trigal,JL", 2010, 2002), ("Gonzalez Trigal,J1", 2011, 2149), 2),
            (("Fischer,G1", 2015, 2096), ("Fischer, Gert", 2016, 0), 2),
            // A second bearer is another player, and does not keep the first one apart.
            (("Kolev, Atanas", 2007, 2502), ("Kolev,At2", 2008, 2553), 2),
        ] {
            assert_eq!(rated(&[one, other]).len(), players, "{one:?}");
        }
        let three =
            [("Bonnet, Edouard", 1999, 2147), ("Bonnet,E1", 2001, 2194), ("Bonnet,E2", 2001, 2155)];
        assert_eq!(rated(&three), ["Bonnet,E2", "Bonnet, Edouard = Bonnet,E1"]);
    }

    #[test]
    fn a_later_bearer_is_one_player_under_one_number() {
        let gurevich = [("Gurevich,Mi2", 2013, 1982), ("Gurevich,Mikhail2", 2013, 0)];
        assert_eq!(rated(&gurevich).len(), 1);
        // A number after a single initial may count players of other given names.
        let by_initial = [("Gurevich,M2", 2013, 1982), ("Gurevich,Mikhail2", 2013, 0)];
        assert_eq!(rated(&by_initial).len(), 2);
        let numbers = [("Gurevich,Mi2", 2013, 1982), ("Gurevich,Mikhail3", 2013, 0)];
        assert_eq!(rated(&numbers).len(), 2);
    }

    #[test]
    fn strong_players_of_a_rare_surname_and_one_initial_are_one() {
        let anuar = ("Ismagambetov,Anuar", 2007, 2479);
        assert_eq!(rated(&[("Ismagambetov,A2", 2006, 2420), anuar]).len(), 1);
        // A weaker player, another initial or a third bearer of the surname is another player.
        assert_eq!(rated(&[("Ismagambetov,A2", 2006, 2350), anuar]).len(), 2);
        assert_eq!(rated(&[("Ismagambetov,S2", 2006, 2420), anuar]).len(), 2);
        let third = ("Ismagambetov,Sultan", 2010, 2100);
        assert_eq!(rated(&[("Ismagambetov,A2", 2006, 2420), anuar, third]).len(), 3);
    }

    #[test]
    fn the_ratings_of_one_year_outweigh_those_of_years_before() {
        let mut games = [
            ("Ding,L", 2004, 2231),
            ("Ding,L", 2011, 2643),
            ("Ding, Liren", 2007, 2289),
            ("Ding, Liren", 2011, 2656),
            ("Ding, Linlin", 2001, 2347),
        ];
        assert_eq!(rated(&games), ["Ding, Linlin", "Ding, Liren = Ding,L"]);
        games[1].2 = 2450;
        assert!(rated(&games).contains(&"Ding, Liren".to_owned()));
    }

    #[test]
    fn an_initial_is_not_that_of_a_player_with_other_ratings_in_the_same_years() {
        let mut games = [
            ("Fiorito, Fabian", 1996, 2470),
            ("Fiorito,F", 1999, 2454),
            ("Fiorito,F", 2022, 2362),
            ("Fiorito,Francisco", 2022, 2304),
        ];
        assert_eq!(rated(&games), ["Fiorito, Fabian = Fiorito,F", "Fiorito,Francisco"]);
        games[3].2 = 2350;
        assert_eq!(rated(&games).len(), 3);
    }

    #[test]
    fn an_identical_rating_of_one_year_distinguishes_rated_namesakes() {
        let nikolic = [("Nikolic, S.", 1989, 2320), ("Nikolic, Stanimir", 1989, 2320)];
        // Without ratings, or with the same one, Sava may be meant too.
        for (rating, players) in [(2335, 2), (0, 3), (2320, 3)] {
            let sava = [1986, 1987, 1988].map(|year| ("Nikolic, Sava N", year, rating));
            assert_eq!(rated(&[&nikolic[..], &sava].concat()).len(), players, "{rating}");
        }
    }

    #[test]
    fn an_initial_is_rather_a_player_with_its_ratings_than_one_of_one_game() {
        let kagramanov = [
            ("Kagramanov,D", 2007, 2108),
            ("Kagramanov,Di", 2009, 2093),
            ("Kagramanov,Dalia", 2006, 0),
        ];
        assert_eq!(rated(&kagramanov).len(), 2);
        let known = [2004, 2005].map(|year| ("Kagramanov,Dalia", year, 0));
        assert_eq!(rated(&[&kagramanov[..], &known].concat()).len(), 3);
    }

    #[test]
    fn an_initial_is_not_that_of_a_player_who_was_far_better_before() {
        for (before, after, players) in [
            ((1992, 2785), (2002, 2153), 2),
            ((1992, 2785), (2002, 2653), 1),
            // A hundred points are seldom lost in a year, and often gained.
            ((1996, 2415), (1997, 2260), 2),
            ((1996, 2260), (1997, 2415), 1),
        ] {
            let games = [("Fischer,R", after.0, after.1), ("Fischer, Robert", before.0, before.1)];
            assert_eq!(rated(&games).len(), players, "{games:?}");
        }
    }

    #[test]
    fn all_initials_and_the_rating_show_which_player_is_meant() {
        for (rating, players) in [(2310, 2), (2210, 3)] {
            let found = rated(&[
                ("Gonzales, JA.", 1990, rating),
                ("Gonzales, Jorge A", 1991, 2320),
                ("Gonzales, Julio", 1992, 0),
            ]);
            assert_eq!(found.len(), players, "{rating}");
        }
    }

    #[test]
    fn a_country_after_an_initial_is_not_a_second_given_name() {
        let bykhovsky = [
            ("Bykhovsky, Anatoly A", 1999, 2415),
            ("Bykhovsky,An", 2000, 2409),
            ("Bykhovsky,An RUS", 2002, 2378),
        ];
        assert_eq!(rated(&bykhovsky).len(), 1);
        let countries = [("Fernandez,D USA", 2005, 2406), ("Fernandez,D ESP", 2006, 2410)];
        assert_eq!(rated(&countries).len(), 2);
    }

    #[test]
    fn one_deviating_header_in_an_event_does_not_split_a_career() {
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
    fn all_games_of_a_match_have_the_same_opponent() {
        // Two games may be of two players against one.
        for (games, players) in [(4, 2), (2, 3)] {
            let mut table = table(&vec![("WCh", 2012, "Gelfand,Bo", "Anand,V"); games]);
            table.games_mut()[0].white = table.names.intern("Gelfand, Boris");
            for (round, game) in (1..).zip(table.games_mut()) {
                game.round = Round::of_number(round);
            }
            assert_eq!(resolve(&table, &Aliases::default()).len(), players, "{games} games");
        }
    }

    #[test]
    fn a_number_of_several_games_outweighs_one_header() {
        for (games, players) in [(3, 3), (2, 4)] {
            let mut rows = vec![("KO", 2001, "Adams,Mi", "Xu,A"), ("KO", 2001, "Adams, M", "Yu,B")];
            rows.extend((1..games).map(|_| ("A", 2002, "Adams,Mi", "Xu,A")));
            rows.extend((1..games).map(|_| ("B", 2003, "Adams, M", "Yu,B")));
            let mut table = table(&rows);
            for game in table.games_mut().iter_mut() {
                game.white_fide_id = 400_041;
            }
            for game in table.games_mut().iter_mut().take(2) {
                game.round = Round::parse("1");
            }
            assert_eq!(resolve(&table, &Aliases::default()).len(), players, "{games} games");
        }
    }

    #[test]
    fn a_name_without_a_comma_is_the_name_with_one() {
        assert_eq!(
            persons(&[("A", 2009, "Wang, Hao", "X"), ("B", 2010, "Wang Hao", "Deep Blue")]),
            ["Deep Blue", "Wang Hao = Wang, Hao", "X"]
        );
    }

    #[test]
    fn placeholders_and_teams_are_not_players() {
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
    fn players_correspond_to_fide_numbers() {
        let mut games = table(&[
            ("A", 2010, "Cmilyte, Viktorija", "X"),
            ("B", 2015, "Cmilyte-Nielsen, Viktorija", "X"),
            ("C", 2015, "Wang, Yi", "X"),
            ("D", 2015, "Wang,Y", "X"),
        ]);
        for (game, id) in games.games_mut().iter_mut().zip([12_800_023, 12_800_023, 1, 2]) {
            game.white_fide_id = id;
        }
        let players = resolve(&games, &Aliases::default());
        let found: Vec<String> =
            players.iter().map(|(_, player)| player.spellings.join(" = ")).collect();
        assert_eq!(
            found,
            ["Cmilyte, Viktorija = Cmilyte-Nielsen, Viktorija", "Wang,Y", "Wang, Yi", "X"]
        );
        let reason = players.merges.iter().map(|merge| merge.reason).next();
        assert_eq!(reason, Some(MergeReason::FideId));
    }

    #[test]
    fn the_same_games_under_two_spellings_are_one_players() {
        let mut games = table(&[
            ("London", 1922, "Bogoljubow, Efim", "Lasker, Edward"),
            ("London it", 1922, "Bogoljubov, E", "Lasker, Ed"),
            ("Other", 1923, "Lasker, Emanuel", "X"),
        ]);
        for game in games.games_mut().iter_mut().take(2) {
            (game.plies, game.fingerprint) = (60, 7);
        }
        let players = resolve(&games, &Aliases::default());
        let found: Vec<String> =
            players.iter().map(|(_, player)| player.spellings.join(" = ")).collect();
        assert_eq!(
            found,
            [
                "Bogoljubov, E = Bogoljubow, Efim",
                "Lasker, Ed = Lasker, Edward",
                "Lasker, Emanuel",
                "X"
            ]
        );
    }

    #[test]
    fn a_copy_of_a_game_that_is_cut_short_does_not_make_two_players() {
        // Another game against one opponent shows another player.
        for (trace, players) in [(0x0102_0304_0506_0709, 3), (0x2122_2324_2526_2728, 5)] {
            let mut table = table(&[
                ("Amsterdam", 1889, "Lasker, Emanuel", "Bauer, JH."),
                ("Amsterdam", 1889, "Lasker, Emanuel", "Bauer, Johann"),
                ("Amsterdam", 1889, "Loman, Rudolf", "Bauer, Johann"),
                ("Breslau", 1889, "Lasker, Emanuel", "Bauer, J."),
            ]);
            let moves = [
                (65, 0x0102_0304_0506_0708),
                (75, trace),
                (60, 0x1112_1314_1516_1718),
                (60, 0x3132_3334_3536_3738),
            ];
            for (game, (plies, trace)) in table.games_mut().iter_mut().zip(moves) {
                (game.plies, game.trace) = (plies, trace);
                game.fingerprint = trace;
            }
            assert_eq!(resolve(&table, &Aliases::default()).len(), players, "{trace:x}");
        }
    }

    #[test]
    fn near_spellings_need_opponents_in_common() {
        let rivals = ["Geller, Efim", "Tal, Mihail", "Keres, Paul", "Stein, Leonid"];
        for (one, other, players) in [
            ("Korchnoi, Viktor", "Kortschnoj, Viktor", 5),
            // The name of another family is not another spelling, even with the same opponents.
            ("Hansen, L", "Hanson, L", 6),
        ] {
            let games = [
                rivals.map(|rival| ("A", 1960, one, rival)),
                rivals.map(|rival| ("B", 1960, other, rival)),
            ];
            assert_eq!(persons(&games.concat()).len(), players, "{one}");
        }
        // A surname that differs in transliteration only, and few bear, needs none.
        assert_eq!(
            persons(&[
                ("A", 1960, "Korchnoi, Viktor", "X"),
                ("B", 1960, "Kortschnoj, Viktor", "Y")
            ])
            .len(),
            3
        );
        // One or two games would be enough for a rare name.
        let apart =
            [[("A", 1960, "Kontic, Vladimir", "X"); 3], [("B", 1960, "Kostic, Vladimir", "Y"); 3]]
                .concat();
        assert_eq!(persons(&apart).len(), 4);
        let doubts = resolve(&table(&apart), &Aliases::default()).doubts;
        assert_eq!(doubts.len(), 1);
        assert!(doubts[0].evidence.starts_with("similar surnames"), "{doubts:?}");
    }

    #[test]
    fn a_fide_number_of_both_players_of_a_game_is_ignored() {
        let mut games = table(&[
            ("A", 2013, "Carlsen, Magnus", "Anand, Viswanathan"),
            ("B", 2014, "Carlsen, Magnus", "Anand, Viswanathan"),
        ]);
        let first = &mut games.games_mut()[0];
        (first.white_fide_id, first.black_fide_id) = (1_503_014, 1_503_014);
        assert_eq!(resolve(&games, &Aliases::default()).len(), 2);
        // A number that the opponent has in another game joins no players either.
        for (game, (white, black)) in games.games_mut().iter_mut().zip([(7, 8), (8, 9)]) {
            (game.white_fide_id, game.black_fide_id) = (white, black);
        }
        assert_eq!(resolve(&games, &Aliases::default()).len(), 2);
    }

    #[test]
    fn an_initial_does_not_join_players_with_different_fide_numbers() {
        let mut games = table(&[
            ("A", 2010, "Ivanov,A", "X"),
            ("B", 2010, "Ivanov, Alex", "Y"),
            ("C", 2010, "Ivanov, Alexander", "Z"),
        ]);
        for (game, (id, elo)) in games.games_mut().iter_mut().zip([(0, 0), (11, 2600), (22, 2100)])
        {
            (game.white_fide_id, game.white_elo) = (id, elo);
        }
        assert_eq!(resolve(&games, &Aliases::default()).len(), 6);
    }

    #[test]
    fn an_opponent_of_one_candidate_is_still_a_candidate_for_the_other() {
        let found = persons(&[
            ("A", 1990, "Polgar,S", "X"),
            ("A", 1990, "Polgar, Su", "Y"),
            ("B", 1990, "Polgar, Susan", "Z"),
        ]);
        assert_eq!(found, ["Polgar,S", "Polgar, Su", "Polgar, Susan", "X", "Y", "Z"]);
    }

    /// Resolves games of one surname, each with a year and a rating tag; returns the spellings of
    /// each player.
    fn rated(games: &[(&str, u16, u16)]) -> Vec<String> {
        let players = of_one_surname(games);
        players.iter().map(|player| player.spellings.join(" = ")).collect()
    }

    /// Resolves games of one surname; returns the display name of each player.
    fn display_names(games: &[(&str, u16, u16)]) -> Vec<String> {
        of_one_surname(games).into_iter().map(|player| player.name).collect()
    }

    /// Resolves games of one surname, each in another event against one opponent; returns the
    /// players.
    fn of_one_surname(games: &[(&str, u16, u16)]) -> Vec<Player> {
        let rows: Vec<(String, u16)> =
            games.iter().map(|(name, year, _)| (format!("E{year}{name}"), *year)).collect();
        let rows: Vec<(&str, u16, &str, &str)> = rows
            .iter()
            .zip(games)
            .map(|((event, year), (name, ..))| (event.as_str(), *year, *name, "X"))
            .collect();
        let mut table = table(&rows);
        for (game, (.., elo)) in table.games_mut().iter_mut().zip(games) {
            game.white_elo = *elo;
        }
        let players = resolve(&table, &Aliases::default());
        let players = players.iter().map(|(_, player)| player.clone());
        players.filter(|player| player.name != "X").collect()
    }

    #[test]
    fn spellings_that_exclude_all_others_are_one_player() {
        let mut games = vec![
            ("Potapov, Alexander", 1999, 2468),
            ("Potapov,A", 2000, 2483),
            ("Potapov,A1", 2002, 2515),
            ("Potapov,Alexa1", 2005, 2530),
            ("Potapov,P", 2005, 2440),
        ];
        assert_eq!(
            rated(&games),
            ["Potapov, Alexander = Potapov,A = Potapov,A1 = Potapov,Alexa1", "Potapov,P"]
        );
        // With another candidate, the initial is ambiguous.
        games.push(("Potapov, Andrey", 2001, 2490));
        assert_eq!(rated(&games).len(), 6);
    }

    #[test]
    fn a_name_continues_another_if_no_other_player_can_be_meant() {
        let mut games = vec![
            ("Kolev, Atanas I", 2006, 2580),
            ("Kolev,At1", 2008, 2570),
            ("Kolev,A", 2008, 0),
            ("Kolev, Asen", 2008, 2100),
        ];
        assert_eq!(rated(&games), ["Kolev,A", "Kolev, Asen", "Kolev, Atanas I = Kolev,At1"]);
        // With a third candidate, the continuation is ambiguous.
        games.push(("Kolev, Atila", 2007, 2560));
        assert_eq!(rated(&games).len(), 5);
        games.pop();
        // A leap in the rating means another player.
        games[0].2 = 2400;
        assert_eq!(rated(&games).len(), 4);
    }

    #[test]
    fn a_new_transliteration_with_a_continuous_rating_is_the_same_player() {
        let games = [("Kakabaev,Mergen", 2017, 2348), ("Kakabayev,Mergen", 2018, 2330)];
        assert_eq!(rated(&games), ["Kakabaev,Mergen = Kakabayev,Mergen"]);
        let other = [2016, 2018, 2019].map(|year| ("Kakabayev,Mergen", year, 2330));
        let at_once = [&[games[0]; 3][..], &other].concat();
        assert_eq!(rated(&at_once).len(), 2);
        // If other players have the surname, a different letter is not a typo.
        let common = [games[0], games[1], ("Kakabayev,Azat", 2018, 2200)];
        assert_eq!(rated(&common).len(), 3);
    }

    #[test]
    fn transliterations_of_a_rare_surname_with_one_given_name_are_one_players() {
        for (one, other, players) in [
            (("Friedman, Henryk", 1936, 0), ("Friedmann, Henryk", 1935, 0), 1),
            (("Ibragimov, Rasul", 1996, 0), ("Ibrahimov, Rasul", 1997, 2300), 1),
            (("Arkhangelsky, Ivan", 1993, 2310), ("Archangelsky, Ivan", 1994, 2290), 1),
            // Another level, another time, or another letter may mean another player.
            (("Bischof, Klaus", 1999, 2250), ("Bischoff, Klaus", 1999, 2520), 2),
            (("Friedman, Henryk", 1936, 0), ("Friedmann, Henryk", 1955, 0), 2),
            (("Garayev, Kanan", 2018, 2300), ("Karayev, Kanan", 2016, 2216), 2),
        ] {
            assert_eq!(rated(&[one, other]).len(), players, "{one:?}");
        }
        // A common surname has many bearers of a given name.
        let given = ["Adolf", "Bernd", "Carl", "Dieter", "Ernst", "Franz", "Georg", "Hans", "Ida"];
        let others: Vec<String> = given.iter().map(|given| format!("Hoffmann, {given}")).collect();
        let mut games = [
            [1990, 1991, 1992].map(|year| ("Hofmann, Michael", year, 0)),
            [1991, 1992, 1993].map(|year| ("Hoffmann, Michael", year, 0)),
        ]
        .concat();
        assert_eq!(rated(&games).len(), 1);
        games.extend(others.iter().map(|name| (name.as_str(), 1990, 0)));
        assert_eq!(rated(&games).len(), 11);
    }

    #[test]
    fn a_player_has_the_name_in_full_unless_it_is_a_typo() {
        for (full, games, shown) in
            [("Lahno, Kateryna", 2, "Lahno, Kateryna"), ("Lahno, Katerin", 1, "Lahno, Kateri")]
        {
            let short = (2001..2051).map(|year| ("Lahno,Kateri", year, 2400));
            let full = (2001..2001 + games).map(|year| (full, year, 2400));
            let games: Vec<(&str, u16, u16)> = short.chain(full).collect();
            assert_eq!(display_names(&games), [shown]);
        }
    }

    #[test]
    fn games_without_an_event_name_do_not_show_who_met() {
        let found = persons(&[
            ("?", 1990, "Kasparov, Garry", "X"),
            ("?", 1990, "Kasparov,G", "Y"),
            ("", 1990, "Karpov, Anatoly", "X"),
            ("", 1990, "Karpov,A", "Y"),
        ]);
        assert_eq!(found.len(), 4, "{found:?}");
    }

    #[test]
    fn the_order_of_rating_tags_does_not_matter() {
        let names = ["Lee, Alan", "Lee,A", "Lee, Andy"];
        let rows: Vec<(&str, u16, &str, &str)> = names
            .iter()
            .flat_map(|name| [(*name, "X"), (*name, "Y")])
            .zip(["A", "B", "C", "D", "E", "F"])
            .map(|((white, black), event)| (event, 1999, white, black))
            .collect();
        let [forward, backward] = [[2395, 2405], [2405, 2395]].map(|[first, second]| {
            let mut games = table(&rows);
            let tags = [first, second, first, second, 2300, 2310];
            for (game, elo) in games.games_mut().iter_mut().zip(tags) {
                game.white_elo = elo;
            }
            resolve(&games, &Aliases::default()).len()
        });
        assert_eq!(forward, backward);
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
