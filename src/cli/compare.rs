//! Implements `greatness compare`: which of two players was stronger, and how surely.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use jiff::civil::Date;

use super::CommandOutcome;
use super::build::report;
use super::inputs::{ConfigArguments, NameArguments};
use super::output::{counted, outln};
use super::progress::Terminal;
use crate::archive::{Grouped, Input, Selected, rated_results, read_ratings};
use crate::rated::player_named;
use crate::ratings::{Histories, Source};
use crate::systems::paired::history::PairedModel;
use crate::systems::paired::movement::Movement;
use crate::systems::paired::strength_in_year::{Basis, StrengthDifference, StrengthInYear};
use crate::systems::paired::{FittedHistory, PairedSmoothed};
use crate::systems::{RatedPlayer, Registered, Results, System};

/// Compare the strengths of two players, at their peaks or in a year
///
/// One model is fitted to all games, earlier and later ones. It estimates the strength of every
/// player in each year, with its uncertainty. The two years may differ. The further they are apart,
/// the more the comparison depends on how strength is assumed to change with age.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness compare Fischer Kasparov
  greatness compare Lasker Capablanca --year 1914")]
pub(super) struct CompareArguments {
    /// Name, or surname alone (Capablanca). If several players have the surname, the one with the
    /// most games is chosen
    #[arg(value_name = "PLAYER")]
    one: String,
    /// The second player
    #[arg(value_name = "PLAYER")]
    other: String,
    /// Year in which the first player is rated [default: each player's best year]
    #[arg(long, value_name = "YEAR")]
    year: Option<i16>,
    /// Year in which the second player is rated [default: the same year]
    #[arg(long, value_name = "YEAR", requires = "year")]
    other_year: Option<i16>,
    /// Number of games in the match whose expected score is shown
    #[arg(long, value_name = "NUMBER", default_value_t = 12)]
    games: u32,
    /// Game collection, or folder of them; may be given several times [default: the bundled games;
    /// for years before 1971 the bundled results, which are more]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
}

/// Years between the two beyond which the difference is also given for other models of ageing.
/// Taken from the specification of paired comparison: over less than a career, common opponents
/// connect the two.
const AGEING_MATTERS: i16 = 25;

/// Years between the two beyond which no probability is given, because ageing decides more than any
/// game. Taken from the specification of paired comparison: for Kasparov in 1999 and Morphy in
/// 1858, the models of ageing give 62 to 226 points, and the standard deviation is 46.
const AGEING_DECIDES: i16 = 60;

/// The last year of the bundled results.
const LAST_YEAR: i16 = 1970;

impl CompareArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let mut settings = settings.with_bundled_data(&super::bundled_data()?)?;
        let end_early = self.choose_results(&mut settings.input);
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
        // A game that two sources have counts once.
        let Grouped { games, .. } = games.group(settings.events, &mut Vec::new());
        let results = rated_results(&settings, &games, &mut diagnostics)
            .context("cannot compare players: no games to rate them by")?;
        let overrides = System::of_list(PairedSmoothed::ABOUT.list_name)
            .map(|system| settings.systems.overrides(system))
            .unwrap_or_default();
        let model = PairedSmoothed::model_with(&overrides)?;
        let named = |name: &str| {
            player_named(&results, name).map_err(|unknown| match end_early {
                None => anyhow!(unknown),
                Some(last) => anyhow!(
                    "{unknown}; the results for these years end with {last}, so give the year of a \
                     later player with --other-year, or leave --year out"
                ),
            })
        };
        let [one, other] = [named(&self.one)?, named(&self.other)?];
        if one == other {
            bail!(
                "both names mean {}; give two different players",
                results.players[one as usize].name
            );
        }
        let fitted = FittedHistory::new(&results, model);
        let years = self.years(&fitted, one, other);
        let mut absent = vec![(one, years.0), (other, years.1)];
        absent.retain(|(player, year)| !has_games(&results, *player, *year));
        // The lists are needed only where the games do not show the player.
        let sources = if absent.is_empty() {
            Vec::new()
        } else {
            read_ratings(&settings.input, &settings.ratings, &games, None, &mut diagnostics)
        };
        report(&diagnostics);
        let listed = absent.into_iter().filter_map(|(player, year)| {
            listed_line(&sources, &games, &results.players[player as usize], year)
        });
        for line in self
            .comparison(&results, &fitted, (model, years), one, other)?
            .into_iter()
            .chain(listed)
        {
            outln!("{line}");
        }
        Ok(CommandOutcome::from_findings(&diagnostics))
    }

    /// The comparison of two players, as lines of text.
    fn comparison(
        &self,
        results: &Results,
        fitted: &FittedHistory,
        (model, years): (PairedModel, (i16, i16)),
        one: u32,
        other: u32,
    ) -> anyhow::Result<Vec<String>> {
        let [name, other_name] =
            [one, other].map(|player| results.players[player as usize].name.as_str());
        let of_both =
            (standing(fitted, one, years.0, name)?, standing(fitted, other, years.1, other_name)?);
        let mut lines = vec![
            rating_line(fitted, one, years.0, &of_both.0, name),
            rating_line(fitted, other, years.1, &of_both.1, other_name),
        ];
        if self.year.is_none() {
            lines.push("these are their best years; --year chooses others".into());
        }
        lines.extend(fitted.note.clone());
        let advantage =
            StrengthDifference::new(&fitted.history, &fitted.fit, &of_both.0, &of_both.1);
        let StrengthDifference { difference, deviation } = advantage;
        lines.push(format!(
            "{name} was {:.0} points {}, with a standard deviation of {deviation:.0}",
            difference.abs(),
            if difference < 0.0 { "weaker" } else { "stronger" },
        ));
        let apart = (years.0 - years.1).abs();
        if apart > AGEING_MATTERS {
            let (least, most) = self.range(results, model, (one, years.0), (other, years.1))?;
            lines.push(format!(
                "the years are {apart} apart: under other models of ageing the difference is {:.0} to {:.0} points",
                least.min(difference),
                most.max(difference),
            ));
        }
        if apart > AGEING_DECIDES {
            lines.push("no probability is given: over such a long time the model of ageing decides more than any game".into());
        } else {
            lines.push(format!(
                "probability that {name} was stronger: {:.1}%",
                100.0 * advantage.probability()
            ));
        }
        let expected = advantage.expected_score();
        lines.push(format!(
            "expected score of a game {:.3}, of a match of {} {:.1} : {:.1}",
            expected,
            counted(self.games as usize, "game"),
            expected * f64::from(self.games),
            (1.0 - expected) * f64::from(self.games)
        ));
        if !are_connected(results, one, other) {
            lines.push(
                "no chain of games connects the two; the result rests on the model's assumptions alone"
                    .into(),
            );
        }
        Ok(lines)
    }

    /// Takes the bundled results out, unless both years are theirs. Returns their last year if they
    /// stay.
    fn choose_results(&self, input: &mut Input) -> Option<i16> {
        let are_early =
            self.year.is_some_and(|year| year.max(self.other_year.unwrap_or(year)) <= LAST_YEAR);
        let are_bundled = input.results.iter().all(|path| input.is_bundled(path));
        if !are_early && are_bundled {
            input.results.clear();
        }
        (are_early && are_bundled && !input.results.is_empty()).then_some(LAST_YEAR)
    }

    /// The years in which the two players are rated.
    fn years(&self, fitted: &FittedHistory, one: u32, other: u32) -> (i16, i16) {
        match self.year {
            Some(year) => (year, self.other_year.unwrap_or(year)),
            None => (peak_year(fitted, one), peak_year(fitted, other)),
        }
    }

    /// The least and the greatest difference (points) under other models of ageing.
    fn range(
        &self,
        results: &Results,
        model: PairedModel,
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
            let fitted = FittedHistory::new(results, PairedModel { movement, ..model });
            let (a, b) = points_in_year(&fitted, one)
                .zip(points_in_year(&fitted, other))
                .context("the players are missing from the refitted model")?;
            (least, most) = (least.min(a - b), most.max(a - b));
        }
        Ok((least, most))
    }
}

/// The year with games in which the model rates a player highest; 0 without games.
fn peak_year(fitted: &FittedHistory, player: u32) -> i16 {
    let own = fitted.history.of_player[player as usize].iter();
    let years = own.map(|node| fitted.history.nodes[*node as usize].year);
    let points = |year: &i16| points_in_year(fitted, (player, *year)).unwrap_or(f64::MIN);
    years.max_by(|a, b| points(a).total_cmp(&points(b))).unwrap_or_default()
}

/// The model's estimate of a player in a year (points); `None` if the player has no games near it.
fn points_in_year(fitted: &FittedHistory, (player, year): (u32, i16)) -> Option<f64> {
    StrengthInYear::new(&fitted.history, player, year).map(|strength| strength.points(&fitted.fit))
}

/// The model's estimate of a player in a year.
fn standing(
    fitted: &FittedHistory,
    player: u32,
    year: i16,
    name: &str,
) -> anyhow::Result<StrengthInYear> {
    StrengthInYear::new(&fitted.history, player, year).with_context(|| {
        let own = &fitted.history.of_player[player as usize];
        let span = own.first().zip(own.last()).map_or(String::new(), |(first, last)| {
            let [first, last] = [first, last].map(|node| fitted.history.nodes[*node as usize].year);
            format!("; the known games are from {first} to {last}")
        });
        format!("{name} has no games within three years of {year}{span}; choose another year")
    })
}

/// The rating of a player in a year, and the games that it rests on.
fn rating_line(
    fitted: &FittedHistory,
    player: u32,
    year: i16,
    standing: &StrengthInYear,
    name: &str,
) -> String {
    let rating = standing.points(&fitted.fit) + fitted.shift;
    let games = fitted.games[player as usize];
    let basis = match standing.basis {
        Basis::Played => String::new(),
        Basis::Between(first, last) => {
            format!("; the rated games have none of {year}, interpolated from {first} and {last}")
        }
        Basis::After(last) => {
            format!("; the rated games have none after {last}, extrapolated from that year")
        }
        Basis::Before(first) => {
            format!("; the rated games have none before {first}, extrapolated from that year")
        }
    };
    format!("{name} in {year}: {rating:.0} ({} in all{basis})", counted(games as usize, "game"))
}

/// Whether a player has rated games in a year.
fn has_games(results: &Results, player: u32, year: i16) -> bool {
    results
        .games
        .iter()
        .any(|game| game.day.year() == year && (game.white == player || game.black == player))
}

/// The rating of a player on the edition of a published list that is nearest to a year; `None` if
/// no list has the player.
fn listed_line(
    sources: &[Source],
    games: &Selected,
    rated: &RatedPlayer,
    year: i16,
) -> Option<String> {
    let (_, player) = games.players.iter().find(|(_, player)| {
        player.name == rated.name
            || player.spellings.iter().any(|one| rated.spellings.contains(one))
    })?;
    let middle = Date::new(year, 7, 1).ok()?;
    let of_lists = sources.iter().filter_map(|source| match source {
        Source::List(list) if !list.of_events => Histories::new(list).player(player),
        _ => None,
    });
    let editions = of_lists.flat_map(|history| {
        history.ratings.into_iter().map(move |(day, rating)| (history.system.clone(), day, rating))
    });
    let (system, day, rating) =
        editions.min_by_key(|(_, day, _)| (*day - middle).get_days().abs())?;
    Some(format!(
        "the nearest published list with {}, of {day} ({system}), has {rating:.0}",
        rated.name
    ))
}

/// Whether games connect two players, directly or through other players.
fn are_connected(results: &Results, one: u32, other: u32) -> bool {
    let components = results.encounters().components();
    components.iter().any(|component| component.contains(&one) && component.contains(&other))
}
