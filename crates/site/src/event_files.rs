//! Divides events among data files, each of which has many events.
//!
//! The events are in the order of their years and identifiers, and a page has the first event of
//! each file. So it finds the file of an event by the identifier alone.

use archive::Archive;

/// Approximate size of a file, in bytes. Judged: a phone loads such a file in a moment. Smaller
/// files would repeat the names of more players.
const IN_FILE: usize = 200_000;

/// From this size on, a file ends with its year, so that new games change no file of another year.
/// Judged: small collections would otherwise have a file for each year.
const OF_YEAR: usize = 50_000;

/// The year and the identifier of an event, by which events are in order. `any.js` and
/// `games.js` read the same year out of the identifier.
fn key(id: &str) -> (&str, &str) {
    let is_year = |part: &&str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    (id.rsplit('-').find(is_year).unwrap_or_default(), id)
}

/// The events of each file, as indexes of their records. `size` is the approximate size of an
/// event, in bytes; an event without a size is in no file.
pub(super) fn event_files(
    archive: &Archive,
    size: impl Fn(usize) -> Option<usize>,
) -> Vec<Vec<usize>> {
    let id = |index: usize| archive.records[index].event.id.as_str();
    let mut events: Vec<usize> = (0..archive.records.len()).collect();
    events.sort_unstable_by_key(|event| key(id(*event)));
    let mut files: Vec<Vec<usize>> = Vec::new();
    let (mut written, mut last_year) = (IN_FILE, "");
    for event in events {
        let Some(size) = size(event) else { continue };
        let (year, _) = key(id(event));
        if written >= IN_FILE || (year != last_year && written >= OF_YEAR) {
            files.push(Vec::new());
            written = 0;
        }
        last_year = year;
        written += size;
        files.last_mut().expect("the first event begins a file").push(event);
    }
    files
}

/// The identifier of the first event of each file.
pub(super) fn first_events(archive: &Archive, files: &[Vec<usize>]) -> Vec<String> {
    files.iter().map(|file| archive.records[file[0]].event.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_in_the_order_of_the_last_year_in_their_identifiers() {
        // The browser tests check that the pages find the events.
        assert_eq!(key("vienna-1898"), ("1898", "vienna-1898"));
        assert_eq!(key("wijk-aan-zee-1999-b-2"), ("1999", "wijk-aan-zee-1999-b-2"));
        assert_eq!(key("cup-1990-1991"), ("1991", "cup-1990-1991"));
        assert_eq!(key("match-20"), ("", "match-20"));
    }
}
