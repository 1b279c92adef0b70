//! The approximate sound of a name, so that spellings in different languages are equal (Alekhine
//! and Aljechin, Tschigorin and Chigorin, Nimzowitsch and Nimzovich). `search.js` has the same
//! rules for the text of a search.

/// Groups of letters with their sounds, in the order of replacement.
const TOGETHER: [(&str, &str); 22] = [
    ("tsch", "k"),
    ("tch", "k"),
    ("tsh", "k"),
    ("sch", "s"),
    ("sh", "s"),
    ("sz", "s"),
    ("zh", "s"),
    ("ch", "k"),
    ("kh", "k"),
    ("ck", "k"),
    ("cz", "k"),
    ("gh", "g"),
    ("ph", "f"),
    ("th", "t"),
    ("qu", "kv"),
    ("x", "ks"),
    ("c", "k"),
    ("q", "k"),
    ("w", "v"),
    ("z", "s"),
    ("y", "i"),
    ("j", "i"),
];

/// The sound of a folded word. A word with digits is its own sound. The sound of a word that is not
/// empty is not empty.
///
/// ```text
/// alekhine, aljechin -> alekin      tschigorin, chigorin -> kigorin
/// ```
pub(super) fn sound_of(word: &str) -> String {
    if word.bytes().any(|byte| !byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut sound = word.to_owned();
    for (written, heard) in TOGETHER {
        if sound.contains(written) {
            sound = sound.replace(written, heard);
        }
    }
    let letters: Vec<char> = sound.chars().collect();
    let mut heard = String::with_capacity(letters.len());
    for (place, letter) in letters.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(place + 1).copied();
        let letter = match letter {
            // Mihail and Mikhail; Kohn and Kon.
            'h' if is_vowel(before) && is_vowel(after) => 'k',
            'h' if before.is_some() => continue,
            // Karyakin, Karjakin, Karakin.
            'i' if before.is_some() && !is_vowel(before) && is_vowel(after) => continue,
            letter => *letter,
        };
        if !heard.ends_with(letter) {
            heard.push(letter);
        }
    }
    if heard.len() > 3 && heard.ends_with('e') {
        heard.pop();
    }
    if heard.len() > 3 && heard.ends_with("of") {
        heard.pop();
        heard.push('v');
    }
    heard
}

fn is_vowel(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| "aeiou".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_sound_alike() {
        for alike in [
            ["alekhine", "aljechin", "alekhin"],
            ["nimzowitsch", "nimzovich", "nimzovitch"],
            ["tarrasch", "tarasch", "tarrash"],
            ["tschigorin", "chigorin", "tchigorin"],
            ["kortschnoj", "korchnoi", "kortchnoy"],
            ["jusupow", "yusupov", "jussupoff"],
            ["spassky", "spasskij", "spasski"],
            ["mikhail", "mihail", "michail"],
            ["karjakin", "karyakin", "kariakin"],
        ] {
            assert_eq!(alike.map(sound_of), [(); 3].map(|()| sound_of(alike[0])));
        }
        assert_ne!(sound_of("karpov"), sound_of("kasparov"));
    }

    #[test]
    fn every_word_has_a_sound() {
        for word in ["h", "ch", "e", "1972", "28th", "yh", "ii", "hh"] {
            assert!(!sound_of(word).is_empty(), "{word}");
        }
    }
}
