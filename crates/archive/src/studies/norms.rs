//! Computes categories, norms and titles by the rules of 1977.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 4.32 to
//! 4.52. The rules apply only on FIDE's scale: to FIDE's ratings, and before 1971 to historical Elo
//! ratings on the day of the event.

use std::collections::BTreeMap;

use jiff::civil::{Date, date};
use rayon::prelude::*;

use crate::rated_players::on_the_day::NamedOnTheDay;
use crate::record::event_norms::{AchievedNorm, Condition, EventNorms, NormRatings};
use crate::record::{AnalysedEvent, EventRecord};
use chess_history::players::{Player, PlayerId, Players};
use chess_history::ratings::FIDE_SYSTEM;
use pgn_collections::games::Tempo;
use rating_systems::forecasts::{Title, category, norm_field, norm_points, rated_as_titled};
use tournament_app::{EventPart, Kind};

/// The first year of FIDE's ratings.
pub(super) const FIDE_FROM: i16 = 1971;

/// The ratings (points) of unrated players, in open and in women's events (4.34). In open events,
/// women rated below the last figure count as unrated.
const UNRATED: f64 = 2200.0;
const UNRATED_WOMAN: f64 = 1900.0;
const LOWEST_WOMAN: f64 = 2205.0;

/// The proportion of players, as a fraction, that must be known women in a women's event. Judged:
/// the sex of some players is unknown, and a guest may take part. With half, an open event in which
/// most players are women would count as a women's event.
const WOMEN: (usize, usize) = (4, 5);

/// The number of games that a norm needs. Source: the rules of 1977 (4.32 to 4.52).
const GAMES: usize = 9;

/// The year by which federations of several countries had dissolved.
const FELL_APART: i16 = 1992;

/// The federations that had dissolved by then.
const DISSOLVED: [&str; 4] = ["GDR", "TCH", "URS", "YUG"];

/// The least number of federations in a field. Source: the rules of 1977.
const FEDERATIONS: usize = 3;

/// A player who was awarded a title, or would have been by the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Titled {
    pub player: PlayerId,
    pub title: Title,
    /// The year of the award, if the spelling file has it.
    pub awarded: Option<i16>,
    /// The rating in that year (points): of FIDE's list, or before 1971 of historical Elo.
    pub rating: Option<f64>,
    /// The year in which the rules of 1977 would have awarded the title.
    pub by_rules: Option<i16>,
    /// The indices of the records with the player's norms until then, or with all norms if they are
    /// too few.
    pub norms: Vec<usize>,
}

/// Computes the categories and norms of all events.
pub fn norms(
    records: &[AnalysedEvent],
    players: &Players,
    on_the_day: Option<&NamedOnTheDay>,
) -> Vec<Option<EventNorms>> {
    records.par_iter().map(|record| norms_of_event(record, players, on_the_day)).collect()
}

fn norms_of_event(
    record: &AnalysedEvent,
    players: &Players,
    on_the_day: Option<&NamedOnTheDay>,
) -> Option<EventNorms> {
    let is_round_robin = matches!(
        record.event.kind,
        Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::MultipleRoundRobin
    );
    if !is_round_robin || record.event.players.len() < 3 || record.event.tempo != Tempo::Classical {
        return None;
    }
    let year = record.event.start.year()?;
    let persons: Vec<&Player> =
        record.event.players.iter().map(|player| players.get(*player)).collect();
    let (by, ratings) = ratings_of_field(record, year, players, on_the_day)?;
    let scores = main_scores(record);
    let playing: Vec<usize> = (0..scores.len()).filter(|player| scores[*player].0 > 0).collect();
    let field = norm_field(playing.len() as u32);
    let rated = playing.iter().filter(|player| ratings[**player].is_some()).count();
    // With more missing ratings, unrated players cannot be distinguished from those whose ratings
    // are unknown here.
    if rated < field.rated as usize {
        return None;
    }
    let women = playing.iter().filter(|player| is_woman(persons[**player])).count();
    let is_womens = WOMEN.1 * women >= WOMEN.0 * playing.len() && women > 0;
    let counted: Vec<f64> = playing
        .iter()
        .filter_map(|&player| match (ratings[player], is_womens) {
            (Some(rating), false) if rating < LOWEST_WOMAN && is_woman(persons[player]) => {
                Some(UNRATED)
            }
            (Some(rating), _) => Some(rating),
            (None, _) if scores[player].1 == 0.0 => None,
            (None, true) => Some(UNRATED_WOMAN),
            (None, false) => Some(UNRATED),
        })
        .collect();
    let average = (counted.iter().sum::<f64>() / counted.len().max(1) as f64 + 0.5).floor();
    let category = category(average, is_womens)?;
    let mut conditions = vec![(Condition::Rated, Some(true))];
    if by == NormRatings::Fide {
        conditions.extend(federations(&playing, year, &persons));
    }
    let titled =
        playing.iter().map(|&player| is_titled(persons[player], ratings[player], year, is_womens));
    conditions.push((Condition::Titled, met(titled, field.titled as usize)));
    let may_make = conditions.iter().all(|(_, met)| *met != Some(false));
    let titles: Vec<Title> =
        Title::ALL.into_iter().filter(|title| title.is_womens() == is_womens).collect();
    let mut made = Vec::new();
    for (place, player) in record.analysis.players.iter().enumerate().filter(|_| may_make) {
        let (games, score) = scores[player.index];
        // The results of missing games are unknown, and winners' games are kept more often than
        // others.
        let (known, expected) = record.eligibility.games_of(&record.analysis.players[place]);
        if games < GAMES || known < expected {
            continue;
        }
        if is_womens && !is_woman(persons[player.index]) {
            continue;
        }
        let norm = titles.iter().find_map(|&title| {
            let needed = norm_points(title, category, games as u32)?;
            (score >= needed).then_some(AchievedNorm { place, title, games, score, needed })
        });
        made.extend(norm);
    }
    Some(EventNorms { average, category, is_womens, by, conditions, made })
}

/// The ratings (points) that the rules are applied to, by the numbers of the players; `None` where
/// the event has none on FIDE's scale.
fn ratings_of_field(
    record: &AnalysedEvent,
    year: i16,
    players: &Players,
    on_the_day: Option<&NamedOnTheDay>,
) -> Option<(NormRatings, Vec<Option<f64>>)> {
    if year < FIDE_FROM {
        let (ratings, day) = (on_the_day?, record.event.start.middle()?);
        let field = record.event.players.iter();
        let known = field.map(|player| ratings.rating(players.get(*player), day));
        return Some((NormRatings::Historical, known.collect()));
    }
    if record.ratings.origin.name() != FIDE_SYSTEM {
        return None;
    }
    let known = record.input.players.iter().map(|player| player.initial_rating);
    Some((NormRatings::Fide, known.collect()))
}

/// Games and points in the main event, by the numbers of the players.
fn main_scores(record: &AnalysedEvent) -> Vec<(usize, f64)> {
    let mut scores = vec![(0usize, 0.0); record.event.players.len()];
    for game in record.input.played().filter(|game| game.part == EventPart::Main) {
        for (player, score) in
            [(game.white, game.white_score), (game.black, 1.0 - game.white_score)]
        {
            scores[player] = (scores[player].0 + 1, scores[player].1 + score);
        }
    }
    scores
}

fn is_woman(player: &Player) -> bool {
    player.life.as_ref().is_some_and(chess_history::players::Life::is_woman)
}

/// Whether a player counted as titled; `None` if the year of the title is unknown.
fn is_titled(player: &Player, rating: Option<f64>, year: i16, is_womens: bool) -> Option<bool> {
    if rating.is_some_and(|rating| rating > rated_as_titled(is_womens)) {
        return Some(true);
    }
    let Some(life) = &player.life else { return None };
    let known = life.title_years.iter().any(|(title, since)| {
        ["GM", "IM", "FM", "WGM", "WIM", "WFM"].contains(&title.as_str()) && *since <= year
    });
    // A player without a title, or with a later one, may have had a lower one whose year is
    // unknown.
    known.then_some(true)
}

/// Whether at least `needed` of these are true; `None` if it depends on unknown ones.
fn met(conditions: impl Iterator<Item = Option<bool>>, needed: usize) -> Option<bool> {
    let (mut yes, mut unknown) = (0, 0);
    for one in conditions {
        yes += usize::from(one == Some(true));
        unknown += usize::from(one.is_none());
    }
    if yes >= needed {
        Some(true)
    } else if yes + unknown < needed {
        Some(false)
    } else {
        None
    }
}

/// The federation of a player in a year; `None` if it is unknown.
fn federation_in(player: &Player, year: i16) -> Option<&str> {
    let life = player.life.as_ref()?;
    let mut federations = life.federation.split('/').filter(|one| !one.is_empty());
    // Until federations dissolved, it was mostly the first.
    if year < FELL_APART {
        return federations.next();
    }
    let mut left = federations.filter(|federation| !DISSOLVED.contains(federation));
    // Of several federations it is unknown which applied then.
    left.next().filter(|_| left.next().is_none())
}

/// Whether the field has three federations, and a third of it is not from the largest one.
fn federations(
    playing: &[usize],
    year: i16,
    persons: &[&Player],
) -> [(Condition, Option<bool>); 2] {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for federation in playing.iter().filter_map(|player| federation_in(persons[*player], year)) {
        *counts.entry(federation).or_default() += 1;
    }
    let known: usize = counts.values().sum();
    let unknown = playing.len() - known;
    let most = counts.values().copied().max().unwrap_or(0);
    let needed = norm_field(playing.len() as u32).of_other_federations as usize;
    let three = match counts.len() {
        FEDERATIONS.. => Some(true),
        fewer if fewer + unknown < FEDERATIONS => Some(false),
        _ => None,
    };
    // Unknown players may all be of the largest federation, or of none of these.
    let others = if known - most >= needed && unknown == 0 {
        Some(true)
    } else if known - most + unknown < needed {
        Some(false)
    } else if playing.len().saturating_sub(most + unknown) >= needed {
        Some(true)
    } else {
        None
    };
    [(Condition::Federations, three), (Condition::OtherFederations, others)]
}

/// The number of norms for a title, the number of games in them, and the years within which they
/// must be achieved. Source: the rules of 1977.
const NORMS: usize = 2;
const NORM_GAMES: usize = 24;
const YEARS: i16 = 5;

/// Titles as they were awarded, and as the rules of 1977 would have awarded them.
pub fn titles(
    records: &[EventRecord],
    players: &Players,
    on_the_day: Option<&NamedOnTheDay>,
    rating_of_list: &dyn Fn(PlayerId, Date) -> Option<f64>,
) -> Vec<Titled> {
    let mut made: BTreeMap<(PlayerId, u8), Vec<(usize, &AchievedNorm)>> = BTreeMap::new();
    for (event, record) in records.iter().enumerate() {
        for norm in record.norms.iter().flat_map(|norms| &norms.made) {
            let player = record.event.players[record.analysis.players[norm.place].index];
            // A grandmaster norm is also a master norm.
            let titles = Title::ALL.iter().enumerate().filter(|(_, title)| {
                title.is_womens() == norm.title.is_womens() && title.level() <= norm.title.level()
            });
            for (number, _) in titles {
                made.entry((player, number as u8)).or_default().push((event, norm));
            }
        }
    }
    let rating = |player: PlayerId, year: i16| {
        let day = date(year, 7, 1);
        if year >= FIDE_FROM {
            rating_of_list(player, day)
        } else {
            on_the_day.and_then(|ratings| ratings.rating(players.get(player), day))
        }
    };
    let mut found = Vec::new();
    for (player, person) in players.iter() {
        for (number, title) in Title::ALL.into_iter().enumerate() {
            let awarded = person.life.as_ref().and_then(|life| life.title_year(title.word()));
            let norms = made.get(&(player, number as u8)).map_or(&[][..], Vec::as_slice);
            let by_rules = by_rules(records, norms, title, &|year| rating(player, year));
            if awarded.is_none() && by_rules.is_none() {
                continue;
            }
            let until = by_rules.map_or(norms.len(), |(_, last)| last + 1);
            found.push(Titled {
                player,
                title,
                awarded,
                rating: awarded.and_then(|year| rating(player, year)),
                by_rules: by_rules.map(|(year, _)| year),
                norms: norms[..until].iter().map(|(event, _)| *event).collect(),
            });
        }
    }
    found
}

/// The year in which the norms were enough, and the place of the last of them.
fn by_rules(
    records: &[EventRecord],
    norms: &[(usize, &AchievedNorm)],
    title: Title,
    rating: &dyn Fn(i16) -> Option<f64>,
) -> Option<(i16, usize)> {
    let mut best: f64 = 0.0;
    for (place, (event, _)) in norms.iter().enumerate() {
        let now = records[*event].event.start.year()?;
        best = best.max(rating(now).unwrap_or(0.0));
        let (mut count, mut games) = (0, 0);
        for (event, norm) in &norms[..=place] {
            let year = records[*event].event.start.year();
            if year.is_some_and(|then| now - then <= YEARS) {
                count += 1;
                games += norm.games;
            }
        }
        if count >= NORMS && games >= NORM_GAMES && best >= title.rating() {
            return Some((now, place));
        }
    }
    None
}
