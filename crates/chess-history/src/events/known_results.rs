//! Known results of famous events.
//!
//! Tags do not show who won a play-off, whether a match was stopped, or whether games followed the
//! last known one. The bundled table has these facts for about a thousand events. Two writers
//! compiled it independently from memory; fields on which they disagreed are empty. Tables of the
//! user take precedence.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use thiserror::Error;

use super::recognised::{EndEvidence, MissingGame, Recognised};
use crate::games::PartialDate;
use crate::gazetteer::Places;
use crate::players::{PersonName, Player, fold};
use crate::tournament::Kind;

/// A table of known results that cannot be read.
#[derive(Debug, Error)]
pub enum KnownResultsError {
    /// The file is not such a table.
    #[error(
        "not a table of known results (CSV with the columns event, from, format, winners, ...): {0}"
    )]
    Csv(#[from] csv::Error),
    /// A date is malformed.
    #[error("line {line}: \"{text}\" is not a date (write 1953, 1953-08 or 1953-08-30)")]
    Date {
        /// The number of the line.
        line: u64,
        /// The text in place of a date.
        text: String,
    },
}

/// The kind of competition of a known event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownFormat {
    /// A match of two players.
    Match,
    /// All players met each other.
    RoundRobin,
    /// Players with similar scores were paired.
    Swiss,
    /// The loser of a match was out.
    KnockOut,
    /// Two sides, each of whose players met all of the other.
    Scheveningen,
    /// A competition of teams.
    Team,
    /// Groups or a preliminary, and a final.
    Stages,
}

/// How an event ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Ending {
    /// All games were played.
    #[default]
    Whole,
    /// It was stopped by decision of a player or official.
    Stopped,
    /// It was not played to its end.
    Unfinished,
    /// A player resigned it, and its score counts.
    Resigned,
    /// Its result was declared void.
    Annulled,
}

impl Ending {
    /// All endings, in the order of the variants.
    pub const ALL: [Ending; 5] =
        [Ending::Whole, Ending::Stopped, Ending::Unfinished, Ending::Resigned, Ending::Annulled];

    /// Returns the word used in tables and decisions.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns what happened to the event, for a sentence: `It was stopped.`
    pub fn participle(self) -> &'static str {
        match self {
            Ending::Whole => "played to its end",
            Ending::Stopped => "stopped",
            Ending::Unfinished => "broken off",
            Ending::Resigned => "resigned",
            Ending::Annulled => "annulled",
        }
    }

    /// Returns whether the event was not played to its end, or its result was declared void. Then
    /// it has no winner unless one was declared.
    pub fn is_without_result(self) -> bool {
        matches!(self, Ending::Stopped | Ending::Unfinished | Ending::Annulled)
    }
}

/// How the places of an event follow from its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scoring {
    /// One point for a win, half a point for a draw.
    #[default]
    #[serde(rename = "1-½-0")]
    GamePoints,
    /// Three points for a win, one for a draw.
    #[serde(rename = "3-1-0")]
    ThreeForWin,
    /// One point for a match won against an opponent, half a point for a level one.
    #[serde(rename = "matches")]
    Matches,
}

/// The known result of an event. Unknown facts are empty or `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownResult {
    /// Its key in the table.
    pub event: String,
    /// Its name, without place and year.
    pub name: String,
    /// The town, or towns with `/` between them.
    pub place: String,
    /// The first day, as far as it is known.
    pub start: PartialDate,
    /// The last day, as far as it is known.
    pub end: PartialDate,
    /// The kind of competition.
    pub format: Option<KnownFormat>,
    /// The number of players at the start.
    pub players: Option<usize>,
    /// How often each pair of a round robin met.
    pub cycles: Option<usize>,
    /// Games that count for the score, including forfeited ones and excluding play-offs.
    pub games: Option<usize>,
    /// Forfeited games among these.
    pub forfeits: usize,
    /// Both players of a match, as `Family, Given`.
    pub contestants: Vec<String>,
    /// The declared winners: several for a shared win, none for an event without a winner.
    pub winners: Vec<String>,
    /// The points of each winner by the scoring of the event; of a match without a winner, those of
    /// the first contestant.
    pub points: Option<f64>,
    /// The players who came second, or who lost the tie-break.
    pub runners_up: Vec<String>,
    /// The points of each of them; of a match without a winner, those of the second contestant.
    pub second_points: Option<f64>,
    /// How the places follow from the games.
    pub scoring: Scoring,
    /// How a tie was broken: `rapid`, `play-off`, `tie-break`, `draw-odds` ...; empty where points
    /// decided.
    pub decided_by: String,
    /// Whether it was played to its end, and if not, why.
    pub ended: Ending,
    /// The keys of its stages in the table, earliest first; empty for an event of one stage.
    pub stages: Vec<String>,
}

/// The known result of an event whose players are identified.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEvent {
    /// The result in the table.
    pub result: Arc<KnownResult>,
    /// The winners, by index in the field.
    pub winners: Vec<usize>,
    /// The players who came second, by index in the field.
    pub runners_up: Vec<usize>,
}

impl KnownEvent {
    /// Identifies the winners and runners-up of a result in a field. Returns `None` if one of them
    /// is not in it.
    pub(super) fn from_result(
        result: &Arc<KnownResult>,
        players: &[&Player],
    ) -> Option<KnownEvent> {
        let field = FieldNames::new(players);
        let (winners, runners_up) =
            (field.find_all(&result.winners)?, field.find_all(&result.runners_up)?);
        Some(KnownEvent { result: Arc::clone(result), winners, runners_up })
    }
}

/// A row of a table of known results.
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
    #[serde(default)]
    stages: String,
    scoring: Option<Scoring>,
}

/// The known results of famous events: by default the bundled ones.
#[derive(Clone, Debug)]
pub struct KnownResults {
    results: Vec<Arc<KnownResult>>,
    /// Indices of the results by each of their years.
    of_year: FxHashMap<i16, Vec<usize>>,
}

impl Default for KnownResults {
    fn default() -> KnownResults {
        static BUNDLED: LazyLock<KnownResults> = LazyLock::new(|| {
            let mut results = KnownResults::empty();
            let table = include_str!("../../../../data/events/results.csv");
            results
                .add(csv::Reader::from_reader(table.as_bytes()))
                .expect("the bundled table is valid");
            results
        });
        BUNDLED.clone()
    }
}

impl KnownResults {
    /// Returns a table without results, not even the bundled ones.
    pub fn empty() -> KnownResults {
        KnownResults { results: Vec::new(), of_year: FxHashMap::default() }
    }

    /// Adds the results of a CSV file with the columns of `data/events/results.csv`.
    ///
    /// The columns `event`, `from`, `format` and `winners` are required. A result replaces another
    /// with the same `event`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, lacks these columns, or has an invalid value.
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

    /// Returns all results, in the order of the tables.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<KnownResult>> {
        self.results.iter()
    }

    /// Looks up the known result of an event.
    pub(super) fn find(&self, sought: &EventLookup<'_>) -> Option<KnownEvent> {
        let (first, last) = sought.years;
        let mut places: Vec<usize> =
            (first..=last).filter_map(|year| self.of_year.get(&year)).flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        let candidates: Vec<&Arc<KnownResult>> = places
            .into_iter()
            .map(|place| &self.results[place])
            .filter(|result| sought.fits(result))
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let field = FieldNames::new(sought.players);
        let found = candidates.into_iter().filter_map(|result| sought.identify(result, &field));
        // Among equals the first one is preferred.
        found.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, event)| event)
    }
}

/// Points by which the winner may trail the leader according to the games, one of which may have a
/// wrong result.
///
/// Judged: one wrong result takes at most a point from the winner. With two points, a result would
/// more often fit another event of its year and place, which the winner did not win.
const LEAD: f64 = 1.0;

/// Days by which the dates of an event may differ from the known ones.
///
/// Judged: sources date an event by its first day or its month, and long matches run two months.
/// With half, some of these lose their result; with double, matches of one pair in spring and
/// autumn are confused.
pub(super) const NEAR_DAYS: i32 = 60;

/// The most years of an event, after its first. A longer span is a misprint.
///
/// Judged: cycles of candidates' matches take up to two. It only bounds the index by year.
const MOST_YEARS: i16 = 3;

fn result_of_row(line: ResultRow, number: u64) -> Result<KnownResult, KnownResultsError> {
    let start = parse_date(&line.from, number)?;
    Ok(KnownResult {
        start,
        end: if line.to.is_empty() { start } else { parse_date(&line.to, number)? },
        contestants: split_list(&line.contestants),
        winners: split_list(&line.winners),
        runners_up: split_list(&line.second),
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
        scoring: line.scoring.unwrap_or_default(),
        decided_by: line.decided_by,
        ended: line.ended.unwrap_or_default(),
        stages: split_list(&line.stages),
    })
}

fn parse_date(text: &str, line: u64) -> Result<PartialDate, KnownResultsError> {
    PartialDate::parse(text).ok_or_else(|| KnownResultsError::Date { line, text: text.to_owned() })
}

/// Splits a cell that lists several values with semicolons between them.
fn split_list(cell: &str) -> Vec<String> {
    cell.split(';').map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned).collect()
}

/// An event whose known result is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventLookup<'a> {
    pub players: &'a [&'a Player],
    /// The game points of each player.
    pub points: &'a [f64],
    /// First and last year.
    pub years: (i16, i16),
    /// The years of the season that its tag names, such as `7071`.
    pub season: Option<(i16, i16)>,
    /// First and last day, judging by dates with a known month.
    pub days: Option<(Date, Date)>,
    pub place: &'a str,
    /// The name in its tag.
    pub title: &'a str,
    /// The kind that its pairings show.
    pub kind: Kind,
    /// The number of its games.
    pub games: usize,
    pub places: &'a Places,
}

/// Evidence for a result: the season in the tag, the winner's points, the place, the number of
/// players, and the number of named players in the field.
type ResultEvidence = (bool, bool, bool, bool, usize);

impl EventLookup<'_> {
    /// Returns whether the kind, time and size of the event fit a result.
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
                // One or two games of a match elsewhere may belong to another one.
                of_two
                    && (result.games.is_none_or(|games| 2 * self.games > games)
                        || (!result.ended.is_without_result()
                            && share_a_town(self.places, self.place, &result.place)))
            }
            Some(KnownFormat::KnockOut) => {
                !of_two
                    && matches!(self.kind, Kind::KnockOut | Kind::Fragment)
                    && self.has_similar_size(result)
            }
            // One of its stages is not the event.
            Some(KnownFormat::Stages) => {
                !of_two
                    && self.has_similar_size(result)
                    && result.games.is_none_or(|games| 10 * self.games >= 9 * games)
            }
            _ => !of_two && self.kind != Kind::KnockOut && self.has_similar_size(result),
        }
    }

    /// Returns whether the field has about as many players as a result: from two thirds to four
    /// thirds.
    fn has_similar_size(&self, result: &KnownResult) -> bool {
        let players = self.players.len();
        result.players.is_none_or(|known| 3 * players >= 2 * known && 3 * players <= 4 * known + 3)
    }

    /// Returns whether an event without a place has the name of a result. A championship in two
    /// countries has no town in its tags.
    fn has_title(&self, result: &KnownResult) -> bool {
        let title = fold(self.title);
        let words: FxHashSet<&str> = title.split_whitespace().collect();
        self.place.is_empty()
            && !result.name.is_empty()
            && fold(&result.name).split_whitespace().all(|word| words.contains(word))
    }

    /// Identifies the players of a result in the field.
    ///
    /// All players whom the result names must be in the field. The place, the name of an event
    /// without a place, or the points must agree.
    fn identify(
        &self,
        result: &Arc<KnownResult>,
        field: &FieldNames,
    ) -> Option<(ResultEvidence, KnownEvent)> {
        let contestants = field.find_all(&result.contestants)?;
        let winners = field.find_all(&result.winners)?;
        let runners_up = field.find_all(&result.runners_up)?;
        let is_match = result.format == Some(KnownFormat::Match);
        let mut named: Vec<usize> = [&contestants[..], &winners, &runners_up].concat();
        named.sort_unstable();
        named.dedup();
        if named.is_empty() || (is_match && named.len() < 2) {
            return None;
        }
        let counts_games = result.scoring == Scoring::GamePoints;
        let has_points = result.points.filter(|_| counts_games).is_some_and(|points| {
            winners.first().is_some_and(|winner| self.points[*winner] == points)
        });
        let has_place = share_a_town(self.places, self.place, &result.place);
        let has_players = result.players == Some(self.players.len());
        let has_season =
            self.season.is_some() && self.season == result.start.year().zip(result.end.year());
        let evidence = (has_season, has_points, has_place, has_players, named.len());
        // This distinguishes two events of one year and place: the winner of one did not lead in
        // the other.
        let most = self.points.iter().copied().fold(0.0, f64::max);
        let is_whole = result.games.is_none_or(|games| 10 * self.games >= 9 * games);
        let leads = winners.iter().all(|winner| self.points[*winner] + LEAD >= most);
        let may_trail = result.format == Some(KnownFormat::KnockOut)
            || (result.format == Some(KnownFormat::RoundRobin)
                && result.cycles.is_some()
                && !is_whole);
        let fits_place = (has_place || self.has_title(result)) && (leads || may_trail);
        let has_second_points = result.second_points.is_some_and(|points| {
            runners_up.first().is_some_and(|second| self.points[*second] == points)
        });
        // Two players may have met twice in a year: then place, length and points all differ.
        let is_other_match = !has_place
            && !result.place.is_empty()
            && !self.place.is_empty()
            && !has_points
            && result.games.is_some_and(|games| games != self.games);
        let fits_match = is_match && !is_other_match;
        (fits_match || fits_place || (has_points && has_second_points && has_players))
            .then(|| (evidence, KnownEvent { result: Arc::clone(result), winners, runners_up }))
    }
}

/// The names of the players of a field.
struct FieldNames {
    /// The player's index and parsed name, by surname.
    by_surname: FxHashMap<String, Vec<(usize, PersonName)>>,
}

impl FieldNames {
    fn new(players: &[&Player]) -> FieldNames {
        let mut by_surname: FxHashMap<String, Vec<(usize, PersonName)>> = FxHashMap::default();
        for (index, player) in players.iter().enumerate() {
            let shown = PersonName::parse(&player.name);
            // `Yu Yangyi`, with the family name first, has no comma.
            let family_first = match &shown.surname[..] {
                [family, given @ ..] if shown.given.is_empty() && !given.is_empty() => {
                    let (surname, given) = (vec![family.clone()], given.to_vec());
                    Some(PersonName { surname, given })
                }
                _ => None,
            };
            for name in player.names.iter().cloned().chain([shown]).chain(family_first) {
                by_surname.entry(name.surname_key()).or_default().push((index, name));
            }
        }
        FieldNames { by_surname }
    }

    /// Finds each of some names. Returns `None` if one of them is not found.
    fn find_all(&self, names: &[String]) -> Option<Vec<usize>> {
        names.iter().map(|name| self.find(name)).collect()
    }

    /// Finds the only player with a name: by surname and given name, or by a surname that is unique
    /// in the field.
    fn find(&self, name: &str) -> Option<usize> {
        let sought = PersonName::parse(name);
        let of_surname = self.by_surname.get(&sought.surname_key())?;
        let by_given = of_surname.iter().filter(|(_, own)| own.given_compatible(&sought, true));
        common_value(by_given.map(|(index, _)| *index))
            .or_else(|| common_value(of_surname.iter().map(|(index, _)| *index)))
    }
}

/// Returns the common value of some numbers, if all are equal.
fn common_value(mut numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let first = numbers.next()?;
    numbers.all(|other| other == first).then_some(first)
}

/// Returns whether two places, each possibly several towns with `/` between them, share a town.
pub(super) fn share_a_town(places: &Places, one: &str, other: &str) -> bool {
    let own = towns(places, one);
    towns(places, other).iter().any(|town| own.contains(town))
}

/// Returns the folded usual names of the towns of a place.
fn towns(places: &Places, place: &str) -> Vec<String> {
    place
        .split('/')
        .map(str::trim)
        .filter(|town| !town.is_empty())
        .map(|town| fold(places.name(town).unwrap_or(town)))
        .collect()
}

impl Recognised {
    /// Corrects the expected games by the known result.
    ///
    /// Half of a double round robin may look like a complete single one. A known knock-out ended
    /// with its final.
    ///
    /// `shows_lengths` returns whether the matches of a knock-out show how many games they had.
    pub(super) fn apply_known_result(
        &mut self,
        known: &KnownResult,
        found_games: usize,
        shows_lengths: impl FnOnce() -> bool,
    ) {
        if known.format == Some(KnownFormat::KnockOut) && self.kind == Kind::KnockOut {
            self.apply_known_knock_out(known, shows_lengths);
            return;
        }
        if known.ended.is_without_result()
            && self.kind.is_round_robin()
            && known.games == Some(self.placed_games)
        {
            (self.end, self.is_certain) = (EndEvidence::Shown, true);
            return;
        }
        // The known result counts players who left. Here they are outside a complete table.
        let known_games = known.games.map_or(0, |games| games.saturating_sub(known.forfeits));
        if self.missing.is_empty() && !self.withdrawn.is_empty() && known_games <= found_games {
            return;
        }
        let Some(games) = known.games.filter(|games| *games >= self.placed_games) else { return };
        // A round robin without known cycles had several stages.
        let is_round_robin = known.format == Some(KnownFormat::RoundRobin)
            && known.cycles.is_some()
            && self.kind.is_round_robin();
        let is_swiss = known.format == Some(KnownFormat::Swiss) && self.kind == Kind::Swiss;
        let played = games.saturating_sub(known.forfeits).max(self.placed_games);
        if !(is_round_robin || is_swiss) {
            return;
        }
        if is_round_robin && self.expected_games > games {
            self.expect_no_other_players();
        }
        if (played..=games).contains(&self.expected_games) {
            (self.end, self.is_certain) = (EndEvidence::Shown, true);
            return;
        }
        if is_round_robin {
            let cycles = known.cycles.unwrap_or(self.cycles);
            if cycles > self.cycles {
                // Every player has proportionally more games.
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
        self.add_missing(games);
        if played <= self.placed_games {
            self.missing.clear();
        }
        self.expected_games = played;
        (self.end, self.is_certain) = (EndEvidence::Shown, true);
        self.notes.push(format!("{games} games according to the known result"));
    }

    /// Adds the games that are missing up to a known number.
    pub(super) fn add_missing(&mut self, known: usize) {
        if known > self.expected_games {
            let games = known - self.expected_games;
            self.missing.push(MissingGame { player: None, opponent: None, round: None, games });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::pairing_table::{PairCounts, Pairing};

    #[test]
    fn the_bundled_table_is_consistent() {
        let known = KnownResults::default();
        assert!(known.results.len() >= 600, "{}", known.results.len());
        let mut names = FxHashSet::default();
        for result in known.iter() {
            let event = &result.event;
            assert!(names.insert(event), "{event} occurs twice");
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

    /// What is recognised of a knock-out of four with these games in each match, if its result is
    /// known.
    fn known_knock_out(games_of_a_match: usize, games: Option<usize>) -> Recognised {
        let pairs = [(0, 1), (2, 3), (0, 2)];
        let pairings: Vec<Pairing> = pairs
            .iter()
            .flat_map(|(a, b)| std::iter::repeat_n(Pairing::new(*a, *b), games_of_a_match))
            .collect();
        let mut found = PairCounts::new(4, &pairings).knock_out(&pairings);
        found.end = EndEvidence::Seen;
        let row = ResultRow {
            format: Some(KnownFormat::KnockOut),
            games,
            ..csv::Reader::from_reader("event,from,format,winners\na,1851,,\n".as_bytes())
                .deserialize()
                .next()
                .unwrap()
                .unwrap()
        };
        let has_two = games_of_a_match == 2;
        found.apply_known_result(&result_of_row(row, 2).unwrap(), 0, || has_two);
        found
    }

    #[test]
    fn a_known_winner_of_a_knock_out_does_not_show_how_long_its_matches_were() {
        assert_eq!(known_knock_out(2, None).end, EndEvidence::Shown);
        assert_eq!(known_knock_out(4, None).end, EndEvidence::Seen);
        let known = known_knock_out(4, Some(20));
        assert_eq!(
            (known.end, known.placed_games, known.expected_games),
            (EndEvidence::Shown, 12, 20)
        );
        assert_eq!(known.missing.iter().map(|missing| missing.games).sum::<usize>(), 8);
    }
}
