//! Tests with the shared collections: labelled events, and the number of moves of each game.
//!
//! The tests need `../shared/data`.

use std::io::Read;
use std::ops::ControlFlow;

use greatness::archive::{Selected, Settings, Silent};
use greatness::events::{EventTag, SegmentKind, games_in};
use greatness::pgn::ChunkReader;
use greatness::source::{DiagnosticKind, Severity};
use pgn_reader::{SanPlus, Skip, Visitor};

#[test]
#[ignore = "needs ../shared/data"]
fn labelled_events_have_exactly_their_games() {
    let shared = crate::support::shared_data();
    let mut settings = Settings::default();
    settings.input.pgn.push(shared.join("tournaments.tar.zst"));
    let mut diagnostics = Vec::new();
    let games =
        Selected::read(&settings.input, &Silent, &mut diagnostics).expect("there are games");
    let wrong = diagnostics.iter().find(|found| found.severity == Severity::Error);
    assert!(wrong.is_none(), "{wrong:?}");
    let found = games.group(settings.events, &mut Vec::new());
    let used = games_in(&found.events);
    assert_eq!(
        found.counts.seen,
        used + found.counts.set_aside_total(),
        "no game is lost or invented"
    );

    let truth = std::fs::read_to_string(shared.join("event-truth.csv")).expect("the labels");
    let mut labels = csv::Reader::from_reader(truth.as_bytes());
    let (mut all, mut missed) = (0, Vec::new());
    for label in labels.records() {
        let label = label.expect("a label");
        let (file, tag) = (&label[0], EventTag::parse(&label[1]));
        let (games, players): (usize, usize) =
            (label[2].parse().expect("games"), label[3].parse().expect("players"));
        // Some labels have two years. The first suffices.
        let year: i16 = label[5].get(..4).and_then(|year| year.parse().ok()).expect("a year");
        all += 1;
        let whole = found.events.iter().any(|event| {
            let main: Vec<_> =
                event.games.iter().filter(|game| game.segment == SegmentKind::Main).collect();
            let mut field: Vec<usize> =
                main.iter().flat_map(|game| [game.white, game.black]).collect();
            field.sort_unstable();
            field.dedup();
            EventTag::parse(&event.tag).key == tag.key
                // A tournament over New Year is labelled with one of its two years.
                && event.start.year().is_some_and(|start| (year - start).abs() <= 1)
                && main.len() == games
                && field.len() == players
        });
        if !whole {
            missed.push(file.to_owned());
        }
    }
    assert!(all > 390, "{all} labels");
    crate::support::fail_as_known(
        "all files together",
        &missed,
        include_str!("cases/labelled/together.txt"),
    );
}

/// Counts the moves of the main line.
#[derive(Default)]
struct Plies(u32);

impl Visitor for Plies {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        self.0 = 0;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

#[test]
#[ignore = "needs ../shared/data"]
fn every_game_has_the_number_of_moves_that_pgn_reader_counts() {
    let shared = crate::support::shared_data();
    let mut text = Vec::new();
    let file = std::fs::File::open(shared.join("games.pgn.zst")).expect("the games");
    let mut unpacked = zstd::Decoder::new(file).expect("zstd");
    unpacked.window_log_max(27).expect("a window");
    unpacked.read_to_end(&mut text).expect("whole");
    let chunk = ChunkReader::default().read(&text, true);
    assert_eq!(chunk.games.len(), 427_228);
    let mut differ = Vec::new();
    for (game, (start, end)) in chunk.games.iter().zip(chunk.places) {
        // To pgn-reader, text after a blank line is another game. So it gets each game alone,
        // without blank lines in its moves.
        let mut alone = text[start..end].to_vec();
        if let Some(moves) = memchr::memmem::find(&alone, b"\n\n") {
            let moves = &mut alone[moves + 2..];
            for place in 1..moves.len() {
                if moves[place - 1] == b'\n' && moves[place] == b'\n' {
                    moves[place] = b' ';
                }
            }
        }
        let mut plies = Plies::default();
        let _ = pgn_reader::Reader::new(std::io::Cursor::new(&alone)).read_game(&mut plies);
        // It reads words after a result as moves. It omits the moves of a game with unescaped
        // quotes in a tag. Our reader reports both.
        let lines =
            game.line..game.line + alone.iter().filter(|byte| **byte == b'\n').count() as u32;
        let is_reported = chunk.findings.iter().any(|finding| {
            lines.contains(&finding.line)
                && matches!(
                    finding.kind,
                    DiagnosticKind::TextBetweenGames | DiagnosticKind::UnescapedQuote
                )
        });
        if plies.0 != u32::from(game.plies) && !is_reported {
            differ.push((game.line, game.plies, plies.0));
        }
    }
    assert!(differ.is_empty(), "{} games: {:?}", differ.len(), &differ[..differ.len().min(20)]);
}
