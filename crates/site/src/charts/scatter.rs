//! All performances of the Greatness List: years across, G-scores up, with a zone for each band.

use std::fmt::Write;

use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::{LEFT, WIDTH, tenth};
use crate::figures::fixed;
use tournament_app::GreatnessBand;

/// The width of the names of the bands, right of the dots.
const BAND_NAMES: f64 = 142.0;

/// Above and below the frame is room for the names of the axes.
const FRAME: Frame = Frame {
    width: WIDTH,
    height: 460.0,
    left: LEFT - 10.0,
    right: WIDTH - BAND_NAMES,
    top: 34.0,
    bottom: 460.0 - 52.0,
};

/// A performance on the chart.
#[derive(Clone, Debug)]
pub struct Dot {
    /// The date as a decimal year, as far as it is known.
    pub year: f64,
    pub g_score: f64,
    /// Standard error of the G-score, if known.
    pub error: Option<f64>,
    pub href: String,
    pub title: String,
}

/// A chart ready for its template.
#[derive(Clone, Debug, Serialize)]
pub struct Scatter {
    #[serde(flatten)]
    axes: Axes,
    bands: Vec<Zone>,
    links: Vec<LinkDot>,
    /// The number of dots without a link.
    plain: usize,
    description: String,
}

#[derive(Clone, Debug, Serialize)]
struct Zone {
    number: usize,
    /// The name, in lines.
    names: Vec<&'static str>,
    y: f64,
    height: f64,
    /// The dots of this band without links, as one path.
    dots: String,
}

#[derive(Clone, Debug, Serialize)]
struct LinkDot {
    x: f64,
    y: f64,
    band: usize,
    /// The ends of the bar of one standard error, for the highest performances.
    error: Option<(f64, f64)>,
    href: String,
    title: String,
}

/// The number of dots with bars of standard errors. Judged: more bars would cover each other.
const WITH_ERRORS: usize = 40;

/// The chart of performances, best first; `None` without any. The first `linked` of them are links.
pub fn scatter(dots: &[Dot], linked: usize) -> Option<Scatter> {
    let highest = dots.iter().map(|dot| dot.g_score).reduce(f64::max)?;
    let first = dots.iter().map(|dot| dot.year).reduce(f64::min)?;
    let last = dots.iter().map(|dot| dot.year).reduce(f64::max)?;
    let x = Scale::between(first - 2.0, last + 3.0, FRAME.left, FRAME.right);
    let highest_bar = dots
        .iter()
        .take(WITH_ERRORS)
        .map(|dot| dot.g_score + dot.error.unwrap_or(0.0))
        .fold(highest, f64::max);
    // Whole bands, so that each has room for its name.
    let top = ((highest_bar + 1.0) / 50.0).ceil() * 50.0;
    let lowest = dots.iter().map(|dot| dot.g_score).fold(100.0, f64::min);
    let y = Scale::between(lowest, top, FRAME.bottom, FRAME.top);
    let mut bands: Vec<Zone> = GreatnessBand::ALL
        .into_iter()
        .filter(|band| band.from() < top)
        .map(|band| {
            let to = match band {
                GreatnessBand::BeyondComprehension => top,
                band => band.from() + 50.0,
            };
            let from = if band == GreatnessBand::MakingTheList { lowest } else { band.from() };
            Zone {
                number: band as usize + 1,
                names: lines(band.name()),
                y: y.at(to),
                height: tenth(y.at(from) - y.at(to)),
                dots: String::new(),
            }
        })
        .collect();
    let links =
        dots.iter()
            .take(linked)
            .enumerate()
            .map(|(place, dot)| LinkDot {
                x: x.at(dot.year),
                y: y.at(dot.g_score),
                band: band_number(dot.g_score),
                error: dot.error.filter(|_| place < WITH_ERRORS).map(|error| {
                    (y.at(dot.g_score + error), y.at((dot.g_score - error).max(lowest)))
                }),
                href: dot.href.clone(),
                title: dot.title.clone(),
            })
            .collect();
    for dot in dots.iter().skip(linked) {
        if let Some(zone) = bands.iter_mut().find(|zone| zone.number == band_number(dot.g_score)) {
            // A line of no length with round ends is a dot, in nine bytes.
            let _ =
                write!(zone.dots, "M{} {}h0", x.at(dot.year).round(), y.at(dot.g_score).round());
        }
    }
    Some(Scatter {
        axes: Axes { frame: FRAME, x, y },
        bands,
        links,
        plain: dots.len().saturating_sub(linked),
        description: format!(
            "{} performances with a G-score of {} or more from {} to {}; the highest is {}.",
            dots.len(),
            fixed(lowest, 0),
            first.floor(),
            last.floor(),
            fixed(highest, 2)
        ),
    })
}

/// The longest line of the name of a band, in letters.
const LONGEST_LINE: usize = 20;

/// A name in one line, or in two if it is long.
fn lines(name: &'static str) -> Vec<&'static str> {
    let spaces = name.match_indices(' ').map(|(place, _)| place);
    let middle = spaces.min_by_key(|place| (2 * place).abs_diff(name.len()));
    match middle.filter(|_| name.len() > LONGEST_LINE) {
        Some(place) => vec![&name[..place], &name[place + 1..]],
        None => vec![name],
    }
}

/// The number of a G-score's band, from 1.
fn band_number(g_score: f64) -> usize {
    GreatnessBand::from_g_score(g_score).map_or(1, |band| band as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(year: f64, g_score: f64, error: f64) -> Dot {
        let (href, title) = (String::new(), String::new());
        Dot { year, g_score, error: Some(error), href, title }
    }

    #[test]
    fn the_bar_of_the_highest_performance_has_room_and_its_band_a_name() {
        let chart = scatter(&[dot(1898.5, 391.4, 16.4), dot(1930.0, 120.0, 9.0)], 2).unwrap();
        let (end, _) = chart.links[0].error.unwrap();
        let highest = chart.bands.last().unwrap();
        assert_eq!(highest.names, ["Beyond Human", "Comprehension"]);
        assert_eq!(chart.bands[0].names, ["Making the G-List"]);
        assert!(end > highest.y, "{end} is above the chart, which begins at {}", highest.y);
        assert!(end < highest.y + highest.height, "the bar reaches into the highest band");
    }
}
