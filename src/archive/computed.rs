//! Ratings that the run computes itself.

use super::progress::Silent;
use super::reading::Reading;
use super::settings::{Input, Settings};
use crate::ratings::RatingList;
use crate::source::Diagnostic;
use crate::systems::comparison::{Comparison, compute_all};
use crate::systems::elo_historical::PERIOD;
use crate::systems::{ComputedList, Results, System, rating_list};

/// What was computed: the lists of each system, and how they compare.
#[derive(Clone, Debug)]
pub struct ComputedRatings {
    /// Whole lists, to look ratings up, in the order of [`System::ALL`].
    lists: Vec<RatingList>,
    /// The same with one edition a year, for pages.
    pub by_year: Vec<RatingList>,
    /// How the systems compare.
    pub comparison: Comparison,
    /// How many players there are.
    pub players: usize,
    /// The highest five-year averages of Elo's historical ratings, the best first.
    pub best_averages: Vec<BestAverage>,
}

/// Somebody's best five-year average.
#[derive(Clone, Debug, PartialEq)]
pub struct BestAverage {
    /// The name.
    pub name: String,
    /// Rating (points).
    pub rating: f64,
    /// First year of the half decade.
    pub from: i16,
}

/// How many best averages are kept.
const BEST: usize = 40;

fn best_averages(results: &Results, best: &[Option<(f64, i16)>]) -> Vec<BestAverage> {
    let mut averages: Vec<BestAverage> = results
        .players
        .iter()
        .zip(best)
        .filter_map(|(player, best)| {
            let (rating, from) = (*best)?;
            Some(BestAverage { name: player.name.clone(), rating, from })
        })
        .collect();
    averages.sort_by(|a, b| b.rating.total_cmp(&a.rating).then_with(|| a.name.cmp(&b.name)));
    averages.truncate(BEST);
    averages
}

/// Lists of half decades once for each year of the next: they know all games of their own, and a list is not
/// asked beyond two years of its day.
fn each_year(lists: &[ComputedList]) -> Vec<ComputedList> {
    let years = lists.iter().flat_map(|list| {
        (0..PERIOD).filter_map(|year| {
            let day = jiff::civil::Date::new(list.day.year() + PERIOD + year, 1, 1).ok()?;
            Some(ComputedList { day, ..list.clone() })
        })
    });
    years.collect()
}

/// What comes before a system's word in the order of sources.
const PREFIX: &str = "computed:";

impl ComputedRatings {
    /// Computes all systems where the settings ask for any: from the results that they name, or else from the
    /// games that count.
    pub fn of(
        settings: &Settings,
        reading: &Reading,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ComputedRatings> {
        let is_asked = settings.ratings.order.iter().any(|name| name.starts_with(PREFIX));
        if !is_asked && !settings.ratings.compute {
            return None;
        }
        let results = if settings.input.results.is_empty() {
            Results::of(&reading.table, &reading.rows, &reading.players)
        } else {
            let input = Input {
                pgn: settings.input.results.clone(),
                aliases: settings.input.aliases.clone(),
                ..Input::default()
            };
            let own = Settings { input, ..Settings::default() };
            // A table without games is as good as none.
            let read = Reading::read(&own, &Silent, diagnostics).ok()?;
            Results::of(&read.table, &read.rows, &read.players)
        };
        let computed = compute_all(&results);
        let all = [
            &computed.chessmetrics,
            &computed.elo.lists,
            &computed.historical.lists,
            &computed.pra,
        ];
        let named = |system: System, lists: &[ComputedList]| {
            let mut list = rating_list(system.list_name(), &results, lists);
            // Who has not played for long is on none of them.
            list.active_only = true;
            list
        };
        let yearly = |lists: &[ComputedList]| -> Vec<ComputedList> {
            lists.iter().filter(|list| list.day.month() == 1).cloned().collect()
        };
        let systems = || System::ALL.into_iter().zip(all);
        Some(ComputedRatings {
            lists: systems()
                .map(|(system, lists)| match system {
                    System::EloHistorical => named(system, &each_year(lists)),
                    _ => named(system, lists),
                })
                .collect(),
            by_year: systems().map(|(system, lists)| named(system, &yearly(lists))).collect(),
            players: results.players.len(),
            best_averages: best_averages(&results, &computed.historical.best),
            comparison: computed.comparison,
        })
    }

    /// The list that an order of sources calls by this name: `computed:chessmetrics`.
    pub fn named(&self, name: &str) -> Option<&RatingList> {
        let system: System = name.strip_prefix(PREFIX)?.parse().ok()?;
        self.lists.iter().find(|list| list.system == system.list_name())
    }

    /// All names by which an order may call for computed lists.
    pub fn words() -> Vec<String> {
        System::ALL.map(|system| format!("{PREFIX}{system}")).into()
    }

    /// Whether a list of this name is one of ours.
    pub fn is_name(name: &str) -> bool {
        System::ALL.into_iter().any(|system| system.list_name() == name)
    }
}
