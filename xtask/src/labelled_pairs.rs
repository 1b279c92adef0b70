//! Labels pairs of spellings by rating tags, for the tests of identity resolution.
//!
//! `cargo xtask labelled-pairs COLLECTION SPELLING_FILE FOLDER` writes two files into the folder:
//! `pairs.csv` has a short and a full spelling of one player, `apart.csv` spellings of two players
//! who share surname and initial. A spelling is labelled if its rating tags match just one player
//! of the spelling file with that surname, in at least two games and in four games out of five. The
//! labels do not depend on given names, so they can test the resolution of names.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use greatness::archive::{GamesRead, Settings, Silent};
use greatness::games::NameId;
use greatness::players::{PersonName, SpelledPlayer, read_spelling_file};
use jiff::civil::Date;

/// Ratings of FIDE's lists are in force for at most a year.
fn rated(player: &SpelledPlayer, day: Date, rating: u16) -> bool {
    player.ratings.iter().any(|(list, listed)| {
        let age = (day - *list).get_days();
        *listed == rating && (-45..=400).contains(&age)
    })
}

/// Label pairs of spellings by rating tags, for the tests of identity
#[derive(Debug, Args)]
pub struct LabelledPairs {
    /// Game collection
    collection: PathBuf,
    /// SCID's spelling file
    spelling: PathBuf,
    /// Folder for the pairs
    folder: PathBuf,
}

impl LabelledPairs {
    pub fn run(&self) -> anyhow::Result<()> {
        let LabelledPairs { collection, spelling, folder } = self;
        let mut settings = Settings::default();
        settings.input.pgn.push(collection.clone());
        let GamesRead { table } = GamesRead::read(&settings.input, &Silent, &mut Vec::new())?;

        let mut tags: BTreeMap<NameId, Vec<(Date, u16)>> = BTreeMap::new();
        for game in table.games() {
            let Some(day) = game.date.earliest().filter(|_| game.date.known_parts() >= 2) else {
                continue;
            };
            for (name, elo) in [(game.white, game.white_elo), (game.black, game.black_elo)] {
                if elo > 0 {
                    tags.entry(name).or_default().push((day, elo));
                }
            }
        }
        let players = read_spelling_file(spelling, &|_| true)?;
        let mut by_surname: BTreeMap<String, Vec<&SpelledPlayer>> = BTreeMap::new();
        for player in &players {
            by_surname
                .entry(PersonName::parse(&player.name).surname_key())
                .or_default()
                .push(player);
        }
        let mut labelled: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, tags) in &tags {
            let text = table.text(*name);
            let namesakes = by_surname.get(&PersonName::parse(text).surname_key());
            let found: Vec<&&SpelledPlayer> = namesakes
                .into_iter()
                .flatten()
                .filter(|player| {
                    let fitting =
                        tags.iter().filter(|(day, elo)| rated(player, *day, *elo)).count();
                    fitting >= 2 && fitting * 5 >= tags.len() * 4
                })
                .collect();
            if let [player] = found[..] {
                labelled.entry(&player.name).or_default().push(text);
            }
        }
        let all: Vec<(&str, &str)> = labelled
            .iter()
            .flat_map(|(name, texts)| texts.iter().map(move |text| (*name, *text)))
            .collect();
        let mut apart = csv::Writer::from_path(folder.join("apart.csv"))?;
        apart.write_record(["one", "other"])?;
        for (place, (name, one)) in all.iter().enumerate() {
            for (other_name, other) in &all[place + 1..] {
                if name != other_name && surname_and_initial(one) == surname_and_initial(other) {
                    apart.write_record([one, other])?;
                }
            }
        }
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for texts in labelled.values() {
            let short = texts.iter().filter(|text| given_length(text) == 1).min();
            let full = texts
                .iter()
                .filter(|text| given_length(text) > 2)
                .max_by_key(|text| given_length(text));
            pairs.extend(short.zip(full).map(|(short, full)| (*short, *full)));
        }
        // Take 500 pairs, evenly spread over the alphabet.
        let step = pairs.len() as f64 / 500.0;
        if step < 1.0 {
            bail!("the collection has only {} pairs of spellings; 500 are needed", pairs.len());
        }
        let mut out = csv::Writer::from_path(folder.join("pairs.csv"))?;
        out.write_record(["short", "full"])?;
        for number in 0..500 {
            let (short, full) = pairs[(f64::from(number) * step) as usize];
            out.write_record([short, full])?;
        }
        Ok(())
    }
}

fn surname_and_initial(text: &str) -> (String, Option<char>) {
    let name = PersonName::parse(text);
    (name.surname_key(), name.given.first().and_then(|word| word.chars().next()))
}

/// Returns the length of the first given name in bytes, 0 without one.
fn given_length(text: &str) -> usize {
    PersonName::parse(text).given.first().map_or(0, String::len)
}
