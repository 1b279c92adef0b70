//! The regression plot: P-Zero across, initial rating up. It has the performance line with a band
//! of 100 points on either side, and a labelled point for each player.

use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::{BOTTOM, LEFT, LETTER, LINE, RIGHT, TOP, WIDTH, tenth};
use crate::figures::fixed;
use tournament_app::{Analysis, PlayerAnalysis, RatingOrigin, Spec};

const FRAME: Frame = Frame {
    width: WIDTH,
    height: 480.0,
    left: LEFT,
    right: WIDTH - RIGHT,
    top: TOP,
    bottom: 480.0 - BOTTOM,
};

/// Half the band around the line (rating points).
const BAND: f64 = tournament_app::correction::OUT_OF_SPEC;

#[derive(Clone, Copy, Debug, Serialize)]
struct PlottedLine {
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
}

#[derive(Clone, Debug, Serialize)]
struct PlottedPlayer {
    x: f64,
    y: f64,
    class: &'static str,
    label: String,
    label_x: f64,
    label_y: f64,
    anchor: &'static str,
    shows_label: bool,
    /// Whether a line leads from the label to its point.
    has_leader: bool,
    title: String,
    /// The height of the rating before a correction.
    from_y: Option<f64>,
    /// The height of the line, for points out of spec.
    line_y: Option<f64>,
}

/// The plot of an analysis; `None` without a performance line.
pub fn regression_plot(analysis: &Analysis) -> Option<impl Serialize> {
    let line = analysis.line?;
    let known: Vec<RatedPlayer> = analysis
        .players
        .iter()
        .filter_map(|player| {
            let (p_zero, rating) = (player.p_zero?, player.initial_rating?);
            Some(RatedPlayer { player, p_zero, rating })
        })
        .collect();
    let x = Scale::new(known.iter().map(|one| one.p_zero), FRAME.left, FRAME.right);
    let y_values = known.iter().flat_map(|one| {
        let expected = line.expected(one.p_zero);
        [Some(one.rating), one.player.rating_found, Some(expected - BAND), Some(expected + BAND)]
            .into_iter()
            .flatten()
    });
    let y = Scale::new(y_values, FRAME.bottom, FRAME.top);
    let (x_low, x_high) = (x.low(), x.high());
    let band = [(x_low, BAND), (x_high, BAND), (x_high, -BAND), (x_low, -BAND)]
        .map(|(p_zero, shift)| {
            format!("{},{}", x.at(p_zero), clipped(y.at(line.expected(p_zero) + shift)))
        })
        .join(" ");
    let segment = PlottedLine {
        x1: x.at(x_low),
        y1: clipped(y.at(line.expected(x_low))),
        x2: x.at(x_high),
        y2: clipped(y.at(line.expected(x_high))),
    };
    let mut points: Vec<PlottedPlayer> =
        known.iter().map(|one| one.point(x, y, line.expected(one.p_zero))).collect();
    place_labels(&mut points, segment);
    Some(view!(
        ..Axes { frame: FRAME, x, y },
        line = segment,
        band,
        description = format!(
            "Initial rating by P-Zero for {} players, with the line {} {} {} times P-Zero",
            points.len(),
            fixed(line.intercept, 2),
            if line.slope < 0.0 { "minus" } else { "plus" },
            fixed(line.slope.abs(), 3),
        ),
        points
    ))
}

/// A player whose P-Zero and rating are known.
struct RatedPlayer<'a> {
    player: &'a PlayerAnalysis,
    p_zero: f64,
    /// Initial rating (points).
    rating: f64,
}

impl RatedPlayer<'_> {
    /// The point without its label, where the line expects the rating `expected`.
    fn point(&self, x: Scale, y: Scale, expected: f64) -> PlottedPlayer {
        let player = self.player;
        let is_out = player.spec == Some(Spec::Out);
        let is_corrected = player.rating_origin == RatingOrigin::Corrected;
        let (class, note) = match player.rating_origin {
            RatingOrigin::Filled => ("filled", " (from the line)"),
            RatingOrigin::Corrected => ("corrected", " (corrected)"),
            _ if is_out => ("out", ""),
            _ => ("given", ""),
        };
        PlottedPlayer {
            x: x.at(self.p_zero),
            y: y.at(self.rating),
            class,
            label: player.name.split(',').next().unwrap_or_default().to_owned(),
            label_x: 0.0,
            label_y: 0.0,
            anchor: "start",
            shows_label: false,
            has_leader: false,
            title: format!(
                "{}: P-Zero {}, rating {}{note}",
                player.name,
                fixed(self.p_zero, 2),
                fixed(self.rating, 0),
            ),
            from_y: player.rating_found.filter(|_| is_corrected).map(|found| y.at(found)),
            line_y: is_out.then(|| y.at(expected)),
        }
    }
}

/// The line may leave the plot at the ends of the scale.
fn clipped(y: f64) -> f64 {
    y.clamp(FRAME.top, FRAME.bottom)
}

/// A larger field names only the players farthest from the line. The other names show on hover and
/// focus. Judged: more names than these leave no free places near their points.
const ALL_NAMED: usize = 48;

/// The number of names in larger fields. Judged: fewer than [`ALL_NAMED`], because the unnamed
/// points take places too.
const NAMED: usize = 36;

/// A place for a label: its distance from the point across and down, and its anchor.
type LabelPlace = (f64, f64, &'static str);

/// Places next to the point, the best first.
const NEXT_TO_POINT: [LabelPlace; 8] = [
    (7.0, 4.0, "start"),
    (-7.0, 4.0, "end"),
    (0.0, -8.0, "middle"),
    (0.0, 16.0, "middle"),
    (7.0, -7.0, "start"),
    (-7.0, -7.0, "end"),
    (7.0, 15.0, "start"),
    (-7.0, 15.0, "end"),
];

/// Distances of the places farther off, and places at each distance.
const RINGS: [f64; 4] = [26.0, 40.0, 56.0, 74.0];
const TURNS: usize = 16;

/// All places that are tried, the nearest first.
fn label_places() -> impl Iterator<Item = LabelPlace> {
    let farther = RINGS.into_iter().flat_map(|ring| {
        (0..TURNS).map(move |turn| {
            let angle = turn as f64 * std::f64::consts::TAU / TURNS as f64;
            let (dx, dy) = (ring * angle.cos(), ring * angle.sin() + 4.0);
            let anchor = match dx {
                dx if dx > 4.0 => "start",
                dx if dx < -4.0 => "end",
                _ => "middle",
            };
            (dx, dy, anchor)
        })
    });
    NEXT_TO_POINT.into_iter().chain(farther)
}

/// A rectangle that a point or a label covers.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn of_point(point: &PlottedPlayer) -> Area {
        let (x, y) = (point.x, point.y);
        Area { left: x - 4.0, top: y - 4.0, right: x + 4.0, bottom: y + 4.0 }
    }

    fn is_within_chart(&self) -> bool {
        self.left >= FRAME.left
            && self.right <= FRAME.width - 2.0
            && self.top >= 2.0
            && self.bottom <= FRAME.bottom
    }

    fn is_apart_from(&self, other: &Area) -> bool {
        self.right <= other.left
            || self.left >= other.right
            || self.bottom <= other.top
            || self.top >= other.bottom
    }

    fn crosses(&self, line: PlottedLine) -> bool {
        let (a, b) = (line.y_at(self.left), line.y_at(self.right));
        a.max(b) >= self.top && a.min(b) <= self.bottom
    }
}

/// Puts each label where it covers neither a point nor another label: next to its point if
/// possible, otherwise farther off with a leader line.
///
/// The winner, who is the first point, chooses first. The others follow in order of their
/// distance from the line. A label without a free place shows on hover and focus.
fn place_labels(points: &mut [PlottedPlayer], line: PlottedLine) {
    let mut taken: Vec<Area> = points.iter().map(Area::of_point).collect();
    let mut order: Vec<usize> = (0..points.len()).collect();
    // The winner always has a name, since most readers look for the winner first.
    order.sort_by(|&a, &b| {
        let by_distance = line.distance_to(&points[b]).total_cmp(&line.distance_to(&points[a]));
        (a != 0).cmp(&(b != 0)).then(by_distance).then(a.cmp(&b))
    });
    let named = if points.len() > ALL_NAMED { NAMED } else { points.len() };
    for (place, index) in order.into_iter().enumerate() {
        let point = &mut points[index];
        let found = if place < named { free_place(point, index, &taken, line) } else { None };
        point.set_label(found);
        if point.shows_label {
            taken.push(point.label_area(point.label_x, point.label_y, point.anchor));
        }
    }
}

/// The first place for a label that is free and not on the line, or else the first that is free.
/// The point's own area does not count as taken.
fn free_place(
    point: &PlottedPlayer,
    index: usize,
    taken: &[Area],
    line: PlottedLine,
) -> Option<LabelPlace> {
    let mut first_free = None;
    for place in label_places() {
        let (dx, dy, anchor) = place;
        let area = point.label_area(point.x + dx, point.y + dy, anchor);
        let mut others = taken.iter().enumerate().filter(|(other, _)| *other != index);
        if !area.is_within_chart() || !others.all(|(_, other)| area.is_apart_from(other)) {
            continue;
        }
        if !area.crosses(line) {
            return Some(place);
        }
        first_free.get_or_insert(place);
    }
    first_free
}

impl PlottedLine {
    /// Height of the line at a position across.
    fn y_at(&self, x: f64) -> f64 {
        let part = if self.x2 == self.x1 { 0.0 } else { (x - self.x1) / (self.x2 - self.x1) };
        self.y1 + part * (self.y2 - self.y1)
    }

    /// Distance of a point from the line, up or down.
    fn distance_to(&self, point: &PlottedPlayer) -> f64 {
        (point.y - self.y_at(point.x)).abs()
    }
}

impl PlottedPlayer {
    fn label_width(&self) -> f64 {
        self.label.chars().count() as f64 * LETTER
    }

    /// The area of the label at a place of the chart.
    fn label_area(&self, x: f64, y: f64, anchor: &str) -> Area {
        let width = self.label_width();
        let left = match anchor {
            "start" => x,
            "end" => x - width,
            _ => x - width / 2.0,
        };
        Area { left, top: y - LINE + 3.0, right: left + width, bottom: y + 3.0 }
    }

    /// Puts the label at a place, or hides it if no place is free.
    fn set_label(&mut self, place: Option<LabelPlace>) {
        let shown = place.is_some();
        let (dx, dy, anchor) = place.unwrap_or((7.0, -7.0, "start"));
        self.label_x = tenth(self.x + dx);
        self.label_y = tenth(self.y + dy);
        self.anchor = anchor;
        self.shows_label = shown;
        self.has_leader = shown && dx.hypot(dy) > 20.0;
        if !shown && self.label_x + self.label_width() > WIDTH {
            self.anchor = "end";
            self.label_x = tenth(self.x - 7.0);
        }
    }
}
