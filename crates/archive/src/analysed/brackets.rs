//! Finds out in the brackets of knock-outs who won them and their matches.

use rustc_hash::FxHashMap;

use crate::record::{AnalysedEvent, BracketResult};
use chess_history::events::{Bracket, Event};
use pgn_collections::games::GameTable;
use tournament_app::Kind;

/// The bracket of a knock-out with these matches. If the match that looks like its final is called
/// a semifinal, it is half a bracket.
pub fn bracket_of<'e>(
    event: &Event,
    table: &GameTable,
    mut matches: impl Iterator<Item = &'e Event>,
) -> Bracket {
    let bracket = Bracket::from_event(event, table);
    let Some((a, b)) = bracket.finalists() else { return bracket };
    let finalists = [a, b].map(|player| event.players[player]);
    let has_semifinal = matches.any(|part| {
        part.name.contains("Semifinal")
            && finalists.iter().all(|player| part.players.contains(player))
    });
    if has_semifinal { bracket.half() } else { bracket }
}

/// The brackets of the knock-outs, by event; `None` for other events.
pub fn brackets(records: &[AnalysedEvent], table: &GameTable) -> Vec<Option<Bracket>> {
    let matches_of = matches_of(records);
    let mut brackets = Vec::with_capacity(records.len());
    for whole in records {
        let event = &whole.event;
        let is_knock_out = event.kind == Kind::KnockOut;
        brackets.push(is_knock_out.then(|| {
            let matches = matches_of.get(&event.id).into_iter().flatten();
            bracket_of(event, table, matches.map(|place| &records[*place].event))
        }));
    }
    brackets
}

/// The places of the matches of each event that has some, by its identifier.
fn matches_of(records: &[AnalysedEvent]) -> FxHashMap<String, Vec<usize>> {
    let mut matches_of: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (place, record) in records.iter().enumerate() {
        if let Some(whole) = &record.event.part_of {
            matches_of.entry(whole.clone()).or_default().push(place);
        }
    }
    matches_of
}

/// What the brackets show of each knock-out and of its matches, by event; `None` for other events.
///
/// If more games are missing than the ranked lists allow (`minimum_coverage`, in `[0, 1]`), the
/// last known match may not be the final.
pub fn bracket_results(
    records: &[AnalysedEvent],
    brackets: &[Option<Bracket>],
    minimum_coverage: f64,
) -> Vec<Option<BracketResult>> {
    let matches_of = matches_of(records);
    let mut results = vec![None; records.len()];
    for (place, (whole, bracket)) in records.iter().zip(brackets).enumerate() {
        let Some(bracket) = bracket else { continue };
        let event = &whole.event;
        let is_known = event.coverage() >= minimum_coverage;
        let finalists = bracket.finalists().filter(|_| is_known);
        let result =
            finalists.map(|(winner, loser)| BracketResult { winner, loser, is_final: true });
        results[place] = result;
        let winners = whole.winners_with(result);
        for &place in matches_of.get(&event.id).into_iter().flatten() {
            if let Some(found) = match_result(&records[place], whole, &winners, bracket) {
                results[place] = Some(found);
            }
        }
    }
    results
}

/// What a bracket shows of one of its matches: who went on. A level final was won by the winner of
/// the whole.
fn match_result(
    part: &AnalysedEvent,
    whole: &AnalysedEvent,
    winners: &[usize],
    bracket: &Bracket,
) -> Option<BracketResult> {
    let [one, other] = part.event.players[..] else { return None };
    let field = &whole.event.players;
    let first = field.iter().position(|player| *player == one)?;
    let second = field.iter().position(|player| *player == other)?;
    let place = bracket.between(first, second)?;
    let is_final = bracket.round_name(place) == Some("Final");
    let winner = match (bracket.plays_on(place, first), bracket.plays_on(place, second)) {
        (true, false) => first,
        (false, true) => second,
        (false, false) if is_final => {
            let [standing] = *winners else { return None };
            whole.analysis.players[standing].index
        }
        _ => return None,
    };
    let winner = [first, second].iter().position(|player| *player == winner)?;
    Some(BracketResult { winner, loser: 1 - winner, is_final })
}
