//! Compares tournament formats by the resistance that their winners meet, Block Transition among
//! them.
//!
//! Source of the aim: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.
//! In its Block Transition Tournaments, many weaker players take part who cannot meet the winner.
//! The paper gives neither rules nor figures. The rules here are ours:
//!
//! 1. The players form blocks by rating. Stage 1 is a round robin in each block.
//! 2. The first players of each block change places with the last ones of the block above.
//! 3. Stage 2 is a round robin in the new blocks. The first player of block 1 wins.
//!
//! All formats break ties by lot.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::setup::{ExperimentSetup, mean_result};
use crate::laboratory::chance::{Purpose, generator, normal};
use crate::laboratory::errors::PlanError;
use crate::laboratory::outcome::{ResultModel, score};
use crate::laboratory::pairing::round_robin;
use crate::laboratory::table::{ResultTable, TableCell};
use crate::tournament::{Event, Game, Kind, Options, Player, Policy, analyse};

/// Number of players, of players in a block, and of those who move up or down. Judged: blocks of
/// the size of an elite tournament, of which a fifth changes.
const PLAYERS: usize = 40;
const SIZE: usize = 10;
const MOVED: usize = 2;

/// Number of rounds of every format: two round robins of a block.
const ROUNDS: usize = 2 * (SIZE - 1);

/// Mean and standard deviation (points) of the true ratings. Judged: an open of grandmasters.
const MEAN: f64 = 2550.0;
const SPREAD: f64 = 100.0;

/// Proportion of draws relative to the largest possible one.
const DRAWS: f64 = 0.5;

/// A format, and the function that plays a tournament and returns the winner.
#[derive(Clone, Copy, Debug)]
struct Format {
    name: &'static str,
    kind: Kind,
    /// Number of players who are invited: the best ones.
    players: usize,
    play: fn(&mut Tournament) -> u32,
}

static FORMATS: [Format; 3] = [
    Format { name: "blocks", kind: Kind::Stages, players: PLAYERS, play: Tournament::play_blocks },
    Format { name: "swiss", kind: Kind::Swiss, players: PLAYERS, play: Tournament::play_swiss },
    Format {
        name: "ten best",
        kind: Kind::DoubleRoundRobin,
        players: SIZE,
        play: Tournament::play_ten_best,
    },
];

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new(
        "blocks",
        &["format", "resistance_of_winner", "g_of_winner", "best_wins", "strength"],
    );
    for (number, format) in (1..).zip(&FORMATS) {
        let runs = setup.results(|run| format.measure(number, setup.seed, run));
        let runs = runs.into_iter().collect::<Result<Vec<[f64; 4]>, PlanError>>()?;
        table.rows.push(vec![
            format.name.into(),
            TableCell::Number(mean_result(&runs, 0), 3),
            TableCell::Number(mean_result(&runs, 1), 1),
            TableCell::Number(mean_result(&runs, 2), 3),
            TableCell::Number(mean_result(&runs, 3), 2),
        ]);
    }
    Ok(table)
}

/// True ratings (points) of all players of a run, in descending order.
fn true_ratings(seed: u64, run: u64) -> Vec<f64> {
    let mut random = generator(seed, run, 0, Purpose::Formats);
    let mut truth: Vec<f64> = (0..PLAYERS).map(|_| MEAN + SPREAD * normal(&mut random)).collect();
    truth.sort_by(|one, other| other.total_cmp(one));
    truth
}

impl Format {
    /// Plays and analyses the tournament of a run. Returns the winner's resistance and G-score,
    /// whether the best player won (1 or 0), and the strength. `number` keeps the random numbers
    /// of the formats apart.
    fn measure(&self, number: u64, seed: u64, run: u64) -> Result<[f64; 4], PlanError> {
        let truth = true_ratings(seed, run);
        let random = generator(seed, run, number, Purpose::Formats);
        let mut tournament = Tournament::new(truth[..self.players].to_vec(), random);
        let winner = (self.play)(&mut tournament);
        let ratings = tournament.truth.iter().enumerate();
        let event = Event {
            name: self.name.into(),
            kind: self.kind,
            rating_system: "true".into(),
            players: ratings
                .map(|(player, rating)| Player::new(format!("{player:02}"), Some(*rating)))
                .collect(),
            games: tournament.games,
            // The second best of all players, in every format.
            number_two: Some(truth[1]),
        };
        // All ratings are right, so none is corrected.
        let options = Options { policy: Policy::Keep, ..Options::default() };
        let analysis = analyse(&event, &options)?;
        let found = analysis.players.iter().find(|player| player.index == winner as usize);
        let figures = [
            found.and_then(|player| player.resistance),
            found.and_then(|player| player.g_score),
            Some(f64::from(winner == 0)),
            analysis.strength,
        ];
        Ok(figures.map(|figure| figure.expect("all players have a rating and games")))
    }
}

/// A tournament while it is played. Players are numbered by true rating, the best first.
#[derive(Clone, Debug)]
struct Tournament {
    /// True ratings (points), in descending order.
    truth: Vec<f64>,
    /// Points of each player in the current stage.
    points: Vec<f64>,
    /// Number of rounds played.
    rounds: u32,
    games: Vec<Game>,
    random: Pcg64Mcg,
}

impl Tournament {
    fn new(truth: Vec<f64>, random: Pcg64Mcg) -> Tournament {
        let points = vec![0.0; truth.len()];
        Tournament { truth, points, rounds: 0, games: Vec::new(), random }
    }

    fn players(&self) -> Vec<u32> {
        (0..self.truth.len() as u32).collect()
    }

    /// Plays a round with these pairs.
    fn play_round(&mut self, pairs: &[(u32, u32)]) {
        for (white, black) in pairs {
            let (white, black) = (*white as usize, *black as usize);
            let expected = ResultModel::Curve.expected(self.truth[white] - self.truth[black]);
            let score = f64::from(score(expected, DRAWS, self.random.random()));
            self.points[white] += score;
            self.points[black] += 1.0 - score;
            let sequence = Some(self.rounds);
            self.games.push(Game { sequence, ..Game::new(white, black, score) });
        }
        self.rounds += 1;
    }

    /// Puts players into the order of their points.
    fn rank(&mut self, players: &mut [u32]) {
        // A stable sort keeps the random order of equals.
        players.shuffle(&mut self.random);
        players.sort_by(|one, other| {
            self.points[*other as usize].total_cmp(&self.points[*one as usize])
        });
    }

    fn play_blocks(&mut self) -> u32 {
        self.play_stages()[0][0]
    }

    /// Plays both stages. Returns the blocks of the second one, each in the order of its points.
    fn play_stages(&mut self) -> Vec<Vec<u32>> {
        let mut blocks: Vec<Vec<u32>> = self.players().chunks(SIZE).map(<[u32]>::to_vec).collect();
        self.play_stage(&mut blocks);
        exchange(&mut blocks);
        self.play_stage(&mut blocks);
        blocks
    }

    /// Plays a round robin in each block, and puts its players into the order of their points.
    fn play_stage(&mut self, blocks: &mut [Vec<u32>]) {
        self.points.fill(0.0);
        for round in 0..SIZE - 1 {
            let pairs: Vec<(u32, u32)> =
                blocks.iter().flat_map(|block| round_robin(block, round)).collect();
            self.play_round(&pairs);
        }
        for block in blocks {
            self.rank(block);
        }
    }

    fn play_swiss(&mut self) -> u32 {
        let mut players = self.players();
        let mut opponents: Vec<Vec<u32>> = vec![Vec::new(); players.len()];
        for _ in 0..ROUNDS {
            self.rank(&mut players);
            let pairs = swiss_pairs(&players, &opponents);
            for (one, other) in &pairs {
                opponents[*one as usize].push(*other);
                opponents[*other as usize].push(*one);
            }
            self.play_round(&pairs);
        }
        self.rank(&mut players);
        players[0]
    }

    /// Plays a double round robin.
    fn play_ten_best(&mut self) -> u32 {
        let mut players = self.players();
        for round in 0..ROUNDS {
            let pairs: Vec<(u32, u32)> = round_robin(&players, round).collect();
            self.play_round(&pairs);
        }
        self.rank(&mut players);
        players[0]
    }
}

/// Moves the first players of each block to the block above, and the last ones of that block down.
/// The players of a block are in the order of their points.
fn exchange(blocks: &mut [Vec<u32>]) {
    for lower in 1..blocks.len() {
        let (above, below) = blocks.split_at_mut(lower);
        above[lower - 1][SIZE - MOVED..].swap_with_slice(&mut below[0][..MOVED]);
    }
}

/// Pairs a round of a Swiss. `order` lists the players by points, and `opponents` lists those whom
/// each player has met.
///
/// From the top, each player is paired with the next new opponent. Two players without a new
/// opponent split the lowest possible pair.
fn swiss_pairs(order: &[u32], opponents: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let mut free: Vec<u32> = order.iter().rev().copied().collect();
    let mut pairs = Vec::with_capacity(order.len() / 2);
    let mut left_over = Vec::new();
    while let Some(player) = free.pop() {
        match free.iter().rposition(|other| !opponents[player as usize].contains(other)) {
            Some(place) => pairs.push((player, free.remove(place))),
            None => left_over.push(player),
        }
    }
    for two in left_over.chunks_exact(2) {
        split_pair(&mut pairs, two[0], two[1], opponents);
    }
    pairs
}

/// Splits the lowest pair whose players are new opponents of two others, and pairs them with these.
///
/// Such a pair exists while each player has met fewer than half of the others. Without one, the two
/// meet again.
fn split_pair(pairs: &mut Vec<(u32, u32)>, one: u32, other: u32, opponents: &[Vec<u32>]) {
    for place in (0..pairs.len()).rev() {
        let (white, black) = pairs[place];
        for (first, second) in [(white, black), (black, white)] {
            let is_new = !opponents[one as usize].contains(&first)
                && !opponents[other as usize].contains(&second);
            if is_new {
                pairs[place] = (one, first);
                pairs.push((other, second));
                return;
            }
        }
    }
    pairs.push((one, other));
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNS: u64 = 100;

    fn tournament(run: u64, players: usize) -> Tournament {
        let truth = true_ratings(1, run)[..players].to_vec();
        Tournament::new(truth, generator(1, run, 1, Purpose::Formats))
    }

    /// The opponents of each player, one for each game.
    fn opponents(tournament: &Tournament) -> Vec<Vec<usize>> {
        let mut opponents = vec![Vec::new(); tournament.truth.len()];
        for game in &tournament.games {
            opponents[game.white].push(game.black);
            opponents[game.black].push(game.white);
        }
        opponents
    }

    #[test]
    fn players_who_end_in_block_1_met_only_players_of_blocks_1_and_2() {
        for run in 1..=RUNS {
            let mut tournament = tournament(run, PLAYERS);
            let blocks = tournament.play_stages();
            let opponents = opponents(&tournament);
            assert_eq!(blocks[0].len(), SIZE);
            for player in &blocks[0] {
                let met = &opponents[*player as usize];
                assert!(met.iter().all(|opponent| *opponent < 2 * SIZE), "{run}: {met:?}");
            }
        }
    }

    #[test]
    fn players_of_blocks_1_and_2_can_win_and_others_cannot() {
        let winners: Vec<usize> =
            (1..=RUNS).map(|run| tournament(run, PLAYERS).play_blocks() as usize).collect();
        assert!(winners.iter().any(|winner| *winner < SIZE));
        assert!(winners.iter().any(|winner| *winner >= SIZE));
        assert!(winners.iter().all(|winner| *winner < 2 * SIZE));
    }

    #[test]
    fn all_players_of_every_format_play_18_games() {
        for format in &FORMATS {
            let mut tournament = tournament(1, format.players);
            (format.play)(&mut tournament);
            let opponents = opponents(&tournament);
            assert_eq!(opponents.len(), format.players);
            assert!(opponents.iter().all(|met| met.len() == 18), "{}", format.name);
        }
    }

    #[test]
    fn no_pair_of_a_swiss_meets_twice() {
        for run in 1..=RUNS {
            let mut tournament = tournament(run, PLAYERS);
            tournament.play_swiss();
            for mut met in opponents(&tournament) {
                met.sort_unstable();
                met.dedup();
                assert_eq!(met.len(), ROUNDS, "{run}");
            }
        }
    }

    #[test]
    fn neighbouring_blocks_exchange_two_players() {
        let players: Vec<u32> = (0..PLAYERS as u32).collect();
        let mut blocks: Vec<Vec<u32>> = players.chunks(SIZE).map(<[u32]>::to_vec).collect();
        exchange(&mut blocks);
        assert_eq!(blocks[0], [0, 1, 2, 3, 4, 5, 6, 7, 10, 11]);
        assert_eq!(blocks[1], [8, 9, 12, 13, 14, 15, 16, 17, 20, 21]);
        assert_eq!(blocks[3], [28, 29, 32, 33, 34, 35, 36, 37, 38, 39]);
    }

    #[test]
    fn blocks_give_the_winner_more_resistance_than_a_swiss_and_less_than_the_ten_best() {
        let setup = ExperimentSetup { runs: Some(100), ..ExperimentSetup::default() };
        let table = perform(&setup).unwrap();
        let resistances: Vec<f64> = table
            .rows
            .iter()
            .map(|row| match row[1] {
                TableCell::Number(number, _) => number,
                _ => panic!("{row:?} has no resistance"),
            })
            .collect();
        let [blocks, swiss, ten_best] = resistances[..] else { panic!("{resistances:?}") };
        assert!(swiss < blocks && blocks < ten_best, "{resistances:?}");
    }
}
