//! Writing games as PGN with results only.

use std::io::{self, Write};

use crate::games::{Game, GameFlags, GameTable};

/// Writes the facts of a game: tags and result, no moves; the players under these names, White's first.
///
/// # Errors
///
/// Where the writer fails.
pub fn write_results(
    out: &mut impl Write,
    table: &GameTable,
    game: &Game,
    [white, black]: [&str; 2],
) -> io::Result<()> {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]")
    };
    tag("Event", table.text(game.event))?;
    tag("Site", table.text(game.site))?;
    tag("Date", &game.date.to_string())?;
    tag("Round", &game.round.to_string())?;
    tag("White", white)?;
    tag("Black", black)?;
    tag("Result", game.result.pgn())?;
    for (name, elo) in [("WhiteElo", game.white_elo), ("BlackElo", game.black_elo)] {
        if elo > 0 {
            tag(name, &elo.to_string())?;
        }
    }
    for (name, id) in [("WhiteFideId", game.white_fide_id), ("BlackFideId", game.black_fide_id)] {
        if id > 0 {
            tag(name, &id.to_string())?;
        }
    }
    if game.event_date.known_parts() > 0 {
        tag("EventDate", &game.event_date.to_string())?;
    }
    if game.event_rounds > 0 {
        tag("EventRounds", &game.event_rounds.to_string())?;
    }
    // What the time control of the source says of the tempo.
    let tempi = [
        (GameFlags::CLASSICAL, "classical"),
        (GameFlags::RAPID, "rapid"),
        (GameFlags::BLITZ, "blitz"),
    ];
    if let Some((_, tempo)) = tempi.into_iter().find(|(flag, _)| game.flags.contains(*flag)) {
        tag("EventType", tempo)?;
    }
    if game.flags.contains(GameFlags::UNPLAYED) {
        tag("Termination", "unplayed")?;
    }
    writeln!(out, "\n{}\n", game.result.pgn())
}
