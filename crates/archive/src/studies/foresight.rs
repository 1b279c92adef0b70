//! Compares ratings that the fit test questioned with the same players' ratings nineteen months
//! later.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*. The paper
//! looks "19 months ahead" to see whether a rating that did not fit an event moved towards the
//! performance. The counts of players without pressure are ours: later lists rest on the event too,
//! so they move towards every performance.

use std::collections::{BTreeMap, BTreeSet};

use strum::IntoStaticStr;

use jiff::ToSpan;
use jiff::civil::Date;
use rayon::prelude::*;

use crate::record::EventRecord;
use crate::studies::later_lists::LaterLists;
use chess_history::players::{PlayerId, Players};
use chess_history::ratings::{FIDE_SYSTEM, RatingContext, Source};
use rating_systems::systems::System;
use tournament_app::{FitResult, PlayerAnalysis, RatingOrigin, Spec};

/// The number of months from the end of an event to the day of the later list. Source: the PRA
/// paper.
pub const MONTHS_AHEAD: i32 = 19;

/// What the analysis of an event showed about a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// The analysis replaced the rating by that of the line: it corrected it, or left it out of the
    /// estimator line.
    Corrected,
    /// The residual exceeds 100 points, but the rating was kept.
    OutOfSpec,
    /// The residual is from 75 to 100 points.
    Pressure,
    /// The residual is below 75 points.
    Quiet,
}

impl Signal {
    pub const ALL: [Signal; 4] =
        [Signal::Corrected, Signal::OutOfSpec, Signal::Pressure, Signal::Quiet];

    /// The word in exports.
    pub fn word(self) -> &'static str {
        match self {
            Signal::Corrected => "corrected",
            Signal::OutOfSpec => "out_of_spec",
            Signal::Pressure => "pressure",
            Signal::Quiet => "none",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Signal::Corrected => "corrected",
            Signal::OutOfSpec => "out of spec, kept",
            Signal::Pressure => "under pressure",
            Signal::Quiet => "without pressure",
        }
    }

    /// The signal about a rating that was found; `None` if the Ratings Administrator decided it.
    fn new(player: &PlayerAnalysis, residual: f64) -> Option<Signal> {
        match (player.rating_origin, Spec::from_residual(residual)) {
            // A rating that the estimator line left out is replaced as well.
            (RatingOrigin::Corrected | RatingOrigin::Filled, _) => Some(Signal::Corrected),
            (RatingOrigin::Decided | RatingOrigin::Missing, _) => None,
            (RatingOrigin::Given, Spec::Out) => Some(Signal::OutOfSpec),
            (RatingOrigin::Given, Spec::PressureUp | Spec::PressureDown) => Some(Signal::Pressure),
            (RatingOrigin::Given, Spec::In) => Some(Signal::Quiet),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Direction {
    Up,
    Down,
}

impl Direction {
    /// The word in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// A change (points) as it counts in this direction: positive if the direction is the same.
    fn along(self, change: f64) -> f64 {
        match self {
            Direction::Up => change,
            Direction::Down => -change,
        }
    }
}

/// A rating before an event and the player's rating on the later list of the same system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaterRating {
    /// Index of the event's record.
    pub event: usize,
    /// Place of the player in the analysis, from 0.
    pub standing: usize,
    pub player: PlayerId,
    pub signal: Signal,
    /// The direction of the correction, or of the performance.
    pub direction: Direction,
    /// Rating before the event (points).
    pub found: f64,
    /// Rating that the analysis used (points).
    pub used: f64,
    /// That rating minus the one that the performance line gives (points).
    pub residual: f64,
    /// Rating on the later list (points).
    pub later: f64,
    /// The day of that list, or of the game with that rating in its tags.
    pub day: Date,
}

impl LaterRating {
    /// The change to the later list (points), positive if it has the expected direction.
    pub fn change(&self) -> f64 {
        self.direction.along(self.later - self.found)
    }

    /// Whether the later rating is nearer to the rating used than to the one found; `None` if both
    /// are the same or equally far.
    pub fn is_nearer(&self) -> Option<bool> {
        nearer(self.found, self.used, self.later)
    }
}

fn nearer(found: f64, used: f64, later: f64) -> Option<bool> {
    let (of_used, of_found) = ((later - used).abs(), (later - found).abs());
    (of_used != of_found).then_some(of_used < of_found)
}

/// A proportion or a mean with its standard error.
///
/// The error takes the ratings of one player as one draw: a player's events follow each other
/// within months, so the same later list answers for several of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredMean {
    pub mean: f64,
    /// Its standard error; `None` with fewer than two players, or if all values are equal.
    pub error: Option<f64>,
}

impl ClusteredMean {
    /// The mean of values, each with its player.
    fn from_values(values: &[(PlayerId, f64)]) -> Option<ClusteredMean> {
        if values.is_empty() {
            return None;
        }
        let number = values.len() as f64;
        let mean = values.iter().map(|(_, value)| value).sum::<f64>() / number;
        let mut of_players: BTreeMap<PlayerId, f64> = BTreeMap::new();
        for (player, value) in values {
            *of_players.entry(*player).or_default() += value - mean;
        }
        let players = of_players.len() as f64;
        let squares: f64 = of_players.values().map(|sum| sum * sum).sum();
        let error = (of_players.len() > 1 && squares > 0.0)
            .then(|| (squares * players / (players - 1.0)).sqrt() / number);
        Some(ClusteredMean { mean, error })
    }
}

/// Ratings with the same signal, of one system or of all, in one direction or in both.
#[derive(Clone, Debug, PartialEq)]
pub struct ForesightGroup {
    /// The rating system; `None` for all.
    pub system: Option<String>,
    pub signal: Signal,
    /// The direction; `None` for both.
    pub direction: Option<Direction>,
    /// Ratings with a later rating.
    pub ratings: usize,
    /// Players with such ratings.
    pub players: usize,
    /// Ratings that moved in the same direction as the correction or the performance.
    pub same: usize,
    /// Ratings that moved the opposite way.
    pub opposite: usize,
    /// The proportion that moved in the same direction, of those that moved, in `[0, 1]`.
    pub share: Option<ClusteredMean>,
    /// The mean change in that direction (points).
    pub change: Option<ClusteredMean>,
    /// Of corrected ratings, the number whose later rating is nearer to the corrected one than to
    /// the one before.
    pub nearer: usize,
    /// The mean distance (points) of the later ratings from the ratings before the event.
    pub distance_found: f64,
    /// The mean distance (points) of the later ratings from the ratings that the analyses used.
    pub distance_used: f64,
}

impl ForesightGroup {
    fn new(
        rows: &[&LaterRating],
        system: Option<&str>,
        signal: Signal,
        direction: Option<Direction>,
    ) -> ForesightGroup {
        let moved: Vec<(PlayerId, f64)> = rows
            .iter()
            .filter(|row| row.change() != 0.0)
            .map(|row| (row.player, if row.change() > 0.0 { 1.0 } else { 0.0 }))
            .collect();
        let changes: Vec<(PlayerId, f64)> =
            rows.iter().map(|row| (row.player, row.change())).collect();
        let same = rows.iter().filter(|row| row.change() > 0.0).count();
        let players: BTreeSet<PlayerId> = rows.iter().map(|row| row.player).collect();
        let from_found: f64 = rows.iter().map(|row| (row.later - row.found).abs()).sum();
        let from_used: f64 = rows.iter().map(|row| (row.later - row.used).abs()).sum();
        let number = rows.len().max(1) as f64;
        ForesightGroup {
            system: system.map(str::to_owned),
            signal,
            direction,
            ratings: rows.len(),
            players: players.len(),
            same,
            opposite: moved.len() - same,
            share: ClusteredMean::from_values(&moved),
            change: ClusteredMean::from_values(&changes),
            nearer: rows.iter().filter(|row| row.is_nearer() == Some(true)).count(),
            distance_found: from_found / number,
            distance_used: from_used / number,
        }
    }

    /// Ratings that did not change.
    pub fn unchanged(&self) -> usize {
        self.ratings - self.same - self.opposite
    }
}

/// A rating that the Ratings Administrator decided.
#[derive(Clone, Debug, PartialEq)]
pub struct DecidedRating {
    /// Index of the event's record.
    pub event: usize,
    /// Place of the player in the analysis, from 0.
    pub standing: usize,
    pub player: PlayerId,
    /// Rating before the decision (points), if there was one.
    pub found: Option<f64>,
    /// Rating used after it (points): decided, or estimated from the line after a deletion.
    pub used: Option<f64>,
    /// Rating on the later list (points) and the day of that list.
    pub later: Option<(f64, Date)>,
}

impl DecidedRating {
    /// Whether the later list moved in the same direction as the decision; `None` if one of the
    /// three ratings is unknown, or two are equal.
    pub fn is_same_way(&self) -> Option<bool> {
        let (found, used, (later, _)) = (self.found?, self.used?, self.later?);
        let product = (used - found) * (later - found);
        (product != 0.0).then_some(product > 0.0)
    }

    /// Whether the later rating is nearer to the one after the decision than to the one before.
    pub fn is_nearer(&self) -> Option<bool> {
        let (found, used, (later, _)) = (self.found?, self.used?, self.later?);
        nearer(found, used, later)
    }
}

/// The decisions of one Ratings Administrator, judged by later lists.
#[derive(Clone, Debug, PartialEq)]
pub struct AdministratorRecord {
    pub author: String,
    /// Events decided.
    pub events: usize,
    /// Ratings set or deleted.
    pub ratings: usize,
    /// Ratings of these that a later list can judge.
    pub judged: usize,
    /// Ratings that moved in the same direction.
    pub same: usize,
    /// Ratings whose later value is nearer to the rating used than to the one before.
    pub nearer: usize,
    /// The proportion that moved in the same direction, with its standard error.
    pub share: Option<ClusteredMean>,
}

/// What corrections, pressure and decisions foresaw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foresight {
    /// Every rating with a signal and a later rating, in the order of the events. Ratings without
    /// pressure are only counted.
    pub ratings: Vec<LaterRating>,
    /// The counts: all systems and then each, by signal, both directions and then each.
    pub groups: Vec<ForesightGroup>,
    pub decided: Vec<DecidedRating>,
    /// The Ratings Administrators, by name.
    pub administrators: Vec<AdministratorRecord>,
}

impl Foresight {
    /// Compares the ratings of these records with later lists.
    pub fn new(
        records: &[EventRecord],
        players: &Players,
        sources: &[Source],
        world: &RatingContext,
    ) -> Foresight {
        let lists = LaterLists::new(players, sources, world);
        let mut ratings: Vec<LaterRating> = records
            .par_iter()
            .enumerate()
            .flat_map_iter(|(event, record)| lists.questioned(event, record))
            .collect();
        let groups = groups(&ratings, records);
        ratings.retain(|row| row.signal != Signal::Quiet);
        let decided: Vec<DecidedRating> = records
            .iter()
            .enumerate()
            .flat_map(|(event, record)| lists.decided(event, record))
            .collect();
        let administrators = administrators(&decided, records);
        Foresight { ratings, groups, decided, administrators }
    }

    /// The counts of a signal, of all systems and both directions.
    pub fn of_signal(&self, signal: Signal) -> Option<&ForesightGroup> {
        self.groups.iter().find(|group| {
            group.system.is_none() && group.signal == signal && group.direction.is_none()
        })
    }
}

impl LaterLists<'_> {
    /// The rating of a player (points) on the later list of the system that rated an event, and its
    /// day. `None` if the system's ratings rest on later games anyway.
    fn rating(&self, record: &EventRecord, player: PlayerId) -> Option<(f64, Date)> {
        let system = record.ratings.origin.name();
        if System::of_list(system).is_some_and(|system| system.about.knows_later_games) {
            return None;
        }
        let end = record.event.days().1.latest()?;
        let day = end.checked_add(MONTHS_AHEAD.months()).ok()?;
        let listed = self.rating_on_list(system, player, day).filter(|(_, day)| *day > end);
        if listed.is_some() || system != FIDE_SYSTEM {
            return listed;
        }
        let (day, rating) = self.world.tags.latest(player, day)?;
        (day > end).then_some((rating, day))
    }

    /// The ratings of an event that its fit test could question, with the players' later ratings.
    fn questioned(&self, event: usize, record: &EventRecord) -> Vec<LaterRating> {
        // A match of two players always fits its line. The matches of a knock-out are a part of it.
        let is_tested = record.analysis.before.fit_test.result != FitResult::NotApplicable;
        if !is_tested || record.event.ranked_elsewhere {
            return Vec::new();
        }
        let mut later_ratings = Vec::new();
        for (standing, analysed) in record.analysis.players.iter().enumerate() {
            let player = record.event.players[analysed.index];
            let (Some(found), Some(used)) = (analysed.rating_found, analysed.initial_rating) else {
                continue;
            };
            let residual = analysed.residual_before.unwrap_or(0.0);
            if residual == 0.0 {
                continue;
            }
            let Some(signal) = Signal::new(analysed, residual) else { continue };
            let Some((later, day)) = self.rating(record, player) else { continue };
            // A line with a negative slope corrects against the residual.
            let push = if used == found { -residual } else { used - found };
            later_ratings.push(LaterRating {
                event,
                standing,
                player,
                signal,
                direction: if push > 0.0 { Direction::Up } else { Direction::Down },
                found,
                used,
                residual,
                later,
                day,
            });
        }
        later_ratings
    }

    /// The ratings of an event that were decided.
    fn decided(&self, event: usize, record: &EventRecord) -> Vec<DecidedRating> {
        let Some(before) = &record.undecided else { return Vec::new() };
        let players = record.analysis.players.iter().enumerate();
        players
            .filter(|(_, analysed)| record.input.players[analysed.index].decided.is_some())
            .map(|(standing, analysed)| {
                let player = record.event.players[analysed.index];
                let found = before.input.players.get(analysed.index);
                DecidedRating {
                    event,
                    standing,
                    player,
                    found: found.and_then(|player| player.initial_rating),
                    used: analysed.initial_rating,
                    later: self.rating(record, player),
                }
            })
            .collect()
    }
}

/// The counts: all systems and then each; by signal; both directions and then each. Groups without
/// ratings are left out.
fn groups(rows: &[LaterRating], records: &[EventRecord]) -> Vec<ForesightGroup> {
    let systems: BTreeSet<&str> =
        rows.iter().map(|row| records[row.event].ratings.origin.name()).collect();
    let directions = [None, Some(Direction::Up), Some(Direction::Down)];
    let mut found = Vec::new();
    for name in [None].into_iter().chain(systems.into_iter().map(Some)) {
        for signal in Signal::ALL {
            for direction in directions {
                let of_group: Vec<&LaterRating> = rows
                    .iter()
                    .filter(|row| {
                        name.is_none_or(|name| records[row.event].ratings.origin.name() == name)
                            && row.signal == signal
                            && direction.is_none_or(|direction| row.direction == direction)
                    })
                    .collect();
                if !of_group.is_empty() {
                    found.push(ForesightGroup::new(&of_group, name, signal, direction));
                }
            }
        }
    }
    found
}

/// The record of each author of decisions, by name.
fn administrators(decided: &[DecidedRating], records: &[EventRecord]) -> Vec<AdministratorRecord> {
    let mut events: BTreeMap<&str, usize> = BTreeMap::new();
    for decision in records.iter().filter_map(|record| record.decided.as_ref()) {
        *events.entry(&decision.author).or_default() += 1;
    }
    let mut administrators = Vec::new();
    for (author, events) in events {
        let own: Vec<&DecidedRating> = decided
            .iter()
            .filter(|row| {
                let decision = records[row.event].decided.as_ref();
                decision.is_some_and(|decision| decision.author == author)
            })
            .collect();
        let moved: Vec<(PlayerId, f64)> = own
            .iter()
            .filter_map(|row| Some((row.player, f64::from(u8::from(row.is_same_way()?)))))
            .collect();
        administrators.push(AdministratorRecord {
            author: author.to_owned(),
            events,
            ratings: own.len(),
            judged: moved.len(),
            same: own.iter().filter(|row| row.is_same_way() == Some(true)).count(),
            nearer: own.iter().filter(|row| row.is_nearer() == Some(true)).count(),
            share: ClusteredMean::from_values(&moved),
        });
    }
    administrators
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn row(player: u32, signal: Signal, residual: f64, later: f64) -> LaterRating {
        let direction = if residual < 0.0 { Direction::Up } else { Direction::Down };
        let used = if signal == Signal::Corrected { 2600.0 - residual } else { 2600.0 };
        let (player, day) = (PlayerId::of_index(player), date(1990, 1, 1));
        let (event, standing, found) = (0, 0, 2600.0);
        LaterRating {
            event,
            standing,
            player,
            signal,
            direction,
            found,
            used,
            residual,
            later,
            day,
        }
    }

    fn decided(found: Option<f64>, used: f64, later: f64) -> DecidedRating {
        DecidedRating {
            event: 0,
            standing: 0,
            player: PlayerId::of_index(0),
            found,
            used: Some(used),
            later: Some((later, date(1906, 1, 1))),
        }
    }

    #[test]
    fn a_player_who_performed_above_their_rating_is_expected_to_rise() {
        let rows = [
            row(0, Signal::Corrected, -120.0, 2640.0),
            row(1, Signal::Corrected, 110.0, 2560.0),
            row(2, Signal::Corrected, -150.0, 2590.0),
            row(3, Signal::Corrected, -150.0, 2600.0),
        ];
        let rows: Vec<&LaterRating> = rows.iter().collect();
        let group = ForesightGroup::new(&rows, None, Signal::Corrected, None);
        assert_eq!((group.same, group.opposite, group.unchanged()), (2, 1, 1));
        assert_eq!(group.share.unwrap().mean, 2.0 / 3.0);
        assert_eq!(group.change.unwrap().mean, (40.0 + 40.0 - 10.0 + 0.0) / 4.0);
        // 40 of 120 and 40 of 110 points are less than half the way.
        assert_eq!(group.nearer, 0);
    }

    #[test]
    fn the_ratings_of_one_player_count_as_one_draw_in_the_error() {
        let player = PlayerId::of_index;
        let apart: Vec<(PlayerId, f64)> = (0..8).map(|i| (player(i), f64::from(i % 2))).collect();
        let together: Vec<(PlayerId, f64)> =
            (0..8).map(|i| (player(i % 2), f64::from(i % 2))).collect();
        // Independent: the usual standard error of a mean, sqrt(0.25 / 7).
        assert!(
            (ClusteredMean::from_values(&apart).unwrap().error.unwrap() - (0.25_f64 / 7.0).sqrt())
                .abs()
                < 1e-12
        );
        // Two players: that of two values, 0 and 1.
        assert!(
            (ClusteredMean::from_values(&together).unwrap().error.unwrap() - 0.5).abs() < 1e-12
        );
        assert_eq!(ClusteredMean::from_values(&[(player(0), 1.0)]).unwrap().error, None);
    }

    #[test]
    fn a_decision_is_judged_by_the_way_that_the_later_list_moved() {
        let up = decided(Some(2700.0), 2800.0, 2730.0);
        assert_eq!((up.is_same_way(), up.is_nearer()), (Some(true), Some(false)));
        let wrong = decided(Some(2700.0), 2600.0, 2730.0);
        assert_eq!((wrong.is_same_way(), wrong.is_nearer()), (Some(false), Some(false)));
        assert_eq!(decided(None, 2600.0, 2730.0).is_same_way(), None);
    }
}
