//! Applies decisions to events: merges, splits, moved games, and changes of kind, length or facts.

use std::sync::Arc;

use super::assembly::assemble;
use super::context::EventContext;
use super::event::{DecidedFacts, Event, EventGame};
use super::group::{GameGroup, GroupedGame};
use super::known_results::KnownEvent;
use super::recognised::{EndEvidence, MissingGame};
use super::tag::{EventTag, SegmentKind, SiteTag};
use crate::games::GameFlags;
use crate::players::PlayerId;
use crate::tournament::Kind;

/// Computes the size of a complete round robin.
///
/// Returns its number of games, and the number of games of each pair. `cycles` is the number of
/// games of each pair so far; only multiple round robins use it. Returns `None` for other kinds,
/// which do not determine the number of games.
pub fn complete_table(kind: Kind, players: usize, cycles: usize) -> Option<(usize, usize)> {
    let cycles = match kind {
        Kind::RoundRobin => 1,
        Kind::DoubleRoundRobin => 2,
        Kind::MultipleRoundRobin => cycles.max(3),
        _ => return None,
    };
    Some((players * players.saturating_sub(1) / 2 * cycles, cycles))
}

/// Sets the expected games of every player in the pairing table to those of a complete table.
pub fn expect_complete_table(expected_of: &mut [usize], players: usize, cycles: usize) {
    for expected in expected_of.iter_mut().filter(|expected| **expected > 0) {
        *expected = cycles * players.saturating_sub(1);
    }
}

impl Event {
    /// Converts the games to members of a group.
    fn members(&self) -> Vec<GroupedGame> {
        self.games
            .iter()
            .map(|game| GroupedGame {
                row: game.row,
                tags: game.row,
                white: self.players[game.white],
                black: self.players[game.black],
                round: game.round,
                segment: game.segment,
                stage: game.stage,
                in_whole_report: false,
            })
            .collect()
    }

    /// Assembles the event again from some games. Returns `None` if they are too few for an event.
    fn with_members(
        &self,
        mut members: Vec<GroupedGame>,
        reasons: Vec<String>,
        context: EventContext<'_>,
    ) -> Option<Event> {
        // A cycle shares games with its matches.
        members.sort_by_key(|member| member.row);
        members.dedup_by_key(|member| member.row);
        for member in &mut members {
            let flags = member.game(context.table).flags;
            member.in_whole_report = flags.contains(GameFlags::WHOLE_REPORT);
        }
        let group = GameGroup {
            base: self.tag.clone(),
            key: EventTag::parse(&self.tag).key,
            city: self.tagged_site.clone(),
            site_key: SiteTag::parse(&self.tagged_site).key,
            teams: self.kind == Kind::Team,
            with_team_tags: self.kind == Kind::Team,
            has_pairs_of_teams: false,
            members,
            may_continue: Vec::new(),
            reasons,
        };
        let (_, event) = assemble(context, &group, self.tempo)?;
        Some(Event {
            id: self.id.clone(),
            name: self.name.clone(),
            tempo: self.tempo,
            tempo_reason: self.tempo_reason,
            part_of: self.part_of.clone(),
            days_of_parts: self.days_of_parts,
            ranked_elsewhere: self.ranked_elsewhere,
            ..event
        })
    }

    /// Merges another event into this one.
    ///
    /// Returns `None` if no event results, which cannot happen.
    pub fn merged(&self, other: &Event, context: EventContext<'_>) -> Option<Event> {
        let members = [self.members(), other.members()].concat();
        let mut reasons = [self.reasons.clone(), other.reasons.clone()].concat();
        reasons.push(format!("merged with {} by decision", other.name));
        let merged = self.with_members(members, reasons, context)?;
        Some(merged.keep_known_result_of(self, context))
    }

    /// Keeps what a historical source says about the event before a decision changed its games,
    /// which alone may no longer identify it in the table of known results.
    fn keep_known_result_of(mut self, before: &Event, context: EventContext<'_>) -> Event {
        if self.known.is_none()
            && let Some(known) = &before.known
        {
            let winners = self.places_from(before, &known.winners);
            let runners_up = self.places_from(before, &known.runners_up);
            self.known =
                Some(KnownEvent { result: Arc::clone(&known.result), winners, runners_up });
        }
        let name = self.name.clone();
        self.apply_known_result(context.places);
        Event { name, ..self }
    }

    /// Converts places in the field of another event to places in this one. Omits absent players.
    fn places_from(&self, other: &Event, places: &[usize]) -> Vec<usize> {
        places
            .iter()
            .filter_map(|place| self.players.iter().position(|own| *own == other.players[*place]))
            .collect()
    }

    /// Returns the reasons of the event, and one more.
    fn reasons_and(&self, reason: String) -> Vec<String> {
        [self.reasons.clone(), vec![reason]].concat()
    }

    /// Splits off the games among some players as a separate event with its own name and
    /// identifier.
    ///
    /// Returns the rest and the new event, or `None` if either is too small for an event.
    pub fn split(
        &self,
        name: &str,
        id: &str,
        part: &[PlayerId],
        context: EventContext<'_>,
    ) -> Option<(Event, Event)> {
        let (inside, outside): (Vec<GroupedGame>, Vec<GroupedGame>) = self
            .members()
            .into_iter()
            .partition(|member| part.contains(&member.white) && part.contains(&member.black));
        let reasons = self.reasons_and(format!("{name} split off by decision"));
        let rest = self.with_members(outside, reasons, context)?;
        let rest = rest.keep_known_result_of(self, context);
        let reasons = self.reasons_and(format!("split off from {} by decision", self.name));
        let mut taken = self.with_members(inside, reasons, context)?;
        taken.name = name.to_owned();
        taken.id = id.to_owned();
        taken.part_of = None;
        taken.ranked_elsewhere = false;
        Some((rest, taken))
    }

    /// Moves some games, by their rows, to another event.
    ///
    /// Returns the rest and the other event, or `None` if too few games are left for an event.
    pub fn give_games(
        &self,
        rows: &[usize],
        to: &Event,
        context: EventContext<'_>,
    ) -> Option<(Event, Event)> {
        let (given, left): (Vec<GroupedGame>, Vec<GroupedGame>) =
            self.members().into_iter().partition(|member| rows.contains(&member.row));
        let games = match rows.len() {
            1 => "one game".to_owned(),
            count => format!("{count} games"),
        };
        let reasons = self.reasons_and(format!("{games} moved to {} by decision", to.name));
        let rest = self.with_members(left, reasons, context)?;
        let rest = rest.keep_known_result_of(self, context);
        // A game of another event's play-off or stage is a main game here.
        let given = given.into_iter().map(|member| GroupedGame {
            segment: SegmentKind::Main,
            stage: 0,
            ..member
        });
        let members = to.members().into_iter().chain(given).collect();
        let reasons = to.reasons_and(format!("{games} moved from {} by decision", self.name));
        let other = to.with_members(members, reasons, context)?;
        Some((rest, other.keep_known_result_of(to, context)))
    }

    /// Sets facts that neither tags nor tables show. The days also choose the ratings.
    pub fn set_facts(&mut self, facts: DecidedFacts) {
        self.start = facts.start.unwrap_or(self.start);
        self.end = facts.end.unwrap_or(self.end);
        self.decided = facts;
    }

    /// Sets a kind that the pairing table does not show.
    ///
    /// For a round robin the kind determines the expected games. For all other kinds their number
    /// is kept, so a new name does not make an incomplete event complete.
    pub fn set_kind(&mut self, kind: Kind) {
        let players = self.players.len() - self.recognised.withdrawn.len();
        let table = complete_table(kind, players, self.recognised.cycles);
        if let Some((expected, cycles)) = table.filter(|_| self.kind != kind) {
            self.recognised.expected_games = expected;
            self.recognised.placed_games = self.recognised.placed_games.min(expected);
            self.recognised.missing.clear();
            self.recognised.cycles = cycles;
            expect_complete_table(&mut self.recognised.expected_of, players, cycles);
        }
        self.kind = kind;
        self.recognised.kind = kind;
    }

    /// Sets how many games the event had. Returns `false` if its main segment has more games.
    pub fn set_expected_games(&mut self, expected: usize) -> bool {
        let main = self.games.iter().filter(|game| game.segment == SegmentKind::Main).count();
        if expected < main {
            return false;
        }
        self.recognised.expected_games = expected;
        self.recognised.placed_games = main;
        (self.recognised.end, self.recognised.is_certain) = (EndEvidence::Shown, true);
        self.recognised.missing.clear();
        if expected > main {
            let games = expected - main;
            let missing = MissingGame { player: None, opponent: None, round: None, games };
            self.recognised.missing.push(missing);
        }
        // In a match all games belong to both players. In other events it is unknown whose games
        // are missing.
        match self.recognised.kind {
            Kind::Match => self.recognised.expected_of.fill(expected),
            _ => self.recognised.expected_of.fill(0),
        }
        true
    }

    /// Declares the event complete.
    pub fn set_complete(&mut self) {
        let main = self.games.iter().filter(|game| game.segment == SegmentKind::Main).count();
        self.set_expected_games(main);
    }

    /// Includes a segment in the analysis, or excludes it.
    pub fn set_segment(&mut self, segment: SegmentKind, analysed: bool) {
        for game in self.games.iter_mut().filter(|game| game.segment == segment) {
            game.analysed = analysed;
        }
    }

    /// Returns the games of two players with these colours.
    pub fn games_between(
        &mut self,
        white: PlayerId,
        black: PlayerId,
    ) -> impl Iterator<Item = &mut EventGame> {
        let players = &self.players;
        self.games
            .iter_mut()
            .filter(move |game| players[game.white] == white && players[game.black] == black)
    }
}
