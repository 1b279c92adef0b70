//! Splits the text of a member into pieces.

use std::cell::Cell;
use std::io::{self, Cursor, Read};

use super::piece::{Piece, PieceSink, UnannouncedGames, deduct_games};
use crate::source::{
    Budget, Chunks, Content, Damaged, DeferredError, HEAD, InputMember, ResultsForm, plain,
};

/// Produces the pieces of one member. `games` are those of its file.
pub(super) fn pieces_of_member(
    member: &mut InputMember<'_>,
    chunk: usize,
    advance: &(dyn Fn(u64) + Sync),
    games: &UnannouncedGames,
    give: PieceSink<'_>,
) -> Result<(), Damaged> {
    let (name, budget) = (member.name.clone(), member.budget);
    let passed = Cell::new(0);
    let mut length = 0;
    let mut stream: Box<dyn Read> = match &mut member.content {
        Content::File(file) => {
            length = file.metadata().map_or(0, |metadata| metadata.len());
            Box::new(MeteredMember { inner: &mut **file, passed: &passed, advance })
        }
        Content::Stream(stream) => Box::new(&mut **stream),
    };
    let mut outcome = match plain(&mut stream) {
        Ok((form, stream)) => {
            give(Piece::Begin { name: name.clone(), form });
            let outcome = pieces_of_text(stream, chunk, name, (games, budget), give);
            give(Piece::End);
            outcome
        }
        Err(error) => Err(error),
    };
    drop(stream);
    if outcome.is_ok() && passed.get() < length {
        // Reading a file that another process truncates ends early, without an error.
        let lost = length - passed.get();
        let message = format!("became {lost} bytes shorter while it was read");
        outcome = Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
    }
    outcome.map_err(|error| member.damaged(error))
}

/// Largest table of results (MiB). It is held in memory as a whole. A report of ten thousand
/// players and nine rounds has two.
const LARGEST_TABLE: u64 = 32;

/// Produces the pieces of a text: one if it is a table of results.
fn pieces_of_text(
    mut stream: Box<dyn Read + '_>,
    chunk: usize,
    name: String,
    (games, budget): (&UnannouncedGames, Option<&Budget>),
    give: PieceSink<'_>,
) -> io::Result<()> {
    let mut head = Vec::new();
    let fault = (&mut stream).take(HEAD as u64).read_to_end(&mut head).err();
    let results = ResultsForm::detect(&head);
    let whole = Cursor::new(head).chain(DeferredError(fault)).chain(stream);
    if let Some(form) = results {
        let mut text = Vec::new();
        let most = LARGEST_TABLE << 20;
        let outcome = whole.take(most + 1).read_to_end(&mut text);
        if text.len() as u64 > most {
            let message = format!(
                "is a table of results of more than {LARGEST_TABLE} MiB; divide it into several"
            );
            return Err(io::Error::other(message));
        }
        give(Piece::Results { form, name, text });
        return outcome.map(|_| ());
    }
    let mut chunks = Chunks::new(Box::new(whole), chunk);
    loop {
        let (text, outcome) = chunks.next_chunk();
        let Some(mut text) = text else { return outcome };
        // What was unpacked before an error is read, though nothing is left of the budget.
        let (announced, paid) = match budget.filter(|_| outcome.is_ok()) {
            Some(budget) => deduct_games(&mut text, games, budget),
            None => (0, Ok(())),
        };
        give(Piece::Text { text, announced, unannounced: games.clone() });
        paid?;
        outcome?;
    }
}

/// A file that reports the number of bytes read.
struct MeteredMember<'a> {
    inner: &'a mut dyn Read,
    passed: &'a Cell<u64>,
    advance: &'a (dyn Fn(u64) + Sync),
}

impl Read for MeteredMember<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.passed.set(self.passed.get() + read as u64);
        (self.advance)(read as u64);
        Ok(read)
    }
}
