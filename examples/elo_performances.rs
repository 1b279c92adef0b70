//! Elo's formulas for a result: the performance rating of 10½ points in 15 games at Wijk aan Zee
//! 1975 (the book's example).
//!
//! `cargo run --example elo_performances`

use greatness::systems::elo::formulas::{
    Expectancy, current, exact_performance, linear_performance, match_performance, performance,
    round_robin_mean, round_robin_performance,
};

fn main() {
    let (points, games) = (10.5, 15.0);
    let fraction = points / games;
    for expectancy in [Expectancy::Normal, Expectancy::Logistic, Expectancy::Table] {
        println!("{}:", expectancy.words());
        println!("  against a mean of 2527: {:.0}", performance(expectancy, 2527.0, fraction));
        // The same from the mean of all sixteen players, including the player's own rating.
        let round_robin = round_robin_performance(expectancy, 2534.0, fraction, 16);
        println!("  in a field of sixteen with a mean of 2534: {round_robin:.0}");
        let exact = exact_performance(expectancy, &[2527.0; 15], points);
        println!("  exactly: {:.0}", exact.unwrap_or(f64::NAN));
        // Karpov and Korchnoi in 1974, rated 2715 and 2645.
        println!(
            "  12½ of 24 between two of 2680: {:.0}",
            match_performance(expectancy, 2680.0, 12.5 / 24.0)
        );
        let mean = round_robin_mean(expectancy, &[(2635.0, fraction)], 16);
        println!("  the mean of all, if only he had been rated: {:.0}", mean.unwrap_or(f64::NAN));
    }
    println!("linear: {:.0}", linear_performance(2527.0, points, games - points, games));
    println!("rating afterwards, K = 10: {:.1}", current(2635.0, 10.0, points, 9.66));
}
