//! Implements `greatness init`: writes a commented settings file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::CommandOutcome;
use super::output::outln;
use crate::systems::System;

/// The template, in which every key has its default, except the parameters of the rating systems.
const SETTINGS: &str = include_str!("../../templates/greatness.toml");

/// Write a commented greatness.toml that lists every setting with its default
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness init
  greatness init my-archive")]
pub(super) struct InitArguments {
    /// Folder for the file
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

impl InitArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot create {}", self.folder.display()))?;
        let path = self.folder.join("greatness.toml");
        // A file that exists is never overwritten.
        let opened = OpenOptions::new().write(true).create_new(true).open(&path);
        if opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists) {
            bail!(
                "{} exists already and is kept; remove it, or name another folder",
                path.display()
            );
        }
        let mut file = opened.with_context(|| format!("cannot write {}", path.display()))?;
        if let Err(error) = file.write_all(settings().as_bytes()) {
            // A partial file would be read as the user's own settings the next time.
            drop(file);
            let _ = fs::remove_file(&path);
            return Err(error).with_context(|| format!("cannot write {}", path.display()));
        }
        outln!("{}", path.display());
        Ok(CommandOutcome::Done)
    }
}

/// The whole file: the template, followed by the parameters of every rating system.
fn settings() -> String {
    let mut text = SETTINGS.to_owned();
    for system in System::all() {
        text.push_str(&format!("\n# {}.\n[systems.{}]\n", system.about.summary, system.about.word));
        for (number, parameter) in system.parameters().iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(&format!("# {}", parameter.meaning));
            if !parameter.range.is_empty() {
                text.push_str(&format!(" ({})", parameter.range));
            }
            text.push_str(&format!("\n# {} = {}\n", parameter.key, parameter.default));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Settings;

    #[test]
    fn the_file_means_the_defaults_with_and_without_its_comments() {
        assert_eq!(toml::from_str::<Settings>(&settings()).unwrap(), Settings::default());
        let inputs = [
            "pgn",
            "ratings = [\"l",
            "leaders",
            "published",
            "results",
            "aliases",
            "spelling",
            "decisions",
            "names",
            "places",
            "series",
            "history",
            "intrinsic",
            "calibration",
        ];
        let uncommented: Vec<String> = settings()
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(rest) if inputs.iter().any(|input| rest.starts_with(input)) => line.to_owned(),
                Some(rest) if rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' ')) => {
                    rest.to_owned()
                }
                _ => line.to_owned(),
            })
            .collect();
        let read: Settings = toml::from_str(&uncommented.join("\n")).unwrap();
        // Defaults that are written down count as set, but have their default values.
        assert_eq!(Settings { systems: Default::default(), ..read }, Settings::default());
        for system in System::all() {
            for parameter in system.parameters() {
                let line = format!("{} = {}", parameter.key, parameter.default);
                assert!(uncommented.contains(&line), "{line}");
            }
        }
        assert!(uncommented.iter().any(|line| line.starts_with("minimum_coverage")));
    }
}
