//! Builds an archive in memory from the inputs, with its lists, studies and exports.
//!
//! [`build`] is a flat list of named, timed steps. The archive is complete before anything is
//! written.

mod analysed;
mod citation;
mod data_sources;
mod decided;
pub mod decisions;
mod errors;
mod exports;
mod inputs;
mod lists;
#[cfg(not(feature = "parquet"))]
mod no_parquet;
mod parquet;
mod progress;
pub mod rated;
mod rated_players;
mod record;
mod review;
mod run;
mod settings;
mod studies;
mod work;

pub use analysed::analyses::{AnalysisContext, analyse_events};
pub use analysed::brackets::bracket_of;
pub use citation::Citation;
pub use data_sources::{BundledFile, DataSource, DataSources};
pub use decided::decide::{amend, check_decisions, id_of_split};
pub use decided::decided_inputs::{DecidedInputs, RelatedEvents};
pub use decisions::read_decisions;
pub use errors::{BuildError, WorkError};
pub use exports::document::EventDocument;
pub use exports::moves_tables::{MeasuredSet, measured_sets};
pub use exports::{DATASET_DESCRIPTION, WrittenTable, write_diagnostics, write_exports};
pub use inputs::counts::GameCounts;
pub use inputs::games_read::{GamesRead, without_other_members};
pub use inputs::grouped::Grouped;
pub use inputs::identified::{Identified, check_names};
pub use inputs::selected::Selected;
pub use intrinsic_ratings::MoveQuality;
pub use lists::missing::MissingRow;
pub use lists::rank_ranges::RankRange;
pub use lists::{FasterLists, GreatnessRow, PlayerRow, StrengthRow};
pub use progress::counted;
pub use progress::{Progress, Silent, WorkAmount, timed};
pub use rated_players::computed::{
    BestYear, ComputedRatings, ListOdds, RatingInputs, rated_results,
};
pub use rated_players::computed_lists::write_rating_lists;
pub use rated_players::elo_variants::{CurveEvaluation, CurveVariant, EloVariants};
pub use rated_players::game_forecasts::{ForecastSource, GameForecasts};
pub use rated_players::pools::{
    Ages, ExchangeRow, FirstAt, LevelSensitivity, Peaks, PoolKind, RatingPool,
};
pub use rated_players::rankings::{RankedLine, Ranking};
pub use rated_players::sources::{in_order, read_published_lists, read_ratings, read_world};
pub use record::all_games::AllGamesFigures;
pub use record::eligibility::Eligibility;
pub use record::event_facts::EventFacts;
pub use record::event_figures::chessmetrics_performances;
pub use record::event_forecast::{EventForecast, PlayerForecast};
pub use record::event_inputs::{EventInputs, EventOutcome};
pub use record::event_norms::{AchievedNorm, Condition, EventNorms, NormRatings};
pub use record::review_reason::ReviewReason;
pub use record::scoring::points_by;
pub use record::status::Status;
pub use record::{AnalysedEvent, Decided, EventRecord, LaterFigures};
pub use review::checked::{Aspect, Explanation, HistoryCheck, HistoryDifference};
pub use review::effect::{Effect, ListOf, PublishedLists, RankChange, of_strengths};
pub use review::{QueueCounts, ReviewRow, entry_in_lines};
pub use run::page_selection::FRAGMENTS_SHOWN;
pub use run::ranked::Lists;
pub use run::studied::Studies;
pub use run::{Archive, Findings, build, build_reusing, build_with};
pub use settings::build_inputs::BuildInputs;
pub use settings::data_licence::DataLicence;
pub use settings::source_name::{SourceName, SourceNameError};
pub use settings::system_settings::{SystemChoice, SystemSettings};
pub use settings::{
    AnalysisSettings, AnchorSetting, Input, ListSettings, OutputSettings, OwnPages, RatingSettings,
    Settings, SettingsError, SiteSettings,
};
pub use studies::boards::{BoardMove, Boards};
pub use studies::book_averages::book_average;
pub use studies::chessmetrics_lists::{
    ChessmetricsLists, PaddedRow, RankedMatch, RankedOpponent, RankedTournament,
};
pub use studies::common_opponents::SharedPoints;
pub use studies::consistency::ConsistencyRow;
pub use studies::constants::{ConstantCounts, ConstantIntervals};
pub use studies::curves::Curves;
pub use studies::follow_ups::{FollowUps, FollowedEvent, MonthMean, follow_event};
pub use studies::foresight::{
    AdministratorRecord, ClusteredMean, DecidedRating, Direction, Foresight, ForesightGroup,
    LaterRating, MONTHS_AHEAD, Signal,
};
pub use studies::greatest_players::{
    BAND_WEIGHTS, CareerFigure, CareerFigures, CareerForm, CareerList, GreatestPlayer,
    GreatestPlayers, LEADERS,
};
pub use studies::longevity::{CompositeAge, LongCareer, Longevity};
pub use studies::match_vs_tournament::{FormTotals, MatchesAndTournaments};
pub use studies::moves::{AggregateKind, AggregateMoves, EventMoves, MovesOfArchive, YearMoves};
pub use studies::norms::Titled;
pub use studies::predictions::{PredictedMatch, SourceCurves};
pub use studies::published::PublishedRow;
pub use studies::published_strengths::PublishedStrength;
pub use studies::tie_breaks::figures_with_tie_breaks;
pub use studies::title_odds::TitleOdds;
pub use tables::ExportError;
pub use work::build_cache::{BuildCache, CacheKey, CacheKind, CacheUse, content_hash};
pub use work::tasks::{AppTask, DoneWork, Helpers, RatingTask, TaskError};
pub use work::work_folder::WorkFolder;
