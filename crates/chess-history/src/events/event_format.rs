//! Recognises from the pairing table what kind of competition an event is.

use super::paired_by_lot::is_paired_by_lot;
use super::pairing_table::{PairCounts, Pairing, TableRounds};
use super::recognised::{Circumstances, Recognised};
use crate::tournament::Kind;

/// The share of all pairs that must have met for a round robin with gaps.
///
/// Judged: more than in a small Swiss (ten players in five rounds: 25 of 45 pairs). With 0.3, most
/// Swisses of small fields would be round robins; near 1, a round robin with gaps would be none.
pub(super) const ROUND_ROBIN_PAIRS: f64 = 0.6;

/// At most one in `LEAVERS` players of a field leaves. If more players have few games, games are
/// missing.
///
/// Judged: with 2, many players of an open with gaps would have left it, and the rest would look
/// complete; with 10, the one who left a field of nine would lack games.
pub(super) const LEAVERS: usize = 5;

/// The share of games in which one player takes part in a table that is an extract of that player's
/// games.
///
/// Judged: with 0.4, a round robin of four players would be an extract, because each of them plays
/// three of six games; near 1, an extract with a few other games would be an event.
const OWN_GAMES: f64 = 0.8;

/// The first year of Swiss pairing, which came into use in the 1930s.
///
/// An earlier regular table of only some rounds is a round robin that was broken off. The first
/// Swiss, Zürich 1895, had no successor for a generation.
pub(super) const FIRST_SWISS: i16 = 1930;

/// In a field of at most this size, a table with most rounds of a round robin is a round robin with
/// gaps.
///
/// Judged: Swisses seldom have so few players and so many rounds. With 7, a round robin of ten
/// players without its last rounds could be a Swiss; with 28, a Swiss of 16 players in ten rounds
/// would be a round robin with gaps.
const SMALL_FIELD: usize = 14;

/// Recognises the kind from pairs of player indices, one pair for each game.
pub fn recognise_pairs(players: usize, pairs: &[(usize, usize)]) -> Recognised {
    let pairings: Vec<Pairing> =
        pairs.iter().map(|&(white, black)| Pairing::new(white, black)).collect();
    recognise(players, &pairings, Circumstances::default())
}

/// Below this coverage a table does not show what an event was.
///
/// Judged: with 0.15, a chance structure of a few games would name the kind; with 0.6, round robins
/// that lack half of their games would be fragments.
const RECOGNISABLE: f64 = 0.3;

/// Recognises the kind from the pairings, in playing order.
pub fn recognise(players: usize, pairings: &[Pairing], about: Circumstances) -> Recognised {
    let mut found = recognise_structure(players, pairings, about);
    if found.kind.is_round_robin() || found.kind == Kind::Scheveningen {
        found.compare_field(players, pairings, about);
    }
    if found.kind != Kind::Match && found.coverage() < RECOGNISABLE {
        found.kind = Kind::Fragment;
    }
    if found.kind == Kind::Fragment {
        found.expect_rounds_only(players, pairings, about);
    }
    found.compare_with_tags(about);
    found
}

fn recognise_structure(players: usize, pairings: &[Pairing], about: Circumstances) -> Recognised {
    let table = PairCounts::new(players, pairings);
    if table.active.len() <= 2 {
        return table.match_of_two(pairings, about);
    }
    if about.is_cycle {
        return table.knock_out(pairings);
    }
    let rounds = TableRounds::from_pairings(players, pairings);
    let rounds = rounds.as_ref();
    if table.active.len() > 3 && table.is_of_one_player() {
        return Recognised::from_single_meetings(Kind::Fragment, &table, rounds);
    }
    // This precedes round robins, because two complete teams would pass as one that was broken off.
    let mut scheveningen = table.scheveningen(rounds);
    let is_stated = |kind| about.form == Some(kind);
    if let Some(scheveningen) =
        scheveningen.take_if(|found| found.coverage() >= 0.9 || is_stated(Kind::Scheveningen))
    {
        return scheveningen;
    }
    let round_robin = table.round_robin(pairings, rounds, about);
    if let Some(round_robin) = &round_robin
        && round_robin.missing.is_empty()
    {
        return round_robin.clone();
    }
    if table.is_knock_out(pairings, is_stated(Kind::KnockOut)) {
        return table.knock_out(pairings);
    }
    if let Some(scheveningen) = scheveningen {
        return scheveningen;
    }
    // Half of all pairs meet in a round robin without its last rounds, and in a small Swiss.
    let may_be_part = 2 * table.met.len() >= table.pairs();
    let is_no_swiss = || {
        may_be_part
            && !is_stated(Kind::Swiss)
            && (is_stated(Kind::RoundRobin) || is_paired_by_lot(players, pairings))
    };
    let swiss = table.swiss(rounds, about).filter(|_| !is_no_swiss());
    match (round_robin, swiss) {
        (_, Some(swiss)) if is_stated(Kind::Swiss) => swiss,
        (Some(round_robin), Some(swiss)) => {
            let few = table.active.len() <= SMALL_FIELD
                && table.met.len() as f64 >= ROUND_ROBIN_PAIRS * table.pairs() as f64;
            let is_regular = swiss.coverage() >= 0.95 && rounds.is_some();
            if is_regular && !few { swiss } else { round_robin }
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => {
            let met = table.met.len() as f64 / table.pairs() as f64;
            let kind = if met < ROUND_ROBIN_PAIRS { Kind::Fragment } else { Kind::Other };
            Recognised::from_single_meetings(kind, &table, rounds)
        }
    }
}

impl PairCounts {
    /// Returns whether nearly all games are those of one player. Such a table is an extract and not
    /// an event.
    fn is_of_one_player(&self) -> bool {
        let most = self.games.iter().copied().max().unwrap_or(0);
        most as f64 >= OWN_GAMES * self.total() as f64
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;
    use crate::events::{EndEvidence, MatchLength, MissingGame};

    /// The pairs of a complete round robin with `cycles` cycles.
    fn all_against_all(players: usize, cycles: usize) -> Vec<(usize, usize)> {
        let mut games = Vec::new();
        for cycle in 0..cycles {
            for a in 0..players {
                for b in 0..a {
                    games.push(if (a + b + cycle) % 2 == 0 { (a, b) } else { (b, a) });
                }
            }
        }
        games
    }

    /// The rounds of a round robin of an even field, paired by the circle method.
    fn rounds_of_circle(players: usize) -> Vec<Pairing> {
        let mut games = Vec::new();
        for round in 0..players - 1 {
            let mut seats = vec![players - 1];
            seats.extend((0..players - 1).map(|seat| (round + seat) % (players - 1)));
            for seat in 0..players / 2 {
                let (white, black) = (seats[seat], seats[players - 1 - seat]);
                games.push(in_round(round as u16 + 1, white, black));
            }
        }
        games
    }

    /// The rounds of several cycles, of which every second one has the colours reversed.
    fn cycles_of_circle(players: usize, cycles: u16) -> Vec<Pairing> {
        let mut games = Vec::new();
        for cycle in 0..cycles {
            for game in rounds_of_circle(players) {
                let round = game.round.map(|round| round + cycle * (players as u16 - 1));
                let (white, black) = (game.white, game.black);
                let (white, black) = if cycle % 2 == 0 { (white, black) } else { (black, white) };
                games.push(Pairing { round, ..Pairing::new(white, black) });
            }
        }
        games
    }

    /// Rounds of a Swiss of twenty players.
    fn rounds_of_swiss(rounds: RangeInclusive<u16>) -> Vec<Pairing> {
        let mut games = Vec::new();
        for round in rounds {
            for white in 0..10 {
                games.push(in_round(round, white, 10 + (white + usize::from(round)) % 10));
            }
        }
        games
    }

    fn in_round(round: u16, white: usize, black: usize) -> Pairing {
        Pairing { round: Some(round), ..Pairing::new(white, black) }
    }

    /// The games of a match, by their rounds.
    fn match_in_rounds(rounds: &[Option<u16>]) -> Vec<Pairing> {
        rounds.iter().map(|round| Pairing { round: *round, ..Pairing::new(0, 1) }).collect()
    }

    /// The games of a match in rounds 1, 2, 3, ..., by White's scores.
    fn match_with_scores(scores: &[f64]) -> Vec<Pairing> {
        let mut games = Vec::new();
        for (round, score) in (1..).zip(scores) {
            games.push(Pairing { white_score: Some(*score), ..in_round(round, 0, 1) });
        }
        games
    }

    fn in_rounds(games: &[(u16, usize, usize)]) -> Vec<Pairing> {
        games.iter().map(|&(round, white, black)| in_round(round, white, black)).collect()
    }

    fn in_year(year: i16) -> Circumstances {
        Circumstances { year: Some(year), ..Circumstances::default() }
    }

    #[test]
    fn round_robins_are_recognised_with_their_cycles() {
        for (cycles, kind) in
            [(1, Kind::RoundRobin), (2, Kind::DoubleRoundRobin), (4, Kind::MultipleRoundRobin)]
        {
            let found = recognise_pairs(6, &all_against_all(6, cycles));
            assert_eq!(found.kind, kind);
            assert_eq!((found.placed_games, found.expected_games), (15 * cycles, 15 * cycles));
            assert_eq!(found.coverage(), 1.0);
        }
    }

    #[test]
    fn a_missing_game_is_listed_and_a_replay_does_not_replace_it() {
        let mut games = all_against_all(6, 1);
        let (a, b) = games.pop().expect("there are games");
        games.push(games[0]);
        let found = recognise_pairs(6, &games);
        assert_eq!((found.placed_games, found.expected_games), (14, 15));
        assert_eq!(found.missing, [MissingGame::of_pair(a.min(b), a.max(b), 1)]);
    }

    #[test]
    fn more_copied_pairs_than_pairs_with_three_games_show_no_cycle() {
        let mut games = all_against_all(6, 1);
        games.extend([games[0], games[0], games[3], games[7]]);
        let drawn =
            |(white, black)| Pairing { white_score: Some(0.5), ..Pairing::new(white, black) };
        let games: Vec<Pairing> = games.into_iter().map(drawn).collect();
        let found = recognise(6, &games, in_year(1990));
        assert_eq!((found.kind, found.cycles), (Kind::RoundRobin, 1));
    }

    #[test]
    fn the_table_is_complete_without_one_withdrawn_player_but_not_without_many() {
        let mut games = all_against_all(8, 2);
        games.extend([(8, 0), (1, 8), (8, 2)]);
        let found = recognise_pairs(9, &games);
        assert_eq!((found.kind, &found.withdrawn[..]), (Kind::DoubleRoundRobin, &[8][..]));
        assert_eq!((found.expected_games, found.coverage()), (56, 1.0));
        // Part of an open: four players who met each other, and two games of each of eight others.
        let mut part = all_against_all(4, 1);
        part.extend((4..12).flat_map(|other| [(other, other % 4), ((other + 1) % 4, other)]));
        let found = recognise_pairs(12, &part);
        assert!(found.withdrawn.is_empty() && found.coverage() < 0.9, "{found:?}");
    }

    #[test]
    fn a_player_who_leaves_after_some_cycles_lacks_no_games() {
        // Eight players in four cycles, one of whom left after three: Curaçao 1962.
        let mut games = all_against_all(8, 3);
        games.extend(all_against_all(7, 1));
        let found = recognise_pairs(8, &games);
        assert_eq!((found.kind, found.cycles), (Kind::MultipleRoundRobin, 4));
        assert_eq!((found.expected_games, found.coverage()), (105, 1.0));
        assert!(!found.notes.is_empty());
    }

    #[test]
    fn a_tournament_that_was_broken_off_is_complete_up_to_its_end() {
        // Eleven rounds of eighteen players: Mannheim 1914.
        let mut games = rounds_of_circle(18);
        games.retain(|game| game.round.is_some_and(|round| round <= 11));
        let found = recognise(18, &games, in_year(1914));
        assert_eq!((found.kind, found.expected_games), (Kind::RoundRobin, 99));
        assert_eq!(found.coverage(), 1.0);
        // A source without the last rounds looks the same.
        assert!(!found.is_certain);
        // Today the same table is a Swiss.
        assert_eq!(recognise(18, &games, in_year(2014)).kind, Kind::Swiss);
    }

    #[test]
    fn two_players_without_their_last_game_lack_it_and_have_not_left() {
        let mut games = rounds_of_circle(10);
        games.pop();
        let found = recognise(10, &games, in_year(2021));
        assert_eq!((found.expected_games, found.placed_games), (45, 44));
    }

    #[test]
    fn a_player_who_leaves_after_two_games_is_outside_the_table_even_if_another_game_is_missing() {
        // Gagra 1953: eleven players began, one left after two games, and one game of the others is
        // missing.
        let mut games = all_against_all(10, 1);
        games.pop();
        games.extend([(10, 0), (10, 1)]);
        let found = recognise_pairs(11, &games);
        assert_eq!((found.expected_games, found.placed_games), (45, 44));
        assert_eq!(found.withdrawn, [10]);
    }

    #[test]
    fn a_player_with_few_games_may_also_lack_games_unless_rounds_show_an_early_end() {
        // Altona 1869 without its last games: one of five is left of one player.
        let mut games = all_against_all(5, 1);
        games.push((5, 0));
        let found = recognise_pairs(6, &games);
        assert_eq!((&found.withdrawn[..], found.end), (&[5][..], EndEvidence::Usual));
        let mut games = rounds_of_circle(6);
        games.retain(|game| ![game.white, game.black].contains(&5) || game.round <= Some(2));
        let found = recognise(6, &games, in_year(1950));
        assert_eq!((&found.withdrawn[..], found.end), (&[5][..], EndEvidence::Shown));
        // In a large table without gaps the games of one player are not missing by chance.
        let mut games = all_against_all(8, 1);
        games.push((8, 0));
        let found = recognise_pairs(9, &games);
        assert_eq!((&found.withdrawn[..], found.end), (&[8][..], EndEvidence::Shown));
    }

    #[test]
    fn three_cycles_with_gaps_may_have_been_four_unless_rounds_show_their_end() {
        let games = all_against_all(4, 3);
        assert_eq!(recognise_pairs(4, &games).end, EndEvidence::Shown);
        assert_eq!(recognise_pairs(4, &games[..17]).end, EndEvidence::Usual);
        let two_cycles = all_against_all(4, 2);
        let found = recognise_pairs(4, &two_cycles[..11]);
        assert_eq!(found.end, EndEvidence::Shown, "two are usual");
        let cycles = cycles_of_circle(6, 3);
        // A game of the middle is missing; then the last three rounds.
        let without_one = [&cycles[..20], &cycles[21..]].concat();
        assert_eq!(recognise(6, &without_one, in_year(1950)).end, EndEvidence::Shown);
        assert_eq!(recognise(6, &cycles[..36], in_year(1950)).end, EndEvidence::Usual);
    }

    #[test]
    fn matches_of_three_games_may_be_decided_after_two() {
        let mut games = Vec::new();
        for a in 0..5 {
            for b in 0..a {
                let is_decided = (a + b) % 3 > 0;
                let scores: &[f64] = if is_decided { &[1.0, 1.0] } else { &[1.0, 0.0, 0.5] };
                for score in scores {
                    games.push(Pairing { white_score: Some(*score), ..Pairing::new(a, b) });
                }
            }
        }
        let found = recognise(5, &games, in_year(1873));
        assert_eq!((found.coverage(), found.missing.len()), (1.0, 0), "{found:?}");
    }

    #[test]
    fn most_players_beyond_the_last_round_of_a_cycle_show_another() {
        // Four players twice: seven games of twelve, in five of six rounds.
        let seven = [(1, 0, 1), (1, 2, 3), (2, 3, 1), (3, 1, 2), (3, 0, 3), (4, 1, 0), (5, 2, 1)];
        let found = recognise(4, &in_rounds(&seven), Circumstances::default());
        assert_eq!(found.expected_games, 12);
        // The last two rounds of a single one are a play-off of two players.
        let six = [(1, 0, 1), (1, 2, 3), (2, 3, 1), (2, 0, 2), (3, 1, 2), (3, 0, 3)];
        let all = in_rounds(&[&six[..], &[(4, 0, 1), (5, 1, 0)]].concat());
        assert_eq!(recognise(4, &all, Circumstances::default()).expected_games, 6);
        // Two sides of three players twice, of whose eighteen games eleven are known.
        let mut sides: Vec<Pairing> = Vec::new();
        for round in 0..6_u16 {
            for own in 0..3 {
                sides.push(in_round(round + 1, own, 3 + (own + usize::from(round)) % 3));
            }
        }
        sides.retain(|one| !(one.white == 0 && one.round > Some(2)) && one.round != Some(4));
        assert_eq!(recognise(6, &sides, Circumstances::default()).expected_games, 18);
    }

    #[test]
    fn rounds_show_cycles_whose_games_are_missing() {
        // A double round robin of whose second half only one round is known.
        let mut games = cycles_of_circle(6, 2);
        games.retain(|game| game.round <= Some(5) || game.round == Some(10));
        let found = recognise(6, &games, in_year(1990));
        assert_eq!((found.kind, found.expected_games), (Kind::DoubleRoundRobin, 30));
        assert_eq!(found.placed_games, 18);
    }

    #[test]
    fn the_games_of_one_player_are_a_fragment() {
        let star: Vec<(usize, usize)> = (1..8).map(|other| (0, other)).collect();
        assert_eq!(recognise_pairs(8, &star).kind, Kind::Fragment);
        let twice = [star.clone(), star].concat();
        assert_eq!(recognise_pairs(8, &twice).kind, Kind::Fragment);
    }

    #[test]
    fn a_fragment_shows_its_number_of_games_only_by_rounds() {
        let six = [(1, 0, 1), (1, 2, 3), (4, 4, 5), (4, 6, 7), (9, 8, 9), (9, 0, 2)];
        let mut games = in_rounds(&six);
        let by_rounds = recognise(10, &games, in_year(1990));
        assert_eq!((by_rounds.kind, by_rounds.expected_games), (Kind::Fragment, 45));
        games.iter_mut().for_each(|game| game.round = None);
        assert_eq!(recognise(10, &games, in_year(1990)).expected_games, 0);
    }

    #[test]
    fn two_teams_are_a_scheveningen_even_if_all_meet_three_times() {
        for (size, cycles) in [(4, 1), (3, 3)] {
            let once: Vec<_> =
                (0..size).flat_map(|a| (size..2 * size).map(move |b| (a, b))).collect();
            let found = recognise_pairs(2 * size, &once.repeat(cycles));
            assert_eq!(found.kind, Kind::Scheveningen);
            assert_eq!(found.expected_games, size * size * cycles);
            assert_eq!(found.coverage(), 1.0);
        }
    }

    #[test]
    fn a_knock_out_has_a_match_for_every_loser() {
        let pairs = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)];
        let games = pairs.map(|(a, b)| [(a, b), (b, a)]).concat();
        let whole = recognise_pairs(8, &games);
        assert_eq!((whole.kind, whole.coverage()), (Kind::KnockOut, 1.0));
        let part = recognise_pairs(8, &games[..10]);
        assert_eq!((part.kind, part.placed_games, part.expected_games), (Kind::KnockOut, 10, 14));
    }

    #[test]
    fn pairs_that_met_twice_with_others_between_are_not_a_knock_out() {
        let pairs = [(0, 1), (2, 3), (0, 2), (1, 4), (0, 5), (2, 6)];
        // The second cycle is five rounds later. Some rounds have one known game.
        let rounds = [1, 1, 2, 2, 3, 3];
        let mut games = Vec::new();
        for later in [0, 5] {
            for (round, (a, b)) in rounds.into_iter().zip(pairs) {
                games.push(in_round(round + later, a, b));
            }
        }
        assert_ne!(recognise(7, &games, in_year(1992)).kind, Kind::KnockOut);
        // The same pairs, with both games on consecutive days.
        let mut games = Vec::new();
        for (round, (a, b)) in [1, 1, 3, 3, 5, 5].into_iter().zip(pairs) {
            games.extend([in_round(round, a, b), in_round(round + 1, a, b)]);
        }
        assert_eq!(recognise(7, &games, in_year(1992)).kind, Kind::KnockOut);
    }

    #[test]
    fn the_rounds_of_a_knock_out_show_missing_matches() {
        // A final, two semifinals, and one of four quarterfinals: rounds 4, 3 and 2.
        let matches = [(2, 0, 1), (3, 0, 2), (3, 3, 4), (4, 0, 3)];
        let games = matches.map(|(round, a, b)| [in_round(round, a, b), in_round(round, b, a)]);
        let games = games.concat();
        let found = recognise(5, &games, in_year(2021));
        assert_eq!(found.kind, Kind::KnockOut);
        // Three quarterfinals are missing, and the rounds before them.
        assert!(found.expected_games >= 14 && found.coverage() < 0.6, "{found:?}");
    }

    #[test]
    fn a_swiss_expects_one_game_in_each_round_of_a_player() {
        let whole = recognise(20, &rounds_of_swiss(1..=5), in_year(2000));
        assert_eq!((whole.kind, whole.expected_games, whole.coverage()), (Kind::Swiss, 50, 1.0));
        // Only the last two of five rounds.
        let part = recognise(20, &rounds_of_swiss(4..=5), in_year(2000));
        assert_eq!((part.placed_games, part.expected_games), (20, 50));
        // The EventRounds tag states seven rounds, of which two are known.
        let about = Circumstances { rounds: 7, ..in_year(2000) };
        assert_eq!(recognise(20, &rounds_of_swiss(1..=2), about).expected_games, 70);
    }

    #[test]
    fn a_swiss_with_nearly_all_games_of_its_rounds_lacks_no_round() {
        for (missing, end) in [
            (20..20, EndEvidence::Unbroken),
            (20..22, EndEvidence::Unbroken),
            (20..24, EndEvidence::Usual),
        ] {
            let mut games = rounds_of_swiss(1..=5);
            games.drain(missing);
            let found = recognise(20, &games, in_year(2000));
            assert_eq!((found.kind, found.expected_games, found.end), (Kind::Swiss, 50, end));
        }
    }

    #[test]
    fn a_double_round_robin_without_its_last_rounds_is_not_a_complete_single_one() {
        for players in [4, 6, 8, 10, 16] {
            let whole = cycles_of_circle(players, 2);
            let part = whole[..whole.len() * 7 / 10].to_vec();
            let no_rounds: Vec<Pairing> =
                part.iter().map(|game| Pairing { round: None, ..*game }).collect();
            for games in [part, no_rounds] {
                let found = recognise(players, &games, in_year(2007));
                assert_eq!(found.kind, Kind::DoubleRoundRobin, "{players}");
                assert_eq!(found.expected_games, whole.len(), "{players}");
                assert!(found.coverage() < 0.75, "{players}");
            }
        }
    }

    #[test]
    fn a_play_off_and_replayed_draws_are_not_a_second_cycle() {
        let mut games = rounds_of_circle(8);
        games.extend(in_rounds(&[(8, 0, 1), (9, 0, 1)]));
        let found = recognise(8, &games, in_year(1990));
        assert_eq!((found.kind, found.expected_games), (Kind::RoundRobin, 28));
        assert_eq!(found.notes, ["one pair met more often than the others"]);
        // In 1880, ten of the pairs drew and met again. No round is known.
        let mut games = rounds_of_circle(8);
        for game in &mut games {
            (game.round, game.white_score) = (None, Some(1.0));
        }
        for place in 0..10 {
            games[place].white_score = Some(0.5);
            games.push(Pairing { white_score: Some(0.0), ..games[place] });
        }
        let found = recognise(8, &games, in_year(1880));
        assert_eq!(found.expected_games, 28);
        let why = "probably because drawn games were replayed";
        assert_eq!(found.notes, [format!("10 pairs met more often than the others, {why}")]);
        assert_eq!(recognise(8, &games, in_year(1980)).expected_games, 56);
    }

    #[test]
    fn replays_in_separate_rounds_are_not_a_second_cycle() {
        // Monte Carlo 1901: a draw was replayed 13 rounds later.
        let mut games = rounds_of_circle(14);
        games.iter_mut().for_each(|game| game.white_score = Some(1.0));
        for place in 0..26 {
            // A source has two of the games under a wrong result.
            games[place].white_score = Some(if place < 2 { 0.0 } else { 0.5 });
            let round = games[place].round.map(|round| round + 13);
            games.push(Pairing { round, white_score: Some(1.0), ..games[place] });
        }
        games.push(Pairing { round: Some(26), ..games[90] });
        assert_eq!(recognise(14, &games, in_year(1901)).expected_games, 91);
        assert_eq!(recognise(14, &games, in_year(1981)).expected_games, 182);
    }

    #[test]
    fn a_field_that_is_paired_without_regard_to_scores_is_not_a_swiss() {
        // Eleven of fifteen rounds, in which the lower number always wins.
        let mut part = rounds_of_circle(16);
        part.truncate(88);
        for game in &mut part {
            game.white_score = Some(if game.white < game.black { 1.0 } else { 0.0 });
        }
        let found = recognise(16, &part, in_year(1978));
        assert_eq!((found.kind, found.expected_games), (Kind::RoundRobin, 120));
        // Here players meet who have the same points, as far as possible.
        let mut points = [0.0; 40];
        let mut games = Vec::new();
        for round in 1..=7 {
            let mut order: Vec<usize> = (0..40).collect();
            order.sort_by(|a, b| f64::total_cmp(&points[*b], &points[*a]).then(a.cmp(b)));
            for pair in order.chunks(2) {
                let game = in_round(round, pair[0], pair[1]);
                games.push(Pairing { white_score: Some(1.0), ..game });
                points[pair[0]] += 1.0;
            }
        }
        assert!(!is_paired_by_lot(40, &games));
    }

    #[test]
    fn one_or_two_games_of_each_player_are_not_a_swiss() {
        assert_ne!(recognise(20, &rounds_of_swiss(1..=2), in_year(2000)).kind, Kind::Swiss);
    }

    #[test]
    fn the_score_of_a_match_may_be_evidence_of_its_end() {
        // Reykjavik 1972: 12.5 points of 24 games, reached with the twenty-first game.
        let reykjavik = [
            0.0, 0.0, 1.0, 0.5, 1.0, 1.0, 0.5, 1.0, 0.5, 1.0, 0.0, 0.5, 1.0, 0.5, 0.5, 0.5, 0.5,
            0.5, 0.5, 0.5, 1.0,
        ];
        let unbroken = [0.5, 1.0, 0.5, 0.5, 0.0, 0.5];
        for (scores, end) in [
            (&reykjavik[..], EndEvidence::Decided),
            (&reykjavik[..11], EndEvidence::Seen),
            (&unbroken[..], EndEvidence::Unbroken),
            (&unbroken[..4], EndEvidence::UnbrokenFour),
            (&unbroken[..5], EndEvidence::Seen),
        ] {
            assert_eq!(recognise(2, &match_with_scores(scores), in_year(1972)).end, end);
        }
        let about = Circumstances { rounds: 12, ..in_year(2012) };
        assert_eq!(recognise(2, &match_with_scores(&[0.5; 11]), about).end, EndEvidence::Shown);
    }

    #[test]
    fn a_known_match_has_its_known_length() {
        let length = Some(MatchLength { games: 24, forfeited: 0 });
        let about = Circumstances { length, ..in_year(1972) };
        let rounds: Vec<Option<u16>> = (1..=30).map(Some).collect();
        let part = recognise(2, &match_in_rounds(&rounds[..13]), about);
        let start = recognise(2, &match_in_rounds(&rounds[..6]), about);
        assert_eq!((start.expected_games, start.end), (24, EndEvidence::Shown), "the known match");
        assert_eq!(
            (part.placed_games, part.expected_games, part.end),
            (13, 24, EndEvidence::Shown)
        );
        // More games than the known match had belong to another match.
        let longer = recognise(2, &match_in_rounds(&rounds), about);
        assert_eq!(longer.end, EndEvidence::Unbroken);
        // One source has the game that was not played, and another has not.
        let length = Some(MatchLength { games: 21, forfeited: 1 });
        let about = Circumstances { length, ..in_year(1972) };
        let with = rounds[..21].to_vec();
        let without = [&rounds[..1], &rounds[2..21]].concat();
        for rounds in [with, without] {
            let found = recognise(2, &match_in_rounds(&rounds), about);
            assert_eq!((found.coverage(), found.missing.len()), (1.0, 0));
        }
    }

    #[test]
    fn a_match_expects_the_games_up_to_the_last_known_one() {
        let part = recognise(2, &match_in_rounds(&[1, 6, 9, 11, 17].map(Some)), in_year(1960));
        assert_eq!((part.kind, part.placed_games, part.expected_games), (Kind::Match, 5, 17));
        assert_eq!(part.missing.len(), 12);
        let rounds = [None, Some(2), Some(9), None];
        let partly = recognise(2, &match_in_rounds(&rounds), in_year(1872));
        assert_eq!((partly.placed_games, partly.expected_games), (4, 9));
        // Without round numbers the length of the match is unknown.
        for unknown in [[None; 4], [Some(1); 4]] {
            let found = recognise(2, &match_in_rounds(&unknown), in_year(1860));
            assert!(!found.is_certain && found.expected_games == 4);
        }
        // Numbers of some of the games show that it was a match with a length.
        let partly =
            [Pairing::new(0, 1), in_round(4, 1, 0), Pairing::new(0, 1), Pairing::new(1, 0)];
        assert_eq!(recognise(2, &partly, in_year(1993)).end, EndEvidence::Numbered(1));
        assert_eq!(recognise(2, &partly[..3], in_year(1993)).end, EndEvidence::Unknown);
        let length = Some(MatchLength { games: 3, forfeited: 0 });
        let known = Circumstances { length, ..in_year(1993) };
        assert_eq!(recognise(2, &partly, known).end, EndEvidence::Unknown);
        // A number beyond the games, two equal ones, or the number 1 alone show no such match.
        for [second, third] in [[12, 0], [4, 4], [1, 0]] {
            let mut games = partly;
            games[1].round = Some(second);
            games[2].round = Some(third).filter(|round| *round > 0);
            let end = recognise(2, &games, in_year(1993)).end;
            assert!(!matches!(end, EndEvidence::Numbered(_)), "{second} {third}: {end:?}");
        }
        // A score in the name shows the length.
        let about = Circumstances { rounds: 20, ..in_year(1886) };
        let stated = recognise(2, &match_in_rounds(&[None; 8]), about);
        assert_eq!((stated.is_certain, stated.expected_games), (true, 20));
    }
}
