//! The steps of a sequence: what a user, a disk or an accident may do.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::fault::Fault;

/// A step. Its numbers determine what it does.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Writes another collection, from a seed.
    Write(u64),
    /// Appends a collection to the file.
    Append(u64),
    /// Changes, removes or inserts bytes of the collection.
    Damage(u64),
    /// Cuts the collection at a part of its length (thousandths).
    Cut(u16),
    /// Sets the time of the collection back by days; its content stays.
    Clock(u16),
    /// Builds the archive with a cache and some threads.
    Build(u8),
    /// Kills a build after milliseconds.
    Kill(u16),
    /// Stops a build after milliseconds.
    Stop(u16),
    /// Builds with a limit on the size of files, in blocks of 512 bytes.
    SmallDisk(u16),
    /// Changes a byte of a file of the cache, cuts the file, or removes it.
    DamageCache(u64),
    /// Changes a byte of a file of the archive, cuts the file, or removes it.
    DamageArchive(u64),
    /// Writes another rating list, from a seed.
    List(u64),
    /// Writes decisions about events of the archive, from a seed.
    Decide(u64),
    /// Builds while a system call fails.
    Fault(Fault),
    /// Checks the collection.
    Check,
    /// Writes the games as Parquet, next to the collection.
    Ingest,
}

impl Step {
    pub fn random(random: &mut Pcg64Mcg) -> Step {
        match random.random_range(0..22) {
            0 => Step::Write(random.random()),
            1 => Step::Append(random.random()),
            2 => Step::Damage(random.random()),
            3 => Step::Cut(random.random_range(0..1000)),
            4 => Step::Clock(random.random_range(0..1000)),
            5 => Step::Kill(random.random_range(0..900)),
            6 => Step::Stop(random.random_range(0..900)),
            7 => Step::SmallDisk(random.random_range(0..2000)),
            8 | 9 => Step::DamageCache(random.random()),
            10 => Step::Check,
            11 => Step::Ingest,
            12 => Step::DamageArchive(random.random()),
            13 => Step::List(random.random()),
            14 | 15 => Step::Decide(random.random()),
            16 | 17 => Step::Fault(Fault::random(random)),
            _ => Step::Build(random.random_range(1..=4)),
        }
    }

    /// The kind of the step, for the summary.
    pub fn word(self) -> &'static str {
        match self {
            Step::Write(_) => "collections written",
            Step::Append(_) => "collections appended to",
            Step::Damage(_) => "collections damaged",
            Step::Cut(_) => "collections cut",
            Step::Clock(_) => "times set back",
            Step::Build(_) => "builds compared with a fresh one",
            Step::Kill(_) => "builds killed",
            Step::Stop(_) => "builds stopped",
            Step::SmallDisk(_) => "builds with a small disk",
            Step::DamageCache(_) => "caches damaged",
            Step::DamageArchive(_) => "archives damaged",
            Step::List(_) => "rating lists written",
            Step::Decide(_) => "decisions written",
            Step::Fault(_) => "builds with a failing system call",
            Step::Check => "checks",
            Step::Ingest => "ingests",
        }
    }
}
