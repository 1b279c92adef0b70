//! Estimates how many players bear the parts that two names share.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::bearers::Bearers;
use super::name::NameForm;
use crate::players::name::loosened;

/// The number of names by which a share among surnames with one ending is drawn to that of all.
///
/// Fitted in the prototype: `-ov` and `-ez` have hundreds of names, and keep their own shares.
const SMOOTHING: f64 = 20.0;

/// The number of names by which a share is drawn to that of an initial, of two or three letters,
/// and of a given name in full (one in 20, 100 and 400).
///
/// Those are the usual ones in the shared collection. The names of a single tournament would
/// otherwise all be common. With ten times as many, a country's collection would lose its own.
const NAMES_BEFORE: f64 = 100.0;

/// The namesakes that are expected in addition, so that a unique name has a bounded weight.
///
/// Fitted in the prototype: one in fifty, so a name is worth at most 5.6 bits before its weight.
const LEAST_NAMESAKES: f64 = 0.02;

/// How often the names of a collection occur.
#[derive(Debug, Default)]
pub(in crate::players) struct NameCounts {
    /// The first given names in full of each surname, by its sound.
    full: FxHashMap<String, Bearers>,
    /// The number of bearers of each surname, by its sound.
    bearers: FxHashMap<String, f64>,
    /// The number of surnames with each given name, loosened, in order.
    given: BTreeMap<String, u32>,
    initials: FxHashMap<u8, u32>,
    /// The same by ending of the surname: initial or name, and all.
    by_ending: FxHashMap<(String, String), u32>,
    of_ending: FxHashMap<String, u32>,
    all: f64,
}

impl NameCounts {
    pub fn new<'a>(forms: impl Iterator<Item = &'a NameForm>) -> NameCounts {
        let mut full: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut initials: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for form in forms {
            let Some(first) = form.given.first() else { continue };
            if first.len() > 2 {
                full.entry(&form.sound).or_default().insert(first);
            } else {
                initials.entry(&form.sound).or_default().insert(first);
            }
        }
        let mut counts = NameCounts::default();
        for (sound, words) in &initials {
            let known = full.get(sound).into_iter().flatten();
            let known: BTreeSet<u8> = known.map(|name| name.as_bytes()[0]).collect();
            let letters: BTreeSet<u8> = words.iter().map(|word| word.as_bytes()[0]).collect();
            let new = letters.difference(&known).count();
            *counts.bearers.entry((*sound).to_owned()).or_default() += new as f64;
        }
        let none = BTreeSet::new();
        for (sound, names) in full {
            *counts.bearers.entry(sound.to_owned()).or_default() += names.len() as f64;
            for name in &names {
                let loose: String = loosened(name).collect();
                let letter = name.as_bytes()[0];
                *counts.initials.entry(letter).or_default() += 1;
                for ending in endings(sound) {
                    *counts.of_ending.entry(ending.to_owned()).or_default() += 1;
                    for part in [char::from(letter).to_string(), loose.clone()] {
                        *counts.by_ending.entry((ending.to_owned(), part)).or_default() += 1;
                    }
                }
                *counts.given.entry(loose).or_default() += 1;
                counts.all += 1.0;
            }
            let names = names.into_iter().map(str::to_owned).collect();
            let of_surname = initials.get(sound).unwrap_or(&none);
            counts.full.insert(sound.to_owned(), Bearers::new(names, of_surname));
        }
        counts.all = counts.all.max(1.0);
        counts
    }

    /// Returns minus log2 of the players to expect with what two names have in common.
    pub fn rarity(&self, a: &NameForm, b: &NameForm) -> f64 {
        let vague = vague_words(a, b);
        let mut expected = self.bearers_of(&a.sound) * self.share(&vague, &a.sound);
        if a.sound != b.sound {
            expected += self.bearers_of(&b.sound) * self.share(&vague, &b.sound);
        }
        -(expected + LEAST_NAMESAKES).log2()
    }

    /// Returns log2 of one more than the bearers of the surname whom the vaguer name may mean and
    /// the fuller one may not.
    pub fn rivals(&self, a: &NameForm, b: &NameForm) -> f64 {
        let [mine, theirs] = [a, b].map(|form| form.given.first().map_or("", String::as_str));
        let (vague, full) =
            if mine.len() <= theirs.len() { (mine, theirs) } else { (theirs, mine) };
        let mut sounds = vec![&a.sound, &b.sound];
        sounds.dedup();
        let bearers = sounds.into_iter().filter_map(|sound| self.full.get(sound));
        let rivals: usize = bearers.map(|bearers| bearers.rivals(vague, full)).sum();
        (1.0 + rivals as f64).log2()
    }

    fn bearers_of(&self, sound: &str) -> f64 {
        self.bearers.get(sound).copied().unwrap_or(1.0).max(1.0)
    }

    /// Returns the share of players with these given names, among those whose surnames end alike,
    /// smoothed by all players.
    fn share(&self, given: &[&str], sound: &str) -> f64 {
        let Some(&first) = given.first() else { return 1.0 };
        let loose: String = loosened(first).collect();
        let second = given.get(1).map_or(1.0, |word| match word.len() {
            1 | 2 => (self.with_initial(word) / self.all).max(0.01),
            _ => {
                let loose: String = loosened(word).collect();
                (self.given.get(&loose).copied().map_or(0.0, f64::from) / self.all).max(0.002)
            }
        });
        let part = if first.len() == 1 { first } else { &loose };
        let count = match first.len() {
            1 => self.with_initial(first),
            2 | 3 => {
                let beginning = self.given.range(loose.clone()..);
                let counts = beginning.take_while(|(name, _)| name.starts_with(&loose));
                counts.map(|(_, count)| f64::from(*count)).sum()
            }
            _ => self.given.get(&loose).copied().map_or(0.0, f64::from),
        };
        let usual = match first.len() {
            1 => 1.0 / 20.0,
            2 | 3 => 1.0 / 100.0,
            _ => 1.0 / 400.0,
        };
        let mut share =
            (count.max(0.5) + NAMES_BEFORE * usual) / (self.all + NAMES_BEFORE) * second;
        if first.len() == 1 || first.len() > 3 {
            for ending in endings(sound) {
                let key = (ending.to_owned(), part.to_owned());
                let here = self.by_ending.get(&key).copied().map_or(0.0, f64::from) * second;
                let all = self.of_ending.get(ending).copied().map_or(0.0, f64::from);
                share = (here + SMOOTHING * share) / (all + SMOOTHING);
            }
        }
        share
    }

    fn with_initial(&self, word: &str) -> f64 {
        self.initials.get(&word.as_bytes()[0]).copied().map_or(0.0, f64::from)
    }
}

/// Returns the given names that two names have in common, the shorter of each two.
fn vague_words<'a>(a: &'a NameForm, b: &'a NameForm) -> Vec<&'a str> {
    let both = a.given.iter().zip(&b.given);
    both.map(|(one, other)| if one.len() <= other.len() { one } else { other })
        .map(String::as_str)
        .collect()
}

/// Returns the last two and the last three letters of a word.
fn endings(word: &str) -> impl Iterator<Item = &str> {
    [2, 3].into_iter().filter_map(|letters| word.get(word.len().checked_sub(letters)?..))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::name::PersonName;
    use crate::players::spelling::Spelling;

    fn form(text: &str) -> NameForm {
        let spelling = Spelling::new(PersonName::parse(text), text.to_owned(), Vec::new());
        NameForm::of_spelling(&spelling).remove(0)
    }

    fn counts() -> NameCounts {
        let names = ["Schmidt, Peter", "Schmidt, Paul", "Schmidt, Anna", "Aronian, Levon"];
        let others = ["Weber, Peter", "Weber, Paul", "Braun, Peter", "Lang, Peter"];
        let forms: Vec<NameForm> = names.iter().chain(&others).map(|name| form(name)).collect();
        NameCounts::new(forms.iter())
    }

    #[test]
    fn a_rare_surname_is_worth_more_than_a_common_one() {
        let counts = counts();
        let rare = counts.rarity(&form("Aronian,L"), &form("Aronian, Levon"));
        let common = counts.rarity(&form("Schmidt,P"), &form("Schmidt, Peter"));
        assert!(rare > common + 2.0, "{rare} and {common}");
    }

    #[test]
    fn an_initial_has_the_other_bearers_as_rivals() {
        let counts = counts();
        assert_eq!(counts.rivals(&form("Schmidt,P"), &form("Schmidt, Peter")), 1.0);
        assert_eq!(counts.rivals(&form("Schmidt,A"), &form("Schmidt, Anna")), 0.0);
    }
}
