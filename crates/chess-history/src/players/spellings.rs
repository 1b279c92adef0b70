//! Collects the spellings of the games, with the years, ratings and FIDE numbers of each.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::aliases::Aliases;
use super::comma_less_names::join_comma_less_names;
use super::merge::{Merge, MergeReason};
use super::name::PersonName;
use super::spelling::{NameIndex, Spelling};
use crate::games::{GameTable, NameId, names_a_player};

/// Groups the texts of the White and Black columns by alias and normalised name.
///
/// Also returns the merges.
pub(super) fn spellings(table: &GameTable, aliases: &Aliases) -> (Vec<Spelling>, Vec<Merge>) {
    let mut seen = vec![false; table.names.len()];
    for game in table.games() {
        seen[game.white.index()] = true;
        seen[game.black.index()] = true;
    }
    // Placeholders and teams are not players, and must not be joined with one.
    let mut texts: Vec<(&str, NameId)> = table
        .names
        .iter()
        .map(|(name, text)| (text, name))
        .filter(|(text, name)| seen[name.index()] && names_a_player(text))
        .collect();
    texts.par_sort_unstable();
    let parsed: Vec<_> = texts
        .par_iter()
        .map(|(text, _)| {
            let alias = aliases.name_of(text);
            let name = PersonName::parse(alias.map_or(text, |(name, _)| name));
            let key = name.key();
            (name, key, alias)
        })
        .collect();
    let mut merges = Vec::new();
    let mut by_key: BTreeMap<String, Spelling> = BTreeMap::new();
    for ((text, id), (name, key, alias)) in texts.into_iter().zip(parsed) {
        let shown = alias.map_or(text, |(name, _)| name);
        let entry =
            by_key.entry(key).or_insert_with(|| Spelling::new(name, shown.to_owned(), Vec::new()));
        if entry.text != text {
            let reason = alias.map_or(MergeReason::Normalised, |(_, reason)| reason);
            merges.push(Merge::new(text, &entry.text, reason, String::new()));
        }
        entry.texts.push((id, text.to_owned()));
        if alias.is_some() && text.contains(',') {
            let other = PersonName::parse(text);
            if other != entry.name && !other.given.is_empty() && !entry.others.contains(&other) {
                entry.others.push(other);
            }
        }
    }
    merges.extend(join_comma_less_names(&mut by_key, aliases));
    let mut spellings = by_key.into_values().collect();
    split_opponents(table, &mut spellings, &mut merges);
    observe(table, &mut spellings);
    for spelling in &mut spellings {
        // An initial may be any player's.
        let is_full = spelling.name.given.first().is_some_and(|word| word.len() > 1);
        let life = aliases.display_names().any_life(&spelling.name);
        let years = (spelling.first_year, spelling.last_year);
        spelling.life = life.filter(|life| is_full && life.spans(Some(years))).cloned();
    }
    (spellings, merges)
}

/// Splits a normalised name whose texts played each other.
///
/// Texts in a file of aliases stay together.
fn split_opponents(table: &GameTable, spellings: &mut Vec<Spelling>, merges: &mut Vec<Merge>) {
    let name_index = NameIndex::new(table, spellings);
    let met: BTreeSet<usize> = table
        .games()
        .par_iter()
        .filter(|game| game.white != game.black)
        .filter_map(|game| {
            name_index.get(game.white).filter(|index| name_index.get(game.black) == Some(*index))
        })
        .collect();
    for index in met {
        let has_alias = spellings[index].texts.iter().any(|(_, text)| {
            merges.iter().any(|merge| merge.reason == MergeReason::Alias && merge.spelling == *text)
        });
        if has_alias {
            continue;
        }
        let texts = std::mem::take(&mut spellings[index].texts);
        merges.retain(|merge| !texts.iter().any(|(_, text)| *text == merge.spelling));
        for (id, text) in texts {
            spellings.push(Spelling::new(PersonName::parse(&text), text.clone(), vec![(id, text)]));
        }
    }
    spellings.retain(|spelling| !spelling.texts.is_empty());
}

/// Records years, rating tags and FIDE numbers.
fn observe(table: &GameTable, spellings: &mut [Spelling]) {
    let name_index = NameIndex::new(table, spellings);
    // Each thread reads all games for a part of the spellings.
    let share = spellings.len().div_ceil(rayon::current_num_threads()).max(1);
    spellings.par_chunks_mut(share).enumerate().for_each(|(number, part)| {
        for game in table.games() {
            let sides = [
                (game.white, game.white_elo, game.white_fide_id),
                (game.black, game.black_elo, game.black_fide_id),
            ];
            for (name, elo, id) in sides {
                let own = name_index.get(name).and_then(|index| index.checked_sub(number * share));
                let Some(spelling) = own.and_then(|index| part.get_mut(index)) else { continue };
                spelling.games += 1;
                // One FIDE number for both players is an error and is ignored.
                if id > 0 && game.white_fide_id != game.black_fide_id {
                    match spelling.fide_ids.iter_mut().find(|(known, _)| *known == id) {
                        Some((_, games)) => *games += 1,
                        None => spelling.fide_ids.push((id, 1)),
                    }
                }
                spelling.best_rating = spelling.best_rating.max(elo);
                let Some(year) = game.date.year() else { continue };
                spelling.first_year = spelling.first_year.min(year);
                spelling.last_year = spelling.last_year.max(year);
            }
        }
    });
}
