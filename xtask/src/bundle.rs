//! `cargo xtask bundle`: writes the bundled data from collections.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use greatness::cli::{Terminal, report};
use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};

use greatness::archive::{Archive, EventRecord, Grouped, Input, Selected, Settings, Status, build};
use greatness::events::{Event, EventGame, SegmentKind};
use greatness::games::{Game, GameTable, Tempo};
use greatness::parquet::write_parquet;
use greatness::pgn::write_results;
use greatness::players::{
    AliasEntry, Life, PersonName, Player, PlayerId, Players, SpelledPlayer, SpellingClaims,
    SpellingMatches, SpellingTags, read_spelling_file,
};
use greatness::ratings::{
    Activity, FIDE_SYSTEM, ListOptions, RatingList, ReadLists, TagHistory, read_lists,
};
use greatness::source::{CleanName, Limits};

/// Write the bundled data anew: facts only, from collections and lists
///
/// Writes games as PGN with results and without moves, one file a decade, and extracts of rating
/// lists. For maintainers of the project.
#[derive(Debug, Args)]
pub struct Bundle {
    /// Game collection, of which the classical events that are complete or ranked are written
    #[arg(long, value_name = "PATH", required = true)]
    pgn: Vec<PathBuf>,
    /// Name of a folder within the collections of which all events are written, complete or not
    #[arg(long, value_name = "NAME")]
    whole: Vec<String>,
    /// Yearly Chessmetrics lists, of which the years before 1971 are written
    #[arg(long, value_name = "FILE")]
    chessmetrics: PathBuf,
    /// SCID's spelling file, for the top of each FIDE list and for spellings of names
    #[arg(long, value_name = "FILE")]
    spelling: PathBuf,
    /// Collection of which all results before 1971 are written, to compute ratings from them
    #[arg(long, value_name = "PATH")]
    results: Vec<PathBuf>,
    /// File of further names of players, by which lists name them
    #[arg(long, value_name = "FILE", default_value = "data/players/other-names.toml")]
    other_names: PathBuf,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

/// A file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum File {
    /// Complete events of the years with few events.
    Early,
    /// Complete events of ten years, with the first of these years.
    Decade(i16),
    /// Ranked events that lack more than a game or two.
    WithGaps,
}

impl File {
    fn name(self) -> String {
        match self {
            File::Early => "before-1880.pgn.zst".to_owned(),
            File::Decade(year) => format!("{year}s.pgn.zst"),
            File::WithGaps => "with-gaps.pgn.zst".to_owned(),
        }
    }
}

/// The first decade with enough tournaments for a separate file. Judged: earlier years share one
/// file, because a file for each decade would have few events.
const FIRST_DECADE: i16 = 1880;

/// The first year with FIDE lists.
const FIRST_FIDE_YEAR: i16 = 1971;

/// Number of ranks that are written of each FIDE list. Judged: the number two is among them even if
/// several of the best are inactive, and twice as many would double the file.
const FIDE_PLACES: usize = 20;

/// Number of ranks that are written of each Chessmetrics list; of lower ranks only players of the
/// events are. Judged: the number two is needed even if some of the best are inactive.
const CHESSMETRICS_PLACES: usize = 10;

/// zstd level. The level does not affect the speed of reading.
const LEVEL: i32 = 19;

/// The first year whose results are not written: FIDE's lists begin there.
const RESULTS_UNTIL: i16 = 1971;

/// Smallest proportion of its games with which an event counts as complete.
///
/// Judged: a round robin of ten may lack two of 45 games. With half as many missing, one lost game
/// would exclude a small tournament; with twice as many, the file of complete events would contain
/// broken-off ones.
const WHOLE: f64 = 0.95;

impl Bundle {
    pub fn run(self) -> anyhow::Result<()> {
        self.write_results()?;
        self.write_leaders()?;
        // Build an archive of all inputs, to know which events are complete, classical and rated.
        let input = Input {
            pgn: self.pgn.clone(),
            ratings: vec![self.chessmetrics.clone()],
            leaders: vec![self.leaders()],
            results: self.results.iter().map(|_| self.results_file()).take(1).collect(),
            spelling: vec![self.spelling.clone()],
            aliases: vec![self.other_names.clone()],
            ..Input::default()
        };
        let archive = build(Settings { input, ..Settings::default() }, &Terminal::new())?;
        report(&archive.findings.diagnostics);
        let chosen: Vec<(File, &Event)> = archive
            .records
            .iter()
            .filter_map(|record| Some((self.file_of(record, &archive.table)?, &record.event)))
            .collect();
        self.write_games(&chosen, &archive)?;

        let chosen: Vec<&Event> = chosen.into_iter().map(|(_, event)| event).collect();
        let persons = persons(&chosen, &archive.players);
        let years = years(&chosen, &archive.table);
        let players = self.write_aliases(&persons, &years)?;
        println!("wrote other spellings or life dates of {players} players");
        self.write_chessmetrics(&persons)?;
        Ok(())
    }

    fn leaders(&self) -> PathBuf {
        self.out.join("ratings").join("fide-top-twenty.csv")
    }

    fn results_file(&self) -> PathBuf {
        self.out.join("results").join("before-1971.parquet")
    }

    /// Writes the results of all games before 1971 that count: players, date, place, result.
    /// Players have the names that identity resolution found.
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
        let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        let mut kept = GameTable::default();
        kept.members.push("results before 1971".into());
        for &row in &games.rows {
            let game = games.table.games()[row];
            let [Some(white), Some(black)] = [game.white, game.black].map(|name| {
                games
                    .players
                    .of_name(name)
                    .map(|id| games.players.get(id).fullest_spelling.as_str())
            }) else {
                continue;
            };
            if game.date.year().is_none_or(|year| year >= RESULTS_UNTIL) {
                continue;
            }
            let [event, site] = [game.event, game.site].map(|name| games.table.text(name));
            let [event, site, white, black] =
                [event, site, white, black].map(|text| kept.names.intern(text));
            let facts = Game {
                event,
                site,
                white,
                black,
                // Leave out the moves and the source.
                plies: 0,
                fingerprint: 0,
                trace: 0,
                member: 0,
                line: 0,
                ..game
            };
            kept.push(facts);
        }
        let folder = self.out.join("results");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = self.results_file();
        write_parquet(&kept, &path).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("wrote {} results to {}", kept.len(), path.display());
        Ok(())
    }

    /// The file to which an event belongs, or `None` if it is not written. Classical events are
    /// written if they are ranked or complete, and all events of the folders that are written
    /// whole. Events with too few ratings, or of an unknown number of games, are written too: the
    /// archive shows them without a rank.
    ///
    /// The proportion of complete events of a file shows whether its matches ended where they seem
    /// to. Incomplete events therefore have their own file.
    fn file_of(&self, record: &EventRecord, table: &GameTable) -> Option<File> {
        let event = &record.event;
        let is_from_folder = event.games.iter().any(|game| {
            let member = table.member_of(&table.games()[game.row]);
            member.split(['/', '\\']).any(|part| self.whole.iter().any(|name| name == part))
        });
        let shown = [Status::Listed, Status::Weak, Status::Unrated, Status::Uncertain];
        let is_whole = shown.contains(&record.status) && event.coverage() >= WHOLE;
        let has_ranked =
            record.performances == Status::Listed && record.great.iter().any(Option::is_some);
        let is_ranked = record.status == Status::Listed || has_ranked;
        // A match of a knock-out is written with the knock-out only.
        let is_independent = event.part_of.is_none() || !event.ranked_elsewhere;
        let is_taken = event.tempo == Tempo::Classical && is_independent && (is_whole || is_ranked);
        if !is_taken && !is_from_folder {
            return None;
        }
        match event.start.year() {
            _ if !is_whole && !is_from_folder => Some(File::WithGaps),
            Some(..FIRST_DECADE) => Some(File::Early),
            Some(year) => Some(File::Decade(year - year % 10)),
            None => {
                eprintln!("skipping {}: its year is unknown", event.name);
                None
            }
        }
    }

    /// Writes the games of the events. Each has the name and place of its event and the names that
    /// identity resolution found, not its own tags.
    fn write_games(&self, chosen: &[(File, &Event)], archive: &Archive) -> anyhow::Result<()> {
        let folder = self.out.join("games");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut files: BTreeMap<File, Vec<&Event>> = BTreeMap::new();
        for (file, event) in chosen {
            files.entry(*file).or_default().push(event);
        }
        // Write matches of a cycle before the cycle, because their tags name the stage.
        for events in files.values_mut() {
            events.sort_by_key(|event| event.part_of.is_none());
        }
        let mut games = 0;
        let mut written: FxHashSet<usize> = FxHashSet::default();
        for (file, events) in files {
            let path = folder.join(file.name());
            let mut out = zstd::Encoder::new(create(&path)?, LEVEL)?;
            for event in events {
                // In the order of the collection, which is the published order unless another one
                // is known.
                let mut of_event: Vec<&EventGame> = event.games.iter().collect();
                of_event.sort_unstable_by_key(|game| game.row);
                for game in of_event.into_iter().filter(|game| written.insert(game.row)) {
                    let (facts, row) = facts_of(event, game, archive);
                    let names = [row.white, row.black].map(|name| facts.text(name));
                    write_results(&mut out, &facts, &row, names)?;
                    games += 1;
                }
            }
            out.finish()?;
        }
        println!("wrote {games} games of {} events", chosen.len());
        Ok(())
    }

    /// Writes the best players of each FIDE list from the spelling file, and whether each was
    /// active. After the last list it adds the best by the rating tags of the collection, month by
    /// month, as long as these represent the world's best.
    fn write_leaders(&self) -> anyhow::Result<()> {
        let input = Input {
            pgn: self.pgn.clone(),
            spelling: vec![self.spelling.clone()],
            ..Input::default()
        };
        let settings = Settings { input, ..Settings::default() };
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
        let Grouped { games, events, .. } = games.group(settings.events, &mut diagnostics);
        let activity = Activity::new(&games.table, &events, &games.players);
        let players = read_spelling_file(&self.spelling, &|_| false)
            .with_context(|| format!("cannot read {}", self.spelling.display()))?;
        let mut list = RatingList::new(FIDE_SYSTEM);
        for player in &players {
            let ratings = player.ratings.iter().copied();
            let rated = ratings.filter(|(day, _)| day.year() >= FIRST_FIDE_YEAR);
            list.add_history(&player.name, player.fide_id, rated);
        }
        let header = ["date", "rank", "name", "rating", "active", "source"];
        let mut out = self.csv("fide-top-twenty.csv", &header)?;
        let mut last = None;
        for edition in list.editions() {
            for (place, line) in edition.best().take(FIDE_PLACES).enumerate() {
                let is_active = activity.is_active(&list, &line, edition.day);
                out.write_record([
                    edition.day.to_string(),
                    (place + 1).to_string(),
                    line.name.to_owned(),
                    line.rating.to_string(),
                    if is_active { "yes" } else { "no" }.to_owned(),
                    "FIDE's list".to_owned(),
                ])?;
            }
            last = Some(edition.day);
        }
        let tags = TagHistory::new(&games.table, &games.rows, &games.players);
        let mut month = last.and_then(|last| last.checked_add(1.month()).ok());
        let mut months = 0;
        while let Some(day) = month.filter(|day| tags.reaches(*day)) {
            for (place, (player, rating)) in tags.best(day, FIDE_PLACES).into_iter().enumerate() {
                out.write_record([
                    day.to_string(),
                    (place + 1).to_string(),
                    games.players.get(player).fullest_spelling.clone(),
                    rating.to_string(),
                    "yes".to_owned(),
                    "tags of games".to_owned(),
                ])?;
            }
            months += 1;
            month = day.checked_add(1.month()).ok();
        }
        out.flush()?;
        println!(
            "wrote the best players of each FIDE list, and those by rating tags of {months} later months"
        );
        Ok(())
    }

    fn write_chessmetrics(&self, persons: &[&Player]) -> anyhow::Result<()> {
        let path = &self.chessmetrics;
        let options = ListOptions {
            system: &|_| "Chessmetrics".to_owned(),
            limits: Limits::default(),
            occurs: &|_| true,
        };
        let ReadLists { mut lists, diagnostics } = read_lists([path], options);
        report(&diagnostics);
        let list =
            lists.pop().with_context(|| format!("{} is not a rating list", path.display()))?;
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
        println!("wrote {lines} entries of Chessmetrics lists");
        Ok(())
    }

    /// Writes other spellings and life dates of the players. Returns the number of players written.
    fn write_aliases(
        &self,
        persons: &[&Player],
        years: &FxHashMap<&str, (i16, i16)>,
    ) -> anyhow::Result<usize> {
        let path = &self.spelling;
        let mut claims = SpellingClaims::default();
        for person in persons {
            for text in &person.spellings {
                if let Some(years) = years.get(text.as_str()) {
                    claims.add(text, &person.id, *years, SpellingTags::default());
                }
            }
        }
        let players = read_spelling_file(path, &|surname| claims.has_surname(surname))
            .with_context(|| format!("cannot read {}", path.display()))?;
        for player in &players {
            claims.claim(player);
        }
        let mut matches = claims.decide();
        add_lives(&mut matches, persons, &players);
        add_spellings(&mut matches, persons);
        let file = matches.aliases;
        let folder = self.out.join("players");
        fs::create_dir_all(&folder)?;
        let mut out = create(&folder.join("aliases.toml"))?;
        write!(out, "{}", toml::to_string(&file)?)?;
        Ok(file.player.len())
    }

    fn csv(&self, name: &str, header: &[&str]) -> anyhow::Result<csv::Writer<fs::File>> {
        let folder = self.out.join("ratings");
        fs::create_dir_all(&folder)?;
        let mut out = csv::Writer::from_writer(create(&folder.join(name))?);
        out.write_record(header)?;
        Ok(out)
    }
}

/// Adds the life dates of the players. They are stored under the correct name of players with other
/// spellings.
fn add_lives(matches: &mut SpellingMatches, persons: &[&Player], spelled: &[SpelledPlayer]) {
    let SpellingMatches { aliases, names } = matches;
    let mut entries: BTreeMap<CleanName, AliasEntry> =
        aliases.player.drain(..).map(|entry| (entry.name.clone(), entry)).collect();
    let mut lives: FxHashMap<&str, Vec<Life>> = FxHashMap::default();
    for player in spelled {
        lives.entry(&player.name).or_default().push(player.life());
    }
    for person in persons {
        let correct: BTreeSet<&CleanName> =
            person.spellings.iter().filter_map(|text| names.get(text)).collect();
        let Some(correct) = correct.first().filter(|_| correct.len() == 1) else { continue };
        let Some([life]) = lives.get(correct.as_str()).map(Vec::as_slice) else { continue };
        // A player with other spellings is stored under the correct name, others under their own.
        let name = if entries.contains_key(*correct) {
            (*correct).clone()
        } else {
            person.fullest_spelling.as_str().into()
        };
        entries
            .entry(name.clone())
            .or_insert_with(|| AliasEntry::new(name, Vec::new()))
            .set_life(life);
    }
    aliases.player = entries.into_values().collect();
}

/// Adds the collection's own spellings of the players, if they contain a full given name: with an
/// initial only, a spelling may mean someone else in another collection.
fn add_spellings(matches: &mut SpellingMatches, persons: &[&Player]) {
    let mut entries: BTreeMap<CleanName, AliasEntry> =
        matches.aliases.player.drain(..).map(|entry| (entry.name.clone(), entry)).collect();
    let mut known: FxHashSet<CleanName> = entries
        .values()
        .flat_map(|entry| entry.spellings.iter().chain([&entry.name]).cloned())
        .collect();
    for person in persons {
        for spelling in &person.spellings {
            let given = PersonName::parse(spelling).given;
            let spelling = CleanName::new(spelling);
            if given.first().is_none_or(|given| given.chars().count() <= 2)
                || spelling == *person.fullest_spelling
                || !known.insert(spelling.clone())
            {
                continue;
            }
            let name = CleanName::new(&person.fullest_spelling);
            let entry =
                entries.entry(name.clone()).or_insert_with(|| AliasEntry::new(name, Vec::new()));
            entry.spellings.push(spelling);
        }
    }
    matches.aliases.player = entries.into_values().collect();
}

/// The facts of a game of an event, without moves: name of the event and mark of its part, place of
/// the event, names of the players.
fn facts_of(event: &Event, game: &EventGame, archive: &Archive) -> (GameTable, Game) {
    let mut facts = GameTable::default();
    let row = archive.table.games()[game.row];
    let tag = if event.tag.is_empty() { &event.name } else { &event.tag };
    let withdrew =
        [game.white, game.black].iter().any(|player| event.recognised.withdrawn.contains(player));
    // The crosstable itself shows which players withdrew.
    let tag = match game.segment {
        SegmentKind::Extra if !withdrew => format!("{tag}+"),
        SegmentKind::PlayOff => format!("{tag} playoff"),
        SegmentKind::Main | SegmentKind::Extra => tag.clone(),
    };
    let site = if event.tagged_site.is_empty() { "?" } else { &event.tagged_site };
    let [white, black] = [game.white, game.black]
        .map(|player| archive.players.get(event.players[player]).fullest_spelling.as_str());
    let [event_name, site, white, black] =
        [&tag, site, white, black].map(|text: &str| facts.names.intern(text));
    let game = Game { event: event_name, site, white, black, ..row };
    (facts, game)
}

fn create(path: &Path) -> anyhow::Result<fs::File> {
    fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// The players of the chosen events.
fn persons<'a>(chosen: &[&Event], players: &'a Players) -> Vec<&'a Player> {
    let ids: BTreeSet<&PlayerId> = chosen.iter().flat_map(|event| &event.players).collect();
    ids.into_iter().map(|id| players.get(*id)).collect()
}

/// First and last year of each spelling in the chosen events.
fn years<'a>(chosen: &[&Event], table: &'a GameTable) -> FxHashMap<&'a str, (i16, i16)> {
    let mut years: FxHashMap<&str, (i16, i16)> = FxHashMap::default();
    for game in chosen.iter().flat_map(|event| &event.games) {
        let game = &table.games()[game.row];
        let Some(year) = game.date.year() else { continue };
        for name in [game.white, game.black] {
            let years = years.entry(table.text(name)).or_insert((year, year));
            *years = (years.0.min(year), years.1.max(year));
        }
    }
    years
}

/// Entries of the lists before FIDE's: the first ranks, and the players of the events.
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
