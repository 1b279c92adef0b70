//! Finds the bundled data: in the source tree, or else embedded in the program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use rust_embed::Embed;

/// The content of `data`, embedded in the program.
#[derive(Embed)]
#[folder = "data/"]
struct Data;

/// Finds the folder of the bundled data. It is `data` in the current folder, unless that is another
/// folder of this name; or `data` in the folder where the program was built. Otherwise the program
/// unpacks its embedded data into the user's cache, once for each version of the data.
///
/// # Errors
///
/// Returns an error if no such folder exists and none can be created.
pub fn bundled_data() -> anyhow::Result<PathBuf> {
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data");
    let found = [PathBuf::from("data"), built].into_iter().find(|data| is_ours(data));
    match found {
        Some(data) => Ok(data),
        None => unpacked(&cache().context("cannot unpack the bundled data")?),
    }
}

fn is_ours(data: &Path) -> bool {
    data.join("games").is_dir() && data.join("decisions").join("bundled.toml").is_file()
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

/// Unpacks the data of this version into the cache, unless it is there. It appears there whole or
/// not at all.
fn unpacked(cache: &Path) -> anyhow::Result<PathBuf> {
    let name = format!("data-{}-{:016x}", env!("CARGO_PKG_VERSION"), hash_of_contents());
    let folder = cache.join("greatness");
    let whole = folder.join(&name);
    if is_ours(&whole) {
        return Ok(whole);
    }
    let shown = folder.display().to_string();
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {shown}"))?;
    let partial =
        tempfile::tempdir_in(&folder).with_context(|| format!("cannot write in {shown}"))?;
    for name in Data::iter() {
        let Some(file) = Data::get(&name) else { continue };
        let path = partial.path().join(&*name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("cannot create {}", parent.display()))?;
        }
        fs::write(&path, &file.data).with_context(|| format!("cannot write {}", path.display()))?;
    }
    // Another process may have unpacked the same data first.
    match fs::rename(partial.path(), &whole) {
        Err(_) if is_ours(&whole) => Ok(whole),
        Err(error) => Err(error).with_context(|| format!("cannot write {}", whole.display())),
        Ok(()) => {
            // The folder has been renamed, so there is nothing to remove.
            let _ = partial.keep();
            Ok(whole)
        }
    }
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
}
