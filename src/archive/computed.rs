//! Ratings that the run computes itself.

use super::progress::Silent;
use super::reading::Reading;
use super::settings::{Input, Settings};
use crate::ratings::RatingList;
use crate::source::Diagnostic;
use crate::systems::comparison::{Comparison, compute_all};
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
            lists: systems().map(|(system, lists)| named(system, lists)).collect(),
            by_year: systems().map(|(system, lists)| named(system, &yearly(lists))).collect(),
            players: results.players.len(),
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
