//! Computes the ratings of our own systems.

use std::time::Instant;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::errors::BuildError;
use crate::inputs::selected::Selected;
use crate::progress::{Progress, Silent};
use crate::rated::{
    ListedPlayers, RatedGames, linked_players, listed_births, listed_ratings, rated_games,
    rating_list,
};
use crate::rated_players::anchors::anchors;
use crate::rated_players::computed_lists::parquet_files;
use crate::rated_players::elo_variants::{EloVariants, JudgedPredictions, compare_elo_variants};
use crate::rated_players::game_forecasts::GameForecasts;
use crate::rated_players::on_the_day::NamedOnTheDay;
use crate::rated_players::pools::{
    Ages, HalfDecades, LevelSensitivity, RatingPool, half_decades, level_sensitivities, pool,
};
use crate::settings::source_name::SourceName;
use crate::settings::system_settings::SystemSettings;
use crate::settings::{AnchorSetting, Input, RatingSettings, Settings};
use crate::work::tasks::{DoneWork, RatingTask};
use chess_history::players::Players;
use chess_history::ratings::{FIDE_SYSTEM, RatingList};
use pgn_collections::source::Diagnostic;
use rating_systems::evaluation::comparison::{
    Computed, ParameterisedSystem, Predictions, SystemComparison, compare_systems, compute_by,
    draw_rates,
};
use rating_systems::evaluation::draw_model::DrawRates;
use rating_systems::evaluation::published_trial::{
    PublishedTrial, predicts_most, published_predictions,
};
use rating_systems::evaluation::shared_draws::SharedDraws;
use rating_systems::population::improvement::{Century, improvement};
use rating_systems::systems::{
    About, CareerPeak, ComputedList, FiveYearCareer, RatedPlayer, Results, Role, System, stretched,
};

/// The computed ratings: the lists of each system, and how the systems compare.
#[derive(Clone, Debug)]
pub struct ComputedRatings {
    /// The complete lists for looking up ratings, in the order of [`System::all`]. Systems of the
    /// past have none.
    lists: Vec<RatingList>,
    /// The same lists with one edition a year, for pages.
    pub by_year: Vec<RatingList>,
    pub players: usize,
    /// The number of games that were rated.
    pub games: usize,
    /// The best years of the best players, system by system, best first.
    pub best_years: Vec<BestYear>,
    /// Each player's five-year averages by historical Elo, by number among the players of the
    /// results.
    pub five_year_careers: Vec<FiveYearCareer>,
    /// The uncertainty of the ranks on lists.
    pub odds: Vec<ListOdds>,
    /// Historical Elo ratings on any day.
    pub on_the_day: NamedOnTheDay,
    /// The ratings of players by each system, for exchange rates.
    pub half_decades: Vec<HalfDecades>,
    pub studies: SystemStudies,
}

/// Studies of the systems, made while the lists of each are in memory; empty if none is computed.
#[derive(Clone, Debug, Default)]
pub struct SystemStudies {
    pub comparison: Option<SystemComparison>,
    /// Variants of Elo's system, and systems of the past.
    pub elo_variants: EloVariants,
    /// Published ratings compared with forecasts on the same games; `None` without rating tags.
    pub published_trial: Option<PublishedTrial>,
    /// What each source of forecasts expected of each game; `None` if ratings are computed from
    /// other games than the archive's.
    pub game_forecasts: Option<GameForecasts>,
    /// The lists of 1 January of each system, for the exports.
    pub system_lists: Vec<SystemLists>,
    /// The draw rates, by decade.
    pub draw_rates: Option<DrawRates>,
    /// The rating pools of the systems whose lists contain all players.
    pub pools: Vec<RatingPool>,
    /// How players change with age.
    pub ages: Ages,
    /// The sensitivity of the levels of historical Elo.
    pub level_sensitivities: Vec<LevelSensitivity>,
    /// The strength of the best players of each period, by historical Elo.
    pub improvement: Century,
}

/// The lists of 1 January of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemLists {
    /// The system's word.
    pub system: &'static str,
    /// The files as Parquet, which takes a tenth of the memory of the numbers.
    pub parquet: Vec<Vec<u8>>,
}

impl SystemLists {
    fn compute(
        results: &Results,
        computed: &Computed,
        settings: &SystemSettings,
    ) -> Option<SystemLists> {
        let lists = computed.ratings.lists.iter();
        let of_january = lists.filter(|list| list.day.month() == 1 && list.day.day() == 1);
        let lists: Vec<ComputedList> = of_january.cloned().collect();
        let lists = match settings.system(computed.system).export_scale() {
            Some(scale) => stretched(lists, scale),
            None => lists,
        };
        // Written to memory, so only errors that every table would have can occur.
        let parquet = parquet_files(results, &lists).ok()?;
        (!lists.is_empty()).then_some(SystemLists { system: computed.system.about.word, parquet })
    }
}

/// What is kept of a system after its lists are dropped.
struct SystemResults {
    list: Option<RatingList>,
    by_year: Option<RatingList>,
    lists: Option<SystemLists>,
    best_years: Vec<BestYear>,
    five_year_careers: Vec<FiveYearCareer>,
    odds: Vec<ListOdds>,
    pool: Option<RatingPool>,
    ages: Ages,
    half_decades: Option<HalfDecades>,
    historical: Option<Historical>,
}

/// What is kept of historical Elo; empty without it.
#[derive(Default)]
struct Historical {
    on_the_day: NamedOnTheDay,
    level_sensitivities: Vec<LevelSensitivity>,
    improvement: Century,
}

impl SystemResults {
    fn compute(
        computed: &Computed,
        results: &Results,
        players: &ListedPlayers,
        settings: &SystemSettings,
    ) -> SystemResults {
        let about = computed.system.about;
        let system = settings.system(computed.system);
        let odds = computed.ratings.lists.iter().flat_map(|list| {
            list.odds.iter().map(|odds| ListOdds {
                list: about.list_name,
                year: list.day.year(),
                name: results.players[odds.player as usize].name.clone(),
                first: odds.first,
                ranks: (odds.best, odds.worst),
            })
        });
        let by_year = about.role.has_pages().then(|| {
            let january = computed.ratings.lists.iter().filter(|list| list.day.month() == 1);
            let january: Vec<ComputedList> = january.cloned().collect();
            active_list(about, results, players, &january)
        });
        let historical = about.rates_periods.then(|| Historical {
            on_the_day: NamedOnTheDay::new(
                results,
                &settings.overrides(computed.system),
                &computed.ratings.lists,
            ),
            level_sensitivities: level_sensitivities(results, computed, settings),
            improvement: improvement(&computed.ratings.lists, &|first| {
                system.last_year(first).unwrap_or(first)
            }),
        });
        let (pool, ages) = pool(results, computed, settings);
        SystemResults {
            list: about
                .role
                .is_source()
                .then(|| active_list(about, results, players, &computed.in_force)),
            by_year,
            lists: (!matches!(about.role, Role::Events | Role::Forecasts))
                .then(|| SystemLists::compute(results, computed, settings))
                .flatten(),
            best_years: best_years(results, about, &computed.ratings.peaks),
            five_year_careers: system.five_year_careers(results, &computed.ratings.lists),
            odds: odds.collect(),
            pool,
            ages,
            half_decades: half_decades(computed, settings),
            historical,
        }
    }
}

/// The lists of a system as a rating list of active players. Players who have not played for long
/// are on none of them.
fn active_list(
    about: About,
    results: &Results,
    players: &ListedPlayers,
    lists: &[ComputedList],
) -> RatingList {
    let mut list = rating_list(about, results, players, lists);
    list.active_only = true;
    list.shrink();
    list
}

/// The uncertainty of a player's rank on a yearly list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListOdds {
    pub list: &'static str,
    pub year: i16,
    pub name: String,
    /// The probability that the player was the best, in `[0, 1]`.
    pub first: f64,
    /// The best and the worst rank of an interval that contains the rank with 80% probability.
    pub ranks: (u32, u32),
}

/// A player's best year, by a system that samples careers.
#[derive(Clone, Debug, PartialEq)]
pub struct BestYear {
    /// The system, as tables name it.
    pub system: &'static str,
    pub name: String,
    /// Rating (points).
    pub rating: f64,
    /// Its standard deviation (points).
    pub deviation: f64,
    /// The calendar year.
    pub year: i16,
}

/// The number of best years that are kept. Judged: the length of a table on a page.
const BEST: usize = 40;

/// The best years of the best players.
fn best_years(results: &Results, about: About, peaks: &[CareerPeak]) -> Vec<BestYear> {
    let best = peaks.iter().take(BEST);
    best.map(|peak| BestYear {
        system: about.name,
        name: results.players[peak.player as usize].name.clone(),
        rating: peak.rating,
        deviation: peak.deviation,
        year: peak.year,
    })
    .collect()
}

#[derive(Clone, Copy, Debug)]
pub struct RatingInputs<'a> {
    pub input: &'a Input,
    /// Days without a game after which an event has ended.
    pub gap_days: u16,
    pub ratings: &'a RatingSettings,
    pub systems: &'a SystemSettings,
    pub anchor: &'a [AnchorSetting],
    pub games: &'a Selected,
    /// The published rating lists.
    pub lists: &'a [RatingList],
}

impl<'a> RatingInputs<'a> {
    /// The inputs, with the tables of the settings that rate players.
    pub fn new(
        settings: &'a Settings,
        games: &'a Selected,
        lists: &'a [RatingList],
    ) -> RatingInputs<'a> {
        let Settings { input, events, ratings, systems, anchor, .. } = settings;
        let gap_days = events.gap_days;
        RatingInputs { input, gap_days, ratings, systems, anchor, games, lists }
    }
}

/// The results from which ratings are computed, and what lists say of their players.
struct RatedInput {
    games: RatedGames,
    /// Whether the rows are those of the archive's own games.
    has_rows: bool,
    /// The ratings of White and Black before each game, by the name of the list.
    listed: Vec<(String, Vec<[u16; 2]>)>,
}

impl RatedInput {
    /// Whether the rating of each player is linked to published ratings.
    fn linked_players(&self) -> Vec<bool> {
        let results = &self.games.results;
        let lists = self.listed.iter().map(|(_, ratings)| &ratings[..]);
        let published: Vec<&[[u16; 2]]> = lists.chain([&results.published.tags[..]]).collect();
        linked_players(results, &published)
    }
}

/// The results from which ratings are computed: those of the settings, or else the games that
/// count. `None` if there are no such games.
pub fn rated_results(
    settings: &Settings,
    games: &Selected,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Results> {
    rated_input(RatingInputs::new(settings, games, &[]), diagnostics)
        .map(|input| input.games.results)
}

fn rated_input(inputs: RatingInputs, diagnostics: &mut Vec<Diagnostic>) -> Option<RatedInput> {
    let RatingInputs { input, games, .. } = inputs;
    if input.results.is_empty() {
        return Some(RatedInput { has_rows: true, ..rated_input_of(games, inputs, diagnostics) });
    }
    let own = Input {
        pgn: input.results.clone(),
        aliases: input.aliases.clone(),
        bundled: input.bundled.clone(),
        ..Input::default()
    };
    // A table without games counts as no table.
    let read = Selected::read(&own, &Silent, diagnostics).ok()?;
    let mut rated = rated_input_of(&read, inputs, diagnostics);
    identify(&mut rated.games.results.players, &games.players);
    Some(rated)
}

/// Sets the identifiers of rated players to those of the archive, where the games of the ratings
/// may have other names. Players without a game in the archive have none.
fn identify(rated: &mut [RatedPlayer], players: &Players) {
    let mut ids: FxHashMap<&str, &str> = FxHashMap::default();
    for (_, player) in players.iter() {
        for name in player.spellings.iter().chain(&player.also_called).chain([&player.name]) {
            ids.insert(name, &player.id);
        }
    }
    for player in rated {
        let mut names = std::iter::once(&player.name).chain(&player.spellings);
        let known = names.find_map(|name| ids.get(name.as_str()));
        player.player_id = known.map(|id| (*id).to_owned()).unwrap_or_default();
    }
}

fn rated_input_of(
    games: &Selected,
    RatingInputs { input, gap_days, anchor, lists, .. }: RatingInputs,
    diagnostics: &mut Vec<Diagnostic>,
) -> RatedInput {
    let mut rated = rated_games(&games.table, &games.rows, &games.players, gap_days);
    rated.results.anchors = anchors(anchor, input, &rated.results, &games.players, diagnostics);
    rated.results.published.births = listed_births(&rated.results, &games.players, lists);
    let listed: Vec<(String, Vec<[u16; 2]>)> = lists
        .iter()
        .map(|list| (list.system.clone(), listed_ratings(&rated.results, &games.players, list)))
        .collect();
    if let Some((_, ratings)) = listed.iter().find(|(system, _)| system == FIDE_SYSTEM) {
        rated.results.published.fide_lists.clone_from(ratings);
    }
    RatedInput { games: rated, has_rows: false, listed }
}

/// Names of published ratings in the comparison. A comma separates them from computed ratings.
const TAGS: &str = "FIDE, tags";
const FIDE_LISTS: &str = "FIDE, lists";

/// The predictions from published ratings: from the tags, if there are any, then from the lists.
fn published(input: &RatedInput) -> Vec<Predictions> {
    let results = &input.games.results;
    let mut sources = vec![(TAGS.to_owned(), &results.published.tags)];
    for (system, ratings) in &input.listed {
        let name = match system.as_str() {
            FIDE_SYSTEM => FIDE_LISTS.to_owned(),
            system => format!("{system}, lists"),
        };
        sources.push((name, ratings));
    }
    sources
        .par_iter()
        .map(|(name, ratings)| published_predictions(results, name, ratings))
        .filter(|predictions| predictions.recalibrated.expected.rated() > 0)
        .collect()
}

/// Compares the tags with systems that read published ratings, with lists, and with systems whose
/// lists have pages, in this order. `None` without tags.
fn published_trial(
    results: &Results,
    published: &[Predictions],
    computed: &[(&'static System, Predictions)],
    rates: &DrawRates,
) -> Option<PublishedTrial> {
    let (tags, lists) = published.split_first().filter(|(first, _)| first.name == TAGS)?;
    let mut others: Vec<&Predictions> = Vec::new();
    for (system, predictions) in computed {
        if system.about.reads_published_ratings {
            others.push(predictions);
        }
    }
    others.extend(lists);
    for (system, predictions) in computed {
        let about = &system.about;
        if !about.reads_published_ratings && about.role.has_pages() && about.period_years.is_none()
        {
            others.push(predictions);
        }
    }
    others.retain(|other| predicts_most(results, tags, other));
    PublishedTrial::new(results, tags, &others, rates)
}

/// The systems that the settings ask for: the sources of ratings, and those that are computed for
/// pages.
///
/// Systems that rate event by event are needed only for look-ups. The list that leads the scale of
/// a source is needed with it.
pub fn systems_of(ratings: &RatingSettings, systems: &SystemSettings) -> Vec<&'static System> {
    let named: Vec<About> = ratings
        .order
        .iter()
        .filter_map(|name| match name {
            SourceName::Computed(system) => Some(system.about),
            _ => None,
        })
        .collect();
    let mut wanted = Vec::new();
    for system in System::all() {
        let about = &system.about;
        let is_for_lookup =
            named.iter().any(|one| one == about || one.led_by == Some(about.list_name));
        if is_for_lookup || ratings.compute && systems.compute.includes(about.role) {
            wanted.push(system);
        }
    }
    wanted
}

impl ComputedRatings {
    /// Computes all systems, if the settings ask for any, from the results in the settings or else
    /// from the games that count.
    pub fn compute(
        inputs: RatingInputs<'_>,
        work: DoneWork<'_>,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Option<ComputedRatings>, BuildError> {
        let settings = inputs.systems;
        let systems = systems_of(inputs.ratings, settings);
        if systems.is_empty() {
            return Ok(None);
        }
        let Some(input) = rated_input(inputs, diagnostics) else { return Ok(None) };
        let results = &input.games.results;
        let systems: Vec<ParameterisedSystem> =
            systems.into_iter().map(|system| (system, settings.system(system))).collect();
        let mut players = ListedPlayers::new(results);
        players.keep_linked(&input.linked_players());
        // The results are part of the key of each system's ratings.
        let bytes = work.cache.map(|_| results.to_bytes()).unwrap_or_default();
        if let Some(helpers) = work.helpers {
            let tasks: Vec<RatingTask> = systems
                .iter()
                .map(|(system, _)| RatingTask::new(system, settings.overrides(system)))
                .collect();
            helpers.rate(results, &tasks)?;
        }
        let (kept, mut predictions) = compute_by(
            systems,
            |(system, rates), leader| {
                let task = RatingTask::new(system, settings.overrides(system));
                let done = work.helpers.and_then(|helpers| helpers.rated(&task));
                done.unwrap_or_else(|| {
                    let start = Instant::now();
                    let own = (*system, rates.as_ref());
                    let rated = task.run_once((results, &bytes), own, leader, work);
                    progress.part(system.about.word, start.elapsed());
                    rated
                })
            },
            |computed| {
                let kept = SystemResults::compute(computed, results, &players, settings);
                progress.advance(1);
                kept
            },
        );
        let shared = SharedDraws::new(results);
        predictions.par_iter_mut().for_each(|(_, predictions)| predictions.predict_draws(&shared));
        let draw_rates = draw_rates(results, &predictions);
        let comparison = compare_systems(results, &predictions, &draw_rates);
        let mut published = published(&input);
        published.par_iter_mut().for_each(|predictions| predictions.predict_draws(&shared));
        let judged =
            JudgedPredictions { computed: &predictions, published: &published, draws: &shared };
        let elo_variants = compare_elo_variants(results, settings, judged, &draw_rates);
        let published_trial = published_trial(results, &published, &predictions, &draw_rates);
        let rows = input.has_rows.then_some(&input.games.rows[..]);
        let game_forecasts = rows.map(|rows| GameForecasts::new(rows, predictions));
        let (mut lists, mut by_year, mut system_lists) = (Vec::new(), Vec::new(), Vec::new());
        let (mut best_years, mut five_year_careers) = (Vec::new(), Vec::new());
        let mut odds = Vec::new();
        let (mut pools, mut ages, mut half_decades) = (Vec::new(), Ages::default(), Vec::new());
        let mut historical = Historical::default();
        for system in kept {
            lists.extend(system.list);
            by_year.extend(system.by_year);
            system_lists.extend(system.lists);
            best_years.extend(system.best_years);
            five_year_careers.extend(system.five_year_careers);
            odds.extend(system.odds);
            pools.extend(system.pool);
            ages = ages.with(system.ages);
            half_decades.extend(system.half_decades);
            historical = system.historical.unwrap_or(historical);
        }
        let Historical { on_the_day, level_sensitivities, improvement } = historical;
        let (players, games) = (results.players.len(), comparison.games);
        let studies = SystemStudies {
            comparison: Some(comparison),
            elo_variants,
            published_trial,
            game_forecasts,
            system_lists,
            draw_rates: Some(draw_rates),
            pools,
            ages,
            level_sensitivities,
            improvement,
        };
        Ok(Some(ComputedRatings {
            lists,
            by_year,
            players,
            games,
            best_years,
            five_year_careers,
            odds,
            on_the_day,
            half_decades,
            studies,
        }))
    }

    /// The list of a system.
    pub fn list(&self, system: &System) -> Option<&RatingList> {
        self.lists.iter().find(|list| list.system == system.about.list_name)
    }

    /// The lists that determine the scales of others.
    pub fn scales(&self) -> Vec<RatingList> {
        self.lists
            .iter()
            .filter(|list| {
                self.lists.iter().any(|other| other.led_by.as_ref() == Some(&list.system))
            })
            .cloned()
            .collect()
    }

    /// Whether a list of this name is computed by one of our own systems.
    pub fn is_name(name: &str) -> bool {
        System::of_list(name).is_some()
    }
}
