//! The archive as a static site: pages, their charts, and how they get to the disk.
//!
//! Each page is a view (plain data, numbers already in words and figures) and a template.

mod chart;
mod crosstable;
mod figures;
mod markdown;
mod pages;
mod publish;
mod rating_chart;
mod templates;

pub use publish::{PublishError, check_target, publish};
