//! Writes games as PGN, with or without moves.

use std::io::{self, Write};

use crate::games::{Game, GameDetails, GameFlags, GameTable};

/// Longest line of moves (bytes). PGN standard, section 8.2.1.
const LINE: usize = 80;

/// Writes the tags and the result of a game, without moves.
///
/// `names` are the names to write for White and Black.
///
/// # Errors
///
/// Returns an error if the writer fails.
pub fn write_results(
    out: &mut impl Write,
    table: &GameTable,
    game: &Game,
    names: [&str; 2],
) -> io::Result<()> {
    PgnGame { table, game, names, start: None, moves: &[], details: None }.write(out)
}

/// A game to be written as PGN.
#[derive(Clone, Copy, Debug)]
pub struct PgnGame<'a> {
    /// The table that holds the texts of the game.
    pub table: &'a GameTable,
    /// The game, whose texts are in that table.
    pub game: &'a Game,
    /// The names to write for White and Black.
    pub names: [&'a str; 2],
    /// The FEN of the position in which the game began. `None` is the initial position of chess.
    pub start: Option<&'a str>,
    /// The moves in standard algebraic notation.
    pub moves: &'a [String],
    /// The details of the game, whose texts are in the table, if they are written.
    pub details: Option<GameDetails>,
}

fn write_tag(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(out, "[{name} \"{value}\"]")
}

impl PgnGame<'_> {
    /// Writes the tags, the moves and the result.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_tags(out)?;
        writeln!(out)?;
        self.write_movetext(out)
    }

    fn write_tags(&self, out: &mut impl Write) -> io::Result<()> {
        let PgnGame { table, game, names: [white, black], .. } = *self;
        write_tag(out, "Event", table.text(game.event))?;
        write_tag(out, "Site", table.text(game.site))?;
        write_tag(out, "Date", &game.date.to_string())?;
        write_tag(out, "Round", &game.round.to_string())?;
        write_tag(out, "White", white)?;
        write_tag(out, "Black", black)?;
        write_tag(out, "Result", game.result.pgn())?;
        for (name, elo) in [("WhiteElo", game.white_elo), ("BlackElo", game.black_elo)] {
            if elo > 0 {
                write_tag(out, name, &elo.to_string())?;
            }
        }
        for (name, id) in [("WhiteFideId", game.white_fide_id), ("BlackFideId", game.black_fide_id)]
        {
            if id > 0 {
                write_tag(out, name, &id.to_string())?;
            }
        }
        if game.event_date.known_parts() > 0 {
            write_tag(out, "EventDate", &game.event_date.to_string())?;
        }
        for (name, number) in
            [("EventRounds", game.event_rounds), ("EventCategory", game.event_category)]
        {
            if number > 0 {
                write_tag(out, name, &number.to_string())?;
            }
        }
        if game.flags.contains(GameFlags::COMPLETE) {
            write_tag(out, "EventComplete", "yes")?;
        }
        let stated = self.write_details(out)?;
        let event_type = event_type(game.flags);
        if !stated && !event_type.is_empty() {
            write_tag(out, "EventType", &event_type)?;
        }
        if game.flags.contains(GameFlags::UNPLAYED) {
            write_tag(out, "Termination", "unplayed")?;
        }
        if let Some(start) = self.start {
            write_tag(out, "SetUp", "1")?;
            write_tag(out, "FEN", start)?;
        }
        Ok(())
    }

    /// Writes the details that are known. Returns whether they state the type of the event.
    fn write_details(&self, out: &mut impl Write) -> io::Result<bool> {
        let (Some(details), Some(texts)) = (self.details, self.table.details()) else {
            return Ok(false);
        };
        let event_type = texts.text(details.event_type);
        for (name, value) in [
            ("ECO", texts.text(details.eco)),
            ("WhiteTitle", texts.text(details.white.title)),
            ("BlackTitle", texts.text(details.black.title)),
            ("WhiteTeam", texts.text(details.white.team)),
            ("BlackTeam", texts.text(details.black.team)),
            ("TimeControl", texts.text(details.time_control)),
            ("EventType", event_type),
        ] {
            if let Some(value) = value {
                write_tag(out, name, value)?;
            }
        }
        Ok(event_type.is_some())
    }

    /// Writes the numbered moves and the result, in lines of at most [`LINE`] bytes, and a blank
    /// line.
    fn write_movetext(&self, out: &mut impl Write) -> io::Result<()> {
        let mut words = self.numbered_moves();
        words.push(self.game.result.pgn().to_owned());
        let mut length = 0;
        for word in words {
            let separator = match length {
                0 => "",
                length if length + 1 + word.len() > LINE => "\n",
                _ => " ",
            };
            length = if separator == " " { length + 1 } else { 0 } + word.len();
            write!(out, "{separator}{word}")?;
        }
        writeln!(out, "\n")
    }

    /// The moves with their numbers. The FEN states the side to move and the first number.
    fn numbered_moves(&self) -> Vec<String> {
        let mut fields = self.start.into_iter().flat_map(|start| start.split(' ')).skip(1);
        let mut is_white = fields.next() != Some("b");
        let mut number: u32 = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
        let mut words: Vec<String> = Vec::with_capacity(self.moves.len() + 1);
        for (place, san) in self.moves.iter().enumerate() {
            words.push(match (is_white, place) {
                (true, _) => format!("{number}. {san}"),
                (false, 0) => format!("{number}... {san}"),
                (false, _) => san.clone(),
            });
            number += u32::from(!is_white);
            is_white = !is_white;
        }
        words
    }
}

/// The EventType tag with the form of the event and the tempo that the source's tags showed:
/// `swiss (rapid)`, `classical`.
fn event_type(flags: GameFlags) -> String {
    let words = |all: &[(GameFlags, &'static str)]| {
        all.iter().find(|(flag, _)| flags.contains(*flag)).map(|(_, word)| *word)
    };
    let tempo = words(&[
        (GameFlags::CLASSICAL, "classical"),
        (GameFlags::RAPID, "rapid"),
        (GameFlags::BLITZ, "blitz"),
    ]);
    let form = words(&[
        (GameFlags::ROUND_ROBIN, "tourn"),
        (GameFlags::SWISS, "swiss"),
        (GameFlags::KNOCK_OUT, "k.o."),
        (GameFlags::SCHEVENINGEN, "schev"),
    ]);
    match (form, tempo) {
        (Some(form), Some(tempo)) => format!("{form} ({tempo})"),
        (form, tempo) => form.or(tempo).unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{ReadOptions, read_text};

    /// The text of a game with these moves, without the tags before SetUp and FEN.
    fn written(start: Option<&str>, moves: &str) -> String {
        let mut table = GameTable::default();
        let text = b"[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n";
        read_text("a.pgn", text, ReadOptions::default(), &mut table, &mut Vec::new());
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let mut out = Vec::new();
        let game = PgnGame {
            table: &table,
            game: &table.games()[0],
            names: ["A", "B"],
            start,
            moves: &moves,
            details: None,
        };
        game.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.split_once("[Result \"1-0\"]\n").unwrap().1.to_owned()
    }

    #[test]
    fn moves_are_numbered_from_the_starting_position() {
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
