//! `greatness.toml`.

pub(crate) mod settings_file;
pub(crate) mod source_name;
pub(crate) mod system_settings;

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use crate::archive::settings::source_name::SourceName;
use crate::archive::settings::system_settings::SystemSettings;
use crate::events::EventThresholds;
use crate::games::Tempo;
use crate::hint::{for_unknown_key, readable};
use crate::ratings::Thresholds;
use crate::source::Limits;
use crate::tournament::{Options, PlayerAnalysis, Policy, is_rating};

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What to read.
    #[serde(deserialize_with = "table")]
    pub input: Input,
    /// Where to write.
    #[serde(deserialize_with = "table")]
    pub output: OutputSettings,
    /// What makes an event.
    #[serde(deserialize_with = "table")]
    pub events: EventThresholds,
    /// How ratings are found.
    #[serde(deserialize_with = "table")]
    pub ratings: RatingSettings,
    /// Parameters of the rating systems.
    #[serde(deserialize_with = "table")]
    pub systems: SystemSettings,
    /// Ratings that hold the scale of paired comparison, in place of FIDE's lists of the best.
    pub anchor: Vec<AnchorSetting>,
    /// How the Tournament App runs.
    #[serde(deserialize_with = "table")]
    pub analysis: AnalysisSettings,
    /// What enters the ranked lists.
    #[serde(deserialize_with = "table")]
    pub lists: ListSettings,
    /// How the site is published.
    #[serde(deserialize_with = "table")]
    pub site: SiteSettings,
}

/// A table; serde would also take a list, of its values in the order of the keys.
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

/// A rating that is to be taken as known.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorSetting {
    /// Who: a name, as somebody spells it.
    pub player: String,
    /// The calendar year.
    pub year: i16,
    /// Rating (points).
    #[serde(deserialize_with = "rating")]
    pub rating: f64,
}

/// A rating that can be one.
fn rating<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let rating = f64::deserialize(source)?;
    match is_rating(rating) {
        true => Ok(rating),
        false => Err(serde::de::Error::custom(format!("{rating} is no rating"))),
    }
}

/// How the site is published.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SiteSettings {
    /// Where readers will find the site, like `https://example.org/chess/`: for canonical links, the site
    /// map, the feed, and pictures of shared pages. Empty: these are left out.
    #[serde(deserialize_with = "address")]
    pub url: String,
    /// Whether the moves of the games go to the site, with a board to play through them. The collections are read once more
    /// for them, and they take some two hundred bytes of memory a game.
    pub games: bool,
    /// Which events and players have a page of their own: `telling` or `all`.
    pub pages: OwnPages,
    /// Whether the disk must have all files before the new archive takes the place of the old one, so that a power cut
    /// costs neither.
    pub sync: bool,
}

impl Default for SiteSettings {
    fn default() -> SiteSettings {
        SiteSettings { url: String::new(), games: false, pages: OwnPages::default(), sync: true }
    }
}

/// Which events and players have a page of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnPages {
    /// Those that tell something: events on the lists, in question, decided about, or with enough games; players on the
    /// Greatness List, with a title, or with enough games.
    #[default]
    Telling,
    /// All.
    All,
}

/// An address of a site, with a slash at its end.
fn address<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    let url = String::deserialize(source)?;
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_plain = |c: char| c.is_ascii_graphic() && !"<>\"'`?#".contains(c);
    if !url.is_empty() && !host.is_some_and(|host| !host.is_empty() && host.chars().all(is_plain)) {
        return Err(serde::de::Error::custom(
            "a site's address begins with https:// or http:// and has neither spaces, ? nor #",
        ));
    }
    Ok(match url.is_empty() || url.ends_with('/') {
        true => url,
        false => format!("{url}/"),
    })
}

/// What to read; folders are walked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    /// Game collections.
    #[serde(deserialize_with = "paths")]
    pub pgn: Vec<PathBuf>,
    /// Rating lists.
    #[serde(deserialize_with = "paths")]
    pub ratings: Vec<PathBuf>,
    /// Lists of the world's best (CSV with columns date, name, rating, active), before which no other number two
    /// goes.
    #[serde(deserialize_with = "paths")]
    pub leaders: Vec<PathBuf>,
    /// Published G-scores to compare with (CSV with columns player, event, g).
    #[serde(deserialize_with = "paths")]
    pub published: Vec<PathBuf>,
    /// Results from which ratings are computed, in place of the collections: games that make no events here.
    #[serde(deserialize_with = "paths")]
    pub results: Vec<PathBuf>,
    /// Files of aliases.
    #[serde(deserialize_with = "paths")]
    pub aliases: Vec<PathBuf>,
    /// Tables of how persons are written, which go before the bundled one (see
    /// [`DisplayNames::read`](crate::players::DisplayNames::read)).
    #[serde(deserialize_with = "paths")]
    pub names: Vec<PathBuf>,
    /// Tables of places, which go before the bundled one (see [`Places::read`](crate::gazetteer::Places::read)).
    #[serde(deserialize_with = "paths")]
    pub places: Vec<PathBuf>,
    /// Tables of series of events, which go before the bundled one (see
    /// [`EventWords::read`](crate::events::EventWords::read)).
    #[serde(deserialize_with = "paths")]
    pub series: Vec<PathBuf>,
    /// Tables of what history knows of events, which go before the bundled one (see
    /// [`KnownResults::read`](crate::events::KnownResults::read)).
    #[serde(deserialize_with = "paths")]
    pub history: Vec<PathBuf>,
    /// Spelling files of SCID (`.ssp`): other spellings of names, lives, FIDE ratings.
    #[serde(deserialize_with = "paths")]
    pub spelling: Vec<PathBuf>,
    /// The Ratings Administrator's decisions.
    #[serde(deserialize_with = "paths")]
    pub decisions: Vec<PathBuf>,
    /// Tables of turns, as `greatness intrinsic` writes them.
    #[serde(deserialize_with = "paths")]
    pub intrinsic: Vec<PathBuf>,
    /// Calibrations of engines, as `greatness intrinsic calibrate` writes them.
    #[serde(deserialize_with = "paths")]
    pub calibration: Vec<PathBuf>,
    /// How far a packed input may unpack.
    #[serde(deserialize_with = "table")]
    pub limits: Limits,
    /// A folder with what was done of this run before; its games take the place of the collections.
    #[serde(skip)]
    pub from: Option<PathBuf>,
    /// Whether all moves are replayed and illegal ones told; reading takes some fifteen times as long.
    pub validate: bool,
}

/// A path, or a list of them.
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

/// Where to write.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputSettings {
    /// Folder of the archive.
    pub directory: PathBuf,
}

impl Default for OutputSettings {
    fn default() -> OutputSettings {
        OutputSettings { directory: PathBuf::from("reports/archive") }
    }
}

/// How ratings are found.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RatingSettings {
    /// Sources by the name of their system, in the order in which they are tried. `tags` are the
    /// rating tags of the games (system `Elo`); `computed:WORD` is worked out from the games by one of our
    /// own systems; lists that are not named here follow in the order of their files.
    pub order: Vec<SourceName>,
    /// Whether all of our own systems are computed and compared, for the pages of ratings, whatever the
    /// order names.
    pub compute: bool,
    /// Standard errors (points) of the ratings of a list that tells none itself, by system. For others than those that
    /// are here the program has measured ones, or takes 50.
    #[serde(deserialize_with = "deviations")]
    pub deviations: BTreeMap<String, f64>,
    /// Systems whose lists hold active players only, so that their second is the number two.
    pub active_only: Vec<String>,
    /// Players that a source must know before it is used (all, where the event has fewer).
    pub minimum_players: usize,
    /// Part of the field that it must know; where none does, the one that knows most supplies what it knows and
    /// the event is weak.
    #[serde(deserialize_with = "part")]
    pub minimum_part: f64,
    /// Part of the field with which the first source that knows so much is taken, whatever others know. Where
    /// none does, the one that knows most.
    #[serde(deserialize_with = "part")]
    pub sufficient_part: f64,
}

/// A number that is one.
fn finite<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(source)?;
    match number.is_finite() {
        true => Ok(number),
        false => Err(serde::de::Error::custom(format!("{number} is no number to compare with"))),
    }
}

/// A part of a whole.
fn part<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let part = f64::deserialize(source)?;
    match (0.0..=1.0).contains(&part) {
        true => Ok(part),
        false => Err(serde::de::Error::custom(format!(
            "{part} is no part of a whole: 0 to 1, where 0.9 is 90%"
        ))),
    }
}

/// Standard errors of ratings: points that are not negative.
fn deviations<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let deviations = BTreeMap::<String, f64>::deserialize(source)?;
    match deviations.iter().find(|(_, points)| !(0.0..=1000.0).contains(*points)) {
        Some((system, points)) => Err(serde::de::Error::custom(format!(
            "deviations: {points} is no standard error of a rating of {system}; it lies between 0 and 1000 points"
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
    /// The thresholds for sources.
    pub fn thresholds(&self) -> Thresholds {
        Thresholds {
            players: self.minimum_players,
            fraction: self.minimum_part,
            sufficient: self.sufficient_part,
        }
    }
}

/// How the Tournament App runs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalysisSettings {
    /// What to do with ratings that fail the fit test. (Knock-outs keep theirs, unless a decision
    /// says otherwise.)
    pub policy: Policy,
    /// Whether players under pressure move as well as those out of spec.
    pub move_pressure: bool,
    /// Games that a player needs in the event before his rating may be corrected.
    pub minimum_games: usize,
}

impl Default for AnalysisSettings {
    fn default() -> AnalysisSettings {
        let options = Options::default();
        AnalysisSettings {
            policy: Policy::default(),
            move_pressure: options.move_pressure,
            minimum_games: options.minimum_games,
        }
    }
}

impl AnalysisSettings {
    /// The app's options.
    pub fn options(&self) -> Options {
        Options {
            policy: self.policy,
            move_pressure: self.move_pressure,
            minimum_games: self.minimum_games,
            omit_ratings: self.policy != Policy::Keep,
            ..Options::default()
        }
    }
}

/// What enters the ranked lists.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListSettings {
    /// Lowest G-score of the Greatness List.
    #[serde(deserialize_with = "finite")]
    pub minimum_g_score: f64,
    /// Games that a performance needs.
    pub minimum_games: usize,
    /// Part of an event's games that must be there for its strength to be ranked; an event with less is a
    /// fragment.
    #[serde(deserialize_with = "part")]
    pub minimum_coverage: f64,
    /// Part of an event's games that must be there for the performance of a player to be ranked all of whose own
    /// games are there. No performance is ranked of which a game is missing.
    #[serde(deserialize_with = "part")]
    pub minimum_coverage_of_performances: f64,
    /// What is ranked: `classical`, `rapid`, `blitz`. The others have lists of their own.
    pub tempo: Vec<Tempo>,
}

impl ListSettings {
    /// Whether a performance rests on games enough to be compared with others.
    pub fn has_enough_games(&self, player: &PlayerAnalysis) -> bool {
        player.games >= self.minimum_games
    }

    /// The G-score of a performance that is high enough for a list, from games enough; `None` for others.
    /// (Whether the event is on the lists is its [`Status`](super::Status).)
    pub fn great(&self, player: &PlayerAnalysis) -> Option<f64> {
        let g_score = player.g_score.filter(|g_score| *g_score >= self.minimum_g_score)?;
        self.has_enough_games(player).then_some(g_score)
    }
}

impl Default for ListSettings {
    fn default() -> ListSettings {
        ListSettings {
            minimum_g_score: crate::tournament::greatness::LIST_THRESHOLD,
            minimum_games: 5,
            minimum_coverage: 0.8,
            minimum_coverage_of_performances: 0.75,
            tempo: vec![Tempo::Classical],
        }
    }
}

/// A settings file that cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// It cannot be read.
    #[error("{path}: cannot be read: {error}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// It is no TOML of this shape; the messages name line and key.
    #[error("{}", lines(path, errors))]
    Toml {
        /// The file.
        path: String,
        /// What is wrong, and where: all of it.
        errors: Vec<toml::de::Error>,
    },
    /// There is neither an input nor bundled data.
    #[error("nothing to read: no input is given and the bundled data is not at {0}")]
    NoInput(String),
}

/// Errors of a file, one below the other, with what was probably meant.
fn lines(path: &str, errors: &[toml::de::Error]) -> String {
    let told = errors.iter().map(|error| {
        let hint = for_unknown_key(error.message());
        format!("{path}: {}{hint}", readable(&error.to_string()))
    });
    let told: Vec<String> = told.collect();
    match told.len() {
        1 => told.concat(),
        count => format!("{count} settings cannot be used:\n{}", told.join("\n")),
    }
}

/// The bundled tables of turns.
const TURNS: &str = "turns.parquet";
const TURNS_OF_EARLIER: &str = "turns-of-earlier-matches.parquet";

impl Settings {
    /// Fills empty inputs from the bundled data.
    ///
    /// Games, and with them ratings, aliases and decisions; own games without own ratings use the
    /// bundled ratings and aliases too, but not decisions, which are about the bundled games.
    ///
    /// # Errors
    ///
    /// Where there are no games given and the bundled data is not there.
    pub fn with_bundled_data(mut self, data: &Path) -> Result<Settings, SettingsError> {
        let input = &mut self.input;
        if input.pgn.is_empty() {
            let games = data.join("games");
            if !games.is_dir() {
                return Err(SettingsError::NoInput(games.display().to_string()));
            }
            input.pgn.push(games);
            let decisions = data.join("decisions");
            if input.decisions.is_empty() && decisions.is_dir() {
                input.decisions.push(decisions);
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
        let published = data.join("published").join("pra-g-scores.csv");
        if input.published.is_empty() && published.is_file() {
            input.published.push(published);
        }
        // Whatever lists are given, a collection proves nothing about who led the world.
        let leaders = data.join("ratings").join("fide-top-twenty.csv");
        if input.leaders.is_empty() && leaders.is_file() {
            input.leaders.push(leaders);
        }
        for (paths, folder) in [(&mut input.ratings, "ratings"), (&mut input.aliases, "players")] {
            let folder = data.join(folder);
            if paths.is_empty() && folder.is_dir() {
                paths.push(folder);
            }
        }
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
    fn unknown_keys_are_refused_with_their_line() {
        let error = toml::from_str::<Settings>("[lists]\nminimum_games = 5\nmaximum = 3\n")
            .unwrap_err()
            .to_string();
        assert!(error.contains("line 3") && error.contains("unknown field `maximum`"), "{error}");
    }
}
