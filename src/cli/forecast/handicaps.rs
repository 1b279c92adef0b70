//! Tables of handicaps: in matches by rating difference and number of games (3.94), in round robins
//! (3.96) and in Swiss events (3.99) by points below scratch.

use crate::forecasts::{ROUND_ROBIN_PLAYERS, SWISS_ROUNDS, handicap, round_robin_rows, swiss_rows};
use crate::systems::elo::formulas::Expectancy;

/// Rating differences (points) of the rows.
const DIFFERENCES: [f64; 8] = [50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 350.0, 400.0];

/// Numbers of games of the columns.
const GAMES: [u32; 7] = [4, 6, 8, 10, 12, 20, 24];

/// The lines of the table. A handicap below zero is an empty cell: one standard deviation exceeds
/// the expected lead.
pub(super) fn handicap_table(curve: Expectancy) -> Vec<String> {
    let mut lines = vec![
        "Points that the stronger player can give in a match of as many games".to_owned(),
        table_row("difference", GAMES.map(|games| games.to_string())),
    ];
    lines.extend(DIFFERENCES.map(|difference| {
        let expected = curve.expected(difference);
        let handicaps = GAMES.map(|games| {
            let points = handicap(expected, games);
            if points < 0.0 { String::new() } else { format!("{points:.2}") }
        });
        table_row(&format!("{difference:.0}"), handicaps)
    }));
    lines.push(format!("N games with the expected score e each, by the {}:", curve.words()));
    lines.push("N (2 e - 1) minus the square root of N e (1 - e), a standard deviation".to_owned());
    lines
}

/// The lines of the table for round robins.
pub(super) fn round_robin_table() -> Vec<String> {
    let mut lines = vec![
        "Points for a player so far below scratch, in a round robin of as many players".to_owned(),
        table_row("below", ROUND_ROBIN_PLAYERS.map(|players| players.to_string())),
    ];
    lines.extend(round_robin_rows().map(|(from, handicaps)| {
        table_row(&format!("{from:.0}"), handicaps.map(|points| format!("{points:.1}")))
    }));
    lines.push("Scratch is the highest rating, or the mean of the three highest.".to_owned());
    lines.push(
        "A figure belongs to the difference in its row; interpolate between rows.".to_owned(),
    );
    lines
}

/// The lines of the table for Swiss events.
pub(super) fn swiss_table() -> Vec<String> {
    let mut lines = vec![
        "Points for a player so far below scratch, in a Swiss event of as many rounds".to_owned(),
        table_row("below", SWISS_ROUNDS.map(|rounds| rounds.to_string())),
    ];
    lines.extend(swiss_rows().map(|(from, handicaps)| {
        table_row(&format!("{from:.0}"), handicaps.map(|points| format!("{points:.1}")))
    }));
    lines.push("Scratch is the mean of the three highest ratings.".to_owned());
    lines
}

fn table_row<const CELLS: usize>(name: &str, cells: [String; CELLS]) -> String {
    let cells: String = cells.iter().map(|cell| format!("{cell:>8}")).collect();
    format!("{name:>12}{cells}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hundred_points_over_twenty_games_are_worth_eight_and_a_half() {
        let lines = handicap_table(Expectancy::Table);
        let row = lines.iter().find(|line| line.trim_start().starts_with("200 ")).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells[1 + GAMES.iter().position(|games| *games == 20).unwrap()], "8.49");
        // Small differences over few games give nothing.
        let first = lines.iter().find(|line| line.trim_start().starts_with("50 ")).unwrap();
        assert!(first.split_whitespace().count() < 1 + GAMES.len(), "{first}");
    }
}
