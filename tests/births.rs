//! Tests the months of birth in a spelling file.

use greatness::players::read_spelling_file;
use greatness::systems::months::chi_squared;

/// The titles that count.
const TITLES: [&str; 4] = ["GM", "IM", "WGM", "WIM"];

#[test]
#[ignore = "needs GREATNESS_SPELLING to name a spelling file"]
fn months_of_birth_are_uneven_for_all_players_but_not_for_titled_ones() {
    let players =
        read_spelling_file(&crate::support::spelling_file(), &|_| true).expect("it can be read");
    let (mut all, mut titled) = ([0; 12], [0; 12]);
    for life in players.iter().map(|player| player.life()) {
        let Some((month, _)) = life.birthday else { continue };
        all[month as usize - 1] += 1;
        titled[month as usize - 1] += usize::from(TITLES.iter().any(|title| life.has_title(title)));
    }
    // An earlier count has 2,497 dates with chi-squared 24.6, and 15.0 for titles that it does not
    // name. This edition, of 2022, has fewer dates by any reading. An independent count of it has
    // one birth more, on a 29 February that did not exist. The 5% critical value is 19.7.
    assert_eq!((all.iter().sum::<usize>(), titled.iter().sum::<usize>()), (2489, 1321));
    let statistics = [&all, &titled].map(|births| chi_squared(births).expect("there are births"));
    assert_eq!(statistics.map(|statistic| (statistic * 10.0).round() / 10.0), [25.0, 17.6]);
}
