//! Tests that damaged collections lose complete events, and that undamaged events stay complete.
//!
//! The bundled decades are damaged as real databases are (`support/spoil.rs`). An event that lost
//! many games must not count as complete. An event that lost none must. The fast tests group the
//! games, without ratings. The daily ones build the ranked lists.

use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;

use greatness::archive::{Grouped, ListSettings, Selected, Settings, Silent};
use greatness::events::{Event, SegmentKind};
use greatness::tournament::Kind;

use crate::support::spoil::{Damage, Missing, SourceGame, decades, spoil};
use crate::support::spoilt_lists::{GameNumbers, settings_for};

const DECADES: [&str; 4] = ["1950s", "1970s", "1990s", "2000s"];

/// Returns the identifiers of the events that would be ranked by strength if their ratings were
/// known, by the numbers of their games.
fn complete_events(files: &[Vec<SourceGame>]) -> BTreeMap<BTreeSet<usize>, String> {
    let folder = tempfile::tempdir().unwrap();
    let Settings { input, events: thresholds, .. } = settings_for(files, folder.path());
    let settings = Settings { input, ..Settings::default() };
    let selected = Selected::read(&settings.input, &Silent, &mut Vec::new()).unwrap();
    let Grouped { events, games, .. } = selected.group(thresholds, &mut Vec::new());
    let numbers = GameNumbers::new(files);
    let mut complete = BTreeMap::new();
    for event in events.iter().filter(|event| is_complete(event)) {
        let main = event.games.iter().filter(|game| game.segment == SegmentKind::Main);
        let main = main.map(|game| {
            let read = &games.table.games()[game.row];
            numbers.find(&games.table.members[read.member as usize], read.line)
        });
        complete.insert(main.collect(), event.id.clone());
    }
    complete
}

fn is_complete(event: &Event) -> bool {
    event.kind.is_recognised()
        && event.kind != Kind::Team
        && event.recognised.is_certain
        && event.coverage() >= ListSettings::default().minimum_coverage
}

#[test]
fn events_that_lost_a_third_of_their_games_do_not_count_as_complete() {
    let games = decades(&DECADES);
    let whole = complete_events(from_ref(&games)).len();
    assert!(whole > 600, "{whole} complete events in the bundled decades");
    for seed in [1, 2] {
        for (missing, which) in
            [(0.3, Missing::Late), (0.3, Missing::Draws), (0.4, Missing::Random)]
        {
            let spoilt = spoil(&games, &Damage { missing, which, ..Damage::NONE }, seed);
            let left = complete_events(&spoilt).len();
            // Fewer than 2% may pass.
            assert!(
                50 * left < whole,
                "{which:?}, seed {seed}: {left} of {whole} events count as complete"
            );
        }
    }
}

#[test]
fn events_stay_complete_with_respelt_names_and_from_two_incomplete_sources() {
    let games = decades(&DECADES);
    let whole = complete_events(from_ref(&games)).len() as f64;
    let shares = [(0.3, 0.0, 0.97), (0.0, 0.5, 0.95), (0.2, 0.4, 0.92)];
    for (seed, (respelt, copied, at_least)) in shares.iter().flat_map(|one| [(1, *one), (2, *one)])
    {
        let spoilt = spoil(&games, &Damage { respelt, copied, ..Damage::NONE }, seed);
        let left = complete_events(&spoilt).len() as f64;
        let share = left / whole;
        assert!(
            (at_least..=1.03).contains(&share),
            "{respelt} respelt, {copied} copied, seed {seed}: {left} events count as complete, and {whole} are"
        );
    }
}

/// Returns how many complete events of the 1990s stay complete with all of their games, and how
/// many other events count as complete.
fn complete_in_the_1990s(damage: &Damage) -> [usize; 2] {
    let games = decades(&["1990s"]);
    let whole = complete_events(from_ref(&games));
    let left = complete_events(&spoil(&games, damage, 1));
    let others = left.iter().filter(|(games, _)| !whole.contains_key(*games));
    let others: Vec<&String> = others.map(|(_, id)| id).collect();
    println!("other complete events: {others:?}");
    println!("{} complete events are whole", left.len() - others.len());
    [left.len() - others.len(), others.len()]
}

#[test]
fn parts_of_an_event_from_sources_that_name_it_differently_are_joined() {
    let [joined, parts] = complete_in_the_1990s(&Damage { layers: 2, ..Damage::NONE });
    // Measured: 245 of 295 events, and 9 others that count as complete, most of which lack one game
    // or two. Wanted: 265 and 8.
    assert!(joined >= 245 && parts <= 9, "{joined} events are joined; {parts} others count");
}

#[test]
fn events_without_their_weakest_players_rarely_count_as_complete() {
    let damage = Damage { floor: 0.2, share: 0.5, ..Damage::NONE };
    let [kept, wrong] = complete_in_the_1990s(&damage);
    // Measured: 148 and 38. Wanted: the 220 events that are still whole, and about 17 others that
    // nothing contradicts.
    assert!(kept >= 148 && wrong <= 38, "{kept} are complete, and {wrong} only seem so");
}

#[test]
fn games_that_two_sources_have_count_once_for_ratings() {
    let games = decades(&["1950s"]);
    let folder = tempfile::tempdir().unwrap();
    let spoilt = spoil(&games, &Damage { copied: 0.5, ..Damage::NONE }, 1);
    let settings = settings_for(&spoilt, folder.path());
    let selected = Selected::read(&settings.input, &Silent, &mut Vec::new()).unwrap();
    let read = selected.rows.len();
    let Grouped { games: counted, .. } = selected.group(settings.events, &mut Vec::new());
    let (all, counted) = (games.len(), counted.rows.len());
    assert!(10 * read > 11 * all, "{read} records of {all} games");
    assert!(counted.abs_diff(all) * 100 < all, "{counted} of {all} games count");
}

/// Builds of a minute or more. `.ci/run` runs them once a day.
mod daily {
    use super::*;
    use crate::support::spoilt_forms::FORMS_WITH_GOALS;
    use crate::support::spoilt_lists::{ListComparison, RankedLists, RowComparison};

    /// Seeds whose failures are printed, to find and test rules.
    const DEVELOPMENT_SEEDS: [u64; 3] = [1, 2, 3];

    /// Seeds whose failures are only counted, so that no rule is made for them.
    const HELD_OUT_SEEDS: [u64; 5] = [11, 12, 13, 14, 15];

    /// The least fractions of whole rows that are kept, and of listed rows that are sound.
    type Least = [f64; 2];

    fn reaches(rows: &RowComparison, [kept, sound]: Least) -> bool {
        rows.kept() >= kept && rows.sound_part() >= sound
    }

    #[test]
    #[ignore = "builds of a minute or more"]
    fn lists_keep_their_rows_with_respelt_names_and_from_two_incomplete_sources() {
        let games = decades(&DECADES);
        let whole = RankedLists::new(from_ref(&games), true);
        assert!(whole.strengths.len() > 600 && whole.g_scores.len() > 900);
        let mut failures = Vec::new();
        for (respelt, copied, least) in
            [(0.3, 0.0, [0.98, 0.97]), (0.0, 0.5, [0.95, 0.93]), (0.2, 0.4, [0.95, 0.93])]
        {
            let spoilt = spoil(&games, &Damage { respelt, copied, ..Damage::NONE }, 1);
            let found = ListComparison::new(&whole, &RankedLists::new(&spoilt, true));
            found.print(&format!("{respelt} respelt, {copied} copied"));
            let kept = [found.strengths.kept(), found.g_scores.kept()];
            if kept.iter().zip(least).any(|(kept, least)| *kept < least) {
                failures.push((respelt, copied, kept, least));
            }
        }
        assert!(failures.is_empty(), "{failures:?}");
    }

    #[test]
    #[ignore = "builds of a minute or more"]
    fn lists_have_almost_no_row_of_an_event_that_lost_a_third_of_its_games() {
        let games = decades(&DECADES);
        let whole = RankedLists::new(from_ref(&games), true);
        for (missing, which) in
            [(0.3, Missing::Late), (0.3, Missing::Draws), (0.4, Missing::Random)]
        {
            let spoilt = spoil(&games, &Damage { missing, which, ..Damage::NONE }, 1);
            let found = ListComparison::new(&whole, &RankedLists::new(&spoilt, true));
            found.print(&format!("{which:?}"));
            assert!(50 * found.strengths.listed < whole.strengths.len(), "{which:?}");
            // Fewer than 5% of the performances that stay may be wrong, but one always may.
            let rows = found.g_scores;
            assert!(rows.listed - rows.sound <= (rows.listed / 20).max(1), "{which:?}: {rows:?}");
        }
    }

    #[test]
    #[ignore = "builds of a minute or more"]
    fn whole_events_stay_listed_in_layered_incomplete_and_stale_collections() {
        // Measured: the least fractions of three seeds, of strengths and of G-scores. The goals are
        // those of `FORMS_WITH_GOALS`.
        let least: [[Least; 2]; 5] = [
            [[0.90, 0.97], [0.93, 0.97]],
            [[0.91, 0.97], [0.93, 0.97]],
            [[1.00, 0.94], [1.00, 0.93]],
            [[0.96, 0.97], [0.92, 0.95]],
            [[0.92, 0.96], [0.96, 0.99]],
        ];
        let games = decades(&["1990s"]);
        let good = RankedLists::new(from_ref(&games), true);
        let mut failures = Vec::new();
        for (form, [strengths, g_scores]) in FORMS_WITH_GOALS.iter().zip(least) {
            for seed in DEVELOPMENT_SEEDS {
                let spoilt = RankedLists::new(&spoil(&games, &form.damage, seed), true);
                let found = ListComparison::new(&good, &spoilt);
                found.print(&format!("{}, seed {seed}", form.name));
                for (rows, least) in [(found.strengths, strengths), (found.g_scores, g_scores)] {
                    if !reaches(&rows, least) {
                        failures.push((form.name, seed, least, rows.kept(), rows.sound_part()));
                    }
                }
            }
        }
        assert!(failures.is_empty(), "{failures:#?}");
    }

    /// Each of four decades is spoilt with five seeds, and has two lists.
    #[test]
    #[ignore = "builds of a minute or more"]
    fn held_out_seeds_miss_the_goals_as_rarely_as_before() {
        // Measured, of 40 lists. Wanted: none.
        let most_missed = [13, 6, 19, 22, 24];
        let mut missed = [0; 5];
        for decade in DECADES {
            let games = decades(&[decade]);
            let good = RankedLists::new(from_ref(&games), true);
            for (form, missed) in FORMS_WITH_GOALS.iter().zip(&mut missed) {
                let goal = form.goal.expect("forms with goals");
                for seed in HELD_OUT_SEEDS {
                    let spoilt = RankedLists::new(&spoil(&games, &form.damage, seed), true);
                    let found = ListComparison::new(&good, &spoilt);
                    let lists = [found.strengths, found.g_scores];
                    *missed += lists.iter().filter(|rows| !rows.reaches(goal)).count();
                }
            }
        }
        println!("lists that miss their goals, of 40 for each form: {missed:?}");
        let is_worse = missed.iter().zip(most_missed).any(|(missed, most)| *missed > most);
        assert!(!is_worse, "{missed:?} of 40 lists miss their goals, {most_missed:?} before");
    }
}
