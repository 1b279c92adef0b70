//! Rates event by event: all games of an event are rated together after it ends, by the ratings
//! before them.
//!
//! Each system defines the effect of an event on a rating ([`EventRule`]). The rest is common to
//! all systems, and our own design:
//!
//! - Events that end on the same day are rated as one, because their order is unknown. If only the
//!   year of an event is known, these are all such events of the year.
//! - The scale begins with an event of the largest connected set of players.
//! - The games of unrated players wait until one of them has a rating.
//! - Lists appear every half year.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::lists::{ComputedList, ListedRating};
use super::results::{RatedGame, Results};
use super::system::{Flow, Flows, PreEventRatings, SystemRatings, differences};
use super::timeline::{EventPhase, event_phases};
use super::wording::counted;

/// Defines the effect of an event on the ratings of its players.
pub(super) trait EventRule {
    /// What the system stores about a player in addition to the rating.
    type Memory: Clone + Default;

    /// The rating (own points) around which the players of the first event are rated.
    fn anchor(&self) -> f64;

    /// The first rating (own points) of a player, from the games against rated opponents.
    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64;

    /// Rates a player of the first event of all. All players of this event start at the anchor.
    fn rate_founder(
        &self,
        state: &mut PlayerState<Self::Memory>,
        games: &[PlayerGame],
        _players: usize,
    ) {
        self.update(state, games);
    }

    /// Updates a rating by games that are rated together. [`PlayerState::games`] does not count
    /// them yet.
    fn update(&self, state: &mut PlayerState<Self::Memory>, games: &[PlayerGame]);

    /// The maximum number of a player's games that may be rated together, if there is one. Longer
    /// events are rated in parts, in chronological order, each by the ratings before it.
    fn most_games(&self, _state: &PlayerState<Self::Memory>) -> Option<u32> {
        None
    }

    /// Whether players with provisional ratings are rated before the others of an event, who meet
    /// the new ratings.
    fn provisional_first(&self) -> bool {
        false
    }

    /// Whether opponents of an exceptional performance get points back.
    fn gives_back(&self) -> bool {
        false
    }

    /// The points (own) that each opponent gets back per game, if the performance was exceptional
    /// by the ratings before the event. `games` are all games of the player in the event.
    fn feedback(&self, _state: &PlayerState<Self::Memory>, _games: &[PlayerGame]) -> Option<f64> {
        None
    }

    /// Gives a player points back because of an opponent's exceptional performance.
    fn give_back(&self, _state: &mut PlayerState<Self::Memory>, _points: f64) {}

    fn is_provisional(&self, state: &PlayerState<Self::Memory>) -> bool;

    /// The standard error (own points) of a rating, if the system has one.
    fn error(&self, _state: &PlayerState<Self::Memory>) -> Option<f64> {
        None
    }

    /// Whether a smaller rating is a better one.
    fn smaller_is_better(&self) -> bool {
        false
    }
}

/// What a system knows of a player.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlayerState<M> {
    /// Rating (own points). It has no meaning before the player is rated.
    pub rating: f64,
    /// Games that were rated.
    pub games: u32,
    /// What the system stores in addition.
    pub memory: M,
    is_rated: bool,
    last: Option<Date>,
    /// Changes since the last January list. The first rating is present if the player entered since
    /// then.
    entered: Option<f64>,
    beginning: f64,
    exchanged: f64,
}

/// A game from the view of one of its players.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayerGame {
    /// Number of the player.
    pub player: u32,
    /// Number of the opponent.
    pub opponent: u32,
    /// The opponent's rating (own points).
    pub opponent_rating: f64,
    /// The player's score: 1, 0.5 or 0.
    pub score: f64,
    pub day: Date,
}

pub(super) fn event_by_event<R: EventRule>(results: &Results, rule: &R) -> SystemRatings {
    let mut states = vec![PlayerState::<R::Memory>::default(); results.players.len()];
    let mut lists: Vec<ComputedList> = Vec::new();
    let mut flows: Vec<Flows> = Vec::new();
    let mut before = vec![None; results.games.len()];
    let is_joined = results.in_largest_set();
    let mut waiting = Waiting::new(results.players.len());
    let mut has_begun = false;
    let mut next_list: Option<Date> = None;
    let mut steps = event_phases(results).into_iter().peekable();
    while let Some((day, step)) = steps.next() {
        while let Some(list) = next_list.filter(|list| *list <= day) {
            lists.push(list_of(&states, list, rule));
            flows.extend(flows_of(&mut states, list));
            next_list = half_year_after(list);
        }
        let (number, event) = match step {
            EventPhase::Begins(place, event) => {
                let known = differences(event, &|player| {
                    let state = &states[player as usize];
                    state.is_rated.then_some(state.rating)
                })
                .collect::<Vec<_>>();
                before[place..place + event.len()].copy_from_slice(&known);
                continue;
            }
            EventPhase::Ends(number, event) => (number, event),
        };
        // The first event of all has players from the largest connected set.
        let is_first_event = !has_begun
            && event.len() >= FIRST_GAMES
            && event.first().is_some_and(|game| is_joined[game.white as usize]);
        let newly_rated = if is_first_event {
            has_begun = true;
            next_list = half_year_after(day);
            rate_first_event(event, &mut states, rule)
        } else {
            let mut of_day = event.to_vec();
            while let Some((_, EventPhase::Ends(_, other))) = steps.next_if(|(other, step)| {
                *other == day && has_begun && matches!(step, EventPhase::Ends(..))
            }) {
                of_day.extend_from_slice(other);
            }
            let (left, newly_rated) = rate_event(&of_day, &mut states, rule);
            waiting.wait(number, left);
            newly_rated
        };
        // Games that waited for the newly rated players are rated now, in the order of their
        // events.
        waiting.release(&newly_rated);
        while let Some((number, games)) = waiting.next() {
            let (left, newly_rated) = rate_event(&games, &mut states, rule);
            waiting.wait(number, left);
            waiting.release(&newly_rated);
        }
    }
    if let Some(last) = next_list {
        lists.push(list_of(&states, last, rule));
        flows.extend(flows_of(&mut states, last));
    }
    lists.retain(|list| list.ratings.len() > 1);
    let unrated = states.iter().filter(|state| !state.is_rated).count();
    let notes = waiting.note(unrated).into_iter().collect();
    SystemRatings {
        lists,
        before: PreEventRatings::Differences(before),
        notes,
        flows,
        ..SystemRatings::default()
    }
}

/// Minimum number of games of the first event. Judged: a round robin of four players. A shorter
/// match would rest the scale on two players.
const FIRST_GAMES: usize = 6;

/// Games between two unrated players, which cannot be rated yet.
struct Waiting {
    /// The games, by number of their event.
    games: BTreeMap<usize, Vec<RatedGame>>,
    /// The events that wait for each player.
    of_player: Vec<Vec<usize>>,
    /// The events that can be rated now.
    ready: BTreeSet<usize>,
}

impl Waiting {
    fn new(players: usize) -> Waiting {
        Waiting {
            games: BTreeMap::new(),
            of_player: vec![Vec::new(); players],
            ready: BTreeSet::new(),
        }
    }

    fn wait(&mut self, event: usize, games: Vec<RatedGame>) {
        if games.is_empty() {
            return;
        }
        for game in &games {
            for player in [game.white, game.black] {
                let events = &mut self.of_player[player as usize];
                if events.last() != Some(&event) {
                    events.push(event);
                }
            }
        }
        self.games.insert(event, games);
    }

    fn release(&mut self, players: &[u32]) {
        for player in players {
            self.ready.extend(std::mem::take(&mut self.of_player[*player as usize]));
        }
    }

    /// A sentence for the terminal about this many unrated players, if there are any.
    fn note(&self, unrated: usize) -> Option<String> {
        let games: usize = self.games.values().map(Vec::len).sum();
        (unrated > 0).then(|| {
            let stays = if games == 1 { "stays" } else { "stay" };
            let (players, games) = (counted(unrated, "player"), counted(games, "game"));
            format!("{players} never met a rated opponent; {games} {stays} unrated")
        })
    }

    fn next(&mut self) -> Option<(usize, Vec<RatedGame>)> {
        while let Some(event) = self.ready.pop_first() {
            if let Some(games) = self.games.remove(&event) {
                return Some((event, games));
            }
        }
        None
    }
}

/// The first day of the next January or July after a day.
pub(super) fn half_year_after(day: Date) -> Option<Date> {
    let (year, month) = if day.month() < 7 { (day.year(), 7) } else { (day.year() + 1, 1) };
    Date::new(year, month, 1).ok()
}

/// Every game twice, from White's and from Black's view, by player and in the order of the games.
/// `rating` returns the opponents' ratings.
pub(super) fn player_games(event: &[RatedGame], rating: &dyn Fn(u32) -> f64) -> Vec<PlayerGame> {
    let mut played = Vec::with_capacity(2 * event.len());
    for game in event {
        let day = game.day;
        for (player, opponent, score) in game.sides() {
            played.push(PlayerGame {
                player,
                opponent,
                opponent_rating: rating(opponent),
                score,
                day,
            });
        }
    }
    played.sort_by_key(|game| game.player);
    played
}

/// Rates the players of the first event by their scores around the anchor. Returns these players.
fn rate_first_event<R: EventRule>(
    event: &[RatedGame],
    states: &mut [PlayerState<R::Memory>],
    rule: &R,
) -> Vec<u32> {
    let anchor = rule.anchor();
    let last = event.iter().map(|game| game.day).max();
    let played = player_games(event, &|_| anchor);
    let players = played.chunk_by(|a, b| a.player == b.player).count();
    let mut newly_rated = Vec::with_capacity(players);
    for games in played.chunk_by(|a, b| a.player == b.player) {
        let state = &mut states[games[0].player as usize];
        state.rating = anchor;
        rule.rate_founder(state, games, players);
        state.games += games.len() as u32;
        state.is_rated = true;
        state.entered = Some(state.rating);
        state.last = last;
        newly_rated.push(games[0].player);
    }
    newly_rated
}

/// Rates unrated players who met rated ones, then those who met the newly rated players, and so on.
/// Returns the newly rated players.
fn rate_newcomers<R: EventRule>(
    event: &[RatedGame],
    states: &mut [PlayerState<R::Memory>],
    rule: &R,
) -> Vec<u32> {
    let mut games_of: FxHashMap<u32, Vec<(u32, f64)>> = FxHashMap::default();
    for game in event {
        for (player, opponent, score) in game.sides() {
            if !states[player as usize].is_rated {
                games_of.entry(player).or_default().push((opponent, score));
            }
        }
    }
    let mut next: BTreeSet<u32> = BTreeSet::new();
    for (player, games) in &games_of {
        if games.iter().any(|(opponent, _)| states[*opponent as usize].is_rated) {
            next.insert(*player);
        }
    }
    let mut newly_rated: Vec<u32> = Vec::new();
    while !next.is_empty() {
        let mut rated: Vec<(u32, f64)> = Vec::with_capacity(next.len());
        for player in &next {
            let (mut sum, mut points, mut games) = (0.0, 0.0, 0.0);
            for (opponent, score) in &games_of[player] {
                let opponent = &states[*opponent as usize];
                if opponent.is_rated {
                    sum += opponent.rating;
                    points += score;
                    games += 1.0;
                }
            }
            rated.push((*player, rule.newcomer(sum / games, points, games)));
        }
        for (player, rating) in &rated {
            let state = &mut states[*player as usize];
            (state.rating, state.entered, state.is_rated) = (*rating, Some(*rating), true);
            newly_rated.push(*player);
        }
        let met = rated.iter().flat_map(|(player, _)| &games_of[player]);
        next = met
            .map(|(opponent, _)| *opponent)
            .filter(|one| !states[*one as usize].is_rated)
            .collect();
    }
    newly_rated
}

/// Rates the games of an event, or of several that ended on one day. Returns the games between two
/// unrated players, and the newly rated players.
fn rate_event<R: EventRule>(
    event: &[RatedGame],
    states: &mut [PlayerState<R::Memory>],
    rule: &R,
) -> (Vec<RatedGame>, Vec<u32>) {
    let newly_rated = rate_newcomers(event, states, rule);
    let (mut rated, left): (Vec<RatedGame>, Vec<RatedGame>) =
        event.iter().partition(|game| states[game.white as usize].is_rated);
    let given_back: Vec<(u32, f64)> = rated
        .chunk_by(|a, b| a.event == b.event)
        .flat_map(|event| points_given_back(event, states, rule))
        .collect();
    // Parts follow the days of the games: a postponed game belongs to the day on which it was
    // played.
    rated.sort_by_key(|game| game.day);
    for part in parts(&rated, states, rule) {
        rate_together(part, states, rule);
    }
    for (player, share) in given_back {
        let state = &mut states[player as usize];
        let was = state.rating;
        rule.give_back(state, share);
        state.exchanged += state.rating - was;
    }
    (left, newly_rated)
}

/// The points that players get back because of others' exceptional performances. A performance
/// covers the whole event, even if the event is rated in parts.
fn points_given_back<R: EventRule>(
    event: &[RatedGame],
    states: &[PlayerState<R::Memory>],
    rule: &R,
) -> Vec<(u32, f64)> {
    if !rule.gives_back() {
        return Vec::new();
    }
    let played = player_games(event, &|player| states[player as usize].rating);
    let mut given_back = Vec::new();
    for of_player in played.chunk_by(|a, b| a.player == b.player) {
        if let Some(share) = rule.feedback(&states[of_player[0].player as usize], of_player) {
            given_back.extend(of_player.iter().map(|game| (game.opponent, share)));
        }
    }
    given_back
}

/// Splits an event into parts in which no player exceeds the maximum number of games.
fn parts<'a, R: EventRule>(
    event: &'a [RatedGame],
    states: &[PlayerState<R::Memory>],
    rule: &R,
) -> Vec<&'a [RatedGame]> {
    let mut parts = Vec::new();
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    let mut from = 0;
    for (place, game) in event.iter().enumerate() {
        let is_full = [game.white, game.black].into_iter().any(|player| {
            let count = counts.get(&player).copied().unwrap_or(0);
            let most = rule.most_games(&states[player as usize]);
            most.is_some_and(|most| count >= most.max(1))
        });
        if is_full {
            parts.push(&event[from..place]);
            from = place;
            counts.clear();
        }
        *counts.entry(game.white).or_default() += 1;
        *counts.entry(game.black).or_default() += 1;
    }
    parts.push(&event[from..]);
    parts
}

/// Rates games of rated players by the ratings before all of these games. If provisional players
/// are first, those without earlier games are rated before those with some, and established players
/// last, each by the new ratings of those before.
fn rate_together<R: EventRule>(
    games: &[RatedGame],
    states: &mut [PlayerState<R::Memory>],
    rule: &R,
) {
    if !rule.provisional_first() {
        rate_players(games, states, rule, |_| true);
        return;
    }
    let mut turns: BTreeMap<u32, u8> = BTreeMap::new();
    for player in games.iter().flat_map(|game| [game.white, game.black]) {
        let state = &states[player as usize];
        let turn = if !rule.is_provisional(state) {
            2
        } else if state.games > 0 {
            1
        } else {
            0
        };
        turns.insert(player, turn);
    }
    for turn in 0..3 {
        rate_players(games, states, rule, |player| turns[&player] == turn);
    }
}

/// Rates these players by the ratings of their opponents before all of these games.
fn rate_players<R: EventRule>(
    games: &[RatedGame],
    states: &mut [PlayerState<R::Memory>],
    rule: &R,
    is_rated_now: impl Fn(u32) -> bool,
) {
    let played = player_games(games, &|player| states[player as usize].rating);
    let day = games.iter().map(|game| game.day).max();
    for of_player in played.chunk_by(|a, b| a.player == b.player) {
        if !is_rated_now(of_player[0].player) {
            continue;
        }
        let state = &mut states[of_player[0].player as usize];
        let (was, is_beginning) = (state.rating, rule.is_provisional(state));
        rule.update(state, of_player);
        let change = state.rating - was;
        if is_beginning {
            state.beginning += change;
        } else {
            state.exchanged += change;
        }
        state.games += of_player.len() as u32;
        state.last = day.max(state.last);
    }
}

/// Years without a game after which a player is left off the lists. Judged: the rating of a player
/// who stopped says less each year; with one year, lists would lose players who play rarely.
const LISTED_YEARS: i16 = 2;

fn list_of<R: EventRule>(states: &[PlayerState<R::Memory>], day: Date, rule: &R) -> ComputedList {
    let from = Date::new(day.year() - LISTED_YEARS, day.month(), 1).unwrap_or(day);
    let ratings = states
        .iter()
        .enumerate()
        .filter(|(_, state)| state.is_rated && state.last.is_some_and(|last| last >= from))
        .map(|(player, state)| ListedRating {
            player: player as u32,
            rating: state.rating,
            games: f64::from(state.games),
            deviation: rule.error(state),
            is_provisional: rule.is_provisional(state),
        });
    if rule.smaller_is_better() {
        ComputedList::of_smallest(day, ratings.collect())
    } else {
        ComputedList::new(day, ratings.collect())
    }
}

/// The changes since the last January list, which are reset to zero. `None` for a list of July.
fn flows_of<M>(states: &mut [PlayerState<M>], day: Date) -> Option<Flows> {
    if day.month() != 1 {
        return None;
    }
    let mut flows = Vec::new();
    for (player, state) in (0..).zip(states) {
        if state.entered.is_none() && state.beginning == 0.0 && state.exchanged == 0.0 {
            continue;
        }
        flows.push(Flow {
            player,
            entered: state.entered.take(),
            beginning: std::mem::take(&mut state.beginning),
            exchanged: std::mem::take(&mut state.exchanged),
        });
    }
    Some(Flows { day, flows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    /// A rule that rates at most two games of a player together.
    struct TwoTogether {
        /// The new rating, from the old one and games.
        update: fn(f64, &[PlayerGame]) -> f64,
        /// Whether three wins in an event return one point per game to each opponent.
        gives_back: bool,
    }

    const ONE_POINT_PER_WIN: TwoTogether = TwoTogether {
        update: |rating, games| rating + games.iter().map(|game| game.score).sum::<f64>(),
        gives_back: false,
    };

    impl EventRule for TwoTogether {
        type Memory = ();

        fn anchor(&self) -> f64 {
            100.0
        }

        fn newcomer(&self, mean_opponent: f64, _points: f64, _games: f64) -> f64 {
            mean_opponent
        }

        fn update(&self, state: &mut PlayerState<()>, games: &[PlayerGame]) {
            state.rating = (self.update)(state.rating, games);
        }

        fn most_games(&self, _state: &PlayerState<()>) -> Option<u32> {
            Some(2)
        }

        fn gives_back(&self) -> bool {
            self.gives_back
        }

        fn feedback(&self, _state: &PlayerState<()>, games: &[PlayerGame]) -> Option<f64> {
            (games.iter().map(|game| game.score).sum::<f64>() >= 3.0).then_some(1.0)
        }

        fn give_back(&self, state: &mut PlayerState<()>, points: f64) {
            state.rating += points;
        }

        fn is_provisional(&self, _state: &PlayerState<()>) -> bool {
            false
        }
    }

    /// A win of White.
    fn win(white: u32, black: u32, day: Date, event: u32) -> RatedGame {
        RatedGame::new(white, black, 1.0, day, event)
    }

    #[test]
    fn an_event_is_split_before_a_player_exceeds_the_maximum() {
        let event = [(0, 1), (2, 3), (1, 0), (0, 2), (0, 1), (3, 2)]
            .map(|(white, black)| win(white, black, date(1900, 1, 1), 0));
        let lengths: Vec<usize> =
            parts(&event, &vec![PlayerState::default(); 4], &ONE_POINT_PER_WIN)
                .iter()
                .map(|part| part.len())
                .collect();
        assert_eq!(lengths, [3, 3]);
        assert_eq!(parts(&[], &vec![PlayerState::default(); 4], &ONE_POINT_PER_WIN), [&[][..]]);
    }

    #[test]
    fn feedback_covers_all_parts_of_an_event() {
        let mut states = vec![PlayerState::<()>::default(); 2];
        for state in &mut states {
            (state.rating, state.is_rated) = (100.0, true);
        }
        let rule = TwoTogether { gives_back: true, ..ONE_POINT_PER_WIN };
        rate_event(&[win(0, 1, date(1900, 1, 1), 0); 4], &mut states, &rule);
        let ratings: Vec<f64> = states.iter().map(|state| state.rating).collect();
        assert_eq!(ratings, [104.0, 104.0], "in two parts of two games");
    }

    #[test]
    fn parts_follow_the_days_of_games() {
        let mut states = vec![PlayerState::<()>::default(); 3];
        states.iter_mut().for_each(|state| state.is_rated = true);
        // The game of round 1 was postponed, and played last of all.
        let event =
            [(1, 9), (2, 2), (1, 3)].map(|(black, day)| win(0, black, date(1900, 1, day), 0));
        // Only the last part of the event determines the rating.
        let update =
            |_, games: &[PlayerGame]| games.iter().map(|game| f64::from(game.day.day())).sum();
        rate_event(&event, &mut states, &TwoTogether { update, ..ONE_POINT_PER_WIN });
        assert_eq!(states[0].rating, 9.0);
    }

    /// The sum of the ratings on the list of 1 January.
    fn points_on(ratings: &SystemRatings, year: i16) -> f64 {
        let list = ratings.lists.iter().find(|list| list.day == date(year, 1, 1)).unwrap();
        list.ratings.iter().map(|line| line.rating).sum()
    }

    #[test]
    fn flows_explain_the_change_between_two_lists() {
        use crate::systems::RatedPlayer;
        let mut results =
            Results { players: vec![RatedPlayer::default(); 4], ..Results::default() };
        let first = date(1900, 3, 1);
        results.games.extend((0..6).map(|place| win(place % 2, 1 - place % 2, first, 0)));
        let second = date(1901, 3, 1);
        results.games.extend([win(0, 2, second, 1), win(3, 1, second, 1)]);
        results.games.push(win(0, 1, date(1902, 3, 1), 2));
        let ratings = event_by_event(&results, &ONE_POINT_PER_WIN);
        let flows =
            &ratings.flows.iter().find(|flows| flows.day == date(1902, 1, 1)).unwrap().flows;
        let flowed: f64 = flows
            .iter()
            .map(|flow| flow.entered.unwrap_or(0.0) + flow.beginning + flow.exchanged)
            .sum();
        let change = points_on(&ratings, 1902) - points_on(&ratings, 1901);
        assert!((change - flowed).abs() < 1e-9, "{ratings:?}");
    }
}
