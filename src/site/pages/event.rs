//! The page of an event.

use serde::Serialize;

use super::certainty::{of_event, range};
use super::explain::{LARGE_FIELD, Performance, performances};
use super::fit_power;
use super::games;
use super::moves::{self, MovesView};
use super::other_orders::{self, OtherOrdersView};
use super::predictions::{self, ForetoldView};
use super::titles;
use super::verdict::verdict;
use super::{Frame, Link, Site};
use crate::archive::{Decided, EventRecord, ListSettings, NormRatings, Status};
use crate::events::Event;
use crate::games::{PartialDate, Tempo};
use crate::ratings::{NumberTwoSource, RatingsOrigin};
use crate::site::charts::{FitScale, RegressionPlot, fit_scale, regression_plot};
use crate::site::crosstable::{Crosstable, crosstable};
use crate::site::figures::{
    day, fixed, fixed_or_empty, margin, percent, points, spoken, thousands,
};
use crate::site::markdown;
use crate::tournament::words::sentence;
use crate::tournament::{
    FitResult, FitTest, Kind, PlayerAnalysis, PlayingOrder, RatingOrigin, Spec, Step,
};

/// The page of an event.
#[derive(Debug, Serialize)]
pub(in crate::site) struct EventPage {
    frame: Frame,
    name: String,
    id: String,
    /// Dates, place, kind, players, games.
    facts: Vec<(&'static str, String)>,
    verdict: String,
    /// Why the event is in no ranked list; empty where it is.
    unlisted: String,
    standings: Vec<Standing>,
    moves: Option<MovesView>,
    foretold: Option<ForetoldView>,
    other_orders: Option<OtherOrdersView>,
    /// Norms for titles that were made, in sentences.
    norms: Vec<String>,
    crosstable: Crosstable,
    plot: Option<RegressionPlot>,
    regression: Option<Regression>,
    fit: Option<Fit>,
    fit_scale: Option<FitScale>,
    /// What the test can see in such a field.
    fit_power: String,
    fit_before: Option<Fit>,
    decision: Option<DecisionView>,
    part_of: Option<Link>,
    parts: Vec<Link>,
    many_parts: bool,
    ranked_elsewhere: bool,
    rating_origin: String,
    top_ten: Vec<LeaderView>,
    top_ten_text: String,
    steps: Vec<String>,
    /// Ratings that the line supplied, where these are too many for a sentence each.
    supplied: Vec<SuppliedLine>,
    /// Whether the chart of ratings and results says anything: a line through two points always does.
    shows_plot: bool,
    /// Whether there is no line because the results hardly differ.
    is_steep: bool,
    reasons: Vec<String>,
    performances: Vec<Performance>,
    strength_rows: Vec<StrengthRow>,
    strength: Option<String>,
    /// Standard error of the strength.
    strength_error: String,
    strength_rank: Option<usize>,
    /// The ranks that it may have, where they are several.
    strength_range: String,
    /// What the figures rest on.
    certainty: String,
    strength_text: String,
    inversions: Vec<String>,
    more_inversions: usize,
    order_text: &'static str,
    has_corrected: bool,
    has_out: bool,
    card: Card,
    has_filled: bool,
    neighbours: Vec<Neighbour>,
    year: Option<Link>,
    /// The board, where moves are known.
    board: Option<Link>,
}

impl EventPage {
    pub fn has_plot(&self) -> bool {
        self.plot.is_some()
    }
}

/// A player's part of the strength.
#[derive(Debug, Serialize)]
struct StrengthRow {
    name: String,
    rating: String,
    resists: String,
    games: usize,
}

/// A link of the neighbourhood with what it is.
#[derive(Debug, Serialize)]
struct Neighbour {
    what: &'static str,
    link: Link,
}

#[derive(Debug, Serialize)]
struct Standing {
    rank: usize,
    player: Link,
    rating: String,
    origin: &'static str,
    found: String,
    points: String,
    games: usize,
    p_zero: String,
    z_score: String,
    performance: String,
    residual: String,
    /// The mark as a sign, and in words.
    sign: &'static str,
    mark: &'static str,
    /// Chessmetrics performance rating, from five games on.
    chessmetrics: String,
    elo_after: String,
    pra_after: String,
    g: String,
    /// Where the G-score is explained, if it is on the list.
    anchor: String,
    /// Standard errors.
    spread: String,
    performance_error: String,
    g_error: String,
    /// Of what strength the moves were, within what interval, and whether that rests on few.
    moves: String,
    moves_interval: String,
    moves_weak: bool,
}

/// The picture that is shown where the page is shared.
#[derive(Debug, Serialize)]
struct Card {
    name: String,
    facts: String,
    lines: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Regression {
    equation: String,
    r: String,
    p_value: String,
    favourite: String,
    sweep: String,
}

#[derive(Debug, Serialize)]
struct Fit {
    statistic: String,
    critical: String,
    lower: String,
    degrees: usize,
    result: &'static str,
    constant_low: String,
    constant_high: String,
}

/// One of the world's best ten.
#[derive(Debug, Serialize)]
struct LeaderView {
    rank: usize,
    name: String,
    rating: String,
    /// Where he plays.
    player: Option<Link>,
}

/// A rating that the line supplied.
#[derive(Debug, Serialize)]
struct SuppliedLine {
    player: String,
    /// What was found before, where it was left out.
    found: String,
    rating: String,
}

/// Supplied ratings that are told in sentences; more of them make a table.
const SENTENCES: usize = 6;

/// The steps that are told in sentences, and the ratings supplied that make a table. That a rating is missing which the line
/// then supplies is in the table.
fn told(steps: &[Step]) -> (Vec<&Step>, Vec<SuppliedLine>) {
    let supplied: Vec<SuppliedLine> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Filled { player, found, rating } => Some(SuppliedLine {
                player: player.clone(),
                found: fixed_or_empty(*found, 0),
                rating: fixed(*rating, 0),
            }),
            _ => None,
        })
        .collect();
    if supplied.len() <= SENTENCES {
        return (steps.iter().collect(), Vec::new());
    }
    let in_table = |step: &&Step| match step {
        Step::Filled { .. } => true,
        Step::Missing { player } => supplied.iter().any(|row| row.player == *player),
        _ => false,
    };
    (steps.iter().filter(|step| !in_table(step)).collect(), supplied)
}

/// What the Ratings Administrator decided.
#[derive(Debug, Serialize)]
struct DecisionView {
    what: Vec<String>,
    reason: String,
    special_conditions: Vec<String>,
    /// HTML.
    note: String,
    author: String,
    date: String,
}

impl DecisionView {
    fn of(decided: &Decided) -> DecisionView {
        DecisionView {
            what: decided.what.clone(),
            reason: decided.reason.clone(),
            special_conditions: decided.special_conditions.clone(),
            note: decided.note.as_deref().map(markdown::render).unwrap_or_default(),
            author: decided.author.clone(),
            date: decided.date.clone(),
        }
    }
}

impl Fit {
    fn of(test: &FitTest) -> Option<Fit> {
        Some(Fit {
            statistic: fixed(test.statistic?, 3),
            critical: fixed(test.critical?, 3),
            lower: fixed(test.lower?, 3),
            degrees: test.degrees_of_freedom,
            result: match test.result {
                FitResult::Passed => "fits",
                FitResult::Failed => "does not fit",
                FitResult::TooClose => "fits, unusually closely",
                FitResult::NotApplicable => "not applicable",
            },
            constant_low: fixed_or_empty(test.constant_low, 1),
            constant_high: fixed_or_empty(test.constant_high, 1),
        })
    }
}

/// The view of the event with this index.
pub(in crate::site) fn event(site: &Site, index: usize) -> EventPage {
    let archive = site.archive;
    let record = &archive.records[index];
    let (event, analysis) = (&record.event, &record.analysis);
    let mut standing = vec![0; event.players.len()];
    for (place, player) in analysis.players.iter().enumerate() {
        standing[player.index] = place;
    }
    let link = |player: &PlayerAnalysis| Link::to_player(archive, event.players[player.index]);
    let changed = analysis.players.iter().any(|player| {
        matches!(player.rating_origin, RatingOrigin::Filled | RatingOrigin::Corrected)
    });
    let has = |origin| analysis.players.iter().any(|player| player.rating_origin == origin);
    const INVERSIONS: usize = 3;
    const MANY_PARTS: usize = 12;
    let parts: Vec<Link> = site
        .parts
        .get(event.id.as_str())
        .into_iter()
        .flatten()
        .map(|part| {
            // The place and the year are those of the page.
            let Link { href, text } = Link::to_event(&archive.records[*part]);
            let text = text.split(',').next().unwrap_or_default().to_owned();
            Link { href, text }
        })
        .collect();
    let plot = regression_plot(analysis);
    let (steps, supplied) = told(&analysis.steps);
    EventPage {
        frame: Frame {
            card: match site.url {
                url if url.is_empty() || plot.is_none() => String::new(),
                url => format!("{url}cards/{}.svg", event.id),
            },
            ..site.frame(
                &format!("events/{}.html", event.id),
                "strength",
                event.name.clone(),
                verdict(site, record),
            )
        },
        name: event.name.clone(),
        id: event.id.clone(),
        facts: facts(record),
        verdict: verdict(site, record),
        unlisted: unlisted(record, &archive.settings.lists),
        standings: analysis
            .players
            .iter()
            .zip(&record.great)
            .map(|(player, great)| {
                let (moves, moves_interval, moves_weak) =
                    moves::at_event(site, index, player.index);
                let id = &archive.players.get(event.players[player.index]).id;
                let line = standing_line(record, player, *great, link(player), id);
                Standing { moves, moves_interval, moves_weak, ..line }
            })
            .collect(),
        moves: moves::of_event(site, index),
        foretold: predictions::of_event(site, record),
        other_orders: other_orders::of_event(site, record),
        norms: titles::of_event(record),
        crosstable: crosstable(record, &archive.table, &standing, |one, other| {
            site.pairs.path(archive, event.players[one], event.players[other])
        }),
        plot,
        regression: analysis.line.map(|line| Regression {
            equation: format!(
                "rating = {} {} {} × P-Zero",
                fixed(line.intercept, 2),
                if line.slope < 0.0 { "−" } else { "+" },
                fixed(line.slope.abs(), 4)
            ),
            r: match event.kind {
                // A line through two points is no finding.
                Kind::Match => String::new(),
                _ => fixed_or_empty(line.r, 2),
            },
            p_value: line.p_value.map(p_value).unwrap_or_default(),
            favourite: analysis.favourite.as_deref().map(spoken).unwrap_or_default(),
            sweep: analysis.sweep_probability.map(probability).unwrap_or_default(),
        }),
        fit: Fit::of(&analysis.fit_test),
        fit_scale: fit_scale(&analysis.fit_test),
        fit_power: fit_power::of_event(record),
        fit_before: Fit::of(&analysis.before.fit_test).filter(|_| changed),
        decision: record.decided.as_ref().map(DecisionView::of),
        part_of: event
            .part_of
            .as_ref()
            .and_then(|id| site.by_id.get(id.as_str()))
            .map(|whole| Link::to_event(&archive.records[*whole])),
        many_parts: parts.len() > MANY_PARTS,
        parts,
        ranked_elsewhere: event.ranked_elsewhere,
        rating_origin: rating_origin(record),
        top_ten: record
            .ratings
            .leaders
            .iter()
            .map(|leader| LeaderView {
                rank: leader.rank,
                name: match leader.player {
                    Some(player) => spoken(&record.input.players[player].name),
                    None => spoken(&leader.name),
                },
                rating: fixed(leader.rating, 0),
                player: leader.player.map(|player| Link::to_player(archive, event.players[player])),
            })
            .collect(),
        top_ten_text: top_ten_text(record),
        steps: steps.iter().map(|step| sentence(step)).collect(),
        supplied,
        shows_plot: record.event.players.len() > 2,
        is_steep: analysis.steps.iter().any(Step::is_of_steep_line),
        reasons: how_made(event),
        performances: performances(site, index),
        strength_rows: match analysis.strength {
            Some(_) => analysis
                .players
                .iter()
                .filter(|player| player.games > 0)
                .map(|player| StrengthRow {
                    name: player.name.clone(),
                    rating: fixed_or_empty(player.initial_rating, 0),
                    resists: fixed_or_empty(player.own_resistance, 4),
                    games: player.games,
                })
                .collect(),
            None => Vec::new(),
        },
        strength: analysis.strength.map(|strength| fixed(strength, 4)),
        strength_error: analysis.strength_error.map(margin).unwrap_or_default(),
        strength_rank: site.strength_rank[index],
        strength_range: site.strength_rank[index]
            .map(|rank| range(site.ranked_with(index)[rank - 1].range))
            .unwrap_or_default(),
        certainty: of_event(record),
        strength_text: strength_text(record),
        inversions: analysis
            .inversions
            .iter()
            .take(INVERSIONS)
            .map(|inversion| {
                let [more, higher] = analysis.names_of(*inversion).map(spoken);
                format!("{more} has more points, {higher} the higher P-Zero.")
            })
            .collect(),
        more_inversions: analysis.inversions.len().saturating_sub(INVERSIONS),
        order_text: match analysis.order {
            PlayingOrder::Known => "The order of the games is known from their rounds or dates.",
            PlayingOrder::Partial => {
                "The order of some games is not known. The figures follow the order of \
                 appearance."
            }
            PlayingOrder::Unknown => {
                "The order of the games is not known. The figures follow the order of \
                 appearance."
            }
        },
        has_corrected: has(RatingOrigin::Corrected),
        has_out: analysis.players.iter().any(|player| player.spec == Some(Spec::Out)),
        card: card(record),
        has_filled: has(RatingOrigin::Filled),
        board: games::of_event(site, record),
        neighbours: neighbours(site, index),
        year: event.start.year().map(Link::to_year),
    }
}

fn card(record: &EventRecord) -> Card {
    const LONGEST: usize = 44;
    let shorten = |text: &str| match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    };
    let mut lines: Vec<String> = record
        .analysis
        .players
        .iter()
        .take(5)
        .map(|player| {
            let name: String = player.name.chars().take(20).collect();
            format!("{}. {name} {}", player.rank, points(player.main_points))
        })
        .collect();
    lines.extend(
        record.analysis.strength.map(|strength| format!("Strength {}", fixed(strength, 2))),
    );
    Card {
        name: shorten(&record.event.name),
        facts: shorten(&format!("{}, {}", Site::dates(record), record.event.kind.words())),
        lines,
    }
}

/// Events before and after in time, in the series, on the list of the strongest.
fn neighbours(site: &Site, index: usize) -> Vec<Neighbour> {
    let records = site.archive.records.len();
    let series = site.series[index];
    let strongest = |step: isize| {
        let rank = site.strength_rank[index]?.checked_add_signed(step)?;
        Some(site.ranked_with(index).get(rank.checked_sub(1)?)?.event)
    };
    let start = |event: usize| site.archive.records[event].event.start;
    let is_apart = |other: &usize| is_told_apart(start(index), start(*other));
    [
        ("Before it in time", index.checked_sub(1).filter(is_apart)),
        ("After it in time", Some(index + 1).filter(|next| *next < records).filter(is_apart)),
        ("The one before here", series.previous),
        ("The next one here", series.next),
        ("Next stronger", strongest(-1)),
        ("Next weaker", strongest(1)),
    ]
    .into_iter()
    .filter_map(|(what, event)| Some(Neighbour { what, link: site.event_link(event?) }))
    .chain(head_to_head(site, index))
    .collect()
}

/// Whether it is known which of two dates was first: they differ in what is known of both.
fn is_told_apart(one: PartialDate, other: PartialDate) -> bool {
    match one.known_parts().min(other.known_parts()) {
        0 => false,
        1 => one.year() != other.year(),
        2 => (one.year(), one.month_name()) != (other.year(), other.month_name()),
        _ => one != other,
    }
}

/// All games of the two of a match, if they met often.
fn head_to_head(site: &Site, index: usize) -> Option<Neighbour> {
    let event = &site.archive.records[index].event;
    let [one, other] = event.players[..] else { return None };
    let href = site.pairs.path(site.archive, one, other)?;
    let names = [one, other].map(|player| spoken(&site.archive.players.get(player).name));
    Some(Neighbour { what: "All of their games", link: Link { href, text: names.join(" – ") } })
}

/// How the event was put together: what its games call it, and what was mended.
fn how_made(event: &Event) -> Vec<String> {
    let called = match (event.tag.as_str(), event.tagged_site.as_str()) {
        ("", "") => None,
        (tag, "") => Some(format!("Its games call it \"{tag}\".")),
        ("", site) => Some(format!("Its games name no event, and the place \"{site}\".")),
        (tag, site) => Some(format!("Its games call it \"{tag}\", at \"{site}\".")),
    };
    called.into_iter().chain(event.reasons.iter().cloned()).collect()
}

fn facts(record: &EventRecord) -> Vec<(&'static str, String)> {
    let event = &record.event;
    let mut facts = vec![("Date", Site::dates(record))];
    if !event.site.is_empty() {
        facts.push(("Place", event.site.clone()));
    }
    facts.push(("Kind", event.kind.words().to_owned()));
    facts.push(("Players", event.players.len().to_string()));
    let segments = event.segments();
    let mut games = event.games.len().to_string();
    if segments.len() > 1 {
        let parts: Vec<String> =
            segments.iter().map(|(kind, games)| format!("{games} {}", kind.words())).collect();
        games = format!("{games} ({})", parts.join(", "));
    }
    let unplayed = event.games.iter().filter(|game| !game.played).count();
    if unplayed > 0 {
        games = format!("{games}, {unplayed} not played");
    }
    facts.push(("Games", games));
    let coverage = event.coverage();
    if coverage < 1.0 {
        let (known, expected) = (event.recognised.placed_games, event.recognised.expected_games);
        facts.push(("Coverage", format!("{known} of {expected} ({})", percent(coverage))));
    }
    if event.tempo != Tempo::Classical {
        let words = event.tempo_reason.words();
        facts.push(("Tempo", format!("{}, {words}", event.tempo.word())));
    }
    let supplied = record.supplied();
    if supplied > 0.5 {
        facts.push(("Supplied", format!("{} of the ratings, by the line", percent(supplied))));
    }
    if !record.analysis.rating_label.is_empty() {
        facts.push(("Ratings", record.analysis.rating_label.clone()));
    }
    if let Some(norms) = &record.norms {
        let by = match norms.by {
            NormRatings::Fide => "",
            NormRatings::Historical => ", by historical Elo",
        };
        let average = fixed(norms.average, 0);
        facts.push(("Category", format!("{}{by} (average {average})", norms.category_text())));
    }
    if let (Some(class), true) = (record.class(), event.players.len() > 2) {
        facts.push(("Class", format!("{class} of 22")));
    }
    facts
}

fn unlisted(record: &EventRecord, lists: &ListSettings) -> String {
    match record.status {
        Status::Listed => String::new(),
        Status::Incomplete if record.performances == Status::Listed => format!(
            "Its strength is not ranked: {} of its games are known, and {} are needed. Performances of \
             players whose games are all known are ranked.",
            percent(record.event.coverage()),
            percent(lists.minimum_coverage)
        ),
        Status::Incomplete => format!(
            "Incomplete: only {} of its games are known, and {} are asked of an event in the ranked \
             lists.",
            percent(record.event.coverage()),
            percent(lists.minimum_coverage)
        ),
        Status::Weak => "Its ratings rest on too little to enter the ranked lists.".into(),
        Status::Unrated => {
            "Too few ratings of its players are known to draw a line: there are P-Zeros, but no \
             G-scores yet."
                .into()
        }
        status => format!("Not in the ranked lists: {}.", status.note()),
    }
}

fn standing_line(
    record: &EventRecord,
    player: &PlayerAnalysis,
    great: Option<f64>,
    link: Link,
    id: &str,
) -> Standing {
    let is_large = record.event.players.len() >= LARGE_FIELD;
    let error = |error: Option<f64>| match error.filter(|_| !is_large) {
        Some(error) => margin(error),
        None => String::new(),
    };
    Standing {
        rank: player.rank,
        rating: fixed_or_empty(player.initial_rating, 0),
        origin: match player.rating_origin {
            RatingOrigin::Given | RatingOrigin::Missing => "",
            RatingOrigin::Filled => "from the line",
            RatingOrigin::Corrected => "corrected",
            RatingOrigin::Decided => "decided",
        },
        found: player
            .rating_found
            .filter(|found| player.initial_rating != Some(*found))
            .map(|found| fixed(found, 0))
            .unwrap_or_default(),
        points: points(player.main_points),
        games: player.main_games,
        p_zero: fixed_or_empty(player.p_zero, 2),
        z_score: fixed_or_empty(player.z_score, 2),
        performance: fixed_or_empty(player.performance_rating, 0),
        residual: fixed_or_empty(player.residual, 0),
        sign: match player.spec {
            Some(Spec::Out) => "■",
            Some(Spec::PressureUp) => "▲",
            Some(Spec::PressureDown) => "▼",
            Some(Spec::In) | None => "",
        },
        mark: match player.spec {
            Some(Spec::Out) => "out of spec",
            Some(Spec::PressureUp) => "pressure up",
            Some(Spec::PressureDown) => "pressure down",
            Some(Spec::In) | None => "",
        },
        chessmetrics: fixed_or_empty(record.chessmetrics_performance(player), 0),
        elo_after: fixed_or_empty(player.elo_after, 0),
        pra_after: fixed_or_empty(player.pra_after, 0),
        g: fixed_or_empty(player.g_score, 2),
        anchor: match great {
            Some(_) => format!("g-{id}"),
            None => String::new(),
        },
        player: link,
        spread: player
            .p_zero_error
            .or(player.order_spread)
            .filter(|error| *error > 0.0)
            .map(margin)
            .unwrap_or_default(),
        // Of large fields the data has them.
        performance_error: error(player.performance_error),
        g_error: error(player.g_error),
        moves: String::new(),
        moves_interval: String::new(),
        moves_weak: false,
    }
}

/// Which source supplied the ratings, and which were tried before it.
fn rating_origin(record: &EventRecord) -> String {
    let ratings = &record.ratings;
    let all = record.event.players.len();
    let Some(((system, known), before)) = ratings.tried.split_last() else {
        return "No source of ratings was given.".into();
    };
    if ratings.origin == RatingsOrigin::Unknown {
        return "No source knows any of the players.".into();
    }
    // Where none knew enough, the one that knew most was taken, which need not be the last.
    let used = ratings.known();
    let from = match ratings.edition {
        Some(edition) => format!("from the {} list of {}", ratings.origin.name(), day(edition)),
        None if ratings.origin == RatingsOrigin::Decided => {
            "decided by the Ratings Administrator".into()
        }
        None => "from the rating tags of the games".into(),
    };
    let mut text = format!("{used} of {all} {from}.");
    if let (true, Some(asked)) = (ratings.day_from_tags, ratings.lookup_day) {
        text.push_str(&format!(
            " The games give the year alone; most of their rating tags agree with the list of {}, \
             which is taken for the one in force.",
            day(asked)
        ));
    }
    let knew = |system: &str, known: usize| match (system, known) {
        ("Elo", 0) => "the games' own tags and the Elo lists know nobody".to_owned(),
        (system, 0) => format!("{system} knows nobody"),
        (system, known) => format!("{system} knows {known}"),
    };
    let mut others: Vec<String> =
        before.iter().map(|(system, known)| knew(system, *known)).collect();
    if ratings.weak {
        others.push(knew(system, *known));
        text.push_str(" No source knows enough of the field.");
    }
    if !others.is_empty() {
        text.push_str(&format!(" Asked before that: {}.", others.join("; ")));
    }
    text
}

fn top_ten_text(record: &EventRecord) -> String {
    let ratings = &record.ratings;
    let present = ratings.leaders.iter().filter(|leader| leader.player.is_some()).count();
    let mut text = match present {
        0 => "None of the world's best ten took part:".to_owned(),
        1 => "One of the world's best ten took part:".to_owned(),
        present => format!("{present} of the world's best {} took part:", ratings.leaders.len()),
    };
    if let (Some(class), true) = (record.class(), record.event.players.len() > 2) {
        text = format!("Class {class} of 22. {text}");
    }
    text
}

fn strength_text(record: &EventRecord) -> String {
    let Some(number_two) = record.analysis.number_two else {
        return match record.analysis.players.iter().any(|player| player.initial_rating.is_some()) {
            true => {
                "Nothing tells who was the world's number two at the time, and how he was rated on \
                     this scale: so there is neither strength nor G-score."
                    .into()
            }
            false => String::new(),
        };
    };
    let rating = fixed(number_two, 0);
    let Some(two) = &record.ratings.number_two else {
        return format!("The world's number two was rated {rating}.");
    };
    let from = match two.origin {
        NumberTwoSource::List(edition) => format!("{} list of {}", two.system, day(edition)),
        NumberTwoSource::Tags => "the rating tags of the twelve months before".into(),
        NumberTwoSource::Shifted { edition, by, players, .. } => format!(
            "{} list of {}, moved by {} points, the median difference over {players} players",
            two.system,
            day(edition),
            fixed(by, 0)
        ),
    };
    format!("The world's number two was {} with {rating} ({from}).", spoken(&two.name))
}

/// `= 0.0312`, `< 0.0001`.
fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".into() } else { format!("= {}", fixed(p, 4)) }
}

fn probability(p: f64) -> String {
    if p >= 0.0001 {
        format!("{p:.4}")
    } else if p > 0.0 {
        // Two figures: more would be false precision.
        let odds = (1.0 / p).min(1e15);
        let unit = 10f64.powf(odds.log10().floor() - 1.0);
        format!("1 in {}", thousands(((odds / unit).round() * unit) as usize))
    } else {
        "0".into()
    }
}
