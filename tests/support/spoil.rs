//! Spoils collections: makes of a good collection an incomplete, mixed, misspelt one.
//!
//! Real databases have all of these kinds of damage. The games keep the numbers that they have in
//! the good collection, so a test can count which events stay whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use greatness::gazetteer::{Places, country_code};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A game of a collection.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceGame {
    /// Its number in the good collection. Its copies have the same number.
    pub number: usize,
    tags: Vec<(String, String)>,
    moves: String,
}

/// Event, site and year of a game's tags.
type EventKey = [String; 3];

impl SourceGame {
    fn parse(number: usize, text: &str) -> SourceGame {
        let mut tags = Vec::new();
        let mut moves = Vec::new();
        for line in text.lines() {
            let tag = line.strip_prefix('[').and_then(|tag| tag.strip_suffix("\"]"));
            if let Some((name, value)) = tag.and_then(|tag| tag.split_once(" \"")) {
                tags.push((name.to_owned(), value.to_owned()));
            } else {
                moves.push(line);
            }
        }
        SourceGame { number, tags, moves: moves.join("\n").trim().to_owned() }
    }

    /// Returns the value of a tag; empty without the tag.
    pub fn tag(&self, name: &str) -> &str {
        let tag = self.tags.iter().find(|(known, _)| known == name);
        tag.map_or("", |(_, value)| value)
    }

    fn set(&mut self, name: &str, value: String) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    fn remove(&mut self, name: &str) {
        self.tags.retain(|(known, _)| known != name);
    }

    fn event(&self) -> EventKey {
        let year = self.tag("Date").chars().take(4).collect();
        [self.tag("Event").to_owned(), self.tag("Site").to_owned(), year]
    }

    fn players(&self) -> [&str; 2] {
        [self.tag("White"), self.tag("Black")]
    }

    /// Whether both players are of this set.
    fn is_among(&self, players: &BTreeSet<&str>) -> bool {
        self.players().iter().all(|player| players.contains(player))
    }

    fn round(&self) -> u32 {
        let digits: String = self.tag("Round").chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    }

    fn is_draw(&self) -> bool {
        self.tag("Result") == "1/2-1/2"
    }

    /// Returns the game as PGN.
    pub fn pgn(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.tags {
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        text.push_str(&format!("\n{}\n\n", self.moves));
        text
    }
}

/// Returns the games of some bundled decades.
pub fn decades(names: &[&str]) -> Vec<SourceGame> {
    let mut games = Vec::new();
    for name in names {
        let path = format!("data/games/{name}.pgn.zst");
        let packed = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let text = String::from_utf8(zstd::decode_all(&packed[..]).unwrap()).unwrap();
        for game in text.split("\n[Event ").filter(|game| !game.trim().is_empty()) {
            let game = format!("[Event {}", game.trim_start_matches("[Event "));
            games.push(SourceGame::parse(games.len(), &game));
        }
    }
    games
}

/// The games of an event that are missing.
#[derive(Clone, Copy, Debug)]
pub enum Missing {
    /// Any games.
    Random,
    /// Drawn games first.
    Draws,
    /// The last rounds first.
    Late,
    /// Games between two players of the lower half first.
    Weak,
    /// Games between two players of this share of the field: each source followed some players.
    OneSource,
}

/// How a collection is spoilt. Each share is of `[0, 1]`.
#[derive(Clone, Copy, Debug)]
pub struct Damage {
    /// The share of each event's games that is missing.
    pub missing: f64,
    pub which: Missing,
    /// The share of each event's players of whom no game is known: those with the fewest points. No
    /// tag says that they are missing.
    pub floor: f64,
    /// The share of the events to which `missing` and `floor` apply.
    pub share: f64,
    /// The share of each event's players whose names are respelt in it.
    pub respelt: f64,
    /// The share of the events that lack rounds, days or ratings, or have nations for teams.
    pub dropped: f64,
    /// The share of the events that a second source has too, with tags of its own. Each source
    /// lacks a quarter of the games.
    pub copied: f64,
    /// The number of sources, from 1 to 3, among which the games of each event are divided. The
    /// second calls the event `It (cat.N)`, with all rounds 1 and dates without days. The third
    /// calls it `Place CCC, Title Year`.
    pub layers: usize,
    /// The share of the events that are in a file with old ratings. A player has one rating there,
    /// 100 to 600 points below his best.
    pub stale: f64,
}

impl Damage {
    pub const NONE: Damage = Damage {
        missing: 0.0,
        which: Missing::Random,
        floor: 0.0,
        share: 1.0,
        respelt: 0.0,
        dropped: 0.0,
        copied: 0.0,
        layers: 1,
        stale: 0.0,
    };
}

/// Spoils a collection. Returns the games of two files, of which the second has old ratings.
pub fn spoil(games: &[SourceGame], damage: &Damage, seed: u64) -> [Vec<SourceGame>; 2] {
    let mut random = Pcg64::seed_from_u64(seed);
    let old_ratings = old_ratings(games, &mut random);
    let mut of_event: BTreeMap<EventKey, Vec<&SourceGame>> = BTreeMap::new();
    for game in games {
        of_event.entry(game.event()).or_default().push(game);
    }
    let [mut current, mut stale] = [Vec::new(), Vec::new()];
    for (event, games) in of_event {
        let field = players_by_points(&games);
        let is_spared = !random.random_bool(damage.share);
        let kept = if is_spared { games } else { keep(games, &field, damage, &mut random) };
        let mut written = write_event(&event, &kept, &field, damage, &mut random);
        if random.random_bool(damage.stale) {
            for game in &mut written {
                give_ratings(game, &old_ratings, &kept);
            }
            stale.append(&mut written);
        } else {
            current.append(&mut written);
        }
    }
    [current, stale]
}

/// Returns the players of an event, those with the most points first.
fn players_by_points<'a>(games: &[&'a SourceGame]) -> Vec<&'a str> {
    let mut half_points: BTreeMap<&str, u32> = BTreeMap::new();
    for game in games {
        let [white, black] = match game.tag("Result") {
            "1-0" => [2, 0],
            "0-1" => [0, 2],
            "1/2-1/2" => [1, 1],
            _ => [0, 0],
        };
        *half_points.entry(game.tag("White")).or_default() += white;
        *half_points.entry(game.tag("Black")).or_default() += black;
    }
    let mut field: Vec<&str> = half_points.keys().copied().collect();
    field.sort_by_key(|player| std::cmp::Reverse(half_points[player]));
    field
}

/// Returns the games of an event that are known.
fn keep<'a>(
    games: Vec<&'a SourceGame>,
    field: &[&str],
    damage: &Damage,
    random: &mut Pcg64,
) -> Vec<&'a SourceGame> {
    let missing = missing_games(&games, field, damage, random);
    let below = (damage.floor * field.len() as f64) as usize;
    let below: BTreeSet<&str> = field[field.len() - below..].iter().copied().collect();
    let is_known = |game: &&SourceGame| {
        !missing.contains(&game.number) && !game.players().iter().any(|one| below.contains(one))
    };
    games.into_iter().filter(is_known).collect()
}

/// Chooses the games of an event that are missing. Returns their numbers.
fn missing_games(
    games: &[&SourceGame],
    field: &[&str],
    damage: &Damage,
    random: &mut Pcg64,
) -> BTreeSet<usize> {
    let mut count = (damage.missing * games.len() as f64).round() as usize;
    let mut order = games.to_vec();
    order.shuffle(random);
    match damage.which {
        Missing::Random => {}
        Missing::Draws => order.sort_by_key(|game| !game.is_draw()),
        Missing::Late => order.sort_by_key(|game| std::cmp::Reverse(game.round())),
        Missing::Weak => {
            let lower_half: BTreeSet<&str> = field[field.len() / 2..].iter().copied().collect();
            order.sort_by_key(|game| !game.is_among(&lower_half));
        }
        Missing::OneSource => {
            let players = (damage.missing * field.len() as f64) as usize;
            let unseen: BTreeSet<&str> = field.sample(random, players).copied().collect();
            order.retain(|game| game.is_among(&unseen));
            count = order.len();
        }
    }
    order[..count].iter().map(|game| game.number).collect()
}

/// Writes the games of an event as one or several sources have them.
fn write_event(
    event: &EventKey,
    games: &[&SourceGame],
    field: &[&str],
    damage: &Damage,
    random: &mut Pcg64,
) -> Vec<SourceGame> {
    let mut spellings: BTreeMap<&str, String> = BTreeMap::new();
    for player in field {
        if random.random_bool(damage.respelt) {
            spellings.insert(player, respell(player, random));
        }
    }
    let lost_tag = random.random_bool(damage.dropped).then(|| random.random_range(0..4));
    let is_copied = random.random_bool(damage.copied);
    let category = random.random_range(2..16);
    let mut written = Vec::new();
    for game in games {
        let mut first = (*game).clone();
        for side in ["White", "Black"] {
            if let Some(spelling) = spellings.get(game.tag(side)) {
                first.set(side, spelling.clone());
            }
        }
        drop_tag(&mut first, lost_tag);
        match random.random_range(0..damage.layers) {
            0 => {}
            1 => name_by_category(&mut first, field.len(), category),
            _ => name_by_place(&mut first, event),
        }
        let side: f64 = random.random();
        if !is_copied || side < 0.75 {
            written.push(first);
        }
        if is_copied && side > 0.25 {
            written.push(copy(game, event, random));
        }
    }
    written
}

/// Drops one of four kinds of tags.
fn drop_tag(game: &mut SourceGame, kind: Option<usize>) {
    match kind {
        Some(0) => game.remove("Round"),
        Some(1) => {
            let year: String = game.tag("Date").chars().take(4).collect();
            game.set("Date", format!("{year}.??.??"));
        }
        Some(2) => {
            game.remove("WhiteElo");
            game.remove("BlackElo");
        }
        Some(_) => {
            game.set("WhiteTeam", "ARG".to_owned());
            game.set("BlackTeam", "ARG".to_owned());
        }
        None => {}
    }
}

/// Names the event as collections do that know only its category.
fn name_by_category(game: &mut SourceGame, players: usize, category: u32) {
    let name = if players < 20 { format!("It (cat.{category})") } else { "It (open)".to_owned() };
    let month: String = game.tag("Date").chars().take(7).collect();
    game.set("Event", name);
    game.set("Round", "1".to_owned());
    game.set("Date", format!("{month}.??"));
}

/// Names the event as pairing programs do: place, code of the country, title and year.
fn name_by_place(game: &mut SourceGame, [event, site, year]: &EventKey) {
    let title: String = event.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let title = if title.trim().is_empty() { "Tournament" } else { title.trim() };
    let place = place_with_code(site);
    let place_first = if place.is_empty() { String::new() } else { format!("{place}, ") };
    game.set("Event", format!("{place_first}{title} {year}"));
    if !place.is_empty() {
        game.set("Site", place);
    }
}

fn place_with_code(site: &str) -> String {
    let place: String = site
        .chars()
        .take_while(|letter| letter.is_alphanumeric() || " .-".contains(*letter))
        .collect();
    let place = place.trim();
    let has_code = place.rsplit(' ').next().is_some_and(|word| country_code(word).is_some());
    match Places::default().country(place) {
        Some(code) if !has_code => format!("{place} {code}"),
        _ => place.to_owned(),
    }
}

/// Returns the copy of a game in a second source, which has other names, no numbers in the event
/// and a short place.
fn copy(game: &SourceGame, [event, site, _]: &EventKey, random: &mut Pcg64) -> SourceGame {
    let mut copy = game.clone();
    for side in ["White", "Black"] {
        copy.set(side, respell(game.tag(side), random));
    }
    let words = event.replace(|letter: char| letter.is_ascii_digit(), " ");
    copy.set("Event", words.split_whitespace().collect::<Vec<_>>().join(" "));
    copy.set("Site", site.chars().take(12).collect());
    copy
}

/// Respells a name as other sources do.
///
/// The variants have initials, no comma, the given name first, a federation, or a wrong letter.
fn respell(name: &str, random: &mut Pcg64) -> String {
    let (surname, given) = name.split_once(", ").unwrap_or((name, ""));
    let mut ways = vec![format!("{surname} {given}"), format!("{given} {surname}")];
    if let Some(initial) = given.chars().next() {
        let federation = ["RUS", "GER", "USA", "SCG", "ARM"].choose(random).unwrap();
        ways.extend([
            format!("{surname}, {initial}"),
            format!("{surname},{initial}"),
            format!("{surname} {given} ({federation})"),
        ]);
    }
    if surname.is_ascii() && surname.len() > 5 {
        let place = random.random_range(2..surname.len() - 1);
        let letter = ["a", "e", "i", "o", "k", "n", "s", "t"].choose(random).unwrap();
        ways.push(format!("{}{letter}{}", &name[..place], &name[place + 1..]));
    }
    ways.choose(random).unwrap().trim().to_owned()
}

/// Returns an old rating of each player who has any.
fn old_ratings(games: &[SourceGame], random: &mut Pcg64) -> BTreeMap<String, u32> {
    let mut ratings: BTreeMap<String, u32> = BTreeMap::new();
    for game in games {
        for side in ["White", "Black"] {
            if let Ok(rating) = game.tag(&format!("{side}Elo")).parse::<u32>() {
                let best = ratings.entry(game.tag(side).to_owned()).or_default();
                *best = rating.max(*best);
            }
        }
    }
    for rating in ratings.values_mut() {
        *rating = rating.saturating_sub(random.random_range(100..600));
    }
    ratings
}

/// Replaces the ratings of a game. `games` have the names as they were before they were respelt.
fn give_ratings(game: &mut SourceGame, ratings: &BTreeMap<String, u32>, games: &[&SourceGame]) {
    let Some(original) = games.iter().find(|one| one.number == game.number) else { return };
    for side in ["White", "Black"] {
        if let Some(rating) = ratings.get(original.tag(side)) {
            game.set(&format!("{side}Elo"), rating.to_string());
        }
    }
}

mod tests {
    use super::*;

    /// A double round robin of four, in which the earlier player always wins, and a match.
    fn collection() -> Vec<SourceGame> {
        let players = ["Alder, Anna", "Birch, Boris", "Cedar, Clara", "Dogwood, Denis"];
        let mut games = Vec::new();
        for (round, (white, black)) in [(0, 3), (1, 2), (0, 2), (1, 3), (0, 1), (2, 3)]
            .into_iter()
            .chain([(3, 0), (2, 1), (2, 0), (3, 1), (1, 0), (3, 2)])
            .enumerate()
        {
            let round = round / 2 + 1;
            let result = if white < black { "1-0" } else { "0-1" };
            let text = format!(
                "[Event \"12th Rose Cup\"]\n[Site \"London\"]\n[Date \"1955.05.0{round}\"]\n\
                 [Round \"{round}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\
                 [WhiteElo \"24{white}0\"]\n[BlackElo \"24{black}0\"]\n\n{result}\n",
                players[white], players[black]
            );
            games.push(SourceGame::parse(games.len(), &text));
        }
        games
    }

    fn numbers(games: &[SourceGame]) -> Vec<usize> {
        games.iter().map(|game| game.number).collect()
    }

    #[test]
    fn a_collection_without_damage_stays_as_it_is() {
        let games = collection();
        assert_eq!(spoil(&games, &Damage::NONE, 1), [games, Vec::new()]);
    }

    #[test]
    fn layers_divide_the_games_among_sources_with_names_of_their_own() {
        let games = collection();
        let [layered, _] = spoil(&games, &Damage { layers: 3, ..Damage::NONE }, 1);
        assert_eq!(numbers(&layered), numbers(&games), "no game is lost");
        let mut names: BTreeSet<String> = BTreeSet::new();
        for game in &layered {
            let name = game.tag("Event").to_owned();
            if name.starts_with("It (cat.") {
                assert_eq!((game.tag("Round"), game.tag("Date")), ("1", "1955.05.??"));
            } else if name == "London ENG, th Rose Cup 1955" {
                assert_eq!(game.tag("Site"), "London ENG");
            } else {
                assert_eq!(name, "12th Rose Cup");
            }
            names.insert(name);
        }
        assert_eq!(names.len(), 3, "{names:?}");
    }

    #[test]
    fn a_floor_removes_the_last_players_with_all_of_their_games() {
        let [kept, _] = spoil(&collection(), &Damage { floor: 0.25, ..Damage::NONE }, 1);
        assert_eq!(kept.len(), 6);
        assert!(kept.iter().all(|game| !game.players().contains(&"Dogwood, Denis")));
        let spared = Damage { floor: 0.25, share: 0.0, ..Damage::NONE };
        assert_eq!(spoil(&collection(), &spared, 1)[0], collection());
    }

    #[test]
    fn a_stale_file_has_one_old_rating_of_each_player() {
        let [current, stale] = spoil(&collection(), &Damage { stale: 1.0, ..Damage::NONE }, 1);
        assert!(current.is_empty());
        let mut ratings: BTreeSet<(String, u32)> = BTreeSet::new();
        for game in &stale {
            for side in ["White", "Black"] {
                let rating = game.tag(&format!("{side}Elo")).parse().unwrap();
                ratings.insert((game.tag(side).to_owned(), rating));
            }
        }
        assert_eq!(ratings.len(), 4, "{ratings:?}");
        assert!(ratings.iter().all(|(_, rating)| (1800..=2330).contains(rating)), "{ratings:?}");
    }

    #[test]
    fn the_last_rounds_the_draws_or_the_games_of_the_lower_half_are_missing_first() {
        let late = Damage { missing: 0.5, which: Missing::Late, ..Damage::NONE };
        assert_eq!(numbers(&spoil(&collection(), &late, 1)[0]), [0, 1, 2, 3, 4, 5]);
        let weak = Damage { missing: 1.0 / 6.0, which: Missing::Weak, ..Damage::NONE };
        assert_eq!(numbers(&spoil(&collection(), &weak, 1)[0]), [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]);
        let unseen = Damage { missing: 0.5, which: Missing::OneSource, ..Damage::NONE };
        assert_eq!(spoil(&collection(), &unseen, 1)[0].len(), 10, "one pair of players");
    }

    #[test]
    fn a_copied_event_keeps_every_game_in_one_of_two_sources() {
        let [games, _] = spoil(&collection(), &Damage { copied: 1.0, ..Damage::NONE }, 1);
        let once: BTreeSet<usize> = numbers(&games).into_iter().collect();
        assert!(once.len() == 12 && games.len() > 12, "{} of {}", once.len(), games.len());
        assert!(games.iter().any(|game| game.tag("Event") == "th Rose Cup"));
    }
}
