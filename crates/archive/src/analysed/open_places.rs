//! The places that missing games leave open.

use crate::record::AnalysedEvent;
use tournament_app::Kind;

/// Gives players whose place missing games may change the first and the last place that these games
/// allow. The players are in the order of finish. History gives the places of the first `settled`
/// players, so those stay.
pub(super) fn open_places(record: &mut AnalysedEvent, settled: usize) {
    if matches!(record.event.kind, Kind::Team | Kind::KnockOut | Kind::Fragment) {
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
    let ranges = ranges(&finishers, settled);
    for ((player, finisher), range) in
        record.analysis.players.iter_mut().zip(&finishers).zip(ranges)
    {
        player.is_place_open = finisher.places != range;
        (player.rank, player.last_rank) = range;
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

/// The first and the last place of each player.
fn ranges(finishers: &[Finisher], settled: usize) -> Vec<(usize, usize)> {
    if finishers.iter().all(|one| one.missing == 0) {
        return finishers.iter().map(|one| one.places).collect();
    }
    let (first, rest) = finishers.split_at(settled.min(finishers.len()));
    let mut ranges: Vec<(usize, usize)> = first.iter().map(|one| one.places).collect();
    for one in rest {
        let before = rest.iter().filter(|other| other.is_before(one)).count();
        let behind = rest.iter().filter(|other| one.is_before(other)).count();
        ranges.push((first.len() + before + 1, finishers.len() - behind));
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

    #[test]
    fn places_that_no_missing_game_can_change_stay() {
        let players = field(&[(7.0, 0), (5.0, 1), (4.5, 1), (2.0, 0), (1.5, 0)]);
        assert_eq!(ranges(&players, 0), [(1, 1), (2, 3), (2, 3), (4, 4), (5, 5)]);
    }

    #[test]
    fn history_settles_the_first_places() {
        let players = field(&[(7.0, 1), (6.0, 2), (6.5, 2), (6.0, 2)]);
        assert_eq!(ranges(&players, 2), [(1, 1), (2, 2), (3, 4), (3, 4)]);
        assert_eq!(ranges(&players, 0), [(1, 4); 4]);
    }

    #[test]
    fn without_missing_games_a_shared_place_stays_shared() {
        let mut players = field(&[(7.0, 0), (5.0, 0), (5.0, 0)]);
        for shared in &mut players[1..] {
            shared.places = (2, 3);
        }
        assert_eq!(ranges(&players, 0), [(1, 1), (2, 3), (2, 3)]);
        players.push(Finisher { points: 1.0, missing: 1, places: (4, 4) });
        assert_eq!(ranges(&players, 0), [(1, 1), (2, 3), (2, 3), (4, 4)]);
    }
}
