//! Makes the tables of forecasts, norms and curves.

use crate::exports::cell_values::{player_of, year};
use crate::record::EventRecord;
use crate::record::event_norms::{AchievedNorm, EventNorms};
use crate::run::Archive;
use crate::studies::norms::Titled;
use crate::studies::predictions::{PredictedMatch, SourceCurves};
use chess_history::players::{Player, PlayerId};
use rating_systems::evaluation::published_trial::{
    PublishedTrial, ThreeWayScore, TrialGroup, TrialScore,
};
use rating_systems::forecasts::{
    DecadeRates, DifferenceBin, ScorePrediction, SlopeAndWhite, book_errors,
};
use tables::{ExportTable, some};

/// The forecast of each player of each event.
pub fn forecasts(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<(&EventRecord, PlayerId, &ScorePrediction)> = records
        .iter()
        .flat_map(|record| {
            let places = record.forecast.players.iter().enumerate();
            places.filter_map(move |(place, predicted)| {
                let player = record.analysis.players[place].index;
                Some((record, record.event.players[player], &predicted.as_ref()?.predicted))
            })
        })
        .collect();
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, ..)| some(&record.event.id)))
        .text("player_id", rows.iter().map(|(_, player, _)| some(&archive.players.get(*player).id)))
        .whole("games", rows.iter().map(|(.., found)| Some(found.games)))
        .number("expected", rows.iter().map(|(.., found)| Some(found.expected)))
        .number("sigma", rows.iter().map(|(.., found)| Some(found.sigma)))
        .number("z", rows.iter().map(|(.., found)| found.z))
        .number("chance", rows.iter().map(|(.., found)| Some(found.chance)))
        .number("chance_with_error", rows.iter().map(|(.., found)| Some(found.chance_with_error)))
        .number("scored", rows.iter().map(|(.., found)| Some(found.score)))
}

/// Forecasts of matches, from the side of the higher rated player.
pub fn match_forecasts(archive: &Archive) -> ExportTable {
    let rows: Vec<(&PredictedMatch, &EventRecord, [&Player; 2])> = archive
        .studies
        .matches
        .iter()
        .map(|row| {
            let record = &archive.records[row.event];
            let players = row.players.map(|index| player_of(archive, record, index));
            (row, record, players)
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |(_, record, _)| some(&record.event.id))
        .text("date", |(_, record, _)| some(record.event.start.iso()))
        .text("source", |(row, ..)| some(&row.source))
        .text("higher", |(.., players)| some(&players[0].name))
        .text("higher_id", |(.., players)| some(&players[0].id))
        .text("lower", |(.., players)| some(&players[1].name))
        .text("lower_id", |(.., players)| some(&players[1].id))
        .number("higher_rating", |(row, ..)| Some(row.ratings[0]))
        .number("lower_rating", |(row, ..)| Some(row.ratings[1]))
        .number("difference", |(row, ..)| Some(row.difference()))
        .whole("games", |(row, ..)| Some(row.games))
        .number("expected_score", |(row, ..)| Some(row.expected))
        .number("expected", |(row, ..)| Some(row.forecast.scores.mean()))
        .number("scored", |(row, ..)| Some(row.score))
        .number("over", |(row, ..)| Some(row.score - row.forecast.scores.mean()))
        .number("sigma_book", |(row, ..)| Some(book_errors(row.games as u32).sigma_score))
        .number("sigma_without_draws", |(row, ..)| Some(row.sigma_without_draws()))
        .number("sigma", |(row, ..)| Some(row.forecast.scores.sigma()))
        .number("z", |(row, ..)| row.z())
        .number("chance", |(row, ..)| Some(row.chance))
        .number("win", |(row, ..)| Some(row.forecast.win))
        .number("drawn", |(row, ..)| Some(row.forecast.draw))
        .text("winner", |(row, record, _)| some(&player_of(archive, record, row.winner()?).name))
        .finish()
}

/// Published ratings and forecasts on the same games, by group of games.
pub fn published_trial(archive: &Archive) -> ExportTable {
    let trial = archive.studies.published_trial.as_ref();
    let rows: Vec<(TrialGroup, usize, &str, TrialScore)> = trial
        .into_iter()
        .flat_map(|trial| {
            trial.groups.iter().flat_map(|group| {
                let scored = trial.sources.iter().zip(&group.scores);
                scored
                    .map(move |(source, score)| (group.group, group.games, source.as_str(), *score))
            })
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("source", |(_, _, source, _)| some(*source))
        .text("group", |(group, ..)| some(trial_group_bounds(*group).0))
        .whole("from", |(group, ..)| usize::try_from(trial_group_bounds(*group).1?).ok())
        .whole("to", |(group, ..)| usize::try_from(trial_group_bounds(*group).2?).ok())
        .whole("games", |(_, games, ..)| Some(*games))
        .number("log_loss", |(.., score)| Some(score.log_loss))
        .number("against_tags", |(.., score)| Some(score.against_tags.mean))
        .number("against_tags_error", |(.., score)| score.against_tags.standard_error)
        .number("slope", |(.., score)| Some(score.slope))
        .number("three_way", |(group, _, source, _)| {
            Some(three_way_of_all_games(trial?, *group, source)?.by_decade)
        })
        .number("three_way_by_players", |(group, _, source, _)| {
            Some(three_way_of_all_games(trial?, *group, source)?.by_tendency)
        })
        .finish()
}

/// The kind of a group of games, and its first and last year, rating or age.
fn trial_group_bounds(group: TrialGroup) -> (&'static str, Option<i16>, Option<i16>) {
    match group {
        TrialGroup::All => ("all", None, None),
        TrialGroup::Years(first, last) => ("years", Some(first), Some(last)),
        TrialGroup::Level(from, below) => {
            ("mean rating", from.map(|rating| rating as i16), below.map(|rating| rating as i16 - 1))
        }
        TrialGroup::OneBelow(age) => ("one of this age", None, Some(age - 1)),
        TrialGroup::BothBetween(from, to) => ("both of this age", Some(from), Some(to)),
        TrialGroup::OneAbove(age) => ("one of this age", Some(age + 1), None),
    }
}

/// The three-way log losses of a source. They are known only for the group of all games.
fn three_way_of_all_games(
    trial: &PublishedTrial,
    group: TrialGroup,
    source: &str,
) -> Option<ThreeWayScore> {
    if group != TrialGroup::All {
        return None;
    }
    let place = trial.sources.iter().position(|name| name == source)?;
    trial.three_way.get(place).copied()
}

/// The parameter of Davidson's draw model for a proportion of draws between equals.
fn davidson(draws: f64) -> Option<f64> {
    (draws < 1.0).then(|| 2.0 * draws / (1.0 - draws))
}

/// Draws and White's advantage, by decade.
pub fn draws(archive: &Archive) -> ExportTable {
    let rows: Vec<(i16, &DecadeRates)> = archive.studies.decades.iter().collect();
    ExportTable::default()
        .whole("decade", rows.iter().map(|(first, _)| usize::try_from(*first).ok()))
        .whole("games", rows.iter().map(|(_, customs)| Some(customs.games)))
        .number("draws_between_equals", rows.iter().map(|(_, customs)| Some(customs.draws)))
        .flag("from_plain_part", rows.iter().map(|(_, customs)| Some(customs.is_plain)))
        .number("white", rows.iter().map(|(_, customs)| customs.white_error.map(|_| customs.white)))
        .number("white_error", rows.iter().map(|(_, customs)| customs.white_error))
        .number(
            "davidson",
            rows.iter()
                .map(|(first, _)| davidson(archive.studies.draw_rates.as_ref()?.year(*first)?)),
        )
}

/// Norms for titles that were achieved.
pub fn norms(archive: &Archive) -> ExportTable {
    let rows: Vec<(&EventRecord, &EventNorms, &AchievedNorm)> = archive
        .records
        .iter()
        .filter_map(|record| Some((record, record.norms.as_ref()?)))
        .flat_map(|(record, norms)| norms.made.iter().map(move |norm| (record, norms, norm)))
        .collect();
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, ..)| some(&record.event.id)))
        .whole("year", rows.iter().map(|(record, ..)| year(record)))
        .text("category", rows.iter().map(|(_, norms, _)| some(norms.category_text())))
        .number("average", rows.iter().map(|(_, norms, _)| Some(norms.average)))
        .text("by", rows.iter().map(|(_, norms, _)| some(norms.by.word())))
        .text(
            "player_id",
            rows.iter().map(|(record, _, norm)| some(&norm_winner(archive, record, norm).id)),
        )
        .text(
            "player",
            rows.iter().map(|(record, _, norm)| some(&norm_winner(archive, record, norm).name)),
        )
        .text("title", rows.iter().map(|(.., norm)| some(norm.title.word())))
        .whole("games", rows.iter().map(|(.., norm)| Some(norm.games)))
        .number("score", rows.iter().map(|(.., norm)| Some(norm.score)))
        .number("needed", rows.iter().map(|(.., norm)| Some(norm.needed)))
}

fn norm_winner<'a>(archive: &'a Archive, record: &EventRecord, norm: &AchievedNorm) -> &'a Player {
    player_of(archive, record, record.analysis.players[norm.place].index)
}

/// Titles as they were awarded, and by the rules of 1977.
pub fn titles(archive: &Archive) -> ExportTable {
    let rows: Vec<(&Titled, &Player)> =
        archive.studies.titles.iter().map(|row| (row, archive.players.get(row.player))).collect();
    ExportTable::from_rows(&rows)
        .text("player_id", |(_, player)| some(&player.id))
        .text("player", |(_, player)| some(&player.name))
        .text("title", |(row, _)| some(row.title.word()))
        .whole("awarded", |(row, _)| usize::try_from(row.awarded?).ok())
        .whole("age", |(row, player)| {
            usize::try_from(player.life.as_ref()?.age(row.awarded?)?).ok()
        })
        .number("rating", |(row, _)| row.rating)
        .whole("by_rules", |(row, _)| usize::try_from(row.by_rules?).ok())
        .whole("norms", |(row, _)| Some(row.norms.len()))
        .finish()
}

/// How often players perform far above their ratings.
pub fn title_odds(archive: &Archive) -> ExportTable {
    ExportTable::from_rows(&archive.studies.title_odds)
        .number("ahead", |row| Some(row.ahead))
        .whole("from_games", |row| Some(row.games.0))
        .whole("to_games", |row| Some(row.games.1))
        .whole("performances", |row| Some(row.performances))
        .whole("reached", |row| Some(row.reached))
        .number("share", |row| Some(row.share()))
        .number("error", |row| Some(row.error()))
        .number("expected", |row| Some(row.expected))
        .finish()
}

/// The factor by which rating differences of each source predict scores best.
pub fn worths(archive: &Archive) -> ExportTable {
    let rows: Vec<(&SourceCurves, SlopeAndWhite)> =
        archive.studies.curves.iter().filter_map(|row| Some((row, row.slope_and_white?))).collect();
    ExportTable::default()
        .text("source", rows.iter().map(|(row, _)| Some(row.source.clone())))
        .whole("games", rows.iter().map(|(row, _)| Some(row.games)))
        .number("worth", rows.iter().map(|(_, worth)| Some(worth.slope)))
        .number("white", rows.iter().map(|(_, worth)| Some(worth.white)))
}

/// Scores by rating difference, next to the expectations of the curves in Elo's book.
pub fn curves(archive: &Archive) -> ExportTable {
    let tested =
        archive.studies.curves.iter().filter_map(|source| Some((source, source.test.as_ref()?)));
    let rows: Vec<(&SourceCurves, &DifferenceBin)> = tested
        .flat_map(|(source, test)| test.cells.iter().map(move |cell| (source, cell)))
        .collect();
    ExportTable::from_rows(&rows)
        .text("source", |(source, _)| some(&source.source))
        .number("from_difference", |(_, cell)| Some(cell.from))
        .number("to_difference", |(_, cell)| cell.to)
        .whole("games", |(_, cell)| Some(cell.games))
        .whole("draws", |(_, cell)| Some(cell.draws))
        .number("scored", |(_, cell)| mean_of_games(cell, cell.scored))
        .number("error", |(_, cell)| score_error(cell))
        .number("normal", |(_, cell)| mean_of_games(cell, cell.expected[0]))
        .number("logistic", |(_, cell)| mean_of_games(cell, cell.expected[1]))
        .number("table", |(_, cell)| mean_of_games(cell, cell.expected[2]))
        .number("linear", |(_, cell)| mean_of_games(cell, cell.expected[3]))
        .finish()
}

/// A sum over the games of a cell, divided by their number.
fn mean_of_games(cell: &DifferenceBin, sum: f64) -> Option<f64> {
    (cell.games > 0).then(|| sum / cell.games as f64)
}

/// The standard error of the mean score of a cell, with its draws.
fn score_error(cell: &DifferenceBin) -> Option<f64> {
    (cell.games > 0).then(|| cell.variance().sqrt() / cell.games as f64)
}
