//! Chooses a player's display name among the spellings in the games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::display_names::DisplayNames;
use super::life::Life;
use super::name::{PersonName, fold, tidied};
use super::person::Player;
use super::spelling::{Spelling, years_of_group};

/// The gap (years) beyond which two careers are not confused.
///
/// Judged: half a generation. With twenty, more surnames get an initial that few readers need; with
/// five, a player who stopped as a namesake began would have none.
const APART_YEARS: i16 = 10;

/// The number of games from which a namesake is well known.
///
/// Judged: some four tournaments. With twice as many, fewer surnames get an initial; with half,
/// namesakes who are in a collection by chance give initials to others.
const KNOWN_GAMES: u32 = 40;

/// A namesake is well known if they have at least one in this many of the other's games.
///
/// Judged: a namesake with a tenth of a player's games is rarely meant by the surname, one with
/// half of them often is.
const KNOWN_PART: u32 = 4;

/// A spelling is common if at least one in this many games of the most common one has it.
///
/// Judged: a typo is in one game or two, so it is not common for a player with fifty games. With
/// ten, the full name of a player whom most games abbreviate would be lost more often.
const COMMON: u32 = 20;

/// A full name is not a typo if it has at least one game for this many of the abbreviation.
///
/// Judged: it must also have two games, so this decides only for players with hundreds of them.
/// Doubling it would let a typo that was copied once name such a player.
const GAMES_PER_TYPO: u32 = 100;

/// The length (letters) from which given names count as equally complete.
///
/// Judged: lists cut names after two or three letters (`Nakamura,Hi`).
const WHOLE_NAME: usize = 4;

/// The greatest number of letters of a given name that distinguish namesakes.
///
/// Judged: `Cu. Hansen` reads as an abbreviation; with four letters it is nearly the name.
const LETTERS: usize = 3;

/// Adds initials to the surnames of players with a better known namesake in the same years.
///
/// Both get initials if both are well known: Ed. Lasker next to Lasker, R. and D. Byrne.
pub(super) fn distinguish_namesakes(players: &mut [Player], games: &[u32]) {
    let mut of_surname: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (number, player) in players.iter().enumerate() {
        of_surname.entry(fold(&player.surname)).or_default().push(number);
    }
    let mut surnames: Vec<(usize, String)> = Vec::new();
    for mut namesakes in of_surname.into_values().filter(|all| all.len() > 1) {
        // The best known come first, so the search for a rival ends soon.
        namesakes.sort_by_key(|&one| Reverse(games[one]));
        let mut with_letters: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for &one in &namesakes {
            for count in 1..=LETTERS {
                let letters = first_letters(displayed_given_name(&players[one]), count);
                with_letters.entry(letters).or_default().push(one);
            }
        }
        for &one in &namesakes {
            let given = displayed_given_name(&players[one]);
            let Some(years) = players[one].years.filter(|_| !given.is_empty()) else { continue };
            let has_rival = namesakes
                .iter()
                .take_while(|&&other| is_as_well_known(games[other], games[one]))
                .any(|&other| other != one && is_contemporary(&players[other], years));
            if !has_rival {
                continue;
            }
            // A reader rarely means an amateur of the same name.
            let count = (1..=LETTERS).find(|&count| {
                !with_letters[first_letters(given, count)].iter().any(|&other| {
                    other != one
                        && is_as_well_known(games[other], games[one])
                        && is_contemporary(&players[other], years)
                })
            });
            let letters = first_letters(given, count.unwrap_or(1));
            surnames.push((one, format!("{letters}. {}", players[one].surname)));
        }
    }
    for (player, surname) in surnames {
        players[player].surname_with_initials = surname;
    }
}

/// Returns the first given name of a player's display name, without a full stop; empty if there is
/// none.
fn displayed_given_name(player: &Player) -> &str {
    let given = player.name.split_once(',').map_or("", |(_, given)| given).trim();
    given.split([' ', '-']).next().unwrap_or_default().trim_end_matches('.')
}

fn first_letters(name: &str, count: usize) -> &str {
    name.char_indices().nth(count).map_or(name, |(end, _)| &name[..end])
}

/// Whether a namesake is as well known as a player, given the numbers of games of both.
fn is_as_well_known(namesake: u32, player: u32) -> bool {
    namesake > player || (namesake >= KNOWN_GAMES && namesake * KNOWN_PART >= player)
}

/// Whether a player was active in the years of another, or soon before or after.
fn is_contemporary(player: &Player, (first, last): (i16, i16)) -> bool {
    player
        .years
        .is_some_and(|(start, end)| start - APART_YEARS <= last && first <= end + APART_YEARS)
}

/// The spellings of a player, and the display name.
pub(super) struct NamedPerson {
    pub group: Vec<usize>,
    /// The name for sorted lists.
    pub name: String,
    pub surname: String,
    pub fullest: String,
    /// The life in the table of names.
    pub life: Option<Life>,
}

impl NamedPerson {
    pub fn new(spellings: &[Spelling], group: Vec<usize>, names: &DisplayNames) -> NamedPerson {
        let fullest = fullest(spellings, &group);
        let all = group.iter().map(|&index| &spellings[index].name);
        let years = years_of_group(spellings, &group);
        let known = names.find(all, years).or_else(|| {
            // A file of aliases may use another transliteration than the table of names.
            let texts = group.iter().flat_map(|&index| &spellings[index].texts);
            let texts: Vec<PersonName> = texts.map(|(_, text)| PersonName::parse(text)).collect();
            names.find(&texts, years)
        });
        match known {
            Some((number, _)) => {
                let known = names.person(number);
                let (name, surname) = (known.listed(), known.family.clone());
                NamedPerson { group, name, surname, fullest, life: Some(known.life.clone()) }
            }
            None => {
                // The most common spelling, with a full given name if there is one. The fullest
                // spelling is often a guess.
                let of_surname = games_of_surnames(spellings, &group);
                let best = group.iter().map(|&index| &spellings[index]).max_by_key(|spelling| {
                    let given = spelling.name.without_numbers().given;
                    let is_full = given.first().is_some_and(|word| word.len() > 1);
                    let games = of_surname[&spelling.name.surname_key()];
                    let is_plain = is_plain(&spelling.text);
                    (games, is_full, is_plain, spelling.games, Reverse(&spelling.text))
                });
                let name = best.map(|best| tidied(&in_full(best, spellings, &group).text));
                let name = name.unwrap_or_default();
                let surname = name.split(',').next().unwrap_or_default().to_owned();
                NamedPerson { group, name, surname, fullest, life: None }
            }
        }
    }
}

/// Returns the spelling with the full form of an abbreviated given name (`Lahno, Kateryna` for
/// `Lahno,Kateri`).
///
/// It must have more games than typos do.
fn in_full<'s>(short: &'s Spelling, spellings: &'s [Spelling], group: &[usize]) -> &'s Spelling {
    let (surname, beginning) = (short.name.surname_key(), first_given_name(short));
    // The last letter before the cut may be transliterated differently.
    let letters = beginning.chars().count();
    let stem = first_letters(beginning, letters - usize::from(letters > LETTERS));
    let longer = group.iter().map(|&index| &spellings[index]).filter(|one| {
        let given = first_given_name(one);
        is_plain(&one.text)
            && one.name.surname_key() == surname
            && given.len() > beginning.len()
            && given.starts_with(stem)
            && one.games > 1
            && one.games.saturating_mul(GAMES_PER_TYPO) >= short.games
    });
    longer.max_by_key(|one| (one.games, Reverse(&one.text))).unwrap_or(short)
}

/// Returns the first given name of a spelling; empty if there is none.
fn first_given_name(spelling: &Spelling) -> &str {
    spelling.name.given.first().map_or("", String::as_str)
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
    let mut ranked: Vec<((u32, bool, usize), &Spelling)> = Vec::with_capacity(group.len());
    for spelling in group.iter().map(|&index| &spellings[index]) {
        let games = of_surname[&spelling.name.surname_key()];
        // `Nakamura,Hi` is not a full name, but `Li, Bo` is.
        let letters = first_given_name(spelling).len().min(WHOLE_NAME);
        ranked.push(((games, is_plain(&spelling.text), letters), spelling));
    }
    let best = ranked.iter().map(|(rank, _)| *rank).max();
    ranked.retain(|(rank, _)| Some(*rank) == best);
    let most = ranked.iter().map(|(_, one)| one.games).max().unwrap_or_default();
    let fullest = ranked
        .into_iter()
        .map(|(_, one)| one)
        .filter(|one| one.games.saturating_mul(COMMON) >= most)
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
