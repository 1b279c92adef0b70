//! Calibrating an engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::super::build::report;
use super::super::inputs::{Config, Names};
use super::super::logging;
use super::super::output::{put, tell};
use super::super::progress::Terminal;
use super::super::{Outcome, bundled_data};
use super::run::{EngineFlags, chosen, engine_answers};
use crate::archive::{Grouped, Selected};
use crate::intrinsic::{
    AnsweredGame, AnsweredTurn, Calibration, EnginePosition, FIRST_MOVE, GameOfEvent, GameTurns,
    MILEPOSTS, RatedTurns, TURNS_OF_A_SIDE, Terms, Turn, TurnTable, TurnValues, calibrate,
    candidates, collect, games_of, reference_path, sample_turns,
};
use crate::pgn::ReadOptions;
use crate::source::{Severity, Wanted, find};
use crate::tables::write_turns;

/// Work out what an engine's errors mean in Elo points.
///
/// Turns of players rated about 2200, 2300 ... 2700 are analysed: from 2500 on out of whole events of the collections, below out of games of players who have
/// few. The line through their ratings and the errors that their skill lets expect on the same reference turns is what ratings are read off.
#[derive(Debug, Args)]
pub(super) struct Calibrate {
    /// Game collections with moves and ratings, or folders of them
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    engine: EngineFlags,
    /// Turns of each rating
    #[arg(long, value_name = "N", default_value_t = 2_400, value_parser = clap::value_parser!(u32).range(100..=100_000))]
    turns: u32,
    /// Events from which the reference turns are drawn, where there is no reference.epd beside the calibration yet
    #[arg(
        long,
        value_name = "ID,...",
        value_delimiter = ',',
        default_value = "san-luis-2005,kramnik-topalov-elista-2006,mexico-city-2007"
    )]
    reference: Vec<String>,
    /// Scale of differences (A, in pawns)
    #[arg(long, value_name = "PAWNS", default_value_t = 1.0)]
    scale: f64,
    /// How much worse (scaled) than the last listed the other moves count
    #[arg(long, value_name = "PAWNS", default_value_t = Terms::default().tail)]
    tail: f64,
    /// The calibration to write; beside it stand the values of the reference turns (CALIBRATION-reference.parquet) and their positions (reference.epd)
    #[arg(long, value_name = "FILE", default_value = "calibration.toml")]
    out: PathBuf,
}

/// Reference turns.
const REFERENCE: usize = 2_000;
/// Of the turns that are drawn so many (in percent) are found to be decided.
const DECIDED: usize = 15;

impl Calibrate {
    pub fn run(self) -> anyhow::Result<Outcome> {
        if !(self.scale > 0.0 && self.scale <= 100.0 && self.tail > 0.0 && self.tail <= 10.0) {
            bail!("--scale lies between 0 and 100, --tail between 0 and 10");
        }
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let settings = settings.with_bundled_data(&bundled_data()?)?;
        self.engine.refuse_cache(&self.out)?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings, &Terminal::new(), &mut diagnostics)?;
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
            let chosen = chosen(&events, &self.reference)
                .context("the reference turns need these events; --reference names others")?;
            let mut drawn = turns_of(&games_of(&chosen, &games.players));
            drawn.iter_mut().for_each(|game| sample_turns(game, &[true, false], TURNS_OF_A_SIDE));
            // More than are needed: those that are decided fall away.
            let mut turns: Vec<Turn> = drawn.into_iter().flat_map(|game| game.turns).collect();
            turns.sort_by_key(|turn| turn.position);
            turns.dedup_by_key(|turn| turn.position);
            turns.shuffle(&mut Pcg64Mcg::seed_from_u64(8));
            turns.truncate(REFERENCE * (100 + 2 * DECIDED) / 100);
            // The same questions for everybody: what was answered then does not matter.
            turns.iter_mut().for_each(|turn| turn.played = None);
            turns
        };
        let mut asked = vec![as_game(0, reference)];

        // Games enough that their turns suffice.
        let wanted = self.turns as usize * (100 + DECIDED) / 100;
        let pools = candidates(&games.table, &games.rows, &events, &games.players);
        let mut sets: Vec<(u16, usize, usize)> = Vec::new();
        for (milepost, pool) in MILEPOSTS.into_iter().zip(&pools) {
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
            logging::say(&format!("{milepost}: {turns} turns of {} games", asked.len() - first));
            sets.push((milepost, first, asked.len()));
        }

        let terms = Terms { scale_pawns: self.scale, tail: self.tail, ..Terms::default() };
        let (key, answers, is_whole) = engine_answers(&self.engine, &asked, &terms)?;
        let values = |answers: &[AnsweredTurn]| -> Vec<TurnValues> {
            let counted = answers.iter().filter(|answer| answer.left_out.is_none());
            counted.filter_map(|answer| answer.values.clone()).collect()
        };
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
            .map(|(milepost, first, end)| RatedTurns {
                elo: milepost.into(),
                games: answers[first..end].iter().map(|game| values(game)).collect(),
            })
            .filter(|set: &RatedTurns| set.games.iter().any(|game| !game.is_empty()))
            .collect();
        if kept.len() < REFERENCE {
            bail!(
                "{} of {REFERENCE} reference turns could be had, and nothing was written: --reference names more events",
                kept.len()
            );
        }
        let reference: Vec<AnsweredTurn> = kept.iter().map(|(_, answer)| answer.clone()).collect();
        let found = calibrate(&key, &sets, &values(&reference), terms);
        self.write(&found, &key, kept, reference, &epd)?;
        tell(&found);
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        Ok(if unread || !is_whole { Outcome::DoneWithUnreadInput } else { Outcome::Done })
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
            put(epd, |beside| Ok(std::fs::write(beside, lines.join("\n") + "\n")?))?;
        }
        let path = reference_path(&self.out);
        let table = TurnTable { engine: key.to_owned(), games: vec![reference_game(reference)] };
        put(&path, |path| Ok(write_turns(&table, path)?))?;
        put(&self.out, |beside| Ok(std::fs::write(beside, found.text())?))?;
        tell!("{}, {} and {}", self.out.display(), path.display(), epd.display());
        Ok(())
    }
}

/// The reference turns as one game of nobody.
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

/// Turns that belong to no game in particular.
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

/// The reference turns of a file of positions; what was played in them does not matter.
fn read_reference(path: &Path) -> anyhow::Result<Vec<Turn>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let asked = EnginePosition::of_epd(line)
                .with_context(|| format!("{}:{number}: is no position", path.display()))?;
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

/// The calibration for people.
fn tell(found: &Calibration) {
    tell!("{}", found.engine);
    if let (Some(line), Some(r)) = (found.line, found.correlation) {
        tell!(
            "IPR = {:.0} {:+.0} AE, r = {r:.3}; c = {:.3}, F = {:.2}",
            line.intercept,
            line.slope,
            found.consistency,
            found.factor
        );
    }
    for milepost in &found.milepost {
        tell!(
            "{:.0}: {:.0} from {} turns of {} games; s {:.4}, error expected {:.4}, best move {:.1}% (expected {:.1}%)",
            milepost.elo,
            milepost.rating,
            milepost.turns,
            milepost.games,
            milepost.sensitivity,
            milepost.error_expected,
            milepost.matches,
            milepost.matches_expected
        );
    }
    match found.provisional.as_slice() {
        [] => tell!("accepted"),
        doubts => tell!("provisional: {}", doubts.join("; ")),
    }
}
