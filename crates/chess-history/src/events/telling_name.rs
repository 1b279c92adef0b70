//! Chooses the name of an event that several sources call by different names.

use super::group::{GameGroup, adds_number};
use super::tag::{is_country_code, is_year};
use crate::games::lexicon::{self, Class};
use crate::games::tag_words;
use crate::players::fold;

/// How much a tag says of its event, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Telling {
    /// Whether it says more than place, class and category.
    names_event: bool,
    /// Whether it does not begin with the place in a list: `Tenerife ESP, 20. Open`.
    is_no_list: bool,
    /// Whether it adds to the name a number that is no year: that of the edition.
    is_numbered: bool,
    /// Whether it adds a letter or such to the place: `Dortmund-A`.
    has_mark: bool,
    /// Whether it has no category: `It (cat.12)`.
    is_no_category: bool,
    /// Whether it says only the place.
    is_place: bool,
}

/// A part with fewer games than one in this many of the event does not rename it.
///
/// Judged: two games renamed the World Cup 2013. With 2, the most telling of three names would be
/// lost.
const RENAMES: usize = 4;

/// Takes the name and the place of another part of the event, if that says more.
pub(super) fn take_more_telling_name(group: &mut GameGroup, other: &GameGroup) {
    let (own, others) = (Telling::new(group), Telling::new(other));
    let all = group.members.len() + other.members.len();
    let may_rename = RENAMES * other.members.len() >= all;
    let may_keep = RENAMES * group.members.len() >= all;
    let is_larger = other.members.len() > group.members.len();
    let is_better = if own == others { is_larger } else { others > own };
    let takes = may_rename && (is_better || !may_keep);
    if takes || adds_number(&group.base, &other.base) {
        group.base.clone_from(&other.base);
        group.key.clone_from(&other.key);
        group.city.clone_from(&other.city);
        group.site_key.clone_from(&other.site_key);
    }
}

/// Returns whether two names have the same words, apart from numbers, places and countries:
/// `31st World Open` and `Philadelphia USA, st World Open 2003`.
///
/// Common words alone say nothing: a town and a country both have a championship.
pub(super) fn name_alike(one: &GameGroup, other: &GameGroup) -> bool {
    let of_one = words_of_event(one);
    of_one.iter().any(|word| !lexicon::means(Class::Generic, word, "common"))
        && of_one == words_of_event(other)
}

/// Returns the folded words of a name, each once, without numbers, places and codes of countries.
fn words_of_event(group: &GameGroup) -> Vec<String> {
    let of_place: Vec<String> = tag_words(&fold(&group.city)).collect();
    let words = group.base.split(|c: char| !c.is_alphanumeric()).filter(|word| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        !word.is_empty() && !is_number && !is_country_code(word)
    });
    let mut words: Vec<String> = words
        .map(fold)
        .filter(|word| !of_place.contains(word) && !ORDINAL_ENDINGS.contains(&word.as_str()))
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The rest of `10th` in a list without numbers.
const ORDINAL_ENDINGS: [&str; 4] = ["st", "nd", "rd", "th"];

/// Returns whether the name says neither the place nor what the event is: `It (open)`.
pub(super) fn names_nothing(group: &GameGroup) -> bool {
    let telling = Telling::new(group);
    let of_place: Vec<String> = tag_words(&fold(&group.city)).collect();
    let names_place = tag_words(&fold(&group.base)).any(|word| of_place.contains(&word));
    !(telling.names_event || telling.has_mark || telling.is_place || names_place)
}

/// Returns whether both names have numbers of editions, and no number in common.
///
/// Numbers of categories and years are none.
pub(super) fn number_differently(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(edition_numbers);
    !one.is_empty() && !other.is_empty() && !one.iter().any(|number| other.contains(number))
}

pub(super) fn edition_numbers(base: &str) -> Vec<&str> {
    let mut numbers = Vec::new();
    let mut is_category = false;
    for word in base.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !is_category && !is_year(digits) {
            numbers.push(digits);
        }
        is_category = lexicon::means(Class::Generic, &fold(word), "category");
    }
    numbers
}

impl Telling {
    fn new(group: &GameGroup) -> Telling {
        let of_place: Vec<String> = tag_words(&fold(&group.city)).collect();
        let words = group.base.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let first = group.base.split(',').next().unwrap_or_default();
        let is_list = first.len() < group.base.len()
            && tag_words(&fold(first)).take(of_place.len()).eq(of_place.iter().cloned())
            && !of_place.is_empty();
        let mut telling = Telling {
            names_event: false,
            is_no_list: !is_list,
            is_numbered: false,
            has_mark: false,
            is_no_category: true,
            is_place: true,
        };
        let (mut has_code, mut is_kind) = (false, false);
        let means = |word: &str, meaning: &str| lexicon::means(Class::Generic, word, meaning);
        for word in words {
            let folded = fold(word);
            if is_country_code(word) {
                has_code = true;
                continue;
            }
            if of_place.contains(&folded) || is_year(word) {
                continue;
            }
            telling.is_place = false;
            telling.is_no_category &= !means(&folded, "category");
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                telling.is_numbered = true;
            } else if means(&folded, "uninformative") {
                telling.has_mark |= !means(&folded, "common");
            } else {
                is_kind |= lexicon::meaning(Class::Kind, &folded).is_some();
                telling.names_event |=
                    !means(&folded, "common") && !ORDINAL_ENDINGS.contains(&folded.as_str());
            }
        }
        // The championship of a country is an event: `USA-ch`.
        telling.names_event |= has_code && is_kind && !is_list;
        telling.is_numbered &= telling.names_event;
        telling
    }
}

#[cfg(test)]
mod tests {
    use super::number_differently;

    #[test]
    fn editions_differ_if_both_have_a_number_and_none_is_common() {
        assert!(number_differently("World Championship 31th-KK1", "Wch32-KK2"));
        assert!(!number_differently("World Championship 31th-KK1", "Wch31-KK1"));
        assert!(!number_differently("It (cat 12)", "16. Linares 1998"));
        assert!(!number_differently("Linares 1998", "16. Linares"));
    }
}
