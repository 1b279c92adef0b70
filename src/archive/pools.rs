//! The pools of our own systems over the years, and what points of one are worth in another.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::system_settings::SystemSettings;
use crate::players::Players;
use crate::ratings::RatingList;
use crate::systems::ages::{
    AgeCurve, AgesOf, LEVELS, age_curves, first_at_levels, generation, peaks_beside_others,
};
use crate::systems::balance::{Balance, Takers, balances, takers};
use crate::systems::comparison::Computed;
use crate::systems::elo::EloHistorical;
use crate::systems::elo::ageing::AGES;
use crate::systems::pool::{
    ESTABLISHED_GAMES, Exchange, Member, PoolYear, age_in, exchange, pool_years,
};
use crate::systems::{ComputedList, RatingSystem, Results, Role};

/// A system's pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pool {
    /// The system, as tables name it.
    pub system: String,
    /// Whether it is one of the past, whose ratings are told in Elo's points.
    pub is_past: bool,
    /// Its years, each by the list of its first day.
    pub years: Vec<PoolYear>,
    /// Where its points came from and went to, year by year, of systems that rate event by event.
    pub balances: Vec<Balance>,
    /// Who takes points from whom there.
    pub takers: Takers,
}

/// What the level of a period of historical Elo hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hangs {
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

/// Systems whose pools are watched: those with lists of everybody who plays, year by year.
const WATCHED: [&str; 2] = ["elo", "chessmetrics"];

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
    /// The same on FIDE's lists, without those of whom it is not known because they stood on the first.
    pub first_at_fide: Vec<FirstAt>,
    /// Ages at the best half decade.
    pub peaks: Vec<Peaks>,
    /// Ages in the best three years beside contemporaries.
    pub peaks_beside_others: Vec<Peaks>,
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

/// The system by whose lists ages are asked.
const AGES_BY: &str = "elo";

/// The pools of the systems that have lists of everybody, and how players change with age.
pub(super) fn pools(
    results: &Results,
    computed: &[Computed],
    settings: &SystemSettings,
) -> (Vec<Pool>, Ages) {
    let is_past = |of: &Computed| of.system.about.role == Role::Past;
    let watched =
        computed.iter().filter(|of| WATCHED.contains(&of.system.about.word) || is_past(of));
    let mut ages = Ages::default();
    let pools = watched
        .map(|of| {
            let system = settings.system(of.system);
            let lists: Vec<(i16, Vec<Member>)> = of_january(&of.ratings.lists)
                .map(|list| members(results, of, list, system.as_ref()))
                .collect();
            if of.system.about.word == AGES_BY {
                ages.system = of.system.about.name;
                ages.curves = age_curves(&lists);
                ages.first_at = first_at(&lists);
                let beside = by_generation(&peaks_beside_others(&lists)).into_iter();
                ages.peaks_beside_others =
                    beside.map(|(generation, ages)| Peaks { generation, ages }).collect();
            }
            let is_past = is_past(of);
            let flows = if is_past { &[][..] } else { &of.ratings.flows };
            let with_flows = || of_january(&of.ratings.lists).filter(|_| !flows.is_empty());
            Pool {
                system: of.system.about.name.to_owned(),
                is_past,
                years: pool_years(&lists),
                balances: balances(with_flows(), flows),
                takers: takers(with_flows(), flows, &results.players),
            }
        })
        .collect();
    let historical = computed.iter().find(|of| of.system.about.word == EloHistorical::WORD);
    ages.peaks = historical
        .map(|of| {
            let system = settings.system(of.system);
            peaks(results, &of.ratings.lists, &|first| system.last_year(first).unwrap_or(first))
        })
        .unwrap_or_default();
    (pools, ages)
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

fn first_at(lists: &[(i16, Vec<Member>)]) -> Vec<FirstAt> {
    let found = first_at_levels(lists);
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

/// Ages in the middle of the best half decade, of those who have half decades on both sides of it.
fn peaks(results: &Results, lists: &[ComputedList], last_year: &dyn Fn(i16) -> i16) -> Vec<Peaks> {
    let mut of: BTreeMap<u32, Vec<(i16, f64)>> = BTreeMap::new();
    for list in lists {
        for line in list.ratings.iter().filter(|line| !line.is_provisional) {
            of.entry(line.player).or_default().push((list.day.year(), line.rating));
        }
    }
    let ages: Vec<(i16, f64)> = of
        .into_iter()
        .filter_map(|(player, ratings)| {
            let born = results.players[player as usize].born?;
            let (best, (first, _)) =
                ratings.iter().enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
            let has_both_sides = best > 0 && best + 1 < ratings.len();
            let age = f64::from(*first + last_year(*first) + 1) / 2.0 - f64::from(born);
            (has_both_sides && AGES.contains(&age)).then_some((generation(born), age))
        })
        .collect();
    by_generation(&ages).into_iter().map(|(generation, ages)| Peaks { generation, ages }).collect()
}

fn of_january(lists: &[ComputedList]) -> impl Iterator<Item = &ComputedList> {
    lists.iter().filter(|list| list.day.month() == 1 && list.day.day() == 1)
}

/// Players whom an edition of a list has at least to be a pool.
const POOL: usize = 100;

/// The pool of somebody else's list, by its first edition of each January; `None` where it has no two editions of players enough. Ages are
/// those of the players of our games. Also when players first reached levels there.
pub(super) fn pool_of_list(list: &RatingList, players: &Players) -> Option<(Pool, Vec<FirstAt>)> {
    let mut by_id: FxHashMap<u32, i16> = FxHashMap::default();
    let mut by_name: FxHashMap<&str, i16> = FxHashMap::default();
    for (_, player) in players.iter() {
        let Some(born) = player.life.as_ref().and_then(|life| life.born) else { continue };
        by_id.extend(player.fide_ids.iter().map(|id| (*id, born)));
        by_name.extend(player.spellings.iter().map(|spelling| (spelling.as_str(), born)));
        by_name.insert(player.name.as_str(), born);
    }
    let mut of_years: Vec<(Date, Vec<Member>)> = Vec::new();
    for (day, number, rating, _) in list.lines().filter(|(day, ..)| day.month() == 1) {
        if of_years.last().is_none_or(|(last, _)| last.year() < day.year()) {
            of_years.push((day, Vec::new()));
        }
        let Some((_, members)) = of_years.last_mut().filter(|(last, _)| *last == day) else {
            continue;
        };
        let (name, id) = list.name(number);
        let born = id.and_then(|id| by_id.get(&id)).or_else(|| by_name.get(name));
        members.push(Member {
            player: list.bearer(number),
            rating,
            games: None,
            is_established: true,
            age: age_in(day.year(), born.copied()),
        });
    }
    let mut lists: Vec<(i16, Vec<Member>)> =
        of_years.into_iter().map(|(day, members)| (day.year(), members)).collect();
    lists.retain_mut(|(_, members)| {
        members.sort_by_key(|member| member.player);
        members.dedup_by_key(|member| member.player);
        members.len() >= POOL
    });
    if lists.len() < 2 {
        return None;
    }
    let years = pool_years(&lists);
    // Who stood on the first list may have had his rating for long.
    let first: Vec<u32> = lists[0].1.iter().map(|member| member.player).collect();
    for (_, members) in &mut lists {
        members.retain(|member| first.binary_search(&member.player).is_err());
    }
    let pool = Pool { system: list.system.clone(), years, ..Pool::default() };
    Some((pool, first_at(&lists)))
}

/// Points that the curve of ages is raised by to tell what hangs on it.
const RAISED: f64 = 20.0;

/// What the levels of historical Elo hang on.
pub(super) fn hangs(results: &Results, of: &Computed, settings: &SystemSettings) -> Vec<Hangs> {
    let overrides = settings.overrides(of.system);
    let system = EloHistorical::with_overrides(&overrides);
    let raised = EloHistorical { rise: system.rise + RAISED, ..system.clone() }.rate(results);
    let level = |list: &ComputedList| {
        list.ratings.iter().map(|line| line.rating).sum::<f64>() / list.ratings.len().max(1) as f64
    };
    let with_curve = raised.lists.iter().zip(&of.ratings.lists);
    with_curve
        .map(|(raised, list)| {
            let from = list.day.year();
            let best = list
                .ratings
                .get(..ANCHORED)
                .map(|best| best.iter().map(|line| line.rating).sum::<f64>() / best.len() as f64);
            Hangs {
                from,
                to: system.last_year(from).unwrap_or(from),
                by_curve: level(raised) - level(list),
                by_anchor: best.map(|best| system.anchor - best),
            }
        })
        .collect()
}

/// Players whose mean is anchored.
const ANCHORED: usize = 10;

/// The systems whose games are plain numbers; others weigh them, and who is on their lists has played enough.
fn counts_games(of: &Computed) -> bool {
    of.system.about.word == "elo" || of.system.about.role == Role::Past
}

fn members(
    results: &Results,
    of: &Computed,
    list: &ComputedList,
    system: &dyn RatingSystem,
) -> (i16, Vec<Member>) {
    let counts_games = counts_games(of);
    let year = list.day.year();
    let lines = list.ratings.iter().filter(|line| !line.is_provisional);
    let mut members: Vec<Member> = lines
        .map(|line| Member {
            player: line.player,
            rating: system.in_elo(line.rating),
            games: counts_games.then_some(line.games),
            is_established: !counts_games || line.games >= ESTABLISHED_GAMES,
            age: age_in(year, results.players[line.player as usize].born),
        })
        .collect();
    members.sort_by_key(|member| member.player);
    (year, members)
}

/// Sums of ratings with their number, by half decade and player.
type Ratings = BTreeMap<i16, BTreeMap<u32, (f64, f64)>>;

/// The exchange rates of all systems with lists of their own to look at, by half decade.
pub(super) fn exchanges(computed: &[Computed], settings: &SystemSettings) -> Vec<ExchangeRow> {
    let shown: Vec<&Computed> = computed
        .iter()
        .filter(|of| of.system.about.role.has_pages() || of.system.about.role == Role::Past)
        .collect();
    let ratings: Vec<Ratings> = shown
        .par_iter()
        .map(|of| {
            let mut ratings = Ratings::new();
            let system = settings.system(of.system);
            for list in of_january(&of.ratings.lists) {
                let year = list.day.year();
                // A list about more years than a half decade is beside none.
                let end = year - year.rem_euclid(HALF_DECADE) + HALF_DECADE;
                if system.last_year(year).is_some_and(|last| last >= end) {
                    continue;
                }
                let half_decade = ratings.entry(year - year.rem_euclid(HALF_DECADE)).or_default();
                for line in list.ratings.iter().filter(|line| !line.is_provisional) {
                    let sum = half_decade.entry(line.player).or_default();
                    *sum = (sum.0 + system.in_elo(line.rating), sum.1 + 1.0);
                }
            }
            ratings
        })
        .collect();
    let mut rows = Vec::new();
    for (first, of_first) in ratings.iter().enumerate() {
        for (second, of_second) in ratings.iter().enumerate().skip(first + 1) {
            let is_past = |number: usize| shown[number].system.about.role == Role::Past;
            if is_past(first) && is_past(second) {
                continue;
            }
            for (half_decade, firsts) in of_first {
                let Some(seconds) = of_second.get(half_decade) else { continue };
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
                    first: shown[first].system.about.name,
                    second: shown[second].system.about.name,
                    rate,
                });
            }
        }
    }
    rows
}
