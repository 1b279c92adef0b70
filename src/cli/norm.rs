//! Implements `greatness norm`: computes the score that is a norm for a title.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::CommandOutcome;
use super::checks::{check_games, check_rating, check_score};
use super::output::{counted, outln};
use crate::archive_reader;
use crate::forecasts::{
    Title, category, category_of_1957, first_of_category, norm_field, norm_percentage, norm_points,
    norm_points_of_1957, rated_as_titled, rating_of_fide_master,
};

/// Compute the score that is a norm for a title
///
/// The rules of 1977 use the average rating of a round robin or of an event of the last build. The
/// rules of 1957 use the titles of the opponents; with --players they are those of the whole field,
/// and the answer is its category.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness norm --average 2534 --players 16
  greatness norm --rules 1957 --players 16 --gm 8 --im 4")]
pub(super) struct NormArguments {
    /// Average rating of all players, with unrated players counted as 2200 (1900 in women's events)
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    average: Option<f64>,
    /// Number of players in the round robin
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    players: Option<i64>,
    /// A women's event
    #[arg(long)]
    women: bool,
    /// Event of the last build (linares-1994)
    #[arg(long, value_name = "ID", conflicts_with_all = ["average", "players", "women", "score"])]
    event: Option<String>,
    /// Folder of the archive in which events are looked up
    #[arg(long, value_name = "DIR", default_value = "reports/archive")]
    archive: PathBuf,
    /// Points that a player scored
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    score: Option<f64>,
    /// Year of the rules
    #[arg(long, value_enum, default_value_t = NormRules::Of1977)]
    rules: NormRules,
    /// Number of opponents who are grandmasters, for the rules of 1957
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    gm: u32,
    /// Number of opponents who are international masters
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    im: u32,
    /// Number of other opponents
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    others: u32,
}

/// Rules for titles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NormRules {
    /// From the average rating (1977 to 1986)
    #[value(name = "1977")]
    Of1977,
    /// From the titles of the opponents (1957 to 1970)
    #[value(name = "1957")]
    Of1957,
}

/// The parts of an event's document that contain its norms.
#[derive(Debug, Deserialize)]
struct StoredNormDocument {
    name: String,
    players: Vec<NormPlayer>,
    norms: Option<StoredNorms>,
}

#[derive(Debug, Deserialize)]
struct NormPlayer {
    main_games: u32,
}

#[derive(Debug, Deserialize)]
struct StoredNorms {
    average: f64,
    category: u32,
    is_womens: bool,
    by: String,
    conditions: Vec<(String, Option<bool>)>,
    made: Vec<StoredNorm>,
}

#[derive(Debug, Deserialize)]
struct StoredNorm {
    name: String,
    title: String,
    games: u32,
    score: f64,
    needed: f64,
}

/// The number of games that a norm needs, by FIDE's rules of 1977.
const GAMES: i64 = 9;

impl NormArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let lines = match (&self.event, self.rules) {
            (Some(id), NormRules::Of1957) => {
                bail!(
                    "--rules 1957 cannot be applied to {id}, because it needs titles; give --gm, --im and --others instead of --event"
                )
            }
            (Some(id), NormRules::Of1977) => self.norms_of_event(id)?,
            (None, NormRules::Of1977) => self.norms_of_1977()?,
            (None, NormRules::Of1957) => self.norms_of_1957()?,
        };
        for line in lines {
            outln!("{line}");
        }
        Ok(CommandOutcome::Done)
    }

    fn norms_of_event(&self, id: &str) -> anyhow::Result<Vec<String>> {
        let text =
            archive_reader::read(&self.archive, id).map_err(|reason| anyhow!("{id}: {reason}"))?;
        let stored: StoredNormDocument = serde_json::from_str(&text).with_context(|| {
            format!(
                "{id} was written by another version of the program; run `greatness build` again"
            )
        })?;
        let Some(norms) = stored.norms else {
            bail!(
                "{id} has no category: its average is below category 1, it is not a classical round robin, or fewer \
                 than four fifths of its players are rated on FIDE's scale"
            );
        };
        let mark = if norms.is_womens { "w" } else { "" };
        let mut lines = vec![
            stored.name,
            format!(
                "category {}{mark}: average {:.0}, by {}",
                norms.category,
                norms.average,
                if norms.by == "fide" {
                    "FIDE's ratings"
                } else {
                    "historical Elo ratings of the day"
                }
            ),
        ];
        let games = stored.players.iter().map(|player| player.main_games).max().unwrap_or(0);
        for title in Title::ALL.into_iter().filter(|title| title.is_womens() == norms.is_womens) {
            let points = match norm_points(title, norms.category, games) {
                Some(points) if i64::from(games) >= GAMES => format!("{points} of {games}"),
                _ => "none".to_owned(),
            };
            lines.push(format!("{}: {points}", title.words()));
        }
        for (condition, met) in norms.conditions {
            let word = match met {
                Some(true) => "met",
                Some(false) => "failed",
                None => "unknown",
            };
            lines.push(format!("{condition}: {word}"));
        }
        for norm in norms.made {
            lines.push(format!(
                "{}: {}, {} of {} ({} needed)",
                norm.name, norm.title, norm.score, norm.games, norm.needed
            ));
        }
        Ok(lines)
    }

    fn norms_of_1977(&self) -> anyhow::Result<Vec<String>> {
        let (Some(average), Some(players)) = (self.average, self.players) else {
            bail!(
                "no event to compute norms for; give its average rating and number of players, as in --average 2534 --players 16"
            );
        };
        check_rating(average)?;
        if players <= GAMES {
            let games = players.saturating_sub(1).max(0);
            let games = counted(games as usize, "game");
            bail!(
                "a norm needs at least nine games; with {players} players there are {games} each"
            );
        }
        let games = check_games(players - 1)?;
        if let Some(score) = self.score {
            check_score(score, games)?;
        }
        let Some(found) = category(average, self.women) else {
            bail!(
                "{average} is below category 1, which begins at {}",
                first_of_category(1, self.women)
            );
        };
        let mark = if self.women { "w" } else { "" };
        let mut lines = vec![format!(
            "category {found}{mark}: averages of {} to {}",
            first_of_category(found, self.women),
            first_of_category(found + 1, self.women) - 1.0
        )];
        for title in Title::ALL.into_iter().filter(|title| title.is_womens() == self.women) {
            let name = title.words();
            match (norm_percentage(title, found), norm_points(title, found, games as u32)) {
                (Some(part), Some(points)) => {
                    let made = match self.score {
                        Some(score) if score >= points => "; made",
                        Some(_) => "; not made",
                        None => "",
                    };
                    let beyond = if title.is_in_chart(found) {
                        ""
                    } else {
                        " (beyond the chart, by the same rule)"
                    };
                    lines.push(format!(
                        "{name}: {points} of {games} ({:.0}%){beyond}{made}",
                        100.0 * part
                    ));
                }
                _ => lines.push(format!(
                    "{name}: no norm below category {}{mark}",
                    title.lowest_category()
                )),
            }
        }
        let (rating, games) = rating_of_fide_master(self.women);
        lines.push(format!("FIDE master: no norm; {rating:.0} over {games} games"));
        let field = norm_field(players as u32);
        lines.push(format!(
            "of {players} players, {} must be from other federations than the largest, {} rated, {} titled or above {}; there must be three federations",
            field.of_other_federations,
            field.rated,
            field.titled,
            rated_as_titled(self.women)
        ));
        Ok(lines)
    }

    /// The category of a field by the rules of 1957.
    fn category_of_1957(&self, players: i64) -> anyhow::Result<Vec<String>> {
        if self.score.is_some() || self.others > 0 {
            bail!("--players asks for the category of a field; leave --score and --others out");
        }
        let titled = i64::from(self.gm) + i64::from(self.im);
        if players < titled.max(1) {
            bail!("--gm and --im give {titled} players with a title, --players has {players}");
        }
        let players = check_games(players - 1)? + 1;
        let found = category_of_1957(players as u32, self.gm, titled as u32);
        let category =
            found.map_or("no title event".to_owned(), |found| format!("category {found}"));
        Ok(vec![
            category,
            "a title event is a round robin with almost half of the players from foreign federations"
                .to_owned(),
        ])
    }

    fn norms_of_1957(&self) -> anyhow::Result<Vec<String>> {
        if let Some(players) = self.players {
            return self.category_of_1957(players);
        }
        let games = i64::from(self.gm) + i64::from(self.im) + i64::from(self.others);
        if games < GAMES {
            bail!(
                "a norm needs at least nine games; --gm, --im and --others give {}",
                counted(games as usize, "opponent")
            );
        }
        let games = check_games(games)?;
        if let Some(score) = self.score {
            check_score(score, games)?;
        }
        let titles = [Title::Grandmaster, Title::Master];
        Ok(titles
            .map(|title| {
                let points = norm_points_of_1957(title, self.gm, self.im, self.others);
                let made = match self.score {
                    Some(score) if score >= points => "; made",
                    Some(_) => "; not made",
                    None => "",
                };
                format!("{}: {points} of {games}{made}", title.words())
            })
            .into())
    }
}
