//! Runs a UCI engine as a child process, with a time limit on every wait.

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use thiserror::Error;

use super::turns::EnginePosition;
use super::uci::{Depths, Info, Valued};

/// The settings of an engine. Engines with the same name and the same settings give the same
/// values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The program: a path, or a name on `PATH`.
    pub program: PathBuf,
    /// Largest number of nodes of a search.
    pub nodes: u32,
    /// Number of moves valued in each position (MultiPV).
    pub multipv: usize,
    /// Hash memory (MB). Values do not depend on it, because each search starts with an empty hash
    /// table.
    pub hash: u32,
    /// How long an engine may take to start. A search may take as long, plus 1 s per 20,000 nodes.
    /// Default: a minute, because an engine that loads its network while all processors are busy,
    /// from a slow disk, took more than ten seconds.
    pub patience: Duration,
}

impl EngineSettings {
    /// Default number of nodes. Measured with five moves: players rated 2400 and 2700 are 5.9
    /// standard errors apart after 1,000 turns, with 20,000 nodes only 2.0. 100,000 nodes cost
    /// twice as much and separate no better.
    pub const NODES: u32 = 50_000;
    /// Default number of moves. Measured with 50,000 nodes: 10 moves separate the same players by
    /// 2.5 standard errors, because the search is a ply less deep.
    pub const MULTIPV: usize = 5;

    /// Makes the default settings for a program.
    pub fn new(program: impl Into<PathBuf>) -> EngineSettings {
        EngineSettings {
            program: program.into(),
            nodes: EngineSettings::NODES,
            multipv: EngineSettings::MULTIPV,
            hash: 16,
            patience: Duration::from_secs(60),
        }
    }

    /// The part of an engine's key that the settings determine.
    fn key(&self) -> String {
        format!(
            "Threads 1, Hash {}, MultiPV {}; nodes {}; a new game before each position",
            self.hash, self.multipv, self.nodes
        )
    }

    /// Whether a key belongs to an engine with these settings.
    pub fn fits(&self, key: &str) -> bool {
        key.ends_with(&format!("; {}", self.key()))
    }

    /// Checks that the program exists, without starting it.
    ///
    /// # Errors
    ///
    /// Fails if the program is neither a file nor a name on `PATH`.
    pub fn check_program(&self) -> Result<(), EngineError> {
        self.found_program().map(|_| ())
    }

    fn found_program(&self) -> Result<PathBuf, EngineError> {
        find_program(&self.program).ok_or_else(|| {
            self.start_error(
                "the program was not found. Install a UCI engine (on Debian and Ubuntu: apt-get install stockfish; others: stockfishchess.org) and give its path with --engine".into(),
            )
        })
    }

    fn start_error(&self, why: String) -> EngineError {
        EngineError {
            program: self.program.display().to_string(),
            fault: EngineFault::Start(why),
            lines: Vec::new(),
            errors: String::new(),
        }
    }
}

/// Number of output lines kept for an error message.
const KEPT_LINES: usize = 20;
/// Number of bytes of standard error kept for an error message.
const KEPT_ERRORS: usize = 4096;
/// Longest wait for the standard error output of a program that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Longest line in bytes; longer lines are cut.
const LONGEST_LINE: u64 = 1 << 16;

/// What went wrong with an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFault {
    /// The engine cannot be started.
    Start(String),
    /// The engine did not answer in time.
    Silent(Duration),
    /// The process ended before it answered.
    Ended,
    /// The answer is invalid.
    Invalid(String),
}

impl fmt::Display for EngineFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineFault::Start(why) => write!(formatter, "cannot be started: {why}"),
            EngineFault::Silent(time) => {
                write!(formatter, "did not answer within {:.1} s", time.as_secs_f64())
            }
            EngineFault::Ended => write!(formatter, "ended unexpectedly"),
            EngineFault::Invalid(what) => {
                write!(formatter, "gave an invalid answer: {what}")
            }
        }
    }
}

/// A fault of an engine, with its last output.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the engine {program} {fault}{}", output(.lines, .errors))]
pub struct EngineError {
    /// The program that was started.
    pub program: String,
    /// What went wrong.
    pub fault: EngineFault,
    /// The last lines of its output.
    pub lines: Vec<String>,
    /// The end of its standard error.
    pub errors: String,
}

fn output(lines: &[String], errors: &str) -> String {
    let mut text = String::new();
    if !lines.is_empty() {
        text.push_str("\n  the last lines of its output:");
        lines.iter().for_each(|line| text.push_str(&format!("\n    {line}")));
    }
    if !errors.trim().is_empty() {
        text.push_str("\n  its standard error:");
        errors.trim().lines().for_each(|line| text.push_str(&format!("\n    {line}")));
    }
    text
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The greatest depth with complete lines.
    pub depth: u32,
    /// The moves, in the engine's order from the best.
    pub lines: Vec<Valued>,
}

/// A running engine process, to which positions are sent.
#[derive(Debug)]
pub struct Engine {
    settings: EngineSettings,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    last: VecDeque<String>,
    errors: Arc<Mutex<String>>,
    /// The thread that keeps the standard error output, until that ends.
    errors_reader: Option<JoinHandle<()>>,
    name: String,
    net: Option<String>,
}

impl Engine {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be started or does not answer like a UCI engine.
    pub fn start(settings: &EngineSettings) -> Result<Engine, EngineError> {
        let program = settings.found_program()?;
        let mut child = spawn(&program).map_err(|error| settings.start_error(error.to_string()))?;
        let errors = Arc::new(Mutex::new(String::new()));
        let (to_lines, lines) = sync_channel(1024);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &to_lines));
        }
        let errors_reader = child.stderr.take().map(|stderr| {
            let errors = Arc::clone(&errors);
            thread::spawn(move || keep_errors(stderr, &errors))
        });
        let stdin = child.stdin.take();
        let mut engine = Engine {
            settings: settings.clone(),
            child,
            stdin,
            lines,
            last: VecDeque::with_capacity(KEPT_LINES),
            errors,
            errors_reader,
            name: String::new(),
            net: None,
        };
        engine.handshake()?;
        Ok(engine)
    }

    fn handshake(&mut self) -> Result<(), EngineError> {
        let patience = self.settings.patience;
        self.say("uci")?;
        let deadline = Instant::now() + patience;
        loop {
            let line = self.line(deadline, patience)?;
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = shortened(name);
            }
            if line == "uciok" {
                break;
            }
        }
        for (option, value) in [
            ("Threads", 1),
            ("Hash", self.settings.hash as usize),
            ("MultiPV", self.settings.multipv),
        ] {
            self.say(&format!("setoption name {option} value {value}"))?;
        }
        self.ready()?;
        // The engine reports its network with the first search.
        self.say("position startpos")?;
        self.say("go depth 1")?;
        let deadline = Instant::now() + patience;
        loop {
            let line = self.line(deadline, patience)?;
            if let Some(net) = net_of(&line) {
                // Newer engines have two networks and report them one by one.
                match &mut self.net {
                    Some(nets) if !nets.split(", ").any(|known| known == net) => {
                        nets.push_str(&format!(", {}", shortened(net)));
                    }
                    Some(_) => {}
                    None => self.net = Some(shortened(net)),
                }
            }
            if line.starts_with("bestmove") {
                return Ok(());
            }
        }
    }

    /// Returns the engine's key, on which values depend: its name and network, its options and the
    /// limit.
    pub fn key(&self) -> String {
        let net = self.net.as_deref().unwrap_or("none");
        format!("{}; net {net}; {}", self.name, self.settings.key())
    }

    /// Searches the best moves of a position. With `only`, it searches that move alone, with a
    /// fraction of the nodes.
    ///
    /// # Errors
    ///
    /// Fails if the engine fails. The engine must not be used again after an error.
    pub fn search(
        &mut self,
        position: &EnginePosition,
        only: Option<&UciMove>,
    ) -> Result<SearchResult, EngineError> {
        // An empty hash table makes values independent of earlier searches.
        self.say("ucinewgame")?;
        self.ready()?;
        self.say(&format!("position fen {} 0 1", position.epd()))?;
        let legal = position.legal();
        let wanted = match only {
            None => {
                self.say(&format!("go nodes {}", self.settings.nodes))?;
                self.settings.multipv.min(legal)
            }
            Some(played) => {
                let nodes = (self.settings.nodes as usize / self.settings.multipv).max(1);
                self.say(&format!("go nodes {nodes} searchmoves {played}"))?;
                1
            }
        };
        let mut depths = Depths::new(wanted);
        let search = Duration::from_secs(u64::from(self.settings.nodes) / 20_000);
        let time = self.settings.patience + search;
        let deadline = Instant::now() + time;
        loop {
            let line = self.line(deadline, time)?;
            if let Some(rest) = line.strip_prefix("bestmove") {
                if rest.trim() == "(none)" {
                    return Err(self.invalid("no best move although there are legal moves"));
                }
                break;
            }
            if let Some(info) = Info::parse(&line) {
                depths.take(info);
            }
        }
        let Some((depth, mut lines)) = depths.deepest() else {
            return Err(self.invalid("no depth with all lines"));
        };
        for line in &mut lines {
            match line.played.to_move(&position.position) {
                // Castling has two notations in UCI.
                Ok(legal) => line.played = UciMove::from_standard(legal),
                Err(_) => {
                    let what = format!("{} is not legal", line.played);
                    return Err(self.invalid(&what));
                }
            }
        }
        for (place, line) in lines.iter().enumerate() {
            let is_other = only.is_some_and(|only| *only != line.played);
            if is_other || lines[..place].iter().any(|other| other.played == line.played) {
                let what = format!("{} was not requested, or is listed twice", line.played);
                return Err(self.invalid(&what));
            }
        }
        Ok(SearchResult { depth, lines })
    }

    fn ready(&mut self) -> Result<(), EngineError> {
        self.say("isready")?;
        let patience = self.settings.patience;
        let deadline = Instant::now() + patience;
        while self.line(deadline, patience)? != "readyok" {}
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), EngineError> {
        let said = match &mut self.stdin {
            Some(stdin) => writeln!(stdin, "{text}").and_then(|()| stdin.flush()).is_ok(),
            None => false,
        };
        if said { Ok(()) } else { Err(self.error(EngineFault::Ended)) }
    }

    fn line(&mut self, deadline: Instant, time: Duration) -> Result<String, EngineError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => {
                if self.last.len() == KEPT_LINES {
                    self.last.pop_front();
                }
                self.last.push_back(shortened(&line));
                // Checked here too, so that an engine that never stops writing cannot delay the
                // time limit.
                if left.is_zero() {
                    return Err(self.error(EngineFault::Silent(time)));
                }
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(self.error(EngineFault::Silent(time))),
            Err(RecvTimeoutError::Disconnected) => Err(self.error(EngineFault::Ended)),
        }
    }

    fn invalid(&self, what: &str) -> EngineError {
        self.error(EngineFault::Invalid(what.to_owned()))
    }

    /// Waits for the end of the standard error output of a program that has ended. What it said
    /// last often explains why. A process that it started may keep the output open, so the wait
    /// has a limit.
    fn wait_for_errors(&self) {
        let begun = Instant::now();
        let Some(reader) = &self.errors_reader else { return };
        while !reader.is_finished() && begun.elapsed() < LAST_WORDS {
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn error(&self, fault: EngineFault) -> EngineError {
        if matches!(fault, EngineFault::Ended) {
            self.wait_for_errors();
        }
        EngineError {
            program: self.settings.program.display().to_string(),
            fault,
            lines: self.last.iter().cloned().collect(),
            errors: self.errors.lock().map(|errors| errors.clone()).unwrap_or_default(),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A responsive engine quits on request; an unresponsive one is killed.
        let _ = self.say("quit");
        self.stdin = None;
        let _ = self.child.kill();
        // The program may be a script that started the engine, so the whole group is killed.
        #[cfg(target_os = "linux")]
        if let Some(group) =
            i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Finds the program of a name: a path, or a file on `PATH`.
fn find_program(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian installs games in a folder that is often not on `PATH`.
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(program)).find(|program| program.is_file())
}

/// Starts a program at low priority, in a separate process group so that Ctrl+C does not reach it.
fn spawn(program: &Path) -> std::io::Result<Child> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let mut nice = Command::new("nice");
        nice.args(["-n", "10"]).arg(program).process_group(0);
        spawn_piped(&mut nice).or_else(|_| spawn_piped(Command::new(program).process_group(0)))
    }
    #[cfg(not(unix))]
    spawn_piped(&mut Command::new(program))
}

fn spawn_piped(command: &mut Command) -> std::io::Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Reads lines until the output ends or the receiver is gone.
fn read_lines(stdout: impl Read, to_lines: &SyncSender<String>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match (&mut stdout).take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        if to_lines.send(line.trim_end().to_owned()).is_err() {
            return;
        }
    }
}

/// Keeps the end of the standard error output.
fn keep_errors(mut stderr: impl Read, errors: &Mutex<String>) {
    let mut bytes = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut bytes) {
        let Ok(mut errors) = errors.lock() else { return };
        errors.push_str(&String::from_utf8_lossy(&bytes[..read]));
        if let Some(more) = errors.len().checked_sub(KEPT_ERRORS) {
            let cut = (more..errors.len()).find(|at| errors.is_char_boundary(*at)).unwrap_or(0);
            errors.drain(..cut);
        }
    }
}

/// Extracts the network from a line like `info string NNUE evaluation using nn-ad9b42354671.nnue
/// enabled`.
fn net_of(line: &str) -> Option<&str> {
    line.strip_prefix("info string NNUE evaluation using ")?.split_ascii_whitespace().next()
}

/// Removes control characters from an engine's text and shortens it to 200 characters.
fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(200).collect()
}
