//! An example for the page of the method: an event in which methods disagree about who did better.

use serde::Serialize;

use super::{Link, Site};
use crate::archive::EventRecord;
use crate::site::figures::points;
use crate::tournament::pairing::OtherOrder;

/// The example.
#[derive(Debug, Serialize)]
pub(super) struct WhoDidBetter {
    event: Link,
    /// The first by points, and his points.
    by_points: String,
    points: String,
    /// The first by least squares, and his points.
    by_linear: String,
    points_of_linear: String,
}

/// The smallest number of players of such an event.
const FEWEST: usize = 8;

/// The player with the highest figure; `None` if several share it.
fn first(players: &[OtherOrder], of: impl Fn(&OtherOrder) -> Option<f64>) -> Option<usize> {
    let figure = |place: &usize| of(&players[*place]).unwrap_or(f64::NEG_INFINITY);
    let best = (0..players.len()).max_by(|a, b| figure(a).total_cmp(&figure(b)))?;
    let most = figure(&best);
    let alike = (0..players.len()).filter(|place| most - figure(place) < 1e-6).count();
    (alike == 1 && most.is_finite()).then_some(best)
}

/// The strongest tournament in which the first by points is not the first by least squares. All
/// players have the same number of games, but not the same opponents.
pub(super) fn who_did_better(site: &Site) -> Option<WhoDidBetter> {
    let archive = site.archive;
    let of_record = |record: &EventRecord| {
        let orders = record.orders()?;
        if orders.is_complete || orders.players.len() < FEWEST {
            return None;
        }
        // If a player has fewer games than others, some may be missing.
        let mut games = vec![0usize; orders.players.len()];
        for game in record.input.played() {
            for player in [game.white, game.black] {
                *games.get_mut(player)? += 1;
            }
        }
        if games.iter().any(|of| *of != games[0]) {
            return None;
        }
        let (one, other) = (
            first(&orders.players, |own| Some(own.points))?,
            first(&orders.players, |own| own.linear)?,
        );
        let name = |place: usize| {
            let player = record.event.players.get(place)?;
            Some(archive.players.get(*player).name.clone())
        };
        let points_of = |place: usize| points(orders.players[place].points);
        (one != other).then_some(())?;
        Some(WhoDidBetter {
            event: Link::to_event(record),
            by_points: name(one)?,
            points: points_of(one),
            by_linear: name(other)?,
            points_of_linear: points_of(other),
        })
    };
    archive.lists.strength.iter().find_map(|row| of_record(&archive.records[row.event]))
}
