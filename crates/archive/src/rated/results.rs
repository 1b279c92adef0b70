//! Converts games to results for the rating systems.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::programs::programs;
use chess_history::players::Players;
use chess_history::ratings::official_tag;
use pgn_collections::games::{Game, GameFlags, GameTable, NameId};
use rating_systems::systems::{EventSpan, RatedGame, RatedPlayer, Results};

/// The years in which games are rated. Judged: the oldest known games are of the fifteenth century.
/// Other years are errors of the sources, and would create monthly lists over centuries.
const YEARS: std::ops::Range<i16> = 1400..2200;

/// The number of days after which an event is cut, because the results of December are unknown in
/// February. Judged: longer than nearly all tournaments. With 50, long matches would be cut, and
/// with 200, ratings before the second half of a league's season would lack the first half.
const LONGEST_DAYS: i32 = 100;

/// A game with what decides its place among the others, and what its tags say of its players.
struct OrderedGame {
    row: usize,
    round: Option<u16>,
    game: RatedGame,
    /// The ratings (points) of White and Black in the tags; 0 is none.
    tags: [u16; 2],
    /// The first and the last day that the date may mean.
    days: (Date, Date),
}

/// Results, with the game of the table that each of them is.
#[derive(Clone, Debug, Default)]
pub struct RatedGames {
    pub results: Results,
    /// The row of each game of [`Results::games`].
    pub rows: Vec<usize>,
}

/// The results of the games in these rows that persons played and whose year is known.
///
/// Games with the same tags in one year, with at most `gap_days` between them, form one event:
/// ratings before an event use none of its games.
pub fn results_of(table: &GameTable, rows: &[usize], players: &Players, gap_days: u16) -> Results {
    rated_games(table, rows, players, gap_days).results
}

/// The results of [`results_of`], with their rows.
pub fn rated_games(
    table: &GameTable,
    rows: &[usize],
    players: &Players,
    gap_days: u16,
) -> RatedGames {
    type EventTags = (NameId, NameId, Option<i16>);
    let mut by_tags: FxHashMap<EventTags, u32> = FxHashMap::default();
    let mut tags_of: Vec<EventTags> = Vec::new();
    let programs = programs(table, rows, players);
    let mut ordered: Vec<OrderedGame> = Vec::with_capacity(rows.len());
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
        let is_of_program = programs.contains(&white) || programs.contains(&black);
        if is_of_program || game.flags.contains(GameFlags::UNPLAYED) {
            continue;
        }
        let tags = (game.event, game.site, game.date.year());
        let event = *by_tags.entry(tags).or_insert_with(|| {
            tags_of.push(tags);
            tags_of.len() as u32 - 1
        });
        let (white, black) = (white.index() as u32, black.index() as u32);
        ordered.push(OrderedGame {
            row,
            round: game.round.number(),
            game: RatedGame { white, black, score, day, event },
            tags: [game.white_elo, game.black_elo].map(|elo| official_tag(elo, day)),
            days: (game.date.earliest().unwrap_or(day), game.date.latest().unwrap_or(day)),
        });
    }
    // Events are cut at gaps, then numbered by their first days.
    ordered.sort_by_key(|one| (one.game.event, one.game.day, one.round));
    let mut first_days: Vec<(Date, u32)> = Vec::new();
    let mut last: Option<(u32, Date)> = None;
    for OrderedGame { game, .. } in &mut ordered {
        let tags = game.event;
        let goes_on = last.is_some_and(|(before, day)| {
            let first = first_days.last().map_or(day, |(first, _)| *first);
            before == tags
                && (game.day - day).get_days() <= i32::from(gap_days)
                && (game.day - first).get_days() <= LONGEST_DAYS
        });
        if !goes_on {
            first_days.push((game.day, tags));
        }
        last = Some((tags, game.day));
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
    for one in &mut ordered {
        one.game.event = place[one.game.event as usize];
    }
    // Games of one round are simultaneous. Games without a round stay in the order of their file,
    // which may be the order of playing.
    ordered.sort_by_key(|OrderedGame { round, game, .. }| {
        (game.event, *round, game.day, round.map(|_| (game.white, game.black)))
    });
    let mut results = Results::default();
    results.published.tags = ordered.iter().map(|one| one.tags).collect();
    results.published.spans = spans(&ordered);
    let rows = ordered.iter().map(|one| one.row).collect();
    results.games = ordered.into_iter().map(|one| one.game).collect();
    RatedGames { results: renumber_players(results, players), rows }
}

/// The days of each event.
fn spans(ordered: &[OrderedGame]) -> Vec<EventSpan> {
    let events = ordered.chunk_by(|a, b| a.game.event == b.game.event);
    events
        .map(|games| {
            let days = games.iter().map(|one| one.days);
            let span = days.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
            let (first, last) = span.unwrap_or_default();
            EventSpan { first, last }
        })
        .collect()
}

/// Renumbers the players of the games, whose numbers are those of `players`, without gaps and in
/// the same order.
fn renumber_players(mut results: Results, players: &Players) -> Results {
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
