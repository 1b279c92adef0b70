//! Computes the points of an event by its scoring.

use std::collections::BTreeMap;

use chess_history::events::Scoring;
use tournament_app::{Event, EventPart};

/// The points of each player, by index in the event, in the main event. `None` if the places follow
/// from game points, which the analysis has.
pub fn points_by(scoring: Scoring, event: &Event) -> Option<Vec<f64>> {
    let mut points = vec![0.0; event.players.len()];
    let games = event.games.iter().filter(|game| game.part == EventPart::Main);
    match scoring {
        Scoring::GamePoints => return None,
        Scoring::ThreeForWin => {
            for game in games {
                points[game.white] += three_for_win(game.white_score);
                points[game.black] += three_for_win(1.0 - game.white_score);
            }
        }
        Scoring::Matches => {
            let mut leads: BTreeMap<(usize, usize), f64> = BTreeMap::new();
            for game in games {
                let pair = (game.white.min(game.black), game.white.max(game.black));
                let lead = game.white_score - 0.5;
                *leads.entry(pair).or_default() += if game.white == pair.0 { lead } else { -lead };
            }
            for ((one, other), lead) in leads {
                let share = if lead == 0.0 { 0.5 } else { f64::from(lead > 0.0) };
                points[one] += share;
                points[other] += 1.0 - share;
            }
        }
    }
    Some(points)
}

/// The points for a game by 3-1-0 scoring.
fn three_for_win(score: f64) -> f64 {
    match score {
        1.0 => 3.0,
        0.5 => 1.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament_app::text_input;

    /// A beats B 1½-½ and draws twice with C; B beats C 2-0.
    fn three_players() -> Event {
        let text = "Three\n3\nElo\n2600 A\n2600 B\n2600 C\n2700\n1 2 1\n2 1 .5\n1 3 .5\n3 1 .5\n2 3 1\n3 2 0\n";
        text_input::read(text).unwrap().event
    }

    #[test]
    fn a_win_counts_as_much_as_three_draws() {
        assert_eq!(points_by(Scoring::ThreeForWin, &three_players()), Some(vec![6.0, 7.0, 2.0]));
    }

    #[test]
    fn a_match_counts_one_point_however_high_it_was_won() {
        assert_eq!(points_by(Scoring::Matches, &three_players()), Some(vec![1.5, 1.0, 0.5]));
        assert_eq!(points_by(Scoring::GamePoints, &three_players()), None);
    }
}
