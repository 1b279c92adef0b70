//! Finds the one changed input that brings a G-score closest to a published one.
//!
//! Ours and a published figure may rest on other ratings, another number two or another treatment
//! of ratings that do not fit. Each of these is replaced by each alternative in turn, and the app
//! is run again.

use std::slice;

use crate::analysed::analyses::{AnalysisContext, input};
use crate::decided::analysis_inputs::AnalysisInputs;
use crate::record::EventRecord;
use chess_history::ratings::{RatingLookup, Source};
use tournament_app::{Analysis, EventPart, Options, Policy, analyse};

/// The difference below which two G-scores are the same in print: half of the last of two decimals.
pub(super) const SAME: f64 = 0.005;

/// The largest change (points) of the number two's rating that is tried. Judged: lists of one time
/// differ less about the number two. Twice as many take twice as long.
const REACH: i32 = 150;

/// The part of a difference that a change must explain to be reported. Judged: a change that
/// explains less than half leaves the larger part open.
const EXPLAINS: f64 = 0.5;

/// A changed input.
#[derive(Clone, Debug, PartialEq)]
pub enum Substitution {
    /// Another rating of the world number two (points).
    NumberTwo(f64),
    /// The ratings of another source, by the name of its system.
    Ratings(String),
    /// Another policy for ratings that fail the fit test.
    Policy(Policy),
    /// Whether ratings under pressure are corrected.
    Pressure(bool),
    /// Only the games of the main event.
    MainGames,
    /// All games of a knock-out, with its rapid and blitz tie-breaks.
    AllGames,
}

impl Substitution {
    /// The change in words that complete "with ...".
    pub fn words(&self) -> String {
        match self {
            Substitution::NumberTwo(rating) => format!("the number two at {rating:.0}"),
            Substitution::Ratings(system) => format!("ratings by {system}"),
            Substitution::Policy(policy) => format!("the policy \"{}\"", policy.word()),
            Substitution::Pressure(true) => "ratings under pressure corrected".into(),
            Substitution::Pressure(false) => "ratings under pressure kept".into(),
            Substitution::MainGames => "the games of the main event alone".into(),
            Substitution::AllGames => "the rapid and blitz tie-breaks".into(),
        }
    }
}

/// A changed input and the G-score that it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Substituted {
    pub by: Substitution,
    /// The G-score with it.
    pub g_score: f64,
}

/// What one changed input makes of a G-score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanations {
    /// The whole-number rating of the number two that comes closest, if it explains at least half
    /// of the difference.
    pub number_two: Option<Substituted>,
    /// The other change that comes closest, if it explains at least half of the difference.
    pub other: Option<Substituted>,
}

/// Tries all changes for the player at a place of an event's analysis.
pub(super) fn explain(
    record: &EventRecord,
    standing: usize,
    published: f64,
    context: AnalysisContext<'_>,
) -> Explanations {
    let player = record.analysis.players[standing].index;
    let Some(ours) = record.analysis.players[standing].g_score else {
        return Explanations::default();
    };
    let needed = (1.0 - EXPLAINS) * (ours - published).abs();
    let number_two = closest(by_number_two(record, player), published);
    let other = closest(by_other_changes(record, player, context), published);
    Explanations {
        number_two: number_two.filter(|best| (best.g_score - published).abs() <= needed),
        other: other.filter(|best| (best.g_score - published).abs() <= needed),
    }
}

/// The change whose G-score is closest to a published one; the first of several.
fn closest(found: Vec<Substituted>, published: f64) -> Option<Substituted> {
    found
        .into_iter()
        .min_by(|a, b| (a.g_score - published).abs().total_cmp(&(b.g_score - published).abs()))
}

/// The G-score of a player, by index in the event.
fn g_score_of(analysis: &Analysis, player: usize) -> Option<f64> {
    analysis.players.iter().find(|one| one.index == player)?.g_score
}

fn analysed(input: &tournament_app::Event, options: Options) -> Option<Analysis> {
    analyse(input, &Options { order_spread: false, ..options }).ok()
}

/// Every whole-number rating of the number two near ours.
fn by_number_two(record: &EventRecord, player: usize) -> Vec<Substituted> {
    let Some(ours) = record.input.number_two else { return Vec::new() };
    // Ratings do not depend on the number two, so they need to be settled only once.
    let Some(settled) = settled_input(record) else { return Vec::new() };
    let ratings = (-REACH..=REACH).map(|by| ours.round() + f64::from(by));
    let tried = ratings.filter_map(|rating| {
        let input = tournament_app::Event { number_two: Some(rating), ..settled.clone() };
        let options = Options { policy: Policy::Keep, ..record.options };
        let options = Options { knock_out_policy: Policy::Keep, ..options };
        let g_score = g_score_of(&analysed(&input, options)?, player)?;
        Some(Substituted { by: Substitution::NumberTwo(rating), g_score })
    });
    tried.collect()
}

/// The event with the ratings that the analysis used.
fn settled_input(record: &EventRecord) -> Option<tournament_app::Event> {
    let mut input = record.input.clone();
    for player in &record.analysis.players {
        if player.games > 0 {
            input.players[player.index].initial_rating = Some(player.initial_rating?);
        }
    }
    Some(input)
}

/// Other ratings, policies and games.
fn by_other_changes(
    record: &EventRecord,
    player: usize,
    context: AnalysisContext<'_>,
) -> Vec<Substituted> {
    let mut found = Vec::new();
    let place = record.analysis.players.iter().position(|one| one.index == player);
    let all_games = place.and_then(|place| (*record.all_games.get(place)?)?.g_score);
    found.extend(all_games.map(|g_score| Substituted { by: Substitution::AllGames, g_score }));
    let (input, options) = (&record.input, record.options);
    let mut tried: Vec<(Substitution, Option<Analysis>)> = Vec::new();
    for policy in [Policy::Correct, Policy::Rebuild, Policy::Keep] {
        let omit_ratings = policy != Policy::Keep;
        let changed = Options { policy, knock_out_policy: policy, omit_ratings, ..options };
        tried.push((Substitution::Policy(policy), analysed(input, changed)));
    }
    let move_pressure = !options.move_pressure;
    let changed = Options { move_pressure, ..options };
    tried.push((Substitution::Pressure(move_pressure), analysed(input, changed)));
    if input.games.iter().any(|game| game.part != EventPart::Main) {
        let mut main = input.clone();
        main.games.retain(|game| game.part == EventPart::Main);
        tried.push((Substitution::MainGames, analysed(&main, options)));
    }
    for source in context.sources {
        if source.system() != record.analysis.rating_system {
            let by = Substitution::Ratings(source.system().to_owned());
            tried.push((by, by_source(record, source, context)));
        }
    }
    for (by, analysis) in tried {
        if let Some(g_score) = analysis.and_then(|analysis| g_score_of(&analysis, player)) {
            found.push(Substituted { by, g_score });
        }
    }
    found
}

/// The analysis by the ratings of one source, with the decision on the event.
fn by_source(
    record: &EventRecord,
    source: &Source,
    context: AnalysisContext<'_>,
) -> Option<Analysis> {
    let AnalysisContext { games, world, decisions, .. } = context;
    let (table, players) = (&games.table, &games.players);
    let sources = slice::from_ref(source);
    let thresholds = context.ratings.thresholds();
    let lookup = RatingLookup { table, players, sources, context: world, thresholds };
    let ratings = lookup.initial_ratings(&record.event);
    if ratings.weak {
        return None;
    }
    let input = input(&record.event, &ratings, table, players);
    let mut inputs = AnalysisInputs { ratings, input, options: context.analysis.options() };
    if let Some(decision) = decisions.get(&record.event.id) {
        inputs.overrule(decision, &record.event, players).ok()?;
    }
    analysed(&inputs.input, inputs.options)
}
