//! The form of missing games: a crosstable whose results are empty, for archivists to fill in.
//!
//! The tags and spellings are those of the event's games. So the games of a filled-in form join the
//! event.

use rustc_hash::FxHashMap;

use crate::archive::lists::missing::MissingRow;
use crate::archive::record::EventRecord;
use crate::archive::run::Archive;
use crate::games::{Game, NameId};
use crate::tables::{ExportTable, some};

/// A line of the form: one missing game.
struct FormLine {
    event_id: String,
    event: String,
    site: String,
    date: String,
    round: Option<u16>,
    player: Option<String>,
    opponent: Option<String>,
}

/// Makes the form, with a line for each missing game.
pub(super) fn missing_games_form(archive: &Archive) -> ExportTable {
    let missing = &archive.findings.missing;
    let lines: Vec<FormLine> = missing.iter().flat_map(|row| lines_of(archive, row)).collect();
    ExportTable::of(&lines)
        .text("event_id", |line| some(&line.event_id))
        .text("event", |line| some(&line.event))
        .text("site", |line| some(&line.site))
        .text("date", |line| some(&line.date))
        .whole("round", |line| line.round.map(usize::from))
        .text("player", |line| line.player.clone())
        .text("colour", |_| None)
        .text("opponent", |line| line.opponent.clone())
        .text("result", |_| None)
        .finish()
}

/// The lines of the games that a row counts.
fn lines_of(archive: &Archive, row: &MissingRow) -> impl Iterator<Item = FormLine> {
    let record = &archive.records[row.event];
    let tag = |tag: fn(&Game) -> NameId| {
        let tags = games_of(archive, record).map(|(.., game)| tag(game));
        most_frequent(tags).map(|id| archive.table.text(id).to_owned()).unwrap_or_default()
    };
    let (event, site) = (tag(|game| game.event), tag(|game| game.site));
    let [player, opponent] =
        [row.player, row.opponent].map(|player| Some(spelling(archive, record, player?)));
    let (date, round) = (date(record), row.round);
    (0..row.games).map(move |_| FormLine {
        event_id: record.event.id.clone(),
        event: event.clone(),
        site: site.clone(),
        date: date.clone(),
        round,
        player: player.clone(),
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

/// The parts of the date that the first and the last day of the event share: `1953-08`.
fn date(record: &EventRecord) -> String {
    let [first, last] = <[_; 2]>::from(record.event.days()).map(|day| day.iso());
    if first == last {
        return first;
    }
    let parts = first.split('-').zip(last.split('-'));
    let shared: Vec<&str> =
        parts.take_while(|(one, other)| one == other).map(|(part, _)| part).collect();
    shared.join("-")
}
