//! Moves single games to their event if one of their tags differs.
//!
//! Often the first game of a match has a slightly different name, or a round has a misspelt place.
//! A single game is not an event. It joins the event of its players at its time, if that event has
//! a free place for it.

use std::cmp::Reverse;

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::group::{GameGroup, GroupedGame, counted_games};
use super::repeated::similar_length;
use super::tag::SegmentKind;
use super::thresholds::EventThresholds;
use crate::games::lexicon::{self, Class};
use crate::games::{Game, GameTable, PartialDate, Round};
use crate::players::PlayerId;

/// Days before the first and after the last game of an event in which its games may lie.
///
/// Judged: a round is rarely postponed by more than a week. With double, the game of another event
/// of these players may join; with half, a postponed game stays outside.
const NEAR_DAYS: i32 = 10;

/// The least number of players of a table that shows which game it lacks.
///
/// Judged: one gap among fifteen pairs is a lost game; among the three pairs of three players it
/// may be any unfinished event. With twelve players, most lost games would not be found.
const TABLE: usize = 6;

/// The most letters of a place that is compared letter by letter. It bounds the time of a
/// comparison, which grows with the square; names of towns are shorter.
const LONGEST_PLACE: usize = 60;

/// Properties of an event that many comparisons need.
struct HomeEvent {
    /// (White, Black), in order.
    pairings: Vec<(PlayerId, PlayerId)>,
    /// The rounds of each player, in order.
    rounds: Vec<(PlayerId, u16)>,
    /// Whether nearly all games have a round, and few players have two games in one.
    has_rounds: bool,
    /// Days with games, in order.
    days: Vec<Date>,
    /// Whether at least half of the games have a day, so that the others are near.
    is_dated: bool,
    years: Option<(i16, i16)>,
    /// The EventDate of all games, if they have the same one.
    event_date: Option<PartialDate>,
    /// Whether no pair meets twice.
    is_single: bool,
    /// Whether two players play it.
    is_match: bool,
    /// The missing numbers of a match, each with the player who has White. Empty unless nearly all
    /// games have a number, and colours alternate.
    gaps: Vec<(u16, PlayerId)>,
    /// Whether one game is missing of a table in which all players met each other once, or with
    /// both colours.
    lacks_one: bool,
    games: usize,
}

/// Evidence for an event: the same EventDate, the same name, the same place, in this order of
/// weight.
type HomeEvidence = (bool, bool, bool);

/// Moves games of groups that are too small for an event to the event to which they belong.
pub(super) fn move_to_events(
    table: &GameTable,
    groups: &mut Vec<GameGroup>,
    thresholds: EventThresholds,
) {
    let moves = Homes::new(table, groups, thresholds).moves();
    for of_group in moves.chunk_by(|a, b| (a.orphan, a.home) == (b.orphan, b.home)) {
        let Move { orphan, home, home_games, .. } = of_group[0];
        // More than a few games do not have the same misprint in a tag.
        if of_group.len() * 2 > home_games {
            continue;
        }
        let reason = format!(
            "{} with the tag \"{}\" joined: the same players and time, and a free place",
            counted_games(of_group.len()),
            groups[orphan].base,
        );
        groups[orphan]
            .members
            .retain(|member| of_group.iter().all(|moved| moved.member.row != member.row));
        groups[home].members.extend(of_group.iter().map(|moved| moved.member));
        groups[home].reasons.push(reason);
    }
    groups.retain(|group| !group.members.is_empty());
}

/// A game that changes its group.
#[derive(Clone, Copy)]
struct Move {
    /// The number of the group that is too small for an event.
    orphan: usize,
    /// The number of the event to which the game belongs.
    home: usize,
    /// The number of games of the event.
    home_games: usize,
    member: GroupedGame,
}

/// All groups, with the properties of those that are events.
struct Homes<'a> {
    table: &'a GameTable,
    groups: &'a [GameGroup],
    /// The groups that are events; `None` for groups that are too small, and for those of teams.
    homes: Vec<Option<HomeEvent>>,
    /// The numbers of the events in which each player plays.
    of_player: FxHashMap<PlayerId, Vec<usize>>,
}

impl<'a> Homes<'a> {
    fn new(
        table: &'a GameTable,
        groups: &'a [GameGroup],
        thresholds: EventThresholds,
    ) -> Homes<'a> {
        let with_players: Vec<Option<(HomeEvent, Vec<PlayerId>)>> = groups
            .par_iter()
            .map(|group| {
                let players = group.players();
                let least = if players.len() == 2 {
                    thresholds.match_games
                } else {
                    thresholds.event_games
                };
                (group.members.len() >= least && !group.teams)
                    .then(|| (HomeEvent::new(table, group, &players), players))
            })
            .collect();
        let mut of_player: FxHashMap<PlayerId, Vec<usize>> = FxHashMap::default();
        let mut homes = Vec::with_capacity(groups.len());
        for (number, home) in with_players.into_iter().enumerate() {
            homes.push(home.map(|(home, players)| {
                for player in players {
                    of_player.entry(player).or_default().push(number);
                }
                home
            }));
        }
        Homes { table, groups, homes, of_player }
    }

    /// Finds the event to which a game belongs whose group is too small for an event, or loose (see
    /// [`is_loose`]). Games of a loose group only fill the gaps of a match.
    ///
    /// Returns `None` where several events fit equally well.
    fn find(&self, orphan: usize, member: &GroupedGame) -> Option<usize> {
        let (group, of_orphan) = (&self.groups[orphan], &self.homes[orphan]);
        let of_white = self.of_player.get(&member.white)?;
        let of_black = self.of_player.get(&member.black)?;
        let (few, many) = if of_white.len() <= of_black.len() {
            (of_white, of_black)
        } else {
            (of_black, of_white)
        };
        let mut fitting: Vec<(HomeEvidence, usize)> = few
            .iter()
            .copied()
            .filter(|candidate| many.binary_search(candidate).is_ok())
            .filter_map(|candidate| {
                let home = self.homes[candidate].as_ref()?;
                if of_orphan.is_some() && (candidate == orphan || home.gaps.is_empty()) {
                    return None;
                }
                Some((
                    home.evidence_for(self.table, &self.groups[candidate], group, member)?,
                    candidate,
                ))
            })
            .collect();
        fitting.sort_by_key(|(evidence, candidate)| (Reverse(*evidence), *candidate));
        match fitting[..] {
            [(best, _), (next, _), ..] if best == next => None,
            [(_, home), ..] => Some(home),
            [] => None,
        }
    }

    /// Returns the games that change their group, in the order of their old and new groups.
    fn moves(&self) -> Vec<Move> {
        let groups = self.groups.par_iter().enumerate();
        let small = groups.filter(|(number, group)| {
            !group.teams && (self.homes[*number].is_none() || is_loose(group))
        });
        let mut moves: Vec<Move> = small
            .flat_map_iter(|(orphan, group)| {
                group.members.iter().filter_map(move |member| {
                    let home = self.find(orphan, member)?;
                    let home_games = self.homes[home].as_ref()?.games;
                    Some(Move { orphan, home, home_games, member: *member })
                })
            })
            .collect();
        moves.sort_by_key(|moved| (moved.orphan, moved.home, moved.member.row));
        // More games than gaps may be those of two matches.
        let mut fillers: FxHashMap<(usize, PlayerId), usize> = FxHashMap::default();
        for Move { home, member, .. } in moves.iter().filter(|one| self.fills_gap(one)) {
            *fillers.entry((*home, member.white)).or_default() += 1;
        }
        moves.retain(|one| {
            if !self.fills_gap(one) {
                return true;
            }
            let white = one.member.white;
            let places = self.homes[one.home].as_ref().map(|home| home.gaps_of(white));
            fillers.get(&(one.home, white)).copied() <= places
        });
        // A second game may fit the same place as the first.
        let mut taken: FxHashSet<(usize, PlayerId, PlayerId, Round)> = FxHashSet::default();
        moves.retain(|one @ Move { home, member, .. }| {
            let is_match = self.homes[*home].as_ref().is_some_and(|home| home.is_match);
            let (white, black) = (member.white, member.black);
            let round = member.round;
            self.fills_gap(one)
                || taken.insert(if is_match {
                    (*home, white.min(black), white.max(black), round)
                } else {
                    (*home, white, black, Round::UNKNOWN)
                })
        });
        moves
    }

    /// Returns whether a game without a number takes the place of a missing number of a match.
    fn fills_gap(&self, Move { home, member, .. }: &Move) -> bool {
        let home = self.homes[*home].as_ref();
        home.is_some_and(|home| !home.gaps.is_empty()) && member.round.number().is_none()
    }
}

impl HomeEvent {
    fn new(table: &GameTable, group: &GameGroup, players: &[PlayerId]) -> HomeEvent {
        let games: Vec<&Game> =
            group.members.iter().map(|member| &table.games()[member.row]).collect();
        let mut days: Vec<Date> = games.iter().filter_map(|game| game.date.day_exact()).collect();
        let is_dated = 2 * days.len() >= group.members.len();
        days.sort_unstable();
        days.dedup();
        let mut pairings: Vec<_> =
            group.members.iter().map(|member| (member.white, member.black)).collect();
        pairings.sort_unstable();
        let mut rounds: Vec<(PlayerId, u16)> = group
            .members
            .iter()
            .filter_map(|member| Some((member, member.round.number()?)))
            .flat_map(|(member, round)| [(member.white, round), (member.black, round)])
            .collect();
        let known = rounds.len();
        rounds.sort_unstable();
        rounds.dedup();
        let has_rounds = 20 * rounds.len() >= 19 * known
            && known >= 2 * group.members.len() * 9 / 10
            && rounds.first().map(|one| one.1) != rounds.last().map(|one| one.1);
        let event_date = games.first().map(|game| game.event_date);
        let event_date =
            event_date.filter(|date| games.iter().all(|game| game.event_date == *date));
        let mut pairs: Vec<_> = pairings.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
        pairs.sort_unstable();
        let is_single = pairs.windows(2).all(|two| two[0] != two[1]);
        let is_of_each = pairings.windows(2).all(|two| two[0] != two[1]);
        let all = players.len() * players.len().saturating_sub(1);
        let lacks_one = players.len() >= TABLE
            && ((is_single && pairs.len() + 1 == all / 2)
                || (is_of_each && pairings.len() + 1 == all));
        HomeEvent {
            rounds,
            has_rounds,
            days,
            is_dated,
            years: group.years(table),
            event_date,
            is_single,
            lacks_one,
            is_match: players.len() == 2,
            gaps: if has_rounds { gaps(group, players) } else { Vec::new() },
            games: pairings.len(),
            pairings,
        }
    }

    /// Returns the evidence that a game belongs to this event, or `None` if it does not fit.
    ///
    /// Time and place must agree, and the pairing (in a match: the round) must be free. The name or
    /// the EventDate must agree too, unless day, round and place agree exactly.
    fn evidence_for(
        &self,
        table: &GameTable,
        home: &GameGroup,
        orphan: &GameGroup,
        member: &GroupedGame,
    ) -> Option<HomeEvidence> {
        let game = &table.games()[member.row];
        if member.segment != SegmentKind::Main
            || !(self.is_in_time(game) || self.is_number_of_next_year(member, game))
            || !self.has_room(table, home, member)
        {
            return None;
        }
        let (here, there) = (&home.site_key, &orphan.site_key);
        let same_place = here == there && !here.is_empty();
        let places_may_agree =
            same_place || here.is_empty() || there.is_empty() || are_similar_places(here, there);
        let same_event_date =
            game.event_date.known_parts() == 3 && self.event_date == Some(game.event_date);
        // The only game that a table lacks belongs there, even if its tag adds to the name.
        let completes = self.lacks_one && same_place && orphan.members.len() == 1;
        if are_distinguished(&home.key, &orphan.key) && !completes {
            return None;
        }
        // If everything else agrees, only the name is wrong.
        let is_within = game.date.day_exact().is_some_and(|day| {
            let (first, last) = (self.days.first(), self.days.last());
            first.is_some_and(|first| *first <= day) && last.is_some_and(|last| day <= *last)
        });
        let same_name = home.key == orphan.key
            || shares_words(&home.key, &orphan.key)
            // `6th Linares` without a place was played in Linares.
            || (is_within && there.is_empty() && has_all_words(&orphan.key, here));
        let fits_exactly =
            is_within && same_place && self.has_rounds && game.round.is_known() && !self.is_match;
        (places_may_agree && (same_event_date || same_name || fits_exactly)).then_some((
            same_event_date,
            same_name,
            same_place,
        ))
    }

    fn is_in_time(&self, game: &Game) -> bool {
        match (game.date.day_exact(), self.days.first(), self.days.last()) {
            (Some(day), Some(first), Some(last)) if self.is_dated => {
                (*first - day).get_days() <= NEAR_DAYS && (day - *last).get_days() <= NEAR_DAYS
            }
            _ => {
                let year = game.date.year().or(game.event_date.year());
                year.zip(self.years)
                    .is_some_and(|(year, (first, last))| (first..=last).contains(&year))
            }
        }
    }

    /// Returns whether a game of the next year has a number that a match lacks, with its colours.
    ///
    /// One source dates all games of a match by its first year, another by their own.
    fn is_number_of_next_year(&self, member: &GroupedGame, game: &Game) -> bool {
        let gap = game.round.number().map(|number| (number, member.white));
        gap.is_some_and(|gap| self.gaps.contains(&gap))
            && game.date.year().zip(self.years).is_some_and(|(year, (_, last))| year == last + 1)
    }

    /// Returns the number of gaps of a match in which this player has White.
    fn gaps_of(&self, white: PlayerId) -> usize {
        self.gaps.iter().filter(|(_, player)| *player == white).count()
    }

    /// Returns whether the event lacks the pairing of a game, and its round is free.
    fn has_room(&self, table: &GameTable, home: &GameGroup, member: &GroupedGame) -> bool {
        let game = &table.games()[member.row];
        let (white, black) = (member.white, member.black);
        let round = game.round.number();
        if round.is_none() && !self.gaps.is_empty() {
            // With a few other moves, the game may be one that the event has.
            let same_colours =
                home.members.iter().filter(|one| (one.white, one.black) == (white, black));
            return self.gaps_of(white) > 0
                && !same_colours.map(|one| &table.games()[one.row]).any(|own| {
                    own.result == game.result
                        && own.has_most_moves_of(game)
                        && similar_length(own, game)
                });
        }
        if self.is_match {
            let other_day =
                game.date.day_exact().is_some_and(|day| self.days.binary_search(&day).is_err());
            return if self.has_rounds && round.is_some() {
                self.is_free_in(white, round)
            } else {
                !self.has_rounds && self.days.len() == self.games && other_day
            };
        }
        self.pairings.binary_search(&(white, black)).is_err()
            && (!self.is_single || self.pairings.binary_search(&(black, white)).is_err())
            && (!self.has_rounds
                || (self.is_free_in(white, round) && self.is_free_in(black, round)))
    }

    /// Returns whether a player has no game in a round, or the round is unknown.
    fn is_free_in(&self, player: PlayerId, round: Option<u16>) -> bool {
        round.is_none_or(|round| self.rounds.binary_search(&(player, round)).is_err())
    }
}

/// Returns the numbers that a match lacks before its last one, each with the player who has White.
///
/// There are none unless each number occurs once and one player has White in all odd games.
fn gaps(group: &GameGroup, players: &[PlayerId]) -> Vec<(u16, PlayerId)> {
    let [one, other] = players[..] else { return Vec::new() };
    let mut known: Vec<(u16, PlayerId)> = group
        .members
        .iter()
        .filter_map(|member| Some((member.round.number()?, member.white)))
        .collect();
    known.sort_unstable();
    let Some(&(first, white)) = known.first() else { return Vec::new() };
    let odd_white = if (first % 2 == 1) == (white == one) { one } else { other };
    let even_white = if odd_white == one { other } else { one };
    // White by the remainder of the number.
    let whites = [even_white, odd_white];
    let alternates = known.windows(2).all(|two| two[0].0 != two[1].0)
        && known.iter().all(|(number, white)| *white == whites[usize::from(number % 2)]);
    if !alternates {
        return Vec::new();
    }
    let last = known.last().map_or(0, |(number, _)| *number);
    (1..last)
        .filter(|number| known.binary_search_by_key(number, |one| one.0).is_err())
        .map(|number| (number, whites[usize::from(number % 2)]))
        .collect()
}

/// Returns whether a group has no place and few numbers, so that its games may be those that a
/// match of its players lacks, even if they are enough for an event.
///
/// A game that another source has too may have its number from there.
fn is_loose(group: &GameGroup) -> bool {
    if !group.site_key.is_empty() {
        return false;
    }
    let rounds = group.members.iter().map(|member| member.round);
    2 * rounds.filter(|round| round.is_known()).count() <= group.members.len()
}

/// Returns whether a text has all words of another, which has some.
fn has_all_words(text: &str, words: &str) -> bool {
    !words.is_empty() && words.split(' ').all(|word| text.split(' ').any(|one| one == word))
}

/// Returns whether one of two names has at least half of the words of the other, without generic
/// words.
fn shares_words(a: &str, b: &str) -> bool {
    let (a, b) = (specific_words(a), specific_words(b));
    let both = a.iter().filter(|word| b.contains(word)).count();
    both > 0 && 2 * both >= a.len().min(b.len())
}

/// Returns the words of a name that many events do not have.
fn specific_words(name: &str) -> Vec<&str> {
    name.split(' ')
        .filter(|word| !word.is_empty() && !lexicon::means(Class::Generic, word, "common"))
        .collect()
}

/// Returns whether one of two names has a distinguishing word that the other lacks.
///
/// Such words denote another stage, group, kind of players, or kind of games.
fn are_distinguished(a: &str, b: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split(' ').collect(), b.split(' ').collect());
    let (mine, theirs) = (numbers_of(&a), numbers_of(&b));
    (!mine.is_empty() && !theirs.is_empty() && mine != theirs)
        || has_range_of_places(&a) != has_range_of_places(&b)
        || a.iter().any(|word| !b.contains(word) && is_distinguishing(word))
        || b.iter().any(|word| !a.contains(word) && is_distinguishing(word))
}

/// Returns whether a word denotes a stage, a group, a kind of players, or a kind of games.
fn is_distinguishing(word: &str) -> bool {
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_group = stem.len() == 1 || (stem.len() == 3 && stem.starts_with("gp"));
    is_group
        || lexicon::rows(stem)
            .any(|row| matches!(row.class, Class::Stage | Class::Sex | Class::Age | Class::Tempo))
}

/// Returns the words that consist of digits.
fn numbers_of<'w>(words: &[&'w str]) -> Vec<&'w str> {
    words.iter().copied().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit())).collect()
}

/// Returns whether a name contains places in the standings: `5th-8th`.
fn has_range_of_places(words: &[&str]) -> bool {
    let ordinals = words.iter().filter(|word| {
        word.len() > 2 && word.ends_with("th") && word.as_bytes()[0].is_ascii_digit()
    });
    ordinals.count() > 1
}

/// Returns whether two places differ in at most two letters, or one is among several places of the
/// other.
fn are_similar_places(a: &str, b: &str) -> bool {
    is_one_of_places(a, b)
        || is_one_of_places(b, a)
        || (a.chars().count() > 3
            && a.len() <= LONGEST_PLACE
            && a.len().abs_diff(b.len()) <= 4
            && strsim::damerau_levenshtein(a, b) <= 2)
}

/// Returns whether a place has all words of another, one of which has at least four letters.
pub(super) fn is_one_of_places(place: &str, places: &str) -> bool {
    place.split(' ').any(|word| word.len() > 3) && has_all_words(places, place)
}
