//! Describes the inputs and settings of a build, so that a rebuild is known to use the same.

use std::hash::BuildHasher;
use std::path::Path;

use pgn_collections::games::{Game, GameTable, REAL_MOVES};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::settings::{Input, OutputSettings, Settings, SiteSettings};

/// The names of the inputs of an archive, and a fingerprint of its settings: `data/inputs.json`.
///
/// The desk rebuilds an archive only from the inputs that made it: another collection would replace
/// it by another archive. Decisions may be added, but none may be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildInputs {
    /// The names of files and folders, without the folders that contain them, by kind.
    pub inputs: Vec<(String, Vec<String>)>,
    /// Whether all games are bundled ones. Archives of earlier versions do not say so.
    #[serde(default)]
    pub has_bundled_games: bool,
    /// Hashes of some games, by which a build recognises whether it has games of an archive. Other
    /// files may have the same names.
    #[serde(default)]
    pub sample: Vec<String>,
    /// The names of the user's files and folders of decisions.
    pub decisions: Vec<String>,
    /// A fingerprint of all other settings, as hexadecimal digits. Another version of the program
    /// may compute another one.
    pub settings: String,
}

impl BuildInputs {
    /// Describes settings whose empty inputs are filled.
    pub fn from_settings(settings: &Settings) -> BuildInputs {
        let input = &settings.input;
        let kinds = [
            ("games", &input.pgn),
            ("ratings", &input.ratings),
            ("leaders", &input.leaders),
            ("published", &input.published),
            ("results", &input.results),
            ("aliases", &input.aliases),
            ("names", &input.names),
            ("places", &input.places),
            ("series", &input.series),
            ("history", &input.history),
            ("spelling", &input.spelling),
            ("intrinsic", &input.intrinsic),
            ("calibration", &input.calibration),
        ];
        let own = input.decisions.iter().filter(|path| !input.is_bundled(path));
        let decisions = own.map(|path| file_name(path)).collect();
        let named = kinds.into_iter().filter(|(_, paths)| !paths.is_empty());
        let inputs = named.map(|(kind, paths)| {
            (kind.to_owned(), paths.iter().map(|path| file_name(path)).collect())
        });
        BuildInputs {
            inputs: inputs.collect(),
            has_bundled_games: input.pgn.iter().all(|path| input.is_bundled(path)),
            sample: Vec::new(),
            decisions,
            settings: fingerprint(settings),
        }
    }

    /// Adds a sample of the games.
    #[must_use]
    pub fn with_sample(self, table: &GameTable) -> BuildInputs {
        let mut hashes: Vec<u64> =
            table.games().par_iter().map(|game| hash_of(table, game)).collect();
        hashes.par_sort_unstable();
        // Copies of a game have its hash.
        hashes.dedup();
        hashes.truncate(SAMPLE);
        BuildInputs { sample: hashes.iter().map(|hash| format!("{hash:016x}")).collect(), ..self }
    }

    /// Whether a table has a game of the sample. It has one if the sample is too small to tell.
    pub fn has_games_of(&self, table: &GameTable) -> bool {
        let sample: FxHashSet<u64> =
            self.sample.iter().filter_map(|hash| u64::from_str_radix(hash, 16).ok()).collect();
        let games = table.games();
        sample.len() < SAMPLE || games.par_iter().any(|game| sample.contains(&hash_of(table, game)))
    }

    /// The names of the files and folders of games.
    pub fn games(&self) -> &[String] {
        let games = self.inputs.iter().find(|(kind, _)| kind == "games");
        games.map_or(&[], |(_, files)| files)
    }

    /// Whether a build from `new` keeps everything of this one: it has the same inputs and
    /// settings, and its decisions include these.
    pub fn is_kept_by(&self, new: &BuildInputs) -> bool {
        let has_all = self.decisions.iter().all(|file| new.decisions.contains(file));
        has_all && (&self.inputs, &self.settings) == (&new.inputs, &new.settings)
    }

    /// Reads the description that an archive contains; `None` if it has none.
    pub fn read(archive: &Path) -> Option<BuildInputs> {
        let text = std::fs::read(archive.join("data").join("inputs.json")).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// The number of games in a sample.
///
/// Judged: if a tenth of the games are still there, one sample in eight hundred has none of them.
const SAMPLE: usize = 64;

/// A hash of a game by its moves, which other spellings of names do not change, or by names and
/// date if it has no moves that distinguish it.
fn hash_of(table: &GameTable, game: &Game) -> u64 {
    if game.plies >= REAL_MOVES {
        return FxBuildHasher.hash_one(game.fingerprint);
    }
    FxBuildHasher.hash_one((table.text(game.white), table.text(game.black), game.date))
}

/// The name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The fingerprint of everything except the paths and what does not change the archive.
fn fingerprint(settings: &Settings) -> String {
    let Input {
        limits,
        validate,
        without_bundled_aliases,
        without_bundled_decisions,
        without_bundled_ratings,
        without_known_results,
        ..
    } = settings.input.clone();
    let input = Input {
        limits,
        validate,
        without_bundled_aliases,
        without_bundled_decisions,
        without_bundled_ratings,
        without_known_results,
        ..Input::default()
    };
    let site = SiteSettings { sync: true, ..settings.site.clone() };
    let other = Settings { input, site, output: OutputSettings::default(), ..settings.clone() };
    format!("{:016x}", FxBuildHasher.hash_one(format!("{other:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inputs of the default settings after a change.
    fn inputs(change: fn(&mut Settings)) -> BuildInputs {
        let mut settings = Settings::default();
        change(&mut settings);
        BuildInputs::from_settings(&settings)
    }

    #[test]
    fn a_rebuild_may_add_decisions_and_changes_nothing_else() {
        let plain = inputs(|_| ());
        let decided = inputs(|settings| settings.input.decisions.push("d.toml".into()));
        assert!(plain.is_kept_by(&decided) && !decided.is_kept_by(&plain));
        assert!(
            plain.is_kept_by(&inputs(|settings| settings.output.directory = "elsewhere".into()))
        );
        assert!(!plain.is_kept_by(&inputs(|settings| settings.input.pgn.push("mine.pgn".into()))));
        assert!(!plain.is_kept_by(&inputs(|settings| settings.lists.minimum_games = 7)));
        assert!(!plain.is_kept_by(&inputs(|settings| settings.input.without_known_results = true)));
        let written = serde_json::to_string(&plain).unwrap();
        assert_eq!(serde_json::from_str::<BuildInputs>(&written).unwrap(), plain);
    }
}
