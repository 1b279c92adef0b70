//! The model of a history of games: a strength for each player and year, steps between years, and
//! games.

use std::ops::Range;

use super::couplings::Couplings;
use super::movement::Movement;
use super::tendency::Meeting;
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::results::RatedGame;

/// Marks the absence of a node.
pub(crate) const NONE: u32 = u32::MAX;

/// Number of years whose newcomers share a mean. Judged: the mean moves by about 30 points from one
/// cohort to the next, and shorter cohorts would have few newcomers in early years.
pub(super) const COHORT_YEARS: i16 = 5;

/// Standard deviation (points) of the first cohort's mean around zero. Judged: so wide that it does
/// not affect the level, and narrow enough to keep the equations regular.
pub(super) const FIRST_COHORT: f64 = 1000.0;

/// Number of years that share an advantage of White. Judged: it changes slowly (26 points before
/// 1900, 31 before 1925, 41 to 45 since), and its standard error before 1900, 5 points, would grow
/// in shorter periods.
pub(super) const ERA_YEARS: i16 = 25;

/// Assumed age at the first game of players whose birth is unknown. Measured: with 22 to 28, log
/// loss changes by less than 0.0001.
pub(super) const USUAL_AGE: f64 = 25.0;

/// The model and its assumptions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedModel {
    /// How strengths change with time.
    pub movement: Movement,
    /// Standard deviation (points) of newcomers around their mean.
    pub newcomers: f64,
    /// Whether a newcomer has one drawn game against strength zero instead of a normal prior, as in
    /// Whole-History Rating.
    pub drawn_first: bool,
    /// Standard deviation (points) of the step between the means of newcomers of consecutive
    /// five-year cohorts. 0: the mean of all newcomers is zero.
    pub cohorts: f64,
    /// Drawn games without White's advantage that are added for each game.
    pub pad: f64,
    /// Prior mean of White's advantage (points).
    pub white: f64,
    /// Prior standard deviation of White's advantage (points). 0: the advantage is fixed.
    pub white_deviation: f64,
    /// Whether games weigh more where draws are more frequent.
    pub by_draws: bool,
}

impl Default for PairedModel {
    fn default() -> PairedModel {
        PairedModel {
            movement: Movement::default(),
            newcomers: 140.0,
            drawn_first: false,
            cohorts: 30.0,
            pad: 0.05,
            white: 35.0,
            white_deviation: 15.0,
            by_draws: true,
        }
    }
}

/// A game between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedGame {
    /// White's number among the players.
    pub white: u32,
    /// Black's number among the players.
    pub black: u32,
    /// The calendar year.
    pub year: i16,
    /// White's score, in `[0, 1]`.
    pub score: f64,
    /// Weight of the game: 1, unless its result is only approximately known.
    pub weight: f64,
    /// White's head start (points).
    pub offset: f64,
}

impl PairedGame {
    /// A game with a weight of 1 and no head start.
    pub fn new(white: u32, black: u32, year: i16, score: f64) -> PairedGame {
        PairedGame { white, black, year, score, weight: 1.0, offset: 0.0 }
    }

    /// A game of the results.
    pub fn from_game(game: &RatedGame) -> PairedGame {
        PairedGame::new(game.white, game.black, game.day.year(), game.score)
    }
}

/// Games of the same two players in a year, with the same colours and head start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Index of White's node in [`History::nodes`].
    pub white: u32,
    /// Index of Black's node in [`History::nodes`].
    pub black: u32,
    /// Number of the quarter century.
    pub era: u16,
    /// Sum of the games' weights.
    pub games: f64,
    /// White's weighted points.
    pub points: f64,
    /// Sum of the weights of drawn games.
    pub draws: f64,
    /// White's head start (natural units).
    pub offset: f64,
    /// Factor by which each game weighs more, because frequent draws reduce the variance of scores.
    pub factor: f64,
}

/// A player's year with games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerYear {
    /// Number of the player.
    pub player: u32,
    /// The calendar year.
    pub year: i16,
}

impl Edge {
    /// An edge with one game between two nodes.
    pub(super) fn new(white: u32, black: u32, first_era: i16, game: &PairedGame) -> Edge {
        Edge {
            white,
            black,
            era: (game.year.div_euclid(ERA_YEARS) - first_era) as u16,
            games: game.weight,
            points: game.weight * game.score,
            draws: if game.score == 0.5 { game.weight } else { 0.0 },
            offset: game.offset * NATURAL,
            factor: 1.0,
        }
    }

    /// Adds games of the same nodes, colours and head start.
    pub(super) fn take_in(&mut self, more: &Edge) {
        self.games += more.games;
        self.points += more.points;
        self.draws += more.draws;
    }

    /// The edge as an observation for the frequency of draws, at these strengths and with this
    /// advantage of White (natural units).
    pub(super) fn meeting(&self, year: i16, white: f64, black: f64, advantage: f64) -> Meeting {
        Meeting {
            year,
            level: (white + black) / 2.0,
            expected: logistic(white - black + advantage + self.offset),
            games: self.games,
            draws: self.draws,
        }
    }
}

/// The players' years, the steps between them, and the games.
#[derive(Clone, Debug)]
pub struct History {
    /// The assumptions under which strengths are fitted.
    pub model: PairedModel,
    /// The nodes, by year and player, so that opponents are close in memory. The numbers of cohorts
    /// follow the nodes' numbers.
    pub nodes: Vec<PlayerYear>,
    /// The nodes of each player in chronological order.
    pub of_player: Vec<Vec<u32>>,
    /// The next node of the same player, or the next cohort; `NONE` after the last.
    pub next: Vec<u32>,
    /// The previous node; `NONE` before the first.
    pub before: Vec<u32>,
    /// Time of birth of each player: known or assumed.
    pub births: Vec<f64>,
    /// The games, in the order of their nodes.
    pub edges: Vec<Edge>,
    /// Number of five-year cohorts of newcomers; 0 in a model without cohorts.
    pub cohorts: usize,
    /// The first year with games.
    pub first_year: i16,
    /// Precision (natural units) of the step from each node to the next one; 0 for the last of a
    /// player.
    pub precision: Vec<f64>,
    /// Mean of that step (natural units).
    pub drift: Vec<f64>,
    /// Precision (natural units) of each node's prior around zero.
    pub prior_precision: Vec<f64>,
    /// The first node of each player, linked to the newcomer's cohort.
    pub links: Vec<(u32, u32)>,
    /// Precision (natural units) of a link.
    pub link: f64,
    /// Number of the first quarter century: its first year divided by 25.
    pub first_era: i16,
    /// Number of quarter centuries.
    pub eras: usize,
    /// The nodes that each node is coupled with, by games and links.
    pub couplings: Couplings,
}

impl History {
    /// The history of these games. `births` are the players' years of birth, if known.
    pub fn new(model: PairedModel, games: &[PairedGame], births: &[Option<i16>]) -> History {
        let nodes = nodes_of(games);
        let mut of_player: Vec<Vec<u32>> = vec![Vec::new(); births.len()];
        for (place, node) in (0..).zip(&nodes) {
            of_player[node.player as usize].push(place);
        }
        let births = supposed_births(births, &nodes, &of_player);
        let first_year = nodes.iter().map(|node| node.year).min().unwrap_or(0);
        let last_year = nodes.iter().map(|node| node.year).max().unwrap_or(0);
        let first_era = first_year.div_euclid(ERA_YEARS);
        let eras = (last_year.div_euclid(ERA_YEARS) - first_era + 1) as usize;
        let edges = games.iter().map(|game| {
            let white = own_node(&nodes, &of_player[game.white as usize], game.year);
            let black = own_node(&nodes, &of_player[game.black as usize], game.year);
            Edge::new(white, black, first_era, game)
        });
        let edges = merged(edges.collect());
        let mut history = History {
            cohorts: if model.cohorts > 0.0 && !model.drawn_first {
                ((last_year - first_year) / COHORT_YEARS) as usize + 1
            } else {
                0
            },
            couplings: Couplings::default(),
            next: Vec::new(),
            before: Vec::new(),
            precision: Vec::new(),
            drift: Vec::new(),
            prior_precision: Vec::new(),
            links: Vec::new(),
            link: 0.0,
            model,
            nodes,
            of_player,
            births,
            edges,
            first_year,
            first_era,
            eras,
        };
        history.link_nodes();
        let pairs = history.edges.iter().map(|edge| (edge.white, edge.black));
        let pairs = pairs.chain(history.links.iter().copied());
        history.couplings = Couplings::new(history.len(), pairs);
        history
    }

    /// Number of unknowns: nodes and cohorts.
    pub fn len(&self) -> usize {
        self.nodes.len() + self.cohorts
    }

    /// Whether the history contains no games.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a player in a year, if the player has games in it.
    pub fn node_of(&self, player: u32, year: i16) -> Option<usize> {
        let own = self.of_player.get(player as usize)?;
        let place = own.binary_search_by_key(&year, |node| self.nodes[*node as usize].year).ok()?;
        Some(own[place] as usize)
    }

    /// An edge with a single game between two nodes.
    pub(super) fn edge(&self, white: usize, black: usize, game: &PairedGame) -> Edge {
        Edge::new(white as u32, black as u32, self.first_era, game)
    }

    /// The years with games, with the nodes of each.
    pub fn years(&self) -> impl Iterator<Item = (i16, Range<usize>)> + '_ {
        let mut first = 0;
        self.nodes.chunk_by(|a, b| a.year == b.year).map(move |of_year| {
            let nodes = first..first + of_year.len();
            first = nodes.end;
            (of_year[0].year, nodes)
        })
    }

    /// A player's known or assumed age in the middle of a year.
    pub fn age(&self, player: u32, year: i16) -> f64 {
        f64::from(year) - self.births[player as usize]
    }

    /// Variance and mean (natural units) of a player's step between two years.
    pub fn step(&self, player: u32, from: i16, to: i16) -> (f64, f64) {
        let (age, years) = (self.age(player, from), f64::from(to - from));
        let movement = &self.model.movement;
        (
            movement.variance_of(age, years) * NATURAL * NATURAL,
            movement.mean_of(age, years) * NATURAL,
        )
    }

    /// Builds the steps, the cohorts and the links.
    fn link_nodes(&mut self) {
        let (nodes, all) = (self.nodes.len(), self.len());
        (self.precision, self.drift) = (vec![0.0; all], vec![0.0; all]);
        self.prior_precision = vec![0.0; all];
        (self.next, self.before) = (vec![NONE; all], vec![NONE; all]);
        for (player, own) in self.of_player.iter().enumerate() {
            for two in own.windows(2) {
                let [here, there] = [two[0] as usize, two[1] as usize];
                (self.next[here], self.before[there]) = (two[1], two[0]);
                let years = (self.nodes[here].year, self.nodes[there].year);
                let (variance, mean) = self.step(player as u32, years.0, years.1);
                (self.precision[here], self.drift[here]) = (1.0 / variance, mean);
            }
        }
        let newcomer = (self.model.newcomers * NATURAL).powi(-2);
        let firsts = self.of_player.iter().filter_map(|own| own.first().copied());
        if self.model.drawn_first {
            return;
        }
        if self.cohorts == 0 {
            for first in firsts {
                self.prior_precision[first as usize] = newcomer;
            }
            return;
        }
        self.link = newcomer;
        let links = firsts.map(|first| {
            let years = self.nodes[first as usize].year - self.first_year;
            (first, nodes as u32 + (years / COHORT_YEARS) as u32)
        });
        self.links = links.collect();
        for place in nodes..all - 1 {
            (self.next[place], self.before[place + 1]) = (place as u32 + 1, place as u32);
            self.precision[place] = (self.model.cohorts * NATURAL).powi(-2);
        }
        self.prior_precision[nodes] = (FIRST_COHORT * NATURAL).powi(-2);
    }
}

/// The node of a year among the player's own nodes.
fn own_node(nodes: &[PlayerYear], own: &[u32], year: i16) -> u32 {
    own[own.partition_point(|node| nodes[*node as usize].year < year)]
}

/// The players' years with games, by year and player.
fn nodes_of(games: &[PairedGame]) -> Vec<PlayerYear> {
    let mut seats: Vec<u64> = Vec::with_capacity(2 * games.len());
    for game in games {
        seats.push(sort_key(game.white, game.year));
        seats.push(sort_key(game.black, game.year));
    }
    seats.sort_unstable();
    seats.dedup();
    seats.iter().map(|key| player_year(*key)).collect()
}

/// Each player's time of birth, as a year with its fraction. A player of unknown birth is taken to
/// have the usual age in the first year with games.
fn supposed_births(
    births: &[Option<i16>],
    nodes: &[PlayerYear],
    of_player: &[Vec<u32>],
) -> Vec<f64> {
    let mut supposed = Vec::with_capacity(births.len());
    for (born, own) in births.iter().zip(of_player) {
        let first_year = own.first().map_or(0.0, |first| f64::from(nodes[*first as usize].year));
        supposed.push(born.map_or(first_year - USUAL_AGE, |born| f64::from(born) + 0.5));
    }
    supposed
}

/// The edges in the order of their nodes, with edges of the same nodes, colours and offset merged.
fn merged(mut edges: Vec<Edge>) -> Vec<Edge> {
    // A total order, so that the sums do not depend on the order of the games.
    edges.sort_unstable_by(|a, b| {
        (a.white, a.black)
            .cmp(&(b.white, b.black))
            .then(a.offset.total_cmp(&b.offset))
            .then(a.points.total_cmp(&b.points))
            .then(a.games.total_cmp(&b.games))
    });
    edges.dedup_by(|next, kept| {
        let same = (next.white, next.black, next.offset.to_bits())
            == (kept.white, kept.black, kept.offset.to_bits());
        if same {
            kept.take_in(next);
        }
        same
    });
    edges
}

/// A number that orders players' years by year and player.
fn sort_key(player: u32, year: i16) -> u64 {
    // The shift keeps negative years in order.
    u64::from((i32::from(year) + 0x8000) as u16) << 32 | u64::from(player)
}

/// Reverses [`sort_key`].
fn player_year(key: u64) -> PlayerYear {
    PlayerYear { player: key as u32, year: ((key >> 32) as i32 - 0x8000) as i16 }
}
