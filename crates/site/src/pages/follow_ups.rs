//! How near the official ratings of later months were to the ratings that corrected events left.

use serde::Serialize;

use super::Site;
use super::page::{Inputs, Page};
use crate::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::errors::PublishError;
use crate::figures::{counted, fixed};
use crate::long_table::LongTable;
use archive::{FollowedEvent, MonthMean};
use tournament_app::RatingOrigin;
use tournament_app::follow_up::FollowedMonth;

/// The fewest months of an event that has a chart of its own. Judged: fewer points show no course.
const FEWEST: usize = 6;

/// The table of means has a row for every third month.
const EVERY: usize = 3;

pub fn has_follow_ups(site: &Site) -> bool {
    !site.archive.studies.follow_ups.events.is_empty()
}

pub fn follow_ups(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    let site = to.site;
    let found = &site.archive.studies.follow_ups;
    let rows = found.events.iter().map(|followed| line(site, followed)).collect();
    let table = LongTable::new("follow-ups", rows);
    let means: Vec<[String; 5]> =
        found.means.iter().filter(|mean| mean.month % EVERY == 0).map(mean_line).collect();
    let view = view!(
        frame = page.frame(site, finding(&found.means, found.events.len())),
        chart = chart_of_means(&found.means),
        means,
        table = &table
    );
    to.writer.page(page.path, "follow-ups.html", &view)?;
    to.writer.rest(&table, "follow_up_rows.html", "")
}

/// From which month on the corrected ratings are the better forecast, in a sentence.
fn finding(means: &[MonthMean], events: usize) -> String {
    let events = counted(events, "corrected event", "corrected events");
    let worse = means.iter().rposition(|mean| mean.corrected >= mean.uncorrected);
    match means.get(worse.map_or(0, |worse| worse + 1)) {
        Some(first) => format!(
            "Over {events}, FIDE’s later ratings are nearer to the ratings after correction than to \
             those without it from month {} on.",
            first.month
        ),
        None => format!(
            "Over {events}, FIDE’s ratings of the next two years stay nearer to the ratings without \
             correction than to those after it."
        ),
    }
}

fn mean_line(mean: &MonthMean) -> [String; 5] {
    [
        mean.month.to_string(),
        mean.events.to_string(),
        fixed(mean.corrected, 2),
        fixed(mean.uncorrected, 2),
        fixed(mean.initial, 2),
    ]
}

fn line(site: &Site, followed: &FollowedEvent) -> impl Serialize {
    let record = &site.archive.records[followed.event];
    let (players, last) = (record.analysis.players.iter(), followed.months.last());
    view!(
        event = site.event_link(followed.event),
        corrected =
            players.filter(|player| player.rating_origin == RatingOrigin::Corrected).count(),
        nearest = followed.nearest().map(|month| month.month),
        close = month_or_never(followed.first_close()),
        better = month_or_never(followed.first_better()),
        last = last.map(|month| month.month),
        last_corrected = last.map(|month| fixed(month.by_degree(month.corrected), 2)),
        last_uncorrected = last.map(|month| fixed(month.by_degree(month.uncorrected), 2))
    )
}

fn month_or_never(month: Option<&FollowedMonth>) -> String {
    month.map_or_else(|| "never".into(), |month| month.month.to_string())
}

/// The names of the axes of both charts.
const AXES: [&str; 2] = ["months after the event", "chi-squared by degree of freedom"];

fn chart_of_means(means: &[MonthMean]) -> Option<LineChart> {
    let lines = [
        line_of_means(means, "corrected", 0, |mean| mean.corrected),
        line_of_means(means, "uncorrected", 1, |mean| mean.uncorrected),
        line_of_means(means, "before the event", 2, |mean| mean.initial),
    ];
    let title = "Mean chi-squared by degree of freedom, by month after the event";
    line_chart(LineAbout::new("follow-ups", title, AXES), &lines)
}

fn line_of_means(
    means: &[MonthMean],
    name: &str,
    stroke: usize,
    value: fn(&MonthMean) -> f64,
) -> ChartLine {
    ChartLine::new(name, stroke, means.iter().map(|mean| (mean.month as f64, value(mean))))
}

/// The months after an event: a sentence and a chart. `None` if its ratings were not corrected or
/// too few months have official ratings.
pub(super) fn of_event(site: &Site, event: usize) -> Option<impl Serialize> {
    let followed = site.archive.studies.follow_ups.of_event(event)?;
    if followed.months.len() < FEWEST {
        return None;
    }
    let nearest = followed.nearest()?;
    let players = counted(nearest.players, "player", "players");
    let better = match followed.first_better() {
        Some(first) => format!(
            "From month {} on they are nearer to these than to the ratings without the correction.",
            first.month
        ),
        None => "They stay nearer to the ratings without the correction.".to_owned(),
    };
    let text = format!(
        "The FIDE ratings of later months are nearest to the ratings that the corrected event left in \
         month {} ({players}). {better}",
        nearest.month
    );
    Some(view!(text, chart = chart_of_event(&followed.months)))
}

fn chart_of_event(months: &[FollowedMonth]) -> Option<LineChart> {
    let lines = [
        line_of_event(months, "corrected", 0, |month| month.corrected),
        line_of_event(months, "uncorrected", 1, |month| month.uncorrected),
        line_of_event(months, "unusually close", 2, |month| month.lower),
    ];
    let title = "Chi-squared by degree of freedom, by month after the event";
    line_chart(LineAbout::new("months", title, AXES), &lines)
}

fn line_of_event(
    months: &[FollowedMonth],
    name: &str,
    stroke: usize,
    value: fn(&FollowedMonth) -> f64,
) -> ChartLine {
    let points = months.iter().map(|month| (month.month as f64, month.by_degree(value(month))));
    ChartLine::new(name, stroke, points)
}
