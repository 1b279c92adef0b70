//! An example for the page of the method: an event in which methods disagree about who did better.

use serde::Serialize;

use super::{Link, Site};
use crate::figures::points;
use archive::EventRecord;
use tournament_app::pairing::OtherOrder;

/// The smallest number of players of such an event. Judged: in a smaller field a single game
/// can reverse the two orders.
const FEWEST: usize = 8;

/// The player with the highest figure; `None` if several share it.
fn first(players: &[OtherOrder], figure: impl Fn(&OtherOrder) -> Option<f64>) -> Option<usize> {
    let figures: Vec<f64> =
        players.iter().map(|player| figure(player).unwrap_or(f64::NEG_INFINITY)).collect();
    let best = (0..figures.len()).max_by(|a, b| figures[*a].total_cmp(&figures[*b]))?;
    let most = figures[best];
    let level = figures.iter().filter(|figure| most - **figure < 1e-6).count();
    (level == 1 && most.is_finite()).then_some(best)
}

/// The strongest tournament in which the first by points is not the first by least squares. All
/// players have the same number of games, but not the same opponents.
pub(super) fn who_did_better(site: &Site) -> Option<impl Serialize> {
    let mut rows = site.archive.lists.strength.iter();
    rows.find_map(|row| in_event(site, &site.archive.records[row.event]))
}

/// The two players of an event; `None` if it is not an example.
fn in_event(site: &Site, record: &EventRecord) -> Option<impl Serialize> {
    let orders = record.orders()?;
    let players = &orders.players;
    if orders.is_complete || players.len() < FEWEST {
        return None;
    }
    // If a player has fewer games than others, some may be missing.
    let mut games = vec![0usize; players.len()];
    for game in record.input.played() {
        for player in [game.white, game.black] {
            *games.get_mut(player)? += 1;
        }
    }
    if games.iter().any(|of| *of != games[0]) {
        return None;
    }
    let by_points = first(players, |own| Some(own.points))?;
    let by_linear = first(players, |own| own.linear)?;
    if by_points == by_linear {
        return None;
    }
    let [points_name, linear_name] = [by_points, by_linear].map(|place| {
        let player = record.event.players.get(place)?;
        Some(site.archive.players.get(*player).name.clone())
    });
    Some(view!(
        event = Link::to_event(record),
        // The first by points, and the player's points.
        by_points = points_name?,
        points = points(players[by_points].points),
        // The first by least squares, and the player's points.
        by_linear = linear_name?,
        points_of_linear = points(players[by_linear].points)
    ))
}
