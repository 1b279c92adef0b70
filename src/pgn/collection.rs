//! Reading many files, on all cores, into one game table.
//!
//! One thread opens and unpacks files and cuts them into pieces where games begin; others read the
//! pieces; the first puts what they found together in the order of the files. What comes out does
//! not depend on the number of threads or the size of the pieces.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};

use memmap2::Mmap;
#[cfg(unix)]
use memmap2::UncheckedAdvice;
use rustc_hash::FxHashMap;

use super::chunk::{Chunk, ChunkReader};
use super::cursor::TOLD;
use super::legality;
use crate::games::{GameTable, NameId, clean_name};
use crate::source::{
    BYTE_ORDER_MARK, CHUNK, Chunks, Content, Damaged, Diagnostic, DiagnosticKind, Form, HEAD,
    Limits, Member, decode, for_each_member, next_cut, plain,
};

/// Plain files from this size on (bytes) are mapped into memory, not read into it.
const WORTH_MAPPING: u64 = 1 << 20;

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// How far packed inputs may unpack.
    pub limits: Limits,
    /// Threads that read; 0: as many as the machine has cores.
    pub threads: usize,
    /// Size of the pieces (bytes).
    pub chunk: usize,
    /// Whether to replay all moves and tell the first illegal one of each game.
    pub validate: bool,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions { limits: Limits::default(), threads: 0, chunk: CHUNK, validate: false }
    }
}

/// Reads all games of the files into the table; what is wrong with them into the diagnostics.
/// `advance` hears how many bytes of the files are done.
pub fn read_files(
    files: &[PathBuf],
    options: ReadOptions,
    table: &mut GameTable,
    diagnostics: &mut Vec<Diagnostic>,
    advance: &(dyn Fn(u64) + Sync),
) {
    run(options, Collector::new(table, diagnostics), advance, &mut |give| {
        for file in files {
            for_each_member(file, options.limits, &|bytes| advance(bytes), |member| match member {
                Ok(mut member) => {
                    if let Err(damaged) = pieces(&mut member, options.chunk, advance, give) {
                        give(Piece::Damaged(damaged));
                    }
                }
                Err(damaged) => give(Piece::Damaged(damaged)),
            });
        }
    });
}

/// The same for one text in memory.
pub fn read_text(
    name: &str,
    mut text: &[u8],
    options: ReadOptions,
    table: &mut GameTable,
    diagnostics: &mut Vec<Diagnostic>,
) {
    run(options, Collector::new(table, diagnostics), &|_| (), &mut |give| {
        let content = Content::Stream(&mut text);
        // Reading from memory does not fail.
        let _ = pieces(&mut Member::new(name.to_owned(), content), options.chunk, &|_| (), give);
    });
}

/// Takes a piece that was produced.
pub(super) type Give<'g> = &'g mut dyn FnMut(Piece);

/// Has pieces read and collected, as they are produced.
fn run(
    options: ReadOptions,
    mut collector: Collector<'_>,
    advance: &(dyn Fn(u64) + Sync),
    produce: &mut dyn FnMut(Give<'_>),
) {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, |threads| threads.get()),
        threads => threads,
    };
    if threads == 1 {
        let mut worker = Worker::new(0, options.validate, advance);
        produce(&mut |piece| collector.take(worker.read(piece)));
        return;
    }
    std::thread::scope(|scope| {
        let (to_read, pieces) = sync_channel::<Numbered<Piece>>(threads * 2);
        let (to_collect, done) = channel();
        let pieces = Arc::new(Mutex::new(pieces));
        for number in 0..threads {
            let (pieces, to_collect) = (Arc::clone(&pieces), to_collect.clone());
            let worker = Worker::new(number, options.validate, advance);
            scope.spawn(move || worker.work(&pieces, &to_collect));
        }
        drop(to_collect);
        drop(pieces);
        let mut queue = Queue { done, waiting: BTreeMap::new(), next: 0, given: 0 };
        produce(&mut |piece| {
            // Pieces that nobody has collected yet hold memory.
            while queue.given - queue.next > 3 * threads as u64 && queue.wait(&mut collector) {}
            let number = queue.given;
            queue.given += 1;
            match piece {
                Piece::Text(_) => {
                    // Nobody reads any more only where all readers panicked, which is passed on.
                    let _ = to_read.send(Numbered { number, item: piece });
                }
                Piece::Begin { name, form } => queue.put(number, Done::Begin { name, form }),
                Piece::End => queue.put(number, Done::End),
                Piece::Damaged(damaged) => queue.put(number, Done::Damaged(damaged)),
            }
            queue.collect(&mut collector);
        });
        drop(to_read);
        while queue.next < queue.given && queue.wait(&mut collector) {}
    });
}

/// A thing and its place in the order of the files.
struct Numbered<T> {
    number: u64,
    item: T,
}

/// One who reads pieces.
struct Worker<'p> {
    number: usize,
    validate: bool,
    advance: &'p (dyn Fn(u64) + Sync),
    reader: ChunkReader,
}

impl<'p> Worker<'p> {
    fn new(number: usize, validate: bool, advance: &'p (dyn Fn(u64) + Sync)) -> Worker<'p> {
        Worker { number, validate, advance, reader: ChunkReader::default() }
    }

    /// Reads pieces until there are no more.
    fn work(mut self, pieces: &Mutex<Receiver<Numbered<Piece>>>, done: &Sender<Numbered<Done>>) {
        loop {
            let piece = match pieces.lock() {
                Ok(pieces) => pieces.recv(),
                Err(_) => return,
            };
            let Ok(Numbered { number, item }) = piece else { return };
            // A fault of the program must end it, not leave it waiting for this piece.
            let read = catch_unwind(AssertUnwindSafe(|| self.read(item)));
            let failed = read.is_err();
            let item = read.unwrap_or_else(Done::Panicked);
            if done.send(Numbered { number, item }).is_err() || failed {
                return;
            }
        }
    }

    fn read(&mut self, piece: Piece) -> Done {
        match piece {
            Piece::Begin { name, form } => Done::Begin { name, form },
            Piece::Text(text) => {
                let bytes = text.bytes();
                let mut chunk = self.reader.read(bytes, self.validate);
                if self.validate {
                    legality::check(bytes, &mut chunk);
                }
                if let Text::Mapped(_, range) = &text {
                    (self.advance)(range.len() as u64);
                }
                let blank = chunk.games.is_empty() && bytes.trim_ascii().is_empty();
                text.release();
                Done::Chunk { chunk: Box::new(chunk), blank, worker: self.number }
            }
            Piece::End => Done::End,
            Piece::Damaged(damaged) => Done::Damaged(damaged),
        }
    }
}

/// What is done, brought back into order.
struct Queue {
    done: Receiver<Numbered<Done>>,
    waiting: BTreeMap<u64, Done>,
    /// The number that is to be collected next.
    next: u64,
    /// How many were given out.
    given: u64,
}

impl Queue {
    fn put(&mut self, number: u64, done: Done) {
        self.waiting.insert(number, done);
    }

    /// Collects what is ready.
    fn collect(&mut self, collector: &mut Collector<'_>) {
        while let Ok(done) = self.done.try_recv() {
            self.put(done.number, done.item);
        }
        self.in_order(collector);
    }

    /// Waits for one more; false where no more will come.
    fn wait(&mut self, collector: &mut Collector<'_>) -> bool {
        if !self.waiting.contains_key(&self.next) {
            match self.done.recv() {
                Ok(done) => self.put(done.number, done.item),
                Err(_) => return false,
            }
        }
        self.in_order(collector);
        true
    }

    fn in_order(&mut self, collector: &mut Collector<'_>) {
        while let Some(done) = self.waiting.remove(&self.next) {
            self.next += 1;
            collector.take(done);
        }
    }
}

/// One thing that happens on the way through the files.
pub(super) enum Piece {
    /// A member begins.
    Begin { name: String, form: Form },
    /// A piece of its text.
    Text(Text),
    /// It ends.
    End,
    /// A member, or the rest of it, cannot be read.
    Damaged(Damaged),
}

/// A piece of a member's text.
pub(super) enum Text {
    Owned(Vec<u8>),
    Mapped(Arc<Mmap>, Range<usize>),
}

impl Text {
    /// Gives the memory of a mapped piece back, so that a file of any size needs that of a few pieces.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Text::Mapped(map, range) = self {
            // SAFETY: the map is of a file and read only: who looks again finds the same bytes.
            // Where it cannot be done, nothing is lost but memory.
            let _ = unsafe {
                map.unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len())
            };
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Text::Owned(bytes) => bytes,
            Text::Mapped(map, range) => map.get(range.clone()).unwrap_or_default(),
        }
    }
}

/// A piece that was read.
enum Done {
    Begin { name: String, form: Form },
    Chunk { chunk: Box<Chunk>, blank: bool, worker: usize },
    End,
    Damaged(Damaged),
    Panicked(Box<dyn Any + Send>),
}

/// Gives the pieces of one member.
pub(super) fn pieces(
    member: &mut Member<'_>,
    chunk: usize,
    advance: &(dyn Fn(u64) + Sync),
    give: Give<'_>,
) -> Result<(), Damaged> {
    let name = member.name.clone();
    let mut length = 0;
    let mut failed;
    let stream: &mut dyn Read = match &mut member.content {
        Content::File(file) => {
            length = file.metadata().map_or(0, |metadata| metadata.len());
            match map(file, length) {
                Some((form, map)) => {
                    mapped(name, form, &Arc::new(map), chunk, give);
                    return Ok(());
                }
                None => &mut **file,
            }
        }
        Content::Stream(stream) => &mut **stream,
    };
    match plain(stream) {
        Ok((form, stream)) => {
            give(Piece::Begin { name, form });
            let mut chunks = Chunks::new(stream, chunk);
            loop {
                let (text, outcome) = chunks.next_chunk();
                failed = outcome.err();
                let Some(text) = text else { break };
                give(Piece::Text(Text::Owned(text)));
                if failed.is_some() {
                    break;
                }
            }
            give(Piece::End);
        }
        Err(error) => failed = Some(error),
    }
    advance(length);
    match failed {
        Some(error) => Err(member.damaged(error)),
        None => Ok(()),
    }
}

/// Maps a file that is worth it and in plain form; otherwise the file is at its beginning.
fn map(file: &mut File, length: u64) -> Option<(Form, Mmap)> {
    if length < WORTH_MAPPING {
        return None;
    }
    let mut head = Vec::new();
    let read = file.take(HEAD as u64).read_to_end(&mut head);
    file.seek(SeekFrom::Start(0)).ok()?;
    read.ok()?;
    let form = Form::of(&head);
    if !matches!(form, Form::Plain | Form::ByteOrderMark) {
        return None;
    }
    // SAFETY: the bytes are only looked at. Whoever shortens the file while it is read stops the
    // program, and a change shows as damaged text, as it would in any program that maps files.
    let map = unsafe { Mmap::map(&*file) }.ok()?;
    Some((form, map))
}

fn mapped(name: String, form: Form, map: &Arc<Mmap>, chunk: usize, give: Give<'_>) {
    let mut start = if form == Form::ByteOrderMark { BYTE_ORDER_MARK.len() } else { 0 };
    let text = map.get(start..).unwrap_or_default();
    let offset = start;
    give(Piece::Begin { name, form });
    while start < map.len() {
        let cut = next_cut(text, (start - offset).saturating_add(chunk.max(1)))
            .map_or(map.len(), |cut| offset + cut);
        give(Piece::Text(Text::Mapped(Arc::clone(map), start..cut)));
        start = cut;
    }
    give(Piece::End);
}

/// The names that a worker has given, by its numbers.
#[derive(Clone, Default)]
struct GivenNames {
    /// Their numbers in the table, where a game has one: names are numbered in the order of the
    /// games, whoever read them.
    known: Vec<Option<NameId>>,
    /// Those that were in tags and yet no game has, so far.
    unused: FxHashMap<usize, String>,
}

/// Puts the pieces of members together.
struct Collector<'t> {
    table: &'t mut GameTable,
    diagnostics: &'t mut Vec<Diagnostic>,
    /// Line feeds of the member so far.
    lines: u32,
    games_before: usize,
    blank: bool,
    cut_off: Option<u32>,
    not_utf_8: (u64, u32),
    nul: (u64, u32),
    told: FxHashMap<DiagnosticKind, usize>,
    /// The names that each worker has given.
    names: Vec<GivenNames>,
}

impl<'t> Collector<'t> {
    fn new(table: &'t mut GameTable, diagnostics: &'t mut Vec<Diagnostic>) -> Collector<'t> {
        Collector {
            table,
            diagnostics,
            lines: 0,
            games_before: 0,
            blank: true,
            cut_off: None,
            not_utf_8: (0, 0),
            nul: (0, 0),
            told: FxHashMap::default(),
            names: Vec::new(),
        }
    }

    fn take(&mut self, done: Done) {
        match done {
            Done::Begin { name, form } => self.begin(name, form),
            Done::Chunk { chunk, blank, worker } => self.chunk(*chunk, blank, worker),
            Done::End => self.end(),
            Done::Panicked(cause) => resume_unwind(cause),
            Done::Damaged(Damaged { name, error }) => {
                let message = error.to_string();
                self.diagnostics.push(Diagnostic::error(
                    name,
                    0,
                    DiagnosticKind::Unreadable,
                    message,
                ));
            }
        }
    }

    fn begin(&mut self, name: String, form: Form) {
        if let Some(words) = form.words() {
            self.diagnostics.push(Diagnostic::note(&*name, 1, DiagnosticKind::Form, words));
        }
        self.table.members.push(name.into());
        self.lines = 0;
        self.games_before = self.table.len();
        self.blank = true;
        self.cut_off = None;
        self.not_utf_8 = (0, 0);
        self.nul = (0, 0);
        self.told.clear();
    }

    fn chunk(&mut self, chunk: Chunk, blank: bool, worker: usize) {
        self.blank &= blank;
        self.cut_off = chunk.cut_off.map(|line| self.lines + line);
        for (mine, theirs) in [(&mut self.not_utf_8, chunk.not_utf_8), (&mut self.nul, chunk.nul)] {
            if mine.0 == 0 {
                mine.1 = self.lines + theirs.1;
            }
            mine.0 += theirs.0;
        }
        let member = self.table.members.len() as u32 - 1;
        for finding in chunk.findings {
            let told = self.told.entry(finding.kind).or_default();
            *told += 1;
            if *told <= TOLD {
                let name = Arc::clone(&self.table.members[member as usize]);
                self.diagnostics.push(finding.in_file(name, self.lines));
            }
        }
        for (kind, more) in chunk.not_told {
            *self.told.entry(kind).or_default() += more;
        }
        if self.names.len() <= worker {
            self.names.resize(worker + 1, GivenNames::default());
        }
        let GivenNames { known, unused } = &mut self.names[worker];
        let given = known.len();
        known.resize(given + chunk.names.len(), None);
        self.table.append(chunk.games, |names, game| {
            for name in [&mut game.event, &mut game.site, &mut game.white, &mut game.black] {
                let slot = &mut known[name.index()];
                *name = *slot.get_or_insert_with(|| match chunk.names.get(*name) {
                    Some((bytes, hash, true)) => {
                        names.intern_hashed(&String::from_utf8_lossy(bytes), hash)
                    }
                    Some((bytes, ..)) => names.intern(&clean_name(&decode(bytes).0)),
                    None => names.intern(&unused.remove(&name.index()).unwrap_or_default()),
                });
            }
            game.member = member;
            game.line += self.lines;
        });
        let new = known.iter().enumerate().skip(given);
        for (place, _) in new.filter(|(_, number)| number.is_none()) {
            if let Some((bytes, ..)) = chunk.names.at(place) {
                unused.insert(place, clean_name(&decode(bytes).0));
            }
        }
        self.lines += chunk.lines;
    }

    fn end(&mut self) {
        let Some(name) = self.table.members.last().cloned() else { return };
        let mut warn = |line: u32, kind, message: String| {
            let name = Arc::clone(&name);
            self.diagnostics.push(Diagnostic::warning(name, u64::from(line), kind, message));
        };
        let (texts, line) = self.not_utf_8;
        if texts > 0 {
            let message = format!(
                "{texts} texts from here on are not UTF-8; read as Windows-1252, or as the code page that they show"
            );
            warn(line, DiagnosticKind::Encoding, message);
        }
        let (bytes, line) = self.nul;
        if bytes > 0 {
            warn(line, DiagnosticKind::Nul, format!("{bytes} NUL bytes from here on; left out"));
        }
        if let Some(line) = self.cut_off {
            let message = "the file ends in the middle of this game".to_owned();
            warn(line, DiagnosticKind::CutOff, message);
        }
        if self.table.len() == self.games_before && !self.blank {
            let message = "holds no game (no line like [Event \"...\"])".to_owned();
            warn(0, DiagnosticKind::NoGames, message);
        }
        let mut more: Vec<_> = self.told.iter().filter(|(_, told)| **told > TOLD).collect();
        more.sort();
        for (kind, told) in more {
            let message =
                format!("{} findings more of this kind in this file, not listed", told - TOLD);
            warn(0, *kind, message);
        }
    }
}
