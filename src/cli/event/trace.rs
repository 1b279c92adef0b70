//! Shows the steps by which simultaneous ratings of an event are iterated (`--trace`).

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::hint::nearest;
use crate::tournament::Event;
use crate::tournament::pairing::{
    Iterations, PairingTable, PerformanceRule, StepChange, UndefinedPerformance,
};

/// How to show the steps of simultaneous ratings.
#[derive(Debug, Args)]
pub(super) struct TraceArguments {
    /// Show the steps of simultaneous ratings instead of the analysis: all ratings are replaced by
    /// their performances, again and again
    #[arg(long, value_enum, value_name = "RULE", conflicts_with = "decisions")]
    trace: Option<TracedRule>,
    /// Number of steps
    #[arg(long, value_name = "NUMBER", default_value_t = 100, requires = "trace")]
    steps: usize,
    /// Rating of all players before the first step [default: 0.5, 1 for ratio, 2200 for
    /// logarithmic, 2500 for chessmetrics]
    #[arg(long, value_name = "RATING", requires = "trace", allow_negative_numbers = true)]
    start: Option<f64>,
    /// Hold a player at a fixed rating; may be given several times
    #[arg(long, value_name = "PLAYER=RATING", requires = "trace")]
    hold: Vec<String>,
    /// Begin with this rating of a player, who is not held; may be given several times
    #[arg(long, value_name = "PLAYER=RATING", requires = "trace")]
    start_of: Vec<String>,
    /// With chessmetrics: the mean rating of all players after each step [default: that of the
    /// start]
    #[arg(long, value_name = "RATING", requires = "trace", allow_negative_numbers = true)]
    mean: Option<f64>,
    /// With chessmetrics: pad each performance by seven games, as the lists do
    #[arg(long, requires = "trace")]
    padded: bool,
}

/// The formula that replaces a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TracedRule {
    /// Opponents' mean, plus the part of the games won minus the part lost
    Linear,
    /// Opponents' mean, plus 400 times the logarithm of points won by points lost
    Logarithmic,
    /// Opponents' mean, times points won by points lost
    Ratio,
    /// Opponents' ratings weighted by points won, divided by points lost
    Berkin,
    /// Opponents' mean, plus 850 times the part of the points minus one half; the mean of all stays
    Chessmetrics,
}

impl TracedRule {
    fn rule(self, is_padded: bool) -> PerformanceRule {
        match self {
            TracedRule::Chessmetrics if is_padded => PerformanceRule::PaddedChessmetrics,
            TracedRule::Chessmetrics => PerformanceRule::Chessmetrics,
            TracedRule::Linear => PerformanceRule::Linear,
            TracedRule::Logarithmic => PerformanceRule::Logarithmic,
            TracedRule::Ratio => PerformanceRule::Ratio,
            TracedRule::Berkin => PerformanceRule::Berkin,
        }
    }
}

/// The largest number of steps. Judged: beyond a thousand the text shows only every thousandth. All
/// steps are kept, so twice as many would take 160 kB for each player.
const MOST_STEPS: usize = 10_000;

/// Players side by side: a table of 80 columns.
const SIDE_BY_SIDE: usize = 6;

/// Relative change of a step below which ratings count as settled. Judged: the tables show six
/// digits; ten times as much would call ratings settled whose last digit still changes.
const SETTLED: f64 = 1e-6;

impl TraceArguments {
    pub fn is_wanted(&self) -> bool {
        self.trace.is_some()
    }

    /// The steps for an event, as text or as JSON. `None` if they are not wanted.
    pub fn trace(&self, event: &Event, is_json: bool) -> anyhow::Result<Option<String>> {
        let Some(traced) = self.trace else { return Ok(None) };
        if !(1..=MOST_STEPS).contains(&self.steps) {
            bail!("--steps must be from 1 to {MOST_STEPS}; got {}", self.steps);
        }
        if traced != TracedRule::Chessmetrics && (self.padded || self.mean.is_some()) {
            bail!("--padded and --mean apply to --trace chessmetrics only");
        }
        let rule = traced.rule(self.padded);
        let held = rated_players(event, "hold", &self.hold)?;
        let starts = rated_players(event, "start-of", &self.start_of)?;
        let table = PairingTable::of_event(event);
        let start = self.start.unwrap_or_else(|| rule.start());
        if !start.is_finite() || rule.is_ratio() && start <= 0.0 {
            bail!("--start must be a number, above 0 for ratio and berkin; got {start}");
        }
        let mut iterations = Iterations::begin(&table, rule, start, &held)
            .map_err(|undefined| no_performance(event, undefined))?
            .starting_with(&starts);
        if let Some(mean) = self.mean {
            iterations = iterations.with_mean(mean);
        }
        let mut steps = vec![iterations.ratings().to_vec()];
        let mut change = StepChange { largest: 0.0, mean: 0.0, factor: 1.0 };
        for _ in 0..self.steps {
            change = iterations.step();
            steps.push(iterations.ratings().to_vec());
        }
        if steps.iter().flatten().any(|rating| !rating.is_finite()) {
            bail!("the ratings grow beyond all numbers; take fewer steps than {}", self.steps);
        }
        if !is_json {
            return Ok(Some(text(event, rule, &steps, change)));
        }
        let players: Vec<&str> = event.players.iter().map(|player| player.name.as_str()).collect();
        let found = json!({
            "players": players, "steps": steps, "last_step": {
                "largest_change": change.largest, "mean_change": change.mean,
                "factor": change.factor,
            },
        });
        Ok(Some(format!("{found}\n")))
    }
}

/// The players of a flag, with their ratings.
fn rated_players(event: &Event, flag: &str, texts: &[String]) -> anyhow::Result<Vec<(usize, f64)>> {
    let names: Vec<&str> = event.players.iter().map(|player| player.name.as_str()).collect();
    let mut found = Vec::with_capacity(texts.len());
    for text in texts {
        let parts = text.rsplit_once('=').and_then(|(name, rating)| {
            let rating: f64 = rating.trim().parse().ok()?;
            rating.is_finite().then_some((name.trim(), rating))
        });
        let Some((name, rating)) = parts else {
            bail!("--{flag} takes a player and a rating, as in --{flag} Karpov=1; got {text}");
        };
        let Some(player) = names.iter().position(|known| known.eq_ignore_ascii_case(name)) else {
            let hint = nearest(name, names.iter().copied());
            let hint = hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default();
            bail!("--{flag}: {} has no player {name}{hint}", event.name);
        };
        found.push((player, rating));
    }
    Ok(found)
}

/// The message about a player without a performance.
fn no_performance(event: &Event, undefined: UndefinedPerformance) -> anyhow::Error {
    let (player, why) = match undefined {
        UndefinedPerformance::NoGames(player) => (player, "has no games"),
        UndefinedPerformance::NothingLost(player) => (player, "lost no points"),
        UndefinedPerformance::NothingWon(player) => (player, "won no points"),
    };
    let name = &event.players[player].name;
    anyhow!("{name} {why}, so this rating is undefined; hold it with --hold '{name}=RATING'")
}

/// Whether the text shows a step: the first ten, then every tenth, then every hundredth.
fn is_shown(step: usize) -> bool {
    match step {
        0..=10 => true,
        11..=100 => step.is_multiple_of(10),
        101..=1000 => step.is_multiple_of(100),
        _ => step.is_multiple_of(1000),
    }
}

/// The steps as tables of a few players each, and what the last step did.
fn text(event: &Event, rule: PerformanceRule, steps: &[Vec<f64>], change: StepChange) -> String {
    let mut lines = vec![event.name.clone()];
    let last = steps.len() - 1;
    let sum: f64 = steps[last].iter().sum();
    let places: Vec<usize> = (0..event.players.len()).collect();
    for some in places.chunks(SIDE_BY_SIDE) {
        let mut heading = format!("{:>6}", "step");
        for player in some {
            let name: String = event.players[*player].name.chars().take(10).collect();
            heading.push_str(&format!("{name:>12}"));
        }
        lines.push(heading);
        for (step, ratings) in steps.iter().enumerate() {
            if is_shown(step) || step == last {
                let cells: String = some
                    .iter()
                    .map(|player| format!("{:>12}", six_digits(ratings[*player])))
                    .collect();
                lines.push(format!("{step:>6}{cells}"));
            }
        }
        // The proportions settle even if the ratings grow.
        if rule.is_ratio() {
            let shares: String =
                some.iter().map(|player| format!("{:>12.4}", steps[last][*player] / sum)).collect();
            lines.push(format!("{:>6}{shares}", "share"));
        }
    }
    let size = steps[last].iter().fold(0.0_f64, |most, rating| most.max(rating.abs()));
    lines.push(if change.largest <= SETTLED * size.max(1e-300) {
        "settled: the last step changed nothing within six digits".to_owned()
    } else if rule.is_ratio() {
        format!("not settled: the last step multiplied the sum by {:.6}", change.factor)
    } else {
        format!(
            "not settled: the last step changed the ratings by {} in the mean, at most {}",
            six_digits(change.mean),
            six_digits(change.largest)
        )
    });
    lines.join("\n") + "\n"
}

/// A number with six significant digits.
fn six_digits(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        "0".to_owned()
    } else if (1e-4..1e6).contains(&size) {
        let decimals = (5 - size.log10().floor() as i32).max(0) as usize;
        format!("{number:.decimals$}")
    } else {
        format!("{number:.5e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_as_in_the_article() {
        for (number, expected) in [
            (22491.4123, "22491.4"),
            (0.75102881, "0.751029"),
            (-0.00205761, "-0.00205761"),
            (0.0, "0"),
            (-3.13613e-7, "-3.13613e-7"),
            (1.5e7, "1.50000e7"),
        ] {
            assert_eq!(six_digits(number), expected);
        }
    }

    #[test]
    fn early_steps_are_shown_one_by_one_and_later_ones_sparsely() {
        let shown: Vec<usize> = (0..=300).filter(|step| is_shown(*step)).collect();
        assert_eq!(shown[..13], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30]);
        assert_eq!(shown[shown.len() - 3..], [100, 200, 300]);
    }
}
