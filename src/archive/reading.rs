//! From files to the games that count.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::counts::Counts;
use super::progress::{Amount, Progress, timed};
use super::run::BuildError;
use super::settings::Settings;
use crate::events::{EventThresholds, Events, Material, RowsOf, events};
use crate::games::{
    Duplicate, GameTable, PARQUET_MAGIC, REAL_MOVES, Rateable, SetAside, Signs, Tempo, duplicates,
    read_parquet,
};
use crate::pgn::{ReadOptions, read_files};
use crate::players::{
    Aliases, Meant, Players, SpelledPlayer, SpellingClaims, read_spelling_file, resolve,
};
use crate::source::{Diagnostic, DiagnosticKind, Wanted, find};

/// What reading gave.
#[derive(Debug, Default)]
pub struct Reading {
    /// All games read.
    pub table: GameTable,
    /// All persons.
    pub players: Players,
    /// Players of the spelling files that occur, and the best of those that do not.
    pub spelled: Vec<SpelledPlayer>,
    /// Rows of classical games that count.
    pub rows: Vec<usize>,
    /// Rows of rapid games that otherwise count.
    pub rapid: Vec<usize>,
    /// Rows of blitz games that otherwise count.
    pub blitz: Vec<usize>,
    /// Games that repeat another, and which.
    pub duplicates: Vec<Duplicate>,
    /// Where every game went, as far as known by now.
    pub counts: Counts,
    /// How many files there were.
    pub files: usize,
    /// What makes an event.
    pub thresholds: EventThresholds,
}

impl Reading {
    /// Reads all games.
    ///
    /// # Errors
    ///
    /// Where there are no games at all.
    pub fn games(
        settings: &Settings,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Reading, BuildError> {
        let mut reading = Reading { thresholds: settings.events, ..Reading::default() };
        let files = timed(progress, "find inputs", Amount::Unknown, || {
            let files = find(&settings.input.pgn, Wanted::Games, diagnostics);
            let summary = format!("{} files of games", files.len());
            (files, summary)
        });
        reading.files = files.len();
        let bytes = files.iter().filter_map(|file| file.metadata().ok()).map(|file| file.len());
        timed(progress, "read games", Amount::Bytes(bytes.sum()), || {
            reading.read_files(&files, settings, progress, diagnostics);
            let summary =
                format!("{} games from {} files", reading.table.len(), reading.table.members.len());
            ((), summary)
        });
        reading.counts.seen = reading.table.len();
        if reading.table.is_empty() {
            let first = diagnostics.first().map(ToString::to_string);
            return Err(BuildError::NoGames { files: files.len(), first });
        }
        Ok(reading)
    }

    /// Reads all games, tells persons and duplicates, and sets aside what does not count.
    ///
    /// # Errors
    ///
    /// Where there are no games at all.
    pub fn read(
        settings: &Settings,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Reading, BuildError> {
        let mut reading = Reading::games(settings, progress, diagnostics)?;
        timed(progress, "tell who is who", Amount::Unknown, || {
            let mut aliases = read_aliases(settings, diagnostics);
            reading.players = resolve(&reading.table, &aliases);
            if !settings.input.spelling.is_empty() {
                let meant = reading.read_spelling_files(settings, diagnostics);
                aliases.add_from_spelling_file(&meant.aliases);
                reading.players = resolve(&reading.table, &aliases);
                reading.players.add_spelled_lives(&meant, &reading.spelled);
            }
            // What a person says stands.
            let said = aliases.lives().iter().map(|(name, life)| (name, life.clone()));
            reading.players.add_lives(said);
            reading.players.add_other_names(aliases.other_names());
            let summary = format!(
                "{} players; {} spellings merged",
                reading.players.len(),
                reading.players.merges.len()
            );
            ((), summary)
        });
        timed(progress, "set aside what does not count", Amount::Unknown, || {
            reading.choose(diagnostics);
            let counts = &reading.counts;
            let fast = reading.rapid.len() + reading.blitz.len();
            let mut summary =
                format!("{} games set aside; {fast} rapid or blitz", counts.set_aside_total());
            for (reason, games) in &counts.set_aside {
                summary.push_str(&format!("; {reason}: {games}"));
            }
            ((), summary)
        });
        Ok(reading)
    }

    /// Reads the spelling files; what they say of the spellings of the games.
    fn read_spelling_files(
        &mut self,
        settings: &Settings,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Meant {
        let mut claims = SpellingClaims::default();
        let years = self.table.years_of_names();
        for (name, years) in years {
            if let Some(person) = self.players.of_name(name) {
                claims.add(self.table.text(name), &self.players.get(person).id, years);
            }
        }
        for file in find(&settings.input.spelling, Wanted::Spelling, diagnostics) {
            match read_spelling_file(&file, &|surname| claims.has_surname(surname)) {
                Ok(players) => {
                    for player in &players {
                        claims.claim(player);
                    }
                    self.spelled.extend(players);
                }
                Err(error) => diagnostics.push(Diagnostic::error(
                    file.display().to_string(),
                    0,
                    DiagnosticKind::Unreadable,
                    error.to_string(),
                )),
            }
        }
        claims.decide()
    }

    /// Reads files in their order; game tables as such, all others as collections.
    fn read_files(
        &mut self,
        files: &[PathBuf],
        settings: &Settings,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let options = ReadOptions {
            limits: settings.input.limits,
            validate: settings.input.validate,
            ..ReadOptions::default()
        };
        for files in files.chunk_by(|a, b| !is_parquet(a) && !is_parquet(b)) {
            match files {
                [file] if is_parquet(file) => {
                    if let Err(error) = read_parquet(file, &mut self.table) {
                        diagnostics.push(Diagnostic::error(
                            file.display().to_string(),
                            0,
                            DiagnosticKind::Unreadable,
                            error.to_string(),
                        ));
                    }
                    progress.advance(file.metadata().map_or(0, |metadata| metadata.len()));
                }
                files => read_files(files, options, &mut self.table, diagnostics, &|bytes| {
                    progress.advance(bytes);
                }),
            }
        }
    }

    /// What events are made of.
    pub fn material(&self) -> Material<'_> {
        Material { table: &self.table, players: &self.players, thresholds: self.thresholds }
    }

    /// Works out the events. Games that an event has twice go to the duplicates; every game that is in none
    /// is a finding with its reason.
    pub fn events(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Events {
        let rows = [
            RowsOf { tempo: Tempo::Classical, rows: self.rows.clone() },
            RowsOf { tempo: Tempo::Rapid, rows: self.rapid.clone() },
            RowsOf { tempo: Tempo::Blitz, rows: self.blitz.clone() },
        ];
        let mut counts = vec![false; self.table.len()];
        for &row in rows.iter().flat_map(|of| &of.rows) {
            counts[row] = true;
        }
        let mut rateable = Rateable::default();
        let copies: Vec<Duplicate> = self
            .duplicates
            .iter()
            .filter(|copy| {
                counts[copy.kept]
                    && matches!(
                        rateable.reason(&self.table, &self.table.games()[copy.game]),
                        None | Some(SetAside::Rapid | SetAside::Blitz)
                    )
            })
            .copied()
            .collect();
        let found = events(self.material(), &rows, &copies);
        for copy in &found.repeated {
            self.counts.set_aside(SetAside::Duplicate);
            diagnostics.push(self.repeats(copy.game, copy.kept, "probably the same game as"));
        }
        for game in &found.faster {
            self.counts.set_aside(game.reason);
            let message = "set aside: a tie-break faster than its event";
            diagnostics.push(self.note(game.row, DiagnosticKind::SetAside, message.to_owned()));
        }
        self.counts.outside(found.outside.len());
        for &row in &found.outside {
            let message = "in no event: too few games together".to_owned();
            diagnostics.push(self.note(row, DiagnosticKind::InNoEvent, message));
        }
        self.duplicates.extend(&found.repeated);
        found
    }

    /// A finding about a game.
    fn note(&self, row: usize, kind: DiagnosticKind, message: String) -> Diagnostic {
        let game = &self.table.games()[row];
        Diagnostic::note(Arc::clone(self.table.member_of(game)), game.line.into(), kind, message)
    }

    fn repeats(&self, game: usize, kept: usize, how: &str) -> Diagnostic {
        let first = &self.table.games()[kept];
        let message = format!("{how} {}:{}", self.table.member_of(first), first.line);
        self.note(game, DiagnosticKind::Duplicate, message)
    }

    /// Decides which games count, and notes what is doubtful about them.
    fn choose(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let numbers = self.players.numbers(&self.table);
        self.duplicates = duplicates(&mut self.table, &numbers);
        let repeated: FxHashMap<usize, usize> =
            self.duplicates.iter().map(|duplicate| (duplicate.game, duplicate.kept)).collect();
        self.note_doubtful(&repeated, diagnostics);
        let mut rateable = Rateable::default();
        // What the tags of one copy say of the tempo holds for all of them.
        let mut by_copies: FxHashMap<usize, SetAside> = FxHashMap::default();
        for copy in &self.duplicates {
            let reason = rateable.reason(&self.table, &self.table.games()[copy.game]);
            if let Some(reason @ (SetAside::Rapid | SetAside::Blitz)) = reason {
                by_copies.entry(copy.kept).or_insert(reason);
            }
        }
        for (row, game) in self.table.games().iter().enumerate() {
            if repeated.contains_key(&row) {
                self.counts.set_aside(SetAside::Duplicate);
                continue;
            }
            // ... unless a tag of its own says more.
            let by_copy = by_copies.get(&row).filter(|_| !game.signs.contains(Signs::CLASSICAL));
            let reason = rateable.reason(&self.table, game).or(by_copy.copied());
            match reason {
                None => self.rows.push(row),
                Some(SetAside::Rapid) => self.rapid.push(row),
                Some(SetAside::Blitz) => self.blitz.push(row),
                Some(reason) => {
                    self.counts.set_aside(reason);
                    let message = format!("set aside: {}", reason.words());
                    let (file, line) = (Arc::clone(self.table.member_of(game)), game.line.into());
                    diagnostics.push(Diagnostic::note(
                        file,
                        line,
                        DiagnosticKind::SetAside,
                        message,
                    ));
                }
            }
        }
    }
}

impl Reading {
    /// Notes duplicates, and games without moves in files whose other games have them.
    fn note_doubtful(&self, repeated: &FxHashMap<usize, usize>, diagnostics: &mut Vec<Diagnostic>) {
        let table = &self.table;
        let mut with_moves = vec![(0usize, 0usize); table.members.len()];
        for game in table.games() {
            let (moves, all) = &mut with_moves[game.member as usize];
            *moves += usize::from(game.plies >= REAL_MOVES);
            *all += 1;
        }
        for (row, game) in table.games().iter().enumerate() {
            if let Some(&kept) = repeated.get(&row) {
                diagnostics.push(self.repeats(row, kept, "the same game as"));
            }
            let (moves, all) = with_moves[game.member as usize];
            if game.plies < REAL_MOVES && moves * 2 > all {
                let message = "no moves, though most games of the file have them; it counts";
                diagnostics.push(self.note(row, DiagnosticKind::WithoutMoves, message.to_owned()));
            }
        }
    }
}

/// Whether a file is Parquet, by its first bytes.
fn is_parquet(file: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; PARQUET_MAGIC.len()];
    std::fs::File::open(file).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == *PARQUET_MAGIC
}

pub(super) fn read_aliases(settings: &Settings, diagnostics: &mut Vec<Diagnostic>) -> Aliases {
    let mut aliases = Aliases::default();
    for file in find(&settings.input.aliases, Wanted::Aliases, diagnostics) {
        if let Err(error) = aliases.read(&file) {
            let message = error.to_string();
            diagnostics.push(Diagnostic::error(
                file.display().to_string(),
                0,
                DiagnosticKind::Aliases,
                message.trim(),
            ));
        }
    }
    aliases
}
