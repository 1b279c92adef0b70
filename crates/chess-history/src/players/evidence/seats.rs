//! Weighs what the games of two names in events say: a seat at a board is one player's.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::copies::Copies;
use super::field::{EventSeats, RowsCompared, compare_in_event, compare_some_in_event};
use super::partners::Partners;
use super::seat::{MOST_NAMES, OpponentClass, Seat};
use crate::games::GameFlags;
use crate::players::block::Candidates;
use crate::players::cluster::{LinkInput, OpponentClasses};

/// What the games of two spellings say.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::players) struct SharedSeats {
    /// Whether they played each other.
    pub met: bool,
    /// The rounds of an event in which they have different opponents.
    pub conflicts: u32,
    /// The days on which they played in different events.
    pub two_places: u32,
    /// The games that both have.
    pub same_games: u32,
    /// Minus log2 of the chance that another player has just rounds, or opponents, that one lacks;
    /// below zero if both met one opponent in two rounds.
    pub complement: f64,
    /// The number of events in which one has a game or two, and may be an error for the other.
    pub few_games: u32,
}

impl SharedSeats {
    pub fn add(&mut self, other: &SharedSeats) {
        self.met |= other.met;
        self.conflicts += other.conflicts;
        self.two_places += other.two_places;
        self.same_games += other.same_games;
        self.complement += other.complement;
        self.few_games += other.few_games;
    }
}

/// The pairs of spellings under which one game is recorded, once for each game.
pub(in crate::players) struct CopiedGames {
    by_round: Vec<(u32, u32)>,
    by_day: Vec<(u32, u32)>,
}

impl CopiedGames {
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.by_round.iter().chain(&self.by_day).copied()
    }
}

/// The games of all spellings, each from both sides, by event.
pub(in crate::players) struct Seats(Vec<Seat>);

impl Seats {
    pub fn new(input: &LinkInput, classes: &OpponentClasses) -> Seats {
        let LinkInput { table, name_index, numbers, .. } = input;
        let mut seats = Vec::with_capacity(2 * table.len());
        for (row, game) in table.games().iter().enumerate() {
            let sides = name_index.get(game.white).zip(name_index.get(game.black));
            let Some((white, black)) = sides else { continue };
            let is_online = game.flags.contains(GameFlags::ONLINE);
            let day = game.date.day_exact().filter(|_| !is_online);
            let day =
                day.map_or(0, |day| i32::from(day.year()) * 372 + i32::from(day.day_of_year()));
            for (spelling, opponent, is_black) in [(white, black, false), (black, white, true)] {
                seats.push(Seat {
                    event: numbers.of_row(row),
                    spelling: spelling as u32,
                    round: game.round.number().unwrap_or(0),
                    day,
                    opponent: classes.surnames[opponent],
                    opponent_with_initial: classes.with_initials[opponent],
                    is_black,
                    result: game.result as u8,
                    opponent_spelling: opponent as u32,
                });
            }
        }
        seats.par_sort_unstable();
        forget_constant_tags(&mut seats);
        Seats(seats)
    }

    /// Knows the opponents by other classes.
    pub fn reclassify(&mut self, classes: &OpponentClasses) {
        let players =
            self.0.par_chunk_by_mut(|a, b| (a.event, a.spelling) == (b.event, b.spelling));
        players.for_each(|games| {
            for seat in games.iter_mut() {
                seat.opponent = classes.surnames[seat.opponent_spelling as usize];
                seat.opponent_with_initial = classes.with_initials[seat.opponent_spelling as usize];
            }
            games.sort_unstable();
        });
    }

    /// Returns the pairs of spellings under which one game is recorded, once for each game: all
    /// games of an opponent in a round of an event, or on a day, have one colour and one result.
    pub fn copied_games(&self) -> CopiedGames {
        let by_round = self
            .0
            .par_chunk_by(|a, b| a.event == b.event)
            .flat_map_iter(|event| {
                let with_round = event.iter().filter(|seat| seat.round > 0);
                let mut boards: Vec<Board> = with_round
                    .map(|seat| Board::new(u32::from(seat.round), seat.opponent, seat))
                    .collect();
                boards.sort_unstable();
                pairs_on_boards(&boards)
            })
            .collect();
        let with_day = self.0.par_iter().filter(|seat| seat.day > 0);
        let mut boards: Vec<Board> = with_day
            .map(|seat| Board::new(seat.day as u32, seat.opponent_with_initial, seat))
            .collect();
        boards.par_sort_unstable();
        CopiedGames { by_round, by_day: pairs_on_boards(&boards) }
    }

    /// Collects what the games of some spellings say in each of their events, in any order.
    pub fn compare_some(
        &self,
        input: &LinkInput,
        classes: &OpponentClasses,
        partners: &Partners,
        wanted: &FxHashSet<u32>,
    ) -> Vec<EventSeats> {
        let mut found: Vec<EventSeats> = self
            .0
            .par_chunk_by(|a, b| a.event == b.event)
            .filter(|event| event.iter().any(|seat| wanted.contains(&seat.spelling)))
            .flat_map_iter(|event| compare_some_in_event(event, classes, partners, wanted))
            .collect();
        found.extend(Copies::new(&self.0, input, classes).compare_some(partners, wanted));
        found
    }

    /// Collects what the games of the candidates say, in the order of the pairs.
    pub fn compare(
        &self,
        input: &LinkInput,
        classes: &OpponentClasses,
        copied_games: &CopiedGames,
        candidates: &Candidates,
    ) -> Vec<SharedSeats> {
        let Candidates { pairs, partners, forms, .. } = candidates;
        let mut found = vec![SharedSeats::default(); pairs.len()];
        for game in input.table.games() {
            let [white, black] = [game.white, game.black].map(|name| input.name_index.get(name));
            if let (Some(white), Some(black)) = (white, black)
                && let Some(pair) = partners.find(white as u32, black as u32)
            {
                found[pair].met = true;
            }
        }
        let in_events: Vec<(usize, RowsCompared)> = self
            .0
            .par_chunk_by(|a, b| a.event == b.event)
            .flat_map_iter(|event| compare_in_event(event, classes, partners))
            .collect();
        for (pair, rows) in in_events {
            found[pair].conflicts += rows.conflicts;
            found[pair].complement += rows.complement;
            found[pair].few_games += rows.few_games;
            found[pair].same_games += rows.equal_games.max(0) as u32;
        }
        for (pair, games) in Copies::new(&self.0, input, classes).same_games(partners) {
            found[pair].same_games += games;
        }
        for one_way in [&copied_games.by_round, &copied_games.by_day] {
            let pairs = one_way.iter().filter_map(|&(a, b)| partners.find(a, b));
            let mut pairs: Vec<usize> = pairs.collect();
            pairs.sort_unstable();
            for games in pairs.chunk_by(|a, b| a == b) {
                let same_games = &mut found[games[0]].same_games;
                *same_games = (*same_games).max(games.len() as u32);
            }
        }
        let places = Places::new(&self.0, forms.len());
        let two_places: Vec<u32> = pairs.par_iter().map(|&(a, b)| places.conflicts(a, b)).collect();
        for (shared, days) in found.iter_mut().zip(two_places) {
            shared.two_places = days;
        }
        found
    }
}

/// The mean number of games of a player from which one round or one day of all games says nothing.
const SEVERAL_GAMES: f64 = 1.5;

/// Removes rounds and days that are the same in all games of an event, although players have
/// several.
fn forget_constant_tags(seats: &mut [Seat]) {
    for event in seats.chunk_by_mut(|a, b| a.event == b.event) {
        let players = event.chunk_by(|a, b| a.spelling == b.spelling).count();
        if (event.len() as f64) < SEVERAL_GAMES * players as f64 {
            continue;
        }
        let first = event[0];
        let has_one_round = event.iter().all(|seat| seat.round == first.round);
        let has_one_day = event.iter().all(|seat| seat.day == first.day);
        for seat in event.iter_mut() {
            if has_one_round {
                seat.round = 0;
            }
            if has_one_day {
                seat.day = 0;
            }
        }
    }
}

/// A game of an opponent at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Board {
    /// The round or the day.
    time: u32,
    opponent: OpponentClass,
    spelling: u32,
    is_black: bool,
    result: u8,
}

impl Board {
    fn new(time: u32, opponent: OpponentClass, seat: &Seat) -> Board {
        let Seat { spelling, is_black, result, .. } = *seat;
        Board { time, opponent, spelling, is_black, result }
    }
}

/// Returns the pairs of spellings that have one game, once for each game. The boards are in order.
fn pairs_on_boards(boards: &[Board]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for games in boards.chunk_by(|a, b| (a.time, a.opponent) == (b.time, b.opponent)) {
        let first = games[0];
        if games.len() == 1
            || games.len() > MOST_NAMES
            || games
                .iter()
                .any(|game| (game.is_black, game.result) != (first.is_black, first.result))
        {
            continue;
        }
        for (place, one) in games.iter().enumerate() {
            for other in &games[place + 1..] {
                if one.spelling != other.spelling {
                    found
                        .push((one.spelling.min(other.spelling), one.spelling.max(other.spelling)));
                }
            }
        }
    }
    found
}

/// The days of the games of each spelling.
struct Places {
    starts: Vec<u32>,
    /// The day, the event and the opponent of each game.
    days: Vec<(i32, u32, OpponentClass)>,
}

impl Places {
    fn new(seats: &[Seat], spellings: usize) -> Places {
        let with_day = || seats.iter().filter(|seat| seat.day > 0);
        let mut starts = vec![0; spellings + 1];
        for seat in with_day() {
            starts[seat.spelling as usize + 1] += 1;
        }
        for place in 0..spellings {
            starts[place + 1] += starts[place];
        }
        let mut next: Vec<u32> = starts.clone();
        let mut days = vec![(0, 0, 0); starts[spellings] as usize];
        for seat in with_day() {
            let place = &mut next[seat.spelling as usize];
            days[*place as usize] = (seat.day, seat.event, seat.opponent);
            *place += 1;
        }
        let mut rest = &mut days[..];
        let mut of_spellings = Vec::with_capacity(spellings);
        for range in starts.windows(2) {
            let (own, others) = rest.split_at_mut((range[1] - range[0]) as usize);
            of_spellings.push(own);
            rest = others;
        }
        of_spellings.into_par_iter().for_each(|days| days.sort_unstable());
        Places { starts, days }
    }

    fn of(&self, spelling: u32) -> &[(i32, u32, OpponentClass)] {
        let range = &self.starts[spelling as usize..spelling as usize + 2];
        &self.days[range[0] as usize..range[1] as usize]
    }

    /// Returns the number of days on which two spellings have games in different events against
    /// different opponents.
    fn conflicts(&self, a: u32, b: u32) -> u32 {
        let (mine, theirs) = (self.of(a), self.of(b));
        let (few, many) = if mine.len() <= theirs.len() { (mine, theirs) } else { (theirs, mine) };
        let mut conflicts = 0;
        for games in few.chunk_by(|a, b| a.0 == b.0) {
            let day = games[0].0;
            let from = many.partition_point(|game| game.0 < day);
            let others = &many[from..];
            let others = &others[..others.partition_point(|game| game.0 == day)];
            let is_apart = !others.is_empty()
                && games
                    .iter()
                    .all(|game| others.iter().all(|other| other.1 != game.1 && other.2 != game.2));
            conflicts += u32::from(is_apart);
        }
        conflicts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, GameResult, GameTable, PartialDate, Round};
    use crate::players::aliases::Aliases;
    use crate::players::cluster::opponent_classes;
    use crate::players::event_numbers::{EventNumbers, GameRows};
    use crate::players::evidence::name::NameForm;
    use crate::players::spelling::NameIndex;
    use crate::players::spellings::spellings;

    /// Returns what the games of `Adams,M` and `Adams, Michael` say, each given by the event, the
    /// round, the day, White and Black.
    fn shared(games: &[(&str, &str, &str, &str, &str)]) -> SharedSeats {
        let mut table = GameTable::default();
        for &(event, round, day, white, black) in games {
            let [event, white, black] = [event, white, black].map(|text| table.names.intern(text));
            let (round, result) = (Round::parse(round), GameResult::Draw);
            let date = PartialDate::parse(day).expect("a date");
            table.push(Game { event, white, black, round, date, result, ..Game::default() });
        }
        let (spellings, _) = spellings(&table, &Aliases::default());
        let forms: Vec<Vec<NameForm>> = spellings.iter().map(NameForm::of_spelling).collect();
        let input = LinkInput {
            table: &table,
            spellings: &spellings,
            name_index: &NameIndex::new(&table, &spellings),
            numbers: &EventNumbers::new(&table),
            rows: &GameRows::new(&table),
            same_moves: &[],
        };
        let alone: Vec<[u32; 1]> = (0..spellings.len() as u32).map(|one| [one]).collect();
        let groups = alone.iter().map(|group| group.as_slice());
        let classes = opponent_classes(&forms, &spellings, groups);
        let seats = Seats::new(&input, &classes);
        let copied = seats.copied_games();
        let homes: Vec<usize> = (0..spellings.len()).collect();
        let candidates = Candidates::new(forms, &homes, std::iter::empty());
        let found = seats.compare(&input, &classes, &copied, &candidates);
        let [shared] = found[..] else { panic!("{:?}", candidates.pairs) };
        shared
    }

    #[test]
    fn two_games_in_one_round_are_a_conflict_but_one_game_in_two_copies_is_not() {
        let two = [
            ("A", "1", "2000.??.??", "Adams,M", "Short,N"),
            ("A", "1", "2000.??.??", "Adams, Michael", "Lautier,J"),
            ("A", "2", "2000.??.??", "Lautier,J", "Short,N"),
        ];
        assert_eq!(shared(&two).conflicts, 1);
        let copy = [
            ("A", "1", "2000.??.??", "Adams,M", "Short,N"),
            ("A", "1", "2000.??.??", "Adams, Michael", "Short,N"),
            ("A", "2", "2000.??.??", "Lautier,J", "Short,N"),
        ];
        let copy = shared(&copy);
        assert_eq!((copy.conflicts, copy.same_games), (0, 1));
    }

    #[test]
    fn a_round_that_all_games_have_says_nothing() {
        let constant = [
            ("A", "1", "2000.??.??", "Adams,M", "Short,N"),
            ("A", "1", "2000.??.??", "Adams, Michael", "Lautier,J"),
            ("A", "1", "2000.??.??", "Lautier,J", "Short,N"),
            ("A", "1", "2000.??.??", "Lautier,J", "Speelman,J"),
            ("A", "1", "2000.??.??", "Speelman,J", "Short,N"),
        ];
        assert_eq!(shared(&constant).conflicts, 0);
    }

    #[test]
    fn nobody_plays_in_two_events_on_one_day() {
        let places = |day| {
            shared(&[
                ("A", "1", "2000.01.01", "Adams,M", "Short,N"),
                ("B", "1", day, "Adams, Michael", "Lautier,J"),
            ])
            .two_places
        };
        assert_eq!([places("2000.01.01"), places("2000.01.02")], [1, 0]);
    }

    #[test]
    fn rounds_that_one_lacks_are_evidence_for_one_player() {
        let event = |last: &str| {
            let mut games: Vec<(&str, &str, &str, &str, &str)> = vec![
                ("A", "1", "2000.??.??", "Adams,M", "Short,N"),
                ("A", "2", "2000.??.??", "Adams,M", "Lautier,J"),
                ("A", "3", "2000.??.??", "Speelman,J", "Adams,M"),
            ];
            games.push(("A", "4", "2000.??.??", "Adams, Michael", last));
            shared(&games).complement
        };
        assert_eq!(event("Hodgson,J"), 2.0);
        assert!(event("Short,N") < 0.0, "both met one opponent");
    }

    #[test]
    fn a_game_is_under_two_names_in_two_copies_of_an_event() {
        let event = |opponents: [&'static str; 2]| {
            let field = ["Short,N", "Lautier,J", "Speelman,J", "Hodgson,J"];
            let mut games: Vec<(&str, &str, &str, &str, &str)> = Vec::new();
            for (copy, name) in ["Adams,M", "Adams, Michael"].into_iter().enumerate() {
                let event = ["Hastings", "Hastings Premier"][copy];
                games.push((event, "?", "2000.??.??", name, opponents[copy]));
                for (place, player) in field.into_iter().enumerate() {
                    for other in &field[..place] {
                        games.push((event, "?", "2000.??.??", player, other));
                    }
                }
            }
            shared(&games).same_games
        };
        assert_eq!(event(["Short,N", "Short,N"]), 1);
        assert_eq!(event(["Short,N", "Hodgson,J"]), 0);
    }

    #[test]
    fn opponents_that_one_lacks_are_evidence_if_they_met_each_other() {
        let event = |opponents_met: bool| {
            let players = ["Short,N", "Lautier,J", "Speelman,J", "Hodgson,J"];
            let mut games: Vec<(&str, &str, &str, &str, &str)> = Vec::new();
            for (place, player) in players.into_iter().enumerate() {
                let name = if place < 2 { "Adams,M" } else { "Adams, Michael" };
                games.push(("A", "?", "2000.??.??", name, player));
                for &other in &players[..place] {
                    if opponents_met || (place == 1) || other == "Speelman,J" {
                        games.push(("A", "?", "2000.??.??", player, other));
                    }
                }
            }
            shared(&games).complement
        };
        // One in six pairs of opponents is just those that one lacks. Two names with two games each
        // have a fifth of all games. Eight of nine pairs of opponents met.
        let round_robin = event(true);
        let expected = 6_f64.log2() + 8.0 / 9.0 * 5_f64.log2();
        assert!((round_robin - expected).abs() < 1e-9, "{round_robin}");
        assert_eq!(event(false), 0.0, "two groups");
    }
}
