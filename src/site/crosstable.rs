//! Crosstables: the results of an event, player by player.

use serde::Serialize;

use crate::archive::EventRecord;
use crate::events::{EventGame, SegmentKind, knock_out_rounds};
use crate::games::GameTable;
use crate::tournament::Kind;

/// A larger field is shown as a list of opponents, not as a square.
const LARGEST_SQUARE: usize = 40;

/// A table of results, players in the order of the standings.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub(super) enum Crosstable {
    /// Each player against each other player: `cells[row][column]`.
    Square { cells: Vec<Vec<Cell>>, play_offs: Vec<String> },
    /// A match game by game.
    Match { games: usize, rows: Vec<Vec<MatchCell>> },
    /// A long field: each player's games in order.
    List { rows: Vec<Vec<ListCell>> },
    /// A Swiss round by round; empty where a player had no game.
    Rounds { rounds: usize, rows: Vec<Vec<Option<ListCell>>> },
    /// A knock-out, its matches round by round.
    Bracket { rounds: Vec<BracketRound> },
}

/// A round of a knock-out.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BracketRound {
    name: String,
    matches: Vec<BracketMatch>,
}

/// A match of a knock-out.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BracketMatch {
    sides: [BracketSide; 2],
}

/// One side of a match of a knock-out.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BracketSide {
    /// Place in the standings.
    rank: usize,
    name: String,
    /// Results in the order of the games.
    games: String,
    points: String,
    /// Whether the player has more points, or played another match later.
    went_on: bool,
}

/// Results of one player against another.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Cell {
    /// `1½`, in the order of the games; empty if they did not meet.
    text: String,
    /// The same in words, for screen readers: `win and draw`.
    aloud: String,
    /// Whether it is a player against himself.
    own: bool,
    /// The page of all games of the two, if they met often. Only cells above the diagonal have it,
    /// so each pair has it once.
    pair: Option<String>,
}

/// One game of a match from one player's side.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MatchCell {
    text: String,
    /// Whether he had White.
    white: bool,
}

/// One game of a player in a long field.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListCell {
    text: String,
    white: bool,
    /// Place of the opponent in the standings.
    opponent: usize,
}

/// Builds the table. `standing[player]` is the place (from 0) of a player; `pair` returns the page
/// of all games of two players.
pub(super) fn crosstable(
    record: &EventRecord,
    table: &GameTable,
    standing: &[usize],
    pair: impl Fn(usize, usize) -> Option<String>,
) -> Crosstable {
    let event = &record.event;
    let field = event.players.len();
    if event.kind == Kind::Match && field == 2 {
        let mut rows = vec![Vec::new(); 2];
        for game in &event.games {
            for (player, white) in [(game.white, true), (game.black, false)] {
                rows[standing[player]].push(MatchCell { text: mark(game, table, white), white });
            }
        }
        return Crosstable::Match { games: event.games.len(), rows };
    }
    if field <= LARGEST_SQUARE && !matches!(event.kind, Kind::Swiss | Kind::KnockOut) {
        let mut cells = vec![vec![Cell::default(); field]; field];
        for (place, row) in cells.iter_mut().enumerate() {
            row[place].own = true;
        }
        let has_main = event.games.iter().any(|game| game.segment == SegmentKind::Main);
        let is_play_off = |game: &&EventGame| has_main && game.segment == SegmentKind::PlayOff;
        for game in event.games.iter().filter(|game| !is_play_off(game)) {
            let (white, black) = (standing[game.white], standing[game.black]);
            if cells[white][black].text.is_empty() {
                let (above, below) = (white.min(black), white.max(black));
                cells[above][below].pair = pair(game.white, game.black);
            }
            cells[white][black].text.push_str(&mark(game, table, true));
            cells[black][white].text.push_str(&mark(game, table, false));
        }
        for cell in cells.iter_mut().flatten() {
            cell.aloud = aloud(&cell.text);
        }
        let play_offs = play_offs(record, table, event.games.iter().filter(is_play_off));
        return Crosstable::Square { cells, play_offs };
    }
    if event.kind == Kind::KnockOut {
        return bracket(record, table, standing);
    }
    if event.kind == Kind::Swiss
        && let Some(rounds) = by_rounds(record, table, standing)
    {
        return rounds;
    }
    let mut rows = vec![Vec::new(); field];
    for game in &event.games {
        let (white, black) = (standing[game.white], standing[game.black]);
        rows[white].push(ListCell {
            text: mark(game, table, true),
            white: true,
            opponent: black + 1,
        });
        rows[black].push(ListCell {
            text: mark(game, table, false),
            white: false,
            opponent: white + 1,
        });
    }
    Crosstable::List { rows }
}

/// Results in words, for screen readers: `win and loss`, `3 wins, 1 draw`.
fn aloud(results: &str) -> String {
    let words: Vec<(&str, &str)> = results
        .chars()
        .filter_map(|result| match result {
            '1' => Some(("win", "wins")),
            '½' => Some(("draw", "draws")),
            '0' => Some(("loss", "losses")),
            '+' => Some(("win by forfeit", "wins by forfeit")),
            '-' | '−' | '–' => Some(("loss by forfeit", "losses by forfeit")),
            _ => None,
        })
        .collect();
    match &words[..] {
        [] => String::new(),
        [(one, _)] => (*one).to_owned(),
        [(one, _), (other, _)] => format!("{one} and {other}"),
        _ => {
            let mut counts: Vec<((&str, &str), usize)> = Vec::new();
            for word in words {
                match counts.iter_mut().find(|(known, _)| *known == word) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((word, 1)),
                }
            }
            let counted = counts.into_iter().map(|((one, many), count)| {
                format!("{count} {}", if count == 1 { one } else { many })
            });
            counted.collect::<Vec<_>>().join(", ")
        }
    }
}

/// The games of a play-off, pair by pair: `Tarrasch – Pillsbury 1 0 1 ½`.
fn play_offs<'a>(
    record: &EventRecord,
    table: &GameTable,
    games: impl Iterator<Item = &'a EventGame>,
) -> Vec<String> {
    let mut pairs: Vec<((usize, usize), Vec<String>)> = Vec::new();
    for game in games {
        let known = pairs.iter().position(|((a, b), _)| {
            (*a, *b) == (game.white, game.black) || (*a, *b) == (game.black, game.white)
        });
        let place = known.unwrap_or_else(|| {
            pairs.push(((game.white, game.black), Vec::new()));
            pairs.len() - 1
        });
        let ((first, _), results) = &mut pairs[place];
        results.push(mark(game, table, game.white == *first));
    }
    let surname = |player: usize| {
        let name = &record.input.players[player].name;
        name.split(',').next().unwrap_or_default().to_owned()
    };
    pairs
        .into_iter()
        .map(|((a, b), results)| format!("{} – {}: {}", surname(a), surname(b), results.join(" ")))
        .collect()
}

/// A match of a knock-out: both players, and the first one's points less those of the other.
struct KnockOutMatch {
    players: (usize, usize),
    lead: f64,
}

impl KnockOutMatch {
    fn is_of(&self, player: usize) -> bool {
        self.players.0 == player || self.players.1 == player
    }
}

/// The matches of a knock-out, in the order of their first games.
fn knock_out_matches(record: &EventRecord, table: &GameTable) -> Vec<KnockOutMatch> {
    let mut matches: Vec<KnockOutMatch> = Vec::new();
    for game in &record.event.games {
        let players = (game.white.min(game.black), game.white.max(game.black));
        let score = table.games()[game.row].result.white_score().unwrap_or(0.5) - 0.5;
        let lead = if game.white == players.0 { score } else { -score };
        match matches.iter_mut().find(|one| one.players == players) {
            Some(known) => known.lead += lead,
            None => matches.push(KnockOutMatch { players, lead }),
        }
    }
    matches
}

/// The loser of each match of a knock-out; `None` if unknown. Of two players who are level, the one
/// who played on had won.
fn losers(matches: &[KnockOutMatch]) -> Vec<Option<usize>> {
    let loser = |(place, one): (usize, &KnockOutMatch)| {
        let (a, b) = one.players;
        let plays_on = |player| matches[place + 1..].iter().any(|later| later.is_of(player));
        match (plays_on(a), plays_on(b)) {
            (true, false) => Some(b),
            (false, true) => Some(a),
            _ if one.lead > 0.0 => Some(b),
            _ if one.lead < 0.0 => Some(a),
            _ => None,
        }
    };
    matches.iter().enumerate().map(loser).collect()
}

/// The place of the final among the matches of a knock-out: the last of two players who lost no
/// other match. `None` if others were never beaten either. Then the final is missing.
fn final_of(matches: &[KnockOutMatch]) -> Option<usize> {
    let losers = losers(matches);
    let lost_elsewhere = |player: usize, here: usize| {
        losers.iter().enumerate().any(|(place, loser)| place != here && *loser == Some(player))
    };
    let is_final = |place: &usize| {
        let (a, b) = matches[*place].players;
        !lost_elsewhere(a, *place) && !lost_elsewhere(b, *place)
    };
    // All matches of the winner are such; the final is the last of them.
    let place = (0..matches.len()).rev().find(is_final)?;
    let is_beaten_or_here =
        |player: usize| matches[place].is_of(player) || losers.contains(&Some(player));
    let all_beaten = matches
        .iter()
        .all(|one| is_beaten_or_here(one.players.0) && is_beaten_or_here(one.players.1));
    (matches.len() > 2 && all_beaten).then_some(place)
}

/// The winner of a knock-out and the loser of the final; `None` if the final is missing or level.
pub(super) fn knock_out_winner(record: &EventRecord, table: &GameTable) -> Option<(usize, usize)> {
    let matches = knock_out_matches(record, table);
    let place = final_of(&matches)?;
    let (a, b) = matches[place].players;
    losers(&matches)[place].map(|loser| if loser == a { (b, a) } else { (a, b) })
}

/// The number of rounds of a Swiss that fit on a page side by side.
const MOST_ROUNDS: usize = 24;

/// A Swiss by rounds; `None` if a round is unknown, or a player has two games in a round.
fn by_rounds(record: &EventRecord, table: &GameTable, standing: &[usize]) -> Option<Crosstable> {
    let event = &record.event;
    let round = |game: &EventGame| table.games()[game.row].round.number().map(usize::from);
    let rounds = event.games.iter().map(round).collect::<Option<Vec<usize>>>()?;
    let last = rounds.iter().copied().max().filter(|last| *last <= MOST_ROUNDS)?;
    let mut rows: Vec<Vec<Option<ListCell>>> = vec![vec![None; last]; event.players.len()];
    for (game, round) in event.games.iter().zip(rounds) {
        let (white, black) = (standing[game.white], standing[game.black]);
        for (player, opponent, is_white) in [(white, black, true), (black, white, false)] {
            let cell = &mut rows[player][round - 1];
            if cell.is_some() {
                return None;
            }
            let text = mark(game, table, is_white);
            *cell = Some(ListCell { text, white: is_white, opponent: opponent + 1 });
        }
    }
    Some(Crosstable::Rounds { rounds: last, rows })
}

/// A knock-out by rounds.
fn bracket(record: &EventRecord, table: &GameTable, standing: &[usize]) -> Crosstable {
    let event = &record.event;
    // Matches in the order of their first games.
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut games: Vec<Vec<&EventGame>> = Vec::new();
    for game in &event.games {
        let pair = (game.white.min(game.black), game.white.max(game.black));
        match pairs.iter().position(|known| *known == pair) {
            Some(place) => games[place].push(game),
            None => {
                pairs.push(pair);
                games.push(vec![game]);
            }
        }
    }
    let round_of = knock_out_rounds(&pairs);
    let the_final = final_of(&knock_out_matches(record, table));
    let has_final = the_final.is_some();
    let last = round_of.iter().copied().max().unwrap_or(0);
    let names: Vec<&str> = {
        let mut names = vec![""; event.players.len()];
        for player in &record.analysis.players {
            names[player.index] = &player.name;
        }
        names
    };
    let side = |place: usize, player: usize| -> (f64, BracketSide) {
        let mut points = 0.0;
        let mut results = String::new();
        for game in &games[place] {
            let is_white = game.white == player;
            let score = table.games()[game.row]
                .result
                .white_score()
                .expect("a game of an event has a result");
            points += if is_white { score } else { 1.0 - score };
            results.push_str(&mark(game, table, is_white));
        }
        let played_on = pairs
            .iter()
            .zip(&round_of)
            .any(|((a, b), round)| *round > round_of[place] && (*a == player || *b == player));
        let side = BracketSide {
            rank: standing[player] + 1,
            name: names[player].to_owned(),
            games: results,
            points: super::figures::points(points),
            went_on: played_on,
        };
        (points, side)
    };
    let rounds = (0..=last)
        .map(|round| {
            let places: Vec<usize> =
                (0..pairs.len()).filter(|&place| round_of[place] == round).collect();
            let matches = places
                .iter()
                .map(|&place| {
                    let (a, mut one) = side(place, pairs[place].0);
                    let (b, mut other) = side(place, pairs[place].1);
                    if !one.went_on && !other.went_on {
                        (one.went_on, other.went_on) = (a > b, b > a);
                    }
                    let sides = if (b, a) > (a, b) { [other, one] } else { [one, other] };
                    BracketMatch { sides }
                })
                .collect();
            let name = match (last - round, places.len()) {
                _ if places.len() == 1 && the_final == Some(places[0]) => "Final".to_owned(),
                (1, 2) if has_final => "Semi-finals".to_owned(),
                (2, 3..=4) if has_final => "Quarter-finals".to_owned(),
                _ => format!("Round {}", round + 1),
            };
            BracketRound { name, matches }
        })
        .collect();
    Crosstable::Bracket { rounds }
}

/// `1`, `½`, `0`; `+`, `−` for a game that was not played.
fn mark(game: &EventGame, table: &GameTable, of_white: bool) -> String {
    let score =
        table.games()[game.row].result.white_score().expect("a game of an event has a result");
    let score = if of_white { score } else { 1.0 - score };
    if !game.played {
        return if score > 0.5 { "+" } else { "−" }.into();
    }
    super::figures::points(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches<const N: usize>(of: [(usize, usize, f64); N]) -> Vec<KnockOutMatch> {
        of.map(|(a, b, lead)| KnockOutMatch { players: (a, b), lead }).into()
    }

    #[test]
    fn the_final_is_the_match_of_two_unbeaten_players() {
        let semi_finals_and_final = matches([(0, 1, 1.0), (2, 3, 0.0), (0, 2, -1.0)]);
        assert_eq!(final_of(&semi_finals_and_final), Some(2));
        assert_eq!(losers(&semi_finals_and_final), [Some(1), Some(3), Some(0)]);
        let with_third_place = matches([(0, 1, 1.0), (2, 3, 1.0), (1, 3, 1.0), (0, 2, 1.0)]);
        assert_eq!(final_of(&with_third_place), Some(3));
    }

    #[test]
    fn a_bracket_without_its_final_has_no_winner() {
        let semi_finals =
            matches([(0, 1, 1.0), (2, 3, 1.0), (4, 5, 1.0), (6, 7, 1.0), (0, 2, 1.0)]);
        assert_eq!(final_of(&semi_finals), None);
        assert_eq!(final_of(&matches([(0, 1, 1.0), (2, 3, 1.0)])), None);
    }
}
