//! The page of a player.

use serde::Serialize;

use super::indexes::{note, span};
use super::{Frame, Link, Site};
use crate::archive::PlayerRow;
use crate::players::Life;
use crate::site::figures::{counted, fixed, fixed_or_empty, points};
use crate::site::rating_chart::{RatingChart, rating_chart};
use crate::tournament::Spec;

/// The page of a player.
#[derive(Debug, Serialize)]
pub(in crate::site) struct PlayerPage {
    frame: Frame,
    name: String,
    sentence: String,
    best: Option<Link>,
    best_g: String,
    best_rank: Option<usize>,
    life: String,
    chart: Option<RatingChart>,
    spellings: Vec<String>,
    rows: Vec<EventLine>,
}

#[derive(Debug, Serialize)]
struct EventLine {
    event: Link,
    year: String,
    kind: &'static str,
    place: String,
    points: String,
    games: usize,
    rating: String,
    p_zero: String,
    performance: String,
    residual: String,
    mark: &'static str,
    g: String,
    note: &'static str,
}

/// The view of a player.
pub(in crate::site) fn player(site: &Site, row: &PlayerRow) -> PlayerPage {
    let archive = site.archive;
    let player = archive.players.get(row.player);
    let years = span(row.years);
    let sentence = format!(
        "{} and {}{}: {} points.",
        counted(row.events.len(), "event", "events"),
        counted(row.games, "game", "games"),
        if years.is_empty() { String::new() } else { format!(", {years}") },
        points(row.points),
    );
    let best_rank =
        archive.greatness.iter().find(|line| line.player == row.player).map(|line| line.rank);
    let rows = row
        .events
        .iter()
        .map(|&(event, standing)| {
            let record = &archive.records[event];
            let analysed = &record.analysis.players[standing];
            EventLine {
                event: Link::to_event(record),
                year: Site::year(record),
                kind: record.event.kind.words(),
                place: format!("{} of {}", analysed.rank, record.event.players.len()),
                points: points(analysed.points),
                games: analysed.games,
                rating: fixed_or_empty(analysed.initial_rating, 0),
                p_zero: fixed_or_empty(analysed.p_zero, 2),
                performance: fixed_or_empty(analysed.performance_rating, 0),
                residual: fixed_or_empty(analysed.residual, 0),
                mark: match analysed.spec {
                    Some(Spec::Out) => "out of spec",
                    Some(Spec::PressureUp) => "pressure up",
                    Some(Spec::PressureDown) => "pressure down",
                    Some(Spec::In) | None => "",
                },
                g: fixed_or_empty(analysed.g_score, 2),
                note: note(record.status),
            }
        })
        .collect();
    PlayerPage {
        frame: Frame {
            title: player.name.clone(),
            description: format!("{}: {sentence}", player.name),
            root: "../",
            section: "players",
        },
        name: player.name.clone(),
        sentence,
        best: row.best.map(|(_, event)| Link::to_event(&archive.records[event])),
        best_g: row.best.map(|(g_score, _)| fixed(g_score, 2)).unwrap_or_default(),
        best_rank,
        life: player.life.as_ref().map(life).unwrap_or_default(),
        chart: rating_chart(&row.histories),
        spellings: player
            .spellings
            .iter()
            .filter(|spelling| **spelling != player.name)
            .cloned()
            .collect(),
        rows,
    }
}

/// What is known of a life, as a sentence or two.
fn life(life: &Life) -> String {
    let mut parts: Vec<String> = Vec::new();
    match (life.born, life.died) {
        (Some(born), Some(died)) => parts.push(format!("{born}–{died}")),
        (Some(born), None) => parts.push(format!("Born {born}")),
        (None, Some(died)) => parts.push(format!("Died {died}")),
        (None, None) => {}
    }
    let titles: Vec<&str> = life.titles.split('+').filter_map(title).collect();
    parts.extend((!titles.is_empty()).then(|| titles.join(", ")));
    // Stateless years are written XXX.
    let federations: Vec<&str> =
        life.federation.split('/').filter(|code| !code.is_empty() && *code != "XXX").collect();
    parts.extend((!federations.is_empty()).then(|| federations.join(", then ")));
    if life.fide_id > 0 {
        parts.push(format!("FIDE ID {}", life.fide_id));
    }
    parts.join(" · ")
}

/// A title in words; `None` of abbreviations that are none.
fn title(abbreviation: &str) -> Option<&'static str> {
    Some(match abbreviation {
        "GM" => "grandmaster",
        "HGM" => "honorary grandmaster",
        "IM" => "international master",
        "FM" => "FIDE master",
        "CM" => "candidate master",
        "WGM" => "woman grandmaster",
        "WIM" => "woman international master",
        "WFM" => "woman FIDE master",
        "WCM" => "woman candidate master",
        "CGM" => "correspondence grandmaster",
        "CIM" => "correspondence international master",
        _ => return None,
    })
}
