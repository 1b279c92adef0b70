//! Writes the site: all pages, tables and files.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use tera::{Context, Tera};

use super::addresses::{of_event, of_player};
use super::changes::ChangeLog;
use super::dossiers;
use super::errors::PublishError;
use super::event_data;
use super::exchange::may_be_replaced;
use super::feed;
use super::folder::{Folder, Published};
use super::mark;
use super::page_cache::PageCache;
use super::page_writer::PageWriter;
use super::pages::Site;
use super::pages::event::event;
use super::pages::games::write_games;
use super::pages::page::{Entry, Inputs};
use super::pages::player::player;
use super::pages::registry::present;
use super::search::search_files;
use super::shared_events;
use super::sitemap::{LARGEST_MAP, open_search, robots, site_map};
use super::templates::{ASSETS, asset, templates};
use super::unfinished::UnfinishedArchives;
use archive::{
    Archive, BuildCache, BuildInputs, EventDocument, EventRecord, PlayerRow, Progress,
    WrittenTable, write_exports,
};
use chess_history::players::slug;

/// Checks before any work that a folder may be replaced by an archive: it does not exist, is empty,
/// or is an archive of ours.
///
/// # Errors
///
/// Returns an error if the folder is anything else.
pub fn check_target(out: &Path) -> Result<(), PublishError> {
    if out.symlink_metadata().is_ok_and(|found| found.is_symlink()) && !out.exists() {
        return Err(unfit(out, "is a broken link; remove it, or create its target"));
    }
    // The target of a link is exchanged.
    let real = out.canonicalize().unwrap_or_else(|_| out.to_owned());
    if is_mount_point(out) {
        return Err(unfit(out, "is a mount point and cannot be replaced; name a folder inside it"));
    }
    if out.is_file() {
        return Err(unfit(out, "is a file; name a folder for the archive"));
    }
    match fs::read_dir(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => check_parent(&real),
        Err(error) => Err(PublishError::Write { path: out.display().to_string(), error }),
        Ok(mut entries) => {
            if entries.next().is_none() || may_be_replaced(out) {
                check_parent(&real)
            } else {
                Err(PublishError::Foreign(out.display().to_string()))
            }
        }
    }
}

fn unfit(out: &Path, why: &'static str) -> PublishError {
    PublishError::Unfit { path: out.display().to_string(), why }
}

/// Whether a folder is a mount point.
#[cfg(unix)]
fn is_mount_point(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(real) = folder.canonicalize() else { return false };
    let Some(parent) = real.parent() else { return true };
    let [inside, outside] =
        [real.as_path(), parent].map(|path| path.metadata().ok().map(|found| found.dev()));
    inside != outside
}

#[cfg(not(unix))]
fn is_mount_point(_: &Path) -> bool {
    false
}

/// Checks before the work that the parent of the target is writable, since the new archive is
/// written next to the target.
fn check_parent(out: &Path) -> Result<(), PublishError> {
    // A relative path begins in the current folder.
    let mut above = out
        .ancestors()
        .skip(1)
        .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let Some(folder) = above.find(|folder| folder.is_dir()) else { return Ok(()) };
    // A file without a name leaves nothing behind.
    tempfile::tempfile_in(folder)
        .map(|_| ())
        .map_err(|error| PublishError::Write { path: out.display().to_string(), error })
}

/// Writes all pages and exports to a new folder, then exchanges it for the published one.
///
/// The new folder is next to the target. If the run is killed or fails, the archive that was
/// published before stays whole. Files that did not change stay the same files on the disk, and
/// pages that the last build made from the same views are not rendered again.
///
/// # Errors
///
/// Returns an error if a file cannot be written, or the target is not an archive of ours.
pub fn publish(
    archive: &Archive,
    out: &Path,
    unfinished: &UnfinishedArchives,
    cache: Option<&BuildCache>,
    progress: &dyn Progress,
) -> Result<Published, PublishError> {
    check_target(out)?;
    let changes = ChangeLog::since(archive, out);
    let folder = Folder::begin(out, unfinished)?;
    let pages = write(archive, &changes, &folder, cache, progress)?;
    if archive.settings.site.sync {
        folder.sync()?;
    }
    folder.swap(pages)
}

/// Writes the whole archive and returns the number of its pages.
fn write(
    archive: &Archive,
    changes: &ChangeLog,
    folder: &Folder,
    cache: Option<&BuildCache>,
    progress: &dyn Progress,
) -> Result<usize, PublishError> {
    // The mark comes first: it shows that the folder of a run that was killed is ours.
    folder.save(mark::MARK, mark::text(&archive.counts).as_bytes())?;
    let site = Site::new(archive);
    let present = present(&site);
    let writer =
        PageWriter { site: &site, tera: templates()?, cache: PageCache::new(cache), folder };
    // Most of the work is in the pages of events and players. The others run in parallel with it.
    let (of_events, others) = rayon::join(
        || {
            write_events(&writer, progress)?;
            write_players(&writer)
        },
        || {
            let tables = write_data(&site, &present, changes, folder)?;
            let inputs = Inputs {
                writer: &writer,
                site: &site,
                changes,
                tables: &tables,
                present: &present,
            };
            present.iter().try_for_each(|entry| entry.write(&inputs))
        },
    );
    of_events.and(others)?;
    write_addressed_files(&site, &present, folder)?;
    folder.save("feed.xml", &feed::feed(&archive.settings.site.url, changes))?;
    writer.cache.keep();
    let others: usize = present.iter().map(|entry| entry.count(&site)).sum();
    Ok(records_with_page(archive).count() + rows_with_page(archive).count() + others)
}

fn records_with_page(archive: &Archive) -> impl Iterator<Item = &EventRecord> {
    archive.records.iter().filter(|record| record.has_page)
}

fn rows_with_page(archive: &Archive) -> impl Iterator<Item = &PlayerRow> {
    archive.lists.player_rows.iter().filter(|row| archive.player_pages[row.player.index()])
}

/// Writes the files that need the address of the site: the site map, `robots.txt` at the root of a
/// host, and the description of the search.
fn write_addressed_files(
    site: &Site,
    present: &[&Entry],
    folder: &Folder,
) -> Result<(), PublishError> {
    let archive = site.archive;
    let url = &archive.settings.site.url;
    if url.is_empty() {
        return Ok(());
    }
    let mut paths: Vec<String> = present.iter().flat_map(|entry| entry.mapped(site)).collect();
    paths.extend(records_with_page(archive).map(of_event));
    paths.extend(rows_with_page(archive).map(|row| of_player(archive, row.player)));
    for (name, file) in site_map(url, &paths, LARGEST_MAP) {
        folder.save(&name, &file)?;
    }
    if let Some(text) = robots(url) {
        folder.save("robots.txt", text.as_bytes())?;
    }
    folder.save("opensearch.xml", &open_search(url))
}

/// Writes the exports, the scripts and styles, the search index and the data for comparisons.
///
/// Returns the exported tables.
fn write_data(
    site: &Site,
    present: &[&'static Entry],
    changes: &ChangeLog,
    folder: &Folder,
) -> Result<Vec<WrittenTable>, PublishError> {
    let archive = site.archive;
    let tables = write_exports(archive, &folder.make("data")?)?;
    folder.settle("data")?;
    if !archive.studies.system_lists.is_empty() {
        folder.settle("data/systems")?;
    }
    let changes_text = serde_json::to_string(changes).expect("texts and numbers always serialize");
    folder.save("data/changes.json", changes_text.as_bytes())?;
    let inputs = BuildInputs::from_settings(&archive.settings).with_sample(&archive.table);
    let inputs = serde_json::to_string(&inputs).expect("texts and lists of them always serialize");
    folder.save("data/inputs.json", inputs.as_bytes())?;
    for path in ASSETS {
        folder.save(path, &asset(path))?;
    }
    search_files(site, present)
        .par_iter()
        .try_for_each(|(name, text)| folder.save(&format!("search/{name}"), text.as_bytes()))?;
    dossiers::write(archive, folder)?;
    Ok(tables)
}

/// Writes the page, the picture and the data files of each event.
fn write_events(writer: &PageWriter, progress: &dyn Progress) -> Result<(), PublishError> {
    let archive = writer.site.archive;
    archive.records.par_iter().enumerate().try_for_each(|(index, record)| {
        write_event(writer, index, record)?;
        progress.advance(1);
        Ok::<(), PublishError>(())
    })?;
    event_data::write_shared(archive, writer.folder)?;
    write_games(writer.site, writer.folder)?;
    shared_events::write(writer.site, writer.folder)
}

fn write_event(
    writer: &PageWriter,
    index: usize,
    record: &EventRecord,
) -> Result<(), PublishError> {
    let PageWriter { site, cache, folder, .. } = writer;
    let id = &record.event.id;
    if !record.has_page {
        return Ok(());
    }
    let document = EventDocument::new(record);
    event_data::write_own(site.archive, record, &document, folder)?;
    let (page, has_plot) = event(site, index, document.orders.as_ref());
    let key = cache.key("event.html", &page);
    // The picture shows some of the page's view, which is converted at most once for both.
    let context = OnceCell::new();
    cache.save(folder, &format!("events/{id}.html"), key, || {
        render_once_converted(&writer.tera, "event.html", &page, &context)
    })?;
    // Other sites can show the picture only if the address of this one is known.
    if has_plot && !site.archive.settings.site.url.is_empty() {
        cache.save(folder, &format!("cards/{id}.svg"), key, || {
            render_once_converted(&writer.tera, "card.svg.html", &page, &context)
        })?;
    }
    Ok(())
}

/// Renders a view, which is converted unless `context` has it already.
fn render_once_converted(
    tera: &Tera,
    template: &str,
    view: &impl Serialize,
    context: &OnceCell<Context>,
) -> Result<String, tera::Error> {
    let context = match context.get() {
        Some(context) => context,
        None => {
            let converted = Context::from_serialize(view)?;
            context.get_or_init(|| converted)
        }
    };
    tera.render(template, context)
}

/// Writes the page of each player, and a page at each former address.
fn write_players(writer: &PageWriter) -> Result<(), PublishError> {
    let archive = writer.site.archive;
    let rows: Vec<&PlayerRow> = rows_with_page(archive).collect();
    rows.par_iter().try_for_each(|row| player(writer, row))?;
    let ids: BTreeSet<&str> =
        archive.players.iter().map(|(_, player)| player.id.as_str()).collect();
    let mut moved: BTreeSet<String> = BTreeSet::new();
    for row in rows {
        let player = archive.players.get(row.player);
        let former = slug(&player.fullest_spelling);
        if !ids.contains(former.as_str()) && moved.insert(former.clone()) {
            // It leads from the former address to the present one.
            let page = view!(id = &player.id, name = &player.name);
            writer.page(&format!("players/{former}.html"), "moved.html", &page)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::exchange::MANIFEST;
    use super::*;

    #[test]
    fn a_folder_with_something_else_in_it_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_target(folder.path()).is_ok(), "empty");
        assert!(check_target(&folder.path().join("new")).is_ok(), "not there");
        fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
        assert!(matches!(check_target(folder.path()), Err(PublishError::Foreign(_))));
        fs::write(folder.path().join(mark::MARK), "{}").unwrap();
        assert!(matches!(check_target(folder.path()), Err(PublishError::Foreign(_))));
        let mark = mark::text(&archive::GameCounts::default());
        fs::write(folder.path().join(mark::MARK), mark).unwrap();
        // Without the list, our files and foreign files cannot be distinguished.
        assert!(matches!(check_target(folder.path()), Err(PublishError::Foreign(_))));
        fs::write(folder.path().join(MANIFEST), mark::MARK).unwrap();
        assert!(check_target(folder.path()).is_ok(), "an archive of ours");
    }

    #[cfg(unix)]
    #[test]
    fn a_target_that_cannot_be_replaced_is_reported_before_any_work() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).unwrap();
        assert!(matches!(check_target(&link), Err(PublishError::Unfit { .. })));
        if Path::new("/proc/self").exists() {
            assert!(matches!(check_target(Path::new("/proc")), Err(PublishError::Unfit { .. })));
        }
    }
}
