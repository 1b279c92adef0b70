//! What the rating systems rate: who scored what against whom, and when.

use bitcode::{Decode, Encode};
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::simultaneous::Encounters;
use crate::games::{Game, GameFlags, GameTable, NameId};
use crate::hint::nearest;
use crate::players::{PlayerId, Players, fold, slug};

/// A game as a rating system sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// White, by number in [`Results::players`].
    pub white: u32,
    /// Black.
    pub black: u32,
    /// White's score: 1, 0.5 or 0.
    pub score: f64,
    /// The day; of a game of which only the year is known the middle of it, likewise of a month.
    pub day: Date,
    /// Number of the event, dense from 0 in the order of their first days, and of their tags where
    /// these are the same.
    pub event: u32,
}

/// Somebody to be rated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct RatedPlayer {
    /// Name.
    pub name: String,
    /// Number with FIDE, if known.
    pub fide_id: Option<u32>,
    /// Year of birth, if known.
    pub born: Option<i16>,
    /// How else the sources spell him.
    pub spellings: Vec<String>,
    /// Which of the players of the games he is.
    pub id: Option<PlayerId>,
}

/// A rating that is taken as known: it says where the scale of a system is that tells differences only.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Anchor {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// The calendar year.
    pub year: i16,
    /// Rating (points).
    pub rating: f64,
}

/// Years in which games are rated; others are errors of their sources, and would make lists of every month
/// between.
const YEARS: std::ops::Range<i16> = 1400..2200;

/// Days after which an event is cut: what was played in December is not known in February.
const LONGEST_DAYS: i32 = 100;

/// Games by event in the order of time, and their players.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Players, by number; in the order of their identifiers.
    pub players: Vec<RatedPlayer>,
    /// Games, event by event in the order of the events' first days.
    pub games: Vec<Rated>,
    /// Ratings that are taken as known.
    pub anchors: Vec<Anchor>,
}

impl Results {
    /// The games of these rows that were played and whose year is known. Games with the same tags of one
    /// year, without more than `gap_days` between two of them, are one event here: a rating before an event
    /// knows none of its games.
    pub fn of(table: &GameTable, rows: &[usize], players: &Players, gap_days: u16) -> Results {
        type Tags = (NameId, NameId, Option<i16>);
        let mut by_tags: FxHashMap<Tags, u32> = FxHashMap::default();
        let mut tags_of: Vec<Tags> = Vec::new();
        let mut ordered: Vec<(u32, Option<u16>, Rated)> = Vec::with_capacity(rows.len());
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
            ordered.push((event, game.round.number(), Rated { white, black, score, day, event }));
        }
        // Cut where time passes, then numbered by first days.
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
        // Of one day by their tags: where games stand in their files says nothing of it.
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
        // Games of one round are simultaneous. Where no round is known they stand as in their file,
        // which may be the order of playing.
        ordered.sort_by_key(|(_, round, game)| {
            (game.event, *round, game.day, round.map(|_| (game.white, game.black)))
        });
        let games = ordered.into_iter().map(|(.., game)| game).collect();
        Results { games, ..Results::default() }.with_players(players)
    }

    /// Numbers the players of the games, until now those of `players`, densely and in the same
    /// order.
    fn with_players(mut self, players: &Players) -> Results {
        let mut numbers: Vec<Option<u32>> = vec![None; players.len()];
        for game in &self.games {
            numbers[game.white as usize] = Some(0);
            numbers[game.black as usize] = Some(0);
        }
        for ((id, player), number) in players.iter().zip(&mut numbers) {
            let Some(number) = number else { continue };
            *number = self.players.len() as u32;
            self.players.push(RatedPlayer {
                name: player.name.clone(),
                fide_id: player.fide_ids.first().copied(),
                born: player.life.as_ref().and_then(|life| life.born),
                spellings: player.spellings.iter().chain(&player.also_called).cloned().collect(),
                id: Some(id),
            });
        }
        for game in &mut self.games {
            for player in [&mut game.white, &mut game.black] {
                *player = numbers[*player as usize].unwrap_or_default();
            }
        }
        self
    }

    /// The player whom a name means: the whole name in any order, as anybody spells it, or a surname, then whoever has most
    /// games.
    ///
    /// # Errors
    ///
    /// Where nobody is called so: in words, with the nearest name.
    pub fn called(&self, name: &str) -> Result<u32, String> {
        let words = |text: &str| -> Vec<String> {
            let folded = fold(text);
            let words =
                folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let mut words: Vec<String> = words.map(str::to_owned).collect();
            words.sort_unstable();
            words
        };
        let wanted = words(name);
        let surname = |text: &str| words(text.split(',').next().unwrap_or_default());
        let mut games = vec![0u32; self.players.len()];
        for game in &self.games {
            games[game.white as usize] += 1;
            games[game.black as usize] += 1;
        }
        let meant = |is_meant: &dyn Fn(&RatedPlayer) -> bool| {
            let players = (0u32..).zip(&self.players).filter(|(_, player)| is_meant(player));
            players.max_by_key(|(number, _)| (games[*number as usize], u32::MAX - number))
        };
        let is_whole = |own: &str| words(own) == wanted || slug(own) == name;
        // A surname alone may be all that is known of somebody, who is not meant where a better known has it too.
        let whole = match wanted.len() {
            1 => None,
            _ => meant(&|player| is_whole(&player.name)).or_else(|| {
                meant(&|player| player.spellings.iter().any(|spelling| is_whole(spelling)))
            }),
        };
        let found =
            whole.or_else(|| meant(&|player| surname(&player.name) == wanted)).or_else(|| {
                meant(&|player| player.spellings.iter().any(|spelling| surname(spelling) == wanted))
            });
        found.map(|(number, _)| number).ok_or_else(|| {
            let names = self.players.iter().map(|player| player.name.as_str());
            let hint = nearest(name, names).map(|hint| format!("; did you mean {hint}?"));
            format!("nobody is called {name}{}", hint.unwrap_or_default())
        })
    }

    /// Who met whom, each game with the same weight.
    pub fn encounters(&self) -> Encounters {
        let games: Vec<(u32, u32, f64, f64)> =
            self.games.iter().map(|game| (game.white, game.black, game.score, 1.0)).collect();
        Encounters::of(self.players.len(), &games)
    }

    /// The games event by event.
    pub fn events(&self) -> impl Iterator<Item = &[Rated]> {
        self.games.chunk_by(|a, b| a.event == b.event)
    }
}

/// A month as a number: twelve a year.
pub(super) fn month_of(day: Date) -> i32 {
    i32::from(day.year()) * 12 + i32::from(day.month()) - 1
}

/// The first day of a month.
pub(super) fn first_of(month: i32) -> Date {
    let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
    Date::new(year as i16, month as i8, 1).unwrap_or(Date::MAX)
}
