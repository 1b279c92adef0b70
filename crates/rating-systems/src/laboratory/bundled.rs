//! The figures of the site's laboratory page. `cargo xtask laboratory` computes them, and they are
//! compiled in. Every archive therefore has the page, and building an archive simulates nothing.

use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::published::FigureKey;

/// Systems that the page compares.
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

/// Systems whose ratings of the probe players the page shows.
pub const WATCHED: [&str; 3] = ["pra", "pra-basic", "elo:16"];

/// Games between two points of the stored curves.
pub const CURVE_EVERY: u32 = 10;

/// Numbers of games after which the page compares systems.
pub const COMPARED_AT: [u32; 2] = [160, 340];

/// A figure of ours that the page compares with a published one.
#[derive(Clone, Debug, Deserialize)]
pub struct Figure {
    population: String,
    start: String,
    system: String,
    measure: String,
    game: u32,
    /// Number of runs from which the figure was computed.
    pub runs: u32,
    /// Mean of the measure over the runs.
    pub mean: f64,
    /// Standard deviation of a run. `None` of a single run.
    pub deviation: Option<f64>,
    /// The 5% quantile over runs.
    pub lower: f64,
    /// The 95% quantile over runs.
    pub upper: f64,
}

/// The number of games until a probe player was in spec.
#[derive(Clone, Debug, Deserialize)]
pub struct GamesToSpec {
    /// Name of the population.
    pub population: String,
    /// True rating (points).
    pub rating: f64,
    /// Number of runs in which the player was followed.
    pub runs: f64,
    /// Mean number of games. A player who never was in spec counts as one game more than all.
    pub mean: f64,
    /// Median number of games.
    pub median: f64,
    /// Proportion of runs in which the player never was in spec.
    pub never: f64,
    /// Median number of games after which the player stayed in spec.
    pub settled_median: f64,
    /// Standard deviation. `None` of a single run.
    pub deviation: Option<f64>,
}

/// The measures of a system after a number of games.
#[derive(Clone, Debug, Deserialize)]
pub struct Compared {
    /// Name of the result model.
    pub outcome: String,
    /// Name of the system.
    pub system: String,
    /// Number of games of each player.
    pub game: u32,
    /// Players out of spec.
    pub out_100: f64,
    /// Median error (points).
    pub median_error: f64,
    /// Players out of spec after the best straight line.
    pub aligned_100: f64,
    /// Slope of the regression of ratings on true ratings.
    pub scale: f64,
    /// Rank correlation of ratings and true ratings.
    pub rank_correlation: Option<f64>,
    /// Excess log loss, times 1,000.
    pub excess: Option<f64>,
}

/// A point of a curve of one run.
#[derive(Clone, Debug, Deserialize)]
pub struct CurvePoint {
    /// Name of the result model.
    pub outcome: String,
    /// Name of the system.
    pub system: String,
    /// Number of games of each player.
    pub game: u32,
    /// Players out of spec.
    pub out_100: f64,
    /// Median error (points).
    pub median_error: f64,
    /// Players out of spec after the best straight line.
    pub aligned_100: f64,
}

/// A rating of a probe player.
#[derive(Clone, Debug, Deserialize)]
pub struct PathPoint {
    /// Name of the system.
    pub system: String,
    /// True rating (points).
    pub rating: f64,
    /// Number of games of each player.
    pub game: u32,
    /// Rating (points) by the system after these games.
    pub value: f64,
}

/// How often the Ratings Goodness of Fit Test failed in simulated tournaments.
#[derive(Clone, Debug, Deserialize)]
pub struct FitTested {
    /// Name of the result model.
    pub outcome: String,
    /// Players of the round robin.
    pub players: usize,
    /// How often each pair of players met.
    pub meetings: usize,
    /// Standard deviation of the true ratings (points).
    pub spread: f64,
    /// Proportion of the tournaments that failed although all ratings were right.
    pub fails_all_right: f64,
    /// Proportion that failed with one rating wrong by 150 points.
    pub fails_one_wrong: f64,
    /// Proportion in which the corrections moved that rating.
    pub moves_the_wrong_one: f64,
    /// Root mean square error (points) of the right ratings in tournaments that failed, after the
    /// corrections.
    pub error_after_correcting_right_ones: Option<f64>,
}

/// An experiment's table: names of its columns, and its rows as the file has them.
#[derive(Clone, Debug)]
pub struct ExperimentResults {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a text for every column.
    pub rows: Vec<Vec<String>>,
}

/// All figures that the program contains.
#[derive(Debug)]
pub struct BundledFigures {
    /// Figures that the page compares with published ones.
    pub figures: Vec<Figure>,
    /// Games until the probe players were in spec.
    pub games_to_spec: Vec<GamesToSpec>,
    /// Measures of the compared systems.
    pub compared: Vec<Compared>,
    /// Curves of the compared systems.
    pub curves: Vec<CurvePoint>,
    /// Ratings of the probe players.
    pub paths: Vec<PathPoint>,
    /// Results of the fit test.
    pub fit_tested: Vec<FitTested>,
}

impl BundledFigures {
    /// The figure with this key.
    pub fn figure(&self, key: &FigureKey) -> Option<&Figure> {
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

/// The files of experiments whose tables the page shows without change.
const EXPERIMENTS: [(&str, &str); 9] = [
    ("misjudged", file!("misjudged")),
    ("near", file!("near")),
    ("turnover", file!("turnover")),
    ("improvers", file!("improvers")),
    ("pools", file!("pools")),
    ("whole", file!("whole")),
    ("violations", file!("violations")),
    ("common", file!("common")),
    ("blocks", file!("blocks")),
];

/// The figures that the program contains.
pub fn bundled() -> &'static BundledFigures {
    static BUNDLED: OnceLock<BundledFigures> = OnceLock::new();
    BUNDLED.get_or_init(|| BundledFigures {
        figures: rows(file!("figures")),
        games_to_spec: rows(file!("games_to_spec")),
        compared: rows(file!("comparison")),
        curves: rows(file!("curve")),
        paths: rows(file!("probes")),
        fit_tested: rows(file!("events")),
    })
}

/// The table of an experiment. `None` if the name is unknown, or the page shows the experiment in
/// another form.
pub fn experiment(name: &str) -> Option<ExperimentResults> {
    let (_, text) = EXPERIMENTS.iter().find(|(word, _)| *word == name)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().ok()?.iter().map(str::to_owned).collect();
    let rows = reader.records().flatten();
    let rows = rows.map(|row| row.iter().map(str::to_owned).collect()).collect();
    Some(ExperimentResults { columns, rows })
}

fn rows<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().expect("our own command wrote it, and a test reads it")
}

/// The power of the fit test in tournaments like a given one: proportions by the PRA's curve and by
/// Elo's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitTestPower {
    /// Proportions that fail although all ratings are right.
    pub fails_all_right: [f64; 2],
    /// Proportion that failed with one rating wrong by 150 points.
    pub fails_one_wrong: [f64; 2],
    /// Standard deviation of their ratings (points), within the range of the simulated tournaments.
    pub spread: f64,
}

/// The power of the fit test in round robins of `players` players who meet `meetings` times, with
/// this standard deviation of the ratings (points). It interpolates linearly between simulated
/// tournaments. A spread outside their range counts as the nearest simulated one. `None` if no
/// similar tournament was simulated.
pub fn fit_test_power(players: usize, meetings: usize, spread: f64) -> Option<FitTestPower> {
    let simulated = &bundled().fit_tested;
    let (narrowest, widest) =
        simulated.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), row| {
            (low.min(row.spread), high.max(row.spread))
        });
    let spread = spread.clamp(narrowest, widest);
    let curve = failures("curve", players, meetings, spread)?;
    let logistic = failures("logistic", players, meetings, spread)?;
    Some(FitTestPower {
        fails_all_right: [curve[0], logistic[0]],
        fails_one_wrong: [curve[1], logistic[1]],
        spread,
    })
}

/// How often the fit test fails if results follow `outcome`: with all ratings right, and with one
/// wrong. It interpolates between the simulated fields.
fn failures(outcome: &str, players: usize, meetings: usize, spread: f64) -> Option<[f64; 2]> {
    let rows: Vec<&FitTested> = bundled()
        .fit_tested
        .iter()
        .filter(|row| row.outcome == outcome && row.meetings == meetings)
        .collect();
    let fields: Vec<&[&FitTested]> = rows.chunk_by(|a, b| a.players == b.players).collect();
    let sizes: Vec<f64> = fields.iter().map(|field| field[0].players as f64).collect();
    let (low, high, part) = between(&sizes, players as f64)?;
    let low = failures_in_field(fields[low], spread)?;
    let high = failures_in_field(fields[high], spread)?;
    Some(interpolated(low, high, part))
}

/// The same in a field with these simulated spreads, in ascending order.
fn failures_in_field(field: &[&FitTested], spread: f64) -> Option<[f64; 2]> {
    let spreads: Vec<f64> = field.iter().map(|row| row.spread).collect();
    let (low, high, part) = between(&spreads, spread)?;
    let [low, high] =
        [field[low], field[high]].map(|row| [row.fails_all_right, row.fails_one_wrong]);
    Some(interpolated(low, high, part))
}

fn interpolated(low: [f64; 2], high: [f64; 2], part: f64) -> [f64; 2] {
    [0, 1].map(|place| low[place] + part * (high[place] - low[place]))
}

/// The neighbours of a value among ascending values, and its relative position between them. `None`
/// outside their range.
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
    fn all_figures_of_the_page_are_bundled() {
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
    fn power_interpolates_between_simulated_tournaments() {
        let narrow = fit_test_power(14, 1, 60.0).unwrap();
        let wide = fit_test_power(14, 1, 100.0).unwrap();
        let middle = fit_test_power(13, 1, 85.0).unwrap();
        for curve in [0, 1] {
            assert!(narrow.fails_all_right[curve] < middle.fails_all_right[curve]);
            assert!(middle.fails_all_right[curve] < wide.fails_all_right[curve]);
            assert!(middle.fails_one_wrong[curve] > middle.fails_all_right[curve]);
        }
        assert_eq!(fit_test_power(14, 1, 10.0), fit_test_power(14, 1, 40.0));
        assert_eq!(fit_test_power(40, 1, 80.0), None);
        assert_eq!(fit_test_power(10, 4, 80.0), None);
    }
}
