//! The systems that are judged, by their words.

use std::fmt;
use std::sync::Arc;

use super::batch_solver::{Curve, LogisticCurve, PraCurve, Yardstick};
use crate::hint::no_such;
use crate::systems::running::Running;
use crate::systems::{Overrides, RatingSystem, Shorthand, System, Value};

/// A system that is judged.
#[derive(Clone)]
pub struct Contestant {
    /// Its word, as somebody wrote it: `elo:16`.
    pub name: String,
    rates: Rates,
}

#[derive(Clone)]
enum Rates {
    System(Arc<dyn RatingSystem>),
    /// All games at once, by the PRA's curve or by Elo's.
    AtOnce {
        is_logistic: bool,
    },
}

/// The word for all games at once.
const AT_ONCE: &str = "simultaneous";

/// The shorthands of all systems, each with its system.
fn shorthands() -> impl Iterator<Item = (&'static System, &'static Shorthand)> {
    let of = |system: &'static System| system.about.shorthands.iter().map(move |one| (system, one));
    System::all().iter().flat_map(of)
}

/// The words of systems and their shorthands.
fn all_words() -> Vec<&'static str> {
    let registered = System::all().iter().map(|system| system.about.word);
    let short = shorthands().map(|(_, shorthand)| shorthand.word);
    let mut words: Vec<&str> = short.chain([AT_ONCE]).chain(registered).collect();
    words.sort_unstable();
    words.dedup();
    words
}

impl Contestant {
    /// The usual ones.
    pub const USUAL: [&str; 5] = ["pra", "pra-basic", "elo:16", "elo-tiers", "simultaneous"];

    /// From a word and what follows it, parted by colons: `pra`, `pra-basic:16` (another factor than 9), `elo:16` (K),
    /// `elo-tiers` (K 30, 16 and 10), `elo:16:normal`, `simultaneous:logistic`; and any system of the registry with
    /// parameters: `pra:short_block=40`.
    ///
    /// # Errors
    ///
    /// Where there is no such system or parameter; with the nearest word.
    pub fn named(text: &str) -> Result<Contestant, String> {
        let mut rest: Vec<&str> = text.split(':').collect();
        let word = rest.remove(0);
        if word == AT_ONCE {
            let is_logistic = match rest[..] {
                [] => false,
                ["logistic"] => true,
                _ => {
                    return Err(format!(
                        "{text}: simultaneous is by the PRA's curve, or :logistic"
                    ));
                }
            };
            return Ok(Contestant { name: text.into(), rates: Rates::AtOnce { is_logistic } });
        }
        let shorthand = shorthands().find(|(_, shorthand)| shorthand.word == word);
        let system = match shorthand {
            Some((system, _)) => Some(system),
            None => System::all().iter().find(|system| system.about.word == word),
        };
        let Some(system) = system else {
            return Err(no_such("rating system", word, &all_words()));
        };
        let shorthand = shorthand.map(|(_, shorthand)| shorthand);
        let mut overrides = Overrides::new();
        let mut set = |key: &str, value: Value| overrides.insert(key.to_owned(), value);
        for (key, value) in shorthand.iter().flat_map(|shorthand| shorthand.set) {
            set(key, Value::of_text(value));
        }
        for part in rest {
            let numbers = shorthand.map_or(&[][..], |shorthand| shorthand.numbers);
            let words = shorthand.and_then(|shorthand| shorthand.words);
            match (part.split_once('='), part.parse::<f64>()) {
                (Some((key, value)), _) => {
                    set(key, Value::of_text(value));
                }
                (None, Ok(number)) if !numbers.is_empty() => {
                    for key in numbers {
                        set(key, Value::Number(number));
                    }
                }
                (None, Err(_)) if words.is_some() => {
                    set(words.unwrap_or_default(), Value::Word(part.into()));
                }
                _ => {
                    return Err(format!(
                        "{text}: {part:?} is no parameter; they look like boosts=false"
                    ));
                }
            }
        }
        let rates = system.with(&overrides).map_err(|error| format!("{text}: {error}"))?;
        if let Some(key) =
            overrides.keys().find(|key| !rates.round_parameters().contains(&key.as_str()))
        {
            return Err(format!(
                "{text}: {key} means nothing round by round; there are {}",
                rates.round_parameters().join(", ")
            ));
        }
        if rates.running(&[0.0, 0.0]).is_none() {
            return Err(format!(
                "{word} does not run round by round; the laboratory has {}",
                Contestant::words().join(", ")
            ));
        }
        Ok(Contestant { name: text.into(), rates: Rates::System(Arc::from(rates)) })
    }

    /// What a contestant is called on a chart: `Elo, K 16` of `elo:16`.
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
        let part = |part: &str| match part.parse::<f64>() {
            Ok(k) => format!(", K {k}"),
            Err(_) => {
                let known = system.about.variants.iter().find(|(setting, _)| *setting == part);
                format!(", {}", known.map_or(part, |(_, name)| name))
            }
        };
        format!("{name}{}", parts.map(part).collect::<String>())
    }

    /// Words of all that there are, without what may follow them.
    pub fn words() -> Vec<&'static str> {
        let runs = |word: &&'static str| {
            let system = System::all().iter().find(|system| system.about.word == *word);
            // A shorthand's system runs.
            system.is_none_or(|system| {
                let rates = system.with(&Overrides::new());
                rates.is_ok_and(|rates| rates.running(&[0.0, 0.0]).is_some())
            })
        };
        all_words().into_iter().filter(runs).collect()
    }

    /// How many rounds' games it keeps at most.
    pub(super) fn keeps_rounds(&self) -> usize {
        self.running(&[0.0, 0.0]).keeps_rounds()
    }

    /// Whether it is nothing but another system unless games belong to events.
    pub(super) fn needs_events(&self) -> bool {
        let word = self.name.split(':').next();
        System::all()
            .iter()
            .any(|system| Some(system.about.word) == word && system.about.needs_events)
    }

    /// Expected score, in `[0, 1]`, of who is rated this many points higher.
    pub fn expected(&self, difference: f64) -> f64 {
        match &self.rates {
            Rates::System(system) => system.expected(difference),
            Rates::AtOnce { is_logistic: false } => PraCurve::expected(difference),
            Rates::AtOnce { is_logistic: true } => LogisticCurve::expected(difference),
        }
    }

    /// The system, which starts from these ratings (points).
    pub(super) fn running(&self, start: &[f64]) -> Box<dyn Running> {
        match &self.rates {
            Rates::System(system) => system.running(start).expect("it was tried when it was named"),
            Rates::AtOnce { is_logistic: false } => Box::new(Yardstick::<PraCurve>::of(start)),
            Rates::AtOnce { is_logistic: true } => Box::new(Yardstick::<LogisticCurve>::of(start)),
        }
    }
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
    fn words_are_systems_with_their_parameters() {
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
    fn what_is_no_system_is_told_with_what_was_probably_meant() {
        let told = |word: &str| Contestant::named(word).unwrap_err();
        assert!(told("elo-teirs").ends_with("did you mean elo-tiers?"), "{}", told("elo-teirs"));
        assert!(told("pra:short=40").contains("short_block"), "{}", told("pra:short=40"));
        assert!(told("elo:500").contains("200"), "{}", told("elo:500"));
        assert!(told("pra:9").contains("no parameter"), "{}", told("pra:9"));
        assert!(told("pra:").contains("no parameter"), "{}", told("pra:"));
        assert!(told("chessmetrics:floor=0").contains("means nothing round by round"));
        assert!(told("simultaneous:normal").contains(":logistic"));
        assert!(told("paired-left-out").contains("does not run round by round"));
    }
}
