//! Studies pools of rated players over the years, of our own and of published systems, and exchange
//! rates between their points.

use std::collections::BTreeMap;

use crate::settings::system_settings::SystemSettings;
use rating_systems::evaluation::comparison::Computed;
use rating_systems::population::ages::{
    AgeCurve, AgeQuartiles, LEVELS, age_curves, first_at_levels, peaks_against_contemporaries,
    peaks_of_periods,
};
use rating_systems::population::balance::{Balance, Takers, balances, takers};
use rating_systems::population::pool::{
    ESTABLISHED_GAMES, Exchange, PoolMember, PoolYear, age_in, exchange, pool_years,
};
use rating_systems::systems::elo::EloHistorical;
use rating_systems::systems::{ComputedList, ListedRating, RatingSystem, Results, Role};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoolKind {
    #[default]
    Computed,
    /// A system of the past, which we compute too, in Elo points if there is a usual conversion.
    Past,
    Published,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatingPool {
    /// The system, as tables name it; unique among the pools.
    pub system: &'static str,
    pub kind: PoolKind,
    /// Its years, each from the list of its first day.
    pub years: Vec<PoolYear>,
    /// The balance of points by year, for systems that rate event by event.
    pub balances: Vec<Balance>,
    /// The flow of points between groups of players.
    pub takers: Takers,
}

/// The sensitivity of the level of a period of historical Elo to its assumptions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelSensitivity {
    /// The first year of the period.
    pub from: i16,
    /// The last year of the period.
    pub to: i16,
    /// The change of the level (points) if the curve of ages rose by 20 points more.
    pub by_curve: f64,
    /// The change of all levels (points) if this period were the anchored one.
    pub by_anchor: Option<f64>,
}

/// The exchange rate between the points of two systems in a half decade.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeRow {
    /// The first year of the half decade.
    pub half_decade: i16,
    /// The first system, as tables name it.
    pub first: &'static str,
    pub second: &'static str,
    pub rate: Exchange,
}

/// The number of years in a half decade.
const HALF_DECADE: i16 = 5;

/// How players' ratings change with age, from the lists of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ages {
    /// The system, as tables name it; empty if there is none.
    pub system: &'static str,
    /// Curves of all players and of each generation.
    pub curves: Vec<AgeCurve>,
    /// Ages at which players first had an established rating at or above a level.
    pub first_at: Vec<FirstAt>,
    /// The same on FIDE's lists. Levels that a player already exceeded on entering the list are
    /// left out, unless the player was young then.
    pub first_at_fide: Vec<FirstAt>,
    pub peaks: Vec<Peaks>,
    /// Ages in the best three years relative to contemporaries.
    pub peaks_beside_others: Vec<Peaks>,
}

impl Ages {
    /// Combines the studies of several systems, each of a different aspect.
    pub fn with(self, other: Ages) -> Ages {
        fn either<T>(one: Vec<T>, other: Vec<T>) -> Vec<T> {
            if one.is_empty() { other } else { one }
        }
        Ages {
            system: if self.system.is_empty() { other.system } else { self.system },
            curves: either(self.curves, other.curves),
            first_at: either(self.first_at, other.first_at),
            first_at_fide: either(self.first_at_fide, other.first_at_fide),
            peaks: either(self.peaks, other.peaks),
            peaks_beside_others: either(self.peaks_beside_others, other.peaks_beside_others),
        }
    }
}

/// The ages at which players of a generation first reached a rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstAt {
    /// First year of birth of the generation; `None` for all players.
    pub generation: Option<i16>,
    /// The rating (points).
    pub level: f64,
    pub ages: AgeQuartiles,
}

/// The ages at which players of a generation were at their best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peaks {
    /// First year of birth of the generation; `None` for all players.
    pub generation: Option<i16>,
    pub ages: AgeQuartiles,
}

/// The pool of a system, if its lists contain all players, and what its lists show about ages.
pub fn pool(
    results: &Results,
    computed: &Computed,
    settings: &SystemSettings,
) -> (Option<RatingPool>, Ages) {
    let system = settings.system(computed.system);
    let mut ages = Ages::default();
    if computed.system.about.rates_periods {
        let found = peaks_of_periods(&computed.ratings.lists, &results.players, &|first| {
            system.last_year(first).unwrap_or(first)
        });
        ages.peaks = peaks(&found);
    }
    let is_past = computed.system.about.role == Role::Past;
    if !is_past && !computed.system.about.has_pool {
        return (None, ages);
    }
    let lists: Vec<(i16, Vec<PoolMember>)> = of_january(&computed.ratings.lists)
        .map(|list| members(results, computed, list, system.as_ref()))
        .collect();
    if computed.system.about.shows_ageing {
        ages.system = computed.system.about.name;
        ages.curves = age_curves(&lists);
        ages.first_at = first_at(&first_at_levels(&lists));
        ages.peaks_beside_others = peaks(&peaks_against_contemporaries(&lists));
    }
    let flows = if is_past { &[][..] } else { &computed.ratings.flows };
    let lists_with_flows: &[ComputedList] =
        if flows.is_empty() { &[] } else { &computed.ratings.lists };
    let pool = RatingPool {
        system: computed.system.about.name,
        kind: if is_past { PoolKind::Past } else { PoolKind::Computed },
        years: pool_years(&lists),
        balances: balances(of_january(lists_with_flows), flows),
        takers: takers(of_january(lists_with_flows), flows, &results.players),
    };
    (Some(pool), ages)
}

fn peaks(found: &[(i16, f64)]) -> Vec<Peaks> {
    let peaks = by_generation(found).into_iter();
    peaks.map(|(generation, ages)| Peaks { generation, ages }).collect()
}

/// The ages of all players, then by generation.
fn by_generation(ages: &[(i16, f64)]) -> Vec<(Option<i16>, AgeQuartiles)> {
    let mut by_generation: BTreeMap<Option<i16>, Vec<f64>> = BTreeMap::new();
    for (generation, age) in ages {
        by_generation.entry(None).or_default().push(*age);
        by_generation.entry(Some(*generation)).or_default().push(*age);
    }
    by_generation
        .into_iter()
        .filter_map(|(generation, ages)| Some((generation, AgeQuartiles::from_ages(&ages)?)))
        .collect()
}

/// Ages at levels, from triples of generation, level and age, for all players and by generation.
pub fn first_at(found: &[(i16, f64, f64)]) -> Vec<FirstAt> {
    let levels = LEVELS.into_iter().flat_map(|level| {
        let ages: Vec<(i16, f64)> = found
            .iter()
            .filter(|(_, reached, _)| *reached == level)
            .map(|(generation, _, age)| (*generation, *age))
            .collect();
        by_generation(&ages).into_iter().map(move |(generation, ages)| FirstAt {
            generation,
            level,
            ages,
        })
    });
    levels.collect()
}

fn of_january(lists: &[ComputedList]) -> impl Iterator<Item = &ComputedList> {
    lists.iter().filter(|list| list.day.month() == 1 && list.day.day() == 1)
}

/// The points by which the curve of ages is raised to measure the sensitivity. Judged: large
/// enough to see, small enough that the change of the levels is still proportional to it.
const RAISED: f64 = 20.0;

/// The sensitivity of the levels of historical Elo.
pub fn level_sensitivities(
    results: &Results,
    computed: &Computed,
    settings: &SystemSettings,
) -> Vec<LevelSensitivity> {
    let overrides = settings.overrides(computed.system);
    let system = EloHistorical::with_valid_overrides(&overrides);
    let raised = EloHistorical { rise: system.rise + RAISED, ..system.clone() }.rate(results);
    sensitivities_of(&computed.ratings.lists, &raised.lists, system.anchor, &|first| {
        system.last_year(first).unwrap_or(first)
    })
}

/// The sensitivity of levels, from the lists, those with the raised curve, and the anchor: the mean
/// (points) of the ten best of the anchored period.
fn sensitivities_of(
    lists: &[ComputedList],
    raised: &[ComputedList],
    anchor: f64,
    last_year: &dyn Fn(i16) -> i16,
) -> Vec<LevelSensitivity> {
    let with_curve = raised.iter().zip(lists);
    with_curve
        .map(|(raised, list)| LevelSensitivity {
            from: list.day.year(),
            to: last_year(list.day.year()),
            by_curve: mean_rating(&raised.ratings) - mean_rating(&list.ratings),
            by_anchor: list.ratings.get(..ANCHORED).map(|best| anchor - mean_rating(best)),
        })
        .collect()
}

fn mean_rating(lines: &[ListedRating]) -> f64 {
    lines.iter().map(|line| line.rating).sum::<f64>() / lines.len().max(1) as f64
}

/// The number of players whose mean is anchored, as the anchor of historical Elo defines it.
const ANCHORED: usize = 10;

fn members(
    results: &Results,
    computed: &Computed,
    list: &ComputedList,
    system: &dyn RatingSystem,
) -> (i16, Vec<PoolMember>) {
    let counts_games = computed.system.about.counts_games;
    let year = list.day.year();
    let lines = list.ratings.iter();
    let mut members: Vec<PoolMember> = lines
        .map(|line| PoolMember {
            player: line.player,
            rating: system.elo_equivalent(line.rating).unwrap_or(line.rating),
            played: counts_games.then_some(line.games),
            is_established: !line.is_provisional
                && (!counts_games || line.games >= ESTABLISHED_GAMES),
            age: age_in(year, results.players[line.player as usize].born),
        })
        .collect();
    members.sort_by_key(|member| member.player);
    (year, members)
}

/// Sums of ratings and their number, by half decade and player of the results.
pub type RatingSums = BTreeMap<i16, BTreeMap<u32, (f64, f64)>>;

/// The ratings of players by half decade, for exchange rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HalfDecades {
    /// The system, as tables name it.
    pub system: &'static str,
    pub kind: PoolKind,
    ratings: RatingSums,
}

impl HalfDecades {
    pub fn new(system: &'static str, kind: PoolKind) -> HalfDecades {
        HalfDecades { system, kind, ratings: RatingSums::new() }
    }

    /// Adds the rating (points) of a player on a list of January.
    pub fn add(&mut self, year: i16, player: u32, rating: f64) {
        let half_decade = self.ratings.entry(year - year.rem_euclid(HALF_DECADE)).or_default();
        let (sum, count) = half_decade.entry(player).or_default();
        (*sum, *count) = (*sum + rating, *count + 1.0);
    }
}

/// The ratings by half decade of a system with its own pages, or of a system of the past that can
/// be converted to Elo points; `None` for others.
pub fn half_decades(computed: &Computed, settings: &SystemSettings) -> Option<HalfDecades> {
    let kind = match computed.system.about.role {
        Role::Past => PoolKind::Past,
        role if role.has_pages() => PoolKind::Computed,
        _ => return None,
    };
    let mut found = HalfDecades::new(computed.system.about.name, kind);
    let system = settings.system(computed.system);
    for list in of_january(&computed.ratings.lists) {
        let year = list.day.year();
        // A list that covers more than a half decade fits none.
        let end = year - year.rem_euclid(HALF_DECADE) + HALF_DECADE;
        if system.last_year(year).is_some_and(|last| last >= end) {
            continue;
        }
        for line in list.ratings.iter().filter(|line| !line.is_provisional) {
            found.add(year, line.player, system.elo_equivalent(line.rating)?);
        }
    }
    Some(found)
}

/// The exchange rates of all pairs of systems, except of two systems of the past.
pub fn exchanges<'a>(all: impl Iterator<Item = &'a HalfDecades>) -> Vec<ExchangeRow> {
    let all: Vec<&HalfDecades> = all.collect();
    let mut rows = Vec::new();
    for (place, first) in all.iter().enumerate() {
        for second in &all[place + 1..] {
            if first.kind == PoolKind::Past && second.kind == PoolKind::Past {
                continue;
            }
            for (half_decade, firsts) in &first.ratings {
                let Some(seconds) = second.ratings.get(half_decade) else { continue };
                let pairs: Vec<(f64, f64)> = firsts
                    .iter()
                    .filter_map(|(player, (sum, count))| {
                        let (other, others) = seconds.get(player)?;
                        Some((sum / count, other / others))
                    })
                    .collect();
                let Some(rate) = exchange(&pairs) else { continue };
                rows.push(ExchangeRow {
                    half_decade: *half_decade,
                    first: first.system,
                    second: second.system,
                    rate,
                });
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn list(year: i16, best: f64) -> ComputedList {
        let lines = (0..12).map(|player| ListedRating {
            player,
            rating: best - 10.0 * f64::from(player),
            games: 40.0,
            deviation: None,
            is_provisional: false,
        });
        ComputedList::new(date(year, 1, 1), lines.collect())
    }

    #[test]
    fn sensitivities_are_the_shift_of_the_raised_curve_and_the_distance_from_the_anchor() {
        // Ten players from 2600 down in steps of ten have a mean of 2555.
        let lists = [list(1900, 2600.0), list(1960, 2650.0)];
        let raised = [list(1900, 2575.0), list(1960, 2650.0)];
        let found = sensitivities_of(&lists, &raised, 2605.0, &|first| first + 4);
        assert_eq!((found[0].from, found[0].to, found[0].by_curve), (1900, 1904, -25.0));
        assert_eq!((found[1].by_curve, found[1].by_anchor), (0.0, Some(0.0)), "the anchored one");
        assert_eq!(found[0].by_anchor, Some(50.0));
    }

    /// The ratings of ten players on two lists of a half decade, each raised by some points.
    fn system(name: &'static str, kind: PoolKind, raised: f64) -> HalfDecades {
        let mut found = HalfDecades::new(name, kind);
        for player in 0..10 {
            let rating = 2400.0 + 10.0 * f64::from(player) + raised;
            // The mean of both lists counts.
            found.add(1960, player, rating - 5.0);
            found.add(1964, player, rating + 5.0);
        }
        found
    }

    #[test]
    fn exchange_rates_cover_all_pairs_except_two_systems_of_the_past() {
        let all = [
            system("FIDE", PoolKind::Published, 0.0),
            system("Elo", PoolKind::Computed, 50.0),
            system("Ingo", PoolKind::Past, 20.0),
            system("BCF", PoolKind::Past, 0.0),
        ];
        let rows = exchanges(all.iter());
        let pairs: Vec<(&str, &str)> = rows.iter().map(|row| (row.first, row.second)).collect();
        let wanted =
            [("FIDE", "Elo"), ("FIDE", "Ingo"), ("FIDE", "BCF"), ("Elo", "Ingo"), ("Elo", "BCF")];
        assert_eq!(pairs, wanted);
        assert_eq!((rows[0].half_decade, rows[0].rate.players), (1960, 10));
        assert!((rows[0].rate.difference - 50.0).abs() < 1e-9);
    }
}
