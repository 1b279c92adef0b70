//! One run from inputs to an archive in memory, its lists, its exports.
//!
//! [`build`] is the run as a flat list of named, timed steps; the archive that it gives is complete
//! before anything is written.

mod analyses;
mod anchors;
mod case;
mod computed;
mod computed_lists;
mod consistency;
mod counts;
mod curves;
mod decide;
mod document;
mod effect;
mod errors;
mod event_figures;
mod event_forecast;
mod event_norms;
mod exports;
mod forecast_tables;
mod foretold;
mod forms;
mod games_read;
mod grouped;
mod identified;
mod lists;
mod missing;
mod moves;
mod moves_tables;
mod norms;
mod on_the_day;
mod pool_tables;
mod pools;
mod progress;
mod published;
mod published_pool;
mod rank_ranges;
mod rankings;
mod record;
mod review;
mod review_reason;
mod run;
mod selected;
mod settings;
mod source_name;
mod sources;
mod standing;
mod status;
mod system_settings;
mod table;
mod ways;

pub use analyses::{Knowledge, analyse_events};
pub use case::{Case, Outcome};
pub use computed::{BestAverage, ComputedRatings, ListOdds, rated_results};
pub use computed_lists::write_rating_lists;
pub use consistency::ConsistencyRow;
pub use counts::Counts;
pub use curves::Curves;
pub use decide::{amend, follow_ids, read_decisions};
pub use document::EventDocument;
pub use effect::{Effect, ListOf, Move, PublishedLists, of_strengths};
pub use errors::BuildError;
pub use event_forecast::{EventForecast, PlayerForecast};
pub use event_norms::{Condition, EventNorms, Norm, NormRatings};
pub use exports::{write_diagnostics, write_exports};
pub use foretold::{ForetoldMatch, SourceCurves};
pub use forms::{MatchesAndTournaments, Sum};
pub use games_read::GamesRead;
pub use grouped::Grouped;
pub use identified::Identified;
pub use lists::{FasterLists, GreatnessRow, PlayerRow, StrengthRow};
pub use missing::MissingRow;
pub use moves::{EventMoves, Moves, MovesOfArchive, YearMoves};
pub use norms::Titled;
pub use pools::{Ages, ExchangeRow, FirstAt, Hangs, Peaks, Pool, PoolKind};
pub use progress::{Amount, Progress, Silent, timed};
pub use published::PublishedRow;
pub use rank_ranges::RankRange;
pub use rankings::{RankedLine, Ranking};
pub use record::{Decided, EventRecord};
pub use review::ReviewRow;
pub use review_reason::ReviewReason;
pub use run::{Archive, build};
pub use selected::Selected;
pub use settings::{
    AnalysisSettings, AnchorSetting, Input, ListSettings, Output, RatingSettings, Settings,
    SettingsError, SiteSettings,
};
pub use source_name::SourceName;
pub use sources::{read_ratings, read_world};
pub use standing::Standing;
pub use status::Status;
pub use system_settings::SystemSettings;
pub use table::ExportError;
pub use ways::{CurveJudged, CurveRun, Ways};
