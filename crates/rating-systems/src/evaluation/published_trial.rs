//! Compares published ratings with each other, with systems from games alone and with forecasts
//! that read both, all on the same games.
//!
//! Published ratings know games that a collection lacks. So they are a separate class, and systems
//! from games alone are not judged against them.

use jiff::civil::Date;
use rayon::prelude::*;

use crate::evaluation::comparison::{CommonGames, LossDifference, Predictions};
use crate::evaluation::draw_model::DrawRates;
use crate::evaluation::expectations::Expectations;
use crate::evaluation::recalibration::recalibrated;
use crate::systems::Results;
use crate::systems::draw_tendency::draw_probabilities;
use crate::systems::logistic::{NATURAL, logistic};

/// The first year of the trial. Many earlier games have no month, so their tags may come from a
/// later list.
pub const FIRST_YEAR: i16 = 2000;

/// Longest span (days) of an event whose dates are known well enough. A tag of a game without a
/// month may come from a later list. Judged: a date without a month spans up to a year. Leagues
/// that last a winter still count.
const LONGEST_DAYS: i32 = 200;

/// The smallest published rating (points): FIDE's lowest floor, in force from 2012 to 2024.
const SMALLEST_RATING: u16 = 1000;

/// Years that share a group. Judged: with one year a group, differences would be noise.
const GROUP_YEARS: i16 = 5;

/// Mean ratings (points) of both players that separate the groups. Judged: each group has many
/// games in usual collections.
const LEVELS: [u16; 5] = [2200, 2300, 2400, 2500, 2600];

/// Ages (years) of the groups: one player below the first; both from the second to the third; one
/// above the fourth. Judged: ratings rise fast until about 18, and fall from about 50.
const AGES: [i16; 4] = [18, 25, 49, 60];

/// Predicts all games from published ratings of White and Black (points, 0 for none), by Elo's
/// logistic curve and by a curve fitted on each 1 January to all games before.
pub fn published_predictions(results: &Results, name: &str, ratings: &[[u16; 2]]) -> Predictions {
    let differences: Vec<Option<f64>> = ratings
        .iter()
        .map(|game| are_published(game).then(|| f64::from(game[0]) - f64::from(game[1])))
        .collect();
    Predictions {
        name: name.to_owned(),
        own: Some(differences.iter().map(|known| known.map(elo_curve)).collect()),
        recalibrated: recalibrated(results, &differences, &elo_curve),
        draws: None,
    }
}

/// Whether both players of a game have a published rating (points).
fn are_published(ratings: &[u16; 2]) -> bool {
    ratings.iter().all(|rating| *rating >= SMALLEST_RATING)
}

/// Expected score by Elo's logistic curve, from a rating difference (points).
fn elo_curve(difference: f64) -> f64 {
    logistic(difference * NATURAL)
}

/// Whether a source predicts at least half of the games of the trial that the tags predict. With
/// fewer, it would take most games from the comparison of all.
pub fn predicts_most(results: &Results, tags: &Predictions, source: &Predictions) -> bool {
    let (mut tagged, mut predicted) = (0, 0);
    for (number, game) in results.games.iter().enumerate() {
        if game.day.year() >= FIRST_YEAR && tags.recalibrated.expected.get(number).is_some() {
            tagged += 1;
            predicted += usize::from(source.recalibrated.expected.get(number).is_some());
        }
    }
    2 * predicted >= tagged && tagged > 0
}

/// Games that the trial evaluates together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialGroup {
    /// All games of the trial.
    All,
    /// Years, from the first to the last.
    Years(i16, i16),
    /// Mean rating of both players (points): at least the first, below the second.
    Level(Option<u16>, Option<u16>),
    /// At least one player younger than this (years).
    OneBelow(i16),
    /// Both players of these ages (years).
    BothBetween(i16, i16),
    /// At least one player older than this (years).
    OneAbove(i16),
}

/// The score of one source of forecasts in a group of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialScore {
    /// Mean log loss (natural logarithm); a draw counts as half a win and half a loss.
    pub log_loss: f64,
    /// Its log loss minus that of the tags. Below zero, it predicts better.
    pub against_tags: LossDifference,
    /// The factor for its logits that predicts these games best, with an advantage of White. Below
    /// 1, it spreads players too far.
    pub slope: f64,
}

/// The scores of all sources in a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupScores {
    /// The property that its games share.
    pub group: TrialGroup,
    /// Number of its games. All sources predict each of them.
    pub games: usize,
    /// Scores, in the order of [`PublishedTrial::sources`].
    pub scores: Vec<TrialScore>,
}

/// The mean log loss of win, draw and loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreeWayScore {
    /// With the draws of the decade.
    pub by_decade: f64,
    /// With the level and the players' tendencies to draw, from earlier years only.
    pub by_tendency: f64,
}

/// The comparison of published ratings with other sources, by groups of games.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedTrial {
    /// Names of the sources of forecasts, the tags first.
    pub sources: Vec<String>,
    /// The scores: of all games, then by years, level and age.
    pub groups: Vec<GroupScores>,
    /// The scores of three results on all games, in the order of the sources.
    pub three_way: Vec<ThreeWayScore>,
    /// Number of players in these games.
    pub players: usize,
    /// How many of these players have a known year of birth.
    pub born: usize,
}

/// The games of a trial, with what assigns them to groups.
struct TrialGames<'a> {
    results: &'a Results,
    rates: &'a DrawRates,
    births: Vec<Option<i16>>,
}

impl PublishedTrial {
    /// Compares `tags`, the predictions from rating tags, with other sources, on the games that all
    /// of them predict. `None` without such games.
    pub fn new(
        results: &Results,
        tags: &Predictions,
        others: &[&Predictions],
        rates: &DrawRates,
    ) -> Option<PublishedTrial> {
        let trial = TrialGames { results, rates, births: results.births() };
        let sources: Vec<&Predictions> = [tags].into_iter().chain(others.iter().copied()).collect();
        let games = trial.common(&sources);
        if games.is_empty() {
            return None;
        }
        let groups: Vec<GroupScores> = trial
            .groups(&games)
            .into_par_iter()
            .filter_map(|(group, games)| trial.scores(group, games, &sources))
            .collect();
        let three_way = sources.par_iter().map(|source| trial.three_way(source, &games));
        let mut players: Vec<u32> = games
            .iter()
            .flat_map(|game| [results.games[*game].white, results.games[*game].black])
            .collect();
        players.sort_unstable();
        players.dedup();
        let born = players.iter().filter(|player| trial.births[**player as usize].is_some());
        Some(PublishedTrial {
            sources: sources.iter().map(|source| source.name.clone()).collect(),
            groups,
            three_way: three_way.collect(),
            born: born.count(),
            players: players.len(),
        })
    }

    /// The scores of all games.
    pub fn all(&self) -> Option<&GroupScores> {
        self.groups.first()
    }
}

impl TrialGames<'_> {
    /// The games of events with known months since the first year that all sources predict.
    fn common(&self, sources: &[&Predictions]) -> Vec<usize> {
        let mut games = Vec::new();
        let mut next = 0;
        for (event, span) in self.results.events().zip(self.results.spans()) {
            let of_event = next..next + event.len();
            next = of_event.end;
            let days = (span.last - span.first).get_days();
            if span.first.year() < FIRST_YEAR || days >= LONGEST_DAYS {
                continue;
            }
            games.extend(of_event.filter(|game| {
                sources.iter().all(|of| of.recalibrated.expected.get(*game).is_some())
            }));
        }
        games
    }

    /// The games of each group that has some.
    fn groups(&self, games: &[usize]) -> Vec<(TrialGroup, Vec<usize>)> {
        let last = games.iter().map(|game| self.day(*game).year()).max().unwrap_or(FIRST_YEAR);
        let years = (FIRST_YEAR..=last).step_by(GROUP_YEARS as usize);
        let levels = [None]
            .into_iter()
            .chain(LEVELS.map(Some))
            .zip(LEVELS.map(Some).into_iter().chain([None]));
        let groups = [TrialGroup::All]
            .into_iter()
            .chain(years.map(|first| TrialGroup::Years(first, first + GROUP_YEARS - 1)))
            .chain(levels.map(|(from, below)| TrialGroup::Level(from, below)))
            .chain([
                TrialGroup::OneBelow(AGES[0]),
                TrialGroup::BothBetween(AGES[1], AGES[2]),
                TrialGroup::OneAbove(AGES[3]),
            ]);
        let of_group = groups.map(|group| {
            let games = games.iter().copied().filter(|game| self.is_in(*game, group));
            (group, games.collect::<Vec<usize>>())
        });
        of_group.filter(|(_, games)| !games.is_empty()).collect()
    }

    fn day(&self, game: usize) -> Date {
        self.results.games[game].day
    }

    /// The ages (years) of both players of a game.
    fn ages(&self, game: usize) -> [Option<i16>; 2] {
        let played = &self.results.games[game];
        [played.white, played.black]
            .map(|player| self.births[player as usize].map(|born| played.day.year() - born))
    }

    fn is_in(&self, game: usize, group: TrialGroup) -> bool {
        match group {
            TrialGroup::All => true,
            TrialGroup::Years(first, last) => (first..=last).contains(&self.day(game).year()),
            TrialGroup::Level(from, below) => {
                let tags = self.results.published.tags.get(game).copied().unwrap_or_default();
                let twice = u32::from(tags[0]) + u32::from(tags[1]);
                from.is_none_or(|from| twice >= 2 * u32::from(from))
                    && below.is_none_or(|below| twice < 2 * u32::from(below))
            }
            TrialGroup::OneBelow(age) => self.ages(game).iter().flatten().any(|own| *own < age),
            TrialGroup::BothBetween(from, to) => {
                self.ages(game).iter().all(|own| own.is_some_and(|own| (from..=to).contains(&own)))
            }
            TrialGroup::OneAbove(age) => self.ages(game).iter().flatten().any(|own| *own > age),
        }
    }

    fn scores(
        &self,
        group: TrialGroup,
        games: Vec<usize>,
        sources: &[&Predictions],
    ) -> Option<GroupScores> {
        let common = CommonGames { results: self.results, games, rates: self.rates };
        let of_tags = common.losses(sources.first()?);
        let mut scores = Vec::with_capacity(sources.len());
        for source in sources {
            scores.push(TrialScore {
                log_loss: common.score(source).log_loss()?,
                against_tags: common.difference(&common.losses(source), &of_tags),
                slope: common.adjusted(&source.recalibrated.expected, true).slope,
            });
        }
        Some(GroupScores { group, games: common.games.len(), scores })
    }

    /// The log losses of three results. The level of a game is the mean of both tags, so only games
    /// with both teach the regression of draws.
    fn three_way(&self, source: &Predictions, games: &[usize]) -> ThreeWayScore {
        let tags = &self.results.published.tags;
        let levels: Vec<f32> = tags
            .iter()
            .map(|[white, black]| ((f32::from(*white) + f32::from(*black)) / 2.0 - 2400.0) / 200.0)
            .collect();
        let expected = &source.recalibrated.expected;
        let draws: Expectations = draw_probabilities(
            self.results,
            |game| expected.get(game).filter(|_| tags.get(game).is_some_and(are_published)),
            &levels,
        )
        .into_iter()
        .collect();
        let common =
            CommonGames { results: self.results, games: games.to_vec(), rates: self.rates };
        let [by_decade, by_tendency] = [None, Some(draws)].map(|draws| {
            let predictions = Predictions { draws, ..source.clone() };
            common.three_way(&predictions).unwrap_or(f64::NAN)
        });
        ThreeWayScore { by_decade, by_tendency }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    /// Twenty monthly events since 2000 between a strong and a weak player, of whom one is young.
    fn results() -> Results {
        let players =
            [Some(1990), None].map(|born| RatedPlayer { born, ..RatedPlayer::default() }).into();
        let mut results = Results { players, ..Results::default() };
        for event in 0..20 {
            let day = date(1999 + event / 12, (event % 12 + 1) as i8, 5);
            for number in 0..4 {
                let score = if number == 0 { 0.0 } else { 1.0 };
                results.games.push(RatedGame::new(0, 1, score, day, event as u32));
                results.published.tags.push([2450, 2350]);
            }
        }
        results
    }

    #[test]
    fn sources_are_compared_on_common_games_since_the_first_year() {
        let results = results();
        let tags = published_predictions(&results, "Tags", &results.published.tags);
        let half = vec![[2400, 2400]; results.games.len()];
        let equal = published_predictions(&results, "Equal", &half);
        let trial = PublishedTrial::new(&results, &tags, &[&equal], &DrawRates::default()).unwrap();
        assert_eq!(trial.sources, ["Tags", "Equal"]);
        assert_eq!((trial.players, trial.born), (2, 1));
        let all = trial.all().unwrap();
        // The twelve events of 1999 do not count.
        assert_eq!(all.games, 32);
        assert!(all.scores[0].log_loss < all.scores[1].log_loss);
        assert!(all.scores[1].against_tags.mean > 0.0);
        for (group, games) in [
            (TrialGroup::Years(2000, 2004), Some(32)),
            (TrialGroup::Level(Some(2400), Some(2500)), Some(32)),
            (TrialGroup::Level(None, Some(2200)), None),
            (TrialGroup::OneBelow(18), Some(32)),
            (TrialGroup::BothBetween(25, 49), None),
        ] {
            let scores = trial.groups.iter().find(|scores| scores.group == group);
            assert_eq!(scores.map(|scores| scores.games), games, "{group:?}");
        }
    }

    #[test]
    fn without_a_tag_there_is_no_prediction() {
        let results = results();
        let found =
            published_predictions(&results, "Tags", &[[2450, 0], [999, 2350], [2450, 2350]]);
        let own = found.own.unwrap();
        assert_eq!((own.get(0), own.get(1)), (None, None));
        assert!((own.get(2).unwrap() - 0.6401).abs() < 1e-4);
        let none = published_predictions(&results, "None", &[]);
        let tags = published_predictions(&results, "Tags", &results.published.tags);
        assert_eq!(PublishedTrial::new(&results, &tags, &[&none], &DrawRates::default()), None);
    }
}
