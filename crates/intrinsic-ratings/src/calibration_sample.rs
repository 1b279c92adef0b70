//! Selects the games for a calibration: classical games of players with known ratings.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashMap;

use super::collect::{GameOfEvent, GameTurns};
use crate::events::Event;
use crate::games::{Game, GameTable, tag_words};
use crate::players::{Players, fold};
use crate::tournament::Kind;

/// The ratings (Elo) at which engines are calibrated. Regan's Table 1 has the same.
pub const MILEPOSTS: [u16; 6] = [2200, 2300, 2400, 2500, 2600, 2700];

/// Largest distance (points) of a player's rating from a milepost, and of the opponent's rating
/// from the player's. The first is that of Regan and Haworth, *Intrinsic Chess Ratings* (2011), who
/// apply it to both players. The second is judged: few games would remain with both within ten.
const NEAR: u16 = 10;
const OPPONENT: u16 = 300;
/// The first year. Earlier ratings are fewer, and their pool was still growing.
const FROM_YEAR: i16 = 1985;
/// Fewest half-moves of a game. Judged: a shorter game has at most twelve turns of a player after
/// the opening.
const FEWEST_PLIES: u16 = 40;
/// From this milepost (Elo) upward, players come from complete events. Judged: below it too few
/// players of complete events have the right rating.
const FROM_EVENTS: u16 = 2500;
/// Below that milepost, the most games that a player may have. A player with more is usually a
/// strong player whose early rating lags behind. Judged: without any limit, play at 2200 and at
/// 2700 could not be distinguished.
const FEW_GAMES: usize = 40;
/// Most turns taken from one side of a game. Games are independent, turns of a game are not.
/// Judged: about half of the turns of a game after the opening.
pub const TURNS_OF_A_SIDE: usize = 15;

/// Words in event and site tags that exclude a game: fast, blindfold, online, team and exhibition
/// chess.
const EXCLUDED: [&str; 33] = [
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
/// Beginnings of further words that exclude a game.
const EXCLUDED_BEGINNINGS: [&str; 4] = ["knock", "tch", "4ncl", "olymp"];

/// A game of a player at a milepost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateGame {
    /// The milepost (Elo).
    pub milepost: u16,
    /// Whether that player has White.
    pub is_white: bool,
    /// The game. Its event is empty.
    pub game: GameOfEvent,
}

/// Collects the candidate games of each milepost, in the order of their fingerprints.
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
    let mut excluded: FxHashMap<(crate::games::NameId, crate::games::NameId), bool> =
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
                let tags = (game.event, game.site);
                if !fits || *excluded.entry(tags).or_insert_with(|| is_excluded(table, game)) {
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
    for of_milepost in &mut found {
        // A fingerprint is a hash, so this order is random, and the same for each order of the
        // inputs. A game more or less in the collection leaves the others where they are.
        of_milepost.sort_by_key(|candidate| {
            let game = &table.games()[candidate.game.row];
            (game.fingerprint, candidate.is_white)
        });
    }
    found
}

fn is_excluded(table: &GameTable, game: &Game) -> bool {
    let text = fold(&format!("{} {}", table.text(game.event), table.text(game.site)));
    tag_words(&text).any(|word| {
        EXCLUDED.contains(&word.as_str())
            || EXCLUDED_BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
    })
}

/// Keeps a random sample of the rated turns of a game: at most `turns` for each of these sides.
pub fn sample_turns(game: &mut GameTurns, sides: &[bool], turns: usize) {
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
