//! World championships: who held each title, against whom, and how strong the champions were.

use serde::Serialize;

use super::championships::{TITLE, title_in, titles};
use super::outcome::{broken_off, official_score};
use super::page::Page;
use super::{Link, Site};
use crate::charts::{Holder, reigns};
use crate::figures::{counted, fixed_or_empty, points, spoken};
use archive::EventRecord;
use chess_history::events::{Ending, KnownResult};
use chess_history::players::{PlayerId, slug};
use tournament_app::{Kind, PlayerAnalysis};

/// An event for a title.
#[derive(Debug, Serialize)]
struct TitleLine {
    year: String,
    event: Link,
    /// The champion after the event; `None` if the games do not show it.
    champion: Option<Link>,
    /// Whether the champion kept the title.
    kept: bool,
    /// The opponent in a match, or the number of players.
    against: String,
    score: String,
    rank: String,
    performance: String,
    g: String,
    strength: String,
}

pub fn champions(site: &Site, page: &Page) -> impl Serialize {
    let titles: Vec<_> = titles(site.archive)
        .into_iter()
        .map(|(name, events)| championship(site, name, &events))
        .collect();
    let description = "Every world championship in this archive: the champion, the opponent, \
         and the strength of the event.";
    view!(frame = page.cited_frame(site, description), titles)
}

/// The champions one after the other.
struct Succession<'s> {
    site: &'s Site<'s>,
    holders: Vec<Holder>,
    /// The player of each holder.
    persons: Vec<PlayerId>,
    /// The champion, as an index into the holders, and the time (year) of the last event or forfeit
    /// that made or kept the champion.
    holder: Option<(usize, f64)>,
}

impl<'s> Succession<'s> {
    fn new(site: &'s Site<'s>) -> Succession<'s> {
        Succession { site, holders: Vec::new(), persons: Vec::new(), holder: None }
    }

    fn champion(&self) -> Option<PlayerId> {
        self.holder.map(|(place, _)| self.persons[place])
    }

    /// Draws the champion's time up to an event. Without the champion it shows only that the title
    /// had passed by then; the title of the dead is vacant.
    fn reign_until(&mut self, now: f64, plays: bool) {
        let Some((place, since)) = self.holder else { return };
        let life = self.site.archive.players.get(self.persons[place]).life.as_ref();
        let died = life.and_then(|life| life.died).map_or(now, |year| f64::from(year) + 0.5);
        let to = if plays { now } else { now.min(died.max(since)) };
        self.holders[place].spans.push((since, to, plays));
    }

    /// Gives the title to a player, or back to the champion.
    fn pass(&mut self, person: PlayerId, now: f64, event: Option<&EventRecord>) {
        let place = self.persons.iter().position(|known| *known == person).unwrap_or_else(|| {
            let name = surname(self.site, person);
            self.persons.push(person);
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
    fn holders(mut self) -> Vec<Holder> {
        let newest = self.site.years.last().map(|(year, _)| f64::from(*year) + 1.0);
        if let Some(((place, since), newest)) = self.holder.zip(newest) {
            self.holders[place].spans.push((since, newest, false));
        }
        self.holders
    }
}

/// The results of a title that passed without a game, in the order of time, with their time (year)
/// and the new champion.
fn forfeits<'s>(site: &'s Site, title: &str) -> Vec<(f64, PlayerId, &'s KnownResult)> {
    let unplayed = site.archive.findings.checked.unplayed.iter();
    unplayed
        .filter(|result| title_in(&result.name).as_deref() == Some(title))
        .filter_map(|result| {
            let [winner] = &result.winners[..] else { return None };
            let (id, _) = site.archive.players.iter().find(|(_, player)| player.name == *winner)?;
            let year = f64::from(result.start.year()?);
            let month = result.start.earliest().map_or(0.0, |day| f64::from(day.month() - 1));
            Some((year + month / 12.0, id, result.as_ref()))
        })
        .collect()
}

/// A title through the years.
fn championship(site: &Site, name: String, events: &[usize]) -> impl Serialize + use<> {
    let records = &site.archive.records;
    let mut rows = Vec::new();
    let mut succession = Succession::new(site);
    let mut forfeits = forfeits(site, &name).into_iter().peekable();
    for (place, &event) in events.iter().enumerate() {
        let record = &records[event];
        // If a final follows, the knock-out before it does not decide the title.
        let next = events.get(place + 1).map(|next| &records[*next].event.name);
        if record.event.kind == Kind::KnockOut
            && next.is_some_and(|next| next.contains(&format!("{TITLE} Final")))
        {
            continue;
        }
        let now = year_of(record);
        // Without an earlier champion nothing was forfeited.
        while let Some((then, winner, result)) = forfeits.next_if(|(then, ..)| *then < now) {
            if let Some(before) = succession.champion() {
                succession.reign_until(then, true);
                succession.pass(winner, then, None);
                rows.push(TitleLine::forfeited(site, result, (winner, before)));
            }
        }
        let field = &record.event.players;
        let before = succession.champion().and_then(|person| {
            let index = field.iter().position(|player| *player == person)?;
            record.analysis.players.iter().position(|player| player.index == index)
        });
        // If no one won, the champion kept the title.
        let won = match record.winners()[..] {
            [one] => Some(one),
            [_, _, ..] => before,
            [] => before.filter(|_| record.event.ending().is_some_and(Ending::is_without_result)),
        };
        succession.reign_until(now, before.is_some());
        match won.map(|standing| field[record.analysis.players[standing].index]) {
            Some(person) => succession.pass(person, now, Some(record)),
            None => succession.holder = None,
        }
        rows.push(TitleLine::new(site, event, won, before.is_some() && before == won));
    }
    let holders = succession.holders();
    let anchor = slug(&name);
    let chart = reigns(&anchor, &format!("{name}: the champions"), &holders);
    view!(
        summary = format!(
            "{}, {}.",
            counted(rows.len(), "event", "events"),
            counted(holders.len(), "champion", "champions")
        ),
        name,
        anchor,
        chart,
        rows
    )
}

/// The end of an event, as a decimal year.
fn year_of(record: &EventRecord) -> f64 {
    let day = if record.event.end.year().is_some() { record.event.end } else { record.event.start };
    let year = f64::from(day.year().unwrap_or_default());
    match (day.known_parts(), day.earliest()) {
        (2.., Some(day)) => year + f64::from(day.day_of_year() - 1) / 365.25,
        _ => year + 0.5,
    }
}

/// The name of a player of an event in spoken order.
fn full_name(site: &Site, record: &EventRecord, player: &PlayerAnalysis) -> String {
    spoken(&site.archive.players.get(record.event.players[player.index]).name)
}

fn surname(site: &Site, person: PlayerId) -> String {
    let name = &site.archive.players.get(person).name;
    name.split(',').next().unwrap_or(name).trim().to_owned()
}

impl TitleLine {
    /// A title that passed without a game to the first of two players.
    fn forfeited(
        site: &Site,
        result: &KnownResult,
        (winner, before): (PlayerId, PlayerId),
    ) -> TitleLine {
        let year = result.start.year().map(|year| year.to_string()).unwrap_or_default();
        TitleLine {
            event: Link {
                href: String::new(),
                text: format!("{} {year}, not played", result.name),
            },
            year,
            champion: Some(Link::to_player(site.archive, winner)),
            kept: false,
            against: spoken(&site.archive.players.get(before).name),
            score: "forfeited".into(),
            rank: String::new(),
            performance: String::new(),
            g: String::new(),
            strength: String::new(),
        }
    }

    fn new(site: &Site, event: usize, won: Option<usize>, kept: bool) -> TitleLine {
        let record = &site.archive.records[event];
        let players = &record.analysis.players;
        let champion = won.map(|place| &players[place]);
        let is_match = record.event.kind == Kind::Match && players.len() == 2;
        let other = won.filter(|_| is_match).map(|place| &players[1 - place]);
        TitleLine {
            year: Site::year(record),
            event: Link::to_event(record),
            champion: champion
                .map(|one| Link::to_player(site.archive, record.event.players[one.index])),
            kept,
            against: match (other, is_match) {
                (Some(other), _) => full_name(site, record, other),
                (None, true) => {
                    let names = players.iter().map(|player| full_name(site, record, player));
                    names.collect::<Vec<_>>().join(", ")
                }
                (None, false) => counted(players.len(), "player", "players"),
            },
            score: match (champion, other) {
                (Some(_), Some(_)) if record.winners().is_empty() => {
                    broken_off(record).unwrap_or_default().to_owned()
                }
                (Some(one), Some(other)) => match official_score(record) {
                    Some((won, lost)) => format!("{}–{}", points(won), points(lost)),
                    None => format!("{}–{}", points(one.main_points), points(other.main_points)),
                },
                (Some(one), None) => format!("{} of {}", points(one.points), one.games),
                (None, _) if is_match => broken_off(record).unwrap_or("drawn").into(),
                (None, _) => String::new(),
            },
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
