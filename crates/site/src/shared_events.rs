//! The records of the events that share one page, many in each file.
//!
//! The files are scripts, since a page opened from a disk can load only scripts. Each is one call
//! `greatnessEvents({...})` with the players of its events and the records of these. An event with
//! its own page has an empty record, which leads there.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::addresses::key_of_player;
use super::crosstable::{is_square, score};
use super::errors::PublishError;
use super::event_files::event_files;
use super::figures::{fixed_or_empty, points};
use super::folder::Folder;
use super::pages::shared_event::{SharedTexts, texts};
use super::pages::{Site, place_beside_line};
use super::script::json;
use archive::{Archive, EventRecord};
use chess_history::players::PlayerId;
use tournament_app::RatingOrigin;

/// The folder of the files, relative to the archive's folder.
pub(super) const FOLDER: &str = "event-records";

/// Approximate bytes of the texts of a record, of a player of it, and of a game. Judged: with
/// these, the files of 427,228 games have at most 270 kB.
const OF_TEXTS: usize = 900;
const OF_PLAYER: usize = 60;
const OF_GAME: usize = 10;

/// Approximate bytes of an empty record.
const OF_LINK: usize = 30;

/// The events of each file, as indexes of their records; none if all events have their own page.
pub(super) fn files(archive: &Archive) -> Vec<Vec<usize>> {
    if archive.records.iter().all(|record| record.has_page) {
        return Vec::new();
    }
    event_files(archive, |event| {
        let record = &archive.records[event];
        let (players, games) = (record.event.players.len(), record.event.games.len());
        let of_record = OF_TEXTS + players * OF_PLAYER + games * OF_GAME;
        Some(if record.has_page { OF_LINK } else { of_record })
    })
}

pub(super) fn write(site: &Site, folder: &Folder) -> Result<(), PublishError> {
    let files = files(site.archive);
    files.par_iter().enumerate().try_for_each(|(number, events)| {
        let text = format!("greatnessEvents({});\n", json(&EventFile::new(site, events)));
        folder.save(&format!("{FOLDER}/{number}.js"), text.as_bytes())
    })
}

/// The content of a file.
#[derive(Debug, Serialize)]
struct EventFile<'a> {
    /// The key and the name of each player.
    players: Vec<(String, String)>,
    /// The records by identifier; `None` for an event with its own page.
    events: BTreeMap<&'a str, Option<SharedEvent>>,
}

impl<'a> EventFile<'a> {
    fn new(site: &Site<'a>, events: &[usize]) -> EventFile<'a> {
        let archive = site.archive;
        let mut players =
            PlayersOfFile { archive, numbers: FxHashMap::default(), names: Vec::new() };
        let mut file = BTreeMap::new();
        for &index in events {
            let record = &archive.records[index];
            let shared = SharedEvent::new(site, index, &mut players);
            file.insert(record.event.id.as_str(), shared);
        }
        EventFile { players: players.names, events: file }
    }
}

/// The players of a file. Its records refer to them by number.
struct PlayersOfFile<'a> {
    archive: &'a Archive,
    numbers: FxHashMap<PlayerId, usize>,
    names: Vec<(String, String)>,
}

impl PlayersOfFile<'_> {
    fn number(&mut self, player: PlayerId) -> usize {
        *self.numbers.entry(player).or_insert_with(|| {
            let name = self.archive.players.get(player).name.clone();
            self.names.push((key_of_player(self.archive, player), name));
            self.names.len() - 1
        })
    }
}

/// What the page shows of an event.
#[derive(Debug, Serialize)]
struct SharedEvent {
    #[serde(flatten)]
    texts: SharedTexts,
    /// The form of the crosstable: `match`, `square` or `list`.
    form: &'static str,
    standings: Vec<SharedStanding>,
    /// White, Black (places in the standings, from 0) and result of each game, one after another.
    games: Vec<usize>,
    /// The rounds and days of the games: a text and the number of games in a row that have it.
    /// Empty if none is known.
    rounds: Vec<(String, usize)>,
    days: Vec<(String, usize)>,
    missing: Vec<SharedMissing>,
}

/// A player's line of the standings: the player, the rating and its origin (0 given, 1 estimated,
/// 2 corrected, 3 decided), points, games, P-Zero, G-score, and the place if it is not the number
/// of the line: `2–4`, `withdrew`.
#[derive(Debug, Serialize)]
struct SharedStanding(usize, String, u8, String, usize, String, String, String);

/// Missing games: the two players and the round, where they are known, and the number of games.
#[derive(Debug, Serialize)]
struct SharedMissing(Option<usize>, Option<usize>, Option<u16>, usize);

/// The result of a game: White's half points, and these flags.
const UNPLAYED: usize = 4;
const HAS_MOVES: usize = 8;

impl SharedEvent {
    /// Makes the record of an event; `None` if it has its own page.
    fn new(site: &Site, index: usize, players: &mut PlayersOfFile) -> Option<SharedEvent> {
        let archive = site.archive;
        let record = &archive.records[index];
        if record.has_page {
            return None;
        }
        let event = &record.event;
        let mut place_of = vec![0; event.players.len()];
        for (place, player) in record.analysis.players.iter().enumerate() {
            place_of[player.index] = place;
        }
        let mut games = Vec::with_capacity(3 * event.games.len());
        let (mut rounds, mut days) = (Vec::new(), Vec::new());
        for game in &event.games {
            let half_points = (2.0 * score(game, &archive.table, true)) as usize;
            let unplayed = if game.played { 0 } else { UNPLAYED };
            let moves = if archive.boards.has(game.row) { HAS_MOVES } else { 0 };
            games.extend([place_of[game.white], place_of[game.black]]);
            games.push(half_points + unplayed + moves);
            let row = &archive.table.games()[game.row];
            let round = if row.round.is_known() { row.round.to_string() } else { String::new() };
            add_to_runs(&mut rounds, round);
            add_to_runs(&mut days, row.date.in_words().unwrap_or_default());
        }
        let missing = event.recognised.missing.iter().map(|missing| {
            let [player, opponent] =
                [missing.player, missing.opponent].map(|player| Some(place_of[player?]));
            SharedMissing(player, opponent, missing.round, missing.games)
        });
        Some(SharedEvent {
            texts: texts(site, index),
            form: match event.players.len() {
                2 => "match",
                _ if is_square(event) => "square",
                _ => "list",
            },
            standings: standings(record, players),
            games,
            rounds: known_runs(rounds),
            days: known_runs(days),
            missing: missing.collect(),
        })
    }
}

fn standings(record: &EventRecord, players: &mut PlayersOfFile) -> Vec<SharedStanding> {
    let lines = record.analysis.players.iter().enumerate().map(|(place, player)| {
        let withdrew = record.withdrew(place);
        let (scored, games) = if withdrew {
            (player.played_points, player.games)
        } else {
            (player.main_points, player.main_games)
        };
        SharedStanding(
            players.number(record.event.players[player.index]),
            fixed_or_empty(player.initial_rating, 0),
            match player.rating_origin {
                RatingOrigin::Given | RatingOrigin::Missing => 0,
                RatingOrigin::Filled => 1,
                RatingOrigin::Corrected => 2,
                RatingOrigin::Decided => 3,
            },
            points(scored),
            games,
            fixed_or_empty(player.p_zero, 2),
            fixed_or_empty(record.shown_g_score(place).filter(|_| !withdrew), 2),
            if withdrew { "withdrew".into() } else { place_beside_line(player, place) },
        )
    });
    lines.collect()
}

/// Adds a text to texts in a row, each with the number of times that it occurs there.
fn add_to_runs(runs: &mut Vec<(String, usize)>, text: String) {
    match runs.last_mut() {
        Some((last, count)) if *last == text => *count += 1,
        _ => runs.push((text, 1)),
    }
}

/// The runs, or none if all texts are empty.
fn known_runs(runs: Vec<(String, usize)>) -> Vec<(String, usize)> {
    if runs.iter().all(|(text, _)| text.is_empty()) { Vec::new() } else { runs }
}
