//! What an event is called.

use super::tag::is_year;
use crate::players::{fold, slug};
use crate::tournament::Kind;

/// A name and the identifiers to try for it, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventName {
    /// As people read it: `Vienna 1898`, `New York 1889 (USA-06.Congress)`,
    /// `Fischer–Spassky, Reykjavik 1972 (World Championship 28th)`.
    pub name: String,
    /// Identifiers, ending in the year.
    pub ids: Vec<String>,
}

/// Names an event.
///
/// `base` is the event's own name from its tag, `city` its place (may be empty), `years` the first
/// and the last, `surnames` those of the two players of a match.
pub fn name(
    base: &str,
    city: &str,
    years: Option<(i16, i16)>,
    kind: Kind,
    surnames: &[&str],
) -> EventName {
    let (base, season) = without_year(&mended(base), years);
    let years = season.or(years);
    let same = is_same_place(&base, city);
    let year = match years {
        None => String::new(),
        Some((first, last)) if last == first + 1 && kind != Kind::Match => {
            format!(" {first}/{:02}", last % 100)
        }
        Some((first, _)) => format!(" {first}"),
    };
    let id_year = years.map(|(first, _)| format!(" {first}")).unwrap_or_default();
    // A name that begins with the place (`Cambridge Springs` at Cambridge, `London-A`) says it all.
    let says_all = !same && begins_with_place(&base, city);
    let place = if city.is_empty() || says_all { &base } else { city };
    let own = if same || says_all || city.is_empty() || base.is_empty() {
        String::new()
    } else {
        format!(" ({base})")
    };
    if let (Kind::Match, [a, b]) = (kind, surnames) {
        // The players come first; a name that is no place stands behind the year.
        let (place, own) = if (says_all || city.is_empty()) && !base.is_empty() {
            (city, format!(" ({base})"))
        } else {
            (place, own)
        };
        let at = if place.is_empty() { String::new() } else { format!(", {place}") };
        return EventName {
            name: format!("{a}–{b}{at}{year}{own}"),
            ids: vec![
                slug(&format!("{a} {b} {place}{id_year}")),
                slug(&format!("{a} {b} {place} {base}{id_year}")),
            ],
        };
    }
    EventName {
        name: format!("{place}{year}{own}").trim().to_owned(),
        ids: if same || says_all {
            vec![slug(&format!("{place}{id_year}"))]
        } else {
            vec![slug(&format!("{place}{id_year}")), slug(&format!("{place} {base}{id_year}"))]
        },
    }
}

/// Slips of sources that would stand on every page: `Candidats`, `21th`.
fn mended(base: &str) -> String {
    let words: Vec<String> = base
        .split(' ')
        .map(|word| {
            // `33th-KK3` is the third match of Kasparov and Karpov, as the name tells anyway.
            let word = match word.split_once("-KK") {
                Some((number, rest)) if rest.bytes().all(|b| b.is_ascii_digit()) => number,
                _ => word,
            };
            let number = word.strip_suffix("th").and_then(|digits| digits.parse::<u32>().ok());
            match (word, number) {
                ("Candidats", _) => "Candidates".to_owned(),
                (_, Some(number)) if !(11..=13).contains(&(number % 100)) => match number % 10 {
                    1 => format!("{number}st"),
                    2 => format!("{number}nd"),
                    3 => format!("{number}rd"),
                    _ => word.to_owned(),
                },
                _ => word.to_owned(),
            }
        })
        .collect();
    words.join(" ")
}

/// Takes the event's year, or its season (`9798`, `7576`), off its name; the season's years.
fn without_year(base: &str, years: Option<(i16, i16)>) -> (String, Option<(i16, i16)>) {
    let Some((first, _)) = years else { return (base.to_owned(), None) };
    // A season is dated by its first or by its second year.
    let seasons = [first, first - 1]
        .map(|year| (format!("{:02}{:02}", year % 100, (year + 1) % 100), (year, year + 1)));
    let mut found = None;
    let words: Vec<&str> = base
        .split_whitespace()
        .filter(|word| !(is_year(word) && *word == first.to_string()))
        .filter_map(|word| {
            for (season, years) in &seasons {
                if let Some(rest) = word.strip_suffix(season.as_str()) {
                    found = Some(*years);
                    return Some(rest).filter(|rest| !rest.is_empty());
                }
            }
            Some(word)
        })
        .collect();
    (words.join(" "), found)
}

/// Whether the name is the place and more.
fn begins_with_place(base: &str, city: &str) -> bool {
    let (base, city) = (fold(base), fold(city));
    !city.is_empty()
        && base
            .strip_prefix(&city)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
}

/// Whether the name says no more than the place.
fn is_same_place(base: &str, city: &str) -> bool {
    let plain =
        |text: &str| -> String { fold(text).chars().filter(|c| c.is_alphabetic()).collect() };
    plain(base) == plain(city)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(base: &str, city: &str, years: (i16, i16)) -> (String, String) {
        let name = name(base, city, Some(years), Kind::RoundRobin, &[]);
        (name.name, name.ids[0].clone())
    }

    #[test]
    fn tournaments_are_called_by_place_and_year() {
        for (base, city, years, name, id) in [
            ("Vienna", "Vienna", (1898, 1898), "Vienna 1898", "vienna-1898"),
            ("Duesseldorf", "Düsseldorf", (1908, 1908), "Düsseldorf 1908", "dusseldorf-1908"),
            ("Hastings7576", "Hastings", (1975, 1976), "Hastings 1975/76", "hastings-1975"),
            ("Hastings6364", "Hastings", (1964, 1964), "Hastings 1963/64", "hastings-1963"),
            (
                "Hastings Premier 9798",
                "Hastings",
                (1997, 1998),
                "Hastings Premier 1997/98",
                "hastings-premier-1997",
            ),
            ("IBM", "Amsterdam", (1977, 1977), "Amsterdam 1977 (IBM)", "amsterdam-1977"),
            (
                "Cambridge Springs",
                "Cambridge",
                (1904, 1904),
                "Cambridge Springs 1904",
                "cambridge-springs-1904",
            ),
            ("London-A", "London", (1946, 1946), "London-A 1946", "london-a-1946"),
            ("URS-ch36", "", (1968, 1968), "URS-ch36 1968", "urs-ch36-1968"),
            ("Candidats", "", (1971, 1971), "Candidates 1971", "candidates-1971"),
            ("Grand Prix 21th", "", (1999, 1999), "Grand Prix 21st 1999", "grand-prix-21st-1999"),
            ("Open 111th", "", (1999, 1999), "Open 111th 1999", "open-111th-1999"),
            (
                "FIDE Candidates 2014",
                "Khanty-Mansiysk",
                (2014, 2014),
                "Khanty-Mansiysk 2014 (FIDE Candidates)",
                "khanty-mansiysk-2014",
            ),
        ] {
            assert_eq!(tournament(base, city, years), (name.into(), id.into()));
        }
    }

    #[test]
    fn matches_are_called_by_their_players() {
        let name = name(
            "World Championship 28th",
            "Reykjavik",
            Some((1972, 1972)),
            Kind::Match,
            &["Fischer", "Spassky"],
        );
        assert_eq!(name.name, "Fischer–Spassky, Reykjavik 1972 (World Championship 28th)");
        assert_eq!(name.ids[0], "fischer-spassky-reykjavik-1972");
    }
}
