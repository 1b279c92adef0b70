//! Strengths as they were known before each event: fitted to earlier games, and projected to the
//! day.
//!
//! Updates are Newton steps for single players while all other strengths stay fixed, as in
//! Whole-History Rating. Source: R. Coulom, *Whole-History Rating* (2008), appendix A.

use rayon::prelude::*;

use super::fit::FIRST_FACTOR;
use super::history::{
    COHORT_YEARS, ERA_YEARS, Edge, FIRST_COHORT, PairedGame, PairedModel, USUAL_AGE,
};
use super::tendency::{Meeting, Tendency};
use crate::systems::logistic::{NATURAL, logistic};

/// Passes over the players of an event after the event. Judged: the second lets each player react
/// to the others' first step.
const PASSES: usize = 2;

/// The least number of new games after which all recently active players are updated. Judged: half
/// as many would double the number of updates.
const GAMES_UNTIL_UPDATE: usize = 3000;

/// The least fraction of the games of recently active years that must be new for such an update. A
/// fixed number alone would make the time grow with the square of the games of a year: there would
/// be more updates, each of more players. Measured: no change for a million games, and less than
/// 0.0001 of log loss in any decade of ten million.
const NEW_UNTIL_UPDATE: f64 = 0.02;

/// Relative growth of the number of games after which all players are updated by all their games.
/// Judged: fourteen such updates while the number of games grows tenfold; half the growth would
/// double them.
const GROWTH: f64 = 0.15;

/// Years without games after which a career is updated only together with all others. Judged: after
/// such a gap, new games of former opponents move it little.
const RESTING_YEARS: i16 = 3;

/// Number of groups for updates of all players. A group is updated in parallel while the other
/// groups stay fixed. Judged: only one opponent in sixteen moves at the same time.
const PARTS: usize = 16;

/// Number of a career's last years whose games are re-evaluated in a pass over an event's players.
/// Earlier games keep their last linear approximation. Judged: new games move earlier years little,
/// and all years cost as many evaluations as a career has games.
const RECENT_YEARS: usize = 2;

/// Number of games whose data are read together. Judged: more than the reads that a processor has
/// under way at once.
const GATHERED: usize = 32;

/// The longest step (points) of a player's strength. Where many games contradict a strength of
/// which the model was sure, their information is near zero, and a whole step would lead far beyond
/// the maximum. Measured: without it, one player of ten million games was rated -21,675; with it,
/// no rating of the bundled archive changes.
const LONGEST: f64 = 500.0;

/// The least chance, so that every forecast has a finite logit.
const LEAST: f64 = 1e-9;

/// Factor by which predictions shrink a difference of strengths. Measured on the shared collection:
/// the best factor is 0.90 before the event, and 0.87 a year ahead.
const SHRINKAGE: f64 = 0.90;

/// A player's year with games.
#[derive(Clone, Debug)]
struct ForwardNode {
    year: i16,
    /// Slope and information of the year's games, evaluated at the strength `at`.
    slope: f64,
    information: f64,
    at: f64,
    /// The opponent's node, and twice the number of the edge, plus one for Black.
    seats: Vec<(u32, u32)>,
}

/// A player's career so far.
#[derive(Clone, Debug, Default)]
struct Career {
    nodes: Vec<u32>,
    born: f64,
    cohort: usize,
    games: u32,
    /// Variance (natural units) of the last year's strength, conditional on the other players.
    variance: f64,
}

/// The model's state up to some day.
#[derive(Clone, Debug)]
pub struct ForwardFit {
    model: PairedModel,
    births: Vec<Option<i16>>,
    careers: Vec<Career>,
    nodes: Vec<ForwardNode>,
    /// Strength (natural units) by node. Games read those of both players, so they are kept close
    /// together.
    strengths: Vec<f64>,
    edges: Vec<Edge>,
    /// Mean strengths of newcomers (natural units), by cohort.
    cohorts: Vec<f64>,
    first_year: Option<i16>,
    /// White's advantage (natural units) by quarter century.
    white: Vec<f64>,
    tendency: Option<Tendency>,
    games: usize,
    /// Number of games by year, in the order in which the years began.
    of_years: Vec<(i16, usize)>,
    since_recent: usize,
    since_all: usize,
}

impl ForwardFit {
    /// The state before the first game. `births` are the players' years of birth.
    pub fn new(model: PairedModel, births: &[Option<i16>]) -> ForwardFit {
        ForwardFit {
            model,
            births: births.to_vec(),
            careers: vec![Career::default(); births.len()],
            nodes: Vec::new(),
            strengths: Vec::new(),
            edges: Vec::new(),
            cohorts: Vec::new(),
            first_year: None,
            white: Vec::new(),
            tendency: None,
            games: 0,
            of_years: Vec::new(),
            since_recent: 0,
            since_all: 0,
        }
    }

    /// Number of a player's games so far.
    pub fn games(&self, player: u32) -> u32 {
        self.careers[player as usize].games
    }

    /// The last year with games of a player. `None` before the first game.
    pub fn last_year(&self, player: u32) -> Option<i16> {
        let last = self.careers[player as usize].nodes.last()?;
        Some(self.nodes[*last as usize].year)
    }

    /// Strength and variance (natural units) projected to a year. `None` before the first game.
    pub fn projected(&self, player: u32, year: i16) -> Option<(f64, f64)> {
        let career = &self.careers[player as usize];
        let node = *career.nodes.last()? as usize;
        let last = &self.nodes[node];
        let years = f64::from((year - last.year).max(0));
        let age = f64::from(last.year) - career.born;
        let movement = &self.model.movement;
        Some((
            self.strengths[node] + movement.mean_of(age, years) * NATURAL,
            career.variance + movement.variance_of(age, years) * NATURAL * NATURAL,
        ))
    }

    /// White's advantage (natural units) in a year.
    pub fn white_in(&self, year: i16) -> f64 {
        let known = self.era(year).and_then(|era| self.white.get(era));
        known.copied().unwrap_or(self.model.white * NATURAL)
    }

    fn era(&self, year: i16) -> Option<usize> {
        usize::try_from(year.div_euclid(ERA_YEARS) - self.first_year?.div_euclid(ERA_YEARS)).ok()
    }

    /// White's expected score in a game of a year. `None` if one of the players has no earlier
    /// game.
    pub fn forecast(&self, white: u32, black: u32, year: i16, offset: f64) -> Option<f64> {
        let (x, one) = self.projected(white, year)?;
        let (y, other) = self.projected(black, year)?;
        let scatter = (1.0 + std::f64::consts::PI / 8.0 * (one + other)).sqrt();
        let ahead = SHRINKAGE * (x - y) + self.white_in(year) + offset * NATURAL;
        Some(logistic(ahead / scatter).clamp(LEAST, 1.0 - LEAST))
    }

    /// Adds the games of events that began on one day, and updates their players. Years must not
    /// decrease.
    pub fn add(&mut self, games: &[PairedGame]) {
        let mut players: Vec<u32> = Vec::with_capacity(2 * games.len());
        for game in games {
            self.first_year.get_or_insert(game.year);
            let (white, black) = (
                self.node_of_game(game.white, game.year),
                self.node_of_game(game.black, game.year),
            );
            players.extend([game.white, game.black]);
            self.play(white, black, game);
        }
        players.sort_unstable();
        players.dedup();
        for _ in 0..PASSES {
            for &player in &players {
                let newton_step = self.newton_step(player, RECENT_YEARS);
                self.apply(player, newton_step);
            }
        }
        let year = games.iter().map(|game| game.year).max().unwrap_or(0);
        self.count(year, games.len());
        let is_grown = self.since_all as f64 > GROWTH * self.games as f64;
        if self.since_all >= GAMES_UNTIL_UPDATE && is_grown {
            (self.since_all, self.since_recent) = (0, 0);
            if self.model.by_draws {
                self.update_weights();
            }
            if self.model.white_deviation > 0.0 {
                self.fit_white();
            }
            self.update_all(usize::MAX, i16::MIN);
            self.fit_cohorts();
        } else if self.since_recent >= self.games_until_update(year) {
            self.since_recent = 0;
            self.update_all(RECENT_YEARS, year - RESTING_YEARS);
            self.fit_cohorts();
        }
    }

    /// Counts new games of a year.
    fn count(&mut self, year: i16, games: usize) {
        self.games += games;
        self.since_recent += games;
        self.since_all += games;
        match self.of_years.last_mut().filter(|(last, _)| *last == year) {
            Some((_, count)) => *count += games,
            None => self.of_years.push((year, games)),
        }
    }

    /// Number of new games after which the players of recently active years are updated.
    fn games_until_update(&self, year: i16) -> usize {
        let recent = self.of_years.iter().rev();
        let recent = recent.take_while(|(of, _)| *of >= year - RESTING_YEARS);
        let recent: usize = recent.map(|(_, games)| games).sum();
        GAMES_UNTIL_UPDATE.max((NEW_UNTIL_UPDATE * recent as f64) as usize)
    }

    /// The node of a player in a year. Creates it for the first game of the year.
    fn node_of_game(&mut self, player: u32, year: i16) -> u32 {
        let first_year = self.first_year.unwrap_or(year);
        let career = &mut self.careers[player as usize];
        career.games += 1;
        if let Some(&last) = career.nodes.last()
            && self.nodes[last as usize].year >= year
        {
            // An earlier event already created a node of a later year.
            let found =
                career.nodes.iter().rev().find(|node| self.nodes[**node as usize].year <= year);
            return found.copied().unwrap_or(career.nodes[0]);
        }
        let strength = match career.nodes.last() {
            Some(&node) => {
                let last = &self.nodes[node as usize];
                let (age, years) =
                    (f64::from(last.year) - career.born, f64::from(year - last.year));
                self.strengths[node as usize] + self.model.movement.mean_of(age, years) * NATURAL
            }
            None => {
                career.born = match self.births[player as usize] {
                    Some(born) => f64::from(born) + 0.5,
                    None => f64::from(year) - USUAL_AGE,
                };
                career.cohort = ((year - first_year).max(0) / COHORT_YEARS) as usize;
                if self.model.cohorts > 0.0 {
                    let latest = self.cohorts.last().copied().unwrap_or(0.0);
                    let least = self.cohorts.len().max(career.cohort + 1);
                    self.cohorts.resize(least, latest);
                    self.cohorts[career.cohort]
                } else {
                    0.0
                }
            }
        };
        let node =
            ForwardNode { year, slope: 0.0, information: 0.0, at: strength, seats: Vec::new() };
        self.nodes.push(node);
        self.strengths.push(strength);
        career.nodes.push(self.nodes.len() as u32 - 1);
        self.nodes.len() as u32 - 1
    }

    fn play(&mut self, white: u32, black: u32, game: &PairedGame) {
        let era = self.era(game.year).unwrap_or(0);
        if self.white.len() <= era {
            self.white.resize(era + 1, self.model.white * NATURAL);
        }
        let first_era = self.first_year.unwrap_or(game.year).div_euclid(ERA_YEARS);
        let edge = Edge::new(white, black, first_era, game);
        let known = self.nodes[white as usize].seats.iter().rev().find(|(other, seat)| {
            let known = (seat % 2 == 0).then(|| &self.edges[(seat / 2) as usize]);
            *other == black && known.is_some_and(|known| known.offset == edge.offset)
        });
        if let Some(&(_, seat)) = known {
            self.edges[(seat / 2) as usize].take_in(&edge);
            return;
        }
        let level = (self.strengths[white as usize] + self.strengths[black as usize]) / 2.0;
        let factor = match &self.tendency {
            _ if !self.model.by_draws => 1.0,
            None => FIRST_FACTOR,
            Some(tendency) => tendency.factor(game.year, level),
        };
        let number = self.edges.len() as u32;
        self.edges.push(Edge { factor, ..edge });
        self.nodes[white as usize].seats.push((black, 2 * number));
        self.nodes[black as usize].seats.push((white, 2 * number + 1));
    }

    /// Slope and information of a node's games at its current strength.
    fn derivatives(&self, node: u32) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        let own = self.strengths[node as usize];
        // The games and opponents of a large collection lie far apart in memory. Reading a group of
        // them before computing lets the reads overlap.
        let mut gathered = [SeatTerms::default(); GATHERED];
        for seats in self.nodes[node as usize].seats.chunks(GATHERED) {
            for (terms, seat) in gathered.iter_mut().zip(seats) {
                *terms = self.terms(own, *seat);
            }
            for terms in &gathered[..seats.len()] {
                self.add_derivatives(terms, &mut sums);
            }
        }
        sums
    }

    /// What the derivatives need of a seat's games. `own` is the strength of the player.
    fn terms(&self, own: f64, (other, seat): (u32, u32)) -> SeatTerms {
        let edge = &self.edges[(seat / 2) as usize];
        let (sign, points) = match seat % 2 {
            0 => (1.0, edge.points),
            _ => (-1.0, edge.games - edge.points),
        };
        let difference = own - self.strengths[other as usize];
        let advantage = sign * (self.white[edge.era as usize] + edge.offset);
        SeatTerms { difference, advantage, points, games: edge.games, factor: edge.factor }
    }

    /// Adds slope and information of a seat's games to the sums.
    fn add_derivatives(&self, terms: &SeatTerms, (slope, information): &mut (f64, f64)) {
        let SeatTerms { difference, advantage, points, games, factor } = *terms;
        let expected = logistic(difference + advantage);
        *slope += factor * (points - games * expected);
        *information += factor * games * expected * (1.0 - expected);
        if self.model.pad > 0.0 {
            let (even, pad) = (logistic(difference), self.model.pad * factor * games);
            *slope += pad * (0.5 - even);
            *information += pad * even * (1.0 - even);
        }
    }

    /// One Newton step for a player while all others stay fixed. Re-evaluates the games of the last
    /// `recent_years` years.
    fn newton_step(&self, player: u32, recent_years: usize) -> NewtonStep {
        let career = &self.careers[player as usize];
        let count = career.nodes.len();
        let first_recent = count.saturating_sub(recent_years);
        let movement = &self.model.movement;
        let mut derivatives: Vec<(f64, f64)> = Vec::with_capacity(count - first_recent);
        let mut gradient = Vec::with_capacity(count);
        let mut diagonal = Vec::with_capacity(count);
        let mut ties = vec![0.0; count];
        for (place, &number) in career.nodes.iter().enumerate() {
            let node = &self.nodes[number as usize];
            let (slope, information) = if place >= first_recent {
                derivatives.push(self.derivatives(number));
                derivatives[derivatives.len() - 1]
            } else {
                let moved = self.strengths[number as usize] - node.at;
                (node.slope - node.information * moved, node.information)
            };
            gradient.push(slope);
            diagonal.push(information);
        }
        let newcomer = (self.model.newcomers * NATURAL).powi(-2);
        let mean = self.cohorts.get(career.cohort).copied().unwrap_or(0.0);
        gradient[0] -= newcomer * (self.strengths[career.nodes[0] as usize] - mean);
        diagonal[0] += newcomer;
        for (place, two) in career.nodes.windows(2).enumerate() {
            let [here, there] = [two[0] as usize, two[1] as usize];
            let (year, next_year) =
                (f64::from(self.nodes[here].year), f64::from(self.nodes[there].year));
            let (age, years) = (year - career.born, next_year - year);
            let tie = 1.0 / (movement.variance_of(age, years) * NATURAL * NATURAL);
            let step = self.strengths[there]
                - self.strengths[here]
                - movement.mean_of(age, years) * NATURAL;
            ties[place] = tie;
            gradient[place] += tie * step;
            gradient[place + 1] -= tie * step;
            diagonal[place] += tie;
            diagonal[place + 1] += tie;
        }
        for place in 1..count {
            let part = ties[place - 1] / diagonal[place - 1];
            diagonal[place] -= part * ties[place - 1];
            gradient[place] += part * gradient[place - 1];
        }
        let variance = 1.0 / diagonal[count - 1];
        let mut steps = gradient;
        for place in (0..count).rev() {
            let behind = if place + 1 < count { ties[place] * steps[place + 1] } else { 0.0 };
            steps[place] = (steps[place] + behind) / diagonal[place];
        }
        for step in &mut steps {
            *step = step.clamp(-LONGEST * NATURAL, LONGEST * NATURAL);
        }
        NewtonStep { derivatives, steps, variance }
    }

    fn apply(&mut self, player: u32, newton_step: NewtonStep) {
        let career = &mut self.careers[player as usize];
        career.variance = newton_step.variance;
        let first_recent = career.nodes.len() - newton_step.derivatives.len();
        for (place, &number) in career.nodes.iter().enumerate() {
            let strength = &mut self.strengths[number as usize];
            if place >= first_recent {
                let node = &mut self.nodes[number as usize];
                (node.slope, node.information) = newton_step.derivatives[place - first_recent];
                node.at = *strength;
            }
            *strength += newton_step.steps[place];
        }
    }

    /// Updates all careers with a game since a year, and re-evaluates the games of their last
    /// `recent_years` years.
    fn update_all(&mut self, recent_years: usize, year: i16) {
        let awake: Vec<u32> = (0..self.careers.len() as u32)
            .into_par_iter()
            .filter(|player| self.last_year(*player).is_some_and(|last| last >= year))
            .collect();
        for part in 0..PARTS {
            let newton_step: Vec<(u32, NewtonStep)> = awake
                .par_iter()
                .filter(|player| **player as usize % PARTS == part)
                .map(|player| (*player, self.newton_step(*player, recent_years)))
                .collect();
            for (player, newton_step) in newton_step {
                self.apply(player, newton_step);
            }
        }
    }

    /// Updates the weights of all games from the frequency of draws so far.
    fn update_weights(&mut self) {
        let meetings: Vec<Meeting> = self
            .edges
            .par_iter()
            .map(|edge| {
                let (white, black) = (edge.white as usize, edge.black as usize);
                let year = self.nodes[white].year;
                let advantage = self.white[edge.era as usize];
                edge.meeting(year, self.strengths[white], self.strengths[black], advantage)
            })
            .collect();
        let tendency = Tendency::from_meetings(&meetings);
        self.edges.par_iter_mut().zip(&meetings).for_each(|(edge, meeting)| {
            edge.factor = tendency.factor(meeting.year, meeting.level);
        });
        self.tendency = Some(tendency);
    }

    /// One Newton step for White's advantage in each quarter century.
    fn fit_white(&mut self) {
        let mut sums = vec![(0.0, 0.0); self.white.len()];
        for edge in &self.edges {
            let era = edge.era as usize;
            let difference =
                self.strengths[edge.white as usize] - self.strengths[edge.black as usize];
            let expected = logistic(difference + self.white[era] + edge.offset);
            let sum: &mut (f64, f64) = &mut sums[era];
            sum.0 += edge.factor * (edge.points - edge.games * expected);
            sum.1 += edge.factor * edge.games * expected * (1.0 - expected);
        }
        let prior = (self.model.white_deviation * NATURAL).powi(-2);
        for (white, (slope, information)) in self.white.iter_mut().zip(sums) {
            let away = *white - self.model.white * NATURAL;
            *white += (slope - prior * away) / (information + prior);
        }
    }

    /// The means of newcomers, given their current strengths.
    fn fit_cohorts(&mut self) {
        let count = self.cohorts.len();
        if count == 0 {
            return;
        }
        let newcomer = (self.model.newcomers * NATURAL).powi(-2);
        let tie = (self.model.cohorts * NATURAL).powi(-2);
        let mut right = vec![0.0; count];
        let mut diagonal = vec![0.0; count];
        diagonal[0] = (FIRST_COHORT * NATURAL).powi(-2);
        for career in &self.careers {
            if let Some(&first) = career.nodes.first() {
                right[career.cohort] += newcomer * self.strengths[first as usize];
                diagonal[career.cohort] += newcomer;
            }
        }
        for place in 1..count {
            diagonal[place - 1] += tie;
            diagonal[place] += tie;
        }
        for place in 1..count {
            let part = tie / diagonal[place - 1];
            diagonal[place] -= part * tie;
            right[place] += part * right[place - 1];
        }
        for place in (0..count).rev() {
            let behind = if place + 1 < count { tie * right[place + 1] } else { 0.0 };
            right[place] = (right[place] + behind) / diagonal[place];
        }
        self.cohorts = right;
    }
}

/// A player's games against an opponent's node, with one colour.
#[derive(Clone, Copy, Debug, Default)]
struct SeatTerms {
    /// Own strength minus that of the opponent (natural units).
    difference: f64,
    /// Advantage by colour and head start (natural units).
    advantage: f64,
    points: f64,
    games: f64,
    /// Weight of each game.
    factor: f64,
}

/// The result of a Newton step for one player.
struct NewtonStep {
    /// Slope and information of the games of the re-evaluated years.
    derivatives: Vec<(f64, f64)>,
    /// Change of each year's strength (natural units).
    steps: Vec<f64>,
    /// Variance (natural units) of the last year's strength, conditional on the other players.
    variance: f64,
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn where_years_have_many_games_more_must_be_new_before_all_recent_players_are_updated() {
        let mut known = ForwardFit::new(PairedModel::default(), &[]);
        known.count(1900, 140_000);
        assert_eq!(known.games_until_update(1900), 3000);
        known.count(1901, 60_000);
        assert_eq!(known.games_until_update(1901), 4000);
        // The games of 1900 are no longer recent.
        assert_eq!(known.games_until_update(1904), 3000);
    }

    #[test]
    fn strengths_and_forecasts_stay_finite_however_one_sided_many_games_are() {
        let mut random = Pcg64::seed_from_u64(1862);
        for history in 0..200 {
            let mut known = ForwardFit::new(PairedModel::default(), &[None; 4]);
            for year in 1850..1862 {
                let mut games = Vec::new();
                for white in 0..4 {
                    let black = (white + random.random_range(1..4)) % 4;
                    let score = [0.0, 0.5, 1.0][random.random_range(0..3)];
                    let count = [1, 30, 1000][random.random_range(0..3)];
                    let game = PairedGame::new(white, black, year, score);
                    games.extend(std::iter::repeat_n(game, count));
                }
                known.add(&games);
                for player in 0..4 {
                    let (strength, variance) = known.projected(player, year + 1).unwrap();
                    assert!(strength.abs() < 15.0, "{history}, {year}: {strength}");
                    assert!(variance.is_finite(), "{history}, {year}: {variance}");
                    let other = (player + 1) % 4;
                    let expected = known.forecast(player, other, year + 1, 0.0).unwrap();
                    assert!(expected > 0.0 && expected < 1.0, "{history}, {year}: {expected}");
                }
            }
        }
    }
}
