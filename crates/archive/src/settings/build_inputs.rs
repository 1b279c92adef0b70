//! Describes the inputs and settings of a build, so that a rebuild is known to use the same.

use std::hash::BuildHasher;
use std::path::Path;

use rustc_hash::FxBuildHasher;
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
        BuildInputs { inputs: inputs.collect(), decisions, settings: fingerprint(settings) }
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
