//! Computed rating lists as tables.

use std::io::Write;

use super::table::{ExportError, Table, some};
use crate::systems::{ComputedList, Results};

/// Writes computed rating lists: date, rank, player, rating, games that it rests on, whether it is
/// provisional, its standard deviation, and, where lists are linked, the standard error of the level of its list; as Parquet or else as CSV.
///
/// # Errors
///
/// Where nothing can be written there.
pub fn write_rating_lists(
    results: &Results,
    lists: &[ComputedList],
    out: &mut impl Write,
    as_parquet: bool,
) -> Result<(), ExportError> {
    // CSV list by list: as columns, millions of ratings would take several times their memory.
    const BATCH: usize = 200;
    let has_levels = lists.iter().any(|list| list.level_error.is_some());
    let batches: Vec<&[ComputedList]> =
        if as_parquet { vec![lists] } else { lists.chunks(BATCH).collect() };
    for (number, batch) in batches.into_iter().enumerate() {
        let rows = || {
            batch.iter().flat_map(|list| {
                list.ranks().into_iter().zip(&list.ratings).map(move |line| (list.day, line))
            })
        };
        let levels = batch.iter().flat_map(|list| list.ratings.iter().map(|_| list.level_error));
        let table = Table::default()
            .text("date", rows().map(|(day, _)| Some(day.to_string())))
            .whole("rank", rows().map(|(_, (rank, _))| Some(rank)))
            .text(
                "player",
                rows().map(|(_, (_, line))| some(&results.players[line.player as usize].name)),
            )
            .number("rating", rows().map(|(_, (_, line))| Some(line.rating)))
            .number("games", rows().map(|(_, (_, line))| Some(line.games)))
            .text(
                "provisional",
                rows().map(|(_, (_, line))| some(if line.is_provisional { "yes" } else { "no" })),
            )
            .number("deviation", rows().map(|(_, (_, line))| line.deviation));
        let table = if has_levels { table.number("level_error", levels) } else { table };
        if as_parquet {
            table.write_parquet_to(out)?;
        } else {
            table.write_csv_to(out, number == 0)?;
        }
    }
    Ok(())
}
