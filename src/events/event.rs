//! Events: groups of games with a name, a kind, a coverage, an order.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::cycle::{cycles, matches_of};
use super::group::{Group, Member, group};
use super::kind::{Kind, Recognised, recognise};
use super::naming;
use super::tag::{SegmentKind, is_of_teams};
use super::thresholds::EventThresholds;
use crate::games::{Duplicate, Game, GameTable, PartialDate, Signs};
use crate::players::{PlayerId, Players, Slugs, slug};

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Identifier for URLs: `vienna-1898`.
    pub id: String,
    /// Name as people read it.
    pub name: String,
    /// Its own name in the tags.
    pub tag: String,
    /// The place, may be empty.
    pub site: String,
    /// First day, as far as known.
    pub start: PartialDate,
    /// Last day, as far as known.
    pub end: PartialDate,
    /// What sort of competition it is.
    pub kind: Kind,
    /// What its pairing table shows.
    pub recognised: Recognised,
    /// The field, in the order of the ids.
    pub players: Vec<PlayerId>,
    /// Its games in playing order.
    pub games: Vec<EventGame>,
    /// What was mended to make it, for people.
    pub reasons: Vec<String>,
    /// Identifier of the cycle or knock-out of which this is a match; its games are there as well.
    pub part_of: Option<String>,
    /// Whether its performances are ranked elsewhere: those of a cycle with its matches, those of a match
    /// of a knock-out with that. No game is ranked twice.
    pub ranked_elsewhere: bool,
}

/// A game of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventGame {
    /// Row of the game table.
    pub row: usize,
    /// Index of White in the event's field.
    pub white: usize,
    /// Index of Black in the event's field.
    pub black: usize,
    /// Which part of the event.
    pub segment: SegmentKind,
    /// The stage of a cycle, in the order of playing; 0 where there are none.
    pub stage: u8,
    /// Whether it was played.
    pub played: bool,
    /// Whether it enters the analysis (the administrator may leave a segment out).
    pub analysed: bool,
    /// Place in the order where rounds or dates tell it.
    pub sequence: Option<u32>,
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
}

impl Event {
    /// Games found over games expected; `None` where the kind does not tell.
    pub fn coverage(&self) -> Option<f64> {
        self.recognised.coverage()
    }

    /// How many games each segment has, in the order of the segments.
    pub fn segments(&self) -> Vec<(SegmentKind, usize)> {
        [SegmentKind::Main, SegmentKind::Extra, SegmentKind::PlayOff]
            .into_iter()
            .map(|kind| (kind, self.games.iter().filter(|game| game.segment == kind).count()))
            .filter(|(_, games)| *games > 0)
            .collect()
    }
}

/// Works out the events among the given rows; copies of them are in no event, but their tags tell where
/// a game belongs.
pub fn events(
    table: &GameTable,
    rows: &[usize],
    copies: &[Duplicate],
    players: &Players,
    thresholds: EventThresholds,
) -> Events {
    let mut found = Events::default();
    let (groups, repeated) = group(table, rows, copies, players, thresholds);
    found.repeated = repeated;
    let mut drafts: Vec<Draft> = Vec::new();
    let mut of_group: Vec<Option<usize>> = vec![None; groups.len()];
    let mut in_none: Vec<bool> = vec![false; groups.len()];
    let assembled: Vec<_> =
        groups.par_iter().map(|group| assemble(table, group, players, thresholds)).collect();
    for (number, assembled) in assembled.into_iter().enumerate() {
        match assembled {
            Some((name, event)) => {
                of_group[number] = Some(drafts.len());
                drafts.push(Draft { name, event, whole: None });
            }
            None => in_none[number] = true,
        }
    }
    for (whole, matches) in cycles(table, &groups) {
        let Some((name, mut event)) = assemble(table, &whole, players, thresholds) else {
            continue;
        };
        event.set_kind(Kind::KnockOut);
        event.ranked_elsewhere = true;
        for group in matches {
            in_none[group] = false;
            if let Some(draft) = of_group[group] {
                drafts[draft].whole = Some(drafts.len());
            }
        }
        drafts.push(Draft { name, event, whole: None });
    }
    let knock_outs: Vec<(usize, &Group)> = of_group
        .iter()
        .zip(&groups)
        .filter_map(|(draft, group)| Some(((*draft)?, group)))
        .filter(|(draft, _)| drafts[*draft].event.kind == Kind::KnockOut)
        .collect();
    let of_knock_outs: Vec<Draft> = knock_outs
        .into_par_iter()
        .flat_map_iter(|(whole, group)| {
            matches_of(group, thresholds).into_iter().filter_map(move |group| {
                let (name, event) = assemble(table, &group, players, thresholds)?;
                let event = Event { ranked_elsewhere: true, ..event };
                Some(Draft { name, event, whole: Some(whole) })
            })
        })
        .collect();
    drafts.extend(of_knock_outs);
    for (group, _) in groups.iter().zip(&in_none).filter(|(_, in_none)| **in_none) {
        found.outside.extend(group.members.iter().map(|member| member.row));
    }
    found.events = named(drafts, players);
    found.outside.sort_unstable();
    found
}

/// An event before it has its identifier.
struct Draft {
    name: naming::EventName,
    event: Event,
    /// Place of the cycle or knock-out of which it is a match.
    whole: Option<usize>,
}

/// Gives the events their names and identifiers, matches of something larger those of it and of their
/// players.
fn named(drafts: Vec<Draft>, players: &Players) -> Vec<Event> {
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    // Of events that would share an identifier the largest gets it.
    order.sort_by(|&a, &b| {
        fn key(draft: &Draft) -> (bool, Option<i16>, &str) {
            (draft.whole.is_some(), draft.event.start.year(), &draft.name.ids[0])
        }
        fn size(draft: &Draft) -> (std::cmp::Reverse<usize>, &str, usize) {
            let games = &draft.event.games;
            (std::cmp::Reverse(games.len()), &draft.name.name, games[0].row)
        }
        let (a, b) = (&drafts[a], &drafts[b]);
        key(a).cmp(&key(b)).then_with(|| size(a).cmp(&size(b)))
    });
    let mut slugs = Slugs::default();
    let mut ids: Vec<String> = vec![String::new(); drafts.len()];
    for &place in &order {
        let draft = &drafts[place];
        let mut wanted = draft.name.ids.clone();
        if let Some(whole) = draft.whole {
            let surnames = draft.event.players.iter().map(|player| {
                players.get(*player).name.split(',').next().unwrap_or_default().to_owned()
            });
            let surnames: Vec<String> = surnames.collect();
            wanted.insert(0, format!("{}-{}", ids[whole], slug(&surnames.join(" "))));
        }
        ids[place] = slugs.take(&wanted);
    }
    let mut events: Vec<Event> = drafts
        .into_iter()
        .enumerate()
        .map(|(place, draft)| Event {
            id: ids[place].clone(),
            name: draft.name.name,
            part_of: draft.whole.map(|whole| ids[whole].clone()),
            ..draft.event
        })
        .collect();
    events.sort_by(|a, b| (a.start, &a.name, &a.id).cmp(&(b.start, &b.name, &b.id)));
    events
}

/// How many games are in events; a match of a cycle has those of the cycle.
pub fn games_in(events: &[Event]) -> usize {
    let mut rows: Vec<usize> =
        events.iter().flat_map(|event| event.games.iter().map(|game| game.row)).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.len()
}

/// Makes an event of a group, without its identifier and name; `None` where it is too small.
pub(super) fn assemble(
    table: &GameTable,
    group: &Group,
    players: &Players,
    thresholds: EventThresholds,
) -> Option<(naming::EventName, Event)> {
    let mut field: Vec<PlayerId> =
        group.members.iter().flat_map(|member| [member.white, member.black]).collect();
    field.sort_unstable();
    field.dedup();
    let is_match = field.len() == 2 && group.members.len() >= thresholds.match_games;
    if !is_match && (field.len() < 3 || group.members.len() < thresholds.event_games) {
        return None;
    }
    let index: FxHashMap<PlayerId, usize> =
        field.iter().enumerate().map(|(index, player)| (*player, index)).collect();
    let has_main = group.members.iter().any(|member| member.segment == SegmentKind::Main);
    let main: Vec<(usize, usize)> = group
        .members
        .iter()
        .filter(|member| !has_main || member.segment == SegmentKind::Main)
        .map(|member| (index[&member.white], index[&member.black]))
        .collect();
    let mut recognised = recognise(field.len(), &main);
    // Only words tell teams from a Swiss; a round robin of players is one whatever its name.
    if !recognised.kind.is_round_robin()
        && recognised.kind != Kind::Match
        && is_of_teams(&group.key)
    {
        recognised.kind = Kind::Team;
        recognised.expected_games = None;
    }
    // At London 1883 a drawn game was replayed; one result of the table stands among the replays.
    if main.len() < group.members.len() {
        let mut is_of_main = vec![false; field.len()];
        for &(white, black) in &main {
            (is_of_main[white], is_of_main[black]) = (true, true);
        }
        let before_play_offs: Vec<(usize, usize)> = group
            .members
            .iter()
            .filter(|member| member.segment != SegmentKind::PlayOff)
            .map(|member| (index[&member.white], index[&member.black]))
            .filter(|&(white, black)| is_of_main[white] && is_of_main[black])
            .collect();
        recognised.fill_places(field.len(), &before_play_offs);
    }

    let games = in_order(table, group, &index, &recognised);
    let dates = || games.iter().map(|game| table.games()[game.row].date);
    let event_dates = || games.iter().map(|game| table.games()[game.row].event_date);
    let start = dates()
        .chain(event_dates())
        .filter(|date| date.year().is_some())
        .min_by_key(|date| (date.earliest(), std::cmp::Reverse(date.known_parts())))
        .unwrap_or_default();
    let end = dates()
        .filter(|date| date.year().is_some())
        .max_by_key(|date| (date.latest(), date.known_parts()))
        .unwrap_or(start);
    let surnames: Vec<&str> = field
        .iter()
        .map(|player| players.get(*player).name.split(',').next().unwrap_or_default())
        .collect();
    let years = start.year().zip(end.year());
    let name = naming::name(&group.base, &group.city, years, recognised.kind, &surnames);
    let event = Event {
        id: String::new(),
        name: String::new(),
        tag: group.base.clone(),
        site: group.city.clone(),
        start,
        end,
        kind: recognised.kind,
        recognised,
        players: field,
        games,
        reasons: group.reasons.clone(),
        part_of: None,
        ranked_elsewhere: false,
    };
    Some((name, event))
}

/// The games in playing order, with their places in it where these are known.
///
/// By round, then date, then order of appearance, where every game of the segment has its round; by
/// date where every game has its day; else as they appear. Play-offs follow.
fn in_order(
    table: &GameTable,
    group: &Group,
    index: &FxHashMap<PlayerId, usize>,
    recognised: &Recognised,
) -> Vec<EventGame> {
    let game = |member: &Member| -> &Game { &table.games()[member.row] };
    let mut ordered: Vec<(Member, Option<u32>)> = Vec::new();
    let mut place = 0;
    // The play-off of a stage is played before the next stage.
    let is_cycle = group.members.iter().any(|member| member.stage > 0);
    for last in [false, true] {
        let is_last = |member: &&Member| !is_cycle && member.segment == SegmentKind::PlayOff;
        let mut members: Vec<Member> =
            group.members.iter().filter(|member| is_last(member) == last).copied().collect();
        let rounds = members.iter().all(|member| game(member).round.is_known());
        let days = members.iter().all(|member| game(member).date.day_exact().is_some());
        let key = |member: &Member| {
            let round = game(member).round;
            let day = game(member).date.day_exact();
            // Every stage of a cycle begins with a first round.
            let stage = (member.stage, is_cycle && member.segment == SegmentKind::PlayOff);
            if rounds { (stage, Some(round), day) } else { (stage, None, day) }
        };
        if !rounds && !days {
            members.sort_by_key(|member| (member.stage, member.row));
        }
        if rounds || days {
            members.sort_by_key(|member| (key(member), member.row));
        }
        let mut previous = None;
        for member in members {
            let known = rounds || days;
            let key = known.then(|| key(&member));
            if known && key != previous {
                place += 1;
            }
            let partly = !known
                && (game(&member).round.is_known() || game(&member).date.day_exact().is_some());
            let sequence = if known {
                Some(place)
            } else if partly {
                // Some games of the segment have a round or a day: they keep their order.
                game(&member).round.number().map(|number| place + u32::from(number))
            } else {
                None
            };
            previous = key;
            ordered.push((member, sequence));
        }
        place = ordered.iter().filter_map(|(_, sequence)| *sequence).max().unwrap_or(place) + 1;
    }
    ordered
        .into_iter()
        .map(|(member, sequence)| {
            let (white, black) = (index[&member.white], index[&member.black]);
            let withdrawn =
                recognised.withdrawn.contains(&white) || recognised.withdrawn.contains(&black);
            EventGame {
                row: member.row,
                white,
                black,
                segment: if withdrawn && member.segment == SegmentKind::Main {
                    SegmentKind::Extra
                } else {
                    member.segment
                },
                stage: member.stage,
                played: !game(&member).signs.contains(Signs::UNPLAYED),
                analysed: true,
                sequence,
            }
        })
        .collect()
}
