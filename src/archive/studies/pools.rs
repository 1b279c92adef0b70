//! The pools of rated players over the years, our own systems' and published, and what points of one are worth in another.

use std::collections::BTreeMap;

use crate::archive::settings::system_settings::SystemSettings;
use crate::evaluation::comparison::Computed;
use crate::population::ages::{
    AgeCurve, AgesOf, LEVELS, age_curves, first_at_levels, peaks_beside_others, peaks_of_periods,
};
use crate::population::balance::{Balance, Takers, balances, takers};
use crate::population::pool::{
    ESTABLISHED_GAMES, Exchange, Member, PoolYear, age_in, exchange, pool_years,
};
use crate::systems::elo::EloHistorical;
use crate::systems::{ComputedList, ListedRating, RatingSystem, Results, Role};

/// Whose pool it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoolKind {
    /// A system's that we compute.
    #[default]
    Computed,
    /// One's of the past, which we compute too, told in Elo's points where there is a usual way.
    Past,
    /// Somebody else's lists.
    Published,
}

/// A pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatingPool {
    /// The system, as tables name it; no two pools have the same.
    pub system: &'static str,
    /// Whose it is.
    pub kind: PoolKind,
    /// Its years, each by the list of its first day.
    pub years: Vec<PoolYear>,
    /// Where its points came from and went to, year by year, of systems that rate event by event.
    pub balances: Vec<Balance>,
    /// Who takes points from whom there.
    pub takers: Takers,
}

/// What the level of a period of historical Elo hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelSensitivity {
    /// Its first year.
    pub from: i16,
    /// Its last.
    pub to: i16,
    /// By how much (points) it would lie higher if the curve of ages rose by 20 points more.
    pub by_curve: f64,
    /// By how much (points) all periods would lie higher if this one were the anchored one.
    pub by_anchor: Option<f64>,
}

/// What the ratings of one system were in those of another, in a half decade.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeRow {
    /// The first year of the half decade.
    pub half_decade: i16,
    /// The one system, as tables name it.
    pub first: &'static str,
    /// The other.
    pub second: &'static str,
    /// The rate.
    pub rate: Exchange,
}

/// Years of a half decade.
const HALF_DECADE: i16 = 5;

/// How players change with age, by one system's lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ages {
    /// The system, as tables name it; empty where there is none.
    pub system: &'static str,
    /// Curves of all and of each generation.
    pub curves: Vec<AgeCurve>,
    /// Ages at the first established rating from a level on.
    pub first_at: Vec<FirstAt>,
    /// The same on FIDE's lists, without levels above which somebody stood from the first, unless he was young then.
    pub first_at_fide: Vec<FirstAt>,
    /// Ages at the best half decade.
    pub peaks: Vec<Peaks>,
    /// Ages in the best three years beside contemporaries.
    pub peaks_beside_others: Vec<Peaks>,
}

impl Ages {
    /// What the lists of several systems tell, each of another thing.
    pub(crate) fn with(self, other: Ages) -> Ages {
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

/// When players of a generation first had a rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstAt {
    /// First year of birth; `None` of all.
    pub generation: Option<i16>,
    /// The rating (points).
    pub level: f64,
    /// Their ages.
    pub ages: AgesOf,
}

/// When players of a generation were at their best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peaks {
    /// First year of birth; `None` of all.
    pub generation: Option<i16>,
    /// Their ages.
    pub ages: AgesOf,
}

/// The pool of a system, if it has lists of everybody, and what its lists tell of how players change with age.
pub(crate) fn pool(
    results: &Results,
    of: &Computed,
    settings: &SystemSettings,
) -> (Option<RatingPool>, Ages) {
    let system = settings.system(of.system);
    let mut ages = Ages::default();
    if of.system.about.rates_periods {
        let last_year = |first| system.last_year(first).unwrap_or(first);
        let found = peaks_of_periods(&of.ratings.lists, &results.players, &last_year);
        ages.peaks = peaks(&found);
    }
    let is_past = of.system.about.role == Role::Past;
    if !is_past && !of.system.about.has_pool {
        return (None, ages);
    }
    let lists: Vec<(i16, Vec<Member>)> = of_january(&of.ratings.lists)
        .map(|list| members(results, of, list, system.as_ref()))
        .collect();
    if of.system.about.tells_ages {
        ages.system = of.system.about.name;
        ages.curves = age_curves(&lists);
        ages.first_at = first_at(&first_at_levels(&lists));
        ages.peaks_beside_others = peaks(&peaks_beside_others(&lists));
    }
    let flows = if is_past { &[][..] } else { &of.ratings.flows };
    let with_flows = || of_january(&of.ratings.lists).filter(|_| !flows.is_empty());
    let pool = RatingPool {
        system: of.system.about.name,
        kind: if is_past { PoolKind::Past } else { PoolKind::Computed },
        years: pool_years(&lists),
        balances: balances(with_flows(), flows),
        takers: takers(with_flows(), flows, &results.players),
    };
    (Some(pool), ages)
}

fn peaks(found: &[(i16, f64)]) -> Vec<Peaks> {
    let peaks = by_generation(found).into_iter();
    peaks.map(|(generation, ages)| Peaks { generation, ages }).collect()
}

/// Of all, then by generation.
fn by_generation(ages: &[(i16, f64)]) -> Vec<(Option<i16>, AgesOf)> {
    let mut of: BTreeMap<Option<i16>, Vec<f64>> = BTreeMap::new();
    for (generation, age) in ages {
        of.entry(None).or_default().push(*age);
        of.entry(Some(*generation)).or_default().push(*age);
    }
    of.into_iter().filter_map(|(generation, ages)| Some((generation, AgesOf::of(&ages)?))).collect()
}

/// Ages at levels, from (generation, level, age), of all and by generation.
pub(crate) fn first_at(found: &[(i16, f64, f64)]) -> Vec<FirstAt> {
    let levels = LEVELS.into_iter().flat_map(|level| {
        let of: Vec<(i16, f64)> = found
            .iter()
            .filter(|(_, reached, _)| *reached == level)
            .map(|(generation, _, age)| (*generation, *age))
            .collect();
        by_generation(&of).into_iter().map(move |(generation, ages)| FirstAt {
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

/// Points that the curve of ages is raised by to tell what hangs on it.
const RAISED: f64 = 20.0;

/// What the levels of historical Elo hang on.
pub(crate) fn level_sensitivities(
    results: &Results,
    of: &Computed,
    settings: &SystemSettings,
) -> Vec<LevelSensitivity> {
    let overrides = settings.overrides(of.system);
    let system = EloHistorical::with_overrides(&overrides);
    let raised = EloHistorical { rise: system.rise + RAISED, ..system.clone() }.rate(results);
    let last_year = |first| system.last_year(first).unwrap_or(first);
    sensitivities_of(&of.ratings.lists, &raised.lists, system.anchor, &last_year)
}

/// What levels hang on, from the lists, those of the raised curve, and the mean (points) that the ten best of the anchored period have.
fn sensitivities_of(
    lists: &[ComputedList],
    raised: &[ComputedList],
    anchor: f64,
    last_year: &dyn Fn(i16) -> i16,
) -> Vec<LevelSensitivity> {
    let mean = |lines: &[ListedRating]| {
        lines.iter().map(|line| line.rating).sum::<f64>() / lines.len().max(1) as f64
    };
    let with_curve = raised.iter().zip(lists);
    with_curve
        .map(|(raised, list)| LevelSensitivity {
            from: list.day.year(),
            to: last_year(list.day.year()),
            by_curve: mean(&raised.ratings) - mean(&list.ratings),
            by_anchor: list.ratings.get(..ANCHORED).map(|best| anchor - mean(best)),
        })
        .collect()
}

/// Players whose mean is anchored.
const ANCHORED: usize = 10;

fn members(
    results: &Results,
    of: &Computed,
    list: &ComputedList,
    system: &dyn RatingSystem,
) -> (i16, Vec<Member>) {
    let counts_games = of.system.about.counts_games;
    let year = list.day.year();
    let lines = list.ratings.iter();
    let mut members: Vec<Member> = lines
        .map(|line| Member {
            player: line.player,
            rating: system.in_elo(line.rating).unwrap_or(line.rating),
            played: counts_games.then_some(line.games),
            is_established: !line.is_provisional
                && (!counts_games || line.games >= ESTABLISHED_GAMES),
            age: age_in(year, results.players[line.player as usize].born),
        })
        .collect();
    members.sort_by_key(|member| member.player);
    (year, members)
}

/// Sums of ratings with their number, by half decade and player of the results.
pub(crate) type RatingSums = BTreeMap<i16, BTreeMap<u32, (f64, f64)>>;

/// What players were rated in half decades, for exchange rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HalfDecades {
    /// The system, as tables name it.
    pub system: &'static str,
    /// Whose lists these are.
    pub kind: PoolKind,
    ratings: RatingSums,
}

impl HalfDecades {
    /// Without ratings yet.
    pub fn of(system: &'static str, kind: PoolKind) -> HalfDecades {
        HalfDecades { system, kind, ratings: RatingSums::new() }
    }

    /// Takes in the rating (points) of a player on a list of January.
    pub fn add(&mut self, year: i16, player: u32, rating: f64) {
        let half_decade = self.ratings.entry(year - year.rem_euclid(HALF_DECADE)).or_default();
        let (sum, count) = half_decade.entry(player).or_default();
        (*sum, *count) = (*sum + rating, *count + 1.0);
    }
}

/// The ratings of all systems with lists of their own to look at, and of those of the past that can be told in Elo's points, by half decade.
pub(crate) fn half_decades(of: &Computed, settings: &SystemSettings) -> Option<HalfDecades> {
    let kind = match of.system.about.role {
        Role::Past => PoolKind::Past,
        role if role.has_pages() => PoolKind::Computed,
        _ => return None,
    };
    let mut found = HalfDecades::of(of.system.about.name, kind);
    let system = settings.system(of.system);
    for list in of_january(&of.ratings.lists) {
        let year = list.day.year();
        // A list about more years than a half decade is beside none.
        let end = year - year.rem_euclid(HALF_DECADE) + HALF_DECADE;
        if system.last_year(year).is_some_and(|last| last >= end) {
            continue;
        }
        for line in list.ratings.iter().filter(|line| !line.is_provisional) {
            found.add(year, line.player, system.in_elo(line.rating)?);
        }
    }
    Some(found)
}

/// The exchange rates of all pairs of these, but two of the past.
pub(crate) fn exchanges<'a>(all: impl Iterator<Item = &'a HalfDecades>) -> Vec<ExchangeRow> {
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
        ComputedList::of(date(year, 1, 1), lines.collect())
    }

    #[test]
    fn levels_hang_on_the_curve_by_what_it_lifts_them_and_on_the_anchor_by_what_the_ten_best_lack()
    {
        // Ten best of 2600 and steps of ten down have 2555 in the mean.
        let lists = [list(1900, 2600.0), list(1960, 2650.0)];
        let raised = [list(1900, 2575.0), list(1960, 2650.0)];
        let found = sensitivities_of(&lists, &raised, 2605.0, &|first| first + 4);
        assert_eq!((found[0].from, found[0].to, found[0].by_curve), (1900, 1904, -25.0));
        assert_eq!((found[1].by_curve, found[1].by_anchor), (0.0, Some(0.0)), "the anchored one");
        assert_eq!(found[0].by_anchor, Some(50.0));
    }

    #[test]
    fn rates_are_of_all_pairs_but_two_of_the_past() {
        let of = |system, kind, by: f64| {
            let mut found = HalfDecades::of(system, kind);
            for player in 0..10 {
                let rating = 2400.0 + 10.0 * f64::from(player);
                // Two lists of the half decade; the mean counts.
                found.add(1960, player, rating + by - 5.0);
                found.add(1964, player, rating + by + 5.0);
            }
            found
        };
        let all = [
            of("FIDE", PoolKind::Published, 0.0),
            of("Elo", PoolKind::Computed, 50.0),
            of("Ingo", PoolKind::Past, 20.0),
            of("BCF", PoolKind::Past, 0.0),
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
