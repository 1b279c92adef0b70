//! Reads which rating systems are computed, and their parameters: `[systems]` and `[systems.WORD]`
//! in `greatness.toml`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use rating_systems::systems::{Overrides, ParameterError, RatingSystem, Role, System, Value};

/// Which rating systems a build computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystemChoice {
    /// Those that serve events or have pages.
    #[default]
    Core,
    /// Also the basic systems, those of the past, and variants, for the comparison of all systems.
    All,
}

impl SystemChoice {
    /// Whether systems with this role are computed. Lists of the players of one event are computed
    /// only for events.
    pub fn includes(self, role: Role) -> bool {
        match self {
            SystemChoice::Core => matches!(role, Role::Whole | Role::Forecasts),
            SystemChoice::All => role != Role::Events,
        }
    }
}

/// The parameters that are set, by the word of the system. Others have their defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemSettings {
    pub compute: SystemChoice,
    /// Whether the settings say so.
    pub(super) chooses: bool,
    set: BTreeMap<&'static str, Overrides>,
}

impl SystemSettings {
    /// Sets a parameter.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no parameter of this name, or the value has the wrong
    /// type or is out of range. Nothing changes then.
    pub fn set(
        &mut self,
        system: &'static System,
        key: &str,
        value: Value,
    ) -> Result<(), ParameterError> {
        system.with(&Overrides::from([(key.to_owned(), value.clone())]))?;
        self.set.entry(system.about.word).or_default().insert(key.to_owned(), value);
        Ok(())
    }

    /// The parameters that are set for a system.
    pub fn overrides(&self, system: &System) -> Overrides {
        self.set.get(system.about.word).cloned().unwrap_or_default()
    }

    pub fn system(&self, system: &System) -> Box<dyn RatingSystem> {
        let none = Overrides::new();
        let overrides = self.set.get(system.about.word).unwrap_or(&none);
        system.with(overrides).expect("every parameter was tried when it was set")
    }
}

impl<'de> Deserialize<'de> for SystemSettings {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<SystemSettings, D::Error> {
        source.deserialize_map(Systems)
    }
}

/// The tables of `[systems]`.
struct Systems;

impl<'de> Visitor<'de> for Systems {
    type Value = SystemSettings;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("`compute`, and tables of parameters by system")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<SystemSettings, M::Error> {
        let mut settings = SystemSettings::default();
        while let Some(key) = map.next_key_seed(Key)? {
            match key {
                SystemKey::Compute => {
                    settings.compute = map.next_value()?;
                    settings.chooses = true;
                }
                SystemKey::Parameters(system) => {
                    map.next_value_seed(ParameterTable { system, settings: &mut settings })?;
                }
            }
        }
        Ok(settings)
    }
}

/// A key of `[systems]`.
enum SystemKey {
    Compute,
    /// The word of a system.
    Parameters(&'static System),
}

/// Reads a key of `[systems]`.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = SystemKey;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<SystemKey, D::Error> {
        match String::deserialize(source)?.as_str() {
            "compute" => Ok(SystemKey::Compute),
            word => System::named(word).map(SystemKey::Parameters).map_err(Error::custom),
        }
    }
}

struct ParameterTable<'a> {
    system: &'static System,
    settings: &'a mut SystemSettings,
}

impl<'de> DeserializeSeed<'de> for ParameterTable<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ParameterTable<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "parameters of {}", self.system.about.word)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let ParameterTable { system, settings } = self;
        while let Some(key) = map.next_key::<String>()? {
            map.next_value_seed(Set { system, settings, key: &key })?;
        }
        Ok(())
    }
}

/// One parameter. An error in it has the line of its value.
struct Set<'a> {
    system: &'static System,
    settings: &'a mut SystemSettings,
    key: &'a str,
}

impl<'de> DeserializeSeed<'de> for Set<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        /// The types that a parameter may have.
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number, a word, true or false")]
        enum Written {
            Flag(bool),
            Whole(i64),
            Number(f64),
            Word(String),
        }
        let value = match Written::deserialize(source)? {
            Written::Flag(flag) => Value::Flag(flag),
            Written::Whole(number) => Value::Whole(number),
            Written::Number(number) => Value::Number(number),
            Written::Word(word) => Value::Word(word),
        };
        self.settings.set(self.system, self.key, value).map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    fn error(text: &str) -> String {
        toml::from_str::<Settings>(text).unwrap_err().to_string()
    }

    #[test]
    fn parameters_are_set_by_system() {
        let text = "[systems.elo]\nanchor = 2350\nexpectancy = \"logistic\"\n[systems.pra]\nboosts = false\n";
        let settings: Settings = toml::from_str(text).unwrap();
        let elo = settings.systems.system(System::named("elo").unwrap());
        // The logistic curve, not the normal one.
        assert!((elo.expected(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_ne!(settings, Settings::default());
    }

    #[test]
    fn all_systems_are_computed_on_request() {
        for (text, choice) in [
            ("[systems.pra]\nboosts = false\n", SystemChoice::Core),
            ("[systems]\ncompute = \"all\"\n", SystemChoice::All),
        ] {
            let settings: Settings = toml::from_str(text).unwrap();
            assert_eq!(settings.systems.compute, choice);
        }
        let wrong = error("[systems]\ncompute = \"some\"\n");
        assert!(wrong.contains("line 2") && wrong.contains("`core` or `all`"), "{wrong}");
    }

    #[test]
    fn a_wrong_parameter_is_refused_with_line_and_hint() {
        let system = error("[systems.glicko]\nfloor = 2300\n");
        assert!(
            system.contains("line 1") && system.contains("no rating system glicko"),
            "{system}"
        );
        let key = error("[systems.chessmetrics]\npull = 0.02\nflor = 2300\n");
        assert!(key.contains("line 3") && key.contains("did you mean floor?"), "{key}");
        let range = error("[systems.chessmetrics]\nfloor = 23000\n");
        assert!(range.contains("line 2") && range.contains("not within 0 to 4000"), "{range}");
        let kind = error("[systems.pra]\nboosts = [1]\n");
        assert!(kind.contains("line 2") && kind.contains("true or false"), "{kind}");
    }
}
