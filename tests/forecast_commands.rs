//! What ratings foretell, in the terminal: `greatness performance`.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use support::{greatness_here, stderr, stdout};

/// Those whom Portisch met at Wijk aan Zee 1975.
const OPPONENTS: [&str; 15] = [
    "2600", "2600", "2555", "2575", "2615", "2470", "2550", "2600", "2510", "2560", "2410", "2470",
    "2485", "2445", "2460",
];

fn performance(arguments: &[&str]) -> std::process::Output {
    greatness_here(&[&["performance"], arguments].concat())
}

#[test]
fn portisch_at_wijk_aan_zee_1975_has_every_form_of_the_book() {
    let arguments = [&["--score", "10.5", "--own", "2635", "--opponents"], &OPPONENTS[..]].concat();
    let told = stdout(&performance(&arguments));
    let line = |start: &str| {
        let found = told.lines().find(|line| line.trim_start().starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in {told}")).to_owned()
    };
    assert!(told.starts_with("10.5 of 15 (70.0%) against a mean of 2527.0\n"), "{told}");
    assert!(line("performance rating, exact").ends_with("2679.2"), "{told}");
    assert!(line("its standard error").contains("77.4"), "{told}");
    assert!(line("by the mean, table of the book").ends_with("2676.0"), "{told}");
    assert!(line("linear").ends_with("2687.0"), "{told}");
    assert!(line("drawn in for few games").contains("factor 0.90"), "{told}");
    assert!(line("error by the book").contains("73.0 points, probable error 49.3"), "{told}");
    assert!(line("chance of 10.5 or more").contains('%'), "{told}");
    let decided = [&["--score", "10.5", "--draws", "0", "--opponents"], &OPPONENTS[..]].concat();
    assert!(stdout(&performance(&decided)).contains("97.3"), "{told}");
}

#[test]
fn everything_won_has_no_limit_but_a_factor_for_few_games() {
    let told = stdout(&performance(&[
        "--score",
        "5",
        "--opponents",
        "2500",
        "2500",
        "2500",
        "2500",
        "2500",
    ]));
    assert!(told.contains("no limit"), "{told}");
    let drawn_in = told.lines().find(|line| line.starts_with("drawn in")).unwrap();
    assert!(drawn_in.ends_with("2704.0"), "{told}");
}

#[test]
fn opponents_who_are_far_apart_have_the_exact_form_alone() {
    let told =
        stdout(&performance(&["--score", "2", "--opponents", "1800", "2100", "2500", "2450"]));
    assert!(told.contains("700 points apart"), "{told}");
    assert!(!told.contains("linear"), "{told}");
}

#[test]
fn what_makes_no_sense_is_told_in_a_sentence() {
    for (arguments, expected) in [
        (
            &["--score", "1", "--opponents", "27850"][..],
            "ratings lie between 100 and 4000; got 27850",
        ),
        (&["--score", "1", "--opponents", "2500", "--own", "99"], "got 99"),
        (&["--score", "0.3", "--opponents", "2500"], "a number of half points; got 0.3"),
        (&["--score", "-1", "--opponents", "2500"], "between 0 and the number of games, 1; got -1"),
        (&["--score", "2", "--opponents", "2500"], "got 2"),
        (&["--score", "1", "--opponents", "2500", "--draws", "1.5"], "the part of draws is 0 to 1"),
    ] {
        let output = performance(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}
