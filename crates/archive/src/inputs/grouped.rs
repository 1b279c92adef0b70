//! Groups the games into events.

use crate::inputs::counts::GameCounts;
use crate::inputs::selected::{Selected, contradicts, note, repeats};
use chess_history::events::{
    Event, EventContext, EventThresholds, Events, FasterGame, TempoRows, events,
};
use pgn_collections::games::{Duplicate, Rateable, SetAside, Tempo};
use pgn_collections::source::{Diagnostic, DiagnosticKind};

/// The events, and the games that are in none.
#[derive(Debug)]
pub struct Grouped {
    pub games: Selected,
    pub events: Vec<Event>,
    /// Duplicates that were found within events.
    pub repeated: Vec<Duplicate>,
    /// Tie-breaks, which are set aside because they are faster than their events.
    pub faster: Vec<FasterGame>,
    /// The number of games in no event.
    pub outside: usize,
    /// The numbers of games seen and set aside so far.
    pub counts: GameCounts,
}

impl Selected {
    pub fn material(&self, thresholds: EventThresholds) -> EventContext<'_> {
        let Selected { table, players, places, words, .. } = self;
        EventContext { table, players, places, words, thresholds }
    }

    /// Groups the games into events. A duplicate within an event counts once. The other copy and
    /// tie-breaks leave the classical games. They and every game in no event become findings with
    /// their reasons.
    pub fn group(self, thresholds: EventThresholds, diagnostics: &mut Vec<Diagnostic>) -> Grouped {
        let table = &self.table;
        let mut counts = self.counts.clone();
        let rows = [
            TempoRows { tempo: Tempo::Classical, rows: self.rows.clone(), ..TempoRows::default() },
            TempoRows { tempo: Tempo::Rapid, rows: self.rapid.clone(), ..TempoRows::default() },
            TempoRows { tempo: Tempo::Blitz, rows: self.blitz.clone(), ..TempoRows::default() },
        ];
        let mut is_used = vec![false; table.len()];
        for &row in rows.iter().flat_map(|tempo| &tempo.rows) {
            is_used[row] = true;
        }
        let mut rateable = Rateable::default();
        let copies: Vec<Duplicate> = self
            .duplicates
            .iter()
            .filter(|copy| {
                is_used[copy.kept]
                    && matches!(
                        rateable.reason(table, &table.games()[copy.game]),
                        None | Some(SetAside::Rapid | SetAside::Blitz)
                    )
            })
            .copied()
            .collect();
        let found = events(self.material(thresholds), &rows, &copies);
        let outside = found.outside.len();
        for copy in &found.repeated {
            counts.set_aside(SetAside::Duplicate);
            diagnostics.push(repeats(table, copy.game, copy.kept, "probably the same game as"));
            diagnostics.extend(contradicts(table, copy.game, copy.kept));
        }
        for game in &found.faster {
            counts.set_aside(game.reason);
            let message = "set aside: a tie-break faster than its event";
            diagnostics.push(note(table, game.row, DiagnosticKind::SetAside, message.to_owned()));
        }
        counts.outside(outside);
        for &row in &found.outside {
            let message = format!(
                "in no event: too few games together; an event needs {} games, a match {}",
                thresholds.event_games, thresholds.match_games
            );
            diagnostics.push(note(table, row, DiagnosticKind::InNoEvent, message));
        }
        let Events { events, repeated, faster, .. } = found;
        let mut games = self;
        games.duplicates.extend(&repeated);
        // Ratings rest on each game once, and not on tie-breaks, which are not classical games.
        let mut is_kept = is_used;
        for row in faster.iter().map(|game| game.row).chain(repeated.iter().map(|copy| copy.game)) {
            is_kept[row] = false;
        }
        games.rows.retain(|row| is_kept[*row]);
        games.follow_events(&events);
        Grouped { events, repeated, faster, outside, counts, games }
    }

    /// Gives each game the tempo of its event, which the days or a decision may have shown. Games
    /// in no event keep the tempo of their tags.
    pub fn follow_events(&mut self, events: &[Event]) {
        let mut tempo_of: Vec<Option<Tempo>> = vec![None; self.table.len()];
        let Selected { rows, rapid, blitz, .. } = self;
        let by_tags =
            [(Tempo::Classical, &*rows), (Tempo::Rapid, &*rapid), (Tempo::Blitz, &*blitz)];
        for (tempo, rows) in by_tags {
            rows.iter().for_each(|row| tempo_of[*row] = Some(tempo));
        }
        for event in events {
            event.games.iter().for_each(|game| tempo_of[game.row] = Some(event.tempo));
        }
        let rows_of = |tempo| {
            let of_tempo = |(row, of): (usize, &Option<Tempo>)| (*of == Some(tempo)).then_some(row);
            tempo_of.iter().enumerate().filter_map(of_tempo).collect()
        };
        (*rows, *rapid, *blitz) =
            (rows_of(Tempo::Classical), rows_of(Tempo::Rapid), rows_of(Tempo::Blitz));
    }
}
