//! Each player's record against every opponent, and the pairs who met often.

use rustc_hash::FxHashMap;

use archive::Archive;
use chess_history::players::PlayerId;

/// From this number of games on, pages link to what is between two players. Judged: with fewer
/// games, a reader sees as much in the crosstables.
const MEETINGS: u32 = 10;

/// The number of pairs with their own page: those who met most often. The page that compares any
/// two players shows the others. Judged: 427,228 games have four thousand pairs who met ten
/// times, and few of them are looked for.
const MOST_PAIRS: usize = 500;

/// A player's record against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Against {
    pub opponent: PlayerId,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Against {
    /// The number of games between them.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }
}

/// Each player's record against every opponent, most games first. The games of a match that is part
/// of a cycle count once.
pub(super) fn records(archive: &Archive) -> Vec<Vec<Against>> {
    let mut found: Vec<Vec<Against>> = vec![Vec::new(); archive.players.len()];
    for record in archive.records.iter().filter(|record| record.event.part_of.is_none()) {
        for game in record.event.games.iter().filter(|game| game.played) {
            let Some(score) = archive.table.games()[game.row].result.white_score() else {
                continue;
            };
            let [white, black] =
                [game.white, game.black].map(|player| record.event.players[player]);
            for (player, opponent, score) in [(white, black, score), (black, white, 1.0 - score)] {
                found[player.index()].push(Against {
                    opponent,
                    won: u32::from(score > 0.75),
                    drawn: u32::from((0.25..=0.75).contains(&score)),
                    lost: u32::from(score < 0.25),
                });
            }
        }
    }
    for against in &mut found {
        against.sort_unstable_by_key(|one| one.opponent);
        against.dedup_by(|next, kept| {
            let same = next.opponent == kept.opponent;
            if same {
                kept.won += next.won;
                kept.drawn += next.drawn;
                kept.lost += next.lost;
            }
            same
        });
        against.sort_by_key(|one| std::cmp::Reverse(one.games()));
    }
    found
}

/// Two players who met often.
#[derive(Clone, Debug)]
pub(super) struct FrequentPair {
    pub players: [PlayerId; 2],
    /// Index of the event's record and of the game in it, in chronological order.
    pub games: Vec<(usize, usize)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FrequentPairs {
    /// The pairs with their own page.
    pub pairs: Vec<FrequentPair>,
    /// The pairs who met often, each with its index in `pairs` if it has a page.
    by_players: FxHashMap<[PlayerId; 2], Option<usize>>,
}

/// Two players, always in the same order.
fn key(one: PlayerId, other: PlayerId) -> [PlayerId; 2] {
    [one.min(other), one.max(other)]
}

impl FrequentPairs {
    /// The pairs of an archive, from the records of all players.
    pub fn new(archive: &Archive, records: &[Vec<Against>]) -> FrequentPairs {
        let mut frequent: Vec<(u32, [PlayerId; 2])> = Vec::new();
        for (player, _) in archive.players.iter() {
            let opponents = records.get(player.index()).into_iter().flatten();
            for one in opponents.filter(|one| one.opponent > player && one.games() >= MEETINGS) {
                frequent.push((one.games(), [player, one.opponent]));
            }
        }
        frequent.sort_by_key(|(games, _)| std::cmp::Reverse(*games));
        let mut found = FrequentPairs::default();
        for (place, (_, players)) in frequent.into_iter().enumerate() {
            let has_page = place < MOST_PAIRS;
            found.by_players.insert(players, has_page.then_some(place));
            if has_page {
                found.pairs.push(FrequentPair { players, games: Vec::new() });
            }
        }
        let mut events: Vec<usize> = (0..archive.records.len())
            .filter(|event| archive.records[*event].event.part_of.is_none())
            .collect();
        events.sort_by_key(|event| archive.records[*event].event.start);
        for event in events {
            let of = &archive.records[event].event;
            for (place, game) in of.games.iter().enumerate().filter(|(_, game)| game.played) {
                let players = key(of.players[game.white], of.players[game.black]);
                if let Some(Some(pair)) = found.by_players.get(&players) {
                    found.pairs[*pair].games.push((event, place));
                }
            }
        }
        found
    }

    /// The address of what is between two players: their own page, or the page that compares them;
    /// `None` if they did not meet often.
    pub fn path(&self, archive: &Archive, one: PlayerId, other: PlayerId) -> Option<String> {
        let own = self.by_players.get(&key(one, other))?;
        Some(match own {
            Some(pair) => path(archive, self.pairs[*pair].players),
            None => {
                let [one, other] = [one, other].map(|player| &archive.players.get(player).id);
                format!("compare.html#{one},{other}")
            }
        })
    }

    /// The pairs with the most games.
    pub fn most_games(&self, count: usize) -> Vec<&FrequentPair> {
        let mut pairs: Vec<&FrequentPair> = self.pairs.iter().collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.games.len()));
        pairs.truncate(count);
        pairs
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    pub fn paths<'a>(&'a self, archive: &'a Archive) -> impl Iterator<Item = String> + 'a {
        self.pairs.iter().map(|pair| path(archive, pair.players))
    }
}

/// The path of the page of two players.
pub(super) fn path(archive: &Archive, players: [PlayerId; 2]) -> String {
    format!("pairs/{}.html", key_of(archive, players))
}

/// The name of the page of two players, without folder and ending.
pub(super) fn key_of(archive: &Archive, players: [PlayerId; 2]) -> String {
    let [one, other] = players.map(|player| archive.players.get(player).id.as_str());
    let [first, second] = [one.min(other), one.max(other)];
    format!("{first}--{second}")
}
