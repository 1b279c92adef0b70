//! The longest runs of a player without a loss, or of wins.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;

use archive::{EventRecord, PlayerRow};
use pgn_collections::games::Tempo;
use tournament_app::PlayingOrder;

/// Events whose order among each other is unknown, with the player's scores in them.
struct Block {
    /// The first and the last event, by index of the record.
    events: (usize, usize),
    /// The last day on which one of them can have ended.
    end: Option<Date>,
    scores: Vec<f64>,
    /// Whether all games of the player are known.
    is_whole: bool,
    /// Whether all of them and their order are known.
    is_ordered: bool,
    follows_pause: bool,
}

/// Games in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Run {
    pub games: usize,
    pub points: f64,
    /// The first and the last event, by index of the record.
    pub events: Option<(usize, usize)>,
}

impl Run {
    fn add(&mut self, score: f64, (first, last): (usize, usize)) {
        self.games += 1;
        self.points += score;
        self.events = Some((self.events.map_or(first, |(begin, _)| begin), last));
    }
}

/// The player's longest run of classical games whose scores are all at least `least`: ½ for games
/// without a loss, 1 for wins.
///
/// Only what is known counts. A run ends with an event of which games of the player are missing,
/// with one in an unknown order that has a lower score, with several such that may have been played
/// at one time, and with a pause of [`PAUSE`] days.
pub(super) fn longest_run(records: &[EventRecord], row: &PlayerRow, least: f64) -> Run {
    longest(&blocks(records, row), least)
}

/// The longest pause (days) between two events of a run. Judged: a master without an event for two
/// years either retired or played elsewhere.
const PAUSE: i32 = 730;

fn longest(blocks: &[Block], least: f64) -> Run {
    let (mut best, mut run) = (Run::default(), Run::default());
    for block in blocks {
        let is_whole = block.is_whole && block.scores.iter().all(|score| *score >= least);
        if block.follows_pause {
            run = Run::default();
        }
        if !is_whole && !block.is_ordered {
            run = Run::default();
            continue;
        }
        for score in &block.scores {
            if *score >= least {
                run.add(*score, block.events);
            } else {
                run = Run::default();
            }
            if run.games > best.games {
                best = run;
            }
        }
    }
    best
}

/// The events of a player, with the matches of a cycle or the stages of an event instead of the
/// whole, if they have all of its games. Their days are known more often than the order of the
/// whole.
fn by_parts(records: &[EventRecord], row: &PlayerRow) -> Vec<(usize, usize)> {
    let games =
        |(event, standing): &(usize, usize)| records[*event].analysis.players[*standing].games;
    let mut of_parts: HashMap<&str, usize> = HashMap::new();
    for own in &row.events {
        if let Some(whole) = &records[own.0].event.part_of {
            *of_parts.entry(whole).or_default() += games(own);
        }
    }
    // Not the whole event of one of them, and not a part of another one.
    let have_all: HashSet<&str> = row
        .events
        .iter()
        .filter(|own| {
            let (known, expected) = records[own.0].games_of(own.1);
            known > 0 && known >= expected
        })
        .map(|own| (records[own.0].event.id.as_str(), games(own)))
        .filter(|(id, all)| of_parts.get(id) == Some(all))
        .map(|(id, _)| id)
        .collect();
    let is_one = |(event, _): &&(usize, usize)| {
        let event = &records[*event].event;
        let whole = event.part_of.as_deref();
        !have_all.contains(event.id.as_str()) && whole.is_none_or(|whole| have_all.contains(whole))
    };
    row.events.iter().filter(is_one).copied().collect()
}

/// The classical events of a player in the order of time.
fn blocks(records: &[EventRecord], row: &PlayerRow) -> Vec<Block> {
    let mut events = by_parts(records, row);
    events.retain(|(event, _)| {
        let event = &records[*event].event;
        event.tempo == Tempo::Classical && event.start.year().is_some()
    });
    events.sort_by_key(|(event, _)| (records[*event].event.days().0.earliest(), *event));
    let mut blocks: Vec<Block> = Vec::new();
    for (event, standing) in events {
        let record = &records[event];
        let player = record.analysis.players[standing].index;
        let mut scores = Vec::new();
        for game in record.input.played() {
            if game.white == player {
                scores.push(game.white_score);
            } else if game.black == player {
                scores.push(1.0 - game.white_score);
            }
        }
        // History knows the days of many events whose games have only the year.
        let (start, end) = record.event.days();
        let (start, end) = (start.earliest(), end.latest());
        let (known, expected) = record.games_of(standing);
        let is_whole = known >= expected;
        match blocks.last_mut() {
            Some(last) if last.end.is_none() || start.is_none() || start <= last.end => {
                last.scores.extend(scores);
                last.events.1 = event;
                last.end = last.end.max(end);
                last.is_whole &= is_whole;
                last.is_ordered = false;
            }
            last => {
                let before = last.and_then(|last| last.end).zip(start);
                let follows_pause =
                    before.is_some_and(|(end, start)| (start - end).get_days() > PAUSE);
                let is_ordered = is_whole && record.analysis.order == PlayingOrder::Known;
                let events = (event, event);
                blocks.push(Block { events, end, scores, is_whole, is_ordered, follows_pause });
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(event: usize, scores: &[f64], is_ordered: bool) -> Block {
        Block {
            events: (event, event),
            end: None,
            scores: scores.to_vec(),
            is_whole: true,
            is_ordered,
            follows_pause: false,
        }
    }

    #[test]
    fn a_run_goes_through_events_and_ends_with_a_loss() {
        let blocks = [block(0, &[0.0, 1.0, 0.5], true), block(1, &[1.0, 0.5, 0.0, 1.0], true)];
        let run = longest(&blocks, 0.5);
        assert_eq!(run, Run { games: 4, points: 3.0, events: Some((0, 1)) });
        assert_eq!(longest(&blocks, 1.0).games, 1);
    }

    #[test]
    fn the_games_of_an_unknown_order_count_only_if_none_was_lost() {
        let blocks = [
            block(0, &[1.0, 1.0], false),
            block(1, &[0.5, 1.0, 0.0], false),
            block(2, &[1.0, 0.5, 0.5], false),
        ];
        assert_eq!(longest(&blocks, 0.5).games, 3, "the last event");
    }
}
