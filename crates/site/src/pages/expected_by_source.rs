//! What each source of forecasts expected of the players of an event: a part of its page.

use serde::Serialize;

use super::explain::LARGE_FIELD;
use super::{Link, Site};
use crate::figures::{fixed_or_empty, points};
use archive::{EventRecord, ForecastSource, GameForecasts};

/// The expected scores of the players of an event. `None` for large fields, and if no source
/// predicts all games of a player.
pub(super) fn of_event(site: &Site, record: &EventRecord) -> Option<impl Serialize> {
    let forecasts = site.archive.studies.game_forecasts.as_ref()?;
    let players = &record.analysis.players;
    if players.len() >= LARGE_FIELD {
        return None;
    }
    let found: Vec<Vec<Option<f64>>> =
        forecasts.sources.iter().map(|source| expected(record, forecasts, source)).collect();
    let mut known: Vec<usize> =
        (0..found.len()).filter(|source| found[*source].iter().any(Option::is_some)).collect();
    // The best forecast comes first, so that it is visible on a narrow screen.
    known.sort_by_key(|source| !forecasts.sources[*source].system.about.reads_published_ratings);
    if known.is_empty() {
        return None;
    }
    let rows = players.iter().filter(|player| player.games > 0).map(|player| {
        view!(
            player = Link::to_player(site.archive, record.event.players[player.index]),
            games = player.games,
            scored = points(player.points),
            // The expected score by each source; empty if it could not predict all games.
            expected = known
                .iter()
                .map(|source| fixed_or_empty(found[*source][player.index], 2))
                .collect::<Vec<_>>()
        )
    });
    let rows: Vec<_> =
        rows.filter(|row| row.expected.iter().any(|cell| !cell.is_empty())).collect();
    let sources = known.iter().map(|source| {
        let about = forecasts.sources[*source].system.about;
        view!(
            name = about.name,
            // Whether it reads published ratings, which the others do not.
            reads_published = about.reads_published_ratings
        )
    });
    Some(view!(sources = sources.collect::<Vec<_>>(), rows))
}

/// The expected score of each player of the event, by number. `None` for a player with a game that
/// the source did not predict.
fn expected(
    record: &EventRecord,
    forecasts: &GameForecasts,
    source: &ForecastSource,
) -> Vec<Option<f64>> {
    let mut sums: Vec<Option<f64>> = vec![Some(0.0); record.event.players.len()];
    let mut games = vec![0_usize; sums.len()];
    for game in record.event.games.iter().filter(|game| game.played && game.analysed) {
        let number = forecasts.number(game.row);
        let white = number.and_then(|number| source.expected(number));
        for (player, expected) in
            [(game.white, white), (game.black, white.map(|white| 1.0 - white))]
        {
            sums[player] = sums[player].zip(expected).map(|(sum, expected)| sum + expected);
            games[player] += 1;
        }
    }
    for (sum, games) in sums.iter_mut().zip(games) {
        *sum = sum.filter(|_| games > 0);
    }
    sums
}
