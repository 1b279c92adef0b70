//! The places that missing games leave open.

use crate::record::AnalysedEvent;
use chess_history::events::Scoring;
use tournament_app::Kind;

/// Gives players whose place missing games may change the first and the last place that these games
/// allow. The players are in the order of finish. History gives the places of the first `settled`
/// players, so those stay.
pub(super) fn open_places(record: &mut AnalysedEvent, settled: usize) {
    // Other points decide by another scoring, and nobody knows those of missing games.
    let has_other_scoring = record.event.scoring() != Scoring::GamePoints;
    if has_other_scoring
        || matches!(record.event.kind, Kind::Team | Kind::KnockOut | Kind::Fragment)
    {
        return;
    }
    let players = &record.analysis.players;
    let finishers: Vec<Finisher> = players
        .iter()
        .map(|player| {
            let (known, expected) = record.eligibility.games_of(player);
            Finisher {
                points: player.main_points,
                missing: expected - known,
                places: (player.rank, player.last_rank),
            }
        })
        .collect();
    for (player, range) in record.analysis.players.iter_mut().zip(ranges(&finishers, settled)) {
        (player.rank, player.last_rank) = range.places;
        player.is_place_open = range.is_open;
    }
}

/// A player in the order of finish.
struct Finisher {
    points: f64,
    /// The number of the player's games that are missing.
    missing: usize,
    /// The first and the last number of the place by the known games.
    places: (usize, usize),
}

impl Finisher {
    /// Whether this player finished before another, whatever the results of missing games.
    fn is_before(&self, other: &Finisher) -> bool {
        if self.missing + other.missing == 0 {
            return self.places.1 < other.places.0;
        }
        self.points > other.points + other.missing as f64
    }
}

/// The places that a player may have.
struct Range {
    /// The first and the last of them.
    places: (usize, usize),
    /// Whether missing games decide among them; otherwise players share them.
    is_open: bool,
}

fn ranges(finishers: &[Finisher], settled: usize) -> Vec<Range> {
    let lacks_games = finishers.iter().any(|one| one.missing > 0);
    let settled = if lacks_games { settled.min(finishers.len()) } else { finishers.len() };
    let (first, rest) = finishers.split_at(settled);
    let known = first.iter().map(|one| Range { places: one.places, is_open: false });
    let mut ranges: Vec<Range> = known.collect();
    for (number, one) in rest.iter().enumerate() {
        let (mut before, mut behind, mut is_open) = (0, 0, false);
        for (_, other) in rest.iter().enumerate().filter(|(place, _)| *place != number) {
            if other.is_before(one) {
                before += 1;
            } else if one.is_before(other) {
                behind += 1;
            } else {
                is_open |= one.missing + other.missing > 0;
            }
        }
        let places = (first.len() + before + 1, finishers.len() - behind);
        ranges.push(Range { places, is_open });
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(points_and_missing: &[(f64, usize)]) -> Vec<Finisher> {
        let finishers = points_and_missing.iter().zip(1..);
        finishers
            .map(|(&(points, missing), place)| Finisher { points, missing, places: (place, place) })
            .collect()
    }

    fn places(finishers: &[Finisher], settled: usize) -> Vec<(usize, usize)> {
        ranges(finishers, settled).into_iter().map(|range| range.places).collect()
    }

    #[test]
    fn places_that_no_missing_game_can_change_stay() {
        let players = field(&[(7.0, 0), (5.0, 1), (4.5, 1), (2.0, 0), (1.5, 0)]);
        assert_eq!(places(&players, 0), [(1, 1), (2, 3), (2, 3), (4, 4), (5, 5)]);
    }

    #[test]
    fn history_settles_the_first_places() {
        let players = field(&[(7.0, 1), (6.0, 2), (6.5, 2), (6.0, 2)]);
        assert_eq!(places(&players, 2), [(1, 1), (2, 2), (3, 4), (3, 4)]);
        assert_eq!(places(&players, 0), [(1, 4); 4]);
    }

    #[test]
    fn without_missing_games_a_shared_place_stays_shared() {
        let mut players = field(&[(7.0, 0), (5.0, 0), (5.0, 0)]);
        for shared in &mut players[1..] {
            shared.places = (2, 3);
        }
        assert_eq!(places(&players, 0), [(1, 1), (2, 3), (2, 3)]);
        players.push(Finisher { points: 1.0, missing: 1, places: (4, 4) });
        assert_eq!(places(&players, 0), [(1, 1), (2, 3), (2, 3), (4, 4)]);
        assert!(ranges(&players, 0).iter().all(|range| !range.is_open));
        // A level player who lacks a game may still pass or fall behind.
        players[2].missing = 1;
        assert_eq!(places(&players, 0), [(1, 1), (2, 3), (2, 3), (4, 4)]);
        let open: Vec<bool> = ranges(&players, 0).iter().map(|range| range.is_open).collect();
        assert_eq!(open, [false, true, true, false]);
    }
}
