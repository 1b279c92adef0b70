//! Tables of events, their games and their other rankings.

use std::collections::HashSet;

use jiff::civil::Date;
use rayon::prelude::*;

use crate::exports::cell_values::{known_rating, player_of, year};
use crate::record::EventRecord;
use crate::record::status::Status;
use crate::run::Archive;
use chess_history::events::EventGame;
use chess_history::gazetteer::Places;
use pgn_collections::games::Game;
use tables::{ExportTable, some};
use tournament_app::pairing::{OtherOrder, OtherOrders};
use tournament_app::{PlayerAnalysis, RatingOrigin, StepKind};

/// The words for the statuses of events.
pub(super) struct StatusWords<'a> {
    /// The identifiers of the events on the list of strengths.
    on_list: HashSet<&'a str>,
}

impl<'a> StatusWords<'a> {
    pub fn new(archive: &'a Archive) -> StatusWords<'a> {
        let rows = archive.lists.strength.iter();
        let on_list = rows.map(|row| archive.records[row.event].event.id.as_str()).collect();
        StatusWords { on_list }
    }

    /// The word for an event. What is no row of its own has another: its games are ranked with
    /// another event, or it is a short match of a knock-out that is not ranked.
    pub fn word(&self, record: &EventRecord) -> &'static str {
        match record.status {
            Status::Listed if !self.on_list.contains(record.event.id.as_str()) => "part",
            status => status.word(),
        }
    }
}

pub(super) fn events(archive: &Archive, rows: &[EventRecord], places: &Places) -> ExportTable {
    let statuses = StatusWords::new(archive);
    ExportTable::default()
        .text("event_id", rows.iter().map(|row| some(&row.event.id)))
        .text("name", rows.iter().map(|row| some(&row.event.name)))
        .text("site", rows.iter().map(|row| some(&row.event.site)))
        .text("start", rows.iter().map(|row| some(row.event.days().0.iso())))
        .text("end", rows.iter().map(|row| some(row.event.days().1.iso())))
        .text("kind", rows.iter().map(|row| some(row.event.kind.word())))
        .whole("players", rows.iter().map(|row| Some(row.event.players.len())))
        .whole("games", rows.iter().map(|row| Some(row.event.games.len())))
        .whole("expected_games", rows.iter().map(|row| Some(row.event.recognised.expected_games)))
        .number("coverage", rows.iter().map(|row| Some(row.event.coverage())))
        .text("rating_source", rows.iter().map(|row| some(row.ratings.origin.name())))
        .whole("known_ratings", rows.iter().map(|row| Some(row.analysis.before.known_ratings)))
        .whole("filled", rows.iter().map(|row| Some(row.ratings_of_origin(RatingOrigin::Filled))))
        .whole("omitted", rows.iter().map(|row| Some(ratings_left_out(row))))
        .whole(
            "corrected",
            rows.iter().map(|row| Some(row.ratings_of_origin(RatingOrigin::Corrected))),
        )
        .number("slope", rows.iter().map(|row| Some(row.analysis.line?.slope)))
        .number("intercept", rows.iter().map(|row| Some(row.analysis.line?.intercept)))
        .number("r", rows.iter().map(|row| row.analysis.line?.r))
        .number("fit_statistic", rows.iter().map(|row| row.analysis.fit_test.statistic))
        .number("fit_critical", rows.iter().map(|row| row.analysis.fit_test.critical))
        .number("fit_lower", rows.iter().map(|row| row.analysis.fit_test.lower))
        .text("fit_result", rows.iter().map(|row| some(row.analysis.fit_test.result.word())))
        .number("constant_low", rows.iter().map(|row| row.analysis.fit_test.constant_low))
        .number("constant_high", rows.iter().map(|row| row.analysis.fit_test.constant_high))
        .number("number_two", rows.iter().map(|row| row.analysis.number_two))
        .number("strength", rows.iter().map(|row| row.analysis.strength))
        .text("order", rows.iter().map(|row| some(row.analysis.order.word())))
        .text("status", rows.iter().map(|row| some(statuses.word(row))))
        .text("tempo", rows.iter().map(|row| some(row.event.tempo.word())))
        .text("tempo_reason", rows.iter().map(|row| some(row.event.tempo_reason.word())))
        .whole("known_games", rows.iter().map(|row| Some(row.event.recognised.placed_games)))
        .number("supplied", rows.iter().map(|row| Some(row.supplied())))
        .text(
            "winner",
            rows.iter().map(|row| {
                let winners: Vec<&str> = row
                    .winners()
                    .into_iter()
                    .map(|place| row.analysis.players[place].name.as_str())
                    .collect();
                some(winners.join("; "))
            }),
        )
        .number("strength_error", rows.iter().map(|row| row.analysis.strength_error))
        .whole("withdrew", rows.iter().map(|row| Some(row.withdrawn().len())))
        .text(
            "winner_ids",
            rows.iter().map(|row| {
                let winners = row.winners().into_iter();
                let ids = winners.map(|place| {
                    let player = row.event.players[row.analysis.players[place].index];
                    archive.players.get(player).id.as_str()
                });
                some(ids.collect::<Vec<_>>().join("; "))
            }),
        )
        .date("date_from", rows.iter().map(|row| day(row.event.days().0.earliest())))
        .date("date_to", rows.iter().map(|row| day(row.event.days().1.latest())))
        .text("date_precision", rows.iter().map(date_precision))
        .text("country", rows.iter().map(|row| row.country(places).map(str::to_owned)))
        .text("part_of", rows.iter().map(|row| row.event.part_of.clone()))
        .flag("r_significant", rows.iter().map(|row| Some(row.order_test()?.r_significant)))
        .flag("favourite_won", rows.iter().map(|row| Some(row.order_test()?.favourite_won)))
        .flag(
            "first_three_in_order",
            rows.iter().map(|row| Some(row.order_test()?.first_three_in_order)),
        )
        .whole(
            "inversions",
            rows.iter()
                .map(|row| row.is_whole_round_robin().then_some(row.analysis.inversions.len())),
        )
        .flag("winner_lost_elo", rows.iter().map(EventRecord::winner_lost_elo))
}

/// The number of ratings that the estimator line of an event left out.
fn ratings_left_out(record: &EventRecord) -> usize {
    let steps = record.analysis.steps.iter();
    steps.filter(|step| matches!(step.kind(), StepKind::Omitted | StepKind::Deleted)).count()
}

fn day(day: Option<Date>) -> Option<String> {
    day.map(|day| day.to_string())
}

/// How exactly the days of an event are known: by the less exact of the first and the last.
fn date_precision(record: &EventRecord) -> Option<String> {
    let (first, last) = record.event.days();
    let word = match first.known_parts().min(last.known_parts()) {
        0 => return None,
        1 => "year",
        2 => "month",
        _ => "day",
    };
    Some(word.to_owned())
}

/// Incomplete events, and what is known of them.
pub(super) fn fragments(archive: &Archive) -> ExportTable {
    let rows: Vec<&EventRecord> =
        archive.lists.fragments.iter().map(|event| &archive.records[*event]).collect();
    ExportTable::default()
        .text("event_id", rows.iter().map(|row| some(&row.event.id)))
        .text("event", rows.iter().map(|row| some(&row.event.name)))
        .whole("year", rows.iter().map(|row| year(row)))
        .text("kind", rows.iter().map(|row| some(row.event.kind.word())))
        .text("tempo", rows.iter().map(|row| some(row.event.tempo.word())))
        .whole("players", rows.iter().map(|row| Some(row.event.players.len())))
        .whole("games", rows.iter().map(|row| Some(row.event.games.len())))
        .whole("known_games", rows.iter().map(|row| Some(row.event.recognised.placed_games)))
        .whole("expected_games", rows.iter().map(|row| Some(row.event.recognised.expected_games)))
        .number("coverage", rows.iter().map(|row| Some(row.event.coverage())))
        .number("strength", rows.iter().map(|row| row.analysis.strength))
        .text("status", rows.iter().map(|row| some(row.status.word())))
}

/// Other rankings of events: a line for each player of each event except matches.
pub(super) fn tie_breaks(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let orders: Vec<Option<OtherOrders>> = records.par_iter().map(EventRecord::orders).collect();
    let rows: Vec<(&EventRecord, &PlayerAnalysis, &OtherOrder)> = records
        .iter()
        .zip(&orders)
        .filter_map(|(record, orders)| Some((record, orders.as_ref()?)))
        .flat_map(|(record, orders)| {
            let standing = record.analysis.players.iter();
            standing.map(move |player| (record, player, &orders.players[player.index]))
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |(record, ..)| some(&record.event.id))
        .text("player_id", |(record, player, _)| some(&player_of(archive, record, player.index).id))
        .number("points", |(.., own)| Some(own.points))
        .whole("direct_encounter", |(.., own)| Some(own.direct_encounter))
        .number("sonneborn_berger", |(.., own)| Some(own.sonneborn_berger))
        .number("buchholz", |(.., own)| Some(own.buchholz))
        .number("koya", |(.., own)| Some(own.koya))
        .whole("over", |(.., own)| Some(own.dominance.over))
        .whole("under", |(.., own)| Some(own.dominance.under))
        .number("dominance", |(.., own)| own.dominance.part)
        .number("linear", |(.., own)| own.linear)
        .number("berkin", |(.., own)| own.berkin.figure())
        .number("bradley_terry", |(.., own)| own.bradley_terry.figure())
        .number("power", |(.., own)| own.power.figure())
        .finish()
}

/// The games of all events, one row for each game.
pub(super) fn games(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<(&EventRecord, &EventGame, &Game)> = records
        .iter()
        .flat_map(|record| {
            record
                .event
                .games
                .iter()
                .map(move |game| (record, game, &archive.table.games()[game.row]))
        })
        .collect();
    // A game of a match is also a game of its cycle.
    let mut seen: HashSet<usize> = HashSet::new();
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, ..)| some(&record.event.id)))
        .text("date", rows.iter().map(|(.., game)| some(game.date.iso())))
        .text(
            "round",
            rows.iter().map(|(.., game)| game.round.is_known().then(|| game.round.to_string())),
        )
        .text(
            "white_id",
            rows.iter().map(|(record, game, _)| some(&player_of(archive, record, game.white).id)),
        )
        .text(
            "black_id",
            rows.iter().map(|(record, game, _)| some(&player_of(archive, record, game.black).id)),
        )
        .text("white", rows.iter().map(|(.., game)| some(archive.table.text(game.white))))
        .text("black", rows.iter().map(|(.., game)| some(archive.table.text(game.black))))
        .number("white_score", rows.iter().map(|(.., game)| game.result.white_score()))
        .whole("white_elo", rows.iter().map(|(.., game)| known_rating(game.white_elo)))
        .whole("black_elo", rows.iter().map(|(.., game)| known_rating(game.black_elo)))
        .text("segment", rows.iter().map(|(_, game, _)| some(game.segment.words())))
        .flag("played", rows.iter().map(|(_, game, _)| Some(game.played)))
        .flag("repeats", rows.iter().map(|(_, game, _)| Some(!seen.insert(game.row))))
}
