//! Writes computed rating lists as tables.

use std::io::Write;

use crate::parquet::write_export;
use rating_systems::systems::{ComputedList, Results};
use tables::{
    Codebook, CodebookError, ExportError, ExportTable, TableDeclaration, number_of_files, some,
};

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

/// The Parquet files of computed rating lists: one, or several of whole lists if it would be too
/// large for free hosts.
///
/// # Errors
///
/// Returns an error if a table cannot be written.
pub fn parquet_files(
    results: &Results,
    lists: &[ComputedList],
) -> Result<Vec<Vec<u8>>, ExportError> {
    let whole = parquet(results, lists)?;
    let count = number_of_files(whole.len() as u64);
    if count == 1 {
        return Ok(vec![whole]);
    }
    cut(lists, count as usize).into_iter().map(|lists| parquet(results, lists)).collect()
}

fn parquet(results: &Results, lists: &[ComputedList]) -> Result<Vec<u8>, ExportError> {
    let mut bytes = Vec::new();
    write_rating_lists(results, lists, &mut bytes, true)?;
    Ok(bytes)
}

/// Cuts lists into runs with about equal numbers of ratings.
fn cut(lists: &[ComputedList], count: usize) -> Vec<&[ComputedList]> {
    let all: usize = lists.iter().map(|list| list.ratings.len()).sum();
    let mut before = 0;
    let numbered: Vec<usize> = lists
        .iter()
        .map(|list| {
            let run = before * count / all.max(1);
            before += list.ratings.len();
            run
        })
        .collect();
    let mut rest = lists;
    numbered
        .chunk_by(|a, b| a == b)
        .map(|run| {
            let (these, others) = rest.split_at(run.len());
            rest = others;
            these
        })
        .collect()
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
