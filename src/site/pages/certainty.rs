//! How sure figures are, in words.

use crate::archive::{EventRecord, RankRange};
use crate::site::figures::{margin, spelt_out};
use crate::tournament::{PlayerAnalysis, PlayingOrder, RatingOrigin};

/// What an event's figures rest on, and how far off they may be; nothing where it has none.
pub(super) fn of_event(record: &EventRecord) -> String {
    let analysis = &record.analysis;
    let Some(strength_error) = analysis.strength_error else { return String::new() };
    let playing = || analysis.players.iter().filter(|player| player.games > 0);
    let all = playing().count();
    let of =
        |origin: RatingOrigin| playing().filter(|player| player.rating_origin == origin).count();
    let (filled, corrected) = (of(RatingOrigin::Filled), of(RatingOrigin::Corrected));
    let known = playing().filter(|player| player.rating_found.is_some()).count();
    let dropped = known.saturating_sub(all - filled);
    let mut text = match (known, filled) {
        (_, 0) if all == 2 => "Both ratings were known".to_owned(),
        (_, 0) => format!("All {} ratings were known", spelt_out(all)),
        (1, _) => format!("One of {all} ratings was known"),
        (known, _) => {
            let mut number = spelt_out(known);
            number[..1].make_ascii_uppercase();
            format!("{number} of {all} ratings were known")
        }
    };
    match dropped {
        0 => {}
        1 => text.push_str(", and one of them did not fit"),
        dropped => text.push_str(&format!(", and {} of them did not fit", spelt_out(dropped))),
    }
    match (filled, corrected) {
        (0, 0) => {}
        (0, 1) => text.push_str("; the line moved one of them"),
        (0, corrected) => {
            text.push_str(&format!("; the line moved {} of them", spelt_out(corrected)));
        }
        (filled, _) if filled == dropped => {
            text.push_str(if filled == 1 {
                "; the line replaces it"
            } else {
                "; the line replaces them"
            });
        }
        (1, _) => text.push_str("; the line supplies the other"),
        (filled, _) if filled + known - dropped == all && dropped == 0 => {
            text.push_str("; the line supplies the others");
        }
        (filled, _) => text.push_str(&format!("; the line supplies {}", spelt_out(filled))),
    }
    match analysis.order {
        PlayingOrder::Known => {}
        PlayingOrder::Partial => text.push_str("; the order of the games is known in part"),
        PlayingOrder::Unknown => text.push_str("; the order of the games is not known"),
    }
    // Of the best performance, which people look at.
    let best = playing()
        .filter(|player| player.g_score.is_some() && player.g_error.is_some())
        .max_by(|a, b| a.g_score.unwrap_or(0.0).total_cmp(&b.g_score.unwrap_or(0.0)));
    match best.and_then(|player| player.g_error) {
        Some(error) => text.push_str(&format!(
            ": so the highest G-score may be off by {}, and the strength by {}.",
            margin(error),
            margin(strength_error)
        )),
        None => {
            text.push_str(&format!(": so the strength may be off by {}.", margin(strength_error)))
        }
    }
    text
}

/// How sure a performance is; nothing where nothing is known of that.
pub(super) fn of_performance(player: &PlayerAnalysis, range: Option<RankRange>) -> String {
    let (Some(g_score), Some(error)) = (player.g_score, player.g_error) else {
        return String::new();
    };
    let parts = match (player.g_error_ratings, player.g_error_order) {
        (Some(ratings), Some(order)) if order > 0.0 => format!(
            ": {} by the ratings, and {} by the order of the games",
            margin(ratings),
            margin(order)
        ),
        _ => ", all of it by the ratings".to_owned(),
    };
    let mut text = format!(
        " The G-score may be off by {}{parts}; cautiously, it is {:.0}.",
        margin(error),
        g_score - error
    );
    if let Some(range) = range {
        match range.best == range.worst {
            true => text.push_str(&format!(" In nine draws of ten it is number {}.", range.best)),
            false => text.push_str(&format!(
                " In nine draws of ten it ranks between {} and {}.",
                range.best, range.worst
            )),
        }
    }
    text
}

/// The range of a rank, where it is one: `1–4`.
pub(super) fn range(range: RankRange) -> String {
    match range.best == range.worst {
        true => String::new(),
        false => format!("{}–{}", range.best, range.worst),
    }
}
