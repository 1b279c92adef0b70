//! SCID's spelling file (`.ssp`): names, variants, FIDE ratings by list.
//!
//! The format is described in the head of the file itself: a correct name at the margin with
//! titles, country, and dates behind `#`; below it, indented, variants after `=` and lines
//! `%Elo 1971:2660 1972:2625`, one value for each FIDE list of the year, `?` where unknown.

use std::io::{self, BufRead};

use jiff::civil::{Date, date};

/// A player of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpelledPlayer {
    /// The correct name.
    pub name: String,
    /// What else it is spelt.
    pub variants: Vec<String>,
    /// Year of birth.
    pub born: Option<i16>,
    /// Year of death.
    pub died: Option<i16>,
    /// FIDE ratings (points) by the day of the list.
    pub ratings: Vec<(Date, u16)>,
}

/// Reads the player section and calls `visit` for each player.
///
/// # Errors
///
/// Where the reader fails.
pub fn read_spelling_file(
    mut reader: impl BufRead,
    mut visit: impl FnMut(SpelledPlayer),
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut player: Option<SpelledPlayer> = None;
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if text.starts_with('@') {
            if text.starts_with("@PLAYER") {
                continue;
            }
            // The sections behind the players are about places, events and rounds.
            if player.is_some() {
                break;
            }
        } else if text.starts_with([' ', '\t']) {
            if let Some(player) = &mut player {
                detail(text.trim_start(), player);
            }
        } else if !text.is_empty() && !text.starts_with('#') {
            let (name, comment) = text.split_once('#').unwrap_or((text, ""));
            let (born, died) = life(comment);
            let next =
                SpelledPlayer { name: name.trim().to_owned(), born, died, ..Default::default() };
            if let Some(done) = player.replace(next) {
                visit(done);
            }
        }
    }
    if let Some(last) = player {
        visit(last);
    }
    Ok(())
}

/// Years of birth and death from `GM DEN [2660] 1935.03.04--2010.09.09`.
fn life(comment: &str) -> (Option<i16>, Option<i16>) {
    let dates = comment.split_once(']').map_or(comment, |(_, dates)| dates);
    let year = |text: &str| -> Option<i16> {
        let digits = text.trim().get(..4)?;
        digits.parse().ok().filter(|year| *year > 1000)
    };
    let Some(dates) = dates.split_whitespace().find(|word| year(word).is_some()) else {
        return (None, None);
    };
    match dates.split_once("--") {
        Some((born, died)) => (year(born), year(died)),
        None => (year(dates), None),
    }
}

fn detail(text: &str, player: &mut SpelledPlayer) {
    if let Some(variant) = text.strip_prefix('=') {
        let variant = variant.split('#').next().unwrap_or_default().trim();
        player.variants.push(variant.to_owned());
    } else if let Some(history) = text.strip_prefix("%Elo") {
        for year in history.split_whitespace() {
            let Some((year, values)) = year.split_once(':') else { continue };
            let Ok(year) = year.parse::<i16>() else { continue };
            for (list, value) in values.split(',').enumerate() {
                if let (Some(day), Ok(rating)) = (list_day(year, list), value.parse()) {
                    player.ratings.push((day, rating));
                }
            }
        }
    }
}

/// The day on which the n-th (from 0) FIDE list of a year came into force.
///
/// The months are those of FIDE's lists as the file counts them (it has one a year until 1989,
/// although FIDE issued a second from 1981).
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
    fn players_come_with_variants_and_ratings_by_list() {
        let text = "# head\n@PLAYER \"., -\"\n\nLarsen, Bent #gm  DEN [2660] 1935.03.04--2010.09.09\n   \
                    %Bio VIAF 1\n   = Larsen, Bent J\n   %Elo 1971:2660 1972:2625\n   \
                    %Elo 1990:?,2545\nLasker, Emanuel #- GER\n@SITE\nBerlin\n";
        let mut players = Vec::new();
        read_spelling_file(text.as_bytes(), |player| players.push(player)).unwrap();
        assert_eq!(players.len(), 2);
        assert_eq!(players[0].name, "Larsen, Bent");
        assert_eq!((players[0].born, players[0].died), (Some(1935), Some(2010)));
        assert_eq!(players[0].variants, ["Larsen, Bent J"]);
        assert_eq!(
            players[0].ratings,
            [(date(1971, 7, 1), 2660), (date(1972, 7, 1), 2625), (date(1990, 7, 1), 2545)]
        );
    }
}
