//! Forecasts of all games from games and published ratings: the filter, the last layer, and paired
//! comparison for players without a rating.

use super::features::{FEATURES, WITH_PAIRED, features, level, with_paired};
use super::filter::{FilterModel, StrengthFilter, WeekGame, YEAR};
use super::schedule::{EventsOfWeek, ScheduledEvent, WEEK, schedule, weeks};
use crate::systems::paired::forward_run::ForwardForecasts;
use crate::systems::results::{RatedGame, Results};
use crate::systems::yearly_regression::{Memory, YearlyRegression};

/// The smallest published rating (points). Judged: smaller numbers in tags are slips, or belong to
/// another scale.
const SMALLEST_RATING: u16 = 1000;

/// Days after which a player's last believed rating no longer counts: three years. Judged, not
/// measured; ratings that are half a year or a year old still predict better than new tags alone.
pub(super) const RATED_DAYS: i32 = (3.0 * YEAR) as i32;

/// The model: the filter, and how the last layer forgets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PublishedModel {
    pub filter: FilterModel,
    /// How the last layer forgets, and how it starts.
    pub layer: Memory,
}

/// The forecasts of a game. Logits are those of White's expected score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameForecast {
    /// The forecast: by the last layer if both players have a rating, otherwise by paired
    /// comparison. `None` if that does not know a player.
    pub logit: Option<f64>,
    /// Whether both players have a believed rating of the last three years.
    pub is_rated: bool,
    /// Logit by the filter alone.
    pub filter: f64,
    /// Logit by the last layer without paired comparison.
    pub layer: f64,
    /// Logit by paired comparison alone, which takes in an event when it ends. `None` if one of the
    /// players has no earlier game.
    pub paired: Option<f64>,
    /// Mean strength of both players, in units of 200 points above 2400.
    pub level: f64,
}

/// The state of the forecasts up to some week.
pub(crate) struct PublishedForecasts<'a> {
    results: &'a Results,
    events: &'a [ScheduledEvent],
    filter: StrengthFilter,
    layer: YearlyRegression<FEATURES>,
    layer_with_paired: YearlyRegression<WITH_PAIRED>,
    /// Forecasts by paired comparison. Without them, players without a published rating have no
    /// forecast, and the last layer does not read them.
    paired: Option<&'a ForwardForecasts>,
    forecasts: Vec<GameForecast>,
}

impl PublishedForecasts<'_> {
    /// Forecasts all games, week by week: what begins in a week, from what ended before it. `each`
    /// sees the filter at the beginning of each week, with the number of the day.
    pub fn run(
        results: &Results,
        model: &PublishedModel,
        paired: Option<&ForwardForecasts>,
        mut each: impl FnMut(&StrengthFilter, i32),
    ) -> Vec<GameForecast> {
        let events = schedule(results);
        let births = results.births();
        let mut start = [0.0; FEATURES];
        start[1] = 1.0;
        let mut state = PublishedForecasts {
            results,
            events: &events,
            filter: StrengthFilter::new(model.filter, &births),
            layer: YearlyRegression::starting_at(start, model.layer),
            layer_with_paired: YearlyRegression::starting_at(with_paired(&start, 0.0), model.layer),
            paired,
            forecasts: vec![GameForecast::default(); results.games.len()],
        };
        for week in weeks(&events) {
            each(&state.filter, week.day);
            state.forecast(&week);
            state.play(&week);
        }
        state.forecasts
    }

    /// Forecasts the games of the events that begin in a week.
    fn forecast(&mut self, week: &EventsOfWeek) {
        if week.beginning.is_empty() {
            return;
        }
        let ratings = self.ratings(&week.beginning);
        self.filter.advance(&ratings, week.day);
        self.filter.rate(&ratings, week.day);
        for &event in &week.beginning {
            let ScheduledEvent { games, years, .. } = self.events[event].clone();
            self.layer.begin_year(years.0);
            self.layer_with_paired.begin_year(years.0);
            for game in games {
                self.forecasts[game] = self.forecast_game(game, &ratings, (week.day, years));
            }
        }
    }

    /// Forecasts a game of an event, of whose years the last layer learns when they are over.
    fn forecast_game(
        &mut self,
        game: usize,
        ratings: &[(u32, f64)],
        (day, years): (i32, (i16, i16)),
    ) -> GameForecast {
        let played = self.results.games[game];
        let [white, black] = [played.white, played.black].map(|one| self.filter.state(one, day));
        let filter = self.filter.logit(played.white, played.black);
        let features = features(filter, &white, &black);
        let expected = self.paired.and_then(|paired| paired.expected[game]);
        let paired = expected.map(|expected| (expected / (1.0 - expected)).ln());
        let layer = self.layer.logit(&features);
        let all = paired.map(|paired| with_paired(&features, paired));
        let is_rated = [played.white, played.black]
            .into_iter()
            .all(|player| self.filter.is_rated(player, day, RATED_DAYS));
        let logit = match (&all, is_rated) {
            (Some(all), true) => Some(self.layer_with_paired.logit(all)),
            (None, true) => Some(layer),
            (_, false) => paired,
        };
        if has_rating(ratings, played.white) && has_rating(ratings, played.black) {
            self.layer.observe(&features, played.score, years.1);
            if let Some(all) = all {
                self.layer_with_paired.observe(&all, played.score, years.1);
            }
        }
        let level = level(&white, &black);
        GameForecast { logit, is_rated, filter, layer, paired, level }
    }

    /// The players of events with their published ratings (points), 0 for none, by number. A tag
    /// takes precedence over a list, and the lower median over all others.
    fn ratings(&self, events: &[usize]) -> Vec<(u32, f64)> {
        let facts = &self.results.published;
        let games: Vec<usize> =
            events.iter().flat_map(|event| self.events[*event].games.clone()).collect();
        let mut all: Vec<(u32, u16, u16)> = Vec::with_capacity(2 * games.len());
        for game in games {
            let played = self.results.games[game];
            let tags = believable(&facts.tags, game);
            let listed = believable(&facts.fide_lists, game);
            all.push((played.white, tags[0], listed[0]));
            all.push((played.black, tags[1], listed[1]));
        }
        all.sort_unstable();
        let of_player = all.chunk_by(|a, b| a.0 == b.0).map(|of_player| {
            let tags = &of_player[of_player.partition_point(|(_, tag, _)| *tag == 0)..];
            let rating = match tags.len() {
                0 => of_player.iter().map(|(.., listed)| *listed).max().unwrap_or(0),
                tagged => tags[(tagged - 1) / 2].1,
            };
            (of_player[0].0, f64::from(rating))
        });
        of_player.collect()
    }

    /// Takes in the games of the events that end in a week.
    fn play(&mut self, week: &EventsOfWeek) {
        if week.ending.is_empty() {
            return;
        }
        let mut games: Vec<RatedGame> = Vec::new();
        for event in &week.ending {
            games.extend_from_slice(&self.results.games[self.events[*event].games.clone()]);
        }
        let played: Vec<WeekGame> = games
            .iter()
            .map(|game| WeekGame { white: game.white, black: game.black, score: game.score })
            .collect();
        self.filter.play(&played, week.day + WEEK - 1);
    }
}

/// Whether a player has a published rating. `ratings` are in the order of the players.
fn has_rating(ratings: &[(u32, f64)], player: u32) -> bool {
    let found = ratings.binary_search_by_key(&player, |(player, _)| *player);
    found.is_ok_and(|place| ratings[place].1 > 0.0)
}

/// The ratings (points) of White and Black in a game; 0 for none, and for one that is too small.
fn believable(ratings: &[[u16; 2]], game: usize) -> [u16; 2] {
    let known = ratings.get(game).copied().unwrap_or_default();
    known.map(|rating| if rating < SMALLEST_RATING { 0 } else { rating })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::published::PairedAndPublished;
    use crate::systems::results::{EventSpan, PublishedFacts, RatedPlayer};
    use jiff::civil::date;

    fn rating(player: u32) -> u16 {
        if player == 5 { 0 } else { 2500 - 40 * player as u16 }
    }

    /// Three years of monthly round robins of six players, of whom the last has no rating.
    fn results() -> Results {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 6], ..Results::default() };
        for month in 0..36 {
            let day = date(1990 + month / 12, (month % 12 + 1) as i8, 3);
            for white in 0..6 {
                for black in (0..6).filter(|black| *black != white) {
                    let score = f64::from((white * 7 + black * 3 + month as u32) % 3) / 2.0;
                    let event = month as u32;
                    results.games.push(RatedGame { white, black, score, day, event });
                    results.published.tags.push([white, black].map(rating));
                }
            }
            let span =
                EventSpan { first: day, last: day.saturating_add(jiff::Span::new().days(9)) };
            results.published.spans.push(span);
        }
        results
    }

    fn forecasts(results: &Results) -> Vec<GameForecast> {
        PairedAndPublished::default().forecasts(results)
    }

    #[test]
    fn players_without_a_rating_are_forecast_by_paired_comparison() {
        let results = results();
        let found = forecasts(&results);
        let later = results.games.iter().zip(&found).filter(|(game, _)| game.event > 0);
        for (game, forecast) in later {
            let is_rated = game.white != 5 && game.black != 5;
            assert_eq!(forecast.is_rated, is_rated, "{game:?}");
            assert_eq!(forecast.logit == forecast.paired, !is_rated, "{game:?}");
        }
        // Before the first event paired comparison knows no one.
        assert!(found[..30].iter().all(|forecast| forecast.paired.is_none()));
    }

    #[test]
    fn a_rating_of_more_than_three_years_ago_no_longer_counts() {
        let mut results = results();
        for (game, tags) in results.games.iter_mut().zip(&mut results.published.tags) {
            if game.event >= 6 {
                game.day = date(game.day.year() + 4, game.day.month(), game.day.day());
                *tags = [0, 0];
            }
        }
        results.published.spans.clear();
        let found = forecasts(&results);
        let rated = [5, 6].map(|event| {
            let of_event = results.games.iter().zip(&found).filter(|(game, _)| game.event == event);
            of_event.filter(|(_, forecast)| forecast.is_rated).count()
        });
        assert_eq!(rated, [20, 0]);
    }

    #[test]
    fn hidden_results_change_no_earlier_forecast() {
        let mut results = results();
        let before = forecasts(&results);
        let hidden = date(1991, 6, 5);
        // The event of 3 to 12 June is not over on that day.
        for game in results.games.iter_mut().filter(|game| game.day >= date(1991, 6, 1)) {
            game.score = 1.0 - game.score;
        }
        let after = forecasts(&results);
        let known = results.games.iter().take_while(|game| game.day <= hidden).count();
        assert!(known > 400);
        assert_eq!(before[..known], after[..known]);
        assert_ne!(before[known..], after[known..]);
    }

    #[test]
    fn an_event_is_taken_in_when_it_ends() {
        let mut results = results();
        let before = forecasts(&results);
        // The first event now lasts until the third has begun.
        results.published.spans[0].last = date(1990, 3, 20);
        let after = forecasts(&results);
        assert!(after[30..60].iter().zip(&before[30..60]).all(|(a, b)| a.paired != b.paired));
        assert!(after[30..60].iter().all(|forecast| forecast.paired.is_none()));
    }

    /// The forecast of the first game, if all games have these ratings in tags and on lists.
    fn first_forecast(tags: [u16; 2], lists: [u16; 2]) -> GameForecast {
        let mut results = results();
        let facts = PublishedFacts {
            tags: vec![tags; results.games.len()],
            fide_lists: vec![lists; results.games.len()],
            ..results.published
        };
        results.published = facts;
        forecasts(&results)[0]
    }

    #[test]
    fn a_tag_takes_precedence_over_a_list() {
        let with_tags = first_forecast([2400, 2500], [0, 0]);
        assert_eq!(first_forecast([2400, 2500], [2300, 2000]), with_tags);
        assert!(first_forecast([0, 0], [2400, 2500]).is_rated);
        // A tag below 1000 does not count.
        assert!(!first_forecast([999, 0], [0, 0]).is_rated);
    }
}
