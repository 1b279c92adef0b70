//! Finds the year and the season in the name of an event.

use super::name_words::corrected;
use super::tag::is_year;

/// Removes the event's year, or its season (`9798`, `7576`), from its name. Also returns the years
/// of the season.
pub(super) fn without_year(base: &str, years: Option<(i16, i16)>) -> (String, Option<(i16, i16)>) {
    let Some((first, _)) = years else { return (base.to_owned(), None) };
    // A season is dated by its first or by its second year.
    let seasons = [first, first - 1]
        .map(|year| (format!("{:02}{:02}", year % 100, (year + 1) % 100), (year, year + 1)));
    let mut found = None;
    let words: Vec<&str> = base
        .split_whitespace()
        .filter(|word| !(is_year(word) && *word == first.to_string()))
        .filter(|word| match season_of(word) {
            Some(years) => {
                found = Some(years);
                false
            }
            None => true,
        })
        .collect();
    let words: Vec<&str> = words
        .into_iter()
        .filter_map(|word| {
            for (season, years) in &seasons {
                // `97/98`, `19-20`
                let is_short = word.split_once(['-', '/']).is_some_and(|(first, second)| {
                    first.len() == 2 && second.len() == 2 && *season == format!("{first}{second}")
                });
                if is_short {
                    found = Some(*years);
                    return None;
                }
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

/// Returns the years of a season (`7071`, `1999-2000`) in an Event tag, given the years of its
/// games.
pub(super) fn season(base: &str, years: (i16, i16)) -> Option<(i16, i16)> {
    without_year(&corrected(base), Some(years)).1
}

/// Parses a season: `2014-15`, `2014/15`, `1999-2000`.
fn season_of(word: &str) -> Option<(i16, i16)> {
    let (first, second) = word.split_once(['-', '/'])?;
    let year = first.parse::<i16>().ok().filter(|_| is_year(first))?;
    let next = (year + 1).to_string();
    // Also `2008-9`.
    let is_next = second == next || second == &next[2..] || second == &next[3..];
    is_next.then_some((year, year + 1))
}
