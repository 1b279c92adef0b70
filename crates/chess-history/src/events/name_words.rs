//! Finds the words of an Event tag that name the event, and puts them in English order.

use super::tag::is_year;
use crate::games::lexicon::{self, Class};
use crate::ordinal::ordinal;
use crate::players::fold;

/// Puts the number of the edition first, and the kind of competition after its name.
///
/// An event of women is `Women's`, except where the other words are only those of its place.
pub(super) fn in_english_order(text: &str, place: &str) -> String {
    // `Barmen-A` is `Barmen A`.
    let text: &str = match text.rsplit_once('-') {
        Some((name, letter)) if letter.len() == 1 && letter.chars().all(char::is_uppercase) => {
            &format!("{name} {letter}")
        }
        _ => text,
    };
    let mut words = number_first(text.split_whitespace().collect());
    // `International Tournament Agentlocator` is the `Agentlocator International Tournament`.
    if let [first, second, third, ..] = &words[..]
        && first == "International"
        && second == "Tournament"
        && third.len() > 1
        && !third.starts_with('(')
    {
        words.rotate_left(2);
    }
    adjust_women_and_men(without_initials(noun_after_name(words)), place).join(" ")
}

/// Writes an event of women as `Women's`, and leaves out `Men`.
///
/// `Kings Rapid Women` becomes `Kings Women's Rapid`, `26th Universiade Women` becomes `26th
/// Women's Universiade`, and `Universiade Men` becomes `Universiade`. `Women vs Veterans` is a
/// match of two teams.
fn adjust_women_and_men(mut words: Vec<String>, place: &str) -> Vec<String> {
    let found =
        words.iter().enumerate().find_map(|(at, word)| match word.trim_matches(['(', ')', '-']) {
            "Women" => Some((at, true)),
            "Men" => Some((at, false)),
            _ => None,
        });
    let Some((at, are_of_women)) = found else { return words };
    let next = words.get(at + 1).cloned();
    if next.as_ref().is_some_and(|next| belongs_to_team(next))
        || (at > 0 && belongs_to_team(&words[at - 1]))
    {
        return words;
    }
    let without = [&words[..at], &words[at + 1..]].concat();
    if without.is_empty() || letters_of(&without.join(" ")) == letters_of(place) {
        return words;
    }
    if !are_of_women {
        return without;
    }
    let womens = "Women's".to_owned();
    match next {
        // A letter or a number denotes a group.
        Some(next) if next.chars().next().is_some_and(char::is_alphabetic) && next.len() > 1 => {
            words[at] = womens;
            words
        }
        next => {
            let is_kind = next.is_none()
                && at > 0
                && lexicon::means(Class::Generic, &fold(&without[at - 1]), "women before");
            let counted = usize::from(is_ordinal(&without[0]));
            let before = if is_kind { at - 1 } else { counted };
            [&without[..before], &[womens], &without[before..]].concat()
        }
    }
}

/// Returns whether a word next to `Women` or `Men` makes them a team, or young.
fn belongs_to_team(word: &str) -> bool {
    lexicon::means(Class::Generic, fold(word).trim_end_matches('.'), "next to women")
}

/// Puts the edition first: `Copenhagen Open 17` becomes `17th Copenhagen Open`, `Terme Open 8th`
/// becomes `8th Terme Open`, and `XX Ciudad de León` becomes `20th Ciudad de León`.
fn number_first(words: Vec<&str>) -> Vec<String> {
    if let [first, rest @ ..] = &words[..]
        && let Some(number) = roman(first)
        && let Some(next) = rest.first()
        // A single letter may be an initial: `I Zaitsev Memorial`.
        && (first.len() > 1
            || names_a_competition(next)
            || (!rest.contains(&"Memorial")
                && rest.iter().any(|word| {
                    // `I Menorca Open`
                    names_a_competition(word) || matches!(*word, "GM" | "IM" | "Cup" | "Trophy")
                })))
    {
        return put_edition_first(number, rest);
    }
    if let [rest @ .., before, last] = &words[..] {
        let number: Option<u16> = last.trim_end_matches(char::is_alphabetic).parse().ok();
        let is_counted = is_ordinal(last)
            || (last.bytes().all(|byte| byte.is_ascii_digit())
                && (names_a_competition(before)
                    || matches!(*before, "Memorial" | "Cup" | "Trophy")));
        if let Some(number) = number.filter(|number| is_counted && (2..100).contains(number))
            && !rest.iter().any(|word| is_ordinal(word))
        {
            return put_edition_first(number, &[rest, &[*before]].concat());
        }
    }
    words.into_iter().map(str::to_owned).collect()
}

/// Puts the number of the edition before the other words.
fn put_edition_first(number: u16, rest: &[&str]) -> Vec<String> {
    let rest = rest.iter().map(|word| (*word).to_owned());
    std::iter::once(ordinal(number.into())).chain(rest).collect()
}

/// Turns `Copa Unión de Reyes` into `Unión de Reyes Cup`, and `Memorial Capablanca Elite` into
/// `Capablanca Memorial Elite`.
fn noun_after_name(words: Vec<String>) -> Vec<String> {
    let first = usize::from(words.first().is_some_and(|word| is_ordinal(word)));
    let noun = words.get(first).and_then(|word| lexicon::meaning(Class::Noun, &fold(word)));
    let Some(noun) = noun else { return words };
    let name = words[first + 1..]
        .iter()
        .take_while(|word| {
            word.chars().next().is_some_and(char::is_alphabetic)
                && word.len() > 1
                && !names_a_competition(word)
        })
        .count();
    if name == 0 {
        return words;
    }
    let (counted, rest) = (&words[..first], &words[first + 1..]);
    [counted, &rest[..name], &[noun.to_owned()], &rest[name..]].concat()
}

/// Removes initials before a memorial, which are not spoken: `Zilberstein Memorial` of `V I
/// Zilberstein Memorial`.
fn without_initials(words: Vec<String>) -> Vec<String> {
    let Some(memorial) = words.iter().position(|word| word == "Memorial") else { return words };
    let first = usize::from(words.first().is_some_and(|word| is_ordinal(word)));
    let initials = words[first..]
        .iter()
        .take_while(|word| {
            let letters = word.trim_end_matches('.');
            (1..=2).contains(&letters.len())
                && letters.chars().all(char::is_uppercase)
                && !matches!(letters, "GM" | "IM")
        })
        .count();
    if first + initials >= memorial {
        return words;
    }
    [&words[..first], &words[first + initials..]].concat()
}

/// Returns the value of the Roman numeral of an edition, from 1 to 89 in canonical form.
pub(super) fn roman(word: &str) -> Option<u16> {
    let letters = word.trim_end_matches('.');
    let is_numeral = !letters.is_empty() && letters.bytes().all(|byte| b"IVXL".contains(&byte));
    (1..90).find(|number| is_numeral && roman_numeral(*number) == letters)
}

/// Writes a number from 1 to 89 as a Roman numeral.
pub(super) fn roman_numeral(number: u16) -> String {
    let tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX"];
    let ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    format!("{}{}", tens[usize::from(number / 10)], ones[usize::from(number % 10)])
}

/// Returns whether a word is an ordinal: `51st`, `14th`.
pub(super) fn is_ordinal(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&word[digits.len()..], "st" | "nd" | "rd" | "th")
}

/// Returns the name in a tag; empty if it contains only the place.
///
/// A place in the spelling of the tag is replaced by its common name.
pub(super) fn words_beyond_place(written: &str, place: &str, tagged_place: &str) -> String {
    // `St Louis Classic` at Saint Louis.
    let written = &match place.strip_prefix("Saint ") {
        Some(rest) => {
            written.replace(&format!("St {rest}"), place).replace(&format!("St. {rest}"), place)
        }
        None => written.to_owned(),
    };
    let [plain, plain_tagged] = [written, tagged_place].map(letters_of);
    if plain == letters_of(place) || plain == plain_tagged {
        return String::new();
    }
    if plain_tagged.is_empty() || !plain.contains(&plain_tagged) {
        return written.to_owned();
    }
    // `10th Cesme Open A` was played in Çeşme.
    let words: Vec<&str> = written.split_whitespace().collect();
    for length in (1..=3).rev() {
        for start in 1..(words.len() + 1).saturating_sub(length) {
            let part = words[start..start + length].join(" ");
            if letters_of(&part) == plain_tagged && !place.is_empty() {
                let (before, behind) = (&words[..start], &words[start + length..]);
                return [before, &[place], behind].concat().join(" ");
            }
        }
    }
    let rest = (!tagged_place.is_empty() && written.is_char_boundary(tagged_place.len()))
        .then(|| written.split_at(tagged_place.len()))
        .filter(|(start, _)| letters_of(start) == plain_tagged)
        // The spelling of the tag may be a byte shorter.
        .map(|(start, _)| &written[start.trim_end().len()..])
        .filter(|rest| !rest.starts_with(char::is_alphabetic));
    match rest {
        // `Suncoast, Australian Open`.
        Some(rest) if rest.starts_with(',') => rest.trim_start_matches([',', ' ']).to_owned(),
        Some(rest) if !place.is_empty() => format!("{place}{rest}"),
        _ => written.to_owned(),
    }
}

/// Names an event that belongs to no known series, by the words of its tag and its place.
///
/// Examples are `27th Bratto Open 2007` and `BDO Masters, Haarlem 2005`. A single word that names
/// no competition may be anything, and follows in brackets: `New York 1990 (Manhattan)`.
pub(super) fn name_by_words(text: &str, place: &str, year: &str) -> String {
    let mut counted: Vec<&str> = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        if is_ordinal(word) && counted.is_empty() {
            counted.push(word);
        } else {
            words.push(word);
        }
    }
    let counted = counted.iter().map(|word| format!("{word} ")).collect::<String>();
    let are_common = words.iter().all(|word| {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
        plain.len() == 1 || names_a_competition(plain) || matches!(plain, "Women's" | "GM" | "IM")
    });
    let rest = words.join(" ");
    if are_common {
        let space = if rest.is_empty() { "" } else { " " };
        return format!("{counted}{place}{space}{rest}{year}");
    }
    if words.len() == 1 && counted.is_empty() && !words[0].contains(['-', '–', '\'']) {
        return format!("{place}{year} ({text})");
    }
    format!("{counted}{rest}, {place}{year}")
}

/// Returns whether a word names a kind of competition.
fn names_a_competition(word: &str) -> bool {
    lexicon::means(Class::Generic, &fold(word), "competition")
}

/// Leaves only the kind of an event whose other words are uninformative: `International Tournament
/// (open)` is an open.
pub(super) fn kind_in_brackets(text: &str) -> &str {
    match text.rsplit_once(" (") {
        Some((rest, "open)")) if is_uninformative(rest) => "Open",
        _ => text,
    }
}

/// Returns whether all words of an event are uninformative.
pub(super) fn is_uninformative(text: &str) -> bool {
    words_of(&fold(text)).iter().all(|word| {
        lexicon::means(Class::Generic, word, "uninformative")
            || word.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Returns whether the name begins with the place.
pub(super) fn begins_with_place(base: &str, city: &str) -> bool {
    let (base, city) = (fold(base), fold(city));
    !city.is_empty()
        && base
            .strip_prefix(&city)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
}

/// Returns whether the name contains the words of the place.
pub(super) fn contains_place(name: &str, place: &str) -> bool {
    let [name, place] = [name, place].map(|text| {
        let folded = fold(text);
        let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        format!(" {} ", words.collect::<Vec<_>>().join(" "))
    });
    name.contains(&place)
}

/// Returns whether the name contains only the place.
pub(super) fn is_same_place(base: &str, city: &str) -> bool {
    letters_of(base) == letters_of(city)
}

/// Splits a folded text into words.
pub(super) fn words_of(folded: &str) -> Vec<String> {
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Returns the folded letters of a text, for comparison.
pub(super) fn letters_of(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphabetic()).collect()
}

/// Corrects misprints of sources that would appear on every page: `Candidats`, `21th`.
///
/// Some programs write quotation marks as backslashes (`\Troll Masters\`), and ordinals as in
/// German (`20. Open`). A `1/2 final` is a semifinal. The ending of an ordinal that has lost its
/// number says nothing.
pub(super) fn corrected(base: &str) -> String {
    let mut plain = base.replace(['\\', '"'], "").replace("(women)", "(Women)");
    for row in lexicon::rows_of(Class::Stage).filter(|row| row.word.contains('/')) {
        let (first, rest) = row.meaning.split_at(1);
        for ending in [" final", "-final", " Final"] {
            let stage = format!("{}{rest}", first.to_uppercase());
            plain = plain.replace(&format!("{}{ending}", row.word), &stage);
        }
    }
    let all: Vec<&str> = plain.split(' ').collect();
    let words: Vec<String> = all
        .iter()
        .enumerate()
        .filter(|(_, word)| all.len() == 1 || !matches!(**word, "st" | "nd" | "rd" | "th"))
        .map(|(place, word)| {
            let next = all.get(place + 1).copied().unwrap_or_default();
            if let Some(number) = word.strip_suffix('.').and_then(|digits| digits.parse().ok())
                && next.starts_with(char::is_alphabetic)
            {
                return ordinal(number);
            }
            // `33th-KK3` is the third match of Kasparov and Karpov, which the name shows anyway.
            let word = match word.split_once('-') {
                Some((number, rest)) if names_players(rest) => number,
                _ => *word,
            };
            let number = word.strip_suffix("th").and_then(|digits| digits.parse::<u32>().ok());
            match (lexicon::meaning(Class::Spelling, &fold(word)), number) {
                (Some(spelling), _) => spelling.to_owned(),
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

/// Removes what programs add to a name: the category of the tournament (`It (cat.12)`), which is
/// returned, and the cycle of the world championship (`izt FIDE (37) 1990-1993`).
pub(super) fn without_additions(base: &str) -> (String, Option<u16>) {
    let mut category = None;
    let mut words: Vec<&str> = Vec::new();
    let mut rest = base.split_whitespace().peekable();
    while let Some(word) = rest.next() {
        let number = |word: &str| word.trim_end_matches(')').parse::<u16>().ok();
        if let Some(of) = word.to_lowercase().strip_prefix("(cat.") {
            category = if of.is_empty() { rest.next().and_then(number) } else { number(of) };
        } else if word == "FIDE"
            && rest.peek().is_some_and(|next| next.strip_prefix('(').and_then(number).is_some())
        {
            rest.next();
            rest.next_if(|years| years.split('-').all(is_year));
        } else {
            words.push(word);
        }
    }
    (words.join(" "), category)
}

/// Returns whether the letters of a word are those of two players, as in `KK3`.
fn names_players(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    lexicon::means(Class::Generic, &letters.to_lowercase(), "players")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_women_are_womens_and_those_of_men_need_no_word() {
        for (tag, name) in [
            ("4th Games Women", "4th Women's Games"),
            ("11th Kings Rapid Women", "11th Kings Women's Rapid"),
            ("Keres Memorial (Women)", "Women's Keres Memorial"),
            ("Women Star Rapid", "Women's Star Rapid"),
            ("Universiade Men", "Universiade"),
            // A match of teams, a name of a place, and young men.
            ("Women vs Veterans", "Women vs Veterans"),
            ("Jajce (Women)", "Jajce (Women)"),
            ("Gausdal Young Men", "Gausdal Young Men"),
        ] {
            assert_eq!(in_english_order(tag, "Jajce"), name);
        }
    }

    #[test]
    fn quotation_marks_and_german_ordinals_are_rewritten() {
        for (tag, name) in [
            (r"\Troll Masters\", "Troll Masters"),
            ("20. Open", "20th Open"),
            ("05. Open", "5th Open"),
            ("th Karpov", "Karpov"),
            ("Candidates (1/4 final)", "Candidates (Quarterfinal)"),
            ("Candidates 1/4", "Candidates 1/4"),
            // A number at the end and an abbreviation are none.
            ("Magistral 20.", "Magistral 20."),
            ("St. Petersburg", "St. Petersburg"),
        ] {
            assert_eq!(corrected(tag), name);
        }
    }

    #[test]
    fn categories_and_cycles_are_no_part_of_a_name() {
        for (tag, name, category) in [
            ("It (cat.12)", "It", Some(12)),
            ("Magistral (cat. 9) A", "Magistral A", Some(9)),
            ("izt FIDE (37) 1990-1993", "izt", None),
            ("FIDE Grand Prix", "FIDE Grand Prix", None),
            ("Chess (Cat) Cup", "Chess (Cat) Cup", None),
        ] {
            assert_eq!(without_additions(tag), (name.to_owned(), category));
        }
    }

    #[test]
    fn words_are_put_in_english_order() {
        for (tag, name) in [
            ("Copenhagen Open 17", "17th Copenhagen Open"),
            ("Montecatini Terme Open 8th", "8th Montecatini Terme Open"),
            ("XX Ciudad de León", "20th Ciudad de León"),
            ("II Magistral", "2nd Magistral"),
            ("V Open", "5th Open"),
            ("I Menorca Open", "1st Menorca Open"),
            ("I Zaitsev Memorial Open", "Zaitsev Memorial Open"),
            // One has an initial first, another a numeral in the middle.
            ("V I Zilberstein Memorial", "Zilberstein Memorial"),
            ("VN Startsev Memorial Rapid", "Startsev Memorial Rapid"),
            ("GM Norm Memorial", "GM Norm Memorial"),
            ("Elizabeth II Cup", "Elizabeth II Cup"),
            ("Copa Unión de Reyes 4th", "4th Unión de Reyes Cup"),
            ("II Copa ENTEL", "2nd ENTEL Cup"),
            ("Memorial Capablanca Elite", "Capablanca Memorial Elite"),
            ("Memorial", "Memorial"),
            ("Barmen-A", "Barmen A"),
            // A year is not the number of an edition.
            ("Champions Tour 2021", "Champions Tour 2021"),
        ] {
            assert_eq!(in_english_order(tag, ""), name);
        }
    }
}
