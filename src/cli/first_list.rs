//! Prints the list with which FIDE's ratings began, approximation by approximation
//! (`greatness ratings elo-historical --most-active`).

use anyhow::bail;
use clap::Args;

use super::output::{counted, outln};
use crate::archive::{Selected, Settings, read_published_lists};
use crate::players::PlayerId;
use crate::ratings::FIDE_SYSTEM;
use crate::systems::Results;
use crate::systems::elo::{FirstList, first_list};

/// The players and years of the list.
#[derive(Debug, Args)]
pub(super) struct FirstListArguments {
    /// Rate only the players with the most games of some years, equal at the start, by successive
    /// approximations, and compare them with FIDE's first list. Elo's list had 208 players
    #[arg(long, value_name = "NUMBER")]
    most_active: Option<usize>,
    /// First year of their games
    #[arg(long, value_name = "YEAR", default_value_t = 1966, requires = "most_active")]
    from: i16,
    /// Last year of their games
    #[arg(long, value_name = "YEAR", default_value_t = 1968, requires = "most_active")]
    to: i16,
    /// Number of approximations
    #[arg(long, value_name = "NUMBER", default_value_t = 8, requires = "most_active")]
    steps: usize,
}

/// The rating (points) of all players before the first approximation, from which only the mean
/// remains after the comparison with FIDE's list.
const START: f64 = 2400.0;

/// The largest number of approximations. Judged: a thousand more change no printed digit.
const MOST_STEPS: usize = 1000;

/// The number of players that are printed. Judged: the length of a screen.
const SHOWN: usize = 25;

/// A player of both lists: our rating, and FIDE's (points).
type OnBoth = (f64, f64);

impl FirstListArguments {
    pub fn is_wanted(&self) -> bool {
        self.most_active.is_some()
    }

    /// Prints the approximations, the best players, and the comparison with FIDE's list.
    pub fn print(
        &self,
        results: &Results,
        games: &Selected,
        settings: &Settings,
    ) -> anyhow::Result<()> {
        let most_active = self.most_active.unwrap_or(0);
        if !(1..=MOST_STEPS).contains(&self.steps) {
            bail!("--steps must be from 1 to {MOST_STEPS}; got {}", self.steps);
        }
        if most_active < 2 {
            bail!("--most-active must be at least 2; got {most_active}");
        }
        let list = first_list(results, self.from..=self.to, most_active, START, self.steps);
        if list.players.len() < 2 {
            bail!("no two players met from {} to {}; give other years", self.from, self.to);
        }
        outln!(
            "{}, {} with each other from {} to {}",
            counted(list.players.len(), "player"),
            counted(list.games, "game"),
            self.from,
            self.to
        );
        outln!("\n{:>13} {:>15}", "approximation", "largest change");
        for (step, change) in (1..).zip(&list.changes) {
            outln!("{step:>13} {change:>15.1}");
        }
        self.print_comparison(results, games, settings, &list);
        Ok(())
    }

    fn print_comparison(
        &self,
        results: &Results,
        games: &Selected,
        settings: &Settings,
        list: &FirstList,
    ) {
        let lists =
            read_published_lists(&settings.input, &settings.ratings, games, &mut Vec::new());
        let fide = lists.iter().find(|list| list.system == FIDE_SYSTEM);
        let first = fide.and_then(|list| list.editions().next());
        let published = |number: u32| {
            let id = results.players[number as usize].id?;
            let player = games.players.get(PlayerId::of_index(id));
            Some(first.as_ref()?.find_player(player)?.rating)
        };
        let on_both: Vec<OnBoth> = list
            .players
            .iter()
            .filter_map(|(number, rating, _)| Some((*rating, published(*number)?)))
            .collect();
        let shift = mean(on_both.iter().map(|(ours, fide)| fide - ours)).unwrap_or(0.0);
        outln!("\n{:>4} {:<32} {:>7} {:>6} {:>6}", "", "player", "rating", "games", "FIDE");
        for (rank, (number, rating, games)) in (1..).zip(&list.players).take(SHOWN) {
            let name: String = results.players[*number as usize].name.chars().take(32).collect();
            let fide = published(*number).map(|rating| format!("{rating:.0}")).unwrap_or_default();
            let rating = rating + shift;
            outln!(
                "{}",
                format!("{rank:>4} {name:<32} {rating:>7.0} {games:>6} {fide:>6}").trim_end()
            );
        }
        let Some(first) = first else {
            outln!("\nno list of FIDE is known; give some with [input] ratings");
            return;
        };
        if on_both.len() < 3 {
            outln!("\nfewer than three of them are on FIDE's list of {}", first.day);
            return;
        }
        outln!(
            "\n{} of them are on FIDE's list of {}: standard deviation of the difference {:.0} points, rank correlation {:.3}",
            on_both.len(),
            first.day,
            deviation(&on_both, shift),
            rank_correlation(&on_both)
        );
        outln!("Ratings are moved so that these players have the same mean on both lists.");
    }
}

/// The mean of some numbers; `None` without any.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), one| (sum + one, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The standard deviation (points) of FIDE's rating minus ours, around their mean difference.
fn deviation(on_both: &[OnBoth], shift: f64) -> f64 {
    let squares = on_both.iter().map(|(ours, fide)| (fide - ours - shift).powi(2));
    (squares.sum::<f64>() / (on_both.len() - 1) as f64).sqrt()
}

/// Spearman's rank correlation: Pearson's of the ranks, of which equal ratings share the mean.
fn rank_correlation(on_both: &[OnBoth]) -> f64 {
    let rank = |value: f64, of: &dyn Fn(&OnBoth) -> f64| {
        let higher = on_both.iter().filter(|other| of(other) > value).count() as f64;
        let equal = on_both.iter().filter(|other| of(other) == value).count() as f64;
        higher + (equal - 1.0) / 2.0
    };
    let ranks = on_both
        .iter()
        .map(|pair| (rank(pair.0, &|pair: &OnBoth| pair.0), rank(pair.1, &|pair: &OnBoth| pair.1)));
    let middle = (on_both.len() - 1) as f64 / 2.0;
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in ranks {
        xy += (x - middle) * (y - middle);
        xx += (x - middle).powi(2);
        yy += (y - middle).powi(2);
    }
    xy / (xx * yy).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_and_deviation_of_three_players() {
        let same = [(2500.0, 2600.0), (2400.0, 2500.0), (2300.0, 2400.0)];
        assert!((rank_correlation(&same) - 1.0).abs() < 1e-12);
        assert_eq!(deviation(&same, 100.0), 0.0);
        let turned = [(2500.0, 2400.0), (2400.0, 2500.0), (2300.0, 2600.0)];
        assert!((rank_correlation(&turned) + 1.0).abs() < 1e-12);
    }
}
