//! Reads the titles of pairing programs, which write the place before them: `Tenerife ESP, 20.
//! Open`.

use super::tag::{EventTag, SiteTag};
use crate::games::lexicon::{self, Class};
use crate::games::tag_words;
use crate::gazetteer::{Places, country};
use crate::players::fold;

impl EventTag {
    /// Parses the Event tag of a game that was played at a place. A place before the title is left
    /// out.
    pub(super) fn at(tag: &str, site: &SiteTag, places: &Places) -> EventTag {
        EventTag::parse(title(tag, site, places).as_deref().unwrap_or(tag))
    }
}

/// Returns the title behind the place and the code of its country, or `None` if the tag does not
/// begin with the place of the Site tag.
///
/// A championship without a name is that of the country: `Bled SLO, Men Ch 2003` is `SLO-ch Men
/// 2003`. An open is that of the place.
fn title(tag: &str, site: &SiteTag, places: &Places) -> Option<String> {
    let parts = [tag.split_once(','), behind_code(tag)];
    let (venue, title) = parts.into_iter().flatten().find(|(venue, _)| {
        !site.key.is_empty() && SiteTag::parse(venue).with_place(places).key == site.key
    })?;
    let title = title.trim_start_matches([' ', '-']).trim_end();
    let code = venue.split_whitespace().next_back().filter(|word| country(word).is_some());
    if title.is_empty() {
        return code.map(|_| SiteTag::parse(venue).city);
    }
    // `New York, USA` is the place alone.
    if country(title).is_some() || !title.chars().any(char::is_alphanumeric) {
        return None;
    }
    Some(code.and_then(|code| national(title, code)).unwrap_or_else(|| title.to_owned()))
}

/// Splits a tag behind the first code of a country that is not its first word.
fn behind_code(tag: &str) -> Option<(&str, &str)> {
    let mut end = 0;
    for word in tag.split_inclusive(' ') {
        let is_first = end == 0;
        end += word.len();
        if !is_first && country(word.trim_end()).is_some() {
            return Some(tag.split_at(end));
        }
    }
    None
}

/// Writes the championship of a country with its code, if the title is that of a championship of
/// men, women, teams or an age, and has no other words.
fn national(title: &str, code: &str) -> Option<String> {
    let (mut counted, mut noun, mut rest) = (Vec::new(), None, Vec::new());
    for word in title.split_whitespace() {
        let folded = tag_words(&fold(word)).collect::<Vec<_>>().join(" ");
        let is_of = |class, meaning| lexicon::means(class, &folded, meaning);
        if is_of(Class::Kind, "Championship") {
            noun = noun.or(Some("ch"));
        } else if is_of(Class::Team, "certain") {
            noun = Some("chT");
        } else if word.starts_with(|c: char| c.is_ascii_digit()) && noun.is_none() {
            counted.push(word);
        } else if word.chars().any(|c| c.is_ascii_digit())
            || lexicon::rows(&folded)
                .any(|row| matches!(row.class, Class::Adjective | Class::Sex | Class::Age))
        {
            rest.push(word);
        } else {
            return None;
        }
    }
    let noun = format!("{code}-{}", noun?);
    Some([counted, vec![noun.as_str()], rest].concat().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_before_the_title_is_left_out() {
        let places = Places::default();
        for (tag, site, base) in [
            ("Tenerife ESP, 20. Open", "Tenerife ESP", "20. Open"),
            ("Linares ESP, Linares 1993", "Linares ESP", "Linares 1993"),
            ("Oslo NOR Open", "Oslo NOR", "Open"),
            ("Oslo NOR - Smartfish Masters", "Oslo NOR", "Smartfish Masters"),
            ("Oslo NOR", "Oslo NOR", "Oslo"),
            // A source without codes.
            ("Horgen, Credit Suisse 1994", "Horgen", "Credit Suisse 1994"),
            // The Site has another spelling of the place.
            ("Zuerich SUI, Ehrat mem", "Zurich SUI", "Ehrat mem"),
            ("Bled SLO, Men Ch 2003", "Bled SLO", "SLO-ch Men 2003"),
            ("Bled SLO, 12. Championship Women", "Bled SLO", "12. SLO-ch Women"),
            ("Bled SLO, Ch U18", "Bled SLO", "SLO-ch U18"),
            ("Bled SLO, Team Ch", "Bled SLO", "SLO-chT"),
            // A championship with a name is not that of the country, nor is an open.
            ("Bled SLO, Alpine Ch", "Bled SLO", "Alpine Ch"),
            ("Bled SLO, Open", "Bled SLO", "Open"),
            ("Horgen, Ch 1994", "Horgen", "Ch 1994"),
            // Another place, a country without a place, and a place without a title.
            ("Bergen NOR Open", "Oslo NOR", "Bergen NOR Open"),
            ("NOR Open", "Oslo NOR", "NOR Open"),
            ("London ENG, Open", "Hastings ENG", "London ENG, Open"),
            ("New York, USA", "New York, USA", "New York, USA"),
        ] {
            let site = SiteTag::parse(site).with_place(&places);
            assert_eq!(EventTag::at(tag, &site, &places).base, base, "{tag}");
        }
    }
}
