//! Estimates how complete the sources are, and doubts events without a visible end accordingly.
//!
//! The table of a round robin shows which games it lacks. A match or a Swiss without its last
//! rounds looks complete. But all of them come from the same files. Where nearly all round robins
//! of a file are complete, its matches are too. Where many are not, a match may have continued
//! after its last known game.

use rustc_hash::FxHashMap;

use super::event::Event;
use super::field_size::rounds_of_cycle;
use super::match_of_two::rarity_of_hidden_games;
use super::recognised::EndEvidence;
use super::tag::SegmentKind;
use crate::games::GameTable;
use crate::tournament::Kind;

/// The least number of round robins from which the completeness of a file is estimated.
///
/// Judged: in a source in which half of the round robins had gaps, the chance of six complete ones
/// in a row is 1 in 64; of three, 1 in 8. With twelve, more files would lack an estimate.
///
/// Files with fewer round robins are pooled. If the pool has too few as well, all files are pooled.
const ENOUGH: usize = 6;

/// The least number of players of a round robin that counts here.
///
/// Judged: smaller ones are often play-offs, which are complete in nearly all sources. With twelve
/// players, few sources would have enough round robins.
const FIELD: usize = 6;

/// The share of its games with which a round robin counts as complete.
///
/// Judged: one or two may have been forfeited, so eight players may lack one game of 28, and ten
/// players two of 45. With 0.9, twelve players could lack a whole round.
const COMPLETE: f64 = 0.95;

/// The share of round robins with rounds that must have a game of the last round, so that the ends
/// of matches are there too.
///
/// Judged: of a source without a third of its games, chosen by chance, nearly all round robins have
/// a game of the last round. Where it lacks the last rounds, hardly any has.
const ENDED: f64 = 0.9;

/// The share of round robins that must be complete so that a match with the rounds 1 to 4 is whole.
///
/// Computed: a match of six games that lacks two by chance has these rounds in one case of 15. If a
/// third of the matches are whole, seven of eight with these rounds are.
const WHOLE_AMONG_UNBROKEN: f64 = 1.0 / 3.0;

/// The least odds that a match is whole.
///
/// The same as those of a match with the rounds 1 to 4: seven of eight are.
const WHOLE: f64 = 7.0;

/// The rarity with which the numbers of a match must hide two missing games, so that it shows how
/// complete the matches of its source are.
///
/// Judged: three of four matches without two games would show a gap.
const TELLING: u16 = 4;

/// The least numbers of such a match. Judged: of fewer games a match seldom consists.
const NUMBERS: usize = 4;

/// How many of a source's round robins are complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Completeness {
    complete: usize,
    all: usize,
    /// Round robins with rounds.
    with_rounds: usize,
    /// Those of them that have a game of the last round.
    with_end: usize,
    /// Matches whose numbers would probably show missing games.
    matches: usize,
    /// Those of them in which no number is missing.
    whole_matches: usize,
}

impl Completeness {
    fn add(&mut self, other: Completeness) {
        self.complete += other.complete;
        self.all += other.all;
        self.with_rounds += other.with_rounds;
        self.with_end += other.with_end;
        self.matches += other.matches;
        self.whole_matches += other.whole_matches;
    }

    /// Returns whether an event of such a source probably ended with its last known game.
    ///
    /// A decisive score, or a usual number of games, is evidence for an end. Then fewer complete
    /// round robins suffice.
    fn supports(self, end: EndEvidence) -> bool {
        match end {
            EndEvidence::Shown => true,
            EndEvidence::Decided => self.is_at_least(0.5),
            EndEvidence::Unbroken => self.is_at_least(0.75) || self.has_ends(),
            EndEvidence::UnbrokenFour => {
                self.is_at_least(0.75) || self.has_ends() && self.is_at_least(WHOLE_AMONG_UNBROKEN)
            }
            EndEvidence::Usual => self.is_at_least(0.75),
            EndEvidence::Numbered(rarity) => {
                rarity > 1 && self.is_at_least(0.75) || self.has_whole_matches(rarity)
            }
            EndEvidence::Seen => self.all >= ENOUGH && self.is_at_least(0.9),
            EndEvidence::Unknown => false,
        }
    }

    /// Returns whether a match is probably whole whose numbers would hide missing games in one of
    /// `rarity` cases.
    ///
    /// The share of whole matches is that of the matches of the source that show gaps, or of its
    /// round robins if these are few.
    fn has_whole_matches(self, rarity: u16) -> bool {
        let (whole, all) = match self.matches {
            ENOUGH.. => (self.whole_matches, self.matches),
            _ => (self.complete, self.all),
        };
        let missing = all.saturating_sub(whole).max(1);
        all >= ENOUGH && (whole * usize::from(rarity)) as f64 >= WHOLE * missing as f64
    }

    /// Returns whether the source lacks games here and there, but not the ends of events.
    fn has_ends(self) -> bool {
        self.with_rounds >= ENOUGH && self.with_end as f64 >= ENDED * self.with_rounds as f64
    }

    /// Returns whether at least this share of the round robins is complete.
    fn is_at_least(self, share: f64) -> bool {
        self.complete as f64 >= share * self.all as f64
    }
}

/// Marks events as uncertain that have no visible end and whose sources are incomplete.
pub(super) fn doubt_open_ends(events: &mut [Event], table: &GameTable) {
    let mut of_source: FxHashMap<u32, Completeness> = FxHashMap::default();
    for event in events.iter().filter(|event| event.part_of.is_none()) {
        if event.kind.is_round_robin() && event.players.len() >= FIELD {
            let complete = usize::from(event.recognised.coverage_of_known_players() >= COMPLETE);
            let mut shown = Completeness { complete, all: 1, ..Completeness::default() };
            if let Some(last) = last_round(event, table) {
                let end = event.recognised.cycles * rounds_of_cycle(event.players.len());
                shown.with_rounds = 1;
                shown.with_end = usize::from(last >= end);
            }
            of_source.entry(main_source(event, table)).or_default().add(shown);
        } else if event.kind == Kind::Match
            && let Some(is_whole) = shows_no_gap(event)
        {
            let whole_matches = usize::from(is_whole);
            let shown = Completeness { matches: 1, whole_matches, ..Completeness::default() };
            of_source.entry(main_source(event, table)).or_default().add(shown);
        }
    }
    let (mut of_small, mut of_all) = (Completeness::default(), Completeness::default());
    for shown in of_source.values() {
        of_all.add(*shown);
        if shown.all < ENOUGH {
            of_small.add(*shown);
        }
    }
    for event in events.iter_mut().filter(|event| event.recognised.end != EndEvidence::Shown) {
        let own = of_source.get(&main_source(event, table)).copied().unwrap_or_default();
        let source = [own, of_small].into_iter().find(|shown| shown.all >= ENOUGH);
        let source = source.unwrap_or(of_all);
        // A match of a knock-out may have rapid games as well, which no number tells apart.
        let is_mixed = event.part_of.is_some()
            && matches!(event.recognised.end, EndEvidence::Numbered(_))
            && !source.is_at_least(0.75);
        if event.recognised.is_certain && (is_mixed || !source.supports(event.recognised.end)) {
            event.recognised.is_certain = false;
            let reason = if event.kind.is_round_robin() {
                "its known games have two explanations with different lengths"
            } else {
                "its last known game is the only evidence of its end"
            };
            event.reasons.push(match source.all {
                0 => reason.to_owned(),
                all => format!(
                    "{reason}; complete round robins of its source: {} of {all}",
                    source.complete
                ),
            });
        }
    }
}

/// Returns whether no number of a match is missing; `None` if its numbers say too little.
fn shows_no_gap(event: &Event) -> Option<bool> {
    let main = event.games.iter().filter(|game| game.segment == SegmentKind::Main);
    let rounds: Vec<Option<u16>> = main.map(|game| game.round.number()).collect();
    let mut numbers: Vec<u16> = rounds.iter().copied().flatten().collect();
    numbers.sort_unstable();
    let count = numbers.len();
    numbers.dedup();
    let games = rounds.len();
    let last = usize::from(*numbers.last()?);
    let is_telling = count == numbers.len()
        && count >= NUMBERS
        && rarity_of_hidden_games(games, count) >= TELLING;
    is_telling.then_some(last <= games)
}

/// Returns the last round of an event; `None` if a game has no round, or all have the same.
fn last_round(event: &Event, table: &GameTable) -> Option<usize> {
    let rounds = event.games.iter().map(|game| table.games()[game.row].round.number());
    let rounds: Vec<u16> = rounds.collect::<Option<_>>()?;
    let (first, last) = (rounds.iter().min()?, rounds.iter().max()?);
    (first < last).then_some(usize::from(*last))
}

/// Returns the source of most games of an event; among equals, the first.
pub(super) fn main_source(event: &Event, table: &GameTable) -> u32 {
    let mut sources: Vec<u32> =
        event.games.iter().map(|game| table.sources().of_game(&table.games()[game.row])).collect();
    sources.sort_unstable();
    let runs = sources.chunk_by(|a, b| a == b);
    runs.rev().max_by_key(|run| run.len()).map_or(0, |run| run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_round_robins_are_complete_the_weaker_evidence_of_an_end_suffices() {
        let ends = [EndEvidence::Decided, EndEvidence::Usual, EndEvidence::Seen];
        for (complete, all, supported) in [
            (98, 100, [true, true, true]),
            (80, 100, [true, true, false]),
            (60, 100, [true, false, false]),
            (30, 100, [false, false, false]),
            // With only two round robins, the last known game is not evidence of an end.
            (2, 2, [true, true, false]),
        ] {
            let source = Completeness { complete, all, ..Completeness::default() };
            assert_eq!(ends.map(|end| source.supports(end)), supported, "{complete} of {all}");
        }
        let none = Completeness { all: 50, ..Completeness::default() };
        assert!(none.supports(EndEvidence::Shown));
        let whole = Completeness { complete: 50, ..none };
        assert!(!whole.supports(EndEvidence::Unknown));
    }

    #[test]
    fn an_unbroken_match_is_whole_if_its_source_has_the_ends_of_events() {
        let incomplete = Completeness {
            complete: 2,
            all: 50,
            with_rounds: 40,
            with_end: 39,
            ..Completeness::default()
        };
        assert!(incomplete.supports(EndEvidence::Unbroken));
        assert!(!incomplete.supports(EndEvidence::Usual));
        let without_ends = Completeness { with_end: 8, ..incomplete };
        assert!(!without_ends.supports(EndEvidence::Unbroken));
    }

    #[test]
    fn the_matches_of_a_source_show_how_probably_another_one_is_whole() {
        let source = Completeness { complete: 10, all: 50, ..Completeness::default() };
        assert!(!source.has_whole_matches(15), "one round robin of five is complete");
        let with_matches = Completeness { matches: 20, whole_matches: 18, ..source };
        assert!(with_matches.has_whole_matches(1), "odds of nine");
        let without = Completeness { matches: 20, whole_matches: 10, ..source };
        assert!(!without.has_whole_matches(6) && without.has_whole_matches(7));
        assert!(!Completeness::default().has_whole_matches(28));
    }

    #[test]
    fn four_unbroken_games_are_a_match_where_many_events_are_whole() {
        let many = Completeness {
            complete: 20,
            all: 50,
            with_rounds: 40,
            with_end: 39,
            ..Completeness::default()
        };
        assert!(many.supports(EndEvidence::UnbrokenFour));
        assert!(!Completeness { complete: 10, ..many }.supports(EndEvidence::UnbrokenFour));
        assert!(!Completeness { with_end: 8, ..many }.supports(EndEvidence::UnbrokenFour));
    }
}
