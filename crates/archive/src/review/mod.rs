//! Makes the review queue: events for which another choice would change a published rank.

pub mod checked;
pub mod effect;

use rayon::prelude::*;

use crate::decided::decided_inputs::{DecidedInputs, RelatedEvents};
use crate::decisions::{Decision, RatingDecision};
use crate::record::EventRecord;
use crate::record::event_inputs::EventOutcome;
use crate::record::event_norms::NormRatings;
use crate::record::review_reason::ReviewReason;
use crate::record::status::Status;
use crate::review::checked::{HistoryDifference, contradicts, differences};
use crate::review::effect::{Effect, PublishedLists};
use crate::settings::ListSettings;
use chess_history::players::{Players, fold};
use pgn_collections::games::Tempo;
use tournament_app::correction::OUT_OF_SPEC;
use tournament_app::{FitResult, Policy, RatingOrigin, Spec, Step};

#[derive(Clone, Debug, PartialEq)]
pub struct ReviewRow {
    /// Index of the event's record.
    pub event: usize,
    pub reasons: Vec<ReviewReason>,
    /// What was found, in sentences.
    pub why: String,
    /// The other choice, as a phrase.
    pub choice: String,
    /// The effect of the other choice on the published lists.
    pub effect: Effect,
    /// The highest G-score of the event.
    pub best_g: Option<f64>,
    /// The line of a decisions file that takes the other choice.
    pub toml: String,
    /// The line of a decisions file that keeps the event as it is and removes it from the queue.
    pub toml_as_it_is: String,
}

/// The number of events in the review queue. Every page and the desk take it from here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// All events in the queue.
    pub all: usize,
    /// Those of which another decision would change a published rank.
    pub changing: usize,
}

impl QueueCounts {
    pub fn from_queue(queue: &[ReviewRow]) -> QueueCounts {
        let changing = queue.iter().filter(|row| row.effect.weight > 0.0).count();
        QueueCounts { all: queue.len(), changing }
    }
}

/// All events to review, those first whose other choice matters most.
///
/// An event is included if another choice would change a published rank: to keep what was moved or
/// left out, to list what is doubtful, or to exclude an event because of its name. Complete events
/// that lack only ratings follow at the end. A choice without effect on published ranks needs no
/// review. A decision settles the reasons that it answers; `reviewed = true` settles all.
pub fn queue(
    records: &[EventRecord],
    players: &Players,
    settings: &ListSettings,
    lists: &PublishedLists,
) -> Vec<ReviewRow> {
    let mut rows: Vec<ReviewRow> = (0..records.len())
        .into_par_iter()
        .filter_map(|event| {
            let record = &records[event];
            let mut reasons = reasons(record);
            if let Some(decided) = &record.decided {
                reasons.retain(|reason| !decided.settles.contains(reason));
            }
            if reasons.is_empty() {
                return None;
            }
            let waits = record.status == Status::Unrated && !record.event.ranked_elsewhere;
            let unsigned = unsigned(record, players);
            let (choice, decision, effect) =
                match best_choice(record, &reasons, settings, lists, &unsigned) {
                    Some(best) => best,
                    None if waits => {
                        let choice = "With ratings it would enter the lists.".to_owned();
                        (choice, reviewed(&unsigned), Effect::default())
                    }
                    None => return None,
                };
            let best_g = record
                .analysis
                .players
                .iter()
                .filter(|player| settings.has_enough_games(player))
                .filter_map(|player| player.g_score)
                .max_by(f64::total_cmp);
            let why = why(record, &reasons);
            let id = &record.event.id;
            Some(ReviewRow {
                event,
                why,
                choice,
                effect,
                best_g,
                toml: line(id, &decision),
                toml_as_it_is: line(id, &reviewed(&unsigned)),
                reasons,
            })
        })
        .collect();
    rows.sort_by(|a, b| {
        let games_of_a = records[a.event].event.games.len();
        let games_of_b = records[b.event].event.games.len();
        (b.effect.weight.total_cmp(&a.effect.weight))
            .then(games_of_b.cmp(&games_of_a))
            .then(a.event.cmp(&b.event))
    });
    rows
}

/// The choice with the greatest effect, with its phrase; `None` if no choice has an effect.
fn best_choice(
    record: &EventRecord,
    reasons: &[ReviewReason],
    settings: &ListSettings,
    lists: &PublishedLists,
    unsigned: &Decision,
) -> Option<(String, Decision, Effect)> {
    let case = record.case();
    let before = EventOutcome {
        analysis: record.analysis.clone(),
        status: record.status,
        performances: record.performances,
        great: record.great.clone(),
    };
    let mut best: Option<(String, Decision, Effect)> = None;
    for (choice, decision) in choices(record, reasons, unsigned) {
        let decided = case.decide(&record.event.id, &decision, &RelatedEvents::new());
        let Ok(DecidedInputs { inputs: other, .. }) = decided else { continue };
        let Ok(after) = other.outcome(settings) else { continue };
        let effect =
            lists.effect(&[(&case.eligibility, &before)], Some((&other.eligibility, &after)));
        if effect.weight > best.as_ref().map_or(0.0, |(.., best)| best.weight) {
            best = Some((choice.to_owned(), decision, effect));
        }
    }
    best
}

/// The other choices that the reasons leave, as phrases and as decisions.
fn choices(
    record: &EventRecord,
    reasons: &[ReviewReason],
    unsigned: &Decision,
) -> Vec<(&'static str, Decision)> {
    let policy = record.options.policy_for(record.event.kind);
    let mut choices = Vec::new();
    for reason in reasons {
        let mut decision = unsigned.clone();
        let choice = match reason {
            ReviewReason::Failed if policy == Policy::Keep => {
                decision.policy = Some(Policy::Correct);
                "If the ratings move to the performance line:"
            }
            ReviewReason::Failed => {
                decision.policy = Some(Policy::Keep);
                choices.push(("If the ratings are kept:", decision.clone()));
                decision.policy = Some(Policy::Rebuild);
                "If the ratings are estimated from the line:"
            }
            ReviewReason::Corrected | ReviewReason::Rebuilt | ReviewReason::Omitted => {
                decision.policy = Some(Policy::Keep);
                "If the ratings are kept:"
            }
            ReviewReason::LeaderKept => {
                for corrected in with_leader_corrected(record, unsigned) {
                    choices.push(("If that rating and the number two’s are lowered:", corrected));
                }
                continue;
            }
            ReviewReason::Weak => {
                decision.listed = Some(true);
                "If it is listed all the same:"
            }
            ReviewReason::Tags if matches!(record.status, Status::Listed | Status::Faster) => {
                decision.listed = Some(false);
                "If it is on no list until that is resolved:"
            }
            ReviewReason::Uncertain | ReviewReason::Tags => {
                decision.complete = true;
                "If all of its games are known:"
            }
            ReviewReason::Doubtful => {
                if let Some((_, Some(tempo))) = doubt(record) {
                    decision.tempo = Some(tempo);
                    "If it is treated as its name says:"
                } else {
                    decision.listed = Some(false);
                    "If it is on no list:"
                }
            }
            ReviewReason::Contradicted => {
                decision.listed = Some(false);
                "If it is on no list until that is resolved:"
            }
            ReviewReason::Pressure => {
                decision.move_pressure = Some(!record.options.move_pressure);
                if record.options.move_pressure {
                    "If ratings under pressure stay:"
                } else {
                    "If ratings under pressure move too:"
                }
            }
            // The only remedy is to find ratings.
            ReviewReason::OutOfSpec | ReviewReason::NoRatings | ReviewReason::NoNumberTwo => {
                continue;
            }
        };
        choices.push((choice, decision));
    }
    choices
}

/// The decisions that lower a leader's rating until it is no longer out of spec, and the number
/// two's by as many points: one for each leader whose rating was kept.
///
/// Source: Berard, on Hastings 1919, where both lose 50 points. Moved to the line, the leader would
/// lose 153, and with a number two as much lower nearly all others would be above the number two.
fn with_leader_corrected(record: &EventRecord, unsigned: &Decision) -> Vec<Decision> {
    let mut decisions = Vec::new();
    for step in &record.analysis.steps {
        let Step::LeaderKept { player, rating, corrected } = step else { continue };
        let by = (rating - corrected - OUT_OF_SPEC).ceil();
        if by <= 0.0 {
            continue;
        }
        let rating_decision = RatingDecision {
            player: player.as_str().into(),
            set: Some(rating - by),
            delete: false,
            reason: None,
        };
        decisions.push(Decision {
            ratings: vec![rating_decision],
            number_two: record.analysis.number_two.map(|points| points - by),
            ..unsigned.clone()
        });
    }
    decisions
}

fn reasons(record: &EventRecord) -> Vec<ReviewReason> {
    let analysis = &record.analysis;
    let mut reasons = Vec::new();
    if record.status == Status::Uncertain {
        reasons.push(ReviewReason::Uncertain);
    }
    let is_ranked = matches!(record.status, Status::Listed | Status::Faster);
    if is_ranked && doubt(record).is_some() {
        reasons.push(ReviewReason::Doubtful);
    }
    if contradicts(record) {
        reasons.push(ReviewReason::Contradicted);
    }
    if !differences_from_tags(record).is_empty() {
        reasons.push(ReviewReason::Tags);
    }
    if analysis.players.iter().any(|player| player.games > 0 && player.initial_rating.is_none()) {
        reasons.push(ReviewReason::NoRatings);
        return reasons;
    }
    if analysis.number_two.is_none() {
        reasons.push(ReviewReason::NoNumberTwo);
    }
    let complete = analysis.before.known_ratings
        == analysis.players.iter().filter(|player| player.games > 0).count();
    let failed_before = analysis.before.fit_test.result == FitResult::Failed;
    if analysis.fit_test.result == FitResult::Failed {
        reasons.push(ReviewReason::Failed);
    } else if failed_before && complete && record.ratings_of_origin(RatingOrigin::Filled) > 0 {
        reasons.push(ReviewReason::Rebuilt);
    } else if failed_before && complete {
        reasons.push(ReviewReason::Corrected);
    } else if failed_before && ratings_left_out(record) > 0 {
        reasons.push(ReviewReason::Omitted);
    }
    if analysis.steps.iter().any(|step| matches!(step, Step::LeaderKept { .. })) {
        reasons.push(ReviewReason::LeaderKept);
    }
    if analysis.weak || record.ratings.weak {
        reasons.push(ReviewReason::Weak);
    }
    if analysis.players.iter().any(|player| player.spec == Some(Spec::Out)) {
        reasons.push(ReviewReason::OutOfSpec);
    }
    let mut specs = analysis.players.iter().map(|player| player.spec);
    if specs.any(|spec| matches!(spec, Some(Spec::PressureUp | Spec::PressureDown))) {
        reasons.push(ReviewReason::Pressure);
    }
    reasons
}

/// Words in names of events that indicate another tempo, or an event that is not ranked.
const DOUBTS: [(&str, Option<Tempo>); 20] = [
    ("rapid", Some(Tempo::Rapid)),
    ("rapidplay", Some(Tempo::Rapid)),
    ("active", Some(Tempo::Rapid)),
    ("blitz", Some(Tempo::Blitz)),
    ("lightning", Some(Tempo::Blitz)),
    ("bullet", Some(Tempo::Blitz)),
    ("simultaneous", None),
    ("simul", None),
    ("casual", None),
    ("friendly", None),
    ("training", None),
    ("exhibition", None),
    ("blindfold", None),
    ("consultation", None),
    ("handicap", None),
    ("odds", None),
    ("computers", None),
    ("correspondence", None),
    ("advanced", None),
    ("chess960", None),
];

/// The word in an event's name that casts doubt on it, with the tempo that it indicates.
fn doubt(record: &EventRecord) -> Option<(&'static str, Option<Tempo>)> {
    let name = fold(&record.event.name);
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    // A name such as "Rapid & Blitz" fits either tempo.
    let own = Some(record.event.tempo);
    let fits_tempo = DOUBTS.into_iter().any(|(word, tempo)| tempo == own && words.contains(&word));
    DOUBTS
        .into_iter()
        .find(|(word, tempo)| words.contains(word) && !(tempo.is_some() && fits_tempo))
}

/// The least difference between the category in the tags and that of the ratings found.
///
/// Judged: ratings of another list move an average by some points, which is one category at most.
/// Two categories are a player of the first rank too few in a field of ten.
const DIFFERENT_CATEGORIES: u32 = 2;

/// In what an event differs from its tags, as sentences without capital and full stop.
fn differences_from_tags(record: &EventRecord) -> Vec<String> {
    let mut found = record.event.recognised.contradictions(record.event.stated);
    let stated = u32::from(record.event.stated.category);
    if let Some(norms) = record.norms.as_ref().filter(|norms| norms.by == NormRatings::Fide)
        && stated > 0
        && !norms.is_womens
        && norms.category.abs_diff(stated) >= DIFFERENT_CATEGORIES
    {
        let category = norms.category;
        found.push(format!(
            "its tags state category {stated}, but the ratings found are those of category {category}"
        ));
    }
    found
}

/// The number of players whose rating was found, and then left out of the estimator line.
fn ratings_left_out(record: &EventRecord) -> usize {
    let found = record.analysis.players.iter().filter(|player| player.rating_found.is_some());
    let origins = found.map(|player| player.rating_origin);
    origins.filter(|it| matches!(it, RatingOrigin::Filled | RatingOrigin::Missing)).count()
}

/// Describes the findings about an event in sentences.
fn why(record: &EventRecord, reasons: &[ReviewReason]) -> String {
    let left_out = ratings_left_out(record);
    let mut parts: Vec<String> = Vec::new();
    for reason in reasons {
        parts.push(match reason {
            ReviewReason::Failed => "Its ratings do not fit its results".into(),
            ReviewReason::Corrected => format!(
                "Its ratings do not fit its results, and {} moved to the performance line",
                ratings_were(record.ratings_of_origin(RatingOrigin::Corrected))
            ),
            ReviewReason::Rebuilt => format!(
                "Its ratings do not fit its results, and {} estimated again from the estimator line",
                ratings_were(record.ratings_of_origin(RatingOrigin::Filled))
            ),
            ReviewReason::Omitted => {
                format!("{} left out so that the performance line fits", capital(&ratings_were(left_out)))
            }
            ReviewReason::LeaderKept => {
                "The line would put one of the world’s two best below the number two".into()
            }
            ReviewReason::Weak => "Its ratings rest on too few known ratings".into(),
            ReviewReason::Uncertain => "The number of games that it had is unknown".into(),
            ReviewReason::NoRatings => "Too few of its players have ratings".into(),
            ReviewReason::NoNumberTwo => "The rating of the world’s number two is unknown".into(),
            ReviewReason::Doubtful => match doubt(record) {
                Some((word, _)) => format!("Its name says “{word}”"),
                None => continue,
            },
            ReviewReason::Contradicted => {
                let differences = differences(record);
                let mut differences = differences.iter();
                let unexplained = differences.find(|difference| difference.explanation.is_none());
                let Some(HistoryDifference { aspect, found, known, .. }) = unexplained else {
                    continue;
                };
                format!(
                    "A historical source differs ({}: {found} here, {known} there)",
                    aspect.word()
                )
            }
            ReviewReason::Tags => capital(&differences_from_tags(record).join(", and ")),
            ReviewReason::OutOfSpec | ReviewReason::Pressure => continue,
        });
    }
    if parts.is_empty() {
        parts.push("Some of its ratings are far from the performance line".into());
    }
    parts.iter().map(|part| format!("{part}.")).collect::<Vec<_>>().join(" ")
}

/// A number of ratings as the subject of a passive sentence: `one rating was`, `3 ratings were`.
fn ratings_were(count: usize) -> String {
    if count == 1 { "one rating was".to_owned() } else { format!("{count} ratings were") }
}

/// A text with a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A decision that contains only the field. Author, date and reason are for the administrator to
/// fill in: without them a build refuses it.
fn unsigned(record: &EventRecord, players: &Players) -> Decision {
    Decision {
        // A day that stands for the one on which the administrator decides.
        date: "0001-01-01".parse().ok(),
        field: Some(record.event.field(players)),
        ..Decision::default()
    }
}

/// The decision that keeps everything as it is.
fn reviewed(unsigned: &Decision) -> Decision {
    Decision { reviewed: true, ..unsigned.clone() }
}

/// Writes an entry for the decisions file, which is a line, as a table with a line for each key.
pub fn entry_in_lines(line: &str) -> String {
    let table = line.parse::<toml::Table>().ok();
    table.and_then(|table| toml::to_string(&table).ok()).unwrap_or_else(|| line.to_owned())
}

/// A decision as a line of a decisions file.
fn line(id: &str, decision: &Decision) -> String {
    // Serialised by way of a text, in which a date stays a date.
    let value = toml::to_string(decision).ok().and_then(|text| text.parse::<toml::Table>().ok());
    // Texts, numbers and lists of them always make a table.
    value.map(|value| format!("{id} = {}", toml::Value::Table(value))).unwrap_or_default()
}
