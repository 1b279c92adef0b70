//! Identifies the players of the games.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::archive::run::decisions_read::read_decisions;
use crate::archive::run::games_read::GamesRead;
use crate::archive::run::progress::{Progress, WorkAmount, counted, timed};
use crate::archive::settings::Settings;
use crate::events::EventWords;
use crate::games::{GameTable, NameId};
use crate::gazetteer::Places;
use crate::players::{
    Aliases, AssignedSpelling, Players, SpelledPlayer, SpellingClaims, SpellingMatches,
    SpellingTags, divide_initials, read_spelling_file, resolve, resolve_displayed, split_careers,
};
use crate::source::{Diagnostic, DiagnosticKind, Wanted, find};

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
        settings: &Settings,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Identified {
        timed(progress, "identify players", WorkAmount::Unknown, || {
            let mut table = table.in_order_of_facts();
            let mut aliases = read_aliases(settings, diagnostics);
            for message in split_careers(&mut table, aliases.display_names()) {
                diagnostics.push(Diagnostic::note("players", 0, DiagnosticKind::Careers, message));
            }
            let unmatched = resolve_displayed(&table, &mut aliases, |file| {
                !settings.input.is_bundled(Path::new(file))
            });
            warn_of_unmatched(unmatched, diagnostics);
            let mut players = resolve(&table, &aliases);
            let mut spelled = Vec::new();
            if !settings.input.spelling.is_empty() {
                // A spelling file's entry for a name depends on when the player was active. So
                // players are resolved before it is read, and again with its entries.
                let (matches, listed) =
                    read_spelling_files(&table, &players, settings, diagnostics);
                aliases.add_from_spelling_file(&matches.aliases);
                players = resolve(&table, &aliases);
                players.add_spelled_lives(&matches, &listed);
                spelled = listed;
            }
            for message in divide_initials(&mut table, &players) {
                let kind = DiagnosticKind::Initials;
                diagnostics.push(Diagnostic::note("players", 0, kind, message));
            }
            players.add_lives(&aliases);
            players.add_other_names(aliases.other_names());
            warn_of_self_play(&table, &players, &aliases, diagnostics);
            note_impossible_births(&table, &players, diagnostics);
            let summary = format!(
                "{}; {} merged",
                counted(players.len(), "player"),
                counted(players.merges.len(), "spelling")
            );
            let (mut places, mut words) = (Places::default(), EventWords::default());
            read_tables(&settings.input.places, diagnostics, |file| places.read(file));
            read_tables(&settings.input.series, diagnostics, |file| words.read(file));
            read_tables(&settings.input.history, diagnostics, |file| words.results.read(file));
            (Identified { table, players, spelled, places, words }, summary)
        })
    }
}

/// Warns of aliases whose spelling no player has.
fn warn_of_unmatched(unmatched: Vec<AssignedSpelling>, diagnostics: &mut Vec<Diagnostic>) {
    for AssignedSpelling { spelling, name, file, line, .. } in unmatched {
        let message = format!(
            "no player is called `{spelling}`, so it is not merged with `{name}`; write the name \
             as the games or the pages have it, or remove it"
        );
        diagnostics.push(Diagnostic::warning(&*file, line, DiagnosticKind::Aliases, message));
    }
}

/// Warns of aliases that would make a player meet himself.
fn warn_of_self_play(
    table: &GameTable,
    players: &Players,
    aliases: &Aliases,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut met: FxHashMap<(NameId, NameId), (usize, usize)> = FxHashMap::default();
    for (row, game) in table.games().iter().enumerate() {
        let person = players.of_name(game.white);
        if game.white != game.black && person.is_some() && person == players.of_name(game.black) {
            let names = (game.white.min(game.black), game.white.max(game.black));
            met.entry(names).or_insert((row, 0)).1 += 1;
        }
    }
    let mut met: Vec<_> = met.into_iter().collect();
    met.sort_by_key(|(_, (row, _))| *row);
    for ((one, other), (row, games)) in met {
        let names = [one, other].map(|name| table.text(name));
        let place = names.iter().find_map(|name| aliases.place_of(name));
        let game = &table.games()[row];
        let first = format!("{}:{}", table.member_of(game), game.line);
        let (file, line) = place.unwrap_or(("players", 0));
        let message = format!(
            "`{}` and `{}` are taken for one player, but met in {games} {} (the first: {first}), which {} set aside; correct \
             the alias if they are two players, or the name in the games",
            names[0],
            names[1],
            if games == 1 { "game" } else { "games" },
            if games == 1 { "is" } else { "are" },
        );
        diagnostics.push(Diagnostic::warning(file, line, DiagnosticKind::Aliases, message));
    }
}

/// Notes dates of birth that would make a player too young or too old. The player's age counts as
/// unknown in those years.
fn note_impossible_births(table: &GameTable, players: &Players, diagnostics: &mut Vec<Diagnostic>) {
    let mut years: Vec<Option<(i16, i16)>> = vec![None; players.len()];
    for (name, of_name) in table.years_of_names() {
        let (Some(player), (first, last)) = (players.of_name(name), of_name) else {
            continue;
        };
        let known = &mut years[player.index()];
        *known = Some(known.map_or((first, last), |(a, b)| (a.min(first), b.max(last))));
    }
    for ((_, player), years) in players.iter().zip(years) {
        let Some((life, years)) = player.life.as_ref().zip(years) else { continue };
        let (Some(born), Some(age)) = (life.born, life.impossible_age(years)) else { continue };
        let message = format!(
            "{}: born in {born}, but has games of {}, at the age of {age}; this may be a namesake or a wrong year. The age counts \
             as unknown there; give the right year of birth in a file of aliases",
            player.name,
            born + age
        );
        diagnostics.push(Diagnostic::note("players", 0, DiagnosticKind::Births, message));
    }
}

/// Returns the pairs of names with one surname that met over the board.
fn meetings_of_namesakes(table: &GameTable, players: &Players) -> FxHashSet<[NameId; 2]> {
    let mut met = FxHashSet::default();
    for game in table.games() {
        let pair = players.of_name(game.white).zip(players.of_name(game.black));
        if let Some((white, black)) = pair
            && players.get(white).surname == players.get(black).surname
        {
            met.insert([game.white, game.black]);
        }
    }
    met
}

/// Reads the spelling files. Returns their entries for the spellings of the games, and their
/// players.
fn read_spelling_files(
    table: &GameTable,
    players: &Players,
    settings: &Settings,
    diagnostics: &mut Vec<Diagnostic>,
) -> (SpellingMatches, Vec<SpelledPlayer>) {
    let mut claims = SpellingClaims::default();
    let mut spelled = Vec::new();
    let mut tags = SpellingTags::of_names(table);
    for (name, years) in table.years_of_names() {
        if let Some(person) = players.of_name(name) {
            let tags = std::mem::take(&mut tags[name.index()]);
            claims.add(table.text(name), &players.get(person).id, years, tags);
        }
    }
    for [one, other] in meetings_of_namesakes(table, players) {
        claims.add_meeting(table.text(one), table.text(other));
    }
    for file in find(&settings.input.spelling, Wanted::Spelling, diagnostics) {
        match read_spelling_file(&file, &|surname| claims.has_surname(surname)) {
            Ok(players) => {
                for player in &players {
                    claims.claim(player);
                }
                spelled.extend(players);
            }
            Err(error) => diagnostics.push(Diagnostic::error(
                file.display().to_string(),
                0,
                DiagnosticKind::Unreadable,
                error.to_string(),
            )),
        }
    }
    (claims.decide(), spelled)
}

/// Reads the files of names without any games, and reports their errors.
pub fn check_names(settings: &Settings, diagnostics: &mut Vec<Diagnostic>) {
    read_aliases(settings, diagnostics);
    for file in find(&settings.input.spelling, Wanted::Spelling, diagnostics) {
        if let Err(error) = read_spelling_file(&file, &|_| false) {
            let (name, message) = (file.display().to_string(), error.to_string());
            diagnostics.push(Diagnostic::error(name, 0, DiagnosticKind::Unreadable, message));
        }
    }
}

pub(crate) fn read_aliases(settings: &Settings, diagnostics: &mut Vec<Diagnostic>) -> Aliases {
    let mut aliases = Aliases::default();
    let files = find(&settings.input.aliases, Wanted::Aliases, diagnostics);
    let (bundled, own): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|file| settings.input.is_bundled(file));
    for file in bundled.iter().chain(&own) {
        let errors = if settings.input.is_bundled(file) {
            aliases.read_bundled(file)
        } else {
            aliases.read(file)
        };
        for (line, error) in errors {
            let message = error.to_string();
            diagnostics.push(Diagnostic::error(
                file.display().to_string(),
                line,
                DiagnosticKind::Aliases,
                message.trim(),
            ));
        }
    }
    read_tables(&settings.input.names, diagnostics, |file| aliases.read_display_names(file));
    match read_decisions(settings) {
        Ok(decisions) => {
            for (_, decision) in decisions.iter() {
                for person in &decision.persons {
                    let place = decision.file_and_line();
                    aliases.add_person(&person.name, &person.spellings, place);
                }
            }
        }
        // A build has refused such files before it read any game.
        Err(error) => {
            let (kind, message) = (DiagnosticKind::Decisions, error.to_string());
            diagnostics.push(Diagnostic::error("decisions", 0, kind, message));
        }
    }
    aliases
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
