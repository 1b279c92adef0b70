//! All players: an index of letters with the most active players, and a page for each letter.

use serde::Serialize;

use super::groups::Letter;
use super::page::Page;
use super::{Frame, Link, Section, Site, span};
use crate::figures::{counted, fixed, thousands};
use crate::long_table::LongTable;
use archive::PlayerRow;

/// The number of players on the index. Judged: readers who look for other players search, or choose
/// a letter.
const MOST_GAMES: usize = 50;

/// The index of players.
#[derive(Debug, Serialize)]
pub struct PlayersPage {
    frame: Frame,
    letters: Vec<LetterLine>,
    table: LongTable<PlayerLine>,
}

#[derive(Debug, Serialize)]
struct LetterLine {
    letter: Link,
    players: String,
}

fn letter_lines(letters: &[Letter]) -> Vec<LetterLine> {
    let lines = letters.iter().map(|letter| LetterLine {
        letter: Link { href: letter.path(), text: letter.name.clone() },
        players: thousands(letter.rows.len()),
    });
    lines.collect()
}

#[derive(Debug, Serialize)]
pub struct PlayerLine {
    player: Link,
    years: String,
    events: usize,
    games: usize,
    score: String,
    best: String,
    best_event: Option<Link>,
}

impl PlayerLine {
    fn new(site: &Site, row: &PlayerRow) -> PlayerLine {
        let score = match row.games {
            0 => String::new(),
            games => format!("{:.1}%", 100.0 * row.points / games as f64),
        };
        PlayerLine {
            player: Link::to_player(site.archive, row.player),
            years: span(row.years),
            events: row.event_count,
            games: row.games,
            score,
            best: row.best.map(|(g_score, _)| fixed(g_score, 2)).unwrap_or_default(),
            best_event: row.best.map(|(_, event)| site.event_link(event)),
        }
    }
}

pub fn players(site: &Site, page: &Page) -> PlayersPage {
    let mut most: Vec<&PlayerRow> = site.archive.lists.player_rows.iter().collect();
    most.sort_by_key(|row| std::cmp::Reverse(row.games));
    most.truncate(MOST_GAMES);
    PlayersPage {
        frame: site.frame(
            page.path,
            page.section,
            "Players".into(),
            format!("{}.", counted(site.archive.lists.player_rows.len(), "player", "players")),
        ),
        letters: letter_lines(&site.letters),
        table: LongTable::new("", most.into_iter().map(|row| PlayerLine::new(site, row)).collect()),
    }
}

#[derive(Debug, Serialize)]
pub struct LetterPage {
    frame: Frame,
    name: String,
    letters: Vec<LetterLine>,
    pub table: LongTable<PlayerLine>,
}

pub fn letter(site: &Site, place: usize) -> LetterPage {
    let letter = &site.letters[place];
    // Players on the Greatness List first, then by number of games. A click on the heading sorts by
    // name.
    let mut rows: Vec<&PlayerRow> =
        letter.rows.iter().map(|row| &site.archive.lists.player_rows[*row]).collect();
    rows.sort_by(|a, b| {
        let [great_a, great_b] = [a, b].map(|row| row.great.unwrap_or(f64::NEG_INFINITY));
        great_b.total_cmp(&great_a).then(b.games.cmp(&a.games))
    });
    LetterPage {
        frame: site.frame(
            &letter.path(),
            Section::Players,
            format!("Players: {}", letter.name),
            format!(
                "{} under {}, best performances first.",
                counted(letter.rows.len(), "player", "players"),
                letter.name
            ),
        ),
        name: letter.name.clone(),
        letters: letter_lines(&site.letters),
        table: LongTable::new(
            format!("letter-{}", letter.name.to_lowercase()),
            rows.into_iter().map(|row| PlayerLine::new(site, row)).collect(),
        ),
    }
}
