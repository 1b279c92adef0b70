//! The page of an event.

use serde::Serialize;

use super::certainty::{self, of_event, range};
use super::event_ratings::{rating_origin, strength_rows, strength_text, top_ten, top_ten_text};
use super::expected_by_source;
use super::explain::performances;
use super::facts::facts;
use super::fit_power;
use super::follow_ups;
use super::games;
use super::moves;
use super::neighbours::neighbours;
use super::other_orders;
use super::outcome::bracket;
use super::predictions;
use super::sports_event::sports_event;
use super::standings::{all_games, shared_place, standings, withdrawal};
use super::titles;
use super::verdict::verdict;
use super::{Frame, Link, Section, Site};
use crate::charts::{fit_scale, regression_plot};
use crate::crosstable::{Crosstable, crosstable};
use crate::figures::{counted, fixed, fixed_or_empty, margin, percent, points, spoken, thousands};
use archive::{EventRecord, ListSettings, Status};
use chess_history::events::Event;
use pgn_collections::games::GameFlags;
use tournament_app::pairing::OtherOrders;
use tournament_app::words::sentence;
use tournament_app::{Analysis, FitTest, Kind, PlayingOrder, RatingOrigin, Spec, Step};

/// Up to this number of estimated ratings, each has a sentence. More of them make a table. Judged:
/// more sentences would hide the other steps.
const SENTENCES: usize = 6;

/// Splits the steps into those for sentences, and those for a table of estimated ratings if there
/// are many. The table then includes the steps that report the missing ratings.
fn steps_and_supplied_ratings(steps: &[Step]) -> (Vec<&Step>, Vec<&Step>) {
    let mut supplied = Vec::new();
    let mut names = Vec::new();
    for step in steps {
        if let Step::Filled { player, .. } = step {
            supplied.push(step);
            names.push(player);
        }
    }
    if supplied.len() <= SENTENCES {
        return (steps.iter().collect(), Vec::new());
    }
    let sentences = steps
        .iter()
        .filter(|step| match step {
            Step::Filled { .. } => false,
            Step::Missing { player } => !names.contains(&player),
            _ => true,
        })
        .collect();
    (sentences, supplied)
}

/// The test of a line; `None` if no test applies.
fn applied(test: &FitTest) -> Option<&FitTest> {
    test.statistic.map(|_| test)
}

/// The view of the event with this index, and whether it has a chart. `orders` are those of its
/// record.
pub fn event(site: &Site, index: usize, orders: Option<&OtherOrders>) -> (impl Serialize, bool) {
    let archive = site.archive;
    let record = &archive.records[index];
    let (event, analysis) = (&record.event, &record.analysis);
    let has_filled = has_ratings_of(analysis, RatingOrigin::Filled);
    let has_corrected = has_ratings_of(analysis, RatingOrigin::Corrected);
    let parts = parts(site, event);
    let whole = event.part_of.as_ref().and_then(|id| site.by_id.get(id.as_str())).copied();
    let plot = regression_plot(analysis);
    let has_plot = plot.is_some();
    let (steps, supplied) = steps_and_supplied_ratings(&analysis.steps);
    let verdict = verdict(record);
    let inversions = inversions(record);
    let view = view!(
        frame = frame(site, index, has_plot, verdict.clone()),
        name = event.name.clone(),
        id = event.id.clone(),
        // Dates, place, kind, players, games.
        facts = facts(site, record),
        verdict,
        // Why the event is not ranked; empty if it is.
        unlisted = unlisted(record, &archive.settings.lists),
        standings = standings(site, index),
        // Whether the games of players who withdrew count, in a sentence; empty if no player
        // withdrew.
        withdrawal = withdrawal(record),
        has_open_places = record.analysis.players.iter().any(|player| player.is_place_open),
        // The figures with the tie-breaks of a knock-out, by G-score.
        all_games = all_games(site, index),
        moves = moves::of_event(site, index),
        predictions = predictions::of_event(site, record),
        expected_by_source = expected_by_source::of_event(site, record),
        other_orders = other_orders::of_event(site, record, orders),
        // Norms for titles that were made, in sentences, and what is to be known about them.
        norms = titles::of_event(record),
        norm_notes = titles::notes_of_event(record),
        crosstable = crosstable_of(site, record),
        plot,
        regression = regression(record),
        fit = applied(&analysis.fit_test),
        fit_scale = fit_scale(&analysis.fit_test),
        // What the fit test can detect in such a field.
        fit_power = fit_power::of_event(record),
        // The official ratings of the months after a correction.
        follow_up = follow_ups::of_event(site, index),
        fit_before = applied(&analysis.before.fit_test).filter(|_| has_filled || has_corrected),
        decision = record.decided.as_ref(),
        part_of = whole.map(|whole| site.event_link(whole)),
        many_parts = parts.len() > MANY_PARTS,
        // Whether the parts are stages, not matches.
        in_stages = event.kind == Kind::Stages,
        parts,
        ranked_elsewhere = event.ranked_elsewhere,
        // Whether the knock-out of a match is in the list of strongest events.
        strength_ranked_there = whole.is_some_and(|whole| site.strength_rank[whole].is_some()),
        rating_origin = rating_origin(record),
        top_ten = top_ten(site, record),
        top_ten_text = top_ten_text(record),
        steps = steps.iter().map(|step| sentence(step)).collect::<Vec<_>>(),
        // Ratings estimated from the line, if there are too many for a sentence each.
        supplied,
        // Whether the chart of ratings and results is informative. For two players it is not, since
        // a line through two points always fits.
        shows_plot = event.players.len() > 2,
        // Whether the results differ too little for a performance line.
        is_steep = analysis.steps.iter().any(Step::is_of_steep_line),
        reasons = how_made(event),
        performances = performances(site, index),
        strength_rows = strength_rows(analysis),
        // The strength with the decimals that its error allows, and in full.
        strength = Site::strength(record),
        strength_full = Site::full_strength(record),
        // The median and the range of its draws, in a sentence.
        strength_draws = certainty::of_strength(analysis),
        strength_error = analysis.strength_error.map(margin).unwrap_or_default(),
        strength_rank = site.strength_rank[index],
        // The range of that rank, if there is more than one.
        strength_range = site.strength_rank[index]
            .map(|rank| range(site.ranked_with(index)[rank - 1].range))
            .unwrap_or_default(),
        // Which ratings the figures are based on, and their standard errors.
        certainty = of_event(record),
        strength_text = strength_text(record),
        more_inversions = inversions.len().saturating_sub(INVERSIONS),
        inversions = inversions.into_iter().take(INVERSIONS).collect::<Vec<_>>(),
        order_text = order_text(analysis.order),
        colours_text = colours_text(site, record),
        finish_text = finish_text(record),
        // K-factor of the Elo ratings after the event.
        elo_k = record.options.elo_k.to_string(),
        has_corrected,
        has_out = analysis.players.iter().any(|player| player.spec == Some(Spec::Out)),
        card = card(record),
        has_filled,
        // The board, if moves are known.
        board = games::of_event(site, record),
        neighbours = neighbours(site, index),
        year = event.start.year().map(Link::to_year)
    );
    (view, has_plot)
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
    let frame = site.cited_frame(&path, Section::Strength, event.name.clone(), description);
    Frame { card, ..frame.describing(sports_event(site, index)) }
}

/// Links to the matches of a cycle or knock-out, or to the stages of an event.
pub(super) fn parts(site: &Site, event: &Event) -> Vec<Link> {
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

fn regression(record: &EventRecord) -> Option<impl Serialize> {
    let analysis = &record.analysis;
    let line = analysis.line?;
    Some(view!(
        equation = format!(
            "rating = {} {} {} × P-Zero",
            fixed(line.intercept, 2),
            if line.slope < 0.0 { "−" } else { "+" },
            fixed(line.slope.abs(), 4)
        ),
        r = match record.event.kind {
            // Two points always lie on a line, so their correlation means nothing.
            Kind::Match => String::new(),
            _ => fixed_or_empty(line.r, 2),
        },
        p_value = line.p_value.map(p_value).unwrap_or_default(),
        favourite = analysis.favourite.as_deref().map(spoken).unwrap_or_default(),
        sweep = analysis.sweep_probability.map(probability).unwrap_or_default()
    ))
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

/// Whether the event ended in the order of the ratings, in sentences; empty without the test.
fn finish_text(record: &EventRecord) -> String {
    let Some(test) = record.order_test() else { return String::new() };
    if !test.r_significant {
        return "The correlation is not significant at 5%, so the ratings predict no order.".into();
    }
    let favourite = match (test.favourite_won, record.analysis.favourite.as_deref()) {
        (false, Some(favourite)) => format!(
            "The favourite, {}, did not win, which the paper calls a choke.",
            spoken(favourite)
        ),
        _ => "The favourite won.".to_owned(),
    };
    let three = if test.first_three_in_order {
        "The first three finished in the order of their ratings."
    } else {
        "The first three did not finish in the order of the ratings."
    };
    format!(
        "The correlation is significant at 5%, so the ratings predict the order. {favourite} {three}"
    )
}

/// How many games have unknown colours, in a sentence; empty if all are known.
fn colours_text(site: &Site, record: &EventRecord) -> String {
    let games = site.archive.table.games();
    let flags = record.event.games.iter().map(|game| games[game.row].flags);
    match flags.filter(|flags| flags.contains(GameFlags::COLOURS_UNKNOWN)).count() {
        0 => String::new(),
        unknown => format!(
            "Of {} the colours are unknown; the player named first counts as White.",
            counted(unknown, "game", "games")
        ),
    }
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

/// The picture for links to the page on other sites.
fn card(record: &EventRecord) -> impl Serialize {
    let mut lines: Vec<String> = record
        .analysis
        .players
        .iter()
        .take(5)
        .map(|player| {
            let name: String = player.name.chars().take(20).collect();
            format!("{}. {name} {}", shared_place(player), points(player.main_points))
        })
        .collect();
    lines.extend(record.analysis.strength.map(|_| format!("Strength {}", Site::strength(record))));
    view!(
        name = card_line(&record.event.name),
        facts = card_line(&format!("{}, {}", Site::dates(record), record.event.kind.words())),
        lines
    )
}

/// How the event was assembled: the tags of its games, and what was corrected.
pub(super) fn how_made(event: &Event) -> Vec<String> {
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

/// Why an event is not ranked; empty if it is.
pub(super) fn unlisted(record: &EventRecord, lists: &ListSettings) -> String {
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
        Status::Incomplete if record.event.recognised.expected_games == 0 => {
            "Incomplete: the known games do not show how many it had.".into()
        }
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
