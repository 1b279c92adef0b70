//! The integration tests of the program and its library, as one binary: thirty that each linked
//! the whole library took most of the time of a fresh `cargo test`.
//!
//! `cargo test --test main site_pages::` runs the tests of one area.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod support;

mod basic_systems;
mod births;
mod browser;
mod build_command;
mod bundled_archive;
mod codebook;
mod command_line;
mod computed_ratings;
mod databases;
mod decisions;
mod desk;
mod documents;
mod event_command;
mod event_truth;
mod field;
mod forecast_commands;
mod former_addresses;
mod grouping;
mod historical_elo;
mod history;
mod identity;
mod input_commands;
mod intrinsic;
mod laboratory;
mod modules;
mod order_of_finish;
mod overlapping_collections;
mod own_rating_system;
mod page_counts;
mod paired_comparison;
mod paired_history;
mod paper_events;
mod plain_english;
mod published_collections;
mod published_figures;
mod published_forecasts;
mod ranked_lists;
mod rating_lists;
mod rating_sources;
mod ratings_command;
mod reading;
mod result_tables;
mod shared_collections;
mod site_pages;
mod spoilt_collections;
mod spoilt_report;
mod stockfish;
mod trust;
mod work_done_before;
