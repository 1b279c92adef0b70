//! Holds the facts of an event on which it depends whether a decision fits it.

use crate::decisions::{Decision, DecisionError, Forfeit};
use crate::progress::counted;
use chess_history::events::Event;
use pgn_collections::games::PartialDate;
use tournament_app::Kind;

/// The largest distance (years) of a decided day from the days that the games and their sources
/// show. Judged: tags are often some years wrong. A greater distance is a slip of the keyboard,
/// such as 1815 for 1915. With five, some wrong tags could not be corrected.
const FARTHEST: i16 = 10;

/// The largest distance (years) of two events without a common player that a decision may merge.
/// Judged: an event may go on over the turn of a year; without a common player, more is a mistake.
const FARTHEST_MERGED: i16 = 1;

/// The facts of an event that a build and the desk compare with a decision. Both use the same
/// checks, so that the desk saves nothing that every later build refuses.
#[derive(Clone, Copy, Debug)]
pub struct EventShape<'a> {
    pub id: &'a str,
    pub players: usize,
    /// The first and the last day before the decision, as far as they are known.
    pub days: (PartialDate, PartialDate),
    /// Whether its performances are ranked with another event.
    pub is_ranked_elsewhere: bool,
}

impl<'a> EventShape<'a> {
    pub fn new(event: &'a Event) -> EventShape<'a> {
        EventShape {
            id: &event.id,
            players: event.players.len(),
            days: event.days(),
            is_ranked_elsewhere: event.ranked_elsewhere,
        }
    }

    /// The errors of a decision that does not fit the event.
    pub fn misfits(&self, decision: &Decision) -> Vec<DecisionError> {
        let mut wrong = Vec::new();
        if decision.kind == Some(Kind::Match) && self.players != 2 {
            wrong
                .push(format!("kind: a match has two players, and the event has {}", self.players));
        }
        if decision.listed == Some(true) && self.is_ranked_elsewhere {
            let message =
                "listed: its games are ranked with another event; decide about that event";
            wrong.push(message.into());
        }
        wrong.extend(self.wrong_days(decision));
        wrong.into_iter().map(|message| decision.wrong(self.id, message)).collect()
    }

    /// The error of days that are in the wrong order, or far from those of the games.
    fn wrong_days(&self, decision: &Decision) -> Option<String> {
        let Decision { start, end, .. } = *decision;
        if start.is_none() && end.is_none() {
            return None;
        }
        for (key, decided, found) in [("start", start, self.days.0), ("end", end, self.days.1)] {
            let Some((decided, found)) = decided.and_then(|day| day.year()).zip(found.year())
            else {
                continue;
            };
            let years = (decided - found).abs();
            if years > FARTHEST {
                return Some(format!(
                    "{key}: {decided} is {} from {found}, the year of the games; check it",
                    counted(years as usize, "year")
                ));
            }
        }
        let (first, last) = (start.unwrap_or(self.days.0), end.unwrap_or(self.days.1));
        let days = first.earliest().zip(last.latest());
        days.is_some_and(|(first, last)| first > last).then(|| {
            format!(
                "start, end: the event would end ({}) before it begins ({}); decide both days",
                last.iso(),
                first.iso()
            )
        })
    }

    /// The error of a merge with another event that has nothing to do with this one.
    pub fn unrelated(
        &self,
        other: &EventShape<'_>,
        has_common_player: bool,
        decision: &Decision,
    ) -> Option<DecisionError> {
        let years = self.days.0.year().zip(other.days.0.year());
        let years = years.map(|(own, other)| (own - other).abs())?;
        (!has_common_player && years > FARTHEST_MERGED).then(|| {
            let message = format!(
                "merge: {} has no player of this event and was {} away; check its id",
                other.id,
                counted(years as usize, "year")
            );
            decision.wrong(self.id, message)
        })
    }
}

/// The places of the decided winners, by their names.
///
/// # Errors
///
/// Returns an error if no player has one of the names, or if two names belong to one player.
pub(super) fn places_of_winners(
    decision: &Decision,
    id: &str,
    find: impl Fn(&str) -> Result<usize, DecisionError>,
) -> Result<Option<Vec<usize>>, DecisionError> {
    let Some(names) = &decision.winners else { return Ok(None) };
    let mut places = Vec::new();
    for name in names {
        let place = find(name)?;
        if places.contains(&place) {
            return Err(decision.wrong(id, format!("winners: {name} is named twice; keep one")));
        }
        places.push(place);
    }
    Ok(Some(places))
}

/// The error of a forfeit that no single game fits.
pub(super) fn no_single_forfeit(
    decision: &Decision,
    id: &str,
    forfeit: &Forfeit,
    games: usize,
) -> DecisionError {
    let round = forfeit.round.as_ref().map(|round| format!(" in round {round}"));
    let advice = match games {
        0 => "check names, colours and round",
        _ => "identify one game by its round",
    };
    let message = format!(
        "forfeits: {} of {} (White) against {}{}; {advice}",
        counted(games, "game"),
        forfeit.white,
        forfeit.black,
        round.unwrap_or_default(),
    );
    decision.wrong(id, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> PartialDate {
        PartialDate::parse(text).unwrap()
    }

    fn misfits(text: &str) -> String {
        let shape = EventShape {
            id: "mannheim-1914",
            players: 18,
            days: (day("1914-07-20"), day("1914-08-01")),
            is_ranked_elsewhere: false,
        };
        let decision = toml::from_str::<Decision>(text).unwrap();
        shape.misfits(&decision).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn days_near_those_of_the_games_fit_and_others_do_not() {
        assert_eq!(misfits("start = 1914-07-19\nend = 1914"), "");
        assert_eq!(misfits("start = 1905"), "", "tags are often some years wrong");
        assert!(misfits("start = 1815").contains("start: 1815 is 99 years from 1914"));
        assert!(misfits("end = 2099").contains("end: 2099 is 185 years from 1914"));
        assert!(misfits("start = 1915").contains("before it begins (1915); decide both days"));
    }

    #[test]
    fn a_match_has_two_players() {
        assert!(misfits("kind = \"match\"").contains("and the event has 18"));
        assert_eq!(misfits("kind = \"swiss\""), "");
    }
}
