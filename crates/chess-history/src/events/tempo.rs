//! Judges the tempo of an event, and which of its games were faster than the others.
//!
//! Games whose tags or words name a tempo are already grouped separately. The days may show the
//! tempo of the others. No one plays three classical games on one day. If a match that was level
//! after a game a day has two more on its last day, these were its tie-break.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::event_format::recognise_pairs;
use super::group::GroupedGame;
use super::recognised::Recognised;
use super::shared_names::doubled_players;
use super::stage_parts::{REGULAR, tie_breaks_by_parts};
use super::tag::SegmentKind;
use crate::games::{GameFlags, GameTable, Tempo, TempoReason};
use crate::players::PlayerId;
use crate::tournament::Kind;

/// The rows of games of one tempo, judging by tags and words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TempoRows {
    /// How fast the games were.
    pub tempo: Tempo,
    /// Rows of the game table.
    pub rows: Vec<usize>,
    /// Those of them, in order, that have no other sign of the tempo than the event of which they
    /// are a part.
    pub by_event: Vec<usize>,
}

impl TempoRows {
    /// Returns all games of a table as classical ones.
    pub fn all_classical(table: &GameTable) -> Vec<TempoRows> {
        vec![TempoRows {
            tempo: Tempo::Classical,
            rows: (0..table.len()).collect(),
            by_event: Vec::new(),
        }]
    }
}

/// The first year in which three games a day are evidence. Earlier players met as often as they
/// liked.
///
/// Judged: serious matches of several games a day ended between the wars.
const DAYS_COUNT_FROM: i16 = 1950;

/// The first year in which play-offs may be rapid. Taken from FIDE, which rated its first rapid
/// events in 1987.
const RAPID_FROM: i16 = 1987;

/// The first year in which a play-off without other evidence counts as rapid.
///
/// Judged: by then most knock-outs and opens broke ties with rapid games. An earlier year would
/// take classical play-offs out of their events.
const RAPID_PLAY_OFFS_FROM: i16 = 1995;

/// The least number of games of one player on one day that are not classical.
///
/// Judged: two classical games a day are common in opens; three do not fit into a day.
const FAST_DAY: usize = 3;

/// The least number of games of one player on one day that are blitz.
///
/// Judged: rapid events have three to seven rounds a day, blitz events a dozen or more.
const BLITZ_DAY: usize = 9;

/// The share of an event's games on such days that makes it a fast event.
///
/// Judged: free players and days without dates lower the share of a rapid event below a half. With
/// a fifth, a classical event with a long tie-break would be rapid.
const FAST_PART: f64 = 0.4;

/// The first year in which games with a single date were played on that day. Earlier sources date
/// all games of an event by its first day. Judged: databases with a date for each game followed the
/// broadcasts on the internet.
const ONE_DAY_FROM: i16 = 1995;

/// The most opponents of a player on one day. With more opponents the date is that of the event.
///
/// Judged: a rapid event of one day has up to eleven rounds. It applies only to events with one
/// date.
const MOST_A_DAY: usize = 11;

/// The least mean rating (points) of a small field whose players do not play two classical games a
/// day.
///
/// Judged: such fields are invited grandmasters. A hundred points less would take in tournaments
/// for norms, some of which have two rounds a day.
const ELITE: f64 = 2580.0;

/// The most players of such a field. In an open two rounds a day are common. Judged: closed
/// tournaments of the best have up to sixteen players.
const ELITE_FIELD: usize = 16;

/// The tempo of an event with its evidence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TempoJudgement {
    pub tempo: Tempo,
    pub reason: TempoReason,
    /// Rows of the games that were faster than the event.
    pub faster: Vec<usize>,
}

/// Judges the tempo of a group. `declared` has the tempo of its tags and words.
pub(super) fn judge(
    table: &GameTable,
    members: &[GroupedGame],
    declared: &TempoRows,
) -> TempoJudgement {
    if declared.tempo != Tempo::Classical {
        let by_tags = count_flag(table, members, GameFlags::RAPID)
            + count_flag(table, members, GameFlags::BLITZ);
        let is_by_event =
            |member: &&GroupedGame| declared.by_event.binary_search(&member.row).is_ok();
        let by_event = members.iter().filter(is_by_event).count();
        let reason = if 2 * by_tags >= members.len() {
            TempoReason::Tags
        } else if 2 * by_event > members.len() {
            TempoReason::Event
        } else {
            TempoReason::Words
        };
        return TempoJudgement { tempo: declared.tempo, reason, faster: Vec::new() };
    }
    let classical = count_flag(table, members, GameFlags::CLASSICAL);
    let tag_reason =
        if 2 * classical >= members.len() { TempoReason::Tags } else { TempoReason::NotSaid };
    let year = members.iter().filter_map(|member| table.games()[member.row].date.year()).max();
    let Some(year) = year.filter(|year| *year >= DAYS_COUNT_FROM) else {
        return TempoJudgement { reason: tag_reason, ..TempoJudgement::default() };
    };
    // The last game of the event itself may be on the day of a marked tie-break.
    let unmarked: Vec<GroupedGame> =
        members.iter().filter(|member| member.segment != SegmentKind::PlayOff).copied().collect();
    // Without a pair that met twice there is no other tie-break.
    let mut faster = if !meets_again(&unmarked) {
        Vec::new()
    } else if year >= RAPID_FROM {
        tie_breaks(table, &unmarked)
    } else {
        fast_days_of_pairs(table, &by_pair(table, &unmarked))
    };
    if year >= RAPID_FROM {
        faster.extend(play_offs(table, members, year));
    }
    faster.retain(|row| !table.games()[*row].flags.contains(GameFlags::CLASSICAL));
    faster.sort_unstable();
    faster.dedup();
    // The days of the event, without those of its tie-breaks.
    let mut main: Vec<&GroupedGame> =
        members.iter().filter(|member| faster.binary_search(&member.row).is_err()).collect();
    // More than two thirds of an event are not its tie-break.
    if 3 * main.len() < members.len() {
        faster.clear();
        main = members.iter().collect();
    }
    if tag_reason == TempoReason::NotSaid
        && let Some(tempo) = by_days(table, &main, year)
    {
        return TempoJudgement { tempo, reason: TempoReason::Days, faster: Vec::new() };
    }
    TempoJudgement { tempo: Tempo::Classical, reason: tag_reason, faster }
}

/// Counts the games whose tags state a tempo.
fn count_flag(table: &GameTable, members: &[GroupedGame], flag: GameFlags) -> usize {
    members.iter().filter(|member| table.games()[member.row].flags.contains(flag)).count()
}

/// Returns the day of a game, if it is known.
fn day_of(table: &GameTable, member: &GroupedGame) -> Option<Date> {
    table.games()[member.row].date.day_exact()
}

/// Judges the tempo of a complete event by its days. Returns `None` where they are no evidence.
fn by_days(table: &GameTable, members: &[&GroupedGame], year: i16) -> Option<Tempo> {
    if members.is_empty() {
        return None;
    }
    // The games of two players under one name are no evidence.
    let doubled = doubled_players(table, members);
    let mut of_day: FxHashMap<(PlayerId, Date), usize> = FxHashMap::default();
    let mut days: Vec<Date> = Vec::new();
    for member in members {
        let Some(day) = day_of(table, member) else { continue };
        days.push(day);
        for player in [member.white, member.black] {
            let games = of_day.entry((player, day)).or_default();
            *games += usize::from(!doubled.contains(&player));
        }
    }
    days.sort_unstable();
    days.dedup();
    // Many sources date all games of an event by its first day.
    if days.len() < 2 {
        if year < ONE_DAY_FROM {
            return None;
        }
        let mut met: Vec<(PlayerId, PlayerId)> = members
            .iter()
            .flat_map(|member| [(member.white, member.black), (member.black, member.white)])
            .collect();
        met.sort_unstable();
        met.dedup();
        if met.chunk_by(|a, b| a.0 == b.0).any(|opponents| opponents.len() > MOST_A_DAY) {
            return None;
        }
    }
    // For each game, how many games one of its players has on its day; 0 without a day.
    let on_one_day: Vec<usize> = members
        .iter()
        .map(|member| {
            day_of(table, member)
                .map_or(0, |day| of_day[&(member.white, day)].max(of_day[&(member.black, day)]))
        })
        .collect();
    let fast = on_one_day.iter().filter(|games| **games >= FAST_DAY).count();
    let double = on_one_day.iter().filter(|games| **games >= 2).count();
    let of_elite = year >= ONE_DAY_FROM && 2 * double >= members.len() && is_elite(table, members);
    if (fast as f64) < FAST_PART * members.len() as f64 && !of_elite {
        return None;
    }
    let blitz = on_one_day.iter().filter(|games| **games >= BLITZ_DAY).count();
    if 2 * blitz < members.len() {
        return Some(Tempo::Rapid);
    }
    // A source may give a whole tournament the day on which it was entered.
    let has_days = days.len() > 1 || !is_whole_table(table, members);
    has_days.then_some(Tempo::Blitz)
}

/// Returns whether the games are a complete round robin with the number of each round.
fn is_whole_table(table: &GameTable, members: &[&GroupedGame]) -> bool {
    let mut rounds: Vec<(PlayerId, Option<u16>)> = members
        .iter()
        .flat_map(|member| {
            let round = table.games()[member.row].round.number();
            [(member.white, round), (member.black, round)]
        })
        .collect();
    rounds.sort_unstable();
    let has_rounds = rounds.iter().all(|(_, round)| round.is_some())
        && rounds.windows(2).all(|two| two[0] != two[1]);
    let format = format_of(members.iter().copied());
    has_rounds && format.kind.is_round_robin() && format.coverage() >= 1.0
}

/// Returns whether the rating tags are those of a small field of top players.
fn is_elite(table: &GameTable, members: &[&GroupedGame]) -> bool {
    let mut field: Vec<PlayerId> = members.iter().flat_map(|m| [m.white, m.black]).collect();
    field.sort_unstable();
    field.dedup();
    let games = members.iter().map(|member| &table.games()[member.row]);
    let elos: Vec<f64> = games
        .flat_map(|game| [game.white_elo, game.black_elo])
        .filter(|elo| *elo > 0)
        .map(f64::from)
        .collect();
    let pairs: Vec<(usize, usize)> = members
        .iter()
        .map(|member| {
            let [white, black] = [member.white, member.black].map(|player| {
                field.binary_search(&player).expect("the field is that of the games")
            });
            (white, black)
        })
        .collect();
    // Part of an open may have double rounds as well.
    let kind = recognise_pairs(field.len(), &pairs).kind;
    field.len() <= ELITE_FIELD
        && (kind.is_round_robin()
            || matches!(kind, Kind::Match | Kind::KnockOut | Kind::Scheveningen))
        && elos.len() >= members.len()
        && elos.iter().sum::<f64>() >= ELITE * elos.len() as f64
}

/// Returns whether any pair met more than once.
fn meets_again(members: &[GroupedGame]) -> bool {
    let mut pairs: Vec<(PlayerId, PlayerId)> = members.iter().map(pair_of).collect();
    pairs.sort_unstable();
    pairs.windows(2).any(|two| two[0] == two[1])
}

/// Returns the players of a game without their colours.
fn pair_of(member: &GroupedGame) -> (PlayerId, PlayerId) {
    (member.white.min(member.black), member.white.max(member.black))
}

/// Returns the games of each pair, by day, round and row.
fn by_pair<'m>(table: &GameTable, members: &'m [GroupedGame]) -> Vec<Vec<&'m GroupedGame>> {
    let mut sorted: Vec<&GroupedGame> = members.iter().collect();
    sorted.sort_by_cached_key(|member| {
        let game = &table.games()[member.row];
        (pair_of(member), game.date.day_exact(), game.round, member.row)
    });
    sorted.chunk_by(|a, b| pair_of(a) == pair_of(b)).map(<[&GroupedGame]>::to_vec).collect()
}

/// Returns the rows of games on days on which the pair has at least three games.
fn fast_days_of_pairs(table: &GameTable, pairs: &[Vec<&GroupedGame>]) -> Vec<usize> {
    let mut faster: Vec<usize> = Vec::new();
    for games in pairs.iter().filter(|games| games.len() > FAST_DAY) {
        for of_day in games.chunk_by(|a, b| day_of(table, a) == day_of(table, b)) {
            // A pair whose games all have one date is dated by the first of them.
            if of_day.len() >= FAST_DAY
                && of_day.len() < games.len()
                && day_of(table, of_day[0]).is_some()
            {
                faster.extend(of_day.iter().map(|member| member.row));
            }
        }
    }
    faster
}

/// Returns the rows of the tie-breaks among the games of each pair.
///
/// Tie-breaks are the games on a day with at least three, and two or more on the pair's last day
/// after one a day. In a knock-out without days they are the games beyond those of all other
/// matches of the stage, if the regular ones ended level.
fn tie_breaks(table: &GameTable, members: &[GroupedGame]) -> Vec<usize> {
    let pairs = by_pair(table, members);
    let mut faster = fast_days_of_pairs(table, &pairs);
    let is_knock_out = is_knock_out(members);
    let of_two = pairs.len() == 1;
    for games in &pairs {
        let days: Vec<&[&GroupedGame]> =
            games.chunk_by(|a, b| day_of(table, a) == day_of(table, b)).collect();
        let dated = games.iter().all(|member| day_of(table, member).is_some());
        let Some((last, before)) = days.split_last() else { continue };
        if dated && days.len() > 1 {
            let one_a_day = before.iter().all(|day| day.len() == 1);
            let even = is_even(table, before.iter().flat_map(|day| day.iter().copied()));
            if last.len() >= 2 && one_a_day && (even || !(of_two || is_knock_out)) {
                faster.extend(last.iter().map(|member| member.row));
            }
        }
    }
    if !is_knock_out {
        return faster;
    }
    faster = tie_breaks_of_knock_out(table, &pairs, faster);
    faster.extend(tie_breaks_by_parts(table, &pairs));
    faster
}

/// Corrects the tie-breaks of a knock-out that its days show, and adds those that they do not show.
fn tie_breaks_of_knock_out(
    table: &GameTable,
    pairs: &[Vec<&GroupedGame>],
    by_days: Vec<usize>,
) -> Vec<usize> {
    let mut faster = by_days;
    // If a source dates the tie-break by the day of the second game, that game is not part of it.
    for games in pairs {
        let mut ordered = games.clone();
        ordered.sort_by_key(|member| (table.games()[member.row].round, member.row));
        let regular: Vec<usize> = ordered.iter().take(REGULAR).map(|member| member.row).collect();
        let kept = games.iter().filter(|member| !faster.contains(&member.row)).count();
        if kept == 1 {
            faster.retain(|row| !regular.contains(row));
        }
    }
    let with_two = pairs.iter().filter(|games| games.len() == REGULAR).count();
    let late = players_of_late_stages(pairs);
    for games in pairs.iter().filter(|games| games.len() > REGULAR) {
        let mut ordered: Vec<&GroupedGame> =
            games.iter().filter(|member| !faster.contains(&member.row)).copied().collect();
        if ordered.len() <= REGULAR {
            continue;
        }
        ordered.sort_by_key(|member| (table.games()[member.row].round, member.row));
        // Games on different days belong to the match itself: finals have four.
        let mut days: Vec<Option<Date>> =
            ordered.iter().map(|member| day_of(table, member)).collect();
        days.sort_unstable();
        days.dedup();
        let days_apart = days.len() == ordered.len() && days[0].is_some();
        let mut rounds = ordered.iter().map(|member| table.games()[member.row].round.number());
        let first = rounds.next();
        let one_round = rounds.all(|round| Some(round) == first);
        // One source dates the games and numbers them, another one does neither.
        let is_partly_dated = days.len() > 1 && days[0].is_none();
        if days_apart
            || with_two * 3 < pairs.len()
            || pairs.len() < 7
            || !(one_round || is_partly_dated || ordered.len() > REGULAR + 1)
        {
            continue;
        }
        let (first_two, beyond) = ordered.split_at(REGULAR);
        if is_partly_dated {
            let is_late = [ordered[0].white, ordered[0].black]
                .iter()
                .all(|player| late.binary_search(player).is_ok());
            if is_late && LATE.contains(&ordered.len()) {
                continue;
            }
            if let Some(regular) = level_games(table, &ordered) {
                let beyond = ordered.iter().map(|member| member.row);
                faster.extend(beyond.filter(|row| !regular.contains(row)));
            }
        } else if is_even(table, first_two.iter().copied()) {
            faster.extend(beyond.iter().map(|member| member.row));
        }
    }
    faster
}

/// The numbers of games of semifinals and finals that are longer than earlier matches.
///
/// FIDE's championships of 1997 to 2004 had four games in semifinals and four or six in finals, its
/// world cups four in finals. A late match of two games with as many games of a tie-break keeps
/// them.
const LATE: [usize; 2] = [4, 6];

/// Returns the four players who met most opponents, and any who met as many; in order.
///
/// They are those of the semifinals, unless one of them had a bye or lacks a match in the file.
fn players_of_late_stages(pairs: &[Vec<&GroupedGame>]) -> Vec<PlayerId> {
    let mut opponents: FxHashMap<PlayerId, usize> = FxHashMap::default();
    for game in pairs.iter().map(|games| games[0]) {
        for player in [game.white, game.black] {
            *opponents.entry(player).or_default() += 1;
        }
    }
    let mut counts: Vec<usize> = opponents.values().copied().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let least = counts.get(3).copied().unwrap_or_default();
    let late = opponents.into_iter().filter(|(_, met)| *met >= least);
    let mut late: Vec<PlayerId> = late.map(|(player, _)| player).collect();
    late.sort_unstable();
    late
}

/// Returns the rows of the two games that a tie-break followed: with each colour one, and level.
///
/// The earliest such games are taken, those without a day last. Where a source without days leaves
/// several possible, they have the same points.
fn level_games(table: &GameTable, games: &[&GroupedGame]) -> Option<[usize; REGULAR]> {
    let mut ordered = games.to_vec();
    ordered.sort_by_key(|member| {
        let day = day_of(table, member);
        (day.is_none(), day, table.games()[member.row].round, member.row)
    });
    let all = ordered.len();
    let pairs = (0..all).flat_map(|one| (one + 1..all).map(move |other| (one, other)));
    let level = pairs.filter(|(one, other)| {
        let (one, other) = (ordered[*one], ordered[*other]);
        one.white == other.black && is_even(table, [one, other].into_iter())
    });
    let (one, other) = level.min_by_key(|(one, other)| one + other)?;
    Some([ordered[one].row, ordered[other].row])
}

/// Returns whether both players of a pair scored the same.
fn is_even<'m>(table: &GameTable, games: impl Iterator<Item = &'m GroupedGame>) -> bool {
    let mut first = None;
    let mut lead = 0.0;
    for member in games {
        let Some(white) = table.games()[member.row].result.white_score() else { return false };
        let first = *first.get_or_insert(member.white);
        let own = if member.white == first { white } else { 1.0 - white };
        lead += 2.0 * own - 1.0;
    }
    lead == 0.0
}

fn is_knock_out(members: &[GroupedGame]) -> bool {
    format_of(members.iter()).kind == Kind::KnockOut
}

/// Recognises the kind of an event by its pairs alone.
fn format_of<'m>(members: impl Iterator<Item = &'m GroupedGame>) -> Recognised {
    let mut numbers: FxHashMap<PlayerId, usize> = FxHashMap::default();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for member in members {
        let [white, black] = [member.white, member.black].map(|player| {
            let next = numbers.len();
            *numbers.entry(player).or_insert(next)
        });
        pairs.push((white, black));
    }
    recognise_pairs(numbers.len(), &pairs)
}

/// Returns the rows of rapid play-offs.
///
/// In their time play-offs are rapid, unless their days show at most one game of each player.
fn play_offs(table: &GameTable, members: &[GroupedGame], year: i16) -> Vec<usize> {
    let play_off: Vec<&GroupedGame> =
        members.iter().filter(|member| member.segment == SegmentKind::PlayOff).collect();
    // A play-off without its event is judged by its days like any event.
    if play_off.is_empty() || play_off.len() == members.len() {
        return Vec::new();
    }
    let mut of_day: FxHashMap<(PlayerId, Date), usize> = FxHashMap::default();
    for member in &play_off {
        let Some(day) = day_of(table, member) else { continue };
        for player in [member.white, member.black] {
            *of_day.entry((player, day)).or_default() += 1;
        }
    }
    let dated = play_off.iter().all(|member| day_of(table, member).is_some());
    let several_a_day = of_day.values().any(|games| *games > 1);
    if several_a_day || (!dated && year >= RAPID_PLAY_OFFS_FROM) {
        play_off.iter().map(|member| member.row).collect()
    } else {
        Vec::new()
    }
}
