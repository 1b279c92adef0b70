//! Makes the tables of the greatest players, over whole careers and by era, and of their best
//! five-year averages.

use crate::run::Archive;
use crate::studies::book_averages::book_average;
use crate::studies::greatest_players::{CareerFigures, CareerList, GreatestPlayer};
use crate::studies::longevity::LongCareer;
use chess_history::events::Event;
use chess_history::players::Player;
use rating_systems::systems::FiveYearAverage;
use tables::{ExportTable, RowTable, some};

/// A row of a career list, with the list.
type CareerRow<'a> = (&'a CareerList, &'a GreatestPlayer);

/// The players ranked by their whole careers.
pub fn careers(archive: &Archive) -> ExportTable {
    let rows = rows([&archive.studies.greatest.careers]);
    figures(ExportTable::from_rows(&rows), archive).finish()
}

/// The best five-year averages by historical Elo.
pub fn five_year_averages(archive: &Archive) -> ExportTable {
    let careers = &archive.lists.five_year_careers;
    let rows: Vec<(&Player, &FiveYearAverage)> =
        careers.iter().map(|(player, row)| (archive.players.get(*player), &row.best)).collect();
    ExportTable::from_rows(&rows)
        .text("player_id", |(player, _)| some(&player.id))
        .text("player", |(player, _)| some(&player.name))
        .number("rating", |(_, row)| Some(row.rating))
        .number("error", |(_, row)| Some(row.deviation))
        .whole("from", |(_, row)| year(Some(row.from)))
        .whole("to", |(_, row)| year(Some(row.to)))
        .whole("games", |(_, row)| Some(row.games as usize))
        .flag("is_established", |(_, row)| Some(row.is_established))
        .whole("born", |(player, _)| year(player.life.as_ref()?.born))
        .number("book", |(player, _)| book_average(player))
        .finish()
}

/// The years that players stayed near their best.
pub fn longevity(archive: &Archive) -> ExportTable {
    let careers = &archive.studies.longevity.careers;
    let rows: Vec<(&Player, &LongCareer)> =
        careers.iter().map(|career| (archive.players.get(career.player), career)).collect();
    ExportTable::from_rows(&rows)
        .text("player_id", |(player, _)| some(&player.id))
        .text("player", |(player, _)| some(&player.name))
        .whole("years", |(_, row)| usize::try_from(row.years).ok())
        .whole("first", |(_, row)| year(Some(row.near.0)))
        .whole("last", |(_, row)| year(Some(row.near.1)))
        .number("best", |(_, row)| Some(row.best.rating))
        .number("rise", |(_, row)| row.rise)
        .whole("born", |(player, _)| year(player.life.as_ref()?.born))
        .finish()
}

/// The players ranked in each era.
pub fn eras(archive: &Archive) -> ExportTable {
    let rows = rows(&archive.studies.greatest.eras);
    let table = ExportTable::from_rows(&rows)
        .whole("from_year", |(list, _)| year(list.from))
        .whole("to_year", |(list, _)| year(list.to));
    figures(table, archive).finish()
}

/// The players of tournaments and of matches.
pub fn forms(archive: &Archive) -> ExportTable {
    let rows = rows(&archive.studies.greatest.forms);
    let table = ExportTable::from_rows(&rows)
        .text("form", |(list, _)| list.form.map(|form| form.word().to_owned()));
    figures(table, archive).finish()
}

fn rows<'a>(lists: impl IntoIterator<Item = &'a CareerList>) -> Vec<CareerRow<'a>> {
    lists.into_iter().flat_map(|list| list.players.iter().map(move |row| (list, row))).collect()
}

/// Adds the columns that both tables have.
fn figures<'r, 'a>(
    table: RowTable<'r, CareerRow<'a>>,
    archive: &Archive,
) -> RowTable<'r, CareerRow<'a>> {
    let table = table
        .whole("rank", |(_, row)| Some(row.by_g.rank))
        .text("player", |(_, row)| some(&archive.players.get(row.player).name))
        .text("player_id", |(_, row)| some(&archive.players.get(row.player).id))
        .whole("first_year", |(_, row)| year(Some(row.years?.0)))
        .whole("last_year", |(_, row)| year(Some(row.years?.1)))
        .whole("performances", |(_, row)| Some(row.performances));
    by_field(by_g(table, archive), archive)
}

fn by_g<'r, 'a>(
    table: RowTable<'r, CareerRow<'a>>,
    archive: &Archive,
) -> RowTable<'r, CareerRow<'a>> {
    table
        .number("band_sum", |(_, row)| Some(row.by_g.band_sum.value))
        .number("band_sum_error", |(_, row)| row.by_g.band_sum.error)
        .whole("rank_best", |(_, row)| Some(row.by_g.range.best))
        .whole("rank_worst", |(_, row)| Some(row.by_g.range.worst))
        .number("first", |(_, row)| Some(row.by_g.range.first))
        .number("best_g", |(_, row)| Some(row.by_g.best.value))
        .number("best_g_error", |(_, row)| row.by_g.best.error)
        .text("best_event", |(_, row)| some(&best_event(archive, &row.by_g).name))
        .text("best_event_id", |(_, row)| some(&best_event(archive, &row.by_g).id))
        .number("three_years", |(_, row)| Some(row.by_g.three_years.value))
        .number("three_years_error", |(_, row)| row.by_g.three_years.error)
        .whole("three_years_from", |(_, row)| year(Some(row.by_g.period?.0)))
        .whole("three_years_to", |(_, row)| year(Some(row.by_g.period?.1)))
        .number("above_200", |(_, row)| Some(row.by_g.above_200.value))
        .number("above_200_error", |(_, row)| row.by_g.above_200.error)
}

fn by_field<'r, 'a>(
    table: RowTable<'r, CareerRow<'a>>,
    archive: &Archive,
) -> RowTable<'r, CareerRow<'a>> {
    table
        .whole("field_rank", |(_, row)| Some(row.by_field.rank))
        .number("field_band_sum", |(_, row)| Some(row.by_field.band_sum.value))
        .number("field_band_sum_error", |(_, row)| row.by_field.band_sum.error)
        .whole("field_rank_best", |(_, row)| Some(row.by_field.range.best))
        .whole("field_rank_worst", |(_, row)| Some(row.by_field.range.worst))
        .number("field_first", |(_, row)| Some(row.by_field.range.first))
        .number("field_best_g", |(_, row)| Some(row.by_field.best.value))
        .number("field_best_g_error", |(_, row)| row.by_field.best.error)
        .text("field_best_event", |(_, row)| some(&best_event(archive, &row.by_field).name))
        .text("field_best_event_id", |(_, row)| some(&best_event(archive, &row.by_field).id))
        .number("field_three_years", |(_, row)| Some(row.by_field.three_years.value))
        .number("field_three_years_error", |(_, row)| row.by_field.three_years.error)
        .whole("field_three_years_from", |(_, row)| year(Some(row.by_field.period?.0)))
        .whole("field_three_years_to", |(_, row)| year(Some(row.by_field.period?.1)))
        .number("field_above_200", |(_, row)| Some(row.by_field.above_200.value))
        .number("field_above_200_error", |(_, row)| row.by_field.above_200.error)
}

fn best_event<'a>(archive: &'a Archive, figures: &CareerFigures) -> &'a Event {
    &archive.records[figures.best_performance.0].event
}

fn year(year: Option<i16>) -> Option<usize> {
    usize::try_from(year?).ok()
}
