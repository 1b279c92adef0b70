//! States in words how reliable figures are.

use crate::figures::{as_certain, fixed, margin, spelt_out};
use archive::{EventRecord, RankRange};
use tournament_app::{Analysis, PlayerAnalysis, PlayingOrder, RatingOrigin};

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
        .filter(|player| player.g_score.is_some() && player.simulated.g_error.is_some())
        .max_by(|a, b| a.g_score.unwrap_or(0.0).total_cmp(&b.g_score.unwrap_or(0.0)));
    let strength_error = margin(strength_error);
    match best.and_then(|player| Some((player, player.simulated.g_error?))) {
        Some((player, error)) => {
            text.push_str(&format!(
                " The standard error is {} for the highest G-score and {strength_error} for the strength.",
                margin(error)
            ));
            text.push_str(&one_sided(player, error));
        }
        None => text.push_str(&format!(" The standard error of the strength is {strength_error}.")),
    }
    text
}

/// The smallest bias (G points) that the decimals of a G-score show.
const LEAST_BIAS: f64 = 0.005;

/// That the highest G-score is probably too high or too low; empty if its error has no marked side.
fn one_sided(player: &PlayerAnalysis, error: f64) -> String {
    match player.simulated.g_bias {
        Some(bias) if bias.abs() >= (MARKED * error).max(LEAST_BIAS) => format!(
            " The highest G-score is probably too {}: its draws average {} {}.",
            if bias > 0.0 { "low" } else { "high" },
            margin(bias.abs()),
            if bias > 0.0 { "more" } else { "less" },
        ),
        _ => String::new(),
    }
}

/// How many ratings were published, did not fit, or were estimated from the line or moved to it.
fn ratings_sentence(record: &EventRecord) -> String {
    let (mut all, mut filled, mut corrected, mut known) = (0, 0, 0, 0);
    for player in record.analysis.players.iter().filter(|player| player.games > 0) {
        all += 1;
        known += usize::from(player.rating_found.is_some());
        match player.rating_origin {
            RatingOrigin::Filled => filled += 1,
            RatingOrigin::Corrected => corrected += 1,
            _ => {}
        }
    }
    let dropped = known.saturating_sub(all - filled);
    let withdrawn = match record.withdrawn().len() {
        0 => String::new(),
        1 => " (one withdrew)".to_owned(),
        several => format!(" ({} withdrew)", spelt_out(several)),
    };
    // The names of computed systems say so.
    let is_computed = record.ratings.origin.name().starts_with("Computed");
    let what = if is_computed { "a computed" } else { "a published" };
    let mut text = match (known, filled) {
        (_, 0) if all == 2 => format!("Both players have {what} rating"),
        (_, 0) => format!("All {} players{withdrawn} have {what} rating", spelt_out(all)),
        (1, _) => format!("One of {all} players{withdrawn} has {what} rating"),
        (known, _) => {
            let mut number = spelt_out(known);
            number[..1].make_ascii_uppercase();
            format!("{number} of {all} players{withdrawn} have {what} rating")
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
    let (Some(g_score), Some(error)) = (player.g_score, player.simulated.g_error) else {
        return String::new();
    };
    let mut text = format!(
        " The standard error of the G-score is {}{}; the cautious value is {:.0}.",
        margin(error),
        error_parts(player),
        g_score - error
    );
    if let (Some(median), Some(low), Some(high)) =
        (player.simulated.g_median, player.simulated.g_low, player.simulated.g_high)
    {
        let [median, low, high] = [median, low, high].map(|figure| fixed(figure, 0));
        text.push_str(&format!(
            " The median of the draws is {median}, and 90% of them are between {low} and {high}."
        ));
    }
    text.push_str(&bias_sentence(player, error));
    if let Some(range) = range {
        text.push_str(&if range.best == range.worst {
            format!(" Its rank is {} in 90% of the draws.", range.best)
        } else {
            format!(" The 90% range of its rank is {} to {}.", range.best, range.worst)
        });
    }
    text
}

/// The parts of a standard error: ` (12 from the ratings, 3.0 from the order of the games, 10 from
/// the bias)`. Their squares add up to its square.
fn error_parts(player: &PlayerAnalysis) -> String {
    let parts = [
        (player.simulated.g_error_ratings, "ratings"),
        (player.simulated.g_error_order, "order of the games"),
        (player.simulated.g_bias.map(f64::abs), "bias"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter_map(|(part, from)| Some((part.filter(|part| *part >= 0.005)?, from)))
        .map(|(part, from)| format!("{} from the {from}", margin(part)))
        .collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// A bias is marked from this part of the standard error on. Judged: an eighth would mark
/// biases that do not matter to a reader, and a half would hide some that do.
const MARKED: f64 = 0.25;

/// Which side of a G-score its error is on, and why; empty if the bias is small.
fn bias_sentence(player: &PlayerAnalysis, error: f64) -> String {
    let (Some(bias), Some(number_two), Some(order)) = (
        player.simulated.g_bias,
        player.simulated.g_bias_number_two,
        player.simulated.g_bias_order,
    ) else {
        return String::new();
    };
    if bias.abs() < MARKED * error {
        return String::new();
    }
    let favourable = if order < 0.0 { "favourable" } else { "unfavourable" };
    let causes = [
        (number_two, "the world number two of a list is probably overrated".to_owned()),
        (order, format!("the order of the games that is used is {favourable} to this player")),
        (bias - number_two - order, "the other ratings are uncertain".to_owned()),
    ];
    let causes: Vec<String> = causes
        .into_iter()
        .filter(|(part, _)| part.abs() >= LEAST_CAUSE * bias.abs())
        .map(|(part, cause)| {
            let sign = if part < 0.0 { "−" } else { "+" };
            format!("{sign}{} because {cause}", margin(part.abs()))
        })
        .collect();
    format!(
        " On average the draws are {} {} than the published score, which is therefore probably too {}: {}.",
        margin(bias.abs()),
        if bias > 0.0 { "higher" } else { "lower" },
        if bias > 0.0 { "low" } else { "high" },
        causes.join(", ")
    )
}

/// A cause of less than this part of a bias is not named. Judged: a tenth does not change the sign.
const LEAST_CAUSE: f64 = 0.1;

/// The median and the range of the draws of a strength, in a sentence; empty without draws.
pub(super) fn of_strength(analysis: &Analysis) -> String {
    let (Some(median), Some(low), Some(high), Some(error)) = (
        analysis.strength_median,
        analysis.strength_low,
        analysis.strength_high,
        analysis.strength_error,
    ) else {
        return String::new();
    };
    let [median, low, high] = [median, low, high].map(|figure| as_certain(figure, Some(error)));
    format!(
        "The standard error is {}; the median of the draws is {median}, and 90% of them are between \
         {low} and {high}.",
        margin(error)
    )
}

/// The range of a rank, if there is more than one: `1–4`.
pub(super) fn range(range: RankRange) -> String {
    if range.best == range.worst {
        String::new()
    } else {
        format!("{}–{}", range.best, range.worst)
    }
}
