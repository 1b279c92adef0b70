//! A group of games becomes an event.

use std::cmp::Reverse;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::context::Material;
use super::event::{Event, EventGame, is_no_name, lead_of_first};
use super::event_format::{Circumstances, MatchLength, recognise};
use super::group::{Group, Member};
use super::known_results::Sought;
use super::naming;
use super::pairing_table::Pairing;
use super::tag::{SegmentKind, TeamWords, games_of_score, names_countries, team_words};
use super::thresholds::EventThresholds;
use crate::games::{
    GameFlags, GameTable, PartialDate, Rateable, Round, Tempo, TempoReason, may_name_a_program,
};
use crate::gazetteer::Places;
use crate::players::{Player, PlayerId};
use crate::tournament::Kind;

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
        let ratings = [row.white_elo, row.black_elo];
        Pairing { white: game.white, black: game.black, round, white_score, ratings }
    };
    let main: Vec<Pairing> = games
        .iter()
        .filter(|game| !has_main || game.segment == SegmentKind::Main)
        .map(pairing)
        .collect();
    let year = group.first_year(table);
    let persons: Vec<&Player> = field.iter().map(|player| players.get(*player)).collect();
    let points = points_of(field.len(), &main);
    let known_as = |kind: Kind| {
        let years = group.years(table).filter(|_| tempo == Tempo::Classical)?;
        let (players, points, place) = (&persons[..], &points[..], group.city.as_str());
        words.results.find(&Sought {
            players,
            points,
            years,
            days: days_of(table, group),
            place,
            kind,
            games: main.len(),
            places,
        })
    };
    let mut known = if field.len() == 2 { known_as(Kind::Match) } else { None };
    let about = Circumstances {
        year,
        rounds: rounds_reported(table, group),
        is_cycle: group.members.iter().any(|member| member.stage > 0),
        length: known.as_ref().and_then(|known| {
            let forfeited = known.result.forfeits as u16;
            Some(MatchLength { games: known.result.games? as u16, forfeited })
        }),
    };
    let mut recognised = recognise(field.len(), &main, about);
    if field.len() > 2 {
        known = known_as(recognised.kind);
        // Who left stands beside the table here, and is counted there.
        if let Some(known) = known.as_ref().filter(|_| main.len() == games.len()) {
            recognised.follow(&known.result);
        }
    }
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
    let is_match = recognised.kind == Kind::Match && field.len() == 2;
    let called: Vec<String> = field
        .iter()
        .filter(|_| is_match)
        .flat_map(|player| {
            let player = players.get(*player);
            player.spellings.iter().take(8).chain([&player.name]).cloned()
        })
        .collect();
    let shown = |place: usize| players.get(field[place]).surname_among_namesakes();
    let surname = |place: usize| players.get(field[place]).surname();
    if is_no_name(&group.base) && (place.is_empty() || start.year().is_none()) {
        recognised.notes.push("nothing tells which event this was".to_owned());
    }
    let (winner, loser) = if lead_of_first(table, &games) < 0.0 { (1, 0) } else { (0, 1) };
    let about = naming::Named {
        base: &group.base,
        place,
        tagged_place,
        id_place,
        years: start.year().zip(end.year()),
        month: start.month_name(),
        kind: recognised.kind,
        tempo,
        field: field.len(),
        players: is_match.then(|| [surname(winner), surname(loser)]),
        called: &called,
        shown_players: is_match.then(|| [shown(winner), shown(loser)]),
    };
    let name = naming::name(about, words);
    let event = Event {
        id: String::new(),
        name: String::new(),
        tag: group.base.clone(),
        site: place.to_owned(),
        tagged_site: group.city.clone(),
        start,
        end,
        kind: recognised.kind,
        tempo: Tempo::default(),
        tempo_reason: TempoReason::default(),
        found: None,
        programs: programs(table, &field, &games),
        reasons: [group.reasons.clone(), recognised.notes.clone()].concat(),
        recognised,
        players: field,
        games,
        known,
        part_of: None,
        ranked_elsewhere: false,
    };
    Some((name, event))
}

/// The first and the last day on which a group may have been played, by the dates whose months are
/// known.
fn days_of(table: &GameTable, group: &Group) -> Option<(Date, Date)> {
    let dates = group.members.iter().map(|member| table.games()[member.row].date);
    let known: Vec<PartialDate> = dates.filter(|date| date.known_parts() >= 2).collect();
    let first = known.iter().filter_map(|date| date.earliest()).min()?;
    Some((first, known.iter().filter_map(|date| date.latest()).max()?))
}

/// The points of each of so many players.
fn points_of(players: usize, pairings: &[Pairing]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for pairing in pairings {
        let Some(white) = pairing.white_score else { continue };
        points[pairing.white] += white;
        points[pairing.black] += 1.0 - white;
    }
    points
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
pub(super) fn is_large_enough(group: &Group, thresholds: EventThresholds) -> bool {
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

/// How many of the players are programs. Beside one whose name is proof, a name that may be a
/// program's is one.
fn programs(table: &GameTable, field: &[PlayerId], games: &[EventGame]) -> usize {
    let mut rateable = Rateable::default();
    let mut is_program = vec![false; field.len()];
    let mut may_be = vec![false; field.len()];
    let mut is_seen = vec![false; field.len()];
    for game in games {
        let row = &table.games()[game.row];
        let sides = [(game.white, row.white, true), (game.black, row.black, false)];
        for (player, name, is_white) in sides {
            // One look at the name is enough, but for what the tags say.
            let looked = std::mem::replace(&mut is_seen[player], true);
            if !looked || row.is_tagged_program(is_white) {
                is_program[player] |= rateable.is_program(table, row, is_white);
                may_be[player] |= may_name_a_program(table.text(name));
            }
        }
    }
    let certain = is_program.iter().filter(|is_program| **is_program).count();
    let possible = is_program.iter().zip(&may_be).filter(|(is, may)| **is || **may).count();
    if certain > 0 { possible } else { 0 }
}

/// Whether something tells in which order each player played: hardly anybody has two games of one round, or day.
fn tell_an_order<K: Ord>(games: &[Dated], key: impl Fn(&Dated) -> K) -> bool {
    let mut seen: Vec<(PlayerId, K)> = games
        .iter()
        .flat_map(|game| [(game.member.white, key(game)), (game.member.black, key(game))])
        .collect();
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    10 * seen.len() >= 9 * all
}

/// A game with what may tell its place in the order.
#[derive(Clone, Copy)]
struct Dated {
    member: Member,
    round: Round,
    /// Its date, where the day is known.
    day: Option<PartialDate>,
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
    let mut ordered: Vec<(Member, Option<u32>)> = Vec::new();
    let mut place = 0;
    // The play-off of a stage is played before the next stage.
    let is_cycle = group.members.iter().any(|member| member.stage > 0);
    for last in [false, true] {
        let is_last = |member: &&Member| !is_cycle && member.segment == SegmentKind::PlayOff;
        let members = group.members.iter().filter(|member| is_last(member) == last);
        let mut games: Vec<Dated> = members
            .map(|&member| {
                let game = &table.games()[member.row];
                let day = Some(game.date).filter(|date| date.is_exact());
                Dated { member, round: game.round, day }
            })
            .collect();
        // One number for all rounds, or one day for all games, tells no order.
        let all_days = games.iter().all(|game| game.day.is_some());
        let rounds = games.iter().all(|game| game.round.is_known())
            && tell_an_order(&games, |game| (game.member.stage, game.round, game.day));
        let days = all_days && tell_an_order(&games, |game| (game.member.stage, game.day));
        let first_round = games.first().map(|game| game.round);
        let are_other_rounds = games.iter().any(|game| Some(game.round) != first_round);
        let key = |game: &Dated| {
            // Every stage of a cycle begins with a first round.
            let member = game.member;
            let stage = (member.stage, is_cycle && member.segment == SegmentKind::PlayOff);
            (stage, Some(game.round).filter(|_| rounds), game.day)
        };
        match rounds || days {
            true => games.sort_unstable_by_key(|game| (key(game), game.member.row)),
            false => games.sort_unstable_by_key(|game| {
                (game.member.stage, game.day.filter(|_| all_days), game.member.row)
            }),
        }
        let mut previous = None;
        for game in games {
            let known = rounds || days;
            let key = known.then(|| key(&game));
            if known && key != previous {
                place += 1;
            }
            let partly =
                !known && are_other_rounds && (game.round.is_known() || game.day.is_some());
            let sequence = if known {
                Some(place)
            } else if partly {
                // Some games of the segment have a round or a day: they keep their order.
                game.round.number().map(|number| place + u32::from(number))
            } else {
                None
            };
            previous = key;
            ordered.push((game.member, sequence));
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
                played: !table.games()[member.row].flags.contains(GameFlags::UNPLAYED),
                analysed: true,
                sequence,
            }
        })
        .collect()
}
