//! The systems that are judged, by their words.

use std::fmt;
use std::sync::Arc;

use super::batch_solver::{Curve, LogisticCurve, PraCurve, Yardstick};
use crate::hint::no_such;
use crate::systems::running::Running;
use crate::systems::{Overrides, RatingSystem, System, Value};

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

/// Words that stand for a system with parameters of its own, before a number.
const SHORT: [&str; 4] = ["pra-basic", "elo-tiers", "simultaneous", "elo"];

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
        if word == "simultaneous" {
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
        let mut overrides = Overrides::new();
        let mut set = |key: &str, value: Value| overrides.insert(key.to_owned(), value);
        let registered = match word {
            "pra-basic" => {
                set("boosts", Value::Flag(false));
                "pra"
            }
            "elo-tiers" => {
                for (key, k) in [("k_new", 30.0), ("k", 16.0), ("k_high", 10.0)] {
                    set(key, Value::Number(k));
                }
                set("expectancy", Value::Word("logistic".into()));
                "elo"
            }
            "elo" => {
                set("expectancy", Value::Word("logistic".into()));
                "elo"
            }
            word => word,
        };
        for part in rest {
            match (part.split_once('='), part.parse::<f64>()) {
                (Some((key, value)), _) => {
                    set(key, Value::of_text(value));
                }
                (None, Ok(k)) if word == "pra-basic" => {
                    set("k", Value::Number(k));
                }
                (None, Ok(k)) if word == "elo" => {
                    for key in ["k_new", "k", "k_high"] {
                        set(key, Value::Number(k));
                    }
                }
                (None, Err(_)) if registered == "elo" => {
                    set("expectancy", Value::Word(part.into()));
                }
                _ => {
                    return Err(format!(
                        "{text}: {part:?} is no parameter; they look like boosts=false"
                    ));
                }
            }
        }
        let system = System::all().iter().find(|system| system.about.word == registered);
        let Some(system) = system else {
            let registered = System::all().iter().map(|system| system.about.word);
            let words: Vec<&str> = SHORT.into_iter().chain(registered).collect();
            return Err(no_such("rating system", word, &words));
        };
        let rates = system.with(&overrides).map_err(|error| format!("{text}: {error}"))?;
        if let Some(key) =
            overrides.keys().find(|key| !rates.heard_in_rounds().contains(&key.as_str()))
        {
            return Err(format!(
                "{text}: {key} means nothing round by round; there are {}",
                rates.heard_in_rounds().join(", ")
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

    /// Words of all that there are, without what may follow them.
    pub fn words() -> Vec<&'static str> {
        let registered = System::all().iter().filter(|system| {
            let rates = system.with(&Overrides::new());
            rates.is_ok_and(|rates| rates.running(&[0.0, 0.0]).is_some())
        });
        let mut words: Vec<&str> =
            SHORT.into_iter().chain(registered.map(|system| system.about.word)).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// How many rounds' games it keeps at most.
    pub(super) fn keeps_rounds(&self) -> usize {
        self.running(&[0.0, 0.0]).keeps_rounds()
    }

    /// Whether it is nothing but another system unless games belong to events.
    pub(super) fn wants_events(&self) -> bool {
        self.name.split(':').next() == Some("pra-whole")
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
