//! An event in which who did better depends on the question: an example on the page of the method.

use serde::Serialize;

use super::{Link, Site};
use crate::archive::EventRecord;
use crate::site::figures::points;
use crate::tournament::pairing::OtherOrder;

/// The example.
#[derive(Debug, Serialize)]
pub(super) struct WhoDidBetter {
    event: Link,
    /// First by points, and these.
    by_points: String,
    points: String,
    /// First by least squares, and his points.
    by_linear: String,
    points_of_linear: String,
}

/// Players whom such an event has at least.
const FEWEST: usize = 8;

/// Who alone has most of something; `None` where several have.
fn first(players: &[OtherOrder], of: impl Fn(&OtherOrder) -> Option<f64>) -> Option<usize> {
    let figure = |place: &usize| of(&players[*place]).unwrap_or(f64::NEG_INFINITY);
    let best = (0..players.len()).max_by(|a, b| figure(a).total_cmp(&figure(b)))?;
    let most = figure(&best);
    let alike = (0..players.len()).filter(|place| most - figure(place) < 1e-6).count();
    (alike == 1 && most.is_finite()).then_some(best)
}

/// The strongest tournament in which all have as many games, though not with the same opponents, and the first by points is another than the first by least
/// squares, who had met the stronger field.
pub(super) fn who_did_better(site: &Site) -> Option<WhoDidBetter> {
    let archive = site.archive;
    let of_record = |record: &EventRecord| {
        let orders = record.orders()?;
        if orders.is_complete || orders.players.len() < FEWEST {
            return None;
        }
        // Where somebody has fewer games than others, some may be missing.
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
        let told = |place: usize| points(orders.players[place].points);
        (one != other).then_some(())?;
        Some(WhoDidBetter {
            event: Link::to_event(record),
            by_points: name(one)?,
            points: told(one),
            by_linear: name(other)?,
            points_of_linear: told(other),
        })
    };
    archive.lists.strength.iter().find_map(|row| of_record(&archive.records[row.event]))
}
