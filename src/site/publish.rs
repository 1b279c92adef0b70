//! Writing the site: all pages, tables and files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use tera::{Context, Tera};

use super::addresses::{ANY_EVENT, ANY_PLAYER, of_event, of_player};
use super::changes::Changes;
use super::dossiers;
use super::errors::PublishError;
use super::feed;
use super::folder::{Folder, Published, may_be_replaced};
use super::mark;
use super::pages::{self, Decade, Letter, Site};
use super::search::search_files;
use super::small_events;
use super::templates::{ASSETS, GAMES_SCRIPT, render, templates};
use crate::archive::{Archive, EventDocument, EventRecord, PlayerRow, Progress, write_exports};
use crate::pgn::PgnGame;
use crate::players::slug;

/// Checks, before any work, that a folder may be replaced by an archive: it does not exist, is
/// empty, or is an archive of ours.
///
/// # Errors
///
/// Where it is anything else.
pub fn check_target(out: &Path) -> Result<(), PublishError> {
    let foreign = || PublishError::Foreign(out.display().to_string());
    let unfit = |why| PublishError::Unfit { path: out.display().to_string(), why };
    if out.symlink_metadata().is_ok_and(|found| found.is_symlink()) && !out.exists() {
        return Err(unfit("is a link that leads nowhere; remove it, or make what it leads to"));
    }
    // What a link leads to is exchanged.
    let real = out.canonicalize().unwrap_or_else(|_| out.to_owned());
    if is_mount_point(out) {
        return Err(unfit(
            "is where a disk is mounted, and cannot be exchanged; name a folder inside of it",
        ));
    }
    match fs::read_dir(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => check_beside(&real),
        Err(error) => Err(PublishError::Write { path: out.display().to_string(), error }),
        Ok(mut entries) => {
            if entries.next().is_none() || may_be_replaced(out) {
                check_beside(&real)
            } else {
                Err(foreign())
            }
        }
    }
}

/// Whether another disk begins at a folder.
#[cfg(unix)]
fn is_mount_point(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(real) = folder.canonicalize() else { return false };
    let device = |path: &Path| path.metadata().ok().map(|found| found.dev());
    real.parent().is_none_or(|parent| device(parent) != device(&real))
}

#[cfg(not(unix))]
fn is_mount_point(_: &Path) -> bool {
    false
}

/// Whether there may be written beside a target, where an archive is made before it takes its place: what is forbidden is
/// told before the work, not behind it.
fn check_beside(out: &Path) -> Result<(), PublishError> {
    let mut above = out.parent();
    while let Some(folder) = above {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if folder.is_dir() {
            // Without a name: nothing is left of it whatever happens.
            return tempfile::tempfile_in(folder)
                .map(|_| ())
                .map_err(|error| PublishError::Write { path: out.display().to_string(), error });
        }
        above = folder.parent();
    }
    Ok(())
}

/// Writes pages and exports and swaps them in.
///
/// All is written to a folder beside the target first: a run that is killed, or fails, leaves the
/// archive that was published before whole. Files that did not change stay the same files.
///
/// # Errors
///
/// Where something cannot be written, or the target is not ours to replace.
pub fn publish(
    archive: &Archive,
    out: &Path,
    progress: &dyn Progress,
) -> Result<Published, PublishError> {
    check_target(out)?;
    let changes = Changes::since(archive, out);
    let folder = Folder::begin(out)?;
    let pages = write(archive, &changes, &folder, progress)?;
    if archive.settings.site.sync {
        folder.sync()?;
    }
    folder.swap(pages)
}

fn write(
    archive: &Archive,
    changes: &Changes,
    folder: &Folder,
    progress: &dyn Progress,
) -> Result<usize, PublishError> {
    for part in [
        "data/events",
        "events",
        "players",
        "decades",
        "letters",
        "years",
        "ratings",
        "search",
        "cards",
        "lists",
        "greatness",
        "tournaments",
        "matches",
        "pairs",
        "compare",
    ] {
        folder.make(part)?;
    }
    if !archive.boards.is_empty() {
        folder.make("games")?;
    }
    if small_events::number_of_files(archive) > 0 {
        folder.make(small_events::FOLDER)?;
    }
    // First of all: what a run leaves that is ended is known as ours, and read by none.
    folder.save(mark::MARK, mark::text(&archive.counts).as_bytes())?;
    let site = Site::of(archive);
    let tera = templates()?;
    let decades = pages::decades(&site);
    let letters = pages::letters(&site);
    // The pages of events and players are nearly all of the work; the others and the tables are done
    // beside them.
    let (of_events, others) = rayon::join(
        || write_events_and_players(&site, &tera, folder, progress),
        || -> Result<usize, PublishError> {
            write_exports(archive, &folder.make("data")?)?;
            folder.settle("data")?;
            if !archive.studies.system_lists.is_empty() {
                folder.settle("data/systems")?;
            }
            let changes_text =
                serde_json::to_string(changes).expect("texts and numbers always serialize");
            folder.save("data/changes.json", changes_text.as_bytes())?;
            for (path, bytes) in ASSETS {
                folder.save(path, bytes.as_bytes())?;
            }
            search_files(archive).par_iter().try_for_each(|(name, text)| {
                folder.save(&format!("search/{name}"), text.as_bytes())
            })?;
            write_lists(&site, &tera, folder, changes, &decades, &letters)
        },
    );
    let pages = of_events? + others?;
    let paths = paths(&site, &decades, &letters);
    if !archive.settings.site.url.is_empty() {
        let sitemap = feed::sitemap(&archive.settings.site.url, &paths);
        folder.save("sitemap.xml", sitemap.as_bytes())?;
    }
    folder.save("feed.xml", feed::feed(&archive.settings.site.url, changes).as_bytes())?;
    Ok(pages)
}

/// The page, the picture and the files of each event, and the page of each player.
fn write_events_and_players(
    site: &Site,
    tera: &Tera,
    folder: &Folder,
    progress: &dyn Progress,
) -> Result<usize, PublishError> {
    let archive = site.archive;
    archive.records.par_iter().enumerate().try_for_each(|(index, record)| {
        let id = &record.event.id;
        let document = EventDocument::of(record).to_json();
        folder.save(&format!("data/events/{id}.json"), document.as_bytes())?;
        folder.save(&format!("data/events/{id}.pgn"), &games_of(archive, record))?;
        if let Some(text) = pages::games_file(site, record) {
            folder.save(&format!("games/{id}.js"), text.as_bytes())?;
        }
        if !record.has_page {
            progress.advance(1);
            return Ok(());
        }
        let page = pages::event(site, index);
        // The picture shows some of what the page does.
        let view = Context::from_serialize(&page)?;
        folder.save(&format!("events/{id}.html"), tera.render("event.html", &view)?.as_bytes())?;
        if page.has_plot() {
            let card = tera.render("card.svg.html", &view)?;
            folder.save(&format!("cards/{id}.svg"), card.as_bytes())?;
        }
        progress.advance(1);
        Ok::<(), PublishError>(())
    })?;
    small_events::write(archive, folder)?;
    let has_page = |row: &&PlayerRow| archive.player_pages[row.player.index()];
    archive.lists.player_rows.par_iter().filter(has_page).try_for_each(|row| {
        let page = pages::player(site, row);
        let html = render(tera, "player.html", &page)?;
        let id = &archive.players.get(row.player).id;
        folder.save(&format!("players/{id}.html"), html.as_bytes())?;
        write_rest(folder, page.table.files(tera, "player_event_rows.html", "../")?)?;
        write_rest(folder, page.more_against.files(tera, "opponent_rows.html", "../")?)
    })?;
    let ids: BTreeSet<&str> =
        archive.players.iter().map(|(_, player)| player.id.as_str()).collect();
    let mut moved: BTreeSet<String> = BTreeSet::new();
    for row in archive.lists.player_rows.iter().filter(has_page) {
        let player = archive.players.get(row.player);
        let former = slug(&player.fullest_spelling);
        if !ids.contains(former.as_str()) && moved.insert(former.clone()) {
            let page = Moved { id: &player.id, name: &player.name };
            let html = render(tera, "moved.html", &page)?;
            folder.save(&format!("players/{former}.html"), html.as_bytes())?;
        }
    }
    let events = archive.records.iter().filter(|record| record.has_page).count();
    Ok(events + archive.lists.player_rows.iter().filter(has_page).count())
}

/// The games of an event as PGN.
fn games_of(archive: &Archive, record: &EventRecord) -> Vec<u8> {
    let mut games = Vec::new();
    for of_event in &record.event.games {
        let names = [of_event.white, of_event.black]
            .map(|player| &*archive.players.get(record.event.players[player]).name);
        let game = &archive.table.games()[of_event.row];
        let (start, moves) = archive.boards.game(of_event.row).unwrap_or_default();
        let moves: Vec<String> = moves.into_iter().map(|one| one.san).collect();
        // Nothing fails that writes to memory.
        let start = start.as_deref();
        let _ =
            PgnGame { table: &archive.table, game, names, start, moves: &moves }.write(&mut games);
    }
    games
}

/// A page that leads from a former address to the one that it has now.
#[derive(Debug, Serialize)]
struct Moved<'a> {
    id: &'a str,
    name: &'a str,
}

/// The lines of a table that its page does not show.
fn write_rest(folder: &Folder, files: Vec<(String, String)>) -> Result<(), PublishError> {
    files.iter().try_for_each(|(path, text)| folder.save(path, text.as_bytes()))
}

/// Everything else.
fn write_lists(
    site: &Site,
    tera: &Tera,
    folder: &Folder,
    changes: &Changes,
    decades: &[Decade],
    letters: &[Letter],
) -> Result<usize, PublishError> {
    let write = |path: &str, html: Result<String, tera::Error>| folder.save(path, html?.as_bytes());
    let latest = changes.editions.first();
    write("index.html", render(tera, "front.html", &pages::front(site, latest)))?;
    let greatness = pages::greatness(site);
    write("greatness.html", render(tera, "greatness.html", &greatness))?;
    write_rest(folder, greatness.table.files(tera, "performance_rows.html", "")?)?;
    for (path, page) in
        [("tournaments.html", pages::tournaments(site)), ("matches.html", pages::matches(site))]
    {
        write(path, render(tera, "strength.html", &page))?;
        write_rest(folder, page.table.files(tera, "strength_rows.html", "")?)?;
    }
    let parts = pages::greatness_part_pages(site);
    for (path, page) in &parts {
        write(path, render(tera, "greatness_part.html", page))?;
    }
    let strength_parts = pages::strength_part_pages(site);
    for (path, page) in &strength_parts {
        write(path, render(tera, "strength_part.html", page))?;
    }
    write("events.html", render(tera, "events.html", &pages::events(site, decades)))?;
    write("players.html", render(tera, "players.html", &pages::players(site, letters)))?;
    write("years.html", render(tera, "years.html", &pages::years(site)))?;
    write("review.html", render(tera, "review.html", &pages::review(site)))?;
    write("method.html", render(tera, "method.html", &pages::method(site)))?;
    write("forecasts.html", render(tera, "forecasts.html", &pages::forecasts(site)))?;
    let titles = pages::titles(site);
    write("titles.html", render(tera, "titles.html", &titles))?;
    write_rest(folder, titles.untitled.files(tera, "untitled_rows.html", "")?)?;
    for award in &titles.awards {
        write_rest(folder, award.table.files(tera, "award_rows.html", "")?)?;
    }
    write("laboratory.html", render(tera, "laboratory.html", &pages::laboratory(site)))?;
    write("about.html", render(tera, "about.html", &pages::about(site)))?;
    write("downloads.html", render(tera, "downloads.html", &pages::downloads(site)))?;
    write("fragments.html", render(tera, "fragments.html", &pages::fragments(site)))?;
    write("checked.html", render(tera, "checked.html", &pages::checked(site)))?;
    write("missing.html", render(tera, "missing.html", &pages::missing(site)))?;
    let published = pages::published(site);
    if let Some(page) = &published {
        write("published.html", render(tera, "published.html", page))?;
    }
    let faster = pages::faster(site);
    for (path, page) in &faster {
        write(path, render(tera, "faster.html", page))?;
    }
    write("404.html", render(tera, "404.html", &pages::not_found(site)))?;
    (0..decades.len()).into_par_iter().try_for_each(|place| {
        let page = pages::decade(site, decades, place);
        write(&decades[place].path(), render(tera, "decade.html", &page))?;
        write_rest(folder, page.table.files(tera, "event_rows.html", "../")?)
    })?;
    (0..letters.len()).into_par_iter().try_for_each(|place| {
        let page = pages::letter(site, letters, place);
        write(&letters[place].path(), render(tera, "letter.html", &page))?;
        write_rest(folder, page.table.files(tera, "player_rows.html", "../")?)
    })?;
    let years = site.number_of_years();
    (0..years).into_par_iter().try_for_each(|place| {
        let page = pages::year(site, place);
        write(&page.path(), render(tera, "year.html", &page))?;
        write_rest(folder, page.table.files(tera, "event_rows.html", "../")?)
    })?;
    dossiers::write(site.archive, folder)?;
    write("compare.html", render(tera, "compare.html", &pages::compare(site)))?;
    if let Some(page) = pages::any_event(site) {
        write(ANY_EVENT, render(tera, "any.html", &page))?;
    }
    if let Some(page) = pages::any_player(site) {
        write(ANY_PLAYER, render(tera, "any.html", &page))?;
    }
    let has_boards = !site.archive.boards.is_empty();
    if has_boards {
        write("games.html", render(tera, "games.html", &pages::board(site)))?;
        folder.save("games.js", GAMES_SCRIPT.as_bytes())?;
    }
    let pairs = site.number_of_pairs();
    (0..pairs).into_par_iter().try_for_each(|place| {
        let (path, page) = pages::pair(site, place);
        write(&path, render(tera, "pair.html", &page))?;
        write_rest(folder, page.table.files(tera, "game_rows.html", "../")?)
    })?;
    write("ratings.html", render(tera, "ratings.html", &pages::ratings(site)))?;
    if let Some(page) = pages::comparison(site) {
        write("comparison.html", render(tera, "comparison.html", &page))?;
    }
    let ages = pages::ages(site);
    if let Some(page) = &ages {
        write("ages.html", render(tera, "ages.html", page))?;
    }
    let pool = pages::pool(site);
    if let Some(page) = &pool {
        write("pool.html", render(tera, "pool.html", page))?;
    }
    if site.has_champions {
        write("champions.html", render(tera, "champions.html", &pages::champions(site)))?;
    }
    let has_moves = pages::has_moves(site);
    if has_moves {
        write("moves.html", render(tera, "moves.html", &pages::moves(site)))?;
    }
    let rankings = pages::number_of_rankings(site);
    (0..rankings).into_par_iter().try_for_each(|place| {
        let (path, page) = pages::ranking(site, place);
        write(&path, render(tera, "ranking.html", &page))
    })?;
    let comparison = usize::from(site.archive.studies.comparison.is_some());
    let some = comparison
        + usize::from(published.is_some())
        + usize::from(pool.is_some())
        + usize::from(ages.is_some())
        + usize::from(has_moves)
        + usize::from(has_boards)
        + usize::from(site.has_champions)
        + faster.len()
        + parts.len()
        + strength_parts.len();
    Ok(SINGLE.len() + 1 + some + decades.len() + letters.len() + years + rankings + pairs)
}

/// Pages of which there is one, but for the one of what is not there.
const SINGLE: [&str; 19] = [
    "compare.html",
    "ratings.html",
    "index.html",
    "greatness.html",
    "tournaments.html",
    "matches.html",
    "events.html",
    "players.html",
    "years.html",
    "review.html",
    "method.html",
    "laboratory.html",
    "forecasts.html",
    "titles.html",
    "about.html",
    "downloads.html",
    "fragments.html",
    "missing.html",
    "checked.html",
];

/// Paths of all pages that a search engine should know.
fn paths(site: &Site, decades: &[Decade], letters: &[Letter]) -> Vec<String> {
    let archive = site.archive;
    let mut paths: Vec<String> = SINGLE.iter().map(|path| (*path).to_owned()).collect();
    paths.extend(decades.iter().map(Decade::path));
    paths.extend(letters.iter().map(Letter::path));
    paths.extend(site.archive.studies.comparison.iter().map(|_| "comparison.html".to_owned()));
    if pages::has_ages(site) {
        paths.push("ages.html".to_owned());
    }
    if pages::has_pool(site) {
        paths.push("pool.html".to_owned());
    }
    if pages::has_moves(site) {
        paths.push("moves.html".to_owned());
    }
    if site.has_champions {
        paths.push("champions.html".to_owned());
    }
    if !archive.findings.published.is_empty() {
        paths.push("published.html".to_owned());
    }
    paths.extend(pages::faster(site).into_iter().map(|(path, _)| path));
    paths.extend(pages::greatness_part_pages(site).into_iter().map(|(path, _)| path));
    paths.extend(pages::strength_part_pages(site).into_iter().map(|(path, _)| path));
    paths.extend(site.year_paths());
    paths.extend(site.pair_paths());
    paths.extend(pages::ranking_paths(site));
    let events = archive.records.iter().filter(|record| record.has_page);
    paths.extend(events.map(of_event));
    let players = archive.lists.player_rows.iter().map(|row| row.player);
    let players = players.filter(|player| archive.player_pages[player.index()]);
    paths.extend(players.map(|player| of_player(archive, player)));
    paths
}

#[cfg(test)]
mod tests {
    use super::super::folder::MANIFEST;
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
        let mark = mark::text(&crate::archive::Counts::default());
        fs::write(folder.path().join(mark::MARK), mark).unwrap();
        // Without the list of its files ours and theirs cannot be distinguished.
        assert!(matches!(check_target(folder.path()), Err(PublishError::Foreign(_))));
        fs::write(folder.path().join(MANIFEST), mark::MARK).unwrap();
        assert!(check_target(folder.path()).is_ok(), "an archive of ours");
    }

    #[cfg(unix)]
    #[test]
    fn a_target_that_cannot_be_exchanged_is_told_before_any_work() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).unwrap();
        assert!(matches!(check_target(&link), Err(PublishError::Unfit { .. })));
        if Path::new("/proc/self").exists() {
            assert!(matches!(check_target(Path::new("/proc")), Err(PublishError::Unfit { .. })));
        }
    }
}
