//! The systems that the laboratory tests, by their names.

use std::fmt;
use std::sync::Arc;

use super::batch_solver::{ExpectationCurve, LogisticCurve, PraCurve, SimultaneousSolver};
use super::errors::PlanError;
use crate::systems::running::Running;
use crate::systems::{Overrides, RatingSystem, Shorthand, System, Value};

/// A system that the laboratory tests.
#[derive(Clone)]
pub struct Contestant {
    /// Its name, as the user wrote it: `elo:16`.
    pub name: String,
    rates: RatingMethod,
}

#[derive(Clone)]
enum RatingMethod {
    System(Arc<dyn RatingSystem>),
    /// All games at once, by the PRA's curve or by Elo's.
    AtOnce {
        is_logistic: bool,
    },
}

/// The name of the system that solves all games at once.
const AT_ONCE: &str = "simultaneous";

/// The shorthands of all systems, each with its system.
fn shorthands() -> impl Iterator<Item = (&'static System, &'static Shorthand)> {
    System::all()
        .iter()
        .flat_map(|system| system.about.shorthands.iter().map(move |one| (system, one)))
}

/// The names of all systems and shorthands.
fn all_words() -> Vec<&'static str> {
    let registered = System::all().iter().map(|system| system.about.word);
    let short = shorthands().map(|(_, shorthand)| shorthand.word);
    let mut words: Vec<&str> = short.chain([AT_ONCE]).chain(registered).collect();
    words.sort_unstable();
    words.dedup();
    words
}

impl Contestant {
    /// The default systems.
    pub const USUAL: [&str; 5] = ["pra", "pra-basic", "elo:16", "elo-tiers", "simultaneous"];

    /// Parses a name and its suffixes, separated by colons: `pra`, `pra-basic:16` (a factor other
    /// than 9), `elo:16` (K), `elo-tiers` (K 30, 16 and 10), `elo:16:normal`,
    /// `simultaneous:logistic`. Any system of the registry takes parameters: `pra:short_block=40`.
    ///
    /// # Errors
    ///
    /// Returns an error with the most similar name if there is no such system or parameter.
    pub fn named(text: &str) -> Result<Contestant, PlanError> {
        let mut parts: Vec<&str> = text.split(':').collect();
        let word = parts.remove(0);
        let rates = if word == AT_ONCE {
            at_once(text, &parts)?
        } else {
            RatingMethod::System(Arc::from(system_by_round(text, word, &parts)?))
        };
        Ok(Contestant { name: text.into(), rates })
    }

    /// The label of a system on a chart: `Elo, K 16` for `elo:16`.
    pub fn chart_name(text: &str) -> String {
        let mut parts = text.split(':');
        let word = parts.next().unwrap_or_default();
        if word == AT_ONCE {
            let name =
                if parts.next().is_some() { "at once, Elo’s curve" } else { "all games at once" };
            return name.to_owned();
        }
        let shorthand = shorthands().find(|(_, shorthand)| shorthand.word == word);
        let system = System::all().iter().find(|system| system.about.word == word);
        let Some((system, name)) = shorthand
            .map(|(system, shorthand)| (system, shorthand.name))
            .or(system.map(|system| (system, system.about.chart_name())))
        else {
            return text.to_owned();
        };
        let mut label = name.to_owned();
        for part in parts {
            label.push_str(", ");
            if let Ok(k) = part.parse::<f64>() {
                label.push_str(&format!("K {k}"));
            } else {
                let known = system.about.variants.iter().find(|(setting, _)| *setting == part);
                label.push_str(known.map_or(part, |(_, name)| name));
            }
        }
        label
    }

    /// Names of all systems that can rate round by round, without suffixes.
    pub fn words() -> Vec<&'static str> {
        let mut words = all_words();
        words.retain(|word| {
            let system = System::all().iter().find(|system| system.about.word == *word);
            // The system of a shorthand can rate round by round.
            system.is_none_or(|system| {
                let rates = system.with(&Overrides::new());
                rates.is_ok_and(|rates| rates.running(&[0.0, 0.0]).is_some())
            })
        });
        words
    }

    /// Most rounds whose games the system keeps in memory.
    pub(super) fn keeps_rounds(&self) -> usize {
        self.running(&[0.0, 0.0]).keeps_rounds()
    }

    /// Whether the system equals another one unless games belong to events.
    pub(super) fn needs_events(&self) -> bool {
        let word = self.name.split(':').next();
        System::all()
            .iter()
            .any(|system| Some(system.about.word) == word && system.about.needs_events)
    }

    /// Expected score, in `[0, 1]`, of a player who is rated `difference` points higher.
    pub fn expected(&self, difference: f64) -> f64 {
        match &self.rates {
            RatingMethod::System(system) => system.expected(difference),
            RatingMethod::AtOnce { is_logistic: false } => PraCurve::expected(difference),
            RatingMethod::AtOnce { is_logistic: true } => LogisticCurve::expected(difference),
        }
    }

    /// The system, starting from these ratings (points).
    pub(super) fn running(&self, start: &[f64]) -> Box<dyn Running> {
        match &self.rates {
            RatingMethod::System(system) => {
                system.running(start).expect("`named` has checked that the system runs")
            }
            RatingMethod::AtOnce { is_logistic: false } => {
                Box::new(SimultaneousSolver::<PraCurve>::new(start))
            }
            RatingMethod::AtOnce { is_logistic: true } => {
                Box::new(SimultaneousSolver::<LogisticCurve>::new(start))
            }
        }
    }
}

/// The solver of all games at once, by the curve that the suffix names.
fn at_once(text: &str, parts: &[&str]) -> Result<RatingMethod, PlanError> {
    match parts {
        [] => Ok(RatingMethod::AtOnce { is_logistic: false }),
        ["logistic"] => Ok(RatingMethod::AtOnce { is_logistic: true }),
        _ => Err(PlanError::SimultaneousCurve { text: text.into() }),
    }
}

/// The registered system with this name or shorthand, with the parameters of the suffixes. The
/// system can rate round by round, and each parameter has an effect there.
fn system_by_round(
    text: &str,
    word: &str,
    parts: &[&str],
) -> Result<Box<dyn RatingSystem>, PlanError> {
    let (system, shorthand) = match shorthands().find(|(_, shorthand)| shorthand.word == word) {
        Some((system, shorthand)) => (Some(system), Some(shorthand)),
        None => (System::all().iter().find(|system| system.about.word == word), None),
    };
    let system = system.ok_or_else(|| PlanError::UnknownWord {
        kind: "rating system",
        word: word.into(),
        words: all_words(),
    })?;
    let overrides = overrides(text, shorthand, parts)?;
    let rates = system
        .with(&overrides)
        .map_err(|error| PlanError::Parameter { text: text.into(), error })?;
    let effective = rates.round_parameters();
    if let Some(key) = overrides.keys().find(|key| !effective.contains(&key.as_str())) {
        let (text, key) = (text.into(), key.clone());
        return Err(PlanError::ParameterWithoutEffect { text, key, effective });
    }
    if rates.running(&[0.0, 0.0]).is_none() {
        return Err(PlanError::NotByRound { word: word.into(), words: Contestant::words() });
    }
    Ok(rates)
}

/// The parameters that a shorthand sets, and those of the suffixes.
fn overrides(
    text: &str,
    shorthand: Option<&Shorthand>,
    parts: &[&str],
) -> Result<Overrides, PlanError> {
    let mut overrides = Overrides::new();
    for (key, value) in shorthand.iter().flat_map(|shorthand| shorthand.set) {
        overrides.insert((*key).to_owned(), Value::of_text(value));
    }
    let numbers = shorthand.map_or(&[][..], |shorthand| shorthand.numbers);
    let words = shorthand.and_then(|shorthand| shorthand.words);
    for part in parts {
        match (part.split_once('='), part.parse::<f64>()) {
            (Some((key, value)), _) => {
                overrides.insert(key.to_owned(), Value::of_text(value));
            }
            (None, Ok(number)) if !numbers.is_empty() => {
                overrides
                    .extend(numbers.iter().map(|key| ((*key).to_owned(), Value::Number(number))));
            }
            (None, Err(_)) if words.is_some() => {
                let key = words.unwrap_or_default().to_owned();
                overrides.insert(key, Value::Word((*part).into()));
            }
            _ => {
                let (text, part) = (text.into(), (*part).into());
                return Err(PlanError::NotAParameter { text, part });
            }
        }
    }
    Ok(overrides)
}

impl fmt::Debug for Contestant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_valid_systems() {
        for word in Contestant::words().into_iter().chain(Contestant::USUAL).chain([
            "pra-basic:16",
            "elo:10:normal",
            "simultaneous:logistic",
            "pra:short_block=40",
            "pra-basic:anchor_months=0",
        ]) {
            assert!(Contestant::named(word).is_ok(), "{word}: {:?}", Contestant::named(word));
        }
    }

    #[test]
    fn errors_name_the_most_similar_word() {
        for (word, message) in [
            ("elo-teirs", "did you mean elo-tiers?"),
            ("pra:short=40", "short_block"),
            ("elo:500", "200"),
            ("pra:9", "not a parameter"),
            ("pra:", "not a parameter"),
            ("chessmetrics:floor=0", "has no effect round by round"),
            ("simultaneous:normal", ":logistic"),
            ("paired-left-out", "does not run round by round"),
        ] {
            let error = Contestant::named(word).unwrap_err().to_string();
            assert!(error.contains(message), "{word}: {error}");
        }
    }
}
