//! The regression plot: P-Zero across, initial rating up, the performance line with its band of 100
//! points either way, every player a labelled point.

use serde::Serialize;

use super::{BOTTOM, LEFT, LETTER, LINE, RIGHT, Scale, TOP, Tick, WIDTH, tenth};
use crate::site::figures::fixed;
use crate::tournament::{Analysis, RatingOrigin, Spec};

const HEIGHT: f64 = 480.0;
/// Half the band around the line (rating points).
const BAND: f64 = crate::tournament::correction::OUT_OF_SPEC;

/// A chart ready for its template; all positions in the units of the view box.
#[derive(Clone, Debug, Serialize)]
pub(in crate::site) struct RegressionPlot {
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    line: Segment,
    band: String,
    points: Vec<Point>,
    description: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Segment {
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
}

#[derive(Clone, Debug, Serialize)]
struct Point {
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
    /// Where a corrected rating came from.
    from_y: Option<f64>,
    /// Where the line is, for points out of spec.
    line_y: Option<f64>,
}

/// The plot of an analysis; `None` where there are fewer than two ratings.
pub(in crate::site) fn regression_plot(analysis: &Analysis) -> Option<RegressionPlot> {
    let line = analysis.line?;
    let known: Vec<_> = analysis
        .players
        .iter()
        .filter_map(|player| Some((player, player.p_zero?, player.initial_rating?)))
        .collect();
    let x = Scale::of(known.iter().map(|(_, p_zero, _)| *p_zero), LEFT, WIDTH - RIGHT);
    let y_values = known.iter().flat_map(|(player, p_zero, rating)| {
        let expected = line.expected(*p_zero);
        [Some(*rating), player.rating_found, Some(expected - BAND), Some(expected + BAND)]
            .into_iter()
            .flatten()
    });
    let y = Scale::of(y_values, HEIGHT - BOTTOM, TOP);
    let (x_low, x_high) = (x.low(), x.high());
    let corner = |p_zero: f64, shift: f64| {
        format!("{},{}", x.at(p_zero), clipped(y.at(line.expected(p_zero) + shift)))
    };
    let band =
        [corner(x_low, BAND), corner(x_high, BAND), corner(x_high, -BAND), corner(x_low, -BAND)]
            .join(" ");

    let mut points: Vec<Point> = known
        .iter()
        .map(|(player, p_zero, rating)| {
            let surname = player.name.split(',').next().unwrap_or_default();
            let out = player.spec == Some(Spec::Out);
            let class = match player.rating_origin {
                RatingOrigin::Filled => "filled",
                RatingOrigin::Corrected => "corrected",
                _ if out => "out",
                _ => "given",
            };
            let moved = player.rating_origin == RatingOrigin::Corrected;
            Point {
                x: x.at(*p_zero),
                y: y.at(*rating),
                class,
                label: surname.to_owned(),
                label_x: 0.0,
                label_y: 0.0,
                anchor: "start",
                shows_label: false,
                has_leader: false,
                title: format!(
                    "{}: P-Zero {}, rating {}{}",
                    player.name,
                    fixed(*p_zero, 2),
                    fixed(*rating, 0),
                    match player.rating_origin {
                        RatingOrigin::Filled => " (from the line)",
                        RatingOrigin::Corrected => " (corrected)",
                        _ => "",
                    }
                ),
                from_y: player.rating_found.filter(|_| moved).map(|found| y.at(found)),
                line_y: out.then(|| y.at(line.expected(*p_zero))),
            }
        })
        .collect();
    let segment = Segment {
        x1: x.at(x_low),
        y1: clipped(y.at(line.expected(x_low))),
        x2: x.at(x_high),
        y2: clipped(y.at(line.expected(x_high))),
    };
    place_labels(&mut points, segment);
    Some(RegressionPlot {
        width: WIDTH,
        height: HEIGHT,
        left: LEFT,
        right: WIDTH - RIGHT,
        top: TOP,
        bottom: HEIGHT - BOTTOM,
        x_ticks: x.ticks(),
        y_ticks: y.ticks(),
        line: segment,
        band,
        description: format!(
            "Initial rating against P-Zero for {} players, with the line {} {} {} times P-Zero",
            points.len(),
            fixed(line.intercept, 2),
            if line.slope < 0.0 { "minus" } else { "plus" },
            fixed(line.slope.abs(), 3),
        ),
        points,
    })
}

/// The line may leave the plot at the ends of the scale.
fn clipped(y: f64) -> f64 {
    y.clamp(TOP, HEIGHT - BOTTOM)
}

/// Fields larger than this name only the players farthest from the line; the others show on hover and
/// focus.
const ALL_NAMED: usize = 48;

/// How many are named in larger fields.
const NAMED: usize = 36;

/// Puts each label where it covers neither a point nor another label: beside its point if it can, else
/// farther off with a leader line. The winner chooses first, then the farthest from the line; a label without a free place
/// shows on hover and focus.
fn place_labels(points: &mut [Point], line: Segment) {
    let distance = |p: &Point| {
        let part = if line.x2 == line.x1 { 0.0 } else { (p.x - line.x1) / (line.x2 - line.x1) };
        (p.y - (line.y1 + part * (line.y2 - line.y1))).abs()
    };
    let mut taken: Vec<[f64; 4]> =
        points.iter().map(|p| [p.x - 4.0, p.y - 4.0, p.x + 4.0, p.y + 4.0]).collect();
    let mut order: Vec<usize> = (0..points.len()).collect();
    // The winner, who comes first, is always named; who looks at an event looks for him.
    order.sort_by(|&a, &b| {
        let by_distance = distance(&points[b]).total_cmp(&distance(&points[a]));
        (a != 0).cmp(&(b != 0)).then(by_distance).then(a.cmp(&b))
    });
    let named = if points.len() > ALL_NAMED { NAMED } else { points.len() };
    // Beside the point first, on the line only where nothing else is free, then farther and farther off.
    const BESIDE: [(f64, f64, &str); 8] = [
        (7.0, 4.0, "start"),
        (-7.0, 4.0, "end"),
        (0.0, -8.0, "middle"),
        (0.0, 16.0, "middle"),
        (7.0, -7.0, "start"),
        (-7.0, -7.0, "end"),
        (7.0, 15.0, "start"),
        (-7.0, 15.0, "end"),
    ];
    const RINGS: [f64; 4] = [26.0, 40.0, 56.0, 74.0];
    const TURNS: usize = 16;
    for (place, index) in order.into_iter().enumerate() {
        let width = points[index].label.chars().count() as f64 * LETTER;
        let area_of = |dx: f64, dy: f64, anchor: &str| {
            let (x, y) = (points[index].x + dx, points[index].y + dy);
            let start = match anchor {
                "start" => x,
                "end" => x - width,
                _ => x - width / 2.0,
            };
            [start, y - LINE + 3.0, start + width, y + 3.0]
        };
        let is_free = |area: [f64; 4]| {
            area[0] >= LEFT
                && area[2] <= WIDTH - 2.0
                && area[1] >= 2.0
                && area[3] <= HEIGHT - BOTTOM
                && taken.iter().enumerate().all(|(other, box_)| {
                    other == index
                        || area[2] <= box_[0]
                        || area[0] >= box_[2]
                        || area[3] <= box_[1]
                        || area[1] >= box_[3]
                })
        };
        let crosses_line = |area: [f64; 4]| {
            let at = |x: f64| {
                let part =
                    if line.x2 == line.x1 { 0.0 } else { (x - line.x1) / (line.x2 - line.x1) };
                line.y1 + part * (line.y2 - line.y1)
            };
            let (a, b) = (at(area[0]), at(area[2]));
            a.max(b) >= area[1] && a.min(b) <= area[3]
        };
        let off = RINGS.iter().flat_map(|ring| {
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
        let places = || BESIDE.into_iter().chain(off.clone());
        let found = (place < named)
            .then(|| {
                let free = |place: &(f64, f64, &str)| is_free(area_of(place.0, place.1, place.2));
                let clear = places()
                    .find(|place| free(place) && !crosses_line(area_of(place.0, place.1, place.2)));
                clear.or_else(|| places().find(free))
            })
            .flatten();
        let shown = found.is_some();
        let (dx, dy, anchor) = found.unwrap_or((7.0, -7.0, "start"));
        let point = &mut points[index];
        point.label_x = tenth(point.x + dx);
        point.label_y = tenth(point.y + dy);
        point.anchor = anchor;
        point.shows_label = shown;
        point.has_leader = shown && dx.hypot(dy) > 20.0;
        if !shown && point.label_x + width > WIDTH {
            point.anchor = "end";
            point.label_x = tenth(point.x - 7.0);
        }
        if shown {
            let area = area_of_label(point, width);
            taken.push(area);
        }
    }
}

fn area_of_label(point: &Point, width: f64) -> [f64; 4] {
    let start = match point.anchor {
        "start" => point.label_x,
        "end" => point.label_x - width,
        _ => point.label_x - width / 2.0,
    };
    [start, point.label_y - LINE + 3.0, start + width, point.label_y + 3.0]
}
