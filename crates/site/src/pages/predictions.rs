//! Expected and actual scores: a section of the page of an event.

use serde::Serialize;

use super::explain::LARGE_FIELD;
use super::{Link, Site};
use crate::figures::{counted, fixed, fixed_or_empty, percent, points};
use archive::EventRecord;
use rating_systems::forecasts::{Exceptional, PROBABLE};

/// A chance as a percentage with about two significant digits.
pub(super) fn chance(chance: f64) -> String {
    match chance {
        ..0.00001 => "below 0.001%".into(),
        ..0.001 => format!("{}%", fixed(100.0 * chance, 3)),
        ..0.1 => format!("{}%", fixed(100.0 * chance, 1)),
        _ => format!("{}%", fixed(100.0 * chance, 0)),
    }
}

/// The words for an exceptional performance.
pub(super) fn exceptional(found: Option<Exceptional>) -> &'static str {
    match found {
        Some(Exceptional::InHundred) => "one in a hundred",
        Some(Exceptional::InTwenty) => "one in twenty",
        None => "",
    }
}

/// The expected and actual scores of an event; `None` without a forecast.
pub(super) fn of_event(site: &Site, record: &EventRecord) -> Option<impl Serialize> {
    let forecast = &record.forecast;
    let players = record.analysis.players.iter().zip(&forecast.players);
    let is_large = record.analysis.players.len() >= LARGE_FIELD;
    let rows: Vec<_> = players
        .filter_map(|(player, found)| {
            let found = found.as_ref()?;
            let predicted = found.predicted;
            if is_large && predicted.exceptional() != Some(Exceptional::InHundred) {
                return None;
            }
            let even_money = found.performance.zip(found.performance_error).map(|(at, error)| {
                let half = PROBABLE * error;
                format!("{}–{}", fixed(at - half, 0), fixed(at + half, 0))
            });
            Some(view!(
                player = Link::to_player(site.archive, record.event.players[player.index]),
                games = predicted.games,
                expected = fixed(predicted.expected, 2),
                scored = points(predicted.score),
                over = signed(predicted.over(), 2),
                z = fixed_or_empty(predicted.z, 2),
                // The performance ratings between which the true one lies with a chance of one
                // half.
                even_money = even_money.unwrap_or_default(),
                chance = chance(predicted.chance_with_error),
                // How exceptional that is, in words; empty if it is not.
                mark = exceptional(predicted.exceptional())
            ))
        })
        .collect();
    let known = forecast.known().count();
    if known == 0 {
        return None;
    }
    let mut text = String::new();
    if let Some(root) = forecast.root_mean_square() {
        text = format!(
            "The root mean square of z is {}; it would be near 1 if ratings and variances were right. {} of {} scores are \
             more than one standard deviation from the expected score; about a third should be.",
            fixed(root, 2),
            forecast.outside(),
            known
        );
    }
    text.push_str(&format!(
        " The forecast assumes that {} of the games between equals are drawn, {}, as in that decade.",
        percent(forecast.draws),
        match forecast.white {
            0.0 => "and ignores colours".to_owned(),
            white => format!("and gives White {} points", fixed(white, 0)),
        }
    ));
    let left = record.analysis.players.iter().filter(|player| player.games > 0).count();
    let left = left.saturating_sub(known);
    if left > 0 {
        text.push_str(&format!(
            " No forecast for {}: no rating before the event, or too few rated opponents.",
            counted(left, "player", "players")
        ));
    }
    Some(view!(
        rows,
        // Whether the field is so large that only exceptional scores are shown.
        is_large,
        text = text.trim_start().to_owned()
    ))
}

/// A number with its sign.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if value > 0.0 && text.chars().any(|c| ('1'..='9').contains(&c)) {
        format!("+{text}")
    } else {
        text
    }
}
