//! All players: an index of letters with the most active players, and a page for each letter.

use serde::Serialize;

use super::groups::Letter;
use super::page::Page;
use super::{Link, Section, Site, span};
use crate::errors::PublishError;
use crate::figures::{counted, fixed, thousands};
use crate::long_table::LongTable;
use crate::page_writer::PageWriter;
use archive::PlayerRow;

/// The number of players on the index. Judged: readers who look for other players search, or choose
/// a letter.
const MOST_GAMES: usize = 50;

fn letter_lines(letters: &[Letter]) -> Vec<impl Serialize> {
    let lines = letters.iter().map(|letter| {
        view!(
            letter = Link { href: letter.path(), text: letter.name.clone() },
            players = thousands(letter.rows.len())
        )
    });
    lines.collect()
}

fn player_line(site: &Site, row: &PlayerRow) -> impl Serialize {
    let score = match row.games {
        0 => String::new(),
        games => format!("{:.1}%", 100.0 * row.points / games as f64),
    };
    view!(
        player = Link::to_player(site.archive, row.player),
        years = span(row.years),
        events = row.event_count,
        games = row.games,
        score,
        best = row.best.map(|(g_score, _)| fixed(g_score, 2)).unwrap_or_default(),
        best_event = row.best.map(|(_, event)| site.event_link(event))
    )
}

/// The index of players.
pub fn players(site: &Site, page: &Page) -> impl Serialize {
    let mut most: Vec<&PlayerRow> = site.archive.lists.player_rows.iter().collect();
    most.sort_by_key(|row| std::cmp::Reverse(row.games));
    most.truncate(MOST_GAMES);
    view!(
        frame = site.frame(
            page.path,
            page.section,
            "Players".into(),
            format!("{}.", counted(site.archive.lists.player_rows.len(), "player", "players")),
        ),
        letters = letter_lines(&site.letters),
        table = LongTable::new("", most.into_iter().map(|row| player_line(site, row)).collect())
    )
}

/// Writes the page of a letter.
pub fn letter(writer: &PageWriter, place: usize) -> Result<(), PublishError> {
    let site = writer.site;
    let letter = &site.letters[place];
    let rows = letter.rows.iter().map(|row| &site.archive.lists.player_rows[*row]);
    let lines = rows.map(|row| player_line(site, row)).collect();
    let table = LongTable::new(format!("letter-{}", letter.slug), lines);
    let view = view!(
        frame = site.frame(
            &letter.path(),
            Section::Players,
            format!("Players: {}", letter.name),
            format!(
                "{} under {}, in alphabetical order.",
                counted(letter.rows.len(), "player", "players"),
                letter.name
            ),
        ),
        name = letter.name.clone(),
        letters = letter_lines(&site.letters),
        table = &table
    );
    writer.page(&letter.path(), "letter.html", &view)?;
    writer.rest(&table, "player_rows.html", "../")
}
