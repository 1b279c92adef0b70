//! Finds the bundled data: in the source tree, or else embedded in the program.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use rust_embed::Embed;

use super::logging;

/// The content of `data`, embedded in the program.
#[derive(Embed)]
#[folder = "data/"]
struct Data;

/// Finds the folder of the bundled data. It is `data` in the current folder, unless that is another
/// folder of this name; or `data` in the folder where the program was built. Otherwise the program
/// unpacks its embedded data into the user's cache, once for each version of the data. Files there
/// that are missing or were changed since are written again.
///
/// # Errors
///
/// Returns an error if no such folder exists and none can be created.
pub fn bundled_data() -> anyhow::Result<PathBuf> {
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data");
    let here = PathBuf::from("data");
    if is_ours(&here) {
        if !is_same_folder(&here, &built) {
            logging::say("bundled data: the folder data in the current folder");
        }
        return Ok(here);
    }
    if is_ours(&built) {
        return Ok(built);
    }
    unpacked(&cache().context("cannot unpack the bundled data")?)
}

/// Returns whether a folder holds bundled data. An empty file of decisions is that of a copy that
/// was cut off.
fn is_ours(data: &Path) -> bool {
    let decisions = fs::metadata(data.join("decisions").join("bundled.toml"));
    data.join("games").is_dir() && decisions.is_ok_and(|found| found.is_file() && found.len() > 0)
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The user's cache folder.
fn cache() -> anyhow::Result<PathBuf> {
    folder_in_variable("XDG_CACHE_HOME")
        .or_else(|| folder_in_variable("LOCALAPPDATA"))
        .or_else(|| folder_in_variable("HOME").map(|home| home.join(".cache")))
        .ok_or_else(|| anyhow!("no cache folder: neither XDG_CACHE_HOME nor HOME is set; set one, or give --pgn and --ratings"))
}

/// The folder that an environment variable names, if it is set and not empty.
fn folder_in_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|text| !text.is_empty()).map(PathBuf::from)
}

/// Unpacks the data of this version into the cache. It appears there whole or not at all. If it is
/// there, each file is compared: the 4 MB take a few milliseconds, and programs that clean caches
/// remove single files.
fn unpacked(cache: &Path) -> anyhow::Result<PathBuf> {
    let name = format!("data-{}-{:016x}", env!("CARGO_PKG_VERSION"), hash_of_contents());
    let folder = cache.join("greatness");
    let whole = folder.join(&name);
    if whole.is_dir() {
        write_data(&whole)?;
        return Ok(whole);
    }
    let shown = folder.display().to_string();
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {shown}"))?;
    let partial =
        tempfile::tempdir_in(&folder).with_context(|| format!("cannot write in {shown}"))?;
    write_data(partial.path())?;
    // Another process may have unpacked the same data first.
    match fs::rename(partial.path(), &whole) {
        Err(_) if whole.is_dir() => write_data(&whole).map(|()| whole),
        Err(error) => Err(error).with_context(|| format!("cannot write {}", whole.display())),
        Ok(()) => {
            // The folder has been renamed, so there is nothing to remove.
            let _ = partial.keep();
            Ok(whole)
        }
    }
}

/// Writes those files of the data to a folder that it does not have with the same content.
fn write_data(folder: &Path) -> anyhow::Result<()> {
    for name in Data::iter() {
        let Some(file) = Data::get(&name) else { continue };
        let path = folder.join(&*name);
        if !fs::read(&path).is_ok_and(|bytes| bytes == *file.data) {
            replace(&path, &file.data)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// Writes a file that is whole even after a power cut.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// A hash that distinguishes one state of the data from another.
fn hash_of_contents() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
    for name in Data::iter() {
        hasher.write(name.as_bytes());
        if let Some(file) = Data::get(&name) {
            hasher.write(&file.metadata.sha256_hash());
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_data_is_unpacked_whole_and_only_once() {
        let cache = tempfile::tempdir().unwrap();
        let data = unpacked(cache.path()).unwrap();
        for name in
            ["games/1970s.pgn.zst", "decisions/bundled.toml", "ratings/chessmetrics-yearly.csv"]
        {
            let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
            assert_eq!(fs::read(data.join(name)).unwrap(), fs::read(own).unwrap(), "{name}");
        }
        let made = fs::metadata(data.join("decisions/bundled.toml")).unwrap().modified().unwrap();
        assert_eq!(unpacked(cache.path()).unwrap(), data);
        let again = fs::metadata(data.join("decisions/bundled.toml")).unwrap().modified().unwrap();
        assert_eq!(made, again);
        let left = fs::read_dir(cache.path().join("greatness")).unwrap().count();
        assert_eq!(left, 1, "no partial folder remains");
    }

    #[test]
    fn files_of_the_cache_that_were_changed_are_written_again() {
        let cache = tempfile::tempdir().unwrap();
        let data = unpacked(cache.path()).unwrap();
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let changed = ["decisions/bundled.toml", "ratings/chessmetrics-yearly.csv"];
        fs::write(data.join(changed[0]), "").unwrap();
        fs::remove_file(data.join(changed[1])).unwrap();
        assert_eq!(unpacked(cache.path()).unwrap(), data);
        for name in changed {
            assert!(fs::read(data.join(name)).unwrap() == fs::read(own.join(name)).unwrap());
        }
    }
}
