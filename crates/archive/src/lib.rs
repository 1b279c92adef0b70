//! Builds an archive in memory from the inputs, with its lists, studies and exports.
//!
//! [`build`] is a flat list of named, timed steps. The archive is complete before anything is
//! written.

mod citation;
mod data_sources;
pub mod decisions;
mod eligibility;
mod exports;
mod lists;
#[cfg(not(feature = "parquet"))]
mod no_parquet;
pub mod rated;
mod record;
mod review;
mod run;
mod settings;
mod status;
mod studies;

pub use citation::Citation;
pub use data_sources::{BundledFile, DataSource, DataSources};
pub use eligibility::Eligibility;
pub use exports::computed_lists::write_rating_lists;
pub use exports::document::EventDocument;
pub use exports::moves_tables::{MeasuredSet, measured_sets};
pub use exports::{DATASET_DESCRIPTION, WrittenTable, write_diagnostics, write_exports};
pub use intrinsic_ratings::MoveQuality;
pub use lists::missing::MissingRow;
pub use lists::page_selection::FRAGMENTS_SHOWN;
pub use lists::rank_ranges::RankRange;
pub use lists::{FasterLists, GreatnessRow, PlayerRow, StrengthRow};
pub use record::{Decided, EventRecord};
pub use review::checked::{Aspect, Explanation, HistoryCheck, HistoryDifference};
pub use review::decide::{amend, check_decisions, id_of_split};
pub use review::decided_inputs::{DecidedInputs, RelatedEvents};
pub use review::effect::{Effect, ListOf, PublishedLists, RankChange, of_strengths};
pub use review::event_facts::EventFacts;
pub use review::event_inputs::{EventInputs, EventOutcome};
pub use review::review_reason::ReviewReason;
pub use review::{QueueCounts, ReviewRow};
pub use run::analyses::{AnalysisContext, analyse_events};
pub use run::brackets::bracket_of;
pub use run::build_cache::{BuildCache, CacheKey, CacheKind, CacheUse};
pub use run::computed::{BestAverage, ComputedRatings, ListOdds, RatingInputs, rated_results};
pub use run::counts::GameCounts;
pub use run::decisions_read::read_decisions;
pub use run::errors::{BuildError, WorkError};
pub use run::games_read::{GamesRead, without_other_members};
pub use run::grouped::Grouped;
pub use run::identified::{Identified, check_names};
pub use run::progress::counted;
pub use run::progress::{Progress, Silent, WorkAmount, timed};
pub use run::rankings::{RankedLine, Ranking};
pub use run::selected::Selected;
pub use run::sources::{in_order, read_published_lists, read_ratings, read_world};
pub use run::tasks::{AppTask, DoneWork, Helpers, RatingTask, TaskError};
pub use run::work_folder::WorkFolder;
pub use run::{Archive, Findings, Lists, Studies, build, build_reusing, build_with};
pub use settings::build_inputs::BuildInputs;
pub use settings::data_licence::DataLicence;
pub use settings::source_name::{SourceName, SourceNameError};
pub use settings::system_settings::{SystemChoice, SystemSettings};
pub use settings::{
    AnalysisSettings, AnchorSetting, Input, ListSettings, OutputSettings, OwnPages, RatingSettings,
    Settings, SettingsError, SiteSettings,
};
pub use status::Status;
pub use studies::all_games::AllGamesFigures;
pub use studies::boards::{BoardMove, Boards};
pub use studies::book_averages::book_average;
pub use studies::chessmetrics_lists::{ChessmetricsLists, PaddedRow, RankedMatch, RankedOpponent};
pub use studies::consistency::ConsistencyRow;
pub use studies::curves::Curves;
pub use studies::elo_variants::{CurveEvaluation, CurveVariant, EloVariants};
pub use studies::event_figures::chessmetrics_performances;
pub use studies::event_forecast::{EventForecast, PlayerForecast};
pub use studies::event_norms::{AchievedNorm, Condition, EventNorms, NormRatings};
pub use studies::foresight::{
    AdministratorRecord, ClusteredMean, DecidedRating, Direction, Foresight, ForesightGroup,
    LaterRating, MONTHS_AHEAD, Signal,
};
pub use studies::game_forecasts::{ForecastSource, GameForecasts};
pub use studies::greatest_players::{
    BAND_WEIGHTS, CareerFigure, CareerFigures, CareerList, GreatestPlayer, GreatestPlayers, LEADERS,
};
pub use studies::match_vs_tournament::{FormTotals, MatchesAndTournaments};
pub use studies::moves::{AggregateKind, AggregateMoves, EventMoves, MovesOfArchive, YearMoves};
pub use studies::norms::Titled;
pub use studies::pools::{
    Ages, ExchangeRow, FirstAt, LevelSensitivity, Peaks, PoolKind, RatingPool,
};
pub use studies::predictions::{PredictedMatch, SourceCurves};
pub use studies::published::PublishedRow;
pub use studies::published_strengths::PublishedStrength;
pub use studies::substitutions::{Explanations, Substituted, Substitution};
pub use studies::tie_breaks::figures_with_tie_breaks;
pub use tables::ExportError;

#[cfg(not(feature = "parquet"))]
use no_parquet as parquet;
#[cfg(feature = "parquet")]
use parquet_files as parquet;
