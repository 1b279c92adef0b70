//! Selects the games that are rated, and how they are divided into sets.

use std::cell::RefCell;
use std::sync::Arc;

use anyhow::bail;
use clap::{Args, ValueEnum};
use rustc_hash::FxHashSet;
use thiserror::Error;

use super::super::logging;
use super::super::output::counted;
use crate::archive::Grouped;
use crate::events::Event;
use crate::games::{Game, PartialDate, Tempo};
use crate::intrinsic::{GameOfEvent, TurnDivision, games_of, games_of_rows};
use crate::players::{PlayerId, Players};
use crate::rated::{NamedPlayer, most_active_named};

/// The flags that select games and divide them into sets.
#[derive(Debug, Args)]
pub(super) struct SelectionArguments {
    /// Only these events, in this order: identifiers separated by commas [default: all]
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    events: Vec<String>,
    /// Only games of this player: name, or surname alone (Steinitz). If several players have the
    /// surname, the one with the most games is chosen
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only games of --player against this opponent
    #[arg(long, value_name = "NAME", requires = "player")]
    opponent: Option<String>,
    /// Only games from this year, month or day on (1972, 1972-07, 1972-07-11)
    #[arg(long, value_name = "DATE", value_parser = date)]
    from: Option<PartialDate>,
    /// Only games up to this year, month or day, which is included
    #[arg(long, value_name = "DATE", value_parser = date)]
    to: Option<PartialDate>,
    /// Only games of this tempo [default: all tempos with events, classical in other sets]
    #[arg(long, value_enum)]
    tempo: Option<TempoArgument>,
    /// How games are divided into sets that are rated together [default: event; together if games
    /// are chosen by player or date]
    #[arg(long, value_enum)]
    by: Option<DivisionArgument>,
    /// With --by rating: largest distance (points) of a rating from 2700, 2600 ...
    #[arg(long, value_name = "POINTS", default_value_t = 50, value_parser = clap::value_parser!(u16).range(0..=50))]
    within: u16,
}

/// A tempo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TempoArgument {
    /// Classical games, and games of unknown tempo
    Classical,
    /// Rapid games
    Rapid,
    /// Blitz games
    Blitz,
}

impl TempoArgument {
    fn tempo(self) -> Tempo {
        match self {
            TempoArgument::Classical => Tempo::Classical,
            TempoArgument::Rapid => Tempo::Rapid,
            TempoArgument::Blitz => Tempo::Blitz,
        }
    }
}

/// How games are divided into sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DivisionArgument {
    /// Each event and its players
    Event,
    /// All games as one set, and the players with at least 100 turns
    Together,
    /// Each player
    Player,
    /// Each calendar year
    Year,
    /// Bands of ratings around 2700, 2600 ..., by the rating tag of the player to move
    Rating,
}

#[derive(Debug, Error)]
#[error("{0} is not a date; write a year, a month or a day like 1972, 1972-07 or 1972-07-11")]
struct NotADate(String);

/// Reads a date of which at least the year is known.
fn date(text: &str) -> Result<PartialDate, NotADate> {
    let Some(date) = PartialDate::parse(text).filter(|date| date.year().is_some()) else {
        return Err(NotADate(text.to_owned()));
    };
    // A month or a day that does not exist is dropped by the reader of tags.
    let known = 1 + usize::from(date.month().is_some()) + usize::from(date.is_exact());
    if known == text.split(['.', '-', '/']).count() {
        Ok(date)
    } else {
        Err(NotADate(text.to_owned()))
    }
}

/// The games that are rated.
pub(super) struct ChosenGames {
    pub games: Vec<GameOfEvent>,
    /// How they are divided.
    pub division: TurnDivision,
    /// Number of events, if each of them is rated.
    pub events: Option<usize>,
    /// Identifier of the player whose games they are.
    pub focus: Option<Arc<str>>,
}

impl SelectionArguments {
    /// Selects the games that are rated.
    ///
    /// # Errors
    ///
    /// Fails if an event or a player is unknown, or if no game is left.
    pub fn choose(&self, grouped: &Grouped) -> anyhow::Result<ChosenGames> {
        let filter = GameFilter::new(self, grouped)?;
        let players = &grouped.games.players;
        let focus = filter.player.map(|player| players.get(player).id.as_str().into());
        let division = self.division();
        let mut chosen = ChosenGames { games: Vec::new(), division, events: None, focus };
        if division == TurnDivision::Events || !self.events.is_empty() {
            let events = chosen_events(&grouped.events, &self.events)?;
            let events: Vec<&Event> = events
                .into_iter()
                .filter(|event| self.tempo.is_none_or(|wanted| wanted.tempo() == event.tempo))
                .collect();
            chosen.games = filter.kept(games_of(&events, players), grouped);
            if division == TurnDivision::Events {
                let ids: FxHashSet<&str> = chosen.games.iter().map(|game| &*game.event).collect();
                chosen.events = Some(ids.len());
            }
            let elsewhere = grouped.outside > 0 && self.events.is_empty() && filter.takes_all();
            if elsewhere && !chosen.games.is_empty() {
                logging::say(&format!(
                    "{} in no event left out; --by together includes them",
                    counted(grouped.outside, "game")
                ));
            }
            if !chosen.games.is_empty() || !self.events.is_empty() {
                filter.report();
                return chosen.require_games();
            }
        }
        chosen.games = self.all_games(&filter, grouped);
        filter.report();
        if division == TurnDivision::Events {
            (chosen.division, chosen.events) = (TurnDivision::Together, None);
            if !chosen.games.is_empty() {
                logging::say(&match chosen.games.len() {
                    1 => "the game is in no event, so it is rated alone".to_owned(),
                    games => format!(
                        "none of the {games} games is in an event, so they are rated as one set"
                    ),
                });
            }
        }
        chosen.require_games()
    }

    /// The division that the flags name.
    fn division(&self) -> TurnDivision {
        let is_chosen = self.player.is_some() || self.from.is_some() || self.to.is_some();
        match self.by {
            None if is_chosen && self.events.is_empty() => TurnDivision::Together,
            None | Some(DivisionArgument::Event) => TurnDivision::Events,
            Some(DivisionArgument::Together) => TurnDivision::Together,
            Some(DivisionArgument::Player) => TurnDivision::Players,
            Some(DivisionArgument::Year) => TurnDivision::Years,
            Some(DivisionArgument::Rating) => TurnDivision::Bands { within: self.within },
        }
    }

    /// The games of the filter, in events or not. Without a tempo, classical games, or the faster
    /// ones if there are no others.
    fn all_games(&self, filter: &GameFilter, grouped: &Grouped) -> Vec<GameOfEvent> {
        let copies: FxHashSet<usize> = grouped.repeated.iter().map(|copy| copy.game).collect();
        if let Some(wanted) = self.tempo {
            return filter.games_at(wanted.tempo(), &copies, grouped);
        }
        let classical = filter.games_at(Tempo::Classical, &copies, grouped);
        let mut faster = filter.games_at(Tempo::Rapid, &copies, grouped);
        faster.extend(filter.games_at(Tempo::Blitz, &copies, grouped));
        if classical.is_empty() {
            return faster;
        }
        if !faster.is_empty() {
            logging::say(&format!(
                "{} left out; choose them with --tempo",
                counted(faster.len(), "rapid or blitz game")
            ));
        }
        classical
    }
}

impl ChosenGames {
    /// Returns the games, or an error if there are none.
    fn require_games(self) -> anyhow::Result<ChosenGames> {
        if self.games.is_empty() {
            bail!(
                "no game was selected, so there is nothing to rate; check --player, --opponent, --from, --to, --tempo and the collections"
            );
        }
        Ok(self)
    }
}

/// The games of a player, against an opponent, in a period.
struct GameFilter {
    player: Option<PlayerId>,
    opponent: Option<PlayerId>,
    from: Option<PartialDate>,
    to: Option<PartialDate>,
    /// Rows of the players' games whose date does not show whether they are in the period.
    unclear: RefCell<FxHashSet<usize>>,
}

impl GameFilter {
    fn new(flags: &SelectionArguments, grouped: &Grouped) -> anyhow::Result<GameFilter> {
        let [player, opponent] = [&flags.player, &flags.opponent];
        let filter = GameFilter {
            player: player.as_deref().map(|name| find_player(grouped, name)).transpose()?,
            opponent: opponent.as_deref().map(|name| find_player(grouped, name)).transpose()?,
            from: flags.from,
            to: flags.to,
            unclear: RefCell::default(),
        };
        if filter.player.is_some() && filter.player == filter.opponent {
            bail!("--player and --opponent mean the same player; give two different players");
        }
        let first = filter.from.and_then(PartialDate::earliest);
        let last = filter.to.and_then(PartialDate::latest);
        if first.zip(last).is_some_and(|(first, last)| first > last) {
            bail!("--from is after --to; exchange them");
        }
        Ok(filter)
    }

    fn takes_all(&self) -> bool {
        self.player.is_none() && self.from.is_none() && self.to.is_none()
    }

    /// The games of the filter at a tempo, without copies (rows of the table of games).
    fn games_at(
        &self,
        tempo: Tempo,
        copies: &FxHashSet<usize>,
        grouped: &Grouped,
    ) -> Vec<GameOfEvent> {
        let games = &grouped.games;
        let rows = match tempo {
            Tempo::Classical => &games.rows,
            Tempo::Rapid => &games.rapid,
            Tempo::Blitz => &games.blitz,
        };
        let rows: Vec<usize> = rows.iter().filter(|row| !copies.contains(row)).copied().collect();
        let all = games_of_rows(&rows, &grouped.events, &games.table, &games.players);
        self.kept(all, grouped)
    }

    /// Keeps the games of the filter. Notes those whose date does not show whether they are in the
    /// period.
    fn kept(&self, games: Vec<GameOfEvent>, grouped: &Grouped) -> Vec<GameOfEvent> {
        let selected = &grouped.games;
        let mut unclear = self.unclear.borrow_mut();
        let mut kept = Vec::new();
        for candidate in games {
            let game = &selected.table.games()[candidate.row];
            if !self.is_of_players(game, &selected.players) {
                continue;
            }
            match self.is_in_period(game.date) {
                Some(true) => kept.push(candidate),
                Some(false) => {}
                None => {
                    unclear.insert(candidate.row);
                }
            }
        }
        kept
    }

    /// Reports how many games were left out because their date is not known well enough.
    fn report(&self) {
        let unclear = self.unclear.borrow().len();
        if unclear > 0 {
            logging::say(&format!(
                "{} left out, because the date does not show whether the period includes it",
                counted(unclear, "game")
            ));
        }
    }

    fn is_of_players(&self, game: &Game, players: &Players) -> bool {
        let sides = [game.white, game.black].map(|name| players.of_name(name));
        [self.player, self.opponent]
            .into_iter()
            .all(|wanted| wanted.is_none() || sides.contains(&wanted))
    }

    /// Whether a game was played in the period. `None` if its date does not show this.
    fn is_in_period(&self, date: PartialDate) -> Option<bool> {
        let first = self.from.and_then(PartialDate::earliest);
        let last = self.to.and_then(PartialDate::latest);
        if first.is_none() && last.is_none() {
            return Some(true);
        }
        let (earliest, latest) = (date.earliest()?, date.latest()?);
        let is_within =
            first.is_none_or(|first| first <= earliest) && last.is_none_or(|last| latest <= last);
        let is_outside =
            first.is_some_and(|first| latest < first) || last.is_some_and(|last| last < earliest);
        (is_within || is_outside).then_some(is_within)
    }
}

/// The player whom a name or an identifier means.
fn find_player(grouped: &Grouped, name: &str) -> anyhow::Result<PlayerId> {
    let games = &grouped.games;
    let mut counts = vec![0u32; games.players.len()];
    for row in games.rows.iter().chain(&games.rapid).chain(&games.blitz) {
        let game = &games.table.games()[*row];
        for name in [game.white, game.black] {
            if let Some(player) = games.players.of_name(name) {
                counts[player.index()] += 1;
            }
        }
    }
    let active: Vec<(PlayerId, NamedPlayer<'_>)> = games
        .players
        .iter()
        .filter(|(id, _)| counts[id.index()] > 0)
        .map(|(id, player)| {
            let spellings = player.spellings.iter().chain(&player.also_called);
            let named = NamedPlayer {
                name: &player.name,
                spellings: spellings.map(String::as_str).collect(),
                games: counts[id.index()],
            };
            (id, named)
        })
        .collect();
    if let Some((id, _)) = active.iter().find(|(id, _)| games.players.get(*id).id == name) {
        return Ok(*id);
    }
    let candidates: Vec<NamedPlayer<'_>> = active.iter().map(|(_, named)| named.clone()).collect();
    Ok(active[most_active_named(&candidates, name)?].0)
}

/// The events with these identifiers, in the order of the identifiers. Without identifiers, all
/// events.
pub(super) fn chosen_events<'e>(
    events: &'e [Event],
    ids: &[String],
) -> anyhow::Result<Vec<&'e Event>> {
    if ids.is_empty() {
        return Ok(events.iter().filter(|event| event.part_of.is_none()).collect());
    }
    let mut chosen = Vec::with_capacity(ids.len());
    let mut lacking = Vec::new();
    for id in ids {
        match events.iter().find(|event| event.id == *id) {
            Some(event) => chosen.push(event),
            None => {
                let names = events.iter().map(|event| event.id.as_str());
                let hint = crate::hint::nearest(id, names)
                    .map(|hint| format!("; did you mean {hint}?"))
                    .unwrap_or_default();
                lacking.push(format!("--events: no event {id}{hint}"));
            }
        }
    }
    if lacking.is_empty() { Ok(chosen) } else { bail!(lacking.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(from: &str, to: &str) -> GameFilter {
        GameFilter {
            player: None,
            opponent: None,
            from: date(from).ok(),
            to: date(to).ok(),
            unclear: RefCell::default(),
        }
    }

    #[test]
    fn a_date_needs_a_year_and_real_months_and_days() {
        for text in ["1972", "1972-07", "1972-07-11", "1972.07.11"] {
            assert!(date(text).is_ok(), "{text}");
        }
        for text in ["", "??", "1972-13", "1972-02-30", "summer", "1972-??-01"] {
            let error = date(text).unwrap_err().to_string();
            assert!(error.ends_with("like 1972, 1972-07 or 1972-07-11"), "{error}");
        }
    }

    fn tag(date: &str) -> PartialDate {
        PartialDate::parse(date).unwrap()
    }

    #[test]
    fn a_period_includes_its_ends_and_leaves_unclear_dates_open() {
        let year = filter("1972", "1972");
        assert_eq!(year.is_in_period(tag("1972.01.01")), Some(true));
        assert_eq!(year.is_in_period(tag("1972.12.31")), Some(true));
        assert_eq!(year.is_in_period(tag("1972.??.??")), Some(true));
        assert_eq!(year.is_in_period(tag("1973.01.??")), Some(false));
        assert_eq!(year.is_in_period(tag("????.??.??")), None);
        let summer = filter("1972-07", "1972-08-31");
        assert_eq!(summer.is_in_period(tag("1972.??.??")), None);
        assert_eq!(summer.is_in_period(tag("1972.08.??")), Some(true));
        assert_eq!(summer.is_in_period(tag("1972.09.01")), Some(false));
        assert_eq!(filter("", "").is_in_period(tag("????.??.??")), Some(true));
    }
}
