//! Who held each title after each of its events.

use rustc_hash::FxHashMap;

use super::championships::{TITLE, TitleEvent, end_of_title, is_world_title, titles};
use archive::Archive;
use chess_history::events::Ending;
use chess_history::players::{PlayerId, slug};

/// A player of title events.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// The name, family name first.
    pub name: String,
    /// The player here; `None` for a champion without games.
    pub player: Option<PlayerId>,
}

impl Person {
    fn of_player(archive: &Archive, player: PlayerId) -> Person {
        let name = archive.players.get(player).name.clone();
        Person { name, player: Some(player) }
    }

    pub fn surname(&self) -> &str {
        self.name.split(',').next().unwrap_or(&self.name).trim()
    }
}

/// The players by the words of their names, to find those whom the table of known results names.
pub struct Persons {
    by_words: FxHashMap<Vec<String>, PlayerId>,
}

impl Persons {
    pub fn new(archive: &Archive) -> Persons {
        let mut by_words = FxHashMap::default();
        for (id, player) in archive.players.iter() {
            by_words.entry(sorted_words(&player.name)).or_insert(id);
        }
        Persons { by_words }
    }

    pub fn named(&self, archive: &Archive, name: &str) -> Person {
        match self.by_words.get(&sorted_words(name)) {
            Some(player) => Person::of_player(archive, *player),
            None => Person { name: name.to_owned(), player: None },
        }
    }
}

/// The words of a name in any order: `Xie Jun` and `Xie, Jun` have the same.
fn sorted_words(name: &str) -> Vec<String> {
    let slug = slug(name);
    let mut words: Vec<String> = slug.split('-').map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// Whether a title passed without a game.
pub fn is_forfeited(event: TitleEvent) -> bool {
    event.result.is_some_and(|result| result.games == Some(0))
}

/// The events that decided a title, each with the champion after it.
pub fn outcomes<'a>(
    archive: &Archive,
    persons: &Persons,
    events: &[TitleEvent<'a>],
) -> Vec<(TitleEvent<'a>, TitleOutcome)> {
    let mut outcomes = Vec::new();
    let mut champion: Option<Person> = None;
    for (place, &event) in events.iter().enumerate() {
        let next = events.get(place + 1);
        if event.result.is_none() && next.is_some_and(|next| is_final(archive, *next)) {
            continue;
        }
        // Without an earlier champion nothing was forfeited.
        if is_forfeited(event) && champion.is_none() {
            continue;
        }
        let outcome = TitleOutcome::new(archive, persons, event, champion.as_ref());
        champion = outcome.champion.clone();
        outcomes.push((event, outcome));
    }
    outcomes
}

/// The time from the event that made a player champion to the one that made another.
#[derive(Clone, Debug)]
pub struct Reign {
    /// Whose title it was: `World champion`.
    title: String,
    from: i16,
    /// `None` for the champion of the last event.
    to: Option<i16>,
}

impl Reign {
    /// `World champion 1960–1961`, `World champion from 2024`.
    pub fn words(&self) -> String {
        match self.to {
            Some(to) if to != self.from => format!("{} {}–{to}", self.title, self.from),
            Some(_) => format!("{} {}", self.title, self.from),
            None => format!("{} from {}", self.title, self.from),
        }
    }
}

/// The reigns of the world champions, by player, in the order of the titles and of time.
pub fn reigns_of_players(archive: &Archive) -> FxHashMap<PlayerId, Vec<Reign>> {
    let mut reigns: FxHashMap<PlayerId, Vec<Reign>> = FxHashMap::default();
    let titles = titles(archive);
    if titles.is_empty() {
        return reigns;
    }
    let persons = Persons::new(archive);
    for (name, events) in titles {
        if !is_world_title(&name) {
            continue;
        }
        let title = name.replace(TITLE, "world champion");
        let title = title[..1].to_uppercase() + &title[1..];
        let mut holder: Option<(Person, i16)> = None;
        let mut close = |holder: Option<(Person, i16)>, to: Option<i16>| {
            if let Some((Person { player: Some(player), .. }, from)) = holder {
                // The title of the dead is vacant.
                let life = archive.players.get(player).life.as_ref();
                let died = life.and_then(|life| life.died);
                let to = to.into_iter().chain(died).min();
                let reign = Reign { title: title.clone(), from, to };
                reigns.entry(player).or_default().push(reign);
            }
        };
        for (event, outcome) in outcomes(archive, &persons, &events) {
            let year = year_of(archive, event).floor() as i16;
            if holder.as_ref().map(|(person, _)| person) == outcome.champion.as_ref() {
                continue;
            }
            close(holder.take(), Some(year));
            holder = outcome.champion.map(|person| (person, year));
        }
        close(holder, end_of_title(&name));
    }
    reigns
}

/// Whether an event is the final of the knock-out before it, which then does not decide the title.
fn is_final(archive: &Archive, event: TitleEvent) -> bool {
    event.record.is_some_and(|record| {
        archive.records[record].event.name.contains(&format!("{TITLE} Final"))
    })
}

/// Who was champion after an event.
pub struct TitleOutcome {
    pub champion: Option<Person>,
    /// Whether the champion before played in it.
    pub champion_plays: bool,
    pub kept: bool,
}

impl TitleOutcome {
    fn new(
        archive: &Archive,
        persons: &Persons,
        event: TitleEvent,
        before: Option<&Person>,
    ) -> TitleOutcome {
        let named = |names: &[String]| -> Vec<Person> {
            names.iter().map(|name| persons.named(archive, name)).collect()
        };
        let (field, winners, is_void) = match (event.record, event.result) {
            (Some(record), _) => {
                let record = &archive.records[record];
                let players = &record.event.players;
                let players: Vec<Person> =
                    players.iter().map(|player| Person::of_player(archive, *player)).collect();
                let standings = &record.analysis.players;
                let won = record.winners().into_iter();
                let won = won.map(|standing| players[standings[standing].index].clone()).collect();
                let is_void = record.event.ending().is_some_and(Ending::is_without_result);
                (players, won, is_void)
            }
            (None, Some(result)) => {
                let winners = named(&result.winners);
                let others = named(&[&result.contestants[..], &result.runners_up].concat());
                let field = [&winners[..], &others].concat();
                (field, winners, result.ended.is_without_result())
            }
            (None, None) => (Vec::new(), Vec::new(), false),
        };
        let champion_plays = before.is_some_and(|before| field.contains(before));
        // If no one won, the champion kept the title.
        let champion = match &winners[..] {
            [one] => Some(one.clone()),
            [] if !is_void => None,
            _ => before.filter(|_| champion_plays).cloned(),
        };
        let kept = champion.is_some() && champion.as_ref() == before;
        TitleOutcome { champion, champion_plays, kept }
    }
}

/// The end of an event, as a decimal year.
pub fn year_of(archive: &Archive, event: TitleEvent) -> f64 {
    let (start, end) = event.days(archive);
    let day = if end.year().is_some() { end } else { start };
    let year = f64::from(day.year().unwrap_or_default());
    match (day.known_parts(), day.earliest()) {
        (2.., Some(day)) => year + f64::from(day.day_of_year() - 1) / 365.25,
        _ => year + 0.5,
    }
}
