//! The most famous performances, by every measure of the archive side by side.

use serde::Serialize;

use super::chessmetrics::has_chessmetrics;
use super::moves;
use super::outcome::{PlayerScore, is_whole};
use super::page::Page;
use super::{Link, Site};
use crate::figures::{fixed, fixed_or_empty, points, spoken};
use archive::{EventRecord, Status};
use chess_history::events::Scoring;
use rating_systems::systems::elo::formulas::{Expectancy, performance};

/// The performances that lists of the greatest ones name: the event in the table of known results,
/// and the family name of the player.
const FAMOUS: [(&str, &str); 21] = [
    ("new-york-1857", "Morphy"),
    ("steinitz-blackburne-1876", "Steinitz"),
    ("new-york-1893", "Lasker"),
    ("hastings-1895", "Pillsbury"),
    ("vienna-1898", "Tarrasch"),
    ("london-1899", "Lasker"),
    ("lasker-capablanca-1921", "Capablanca"),
    ("new-york-1924", "Lasker"),
    ("san-remo-1930", "Alekhine"),
    ("bled-1931", "Alekhine"),
    ("world-championship-match-tournament-1948", "Botvinnik"),
    ("yugoslavia-candidates-1959", "Tal"),
    ("us-championship-1963-1964", "Fischer"),
    ("fischer-taimanov-1971", "Fischer"),
    ("fischer-larsen-1971", "Fischer"),
    ("tilburg-1989", "Kasparov"),
    ("linares-1994", "Karpov"),
    ("wijk-aan-zee-1999", "Kasparov"),
    ("linares-1999", "Kasparov"),
    ("nanjing-pearl-spring-2009", "Carlsen"),
    ("sinquefield-cup-2014", "Caruana"),
];

/// The performances that the page needs. Judged: with fewer there is nothing to compare.
const ENOUGH: usize = 3;

/// The performance of the front page’s question.
const QUESTION: (&str, &str) = ("linares-1994", "Karpov");

/// A famous performance in the archive: its place in the list, the event and the standing.
type Found = (usize, usize, usize);

fn found(site: &Site) -> Vec<Found> {
    let records = &site.archive.records;
    let mut found = Vec::new();
    for (event, record) in records.iter().enumerate() {
        let Some(known) = &record.event.known else { continue };
        for (place, (key, family)) in FAMOUS.iter().enumerate() {
            if known.result.event != *key {
                continue;
            }
            let mut players = record.analysis.players.iter();
            let standing =
                players.position(|player| player.name.split(',').next() == Some(*family));
            found.extend(standing.map(|standing| (place, event, standing)));
        }
    }
    found.sort_unstable();
    found
}

pub(super) fn has_famous(site: &Site) -> bool {
    found(site).len() >= ENOUGH
}

/// The performances by Elo’s curve, from the ratings that the analysis used, by standing; `None`
/// with few games.
fn elo_performances(site: &Site, record: &EventRecord) -> Vec<Option<f64>> {
    let lists = &site.archive.settings.lists;
    let mut performances = Vec::new();
    for (own, player) in
        record.chessmetrics_performances().into_iter().zip(&record.analysis.players)
    {
        performances.push(own.filter(|_| lists.has_enough_games(player)).map(|own| {
            let games = own.games as f64;
            // Scores of 0% and 100% count half a point from the end, as in an exact performance.
            let points = own.points.clamp(0.5, games - 0.5);
            performance(Expectancy::Normal, own.mean_opponent, points / games)
        }));
    }
    performances
}

/// The Elo performances of all ranked events, the best first.
fn all_elo_performances(site: &Site) -> Vec<f64> {
    let records = site.archive.records.iter();
    let ranked = records
        .filter(|record| record.performances == Status::Listed && !record.event.ranked_elsewhere);
    let mut all: Vec<f64> =
        ranked.flat_map(|record| elo_performances(site, record)).flatten().collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all
}

fn rank_in(all: &[f64], value: f64) -> usize {
    1 + all.partition_point(|other| *other > value)
}

/// The winner's points by historical sources, if games that are missing here give others; otherwise
/// empty.
fn points_in_history(record: &EventRecord, player: usize) -> String {
    let known = record.event.known.as_ref();
    let known = known.filter(|known| {
        let has_game_points = record.event.scoring() == Scoring::GamePoints;
        known.winners.contains(&player) && has_game_points && !is_whole(record)
    });
    let own = record.analysis.players.iter().find(|one| one.index == player);
    let here = own.map(|own| own.main_points);
    let official = known.and_then(|known| known.result.points).filter(|all| Some(*all) != here);
    official.map(points).unwrap_or_default()
}

/// A figure with its rank; both are empty if it is not known.
#[derive(Debug, Default, Serialize)]
struct RankedFigure {
    figure: String,
    rank: String,
}

pub(super) fn famous(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let by_elo = all_elo_performances(site);
    let by_chessmetrics = &archive.studies.chessmetrics.performances;
    let mut question = String::new();
    let mut rows = Vec::new();
    for (place, event, standing) in found(site) {
        let record = &archive.records[event];
        let player = &record.analysis.players[standing];
        let g = RankedFigure {
            figure: fixed_or_empty(player.g_score, 0),
            rank: site
                .greatness_rank
                .get(&(event, standing))
                .map(usize::to_string)
                .unwrap_or_default(),
        };
        let elo = elo_performances(site, record)[standing];
        let elo = elo.map_or_else(RankedFigure::default, |elo| RankedFigure {
            figure: fixed(elo, 0),
            rank: rank_in(&by_elo, elo).to_string(),
        });
        let mut padded = by_chessmetrics.iter();
        let padded = padded.find(|row| (row.event, row.standing) == (event, standing));
        let chessmetrics = padded.map_or_else(RankedFigure::default, |row| RankedFigure {
            figure: fixed(row.padded, 0),
            rank: row.rank.to_string(),
        });
        let (moves, moves_interval, _) = moves::at_event(site, event, player.index);
        if FAMOUS[place] == QUESTION {
            question = answer(record, &player.name, &g, &elo, &chessmetrics);
        }
        let each = player.p_zero.map(|p_zero| p_zero / player.games.max(1) as f64);
        rows.push(view!(
            player = Link::to_player(archive, record.event.players[player.index]),
            event = Link::to_event(record),
            score = PlayerScore::new(record, standing),
            history = points_in_history(record, player.index),
            g,
            elo,
            chessmetrics,
            moves,
            moves_interval,
            // The factors of the G-score.
            each = fixed_or_empty(each, 2),
            resistance = fixed_or_empty(player.resistance, 3),
            stamina = fixed(player.stamina, 2)
        ));
    }
    let description = "The most famous performances, by every measure side by side.";
    view!(
        frame = page.frame(site, description),
        question,
        has_chessmetrics = has_chessmetrics(site),
        rows
    )
}

/// The answer to the question where a performance is, in a sentence.
fn answer(
    record: &EventRecord,
    name: &str,
    g: &RankedFigure,
    elo: &RankedFigure,
    chessmetrics: &RankedFigure,
) -> String {
    let by = [("G-score", g), ("Elo performance", elo), ("Chessmetrics", chessmetrics)];
    let ranks = by.iter().filter(|(_, figure)| !figure.rank.is_empty());
    let ranks: Vec<String> =
        ranks.map(|(measure, figure)| format!("number {} by {measure}", figure.rank)).collect();
    if ranks.is_empty() {
        return String::new();
    }
    format!("{} at {} is {}.", spoken(name), record.event.name, ranks.join(", "))
}
