//! Reads the games of a tournament report: finds the two sides of each.

use super::results_draft::{ResultsDraft, numbered_lines};
use super::side::Side;
use super::tournament_report::{Cell, Report};
use crate::games::{Game, GameDetails, GameFlags, GameResult, PartialDate, Round, tag_flags};

/// Reads the games of the tournament reports in a text.
pub(super) fn read(bytes: &[u8], draft: &mut ResultsDraft) {
    let mut report = Report::default();
    for (number, line) in numbered_lines(bytes) {
        let line = draft.decode(number, line);
        if report.ends_before(&line) {
            push_games(report, draft);
            report = Report::default();
        }
        report.line(number, &line, draft);
    }
    push_games(report, draft);
}

fn push_games(mut report: Report, draft: &mut ResultsDraft) {
    report.read_days(draft);
    let rounds = report.players.iter().map(|player| player.cells.len()).max().unwrap_or(0);
    let dates = report.tournament.dates_of_rounds(rounds, draft);
    ReportGames::new(&report, rounds, draft).push(&dates, draft);
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
    /// Pairings whose sides name other opponents.
    unread: usize,
}

impl<'r> ReportGames<'r> {
    /// Finds the two sides of each game.
    fn new(report: &'r Report, rounds: usize, draft: &mut ResultsDraft) -> ReportGames<'r> {
        let mut found = ReportGames {
            report,
            games: Vec::new(),
            byes: 0,
            without_result: 0,
            double_forfeits: 0,
            unread: 0,
        };
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
            self.unread += 1;
            let opponent = cell.opponent;
            let message = format!(
                "round {round_number}: no player has the number {opponent}; the game is not read"
            );
            return draft.mismatch(player.line, message);
        };
        if other_place == place {
            self.unread += 1;
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
            self.unread += 1;
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

    /// Returns whether the report has the results of all its pairings, up to the last round.
    fn is_whole(&self) -> bool {
        let last = self.games.iter().map(|game| game.round + 1).max().unwrap_or(0);
        self.without_result + self.unread == 0
            && last >= usize::from(self.report.tournament.rounds)
            && self.games.iter().all(|game| game.result != GameResult::Unknown)
    }

    /// Passes the games to the draft, and notes the pairings that are none.
    fn push(self, dates: &[PartialDate], draft: &mut ResultsDraft) {
        let ReportGames { report, games, .. } = &self;
        let mut flags = GameFlags::RESULT_ONLY | report.tournament.flags();
        flags.set(GameFlags::WHOLE_REPORT, self.is_whole());
        let tournament = &report.tournament;
        let shared = Game {
            event: draft.event(&tournament.name),
            site: draft.name(&tournament.site()),
            event_date: tournament.start,
            event_rounds: match tournament.rounds {
                0 => u8::try_from(dates.len()).unwrap_or(0),
                rounds => rounds,
            },
            flags,
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
    fn a_report_is_whole_if_all_its_pairings_have_results() {
        let is_whole = |rounds: &str, of_first: &[&str], of_second: &[&str]| {
            let players = [player(1, "Alfa, A", of_first), player(2, "Beta, B", of_second)];
            let (read, ..) = self::read(rounds, &players);
            read.games.iter().all(|game| game.flags.contains(GameFlags::WHOLE_REPORT))
        };
        // Byes, absences and forfeits are no missing games.
        assert!(is_whole("", &["2 w 1", "0000 - H", "2 w +"], &["1 b 0", "0000 - Z", "1 b -"]));
        assert!(is_whole("142 2\n", &["2 w 1", "2 b ="], &["1 b 0", "1 w ="]));
        assert!(!is_whole("142 3\n", &["2 w 1", "2 b ="], &["1 b 0", "1 w ="]));
        assert!(!is_whole("", &["2 w 1", "2 b  "], &["1 b 0", "1 w  "]));
        assert!(!is_whole("", &["2 w 1", "9 b ="], &["1 b 0", ""]));
        assert!(!is_whole("", &["2 w 1", "2 b ="], &["1 b 0", "1 w 1"]));
    }

    #[test]
    fn a_file_may_have_several_reports() {
        let players = [player(1, "Alfa, A", &["2 w 1"]), player(2, "Beta, B", &["1 b 0"])];
        let second = format!("012 Bergen Open\n022 Bergen\n{}", players.concat());
        let mut both = players.to_vec();
        both.push(second);
        let (read, games, findings) = read("", &both);
        assert_eq!(games, ["1 Alfa, A-Beta, B 1-0", "1 Alfa, A-Beta, B 1-0"]);
        assert_eq!(findings, Vec::<String>::new());
        let events = read.games.iter().map(|game| read.names.text(game.event));
        assert_eq!(events.collect::<Vec<_>>(), ["Oslo Open", "Bergen Open"]);
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
}
