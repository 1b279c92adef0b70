//! The chart of a player's ratings: years across, ratings up, a line for each list.

use jiff::civil::Date;
use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::year_axis::{AxisBreak, YearAxis};
use super::{BOTTOM, LEFT, LINES, TOP, WIDTH, room_for, spread_labels};
use crate::figures::fixed;
use chess_history::ratings::RatingHistory;

const HEIGHT: f64 = 320.0;

/// Room for the names of the lists at the ends of their lines: what the longest name needs, within
/// these limits.
const RIGHT: std::ops::RangeInclusive<f64> = 120.0..=250.0;

/// Lower edge of the frame around the lines.
const BOTTOM_EDGE: f64 = HEIGHT - BOTTOM + 16.0;

/// A list whose mean differs by more points from that of the first has another scale. It is only in
/// the table. Judged: lists on one scale differ by less than two classes (400 points); a larger
/// limit would compress the lines.
const OTHER_SCALE: f64 = 400.0;

/// Days for which a rating is valid without a new edition. After a longer gap, the line is broken.
const LONGEST_GAP: i32 = chess_history::ratings::LONGEST_SILENCE;

/// A chart ready for its template; all positions in the units of the view box.
#[derive(Clone, Debug, Serialize)]
pub struct RatingChart {
    #[serde(flatten)]
    axes: Axes<YearAxis>,
    /// Years that are left out.
    breaks: Vec<AxisBreak>,
    series: Vec<RatingSeries>,
    dots: Vec<Dot>,
    bars: Vec<Bar>,
    description: String,
    rows: Vec<Row>,
    systems: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct RatingSeries {
    /// The number of its stroke in the style sheet, from 1.
    stroke: usize,
    /// Whether the reader sees it only by choice.
    is_later: bool,
    system: String,
    path: String,
    /// Its ratings in words, in the order of the path, separated by `|`: `1972-07: 2785`.
    values: String,
    /// One standard deviation on either side, for the list with the smallest deviations.
    band: String,
    label_y: f64,
    peak: Peak,
}

#[derive(Clone, Debug, Serialize)]
struct Peak {
    x: f64,
    y: f64,
    title: String,
}

/// A year of the table behind the chart.
#[derive(Clone, Debug, Serialize)]
struct Row {
    year: i16,
    ratings: Vec<String>,
}

/// An event on a player's chart.
#[derive(Clone, Debug)]
pub struct EventPoint {
    /// Its first day, or the middle of the known period.
    pub day: Date,
    /// Performance rating (points).
    pub performance: f64,
    pub href: String,
    pub title: String,
    /// Whether it is on the Greatness List.
    pub is_great: bool,
    /// Quality of the moves (Elo), the ends of its interval, and the same in words.
    pub moves: Option<(f64, f64, f64, String)>,
}

#[derive(Clone, Debug, Serialize)]
struct Dot {
    x: f64,
    y: f64,
    href: String,
    title: String,
    great: bool,
}

/// The quality of the moves of an event, as a bar.
#[derive(Clone, Debug, Serialize)]
struct Bar {
    x: f64,
    y: f64,
    from: f64,
    to: f64,
    title: String,
}

/// The chart of these histories, with events as points; `None` with fewer than two ratings and
/// fewer than two events.
pub fn rating_chart(histories: &[RatingHistory], events: &[EventPoint]) -> Option<RatingChart> {
    let charted = on_scale_of_first(histories);
    let plane = RatingPlane::new(&charted, events)?;
    let mut series = series(&charted, &plane.axes);
    let shown = series.iter_mut().filter(|one| !one.is_later);
    let mut labels: Vec<&mut f64> = shown.map(|one| &mut one.label_y).collect();
    spread_labels(&mut labels, BOTTOM_EDGE);
    series.sort_by(|a, b| {
        (a.is_later, a.label_y)
            .partial_cmp(&(b.is_later, b.label_y))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let description: Vec<String> = series.iter().map(|series| series.peak.title.clone()).collect();
    Some(RatingChart {
        breaks: plane.axes.x.breaks(),
        series,
        dots: events.iter().map(|event| plane.dot(event)).collect(),
        bars: events.iter().filter_map(|event| plane.bar(event)).collect(),
        axes: plane.axes,
        description: description.join("; "),
        rows: rows(histories),
        systems: histories.iter().map(|history| history.system.clone()).collect(),
    })
}

/// The part of a history that the chart shows.
#[derive(Clone, Copy, Debug)]
struct ChartedHistory<'a> {
    system: &'a str,
    ratings: &'a [(Date, f64)],
    /// Empty, or one for each rating.
    deviations: &'a [f64],
}

impl<'a> ChartedHistory<'a> {
    /// A history without the repetitions at its end. Lists repeat the last rating of a player who
    /// stopped, some for decades; the chart shows the first two years.
    fn new(history: &'a RatingHistory) -> ChartedHistory<'a> {
        let (ratings, deviations) = (&history.ratings[..], &history.deviations[..]);
        let last = ratings.last().map(|(_, rating)| *rating);
        let before = ratings.iter().rposition(|(_, rating)| Some(*rating) != last);
        let first = ratings.get(before.map_or(0, |at| at + 1)).map(|(day, _)| *day);
        let shown = ratings.partition_point(|(day, _)| {
            first.is_none_or(|first| (*day - first).get_days() <= LONGEST_GAP)
        });
        let deviations = &deviations[..shown.min(deviations.len())];
        ChartedHistory { system: &history.system, ratings: &ratings[..shown], deviations }
    }
}

/// The histories whose mean is near that of the first.
fn on_scale_of_first(histories: &[RatingHistory]) -> Vec<ChartedHistory<'_>> {
    let first = histories.first().map_or(0.0, mean_rating);
    histories
        .iter()
        .filter(|history| (mean_rating(history) - first).abs() <= OTHER_SCALE)
        .map(ChartedHistory::new)
        .collect()
}

fn mean_rating(history: &RatingHistory) -> f64 {
    let sum: f64 = history.ratings.iter().map(|(_, rating)| rating).sum();
    sum / history.ratings.len().max(1) as f64
}

/// The axes of a chart, and the range of the ratings on it.
struct RatingPlane {
    axes: Axes<YearAxis>,
    lowest: f64,
    highest: f64,
}

impl RatingPlane {
    /// Axes for these histories and events; `None` with too few of both.
    fn new(charted: &[ChartedHistory], events: &[EventPoint]) -> Option<RatingPlane> {
        let all = charted.iter().flat_map(|history| history.ratings);
        if all.clone().count() < 2 && events.len() < 2 {
            return None;
        }
        let days = all.clone().map(|(day, _)| *day).chain(events.iter().map(|event| event.day));
        let right = WIDTH - room_for(charted.iter().map(|history| history.system), RIGHT);
        let x = YearAxis::new(days.map(years), LEFT, right)?;
        let (lowest, highest) =
            all.clone().fold((f64::MAX, f64::MIN), |(low, high), (_, rating)| {
                (low.min(*rating), high.max(*rating))
            });
        let performances = events.iter().map(|event| event.performance);
        let of_moves = events.iter().filter_map(|event| Some(event.moves.as_ref()?.0));
        let near = performances.chain(of_moves).map(|value| within_reach(value, lowest, highest));
        let y = Scale::new(all.map(|(_, rating)| *rating).chain(near), BOTTOM_EDGE, TOP);
        let bottom = BOTTOM_EDGE;
        let frame = Frame { width: WIDTH, height: HEIGHT, left: LEFT, right, top: TOP, bottom };
        Some(RatingPlane { axes: Axes { frame, x, y }, lowest, highest })
    }

    fn dot(&self, event: &EventPoint) -> Dot {
        Dot {
            x: self.axes.x.at(years(event.day)),
            y: self.axes.y.at(within_reach(event.performance, self.lowest, self.highest)),
            href: event.href.clone(),
            title: event.title.clone(),
            great: event.is_great,
        }
    }

    fn bar(&self, event: &EventPoint) -> Option<Bar> {
        let (rating, low, high, words) = event.moves.as_ref()?;
        let y = self.axes.y;
        let [at, from, to] =
            [rating, low, high].map(|rating| y.at(rating.clamp(y.low(), y.high())));
        Some(Bar {
            x: self.axes.x.at(years(event.day)),
            y: at,
            from,
            to,
            title: format!("{}; {words}", event.title),
        })
    }
}

/// A performance within 400 points of the ratings. A score of 0% has a performance rating far
/// below them; it is drawn on the edge.
fn within_reach(performance: f64, lowest: f64, highest: f64) -> f64 {
    if lowest > highest { performance } else { performance.clamp(lowest - 400.0, highest + 400.0) }
}

/// The histories as lines, with the band of the list that has the smallest deviations.
fn series(charted: &[ChartedHistory], axes: &Axes<YearAxis>) -> Vec<RatingSeries> {
    let surest = surest(charted);
    let numbered = charted.iter().enumerate();
    numbered
        .filter_map(|(number, history)| {
            let (_, rating) = history.ratings.last()?;
            let best =
                history.ratings.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let (best_day, best) = best?;
            Some(RatingSeries {
                stroke: number % LINES + 1,
                is_later: number >= LINES,
                system: history.system.to_owned(),
                path: path(history.ratings, &axes.x, axes.y),
                values: values(history.ratings),
                band: if surest == Some(number) {
                    band(history, &axes.x, axes.y)
                } else {
                    String::new()
                },
                label_y: axes.y.at(*rating) + 4.0,
                peak: Peak {
                    x: axes.x.at(years(*best_day)),
                    y: axes.y.at(*best),
                    title: format!("{}: highest {} ({best_day})", history.system, fixed(*best, 0)),
                },
            })
        })
        .collect()
}

/// The list with the smallest mean deviation; `None` if no list has deviations.
fn surest(histories: &[ChartedHistory]) -> Option<usize> {
    histories
        .iter()
        .map(|history| history.deviations)
        .enumerate()
        .filter(|(_, deviations)| deviations.len() > 1)
        .map(|(place, deviations)| {
            (place, deviations.iter().sum::<f64>() / deviations.len() as f64)
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(place, _)| place)
}

/// The area of one standard deviation on either side of a history.
fn band(history: &ChartedHistory, x: &YearAxis, y: Scale) -> String {
    let mut path = String::new();
    let points: Vec<(Date, f64, f64)> = history
        .ratings
        .iter()
        .zip(history.deviations)
        .map(|((day, rating), deviation)| (*day, *rating, *deviation))
        .collect();
    for part in points.chunk_by(|a, b| (b.0 - a.0).get_days() <= LONGEST_GAP) {
        for (place, (day, rating, deviation)) in part.iter().enumerate() {
            let word = if place == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{word}{} {}", x.at(years(*day)), y.at(rating + deviation)));
        }
        for (day, rating, deviation) in part.iter().rev() {
            path.push_str(&format!("L{} {}", x.at(years(*day)), y.at(rating - deviation)));
        }
        path.push('Z');
    }
    path
}

/// A day as a decimal year.
pub(super) fn years(day: Date) -> f64 {
    f64::from(day.year()) + f64::from(day.day_of_year() - 1) / 365.25
}

/// The line of a history, broken after long gaps.
fn path(ratings: &[(Date, f64)], x: &YearAxis, y: Scale) -> String {
    // In a list of half decades, five years between ratings do not make a gap.
    let gaps = ratings.windows(2).map(|two| (two[1].0 - two[0].0).get_days());
    let longest = gaps.min().map_or(LONGEST_GAP, |gap| LONGEST_GAP.max(gap + 1));
    let mut path = String::new();
    let mut last: Option<(Date, f64)> = None;
    for &(day, rating) in ratings {
        let goes_on = last.is_some_and(|(before, _)| (day - before).get_days() <= longest);
        let word = if goes_on { 'L' } else { 'M' };
        path.push_str(&format!("{word}{} {}", x.at(years(day)), y.at(rating)));
        last = Some((day, rating));
    }
    path
}

/// Ratings with their months in words.
fn values(ratings: &[(Date, f64)]) -> String {
    let words = ratings
        .iter()
        .map(|(day, rating)| format!("{}-{:02}: {}", day.year(), day.month(), fixed(*rating, 0)));
    words.collect::<Vec<_>>().join("|")
}

/// The first rating of each year, by list.
fn rows(histories: &[RatingHistory]) -> Vec<Row> {
    let mut by_year: std::collections::BTreeMap<i16, Vec<String>> = Default::default();
    for (number, history) in histories.iter().enumerate() {
        for (day, rating) in &history.ratings {
            let row =
                by_year.entry(day.year()).or_insert_with(|| vec![String::new(); histories.len()]);
            if row[number].is_empty() {
                row[number] = fixed(*rating, 0);
            }
        }
    }
    by_year.into_iter().map(|(year, ratings)| Row { year, ratings }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_line_is_broken_after_a_long_gap() {
        let history = RatingHistory {
            system: "Elo".into(),
            ratings: vec![
                (date(1970, 1, 1), 2600.0),
                (date(1971, 1, 1), 2650.0),
                (date(1980, 1, 1), 2500.0),
                (date(1990, 1, 1), 2510.0),
            ],
            deviations: vec![40.0, 30.0, 30.0, 50.0],
        };
        let chart = rating_chart(&[history], &[]).expect("a chart");
        let path = &chart.series[0].path;
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (3, 1), "{path}");
        assert_eq!(chart.description, "Elo: highest 2650 (1971-01-01)");
        assert_eq!(chart.rows.len(), 4);
        assert_eq!(chart.series[0].band.matches('Z').count(), 3, "a band for each part");
    }

    #[test]
    fn a_rating_that_is_only_repeated_ends_after_two_years() {
        let yearly = (1970..=2008).map(|year| {
            (date(year, 1, 1), if year < 1973 { 2700.0 + f64::from(year - 1970) } else { 2780.0 })
        });
        let history =
            RatingHistory { system: "Elo".into(), ratings: yearly.collect(), deviations: vec![] };
        let chart = rating_chart(&[history], &[]).expect("a chart");
        assert!(chart.series[0].values.ends_with("|1973-01: 2780|1974-01: 2780|1975-01: 2780"));
        assert_eq!(chart.axes.x.ticks().last().map(|tick| tick.label.as_str()), Some("1975"));
        assert_eq!(chart.rows.len(), 39, "the table has all years");
    }

    #[test]
    fn six_lists_have_strokes_and_the_others_wait_for_a_choice() {
        let histories = [1, 2, 3, 4, 5, 6, 7, 8].map(|number| RatingHistory {
            system: format!("List {number}"),
            ratings: vec![
                (date(1970, 1, 1), 2600.0),
                (date(1971, 1, 1), 2600.0 + f64::from(number)),
            ],
            deviations: Vec::new(),
        });
        let chart = rating_chart(&histories, &[]).expect("a chart");
        let shown = chart.series.iter().filter(|one| !one.is_later);
        let strokes: std::collections::BTreeSet<usize> =
            shown.clone().map(|one| one.stroke).collect();
        assert_eq!((shown.clone().count(), strokes.len()), (6, 6));
        let heights: Vec<f64> = shown.map(|one| one.label_y).collect();
        assert!(heights.windows(2).all(|two| two[1] - two[0] >= 13.0), "{heights:?}");
        let later = [6, 7].map(|place: usize| chart.series[place].system.as_str());
        assert_eq!(later, ["List 8", "List 7"], "in the order of their heights");
    }

    #[test]
    fn one_rating_is_no_history() {
        let ratings = vec![(date(1970, 1, 1), 2600.0)];
        assert!(
            rating_chart(
                &[RatingHistory { system: "Elo".into(), ratings, deviations: Vec::new() }],
                &[]
            )
            .is_none()
        );
    }
}
