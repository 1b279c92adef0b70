//! `greatness compare`: who of two was stronger, and how surely.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::Outcome;
use super::build::report;
use super::inputs::{Config, Names};
use super::output::tell;
use super::progress::Terminal;
use crate::archive::{Selected, rated_results};
use crate::rated::player_named;
use crate::source::Severity;
use crate::systems::paired::history::Model;
use crate::systems::paired::movement::Movement;
use crate::systems::paired::standing::{Advantage, Basis, Standing};
use crate::systems::paired::{PairedSmoothed, Whole};
use crate::systems::{Registered, Results, System};

/// Tell who of two players was stronger in a year, and how surely.
///
/// One model of all games, earlier and later ones, tells how strong everybody was in each year, and how well that is
/// known. The two may be of different years: what lies between rests on how strengths change with age, and more
/// and more on that.
#[derive(Debug, Args)]
pub(super) struct Compare {
    /// Name, or surname where it is told by whom most games are (Capablanca)
    #[arg(value_name = "PLAYER")]
    one: String,
    /// The other
    #[arg(value_name = "PLAYER")]
    other: String,
    /// The year
    #[arg(long, value_name = "YEAR")]
    year: i16,
    /// The other's year, if it is another
    #[arg(long, value_name = "YEAR")]
    other_year: Option<i16>,
    /// How many games of a match are told about
    #[arg(long, value_name = "NUMBER", default_value_t = 12)]
    games: u32,
    /// Game collection, or folder of them; may be given several times [default: the bundled results]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    names: Names,
}

/// Years between the two beyond which the difference is told for other ways of ageing too; and beyond which ageing says
/// more than any game, so that no probability is told.
const AGEING_TELLS: i16 = 25;
const AGEING_DECIDES: i16 = 60;

impl Compare {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let settings = settings.with_bundled_data(&super::bundled_data()?)?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings, &Terminal::new(), &mut diagnostics)?;
        let results = rated_results(&settings, &games, &mut diagnostics)
            .context("there are no games to rate players by")?;
        report(&diagnostics);
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        let overrides = System::of_list(PairedSmoothed::ABOUT.list_name)
            .map(|system| settings.systems.overrides(system))
            .unwrap_or_default();
        let model = PairedSmoothed::model_with(&overrides).map_err(|reason| anyhow!(reason))?;
        let one = player_named(&results, &self.one)?;
        let other = player_named(&results, &self.other)?;
        if one == other {
            bail!("both are {}; two players are compared", results.players[one as usize].name);
        }
        for line in self.told(&results, model, one, other)? {
            tell!("{line}");
        }
        Ok(if unread { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }

    fn told(
        &self,
        results: &Results,
        model: Model,
        one: u32,
        other: u32,
    ) -> anyhow::Result<Vec<String>> {
        let whole = Whole::of(results, model);
        let years = (self.year, self.other_year.unwrap_or(self.year));
        let name = |player: u32| results.players[player as usize].name.as_str();
        let standing = |whole: &Whole, player: u32, year: i16| {
            Standing::of(&whole.history, player, year).with_context(|| {
                let own = &whole.history.of_player[player as usize];
                let span = own.first().zip(own.last()).map_or(String::new(), |(first, last)| {
                    let year = |node: &u32| whole.history.nodes[*node as usize].year;
                    format!("; the games are of {} to {}", year(first), year(last))
                });
                format!("{} has no games within three years of {year}{span}", name(player))
            })
        };
        let of_both = (standing(&whole, one, years.0)?, standing(&whole, other, years.1)?);
        let mut lines = Vec::new();
        for (player, year, standing) in [(one, years.0, &of_both.0), (other, years.1, &of_both.1)] {
            let rating = standing.points(&whole.fit) + whole.shift;
            let games = whole.games[player as usize];
            let basis = match standing.basis {
                Basis::Played => String::new(),
                Basis::Between(first, last) => {
                    format!("; no games that year, from {first} and {last}")
                }
                Basis::After(last) => format!("; no games that year, carried on from {last}"),
                Basis::Before(first) => format!("; no games that year, carried back from {first}"),
            };
            lines.push(format!(
                "{} in {year}: {rating:.0} ({games} games in all{basis})",
                name(player)
            ));
        }
        lines.extend(whole.note.clone());
        let advantage = Advantage::of(&whole.history, &whole.fit, &of_both.0, &of_both.1);
        let Advantage { difference, deviation } = advantage;
        lines.push(format!(
            "{} was {:.0} points {}, with a standard deviation of {deviation:.0}",
            name(one),
            difference.abs(),
            if difference < 0.0 { "weaker" } else { "stronger" },
        ));
        let apart = (years.0 - years.1).abs();
        if apart > AGEING_TELLS {
            let (least, most) = self.range(results, model, (one, years.0), (other, years.1))?;
            lines.push(format!(
                "{apart} years lie between: other ways of ageing than the usual one give {:.0} to {:.0}",
                least.min(difference),
                most.max(difference),
            ));
        }
        if apart > AGEING_DECIDES {
            lines.push("how strengths change with age decides that more than any game; no probability is told".into());
        } else {
            lines.push(format!(
                "probability that {} was stronger: {:.1}%",
                name(one),
                100.0 * advantage.probability()
            ));
        }
        let expected = advantage.expected_score();
        lines.push(format!(
            "expected score of a game {:.3}, of a match of {} games {:.1} : {:.1}",
            expected,
            self.games,
            expected * f64::from(self.games),
            (1.0 - expected) * f64::from(self.games)
        ));
        if !are_joined(results, one, other) {
            lines.push(
                "no games join the two, not over any others: only what the model supposes speaks"
                    .into(),
            );
        }
        Ok(lines)
    }

    /// The least and the greatest difference (points) for other ways of ageing.
    fn range(
        &self,
        results: &Results,
        model: Model,
        one: (u32, i16),
        other: (u32, i16),
    ) -> anyhow::Result<(f64, f64)> {
        let usual = model.movement;
        let ways = [
            Movement { rise: 40.0, ..usual },
            Movement { rise: 80.0, ..usual },
            Movement { fall: 1.0, ..usual },
            Movement { fall: 3.0, ..usual },
            Movement { rise: 0.0, fall: 0.0, ..usual },
        ];
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for movement in ways {
            let whole = Whole::of(results, Model { movement, ..model });
            let points = |(player, year): (u32, i16)| {
                Standing::of(&whole.history, player, year).map(|one| one.points(&whole.fit))
            };
            let (a, b) = points(one).zip(points(other)).context("both were found before")?;
            (least, most) = (least.min(a - b), most.max(a - b));
        }
        Ok((least, most))
    }
}

/// Whether games join two players, over whomever.
fn are_joined(results: &Results, one: u32, other: u32) -> bool {
    let components = results.encounters().components();
    components.iter().any(|component| component.contains(&one) && component.contains(&other))
}
