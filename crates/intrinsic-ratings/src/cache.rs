//! Caches the values of positions by engine in a database file. The file survives interruptions of
//! the program.

use std::path::{Path, PathBuf};

use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    TableDefinition, TableHandle,
};
use shakmaty::uci::UciMove;
use shakmaty::{Role, Square};
use thiserror::Error;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::engine::SearchResult;
use super::uci::Valued;
use crate::guarded::guarded;

/// Search results by engine and position.
const POSITIONS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("positions");
/// Search results of single moves that the search of their position did not list, by engine, move
/// and position.
const MOVES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("moves");
/// The text of each engine's key.
const ENGINES: TableDefinition<u64, &str> = TableDefinition::new("engines");
/// The version of the cache format.
const ABOUT: TableDefinition<&str, u32> = TableDefinition::new("about");

/// The version that this program writes.
const VERSION: u32 = 1;

/// Errors of a cache.
#[derive(Debug, Error)]
pub enum CacheError {
    /// Another program uses the file.
    #[error(
        "{0}: another program is using this cache. Wait until it ends, or use another file with --cache"
    )]
    InUse(String),
    /// The file was written by another version, or is not a cache.
    #[error("{path} {what}; use another file with --cache")]
    Other {
        /// Path of the file.
        path: String,
        /// What the file is.
        what: String,
    },
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Database {
        /// Path of the file.
        path: String,
        /// What the library reported.
        error: Box<redb::Error>,
    },
    /// Two caches to be merged hold different values for a position.
    #[error("{path} and {other} hold different values for the same position by {engine}")]
    Differs {
        /// The cache that was to be extended.
        path: String,
        /// The cache that was read.
        other: String,
        /// Key of the engine: its name, network and settings.
        engine: String,
    },
}

/// Numbers an engine: the 64-bit FNV-1a hash of the text of its key.
pub fn engine_number(key: &str) -> u64 {
    hash(key.as_bytes())
}

/// Computes the FNV-1a hash. It is the same on every machine and in every version.
///
/// Source: Fowler, Noll and Vo, *The FNV Non-Cryptographic Hash Algorithm*.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A search result to be written.
#[derive(Clone, Debug)]
pub enum CacheEntry {
    /// The result of the search of a position.
    Position(Vec<u8>, SearchResult),
    /// The result of the search of one move that the search of its position did not list.
    Move(Vec<u8>, UciMove, SearchResult),
}

/// A row of a cache, for transfer between machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheRow {
    /// The table: `engines`, `positions` or `moves`.
    pub sort: String,
    /// The key in that table.
    pub key: Vec<u8>,
    /// The stored value, encoded as in the file.
    pub value: Vec<u8>,
}

/// An open cache file.
#[derive(Debug)]
pub struct Cache {
    /// `Some` until the cache is dropped and the file is closed.
    database: Option<Database>,
    path: PathBuf,
}

impl Cache {
    /// Opens a cache, or creates it if the file does not exist.
    ///
    /// # Errors
    ///
    /// Fails if another program uses the file, if it has another version, or if it is not a cache.
    pub fn open(path: &Path) -> Result<Cache, CacheError> {
        let shown = path.display().to_string();
        let created = guarded(|| Database::create(path));
        let created = created.map_err(|panic| damaged(shown.clone(), &panic.0))?;
        let database = created.map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => CacheError::InUse(shown.clone()),
            DatabaseError::UpgradeRequired(version) => CacheError::Other {
                path: shown.clone(),
                what: format!("was written in version {version} of the database format, which this program cannot read"),
            },
            error => CacheError::Database { path: shown.clone(), error: Box::new(error.into()) },
        })?;
        let cache = Cache { database: Some(database), path: path.to_owned() };
        let (is_new, version) = cache.guarded_access(|| {
            let read = cache.database()?.begin_read()?;
            let mut names: Vec<String> = Vec::new();
            for table in read.list_tables()? {
                names.push(table.name().to_owned());
            }
            let version = if names.iter().any(|name| name == ABOUT.name()) {
                read.open_table(ABOUT)?.get("version")?.map(|version| version.value())
            } else {
                None
            };
            Ok((names.is_empty(), version))
        })?;
        match version {
            Some(VERSION) => return Ok(cache),
            Some(version) => {
                let what = format!(
                    "is a cache of version {version}, but this program uses version {VERSION}"
                );
                return Err(CacheError::Other { path: shown, what });
            }
            None if !is_new => {
                let what = "is a database, but not a cache of engine values".into();
                return Err(CacheError::Other { path: shown, what });
            }
            None => {}
        }
        cache.guarded_access(|| {
            let write = cache.database()?.begin_write()?;
            write.open_table(POSITIONS)?;
            write.open_table(MOVES)?;
            write.open_table(ENGINES)?;
            write.open_table(ABOUT)?.insert("version", VERSION)?;
            write.commit()?;
            Ok(())
        })?;
        Ok(cache)
    }

    fn database(&self) -> Result<&Database, redb::Error> {
        self.database.as_ref().ok_or(redb::Error::DatabaseAlreadyOpen)
    }

    fn guarded_access<T>(
        &self,
        act: impl FnOnce() -> Result<T, redb::Error>,
    ) -> Result<T, CacheError> {
        let outcome =
            guarded(act).map_err(|panic| damaged(self.path.display().to_string(), &panic.0))?;
        outcome.map_err(|error| CacheError::Database {
            path: self.path.display().to_string(),
            error: Box::new(error),
        })
    }

    /// Stores the text of an engine's key.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn name_engine(&self, key: &str) -> Result<(), CacheError> {
        self.guarded_access(|| {
            let write = self.database()?.begin_write()?;
            write.open_table(ENGINES)?.insert(engine_number(key), key)?;
            write.commit()?;
            Ok(())
        })
    }

    /// Lists the keys of all engines that the cache holds values of.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn engines(&self) -> Result<Vec<String>, CacheError> {
        self.guarded_access(|| {
            let engines = self.database()?.begin_read()?.open_table(ENGINES)?;
            let mut texts = Vec::new();
            for entry in engines.iter()? {
                texts.push(entry?.1.value().to_owned());
            }
            Ok(texts)
        })
    }

    /// Counts the positions with values.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn positions(&self) -> Result<u64, CacheError> {
        self.guarded_access(|| Ok(self.database()?.begin_read()?.open_table(POSITIONS)?.len()?))
    }

    /// Looks up the results of positions, in their order. A position without a result gives `None`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn found<'k>(
        &self,
        engine: u64,
        positions: impl Iterator<Item = &'k [u8]>,
    ) -> Result<Vec<Option<SearchResult>>, CacheError> {
        self.guarded_access(|| {
            let table = self.database()?.begin_read()?.open_table(POSITIONS)?;
            let mut found = Vec::new();
            for position in positions {
                let key = position_key(engine, position);
                let value = table.get(key.as_slice())?;
                found.push(value.and_then(|value| read(&key, value.value())));
            }
            Ok(found)
        })
    }

    /// Looks up the results of single moves, in their order. A move without a result gives `None`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn found_moves<'k>(
        &self,
        engine: u64,
        moves: impl Iterator<Item = (&'k [u8], &'k UciMove)>,
    ) -> Result<Vec<Option<SearchResult>>, CacheError> {
        self.guarded_access(|| {
            let table = self.database()?.begin_read()?.open_table(MOVES)?;
            let mut found = Vec::new();
            for (position, played) in moves {
                let key = move_key(engine, position, played);
                let value = table.get(key.as_slice())?;
                found.push(value.and_then(|value| read(&key, value.value())));
            }
            Ok(found)
        })
    }

    /// Writes results in one transaction: all of them or none.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn write(&self, engine: u64, entries: &[CacheEntry]) -> Result<(), CacheError> {
        self.guarded_access(|| {
            let write = self.database()?.begin_write()?;
            {
                let mut positions = write.open_table(POSITIONS)?;
                let mut moves = write.open_table(MOVES)?;
                for entry in entries {
                    match entry {
                        CacheEntry::Position(position, found) => {
                            let key = position_key(engine, position);
                            positions.insert(key.as_slice(), written(&key, found).as_slice())?;
                        }
                        CacheEntry::Move(position, played, found) => {
                            let key = move_key(engine, position, played);
                            moves.insert(key.as_slice(), written(&key, found).as_slice())?;
                        }
                    }
                }
            }
            write.commit()?;
            Ok(())
        })
    }

    /// Reads the whole cache as rows. Their content is the same on every machine.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn rows(&self) -> Result<Vec<CacheRow>, CacheError> {
        self.guarded_access(|| {
            let read = self.database()?.begin_read()?;
            let mut rows = Vec::new();
            for entry in read.open_table(ENGINES)?.iter()? {
                let (number, text) = entry?;
                let key = number.value().to_be_bytes().to_vec();
                let value = text.value().as_bytes().to_vec();
                rows.push(CacheRow { sort: ENGINES.name().to_owned(), key, value });
            }
            for definition in [POSITIONS, MOVES] {
                for entry in read.open_table(definition)?.iter()? {
                    let (key, value) = entry?;
                    rows.push(CacheRow {
                        sort: definition.name().to_owned(),
                        key: key.value().to_vec(),
                        value: value.value().to_vec(),
                    });
                }
            }
            Ok(rows)
        })
    }

    /// Adds rows of another cache. Invalid rows are skipped, and existing values are kept.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn take(&self, rows: &[CacheRow]) -> Result<(), CacheError> {
        self.guarded_access(|| {
            let write = self.database()?.begin_write()?;
            {
                let mut engines = write.open_table(ENGINES)?;
                let mut positions = write.open_table(POSITIONS)?;
                let mut moves = write.open_table(MOVES)?;
                for CacheRow { sort, key, value } in rows {
                    if sort == ENGINES.name() {
                        let text = std::str::from_utf8(value).ok();
                        let number = key.as_slice().try_into().ok().map(u64::from_be_bytes);
                        if let (Some(number), Some(text)) = (number, text)
                            && engine_number(text) == number
                        {
                            engines.insert(number, text)?;
                        }
                        continue;
                    }
                    let table = match sort {
                        sort if sort == POSITIONS.name() => &mut positions,
                        sort if sort == MOVES.name() => &mut moves,
                        _ => continue,
                    };
                    if self::read(key, value).is_some() && table.get(key.as_slice())?.is_none() {
                        table.insert(key.as_slice(), value.as_slice())?;
                    }
                }
            }
            write.commit()?;
            Ok(())
        })
    }

    /// Merges another cache into this one and returns the number of new positions.
    ///
    /// # Errors
    ///
    /// Fails if one of the files cannot be read or written, or if the two differ in a value.
    pub fn merge(&self, other: &Cache) -> Result<u64, CacheError> {
        let before = self.positions()?;
        let differs = self.guarded_access(|| {
            let write = self.database()?.begin_write()?;
            let read = other.database()?.begin_read()?;
            let mut differs = None;
            {
                let mut engines = write.open_table(ENGINES)?;
                for entry in read.open_table(ENGINES)?.iter()? {
                    let (number, key) = entry?;
                    engines.insert(number.value(), key.value())?;
                }
                for definition in [POSITIONS, MOVES] {
                    let mut table = write.open_table(definition)?;
                    for entry in read.open_table(definition)?.iter()? {
                        let (key, value) = entry?;
                        let Some(theirs) = self::read(key.value(), value.value()) else { continue };
                        let was = table.insert(key.value(), value.value())?;
                        let mine = was.and_then(|was| self::read(key.value(), was.value()));
                        if mine.is_some_and(|mine| mine != theirs) {
                            let number = key.value().first_chunk::<8>();
                            let number = number.map_or(0, |bytes| u64::from_be_bytes(*bytes));
                            let text = engines.get(number)?.map(|text| text.value().to_owned());
                            differs = Some(text.unwrap_or_default());
                        }
                    }
                }
            }
            if differs.is_none() {
                write.commit()?;
            } else {
                write.abort()?;
            }
            Ok(differs)
        })?;
        match differs {
            Some(engine) => Err(CacheError::Differs {
                path: self.path.display().to_string(),
                other: other.path.display().to_string(),
                engine,
            }),
            None => Ok(self.positions()? - before),
        }
    }
}

impl Drop for Cache {
    /// Closing a damaged file may panic like reading it. All committed values are safe.
    fn drop(&mut self) {
        let database = self.database.take();
        let _ = guarded(|| drop(database));
    }
}

/// The error for a file with a damaged page.
fn damaged(path: String, panic: &str) -> CacheError {
    CacheError::Other { path, what: format!("is damaged ({panic})") }
}

fn position_key(engine: u64, position: &[u8]) -> Vec<u8> {
    [&engine.to_be_bytes()[..], position].concat()
}

fn move_key(engine: u64, position: &[u8], played: &UciMove) -> Vec<u8> {
    [&engine.to_be_bytes()[..], &number(played).to_be_bytes()[..], position].concat()
}

/// Encodes a move as a number: the origin, the target and the promotion.
fn number(played: &UciMove) -> u16 {
    match *played {
        UciMove::Normal { from, to, promotion } => {
            let role = promotion.map_or(0, |role| role as u16);
            u16::from(from) | u16::from(to) << 6 | role << 12
        }
        UciMove::Put { .. } | UciMove::Null => u16::MAX,
    }
}

fn of_number(number: u16) -> Option<UciMove> {
    let promotion = match number >> 12 {
        0 => None,
        role => Some(*Role::ALL.iter().find(|known| **known as u16 == role)?),
    };
    Some(UciMove::Normal {
        from: Square::try_from(u32::from(number & 63)).ok()?,
        to: Square::try_from(u32::from(number >> 6 & 63)).ok()?,
        promotion,
    })
}

/// First byte of a value that ends with a digest.
const WITH_DIGEST: u8 = 2;

/// Length of a digest in bytes.
const DIGEST: usize = 4;

/// Computes the digest of a value. The key seeds the hash, so a value moved to another key is
/// detected.
fn digest(key: &[u8], value: &[u8]) -> [u8; DIGEST] {
    let whole = xxh3_64_with_seed(value, xxh3_64(key));
    (whole as u32).to_le_bytes()
}

/// Encodes a result: [`WITH_DIGEST`], the depth, the number of lines, the move and value of each
/// line, and the digest.
fn written(key: &[u8], found: &SearchResult) -> Vec<u8> {
    let mut bytes = vec![WITH_DIGEST, found.depth.min(255) as u8, found.lines.len() as u8];
    for line in &found.lines {
        bytes.extend(number(&line.played).to_le_bytes());
        bytes.extend(line.value.to_le_bytes());
    }
    let digest = digest(key, &bytes);
    bytes.extend(digest);
    bytes
}

/// Decodes what [`written`] encoded under this key. A damaged or foreign value gives `None`, and
/// the position is analysed again.
fn read(key: &[u8], bytes: &[u8]) -> Option<SearchResult> {
    let (value, own) = bytes.split_last_chunk::<DIGEST>()?;
    let (&[form, depth, lines], rest) = value.split_first_chunk::<3>()?;
    if form != WITH_DIGEST || *own != digest(key, value) {
        return None;
    }
    if rest.len() != 4 * usize::from(lines) {
        return None;
    }
    let lines = rest.chunks_exact(4).map(|line| {
        let played = of_number(u16::from_le_bytes([line[0], line[1]]))?;
        Some(Valued { played, value: i16::from_le_bytes([line[2], line[3]]) })
    });
    Some(SearchResult { depth: depth.into(), lines: lines.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(moves: &[(&str, i16)]) -> SearchResult {
        let lines = moves
            .iter()
            .map(|(played, value)| Valued { played: played.parse().unwrap(), value: *value });
        SearchResult { depth: 9, lines: lines.collect() }
    }

    #[test]
    fn written_values_are_read_after_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache.redb");
        let first = found(&[("e2e4", 30), ("a7a8n", -31_990), ("e1g1", 0)]);
        let alone = found(&[("h2h4", -120)]);
        {
            let cache = Cache::open(&path).unwrap();
            cache.name_engine("an engine").unwrap();
            let entries = [
                CacheEntry::Position(vec![1, 2], first.clone()),
                CacheEntry::Move(vec![1, 2], "h2h4".parse().unwrap(), alone.clone()),
            ];
            cache.write(7, &entries).unwrap();
            let other = Cache::open(&path).unwrap_err();
            assert!(matches!(other, CacheError::InUse(_)), "{other}");
        }
        let cache = Cache::open(&path).unwrap();
        let keys = [&[1, 2][..], &[3][..]];
        assert_eq!(cache.found(7, keys.into_iter()).unwrap(), [Some(first), None]);
        assert_eq!(cache.found(8, keys.into_iter()).unwrap(), [None, None]);
        let played = "h2h4".parse().unwrap();
        let moves = [(&[1, 2][..], &played)];
        assert_eq!(cache.found_moves(7, moves.into_iter()).unwrap(), [Some(alone)]);
        assert_eq!(cache.engines().unwrap(), ["an engine"]);
    }

    #[test]
    fn caches_merge_unless_they_differ() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two, three] =
            ["one", "two", "three"].map(|name| Cache::open(&folder.path().join(name)).unwrap());
        let engine = engine_number("an engine");
        one.name_engine("an engine").unwrap();
        let [first, second, third, other_third, fourth] =
            [(1, 10), (2, 20), (3, 30), (3, 31), (4, 40)].map(|(position, value)| {
                CacheEntry::Position(vec![position], found(&[("e2e4", value)]))
            });
        one.write(engine, &[first, second.clone()]).unwrap();
        two.write(engine, &[second, third]).unwrap();
        assert_eq!(one.merge(&two).unwrap(), 1);
        assert_eq!(one.positions().unwrap(), 3);
        three.write(engine, &[fourth, other_third]).unwrap();
        let differs = one.merge(&three).unwrap_err().to_string();
        assert!(differs.contains("one") && differs.contains("three"), "{differs}");
        assert_eq!(one.positions().unwrap(), 3, "nothing was merged");
    }

    #[test]
    fn a_file_that_is_not_a_cache_is_rejected_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "these are my notes".repeat(1000)).unwrap();
        let refused = Cache::open(&path).unwrap_err().to_string();
        assert!(refused.contains("notes.txt"), "{refused}");
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("these are my notes"));
    }

    #[test]
    fn the_hash_matches_the_published_test_vectors() {
        // The test vectors published by its authors.
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_changed_byte_never_gives_another_value() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache.redb");
        let engine = engine_number("an engine");
        let results: Vec<SearchResult> =
            (0..40).map(|value| found(&[("e2e4", value), ("d2d4", -3)])).collect();
        let entries: Vec<CacheEntry> = (0..)
            .zip(&results)
            .map(|(position, result)| CacheEntry::Position(vec![position], result.clone()))
            .collect();
        let cache = Cache::open(&path).unwrap();
        cache.write(engine, &entries).unwrap();
        drop(cache);
        let whole = std::fs::read(&path).unwrap();
        // Most of a new file is empty, so only bytes other than 0 are changed.
        let used: Vec<usize> = (0..whole.len()).filter(|place| whole[*place] != 0).collect();
        let (mut lost, mut refused) = (0, 0);
        for place in used.into_iter().step_by(3) {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << (place % 8);
            std::fs::write(&path, damaged).unwrap();
            let positions: Vec<Vec<u8>> = (0..40).map(|position| vec![position]).collect();
            let read = Cache::open(&path)
                .and_then(|cache| cache.found(engine, positions.iter().map(Vec::as_slice)));
            let Ok(read) = read else {
                refused += 1;
                continue;
            };
            for (read, result) in read.iter().zip(&results) {
                lost += usize::from(read.is_none());
                assert!(read.as_ref().is_none_or(|read| read == result), "byte {place}");
            }
        }
        assert!(lost + refused > 20, "{lost} values lost, {refused} files refused");
    }

    #[test]
    fn values_of_another_position_or_another_form_are_not_read() {
        let key = position_key(1, &[7]);
        let value = written(&key, &found(&[("e2e4", 30)]));
        assert_eq!(read(&key, &value), Some(found(&[("e2e4", 30)])));
        assert_eq!(read(&position_key(1, &[8]), &value), None);
        let without_digest = [&[1], &value[1..value.len() - DIGEST]].concat();
        assert_eq!(read(&key, &without_digest), None);
    }
}
