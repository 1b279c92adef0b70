//! Selects the games that count.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::errors::BuildError;
use crate::inputs::counts::GameCounts;
use crate::inputs::games_read::GamesRead;
use crate::inputs::identified::Identified;
use crate::progress::{Progress, WorkAmount, counted, timed};
use crate::settings::Input;
use chess_history::events::{EventWords, faster_by_others};
use chess_history::gazetteer::Places;
use chess_history::players::{Players, SpelledPlayer};
use chess_history::ratings::{DiscardedTags, discard_numbered_tags, discard_old_tags};
use pgn_collections::games::{
    Duplicate, GameFlags, GameTable, REAL_MOVES, Rateable, SetAside, duplicates, mark_walkovers,
};
use pgn_collections::source::{Diagnostic, DiagnosticKind};

/// All games and players, and which games count.
#[derive(Debug)]
pub struct Selected {
    pub table: GameTable,
    pub players: Players,
    /// The players of the spelling files that occur in the games, and the best of the others.
    pub spelled: Vec<SpelledPlayer>,
    pub places: Places,
    /// The names of events.
    pub words: EventWords,
    /// Rows of classical games that count.
    pub rows: Vec<usize>,
    /// Rows of rapid games that otherwise count.
    pub rapid: Vec<usize>,
    /// Rows of blitz games that otherwise count.
    pub blitz: Vec<usize>,
    /// Games that repeat another, and which.
    pub duplicates: Vec<Duplicate>,
    /// The players whose rating tags were discarded.
    pub discarded_tags: DiscardedTags,
    /// The numbers of games seen and set aside so far.
    pub counts: GameCounts,
}

impl Selected {
    /// Reads all games, identifies players and duplicates, and sets aside games that do not count.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no games at all.
    pub fn read(
        input: &Input,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Selected, BuildError> {
        let games = GamesRead::read(input, progress, diagnostics)?;
        let identified = Identified::identify(games, input, progress, diagnostics);
        Ok(Selected::select(identified, progress, diagnostics))
    }

    /// Sets aside the games that do not count.
    pub fn select(
        identified: Identified,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Selected {
        timed(progress, "set aside games that do not count", WorkAmount::Unknown, || {
            let selected = select(identified, diagnostics);
            let fast = selected.rapid.len() + selected.blitz.len();
            let counts = &selected.counts;
            let mut summary = format!(
                "{} so far; {fast} more are rapid or blitz by their tags",
                counted(counts.set_aside_total(), "game")
            );
            for (reason, games) in &counts.set_aside {
                summary.push_str(&format!("; {reason}: {games}"));
            }
            (selected, summary)
        })
    }
}

/// Decides which games count, and notes what is doubtful about them.
fn select(identified: Identified, diagnostics: &mut Vec<Diagnostic>) -> Selected {
    let Identified { mut table, players, spelled, places, words } = identified;
    mark_walkovers(&mut table);
    diagnostics.extend(discard_numbered_tags(&mut table));
    let discarded_tags = discard_old_tags(&mut table, &players, diagnostics);
    let numbers = players.numbers(&table);
    let duplicates = duplicates(&mut table, &numbers);
    let mut counts = GameCounts { seen: table.len(), ..GameCounts::default() };
    let (mut rows, mut rapid, mut blitz) = (Vec::new(), Vec::new(), Vec::new());
    let repeated: FxHashMap<usize, usize> =
        duplicates.iter().map(|duplicate| (duplicate.game, duplicate.kept)).collect();
    note_doubtful(&table, &repeated, diagnostics);
    let mut rateable = Rateable::default();
    // The tempo in the tags of one copy holds for all copies ...
    let mut by_copies: FxHashMap<usize, SetAside> = FxHashMap::default();
    for copy in &duplicates {
        let reason = rateable.reason(&table, &table.games()[copy.game]);
        if let Some(reason @ (SetAside::Rapid | SetAside::Blitz)) = reason {
            by_copies.entry(copy.kept).or_insert(reason);
        }
    }
    for (row, game) in table.games().iter().enumerate() {
        if repeated.contains_key(&row) {
            counts.set_aside(SetAside::Duplicate);
            continue;
        }
        // ... unless a tag of the game itself says more.
        let by_copy = by_copies.get(&row).filter(|_| !game.flags.contains(GameFlags::CLASSICAL));
        let is_one = numbers[game.white.index()] == numbers[game.black.index()];
        let reason = match rateable.reason(&table, game) {
            None | Some(SetAside::Rapid | SetAside::Blitz) if is_one => Some(SetAside::OnePlayer),
            None => by_copy.copied(),
            reason => reason,
        };
        match reason {
            None => rows.push(row),
            Some(SetAside::Rapid) => rapid.push(row),
            Some(SetAside::Blitz) => blitz.push(row),
            Some(reason) => {
                counts.set_aside(reason);
                let message = format!("set aside: {}", reason.words());
                let (file, line) = (Arc::clone(table.member_of(game)), game.line.into());
                let kind = DiagnosticKind::SetAside;
                // Two players stand under one name, which makes the others of its games doubtful.
                diagnostics.push(if game.white == game.black && reason == SetAside::OnePlayer {
                    Diagnostic::warning(file, line, kind, message)
                } else {
                    Diagnostic::note(file, line, kind, message)
                });
            }
        }
    }
    let faster = faster_by_others(&table, &players, &rows, [&rapid, &blitz]);
    rows.retain(|row| {
        [&faster.rapid, &faster.blitz].iter().all(|of| of.binary_search(row).is_err())
    });
    rapid.extend(faster.rapid);
    blitz.extend(faster.blitz);
    rapid.sort_unstable();
    blitz.sort_unstable();
    Selected {
        table,
        players,
        spelled,
        places,
        words,
        rows,
        rapid,
        blitz,
        duplicates,
        discarded_tags,
        counts,
    }
}

/// Notes duplicates, and games without moves in files whose other games have them.
fn note_doubtful(
    table: &GameTable,
    repeated: &FxHashMap<usize, usize>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut with_moves = vec![(0usize, 0usize); table.members.len()];
    for game in table.games() {
        let (moves, all) = &mut with_moves[game.member as usize];
        *moves += usize::from(game.plies >= REAL_MOVES);
        *all += 1;
    }
    let copied = copied_members(table, repeated, &with_moves);
    for (member, original) in &copied {
        let [file, other] = [*member, *original].map(|one| &table.members[one as usize]);
        let games = with_moves[*member as usize].1;
        let message = format!("all {games} games are also in {other}; each counts once");
        diagnostics.push(Diagnostic::note(Arc::clone(file), 0, DiagnosticKind::Duplicate, message));
    }
    for (row, game) in table.games().iter().enumerate() {
        if let Some(&kept) = repeated.get(&row) {
            if !copied.contains_key(&game.member) {
                diagnostics.push(repeats(table, row, kept, "the same game as"));
            }
            diagnostics.extend(contradicts(table, row, kept));
        }
        let (moves, all) = with_moves[game.member as usize];
        if game.plies < REAL_MOVES && moves * 2 > all {
            let message = "no moves, although most games of the file have them; the game counts";
            diagnostics.push(note(table, row, DiagnosticKind::WithoutMoves, message.to_owned()));
        }
    }
}

/// The files of several games that are all in one other file, with that file. `counts` has the
/// games of each file, those with moves and all.
fn copied_members(
    table: &GameTable,
    repeated: &FxHashMap<usize, usize>,
    counts: &[(usize, usize)],
) -> BTreeMap<u32, u32> {
    let mut in_other: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (&row, &kept) in repeated {
        let [member, other] = [row, kept].map(|row| table.games()[row].member);
        if member != other {
            *in_other.entry((member, other)).or_default() += 1;
        }
    }
    let whole = in_other.into_iter().filter(|((member, _), copies)| {
        let (_, all) = counts[*member as usize];
        all > 1 && *copies == all
    });
    whole.map(|(pair, _)| pair).collect()
}

/// The warning that a copy of a game has another result, if it has.
pub fn contradicts(table: &GameTable, row: usize, kept: usize) -> Option<Diagnostic> {
    let [copy, first] = [row, kept].map(|row| &table.games()[row]);
    if copy.result == first.result {
        return None;
    }
    let message = format!(
        "the result is {} here and {} in {}:{}, which is used",
        copy.result.pgn(),
        first.result.pgn(),
        table.member_of(first),
        first.line
    );
    let (file, kind) = (Arc::clone(table.member_of(copy)), DiagnosticKind::ResultMismatch);
    Some(Diagnostic::warning(file, copy.line.into(), kind, message))
}

/// A finding about a game.
pub fn note(table: &GameTable, row: usize, kind: DiagnosticKind, message: String) -> Diagnostic {
    let game = &table.games()[row];
    Diagnostic::note(Arc::clone(table.member_of(game)), game.line.into(), kind, message)
}

/// The finding that a game repeats another.
pub fn repeats(table: &GameTable, game: usize, kept: usize, how: &str) -> Diagnostic {
    let first = &table.games()[kept];
    let message = format!("{how} {}:{}", table.member_of(first), first.line);
    note(table, game, DiagnosticKind::Duplicate, message)
}
