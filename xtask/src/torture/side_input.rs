//! Makes random rating lists and decisions.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::collection::NAMES;

/// Values of a rating list and of decisions that no sound one has.
const ODD: [&str; 8] = ["", "0", "-1", "99999", "1e400", "NaN", "\u{202e}\u{1b}[2J", "2500.25"];

/// A rating list in CSV of one to three editions, some of whose values are odd.
pub fn list(seed: u64) -> String {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut text = "name,rating,date,fide_id\n".to_owned();
    for _ in 0..random.random_range(1..=3) {
        let date =
            format!("{}-{:02}-01", random.random_range(1850..=2026), random.random_range(1..=13));
        for name in NAMES {
            let rating = match random.random_range(0..12) {
                0 => ODD[random.random_range(0..ODD.len())].to_owned(),
                _ => random.random_range(1500..2900).to_string(),
            };
            let id = random.random_range(0..5_000_000);
            let name = name.replace('"', "\"\"");
            let _ = writeln!(text, "\"{name}\",{rating},{date},{id}");
        }
    }
    text
}

/// Decisions about one to four events of the archive, some of which it does not have.
pub fn decisions(archive: &Path, seed: u64) -> String {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let events = fs::read_to_string(archive.join("data/events.csv")).unwrap_or_default();
    let ids: Vec<&str> = events.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    let mut text = String::new();
    for number in 0..random.random_range(1..=4) {
        let id = match ids.len() {
            0 => "vienna-1882",
            _ if random.random_range(0..8) == 0 => "vienna-1882",
            events => ids[random.random_range(0..events)],
        };
        let [one, other] = [0, 1].map(|_| quoted(NAMES[random.random_range(0..NAMES.len())]));
        let odd = ODD[random.random_range(0..ODD.len())];
        let value = match random.random_range(0..12) {
            0 => "listed = false".to_owned(),
            1 => "complete = true".to_owned(),
            2 => format!("name = {}", quoted(odd)),
            3 => format!("number_two = {odd}"),
            4 => format!("expected_games = {}", random.random_range(0..400)),
            5 => format!(
                "ratings = [{{ player = {one}, set = {}, reason = \"x\" }}]",
                random.random_range(0..4000)
            ),
            6 => format!("forfeits = [{{ white = {one}, black = {other} }}]"),
            7 => format!("winners = [{one}, {other}]"),
            8 => format!("persons = [{{ name = {one}, spellings = [{other}] }}]"),
            9 if !ids.is_empty() => {
                format!("merge = [\"{}\"]", ids[random.random_range(0..ids.len())])
            }
            10 => "kind = \"match\"".to_owned(),
            _ => format!("start = \"{}\"", random.random_range(1800..2100)),
        };
        let _ = writeln!(
            text,
            "[{id}]\nauthor = \"Torture {number}\"\ndate = 2026-01-01\nreason = \"tried\"\n{value}\n"
        );
    }
    text
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_of_every_seed_are_toml() {
        for seed in 0..200 {
            let text = decisions(Path::new("none"), seed);
            // The same event may have two decisions, which is an error of the file.
            let tables = text.split("\n\n").filter(|table| !table.trim().is_empty());
            for table in tables {
                let known = toml::from_str::<toml::Table>(table);
                // Some values of number two are no numbers.
                assert!(known.is_ok() || table.contains("number_two"), "{table}: {known:?}");
            }
        }
    }
}
