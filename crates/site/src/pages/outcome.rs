//! Says in a few words who won an event: for lists, and for the titles of champions.

use super::Site;
use crate::figures::points;
use archive::{EventRecord, bracket_of};
use chess_history::events::{Bracket, Ending, Scoring};
use serde::Serialize;
use tournament_app::{EventPart, Kind, PlayerAnalysis};

pub(super) fn bracket(site: &Site, record: &EventRecord) -> Bracket {
    let records = &site.archive.records;
    let parts = site.parts.get(record.event.id.as_str()).into_iter().flatten();
    bracket_of(&record.event, &site.archive.table, parts.map(|part| &records[*part].event))
}

/// How an event ended that was not played to its end: `stopped`.
pub(super) fn broken_off(record: &EventRecord) -> Option<&'static str> {
    let ending = record.event.ending().filter(|ending| ending.is_without_result());
    ending.map(Ending::participle)
}

/// The points of the winner and the loser of a match by the reference table, if they are not those
/// of the games here.
pub(super) fn official_score(record: &EventRecord) -> Option<(f64, f64)> {
    let score = record.event.official_score()?;
    let [winner] = record.winners()[..] else { return None };
    let players = &record.analysis.players;
    let is_match = record.event.kind == Kind::Match && players.len() == 2;
    let found = (players[winner].main_points, players.get(1 - winner.min(1))?.main_points);
    let facts = &record.event.decided;
    let is_about_winner = facts.winners.is_none() || facts.score.is_some();
    (is_match && is_about_winner && score != found).then_some(score)
}

/// The points that a historical source gives the winner of a tournament, if they are not those of
/// its games, all of which are known here.
pub(super) fn official_points(record: &EventRecord) -> Option<f64> {
    let known = record.event.known.as_ref()?;
    let [winner] = record.winners()[..] else { return None };
    let counts_games = known.result.scoring == Scoring::GamePoints;
    let is_ours = record.event.decided.winners.is_some() || record.event.kind == Kind::Match;
    let found = record.analysis.players[winner].main_points;
    let official = known.result.points.filter(|points| counts_games && *points != found)?;
    (!is_ours && is_whole(record)).then_some(official)
}

/// The score of a player in an event, with the play-off apart.
#[derive(Debug, Serialize)]
pub(crate) struct PlayerScore {
    /// Points and games of the main event, forfeits included: `27½/36`. Of a player who withdrew,
    /// those of all games that were played.
    pub main: String,
    /// Those of play-offs: `2½/4`. Empty without one.
    pub play_off: String,
}

impl PlayerScore {
    /// The score of the player at this place of the standings.
    pub fn new(record: &EventRecord, standing: usize) -> PlayerScore {
        let player = &record.analysis.players[standing];
        let main = if record.withdrew(standing) {
            format!("{}/{}", points(player.played_points), player.games)
        } else {
            format!("{}/{}", points(player.main_points), player.main_games)
        };
        let play_off = player.play_off_points.map(|scored| {
            let games = record.input.games.iter().filter(|game| {
                game.part == EventPart::PlayOff
                    && (game.white == player.index || game.black == player.index)
            });
            format!("{}/{}", points(scored), games.count())
        });
        PlayerScore { main, play_off: play_off.unwrap_or_default() }
    }
}

/// Whether all games of the main event are known.
pub(super) fn is_whole(record: &EventRecord) -> bool {
    record.eligibility.coverage() >= 1.0
}

/// The score of a match, the winner's points first: `12½–8½`. Empty if missing games leave it open.
fn match_score(record: &EventRecord, won: &[usize]) -> String {
    let players = &record.analysis.players;
    let (winner, loser) = match *won {
        [1] => (1, 0),
        _ => (0, 1),
    };
    let (one, other) = match official_score(record) {
        Some(score) => score,
        None if is_whole(record) || won.len() == 1 => {
            (players[winner].main_points, players[loser].main_points)
        }
        None => return String::new(),
    };
    format!("{}–{}", points(one), points(other))
}

/// The winner of an event for a list, and the score: `Lasker` and `9–2`, `Pillsbury` and `16½`,
/// `drawn` and `12–12`. Both are empty without a winner. `name` shortens the name of a player.
pub(super) fn won_with(
    record: &EventRecord,
    name: impl Fn(&PlayerAnalysis) -> String,
) -> (String, String) {
    let players = &record.analysis.players;
    let won = record.winners();
    if let (Kind::Match, [one, other]) = (record.event.kind, &players[..]) {
        let score = match_score(record, &won);
        let winner = match (&won[..], broken_off(record)) {
            ([winner], _) => name(&players[*winner]),
            (_, Some(ending)) => ending.to_owned(),
            // With missing games, level points do not mean a drawn match.
            _ if is_whole(record) && one.main_points == other.main_points => "drawn".to_owned(),
            _ => return Default::default(),
        };
        return (winner, score);
    }
    let names: Vec<String> = won.iter().map(|place| name(&players[*place])).collect();
    let score = match (&won[..], record.event.kind) {
        // The points of a knock-out depend on the lengths of its matches.
        ([], _) | (_, Kind::KnockOut) => String::new(),
        ([first, ..], _) => points(players[*first].main_points),
    };
    let winner = match &names[..] {
        [] => String::new(),
        [winner] => winner.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, other, last] => format!("{one}, {other} and {last}"),
        [one, ..] => format!("{one} and {} others", names.len() - 1),
    };
    (winner, score)
}

fn surname(player: &PlayerAnalysis) -> String {
    player.name.split(',').next().unwrap_or(&player.name).trim().to_owned()
}

/// The winner of an event for a list by surname, with the score of a match: `Lasker 9–2`,
/// `Pillsbury and Tarrasch`. Empty if there is none.
pub(super) fn winner_in_short(record: &EventRecord) -> String {
    match (won_with(record, surname), record.event.kind) {
        ((winner, score), Kind::Match) if winner != "drawn" => format!("{winner} {score}"),
        ((winner, _), _) => winner,
    }
    .trim()
    .to_owned()
}
