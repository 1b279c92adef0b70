//! What must hold after each step.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

/// Files that depend on earlier builds, so that a fresh build has others: the changes since the
/// build before, and pages that show them.
const OF_EARLIER_BUILDS: [&str; 4] = ["data/changes.json", "feed.xml", "index.html", "404.html"];

/// Whether the archive has all files of its list, or there is none.
pub fn is_whole(archive: &Path) -> anyhow::Result<()> {
    if !archive.exists() {
        return Ok(());
    }
    let list = archive.join("greatness-archive.files");
    let files = fs::read_to_string(&list).with_context(|| format!("{}", list.display()))?;
    for file in files.lines() {
        ensure!(archive.join(file).is_file(), "the archive lacks {file}");
    }
    Ok(())
}

/// Whether the counts of the summary add up: the games in events and those set aside, and the
/// reasons for the latter.
pub fn sums_up(messages: &str) -> anyhow::Result<()> {
    let summary = messages
        .lines()
        .find_map(|line| line.split_once(" games read = ").or(line.split_once(" game read = ")));
    let Some((read, rest)) = summary else { bail!("no summary of the games:\n{messages}") };
    let numbers: Vec<usize> =
        rest.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [in_events, set_aside] = numbers[..] else { bail!("{rest} has not two numbers") };
    ensure!(read.parse::<usize>()? == in_events + set_aside, "{read} games read = {rest}");
    let reasons = messages.lines().skip_while(|line| !line.contains("read = ")).skip(1);
    let counts = reasons.map_while(|line| {
        let line = line.strip_prefix("  ")?;
        line.split_whitespace().next()?.parse::<usize>().ok()
    });
    let sum: usize = counts.sum();
    ensure!(sum == set_aside, "{set_aside} games set aside, reasons for {sum}:\n{messages}");
    Ok(())
}

/// Whether no text of the archive has a control character, and no table a number that is none.
pub fn sound_texts(archive: &Path) -> anyhow::Result<()> {
    for file in files_below(archive)? {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !matches!(ending, "html" | "csv" | "json" | "svg" | "xml" | "toml") {
            continue;
        }
        let name = file.display();
        let text = fs::read_to_string(&file).with_context(|| format!("{name} is not UTF-8"))?;
        let control = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
        ensure!(control.is_none(), "{name} has the control character {control:?}");
        let direction = text.chars().find(|c| ('\u{202a}'..='\u{202e}').contains(c));
        ensure!(direction.is_none(), "{name} changes the direction of text");
        // JSON and CSV are data, which no browser runs.
        let is_shown = matches!(ending, "html" | "svg" | "xml");
        ensure!(!is_shown || !text.contains("<script>alert"), "{name} has a foreign script");
        if ending == "csv" {
            let is_none = |cell: &&str| matches!(*cell, "NaN" | "inf" | "-inf");
            let cell = text.split([',', '\n']).find(is_none);
            ensure!(cell.is_none(), "{name} has {cell:?}");
        }
    }
    Ok(())
}

/// Whether two archives of the same inputs have the same files.
pub fn same_files(one: &Path, other: &Path) -> anyhow::Result<()> {
    let [mine, theirs] = [names_below(one)?, names_below(other)?];
    let lacking: Vec<&PathBuf> = mine.symmetric_difference(&theirs).collect();
    ensure!(lacking.is_empty(), "only in one of two archives: {lacking:?}");
    for name in mine {
        if OF_EARLIER_BUILDS.iter().any(|file| name == Path::new(file)) {
            continue;
        }
        let same = fs::read(one.join(&name))? == fs::read(other.join(&name))?;
        ensure!(same, "{} differs from that of a fresh build", name.display());
    }
    Ok(())
}

fn names_below(folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let files = files_below(folder)?.into_iter();
    Ok(files.filter_map(|file| Some(file.strip_prefix(folder).ok()?.to_owned())).collect())
}

/// All files of a folder, in order; none if it does not exist.
pub fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_do_not_add_up_are_found() {
        let summary = |read: usize, reasons: &str| {
            format!(
                "write the archive\n{read} games read = 5 in events + 3 set aside\n{reasons}out\n"
            )
        };
        let reasons = "         2  duplicate\n         1  rapid\n";
        assert!(sums_up(&summary(8, reasons)).is_ok());
        assert!(sums_up(&summary(9, reasons)).is_err());
        assert!(sums_up(&summary(8, "         2  duplicate\n")).is_err());
        assert!(sums_up("nothing").is_err());
    }

    #[test]
    fn archives_that_lack_a_file_or_have_another_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for archive in [&one, &other] {
            fs::create_dir(archive).unwrap();
            fs::write(archive.join("greatness-archive.files"), "a.csv\n").unwrap();
            fs::write(archive.join("a.csv"), "x\n1\n").unwrap();
        }
        assert!(is_whole(&one).is_ok() && same_files(&one, &other).is_ok());
        fs::write(one.join("a.csv"), "x\n2\n").unwrap();
        assert!(same_files(&one, &other).is_err());
        fs::remove_file(one.join("a.csv")).unwrap();
        assert!(is_whole(&one).is_err() && same_files(&one, &other).is_err());
        assert!(is_whole(&folder.path().join("none")).is_ok());
    }

    #[test]
    fn control_characters_and_numbers_that_are_none_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        for (text, is_sound) in
            [("x\n1\n", true), ("x\nNaN\n", false), ("x\n\u{1b}[2J\n", false), ("\u{202e}", false)]
        {
            fs::write(&file, text).unwrap();
            assert_eq!(sound_texts(folder.path()).is_ok(), is_sound, "{text:?}");
        }
    }
}
