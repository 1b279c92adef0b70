//! Makes the tables of forecasts, norms and curves.

use crate::archive::record::EventRecord;
use crate::archive::run::Archive;
use crate::archive::studies::event_norms::{AchievedNorm, EventNorms};
use crate::archive::studies::norms::Titled;
use crate::archive::studies::predictions::{PredictedMatch, SourceCurves};
use crate::evaluation::published_trial::{TrialGroup, TrialScore};
use crate::forecasts::{DecadeRates, DifferenceBin, ScorePrediction, SlopeAndWhite, book_errors};
use crate::players::PlayerId;
use crate::tables::{ExportTable, some};

/// The forecast of each player of each event.
pub(crate) fn forecasts(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<(&EventRecord, PlayerId, &ScorePrediction)> = records
        .iter()
        .flat_map(|record| {
            let places = record.forecast.players.iter().enumerate();
            places.filter_map(move |(place, foretold)| {
                let player = record.analysis.players[place].index;
                Some((record, record.event.players[player], &foretold.as_ref()?.foretold))
            })
        })
        .collect();
    let player_id = |player: &PlayerId| some(&archive.players.get(*player).id);
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, ..)| some(&record.event.id)))
        .text("player_id", rows.iter().map(|(_, player, _)| player_id(player)))
        .whole("games", rows.iter().map(|(.., found)| Some(found.games)))
        .number("expected", rows.iter().map(|(.., found)| Some(found.expected)))
        .number("sigma", rows.iter().map(|(.., found)| Some(found.sigma)))
        .number("z", rows.iter().map(|(.., found)| found.z))
        .number("chance", rows.iter().map(|(.., found)| Some(found.chance)))
        .number("chance_with_error", rows.iter().map(|(.., found)| Some(found.chance_with_error)))
        .number("scored", rows.iter().map(|(.., found)| Some(found.score)))
}

/// Forecasts of matches, from the side of the higher rated player.
pub(crate) fn match_forecasts(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.matches;
    let record = |row: &PredictedMatch| &archive.records[row.event];
    let player = |row: &PredictedMatch, player: usize| {
        archive.players.get(record(row).event.players[player])
    };
    let sigma =
        |row: &PredictedMatch| (row.games as f64 * row.expected * (1.0 - row.expected)).sqrt();
    let expected = |row: &PredictedMatch| row.forecast.scores.mean();
    ExportTable::default()
        .text("event_id", rows.iter().map(|row| some(&record(row).event.id)))
        .text("date", rows.iter().map(|row| some(record(row).event.start.iso())))
        .text("source", rows.iter().map(|row| some(&row.source)))
        .text("higher", rows.iter().map(|row| some(&player(row, row.players[0]).name)))
        .text("higher_id", rows.iter().map(|row| some(&player(row, row.players[0]).id)))
        .text("lower", rows.iter().map(|row| some(&player(row, row.players[1]).name)))
        .text("lower_id", rows.iter().map(|row| some(&player(row, row.players[1]).id)))
        .number("higher_rating", rows.iter().map(|row| Some(row.ratings[0])))
        .number("lower_rating", rows.iter().map(|row| Some(row.ratings[1])))
        .number("difference", rows.iter().map(|row| Some(row.difference())))
        .whole("games", rows.iter().map(|row| Some(row.games)))
        .number("expected_score", rows.iter().map(|row| Some(row.expected)))
        .number("expected", rows.iter().map(|row| Some(expected(row))))
        .number("scored", rows.iter().map(|row| Some(row.score)))
        .number("over", rows.iter().map(|row| Some(row.score - expected(row))))
        .number(
            "sigma_book",
            rows.iter().map(|row| Some(book_errors(row.games as u32).sigma_score)),
        )
        .number("sigma_without_draws", rows.iter().map(|row| Some(sigma(row))))
        .number("sigma", rows.iter().map(|row| Some(row.forecast.scores.sigma())))
        .number("z", rows.iter().map(PredictedMatch::z))
        .number("chance", rows.iter().map(|row| Some(row.chance)))
        .number("win", rows.iter().map(|row| Some(row.forecast.win)))
        .number("drawn", rows.iter().map(|row| Some(row.forecast.draw)))
        .text(
            "winner",
            rows.iter().map(|row| row.winner().and_then(|winner| some(&player(row, winner).name))),
        )
}

/// Published ratings and forecasts on the same games, by group of games.
pub(crate) fn published_trial(archive: &Archive) -> ExportTable {
    let trial = archive.studies.published_trial.as_ref();
    let rows: Vec<(TrialGroup, usize, &str, TrialScore)> = trial
        .into_iter()
        .flat_map(|trial| {
            trial.groups.iter().flat_map(|of| {
                let scored = trial.sources.iter().zip(&of.scores);
                scored.map(move |(source, score)| (of.group, of.games, source.as_str(), *score))
            })
        })
        .collect();
    let bounds = |group: TrialGroup| -> (&'static str, Option<i16>, Option<i16>) {
        let points = |rating: Option<u16>| rating.map(|rating| rating as i16);
        match group {
            TrialGroup::All => ("all", None, None),
            TrialGroup::Years(first, last) => ("years", Some(first), Some(last)),
            TrialGroup::Level(from, below) => {
                ("mean rating", points(from), points(below).map(|below| below - 1))
            }
            TrialGroup::OneBelow(age) => ("one of this age", None, Some(age - 1)),
            TrialGroup::BothBetween(from, to) => ("both of this age", Some(from), Some(to)),
            TrialGroup::OneAbove(age) => ("one of this age", Some(age + 1), None),
        }
    };
    let whole = |bound: Option<i16>| bound.and_then(|bound| usize::try_from(bound).ok());
    let is_all = |group: TrialGroup| group == TrialGroup::All;
    let three_way = |group: TrialGroup, source: &str| {
        let trial = trial.filter(|_| is_all(group))?;
        let place = trial.sources.iter().position(|name| name == source)?;
        trial.three_way.get(place).copied()
    };
    ExportTable::from_rows(&rows)
        .text("source", |(_, _, source, _)| some(*source))
        .text("group", |(group, ..)| some(bounds(*group).0))
        .whole("from", |(group, ..)| whole(bounds(*group).1))
        .whole("to", |(group, ..)| whole(bounds(*group).2))
        .whole("games", |(_, games, ..)| Some(*games))
        .number("log_loss", |(.., score)| Some(score.log_loss))
        .number("against_tags", |(.., score)| Some(score.against_tags.mean))
        .number("against_tags_error", |(.., score)| score.against_tags.standard_error)
        .number("slope", |(.., score)| Some(score.slope))
        .number("three_way", |(group, _, source, _)| Some(three_way(*group, source)?.by_decade))
        .number("three_way_by_players", |(group, _, source, _)| {
            Some(three_way(*group, source)?.by_tendency)
        })
        .finish()
}

/// The parameter of Davidson's draw model for a proportion of draws between equals.
fn davidson(draws: f64) -> Option<f64> {
    (draws < 1.0).then(|| 2.0 * draws / (1.0 - draws))
}

/// Draws and White's advantage, by decade.
pub(crate) fn draws(archive: &Archive) -> ExportTable {
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
pub(crate) fn norms(archive: &Archive) -> ExportTable {
    let rows: Vec<(&EventRecord, &EventNorms, &AchievedNorm)> = archive
        .records
        .iter()
        .filter_map(|record| Some((record, record.norms.as_ref()?)))
        .flat_map(|(record, norms)| norms.made.iter().map(move |norm| (record, norms, norm)))
        .collect();
    let player = |record: &EventRecord, norm: &AchievedNorm| {
        let index = record.analysis.players[norm.place].index;
        archive.players.get(record.event.players[index])
    };
    let year = |record: &EventRecord| record.event.start.year().map(|year| year as usize);
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, ..)| some(&record.event.id)))
        .whole("year", rows.iter().map(|(record, ..)| year(record)))
        .text("category", rows.iter().map(|(_, norms, _)| some(norms.category_text())))
        .number("average", rows.iter().map(|(_, norms, _)| Some(norms.average)))
        .text("by", rows.iter().map(|(_, norms, _)| some(norms.by.word())))
        .text("player_id", rows.iter().map(|(record, _, norm)| some(&player(record, norm).id)))
        .text("player", rows.iter().map(|(record, _, norm)| some(&player(record, norm).name)))
        .text("title", rows.iter().map(|(.., norm)| some(norm.title.word())))
        .whole("games", rows.iter().map(|(.., norm)| Some(norm.games)))
        .number("score", rows.iter().map(|(.., norm)| Some(norm.score)))
        .number("needed", rows.iter().map(|(.., norm)| Some(norm.needed)))
}

/// Titles as they were awarded, and by the rules of 1977.
pub(crate) fn titles(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.titles;
    let player = |row: &Titled| archive.players.get(row.player);
    let whole = |year: Option<i16>| year.and_then(|year| usize::try_from(year).ok());
    let age = |row: &Titled| player(row).life.as_ref()?.age(row.awarded?);
    ExportTable::default()
        .text("player_id", rows.iter().map(|row| some(&player(row).id)))
        .text("player", rows.iter().map(|row| some(&player(row).name)))
        .text("title", rows.iter().map(|row| some(row.title.word())))
        .whole("awarded", rows.iter().map(|row| whole(row.awarded)))
        .whole("age", rows.iter().map(|row| whole(age(row))))
        .number("rating", rows.iter().map(|row| row.rating))
        .whole("by_rules", rows.iter().map(|row| whole(row.by_rules)))
        .whole("norms", rows.iter().map(|row| Some(row.norms.len())))
}

/// The factor by which rating differences of each source predict scores best.
pub(crate) fn worths(archive: &Archive) -> ExportTable {
    let rows: Vec<(&SourceCurves, SlopeAndWhite)> =
        archive.studies.curves.iter().filter_map(|of| Some((of, of.slope_and_white?))).collect();
    ExportTable::default()
        .text("source", rows.iter().map(|(of, _)| Some(of.source.clone())))
        .whole("games", rows.iter().map(|(of, _)| Some(of.games)))
        .number("worth", rows.iter().map(|(_, worth)| Some(worth.slope)))
        .number("white", rows.iter().map(|(_, worth)| Some(worth.white)))
}

/// Scores by rating difference, next to the expectations of the curves in Elo's book.
pub(crate) fn curves(archive: &Archive) -> ExportTable {
    let tested = archive.studies.curves.iter().filter_map(|of| Some((of, of.test.as_ref()?)));
    let rows: Vec<(&SourceCurves, &DifferenceBin)> =
        tested.flat_map(|(of, test)| test.cells.iter().map(move |cell| (of, cell))).collect();
    let mean = |cell: &DifferenceBin, sum: f64| (cell.games > 0).then(|| sum / cell.games as f64);
    let error = |cell: &DifferenceBin| {
        let games = cell.games as f64;
        let score = cell.scored / games.max(1.0);
        let variance = score * (1.0 - score) - cell.draws as f64 / games.max(1.0) / 4.0;
        (cell.games > 0).then(|| (variance.max(0.0) / games).sqrt())
    };
    let expected = |place: usize| {
        rows.iter()
            .map(move |(_, cell)| mean(cell, cell.expected[place]))
            .collect::<Vec<_>>()
            .into_iter()
    };
    ExportTable::default()
        .text("source", rows.iter().map(|(of, _)| some(&of.source)))
        .number("from_difference", rows.iter().map(|(_, cell)| Some(cell.from)))
        .number("to_difference", rows.iter().map(|(_, cell)| cell.to))
        .whole("games", rows.iter().map(|(_, cell)| Some(cell.games)))
        .whole("draws", rows.iter().map(|(_, cell)| Some(cell.draws)))
        .number("scored", rows.iter().map(|(_, cell)| mean(cell, cell.scored)))
        .number("error", rows.iter().map(|(_, cell)| error(cell)))
        .number("normal", expected(0))
        .number("logistic", expected(1))
        .number("table", expected(2))
        .number("linear", expected(3))
}
