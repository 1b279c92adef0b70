//! States in words how reliable figures are.

use crate::archive::{EventRecord, RankRange};
use crate::site::figures::{margin, spelt_out};
use crate::tournament::{PlayerAnalysis, PlayingOrder, RatingOrigin};

/// Which ratings an event's figures are based on, and their standard errors; empty without any.
pub(super) fn of_event(record: &EventRecord) -> String {
    let analysis = &record.analysis;
    let Some(strength_error) = analysis.strength_error else { return String::new() };
    let mut text = ratings_sentence(record);
    match analysis.order {
        PlayingOrder::Known => {}
        PlayingOrder::Partial => text.push_str(" The order of some games is unknown."),
        PlayingOrder::Unknown => text.push_str(" The order of the games is unknown."),
    }
    // The error of the best performance, which most readers look at.
    let best = analysis
        .players
        .iter()
        .filter(|player| player.games > 0)
        .filter(|player| player.g_score.is_some() && player.g_error.is_some())
        .max_by(|a, b| a.g_score.unwrap_or(0.0).total_cmp(&b.g_score.unwrap_or(0.0)));
    let strength_error = margin(strength_error);
    match best.and_then(|player| player.g_error) {
        Some(error) => text.push_str(&format!(
            " The standard error is {} for the highest G-score and {strength_error} for the strength.",
            margin(error)
        )),
        None => text.push_str(&format!(" The standard error of the strength is {strength_error}.")),
    }
    text
}

/// How many ratings were published, did not fit, or were estimated from the line or moved to it.
fn ratings_sentence(record: &EventRecord) -> String {
    let playing = || record.analysis.players.iter().filter(|player| player.games > 0);
    let all = playing().count();
    let of =
        |origin: RatingOrigin| playing().filter(|player| player.rating_origin == origin).count();
    let (filled, corrected) = (of(RatingOrigin::Filled), of(RatingOrigin::Corrected));
    let known = playing().filter(|player| player.rating_found.is_some()).count();
    let dropped = known.saturating_sub(all - filled);
    let mut text = match (known, filled) {
        (_, 0) if all == 2 => "Both players have a published rating".to_owned(),
        (_, 0) => format!("All {} players have a published rating", spelt_out(all)),
        (1, _) => format!("One of {all} players has a published rating"),
        (known, _) => {
            let mut number = spelt_out(known);
            number[..1].make_ascii_uppercase();
            format!("{number} of {all} players have a published rating")
        }
    };
    match dropped {
        0 => {}
        1 => text.push_str(", but one of these does not fit"),
        dropped => text.push_str(&format!(", but {} of these do not fit", spelt_out(dropped))),
    }
    match (filled, corrected) {
        (0, 0) => {}
        (0, 1) => text.push_str("; one was moved to the performance line"),
        (0, corrected) => {
            text.push_str(&format!(
                "; {} were moved to the performance line",
                spelt_out(corrected)
            ));
        }
        (filled, _) if filled == dropped => text.push_str(match filled {
            1 => "; it was replaced by an estimate from the performance line",
            _ => "; they were replaced by estimates from the performance line",
        }),
        (1, _) => text.push_str("; the other is estimated from the performance line"),
        (filled, _) if filled + known - dropped == all && dropped == 0 => {
            text.push_str("; the others are estimated from the performance line");
        }
        (filled, _) => text
            .push_str(&format!("; {} are estimated from the performance line", spelt_out(filled))),
    }
    text.push('.');
    text
}

/// The standard error of a performance, and the range of its rank; empty if unknown.
pub(super) fn of_performance(player: &PlayerAnalysis, range: Option<RankRange>) -> String {
    let (Some(g_score), Some(error)) = (player.g_score, player.g_error) else {
        return String::new();
    };
    let parts = match (player.g_error_ratings, player.g_error_order) {
        (Some(ratings), Some(order)) if order > 0.0 => format!(
            " ({} from the ratings, {} from the order of the games)",
            margin(ratings),
            margin(order)
        ),
        _ => ", all from the ratings".to_owned(),
    };
    let mut text = format!(
        " The standard error of the G-score is {}{parts}; the cautious value is {:.0}.",
        margin(error),
        g_score - error
    );
    if let Some(range) = range {
        match range.best == range.worst {
            true => text.push_str(&format!(" Its rank is {} in 90% of the draws.", range.best)),
            false => text.push_str(&format!(
                " The 90% range of its rank is {} to {}.",
                range.best, range.worst
            )),
        }
    }
    text
}

/// The range of a rank, if there is more than one: `1–4`.
pub(super) fn range(range: RankRange) -> String {
    match range.best == range.worst {
        true => String::new(),
        false => format!("{}–{}", range.best, range.worst),
    }
}
