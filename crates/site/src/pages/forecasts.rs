//! Expected and actual scores of all events: their differences, the rarest performances, matches,
//! draws and White's advantage.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::page::Page;
use super::predictions::{chance, signed};
use super::upsets::upsets;
use super::{Link, Site};
use crate::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::figures::{counted, fixed, fixed_or_empty, percent, points, thousands};
use archive::{EventRecord, MatchesAndTournaments, PredictedMatch, SharedPoints};
use rating_systems::forecasts::{DecadeRates, ScorePrediction, normal_fit};

/// Games that a performance needs to be counted, and to be among the rarest. Judged: the normal
/// curve is a poor approximation for fewer games, whose performances would crowd out the others.
const GAMES: usize = 5;
const RARE_GAMES: usize = 7;

/// The number of the rarest performances shown on each side. Judged: one screen or two.
const RAREST: usize = 50;

/// The number of players shown who differ most between matches and tournaments. Judged: the
/// differences of further players are not significant.
const FORMS: usize = 10;

/// A performance that was predicted, with its place.
struct ForecastPerformance<'a> {
    event: usize,
    place: usize,
    record: &'a EventRecord,
    predicted: &'a ScorePrediction,
}

pub fn forecasts(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let all: Vec<ForecastPerformance> = archive
        .records
        .iter()
        .enumerate()
        // The games of a match of a cycle are games of the cycle too, and count once.
        .filter(|(_, record)| record.event.part_of.is_none())
        .flat_map(|(event, record)| {
            let places = record.forecast.players.iter().enumerate();
            places.filter_map(move |(place, found)| {
                Some(ForecastPerformance {
                    event,
                    place,
                    record,
                    predicted: &found.as_ref()?.predicted,
                })
            })
        })
        .collect();
    let long: Vec<&ForecastPerformance> =
        all.iter().filter(|one| one.predicted.games >= GAMES).collect();
    let (bins, chart) = distribution(&long);
    let (forms, forms_text) = forms(site);
    let (decades, decades_chart) = decades(site);
    let description = format!(
        "{} compared with the scores that the ratings before the event predicted, and the least \
         likely of them.",
        counted(long.len(), "performance", "performances")
    );
    view!(
        frame = page.frame(site, description),
        sources = sources(&long),
        chart,
        bins,
        rare = [true, false].map(|is_above| rarest(site, &all, is_above)),
        // The least expected results of games.
        upsets = upsets(site, 0..archive.records.len()),
        matches =
            archive.studies.matches.iter().map(|row| match_row(site, row)).collect::<Vec<_>>(),
        matches_text = matches_text(&archive.studies.matches),
        forms,
        forms_text,
        decades,
        decades_chart,
        // How two players divide the points that they take from the others.
        shared_points = archive.studies.shared_points.iter().map(shared_line).collect::<Vec<_>>()
    )
}

fn shared_line(row: &SharedPoints) -> [String; 5] {
    [
        format!("{} to {}", row.from, row.from + 100),
        thousands(row.pairs),
        thousands(row.events),
        percent(row.claimed),
        format!("{}% ± {}", fixed(100.0 * row.share, 1), fixed(100.0 * row.error, 1)),
    ]
}

/// Mean, spread and outliers by source of the ratings, then of all.
fn sources(found: &[&ForecastPerformance]) -> Vec<[String; 8]> {
    let mut names: Vec<&str> = found.iter().map(|one| one.record.ratings.origin.name()).collect();
    names.sort_unstable();
    names.dedup();
    let mut rows = Vec::new();
    for name in names {
        let own = found.iter().filter(|one| one.record.ratings.origin.name() == name);
        rows.push(source_row(name, &own.map(|one| one.predicted).collect::<Vec<_>>()));
    }
    if rows.len() > 1 {
        let all: Vec<&ScorePrediction> = found.iter().map(|one| one.predicted).collect();
        rows.push(source_row("all", &all));
    }
    rows
}

/// How well the ratings of one source predict: number, mean, spread and outliers of z, and
/// chi-squared against the normal curve with its degrees of freedom and its probability.
fn source_row(source: &str, predictions: &[&ScorePrediction]) -> [String; 8] {
    let z: Vec<f64> = predictions.iter().filter_map(|one| one.z).collect();
    let count = z.len().max(1) as f64;
    let mean = z.iter().sum::<f64>() / count;
    let spread = (z.iter().map(|z| z * z).sum::<f64>() / count - mean * mean).max(0.0).sqrt();
    let outside = z.iter().filter(|z| z.abs() > 1.0).count() as f64 / count;
    let exceptional = predictions.iter().filter(|one| one.exceptional().is_some()).count();
    let exceptional = 100.0 * exceptional as f64 / predictions.len().max(1) as f64;
    let fit = normal_fit(&z);
    [
        source.to_owned(),
        thousands(predictions.len()),
        fixed(mean, 3),
        fixed(spread, 3),
        format!("{}%", fixed(100.0 * outside, 1)),
        format!("{}%", fixed(exceptional, 1)),
        fit.map_or_else(String::new, |fit| {
            format!("{} ({})", fixed(fit.statistic, 1), fit.degrees_of_freedom)
        }),
        fit.map_or_else(String::new, |fit| chance(fit.probability)),
    ]
}

/// Bins of z: half a standard deviation each. The outermost are open. Judged: beyond four standard
/// deviations, the normal curve expects no performance.
const LOWEST: f64 = -4.0;
const STEP: f64 = 0.5;
const BINS: usize = 18;

/// The lower edge of a bin of z.
fn lower_edge(place: usize) -> f64 {
    match place {
        0 => f64::NEG_INFINITY,
        BINS => f64::INFINITY,
        place => LOWEST + STEP * (place as f64 - 1.0),
    }
}

/// The distribution of z as a table, and as a chart with the normal curve.
fn distribution(found: &[&ForecastPerformance]) -> (Vec<[String; 3]>, Option<LineChart>) {
    let z: Vec<f64> = found.iter().filter_map(|one| one.predicted.z).collect();
    let mut counts = [0usize; BINS];
    for z in &z {
        let place = ((z - LOWEST) / STEP).floor() + 1.0;
        counts[place.clamp(0.0, BINS as f64 - 1.0) as usize] += 1;
    }
    let normal = Normal::standard();
    let expected: [f64; BINS] = std::array::from_fn(|place| {
        normal.cdf(lower_edge(place + 1)) - normal.cdf(lower_edge(place))
    });
    let count = z.len().max(1) as f64;
    let rows = (0..BINS)
        .map(|place| {
            let range = match place {
                0 => format!("below {}", fixed(lower_edge(1), 1)),
                last if last == BINS - 1 => format!("above {}", fixed(lower_edge(last), 1)),
                place => {
                    let [from, to] = [lower_edge(place), lower_edge(place + 1)];
                    format!("{} to {}", fixed(from, 1), fixed(to, 1))
                }
            };
            [range, thousands(counts[place]), fixed(expected[place] * count, 0)]
        })
        .collect();
    // The open bins have no middle.
    let inner = (1..BINS - 1).map(|place| (place, LOWEST + STEP * (place as f64 - 0.5)));
    let lines = [
        ChartLine::new(
            "actual",
            0,
            inner.clone().map(|(place, middle)| (middle, 100.0 * counts[place] as f64 / count)),
        ),
        ChartLine::new(
            "normal curve",
            1,
            inner.map(|(place, middle)| (middle, 100.0 * expected[place])),
        ),
    ];
    let about = LineAbout::new(
        "z",
        "Distance of scores from the expected score",
        ["standard deviations", "per cent of the performances"],
    );
    (rows, if z.is_empty() { None } else { line_chart(about, &lines) })
}

/// The least likely performances above, or below, the expected score.
fn rarest(site: &Site, all: &[ForecastPerformance], is_above: bool) -> impl Serialize + use<> {
    let mut of: Vec<&ForecastPerformance> = all
        .iter()
        .filter(|one| {
            one.predicted.games >= RARE_GAMES && (one.predicted.over() >= 0.0) == is_above
        })
        .collect();
    let all = all.iter().filter(|one| one.predicted.games >= RARE_GAMES).count();
    let below = of.iter().filter(|one| one.predicted.chance_with_error < 0.01).count();
    of.sort_by(|a, b| {
        let by_chance = a.predicted.chance_with_error.total_cmp(&b.predicted.chance_with_error);
        by_chance.then((a.event, a.place).cmp(&(b.event, b.place)))
    });
    let rows = (1..).zip(of.iter().take(RAREST)).map(|(rank, one)| {
        let player = one.record.analysis.players[one.place].index;
        view!(
            rank,
            player = Link::to_player(site.archive, one.record.event.players[player]),
            event = site.event_link(one.event),
            expected = fixed(one.predicted.expected, 2),
            scored = points(one.predicted.score),
            games = one.predicted.games,
            chance = chance(one.predicted.chance_with_error)
        )
    });
    view!(
        title = if is_above { "Far above expectation" } else { "Far below expectation" },
        text = format!(
            "Of {} with {RARE_GAMES} or more games, chance alone would give {} a probability below 1%. In fact there are {}.",
            counted(all, "performance", "performances"),
            thousands((all as f64 * 0.01).round() as usize),
            thousands(below)
        ),
        rows = rows.collect::<Vec<_>>()
    )
}

fn match_row(site: &Site, row: &PredictedMatch) -> impl Serialize {
    let record = &site.archive.records[row.event];
    let higher = record.event.players[row.players[0]];
    view!(
        year = Site::year(record),
        event = site.event_link(row.event),
        source = row.source.clone(),
        higher = Link::to_player(site.archive, higher),
        difference = fixed(row.difference(), 0),
        games = row.games,
        expected = fixed(row.forecast.scores.mean(), 2),
        scored = points(row.score),
        sigma = fixed(row.forecast.scores.sigma(), 2),
        sigma_book = fixed(row.sigma_without_draws(), 2),
        z = fixed_or_empty(row.z(), 2),
        win = percent(row.forecast.win),
        chance = chance(row.chance)
    )
}

/// The results of the matches, by source of the ratings.
fn matches_text(matches: &[PredictedMatch]) -> String {
    let mut sources: Vec<&str> = Vec::new();
    for row in matches {
        let name = if row.is_on_the_day() { row.source.as_str() } else { "" };
        if !sources.contains(&name) {
            sources.push(name);
        }
    }
    let texts = sources.iter().map(|source| {
        let of: Vec<&PredictedMatch> = matches
            .iter()
            .filter(|row| match *source {
                "" => !row.is_on_the_day(),
                name => row.source == name,
            })
            .collect();
        let z: Vec<f64> = of.iter().filter_map(|row| row.z()).collect();
        let outside = z.iter().filter(|z| z.abs() > 1.0).count();
        let lower = of.iter().filter(|row| row.winner() == Some(row.players[1])).count();
        let drawn = of.iter().filter(|row| row.winner().is_none()).count();
        format!(
            "By {}: of {}, {outside} ended more than one standard deviation from the expected score; {} are expected. The \
             lower-rated player won {lower}, and {drawn} were drawn.",
            if source.is_empty() { "the list in force" } else { source },
            counted(of.len(), "match", "matches"),
            fixed(0.317 * z.len() as f64, 0)
        )
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// The players who differ most between matches and tournaments.
fn forms(site: &Site) -> (Vec<impl Serialize>, String) {
    let archive = site.archive;
    let mut found: Vec<(f64, _)> = archive
        .lists
        .player_rows
        .iter()
        .filter_map(|row| {
            let sums = MatchesAndTournaments::new(row, &archive.records);
            let difference = sums.difference()?;
            let [matches, tournaments] = [&sums.matches, &sums.tournaments]
                .map(|sum| format!("{} ± {}", signed(sum.over, 1), fixed(sum.variance.sqrt(), 1)));
            let line = view!(
                player = Link::to_player(archive, row.player),
                matches,
                tournaments,
                games = format!("{}, {}", sums.matches.games, sums.tournaments.games),
                difference = signed(difference, 2)
            );
            Some((difference, line))
        })
        .collect();
    let count = found.len();
    let squares: f64 = found.iter().map(|(difference, _)| difference * difference).sum();
    let text = match count {
        0 => "No player has thirty match games and thirty tournament games with known ratings."
            .to_owned(),
        _ => format!(
            "For the {} with thirty or more games of each kind, the difference has a spread of {} standard deviations. A value \
             near 1 means that chance alone explains the differences between matches and tournaments.",
            counted(count, "player", "players"),
            fixed((squares / count as f64).sqrt(), 2)
        ),
    };
    found.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    (found.into_iter().take(FORMS).map(|(_, row)| row).collect(), text)
}

/// Draws and White's advantage in the games of each decade.
fn decades(site: &Site) -> (Vec<[String; 4]>, Option<LineChart>) {
    let decades = &site.archive.studies.decades;
    let rows = decades
        .iter()
        .map(|(first, customs)| {
            let mark = if customs.is_plain { "*" } else { "" };
            [
                format!("{first}s"),
                thousands(customs.games),
                format!("{}{mark}", fixed(customs.draws, 2)),
                match customs.white_error {
                    Some(error) => {
                        format!("{} ± {}{mark}", fixed(customs.white, 0), fixed(error, 0))
                    }
                    None => mark.to_owned(),
                },
            ]
        })
        .collect();
    let charted: Vec<(f64, &DecadeRates)> = decades
        .iter()
        .filter(|(_, customs)| !customs.is_plain)
        .map(|(first, customs)| (f64::from(first) + 5.0, customs))
        .collect();
    let lines = [
        ChartLine::new(
            "draws between equals, %",
            0,
            charted.iter().map(|(year, customs)| (*year, 100.0 * customs.draws)),
        ),
        ChartLine::new(
            "White’s advantage, points",
            1,
            charted.iter().map(|(year, customs)| (*year, customs.white)),
        ),
    ];
    let about = LineAbout::new(
        "customs",
        "Draws between equals, and White’s advantage",
        ["year", "per cent; points"],
    );
    (rows, line_chart(about, &lines))
}
