//! The views of the pages: one module for each kind of page.

mod about;
mod ages;
mod any;
mod balance;
mod births;
mod breadcrumbs;
mod certainty;
mod champions;
mod championships;
mod checked;
mod chessmetrics;
mod codebook;
mod compare;
mod comparison;
mod curves;
mod dataset;
mod differences;
pub(super) mod event;
mod event_ratings;
mod events;
mod expected_by_source;
mod explain;
mod facts;
mod famous;
mod feats;
mod first_ten;
mod fit_power;
mod five_year_averages;
mod follow_ups;
mod forecasts;
mod foresight;
mod fragments;
mod front;
pub(super) mod games;
pub(super) mod glossary;
mod greatest;
mod groups;
mod improvement;
mod laboratory;
mod leader;
mod lists;
mod longevity;
mod meetings;
mod method;
mod moves;
mod neighbours;
mod number_ones;
mod number_ones_against_twos;
mod other_orders;
mod outcome;
pub(super) mod page;
mod pairs;
mod parts;
mod person;
pub(super) mod player;
mod players;
mod pool;
mod predictions;
mod published;
mod published_trial;
mod ratings;
pub(super) mod registry;
mod review;
mod runs;
mod search;
mod series;
pub(super) mod shared_event;
mod sports_event;
mod sql;
mod standings;
mod strongest_by_class;
mod title_holders;
mod titles;
mod tournament_series;
mod trials;
mod upsets;
mod verdict;
mod victories;
mod who_did_better;
mod years;

use jiff::civil::Date;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value;

use self::breadcrumbs::breadcrumbs;
use self::groups::{Decade, Letter, decades, letters};
use self::meetings::{Against, FrequentPairs, records};
use self::tournament_series::{PAUSE, Series, all_series};
use crate::addresses;
use crate::figures::{as_certain, in_full};
use crate::linked_data::LinkedData;
use crate::report::report_link;
use archive::{Archive, Citation, EventRecord, RankRange, StrengthRow};
use chess_history::events::EventTag;
use chess_history::gazetteer::{Places, country_code};
use chess_history::players::{PlayerId, Slugs, slug};
use chess_history::ratings::RatingHistory;
use tournament_app::{Kind, Spec};

pub(super) use self::breadcrumbs::Section;
pub(crate) use self::outcome::PlayerScore;
pub(crate) use self::standings::place_beside_line;
pub(crate) use self::title_holders::{Reign, reigns_of_players};
pub(crate) use self::tournament_series::first_places;

/// The archive, with lookups that several pages use.
pub(super) struct Site<'a> {
    pub archive: &'a Archive,
    /// The address of the site; empty if the settings do not have it.
    url: &'a str,
    /// The last day of a game; `None` if unknown.
    data_to: Option<Date>,
    /// Place of each event on the list of the strongest tournaments, or of the strongest matches.
    strength_rank: Vec<Option<usize>>,
    /// Place of each performance on the Greatness List, by event and standing.
    greatness_rank: FxHashMap<(usize, usize), usize>,
    /// Place of each player's best performance there, by the player's number.
    best_rank: FxHashMap<PlayerId, usize>,
    /// Rank of each player on the career list.
    career_rank: FxHashMap<PlayerId, usize>,
    /// The series of tournaments that have a page.
    all_series: Vec<Series>,
    /// The series of each event, as a place in these.
    series_of: FxHashMap<usize, usize>,
    /// The reigns of the world champions.
    reigns: FxHashMap<PlayerId, Vec<Reign>>,
    /// Index of each event by its identifier.
    by_id: FxHashMap<&'a str, usize>,
    /// Matches of each cycle or knock-out.
    parts: FxHashMap<&'a str, Vec<usize>>,
    /// The previous and next event of the same name or place, for each event.
    series: Vec<SeriesNeighbours>,
    /// Results against each opponent, by the player's number.
    records: Vec<Vec<Against>>,
    /// Whether there is a page of world championships.
    pub has_champions: bool,
    pairs: FrequentPairs,
    /// Index of each player's row, by the player's number.
    player_rows: Vec<Option<usize>>,
    pub decades: Vec<Decade>,
    pub letters: Vec<Letter>,
    /// Events by the year of their first day.
    years: Vec<(i16, Vec<usize>)>,
    /// The unique part of the path of each rating system.
    system_slugs: FxHashMap<&'a str, String>,
    places: Places,
}

/// Neighbours of an event in a series of events.
#[derive(Clone, Copy, Debug, Default)]
struct SeriesNeighbours {
    previous: Option<usize>,
    next: Option<usize>,
}

impl<'a> Site<'a> {
    pub fn new(archive: &'a Archive) -> Site<'a> {
        let mut strength_rank = vec![None; archive.records.len()];
        for row in archive.lists.tournaments.iter().chain(&archive.lists.matches_by_strength) {
            strength_rank[row.event] = Some(row.rank);
        }
        let mut greatness_rank = FxHashMap::default();
        let mut best_rank = FxHashMap::default();
        for row in &archive.lists.greatness {
            greatness_rank.insert((row.event, row.standing), row.rank);
            best_rank.entry(row.player).or_insert(row.rank);
        }
        let careers = archive.studies.greatest.careers.players.iter();
        let career_rank = careers.map(|row| (row.player, row.by_g.rank)).collect();
        let ids = archive.records.iter().enumerate();
        let by_id = ids.map(|(index, record)| (record.event.id.as_str(), index)).collect();
        let mut parts: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let mut years: std::collections::BTreeMap<i16, Vec<usize>> = Default::default();
        for (index, record) in archive.records.iter().enumerate() {
            if let Some(whole) = &record.event.part_of {
                parts.entry(whole).or_default().push(index);
            }
            if let Some(year) = record.event.start.year() {
                years.entry(year).or_default().push(index);
            }
        }
        let records = records(archive);
        let mut player_rows = vec![None; archive.players.len()];
        for (place, row) in archive.lists.player_rows.iter().enumerate() {
            player_rows[row.player.index()] = Some(place);
        }
        let all_series = all_series(&archive.records, &strength_rank);
        let places = all_series.iter().enumerate();
        let events =
            places.flat_map(|(place, one)| one.events.iter().map(move |event| (*event, place)));
        let series_of = events.collect();
        Site {
            archive,
            all_series,
            series_of,
            reigns: reigns_of_players(archive),
            decades: decades(archive),
            letters: letters(archive),
            pairs: FrequentPairs::new(archive, &records),
            player_rows,
            has_champions: championships::has_champions(archive),
            url: &archive.settings.site.url,
            data_to: archive.last_day(),
            strength_rank,
            greatness_rank,
            best_rank,
            career_rank,
            by_id,
            parts,
            series: series(archive),
            records,
            years: years.into_iter().collect(),
            system_slugs: system_slugs(archive),
            places: archive.settings.places(),
        }
    }

    /// The frame of a page.
    ///
    /// `path` is relative to the archive's folder.
    fn frame(&self, path: &str, section: Section, title: String, description: String) -> Frame {
        let root = match path.matches('/').count() {
            0 => "",
            _ => "../",
        };
        let canonical = match self.url {
            "" => String::new(),
            _ => self.address(root, path),
        };
        let page = if canonical.is_empty() { path } else { &canonical };
        let report = report_link(&self.archive.settings.site.contact, &title, page);
        let mut data = LinkedData::default();
        if let Some(steps) = breadcrumbs(section, path, &title, |path| self.address(root, path)) {
            data.push(steps);
        }
        Frame {
            title,
            description,
            root,
            section,
            canonical,
            report,
            card: String::new(),
            champions: self.has_champions,
            cite: None,
            data,
        }
    }

    /// The frame of a page that readers may cite.
    fn cited_frame(
        &self,
        path: &str,
        section: Section,
        title: String,
        description: String,
    ) -> Frame {
        let citation = Citation::of_page(self.url, path, &title, self.data_to);
        self.frame(path, section, title, description).cited("page", &citation)
    }

    /// The address of a page: absolute if the address of the site is known, and otherwise relative
    /// to a page from which `root` leads to the archive's folder.
    fn address(&self, root: &str, path: &str) -> String {
        match self.url {
            "" => format!("{root}{path}"),
            url => format!("{url}{}", path.strip_suffix("index.html").unwrap_or(path)),
        }
    }

    /// The strength of an event with the decimals that its error allows; empty if unknown.
    fn strength(record: &EventRecord) -> String {
        let analysis = &record.analysis;
        analysis
            .strength
            .map(|strength| as_certain(strength, analysis.strength_error))
            .unwrap_or_default()
    }

    /// The strength of an event in full, for a tooltip; empty if unknown.
    fn full_strength(record: &EventRecord) -> String {
        record.analysis.strength.map(in_full).unwrap_or_default()
    }

    /// The dates of an event, in words.
    fn dates(record: &EventRecord) -> String {
        let (start, end) = record.event.days();
        match (start.in_words(), end.in_words()) {
            (Some(first), Some(last)) if first != last => {
                // `5 August – 2 September 1895`: a common year, or year and month, is shown once.
                let mine: Vec<&str> = first.split(' ').collect();
                let theirs: Vec<&str> = last.split(' ').collect();
                let same = (1..=mine.len().min(theirs.len()))
                    .take_while(|n| mine[mine.len() - n] == theirs[theirs.len() - n])
                    .last()
                    .unwrap_or(0);
                match &mine[..mine.len() - same] {
                    // The first day is known less exactly: `until 31 July 1898`.
                    [] => format!("until {last}"),
                    // The last day is unknown: `from 6 November 1938`.
                    [_] if theirs.len() == same => format!("from {first}"),
                    shown => {
                        let dash = if shown.len() == 1 && theirs.len() - same == 1 {
                            "–"
                        } else {
                            " – "
                        };
                        format!("{}{dash}{last}", shown.join(" "))
                    }
                }
            }
            (Some(start), _) => start,
            _ => "date unknown".into(),
        }
    }

    /// The year of an event; empty if unknown.
    fn year(record: &EventRecord) -> String {
        record.event.start.year().map(|year| year.to_string()).unwrap_or_default()
    }

    pub fn number_of_pairs(&self) -> usize {
        self.pairs.len()
    }

    pub fn pair_paths(&self) -> impl Iterator<Item = String> + '_ {
        self.pairs.paths(self.archive)
    }

    /// The pairs with the most games: the key of their page, the players' names, and the number of
    /// games.
    pub fn frequent_pairs(&self, count: usize) -> Vec<(String, [&'a str; 2], usize)> {
        let archive = self.archive;
        let pairs = self.pairs.most_games(count).into_iter();
        pairs
            .map(|pair| {
                let key = meetings::key_of(archive, pair.players);
                let names = pair.players.map(|player| archive.players.get(player).name.as_str());
                (key, names, pair.games.len())
            })
            .collect()
    }

    /// A player's ratings, list by list.
    fn histories_of(&self, player: PlayerId) -> &'a [RatingHistory] {
        let row = self.player_rows.get(player.index()).copied().flatten();
        row.map_or(&[], |row| &self.archive.lists.player_rows[row].histories)
    }

    /// The years with events, in order, and the number of their events.
    pub fn events_by_year(&self) -> impl Iterator<Item = (i16, usize)> + '_ {
        self.years.iter().map(|(year, events)| (*year, events.len()))
    }

    pub fn year_paths(&self) -> impl Iterator<Item = String> + '_ {
        self.years.iter().map(|(year, _)| Link::to_year(*year).href)
    }

    /// The list that ranks an event: the strongest tournaments, or the strongest matches.
    fn ranked_with(&self, event: usize) -> &'a [StrengthRow] {
        match self.archive.records[event].event.kind {
            Kind::Match => &self.archive.lists.matches_by_strength,
            _ => &self.archive.lists.tournaments,
        }
    }

    /// Codes of a player's countries, from the player's federations.
    fn countries_of(&self, player: PlayerId) -> Vec<&'static str> {
        let life = self.archive.players.get(player).life.as_ref();
        let codes = life.map_or("", |life| life.federation.as_str()).split('/');
        codes.filter_map(country_code).collect()
    }

    /// Code of the country of an event, from its tags or from the table of places.
    fn country_of(&self, record: &EventRecord) -> Option<&'static str> {
        record.country(&self.places)
    }

    /// The range of ranks of a performance on the Greatness List.
    fn range_of(&self, event: usize, standing: usize) -> Option<RankRange> {
        let rank = self.greatness_rank.get(&(event, standing))?;
        self.archive.lists.greatness.get(rank - 1).map(|row| row.range)
    }

    fn event_link(&self, index: usize) -> Link {
        Link::to_event(&self.archive.records[index])
    }
}

fn system_slugs(archive: &Archive) -> FxHashMap<&str, String> {
    let mut slugs = Slugs::default();
    let mut found: FxHashMap<&str, String> = FxHashMap::default();
    for ranking in &archive.lists.rankings {
        found.entry(&ranking.system).or_insert_with(|| slugs.take(&[slug(&ranking.system)]));
    }
    found
}

/// The previous and the next event for the same title or of the same name, for each event. Events
/// named only by place, as `Vienna 1898`, are a series if they are of different years and not far
/// apart.
fn series(archive: &Archive) -> Vec<SeriesNeighbours> {
    let mut series = vec![SeriesNeighbours::default(); archive.records.len()];
    let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut by_place: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (index, record) in archive.records.iter().enumerate() {
        let event = &record.event;
        if event.part_of.is_some() || event.kind == Kind::Match {
            continue;
        }
        let key = EventTag::parse(&event.tag).key;
        if key.len() > 2 {
            by_name.entry(key).or_default().push(index);
        }
        let own = event.name.trim_end_matches(|c: char| c.is_ascii_digit() || "/–- ".contains(c));
        if !event.site.is_empty() && own == event.site {
            by_place.entry(event.site.to_lowercase()).or_default().push(index);
        }
    }
    for (_, events) in championships::titles(archive) {
        let played: Vec<usize> = events.iter().filter_map(|event| event.record).collect();
        for pair in played.windows(2) {
            series[pair[0]].next.get_or_insert(pair[1]);
            series[pair[1]].previous.get_or_insert(pair[0]);
        }
    }
    for (groups, is_by_place) in [(by_name, false), (by_place, true)] {
        for group in groups.into_values() {
            for pair in group.windows(2) {
                if is_by_place && !is_soon_after(archive, pair[0], pair[1]) {
                    continue;
                }
                series[pair[0]].next.get_or_insert(pair[1]);
                series[pair[1]].previous.get_or_insert(pair[0]);
            }
        }
    }
    series
}

/// Whether an event is at least one and at most [`PAUSE`] years later than another one.
fn is_soon_after(archive: &Archive, first: usize, next: usize) -> bool {
    let years = [first, next].map(|index| archive.records[index].event.start.year());
    matches!(years, [Some(first), Some(next)] if (1..=PAUSE).contains(&(next - first)))
}

/// The values for the frame of a page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Frame {
    title: String,
    /// A sentence for search engines and shared links.
    description: String,
    /// The relative path from the page to the archive's folder: empty or `../`.
    root: &'static str,
    /// The entry of the navigation that the page belongs to.
    section: Section,
    /// Its address, if the settings have that of the site.
    canonical: String,
    /// Address of a prefilled issue or mail about the page; empty without a contact.
    report: String,
    /// Whether there is a page of world championships to link to.
    champions: bool,
    /// Address of the picture for shared links.
    card: String,
    /// How to cite the page; only events, players and lists have it.
    cite: Option<CiteView>,
    /// What the page describes, for search engines.
    data: LinkedData,
}

impl Frame {
    /// Adds a citation of the page, or of what it contains: `page` or `archive`.
    fn cited(self, what: &'static str, citation: &Citation) -> Frame {
        let cite = CiteView {
            what,
            plain: citation.plain(),
            bibtex: citation.bibtex(),
            csl: citation.csl_json().to_string(),
        };
        Frame { cite: Some(cite), ..self }
    }

    /// Adds a thing that the page describes.
    fn describing(mut self, thing: Value) -> Frame {
        self.data.push(thing);
        self
    }
}

#[derive(Clone, Debug, Serialize)]
struct CiteView {
    /// What is cited: `page` or `archive`.
    what: &'static str,
    plain: String,
    bibtex: String,
    csl: String,
}

/// A link with its text; the target is relative to the archive's folder.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Link {
    pub href: String,
    pub text: String,
}

impl Link {
    fn to_event(record: &EventRecord) -> Link {
        Link { href: addresses::of_event(record), text: record.event.name.clone() }
    }

    fn to_player(archive: &Archive, player: PlayerId) -> Link {
        let name = archive.players.get(player).name.clone();
        Link { href: addresses::of_player(archive, player), text: name }
    }

    fn to_year(year: i16) -> Link {
        Link { href: format!("years/{year}.html"), text: year.to_string() }
    }
}

/// First and last year as a span: `1895–1904`.
pub(super) fn span(years: Option<(i16, i16)>) -> String {
    match years {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}–{last}"),
        None => String::new(),
    }
}

/// The mark of a rating that is far from the performance line: a sign, and the same in words.
fn mark_of(spec: Option<Spec>) -> (&'static str, &'static str) {
    match spec {
        Some(Spec::Out) => ("■", "out of spec"),
        Some(Spec::PressureUp) => ("▲", "pressure up"),
        Some(Spec::PressureDown) => ("▼", "pressure down"),
        Some(Spec::In) | None => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_years_have_a_dash() {
        assert_eq!(span(Some((1895, 1895))), "1895");
        assert_eq!(span(Some((1895, 1904))), "1895–1904");
        assert_eq!(span(None), "");
    }
}
