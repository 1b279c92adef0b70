//! Other ways to rank an event: a folded section of its page.

use serde::Serialize;

use super::{Link, Site};
use crate::figures::{counted, fixed, fixed_or_empty, points};
use archive::EventRecord;
use tournament_app::Kind;
use tournament_app::pairing::{ConnectedRating, OtherOrder, OtherOrders, Violations};

/// Players that the page shows. The export has all. Judged: the orders differ most at the top.
const SHOWN: usize = 40;

/// From this number of players on, the page would be too large, and shows none. Judged: the tables
/// of such an event fill the page already.
const LARGE: usize = 150;

/// A column: its name, its meaning, its value for a player, and the dominances that its order
/// contradicts.
type OrderDefinition =
    (&'static str, &'static str, fn(&OtherOrder) -> String, fn(&Violations) -> Option<usize>);

fn strong(figure: ConnectedRating, decimals: usize) -> String {
    match figure {
        ConnectedRating::Figure(figure) => fixed(figure, decimals),
        ConnectedRating::Above => "above".into(),
        ConnectedRating::Below => "below".into(),
        ConnectedRating::Apart => "–".into(),
    }
}

/// The columns that make sense for such an event.
fn columns(kind: Kind, is_complete: bool, has_ties: bool) -> Vec<OrderDefinition> {
    let is_round_robin =
        matches!(kind, Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::MultipleRoundRobin);
    let mut columns: Vec<OrderDefinition> = Vec::new();
    if has_ties {
        columns.push((
            "Encounter",
            "place by points, with ties broken by the games between the tied players",
            |one| one.direct_encounter.to_string(),
            |broken| Some(broken.direct_encounter),
        ));
    }
    columns.push((
        "S.-B.",
        "Sonneborn-Berger: the sum of the points scored against each opponent times that opponent’s total",
        |one| fixed(one.sonneborn_berger, 2),
        |broken| Some(broken.sonneborn_berger),
    ));
    if !is_complete {
        columns.push((
            "Buchholz",
            "sum of the opponents’ points",
            |one| points(one.buchholz),
            |broken| Some(broken.buchholz),
        ));
    }
    if is_round_robin {
        columns.push((
            "Koya",
            "points against opponents who scored at least half",
            |one| points(one.koya),
            |broken| Some(broken.koya),
        ));
    }
    columns.push((
        "Over–under",
        "number of opponents against whom the player scored more than half of the points, and number who scored more than half against the player",
        |one| format!("{}–{}", one.dominance.over, one.dominance.under),
        |_| None,
    ));
    columns.push((
        "Dominance",
        "percentage of the other players whom the player dominated; opponents with equal scores, and players not met, count as \
         half",
        |one| fixed_or_empty(one.dominance.part.map(|part| 100.0 * part), 1),
        |broken| Some(broken.dominance),
    ));
    if !is_complete {
        let others: [OrderDefinition; 4] = [
            (
                "Least squares",
                "ratings that best fit the scores, if expected scores follow a straight line over 800 points",
                |one| one.linear.map_or_else(|| "–".into(), |rating| fixed(rating, 0)),
                |broken| Some(broken.linear),
            ),
            (
                "Berkin",
                "fair bets: opponents weighted by the points scored against them",
                |one| strong(one.berkin, 0),
                |broken| Some(broken.berkin),
            ),
            (
                "Bradley-Terry",
                "ratings by which the expected points equal the actual points, on the logistic curve",
                |one| strong(one.bradley_terry, 0),
                |broken| Some(broken.bradley_terry),
            ),
            (
                "Power",
                "Kendall and Wei: a player who beats strong players is strong; the highest is 1",
                |one| strong(one.power, 3),
                |broken| Some(broken.power),
            ),
        ];
        columns.extend(others);
    }
    columns
}

/// The section of the page; `None` for matches.
pub(super) fn of_event(
    site: &Site,
    record: &EventRecord,
    orders: Option<&OtherOrders>,
) -> Option<impl Serialize> {
    let orders = orders?;
    let has_ties = orders.players.iter().any(|one| one.is_tied);
    let columns = columns(record.event.kind, orders.is_complete, has_ties);
    let standing = record.analysis.players.iter().filter(|player| player.main_games > 0);
    let players = standing.clone().count();
    let shown = if players < LARGE { SHOWN } else { 0 };
    let rows = standing.take(shown).map(|player| {
        let own = &orders.players[player.index];
        view!(
            player = Link::to_player(site.archive, record.event.players[player.index]),
            points = points(own.points),
            cells = columns.iter().map(|(_, _, shown, _)| shown(own)).collect::<Vec<_>>()
        )
    });
    let fewest = orders
        .fewest_violations
        .map(|fewest| format!("; any order contradicts at least {fewest} of them"))
        .unwrap_or_default();
    Some(view!(
        text = format!(
            "{} (one player took more than half of the points against another){}. Who did better depends on the question.{}",
            counted(orders.dominances, "dominance", "dominances"),
            fewest,
            if orders.is_complete {
                " All players met each other equally often, so methods that weigh opponents by games give the order of the points."
            } else {
                ""
            }
        ),
        rows = rows.collect::<Vec<_>>(),
        // Dominances that the order of each column contradicts.
        violations = columns
            .iter()
            .map(|(.., broken)| broken(&orders.violations))
            .map(|broken| broken.unwrap_or(orders.violations.dominance))
            .collect::<Vec<_>>(),
        // The number of players that are left out.
        more = players.saturating_sub(shown),
        columns =
            columns.iter().map(|&(name, meaning, ..)| view!(name, meaning)).collect::<Vec<_>>()
    ))
}
