//! Parts of a ranked list that have their own pages: centuries, bands, kinds, countries.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Link;
use chess_history::gazetteer::country;
use chess_history::ordinal::ordinal;

/// Rows that a country needs for its own page. Judged: with fewer, the page would only repeat the
/// list.
const ENOUGH: usize = 3;

/// Rows of a list that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// The last part of its path.
    pub slug: String,
    pub name: String,
    /// The filter of the whole list that selects the same rows, as in the address.
    pub filter: String,
    /// Places of its rows on the list.
    pub rows: Vec<usize>,
}

/// Parts of one kind, for the navigation.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Parts {
    name: &'static str,
    parts: Vec<PartLink>,
}

#[derive(Clone, Debug, Serialize)]
struct PartLink {
    link: Link,
    rows: usize,
}

impl Part {
    /// The path of its page, in the folder of the list.
    pub fn path(&self, list: &str) -> String {
        format!("{list}/{}.html", self.slug)
    }

    /// The centuries of a list. The twentieth began in 1901.
    pub fn of_centuries(rows: usize, year: impl Fn(usize) -> Option<i16>) -> Vec<Part> {
        let mut centuries: BTreeMap<i16, Vec<usize>> = BTreeMap::new();
        for place in 0..rows {
            if let Some(year) = year(place) {
                centuries.entry((year - 1).div_euclid(100) + 1).or_default().push(place);
            }
        }
        let parts = centuries.into_iter().map(|(century, rows)| {
            let nth = ordinal(century.unsigned_abs().into());
            Part {
                slug: format!("{nth}-century"),
                name: format!("{nth} century"),
                filter: format!("from={}&to={}", (century - 1) * 100 + 1, century * 100),
                rows,
            }
        });
        parts.collect()
    }

    /// The countries of a list, by name. Those with few rows are found only with the filter.
    pub fn of_countries(rows: usize, codes: impl Fn(usize) -> Vec<&'static str>) -> Vec<Part> {
        let mut countries: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        for place in 0..rows {
            for code in codes(place) {
                if let Some(country) = country(code) {
                    countries.entry((country.name, code)).or_default().push(place);
                }
            }
        }
        let parts = countries.into_iter().filter(|(_, rows)| rows.len() >= ENOUGH);
        parts
            .map(|((name, code), rows)| Part {
                slug: format!("country-{}", code.to_lowercase()),
                name: name.to_owned(),
                filter: format!("country={code}"),
                rows,
            })
            .collect()
    }
}

impl Parts {
    /// The parts of a list as links.
    pub fn new(list: &str, groups: &[(&'static str, Vec<Part>)]) -> Vec<Parts> {
        let groups = groups.iter().filter(|(_, parts)| !parts.is_empty());
        groups
            .map(|(name, parts)| Parts {
                name,
                parts: parts
                    .iter()
                    .map(|part| PartLink {
                        link: Link { href: part.path(list), text: part.name.clone() },
                        rows: part.rows.len(),
                    })
                    .collect(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_century_begins_with_its_first_year() {
        let years = [1900, 1901, 2000, 2001];
        let parts = Part::of_centuries(4, |place| Some(years[place]));
        let found: Vec<_> = parts
            .iter()
            .map(|part| (part.slug.as_str(), part.filter.as_str(), &part.rows[..]))
            .collect();
        assert_eq!(
            found,
            [
                ("19th-century", "from=1801&to=1900", &[0][..]),
                ("20th-century", "from=1901&to=2000", &[1, 2][..]),
                ("21st-century", "from=2001&to=2100", &[3][..]),
            ]
        );
    }
}
