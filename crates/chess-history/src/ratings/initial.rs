//! Finds the ratings that the players of an event had before it.

use std::collections::BTreeMap;
use std::iter;

use jiff::civil::{Date, date};

use super::edition::{Edition, Listed};
use super::event_scale::{EventScale, number_two_step};
use super::leaders::{LEADERS, NumberTwo, NumberTwoSource, STALE_DAYS, TopTenPlayer, leaders};
use super::list::RatingList;
use super::list_file::FIDE_SYSTEM;
use super::lookup::{RatingLookup, Source};
use super::missing_list::DatedTags;
use super::names_on_list::NamesOnList;
use super::official_list::DayOrigin;
use super::tags::POSSIBLE;
use crate::events::Event;
use crate::tournament::Step;
use crate::tournament::estimator::STRONG_RATINGS;

/// The origin of the ratings of an event's players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RatingsOrigin {
    /// No source rates any of the players.
    Unknown,
    /// A rating system, by name.
    System(String),
    /// The Ratings Administrator entered them because no source rates any of the players.
    Decided,
}

impl RatingsOrigin {
    /// Returns the name for labels and exports; empty if the origin is unknown.
    pub fn name(&self) -> &str {
        match self {
            RatingsOrigin::Unknown => "",
            RatingsOrigin::System(system) => system,
            RatingsOrigin::Decided => "Decided",
        }
    }
}

/// The initial ratings of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialRatings {
    /// The origin of the ratings.
    pub origin: RatingsOrigin,
    /// The system whose best players define the scale; empty if there are no ratings.
    pub scale: String,
    /// Ratings (points), parallel to the event's players.
    pub ratings: Vec<Option<f64>>,
    /// Standard errors (points) of the ratings: those of the list, or the usual one of its system.
    ///
    /// A player without a rating has the usual one too.
    pub deviations: Vec<f64>,
    /// Standard errors (points) that the list itself states.
    pub published_deviations: Vec<Option<f64>>,
    /// Whether the source rates too few players, and no other source rates enough of them.
    pub weak: bool,
    /// The world number two, if a list covers the date.
    pub number_two: Option<NumberTwo>,
    /// The standard error (points) that the number two's rating adds to those of the leaders.
    ///
    /// It is the error of moving the rating to another scale. If the leaders are unknown, it is the
    /// whole error of the rating.
    pub number_two_deviation: f64,
    /// The index of the number two among the event's players, if the number two plays.
    pub number_two_plays: Option<usize>,
    /// The day for which the lists were searched.
    pub lookup_day: Option<Date>,
    /// Whether the rating tags determined that day because the games state only the year.
    pub day_from_tags: bool,
    /// The day of the list that supplied the ratings; `None` if no list did.
    pub edition: Option<Date>,
    /// The sources in the order of the search: the system, and how many players it rates.
    pub tried: Vec<(String, usize)>,
    /// The ten best active players of the list in force, best first; empty if no list covers the
    /// date.
    pub leaders: Vec<TopTenPlayer>,
    /// Corrections and doubts to report.
    pub steps: Vec<Step>,
}

impl InitialRatings {
    /// Returns the number of players with a rating.
    pub fn known(&self) -> usize {
        self.ratings.iter().flatten().count()
    }
}

impl<'a> RatingLookup<'a> {
    /// Finds the ratings of an event's players.
    ///
    /// The ratings of one event come from one source. The first source that rates three quarters of
    /// the field supplies them. If none does, the source that rates most players supplies them.
    ///
    /// Two kinds of source are used only if no other rates enough players: lists of the players of
    /// single events, which know later results, and tags from years without an official list.
    pub fn initial_ratings(&self, event: &Event) -> InitialRatings {
        let tags = self.ratings_in_tags(event);
        let LookupDay { day, origin } = self.lookup_day(event, &tags);
        let (tags, mut steps) = match day {
            Some(day) => {
                let (tags, mut steps) = self.official_ratings(&event.players, day, origin, tags);
                let (tags, mistakes) = self.corrected_tags(&event.players, day, tags);
                steps.extend(mistakes);
                (tags, steps)
            }
            None => (tags, Vec::new()),
        };
        let (tags, nearby) = self.completed_tags(event, tags);
        let ChosenSource { source, found, weak, tried } = self.choose_source(event, day, &tags);
        let SourceRatings { ratings, deviations, edition, nearby: from_editions } = found;
        steps.extend(match source {
            Some(Source::Tags(_)) => nearby,
            _ => from_editions,
        });
        let system = source.map(Source::system);
        let scale = source.map(Source::scale);
        steps.extend(stale_list_step(system, edition, day));
        let field = &event.players;
        let mut number_two = day.zip(scale).and_then(|(day, system)| {
            EventScale { lookup: self, field, system, ratings: &ratings, edition }.number_two(day)
        });
        let mut leaders = day.map(|day| self.leaders(event, scale, day)).unwrap_or_default();
        if let (Some(day), Some(two)) = (day, &mut number_two)
            && let NumberTwoSource::List(list) = two.origin
            && (two.system == FIDE_SYSTEM && edition.is_none())
            && self.are_of_missing_list(DatedTags { field, tags: &ratings, day, origin })
            && let Some(counted) = self.count_again(&mut leaders, &ratings, list)
            && counted.rating != two.rating
        {
            *two = counted;
        }
        steps.extend(number_two.as_ref().and_then(number_two_step));
        let usual = self.context.deviations.of_system(system.unwrap_or_default());
        InitialRatings {
            origin: match system {
                Some(system) => RatingsOrigin::System(system.to_owned()),
                None => RatingsOrigin::Unknown,
            },
            scale: scale.unwrap_or_default().to_owned(),
            ratings,
            deviations: deviations.iter().map(|stated| stated.unwrap_or(usual)).collect(),
            published_deviations: deviations,
            weak,
            number_two_deviation: number_two
                .as_ref()
                .map_or(usual, |two| self.added_deviation(two, &leaders)),
            number_two_plays: number_two
                .as_ref()
                .and_then(|two| self.index_of_number_two(event, two, &leaders)),
            number_two,
            lookup_day: day,
            day_from_tags: origin == DayOrigin::Tags,
            edition: edition.map(|edition| edition.day),
            tried,
            leaders,
            steps,
        }
    }

    /// Returns the rating that most games of the event, and their copies, give each player; the
    /// first one of a tie.
    fn ratings_in_tags(&self, event: &Event) -> Vec<Option<f64>> {
        let mut counts: Vec<Vec<(u16, usize)>> = vec![Vec::new(); event.players.len()];
        for game in &event.games {
            let copies = self.context.copies.get(&game.row).map_or(&[][..], Vec::as_slice);
            for row in iter::once(&game.row).chain(copies) {
                let tags = &self.table.games()[*row];
                for (player, elo) in [(game.white, tags.white_elo), (game.black, tags.black_elo)] {
                    if !POSSIBLE.contains(&elo) {
                        continue;
                    }
                    match counts[player].iter_mut().find(|(value, _)| *value == elo) {
                        Some((_, count)) => *count += 1,
                        None => counts[player].push((elo, 1)),
                    }
                }
            }
        }
        let mut ratings = Vec::with_capacity(counts.len());
        for values in counts {
            // `max_by_key` would return the last one of a tie.
            let most = values.into_iter().rev().max_by_key(|(_, count)| *count);
            ratings.push(most.map(|(value, _)| f64::from(value)));
        }
        ratings
    }

    fn choose_source(
        &self,
        event: &Event,
        day: Option<Date>,
        tags: &[Option<f64>],
    ) -> ChosenSource<'a> {
        let thresholds = self.thresholds;
        let field = event.players.len();
        let year = day.map(Date::year).or_else(|| event.start.year());
        let (regular, last): (Vec<&Source>, Vec<&Source>) =
            self.sources.iter().partition(|source| !source.is_last_resort(year));
        let mut tried = Vec::new();
        let mut best: Option<(usize, &Source, SourceRatings<'_>)> = None;
        for source in regular.into_iter().chain(last) {
            let has_enough =
                best.as_ref().is_some_and(|(known, ..)| thresholds.are_met(*known, field));
            if has_enough && source.is_last_resort(year) {
                continue;
            }
            let found = match source {
                Source::Tags(_) => SourceRatings::without_deviations(tags.to_vec()),
                Source::List(list) => self.ratings_on_list(event, list, day),
            };
            let known = found.known();
            tried.push((source.system().to_owned(), known));
            if best.as_ref().is_none_or(|(most, ..)| known > *most) {
                best = Some((known, source, found));
            }
            if thresholds.end_search(known, field) {
                break;
            }
        }
        let weak = best.as_ref().is_none_or(|(known, ..)| !thresholds.are_met(*known, field));
        let (source, found) = match best {
            Some((known, source, found)) if known > 0 => (Some(source), found),
            _ => (None, SourceRatings::without_deviations(vec![None; field])),
        };
        ChosenSource { source, found, weak, tried }
    }

    /// Returns the standard error (points) that a number two's rating adds to those of the leaders.
    fn added_deviation(&self, two: &NumberTwo, leaders: &[TopTenPlayer]) -> f64 {
        // With known leaders, simulations draw who is second. Only the shift adds an error.
        let own = two.deviation.unwrap_or_else(|| self.context.deviations.of_system(&two.system));
        match two.origin {
            NumberTwoSource::Shifted { deviation, .. } if leaders.len() > 1 => deviation,
            NumberTwoSource::Shifted { deviation, .. } => own.hypot(deviation),
            _ if leaders.len() > 1 => 0.0,
            _ => own,
        }
    }

    /// Returns the index of the number two among the event's players, if the number two plays.
    fn index_of_number_two(
        &self,
        event: &Event,
        two: &NumberTwo,
        leaders: &[TopTenPlayer],
    ) -> Option<usize> {
        match leaders.iter().find(|leader| leader.name == two.name) {
            Some(leader) => leader.player,
            None => event.players.iter().position(|id| self.players.get(*id).name == two.name),
        }
    }

    /// Returns the world's ten best from a list on the scale, or else from another list.
    fn leaders(&self, event: &Event, scale: Option<&str>, day: Date) -> Vec<TopTenPlayer> {
        let lists = self.context.best.iter().chain(self.lists());
        let on_scale = lists
            .clone()
            .chain(&self.context.scales)
            .filter(|list| Some(list.system.as_str()) == scale);
        let others = lists.filter(|list| Some(list.system.as_str()) != scale);
        let best = on_scale.chain(others).map(|list| self.leaders_on_list(event, list, day));
        best.into_iter().find(|leaders| !leaders.is_empty()).unwrap_or_default()
    }

    /// Returns the ten best active players of a list, and which of them play in the event.
    fn leaders_on_list(&self, event: &Event, list: &RatingList, day: Date) -> Vec<TopTenPlayer> {
        let Some(edition) = list.in_force(day) else { return Vec::new() };
        let context = self.context;
        let on_list: Vec<Option<u32>> = event
            .players
            .iter()
            .map(|player| edition.find_player(self.players.get(*player)))
            .map(|listed| listed.map(|listed| listed.number))
            .collect();
        let mut best: Vec<TopTenPlayer> = Vec::with_capacity(LEADERS);
        for leader in leaders(list, edition, day, &context.activity).take(LEADERS) {
            let equal = best.last().filter(|last| last.rating == leader.rating);
            best.push(TopTenPlayer {
                rank: equal.map_or(best.len() + 1, |last| last.rank),
                name: leader.name.to_owned(),
                rating: leader.rating,
                deviation: leader
                    .deviation
                    .unwrap_or_else(|| context.deviations.of_system(&list.system)),
                person: context.activity.player_of(&leader, day),
                player: on_list
                    .iter()
                    .position(|number| *number == Some(leader.number))
                    .or_else(|| self.absent_player(event, list, edition, leader)),
            });
        }
        best
    }

    /// Returns the player of the event who leads a list without being on the edition in force.
    fn absent_player(
        &self,
        event: &Event,
        list: &RatingList,
        edition: Edition<'_>,
        leader: Listed<'_>,
    ) -> Option<usize> {
        if edition.has(leader.number) {
            return None;
        }
        let earlier = list.before(edition.day).find(|earlier| earlier.has(leader.number))?;
        event.players.iter().position(|player| {
            let line = earlier.find_player(self.players.get(*player));
            line.is_some_and(|line| line.number == leader.number)
        })
    }

    /// Returns the day for which lists are searched: the one that a decision states, or else the
    /// event's first day.
    ///
    /// If the games state only the year, the rating tags determine the day. It is then the day of
    /// the edition that agrees with most tags, among those of the year and the last one before it.
    /// If no edition agrees with most of the tags of its players, it is the middle of the year.
    /// Without tags it is the first day of the known result, if that has a month.
    fn lookup_day(&self, event: &Event, tags: &[Option<f64>]) -> LookupDay {
        let start = event.decided.list_day.unwrap_or(event.start);
        if start.known_parts() >= 2 {
            return LookupDay { day: start.earliest(), origin: DayOrigin::Dates };
        }
        let Some(year) = start.year() else {
            return LookupDay { day: None, origin: DayOrigin::MiddleOfYear };
        };
        let lists = self.lists().chain(&self.context.best);
        let agreements = lists.filter_map(|list| self.agreement(event, tags, list, year));
        if let Some(best) = agreements.max() {
            return LookupDay { day: Some(best.day), origin: DayOrigin::Tags };
        }
        let (known, _) = event.days();
        let has_tags = tags.iter().any(Option::is_some);
        let day = match known.earliest() {
            Some(day) if known.known_parts() >= 2 && !has_tags => day,
            _ => date(year, 7, 1),
        };
        LookupDay { day: Some(day), origin: DayOrigin::MiddleOfYear }
    }

    /// Returns the edition of a list that agrees with most tags of an event of a year, if one does.
    fn agreement(
        &self,
        event: &Event,
        tags: &[Option<f64>],
        list: &RatingList,
        year: i16,
    ) -> Option<Agreement> {
        let (january, december) = (date(year, 1, 1), date(year, 12, 31));
        let before = january.yesterday().ok().and_then(|day| list.in_force(day));
        let before = before.map(|edition| edition.day);
        let in_force = list.in_force(date(year, 7, 1)).map(|edition| edition.day);
        let editions = list.editions().filter(|edition| {
            (january..=december).contains(&edition.day) || Some(edition.day) == before
        });
        let tagged = event.players.iter().zip(tags);
        let tagged: Vec<(NamesOnList<'_>, f64)> = tagged
            .filter_map(|(player, tag)| Some((list.names_of(self.players.get(*player)), (*tag)?)))
            .collect();
        let agreements = editions.map(|edition| {
            let (mut listed, mut agreeing) = (0, 0);
            for (names, tag) in &tagged {
                if let Some(line) = edition.find_named(names) {
                    listed += 1;
                    agreeing += usize::from(line.rating == *tag);
                }
            }
            Agreement {
                // Where most tags differ, one that agrees is chance: Korchnoi had 2695 twice.
                tags: if 2 * agreeing > listed { agreeing } else { 0 },
                is_in_force: in_force == Some(edition.day),
                day: edition.day,
            }
        });
        agreements.filter(|agreement| agreement.tags > 0).max()
    }
}

/// The day for which lists are searched.
struct LookupDay {
    day: Option<Date>,
    origin: DayOrigin,
}

/// How well an edition agrees with the rating tags of an event. The greatest agrees best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Agreement {
    /// The number of tags that equal the rating on the edition.
    tags: usize,
    /// Whether the edition is in force in the middle of the year.
    is_in_force: bool,
    day: Date,
}

/// The source that supplies an event's ratings.
struct ChosenSource<'a> {
    /// `None` if no source rates any of the players.
    source: Option<&'a Source>,
    found: SourceRatings<'a>,
    /// Whether it rates too few players.
    weak: bool,
    /// The systems in the order of the search, each with the number of players that it rates.
    tried: Vec<(String, usize)>,
}

/// The ratings that a source has for the players of an event.
struct SourceRatings<'a> {
    /// Ratings (points), parallel to the players.
    ratings: Vec<Option<f64>>,
    /// Their standard errors (points), where the source states them.
    deviations: Vec<Option<f64>>,
    /// The edition, if the source is a list.
    edition: Option<Edition<'a>>,
    /// The ratings of other editions, to report.
    nearby: Vec<Step>,
}

impl SourceRatings<'_> {
    fn without_deviations(ratings: Vec<Option<f64>>) -> SourceRatings<'static> {
        let deviations = vec![None; ratings.len()];
        SourceRatings { ratings, deviations, edition: None, nearby: Vec::new() }
    }

    fn known(&self) -> usize {
        self.ratings.iter().flatten().count()
    }
}

/// Returns the warning about a list that is out of date, if it is.
fn stale_list_step(
    system: Option<&str>,
    edition: Option<Edition<'_>>,
    day: Option<Date>,
) -> Option<Step> {
    let days = (day? - edition?.day).get_days();
    let system = system?.to_owned();
    (days > STALE_DAYS).then_some(Step::StaleList { system, months: days / 30 })
}

impl<'a> RatingLookup<'a> {
    /// Returns the ratings of an event's players on the edition of a list for a day.
    ///
    /// If the edition rates too few of them for an estimator line, a list that was computed long
    /// after the events, such as Chessmetrics, completes them from its nearest editions. A line
    /// needs three ratings, so a match has none. Source: Berard, on Hastings 1919.
    fn ratings_on_list(
        &self,
        event: &Event,
        list: &'a RatingList,
        day: Option<Date>,
    ) -> SourceRatings<'a> {
        let is_month = event.start.known_parts() == 2;
        let day = match event.start.year() {
            // Such a list has an event without a month in the middle of the year.
            Some(year) if list.of_events && event.start.known_parts() == 1 => {
                Some(date(year, 7, 1))
            }
            _ => day,
        };
        let field = event.players.iter().map(|player| self.players.get(*player));
        let names: Vec<NamesOnList<'_>> = field.map(|player| list.names_of(player)).collect();
        let editions = day.map(|day| list.editions_for(day, is_month, &names)).unwrap_or_default();
        let found = editions.into_iter().map(|edition| ratings_on_edition(edition, &names));
        // If several events share a day, the first one that rates most of the players is the event.
        let mut found = found
            .reduce(|best, next| if next.known() > best.known() { next } else { best })
            .unwrap_or_else(|| SourceRatings::without_deviations(vec![None; names.len()]));
        let has_line = names.len() >= STRONG_RATINGS;
        let is_retrospective = list.active_only && !list.is_computed && list.system != FIDE_SYSTEM;
        if let Some(day) = day.filter(|_| has_line && is_retrospective)
            && !self.thresholds.are_met(found.known(), names.len())
        {
            self.complete_from_editions(&mut found, event, list, &names, day);
        }
        found
    }

    /// Gives each player without a rating the one on the nearest edition that lists the player, at
    /// most two years away; of two as near, the earlier one.
    fn complete_from_editions(
        &self,
        found: &mut SourceRatings<'a>,
        event: &Event,
        list: &'a RatingList,
        names: &[NamesOnList<'_>],
        day: Date,
    ) {
        let Some(in_force) = list.in_force(day) else { return };
        for edition in list.nearest(day) {
            let other = ratings_on_edition(edition, names);
            for (place, id) in event.players.iter().enumerate() {
                let Some(rating) = other.ratings[place] else { continue };
                if found.ratings[place].is_some() {
                    continue;
                }
                found.ratings[place] = Some(rating);
                found.deviations[place] = other.deviations[place];
                found.nearby.push(Step::OtherEdition {
                    player: self.players.get(*id).name.clone(),
                    rating,
                    edition: edition.day.to_string(),
                });
            }
        }
        if found.known() > 0 {
            found.edition = Some(in_force);
        }
    }
}

fn ratings_on_edition<'a>(edition: Edition<'a>, names: &[NamesOnList<'_>]) -> SourceRatings<'a> {
    let found: Vec<Option<Listed<'_>>> =
        names.iter().map(|names| edition.find_named(names)).collect();
    // Two players of one event cannot be one line of a list. Then neither is certain.
    let mut claims: BTreeMap<u32, usize> = BTreeMap::new();
    for listed in found.iter().flatten() {
        *claims.entry(listed.number).or_default() += 1;
    }
    let certain: Vec<Option<Listed<'_>>> = found
        .into_iter()
        .map(|listed| listed.filter(|listed| claims[&listed.number] == 1))
        .collect();
    SourceRatings {
        ratings: certain.iter().map(|listed| listed.map(|listed| listed.rating)).collect(),
        deviations: certain
            .iter()
            .map(|listed| listed.and_then(|listed| listed.deviation))
            .collect(),
        edition: Some(edition),
        nearby: Vec::new(),
    }
}
