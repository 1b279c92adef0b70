//! Converts games to results for the rating systems.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::games::{Game, GameFlags, GameTable, NameId};
use crate::players::Players;
use crate::systems::{RatedGame, RatedPlayer, Results};

/// The years in which games are rated. Other years are errors of the sources, and would create
/// monthly lists over centuries.
const YEARS: std::ops::Range<i16> = 1400..2200;

/// The number of days after which an event is cut, because the results of December are unknown in
/// February.
const LONGEST_DAYS: i32 = 100;

/// The results of the games in these rows that were played and whose year is known. Games with the
/// same tags in one year, with at most `gap_days` between them, form one event: ratings before an
/// event use none of its games.
pub fn results_of(table: &GameTable, rows: &[usize], players: &Players, gap_days: u16) -> Results {
    type EventTags = (NameId, NameId, Option<i16>);
    let mut by_tags: FxHashMap<EventTags, u32> = FxHashMap::default();
    let mut tags_of: Vec<EventTags> = Vec::new();
    let mut ordered: Vec<(u32, Option<u16>, RatedGame)> = Vec::with_capacity(rows.len());
    for &row in rows {
        let game: &Game = &table.games()[row];
        let day = game.date.middle().filter(|day| YEARS.contains(&day.year()));
        let (Some(day), Some(score)) = (day, game.result.white_score()) else {
            continue;
        };
        let pair = players.of_name(game.white).zip(players.of_name(game.black));
        let Some((white, black)) = pair.filter(|(white, black)| white != black) else {
            continue;
        };
        if game.flags.contains(GameFlags::UNPLAYED) {
            continue;
        }
        let tags = (game.event, game.site, game.date.year());
        let event = *by_tags.entry(tags).or_insert_with(|| {
            tags_of.push(tags);
            tags_of.len() as u32 - 1
        });
        let (white, black) = (white.index() as u32, black.index() as u32);
        ordered.push((event, game.round.number(), RatedGame { white, black, score, day, event }));
    }
    // Events are cut at gaps, then numbered by their first days.
    ordered.sort_by_key(|(event, round, game)| (*event, game.day, *round));
    let mut first_days: Vec<(Date, u32)> = Vec::new();
    let mut last: Option<(u32, Date)> = None;
    for (tags, _, game) in &mut ordered {
        let goes_on = last.is_some_and(|(before, day)| {
            let first = first_days.last().map_or(day, |(first, _)| *first);
            before == *tags
                && (game.day - day).get_days() <= i32::from(gap_days)
                && (game.day - first).get_days() <= LONGEST_DAYS
        });
        if !goes_on {
            first_days.push((game.day, *tags));
        }
        last = Some((*tags, game.day));
        game.event = first_days.len() as u32 - 1;
    }
    let mut order: Vec<u32> = (0..first_days.len() as u32).collect();
    // Events of one day are ordered by their tags, because the position in a file means nothing.
    order.sort_by_key(|event| {
        let (first, tags) = first_days[*event as usize];
        let (event, site, _) = tags_of[tags as usize];
        (first, table.text(event), table.text(site))
    });
    let mut place = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        place[*old as usize] = new as u32;
    }
    for (.., game) in &mut ordered {
        game.event = place[game.event as usize];
    }
    // Games of one round are simultaneous. Games without a round stay in the order of their file,
    // which may be the order of playing.
    ordered.sort_by_key(|(_, round, game)| {
        (game.event, *round, game.day, round.map(|_| (game.white, game.black)))
    });
    let games = ordered.into_iter().map(|(.., game)| game).collect();
    with_players(Results { games, ..Results::default() }, players)
}

/// Renumbers the players of the games, whose numbers are those of `players`, without gaps and in
/// the same order.
fn with_players(mut results: Results, players: &Players) -> Results {
    let mut numbers: Vec<Option<u32>> = vec![None; players.len()];
    for game in &results.games {
        numbers[game.white as usize] = Some(0);
        numbers[game.black as usize] = Some(0);
    }
    for ((id, player), number) in players.iter().zip(&mut numbers) {
        let Some(number) = number else { continue };
        *number = results.players.len() as u32;
        results.players.push(RatedPlayer {
            name: player.name.clone(),
            fide_id: player.fide_ids.first().copied(),
            born: player.life.as_ref().and_then(|life| life.born),
            spellings: player.spellings.iter().chain(&player.also_called).cloned().collect(),
            id: Some(id.index() as u32),
            player_id: player.id.clone(),
        });
    }
    for game in &mut results.games {
        for player in [&mut game.white, &mut game.black] {
            *player = numbers[*player as usize].unwrap_or_default();
        }
    }
    results
}
