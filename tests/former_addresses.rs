//! Tests that addresses which an archive of the bundled data had still lead to the event or player.
//!
//! `tests/cases/addresses` has the identifiers in the addresses of an archive of November 2026, in
//! which many events and players had pages that they no longer have. `404.html` sends readers from
//! these to the shared pages, which the browser tests check.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{Bundled, case};

/// The identifiers in a file of former addresses.
fn former(name: &str) -> Vec<String> {
    let text = fs::read_to_string(case("addresses").join(name)).expect("the addresses");
    text.lines().map(str::to_owned).collect()
}

/// The texts of all files of a folder of the archive.
fn scripts(folder: &str) -> String {
    let files = fs::read_dir(Bundled::get().path().join(folder)).expect("the folder");
    files.map(|file| fs::read_to_string(file.expect("a file").path()).expect("a script")).collect()
}

#[test]
fn every_former_address_of_an_event_leads_to_it() {
    let rows = Bundled::get().table("events");
    let known: BTreeSet<&str> = rows.iter().filter_map(|row| row["event_id"].as_str()).collect();
    let former = former("events.txt");
    assert!(former.len() > 2000);
    let lost: Vec<&String> = former.iter().filter(|id| !known.contains(id.as_str())).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let records = scripts("event-records");
    for id in former {
        let page = Bundled::get().path().join(format!("events/{id}.html"));
        assert!(page.exists() || records.contains(&format!("\"{id}\":")), "{id}");
    }
}

#[test]
fn every_former_address_of_a_player_leads_to_a_player() {
    let dossiers = scripts("compare");
    let leads = |id: &String| {
        Bundled::get().path().join(format!("players/{id}.html")).exists()
            || dossiers.contains(&format!("greatnessDossier(\"{id}\","))
            || dossiers.contains(&format!("\"{id}\":\"players/"))
            || dossiers.contains(&format!("\"{id}\":\"player.html?p="))
    };
    let former = former("players.txt");
    assert!(former.len() > 2000);
    let lost: Vec<&String> = former.iter().filter(|id| !leads(id)).collect();
    assert!(lost.is_empty(), "{lost:?}");
}
