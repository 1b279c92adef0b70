//! The columns of the game table for other programs, and the game table as CSV.
//!
//! Readers of Parquet need the columns as lists of values, and writers of CSV need them row by row,
//! so both are made from [`game_columns`].

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use pgn_collections::games::{
    Game, GameColumn, GameColumns, GameDetails, GameFlags, GameTable, NameId, PartialDate,
    PlayerDetails, Tempo,
};

use crate::csv_rows::{Cell, write_csv};

/// Number of games that are held as columns at a time: some 100 MB.
const BATCH: usize = 1 << 18;

/// The columns of numbers in which 0 is an unknown value.
const UNKNOWN_IF_ZERO: [&str; 6] =
    ["white_elo", "black_elo", "white_fide_id", "black_fide_id", "event_rounds", "event_category"];

/// The columns of texts about the details of a game, in their order.
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
const FLAGS: [(&str, GameFlags); 16] = [
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
    ("colours_unknown", GameFlags::COLOURS_UNKNOWN),
    ("round_robin", GameFlags::ROUND_ROBIN),
    ("swiss", GameFlags::SWISS),
    ("knock_out", GameFlags::KNOCK_OUT),
    ("scheveningen", GameFlags::SCHEVENINGEN),
    ("event_is_complete", GameFlags::COMPLETE),
];

/// The values of a column, one for each game. `None` is unknown.
#[derive(Clone, Debug)]
pub enum ColumnValues<'a> {
    /// Texts that every game has; an empty one is a tag without a value.
    Texts(Vec<Cow<'a, str>>),
    /// Texts that may be unknown.
    OptionalTexts(Vec<Option<Cow<'a, str>>>),
    /// Numbers that every game has.
    Numbers(Vec<u32>),
    /// Numbers that may be unknown.
    OptionalNumbers(Vec<Option<u32>>),
    /// Hashes of 64 bits.
    Hashes(Vec<u64>),
    /// `true` or `false` for every game.
    Flags(Vec<bool>),
}

impl ColumnValues<'_> {
    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            ColumnValues::Texts(texts) => Cell::text(Some(&texts[row])),
            ColumnValues::OptionalTexts(texts) => Cell::text(texts[row].as_deref()),
            ColumnValues::Numbers(numbers) => Cell::Whole(Some(numbers[row].into())),
            ColumnValues::OptionalNumbers(numbers) => Cell::Whole(numbers[row].map(i64::from)),
            ColumnValues::Hashes(hashes) => Cell::Hash(hashes[row]),
            ColumnValues::Flags(flags) => Cell::Flag(Some(flags[row])),
        }
    }
}

/// Returns the columns of some games with their names, in the order in which files hold them.
///
/// | columns | content |
/// |---|---|
/// | event, site, white, black, date, event_date, round, result | in PGN notation |
/// | white_elo, black_elo, white_fide_id, black_fide_id | numbers; null is unknown |
/// | event_rounds, event_category | numbers; null is unknown |
/// | plies, fingerprint, trace | number of half-moves and hashes of the moves |
/// | signs | bits of [`GameFlags`] |
/// | member, line | where the game was read |
///
/// A table that keeps details also has these; null is unknown:
///
/// | columns | content |
/// |---|---|
/// | time_control, eco, event_type | values of the tags |
/// | white_title, black_title, white_team, black_team | values of the tags |
/// | white_federation, black_federation | codes of federations, from tournament reports |
/// | white_born, black_born | days of birth in ISO 8601 notation, from tournament reports |
/// | tempo | classical, rapid or blitz, as the tags state it |
/// | unplayed, set_up, variant, correspondence, simultaneous, online, teams | booleans |
/// | white_is_program, black_is_program, result_only, colours_unknown | booleans |
/// | round_robin, swiss, knock_out, scheveningen, event_is_complete | booleans |
pub fn game_columns(
    table: &GameTable,
    rows: Range<usize>,
) -> Vec<(&'static str, ColumnValues<'_>)> {
    let mut columns = Vec::new();
    for (name, column) in GameColumns::new(table, &table.games()[rows.clone()]).all() {
        let values = match column {
            GameColumn::Texts(texts) => ColumnValues::Texts(texts),
            GameColumn::Numbers(numbers) if UNKNOWN_IF_ZERO.contains(&name) => {
                let known = numbers.into_iter().map(|number| Some(number).filter(|n| *n > 0));
                ColumnValues::OptionalNumbers(known.collect())
            }
            GameColumn::Numbers(numbers) => ColumnValues::Numbers(numbers),
            GameColumn::Long(hashes) => ColumnValues::Hashes(hashes),
        };
        columns.push((name, values));
    }
    columns.extend(detail_columns(table, rows));
    columns
}

/// Makes the columns of details; none if the table keeps no details.
fn detail_columns(table: &GameTable, rows: Range<usize>) -> Vec<(&'static str, ColumnValues<'_>)> {
    let Some(details) = table.details() else { return Vec::new() };
    let games = &table.games()[rows.clone()];
    let mut columns = Vec::new();
    for (place, name) in TEXTS.into_iter().enumerate() {
        let texts = rows.clone().map(|row| details.text(texts_of(details.row(row))[place]));
        let texts = texts.map(|text| text.map(Cow::Borrowed)).collect();
        columns.push((name, ColumnValues::OptionalTexts(texts)));
    }
    for (place, name) in BIRTHS.into_iter().enumerate() {
        let mut days = Vec::with_capacity(rows.len());
        for row in rows.clone() {
            let details = details.row(row);
            let day = [details.white.born, details.black.born][place].iso();
            days.push((!day.is_empty()).then_some(Cow::Owned(day)));
        }
        columns.push((name, ColumnValues::OptionalTexts(days)));
    }
    let tempi = games.iter().map(|game| stated_tempo(game).map(Cow::Borrowed)).collect();
    columns.push(("tempo", ColumnValues::OptionalTexts(tempi)));
    for (name, flag) in FLAGS {
        let values = games.iter().map(|game| game.flags.contains(flag)).collect();
        columns.push((name, ColumnValues::Flags(values)));
    }
    columns
}

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
    let [white, black] = [0, 1].map(|side| PlayerDetails {
        title: players[side],
        team: players[side + 2],
        federation: players[side + 4],
        born: births[side],
    });
    GameDetails { time_control, eco, event_type, white, black }
}

/// The tempo that the tags of a game state, if any.
fn stated_tempo(game: &Game) -> Option<&'static str> {
    let tempi = [
        (GameFlags::BLITZ, Tempo::Blitz),
        (GameFlags::RAPID, Tempo::Rapid),
        (GameFlags::CLASSICAL, Tempo::Classical),
    ];
    let (_, tempo) = tempi.into_iter().find(|(flag, _)| game.flags.contains(*flag))?;
    Some(tempo.word())
}

/// Sets the details of `games` games from the row `first` on, if the table keeps details.
///
/// `column` returns the texts of a column by its name, and `None` for a column that the source
/// lacks: its values are unknown.
///
/// # Errors
///
/// Returns the first error of `column`. The table is then unchanged.
pub fn set_details<'c, E>(
    table: &mut GameTable,
    first: usize,
    games: usize,
    column: impl Fn(&str) -> Result<Option<Vec<Option<&'c str>>>, E>,
) -> Result<(), E> {
    let Some(kept) = table.details_mut() else { return Ok(()) };
    let mut texts = vec![[NameId::default(); TEXTS.len()]; games];
    for (place, name) in TEXTS.into_iter().enumerate() {
        for (row, text) in texts.iter_mut().zip(column(name)?.unwrap_or_default()) {
            row[place] = kept.intern(text.unwrap_or_default());
        }
    }
    let mut births = vec![[PartialDate::UNKNOWN; BIRTHS.len()]; games];
    for (place, name) in BIRTHS.into_iter().enumerate() {
        for (row, text) in births.iter_mut().zip(column(name)?.unwrap_or_default()) {
            row[place] = text.and_then(PartialDate::parse).unwrap_or_default();
        }
    }
    kept.set_interned(first, texts.into_iter().zip(births).map(|(a, b)| details_of(a, b)));
    Ok(())
}

/// Writes all games to a CSV file, with the columns of [`game_columns`].
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn write_games_csv(table: &GameTable, path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    // A table without games still has a header.
    for first in (0..table.len().max(1)).step_by(BATCH) {
        let rows = first..table.len().min(first + BATCH);
        let columns = game_columns(table, rows.clone());
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let cells =
            (0..rows.len()).map(|row| columns.iter().map(|(_, values)| values.cell(row)).collect());
        write_csv(&mut file, (first == 0).then_some(&names), cells)?;
    }
    file.flush()
}
