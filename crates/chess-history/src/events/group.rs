//! Groups of games that belong together, before they become events.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tag::{SegmentKind, SiteTag};
use crate::games::{Duplicate, Game, GameTable, NameId, Round, tag_words};
use crate::players::{PlayerId, fold};

#[derive(Clone, Copy, Debug)]
pub(super) struct GroupedGame {
    /// Row of the game table.
    pub row: usize,
    /// The row whose tags assign the game to the group: the game itself, or a copy of it.
    pub tags: usize,
    pub white: PlayerId,
    pub black: PlayerId,
    /// The round, unless its source gives the same to all games.
    pub round: Round,
    pub segment: SegmentKind,
    /// The stage of a cycle, in playing order; 0 in other groups.
    pub stage: u8,
    /// Whether a report that has the results of all its pairings has the game, or a copy of it.
    pub in_whole_report: bool,
}

impl GroupedGame {
    /// Returns the row of the game table.
    pub fn game<'a>(&self, table: &'a GameTable) -> &'a Game {
        &table.games()[self.row]
    }
}

/// Games that belong together.
#[derive(Clone, Debug, Default)]
pub(super) struct GameGroup {
    /// The event's own name in the spelling of its main games.
    pub base: String,
    pub key: String,
    pub city: String,
    pub site_key: String,
    /// Whether teams played, according to tags or words.
    pub teams: bool,
    /// Whether the tags of most games name teams.
    pub with_team_tags: bool,
    /// Whether the pairings are those of teams, though no tag says it.
    pub has_pairs_of_teams: bool,
    pub members: Vec<GroupedGame>,
    /// The names of groups that are more probably parts of this one than not, but not certainly.
    /// They have the same players, or are too small for an event.
    pub may_continue: Vec<String>,
    /// What was corrected, as sentences for readers.
    pub reasons: Vec<String>,
}

impl GameGroup {
    /// Returns the field: each player once, in the order of their ids.
    pub fn players(&self) -> Vec<PlayerId> {
        let mut players: Vec<PlayerId> = Vec::with_capacity(2 * self.members.len());
        players.extend(self.members.iter().flat_map(|member| [member.white, member.black]));
        sorted_unique(players)
    }

    /// Returns the (White, Black) pairs, each once, in order.
    pub fn pairings(&self) -> Vec<(PlayerId, PlayerId)> {
        sorted_unique(self.members.iter().map(|member| (member.white, member.black)).collect())
    }

    /// Returns the pairs without colours, each once, in order.
    pub fn pairs(&self) -> Vec<(PlayerId, PlayerId)> {
        let members = self.members.iter();
        sorted_unique(
            members
                .map(|member| (member.white.min(member.black), member.white.max(member.black)))
                .collect(),
        )
    }

    pub fn first_year(&self, table: &GameTable) -> Option<i16> {
        self.years(table).map(|(first, _)| first)
    }

    /// Returns the first and last year.
    pub fn years(&self, table: &GameTable) -> Option<(i16, i16)> {
        let years = self.members.iter().filter_map(|member| member.game(table).date.year());
        years.fold(None, |span, year| match span {
            None => Some((year, year)),
            Some((first, last)) => Some((year.min(first), year.max(last))),
        })
    }

    /// Sets the place to the common one of all games, or to none.
    pub fn find_place(&mut self, table: &GameTable) {
        let mut sites: Vec<NameId> =
            self.members.iter().map(|member| table.games()[member.tags].site).collect();
        sites.sort_unstable();
        sites.dedup();
        let mut places = sites.into_iter().map(|site| SiteTag::parse(table.text(site)));
        let first = places.next();
        match first.filter(|first| places.all(|other| other.key == first.key)) {
            Some(place) => (self.city, self.site_key) = (place.city, place.key),
            None => (self.city, self.site_key) = (String::new(), String::new()),
        }
    }

    /// Takes the name and the place of a copy if they contain the group's own and add to them.
    pub fn take_fuller_tags(&mut self, other: &GameGroup) {
        let (mine, theirs) = (folded_words(&self.base), folded_words(&other.base));
        let adds_words = theirs.len() > mine.len() && mine.iter().all(|one| theirs.contains(one));
        if adds_words || adds_number(&self.base, &other.base) {
            self.base.clone_from(&other.base);
            self.key.clone_from(&other.key);
        }
        self.take_fuller_place(other);
    }

    /// Takes the place of a copy if it is the group's own, which a source has cut short.
    pub fn take_fuller_place(&mut self, other: &GameGroup) {
        if other.city.len() > self.city.len() && other.city.starts_with(&self.city) {
            self.city.clone_from(&other.city);
            self.site_key.clone_from(&other.site_key);
        }
    }

    /// Removes games that the group has as well, with the rows of both. A report that has a copy
    /// has the game.
    pub fn remove_copies(&mut self, copies: &[Duplicate]) {
        let kept: FxHashMap<usize, usize> =
            copies.iter().map(|copy| (copy.game, copy.kept)).collect();
        let of_reports: FxHashSet<usize> = self
            .members
            .iter()
            .filter(|member| member.in_whole_report)
            .filter_map(|member| kept.get(&member.row).copied())
            .collect();
        self.members.retain(|member| !kept.contains_key(&member.row));
        for member in &mut self.members {
            member.in_whole_report |= of_reports.contains(&member.row);
        }
    }

    pub fn absorb(&mut self, other: GameGroup, reason: String) {
        self.may_continue.extend(other.may_continue);
        let names = [&self.base, &other.base];
        self.may_continue.retain(|name| !names.contains(&name));
        self.members.extend(other.members);
        self.reasons.extend(other.reasons);
        self.reasons.push(reason);
    }
}

/// Returns whether one name of an event is another with a number, which identifies the years or the
/// edition of a series (`Hastings9596`, `URS-ch27`, `2nd FIDE GP`).
pub(super) fn adds_number(name: &str, numbered: &str) -> bool {
    let have_digits = [name, numbered].map(|text| text.bytes().any(|byte| byte.is_ascii_digit()));
    have_digits == [false, true] && {
        let without_digits = numbered.replace(|letter: char| letter.is_ascii_digit(), " ");
        folded_words(name) == folded_words(&without_digits)
    }
}

fn folded_words(text: &str) -> Vec<String> {
    tag_words(&fold(text)).collect()
}

/// Sorts a list and removes what occurs twice.
pub(super) fn sorted_unique<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

/// Writes a number of games: `1 game`, `2 games`.
pub(super) fn counted_games(games: usize) -> String {
    match games {
        1 => "1 game".to_owned(),
        _ => format!("{games} games"),
    }
}

/// Counts the common elements of two sorted lists.
pub(super) fn in_common<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => (i, j, both) = (i + 1, j + 1, both + 1),
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::adds_number;

    #[test]
    fn a_number_identifies_the_event_of_a_series() {
        for (name, numbered) in
            [("Hastings", "Hastings9596"), ("URS ch", "URS-ch27"), ("nd FIDE GP", "2nd FIDE GP")]
        {
            assert!(adds_number(name, numbered), "{numbered}");
            assert!(!adds_number(numbered, name), "{numbered}");
        }
        assert!(!adds_number("Hastings", "Hastings B 1995"));
        assert!(!adds_number("Hastings 1994", "Hastings 1995"));
    }
}
