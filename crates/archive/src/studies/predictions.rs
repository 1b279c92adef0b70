//! Forecasts every event and every match from earlier ratings.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::rated_players::on_the_day::NamedOnTheDay;
use crate::record::AnalysedEvent;
use crate::record::event_forecast::{EventForecast, PlayerForecast};
use crate::settings::system_settings::SystemSettings;
use crate::studies::curves::{Curves, uses_no_later_games};
use chess_history::players::Players;
use chess_history::ratings::FIDE_SYSTEM;
use rating_systems::forecasts::{
    Chances, CurveTest, Decades, KnownGame, MatchForecast, PlayedGames, ScoreDistribution,
    SlopeAndWhite, USUAL_ERROR, curve_test, match_forecast, performance_error_by, slope_and_white,
};
use rating_systems::systems::elo::formulas::{Expectancy, performance_by};
use tournament_app::Kind;

/// The forecast of a match, from the side of the higher rated player.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedMatch {
    /// Index of the event's record.
    pub event: usize,
    pub source: String,
    /// Numbers of the two among the event's players, the higher rated first.
    pub players: [usize; 2],
    /// Their ratings (points).
    pub ratings: [f64; 2],
    pub games: usize,
    /// The expected score of a game, in `[0, 1]`.
    pub expected: f64,
    pub score: f64,
    pub forecast: MatchForecast,
    /// The probability of the score or a higher one if it is at least the expected score, otherwise
    /// of the score or a lower one.
    pub chance: f64,
}

impl PredictedMatch {
    /// Whether its ratings are historical Elo ratings interpolated to the day, instead of those of
    /// a list in force.
    pub fn is_on_the_day(&self) -> bool {
        self.source == ON_THE_DAY || self.source == HALF_DECADE_BEFORE
    }

    /// The rating difference (points).
    pub fn difference(&self) -> f64 {
        self.ratings[0] - self.ratings[1]
    }

    /// The standard deviation of the score without draws (points): √(n p (1 − p)). Source: Elo,
    /// 2.63 and the table of matches in 5.55.
    pub fn sigma_without_draws(&self) -> f64 {
        (self.games as f64 * self.expected * (1.0 - self.expected)).sqrt()
    }

    /// The points scored above expectation, in standard deviations.
    pub fn z(&self) -> Option<f64> {
        let sigma = self.forecast.scores.sigma();
        (sigma > 0.0).then(|| (self.score - self.forecast.scores.mean()) / sigma)
    }

    /// The winner, by number among the event's players; `None` for a drawn match.
    pub fn winner(&self) -> Option<usize> {
        let half = self.games as f64 / 2.0;
        match self.score.total_cmp(&half) {
            std::cmp::Ordering::Greater => Some(self.players[0]),
            std::cmp::Ordering::Less => Some(self.players[1]),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// The names of the sources of ratings that are interpolated between half decades, and of those of
/// the half decade before.
pub const ON_THE_DAY: &str = "Historical Elo on the day";
pub const HALF_DECADE_BEFORE: &str = "Historical Elo, the half decade before";

/// The first year for which FIDE's lists are better than historical ratings.
const LAST_BY_THE_DAY: i16 = 1971;

/// The least number of games of a match for a forecast. Judged: in shorter matches the outcome is
/// mostly chance. With half as many, the table of forecasts would fill with matches of knock-outs.
const MATCH_GAMES: usize = 11;

/// The number of games from which a player with a constant colour indicates that colours are
/// unknown. Judged: by chance, one player in four has the same colour in three games, and most
/// players must have it. With two games it would be one in two.
const SAME_COLOUR_GAMES: usize = 3;

/// Whether colours are known. They are unknown if most players have the same colour in all of their
/// games, as in results that were written out as games.
fn has_colours(record: &AnalysedEvent) -> bool {
    let mut counts = vec![(0usize, 0usize); record.input.players.len()];
    for game in record.input.played() {
        counts[game.white].0 += 1;
        counts[game.black].1 += 1;
    }
    let with_enough_games =
        counts.iter().filter(|(white, black)| white + black >= SAME_COLOUR_GAMES);
    let (mut same, mut all) = (0, 0);
    for (white, black) in with_enough_games {
        all += 1;
        same += usize::from(*white == 0 || *black == 0);
    }
    all == 0 || 2 * same < all
}

/// The ratings (points) that were known before an event, by the numbers of its players: found or
/// decided, never estimated, never corrected. `None` if the ratings use later games.
fn known_before(record: &AnalysedEvent) -> Option<Vec<Option<f64>>> {
    uses_no_later_games(&record.ratings.origin)
        .then(|| record.input.players.iter().map(|player| player.initial_rating).collect())
}

pub struct Forecasts {
    /// Draws and White's advantage, by decade.
    pub decades: Decades,
    /// The forecasts of matches, in the order of the records.
    pub matches: Vec<PredictedMatch>,
    /// How rating differences of each source predict scores.
    pub sources: Vec<SourceCurves>,
}

/// How rating differences of one source predict scores.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceCurves {
    pub source: String,
    /// The number of games whose players both had a rating before.
    pub games: usize,
    /// The factor for rating differences that predicts best, with the source's own curve, and
    /// White's advantage; `None` for few games.
    pub slope_and_white: Option<SlopeAndWhite>,
    /// Scores by difference next to the curves of Elo's book; only for sources on Elo's scale.
    pub test: Option<CurveTest>,
}

/// Forecasts the players of all events, by event, and all matches.
pub fn forecast(
    records: &[AnalysedEvent],
    systems: &SystemSettings,
    players: &Players,
    on_the_day: Option<&NamedOnTheDay>,
) -> (Vec<EventForecast>, Forecasts) {
    let curves = Curves::from_settings(systems);
    let (decades, sources) = decades(records, &curves);
    let events =
        records.par_iter().map(|record| forecast_event(record, &curves, &decades)).collect();
    let matches = records
        .par_iter()
        .enumerate()
        .filter(|(_, record)| record.event.kind == Kind::Match)
        .flat_map_iter(|(event, record)| {
            let by_list = forecast_by_list(event, record, &curves, &decades);
            let mut found: Vec<PredictedMatch> = by_list.into_iter().collect();
            if let Some(ratings) = on_the_day {
                let (on_day, before) = historical_ratings(record, players, ratings);
                for (source, points) in [(ON_THE_DAY, on_day), (HALF_DECADE_BEFORE, before)] {
                    let Some(points) = points else { continue };
                    let expected = &|difference: f64| Expectancy::Normal.expected(difference);
                    let ratings = MatchRatings { source, points, expected };
                    found.extend(ratings.forecast(event, record, &decades));
                }
            }
            found
        })
        .collect();
    (events, Forecasts { decades, matches, sources })
}

/// Forecasts a match from the ratings that its players had on the list of the event.
fn forecast_by_list(
    event: usize,
    record: &AnalysedEvent,
    curves: &Curves,
    decades: &Decades,
) -> Option<PredictedMatch> {
    let known = known_before(record)?;
    let source = record.ratings.origin.name();
    let curve = curves.number(source);
    let points = [(*known.first()?)?, (*known.get(1)?)?];
    let expected = &|difference: f64| curves.expected(curve, difference);
    MatchRatings { source, points, expected }.forecast(event, record, decades)
}

/// The historical Elo ratings (points) of the two players of a match, on its day and in the half
/// decade before. `None` where one of them has none, and from 1971 on.
fn historical_ratings(
    record: &AnalysedEvent,
    players: &Players,
    ratings: &NamedOnTheDay,
) -> (Option<[f64; 2]>, Option<[f64; 2]>) {
    let day = record.event.start.middle().filter(|day| day.year() < LAST_BY_THE_DAY);
    let (Some(day), [a, b, ..]) = (day, &record.event.players[..]) else { return (None, None) };
    let (a, b) = (players.get(*a), players.get(*b));
    let on_day = ratings.rating(a, day).zip(ratings.rating(b, day));
    let before = ratings.half_decade_before(a, day).zip(ratings.half_decade_before(b, day));
    (on_day.map(Into::into), before.map(Into::into))
}

/// Measures draws and White's advantage by decade, and how differences predict scores by source,
/// over all events. Games of a match in a cycle count once.
fn decades(records: &[AnalysedEvent], curves: &Curves) -> (Decades, Vec<SourceCurves>) {
    let mut by_source: BTreeMap<&str, Vec<KnownGame>> = BTreeMap::new();
    let mut plain: BTreeMap<i16, (usize, usize)> = BTreeMap::new();
    for record in records.iter().filter(|record| record.event.part_of.is_none()) {
        let Some(year) = record.event.start.year() else { continue };
        let known = known_before(record);
        let source = record.ratings.origin.name();
        let (has_colours, curve) = (has_colours(record), curves.number(source));
        let of_year = plain.entry(year).or_default();
        for game in record.input.played() {
            of_year.0 += 1;
            of_year.1 += usize::from(game.white_score == 0.5);
            let Some(known) = &known else { continue };
            if let (Some(white), Some(black)) = (known[game.white], known[game.black]) {
                let (difference, score) = (white - black, game.white_score);
                let game = KnownGame { year, difference, score, has_colours, curve };
                by_source.entry(source).or_default().push(game);
            }
        }
    }
    // The last digit of a sum depends on the order of its terms, and the order of events on that of
    // the files.
    for games in by_source.values_mut() {
        games.sort_unstable_by(KnownGame::order);
    }
    let expected = |curve: usize, difference: f64| curves.expected(curve, difference);
    let sources = by_source
        .par_iter()
        .map(|(source, games)| SourceCurves {
            source: (*source).to_owned(),
            games: games.len(),
            slope_and_white: slope_and_white(games, &expected),
            // Other sources have other scales and curves.
            test: (*source == FIDE_SYSTEM).then(|| curve_test(games)),
        })
        .collect();
    let games: Vec<KnownGame> = by_source.into_values().flatten().collect();
    (Decades::new(&games, &plain, &expected), sources)
}

/// The forecasts of the players of one event.
fn forecast_event(record: &AnalysedEvent, curves: &Curves, decades: &Decades) -> EventForecast {
    let (draws, white) = record.event.start.year().map_or((0.0, 0.0), |year| decades.year(year));
    let white = if has_colours(record) { white } else { 0.0 };
    let Some(known) = known_before(record) else {
        return EventForecast { players: vec![None; record.analysis.players.len()], draws, white };
    };
    let curve = curves.number(record.ratings.origin.name());
    // By player: the rating of the opponent, the advantage of the colour (points), and the score of
    // each game.
    let mut games: Vec<Vec<(f64, f64, f64)>> = vec![Vec::new(); known.len()];
    let mut unknown = vec![0usize; known.len()];
    for game in record.input.played() {
        let score = game.white_score;
        for (player, opponent, side, score) in
            [(game.white, game.black, white, score), (game.black, game.white, -white, 1.0 - score)]
        {
            match known[opponent] {
                Some(rating) => games[player].push((rating, side, score)),
                None => unknown[player] += 1,
            }
        }
    }
    let players = record.analysis.players.iter().map(|player| {
        let own = known[player.index]?;
        let games = &games[player.index];
        if games.is_empty() || games.len() < unknown[player.index] {
            return None;
        }
        let error = record.ratings.published_deviations.get(player.index).copied().flatten();
        let score: f64 = games.iter().map(|(.., score)| score).sum();
        let error = error.unwrap_or(USUAL_ERROR);
        let played = PlayedGames { games: games.len(), score, draws };
        let predicted = played.predicted_by(own, error, |rating, game| {
            curves.expected(curve, rating - games[game].0 + games[game].1)
        });
        let opponents: Vec<f64> = games.iter().map(|(rating, ..)| *rating).collect();
        let is_finite = score > 0.0 && score < games.len() as f64;
        let expected = |ahead: f64| curves.expected(curve, ahead);
        let performance = performance_by(&expected, &opponents, score).filter(|_| is_finite);
        let performance_error = performance.and_then(|performance| {
            performance_error_by(&expected, performance, &opponents, draws)
        });
        let is_short = games.len() <= LONGEST_FORECAST;
        let score_chances = (known.len() <= SMALL_FIELD && is_short).then(|| {
            let of_games = games.iter().map(|(rating, side, _)| {
                Chances::new(curves.expected(curve, own - rating + side), draws)
            });
            ScoreDistribution::from_games(of_games).chances().to_vec()
        });
        Some(PlayerForecast { predicted, performance, performance_error, score_chances })
    });
    EventForecast { players: players.collect(), draws, white }
}

/// The number of games of a player beyond which the probabilities of scores are not computed,
/// because the work grows with its square. No match on record had a tenth of it.
const LONGEST_FORECAST: usize = 1000;

/// The largest field for which the probabilities of all scores are kept. Judged: nearly all events
/// with a crosstable are smaller. It bounds the memory for large opens.
const SMALL_FIELD: usize = 149;

/// The ratings of the two players of a match before it began.
struct MatchRatings<'a> {
    source: &'a str,
    /// Ratings (points), by the numbers of the players.
    points: [f64; 2],
    /// The expected score, in `[0, 1]`, of a player rated that number of points higher.
    expected: &'a dyn Fn(f64) -> f64,
}

impl MatchRatings<'_> {
    /// Forecasts the match of a record; `None` of a match that is too short, or too long.
    fn forecast(
        &self,
        event: usize,
        record: &AnalysedEvent,
        decades: &Decades,
    ) -> Option<PredictedMatch> {
        let (ratings, expected) = (self.points, self.expected);
        let (draws, white) =
            record.event.start.year().map_or((0.0, 0.0), |year| decades.year(year));
        let white = if has_colours(record) { white } else { 0.0 };
        let higher = usize::from(ratings[1] > ratings[0]);
        let players = [higher, 1 - higher];
        let difference = ratings[higher] - ratings[1 - higher];
        let mut score = 0.0;
        let mut games: Vec<Chances> = Vec::new();
        for game in record.input.played() {
            let has_white = game.white == higher;
            let side = if has_white { white } else { -white };
            score += if has_white { game.white_score } else { 1.0 - game.white_score };
            games.push(Chances::new(expected(difference + side), draws));
        }
        if !(MATCH_GAMES..=LONGEST_FORECAST).contains(&games.len()) {
            return None;
        }
        let forecast = match_forecast(&games);
        let chance = if score >= forecast.scores.mean() {
            forecast.scores.at_least(score)
        } else {
            forecast.scores.at_most(score)
        };
        Some(PredictedMatch {
            event,
            source: self.source.to_owned(),
            players,
            ratings: players.map(|player| ratings[player]),
            games: games.len(),
            expected: expected(difference),
            score,
            forecast,
            chance,
        })
    }
}
