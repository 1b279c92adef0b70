//! Defines a decision about one event.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::day::day;
use super::decision_file::{file_and_line, file_name};
use super::error::{DecisionError, signature};
use chess_history::events::{Ending, Scoring, SegmentKind};
use pgn_collections::games::{PartialDate, Tempo};
use pgn_collections::source::{CleanName, CleanText};
use tournament_app::basic_system::K_FACTORS;
use tournament_app::{Kind, Policy};

/// The most points of a player in an event. Judged: no match or tournament gave half as many; a
/// larger number is a slip of the keyboard.
const MOST_POINTS: f64 = 1000.0;

/// The largest number of games that a decision may give an event. Judged: the largest opens have
/// some ten thousand. A larger number is a slip of the keyboard.
const MOST_GAMES: usize = 1_000_000;

/// The ratings (points) that a decision may set. A number outside is a slip of the keyboard, such
/// as 29000 or 275. Judged: no published list has a rating above 3000 or below 500.
const RATINGS: std::ops::RangeInclusive<f64> = 500.0..=3000.0;

/// A decision about one event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The author. A missing one counts as empty, which [`check`](Decision::check) reports.
    #[serde(default)]
    pub author: CleanName,
    /// The day. Without it only version control knows the date, and each build warns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<toml::value::Datetime>,
    #[serde(default)]
    pub reason: CleanText,
    /// The players of the event when the decision was made: `Alapin to Walbrodt, 20 players`. The
    /// review queue writes it. If the event has other players now, the decision is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The official name of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<CleanName>,
    #[serde(default, deserialize_with = "day", skip_serializing_if = "Option::is_none")]
    pub start: Option<PartialDate>,
    #[serde(default, deserialize_with = "day", skip_serializing_if = "Option::is_none")]
    pub end: Option<PartialDate>,
    /// The winners, by name or id: several for a shared win, none for an event without a winner.
    #[serde(
        default,
        alias = "winner",
        deserialize_with = "one_or_several",
        skip_serializing_if = "Option::is_none"
    )]
    pub winners: Option<Vec<CleanName>>,
    /// How the event ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Ending>,
    /// How the places follow from the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// The official points of the winner and of the second; of an event without a winner, those of
    /// the first two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<[f64; 2]>,
    /// The kind of the event, instead of the one that the pairing table shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The policy for ratings that do not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Whether ratings under pressure are corrected as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_pressure: Option<bool>,
    /// K-factor of the Elo ratings after the event (rating points per point scored).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_k: Option<f64>,
    /// Overrides whether the event enters the lists: `false` for casual games,
    /// displays and non-events; `true` for an event that the administrator vouches for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<bool>,
    /// Whether all of its games are known.
    #[serde(default, skip_serializing_if = "is_false")]
    pub complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tempo: Option<Tempo>,
    /// Whether a person has reviewed the event and keeps it as it is.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reviewed: bool,
    /// Rating of the world's number two (points).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_two: Option<f64>,
    /// The day for which rating lists are searched, if it is not the first day.
    #[serde(default, deserialize_with = "day", skip_serializing_if = "Option::is_none")]
    pub list_day: Option<PartialDate>,
    /// The number of games that the event had, if its pairing table does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_games: Option<usize>,
    /// Ratings that are set or deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingDecision>,
    /// Games that were not played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
    /// Segments that are taken into the analysis or out of it.
    #[serde(default, skip_serializing_if = "Segments::is_empty")]
    pub segments: Segments,
    /// Special conditions such as changed time controls, illness or fraud.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special_conditions: Vec<CleanText>,
    /// The ids of events to merge into this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merge: Vec<String>,
    /// Events to split off this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<Split>,
    /// Games of other events that belong to this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved_games: Vec<MovedGame>,
    /// Players of the event who are one person under several names. This holds for all events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub persons: Vec<Person>,
    /// The source of what is decided, such as a book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<CleanText>,
    /// A note in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<CleanText>,
    /// The file and line of the decision, for messages.
    #[serde(skip)]
    pub place: String,
}

/// A rating that is set or deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingDecision {
    /// Name or id of the player.
    pub player: CleanName,
    /// The rating (points) to use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<f64>,
    /// Whether the rating is deleted, to be estimated from the estimator line.
    #[serde(default, skip_serializing_if = "is_false")]
    pub delete: bool,
    /// The reason, if it differs from that of the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<CleanText>,
}

/// A game that was not played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// Name or id of White.
    pub white: CleanName,
    /// Name or id of Black.
    pub black: CleanName,
    /// The round tag of the game. It is needed if the two players met more than once with these
    /// colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// Whether it is a game of a play-off.
    #[serde(default, skip_serializing_if = "is_false")]
    pub play_off: bool,
}

/// Which segments enter the analysis. Segments that are not mentioned stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Segments {
    /// The main event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<bool>,
    /// Games of withdrawn players, annulled games, replays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<bool>,
    /// Play-offs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play_off: Option<bool>,
}

/// An event to be split off another: the games among some of its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Name of the new event.
    pub name: CleanName,
    /// Names or ids of its players.
    pub players: Vec<CleanName>,
}

/// A game of another event that belongs to this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovedGame {
    /// The id of the event that has the game now.
    pub from: String,
    /// Name or id of White.
    pub white: CleanName,
    /// Name or id of Black.
    pub black: CleanName,
    /// The round tag of the game. It is needed if the two players met more than once with these
    /// colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
}

/// A person with several names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The name to keep, as the games or the pages have it.
    pub name: CleanName,
    /// The other names, as the games or the pages have them.
    pub spellings: Vec<CleanName>,
}

/// Reads a name or a list of names.
fn one_or_several<'de, D: serde::Deserializer<'de>>(
    source: D,
) -> Result<Option<Vec<CleanName>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a name or a list of names")]
    enum Names {
        One(CleanName),
        Several(Vec<CleanName>),
    }
    // The desk sends null for an event whose winner is not decided.
    Ok(Option::<Names>::deserialize(source)?.map(|names| match names {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    }))
}

/// The error for a rating (points) that is outside [`RATINGS`]; `None` for others.
fn impossible(key: &str, rating: f64) -> Option<String> {
    let (least, most) = (RATINGS.start(), RATINGS.end());
    let message =
        format!("{key}: {rating} is not a possible rating; write a number from {least} to {most}");
    Some(message).filter(|_| !RATINGS.contains(&rating))
}

/// Whether a flag is unset and can be left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Segments {
    fn is_empty(&self) -> bool {
        *self == Segments::default()
    }

    /// The segments that are taken into the analysis (`true`) or out of it.
    pub fn decided(self) -> impl Iterator<Item = (SegmentKind, bool)> {
        let Segments { main, extra, play_off } = self;
        [(SegmentKind::Main, main), (SegmentKind::Extra, extra), (SegmentKind::PlayOff, play_off)]
            .into_iter()
            .filter_map(|(segment, analysed)| Some((segment, analysed?)))
    }
}

impl Decision {
    /// The keys of a decision, in the order in which they are documented.
    pub const KEYS: [&str; 32] = [
        "author",
        "date",
        "reason",
        "field",
        "name",
        "start",
        "end",
        "winners",
        "outcome",
        "scoring",
        "score",
        "kind",
        "tempo",
        "listed",
        "complete",
        "expected_games",
        "reviewed",
        "policy",
        "move_pressure",
        "ratings",
        "number_two",
        "list_day",
        "elo_k",
        "forfeits",
        "segments",
        "merge",
        "split",
        "moved_games",
        "persons",
        "special_conditions",
        "source",
        "note",
    ];

    /// The keys that decide something: all that are set, except author, date, reason, field and
    /// source.
    pub fn keys(&self) -> Vec<String> {
        let unsigned = ["author", "date", "reason", "field", "source"];
        let table = toml::Table::try_from(self).unwrap_or_default();
        table.into_iter().map(|(key, _)| key).filter(|key| !unsigned.contains(&&**key)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.keys().is_empty()
    }

    pub fn file_and_line(&self) -> (&str, u64) {
        file_and_line(&self.place)
    }

    /// The name of the decision's file, without its folder.
    pub fn file_name(&self) -> &str {
        file_name(self.file_and_line().0)
    }

    /// The names of players of the event, as they are written.
    pub fn player_names(&self) -> Vec<&str> {
        let forfeits = self.forfeits.iter().flat_map(|game| [&game.white, &game.black]);
        let players = self.ratings.iter().map(|rating| &rating.player);
        let of_parts = self.split.iter().flat_map(|split| &split.players);
        let names = players.chain(forfeits).chain(self.winners.iter().flatten()).chain(of_parts);
        names.map(CleanName::as_str).collect()
    }

    /// The decision with other names of players. Names that the map lacks stay.
    #[must_use]
    pub fn with_names(mut self, names: &BTreeMap<String, String>) -> Decision {
        let forfeits = self.forfeits.iter_mut();
        let forfeits = forfeits.flat_map(|game| [&mut game.white, &mut game.black]);
        let players = self.ratings.iter_mut().map(|rating| &mut rating.player);
        let of_parts = self.split.iter_mut().flat_map(|split| &mut split.players);
        let winners = self.winners.iter_mut().flatten();
        for name in players.chain(forfeits).chain(winners).chain(of_parts) {
            if let Some(other) = names.get(name.as_str()) {
                *name = other.as_str().into();
            }
        }
        self
    }

    /// The ids of the other events whose games the decision takes, each once.
    pub fn other_events(&self) -> BTreeSet<&str> {
        let moved = self.moved_games.iter().map(|game| &game.from);
        self.merge.iter().chain(moved).map(String::as_str).collect()
    }

    /// Makes an error about this decision.
    pub fn wrong(&self, event: &str, message: impl Into<String>) -> DecisionError {
        DecisionError::Wrong {
            place: self.place.clone(),
            event: event.to_owned(),
            message: message.into(),
        }
    }

    /// The errors of the decision that do not depend on the event.
    pub fn check(&self, event: &str) -> Vec<DecisionError> {
        let wrong = signature(&self.author, self.date, &self.reason).into_iter();
        let wrong = wrong.map(|message| self.wrong(event, message));
        wrong.chain(self.check_content(event)).collect()
    }

    /// The errors of the decision that depend neither on the event nor on author, date and reason.
    pub fn check_content(&self, event: &str) -> Vec<DecisionError> {
        let mut wrong = Vec::new();
        for rating in &self.ratings {
            if rating.set.is_some() == rating.delete {
                wrong.push(format!(
                    "{}: give either `set = RATING` or `delete = true`",
                    rating.player
                ));
            }
            let key = format!("ratings: {}", rating.player);
            wrong.extend(rating.set.and_then(|set| impossible(&key, set)));
        }
        wrong.extend(self.number_two.and_then(|two| impossible("number_two", two)));
        if let Some(k) = self.elo_k.filter(|k| !K_FACTORS.contains(k)) {
            wrong.push(format!("elo_k: {k} is not a K-factor from 1 to 100"));
        }
        if let Some(expected) = self.expected_games.filter(|expected| *expected > MOST_GAMES) {
            wrong.push(format!("expected_games: {expected} is more than {MOST_GAMES}"));
        }
        if let Some(points) = self.score
            && !points.iter().all(|points| (0.0..=MOST_POINTS).contains(points))
        {
            let [won, lost] = points;
            wrong.push(format!("score: {won} and {lost} are not numbers of points"));
        }
        if let Some([won, lost]) = self.score.filter(|[won, lost]| won < lost) {
            wrong.push(format!(
                "score: {won} and {lost} are in the wrong order; the winner's points come first"
            ));
        }
        if self.complete && self.expected_games.is_some() {
            wrong.push("give either `complete = true` or `expected_games`".into());
        }
        wrong.extend(self.wrong_facts(event));
        wrong.into_iter().map(|message| self.wrong(event, message)).collect()
    }

    /// The errors of names, days, winners and persons.
    fn wrong_facts(&self, event: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        let names = self.name.iter().chain(self.split.iter().map(|split| &split.name));
        let names = names.chain(self.winners.iter().flatten());
        let persons = self.persons.iter();
        let names =
            names.chain(persons.flat_map(|one| std::iter::once(&one.name).chain(&one.spellings)));
        if names.into_iter().any(|name| name.trim().is_empty()) {
            wrong.push("a name is empty; write one, or leave the key out".into());
        }
        let days = self.start.zip(self.end);
        let days = days.and_then(|(start, end)| start.earliest().zip(end.latest()));
        if days.is_some_and(|(first, last)| first > last) {
            wrong.push("end: the last day is before the first, `start`".into());
        }
        if self.list_day.is_some_and(|day| day.known_parts() < 2) {
            wrong.push("list_day: a year is not enough; write a day or a month".into());
        }
        for person in self.persons.iter().filter(|person| person.spellings.is_empty()) {
            wrong.push(format!("persons: {} has no other names; add `spellings`", person.name));
        }
        if self.moved_games.iter().any(|game| game.from == event) {
            wrong.push("moved_games: the event has this game already; name another event".into());
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words in backquotes of a text.
    fn quoted(text: &str) -> Vec<&str> {
        text.split('`').skip(1).step_by(2).collect()
    }

    /// Reads a decision with an author and a reason.
    fn read(text: &str) -> Result<Decision, toml::de::Error> {
        toml::from_str(&format!("author = \"A\"\nreason = \"R\"\n{text}"))
    }

    #[test]
    fn all_accepted_keys_are_documented() {
        let document = include_str!("../../../../docs/decisions.md");
        let rows = document.lines().filter(|line| line.starts_with("| `"));
        let documented: Vec<&str> = rows.map(|row| quoted(row)[0]).collect();
        assert_eq!(documented, Decision::KEYS, "docs/decisions.md");
        // The error about an unknown key lists the accepted ones.
        let error = toml::from_str::<Decision>("zzz = 1").unwrap_err().to_string();
        let mut accepted = quoted(error.split("expected one of").nth(1).unwrap_or_default());
        // Another word for a list with one winner.
        accepted.retain(|key| *key != "winner");
        accepted.sort_unstable();
        let mut keys = Decision::KEYS.to_vec();
        keys.sort_unstable();
        assert_eq!(accepted, keys);
    }

    #[test]
    fn winners_are_one_name_or_a_list_and_days_are_as_exact_as_known() {
        let winners = read("winner = \"A, B\"").unwrap().winners;
        assert_eq!(winners, Some(vec!["A, B".into()]));
        assert_eq!(read("winners = []").unwrap().winners, Some(Vec::new()));
        assert_eq!(read("").unwrap().winners, None);
        for (text, start) in
            [("1904", "1904"), ("\"1904-04\"", "1904-04"), ("1904-04-25", "1904-04-25")]
        {
            let decision = read(&format!("start = {text}")).unwrap();
            assert_eq!(decision.start.unwrap().iso(), start);
        }
        let error = read("start = \"1904-04-31\"").unwrap_err().to_string();
        assert!(error.contains("\"1904-04-31\" is not a day"), "{error}");
    }

    #[test]
    fn ratings_that_only_a_slip_can_explain_are_refused() {
        for text in ["number_two = 275", "ratings = [{ player = \"P\", set = 29000 }]"] {
            let message = read(text).unwrap().check("x-1900")[0].to_string();
            assert!(
                message.contains("not a possible rating; write a number from 500 to 3000"),
                "{message}"
            );
        }
        let text = "number_two = 2750\nratings = [{ player = \"P\", set = 3000 }]";
        assert!(read(text).unwrap().check("x-1900").is_empty());
    }

    #[test]
    fn a_decision_that_states_only_who_and_why_is_empty() {
        assert!(read("date = 2026-11-21\nfield = \"F\"\n").unwrap().is_empty());
        assert!(!read("winners = []").unwrap().is_empty());
        assert!(!read("reviewed = true").unwrap().is_empty());
    }
}
