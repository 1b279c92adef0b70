//! What history knows of famous events.
//!
//! Tags cannot tell who won a play-off, that a match was stopped, or that games followed the last
//! known one. The bundled table has these facts of some thousand events, written twice from
//! knowledge; a field that both writers did not agree on is empty. Tables of one's own go before
//! it.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use thiserror::Error;

use super::event_format::{EndEvidence, MissingGame, Recognised};
use crate::games::PartialDate;
use crate::gazetteer::Places;
use crate::players::{PersonName, Player, fold};
use crate::tournament::Kind;

/// A table of results that cannot be used.
#[derive(Debug, Error)]
pub enum KnownResultsError {
    /// It is not such a table.
    #[error(
        "not a table of known results (CSV with the columns event, from, format, winners, ...): {0}"
    )]
    Csv(#[from] csv::Error),
    /// A date of it is none.
    #[error("line {line}: \"{text}\" is no date (1953, 1953-08 or 1953-08-30)")]
    Date {
        /// The line.
        line: u64,
        /// What it has.
        text: String,
    },
}

/// The sort of competition that an event was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownFormat {
    /// Two players.
    Match,
    /// Everybody met everybody.
    RoundRobin,
    /// Paired by score.
    Swiss,
    /// Who lost a match was out.
    KnockOut,
    /// Two sides.
    Scheveningen,
    /// Teams.
    Team,
}

/// How an event ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All was played.
    #[default]
    Whole,
    /// Somebody stopped it.
    Stopped,
    /// It was not played to its end.
    Unfinished,
    /// A player gave it up; its score stands.
    Resigned,
}

/// What history knows of an event; what it does not know is empty or `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownResult {
    /// What it is called in the table.
    pub event: String,
    /// Its name, without place and year.
    pub name: String,
    /// The town, or towns with `/` between them.
    pub place: String,
    /// First day.
    pub start: PartialDate,
    /// Last day.
    pub end: PartialDate,
    /// What sort of competition it was.
    pub format: Option<KnownFormat>,
    /// Who began it.
    pub players: Option<usize>,
    /// How often each pair of a round robin met.
    pub cycles: Option<usize>,
    /// Games that count for the score, with those that were forfeited and without play-offs.
    pub games: Option<usize>,
    /// Of these, games that were forfeited.
    pub forfeits: usize,
    /// Both players of a match, as `Family, Given`.
    pub contestants: Vec<String>,
    /// Who was declared the winner; several where they shared it, nobody where there is none.
    pub winners: Vec<String>,
    /// The points of the winner, or of each.
    pub points: Option<f64>,
    /// Who came next, or lost the tie-break.
    pub second: Vec<String>,
    /// His points.
    pub second_points: Option<f64>,
    /// How a tie was broken: `rapid`, `play-off`, `tie-break`, `draw-odds` ...; empty where points
    /// decided.
    pub decided_by: String,
    /// How it ended.
    pub ended: Ending,
}

impl KnownResult {
    /// Whether it was not played to its end.
    pub fn was_broken_off(&self) -> bool {
        matches!(self.ended, Ending::Stopped | Ending::Unfinished)
    }
}

/// The known result of an event, with who of its field is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEvent {
    /// What is known.
    pub result: Arc<KnownResult>,
    /// Who won, by index in the field.
    pub winners: Vec<usize>,
    /// Who came next.
    pub second: Vec<usize>,
}

/// A line of a table.
#[derive(Deserialize)]
struct ResultRow {
    event: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    place: String,
    from: String,
    #[serde(default)]
    to: String,
    format: Option<KnownFormat>,
    players: Option<usize>,
    cycles: Option<usize>,
    games: Option<usize>,
    forfeits: Option<usize>,
    #[serde(default)]
    contestants: String,
    winners: String,
    points: Option<f64>,
    #[serde(default)]
    second: String,
    second_points: Option<f64>,
    #[serde(default)]
    decided_by: String,
    ended: Option<Ending>,
}

/// What is known of famous events.
#[derive(Clone, Debug)]
pub struct KnownResults {
    results: Vec<Arc<KnownResult>>,
    /// Places among them by each of their years.
    of_year: FxHashMap<i16, Vec<usize>>,
}

impl Default for KnownResults {
    /// The bundled ones.
    fn default() -> KnownResults {
        static BUNDLED: LazyLock<KnownResults> = LazyLock::new(|| {
            let mut results = KnownResults { results: Vec::new(), of_year: FxHashMap::default() };
            let table = include_str!("../../../../data/events/results.csv");
            results
                .add(csv::Reader::from_reader(table.as_bytes()))
                .expect("the bundled table is one");
            results
        });
        BUNDLED.clone()
    }
}

impl KnownResults {
    /// Adds those of a file: CSV with the columns of `data/events/results.csv`, of which `event`,
    /// `from`, `format` and `winners` must be there. A line goes before another of the same
    /// `event`.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, has not these columns, or has a value that none of them can have.
    pub fn read(&mut self, path: &Path) -> Result<(), KnownResultsError> {
        self.add(csv::Reader::from_path(path).map_err(KnownResultsError::Csv)?)
    }

    fn add<R: std::io::Read>(
        &mut self,
        mut reader: csv::Reader<R>,
    ) -> Result<(), KnownResultsError> {
        let mut added: Vec<Arc<KnownResult>> = Vec::new();
        for (line, number) in reader.deserialize().zip(2..) {
            added.push(Arc::new(result_of_row(line?, number)?));
        }
        let names: FxHashSet<&str> = added.iter().map(|result| result.event.as_str()).collect();
        self.results.retain(|result| !names.contains(result.event.as_str()));
        self.results.splice(0..0, added.iter().cloned());
        self.of_year.clear();
        for (place, result) in self.results.iter().enumerate() {
            let (Some(first), last) = (result.start.year(), result.end.year()) else { continue };
            for year in first..=last.unwrap_or(first).clamp(first, first.saturating_add(MOST_YEARS))
            {
                self.of_year.entry(year).or_default().push(place);
            }
        }
        Ok(())
    }

    /// All of them, in the order of the tables.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<KnownResult>> {
        self.results.iter()
    }

    /// What is known of an event, if it is a famous one.
    pub(super) fn find(&self, sought: &EventLookup<'_>) -> Option<KnownEvent> {
        let (first, last) = sought.years;
        let mut places: Vec<usize> =
            (first..=last).filter_map(|year| self.of_year.get(&year)).flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        let may_be: Vec<&Arc<KnownResult>> = places
            .into_iter()
            .map(|place| &self.results[place])
            .filter(|it| sought.fits(it))
            .collect();
        if may_be.is_empty() {
            return None;
        }
        let field = FieldNames::of(sought.players);
        let found = may_be.into_iter().filter_map(|result| sought.meant(result, &field));
        // Of equals the first.
        found.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, event)| event)
    }
}

/// Points that the winner of an event may have less than the first by its games, of which one may
/// have a wrong result.
const LEAD: f64 = 1.0;

/// Days by which the dates of an event may differ from those that history knows.
pub(super) const NEAR_DAYS: i32 = 60;

/// Years from the first to the last of an event beyond which a date is a slip.
const MOST_YEARS: i16 = 3;

fn result_of_row(line: ResultRow, number: u64) -> Result<KnownResult, KnownResultsError> {
    let date = |text: &str| {
        PartialDate::parse(text)
            .ok_or_else(|| KnownResultsError::Date { line: number, text: text.to_owned() })
    };
    let people = |text: &str| -> Vec<String> {
        text.split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let start = date(&line.from)?;
    Ok(KnownResult {
        start,
        end: if line.to.is_empty() { start } else { date(&line.to)? },
        contestants: people(&line.contestants),
        winners: people(&line.winners),
        second: people(&line.second),
        event: line.event,
        name: line.name,
        place: line.place,
        format: line.format,
        players: line.players,
        cycles: line.cycles,
        games: line.games,
        forfeits: line.forfeits.unwrap_or(0),
        points: line.points,
        second_points: line.second_points,
        decided_by: line.decided_by,
        ended: line.ended.unwrap_or_default(),
    })
}

/// An event of which something may be known.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventLookup<'a> {
    /// Its field.
    pub players: &'a [&'a Player],
    /// The points of each of them.
    pub points: &'a [f64],
    /// First and last year.
    pub years: (i16, i16),
    /// First and last day, as far as months are known.
    pub days: Option<(Date, Date)>,
    /// The place.
    pub place: &'a str,
    /// What its pairings show.
    pub kind: Kind,
    /// How many games are there.
    pub games: usize,
    /// What places are called.
    pub places: &'a Places,
}

/// What speaks for a result: the points of the winner, the place, the number of players, how many
/// who are named play.
type ResultEvidence = (bool, bool, bool, usize);

impl EventLookup<'_> {
    /// Whether sort and size of the competition are those of a result.
    fn fits(&self, result: &KnownResult) -> bool {
        let known_days = result.start.earliest().zip(result.end.latest());
        if let (Some((first, last)), Some((from, to))) = (self.days, known_days)
            && ((first - to).get_days() > NEAR_DAYS || (from - last).get_days() > NEAR_DAYS)
        {
            return false;
        }
        let players = self.players.len();
        let of_two = players == 2;
        match result.format {
            Some(KnownFormat::Match) => {
                // A game or two of a match may be anybody's.
                of_two && result.games.is_none_or(|games| 2 * self.games > games)
            }
            Some(KnownFormat::KnockOut) => {
                !of_two
                    && matches!(self.kind, Kind::KnockOut | Kind::Fragment)
                    && self.is_near(result)
            }
            _ => !of_two && self.kind != Kind::KnockOut && self.is_near(result),
        }
    }

    /// Whether the field has two thirds of the players of a result, or a third more.
    fn is_near(&self, result: &KnownResult) -> bool {
        let players = self.players.len();
        result.players.is_none_or(|known| 3 * players >= 2 * known && 3 * players <= 4 * known + 3)
    }

    /// Who of the field is meant by a result, if all are there whom it names, at its place or with
    /// its points.
    fn meant(
        &self,
        result: &Arc<KnownResult>,
        field: &FieldNames,
    ) -> Option<(ResultEvidence, KnownEvent)> {
        let all = |names: &[String]| {
            names.iter().map(|name| field.find(name)).collect::<Option<Vec<_>>>()
        };
        let (contestants, winners) = (all(&result.contestants)?, all(&result.winners)?);
        let second = all(&result.second)?;
        let is_match = result.format == Some(KnownFormat::Match);
        let mut named: Vec<usize> = [&contestants[..], &winners, &second].concat();
        named.sort_unstable();
        named.dedup();
        if named.is_empty() || (is_match && named.len() < 2) {
            return None;
        }
        let has_points = result.points.is_some_and(|points| {
            winners.first().is_some_and(|winner| self.points[*winner] == points)
        });
        let has_place = is_at(self.places, self.place, &result.place);
        let has_players = result.players == Some(self.players.len());
        let evidence = (has_points, has_place, has_players, named.len());
        // Of two events of a year and place the winner did not lead the other.
        let most = self.points.iter().copied().fold(0.0, f64::max);
        let is_whole = result.games.is_none_or(|games| 10 * self.games >= 9 * games);
        let leads = winners.iter().all(|winner| self.points[*winner] + LEAD >= most);
        let may_trail = result.format == Some(KnownFormat::KnockOut)
            || (result.format == Some(KnownFormat::RoundRobin)
                && result.cycles.is_some()
                && !is_whole);
        let is_at = has_place && (leads || may_trail);
        let has_second_points = result.second_points.is_some_and(|points| {
            second.first().is_some_and(|second| self.points[*second] == points)
        });
        (is_match || is_at || (has_points && has_second_points && has_players))
            .then(|| (evidence, KnownEvent { result: Arc::clone(result), winners, second }))
    }
}

/// The names of a field.
struct FieldNames {
    /// By surname: the index, and the reading.
    by_surname: FxHashMap<String, Vec<(usize, PersonName)>>,
}

impl FieldNames {
    fn of(players: &[&Player]) -> FieldNames {
        let mut by_surname: FxHashMap<String, Vec<(usize, PersonName)>> = FxHashMap::default();
        for (index, player) in players.iter().enumerate() {
            let shown = PersonName::parse(&player.name);
            for name in player.names.iter().cloned().chain([shown]) {
                by_surname.entry(name.surname_key()).or_default().push((index, name));
            }
        }
        FieldNames { by_surname }
    }

    /// Who of the field has a name, if one alone does: by surname and given name, or by a surname
    /// that nobody else there has.
    fn find(&self, name: &str) -> Option<usize> {
        let sought = PersonName::parse(name);
        let of_surname = self.by_surname.get(&sought.surname_key())?;
        let by_given = of_surname.iter().filter(|(_, own)| own.given_compatible(&sought, true));
        the_one(by_given.map(|(index, _)| *index))
            .or_else(|| the_one(of_surname.iter().map(|(index, _)| *index)))
    }
}

/// The number of which all are the same.
fn the_one(mut numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let first = numbers.next()?;
    numbers.all(|other| other == first).then_some(first)
}

/// Whether two places, each perhaps several towns with `/` between them, have a town in common.
pub(super) fn is_at(places: &Places, one: &str, other: &str) -> bool {
    let towns = |text: &str| -> Vec<String> {
        text.split('/')
            .map(str::trim)
            .filter(|town| !town.is_empty())
            .map(|town| fold(places.name(town).unwrap_or(town)))
            .collect()
    };
    let own = towns(one);
    towns(other).iter().any(|town| own.contains(town))
}

impl Recognised {
    /// Says how many games an event should have as history knows it, where the table shows another
    /// number: half of a double round robin may look like a whole single one. Of a knock-out it is
    /// known that it ended with its final.
    pub(super) fn follow(&mut self, known: &KnownResult) {
        if known.format == Some(KnownFormat::KnockOut) && self.kind == Kind::KnockOut {
            // Its last match is the final.
            (self.end, self.is_certain) = (EndEvidence::Shown, true);
            return;
        }
        // Who left is counted with the others there, and beside a whole table here.
        if self.missing.is_empty() && !self.withdrawn.is_empty() {
            return;
        }
        let Some(games) = known.games.filter(|games| *games >= self.placed_games) else { return };
        // Without its cycles it had several stages.
        let is_round_robin = known.format == Some(KnownFormat::RoundRobin)
            && known.cycles.is_some()
            && self.kind.is_round_robin();
        let is_swiss = known.format == Some(KnownFormat::Swiss) && self.kind == Kind::Swiss;
        let played = games.saturating_sub(known.forfeits).max(self.placed_games);
        if !(is_round_robin || is_swiss) || (played..=games).contains(&self.expected_games) {
            return;
        }
        if is_round_robin {
            let cycles = known.cycles.unwrap_or(self.cycles);
            if cycles > self.cycles {
                // Everybody has so many games more with everybody else.
                for expected in self.expected_of.iter_mut().filter(|expected| **expected > 0) {
                    *expected = *expected / self.cycles.max(1) * cycles;
                }
                self.cycles = cycles;
                self.kind = match cycles {
                    1 => Kind::RoundRobin,
                    2 => Kind::DoubleRoundRobin,
                    _ => Kind::MultipleRoundRobin,
                };
            }
        }
        if games > self.expected_games {
            let lacking = games - self.expected_games;
            self.missing.push(MissingGame {
                player: None,
                opponent: None,
                round: None,
                games: lacking,
            });
        }
        self.expected_games = played;
        (self.end, self.is_certain) = (EndEvidence::Shown, true);
        self.notes.push(format!("history knows {games} games"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_table_is_consistent_in_itself() {
        let known = KnownResults::default();
        assert!(known.results.len() >= 600, "{}", known.results.len());
        let mut names = FxHashSet::default();
        for result in known.iter() {
            let event = &result.event;
            assert!(names.insert(event), "{event} stands twice");
            let days = result.start.earliest().zip(result.end.latest());
            assert!(days.is_some_and(|(first, last)| first <= last), "{event}: dates");
            if let (Some(KnownFormat::RoundRobin), Some(players), Some(cycles), Some(games)) =
                (result.format, result.players, result.cycles, result.games)
            {
                let all = cycles * players * (players - 1) / 2;
                let is_whole = 10 * games >= 7 * all || result.ended != Ending::Whole;
                assert!(games <= all && is_whole, "{event}: {games} games");
            }
            if let (Some(KnownFormat::Match), Some(games), Some(points), Some(others), 1) = (
                result.format,
                result.games,
                result.points,
                result.second_points,
                result.winners.len(),
            ) {
                assert!((points + others - games as f64).abs() < 0.1, "{event}: points and games");
            }
            if let (Some(points), Some(others)) = (result.points, result.second_points)
                && result.decided_by.is_empty()
                && result.ended == Ending::Whole
            {
                assert!(points >= others, "{event}: the second has more");
            }
        }
    }
}
