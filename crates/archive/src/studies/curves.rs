//! Provides the curve from rating difference to expected score for each rating list.

use crate::settings::system_settings::SystemSettings;
use chess_history::ratings::RatingsOrigin;
use rating_systems::systems::elo::formulas::Expectancy;
use rating_systems::systems::{RatingSystem, System};

/// A curve from rating difference to expected score.
enum ScoreCurve {
    Elo(Expectancy),
    /// The curve of one of our own systems.
    System(Box<dyn RatingSystem>),
}

/// Curves by number. Number 0 is the normal curve, for FIDE's lists, rating tags and Elo's systems.
pub struct Curves {
    curves: Vec<ScoreCurve>,
    /// Names of rating systems, as in labels, with the numbers of their curves.
    names: Vec<(String, usize)>,
}

/// Published systems with the logistic curve. Edo uses the Bradley–Terry model.
const LOGISTIC: [&str; 1] = ["Edo"];

impl Curves {
    /// The curves of all systems, with the parameters of the settings.
    pub fn from_settings(settings: &SystemSettings) -> Curves {
        let mut curves =
            vec![ScoreCurve::Elo(Expectancy::Normal), ScoreCurve::Elo(Expectancy::Logistic)];
        let mut names: Vec<(String, usize)> =
            LOGISTIC.iter().map(|name| ((*name).to_owned(), 1)).collect();
        for system in System::all() {
            names.push((system.about.list_name.to_owned(), curves.len()));
            let published = system.about.published_as;
            names.extend(published.map(|name| (name.to_owned(), curves.len())));
            curves.push(ScoreCurve::System(settings.system(system)));
        }
        Curves { curves, names }
    }

    /// The number of the curve of a rating system, by its name.
    pub fn number(&self, system: &str) -> usize {
        let named = self.names.iter().find(|(name, _)| name == system);
        named.map_or(0, |(_, number)| *number)
    }

    /// The expected score, in `[0, 1]`, of a player rated `difference` points higher, by the curve
    /// with this number.
    pub fn expected(&self, number: usize, difference: f64) -> f64 {
        match &self.curves[number] {
            ScoreCurve::Elo(expectancy) => expectancy.expected(difference),
            ScoreCurve::System(system) => system.expected(difference),
        }
    }
}

/// Published systems that rate all years together, using later games.
const LOOK_AHEAD: [&str; 1] = ["Edo"];

/// Whether ratings of this origin use no later games, as far as their name shows.
pub fn uses_no_later_games(origin: &RatingsOrigin) -> bool {
    let name = origin.name();
    !LOOK_AHEAD.contains(&name)
        && System::of_list(name).is_none_or(|system| !system.about.knows_later_games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_lists_have_the_curve_of_their_system() {
        let curves = Curves::from_settings(&SystemSettings::default());
        let at_400 = |name: &str| {
            let number = curves.number(name);
            (curves.expected(number, 400.0) * 1000.0).round()
        };
        assert_eq!(at_400("Elo"), 921.0);
        assert_eq!(at_400("Edo"), 909.0);
        assert_eq!(at_400("a club's list"), 921.0);
        assert_eq!(at_400("Chessmetrics"), at_400("Computed Chessmetrics"));
        assert!(uses_no_later_games(&RatingsOrigin::System("Elo".into())));
        assert!(!uses_no_later_games(&RatingsOrigin::System("Edo".into())));
        assert!(!uses_no_later_games(&RatingsOrigin::System("Computed Paired, left out".into())));
    }
}
