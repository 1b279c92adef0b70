//! Strengths as they were known before each event: fitted to earlier games, and projected to the
//! day.
//!
//! Updates are Newton steps for single players while all other strengths stay fixed, as in
//! Whole-History Rating. Source: R. Coulom, *Whole-History Rating* (2008), appendix A.

use rayon::prelude::*;

use super::fit::FIRST_FACTOR;
use super::history::{COHORT_YEARS, ERA_YEARS, FIRST_COHORT, PairedGame, PairedModel, USUAL_AGE};
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
/// be more updates, each of more players. Measured on 3.75 million rated games: a fiftieth takes
/// 1.7 times as long; its log loss is smaller by 0.00003, by 0.0003 in the last two years.
const NEW_UNTIL_UPDATE: f64 = 0.1;

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

/// Number of opponents whose strengths are read together. Judged: more than the reads that a
/// processor has under way at once.
const GATHERED: usize = 32;

/// Number of careers per parallel task. Judged: a task costs far more than its scheduling.
const PIECE: usize = 4096;

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

/// Marks that a player has no games yet.
const NEVER: i16 = i16::MIN;

/// A player's games of a year against an opponent, with the same colour and head start. Sums of
/// games and points are exact in single precision: up to 16 million halves.
#[derive(Clone, Copy, Debug)]
struct Seat {
    /// The opponent's node.
    other: u32,
    /// Number of the quarter century.
    era: u16,
    is_white: bool,
    games: f32,
    points: f32,
    draws: f32,
    /// White's head start (natural units).
    offset: f32,
    /// Factor by which each game weighs more, because frequent draws reduce the variance of scores.
    factor: f64,
}

/// A player's year with games. Its games are kept here, although the opponent has them too: those
/// of a large collection would lie far apart in memory.
#[derive(Clone, Debug)]
struct ForwardNode {
    /// Place of its strength in [`ForwardFit::strengths`].
    number: u32,
    year: i16,
    /// Slope and information of the year's games, evaluated at the strength `at`.
    slope: f64,
    information: f64,
    at: f64,
    seats: Vec<Seat>,
}

/// A player's career so far.
#[derive(Clone, Debug, Default)]
struct Career {
    nodes: Vec<ForwardNode>,
    born: f64,
    cohort: usize,
    games: u32,
    /// Variance (natural units) of the last year's strength, conditional on the other players.
    variance: f64,
}

/// The first node of a career, for the mean of its cohort.
#[derive(Clone, Copy, Debug)]
struct Newcomer {
    node: u32,
    cohort: u32,
}

/// The model's state up to some day.
#[derive(Clone, Debug)]
pub struct ForwardFit {
    model: PairedModel,
    births: Vec<Option<i16>>,
    careers: Vec<Career>,
    /// The last year with games of each player; [`NEVER`] before the first.
    last_years: Vec<i16>,
    newcomers: Vec<Newcomer>,
    /// Strength (natural units) by node. Games read those of both players, so they are kept close
    /// together.
    strengths: Vec<f64>,
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
            last_years: vec![NEVER; births.len()],
            newcomers: Vec::new(),
            strengths: Vec::new(),
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

    /// The players with a game in this year or later.
    pub fn active_since(&self, year: i16) -> impl Iterator<Item = u32> {
        let last_years = (0..).zip(&self.last_years);
        last_years.filter(move |(_, last)| **last >= year.max(NEVER + 1)).map(|(player, _)| player)
    }

    /// Strength and variance (natural units) projected to a year. `None` before the first game.
    pub fn projected(&self, player: u32, year: i16) -> Option<(f64, f64)> {
        let career = &self.careers[player as usize];
        let last = career.nodes.last()?;
        let years = f64::from((year - last.year).max(0));
        let age = f64::from(last.year) - career.born;
        let movement = &self.model.movement;
        Some((
            self.strengths[last.number as usize] + movement.mean_of(age, years) * NATURAL,
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
            players.extend([game.white, game.black]);
            self.play(game);
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

    /// The place of a player's node of a year in the career. Creates the node for the first game of
    /// the year.
    fn node_of_game(&mut self, player: u32, year: i16) -> usize {
        let first_year = self.first_year.unwrap_or(year);
        let career = &mut self.careers[player as usize];
        career.games += 1;
        let strength = match career.nodes.last() {
            Some(last) if last.year >= year => {
                // An earlier event may already have created a node of a later year.
                let found = career.nodes.iter().rposition(|node| node.year <= year);
                return found.unwrap_or(0);
            }
            Some(last) => {
                let (age, years) =
                    (f64::from(last.year) - career.born, f64::from(year - last.year));
                self.strengths[last.number as usize]
                    + self.model.movement.mean_of(age, years) * NATURAL
            }
            None => {
                career.born = match self.births[player as usize] {
                    Some(born) => f64::from(born) + 0.5,
                    None => f64::from(year) - USUAL_AGE,
                };
                career.cohort = ((year - first_year).max(0) / COHORT_YEARS) as usize;
                let (node, cohort) = (self.strengths.len() as u32, career.cohort as u32);
                self.newcomers.push(Newcomer { node, cohort });
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
        let number = self.strengths.len() as u32;
        let (slope, information, seats) = (0.0, 0.0, Vec::new());
        career.nodes.push(ForwardNode { number, year, slope, information, at: strength, seats });
        self.strengths.push(strength);
        self.last_years[player as usize] = year;
        career.nodes.len() - 1
    }

    /// Adds a game to the nodes of both players.
    fn play(&mut self, game: &PairedGame) {
        let players = [game.white, game.black].map(|player| player as usize);
        let places = [game.white, game.black].map(|player| self.node_of_game(player, game.year));
        let numbers = [0, 1].map(|side| self.careers[players[side]].nodes[places[side]].number);
        let era = self.era(game.year).unwrap_or(0);
        if self.white.len() <= era {
            self.white.resize(era + 1, self.model.white * NATURAL);
        }
        let [white, black] = numbers.map(|number| self.strengths[number as usize]);
        let factor = match &self.tendency {
            _ if !self.model.by_draws => 1.0,
            None => FIRST_FACTOR,
            Some(tendency) => tendency.factor(game.year, (white + black) / 2.0),
        };
        for (side, score) in [(0, game.score), (1, 1.0 - game.score)] {
            let seat = Seat {
                other: numbers[1 - side],
                era: era as u16,
                is_white: side == 0,
                games: game.weight as f32,
                points: (game.weight * score) as f32,
                draws: if score == 0.5 { game.weight as f32 } else { 0.0 },
                offset: (game.offset * NATURAL) as f32,
                factor,
            };
            self.careers[players[side]].nodes[places[side]].add(seat);
        }
    }

    /// Slope and information of a node's games at its current strength.
    fn derivatives(&self, node: &ForwardNode) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        let own = self.strengths[node.number as usize];
        // The opponents of a large collection lie far apart in memory. Reading a group of them
        // before computing lets the reads overlap.
        let mut differences = [0.0; GATHERED];
        for seats in node.seats.chunks(GATHERED) {
            for (difference, seat) in differences.iter_mut().zip(seats) {
                *difference = own - self.strengths[seat.other as usize];
            }
            for (difference, seat) in differences.iter().zip(seats) {
                self.add_derivatives(*difference, seat, &mut sums);
            }
        }
        sums
    }

    /// Adds slope and information of a seat's games to the sums. `difference` is the own strength
    /// less that of the opponent (natural units).
    fn add_derivatives(&self, difference: f64, seat: &Seat, (slope, information): &mut (f64, f64)) {
        let (games, points) = (f64::from(seat.games), f64::from(seat.points));
        let expected = logistic(difference + self.advantage(seat));
        *slope += seat.factor * (points - games * expected);
        *information += seat.factor * games * expected * (1.0 - expected);
        if self.model.pad > 0.0 {
            let (even, pad) = (logistic(difference), self.model.pad * seat.factor * games);
            *slope += pad * (0.5 - even);
            *information += pad * even * (1.0 - even);
        }
    }

    /// The advantage (natural units) of a seat's player by colour and head start.
    fn advantage(&self, seat: &Seat) -> f64 {
        let of_white = self.white[usize::from(seat.era)] + f64::from(seat.offset);
        if seat.is_white { of_white } else { -of_white }
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
        for (place, node) in career.nodes.iter().enumerate() {
            let (slope, information) = if place >= first_recent {
                derivatives.push(self.derivatives(node));
                derivatives[derivatives.len() - 1]
            } else {
                let moved = self.strengths[node.number as usize] - node.at;
                (node.slope - node.information * moved, node.information)
            };
            gradient.push(slope);
            diagonal.push(information);
        }
        let newcomer = (self.model.newcomers * NATURAL).powi(-2);
        let mean = self.cohorts.get(career.cohort).copied().unwrap_or(0.0);
        gradient[0] -= newcomer * (self.strengths[career.nodes[0].number as usize] - mean);
        diagonal[0] += newcomer;
        for (place, two) in career.nodes.windows(2).enumerate() {
            let (year, next_year) = (f64::from(two[0].year), f64::from(two[1].year));
            let (age, years) = (year - career.born, next_year - year);
            let tie = 1.0 / (movement.variance_of(age, years) * NATURAL * NATURAL);
            let step = self.strengths[two[1].number as usize]
                - self.strengths[two[0].number as usize]
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
        for (place, node) in career.nodes.iter_mut().enumerate() {
            let strength = &mut self.strengths[node.number as usize];
            if place >= first_recent {
                (node.slope, node.information) = newton_step.derivatives[place - first_recent];
                node.at = *strength;
            }
            *strength += newton_step.steps[place];
        }
    }

    /// Updates all careers with a game since a year, and re-evaluates the games of their last
    /// `recent_years` years.
    fn update_all(&mut self, recent_years: usize, year: i16) {
        let awake: Vec<u32> = self.active_since(year).collect();
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
            .careers
            .par_iter()
            .flat_map_iter(|career| &career.nodes)
            .flat_map_iter(|node| {
                node.seats.iter().filter(|seat| seat.is_white).map(|seat| self.meeting(node, seat))
            })
            .collect();
        let tendency = Tendency::from_meetings(&meetings);
        drop(meetings);
        let strengths = &self.strengths;
        self.careers.par_iter_mut().flat_map_iter(|career| &mut career.nodes).for_each(|node| {
            let own = strengths[node.number as usize];
            for seat in &mut node.seats {
                let level = (own + strengths[seat.other as usize]) / 2.0;
                seat.factor = tendency.factor(node.year, level);
            }
        });
        self.tendency = Some(tendency);
    }

    /// The games of White's seat as an observation for the frequency of draws.
    fn meeting(&self, node: &ForwardNode, seat: &Seat) -> Meeting {
        let white = self.strengths[node.number as usize];
        let black = self.strengths[seat.other as usize];
        Meeting {
            year: node.year,
            level: (white + black) / 2.0,
            expected: logistic(white - black + self.advantage(seat)),
            games: f64::from(seat.games),
            draws: f64::from(seat.draws),
        }
    }

    /// One Newton step for White's advantage in each quarter century.
    fn fit_white(&mut self) {
        let pieces = self.careers.par_chunks(PIECE).map(|careers| self.of_eras(careers));
        let pieces: Vec<Vec<(f64, f64)>> = pieces.collect();
        let prior = (self.model.white_deviation * NATURAL).powi(-2);
        for (era, white) in self.white.iter_mut().enumerate() {
            let (mut slope, mut information) = (0.0, 0.0);
            for piece in &pieces {
                slope += piece[era].0;
                information += piece[era].1;
            }
            let away = *white - self.model.white * NATURAL;
            *white += (slope - prior * away) / (information + prior);
        }
    }

    /// Slope and information of the careers' games with White, by quarter century.
    fn of_eras(&self, careers: &[Career]) -> Vec<(f64, f64)> {
        let mut sums = vec![(0.0, 0.0); self.white.len()];
        for node in careers.iter().flat_map(|career| &career.nodes) {
            let own = self.strengths[node.number as usize];
            for seat in node.seats.iter().filter(|seat| seat.is_white) {
                let difference = own - self.strengths[seat.other as usize];
                let expected = logistic(difference + self.advantage(seat));
                let (games, points) = (f64::from(seat.games), f64::from(seat.points));
                let sum: &mut (f64, f64) = &mut sums[usize::from(seat.era)];
                sum.0 += seat.factor * (points - games * expected);
                sum.1 += seat.factor * games * expected * (1.0 - expected);
            }
        }
        sums
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
        for first in &self.newcomers {
            right[first.cohort as usize] += newcomer * self.strengths[first.node as usize];
            diagonal[first.cohort as usize] += newcomer;
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

impl ForwardNode {
    /// Adds games to those against the same opponent with the same colour and head start, or else
    /// as a new seat.
    fn add(&mut self, more: Seat) {
        for seat in self.seats.iter_mut().rev() {
            if (seat.other, seat.is_white, seat.offset) == (more.other, more.is_white, more.offset)
            {
                seat.games += more.games;
                seat.points += more.points;
                seat.draws += more.draws;
                return;
            }
        }
        self.seats.push(more);
    }
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
        known.count(1900, 28_000);
        assert_eq!(known.games_until_update(1900), 3000);
        known.count(1901, 12_000);
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
