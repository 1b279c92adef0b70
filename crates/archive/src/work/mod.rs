//! Work that a build need not repeat: tasks as bytes, the cache of the last build, and folders of
//! work that was done elsewhere.

pub mod build_cache;
pub mod tasks;
pub mod work_folder;
