//! Reads tournament reports of FIDE: TRF16, and TRF26, which was drafted as TRF25.
//!
//! Source: FIDE Handbook, C.04, *Format of Tournament Report File*, versions of 2016 and 2026. The
//! records of the tournament, its players and its teams are read. Those for pairing programs (byes,
//! accelerated rounds, prohibited pairings, forfeited matches) repeat other lines or do not concern
//! games.

use rustc_hash::FxHashMap;

use super::report_line::ReportLine;
use super::report_tournament::{Tournament, written_day};
use super::results_draft::{ResultsDraft, elo, fide_id, shown};
use super::side::{Colour, Score, Side};
use crate::games::{NameId, PartialDate, PlayerDetails};

/// The beginning of a comment.
const COMMENT: &str = "###";

/// Most rounds that are read. Judged: the longest round robins have fewer than fifty.
const MOST_ROUNDS: usize = 500;

/// Most days of a tournament of which day and month may be exchanged. Judged: tournaments last up
/// to three weeks, and with day and month exchanged nearly all would last for months.
const LONGEST: i32 = 31;

/// The records of a tournament that a report has once. After the players, one of them that the
/// report has already begins another report.
const ONCE: [&str; 8] = ["012", "022", "032", "042", "052", "092", "142", "XXR"];

/// A tournament report while it is read.
#[derive(Default)]
pub(super) struct Report {
    /// The records of [`ONCE`] so far.
    records: Vec<String>,
    /// The texts of the first and the last day, with their lines.
    first_day: (u32, String),
    last_day: (u32, String),
    pub tournament: Tournament,
    pub players: Vec<ReportPlayer>,
    /// Places of the players by their starting rank.
    pub of_rank: FxHashMap<u16, usize>,
    /// Teams of the players by their starting rank.
    team_of_rank: FxHashMap<u16, NameId>,
}

pub(super) struct ReportPlayer {
    rank: u16,
    pub line: u32,
    pub name: NameId,
    pub elo: u16,
    pub fide_id: u32,
    details: PlayerDetails,
    pub cells: Vec<Cell>,
}

/// What the line of a player states about one round.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    /// The starting rank of the opponent; 0 is none.
    pub opponent: u16,
    /// The result; `None` if there is none, or for a bye.
    pub side: Option<Side>,
    /// Whether the player had a bye with points.
    pub is_bye: bool,
}

impl Report {
    /// Returns whether a line begins another report.
    pub fn ends_before(&self, text: &str) -> bool {
        let code = ReportLine::new(text).value(1, 3);
        !self.players.is_empty() && self.records.iter().any(|record| record == code)
    }

    /// Reads a line.
    pub fn line(&mut self, number: u32, text: &str, draft: &mut ResultsDraft) {
        if text.starts_with(COMMENT) {
            return;
        }
        let line = ReportLine::new(text);
        if ONCE.contains(&line.value(1, 3)) {
            self.records.push(line.value(1, 3).to_owned());
        }
        let tournament = &mut self.tournament;
        match line.value(1, 3) {
            "001" => self.player(number, &line, draft),
            "012" => line.rest(5).clone_into(&mut tournament.name),
            "022" => line.rest(5).clone_into(&mut tournament.city),
            "032" => line.rest(5).clone_into(&mut tournament.federation),
            "042" => self.first_day = (number, line.rest(5).to_owned()),
            "052" => self.last_day = (number, line.rest(5).to_owned()),
            "092" => line.rest(5).clone_into(&mut tournament.kind),
            "122" => line.rest(5).clone_into(&mut tournament.allotted_times),
            "132" if !line.rest(4).is_empty() => {
                tournament.dates = Some((number, text.to_owned()));
            }
            "142" | "XXR" => tournament.rounds = line.rest(5).parse().unwrap_or(0),
            "222" => line.rest(5).clone_into(&mut tournament.time_control),
            "013" => self.team(line.value(5, 36), (37..).step_by(5).take(14), &line, draft),
            "310" => self.team(line.value(9, 40), (74..).step_by(5).take(14), &line, draft),
            // Other records, national ratings, and extensions of programs.
            code if is_code(code) && line.value(4, 4).is_empty() => {}
            _ => draft.warn(number, format!("not a line of a report: \"{}\"", shown(text))),
        }
    }

    /// Parses the first and the last day, once both are known.
    ///
    /// Day, month and year may have any order, if only one makes the tournament last no longer than
    /// [`LONGEST`]. If the day is first in one of them, it is in the other.
    pub fn read_days(&mut self, draft: &mut ResultsDraft) {
        let texts = [self.first_day.1.as_str(), self.last_day.1.as_str()];
        let readings = [[0, 1, 2], [2, 1, 0], [2, 0, 1]].map(|order| {
            let [start, end] = texts.map(|text| in_order(text, order));
            let (start, end) = (start?, end?);
            let days = (end.day_exact()? - start.day_exact()?).get_days();
            (0..=LONGEST).contains(&days).then_some((start, end))
        });
        let mut short = readings.into_iter().flatten();
        if let Some(days) = short.next()
            && short.all(|other| other == days)
        {
            (self.tournament.start, self.tournament.end) = days;
            return;
        }
        let is_day_first = texts.iter().any(|text| {
            let first = text.split(['/', '-']).next().unwrap_or_default();
            first.trim().parse::<u16>().is_ok_and(|number| (13..=31).contains(&number))
        });
        let [start, end] = [&self.first_day, &self.last_day].map(|(number, text)| {
            let with_dots = text.replace(['/', '-'], ".");
            let text = if is_day_first { with_dots.as_str() } else { text };
            if text.is_empty() { PartialDate::UNKNOWN } else { day(text, *number, draft) }
        });
        (self.tournament.start, self.tournament.end) = (start, end);
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
        let elo = draft.value(number, line.value(49, 52), "rating", elo);
        let fide_id = draft.value(number, line.value(58, 68), "FIDE number", fide_id);
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
    pub fn details_of(&self, player: &ReportPlayer) -> PlayerDetails {
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

/// Parses a date in three numbers, of which the places of year, month and day are given. A year of
/// two digits is one of the two thousands, because reports are not older.
fn in_order(text: &str, [year, month, day]: [usize; 3]) -> Option<PartialDate> {
    let parts: Vec<&str> = text.split(['/', '-', '.']).map(str::trim).collect();
    let &[_, _, _] = &parts[..] else { return None };
    let century = match parts[year].len() {
        2 => "20",
        4 => "",
        _ => return None,
    };
    let date = format!("{century}{}.{}.{}", parts[year], parts[month], parts[day]);
    PartialDate::parse(&date).filter(|date| date.is_exact())
}

/// Parses a day of the tournament; one that is not valid is reported, and what can be read of it is
/// used.
fn day(text: &str, number: u32, draft: &mut ResultsDraft) -> PartialDate {
    written_day(text).unwrap_or_else(|| {
        let kept = PartialDate::salvaged(text);
        draft.bad_value(number, format!("\"{}\" is not a date", shown(text)));
        kept
    })
}

/// Parses a day of birth. Many reports have only the year, and some have no valid date.
fn birth(text: &str) -> PartialDate {
    written_day(text).unwrap_or_else(|| PartialDate::salvaged(text))
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
