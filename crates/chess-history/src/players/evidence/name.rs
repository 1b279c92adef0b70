//! Compares two names: how each part of one may be a spelling of the other's.

use super::weights::Term;
use crate::players::name::{PersonName, begin_alike, loosened, short_form};
use crate::players::similarity::{SurnameSimilarity, are_a_letter_apart, phonetic_key, similarity};
use crate::players::spelling::Spelling;

/// A reading of a spelling, prepared for comparisons.
#[derive(Clone, Debug)]
pub(in crate::players) struct NameForm {
    pub surname: String,
    /// The phonetic key of the surname.
    pub sound: String,
    words: Vec<String>,
    pub given: Vec<String>,
    number: Option<String>,
    country: Option<String>,
    mark: Option<String>,
}

impl NameForm {
    /// Returns the readings of a spelling: several if it has no comma.
    pub fn of_spelling(spelling: &Spelling) -> Vec<NameForm> {
        let name = &spelling.name;
        if name.given.is_empty() && name.surname.len() > 1 {
            return name.readings_without_comma().map(|reading| NameForm::new(&reading)).collect();
        }
        vec![NameForm::new(name)]
    }

    fn new(name: &PersonName) -> NameForm {
        let plain = name.without_numbers();
        let surname = name.surname_key();
        let is_family = |word: &&String| matches!(word.as_str(), "jr" | "sr");
        let mark = name.mark().or(plain.given.iter().skip(1).find(is_family).map(String::as_str));
        let country = name.country();
        let given = plain.given.iter().filter(|word| {
            country != Some(word.as_str()) && mark != Some(word.as_str()) && !word.starts_with('(')
        });
        NameForm {
            sound: phonetic_key(&surname),
            words: name.surname.clone(),
            given: given.cloned().collect(),
            number: name.numbers().map(str::to_owned),
            country: country.map(str::to_owned),
            mark: mark.map(str::to_owned),
            surname,
        }
    }

    /// Returns this name with the surname and the only given name exchanged.
    pub fn exchanged(&self) -> Option<NameForm> {
        let [given] = &self.given[..] else { return None };
        (given.len() > 2).then(|| NameForm {
            surname: given.clone(),
            sound: phonetic_key(given),
            words: vec![given.clone()],
            given: self.words.clone(),
            ..self.clone()
        })
    }

    /// Returns the words of the surname.
    pub fn surname_words(&self) -> &[String] {
        &self.words
    }

    /// Returns the surnames that the first and the last words of a compound surname would be.
    pub fn parts(&self) -> impl Iterator<Item = String> + '_ {
        let cuts = 1..self.words.len();
        cuts.flat_map(|cut| [self.words[..cut].concat(), self.words[cut..].concat()])
            .filter(|part| part.len() > 3)
    }

    /// Whether both surnames are compound, have a word in common, and neither has all of the other.
    ///
    /// `Moreno Carnero` and `Campos Moreno` are both `Moreno`, but not one family.
    pub fn has_other_second_surname(&self, other: &NameForm) -> bool {
        let (mine, theirs) = (&self.words, &other.words);
        mine.len() > 1
            && theirs.len() > 1
            && mine.iter().any(|word| theirs.contains(word))
            && !mine.iter().all(|word| theirs.contains(word))
            && !theirs.iter().all(|word| mine.contains(word))
    }

    /// Returns the letters with which the given names, or those that they stand for, begin.
    pub fn initials(&self) -> Vec<u8> {
        use crate::games::lexicon::{Class, rows};
        let mut initials: Vec<u8> = Vec::new();
        for (place, word) in self.given.iter().enumerate() {
            if place == 0 || word.len() > 2 {
                initials.push(word.as_bytes()[0]);
            }
            let stands_for = rows(word).filter(|row| place == 0 && row.class == Class::Given);
            initials.extend(stands_for.filter_map(|row| row.meaning.bytes().next()));
        }
        initials.sort_unstable();
        initials.dedup();
        initials
    }
}

/// How a surname may be another spelling of a surname.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::players) enum SurnameMatch {
    Equal,
    SameSound,
    Transliterated,
    /// One has the first or the last words of the other: `Garcia` for `Garcia Martinez`.
    Part,
    OneLetter,
    OneLetterOfFew,
    FirstLetter,
}

impl SurnameMatch {
    /// Whether one surname is the other with an error.
    pub fn is_misspelt(self) -> bool {
        matches!(
            self,
            SurnameMatch::OneLetter | SurnameMatch::OneLetterOfFew | SurnameMatch::FirstLetter
        )
    }
}

/// How given names may be other spellings of given names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::players) enum GivenMatch {
    Equal,
    /// One is an initial or a beginning of the other.
    Initial,
    /// `Yuri` and `Jury`, `Bob` and `Robert`.
    OtherForm,
    OneLetter,
    /// The second given name of one is the first of the other.
    SecondName,
    /// One has no given name.
    Missing,
}

/// How two names may be spellings of one name.
#[derive(Clone, Copy, Debug)]
pub(in crate::players) struct NameMatch {
    pub surname: SurnameMatch,
    pub given: GivenMatch,
    /// Whether the second given names are equal; `None` if one is missing or an initial that fits.
    pub second: Option<bool>,
    pub is_exchanged: bool,
    pub numbers: NumberMatch,
    /// Whether the countries behind the names are equal.
    pub countries: Option<bool>,
    pub marks_differ: bool,
}

impl NameMatch {
    /// Returns the terms that hold, each of them once.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        let surname = match self.surname {
            SurnameMatch::Equal => None,
            SurnameMatch::SameSound => Some(Term::SameSound),
            SurnameMatch::Transliterated => Some(Term::Transliterated),
            SurnameMatch::Part => Some(Term::PartOfSurname),
            SurnameMatch::OneLetter => Some(Term::OneLetter),
            SurnameMatch::OneLetterOfFew => Some(Term::OneLetterOfFew),
            SurnameMatch::FirstLetter => Some(Term::FirstLetter),
        };
        let given = match self.given {
            GivenMatch::Equal => None,
            GivenMatch::Initial => Some(Term::Initial),
            GivenMatch::OtherForm => Some(Term::OtherForm),
            GivenMatch::OneLetter => Some(Term::GivenLetter),
            GivenMatch::SecondName => Some(Term::SecondName),
            GivenMatch::Missing => Some(Term::GivenMissing),
        };
        let second = self
            .second
            .map(|is_equal| if is_equal { Term::SecondEqual } else { Term::SecondDiffers });
        let numbers = match self.numbers {
            NumberMatch::None => None,
            NumberMatch::Equal => Some(Term::NumberEqual),
            NumberMatch::Different => Some(Term::NumberDiffers),
            NumberMatch::OneOfFirst => Some(Term::NumberOfFirst),
            NumberMatch::OneOfLater => Some(Term::NumberOfLater),
        };
        let countries = self
            .countries
            .map(|are_equal| if are_equal { Term::CountryEqual } else { Term::CountryDiffers });
        let marks = self.marks_differ.then_some(Term::MarkDiffers);
        let order = self.is_exchanged.then_some(Term::Exchanged);
        [surname, given, second, numbers, countries, marks, order].into_iter().flatten()
    }
}

/// What the numbers say by which lists distinguish namesakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::players) enum NumberMatch {
    None,
    Equal,
    Different,
    /// One has a number that the first bearer of a name has, or the year of a list.
    OneOfFirst,
    /// One has the number of a later bearer.
    OneOfLater,
}

/// Compares two names as they are written; `None` if they cannot be one.
pub(in crate::players) fn compare(a: &NameForm, b: &NameForm) -> Option<NameMatch> {
    let surname = match_surnames(a, b)?;
    let (given, second) = match_given_names(&a.given, &b.given)?;
    let is_later = |number: &Option<String>| {
        number.as_deref().is_some_and(|number| number != "1" && number.len() != 4)
    };
    let numbers = match (&a.number, &b.number) {
        (None, None) => NumberMatch::None,
        (Some(one), Some(other)) if one == other => NumberMatch::Equal,
        (Some(_), Some(_)) => NumberMatch::Different,
        (one, other) if is_later(one) || is_later(other) => NumberMatch::OneOfLater,
        _ => NumberMatch::OneOfFirst,
    };
    let countries = a.country.as_ref().zip(b.country.as_ref()).map(|(one, other)| one == other);
    let marks_differ = a.mark != b.mark;
    Some(NameMatch {
        surname,
        given,
        second,
        is_exchanged: false,
        numbers,
        countries,
        marks_differ,
    })
}

/// Compares a name with another whose surname and given name are exchanged. Both must be written in
/// full.
pub(in crate::players) fn compare_exchanged(a: &NameForm, b: &NameForm) -> Option<NameMatch> {
    let found = compare(a, b)?;
    let is_full = a.given.first().is_some_and(|word| word.len() > 2);
    (is_full
        && found.surname <= SurnameMatch::SameSound
        && matches!(found.given, GivenMatch::Equal | GivenMatch::OtherForm))
    .then_some(NameMatch { is_exchanged: true, ..found })
}

impl NameMatch {
    /// Returns a number that is smaller for more similar names.
    pub fn rank(&self) -> u8 {
        self.surname as u8 + self.given as u8 + 4 * u8::from(self.is_exchanged)
    }
}

fn match_surnames(a: &NameForm, b: &NameForm) -> Option<SurnameMatch> {
    if a.surname == b.surname {
        return Some(SurnameMatch::Equal);
    }
    if a.sound == b.sound {
        return Some(SurnameMatch::SameSound);
    }
    let (few, many) = if a.words.len() < b.words.len() { (a, b) } else { (b, a) };
    if few.words.len() < many.words.len()
        && few.surname.len() > 3
        && (many.words.starts_with(&few.words) || many.words.ends_with(&few.words))
    {
        return Some(SurnameMatch::Part);
    }
    match similarity([&a.surname, &b.surname], [&a.sound, &b.sound])? {
        SurnameSimilarity::SameSound => Some(SurnameMatch::SameSound),
        SurnameSimilarity::Transliterated => Some(SurnameMatch::Transliterated),
        _ if a.surname.as_bytes()[0] != b.surname.as_bytes()[0] => Some(SurnameMatch::FirstLetter),
        SurnameSimilarity::OneLetter => Some(SurnameMatch::OneLetter),
        SurnameSimilarity::OneLetterOfFew => Some(SurnameMatch::OneLetterOfFew),
    }
}

/// Compares given names, and says whether the second ones are equal.
pub(in crate::players) fn match_given_names<'a>(
    a: &'a [String],
    b: &'a [String],
) -> Option<(GivenMatch, Option<bool>)> {
    let (Some(mine), Some(theirs)) = (a.first(), b.first()) else {
        return Some((GivenMatch::Missing, None));
    };
    let Some(first) = match_words(mine, theirs) else {
        let has_second = |words: &[String], first: &String| {
            words.iter().skip(1).any(|word| {
                word.len() > 2
                    && matches!(
                        match_words(word, first),
                        Some(GivenMatch::Equal | GivenMatch::OtherForm)
                    )
            })
        };
        if has_second(a, theirs) || has_second(b, mine) {
            return Some((GivenMatch::SecondName, None));
        }
        // `Xiang Zhi` and `Xiangzhi`.
        let letters = |words: &'a [String]| words.iter().flat_map(|word| word.bytes());
        let is_one = mine.len().min(theirs.len()) > 2
            && letters(a).zip(letters(b)).all(|(one, other)| one == other);
        return is_one.then_some((GivenMatch::Equal, None));
    };
    let second =
        a.get(1).zip(b.get(1)).and_then(|(mine, theirs)| match match_words(mine, theirs) {
            None => Some(false),
            Some(GivenMatch::Initial) => None,
            Some(_) => Some(true),
        });
    Some((first, second))
}

/// Compares two given names or initials.
pub(in crate::players) fn match_words(a: &str, b: &str) -> Option<GivenMatch> {
    if a == b {
        return Some(if a.len() > 2 { GivenMatch::Equal } else { GivenMatch::Initial });
    }
    if a.starts_with(b) || b.starts_with(a) {
        return Some(GivenMatch::Initial);
    }
    let shorter = a.len().min(b.len());
    if shorter < 3 {
        return None;
    }
    if loosened(a).eq(loosened(b))
        || (shorter > 3 && begin_alike(a, b))
        || short_form(a, b)
        || short_form(b, a)
    {
        return Some(GivenMatch::OtherForm);
    }
    let is_slip = shorter > 3 && a.as_bytes()[0] == b.as_bytes()[0] && are_a_letter_apart(a, b);
    is_slip.then_some(GivenMatch::OneLetter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> NameForm {
        NameForm::new(&PersonName::parse(text))
    }

    fn found(a: &str, b: &str) -> Option<(SurnameMatch, GivenMatch)> {
        compare(&form(a), &form(b)).map(|found| (found.surname, found.given))
    }

    #[test]
    fn names_are_compared_part_by_part() {
        use GivenMatch::{Initial, OneLetter, OtherForm, SecondName};
        use SurnameMatch::{Equal, Part, SameSound};
        for (a, b, parts) in [
            ("Adams, Michael", "Adams,Mi", (Equal, Initial)),
            ("Kortschnoj, Viktor", "Korchnoi, Victor", (SameSound, OtherForm)),
            ("Garcia Martinez, Silvino", "Garcia,S", (Part, Initial)),
            ("Lagrave, Mexime", "Lagrave, Maxime", (Equal, OneLetter)),
            ("Lubbe, Melanie", "Lubbe, Ann Melanie", (Equal, SecondName)),
            ("Bu, Xiang Zhi", "Bu, Xiangzhi", (Equal, Initial)),
        ] {
            assert_eq!(found(a, b), Some(parts), "{a} and {b}");
        }
        for (a, b) in [("Byrne, Robert", "Byrne, Donald"), ("Adams, Michael", "Short, Michael")] {
            assert_eq!(found(a, b), None, "{a} and {b}");
        }
    }

    #[test]
    fn exchanged_names_are_compared_only_in_full() {
        let exchanged = |a: &str, b: &str| {
            form(b).exchanged().and_then(|other| compare_exchanged(&form(a), &other)).is_some()
        };
        assert!(!exchanged("Karpov,A", "Anatoly, Karpov"));
        assert!(exchanged("Karpov, Anatoly", "Anatoly, Karpov"));
    }

    #[test]
    fn second_names_and_numbers_distinguish() {
        let compare = |a: &str, b: &str| compare(&form(a), &form(b)).unwrap();
        assert_eq!(compare("Hansen, Lars Bo", "Hansen, Lars K").second, Some(false));
        assert_eq!(compare("Hansen, Lars Bo", "Hansen, Lars B").second, None);
        assert_eq!(compare("Galic,I", "Galic,I2").numbers, NumberMatch::OneOfLater);
        assert_eq!(compare("Galic,I1", "Galic,I2").numbers, NumberMatch::Different);
    }

    #[test]
    fn compound_surnames_with_one_word_in_common_are_two_families() {
        let differ = |a: &str, b: &str| form(a).has_other_second_surname(&form(b));
        assert!(differ("Moreno Carnero, J", "Campos Moreno, Javier"));
        assert!(!differ("Moreno, J", "Campos Moreno, Javier"));
        assert!(!differ("Campos Moreno, J", "Moreno Campos, Javier"));
    }

    #[test]
    fn a_name_without_a_given_name_may_be_any_bearer_of_the_surname() {
        assert_eq!(
            found("Fabre", "Fabre, Felix"),
            Some((SurnameMatch::Equal, GivenMatch::Missing))
        );
        assert_eq!(found("Fabre", "Engel, Felix"), None);
    }
}
