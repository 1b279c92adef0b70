//! Lists the sources of the bundled data: `data/sources.toml`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::settings::Input;

/// The files of the bundled data, and the sources from which they were made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSources {
    /// The files, in the order of the documentation.
    #[serde(rename = "file")]
    pub files: Vec<BundledFile>,
    /// The sources, in the order of the documentation.
    #[serde(rename = "source")]
    pub sources: Vec<DataSource>,
}

/// A file of the bundled data, or several files of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundledFile {
    /// Paths below the folder of the data: `games/*.pgn.zst`.
    pub names: Vec<String>,
    /// What they contain, in Markdown.
    pub content: String,
    /// Where they come from, in Markdown.
    pub source: String,
    pub sources: Vec<String>,
    /// Whether every archive uses them, because they are part of the program.
    #[serde(default)]
    pub embedded: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSource {
    /// The word by which files name it.
    pub key: String,
    pub name: String,
    /// What was taken from it.
    pub gives: String,
    /// Its licence, or what is known of its terms.
    pub terms: String,
    /// How and when it was obtained, as far as recorded.
    pub retrieved: String,
}

impl DataSources {
    /// Reads the description, which is part of the program.
    ///
    /// # Panics
    ///
    /// Panics if it is malformed, which is an error of the program.
    pub fn bundled() -> DataSources {
        let text = include_str!("../../../data/sources.toml");
        toml::from_str(text).expect("data/sources.toml is valid")
    }

    /// Returns the sources of the bundled files that an archive of these inputs uses.
    pub fn used_by(&self, input: &Input) -> Vec<&DataSource> {
        let files: Vec<&BundledFile> =
            self.files.iter().filter(|file| file.embedded || file.is_among(input)).collect();
        self.sources
            .iter()
            .filter(|source| files.iter().any(|file| file.sources.contains(&source.key)))
            .collect()
    }
}

impl BundledFile {
    /// Whether the inputs include one of the files, or a folder that contains it.
    fn is_among(&self, input: &Input) -> bool {
        let Some(data) = &input.bundled else { return false };
        let paths = [
            &input.pgn,
            &input.ratings,
            &input.leaders,
            &input.published,
            &input.results,
            &input.aliases,
            &input.decisions,
            &input.intrinsic,
            &input.calibration,
        ];
        let given: Vec<&Path> =
            paths.into_iter().flatten().filter_map(|path| path.strip_prefix(data).ok()).collect();
        self.names.iter().any(|name| given.iter().any(|path| Path::new(name).starts_with(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    fn keys(settings: &Settings) -> Vec<String> {
        let sources = DataSources::bundled();
        sources.used_by(&settings.input).into_iter().map(|source| source.key.clone()).collect()
    }

    #[test]
    fn every_file_has_known_sources_and_every_source_a_file() {
        let DataSources { files, sources } = DataSources::bundled();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        for file in &files {
            assert!(!file.sources.is_empty(), "{:?}", file.names);
            for key in &file.sources {
                assert!(sources.iter().any(|source| source.key == *key), "{key}");
            }
            for name in file.names.iter().filter(|name| !name.contains('*')) {
                assert!(data.join(name).is_file(), "{name}");
            }
        }
        for source in &sources {
            assert!(files.iter().any(|file| file.sources.contains(&source.key)), "{}", source.key);
        }
    }

    #[test]
    fn an_archive_names_the_sources_of_the_bundled_files_it_uses() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let bundled = Settings::default().with_bundled_data(&data).unwrap();
        let all = keys(&bundled);
        assert!(
            ["event-files", "chessmetrics", "pra"].iter().all(|key| all.iter().any(|k| k == key))
        );
        // A user's games with the user's lists and aliases, compared with no published figures.
        let mut own = Settings::default();
        own.input.pgn.push("mine.pgn".into());
        assert_eq!(
            keys(&own),
            ["chessmetrics", "scid", "edo", "wikidata", "elo-book", "simulation", "knowledge"]
        );
    }
}
