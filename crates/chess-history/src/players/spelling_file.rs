//! Reads SCID's spelling file (`.ssp`): names, variants, FIDE ratings by list.
//!
//! The head of the file describes the format. A correct name begins at the margin, with titles,
//! country and dates after `#`. Indented lines follow: variants after `=`, and lines `%Elo
//! 1971:2660 1972:2625`. These have one value for each FIDE list of the year, `?` if unknown.

use std::io::{self, Read};
use std::path::Path;

use jiff::civil::{Date, date};
use memchr::{memchr, memmem};
use rayon::prelude::*;

use super::life::Life;
use super::name::PersonName;
use crate::source::CleanName;
use crate::source::{decode, open_regular};

/// The lowest rating (points) that is kept of a player who is not in the games.
///
/// Judged: the number two of every FIDE list has at least this rating. A lower one keeps thousands
/// of players who are not in the games.
pub const BEST_RATINGS: u16 = 2500;

/// A player in a spelling file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpelledPlayer {
    /// The correct name, as the file spells it.
    pub name: CleanName,
    /// Titles, joined by `+` (`GM`, `IM+WGM`); empty if there are none.
    pub titles: String,
    /// Federations, earliest first, joined by `/`; empty if unknown.
    pub federation: String,
    /// FIDE identification number, if known.
    pub fide_id: Option<u32>,
    /// Other spellings of the name.
    pub variants: Vec<CleanName>,
    /// Year of birth, if known.
    pub born: Option<i16>,
    /// Year of death, if known.
    pub died: Option<i16>,
    /// Month and day of birth, if both are known.
    pub birthday: Option<(i8, i8)>,
    /// Titles with the years of their award, as far as known.
    pub title_years: Vec<(String, i16)>,
    /// FIDE ratings (points) by the day of the list, earliest first.
    pub ratings: Vec<(Date, u16)>,
}

impl SpelledPlayer {
    /// Returns the facts about the player's life.
    pub fn life(&self) -> Life {
        Life {
            titles: self.titles.clone(),
            federation: self.federation.clone(),
            fide_id: self.fide_id,
            born: self.born,
            died: self.died,
            birthday: self.birthday,
            title_years: self.title_years.clone(),
            wikidata: None,
        }
    }
}

/// Reads the player section of a file.
///
/// A player is complete if `occurs` is true for the surname of the name or of a variant
/// ([`PersonName::surname_key`]). Of other players only the best ratings are returned.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub fn read_spelling_file(
    path: &Path,
    occurs: &(dyn Fn(&str) -> bool + Sync),
) -> io::Result<Vec<SpelledPlayer>> {
    let mut text = Vec::new();
    open_regular(path)?.read_to_end(&mut text)?;
    Ok(read(&text, occurs))
}

fn read(text: &[u8], occurs: &(dyn Fn(&str) -> bool + Sync)) -> Vec<SpelledPlayer> {
    // The sections after the players are about places, events and rounds.
    let start = memmem::find(text, b"\n@PLAYER").map_or(0, |place| place + 1);
    let section = &text[start..];
    let end = memmem::find(section, b"\n@").map_or(section.len(), |place| place + 1);
    let section = &section[..end];
    let pieces = pieces(section, rayon::current_num_threads() * 8);
    pieces.into_par_iter().flat_map_iter(|piece| players(piece, occurs)).collect()
}

/// Cuts a section into pieces that begin with a player.
fn pieces(section: &[u8], count: usize) -> Vec<&[u8]> {
    let mut pieces = Vec::with_capacity(count);
    let size = section.len() / count + 1;
    let mut rest = section;
    while !rest.is_empty() {
        let mut cut = size.min(rest.len());
        while let Some(end) = memchr(b'\n', &rest[cut..]) {
            cut += end + 1;
            if rest.get(cut).is_some_and(|byte| begins_player(*byte)) {
                break;
            }
        }
        if cut < rest.len() && !begins_player(rest[cut]) {
            cut = rest.len();
        }
        let (piece, behind) = rest.split_at(cut);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn begins_player(byte: u8) -> bool {
    !matches!(byte, b' ' | b'\t' | b'#' | b'@' | b'\n' | b'\r')
}

fn players(piece: &[u8], occurs: &(dyn Fn(&str) -> bool + Sync)) -> Vec<SpelledPlayer> {
    let mut found = Vec::new();
    let mut rest = piece;
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (head, mut behind) = rest.split_at(end);
        rest = behind;
        if !head.first().is_some_and(|byte| begins_player(*byte)) {
            continue;
        }
        let mut details = 0;
        while matches!(behind.first(), Some(b' ' | b'\t')) {
            let end = memchr(b'\n', behind).map_or(behind.len(), |end| end + 1);
            details += end;
            behind = &behind[end..];
        }
        found.extend(player(head, &rest[..details], occurs));
        rest = behind;
    }
    found
}

/// Reads a player; `None` if the player is not in the games and has no high rating.
fn player(
    head: &[u8],
    details: &[u8],
    occurs: &(dyn Fn(&str) -> bool + Sync),
) -> Option<SpelledPlayer> {
    let (name, comment) = match memchr(b'#', head) {
        Some(mark) => (&head[..mark], &head[mark + 1..]),
        None => (head, &b""[..]),
    };
    let name = CleanName::new(&decode(name.trim_ascii()).0);
    let variants: Vec<CleanName> = lines_after(b"=", details)
        .map(|variant| {
            let end = memchr(b'#', variant).unwrap_or(variant.len());
            CleanName::new(&decode(variant[..end].trim_ascii()).0)
        })
        .collect();
    let is_in_games = std::iter::once(&name)
        .chain(&variants)
        .any(|name| occurs(&PersonName::parse(name).surname_key()));
    let comment = CleanName::new(&decode(comment).0);
    if !is_in_games && peak(&comment) < BEST_RATINGS - 10 {
        return None;
    }
    let mut ratings: Vec<(Date, u16)> =
        lines_after(b"%Elo", details).flat_map(ratings_of).collect();
    ratings.sort_unstable();
    if !is_in_games {
        ratings.retain(|(_, rating)| *rating >= BEST_RATINGS);
        return (!ratings.is_empty()).then(|| SpelledPlayer {
            name,
            ratings,
            ..Default::default()
        });
    }
    let fide_id = lines_after(b"%Bio FIDEID ", details)
        .next()
        .and_then(|id| std::str::from_utf8(id).ok()?.trim().parse().ok())
        .filter(|id| *id > 0);
    // The comment is `GM DEN [2660] 1935.03.04--2010.09.09`.
    let dates = comment.split_once(']').map_or(&comment[..], |(_, dates)| dates);
    let dates = dates.split_whitespace().find(|word| year(word).is_some()).unwrap_or_default();
    let (born, died) = dates.split_once("--").unwrap_or((dates, ""));
    let title_years = lines_after(b"%Bio Title ", details)
        .flat_map(|years| {
            decode(years).0.split_whitespace().filter_map(title_year).collect::<Vec<_>>()
        })
        .collect();
    let mut words = comment.split_whitespace();
    let titles = words.next().filter(|titles| *titles != "-").unwrap_or_default().to_uppercase();
    let federation = words.next().filter(|word| !word.starts_with('[')).unwrap_or_default();
    let federation = federation.to_owned();
    Some(SpelledPlayer {
        name,
        titles,
        federation,
        fide_id,
        variants,
        born: year(born),
        died: year(died),
        birthday: birthday(born),
        title_years,
        ratings,
    })
}

/// Returns the lines that begin with a prefix, without it.
fn lines_after<'t>(prefix: &[u8], text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter_map(move |line| line.strip_prefix(prefix))
}

/// Returns the best rating of a player to the nearest ten points, `[2660]`; 0 if there is none.
fn peak(comment: &str) -> u16 {
    let inside = comment.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inside.and_then(|(peak, _)| peak.trim_end_matches('*').parse().ok()).unwrap_or(0)
}

/// Reads the year at the beginning of a date.
fn year(date: &str) -> Option<i16> {
    date.trim().get(..4)?.parse().ok().filter(|year| *year > 1000)
}

/// Reads the month and the day of `1935.03.04`; `None` for `1935.00.00`.
fn birthday(date: &str) -> Option<(i8, i8)> {
    let mut parts = date.split('.');
    let year = parts.next()?.parse().ok()?;
    let month = parts.next()?.parse().ok()?;
    let day = parts.next()?.parse().ok()?;
    Date::new(year, month, day).ok().map(|day| (day.month(), day.day()))
}

/// Reads a title with its year from `GM:1950`.
fn title_year(word: &str) -> Option<(String, i16)> {
    let (title, year) = word.split_once(':')?;
    let year = year.parse().ok().filter(|year| (1900..2200).contains(year))?;
    Some((title.to_uppercase(), year))
}

/// Reads the ratings in ` 1971:2660 1972:2625,?`.
fn ratings_of(history: &[u8]) -> Vec<(Date, u16)> {
    let mut ratings = Vec::new();
    for year in history.split(|byte| *byte == b' ') {
        let Some(colon) = memchr(b':', year) else { continue };
        let Some(year_number) = number(&year[..colon]) else { continue };
        for (list, value) in year[colon + 1..].split(|byte| *byte == b',').enumerate() {
            if let (Some(rating), Some(day)) = (number(value), list_day(year_number, list)) {
                ratings.push((day, rating as u16));
            }
        }
    }
    ratings
}

/// Reads a number of at most four digits.
fn number(text: &[u8]) -> Option<i16> {
    if text.is_empty() || text.len() > 4 {
        return None;
    }
    text.iter().try_fold(0i16, |number, byte| {
        byte.is_ascii_digit().then(|| number * 10 + i16::from(byte - b'0'))
    })
}

/// Returns the day on which the n-th FIDE list of a year (from 0) came into force.
///
/// The months are those of the lists that the file counts. Until 1989 it has one list a year,
/// although FIDE published two from 1981.
fn list_day(year: i16, list: usize) -> Option<Date> {
    let months: &[i8] = match year {
        1971..=1973 => &[7],
        1974 => &[5],
        1975..=1989 => &[1],
        1990..=2000 => &[1, 7],
        2001..=2008 => &[1, 4, 7, 10],
        2009 => &[1, 4, 7, 9, 11],
        2010..=2011 => &[1, 3, 5, 7, 9, 11],
        2012 => &[1, 3, 5, 7, 8, 9, 10, 11, 12],
        2013..=2100 => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        _ => &[],
    };
    months.get(list).map(|month| date(year, *month, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_have_variants_and_ratings_by_list() {
        let text = "# head\n@PLAYER \"., -\"\n\nLarsen, Bent #gm  DEN [2660] 1935.03.04--2010.09.09\n   \
                    %Bio VIAF 1\n   = Larsen, Bent J\n   %Elo 1971:2660 1972:2625\n   \
                    %Elo 1990:?,2545\nLasker, Emanuel #- GER\n@SITE\nBerlin\n";
        let players = read(text.as_bytes(), &|_| true);
        assert_eq!(players.len(), 2);
        assert_eq!(players[0].name, "Larsen, Bent");
        assert_eq!((players[0].born, players[0].died), (Some(1935), Some(2010)));
        assert_eq!(players[0].variants, ["Larsen, Bent J"]);
        assert_eq!(
            players[0].ratings,
            [(date(1971, 7, 1), 2660), (date(1972, 7, 1), 2625), (date(1990, 7, 1), 2545)]
        );
    }

    #[test]
    fn titles_have_years_and_births_have_days() {
        let text = "@PLAYER\nPortisch, Lajos #gm HUN [2640] 1937.04.04\n   %Bio Title GM:1961 IM:1958\n   \
                    %Bio Title cgm:1990 XX FM:20\nUnzicker, W #gm GER [2540*] 1925.00.00--2006.04.20\n";
        let players = read(text.as_bytes(), &|_| true);
        let year = |title: &str| players[0].life().title_year(title);
        assert_eq!(
            [year("GM"), year("IM"), year("CGM"), year("FM")],
            [Some(1961), Some(1958), Some(1990), None]
        );
        assert_eq!(players[0].birthday, Some((4, 4)));
        assert_eq!(players[0].life().age(1961), Some(24));
        assert_eq!((players[1].born, players[1].birthday), (Some(1925), None));
        // A figure with an asterisk is an estimate.
        assert!(players[1].ratings.is_empty());
    }

    #[test]
    fn a_player_outside_the_games_has_only_his_best_ratings() {
        let text = "@PLAYER\nLarsen, Bent #gm DEN [2660] 1935\n   %Elo 1971:2660 1990:2490,2500\n\
                    Petersen, Bent #- DEN [2010]\n   = Larsson, B\n   %Elo 1990:2010\n\
                    Hansen, B #- DEN [2010]\n   %Elo 1990:2010\n";
        let found = |surname: &str| -> Vec<(String, usize)> {
            read(text.as_bytes(), &|key| key == surname)
                .into_iter()
                .map(|player| (player.name.into(), player.ratings.len()))
                .collect()
        };
        let larsen = ("Larsen, Bent".to_owned(), 2);
        assert_eq!(found("unknown"), std::slice::from_ref(&larsen));
        assert_eq!(found("larsson"), [larsen, ("Petersen, Bent".to_owned(), 1)]);
        assert_eq!(found("larsen"), [("Larsen, Bent".to_owned(), 3)]);
    }

    #[test]
    fn pieces_are_complete_and_begin_with_players() {
        let text = "A #x\n  = B\nC #y\n\nD #z\n  %Elo 1990:2500\nE\n";
        for count in 1..20 {
            let pieces = pieces(text.as_bytes(), count);
            assert_eq!(pieces.concat(), text.as_bytes());
            assert!(pieces.iter().all(|piece| begins_player(piece[0])));
        }
    }
}
