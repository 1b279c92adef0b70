//! The players whose games fix the levels of Elo's historical ratings.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.4. The
//! book rates masters with long careers first. How many games make a long career is ours.

use std::collections::BTreeMap;

use strum::IntoStaticStr;

use rustc_hash::{FxHashMap, FxHashSet};

use super::period_pool::PeriodGame;
use crate::systems::parameters::{InvalidParameter, ParameterValue, Value};

/// Which players are rated first in each period, and link the periods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum HistoricalPlayers {
    /// All players with enough games against several opponents. The ageing curve links the periods.
    All,
    /// Masters with long careers, as in the book. Those at ages of stable strength link the
    /// periods, and all others are rated by their games against them.
    #[default]
    Masters,
}

impl HistoricalPlayers {
    /// Both choices, the default first.
    pub const ALL: [HistoricalPlayers; 2] = [HistoricalPlayers::Masters, HistoricalPlayers::All];

    /// The word in settings.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl ParameterValue for HistoricalPlayers {
    fn from_value(value: &Value) -> Result<HistoricalPlayers, InvalidParameter> {
        let found = match value {
            Value::Word(word) => HistoricalPlayers::ALL.into_iter().find(|of| of.word() == word),
            _ => None,
        };
        found.ok_or_else(|| InvalidParameter::UnknownWord {
            value: value.clone(),
            words: HistoricalPlayers::ALL.map(HistoricalPlayers::word).to_vec(),
        })
    }

    fn value(&self) -> Value {
        Value::Word(self.word().to_owned())
    }
}

/// The players with at least `games` games in each of at least `periods` periods.
pub(super) fn masters(
    by_period: &BTreeMap<i16, Vec<PeriodGame>>,
    games: usize,
    periods: usize,
) -> FxHashSet<u32> {
    let mut busy_periods: FxHashMap<u32, usize> = FxHashMap::default();
    for played in by_period.values() {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for (white, black, _) in played {
            *counts.entry(*white).or_default() += 1;
            *counts.entry(*black).or_default() += 1;
        }
        for (player, _) in counts.into_iter().filter(|(_, count)| *count >= games) {
            *busy_periods.entry(player).or_default() += 1;
        }
    }
    let long = busy_periods.into_iter().filter(|(_, count)| *count >= periods);
    long.map(|(player, _)| player).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_master_has_enough_games_in_enough_periods() {
        // Players 0 and 1 meet twice in three periods, players 2 and 3 four times in two, players 4
        // and 5 once in three.
        let by_period = [1900, 1905, 1910].map(|first| {
            let mut games = vec![(0, 1, 1.0), (1, 0, 0.5), (4, 5, 1.0)];
            if first < 1910 {
                games.extend([(2, 3, 0.5); 4]);
            }
            (first, games)
        });
        let found = masters(&BTreeMap::from(by_period), 2, 3);
        assert_eq!(found, FxHashSet::from_iter([0, 1]));
    }
}
