//! Keeps the work of a build in a file next to the archive, so that the next build need not repeat
//! what did not change.
//!
//! The file is never needed, and may be deleted at any time. Each entry has a hash of everything
//! that it was made from, the program included, so that it is never used for anything else.

use std::env;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use bitcode::{Decode, Encode};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use pgn_collections::source::open_regular;

/// A hash of everything that an entry was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct CacheKey(u128);

impl CacheKey {
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }
}

/// The hash by which a build recognises the content of a file or an entry.
pub fn content_hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// What an entry holds. Equal inputs of different kinds have different keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    Analysis,
    Ratings,
    /// A page. Its entry says from what it was made; the page itself is in the archive.
    Page,
}

/// The position of an entry in the file.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Place {
    key: CacheKey,
    /// Its first byte.
    start: u64,
    /// Its length (bytes).
    length: u64,
    /// A hash of its bytes. A damaged entry is computed again.
    hash: u64,
}

/// The first bytes of a file.
const MAGIC: &[u8; 24] = b"Greatness build cache 1\n";

/// The end of a file: start and hash of the index (8 bytes each).
const END: u64 = 16;

/// The largest index (bytes) that is read, which bounds the memory for a damaged file.
const LARGEST_INDEX: u64 = 1 << 30;

/// The work of the last build, and that which is kept for the next.
pub struct BuildCache {
    path: PathBuf,
    old: Option<OldFile>,
    new: Mutex<Option<NewFile>>,
    counts: [[AtomicUsize; 2]; 3],
}

impl fmt::Debug for BuildCache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BuildCache").field("path", &self.path).finish_non_exhaustive()
    }
}

/// How many parts of a build were reused, and how many had to be computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Parts that the last build had computed.
    pub reused: usize,
    /// Parts that this build computed.
    pub computed: usize,
}

impl CacheUse {
    /// The words that follow the summary of a step; empty if nothing was reused.
    pub fn words(self) -> String {
        let CacheUse { reused, computed } = self;
        match (reused, computed) {
            (0, _) => String::new(),
            (_, 0) => "; all reused from the last build".to_owned(),
            _ => format!("; {reused} of {} reused from the last build", reused + computed),
        }
    }
}

/// The file of the last build.
struct OldFile {
    file: Mutex<File>,
    places: FxHashMap<CacheKey, Place>,
}

/// The file that this build writes.
struct NewFile {
    /// A file without a name, so that a build that is stopped leaves nothing.
    file: BufWriter<File>,
    length: u64,
    places: FxHashMap<CacheKey, Place>,
}

impl BuildCache {
    /// The cache of the archive in a folder. A file that cannot be read counts as empty; if no file
    /// can be written, nothing is kept.
    pub fn next_to(archive: &Path) -> BuildCache {
        let path = BuildCache::path(archive);
        BuildCache {
            old: OldFile::open(&path).ok(),
            new: Mutex::new(NewFile::create(&path).ok()),
            path,
            counts: Default::default(),
        }
    }

    /// The path of the cache of the archive in a folder: `archive.cache` for `archive`.
    pub fn path(archive: &Path) -> PathBuf {
        // The archive may be a link. Its target is exchanged, and the cache is next to that.
        let real = archive.canonicalize().unwrap_or_else(|_| archive.to_owned());
        let mut name = real.file_name().unwrap_or_default().to_owned();
        name.push(".cache");
        real.with_file_name(name)
    }

    pub fn file(&self) -> &Path {
        &self.path
    }

    /// The key of an entry that is made from these bytes by this program.
    pub fn key(&self, kind: CacheKind, inputs: &[&[u8]]) -> CacheKey {
        let mut hasher = hasher(kind);
        for input in inputs {
            hasher.update(&(input.len() as u64).to_le_bytes());
            hasher.update(input);
        }
        CacheKey(hasher.digest128())
    }

    /// The key of an entry that is made by this program from what is written to the hash.
    ///
    /// # Errors
    ///
    /// Returns an error if `write` fails.
    pub fn key_of_written<E>(
        &self,
        kind: CacheKind,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<CacheKey, E> {
        let mut hasher = HashWriter(hasher(kind));
        write(&mut hasher)?;
        Ok(CacheKey(hasher.0.digest128()))
    }

    /// The bytes of an entry, which is then kept for the next build too; `None` if there is none.
    pub fn get(&self, key: CacheKey) -> Option<Vec<u8>> {
        let (place, packed) = self.old.as_ref()?.read(key)?;
        let bytes = zstd::decode_all(&packed[..]).ok()?;
        self.write(key, &packed, place.hash);
        Some(bytes)
    }

    /// The bytes of an entry of the last build that this build will replace.
    pub fn replaced(&self, key: CacheKey) -> Option<Vec<u8>> {
        let (_, packed) = self.old.as_ref()?.read(key)?;
        zstd::decode_all(&packed[..]).ok()
    }

    /// Counts a part that was reused or computed.
    pub fn count(&self, kind: CacheKind, is_reused: bool) {
        self.counts[kind as usize][usize::from(is_reused)].fetch_add(1, Ordering::Relaxed);
    }

    /// How many parts of a kind were counted.
    pub fn used(&self, kind: CacheKind) -> CacheUse {
        let [computed, reused] = &self.counts[kind as usize];
        CacheUse {
            reused: reused.load(Ordering::Relaxed),
            computed: computed.load(Ordering::Relaxed),
        }
    }

    /// Keeps the bytes of an entry for the next build.
    pub fn put(&self, key: CacheKey, bytes: &[u8]) {
        let Ok(packed) = zstd::encode_all(bytes, LEVEL) else { return };
        self.write(key, &packed, content_hash(&packed));
    }

    fn write(&self, key: CacheKey, packed: &[u8], hash: u64) {
        let mut new = self.next_file();
        // On an error, a full disk for example, nothing is kept, and the build goes on.
        if new.as_mut().is_some_and(|file| file.add(key, packed, hash).is_err()) {
            *new = None;
        }
    }

    fn next_file(&self) -> MutexGuard<'_, Option<NewFile>> {
        self.new.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the file of the last build. Entries that this build did not use are dropped.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. The next build then computes everything.
    pub fn keep(self) -> io::Result<()> {
        // Systems other than Unix cannot replace an open file.
        drop(self.old);
        match self.new.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => file.keep(&self.path),
            None => Err(io::Error::other("the file cannot be written")),
        }
    }
}

/// The level of compression. The first is the fastest.
const LEVEL: i32 = 1;

/// A hash of the program's executable file. If it cannot be read, because it was replaced for
/// example, a random number: then no other build shares a key.
static PROGRAM: LazyLock<u64> = LazyLock::new(|| {
    let own = env::current_exe().and_then(fs::read);
    own.map_or_else(|_| RandomState::new().build_hasher().finish(), |bytes| content_hash(&bytes))
});

fn hasher(kind: CacheKind) -> Box<Xxh3> {
    let mut hasher = Box::new(Xxh3::with_seed(*PROGRAM));
    hasher.write_u8(kind as u8);
    hasher
}

/// Whether something else is at the path of a cache, which must stay as it is.
fn is_foreign(path: &Path) -> bool {
    let Ok(found) = path.symlink_metadata() else { return false };
    let mut start = Vec::new();
    let read =
        open_regular(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    !found.is_file() || read.is_err() || !MAGIC.starts_with(&start)
}

fn parent(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Hashes what is written to it.
struct HashWriter(Box<Xxh3>);

impl Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OldFile {
    fn open(path: &Path) -> io::Result<OldFile> {
        let mut file = open_regular(path)?;
        let mut magic = [0; MAGIC.len()];
        file.read_exact(&mut magic)?;
        let length = file.seek(SeekFrom::End(0))?;
        let end = length.checked_sub(END).ok_or(io::ErrorKind::InvalidData)?;
        file.seek(SeekFrom::Start(end))?;
        let (mut start, mut hash) = ([0; 8], [0; 8]);
        file.read_exact(&mut start)?;
        file.read_exact(&mut hash)?;
        let start = u64::from_le_bytes(start);
        let of_index = end.checked_sub(start).filter(|length| *length <= LARGEST_INDEX);
        if magic != *MAGIC || of_index.is_none() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        file.seek(SeekFrom::Start(start))?;
        let mut index = vec![0; of_index.unwrap_or_default() as usize];
        file.read_exact(&mut index)?;
        if content_hash(&index) != u64::from_le_bytes(hash) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let places: Vec<Place> = bitcode::decode(&index).map_err(|_| io::ErrorKind::InvalidData)?;
        let places = places.into_iter().map(|place| (place.key, place)).collect();
        Ok(OldFile { file: Mutex::new(file), places })
    }

    /// The packed bytes of an entry; `None` if there is none, or it is damaged.
    fn read(&self, key: CacheKey) -> Option<(Place, Vec<u8>)> {
        let place = *self.places.get(&key)?;
        let mut packed = vec![0; usize::try_from(place.length).ok()?];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(place.start)).ok()?;
            file.read_exact(&mut packed).ok()?;
        }
        (content_hash(&packed) == place.hash).then_some((place, packed))
    }
}

impl NewFile {
    fn create(path: &Path) -> io::Result<NewFile> {
        let folder = parent(path);
        fs::create_dir_all(folder)?;
        let mut file = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(folder)?);
        file.write_all(MAGIC)?;
        Ok(NewFile { file, length: MAGIC.len() as u64, places: FxHashMap::default() })
    }

    fn add(&mut self, key: CacheKey, packed: &[u8], hash: u64) -> io::Result<()> {
        // Two events may be equal, apart from their addresses.
        if self.places.contains_key(&key) {
            return Ok(());
        }
        let place = Place { key, start: self.length, length: packed.len() as u64, hash };
        self.file.write_all(packed)?;
        self.places.insert(key, place);
        self.length += place.length;
        Ok(())
    }

    fn keep(mut self, path: &Path) -> io::Result<()> {
        let mut places: Vec<Place> = self.places.into_values().collect();
        places.sort_unstable_by_key(|place| place.start);
        let index = bitcode::encode(&places);
        self.file.write_all(&index)?;
        self.file.write_all(&self.length.to_le_bytes())?;
        self.file.write_all(&content_hash(&index).to_le_bytes())?;
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".new");
        for path in [path, Path::new(&unfinished)] {
            if is_foreign(path) {
                let why = format!("{} is not a file of this program", path.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
            }
        }
        // Always the same name, so that a killed build leaves at most one file, which the next one
        // replaces. Another build that is writing it has the lock.
        let mut named =
            OpenOptions::new().write(true).create(true).truncate(false).open(&unfinished)?;
        named.try_lock()?;
        named.set_len(0)?;
        io::copy(&mut file, &mut named)?;
        fs::rename(&unfinished, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(cache: &BuildCache, text: &str) -> CacheKey {
        cache.key(CacheKind::Analysis, &[text.as_bytes()])
    }

    #[test]
    fn what_one_build_keeps_the_next_reuses_and_the_rest_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        let first = BuildCache::next_to(&archive);
        let (one, two) = (key(&first, "one"), key(&first, "two"));
        assert!(first.get(one).is_none());
        first.put(one, b"first");
        first.put(two, b"second");
        first.keep().unwrap();
        let next = BuildCache::next_to(&archive);
        assert_eq!(key(&next, "one"), one, "the same program");
        assert_eq!(next.get(one).unwrap(), b"first");
        next.keep().unwrap();
        let last = BuildCache::next_to(&archive);
        assert!(last.get(one).is_some() && last.get(two).is_none());
    }

    #[test]
    fn equal_entries_are_written_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        let cache = BuildCache::next_to(&archive);
        let key = cache.key(CacheKind::Analysis, &[b"event"]);
        for _ in 0..2 {
            cache.put(key, b"analysis");
        }
        cache.keep().unwrap();
        assert_eq!(BuildCache::next_to(&archive).get(key).unwrap(), b"analysis");
    }

    #[test]
    fn a_foreign_file_at_the_path_of_the_cache_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        for name in ["archive.cache", "archive.cache.new"] {
            let path = folder.path().join(name);
            fs::write(&path, "years of work").unwrap();
            let cache = BuildCache::next_to(&archive);
            cache.put(cache.key(CacheKind::Analysis, &[b"event"]), b"analysis");
            assert!(cache.keep().is_err(), "{name}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "years of work");
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn kinds_and_the_bounds_of_inputs_are_part_of_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BuildCache::next_to(&folder.path().join("archive"));
        let keys = [
            cache.key(CacheKind::Analysis, &[b"ab", b"c"]),
            cache.key(CacheKind::Analysis, &[b"a", b"bc"]),
            cache.key(CacheKind::Ratings, &[b"ab", b"c"]),
        ];
        assert!(keys[0] != keys[1] && keys[0] != keys[2]);
    }

    #[test]
    fn a_damaged_file_costs_time_only() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        let cache = BuildCache::next_to(&archive);
        let key = cache.key(CacheKind::Analysis, &[b"event"]);
        cache.put(key, &[7; 1000]);
        cache.keep().unwrap();
        let whole = fs::read(BuildCache::path(&archive)).unwrap();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 0x55;
            fs::write(BuildCache::path(&archive), &damaged).unwrap();
            let found = BuildCache::next_to(&archive).get(key);
            assert!(found.is_none_or(|bytes| bytes == [7; 1000]), "byte {place}");
        }
        for length in 0..whole.len() {
            fs::write(BuildCache::path(&archive), &whole[..length]).unwrap();
            assert!(BuildCache::next_to(&archive).get(key).is_none(), "{length} bytes");
        }
    }
}
