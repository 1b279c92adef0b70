//! The page of records: runs, perfect scores, margins, ages of winners, first places, upsets.

use serde::Serialize;

use super::page::Page;
use super::runs::{Run, longest_run};
use super::tournament_series::{first_places, is_tournament};
use super::upsets::upsets;
use super::{Link, Site};
use crate::figures::{counted, fixed, points, spoken};
use archive::{EventRecord, PlayerRow, Status};
use chess_history::ordinal::ordinal;
use tournament_app::{Kind, PlayerAnalysis};

/// The rows of each table.
const SHOWN: usize = 10;

/// The fewest games of a performance whose score is a record. Judged: as many as a tournament of
/// ten players has.
const GAMES: usize = 9;

/// The fewest games of a perfect score. Judged: as many as a tournament of six players has.
const PERFECT_GAMES: usize = 5;

/// The fewest games of a player whose runs are records. Judged: of players with fewer games, those
/// that were kept are mostly wins.
const CAREER_GAMES: usize = 100;

/// The strength from which on a field counts as strong. Measured: a fifth of the ranked tournaments
/// of the bundled data reach it; their mean is 83. At 100 all players are as strong as the world
/// number two.
const STRONG: f64 = 90.0;

/// The strength of a field of the world's best. Measured: a tenth of the ranked events of the
/// bundled data reach it, matches included.
const VERY_STRONG: f64 = 95.0;

/// A cell of a table: a text, with the address of its page if it has one.
#[derive(Debug, Serialize)]
struct Cell {
    text: String,
    href: String,
    /// Whether it is a number.
    is_number: bool,
}

impl Cell {
    fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), href: String::new(), is_number: false }
    }

    fn number(text: impl Into<String>) -> Cell {
        Cell { is_number: true, ..Cell::text(text) }
    }

    fn link(link: Link) -> Cell {
        Cell { text: link.text, href: link.href, is_number: false }
    }
}

/// A table of records with the story of its first row.
#[derive(Debug, Serialize)]
struct Feat {
    anchor: &'static str,
    title: &'static str,
    story: String,
    /// What counts, in a sentence.
    rule: &'static str,
    heads: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

/// Whether an archive has records to show.
pub(super) fn has_feats(site: &Site) -> bool {
    site.archive.records.iter().any(|record| is_tournament(record) && is_ranked(record))
}

pub(super) fn feats(site: &Site, page: &Page) -> impl Serialize {
    let feats: Vec<Feat> = [
        run_feat(site, 0.5),
        run_feat(site, 1.0),
        perfect_scores(site),
        best_percentages(site),
        margins(site),
        ages(site, false),
        ages(site, true),
        most_first_places(site),
        most_wins(site),
    ]
    .into_iter()
    .filter(|feat| !feat.rows.is_empty())
    .collect();
    let description = "The longest runs, perfect scores, widest margins, youngest and oldest \
         winners, and most first places in the games of this archive.";
    let all = 0..site.archive.records.len();
    view!(frame = page.frame(site, description), feats, upsets = upsets(site, all))
}

fn is_ranked(record: &EventRecord) -> bool {
    record.status == Status::Listed
}

fn strength(record: &EventRecord) -> f64 {
    record.analysis.strength.unwrap_or(0.0)
}

fn name(site: &Site, row: &PlayerRow) -> String {
    spoken(&site.archive.players.get(row.player).name)
}

/// The longest runs of all players: without a loss, or of wins.
fn run_feat(site: &Site, least: f64) -> Feat {
    let archive = site.archive;
    let mut runs: Vec<(Run, &PlayerRow)> = Vec::new();
    for row in &archive.lists.player_rows {
        let run = longest_run(&archive.records, row, least);
        if run.games >= GAMES && row.games >= CAREER_GAMES {
            runs.push((run, row));
        }
    }
    runs.sort_by(|(a, of_a), (b, of_b)| {
        let by_points = b.points.total_cmp(&a.points);
        b.games.cmp(&a.games).then(by_points).then(of_a.player.index().cmp(&of_b.player.index()))
    });
    runs.truncate(SHOWN);
    let event = |place: usize| Link::to_event(&archive.records[place]);
    let is_unbeaten = least < 1.0;
    let what = if is_unbeaten { "went {} without a loss" } else { "won {} in a row" };
    let story = runs.first().and_then(|(run, row)| {
        let (first, last) = run.events?;
        let games = counted(run.games, "game", "games");
        let played = if first == last {
            format!("at {}", event(first).text)
        } else {
            format!("from {} to {}", event(first).text, event(last).text)
        };
        Some(format!("{} {}, {played}.", name(site, row), what.replace("{}", &games)))
    });
    let rows = runs.iter().filter_map(|(run, row)| {
        let (first, last) = run.events?;
        Some(vec![
            Cell::number(run.games.to_string()),
            Cell::link(Link::to_player(archive, row.player)),
            Cell::number(points(run.points)),
            Cell::link(event(first)),
            Cell::link(event(last)),
        ])
    });
    Feat {
        anchor: if is_unbeaten { "unbeaten" } else { "wins" },
        title: if is_unbeaten { "Longest runs without a loss" } else { "Longest winning runs" },
        story: story.unwrap_or_default(),
        rule: "Classical games of players with a hundred games or more here, without a pause of two years. An event of which a game is missing \
               ends a run, and so does one in an unknown order that does not fit it as a whole: a run may have been \
               longer. An event that this archive lacks may have ended it.",
        heads: vec!["Games", "Player", "Points", "From", "To"],
        rows: rows.collect(),
    }
}

/// A performance in a ranked tournament.
struct Performance<'a> {
    record: &'a EventRecord,
    player: &'a PlayerAnalysis,
    standing: usize,
}

impl Performance<'_> {
    fn cells(&self, site: &Site, figure: String) -> Vec<Cell> {
        let score = format!("{} of {}", points(self.player.main_points), self.player.main_games);
        vec![
            Cell::number(figure),
            Cell::link(Link::to_player(site.archive, self.record.event.players[self.player.index])),
            Cell::link(Link::to_event(self.record)),
            Cell::number(score),
            Cell::number(Site::strength(self.record)),
        ]
    }

    fn name(&self) -> String {
        spoken(&self.player.name)
    }

    fn share(&self) -> f64 {
        self.player.main_points / self.player.main_games.max(1) as f64
    }
}

const PERFORMANCE_HEADS: [&str; 5] = ["", "Player", "Event", "Points", "Strength"];

fn performance_heads(first: &'static str) -> Vec<&'static str> {
    let mut heads = PERFORMANCE_HEADS.to_vec();
    heads[0] = first;
    heads
}

/// The performances in ranked tournaments that are whole for the player.
fn performances<'a>(site: &Site<'a>) -> Vec<Performance<'a>> {
    let mut found = Vec::new();
    for record in &site.archive.records {
        // In a knock-out the numbers of games differ.
        let is_for_all = !matches!(record.event.kind, Kind::KnockOut | Kind::Stages);
        if !is_for_all || !is_tournament(record) || !is_ranked(record) {
            continue;
        }
        for (standing, player) in record.analysis.players.iter().enumerate() {
            let (known, expected) = record.games_of(standing);
            if known >= expected && player.main_games > 0 {
                found.push(Performance { record, player, standing });
            }
        }
    }
    found
}

fn perfect_scores(site: &Site) -> Feat {
    let mut perfect = performances(site);
    perfect.retain(|one| {
        one.player.main_games >= PERFECT_GAMES
            && one.player.main_points == one.player.main_games as f64
    });
    perfect.sort_by(|a, b| strength(b.record).total_cmp(&strength(a.record)));
    let all = perfect.len();
    perfect.truncate(SHOWN);
    let story = perfect.first().map(|one| {
        format!(
            "{} won all {} games at {}, in the strongest field of {} such scores.",
            one.name(),
            one.player.main_games,
            one.record.event.name,
            all
        )
    });
    let rows = perfect.iter().map(|one| one.cells(site, one.player.main_games.to_string()));
    Feat {
        anchor: "perfect",
        title: "Perfect scores",
        story: story.unwrap_or_default(),
        rule: "All games won in a ranked tournament, five or more of them; the strongest field first.",
        heads: performance_heads("Games"),
        rows: rows.collect(),
    }
}

fn best_percentages(site: &Site) -> Feat {
    let mut best = performances(site);
    best.retain(|one| one.player.main_games >= GAMES && strength(one.record) >= STRONG);
    best.sort_by(|a, b| b.share().total_cmp(&a.share()));
    best.truncate(SHOWN);
    let percentage = |one: &Performance| format!("{}%", fixed(100.0 * one.share(), 1));
    let story = best.first().map(|one| {
        format!("{} scored {} at {}.", one.name(), percentage(one), one.record.event.name)
    });
    let rows = best.iter().map(|one| one.cells(site, percentage(one)));
    Feat {
        anchor: "percentage",
        title: "Best percentages in strong fields",
        story: story.unwrap_or_default(),
        rule: "Nine or more games in a ranked tournament of strength 90 or more.",
        heads: performance_heads("Score"),
        rows: rows.collect(),
    }
}

/// The largest leads of a winner over the second.
fn margins(site: &Site) -> Feat {
    let mut leads: Vec<(f64, Performance)> = Vec::new();
    for one in performances(site) {
        let record = one.record;
        if record.winners() != [one.standing] || one.player.main_games < GAMES {
            continue;
        }
        let others = record.analysis.players.iter().filter(|other| other.index != one.player.index);
        let second = others.map(|other| other.main_points).fold(0.0, f64::max);
        leads.push((one.player.main_points - second, one));
    }
    leads.sort_by(|(a, of_a), (b, of_b)| {
        b.total_cmp(a).then(strength(of_b.record).total_cmp(&strength(of_a.record)))
    });
    leads.truncate(SHOWN);
    let story = leads.first().map(|(lead, one)| {
        format!("{} won {} by {} points.", one.name(), one.record.event.name, points(*lead))
    });
    let rows = leads.iter().map(|(lead, one)| one.cells(site, points(*lead)));
    Feat {
        anchor: "margins",
        title: "Widest margins",
        story: story.unwrap_or_default(),
        rule: "The winner’s lead over the second in a ranked tournament of nine or more rounds; of equal leads, \
               the strongest field first.",
        heads: performance_heads("Lead"),
        rows: rows.collect(),
    }
}

/// The youngest or the oldest winners of ranked tournaments.
fn ages(site: &Site, oldest: bool) -> Feat {
    let mut winners: Vec<(i16, Performance)> = Vec::new();
    for one in performances(site) {
        let player = site.archive.players.get(one.record.event.players[one.player.index]);
        let born = player.life.as_ref().and_then(|life| life.born);
        let Some((born, year)) = born.zip(one.record.event.start.year()) else { continue };
        if one.record.winners().contains(&one.standing) && one.player.main_games >= GAMES {
            winners.push((year - born, one));
        }
    }
    winners.sort_by(|(a, of_a), (b, of_b)| {
        let by_age = if oldest { b.cmp(a) } else { a.cmp(b) };
        by_age.then(strength(of_b.record).total_cmp(&strength(of_a.record)))
    });
    winners.truncate(SHOWN);
    let story = winners.first().map(|(age, one)| {
        let birthday = ordinal(usize::try_from(*age).unwrap_or_default());
        let event = &one.record.event.name;
        format!("{} won {event} in the year of the {birthday} birthday.", one.name())
    });
    let rows = winners.iter().map(|(age, one)| one.cells(site, age.to_string()));
    Feat {
        anchor: if oldest { "oldest" } else { "youngest" },
        title: if oldest { "Oldest winners" } else { "Youngest winners" },
        story: story.unwrap_or_default(),
        rule: "Winners, shared first places included, of ranked tournaments of nine or more rounds. Age is the year of \
               the event less the year of birth, where it is known.",
        heads: performance_heads("Age"),
        rows: rows.collect(),
    }
}

/// A count for each player, most first.
fn counts<'a>(
    site: &Site<'a>,
    count: impl Fn(&PlayerRow) -> (usize, usize),
) -> Vec<(usize, usize, &'a PlayerRow)> {
    let rows = site.archive.lists.player_rows.iter();
    let mut counts: Vec<(usize, usize, &PlayerRow)> = rows
        .map(|row| {
            let (number, of) = count(row);
            (number, of, row)
        })
        .filter(|(number, ..)| *number > 0)
        .collect();
    counts.sort_by_key(|(number, of, row)| (std::cmp::Reverse(*number), *of, row.player.index()));
    counts.truncate(SHOWN);
    counts
}

fn count_rows(site: &Site, counts: &[(usize, usize, &PlayerRow)]) -> Vec<Vec<Cell>> {
    let cells = counts.iter().map(|(number, of, row)| {
        vec![
            Cell::number(number.to_string()),
            Cell::link(Link::to_player(site.archive, row.player)),
            Cell::number(of.to_string()),
        ]
    });
    cells.collect()
}

fn most_first_places(site: &Site) -> Feat {
    let found = counts(site, |row| {
        let places = first_places(&site.archive.records, row);
        (places.won.len(), places.tournaments)
    });
    let story = found.first().map(|(won, of, row)| {
        format!("{} was first {won} times in {of} tournaments.", name(site, row))
    });
    Feat {
        anchor: "first-places",
        title: "Most first places",
        story: story.unwrap_or_default(),
        rule: "Classical tournaments in this archive, shared first places included.",
        heads: vec!["First places", "Player", "Tournaments"],
        rows: count_rows(site, &found),
    }
}

/// The most games won in events of the world's best.
fn most_wins(site: &Site) -> Feat {
    let records = &site.archive.records;
    let found = counts(site, |row| {
        let (mut won, mut played) = (0, 0);
        for (event, standing) in &row.events {
            let record = &records[*event];
            if record.event.part_of.is_some()
                || !is_ranked(record)
                || strength(record) < VERY_STRONG
            {
                continue;
            }
            let player = record.analysis.players[*standing].index;
            for game in record.input.played() {
                let score = match player {
                    white if white == game.white => game.white_score,
                    black if black == game.black => 1.0 - game.white_score,
                    _ => continue,
                };
                played += 1;
                won += usize::from(score == 1.0);
            }
        }
        (won, played)
    });
    let story = found.first().map(|(won, of, row)| {
        format!("{} won {won} of {of} games against the world’s best.", name(site, row))
    });
    Feat {
        anchor: "strong-wins",
        title: "Most wins against the world’s best",
        story: story.unwrap_or_default(),
        rule: "Games of ranked events, matches included, of strength 95 or more.",
        heads: vec!["Wins", "Player", "Games"],
        rows: count_rows(site, &found),
    }
}
