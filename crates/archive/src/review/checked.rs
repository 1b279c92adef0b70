//! Compares events with historical sources.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::record::EventRecord;
use crate::record::review_reason::ReviewReason;
use crate::record::status::Status;
use chess_history::events::{KnownEvent, KnownFormat, KnownResult, KnownResults, SegmentKind};
use pgn_collections::games::Tempo;

/// An aspect of an event that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The winner, by points alone.
    Winner,
    Points,
    /// The points of the player in second place.
    SecondPoints,
    Players,
    Games,
}

impl Aspect {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            Aspect::Winner => "winner",
            Aspect::Points => "points of the winner",
            Aspect::SecondPoints => "points of the second",
            Aspect::Players => "players",
            Aspect::Games => "games",
        }
    }
}

/// A reason for which an event may differ from historical sources without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explanation {
    GamesMissing,
    /// Games outside the table are counted: replayed draws, games of players who withdrew,
    /// play-offs.
    GamesBeyond,
    /// Unplayed games are in the table of only one of the two.
    Forfeits,
    /// The Ratings Administrator decided about the event.
    Decided,
}

impl Explanation {
    /// The words for pages and exports.
    pub fn words(self) -> &'static str {
        match self {
            Explanation::GamesMissing => "games are missing here",
            Explanation::GamesBeyond => {
                "replays, play-offs or withdrawn players are counted differently"
            }
            Explanation::Forfeits => "forfeited games",
            Explanation::Decided => "decided by the Ratings Administrator",
        }
    }
}

/// A difference between an event and historical sources.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryDifference {
    pub aspect: Aspect,
    /// The value from the games.
    pub found: String,
    /// The value of the historical source.
    pub known: String,
    /// The reason why it is not an error, if there is one.
    pub explanation: Option<Explanation>,
}

/// The comparison of the archive with historical sources.
#[derive(Clone, Debug, Default)]
pub struct HistoryCheck {
    /// Events without differences, by index of the record.
    pub agreeing: Vec<usize>,
    /// The other events, with all their differences.
    pub differing: Vec<(usize, Vec<HistoryDifference>)>,
    /// Events of historical sources within the years of the archive that the archive lacks.
    pub absent: Vec<Arc<KnownResult>>,
    /// Events of historical sources that were decided without a game, in the order of time.
    pub unplayed: Vec<Arc<KnownResult>>,
}

impl HistoryCheck {
    /// Compares all events with historical sources.
    pub fn new(records: &[EventRecord], known: &KnownResults) -> HistoryCheck {
        let mut checked = HistoryCheck::default();
        let mut met: FxHashSet<&str> = FxHashSet::default();
        for (place, record) in records.iter().enumerate() {
            let Some(event) = &record.event.known else { continue };
            met.insert(&event.result.event);
            let differences = differences(record);
            if differences.is_empty() {
                checked.agreeing.push(place);
            } else {
                checked.differing.push((place, differences));
            }
        }
        let classical = records.iter().filter(|record| record.event.tempo == Tempo::Classical);
        let years: Vec<i16> = classical.filter_map(|record| record.event.start.year()).collect();
        let span = years.iter().min().zip(years.iter().max());
        for result in known.iter().filter(|result| !met.contains(result.event.as_str())) {
            let (Some((first, last)), Some(year)) = (span, result.start.year()) else { continue };
            if !(first..=last).contains(&&year) {
                continue;
            }
            if result.games == Some(0) {
                checked.unplayed.push(result.clone());
            } else {
                checked.absent.push(result.clone());
            }
        }
        checked.unplayed.sort_by_key(|result| result.start);
        checked.absent.sort_by_key(|result| (result.start, result.event.clone()));
        checked
    }
}

/// The differences between an event and its historical source.
pub fn differences(record: &EventRecord) -> Vec<HistoryDifference> {
    let Some(known) = &record.event.known else { return Vec::new() };
    let mut found: Vec<HistoryDifference> = compare_players(record, &known.result)
        .into_iter()
        .chain(compare_games(record, &known.result))
        .chain(compare_points(record, known))
        .chain(compare_winners(record, known))
        .collect();
    if let Some(decided) = &record.decided
        && decided.settles.contains(&ReviewReason::Contradicted)
    {
        for difference in &mut found {
            // If points differ, missing games are a guess. The decision knows the reason.
            match difference.aspect {
                Aspect::Players | Aspect::Games => {
                    difference.explanation.get_or_insert(Explanation::Decided);
                }
                _ => difference.explanation = Some(Explanation::Decided),
            }
        }
    }
    found
}

/// Whether an event has a difference that nothing explains.
pub fn contradicts(record: &EventRecord) -> bool {
    differences(record).iter().any(|difference| difference.explanation.is_none())
}

fn compare_players(record: &EventRecord, known: &KnownResult) -> Option<HistoryDifference> {
    let (event, recognised) = (&record.event, &record.event.recognised);
    let lacks_games = recognised.placed_games < recognised.expected_games;
    let all = event.players.len();
    // Players who withdrew are outside the table.
    let of_table = record.analysis.players.iter().filter(|player| player.main_games > 0).count();
    let to_the_end = of_table.min(all - recognised.withdrawn.len());
    let players = known.players.filter(|players| !(to_the_end..=all).contains(players))?;
    let is_short = players > all && (lacks_games || known.format == Some(KnownFormat::Swiss));
    let has_games = known.games == Some(recognised.placed_games);
    Some(HistoryDifference {
        aspect: Aspect::Players,
        found: all.to_string(),
        known: players.to_string(),
        explanation: if is_short {
            Some(Explanation::GamesMissing)
        } else if has_games {
            // The source counts players whose games were annulled; here they have no games.
            Some(Explanation::GamesBeyond)
        } else {
            None
        },
    })
}

fn compare_games(record: &EventRecord, known: &KnownResult) -> Option<HistoryDifference> {
    let (event, recognised) = (&record.event, &record.event.recognised);
    let games = known.games.filter(|_| known.format != Some(KnownFormat::KnockOut))?;
    let main = event.games.iter().filter(|game| game.segment == SegmentKind::Main).count();
    let (placed, played) = (recognised.placed_games, games.saturating_sub(known.forfeits));
    let least = placed.min(main);
    let most = placed.max(event.games.len());
    if least <= games && played <= most {
        return None;
    }
    Some(HistoryDifference {
        aspect: Aspect::Games,
        found: placed.to_string(),
        known: games.to_string(),
        explanation: (most < played).then_some(Explanation::GamesMissing),
    })
}

fn compare_points(record: &EventRecord, known: &KnownEvent) -> Vec<HistoryDifference> {
    let result = &known.result;
    let sides = [
        (Aspect::Points, &known.winners, result.points),
        (Aspect::SecondPoints, &known.runners_up, result.second_points),
    ];
    let compared = sides.into_iter().filter_map(|(aspect, players, points)| {
        let (index, points) = players.first().zip(points)?;
        let place = record.analysis.players.iter().position(|player| player.index == *index)?;
        let player = &record.analysis.players[place];
        if player.main_points == points || player.points == points {
            return None;
        }
        Some(HistoryDifference {
            aspect,
            found: points_text(player.main_points),
            known: points_text(points),
            explanation: why_other_points(record, place, points - player.main_points, result),
        })
    });
    compared.collect()
}

/// Why a source may give a player `more` points than the main event here (fewer where it is
/// negative).
fn why_other_points(
    record: &EventRecord,
    place: usize,
    more: f64,
    result: &KnownResult,
) -> Option<Explanation> {
    let (event, player) = (&record.event, &record.analysis.players[place]);
    let (there, expected) = record.games_of(place);
    let mut unplayed = 0;
    let mut beyond = 0;
    for game in event.games.iter().filter(|game| game.is_of(player.index)) {
        unplayed += usize::from(!game.played);
        beyond += usize::from(game.segment != SegmentKind::Main);
    }
    let unplayed = unplayed.max(result.forfeits);
    // Points against players who withdrew were given without a game.
    let left = record.analysis.players.iter().filter(|other| other.main_games == 0).count();
    let left = left.max(event.recognised.withdrawn.len());
    if more > 0.0 && games_explain(more, expected - there) {
        Some(Explanation::GamesMissing)
    } else if games_explain(more, unplayed) {
        Some(Explanation::Forfeits)
    } else if games_explain(more, beyond + left) {
        Some(Explanation::GamesBeyond)
    } else {
        None
    }
}

/// Whether this number of games may explain a difference in points: a game is worth at most one.
fn games_explain(points: f64, games: usize) -> bool {
    games > 0 && points.abs() <= games as f64
}

fn compare_winners(record: &EventRecord, known: &KnownEvent) -> Option<HistoryDifference> {
    let result = &known.result;
    let by_points = record.winners_by_points();
    // The winner of a tie-break has as many points as others, and points do not decide some events.
    if by_points.is_empty() || !result.decided_by.is_empty() || known.winners.is_empty() {
        return None;
    }
    let places = by_points.iter();
    let mut ours: Vec<usize> = places.map(|place| record.analysis.players[*place].index).collect();
    let mut theirs = known.winners.clone();
    ours.sort_unstable();
    theirs.sort_unstable();
    // The tie was broken in a way that the table does not show.
    let is_among = theirs.len() < ours.len() && theirs.iter().all(|winner| ours.contains(winner));
    if ours == theirs || is_among {
        return None;
    }
    let lacks_games = record.event.coverage() < 1.0 || record.status == Status::Incomplete;
    Some(HistoryDifference {
        aspect: Aspect::Winner,
        found: joined_names(record, &ours),
        known: joined_names(record, &theirs),
        explanation: lacks_games.then_some(Explanation::GamesMissing),
    })
}

/// The names of players of an event, by their indices.
fn joined_names(record: &EventRecord, indices: &[usize]) -> String {
    let names = indices.iter().map(|index| record.input.players[*index].name.as_str());
    names.collect::<Vec<_>>().join("; ")
}

/// Writes points: `8`, `8.5`.
fn points_text(points: f64) -> String {
    format!("{points}")
}
