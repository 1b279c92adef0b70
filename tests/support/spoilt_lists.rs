//! Compares the ranked lists of a spoilt collection with those of the good collection.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use greatness::archive::{Archive, EventRecord, ListSettings, Settings, Silent, build};
use greatness::events::{EventGame, SegmentKind};
use greatness::players::PlayerId;

use super::spoil::SourceGame;
use super::spoilt_forms::Goal;

/// The greatest difference of a strength (points) from that of the good collection.
///
/// Taken from the goal for spoilt collections. It is about a third of the standard error of a
/// strength (`strength_error` of the export, 3 for most tournaments).
const STRENGTH_DIFFERENCE: f64 = 1.0;

/// The greatest difference of a G-score, as a fraction, from that of the good collection.
///
/// Taken from the goal for spoilt collections. The standard error of a G-score is 3% to 6%.
const G_DIFFERENCE: f64 = 0.01;

/// The greatest difference of a G-score in points, which is less than 1% of the highest ones.
const G_POINTS: f64 = 3.0;

/// A row of a ranked list: an event with its strength, or a performance with its G-score.
#[derive(Debug)]
pub struct ListedRow {
    /// The event's identifier, followed by the player's.
    pub id: String,
    pub figure: f64,
    /// The games of the event, or of the player in it: each with its number in the good collection,
    /// and for a player with whether he had White.
    pub games: BTreeSet<(usize, bool)>,
    /// The numbers of all games of the event.
    pub games_of_event: BTreeSet<usize>,
}

/// The ranked lists of a collection.
#[derive(Debug)]
pub struct RankedLists {
    pub strengths: Vec<ListedRow>,
    pub g_scores: Vec<ListedRow>,
    /// The numbers of all games of the collection.
    known: BTreeSet<usize>,
    /// All events: what they are, and the numbers of their games.
    events: Vec<(String, BTreeSet<usize>)>,
}

/// Writes games to files of a folder. Returns the settings for a build of them.
pub fn settings_for(files: &[Vec<SourceGame>], folder: &Path) -> Settings {
    let mut settings = Settings::default();
    for (number, games) in files.iter().enumerate().filter(|(_, games)| !games.is_empty()) {
        let path = folder.join(format!("games-{number}.pgn"));
        std::fs::write(&path, games.iter().map(SourceGame::pgn).collect::<String>()).unwrap();
        settings.input.pgn.push(path);
    }
    settings
}

/// Finds a game's number in the good collection by the file and the line where it was read.
pub struct GameNumbers(BTreeMap<(usize, u32), usize>);

impl GameNumbers {
    /// Numbers the games of the files that [`settings_for`] writes.
    pub fn new(files: &[Vec<SourceGame>]) -> GameNumbers {
        let mut numbers = BTreeMap::new();
        for (file, games) in files.iter().enumerate() {
            let mut line = 1;
            for game in games {
                numbers.insert((file, line), game.number);
                line += game.pgn().matches('\n').count() as u32;
            }
        }
        GameNumbers(numbers)
    }

    /// Returns the number of a game that was read from a line of a file.
    pub fn find(&self, file: &str, line: u32) -> usize {
        let stem = file.strip_suffix(".pgn").unwrap_or(file);
        let number = stem.rsplit('-').next().and_then(|number| number.parse().ok());
        self.0[&(number.expect("a file of `settings_for`"), line)]
    }
}

impl RankedLists {
    /// Builds the archive of some files of games.
    pub fn new(files: &[Vec<SourceGame>], with_known_results: bool) -> RankedLists {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let mut settings = settings_for(files, folder.path()).with_bundled_data(&data).unwrap();
        settings.input.without_known_results = !with_known_results;
        let archive = build(settings, &Silent).unwrap();
        let numbers = GameNumbers::new(files);
        let Archive { lists, records, players, .. } = &archive;
        let strengths = lists.strength.iter().map(|row| {
            let record = &records[row.event];
            let games = games_of(record, &archive, &numbers);
            ListedRow {
                id: record.event.id.clone(),
                figure: row.strength,
                games: games.iter().map(|game| (game.number, true)).collect(),
                games_of_event: games.iter().map(|game| game.number).collect(),
            }
        });
        let g_scores = lists.greatness.iter().map(|row| {
            let record = &records[row.event];
            let games = games_of(record, &archive, &numbers);
            let own = games.iter().filter(|game| game.players.contains(&row.player));
            ListedRow {
                id: format!("{} {}", record.event.id, players.get(row.player).id),
                figure: row.g_score,
                games: own.map(|game| (game.number, game.players[0] == row.player)).collect(),
                games_of_event: games.iter().map(|game| game.number).collect(),
            }
        });
        let events = records.iter().map(|record| {
            let games = games_of(record, &archive, &numbers);
            (description(record), games.iter().map(|game| game.number).collect())
        });
        RankedLists {
            events: events.collect(),
            strengths: strengths.collect(),
            g_scores: g_scores.collect(),
            known: files.iter().flatten().map(|game| game.number).collect(),
        }
    }

    /// Describes the events that have games of a row.
    fn holders(&self, row: &ListedRow) -> Vec<String> {
        let holders = self.events.iter().filter_map(|(description, games)| {
            let shared = games.intersection(&row.games_of_event).count();
            (shared > 0).then(|| format!("{shared} in {description}"))
        });
        holders.collect()
    }
}

/// What an event is, for the developer who asks why it is not listed.
fn description(record: &EventRecord) -> String {
    let event = &record.event;
    format!(
        "{} ({}{}, {} players, {} of {} games; {})",
        event.id,
        event.kind.word(),
        if event.recognised.is_certain { "" } else { "?" },
        event.players.len(),
        event.recognised.placed_games,
        event.recognised.expected_games,
        event.reasons.join(", ")
    )
}

/// A game of an event: its number in the good collection, White and Black.
struct NumberedGame {
    number: usize,
    players: [PlayerId; 2],
}

/// Returns the games of the event proper, without play-offs. An event that is a play-off has no
/// others.
fn games_of(record: &EventRecord, archive: &Archive, numbers: &GameNumbers) -> Vec<NumberedGame> {
    let event = &record.event;
    let is_main = |game: &&EventGame| game.segment == SegmentKind::Main;
    let is_play_off = !event.games.iter().any(|game| is_main(&game));
    let proper = event.games.iter().filter(|game| is_play_off || is_main(game));
    proper
        .map(|game| {
            let read = &archive.table.games()[game.row];
            let file = &archive.table.members[read.member as usize];
            NumberedGame {
                number: numbers.find(file, read.line),
                players: [event.players[game.white], event.players[game.black]],
            }
        })
        .collect()
}

/// The lists of a spoilt collection, compared with those of the good one.
#[derive(Debug)]
pub struct ListComparison {
    pub strengths: RowComparison,
    pub g_scores: RowComparison,
}

impl ListComparison {
    pub fn new(good: &RankedLists, spoilt: &RankedLists) -> ListComparison {
        let is_same_strength =
            |figure: f64, original: f64| (figure - original).abs() <= STRENGTH_DIFFERENCE;
        let is_same_g_score = |figure: f64, original: f64| {
            (figure - original).abs() <= (G_DIFFERENCE * original).min(G_POINTS)
        };
        ListComparison {
            strengths: RowComparison::new(
                &good.strengths,
                spoilt,
                &spoilt.strengths,
                is_same_strength,
            ),
            g_scores: RowComparison::new(&good.g_scores, spoilt, &spoilt.g_scores, is_same_g_score),
        }
    }

    /// Prints the rows that are lost or unsound.
    pub fn print(&self, heading: &str) {
        for (list, rows) in [("strengths", &self.strengths), ("G-scores", &self.g_scores)] {
            println!(
                "{heading}: {list}: {} of {} rows are sound, {} whole",
                rows.sound, rows.listed, rows.whole
            );
            println!("  lost:\n    {}", rows.lost.join("\n    "));
            println!("  unsound:\n    {}", rows.unsound.join("\n    "));
        }
    }
}

/// How many rows of a list are right.
#[derive(Debug, Default)]
pub struct RowComparison {
    /// Rows of the good collection's list whose events are whole in the spoilt collection.
    pub whole: usize,
    /// Rows of the spoilt collection's list.
    pub listed: usize,
    /// Listed rows that are right: the event has no games of another one and not too few of its
    /// own, and the figure is that of the good collection.
    pub sound: usize,
    /// Sound rows with another identifier than in the good collection.
    pub renamed: usize,
    /// The whole rows that have no sound row, each with the events that have their games.
    lost: Vec<String>,
    /// The listed rows that are not sound, each with its figures.
    unsound: Vec<String>,
}

impl RowComparison {
    fn new(
        good: &[ListedRow],
        lists: &RankedLists,
        spoilt: &[ListedRow],
        is_same_figure: impl Fn(f64, f64) -> bool,
    ) -> RowComparison {
        let mut found = RowComparison { listed: spoilt.len(), ..RowComparison::default() };
        let mut kept: BTreeSet<&str> = BTreeSet::new();
        for row in spoilt {
            let Some(original) = original_of(row, good) else {
                found.unsound.push(format!("{} ({:.1}, not listed before)", row.id, row.figure));
                continue;
            };
            if has_games_of(row, original) && is_same_figure(row.figure, original.figure) {
                found.sound += 1;
                found.renamed += usize::from(row.id != original.id);
                kept.insert(&original.id);
            } else {
                found.unsound.push(format!(
                    "{} ({:.1} with {} games, not {:.1} with {})",
                    row.id,
                    row.figure,
                    row.games.len(),
                    original.figure,
                    original.games.len()
                ));
            }
        }
        for row in good.iter().filter(|row| row.games_of_event.is_subset(&lists.known)) {
            found.whole += 1;
            if !kept.contains(row.id.as_str()) {
                found.lost.push(format!("{}: {}", row.id, lists.holders(row).join("; ")));
            }
        }
        found
    }

    /// Returns sound rows as a fraction of the rows whose events are whole.
    pub fn kept(&self) -> f64 {
        self.sound as f64 / self.whole.max(1) as f64
    }

    /// Returns sound rows as a fraction of the listed rows.
    pub fn sound_part(&self) -> f64 {
        if self.listed == 0 { 1.0 } else { self.sound as f64 / self.listed as f64 }
    }

    pub fn reaches(&self, goal: Goal) -> bool {
        self.kept() >= goal.kept && self.sound_part() >= goal.sound
    }
}

/// Finds the row of the good collection with the most games of a row, among equals the one with the
/// fewest others: a cycle has the games of its matches.
fn original_of<'a>(row: &ListedRow, good: &'a [ListedRow]) -> Option<&'a ListedRow> {
    let shared = |original: &ListedRow| original.games.intersection(&row.games).count();
    good.iter()
        .map(|original| (shared(original), std::cmp::Reverse(original.games.len()), original))
        .filter(|(shared, ..)| *shared > 0)
        .max_by_key(|(shared, size, _)| (*shared, *size))
        .map(|(.., original)| original)
}

/// Whether a row has only games of another one, and enough of them. The lists admit an event with a
/// few unknown games.
fn has_games_of(row: &ListedRow, original: &ListedRow) -> bool {
    let least = ListSettings::default().minimum_coverage * original.games.len() as f64;
    row.games.is_subset(&original.games) && row.games.len() as f64 >= least
}
