//! Computes the effect of a decision on the published lists.

use serde::Serialize;

use crate::lists::{FasterLists, GreatnessRow, StrengthRow};
use crate::record::EventRecord;
use crate::record::eligibility::Eligibility;
use crate::record::event_inputs::EventOutcome;
use crate::record::status::Status;
use pgn_collections::games::Tempo;
use tournament_app::Kind;

/// The scores of the ranked lists, which determine ranks.
#[derive(Clone, Debug, Default)]
pub struct PublishedLists {
    lists: Vec<PublishedList>,
}

#[derive(Clone, Debug)]
struct PublishedList {
    what: ListOf,
    /// Its scores, highest first.
    scores: Vec<f64>,
}

/// What a list ranks, and the tempo of a separate list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOf {
    /// Performances of one tempo; `None` for the Greatness List.
    Performances(Option<Tempo>),
    /// Strengths of tournaments of one tempo; `None` for the main list.
    Tournaments(Option<Tempo>),
    /// Strengths of matches of one tempo; `None` for the main list.
    Matches(Option<Tempo>),
}

impl ListOf {
    /// The list as a sentence names it.
    pub fn words(self) -> String {
        let (tempo, what) = match self {
            ListOf::Performances(None) => return "of the Greatness List".into(),
            ListOf::Performances(tempo) => (tempo, "performances"),
            ListOf::Tournaments(tempo) => (tempo, "tournaments"),
            ListOf::Matches(tempo) => (tempo, "matches"),
        };
        match tempo {
            Some(tempo) => format!("of the {} {what}", tempo.word()),
            None => format!("of the {what}"),
        }
    }
}

/// A rank on a list before and after a decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankChange {
    /// The player; absent for the rank of the event itself.
    pub player: Option<String>,
    /// The published score; absent if there is none.
    pub before: Option<f64>,
    /// Its rank, from 1.
    pub rank_before: Option<usize>,
    /// The score after the decision.
    pub after: Option<f64>,
    pub rank_after: Option<usize>,
    /// The list, as sentences name it.
    pub list: String,
    /// The factor by which a rank of this list counts less than one of a long list.
    #[serde(skip)]
    shortness: f64,
}

/// The length from which ranks of a list count fully. Judged: the first rank among five means
/// little. With 50, ranks of lists with fewer lines would count twice as much in the review queue.
const LONG: f64 = 100.0;

/// The factor by which ranks on the lists of rapid and blitz count less. Judged: a change of the
/// first rank there weighs as much as one of the tenth rank of a main list. It only orders the
/// review queue.
const SEPARATE: f64 = 10.0;

impl RankChange {
    /// The importance of the change: ranks near the top weigh more. A change from no rank to the
    /// first of a long list has weight 1.
    fn weight(&self) -> f64 {
        (reciprocal(self.rank_before) - reciprocal(self.rank_after)).abs() / self.shortness
    }

    /// The highest rank that is involved, converted to a rank of a long list.
    fn highest(&self) -> f64 {
        let ranks = [self.rank_before, self.rank_after].into_iter().flatten();
        ranks.min().map_or(f64::INFINITY, |rank| rank as f64 * self.shortness)
    }
}

/// The reciprocal of a rank; 0 without a rank.
fn reciprocal(rank: Option<usize>) -> f64 {
    rank.map_or(0.0, |rank| 1.0 / rank as f64)
}

/// The effect of a decision on the published lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Effect {
    /// The ranks that change, the most important first.
    pub moves: Vec<RankChange>,
    /// The importance of the effect: the sum of the differences of 1 / rank.
    pub weight: f64,
}

impl Effect {
    /// The highest published rank that changes, converted to a rank of a long list; infinite if
    /// none does.
    pub fn highest(&self) -> f64 {
        self.moves.iter().map(RankChange::highest).fold(f64::INFINITY, f64::min)
    }

    /// The effect in sentences; empty if no published rank changes.
    pub fn sentence(&self) -> String {
        let shown: Vec<String> = self.moves.iter().take(MOVES).map(described).collect();
        let more = self.moves.len().saturating_sub(MOVES);
        let more = match more {
            0 => String::new(),
            1 => " One other rank changes.".into(),
            more => format!(" {more} other ranks change."),
        };
        if shown.is_empty() { String::new() } else { format!("{}.{more}", shown.join("; ")) }
    }
}

/// The number of changes that a sentence names. Judged: more would not fit a line of the queue.
const MOVES: usize = 3;

fn described(one: &RankChange) -> String {
    let who = match &one.player {
        Some(player) => player.split(',').next().unwrap_or(player).to_owned(),
        None => "the event".to_owned(),
    };
    let digits = if one.player.is_some() { 0 } else { 1 };
    let [score_before, score_after] = [one.before, one.after]
        .map(|score| score.map_or(String::new(), |score| format!("{score:.digits$}")));
    let list = &one.list;
    match (one.rank_before, one.rank_after) {
        (Some(before), Some(after)) => {
            format!("{who} no. {before} → {after} {list} ({score_before} → {score_after})")
        }
        (Some(before), None) => {
            format!("{who}, no. {before} {list} ({score_before}), leaves it")
        }
        (None, Some(after)) => {
            format!("{who} comes in as no. {after} {list} ({score_after})")
        }
        (None, None) => format!("{who} is on no list"),
    }
}

impl PublishedLists {
    /// The lists of a build.
    pub fn new(
        records: &[EventRecord],
        greatness: &[GreatnessRow],
        strength: &[StrengthRow],
        faster: &[FasterLists],
    ) -> PublishedLists {
        let mut lists = PublishedLists::default();
        lists.add_all(None, greatness, strength, records);
        for list in faster {
            lists.add_all(Some(list.tempo), &list.greatness, &list.strength, records);
        }
        lists.sorted()
    }

    fn add_all(
        &mut self,
        tempo: Option<Tempo>,
        greatness: &[GreatnessRow],
        strength: &[StrengthRow],
        records: &[EventRecord],
    ) {
        for row in greatness {
            self.add(ListOf::Performances(tempo), row.g_score);
        }
        for row in strength {
            let kind = records[row.event].event.kind;
            self.add(of_strengths(kind, tempo), row.strength);
        }
    }

    /// Adds a score to a list. Call [`sorted`](PublishedLists::sorted) afterwards.
    pub fn add(&mut self, what: ListOf, score: f64) {
        match self.lists.iter_mut().find(|list| list.what == what) {
            Some(list) => list.scores.push(score),
            None => self.lists.push(PublishedList { what, scores: vec![score] }),
        }
    }

    /// Sorts every list, highest score first.
    #[must_use]
    pub fn sorted(mut self) -> PublishedLists {
        for list in &mut self.lists {
            list.scores.sort_by(|a, b| b.total_cmp(a));
        }
        self
    }

    /// The rank that a further score would have on a list, from 1, and the number of scores there.
    pub fn rank_of_new(&self, what: ListOf, score: f64) -> (usize, usize) {
        let scores = self.lists.iter().find(|list| list.what == what);
        let scores = scores.map_or(&[][..], |list| &list.scores);
        (above(scores, score) + 1, scores.len())
    }

    /// The effect of replacing events, given with what is published, by one event; `after` is
    /// `None` if no event remains.
    pub fn effect(
        &self,
        before: &[(&Eligibility, &EventOutcome)],
        after: Option<(&Eligibility, &EventOutcome)>,
    ) -> Effect {
        let published: Vec<ListEntry> = before
            .iter()
            .flat_map(|(eligibility, outcome)| entries(eligibility, outcome))
            .collect();
        let would_be: Vec<ListEntry> =
            after.map(|(eligibility, outcome)| entries(eligibility, outcome)).unwrap_or_default();
        let mut moves: Vec<RankChange> = Vec::new();
        let mut used = vec![false; would_be.len()];
        for entry in &published {
            let same = would_be.iter().position(|other| {
                other.player == entry.player
                    && other.list.ranks_players() == entry.list.ranks_players()
            });
            let other = same.filter(|place| !used[*place]);
            if let Some(place) = other {
                used[place] = true;
            }
            let other = other.map(|place| &would_be[place]);
            let is_same_list = other.is_none_or(|other| other.list == entry.list);
            let one = RankChange {
                player: entry.player.map(str::to_owned),
                before: Some(entry.score),
                rank_before: Some(self.rank(entry, &published, &published)),
                after: other.filter(|_| is_same_list).map(|other| other.score),
                rank_after: other
                    .filter(|_| is_same_list)
                    .map(|other| self.rank(other, &published, &would_be)),
                list: entry.list.words(),
                shortness: self.shortness(entry.list),
            };
            moves.push(one);
            if let Some(other) = other.filter(|_| !is_same_list) {
                moves.push(self.new_rank(other, &published, &would_be));
            }
        }
        for (entry, _) in would_be.iter().zip(&used).filter(|(_, used)| !**used) {
            moves.push(self.new_rank(entry, &published, &would_be));
        }
        moves.retain(|one| one.rank_before != one.rank_after);
        moves.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        let weight = moves.iter().map(RankChange::weight).fold(0.0, |sum, weight| sum + weight);
        Effect { moves, weight }
    }

    /// The rank of an entry if the published entries of its events are replaced by `own`.
    fn rank(&self, entry: &ListEntry, published: &[ListEntry], own: &[ListEntry]) -> usize {
        let list = self.lists.iter().find(|list| list.what == entry.list);
        let all = list.map_or(0, |list| above(&list.scores, entry.score));
        // The lists contain the published entries of these events, but not the new ones.
        (all + entries_above(own, entry)).saturating_sub(entries_above(published, entry)) + 1
    }

    /// The change of an entry that no published entry corresponds to.
    fn new_rank(
        &self,
        entry: &ListEntry,
        published: &[ListEntry],
        would_be: &[ListEntry],
    ) -> RankChange {
        RankChange {
            player: entry.player.map(str::to_owned),
            before: None,
            rank_before: None,
            after: Some(entry.score),
            rank_after: Some(self.rank(entry, published, would_be)),
            list: entry.list.words(),
            shortness: self.shortness(entry.list),
        }
    }

    /// The factor by which a rank of a list counts less than one of a long list.
    fn shortness(&self, list: ListOf) -> f64 {
        let lines = self.lists.iter().find(|other| other.what == list);
        let lines = lines.map_or(0, |list| list.scores.len()).max(1);
        (LONG / lines as f64).max(1.0) * if list.is_separate() { SEPARATE } else { 1.0 }
    }
}

impl ListOf {
    /// Whether it is a separate list of rapid or blitz events.
    fn is_separate(self) -> bool {
        let (ListOf::Performances(tempo) | ListOf::Tournaments(tempo) | ListOf::Matches(tempo)) =
            self;
        tempo.is_some()
    }

    /// Whether it ranks players, not events.
    fn ranks_players(self) -> bool {
        matches!(self, ListOf::Performances(_))
    }
}

/// The list of strengths for a kind of event.
pub fn of_strengths(kind: Kind, tempo: Option<Tempo>) -> ListOf {
    match kind {
        Kind::Match => ListOf::Matches(tempo),
        _ => ListOf::Tournaments(tempo),
    }
}

struct ListEntry<'a> {
    list: ListOf,
    player: Option<&'a str>,
    score: f64,
}

/// The entries that an event has on lists.
fn entries<'a>(eligibility: &Eligibility, outcome: &'a EventOutcome) -> Vec<ListEntry<'a>> {
    let mut entries = Vec::new();
    if let Some(tempo) = list_tempo(outcome.performances, eligibility)
        && !eligibility.is_ranked_elsewhere
    {
        let players = outcome.analysis.players.iter().zip(&outcome.great);
        entries.extend(players.filter_map(|(player, great)| {
            let list = ListOf::Performances(tempo);
            Some(ListEntry { list, player: Some(&player.name), score: (*great)? })
        }));
    }
    if let Some(tempo) = list_tempo(outcome.status, eligibility)
        && let Some(score) = outcome.analysis.strength
    {
        entries.push(ListEntry {
            list: of_strengths(eligibility.kind, tempo),
            player: None,
            score,
        });
    }
    entries
}

/// The tempo of the separate list for a status, or `Some(None)` for the main lists; `None` if no
/// list has events of this status.
fn list_tempo(status: Status, eligibility: &Eligibility) -> Option<Option<Tempo>> {
    match status {
        Status::Listed => Some(None),
        Status::Faster => Some(Some(eligibility.tempo)),
        _ => None,
    }
}

/// The number of entries of the same list with a higher score.
fn entries_above(entries: &[ListEntry], entry: &ListEntry) -> usize {
    let same_list = entries.iter().filter(|other| other.list == entry.list);
    same_list.filter(|other| other.score > entry.score).count()
}

/// The number of scores above a score, in a list with the highest first.
fn above(scores: &[f64], score: f64) -> usize {
    scores.partition_point(|other| *other > score)
}
