//! Identifies the players of the games.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::aliases::{Aliases, AssignedSpelling, DecidedName};
use super::careers::split_careers;
use super::displayed_aliases::resolve_displayed;
use super::divided_initials::rename_divided;
use super::person::Players;
use super::resolve::resolve;
use super::spelling_claims::{SpellingClaims, SpellingMatches, SpellingTags};
use super::spelling_file::{SpelledPlayer, read_spelling_file};
use crate::games::{GameTable, NameId};
use crate::source::{Diagnostic, DiagnosticKind, Wanted, find};

/// What is known about names and players without the games.
///
/// The paths are those of files, and of folders that contain them.
#[derive(Clone, Debug, Default)]
pub struct NameSources<'a> {
    /// Files of aliases.
    pub aliases: &'a [PathBuf],
    /// Tables of display names and lives (CSV), which take precedence over the bundled one.
    ///
    /// The columns are `name` (the spelling in a source), `family`, `given`, `order` (`w` if the
    /// given name comes first, `e` if the family name does), `federation` (codes, earliest first,
    /// joined by `/`), `born` and `died` (years; empty if unknown), and optionally `wikidata` (the
    /// item about the player: `Q41314`) and `title` (the highest: `GM`).
    pub names: &'a [PathBuf],
    /// Spelling files.
    pub spelling: &'a [PathBuf],
    /// Players whose spellings decisions assign. They precede the files of aliases.
    pub decided: Vec<DecidedName>,
    /// The folder of the bundled files, over which the user's have priority.
    pub bundled: Option<&'a Path>,
    /// A name, or a part of one, whose comparisons with similar names are kept.
    pub explained: Option<&'a str>,
}

/// The players of the games, and what was found about their names.
#[derive(Debug)]
pub struct IdentifiedPlayers {
    /// The players.
    pub players: Players,
    /// The players of the spelling files that occur in the games, and the best of the others.
    pub spelled: Vec<SpelledPlayer>,
    /// The faults of the sources, and doubts about the players.
    pub diagnostics: Vec<Diagnostic>,
}

impl NameSources<'_> {
    /// Reads all files without any games, and returns their faults.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        self.read_aliases(&mut diagnostics);
        for file in find(self.spelling, Wanted::Spelling, &mut diagnostics) {
            if let Err(error) = read_spelling_file(&file, &|_| false) {
                diagnostics.push(unreadable(&file, error));
            }
        }
        diagnostics
    }

    fn is_bundled(&self, file: &Path) -> bool {
        self.bundled.is_some_and(|folder| file.starts_with(folder))
    }

    /// Reads the files of aliases and the tables of names, and adds the decisions.
    fn read_aliases(&self, diagnostics: &mut Vec<Diagnostic>) -> Aliases {
        let mut aliases = Aliases::default();
        let files = find(self.aliases, Wanted::Aliases, diagnostics);
        let (bundled, own): (Vec<PathBuf>, Vec<PathBuf>) =
            files.into_iter().partition(|file| self.is_bundled(file));
        for file in bundled.iter().chain(&own) {
            for (line, error) in aliases.read(file, self.is_bundled(file)) {
                let (name, message) = (file.display().to_string(), error.to_string());
                let kind = DiagnosticKind::Aliases;
                diagnostics.push(Diagnostic::error(name, line, kind, message.trim()));
            }
        }
        for file in find(self.names, Wanted::Tables, diagnostics) {
            if let Err(error) = aliases.read_display_names(&file) {
                diagnostics.push(unreadable(&file, error));
            }
        }
        aliases.explained = self.explained.map(str::to_owned);
        for one in &self.decided {
            aliases.add_decided(one, self.is_bundled(Path::new(&one.file)));
        }
        aliases
    }
}

fn unreadable(file: &Path, error: impl Display) -> Diagnostic {
    let (name, message) = (file.display().to_string(), error.to_string());
    Diagnostic::error(name, 0, DiagnosticKind::Unreadable, message)
}

/// Identifies the players of all games of a table.
///
/// Games that cannot be those of the other bearers of their name get another name in the table.
pub fn identify(table: &mut GameTable, sources: &NameSources) -> IdentifiedPlayers {
    let mut diagnostics = Vec::new();
    let mut aliases = sources.read_aliases(&mut diagnostics);
    for message in split_careers(table, aliases.display_names()) {
        diagnostics.push(Diagnostic::note("players", 0, DiagnosticKind::Careers, message));
    }
    if aliases.assigned().iter().any(|one| !one.is_bundled) {
        // The user's aliases may have the displayed names of the players that are found without.
        let players = resolve(table, &aliases.only_bundled());
        let unmatched = resolve_displayed(&mut aliases, &players);
        for AssignedSpelling { spelling, name, file, line, .. } in unmatched {
            let message = format!(
                "no player is called `{spelling}`, so it is not merged with `{name}`; write the \
                 name as the games or the pages have it, or remove it"
            );
            diagnostics.push(Diagnostic::warning(file, line, DiagnosticKind::Aliases, message));
        }
    }
    let mut players = resolve(table, &aliases);
    let mut spelled = Vec::new();
    if !sources.spelling.is_empty() {
        // A spelling file's entry for a name depends on when the player was active. So players are
        // resolved before it is read, and again with its entries.
        let (matches, listed) =
            match_spelling_files(table, &players, sources.spelling, &mut diagnostics);
        aliases.add_from_spelling_file(&matches.aliases);
        players = resolve(table, &aliases);
        players.add_spelled_lives(&matches, &listed);
        spelled = listed;
    }
    for message in rename_divided(table, &players) {
        diagnostics.push(Diagnostic::note("players", 0, DiagnosticKind::Initials, message));
    }
    players.add_facts(&aliases);
    warn_of_self_play(table, &players, &aliases, &mut diagnostics);
    note_impossible_births(table, &players, &mut diagnostics);
    IdentifiedPlayers { players, spelled, diagnostics }
}

/// Reads the spelling files. Returns their entries for the spellings of the games, and their
/// players.
fn match_spelling_files(
    table: &GameTable,
    players: &Players,
    files: &[PathBuf],
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
    for game in table.games() {
        let pair = players.of_name(game.white).zip(players.of_name(game.black));
        if let Some((white, black)) = pair
            && players.get(white).surname == players.get(black).surname
        {
            claims.add_meeting(table.text(game.white), table.text(game.black));
        }
    }
    for file in find(files, Wanted::Spelling, diagnostics) {
        match read_spelling_file(&file, &|surname| claims.has_surname(surname)) {
            Ok(players) => {
                for player in &players {
                    claims.claim(player);
                }
                spelled.extend(players);
            }
            Err(error) => diagnostics.push(unreadable(&file, error)),
        }
    }
    (claims.decide(), spelled)
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

#[cfg(test)]
mod tests {
    use super::super::table_of_test_games;
    use super::*;

    #[test]
    fn a_player_has_the_spellings_of_a_file_and_of_a_decision() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spelling.ssp");
        let entry = "Tal, Mihail #GM LAT [2705] 1936.11.09--1992.06.28\n  = Thal, Michael\n";
        std::fs::write(&path, entry).unwrap();
        let decided = DecidedName {
            name: "Tal, Mihail".into(),
            spellings: vec!["Tahl, X".into(), "Keres, Paul".into()],
            file: "decisions.toml".into(),
            line: 3,
        };
        let mut table = table_of_test_games(&[
            ("Tal, Mihail", 1960),
            ("Thal, Michael", 1961),
            ("Tahl, X", 1962),
        ]);
        let spelling = &[path];
        let sources = NameSources { spelling, decided: vec![decided], ..NameSources::default() };
        let found = identify(&mut table, &sources);
        let tal = found.players.iter().find(|(_, player)| player.id.starts_with("tal")).unwrap().1;
        assert_eq!(tal.spellings, ["Tahl, X", "Tal, Mihail", "Thal, Michael"]);
        assert_eq!(tal.life.as_ref().and_then(|life| life.born), Some(1936));
        assert_eq!(found.spelled.len(), 1);
        let [unmatched] = &found.diagnostics[..] else { panic!("{:?}", found.diagnostics) };
        assert!(unmatched.message.starts_with("no player is called `Keres, Paul`"));
        assert_eq!((&*unmatched.file, unmatched.line), ("decisions.toml", 3));
    }
}
