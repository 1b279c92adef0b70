//! Events: groups of games with a name, a kind, a coverage, an order.

use std::cmp::Reverse;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cycle::{cycles, knock_out_rounds, matches_of};
use super::group::{Group, Member};
use super::grouping::group;
use super::material::Material;
use super::naming;
use super::pairing_table::Pairing;
use super::recognised::{Circumstances, Recognised, recognise};
use super::tag::{SegmentKind, TeamWords, games_of_score, is_year, names_countries, team_words};
use super::tempo::{Judged, judge};
use super::thresholds::EventThresholds;
use crate::games::{
    Duplicate, Game, GameFlags, GameTable, PartialDate, Rateable, SetAside, Tempo, TempoReason,
};
use crate::gazetteer::Places;
use crate::players::{Player, PlayerId, Players, Slugs, fold, slug};
use crate::tournament::Kind;

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Identifier for URLs: `vienna-1898`.
    pub id: String,
    /// Name as people read it.
    pub name: String,
    /// Its own name in the tags.
    pub tag: String,
    /// The place as people call it, may be empty.
    pub site: String,
    /// The place as its tags have it, without the country behind it; may be empty.
    pub tagged_site: String,
    /// The identifier that it had before events were called as people call them, where no other event has
    /// it now.
    pub former_id: Option<String>,
    /// First day, as far as known.
    pub start: PartialDate,
    /// Last day, as far as known.
    pub end: PartialDate,
    /// What sort of competition it is.
    pub kind: Kind,
    /// What its pairing table shows.
    pub recognised: Recognised,
    /// How fast it was played.
    pub tempo: Tempo,
    /// By what that is known.
    pub tempo_reason: TempoReason,
    /// How many of its players are programs.
    pub programs: usize,
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

/// Rows of games of one tempo, as tags and words tell it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowsOf {
    /// The tempo.
    pub tempo: Tempo,
    /// Rows of the game table.
    pub rows: Vec<usize>,
}

impl RowsOf {
    /// All games of a table as classical ones.
    pub fn whole(table: &GameTable) -> Vec<RowsOf> {
        vec![RowsOf { tempo: Tempo::Classical, rows: (0..table.len()).collect() }]
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

impl Event {
    /// Games found over games expected, in `[0, 1]`.
    pub fn coverage(&self) -> f64 {
        self.recognised.coverage()
    }

    /// Who played, in short: the first and the last of the players by their surnames, and how many there were.
    /// It is another where another event has come to the identifier of this.
    pub fn field(&self, players: &Players) -> String {
        let mut surnames: Vec<(String, &str)> = self
            .players
            .iter()
            .map(|player| players.get(*player).surname())
            .map(|surname| (fold(surname), surname))
            .collect();
        surnames.sort_unstable();
        match &surnames[..] {
            [(_, first), .., (_, last)] => format!("{first} to {last}, {} players", surnames.len()),
            _ => "nobody".to_owned(),
        }
    }

    /// Whether nothing tells which event it was: it has no name, and no place or no year.
    pub fn is_nameless(&self) -> bool {
        is_no_name(&self.tag) && (self.site.is_empty() || self.start.year().is_none())
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

/// Works out the events among the given rows, those of each tempo by themselves; copies of them are in no
/// event, but their tags tell where a game belongs.
pub fn events(material: Material<'_>, rows: &[RowsOf], copies: &[Duplicate]) -> Events {
    let Material { table, .. } = material;
    let mut found = Events::default();
    let mut drafts: Vec<Draft> = Vec::new();
    for RowsOf { tempo, rows } in rows {
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
        let mut by_year: FxHashMap<Option<i16>, Vec<usize>> = FxHashMap::default();
        if *tempo != Tempo::Classical {
            for (place, draft) in drafts.iter().enumerate() {
                let (start, end) = (draft.event.start.year(), draft.event.end.year());
                by_year.entry(start).or_default().push(place);
                if end != start {
                    by_year.entry(end).or_default().push(place);
                }
            }
        }
        let is_tie_break = |event: &Event| {
            let near = by_year.get(&event.start.year()).map_or(&[][..], Vec::as_slice);
            near.iter().any(|place| event.is_tie_break_of(&drafts[*place].event))
        };
        let mut kept: Vec<Draft> = Vec::new();
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
    // A match of a knock-out has the knock-out's games, and may be an event where that is none.
    let in_events: FxHashSet<usize> =
        found.events.iter().flat_map(|event| &event.games).map(|game| game.row).collect();
    found.faster.retain(|game| !in_events.contains(&game.row));
    found.faster.sort_unstable_by_key(|game| game.row);
    found.faster.dedup_by_key(|game| game.row);
    found.outside.sort_unstable();
    found
}

/// The events among games of one tempo.
fn drafts_of(
    material: Material<'_>,
    tempo: Tempo,
    rows: &[usize],
    copies: &[Duplicate],
    found: &mut Events,
) -> Vec<Draft> {
    let Material { table, thresholds, .. } = material;
    let (groups, repeated) = group(material, rows, copies);
    found.repeated.extend(repeated);
    // What was faster than its event goes first: a match of a cycle without its tie-break.
    let judged: Vec<_> = groups
        .par_iter()
        .map(|group| match is_large_enough(group, thresholds) {
            true => judge(table, &group.members, tempo),
            false => Judged { tempo, ..Judged::default() },
        })
        .collect();
    let groups: Vec<Group> = groups
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
    let mut drafts: Vec<Draft> = Vec::new();
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
                drafts.push(Draft { name, event, whole: None });
            }
            None => in_none[number] = true,
        }
    }
    for (whole, matches) in cycles(table, &groups) {
        let slowest = matches.iter().map(|group| &judged[*group]).min_by_key(|judged| judged.tempo);
        let tempo = slowest.map_or(tempo, |judged| judged.tempo);
        let Some((name, event)) = assemble(material, &whole, tempo) else {
            continue;
        };
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
            let Event { tempo, tempo_reason, .. } = drafts[whole].event;
            matches_of(group, thresholds).into_iter().filter_map(move |group| {
                let (name, event) = assemble(material, &group, tempo)?;
                let event = Event { ranked_elsewhere: true, tempo, tempo_reason, ..event };
                Some(Draft { name, event, whole: Some(whole) })
            })
        })
        .collect();
    drafts.extend(of_knock_outs);
    for (group, _) in groups.iter().zip(&in_none).filter(|(_, in_none)| **in_none) {
        found.outside.extend(group.members.iter().map(|member| member.row));
    }
    drafts
}

/// Words that events of all sorts are called by.
const GENERIC: [&str; 14] = [
    "the",
    "open",
    "match",
    "world",
    "fide",
    "chess",
    "cup",
    "masters",
    "final",
    "international",
    "tournament",
    "rapid",
    "blitz",
    "mem",
];

/// Days between an event and a tie-break of it.
const TIE_BREAK_DAYS: i32 = 3;

impl Event {
    /// Whether this event of rapid or blitz games is a tie-break of another: of the same name or place and
    /// time, and among a few of its players, or those of a knock-out.
    fn is_tie_break_of(&self, slower: &Event) -> bool {
        let inside =
            self.players.iter().filter(|player| slower.players.binary_search(player).is_ok());
        if inside.count() < self.players.len() {
            return false;
        }
        let is_of_few = self.players.len() <= 4.max(slower.players.len() / 3)
            && self.games.len() < slower.games.len().max(6);
        let is_of_knock_out =
            slower.kind == Kind::KnockOut && self.games.len() < slower.games.len();
        // The openers of all players against each other (`Norway blitz`) are events.
        if !is_of_knock_out
            && (!is_of_few || self.players.len() == slower.players.len() && self.players.len() > 2)
        {
            return false;
        }
        let same_place = !self.site.is_empty() && self.site == slower.site;
        let words = |tag: &str| -> Vec<String> {
            crate::games::tag_words(&fold(tag))
                .filter(|word| {
                    word.len() > 2 && !is_year(word) && !GENERIC.contains(&word.as_str())
                })
                .collect()
        };
        let (mine, theirs) = (words(&self.tag), words(&slower.tag));
        if !same_place && !mine.iter().any(|word| theirs.contains(word)) {
            return false;
        }
        match (self.start.day_exact(), slower.start.earliest(), slower.end.latest()) {
            (Some(day), Some(start), Some(end)) => {
                (day - start).get_days() >= -TIE_BREAK_DAYS
                    && (day - end).get_days() <= TIE_BREAK_DAYS
            }
            _ => true,
        }
    }
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
fn named(mut drafts: Vec<Draft>, material: Material<'_>) -> Vec<Event> {
    let Material { table, players, words, .. } = material;
    name_within_wholes(&mut drafts, table);
    // Of events that would share an identifier what they are decides, never what came first: the slowest, the one
    // whose kind is known, the one of the highest class, the largest.
    fn wanted(draft: &Draft) -> (bool, Option<i16>, &str) {
        (draft.whole.is_some(), draft.event.start.year(), &draft.name.ids[0])
    }
    let rank = |draft: &Draft| {
        let event = &draft.event;
        let kind = match event.kind {
            Kind::Fragment | Kind::Other => 2,
            kind if kind.is_round_robin() => 0,
            _ => 1,
        };
        (event.tempo, kind, Reverse(mean_elo(table, event)), Reverse(event.games.len()))
    };
    let keys: Vec<_> = drafts.par_iter().map(rank).collect();
    let field = |draft: &Draft| -> Vec<&str> {
        draft.event.players.iter().map(|player| players.get(*player).id.as_str()).collect()
    };
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by(|&a, &b| {
        let (one, two) = (&drafts[a], &drafts[b]);
        let by_name = || (one.event.start, &one.name.name).cmp(&(two.event.start, &two.name.name));
        wanted(one)
            .cmp(&wanted(two))
            .then_with(|| keys[a].cmp(&keys[b]))
            .then_with(by_name)
            .then_with(|| field(one).cmp(&field(two)))
    });
    let mut slugs = Slugs::default();
    let mut ids: Vec<String> = vec![String::new(); drafts.len()];
    let mut former: Vec<String> = vec![String::new(); drafts.len()];
    let mut holders: FxHashMap<&str, Option<u8>> = FxHashMap::default();
    for &place in &order {
        let draft = &drafts[place];
        let mut wanted = draft.name.ids.clone();
        // The month tells it from an event of another month.
        let month = draft.event.start.month();
        let holder = holders.entry(&draft.name.ids[0]).or_insert(month);
        if *holder != month {
            wanted.extend(draft.name.id_with_month.clone());
        }
        former[place].clone_from(&draft.name.former_id);
        if let Some(whole) = draft.whole {
            let names = |surname: fn(&Player) -> &str| {
                let of = draft.event.players.iter().map(|player| surname(players.get(*player)));
                slug(&of.collect::<Vec<_>>().join(" "))
            };
            wanted.insert(0, format!("{}-{}", ids[whole], names(Player::surname)));
            former[place] = format!("{}-{}", former[whole], names(Player::former_surname));
        }
        ids[place] = slugs.take(&wanted);
    }
    let former = former_ids(&ids, former);
    let names = distinct_names(&drafts);
    let mut events: Vec<Event> = drafts
        .into_iter()
        .zip(former)
        .zip(names)
        .enumerate()
        .map(|(place, ((draft, former_id), name))| Event {
            id: ids[place].clone(),
            name,
            former_id,
            part_of: draft.whole.map(|whole| ids[whole].clone()),
            ..draft.event
        })
        .collect();
    for event in &mut events {
        if let Some(name) = words.known_name(&event.id, || event.field(players)) {
            name.clone_into(&mut event.name);
        }
    }
    events.sort_by(|a, b| (a.start, &a.name, &a.id).cmp(&(b.start, &b.name, &b.id)));
    events
}

/// Names matches by what they are rounds of: those of a knock-out by their rounds, those of a tournament that is called
/// by its place behind it. After a level score who goes on comes first.
fn name_within_wholes(drafts: &mut [Draft], table: &GameTable) {
    let mut rounds: FxHashMap<usize, Bracket> = FxHashMap::default();
    for place in 0..drafts.len() {
        let Some(whole) = drafts[place].whole else { continue };
        let bracket =
            rounds.entry(whole).or_insert_with(|| Bracket::of(&drafts[whole].event, table));
        let whole_name = drafts[whole].name.name.clone();
        let draft = &mut drafts[place];
        let (Some(parts), [one, other]) = (&mut draft.name.of_match, &draft.event.players[..])
        else {
            continue;
        };
        let is_level = lead_of_first(table, &draft.event.games) == 0.0;
        if is_level && bracket.goes_on(*other, *one) {
            parts.pair.swap(0, 1);
        }
        let round = bracket.round(*one, *other);
        draft.name.name = parts.within(&whole_name, round);
    }
}

/// The matches of a knock-out, by their rounds.
struct Bracket {
    /// The players of each match, in the order of playing, with its round from 0.
    matches: Vec<([PlayerId; 2], usize)>,
    /// Who lost each match, where the games tell.
    losers: Vec<Option<PlayerId>>,
}

impl Bracket {
    fn of(whole: &Event, table: &GameTable) -> Bracket {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut leads: Vec<f64> = Vec::new();
        for game in whole.games.iter().filter(|game| game.segment == SegmentKind::Main) {
            let pair = (game.white.min(game.black), game.white.max(game.black));
            let place = pairs.iter().position(|other| *other == pair).unwrap_or_else(|| {
                pairs.push(pair);
                leads.push(0.0);
                pairs.len() - 1
            });
            let score = table.games()[game.row].result.white_score();
            let white = score.map_or(0.0, |score| 2.0 * score - 1.0);
            leads[place] += if game.white == pair.0 { white } else { -white };
        }
        let stages = knock_out_rounds(&pairs);
        let of = |player: usize| whole.players[player];
        let losers = pairs.iter().zip(&leads).map(|(pair, lead)| match lead {
            lead if *lead > 0.0 => Some(of(pair.1)),
            lead if *lead < 0.0 => Some(of(pair.0)),
            _ => None,
        });
        let losers = losers.collect();
        let matches =
            pairs.iter().zip(stages).map(|(pair, stage)| ([of(pair.0), of(pair.1)], stage));
        Bracket { matches: matches.collect(), losers }
    }

    /// Whether a player met others behind his match with another, who did not.
    fn goes_on(&self, player: PlayerId, other: PlayerId) -> bool {
        let last = |player: PlayerId| {
            self.matches
                .iter()
                .filter(|(pair, _)| pair.contains(&player))
                .map(|(_, stage)| *stage)
                .max()
        };
        last(player) > last(other)
    }

    /// What the round of a match is called; `None` where the bracket does not tell.
    fn round(&self, a: PlayerId, b: PlayerId) -> Option<&'static str> {
        let is_it = |pair: &[PlayerId; 2]| pair.contains(&a) && pair.contains(&b);
        let place = self.matches.iter().position(|(pair, _)| is_it(pair))?;
        let stage = self.matches[place].1;
        let last = self.matches.iter().map(|(_, stage)| *stage).max()?;
        let count = self.matches.iter().filter(|(_, other)| *other == stage).count();
        match (last - stage, count) {
            (0, 1) => Some("Final"),
            (0, 2) => {
                let lost_before = |player: PlayerId| {
                    let before = self.matches.iter().zip(&self.losers);
                    before
                        .filter(|((_, other), _)| *other < stage)
                        .any(|(_, loser)| *loser == Some(player))
                };
                match lost_before(a) || lost_before(b) {
                    true => Some("Third-Place Playoff"),
                    false => Some("Final"),
                }
            }
            (1, 2) => Some("Semifinal"),
            (2, 4) => Some("Quarterfinal"),
            (3, 8) => Some("Round of 16"),
            _ => None,
        }
    }
}

/// The names of the events, with what tells them apart where several have one: their months, or what their tags call
/// them.
fn distinct_names(drafts: &[Draft]) -> Vec<String> {
    let mut of_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (place, draft) in drafts.iter().enumerate() {
        of_name.entry(&draft.name.name).or_default().push(place);
    }
    let mut names: Vec<String> = drafts.iter().map(|draft| draft.name.name.clone()).collect();
    for places in of_name.into_values().filter(|places| places.len() > 1) {
        let telling = (0..2).find(|&kind| {
            let mut details: Vec<&str> =
                places.iter().map(|&place| drafts[place].name.details[kind].as_str()).collect();
            details.sort_unstable();
            details.windows(2).all(|two| two[0] != two[1])
        });
        for place in places {
            let detail = telling.map_or("", |kind| &drafts[place].name.details[kind]);
            if !detail.is_empty() {
                names[place].push_str(&format!(" ({detail})"));
            }
        }
    }
    names
}

/// Former identifiers that lead to one event only, and are no other's now.
fn former_ids(ids: &[String], former: Vec<String>) -> Vec<Option<String>> {
    let taken: FxHashSet<&str> = ids.iter().map(String::as_str).collect();
    let mut claims: FxHashMap<&str, usize> = FxHashMap::default();
    for id in &former {
        *claims.entry(id).or_default() += 1;
    }
    let is_free: Vec<bool> =
        former.iter().map(|id| claims[id.as_str()] == 1 && !taken.contains(id.as_str())).collect();
    former.into_iter().zip(is_free).map(|(id, is_free)| is_free.then_some(id)).collect()
}

/// The mean of the rating tags of an event's games; 0 where there are none.
fn mean_elo(table: &GameTable, event: &Event) -> u64 {
    let elos = event.games.iter().flat_map(|game| {
        let row = &table.games()[game.row];
        [row.white_elo, row.black_elo]
    });
    let (sum, known) = elos
        .filter(|elo| *elo > 0)
        .fold((0u64, 0), |(sum, known), elo| (sum + u64::from(elo), known + 1));
    sum.checked_div(known).unwrap_or(0)
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
    material: Material<'_>,
    group: &Group,
    tempo: Tempo,
) -> Option<(naming::EventName, Event)> {
    let Material { table, players, places, words, thresholds } = material;
    if !is_large_enough(group, thresholds) {
        return None;
    }
    let field = group.players();
    let index: FxHashMap<PlayerId, usize> =
        field.iter().enumerate().map(|(index, player)| (*player, index)).collect();
    let has_main = group.members.iter().any(|member| member.segment == SegmentKind::Main);
    let mut games = in_order(table, group, &index);
    // The games of a match that was a round of something larger are numbered as its parts: `8.1`, `8.2`.
    let by_parts = field.len() == 2 && {
        let number = |game: &EventGame| table.games()[game.row].round.number();
        games.windows(2).all(|two| number(&two[0]) == number(&two[1]))
    };
    let pairing = |game: &EventGame| {
        let row = &table.games()[game.row];
        let round = if by_parts { row.round.part() } else { row.round.number() };
        let white_score = row.result.white_score();
        Pairing { white: game.white, black: game.black, round, white_score }
    };
    let main: Vec<Pairing> = games
        .iter()
        .filter(|game| !has_main || game.segment == SegmentKind::Main)
        .map(pairing)
        .collect();
    let about = Circumstances {
        year: group.first_year(table),
        rounds: rounds_reported(table, group),
        is_cycle: group.members.iter().any(|member| member.stage > 0),
    };
    let mut recognised = recognise(field.len(), &main, about);
    // Tags of teams tell them, and words of the name, whatever the pairings look like: of an olympiad often the
    // first boards alone are there. A league, or a name of two countries, may be one of single players.
    let is_whole = recognised.kind.is_round_robin() && recognised.coverage() >= 0.95;
    let by_words = match team_words(&group.key) {
        TeamWords::Certain => recognised.kind != Kind::Match,
        TeamWords::Doubtful => recognised.kind != Kind::Match && !is_whole,
        TeamWords::None => {
            names_countries(&group.base)
                && !recognised.kind.is_round_robin()
                && recognised.kind != Kind::Match
        }
    };
    if (group.with_team_tags || by_words) && field.len() > 3 {
        recognised.of_teams(&main);
    }
    // At London 1883 a drawn game was replayed; one result of the table stands among the replays.
    if main.len() < games.len() {
        let mut is_of_main = vec![false; field.len()];
        for pairing in &main {
            (is_of_main[pairing.white], is_of_main[pairing.black]) = (true, true);
        }
        let before_play_offs: Vec<Pairing> = games
            .iter()
            .filter(|game| game.segment != SegmentKind::PlayOff)
            .map(pairing)
            .filter(|pairing| is_of_main[pairing.white] && is_of_main[pairing.black])
            .collect();
        recognised.fill_places(field.len(), &before_play_offs);
    }
    for game in games.iter_mut().filter(|game| game.segment == SegmentKind::Main) {
        if [game.white, game.black].iter().any(|player| recognised.withdrawn.contains(player)) {
            game.segment = SegmentKind::Extra;
        }
    }

    let (start, end) = first_and_last(table, &games);
    let joint = joint_place(&group.base, &group.city, places);
    let id_place = places.name(&group.city).unwrap_or(&group.city);
    let (place, tagged_place) = match &joint {
        Some((place, tagged)) => (place.as_str(), tagged.as_str()),
        None => (id_place, group.city.as_str()),
    };
    let called: Vec<String> = field
        .iter()
        .take(2)
        .flat_map(|player| {
            let player = players.get(*player);
            player.spellings.iter().take(8).chain([&player.name]).cloned()
        })
        .collect();
    let shown = |place: usize| players.get(field[place]).surname_among_namesakes();
    let surname = |place: usize| players.get(field[place]).surname();
    let former = |place: usize| players.get(field[place]).former_surname();
    if is_no_name(&group.base) && (place.is_empty() || start.year().is_none()) {
        recognised.notes.push("nothing tells which event this was".to_owned());
    }
    let is_match = recognised.kind == Kind::Match && field.len() == 2;
    let (winner, loser) = if lead_of_first(table, &games) < 0.0 { (1, 0) } else { (0, 1) };
    let about = naming::Named {
        base: &group.base,
        place,
        tagged_place,
        id_place,
        former_place: &group.city,
        years: start.year().zip(end.year()),
        month: start.month_name(),
        kind: recognised.kind,
        tempo,
        field: field.len(),
        players: is_match.then(|| [surname(winner), surname(loser)]),
        called: &called,
        shown_players: is_match.then(|| [shown(winner), shown(loser)]),
        former_players: is_match.then(|| [former(0), former(1)]),
    };
    let name = naming::name(about, words);
    let event = Event {
        id: String::new(),
        name: String::new(),
        tag: group.base.clone(),
        site: place.to_owned(),
        tagged_site: group.city.clone(),
        former_id: None,
        start,
        end,
        kind: recognised.kind,
        tempo: Tempo::default(),
        tempo_reason: TempoReason::default(),
        programs: programs(table, &field, &games),
        reasons: [group.reasons.clone(), recognised.notes.clone()].concat(),
        recognised,
        players: field,
        games,
        part_of: None,
        ranked_elsewhere: false,
    };
    Some((name, event))
}

/// Whether a tag names nothing: `?`, `-`.
fn is_no_name(tag: &str) -> bool {
    !tag.chars().any(char::is_alphanumeric)
}

/// By how many points the first of the two players of a match leads.
fn lead_of_first(table: &GameTable, games: &[EventGame]) -> f64 {
    games
        .iter()
        .filter_map(|game| Some((game, table.games()[game.row].result.white_score()?)))
        .map(|(game, white)| if game.white == 0 { 2.0 * white - 1.0 } else { 1.0 - 2.0 * white })
        .sum()
}

/// The places of an event whose tag names several of which its Site is one (`Moscow/Leningrad m`, at Leningrad), and
/// what the tag writes for them.
fn joint_place(base: &str, city: &str, places: &Places) -> Option<(String, String)> {
    let words: Vec<&str> = base.split_whitespace().collect();
    let words = match words.split_last() {
        Some((last, rest)) if last.starts_with('m') && last.len() < 4 => rest,
        _ => &words[..],
    };
    let joined = words.join(" ");
    let parts: Option<Vec<&str>> = joined
        .split('/')
        .map(|part| places.name(part.trim()).filter(|name| !name.is_empty()))
        .collect();
    let parts = parts.filter(|parts| (2..=4).contains(&parts.len()))?;
    let own = places.name(city).unwrap_or(city);
    (!own.contains('/') && parts.contains(&own)).then(|| (parts.join("/"), joined.clone()))
}

/// The first and the last day of some games, as far as known. A bare year counts for nothing where half of the
/// games of that year or more have their months.
fn first_and_last(table: &GameTable, games: &[EventGame]) -> (PartialDate, PartialDate) {
    let rows = || games.iter().map(|game| &table.games()[game.row]);
    let mut of_year: FxHashMap<i16, (usize, usize)> = FxHashMap::default();
    for date in rows().map(|game| game.date) {
        let Some(year) = date.year() else { continue };
        let (with_month, games) = of_year.entry(year).or_default();
        *with_month += usize::from(date.known_parts() >= 2);
        *games += 1;
    }
    let tells = |date: &PartialDate| {
        let Some(year) = date.year() else { return false };
        let (with_month, games) = of_year.get(&year).copied().unwrap_or_default();
        date.known_parts() >= 2 || 2 * with_month < games.max(1)
    };
    let dates = || rows().map(|game| game.date).filter(tells);
    let event_dates = rows().map(|game| game.event_date).filter(tells);
    let start = dates()
        .chain(event_dates)
        .min_by_key(|date| (date.earliest(), Reverse(date.known_parts())))
        .unwrap_or_default();
    let end = dates().max_by_key(|date| (date.latest(), date.known_parts())).unwrap_or(start);
    (start, end)
}

/// Whether a group has games enough for an event: a match of two, or a tournament of three or more.
fn is_large_enough(group: &Group, thresholds: EventThresholds) -> bool {
    let games = group.members.len();
    let Some(first) = group.members.first() else { return false };
    let pair = [first.white, first.black];
    let of_two = |member: &Member| pair.contains(&member.white) && pair.contains(&member.black);
    match group.members.iter().all(of_two) {
        true => games >= thresholds.match_games,
        false => games >= thresholds.event_games,
    }
}

/// How many rounds (games of a match) the tags speak of: an EventRounds tag, or the score of a match in the
/// Event tag (`+10-5=5`); 0 where they speak of none.
fn rounds_reported(table: &GameTable, group: &Group) -> u16 {
    let mut counts: FxHashMap<u8, usize> = FxHashMap::default();
    for member in &group.members {
        let rounds = table.games()[member.row].event_rounds;
        if rounds > 0 {
            *counts.entry(rounds).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(rounds, count)| (*count, *rounds));
    let by_tag =
        most.filter(|(_, count)| 2 * count > group.members.len()).map(|(rounds, _)| rounds.into());
    by_tag.or_else(|| games_of_score(&group.base)).unwrap_or(0)
}

/// How many of the players are programs.
fn programs(table: &GameTable, field: &[PlayerId], games: &[EventGame]) -> usize {
    let mut rateable = Rateable::default();
    let mut is_program = vec![false; field.len()];
    let mut is_seen = vec![false; field.len()];
    for game in games {
        let row = &table.games()[game.row];
        for (player, is_white) in [(game.white, true), (game.black, false)] {
            // One look at the name is enough, but for what the tags say.
            let looked = std::mem::replace(&mut is_seen[player], true);
            if !looked || row.says_of_program(is_white) {
                is_program[player] |= rateable.is_program(table, row, is_white);
            }
        }
    }
    is_program.into_iter().filter(|is_program| *is_program).count()
}

/// Whether something tells in which order each player played: hardly anybody has two games of one round, or day.
fn tell_an_order<K: Ord>(members: &[Member], key: impl Fn(&Member) -> K) -> bool {
    let mut seen: Vec<(PlayerId, K)> = members
        .iter()
        .flat_map(|member| [(member.white, key(member)), (member.black, key(member))])
        .collect();
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    10 * seen.len() >= 9 * all
}

/// The games in playing order, with their places in it where these are known.
///
/// By round, then date, then order of appearance, where every game of the segment has its round; by
/// date where every game has its day; else as they appear. Play-offs follow.
fn in_order(
    table: &GameTable,
    group: &Group,
    index: &FxHashMap<PlayerId, usize>,
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
        let round_of = |member: &Member| game(member).round;
        let day_of = |member: &Member| game(member).date.day_exact();
        // One number for all rounds, or one day for all games, tells no order.
        let rounds = members.iter().all(|member| round_of(member).is_known())
            && tell_an_order(&members, |member| (member.stage, round_of(member), day_of(member)));
        let days = members.iter().all(|member| day_of(member).is_some())
            && tell_an_order(&members, |member| (member.stage, day_of(member)));
        let first_round = members.first().map(round_of);
        let are_other_rounds = members.iter().any(|member| Some(round_of(member)) != first_round);
        let key = |member: &Member| {
            // Every stage of a cycle begins with a first round.
            let stage = (member.stage, is_cycle && member.segment == SegmentKind::PlayOff);
            let (round, day) = (round_of(member), day_of(member));
            if rounds { (stage, Some(round), day) } else { (stage, None, day) }
        };
        if !rounds && !days {
            let all_days = members.iter().all(|member| day_of(member).is_some());
            let day = |member: &Member| day_of(member).filter(|_| all_days);
            members.sort_by_key(|member| (member.stage, day(member), member.row));
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
                && are_other_rounds
                && (round_of(&member).is_known() || day_of(&member).is_some());
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
            EventGame {
                row: member.row,
                white,
                black,
                segment: member.segment,
                stage: member.stage,
                played: !game(&member).flags.contains(GameFlags::UNPLAYED),
                analysed: true,
                sequence,
            }
        })
        .collect()
}
