//! Derives the identifiers of events.

use super::name_words::{begins_with_place, contains_place, is_same_place, words_of};
use super::naming_input::NamingInput;
use super::series::SeriesEdition;
use crate::games::Tempo;
use crate::games::lexicon::{self, Class};
use crate::players::{fold, slug};
use crate::tournament::Kind;

/// Returns the mark of a word that distinguishes events of one place and year.
///
/// Marks are part of the identifier.
fn mark_of(word: &str) -> Option<&'static str> {
    lexicon::meaning(Class::Mark, word.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// Returns the marks of an event, by its words, its kind and its tempo.
fn marks(about: &NamingInput<'_>, base: &str, series: Option<&SeriesEdition>) -> Vec<&'static str> {
    let mut marks: Vec<&'static str> = Vec::new();
    let is_series = series.is_some();
    let by_kind = match about.kind {
        Kind::Swiss if !is_series => Some("open"),
        Kind::Fragment | Kind::Other if !is_series && about.field > CLOSED => Some("open"),
        Kind::Team => Some("teams"),
        _ => None,
    };
    let by_tempo = match about.tempo {
        Tempo::Classical => None,
        Tempo::Rapid => Some("rapid"),
        Tempo::Blitz => Some("blitz"),
    };
    let name = series.map_or("", |series| &series.name);
    let words = words_of(&fold(&format!("{base} {}", name.replace('\'', ""))));
    for mark in words.iter().filter_map(|word| mark_of(word)).chain(by_kind).chain(by_tempo) {
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    marks
}

/// An event of unknown kind with more players than this is probably an open one.
///
/// Judged: closed tournaments rarely have more than twenty players. With half, many would be called
/// open; with double, small opens would not.
const CLOSED: usize = 20;

/// The identifiers of an event.
pub(super) struct Identifiers {
    /// Those to try, in order: by place, marks and year, then also with the words of the tag.
    pub to_try: Vec<String>,
    /// The first one with the month.
    pub with_month: Option<String>,
}

impl Identifiers {
    /// Forms the identifiers. Those of a match name its players: `fischer-spassky-reykjavik-1972`.
    pub fn new(
        about: &NamingInput<'_>,
        base: &str,
        series: Option<&SeriesEdition>,
        years: Option<(i16, i16)>,
    ) -> Identifiers {
        let year = &years.map(|(first, _)| format!(" {first}")).unwrap_or_default();
        let (Kind::Match, Some([a, b])) = (about.kind, about.players) else {
            return Identifiers::for_tournament(about, base, series, year);
        };
        let place = about.id_place;
        // The order of the players must not depend on who won.
        let [a, b] = if fold(a) <= fold(b) { [a, b] } else { [b, a] };
        let tempo = match about.tempo {
            Tempo::Classical => "",
            Tempo::Rapid => " rapid",
            Tempo::Blitz => " blitz",
        };
        let to_try = vec![
            slug_of_year(&format!("{a} {b} {place}{tempo}"), year),
            slug_of_year(&format!("{a} {b} {place} {base}{tempo}"), year),
        ];
        let with_month =
            about.month.map(|month| slug_of_year(&format!("{a} {b} {place}{tempo} {month}"), year));
        Identifiers { to_try, with_month }
    }

    /// The identifiers of any other event: `vienna-1898`, `linares-open-2002`.
    fn for_tournament(
        about: &NamingInput<'_>,
        base: &str,
        series: Option<&SeriesEdition>,
        year: &str,
    ) -> Identifiers {
        let place = about.id_place;
        let is_place = is_same_place(base, place) || is_same_place(base, about.tagged_place);
        let name = match (series, is_place) {
            (_, true) => "",
            // `candidates-1971`, both for a tournament and for matches.
            (Some(series), _) => {
                series.name.trim_end_matches(" Tournament").trim_end_matches(" Matches")
            }
            (None, _) => base,
        };
        let tail = words_behind_place(base, about.tagged_place);
        let is_letter = tail.len() == 1 && tail[0] == "a";
        let says_place =
            begins_with_place(base, place) || begins_with_place(base, about.tagged_place);
        let mut marks = marks(about, base, series);
        // The letter distinguishes `London-A` from `London`.
        if says_place && is_letter {
            marks.push("a");
        }
        let says_marks = tail.iter().all(|word| {
            mark_of(word).is_some() || word.starts_with(|c: char| c.is_ascii_digit()) || is_letter
        });
        let is_closed = about.kind.is_round_robin()
            || matches!(about.kind, Kind::KnockOut | Kind::Scheveningen);
        let stem = match (place, series) {
            ("", _) => name.to_owned(),
            (place, Some(_)) if !is_closed && contains_place(name, place) => name.to_owned(),
            (place, Some(_)) if !is_closed && !name.is_empty() => format!("{place} {name}"),
            (place, Some(_)) => place.to_owned(),
            // Its name distinguishes `Cambridge Springs` from Cambridge.
            (_, None) if says_place && !is_place && !says_marks => name.to_owned(),
            (place, None) => place.to_owned(),
        };
        let stem = if stem.is_empty() { "unnamed".to_owned() } else { stem };
        let marked = add_marks(&stem, &marks);
        let mut to_try = vec![slug_of_year(&marked, year)];
        if !name.is_empty() && name != stem {
            let stem = if !place.is_empty() && contains_place(name, place) {
                name.to_owned()
            } else {
                format!("{place} {name}")
            };
            to_try.push(slug_of_year(&add_marks(&stem, &marks), year));
        }
        to_try.dedup();
        let with_month = about.month.map(|month| slug_of_year(&format!("{marked} {month}"), year));
        Identifiers { to_try, with_month }
    }
}

/// Skips as many words of a name as the place has, and returns the others.
fn words_behind_place(base: &str, place: &str) -> Vec<String> {
    let mut words = words_of(&fold(base));
    let of_place = words_of(&fold(place)).len();
    words.split_off(of_place.min(words.len()))
}

/// Adds the marks that an identifier does not contain already, separated by spaces.
fn add_marks(stem: &str, marks: &[&'static str]) -> String {
    let words = words_of(&fold(stem));
    let mut unsaid: Vec<&str> = Vec::new();
    for &mark in marks {
        let is_said = words.iter().any(|word| {
            word == mark
                || mark_of(word) == Some(mark)
                || (mark == "teams"
                    && (matches!(word.as_str(), "team" | "olympiad" | "league")
                        || word.ends_with("liga")))
        });
        if !is_said {
            unsaid.push(mark);
        }
    }
    format!("{stem} {}", unsaid.join(" "))
}

/// Forms an identifier that keeps its year, however long the rest is.
fn slug_of_year(stem: &str, year: &str) -> String {
    // Identifiers name files, whose paths should stay short.
    const LONGEST: usize = 72;
    let mut id = slug(stem);
    id.truncate(LONGEST);
    format!("{}{}", id.trim_end_matches('-'), year.replace(' ', "-"))
}
