//! The bracket of a knock-out: who met whom in which round, who lost, and which match was the
//! final.

use std::collections::BTreeSet;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::event::Event;
use crate::games::{GameTable, Round};

/// A match of a knock-out. Players are places in [`Event::players`].
#[derive(Clone, Debug, PartialEq)]
pub struct KnockOutMatch {
    /// The smaller place first.
    pub players: (usize, usize),
    /// The round, from 0. A match is a round later than the previous match of either player.
    pub round: usize,
    /// The games, as places in [`Event::games`], in playing order.
    pub games: Vec<usize>,
    /// The first player's points minus those of the second.
    pub lead: f64,
}

impl KnockOutMatch {
    fn is_of(&self, player: usize) -> bool {
        self.players.0 == player || self.players.1 == player
    }

    /// The loser by the games alone. `None` if the match was level.
    fn loser_by_lead(&self) -> Option<usize> {
        match self.lead {
            lead if lead > 0.0 => Some(self.players.1),
            lead if lead < 0.0 => Some(self.players.0),
            _ => None,
        }
    }
}

/// The outcome of a round of a knock-out for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoundOutcome {
    /// The player lost.
    Lost,
    /// The player had no further match, or its outcome is unknown.
    Ended,
    /// The player won, or had a bye.
    Won,
}

/// The matches of a knock-out in playing order.
#[derive(Clone, Debug, PartialEq)]
pub struct Bracket {
    matches: Vec<KnockOutMatch>,
    losers: Vec<Option<usize>>,
    the_final: Option<usize>,
    /// Whether the other half of the bracket is missing.
    is_half: bool,
}

impl Bracket {
    /// Finds the matches of an event in its games. A game without a result counts as a draw.
    ///
    /// If one of several sources has no days, a match begins on the first day that any of its
    /// games has. If all matches begin on the same date in the same round (a year alone, and
    /// rounds that number the games of a match), or if losers play on against others who never
    /// lost, the order of the matches follows from who played on.
    pub fn from_event(event: &Event, table: &GameTable) -> Bracket {
        let mut matches: Vec<KnockOutMatch> = Vec::new();
        for (place, game) in event.games.iter().enumerate() {
            let players = (game.white.min(game.black), game.white.max(game.black));
            let score = table.games()[game.row].result.white_score().unwrap_or(0.5);
            let of_first = if game.white == players.0 { score } else { 1.0 - score };
            let lead = 2.0 * of_first - 1.0;
            match matches.iter_mut().find(|one| one.players == players) {
                Some(known) => {
                    known.games.push(place);
                    known.lead += lead;
                }
                None => {
                    matches.push(KnockOutMatch { players, round: 0, games: vec![place], lead });
                }
            }
        }
        let game_of = |place: &usize| &table.games()[event.games[*place].row];
        let mut begins = matches.iter().filter_map(|one| one.games.first()).map(|place| {
            let game = game_of(place);
            (&game.date, &game.round)
        });
        let first = begins.next();
        let shows_order = begins.any(|begin| Some(begin) != first);
        // Games without days come first, also those of later rounds.
        let mut firsts = matches.iter().filter_map(|one| one.games.first()).map(game_of);
        let follows_days = firsts.any(|game| game.date.day_exact().is_none())
            && sort_by_days(&mut matches, |one| {
                let games = one.games.iter().map(game_of);
                games.filter_map(|game| Some((game.date.day_exact()?, game.round))).min()
            });
        if !(shows_order || follows_days) || contradicts_knock_out(&matches) {
            let runner_up = event.known.as_ref().and_then(|known| known.runners_up.first());
            let rounds = rounds_without_order(&matches, runner_up.copied());
            let mut of_round: Vec<(usize, KnockOutMatch)> =
                rounds.into_iter().zip(matches).collect();
            of_round.sort_by_key(|(round, _)| *round);
            matches = of_round.into_iter().map(|(_, one)| one).collect();
        }
        Bracket::of_matches(matches)
    }

    /// Orders matches into rounds.
    fn of_matches(mut matches: Vec<KnockOutMatch>) -> Bracket {
        let pairs: Vec<(usize, usize)> = matches.iter().map(|one| one.players).collect();
        for (one, round) in matches.iter_mut().zip(knock_out_rounds(&pairs)) {
            one.round = round;
        }
        let losers = losers(&matches);
        // The last match of two players who lost no other match. All matches of the winner are
        // such; the final is the last of them.
        let last = (0..matches.len()).rev().find(|&place| {
            let (a, b) = matches[place].players;
            let mut others = losers.iter().enumerate().filter(|(other, _)| *other != place);
            others.all(|(_, loser)| *loser != Some(a) && *loser != Some(b))
        });
        // The final is missing if others were never beaten, as late as in the round before. Of
        // earlier rounds some matches may be missing, or level because their tie-breaks are.
        let the_final = last.filter(|&place| {
            let last = &matches[place];
            let mut players = matches.iter().flat_map(|one| [one.players.0, one.players.1]);
            matches.len() > 2
                && players.all(|player| {
                    last.is_of(player) || is_out_before(last, &matches, &losers, player)
                })
        });
        Bracket { matches, losers, the_final, is_half: false }
    }

    /// Takes what looks like the final for a semifinal: the other half of the bracket is missing.
    pub fn half(self) -> Bracket {
        Bracket { is_half: self.the_final.is_some(), the_final: None, ..self }
    }

    /// The matches in playing order.
    pub fn matches(&self) -> &[KnockOutMatch] {
        &self.matches
    }

    /// The loser of a match. `None` if the games show none.
    pub fn loser(&self, place: usize) -> Option<usize> {
        self.losers[place]
    }

    /// The winner and the loser of the final. `None` if the final is missing or was level.
    pub fn finalists(&self) -> Option<(usize, usize)> {
        let place = self.the_final?;
        let (a, b) = self.matches[place].players;
        self.losers[place].map(|loser| if loser == a { (b, a) } else { (a, b) })
    }

    /// The outcomes of a player's rounds, in playing order. Of two players of a knock-out, the one
    /// whose outcomes are greater went further: later rounds count after earlier ones, and matches
    /// of the beaten for lower places after the defeat.
    pub fn outcomes(&self, player: usize) -> Vec<RoundOutcome> {
        let mut outcomes = Vec::new();
        for (place, one) in self.matches.iter().enumerate().filter(|(_, one)| one.is_of(player)) {
            let is_beaten = outcomes.contains(&RoundOutcome::Lost);
            if !is_beaten {
                let byes = one.round.saturating_sub(outcomes.len());
                outcomes.extend(std::iter::repeat_n(RoundOutcome::Won, byes));
            }
            match self.losers[place].or_else(|| self.loser_to_finalist(place)) {
                Some(loser) if loser == player => outcomes.push(RoundOutcome::Lost),
                Some(_) => outcomes.push(RoundOutcome::Won),
                None => break,
            }
        }
        outcomes.push(RoundOutcome::Ended);
        outcomes
    }

    /// The loser of a level match that one of the two finalists played against a third player.
    fn loser_to_finalist(&self, place: usize) -> Option<usize> {
        let the_final = self.the_final.filter(|last| *last != place)?;
        let (a, b) = self.matches[place].players;
        match [a, b].map(|player| self.matches[the_final].is_of(player)) {
            [true, false] => Some(b),
            [false, true] => Some(a),
            _ => None,
        }
    }

    /// Returns the place of the match between two players.
    pub fn between(&self, player: usize, other: usize) -> Option<usize> {
        self.matches.iter().position(|one| one.is_of(player) && one.is_of(other))
    }

    /// Returns whether a player has a match in a later round.
    pub fn plays_on(&self, place: usize, player: usize) -> bool {
        let here = self.matches[place].round;
        self.matches.iter().any(|one| one.round > here && one.is_of(player))
    }

    /// Names the round of a match: `Semifinal`. `None` if the bracket does not show it.
    pub fn round_name(&self, place: usize) -> Option<&'static str> {
        let one = &self.matches[place];
        let final_round = self.final_round()?;
        let known = self.matches.iter().filter(|other| other.round == one.round).count();
        let of_round = if self.is_half { 2 * known } else { known };
        match (final_round.checked_sub(one.round)?, of_round) {
            (0, _) if self.the_final == Some(place) => Some("Final"),
            (0, 2) if self.has_lost_before(place) => Some("Third-Place Playoff"),
            (1, 2) => Some("Semifinal"),
            (2, 3..=4) => Some("Quarterfinal"),
            (3, 5..=8) => Some("Round of 16"),
            _ => None,
        }
    }

    /// The round of the final. Two last matches of unbeaten players are the semifinals of a final
    /// that is missing.
    fn final_round(&self) -> Option<usize> {
        if let Some(place) = self.the_final {
            return Some(self.matches[place].round);
        }
        let last = self.matches.iter().map(|one| one.round).max()?;
        if self.is_half {
            return Some(last + 1);
        }
        let mut of_last =
            (0..self.matches.len()).filter(|place| self.matches[*place].round == last);
        let are_two = of_last.clone().count() == 2;
        (are_two && !of_last.any(|place| self.has_lost_before(place))).then_some(last + 1)
    }

    /// Returns whether a player of a match had lost one in an earlier round.
    fn has_lost_before(&self, place: usize) -> bool {
        let here = &self.matches[place];
        self.matches.iter().zip(&self.losers).any(|(one, loser)| {
            one.round < here.round && loser.is_some_and(|loser| here.is_of(loser))
        })
    }
}

/// Sorts matches by the first day of each and its round, if all have one. Returns whether these
/// differ.
fn sort_by_days(
    matches: &mut [KnockOutMatch],
    begin: impl Fn(&KnockOutMatch) -> Option<(Date, Round)>,
) -> bool {
    let begins: Option<BTreeSet<(Date, Round)>> = matches.iter().map(&begin).collect();
    let differ = begins.is_some_and(|begins| begins.len() > 1);
    if differ {
        matches.sort_by_key(begin);
    }
    differ
}

/// Returns the round of each pair of a knock-out, from 0.
///
/// `pairs` are given in the order in which they were played. A pair is a round later than the last
/// pair of either player.
pub(super) fn knock_out_rounds(pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut next_round: FxHashMap<usize, usize> = FxHashMap::default();
    let mut rounds = Vec::with_capacity(pairs.len());
    for &(a, b) in pairs {
        let [of_a, of_b] = [a, b].map(|player| next_round.get(&player).copied().unwrap_or(0));
        let round = of_a.max(of_b);
        next_round.extend([(a, round + 1), (b, round + 1)]);
        rounds.push(round);
    }
    rounds
}

/// Returns whether matches cannot have been played in this order: in several, one player had lost
/// before and the other had not. A single one may have a wrong result.
fn contradicts_knock_out(matches: &[KnockOutMatch]) -> bool {
    let mut wrong = 0;
    for (place, one) in matches.iter().enumerate() {
        let earlier = &matches[..place];
        if has_lost(earlier, one.players.0) != has_lost(earlier, one.players.1) {
            wrong += 1;
        }
    }
    wrong > 1 && 8 * wrong > matches.len()
}

fn has_lost(matches: &[KnockOutMatch], player: usize) -> bool {
    matches.iter().any(|one| one.loser_by_lead() == Some(player))
}

/// Returns the round, from 0, of each match of a knock-out whose order is unknown. `runner_up` is
/// the loser of the final, if history knows it.
///
/// The loser does not play on, so the loser's number of matches is the number of the round. Only
/// matches of two players who both lost another match come later, for lower places.
fn rounds_without_order(matches: &[KnockOutMatch], runner_up: Option<usize>) -> Vec<usize> {
    let finalists = finalists_without_order(matches, runner_up);
    let mut are_losers = Vec::with_capacity(matches.len());
    for one in matches {
        // The second of the final beat a player who may have lost the match for third place too.
        let (a, b) = one.players;
        are_losers.push([a, b].iter().all(|player| {
            !finalists.contains(player)
                && matches.iter().any(|other| {
                    other.players != one.players && other.loser_by_lead() == Some(*player)
                })
        }));
    }
    let mut played: FxHashMap<usize, usize> = FxHashMap::default();
    for (one, are_losers) in matches.iter().zip(&are_losers) {
        if !are_losers {
            *played.entry(one.players.0).or_default() += 1;
            *played.entry(one.players.1).or_default() += 1;
        }
    }
    let last = played.values().max().copied().unwrap_or(0);
    let mut rounds: Vec<Option<usize>> = matches
        .iter()
        .zip(are_losers)
        .map(|(one, are_losers)| {
            if are_losers {
                Some(last)
            } else {
                one.loser_by_lead().map(|loser| played[&loser] - 1)
            }
        })
        .collect();
    // A level match has the first round in which neither player has another match. The matches of
    // players with the fewest matches come first.
    let mut level: Vec<usize> =
        (0..matches.len()).filter(|place| rounds[*place].is_none()).collect();
    level.sort_by_key(|place| {
        let (a, b) = matches[*place].players;
        let [of_a, of_b] = [a, b].map(|player| played.get(&player).copied().unwrap_or(0));
        of_a.min(of_b)
    });
    for place in level {
        let (a, b) = matches[place].players;
        let taken: Vec<usize> = matches
            .iter()
            .zip(&rounds)
            .filter(|(one, _)| one.is_of(a) || one.is_of(b))
            .filter_map(|(_, round)| *round)
            .collect();
        rounds[place] = (0..=matches.len()).find(|round| !taken.contains(round));
    }
    rounds.into_iter().map(|round| round.unwrap_or(last)).collect()
}

/// Returns the two players of the final of a knock-out whose order is unknown.
///
/// They are the player without a defeat who played most matches, and the opponent who played most
/// and lost to no one else. Of several opponents it is the known runner-up, or else the one with
/// the longest match. Returns no players if every player lost, or several opponents are as likely.
fn finalists_without_order(matches: &[KnockOutMatch], runner_up: Option<usize>) -> Vec<usize> {
    let first = matches
        .iter()
        .flat_map(|one| [one.players.0, one.players.1])
        .filter(|player| !has_lost(matches, *player))
        .max_by_key(|player| count_matches(matches, *player));
    let Some(first) = first else { return Vec::new() };
    let mut opponents = Vec::new();
    for one in matches.iter().filter(|one| one.is_of(first)) {
        let (a, b) = one.players;
        let other = if a == first { b } else { a };
        let losses = matches.iter().filter(|one| one.loser_by_lead() == Some(other)).count();
        if losses <= 1 {
            let likely = (count_matches(matches, other), runner_up == Some(other), one.games.len());
            opponents.push((likely, other));
        }
    }
    opponents.sort_unstable();
    match opponents[..] {
        [.., (next, _), (likely, other)] if next < likely => vec![first, other],
        [(_, other)] => vec![first, other],
        _ => Vec::new(),
    }
}

fn count_matches(matches: &[KnockOutMatch], player: usize) -> usize {
    matches.iter().filter(|one| one.is_of(player)).count()
}

/// Returns the loser of each match. Of two players who are level, the one who played on had won.
fn losers(matches: &[KnockOutMatch]) -> Vec<Option<usize>> {
    let mut losers = Vec::with_capacity(matches.len());
    for (place, one) in matches.iter().enumerate() {
        let (a, b) = one.players;
        let later = &matches[place + 1..];
        let [a_plays_on, b_plays_on] =
            [a, b].map(|player| later.iter().any(|one| one.is_of(player)));
        losers.push(if a_plays_on == b_plays_on {
            one.loser_by_lead()
        } else {
            Some(if a_plays_on { b } else { a })
        });
    }
    losers
}

/// Returns whether a player who is not in the final was beaten before it, or may have been.
fn is_out_before(
    the_final: &KnockOutMatch,
    matches: &[KnockOutMatch],
    losers: &[Option<usize>],
    player: usize,
) -> bool {
    if losers.contains(&Some(player)) {
        return true;
    }
    let mut own = matches.iter().filter(|one| one.is_of(player));
    let last = own.clone().map(|one| one.round).max().unwrap_or(0);
    // The last match of a finalist is the final, so any other player who met a finalist lost.
    last + 1 < the_final.round
        || own.any(|one| {
            let (a, b) = one.players;
            the_final.is_of(if a == player { b } else { a })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches in playing order, with the lead of the first player of each.
    fn played<const N: usize>(leads: [(usize, usize, f64); N]) -> Vec<KnockOutMatch> {
        let mut matches = Vec::new();
        for (a, b, lead) in leads {
            matches.push(KnockOutMatch { players: (a, b), round: 0, games: vec![], lead });
        }
        matches
    }

    fn bracket<const N: usize>(leads: [(usize, usize, f64); N]) -> Bracket {
        Bracket::of_matches(played(leads))
    }

    /// The players in the order of finish, the first of whom won.
    fn order_of_finish(of: &Bracket, players: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by_cached_key(|player| std::cmp::Reverse(of.outcomes(*player)));
        order
    }

    #[test]
    fn the_round_that_was_reached_decides_and_the_match_of_the_beaten_after_it() {
        let semifinals = [(0, 1, -1.0), (2, 3, 1.0)];
        let [first, second] = semifinals;
        let whole = bracket([first, second, (0, 3, -2.0), (1, 2, -1.0)]);
        // 2 beat 1 in the final, 3 beat 0 in the match for the third place.
        assert_eq!(order_of_finish(&whole, 4), [2, 1, 3, 0]);
        let without = bracket([first, second, (1, 2, -1.0)]);
        assert_eq!(without.outcomes(0), without.outcomes(3), "they share the third place");
    }

    #[test]
    fn a_bye_counts_like_a_win() {
        // 2 enters in the second round.
        let whole = bracket([(0, 1, 1.0), (3, 4, 1.0), (0, 2, 1.0), (0, 3, 1.0)]);
        assert!(whole.outcomes(2) > whole.outcomes(1));
        assert_eq!(whole.outcomes(2), [RoundOutcome::Won, RoundOutcome::Lost, RoundOutcome::Ended]);
    }

    fn name(of: &Bracket, a: usize, b: usize) -> Option<&'static str> {
        of.between(a, b).and_then(|place| of.round_name(place))
    }

    #[test]
    fn the_winner_of_a_match_plays_in_the_next_round() {
        let whole = bracket([
            (0, 1, 1.0),
            (2, 3, 1.0),
            (4, 5, 1.0),
            (6, 7, 1.0),
            (0, 2, 1.0),
            (4, 6, 1.0),
            (0, 4, 1.0),
        ]);
        let rounds: Vec<usize> = whole.matches().iter().map(|one| one.round).collect();
        assert_eq!(rounds, [0, 0, 0, 0, 1, 1, 2]);
        assert_eq!(name(&whole, 2, 3), Some("Quarterfinal"));
        assert_eq!(name(&whole, 0, 2), Some("Semifinal"));
    }

    #[test]
    fn the_final_is_the_match_of_two_unbeaten_players() {
        let whole = bracket([(0, 1, 1.0), (2, 3, 0.0), (0, 2, -1.0)]);
        assert_eq!(whole.finalists(), Some((2, 0)));
        assert_eq!(whole.losers, [Some(1), Some(3), Some(0)]);
    }

    #[test]
    fn two_last_matches_are_a_final_and_a_match_of_losers() {
        let whole = bracket([(1, 2, 1.0), (3, 4, 1.0), (2, 4, 1.0), (1, 3, 1.0)]);
        assert_eq!(whole.finalists(), Some((1, 3)));
        assert_eq!(name(&whole, 1, 3), Some("Final"));
        assert_eq!(name(&whole, 2, 4), Some("Third-Place Playoff"));
        assert_eq!(name(&whole, 1, 2), Some("Semifinal"));
    }

    #[test]
    fn two_last_matches_of_winners_are_semifinals() {
        let without_final =
            bracket([(1, 2, 1.0), (3, 4, 1.0), (5, 6, 1.0), (7, 8, 1.0), (1, 3, 1.0), (5, 7, 1.0)]);
        assert_eq!(without_final.finalists(), None);
        assert_eq!(name(&without_final, 1, 3), Some("Semifinal"));
        assert_eq!(name(&without_final, 5, 6), Some("Quarterfinal"));
    }

    #[test]
    fn matches_of_early_rounds_may_be_level_or_missing() {
        // 7 won in the first round, and has no second match. 5 and 6 were level.
        let whole = bracket([
            (0, 1, 1.0),
            (2, 3, 1.0),
            (5, 6, 0.0),
            (7, 8, 1.0),
            (9, 10, 1.0),
            (11, 12, 1.0),
            (0, 2, 1.0),
            (9, 11, 1.0),
            (0, 9, 1.0),
        ]);
        assert_eq!(name(&whole, 0, 9), Some("Final"));
        assert_eq!(whole.finalists(), Some((0, 9)));
    }

    #[test]
    fn a_finalist_won_a_level_semifinal() {
        let whole = bracket([(0, 1, 0.0), (2, 3, 1.0), (1, 3, 1.0), (0, 2, 1.0)]);
        assert_eq!(name(&whole, 0, 2), Some("Final"));
        assert_eq!(name(&whole, 1, 3), Some("Third-Place Playoff"));
    }

    #[test]
    fn matches_are_in_the_order_of_their_days_if_each_has_one() {
        let day = |day| Some((Date::constant(2010, 6, day), Round::UNKNOWN));
        let days = [day(6), day(5), day(4)];
        let days_of = |one: &KnockOutMatch| days[one.games[0]];
        let mut matches = played([(0, 1, 2.0), (1, 2, 1.0), (0, 3, 1.0)]);
        for (place, one) in matches.iter_mut().enumerate() {
            one.games = vec![place];
        }
        assert!(!sort_by_days(&mut matches, |one| days_of(one).filter(|_| one.games[0] > 0)));
        assert_eq!(matches[0].players, (0, 1), "one has no day");
        assert!(sort_by_days(&mut matches, days_of));
        let whole = Bracket::of_matches(matches);
        assert_eq!(name(&whole, 0, 1), Some("Final"));
        assert_eq!(name(&whole, 0, 3), Some("Semifinal"));
    }

    #[test]
    fn rounds_without_dates_follow_from_the_number_of_matches() {
        // 0 beat 5 in the final. 4 and 8 played for third place.
        let matches = played([
            (0, 5, 2.0),
            (0, 8, 1.0),
            (0, 1, 1.0),
            (4, 8, 1.0),
            (4, 5, -1.0),
            (5, 7, 1.0),
            (6, 8, -1.0),
            (3, 4, -1.0),
        ]);
        assert_eq!(rounds_without_order(&matches, None), [2, 1, 0, 3, 1, 0, 0, 0]);
        // 8 was third. Only history shows that the final was not the match of 0 and 8.
        let mut others = matches;
        others[3].lead = -1.0;
        assert_eq!(rounds_without_order(&others, Some(5)), [2, 1, 0, 3, 1, 0, 0, 0]);
        assert_eq!(rounds_without_order(&others, Some(8)), [1, 2, 0, 1, 3, 0, 0, 0]);
    }

    #[test]
    fn a_level_match_without_dates_has_a_round_that_is_free_for_both_players() {
        // 5 has no match in the first round: its opponent is missing. 0 and 5 were level.
        let leads = [(0, 5, 0.0), (0, 1, 1.0), (0, 2, 1.0), (5, 6, 1.0), (2, 3, 1.0), (6, 7, 0.0)];
        let matches = played(leads);
        assert_eq!(rounds_without_order(&matches, None), [2, 0, 1, 1, 0, 0]);
    }

    #[test]
    fn losers_who_play_on_show_a_wrong_order() {
        // 2 and 4 lost to 0 and then met players who had not lost.
        let wrong = [(0, 2, 1.0), (0, 4, 1.0), (0, 1, 1.0), (2, 3, 1.0), (4, 5, 1.0), (4, 6, 1.0)];
        assert!(contradicts_knock_out(&played(wrong)));
        // The match for third place is one of two losers.
        let right = [(0, 1, 1.0), (2, 3, 1.0), (0, 2, 1.0), (1, 3, 1.0)];
        assert!(!contradicts_knock_out(&played(right)));
    }

    #[test]
    fn half_a_bracket_ends_in_a_semifinal() {
        let half = bracket([(0, 1, 1.0), (2, 3, 1.0), (0, 2, 1.0)]).half();
        assert_eq!(half.finalists(), None);
        assert_eq!(name(&half, 0, 2), Some("Semifinal"));
        assert_eq!(name(&half, 0, 1), Some("Quarterfinal"));
    }

    #[test]
    fn a_bracket_without_its_final_has_no_winner() {
        let with_one_semifinal =
            bracket([(0, 1, 1.0), (2, 3, 1.0), (4, 5, 1.0), (6, 7, 1.0), (0, 2, 1.0)]);
        assert_eq!(with_one_semifinal.finalists(), None);
        assert_eq!(name(&with_one_semifinal, 0, 2), None);
        assert_eq!(bracket([(0, 1, 1.0), (2, 3, 1.0)]).finalists(), None);
    }
}
