//! The data files for the comparison of any two players: the ratings, events and opponents of each
//! player.
//!
//! The files are scripts, not JSON, since a page opened from a disk can load only scripts. Each
//! file has several players, which keeps the number of files small.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::addresses::{by_file, key_of_event, of_player};
use super::errors::PublishError;
use super::figures::{fixed, fixed_or_empty, points, spoken};
use super::folder::Folder;
use super::former_addresses::former_ids;
use super::pages::{PlayerScore, Reign, first_places, place_beside_line, reigns_of_players};
use super::script::json;
use archive::{Archive, EventRecord, PlayerRow};
use chess_history::players::PlayerId;

/// Approximate size of a file, in bytes. Judged: a phone loads two such files in a moment. Half the
/// size would double the number of files.
const IN_FILE: usize = 64_000;

/// Approximate bytes for a player, for an event of the player, and for a year on a list.
const OF_PLAYER: usize = 110;
const OF_EVENT: usize = 110;
const OF_YEAR: usize = 5;

#[derive(Debug, Serialize)]
struct Dossier<'a> {
    name: String,
    page: String,
    /// First and last year.
    years: Option<(i16, i16)>,
    /// The year of birth.
    born: Option<i16>,
    /// `World champion 1960–1961`.
    titles: Vec<String>,
    games: usize,
    points: String,
    /// First places in classical tournaments, and the number of these.
    firsts: (usize, usize),
    /// The performances on the Greatness List with a G-score of at least 100, 200 and 300.
    great: [usize; 3],
    /// The player's best G-score, with the key and the name of its event.
    best: Option<(String, String, &'a str)>,
    /// The first rating of each year, by list: number of the list, first year, ratings. A year
    /// without a rating has 0.
    ratings: Vec<(usize, i16, Vec<u16>)>,
    events: Vec<DossierEvent<'a>>,
}

/// An event of a player: key of its address, name, year, kind, line in the standings, players,
/// score, score in play-offs, G-score, the games, whether the player withdrew, whether the G-score
/// is high but not ranked, and the place if it is not the number of the line (`2–4`). A game is the
/// line of the opponent, `w` or `b`, and the half points: `2w1.5b2`.
#[derive(Debug, Serialize)]
struct DossierEvent<'a>(
    String,
    &'a str,
    Option<i16>,
    &'a str,
    usize,
    usize,
    String,
    String,
    String,
    String,
    bool,
    bool,
    String,
);

/// The rating lists. Dossiers refer to them by index.
pub(super) fn systems(archive: &Archive) -> Vec<String> {
    let mut systems: Vec<&str> = Vec::new();
    for history in archive.lists.player_rows.iter().flat_map(|row| &row.histories) {
        if !systems.contains(&history.system.as_str()) {
            systems.push(&history.system);
        }
    }
    systems.into_iter().map(str::to_owned).collect()
}

/// The number of files.
pub(super) fn number_of_files(archive: &Archive) -> usize {
    archive.lists.player_rows.iter().map(approximate_size).sum::<usize>() / IN_FILE + 1
}

/// The approximate size of the dossier of a player, in bytes.
fn approximate_size(row: &PlayerRow) -> usize {
    let mut years = 0;
    for history in &row.histories {
        if let (Some((first, _)), Some((last, _))) =
            (history.ratings.first(), history.ratings.last())
        {
            years += usize::from(last.year().abs_diff(first.year())) + 3;
        }
    }
    OF_PLAYER + row.events.len() * OF_EVENT + years * OF_YEAR
}

/// Writes the files, each with the addresses of players by former identifiers that it would have.
/// Each thread holds one at a time in memory.
pub(super) fn write(archive: &Archive, folder: &Folder) -> Result<(), PublishError> {
    let systems = systems(archive);
    let reigns = reigns_of_players(archive);
    let great = great_performances(archive);
    let player_rows = &archive.lists.player_rows;
    let ids: Vec<&str> =
        player_rows.iter().map(|row| archive.players.get(row.player).id.as_str()).collect();
    let held = by_file(ids.iter().copied().enumerate(), number_of_files(archive));
    let fields = large_fields(archive);
    let former: Vec<(String, PlayerId)> = former_ids(archive).into_iter().collect();
    let former_ids = former.iter().map(|(id, _)| id.as_str()).enumerate();
    let former_held = by_file(former_ids, number_of_files(archive));
    held.par_iter().enumerate().try_for_each(|(number, rows)| {
        let mut text = String::new();
        for &row in rows {
            let row_of_player = &player_rows[row];
            let reigns = reigns.get(&row_of_player.player).map_or(&[][..], Vec::as_slice);
            let dossier = json(&dossier(archive, &fields, row_of_player, &systems, reigns, &great));
            text.push_str(&format!("greatnessDossier({}, {dossier});\n", json(&ids[row])));
        }
        let former = former_held[number].iter().map(|place| &former[*place]);
        let addresses: BTreeMap<&str, String> =
            former.map(|(id, player)| (id.as_str(), of_player(archive, *player))).collect();
        if !addresses.is_empty() {
            // Pages that compare players do not need them.
            text.push_str(&format!("self.greatnessMoved?.({});\n", json(&addresses)));
        }
        folder.save(&format!("compare/{number}.js"), text.as_bytes())
    })
}

/// Counts each player's performances on the Greatness List by the least G-score.
fn great_performances(archive: &Archive) -> FxHashMap<PlayerId, [usize; 3]> {
    let mut counts: FxHashMap<PlayerId, [usize; 3]> = FxHashMap::default();
    for row in &archive.lists.greatness {
        let own = counts.entry(row.player).or_default();
        for (count, least) in own.iter_mut().zip([100.0, 200.0, 300.0]) {
            *count += usize::from(row.g_score >= least);
        }
    }
    counts
}

fn dossier<'a>(
    archive: &'a Archive,
    fields: &FxHashMap<usize, LargeField>,
    row: &PlayerRow,
    systems: &[String],
    reigns: &[Reign],
    great: &FxHashMap<PlayerId, [usize; 3]>,
) -> Dossier<'a> {
    let events = row.events.iter().filter(|(event, _)| {
        // The games of a match are games of its cycle too, and count once.
        archive.records[*event].event.part_of.is_none()
    });
    let events: Vec<&(usize, usize)> = events.collect();
    // The best may be a match that is part of an event, which `events` does not have.
    let best = row.best.map(|(score, best)| {
        let record = &archive.records[best];
        (fixed(score, 2), key_of_event(record), record.event.name.as_str())
    });
    let places = first_places(&archive.records, row);
    Dossier {
        name: spoken(&archive.players.get(row.player).name),
        page: of_player(archive, row.player),
        years: row.years,
        born: archive.players.get(row.player).life.as_ref().and_then(|life| life.born),
        titles: reigns.iter().map(Reign::words).collect(),
        games: row.games,
        points: points(row.points),
        firsts: (places.won.len(), places.tournaments),
        great: great.get(&row.player).copied().unwrap_or_default(),
        best,
        ratings: row
            .histories
            .iter()
            .filter_map(|history| {
                let mut years: BTreeMap<i16, u16> = BTreeMap::new();
                for (day, rating) in &history.ratings {
                    // The format has four digits and no negative ratings.
                    years.entry(day.year()).or_insert(rating.round().clamp(0.0, 9999.0) as u16);
                }
                let (first, last) = (*years.keys().next()?, *years.keys().next_back()?);
                let ratings = (first..=last).map(|year| years.get(&year).copied().unwrap_or(0));
                let system = systems.iter().position(|system| *system == history.system)?;
                Some((system, first, ratings.collect()))
            })
            .collect(),
        events: events
            .into_iter()
            .map(|&(event, standing)| dossier_event(archive, fields, event, standing))
            .collect(),
    }
}

/// From this number of players on, the games of an event are indexed by player. Judged: in a
/// smaller event, searching all games for those of a player is quick.
const LARGE: usize = 100;

/// The index of a large event: the place and the games of each player.
struct LargeField {
    places: Vec<usize>,
    games_of: Vec<Vec<usize>>,
}

impl LargeField {
    fn new(record: &EventRecord) -> LargeField {
        let mut games_of = vec![Vec::new(); record.event.players.len()];
        for (number, game) in record.event.games.iter().enumerate() {
            games_of[game.white].push(number);
            games_of[game.black].push(number);
        }
        LargeField { places: places(record), games_of }
    }
}

/// Places from 1, by index of the player.
fn places(record: &EventRecord) -> Vec<usize> {
    let mut places = vec![0; record.event.players.len()];
    for (place, player) in record.analysis.players.iter().enumerate() {
        places[player.index] = place + 1;
    }
    places
}

/// The indexes of all large events, by index of the event.
fn large_fields(archive: &Archive) -> FxHashMap<usize, LargeField> {
    let records = archive.records.par_iter().enumerate();
    let large = records.filter(|(_, record)| record.event.players.len() >= LARGE);
    large.map(|(number, record)| (number, LargeField::new(record))).collect()
}

fn dossier_event<'a>(
    archive: &'a Archive,
    fields: &FxHashMap<usize, LargeField>,
    event: usize,
    standing: usize,
) -> DossierEvent<'a> {
    let record = &archive.records[event];
    let analysed = &record.analysis.players[standing];
    let own: (Vec<usize>, Vec<usize>);
    let (places, numbers) = match fields.get(&event) {
        Some(field) => (&field.places, &field.games_of[analysed.index]),
        None => {
            own = (places(record), (0..record.event.games.len()).collect());
            (&own.0, &own.1)
        }
    };
    let games = numbers.iter().map(|number| &record.event.games[*number]);
    let games = games.filter(|game| game.played).filter_map(|game| {
        let white_score = archive.table.games()[game.row].result.white_score()?;
        let half_points = (2.0 * white_score) as u8;
        match analysed.index {
            own if own == game.white => Some(format!("{}w{half_points}", places[game.black])),
            own if own == game.black => Some(format!("{}b{}", places[game.white], 2 - half_points)),
            _ => None,
        }
    });
    let score = PlayerScore::new(record, standing);
    DossierEvent(
        key_of_event(record),
        &record.event.name,
        record.event.start.year(),
        record.event.kind.words(),
        places[analysed.index],
        record.finishers(),
        score.main,
        score.play_off,
        fixed_or_empty(record.shown_g_score(standing), 2),
        games.collect::<Vec<_>>().join("."),
        record.withdrew(standing),
        record.is_unranked_g(standing, &archive.settings.lists),
        place_beside_line(analysed, standing),
    )
}
