//! The archive as a static site: pages, charts, and publishing to the disk.
//!
//! Each page is a view and a template. A view is plain data whose numbers are already formatted.

mod addresses;
mod changes;
mod charts;
mod crosstable;
mod dossiers;
mod errors;
mod feed;
mod figures;
mod folder;
mod linked_data;
mod long_table;
mod mark;
mod markdown;
mod page_cache;
mod pages;
mod publish;
mod report;
mod script;
mod search;
mod sitemap;
mod small_events;
mod templates;
mod xml;

pub use errors::PublishError;
pub use folder::{Published, UnfinishedArchives};
pub use publish::{check_target, publish};
