//! A scale of years without the long spans in which nothing happened.

use serde::{Serialize, Serializer};

use super::axes::Tick;
use super::tenth;

/// Years without data from which on the axis is broken. Judged: a player may pause for a few years,
/// and half as many would break the axis of most careers.
const LONGEST_SPAN: f64 = 8.0;

/// Room before the first and after the last data of a part, in years.
const ROOM: f64 = 0.5;

/// Width of a break, in the chart's units.
const BREAK: f64 = 26.0;

/// The least distance between two labels, in the chart's units.
const LABEL: f64 = 38.0;

/// The largest number of round years as labels, except those of short parts. Judged: more would
/// make the axis crowded even where there is room.
const LABELS: f64 = 7.0;

/// A scale of decimal years in one or more parts, between which the axis is broken. It ends with
/// the data.
#[derive(Clone, Debug)]
pub(super) struct YearAxis {
    parts: Vec<AxisPart>,
    /// Units per year.
    width: f64,
}

/// Years that are drawn without a break.
#[derive(Clone, Copy, Debug)]
struct AxisPart {
    first: f64,
    last: f64,
    /// Position of the first year.
    from: f64,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct AxisBreak {
    /// Its middle.
    at: f64,
    /// What it leaves out: `1976–1991: nothing is known`.
    title: String,
}

impl YearAxis {
    /// The scale for these decimal years between two positions; `None` without years.
    pub fn new(years: impl Iterator<Item = f64>, from: f64, to: f64) -> Option<YearAxis> {
        let mut years: Vec<f64> = years.collect();
        years.sort_by(f64::total_cmp);
        let mut parts: Vec<AxisPart> = Vec::new();
        for part in years.chunk_by(|one, next| next - one <= LONGEST_SPAN) {
            let (first, last) = (part.first()?, part.last()?);
            parts.push(AxisPart { first: first - ROOM, last: last + ROOM, from });
        }
        let drawn: f64 = parts.iter().map(|part| part.last - part.first).sum();
        let breaks = parts.len().checked_sub(1)?;
        let width = (to - from - breaks as f64 * BREAK) / drawn;
        for next in 1..parts.len() {
            let before = parts[next - 1];
            parts[next].from = before.from + (before.last - before.first) * width + BREAK;
        }
        Some(YearAxis { parts, width })
    }

    /// Position of a year. Years outside the data are at the nearest end.
    pub fn at(&self, year: f64) -> f64 {
        let part = self.parts.iter().rev().find(|part| part.first <= year);
        let part = part.or(self.parts.first());
        part.map_or(0.0, |part| {
            tenth(part.from + (year.clamp(part.first, part.last) - part.first) * self.width)
        })
    }

    /// Round years, and the first year of each part that has none.
    pub fn ticks(&self) -> Vec<Tick> {
        let drawn: f64 = self.parts.iter().map(|part| part.last - part.first).sum();
        let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]
            .into_iter()
            .find(|step| step * self.width >= LABEL && drawn / step <= LABELS)
            .unwrap_or(200.0);
        let mut ticks: Vec<Tick> = Vec::new();
        for part in &self.parts {
            let first = (part.first / step).ceil() * step;
            let round = std::iter::successors(Some(first), |year| Some(year + step));
            let mut years: Vec<f64> = round.take_while(|year| *year <= part.last).collect();
            let is_short = years.is_empty();
            if is_short {
                years.push(part.first + ROOM);
            }
            for year in years {
                let at = self.at(year);
                // The only label of a part replaces one of the part before.
                if is_short {
                    ticks.pop_if(|last| !has_room(last, at));
                }
                if ticks.last().is_none_or(|last| has_room(last, at)) {
                    ticks.push(Tick { at, label: format!("{}", year.floor()) });
                }
            }
        }
        ticks
    }

    /// The breaks between the parts.
    pub fn breaks(&self) -> Vec<AxisBreak> {
        let breaks = self.parts.windows(2).map(|two| {
            let last_before = (two[0].last - ROOM).floor() as i64;
            let first_after = (two[1].first + ROOM).floor() as i64;
            AxisBreak {
                at: tenth(two[1].from - BREAK / 2.0),
                title: format!("{}–{}: nothing is known", last_before + 1, first_after - 1),
            }
        });
        breaks.collect()
    }
}

/// As its ticks, which are all that a template draws of it.
impl Serialize for YearAxis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.ticks().serialize(serializer)
    }
}

/// Whether a label at a position does not cover the one before it.
fn has_room(before: &Tick, at: f64) -> bool {
    at - before.at >= LABEL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &YearAxis) -> Vec<String> {
        axis.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn the_axis_ends_where_the_data_end() {
        let axis =
            YearAxis::new([1950.0, 1956.0, 1963.0].into_iter(), 0.0, 140.0).expect("an axis");
        assert_eq!((axis.at(1949.5), axis.at(1963.5)), (0.0, 140.0));
        assert_eq!(axis.at(2010.0), 140.0);
        assert_eq!(labels(&axis), ["1950", "1955", "1960"]);
        assert!(axis.breaks().is_empty());
    }

    #[test]
    fn a_long_span_without_data_is_a_break() {
        let years = [1955.0, 1962.0, 1970.0, 1975.0, 1992.0].into_iter();
        let axis = YearAxis::new(years, 0.0, 246.0).expect("an axis");
        let breaks = axis.breaks();
        assert_eq!(breaks.len(), 1);
        assert_eq!(breaks[0].title, "1976–1991: nothing is known");
        // 21 years and 1 year share 220 units.
        assert_eq!((axis.at(1975.5), axis.at(1991.5)), (210.0, 236.0));
        assert_eq!(labels(&axis), ["1955", "1960", "1965", "1970", "1992"]);
    }

    #[test]
    fn no_years_make_no_axis() {
        assert!(YearAxis::new(std::iter::empty(), 0.0, 100.0).is_none());
    }
}
