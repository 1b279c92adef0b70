//! Puts the players of each event into the order of finish: winners first, the players of a
//! knock-out by the round they reached, all others by points.

use super::open_places::open_places;
use crate::record::scoring::points_by;
use crate::record::{AnalysedEvent, BracketResult};
use chess_history::events::{Bracket, RoundOutcome};

/// Puts the players of each event into the order of finish. `brackets` are those of the knock-outs,
/// `results` what the brackets show, both by event.
#[must_use]
pub fn in_order_of_finish(
    mut records: Vec<AnalysedEvent>,
    brackets: &[Option<Bracket>],
    results: &[Option<BracketResult>],
) -> Vec<AnalysedEvent> {
    for ((record, bracket), result) in records.iter_mut().zip(brackets).zip(results) {
        let Finish { groups, settled } = finish(record, bracket.as_ref(), *result);
        record.great = groups.iter().flatten().map(|place| record.great[*place]).collect();
        record.analysis.finish_as(&groups);
        open_places(record, settled);
    }
    records
}

/// The order of finish.
struct Finish {
    /// The places in the analysis of players who share a place, first the winners.
    groups: Vec<Vec<usize>>,
    /// The number of first players whose places do not follow from points alone.
    settled: usize,
}

fn finish(
    record: &AnalysedEvent,
    bracket: Option<&Bracket>,
    result: Option<BracketResult>,
) -> Finish {
    let players = &record.analysis.players;
    let winners = record.winners_with(result);
    let seconds = if bracket.is_none() { seconds(record, &winners) } else { Vec::new() };
    let settled = winners.len() + seconds.len();
    let mut others: Vec<usize> = (0..players.len())
        .filter(|place| !winners.contains(place) && !seconds.contains(place))
        .collect();
    let rest: Vec<Vec<usize>> = match bracket {
        None => by_points(record, others),
        Some(bracket) => {
            let known = record.event.known.as_ref();
            let runners_up = known.map_or(&[][..], |known| &known.runners_up);
            let reached = |place: &usize| Reached {
                is_runner_up: runners_up.contains(&players[*place].index),
                outcomes: bracket.outcomes(players[*place].index),
            };
            others.sort_by_cached_key(|place| std::cmp::Reverse(reached(place)));
            let sharing = others.chunk_by(|a, b| reached(a) == reached(b));
            sharing.map(<[usize]>::to_vec).collect()
        }
    };
    let first = [winners, seconds].into_iter().filter(|group| !group.is_empty());
    Finish { groups: first.chain(rest).collect(), settled }
}

/// The places in the analysis of those who were second according to historical sources, in an event
/// that lacks games. Of a whole event the points show it.
fn seconds(record: &AnalysedEvent, winners: &[usize]) -> Vec<usize> {
    let players = &record.analysis.players;
    let lacks_games = players.iter().any(|player| {
        let (known, expected) = record.eligibility.games_of(player);
        known < expected
    });
    let Some(known) = record.event.known.as_ref().filter(|_| lacks_games && !winners.is_empty())
    else {
        return Vec::new();
    };
    let is_second = |place: &usize| {
        known.runners_up.contains(&players[*place].index) && !winners.contains(place)
    };
    (0..players.len()).filter(is_second).collect()
}

/// Groups players who share a place by the points that decide: those of the games, or by another
/// scoring.
fn by_points(record: &AnalysedEvent, mut others: Vec<usize>) -> Vec<Vec<usize>> {
    let players = &record.analysis.players;
    let Some(points) = points_by(record.event.scoring(), &record.input) else {
        let sharing = others.chunk_by(|a, b| players[*a].rank == players[*b].rank);
        return sharing.map(<[usize]>::to_vec).collect();
    };
    let deciding = |place: &usize| {
        let player = &players[*place];
        (points[player.index], player.play_off_points.unwrap_or_default())
    };
    others.sort_by(|a, b| {
        let ((of_a, play_off_a), (of_b, play_off_b)) = (deciding(a), deciding(b));
        of_b.total_cmp(&of_a).then(play_off_b.total_cmp(&play_off_a))
    });
    let sharing = others.chunk_by(|a, b| deciding(a) == deciding(b));
    sharing.map(<[usize]>::to_vec).collect()
}

/// How far a player went in a knock-out; more is greater.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Reached {
    /// Whether historical sources name the player as the loser of the final.
    is_runner_up: bool,
    outcomes: Vec<RoundOutcome>,
}
