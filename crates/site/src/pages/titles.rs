//! Titles: as awarded, and as the rules of 1977 would have awarded them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::page::{Inputs, Page};
use super::predictions::signed;
use super::{Link, Site};
use crate::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::errors::PublishError;
use crate::figures::{counted, fixed, fixed_or_empty, points, spelt_out, spoken, thousands};
use crate::long_table::LongTable;
use archive::{Archive, EventRecord, NormRatings, Titled};
use chess_history::players::PlayerId;
use rating_systems::forecasts::Title;

/// First years of the periods of the book (4.71), and of the decades after it.
const PERIODS: [i16; 9] = [1950, 1958, 1971, 1978, 1983, 1990, 2000, 2010, 2020];

/// Rows of each table on the page, as on the ranked lists. Files have the rest.
const AWARDS: usize = 100;

/// Norms of a player that are named. Judged: two or three made a title; more hide them.
const NAMED: usize = 4;

/// The norms of an event, a sentence each.
pub(super) fn of_event(record: &EventRecord) -> Vec<String> {
    let made = record.norms.iter().flat_map(|norms| &norms.made);
    made.map(|norm| {
        let name = spoken(&record.analysis.players[norm.place].name);
        format!(
            "{name} made a norm for {}: {} of {} ({} required).",
            norm.title.words(),
            points(norm.score),
            norm.games,
            points(norm.needed)
        )
    })
    .collect()
}

/// What is to be known about the norms of an event, a sentence each; empty if none was made.
pub(super) fn notes_of_event(record: &EventRecord) -> Vec<String> {
    let Some(norms) = record.norms.as_ref().filter(|norms| !norms.made.is_empty()) else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    let unknown: Vec<&str> = norms
        .conditions
        .iter()
        .filter(|(_, met)| met.is_none())
        .map(|(condition, _)| condition.words(norms.is_womens))
        .collect();
    if !unknown.is_empty() {
        sentences.push(format!("Unknown conditions of the norm: {}.", unknown.join("; ")));
    }
    if norms.by == NormRatings::Historical {
        sentences.push(
            "By the rules of 1977, with historical Elo ratings of the day; federations are ignored."
                .into(),
        );
    }
    sentences
}

/// The titles of a player, in sentences.
pub(super) fn of_player(site: &Site, player: PlayerId) -> Vec<String> {
    // The titles are sorted by player.
    let titles = &site.archive.studies.titles;
    let first = titles.partition_point(|titled| titled.player.index() < player.index());
    let own: Vec<&Titled> =
        titles[first..].iter().take_while(|titled| titled.player == player).collect();
    let mut sentences = Vec::new();
    let awarded: Vec<String> = own
        .iter()
        .filter_map(|titled| Some(format!("{} {}", titled.title.words(), titled.awarded?)))
        .collect();
    if !awarded.is_empty() {
        sentences.push(format!("Titles: {}.", awarded.join(", ")));
    }
    // Only the highest title: a grandmaster by the rules was a master before.
    if let Some(titled) = own.iter().find(|titled| titled.by_rules.is_some()) {
        let names: Vec<&str> = titled
            .norms
            .iter()
            .take(NAMED)
            .map(|event| site.archive.records[*event].event.name.as_str())
            .collect();
        sentences.push(format!(
            "By the rules of 1977: {} from {}, with {} at {}{}.",
            titled.title.words(),
            titled.by_rules.unwrap_or_default(),
            counted(titled.norms.len(), "norm", "norms"),
            names.join(", "),
            if titled.norms.len() > NAMED { " and more" } else { "" }
        ));
    }
    sentences
}

pub fn titles(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    let site = to.site;
    let has_awards = site.archive.studies.titles.iter().any(|titled| titled.awarded.is_some());
    let untitled = untitled(site, has_awards);
    let awards: Vec<(Title, LongTable<_>)> =
        Title::ALL.into_iter().filter_map(|title| Some((title, awards(site, title)?))).collect();
    let shown_awards = awards
        .iter()
        .map(|(title, table)| view!(title = title.words(), count = thousands(table.total), table));
    let view = view!(
        frame = page.frame(
            site,
            "Titles as they were awarded, and as the rules of 1977 would have awarded them.",
        ),
        periods = periods(site.archive),
        // Whether any award is known. Without any, it is unknown who lacked the title.
        has_awards,
        awards = shown_awards.collect::<Vec<_>>(),
        norms = norms_sentence(site.archive),
        odds = odds(site.archive),
        odds_text = odds_text(site.archive),
        living = living_chart(site.archive),
        living_rows = living_rows(site.archive),
        untitled = &untitled
    );
    to.writer.page(page.path, "titles.html", &view)?;
    to.writer.rest(&untitled, "untitled_rows.html", "")?;
    awards.iter().try_for_each(|(_, table)| to.writer.rest(table, "award_rows.html", ""))
}

/// Whether the register of players has the title for the player, if of an unknown year.
fn has_title(archive: &Archive, titled: &Titled) -> bool {
    let life = archive.players.get(titled.player).life.as_ref();
    life.is_some_and(|life| life.has_title(titled.title.word()))
}

/// The age (years) of a titled player in a year; `None` without a year of birth.
fn age(archive: &Archive, titled: &Titled, year: i16) -> Option<i16> {
    archive.players.get(titled.player).life.as_ref().and_then(|life| life.age(year))
}

/// Sorts titles by year, then by name.
fn sort(archive: &Archive, titles: &mut [(i16, &Titled)]) {
    titles.sort_by_key(|(year, titled)| (*year, archive.players.get(titled.player).name.clone()));
}

/// The titles of one kind that were awarded; `None` if there are none.
fn awards(site: &Site, title: Title) -> Option<LongTable<impl Serialize>> {
    let archive = site.archive;
    let mut given: Vec<(i16, &Titled)> = archive
        .studies
        .titles
        .iter()
        .filter(|titled| titled.title == title)
        .filter_map(|titled| Some((titled.awarded?, titled)))
        .collect();
    if given.is_empty() {
        return None;
    }
    sort(archive, &mut given);
    let rows = given.iter().map(|(year, titled)| {
        view!(
            year = *year,
            player = Link::to_player(archive, titled.player),
            age = age(archive, titled, *year).map(|age| age.to_string()).unwrap_or_default(),
            rating = fixed_or_empty(titled.rating, 0),
            by_rules = titled.by_rules.map(|year| year.to_string()).unwrap_or_default()
        )
    });
    let name = format!("titles-{}", title.word().to_lowercase());
    Some(LongTable::showing(AWARDS, name, rows.collect()))
}

/// Mean age and rating of new title holders, by title and period.
fn periods(archive: &Archive) -> Vec<[String; 6]> {
    let mut by_period: BTreeMap<(usize, usize), Vec<(i16, &Titled)>> = BTreeMap::new();
    for titled in &archive.studies.titles {
        let Some(year) = titled.awarded else { continue };
        let Some(period) = PERIODS.iter().rposition(|first| *first <= year) else { continue };
        let title = Title::ALL.iter().position(|title| *title == titled.title).unwrap_or(0);
        by_period.entry((title, period)).or_default().push((year, titled));
    }
    by_period
        .iter()
        .map(|((title, period), titles)| {
            let ages = titles.iter().filter_map(|(year, titled)| age(archive, titled, *year));
            let ages: Vec<f64> = ages.map(f64::from).collect();
            let ratings: Vec<f64> = titles.iter().filter_map(|(_, titled)| titled.rating).collect();
            [
                Title::ALL[*title].words().to_owned(),
                match PERIODS.get(period + 1) {
                    Some(next) => format!("{}–{}", PERIODS[*period], next - 1),
                    None => format!("from {}", PERIODS[*period]),
                },
                titles.len().to_string(),
                mean_or_empty(&ages),
                mean_or_empty(&ratings),
                ratings.len().to_string(),
            ]
        })
        .collect()
}

/// The mean of some figures; empty without any.
fn mean_or_empty(figures: &[f64]) -> String {
    match figures.len() {
        0 => String::new(),
        count => fixed(figures.iter().sum::<f64>() / count as f64, 0),
    }
}

/// How often performances were so far above the rating: for each range of games the share with its
/// error, and the theory.
fn odds(archive: &Archive) -> Option<impl Serialize> {
    let odds = &archive.studies.title_odds;
    let first = odds.first()?;
    let heads = odds.iter().filter(|row| row.ahead == first.ahead);
    let heads = heads.map(|row| {
        [format!("{} to {} games", row.games.0, row.games.1), thousands(row.performances)]
    });
    let of_first = odds.iter().filter(|row| row.games == first.games);
    let rows = of_first.map(|one| {
        let cells = odds.iter().filter(|row| row.ahead == one.ahead);
        let cells = cells.map(|row| {
            [row.share(), row.error(), row.expected].map(|share| fixed(100.0 * share, 1))
        });
        view!(ahead = signed(one.ahead, 0), cells = cells.collect::<Vec<_>>())
    });
    Some(view!(heads = heads.collect::<Vec<_>>(), rows = rows.collect::<Vec<_>>()))
}

/// The share of performances a hundred points above the rating, in a sentence.
fn odds_text(archive: &Archive) -> String {
    /// Points of a norm for a player a hundred points below its level.
    const AHEAD: f64 = 100.0;
    let row = archive.studies.title_odds.iter().find(|row| row.ahead == AHEAD);
    row.map_or_else(String::new, |row| {
        format!(
            "A performance is 100 points above the rating or better in {}% of tournaments, such as 2600 of a player rated 2500. Elo’s theory of 1978 expects {}%.",
            fixed(100.0 * row.share(), 1),
            fixed(100.0 * row.expected, 1)
        )
    })
}

/// Whether a titled player was alive in a year, as far as it is known.
fn is_living(archive: &Archive, titled: &Titled, since: i16, year: i16) -> bool {
    /// Years of life, and years after the title, if the year of death is unknown. Judged: few
    /// masters became older, and most were titled after 30.
    const LIFE: i16 = 90;
    const TITLED: i16 = 60;
    let life = archive.players.get(titled.player).life.as_ref();
    match (life.and_then(|life| life.died), life.and_then(|life| life.born)) {
        (Some(died), _) => year <= died,
        (None, Some(born)) => year < born + LIFE,
        (None, None) => year < since + TITLED,
    }
}

/// Living holders of a title by year: as awarded, and by the rules.
fn living(archive: &Archive, title: Title) -> [BTreeMap<i16, usize>; 2] {
    let mut counts = [BTreeMap::new(), BTreeMap::new()];
    let last = archive.records.iter().filter_map(|record| record.event.start.year()).max();
    for titled in archive.studies.titles.iter().filter(|titled| titled.title == title) {
        for (counts, since) in counts.iter_mut().zip([titled.awarded, titled.by_rules]) {
            let Some(since) = since else { continue };
            for year in since..=last.unwrap_or(since) {
                if is_living(archive, titled, since, year) {
                    *counts.entry(year).or_default() += 1;
                }
            }
        }
    }
    counts
}

/// Living grandmasters by year.
fn living_chart(archive: &Archive) -> Option<LineChart> {
    let [awarded, by_rules] = living(archive, Title::Grandmaster);
    let points = |counts: &BTreeMap<i16, usize>| {
        let points = counts.iter().map(|(year, count)| (f64::from(*year), *count as f64));
        points.collect::<Vec<_>>()
    };
    let lines = [("as awarded", 0, &awarded), ("by the rules of 1977", 1, &by_rules)];
    let lines: Vec<ChartLine> = lines
        .into_iter()
        .filter(|(.., counts)| !counts.is_empty())
        .map(|(name, stroke, counts)| ChartLine::new(name, stroke, points(counts)))
        .collect();
    let about =
        LineAbout::new("living", "Living grandmasters by year", ["year", "living grandmasters"]);
    line_chart(about, &lines)
}

/// Living holders of titles in the years that Elo's book counts: its figures, those of awards and
/// of the rules; empty if the archive does not cover these years.
fn living_rows(archive: &Archive) -> Vec<[String; 4]> {
    /// Living holders by FIDE's lists of 1979 to 1982 (4.27).
    const PRINTED: [(Title, [usize; 4]); 2] =
        [(Title::Grandmaster, [182, 183, 193, 208]), (Title::Master, [402, 439, 497, 531])];
    let mut rows = Vec::new();
    for (title, printed) in PRINTED {
        let [awarded, by_rules] = living(archive, title);
        for (year, printed) in (1979..).zip(printed) {
            let [awarded, by_rules] =
                [&awarded, &by_rules].map(|counts| counts.get(&year).copied().unwrap_or(0));
            if awarded + by_rules > 0 {
                rows.push([
                    format!("{}, {year}", title.words()),
                    printed.to_string(),
                    if awarded > 0 { awarded.to_string() } else { String::new() },
                    by_rules.to_string(),
                ]);
            }
        }
    }
    rows
}

/// Players who met the rules for grandmasters and did not have the title then.
fn untitled(site: &Site, has_awards: bool) -> LongTable<impl Serialize> {
    let archive = site.archive;
    let mut untitled: Vec<(i16, &Titled)> = archive
        .studies
        .titles
        .iter()
        .filter(|titled| titled.title == Title::Grandmaster)
        .filter_map(|titled| {
            let year = titled.by_rules?;
            // A title of an unknown year may be older.
            let is_later = match titled.awarded {
                Some(awarded) => awarded > year,
                None => !has_title(archive, titled),
            };
            (is_later || !has_awards).then_some((year, titled))
        })
        .collect();
    sort(archive, &mut untitled);
    let rows = untitled.into_iter().map(|(year, titled)| {
        view!(
            player = Link::to_player(archive, titled.player),
            title = titled.title.words(),
            year,
            norms = titled
                .norms
                .iter()
                .take(NAMED)
                .map(|event| site.event_link(*event))
                .collect::<Vec<_>>(),
            later = match titled.awarded {
                Some(year) => year.to_string(),
                None if has_title(archive, titled) => "year unknown".to_owned(),
                None => String::new(),
            }
        )
    });
    LongTable::showing(AWARDS, "untitled", rows.collect())
}

/// How many round robins have a category, how many norms were made, and what a title takes.
fn norms_sentence(archive: &Archive) -> String {
    let rated = archive.records.iter().filter_map(|record| record.norms.as_ref());
    let made: usize = rated.clone().map(|norms| norms.made.len()).sum();
    format!(
        "{} a category, with {} in all. The title of grandmaster requires {} or more norms with 24 games \
         in all within five years, and a rating of 2450.",
        counted(rated.count(), "round robin has", "round robins have"),
        counted(made, "norm", "norms"),
        spelt_out(2)
    )
}
