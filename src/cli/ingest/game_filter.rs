//! Chooses the games that `greatness ingest` writes, and counts the others by reason.

use anyhow::bail;
use clap::Args;
use jiff::civil::Date;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::games::{Game, GameTable, NameId, PartialDate};
use crate::players::fold;

/// The flags that choose games.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Choice of games")]
pub(super) struct FilterArguments {
    /// Only games from this day, month or year on: 1972-07-11, 1972-07 or 1972. A game counts if
    /// its date, as far as it is known, is certainly within the limits
    #[arg(long, value_name = "DATE", value_parser = first_day)]
    from: Option<Date>,
    /// Only games to the end of this day, month or year
    #[arg(long, value_name = "DATE", value_parser = last_day)]
    to: Option<Date>,
    /// Only games between two players whose tags give them at least this rating (points)
    #[arg(long, value_name = "RATING", value_parser = clap::value_parser!(u16).range(1..=4000))]
    min_elo: Option<u16>,
    /// Only games of this player: the FIDE number, or words that begin words of the name, in any
    /// order and without regard to capitals and accents; may be given several times
    #[arg(long, value_name = "NAME", value_parser = player)]
    player: Vec<String>,
    /// Only the first games that fulfil the other conditions
    #[arg(long, value_name = "NUMBER", conflicts_with = "sample")]
    first: Option<usize>,
    /// A random sample of this many games that fulfil the other conditions. Every sample is equally
    /// likely, and the same games and seed give the same sample
    #[arg(long, value_name = "NUMBER")]
    sample: Option<usize>,
    /// Seed of the sample
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "sample")]
    seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeftOut {
    Before,
    After,
    DateUnknown,
    BelowElo,
    OtherPlayers,
    AfterFirst,
    NotInSample,
}

impl LeftOut {
    /// All reasons, in the order in which they are printed.
    const ALL: [LeftOut; 7] = [
        LeftOut::Before,
        LeftOut::After,
        LeftOut::DateUnknown,
        LeftOut::BelowElo,
        LeftOut::OtherPlayers,
        LeftOut::AfterFirst,
        LeftOut::NotInSample,
    ];

    fn words(self) -> &'static str {
        match self {
            LeftOut::Before => "before --from",
            LeftOut::After => "after --to",
            LeftOut::DateUnknown => "date unknown, or not exact enough for --from and --to",
            LeftOut::BelowElo => "a rating below --min-elo or unknown",
            LeftOut::OtherPlayers => "not of --player",
            LeftOut::AfterFirst => "after --first",
            LeftOut::NotInSample => "not in --sample",
        }
    }
}

/// The numbers of games read, chosen, and left out by reason. They add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChosenGames {
    /// The number of games read.
    pub read: usize,
    /// The rows of the chosen games, in their order.
    pub rows: Vec<usize>,
    /// The reasons for which games are left out, in words, with their numbers of games.
    pub left_out: Vec<(&'static str, usize)>,
}

impl FilterArguments {
    /// Whether a flag is given, so that games may be left out.
    pub fn is_given(&self) -> bool {
        let FilterArguments { from, to, min_elo, player, first, sample, seed: _ } = self;
        from.is_some()
            || to.is_some()
            || min_elo.is_some()
            || !player.is_empty()
            || first.is_some()
            || sample.is_some()
    }

    /// Refuses limits that no game can be within.
    ///
    /// # Errors
    ///
    /// Returns an error if `--from` is after `--to`.
    pub fn check(&self) -> anyhow::Result<()> {
        match self.from.zip(self.to) {
            Some((from, to)) if from > to => {
                bail!("--from is after --to ({from}, {to}), so no game is within; exchange them")
            }
            _ => Ok(()),
        }
    }

    /// Chooses games of a table.
    pub fn choose(&self, table: &GameTable) -> ChosenGames {
        let names: Vec<bool> = table.names.iter().map(|(_, name)| self.has_name(name)).collect();
        let mut counts = [0; LeftOut::ALL.len()];
        let mut rows = Vec::new();
        for (row, game) in table.games().iter().enumerate() {
            match self.reason(game, &|name| names[name.index()]) {
                Some(reason) => counts[reason as usize] += 1,
                None => rows.push(row),
            }
        }
        let found = rows.len();
        if let Some(first) = self.first {
            rows.truncate(first);
            counts[LeftOut::AfterFirst as usize] = found - rows.len();
        }
        if let Some(size) = self.sample {
            rows = sample(&rows, size, self.seed);
            counts[LeftOut::NotInSample as usize] = found - rows.len();
        }
        let left_out =
            LeftOut::ALL.into_iter().map(|reason| (reason.words(), counts[reason as usize]));
        ChosenGames {
            read: table.len(),
            rows,
            left_out: left_out.filter(|(_, count)| *count > 0).collect(),
        }
    }

    /// Returns the first condition that a game does not fulfil.
    fn reason(&self, game: &Game, is_named: &dyn Fn(NameId) -> bool) -> Option<LeftOut> {
        if let Some(reason) = self.reason_of_date(game.date) {
            return Some(reason);
        }
        let lowest = game.white_elo.min(game.black_elo);
        if self.min_elo.is_some_and(|least| lowest < least) {
            return Some(LeftOut::BelowElo);
        }
        let sides = [(game.white, game.white_fide_id), (game.black, game.black_fide_id)];
        let is_of_player =
            sides.into_iter().any(|(name, fide_id)| is_named(name) || self.has_number(fide_id));
        (!self.player.is_empty() && !is_of_player).then_some(LeftOut::OtherPlayers)
    }

    /// Returns why a date is not certainly within the limits.
    fn reason_of_date(&self, date: PartialDate) -> Option<LeftOut> {
        if self.from.is_none() && self.to.is_none() {
            return None;
        }
        let Some((earliest, latest)) = date.earliest().zip(date.latest()) else {
            return Some(LeftOut::DateUnknown);
        };
        let is_before = self.from.is_some_and(|from| latest < from);
        let is_after = self.to.is_some_and(|to| earliest > to);
        let may_be_before = self.from.is_some_and(|from| earliest < from);
        let may_be_after = self.to.is_some_and(|to| latest > to);
        if is_before {
            Some(LeftOut::Before)
        } else if is_after {
            Some(LeftOut::After)
        } else {
            (may_be_before || may_be_after).then_some(LeftOut::DateUnknown)
        }
    }

    /// Returns whether a FIDE number is that of one of the players; 0 means unknown.
    fn has_number(&self, fide_id: u32) -> bool {
        fide_id > 0 && self.player.iter().any(|player| player.trim().parse() == Ok(fide_id))
    }

    /// Returns whether a name is that of one of the players.
    fn has_name(&self, name: &str) -> bool {
        if self.player.is_empty() {
            return false;
        }
        let name = fold(name);
        let own: Vec<&str> = words(&name).collect();
        self.player.iter().any(|player| {
            let player = fold(player);
            let mut wanted = words(&player).peekable();
            wanted.peek().is_some()
                && wanted.all(|wanted| own.iter().any(|word| word.starts_with(wanted)))
        })
    }
}

/// The words of a folded name.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Draws a sample of rows, all with the same probability, in their order.
///
/// Source: algorithm R in Vitter, *Random Sampling with a Reservoir* (1985).
fn sample(rows: &[usize], size: usize, seed: u64) -> Vec<usize> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut reservoir = rows[..size.min(rows.len())].to_vec();
    for (place, row) in rows.iter().enumerate().skip(size) {
        // A fixed width, so that the sample is the same on every machine.
        let drawn = random.random_range(0..=place as u64) as usize;
        if let Some(replaced) = reservoir.get_mut(drawn) {
            *replaced = *row;
        }
    }
    reservoir.sort_unstable();
    reservoir
}

fn player(text: &str) -> Result<String, PlayerArgumentError> {
    match words(text).next() {
        Some(_) => Ok(text.to_owned()),
        None => Err(PlayerArgumentError),
    }
}

fn first_day(text: &str) -> Result<Date, DateArgumentError> {
    date(text)?.earliest().ok_or(DateArgumentError)
}

fn last_day(text: &str) -> Result<Date, DateArgumentError> {
    date(text)?.latest().ok_or(DateArgumentError)
}

fn date(text: &str) -> Result<PartialDate, DateArgumentError> {
    let date = PartialDate::parse(text).ok_or(DateArgumentError)?;
    // A part that is not a month or a day would be dropped silently.
    let parts = text.split(['.', '-', '/']).count() as u32;
    if date.known_parts() == parts { Ok(date) } else { Err(DateArgumentError) }
}

/// A text that is not a day, a month or a year.
#[derive(Debug, thiserror::Error)]
#[error("not a date; write a day, a month or a year: 1972-07-11, 1972-07 or 1972")]
struct DateArgumentError;

/// A text without a letter or digit.
#[derive(Debug, thiserror::Error)]
#[error("not a player; write words of the name, or the FIDE number")]
struct PlayerArgumentError;

#[cfg(test)]
mod tests {
    use super::*;

    /// Games with these dates, ratings and names of White.
    fn table(games: &[(&str, u16, &str)]) -> GameTable {
        let mut table = GameTable::default();
        for (date, elo, white) in games {
            let [white, black] = [*white, "Black, B"].map(|name| table.names.intern(name));
            let date = PartialDate::parse(date).unwrap();
            let (white_elo, black_elo) = (*elo, 2700);
            table.push(Game { white, black, date, white_elo, black_elo, ..Game::default() });
        }
        table
    }

    fn period(from: &str, to: &str) -> FilterArguments {
        FilterArguments {
            from: first_day(from).ok(),
            to: last_day(to).ok(),
            ..FilterArguments::default()
        }
    }

    #[test]
    fn a_date_that_may_be_outside_the_limits_is_left_out_for_a_reason_of_its_own() {
        let table = table(&[
            ("1971.12.31", 0, "A"),
            ("1972", 0, "A"),
            ("1972.07", 0, "A"),
            ("1972.07.11", 0, "A"),
            ("1973.??.??", 0, "A"),
            ("????.??.??", 0, "A"),
        ]);
        assert_eq!(period("1972", "1972").choose(&table).rows, [1, 2, 3]);
        let chosen = period("1972-07", "1972-08").choose(&table);
        assert_eq!(chosen.rows, [2, 3]);
        let unknown = LeftOut::DateUnknown.words();
        assert_eq!(
            chosen.left_out,
            [(LeftOut::Before.words(), 1), (LeftOut::After.words(), 1), (unknown, 2)]
        );
        assert!(period("1972-07", "1972-07").check().is_ok());
        let refused = period("1973", "1972").check().unwrap_err().to_string();
        assert!(refused.starts_with("--from is after --to (1973-01-01, 1972-12-31)"), "{refused}");
        for text in ["1972-13", "1972-02-30", "yesterday", ""] {
            assert!(first_day(text).is_err(), "{text}");
        }
    }

    fn games_of(player: &str) -> FilterArguments {
        FilterArguments { player: vec![player.to_owned()], ..FilterArguments::default() }
    }

    #[test]
    fn players_are_found_by_the_beginnings_of_words() {
        assert!(
            games_of("carl m").has_name("Carlsen, Magnus")
                && games_of("Réti").has_name("Reti,Richard")
        );
        assert!(
            !games_of("arlsen").has_name("Carlsen, Magnus")
                && !games_of("  ").has_name("Carlsen, Magnus")
        );
        assert!(!games_of("Carlsen, Henrik").has_name("Carlsen, Magnus"));
        assert!(player("1503014").is_ok() && player(" ,").is_err());
    }

    #[test]
    fn a_sample_is_uniform_and_the_same_for_the_same_seed() {
        let rows: Vec<usize> = (0..10).collect();
        assert_eq!(sample(&rows, 4, 7), sample(&rows, 4, 7));
        assert_eq!(sample(&rows, 20, 7), rows);
        let mut times = [0; 10];
        for seed in 0..2000 {
            let drawn = sample(&rows, 4, seed);
            assert!(drawn.is_sorted() && drawn.len() == 4);
            drawn.into_iter().for_each(|row| times[row] += 1);
        }
        // Each row is expected 800 times, with a standard deviation of 22.
        assert!(times.iter().all(|times| (700..900).contains(times)), "{times:?}");
    }

    #[test]
    fn the_numbers_of_games_add_up() {
        let table = table(&[("1972", 2600, "A"), ("1972", 2500, "A"), ("1990", 2600, "C")]);
        let filter = FilterArguments {
            to: last_day("1980").ok(),
            min_elo: Some(2550),
            sample: Some(0),
            ..FilterArguments::default()
        };
        let chosen = filter.choose(&table);
        let left_out: usize = chosen.left_out.iter().map(|(_, games)| games).sum();
        assert_eq!((chosen.left_out.len(), chosen.rows.len() + left_out), (3, chosen.read));
    }
}
