//! Reads many files on all cores into one game table.
//!
//! One thread opens and unpacks files, and splits them into pieces where games begin. Other threads
//! read the pieces. The first thread collects the results in the order of the files. The table does
//! not depend on the number of threads or the size of the pieces.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::chunk::Chunk;
use super::chunk_reader::ChunkReader;
use super::database_pieces::read_block;
use super::file_pieces::pieces_of_file;
use super::legality;
use super::member_pieces::pieces_of_member;
use super::piece::{Piece, PieceSink, UnannouncedGames};
use crate::games::{Game, GameResult, GameTable, NameId, PartialDate};
use crate::results::{ResultsRead, read_results};
use crate::source::{
    CHUNK, CleanName, CodePages, Content, Damaged, Diagnostic, DiagnosticKind, Finding,
    InputMember, Limits, MOST_LISTED, SourceError, TextForm, decode_with,
};

/// Options of reading collections.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Limits beyond which a file is not unpacked.
    pub limits: Limits,
    /// Number of threads that read; 0 is the number of cores.
    pub threads: usize,
    /// Size of the pieces (bytes).
    pub chunk: usize,
    /// Whether to replay all moves and report the first illegal one of each game.
    pub validate: bool,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions { limits: Limits::default(), threads: 0, chunk: CHUNK, validate: false }
    }
}

/// Reads all games of the files into the table, and adds the findings to the diagnostics. Details
/// are read if the table keeps them.
///
/// `advance` is called with the number of bytes of the files that were read since the last call.
pub fn read_files(
    files: &[PathBuf],
    options: ReadOptions,
    table: &mut GameTable,
    diagnostics: &mut Vec<Diagnostic>,
    advance: &(dyn Fn(u64) + Sync),
) {
    run(options, Collector::new(table, diagnostics), &mut |give| {
        for file in files {
            pieces_of_file(file, options.limits, options.chunk, advance, give);
        }
    });
}

/// Reads all games of one text in memory, like [`read_files`]. `name` is the name of the member.
pub fn read_text(
    name: &str,
    mut text: &[u8],
    options: ReadOptions,
    table: &mut GameTable,
    diagnostics: &mut Vec<Diagnostic>,
) {
    run(options, Collector::new(table, diagnostics), &mut |give| {
        let content = Content::Stream(&mut text);
        // Reading from memory does not fail.
        let _ = pieces_of_member(
            &mut InputMember::new(name.to_owned(), content),
            options.chunk,
            &|_| (),
            &UnannouncedGames::default(),
            give,
        );
    });
}

/// Reads and collects pieces while they are produced.
fn run(options: ReadOptions, mut collector: Collector<'_>, produce: &mut dyn FnMut(PieceSink<'_>)) {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, |threads| threads.get()),
        threads => threads,
    };
    if threads == 1 {
        let mut worker = ChunkWorker::new(0, options.validate, collector.keeps_details());
        produce(&mut |piece| collector.take(worker.read(piece)));
        return;
    }
    std::thread::scope(|scope| {
        let (to_read, pieces) = sync_channel::<Numbered<Piece>>(threads * 2);
        let (to_collect, done) = channel();
        let pieces = Arc::new(Mutex::new(pieces));
        for number in 0..threads {
            let (pieces, to_collect) = (Arc::clone(&pieces), to_collect.clone());
            let worker = ChunkWorker::new(number, options.validate, collector.keeps_details());
            scope.spawn(move || worker.work(&pieces, &to_collect));
        }
        drop(to_collect);
        drop(pieces);
        let mut queue = PieceQueue { done, waiting: BTreeMap::new(), next: 0, given: 0 };
        produce(&mut |piece| {
            // Pieces that are not yet collected hold memory.
            while queue.given - queue.next > 3 * threads as u64 && queue.wait(&mut collector) {}
            let number = queue.given;
            queue.given += 1;
            match piece {
                Piece::Text { .. } | Piece::Games(_) | Piece::Results { .. } => {
                    // Sending fails only if all readers panicked. The panic is passed on later.
                    let _ = to_read.send(Numbered { number, item: piece });
                }
                Piece::Begin { name, form } => queue.put(number, ReadPiece::Begin { name, form }),
                Piece::Notes(found) => queue.put(number, ReadPiece::Notes(found)),
                Piece::End => queue.put(number, ReadPiece::End),
                Piece::Damaged(damaged) => queue.put(number, ReadPiece::Damaged(damaged)),
            }
            queue.collect(&mut collector);
        });
        drop(to_read);
        while queue.next < queue.given && queue.wait(&mut collector) {}
    });
}

/// An item with its place in the order of the files.
struct Numbered<T> {
    number: u64,
    item: T,
}

/// A thread that reads pieces.
struct ChunkWorker {
    number: usize,
    validate: bool,
    reader: ChunkReader,
    /// Buffer for the text of games of a database.
    text: Vec<u8>,
}

impl ChunkWorker {
    fn new(number: usize, validate: bool, details: bool) -> ChunkWorker {
        let reader = if details { ChunkReader::with_details() } else { ChunkReader::default() };
        ChunkWorker { number, validate, reader, text: Vec::new() }
    }

    /// Reads pieces until the channel closes.
    fn work(
        mut self,
        pieces: &Mutex<Receiver<Numbered<Piece>>>,
        done: &Sender<Numbered<ReadPiece>>,
    ) {
        loop {
            let piece = match pieces.lock() {
                Ok(pieces) => pieces.recv(),
                Err(_) => return,
            };
            let Ok(Numbered { number, item }) = piece else { return };
            // A panic must end the program. Without this it would wait for the piece forever.
            let read = catch_unwind(AssertUnwindSafe(|| self.read(item)));
            let failed = read.is_err();
            let item = read.unwrap_or_else(ReadPiece::Panicked);
            if done.send(Numbered { number, item }).is_err() || failed {
                return;
            }
        }
    }

    fn read(&mut self, piece: Piece) -> ReadPiece {
        match piece {
            Piece::Begin { name, form } => ReadPiece::Begin { name, form },
            Piece::Text { text, announced, unannounced } => {
                let mut chunk = self.reader.read(&text, self.validate);
                unannounced.add(chunk.games.len(), announced);
                if self.validate {
                    legality::check(&text, &mut chunk);
                }
                let blank = chunk.games.is_empty() && text.trim_ascii().is_empty();
                ReadPiece::Chunk { chunk: Box::new(chunk), blank, worker: self.number }
            }
            Piece::Results { form, name, text } => {
                ReadPiece::Results(Box::new(read_results(form, &name, &text)))
            }
            Piece::Games(block) => {
                let chunk = read_block(&mut self.reader, &block, self.validate, &mut self.text);
                ReadPiece::Chunk { chunk: Box::new(chunk), blank: false, worker: self.number }
            }
            Piece::Notes(found) => ReadPiece::Notes(found),
            Piece::End => ReadPiece::End,
            Piece::Damaged(damaged) => ReadPiece::Damaged(damaged),
        }
    }
}

/// Restores the order of the pieces that were read.
struct PieceQueue {
    done: Receiver<Numbered<ReadPiece>>,
    waiting: BTreeMap<u64, ReadPiece>,
    /// Number of the piece to be collected next.
    next: u64,
    /// Number of pieces that were produced.
    given: u64,
}

impl PieceQueue {
    fn put(&mut self, number: u64, done: ReadPiece) {
        self.waiting.insert(number, done);
    }

    /// Collects all pieces that are ready, in order.
    fn collect(&mut self, collector: &mut Collector<'_>) {
        while let Ok(done) = self.done.try_recv() {
            self.put(done.number, done.item);
        }
        self.in_order(collector);
    }

    /// Waits for one more piece. Returns `false` if none will come.
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

enum ReadPiece {
    Begin { name: String, form: TextForm },
    Chunk { chunk: Box<Chunk>, blank: bool, worker: usize },
    Results(Box<ResultsRead>),
    Notes(Vec<Finding>),
    End,
    Damaged(Damaged),
    Panicked(Box<dyn Any + Send>),
}

/// The names of one worker, by the worker's numbers.
#[derive(Clone, Default)]
struct GivenNames {
    /// Numbers of the names in the table. A name gets one when the first game has it, so the
    /// numbers do not depend on which worker read which piece.
    known: Vec<Option<NameId>>,
    /// Names of tags that no game has so far.
    unused: FxHashMap<usize, CleanName>,
    /// Names that are not UTF-8. The encoding of a member decides how they are read, so they have
    /// no number beyond it.
    undecoded: FxHashMap<usize, Vec<u8>>,
}

/// A piece that waits for the encoding of its member to be known.
struct WaitingChunk {
    chunk: Chunk,
    blank: bool,
    worker: usize,
}

/// Most pieces that wait for the encoding of their member. Judged: 64 MiB have the names of a
/// hundred thousand games, and more would hold memory without adding evidence.
const MOST_WAITING: usize = 64;

/// Joins the pieces of members.
struct Collector<'t> {
    table: &'t mut GameTable,
    diagnostics: &'t mut Vec<Diagnostic>,
    /// Pieces of the member from the first one on that has texts which are not UTF-8.
    waiting: Vec<WaitingChunk>,
    /// The encodings of the texts of the member that are not UTF-8, once they are known.
    pages: Option<CodePages>,
    /// Number of line feeds of the member so far.
    lines: u32,
    games_before: usize,
    blank: bool,
    /// Whether the member is a table of results.
    has_results: bool,
    cut_off: Option<u32>,
    not_utf_8: (u64, u32),
    encoded_twice: Option<u32>,
    nul: (u64, u32),
    /// Number of findings of each kind in the member.
    counts: FxHashMap<DiagnosticKind, usize>,
    /// The names of each worker.
    names: Vec<GivenNames>,
}

impl<'t> Collector<'t> {
    fn new(table: &'t mut GameTable, diagnostics: &'t mut Vec<Diagnostic>) -> Collector<'t> {
        Collector {
            table,
            diagnostics,
            waiting: Vec::new(),
            pages: None,
            lines: 0,
            games_before: 0,
            blank: true,
            has_results: false,
            cut_off: None,
            not_utf_8: (0, 0),
            encoded_twice: None,
            nul: (0, 0),
            counts: FxHashMap::default(),
            names: Vec::new(),
        }
    }

    fn keeps_details(&self) -> bool {
        self.table.details().is_some()
    }

    fn take(&mut self, done: ReadPiece) {
        match done {
            ReadPiece::Begin { name, form } => self.begin(name, form),
            ReadPiece::Chunk { chunk, blank, worker } => {
                let is_foreign = chunk.not_utf_8.0 > 0 || !self.waiting.is_empty();
                if is_foreign && self.pages.is_none() {
                    self.wait(WaitingChunk { chunk: *chunk, blank, worker });
                } else {
                    self.chunk(*chunk, blank, worker);
                }
            }
            ReadPiece::Results(read) => self.results(*read),
            ReadPiece::Notes(found) => self.findings(found, Vec::new()),
            ReadPiece::End => self.end(),
            ReadPiece::Panicked(cause) => resume_unwind(cause),
            ReadPiece::Damaged(Damaged { name, error }) => {
                let message = error.to_string();
                let kind = DiagnosticKind::Unreadable;
                // A link in an archive loses no games, so it is only a warning.
                self.diagnostics.push(match error {
                    SourceError::Link(_) => Diagnostic::warning(name, 0, kind, message),
                    _ => Diagnostic::error(name, 0, kind, message),
                });
            }
        }
    }

    fn begin(&mut self, name: String, form: TextForm) {
        if let Some(words) = form.note() {
            self.diagnostics.push(Diagnostic::note(&*name, 1, DiagnosticKind::Form, words));
        }
        self.table.members.push(name.into());
        self.pages = None;
        self.lines = 0;
        self.games_before = self.table.len();
        self.blank = true;
        self.has_results = false;
        self.cut_off = None;
        self.not_utf_8 = (0, 0);
        self.encoded_twice = None;
        self.nul = (0, 0);
        self.counts.clear();
    }

    /// Keeps a piece until the encoding of its member is known.
    fn wait(&mut self, waiting: WaitingChunk) {
        self.waiting.push(waiting);
        if self.waiting.len() >= MOST_WAITING {
            self.choose_encodings();
        }
    }

    /// Chooses the encodings of the member by all its names that are not UTF-8, and collects the
    /// pieces that wait.
    fn choose_encodings(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return;
        }
        let mut texts: Vec<&[u8]> = Vec::new();
        for WaitingChunk { chunk, worker, .. } in &waiting {
            texts.extend(chunk.names.undecoded().map(|(_, bytes)| bytes));
            // Names that the worker met in earlier members.
            let met = self.names.get(*worker).map(|names| &names.undecoded);
            let Some(met) = met.filter(|met| !met.is_empty()) else { continue };
            let of_games = chunk.games.iter().flat_map(|game| game.name_ids());
            texts.extend(of_games.filter_map(|name| met.get(&name.index())).map(Vec::as_slice));
        }
        // Workers met them in any order.
        texts.sort_unstable();
        texts.dedup();
        self.pages = Some(CodePages::choose(texts));
        for WaitingChunk { chunk, blank, worker } in waiting {
            self.chunk(chunk, blank, worker);
        }
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
        let encoded_twice = chunk.encoded_twice.map(|line| self.lines + line);
        self.encoded_twice = self.encoded_twice.or(encoded_twice);
        let member = self.table.members.len() as u32 - 1;
        self.findings(chunk.findings, chunk.not_listed);
        if self.names.len() <= worker {
            self.names.resize(worker + 1, GivenNames::default());
        }
        let first = self.table.len();
        let pages = self.pages;
        let decoded = |bytes: &[u8]| CleanName::new(&decode_with(pages.as_ref(), bytes).0);
        if let (Some(read), Some(details)) = (chunk.details, self.table.details_mut()) {
            let texts: Vec<CleanName> = read.texts().map(decoded).collect();
            details.set(first, read.rows, texts.iter().map(|text| &**text));
        }
        let GivenNames { known, unused, undecoded } = &mut self.names[worker];
        if chunk.not_utf_8.0 > 0 {
            undecoded.extend(chunk.names.undecoded().map(|(place, bytes)| (place, bytes.to_vec())));
        }
        let given = known.len();
        known.resize(given + chunk.names.len(), None);
        self.table.append(chunk.games, |names, game| {
            for name in [&mut game.event, &mut game.site, &mut game.white, &mut game.black] {
                let slot = &mut known[name.index()];
                *name = *slot.get_or_insert_with(|| match chunk.names.get(*name) {
                    Some((bytes, hash, true)) => {
                        names.intern_hashed(&String::from_utf8_lossy(bytes), hash)
                    }
                    Some((bytes, ..)) => names.intern(&decoded(bytes)),
                    None => match undecoded.get(&name.index()) {
                        Some(bytes) => names.intern(&decoded(bytes)),
                        None => names.intern(&unused.remove(&name.index()).unwrap_or_default()),
                    },
                });
            }
            game.member = member;
            game.line += self.lines;
        });
        let new = known.iter().enumerate().skip(given);
        for (place, _) in new.filter(|(_, number)| number.is_none()) {
            if let Some((bytes, ..)) = chunk.names.at(place) {
                unused.insert(place, decoded(bytes));
            }
        }
        self.lines += chunk.lines;
    }

    /// Adds the findings of a piece, and counts those that are not listed.
    fn findings(&mut self, found: Vec<Finding>, not_listed: Vec<(DiagnosticKind, usize)>) {
        let Some(name) = self.table.members.last() else { return };
        for finding in found {
            let count = self.counts.entry(finding.kind).or_default();
            *count += 1;
            if *count <= MOST_LISTED {
                self.diagnostics.push(finding.in_file(Arc::clone(name), self.lines));
            }
        }
        for (kind, more) in not_listed {
            *self.counts.entry(kind).or_default() += more;
        }
    }

    /// Adds the games of a table of results, which is a whole member.
    fn results(&mut self, read: ResultsRead) {
        self.blank = false;
        self.has_results = true;
        self.not_utf_8 = read.not_utf_8;
        self.pages = read.pages;
        self.findings(read.findings, read.not_listed);
        let member = self.table.members.len() as u32 - 1;
        let first = self.table.len();
        if let Some(details) = self.table.details_mut() {
            details.set(first, read.details, read.texts.iter().map(|(_, text)| text));
        }
        let mut known: Vec<Option<NameId>> = vec![None; read.names.len()];
        self.table.append(read.games, |names, game| {
            for name in [&mut game.event, &mut game.site, &mut game.white, &mut game.black] {
                let text = read.names.text(*name);
                *name = *known[name.index()].get_or_insert_with(|| names.intern(text));
            }
            game.member = member;
        });
    }

    /// Gives games of the member without an event that of its first game, if that is only a header
    /// (without moves, result and date), or if all others have none.
    fn name_by_first_game(&mut self) {
        let names_event = |game: &Game| !matches!(self.table.text(game.event), "" | "?" | "-");
        let [first, others @ ..] = &self.table.games()[self.games_before..] else { return };
        let is_header = first.plies == 0
            && first.result == GameResult::Unknown
            && first.date == PartialDate::UNKNOWN;
        let has_to_name = is_header || !others.iter().any(names_event);
        if !names_event(first) || !has_to_name {
            return;
        }
        let event = first.event;
        let places = (self.games_before + 1..).zip(others);
        let nameless: Vec<usize> =
            places.filter(|(_, game)| !names_event(game)).map(|(place, _)| place).collect();
        for place in nameless {
            self.table.games_mut()[place].event = event;
        }
    }

    fn end(&mut self) {
        self.choose_encodings();
        for GivenNames { known, undecoded, .. } in &mut self.names {
            for place in undecoded.keys() {
                known[*place] = None;
            }
        }
        self.name_by_first_game();
        let Some(name) = self.table.members.last().cloned() else { return };
        let mut found: Vec<(u32, DiagnosticKind, String)> = Vec::new();
        let (texts, line) = self.not_utf_8;
        if texts > 0 {
            let noun = if texts == 1 { "text is" } else { "texts are" };
            let pages = self.pages.unwrap_or_else(|| CodePages::choose([]));
            let message = format!(
                "{texts} {noun} not UTF-8, the first on this line; read as {}",
                pages.names()
            );
            found.push((line, DiagnosticKind::Encoding, message));
        }
        if let Some(line) = self.encoded_twice {
            let message = "names are UTF-8 that was encoded twice, the first on this line; decoded \
                           twice";
            found.push((line, DiagnosticKind::Encoding, message.to_owned()));
        }
        let (bytes, line) = self.nul;
        if bytes > 0 {
            let noun = if bytes == 1 { "NUL byte" } else { "NUL bytes" };
            let message = format!("{bytes} {noun}, the first on this line; left out");
            found.push((line, DiagnosticKind::Nul, message));
        }
        if let Some(line) = self.cut_off {
            let message = "the file ends in the middle of this game".to_owned();
            found.push((line, DiagnosticKind::CutOff, message));
        }
        if self.table.len() == self.games_before {
            let message = match (self.blank, self.has_results) {
                (true, _) => "is empty",
                (false, true) => "contains no game (no line has a result)",
                (false, false) => "contains no game (no line like [Event \"...\"])",
            };
            found.push((0, DiagnosticKind::NoGames, message.to_owned()));
        }
        let mut more: Vec<_> =
            self.counts.iter().filter(|(_, count)| **count > MOST_LISTED).collect();
        more.sort();
        for (kind, count) in more {
            let more = count - MOST_LISTED;
            let noun = if more == 1 { "finding" } else { "findings" };
            let message = format!("{more} more {noun} of this kind in this file, not listed");
            found.push((0, *kind, message));
        }
        self.diagnostics.extend(found.into_iter().map(|(line, kind, message)| {
            Diagnostic::warning(Arc::clone(&name), line.into(), kind, message)
        }));
    }
}
