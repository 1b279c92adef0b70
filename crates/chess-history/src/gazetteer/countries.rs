//! Names countries by their codes.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A country that has or had a chess federation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    /// Its usual English name: `Soviet Union`.
    pub name: &'static str,
    /// The adjective in the name of its championship: `USSR`.
    pub adjective: &'static str,
}

/// The lines of the table: codes and countries.
fn lines() -> impl Iterator<Item = (&'static str, Country)> {
    let lines = include_str!("../../../../data/places/countries.csv").lines().skip(1);
    let fields = lines.map(|line| line.split(',').map(str::trim).collect::<Vec<_>>());
    fields.filter_map(|fields| match fields[..] {
        [code, name, adjective] => Some((code, Country { name, adjective })),
        _ => None,
    })
}

static COUNTRIES: LazyLock<FxHashMap<&'static str, Country>> = LazyLock::new(|| lines().collect());

static BY_NAME: LazyLock<FxHashMap<&'static str, Country>> =
    LazyLock::new(|| lines().map(|(_, found)| (found.name, found)).collect());

/// Names of countries by the adjectives of their championships.
static BY_ADJECTIVE: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| lines().map(|(_, found)| (found.adjective, found.name)).collect());

/// Returns the country of a code in capitals, as FIDE and common collections write it.
///
/// Former countries are included.
///
/// ```
/// use chess_history::gazetteer::country;
///
/// assert_eq!(country("URS").map(|found| found.name), Some("Soviet Union"));
/// assert_eq!(country("XYZ"), None);
/// ```
pub fn country(code: &str) -> Option<Country> {
    COUNTRIES.get(code).copied()
}

/// Returns the country with this English name.
///
/// ```
/// use chess_history::gazetteer::country_of_name;
///
/// assert_eq!(country_of_name("Spain").map(|found| found.adjective), Some("Spanish"));
/// assert_eq!(country_of_name("Madrid"), None);
/// ```
pub fn country_of_name(name: &str) -> Option<Country> {
    BY_NAME.get(name).copied()
}

/// Returns the code itself, if it is that of a country.
pub fn country_code(code: &str) -> Option<&'static str> {
    COUNTRIES.get_key_value(code).map(|(code, _)| *code)
}

/// Returns the name of the country with this adjective in the name of its championship.
///
/// ```
/// use chess_history::gazetteer::country_of_adjective;
///
/// assert_eq!(country_of_adjective("USSR"), Some("Soviet Union"));
/// assert_eq!(country_of_adjective("Viennese"), None);
/// ```
pub fn country_of_adjective(adjective: &str) -> Option<&'static str> {
    BY_ADJECTIVE.get(adjective).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = include_str!("../../../../data/places/countries.csv").lines().count();
        assert_eq!(COUNTRIES.len(), lines - 1);
        assert_eq!(country("HUN").map(|found| found.adjective), Some("Hungarian"));
    }
}
