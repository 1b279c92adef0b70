//! The pages of the greatest players: whole careers, each era, tournaments and matches.

use rayon::prelude::*;
use serde::Serialize;

use super::certainty::range;
use super::{Link, Section, Site, span};
use crate::charts::{Interval, interval_plot};
use crate::errors::PublishError;
use crate::figures::{counted, fixed, margin, percent, spelt_out, spoken};
use crate::long_table::LongTable;
use crate::page_writer::PageWriter;
use archive::{BAND_WEIGHTS, CareerFigure, CareerFigures, CareerList, GreatestPlayer, LEADERS};
use chess_history::players::PlayerId;
use tournament_app::GreatnessBand;

/// Players of each table that a page shows at once, as on the other ranked lists.
const SHOWN: usize = 100;

/// Players of the chart. Judged: one screen.
const IN_CHART: usize = 20;

/// First players of each part. Judged: as many as fit on a line.
const IN_PART: usize = 3;

/// Players of the list on the front page. Judged: the page has three longer lists.
const ON_FRONT: usize = 5;

/// A figure with its standard error, as text.
#[derive(Debug, Serialize)]
struct FigureLine {
    value: String,
    error: String,
}

impl FigureLine {
    fn new(figure: CareerFigure, decimals: usize) -> FigureLine {
        FigureLine {
            value: fixed(figure.value, decimals),
            // A sum that is the same in every draw has no error to show.
            error: figure.error.filter(|error| *error >= 0.005).map(margin).unwrap_or_default(),
        }
    }

    /// A number of performances.
    fn of_count(figure: CareerFigure) -> FigureLine {
        let error = figure.error.filter(|error| *error >= 0.05);
        let error = error.map(|error| fixed(error, 1)).unwrap_or_default();
        FigureLine { value: fixed(figure.value, 0), error }
    }

    /// The figure in a sentence: `184 ± 13`.
    fn words(&self) -> String {
        match self.error.as_str() {
            "" => self.value.clone(),
            error => format!("{}\u{a0}±\u{a0}{error}", self.value),
        }
    }
}

/// A player of a table.
fn career_line(
    site: &Site,
    row: &GreatestPlayer,
    figures: &CareerFigures,
) -> impl Serialize + use<> {
    let record = &site.archive.records[figures.best_performance.0];
    let player = site.archive.players.get(row.player);
    view!(
        rank = figures.rank,
        range = range(figures.range),
        is_tied = figures.range.is_tied,
        player = Link::to_player(site.archive, row.player),
        // The player's name in spoken order.
        spoken = spoken(&player.name),
        sum = FigureLine::new(figures.band_sum, 0),
        best = FigureLine::new(figures.best, 0),
        // The part of the event's page that explains the best performance, and the event.
        best_href = format!("{}#g-{}", Link::to_event(record).href, player.id),
        best_event = record.event.name.clone(),
        three_years = FigureLine::new(figures.three_years, 0),
        period = span(figures.period),
        above_200 = FigureLine::of_count(figures.above_200),
        performances = row.performances,
        years = span(row.years)
    )
}

/// What a list counts: `until 1899`, `1900–1924`, `from 2010`, `in matches`; empty for all
/// performances.
fn part(list: &CareerList) -> String {
    match (list.form, list.from, list.to) {
        (Some(form), ..) => format!("in {}", form.word()),
        (None, Some(from), Some(to)) => span(Some((from, to))),
        (None, None, Some(to)) => format!("until {to}"),
        (None, Some(from), None) => format!("from {from}"),
        (None, None, None) => String::new(),
    }
}

fn path(list: &CareerList) -> String {
    match part(list).as_str() {
        "" => "greatest-players.html".into(),
        part => format!("greatest-players/{}.html", part.replace([' ', '–'], "-")),
    }
}

/// The lists that count a part of the performances: eras and forms.
fn parts<'a>(site: &Site<'a>) -> impl Iterator<Item = &'a CareerList> + use<'a> {
    let greatest = &site.archive.studies.greatest;
    greatest.eras.iter().chain(&greatest.forms)
}

pub fn paths_of_parts<'a>(site: &Site<'a>) -> impl Iterator<Item = String> + use<'a> {
    parts(site).map(path)
}

/// Writes the pages of eras and of forms.
pub fn part_pages(writer: &PageWriter) -> Result<(), PublishError> {
    let lists: Vec<&CareerList> = parts(writer.site).collect();
    lists.into_par_iter().try_for_each(|list| greatest(writer, list))
}

/// The first players of the list of whole careers.
pub(super) fn first_careers(site: &Site) -> Vec<impl Serialize> {
    let players = site.archive.studies.greatest.careers.players.iter().take(ON_FRONT);
    players.map(|row| career_line(site, row, &row.by_g)).collect()
}

/// The career of a player; `None` if the player is not on the list.
pub(super) fn career_of(site: &Site, player: PlayerId) -> Option<impl Serialize> {
    let rank = *site.career_rank.get(&player)?;
    let row = site.archive.studies.greatest.careers.players.get(rank - 1)?;
    Some(view!(
        rank,
        range = range(row.by_g.range),
        performances = performances(row),
        sum = FigureLine::new(row.by_g.band_sum, 0),
        field_rank = row.by_field.rank
    ))
}

/// Writes the page of whole careers, or of a part of them.
pub fn greatest(writer: &PageWriter, list: &CareerList) -> Result<(), PublishError> {
    let site = writer.site;
    let part = part(list);
    let own_path = path(list);
    let slug = own_path.trim_end_matches(".html").replace('/', "-");
    let mut by_field: Vec<&GreatestPlayer> = list.players.iter().collect();
    by_field.sort_by_key(|row| row.by_field.rank);
    let by_g: Vec<&GreatestPlayer> = list.players.iter().collect();
    let title = match part.as_str() {
        "" => "The greatest players".to_owned(),
        part => format!("The greatest players, {part}"),
    };
    let [by_g, by_field] = [
        ("g", career_lines(site, &by_g, |row| &row.by_g)),
        ("field", career_lines(site, &by_field, |row| &row.by_field)),
    ]
    .map(|(name, lines)| LongTable::showing(SHOWN, format!("{slug}-{name}"), lines));
    let frame = site.cited_frame(&own_path, Section::Careers, title, finding(site, list));
    let prefix = frame.root;
    let view = view!(
        frame,
        // The players who may have a higher sum than the first, in a sentence.
        rivals = rivals(site, list),
        // The first players if the strength of the fields counts, in a sentence.
        by_strength = by_strength(site, list),
        // How the order depends on the weights, in a sentence.
        sensitivity = if part.is_empty() { sensitivity(site) } else { String::new() },
        chart = interval_plot(&intervals(site, list), "Sum over bands"),
        by_g = &by_g,
        by_field = &by_field,
        parts = lines_of_parts(site, list),
        weights = weights(site),
        // The greatest in tournaments and in matches, in a sentence; empty without matches.
        champions = champions(site),
        only = match (list.form, part.as_str()) {
            (Some(form), _) => format!("Only {} count.", form.word()),
            (None, "") => String::new(),
            (None, _) => "Only performances of these years count.".to_owned(),
        },
        // The name of the table with this list.
        download = match (list.form, part.as_str()) {
            (Some(_), _) => "greatest-players-forms",
            (None, "") => "greatest-players",
            (None, _) => "greatest-players-eras",
        },
        part
    );
    writer.page(&own_path, "greatest.html", &view)?;
    writer.rest(&by_g, "career_rows.html", prefix)?;
    writer.rest(&by_field, "career_rows.html", prefix)
}

fn career_lines(
    site: &Site,
    rows: &[&GreatestPlayer],
    figures: fn(&GreatestPlayer) -> &CareerFigures,
) -> Vec<impl Serialize + use<>> {
    rows.iter().map(|row| career_line(site, row, figures(row))).collect()
}

fn name(site: &Site, row: &GreatestPlayer) -> String {
    spoken(&site.archive.players.get(row.player).name)
}

fn performances(row: &GreatestPlayer) -> String {
    counted(row.performances, "performance", "performances")
}

/// The first player with the sum over bands, in a sentence.
fn finding(site: &Site, list: &CareerList) -> String {
    let Some(first) = list.players.first() else {
        return "No player has a performance on the Greatness List yet.".into();
    };
    let chance = match first.by_g.band_sum.error {
        Some(_) => {
            // The draws may prefer another player, whose performances are more certain.
            let often = list
                .players
                .iter()
                .max_by(|a, b| a.by_g.range.first.total_cmp(&b.by_g.range.first))
                .filter(|often| often.by_g.range.first > first.by_g.range.first);
            let other = often.map(|other| {
                format!("; {} has it in {}", name(site, other), percent(other.by_g.range.first))
            });
            format!(
                " This is the highest sum in {} of the draws{}.",
                percent(first.by_g.range.first),
                other.unwrap_or_default()
            )
        }
        None => String::new(),
    };
    let what = match (list.form, part(list).as_str()) {
        (Some(form), _) => format!("record in {}", form.word()),
        (None, "") => "career".to_owned(),
        (None, _) => "record of these years".to_owned(),
    };
    let above = if first.performances > 1 {
        format!(", {} of them above 200", spelt_out(first.by_g.above_200.value as usize))
    } else {
        String::new()
    };
    format!(
        "{} has the greatest {what}: {} on the Greatness List{above}, and a sum over bands of {}.{chance}",
        name(site, first),
        performances(first),
        FigureLine::new(first.by_g.band_sum, 0).words(),
    )
}

/// The first players of tournaments and of matches, in a sentence; empty without either.
fn champions(site: &Site) -> String {
    let [tournaments, matches] = &site.archive.studies.greatest.forms[..] else {
        return String::new();
    };
    match [tournaments, matches].map(|list| list.players.first()) {
        [Some(first), Some(other)] if first.player == other.player => format!(
            "{} is first both in tournaments alone and in matches alone.",
            name(site, first)
        ),
        [Some(first), Some(other)] => format!(
            "In tournaments alone {} is first, in matches alone {}.",
            name(site, first),
            name(site, other)
        ),
        _ => String::new(),
    }
}

/// The next players, with the chance that each is first, in a sentence.
fn rivals(site: &Site, list: &CareerList) -> String {
    let next = list.players.iter().skip(1).filter(|row| row.by_g.range.first >= 0.05);
    let named: Vec<String> = next
        .map(|row| format!("{} ({})", name(site, row), percent(row.by_g.range.first)))
        .collect();
    match &named[..] {
        [] => String::new(),
        [one] => format!("The other candidate is {one}."),
        [others @ .., last] => {
            format!("The other candidates are {} and {last}.", others.join(", "))
        }
    }
}

/// The first players by field-weighted scores, in a sentence.
fn by_strength(site: &Site, list: &CareerList) -> String {
    let mut rows: Vec<&GreatestPlayer> = list.players.iter().collect();
    rows.sort_by_key(|row| row.by_field.rank);
    match &rows[..] {
        [first, second, third, ..] => format!(
            "If the strength of the fields counts too, the first three are {}, {} and {}.",
            name(site, first),
            name(site, second),
            name(site, third)
        ),
        _ => String::new(),
    }
}

/// How the first players depend on the weights, in a sentence.
fn sensitivity(site: &Site) -> String {
    let greatest = &site.archive.studies.greatest;
    let Some(first) =
        greatest.with_equal_steps.first().filter(|_| greatest.careers.players.len() > LEADERS)
    else {
        return String::new();
    };
    format!(
        "With the weights 1 to 7 instead, the first would be {}, and {} of the first {} would stay among them.",
        spoken(&site.archive.players.get(*first).name),
        spelt_out(greatest.kept_with_equal_steps()),
        spelt_out(LEADERS)
    )
}

fn intervals(site: &Site, list: &CareerList) -> Vec<Interval> {
    let rows = list.players.iter().take(IN_CHART);
    rows.map(|row| {
        let (sum, other) = (FigureLine::new(row.by_g.band_sum, 0), row.by_field.band_sum.value);
        let name = name(site, row);
        let player = site.archive.players.get(row.player);
        Interval {
            href: Link::to_player(site.archive, row.player).href,
            title: format!("{name}: {}; field-weighted {}", sum.words(), fixed(other, 0)),
            surname: player.surname.clone(),
            name,
            value: row.by_g.band_sum.value,
            error: row.by_g.band_sum.error,
            other,
        }
    })
    .collect()
}

fn lines_of_parts(site: &Site, here: &CareerList) -> Vec<impl Serialize> {
    let lines = parts(site).map(|list| {
        view!(
            href = path(list),
            name = part(list),
            first = list
                .players
                .iter()
                .take(IN_PART)
                .map(|row| Link {
                    text: name(site, row),
                    ..Link::to_player(site.archive, row.player)
                })
                .collect::<Vec<_>>(),
            is_here = part(list) == part(here)
        )
    });
    lines.collect()
}

/// The bands with their weights, the highest first.
fn weights(site: &Site) -> Vec<impl Serialize> {
    let rows = &site.archive.lists.greatness;
    let bands = GreatnessBand::ALL.into_iter().zip(BAND_WEIGHTS).rev();
    bands
        .map(|(band, weight)| {
            view!(
                number = band as usize + 1,
                name = band.name(),
                from = fixed(band.from(), 0),
                weight,
                count = rows.iter().filter(|row| row.band == Some(band)).count()
            )
        })
        .collect()
}
