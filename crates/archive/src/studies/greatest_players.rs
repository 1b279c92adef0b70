//! Ranks players by all their performances on the Greatness List: the career list.
//!
//! A player has four career figures: the sum over bands, the best performance, the best three years
//! and the number of performances above 200. Each is computed by the G-score and by the G-score
//! weighted with the strength of the field.
//!
//! Standard errors come from the simulations of the events. These share their draws: a player who
//! is rated too high in one draw is rated too high in all events of that year. Each figure is
//! therefore computed once in every draw, and its error is the root mean square deviation from the
//! published figure. (The figures and weights are ours.)

use std::collections::BTreeMap;

use strum::IntoStaticStr;

use crate::lists::rank_ranges::{RankRange, SampledFigure, rank_ranges};
use crate::record::EventRecord;
use crate::record::status::Status;
use chess_history::players::PlayerId;
use rating_systems::evaluation::comparison::ERAS;
use tournament_app::{GreatnessBand, Kind};

/// The weight of a performance of each band in the sum over bands, the lowest band first.
///
/// Each weight is twice that of the band below. In the bundled archive a band has between a half
/// and a quarter of the performances of the band below (1,593, 778, 310, 80, 31, 9, 0), so the
/// weight is a cautious measure of how rare a performance is: a weight in proportion to rarity
/// would nearly triple from band to band. Equal steps (1 to 7) would reward the number of events:
/// seven performances that just make the list would equal one beyond 400.
pub const BAND_WEIGHTS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Weights with equal steps. They show how far the order depends on [`BAND_WEIGHTS`].
const EQUAL_STEPS: [u32; 7] = [1, 2, 3, 4, 5, 6, 7];

/// The number of leaders that are compared for different weights. Judged: one player who
/// leaves ten leaders changes a tenth of them; of five it would be a fifth.
pub const LEADERS: usize = 10;

/// The number of consecutive calendar years of the best period of a career. Judged: one year
/// would only repeat the best performance, and six years would mix a peak with the years around it.
const PERIOD: i16 = 3;

/// The strength at which the field-weighted G-score equals the G-score: all players are as strong
/// as the world number two.
const FULL_STRENGTH: f64 = 100.0;

/// A figure with its standard error, both in the unit of the figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CareerFigure {
    pub value: f64,
    /// Its standard error; `None` without simulations.
    pub error: Option<f64>,
}

/// The career figures of a player by one measure of performances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CareerFigures {
    /// Rank by the sum over bands, from 1. The best performance decides between equal sums.
    pub rank: usize,
    pub range: RankRange,
    /// The sum of [`BAND_WEIGHTS`] over all performances.
    pub band_sum: CareerFigure,
    /// The score of the best performance.
    pub best: CareerFigure,
    /// The best performance: the index of its record, and the player's place in the analysis.
    pub best_performance: (usize, usize),
    /// The mean over the best three consecutive calendar years of each year's best score. A year
    /// without a performance on the Greatness List counts as zero.
    pub three_years: CareerFigure,
    /// The first and last of these years that have a performance; `None` without dates.
    pub period: Option<(i16, i16)>,
    /// The number of performances with a score of 200 or more.
    pub above_200: CareerFigure,
}

/// A player of the career list.
#[derive(Clone, Debug, PartialEq)]
pub struct GreatestPlayer {
    pub player: PlayerId,
    /// The number of performances on the Greatness List.
    pub performances: usize,
    /// The years of the first and the last of them; `None` without dates.
    pub years: Option<(i16, i16)>,
    pub by_g: CareerFigures,
    /// The figures by the G-score times the strength of the field, divided by 100.
    pub by_field: CareerFigures,
}

/// The form of the events that a career list counts.
///
/// Source: Berard quotes Siegbert Tarrasch, who proposed a champion of tournaments besides that of
/// matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum CareerForm {
    Tournaments,
    Matches,
}

impl CareerForm {
    /// The word in exports and addresses.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The players of a period or of a form, ranked by the sum over bands of their G-scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CareerList {
    /// The form of the events; `None` if all count.
    pub form: Option<CareerForm>,
    /// The first year of the period; `None` if it has no beginning.
    pub from: Option<i16>,
    /// The last year of the period; `None` if it has no end.
    pub to: Option<i16>,
    /// The players, best first.
    pub players: Vec<GreatestPlayer>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GreatestPlayers {
    /// The list of whole careers.
    pub careers: CareerList,
    /// The lists of the eras, earliest first. They count only the performances of their years. Eras
    /// without performances have none.
    pub eras: Vec<CareerList>,
    /// The lists of tournaments and of matches.
    pub forms: Vec<CareerList>,
    /// The first players ([`LEADERS`] or fewer) if the weights of the bands had equal steps (1 to
    /// 7), best first.
    pub with_equal_steps: Vec<PlayerId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    GScore,
    FieldWeighted,
}

/// A performance of the Greatness List, or one that enters it only in some draws.
#[derive(Clone, Copy, Debug)]
struct CareerPerformance<'a> {
    player: PlayerId,
    /// The index of the record, and the place in the analysis.
    at: (usize, usize),
    year: Option<i16>,
    is_match: bool,
    is_listed: bool,
    g_score: f64,
    g_draws: &'a [f32],
    /// The strength of the field.
    strength: f64,
    strength_draws: &'a [f32],
}

impl CareerPerformance<'_> {
    fn score(&self, measure: Measure) -> f64 {
        match measure {
            Measure::GScore => self.g_score,
            Measure::FieldWeighted => self.g_score * self.strength / FULL_STRENGTH,
        }
    }

    fn drawn_g(&self, draw: usize) -> f64 {
        self.g_draws.get(draw).map_or(self.g_score, |drawn| f64::from(*drawn))
    }

    fn drawn(&self, measure: Measure, draw: usize) -> f64 {
        match measure {
            Measure::GScore => self.drawn_g(draw),
            Measure::FieldWeighted => {
                let drawn = self.strength_draws.get(draw);
                let strength = drawn.map_or(self.strength, |drawn| f64::from(*drawn));
                self.drawn_g(draw) * strength / FULL_STRENGTH
            }
        }
    }
}

impl GreatestPlayers {
    /// The career lists of these records. `least` is the lowest G-score of the Greatness List.
    pub fn new(records: &[EventRecord], least: f64) -> GreatestPlayers {
        GreatestPlayers::of_performances(&performances(records), least)
    }

    fn of_performances(all: &[CareerPerformance], least: f64) -> GreatestPlayers {
        let mut eras = Vec::new();
        for (era, first) in ERAS.iter().enumerate() {
            let to = ERAS.get(era + 1).map(|next| next - 1);
            let of_era: Vec<CareerPerformance> = all
                .iter()
                .filter(|one| {
                    one.year
                        .is_some_and(|year| year >= *first && to.is_none_or(|last| year <= last))
                })
                .copied()
                .collect();
            let players = career_list(&of_era, least);
            if !players.is_empty() {
                let from = (*first > i16::MIN).then_some(*first);
                eras.push(CareerList { form: None, from, to, players });
            }
        }
        let mut forms = Vec::new();
        for form in [CareerForm::Tournaments, CareerForm::Matches] {
            let is_match = form == CareerForm::Matches;
            let of_form: Vec<CareerPerformance> =
                all.iter().filter(|one| one.is_match == is_match).copied().collect();
            let players = career_list(&of_form, least);
            if !players.is_empty() {
                forms.push(CareerList { form: Some(form), players, ..CareerList::default() });
            }
        }
        GreatestPlayers {
            careers: CareerList { players: career_list(all, least), ..CareerList::default() },
            eras,
            forms,
            with_equal_steps: leaders(all, &EQUAL_STEPS),
        }
    }

    /// How many of the first players would also be among as many first ones with equal steps.
    pub fn kept_with_equal_steps(&self) -> usize {
        let first = self.careers.players.iter().take(LEADERS);
        first.filter(|row| self.with_equal_steps.contains(&row.player)).count()
    }
}

/// The performances of events that are ranked, each once. Those of a match that is ranked with its
/// cycle count only there.
fn performances(records: &[EventRecord]) -> Vec<CareerPerformance<'_>> {
    let mut found = Vec::new();
    for (event, record) in records.iter().enumerate() {
        let Some(strength) = record.analysis.strength else { continue };
        if record.performances != Status::Listed || record.event.ranked_elsewhere {
            continue;
        }
        for (standing, player) in record.analysis.players.iter().enumerate() {
            let is_listed = record.great[standing].is_some();
            let (known, expected) = record.games_of(standing);
            // Only performances near the limit of the list have draws.
            let may_enter = !player.simulated.g_draws.is_empty() && known == expected;
            let Some(g_score) = player.g_score.filter(|_| is_listed || may_enter) else { continue };
            found.push(CareerPerformance {
                player: record.event.players[player.index],
                at: (event, standing),
                year: record.event.start.year(),
                is_match: record.event.kind == Kind::Match,
                is_listed,
                g_score,
                g_draws: &player.simulated.g_draws,
                strength,
                strength_draws: &record.analysis.strength_draws,
            });
        }
    }
    found
}

/// The performances of the players of the Greatness List, by player.
fn by_player<'a, 'd>(
    all: &'a [CareerPerformance<'d>],
) -> BTreeMap<PlayerId, Vec<&'a CareerPerformance<'d>>> {
    let mut of_players: BTreeMap<PlayerId, Vec<&CareerPerformance>> = BTreeMap::new();
    for one in all {
        of_players.entry(one.player).or_default().push(one);
    }
    of_players.retain(|_, of_player| of_player.iter().any(|one| one.is_listed));
    of_players
}

/// The sum of the weights of the scores' bands.
fn band_sum(scores: &[f64], weights: &[u32; 7]) -> f64 {
    scores
        .iter()
        .map(|score| {
            GreatnessBand::from_g_score(*score)
                .map_or(0.0, |band| f64::from(weights[band as usize]))
        })
        .sum()
}

/// The number of scores of 200 or more.
fn count_above_200(scores: &[f64]) -> f64 {
    let least = GreatnessBand::Dominating.from();
    scores.iter().map(|score| f64::from(u8::from(*score >= least))).sum()
}

/// A player of the list, with the sums over bands in each draw: by G-score, and field-weighted.
struct DrawnCareer {
    row: GreatestPlayer,
    sums: [Vec<f32>; 2],
}

/// The ranked list of the players of these performances.
fn career_list(all: &[CareerPerformance], least: f64) -> Vec<GreatestPlayer> {
    let of_players = by_player(all);
    let mut careers: Vec<DrawnCareer> = of_players
        .into_iter()
        .filter_map(|(player, of_player)| drawn_career(player, &of_player, least))
        .collect();
    rank(&mut careers, 0, |row| &mut row.by_g);
    rank(&mut careers, 1, |row| &mut row.by_field);
    careers.sort_by_key(|career| career.row.by_g.rank);
    careers.into_iter().map(|career| career.row).collect()
}

fn drawn_career(
    player: PlayerId,
    of_player: &[&CareerPerformance],
    least: f64,
) -> Option<DrawnCareer> {
    let listed: Vec<&CareerPerformance> =
        of_player.iter().copied().filter(|one| one.is_listed).collect();
    let years: Vec<i16> = listed.iter().filter_map(|one| one.year).collect();
    let (by_g, sums_by_g) = figures(of_player, &listed, Measure::GScore, least)?;
    let (by_field, sums_by_field) = figures(of_player, &listed, Measure::FieldWeighted, least)?;
    let row = GreatestPlayer {
        player,
        performances: listed.len(),
        years: years.iter().copied().min().zip(years.iter().copied().max()),
        by_g,
        by_field,
    };
    Some(DrawnCareer { row, sums: [sums_by_g, sums_by_field] })
}

/// The figures of a player, not yet ranked, and the sum over bands in each draw. `listed` are those
/// of the performances that are on the list; `None` without any.
///
/// The best performance and the best years are not chosen again in each draw: the highest of many
/// uncertain scores is too high on average.
fn figures(
    all: &[&CareerPerformance],
    listed: &[&CareerPerformance],
    measure: Measure,
    least: f64,
) -> Option<(CareerFigures, Vec<f32>)> {
    let draws = all.iter().map(|one| one.g_draws.len()).max().unwrap_or(0);
    let best = *listed
        .iter()
        .max_by(|a, b| a.score(measure).total_cmp(&b.score(measure)).then(b.at.cmp(&a.at)))?;
    let years = best_years(listed, measure);
    let scores: Vec<f64> = listed.iter().map(|one| one.score(measure)).collect();
    let mut sums: Vec<f64> = Vec::with_capacity(draws);
    let mut counts: Vec<f64> = Vec::with_capacity(draws);
    for draw in 0..draws {
        // In a draw only performances that reach the list count.
        let reaching: Vec<f64> = all
            .iter()
            .filter(|one| one.drawn_g(draw) >= least)
            .map(|one| one.drawn(measure, draw))
            .collect();
        sums.push(band_sum(&reaching, &BAND_WEIGHTS));
        counts.push(count_above_200(&reaching));
    }
    let figures = CareerFigures {
        rank: 0,
        range: RankRange::default(),
        band_sum: CareerFigure::from_draws(band_sum(&scores, &BAND_WEIGHTS), &sums),
        best: CareerFigure::from_draws(
            best.score(measure),
            &drawn_means(&[best], 1.0, measure, draws),
        ),
        best_performance: best.at,
        three_years: CareerFigure::from_draws(
            years.iter().map(|one| one.score(measure)).sum::<f64>() / f64::from(PERIOD),
            &drawn_means(&years, f64::from(PERIOD), measure, draws),
        ),
        period: years.first().and_then(|one| one.year).zip(years.last().and_then(|one| one.year)),
        above_200: CareerFigure::from_draws(count_above_200(&scores), &counts),
    };
    Some((figures, sums.into_iter().map(|sum| sum as f32).collect()))
}

impl CareerFigure {
    /// A figure with the root mean square deviation of its draws.
    fn from_draws(value: f64, draws: &[f64]) -> CareerFigure {
        let squares: f64 = draws.iter().map(|drawn| (drawn - value).powi(2)).sum();
        let error = (!draws.is_empty()).then(|| (squares / draws.len() as f64).sqrt());
        CareerFigure { value, error }
    }
}

/// The sum of the scores in each draw, divided by a number of years.
fn drawn_means(
    performances: &[&CareerPerformance],
    divisor: f64,
    measure: Measure,
    draws: usize,
) -> Vec<f64> {
    (0..draws)
        .map(|draw| {
            let sum: f64 = performances.iter().map(|one| one.drawn(measure, draw)).sum();
            sum / divisor
        })
        .collect()
}

/// The best performance of each of the best three consecutive years that has one, earliest first.
/// The earlier of equal periods counts.
fn best_years<'a, 'd>(
    listed: &[&'a CareerPerformance<'d>],
    measure: Measure,
) -> Vec<&'a CareerPerformance<'d>> {
    let mut by_year: BTreeMap<i16, &CareerPerformance> = BTreeMap::new();
    for one in listed {
        let Some(year) = one.year else { continue };
        let best = by_year.entry(year).or_insert(one);
        if one.score(measure) > best.score(measure) {
            *best = one;
        }
    }
    let mut best_sum = f64::NEG_INFINITY;
    let mut best = Vec::new();
    for first in by_year.keys() {
        let period: Vec<&CareerPerformance> =
            by_year.range(*first..*first + PERIOD).map(|(_, one)| *one).collect();
        let sum: f64 = period.iter().map(|one| one.score(measure)).sum();
        if sum > best_sum {
            (best_sum, best) = (sum, period);
        }
    }
    best
}

/// Ranks the careers by one of their sums over bands.
fn rank(
    careers: &mut [DrawnCareer],
    number: usize,
    figures: fn(&mut GreatestPlayer) -> &mut CareerFigures,
) {
    let own: Vec<CareerFigures> = careers.iter_mut().map(|one| *figures(&mut one.row)).collect();
    let mut order: Vec<usize> = (0..careers.len()).collect();
    order.sort_by(|&a, &b| {
        let sums = own[b].band_sum.value.total_cmp(&own[a].band_sum.value);
        sums.then(own[b].best.value.total_cmp(&own[a].best.value)).then(a.cmp(&b))
    });
    let sampled: Vec<SampledFigure> = order
        .iter()
        .map(|&place| (own[place].band_sum.value, careers[place].sums[number].as_slice()))
        .collect();
    let ranges = rank_ranges(&sampled, &[]);
    for ((rank, place), range) in (1..).zip(order).zip(ranges) {
        let figures = figures(&mut careers[place].row);
        (figures.rank, figures.range) = (rank, range);
    }
}

/// The first players by the sum of these weights over the bands of their G-scores.
fn leaders(all: &[CareerPerformance], weights: &[u32; 7]) -> Vec<PlayerId> {
    let of_players = by_player(all).into_iter();
    let mut sums: Vec<(f64, f64, PlayerId)> = of_players
        .map(|(player, of_player)| {
            let listed = of_player.iter().filter(|one| one.is_listed);
            let scores: Vec<f64> = listed.map(|one| one.g_score).collect();
            (band_sum(&scores, weights), scores.iter().copied().fold(0.0, f64::max), player)
        })
        .collect();
    sums.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    sums.into_iter().take(LEADERS).map(|(.., player)| player).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(number: u32) -> PlayerId {
        PlayerId::of_index(number)
    }

    /// A performance of a player in a year, in a field as strong as the world number two.
    fn performance(number: u32, year: i16, g_score: f64) -> CareerPerformance<'static> {
        CareerPerformance {
            player: player(number),
            at: (year as usize, g_score as usize),
            year: Some(year),
            is_match: false,
            is_listed: g_score >= 100.0,
            g_score,
            g_draws: &[],
            strength: 100.0,
            strength_draws: &[],
        }
    }

    fn list(all: &[CareerPerformance]) -> Vec<GreatestPlayer> {
        GreatestPlayers::of_performances(all, 100.0).careers.players
    }

    #[test]
    fn a_band_weighs_twice_the_band_below() {
        for pair in BAND_WEIGHTS.windows(2) {
            assert_eq!(pair[1], 2 * pair[0]);
        }
        let scores = [100.0, 199.0, 240.0, 251.0, 349.0, 399.0, 412.0];
        let all: Vec<CareerPerformance> =
            (1900..).zip(scores).map(|(y, g)| performance(0, y, g)).collect();
        assert_eq!(list(&all)[0].by_g.band_sum.value, 127.0);
    }

    #[test]
    fn one_rare_performance_outranks_several_common_ones() {
        let mut all: Vec<CareerPerformance> =
            (0..7).map(|year| performance(0, 1950 + year, 120.0)).collect();
        all.push(performance(1, 1950, 260.0));
        let ranked = list(&all);
        let found: Vec<_> =
            ranked.iter().map(|row| (row.player, row.by_g.rank, row.by_g.band_sum.value)).collect();
        assert_eq!(found, [(player(1), 1, 8.0), (player(0), 2, 7.0)]);
        let lists = GreatestPlayers::of_performances(&all, 100.0);
        assert_eq!(lists.with_equal_steps, [player(0), player(1)]);
        assert_eq!(lists.kept_with_equal_steps(), 2);
    }

    #[test]
    fn tournaments_and_matches_have_lists_of_their_own() {
        let of_match = CareerPerformance { is_match: true, ..performance(1, 1950, 150.0) };
        let lists =
            GreatestPlayers::of_performances(&[performance(0, 1950, 120.0), of_match], 100.0);
        let [tournaments, matches] = &lists.forms[..] else { panic!("{:?}", lists.forms) };
        assert_eq!(tournaments.form, Some(CareerForm::Tournaments));
        assert_eq!(tournaments.players[0].player, player(0));
        assert_eq!((matches.players.len(), matches.players[0].player), (1, player(1)));
    }

    #[test]
    fn the_best_three_years_are_consecutive_and_count_the_best_of_each() {
        let all = [
            performance(0, 1920, 300.0),
            performance(0, 1922, 150.0),
            performance(0, 1922, 120.0),
            performance(0, 1923, 180.0),
            performance(0, 1924, 150.0),
        ];
        let figures = list(&all)[0].by_g;
        assert_eq!((figures.three_years.value, figures.period), (160.0, Some((1922, 1924))));
        let once = list(&[performance(0, 1873, 330.0)])[0].by_g;
        assert_eq!((once.three_years.value, once.period), (110.0, Some((1873, 1873))));
    }

    #[test]
    fn a_weak_field_lowers_the_field_weighted_figures_only() {
        let weak = CareerPerformance { strength: 60.0, ..performance(0, 1930, 240.0) };
        let ranked = list(&[weak, performance(1, 1930, 205.0)]);
        let row = |number: u32| ranked.iter().find(|row| row.player == player(number)).unwrap();
        assert_eq!((row(0).by_g.rank, row(0).by_field.rank), (1, 2));
        assert_eq!((row(0).by_g.above_200.value, row(0).by_field.above_200.value), (1.0, 0.0));
        assert_eq!((row(0).by_field.best.value, row(0).by_field.band_sum.value), (144.0, 1.0));
        assert_eq!(row(1).by_field.best.value, 205.0);
    }

    #[test]
    fn errors_are_root_mean_square_deviations_of_the_draws() {
        let (low, high) = ([190.0f32, 210.0], [215.0f32, 195.0]);
        let all = [
            CareerPerformance { g_draws: &low, ..performance(0, 1950, 200.0) },
            CareerPerformance { g_draws: &high, ..performance(0, 1951, 205.0) },
        ];
        let figures = list(&all)[0].by_g;
        assert_eq!((figures.best.value, figures.best.error), (205.0, Some(10.0)));
        // The two errors cancel in the mean of both years.
        assert_eq!(figures.three_years.error, Some(0.0));
        // In each draw one performance is in band II and the other in band III.
        assert_eq!((figures.band_sum.value, figures.band_sum.error), (8.0, Some(2.0)));
        assert_eq!((figures.above_200.value, figures.above_200.error), (2.0, Some(1.0)));
    }

    #[test]
    fn a_performance_below_the_list_counts_only_in_draws_that_reach_it() {
        let draws = [96.0f32, 104.0];
        let below = CareerPerformance { g_draws: &draws, ..performance(0, 1950, 98.0) };
        assert!(list(&[below]).is_empty(), "no performance on the list");
        let row = list(&[below, performance(0, 1951, 120.0)])[0].clone();
        assert_eq!((row.performances, row.years), (1, Some((1951, 1951))));
        assert_eq!(row.by_g.band_sum, CareerFigure { value: 1.0, error: Some(0.5f64.sqrt()) });
    }

    #[test]
    fn an_era_counts_its_own_years_only() {
        let all =
            [performance(0, 1899, 210.0), performance(0, 1900, 150.0), performance(1, 2014, 300.0)];
        let lists = GreatestPlayers::of_performances(&all, 100.0);
        let eras: Vec<_> = lists
            .eras
            .iter()
            .map(|era| (era.from, era.to, era.players[0].by_g.band_sum.value))
            .collect();
        assert_eq!(
            eras,
            [(None, Some(1899), 4.0), (Some(1900), Some(1924), 2.0), (Some(2010), None, 16.0)]
        );
        assert_eq!(lists.careers.players[1].by_g.band_sum.value, 6.0);
    }

    #[test]
    fn without_draws_there_are_no_errors() {
        let figures = list(&[performance(0, 1950, 200.0)])[0].by_g;
        assert_eq!(figures.best.error, None);
        assert_eq!((figures.range.best, figures.range.worst), (1, 1));
    }
}
