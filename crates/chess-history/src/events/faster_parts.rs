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
use crate::games::{GameFlags, GameTable, NameId, Tempo};
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

    /// Returns whether nothing shows that a part is classical, not even its name.
    fn may_be_faster(&self, table: &GameTable) -> bool {
        let mut members = self.group.members.iter();
        self.tempo == Tempo::Classical
            && self.players.len() >= FIELD
            && says_only_its_kind(&self.group)
            && !members.any(|member| member.game(table).flags.contains(GameFlags::CLASSICAL))
    }

    /// Returns the tempo of the faster event, among other parts, that has the most of these
    /// players; `None` if a classical event has as many, or if events of both faster tempos have.
    fn tempo_among(&self, table: &GameTable, others: &[&Part]) -> Option<Tempo> {
        let mut shares: Vec<(f64, Tempo)> = Vec::new();
        for other in others {
            let is_classical = other.tempo == Tempo::Classical;
            let counts = if is_classical {
                !says_only_its_kind(&other.group)
            } else {
                other.spans(table, self)
            };
            if counts {
                shares.push((other.share_of(self), other.tempo));
            }
        }
        let most = shares.iter().map(|(share, _)| *share).max_by(f64::total_cmp)?;
        shares.retain(|(share, _)| *share == most);
        let tempo = shares[0].1;
        let is_one_tempo = shares.iter().all(|(_, other)| *other == tempo);
        (most >= OF_FASTER && is_one_tempo && tempo != Tempo::Classical).then_some(tempo)
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
    let mut parts: Vec<Part> = Vec::new();
    for of_tempo in rows.iter().filter(|of_tempo| of_tempo.tempo != Tempo::Classical) {
        parts.extend(parts_of(context, of_tempo.tempo, &of_tempo.rows));
    }
    parts.retain(|part| part.players.len() >= FIELD && !part.group.site_key.is_empty());
    for of_tempo in rows.iter().filter(|of_tempo| of_tempo.tempo == Tempo::Classical) {
        let met = rows_met_again(context, &of_tempo.rows, &parts);
        parts.extend(parts_of(context, Tempo::Classical, &met));
    }
    let moved = moved_rows(context.table, &parts);
    let mut all: Vec<TempoRows> = rows.to_vec();
    for of_tempo in &mut all {
        if of_tempo.tempo == Tempo::Classical {
            of_tempo.rows.retain(|row| !moved.contains_key(row));
        } else {
            let more = moved.iter().filter(|(_, tempo)| **tempo == of_tempo.tempo);
            of_tempo.by_event.extend(more.map(|(row, _)| *row));
            of_tempo.rows.extend(&of_tempo.by_event);
            of_tempo.rows.sort_unstable();
        }
    }
    all
}

/// Returns the classical games with the same Event and Site tags as one between two players who
/// both play in faster events of its year. All games with these tags count, because the share of
/// their players decides.
fn rows_met_again(context: EventContext<'_>, rows: &[usize], faster: &[Part]) -> Vec<usize> {
    let in_faster: FxHashSet<(i16, PlayerId)> = faster
        .iter()
        .flat_map(|part| part.players.iter().map(|player| (part.span.0.year(), *player)))
        .collect();
    let games = context.table.games();
    let mut tags: FxHashSet<(NameId, NameId)> = FxHashSet::default();
    for game in rows.iter().map(|row| &games[*row]) {
        let Some(year) = game.date.year() else { continue };
        let both = [game.white, game.black].map(|name| context.players.of_name(name));
        if both.iter().all(|player| player.is_some_and(|id| in_faster.contains(&(year, id)))) {
            tags.insert((game.event, game.site));
        }
    }
    let has_tags = |row: &&usize| tags.contains(&(games[**row].event, games[**row].site));
    rows.iter().filter(has_tags).copied().collect()
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
    let nameless = parts.par_iter().enumerate().filter(|(_, part)| part.may_be_faster(table));
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
            let others: Vec<&Part> = others.into_iter().map(|other| &parts[other]).collect();
            let rows = part.group.members.iter().map(|member| member.row);
            let tempo = part.tempo_among(table, &others);
            tempo.map_or_else(Vec::new, |tempo| rows.map(|row| (row, tempo)).collect())
        })
        .collect();
    moved.into_iter().collect()
}
