//! Resolves identities: maps spellings of names to players.
//!
//! Spellings are merged in four steps. Each merge records its reason ([`MergeReason`]).
//!
//! 1. A file of aliases assigns spellings to players, and a spelling file assigns others.
//! 2. Names that differ only in case, diacritics, punctuation or titles are merged.
//! 3. Spellings with one FIDE number in several games are merged, and the spellings of each player
//!    in the table of names.
//! 4. All evidence about each pair of similar names is added up, and the most likely pairs are
//!    merged (`link.rs`).
//!
//! Different FIDE numbers prevent a merge. Doubtful pairs stay apart and are recorded, because a
//! false merge corrupts two careers. Players who met over the board are never merged. The result
//! does not depend on the order of the games.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::cluster::LinkInput;
use super::divided_initials::DividedInitial;
use super::event_numbers::{EventNumbers, GameRows};
use super::joining::{Join, Joining, RawDoubt};
use super::merge::{Doubt, Merge, MergeReason};
use super::name::PersonName;
use super::naming::{NamedPerson, distinguish_namesakes, fullest};
use super::person::{Player, PlayerId, Players};
use super::same_games::same_moves;
use super::slug::{Slugs, slug};
use super::spelling::{NameIndex, Spelling, years_of_group};
use super::spellings::spellings;
use crate::games::GameTable;

/// Resolves the names of all games of a table to players.
pub(crate) fn resolve(table: &GameTable, aliases: &Aliases) -> Players {
    let (spellings, mut merges) = spellings(table, aliases);
    let name_index = NameIndex::new(table, &spellings);
    let mut joining = Joining::new(table, &name_index, &spellings);
    joining.numbers_with_fide();
    joining.known_persons(aliases.display_names());
    let input = LinkInput {
        table,
        spellings: &spellings,
        name_index: &name_index,
        numbers: &EventNumbers::new(table),
        rows: &GameRows::new(table),
        same_moves: &same_moves(table, &name_index),
    };
    joining.weighed(&input, aliases.display_names(), aliases.explained.as_deref());
    joining.doubt_two_numbers();
    let Joining { groups, joins, doubts, weighed, divided, .. } = joining;
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
                let reason = join.map_or(MergeReason::Weighed, |join| join.reason);
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
    players.weighed = weighed;
    for DividedInitial { spelling, event, home } in divided {
        let texts = |spelling: u32| spellings[spelling as usize].texts.iter().map(|text| text.0);
        let player = texts(home).find_map(|name| players.of_name(name));
        let Some(player) = player else { continue };
        players.divided.extend(texts(spelling).map(|name| (name, event, player)));
    }
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
        life,
    }
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
        best_rating = best_rating.max(spelling.best_rating);
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
    }

    #[test]
    fn spellings_of_one_name_that_played_each_other_are_two_players() {
        let found = persons(&[("A", 1990, "Müller, Hans", "Mueller,Hans"), ("B", 1991, "X", "Y")]);
        assert_eq!(found, ["Mueller,Hans", "Müller, Hans", "X", "Y"]);
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
    fn an_initial_is_not_that_of_a_player_who_was_far_better_before() {
        for (before, after, players) in [
            ((1992, 2785), (2002, 2153), 2),
            ((1992, 2785), (2002, 2653), 1),
            // A hundred points are seldom lost in a year.
            ((1996, 2415), (1997, 2260), 2),
        ] {
            let games = [("Fischer,R", after.0, after.1), ("Fischer, Robert", before.0, before.1)];
            assert_eq!(rated(&games).len(), players, "{games:?}");
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
        for (full, players) in [("Gelfand, Boris", 2), ("Gelfand, Arik", 3)] {
            let mut table = table(&[("WCh", 2012, "Gelfand,Bo", "Anand,V"); 4]);
            table.games_mut()[0].white = table.names.intern(full);
            for (round, game) in (1..).zip(table.games_mut()) {
                game.round = Round::of_number(round);
            }
            assert_eq!(resolve(&table, &Aliases::default()).len(), players, "{full}");
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
