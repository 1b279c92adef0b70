//! Implements `greatness intrinsic calibrate`: calibrates an engine.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::super::build::report;
use super::super::inputs::{ConfigArguments, NameArguments};
use super::super::logging;
use super::super::output::{counted, outln, write_atomically};
use super::super::progress::Terminal;
use super::super::{CommandOutcome, bundled_data};
use super::engine::{EngineFlags, engine_answers};
use super::run::outcome;
use super::selection::chosen_events;
use crate::archive::{Grouped, Selected};
use crate::intrinsic::{
    AnsweredGame, AnsweredTurn, Calibration, CandidateGame, EnginePosition, FIRST_MOVE,
    GameOfEvent, GameTurns, MILEPOSTS, RatedTurns, TURNS_OF_A_SIDE, Terms, Turn, TurnTable,
    TurnValues, calibrate, candidates, collect, games_of, reference_path, sample_turns,
};
use crate::parquet::write_turns;
use crate::pgn::ReadOptions;
use crate::source::{Wanted, find};

/// Calibrate an engine: convert its error measure to Elo points
///
/// The engine analyses turns of players rated about 2200, 2300 ... 2700. From 2500 upwards, the
/// turns come from whole events of the collections; below 2500, from games of players with few
/// games. A line is fitted to these ratings and to the errors that each skill predicts on the same
/// reference turns. Intrinsic ratings are read off this line.
#[derive(Debug, Args)]
pub(super) struct CalibrateArguments {
    /// Game collections with moves and ratings, or folders of them
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    engine: EngineFlags,
    /// Number of turns for each rating
    #[arg(long, value_name = "N", default_value_t = 2_400, value_parser = clap::value_parser!(u32).range(100..=100_000))]
    turns: u32,
    /// Events from which the reference turns are drawn, if no reference.epd exists next to the
    /// calibration
    #[arg(
        long,
        value_name = "ID,...",
        value_delimiter = ',',
        default_value = "san-luis-2005,kramnik-topalov-elista-2006,mexico-city-2007"
    )]
    reference: Vec<String>,
    /// Scale of differences in value (A, in pawns)
    #[arg(long, value_name = "PAWNS", default_value_t = 1.0)]
    scale: f64,
    /// How much worse than the last listed move (in scaled pawns) the moves count that the engine
    /// did not list
    #[arg(long, value_name = "PAWNS", default_value_t = Terms::default().tail)]
    tail: f64,
    /// Calibration file to write. The values of the reference turns (CALIBRATION-reference.parquet)
    /// and their positions (reference.epd) are written next to it
    #[arg(long, value_name = "FILE", default_value = "calibration.toml")]
    out: PathBuf,
}

/// The number of reference turns. Judged: the error of a mean over them falls with the square root
/// of the number, so a quarter of them would double it; four times as many take four times as long.
const REFERENCE: usize = 2_000;
/// The percentage of drawn turns that are expected to be in decided positions, which do not count.
/// Judged: half of it would often leave too few turns; twice as much only costs time.
const DECIDED: usize = 15;

impl CalibrateArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        if !(self.scale > 0.0 && self.scale <= 100.0 && self.tail > 0.0 && self.tail <= 10.0) {
            bail!("--scale must be above 0 and at most 100, --tail above 0 and at most 10");
        }
        self.engine.check_engine()?;
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let settings = settings.with_bundled_data(&bundled_data()?)?;
        self.engine.refuse_cache(&self.out)?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
        let Grouped { games, events, .. } = games.group(settings.events, &mut diagnostics);
        report(&diagnostics);
        let files = find(&settings.input.pgn, Wanted::Games, &mut Vec::new());
        let options = ReadOptions { limits: settings.input.limits, ..ReadOptions::default() };
        let turns_of =
            |wanted: &[GameOfEvent]| collect(wanted, &games.table, &files, options, FIRST_MOVE);

        let epd = self.out.with_file_name("reference.epd");
        let reference = if epd.is_file() {
            read_reference(&epd)?
        } else {
            let chosen = chosen_events(&events, &self.reference).context(
                "the reference turns are drawn from these events; give others with --reference",
            )?;
            drawn_reference(turns_of(&games_of(&chosen, &games.players)))
        };
        let pools = candidates(&games.table, &games.rows, &events, &games.players);
        let (asked, sets) = self.questions(reference, &pools, &turns_of);

        let terms = Terms { scale_pawns: self.scale, tail: self.tail, ..Terms::default() };
        let (key, answers, is_whole) = engine_answers(&self.engine, &asked, &terms)?;
        let kept: Vec<(Turn, AnsweredTurn)> = asked[0]
            .turns
            .iter()
            .zip(&answers[0])
            .filter(|(_, answer)| answer.left_out.is_none())
            .map(|(turn, answer)| (turn.clone(), answer.clone()))
            .take(REFERENCE)
            .collect();
        let sets: Vec<RatedTurns> = sets
            .into_iter()
            .map(|TurnsOfMilepost { milepost, games }| RatedTurns {
                elo: milepost.into(),
                games: answers[games].iter().map(|game| values(game)).collect(),
            })
            .filter(|set: &RatedTurns| set.games.iter().any(|game| !game.is_empty()))
            .collect();
        if kept.len() < REFERENCE {
            bail!(
                "nothing was written: only {} of {REFERENCE} reference turns were found; give more events with --reference",
                kept.len()
            );
        }
        let reference: Vec<AnsweredTurn> = kept.iter().map(|(_, answer)| answer.clone()).collect();
        let found = calibrate(&key, &sets, &values(&reference), terms);
        self.write(&found, &key, kept, reference, &epd)?;
        print(&found);
        Ok(outcome(&diagnostics, is_whole))
    }

    /// The games to ask the engine about: the reference turns as the first, then those of players
    /// near each milepost.
    fn questions(
        &self,
        reference: Vec<Turn>,
        pools: &[Vec<CandidateGame>],
        turns_of: &dyn Fn(&[GameOfEvent]) -> Vec<GameTurns>,
    ) -> (Vec<GameTurns>, Vec<TurnsOfMilepost>) {
        let mut asked = vec![as_game(0, reference)];
        let mut sets = Vec::new();
        // More turns than are needed, because some of them prove to be decided.
        let wanted = self.turns as usize * (100 + DECIDED) / 100;
        for (milepost, pool) in MILEPOSTS.into_iter().zip(pools) {
            let pool: Vec<_> = pool.iter().take(wanted / 5).collect();
            let rows: Vec<GameOfEvent> =
                pool.iter().map(|candidate| candidate.game.clone()).collect();
            let found = turns_of(&rows);
            let (first, mut turns) = (asked.len(), 0);
            for candidate in pool {
                if turns >= wanted {
                    break;
                }
                let game = found.iter().find(|game| game.game.row == candidate.game.row);
                let Some(mut game) = game.cloned() else { continue };
                sample_turns(&mut game, &[candidate.is_white], TURNS_OF_A_SIDE);
                turns += game.turns.len();
                asked.push(game);
            }
            logging::say(&format!(
                "{milepost}: {} from {}",
                counted(turns, "turn"),
                counted(asked.len() - first, "game")
            ));
            sets.push(TurnsOfMilepost { milepost, games: first..asked.len() });
        }
        (asked, sets)
    }

    fn write(
        &self,
        found: &Calibration,
        key: &str,
        kept: Vec<(Turn, AnsweredTurn)>,
        reference: Vec<AnsweredTurn>,
        epd: &Path,
    ) -> anyhow::Result<()> {
        if !epd.is_file() {
            let lines =
                kept.iter().filter_map(|(turn, _)| EnginePosition::unpacked(&turn.position));
            let lines: Vec<String> = lines.map(|asked| asked.epd()).collect();
            write_atomically(epd, |temporary| {
                Ok(std::fs::write(temporary, lines.join("\n") + "\n")?)
            })?;
        }
        let path = reference_path(&self.out);
        let table = TurnTable { engine: key.to_owned(), games: vec![reference_game(reference)] };
        write_atomically(&path, |path| Ok(write_turns(&table, path)?))?;
        write_atomically(&self.out, |temporary| Ok(std::fs::write(temporary, found.text())?))?;
        outln!("{}, {} and {}", self.out.display(), path.display(), epd.display());
        Ok(())
    }
}

/// The turns of players rated near a milepost.
struct TurnsOfMilepost {
    /// Their rating (points).
    milepost: u16,
    /// The places of their games among those that the engine is asked about.
    games: Range<usize>,
}

/// The values of the turns that count.
fn values(answers: &[AnsweredTurn]) -> Vec<TurnValues> {
    let counted = answers.iter().filter(|answer| answer.left_out.is_none());
    counted.filter_map(|answer| answer.values.clone()).collect()
}

/// Draws the reference turns from games: more than are needed, because some prove to be decided.
fn drawn_reference(mut games: Vec<GameTurns>) -> Vec<Turn> {
    games.iter_mut().for_each(|game| sample_turns(game, &[true, false], TURNS_OF_A_SIDE));
    let mut turns: Vec<Turn> = games.into_iter().flat_map(|game| game.turns).collect();
    turns.sort_by_key(|turn| turn.position);
    turns.dedup_by_key(|turn| turn.position);
    turns.shuffle(&mut Pcg64Mcg::seed_from_u64(8));
    turns.truncate(REFERENCE * (100 + 2 * DECIDED) / 100);
    // Every skill is measured on the same positions, independently of the moves that were played in
    // them.
    turns.iter_mut().for_each(|turn| turn.played = None);
    turns
}

/// Stores the reference turns as a game without players.
fn reference_game(turns: Vec<AnsweredTurn>) -> AnsweredGame {
    let none: Arc<str> = "".into();
    AnsweredGame {
        event: "reference".into(),
        year: None,
        white: Arc::clone(&none),
        black: none,
        number: 1,
        fingerprint: 0,
        turns,
    }
}

/// Presents turns that belong to no particular game as a game.
fn as_game(row: usize, turns: Vec<Turn>) -> GameTurns {
    let none: Arc<str> = "".into();
    let game = GameOfEvent {
        event: Arc::clone(&none),
        white: Arc::clone(&none),
        black: none,
        number: 1,
        row,
    };
    GameTurns { game, year: None, fingerprint: 0, turns, illegal: 0 }
}

/// Reads the reference turns from a file of positions. The moves that were played do not matter.
fn read_reference(path: &Path) -> anyhow::Result<Vec<Turn>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let asked = EnginePosition::of_epd(line)
                .with_context(|| format!("{}:{number}: not a position in EPD", path.display()))?;
            Ok(Turn {
                ply: 0,
                is_white: true,
                position: asked.key(),
                legal: u8::try_from(asked.legal()).unwrap_or(u8::MAX),
                played: None,
                left_out: None,
            })
        })
        .collect()
}

fn print(found: &Calibration) {
    outln!("{}", found.engine);
    if let (Some(line), Some(r)) = (found.line, found.correlation) {
        outln!(
            "IPR = {:.0} {:+.0} AE, r = {r:.3}; c = {:.3}, F = {:.2}",
            line.intercept,
            line.slope,
            found.consistency,
            found.factor
        );
    }
    for milepost in &found.milepost {
        outln!(
            "{:.0}: {:.0} from {} of {}; s {:.4}, expected error {:.4}, best move {:.1}% (expected {:.1}%)",
            milepost.elo,
            milepost.rating,
            counted(milepost.turns, "turn"),
            counted(milepost.games, "game"),
            milepost.sensitivity,
            milepost.error_expected,
            milepost.matches,
            milepost.matches_expected
        );
    }
    match found.provisional.as_slice() {
        [] => outln!("accepted"),
        doubts => outln!("provisional: {}", doubts.join("; ")),
    }
}
