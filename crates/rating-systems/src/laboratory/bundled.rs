//! What the archive's page is drawn from: figures that `cargo xtask laboratory` wrote, compiled in, so that every archive
//! has the page and building one simulates nothing.

use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::published::Key;

/// The systems that are compared.
pub const COMPARED: [&str; 12] = [
    "pra",
    "pra-basic",
    "pra-basic:16",
    "elo:10",
    "elo:16",
    "elo:32",
    "elo-tiers",
    "chessmetrics",
    "elo-historical",
    "paired",
    "simultaneous",
    "simultaneous:logistic",
];

/// The systems by which those who are watched are followed.
pub const WATCHED: [&str; 3] = ["pra", "pra-basic", "elo:16"];

/// Games between two points of the curves that are kept.
pub const CURVE_EVERY: u32 = 10;

/// Games after which systems are compared.
pub const COMPARED_AT: [u32; 2] = [160, 340];

/// A figure held against a published one.
#[derive(Clone, Debug, Deserialize)]
pub struct Figure {
    population: String,
    start: String,
    system: String,
    measure: String,
    game: u32,
    /// Runs that it is the mean of.
    pub runs: u32,
    /// Mean over runs.
    pub mean: f64,
    /// Standard deviation of a run; `None` of a single one.
    pub deviation: Option<f64>,
    /// What a twentieth of the runs lie below.
    pub lower: f64,
    /// What a twentieth lie above.
    pub upper: f64,
}

/// How many games somebody who was watched needed.
#[derive(Clone, Debug, Deserialize)]
pub struct GamesToSpec {
    /// Word of the population.
    pub population: String,
    /// True rating (points).
    pub rating: f64,
    /// Runs.
    pub runs: f64,
    /// Mean number of games; who never came counts as one more than all.
    pub mean: f64,
    /// Median.
    pub median: f64,
    /// The part of the runs in which he never came.
    pub never: f64,
    /// Median of the games after which he stayed.
    pub settled_median: f64,
    /// Standard deviation; `None` of a single run.
    pub deviation: Option<f64>,
}

/// What was measured of a system after so many games.
#[derive(Clone, Debug, Deserialize)]
pub struct Compared {
    /// Word of the way in which results were drawn.
    pub outcome: String,
    /// Word of the system.
    pub system: String,
    /// Games.
    pub game: u32,
    /// Players out of spec.
    pub out_100: f64,
    /// Median error (points).
    pub median_error: f64,
    /// Players out of spec after the best straight line.
    pub aligned_100: f64,
    /// Slope of ratings on true ratings.
    pub scale: f64,
    /// Rank correlation.
    pub rank_correlation: Option<f64>,
    /// Excess log loss, times 1,000.
    pub excess: Option<f64>,
}

/// A point of a curve of one run.
#[derive(Clone, Debug, Deserialize)]
pub struct CurvePoint {
    /// Word of the way in which results were drawn.
    pub outcome: String,
    /// Word of the system.
    pub system: String,
    /// Games.
    pub game: u32,
    /// Players out of spec.
    pub out_100: f64,
    /// Median error (points).
    pub median_error: f64,
    /// Players out of spec after the best straight line.
    pub aligned_100: f64,
}

/// A rating of somebody who was watched.
#[derive(Clone, Debug, Deserialize)]
pub struct PathPoint {
    /// Word of the system.
    pub system: String,
    /// True rating (points).
    pub rating: f64,
    /// Games.
    pub game: u32,
    /// Rating (points).
    pub value: f64,
}

/// What the fit test did in tournaments whose true ratings are known.
#[derive(Clone, Debug, Deserialize)]
pub struct FitTested {
    /// Word of the way in which results were drawn.
    pub outcome: String,
    /// Players of the round robin.
    pub players: usize,
    /// How often everybody met everybody.
    pub meetings: usize,
    /// Spread of the true ratings (points).
    pub spread: f64,
    /// The part of the tournaments that failed with all ratings right.
    pub fails_all_right: f64,
    /// And with one wrong by 150 points.
    pub fails_one_wrong: f64,
    /// The part in which that one moved.
    pub moves_the_wrong_one: f64,
    /// Root mean square error (points) of right ratings in tournaments that failed, after corrections.
    pub error_after_correcting_right_ones: Option<f64>,
}

/// An experiment's table: names of its columns, and rows as they stand in the file.
#[derive(Clone, Debug)]
pub struct Results {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// Everything.
#[derive(Debug)]
pub struct Bundled {
    /// Figures that are held against published ones.
    pub figures: Vec<Figure>,
    /// Games to spec.
    pub games_to_spec: Vec<GamesToSpec>,
    /// Systems beside each other.
    pub compared: Vec<Compared>,
    /// Curves.
    pub curves: Vec<CurvePoint>,
    /// Paths of those who are watched.
    pub paths: Vec<PathPoint>,
    /// The fit test.
    pub fit_tested: Vec<FitTested>,
}

impl Bundled {
    /// The figure of a key.
    pub fn figure(&self, key: &Key) -> Option<&Figure> {
        self.figures.iter().find(|figure| {
            (figure.population.as_str(), figure.start.as_str(), figure.system.as_str())
                == (key.population, key.start, key.system)
                && (figure.measure.as_str(), figure.game) == (key.measure, key.game)
        })
    }
}

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../../../data/laboratory/", $name, ".csv"))
    };
}

/// The files of experiments whose tables are shown as they are.
const EXPERIMENTS: [(&str, &str); 6] = [
    ("misjudged", file!("misjudged")),
    ("near", file!("near")),
    ("turnover", file!("turnover")),
    ("improvers", file!("improvers")),
    ("pools", file!("pools")),
    ("whole", file!("whole")),
];

/// What the program brings along.
pub fn bundled() -> &'static Bundled {
    static BUNDLED: OnceLock<Bundled> = OnceLock::new();
    BUNDLED.get_or_init(|| Bundled {
        figures: rows(file!("figures")),
        games_to_spec: rows(file!("games_to_spec")),
        compared: rows(file!("comparison")),
        curves: rows(file!("curve")),
        paths: rows(file!("probes")),
        fit_tested: rows(file!("events")),
    })
}

/// The table of an experiment; `None` where there is no such, or it has a form of its own.
pub fn experiment(name: &str) -> Option<Results> {
    let (_, text) = EXPERIMENTS.iter().find(|(word, _)| *word == name)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().ok()?.iter().map(str::to_owned).collect();
    let rows = reader.records().flatten();
    let rows = rows.map(|row| row.iter().map(str::to_owned).collect()).collect();
    Some(Results { columns, rows })
}

fn rows<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().expect("our own command wrote it, and a test reads it")
}

/// What the fit test does in tournaments like one: shares by the PRA's curve and by Elo's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikeTournaments {
    /// Tournaments that fail with all ratings right.
    pub fails_all_right: [f64; 2],
    /// And with one wrong by 150 points.
    pub fails_one_wrong: [f64; 2],
    /// Their spread (points): that of the narrowest or widest that were tried, where the field is narrower or wider.
    pub spread: f64,
}

/// What the fit test does in round robins like this one: so many players, who meet so often, with ratings of such a spread (points).
/// `None` where none was tried that is like it. Between those tried it is in proportion; a narrower or wider field than any counts
/// as the narrowest or the widest.
pub fn tournaments_like(players: usize, meetings: usize, spread: f64) -> Option<LikeTournaments> {
    let tried = &bundled().fit_tested;
    let (narrowest, widest) = tried.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), row| {
        (low.min(row.spread), high.max(row.spread))
    });
    let spread = spread.clamp(narrowest, widest);
    let of = |outcome: &str| -> Option<[f64; 2]> {
        let mut fields: Vec<usize> = tried
            .iter()
            .filter(|row| row.outcome == outcome && row.meetings == meetings)
            .map(|row| row.players)
            .collect();
        fields.dedup();
        let (low, high, part) =
            between(&fields.iter().map(|n| *n as f64).collect::<Vec<_>>(), players as f64)?;
        let at_field = |field: usize| -> Option<[f64; 2]> {
            let rows: Vec<&FitTested> = tried
                .iter()
                .filter(|row| {
                    row.outcome == outcome
                        && row.meetings == meetings
                        && row.players == fields[field]
                })
                .collect();
            let spreads: Vec<f64> = rows.iter().map(|row| row.spread).collect();
            let (low, high, part) = between(&spreads, spread)?;
            let of = |row: &FitTested| [row.fails_all_right, row.fails_one_wrong];
            Some(mixed(of(rows[low]), of(rows[high]), part))
        };
        Some(mixed(at_field(low)?, at_field(high)?, part))
    };
    let (curve, logistic) = (of("curve")?, of("logistic")?);
    Some(LikeTournaments {
        fails_all_right: [curve[0], logistic[0]],
        fails_one_wrong: [curve[1], logistic[1]],
        spread,
    })
}

fn mixed(low: [f64; 2], high: [f64; 2], part: f64) -> [f64; 2] {
    [0, 1].map(|place| low[place] + part * (high[place] - low[place]))
}

/// The two of ascending values between which one lies, and the part of the way; `None` outside.
fn between(values: &[f64], value: f64) -> Option<(usize, usize, f64)> {
    let (first, last) = (*values.first()?, *values.last()?);
    if !(first..=last).contains(&value) {
        return None;
    }
    let high = values.partition_point(|one| *one < value);
    if values[high] == value {
        return Some((high, high, 0.0));
    }
    Some((high - 1, high, (value - values[high - 1]) / (values[high] - values[high - 1])))
}

#[cfg(test)]
mod tests {
    use super::super::published::PUBLISHED_FIGURES;
    use super::*;

    #[test]
    fn everything_that_is_shown_is_there() {
        let bundled = bundled();
        for published in &PUBLISHED_FIGURES {
            assert!(bundled.figure(&published.key).is_some(), "{published:?}");
        }
        assert_eq!(bundled.compared.len(), 2 * COMPARED.len() * COMPARED_AT.len());
        assert!(
            COMPARED
                .iter()
                .all(|system| bundled.curves.iter().any(|point| point.system == *system))
        );
        assert!(
            EXPERIMENTS
                .iter()
                .all(|(name, _)| experiment(name).is_some_and(|table| !table.rows.is_empty()))
        );
    }

    #[test]
    fn fields_between_those_tried_lie_between_them() {
        let narrow = tournaments_like(14, 1, 60.0).unwrap();
        let wide = tournaments_like(14, 1, 100.0).unwrap();
        let middle = tournaments_like(13, 1, 85.0).unwrap();
        for curve in [0, 1] {
            assert!(narrow.fails_all_right[curve] < middle.fails_all_right[curve]);
            assert!(middle.fails_all_right[curve] < wide.fails_all_right[curve]);
            assert!(middle.fails_one_wrong[curve] > middle.fails_all_right[curve]);
        }
        assert_eq!(tournaments_like(14, 1, 10.0), tournaments_like(14, 1, 40.0));
        assert_eq!(tournaments_like(40, 1, 80.0), None);
        assert_eq!(tournaments_like(10, 4, 80.0), None);
    }
}
