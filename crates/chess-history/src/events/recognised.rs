//! What a pairing table shows of an event: its kind, and which games are missing.
//!
//! The expected games are those that the competition had, as far as the table shows:
//!
//! - of a round robin, all pairs of its players in each cycle;
//! - of a match, the games up to the last known one;
//! - of a Swiss, one game a round between the first and last round of each player;
//! - of a knock-out, one match for each loser.
//!
//! What was never finished counts as complete up to its end. Examples are a player who left, a
//! tournament that was broken off, and a match of three games that was decided after two.

use std::collections::BTreeMap;

use super::pairing_table::{PairCounts, Pairing, TableRounds};
use crate::tournament::Kind;

/// What the pairing table shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    /// The kind of competition.
    pub kind: Kind,
    /// Games of a complete table; 0 where a fragment does not show their number.
    pub expected_games: usize,
    /// Games found that have a place in the complete table.
    ///
    /// A replay or a play-off game does not replace a missing one.
    pub placed_games: usize,
    /// Games of each player in a complete table; 0 for players outside it.
    pub expected_of: Vec<usize>,
    /// Games of each pair in a complete round robin or Scheveningen.
    pub cycles: usize,
    /// Players who left the competition early. Their games are outside the complete table.
    pub withdrawn: Vec<usize>,
    /// The games that the table lacks, with their players and rounds as far as known.
    pub missing: Vec<MissingGame>,
    /// The evidence that the event ended with its last known game.
    pub end: EndEvidence,
    /// Whether the number of expected games is certain enough for ranking the event.
    ///
    /// It is not if the last known game is the only evidence of the end, unless other events of the
    /// same source are complete.
    pub is_certain: bool,
    /// Whether rounds or boards show that no player of a round robin is missing.
    pub shows_field: bool,
    /// Whether players may be missing, because other events of the same source lack players and
    /// nothing shows the number of players of this one.
    pub is_field_unconfirmed: bool,
    /// Remarks for readers.
    pub notes: Vec<String>,
}

/// The evidence that an event ended with its last known game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndEvidence {
    /// The structure of a round robin, or a tag that states the rounds.
    Shown,
    /// A score that decided a match over a usual number of games, or to a usual number of wins.
    ///
    /// A player with a clear lead passes such a score at some point of a longer match too.
    Decided,
    /// A match whose rounds are 1 to an even number of at least six, without a gap; a Swiss with
    /// nearly all games of its rounds.
    Unbroken,
    /// A match whose rounds are 1 to 4.
    UnbrokenFour,
    /// A match with a usual number of games, some of which have numbers, none of them beyond their
    /// count. Each player has White in half of them. If two games were missing, a number would be
    /// beyond in all but one of so many cases.
    Numbered(u16),
    /// A match with a usual number of games; a Swiss, which may have any number of rounds; or a
    /// round robin whose table has another explanation with more games.
    Usual,
    /// No later game is known.
    Seen,
    /// None, because the games have no numbers.
    Unknown,
}

/// One or more games of one pair that the table lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingGame {
    /// One of the players, if known.
    pub player: Option<usize>,
    /// The other player, if known.
    pub opponent: Option<usize>,
    /// The round, if known.
    pub round: Option<u16>,
    /// How many games of this pair are missing.
    pub games: usize,
}

impl MissingGame {
    /// Games of two players in unknown rounds.
    pub(super) fn of_pair(player: usize, opponent: usize, games: usize) -> MissingGame {
        MissingGame { player: Some(player), opponent: Some(opponent), round: None, games }
    }
}

/// The length of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchLength {
    /// Games, including forfeited ones.
    pub games: u16,
    /// Forfeited games among these. Some sources contain them, and others do not.
    pub forfeited: u16,
}

/// What is known of an event in addition to its pairings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// The year of its first game.
    pub year: Option<i16>,
    /// Rounds (of a match: games) that its tags state; 0 where they state none.
    pub rounds: u16,
    /// Players whose games are all outside the main table, because they left.
    pub left: usize,
    /// Whether its tags show that it is a cycle of matches.
    pub is_cycle: bool,
    /// The length of a known match.
    pub length: Option<MatchLength>,
    /// The kind of competition that its tags state.
    pub form: Option<Kind>,
    /// Whether its tags state that the collection has all of its games.
    pub is_complete: bool,
}

impl Recognised {
    /// Describes a complete table of one cycle.
    pub(super) fn new(
        kind: Kind,
        expected_games: usize,
        placed_games: usize,
        expected_of: Vec<usize>,
    ) -> Recognised {
        Recognised {
            kind,
            expected_games,
            placed_games,
            expected_of,
            cycles: 1,
            withdrawn: Vec::new(),
            missing: Vec::new(),
            end: EndEvidence::Shown,
            is_certain: true,
            shows_field: false,
            is_field_unconfirmed: false,
            notes: Vec::new(),
        }
    }

    /// Fills free places of the table with games outside it: replays, games of withdrawn players.
    pub(super) fn fill_places(&mut self, players: usize, pairings: &[Pairing]) {
        if !self.kind.is_round_robin() {
            return;
        }
        let table = PairCounts::new(players, pairings).without_players(&self.withdrawn);
        let placed: usize = table.met.iter().map(|(_, games)| games.min(&self.cycles)).sum();
        self.placed_games = placed.clamp(self.placed_games, self.expected_games);
        self.missing.retain_mut(|missing| {
            let (Some(a), Some(b)) = (missing.player, missing.opponent) else { return true };
            missing.games = missing.games.min(self.cycles.saturating_sub(table.count(a, b)));
            missing.games > 0
        });
    }

    /// Expects one game less of a pair that lacks one, because both players forfeited it. Returns
    /// whether the pair lacks one.
    pub(super) fn excuse(&mut self, one: usize, other: usize) -> bool {
        let of_pair = [(Some(one), Some(other)), (Some(other), Some(one))];
        let mut gaps = self.missing.iter_mut();
        let Some(gap) = gaps.find(|gap| of_pair.contains(&(gap.player, gap.opponent))) else {
            return false;
        };
        gap.games -= 1;
        self.expected_games -= 1;
        self.expected_of[one] -= 1;
        self.expected_of[other] -= 1;
        self.missing.retain(|gap| gap.games > 0);
        true
    }

    /// Takes the table as whole. A round in which a player had a bye or was absent lacks no game.
    ///
    /// A Swiss of few players looks like a round robin without its last rounds. If a whole table
    /// lacks a tenth of the pairings of a round robin, it is that of a Swiss. Judged: games that
    /// both players forfeit are rarely a tenth of a round robin. A whole table is no fragment
    /// either.
    pub(super) fn take_as_whole(&mut self, players: usize, pairings: &[Pairing]) {
        let lacks_pairs =
            self.kind.is_round_robin() && 10 * pairings.len() < 9 * self.expected_games;
        if lacks_pairs || self.kind == Kind::Fragment {
            self.kind = Kind::Swiss;
            self.cycles = 1;
            self.withdrawn.clear();
            self.notes.clear();
        }
        self.expected_of = PairCounts::new(players, pairings).games;
        self.expected_games = pairings.len();
        self.placed_games = pairings.len();
        self.missing.clear();
        self.end = EndEvidence::Shown;
    }

    /// Returns games found divided by games expected, in `[0, 1]`.
    pub fn coverage(&self) -> f64 {
        match self.expected_games {
            0 => 0.0,
            expected => self.placed_games as f64 / expected as f64,
        }
    }

    /// Returns whether players of a round robin are missing with all of their games.
    pub(super) fn lacks_players(&self) -> bool {
        self.missing.iter().any(|gap| gap.opponent.is_none())
    }

    /// Returns games found divided by the games that the known players had with each other.
    ///
    /// Players whose games are all missing show nothing of the ends of other events.
    pub(super) fn coverage_of_known_players(&self) -> f64 {
        let with_unknown = self.missing.iter().filter(|gap| gap.opponent.is_none());
        let games: usize = with_unknown.map(|gap| gap.games).sum();
        match self.expected_games.saturating_sub(games) {
            0 => 0.0,
            expected => self.placed_games as f64 / expected as f64,
        }
    }

    /// Converts the table to that of a team competition. Each round has as many boards as the
    /// fullest one.
    pub(super) fn convert_to_teams(&mut self, pairings: &[Pairing]) {
        let mut boards: BTreeMap<u16, usize> = BTreeMap::new();
        for round in pairings.iter().filter_map(|pairing| pairing.round) {
            *boards.entry(round).or_default() += 1;
        }
        let known: usize = boards.values().sum();
        let fullest = boards.values().copied().max().unwrap_or(0);
        let last = boards.keys().next_back().copied().map_or(0, usize::from);
        // A single round number for all games contains no information.
        let by_rounds =
            if boards.len() > 1 && 10 * known >= 9 * pairings.len() { last * fullest } else { 0 };
        self.kind = Kind::Team;
        self.expected_games = by_rounds.max(pairings.len());
        self.placed_games = pairings.len();
        self.expected_of = vec![0; self.expected_of.len()];
        self.missing.clear();
        self.notes.clear();
    }

    /// Expects of a fragment the games of its players in its rounds. Without rounds their number is
    /// unknown, which is 0.
    pub(super) fn expect_rounds_only(
        &mut self,
        players: usize,
        pairings: &[Pairing],
        about: Circumstances,
    ) {
        let table = PairCounts::new(players, pairings);
        let rounds = TableRounds::from_pairings(players, pairings);
        let last = rounds.map_or(0, |rounds| rounds.last).max(about.rounds);
        let by_rounds = usize::from(last) * table.active.len() / 2;
        self.expected_games = if by_rounds > self.placed_games { by_rounds } else { 0 };
        self.expected_of = vec![0; players];
        self.missing.clear();
    }

    /// Describes a table of unknown kind, as if all players met at most once.
    pub(super) fn from_single_meetings(
        kind: Kind,
        table: &PairCounts,
        rounds: Option<&TableRounds>,
    ) -> Recognised {
        let (players, pairs) = (table.active.len(), table.pairs());
        // With rounds, every player played in each. If pairs met once, there are at most as many
        // games as pairs.
        let by_rounds = rounds.map(|rounds| usize::from(rounds.last) * players / 2);
        let expected = by_rounds.map_or(pairs, |by_rounds| by_rounds.min(pairs)).max(table.total());
        let (met, each) = (table.met.len(), 2 * expected / players.max(1));
        Recognised::new(kind, expected.max(met), met, expected_each(table, each))
    }
}

/// Returns the same number of games for every active player, or those found where they are more.
pub(super) fn expected_each(table: &PairCounts, games: usize) -> Vec<usize> {
    let mut expected = vec![0; table.games.len()];
    for &player in &table.active {
        expected[player] = games.max(table.games[player]);
    }
    expected
}
