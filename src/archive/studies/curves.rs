//! The curves by which the differences of each list's ratings expect scores.

use crate::archive::settings::Settings;
use crate::ratings::RatingsOrigin;
use crate::systems::elo::formulas::Expectancy;
use crate::systems::{RatingSystem, System};

/// What expects scores.
enum ScoreCurve {
    /// One of Elo's.
    Elo(Expectancy),
    /// That of a system of ours.
    System(Box<dyn RatingSystem>),
}

/// Curves by number; number 0 is the normal one, which FIDE's lists, tags and Elo's systems have.
pub struct Curves {
    curves: Vec<ScoreCurve>,
    /// Names of rating systems, as labels have them, with the number of their curve.
    names: Vec<(String, usize)>,
}

/// Systems of others on the logistic curve: Edo is of Bradley and Terry's model.
const LOGISTIC: [&str; 1] = ["Edo"];

impl Curves {
    /// Those of systems as the settings have them.
    pub fn of(settings: &Settings) -> Curves {
        let mut curves =
            vec![ScoreCurve::Elo(Expectancy::Normal), ScoreCurve::Elo(Expectancy::Logistic)];
        let mut names: Vec<(String, usize)> =
            LOGISTIC.iter().map(|name| ((*name).to_owned(), 1)).collect();
        for system in System::all() {
            names.push((system.about.list_name.to_owned(), curves.len()));
            let published = system.about.published_as;
            names.extend(published.map(|name| (name.to_owned(), curves.len())));
            curves.push(ScoreCurve::System(settings.systems.system(system)));
        }
        Curves { curves, names }
    }

    /// The number of the curve of the ratings of a system, by its name.
    pub fn number(&self, system: &str) -> usize {
        let named = self.names.iter().find(|(name, _)| name == system);
        named.map_or(0, |(_, number)| *number)
    }

    /// Expected score, in `[0, 1]`, by the curve with this number, of who is rated `difference` points higher.
    pub fn expected(&self, number: usize, difference: f64) -> f64 {
        match &self.curves[number] {
            ScoreCurve::Elo(expectancy) => expectancy.expected(difference),
            ScoreCurve::System(system) => system.expected(difference),
        }
    }
}

/// Systems of others that rate all years together, later ones too.
const LOOK_AHEAD: [&str; 1] = ["Edo"];

/// Whether ratings of this origin knew nothing of the games to come, as far as their name tells.
pub(crate) fn knew_nothing_later(origin: &RatingsOrigin) -> bool {
    let name = origin.name();
    !LOOK_AHEAD.contains(&name)
        && System::of_list(name).is_none_or(|system| !system.about.knows_later_games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_others_have_the_curve_of_their_makers() {
        let curves = Curves::of(&Settings::default());
        let at_400 = |name: &str| {
            let number = curves.number(name);
            (curves.expected(number, 400.0) * 1000.0).round()
        };
        assert_eq!(at_400("Elo"), 921.0);
        assert_eq!(at_400("Edo"), 909.0);
        assert_eq!(at_400("a club's list"), 921.0);
        assert_eq!(at_400("Chessmetrics"), at_400("Computed Chessmetrics"));
        assert!(knew_nothing_later(&RatingsOrigin::System("Elo".into())));
        assert!(!knew_nothing_later(&RatingsOrigin::System("Edo".into())));
        assert!(!knew_nothing_later(&RatingsOrigin::System("Computed Paired, left out".into())));
    }
}
