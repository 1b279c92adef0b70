//! The page of an event.

use serde::Serialize;

use super::certainty::{self, of_event, range};
use super::expected_by_source::{self, ExpectedBySource};
use super::explain::{ExplainedPerformance, LARGE_FIELD, performances};
use super::facts::facts;
use super::fit_power;
use super::games;
use super::leader::name_here;
use super::moves::{self, MovesView};
use super::other_orders::{self, OtherOrdersView};
use super::outcome::bracket;
use super::predictions::{self, PredictionsView};
use super::sports_event::sports_event;
use super::titles;
use super::verdict::verdict;
use super::{Frame, Link, Site, mark_of};
use crate::charts::{FitScale, RegressionPlot, fit_scale, regression_plot};
use crate::crosstable::{Crosstable, crosstable};
use crate::figures::{
    counted, day, fixed, fixed_or_empty, margin, percent, points, spoken, thousands,
};
use crate::markdown;
use archive::{AllGamesFigures, Decided, EventRecord, ListSettings, Status};
use chess_history::events::Event;
use chess_history::ratings::{NumberTwoSource, RatingsOrigin};
use pgn_collections::games::PartialDate;
use tournament_app::pairing::OtherOrders;
use tournament_app::words::sentence;
use tournament_app::{
    Analysis, FitResult, FitTest, Kind, PlayerAnalysis, PlayingOrder, RatingOrigin, Spec, Step,
};

#[derive(Debug, Serialize)]
pub struct EventPage {
    frame: Frame,
    name: String,
    id: String,
    /// Dates, place, kind, players, games.
    facts: Vec<(&'static str, String)>,
    verdict: String,
    /// Why the event is not ranked; empty if it is.
    unlisted: String,
    standings: Vec<StandingRow>,
    /// Whether the games of players who withdrew count, in a sentence; empty if no player withdrew.
    withdrawal: &'static str,
    /// The figures with the tie-breaks of a knock-out, by G-score.
    all_games: Vec<AllGamesRow>,
    moves: Option<MovesView>,
    predictions: Option<PredictionsView>,
    expected_by_source: Option<ExpectedBySource>,
    other_orders: Option<OtherOrdersView>,
    /// Norms for titles that were made, in sentences, and what is to be known about them.
    norms: Vec<String>,
    norm_notes: Vec<String>,
    crosstable: Crosstable,
    plot: Option<RegressionPlot>,
    regression: Option<Regression>,
    fit: Option<FitView>,
    fit_scale: Option<FitScale>,
    /// What the fit test can detect in such a field.
    fit_power: String,
    fit_before: Option<FitView>,
    decision: Option<DecisionView>,
    part_of: Option<Link>,
    parts: Vec<Link>,
    many_parts: bool,
    /// Whether the parts are stages, not matches.
    in_stages: bool,
    ranked_elsewhere: bool,
    /// Whether the knock-out of a match is in the list of strongest events.
    strength_ranked_there: bool,
    rating_origin: String,
    top_ten: Vec<LeaderView>,
    top_ten_text: String,
    steps: Vec<String>,
    /// Ratings estimated from the line, if there are too many for a sentence each.
    supplied: Vec<SuppliedLine>,
    /// Whether the chart of ratings and results is informative. For two players it is not, since a
    /// line through two points always fits.
    shows_plot: bool,
    /// Whether the results differ too little for a performance line.
    is_steep: bool,
    reasons: Vec<String>,
    performances: Vec<ExplainedPerformance>,
    strength_rows: Vec<StrengthPart>,
    /// The strength with the decimals that its error allows, and in full.
    strength: String,
    strength_full: String,
    strength_error: String,
    /// The median and the range of its draws, in a sentence.
    strength_draws: String,
    strength_rank: Option<usize>,
    /// The range of that rank, if there is more than one.
    strength_range: String,
    /// Which ratings the figures are based on, and their standard errors.
    certainty: String,
    strength_text: String,
    inversions: Vec<String>,
    more_inversions: usize,
    order_text: &'static str,
    /// K-factor of the Elo ratings after the event.
    elo_k: String,
    has_corrected: bool,
    has_out: bool,
    card: Card,
    has_filled: bool,
    neighbours: Vec<Neighbour>,
    year: Option<Link>,
    /// The board, if moves are known.
    board: Option<Link>,
}

impl EventPage {
    pub fn has_plot(&self) -> bool {
        self.plot.is_some()
    }
}

/// What a player contributes to the strength.
#[derive(Debug, Serialize)]
struct StrengthPart {
    name: String,
    rating: String,
    resists: String,
    games: usize,
}

/// A link to a related event, with its description.
#[derive(Debug, Serialize)]
struct Neighbour {
    what: &'static str,
    link: Link,
}

/// A player's figures with the tie-breaks of a knock-out.
#[derive(Debug, Serialize)]
struct AllGamesRow {
    player: Link,
    points: String,
    games: usize,
    p_zero: String,
    g: String,
}

#[derive(Debug, Serialize)]
struct StandingRow {
    rank: usize,
    /// The rank in the crosstable; a dash for a player who withdrew.
    label: String,
    withdrew: bool,
    /// Points from all games, for a player who withdrew.
    all_points: String,
    all_games: usize,
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
    /// The mark of a large residual: as a sign, and in words.
    sign: &'static str,
    mark: &'static str,
    /// Chessmetrics performance rating, for five or more games.
    chessmetrics: String,
    elo_after: String,
    pra_after: String,
    g: String,
    /// The anchor of the explanation of the G-score, if it is on the list.
    anchor: String,
    /// Standard errors.
    spread: String,
    performance_error: String,
    g_error: String,
    /// Quality of the moves (Elo), its interval, and whether few moves were analysed.
    moves: String,
    moves_interval: String,
    moves_weak: bool,
}

/// The picture for links to the page on other sites.
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
struct FitView {
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
    /// The page of a leader who takes part.
    player: Option<Link>,
}

/// A rating estimated from the line.
#[derive(Debug, Serialize)]
struct SuppliedLine {
    player: String,
    /// The published rating, if it was left out.
    found: String,
    rating: String,
}

/// Up to this number of estimated ratings, each has a sentence. More of them make a table. Judged:
/// more sentences would hide the other steps.
const SENTENCES: usize = 6;

/// Splits the steps into those for sentences, and a table of estimated ratings if there are many.
/// The table then includes the steps that report the missing ratings.
fn steps_and_supplied_ratings(steps: &[Step]) -> (Vec<&Step>, Vec<SuppliedLine>) {
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
    let sentences = steps
        .iter()
        .filter(|step| match step {
            Step::Filled { .. } => false,
            Step::Missing { player } => supplied.iter().all(|row| row.player != *player),
            _ => true,
        })
        .collect();
    (sentences, supplied)
}

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
    fn new(decided: &Decided) -> DecisionView {
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

impl FitView {
    fn new(test: &FitTest) -> Option<FitView> {
        Some(FitView {
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

/// The view of the event with this index. `orders` are those of its record.
pub fn event(site: &Site, index: usize, orders: Option<&OtherOrders>) -> EventPage {
    let archive = site.archive;
    let record = &archive.records[index];
    let (event, analysis) = (&record.event, &record.analysis);
    let has_filled = has_ratings_of(analysis, RatingOrigin::Filled);
    let has_corrected = has_ratings_of(analysis, RatingOrigin::Corrected);
    let parts = parts(site, event);
    let whole = event.part_of.as_ref().and_then(|id| site.by_id.get(id.as_str())).copied();
    let plot = regression_plot(analysis);
    let (steps, supplied) = steps_and_supplied_ratings(&analysis.steps);
    let verdict = verdict(record);
    let inversions = inversions(record);
    EventPage {
        frame: frame(site, index, plot.is_some(), verdict.clone()),
        name: event.name.clone(),
        id: event.id.clone(),
        facts: facts(site, record),
        verdict,
        unlisted: unlisted(record, &archive.settings.lists),
        standings: standings(site, index),
        withdrawal: withdrawal(record),
        all_games: all_games(site, index),
        moves: moves::of_event(site, index),
        predictions: predictions::of_event(site, record),
        expected_by_source: expected_by_source::of_event(site, record),
        other_orders: other_orders::of_event(site, record, orders),
        norms: titles::of_event(record),
        norm_notes: titles::notes_of_event(record),
        crosstable: crosstable_of(site, record),
        plot,
        regression: regression(record),
        fit: FitView::new(&analysis.fit_test),
        fit_scale: fit_scale(&analysis.fit_test),
        fit_power: fit_power::of_event(record),
        fit_before: FitView::new(&analysis.before.fit_test).filter(|_| has_filled || has_corrected),
        decision: record.decided.as_ref().map(DecisionView::new),
        part_of: whole.map(|whole| site.event_link(whole)),
        many_parts: parts.len() > MANY_PARTS,
        in_stages: event.kind == Kind::Stages,
        parts,
        ranked_elsewhere: event.ranked_elsewhere,
        strength_ranked_there: whole.is_some_and(|whole| site.strength_rank[whole].is_some()),
        rating_origin: rating_origin(record),
        top_ten: top_ten(site, record),
        top_ten_text: top_ten_text(record),
        steps: steps.iter().map(|step| sentence(step)).collect(),
        supplied,
        shows_plot: event.players.len() > 2,
        is_steep: analysis.steps.iter().any(Step::is_of_steep_line),
        reasons: how_made(event),
        performances: performances(site, index),
        strength_rows: strength_rows(analysis),
        strength: Site::strength(record),
        strength_full: Site::full_strength(record),
        strength_draws: certainty::of_strength(analysis),
        strength_error: analysis.strength_error.map(margin).unwrap_or_default(),
        strength_rank: site.strength_rank[index],
        strength_range: site.strength_rank[index]
            .map(|rank| range(site.ranked_with(index)[rank - 1].range))
            .unwrap_or_default(),
        certainty: of_event(record),
        strength_text: strength_text(record),
        more_inversions: inversions.len().saturating_sub(INVERSIONS),
        inversions: inversions.into_iter().take(INVERSIONS).collect(),
        order_text: order_text(analysis.order),
        elo_k: record.options.elo_k.to_string(),
        has_corrected,
        has_out: analysis.players.iter().any(|player| player.spec == Some(Spec::Out)),
        card: card(record),
        has_filled,
        board: games::of_event(site, record),
        neighbours: neighbours(site, index),
        year: event.start.year().map(Link::to_year),
    }
}

fn has_ratings_of(analysis: &Analysis, origin: RatingOrigin) -> bool {
    analysis.players.iter().any(|player| player.rating_origin == origin)
}

/// Inversions that the page names. Judged: large fields have hundreds, and three show what they
/// are.
const INVERSIONS: usize = 3;

/// With more parts than these, the page folds their links. Judged: a cycle has about as many; a
/// knock-out has more.
const MANY_PARTS: usize = 12;

/// The frame of the page, with the address of its picture where there is one.
fn frame(site: &Site, index: usize, has_plot: bool, description: String) -> Frame {
    let event = &site.archive.records[index].event;
    let card = match site.url {
        "" => String::new(),
        _ if !has_plot => String::new(),
        url => format!("{url}cards/{}.svg", event.id),
    };
    let path = format!("events/{}.html", event.id);
    let frame = site.cited_frame(&path, "strength", event.name.clone(), description);
    Frame { card, ..frame.describing(sports_event(site, index)) }
}

/// Links to the matches of a cycle or knock-out, or to the stages of an event.
fn parts(site: &Site, event: &Event) -> Vec<Link> {
    let parts = site.parts.get(event.id.as_str()).into_iter().flatten();
    let mut parts: Vec<usize> = parts.copied().collect();
    if event.kind == Kind::Stages {
        parts.sort_by_key(|part| site.archive.records[*part].event.days().0.earliest());
    }
    parts
        .into_iter()
        .map(|part| {
            // Place and year are the same as those of this page, so they are left out.
            let Link { href, text } = site.event_link(part);
            let text = text.split(',').next().unwrap_or_default().to_owned();
            Link { href, text }
        })
        .collect()
}

fn standings(site: &Site, index: usize) -> Vec<StandingRow> {
    let archive = site.archive;
    let record = &archive.records[index];
    let chessmetrics = record.chessmetrics_performances();
    let players = record.analysis.players.iter().zip(&record.great).zip(chessmetrics);
    players
        .map(|((player, great), chessmetrics)| {
            let (moves, moves_interval, moves_weak) = moves::at_event(site, index, player.index);
            let id = record.event.players[player.index];
            let link = Link::to_player(archive, id);
            let line = standing_row(record, player, *great, link, &archive.players.get(id).id);
            let padded = chessmetrics.and_then(|performance| performance.padded);
            let chessmetrics = fixed_or_empty(padded, 0);
            StandingRow { chessmetrics, moves, moves_interval, moves_weak, ..line }
        })
        .collect()
}

fn crosstable_of(site: &Site, record: &EventRecord) -> Crosstable {
    let event = &record.event;
    let mut standing = vec![0; event.players.len()];
    for (place, player) in record.analysis.players.iter().enumerate() {
        standing[player.index] = place;
    }
    crosstable(
        record,
        &site.archive.table,
        &standing,
        |one, other| site.pairs.path(site.archive, event.players[one], event.players[other]),
        || bracket(site, record),
    )
}

fn regression(record: &EventRecord) -> Option<Regression> {
    let analysis = &record.analysis;
    let line = analysis.line?;
    Some(Regression {
        equation: format!(
            "rating = {} {} {} × P-Zero",
            fixed(line.intercept, 2),
            if line.slope < 0.0 { "−" } else { "+" },
            fixed(line.slope.abs(), 4)
        ),
        r: match record.event.kind {
            // Two points always lie on a line, so their correlation means nothing.
            Kind::Match => String::new(),
            _ => fixed_or_empty(line.r, 2),
        },
        p_value: line.p_value.map(p_value).unwrap_or_default(),
        favourite: analysis.favourite.as_deref().map(spoken).unwrap_or_default(),
        sweep: analysis.sweep_probability.map(probability).unwrap_or_default(),
    })
}

/// The participants who were among the world's best ten.
fn top_ten(site: &Site, record: &EventRecord) -> Vec<LeaderView> {
    let leaders = record.ratings.leaders.iter();
    leaders
        .map(|leader| LeaderView {
            rank: leader.rank,
            name: match leader.player {
                Some(player) => spoken(&record.input.players[player].name),
                None => spoken(&name_here(site, leader.person, &leader.name)),
            },
            rating: fixed(leader.rating, 0),
            player: leader
                .player
                .map(|player| Link::to_player(site.archive, record.event.players[player])),
        })
        .collect()
}

/// What each player adds to the strength; empty where the strength is unknown.
fn strength_rows(analysis: &Analysis) -> Vec<StrengthPart> {
    if analysis.strength.is_none() {
        return Vec::new();
    }
    let players = analysis.players.iter().filter(|player| player.games > 0);
    players
        .map(|player| StrengthPart {
            name: player.name.clone(),
            rating: fixed_or_empty(player.initial_rating, 0),
            resists: fixed_or_empty(player.own_resistance, 4),
            games: player.games,
        })
        .collect()
}

/// Pairs of players that points and P-Zero rank differently, in sentences.
fn inversions(record: &EventRecord) -> Vec<String> {
    let analysis = &record.analysis;
    let withdrawn = record.withdrawn();
    analysis
        .inversions
        .iter()
        .filter(|inversion| {
            let both = [inversion.by_points, inversion.by_p_zero];
            both.iter().all(|place| !withdrawn.contains(&(*place as usize)))
        })
        .map(|inversion| {
            let [more, higher] = analysis.names_of(*inversion).map(spoken);
            format!("{more} has more points, but {higher} has the higher P-Zero.")
        })
        .collect()
}

fn order_text(order: PlayingOrder) -> &'static str {
    match order {
        PlayingOrder::Known => "The order of the games is known from their rounds or dates.",
        PlayingOrder::Partial => {
            "The order of some games is unknown. The figures follow the order of appearance."
        }
        PlayingOrder::Unknown => {
            "The order of the games is unknown. The figures follow the order of appearance."
        }
    }
}

/// The letters that fit on a line of the card.
const CARD_LETTERS: usize = 44;

/// A text that fits on a line of the card.
fn card_line(text: &str) -> String {
    if text.chars().count() > CARD_LETTERS {
        text.chars().take(CARD_LETTERS - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}

fn card(record: &EventRecord) -> Card {
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
    lines.extend(record.analysis.strength.map(|_| format!("Strength {}", Site::strength(record))));
    Card {
        name: card_line(&record.event.name),
        facts: card_line(&format!("{}, {}", Site::dates(record), record.event.kind.words())),
        lines,
    }
}

/// The events before and after this one: in time, in its series, on the list of the strongest.
fn neighbours(site: &Site, index: usize) -> Vec<Neighbour> {
    let records = &site.archive.records;
    let start = records[index].event.start;
    let previous = index.checked_sub(1);
    let next = Some(index + 1).filter(|next| *next < records.len());
    let [previous, next] = [previous, next]
        .map(|other| other.filter(|other| is_order_known(start, records[*other].event.start)));
    let series = site.series[index];
    [
        ("Previous event", previous),
        ("Next event", next),
        ("Previous in this series", series.previous),
        ("Next in this series", series.next),
        ("Next stronger", next_by_strength(site, index, -1)),
        ("Next weaker", next_by_strength(site, index, 1)),
    ]
    .into_iter()
    .filter_map(|(what, event)| Some(Neighbour { what, link: site.event_link(event?) }))
    .chain(head_to_head(site, index))
    .collect()
}

/// The event that is `step` places below an event on the list of the strongest.
fn next_by_strength(site: &Site, index: usize, step: isize) -> Option<usize> {
    let rank = site.strength_rank[index]?.checked_add_signed(step)?;
    Some(site.ranked_with(index).get(rank.checked_sub(1)?)?.event)
}

/// Whether the order of two dates is known, since they differ in the parts that both have.
fn is_order_known(one: PartialDate, other: PartialDate) -> bool {
    match one.known_parts().min(other.known_parts()) {
        0 => false,
        1 => one.year() != other.year(),
        2 => (one.year(), one.month_name()) != (other.year(), other.month_name()),
        _ => one != other,
    }
}

/// All games between the players of a match, if they met often.
fn head_to_head(site: &Site, index: usize) -> Option<Neighbour> {
    let event = &site.archive.records[index].event;
    let [one, other] = event.players[..] else { return None };
    let href = site.pairs.path(site.archive, one, other)?;
    let names = [one, other].map(|player| spoken(&site.archive.players.get(player).name));
    Some(Neighbour {
        what: "All games between them", link: Link { href, text: names.join(" – ") }
    })
}

/// How the event was assembled: the tags of its games, and what was corrected.
fn how_made(event: &Event) -> Vec<String> {
    let called = match (event.tag.as_str(), event.tagged_site.as_str()) {
        ("", "") => None,
        (tag, "") => Some(format!("Event tag in its games: \"{tag}\".")),
        ("", site) => Some(format!("Its games have no event tag; site tag: \"{site}\".")),
        (tag, site) => Some(format!("Event tag in its games: \"{tag}\"; site tag: \"{site}\".")),
    };
    called.into_iter().chain(event.reasons.iter().cloned()).collect()
}

/// Whether a step says that the estimator line is too steep or leads too far.
fn gives_no_ratings(step: &Step) -> bool {
    step.is_of_steep_line() || matches!(step, Step::BeyondEvidence { .. })
}

fn unlisted(record: &EventRecord, lists: &ListSettings) -> String {
    match record.status {
        Status::Listed if record.performances == Status::Incomplete => format!(
            "Its performances are not ranked: {} of its games are known, and {} of its ratings are estimated. The more are \
             estimated, the more games are required.",
            percent(record.event.coverage()),
            percent(record.supplied())
        ),
        Status::Listed => String::new(),
        Status::Incomplete if record.performances == Status::Listed => format!(
            "Its strength is not ranked: only {} of its games are known, and {} are required. Performances of \
             players whose games are all known are ranked.",
            percent(record.event.coverage()),
            percent(lists.minimum_coverage)
        ),
        Status::Incomplete => format!(
            "Incomplete: only {} of its games are known. Only events that are at least {} complete are \
             ranked.",
            percent(record.event.coverage()),
            percent(lists.minimum_coverage)
        ),
        Status::Weak => "Too few of its ratings are reliable, so it is not in the ranked lists.".into(),
        Status::Unrated if record.analysis.steps.iter().any(gives_no_ratings) => {
            "The line through its known ratings gives no reliable ratings for its other players. So the players have P-Zeros, but no G-scores yet."
                .into()
        }
        Status::Unrated => {
            "Too few of its players have known ratings for a performance line. So the players have P-Zeros, but no G-scores yet."
                .into()
        }
        status => format!("Not in the ranked lists: {}.", status.note()),
    }
}

fn standing_row(
    record: &EventRecord,
    player: &PlayerAnalysis,
    great: Option<f64>,
    link: Link,
    id: &str,
) -> StandingRow {
    let (sign, mark) = mark_of(player.spec);
    let withdrew = record.withdrew(player.rank - 1);
    // For large fields, only the event's data has the errors.
    let is_large = record.event.players.len() >= LARGE_FIELD;
    let performance_error = player.simulated.performance_error.filter(|_| !is_large);
    let g_error = player.simulated.g_error.filter(|_| !is_large && (!withdrew || great.is_some()));
    StandingRow {
        rank: player.rank,
        label: if withdrew { "–".into() } else { player.rank.to_string() },
        withdrew,
        all_points: points(player.played_points),
        all_games: player.games,
        rating: fixed_or_empty(player.initial_rating, 0),
        origin: match player.rating_origin {
            RatingOrigin::Given | RatingOrigin::Missing => "",
            RatingOrigin::Filled => "estimated",
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
        sign,
        mark,
        chessmetrics: String::new(),
        elo_after: fixed_or_empty(player.elo_after, 0),
        pra_after: fixed_or_empty(player.pra_after, 0),
        g: fixed_or_empty(record.shown_g_score(player.rank - 1), 2),
        anchor: match great {
            Some(_) => format!("g-{id}"),
            None => String::new(),
        },
        player: link,
        spread: player
            .simulated
            .p_zero_error
            .or(player.order_spread)
            .filter(|error| *error > 0.0)
            .map(margin)
            .unwrap_or_default(),
        performance_error: performance_error.map(margin).unwrap_or_default(),
        g_error: g_error.map(margin).unwrap_or_default(),
        moves: String::new(),
        moves_interval: String::new(),
        moves_weak: false,
    }
}

/// Whether the games of players who withdrew count; empty if no player withdrew.
fn withdrawal(record: &EventRecord) -> &'static str {
    let withdrawn = record.withdrawn();
    if withdrawn.is_empty() {
        ""
    } else if withdrawn.iter().any(|standing| record.analysis.players[*standing].games > 0) {
        "Games against a player who withdrew do not count in the standings. They were played, so they count \
         in P-Zero and in the figures that depend on it."
    } else {
        "Games against a player who withdrew do not count."
    }
}

/// The players with tie-breaks, by their G-score over all games.
fn all_games(site: &Site, index: usize) -> Vec<AllGamesRow> {
    let record = &site.archive.records[index];
    let players = record.analysis.players.iter().zip(&record.all_games);
    let mut found: Vec<(&PlayerAnalysis, AllGamesFigures)> =
        players.filter_map(|(player, figures)| Some((player, (*figures)?))).collect();
    found.sort_by(|(_, a), (_, b)| {
        let [a, b] = [a, b].map(|figures| figures.g_score.unwrap_or(f64::NEG_INFINITY));
        b.total_cmp(&a)
    });
    found
        .into_iter()
        .map(|(player, figures)| AllGamesRow {
            player: Link::to_player(site.archive, record.event.players[player.index]),
            points: points(figures.points),
            games: figures.games,
            p_zero: fixed(figures.p_zero, 2),
            g: fixed_or_empty(figures.g_score, 2),
        })
        .collect()
}

/// Which source the ratings come from, and which sources were tried before.
fn rating_origin(record: &EventRecord) -> String {
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

fn top_ten_text(record: &EventRecord) -> String {
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

fn strength_text(record: &EventRecord) -> String {
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

/// `= 0.0312`, `< 0.0001`.
fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".into() } else { format!("= {}", fixed(p, 4)) }
}

fn probability(p: f64) -> String {
    if p >= 0.0001 {
        format!("{p:.4}")
    } else if p > 0.0 {
        // Two significant digits: more would be false precision.
        let odds = (1.0 / p).min(1e15);
        let unit = 10f64.powf(odds.log10().floor() - 1.0);
        format!("1 in {}", thousands(((odds / unit).round() * unit) as usize))
    } else {
        "0".into()
    }
}
