//! Reads crosstables as CSV: a line for each game, or for each player of a game.
//!
//! The header has the columns `player`, `opponent`, `round`, `colour` and `result`; the result is
//! that of the player. The columns `event`, `site`, `date`, `player_elo`, `opponent_elo`,
//! `player_fide_id` and `opponent_fide_id` may be added. The form of missing games that an archive
//! has is such a table whose results are empty.
//!
//! Two lines are the two sides of one game if they have the same event, site and round, and their
//! players, colours and results correspond.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::results_draft::{ResultsDraft, elo, fide_id, numbered_lines, shown};
use super::side::{Colour, Score, Side};
use crate::games::{Game, GameDetails, GameFlags, GameResult, NameId, PartialDate, Round};
use crate::source::{CrosstableColumns, cells};

/// Most open sides of one pairing among which the opponent's side is sought.
///
/// It bounds the work for a file that repeats one line. Two players have fewer games in an event.
const MOST_OPEN: usize = 200;

/// The event, place, round, player and opponent of a line.
type Pairing = (NameId, NameId, Round, NameId, NameId);

#[derive(Clone, Copy)]
struct TableLine {
    number: u32,
    pairing: Pairing,
    side: Side,
    date: PartialDate,
    elos: [u16; 2],
    fide_ids: [u32; 2],
}

/// A game, with the line of one player and, if the table has it, that of the other.
struct TableGame {
    first: TableLine,
    second: Option<Side>,
    /// Whether the table contradicts itself about the result.
    is_disputed: bool,
}

pub(super) fn read(bytes: &[u8], draft: &mut ResultsDraft) {
    let mut lines = numbered_lines(bytes);
    let Some((number, header)) = lines.next() else { return };
    let Some(columns) = CrosstableColumns::parse(&draft.decode(number, header)) else { return };
    let mut table = Crosstable { draft, columns, games: Vec::new(), open: FxHashMap::default() };
    let mut not_filled_in = (0u32, 0);
    for (number, line) in lines {
        let line = table.draft.decode(number, line);
        match table.line(number, &line) {
            LineContent::Game(line) => table.add(line),
            LineContent::NotFilledIn => {
                if not_filled_in.0 == 0 {
                    not_filled_in.1 = number;
                }
                not_filled_in.0 += 1;
            }
            LineContent::Faulty => {}
        }
    }
    table.finish();
    match not_filled_in {
        (0, _) => {}
        (1, line) => draft.note(line, "1 line has no result, so it is not a game"),
        (count, first) => {
            let message = format!(
                "{count} lines have no result, so they are not games; the first is this one"
            );
            draft.note(first, message);
        }
    }
}

enum LineContent {
    Game(TableLine),
    NotFilledIn,
    /// The line was reported.
    Faulty,
}

/// The text of a line in a column. Empty if the table lacks the column, or the line the cell.
fn cell<'a>(cells: &'a [Cow<'_, str>], column: impl Into<Option<usize>>) -> &'a str {
    column.into().and_then(|column| cells.get(column)).map_or("", Cow::as_ref).trim()
}

/// A crosstable while it is read.
struct Crosstable<'d> {
    draft: &'d mut ResultsDraft,
    columns: CrosstableColumns,
    games: Vec<TableGame>,
    /// The games of each pairing, by the player of the first line, that lack the other side.
    open: FxHashMap<Pairing, Vec<usize>>,
}

impl Crosstable<'_> {
    fn line(&mut self, number: u32, line: &str) -> LineContent {
        let Some(cells) = cells(line, self.columns.delimiter) else {
            self.draft.warn(number, "a quote is not closed; the line is not read");
            return LineContent::Faulty;
        };
        let columns = self.columns;
        let result = cell(&cells, columns.result);
        if result.is_empty() {
            return LineContent::NotFilledIn;
        }
        let Some((score, played)) = score(result) else {
            let message = format!(
                "\"{}\" is not a result; write 1, 0, 1/2, or + and - for a forfeit",
                shown(result)
            );
            self.draft.warn(number, message);
            return LineContent::Faulty;
        };
        let names = [columns.player, columns.opponent].map(|column| plain(cell(&cells, column)));
        if names.contains(&"") || names[0] == names[1] {
            let message = match names {
                ["", _] => "the line has a result, but no player",
                [_, ""] => "the line has a result, but no opponent",
                _ => "the player and the opponent are the same",
            };
            self.draft.warn(number, format!("{message}; it is not read"));
            return LineContent::Faulty;
        }
        let colour = self.colour(number, cell(&cells, columns.colour));
        let side = Side { colour, score, played };
        let round = self.round(number, cell(&cells, columns.round));
        let date = self.date(number, cell(&cells, columns.date));
        let elos = [columns.player_elo, columns.opponent_elo]
            .map(|column| self.draft.value(number, cell(&cells, column), "rating", elo));
        let fide_ids = [columns.player_fide_id, columns.opponent_fide_id]
            .map(|column| self.draft.value(number, cell(&cells, column), "FIDE number", fide_id));
        let event = self.draft.event(plain(cell(&cells, columns.event)));
        let site = self.draft.name(plain(cell(&cells, columns.site)));
        let [player, opponent] = names.map(|name| self.draft.name(name));
        let pairing = (event, site, round, player, opponent);
        LineContent::Game(TableLine { number, pairing, side, date, elos, fide_ids })
    }

    fn colour(&mut self, number: u32, text: &str) -> Option<Colour> {
        match text.to_lowercase().as_str() {
            "white" | "w" => Some(Colour::White),
            "black" | "b" => Some(Colour::Black),
            "" | "?" | "-" => None,
            _ => {
                let message = format!("\"{}\" is not a colour; write white or black", shown(text));
                self.draft.bad_value(number, message);
                None
            }
        }
    }

    fn round(&mut self, number: u32, text: &str) -> Round {
        let round = Round::parse(text);
        if !round.is_known() && !matches!(text, "" | "?" | "-") {
            self.draft.bad_value(number, format!("\"{}\" is not a round", shown(text)));
        }
        round
    }

    fn date(&mut self, number: u32, text: &str) -> PartialDate {
        let date = PartialDate::parse(text).or_else(|| PartialDate::parse_other_form(text));
        date.unwrap_or_else(|| {
            let kept = PartialDate::salvaged(text);
            let used = match kept.known_parts() {
                0 => String::new(),
                _ => format!("; {kept} is used"),
            };
            self.draft.bad_value(number, format!("\"{}\" is not a date{used}", shown(text)));
            kept
        })
    }

    /// Adds a line as the other side of a game, or as a game.
    fn add(&mut self, line: TableLine) {
        let (event, site, round, player, opponent) = line.pairing;
        let mirrored = (event, site, round, opponent, player);
        let open = self.open.get(&mirrored).map_or(&[][..], Vec::as_slice);
        let open = &open[..open.len().min(MOST_OPEN)];
        let mut mate = open.iter().position(|game| self.games[*game].first.side.mirrors(line.side));
        // In a round two players usually have one game, so that a side with another result is the
        // other side of the same game.
        if mate.is_none() && round.is_known() {
            mate = open.iter().position(|game| self.games[*game].first.side.fits_colour(line.side));
        }
        if let Some(place) = mate {
            let game = self.open.get_mut(&mirrored).map(|open| open.remove(place));
            return game.into_iter().for_each(|game| self.complete(game, line));
        }
        if round.is_known() && self.is_repeated(line) {
            return;
        }
        self.open.entry(line.pairing).or_default().push(self.games.len());
        self.games.push(TableGame { first: line, second: None, is_disputed: false });
    }

    /// Adds the other side of a game.
    fn complete(&mut self, game: usize, line: TableLine) {
        let game = &mut self.games[game];
        game.second = Some(line.side);
        let first = &mut game.first;
        if line.date.known_parts() > first.date.known_parts() {
            first.date = line.date;
        }
        for (mine, theirs) in first.elos.iter_mut().zip(line.elos.into_iter().rev()) {
            *mine = if *mine == 0 { theirs } else { *mine };
        }
        for (mine, theirs) in first.fide_ids.iter_mut().zip(line.fide_ids.into_iter().rev()) {
            *mine = if *mine == 0 { theirs } else { *mine };
        }
        let (one, other) = (first.side, line.side);
        if !one.mirrors(other) && !one.is_double_forfeit(other) {
            game.is_disputed = true;
            let message = format!(
                "{} for the player here, but {} for the other player on line {}; the game has no \
                 result",
                other.words(),
                one.words(),
                first.number
            );
            self.draft.mismatch(line.number, message);
        }
    }

    /// Returns whether a line repeats another of the same player and round, and reports it.
    fn is_repeated(&mut self, line: TableLine) -> bool {
        let open = self.open.get(&line.pairing).map_or(&[][..], Vec::as_slice);
        let repeated = open
            .iter()
            .take(MOST_OPEN)
            .find(|game| self.games[**game].first.side.colour == line.side.colour);
        let Some(&game) = repeated else { return false };
        let game = &mut self.games[game];
        let first = game.first.number;
        if game.first.side == line.side {
            self.draft.warn(line.number, format!("repeats line {first}; the game counts once"));
        } else {
            game.is_disputed = true;
            let message = format!(
                "{} here, but {} on line {first}; the game has no result",
                line.side.words(),
                game.first.side.words()
            );
            self.draft.mismatch(line.number, message);
        }
        true
    }

    /// Passes the games to the draft.
    fn finish(self) {
        let Crosstable { draft, games, .. } = self;
        for TableGame { first, second, is_disputed } in games {
            let (event, site, round, player, opponent) = first.pairing;
            if second.is_some_and(|second| first.side.is_double_forfeit(second)) {
                draft.note(first.number, "both players lost by forfeit, so it is not a game");
                continue;
            }
            let is_white = first.side.is_white(second);
            let sides = if is_white { [0, 1] } else { [1, 0] };
            let [white, black] = sides.map(|side| [player, opponent][side]);
            let [white_elo, black_elo] = sides.map(|side| first.elos[side]);
            let [white_fide_id, black_fide_id] = sides.map(|side| first.fide_ids[side]);
            let mut flags = GameFlags::RESULT_ONLY;
            flags.set(GameFlags::UNPLAYED, !first.side.played);
            let states_colours =
                first.side.colour.or(second.and_then(|side| side.colour)).is_some();
            flags.set(GameFlags::COLOURS_UNKNOWN, !states_colours);
            let result =
                if is_disputed { GameResult::Unknown } else { first.side.result(is_white) };
            let game = Game {
                event,
                site,
                white,
                black,
                date: first.date,
                round,
                result,
                white_elo,
                black_elo,
                white_fide_id,
                black_fide_id,
                flags,
                line: first.number,
                ..Game::default()
            };
            draft.push(game, GameDetails::default());
        }
    }
}

/// Parses the result of a player, and whether the game was played.
fn score(text: &str) -> Option<(Score, bool)> {
    Some(match text {
        "1" | "1.0" | "1,0" => (Score::Win, true),
        "0" | "0.0" | "0,0" => (Score::Loss, true),
        "½" | "1/2" | "0.5" | "0,5" | ".5" | "=" => (Score::Draw, true),
        "+" => (Score::Win, false),
        // Spreadsheets replace the hyphen by a minus sign or a dash.
        "-" | "−" | "–" => (Score::Loss, false),
        _ => return None,
    })
}

/// Removes the apostrophe that our own tables put before a text that spreadsheets would read as a
/// formula.
fn plain(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@']) => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::read_results;
    use crate::source::ResultsForm;

    /// The games of a table, as White, Black and result; and the findings with their lines.
    fn read(header: &str, lines: &[&str]) -> (Vec<String>, Vec<String>) {
        let text = format!("{header}\n{}\n", lines.join("\n"));
        let read = read_results(ResultsForm::Crosstable, "zurich-1953.csv", text.as_bytes());
        let games = read.games.iter().map(|game| {
            let [event, white, black] =
                [game.event, game.white, game.black].map(|name| read.names.text(name));
            let mark = if game.flags.contains(GameFlags::UNPLAYED) { "F" } else { "" };
            format!("{event} {} {white}-{black} {}{mark}", game.round, game.result.pgn())
        });
        let games = games.collect();
        let findings = read.findings.iter();
        (games, findings.map(|one| format!("{}: {}", one.line, one.message)).collect())
    }

    const HEADER: &str = "player,opponent,round,colour,result";

    #[test]
    fn the_two_sides_of_a_game_are_one_game() {
        let (games, findings) = read(
            HEADER,
            &[
                "Keres,Euwe,1,w,1",
                "\"Smyslov, V\",Euwe,2,black,½",
                "Euwe,Keres,1,b,0",
                "Euwe,\"Smyslov, V\",2,,0.5",
                "Keres,\"Smyslov, V\",3,black,+",
                "\"Smyslov, V\",Keres,3,white,-",
            ],
        );
        assert_eq!(
            games,
            [
                "zurich-1953 1 Keres-Euwe 1-0",
                "zurich-1953 2 Euwe-Smyslov, V 1/2-1/2",
                "zurich-1953 3 Smyslov, V-Keres 0-1F",
            ]
        );
        assert_eq!(findings, Vec::<String>::new());
    }

    #[test]
    fn without_rounds_only_corresponding_results_are_one_game() {
        // A double round robin from both sides, and a list of games with White first.
        let (games, _) = read(
            HEADER,
            &["A,B,,,1", "A,B,,,0", "B,A,,,0", "B,A,,,1", "C,D,,white,1/2", "D,C,,white,1/2"],
        );
        assert_eq!(games.len(), 4, "{games:?}");
    }

    #[test]
    fn semicolons_and_other_columns_are_read() {
        let (games, findings) = read(
            "Result;Colour;Round;Opponent;Player;Event;Date;Site;Note",
            &["0,5;b;4.2;Euwe;Keres;Candidates;1953-08;Zurich;by hand"],
        );
        assert_eq!(games, ["Candidates 4.2 Euwe-Keres 1/2-1/2"]);
        assert_eq!(findings, Vec::<String>::new());
    }

    #[test]
    fn faults_are_reported_with_their_line_and_cost_no_other_game() {
        let (games, findings) = read(
            HEADER,
            &[
                "Keres,Euwe,1,w,1",
                "Euwe,Keres,1,b,1/2",
                "\"Keres,Euwe,2,w,1",
                "Keres,Euwe,3,w,won",
                "Keres,,4,w,1",
                "Keres,Keres,5,w,1",
                "Keres,Euwe,first,green,1",
                "Keres,Euwe,6,w,1",
                "Keres,Euwe,6,w,1",
                "Keres,Euwe,7,w,",
                "Keres,Euwe,8,w,-",
                "Euwe,Keres,8,b,-",
                "",
                "Keres",
            ],
        );
        assert_eq!(
            games,
            [
                "zurich-1953 1 Keres-Euwe *",
                "zurich-1953 ? Keres-Euwe 1-0",
                "zurich-1953 6 Keres-Euwe 1-0",
            ]
        );
        for (finding, part) in findings.iter().zip([
            "3: a draw for the player here, but a win for the other player on line 2",
            "4: a quote is not closed",
            "5: \"won\" is not a result",
            "6: the line has a result, but no opponent",
            "7: the player and the opponent are the same",
            "8: \"green\" is not a colour",
            "8: \"first\" is not a round",
            "10: repeats line 9",
            "11: 2 lines have no result",
            "12: both players lost by forfeit",
        ]) {
            assert!(finding.starts_with(part), "{finding}");
        }
        assert_eq!(findings.len(), 10, "{findings:?}");
    }

    #[test]
    fn a_file_that_repeats_one_line_is_read_in_good_time() {
        let lines = vec!["A,B,,,1"; 100_000];
        let (games, _) = read(HEADER, &lines);
        assert_eq!(games.len(), 100_000);
    }
}
