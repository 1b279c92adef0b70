//! States a decision in sentences.

use crate::decisions::{Decision, MovedGame};
use chess_history::events::Scoring;
use pgn_collections::games::PartialDate;
use pgn_collections::source::CleanName;
use tournament_app::Policy;

/// The content of a decision in sentences, except its ratings.
pub(super) fn sentences(decision: &Decision) -> Vec<String> {
    let mut what = Vec::new();
    if let Some(number_two) = decision.number_two {
        what.push(format!("The world's number two is rated {number_two:.0}."));
    }
    if let Some(day) = decision.list_day.and_then(PartialDate::in_words) {
        what.push(format!("The ratings are those of the lists of {day}."));
    }
    match decision.listed {
        Some(true) => what.push("It enters the lists by decision.".into()),
        Some(false) => what.push("It enters no list.".into()),
        None => {}
    }
    if let Some(tempo) = decision.tempo {
        what.push(format!("It was {} chess.", tempo.word()));
    }
    if decision.complete {
        what.push("All of its games are known.".into());
    }
    if let Some(expected) = decision.expected_games {
        let games = if expected == 1 { "game" } else { "games" };
        what.push(format!("It had {expected} {games}."));
    }
    if let Some(policy) = decision.policy {
        let happens = match policy {
            Policy::Keep => "stay as they are",
            Policy::Correct => "move to the performance line",
            Policy::Rebuild => "are estimated again from the estimator line",
        };
        what.push(format!("Ratings that do not fit {happens}."));
    }
    if let Some(move_pressure) = decision.move_pressure {
        let moves = if move_pressure { "move too" } else { "do not move" };
        what.push(format!("Ratings under pressure {moves}."));
    }
    if let Some(elo_k) = decision.elo_k {
        what.push(format!("Elo ratings after the event: K = {elo_k}."));
    }
    for forfeit in &decision.forfeits {
        let round =
            forfeit.round.as_ref().map(|round| format!(", round {round},")).unwrap_or_default();
        what.push(format!(
            "The game {} against {}{round} was not played.",
            forfeit.white, forfeit.black
        ));
    }
    for (segment, analysed) in decision.segments.decided() {
        let does = if analysed { "count" } else { "do not count" };
        what.push(format!("Games of the kind \"{}\" {does}.", segment.words()));
    }
    if let Some(kind) = decision.kind {
        what.push(format!("It is a {}.", kind.words()));
    }
    if let Some(name) = &decision.name {
        what.push(format!("It is called {name}."));
    }
    what.extend(fact_sentences(decision));
    what.extend(
        decision
            .merge
            .iter()
            .map(|other| format!("The games of the event \"{other}\" belong to it.")),
    );
    what.extend(decision.moved_games.iter().map(|game| {
        let round = game.round.as_ref().map(|round| format!(", round {round},"));
        let round = round.unwrap_or_default();
        let MovedGame { from, white, black, .. } = game;
        format!(
            "The game {white} against {black}{round} belongs to it, not to the event \"{from}\"."
        )
    }));
    what.extend(decision.persons.iter().map(|person| {
        format!("{} is one person with {}.", person.name, listed(&person.spellings))
    }));
    what.extend(decision.split.iter().map(|split| format!("{} is a separate event.", split.name)));
    if decision.reviewed {
        what.push("The event was reviewed and stays as it is.".into());
    }
    what
}

/// The days, the end and the winners that a decision states, in sentences.
fn fact_sentences(decision: &Decision) -> Vec<String> {
    let mut what = Vec::new();
    match (decision.start.map(day_phrase), decision.end.map(day_phrase)) {
        (Some(start), Some(end)) if start == end => what.push(format!("It was played {start}.")),
        (Some(start), Some(end)) => what.push(format!("It began {start} and ended {end}.")),
        (Some(start), None) => what.push(format!("It began {start}.")),
        (None, Some(end)) => what.push(format!("It ended {end}.")),
        (None, None) => {}
    }
    if let Some(ending) = decision.outcome {
        what.push(format!("It was {}.", ending.participle()));
    }
    match decision.scoring {
        Some(Scoring::ThreeForWin) => what.push("A win counts 3 points, a draw 1.".into()),
        Some(Scoring::Matches) => what.push("Each match counts a point.".into()),
        Some(Scoring::GamePoints) => what.push("Places follow from game points.".into()),
        None => {}
    }
    if let Some([won, lost]) = decision.score {
        what.push(format!("The official score is {won} to {lost}."));
    }
    match decision.winners.as_deref() {
        Some([]) => what.push("It had no winner.".into()),
        Some([winner]) => what.push(format!("The winner is {winner}.")),
        Some(winners) => what.push(format!("The winners are {}.", listed(winners))),
        None => {}
    }
    what
}

/// A day with its preposition: `on 3 May 1927`, `in May 1927`.
fn day_phrase(day: PartialDate) -> String {
    let preposition = if day.is_exact() { "on" } else { "in" };
    format!("{preposition} {}", day.in_words().unwrap_or_default())
}

/// Joins names: `A; B and C`. Semicolons, because names contain commas.
fn listed(names: &[CleanName]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join("; ")),
    }
}
