//! The page of a player.

use jiff::civil::Date;
use serde::Serialize;

use super::ages;
use super::greatest::career_of;
use super::moves;
use super::outcome::PlayerScore;
use super::person::{page_at_fide, person};
use super::standings::shared_place;
use super::titles;
use super::victories::victories;
use super::{Link, Section, Site, mark_of, span};
use crate::charts::{EventPoint, Residual, rating_chart, residual_chart};
use crate::errors::PublishError;
use crate::figures::{counted, fixed, fixed_or_empty, points, spoken};
use crate::long_table::LongTable;
use crate::page_writer::PageWriter;
use archive::{EventRecord, MatchesAndTournaments, PlayerRow, book_average};
use chess_history::gazetteer::country;
use chess_history::players::{Life, PlayerId};
use tournament_app::{RatingOrigin, Spec};

#[derive(Debug, Serialize)]
struct OuterLink {
    /// The address, which comes from a number alone.
    href: String,
    text: String,
}

/// Opponents that are shown at once. The others are folded. Judged: about half a screen.
const OPPONENTS: usize = 15;

/// Folded opponents that the page contains. Files have the rest. Judged: few players have more.
const MORE_OPPONENTS: usize = 200;

/// Writes the page of a player.
pub fn player(writer: &PageWriter, row: &PlayerRow) -> Result<(), PublishError> {
    let site = writer.site;
    let archive = site.archive;
    let player = archive.players.get(row.player);
    let sentence = career_sentence(row);
    let mut against = against(site, row.player);
    let more_against = LongTable::showing(
        MORE_OPPONENTS,
        format!("opponents-{}", player.id),
        against.split_off(against.len().min(OPPONENTS)),
    );
    let (lines, has_moves) = event_lines(site, row);
    let table = LongTable::new(format!("events-{}", player.id), lines);
    let moves_engine = if has_moves { moves::engine_of_most(site) } else { String::new() };
    let path = format!("players/{}.html", player.id);
    let (career, career_text) = ages::career(row);
    let other_spellings = player.spellings.iter().filter(|spelling| **spelling != player.name);
    let view = view!(
        frame = site
            .cited_frame(&path, Section::Players, spoken(&player.name), sentence.clone())
            .describing(person(site, row.player)),
        id = player.id.clone(),
        name = spoken(&player.name),
        sentence,
        best = row.best.map(|(_, event)| site.event_link(event)),
        best_g = row.best.map(|(g_score, _)| fixed(g_score, 2)).unwrap_or_default(),
        best_rank = site.best_rank.get(&row.player).copied(),
        greatest = career_of(site, row.player),
        life = player.life.as_ref().map(life).unwrap_or_default(),
        // The FIDE number, with the player's page at FIDE.
        fide = player
            .fide_id()
            .map(|number| OuterLink { href: page_at_fide(number), text: number.to_string() }),
        // The item of Wikidata about the player.
        wikidata = player
            .life
            .as_ref()
            .and_then(|life| life.wikidata)
            .map(|item| OuterLink { href: item.address(), text: item.to_string() }),
        chart = rating_chart(&row.histories, &event_points(site, row)),
        residuals = residual_chart(&residuals(site, row)),
        against,
        more_against = &more_against,
        spellings = other_spellings.cloned().collect::<Vec<_>>(),
        // Ratings of half decades over age.
        career,
        career_text,
        // Whether the table has matches that are parts of other events.
        has_parts = row.event_count < row.events.len(),
        titles = titles::of_player(site, row.player)
            .into_iter()
            .chain(five_years(site, row))
            .chain(forms(site, row))
            .collect::<Vec<_>>(),
        // The engine that analysed the player's moves; empty if none did.
        moves_engine,
        decisions = decisions(site, row),
        victories = victories(site, row),
        table = &table
    );
    writer.page(&path, "player.html", &view)?;
    writer.rest(&table, "player_event_rows.html", "../")?;
    writer.rest(&more_against, "opponent_rows.html", "../")
}

/// Events, games, years and points of a player, in a sentence.
fn career_sentence(row: &PlayerRow) -> String {
    let years = span(row.years);
    let score = match row.games {
        0 => String::new(),
        games => format!(" ({:.1}%)", 100.0 * row.points / games as f64),
    };
    format!(
        "{} and {}{}: {} points{score}.",
        counted(row.event_count, "event", "events"),
        counted(row.games, "game", "games"),
        if years.is_empty() { String::new() } else { format!(", {years}") },
        points(row.points),
    )
}

/// The record against each opponent.
fn against(site: &Site, player: PlayerId) -> Vec<impl Serialize> {
    let opponents = site.records[player.index()].iter();
    opponents
        .map(|one| {
            let points_of = f64::from(one.won) + f64::from(one.drawn) / 2.0;
            view!(
                opponent = Link::to_player(site.archive, one.opponent),
                // The page of their games, if they met often.
                pair = site.pairs.path(site.archive, player, one.opponent),
                games = one.games(),
                won = one.won,
                drawn = one.drawn,
                lost = one.lost,
                points = points(points_of),
                part = format!("{:.0}%", 100.0 * points_of / f64::from(one.games()))
            )
        })
        .collect()
}

/// Decisions about the events of a player, in the order of the events.
fn decisions(site: &Site, row: &PlayerRow) -> Vec<impl Serialize> {
    let records = row.events.iter().map(|&(event, _)| &site.archive.records[event]);
    let decided = records.filter_map(|record| {
        let reason = record.decided.as_ref()?.reason.clone();
        Some(view!(event = Link::to_event(record), reason))
    });
    decided.collect()
}

/// The rows of the table of events, and whether it has a column for the quality of the moves.
fn event_lines(site: &Site, row: &PlayerRow) -> (Vec<impl Serialize>, bool) {
    let events = row.events.iter();
    // Known days decide the order within a year.
    let mut events: Vec<(usize, usize)> = events.copied().collect();
    events.sort_by_key(|(event, _)| {
        let days = site.archive.records[*event].event.days();
        (days.0.year(), days.0.latest(), days.1.latest())
    });
    let moves: Vec<(String, String, bool)> = events
        .iter()
        .map(|&(event, standing)| {
            let analysed = &site.archive.records[event].analysis.players[standing];
            moves::at_event(site, event, analysed.index)
        })
        .collect();
    let has_moves = moves.iter().any(|(rating, ..)| !rating.is_empty());
    let lines = events.into_iter().zip(moves);
    let lines = lines.map(|(event, moves)| event_line(site, row.player, event, moves, has_moves));
    (lines.collect(), has_moves)
}

fn event_line(
    site: &Site,
    player: PlayerId,
    (event, standing): (usize, usize),
    (moves, moves_interval, moves_weak): (String, String, bool),
    has_moves: bool,
) -> impl Serialize {
    let record = &site.archive.records[event];
    let analysed = &record.analysis.players[standing];
    let (sign, mark) = mark_of(analysed.spec);
    let lists = &site.archive.settings.lists;
    let (g_score, note) = (record.shown_g_score(standing), record.unranked(standing, lists));
    view!(
        event = Link::to_event(record),
        // The shared page does not explain G-scores.
        anchor = match record.great[standing].filter(|_| record.has_page) {
            Some(_) => format!("#g-{}", site.archive.players.get(player).id),
            None => String::new(),
        },
        place = place(record, standing),
        score = PlayerScore::new(record, standing),
        rating = fixed_or_empty(analysed.initial_rating, 0),
        p_zero = fixed_or_empty(analysed.p_zero, 2),
        performance = fixed_or_empty(analysed.performance_rating, 0),
        residual = fixed_or_empty(analysed.residual, 0),
        // The mark of a large residual: as a sign, and in words.
        sign,
        mark,
        g = fixed_or_empty(g_score, 2),
        // Whether the G-score is high enough for the list, but not ranked.
        is_unranked_g = record.is_unranked_g(standing, lists),
        // Why the performance is not ranked; empty if it may be.
        note,
        // The event of which this match is a part, whose row has its games too.
        part_of = part_of(site, record),
        // Quality of the moves (Elo).
        moves,
        has_moves,
        moves_interval,
        moves_weak
    )
}

/// The place of a player in an event: `3 of 14`, `1–2 of 19` if it is shared, `withdrew`.
fn place(record: &EventRecord, standing: usize) -> String {
    if record.withdrew(standing) {
        return "withdrew".into();
    }
    format!("{} of {}", shared_place(&record.analysis.players[standing]), record.finishers())
}

/// The name of the event of which a match is a part; empty if it is none.
fn part_of(site: &Site, record: &EventRecord) -> String {
    let whole = record.event.part_of.as_ref().and_then(|id| site.by_id.get(id.as_str()));
    whole.map(|whole| site.archive.records[*whole].event.name.clone()).unwrap_or_default()
}

/// The best five-year average by historical Elo, and the figure of Elo's book if it is known.
fn five_years(site: &Site, row: &PlayerRow) -> Option<String> {
    let best = row.five_year_average.filter(|average| average.is_established)?;
    let ours = format!(
        "Best five-year average by historical Elo: {} ({})",
        fixed(best.rating, 0),
        span(Some((best.from, best.to)))
    );
    Some(match book_average(site.archive.players.get(row.player)) {
        Some(book) => format!("{ours}; in Arpad Elo’s book, {}.", fixed(book, 0)),
        None => format!("{ours}."),
    })
}

/// The score above or below expectation in matches and in tournaments, in a sentence.
fn forms(site: &Site, row: &PlayerRow) -> Option<String> {
    let sums = MatchesAndTournaments::new(row, &site.archive.records);
    let difference = sums.difference()?;
    let [matches, tournaments] = [&sums.matches, &sums.tournaments].map(|sum| {
        let direction = if sum.over < 0.0 { "below" } else { "above" };
        let (points, error) = (fixed(sum.over.abs(), 1), fixed(sum.variance.sqrt(), 1));
        format!("{points} ± {error} points {direction} expectation")
    });
    Some(format!(
        "In {} the score is {matches}; in {}, {tournaments}. The difference is {} standard deviations.",
        counted(sums.matches.games, "match game", "match games"),
        counted(sums.tournaments.games, "tournament game", "tournament games"),
        fixed(difference.abs(), 1)
    ))
}

/// The day of an event on a chart: its first, or the middle of its year.
fn day_of(site: &Site, event: usize) -> Option<Date> {
    let start = site.archive.records[event].event.start;
    match start.known_parts() {
        0 => None,
        1 => Date::new(start.year()?, 7, 1).ok(),
        _ => start.earliest(),
    }
}

/// The player's events with a performance rating. A match of a cycle is included in that cycle.
fn event_points(site: &Site, row: &PlayerRow) -> Vec<EventPoint> {
    let events = row.events.iter().filter_map(|&(event, standing)| {
        let record = &site.archive.records[event];
        let analysed = &record.analysis.players[standing];
        if record.event.part_of.is_some() {
            return None;
        }
        let performance = analysed.performance_rating?;
        Some(EventPoint {
            day: day_of(site, event)?,
            performance,
            href: Link::to_event(record).href,
            title: format!("{}: performance rating {}", record.event.name, fixed(performance, 0)),
            is_great: site.greatness_rank.contains_key(&(event, standing)),
            moves: moves::of_player(site, row.player, event).and_then(moves::bar),
        })
    });
    events.collect()
}

fn residuals(site: &Site, row: &PlayerRow) -> Vec<Residual> {
    let events = row.events.iter().filter_map(|&(event, standing)| {
        let record = &site.archive.records[event];
        let analysed = &record.analysis.players[standing];
        // An estimated rating is on the line by construction.
        let is_own = matches!(analysed.rating_origin, RatingOrigin::Given | RatingOrigin::Decided);
        if record.event.part_of.is_some() || record.event.players.len() < 3 || !is_own {
            return None;
        }
        let points = analysed.residual?;
        Some(Residual {
            day: day_of(site, event)?,
            points,
            spec: analysed.spec,
            href: Link::to_event(record).href,
            title: format!(
                "{}: residual {}{}",
                record.event.name,
                fixed(points, 0),
                match analysed.spec {
                    Some(Spec::Out) => ", out of spec",
                    Some(Spec::PressureUp) => ", pressure up",
                    Some(Spec::PressureDown) => ", pressure down",
                    Some(Spec::In) | None => "",
                }
            ),
        })
    });
    events.collect()
}

/// Dates, titles and federations of a life, in words; empty if none are known.
fn life(life: &Life) -> String {
    let mut parts: Vec<String> = Vec::new();
    match (life.born, life.died) {
        (Some(born), Some(died)) => parts.push(format!("{born}–{died}")),
        (Some(born), None) => parts.push(format!("Born {born}")),
        (None, Some(died)) => parts.push(format!("Died {died}")),
        (None, None) => {}
    }
    let titles: Vec<&str> = life.titles.split('+').filter_map(title).collect();
    parts.extend((!titles.is_empty()).then(|| titles.join(", ")));
    // XXX stands for years without a federation.
    let federations: Vec<&str> = life
        .federation
        .split('/')
        .filter(|code| !code.is_empty() && *code != "XXX")
        .map(|code| country(code).map_or(code, |country| country.name))
        .collect();
    parts.extend((!federations.is_empty()).then(|| federations.join(", then ")));
    parts.join(", ")
}

/// A title in words; `None` for any other abbreviation.
fn title(abbreviation: &str) -> Option<&'static str> {
    Some(match abbreviation {
        "GM" => "grandmaster",
        "HGM" => "honorary grandmaster",
        "IM" => "international master",
        "FM" => "FIDE master",
        "CM" => "candidate master",
        "WGM" => "woman grandmaster",
        "WIM" => "woman international master",
        "WFM" => "woman FIDE master",
        "WCM" => "woman candidate master",
        "CGM" => "correspondence grandmaster",
        "CIM" => "correspondence international master",
        _ => return None,
    })
}
