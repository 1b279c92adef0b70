//! Rates the moves of events, players and years from engine analysis.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use strum::IntoStaticStr;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::parquet::{read_calibration, read_turns};
use crate::record::EventRecord;
use crate::settings::Input;
use chess_history::players::{PlayerId, Players};
use intrinsic_ratings::{
    AnsweredGame, Calibration, CollectedTurns, MeasuredGame, MoveQuality, Movers, TurnDivision,
    TurnTable, turn_sets,
};
use pgn_collections::games::{GameTable, REAL_MOVES};
use pgn_collections::source::{Diagnostic, DiagnosticKind};

#[derive(Clone, Debug, PartialEq)]
pub struct EventMoves {
    /// Place of its engine among the [engines](MovesOfArchive::engines).
    pub engine: usize,
    /// Number of games that this engine analysed.
    pub analysed: usize,
    /// Number of games that were played and count in the event's analysis.
    pub games: usize,
    pub all: MoveQuality,
    /// The moves of each player, in the order of the event's field; `None` if no game of the player
    /// was analysed.
    pub players: Vec<Option<MoveQuality>>,
}

/// The part of the games of an event, as a fraction, from which it counts as analysed. Judged: a
/// tenth of the games changes a rating less than its interval; in a cycle of which one match was
/// analysed, the rating is that of the match.
const WHOLE: (usize, usize) = (9, 10);

impl EventMoves {
    /// Whether nearly all games were analysed.
    pub fn is_whole(&self) -> bool {
        WHOLE.1 * self.analysed >= WHOLE.0 * self.games
    }
}

/// The moves of a player in a calendar year.
#[derive(Clone, Debug, PartialEq)]
pub struct YearMoves {
    pub player: PlayerId,
    pub year: i16,
    /// The place of its engine among the engines.
    pub engine: usize,
    pub moves: MoveQuality,
}

/// By what the games of an aggregate run were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AggregateKind {
    Year,
    /// By the rating of the player to move, within 50 points of a multiple of 100.
    Band,
}

impl AggregateKind {
    pub const ALL: [AggregateKind; 2] = [AggregateKind::Year, AggregateKind::Band];

    /// The word in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    fn division(self) -> TurnDivision {
        match self {
            AggregateKind::Year => TurnDivision::Years,
            AggregateKind::Band => TurnDivision::Bands { within: 50 },
        }
    }
}

/// An aggregate run: the moves of all analysed games of a year, or of all players in a band of
/// ratings, rated together.
///
/// Source: K. Regan, *Intrinsic Ratings Compendium* (2012), table 2 and the last rows of tables 5,
/// 6 and 12.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateMoves {
    /// By what the games were chosen.
    pub kind: AggregateKind,
    /// The year, or the multiple of 100 in the middle of the band.
    pub name: String,
    /// The place of its engine among the engines.
    pub engine: usize,
    pub moves: MoveQuality,
}

/// The quality of all analysed moves of the archive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovesOfArchive {
    pub engines: Vec<Calibration>,
    /// The moves by record; `None` if no game was analysed.
    pub events: Vec<Option<EventMoves>>,
    pub years: Vec<YearMoves>,
    /// The moves of all players by year and by band of ratings.
    pub aggregates: Vec<AggregateMoves>,
    /// The number of analysed games that are in no event of the archive.
    pub elsewhere: usize,
}

impl MovesOfArchive {
    /// Reads the tables of the inputs, finds their games among the events, and rates events,
    /// players of events, players by year, and aggregate runs.
    pub fn analyse(
        input: &Input,
        records: &[EventRecord],
        table: &GameTable,
        players: &Players,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> MovesOfArchive {
        let tables = read_tables(&input.intrinsic, diagnostics);
        let calibrations = read_calibrations(&input.calibration, diagnostics);
        if tables.is_empty() {
            return MovesOfArchive::default();
        }
        let engines: Vec<Calibration> = tables
            .iter()
            .map(|table| calibration_of(&table.engine, &calibrations, diagnostics))
            .collect();
        let places = GameIndex::new(records, table, players);
        let (of_row, elsewhere) = located(&tables, &places, records, players);
        let events: Vec<Option<EventMoves>> =
            records.par_iter().map(|record| moves_of_event(record, &of_row, &engines)).collect();
        let years = by_year(table, players, &of_row, &engines);
        let aggregates = aggregates(records, &of_row, &engines);
        MovesOfArchive { engines, events, years, aggregates, elsewhere }
    }

    /// The moves of an event, if they were analysed.
    pub fn event(&self, record: usize) -> Option<&EventMoves> {
        self.events.get(record)?.as_ref()
    }
}

fn unreadable(path: &Path, message: String) -> Diagnostic {
    Diagnostic::error(path.display().to_string(), 0, DiagnosticKind::Unreadable, message)
}

/// Reads tables of turns and joins those of the same engine. Files that cannot be read become
/// diagnostics.
fn read_tables(paths: &[PathBuf], diagnostics: &mut Vec<Diagnostic>) -> Vec<TurnTable> {
    let mut tables: Vec<TurnTable> = Vec::new();
    for path in paths {
        match read_turns(path) {
            Ok(found) => {
                for of_engine in found {
                    match tables.iter_mut().find(|table| table.engine == of_engine.engine) {
                        Some(table) => table.games.extend(of_engine.games),
                        None => tables.push(of_engine),
                    }
                }
            }
            Err(error) => diagnostics.push(unreadable(path, error.to_string())),
        }
    }
    tables
}

/// Reads calibrations of engines. Files that cannot be read become diagnostics.
fn read_calibrations(paths: &[PathBuf], diagnostics: &mut Vec<Diagnostic>) -> Vec<Calibration> {
    let mut calibrations = Vec::new();
    for path in paths {
        match read_calibration(path) {
            Ok(calibration) => calibrations.push(calibration),
            Err(error) => diagnostics.push(unreadable(path, error.to_string())),
        }
    }
    calibrations
}

/// The calibration of an engine. Where there is none, a warning and a calibration without ratings.
fn calibration_of(
    engine: &str,
    calibrations: &[Calibration],
    diagnostics: &mut Vec<Diagnostic>,
) -> Calibration {
    let known = calibrations.iter().find(|known| known.engine == engine);
    known.cloned().unwrap_or_else(|| {
        let message = format!(
            "no calibration of {engine}, so its analysis gives no ratings; make a calibration with \
             `greatness intrinsic calibrate` and name it in input.calibration"
        );
        diagnostics.push(Diagnostic::warning("intrinsic", 0, DiagnosticKind::Unreadable, message));
        Calibration::none(engine)
    })
}

/// Analysed games by their rows in the game table, each with the place of its engine.
type AnalysedRows<'t> = FxHashMap<usize, (usize, &'t AnsweredGame)>;

/// Finds the analysed games among the games of the archive. Also returns how many are in no event.
fn located<'t>(
    tables: &'t [TurnTable],
    places: &GameIndex<'_>,
    records: &[EventRecord],
    players: &Players,
) -> (AnalysedRows<'t>, usize) {
    let mut of_row = AnalysedRows::default();
    let mut elsewhere = 0;
    for (engine, of_engine) in tables.iter().enumerate() {
        let mut by_event: BTreeMap<&str, Vec<&AnsweredGame>> = BTreeMap::new();
        for game in &of_engine.games {
            match places.by_fingerprint.get(&game.fingerprint) {
                // Games with the same moves have the same values.
                Some(rows) => {
                    for row in rows {
                        of_row.entry(*row).or_insert((engine, game));
                    }
                }
                None => by_event.entry(&game.event).or_default().push(game),
            }
        }
        for (event, games) in by_event {
            for (game, row) in places.rows_of_event(event, games, records, players) {
                match row.filter(|row| !of_row.contains_key(row)) {
                    Some(row) => {
                        of_row.insert(row, (engine, game));
                    }
                    None => elsewhere += 1,
                }
            }
        }
    }
    (of_row, elsewhere)
}

/// An index of the games of the archive, to find analysed games.
struct GameIndex<'r> {
    /// Rows by moves. Short draws may share their moves.
    by_fingerprint: FxHashMap<u64, Vec<usize>>,
    /// Records by their identifiers.
    by_id: FxHashMap<&'r str, usize>,
    /// Rows by record, White, Black and number of the game.
    by_number: FxHashMap<(usize, &'r str, &'r str, u16), usize>,
}

impl<'r> GameIndex<'r> {
    fn new(records: &'r [EventRecord], table: &GameTable, players: &'r Players) -> GameIndex<'r> {
        let mut places = GameIndex {
            by_fingerprint: FxHashMap::default(),
            by_id: FxHashMap::default(),
            by_number: FxHashMap::default(),
        };
        for (index, record) in records.iter().enumerate() {
            let event = &record.event;
            places.by_id.insert(&event.id, index);
            let mut numbers: FxHashMap<(usize, usize), u16> = FxHashMap::default();
            for game in event.games.iter().filter(|game| game.played && game.analysed) {
                let number = numbers.entry((game.white, game.black)).or_default();
                *number = number.saturating_add(1);
                let [white, black] = [game.white, game.black]
                    .map(|player| players.get(event.players[player]).id.as_str());
                places.by_number.insert((index, white, black, *number), game.row);
                let of_table = &table.games()[game.row];
                if of_table.plies >= REAL_MOVES && of_table.fingerprint != 0 {
                    let rows = places.by_fingerprint.entry(of_table.fingerprint).or_default();
                    if !rows.contains(&game.row) {
                        rows.push(game.row);
                    }
                }
            }
        }
        places
    }

    /// The record of an event of a table: by its identifier, or else the only event of that year
    /// with exactly these games.
    fn record(
        &self,
        id: &str,
        games: &[&AnsweredGame],
        records: &[EventRecord],
        players: &Players,
    ) -> Option<usize> {
        let numbers = numbers(games);
        // A collection may lack a game of an event, or have a forfeit that another one counts.
        if let Some(record) = self.by_id.get(id).copied()
            && 4 * self.games_held(record, games, &numbers) >= 3 * games.len()
        {
            return Some(record);
        }
        let year = games.first()?.year?;
        let white = &*games.first()?.white;
        let mut others = (0..records.len()).filter(|&record| {
            let event = &records[record].event;
            event.part_of.is_none()
                && event.start.year() == Some(year)
                && event.games.len() == games.len()
                && event.players.iter().any(|player| players.get(*player).id == white)
                && self.games_held(record, games, &numbers) == games.len()
        });
        let other = others.next()?;
        others.next().is_none().then_some(other)
    }

    /// How many of these games, with their numbers, the event has.
    fn games_held(&self, record: usize, games: &[&AnsweredGame], numbers: &[u16]) -> usize {
        let of_table = games.iter().zip(numbers);
        of_table.filter(|(game, number)| self.row(record, game, **number).is_some()).count()
    }

    /// The rows of the analysed games of one event; `None` of a game that the archive lacks.
    fn rows_of_event<'t>(
        &self,
        event: &str,
        games: Vec<&'t AnsweredGame>,
        records: &[EventRecord],
        players: &Players,
    ) -> Vec<(&'t AnsweredGame, Option<usize>)> {
        let record = self.record(event, &games, records, players);
        // The games' own numbers identify them, unless a number is higher than any here.
        let is_own = record.is_some_and(|record| {
            games.iter().all(|game| self.row(record, game, game.number).is_some())
        });
        // Not every collection counts a forfeit after a move or two.
        let games: Vec<&AnsweredGame> =
            games.into_iter().filter(|game| is_own || has_values(game)).collect();
        let numbers = numbers(&games);
        games
            .into_iter()
            .zip(numbers)
            .map(|(game, number)| {
                let number = if is_own { game.number } else { number };
                (game, record.and_then(|record| self.row(record, game, number)))
            })
            .collect()
    }

    fn row(&self, record: usize, game: &AnsweredGame, number: u16) -> Option<usize> {
        self.by_number.get(&(record, &*game.white, &*game.black, number)).copied()
    }
}

/// Whether an engine evaluated any of its turns.
fn has_values(game: &AnsweredGame) -> bool {
    game.turns.iter().any(|turn| turn.values.is_some())
}

/// Numbers the games of each pair with the same colours, from 1. Games without moves, which no
/// table has, are mostly forfeits. Forfeits that were decided here do not count either.
fn numbers(games: &[&AnsweredGame]) -> Vec<u16> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.sort_by_key(|place| games[*place].number);
    let mut counts: FxHashMap<(&str, &str), u16> = FxHashMap::default();
    let mut numbers = vec![0; games.len()];
    for place in order {
        let number = counts.entry((&games[place].white, &games[place].black)).or_default();
        *number = number.saturating_add(1);
        numbers[place] = *number;
    }
    numbers
}

/// Rates the moves of an event, from the engine that analysed most of its games.
fn moves_of_event(
    record: &EventRecord,
    of_row: &AnalysedRows<'_>,
    engines: &[Calibration],
) -> Option<EventMoves> {
    let event = &record.event;
    let mut games = Vec::new();
    let mut counts = vec![0; engines.len()];
    for game in event.games.iter().filter(|game| game.played && game.analysed) {
        if let Some((engine, answered)) = of_row.get(&game.row) {
            counts[*engine] += 1;
            games.push((game, *engine, *answered));
        }
    }
    let engine = (0..engines.len()).max_by_key(|engine| (counts[*engine], usize::MAX - engine))?;
    if counts[engine] == 0 {
        return None;
    }
    let mut initial_ratings = vec![None; event.players.len()];
    for player in &record.analysis.players {
        initial_ratings[player.index] = player.initial_rating;
    }
    let mut all = CollectedTurns::default();
    let mut of_players: Vec<CollectedTurns<'_>> =
        (0..event.players.len()).map(|_| CollectedTurns::default()).collect();
    for (game, _, answered) in games.into_iter().filter(|(_, own, _)| *own == engine) {
        all.take(answered, None);
        of_players[game.white].take(answered, Some(true));
        of_players[game.black].take(answered, Some(false));
    }
    let ratings: Option<Vec<f64>> = of_players
        .iter()
        .enumerate()
        .filter(|(_, of_player)| of_player.games() > 0)
        .map(|(player, _)| initial_ratings[player])
        .collect();
    let mean = ratings
        .filter(|ratings| !ratings.is_empty())
        .map(|ratings| ratings.iter().sum::<f64>() / ratings.len() as f64);
    let players = of_players
        .into_iter()
        .enumerate()
        .map(|(player, of_player)| {
            (of_player.games() > 0)
                .then(|| of_player.rated(&engines[engine], initial_ratings[player]))
        })
        .collect();
    let played = event.games.iter().filter(|game| game.played && game.analysed).count();
    let all = all.rated(&engines[engine], mean);
    Some(EventMoves { engine, analysed: counts[engine], games: played, all, players })
}

/// Rates the moves of players by calendar year, over all their games.
fn by_year(
    table: &GameTable,
    players: &Players,
    of_row: &AnalysedRows<'_>,
    engines: &[Calibration],
) -> Vec<YearMoves> {
    let mut rows: Vec<_> = of_row.iter().collect();
    rows.sort_unstable_by_key(|(row, _)| **row);
    let mut gathered: BTreeMap<(PlayerId, i16, usize), CollectedTurns<'_>> = BTreeMap::new();
    for (row, (engine, answered)) in rows {
        let game = &table.games()[*row];
        let Some(year) = game.date.year() else { continue };
        for (name, is_white) in [(game.white, true), (game.black, false)] {
            if let Some(player) = players.of_name(name) {
                let key = (player, year, *engine);
                gathered.entry(key).or_default().take(answered, Some(is_white));
            }
        }
    }
    let gathered: Vec<_> = gathered.into_iter().collect();
    gathered
        .into_par_iter()
        .map(|((player, year, engine), of_year)| {
            let moves = of_year.rated(&engines[engine], None);
            YearMoves { player, year, engine, moves }
        })
        .collect()
}

/// Rates the moves of all players by year and by band of ratings, engine by engine. The ratings of
/// the players are those of the events.
fn aggregates(
    records: &[EventRecord],
    of_row: &AnalysedRows<'_>,
    engines: &[Calibration],
) -> Vec<AggregateMoves> {
    let mut games: Vec<Vec<MeasuredGame<'_>>> = vec![Vec::new(); engines.len()];
    let mut seen = FxHashSet::default();
    // A match of a cycle or a knock-out repeats games of that event.
    for record in records.iter().filter(|record| record.event.part_of.is_none()) {
        let mut ratings: Vec<Option<u16>> = vec![None; record.event.players.len()];
        for player in &record.analysis.players {
            ratings[player.index] = player.initial_rating.map(|rating| rating.round() as u16);
        }
        for game in record.event.games.iter().filter(|game| game.played && game.analysed) {
            let Some((engine, answered)) = of_row.get(&game.row) else { continue };
            if seen.insert(game.row) {
                games[*engine].push(MeasuredGame {
                    game: answered,
                    ratings: [ratings[game.white], ratings[game.black]],
                    white_score: None,
                });
            }
        }
    }
    let sets: Vec<_> = games
        .iter()
        .enumerate()
        .flat_map(|(engine, games)| {
            AggregateKind::ALL.into_iter().flat_map(move |kind| {
                let sets = turn_sets(games, kind.division(), None).into_iter();
                let sets = sets.filter(|set| set.movers == Movers::All);
                sets.map(move |set| (engine, kind, set))
            })
        })
        .collect();
    sets.into_par_iter()
        .map(|(engine, kind, set)| {
            let elo = set.mean_rating();
            let moves = set.turns.rated(&engines[engine], elo);
            AggregateMoves { kind, name: set.name, engine, moves }
        })
        .collect()
}
