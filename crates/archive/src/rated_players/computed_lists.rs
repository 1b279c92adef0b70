//! Writes computed rating lists as tables.

use std::io::Write;

use crate::parquet::write_export;
use rating_systems::systems::{ComputedList, Results};
use tables::{Codebook, CodebookError, ExportError, ExportTable, TableDeclaration, some};

/// Writes computed rating lists as Parquet or CSV. The columns are date, rank, player, rating, the
/// number of games, whether the rating is provisional, its standard deviation, and the player's
/// identifier. Where lists are linked, a further column before the last has the standard error of
/// the level of each list.
///
/// # Errors
///
/// Returns an error if the output cannot be written.
pub fn write_rating_lists(
    results: &Results,
    lists: &[ComputedList],
    out: &mut impl Write,
    as_parquet: bool,
) -> Result<(), ExportError> {
    // A few lists at a time: as columns, millions of ratings would take several times their memory.
    const BATCH: usize = 24;
    let has_levels = lists.iter().any(|list| list.level_error.is_some());
    // An empty table still has its column names.
    let batches = lists.chunks(BATCH).chain(lists.is_empty().then_some(lists));
    let mut tables = batches.map(|lists| table(results, lists, has_levels));
    if as_parquet {
        let declaration = declaration(&Codebook::read()?)?;
        return Ok(write_export(tables, Some(&declaration), out)?);
    }
    let mut is_first = true;
    tables.try_for_each(|table| table.write_csv_to(out, std::mem::replace(&mut is_first, false)))
}

/// Declares the lists of all systems, with the column that only linked lists have.
pub fn declaration(codebook: &Codebook) -> Result<TableDeclaration, CodebookError> {
    codebook.declare("systems/*", &table(&Results::default(), &[], true))
}

fn table(results: &Results, lists: &[ComputedList], has_levels: bool) -> ExportTable {
    let rows = || {
        lists.iter().flat_map(|list| {
            list.ranks().into_iter().zip(&list.ratings).map(move |line| (list.day, line))
        })
    };
    let levels = lists.iter().flat_map(|list| list.ratings.iter().map(|_| list.level_error));
    let table = ExportTable::default()
        .date("date", rows().map(|(day, _)| Some(day.to_string())))
        .whole("rank", rows().map(|(_, (rank, _))| Some(rank)))
        .text(
            "player",
            rows().map(|(_, (_, line))| some(&results.players[line.player as usize].name)),
        )
        .number("rating", rows().map(|(_, (_, line))| Some(line.rating)))
        .number("games", rows().map(|(_, (_, line))| Some(line.games)))
        .flag("provisional", rows().map(|(_, (_, line))| Some(line.is_provisional)))
        .number("deviation", rows().map(|(_, (_, line))| line.deviation));
    let table = if has_levels { table.number("level_error", levels) } else { table };
    table.text(
        "player_id",
        rows().map(|(_, (_, line))| some(&results.players[line.player as usize].player_id)),
    )
}
