//! Whose moves an engine is calibrated by: players whose ratings are known, at classical chess, in events of strangers.

use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashMap;

use super::collect::{GameOfEvent, GameTurns};
use crate::events::Event;
use crate::games::{Game, GameTable, tag_words};
use crate::players::{Players, fold};
use crate::tournament::Kind;

/// The ratings (Elo) by whose players it is done.
pub const MILEPOSTS: [u16; 6] = [2200, 2300, 2400, 2500, 2600, 2700];

/// How far (points) a mover's rating may lie from a milepost, and his opponent's from his.
const NEAR: u16 = 10;
const OPPONENT: u16 = 300;
/// The first year: ratings before it are fewer, and of a pool that was still growing.
const FROM_YEAR: i16 = 1985;
/// Half-moves that a game has at least.
const FEWEST_PLIES: u16 = 40;
/// From this milepost on movers come from whole events.
const FROM_EVENTS: u16 = 2500;
/// Games of a mover below it, at most: somebody with more is mostly a strong player whose early rating lags behind.
const FEW_GAMES: usize = 40;
/// Turns of a game and side, at most: games are independent, turns are not.
pub const TURNS_OF_A_SIDE: usize = 15;

/// Words of tags of games that are no classical chess among strangers.
const KEPT_OUT: [&str; 33] = [
    "rapid",
    "rapidplay",
    "blitz",
    "blind",
    "blindfold",
    "simul",
    "armageddon",
    "tiebreak",
    "tiebreaks",
    "playoff",
    "internet",
    "playchess",
    "advanced",
    "exhibition",
    "corr",
    "amber",
    "freestyle",
    "titled",
    "online",
    "com",
    "lichess",
    "icc",
    "bullet",
    "960",
    "speed",
    "lightning",
    "shootout",
    "olympiad",
    "team",
    "teams",
    "bundesliga",
    "league",
    "cup",
];
/// The same as beginnings of words.
const KEPT_OUT_BEGINNINGS: [&str; 4] = ["knock", "tch", "4ncl", "olymp"];

/// A game of somebody at a milepost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateGame {
    /// The milepost (Elo).
    pub milepost: u16,
    /// Whether White is the one.
    pub is_white: bool,
    /// The game; its event is none.
    pub game: GameOfEvent,
}

/// The candidates of each milepost, shuffled by a seed that never changes.
pub fn candidates(
    table: &GameTable,
    rows: &[usize],
    events: &[Event],
    players: &Players,
) -> Vec<Vec<CandidateGame>> {
    let mut is_of_whole_event = vec![false; table.len()];
    for event in events {
        let is_whole = matches!(
            event.kind,
            Kind::RoundRobin
                | Kind::DoubleRoundRobin
                | Kind::MultipleRoundRobin
                | Kind::Scheveningen
        ) && event.coverage() >= 0.9;
        if is_whole {
            event.games.iter().for_each(|game| is_of_whole_event[game.row] = true);
        }
    }
    let mut games_of: FxHashMap<_, usize> = FxHashMap::default();
    for row in rows {
        let game = &table.games()[*row];
        for name in [game.white, game.black] {
            if let Some(player) = players.of_name(name) {
                *games_of.entry(player).or_default() += 1;
            }
        }
    }
    let mut kept_out: FxHashMap<(crate::games::NameId, crate::games::NameId), bool> =
        FxHashMap::default();
    let mut found: Vec<Vec<CandidateGame>> = vec![Vec::new(); MILEPOSTS.len()];
    let none: Arc<str> = "".into();
    for &row in rows {
        let game = &table.games()[row];
        let (white, black) = (game.white_elo, game.black_elo);
        if white == 0
            || black == 0
            || white.abs_diff(black) > OPPONENT
            || game.plies < FEWEST_PLIES
            || game.date.year().is_none_or(|year| year < FROM_YEAR)
        {
            continue;
        }
        for (place, milepost) in MILEPOSTS.into_iter().enumerate() {
            for (elo, name, is_white) in [(white, game.white, true), (black, game.black, false)] {
                if elo.abs_diff(milepost) > NEAR {
                    continue;
                }
                let few = players
                    .of_name(name)
                    .is_some_and(|player| games_of.get(&player).is_some_and(|n| *n <= FEW_GAMES));
                let fits = if milepost >= FROM_EVENTS { is_of_whole_event[row] } else { few };
                let is_out = || is_kept_out(table, game);
                if !fits || *kept_out.entry((game.event, game.site)).or_insert_with(is_out) {
                    continue;
                }
                let game = GameOfEvent {
                    event: Arc::clone(&none),
                    white: Arc::clone(&none),
                    black: Arc::clone(&none),
                    number: 1,
                    row,
                };
                found[place].push(CandidateGame { milepost, is_white, game });
            }
        }
    }
    let mut random = Pcg64Mcg::seed_from_u64(7);
    for of_milepost in &mut found {
        // Whatever order the inputs have.
        of_milepost.sort_by_key(|candidate| {
            let game = &table.games()[candidate.game.row];
            (game.fingerprint, candidate.is_white)
        });
        of_milepost.shuffle(&mut random);
    }
    found
}

fn is_kept_out(table: &GameTable, game: &Game) -> bool {
    let text = fold(&format!("{} {}", table.text(game.event), table.text(game.site)));
    tag_words(&text).any(|word| {
        KEPT_OUT.contains(&word.as_str())
            || KEPT_OUT_BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
    })
}

/// Keeps of one side's turns (or of both sides', each by itself) so many that have not been left out, by lot.
pub fn by_lot(game: &mut GameTurns, sides: &[bool], turns: usize) {
    let mut random = Pcg64Mcg::seed_from_u64(game.fingerprint);
    let mut kept = Vec::new();
    for side in sides {
        let mut of_side: Vec<usize> = (0..game.turns.len())
            .filter(|turn| {
                let turn = &game.turns[*turn];
                turn.is_white == *side && turn.left_out.is_none()
            })
            .collect();
        while of_side.len() > turns {
            of_side.swap_remove(random.random_range(0..of_side.len()));
        }
        kept.extend(of_side);
    }
    kept.sort_unstable();
    game.turns = kept.into_iter().map(|turn| game.turns[turn].clone()).collect();
    game.illegal = 0;
}
