//! The size of an archive, and which free hosts take it.

use std::fs;
use std::io;
use std::path::Path;

/// The files of an archive, without foreign ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveSize {
    pub files: usize,
    pub bytes: u64,
    /// The largest file, relative to the archive's folder, and its bytes.
    pub largest: (String, u64),
}

/// A free host for static sites, with its limits.
struct Host {
    name: &'static str,
    files: usize,
    bytes: u64,
    /// Bytes of a file.
    largest: u64,
}

/// To be compared with "GitHub Pages limits" and "About large files on GitHub" of GitHub's
/// documentation, and with "Limits" of that of Cloudflare Pages (free plan), before a release.
const HOSTS: [Host; 2] = [
    Host { name: "GitHub Pages", files: usize::MAX, bytes: 1 << 30, largest: 100 << 20 },
    Host { name: "Cloudflare Pages", files: 20_000, bytes: u64::MAX, largest: 25 << 20 },
];

impl ArchiveSize {
    /// Adds up the files of a folder, which are given by their paths in it.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them does not exist.
    pub(super) fn of_files<'a>(
        folder: &Path,
        files: impl Iterator<Item = &'a String>,
    ) -> io::Result<ArchiveSize> {
        let mut size = ArchiveSize::default();
        for path in files {
            let bytes = fs::metadata(folder.join(path))?.len();
            size.files += 1;
            size.bytes += bytes;
            if bytes > size.largest.1 {
                size.largest = (path.clone(), bytes);
            }
        }
        Ok(size)
    }

    /// The names of the hosts that take the archive.
    pub fn hosts(&self) -> Vec<&'static str> {
        let fitting = HOSTS.iter().filter(|host| {
            self.files <= host.files && self.bytes <= host.bytes && self.largest.1 <= host.largest
        });
        fitting.map(|host| host.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_takes_an_archive_within_all_of_its_limits() {
        let small = ArchiveSize { files: 9000, bytes: 300 << 20, ..ArchiveSize::default() };
        assert_eq!(small.hosts(), ["GitHub Pages", "Cloudflare Pages"]);
        let many_files = ArchiveSize { files: 20_001, ..small.clone() };
        assert_eq!(many_files.hosts(), ["GitHub Pages"]);
        let many_bytes = ArchiveSize { bytes: 2 << 30, ..small.clone() };
        assert_eq!(many_bytes.hosts(), ["Cloudflare Pages"]);
        let large_file = ArchiveSize { largest: ("data/games.parquet".into(), 200 << 20), ..small };
        assert!(large_file.hosts().is_empty());
    }
}
