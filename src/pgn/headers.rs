//! One game's tags and moves, as pgn-reader gives them.

use std::hash::Hasher;
use std::ops::ControlFlow;

use pgn_reader::{Outcome, RawComment, RawTag, SanPlus, Visitor};
use rustc_hash::FxHasher;

/// The tags that matter, as they stand, and what was seen of the moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers {
    pub event: String,
    pub site: String,
    pub date: String,
    pub event_date: String,
    pub round: String,
    pub white: String,
    pub black: String,
    pub result: String,
    pub white_elo: String,
    pub black_elo: String,
    pub white_fide_id: String,
    pub black_fide_id: String,
    pub termination: String,
    pub time_control: String,
    pub event_type: String,
    pub mode: String,
    pub variant: String,
    pub set_up: bool,
    /// Half-moves.
    pub plies: u16,
    /// Hash over the moves in normalised algebraic notation, without checks and marks.
    pub fingerprint: u64,
    /// How the moves end.
    pub outcome: Option<Outcome>,
    /// Whether a comment says that the game was not played.
    pub unplayed: bool,
}

impl Headers {
    fn clear(&mut self) {
        *self = Headers::default();
    }

    fn slot(&mut self, name: &[u8]) -> Option<&mut String> {
        Some(match name {
            b"Event" => &mut self.event,
            b"Site" => &mut self.site,
            b"Date" => &mut self.date,
            b"EventDate" => &mut self.event_date,
            b"Round" => &mut self.round,
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Result" => &mut self.result,
            b"WhiteElo" => &mut self.white_elo,
            b"BlackElo" => &mut self.black_elo,
            b"WhiteFideId" => &mut self.white_fide_id,
            b"BlackFideId" => &mut self.black_fide_id,
            b"Termination" => &mut self.termination,
            b"TimeControl" => &mut self.time_control,
            b"EventType" => &mut self.event_type,
            b"Mode" => &mut self.mode,
            b"Variant" => &mut self.variant,
            _ => return None,
        })
    }
}

/// Fills [`Headers`] from one game.
#[derive(Default)]
pub(super) struct HeaderVisitor {
    pub headers: Headers,
    hash: FxHasher,
}

impl Visitor for HeaderVisitor {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        self.headers.clear();
        self.hash = FxHasher::default();
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" || name == b"SetUp" {
            self.headers.set_up |= name == b"FEN" || value.as_bytes() == b"1";
        } else if let Some(slot) = self.headers.slot(name) {
            *slot = value.decode_utf8_lossy().trim().to_owned();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &mut (), san_plus: SanPlus) -> ControlFlow<()> {
        self.headers.plies = self.headers.plies.saturating_add(1);
        let mut text = [0u8; 16];
        let length = write_san(&san_plus, &mut text);
        self.hash.write(&text[..length]);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        let text = String::from_utf8_lossy(comment.as_bytes()).to_lowercase();
        let says = ["forfeit", "unplayed", "not played", "walkover", "by default", "kampflos"];
        // Only of a game without moves: a note on a long game speaks of other games too.
        self.headers.unplayed |=
            self.headers.plies == 0 && says.iter().any(|word| text.contains(word));
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.headers.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {
        self.headers.fingerprint = self.hash.finish();
    }
}

/// The move without check marks, into a buffer; how many bytes it took.
fn write_san(san_plus: &SanPlus, buffer: &mut [u8; 16]) -> usize {
    use std::io::Write;
    let mut rest: &mut [u8] = buffer;
    // The longest move, `Qa1xb2=N`, has room to spare.
    let _ = write!(rest, "{} ", san_plus.san);
    16 - rest.len()
}
