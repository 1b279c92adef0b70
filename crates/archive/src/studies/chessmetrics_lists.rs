//! Ranks performances, tournaments and matches of the whole archive by the rules of Chessmetrics.
//!
//! Source: Jeff Sonas, Chessmetrics, "Formulas" and "Event formulas". The ratings come from the
//! list, in force when an event began, that rates most of its players: our monthly list of
//! Chessmetrics, the published one, or the list of the event's own ratings. The last is moved to
//! the scale of Chessmetrics, so all events are on one scale.

use jiff::civil::Date;
use rayon::prelude::*;

use crate::rated_players::computed::ComputedRatings;
use crate::record::EventRecord;
use crate::record::event_figures::{performances_against, points_of_rank};
use crate::record::status::Status;
use chess_history::players::{PlayerId, Players};
use chess_history::ratings::{Edition, RatingList, Source};
use rating_systems::systems::chessmetrics::{
    Chessmetrics, ChessmetricsPerformance, PADDED_GAMES, level,
};
use rating_systems::systems::{Registered, System};
use tournament_app::Kind;

/// The number of rows of each list that are kept. Judged: the length of a table that readers still
/// look at. It bounds the size of the pages and exports.
const KEPT: usize = 1000;

/// The performances, tournaments and matches of an archive, ranked by the rules of Chessmetrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChessmetricsLists {
    /// The performances with the highest padded ratings, best first.
    pub performances: Vec<PaddedRow>,
    /// The tournaments with the highest mean rating or class, by mean.
    pub tournaments: Vec<RankedTournament>,
    /// The matches whose weaker player ranked highest, best first.
    pub matches: Vec<RankedMatch>,
    /// The number of performances of five or more games in listed events.
    pub played: usize,
    /// The number of these whose opponents were all on the list.
    pub rated: usize,
}

/// A performance on the list.
#[derive(Clone, Debug, PartialEq)]
pub struct PaddedRow {
    /// Rank on the list, from 1.
    pub rank: usize,
    /// Index of the event's record.
    pub event: usize,
    /// Place of the player in the analysis, from 0.
    pub standing: usize,
    pub player: PlayerId,
    /// The performance against the opponents' Chessmetrics ratings.
    pub performance: ChessmetricsPerformance,
    /// The padded performance rating (points).
    pub padded: f64,
    /// Name of the list that rates the opponents.
    pub list: String,
    pub edition: Date,
    /// What moved the ratings to the scale of Chessmetrics (points); 0 for its own lists.
    pub shift: f64,
}

/// A match on the list. Its strength is the world rank of the weaker player.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedMatch {
    /// Rank on the list, from 1. Matches with the same rank of the weaker player share it.
    pub rank: usize,
    /// Index of the event's record.
    pub event: usize,
    /// The two players with their world ranks and ratings (points), the stronger first.
    pub players: [RankedOpponent; 2],
    /// Name of the list that ranks them.
    pub list: String,
    pub edition: Date,
    /// What moved the ratings to the scale of Chessmetrics (points); 0 for its own lists.
    pub shift: f64,
}

/// A tournament on the list, with the field by the ratings of Chessmetrics when it began.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedTournament {
    /// Rank by the mean rating, from 1.
    pub by_mean: usize,
    /// Rank by the class, from 1. Tournaments of one class are ranked by the mean rating.
    pub by_class: usize,
    /// Index of the event's record.
    pub event: usize,
    /// Mean rating (points) of the listed players.
    pub mean: f64,
    /// Category of the mean, in steps of 25 points: category 1 ends at 2275.
    pub category: i32,
    /// Class (0 to 22), from the world ranks of the players.
    pub class: u32,
    /// World ranks of the players among the first ten, the best first.
    pub top_ten: Vec<usize>,
    /// Number of players with a rating on the list.
    pub listed: usize,
    /// Name of the list.
    pub list: String,
    pub edition: Date,
    /// What moved the ratings to the scale of Chessmetrics (points); 0 for its own lists.
    pub shift: f64,
}

/// A player of a match with the world rank at its beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedOpponent {
    pub player: PlayerId,
    /// World rank, from 1; players with equal ratings share it.
    pub rank: usize,
    /// Rating (points).
    pub rating: f64,
}

impl RankedMatch {
    /// The world ranks of the weaker and of the stronger player.
    fn ranks(&self) -> (usize, usize) {
        let [stronger, weaker] = self.players;
        (weaker.rank, stronger.rank)
    }
}

/// The ranks whose mean holds the scale of Chessmetrics. Source: Jeff Sonas, Chessmetrics,
/// "Formulas".
const SCALE_RANKS: std::ops::RangeInclusive<usize> = 3..=20;

/// The number of ranked players that a list of the world's best needs to be moved to the scale.
/// Judged: most of the ranks 3 to 20. FIDE's lists of the best have 20 players or more. With half
/// as many, the mean of ranks 3 to 8 would stand for that of ranks 3 to 20 and exceed it.
const ENOUGH_RANKED: usize = 15;

/// The age (days) beyond which a list does not rate an event. Judged: published lists appear at
/// least once a year, so that an older one is followed by a gap.
const STALE_DAYS: i32 = 366;

/// The ratings of an event's players on the scale of Chessmetrics when it began.
struct FieldRatings {
    list: String,
    edition: Date,
    /// What moved the ratings to the scale (points); 0 for lists of Chessmetrics.
    shift: f64,
    /// Ratings (points), by index in the event.
    ratings: Vec<Option<f64>>,
    /// World ranks, by index in the event.
    ranks: Vec<Option<usize>>,
}

impl FieldRatings {
    /// The ratings from the list that rates most of the players.
    fn new(
        record: &EventRecord,
        lists: &[&RatingList],
        best: &[RatingList],
        players: &Players,
    ) -> Option<FieldRatings> {
        let day = record.ratings.lookup_day?;
        let on_lists = lists.iter().filter_map(|list| FieldRatings::on(record, list, day, players));
        on_lists
            .chain(FieldRatings::moved(record, best, day, players))
            .reduce(|known, other| if other.known() > known.known() { other } else { known })
    }

    /// The ratings from the list of the month in which the event began: the published one, our own,
    /// or else the published list of January. The first that rates enough players counts, and after
    /// them the event's own ratings. Source: Jeff Sonas, Chessmetrics, "Event formulas". How many
    /// are enough is ours.
    fn of_month(
        record: &EventRecord,
        lists: &[&RatingList],
        best: &[RatingList],
        players: &Players,
    ) -> Option<FieldRatings> {
        let day = record.ratings.lookup_day?;
        let mut found: Vec<FieldRatings> =
            lists.iter().filter_map(|list| FieldRatings::on(record, list, day, players)).collect();
        let own = Chessmetrics::ABOUT.list_name;
        let is_of_month =
            |field: &FieldRatings| field.edition.first_of_month() == day.first_of_month();
        found.sort_by_key(|field| match (is_of_month(field), field.list == own) {
            (true, false) => 0,
            (_, true) => 1,
            (false, false) => 2,
        });
        found.extend(FieldRatings::moved(record, best, day, players));
        found.into_iter().find(|field| field.is_rated_enough())
    }

    /// Whether enough players are on the list for the mean of the field.
    fn is_rated_enough(&self) -> bool {
        let players = self.ratings.len();
        players >= FIELD && LISTED.1 * self.known() >= LISTED.0 * players
    }

    /// The ratings on a list of Chessmetrics.
    fn on(
        record: &EventRecord,
        list: &RatingList,
        day: Date,
        players: &Players,
    ) -> Option<FieldRatings> {
        let edition = list.in_force(day).filter(|edition| is_recent(edition, day))?;
        let of_field = record.event.players.iter();
        let ratings: Vec<Option<f64>> = of_field
            .map(|player| Some(edition.find_player(players.get(*player))?.rating))
            .collect();
        let ranks = ratings.iter().map(|rating| edition.rank((*rating)?)).collect();
        let (list, edition) = (list.system.clone(), edition.day);
        Some(FieldRatings { list, edition, shift: 0.0, ratings, ranks })
    }

    /// The event's own ratings, moved to the scale of Chessmetrics. Its ranks 3 to 20 keep their
    /// mean, so the same ranks of the list of the world's best in the event's system, active
    /// players only, show how far to move. (This is ours.) For the ranks, the event's own ratings
    /// replace those that its players have on the list.
    fn moved(
        record: &EventRecord,
        best: &[RatingList],
        day: Date,
        players: &Players,
    ) -> Option<FieldRatings> {
        let system = record.ratings.origin.name();
        let list = best.iter().find(|list| list.system == system)?;
        let edition = list.in_force(day).filter(|edition| is_recent(edition, day))?;
        let ranking = edition.ranking();
        let active: Vec<f64> = ranking
            .iter()
            .filter(|listed| listed.active != Some(false))
            .map(|listed| listed.rating)
            .collect();
        if active.len() < ENOUGH_RANKED {
            return None;
        }
        let (first, last) = (SCALE_RANKS.start() - 1, active.len().min(*SCALE_RANKS.end()));
        let of_ranks = &active[first..last];
        let mean = of_ranks.iter().sum::<f64>() / of_ranks.len() as f64;
        let shift = level(day.year()) - mean;
        let found = &record.ratings.ratings;
        let of_field = record.event.players.iter();
        let of_field: Vec<&str> = of_field
            .filter_map(|player| Some(edition.find_player(players.get(*player))?.name))
            .collect();
        let others: Vec<f64> = ranking
            .iter()
            .filter(|listed| listed.active != Some(false) && !of_field.contains(&listed.name))
            .map(|listed| listed.rating)
            .collect();
        let mut ranks = Vec::with_capacity(found.len());
        for rating in found {
            // Below the last of the list, ranks are unknown.
            let ranked = rating.filter(|rating| active.last().is_some_and(|last| rating >= last));
            ranks.push(ranked.map(|rating| {
                let higher = found.iter().flatten().filter(|other| **other > rating).count();
                1 + higher + others.partition_point(|other| *other > rating)
            }));
        }
        Some(FieldRatings {
            list: system.to_owned(),
            edition: edition.day,
            shift,
            ratings: found.iter().map(|rating| rating.map(|rating| rating + shift)).collect(),
            ranks,
        })
    }

    /// A player of the event with the world rank and the rating.
    fn opponent(&self, index: usize, record: &EventRecord) -> Option<RankedOpponent> {
        let rating = (*self.ratings.get(index)?)?;
        let rank = (*self.ranks.get(index)?)?;
        Some(RankedOpponent { player: *record.event.players.get(index)?, rank, rating })
    }

    fn known(&self) -> usize {
        self.ratings.iter().flatten().count()
    }
}

fn is_recent(edition: &Edition, day: Date) -> bool {
    (day - edition.day).get_days() <= STALE_DAYS
}

impl ChessmetricsLists {
    /// Ranks the performances and matches of these records.
    pub fn new(
        records: &[EventRecord],
        players: &Players,
        sources: RatingSources<'_>,
    ) -> ChessmetricsLists {
        let lists = lists(sources);
        let of_events: Vec<_> = records
            .par_iter()
            .enumerate()
            .map(|(event, record)| {
                let field = FieldRatings::new(record, &lists, sources.best, players);
                let ranked = field.as_ref().and_then(|field| ranked_match(event, record, field));
                let tournament = FieldRatings::of_month(record, &lists, sources.best, players)
                    .and_then(|field| tournament(event, record, &field));
                (performances(event, record, field.as_ref()), ranked, tournament)
            })
            .collect();
        let mut found = ChessmetricsLists::default();
        for (performances, ranked, tournament) in of_events {
            found.played += performances.played;
            found.rated += performances.rows.len();
            found.performances.extend(performances.rows);
            found.matches.extend(ranked);
            found.tournaments.extend(tournament);
        }
        rank_tournaments(&mut found.tournaments);
        found.performances.sort_by(|a, b| {
            b.padded.total_cmp(&a.padded).then((a.event, a.standing).cmp(&(b.event, b.standing)))
        });
        found.performances.truncate(KEPT);
        for (row, rank) in found.performances.iter_mut().zip(1..) {
            row.rank = rank;
        }
        // Records are in the order of their days.
        found.matches.sort_by_key(|row| (row.ranks(), row.event));
        found.matches.truncate(KEPT);
        let weaker: Vec<usize> = found.matches.iter().map(|row| row.ranks().0).collect();
        for row in &mut found.matches {
            row.rank = 1 + weaker.partition_point(|rank| *rank < row.ranks().0);
        }
        found
    }
}

/// Ranks the tournaments by class and by mean, and keeps those that rank high by either.
fn rank_tournaments(tournaments: &mut Vec<RankedTournament>) {
    tournaments.sort_by(|a, b| {
        b.class.cmp(&a.class).then(b.mean.total_cmp(&a.mean)).then(a.event.cmp(&b.event))
    });
    for (row, rank) in tournaments.iter_mut().zip(1..) {
        row.by_class = rank;
    }
    tournaments.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(a.event.cmp(&b.event)));
    for (row, rank) in tournaments.iter_mut().zip(1..) {
        row.by_mean = rank;
    }
    tournaments.retain(|row| row.by_mean <= KEPT || row.by_class <= KEPT);
}

/// The lists that may rate events.
#[derive(Clone, Copy)]
pub struct RatingSources<'a> {
    /// All sources of ratings.
    pub sources: &'a [Source],
    /// The lists of the world's best.
    pub best: &'a [RatingList],
    /// Our own ratings, if they were computed.
    pub computed: Option<&'a ComputedRatings>,
}

/// Our own lists of Chessmetrics, then the published ones.
fn lists(sources: RatingSources<'_>) -> Vec<&RatingList> {
    let about = Chessmetrics::ABOUT;
    let system = System::of_list(about.list_name);
    let own = sources.computed.zip(system).and_then(|(computed, system)| computed.list(system));
    let published = sources.sources.iter().find_map(|source| match source {
        Source::List(list) if Some(list.system.as_str()) == about.published_as => Some(list),
        _ => None,
    });
    own.into_iter().chain(published).collect()
}

#[derive(Default)]
struct EventPerformances {
    rows: Vec<PaddedRow>,
    /// The number of performances of enough games, whether or not the opponents are rated.
    played: usize,
}

fn performances(
    event: usize,
    record: &EventRecord,
    field: Option<&FieldRatings>,
) -> EventPerformances {
    let mut found = EventPerformances::default();
    if record.performances != Status::Listed || record.event.ranked_elsewhere {
        return found;
    }
    let performances = field.map(|field| performances_against(&record.input, &field.ratings));
    for (standing, player) in record.analysis.players.iter().enumerate() {
        let (known, expected) = record.games_of(standing);
        if player.games < PADDED_GAMES || known < expected {
            continue;
        }
        found.played += 1;
        let of_player = performances.as_ref().and_then(|performances| performances[player.index]);
        let Some((field, performance)) = field.zip(of_player) else { continue };
        let Some(padded) = performance.padded else { continue };
        found.rows.push(PaddedRow {
            rank: 0,
            event,
            standing,
            player: record.event.players[player.index],
            performance,
            padded,
            list: field.list.clone(),
            edition: field.edition,
            shift: field.shift,
        });
    }
    found
}

/// The part of a field that must be on the list, as a fraction. Judged: the unlisted players are
/// the weakest. If they are a third, and 100 points weaker than the others, the mean is 33 points
/// too high. With three quarters, Vienna 1882 would be missing, which leads Chessmetrics' own list.
const LISTED: (usize, usize) = (2, 3);

/// The fewest players of a tournament. Judged: Las Palmas 1996 and Chessmetrics' other small fields
/// have six; three or four players are a match tournament.
const FIELD: usize = 4;

/// The tournament with the field's mean rating and class; `None` for matches and for events that no
/// list ranks.
fn tournament(
    event: usize,
    record: &EventRecord,
    field: &FieldRatings,
) -> Option<RankedTournament> {
    let is_tournament = record.event.kind != Kind::Match && record.status == Status::Listed;
    if !is_tournament || record.event.ranked_elsewhere {
        return None;
    }
    let ratings: Vec<f64> = field.ratings.iter().copied().flatten().collect();
    let mean = ratings.iter().sum::<f64>() / ratings.len() as f64;
    let mut top_ten: Vec<usize> =
        field.ranks.iter().copied().flatten().filter(|rank| *rank <= 10).collect();
    top_ten.sort_unstable();
    Some(RankedTournament {
        by_mean: 0,
        by_class: 0,
        event,
        mean,
        category: category(mean),
        class: top_ten.iter().map(|rank| points_of_rank(*rank)).sum(),
        top_ten,
        listed: ratings.len(),
        list: field.list.clone(),
        edition: field.edition,
        shift: field.shift,
    })
}

/// The category of a mean rating (points) on the scale of Chessmetrics. Source: Jeff Sonas,
/// Chessmetrics, "Event formulas".
fn category(mean: f64) -> i32 {
    ((mean - 2250.0) / 25.0).ceil() as i32
}

/// The match with the world ranks of its players; `None` for other events, and where a player is
/// not on the list.
fn ranked_match(event: usize, record: &EventRecord, field: &FieldRatings) -> Option<RankedMatch> {
    let is_match = record.event.kind == Kind::Match && record.status == Status::Listed;
    if !is_match || record.event.ranked_elsewhere {
        return None;
    }
    let mut players = [field.opponent(0, record)?, field.opponent(1, record)?];
    players.sort_by(|a, b| a.rank.cmp(&b.rank).then(b.rating.total_cmp(&a.rating)));
    let (list, edition, shift) = (field.list.clone(), field.edition, field.shift);
    Some(RankedMatch { rank: 0, event, players, list, edition, shift })
}
