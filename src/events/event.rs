//! Events: groups of games with a name, a kind, a coverage, an order.

use rustc_hash::FxHashMap;

use super::group::{Group, Member, group};
use super::kind::{Kind, Recognised, recognise};
use super::naming;
use super::tag::SegmentKind;
use crate::games::{Duplicate, Game, GameTable, PartialDate, Signs};
use crate::players::{PlayerId, Players, Slugs};

/// Games of a pair that make a match.
pub const MATCH_GAMES: usize = 3;

/// Games that make an event of three players or more.
pub const EVENT_GAMES: usize = 6;

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
) -> Events {
    let mut found = Events::default();
    let mut unnamed: Vec<(naming::EventName, Event)> = Vec::new();
    let (groups, repeated) = group(table, rows, copies, players);
    found.repeated = repeated;
    for group in groups {
        match assemble(table, &group, players) {
            Some(event) => unnamed.push(event),
            None => found.outside.extend(group.members.iter().map(|member| member.row)),
        }
    }
    // Of events that would share an identifier the largest gets it.
    unnamed.sort_by(|(a, x), (b, y)| {
        (x.start.year(), &a.ids[0], std::cmp::Reverse(x.games.len()), &a.name, x.games[0].row).cmp(
            &(y.start.year(), &b.ids[0], std::cmp::Reverse(y.games.len()), &b.name, y.games[0].row),
        )
    });
    let mut slugs = Slugs::default();
    for (name, mut event) in unnamed {
        event.id = slugs.take(&name.ids);
        event.name = name.name;
        found.events.push(event);
    }
    found.events.sort_by(|a, b| (a.start, &a.name, &a.id).cmp(&(b.start, &b.name, &b.id)));
    found.outside.sort_unstable();
    found
}

/// Makes an event of a group, without its identifier and name; `None` where it is too small.
pub(super) fn assemble(
    table: &GameTable,
    group: &Group,
    players: &Players,
) -> Option<(naming::EventName, Event)> {
    let mut field: Vec<PlayerId> =
        group.members.iter().flat_map(|member| [member.white, member.black]).collect();
    field.sort_unstable();
    field.dedup();
    let is_match = field.len() == 2 && group.members.len() >= MATCH_GAMES;
    if !is_match && (field.len() < 3 || group.members.len() < EVENT_GAMES) {
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
    // At London 1883 a drawn game was replayed; one result of the table stands among the replays.
    let of_main: Vec<usize> = main.iter().flat_map(|&(white, black)| [white, black]).collect();
    let before_play_offs: Vec<(usize, usize)> = group
        .members
        .iter()
        .filter(|member| member.segment != SegmentKind::PlayOff)
        .map(|member| (index[&member.white], index[&member.black]))
        .filter(|(white, black)| of_main.contains(white) && of_main.contains(black))
        .collect();
    recognised.fill_places(field.len(), &before_play_offs);

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
    for play_off in [false, true] {
        let mut members: Vec<Member> = group
            .members
            .iter()
            .filter(|member| (member.segment == SegmentKind::PlayOff) == play_off)
            .copied()
            .collect();
        let rounds = members.iter().all(|member| game(member).round.is_known());
        let days = members.iter().all(|member| game(member).date.day_exact().is_some());
        let key = |member: &Member| {
            let round = game(member).round;
            let day = game(member).date.day_exact();
            if rounds { (Some(round), day) } else { (None, day) }
        };
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
                played: !game(&member).signs.contains(Signs::UNPLAYED),
                analysed: true,
                sequence,
            }
        })
        .collect()
}
