//! The run: a flat list of named, timed steps.

use jiff::civil::Date;

use super::analyses::{
    Knowledge, analyse_events, forget_unranked, matches_follow_their_knock_outs,
};
use super::boards::Boards;
use super::checked::Checked;
use super::computed::{BestAverage, ComputedRatings, SystemLists};
use super::consistency::{ConsistencyRow, consistency};
use super::counts::Counts;
use super::decide;
use super::effect::PublishedLists;
use super::elo_variants::Ways;
use super::errors::BuildError;
use super::grouped::Grouped;
use super::lists::{self, FasterLists, GreatnessRow, PlayerRow, StrengthRow};
use super::missing::{self, MissingRow};
use super::moves::MovesOfArchive;
use super::norms::{self, Titled};
use super::page_selection::{Mentioned, own_pages};
use super::pools::{Ages, ExchangeRow, Hangs, Pool, exchanges};
use super::predictions::{self, ForetoldMatch, SourceCurves};
use super::progress::{Amount, Progress, timed};
use super::published::{self, PublishedRow};
use super::published_pool::{Known, published_pool};
use super::rankings::{self, Ranking};
use super::record::EventRecord;
use super::review::{self, ReviewRow};
use super::selected::Selected;
use super::settings::Settings;
use super::sources::{read_ratings, read_world, shown};
use super::status::Status;
use super::tasks::Helpers;
use super::work_folder::WorkFolder;
use crate::events::games_in;
use crate::forecasts::Decades;
use crate::games::GameTable;
use crate::players::{PlayerId, Players};
use crate::ratings::{FIDE_SYSTEM, RatingHistory, Source};
use crate::source::{Diagnostic, Severity, is_read_once};
use crate::systems::comparison::Comparison;
use crate::systems::draw_model::DrawRates;
use crate::systems::improvement::Century;
use crate::tournament::Kind;

/// Everything that a run works out, complete before the first page is written.
#[derive(Debug)]
pub struct Archive {
    /// How it was made.
    pub settings: Settings,
    /// All games read.
    pub table: GameTable,
    /// All persons.
    pub players: Players,
    /// All events, in the order of start and name.
    pub records: Vec<EventRecord>,
    /// The Greatness List.
    pub greatness: Vec<GreatnessRow>,
    /// The strongest events, tournaments and matches as one.
    pub strength: Vec<StrengthRow>,
    /// The strongest tournaments, numbered by themselves: a match of the two best is stronger than any of them.
    pub tournaments: Vec<StrengthRow>,
    /// The strongest matches, numbered by themselves.
    pub matches_by_strength: Vec<StrengthRow>,
    /// The lists of rapid and of blitz events, as far as these are not ranked with the others.
    pub faster: Vec<FasterLists>,
    /// Events too much of which is missing: the strongest first.
    pub fragments: Vec<usize>,
    /// What the collection lacks of events that would rank high if they were whole.
    pub missing: Vec<MissingRow>,
    /// The events held against what history knows of them.
    pub checked: Checked,
    /// Published G-scores beside ours.
    pub published: Vec<PublishedRow>,
    /// The players of events.
    pub player_rows: Vec<PlayerRow>,
    /// Who led the world, by system and year.
    pub rankings: Vec<Ranking>,
    /// How our own rating systems compare, where they were computed.
    pub comparison: Option<Comparison>,
    /// The highest averages over several years by the systems that give such, the best first.
    pub best_averages: Vec<BestAverage>,
    /// Where every game went.
    pub counts: Counts,
    /// Events that a person should look at, the most important first.
    pub review: Vec<ReviewRow>,
    /// What games of each decade were like: draws, White's advantage.
    pub decades: Decades,
    /// What was foretold of matches of eleven games and more.
    pub matches: Vec<ForetoldMatch>,
    /// How readily games were drawn by what Elo's system expected of them; `None` where nothing was computed.
    pub draw_rates: Option<DrawRates>,
    /// The lists of 1 January of each system that we compute, as Parquet.
    pub system_lists: Vec<SystemLists>,
    /// How lists agree with games.
    pub consistency: Vec<ConsistencyRow>,
    /// Other ways to run Elo's system, and systems of the past, beside Elo as it stands.
    pub ways: Ways,
    /// The pools of our own systems over the years, and that of FIDE's lists.
    pub pools: Vec<Pool>,
    /// What the levels of historical Elo hang on.
    pub hangs: Vec<Hangs>,
    /// How good the best of each time were, by historical Elo.
    pub improvement: Century,
    /// How players change with age, from the lists themselves.
    pub ages: Ages,
    /// What points of one system are worth in another.
    pub exchanges: Vec<ExchangeRow>,
    /// What differences in ratings are worth, by source.
    pub curves: Vec<SourceCurves>,
    /// Titles as they were given, and as the rules of 1977 would have given them.
    pub titles: Vec<Titled>,
    /// How good the moves were, where engines analysed them.
    pub moves: MovesOfArchive,
    /// The moves of the games, where the settings want a board.
    pub boards: Boards,
    /// Whether each player, by his number, has a page of his own.
    pub player_pages: Vec<bool>,
    /// What was wrong or doubtful.
    pub diagnostics: Vec<Diagnostic>,
}

impl Archive {
    /// Whether an input could not be read.
    pub fn has_unread_input(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Runs everything from inputs to lists.
///
/// # Errors
///
/// Where there are no games at all. Inputs that cannot be read are diagnostics.
pub fn build(settings: Settings, progress: &dyn Progress) -> Result<Archive, BuildError> {
    match settings.input.from.as_deref().map(WorkFolder::at) {
        Some(done) => build_with(settings, Some(&done), progress),
        None => build_with(settings, None, progress),
    }
}

/// The same with helpers, who do what can be done apart from the rest.
///
/// # Errors
///
/// Where there are no games at all, or the helpers fail.
pub fn build_with(
    settings: Settings,
    helpers: Option<&dyn Helpers>,
    progress: &dyn Progress,
) -> Result<Archive, BuildError> {
    // What is wrong with decisions is told before hours of reading, not behind them.
    let mut decisions = decide::read_decisions(&settings)?;
    if settings.site.games
        && let Some(path) = settings.input.pgn.iter().find(|path| is_read_once(path))
    {
        return Err(BuildError::ReadOnce { path: path.display().to_string() });
    }
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings, progress, &mut diagnostics)?;

    let grouped = timed(progress, "group games into events", Amount::Unknown, || {
        let grouped = games.group(settings.events, &mut diagnostics);
        let summary = format!("{} events; {} games in none", grouped.events.len(), grouped.outside);
        (grouped, summary)
    });
    let Grouped { games, events: found, mut counts, .. } = grouped;
    let events = timed(progress, "apply decisions", Amount::Unknown, || {
        let material = games.material(settings.events);
        let events = decide::amend(found, &mut decisions, material, &mut diagnostics);
        let summary = match &events {
            Ok(_) => format!("{} events decided", decisions.len()),
            Err(_) => "failed".into(),
        };
        (events, summary)
    })?;
    counts.used = games_in(&events);

    let computed = timed(progress, "compute ratings", Amount::Unknown, || {
        let computed = ComputedRatings::of(&settings, &games, helpers, &mut diagnostics);
        let summary = match &computed {
            Ok(Some(computed)) => {
                format!("from {} games of {} players", computed.comparison.games, computed.players)
            }
            Ok(None) => "none are asked for".into(),
            Err(_) => "failed".into(),
        };
        (computed, summary)
    })?;
    let sources = timed(progress, "read rating lists", Amount::Unknown, || {
        let sources = read_ratings(&settings, &games, computed.as_ref(), &mut diagnostics);
        let lines: usize = sources
            .iter()
            .map(|source| match source {
                Source::List(list) => list.len(),
                Source::Tags(_) => 0,
            })
            .sum();
        (sources, format!("{lines} ratings on lists"))
    });

    let total = events.len() as u64;
    let world = read_world(&settings, &games, &events, computed.as_ref(), &mut diagnostics);
    let records = timed(progress, "run the Tournament App", Amount::Steps(total), || {
        let knowledge = Knowledge { games: &games, sources: &sources, world: &world };
        let records = analyse_events(knowledge, events, &settings, &decisions, helpers, progress);
        let summary = match &records {
            Ok(records) => {
                let listed = records.iter().filter(|record| record.status == Status::Listed);
                format!("{} events, {} of them for the lists", records.len(), listed.count())
            }
            Err(_) => "failed".into(),
        };
        (records, summary)
    })?;

    let mut records = records;
    matches_follow_their_knock_outs(&mut records, &settings);
    forget_unranked(&mut records);
    let on_the_day = computed.as_ref().map(|computed| &computed.on_the_day);
    let forecasts = timed(progress, "compare with what was foretold", Amount::Unknown, || {
        let forecasts = predictions::forecast(&mut records, &settings, &games.players, on_the_day);
        norms::norms(&mut records, &games.players, on_the_day);
        let players: usize = records.iter().map(|record| record.forecast.known().count()).sum();
        let made: usize =
            records.iter().flat_map(|record| &record.norms).map(|one| one.made.len()).sum();
        let summary =
            format!("{players} performances, {} matches, {made} norms", forecasts.matches.len());
        (forecasts, summary)
    });
    let (greatness, strength, faster, player_rows, rankings, review) =
        timed(progress, "rank", Amount::Unknown, || {
            let greatness = lists::greatness(&records, Status::Listed, None);
            let strength = lists::strength(&records, Status::Listed, |_| true);
            let shown = shown(&sources, computed.as_ref());
            let players =
                lists::players(&records, &games.table, &games.players, &shown, &settings.lists);
            let rankings = rankings::rankings(
                &shown,
                &world.activity,
                computed.as_ref().map_or(&[], |computed| &computed.odds),
            );
            let faster = lists::faster(&records, &settings.lists);
            let published = PublishedLists::of(&records, &greatness, &strength, &faster);
            let review = review::queue(&records, &games.players, &settings.lists, &published);
            let summary = format!(
                "{} performances, {} strengths, {} players; {} events to review",
                greatness.len(),
                strength.len(),
                players.len(),
                review.len()
            );
            ((greatness, strength, faster, players, rankings, review), summary)
        });
    let mut player_rows = player_rows;
    if let Some(on_the_day) = on_the_day {
        for row in &mut player_rows {
            let player = games.players.get(row.player);
            row.career = on_the_day.career(player);
            row.career_years = on_the_day.career_years(player);
        }
    }
    let titles = {
        let mut by_player: Vec<Option<&RatingHistory>> = vec![None; games.players.len()];
        for row in &player_rows {
            let fide = row.histories.iter().find(|history| history.system == FIDE_SYSTEM);
            by_player[row.player.index()] = fide;
        }
        let rating = |player: PlayerId, day: Date| {
            let history = by_player.get(player.index()).copied().flatten()?;
            history.in_force(day)
        };
        norms::titles(&records, &games.players, on_the_day, &rating)
    };
    let mut pools = computed.as_ref().map(|computed| computed.pools.clone()).unwrap_or_default();
    let mut ages = computed.as_ref().map(|computed| computed.ages.clone()).unwrap_or_default();
    let known: Vec<Known> = player_rows
        .iter()
        .filter_map(|row| {
            let player = games.players.get(row.player);
            let history = row.histories.iter().find(|history| history.system == FIDE_SYSTEM)?;
            Some(Known {
                player: row.player.index() as u32,
                rated: on_the_day.and_then(|on_the_day| on_the_day.number(player)),
                born: player.life.as_ref().and_then(|life| life.born),
                history,
            })
        })
        .collect();
    let fide = sources.iter().find_map(|source| match source {
        Source::List(list) if list.system == FIDE_SYSTEM => published_pool(list, &known),
        _ => None,
    });
    let ours = computed.iter().flat_map(|computed| &computed.half_decades);
    let exchanges = exchanges(ours.chain(fide.as_ref().map(|fide| &fide.half_decades)));
    if let Some(fide) = fide {
        pools.push(fide.pool);
        ages.first_at_fide = fide.first_at;
    }
    let consistency =
        consistency(&rankings, &player_rows, &games.table, &games.rows, &games.players);
    let mut computed = computed;
    let system_lists = computed
        .as_mut()
        .map(|computed| std::mem::take(&mut computed.system_lists))
        .unwrap_or_default();
    let is_match = |record: &EventRecord| record.event.kind == Kind::Match;
    let tournaments = lists::strength(&records, Status::Listed, |record| !is_match(record));
    let matches_by_strength = lists::strength(&records, Status::Listed, is_match);
    let fragments = lists::fragments(&records);
    let missing = missing::missing(&records, &greatness, &strength, &settings.lists);
    let checked = Checked::of(&records, &games.words.results);
    let published = published::compare(&settings, &records, &games.players, &mut diagnostics);
    let moves = match settings.input.intrinsic.is_empty() {
        true => MovesOfArchive::default(),
        false => timed(progress, "rate the moves", Amount::Unknown, || {
            let moves = MovesOfArchive::of(
                &settings,
                &records,
                &games.table,
                &games.players,
                &mut diagnostics,
            );
            let summary = format!(
                "{} events; {} analysed games are in none",
                moves.events.iter().flatten().count(),
                moves.elsewhere
            );
            (moves, summary)
        }),
    };
    let boards = match settings.site.games {
        false => Boards::default(),
        true => timed(progress, "read the moves", Amount::Unknown, || {
            let boards = Boards::read(&settings, &records, &games.table);
            let summary = format!("{} games for the board", boards.len());
            (boards, summary)
        }),
    };
    let mentioned =
        Mentioned { review: &review, missing: &missing, fragments: &fragments, titles: &titles };
    let player_pages =
        own_pages(settings.site.pages, &mut records, &player_rows, &games.players, &mentioned);
    Ok(Archive {
        settings,
        boards,
        player_pages,
        table: games.table,
        players: games.players,
        records,
        greatness,
        strength,
        tournaments,
        matches_by_strength,
        faster,
        fragments,
        missing,
        checked,
        published,
        player_rows,
        rankings,
        best_averages: computed
            .as_ref()
            .map(|computed| computed.best_averages.clone())
            .unwrap_or_default(),
        pools,
        hangs: computed.as_ref().map(|computed| computed.hangs.clone()).unwrap_or_default(),
        improvement: computed
            .as_ref()
            .map(|computed| computed.improvement.clone())
            .unwrap_or_default(),
        ages,
        exchanges,
        consistency,
        draw_rates: computed.as_ref().map(|computed| computed.draw_rates.clone()),
        system_lists,
        ways: computed.as_ref().map(|computed| computed.ways.clone()).unwrap_or_default(),
        comparison: computed.map(|computed| computed.comparison),
        counts,
        review,
        decades: forecasts.decades,
        matches: forecasts.matches,
        curves: forecasts.sources,
        titles,
        moves,
        diagnostics,
    })
}

impl Archive {
    /// The record of an event.
    pub fn event(&self, id: &str) -> Option<&EventRecord> {
        self.records.iter().find(|record| record.event.id == id)
    }
}
