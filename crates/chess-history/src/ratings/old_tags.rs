//! Finds files whose rating tags are old, and discards these tags.
//!
//! Some collections give each player one rating for many years, often hundreds of points below that
//! of the time. One gave Ding Liren 2270 for seven years. Such tags may be more numerous than the
//! right ones, so their number proves nothing. They are recognised because they never change.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::tags::POSSIBLE;
use crate::games::{GameTable, PartialDate};
use crate::players::{PlayerId, Players};
use crate::source::{Diagnostic, DiagnosticKind};

/// How far (points) from other files a tag is that never changes and is no rating.
///
/// Judged: half of the difference that makes a single tag a mistake, because here the tag is also
/// known to stand still while the player's rating moved.
const UNCHANGING: i32 = 100;

/// The difference (points) from other files in one year that counts against a file.
///
/// Measured on the bundled games since 1971: of 7,923 ratings in an event, 7 differ by more from
/// the player's ratings in other events of the year.
const DIFFERENT: i32 = 150;

/// The number of players that must be compared before a file is judged. Judged: with fewer, two
/// namesakes would be a fifth.
const PLAYERS: usize = 5;

/// The days that the tags of a player must span to show that they never change: a year, in which
/// FIDE always published a list.
const YEAR: i32 = 365;

/// The rating tags of one player in one source.
struct PlayerInSource {
    player: PlayerId,
    source: u32,
    /// Whether the tags span more than a year.
    is_followed: bool,
    /// Whether they do, and are all equal.
    is_unchanging: bool,
    /// The median of the differences (points) from other sources, year by year; `None` if no year
    /// has tags from other sources.
    difference: Option<i32>,
    /// The number of years in which other sources have tags.
    shared_years: usize,
}

/// How many players of a source the signs of old tags concern.
#[derive(Clone, Copy, Default)]
struct SourceEvidence {
    compared: usize,
    different: usize,
    followed: usize,
    unchanging: usize,
}

impl SourceEvidence {
    /// Returns whether the tags of the source are old: a fifth of the players have other ratings in
    /// other files, and the tags of a third of the players never change.
    ///
    /// Of two files that differ, the comparison alone cannot say which is wrong. In the bundled
    /// games since 1971, the tags of 4 of 753 players never change within two years or more. A
    /// file with one rating of each name has several of a player with several names: of one such
    /// file, the tags of 56% of the players never change, of another 44%.
    fn is_old(self) -> bool {
        self.compared >= PLAYERS
            && 5 * self.different >= self.compared
            && self.followed >= PLAYERS
            && 3 * self.unchanging >= self.followed
    }
}

/// The players whose tags in a source were discarded because they are old.
///
/// Each had some rating at the time, unlike a player without a tag.
#[derive(Clone, Debug, Default)]
pub struct DiscardedTags {
    of: FxHashSet<(PlayerId, u32)>,
}

impl DiscardedTags {
    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Returns whether tags of a player in a source were discarded.
    pub(super) fn has(&self, player: PlayerId, source: u32) -> bool {
        self.of.contains(&(player, source))
    }
}

/// Sets the rating tags of old sources to unknown, and reports the files. Returns whose tags these
/// were.
///
/// In a source that is not old as a whole, the tags of single players may be. Those are discarded
/// too: they never change over more than a year, and differ from the player's tags in other files
/// in at least two years.
pub fn discard_old_tags(
    table: &mut GameTable,
    players: &Players,
    diagnostics: &mut Vec<Diagnostic>,
) -> DiscardedTags {
    let judged = players_in_sources(table, players);
    let mut evidence: FxHashMap<u32, SourceEvidence> = FxHashMap::default();
    for one in &judged {
        let of_source = evidence.entry(one.source).or_default();
        of_source.followed += usize::from(one.is_followed);
        of_source.unchanging += usize::from(one.is_unchanging);
        if let Some(difference) = one.difference {
            of_source.compared += 1;
            of_source.different += usize::from(difference.abs() > DIFFERENT);
        }
    }
    let mut old: Vec<(u32, SourceEvidence)> =
        evidence.into_iter().filter(|(_, evidence)| evidence.is_old()).collect();
    old.sort_unstable_by_key(|(source, _)| *source);
    let is_old = |source: u32| old.binary_search_by_key(&source, |(old, _)| *old).is_ok();
    let mut findings = Vec::new();
    for (source, evidence) in &old {
        let message = format!(
            "the rating tags are old and are ignored: {} of {} players have ratings more than \
             {DIFFERENT} points from those in other files of the same year, and the ratings of {} \
             of {} players never change",
            evidence.different, evidence.compared, evidence.unchanging, evidence.followed
        );
        let file = Arc::clone(&table.members[*source as usize]);
        findings.push(Diagnostic::warning(file, 0, DiagnosticKind::BadTag, message));
    }
    let mut old_ratings: FxHashSet<(PlayerId, u32)> = FxHashSet::default();
    for one in judged {
        let is_far = one.difference.is_some_and(|difference| difference.abs() > UNCHANGING);
        if one.is_unchanging && is_far && one.shared_years > 1 && !is_old(one.source) {
            old_ratings.insert((one.player, one.source));
            let name = &players.get(one.player).name;
            let message = format!(
                "the rating of {name} never changes, and is more than {UNCHANGING} points from \
                 those in other files; it is ignored"
            );
            let file = Arc::clone(&table.members[one.source as usize]);
            findings.push(Diagnostic::note(file, 0, DiagnosticKind::BadTag, message));
        }
    }
    let mut discarded = DiscardedTags::default();
    if findings.is_empty() {
        return discarded;
    }
    diagnostics.append(&mut findings);
    let sources = table.sources().clone();
    for game in table.games_mut() {
        let source = sources.of_game(game);
        for (name, elo) in [(game.white, &mut game.white_elo), (game.black, &mut game.black_elo)] {
            let player = players.of_name(name);
            let is_single = player.is_some_and(|player| old_ratings.contains(&(player, source)));
            if *elo > 0 && (is_single || is_old(source)) {
                *elo = 0;
                discarded.of.extend(player.map(|player| (player, source)));
            }
        }
    }
    discarded
}

/// A rating tag. The order is by player, source and date.
type SourceTag = (PlayerId, u32, PartialDate, u16);

/// Compares the tags of each player in each source with those in the other sources. Returns nothing
/// if only one source has tags.
fn players_in_sources(table: &GameTable, players: &Players) -> Vec<PlayerInSource> {
    let mut tags: Vec<SourceTag> = Vec::new();
    for game in table.games() {
        if game.date.year().is_none() {
            continue;
        }
        let source = table.sources().of_game(game);
        for (name, elo) in [(game.white, game.white_elo), (game.black, game.black_elo)] {
            if let Some(player) = players.of_name(name).filter(|_| POSSIBLE.contains(&elo)) {
                tags.push((player, source, game.date, elo));
            }
        }
    }
    let first = tags.first().map(|tag| tag.1);
    if tags.iter().all(|tag| Some(tag.1) == first) {
        return Vec::new();
    }
    tags.par_sort_unstable();
    tags.dedup();
    let mut found = Vec::new();
    for of_player in tags.chunk_by(|one, other| one.0 == other.0) {
        let mut of_years: Vec<(i16, u32, u16)> = Vec::new();
        for tags in
            of_player.chunk_by(|one, other| (one.1, one.2.year()) == (other.1, other.2.year()))
        {
            let year = tags[0].2.year().unwrap_or_default();
            of_years.push((year, tags[0].1, median(tags.iter().map(|tag| tag.3))));
        }
        of_years.sort_unstable();
        for tags in of_player.chunk_by(|one, other| one.1 == other.1) {
            found.push(player_in_source(tags, &of_years));
        }
    }
    found
}

/// Judges the tags of one player in one source, of which there is at least one. `of_years` has the
/// median tag of each year and source, by year.
fn player_in_source(tags: &[SourceTag], of_years: &[(i16, u32, u16)]) -> PlayerInSource {
    let (player, source, first, elo) = tags[0];
    let last = tags[tags.len() - 1].2;
    let days = first.latest().zip(last.earliest()).map(|(first, last)| (last - first).get_days());
    let is_followed = days.is_some_and(|days| days > YEAR);
    let mut differences: Vec<i32> = Vec::new();
    for of_year in of_years.chunk_by(|one, other| one.0 == other.0) {
        let Some(own) = of_year.iter().find(|of_source| of_source.1 == source) else { continue };
        if of_year.len() > 1 {
            let others = of_year.iter().filter(|of_source| of_source.1 != source);
            let others = median(others.map(|of_source| of_source.2));
            differences.push(i32::from(own.2) - i32::from(others));
        }
    }
    PlayerInSource {
        player,
        source,
        is_followed,
        is_unchanging: is_followed && tags.iter().all(|tag| tag.3 == elo),
        shared_years: differences.len(),
        difference: (!differences.is_empty()).then(|| median(differences.into_iter())),
    }
}

/// Returns the median of some numbers, of which there is at least one; the upper one of two.
fn median<T: Ord + Copy>(numbers: impl Iterator<Item = T>) -> T {
    let mut sorted: Vec<T> = numbers.collect();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::players::{Aliases, resolve};

    /// A collection of two files, in which twelve players play one game a year from 1990 to 1993.
    /// `rating` gives the tag in each file by player and year.
    fn two_files(rating: impl Fn(u32, u16, u16) -> u16) -> (GameTable, Players) {
        let mut table = GameTable::default();
        let (event, site) = (table.names.intern("Testville"), table.names.intern("Testville"));
        for member in [0, 1] {
            table.members.push(format!("{member}.pgn").into());
            for year in 1990..=1993 {
                let date = PartialDate::of_year(year);
                for pair in 0..6u16 {
                    let names = [2 * pair, 2 * pair + 1];
                    let [white, black] = names.map(|player| {
                        let letter = char::from(b'a' + player as u8);
                        table.names.intern(&format!("{letter}{letter}olm, Anton"))
                    });
                    let [white_elo, black_elo] =
                        names.map(|player| rating(member, player, year - 1990));
                    let game = Game { event, site, date, white, black, member, ..Game::default() };
                    table.push(Game { white_elo, black_elo, ..game });
                }
            }
        }
        let players = resolve(&table, &Aliases::default());
        assert_eq!(players.len(), 12);
        (table, players)
    }

    fn findings(table: &mut GameTable, players: &Players) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        discard_old_tags(table, players, &mut findings);
        findings
    }

    /// The number of tags in each file.
    fn tags(table: &GameTable) -> [usize; 2] {
        [0, 1].map(|member| {
            let games = table.games().iter().filter(|game| game.member == member);
            games
                .map(|game| usize::from(game.white_elo > 0) + usize::from(game.black_elo > 0))
                .sum()
        })
    }

    fn rating_of_the_time(player: u16, years: u16) -> u16 {
        2500 + 10 * player + 5 * years
    }

    #[test]
    fn tags_that_never_change_and_differ_from_other_files_are_ignored() {
        let (mut table, players) = two_files(|member, player, years| match member {
            0 => rating_of_the_time(player, years),
            _ => 2200 + player,
        });
        let findings = findings(&mut table, &players);
        assert_eq!(tags(&table), [48, 0]);
        assert!(findings[0].message.contains("12 of 12 players"), "{}", findings[0].message);
    }

    #[test]
    fn ratings_that_change_are_kept_however_much_two_files_differ() {
        let (mut table, players) = two_files(|member, player, years| {
            rating_of_the_time(player, years) - 300 * member as u16
        });
        assert!(findings(&mut table, &players).is_empty());
        assert_eq!(tags(&table), [48, 48]);
    }

    #[test]
    fn ratings_that_never_change_but_agree_with_other_files_are_kept() {
        let (mut table, players) = two_files(|member, player, years| match member {
            0 => rating_of_the_time(player, years),
            _ => rating_of_the_time(player, 2),
        });
        assert!(findings(&mut table, &players).is_empty());
        assert_eq!(tags(&table), [48, 48]);
    }

    #[test]
    fn in_a_sound_file_only_the_old_tags_of_single_players_are_ignored() {
        let (mut table, players) = two_files(|member, player, years| match (member, player) {
            (1, 0) => 2200,
            _ => rating_of_the_time(player, years),
        });
        assert_eq!(findings(&mut table, &players).len(), 1);
        assert_eq!(tags(&table), [48, 44]);
        let (mut table, players) =
            two_files(|member, player, years| match (member, player, years) {
                (1, 0, 1) => 2200,
                _ => rating_of_the_time(player, years),
            });
        assert!(findings(&mut table, &players).is_empty(), "one mistake is not old");
    }
}
