//! Compares historical Elo on the bundled results with the figures of Elo's book.

use std::collections::BTreeMap;

use crate::support::rated_lists::list;
use crate::support::{Bundled, greatness_here, stderr, stdout};

fn number(row: &serde_json::Value, column: &str) -> f64 {
    row[column].as_f64().unwrap()
}

/// The best established rating of each player on the lists of historical Elo: player, rating,
/// games, and the first year of the half decade.
fn best_half_decades(csv: &str) -> BTreeMap<String, (f64, f64, i16)> {
    let mut best: BTreeMap<String, (f64, f64, i16)> = BTreeMap::new();
    for row in csv::Reader::from_reader(csv.as_bytes()).records() {
        let row = row.expect("a row");
        if &row[5] == "true" {
            continue;
        }
        let (rating, games): (f64, f64) = (row[3].parse().unwrap(), row[4].parse().unwrap());
        let found = (rating, games, row[0][..4].parse().unwrap());
        let known = best.entry(row[2].to_owned()).or_insert(found);
        if rating > known.0 {
            *known = found;
        }
    }
    best
}

/// The places of numbers in their order; equal numbers share the mean of their places.
fn places(numbers: &[f64]) -> Vec<f64> {
    numbers
        .iter()
        .map(|number| {
            let below = numbers.iter().filter(|other| *other < number).count();
            let equal = numbers.iter().filter(|other| *other == number).count();
            below as f64 + (equal as f64 - 1.0) / 2.0
        })
        .collect()
}

/// Spearman's rank correlation of pairs.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let (one, other): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (one, other) = (places(&one), places(&other));
    let mean = (pairs.len() as f64 - 1.0) / 2.0;
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in one.iter().zip(&other) {
        xy += (x - mean) * (y - mean);
        xx += (x - mean) * (x - mean);
        yy += (y - mean) * (y - mean);
    }
    xy / (xx * yy).sqrt()
}

/// Historical Elo on the bundled results, compared with the best five-year averages of Elo's book
/// (9.4, 9.5).
struct BookComparison {
    /// Rank correlation, over players with 40 games in their best half decade.
    spearman: f64,
    /// Mean of our rating minus the book's (points), over all players.
    level: f64,
    /// The same by the first year of our best half decade, from 1865, with the number of players.
    levels: BTreeMap<i16, (f64, usize)>,
}

fn compared_with_the_book(players: &str) -> BookComparison {
    let output = greatness_here(&["ratings", "elo-historical", "--players", players]);
    assert!(output.status.success(), "{}", stderr(&output));
    let best = best_half_decades(&stdout(&output));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/published/elo-five-year-averages.csv");
    let book = csv::Reader::from_path(path).unwrap().into_deserialize();
    let book: Vec<(String, f64, String)> = book.map(|row| row.unwrap()).collect();
    let pairs: Vec<(f64, (f64, f64, i16))> =
        book.iter().filter_map(|(name, book, _)| Some((*book, *best.get(name)?))).collect();
    assert!(pairs.len() >= 38, "{players}: {}", pairs.len());
    let certain: Vec<(f64, f64)> = pairs
        .iter()
        .filter(|(_, (_, games, _))| *games >= 40.0)
        .map(|(book, (rating, ..))| (*book, *rating))
        .collect();
    let mut sums: BTreeMap<i16, (f64, usize)> = BTreeMap::new();
    for (book, (rating, _, first)) in pairs.iter().filter(|(_, (.., first))| *first >= 1865) {
        let sum = sums.entry(*first).or_default();
        *sum = (sum.0 + rating - book, sum.1 + 1);
    }
    for (sum, count) in sums.values_mut() {
        *sum /= *count as f64;
    }
    let level = pairs.iter().map(|(book, (rating, ..))| rating - book).sum::<f64>();
    BookComparison {
        spearman: rank_correlation(&certain),
        level: level / pairs.len() as f64,
        levels: sums,
    }
}

#[test]
fn half_decades_agree_with_the_averages_of_elos_book() {
    let (all, masters) = (compared_with_the_book("all"), compared_with_the_book("masters"));
    assert!(all.spearman > 0.88, "{}", all.spearman);
    assert!(masters.spearman > 0.91, "{}", masters.spearman);
    // Our ratings of all players are 60 to 70 points below those of the book on average.
    assert!(all.level < -40.0, "{}", all.level);
    assert!(masters.level.abs() < 20.0, "{}", masters.level);
    for (first, (level, players)) in &masters.levels {
        // The best half decade of a single player can be off by the error of that rating.
        let limit = if *players > 1 { 45.0 } else { 65.0 };
        assert!(level.abs() < limit, "{first}: {level} ({players})");
    }
}

/// Our best five-year average and that of the book, by player, with the games of ours.
fn averages_with_those_of_the_book() -> Vec<(f64, f64, f64)> {
    let rows = Bundled::get().table("five-year-averages");
    rows.iter()
        .filter_map(|row| {
            Some((number(row, "rating"), row["book"].as_f64()?, number(row, "games")))
        })
        .collect()
}

#[test]
fn five_year_averages_agree_with_those_of_elos_book() {
    let pairs = averages_with_those_of_the_book();
    assert!(pairs.len() >= 39, "{}", pairs.len());
    let differences: Vec<f64> = pairs.iter().map(|(ours, book, _)| ours - book).collect();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let squares: f64 = differences.iter().map(|one| (one - mean).powi(2)).sum();
    let deviation = (squares / (differences.len() - 1) as f64).sqrt();
    assert!(mean.abs() < 10.0 && deviation < 35.0, "{mean} {deviation}");
    let certain: Vec<(f64, f64)> = pairs
        .iter()
        .filter(|(.., games)| *games >= 40.0)
        .map(|(ours, book, _)| (*book, *ours))
        .collect();
    assert!(rank_correlation(&certain) > 0.94, "{}", rank_correlation(&certain));
}

#[test]
fn eight_approximations_of_208_players_give_nearly_the_first_list_of_fide() {
    // Elo, 4.25.
    let output = greatness_here(&["ratings", "elo-historical", "--most-active", "208"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    // One of the 208 met none of the others.
    assert!(text.starts_with("207 players, "), "{text}");
    let changes: Vec<f64> = text
        .lines()
        .skip_while(|line| !line.contains("largest change"))
        .skip(1)
        .map_while(|line| line.split_whitespace().nth(1)?.parse().ok())
        .collect();
    assert_eq!(changes.len(), 8, "{text}");
    assert!(changes[0] > 400.0 && changes[7] < 5.0, "{changes:?}");
    let last = text.lines().find(|line| line.contains("rank correlation")).expect("a comparison");
    assert!(last.starts_with("20 of them are on FIDE's list of 1971-07-01"), "{last}");
    let correlation: f64 = last.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(correlation > 0.85, "{last}");
    assert!(text.contains("   1 Fischer, Bobby "), "{text}");
}

#[test]
fn the_prime_examples_of_longevity_are_in_the_first_fifth() {
    // Elo, 5.64.
    let rows = Bundled::get().table("longevity");
    for name in
        ["Blackburne, Joseph Henry", "Mieses, Jacques", "Lasker, Emanuel", "Tartakower, Savielly"]
    {
        let place = rows.iter().position(|row| row["player"] == name).expect(name);
        assert!(5 * place < rows.len(), "{name}: {place} of {}", rows.len());
    }
    let years: Vec<f64> = rows.iter().map(|row| number(row, "years")).collect();
    assert!(years.is_sorted_by(|a, b| a >= b));
}

#[test]
fn performances_above_the_rating_are_rarer_than_elos_theory_expects() {
    let rows = Bundled::get().table("title-odds");
    let of_all: Vec<&serde_json::Value> =
        rows.iter().filter(|row| row["from_games"] == 9 && row["to_games"] == 19).collect();
    assert_eq!(of_all.len(), 6);
    let shares: Vec<f64> = of_all.iter().map(|row| number(row, "share")).collect();
    assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
    // Half of the performances are above the rating, as the theory says; far fewer are 100 points
    // above it.
    let level = of_all.iter().find(|row| number(row, "ahead") == 0.0).expect("a row");
    assert!((number(level, "share") - 0.5).abs() < 3.0 * number(level, "error"), "{level}");
    let far = of_all.iter().find(|row| number(row, "ahead") == 100.0).expect("a row");
    assert!(number(far, "expected") - number(far, "share") > 4.0 * number(far, "error"), "{far}");
}

#[test]
fn masters_whom_elo_named_become_grandmasters_by_the_rules_of_1977() {
    // The 24 masters of 4.23 who died before the title existed.
    let named = [
        "Alekhine",
        "Blackburne",
        "Burn",
        "Capablanca",
        "Charousek",
        "Chigorin",
        "Gunsberg",
        "Janowski",
        "Lasker, Emanuel",
        "Marco",
        "Marshall",
        "Mason",
        "Nimzowitsch",
        "Petrovs",
        "Pillsbury",
        "Rabinovich, Ilya",
        "Réti",
        "Schlechter",
        "Spielmann",
        "Steinitz",
        "Sultan Khan",
        "Tarrasch",
        "Teichmann",
        "Walbrodt",
    ];
    let titles = Bundled::get().table("titles");
    let met: Vec<&str> = named
        .into_iter()
        .filter(|name| {
            titles.iter().any(|row| {
                row["title"] == "GM"
                    && row["by_rules"].is_number()
                    && row["player"].as_str().is_some_and(|player| player.starts_with(name))
            })
        })
        .collect();
    // Five by the ageing curve alone. The others have too few events of ten players.
    assert!(met.len() >= 14, "{met:?}");
    let norms = Bundled::get().table("norms");
    for (event, player) in [("hastings-1895", "Pillsbury"), ("vienna-1898", "Tarrasch")] {
        assert!(
            norms.iter().any(|row| {
                row["event_id"] == event
                    && row["title"] == "GM"
                    && row["player"].as_str().is_some_and(|name| name.starts_with(player))
            }),
            "{player} at {event}"
        );
    }
}

#[test]
fn the_best_of_a_year_are_as_strong_as_in_elos_book() {
    // 5.73: the mean of the best 15 of 1860 to 50 of 1960, moved to agree in 1960.
    let rows = Bundled::get().table("improvement");
    for (first, printed) in
        [(1846, 2485.0), (1885, 2505.0), (1910, 2520.0), (1935, 2535.0), (1960, 2575.0)]
    {
        let row = rows.iter().find(|row| row["from"] == first).expect("a period");
        assert!((number(row, "mean") - printed).abs() <= 30.0, "{row}");
    }
}

#[test]
fn categories_of_famous_tournaments_are_those_of_their_time() {
    let norms = Bundled::get().table("norms");
    for (event, category) in
        [("new-york-1924", 12..=13), ("avro-1938", 16..=16), ("zurich-1953", 15..=15)]
    {
        let row = norms.iter().find(|row| row["event_id"] == event).expect("a norm");
        let found = row["category"].as_str().unwrap().parse::<u32>().unwrap();
        assert!(category.contains(&found), "{event}: {found}");
    }
}

#[test]
fn offhand_games_against_one_opponent_head_no_list_of_historical_elo() {
    for players in ["all", "masters"] {
        let output = greatness_here(&["ratings", "elo-historical", "--players", players]);
        assert!(output.status.success(), "{}", stderr(&output));
        let found = list(&stdout(&output), "1846-01-01");
        // Eichborn's only known games are thirty against Anderssen.
        let eichborn = found.iter().find(|line| line.1 == "Eichborn, Louis").expect("listed");
        assert!(eichborn.3, "provisional");
        assert!(found[0].1 == "Morphy, Paul" && !found[0].3, "{:?}", found[0]);
    }
}
