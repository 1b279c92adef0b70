//! A chart of the holders of a title: one row for each holder, years across.

use serde::Serialize;

use super::axes::{Frame, Scale, range};
use super::{WIDTH, tenth};

/// Room for the names.
const LEFT: f64 = 150.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 8.0;
/// Height of a row, and of the area below the last row.
const ROW: f64 = 20.0;
const BELOW: f64 = 30.0;
/// Half the height of a bar.
const HALF: f64 = 5.0;

/// A holder of the title.
#[derive(Clone, Debug)]
pub struct Holder {
    pub name: String,
    /// Start and end (years), and whether the title is known to have been held all that time.
    pub spans: Vec<(f64, f64, bool)>,
    /// Events in which the holder won or kept the title: year, path of the page, description.
    pub events: Vec<(f64, String, String)>,
}

/// The chart; `None` if all events are at the same time.
pub fn reigns(id: &str, title: &str, holders: &[Holder]) -> Option<impl Serialize + use<>> {
    let spans = holders.iter().flat_map(|holder| &holder.spans);
    let (first, last) = range(spans.flat_map(|(from, to, _)| [*from, *to]));
    if last <= first {
        return None;
    }
    let right = WIDTH - RIGHT;
    let x = Scale::between(first.floor(), last.ceil(), LEFT, right);
    let rows: Vec<_> = holders
        .iter()
        .enumerate()
        .map(|(place, holder)| {
            let y = TOP + ROW * (place as f64 + 0.5);
            let starts = holder.spans.iter().map(|(from, ..)| *from);
            let years = starts.chain(holder.events.iter().map(|(year, ..)| *year));
            view!(
                name = holder.name.clone(),
                y,
                // The left end of what is drawn: the name stands next to it, in view on a narrow
                // screen.
                start = x.at(years.fold(last, f64::min)),
                bars = holder
                    .spans
                    .iter()
                    .map(|&(from, to, sure)| {
                        let half = if sure { HALF } else { 1.0 };
                        let width = tenth(x.at(to) - x.at(from)).max(1.0);
                        view!(x = x.at(from), y = y - half, width, height = 2.0 * half, sure)
                    })
                    .collect::<Vec<_>>(),
                dots = holder
                    .events
                    .iter()
                    .map(|(year, href, title)| view!(
                        x = x.at(*year),
                        href = href.clone(),
                        title = title.clone()
                    ))
                    .collect::<Vec<_>>()
            )
        })
        .collect();
    let bottom = TOP + ROW * rows.len() as f64;
    let names: Vec<&str> = holders.iter().map(|holder| holder.name.as_str()).collect();
    Some(view!(
        ..Frame { width: WIDTH, height: bottom + BELOW, left: LEFT, right, top: TOP, bottom },
        id = id.to_owned(),
        title = title.to_owned(),
        description = format!("Holders in the order of their first titles: {}.", names.join(", ")),
        x_ticks = x,
        rows
    ))
}
