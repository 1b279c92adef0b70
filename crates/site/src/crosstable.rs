//! Crosstables: the results of an event, player by player.

use serde::Serialize;

use archive::EventRecord;
use chess_history::events::{Bracket, Event, EventGame, SegmentKind};
use pgn_collections::games::GameTable;
use tournament_app::Kind;

/// A larger field is shown as a list of opponents, not as a square. Judged: forty columns of one
/// letter fit on a wide screen.
const LARGEST_SQUARE: usize = 40;

/// A table of results, players in the order of the standings.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub(super) enum Crosstable {
    /// Each player against each other player: `cells[row][column]`.
    Square { cells: Vec<Vec<Cell>>, play_offs: Vec<String> },
    /// A match game by game. `numbers` are those of the games.
    Match { numbers: Vec<usize>, rows: Vec<Vec<MatchCell>> },
    /// A long field: each player's games in order.
    List { rows: Vec<Vec<ListCell>> },
    /// A Swiss round by round; empty where a player had no game.
    Rounds { rounds: usize, rows: Vec<Vec<Option<ListCell>>> },
    /// A knock-out, its matches round by round.
    Bracket { rounds: Vec<BracketRound> },
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct BracketRound {
    name: String,
    matches: Vec<BracketMatch>,
}

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
    /// Whether the player won the match: by points, or by playing on.
    won: bool,
}

/// Results of one player against another.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Cell {
    /// `1½`, in the order of the games; empty if they did not meet.
    text: String,
    /// The same in words, for screen readers: `win and draw`.
    aloud: String,
    /// Whether it is on the diagonal.
    own: bool,
    /// The page of all games of the two, if they met often. Only cells above the diagonal have it,
    /// so each pair has it once.
    pair: Option<String>,
}

/// One game of a match from one player's side.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MatchCell {
    text: String,
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

/// Whether an event of more than two players is shown as a square, player against player.
pub(super) fn is_square(event: &Event) -> bool {
    event.players.len() <= LARGEST_SQUARE && !matches!(event.kind, Kind::Swiss | Kind::KnockOut)
}

/// Builds the table. `standing[player]` is the place (from 0) of a player; `pair` returns the page
/// of all games of two players, `bracket` that of a knock-out.
pub(super) fn crosstable(
    record: &EventRecord,
    table: &GameTable,
    standing: &[usize],
    pair: impl Fn(usize, usize) -> Option<String>,
    bracket: impl FnOnce() -> Bracket,
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
        return Crosstable::Match { numbers: game_numbers(event, table), rows };
    }
    if is_square(event) {
        let mut cells = vec![vec![Cell::default(); field]; field];
        for (place, row) in cells.iter_mut().enumerate() {
            row[place].own = true;
        }
        let has_main = event.games.iter().any(|game| game.segment == SegmentKind::Main);
        let (in_play_offs, in_square): (Vec<&EventGame>, Vec<&EventGame>) =
            event.games.iter().partition(|game| has_main && game.segment == SegmentKind::PlayOff);
        for game in in_square {
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
        return Crosstable::Square { cells, play_offs: play_offs(record, table, &in_play_offs) };
    }
    if event.kind == Kind::KnockOut {
        return by_matches(record, table, standing, &bracket());
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

/// The numbers of the games of a match: their rounds, if these are known and rise. Otherwise they
/// are counted.
fn game_numbers(event: &Event, table: &GameTable) -> Vec<usize> {
    let rounds: Option<Vec<usize>> =
        event.games.iter().map(|game| round_number(game, table)).collect();
    let rising = rounds.filter(|rounds| rounds.is_sorted_by(|a, b| a < b));
    rising.unwrap_or_else(|| (1..=event.games.len()).collect())
}

/// The round of a game; `None` if it is unknown.
fn round_number(game: &EventGame, table: &GameTable) -> Option<usize> {
    table.games()[game.row].round.number().map(usize::from)
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
fn play_offs(record: &EventRecord, table: &GameTable, games: &[&EventGame]) -> Vec<String> {
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
    pairs
        .into_iter()
        .map(|((a, b), results)| {
            let [a, b] = [a, b].map(|player| {
                let name = &record.input.players[player].name;
                name.split(',').next().unwrap_or_default()
            });
            format!("{a} – {b}: {}", results.join(" "))
        })
        .collect()
}

/// The number of rounds of a Swiss that fit on a page side by side. Judged: a round is three
/// letters wide, so half of a square of [`LARGEST_SQUARE`] players.
const MOST_ROUNDS: usize = 24;

/// A Swiss by rounds; `None` if a round is unknown, or a player has two games in a round.
fn by_rounds(record: &EventRecord, table: &GameTable, standing: &[usize]) -> Option<Crosstable> {
    let event = &record.event;
    let rounds = event.games.iter().map(|game| round_number(game, table));
    let rounds = rounds.collect::<Option<Vec<usize>>>()?;
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
fn by_matches(
    record: &EventRecord,
    table: &GameTable,
    standing: &[usize],
    bracket: &Bracket,
) -> Crosstable {
    let mut names = vec![""; record.event.players.len()];
    for player in &record.analysis.players {
        names[player.index] = &player.name;
    }
    let matches = bracket.matches();
    let last = matches.iter().map(|one| one.round).max().unwrap_or(0);
    let mut rounds = Vec::new();
    for round in 0..=last {
        let places: Vec<usize> =
            (0..matches.len()).filter(|place| matches[*place].round == round).collect();
        let mut in_round = Vec::new();
        for &place in &places {
            let winner = match_winner(record, bracket, place);
            let (a, b) = matches[place].players;
            let [one, other] = [a, b].map(|player| {
                let games = matches[place].games.iter().map(|game| &record.event.games[*game]);
                let scores = games.clone().map(|game| score(game, table, game.white == player));
                let points: f64 = scores.sum();
                let side = BracketSide {
                    rank: standing[player] + 1,
                    name: names[player].to_owned(),
                    games: games.map(|game| mark(game, table, game.white == player)).collect(),
                    points: super::figures::points(points),
                    won: winner == Some(player),
                };
                (points, side)
            });
            // The side with more points comes first.
            let sides = if other.0 > one.0 { [other.1, one.1] } else { [one.1, other.1] };
            in_round.push(BracketMatch { sides });
        }
        let name = round_heading(bracket, round, &places);
        rounds.push(BracketRound { name, matches: in_round });
    }
    Crosstable::Bracket { rounds }
}

/// The winner of a match of a knock-out. Who won a level final does not show in the bracket.
fn match_winner(record: &EventRecord, bracket: &Bracket, place: usize) -> Option<usize> {
    let (a, b) = bracket.matches()[place].players;
    match (bracket.loser(place), &record.winners()[..]) {
        (Some(loser), _) => Some(if loser == a { b } else { a }),
        (None, [standing]) if bracket.round_name(place) == Some("Final") => {
            Some(record.analysis.players[*standing].index).filter(|won| [a, b].contains(won))
        }
        _ => None,
    }
}

/// The heading of a round: `Semifinals`, `Final and third place`, `Round 1`.
fn round_heading(bracket: &Bracket, round: usize, places: &[usize]) -> String {
    let names: Vec<Option<&str>> = places.iter().map(|place| bracket.round_name(*place)).collect();
    match names[..] {
        [Some("Final")] => "Final".into(),
        [Some("Final"), Some(_)] | [Some(_), Some("Final")] => "Final and third place".into(),
        [Some(name), ..] => format!("{name}s").replace("Rounds", "Round").replace("16s", "16"),
        _ => format!("Round {}", round + 1),
    }
}

/// `1`, `½`, `0`; `+`, `−` for a game that was not played.
fn mark(game: &EventGame, table: &GameTable, of_white: bool) -> String {
    let score = score(game, table, of_white);
    if !game.played {
        return if score > 0.5 { "+" } else { "−" }.into();
    }
    super::figures::points(score)
}

/// The score of one side of a game.
pub(super) fn score(game: &EventGame, table: &GameTable, of_white: bool) -> f64 {
    let score =
        table.games()[game.row].result.white_score().expect("a game of an event has a result");
    if of_white { score } else { 1.0 - score }
}
