//! Writes the site: all pages, tables and files.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use tera::{Context, Tera};

use super::addresses::{ANY_EVENT, ANY_PLAYER, of_event, of_player};
use super::changes::ChangeLog;
use super::dossiers;
use super::errors::PublishError;
use super::feed;
use super::folder::{Folder, Published, UnfinishedArchives, may_be_replaced};
use super::long_table::LongTable;
use super::mark;
use super::page_cache::PageCache;
use super::pages::{self, Decade, GreatestPage, Letter, Site};
use super::search::search_files;
use super::sitemap::{LARGEST_MAP, open_search, robots, site_map};
use super::small_events;
use super::templates::{ASSETS, GAMES_SCRIPT, SQL_FILES, asset, render, templates};
use archive::{
    Archive, BuildCache, BuildInputs, EventDocument, EventRecord, PlayerRow, Progress,
    WrittenTable, write_exports,
};
use chess_history::players::slug;
use pgn_collections::pgn::PgnGame;

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
    let mut above = out.parent();
    while let Some(folder) = above {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if folder.is_dir() {
            // A file without a name leaves nothing behind.
            return tempfile::tempfile_in(folder)
                .map(|_| ())
                .map_err(|error| PublishError::Write { path: out.display().to_string(), error });
        }
        above = folder.parent();
    }
    Ok(())
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

/// Folders that every archive has.
const FOLDERS: [&str; 16] = [
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
    "greatest-players",
    "tournaments",
    "matches",
    "pairs",
    "compare",
];

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
    for part in FOLDERS {
        folder.make(part)?;
    }
    if !archive.boards.is_empty() {
        folder.make("games")?;
    }
    if small_events::number_of_files(archive) > 0 {
        folder.make(small_events::FOLDER)?;
    }
    let site = Site::new(archive);
    let (decades, letters) = (pages::decades(&site), pages::letters(&site));
    let cache = PageCache::new(cache);
    let writer = SiteWriter { site: &site, tera: templates()?, cache, folder, decades, letters };
    // Most of the work is in the pages of events and players. The others run in parallel with it.
    let (of_events, others) = rayon::join(
        || Ok::<usize, PublishError>(writer.events(progress)? + writer.players()?),
        || -> Result<usize, PublishError> {
            let tables = writer.data(changes)?;
            writer.other_pages(changes, &tables)
        },
    );
    let pages = of_events? + others?;
    writer.addressed_files()?;
    folder.save("feed.xml", &feed::feed(&archive.settings.site.url, changes))?;
    writer.cache.keep();
    Ok(pages)
}

/// A page that leads from a former address to the present one.
#[derive(Debug, Serialize)]
struct Moved<'a> {
    id: &'a str,
    name: &'a str,
}

/// Pages that every archive has once, except the page for missing addresses.
const SINGLE: [&str; 23] = [
    "compare.html",
    "ratings.html",
    "index.html",
    "greatness.html",
    "greatest-players.html",
    "tournaments.html",
    "matches.html",
    "events.html",
    "players.html",
    "years.html",
    "review.html",
    "method.html",
    "glossary.html",
    "laboratory.html",
    "forecasts.html",
    "titles.html",
    "about.html",
    "downloads.html",
    pages::CODEBOOK,
    "fragments.html",
    "missing.html",
    "checked.html",
    "search.html",
];

/// Renders the pages of a site and saves them in the folder of the new archive.
///
/// Methods that write pages return how many they wrote.
struct SiteWriter<'a> {
    site: &'a Site<'a>,
    tera: Tera,
    cache: PageCache<'a>,
    folder: &'a Folder,
    decades: Vec<Decade>,
    letters: Vec<Letter>,
}

impl SiteWriter<'_> {
    /// Renders a page and saves it.
    fn page(&self, path: &str, template: &str, view: &impl Serialize) -> Result<(), PublishError> {
        let key = self.cache.key(template, view);
        self.cache.save(self.folder, path, key, || render(&self.tera, template, view))
    }

    /// Saves the rows of a table that its page does not show.
    ///
    /// `prefix` leads from the page to the archive's folder.
    fn rest<T: Serialize>(
        &self,
        table: &LongTable<T>,
        template: &str,
        prefix: &str,
    ) -> Result<(), PublishError> {
        let mut files = table.files(prefix);
        files.try_for_each(|file| {
            let key = self.cache.key(template, &file.view);
            self.cache.save(self.folder, &file.path, key, || file.text(&self.tera, template))
        })
    }

    /// Writes the files that need the address of the site: the site map, `robots.txt` at the root
    /// of a host, and the description of the search.
    fn addressed_files(&self) -> Result<(), PublishError> {
        let url = &self.site.archive.settings.site.url;
        if url.is_empty() {
            return Ok(());
        }
        for (name, file) in site_map(url, &self.paths(), LARGEST_MAP) {
            self.folder.save(&name, &file)?;
        }
        if let Some(text) = robots(url) {
            self.folder.save("robots.txt", text.as_bytes())?;
        }
        self.folder.save("opensearch.xml", &open_search(url))
    }

    /// Writes the exports, the scripts and styles, and the search index.
    ///
    /// Returns the exported tables.
    fn data(&self, changes: &ChangeLog) -> Result<Vec<WrittenTable>, PublishError> {
        let (archive, folder) = (self.site.archive, self.folder);
        let tables = write_exports(archive, &folder.make("data")?)?;
        folder.settle("data")?;
        if !archive.studies.system_lists.is_empty() {
            folder.settle("data/systems")?;
        }
        let changes_text =
            serde_json::to_string(changes).expect("texts and numbers always serialize");
        folder.save("data/changes.json", changes_text.as_bytes())?;
        let inputs = serde_json::to_string(&BuildInputs::from_settings(&archive.settings))
            .expect("texts and lists of them always serialize");
        folder.save("data/inputs.json", inputs.as_bytes())?;
        for path in ASSETS {
            folder.save(path, &asset(path))?;
        }
        search_files(self.site)
            .par_iter()
            .try_for_each(|(name, text)| folder.save(&format!("search/{name}"), text.as_bytes()))?;
        Ok(tables)
    }

    /// Writes the page, the picture and the data files of each event.
    fn events(&self, progress: &dyn Progress) -> Result<usize, PublishError> {
        let archive = self.site.archive;
        archive.records.par_iter().enumerate().try_for_each(|(index, record)| {
            self.event(index, record)?;
            progress.advance(1);
            Ok::<(), PublishError>(())
        })?;
        small_events::write(archive, self.folder)?;
        Ok(archive.records.iter().filter(|record| record.has_page).count())
    }

    fn event(&self, index: usize, record: &EventRecord) -> Result<(), PublishError> {
        let (site, folder) = (self.site, self.folder);
        let id = &record.event.id;
        let document = EventDocument::new(record);
        folder.save(&format!("data/events/{id}.json"), document.to_json().as_bytes())?;
        folder.save(&format!("data/events/{id}.pgn"), &games_of(site.archive, record))?;
        if let Some(text) = pages::games_file(site, record) {
            folder.save(&format!("games/{id}.js"), text.as_bytes())?;
        }
        if !record.has_page {
            return Ok(());
        }
        let page = pages::event(site, index, document.orders.as_ref());
        let key = self.cache.key("event.html", &page);
        // The picture shows some of the page's view, which is converted at most once for both.
        let context = OnceCell::new();
        self.cache.save(folder, &format!("events/{id}.html"), key, || {
            self.render_once_converted("event.html", &page, &context)
        })?;
        if page.has_plot() {
            let path = format!("cards/{id}.svg");
            self.cache.save(folder, &path, key, || {
                self.render_once_converted("card.svg.html", &page, &context)
            })?;
        }
        Ok(())
    }

    /// Renders a view, which is converted unless `context` has it already.
    fn render_once_converted(
        &self,
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
        self.tera.render(template, context)
    }

    /// Writes the page of each player, and a page at each former address.
    fn players(&self) -> Result<usize, PublishError> {
        let archive = self.site.archive;
        let mut rows: Vec<&PlayerRow> = archive.lists.player_rows.iter().collect();
        rows.retain(|row| archive.player_pages[row.player.index()]);
        rows.par_iter().try_for_each(|row| {
            let page = pages::player(self.site, row);
            let id = &archive.players.get(row.player).id;
            self.page(&format!("players/{id}.html"), "player.html", &page)?;
            self.rest(&page.table, "player_event_rows.html", "../")?;
            self.rest(&page.more_against, "opponent_rows.html", "../")
        })?;
        let ids: BTreeSet<&str> =
            archive.players.iter().map(|(_, player)| player.id.as_str()).collect();
        let mut moved: BTreeSet<String> = BTreeSet::new();
        for row in &rows {
            let player = archive.players.get(row.player);
            let former = slug(&player.fullest_spelling);
            if !ids.contains(former.as_str()) && moved.insert(former.clone()) {
                let page = Moved { id: &player.id, name: &player.name };
                self.page(&format!("players/{former}.html"), "moved.html", &page)?;
            }
        }
        Ok(rows.len())
    }

    /// Writes all pages other than those of single events and players.
    fn other_pages(
        &self,
        changes: &ChangeLog,
        tables: &[WrittenTable],
    ) -> Result<usize, PublishError> {
        self.single_pages(changes)?;
        let downloads = pages::downloads(self.site, tables);
        self.page("downloads.html", "downloads.html", &downloads)?;
        let page = pages::codebook(self.site, tables);
        self.page(pages::CODEBOOK, "codebook.html", &page)?;
        let queries = self.queries(tables)?;
        dossiers::write(self.site.archive, self.folder)?;
        // The page for missing addresses is one more.
        let single = SINGLE.len() + 1;
        Ok(single + queries + self.list_parts()? + self.groups()? + self.optional_pages()?)
    }

    /// Writes the page that answers queries, if the settings ask for it.
    fn queries(&self, tables: &[WrittenTable]) -> Result<usize, PublishError> {
        if !self.site.archive.settings.site.sql {
            return Ok(0);
        }
        for file in SQL_FILES {
            self.folder.save(file, &asset(file))?;
        }
        let page = pages::sql(self.site, tables);
        self.optional_page("sql.html", "sql.html", Some(page))
    }

    /// Writes the pages that every archive has once.
    fn single_pages(&self, changes: &ChangeLog) -> Result<(), PublishError> {
        let site = self.site;
        self.page("index.html", "front.html", &pages::front(site, changes.editions.first()))?;
        let greatness = pages::greatness(site);
        self.page("greatness.html", "greatness.html", &greatness)?;
        self.rest(&greatness.table, "performance_rows.html", "")?;
        self.greatest_players("greatest-players.html", &pages::greatest(site))?;
        let strengths = [
            ("tournaments.html", pages::tournaments(site)),
            ("matches.html", pages::matches(site)),
        ];
        for (path, page) in strengths {
            self.page(path, "strength.html", &page)?;
            self.rest(&page.table, "strength_rows.html", "")?;
        }
        self.page("events.html", "events.html", &pages::events(site, &self.decades))?;
        self.page("players.html", "players.html", &pages::players(site, &self.letters))?;
        self.page("years.html", "years.html", &pages::years(site))?;
        self.page("review.html", "review.html", &pages::review(site))?;
        self.page("method.html", "method.html", &pages::method(site))?;
        self.page("glossary.html", "glossary.html", &pages::glossary(site))?;
        self.page("forecasts.html", "forecasts.html", &pages::forecasts(site))?;
        let titles = pages::titles(site);
        self.page("titles.html", "titles.html", &titles)?;
        self.rest(&titles.untitled, "untitled_rows.html", "")?;
        for award in &titles.awards {
            self.rest(&award.table, "award_rows.html", "")?;
        }
        self.page("laboratory.html", "laboratory.html", &pages::laboratory(site))?;
        self.page("about.html", "about.html", &pages::about(site))?;
        self.page("fragments.html", "fragments.html", &pages::fragments(site))?;
        self.page("checked.html", "checked.html", &pages::checked(site))?;
        self.page("missing.html", "missing.html", &pages::missing(site))?;
        self.page("404.html", "404.html", &pages::not_found(site))?;
        self.page("search.html", "search.html", &pages::search(site))?;
        self.page("compare.html", "compare.html", &pages::compare(site))?;
        self.page("ratings.html", "ratings.html", &pages::ratings(site))
    }

    /// Writes a page of the greatest players, with the rows that it does not show.
    fn greatest_players(&self, path: &str, page: &GreatestPage) -> Result<(), PublishError> {
        self.page(path, "greatest.html", page)?;
        let prefix = page.prefix();
        self.rest(&page.by_g, "career_rows.html", prefix)?;
        self.rest(&page.by_field, "career_rows.html", prefix)
    }

    /// Writes the later parts of the ranked lists, and the lists of faster games.
    fn list_parts(&self) -> Result<usize, PublishError> {
        let parts = pages::greatness_part_pages(self.site);
        for (path, page) in &parts {
            self.page(path, "greatness_part.html", page)?;
        }
        let strength_parts = pages::strength_part_pages(self.site);
        for (path, page) in &strength_parts {
            self.page(path, "strength_part.html", page)?;
        }
        let faster = pages::faster(self.site);
        for (path, page) in &faster {
            self.page(path, "faster.html", page)?;
        }
        let eras = pages::greatest_of_eras(self.site);
        for (path, page) in &eras {
            self.greatest_players(path, page)?;
        }
        Ok(parts.len() + strength_parts.len() + faster.len() + eras.len())
    }

    /// Writes a page for each decade, letter, year, pair of players and ranking.
    fn groups(&self) -> Result<usize, PublishError> {
        let (site, decades, letters) = (self.site, &self.decades, &self.letters);
        (0..decades.len()).into_par_iter().try_for_each(|place| {
            let page = pages::decade(site, decades, place);
            self.page(&decades[place].path(), "decade.html", &page)?;
            self.rest(&page.table, "event_rows.html", "../")
        })?;
        (0..letters.len()).into_par_iter().try_for_each(|place| {
            let page = pages::letter(site, letters, place);
            self.page(&letters[place].path(), "letter.html", &page)?;
            self.rest(&page.table, "player_rows.html", "../")
        })?;
        let years = site.number_of_years();
        (0..years).into_par_iter().try_for_each(|place| {
            let page = pages::year(site, place);
            self.page(&page.path(), "year.html", &page)?;
            self.rest(&page.table, "event_rows.html", "../")
        })?;
        let pairs = site.number_of_pairs();
        (0..pairs).into_par_iter().try_for_each(|place| {
            let (path, page) = pages::pair(site, place);
            self.page(&path, "pair.html", &page)?;
            self.rest(&page.table, "game_rows.html", "../")
        })?;
        let rankings = pages::number_of_rankings(site);
        (0..rankings).into_par_iter().try_for_each(|place| {
            let (path, page) = pages::ranking(site, place);
            self.page(&path, "ranking.html", &page)
        })?;
        Ok(decades.len() + letters.len() + years + pairs + rankings)
    }

    /// Writes the pages that only some archives have.
    fn optional_pages(&self) -> Result<usize, PublishError> {
        let site = self.site;
        // The pages that stand for any small event or player are not counted.
        self.optional_page(ANY_EVENT, "any.html", pages::any_event(site))?;
        self.optional_page(ANY_PLAYER, "any.html", pages::any_player(site))?;
        let has_boards = !site.archive.boards.is_empty();
        if has_boards {
            self.folder.save(GAMES_SCRIPT, &asset(GAMES_SCRIPT))?;
        }
        let board = has_boards.then(|| pages::board(site));
        let champions = site.has_champions.then(|| pages::champions(site));
        let moves = pages::has_moves(site).then(|| pages::moves(site));
        Ok(self.optional_page("games.html", "games.html", board)?
            + self.optional_page("published.html", "published.html", pages::published(site))?
            + self.optional_page("comparison.html", "comparison.html", pages::comparison(site))?
            + self.optional_page("ages.html", "ages.html", pages::ages(site))?
            + self.optional_page("pool.html", "pool.html", pages::pool(site))?
            + self.optional_page(
                "chessmetrics.html",
                "chessmetrics.html",
                pages::chessmetrics(site),
            )?
            + self.optional_page("foresight.html", "foresight.html", pages::foresight(site))?
            + self.optional_page("champions.html", "champions.html", champions)?
            + self.optional_page("moves.html", "moves.html", moves)?)
    }

    /// Writes a page if there is a view for it.
    fn optional_page(
        &self,
        path: &str,
        template: &str,
        view: Option<impl Serialize>,
    ) -> Result<usize, PublishError> {
        match view {
            Some(view) => self.page(path, template, &view).map(|()| 1),
            None => Ok(0),
        }
    }

    /// Paths of all pages that a search engine should know.
    fn paths(&self) -> Vec<String> {
        let site = self.site;
        let archive = site.archive;
        let mut paths: Vec<String> = SINGLE.iter().map(|path| (*path).to_owned()).collect();
        paths.extend(self.decades.iter().map(Decade::path));
        paths.extend(self.letters.iter().map(Letter::path));
        let optional = pages::optional_pages(site).into_iter();
        paths.extend(optional.filter(|(_, is_present)| *is_present).map(|(path, _)| path.into()));
        paths.extend(pages::faster(site).into_iter().map(|(path, _)| path));
        paths.extend(pages::greatness_part_pages(site).into_iter().map(|(path, _)| path));
        paths.extend(pages::paths_of_eras(site));
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
        // Writing to memory never fails.
        let start = start.as_deref();
        let game = PgnGame { table: &archive.table, game, names, start, moves: &moves };
        let _ = game.write(&mut games);
    }
    games
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
