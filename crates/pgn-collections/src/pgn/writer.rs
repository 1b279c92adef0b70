//! Writing games as PGN with results only.

use std::io::{self, Write};

use crate::games::{Game, GameFlags, GameTable};

/// Longest line of moves.
const LINE: usize = 80;

/// Writes the facts of a game: tags and result, no moves; the players under these names, White's first.
///
/// # Errors
///
/// Where the writer fails.
pub fn write_results(
    out: &mut impl Write,
    table: &GameTable,
    game: &Game,
    names: [&str; 2],
) -> io::Result<()> {
    write_game(out, table, game, names, None, &[])
}

/// Writes a game with its moves (as SAN), which begin where a FEN says, or in the usual position.
///
/// # Errors
///
/// Where the writer fails.
pub fn write_game(
    out: &mut impl Write,
    table: &GameTable,
    game: &Game,
    [white, black]: [&str; 2],
    start: Option<&str>,
    moves: &[String],
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
    if let Some(start) = start {
        tag("SetUp", "1")?;
        tag("FEN", start)?;
    }
    writeln!(out)?;
    // Who moves first, and the number of the move, stand in the FEN.
    let mut fields = start.into_iter().flat_map(|start| start.split(' ')).skip(1);
    let mut whites = fields.next() != Some("b");
    let mut number: u32 = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
    let mut words: Vec<String> = Vec::with_capacity(moves.len() + 1);
    for (place, san) in moves.iter().enumerate() {
        words.push(match (whites, place) {
            (true, _) => format!("{number}. {san}"),
            (false, 0) => format!("{number}... {san}"),
            (false, _) => san.clone(),
        });
        number += u32::from(!whites);
        whites = !whites;
    }
    words.push(game.result.pgn().to_owned());
    let mut length = 0;
    for word in words {
        let joint = match length {
            0 => "",
            length if length + 1 + word.len() > LINE => "\n",
            _ => " ",
        };
        length = if joint == " " { length + 1 } else { 0 } + word.len();
        write!(out, "{joint}{word}")?;
    }
    writeln!(out, "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{ReadOptions, read_text};

    /// A game with these moves, as it is written, without its tags but FEN's.
    fn written(start: Option<&str>, moves: &str) -> String {
        let mut table = GameTable::default();
        let text = b"[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n";
        read_text("a.pgn", text, ReadOptions::default(), &mut table, &mut Vec::new());
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let mut out = Vec::new();
        write_game(&mut out, &table, &table.games()[0], ["A", "B"], start, &moves).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.split_once("[Result \"1-0\"]\n").unwrap().1.to_owned()
    }

    #[test]
    fn moves_are_numbered_from_where_the_game_began() {
        assert_eq!(written(None, ""), "\n1-0\n\n");
        assert_eq!(written(None, "e4 e5 Nf3"), "\n1. e4 e5 2. Nf3 1-0\n\n");
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40";
        assert_eq!(
            written(Some(fen), "Kd7 e4 Kd6"),
            format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n40... Kd7 41. e4 Kd6 1-0\n\n")
        );
    }

    #[test]
    fn no_line_of_moves_is_longer_than_eighty_letters() {
        let text = written(None, &"Nf3 Nf6 Ng1 Ng8 ".repeat(40));
        assert!(text.lines().all(|line| line.len() <= LINE), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words.len(), 160 + 80 + 1);
    }
}
