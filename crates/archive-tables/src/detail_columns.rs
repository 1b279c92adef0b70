//! The columns of the game table for researchers: details of the tags, and flags as booleans.

use std::ops::Range;

use polars::prelude::{Column, DataFrame, IntoColumn, NamedFrom, PolarsError, Series};

use pgn_collections::games::{
    Game, GameDetails, GameFlags, GameTable, NameId, PartialDate, PlayerDetails, Tempo, clean_name,
};

/// The columns of texts, in their order.
const TEXTS: [&str; 9] = [
    "time_control",
    "eco",
    "event_type",
    "white_title",
    "black_title",
    "white_team",
    "black_team",
    "white_federation",
    "black_federation",
];

/// The columns of days of birth.
const BIRTHS: [&str; 2] = ["white_born", "black_born"];

/// The columns of booleans. They repeat `signs` in readable form, so they are written, not read.
const FLAGS: [(&str, GameFlags); 10] = [
    ("unplayed", GameFlags::UNPLAYED),
    ("set_up", GameFlags::SET_UP),
    ("variant", GameFlags::VARIANT),
    ("correspondence", GameFlags::CORRESPONDENCE),
    ("simultaneous", GameFlags::SIMULTANEOUS),
    ("online", GameFlags::ONLINE),
    ("teams", GameFlags::TEAMS),
    ("white_is_program", GameFlags::WHITE_PROGRAM),
    ("black_is_program", GameFlags::BLACK_PROGRAM),
    ("result_only", GameFlags::RESULT_ONLY),
];

/// The values of the columns [`TEXTS`].
fn texts_of(details: GameDetails) -> [NameId; TEXTS.len()] {
    let GameDetails { time_control, eco, event_type, white, black } = details;
    [
        time_control,
        eco,
        event_type,
        white.title,
        black.title,
        white.team,
        black.team,
        white.federation,
        black.federation,
    ]
}

/// The details with the given values of the columns [`TEXTS`] and [`BIRTHS`].
fn details_of(texts: [NameId; TEXTS.len()], births: [PartialDate; BIRTHS.len()]) -> GameDetails {
    let [time_control, eco, event_type, players @ ..] = texts;
    // White's and Black's values alternate.
    let player = |side: usize| PlayerDetails {
        title: players[side],
        team: players[side + 2],
        federation: players[side + 4],
        born: births[side],
    };
    GameDetails { time_control, eco, event_type, white: player(0), black: player(1) }
}

/// The tempo that the tags of a game state, if any.
fn tempo(game: &Game) -> Option<&'static str> {
    let tempi = [
        (GameFlags::BLITZ, Tempo::Blitz),
        (GameFlags::RAPID, Tempo::Rapid),
        (GameFlags::CLASSICAL, Tempo::Classical),
    ];
    let found = tempi.into_iter().find(|(flag, _)| game.flags.contains(*flag));
    found.map(|(_, tempo)| tempo.word())
}

/// Makes the columns of some rows; none if the table keeps no details.
pub(super) fn write(table: &GameTable, rows: Range<usize>) -> Vec<Column> {
    let Some(details) = table.details() else { return Vec::new() };
    let games = &table.games()[rows.clone()];
    let mut columns = Vec::new();
    for (place, name) in TEXTS.into_iter().enumerate() {
        let texts: Vec<Option<&str>> =
            rows.clone().map(|row| details.text(texts_of(details.row(row))[place])).collect();
        columns.push(Series::new(name.into(), texts).into_column());
    }
    for (place, name) in BIRTHS.into_iter().enumerate() {
        let days = rows.clone().map(|row| {
            let details = details.row(row);
            let born = [details.white.born, details.black.born][place];
            Some(born.iso()).filter(|day| !day.is_empty())
        });
        columns.push(Series::new(name.into(), days.collect::<Vec<_>>()).into_column());
    }
    let tempi: Vec<Option<&str>> = games.iter().map(tempo).collect();
    columns.push(Series::new("tempo".into(), tempi).into_column());
    for (name, flag) in FLAGS {
        let values: Vec<bool> = games.iter().map(|game| game.flags.contains(flag)).collect();
        columns.push(Series::new(name.into(), values).into_column());
    }
    columns
}

/// Reads the details of the games that a frame holds, if the table keeps details. Their first row
/// in the table is `first`. Columns that the frame lacks are unknown.
pub(super) fn read(
    frame: &DataFrame,
    first: usize,
    table: &mut GameTable,
) -> Result<(), PolarsError> {
    let Some(kept) = table.details_mut() else { return Ok(()) };
    let mut texts = vec![[NameId::default(); TEXTS.len()]; frame.height()];
    for (place, name) in TEXTS.into_iter().enumerate() {
        let Ok(column) = frame.column(name) else { continue };
        for (row, text) in texts.iter_mut().zip(column.str()?.iter()) {
            row[place] = kept.intern(&clean_name(text.unwrap_or_default()));
        }
    }
    let mut births = vec![[PartialDate::UNKNOWN; BIRTHS.len()]; frame.height()];
    for (place, name) in BIRTHS.into_iter().enumerate() {
        let Ok(column) = frame.column(name) else { continue };
        for (row, text) in births.iter_mut().zip(column.str()?.iter()) {
            row[place] = text.and_then(PartialDate::parse).unwrap_or_default();
        }
    }
    kept.set_interned(first, texts.into_iter().zip(births).map(|(a, b)| details_of(a, b)));
    Ok(())
}
