//! Parses players' names into normalised parts that can be compared.

use std::borrow::Cow;

use deunicode::deunicode;

use crate::games::lexicon::{self, Class};

/// A name in parts, folded: lower case, no diacritics, German and Nordic digraphs as one vowel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PersonName {
    /// Words of the surname.
    pub surname: Vec<String>,
    /// Words of the given names or initials, and of what follows them (`sr`, a country, a number).
    pub given: Vec<String>,
}

impl PersonName {
    /// Parses `Surname, Given` as games write it.
    ///
    /// Without a comma the whole text is the surname, unless a capital shows that the comma is
    /// missing (`KasparovG`).
    pub fn parse(text: &str) -> PersonName {
        let (text, mark) = without_marks(text);
        let parts = text.split_once(',').or_else(|| before_initial(&text));
        let (surname, given) = parts.unwrap_or((&text, ""));
        let mut name = PersonName { surname: words(surname), given: words(&separated(given)) };
        name.given.extend(mark);
        name
    }

    /// Parses a name that may also be `Given Surname`, as lists write it.
    ///
    /// Returns all ways to split it into given names and surname, most likely first.
    pub fn readings(text: &str) -> Vec<PersonName> {
        if text.contains(',') {
            return vec![PersonName::parse(text)];
        }
        let text = &*without_marks(text).0;
        let mut words = words(text);
        // `Milan Vidmar Sr`: the word after the surname belongs to the given names.
        let behind = words.pop_if(|word| matches!(word.as_str(), "sr" | "jr"));
        let last = words.len().saturating_sub(1);
        let mut readings: Vec<PersonName> = (1..=last)
            .rev()
            .map(|cut| PersonName {
                surname: words[cut..].to_vec(),
                given: words[..cut].iter().chain(&behind).cloned().collect(),
            })
            .collect();
        readings.push(PersonName { surname: words, given: behind.into_iter().collect() });
        readings
    }

    /// Returns the ways to divide a name without a comma into a surname and given names.
    pub(crate) fn readings_without_comma(&self) -> impl Iterator<Item = PersonName> + '_ {
        (1..self.surname.len()).flat_map(|cut| {
            let (before, behind) = self.surname.split_at(cut);
            [(before, behind), (behind, before)]
                .map(|(surname, given)| PersonName { surname: surname.into(), given: given.into() })
        })
    }

    /// Returns the key of the surname.
    pub fn surname_key(&self) -> String {
        self.surname.concat()
    }

    /// Whether this is the key of the surname. Nothing is allocated.
    pub(crate) fn has_surname_key(&self, key: &str) -> bool {
        let rest = self.surname.iter().try_fold(key, |rest, word| rest.strip_prefix(word.as_str()));
        rest == Some("")
    }

    /// Returns the key of the whole name; equal keys are one spelling.
    pub fn key(&self) -> String {
        format!("{},{}", self.surname.concat(), self.given.join(" "))
    }

    /// Whether the given names may be one player's.
    ///
    /// They are compatible if the first names are equal, or if one is an initial, a beginning or a
    /// short form of the other. If `loose`, any given name may match the first name of the other. A
    /// name without given names is compatible with every name.
    pub fn given_compatible(&self, other: &PersonName, loose: bool) -> bool {
        let (Some(mine), Some(theirs)) = (self.given.first(), other.given.first()) else {
            return true;
        };
        // A country after the name distinguishes namesakes.
        if let (Some(mine), Some(theirs)) = (self.country(), other.country())
            && mine != theirs
        {
            return false;
        }
        if self.mark() != other.mark() {
            return false;
        }
        if word_compatible(mine, theirs) {
            // Different second names belong to different players: `Lasker, Ed` and `Lasker, Em`.
            return match (self.second_given(), other.second_given()) {
                (Some(mine), Some(theirs)) => word_compatible(mine, theirs),
                _ => true,
            };
        }
        loose
            && (self.given.iter().skip(1).any(|word| word_compatible(word, theirs))
                || other.given.iter().skip(1).any(|word| word_compatible(word, mine)))
    }

    /// Whether another name begins with this one (`Korchnoi, Viktor L` with `Korchnoi, Viktor`).
    ///
    /// The surnames are equal, and the given names begin with these.
    pub fn begins(&self, other: &PersonName) -> bool {
        self.surname_key() == other.surname_key() && other.given.starts_with(&self.given)
    }

    /// Returns the name without the numbers with which lists distinguish namesakes: `Micha` for
    /// `Micha1`.
    pub fn without_numbers(&self) -> PersonName {
        let given = self
            .given
            .iter()
            .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()))
            .filter(|stem| !stem.is_empty())
            .map(str::to_owned)
            .collect();
        PersonName { surname: self.surname.clone(), given }
    }

    /// Returns the number with which a list distinguishes the player from namesakes, as written.
    pub fn numbers(&self) -> Option<&str> {
        let word = self.given.iter().find(|word| word.ends_with(|c: char| c.is_ascii_digit()))?;
        Some(&word[word.trim_end_matches(|c: char| c.is_ascii_digit()).len()..])
    }

    /// Returns the country with which a list distinguishes the player from namesakes (`Ivanov,AV
    /// RUS`).
    pub(super) fn country(&self) -> Option<&str> {
        let last = self.given.last().filter(|_| self.given.len() > 1)?;
        names_country(last).then_some(last)
    }

    /// Returns the second given name or initial, which a country is not.
    pub(super) fn second_given(&self) -> Option<&String> {
        self.given.get(1).filter(|word| self.country() != Some(word.as_str()))
    }

    /// Returns the mark in brackets that distinguishes the player from a namesake.
    pub(super) fn mark(&self) -> Option<&str> {
        self.given.iter().find(|word| word.starts_with(MARK)).map(String::as_str)
    }

    /// Returns the number of letters in the name, as a measure of completeness.
    pub fn fullness(&self) -> usize {
        self.surname.iter().chain(&self.given).map(String::len).sum()
    }
}

/// The first character of a mark in brackets among the given names (`Wang, Hao (ZJ)`).
const MARK: char = '(';

/// The shortest surname (letters) that an initial follows without a comma.
///
/// Judged: with two letters, names such as `McD` would be split. Twice as many would leave short
/// surnames (`TalM`) with their initial.
const SURNAME_BEFORE_INITIAL: usize = 3;

/// Splits a single word before a capital at its end, which is an initial (`KasparovG`).
///
/// A letter or number may follow the capital.
fn before_initial(text: &str) -> Option<(&str, &str)> {
    let (place, _) = text.char_indices().rfind(|(_, letter)| letter.is_uppercase())?;
    let (surname, given) = text.split_at(place);
    let is_initial = given.chars().count() <= 2 && given.chars().all(char::is_alphanumeric);
    let is_surname = surname.chars().count() >= SURNAME_BEFORE_INITIAL
        && surname.chars().all(char::is_alphabetic)
        && surname.chars().next_back().is_some_and(char::is_lowercase);
    (is_initial && is_surname).then_some((surname, given))
}

/// Words with which sources mark a program, before its name or in brackets.
const PROGRAM_MARKS: [&str; 4] = ["comp", "computer", "program", "engine"];

/// Returns the name of a program without the word before it that marks one: `Comp Deep Blue`.
fn without_program_mark(text: &str) -> &str {
    match text.trim_start().split_once(' ') {
        Some((mark, name)) if PROGRAM_MARKS.iter().any(|one| mark.eq_ignore_ascii_case(one)) => {
            name
        }
        _ => text,
    }
}

/// Removes additions that some programs write with a name (`Gukesh D #GM IND [2794]`, `Fischer
/// (wh)`, `Tal {RUS}`, `Comp Fritz`).
///
/// Also returns the mark in brackets that distinguishes the player from a namesake, if any.
pub(super) fn without_marks(text: &str) -> (Cow<'_, str>, Option<String>) {
    let text = without_program_mark(text);
    let Some(first) = text.find(['#', '[', '{', '(']) else { return (Cow::Borrowed(text), None) };
    let (name, mut rest) = text.split_at(first);
    let mut name = name.trim_end().to_owned();
    let mut mark = None;
    // A text after a closing bracket belongs to the name.
    while let Some(open) = rest.chars().next() {
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            _ => break,
        };
        let Some((inside, behind)) = rest[1..].split_once(close) else { break };
        let inside = inside.trim();
        // Federations are written this way, and some lists add them to all names.
        let is_federation =
            inside.len() == 3 && inside.bytes().all(|byte| byte.is_ascii_uppercase());
        let inside = fold(inside);
        let is_ignored = inside.is_empty()
            || is_federation
            || has_digit(&inside)
            || ["wh", "bl", "w", "b", "white", "black"].contains(&inside.as_str())
            || PROGRAM_MARKS.contains(&inside.as_str())
            || is_title(&inside)
            || names_country(&inside);
        if open == '(' && !is_ignored {
            mark = Some(format!("{MARK}{inside}"));
        }
        let next = behind.find(['#', '[', '{', '(']).unwrap_or(behind.len());
        name.push_str(behind[..next].trim_end());
        rest = &behind[next..];
    }
    // A text that consists only of additions is kept.
    if name.chars().any(char::is_alphabetic) {
        (Cow::Owned(name), mark)
    } else {
        (Cow::Borrowed(text), None)
    }
}

/// Cleans a name that no table of names has for display.
///
/// Marks, digits, titles and countries are removed, capitals become lower case, and a space follows
/// the comma.
pub(super) fn tidied(text: &str) -> String {
    let (text, _) = without_marks(text);
    let (surname, given) = match text.split_once(',') {
        Some((surname, given)) => (surname, Some(given)),
        None => (&*text, None),
    };
    let mut tidy = words_without_titles(surname).join(" ");
    if let Some(given) = given {
        let mut words = words_without_titles(given);
        if words.len() > 1 {
            words.pop_if(|word| is_country_code(word));
        }
        if !words.is_empty() {
            tidy = format!("{tidy}, {}", words.join(" "));
        }
    }
    let letters = tidy.chars().filter(|c| c.is_alphabetic()).count();
    if letters > 4 && !tidy.chars().any(char::is_lowercase) {
        tidy = in_lower_case(&tidy);
    }
    if tidy.chars().any(char::is_alphabetic) { tidy } else { text.trim().to_owned() }
}

/// Splits a part of a name into its words, without titles and without numbers at their end.
fn words_without_titles(part: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in part.split_whitespace() {
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let plain = word.trim_matches('.');
        // A title is in capitals: `IM`, but not the surname `Im`.
        let is_title = plain.len() > 1
            && is_title(&plain.to_lowercase())
            && !plain.chars().skip(1).any(char::is_lowercase);
        if !is_title && word.chars().any(char::is_alphabetic) {
            words.push(word);
        }
    }
    words
}

/// Whether a folded word is a title before or after a name.
fn is_title(word: &str) -> bool {
    lexicon::means(Class::Person, word, "title")
}

/// Whether a folded word is the code of a country, and no name.
fn names_country(word: &str) -> bool {
    lexicon::means(Class::Person, word, "country")
}

/// Whether a word is a country code in capitals.
fn is_country_code(word: &str) -> bool {
    word.len() == 3
        && word.bytes().all(|byte| byte.is_ascii_uppercase())
        && ["code", "country"]
            .iter()
            .any(|meaning| lexicon::means(Class::Person, &word.to_lowercase(), meaning))
}

/// Writes `KASPAROV, GARRY` as `Kasparov, Garry`; initials keep their capitals.
fn in_lower_case(text: &str) -> String {
    let mut before = ' ';
    let mut small = String::with_capacity(text.len());
    for letter in text.chars() {
        if before.is_alphabetic() || (before == '\'' && small.len() > 2) {
            small.extend(letter.to_lowercase());
        } else {
            small.push(letter);
        }
        before = letter;
    }
    small
}

/// Whether one player may have two given names: they are equal, or one stands for the other.
fn word_compatible(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    if has_digit(a) || has_digit(b) {
        return false;
    }
    // Short words are compared exactly: `J` is not `I`.
    if a.len().min(b.len()) < 3 {
        return a.starts_with(b) || b.starts_with(a);
    }
    begin_alike(a, b) || short_form(a, b) || short_form(b, a)
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether one of two words begins with the other, [loosened].
pub(super) fn begin_alike(a: &str, b: &str) -> bool {
    let (mut one, mut other) = (loosened(a), loosened(b));
    loop {
        match (one.next(), other.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(_), Some(_)) => return false,
            _ => return true,
        }
    }
}

/// Reduces a given name to the letters that transliterations agree on.
///
/// It makes equal: `Yuri` and `Jury`, `Nikolay` and `Nikolai`, `Aaron` and `Aron`, `Viktor` and
/// `Victor`.
pub(super) fn loosened(word: &str) -> impl Iterator<Item = char> {
    let mut before = None;
    word.chars().filter_map(move |letter| {
        let letter = match letter {
            'y' | 'j' => 'i',
            'w' => 'v',
            'c' => 'k',
            letter => letter,
        };
        (before.replace(letter) != Some(letter)).then_some(letter)
    })
}

/// Separates given names that run together: `JuM` becomes `Ju M`.
fn separated(given: &str) -> Cow<'_, str> {
    let mut separated = String::new();
    let mut start = 0;
    let mut before = ' ';
    for (place, letter) in given.char_indices() {
        if before.is_lowercase() && letter.is_uppercase() {
            separated.push_str(&given[start..place]);
            separated.push(' ');
            start = place;
        }
        before = letter;
    }
    if start == 0 {
        return Cow::Borrowed(given);
    }
    separated.push_str(&given[start..]);
    Cow::Owned(separated)
}

/// Whether the first word is a short form of the second.
pub(super) fn short_form(short: &str, long: &str) -> bool {
    lexicon::given_names_of(short).iter().any(|meaning| long.starts_with(meaning))
}

/// Folds a text for comparison: no case, no diacritics, and `a o u` for `ae oe ue`.
///
/// At the end of a word these are not German or Nordic digraphs and stay: Wang Yue is not Wang Yu.
pub fn fold(text: &str) -> String {
    // Most names are ASCII already, and so is the output of `deunicode`.
    if text.is_ascii() {
        fold_plain(text.as_bytes())
    } else {
        fold_plain(deunicode(text).as_bytes())
    }
}

/// Folds a text in ASCII.
fn fold_plain(letters: &[u8]) -> String {
    let mut folded = String::with_capacity(letters.len());
    let mut place = 0;
    while let Some(letter) = letters.get(place).map(u8::to_ascii_lowercase) {
        folded.push(char::from(letter));
        place += 1;
        if matches!(letter, b'a' | b'o' | b'u')
            && matches!(letters.get(place), Some(b'e' | b'E'))
            && letters.get(place + 1).is_some_and(u8::is_ascii_alphabetic)
        {
            place += 1;
        }
    }
    folded
}

/// Splits a text into folded words, without titles, and separates initials that run together
/// (`JH`).
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’') {
        let word: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
        if word.is_empty() {
            continue;
        }
        let initials =
            (2..=3).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase());
        let vowels = word.bytes().any(|byte| b"AEIOUY".contains(&byte));
        if initials && (word.len() == 2 || !vowels) && !is_title(&fold(&word)) {
            words.extend(word.chars().map(|c| c.to_lowercase().to_string()));
            continue;
        }
        let folded = fold(&word);
        if !is_title(&folded) {
            words.push(folded);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compatible(a: &str, b: &str) -> bool {
        let (a, b) = (PersonName::parse(a), PersonName::parse(b));
        a.surname_key() == b.surname_key() && a.given_compatible(&b, false)
    }

    #[test]
    fn the_same_name_with_other_letters_has_the_same_key() {
        for (a, b) in [
            ("Grünfeld, Ernst", "Gruenfeld, Ernst"),
            ("Grünfeld, Ernst", "Grunfeld,Ernst"),
            ("Kasparov, Garry", "KASPAROV,  garry"),
            ("Ståhlberg, Gideon", "Stahlberg, Gideon"),
            ("O'Kelly de Galway, Alberic", "OKelly de Galway, Alberic"),
            ("Sørensen, Søren", "Soerensen, Soeren"),
            ("GM Tal, Mikhail", "Tal, Mikhail"),
            ("KasparovG", "Kasparov,G"),
            ("AdamsMi", "Adams,Mi"),
            ("Comp Deep Blue", "Deep Blue"),
            ("Deep Blue (Computer)", "Deep Blue"),
        ] {
            assert_eq!(PersonName::parse(a).key(), PersonName::parse(b).key(), "{a} and {b}");
        }
    }

    #[test]
    fn initials_and_beginnings_are_compatible_but_other_names_are_not() {
        assert!(compatible("Kasparov,G", "Kasparov, Garry"));
        assert!(compatible("Fedorov,Alex", "Fedorov, Alexei"));
        assert!(compatible("Bauer, JH.", "Bauer, Johann Hermann"));
        assert!(compatible("Bellon Lopez,JuM", "Bellon Lopez,JM"));
        assert!(!compatible("Ivanov,AndA", "Ivanov,AlexV"));
        assert!(!compatible("Ivanov,AV RUS", "Ivanov,AV USA"));
        assert!(compatible("Fischer, Bobby", "Fischer, Robert James"));
        assert!(compatible("Averbakh, Yuri", "Averbakh, Jury L"));
        assert!(compatible("Nimzowitsch, Aaron", "Nimzowitsch, Aron"));
        assert!(compatible("Krogius, Nikolai V", "Krogius, Nikolay"));
        assert!(compatible("Ivanovic, B (SCG)", "Ivanovic, Bozidar (YUG)"));
        assert!(!compatible("Wang, Hao (ZJ)", "Wang, Hao (BJ)"));
        assert!(!compatible("Aguilera, J.", "Aguilera, I."));
        assert!(!compatible("Byrne, Robert", "Byrne, Donald"));
        assert!(!compatible("Lasker, Emanuel", "Lasker, Edward"));
        assert!(!compatible("Polgar, Zsuzsa", "Polgar, Zsofia"));
        assert!(!compatible("Aponte, A1.", "Aponte, A2."));
        assert!(!compatible("Hansen, Lars Bo", "Hansen, Lars K"));
        assert!(!compatible("Vidmar, Milan Sr", "Vidmar, Milan Jr"));
        assert_ne!(PersonName::parse("Wang, Yue").key(), PersonName::parse("Wang, Yu").key());
    }

    #[test]
    fn names_are_shown_without_additions() {
        for (text, shown) in [
            ("Gukesh D #GM IND [2794]", "Gukesh D"),
            ("Karthikeyan,M2", "Karthikeyan, M"),
            ("Botvinnik, Mikhail URS", "Botvinnik, Mikhail"),
            ("KASPAROV, GARRY", "Kasparov, Garry"),
            ("O'KELLY,A", "O'Kelly, A"),
            ("GM Tal, Mihail", "Tal, Mihail"),
            ("Fischer (wh)", "Fischer"),
            ("Xie,J", "Xie, J"),
            ("Ye", "Ye"),
            ("[]", "[]"),
        ] {
            assert_eq!(tidied(text), shown, "{text}");
        }
        assert_eq!(PersonName::parse("Fischer, R (wh)"), PersonName::parse("Fischer, R (bl)"));
    }

    #[test]
    fn a_name_of_a_list_has_several_readings() {
        let readings = PersonName::readings("Hans von Minckwitz");
        let keys: Vec<_> = readings.iter().map(PersonName::surname_key).collect();
        assert_eq!(keys, ["minckwitz", "vonminckwitz", "hansvonminckwitz"]);
        assert_eq!(
            PersonName::readings("Milan Vidmar Sr")[0],
            PersonName::parse("Vidmar, Milan Sr")
        );
    }
}
