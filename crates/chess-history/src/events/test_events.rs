//! Detects events among results that a test states.

use super::{Event, EventContext, EventThresholds, EventWords, TempoRows, events};
use crate::games::GameTable;
use crate::gazetteer::Places;
use crate::pgn::{ReadOptions, read_text};
use crate::players::{Aliases, resolve};

/// A result: the round, White, Black, and the points as a Result tag states them.
pub(super) type TestResult = (u16, usize, usize, &'static str);

/// Surnames that differ in more than a letter.
const SURNAMES: [&str; 30] = [
    "Adler", "Bauer", "Conti", "Dupont", "Engel", "Fabre", "Gruber", "Huber", "Ivens", "Jansen",
    "Keller", "Lang", "Maier", "Novak", "Olsen", "Peters", "Quast", "Richter", "Schulz", "Tanner",
    "Ulrich", "Vogel", "Wagner", "Xander", "Yilmaz", "Zeller", "Aigner", "Brandt", "Cerny", "Dorn",
];

/// Detects the events among games of one Event and Site tag, played from 1 August 2019 on, one
/// round a day. Players are numbered.
pub(super) fn events_of(results: &[TestResult]) -> Vec<Event> {
    let mut text = String::new();
    for (round, white, black, result) in results {
        let [white, black] = [white, black].map(|number| {
            let given = ["Anton", "Bruno", "Carl", "Denis", "Emil"][number % 5];
            format!("{}, {given}", SURNAMES[*number])
        });
        text.push_str(&format!(
            "[Event \"Testville Open\"]\n[Site \"Testville\"]\n[Date \"2019.08.{round:02}\"]\n\
             [Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n\n{result}\n\n"
        ));
    }
    let mut table = GameTable::default();
    let options = ReadOptions::default();
    read_text("games.pgn", text.as_bytes(), options, &mut table, &mut Vec::new());
    let players = resolve(&table, &Aliases::default());
    let (places, words) = (Places::default(), EventWords::default());
    let context = EventContext {
        table: &table,
        players: &players,
        places: &places,
        words: &words,
        thresholds: EventThresholds::default(),
    };
    let has_result = |row: &usize| table.games()[*row].result.white_score().is_some();
    let mut rows = TempoRows::all_classical(&table);
    rows[0].rows.retain(has_result);
    events(context, &rows, &[]).events
}

/// The rounds of a round robin: in each, the pairs of White and Black.
pub(super) fn circle(players: usize) -> Vec<Vec<(usize, usize)>> {
    let rounds = players - 1;
    let round_of = |round: usize| {
        let mut seats = vec![players - 1];
        seats.extend((0..rounds).map(|seat| (round + seat) % rounds));
        let pair = |seat: usize| {
            let pair = (seats[seat], seats[players - 1 - seat]);
            if (round + seat).is_multiple_of(2) { pair } else { (pair.1, pair.0) }
        };
        (0..players / 2).map(pair).collect()
    };
    (0..rounds).map(round_of).collect()
}
