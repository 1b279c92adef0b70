//! The registry: one line for each rating system.
//!
//! Everything that lists rating systems reads this table: `greatness ratings` and its help, the
//! settings `[systems.WORD]`, the sources `computed:WORD`, the comparison, the pages and the
//! exports.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::about::About;
use super::averages::{Attenuated, Cumulative, RevisedElo};
use super::chessmetrics::Chessmetrics;
use super::elo::{Elo, EloHistorical};
use super::game_by_game::{EstablishedBerkin, Progressive};
use super::paired::{Paired, PairedLeftOut, PairedSmoothed};
use super::parameters::{Overrides, Parameter, ParameterError};
use super::past::{Bcf, Ccla, Harkness, Ingo};
use super::pra::{Pra, PraWhole};
use super::published::PairedAndPublished;
use super::system::{RatingSystem, Registered};
use super::window::{Berkin, BradleyTerry, Linear, Ordinal, Ratio};
use crate::hint::no_such;

/// Systems that other programs added; see [`register`].
static REGISTERED: Mutex<Vec<System>> = Mutex::new(Vec::new());

/// Adds a rating system of a program that uses this library. The system appears wherever the
/// bundled systems do: in commands, settings, sources, comparisons, pages and exports.
///
/// # Panics
///
/// Panics if a system was looked up before, because the first look-up fixes the list.
pub fn register<S: Registered>() {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(ALL.get().is_none(), "rating systems are registered before anything uses them");
    registered.push(System::registered::<S>());
}

/// All systems, fixed by the first look-up.
static ALL: OnceLock<Vec<System>> = OnceLock::new();

/// The bundled systems, in the order in which they are shown.
static SYSTEMS: &[System] = &[
    System::registered::<Chessmetrics>(),
    System::registered::<Elo>(),
    System::registered::<EloHistorical>(),
    System::registered::<Pra>(),
    System::registered::<PraWhole>(),
    System::registered::<Paired>(),
    System::registered::<PairedSmoothed>(),
    System::registered::<PairedLeftOut>(),
    System::registered::<PairedAndPublished>(),
    System::registered::<Ordinal>(),
    System::registered::<Linear>(),
    System::registered::<Ratio>(),
    System::registered::<Berkin>(),
    System::registered::<BradleyTerry>(),
    System::registered::<Cumulative>(),
    System::registered::<Attenuated>(),
    System::registered::<RevisedElo>(),
    System::registered::<EstablishedBerkin>(),
    System::registered::<Progressive>(),
    System::registered::<Ingo>(),
    System::registered::<Harkness>(),
    System::registered::<Bcf>(),
    System::registered::<Ccla>(),
];

/// An entry of the registry.
#[derive(Clone, Copy)]
pub struct System {
    /// What tables, help and pages say of the system, and how its lists are used.
    pub about: About,
    parameters: fn() -> Vec<Parameter>,
    with: fn(&Overrides) -> Result<Box<dyn RatingSystem>, ParameterError>,
}

/// No rating system has this word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", no_system(word))]
pub struct UnknownSystem {
    /// The word, as it was given.
    pub word: String,
}

/// The message for an unknown word: all words, and the most similar one.
fn no_system(word: &str) -> String {
    let words: Vec<&str> = System::all().iter().map(|system| system.about.word).collect();
    no_such("rating system", word, &words)
}

impl System {
    const fn registered<S: Registered>() -> System {
        System { about: S::ABOUT, parameters: S::described, with: boxed::<S> }
    }

    /// All systems: the bundled ones in the order in which they are shown, then those that programs
    /// [added](register).
    pub fn all() -> &'static [System] {
        ALL.get_or_init(|| {
            let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
            [SYSTEMS, &registered].concat()
        })
    }

    /// The system with which every other is compared.
    pub fn standard() -> &'static System {
        let standard = System::all().iter().find(|system| system.about.is_standard);
        standard.expect("a bundled system is the standard")
    }

    /// The system with this word.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none. Its message lists all systems and suggests the most
    /// similar word.
    pub fn named(word: &str) -> Result<&'static System, UnknownSystem> {
        let system = System::all().iter().find(|system| system.about.word == word);
        system.ok_or_else(|| UnknownSystem { word: word.to_owned() })
    }

    /// The system whose lists have this name.
    pub fn of_list(name: &str) -> Option<&'static System> {
        System::all().iter().find(|system| system.about.list_name == name)
    }

    /// The system's parameters with their defaults.
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }

    /// The system with these values in place of the defaults, ready to run.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter is unknown, or its value has the wrong type or is out of
    /// range.
    pub fn with(&self, overrides: &Overrides) -> Result<Box<dyn RatingSystem>, ParameterError> {
        (self.with)(overrides)
    }
}

fn boxed<S: Registered>(overrides: &Overrides) -> Result<Box<dyn RatingSystem>, ParameterError> {
    Ok(Box::new(S::with_overrides(overrides)?))
}

impl fmt::Debug for System {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.about.word)
    }
}

impl PartialEq for System {
    fn eq(&self, other: &System) -> bool {
        self.about == other.about
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::parameters::Value;

    #[test]
    fn words_names_and_lists_are_unique_and_parameters_are_documented() {
        for (place, system) in System::all().iter().enumerate() {
            let about = system.about;
            assert!(about.word.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{about:?}");
            assert!(about.list_name.starts_with("Computed "), "{about:?}");
            for other in &System::all()[..place] {
                assert_ne!(about.word, other.about.word);
                assert_ne!(about.name, other.about.name);
                assert_ne!(about.list_name, other.about.list_name);
            }
            for parameter in system.parameters() {
                assert!(parameter.meaning.ends_with('.'), "{}: {parameter:?}", about.word);
                let same = Overrides::from([(parameter.key.to_owned(), parameter.default)]);
                assert!(system.with(&same).is_ok(), "{}: {same:?}", about.word);
            }
        }
    }

    #[test]
    fn exactly_one_system_is_the_standard_shows_ageing_or_rates_periods() {
        let all = System::all();
        assert_eq!(all.iter().filter(|system| system.about.is_standard).count(), 1);
        assert_eq!(all.iter().filter(|system| system.about.shows_ageing).count(), 1);
        assert_eq!(all.iter().filter(|system| system.about.rates_periods).count(), 1);
    }

    #[test]
    fn errors_about_unknown_systems_and_parameters_suggest_names() {
        let message = System::named("chesmetrics").unwrap_err().to_string();
        assert!(message.ends_with("did you mean chessmetrics?"), "{message}");
        let elo = System::named("elo").unwrap();
        let typo = Overrides::from([("anchr".to_owned(), Value::Number(2400.0))]);
        let message = elo.with(&typo).err().map(|error| error.to_string());
        assert_eq!(message.unwrap(), "anchr: there is no parameter anchr; did you mean anchor?");
    }
}
