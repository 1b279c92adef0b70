//! The archive as a static site: pages, charts, and publishing to the disk.
//!
//! Each page is a view and a template. A view has values with names, most of them
//! already formatted.

#[macro_use]
mod view;

mod addresses;
mod changes;
mod charts;
mod crosstable;
mod dossiers;
mod errors;
mod event_data;
mod event_files;
mod exchange;
mod feed;
mod figures;
mod filters;
mod folder;
mod former_addresses;
mod linked_data;
mod long_table;
mod mark;
mod markdown;
mod page_cache;
mod page_writer;
mod pages;
mod publish;
mod report;
mod script;
mod search;
mod shared_events;
mod sitemap;
mod size;
mod templates;
mod unfinished;
mod xml;

pub use errors::PublishError;
pub use folder::Published;
pub use publish::{check_target, publish};
pub use size::ArchiveSize;
pub use unfinished::UnfinishedArchives;
