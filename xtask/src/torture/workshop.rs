//! Performs the steps of a sequence in a temporary folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail, ensure};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::collection::collection;
use super::fault::Fault;
use super::invariants::{files_below, is_whole, same_files, sound_texts, sums_up};
use super::side_input::{decisions, list};
use super::step::Step;

const GAMES: &str = "games.pgn";
const ARCHIVE: &str = "out";
const LISTS: &str = "lists";
const DECISIONS: &str = "decisions.toml";

/// Address space (kilobytes) of every run. Judged: collections of a few hundred games need a
/// hundredth of it, and the threads of a run reserve most of the rest.
const MEMORY: u32 = 8_000_000;

/// Seconds after which a run hangs. Judged: the longest builds of these collections take less than
/// twenty, next to other work.
const LONGEST: &str = "300";

/// What runs the program.
pub struct Workshop {
    pub program: PathBuf,
    /// Whether system calls can be made to fail on this machine.
    pub can_inject: bool,
}

/// What a step did to the archive.
enum Effect {
    Published,
    /// A file of it was damaged.
    Damaged,
    Other,
}

impl Effect {
    /// The effect of a build that may have failed.
    fn of_build(status: ExitStatus) -> Effect {
        match status.code() {
            Some(0 | 2) => Effect::Published,
            _ => Effect::Other,
        }
    }
}

/// How a run ended, and what it said.
struct Outcome {
    status: ExitStatus,
    messages: String,
}

impl Workshop {
    /// Performs the steps at these places, each followed by the checks.
    pub fn perform(&self, steps: &[Step], kept: &[usize]) -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join(LISTS))?;
        for file in [GAMES, DECISIONS] {
            fs::write(folder.path().join(file), "")?;
        }
        let mut is_damaged = false;
        for place in kept {
            let step = steps[*place];
            let effect = self
                .step(folder.path(), step)
                .with_context(|| format!("step {place}, {step:?}"))?;
            // A damaged archive stays so until a build succeeds.
            is_damaged = match effect {
                Effect::Damaged => true,
                Effect::Published => false,
                Effect::Other => is_damaged,
            };
            if !is_damaged {
                is_whole(&folder.path().join(ARCHIVE))
                    .with_context(|| format!("after step {place}, {step:?}"))?;
            }
        }
        Ok(())
    }

    fn step(&self, folder: &Path, step: Step) -> anyhow::Result<Effect> {
        let games = folder.join(GAMES);
        match step {
            Step::Write(seed) => fs::write(games, collection(seed))?,
            Step::Append(seed) => {
                let mut bytes = fs::read(&games)?;
                bytes.extend(collection(seed).into_bytes());
                fs::write(games, bytes)?;
            }
            Step::Damage(seed) => fs::write(&games, damaged(fs::read(&games)?, seed))?,
            Step::Cut(part) => {
                let bytes = fs::read(&games)?;
                fs::write(games, &bytes[..bytes.len() * usize::from(part) / 1000])?;
            }
            Step::Clock(days) => {
                let time = SystemTime::now() - Duration::from_secs(86_400 * u64::from(days));
                File::options().append(true).open(games)?.set_modified(time)?;
            }
            Step::Build(threads) => return self.build(folder, threads),
            Step::Kill(after) => self.interrupt(folder, "KILL", after)?,
            Step::Stop(after) => self.interrupt(folder, "TERM", after)?,
            Step::SmallDisk(blocks) => {
                let limit = format!("ulimit -f {blocks}; exec ");
                let built = self.ordinary(folder, &limit, &build_to(ARCHIVE))?;
                return Ok(Effect::of_build(built.status));
            }
            Step::DamageCache(seed) => {
                damage_a_file(&folder.join("out.cache"), seed)?;
            }
            Step::DamageArchive(seed) => {
                if damage_a_file(&folder.join(ARCHIVE), seed)? {
                    return Ok(Effect::Damaged);
                }
            }
            Step::List(seed) => fs::write(folder.join(LISTS).join("own.csv"), list(seed))?,
            Step::Decide(seed) => {
                let text = decisions(&folder.join(ARCHIVE), seed);
                fs::write(folder.join(DECISIONS), text)?;
            }
            Step::Fault(_) if !self.can_inject => {}
            Step::Fault(fault) => return self.failing_build(folder, fault),
            Step::Check => {
                self.ordinary(folder, "exec ", &["check", GAMES, "--ratings", LISTS])?;
            }
            Step::Ingest => {
                self.ordinary(folder, "exec ", &["ingest", GAMES, "--out", "games.parquet"])?;
            }
        }
        Ok(Effect::Other)
    }

    /// Builds the archive with a cache, and compares it with a build without one on one thread.
    fn build(&self, folder: &Path, threads: u8) -> anyhow::Result<Effect> {
        let threads = threads.to_string();
        let arguments = [&build_to(ARCHIVE)[..], &["--threads", &threads]].concat();
        let built = self.ordinary(folder, "exec ", &arguments)?;
        let fresh = tempfile::tempdir()?;
        let target = fresh.path().join(ARCHIVE).to_string_lossy().into_owned();
        let arguments = [&build_to(&target)[..], &["--no-cache", "--threads", "1"]].concat();
        let again = self.ordinary(folder, "exec ", &arguments)?;
        ensure!(
            built.status.code() == again.status.code(),
            "with a cache {}, without one {}:\n{}\n{}",
            built.status,
            again.status,
            built.messages,
            again.messages
        );
        if built.status.code() == Some(1) {
            return Ok(Effect::Other);
        }
        sums_up(&built.messages)?;
        let archive = folder.join(ARCHIVE);
        sound_texts(&archive)?;
        same_files(&archive, Path::new(&target))?;
        nothing_left(folder)?;
        Ok(Effect::Published)
    }

    /// Builds while a system call fails. What the loader of the program cannot open is not our
    /// matter.
    fn failing_build(&self, folder: &Path, fault: Fault) -> anyhow::Result<Effect> {
        // The calls of each thread are counted, so fewer threads repeat a failure more often.
        let arguments = [&build_to(ARCHIVE)[..], &["--threads", "1"]].concat();
        let output = in_time(self.command(folder, &fault.prefix(), &arguments)).output()?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        // A program of the development profile reads its templates from the sources.
        let lacks_template =
            messages.contains("site/src/templates.rs") && messages.contains(" is missing");
        if lacks_template || messages.contains("error while loading shared libraries") {
            return Ok(Effect::Other);
        }
        ensure!(!messages.contains("panicked at"), "{messages}");
        ensure!(matches!(code, Some(0..=2)), "{}:\n{messages}", output.status);
        let must_speak = code == Some(1) && !fault.silences();
        ensure!(!must_speak || !messages.is_empty(), "failed without a message");
        Ok(Effect::of_build(output.status))
    }

    /// Starts a build and sends a signal to it.
    fn interrupt(&self, folder: &Path, signal: &str, after: u16) -> anyhow::Result<()> {
        let mut run = self
            .command(folder, "exec ", &build_to(ARCHIVE))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        std::thread::sleep(Duration::from_millis(after.into()));
        // It may have ended already.
        Command::new("kill")
            .args([&format!("-{signal}"), &run.id().to_string()])
            .stderr(Stdio::null())
            .status()?;
        run.wait()?;
        Ok(())
    }

    /// Runs the program, which may succeed or report an error.
    fn ordinary(&self, folder: &Path, limit: &str, arguments: &[&str]) -> anyhow::Result<Outcome> {
        let output = in_time(self.command(folder, limit, arguments)).output()?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        if !matches!(output.status.code(), Some(0..=2)) || messages.contains("panicked at") {
            bail!("{} ended with {}:\n{messages}", arguments.join(" "), output.status);
        }
        let has_message = messages
            .lines()
            .any(|line| line.starts_with("greatness: ") || line.starts_with("error"));
        ensure!(
            output.status.code() != Some(1) || has_message,
            "{} failed without a message",
            arguments.join(" ")
        );
        Ok(Outcome { status: output.status, messages })
    }

    fn command(&self, folder: &Path, before: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {MEMORY}; {before}\"$0\" \"$@\"");
        command.args(["-c", &script]).arg(&self.program).args(arguments).current_dir(folder);
        command
    }
}

/// The command, which is ended with exit code 124 if it takes longer than [`LONGEST`].
fn in_time(command: Command) -> Command {
    let mut limited = Command::new("timeout");
    limited.args(["--kill-after=10", LONGEST]).arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        limited.current_dir(folder);
    }
    limited
}

fn build_to(target: &str) -> [&str; 9] {
    let beside = ["--ratings", LISTS, "--decisions", DECISIONS];
    let [ratings, lists, decisions, file] = beside;
    ["build", GAMES, ratings, lists, decisions, file, "--replace", "--out", target]
}

/// The bytes with one to eight changes: another byte, a removed part, an inserted or repeated one.
fn damaged(mut bytes: Vec<u8>, seed: u64) -> Vec<u8> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    for _ in 0..random.random_range(1..=8) {
        if bytes.is_empty() {
            break;
        }
        let start = random.random_range(0..bytes.len());
        let end = (start + random.random_range(1..400)).min(bytes.len());
        match random.random_range(0..4) {
            0 => bytes[start] = random.random(),
            1 => drop(bytes.drain(start..end)),
            2 => {
                let part = bytes[start..end].to_vec();
                bytes.splice(start..start, part);
            }
            _ => {
                let noise: Vec<u8> =
                    (0..random.random_range(1..40)).map(|_| random.random()).collect();
                bytes.splice(start..start, noise);
            }
        }
    }
    bytes
}

/// Changes a byte of a file of a folder, cuts the file, or removes it. Returns whether there was
/// one.
///
/// The marks by which a build recognises an archive stay. Without them it is a foreign folder,
/// which a build refuses to replace.
fn damage_a_file(folder: &Path, seed: u64) -> anyhow::Result<bool> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut files = files_below(folder)?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default();
        !name.to_string_lossy().starts_with("greatness-archive")
    });
    if files.is_empty() {
        return Ok(false);
    }
    let file = &files[random.random_range(0..files.len())];
    let mut bytes = fs::read(file)?;
    match random.random_range(0..3) {
        0 if !bytes.is_empty() => {
            let place = random.random_range(0..bytes.len());
            bytes[place] ^= 1 << random.random_range(0..8);
            fs::write(file, bytes)?;
        }
        1 => {
            bytes.truncate(random.random_range(0..=bytes.len()));
            fs::write(file, bytes)?;
        }
        _ => fs::remove_file(file)?,
    }
    Ok(true)
}

/// After a whole build, only the archive, its cache and what the steps wrote are in the folder.
fn nothing_left(folder: &Path) -> anyhow::Result<()> {
    let known =
        [LISTS, DECISIONS, GAMES, "games.parquet", "diagnostics.csv", "doubtful-names.toml"];
    let written = [ARCHIVE, "out.cache"];
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        ensure!(
            known.contains(&name.as_str()) || written.contains(&name.as_str()),
            "left behind: {name}"
        );
    }
    Ok(())
}
