//! Which ratings the figures of an event are based on: their source, the world's best ten, and the
//! world number two.

use serde::Serialize;

use super::leader::name_here;
use super::{Link, Site};
use crate::figures::{counted, day, fixed, fixed_or_empty, spoken};
use archive::EventRecord;
use chess_history::ratings::{NumberTwoSource, RatingsOrigin};
use tournament_app::Analysis;

/// The participants who were among the world's best ten.
pub(super) fn top_ten(site: &Site, record: &EventRecord) -> Vec<impl Serialize> {
    let leaders = record.ratings.leaders.iter();
    leaders
        .map(|leader| {
            view!(
                rank = leader.rank,
                name = match leader.player {
                    Some(player) => spoken(&record.input.players[player].name),
                    None => spoken(&name_here(site, leader.person, &leader.name)),
                },
                rating = fixed(leader.rating, 0),
                // The page of a leader who takes part.
                player = leader
                    .player
                    .map(|player| Link::to_player(site.archive, record.event.players[player]))
            )
        })
        .collect()
}

/// What each player adds to the strength; empty where the strength is unknown.
pub(super) fn strength_rows(analysis: &Analysis) -> Vec<impl Serialize> {
    if analysis.strength.is_none() {
        return Vec::new();
    }
    let players = analysis.players.iter().filter(|player| player.games > 0);
    players
        .map(|player| {
            view!(
                name = player.name.clone(),
                rating = fixed_or_empty(player.initial_rating, 0),
                resists = fixed_or_empty(player.own_resistance, 4),
                games = player.games
            )
        })
        .collect()
}

/// Which source the ratings come from, and which sources were tried before.
pub(super) fn rating_origin(record: &EventRecord) -> String {
    let ratings = &record.ratings;
    let all = record.event.players.len();
    let Some(((system, known), before)) = ratings.tried.split_last() else {
        return "The archive was built without a source of ratings.".into();
    };
    if ratings.origin == RatingsOrigin::Unknown {
        return "No source of ratings has any of the players.".into();
    }
    // If no source knew enough, the one that knew most was used. It may not be the last one.
    let used = ratings.known();
    let from = match ratings.edition {
        Some(edition) => format!("from the {} list of {}", ratings.origin.name(), day(edition)),
        None if ratings.origin == RatingsOrigin::Decided => {
            "decided by the Ratings Administrator".into()
        }
        None => "from the rating tags of the games".into(),
    };
    let mut text = format!("{used} of {all} ratings are {from}.");
    if let (true, Some(lookup_day)) = (ratings.day_from_tags, ratings.lookup_day) {
        text.push_str(&format!(
            " The games give only the year. Most of their rating tags agree with the list of {}, \
             so that list is used.",
            day(lookup_day)
        ));
    }
    let mut others: Vec<String> =
        before.iter().map(|(system, known)| source_coverage(system, *known)).collect();
    if ratings.weak {
        others.push(source_coverage(system, *known));
        text.push_str(" No source has enough of the field.");
    }
    if !others.is_empty() {
        text.push_str(&format!(" Tried before that: {}.", others.join("; ")));
    }
    text
}

/// How many players of the event a source of ratings has.
fn source_coverage(system: &str, known: usize) -> String {
    match (system, known) {
        ("Elo", 0) => "the rating tags and the Elo lists have no player".to_owned(),
        (system, 0) => format!("{system} has no player"),
        (system, known) => format!("{system} has {}", counted(known, "player", "players")),
    }
}

pub(super) fn top_ten_text(record: &EventRecord) -> String {
    let ratings = &record.ratings;
    let present = ratings.leaders.iter().filter(|leader| leader.player.is_some()).count();
    let mut text = match present {
        0 => "None of the world's best ten took part:".to_owned(),
        1 => "One of the world's best ten took part (the others in brackets):".to_owned(),
        present if present == ratings.leaders.len() => {
            format!("All of the world's best {present} took part:")
        }
        present => format!(
            "{present} of the world's best {} took part (the others in brackets):",
            ratings.leaders.len()
        ),
    };
    if let (Some(class), true) = (record.class(), record.event.players.len() > 2) {
        text = format!("Class {class} of 22. {text}");
    }
    text
}

pub(super) fn strength_text(record: &EventRecord) -> String {
    let Some(number_two) = record.analysis.number_two else {
        if record.analysis.players.iter().all(|player| player.initial_rating.is_none()) {
            return String::new();
        }
        return "The rating of the world number two is unknown for this date, so strength and \
                G-scores cannot be computed."
            .into();
    };
    let rating = fixed(number_two, 0);
    let Some(two) = &record.ratings.number_two else {
        return format!("The world number two had a rating of {rating}.");
    };
    let from = match two.origin {
        NumberTwoSource::List(edition) => format!("{} list of {}", two.system, day(edition)),
        NumberTwoSource::ListAndTags(edition) => {
            format!("{} list of {} with the rating tags of the event", two.system, day(edition))
        }
        NumberTwoSource::Tags => "the rating tags of the twelve months before".into(),
        NumberTwoSource::Shifted { edition, by, players, .. } => format!(
            "{} list of {}, shifted by {} points, the median difference over {players} players",
            two.system,
            day(edition),
            fixed(by, 0)
        ),
    };
    format!("The world number two was {} with {rating} ({from}).", spoken(&two.name))
}
