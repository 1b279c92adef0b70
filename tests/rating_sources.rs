//! Tests that sources of ratings are judged: whose rating counts, and which pool ranks no one.

use std::path::Path;

use crate::support::case;
use greatness::archive::{Archive, Settings, Silent, build};

/// Builds an archive of a case with the bundled lists.
fn archive_of(name: &str) -> Archive {
    let mut settings = Settings::default();
    settings.input.pgn.push(case(name));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    build(settings.with_bundled_data(&data).unwrap(), &Silent).unwrap()
}

#[test]
fn a_club_without_links_to_rated_players_is_not_ranked() {
    let club = archive_of("lists/isolated-club-pool.pgn");
    assert_eq!(club.records.len(), 4);
    assert!(club.lists.greatness.is_empty() && club.lists.strength.is_empty());
}

#[test]
fn the_number_two_of_a_list_that_is_not_stored_is_counted_with_the_tags() {
    let merano = archive_of("lists/rating-day-before-the-event.pgn");
    let two = merano.records[0].ratings.number_two.as_ref().unwrap();
    assert_eq!((two.name.as_str(), two.rating), ("Korchnoi, Viktor", 2695.0));
}
