//! Finds the anchors of rating scales on which only differences are determined: ratings from the
//! settings, or FIDE's ratings of the world's best.

use rustc_hash::FxHashSet;

use crate::rated::player_named;
use crate::settings::{AnchorSetting, Input};
use chess_history::players::{PlayerId, Players};
use chess_history::ratings::{FIDE_SYSTEM, Histories, ListOptions, read_lists, system_of};
use pgn_collections::source::{Diagnostic, DiagnosticKind, Wanted, find};
use rating_systems::systems::{Anchor, Results};

/// The number of FIDE ratings that is enough to anchor a scale. Judged: a misidentified player who
/// is 200 points off moves the mean of twenty by 10 points, and that of ten by 20.
const ENOUGH: usize = 20;

/// The anchors for some results: those that are decided, or else from FIDE's lists. Those that
/// cannot be used are reported as warnings.
pub fn anchors(
    decided: &[AnchorSetting],
    input: &Input,
    results: &Results,
    players: &Players,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Anchor> {
    if decided.is_empty() {
        return fide_anchors(input, results, players);
    }
    let played = years_played(results);
    let mut anchors = Vec::new();
    let mut anchored = FxHashSet::default();
    for anchor in decided {
        let (year, rating) = (anchor.year, anchor.rating);
        let message = match player_named(results, &anchor.player) {
            Ok(player) if anchored.contains(&(player, year)) => format!(
                "{} has two anchors in {year}, so the second, {rating}, is ignored; remove one",
                results.players[player as usize].name
            ),
            Ok(player) if played.contains(&(player, year)) => {
                anchored.insert((player, year));
                anchors.push(Anchor { player, year, rating });
                continue;
            }
            Ok(player) => format!(
                "{} has no rated game in {year}, so the anchor {rating} is ignored; choose another year",
                results.players[player as usize].name
            ),
            Err(reason) => format!("{reason}, so the anchor {rating} in {year} is ignored"),
        };
        diagnostics.push(Diagnostic::warning("anchor", 0, DiagnosticKind::RatingList, message));
    }
    anchors
}

/// The mean ratings of each year of the players on FIDE's lists of the best.
fn fide_anchors(input: &Input, results: &Results, players: &Players) -> Vec<Anchor> {
    // Errors in these files are reported when they are read for the world number two.
    let files = find(&input.leaders, Wanted::Ratings, &mut Vec::new());
    let limits = input.limits;
    let options = ListOptions { system: &system_of, limits, occurs: &|_| true };
    let lists = read_lists(files, options).lists;
    let mut anchors = Vec::new();
    for list in lists.iter().filter(|list| list.system == FIDE_SYSTEM) {
        let histories = Histories::new(list);
        for (player, rated) in (0..).zip(&results.players) {
            let history =
                rated.id.and_then(|id| histories.player(players.get(PlayerId::of_index(id))));
            let ratings = history.map(|history| history.ratings).unwrap_or_default();
            for of_year in ratings.chunk_by(|a, b| a.0.year() == b.0.year()) {
                let sum: f64 = of_year.iter().map(|(_, rating)| rating).sum();
                let (year, rating) = (of_year[0].0.year(), sum / of_year.len() as f64);
                anchors.push(Anchor { player, year, rating });
            }
        }
    }
    let played = years_played(results);
    anchors.retain(|anchor| played.contains(&(anchor.player, anchor.year)));
    if anchors.len() < ENOUGH { Vec::new() } else { anchors }
}

/// The pairs of player and year in which the player played.
fn years_played(results: &Results) -> FxHashSet<(u32, i16)> {
    let games = results.games.iter();
    games
        .flat_map(|game| [game.white, game.black].map(|player| (player, game.day.year())))
        .collect()
}
