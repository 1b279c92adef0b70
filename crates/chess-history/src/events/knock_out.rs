//! Recognises knock-outs and compares them with their bracket.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::bracket::knock_out_rounds;
use super::known_results::KnownResult;
use super::match_of_two::{is_decided, is_won};
use super::pairing_table::{PairCounts, Pairing};
use super::recognised::{EndEvidence, MissingGame, Recognised};
use crate::tournament::Kind;

impl PairCounts {
    /// Returns whether pairs met several times without others between, and there are about as many
    /// pairs as losers. Where the tags state a knock-out, its matches may have one game.
    pub fn is_knock_out(&self, pairings: &[Pairing], is_stated: bool) -> bool {
        let losers = self.active.len() - 1;
        // Matches for lower places add pairs. Apart from these, half of the players lose their
        // first match and meet no other opponent.
        let single = self.opponents().iter().filter(|opponents| **opponents == 1).count();
        self.active.len() >= 4
            && 3 * single >= self.active.len()
            && (is_stated || self.total() as f64 >= 1.7 * self.met.len() as f64)
            && self.met.len() <= losers + losers / 4 + 1
            && !are_interleaved(pairings)
    }

    /// Describes a knock-out by its bracket: one match for each loser.
    ///
    /// Each match has the usual number of games of its stage, unless it was decided earlier.
    pub fn knock_out(&self, pairings: &[Pairing]) -> Recognised {
        let matches = Matches::from_pairings(pairings);
        let (mut expected, mut placed) = (0, 0);
        let mut expected_of = vec![0; self.games.len()];
        let mut missing = Vec::new();
        for ((pair, games), stage) in matches.in_order().zip(&matches.stages) {
            let found = games.len();
            let usual = matches.usual[*stage];
            let due = match last_round_of(games) {
                // The round numbers of a match show its length.
                Some(last) => last.max(found),
                None if is_decided(games, usual as u16) => found,
                None => usual.max(found),
            };
            // Further games of a few matches are tie-breaks.
            let due = if matches.have_two_mostly(*stage) { due.min(usual) } else { due };
            expected += due;
            placed += found.min(due);
            expected_of[pair.0] += due.max(found);
            expected_of[pair.1] += due.max(found);
            if due > found {
                missing.push(MissingGame::of_pair(pair.0, pair.1, due - found));
            }
        }
        let mut notes = Vec::new();
        let lacking = [
            self.missing_matches(&matches),
            missing_first_matches(&matches, pairings),
            self.missing_start(&matches, pairings),
        ];
        for (gap, note) in lacking.into_iter().flatten() {
            expected += gap.games;
            missing.push(gap);
            notes.push(note);
        }
        Recognised {
            end: matches.end(),
            missing,
            notes,
            ..Recognised::new(Kind::KnockOut, expected, placed, expected_of)
        }
    }

    /// Returns the games of matches that the bracket lacks, with a note.
    ///
    /// All players except the winner lose a match, and each round has twice as many matches as the
    /// next.
    fn missing_matches(&self, matches: &Matches) -> Option<(MissingGame, String)> {
        let losers = self.active.len() - 1;
        let lost = losers.saturating_sub(matches.order.len());
        let lacking = lost.max(missing_by_rounds(matches.of_pair.values()));
        let games = lacking * matches.usual_of_first_stage();
        let gap = MissingGame { player: None, opponent: None, round: None, games };
        let note = match lacking {
            1 => "1 match of the bracket is missing".to_owned(),
            _ => format!("{lacking} matches of the bracket are missing"),
        };
        (lacking > 0).then_some((gap, note))
    }

    /// Returns the games of the first rounds, with a note, if only later ones are known: the first
    /// round tag is `3.1`.
    fn missing_start(
        &self,
        matches: &Matches,
        pairings: &[Pairing],
    ) -> Option<(MissingGame, String)> {
        let first_round = pairings.iter().filter_map(|pairing| pairing.round).min().unwrap_or(1);
        let is_staged =
            pairings.iter().any(|pairing| pairing.round.is_some_and(|r| r > first_round));
        if !is_staged || !(2..=7).contains(&first_round) {
            return None;
        }
        let before = self.active.len() * ((1 << (first_round - 1)) - 1);
        let games = before * matches.usual_of_first_stage();
        let gap = MissingGame { player: None, opponent: None, round: Some(1), games };
        Some((gap, format!("the first known round is round {first_round}")))
    }
}

impl Recognised {
    /// Corrects the expected games of a known knock-out.
    ///
    /// Its last match is the final. The known result or the matches show how many games the matches
    /// had.
    pub(super) fn apply_known_knock_out(
        &mut self,
        known: &KnownResult,
        shows_lengths: impl FnOnce() -> bool,
    ) {
        if let Some(players) = known.players {
            self.compare_with_known_players(players);
        }
        let played = known.games.map(|games| games.saturating_sub(known.forfeits));
        if let Some(played) = played.filter(|played| *played >= self.placed_games) {
            self.add_missing(played);
            self.expected_games = played;
            (self.end, self.is_certain) = (EndEvidence::Shown, true);
        } else if shows_lengths() {
            (self.end, self.is_certain) = (EndEvidence::Shown, true);
        }
    }

    /// Compares a knock-out with its known number of players, all but one of whom lost a match.
    fn compare_with_known_players(&mut self, players: usize) {
        let found = self.expected_of.iter().filter(|expected| **expected > 0).count();
        if found == players {
            // Those who first appear in the second round had byes.
            let is_first_match = |gap: &MissingGame| gap.player.is_none() && gap.round == Some(1);
            let lacking = self.missing.iter().filter(|gap| is_first_match(gap));
            self.expected_games -= lacking.map(|gap| gap.games).sum::<usize>();
            self.missing.retain(|gap| !is_first_match(gap));
        } else if found < players {
            let least = 2 * (players - 1);
            self.add_missing(least);
            self.expected_games = self.expected_games.max(least);
        }
    }
}

/// Returns the games of missing matches of the first round, with a note.
fn missing_first_matches(matches: &Matches, pairings: &[Pairing]) -> Option<(MissingGame, String)> {
    let lacking = missing_of_first_round(matches.of_pair.values(), pairings);
    let games = lacking * matches.usual_of_first_stage();
    let gap = MissingGame { player: None, opponent: None, round: Some(1), games };
    let note = match lacking {
        1 => "1 match of the first round is missing".to_owned(),
        _ => format!("{lacking} matches of the first round are missing"),
    };
    (lacking > 0).then_some((gap, note))
}

/// The least number of matches of a stage whose usual length shows that of all.
///
/// Judged: of two or three matches, one may have been longer by agreement.
const SEVERAL_MATCHES: usize = 4;

/// Returns whether players met others between the games of a pair, so that the pairs are not the
/// matches of a knock-out. They may be all that is known of a double round robin.
///
/// This requires rounds that are numbered through the event. A single pair may have a wrong round.
fn are_interleaved(pairings: &[Pairing]) -> bool {
    let mut of_player: BTreeMap<usize, Vec<(u16, usize)>> = BTreeMap::new();
    for game in pairings {
        let Some(round) = game.round else { return false };
        of_player.entry(game.white).or_default().push((round, game.black));
        of_player.entry(game.black).or_default().push((round, game.white));
    }
    let mut interleaved: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (player, games) in &mut of_player {
        games.sort_unstable();
        games.dedup();
        // Rounds that number the games of each match repeat.
        if games.windows(2).any(|two| two[0].0 == two[1].0) {
            return false;
        }
        let mut left: BTreeSet<usize> = BTreeSet::new();
        for two in games.windows(2).filter(|two| two[0].1 != two[1].1) {
            left.insert(two[0].1);
            let other = two[1].1;
            if left.contains(&other) {
                interleaved.insert((other.min(*player), other.max(*player)));
            }
        }
    }
    let pairs: BTreeSet<(usize, usize)> = pairings
        .iter()
        .map(|game| (game.white.min(game.black), game.white.max(game.black)))
        .collect();
    interleaved.len() > 1 && 8 * interleaved.len() > pairs.len()
}

struct Matches {
    /// The players of each match, in the order of the first games.
    order: Vec<(usize, usize)>,
    /// The games of each match.
    of_pair: BTreeMap<(usize, usize), Vec<Pairing>>,
    /// The stage of each match, from 0, in the same order.
    stages: Vec<usize>,
    /// The usual number of games of a match, by stage.
    usual: Vec<usize>,
}

impl Matches {
    fn from_pairings(pairings: &[Pairing]) -> Matches {
        let mut order: Vec<(usize, usize)> = Vec::new();
        let mut of_pair: BTreeMap<(usize, usize), Vec<Pairing>> = BTreeMap::new();
        for pairing in pairings {
            let pair = (pairing.white.min(pairing.black), pairing.white.max(pairing.black));
            let games = of_pair.entry(pair).or_default();
            if games.is_empty() {
                order.push(pair);
            }
            games.push(*pairing);
        }
        let stages = knock_out_rounds(&order);
        let last_stage = stages.iter().copied().max().unwrap_or(0);
        // By stage, how many matches have each number of games.
        let mut counts: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); last_stage + 1];
        for (pair, stage) in order.iter().zip(&stages) {
            *counts[*stage].entry(of_pair[pair].len()).or_default() += 1;
        }
        let usual: Vec<usize> = counts
            .into_iter()
            .map(|of_stage| {
                let usual = of_stage.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
                usual.map_or(2, |(games, _)| games.max(2))
            })
            .collect();
        Matches { order, of_pair, stages, usual }
    }

    /// Returns the pairs and their games, in the order of the first games.
    fn in_order(&self) -> impl Iterator<Item = ((usize, usize), &Vec<Pairing>)> {
        self.order.iter().map(|pair| (*pair, &self.of_pair[pair]))
    }

    /// Returns whether a stage has several matches, and most of those that do not lack a game have
    /// two games.
    fn have_two_mostly(&self, stage: usize) -> bool {
        let of_stage = self.in_order().zip(&self.stages);
        let lengths: Vec<usize> = of_stage
            .filter(|(_, of_match)| **of_match == stage)
            .map(|((_, games), _)| games.len())
            .collect();
        let several = lengths.iter().filter(|games| **games >= 2).count();
        let of_two = lengths.iter().filter(|games| **games == 2).count();
        lengths.len() >= SEVERAL_MATCHES && 2 * of_two > several
    }

    fn usual_of_first_stage(&self) -> usize {
        self.usual.first().copied().unwrap_or(2)
    }

    /// Returns the evidence for the end of the knock-out.
    ///
    /// The last game of a longer match is no evidence, unless one side had won the match. That the
    /// winner plays on does not show after how many games.
    fn end(&self) -> EndEvidence {
        let wins = usual_wins(self.of_pair.values());
        let open = self
            .of_pair
            .values()
            .filter(|games| is_long(games) && !is_won(games) && !is_won_with(games, &wins))
            .count();
        if OPEN_MATCHES * open > self.of_pair.len() {
            EndEvidence::Seen
        } else {
            EndEvidence::Decided
        }
    }
}

/// Returns whether the known matches of a knock-out show how many games each of them had: most had
/// two games, or nearly all of the longer ones were played to one or two numbers of wins.
pub(super) fn shows_lengths(pairings: &[Pairing]) -> bool {
    let matches = Matches::from_pairings(pairings);
    let long: Vec<&Vec<Pairing>> =
        matches.of_pair.values().filter(|games| is_long(games)).collect();
    let wins = usual_wins(long.iter().copied());
    let open = long.iter().filter(|games| !is_won_with(games, &wins)).count();
    OPEN_MATCHES * open <= long.len() || OPEN_MATCHES * long.len() <= matches.order.len()
}

/// Returns whether a match has more than the two games of which most matches of knock-outs consist.
fn is_long(games: &[Pairing]) -> bool {
    games.len() > 2
}

/// Returns the usual numbers of wins with which the longer matches of a knock-out ended: one
/// number, and of eight or more matches another one for other stages.
fn usual_wins<'p>(matches: impl Iterator<Item = &'p Vec<Pairing>>) -> Vec<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut long = 0;
    for games in matches.filter(|games| is_long(games)) {
        long += 1;
        if let Some(wins) = wins_of_winner(games) {
            *counts.entry(wins).or_default() += 1;
        }
    }
    // A number that occurs once is not usual.
    let mut usual: Vec<(usize, usize)> = counts.into_iter().filter(|(_, of)| *of > 1).collect();
    usual.sort_by_key(|(wins, of)| Reverse((*of, *wins)));
    usual.truncate(if long < MANY_MATCHES { 1 } else { 2 });
    usual.into_iter().map(|(wins, _)| wins).collect()
}

/// From this number on, the matches of a knock-out may have been played to two numbers of wins.
///
/// Judged: with fewer matches, a second number would make almost any two lengths usual, so that
/// matches without their last games would pass as complete.
const MANY_MATCHES: usize = 8;

/// Returns whether the winner of a match had one of these numbers of wins, the last of them in the
/// last game.
fn is_won_with(games: &[Pairing], wins: &[usize]) -> bool {
    wins_of_winner(games).is_some_and(|own| wins.contains(&own))
}

/// Returns how many games the winner of a match won, if the last game is one of them.
fn wins_of_winner(games: &[Pairing]) -> Option<usize> {
    let last = game_winner(games.last()?)?;
    let (own, others): (Vec<usize>, Vec<usize>) =
        games.iter().filter_map(game_winner).partition(|winner| *winner == last);
    (own.len() > others.len()).then_some(own.len())
}

/// Returns the winner of a game; `None` for a draw or an unknown result.
fn game_winner(game: &Pairing) -> Option<usize> {
    match game.white_score? {
        1.0 => Some(game.white),
        0.0 => Some(game.black),
        _ => None,
    }
}

/// At most one in `OPEN_MATCHES` matches may stop undecided, because faster games decide a drawn
/// match; or may end with another number of wins than the others, because a player resigned it.
///
/// Measured on New York 1857: of its fourteen matches three differ (a wrong result, a resignation,
/// a longer final). With twice the number, that complete event would count as incomplete.
const OPEN_MATCHES: usize = 4;

/// Returns the last round of a pair, if there are several games and each has its own round.
fn last_round_of(games: &[Pairing]) -> Option<usize> {
    let mut numbers = games.iter().map(|game| game.round).collect::<Option<Vec<u16>>>()?;
    numbers.sort_unstable();
    let all = numbers.len();
    numbers.dedup();
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    // If rounds are numbered through all stages, a match of a later stage begins with a later one.
    let before = if first > 2 { first - 1 } else { 0 };
    (numbers.len() == all && all > 2).then_some(usize::from(last - before))
}

/// Counts missing matches by the rounds of a knock-out.
///
/// This requires that all games of a pair have the same round, and that the last round is that of
/// the final.
fn missing_by_rounds<'p>(matches: impl Iterator<Item = &'p Vec<Pairing>>) -> usize {
    // Judged: nine rounds are a knock-out of 512 players. Later numbers count something else.
    const MOST_ROUNDS: u16 = 9;
    let mut of_round: BTreeMap<u16, usize> = BTreeMap::new();
    for games in matches {
        let round = games.first().and_then(|game| game.round);
        let Some(round) = round.filter(|_| games.iter().all(|game| game.round == round)) else {
            return 0;
        };
        *of_round.entry(round).or_default() += 1;
    }
    let Some((&last, &finals)) = of_round.iter().next_back() else { return 0 };
    // The final, and possibly a match for third place.
    if last > MOST_ROUNDS || finals > 2 {
        return 0;
    }
    (2..last)
        .map(|round| {
            let found = of_round.get(&round).copied().unwrap_or(0);
            (1usize << (last - round)).saturating_sub(found)
        })
        .sum()
}

/// The least percentage of first-round players than whom seeded players are stronger.
///
/// Seeded players start in the second round. Judged: winners of missing matches are stronger than
/// about 70%, so 90 leaves room on both sides. With 80, a few strong winners would hide a gap.
const SEEDED: usize = 90;

/// Counts missing matches of the first round by the second one.
///
/// This requires that all games of a pair have the same round. A player of the second round won a
/// match of the first one, unless the strongest players started in the second.
fn missing_of_first_round<'p>(
    matches: impl Iterator<Item = &'p Vec<Pairing>>,
    pairings: &[Pairing],
) -> usize {
    let (mut first, mut second) = (BTreeSet::new(), BTreeSet::new());
    for games in matches {
        let round = games.first().and_then(|game| game.round);
        let players = games.iter().take(1).flat_map(|game| [game.white, game.black]);
        match round.filter(|_| games.iter().all(|game| game.round == round)) {
            Some(1) => first.extend(players),
            Some(2) => second.extend(players),
            Some(_) => {}
            None => return 0,
        }
    }
    if first.is_empty() {
        return 0;
    }
    let ratings: BTreeMap<usize, u16> = pairings
        .iter()
        .flat_map(|game| [game.white, game.black].into_iter().zip(game.ratings))
        .filter(|(_, rating)| *rating > 0)
        .collect();
    let late: BTreeSet<usize> = second.difference(&first).copied().collect();
    let known: Vec<u16> = late.iter().filter_map(|player| ratings.get(player).copied()).collect();
    let known_first: Vec<u16> =
        first.iter().filter_map(|player| ratings.get(player).copied()).collect();
    let stronger: usize =
        known.iter().map(|rating| known_first.iter().filter(|other| *other < rating).count()).sum();
    let all = known.len() * known_first.len();
    let is_seeded = 2 * known.len() >= late.len()
        && 2 * known_first.len() >= first.len()
        && 100 * stronger >= SEEDED * all;
    if is_seeded { 0 } else { late.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of matches between the pairs of a knock-out of eight, in which `1` is a win of the
    /// first player, `0` of the second, and `=` a draw.
    fn matches<const N: usize>(of: [((usize, usize), &str); N]) -> Vec<Pairing> {
        of.iter()
            .flat_map(|((a, b), games)| {
                games.chars().map(move |sign| {
                    let score = match sign {
                        '1' => 1.0,
                        '0' => 0.0,
                        _ => 0.5,
                    };
                    Pairing { white_score: Some(score), ..Pairing::new(*a, *b) }
                })
            })
            .collect()
    }

    #[test]
    fn matches_to_the_same_number_of_wins_show_how_long_they_were() {
        let whole = [
            ((0, 1), "1=011"),
            ((2, 3), "0110=1"),
            ((4, 5), "111"),
            ((6, 7), "10101"),
            ((0, 2), "0=111"),
            ((4, 6), "1101"),
            ((0, 4), "11=0=1"),
        ];
        assert!(shows_lengths(&matches(whole)));
        // Without their last games the matches have different numbers of wins.
        let part = whole.map(|(pair, games)| (pair, &games[..3]));
        assert!(!shows_lengths(&matches(part)));
        // A few longer matches among those of two games do not matter.
        let short = whole.map(|(pair, games)| (pair, if pair == (0, 4) { games } else { "1=" }));
        assert!(shows_lengths(&matches(short)));
    }

    /// A knock-out of eight in which every match had two games.
    fn of_two_games() -> Vec<Pairing> {
        let pairs = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)];
        matches(pairs.map(|pair| (pair, "1=")))
    }

    fn described(games: &[Pairing]) -> Recognised {
        PairCounts::new(8, games).knock_out(games)
    }

    #[test]
    fn a_third_game_does_not_replace_a_missing_one() {
        // A tie-break of the third match, and a gap in the second.
        let mut games = of_two_games();
        games.insert(6, games[5]);
        games.remove(3);
        let found = described(&games);
        assert_eq!((found.placed_games, found.expected_games), (13, 14));
        assert_eq!(found.missing, [MissingGame::of_pair(2, 3, 1)]);
        // The final may be longer.
        let mut games = of_two_games();
        games.extend(games[12..].to_vec());
        let found = described(&games);
        assert_eq!((found.placed_games, found.expected_games), (16, 16));
    }

    #[test]
    fn the_known_number_of_players_shows_byes_and_missing_players() {
        // Players 0 and 1 begin in the second round, and their ratings are not known.
        let mut games = matches([((2, 3), "1="), ((4, 5), "1="), ((0, 2), "1="), ((1, 4), "1=")]);
        games.extend(matches([((0, 1), "1=")]));
        for (place, round) in [1, 1, 2, 2, 3].into_iter().enumerate() {
            games[2 * place].round = Some(round);
            games[2 * place + 1].round = Some(round);
        }
        let mut found = described(&games);
        assert_eq!(found.expected_games, 14);
        found.compare_with_known_players(6);
        assert_eq!((found.expected_games, found.missing.len()), (10, 0));
        let mut found = described(&games);
        found.compare_with_known_players(16);
        assert_eq!(found.expected_games, 30);
    }
}
