//! Makes the studies of ratings, rating systems and players.

use crate::analysed::analyses::AnalysisContext;
use crate::inputs::selected::Selected;
use crate::rated_players::computed::{ComputedRatings, SystemLists};
use crate::rated_players::elo_variants::EloVariants;
use crate::rated_players::game_forecasts::GameForecasts;
use crate::rated_players::on_the_day::NamedOnTheDay;
use crate::rated_players::pools::{Ages, ExchangeRow, LevelSensitivity, RatingPool, exchanges};
use crate::record::EventRecord;
use crate::run::ranked::Lists;
use crate::studies::chessmetrics_lists::{ChessmetricsLists, RatingSources};
use crate::studies::common_opponents::{SharedPoints, shared_points};
use crate::studies::consistency::{ConsistencyRow, consistency};
use crate::studies::follow_ups::FollowUps;
use crate::studies::foresight::Foresight;
use crate::studies::greatest_players::GreatestPlayers;
use crate::studies::longevity::Longevity;
use crate::studies::norms::{self, Titled};
use crate::studies::predictions::{Forecasts, PredictedMatch, SourceCurves};
use crate::studies::published_pool::{ListedPlayer, published_pool};
use crate::studies::title_odds::{TitleOdds, title_odds};
use chess_history::ratings::{FIDE_SYSTEM, RatingHistory, Source};
use rating_systems::evaluation::comparison::SystemComparison;
use rating_systems::evaluation::draw_model::DrawRates;
use rating_systems::evaluation::published_trial::PublishedTrial;
use rating_systems::forecasts::Decades;
use rating_systems::population::improvement::Century;

/// Studies of ratings, rating systems and players.
#[derive(Debug)]
pub struct Studies {
    /// The comparison of our own rating systems, if they were computed.
    pub comparison: Option<SystemComparison>,
    /// Variants of Elo's system, and systems of the past, compared with Elo.
    pub elo_variants: EloVariants,
    /// Published ratings compared with forecasts on the same games; `None` without rating tags.
    pub published_trial: Option<PublishedTrial>,
    /// What each source of forecasts expected of each game, if ratings were computed from these
    /// games.
    pub game_forecasts: Option<GameForecasts>,
    /// The lists of 1 January of each system that we compute, as Parquet.
    pub system_lists: Vec<SystemLists>,
    /// How well the ranked rating lists agree with the games.
    pub consistency: Vec<ConsistencyRow>,
    /// The rating pools of our own systems over the years, and that of FIDE's lists.
    pub pools: Vec<RatingPool>,
    /// The sensitivity of the levels of historical Elo to its assumptions.
    pub level_sensitivities: Vec<LevelSensitivity>,
    /// The strength of the best players of each period, by historical Elo.
    pub improvement: Century,
    /// The change of ratings with age, from the lists themselves.
    pub ages: Ages,
    /// Rates of exchange between the rating points of two systems.
    pub exchanges: Vec<ExchangeRow>,
    /// Draws and White's advantage, by decade.
    pub decades: Decades,
    /// The proportion of draws between equals by decade, in `[0, 1]`, judging equality by the
    /// predictions of the standard system. `None` if no ratings were computed.
    pub draw_rates: Option<DrawRates>,
    /// Forecasts of matches of at least eleven games.
    pub matches: Vec<PredictedMatch>,
    /// How rating differences predict scores, by source.
    pub curves: Vec<SourceCurves>,
    /// Titles as they were awarded, and as FIDE's rules of 1977 would have awarded them.
    pub titles: Vec<Titled>,
    /// How long players stayed near their best.
    pub longevity: Longevity,
    /// How often players perform far above their ratings.
    pub title_odds: Vec<TitleOdds>,
    /// The performances, tournaments and matches that rank highest by Chessmetrics.
    pub chessmetrics: ChessmetricsLists,
    /// How two players of a round robin divide the points that they take from the others.
    pub shared_points: Vec<SharedPoints>,
    /// The official ratings after corrected events, month by month.
    pub follow_ups: FollowUps,
    /// How later lists agreed with corrections, pressure and decisions.
    pub foresight: Foresight,
    /// The players with the greatest careers.
    pub greatest: GreatestPlayers,
}

impl Studies {
    /// Studies the records and lists. `computed` are our own ratings, if there are any.
    pub fn new(
        records: &[EventRecord],
        lists: &Lists,
        context: AnalysisContext<'_>,
        computed: Option<ComputedRatings>,
        forecasts: Forecasts,
    ) -> Studies {
        let AnalysisContext { games, sources, world, .. } = context;
        let on_the_day = computed.as_ref().map(|computed| &computed.on_the_day);
        let titles = titles(records, lists, games, on_the_day);
        let known = known_to_fide(lists, games, on_the_day);
        let fide = sources.iter().find_map(|source| match source {
            Source::List(list) if list.system == FIDE_SYSTEM => published_pool(list, &known),
            _ => None,
        });
        let ours = computed.iter().flat_map(|computed| &computed.half_decades);
        let exchanges = exchanges(ours.chain(fide.as_ref().map(|fide| &fide.half_decades)));
        let (pool, first_at_fide) = fide.map(|fide| (fide.pool, fide.first_at)).unzip();
        let lists_of_all =
            RatingSources { sources, best: &world.best, computed: computed.as_ref() };
        let chessmetrics = ChessmetricsLists::new(records, &games.players, lists_of_all);
        let of_systems = computed.map(|computed| computed.studies).unwrap_or_default();
        Studies {
            comparison: of_systems.comparison,
            elo_variants: of_systems.elo_variants,
            published_trial: of_systems.published_trial,
            game_forecasts: of_systems.game_forecasts,
            system_lists: of_systems.system_lists,
            consistency: consistency(
                &lists.rankings,
                &lists.player_rows,
                &games.table,
                &games.rows,
                &games.players,
            ),
            pools: of_systems.pools.into_iter().chain(pool).collect(),
            level_sensitivities: of_systems.level_sensitivities,
            improvement: of_systems.improvement,
            ages: Ages { first_at_fide: first_at_fide.unwrap_or_default(), ..of_systems.ages },
            exchanges,
            decades: forecasts.decades,
            draw_rates: of_systems.draw_rates,
            matches: forecasts.matches,
            curves: forecasts.sources,
            titles,
            longevity: Longevity::new(&lists.five_year_careers, &games.players),
            title_odds: title_odds(records),
            chessmetrics,
            shared_points: shared_points(records),
            follow_ups: FollowUps::new(records, &games.players, sources, world),
            foresight: Foresight::new(records, &games.players, sources, world),
            greatest: GreatestPlayers::new(records, context.lists.minimum_g_score),
        }
    }
}

/// Lists titles as they were awarded, and as FIDE's rules of 1977 would have awarded them.
fn titles(
    records: &[EventRecord],
    lists: &Lists,
    games: &Selected,
    on_the_day: Option<&NamedOnTheDay>,
) -> Vec<Titled> {
    let mut by_player: Vec<Option<&RatingHistory>> = vec![None; games.players.len()];
    for row in &lists.player_rows {
        let fide = row.histories.iter().find(|history| history.system == FIDE_SYSTEM);
        by_player[row.player.index()] = fide;
    }
    norms::titles(records, &games.players, on_the_day, &|player, day| {
        let history = by_player.get(player.index()).copied().flatten()?;
        history.in_force(day)
    })
}

/// Lists the players in events who are on FIDE's lists.
fn known_to_fide<'a>(
    lists: &'a Lists,
    games: &Selected,
    on_the_day: Option<&NamedOnTheDay>,
) -> Vec<ListedPlayer<'a>> {
    let rows = lists.player_rows.iter();
    rows.filter_map(|row| {
        let player = games.players.get(row.player);
        let history = row.histories.iter().find(|history| history.system == FIDE_SYSTEM)?;
        Some(ListedPlayer {
            player: row.player.index() as u32,
            rated: on_the_day.and_then(|on_the_day| on_the_day.number(player)),
            born: player.life.as_ref().and_then(|life| life.born),
            history,
        })
    })
    .collect()
}
