//! An engine: a process that speaks UCI, with a limit on every wait.

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use thiserror::Error;

use super::turns::EnginePosition;
use super::uci::{Depths, Info, Valued};

/// How an engine is asked. Two engines that are asked alike and call themselves alike give the same values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The program: a path, or a name on PATH.
    pub program: PathBuf,
    /// Nodes that a search may visit.
    pub nodes: u32,
    /// Moves that are valued in each position (Multi-PV).
    pub multipv: usize,
    /// Memory of a search (MB). The values do not depend on it, since each search begins with it empty.
    pub hash: u32,
    /// How long an engine may take to start; a search may take three times as long, and a second for each 20,000 nodes more.
    pub patience: Duration,
}

impl EngineSettings {
    /// Nodes a search may visit, unless something else is said.
    pub const NODES: u32 = 50_000;
    /// Moves that are valued, unless something else is said.
    pub const MULTIPV: usize = 5;

    /// A program with the usual settings.
    pub fn of(program: impl Into<PathBuf>) -> EngineSettings {
        EngineSettings {
            program: program.into(),
            nodes: EngineSettings::NODES,
            multipv: EngineSettings::MULTIPV,
            hash: 16,
            patience: Duration::from_secs(10),
        }
    }

    /// What of an engine's key is said here.
    fn key(&self) -> String {
        format!(
            "Threads 1, Hash {}, MultiPV {}; nodes {}; a new game before each position",
            self.hash, self.multipv, self.nodes
        )
    }

    /// Whether a key is of an engine that was asked so.
    pub fn fits(&self, key: &str) -> bool {
        key.ends_with(&format!("; {}", self.key()))
    }

    fn search_time(&self) -> Duration {
        3 * self.patience + Duration::from_secs(u64::from(self.nodes) / 20_000)
    }
}

/// Lines of an engine that are kept for a report.
const KEPT_LINES: usize = 20;
/// Bytes of its standard error that are kept.
const KEPT_ERRORS: usize = 4096;
/// Bytes of a line; what is longer is cut.
const LONGEST_LINE: u64 = 1 << 16;

/// What went wrong with an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFault {
    /// It cannot be started.
    Start(String),
    /// It did not answer in time.
    Silent(Duration),
    /// It ended.
    Ended,
    /// Its answer makes no sense.
    Garbage(String),
}

impl fmt::Display for EngineFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineFault::Start(why) => write!(formatter, "cannot be started: {why}"),
            EngineFault::Silent(time) => {
                write!(formatter, "did not answer within {:.1} s", time.as_secs_f64())
            }
            EngineFault::Ended => write!(formatter, "ended by itself"),
            EngineFault::Garbage(what) => {
                write!(formatter, "answered with what makes no sense: {what}")
            }
        }
    }
}

/// A fault, with the last that the engine said.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the engine {program} {fault}{}", said(.lines, .errors))]
pub struct EngineError {
    /// The program.
    pub program: String,
    /// What went wrong.
    pub fault: EngineFault,
    /// The last lines that it wrote.
    pub lines: Vec<String>,
    /// The end of what it wrote to its standard error.
    pub errors: String,
}

fn said(lines: &[String], errors: &str) -> String {
    let mut text = String::new();
    if !lines.is_empty() {
        text.push_str("\n  its last lines:");
        lines.iter().for_each(|line| text.push_str(&format!("\n    {line}")));
    }
    if !errors.trim().is_empty() {
        text.push_str("\n  its standard error:");
        errors.trim().lines().for_each(|line| text.push_str(&format!("\n    {line}")));
    }
    text
}

/// What an engine found in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The deepest depth all lines of which were seen.
    pub depth: u32,
    /// The moves, the best first as the engine has them.
    pub lines: Vec<Valued>,
}

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    settings: EngineSettings,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    last: VecDeque<String>,
    errors: Arc<Mutex<String>>,
    name: String,
    net: Option<String>,
}

impl Engine {
    /// Starts an engine, and tells it how it will be asked.
    ///
    /// # Errors
    ///
    /// Where it cannot be started, or does not answer as a UCI engine does.
    pub fn start(settings: &EngineSettings) -> Result<Engine, EngineError> {
        let failed = |why: String| EngineError {
            program: settings.program.display().to_string(),
            fault: EngineFault::Start(why),
            lines: Vec::new(),
            errors: String::new(),
        };
        let program = found(&settings.program).ok_or_else(|| {
            failed(
                "there is no such program. Any UCI engine will do; Debian and Ubuntu have one (apt-get install stockfish), others are at stockfishchess.org; --engine says where it is".into(),
            )
        })?;
        let mut child = spawn(&program).map_err(|error| failed(error.to_string()))?;
        let errors = Arc::new(Mutex::new(String::new()));
        let (to_lines, lines) = sync_channel(1024);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, &to_lines));
        }
        if let Some(stderr) = child.stderr.take() {
            let errors = Arc::clone(&errors);
            thread::spawn(move || keep_errors(stderr, &errors));
        }
        let stdin = child.stdin.take();
        let mut engine = Engine {
            settings: settings.clone(),
            child,
            stdin,
            lines,
            last: VecDeque::with_capacity(KEPT_LINES),
            errors,
            name: String::new(),
            net: None,
        };
        engine.greet()?;
        Ok(engine)
    }

    fn greet(&mut self) -> Result<(), EngineError> {
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
        // An engine says with its first search which net it uses.
        self.say("position startpos")?;
        self.say("go depth 1")?;
        let deadline = Instant::now() + patience;
        loop {
            let line = self.line(deadline, patience)?;
            if let Some(net) = net_of(&line) {
                // Newer engines have two, and tell them one by one.
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

    /// What values depend on, as text: the engine's name and net, its options, the limit.
    pub fn key(&self) -> String {
        let net = self.net.as_deref().unwrap_or("none");
        format!("{}; net {net}; {}", self.name, self.settings.key())
    }

    /// The best moves of a position, or the value of one of its moves alone, with a part of the nodes.
    ///
    /// # Errors
    ///
    /// Where it fails; then it must not be asked again.
    pub fn search(
        &mut self,
        asked: &EnginePosition,
        only: Option<&UciMove>,
    ) -> Result<SearchResult, EngineError> {
        // An empty memory: the same values whatever was asked before.
        self.say("ucinewgame")?;
        self.ready()?;
        self.say(&format!("position fen {} 0 1", asked.epd()))?;
        let legal = asked.legal();
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
        let mut depths = Depths::of(wanted);
        let time = self.settings.search_time();
        let deadline = Instant::now() + time;
        loop {
            let line = self.line(deadline, time)?;
            if let Some(rest) = line.strip_prefix("bestmove") {
                if rest.trim() == "(none)" {
                    return Err(self.garbage("no move where there are moves"));
                }
                break;
            }
            if let Some(info) = Info::of(&line) {
                depths.take(info);
            }
        }
        let Some((depth, mut lines)) = depths.deepest() else {
            return Err(self.garbage("no depth with all its lines"));
        };
        for line in &mut lines {
            match line.played.to_move(&asked.position) {
                // Castling is written in two ways.
                Ok(legal) => line.played = UciMove::from_standard(legal),
                Err(_) => {
                    let what = format!("{} is not legal", line.played);
                    return Err(self.garbage(&what));
                }
            }
        }
        for (place, line) in lines.iter().enumerate() {
            let is_other = only.is_some_and(|only| *only != line.played);
            if is_other || lines[..place].iter().any(|other| other.played == line.played) {
                let what = format!("{} was not asked for, or twice", line.played);
                return Err(self.garbage(&what));
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
                // An engine that writes without end must not be waited for without end.
                if left.is_zero() {
                    return Err(self.error(EngineFault::Silent(time)));
                }
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(self.error(EngineFault::Silent(time))),
            Err(RecvTimeoutError::Disconnected) => Err(self.error(EngineFault::Ended)),
        }
    }

    fn garbage(&self, what: &str) -> EngineError {
        self.error(EngineFault::Garbage(what.to_owned()))
    }

    fn error(&self, fault: EngineFault) -> EngineError {
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
        // One that still listens goes by itself; one that does not is not waited for.
        let _ = self.say("quit");
        self.stdin = None;
        let _ = self.child.kill();
        // It may be a script that started the engine.
        #[cfg(target_os = "linux")]
        if let Some(group) =
            i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// The program that a name means: a path, or one on PATH.
fn found(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian keeps games where a PATH often does not look.
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(program)).find(|program| program.is_file())
}

/// Starts a program that gives way to others, and does not hear the keys that stop us.
fn spawn(program: &Path) -> std::io::Result<Child> {
    let piped = |command: &mut Command| {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let mut nice = Command::new("nice");
        nice.args(["-n", "10"]).arg(program).process_group(0);
        piped(&mut nice).or_else(|_| piped(Command::new(program).process_group(0)))
    }
    #[cfg(not(unix))]
    piped(&mut Command::new(program))
}

/// Reads lines until there are no more, or nobody listens.
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

/// Keeps the end of what is written to a standard error.
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

/// The net of a line like `info string NNUE evaluation using nn-ad9b42354671.nnue enabled`.
fn net_of(line: &str) -> Option<&str> {
    line.strip_prefix("info string NNUE evaluation using ")?.split_ascii_whitespace().next()
}

/// A text of an engine without control characters and not too long.
fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(200).collect()
}
