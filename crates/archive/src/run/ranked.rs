//! Makes the ranked lists and the review queue.

use crate::analysed::analyses::AnalysisContext;
use crate::lists::{self, FasterLists, GreatnessRow, PlayerRow, StrengthRow};
use crate::progress::{Progress, WorkAmount, counted, timed};
use crate::rated_players::computed::{BestYear, ComputedRatings};
use crate::rated_players::rankings::{self, Ranking};
use crate::rated_players::sources::shown;
use crate::record::EventRecord;
use crate::record::status::Status;
use crate::review::effect::PublishedLists;
use crate::review::{self, ReviewRow};
use chess_history::players::{PlayerId, Players};
use rating_systems::systems::FiveYearCareer;
use rustc_hash::FxHashMap;
use tournament_app::Kind;

#[derive(Debug)]
pub struct Lists {
    pub greatness: Vec<GreatnessRow>,
    /// The strongest events: tournaments and matches in one list.
    pub strength: Vec<StrengthRow>,
    /// The strongest tournaments, ranked without matches, because a match of the two best players
    /// is stronger than any tournament.
    pub tournaments: Vec<StrengthRow>,
    /// The strongest matches, ranked without tournaments.
    pub matches_by_strength: Vec<StrengthRow>,
    /// The lists of each tempo that is not ranked with the others, such as rapid and blitz.
    pub faster: Vec<FasterLists>,
    /// Indices of the records of incomplete, unrecognised and uncertain events, the strongest
    /// first.
    pub fragments: Vec<usize>,
    /// The list of players in events.
    pub player_rows: Vec<PlayerRow>,
    /// The world rankings, by system and year.
    pub rankings: Vec<Ranking>,
    /// The players' best years, system by system, best first. Only systems that sample careers have
    /// them.
    pub best_years: Vec<BestYear>,
    /// The five-year averages of each player by historical Elo, the player with the best one first.
    pub five_year_careers: Vec<(PlayerId, FiveYearCareer)>,
}

/// Makes the ranked lists and the review queue.
pub(super) fn rank(
    records: &[EventRecord],
    context: AnalysisContext<'_>,
    computed: Option<&ComputedRatings>,
    progress: &dyn Progress,
) -> (Lists, Vec<ReviewRow>) {
    let AnalysisContext { games, sources, world, lists: settings, .. } = context;
    timed(progress, "rank", WorkAmount::Unknown, || {
        let greatness = lists::greatness(records, Status::Listed, None);
        let strength = lists::strength(records, Status::Listed, |_| true);
        let shown = shown(sources, computed);
        let mut player_rows =
            lists::players(records, &games.table, &games.players, &shown, settings);
        if let Some(on_the_day) = computed.map(|computed| &computed.on_the_day) {
            for row in &mut player_rows {
                let player = games.players.get(row.player);
                row.career = on_the_day.career(player);
                row.career_years = on_the_day.career_years(player);
            }
        }
        let five_year_careers = computed.map_or_else(Vec::new, |computed| {
            five_year_careers(&mut player_rows, &games.players, computed)
        });
        let odds = computed.map_or(&[][..], |computed| &computed.odds);
        let mut rankings = rankings::rankings(&shown, &world.activity, odds);
        // Other years have rankings too, but nothing here was played in them.
        let years = records.iter().filter_map(|record| record.event.start.year());
        if let (Some(first), Some(last)) = (years.clone().min(), years.max()) {
            rankings.retain(|ranking| (first..=last.saturating_add(1)).contains(&ranking.year));
        }
        let faster = lists::faster(records, settings);
        let published = PublishedLists::new(records, &greatness, &strength, &faster);
        let review = review::queue(records, &games.players, settings, &published);
        let summary = format!(
            "{}, {}, {}; {} to review",
            counted(greatness.len(), "performance"),
            counted(strength.len(), "event strength"),
            counted(player_rows.len(), "player"),
            counted(review.len(), "event")
        );
        let lists = Lists {
            greatness,
            strength,
            tournaments: lists::strength(records, Status::Listed, |record| {
                record.event.kind != Kind::Match
            }),
            matches_by_strength: lists::strength(records, Status::Listed, |record| {
                record.event.kind == Kind::Match
            }),
            faster,
            fragments: lists::fragments(records),
            player_rows,
            rankings,
            best_years: computed.map(|own| own.best_years.clone()).unwrap_or_default(),
            five_year_careers,
        };
        ((lists, review), summary)
    })
}

/// The five-year averages of the players in events, the player with the best one first. Adds the
/// best one to the row of the player.
fn five_year_careers(
    rows: &mut [PlayerRow],
    players: &Players,
    computed: &ComputedRatings,
) -> Vec<(PlayerId, FiveYearCareer)> {
    let by_number: FxHashMap<u32, &FiveYearCareer> =
        computed.five_year_careers.iter().map(|career| (career.best.player, career)).collect();
    let mut careers: Vec<(PlayerId, FiveYearCareer)> = Vec::new();
    for row in rows {
        let number = computed.on_the_day.number(players.get(row.player));
        let Some(career) = number.and_then(|number| by_number.get(&number)) else { continue };
        row.five_year_average = Some(career.best);
        careers.push((row.player, (*career).clone()));
    }
    careers.sort_by(|(_, a), (_, b)| {
        let (a, b) = (&a.best, &b.best);
        b.rating.total_cmp(&a.rating).then_with(|| a.player.cmp(&b.player))
    });
    careers
}
