//! Finds the parts without a name that belong to a rapid or blitz event.
//!
//! One source calls the games of an event `Ultimate Blitz Challenge`, another `It (cat.10)`. The
//! second name says nothing of the tempo, so its games would pass as classical. They have the tempo
//! of the event in which their players met at that place and time.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::EventContext;
use super::group::{GameGroup, in_common};
use super::grouping::parts_by_tags;
use super::splinters::{NEAR_DAYS, are_of_one_place};
use super::tag::is_country_code;
use super::telling_name::{edition_numbers, names_nothing};
use super::tempo::TempoRows;
use crate::games::{GameTable, Tempo};
use crate::players::PlayerId;

/// The least players of a part whose field shows its event.
///
/// Judged: two players may play a classical and a rapid match in one week.
const FIELD: usize = 3;

/// The share of the players of a part who also play in the faster event. It must be larger than
/// that of any classical event of the place and time.
///
/// Judged: like that of two parts of one event, see [`SHARED`](super::splinters).
const OF_FASTER: f64 = 0.9;

/// The games of one part, compared with others of its place and time.
struct Part {
    tempo: Tempo,
    group: GameGroup,
    players: Vec<PlayerId>,
    span: (Date, Date),
}

impl Part {
    fn new(table: &GameTable, tempo: Tempo, group: GameGroup) -> Option<Part> {
        let dates = group.members.iter().map(|member| member.game(table).date);
        let dates: Vec<_> = dates.filter(|date| date.known_parts() >= 2).collect();
        let first = dates.iter().filter_map(|date| date.earliest()).min()?;
        let last = dates.iter().filter_map(|date| date.latest()).max()?;
        let players = group.players();
        Some(Part { tempo, players, span: (first, last), group })
    }

    /// Returns whether each game of another part may have been played during this one.
    fn spans(&self, table: &GameTable, other: &Part) -> bool {
        let (first, last) = self.span;
        other.group.members.iter().all(|member| {
            let date = member.game(table).date;
            date.earliest().is_none_or(|day| day <= last)
                && date.latest().is_none_or(|day| day >= first)
        })
    }

    /// Returns the share of the players of another part of this place and time who play in this
    /// one.
    fn share_of(&self, other: &Part) -> f64 {
        let ((first, last), (from, to)) = (self.span, other.span);
        let is_near = (from - last).get_days() <= NEAR_DAYS && (first - to).get_days() <= NEAR_DAYS;
        if !is_near || !are_of_one_place(&self.group.site_key, &other.group.site_key) {
            return 0.0;
        }
        in_common(&self.players, &other.players) as f64 / other.players.len() as f64
    }
}

/// Moves the games of parts without a name from the classical ones to those of the faster event to
/// which they belong.
pub(super) fn with_faster_parts(context: EventContext<'_>, rows: &[TempoRows]) -> Vec<TempoRows> {
    let table = context.table;
    let is_classical = |of_tempo: &&TempoRows| of_tempo.tempo == Tempo::Classical;
    let mut parts: Vec<Part> = Vec::new();
    for of_tempo in rows.iter().filter(|of_tempo| !is_classical(of_tempo)) {
        parts.extend(parts_of(context, of_tempo.tempo, &of_tempo.rows));
    }
    parts.retain(|part| part.players.len() >= FIELD && !part.group.site_key.is_empty());
    let in_faster: FxHashSet<(i16, PlayerId)> = parts
        .iter()
        .flat_map(|part| part.players.iter().map(|player| (part.span.0.year(), *player)))
        .collect();
    for of_tempo in rows.iter().filter(is_classical) {
        let met = of_tempo.rows.iter().copied().filter(|row| {
            let game = &table.games()[*row];
            let both = [game.white, game.black].map(|name| context.players.of_name(name));
            let year = game.date.year();
            both.iter().all(|player| {
                year.zip(*player).is_some_and(|(year, player)| in_faster.contains(&(year, player)))
            })
        });
        parts.extend(parts_of(context, Tempo::Classical, &met.collect::<Vec<_>>()));
    }
    let moved = moved_rows(table, &parts);
    let mut all: Vec<TempoRows> = rows.to_vec();
    for of_tempo in &mut all {
        if of_tempo.tempo == Tempo::Classical {
            of_tempo.rows.retain(|row| !moved.contains_key(row));
        } else {
            let more = moved.iter().filter(|(_, tempo)| **tempo == of_tempo.tempo);
            of_tempo.rows.extend(more.map(|(row, _)| *row));
            of_tempo.rows.sort_unstable();
        }
    }
    all
}

/// Returns whether a name says at most the kind of event. Codes of countries may be those of teams.
fn says_only_its_kind(group: &GameGroup) -> bool {
    let has_code = group.base.split(|c: char| !c.is_alphanumeric()).any(is_country_code);
    names_nothing(group) && !has_code && edition_numbers(&group.base).is_empty()
}

fn parts_of(context: EventContext<'_>, tempo: Tempo, rows: &[usize]) -> Vec<Part> {
    let groups = parts_by_tags(context, rows).into_par_iter();
    groups.filter_map(|group| Part::new(context.table, tempo, group)).collect()
}

/// Returns the tempo of each game of a part without a name that belongs to a faster event.
fn moved_rows(table: &GameTable, parts: &[Part]) -> BTreeMap<usize, Tempo> {
    let mut of_player: FxHashMap<(i16, PlayerId), Vec<usize>> = FxHashMap::default();
    for (number, part) in parts.iter().enumerate() {
        for player in &part.players {
            of_player.entry((part.span.0.year(), *player)).or_default().push(number);
        }
    }
    let nameless = parts.par_iter().enumerate().filter(|(_, part)| {
        part.tempo == Tempo::Classical
            && part.players.len() >= FIELD
            && says_only_its_kind(&part.group)
    });
    let moved: Vec<(usize, Tempo)> = nameless
        .flat_map_iter(|(number, part)| {
            let mut others: Vec<usize> = part
                .players
                .iter()
                .filter_map(|player| of_player.get(&(part.span.0.year(), *player)))
                .flatten()
                .copied()
                .filter(|other| *other != number)
                .collect();
            others.sort_unstable();
            others.dedup();
            let mut faster: Option<(f64, Tempo)> = None;
            let mut of_classical: f64 = 0.0;
            for other in others.into_iter().map(|other| &parts[other]) {
                let share = other.share_of(part);
                let is_nameless = says_only_its_kind(&other.group);
                if other.tempo == Tempo::Classical && !is_nameless {
                    of_classical = of_classical.max(share);
                }
                if other.tempo != Tempo::Classical
                    && share >= OF_FASTER
                    && other.spans(table, part)
                    && faster.is_none_or(|(most, _)| share > most)
                {
                    faster = Some((share, other.tempo));
                }
            }
            let rows = part.group.members.iter().map(|member| member.row);
            let faster = faster.filter(|(share, _)| *share > of_classical);
            faster
                .map(|(_, tempo)| rows.map(|row| (row, tempo)).collect::<Vec<_>>())
                .unwrap_or_default()
        })
        .collect();
    moved.into_iter().collect()
}
