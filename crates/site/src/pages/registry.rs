//! The registry of all pages, except those of single events and players.

use rayon::prelude::*;
use serde::Serialize;

use super::about::{about, downloads, not_found};
use super::ages::{ages, has_ages};
use super::any::{any_event, any_player, has_any_event, has_any_player};
use super::champions::champions;
use super::checked::checked;
use super::chessmetrics::{chessmetrics, has_chessmetrics};
use super::codebook::codebook;
use super::compare::compare;
use super::comparison::comparison;
use super::events::{decade, events};
use super::famous::{famous, has_famous};
use super::feats::{feats, has_feats};
use super::first_ten::{first_ten, has_first_ten};
use super::five_year_averages::{five_year_averages, has_averages};
use super::follow_ups::{follow_ups, has_follow_ups};
use super::forecasts::forecasts;
use super::foresight::{foresight, has_foresight};
use super::fragments::{fragments, missing};
use super::front::front;
use super::games::board;
use super::glossary::glossary;
use super::greatest::{greatest, part_pages, paths_of_parts};
use super::groups::{Decade, Letter};
use super::laboratory::laboratory;
use super::lists::{
    faster, greatness, greatness_part_pages, greatness_part_paths, has_faster, matches,
    strength_part_pages, strength_part_paths, tournaments,
};
use super::longevity::{has_longevity, longevity};
use super::method::method;
use super::moves::{has_moves, moves};
use super::number_ones_against_twos::{has_matches_of_the_two_best, number_ones_against_twos};
use super::page::{Entry, Inputs, Listed, Page, PageGroup};
use super::pairs::pair;
use super::players::{letter, players};
use super::pool::{has_pool, pool};
use super::published::published;
use super::ratings::{ranking, ranking_paths, ratings};
use super::review::review;
use super::search::search;
use super::series::{has_series, series_list, series_pages, series_paths};
use super::sql::sql;
use super::strongest_by_class::{has_classes, strongest_by_class};
use super::titles::titles;
use super::years::{year, years};
use super::{Section, Site};
use crate::addresses::{ANY_EVENT, ANY_PLAYER};
use crate::errors::PublishError;
use crate::templates::{GAMES_SCRIPT, SQL_FILES};
use pgn_collections::games::Tempo;

/// All pages, in the order of the site map.
static PAGES: &[Entry] = &[
    Entry::One(Page {
        path: "compare.html",
        title: "Compare two players",
        section: Section::Players,
        listed: Listed::InSearch(13, &["Compare", "Compare players"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "compare.html", &compare(to.site, page)),
    }),
    Entry::One(Page {
        path: "ratings.html",
        title: "Ratings",
        section: Section::Ratings,
        listed: Listed::InSearch(8, &["Rating lists"]),
        when: None,
        write: |to, page| {
            let view = ratings(to.site, page, paths_of_single(to.present));
            to.writer.page(page.path, "ratings.html", &view)
        },
    }),
    Entry::One(Page {
        path: "index.html",
        title: "The Greatness Archive",
        section: Section::Front,
        listed: Listed::InMap,
        when: None,
        write: |to, page| {
            to.writer.page(
                page.path,
                "front.html",
                &front(to.site, page, to.changes.editions.first()),
            )
        },
    }),
    Entry::One(Page {
        path: "greatness.html",
        title: "The Greatness List",
        section: Section::Greatness,
        listed: Listed::InSearch(0, &["Greatness List", "Greatest performances"]),
        when: None,
        write: greatness,
    }),
    Entry::One(Page {
        path: "greatest-players.html",
        title: "The greatest players",
        section: Section::Careers,
        listed: Listed::InSearch(1, &["Greatest players", "Best players"]),
        when: None,
        write: |to, _| greatest(to.writer, &to.site.archive.studies.greatest.careers),
    }),
    Entry::One(Page {
        path: "tournaments.html",
        title: "The strongest tournaments",
        section: Section::Strength,
        listed: Listed::InSearch(2, &["Strongest tournaments", "Tournaments"]),
        when: None,
        write: tournaments,
    }),
    Entry::One(Page {
        path: "matches.html",
        title: "The strongest matches",
        section: Section::Strength,
        listed: Listed::InSearch(3, &["Strongest matches", "Matches"]),
        when: None,
        write: matches,
    }),
    Entry::One(Page {
        path: "events.html",
        title: "All events",
        section: Section::Strength,
        listed: Listed::InSearch(6, &["Events"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "events.html", &events(to.site, page)),
    }),
    Entry::One(Page {
        path: "players.html",
        title: "All players",
        section: Section::Players,
        listed: Listed::InSearch(5, &["Players"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "players.html", &players(to.site, page)),
    }),
    Entry::One(Page {
        path: "years.html",
        title: "The years",
        section: Section::Years,
        listed: Listed::InSearch(7, &["Years"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "years.html", &years(to.site, page)),
    }),
    Entry::One(Page {
        path: "review.html",
        title: "Review queue",
        section: Section::About,
        listed: Listed::InSearch(21, &["Review"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "review.html", &review(to.site, page)),
    }),
    Entry::One(Page {
        path: "method.html",
        title: "The method",
        section: Section::Method,
        listed: Listed::InSearch(14, &["Method"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "method.html", &method(to.site, page)),
    }),
    Entry::One(Page {
        path: "glossary.html",
        title: "Glossary",
        section: Section::Method,
        listed: Listed::InSearch(15, &[]),
        when: None,
        write: |to, page| to.writer.page(page.path, "glossary.html", &glossary(to.site, page)),
    }),
    Entry::One(Page {
        path: "laboratory.html",
        title: "The laboratory",
        section: Section::Method,
        listed: Listed::InSearch(10, &["Laboratory"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "laboratory.html", &laboratory(to.site, page)),
    }),
    Entry::One(Page {
        path: "forecasts.html",
        title: "Expected and actual scores",
        section: Section::Ratings,
        listed: Listed::InSearch(11, &["Forecasts"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "forecasts.html", &forecasts(to.site, page)),
    }),
    Entry::One(Page {
        path: "first-ten.html",
        title: "The first ten",
        section: Section::Ratings,
        listed: Listed::InSearch(40, &["Top ten", "Race of the number ones"]),
        when: Some(has_first_ten),
        write: |to, page| to.writer.page(page.path, "first-ten.html", &first_ten(to.site, page)),
    }),
    Entry::One(Page {
        path: "longevity.html",
        title: "Longevity",
        section: Section::Ratings,
        listed: Listed::InSearch(38, &["Longest careers", "Years near the best"]),
        when: Some(has_longevity),
        write: longevity,
    }),
    Entry::One(Page {
        path: "strongest-by-class.html",
        title: "The strongest tournaments by class",
        section: Section::Strength,
        listed: Listed::InSearch(36, &["Strongest by class", "Category by Chessmetrics"]),
        when: Some(has_classes),
        write: strongest_by_class,
    }),
    Entry::One(Page {
        path: "number-one-against-number-two.html",
        title: "Number one against number two",
        section: Section::Strength,
        listed: Listed::InSearch(37, &["The two best players"]),
        when: Some(has_matches_of_the_two_best),
        write: |to, page| {
            let view = number_ones_against_twos(to.site, page);
            to.writer.page(page.path, "number-one-against-number-two.html", &view)
        },
    }),
    Entry::One(Page {
        path: "five-year-averages.html",
        title: "Five-year averages",
        section: Section::Ratings,
        listed: Listed::InSearch(35, &["Five-year averages", "Elo’s best averages"]),
        when: Some(has_averages),
        write: five_year_averages,
    }),
    Entry::One(Page {
        path: "titles.html",
        title: "Titles",
        section: Section::Ratings,
        listed: Listed::InSearch(12, &["Grandmasters"]),
        when: None,
        write: titles,
    }),
    Entry::One(Page {
        path: "about.html",
        title: "About the data",
        section: Section::About,
        listed: Listed::InSearch(18, &["About", "Sources"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "about.html", &about(to.site, page)),
    }),
    Entry::One(Page {
        path: "downloads.html",
        title: "Downloads",
        section: Section::About,
        listed: Listed::InSearch(16, &["Data"]),
        when: None,
        write: |to, page| {
            to.writer.page(page.path, "downloads.html", &downloads(to.site, page, to.tables))
        },
    }),
    Entry::One(Page {
        path: "data/codebook.html",
        title: "Codebook",
        section: Section::About,
        listed: Listed::InSearch(17, &[]),
        when: None,
        write: |to, page| {
            to.writer.page(page.path, "codebook.html", &codebook(to.site, page, to.tables))
        },
    }),
    Entry::One(Page {
        path: "fragments.html",
        title: "Fragments",
        section: Section::Strength,
        listed: Listed::InSearch(20, &[]),
        when: None,
        write: |to, page| to.writer.page(page.path, "fragments.html", &fragments(to.site, page)),
    }),
    Entry::One(Page {
        path: "missing.html",
        title: "Missing games",
        section: Section::Strength,
        listed: Listed::InSearch(19, &["Missing"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "missing.html", &missing(to.site, page)),
    }),
    Entry::One(Page {
        path: "checked.html",
        title: "Checked against history",
        section: Section::Strength,
        listed: Listed::InSearch(22, &["Checked"]),
        when: None,
        write: |to, page| to.writer.page(page.path, "checked.html", &checked(to.site, page)),
    }),
    Entry::One(Page {
        path: "search.html",
        title: "Search",
        section: Section::Search,
        listed: Listed::InMap,
        when: None,
        write: |to, page| to.writer.page(page.path, "search.html", &search(to.site, page)),
    }),
    Entry::One(Page {
        path: "404.html",
        title: "Not found",
        section: Section::Front,
        listed: Listed::ByLinks,
        when: None,
        write: |to, page| to.writer.page(page.path, "404.html", &not_found(to.site, page)),
    }),
    Entry::Many(PageGroup {
        paths: |site| site.decades.iter().map(Decade::path).collect(),
        write: |writer| {
            let decades = 0..writer.site.decades.len();
            decades.into_par_iter().try_for_each(|place| decade(writer, place))
        },
    }),
    Entry::Many(PageGroup {
        paths: |site| site.letters.iter().map(Letter::path).collect(),
        write: |writer| {
            let letters = 0..writer.site.letters.len();
            letters.into_par_iter().try_for_each(|place| letter(writer, place))
        },
    }),
    Entry::One(Page {
        path: "comparison.html",
        title: "Which ratings to trust",
        section: Section::Method,
        listed: Listed::InSearch(9, &["Comparison of ratings"]),
        when: Some(|site| site.archive.studies.comparison.is_some()),
        write: |to, page| write_if(to, page, "comparison.html", comparison(to.site, page)),
    }),
    Entry::One(Page {
        path: "ages.html",
        title: "Ages",
        section: Section::Ratings,
        listed: Listed::InSearch(25, &["Age"]),
        when: Some(has_ages),
        write: |to, page| to.writer.page(page.path, "ages.html", &ages(to.site, page)),
    }),
    Entry::One(Page {
        path: "pool.html",
        title: "Rating pools",
        section: Section::Ratings,
        listed: Listed::InSearch(26, &["Pool", "Inflation"]),
        when: Some(has_pool),
        write: |to, page| to.writer.page(page.path, "pool.html", &pool(to.site, page)),
    }),
    Entry::One(Page {
        path: "chessmetrics.html",
        title: "Performances by Chessmetrics",
        section: Section::Greatness,
        listed: Listed::InSearch(28, &["Chessmetrics"]),
        when: Some(has_chessmetrics),
        write: |to, page| {
            to.writer.page(page.path, "chessmetrics.html", &chessmetrics(to.site, page))
        },
    }),
    Entry::One(Page {
        path: "follow-ups.html",
        title: "The months after a correction",
        section: Section::About,
        listed: Listed::InSearch(39, &["Follow-up of events", "Nineteen months"]),
        when: Some(has_follow_ups),
        write: follow_ups,
    }),
    Entry::One(Page {
        path: "foresight.html",
        title: "What corrections foresaw",
        section: Section::About,
        listed: Listed::InSearch(30, &["Foresight"]),
        when: Some(has_foresight),
        write: |to, page| to.writer.page(page.path, "foresight.html", &foresight(to.site, page)),
    }),
    Entry::One(Page {
        path: "moves.html",
        title: "Quality of the moves",
        section: Section::Ratings,
        listed: Listed::InSearch(27, &["Moves", "Engine"]),
        when: Some(has_moves),
        write: |to, page| to.writer.page(page.path, "moves.html", &moves(to.site, page)),
    }),
    Entry::One(Page {
        path: "champions.html",
        title: "World championships",
        section: Section::Champions,
        listed: Listed::InSearch(4, &["World champions", "World champion", "Championships"]),
        when: Some(|site| site.has_champions),
        write: |to, page| to.writer.page(page.path, "champions.html", &champions(to.site, page)),
    }),
    Entry::One(Page {
        path: "famous.html",
        title: "Where is Karpov 1994?",
        section: Section::Greatness,
        listed: Listed::InSearch(32, &["Famous performances", "Greatest performances"]),
        when: Some(has_famous),
        write: |to, page| to.writer.page(page.path, "famous.html", &famous(to.site, page)),
    }),
    Entry::One(Page {
        path: "series.html",
        title: "Series of tournaments",
        section: Section::Strength,
        listed: Listed::InSearch(33, &["Series"]),
        when: Some(has_series),
        write: |to, page| {
            to.writer.page(page.path, "series_list.html", &series_list(to.site, page))
        },
    }),
    Entry::Many(PageGroup { paths: series_paths, write: series_pages }),
    Entry::One(Page {
        path: "records.html",
        title: "Records",
        section: Section::Greatness,
        listed: Listed::InSearch(
            34,
            &["Longest winning streak", "Longest unbeaten run", "Perfect scores", "Upsets"],
        ),
        when: Some(has_feats),
        write: |to, page| to.writer.page(page.path, "feats.html", &feats(to.site, page)),
    }),
    Entry::One(Page {
        path: "published.html",
        title: "Comparison with the published list",
        section: Section::Greatness,
        listed: Listed::InSearch(29, &["Published list"]),
        when: Some(|site| site.archive.compares_published()),
        write: |to, page| to.writer.page(page.path, "published.html", &published(to.site, page)),
    }),
    Entry::One(Page {
        path: "sql.html",
        title: "Query the tables",
        section: Section::About,
        listed: Listed::InSearch(31, &["SQL", "Query"]),
        when: Some(|site| site.archive.settings.site.sql),
        write: |to, page| {
            for file in SQL_FILES {
                to.writer.asset(file)?;
            }
            to.writer.page(page.path, "sql.html", &sql(to.site, page, to.tables))
        },
    }),
    Entry::One(Page {
        path: "rapid.html",
        title: "Rapid chess",
        section: Section::Strength,
        listed: Listed::InSearch(23, &["Rapid"]),
        when: Some(|site| has_faster(site, Tempo::Rapid)),
        write: |to, page| write_if(to, page, "faster.html", faster(to.site, page, Tempo::Rapid)),
    }),
    Entry::One(Page {
        path: "blitz.html",
        title: "Blitz chess",
        section: Section::Strength,
        listed: Listed::InSearch(24, &["Blitz"]),
        when: Some(|site| has_faster(site, Tempo::Blitz)),
        write: |to, page| write_if(to, page, "faster.html", faster(to.site, page, Tempo::Blitz)),
    }),
    Entry::One(Page {
        path: "games.html",
        title: "The games of an event",
        section: Section::Strength,
        listed: Listed::ByLinks,
        when: Some(|site| !site.archive.boards.is_empty()),
        write: |to, page| {
            to.writer.asset(GAMES_SCRIPT)?;
            to.writer.page(page.path, "games.html", &board(to.site, page))
        },
    }),
    Entry::One(Page {
        path: ANY_EVENT,
        title: "An event",
        section: Section::Strength,
        listed: Listed::AsAny,
        when: Some(has_any_event),
        write: |to, page| to.writer.page(page.path, "any.html", &any_event(to.site, page)),
    }),
    Entry::One(Page {
        path: ANY_PLAYER,
        title: "A player",
        section: Section::Players,
        listed: Listed::AsAny,
        when: Some(has_any_player),
        write: |to, page| to.writer.page(page.path, "any.html", &any_player(to.site, page)),
    }),
    Entry::Many(PageGroup { paths: greatness_part_paths, write: greatness_part_pages }),
    Entry::Many(PageGroup { paths: |site| paths_of_parts(site).collect(), write: part_pages }),
    Entry::Many(PageGroup { paths: strength_part_paths, write: strength_part_pages }),
    Entry::Many(PageGroup {
        paths: |site| site.year_paths().collect(),
        write: |writer| {
            let years = 0..writer.site.years.len();
            years.into_par_iter().try_for_each(|place| year(writer, place))
        },
    }),
    Entry::Many(PageGroup {
        paths: |site| site.pair_paths().collect(),
        write: |writer| {
            let pairs = 0..writer.site.number_of_pairs();
            pairs.into_par_iter().try_for_each(|place| pair(writer, place))
        },
    }),
    Entry::Many(PageGroup {
        paths: |site| ranking_paths(site).collect(),
        write: |writer| {
            let rankings = &writer.site.archive.lists.rankings;
            (0..rankings.len()).into_par_iter().try_for_each(|place| {
                let (path, view) = ranking(writer.site, place);
                writer.page(&path, "ranking.html", &view)
            })
        },
    }),
];

/// The entries that an archive has, in the order of the site map.
pub fn present(site: &Site) -> Vec<&'static Entry> {
    let entries = PAGES.iter();
    entries
        .filter(|entry| match entry {
            Entry::One(page) => page.when.is_none_or(|when| when(site)),
            Entry::Many(_) => true,
        })
        .collect()
}

/// The pages that a search finds by their titles, with further titles.
pub fn searched(
    present: &[&'static Entry],
) -> impl Iterator<Item = (&'static Page, &'static [&'static str])> {
    let mut found = Vec::new();
    for entry in present {
        if let Entry::One(page) = entry
            && let Listed::InSearch(place, titles) = page.listed
        {
            found.push((place, page, titles));
        }
    }
    found.sort_by_key(|(place, ..)| *place);
    found.into_iter().map(|(_, page, titles)| (page, titles))
}

fn paths_of_single(present: &[&'static Entry]) -> Vec<&'static str> {
    let mut paths = Vec::new();
    for entry in present {
        if let Entry::One(page) = entry {
            paths.push(page.path);
        }
    }
    paths
}

/// Writes a page if there is a view for it.
fn write_if(
    to: &Inputs,
    page: &Page,
    template: &str,
    view: Option<impl Serialize>,
) -> Result<(), PublishError> {
    match view {
        Some(view) => to.writer.page(page.path, template, &view),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn single() -> impl Iterator<Item = &'static Page> {
        PAGES.iter().filter_map(|entry| match entry {
            Entry::One(page) => Some(page),
            Entry::Many(_) => None,
        })
    }

    #[test]
    fn each_page_has_its_own_path_and_title() {
        let paths: BTreeSet<&str> = single().map(|page| page.path).collect();
        let titles: BTreeSet<&str> = single().map(|page| page.title).collect();
        assert_eq!([paths.len(), titles.len()], [single().count(); 2]);
    }

    #[test]
    fn places_in_the_search_are_numbered_without_gaps() {
        let mut places: Vec<usize> = single()
            .filter_map(|page| match page.listed {
                Listed::InSearch(place, _) => Some(place),
                _ => None,
            })
            .collect();
        places.sort_unstable();
        assert!(places.iter().copied().eq(0..places.len()), "{places:?}");
    }

    #[test]
    fn the_first_page_of_a_section_belongs_to_it() {
        for page in single() {
            let Some((_, first)) = page.section.head() else { continue };
            let first = single().find(|page| page.path == first).expect("a page");
            assert_eq!(first.section, page.section);
        }
    }
}
