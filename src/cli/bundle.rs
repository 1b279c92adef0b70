//! `greatness bundle`: writes the bundled data from collections.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Outcome;
use super::build::report;
use super::progress::Terminal;
use crate::archive::{Input, Reading, Settings};
use crate::events::{Event, Events, Kind};
use crate::games::{Game, GameTable, write_parquet};
use crate::pgn::write_results;
use crate::players::{
    AliasEntry, Aliases, Life, Meant, PersonName, Player, PlayerId, Players, SpelledPlayer,
    SpellingClaims, read_spelling_file, resolve,
};
use crate::ratings::{RatingList, read_lists};
use crate::source::Limits;

/// Write the bundled data anew: facts only, from collections and lists
///
/// Games become PGN with results and without moves, one file a decade; of rating lists extracts are
/// taken. For those who maintain the project.
#[derive(Debug, Args)]
pub(super) struct Bundle {
    /// Game collection; its complete round robins and matches are taken
    #[arg(long, value_name = "PATH", required = true)]
    pgn: Vec<PathBuf>,
    /// Folder name within the collections whose events are all taken, complete or not
    #[arg(long, value_name = "NAME")]
    whole: Vec<String>,
    /// Yearly Chessmetrics lists, of which the years before 1971 are taken
    #[arg(long, value_name = "FILE")]
    chessmetrics: PathBuf,
    /// SCID's spelling file, for the top of each FIDE list and for spellings of names
    #[arg(long, value_name = "FILE")]
    spelling: PathBuf,
    /// Collection of which all results before 1971 are taken, for computing ratings
    #[arg(long, value_name = "PATH")]
    results: Vec<PathBuf>,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

/// A place on a list: the highest rating first, of equals the first name. Reversed, so that a heap
/// gives up the lowest place.
type Place = Reverse<(u16, Reverse<String>)>;

/// The first year with FIDE lists.
const FIRST_FIDE_YEAR: i16 = 1971;

/// Places of each FIDE list that are taken.
const FIDE_PLACES: usize = 20;

/// Places of each Chessmetrics list that are taken whoever holds them.
const CHESSMETRICS_PLACES: usize = 10;

/// zstd level; reading is equally fast at all of them.
const LEVEL: i32 = 19;

/// The first year of which no results are taken: from then on there are FIDE's lists.
const RESULTS_UNTIL: i16 = 1971;

impl Bundle {
    pub fn run(self) -> anyhow::Result<Outcome> {
        self.write_results()?;
        let settings = Settings {
            input: Input { pgn: self.pgn.clone(), ..Input::default() },
            ..Settings::default()
        };
        let mut diagnostics = Vec::new();
        let mut reading = Reading::read(&settings, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        let Events { events, .. } = reading.events(&mut diagnostics);
        let chosen: Vec<&Event> =
            events.iter().filter(|event| self.takes(event, &reading)).collect();
        self.write_games(&chosen, &reading)?;

        let persons = persons(&chosen, &reading.players);
        let years = years(&chosen, &reading);
        self.write_from_spelling_file(&persons, &years)?;
        // With the aliases just written, more of the players are found on the lists.
        let mut aliases = Aliases::default();
        aliases.read(&self.out.join("players").join("aliases.toml"))?;
        let resolved = resolve(&reading.table, &aliases);
        let played: BTreeSet<PlayerId> = chosen
            .iter()
            .flat_map(|event| &event.games)
            .map(|game| &reading.table.games()[game.row])
            .flat_map(|game| [game.white, game.black])
            .filter_map(|name| resolved.of_name(name))
            .collect();
        let players: Vec<&Player> = played.into_iter().map(|id| resolved.get(id)).collect();
        self.write_chessmetrics(&players)?;
        Ok(Outcome::Done)
    }

    /// Who played whom, when, where, with what result, of all games before 1971 that count, under the names
    /// of the persons behind the spellings.
    fn write_results(&self) -> anyhow::Result<()> {
        if self.results.is_empty() {
            return Ok(());
        }
        let input = Input {
            pgn: self.results.clone(),
            spelling: vec![self.spelling.clone()],
            ..Input::default()
        };
        let settings = Settings { input, ..Settings::default() };
        let mut diagnostics = Vec::new();
        let reading = Reading::read(&settings, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        let mut kept = GameTable::default();
        kept.members.push("results before 1971".into());
        for &row in &reading.rows {
            let game = reading.table.games()[row];
            let person =
                |name| reading.players.of_name(name).map(|id| &reading.players.get(id).name);
            let (Some(white), Some(black)) = (person(game.white), person(game.black)) else {
                continue;
            };
            if game.date.year().is_none_or(|year| year >= RESULTS_UNTIL) {
                continue;
            }
            let mut name = |text: &str| kept.names.intern(text);
            let facts = Game {
                event: name(reading.table.text(game.event)),
                site: name(reading.table.text(game.site)),
                white: name(white),
                black: name(black),
                // Nothing of the moves, nothing of the source.
                plies: 0,
                fingerprint: 0,
                member: 0,
                line: 0,
                ..game
            };
            kept.push(facts);
        }
        let folder = self.out.join("results");
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join("before-1971.parquet");
        write_parquet(&kept, &path).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("{} results in {}", kept.len(), path.display());
        Ok(())
    }

    /// Complete round robins and matches, and everything from the folders that are taken whole.
    fn takes(&self, event: &Event, reading: &Reading) -> bool {
        let complete = (event.kind.is_round_robin() && event.coverage() == Some(1.0))
            // Matches of a knock-out come with it or not at all.
            || (event.kind == Kind::Match && !event.ranked_elsewhere);
        complete
            || event.games.iter().any(|game| {
                let member = reading.table.member_of(&reading.table.games()[game.row]);
                member.split(['/', '\\']).any(|part| self.whole.iter().any(|name| name == part))
            })
    }

    fn write_games(&self, chosen: &[&Event], reading: &Reading) -> anyhow::Result<()> {
        let folder = self.out.join("games");
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let mut decades: BTreeMap<i16, Vec<&Event>> = BTreeMap::new();
        for event in chosen {
            let year = event.start.year().unwrap_or_default();
            decades.entry(year - year % 10).or_default().push(event);
        }
        let mut games = 0;
        let mut written: FxHashSet<usize> = FxHashSet::default();
        for (decade, events) in decades {
            let path = folder.join(format!("{decade}s.pgn.zst"));
            let mut out = zstd::Encoder::new(create(&path)?, LEVEL)?;
            for event in events {
                // In the order of appearance, which is the published order where no other is known.
                let mut rows: Vec<usize> = event.games.iter().map(|game| game.row).collect();
                rows.sort_unstable();
                for row in rows.into_iter().filter(|row| written.insert(*row)) {
                    write_results(&mut out, &reading.table, &reading.table.games()[row])?;
                    games += 1;
                }
            }
            out.finish()?;
        }
        println!("{} events, {games} games", chosen.len());
        Ok(())
    }

    fn write_chessmetrics(&self, persons: &[&Player]) -> anyhow::Result<()> {
        let mut diagnostics = Vec::new();
        let mut lists = Vec::new();
        let system = |_: &Path| "Chessmetrics".to_owned();
        let limits = Limits::default();
        let everybody = |_: &[PersonName]| true;
        let path = &self.chessmetrics;
        read_lists(path, &system, limits, &everybody, &mut lists, &mut diagnostics);
        report(&diagnostics);
        let list = lists.pop().with_context(|| format!("{} is no list", path.display()))?;
        let mut out = self.csv("chessmetrics-yearly.csv", &["year", "rank", "name", "rating"])?;
        let mut lines = 0;
        for (rank, date, name, rating) in extract(&list, persons) {
            out.write_record([
                date.year().to_string(),
                rank.to_string(),
                name.to_owned(),
                rating.to_string(),
            ])?;
            lines += 1;
        }
        out.flush()?;
        println!("{lines} lines of Chessmetrics lists");
        Ok(())
    }

    /// One pass over the spelling file: the top of each FIDE list, and spellings of the players.
    fn write_from_spelling_file(
        &self,
        persons: &[&Player],
        years: &FxHashMap<&str, (i16, i16)>,
    ) -> anyhow::Result<()> {
        let path = &self.spelling;
        let mut claims = SpellingClaims::default();
        for person in persons {
            for text in &person.spellings {
                if let Some(years) = years.get(text.as_str()) {
                    claims.add(text, &person.id, *years);
                }
            }
        }
        let players = read_spelling_file(path, &|surname| claims.has_surname(surname))
            .with_context(|| format!("cannot read {}", path.display()))?;
        let mut tops: BTreeMap<Date, BinaryHeap<Place>> = BTreeMap::new();
        for player in &players {
            for &(date, rating) in &player.ratings {
                if date.year() < FIRST_FIDE_YEAR {
                    continue;
                }
                let top = tops.entry(date).or_default();
                top.push(Reverse((rating, Reverse(player.name.clone()))));
                if top.len() > FIDE_PLACES {
                    top.pop();
                }
            }
            claims.claim(player);
        }

        let mut out = self.csv("fide-top-twenty.csv", &["date", "rank", "name", "rating"])?;
        for (date, top) in tops {
            for (place, Reverse((rating, name))) in top.into_sorted_vec().into_iter().enumerate() {
                out.write_record([
                    date.to_string(),
                    (place + 1).to_string(),
                    name.0,
                    rating.to_string(),
                ])?;
            }
        }
        out.flush()?;
        let mut meant = claims.decide();
        add_lives(&mut meant, persons, &players);
        let file = meant.aliases;
        let folder = self.out.join("players");
        std::fs::create_dir_all(&folder)?;
        let mut out = create(&folder.join("aliases.toml"))?;
        write!(out, "{}", toml::to_string(&file)?)?;
        println!("{} players with other spellings or a life", file.player.len());
        Ok(())
    }

    fn csv(&self, name: &str, header: &[&str]) -> anyhow::Result<csv::Writer<File>> {
        let folder = self.out.join("ratings");
        std::fs::create_dir_all(&folder)?;
        let mut out = csv::Writer::from_writer(create(&folder.join(name))?);
        out.write_record(header)?;
        Ok(out)
    }
}

/// Adds the lives of the persons, under the name of their other spellings where they have any.
fn add_lives(meant: &mut Meant, persons: &[&Player], spelled: &[SpelledPlayer]) {
    let Meant { aliases, names } = meant;
    let mut entries: BTreeMap<String, AliasEntry> =
        aliases.player.drain(..).map(|entry| (entry.name.clone(), entry)).collect();
    let mut lives: FxHashMap<&str, Vec<Life>> = FxHashMap::default();
    for player in spelled {
        lives.entry(&player.name).or_default().push(player.life());
    }
    for person in persons {
        let correct: BTreeSet<&String> =
            person.spellings.iter().filter_map(|text| names.get(text)).collect();
        let Some(correct) = correct.first().filter(|_| correct.len() == 1) else { continue };
        let Some([life]) = lives.get(correct.as_str()).map(Vec::as_slice) else { continue };
        // Who has other spellings is shown by the correct name, everybody else by his own.
        let name = if entries.contains_key(*correct) { *correct } else { &person.name };
        entries
            .entry(name.clone())
            .or_insert_with(|| AliasEntry::new(name, Vec::new()))
            .set_life(life);
    }
    aliases.player = entries.into_values().collect();
}

fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// The players of the chosen events.
fn persons<'a>(chosen: &[&Event], players: &'a Players) -> Vec<&'a Player> {
    let ids: BTreeSet<&PlayerId> = chosen.iter().flat_map(|event| &event.players).collect();
    ids.into_iter().map(|id| players.get(*id)).collect()
}

/// First and last year of each spelling in the chosen events.
fn years<'a>(chosen: &[&Event], reading: &'a Reading) -> FxHashMap<&'a str, (i16, i16)> {
    let mut years: FxHashMap<&str, (i16, i16)> = FxHashMap::default();
    for game in chosen.iter().flat_map(|event| &event.games) {
        let game = &reading.table.games()[game.row];
        let Some(year) = game.date.year() else { continue };
        for name in [game.white, game.black] {
            let years = years.entry(reading.table.text(name)).or_insert((year, year));
            *years = (years.0.min(year), years.1.max(year));
        }
    }
    years
}

/// Lines of the years before FIDE's lists: the first places, and the persons.
fn extract<'a>(list: &'a RatingList, persons: &[&Player]) -> Vec<(usize, Date, &'a str, f64)> {
    let mut lines = Vec::new();
    for edition in list.editions().filter(|edition| edition.day.year() < FIRST_FIDE_YEAR) {
        let known: FxHashSet<&str> = persons
            .iter()
            .filter_map(|person| edition.find(&person.names))
            .map(|listed| listed.name)
            .collect();
        for (place, listed) in edition.ranking().into_iter().enumerate() {
            if place < CHESSMETRICS_PLACES || known.contains(listed.name) {
                lines.push((place + 1, edition.day, listed.name, listed.rating));
            }
        }
    }
    lines
}
