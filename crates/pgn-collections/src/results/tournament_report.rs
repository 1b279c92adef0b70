//! Reads tournament reports of FIDE: TRF16, and TRF26, which was drafted as TRF25.
//!
//! Source: FIDE Handbook, C.04, *Format of Tournament Report File*, versions of 2016 and 2026. The
//! records of the tournament, its players and its teams are read. Those for pairing programs (byes,
//! accelerated rounds, prohibited pairings, forfeited matches) repeat other lines or do not concern
//! games.

use rustc_hash::FxHashMap;

use super::report_line::ReportLine;
use super::results_draft::{ResultsDraft, elo, fide_id, numbered_lines, shown};
use super::side::{Colour, Score, Side};
use crate::games::{
    Game, GameDetails, GameFlags, GameResult, NameId, PartialDate, PlayerDetails, Round, tag_flags,
};

/// The beginning of a comment.
const COMMENT: &str = "###";

/// Most rounds that are read. Judged: the longest round robins have fewer than fifty.
const MOST_ROUNDS: usize = 500;

/// A tournament report while it is read.
#[derive(Default)]
struct Report {
    tournament: Tournament,
    players: Vec<ReportPlayer>,
    /// Places of the players by their starting rank.
    of_rank: FxHashMap<u16, usize>,
    /// Teams of the players by their starting rank.
    team_of_rank: FxHashMap<u16, NameId>,
}

/// What a report states about the whole tournament.
#[derive(Default)]
struct Tournament {
    name: String,
    city: String,
    federation: String,
    start: PartialDate,
    end: PartialDate,
    kind: String,
    /// The time control in words.
    allotted_times: String,
    /// The time control as in a PGN tag.
    time_control: String,
    rounds: u8,
    /// The text with the dates of the rounds, and its line.
    dates: Option<(u32, String)>,
}

struct ReportPlayer {
    rank: u16,
    line: u32,
    name: NameId,
    elo: u16,
    fide_id: u32,
    details: PlayerDetails,
    cells: Vec<Cell>,
}

/// What the line of a player states about one round.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// The starting rank of the opponent; 0 is none.
    opponent: u16,
    /// The result; `None` if there is none, or for a bye.
    side: Option<Side>,
    /// Whether the player had a bye with points.
    is_bye: bool,
}

/// Reads the games of a tournament report.
pub(super) fn read(bytes: &[u8], draft: &mut ResultsDraft) {
    let mut report = Report::default();
    for (number, line) in numbered_lines(bytes) {
        let line = draft.decode(number, line);
        report.line(number, &line, draft);
    }
    let rounds = report.players.iter().map(|player| player.cells.len()).max().unwrap_or(0);
    let dates = report.tournament.dates_of_rounds(rounds, draft);
    ReportGames::new(&report, rounds, draft).push(&dates, draft);
}

impl Report {
    fn line(&mut self, number: u32, text: &str, draft: &mut ResultsDraft) {
        if text.starts_with(COMMENT) {
            return;
        }
        let line = ReportLine::new(text);
        let tournament = &mut self.tournament;
        match line.value(1, 3) {
            "001" => self.player(number, &line, draft),
            "012" => line.rest(5).clone_into(&mut tournament.name),
            "022" => line.rest(5).clone_into(&mut tournament.city),
            "032" => line.rest(5).clone_into(&mut tournament.federation),
            "042" => tournament.start = day(line.rest(5), number, draft),
            "052" => tournament.end = day(line.rest(5), number, draft),
            "092" => line.rest(5).clone_into(&mut tournament.kind),
            "122" => line.rest(5).clone_into(&mut tournament.allotted_times),
            "132" => tournament.dates = Some((number, text.to_owned())),
            "142" | "XXR" => tournament.rounds = line.rest(5).parse().unwrap_or(0),
            "222" => line.rest(5).clone_into(&mut tournament.time_control),
            "013" => self.team(line.value(5, 36), (37..).step_by(5).take(14), &line, draft),
            "310" => self.team(line.value(9, 40), (74..).step_by(5).take(14), &line, draft),
            // Other records, national ratings, and extensions of programs.
            code if is_code(code) && line.value(4, 4).is_empty() => {}
            _ => draft.warn(number, format!("not a line of a report: \"{}\"", shown(text))),
        }
    }

    /// Reads the line of a team, with the columns in which the numbers of its players begin.
    fn team(
        &mut self,
        name: &str,
        columns: impl Iterator<Item = usize>,
        line: &ReportLine<'_>,
        draft: &mut ResultsDraft,
    ) {
        let name = draft.detail(name);
        for column in columns {
            if let Ok(rank) = line.value(column, column + 3).parse() {
                self.team_of_rank.insert(rank, name);
            }
        }
    }

    fn player(&mut self, number: u32, line: &ReportLine<'_>, draft: &mut ResultsDraft) {
        let rank = line.value(5, 8);
        let name = line.value(15, 47);
        let Some(rank) = rank.parse().ok().filter(|rank| (1..=9999).contains(rank)) else {
            let message = format!("the starting rank \"{}\" is not a number", shown(rank));
            return draft.warn(number, format!("{message}; the player is not read"));
        };
        if name.is_empty() || !line.is_aligned() {
            let message = "the values are not in the columns of the format (name from column 15, \
                           first round from column 92); the player is not read";
            return draft.warn(number, message);
        }
        if let Some(known) = self.of_rank.get(&rank) {
            let first = self.players[*known].line;
            let message =
                format!("a second player has the starting rank {rank}, the first is on line");
            return draft.warn(number, format!("{message} {first}; this one is not read"));
        }
        let elo = elo(line.value(49, 52)).unwrap_or_else(|| {
            let text = shown(line.value(49, 52));
            draft.bad_value(number, format!("\"{text}\" is not a rating"));
            0
        });
        let fide_id = fide_id(line.value(58, 68)).unwrap_or_else(|| {
            let text = shown(line.value(58, 68));
            draft.bad_value(number, format!("\"{text}\" is not a FIDE number"));
            0
        });
        let details = PlayerDetails {
            title: draft.detail(title(line.value(11, 13))),
            team: NameId::default(),
            federation: draft.detail(line.value(54, 56)),
            born: birth(line.value(70, 79)),
        };
        if line.rounds() > MOST_ROUNDS {
            draft.warn(number, format!("only {MOST_ROUNDS} rounds are read"));
        }
        let rounds = line.rounds().min(MOST_ROUNDS);
        let cells = (0..rounds).map(|round| cell(round, number, line, draft)).collect();
        self.of_rank.insert(rank, self.players.len());
        let name = draft.name(name);
        self.players.push(ReportPlayer { rank, line: number, name, elo, fide_id, details, cells });
    }

    /// Returns the details of a player, with the team.
    fn details_of(&self, player: &ReportPlayer) -> PlayerDetails {
        let team = self.team_of_rank.get(&player.rank).copied().unwrap_or_default();
        PlayerDetails { team, ..player.details }
    }
}

/// Returns whether the first three letters of a line are a code of a report.
fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Reads the columns of a round in the line of a player.
fn cell(round: usize, number: u32, line: &ReportLine<'_>, draft: &mut ResultsDraft) -> Cell {
    let opponent = line.of_round(round, 1, 4);
    let (colour, result) = (line.of_round(round, 6, 6), line.of_round(round, 8, 8));
    let round_number = round + 1;
    let opponent = match opponent {
        "" => 0,
        text => match text.parse() {
            Ok(rank) => rank,
            Err(_) => {
                let text = shown(text);
                let message =
                    format!("round {round_number}: \"{text}\" is not the number of an opponent");
                draft.warn(number, message);
                return Cell::default();
            }
        },
    };
    let colour = match colour {
        "w" | "W" => Some(Colour::White),
        "b" | "B" => Some(Colour::Black),
        "" | "-" => None,
        text => {
            draft
                .warn(number, format!("round {round_number}: \"{}\" is not a colour", shown(text)));
            None
        }
    };
    let (score, played) = match result {
        "1" => (Score::Win, true),
        "=" => (Score::Draw, true),
        "0" => (Score::Loss, true),
        // FIDE does not rate games of less than one move.
        "W" | "w" => (Score::Win, false),
        "D" | "d" => (Score::Draw, false),
        "L" | "l" => (Score::Loss, false),
        "+" => (Score::Win, false),
        "-" => (Score::Loss, false),
        "H" | "h" | "F" | "f" | "U" | "u" => return Cell { is_bye: true, ..Cell::default() },
        "" | "Z" | "z" => return Cell { opponent, ..Cell::default() },
        text => {
            draft
                .warn(number, format!("round {round_number}: \"{}\" is not a result", shown(text)));
            return Cell { opponent, ..Cell::default() };
        }
    };
    match opponent {
        0 => Cell { is_bye: score != Score::Loss, ..Cell::default() },
        opponent => Cell { opponent, side: Some(Side { colour, score, played }), is_bye: false },
    }
}

impl Tournament {
    /// The place, as PGN tags write it: the city and the code of its federation.
    fn site(&self) -> String {
        let Tournament { city, federation, .. } = self;
        if city.ends_with(federation.as_str()) {
            city.clone()
        } else {
            format!("{city} {federation}")
        }
    }

    /// What is known about the day of a game without a date: the parts in which the first and the
    /// last day agree.
    fn day(&self) -> PartialDate {
        let (start, end) = (self.start, self.end);
        if start == end {
            return start;
        }
        let year = start.year().map_or(0, i16::unsigned_abs);
        match start.month() {
            Some(month) if start.year() == end.year() && end.month() == Some(month) => {
                PartialDate::parse(&format!("{year}.{month:02}")).unwrap_or_default()
            }
            _ => PartialDate::of_year(year),
        }
    }

    fn dates_of_rounds(&self, rounds: usize, draft: &mut ResultsDraft) -> Vec<PartialDate> {
        let unknown = vec![self.day(); rounds];
        let Some((number, text)) = &self.dates else { return unknown };
        let line = ReportLine::new(text);
        let mut by_columns = (0..rounds).map(|round| match line.of_round(round, 1, 10) {
            "" => Some(unknown[round]),
            text => self.day_of_round(text),
        });
        if let Some(dates) = by_columns.by_ref().collect::<Option<Vec<_>>>()
            && dates != unknown
        {
            return dates;
        }
        // Some programs write the dates one after the other, from the fifth column on.
        let words = line.rest(5).split_whitespace().map(|word| self.day_of_round(word));
        match words.collect::<Option<Vec<_>>>() {
            Some(dates) if dates.len() == rounds => dates,
            _ => {
                let message = "the dates of the rounds are not in the columns of the format; they \
                               are not read";
                draft.bad_value(*number, message);
                unknown
            }
        }
    }

    /// Parses the date of a round, whose year has two digits or four. The century is that of the
    /// first day.
    fn day_of_round(&self, text: &str) -> Option<PartialDate> {
        let year = text.split(['/', '.', '-']).next()?;
        let date = match (year.len(), self.start.year()) {
            (2, Some(start)) => {
                let within: i16 = year.parse().ok()?;
                // A tournament that begins in 1999 may end in 2000.
                let years = [start - start % 100 + within, start - start % 100 + 100 + within];
                let year = years.into_iter().find(|year| *year >= start)?;
                PartialDate::parse(&format!("{year}{}", &text[2..]))?
            }
            (4, _) => PartialDate::parse(text)?,
            _ => return None,
        };
        date.is_exact().then_some(date)
    }

    /// What the time control and the type state about all games.
    fn flags(&self) -> GameFlags {
        let tempo = [self.time_control.as_str(), self.allotted_times.as_str()]
            .into_iter()
            .map(tag_flags::of_time_control)
            .find(|flags| !flags.is_empty());
        let tempo =
            tempo.or_else(|| minutes_in_words(&self.allotted_times).map(tag_flags::of_minutes));
        tempo.unwrap_or_default() | tag_flags::of_event_type(&self.kind)
    }
}

/// Returns the time that a player has for sixty moves (minutes), from a time control in words:
/// `90 min + 30 sec per move`, `15'+10"`. Returns `None` if the text states no minutes.
fn minutes_in_words(text: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let (mut minutes, mut increment) = (0.0, 0.0);
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[start..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let amount: f64 = digits[..end].parse().ok().filter(|amount| *amount < 1000.0)?;
        rest = &digits[end..];
        let unit = rest.trim_start();
        if begins_with_any(unit, &["\"", "''", "”", "″", "sec", "s "]) || unit == "s" {
            increment = amount;
        } else if begins_with_any(unit, &["h ", "hour", "hr"]) || unit == "h" {
            minutes += 60.0 * amount;
        } else if begins_with_any(unit, &["min", "'", "’", "′"]) {
            minutes += amount;
        }
    }
    (minutes > 0.0).then_some(minutes + increment)
}

fn begins_with_any(text: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| text.starts_with(beginning))
}

/// Parses a day of the tournament; one that is not valid is reported, and what can be read of it is
/// used.
fn day(text: &str, number: u32, draft: &mut ResultsDraft) -> PartialDate {
    PartialDate::parse(&year_first(text)).unwrap_or_else(|| {
        let kept = PartialDate::salvaged(text);
        draft.bad_value(number, format!("\"{}\" is not a date", shown(text)));
        kept
    })
}

/// Parses a day of birth. Many reports have only the year, and some have no valid date.
fn birth(text: &str) -> PartialDate {
    PartialDate::parse(&year_first(text)).unwrap_or_else(|| PartialDate::salvaged(text))
}

/// Writes `18.12.2009` as `2009.12.18`. Other dates are unchanged, because `12/18/2009` and
/// `18/12/2009` both occur.
fn year_first(text: &str) -> String {
    match text.split('.').collect::<Vec<_>>()[..] {
        [day, month, year] if year.len() == 4 => format!("{year}.{month}.{day}"),
        _ => text.to_owned(),
    }
}

/// Returns a title as PGN tags write it. Reports before 2016 write `g` for a grandmaster.
fn title(text: &str) -> &str {
    match text.to_lowercase().as_str() {
        "g" => "GM",
        "m" => "IM",
        "f" => "FM",
        "c" => "CM",
        "wg" => "WGM",
        "wm" => "WIM",
        "wf" => "WFM",
        "wc" => "WCM",
        _ => text,
    }
}

/// A game of a report: the places of its players, the first of whom had White.
struct ReportGame {
    round: usize,
    white: usize,
    black: usize,
    /// The result, or `Unknown` if the sides contradict each other.
    result: GameResult,
    played: bool,
}

/// The games of a report, and the number of pairings that are none.
struct ReportGames<'r> {
    report: &'r Report,
    games: Vec<ReportGame>,
    byes: usize,
    without_result: usize,
    double_forfeits: usize,
}

impl<'r> ReportGames<'r> {
    /// Finds the two sides of each game.
    fn new(report: &'r Report, rounds: usize, draft: &mut ResultsDraft) -> ReportGames<'r> {
        let games = Vec::new();
        let mut found =
            ReportGames { report, games, byes: 0, without_result: 0, double_forfeits: 0 };
        for round in 0..rounds {
            for (place, player) in report.players.iter().enumerate() {
                let Some(cell) = player.cells.get(round) else { continue };
                found.byes += usize::from(cell.is_bye);
                if cell.opponent > 0 {
                    found.pairing(round, place, *cell, draft);
                }
            }
        }
        found
    }

    /// Returns the cell of a player in a round.
    fn cell(&self, place: usize, round: usize) -> Cell {
        self.report.players[place].cells.get(round).copied().unwrap_or_default()
    }

    /// Adds the game of a player in a round, from the side of the player who comes first.
    fn pairing(&mut self, round: usize, place: usize, cell: Cell, draft: &mut ResultsDraft) {
        let report = self.report;
        let player = &report.players[place];
        let round_number = round + 1;
        let Some(&other_place) = report.of_rank.get(&cell.opponent) else {
            let opponent = cell.opponent;
            let message = format!(
                "round {round_number}: no player has the number {opponent}; the game is not read"
            );
            return draft.mismatch(player.line, message);
        };
        if other_place == place {
            let message =
                format!("round {round_number}: the player is the opponent; the game is not read");
            return draft.mismatch(player.line, message);
        }
        let other = self.cell(other_place, round);
        let is_mutual = report.of_rank.get(&other.opponent) == Some(&place);
        if is_mutual && other_place < place {
            return;
        }
        let line = report.players[other_place].line;
        if !is_mutual && other.opponent > 0 {
            let message = format!(
                "round {round_number}: the line of the opponent ({line}) names another opponent, \
                 {}; the game is not read",
                other.opponent
            );
            return draft.mismatch(player.line, message);
        }
        let theirs = other.side.filter(|_| is_mutual);
        let (mine, theirs) = match (cell.side, theirs) {
            (None, None) => {
                self.without_result += 1;
                return;
            }
            (Some(mine), Some(theirs)) if mine.is_double_forfeit(theirs) => {
                self.double_forfeits += 1;
                return;
            }
            (Some(mine), Some(theirs)) => (mine, Some(theirs)),
            (Some(mine), None) => {
                let message = format!(
                    "round {round_number}: only this line has a result, not that of the opponent \
                     ({line})"
                );
                draft.mismatch(player.line, message);
                (mine, None)
            }
            (None, Some(theirs)) => {
                let message = format!(
                    "round {round_number}: only the line of the opponent ({line}) has a result"
                );
                draft.mismatch(player.line, message);
                let is_white = theirs.is_white(None);
                return self.add(round, [other_place, place], is_white, Some(theirs));
            }
        };
        let disputed = theirs.filter(|theirs| !mine.complements(*theirs));
        if let Some(theirs) = disputed {
            let (one, other) = (mine.words(), theirs.words());
            let message = format!(
                "round {round_number}: {one} here, but {other} on the line of the opponent \
                 ({line}); the game has no result"
            );
            draft.mismatch(player.line, message);
        } else if theirs.is_some_and(|theirs| !mine.fits_colour(theirs)) {
            let message = format!(
                "round {round_number}: both players have the same colour (line {line}); that of \
                 this line is used"
            );
            draft.mismatch(player.line, message);
        }
        let agreed = Some(mine).filter(|_| disputed.is_none());
        self.add(round, [place, other_place], mine.is_white(theirs), agreed);
    }

    /// Adds a game. `side` is that of the first player; without it the result is unknown.
    fn add(&mut self, round: usize, places: [usize; 2], is_white: bool, side: Option<Side>) {
        let [white, black] = if is_white { places } else { [places[1], places[0]] };
        let result = side.map_or(GameResult::Unknown, |side| side.result(is_white));
        let played = side.is_none_or(|side| side.played);
        self.games.push(ReportGame { round, white, black, result, played });
    }

    /// Passes the games to the draft, and notes the pairings that are none.
    fn push(self, dates: &[PartialDate], draft: &mut ResultsDraft) {
        let ReportGames { report, games, .. } = &self;
        let tournament = &report.tournament;
        let shared = Game {
            event: draft.event(&tournament.name),
            site: draft.name(&tournament.site()),
            event_date: tournament.start,
            event_rounds: match tournament.rounds {
                0 => u8::try_from(dates.len()).unwrap_or(0),
                rounds => rounds,
            },
            flags: GameFlags::RESULT_ONLY | tournament.flags(),
            ..Game::default()
        };
        let time_control = match tournament.time_control.as_str() {
            "" => draft.detail(&tournament.allotted_times),
            text => draft.detail(text),
        };
        let event_type = draft.detail(&tournament.kind);
        for game in games {
            let [white, black] = [game.white, game.black].map(|place| &report.players[place]);
            let details = GameDetails {
                time_control,
                event_type,
                white: report.details_of(white),
                black: report.details_of(black),
                ..GameDetails::default()
            };
            let mut flags = shared.flags;
            flags.set(GameFlags::UNPLAYED, !game.played);
            for team in [details.white.team, details.black.team] {
                if tag_flags::names_a_team(draft.text_of_detail(team).as_bytes()) {
                    flags.insert(GameFlags::TEAMS);
                }
            }
            let row = Game {
                white: white.name,
                black: black.name,
                date: dates.get(game.round).copied().unwrap_or_default(),
                round: Round::of_number(game.round as u16 + 1),
                result: game.result,
                white_elo: white.elo,
                black_elo: black.elo,
                white_fide_id: white.fide_id,
                black_fide_id: black.fide_id,
                flags,
                line: white.line,
                ..shared
            };
            draft.push(row, details);
        }
        self.note_others(draft);
    }

    /// Notes the pairings that are not games.
    fn note_others(&self, draft: &mut ResultsDraft) {
        let parts: Vec<String> = [
            (self.byes, "bye", "byes"),
            (
                self.double_forfeits,
                "game that both lost by forfeit",
                "games that both lost by forfeit",
            ),
            (self.without_result, "pairing without a result", "pairings without a result"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
        if !parts.is_empty() {
            let total = self.byes + self.double_forfeits + self.without_result;
            let verb = if total == 1 { "is not counted" } else { "are not counted" };
            draft.note(0, format!("{} {verb} as games", parts.join(", ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{ResultsRead, read_results};
    use crate::source::ResultsForm;

    /// The line of a player, with an opponent, a colour and a result for each round.
    fn player(rank: u16, name: &str, rounds: &[&str]) -> String {
        let cells: String = rounds.iter().map(|round| format!("  {round:>8}")).collect();
        format!(
            "001 {rank:>4} m GM {name:<33} {:>4} NOR     150{rank:04} 1990/11/30  1.0 {rank:>4}{cells}\r\n",
            2800 + rank
        )
    }

    /// Returns the games of a report of Oslo in words, and the findings with their lines.
    fn read(tournament: &str, players: &[String]) -> (ResultsRead, Vec<String>, Vec<String>) {
        let text = format!("012 Oslo Open\n022 Oslo\n032 NOR\n{tournament}{}", players.concat());
        let read = read_results(ResultsForm::Report, "oslo.trf", text.as_bytes());
        let games = read.games.iter().map(|game| {
            let [white, black] = [game.white, game.black].map(|name| read.names.text(name));
            let mark = if game.flags.contains(GameFlags::UNPLAYED) { "F" } else { "" };
            format!("{} {white}-{black} {}{mark}", game.round, game.result.pgn())
        });
        let games = games.collect();
        let findings = read.findings.iter();
        let findings =
            findings.map(|finding| format!("{}: {}", finding.line, finding.message)).collect();
        (read, games, findings)
    }

    #[test]
    fn each_game_is_read_once_with_what_the_report_states() {
        let dates = format!("042 2024/05/01\n052 2024/05/03\n132{:87} 24/05/01  24/05/03\n", "");
        let (read, games, findings) = read(
            &format!("{dates}222 5400+30\n092 Individual: Swiss\n"),
            &[
                player(1, "Alfa, A", &["2 w 1", "3 b ="]),
                player(2, "Beta, B", &["1 b 0", "0000 - U"]),
                player(3, "Gamma, C", &["0000 - H", "1 w ="]),
            ],
        );
        assert_eq!(games, ["1 Alfa, A-Beta, B 1-0", "2 Gamma, C-Alfa, A 1/2-1/2"]);
        assert_eq!(findings, ["0: 2 byes are not counted as games"]);
        let game = read.games[1];
        assert_eq!(read.names.text(game.event), "Oslo Open");
        assert_eq!(read.names.text(game.site), "Oslo NOR");
        assert_eq!((game.white_elo, game.black_fide_id), (2803, 1_500_001));
        assert_eq!((game.date.to_string(), game.event_rounds), ("2024.05.03".to_owned(), 2));
        assert_eq!(game.line, 11, "the line of White");
        assert!(game.flags.contains(GameFlags::CLASSICAL | GameFlags::RESULT_ONLY));
        let details = read.details[1];
        assert_eq!(read.texts.text(details.white.title), "GM");
        assert_eq!(read.texts.text(details.white.federation), "NOR");
        assert_eq!(read.texts.text(details.time_control), "5400+30");
        assert_eq!(details.black.born.iso(), "1990-11-30");
    }

    #[test]
    fn forfeits_are_not_played_and_double_forfeits_are_no_games() {
        let (_, games, findings) = read(
            "",
            &[
                player(1, "Alfa, A", &["2 w +", "3 b -", "2 b  "]),
                player(2, "Beta, B", &["1 b -", "", "1 w  "]),
                player(3, "Gamma, C", &["", "1 w -", "0000 - Z"]),
            ],
        );
        assert_eq!(games, ["1 Alfa, A-Beta, B 1-0F"]);
        let note = "0: 1 game that both lost by forfeit, 1 pairing without a result are not \
                    counted as games";
        assert_eq!(findings, [note]);
    }

    #[test]
    fn sides_that_contradict_each_other_are_reported_with_their_line() {
        let (_, games, findings) = read(
            "",
            &[
                player(1, "Alfa, A", &["2 w 1", "2 w 1", "3 w 1", "9 w 1", "1 w 1", "2 w 1"]),
                player(2, "Beta, B", &["1 b =", "1 w 0", "4 b 0", "", "", "1 w 1"]),
                player(3, "Gamma, C", &["", "4 w 1"]),
                player(4, "Delta, D", &["", "3 b 0", "2 w 1"]),
            ],
        );
        assert_eq!(
            games,
            [
                "1 Alfa, A-Beta, B *",
                "2 Alfa, A-Beta, B 1-0",
                "2 Gamma, C-Delta, D 1-0",
                "3 Alfa, A-Gamma, C 1-0",
                "3 Delta, D-Beta, B 1-0",
                "6 Alfa, A-Beta, B *",
            ]
        );
        for (finding, part) in findings.iter().zip([
            "4: round 1: a win here, but a draw on the line of the opponent (5)",
            "4: round 2: both players have the same colour (line 5)",
            "4: round 3: only this line has a result",
            "4: round 4: no player has the number 9",
            "4: round 5: the player is the opponent",
            "4: round 6: a win here, but a win on the line of the opponent (5)",
        ]) {
            assert!(finding.starts_with(part), "{finding}");
        }
        assert_eq!(findings.len(), 6, "{findings:?}");
    }

    #[test]
    fn a_faulty_line_costs_no_other_player() {
        let (_, games, findings) = read(
            "See our site for photographs\n###Comments need no space.\n",
            &[
                player(1, "Alfa, A", &["2 w 1", "x b 1", "2 w ?"]),
                player(2, "Beta, B", &["1 b 0"]),
                player(2, "Gamma, C", &["1 b 1"]),
                "001    5 Delta 2500 NOR 1 w 1\n".to_owned(),
                "001 abcd m GM Delta\n".to_owned(),
            ],
        );
        assert_eq!(games, ["1 Alfa, A-Beta, B 1-0"]);
        let lines: Vec<&str> = findings.iter().filter_map(|one| one.split(':').next()).collect();
        assert_eq!(lines, ["0", "4", "6", "6", "8", "9", "10"], "{findings:?}");
    }

    #[test]
    fn teams_are_read_in_the_old_and_in_the_new_form() {
        let old = format!("013 {:<32}   1    3\n", "Riga");
        let new = format!("310   1 {:<64} {:>4}\n", "Tartu", 2);
        let (read, ..) = read(
            &format!("{old}{new}"),
            &[player(1, "Alfa, A", &["2 w 1"]), player(2, "Beta, B", &["1 b 0"])],
        );
        let details = read.details[0];
        assert_eq!(read.texts.text(details.white.team), "Riga");
        assert_eq!(read.texts.text(details.black.team), "Tartu");
        assert!(read.games[0].flags.contains(GameFlags::TEAMS));
    }

    #[test]
    fn a_game_without_a_date_has_what_is_common_to_the_days_of_the_tournament() {
        for (start, end, expected) in [
            ("2024/05/01", "2024/05/01", "2024.05.01"),
            ("2024/05/01", "2024/05/09", "2024.05.??"),
            ("2024/05/28", "2024/06/02", "2024.??.??"),
            ("2024/05/28", "", "2024.??.??"),
        ] {
            let [start, end] = [start, end].map(|text| PartialDate::parse(text).unwrap());
            let tournament = Tournament { start, end, ..Tournament::default() };
            assert_eq!(tournament.day().to_string(), expected);
        }
    }

    #[test]
    fn the_year_of_a_round_is_in_the_century_of_the_tournament() {
        let start = PartialDate::parse("1999/12/27").unwrap();
        let tournament = Tournament { start, ..Tournament::default() };
        for (text, expected) in [
            ("99/12/28", Some("1999.12.28")),
            ("00/01/02", Some("2000.01.02")),
            ("2000/01/02", Some("2000.01.02")),
            ("é/01/02", None),
            ("00/13/02", None),
        ] {
            let day = tournament.day_of_round(text).map(|day| day.to_string());
            assert_eq!(day.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn time_controls_in_words_give_the_minutes_of_a_game() {
        for (text, expected) in [
            ("90 min + 30 sec per move", Some(120.0)),
            ("90 minutes for 40 moves, 30 minutes, 30 seconds per move", Some(150.0)),
            ("15'+10\"", Some(25.0)),
            ("3min + 2s", Some(5.0)),
            ("2 hours", Some(120.0)),
            ("standard", None),
            ("40 moves", None),
        ] {
            assert_eq!(minutes_in_words(text), expected, "{text}");
        }
    }
}
