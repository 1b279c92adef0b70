//! Parts of a ranked list that have their own pages: periods, bands, kinds, women, juniors,
//! countries.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Link;
use chess_history::gazetteer::country;
use chess_history::ordinal::ordinal;
use chess_history::players::Life;

/// Rows that a country needs for its own page. Judged: with fewer, the page would only repeat the
/// list.
const ENOUGH: usize = 3;

/// The periods of chess history, by their first years: before the first match for the world
/// championship, to the First World War, to the Second, to Fischer's match, to the end of the
/// century, and since.
const PERIODS: [(i16, &str); 6] = [
    (1800, "To 1885"),
    (1886, "1886–1914"),
    (1915, "1915–1945"),
    (1946, "1946–1971"),
    (1972, "1972–1999"),
    (2000, "From 2000"),
];

/// Players with a list of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Women,
    /// Under 20 in the year of the event, by the year of birth.
    Juniors,
}

impl Group {
    /// Whether a player belonged to the group in a year.
    pub fn has(self, life: Option<&Life>, year: Option<i16>) -> bool {
        match (self, life) {
            (_, None) => false,
            (Group::Women, Some(life)) => life.is_woman(),
            (Group::Juniors, Some(life)) => {
                year.and_then(|year| life.age(year)).is_some_and(|age| age < 20)
            }
        }
    }
}

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

    /// The address of the whole list, filtered to this part if a filter can.
    pub fn in_whole(&self, list: &str) -> String {
        if self.filter.is_empty() { list.to_owned() } else { format!("{list}#{}", self.filter) }
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

    /// The periods of a list: see [`PERIODS`].
    pub fn of_periods(rows: usize, year: impl Fn(usize) -> Option<i16>) -> Vec<Part> {
        let mut parts = Vec::new();
        for (place, (first, name)) in PERIODS.iter().enumerate() {
            let next = PERIODS.get(place + 1).map(|(next, _)| *next);
            let is_in = |year: i16| year >= *first && next.is_none_or(|next| year < next);
            let own: Vec<usize> =
                (0..rows).filter(|place| year(*place).is_some_and(is_in)).collect();
            let to = next.map(|next| format!("&to={}", next - 1)).unwrap_or_default();
            let filter = format!("from={first}{to}");
            let slug = match next {
                Some(next) => format!("years-{first}-{}", next - 1),
                None => format!("years-from-{first}"),
            };
            parts.push(Part { slug, name: (*name).to_owned(), filter, rows: own });
        }
        parts.retain(|part| !part.rows.is_empty());
        parts
    }

    /// The rows of women and of juniors, where a list has some.
    pub fn of_players(rows: usize, is_in: impl Fn(usize, Group) -> bool) -> Vec<Part> {
        let groups =
            [(Group::Women, "women", "Women"), (Group::Juniors, "juniors", "Juniors under 20")];
        let mut parts = Vec::new();
        for (group, slug, name) in groups {
            let own: Vec<usize> = (0..rows).filter(|place| is_in(*place, group)).collect();
            if own.len() >= ENOUGH {
                let (slug, name) = (slug.to_owned(), name.to_owned());
                parts.push(Part { slug, name, filter: String::new(), rows: own });
            }
        }
        parts
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
