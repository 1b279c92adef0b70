//! Head to head: the games of two players who met often.

use serde::Serialize;

use super::games;
use super::meetings::{FrequentPair, path};
use super::{Link, Section, Site, span};
use crate::charts::{ChartLine, LineAbout, LineChart, RatingChart, line_chart, rating_chart};
use crate::errors::PublishError;
use crate::figures::{counted, fixed, points, spoken};
use crate::long_table::LongTable;
use crate::page_writer::PageWriter;
use archive::Archive;
use chess_history::players::PlayerId;
use chess_history::ratings::RatingHistory;
use pgn_collections::games::Tempo;
use tournament_app::Kind;

/// A run of games without a loss is mentioned from this length on. Judged: of two
/// equal players who draw half of their games, one has no loss in five games with a probability of
/// 24%. A shorter run says nothing.
const LONG_RUN: usize = 5;

/// A game from the side of the first player.
struct ScoredGame {
    event: usize,
    /// Points of the first player.
    score: f64,
    has_white: bool,
    year: Option<i16>,
}

impl ScoredGame {
    /// A game of an event from the side of one of its two players.
    fn new(archive: &Archive, player: PlayerId, (event, game): (usize, usize)) -> ScoredGame {
        let record = &archive.records[event].event;
        let game = &record.games[game];
        let white_score = archive.table.games()[game.row].result.white_score().unwrap_or(0.5);
        let has_white = record.players[game.white] == player;
        let score = if has_white { white_score } else { 1.0 - white_score };
        ScoredGame { event, score, has_white, year: record.start.year() }
    }
}

/// Wins, draws and losses of the first player: `+3 −1 =6`.
fn tally(games: &[&ScoredGame]) -> [usize; 3] {
    let mut tally = [0; 3];
    for game in games {
        let place = if game.score > 0.75 {
            0
        } else if game.score >= 0.25 {
            1
        } else {
            2
        };
        tally[place] += 1;
    }
    tally
}

/// The score of some of the games: `5½–3½ (+3 −1 =5)`.
fn score(games: &[&ScoredGame]) -> String {
    let [won, drawn, lost] = tally(games);
    let own: f64 = games.iter().map(|game| game.score).sum();
    format!("{}–{} (+{won} −{lost} ={drawn})", points(own), points(games.len() as f64 - own))
}

/// The longest run of games that pass, and its years.
fn longest(games: &[ScoredGame], passes: impl Fn(&ScoredGame) -> bool) -> (usize, String) {
    let runs = games.chunk_by(|a, b| passes(a) == passes(b)).filter(|run| passes(&run[0]));
    // Of equally long runs, the first.
    let run = runs.rev().max_by_key(|run| run.len()).unwrap_or_default();
    let years = run.iter().filter_map(|game| game.year);
    (run.len(), span(years.clone().min().zip(years.max())))
}

/// Links to the pages of the pairs with the most games.
pub(super) fn most_games(site: &Site, count: usize) -> Vec<Link> {
    site.pairs
        .most_games(count)
        .into_iter()
        .map(|pair| {
            let names = pair.players.map(|player| spoken(&site.archive.players.get(player).name));
            let games = counted(pair.games.len(), "game", "games");
            Link {
                href: path(site.archive, pair.players),
                text: format!("{}: {games}", names.join(" – ")),
            }
        })
        .collect()
}

/// Writes the page of a pair.
pub fn pair(writer: &PageWriter, place: usize) -> Result<(), PublishError> {
    let site = writer.site;
    let archive = site.archive;
    let FrequentPair { players, games } = &site.pairs.pairs[place];
    let ids = players.map(|player| archive.players.get(player).id.as_str());
    let totals = players.map(|player| -> f64 {
        games.iter().map(|game| ScoredGame::new(archive, player, *game).score).sum()
    });
    let [a, b] = *players;
    let sides = if (totals[1], ids[0]) > (totals[0], ids[1]) { [b, a] } else { [a, b] };
    let counted_games: Vec<ScoredGame> =
        games.iter().map(|game| ScoredGame::new(archive, sides[0], *game)).collect();
    let names = sides.map(|side| spoken(&archive.players.get(side).name));
    let surnames = sides.map(|side| {
        let name = &archive.players.get(side).name;
        name.split(',').next().unwrap_or(name).trim().to_owned()
    });
    let all: Vec<&ScoredGame> = counted_games.iter().collect();
    let meetings: Vec<&[ScoredGame]> = counted_games.chunk_by(|a, b| a.event == b.event).collect();
    let years = counted_games.iter().filter_map(|game| game.year);
    let years = span(years.clone().min().zip(years.max()));
    let summary = summary(&names, &surnames, &all, meetings.len(), &years);
    let path = path(archive, sides);
    let (ratings, system) = ratings(site, sides, &surnames);
    let name = path.trim_start_matches("pairs/").trim_end_matches(".html");
    let lines = game_lines(site, games, &counted_games, &surnames);
    let table = LongTable::new(format!("games-{name}"), lines);
    let view = view!(
        frame = site.frame(
            &path,
            Section::Players,
            format!("{} – {}", names[0], names[1]),
            summary.clone(),
        ),
        facts = facts(site, &surnames, &counted_games),
        lead = lead(&surnames, &counted_games),
        ratings,
        system,
        events = meetings.iter().map(|games| meeting_line(site, games)).collect::<Vec<_>>(),
        table = &table,
        // The player with more points first.
        players = sides.map(|side| Link::to_player(archive, side)),
        ids = sides.map(|side| archive.players.get(side).id.as_str().to_owned()),
        names,
        summary
    );
    writer.page(&path, "pair.html", &view)?;
    writer.rest(&table, "game_rows.html", "../")
}

fn summary(
    names: &[String; 2],
    surnames: &[String; 2],
    all: &[&ScoredGame],
    events: usize,
    years: &str,
) -> String {
    let [won, drawn, lost] = tally(all);
    let own: f64 = all.iter().map(|game| game.score).sum();
    let others = all.len() as f64 - own;
    let leads = if own > others {
        format!("{} leads {}–{}", names[0], points(own), points(others))
    } else {
        format!("they are level at {}–{}", points(own), points(others))
    };
    let when = if years.is_empty() { String::new() } else { format!(", {years}") };
    format!(
        "{} in {}{when}: {leads}. {} won {won}, {} won {lost}, and {drawn} {}.",
        counted(all.len(), "game", "games"),
        counted(events, "event", "events"),
        surnames[0],
        surnames[1],
        if drawn == 1 { "was drawn" } else { "were drawn" },
    )
}

fn facts(site: &Site, surnames: &[String; 2], games: &[ScoredGame]) -> Vec<String> {
    let records = &site.archive.records;
    let mut facts = Vec::new();
    for (side, has_white) in [(0, true), (1, false)] {
        let games: Vec<&ScoredGame> =
            games.iter().filter(|game| game.has_white == has_white).collect();
        if !games.is_empty() {
            facts.push(format!("With {} as White: {}.", surnames[side], score(&games)));
        }
    }
    let (matches, tournaments): (Vec<&ScoredGame>, Vec<&ScoredGame>) =
        games.iter().partition(|game| records[game.event].event.kind == Kind::Match);
    if !matches.is_empty() && !tournaments.is_empty() {
        facts.push(format!(
            "In matches: {}; in tournaments: {}.",
            score(&matches),
            score(&tournaments)
        ));
    }
    let mut tempos = Vec::new();
    for tempo in [Tempo::Classical, Tempo::Rapid, Tempo::Blitz] {
        let games: Vec<&ScoredGame> =
            games.iter().filter(|game| records[game.event].event.tempo == tempo).collect();
        if !games.is_empty() {
            tempos.push(format!("{} {}", tempo.word(), score(&games)));
        }
    }
    if tempos.len() > 1 {
        facts.push(format!("By tempo: {}.", tempos.join("; ")));
    }
    let unbeaten =
        [longest(games, |game| game.score > 0.25), longest(games, |game| game.score < 0.75)];
    for (name, (games, years)) in surnames.iter().zip(unbeaten) {
        if games >= LONG_RUN {
            let years = if years.is_empty() { String::new() } else { format!(" ({years})") };
            facts.push(format!("Longest unbeaten run of {name}: {games} games{years}."));
        }
    }
    facts
}

/// Wins minus losses of the first player, game by game.
fn leads(games: &[ScoredGame]) -> impl Iterator<Item = f64> + '_ {
    games.iter().scan(0.0, |lead, game| {
        *lead += 2.0 * game.score - 1.0;
        Some(*lead)
    })
}

fn lead(surnames: &[String; 2], games: &[ScoredGame]) -> Option<LineChart> {
    let start = std::iter::once((0.0, 0.0));
    let points = leads(games).enumerate().map(|(place, lead)| (place as f64 + 1.0, lead));
    let line = ChartLine::new(format!("lead of {}", surnames[0]), 0, start.chain(points));
    let about =
        LineAbout::new("lead", "Wins minus losses, game by game", ["games", "wins minus losses"]);
    line_chart(about, &[line])
}

/// A chart of both players by the first list that rates both.
fn ratings(
    site: &Site,
    sides: [PlayerId; 2],
    surnames: &[String; 2],
) -> (Option<RatingChart>, String) {
    let [one, other] = sides.map(|side| site.histories_of(side));
    let both = one.iter().find_map(|history| {
        let same = other.iter().find(|theirs| theirs.system == history.system)?;
        Some((history, same))
    });
    let Some((mine, theirs)) = both else { return (None, String::new()) };
    // In this chart, each line has the name of a player, not of the list.
    let lines = [(mine, &surnames[0]), (theirs, &surnames[1])]
        .map(|(history, name)| RatingHistory { system: name.clone(), ..history.clone() });
    (rating_chart(&lines, &[]), mine.system.clone())
}

fn meeting_line(site: &Site, games: &[ScoredGame]) -> impl Serialize + use<> {
    let record = &site.archive.records[games[0].event];
    let all: Vec<&ScoredGame> = games.iter().collect();
    let [won, drawn, lost] = tally(&all);
    let own: f64 = games.iter().map(|game| game.score).sum();
    view!(
        event = Link::to_event(record),
        year = Site::year(record),
        kind = record.event.kind.words(),
        score = format!("{}–{}", points(own), points(games.len() as f64 - own)),
        won,
        drawn,
        lost
    )
}

fn game_lines(
    site: &Site,
    games: &[(usize, usize)],
    counted: &[ScoredGame],
    surnames: &[String; 2],
) -> Vec<impl Serialize + use<>> {
    let lines = games.iter().zip(counted).zip(leads(counted)).enumerate();
    lines
        .map(|(place, ((&(event, number), counted), lead))| {
            let record = &site.archive.records[event];
            let game = &site.archive.table.games()[record.event.games[number].row];
            view!(
                number = place + 1,
                board = games::at(site, record, number),
                date = game.date.in_words().unwrap_or_else(|| Site::year(record)),
                event = Link::to_event(record),
                round = if game.round.is_known() { game.round.to_string() } else { String::new() },
                white = surnames[usize::from(!counted.has_white)].clone(),
                result = match (counted.score, counted.has_white) {
                    (score, true) if score > 0.75 => "1–0",
                    (score, true) if score < 0.25 => "0–1",
                    (score, false) if score > 0.75 => "0–1",
                    (score, false) if score < 0.25 => "1–0",
                    _ => "½–½",
                },
                moves = match game.plies {
                    0 => String::new(),
                    plies => plies.div_ceil(2).to_string(),
                },
                // Wins minus losses of the first player, after the game.
                lead = match lead {
                    lead if lead > 0.0 => format!("+{}", fixed(lead, 0)),
                    lead => fixed(lead, 0),
                }
            )
        })
        .collect()
}
