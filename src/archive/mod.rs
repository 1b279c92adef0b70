//! One run from inputs to an archive in memory, its lists, its exports.
//!
//! [`build`] is the run as a flat list of named, timed steps; the archive that it gives is complete
//! before anything is written.

mod computed;
mod counts;
mod decide;
mod document;
mod exports;
mod lists;
mod missing;
mod progress;
mod published;
mod rankings;
mod reading;
mod record;
mod review;
mod run;
mod settings;
mod system_settings;
mod table;

pub use computed::{BestAverage, ComputedRatings};
pub use counts::Counts;
pub use decide::DECIDED;
pub use document::EventDocument;
pub use exports::{ExportError, write_diagnostics, write_exports, write_rating_lists};
pub use lists::{FasterLists, GreatnessRow, PlayerRow, StrengthRow};
pub use missing::MissingRow;
pub use progress::{Amount, Progress, Silent};
pub use published::PublishedRow;
pub use rankings::{RankedLine, Ranking};
pub use reading::Reading;
pub use record::{Decided, EventRecord, Status};
pub use review::{ReviewReason, ReviewRow};
pub use run::{Archive, BuildError, Knowledge, analyse_events, build, read_ratings, read_world};
pub use settings::{
    AnalysisSettings, Input, ListSettings, Output, RatingSettings, Settings, SettingsError,
    SiteSettings,
};
pub use system_settings::SystemSettings;
