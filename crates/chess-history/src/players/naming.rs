//! Chooses a player's display name among the spellings of his name.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::display_names::DisplayNames;
use super::life::Life;
use super::name::{PersonName, fold, tidied};
use super::person::Player;
use super::spelling::Spelling;
use super::spellings::years;

/// The gap (years) beyond which two careers are not confused.
const APART_YEARS: i16 = 10;

/// The number of games from which a namesake is well known.
const KNOWN_GAMES: u32 = 40;

/// A namesake is well known if he has at least one in this many of the other's games.
const KNOWN_PART: u32 = 4;

/// A spelling is common if at least one in this many games of the most common one has it.
const COMMON: u32 = 20;

/// A full name is not a typo if it has at least one game for this many of the abbreviation.
const GAMES_PER_TYPO: u32 = 100;

/// The shortest given name that is not an abbreviation.
const WHOLE_NAME: usize = 4;

/// The greatest number of letters of a given name that distinguish namesakes.
const LETTERS: usize = 3;

/// Adds initials to the surnames of players with a better known namesake in the same years.
///
/// Both get initials if both are well known: Ed. Lasker next to Lasker, R. and D. Byrne.
pub(super) fn distinguish_namesakes(players: &mut [Player], games: &[u32]) {
    let mut of_surname: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (number, player) in players.iter().enumerate() {
        of_surname.entry(fold(&player.surname)).or_default().push(number);
    }
    let given = |player: &Player| -> String {
        let given = player.name.split_once(',').map_or("", |(_, given)| given).trim();
        given.split([' ', '-']).next().unwrap_or_default().trim_end_matches('.').to_owned()
    };
    let letters = |count: usize, name: &str| -> String { name.chars().take(count).collect() };
    let mut surnames: Vec<(usize, String)> = Vec::new();
    for mut namesakes in of_surname.into_values().filter(|all| all.len() > 1) {
        // The best known come first, so the search for a rival ends soon.
        namesakes.sort_by_key(|&one| Reverse(games[one]));
        let mut of_letters: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for &one in &namesakes {
            for count in 1..=LETTERS {
                of_letters.entry(letters(count, &given(&players[one]))).or_default().push(one);
            }
        }
        for &one in &namesakes {
            let Some((first, last)) = players[one].years else { continue };
            let near = |other: &usize| {
                *other != one
                    && players[*other].years.is_some_and(|(start, end)| {
                        start - APART_YEARS <= last && first <= end + APART_YEARS
                    })
            };
            let is_known = |other: &usize| {
                games[*other] > games[one]
                    || (games[*other] >= KNOWN_GAMES && games[*other] * KNOWN_PART >= games[one])
            };
            let own = given(&players[one]);
            if own.is_empty() || !namesakes.iter().take_while(|other| is_known(other)).any(near) {
                continue;
            }
            // Hardly anyone thinks of an amateur of the same name.
            let is_apart = |count: &usize| {
                let alike = of_letters[&letters(*count, &own)].iter();
                !alike.filter(|other| is_known(other)).any(near)
            };
            let count = (1..=LETTERS).find(is_apart).unwrap_or(1);
            surnames.push((one, format!("{}. {}", letters(count, &own), players[one].surname)));
        }
    }
    for (player, surname) in surnames {
        players[player].surname_with_initials = surname;
    }
}

/// The spellings of a player, and his display name.
pub(super) struct NamedPerson {
    pub group: Vec<usize>,
    /// The name for sorted lists.
    pub name: String,
    pub surname: String,
    /// The fullest spelling.
    pub fullest: String,
    /// The life in the table of names.
    pub life: Option<Life>,
}

impl NamedPerson {
    pub fn new(spellings: &[Spelling], group: Vec<usize>, names: &DisplayNames) -> NamedPerson {
        let fullest = fullest(spellings, &group);
        let all = group.iter().map(|&index| &spellings[index].name);
        let years = years(spellings, &group);
        // A file of aliases may use another transliteration than the table of names.
        let as_written = || {
            let texts = group.iter().flat_map(|&index| &spellings[index].texts);
            let texts: Vec<PersonName> = texts.map(|(_, text)| PersonName::parse(text)).collect();
            names.find(&texts, years)
        };
        match names.find(all, years).or_else(as_written) {
            Some((number, _)) => {
                let known = names.person(number);
                let (name, surname) = (known.listed(), known.family.clone());
                NamedPerson { group, name, surname, fullest, life: Some(known.life.clone()) }
            }
            None => {
                let name = tidied(&most_common(spellings, &group));
                let surname = name.split(',').next().unwrap_or_default();
                // Some sources mark programs: `Comp Deep Blue`.
                let surname = surname.strip_prefix("Comp ").unwrap_or(surname).to_owned();
                NamedPerson { group, name, surname, fullest, life: None }
            }
        }
    }
}

/// Returns the most common spelling of a player, with a full given name if there is one.
///
/// The fullest spelling is often a guess.
fn most_common(spellings: &[Spelling], group: &[usize]) -> String {
    let of_surname = games_of_surnames(spellings, group);
    let best = group.iter().map(|&index| &spellings[index]).max_by(|a, b| {
        let key = |spelling: &Spelling| {
            let given = spelling.name.without_numbers().given;
            let is_full = given.first().is_some_and(|word| word.len() > 1);
            let games = of_surname[&spelling.name.surname_key()];
            (games, is_full, is_plain(&spelling.text), spelling.games)
        };
        key(a).cmp(&key(b)).then_with(|| b.text.cmp(&a.text))
    });
    best.map(|best| in_full(best, spellings, group).text.clone()).unwrap_or_default()
}

/// Returns the spelling with the full form of an abbreviated given name (`Lahno, Kateryna` for
/// `Lahno,Kateri`).
///
/// It must have more games than typos do.
fn in_full<'s>(short: &'s Spelling, spellings: &'s [Spelling], group: &[usize]) -> &'s Spelling {
    let stem = |word: &str| -> String {
        let letters = word.chars().count();
        word.chars().take(letters - usize::from(letters > LETTERS)).collect()
    };
    let is_longer = |one: &&Spelling| {
        let given = |spelling: &Spelling| spelling.name.given.first().cloned().unwrap_or_default();
        let (mine, theirs) = (given(short), given(one));
        is_plain(&one.text)
            && one.name.surname_key() == short.name.surname_key()
            && theirs.len() > mine.len()
            // The last letter before the cut may be transliterated differently.
            && theirs.starts_with(&stem(&mine))
            && one.games > 1
            && one.games.saturating_mul(GAMES_PER_TYPO) >= short.games
    };
    let longer = group.iter().map(|&index| &spellings[index]).filter(is_longer);
    longer.max_by_key(|one| (one.games, std::cmp::Reverse(&one.text))).unwrap_or(short)
}

/// Returns the number of games under each surname of a group.
fn games_of_surnames(spellings: &[Spelling], group: &[usize]) -> BTreeMap<String, u32> {
    let mut of_surname: BTreeMap<String, u32> = BTreeMap::new();
    for spelling in group.iter().map(|&index| &spellings[index]) {
        *of_surname.entry(spelling.name.surname_key()).or_default() += spelling.games;
    }
    of_surname
}

/// Returns the fullest spelling of a group.
///
/// It has the surname of most games, no additions, and is the longest of the common ones
/// (`Nakamura, Hikarui` is a typo in one game).
pub(super) fn fullest(spellings: &[Spelling], group: &[usize]) -> String {
    let of_surname = games_of_surnames(spellings, group);
    let key = |spelling: &Spelling| {
        let games = of_surname[&spelling.name.surname_key()];
        // `Nakamura,Hi` is not a full name, but `Li, Bo` is.
        let letters = spelling.name.given.first().map_or(0, |word| word.len().min(WHOLE_NAME));
        (games, is_plain(&spelling.text), letters)
    };
    let members = || group.iter().map(|&index| &spellings[index]);
    let best = members().map(key).max();
    let usual = members().filter(|one| Some(key(one)) == best).map(|one| one.games).max();
    let is_usual = |one: &&Spelling| {
        Some(key(one)) == best && one.games.saturating_mul(COMMON) >= usual.unwrap_or_default()
    };
    let fullest = members()
        .filter(is_usual)
        .max_by(|a, b| a.name.fullness().cmp(&b.name.fullness()).then_with(|| b.text.cmp(&a.text)));
    fullest.map(|best| in_full(best, spellings, group).text.clone()).unwrap_or_default()
}

/// Whether a spelling is a name without additions.
///
/// Additions are a number or a country that distinguishes namesakes (`Sokolov,Iv NED`).
fn is_plain(text: &str) -> bool {
    let country = text.rsplit(' ').next().is_some_and(|word| {
        word.len() == 3 && word.len() < text.len() && word.bytes().all(|b| b.is_ascii_uppercase())
    });
    !country && !text.bytes().any(|byte| byte.is_ascii_digit())
}
