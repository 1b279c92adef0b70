//! Defines the settings in `greatness.toml`.

pub mod build_inputs;
pub mod data_licence;
pub mod settings_file;
pub mod source_name;
pub mod system_settings;

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use crate::settings::data_licence::DataLicence;
use crate::settings::source_name::SourceName;
use crate::settings::system_settings::{SystemChoice, SystemSettings};
use chess_history::events::EventThresholds;
use chess_history::gazetteer::Places;
use chess_history::ratings::Thresholds;
use error_hints::{for_unknown_key, readable};
use pgn_collections::games::Tempo;
use pgn_collections::source::{Limits, is_missing};
use tournament_app::basic_system::K_FACTORS;
use tournament_app::{Options, PlayerAnalysis, Policy, is_rating};

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    #[serde(deserialize_with = "table")]
    pub input: Input,
    #[serde(deserialize_with = "table")]
    pub output: OutputSettings,
    #[serde(deserialize_with = "table")]
    pub events: EventThresholds,
    /// The sources of ratings, and when they are used.
    #[serde(deserialize_with = "table")]
    pub ratings: RatingSettings,
    #[serde(deserialize_with = "table")]
    pub systems: SystemSettings,
    /// Ratings that anchor the scale of paired comparison, in place of FIDE's lists of the best.
    pub anchor: Vec<AnchorSetting>,
    #[serde(deserialize_with = "table")]
    pub analysis: AnalysisSettings,
    #[serde(deserialize_with = "table")]
    pub lists: ListSettings,
    #[serde(deserialize_with = "table")]
    pub site: SiteSettings,
}

/// Reads a table. Serde alone would also accept a list of values in the order of the keys.
fn table<'de, D: Deserializer<'de>, T: Deserialize<'de>>(source: D) -> Result<T, D::Error> {
    struct TableVisitor<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
        type Value = T;

        fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
            text.write_str("a table")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    source.deserialize_map(TableVisitor(PhantomData))
}

/// A rating that is taken as known.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorSetting {
    /// The name of the player, in any known spelling.
    pub player: String,
    pub year: i16,
    /// Rating (points).
    #[serde(deserialize_with = "rating")]
    pub rating: f64,
}

/// Reads a rating (points) and refuses impossible values.
fn rating<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let rating = f64::deserialize(source)?;
    if is_rating(rating) {
        Ok(rating)
    } else {
        Err(serde::de::Error::custom(format!("{rating} is not a possible rating")))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SiteSettings {
    /// The address of the site for readers, like `https://example.org/chess/`. It is used for
    /// canonical links, the site map, the feed, citations, the search of browsers and pictures of
    /// shared pages. If it is empty, these have relative addresses or are left out.
    #[serde(deserialize_with = "address")]
    pub url: String,
    /// The address at which readers report errors: an e-mail address, or the `https://` address at
    /// which a new issue is written. `{title}` and `{text}` in it stand for the prefilled parts. If
    /// it is empty, pages have no link to report an error.
    #[serde(deserialize_with = "contact")]
    pub contact: String,
    /// The licence of the exported data, by its SPDX identifier or by the address of its text.
    pub data_licence: DataLicence,
    /// Whether the site has the moves of the games, with a board to play through them. The
    /// collections are then read a second time, and the moves take about two hundred bytes of
    /// memory for each game.
    pub games: bool,
    /// Whether the site has a page that answers SQL queries over the tables in the browser. It adds
    /// 0.8 MB.
    pub sql: bool,
    /// Which events and players have their own page: `telling` or `all`.
    pub pages: OwnPages,
    /// Whether the new archive replaces the old one only after the disk has stored all files, so
    /// that a power cut destroys neither.
    pub sync: bool,
}

impl Default for SiteSettings {
    fn default() -> SiteSettings {
        SiteSettings {
            url: String::new(),
            contact: String::new(),
            data_licence: DataLicence::default(),
            games: false,
            sql: false,
            pages: OwnPages::default(),
            sync: true,
        }
    }
}

/// Which events and players have their own page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnPages {
    /// Only those that people look for: events that are on a list, decided, famous, whole and
    /// classical, or among the strongest incomplete ones; players with a listed performance, a
    /// title, a rating among the best hundred of a year, or 200 games.
    #[default]
    Telling,
    All,
}

/// Reads the address of a site and adds a final slash.
fn address<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    let url = String::deserialize(source)?;
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_plain = |c: char| c.is_ascii_graphic() && !"<>\"'`?#".contains(c);
    if !url.is_empty() && !host.is_some_and(|host| !host.is_empty() && host.chars().all(is_plain)) {
        return Err(serde::de::Error::custom(
            "the address of a site must begin with https:// or http:// and contain no spaces, ? or #",
        ));
    }
    Ok(if url.is_empty() || url.ends_with('/') { url } else { format!("{url}/") })
}

/// Reads where readers report errors. A plain e-mail address becomes `mailto:`.
fn contact<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    let contact = String::deserialize(source)?;
    if contact.is_empty() {
        return Ok(contact);
    }
    let is_plain = contact.chars().all(|c| c.is_ascii_graphic() && !"<>\"'`\\".contains(c));
    let is_web = contact.starts_with("https://") || contact.starts_with("http://");
    let mail = contact.strip_prefix("mailto:").unwrap_or(&contact);
    let is_mail = mail.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !mail.contains([':', '/', '?', '&', '#', ','])
    });
    if is_plain && is_web {
        Ok(contact)
    } else if is_plain && is_mail {
        Ok(format!("mailto:{mail}"))
    } else {
        Err(serde::de::Error::custom(
            "the contact must be one e-mail address, or begin with https:// or http://, without spaces or quotes",
        ))
    }
}

/// The inputs. Folders are searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    #[serde(deserialize_with = "paths")]
    pub pgn: Vec<PathBuf>,
    #[serde(deserialize_with = "paths")]
    pub ratings: Vec<PathBuf>,
    /// Whether the bundled rating lists are left out.
    pub without_bundled_ratings: bool,
    /// Lists of the world's best players (CSV with columns date, name, rating, active). They have
    /// priority for the number two.
    #[serde(deserialize_with = "paths")]
    pub leaders: Vec<PathBuf>,
    /// Published figures to compare with: G-scores (CSV with columns player, event, g), or
    /// strengths and constant intervals (columns event, strength, interval_low, interval_high).
    #[serde(deserialize_with = "paths")]
    pub published: Vec<PathBuf>,
    /// Results from which ratings are computed, in place of the collections. Their games make no
    /// events.
    #[serde(deserialize_with = "paths")]
    pub results: Vec<PathBuf>,
    /// Files of aliases. Those of the bundled data come first, and these have priority.
    #[serde(deserialize_with = "paths")]
    pub aliases: Vec<PathBuf>,
    /// Whether the bundled aliases are left out.
    pub without_bundled_aliases: bool,
    /// Tables of how players' names are written, with priority over the bundled one (see
    /// [`NameSources::names`](chess_history::players::NameSources::names)).
    #[serde(deserialize_with = "paths")]
    pub names: Vec<PathBuf>,
    /// Tables of places, with priority over the bundled one (see
    /// [`Places::read`](chess_history::gazetteer::Places::read)).
    #[serde(deserialize_with = "paths")]
    pub places: Vec<PathBuf>,
    /// Tables of series of events, with priority over the bundled one (see
    /// [`EventWords::read`](chess_history::events::EventWords::read)).
    #[serde(deserialize_with = "paths")]
    pub series: Vec<PathBuf>,
    /// Tables of results from historical sources, with priority over the bundled one (see
    /// [`KnownResults::read`](chess_history::events::KnownResults::read)).
    #[serde(deserialize_with = "paths")]
    pub history: Vec<PathBuf>,
    /// Whether the bundled table of results from historical sources is left out. Those of
    /// `history` are read.
    pub without_known_results: bool,
    /// SCID spelling files (`.ssp`): other spellings of names, dates of birth and death, FIDE
    /// ratings.
    #[serde(deserialize_with = "paths")]
    pub spelling: Vec<PathBuf>,
    /// The Ratings Administrator's decisions. Those of the bundled data come first.
    #[serde(deserialize_with = "paths")]
    pub decisions: Vec<PathBuf>,
    /// Whether the bundled decisions are left out even if the bundled games are read.
    pub without_bundled_decisions: bool,
    /// Tables of turns, as `greatness intrinsic` writes them.
    #[serde(deserialize_with = "paths")]
    pub intrinsic: Vec<PathBuf>,
    /// Calibrations of engines, as `greatness intrinsic calibrate` writes them.
    #[serde(deserialize_with = "paths")]
    pub calibration: Vec<PathBuf>,
    #[serde(deserialize_with = "table")]
    pub limits: Limits,
    /// A work folder of this build. Its games replace the collections.
    #[serde(skip)]
    pub from: Option<PathBuf>,
    /// The folder of the bundled data, if empty inputs were filled from it.
    #[serde(skip)]
    pub bundled: Option<PathBuf>,
    /// A name, or a part of one, whose comparisons with similar names are kept.
    #[serde(skip)]
    pub explained: Option<String>,
    /// Whether all moves are replayed and illegal ones reported. Reading then takes about fifteen
    /// times as long.
    pub validate: bool,
}

impl Input {
    /// Whether a file belongs to the bundled data. A bundled decision gives way to the user's, and
    /// bundled aliases are about more players than one collection has.
    pub fn is_bundled(&self, file: &Path) -> bool {
        self.bundled.as_ref().is_some_and(|folder| file.starts_with(folder))
    }

    /// The paths that name nothing. A build without them would replace the archive by a poorer one.
    /// Decisions are not among them, since reading them reports missing files.
    pub fn missing(&self) -> Vec<&Path> {
        // A work folder has its own games.
        let games = self.pgn.iter().filter(|_| self.from.is_none());
        let others = [
            &self.ratings,
            &self.leaders,
            &self.published,
            &self.results,
            &self.aliases,
            &self.names,
            &self.places,
            &self.series,
            &self.history,
            &self.spelling,
            &self.intrinsic,
            &self.calibration,
        ];
        let all = games.chain(others.into_iter().flatten()).map(PathBuf::as_path);
        all.filter(|path| is_missing(path)).collect()
    }

    /// Puts the bundled aliases before the user's, unless they are left out.
    pub fn add_bundled_aliases(&mut self, data: &Path) {
        let players = data.join("players");
        if !self.without_bundled_aliases && players.is_dir() {
            begin_with(&mut self.aliases, players);
            self.bundled.get_or_insert_with(|| data.to_owned());
        }
    }
}

/// Puts a bundled folder before the user's files. A user who names it too gets it once.
fn begin_with(paths: &mut Vec<PathBuf>, bundled: PathBuf) {
    let folder = bundled.canonicalize();
    paths.retain(|path| match (path.canonicalize(), &folder) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        _ => true,
    });
    paths.insert(0, bundled);
}

/// Reads a path or a list of paths.
fn paths<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a path or a list of paths")]
    enum Paths {
        One(PathBuf),
        Several(Vec<PathBuf>),
    }
    Ok(match Paths::deserialize(source)? {
        Paths::One(path) => vec![path],
        Paths::Several(paths) => paths,
    })
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputSettings {
    pub directory: PathBuf,
    /// Whether the work of a build is kept next to the archive, so that the next build is faster.
    pub cache: bool,
}

impl Default for OutputSettings {
    fn default() -> OutputSettings {
        OutputSettings { directory: PathBuf::from("reports/archive"), cache: true }
    }
}

/// The sources of ratings, and when they are used.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RatingSettings {
    /// Sources by the name of their system, in the order in which they are tried. `tags` means the
    /// rating tags of the games (system `Elo`). `computed:WORD` means one of our own systems. Lists
    /// that are not named follow in the order of their files.
    pub order: Vec<SourceName>,
    /// Whether systems that the order does not name are computed and compared, for the pages of
    /// ratings. [`SystemSettings::compute`] says which.
    pub compute: bool,
    /// Standard errors (points) of the ratings of lists that give none, by system. For other
    /// systems the program uses measured values, or 50.
    #[serde(deserialize_with = "deviations")]
    pub deviations: BTreeMap<String, f64>,
    /// Systems whose lists contain active players only, so that their second player is the number
    /// two.
    pub active_only: Vec<String>,
    /// The number of players that a source must know to be used (all, if the event has fewer).
    pub minimum_players: usize,
    /// The proportion of players that a source must know. If no source does, the one that knows
    /// most is used, and the event is weak.
    #[serde(deserialize_with = "part")]
    pub minimum_part: f64,
    /// The proportion of players from which the first source that reaches it is used, even
    /// if others know more. If none reaches it, the one that knows most is used.
    #[serde(deserialize_with = "part")]
    pub sufficient_part: f64,
}

/// Reads a finite number.
fn finite<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(source)?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err(serde::de::Error::custom(format!("{number} is not a finite number")))
    }
}

/// Reads a K-factor (rating points per point scored).
fn k_factor<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let k = f64::deserialize(source)?;
    if K_FACTORS.contains(&k) {
        Ok(k)
    } else {
        Err(serde::de::Error::custom(format!(
            "{k} is not a K-factor; write a number from {} to {}",
            K_FACTORS.start(),
            K_FACTORS.end()
        )))
    }
}

/// Reads a proportion in `[0, 1]`.
fn part<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let part = f64::deserialize(source)?;
    if (0.0..=1.0).contains(&part) {
        Ok(part)
    } else {
        Err(serde::de::Error::custom(format!(
            "{part} is not a proportion; write a number from 0 to 1, such as 0.9 for 90%"
        )))
    }
}

/// Reads standard errors of ratings, from 0 to 1000 points.
fn deviations<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let deviations = BTreeMap::<String, f64>::deserialize(source)?;
    match deviations.iter().find(|(_, points)| !(0.0..=1000.0).contains(*points)) {
        Some((system, points)) => Err(serde::de::Error::custom(format!(
            "deviations: {points} is not a standard error for {system}; write a number from 0 to 1000 (points)"
        ))),
        None => Ok(deviations),
    }
}

impl Default for RatingSettings {
    fn default() -> RatingSettings {
        let Thresholds { players, fraction, sufficient } = Thresholds::default();
        RatingSettings {
            order: ["tags", "Chessmetrics", "Elo", "computed:paired", "computed:paired-left-out"]
                .map(|name| SourceName::parse(name).expect("the registry has these"))
                .into(),
            compute: true,
            deviations: BTreeMap::new(),
            active_only: vec!["Chessmetrics".into(), "Edo".into()],
            minimum_players: players,
            minimum_part: fraction,
            sufficient_part: sufficient,
        }
    }
}

impl RatingSettings {
    pub fn thresholds(&self) -> Thresholds {
        Thresholds {
            players: self.minimum_players,
            fraction: self.minimum_part,
            sufficient: self.sufficient_part,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalysisSettings {
    /// The policy for ratings that fail the fit test. (Knock-outs keep theirs, unless a decision
    /// says otherwise.)
    pub policy: Policy,
    /// Whether ratings under pressure are corrected as well as those out of spec.
    pub move_pressure: bool,
    /// The number of games that a player needs in the event for a correction of the rating.
    pub minimum_games: usize,
    /// The K-factor of the Elo ratings after an event (rating points per point scored).
    #[serde(deserialize_with = "k_factor")]
    pub elo_k: f64,
}

impl Default for AnalysisSettings {
    fn default() -> AnalysisSettings {
        let options = Options::default();
        AnalysisSettings {
            policy: Policy::default(),
            move_pressure: options.move_pressure,
            minimum_games: options.minimum_games,
            elo_k: options.elo_k,
        }
    }
}

impl AnalysisSettings {
    pub fn options(&self) -> Options {
        Options {
            policy: self.policy,
            move_pressure: self.move_pressure,
            minimum_games: self.minimum_games,
            elo_k: self.elo_k,
            omit_ratings: self.policy != Policy::Keep,
            ..Options::default()
        }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListSettings {
    /// The lowest G-score of the Greatness List.
    #[serde(deserialize_with = "finite")]
    pub minimum_g_score: f64,
    /// The number of games that a performance needs.
    pub minimum_games: usize,
    /// The proportion of an event's games that must be known for its strength to be ranked. An
    /// event with fewer is a fragment.
    #[serde(deserialize_with = "part")]
    pub minimum_coverage: f64,
    /// The proportion of an event's games that must be known for performances in it to be ranked.
    /// All games of the player must be known as well.
    #[serde(deserialize_with = "part")]
    pub minimum_coverage_of_performances: f64,
    /// The ranked tempos: `classical`, `rapid`, `blitz`. The others have separate lists.
    pub tempo: Vec<Tempo>,
}

impl ListSettings {
    /// Whether a performance has enough games to be compared with others.
    pub fn has_enough_games(&self, player: &PlayerAnalysis) -> bool {
        player.games >= self.minimum_games
    }

    /// The G-score of a performance that has enough games and is high enough for a list; `None` for
    /// others. (Whether the event is on the lists is its [`Status`](super::Status).)
    pub fn great(&self, player: &PlayerAnalysis) -> Option<f64> {
        let g_score = player.g_score.filter(|g_score| *g_score >= self.minimum_g_score)?;
        self.has_enough_games(player).then_some(g_score)
    }
}

impl Default for ListSettings {
    fn default() -> ListSettings {
        ListSettings {
            minimum_g_score: tournament_app::greatness::LIST_THRESHOLD,
            minimum_games: 5,
            minimum_coverage: 0.8,
            minimum_coverage_of_performances: 0.75,
            tempo: vec![Tempo::Classical],
        }
    }
}

#[derive(Debug, Error)]
pub enum SettingsError {
    #[error("{path}: cannot be read: {error}")]
    Read { path: String, error: std::io::Error },
    /// It is not TOML, or has unknown keys or wrong values; the messages name line and key.
    #[error("{}", lines(path, errors))]
    Toml { path: String, errors: Vec<toml::de::Error> },
    /// There are neither inputs nor bundled data.
    #[error(
        "nothing to read: no games were given, and the bundled data is not at {0}; give games with --pgn"
    )]
    NoInput(String),
}

/// Lists the errors of a file, with suggestions.
fn lines(path: &str, errors: &[toml::de::Error]) -> String {
    let messages = errors.iter().map(|error| {
        let hint = for_unknown_key(error.message());
        format!("{path}: {}{hint}", readable(&error.to_string()))
    });
    let messages: Vec<String> = messages.collect();
    match messages.len() {
        1 => messages.concat(),
        count => format!("{count} settings cannot be used:\n{}", messages.join("\n")),
    }
}

/// The bundled tables of turns.
const TURNS: &str = "turns.parquet";
const TURNS_OF_EARLIER: &str = "turns-of-earlier-matches.parquet";

/// The bundled files of published figures.
const G_SCORES: &str = "pra-g-scores.csv";
const STRENGTHS: &str = "pra-strengths.csv";

impl Settings {
    /// The bundled places, and those of the settings. A build reports errors in these when it reads
    /// them.
    pub fn places(&self) -> Places {
        let mut places = Places::default();
        for file in &self.input.places {
            let _ = places.read(file);
        }
        places
    }

    /// Fills empty inputs from the bundled data.
    ///
    /// Without games in the settings, the bundled games and ratings are used, and the bundled
    /// decisions precede those of the settings, unless these leave them out. All rating systems are
    /// then computed, unless the settings say which. Other games do
    /// not get the decisions, which are about the bundled games. For any games the bundled rating
    /// lists follow and the bundled aliases precede those of the settings, unless these leave them
    /// out.
    ///
    /// # Errors
    ///
    /// Returns an error if no games are given and the bundled data is missing.
    pub fn with_bundled_data(mut self, data: &Path) -> Result<Settings, SettingsError> {
        let input = &mut self.input;
        input.bundled = Some(data.to_owned());
        if input.pgn.is_empty() {
            let games = data.join("games");
            if !games.is_dir() {
                return Err(SettingsError::NoInput(games.display().to_string()));
            }
            input.pgn.push(games);
            if !self.systems.chooses {
                self.systems.compute = SystemChoice::All;
            }
            let decisions = data.join("decisions");
            if !input.without_bundled_decisions && decisions.is_dir() {
                begin_with(&mut input.decisions, decisions);
            }
            let results = data.join("results");
            if input.results.is_empty() && results.is_dir() {
                input.results.push(results);
            }
            let turns = [TURNS, TURNS_OF_EARLIER].map(|name| data.join("intrinsic").join(name));
            if input.intrinsic.is_empty() {
                input.intrinsic.extend(turns.into_iter().filter(|file| file.is_file()));
            }
        }
        let calibration = data.join("intrinsic").join("calibration.toml");
        if input.calibration.is_empty() && calibration.is_file() {
            input.calibration.push(calibration);
        }
        let published = [G_SCORES, STRENGTHS].map(|name| data.join("published").join(name));
        if input.published.is_empty() {
            input.published.extend(published.into_iter().filter(|file| file.is_file()));
        }
        // Even with other rating lists, a collection alone cannot show who led the world.
        let leaders = data.join("ratings").join("fide-top-twenty.csv");
        if input.leaders.is_empty() && leaders.is_file() {
            input.leaders.push(leaders);
        }
        let ratings = data.join("ratings");
        if !input.without_bundled_ratings && ratings.is_dir() {
            // On the same day the user's lists have priority. A user who names the folder too gets
            // it once.
            let folder = ratings.canonicalize().ok();
            input.ratings.retain(|path| path.canonicalize().ok() != folder);
            input.ratings.push(ratings);
        }
        input.add_bundled_aliases(data);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_means_the_defaults() {
        assert_eq!(toml::from_str::<Settings>("").unwrap(), Settings::default());
    }

    #[test]
    fn a_users_aliases_add_to_the_bundled_ones_unless_these_are_left_out() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let aliases = |without| {
            let mut settings = Settings::default();
            settings.input.pgn.push("mine.pgn".into());
            settings.input.aliases.push("mine.toml".into());
            settings.input.without_bundled_aliases = without;
            settings.with_bundled_data(&data).unwrap().input.aliases
        };
        assert_eq!(aliases(false), [data.join("players"), "mine.toml".into()]);
        assert_eq!(aliases(true), [PathBuf::from("mine.toml")]);
    }

    #[test]
    fn a_users_rating_list_adds_to_the_bundled_ones_unless_these_are_left_out() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let ratings = |without| {
            let mut settings = Settings::default();
            settings.input.ratings.push("elo-1991.csv".into());
            settings.input.without_bundled_ratings = without;
            settings.with_bundled_data(&data).unwrap().input.ratings
        };
        assert_eq!(ratings(false), ["elo-1991.csv".into(), data.join("ratings")]);
        assert_eq!(ratings(true), [PathBuf::from("elo-1991.csv")]);
    }

    #[test]
    fn unknown_keys_are_refused_with_their_line() {
        let error = toml::from_str::<Settings>("[lists]\nminimum_games = 5\nmaximum = 3\n")
            .unwrap_err()
            .to_string();
        assert!(error.contains("line 3") && error.contains("unknown field `maximum`"), "{error}");
    }
}
