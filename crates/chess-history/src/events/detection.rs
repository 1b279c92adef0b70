//! Detects the events among the games of a table.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::assembly::{assemble, is_large_enough};
use super::completeness::doubt_open_ends;
use super::context::EventContext;
use super::cycle::{cycles, matches_of};
use super::deduced_rounds::deduce_rounds;
use super::double_forfeits::excuse_double_forfeits;
use super::draft::{EventDraft, name_events};
use super::event::Event;
use super::faster_parts::with_faster_parts;
use super::group::{GameGroup, counted_games};
use super::grouping::group;
use super::play_off_rounds::mark_play_off_rounds;
use super::shared_names::doubt_shared_names;
use super::stages::staged_drafts;
use super::tempo::{TempoJudgement, TempoRows, judge};
use super::tie_breaks::{FasterGame, confirm_level_matches};
use super::unconfirmed_fields::mark_unconfirmed_fields;
use crate::games::{Duplicate, SetAside, Tempo};
use crate::players::PlayerId;
use crate::tournament::Kind;

/// The events of a table, and the games that are in none.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// In the order of start and name.
    pub events: Vec<Event>,
    /// Rows of games in groups too small for an event.
    pub outside: Vec<usize>,
    /// Games that an event already has with other moves or another date. They are in no event.
    pub repeated: Vec<Duplicate>,
    /// Tie-breaks of classical events, by their tags or by their days.
    pub faster: Vec<FasterGame>,
}

/// Detects the events among the given rows, separately for each tempo.
///
/// Copies of games are in no event, but their tags help to find the event of the game.
pub fn events(context: EventContext<'_>, rows: &[TempoRows], copies: &[Duplicate]) -> Events {
    let table = context.table;
    let mut found = Events::default();
    let mut drafts: Vec<EventDraft> = Vec::new();
    for of_tempo in with_faster_parts(context, rows) {
        let TempoRows { tempo, rows, .. } = &of_tempo;
        let mut of_rows = copies.to_vec();
        if rows.len() != table.len() {
            let mut is_given = vec![false; table.len()];
            for &row in rows {
                is_given[row] = true;
            }
            of_rows.retain(|copy| is_given[copy.kept]);
        }
        let drafted = detect_drafts(context, &of_tempo, &of_rows);
        found.repeated.extend(drafted.repeated);
        found.outside.extend(drafted.outside);
        found.faster.extend(drafted.faster);
        let (kept, tie_breaks) = separate_tie_breaks(*tempo, drafted.drafts, &drafts);
        found.faster.extend(tie_breaks);
        drafts.extend(kept);
    }
    found.events = name_events(drafts, context);
    confirm_level_matches(&mut found.events, &found.faster, table, context.players);
    excuse_double_forfeits(context, &mut found.events);
    doubt_open_ends(&mut found.events, table);
    doubt_shared_names(&mut found.events, table);
    mark_unconfirmed_fields(&mut found.events, table);
    // Matches of a knock-out that is a tie-break may remain as events, with games listed here.
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

/// Separates drafts from those that are tie-breaks of slower events.
///
/// Returns the other drafts, and the games of the tie-breaks. In the returned drafts, `part_of` is
/// an index into `slower` followed by these drafts.
fn separate_tie_breaks(
    tempo: Tempo,
    drafts: Vec<EventDraft>,
    slower: &[EventDraft],
) -> (Vec<EventDraft>, Vec<FasterGame>) {
    // A year may have ten thousand events; but all players of a tie-break play in its event, so one
    // of them is enough to find it.
    let mut by_year_and_player: FxHashMap<(Option<i16>, PlayerId), Vec<usize>> =
        FxHashMap::default();
    if tempo != Tempo::Classical {
        for (place, draft) in slower.iter().enumerate() {
            let (start, end) = (draft.event.start.year(), draft.event.end.year());
            for player in &draft.event.players {
                by_year_and_player.entry((start, *player)).or_default().push(place);
                if end != start {
                    by_year_and_player.entry((end, *player)).or_default().push(place);
                }
            }
        }
    }
    let reason = match tempo {
        Tempo::Blitz => SetAside::Blitz,
        _ => SetAside::Rapid,
    };
    let mut kept: Vec<EventDraft> = Vec::new();
    let mut faster: Vec<FasterGame> = Vec::new();
    let mut place_of: Vec<Option<usize>> = Vec::new();
    for draft in drafts {
        let event = &draft.event;
        let year = event.start.year();
        let first_player = event.players.first();
        let candidates = first_player.and_then(|player| by_year_and_player.get(&(year, *player)));
        let mut candidates = candidates.into_iter().flatten();
        if candidates.any(|place| event.is_tie_break_of(&slower[*place].event)) {
            faster.extend(event.games.iter().map(|game| FasterGame { row: game.row, reason }));
            place_of.push(None);
        } else {
            place_of.push(Some(slower.len() + kept.len()));
            kept.push(draft);
        }
    }
    for draft in &mut kept {
        let part_of = draft.part_of.and_then(|larger| place_of[larger]);
        // The matches of a removed draft are ranked, because nothing else ranks them.
        draft.event.ranked_elsewhere &= draft.part_of.is_none() || part_of.is_some();
        draft.part_of = part_of;
    }
    (kept, faster)
}

/// The events of one tempo, and the games that are in none.
struct TempoDrafts {
    drafts: Vec<EventDraft>,
    /// Rows of games in groups too small for an event.
    outside: Vec<usize>,
    /// Games that are in an event already.
    repeated: Vec<Duplicate>,
    /// Tie-breaks, according to their days.
    faster: Vec<FasterGame>,
}

/// Detects the events among games of one tempo.
fn detect_drafts(
    context: EventContext<'_>,
    of_tempo: &TempoRows,
    copies: &[Duplicate],
) -> TempoDrafts {
    let (mut groups, repeated) = group(context, &of_tempo.rows, copies);
    groups.par_iter_mut().for_each(|group| {
        mark_play_off_rounds(context.table, group);
        deduce_rounds(group);
    });
    let judgements = judge_groups(context, &mut groups, of_tempo);
    let faster = judgements.iter().flat_map(|judged| &judged.faster);
    let faster = faster.map(|&row| FasterGame { row, reason: SetAside::Rapid }).collect();
    let mut drafts: Vec<EventDraft> = Vec::new();
    let mut draft_of: Vec<Option<usize>> = vec![None; groups.len()];
    let assembled: Vec<_> = groups
        .par_iter()
        .zip(&judgements)
        .map(|(group, judged)| {
            let (name, event) = assemble(context, group, judged.tempo)?;
            Some((name, Event { tempo: judged.tempo, tempo_reason: judged.reason, ..event }))
        })
        .collect();
    for (number, assembled) in assembled.into_iter().enumerate() {
        if let Some((name, event)) = assembled {
            draft_of[number] = Some(drafts.len());
            drafts.push(EventDraft { name, event, part_of: None });
        }
    }
    let mut is_outside: Vec<bool> = draft_of.iter().map(Option::is_none).collect();
    for (cycle, matches) in cycle_drafts(context, &groups, &judgements) {
        for group in matches {
            is_outside[group] = false;
            if let Some(draft) = draft_of[group] {
                drafts[draft].part_of = Some(drafts.len());
            }
        }
        drafts.push(cycle);
    }
    let matches = knock_out_matches(context, &groups, &draft_of, &drafts);
    drafts.extend(matches);
    for (staged, stages) in staged_drafts(context, &drafts) {
        for stage in stages {
            drafts[stage].part_of = Some(drafts.len());
            drafts[stage].event.ranked_elsewhere = true;
        }
        drafts.push(staged);
    }
    let outside = groups.iter().zip(is_outside).filter(|(_, is_outside)| *is_outside);
    let outside = outside.flat_map(|(group, _)| group.members.iter().map(|member| member.row));
    TempoDrafts { drafts, outside: outside.collect(), repeated, faster }
}

/// Judges the tempo of each group by its days, and removes the games that were faster.
///
/// This precedes the assembly of events, so that the tie-break of a match is in no cycle.
fn judge_groups(
    context: EventContext<'_>,
    groups: &mut [GameGroup],
    of_tempo: &TempoRows,
) -> Vec<TempoJudgement> {
    let EventContext { table, thresholds, .. } = context;
    let tempo = of_tempo.tempo;
    let judgements: Vec<TempoJudgement> = groups
        .par_iter()
        .map(|group| {
            if is_large_enough(group, thresholds) {
                judge(table, &group.members, of_tempo)
            } else {
                TempoJudgement { tempo, ..TempoJudgement::default() }
            }
        })
        .collect();
    for (group, judged) in groups.iter_mut().zip(&judgements) {
        if judged.faster.is_empty() {
            continue;
        }
        group.members.retain(|member| judged.faster.binary_search(&member.row).is_err());
        let games = counted_games(judged.faster.len());
        group.reasons.push(format!("{games} of a tie-break set aside as faster than classical"));
    }
    judgements
}

/// Assembles each cycle of matches as one event; returns it with the numbers of its groups.
///
/// A cycle has the tempo of its slowest match.
fn cycle_drafts(
    context: EventContext<'_>,
    groups: &[GameGroup],
    judgements: &[TempoJudgement],
) -> Vec<(EventDraft, Vec<usize>)> {
    cycles(context.table, groups)
        .into_par_iter()
        .filter_map(|(cycle, matches)| {
            let of_matches = matches.iter().map(|group| &judgements[*group]);
            let slowest = of_matches.min_by_key(|judged| judged.tempo)?;
            let (name, event) = assemble(context, &cycle, slowest.tempo)?;
            let mut event = Event { tempo: slowest.tempo, tempo_reason: slowest.reason, ..event };
            event.set_kind(Kind::KnockOut);
            event.ranked_elsewhere = true;
            Some((EventDraft { name, event, part_of: None }, matches))
        })
        .collect()
}

/// Assembles the matches of each knock-out. `draft_of` has the index of each group's draft.
fn knock_out_matches(
    context: EventContext<'_>,
    groups: &[GameGroup],
    draft_of: &[Option<usize>],
    drafts: &[EventDraft],
) -> Vec<EventDraft> {
    let knock_outs: Vec<(usize, &GameGroup)> = draft_of
        .iter()
        .zip(groups)
        .filter_map(|(draft, group)| Some(((*draft)?, group)))
        .filter(|(draft, _)| drafts[*draft].event.kind == Kind::KnockOut)
        .collect();
    knock_outs
        .into_par_iter()
        .flat_map_iter(|(knock_out, group)| {
            let Event { tempo, tempo_reason, .. } = drafts[knock_out].event;
            matches_of(group, context.thresholds).into_iter().filter_map(move |group| {
                let (name, event) = assemble(context, &group, tempo)?;
                let event = Event { ranked_elsewhere: true, tempo, tempo_reason, ..event };
                Some(EventDraft { name, event, part_of: Some(knock_out) })
            })
        })
        .collect()
}

/// Counts the games that are in events. Games that a cycle shares with its matches count once.
pub fn games_in(events: &[Event]) -> usize {
    let mut rows: Vec<usize> =
        events.iter().flat_map(|event| event.games.iter().map(|game| game.row)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.len()
}
