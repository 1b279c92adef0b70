//! World championships: who held each title, against whom, and how strong the champions were.

use serde::Serialize;

use super::outcome::{broken_off, official_score, winners};
use super::{Frame, Link, Site};
use crate::archive::{Archive, EventRecord};
use crate::events::Ending;
use crate::games::Tempo;
use crate::players::{PlayerId, slug};
use crate::site::charts::{Holder, Reigns, reigns};
use crate::site::figures::{counted, fixed_or_empty, points, spoken};
use crate::tournament::{Kind, PlayerAnalysis};

/// The words in the name of an event for such a title.
const TITLE: &str = "World Championship";

/// Organisers of events for one title: the words before [`TITLE`] in the event names, and the
/// title. Several organisers held Kasparov's title of 1993, until it was united with FIDE's in
/// 2006.
const BODIES: [(&str, &str); 5] = [
    ("", "World Championship"),
    ("PCA", "World Championship"),
    ("Braingames", "World Championship"),
    ("FIDE", "FIDE World Championship"),
    ("Women’s", "Women’s World Championship"),
];

/// Events that the title of another organiser needs for a section.
const ENOUGH: usize = 3;

/// World championships.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ChampionsPage {
    frame: Frame,
    titles: Vec<Championship>,
}

/// A title through the years.
#[derive(Debug, Serialize)]
struct Championship {
    name: String,
    anchor: String,
    summary: String,
    chart: Option<Reigns>,
    rows: Vec<TitleLine>,
}

/// An event for a title.
#[derive(Debug, Serialize)]
struct TitleLine {
    year: String,
    event: Link,
    /// The champion after the event; `None` if the games do not show it.
    champion: Option<Link>,
    /// Whether he was champion before.
    kept: bool,
    /// The opponent in a match, or the number of players.
    against: String,
    score: String,
    rank: String,
    performance: String,
    g: String,
    strength: String,
}

/// The title that an event was for, by its name.
fn title_of(record: &EventRecord) -> Option<String> {
    let event = &record.event;
    // A match of a knock-out or of a cycle is included in that event.
    if event.part_of.is_some() || event.tempo != Tempo::Classical || event.kind == Kind::Fragment {
        return None;
    }
    let (before, after) = event.name.split_once(TITLE)?;
    let is_of_it = |after: &str| {
        let rest = after.trim_start();
        rest.is_empty()
            || rest.starts_with([',', ':', '('])
            || rest.starts_with(|c: char| c.is_ascii_digit())
    };
    if !is_of_it(after) && !is_of_it(after.strip_prefix(" Final").unwrap_or("-")) {
        return None;
    }
    let before = before.trim().replace('\'', "’");
    let known = BODIES.iter().find(|(body, _)| *body == before);
    Some(known.map_or_else(|| format!("{before} {TITLE}"), |(_, title)| (*title).to_owned()))
}

/// Whether there is a page.
pub(in crate::site) fn has_champions(archive: &Archive) -> bool {
    !titles(archive).is_empty()
}

/// Titles with their events in the order of time.
fn titles(archive: &Archive) -> Vec<(String, Vec<usize>)> {
    let mut titles: Vec<(String, Vec<usize>)> = Vec::new();
    let mut events: Vec<usize> = (0..archive.records.len()).collect();
    events.retain(|event| archive.records[*event].event.start.year().is_some());
    events.sort_by_key(|event| archive.records[*event].event.days());
    for event in events {
        let Some(title) = title_of(&archive.records[event]) else { continue };
        match titles.iter_mut().find(|(name, _)| *name == title) {
            Some((_, events)) => events.push(event),
            None => titles.push((title, vec![event])),
        }
    }
    titles.retain(|(name, events)| {
        events.len() >= ENOUGH || BODIES.iter().any(|(_, title)| title == name)
    });
    let place = |name: &str| BODIES.iter().position(|(_, title)| *title == name);
    titles.sort_by_key(|(name, events)| {
        (place(name).unwrap_or(BODIES.len()), std::cmp::Reverse(events.len()))
    });
    titles
}

/// The view of the championships.
pub(in crate::site) fn champions(site: &Site) -> ChampionsPage {
    let titles: Vec<Championship> = titles(site.archive)
        .into_iter()
        .map(|(name, events)| Championship::of(site, name, &events))
        .collect();
    ChampionsPage {
        frame: site.cited_frame(
            "champions.html",
            "champions",
            "World championships".into(),
            "Every world championship in this archive: the champion, the opponent, and the strength of the event."
                .into(),
        ),
        titles,
    }
}

impl Championship {
    fn of(site: &Site, name: String, events: &[usize]) -> Championship {
        let records = &site.archive.records;
        // If a final follows, the knock-out before it does not decide the title.
        let is_final = |event: usize| records[event].event.name.contains(&format!("{TITLE} Final"));
        let mut rows = Vec::new();
        let mut holders: Vec<Holder> = Vec::new();
        let mut persons: Vec<PlayerId> = Vec::new();
        // The champion, as an index into the holders.
        let mut holder: Option<usize> = None;
        for (place, &event) in events.iter().enumerate() {
            let record = &records[event];
            let leads_on = record.event.kind == Kind::KnockOut
                && events.get(place + 1).is_some_and(|next| is_final(*next));
            if leads_on {
                continue;
            }
            let field = &record.event.players;
            let standing_of = |person| {
                let index = field.iter().position(|player| *player == person)?;
                record.analysis.players.iter().position(|player| player.index == index)
            };
            let before = holder.and_then(|holder| standing_of(persons[holder]));
            // Where no one won, the champion kept the title.
            let won = match winners(site, record)[..] {
                [one] => Some(one),
                [_, _, ..] => before,
                [] => {
                    before.filter(|_| record.event.ending().is_some_and(Ending::is_without_result))
                }
            };
            let now = year_of(record);
            if let Some(place) = holder {
                // The title of the dead is vacant.
                let life = site.archive.players.get(persons[place]).life.as_ref();
                let died =
                    life.and_then(|life| life.died).map_or(now, |year| f64::from(year) + 0.5);
                let holder: &mut Holder = &mut holders[place];
                let last = holder.events.last().map_or(now, |(year, ..)| *year);
                let to = if before.is_some() { now } else { now.min(died.max(last)) };
                holder.spans.push((last, to, before.is_some()));
            }
            holder = won.map(|standing| {
                let person = field[record.analysis.players[standing].index];
                let name = surname(site, person);
                let title = format!("{}: {name}", record.event.name);
                let place =
                    persons.iter().position(|known| *known == person).unwrap_or_else(|| {
                        persons.push(person);
                        holders.push(Holder { name, spans: Vec::new(), events: Vec::new() });
                        holders.len() - 1
                    });
                holders[place].events.push((now, Link::to_event(record).href, title));
                place
            });
            rows.push(TitleLine::of(site, event, won, before.is_some() && before == won));
        }
        if let Some(holder) = holder.map(|place| &mut holders[place]) {
            let newest = site.years.last().map(|(year, _)| f64::from(*year) + 1.0);
            let last = holder.events.last().map(|(year, ..)| *year);
            holder.spans.extend(last.zip(newest).map(|(last, newest)| (last, newest, false)));
        }
        let anchor = slug(&name);
        let chart = reigns(&anchor, &format!("{name}: the champions"), &holders);
        Championship {
            summary: format!(
                "{}, {}.",
                counted(rows.len(), "event", "events"),
                counted(holders.len(), "champion", "champions")
            ),
            name,
            anchor,
            chart,
            rows,
        }
    }
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

fn surname(site: &Site, person: PlayerId) -> String {
    let name = &site.archive.players.get(person).name;
    name.split(',').next().unwrap_or(name).trim().to_owned()
}

impl TitleLine {
    fn of(site: &Site, event: usize, won: Option<usize>, kept: bool) -> TitleLine {
        let record = &site.archive.records[event];
        let players = &record.analysis.players;
        let name = |player: &PlayerAnalysis| {
            spoken(&site.archive.players.get(record.event.players[player.index]).name)
        };
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
                (Some(other), _) => name(other),
                (None, true) => players.iter().map(name).collect::<Vec<_>>().join(", "),
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
