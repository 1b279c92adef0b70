//! The quality of the moves: on the pages of events and players, as lists, and on the page of the
//! method.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::page::Page;
use super::{Link, Site};
use crate::charts::{Errors, error_plot};
use crate::figures::{counted, fixed, fixed_or_empty, thousands};
use archive::{AggregateKind, EventMoves, EventRecord, MoveQuality};
use chess_history::players::PlayerId;
use intrinsic_ratings::{Calibration, IntrinsicPerformance, LeftOut, Rating};

/// Analysed moves that an event, and a performance, needs for the lists. Judged: ten to fifteen
/// games. With half as many, the interval of a rating is wider by 40%.
const EVENT_TURNS: usize = 1000;
const PERFORMANCE_TURNS: usize = 300;

/// `2,708`
fn rating(rating: &Rating) -> String {
    thousands(rating.rating.round().max(0.0) as usize)
}

/// `2,623 to 2,793`
fn interval(rating: &Rating) -> String {
    let (low, high) = rating.actual;
    let [low, high] = [low, high].map(|value| thousands(value.round().max(0.0) as usize));
    format!("{low} to {high}")
}

fn is_weak(shown: &IntrinsicPerformance) -> bool {
    shown.turns < PERFORMANCE_TURNS
}

/// The rating of the moves, or why there is none, in a sentence.
fn sentence(moves: &MoveQuality) -> String {
    let shown = &moves.shown;
    let turns = counted(shown.turns, "analysed move", "analysed moves");
    match &shown.rating {
        Some(found) => {
            let elo = match moves.elo {
                Some(elo) => format!(
                    " The mean rating of the players was {}.",
                    thousands(elo.round() as usize)
                ),
                None => String::new(),
            };
            let (low, high) = found.actual;
            format!(
                "Quality of the moves: {} Elo, 95% interval {} to {}, from {turns}.{elo}",
                rating(found),
                thousands(low.round().max(0.0) as usize),
                thousands(high.round().max(0.0) as usize)
            )
        }
        None if shown.is_end => {
            let how = match shown.skill {
                Some(skill) if skill.sensitivity < 0.1 => "almost no errors",
                _ => "larger errors than the model can describe",
            };
            format!("No rating: {how} in {turns}.")
        }
        None if shown.skill.is_none() => {
            format!("No rating: only {turns}.")
        }
        None => format!(
            "No rating: this engine has no calibration. The mean error of {turns} is {}; the engine’s first move was played in {}.",
            fixed(shown.error, 4),
            part(shown.matches)
        ),
    }
}

/// The engine and its settings.
fn engine(calibration: &Calibration) -> String {
    calibration.engine.clone()
}

fn provisional(calibration: &Calibration) -> String {
    match calibration.provisional.as_slice() {
        [] => String::new(),
        doubts => format!("Provisional: {}.", doubts.join("; ")),
    }
}

/// A fraction in per cent, with one decimal.
fn part(part: f64) -> String {
    format!("{}%", fixed(100.0 * part, 1))
}

/// The moves that were left out, by reason.
fn left_out(moves: &MoveQuality) -> String {
    let parts: Vec<String> = LeftOut::ALL
        .into_iter()
        .filter_map(|reason| {
            let turns = *moves.left_out.get(&reason)?;
            Some(format!("{} {}", thousands(turns), reason.words()))
        })
        .collect();
    if parts.is_empty() { String::new() } else { format!(" Left out: {}.", parts.join(", ")) }
}

/// The section about the moves of an event; `None` if none were analysed.
pub(super) fn of_event(site: &Site, index: usize) -> Option<impl Serialize> {
    let archive = site.archive;
    let EventMoves { engine: number, all, players, .. } = archive.moves.event(index)?;
    let calibration = &archive.moves.engines[*number];
    let record = &archive.records[index];
    let mut rows = Vec::new();
    let mut errors = Vec::new();
    for player in &record.analysis.players {
        let Some(moves) = players.get(player.index).and_then(Option::as_ref) else { continue };
        let (shown, link) =
            (&moves.shown, Link::to_player(archive, record.event.players[player.index]));
        if let (Some(expected), Some(_)) = (shown.error_by_rating, shown.skill) {
            errors.push(Errors {
                name: archive.players.get(record.event.players[player.index]).surname().to_owned(),
                expected,
                made: shown.error,
                half: 2.0 * calibration.factor * shown.error_sigma,
                title: format!(
                    "{}: expected error {}, actual {} in {}",
                    link.text,
                    fixed(1000.0 * expected, 0),
                    fixed(1000.0 * shown.error, 0),
                    counted(shown.turns, "analysed move", "analysed moves")
                ),
                is_weak: is_weak(shown),
            });
        }
        rows.push(view!(
            player = link,
            rating = shown.rating.as_ref().map(rating).unwrap_or_default(),
            interval = shown.rating.as_ref().map(interval).unwrap_or_default(),
            turns = shown.turns,
            elo = moves.elo.map(|elo| thousands(elo.round() as usize)).unwrap_or_default(),
            matches = part(shown.matches),
            loss = fixed(shown.loss, 3),
            weak = is_weak(shown)
        ));
    }
    let games = match record.event.games.iter().filter(|game| game.played && game.analysed).count()
    {
        played if played > all.games => {
            format!(" {} of {played} games were analysed.", all.games)
        }
        _ => String::new(),
    };
    Some(view!(
        text = format!("{}{games}{}", sentence(all), left_out(all)),
        engine = engine(calibration),
        provisional = provisional(calibration),
        rows,
        plot = error_plot(&errors, ("Error expected by the rating", "Actual error"))
    ))
}

/// A player's moves at an event, for the standings: the rating, its interval in words, and whether
/// it is weak.
pub(super) fn at_event(site: &Site, index: usize, player: usize) -> (String, String, bool) {
    let moves =
        site.archive.moves.event(index).and_then(|moves| moves.players.get(player)?.as_ref());
    match moves.and_then(|moves| Some((moves, moves.shown.rating.as_ref()?))) {
        Some((moves, found)) => (
            rating(found),
            format!(
                "{}, from {}",
                interval(found),
                counted(moves.shown.turns, "analysed move", "analysed moves")
            ),
            is_weak(&moves.shown),
        ),
        None => Default::default(),
    }
}

/// The aggregate runs of one kind by the engine whose values are ranked. Runs with too few moves
/// for an event are left out, as in the list of events.
fn aggregates(site: &Site, kind: AggregateKind, engine: Option<usize>) -> Vec<impl Serialize> {
    let runs = site.archive.moves.aggregates.iter();
    let of_kind = runs.filter(|run| run.kind == kind && Some(run.engine) == engine);
    of_kind
        .filter(|run| run.moves.shown.turns >= EVENT_TURNS)
        .filter_map(|run| {
            let found = run.moves.shown.rating.as_ref()?;
            let elo = run.moves.elo.map(|elo| thousands(elo.round() as usize));
            Some(view!(
                name = match kind {
                    AggregateKind::Year => run.name.clone(),
                    AggregateKind::Band => format!("about {}", run.name),
                },
                rating = rating(found),
                interval = interval(found),
                turns = thousands(run.moves.shown.turns),
                elo = elo.unwrap_or_default()
            ))
        })
        .collect()
}

pub fn has_moves(site: &Site) -> bool {
    site.archive.moves.events.iter().any(Option::is_some)
}

/// The engine that analysed most events.
fn main_engine(site: &Site) -> Option<usize> {
    let moves = &site.archive.moves;
    (0..moves.engines.len()).max_by_key(|engine| {
        let events = moves.events.iter().flatten().filter(|event| event.engine == *engine);
        (events.count(), usize::MAX - engine)
    })
}

/// The engine whose values the pages of players show.
pub(super) fn engine_of_most(site: &Site) -> String {
    main_engine(site).map(|number| engine(&site.archive.moves.engines[number])).unwrap_or_default()
}

/// A rating of moves for the lists.
struct RatedMoves<'a> {
    record: &'a EventRecord,
    /// The player of a performance; `None` for a whole event.
    player: Option<Link>,
    g_score: Option<f64>,
    moves: &'a MoveQuality,
    rating: Rating,
}

/// Ranks by rating, highest first. A rating within the interval of the first of its group shares
/// that rank.
fn ranked(mut rated: Vec<RatedMoves>) -> Vec<impl Serialize> {
    rated.sort_by(|a, b| b.rating.rating.total_cmp(&a.rating.rating));
    let mut first: Option<(usize, Rating)> = None;
    let mut lines = Vec::new();
    for (place, one) in (1..).zip(rated) {
        let shared = first.filter(|(_, of)| one.rating.rating >= of.actual.0);
        if shared.is_none() {
            first = Some((place, one.rating));
        }
        let elo = one.moves.elo.map(|elo| thousands(elo.round() as usize));
        lines.push(view!(
            rank = shared.map_or_else(|| place.to_string(), |(rank, _)| format!("={rank}")),
            rating = rating(&one.rating),
            interval = interval(&one.rating),
            event = Link::to_event(one.record),
            player = one.player,
            year = Site::year(one.record),
            turns = thousands(one.moves.shown.turns),
            elo = elo.unwrap_or_default(),
            g = fixed_or_empty(one.g_score, 2)
        ));
    }
    lines
}

/// The events whose moves are ranked: those of which nearly all games were analysed. A match of a
/// cycle has the same games as the cycle, so it is ranked only if the cycle is not.
fn ranked_events(site: &Site, engine: Option<usize>) -> FxHashSet<usize> {
    let of_engine = site.archive.moves.events.iter().enumerate().filter(|(_, moves)| {
        moves.as_ref().is_some_and(|moves| Some(moves.engine) == engine && moves.is_whole())
    });
    let whole: FxHashSet<usize> = of_engine.map(|(index, _)| index).collect();
    let is_in_ranked = |index: &usize| {
        let part_of = site.archive.records[*index].event.part_of.as_ref();
        let of = part_of.and_then(|id| site.by_id.get(id.as_str()));
        of.is_some_and(|of| whole.contains(of))
    };
    whole.iter().copied().filter(|index| !is_in_ranked(index)).collect()
}

pub fn moves(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let (mut events, mut performances) = (Vec::new(), Vec::new());
    let (mut analysed, mut turns) = (0, 0);
    // Values of different engines cannot be ranked together.
    let ranked_engine = main_engine(site);
    let ranked_events = ranked_events(site, ranked_engine);
    for (index, moves) in archive.moves.events.iter().enumerate() {
        let Some(EventMoves { engine, all, players, .. }) = moves else { continue };
        if Some(*engine) != ranked_engine {
            continue;
        }
        let record = &archive.records[index];
        if record.event.part_of.is_none() {
            analysed += 1;
            turns += all.shown.turns;
        }
        if !ranked_events.contains(&index) {
            continue;
        }
        let is_ranked = all.shown.turns >= EVENT_TURNS;
        if let Some(rating) = all.shown.rating.filter(|_| is_ranked) {
            events.push(RatedMoves { record, player: None, g_score: None, moves: all, rating });
        }
        for player in &record.analysis.players {
            let Some(moves) = players.get(player.index).and_then(Option::as_ref) else { continue };
            let enough = moves.shown.turns >= PERFORMANCE_TURNS;
            if let Some(rating) = moves.shown.rating.filter(|_| enough) {
                let link = Link::to_player(archive, record.event.players[player.index]);
                let (player, g_score) = (Some(link), player.g_score);
                performances.push(RatedMoves { record, player, g_score, moves, rating });
            }
        }
    }
    let description = "How good the chess of each event and player was: an engine judges the \
         moves, not the results. Figures are on the Elo scale, with an interval.";
    view!(
        frame = page.frame(site, description),
        engines = ranked_engine
            .into_iter()
            .map(|number| &archive.moves.engines[number])
            .map(|calibration| view!(
                engine = engine(calibration),
                provisional = provisional(calibration)
            ))
            .collect::<Vec<_>>(),
        events = ranked(events),
        performances = ranked(performances),
        groups = AggregateKind::ALL
            .into_iter()
            .map(|kind| view!(
                title = match kind {
                    AggregateKind::Year => "Year",
                    AggregateKind::Band => "Rating of the player",
                },
                rows = aggregates(site, kind, ranked_engine)
            ))
            .filter(|group| !group.rows.is_empty())
            .collect::<Vec<_>>(),
        event_turns = EVENT_TURNS,
        performance_turns = PERFORMANCE_TURNS,
        analysed = format!(
            "{} and {} were analysed.",
            counted(analysed, "event", "events"),
            counted(turns, "move", "moves")
        )
    )
}

/// A player's moves at an event; `None` if they were not analysed.
pub(super) fn of_player<'s>(
    site: &'s Site,
    player: PlayerId,
    event: usize,
) -> Option<&'s MoveQuality> {
    let record = &site.archive.records[event];
    let place = record.event.players.iter().position(|other| *other == player)?;
    site.archive.moves.event(event)?.players.get(place)?.as_ref()
}

/// The interval of a rating, for charts.
pub(super) fn bar(moves: &MoveQuality) -> Option<(f64, f64, f64, String)> {
    let found = moves.shown.rating.as_ref()?;
    let words = format!(
        "quality of the moves {}, interval {}, from {}",
        rating(found),
        interval(found),
        counted(moves.shown.turns, "analysed move", "analysed moves")
    );
    Some((found.rating, found.actual.0, found.actual.1, words))
}

/// The calibration of the engine that analysed most, if any did.
pub(super) fn method<'a>(site: &Site<'a>) -> Option<impl Serialize> {
    let archive = site.archive;
    let engine_number = main_engine(site)?;
    let calibration = &archive.moves.engines[engine_number];
    let line = calibration.line;
    let points: Vec<Errors> = calibration
        .milepost
        .iter()
        .filter_map(|milepost| {
            let line = line?;
            Some(Errors {
                name: fixed(milepost.elo, 0),
                expected: (milepost.elo - line.intercept) / line.slope,
                made: milepost.error_expected,
                half: 0.0,
                title: format!(
                    "players of {}: {}",
                    fixed(milepost.elo, 0),
                    fixed(1000.0 * milepost.error_expected, 1)
                ),
                is_weak: false,
            })
        })
        .collect();
    let example = archive
        .moves
        .events
        .iter()
        .enumerate()
        .filter_map(|(index, event)| Some((index, event.as_ref()?)))
        .filter(|(_, event)| event.all.shown.rating.is_some())
        .max_by_key(|(index, event)| (event.all.shown.turns, usize::MAX - index));
    Some(view!(
        engine = engine(calibration),
        provisional = provisional(calibration),
        // `3,278 − 6,040 × error`
        line = line
            .map(|line| {
                format!(
                    "{} − {} × the expected error",
                    thousands(line.intercept.round().max(0.0) as usize),
                    thousands(line.slope.abs().round() as usize)
                )
            })
            .unwrap_or_default(),
        correlation = calibration.correlation,
        consistency = calibration.consistency,
        factor = calibration.factor,
        rows = &calibration.milepost,
        plot = error_plot(&points, ("Error by the line", "Error of the model of these players")),
        example_text = example.map(|(_, event)| sentence(&event.all)).unwrap_or_default(),
        example = example.map(|(index, _)| Link::to_event(&archive.records[index]))
    ))
}
