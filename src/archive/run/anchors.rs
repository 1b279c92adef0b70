//! What holds the scale of ratings that tell differences only: what somebody set, or FIDE's ratings of the world's best.

use rustc_hash::FxHashSet;

use crate::archive::settings::Settings;
use crate::players::{PlayerId, Players};
use crate::rated::player_named;
use crate::ratings::{FIDE_SYSTEM, Histories, RatingList, read_lists, system_of};
use crate::source::{Diagnostic, DiagnosticKind, Wanted, find};
use crate::systems::{Anchor, Rated, Results};

/// Ratings of FIDE's best that are enough to hold a scale: with fewer one of them, taken for somebody else, would move it.
const ENOUGH: usize = 20;

/// The anchors for some results; what was set and cannot be is told.
pub(crate) fn anchors(
    settings: &Settings,
    results: &Results,
    players: &Players,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Anchor> {
    if settings.anchor.is_empty() {
        return of_fide(settings, results, players);
    }
    let played = years_played(results);
    let mut doubt = |message: String| {
        diagnostics.push(Diagnostic::warning("anchor", 0, DiagnosticKind::RatingList, message));
    };
    let mut anchors = Vec::new();
    for anchor in &settings.anchor {
        let (year, rating) = (anchor.year, anchor.rating);
        match player_named(results, &anchor.player) {
            Ok(player) if played.contains(&(player, year)) => {
                anchors.push(Anchor { player, year, rating });
            }
            Ok(player) => doubt(format!(
                "{} has no rated game in {year}, so that {rating} holds no scale",
                results.players[player as usize].name
            )),
            Err(reason) => doubt(format!("{reason}: {rating} in {year} holds no scale")),
        }
    }
    anchors
}

/// The mean ratings of each year of those on FIDE's lists of the best.
fn of_fide(settings: &Settings, results: &Results, players: &Players) -> Vec<Anchor> {
    let mut lists: Vec<RatingList> = Vec::new();
    // What is wrong with these files is told where they are read for the number two.
    let mut told_elsewhere = Vec::new();
    for file in find(&settings.input.leaders, Wanted::Ratings, &mut told_elsewhere) {
        let limits = settings.input.limits;
        read_lists(&file, &system_of, limits, &|_| true, &mut lists, &mut told_elsewhere);
    }
    let mut anchors = Vec::new();
    for list in lists.iter().filter(|list| list.system == FIDE_SYSTEM) {
        let histories = Histories::of(list);
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

/// Who played in which year.
fn years_played(results: &Results) -> FxHashSet<(u32, i16)> {
    let years = |game: &Rated| [game.white, game.black].map(|player| (player, game.day.year()));
    results.games.iter().flat_map(years).collect()
}
