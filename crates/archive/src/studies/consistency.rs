//! Measures how rating lists agree with the games of the preceding and of the same year.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::lists::PlayerRow;
use crate::rated_players::rankings::Ranking;
use chess_history::players::Players;
use chess_history::ratings::RatingHistory;
use pgn_collections::games::{GameFlags, GameTable};
use rating_systems::evaluation::consistency::{Consistency, ListedGame};

/// The agreement of a list with the games of a year.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsistencyRow {
    pub system: String,
    /// The year of the list, which is that of its first day.
    pub year: i16,
    /// The year of the games.
    pub games_of: i16,
    pub found: Consistency,
}

/// The scale (points) of the linear expectation.
const SCALE: f64 = 400.0;

/// The consistency of all ranked lists, in their order, with these games.
pub fn consistency(
    rankings: &[Ranking],
    player_rows: &[PlayerRow],
    table: &GameTable,
    rows: &[usize],
    players: &Players,
) -> Vec<ConsistencyRow> {
    let mut by_year: BTreeMap<i16, Vec<(u32, u32, f64)>> = BTreeMap::new();
    for &row in rows {
        let game = &table.games()[row];
        let Some((year, score)) = game.date.year().zip(game.result.white_score()) else { continue };
        let pair = players.of_name(game.white).zip(players.of_name(game.black));
        let Some((white, black)) = pair.filter(|(white, black)| white != black) else { continue };
        if !game.flags.contains(GameFlags::UNPLAYED) {
            let games = by_year.entry(year).or_default();
            games.push((white.index() as u32, black.index() as u32, score));
        }
    }
    // The last digit of a sum depends on the order of its terms, and the order of games on that of
    // the files.
    for games in by_year.values_mut() {
        games.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    }
    let mut histories: FxHashMap<&str, FxHashMap<u32, &RatingHistory>> = FxHashMap::default();
    for row in player_rows {
        for history in &row.histories {
            let of_system = histories.entry(history.system.as_str()).or_default();
            of_system.insert(row.player.index() as u32, history);
        }
    }
    rankings
        .par_iter()
        .flat_map_iter(|ranking| {
            let mut rows = Vec::new();
            let Some(histories) = histories.get(ranking.system.as_str()) else { return rows };
            for games_of in [ranking.year - 1, ranking.year] {
                if let Some(games) = by_year.get(&games_of) {
                    rows.extend(consistency_of_year(ranking, games_of, histories, games));
                }
            }
            rows
        })
        .collect()
}

/// The consistency of a ranked list with the games of a year; `None` without enough games.
fn consistency_of_year(
    ranking: &Ranking,
    games_of: i16,
    histories: &FxHashMap<u32, &RatingHistory>,
    games: &[(u32, u32, f64)],
) -> Option<ConsistencyRow> {
    let mut listed = Vec::new();
    for &(one, other, score) in games {
        let [rating, opponent] =
            [one, other].map(|player| histories.get(&player)?.on_edition(ranking.edition));
        if let (Some(rating), Some(opponent)) = (rating, opponent) {
            listed.push(ListedGame { one, other, rating, opponent, score });
        }
    }
    let found = Consistency::from_games(&listed, SCALE)?;
    let (system, year) = (ranking.system.clone(), ranking.year);
    Some(ConsistencyRow { system, year, games_of, found })
}
