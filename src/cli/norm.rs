//! `greatness norm`: the score that is a norm for a title.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::Outcome;
use super::checks::{check_games, check_rating, check_score};
use super::output::tell;
use crate::archive_reader;
use crate::forecasts::{
    Title, category, first_of_category, norm_field, norm_percentage, norm_points,
    norm_points_of_1957,
};

/// Tell the score that is a norm for a title.
///
/// By the rules of 1977 from the average rating of a round robin, or of an event of the last build, or by those of 1957 from the titles
/// of the opponents.
#[derive(Debug, Args)]
pub(super) struct Norm {
    /// Average rating of all players, everybody at his rating, the unrated at 2200 (in women's events 1900)
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    average: Option<f64>,
    /// Players of the round robin
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    players: Option<i64>,
    /// An event of women
    #[arg(long)]
    women: bool,
    /// Event of the last build (linares-1994)
    #[arg(long, value_name = "ID", conflicts_with_all = ["average", "players", "women", "score"])]
    event: Option<String>,
    /// Folder of the archive in which events are looked up
    #[arg(long, value_name = "DIR", default_value = "reports/archive")]
    archive: PathBuf,
    /// Points that somebody scored
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    score: Option<f64>,
    /// Whose rules
    #[arg(long, value_enum, default_value_t = Rules::Of1977)]
    rules: Rules,
    /// Opponents who are grandmasters, by the rules of 1957
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    gm: u32,
    /// Opponents who are international masters
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    im: u32,
    /// Other opponents
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    others: u32,
}

/// Rules for titles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rules {
    /// From the average rating (1977 to 1986)
    #[value(name = "1977")]
    Of1977,
    /// From the titles of the opponents (1957 to 1970)
    #[value(name = "1957")]
    Of1957,
}

/// The parts of an event's document that tell its norms.
#[derive(Debug, Deserialize)]
struct Stored {
    name: String,
    players: Vec<StoredPlayer>,
    norms: Option<StoredNorms>,
}

#[derive(Debug, Deserialize)]
struct StoredPlayer {
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

/// Games that a norm takes.
const GAMES: i64 = 9;

impl Norm {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let lines = match (&self.event, self.rules) {
            (Some(id), Rules::Of1957) => {
                bail!("{id}: --rules 1957 goes by titles: give --gm, --im and --others")
            }
            (Some(id), Rules::Of1977) => self.of_event(id)?,
            (None, Rules::Of1977) => self.of_1977()?,
            (None, Rules::Of1957) => self.of_1957()?,
        };
        for line in lines {
            tell!("{line}");
        }
        Ok(Outcome::Done)
    }

    fn of_event(&self, id: &str) -> anyhow::Result<Vec<String>> {
        let text =
            archive_reader::read(&self.archive, id).map_err(|reason| anyhow!("{id}: {reason}"))?;
        let stored: Stored = serde_json::from_str(&text)
            .with_context(|| format!("{id} was written by another version; build again"))?;
        let Some(norms) = stored.norms else {
            bail!(
                "{id} has no category: it is below the first, no classical round robin, or fewer than four fifths of its players \
                 are rated on FIDE's scale"
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
            let told = match norm_points(title, norms.category, games) {
                Some(points) if i64::from(games) >= GAMES => format!("{points} of {games}"),
                _ => "none".to_owned(),
            };
            lines.push(format!("{}: {told}", title.words()));
        }
        for (condition, met) in norms.conditions {
            let told = match met {
                Some(true) => "met",
                Some(false) => "failed",
                None => "unknown",
            };
            lines.push(format!("{condition}: {told}"));
        }
        for norm in norms.made {
            lines.push(format!(
                "{}: {}, {} of {} where {} are needed",
                norm.name, norm.title, norm.score, norm.games, norm.needed
            ));
        }
        Ok(lines)
    }

    fn of_1977(&self) -> anyhow::Result<Vec<String>> {
        let (Some(average), Some(players)) = (self.average, self.players) else {
            bail!("give the average rating and the number of players: --average 2534 --players 16");
        };
        check_rating(average)?;
        if players <= GAMES {
            let games = players.saturating_sub(1).max(0);
            bail!("a norm takes nine games at least; {players} players have {games} each");
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
                    let beyond = match title.is_in_chart(found) {
                        true => "",
                        false => " (beyond the chart, by the same rule)",
                    };
                    lines.push(format!(
                        "{name}: {points} of {games} ({:.0}%){beyond}{made}",
                        100.0 * part
                    ));
                }
                _ => lines
                    .push(format!("{name}: none below category {}{mark}", title.lowest_category())),
            }
        }
        let field = norm_field(players as u32);
        lines.push(format!(
            "of {players} players {} have to be of other federations than the most, {} rated, {} titled or above 2300; three federations",
            field.of_other_federations, field.rated, field.titled
        ));
        Ok(lines)
    }

    fn of_1957(&self) -> anyhow::Result<Vec<String>> {
        let games = i64::from(self.gm) + i64::from(self.im) + i64::from(self.others);
        if games < GAMES {
            bail!("a norm takes nine games at least; --gm, --im and --others make {games}");
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
