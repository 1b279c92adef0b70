//! The form of missing games: a crosstable whose results are empty, for archivists to fill in.
//!
//! The tags and spellings are those of the event's games. So the games of a filled-in form join the
//! event.

use rustc_hash::FxHashMap;

use crate::lists::missing::MissingRow;
use crate::record::EventRecord;
use crate::run::Archive;
use chess_history::events::EventGame;
use pgn_collections::games::{Game, NameId, PartialDate};
use tables::{ExportTable, some};
use tournament_app::Kind;

/// A line of the form: one missing game.
struct FormLine {
    event_id: String,
    event: String,
    site: String,
    date: String,
    round: Option<u16>,
    player: Option<String>,
    colour: Option<&'static str>,
    opponent: Option<String>,
}

/// Makes the form, with a line for each missing game.
pub(super) fn missing_games_form(archive: &Archive) -> ExportTable {
    let missing = &archive.findings.missing;
    let lines: Vec<FormLine> = missing.iter().flat_map(|row| lines_of(archive, row)).collect();
    ExportTable::from_rows(&lines)
        .text("event_id", |line| some(&line.event_id))
        .text("event", |line| some(&line.event))
        .text("site", |line| some(&line.site))
        .text("date", |line| some(&line.date))
        .whole("round", |line| line.round.map(usize::from))
        .text("player", |line| line.player.clone())
        .text("colour", |line| line.colour.map(str::to_owned))
        .text("opponent", |line| line.opponent.clone())
        .text("result", |_| None)
        .finish()
}

/// The lines of the games that a row counts.
fn lines_of(archive: &Archive, row: &MissingRow) -> impl Iterator<Item = FormLine> {
    let record = &archive.records[row.event];
    let event = most_frequent(games_of(archive, record).map(|(.., game)| game.event));
    let site = most_frequent(games_of(archive, record).map(|(.., game)| game.site));
    let [event, site] =
        [event, site].map(|tag| tag.map_or_else(String::new, |tag| archive.table.text(tag).into()));
    let [player, opponent] =
        [row.player, row.opponent].map(|player| Some(spelling(archive, record, player?)));
    let [first, last] = days_around(archive, record, row.round).map(|day| day.iso());
    let (date, round) = (date(&first, &last), row.round);
    colours(record, row).into_iter().map(move |colour| FormLine {
        event_id: record.event.id.clone(),
        event: event.clone(),
        site: site.clone(),
        date: date.clone(),
        round,
        player: player.clone(),
        colour,
        opponent: opponent.clone(),
    })
}

/// The games of an event, with the places of White and Black in its field.
fn games_of<'a>(
    archive: &'a Archive,
    record: &'a EventRecord,
) -> impl Iterator<Item = (usize, usize, &'a Game)> {
    let games = record.event.games.iter();
    games.map(move |game| (game.white, game.black, &archive.table.games()[game.row]))
}

/// The spelling of a player that most games of the event have, or else the name.
fn spelling(archive: &Archive, record: &EventRecord, player: usize) -> String {
    let spellings = games_of(archive, record).filter_map(|(white, black, game)| match player {
        player if player == white => Some(game.white),
        player if player == black => Some(game.black),
        _ => None,
    });
    match most_frequent(spellings) {
        Some(id) => archive.table.text(id).to_owned(),
        None => archive.players.get(record.event.players[player]).name.clone(),
    }
}

/// The name that occurs most often; among equals, the first of the table.
fn most_frequent(names: impl Iterator<Item = NameId>) -> Option<NameId> {
    let mut counts: FxHashMap<NameId, usize> = FxHashMap::default();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let best = counts.into_iter().max_by(|(a, x), (b, y)| x.cmp(y).then(b.cmp(a)));
    best.map(|(name, _)| name)
}

/// The colours of the player in the games that a row counts, where they are certain: two players
/// who meet twice have each colour once.
fn colours(record: &EventRecord, row: &MissingRow) -> Vec<Option<&'static str>> {
    let unknown = vec![None; row.games];
    let meet_twice = matches!(record.event.kind, Kind::DoubleRoundRobin | Kind::Scheveningen);
    let Some((player, opponent)) = row.player.zip(row.opponent).filter(|_| meet_twice) else {
        return unknown;
    };
    let games = record.event.games.iter();
    let known: Vec<&EventGame> =
        games.filter(|game| game.is_of(player) && game.is_of(opponent)).collect();
    match (&known[..], row.games) {
        ([], 2) => vec![Some("white"), Some("black")],
        ([game], 1) if game.white == player => vec![Some("black")],
        ([_], 1) => vec![Some("white")],
        _ => unknown,
    }
}

/// The days between which a missing game was played: those of the nearest known rounds before and
/// after its round, or else the first and the last day of the event.
fn days_around(archive: &Archive, record: &EventRecord, round: Option<u16>) -> [PartialDate; 2] {
    let all: [PartialDate; 2] = record.event.days().into();
    let Some(round) = round else { return all };
    // Of several days of a round, the one nearest to the missing game counts.
    let mut before: Option<(u16, PartialDate)> = None;
    let mut after: Option<(u16, PartialDate)> = None;
    for (.., game) in games_of(archive, record) {
        let Some(number) = game.round.number().filter(|_| game.date.year().is_some()) else {
            continue;
        };
        if number < round {
            before = before.max(Some((number, game.date)));
        } else if number > round {
            after = Some(after.map_or((number, game.date), |known| known.min((number, game.date))));
        }
    }
    let [first, last] = [before, after].map(|found| found.map(|(_, date)| date));
    let around = [first.unwrap_or(all[0]), last.unwrap_or(all[1])];
    if around[0] <= around[1] { around } else { all }
}

/// The date of a game between two days: the parts that the two share (`1953-08`), or else the month
/// of the first.
///
/// A game without a year would not join its event.
fn date(first: &str, last: &str) -> String {
    if first == last {
        return first.to_owned();
    }
    let parts = first.split('-').zip(last.split('-'));
    let shared: Vec<&str> =
        parts.take_while(|(one, other)| one == other).map(|(part, _)| part).collect();
    if shared.is_empty() {
        first.split('-').take(2).collect::<Vec<_>>().join("-")
    } else {
        shared.join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_never_without_the_year_of_the_event() {
        assert_eq!(date("1953-08-30", "1953-08-30"), "1953-08-30");
        assert_eq!(date("1953-08-01", "1953-08-30"), "1953-08");
        assert_eq!(date("1953-08-30", "1953-10-24"), "1953");
        assert_eq!(date("1962-12-16", "1963-01-03"), "1962-12");
        assert_eq!((date("1962", "1963-01-03"), date("", "")), ("1962".to_owned(), String::new()));
    }
}
