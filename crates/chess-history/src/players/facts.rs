//! Adds the facts about the players that files of aliases and spelling files state.

use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::life::Life;
use super::name::PersonName;
use super::person::{Player, Players};
use super::spelling_claims::SpellingMatches;
use super::spelling_file::SpelledPlayer;
use crate::source::CleanName;

impl Players {
    /// Adds the lives and the other names of files of aliases.
    pub(super) fn add_facts(&mut self, aliases: &Aliases) {
        self.add_lives(aliases);
        self.add_other_names(aliases.other_names());
    }

    /// Adds the facts of files of aliases: of the bundled ones, then of the user's.
    ///
    /// A life belongs to each player with that name, unless another life has a name of theirs too.
    /// The years of the table of names were checked by hand, so bundled files do not change them.
    fn add_lives(&mut self, aliases: &Aliases) {
        for (lives, is_bundled) in [(aliases.bundled_lives(), true), (aliases.lives(), false)] {
            let mut by_key: FxHashMap<String, Vec<&Life>> = FxHashMap::default();
            for (name, life) in lives {
                by_key.entry(name.key()).or_default().push(life);
            }
            for player in &mut self.players {
                let lives = player.names.iter().filter_map(|name| by_key.get(&name.key()));
                let lives = lives.flatten().copied().cloned().collect();
                player.set_life(lives, is_bundled);
            }
        }
    }

    /// Adds further spellings, for finding players on lists and in searches.
    fn add_other_names(&mut self, others: &[(PersonName, Vec<CleanName>)]) {
        let by_key: FxHashMap<String, &[CleanName]> =
            others.iter().map(|(name, others)| (name.key(), others.as_slice())).collect();
        for player in &mut self.players {
            let known = player.names.iter().filter_map(|name| by_key.get(&name.key()));
            let new: Vec<String> = known.copied().flatten().map(ToString::to_string).collect();
            if new.is_empty() {
                continue;
            }
            // Sets are fast even if a file of aliases has thousands of spellings of one player.
            let mut names: FxHashSet<PersonName> = player.names.iter().cloned().collect();
            let texts = player.spellings.iter().chain(&player.also_called);
            let mut texts: FxHashSet<String> = texts.cloned().collect();
            for text in new {
                let name = PersonName::parse(&text);
                if names.insert(name.clone()) {
                    player.names.push(name);
                }
                if texts.insert(text.clone()) {
                    player.also_called.push(text);
                }
            }
        }
    }

    /// Adds the facts of a spelling file to the players whom it identifies.
    pub(super) fn add_spelled_lives(
        &mut self,
        matches: &SpellingMatches,
        spelled: &[SpelledPlayer],
    ) {
        let mut by_name: FxHashMap<&str, Vec<Life>> = FxHashMap::default();
        for player in spelled {
            by_name.entry(&player.name).or_default().push(player.life());
        }
        for player in &mut self.players {
            let names = player.spellings.iter().filter_map(|text| matches.names.get(text));
            let lives = names.filter_map(|name| by_name.get(name.as_str())).flatten();
            let lives = lives.cloned().collect();
            player.set_life(lives, false);
        }
    }
}

impl Player {
    /// Sets the facts of a life, if all these lives are equal and the player's games fall into it.
    ///
    /// Facts that the life does not state stay as they were. The years of a bundled life give way
    /// to those that are known, both together: with another year of birth, the year of death is
    /// another player's, too.
    fn set_life(&mut self, mut lives: Vec<Life>, is_bundled: bool) {
        lives.retain(|life| life.spans(self.years));
        lives.dedup();
        let [life] = &lives[..] else { return };
        // A bare surname or an initial may be any player's, and a FIDE number excludes all others.
        let has_full_name =
            self.names.iter().any(|name| name.given.first().is_some_and(|word| word.len() > 1));
        let known = self.life.get_or_insert_default();
        // A user may correct the number of a bundled life.
        let is_of_life = !is_bundled && self.fide_ids[..] == *known.fide_id.as_slice();
        if has_full_name && life.fide_id.is_some() && (self.fide_ids.is_empty() || is_of_life) {
            self.fide_ids = life.fide_id.into_iter().collect();
        }
        // Only the table of names has identifiers of Wikidata.
        let Life { titles, federation, fide_id, born, died, birthday, title_years, wikidata: _ } =
            life.clone();
        if !titles.is_empty() {
            known.titles = titles;
        }
        // A history of federations says more than one of them, which may be of another time. The
        // bundled aliases are less reliable than the table of names.
        let is_checked = is_bundled && !known.federation.is_empty();
        let says_more = federation.contains('/') || !known.federation.contains('/');
        if !federation.is_empty() && !is_checked && says_more {
            known.federation = federation;
        }
        known.fide_id = fide_id.or(known.fide_id);
        let contradicts = [(known.born, born), (known.died, died)]
            .into_iter()
            .any(|(mine, theirs)| mine.zip(theirs).is_some_and(|(mine, theirs)| mine != theirs));
        let (born, died) = if is_bundled && contradicts { (None, None) } else { (born, died) };
        known.born = born.or(known.born);
        known.died = died.or(known.died);
        // A birthday belongs to its year of birth.
        if birthday.is_some() && known.born == born {
            known.birthday = birthday;
        }
        if !title_years.is_empty() {
            known.title_years = title_years;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::resolve;
    use super::super::table_of_test_games;
    use super::*;

    /// The years of Tarjan, whom the table of names has as born in 1952.
    fn born(bundled: &str, own: &str) -> Option<i16> {
        let table = table_of_test_games(&[("Tarjan, James Edward", 1974)]);
        let folder = tempfile::tempdir().unwrap();
        let [bundled, own] = [("bundled.toml", bundled), ("own.toml", own)].map(|(name, facts)| {
            let path = folder.path().join(name);
            let text = format!("[[player]]\nname = \"Tarjan, James Edward\"\n{facts}\n");
            std::fs::write(&path, text).unwrap();
            path
        });
        let mut aliases = Aliases::default();
        assert!(aliases.read(&bundled, true).is_empty());
        assert!(aliases.read(&own, false).is_empty());
        let mut players = resolve(&table, &aliases);
        players.add_facts(&aliases);
        let tarjan = players.iter().find(|(_, player)| player.id.starts_with("tarjan")).unwrap();
        tarjan.1.life.as_ref().and_then(|life| life.born)
    }

    #[test]
    fn bundled_years_give_way_to_those_checked_by_hand_and_these_to_the_users() {
        assert_eq!(born("", ""), Some(1952), "the table of names");
        assert_eq!(born("born = 1963", ""), Some(1952));
        assert_eq!(born("born = 1963", "born = 1951"), Some(1951));
    }

    #[test]
    fn a_bundled_life_with_another_birth_gives_no_death_either() {
        let known = Life { born: Some(1918), ..Life::default() };
        let mut player = Player {
            id: String::new(),
            name: String::new(),
            surname: String::new(),
            surname_with_initials: String::new(),
            fullest_spelling: String::new(),
            spellings: Vec::new(),
            also_called: Vec::new(),
            names: Vec::new(),
            fide_ids: Vec::new(),
            years: None,
            life: Some(known.clone()),
        };
        let titles = "IM".to_owned();
        let other = Life { born: Some(1926), died: Some(2007), titles, ..Life::default() };
        player.set_life(vec![other], true);
        assert_eq!(player.life, Some(Life { titles: "IM".into(), ..known }));
    }
}
