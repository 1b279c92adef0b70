//! The frequency of draws by time and level. Where draws are frequent, scores have a smaller
//! variance.
//!
//! Measured on the shared collection: 0.15 in the 1850s, 0.34 in the 1900s, 0.54 in the 1960s; in
//! the 2000s 0.23 in the weakest class and 0.68 in the strongest.

/// Years of a cell, which also includes its neighbours. Judged: frequencies change by about 0.1 in
/// thirty years.
const YEARS: i16 = 10;

/// Quantiles of the games, ordered by the mean strength of both players, that separate the classes
/// of strength. Judged: the strongest tenth is a class because draws are most frequent there.
const CUTS: [f64; 4] = [0.25, 0.5, 0.75, 0.9];

/// Weight (games) of the decade's overall frequency in each cell. Judged: the frequency in fifty
/// games has a standard error of 0.07.
const OWN: f64 = 50.0;

/// Minimum number of games in a decade. With fewer games, the usual frequency is used. Judged: the
/// usual frequency is between those of the 1850s and the 1900s, which have the fewest games.
const LEAST: f64 = 30.0;
const USUAL: f64 = 0.3;

/// Bounds of the frequency. Judged: beyond all measured ones; at 0.95 a game would weigh twenty
/// times as much as without draws, at 0.85 seven times.
const BOUNDS: (f64, f64) = (0.05, 0.85);

/// Games of two players in one year, as an observation of draws.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub year: i16,
    /// Mean of both strengths (natural units).
    pub level: f64,
    /// Expected score of White.
    pub expected: f64,
    /// Sum of the weights of all games, and of the drawn games.
    pub games: f64,
    pub draws: f64,
}

/// The frequency of draws by decade and class of strength: draws divided by four times the product
/// of both expected scores.
#[derive(Clone, Debug, Default)]
pub struct Tendency {
    cuts: Vec<f64>,
    first: i16,
    /// Frequency by decade, from the first on, and by class.
    cells: Vec<[f64; CUTS.len() + 1]>,
}

impl Tendency {
    /// Estimates the frequency from games.
    pub fn from_meetings(meetings: &[Meeting]) -> Tendency {
        let (Some(first), Some(last)) = (
            meetings.iter().map(|one| one.year.div_euclid(YEARS)).min(),
            meetings.iter().map(|one| one.year.div_euclid(YEARS)).max(),
        ) else {
            return Tendency::default();
        };
        let cuts = quantiles(meetings);
        let mut sums = vec![[(0.0, 0.0, 0.0); CUTS.len() + 1]; (last - first + 1) as usize];
        for one in meetings {
            let time = (one.year.div_euclid(YEARS) - first) as usize;
            let sum = &mut sums[time][cuts.partition_point(|cut| *cut < one.level)];
            let scatter = 4.0 * one.expected * (1.0 - one.expected) * one.games;
            *sum = (sum.0 + one.games, sum.1 + one.draws, sum.2 + scatter);
        }
        let cells = (0..sums.len())
            .map(|time| {
                let decades = &sums[time.saturating_sub(1)..(time + 2).min(sums.len())];
                let mut of_class = [(0.0, 0.0, 0.0); CUTS.len() + 1];
                for sums in decades {
                    for (own, sum) in of_class.iter_mut().zip(sums) {
                        *own = (own.0 + sum.0, own.1 + sum.1, own.2 + sum.2);
                    }
                }
                let games: f64 = of_class.iter().map(|sum| sum.0).sum();
                let draws: f64 = of_class.iter().map(|sum| sum.1).sum();
                let scatter: f64 = of_class.iter().map(|sum| sum.2).sum();
                let whole = draws / scatter;
                of_class.map(|(_, draws, scatter)| {
                    if games >= LEAST {
                        ((draws + OWN * whole) / (scatter + OWN)).clamp(BOUNDS.0, BOUNDS.1)
                    } else {
                        USUAL
                    }
                })
            })
            .collect();
        Tendency { cuts, first, cells }
    }

    /// The frequency in a year at a mean strength of both players (natural units). Years outside
    /// the range have the value of its nearest decade.
    pub fn at(&self, year: i16, level: f64) -> f64 {
        let Some(last) = self.cells.len().checked_sub(1) else { return USUAL };
        let time = (year.div_euclid(YEARS) - self.first).clamp(0, last as i16);
        self.cells[time as usize][self.cuts.partition_point(|cut| *cut < level)]
    }

    /// The factor by which a game of this year and level weighs more, because its score has a
    /// smaller variance.
    pub fn factor(&self, year: i16, level: f64) -> f64 {
        1.0 / (1.0 - self.at(year, level))
    }
}

/// The mean strengths at the cuts, counting each game once.
fn quantiles(meetings: &[Meeting]) -> Vec<f64> {
    let mut levels: Vec<(f64, f64)> = meetings.iter().map(|one| (one.level, one.games)).collect();
    levels.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let all: f64 = levels.iter().map(|one| one.1).sum();
    let mut found = Vec::with_capacity(CUTS.len());
    let (mut so_far, mut place) = (0.0, 0);
    for cut in CUTS {
        while place + 1 < levels.len() && so_far + levels[place].1 <= cut * (all - 1.0) {
            so_far += levels[place].1;
            place += 1;
        }
        found.extend(levels.get(place).map(|level| level.0));
    }
    found
}
