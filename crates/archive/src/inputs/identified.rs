//! Identifies the players of the games.

use std::path::{Path, PathBuf};

use crate::decisions::{Decisions, Person, read_decisions};
use crate::inputs::games_read::GamesRead;
use crate::progress::{Progress, WorkAmount, counted, timed};
use crate::settings::Input;
use chess_history::events::{EventWords, KnownResults};
use chess_history::gazetteer::Places;
use chess_history::players::{
    DecidedName, IdentifiedPlayers, NameSources, Players, SpelledPlayer, identify,
};
use pgn_collections::games::GameTable;
use pgn_collections::source::{Diagnostic, DiagnosticKind, Wanted, find};

/// All games, and the players behind their names.
#[derive(Debug)]
pub struct Identified {
    pub table: GameTable,
    pub players: Players,
    /// The players of the spelling files that occur in the games, and the best of the others.
    pub spelled: Vec<SpelledPlayer>,
    pub places: Places,
    /// The names of events.
    pub words: EventWords,
}

impl Identified {
    /// Resolves the spellings of names to players.
    pub fn identify(
        GamesRead { table }: GamesRead,
        input: &Input,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Identified {
        timed(progress, "identify players", WorkAmount::Unknown, || {
            let mut table = table.in_order_of_facts();
            let sources = name_sources(input, diagnostics);
            let found = identify(&mut table, &sources);
            let IdentifiedPlayers { players, spelled, diagnostics: new } = found;
            diagnostics.extend(new);
            let summary = format!(
                "{}; {} merged",
                counted(players.len(), "player"),
                counted(players.merges.len(), "spelling")
            );
            let (mut places, mut words) = (Places::default(), EventWords::default());
            read_tables(&input.places, diagnostics, |file| places.read(file));
            read_tables(&input.series, diagnostics, |file| words.read(file));
            if input.without_known_results {
                words.results = KnownResults::empty();
            }
            read_tables(&input.history, diagnostics, |file| words.results.read(file));
            (Identified { table, players, spelled, places, words }, summary)
        })
    }
}

/// Reads the files of names without any games, and reports their errors.
pub fn check_names(input: &Input, diagnostics: &mut Vec<Diagnostic>) {
    let sources = name_sources(input, diagnostics);
    diagnostics.extend(sources.check());
}

fn name_sources<'a>(input: &'a Input, diagnostics: &mut Vec<Diagnostic>) -> NameSources<'a> {
    // A build has refused faulty decisions before it read any game.
    let decisions = read_decisions(input).unwrap_or_else(|error| {
        let (kind, message) = (DiagnosticKind::Decisions, error.to_string());
        diagnostics.push(Diagnostic::error("decisions", 0, kind, message));
        Decisions::default()
    });
    let mut decided = Vec::new();
    for (_, decision) in decisions.iter() {
        let (file, line) = decision.file_and_line();
        for Person { name, spellings } in decision.persons.clone() {
            decided.push(DecidedName { name, spellings, file: file.to_owned(), line });
        }
    }
    let Input { aliases, names, spelling, .. } = input;
    let (bundled, explained) = (input.bundled.as_deref(), input.explained.as_deref());
    NameSources { aliases, names, spelling, decided, bundled, explained }
}

/// Reads the user's tables, which extend the bundled ones.
fn read_tables<E: std::fmt::Display>(
    paths: &[PathBuf],
    diagnostics: &mut Vec<Diagnostic>,
    mut read: impl FnMut(&Path) -> Result<(), E>,
) {
    for file in find(paths, Wanted::Tables, diagnostics) {
        if let Err(error) = read(&file) {
            let (name, message) = (file.display().to_string(), error.to_string());
            diagnostics.push(Diagnostic::error(name, 0, DiagnosticKind::Unreadable, message));
        }
    }
}
