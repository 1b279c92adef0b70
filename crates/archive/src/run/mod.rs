//! Runs a build, from the inputs to all results, as a sequence of named and timed steps.

pub mod page_selection;
pub mod ranked;
pub mod studied;

use jiff::civil::Date;

use crate::analysed::analyses::{AnalysisContext, LaterResults, analyse_events, finish, statuses};
use crate::analysed::brackets::{bracket_results, brackets};
use crate::analysed::finish::in_order_of_finish;
use crate::decided::decide;
use crate::decisions::{DecisionFile, Decisions, read_decisions};
use crate::errors::BuildError;
use crate::inputs::counts::GameCounts;
use crate::inputs::grouped::Grouped;
use crate::inputs::selected::Selected;
use crate::lists::missing::{self, MissingRow};
use crate::progress::{Progress, WorkAmount, counted, timed};
use crate::rated_players::computed::{ComputedRatings, RatingInputs, systems_of};
use crate::rated_players::sources::{in_order, read_published_lists, read_world};
use crate::record::event_forecast::EventForecast;
use crate::record::event_norms::EventNorms;
use crate::record::status::Status;
use crate::record::{AnalysedEvent, EventRecord};
use crate::review::ReviewRow;
use crate::review::checked::HistoryCheck;
use crate::run::page_selection::{PageReasons, own_pages};
use crate::run::ranked::{Lists, rank};
use crate::run::studied::Studies;
use crate::settings::system_settings::SystemSettings;
use crate::settings::{Input, RatingSettings, Settings, SiteSettings};
use crate::studies::boards::Boards;
use crate::studies::moves::MovesOfArchive;
use crate::studies::norms;
use crate::studies::predictions::{self, Forecasts};
use crate::studies::published::{self, PublishedRow};
use crate::studies::published_strengths::{self, PublishedStrength};
use crate::studies::tie_breaks::figures_with_tie_breaks;
use crate::work::build_cache::{BuildCache, CacheKind};
use crate::work::tasks::{DoneWork, Helpers};
use crate::work::work_folder::WorkFolder;
use chess_history::events::{Event, EventThresholds, FasterGame, games_in};
use chess_history::players::Players;
use chess_history::ratings::RatingList;
use pgn_collections::games::GameTable;
use pgn_collections::source::{Diagnostic, Severity, is_read_once};

/// All results of a build, complete before the first page is written.
#[derive(Debug)]
pub struct Archive {
    pub settings: Settings,
    pub table: GameTable,
    pub players: Players,
    /// The records of all events, sorted by start and name.
    pub records: Vec<EventRecord>,
    /// The numbers of games used and set aside.
    pub counts: GameCounts,
    pub lists: Lists,
    /// The files of decisions, the bundled ones first.
    pub decision_files: Vec<DecisionFile>,
    /// Everything wrong, doubtful or missing.
    pub findings: Findings,
    /// Studies of ratings, rating systems and players.
    pub studies: Studies,
    /// The quality of the moves, where engines analysed them.
    pub moves: MovesOfArchive,
    /// The moves of the games, if the settings request boards.
    pub boards: Boards,
    /// Whether each player, by number, has a page.
    pub player_pages: Vec<bool>,
}

/// Everything wrong, doubtful or missing in the inputs and the results.
#[derive(Debug)]
pub struct Findings {
    pub diagnostics: Vec<Diagnostic>,
    /// Events that a person should review, the most important first.
    pub review: Vec<ReviewRow>,
    /// Missing games of events that would rank high if they were complete, strongest event first.
    pub missing: Vec<MissingRow>,
    /// The comparison of events with historical sources.
    pub checked: HistoryCheck,
    /// Published G-scores, each with ours.
    pub published: Vec<PublishedRow>,
    /// Published strengths and constant intervals, each with ours.
    pub published_strengths: Vec<PublishedStrength>,
}

impl Archive {
    /// Whether the published figures are those of the PRA paper, which the bundled data quotes.
    pub fn quotes_paper(&self) -> bool {
        let input = &self.settings.input;
        input.published.iter().all(|file| input.is_bundled(file))
    }

    /// Whether the archive compares its figures with published ones. Those of the PRA paper matter
    /// only to an archive that has one of its events; a user's own are always compared.
    pub fn compares_published(&self) -> bool {
        let Findings { published, published_strengths, .. } = &self.findings;
        if published.is_empty() && published_strengths.is_empty() {
            return false;
        }
        let is_found = published.iter().any(|row| row.ours.is_some())
            || published_strengths.iter().any(|row| row.ours.is_some());
        is_found || !self.quotes_paper()
    }

    /// Whether an input could not be read.
    pub fn has_unread_input(&self) -> bool {
        self.findings.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The last day of a game of an event; of a year or month without a day, its last day. `None`
    /// if no event has a year.
    pub fn last_day(&self) -> Option<Date> {
        self.records.iter().filter_map(|record| record.event.end.latest()).max()
    }
}

/// Builds an archive: reads the inputs and computes all results.
///
/// An input that cannot be read is reported as a diagnostic, not as an error. If the settings name
/// a work folder, its finished parts are reused.
///
/// # Errors
///
/// Fails if there are no games, if a decision is invalid or cannot be applied, if the work folder
/// cannot be read, if an input that is needed twice can be read only once, or if an event cannot be
/// analysed.
pub fn build(settings: Settings, progress: &dyn Progress) -> Result<Archive, BuildError> {
    build_reusing(settings, None, progress)
}

/// Builds an archive like [`build`], and reuses the work of the last build where it has the same
/// inputs.
///
/// # Errors
///
/// Fails like [`build`].
pub fn build_reusing(
    settings: Settings,
    cache: Option<&BuildCache>,
    progress: &dyn Progress,
) -> Result<Archive, BuildError> {
    let folder = settings.input.from.as_deref().map(WorkFolder::at);
    let helpers = folder.as_ref().map(|folder| folder as &dyn Helpers);
    build_with(settings, DoneWork { helpers, cache }, progress)
}

/// Builds an archive like [`build`], with work that was or is done elsewhere.
///
/// # Errors
///
/// Fails like [`build`], and if a helper fails.
pub fn build_with(
    settings: Settings,
    work: DoneWork<'_>,
    progress: &dyn Progress,
) -> Result<Archive, BuildError> {
    // Each step takes the tables that it needs.
    let Settings { input, ratings, systems, anchor, analysis, site, .. } = &settings;
    let (thresholds, listing) = (settings.events, &settings.lists);
    // Report invalid decisions now, not after hours of reading games.
    let mut decisions = read_decisions(input)?;
    if site.games
        && let Some(path) = input.pgn.iter().find(|path| is_read_once(path))
    {
        return Err(BuildError::ReadOnce { path: path.display().to_string() });
    }
    let mut diagnostics = Vec::new();
    let games = Selected::read(input, progress, &mut diagnostics)?;
    let DecidedEvents { games, events: found, faster, counts } =
        decided_events(games, thresholds, &mut decisions, progress, &mut diagnostics)?;
    let published = published_lists(input, ratings, &games, progress, &mut diagnostics);
    let gap_days = thresholds.gap_days;
    let inputs = RatingInputs {
        input,
        gap_days,
        ratings,
        systems,
        anchor,
        games: &games,
        lists: &published,
    };
    let computed = computed_ratings(inputs, work, progress, &mut diagnostics)?;
    let sources = in_order(published, computed.as_ref(), ratings);
    let world = read_world(input, ratings, &games, &found, computed.as_ref(), &mut diagnostics);

    let context = AnalysisContext {
        games: &games,
        sources: &sources,
        world: &world,
        ratings,
        analysis,
        lists: listing,
        decisions: &decisions,
    };
    let analysed = analysed_events(context, found, work, progress)?;
    let brackets = brackets(&analysed, &games.table);
    let bracket_results = bracket_results(&analysed, &brackets, listing.minimum_coverage);
    let analysed = in_order_of_finish(analysed, &brackets, &bracket_results);
    let (event_forecasts, forecasts, norms) =
        forecast(&analysed, systems, &games, computed.as_ref(), progress);
    let later = LaterResults {
        statuses: statuses(&analysed, listing),
        bracket_results,
        all_games: figures_with_tie_breaks(&analysed, &faster, &games),
        forecasts: event_forecasts,
        norms,
    };
    let records = finish(analysed, later);
    let (ranked, review) = rank(&records, context, computed.as_ref(), progress);
    let studies = Studies::new(&records, &ranked, context, computed, forecasts);
    let missing = missing::missing(&records, &ranked.greatness, &ranked.strength, listing);
    let checked = HistoryCheck::new(&records, &games.words.results);
    let published =
        published::compare(&input.published, &records, &games.players, &mut diagnostics);
    let published_strengths =
        published_strengths::compare(&input.published, &records, &mut diagnostics);
    let moves = rate_moves(input, &records, &games, progress, &mut diagnostics);
    let boards = read_boards(site, input, &records, &games.table, progress);
    let mentioned = PageReasons {
        fragments: &ranked.fragments,
        titles: &studies.titles,
        rankings: &ranked.rankings,
    };
    let pages = site.pages;
    let (event_pages, player_pages) =
        own_pages(pages, &records, &ranked.player_rows, &games.players, &mentioned);
    let records = records.into_iter().zip(event_pages);
    let records = records.map(|(record, has_page)| record.with_page(has_page)).collect();
    Ok(Archive {
        settings,
        table: games.table,
        players: games.players,
        records,
        counts,
        lists: ranked,
        decision_files: decisions.files().to_vec(),
        findings: Findings {
            diagnostics,
            review,
            missing,
            checked,
            published,
            published_strengths,
        },
        studies,
        moves,
        boards,
        player_pages,
    })
}

/// The events after the decisions, with what they were made from.
struct DecidedEvents {
    games: Selected,
    events: Vec<Event>,
    /// Tie-breaks that are set aside.
    faster: Vec<FasterGame>,
    counts: GameCounts,
}

/// Groups the games into events, and applies the decisions to these.
fn decided_events(
    games: Selected,
    thresholds: EventThresholds,
    decisions: &mut Decisions,
    progress: &dyn Progress,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<DecidedEvents, BuildError> {
    let grouped = timed(progress, "group games into events", WorkAmount::Unknown, || {
        let grouped = games.group(thresholds, diagnostics);
        let summary = format!(
            "{}; {} in none",
            counted(grouped.events.len(), "event"),
            counted(grouped.outside, "game")
        );
        (grouped, summary)
    });
    let Grouped { mut games, events: found, faster, mut counts, .. } = grouped;
    let events = timed(progress, "apply decisions", WorkAmount::Unknown, || {
        let material = games.material(thresholds);
        let events = decide::amend(found, decisions, material, diagnostics);
        let summary = match &events {
            Ok(_) => {
                let files = decisions.files().iter();
                let files = files.map(|file| format!("; {}: {}", file.file, file.words()));
                let decisive = decisions.iter().filter(|(_, decision)| !decision.is_empty());
                let decided = counted(decisive.count(), "event");
                format!("{decided} decided{}", files.collect::<String>())
            }
            Err(_) => "failed".into(),
        };
        (events, summary)
    })?;
    games.follow_events(&events);
    counts.used = games_in(&events);
    Ok(DecidedEvents { games, events, faster, counts })
}

/// Runs the Tournament App on every event.
fn analysed_events(
    context: AnalysisContext<'_>,
    events: Vec<Event>,
    work: DoneWork<'_>,
    progress: &dyn Progress,
) -> Result<Vec<AnalysedEvent>, BuildError> {
    let total = events.len() as u64;
    timed(progress, "run the Tournament App", WorkAmount::Steps(total), || {
        let records = analyse_events(context, events, work, progress);
        let summary = match &records {
            Ok(records) => {
                let listed = records.iter().filter(|record| record.status == Status::Listed);
                format!(
                    "{}, {} of them for the lists{}",
                    counted(records.len(), "event"),
                    listed.count(),
                    work.words(CacheKind::Analysis)
                )
            }
            Err(_) => "failed".into(),
        };
        (records, summary)
    })
}

/// Computes our own ratings, if the settings ask for them.
fn computed_ratings(
    inputs: RatingInputs<'_>,
    work: DoneWork<'_>,
    progress: &dyn Progress,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<ComputedRatings>, BuildError> {
    let systems = WorkAmount::Steps(systems_of(inputs.ratings, inputs.systems).len() as u64);
    timed(progress, "compute ratings", systems, || {
        let computed = ComputedRatings::compute(inputs, work, progress, diagnostics);
        let summary = match &computed {
            Ok(Some(computed)) => {
                format!(
                    "from {} of {}{}",
                    counted(computed.games, "game"),
                    counted(computed.players, "player"),
                    work.words(CacheKind::Ratings)
                )
            }
            Ok(None) => "not requested by the settings".into(),
            Err(_) => "failed".into(),
        };
        (computed, summary)
    })
}

/// Reads the rating lists that others published.
fn published_lists(
    input: &Input,
    settings: &RatingSettings,
    games: &Selected,
    progress: &dyn Progress,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<RatingList> {
    timed(progress, "read rating lists", WorkAmount::Unknown, || {
        let lists = read_published_lists(input, settings, games, diagnostics);
        let lines: usize = lists.iter().map(RatingList::len).sum();
        (lists, format!("{} on lists", counted(lines, "rating")))
    })
}

/// Forecasts events and matches from earlier ratings, and finds the title norms made in events.
fn forecast(
    records: &[AnalysedEvent],
    systems: &SystemSettings,
    games: &Selected,
    computed: Option<&ComputedRatings>,
    progress: &dyn Progress,
) -> (Vec<EventForecast>, Forecasts, Vec<Option<EventNorms>>) {
    let on_the_day = computed.map(|computed| &computed.on_the_day);
    timed(progress, "forecast from ratings", WorkAmount::Unknown, || {
        let (events, forecasts) =
            predictions::forecast(records, systems, &games.players, on_the_day);
        let norms = norms::norms(records, &games.players, on_the_day);
        let players: usize = events.iter().map(|event| event.known().count()).sum();
        let made: usize = norms.iter().flatten().map(|one| one.made.len()).sum();
        let summary = format!(
            "{}, {}, {}",
            counted(players, "performance"),
            counted(forecasts.matches.len(), "match"),
            counted(made, "norm")
        );
        ((events, forecasts, norms), summary)
    })
}

/// Rates the moves of the games, if the inputs include engine analysis.
fn rate_moves(
    input: &Input,
    records: &[EventRecord],
    games: &Selected,
    progress: &dyn Progress,
    diagnostics: &mut Vec<Diagnostic>,
) -> MovesOfArchive {
    if input.intrinsic.is_empty() {
        return MovesOfArchive::default();
    }
    timed(progress, "rate the moves", WorkAmount::Unknown, || {
        let moves =
            MovesOfArchive::analyse(input, records, &games.table, &games.players, diagnostics);
        let summary = format!(
            "{}; {} in no event",
            counted(moves.events.iter().flatten().count(), "event"),
            counted(moves.elsewhere, "analysed game")
        );
        (moves, summary)
    })
}

/// Reads the moves of the games, if the settings request boards.
fn read_boards(
    site: &SiteSettings,
    input: &Input,
    records: &[EventRecord],
    table: &GameTable,
    progress: &dyn Progress,
) -> Boards {
    if !site.games {
        return Boards::default();
    }
    timed(progress, "read the moves", WorkAmount::Unknown, || {
        let boards = Boards::read(input, records, table);
        let summary = format!("{} for the board", counted(boards.len(), "game"));
        (boards, summary)
    })
}

impl Archive {
    /// The record of the event with this identifier; `None` if there is none.
    pub fn event(&self, id: &str) -> Option<&EventRecord> {
        self.records.iter().find(|record| record.event.id == id)
    }
}
