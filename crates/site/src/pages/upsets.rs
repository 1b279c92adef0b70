//! The least expected results: of a year, and of history.

use serde::Serialize;

use super::predictions::chance;
use super::{Link, Site};
use crate::figures::percent;
use archive::EventRecord;
use chess_history::events::EventGame;

/// The largest number of results that are shown, as many as leaders of a year.
const SHOWN: usize = 10;

/// The largest chance of a result that counts as unexpected. Judged: a quiet year should have ten
/// such results, and rarer ones come first.
const MOST: f64 = 0.1;

/// A game with the chance that its result had.
struct UnlikelyGame<'a> {
    chance: f64,
    expected: f64,
    score: f64,
    event: usize,
    record: &'a EventRecord,
    game: &'a EventGame,
}

/// The least likely results of these events, by the forecasts that read published ratings: at most
/// [`SHOWN`], each with a chance of at most [`MOST`]. Empty if there are no such forecasts.
pub(super) fn upsets(site: &Site, events: impl IntoIterator<Item = usize>) -> Vec<impl Serialize> {
    let mut found: Vec<UnlikelyGame> = Vec::new();
    for event in events {
        found.extend(unlikely(site, event));
        // Keep memory small for a whole history.
        if found.len() > 1000 {
            shorten(&mut found);
        }
    }
    shorten(&mut found);
    found.iter().enumerate().map(|(place, one)| row(site, place + 1, one)).collect()
}

/// Keeps the least likely results. Of equally likely ones, the earlier come first.
fn shorten(found: &mut Vec<UnlikelyGame>) {
    found.sort_by(|a, b| {
        a.chance.total_cmp(&b.chance).then((a.event, a.game.row).cmp(&(b.event, b.game.row)))
    });
    found.truncate(SHOWN);
}

/// The games of an event with the chances of their results.
fn unlikely<'a>(site: &Site<'a>, event: usize) -> Vec<UnlikelyGame<'a>> {
    let archive = site.archive;
    let record = &archive.records[event];
    let Some(forecasts) = archive.studies.game_forecasts.as_ref() else { return Vec::new() };
    let Some(best) = forecasts.best() else { return Vec::new() };
    // The games of a match of a cycle are games of the cycle too, and count once.
    if record.event.part_of.is_some() {
        return Vec::new();
    }
    let games = record.event.games.iter().filter(|game| game.played);
    let unlikely = games.filter_map(|game| {
        let played = &archive.table.games()[game.row];
        let score = played.result.white_score()?;
        let number = forecasts.number(game.row)?;
        let chances = best.chances(number)?;
        let (chance, expected) = (chances.chance(score), chances.expected());
        (chance <= MOST).then_some(UnlikelyGame { chance, expected, score, event, record, game })
    });
    unlikely.collect()
}

fn row(site: &Site, rank: usize, one: &UnlikelyGame) -> impl Serialize + use<> {
    let [white, black] = [one.game.white, one.game.black]
        .map(|player| Link::to_player(site.archive, one.record.event.players[player]));
    let date = site.archive.table.games()[one.game.row].date;
    view!(
        rank,
        year = date.year().map(|year| year.to_string()).unwrap_or_default(),
        white,
        black,
        event = Link::to_event(one.record),
        result = match one.score {
            score if score > 0.75 => "1–0",
            score if score < 0.25 => "0–1",
            _ => "½–½",
        },
        // The chance of that result before the event.
        chance = chance(one.chance),
        // White's expected score, in per cent.
        expected = percent(one.expected)
    )
}
