//! A chart of named figures with their standard errors: one row for each name, figures across.

use serde::Serialize;

use super::axes::{Frame, Scale};
use super::{WIDTH, tenth};

/// Room for the names.
const LEFT: f64 = 176.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 6.0;
/// Height of a row, and of the area below the last row.
const ROW: f64 = 24.0;
const BELOW: f64 = 44.0;

/// A figure of the chart, with another one for comparison.
#[derive(Clone, Debug)]
pub struct Interval {
    pub name: String,
    /// The name where there is little room.
    pub surname: String,
    pub href: String,
    pub title: String,
    pub value: f64,
    /// Standard error of the value, if known.
    pub error: Option<f64>,
    /// The figure for comparison.
    pub other: f64,
}

/// A chart ready for its template.
#[derive(Clone, Debug, Serialize)]
pub struct IntervalPlot {
    #[serde(flatten)]
    frame: Frame,
    x_name: &'static str,
    x_ticks: Scale,
    rows: Vec<IntervalRow>,
    description: String,
}

#[derive(Clone, Debug, Serialize)]
struct IntervalRow {
    name: String,
    surname: String,
    href: String,
    title: String,
    y: f64,
    x: f64,
    /// The ends of the bar of one standard error.
    bar: Option<(f64, f64)>,
    other: f64,
}

/// The chart of figures that are not negative, in their order; `None` without any.
pub fn interval_plot(intervals: &[Interval], x_name: &'static str) -> Option<IntervalPlot> {
    let highest = intervals
        .iter()
        .map(|one| one.other.max(one.value + one.error.unwrap_or(0.0)))
        .reduce(f64::max)?;
    let right = WIDTH - RIGHT;
    let x = Scale::between(0.0, highest * 1.02, LEFT, right);
    let rows: Vec<IntervalRow> = intervals
        .iter()
        .enumerate()
        .map(|(place, one)| IntervalRow {
            name: one.name.clone(),
            surname: one.surname.clone(),
            href: one.href.clone(),
            title: one.title.clone(),
            y: TOP + ROW * (place as f64 + 0.5),
            x: x.at(one.value),
            bar: one
                .error
                .map(|error| (x.at((one.value - error).max(0.0)), x.at(one.value + error))),
            other: x.at(one.other),
        })
        .collect();
    let bottom = tenth(TOP + ROW * rows.len() as f64);
    let names: Vec<&str> = intervals.iter().map(|one| one.title.as_str()).collect();
    Some(IntervalPlot {
        frame: Frame { width: WIDTH, height: bottom + BELOW, left: LEFT, right, top: TOP, bottom },
        x_name,
        x_ticks: x,
        rows,
        description: format!("{}.", names.join("; ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(value: f64, error: Option<f64>, other: f64) -> Interval {
        Interval {
            name: "Emanuel Lasker".into(),
            surname: "Lasker".into(),
            href: String::new(),
            title: "Lasker: 172".into(),
            value,
            error,
            other,
        }
    }

    #[test]
    fn bars_stay_within_the_chart() {
        let all = [interval(180.0, Some(20.0), 110.0), interval(3.0, Some(5.0), 1.0)];
        let plot = interval_plot(&all, "Sum").unwrap();
        let (low, high) = plot.rows[0].bar.unwrap();
        assert!(plot.frame.left < low && low < plot.rows[0].x && plot.rows[0].x < high);
        assert!(high < plot.frame.right, "{high}");
        assert_eq!(plot.rows[1].bar.unwrap().0, plot.frame.left, "no sum is below zero");
        assert!(plot.rows[0].other < low);
        assert_eq!(plot.description, "Lasker: 172; Lasker: 172.");
    }

    #[test]
    fn without_errors_there_are_no_bars() {
        let plot = interval_plot(&[interval(3.0, None, 1.0)], "Sum").unwrap();
        assert_eq!(plot.rows[0].bar, None);
        assert!(interval_plot(&[], "Sum").is_none());
    }
}
