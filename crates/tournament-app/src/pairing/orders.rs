//! Applies all methods to one event.

use serde::Serialize;

use super::table::{PairScore, PairingTable};
use super::{
    Dominance, berkin, bradley_terry, buchholz, dominances, fewest_violations, koya, linear,
    places_by_direct_encounter, power, sonneborn_berger, violations,
};
use crate::event::Event;
use crate::options::LARGEST_FIELD;

/// The results of the other methods for one event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherOrders {
    /// By player, in the order of the event.
    pub players: Vec<OtherOrder>,
    /// Whether all pairs of players met equally often. The schedules are then equal, so methods
    /// that weight opponents add nothing to the points.
    pub is_complete: bool,
    /// Number of dominances of one player over another.
    pub dominances: usize,
    /// Number of dominances that each order violates.
    pub violations: Violations,
    /// The fewest violations of any order; `None` with more than [`MOST_PLAYERS`] players.
    pub fewest_violations: Option<usize>,
}

/// Largest number of players for which the fewest violations are computed. Judged: each player more
/// doubles the time, and the app computes this for every event of an archive.
pub const MOST_PLAYERS: usize = 16;

/// The results of one player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OtherOrder {
    /// Points from played games.
    pub points: f64,
    /// Rank by points, with ties broken by direct encounter as far as possible.
    pub direct_encounter: usize,
    /// Whether another player has the same number of points.
    pub is_tied: bool,
    /// Sonneborn-Berger: each opponent's points times the points scored against the opponent.
    pub sonneborn_berger: f64,
    /// Buchholz: the sum of the opponents' points.
    pub buchholz: f64,
    /// Koya: points against opponents with at least half of their possible points.
    pub koya: f64,
    /// Numbers of opponents with less than half of the points against the player, and the reverse.
    pub dominance: Dominance,
    /// Least squares (points, K = 400, mean 0); `None` outside the largest set of players connected
    /// by games.
    pub linear: Option<f64>,
    /// Fair bets (points, mean 0).
    pub berkin: ConnectedRating,
    /// Bradley-Terry (points, mean 0).
    pub bradley_terry: ConnectedRating,
    /// Power method (Kendall, Wei); the highest value is 1.
    pub power: ConnectedRating,
}

/// A rating that exists only among strongly connected players: each took points off each of the
/// others, directly or through other players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectedRating {
    /// The rating, in the unit of its method.
    Figure(f64),
    /// Took points off the strongly connected players and lost none to them, directly or through
    /// others.
    Above,
    /// Lost points to them and took none off them.
    Below,
    /// Neither, or both without being one of them.
    Apart,
}

impl ConnectedRating {
    /// Returns the rating, if there is one.
    pub fn figure(self) -> Option<f64> {
        match self {
            ConnectedRating::Figure(figure) => Some(figure),
            ConnectedRating::Above | ConnectedRating::Below | ConnectedRating::Apart => None,
        }
    }

    /// A sort key: players above the others come before all ratings, those below after them.
    fn size(self) -> Option<f64> {
        match self {
            ConnectedRating::Figure(figure) => Some(figure),
            ConnectedRating::Above => Some(f64::INFINITY),
            ConnectedRating::Below => Some(f64::NEG_INFINITY),
            ConnectedRating::Apart => None,
        }
    }
}

/// Number of dominances that each order violates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Violations {
    /// By points and direct encounter.
    pub direct_encounter: usize,
    /// By Sonneborn-Berger scores, without a tie-break.
    pub sonneborn_berger: usize,
    /// By Buchholz scores, without a tie-break.
    pub buchholz: usize,
    /// By Koya scores, without a tie-break.
    pub koya: usize,
    /// By the balance of dominances.
    pub dominance: usize,
    /// By least-squares ratings.
    pub linear: usize,
    /// By fair-bets ratings.
    pub berkin: usize,
    /// By Bradley-Terry strengths.
    pub bradley_terry: usize,
    /// By the power method.
    pub power: usize,
}

/// Rating points for odds of ten to one.
const POINTS: f64 = 400.0;

/// Applies all methods. Returns `None` with fewer than three players with games, because a match
/// needs none, and with more than [`LARGEST_FIELD`] players, who do not form a competition.
pub fn other_orders(event: &Event) -> Option<OtherOrders> {
    if event.players.len() > LARGEST_FIELD {
        return None;
    }
    let table = PairingTable::of_event(event);
    let playing = (0..table.len()).filter(|player| table.games(*player) > 0.0).count();
    if playing < 3 {
        return None;
    }
    let found = dominances(&table);
    let (places, sonneborn, solkoff, of_best) = (
        places_by_direct_encounter(&table),
        sonneborn_berger(&table),
        buchholz(&table),
        koya(&table),
    );
    let by_squares = largest_set_ratings(&table);
    let strong = StrongSet::new(&table);
    let logs: Vec<f64> =
        berkin(&strong.table).iter().map(|rating| POINTS * rating.log10()).collect();
    let middle = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
    let bets = strong.spread(&logs.iter().map(|one| one - middle).collect::<Vec<f64>>());
    let natural = POINTS / std::f64::consts::LN_10;
    let strengths: Vec<f64> =
        bradley_terry(&strong.table).iter().map(|strength| natural * strength).collect();
    let strengths = strong.spread(&strengths);
    let powers = strong.spread(&power(&strong.table));
    let players: Vec<OtherOrder> = (0..table.len())
        .map(|player| OtherOrder {
            points: table.won(player),
            direct_encounter: places[player],
            is_tied: (0..table.len())
                .any(|other| other != player && table.won(other) == table.won(player)),
            sonneborn_berger: sonneborn[player],
            buchholz: solkoff[player],
            koya: of_best[player],
            dominance: found[player],
            linear: by_squares[player],
            berkin: bets[player],
            bradley_terry: strengths[player],
            power: powers[player],
        })
        .collect();
    Some(OtherOrders {
        is_complete: is_complete(&table),
        dominances: found.iter().map(|one| one.over).sum(),
        violations: Violations {
            direct_encounter: violations(&table, &places),
            ..Violations::by_figures(&table, &players)
        },
        fewest_violations: (table.len() <= MOST_PLAYERS)
            .then(|| fewest_violations(&table))
            .flatten(),
        players,
    })
}

impl Violations {
    /// Counts the violations of the orders that follow from a figure of each player.
    fn by_figures(table: &PairingTable, players: &[OtherOrder]) -> Violations {
        let [sonneborn_berger, buchholz, koya, dominance, linear, berkin, bradley_terry, power] = [
            players.iter().map(|one| Some(one.sonneborn_berger)).collect::<Vec<_>>(),
            players.iter().map(|one| Some(one.buchholz)).collect(),
            players.iter().map(|one| Some(one.koya)).collect(),
            players.iter().map(|one| Some(one.dominance.balance() as f64)).collect(),
            players.iter().map(|one| one.linear).collect(),
            players.iter().map(|one| one.berkin.size()).collect(),
            players.iter().map(|one| one.bradley_terry.size()).collect(),
            players.iter().map(|one| one.power.size()).collect(),
        ]
        .map(|figures| violations(table, &ranks(&figures)));
        Violations {
            direct_encounter: 0,
            sonneborn_berger,
            buchholz,
            koya,
            dominance,
            linear,
            berkin,
            bradley_terry,
            power,
        }
    }
}

/// Ranks, from 1, by a figure, the largest first. Equal figures share a rank; players without one
/// are last.
fn ranks(figures: &[Option<f64>]) -> Vec<usize> {
    let mut sorted: Vec<f64> =
        figures.iter().map(|figure| figure.unwrap_or(f64::NEG_INFINITY)).collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    figures
        .iter()
        .map(|figure| {
            let figure = figure.unwrap_or(f64::NEG_INFINITY);
            sorted.partition_point(|other| *other > figure) + 1
        })
        .collect()
}

fn is_complete(table: &PairingTable) -> bool {
    let mut all = (0..table.len()).flat_map(|player| table.opponents(player));
    let Some(games) = all.next().map(|pair| pair.games()) else { return false };
    all.all(|pair| pair.games() == games)
        && (0..table.len()).all(|player| table.opponents(player).len() + 1 == table.len())
}

/// Least squares for the largest set of players connected by games.
fn largest_set_ratings(table: &PairingTable) -> Vec<Option<f64>> {
    let mut ratings = vec![None; table.len()];
    let largest = table.joined().into_iter().next().unwrap_or_default();
    for (player, rating) in largest.iter().zip(linear(&table.part(&largest), POINTS)) {
        ratings[*player as usize] = Some(rating);
    }
    ratings
}

/// Finds the players who are reached from `members`, directly or through others, by pairs that
/// `leads` accepts.
fn reached(table: &PairingTable, members: &[u32], leads: fn(&PairScore) -> bool) -> Vec<bool> {
    let mut seen = vec![false; table.len()];
    let mut open = members.to_vec();
    for member in members {
        seen[*member as usize] = true;
    }
    while let Some(player) = open.pop() {
        for pair in table.opponents(player as usize).iter().filter(|pair| leads(pair)) {
            if !std::mem::replace(&mut seen[pair.opponent as usize], true) {
                open.push(pair.opponent);
            }
        }
    }
    seen
}

/// The largest set of strongly connected players, and the relation of the others to it.
struct StrongSet {
    members: Vec<u32>,
    table: PairingTable,
    others: Vec<ConnectedRating>,
}

impl StrongSet {
    fn new(table: &PairingTable) -> StrongSet {
        let members = table.strongly_joined().into_iter().next().unwrap_or_default();
        // The players whom the members took points off, directly or through others, and those who
        // took points off the members.
        let under = reached(table, &members, |pair| pair.won > 0.0);
        let over = reached(table, &members, |pair| pair.lost > 0.0);
        let others = over.iter().zip(&under).map(|(over, under)| match (over, under) {
            (true, false) => ConnectedRating::Above,
            (false, true) => ConnectedRating::Below,
            _ => ConnectedRating::Apart,
        });
        StrongSet { table: table.part(&members), others: others.collect(), members }
    }

    /// Assigns the figures of the members to all players.
    fn spread(&self, figures: &[f64]) -> Vec<ConnectedRating> {
        // A single player has no rating.
        if self.members.len() < 2 {
            return vec![ConnectedRating::Apart; self.others.len()];
        }
        let mut spread = self.others.clone();
        for (member, figure) in self.members.iter().zip(figures) {
            spread[*member as usize] = ConnectedRating::Figure(*figure);
        }
        spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Game, Player};
    use crate::kind::Kind;

    fn event(players: usize, games: &[(usize, usize, f64)]) -> Event {
        Event {
            name: "Town 1900".into(),
            kind: Kind::RoundRobin,
            rating_system: "Elo".into(),
            players: (0..players).map(|one| Player::new(format!("P{one}"), None)).collect(),
            games: games
                .iter()
                .map(|&(white, black, score)| Game::new(white, black, score))
                .collect(),
            number_two: None,
        }
    }

    #[test]
    fn undefeated_players_are_above_winless_ones_below_and_idle_ones_apart() {
        let games = [
            (0, 1, 1.0),
            (0, 2, 1.0),
            (0, 3, 1.0),
            (1, 2, 1.0),
            (2, 3, 1.0),
            (3, 1, 1.0),
            (1, 4, 1.0),
        ];
        let found = other_orders(&event(6, &games)).unwrap();
        assert_eq!(found.players[0].berkin, ConnectedRating::Above);
        assert_eq!(found.players[4].power, ConnectedRating::Below);
        assert_eq!(found.players[5].bradley_terry, ConnectedRating::Apart);
        for player in 1..4 {
            let figure = found.players[player].bradley_terry.figure().unwrap();
            assert!(figure.abs() < 1e-6, "a circle of equals: {figure}");
        }
        assert_eq!(found.players[5].linear, None);
        assert!(found.players[0].linear.unwrap() > 0.0 && !found.is_complete);
        assert_eq!((found.dominances, found.fewest_violations), (7, Some(1)));
    }

    #[test]
    fn matches_and_servers_have_no_other_orders_and_a_complete_table_has_equal_schedules() {
        assert_eq!(other_orders(&event(2, &[(0, 1, 1.0)])), None);
        let games = [(0, 1, 1.0), (1, 2, 0.5), (2, 0, 0.5)];
        assert_eq!(other_orders(&event(LARGEST_FIELD + 1, &games)), None);
        let whole = other_orders(&event(3, &games)).unwrap();
        assert!(whole.is_complete);
        assert_eq!(whole.players[0].sonneborn_berger, 0.5 + 0.5 * 1.0);
    }
}
