//! World championships: who held each title, against whom, and how strong the champions were.

use serde::Serialize;

use super::championships::{TitleEvent, end_of_title, titles};
use super::outcome::{broken_off, is_whole, official_score};
use super::page::Page;
use super::title_holders::{Person, Persons, TitleOutcome, is_forfeited, outcomes, year_of};
use super::{Link, Site};
use crate::charts::{Holder, reigns};
use crate::figures::{counted, fixed_or_empty, points, spoken};
use archive::EventRecord;
use chess_history::events::KnownResult;
use chess_history::players::slug;
use tournament_app::{Kind, PlayerAnalysis};

/// An event for a title.
#[derive(Debug, Serialize)]
struct TitleLine {
    year: String,
    /// The event; without an address if the archive has no games of it.
    event: Link,
    /// The champion after the event; `None` if neither the games nor history show it.
    champion: Option<Link>,
    /// Whether the champion kept the title.
    kept: bool,
    /// The opponent in a match, or the number of players.
    against: String,
    score: String,
    /// How many games are known, if some are missing.
    known: String,
    rank: String,
    performance: String,
    g: String,
    strength: String,
}

pub fn champions(site: &Site, page: &Page) -> impl Serialize {
    let persons = Persons::new(site.archive);
    let titles: Vec<_> = titles(site.archive)
        .into_iter()
        .map(|(name, events)| championship(site, &persons, name, &events))
        .collect();
    let description = "Every world championship of the years of this archive: the champion, the \
         opponent, and the strength of the event.";
    view!(frame = page.cited_frame(site, description), titles)
}

fn link(site: &Site, person: &Person) -> Link {
    match person.player {
        Some(player) => Link::to_player(site.archive, player),
        None => Link { href: String::new(), text: person.name.clone() },
    }
}

/// The champions one after the other.
struct Succession<'s> {
    site: &'s Site<'s>,
    holders: Vec<Holder>,
    /// The person of each holder.
    persons: Vec<Person>,
    /// The champion, as an index into the holders, and the time (year) of the last event or forfeit
    /// that made or kept the champion.
    holder: Option<(usize, f64)>,
}

impl<'s> Succession<'s> {
    fn new(site: &'s Site<'s>) -> Succession<'s> {
        Succession { site, holders: Vec::new(), persons: Vec::new(), holder: None }
    }

    /// Draws the champion's time up to an event. Without the champion it shows only that the title
    /// had passed by then; the title of the dead is vacant.
    fn reign_until(&mut self, now: f64, plays: bool) {
        let Some((place, since)) = self.holder else { return };
        let player = self.persons[place].player;
        let life = player.and_then(|player| self.site.archive.players.get(player).life.as_ref());
        let died = life.and_then(|life| life.died).map_or(now, |year| f64::from(year) + 0.5);
        let to = if plays { now } else { now.min(died.max(since)) };
        self.holders[place].spans.push((since, to, plays));
    }

    /// Gives the title to a person, or back to the champion.
    fn pass(&mut self, person: &Person, now: f64, event: Option<&EventRecord>) {
        let place = self.persons.iter().position(|known| known == person).unwrap_or_else(|| {
            self.persons.push(person.clone());
            let name = person.surname().to_owned();
            self.holders.push(Holder { name, spans: Vec::new(), events: Vec::new() });
            self.holders.len() - 1
        });
        if let Some(record) = event {
            let title = format!("{}: {}", record.event.name, self.holders[place].name);
            self.holders[place].events.push((now, Link::to_event(record).href, title));
        }
        self.holder = Some((place, now));
    }

    /// The holders, the last of whom has the title until the end of the archive.
    fn holders(mut self, title: &str) -> Vec<Holder> {
        let newest = self.site.years.last().map(|(year, _)| year + 1);
        let newest = newest.into_iter().chain(end_of_title(title)).min().map(f64::from);
        if let Some(((place, since), newest)) = self.holder.zip(newest) {
            self.holders[place].spans.push((since, newest, false));
        }
        self.holders
    }
}

/// A title through the years.
fn championship(
    site: &Site,
    persons: &Persons,
    name: String,
    events: &[TitleEvent],
) -> impl Serialize + use<> {
    let mut rows = Vec::new();
    let mut succession = Succession::new(site);
    for (event, outcome) in outcomes(site.archive, persons, events) {
        let record = event.record.map(|record| &site.archive.records[record]);
        let now = year_of(site.archive, event);
        succession.reign_until(now, is_forfeited(event) || outcome.champion_plays);
        match &outcome.champion {
            Some(person) => succession.pass(person, now, record),
            None => succession.holder = None,
        }
        rows.push(match (event.record, event.result) {
            (Some(record), _) => TitleLine::new(site, record, &outcome),
            (None, Some(result)) => TitleLine::without_games(site, persons, result, &outcome),
            (None, None) => continue,
        });
    }
    let with_games = events.iter().filter(|event| event.record.is_some()).count();
    let without = match rows.len() - with_games.min(rows.len()) {
        0 => String::new(),
        absent => format!(" Of {} there are no games here.", counted(absent, "event", "events")),
    };
    let holders = succession.holders(&name);
    let anchor = slug(&name);
    let chart = reigns(&anchor, &format!("{name}: the champions"), &holders);
    view!(
        summary = format!(
            "{}, {}.{without}",
            counted(rows.len(), "event", "events"),
            counted(holders.len(), "champion", "champions")
        ),
        name,
        anchor,
        chart,
        rows
    )
}

/// The name of a player of an event in spoken order.
fn full_name(site: &Site, record: &EventRecord, player: &PlayerAnalysis) -> String {
    spoken(&site.archive.players.get(record.event.players[player.index]).name)
}

impl TitleLine {
    /// A title event of which the archive has no games.
    fn without_games(
        site: &Site,
        persons: &Persons,
        result: &KnownResult,
        outcome: &TitleOutcome,
    ) -> TitleLine {
        let year = result.start.year().map(|year| year.to_string()).unwrap_or_default();
        let was_played = result.games != Some(0);
        let place = match result.place.as_str() {
            "" => String::new(),
            place => format!(", {}", place.replace('/', " and ")),
        };
        let text = if was_played {
            format!("{}{place} {year}", result.name)
        } else {
            format!("{} {year}, not played", result.name)
        };
        let loser = result.contestants.iter().chain(&result.runners_up);
        let champion = outcome.champion.as_ref().map(|person| person.name.as_str());
        let loser = loser.map(|name| persons.named(site.archive, name).name);
        let loser = loser.into_iter().find(|name| Some(name.as_str()) != champion);
        let is_match = !result.contestants.is_empty();
        let against = match (is_match, loser, result.players) {
            (true, Some(loser), _) => spoken(&loser),
            (_, _, Some(players)) => counted(players, "player", "players"),
            _ => String::new(),
        };
        let score = match (result.points, result.second_points) {
            _ if !was_played => "forfeited".into(),
            (Some(won), Some(lost)) if is_match => format!("{}–{}", points(won), points(lost)),
            (Some(won), _) => points(won),
            (None, _) if result.ended.is_without_result() => result.ended.participle().into(),
            (None, _) => String::new(),
        };
        TitleLine {
            event: Link { href: String::new(), text },
            year,
            champion: outcome.champion.as_ref().map(|person| link(site, person)),
            kept: outcome.kept,
            against,
            score,
            known: if was_played { "no games here".into() } else { String::new() },
            rank: String::new(),
            performance: String::new(),
            g: String::new(),
            strength: String::new(),
        }
    }

    fn new(site: &Site, event: usize, outcome: &TitleOutcome) -> TitleLine {
        let record = &site.archive.records[event];
        let players = &record.analysis.players;
        let champion = outcome.champion.as_ref().and_then(|person| {
            let index = record.event.players.iter().position(|one| Some(*one) == person.player)?;
            players.iter().find(|player| player.index == index)
        });
        let is_match = record.event.kind == Kind::Match && players.len() == 2;
        let others =
            players.iter().filter(|player| champion.is_none_or(|one| one.index != player.index));
        let against = if is_match {
            let names = others.map(|player| full_name(site, record, player));
            names.collect::<Vec<_>>().join(", ")
        } else {
            counted(players.len(), "player", "players")
        };
        TitleLine {
            year: Site::year(record),
            event: Link::to_event(record),
            champion: outcome.champion.as_ref().map(|person| link(site, person)),
            kept: outcome.kept,
            against,
            score: score(record, champion),
            known: known_games(record),
            rank: champion
                .and_then(|one| {
                    let leaders = record.ratings.leaders.iter();
                    leaders.clone().find(|leader| leader.player == Some(one.index))
                })
                .map(|leader| leader.rank.to_string())
                .unwrap_or_default(),
            performance: fixed_or_empty(champion.and_then(|one| one.performance_rating), 0),
            g: fixed_or_empty(champion.and_then(|one| one.g_score), 2),
            strength: Site::strength(record),
        }
    }
}

/// The champion's score: of a match with the opponent's, by history where it is known.
fn score(record: &EventRecord, champion: Option<&PlayerAnalysis>) -> String {
    let players = &record.analysis.players;
    let is_match = record.event.kind == Kind::Match && players.len() == 2;
    let Some(one) = champion else {
        return match (is_match, broken_off(record)) {
            (true, Some(ending)) => ending.into(),
            (true, None) if is_whole(record) => "drawn".into(),
            _ => String::new(),
        };
    };
    if !is_match {
        let official = record.event.known.as_ref().and_then(|known| known.result.points);
        return match official.filter(|_| !is_whole(record)) {
            Some(official) => points(official),
            None if record.event.kind == Kind::KnockOut => String::new(),
            None => format!("{} of {}", points(one.main_points), one.main_games),
        };
    }
    if record.winners().is_empty() {
        let score = record
            .event
            .official_score()
            .map(|(one, other)| format!("{}–{}, ", points(one), points(other)));
        let ending = broken_off(record).unwrap_or_default();
        return format!("{}{ending}", score.unwrap_or_default());
    }
    let other = players.iter().find(|player| player.index != one.index);
    let found = (one.main_points, other.map_or(0.0, |other| other.main_points));
    let (won, lost) = official_score(record).unwrap_or(found);
    format!("{}–{}", points(won), points(lost))
}

/// How many games are known, if some are missing: `17 of 30 games here`.
fn known_games(record: &EventRecord) -> String {
    let (known, expected) = (record.eligibility.placed_games, record.eligibility.expected_games);
    if is_whole(record) || known >= expected {
        return String::new();
    }
    format!("{known} of {} here", counted(expected, "game", "games"))
}
