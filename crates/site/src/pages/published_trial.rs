//! Published ratings on trial: a section of the page *Which ratings to trust*.

use serde::Serialize;

use super::Site;
use super::differences::{BEYOND, with_error};
use crate::figures::{counted, fixed, percent, thousands};
use rating_systems::evaluation::published_trial::{PublishedTrial, TrialGroup, TrialScore};

/// The words for a group of games.
fn in_words(group: TrialGroup) -> String {
    match group {
        TrialGroup::All => "All".to_owned(),
        TrialGroup::Years(first, last) => format!("{first}–{last}"),
        TrialGroup::Level(None, Some(below)) => format!("Rating below {below}"),
        TrialGroup::Level(Some(from), None) => format!("Rating from {from}"),
        TrialGroup::Level(Some(from), Some(below)) => format!("Rating {from}–{}", below - 1),
        TrialGroup::Level(None, None) => "All ratings".to_owned(),
        TrialGroup::OneBelow(age) => format!("One aged below {age}"),
        TrialGroup::BothBetween(from, to) => format!("Both aged {from}–{to}"),
        TrialGroup::OneAbove(age) => format!("One aged above {age}"),
    }
}

/// The section; `None` without rating tags.
pub(super) fn published_trial(site: &Site) -> Option<impl Serialize> {
    let trial = site.archive.studies.published_trial.as_ref()?;
    let all = trial.all()?;
    let sources = trial.sources.iter().zip(&all.scores).zip(&trial.three_way);
    let rows = sources.enumerate().map(|(place, ((source, score), three_way))| {
        view!(
            source = source.clone(),
            // Whether it reads published ratings.
            is_published = site
                .archive
                .studies
                .game_forecasts
                .as_ref()
                .and_then(|of| of.best())
                .is_some_and(|best| best.system.about.name == source),
            log_loss = fixed(score.log_loss, 4),
            // The difference from the tags; empty for the tags.
            against = if place == 0 { String::new() } else { with_error(score.against_tags) },
            slope = fixed(score.slope, 2),
            by_decade = fixed(three_way.by_decade, 4),
            by_tendency = fixed(three_way.by_tendency, 4)
        )
    });
    let groups = trial.groups.iter().skip(1).map(|of| {
        view!(
            group = in_words(of.group),
            games = thousands(of.games),
            // The log loss of the tags, then the differences of the other sources.
            cells = cells(&of.scores)
        )
    });
    Some(view!(
        verdict = verdict(trial),
        games = thousands(all.games),
        births = format!(
            "{} of {} ({}) have a year of birth",
            thousands(trial.born),
            counted(trial.players, "player", "players"),
            percent(trial.born as f64 / trial.players.max(1) as f64)
        ),
        tags = trial.sources.first().cloned().unwrap_or_default(),
        sources = trial.sources.iter().skip(1).cloned().collect::<Vec<_>>(),
        rows = rows.collect::<Vec<_>>(),
        groups = groups.collect::<Vec<_>>()
    ))
}

fn cells(scores: &[TrialScore]) -> Vec<String> {
    let cells = scores.iter().enumerate().map(|(place, score)| match place {
        0 => fixed(score.log_loss, 4),
        _ => with_error(score.against_tags),
    });
    cells.collect()
}

/// Which source predicts best, and whether the tags are worse by more than chance.
fn verdict(trial: &PublishedTrial) -> String {
    let Some(all) = trial.all() else { return String::new() };
    let scored = trial.sources.iter().zip(&all.scores);
    let best = scored.min_by(|a, b| a.1.log_loss.total_cmp(&b.1.log_loss));
    let Some((best, score)) = best else { return String::new() };
    let loss = fixed(score.log_loss, 4);
    let difference = score.against_tags;
    let tags = trial.sources.first().map_or("", String::as_str);
    if best == tags {
        return format!("{best} predict best on these games (log loss {loss}).");
    }
    let is_chance = if difference.is_noise(BEYOND) { ", which may be chance" } else { "" };
    format!(
        "{best} predicts best on these games (log loss {loss}), by {} less than {tags}{is_chance}.",
        fixed(-difference.mean, 4)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rating_systems::evaluation::comparison::LossDifference;
    use rating_systems::evaluation::published_trial::GroupScores;

    #[test]
    fn the_verdict_names_the_best_source_and_says_what_may_be_chance() {
        let score = |log_loss: f64, mean: f64| TrialScore {
            log_loss,
            against_tags: LossDifference { mean, standard_error: Some(0.001) },
            slope: 1.0,
        };
        let trial = |other: TrialScore| PublishedTrial {
            sources: vec!["FIDE, tags".into(), "Paired".into()],
            groups: vec![GroupScores {
                group: TrialGroup::All,
                games: 100,
                scores: vec![score(0.63, 0.0), other],
            }],
            three_way: Vec::new(),
            players: 10,
            born: 5,
        };
        let found = verdict(&trial(score(0.62, -0.01)));
        assert!(found.contains("Paired predicts best") && !found.contains("chance"), "{found}");
        assert!(verdict(&trial(score(0.629, -0.001))).contains("may be chance"));
        assert!(verdict(&trial(score(0.64, 0.01))).starts_with("FIDE, tags predict best"));
    }
}
