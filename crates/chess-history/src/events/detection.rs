//! The events among the games of a table.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::assembly::{assemble, is_large_enough};
use super::completeness::doubt_open_ends;
use super::context::EventContext;
use super::cycle::{cycles, matches_of};
use super::draft::{EventDraft, named};
use super::event::Event;
use super::group::GameGroup;
use super::grouping::group;
use super::tempo::{TempoJudgement, judge};
use crate::games::{Duplicate, GameTable, SetAside, Tempo};
use crate::players::PlayerId;
use crate::tournament::Kind;

/// Rows of games of one tempo, as tags and words tell it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TempoRows {
    /// The tempo.
    pub tempo: Tempo,
    /// Rows of the game table.
    pub rows: Vec<usize>,
}

impl TempoRows {
    /// All games of a table as classical ones.
    pub fn whole(table: &GameTable) -> Vec<TempoRows> {
        vec![TempoRows { tempo: Tempo::Classical, rows: (0..table.len()).collect() }]
    }
}

/// A game that is set aside since it was faster than the event to which it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FasterGame {
    /// Row of the game table.
    pub row: usize,
    /// Why.
    pub reason: SetAside,
}

/// The events of a table, and the rows that are in none.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// In the order of start, name.
    pub events: Vec<Event>,
    /// Rows of games in groups too small for an event.
    pub outside: Vec<usize>,
    /// Games that are in an event already, with other moves or another date, and so in none.
    pub repeated: Vec<Duplicate>,
    /// Tie-breaks of classical events, by their tags or by their days.
    pub faster: Vec<FasterGame>,
}

/// Works out the events among the given rows, those of each tempo by themselves; copies of them are in no
/// event, but their tags tell where a game belongs.
pub fn events(material: EventContext<'_>, rows: &[TempoRows], copies: &[Duplicate]) -> Events {
    let EventContext { table, .. } = material;
    let mut found = Events::default();
    let mut drafts: Vec<EventDraft> = Vec::new();
    for TempoRows { tempo, rows } in rows {
        let copies: Vec<Duplicate> = match rows.len() == table.len() {
            true => copies.to_vec(),
            false => {
                let mut is_of_these = vec![false; table.len()];
                for &row in rows {
                    is_of_these[row] = true;
                }
                copies.iter().filter(|copy| is_of_these[copy.kept]).copied().collect()
            }
        };
        let own = drafts_of(material, *tempo, rows, &copies, &mut found);
        // Tie-breaks of what is there already are no events.
        let first = drafts.len();
        // By year and player, since all who play a tie-break play in its event: a year may have ten thousand events.
        let mut near: FxHashMap<(Option<i16>, PlayerId), Vec<usize>> = FxHashMap::default();
        if *tempo != Tempo::Classical {
            for (place, draft) in drafts.iter().enumerate() {
                let (start, end) = (draft.event.start.year(), draft.event.end.year());
                for player in &draft.event.players {
                    near.entry((start, *player)).or_default().push(place);
                    if end != start {
                        near.entry((end, *player)).or_default().push(place);
                    }
                }
            }
        }
        let is_tie_break = |event: &Event| {
            let year = event.start.year();
            let with = event.players.first().and_then(|player| near.get(&(year, *player)));
            with.into_iter().flatten().any(|place| event.is_tie_break_of(&drafts[*place].event))
        };
        let mut kept: Vec<EventDraft> = Vec::new();
        let mut place_of: Vec<Option<usize>> = Vec::new();
        for draft in own {
            if is_tie_break(&draft.event) {
                let reason = match tempo {
                    Tempo::Blitz => SetAside::Blitz,
                    _ => SetAside::Rapid,
                };
                let games = draft.event.games.iter();
                found.faster.extend(games.map(|game| FasterGame { row: game.row, reason }));
                place_of.push(None);
            } else {
                place_of.push(Some(first + kept.len()));
                kept.push(draft);
            }
        }
        for draft in &mut kept {
            let whole = draft.whole.and_then(|whole| place_of[whole]);
            // Nothing else ranks the matches of what is no event.
            draft.event.ranked_elsewhere &= draft.whole.is_none() || whole.is_some();
            draft.whole = whole;
        }
        drafts.extend(kept);
    }
    found.events = named(drafts, material);
    doubt_open_ends(&mut found.events, table);
    // A match of a knock-out has the knock-out's games, and may be an event where that is none.
    let mut in_events = vec![false; table.len()];
    for game in found.events.iter().flat_map(|event| &event.games) {
        in_events[game.row] = true;
    }
    found.faster.retain(|game| !in_events[game.row]);
    found.faster.sort_unstable_by_key(|game| game.row);
    found.faster.dedup_by_key(|game| game.row);
    found.outside.sort_unstable();
    found
}

/// The events among games of one tempo.
fn drafts_of(
    material: EventContext<'_>,
    tempo: Tempo,
    rows: &[usize],
    copies: &[Duplicate],
    found: &mut Events,
) -> Vec<EventDraft> {
    let EventContext { table, thresholds, .. } = material;
    let (groups, repeated) = group(material, rows, copies);
    found.repeated.extend(repeated);
    // What was faster than its event goes first: a match of a cycle without its tie-break.
    let judged: Vec<_> = groups
        .par_iter()
        .map(|group| match is_large_enough(group, thresholds) {
            true => judge(table, &group.members, tempo),
            false => TempoJudgement { tempo, ..TempoJudgement::default() },
        })
        .collect();
    let groups: Vec<GameGroup> = groups
        .into_iter()
        .zip(&judged)
        .map(|(mut group, judged)| {
            if is_large_enough(&group, thresholds) && !judged.faster.is_empty() {
                group.members.retain(|member| judged.faster.binary_search(&member.row).is_err());
                let games = judged.faster.len();
                group
                    .reasons
                    .push(format!("{games} games of a tie-break set aside: faster than classical"));
                let faster = judged.faster.iter();
                found.faster.extend(faster.map(|&row| FasterGame { row, reason: SetAside::Rapid }));
            }
            group
        })
        .collect();
    let mut drafts: Vec<EventDraft> = Vec::new();
    let mut of_group: Vec<Option<usize>> = vec![None; groups.len()];
    let mut in_none: Vec<bool> = vec![false; groups.len()];
    let assembled: Vec<_> = groups
        .par_iter()
        .zip(&judged)
        .map(|(group, judged)| {
            let (name, event) = assemble(material, group, judged.tempo)?;
            Some((name, Event { tempo: judged.tempo, tempo_reason: judged.reason, ..event }))
        })
        .collect();
    for (number, assembled) in assembled.into_iter().enumerate() {
        match assembled {
            Some((name, event)) => {
                of_group[number] = Some(drafts.len());
                drafts.push(EventDraft { name, event, whole: None });
            }
            None => in_none[number] = true,
        }
    }
    let of_cycles: Vec<_> = cycles(table, &groups)
        .into_par_iter()
        .map(|(whole, matches)| {
            let slowest = matches.iter().map(|group| judged[*group].tempo).min();
            (assemble(material, &whole, slowest.unwrap_or(tempo)), matches)
        })
        .collect();
    for (assembled, matches) in of_cycles {
        let slowest = matches.iter().map(|group| &judged[*group]).min_by_key(|judged| judged.tempo);
        let Some((name, event)) = assembled else { continue };
        let mut event = match slowest {
            Some(judged) => Event { tempo: judged.tempo, tempo_reason: judged.reason, ..event },
            None => event,
        };
        event.set_kind(Kind::KnockOut);
        event.ranked_elsewhere = true;
        for group in matches {
            in_none[group] = false;
            if let Some(draft) = of_group[group] {
                drafts[draft].whole = Some(drafts.len());
            }
        }
        drafts.push(EventDraft { name, event, whole: None });
    }
    let knock_outs: Vec<(usize, &GameGroup)> = of_group
        .iter()
        .zip(&groups)
        .filter_map(|(draft, group)| Some(((*draft)?, group)))
        .filter(|(draft, _)| drafts[*draft].event.kind == Kind::KnockOut)
        .collect();
    let of_knock_outs: Vec<EventDraft> = knock_outs
        .into_par_iter()
        .flat_map_iter(|(whole, group)| {
            let Event { tempo, tempo_reason, .. } = drafts[whole].event;
            matches_of(group, thresholds).into_iter().filter_map(move |group| {
                let (name, event) = assemble(material, &group, tempo)?;
                let event = Event { ranked_elsewhere: true, tempo, tempo_reason, ..event };
                Some(EventDraft { name, event, whole: Some(whole) })
            })
        })
        .collect();
    drafts.extend(of_knock_outs);
    for (group, _) in groups.iter().zip(&in_none).filter(|(_, in_none)| **in_none) {
        found.outside.extend(group.members.iter().map(|member| member.row));
    }
    drafts
}

/// How many games are in events; a match of a cycle has those of the cycle.
pub fn games_in(events: &[Event]) -> usize {
    let mut rows: Vec<usize> =
        events.iter().flat_map(|event| event.games.iter().map(|game| game.row)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.len()
}
