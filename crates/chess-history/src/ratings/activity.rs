//! Records when each player played.

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::edition::Listed;
use super::list::RatingList;
use crate::events::Event;
use crate::games::{GameTable, Tempo};
use crate::players::{PersonName, PlayerId, Players};

/// The number of months before a date in which a game makes a player active. Taken from the
/// project's specification of ratings.
const MONTHS_BEFORE: i32 = 24;

/// The number of months after a date in which a game makes a player active. Taken from the
/// project's specification of ratings.
const MONTHS_AFTER: i32 = 12;

/// A game of an event, from one player's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PlayedGame {
    /// The first and last day on which the game may have been played.
    first: Date,
    last: Date,
    opponent: PlayerId,
    /// Whether the event had at least three players.
    in_tournament: bool,
}

/// When each player played serious games.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    games: FxHashMap<PlayerId, Vec<PlayedGame>>,
    by_surname: FxHashMap<String, Vec<PlayerId>>,
    names: Vec<Vec<PersonName>>,
}

impl Activity {
    /// Collects the games of classical events.
    ///
    /// Single games that belong to no event are often exhibitions. They do not keep a retired
    /// player active.
    pub fn new<'e>(
        table: &GameTable,
        events: impl IntoIterator<Item = &'e Event>,
        players: &Players,
    ) -> Activity {
        let mut activity = Activity::default();
        for (id, player) in players.iter() {
            for name in &player.names {
                let ids = activity.by_surname.entry(name.surname_key()).or_default();
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
            }
            activity.names.push(player.names.clone());
        }
        let classical = events.into_iter().filter(|event| event.tempo == Tempo::Classical);
        let games = classical
            .flat_map(|event| event.games.iter().map(|game| (game, event.players.len() > 2)));
        for (game, in_tournament) in games.filter(|(game, _)| game.played) {
            let game = &table.games()[game.row];
            let (Some(first), Some(last)) = (game.date.earliest(), game.date.latest()) else {
                continue;
            };
            let (Some(white), Some(black)) =
                (players.of_name(game.white), players.of_name(game.black))
            else {
                continue;
            };
            for (player, opponent) in [(white, black), (black, white)] {
                let played = PlayedGame { first, last, opponent, in_tournament };
                activity.games.entry(player).or_default().push(played);
            }
        }
        for games in activity.games.values_mut() {
            games.sort_unstable();
            games.dedup();
        }
        activity
    }

    /// Returns whether a player of a list was active at a date, from the first serious event to the
    /// last.
    ///
    /// The evidence, in order of precedence:
    ///
    /// 1. What the list states: a flag, or a number of games.
    /// 2. What the list shows. A player whose rating never changes again has stopped, even with one
    ///    more match (Fischer's of 1992 was not rated), but is still active if later tournaments
    ///    follow (Kasparov's of 1993 and 1994 changed no rating).
    /// 3. The player's games, if the list has too few editions: events against several opponents
    ///    within the 24 months before or the 12 months after. A game dated only by its year counts
    ///    for the whole year.
    pub fn is_active(&self, list: &RatingList, listed: &Listed<'_>, date: Date) -> bool {
        if let Some(stated) = listed.active {
            return stated;
        }
        match list.shows_play(listed, date) {
            Some(true) => true,
            Some(false) => {
                // A tournament at the date or within the next twelve months.
                let until = date.checked_add(MONTHS_AFTER.months()).unwrap_or(date);
                let games = self.bearers(listed).filter_map(|player| self.games.get(&player));
                games
                    .flatten()
                    .any(|game| game.in_tournament && game.last >= date && game.first <= until)
            }
            None => match list.in_force(date) {
                Some(edition) if list.marks_inactive(&edition) => true,
                _ => {
                    let bearers = self.bearers(listed);
                    let mut opponents = bearers.flat_map(|player| self.games_around(player, date));
                    let first = opponents.next();
                    opponents.any(|other| Some(other) != first)
                }
            },
        }
    }

    /// Returns the player who has the name of a line, if only one can be meant.
    ///
    /// If several players have the name, only those who played around the date are considered.
    pub fn player_of(&self, listed: &Listed<'_>, date: Date) -> Option<PlayerId> {
        let mut bearers: Vec<PlayerId> = self.bearers(listed).collect();
        bearers.sort_unstable();
        bearers.dedup();
        if bearers.len() > 1 {
            bearers.retain(|player| self.games_around(*player, date).next().is_some());
        }
        match bearers[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the players whose names are compatible with that of a line.
    fn bearers<'a>(&'a self, listed: &'a Listed<'_>) -> impl Iterator<Item = PlayerId> + 'a {
        listed.readings.iter().flat_map(move |reading| {
            let key = reading.surname_key();
            let ids = self.by_surname.get(&key).map_or(&[][..], Vec::as_slice);
            ids.iter().copied().filter(move |id| {
                self.names[id.index()].iter().any(|name| {
                    name.has_surname_key(&key)
                        && !reading.given.is_empty()
                        && name.given_compatible(reading, false)
                })
            })
        })
    }

    /// Returns the opponents of a player in the games that show activity at a date.
    fn games_around(&self, player: PlayerId, date: Date) -> impl Iterator<Item = PlayerId> + '_ {
        let from = date.checked_sub(MONTHS_BEFORE.months()).unwrap_or(date);
        let until = date.checked_add(MONTHS_AFTER.months()).unwrap_or(date);
        let games = self.games.get(&player).map_or(&[][..], Vec::as_slice);
        games
            .iter()
            .filter(move |game| game.last >= from && game.first <= until)
            .map(|game| game.opponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{EventContext, EventThresholds, EventWords, TempoRows, events};
    use crate::gazetteer::Places;
    use crate::pgn::{ReadOptions, read_text};
    use crate::players::{Aliases, resolve};
    use crate::ratings::RatingListLine;
    use jiff::civil::date;

    /// An event of 1992: its name, then White and Black of each round.
    type TestEvent<'a> = (&'a str, &'a [(&'a str, &'a str)]);

    fn activity(events_played: &[TestEvent<'_>]) -> Activity {
        let mut text = String::new();
        for (event, pairs) in events_played {
            for (round, (white, black)) in (1..).zip(*pairs) {
                text.push_str(&format!(
                    "[Event \"{event}\"]\n[Date \"1992.??.??\"]\n[Round \"{round}\"]\n\
                     [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n"
                ));
            }
        }
        let mut table = GameTable::default();
        let options = ReadOptions::default();
        read_text("games.pgn", text.as_bytes(), options, &mut table, &mut Vec::new());
        let players = resolve(&table, &Aliases::default());
        let rows = TempoRows::all_classical(&table);
        let thresholds = EventThresholds::default();
        let (places, words) = (Places::default(), EventWords::default());
        let material = EventContext {
            table: &table,
            players: &players,
            places: &places,
            words: &words,
            thresholds,
        };
        let found = events(material, &rows, &[]).events;
        Activity::new(&table, &found, &players)
    }

    #[test]
    fn an_unrated_match_does_not_make_a_player_active() {
        let match_of_1992 = [("Fischer, Robert James", "Spassky, Boris V"); 8];
        let karpov = [
            ("Karpov, Anatoly", "Short, Nigel D"),
            ("Short, Nigel D", "Timman, Jan H"),
            ("Timman, Jan H", "Karpov, Anatoly"),
        ];
        let twice = [karpov, karpov].concat();
        let activity = activity(&[("Sveti Stefan m", &match_of_1992), ("Linares", &twice)]);
        let mut list = RatingList::new("Elo");
        for year in 1989..=1993 {
            let karpov = 2725.0 - 5.0 * f64::from(1993 - year);
            for (name, rating) in [("Fischer,R.", 2780.0), ("Karpov,An.", karpov)] {
                list.add(date(year, 1, 1), RatingListLine::new(name, rating));
            }
            let moving = 2500.0 + f64::from(year);
            list.add(date(year, 1, 1), RatingListLine::new("Spassky,B.", moving));
        }
        let day = date(1993, 3, 1);
        let edition = list.in_force(day).expect("a list");
        let active: Vec<&str> = edition
            .best()
            .filter(|listed| activity.is_active(&list, listed, day))
            .map(|listed| listed.name)
            .collect();
        assert_eq!(active, ["Spassky,B.", "Karpov,An."]);
    }
}
