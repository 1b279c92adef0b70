//! Shrinks performances of few games towards the opponents (8.85, 70).

/// Numbers of games of the table's rows, and the step (points) between the differences of its
/// columns.
const GAMES: [f64; 7] = [5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0];
const STEP: f64 = 50.0;

/// The book's factors.
const FACTORS: [[f64; 8]; 7] = [
    [0.96, 0.91, 0.85, 0.78, 0.71, 0.64, 0.57, 0.51],
    [0.96, 0.92, 0.86, 0.80, 0.73, 0.66, 0.59, 0.53],
    [0.97, 0.93, 0.87, 0.82, 0.75, 0.68, 0.61, 0.55],
    [0.97, 0.94, 0.89, 0.84, 0.77, 0.71, 0.64, 0.57],
    [0.98, 0.94, 0.89, 0.85, 0.78, 0.72, 0.65, 0.59],
    [0.99, 0.95, 0.90, 0.85, 0.80, 0.73, 0.67, 0.60],
    [0.99, 0.95, 0.90, 0.86, 0.81, 0.74, 0.68, 0.61],
];

/// Games from which a performance is not shrunk (8.85).
const ENOUGH: f64 = 30.0;

/// The factor of a row of the table for the difference `size` (points). It is linear between the
/// book's figures, and 1 at no difference.
fn factor_in_row(row: usize, size: f64) -> f64 {
    let at = size / STEP;
    let place = at.floor() as usize;
    let from = if place == 0 { 1.0 } else { FACTORS[row][place.min(8) - 1] };
    match FACTORS[row].get(place) {
        Some(to) => from + (at - place as f64) * (to - from),
        None => from,
    }
}

/// The factor for the difference `size` (points) of a performance of `games` games. Fewer than 5
/// games use the row of 5; from 17 to 30 games the factor rises linearly to 1 (both ours).
fn factor(games: f64, size: f64) -> f64 {
    let last = GAMES.len() - 1;
    if games >= ENOUGH {
        1.0
    } else if games >= GAMES[last] {
        let from = factor_in_row(last, size);
        from + (games - GAMES[last]) / (ENOUGH - GAMES[last]) * (1.0 - from)
    } else {
        let games = games.max(GAMES[0]);
        let row = (((games - GAMES[0]) / 2.0).floor() as usize).min(last - 1);
        let part = (games - GAMES[row]) / (GAMES[row + 1] - GAMES[row]);
        let from = factor_in_row(row, size);
        from + part * (factor_in_row(row + 1, size) - from)
    }
}

/// The largest difference (points) of the table. Beyond it the correction stays constant (ours), so
/// a performance of 100% is finite.
const LARGEST: f64 = 400.0;

/// The factor F, in `(0, 1]`, of a performance of `games` games. `difference` (points) is the
/// difference for the percentage score.
pub fn small_sample_factor(games: u32, difference: f64) -> f64 {
    let size = difference.abs();
    let within = factor(f64::from(games), size.min(LARGEST));
    if size > LARGEST && f64::from(games) < ENOUGH { within * LARGEST / size } else { within }
}

/// The performance rating (points) with that factor: RF = Rc + F Dp. `difference` may be infinite.
pub fn small_sample_performance(mean_opponent: f64, games: u32, difference: f64) -> f64 {
    if difference.is_infinite() {
        return mean_opponent + difference.signum() * factor(f64::from(games), LARGEST) * LARGEST;
    }
    mean_opponent + small_sample_factor(games, difference) * difference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_those_of_the_table_and_linear_between_them() {
        assert_eq!(small_sample_factor(5, 50.0), 0.96);
        assert_eq!(small_sample_factor(13, -250.0), 0.78);
        assert_eq!(small_sample_factor(17, 400.0), 0.61);
        assert_eq!(small_sample_factor(3, 400.0), 0.51);
        assert_eq!(small_sample_factor(9, 0.0), 1.0);
        assert_eq!(small_sample_factor(30, 300.0), 1.0);
        assert!((small_sample_factor(6, 100.0) - 0.915).abs() < 1e-12);
        assert!((small_sample_factor(23, 400.0) - (0.61 + 6.0 / 13.0 * 0.39)).abs() < 1e-12);
    }

    #[test]
    fn portisch_at_wijk_aan_zee_1975() {
        assert!((small_sample_factor(15, 149.0) - 0.901).abs() < 1e-9);
        assert_eq!(small_sample_performance(2527.0, 15, 149.0).round(), 2661.0);
    }

    #[test]
    fn performance_of_100_per_cent_is_finite() {
        assert!((small_sample_performance(2500.0, 5, f64::INFINITY) - 2704.0).abs() < 1e-9);
        assert!((small_sample_performance(2500.0, 5, 800.0) - 2704.0).abs() < 1e-9);
    }
}
