//! Prepares the engine values of turns for rating.

use super::model::{CAP, ChoiceModel, MoveGroup, Skill, chances_of, scaled};

/// The engine values of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnValues {
    /// Number of legal moves.
    pub legal: u8,
    /// Values (centipawns) of the listed moves, from the best.
    pub values: Vec<i16>,
    /// Index of the move played among the listed moves; `None` if it is not listed.
    pub place: Option<usize>,
    /// Value (centipawns) of the move played. An unlisted move has at most the value of the last
    /// listed one.
    pub played: i16,
}

/// Converts centipawns to pawns, limited to [`CAP`].
fn pawns(centipawns: i16) -> f64 {
    (f64::from(centipawns) / 100.0).clamp(-CAP, CAP)
}

impl TurnValues {
    /// The value of the best move (pawns).
    pub fn best(&self) -> f64 {
        self.values.first().copied().map_or(0.0, pawns)
    }

    /// Whether one side is too far ahead for the turn to be rated.
    pub fn is_decided(&self, terms: &Terms) -> bool {
        self.best().abs() > terms.cut
    }

    /// The loss of the move played (pawns, 0 or more).
    pub fn loss(&self) -> f64 {
        (self.best() - pawns(self.played)).max(0.0)
    }

    /// The accuracy of the move played (percent, 0 to 100): how much of the winning chances of the
    /// best move it keeps.
    ///
    /// Source: lichess.org, *Accuracy metric*: Win% = 50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1).
    pub fn accuracy(&self) -> f64 {
        let lost = (winning_chances(self.best()) - winning_chances(pawns(self.played))).max(0.0);
        (103.1668 * (-0.043_54 * lost).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// The winning chances (percent) of a position with this value (pawns); see
/// [`TurnValues::accuracy`].
fn winning_chances(pawns: f64) -> f64 {
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * 100.0 * pawns).exp()) - 1.0)
}

/// The parameters that convert values to differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The constant A of the scale (pawns, above 0).
    pub scale_pawns: f64,
    /// How much worse (scaled pawns) than the last listed move the unlisted moves count.
    pub tail: f64,
    /// Turns whose best move has a value beyond this (pawns) are left out.
    pub cut: f64,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { scale_pawns: 1.0, tail: 0.30, cut: 3.0 }
    }
}

/// Turns as groups of moves with their differences from the best move.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    groups: Vec<MoveGroup>,
    /// The natural logarithm of each group's difference.
    logs: Vec<f64>,
    /// Index after the last group of each turn.
    ends: Vec<usize>,
    /// Index, within each turn, of the group that was played.
    played: Vec<usize>,
    loss: f64,
    accuracy: f64,
}

/// Predictions of a skill for a set of turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// Mean error (scaled pawns).
    pub error: f64,
    /// Standard error of that value.
    pub error_sigma: f64,
    /// Part, in `[0, 1]`, of turns in which the engine's best move is expected.
    pub matches: f64,
    /// Standard error of that value.
    pub matches_sigma: f64,
}

impl Choices {
    /// Collects turns in their order. The caller must leave out decided turns.
    pub fn new<'t>(turns: impl IntoIterator<Item = &'t TurnValues>, terms: &Terms) -> Choices {
        let mut choices = Choices::default();
        turns.into_iter().for_each(|turn| choices.push(turn, terms));
        choices
    }

    /// Adds a turn. Does nothing if the engine gave no values.
    pub fn push(&mut self, turn: &TurnValues, terms: &Terms) {
        let Some(&best) = turn.values.first() else { return };
        let best = scaled(pawns(best), terms.scale_pawns);
        let start = self.groups.len();
        for value in &turn.values {
            let delta = (best - scaled(pawns(*value), terms.scale_pawns)).max(0.0);
            self.groups.push(MoveGroup { delta, moves: 1.0 });
        }
        let last = self.groups[self.groups.len() - 1].delta;
        let mut unlisted = usize::from(turn.legal).saturating_sub(turn.values.len());
        let mut played = turn.place.map_or(start, |place| start + place);
        if turn.place.is_none() {
            unlisted = unlisted.saturating_sub(1);
            played = self.groups.len();
            let delta = (best - scaled(pawns(turn.played), terms.scale_pawns)).max(last);
            self.groups.push(MoveGroup { delta, moves: 1.0 });
        }
        if unlisted > 0 {
            let tail = MoveGroup { delta: last + terms.tail, moves: unlisted as f64 };
            // Groups are in the order of their differences.
            match self.groups.last() {
                Some(own) if turn.place.is_none() && own.delta > tail.delta => {
                    self.groups.insert(played, tail);
                    played += 1;
                }
                _ => self.groups.push(tail),
            }
        }
        self.logs.extend(self.groups[start..].iter().map(|group| group.delta.ln()));
        self.ends.push(self.groups.len());
        self.played.push(played - start);
        self.loss += turn.loss();
        self.accuracy += turn.accuracy();
    }

    /// Number of turns that were collected.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no turn was collected.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Mean loss (pawns) of the moves played; 0 without turns.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.len().max(1) as f64
    }

    /// Mean accuracy (percent) of the moves played; 0 without turns.
    pub fn mean_accuracy(&self) -> f64 {
        self.accuracy / self.len().max(1) as f64
    }

    /// Mean error (scaled pawns) of the moves played; 0 without turns.
    pub fn error(&self) -> f64 {
        let sum: f64 = self.turns().map(|(groups, _, played)| groups[played].delta).sum();
        sum / self.len().max(1) as f64
    }

    /// Part, in `[0, 1]`, of turns in which the engine's best move was played; 0 without turns.
    pub fn matches(&self) -> f64 {
        let made = self.played.iter().filter(|played| **played == 0).count();
        made as f64 / self.len().max(1) as f64
    }

    fn turns(&self) -> impl Iterator<Item = (&[MoveGroup], &[f64], usize)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).zip(&self.played).map(|((start, end), played)| {
            (&self.groups[start..*end], &self.logs[start..*end], *played)
        })
    }

    /// Visits each turn with its groups, their chances and the group that was played.
    pub(super) fn for_each(
        &self,
        skill: Skill,
        model: ChoiceModel,
        mut visit: impl FnMut(&[MoveGroup], &[f64], usize),
    ) {
        let mut chances = Vec::new();
        for (groups, logs, played) in self.turns() {
            let moves = groups.iter().map(|group| group.moves);
            chances_of(logs.iter().copied(), moves, skill, model, &mut chances);
            visit(groups, &chances, played);
        }
    }

    /// Predicts errors and matches on these turns for a skill; all 0 without turns.
    ///
    /// Source: K. Regan, *Intrinsic Ratings Compendium* (2012), with the exact variance of a choice
    /// among several moves.
    pub fn expected(&self, skill: Skill, model: ChoiceModel) -> Expected {
        let mut sums = Expected::default();
        self.for_each(skill, model, |groups, chances, _| {
            let (mut mean, mut square) = (0.0, 0.0);
            for (group, chance) in groups.iter().zip(chances) {
                mean += chance * group.delta;
                square += chance * group.delta * group.delta;
            }
            sums.error += mean;
            sums.error_sigma += square - mean * mean;
            sums.matches += chances[0];
            sums.matches_sigma += chances[0] * (1.0 - chances[0]);
        });
        let turns = self.len().max(1) as f64;
        Expected {
            error: sums.error / turns,
            error_sigma: sums.error_sigma.max(0.0).sqrt() / turns,
            matches: sums.matches / turns,
            matches_sigma: sums.matches_sigma.max(0.0).sqrt() / turns,
        }
    }

    /// Predicts the mean error (scaled pawns) for a skill; 0 without turns.
    pub fn expected_error(&self, skill: Skill, model: ChoiceModel) -> f64 {
        let mut sum = 0.0;
        self.for_each(skill, model, |groups, chances, _| {
            sum += groups.iter().zip(chances).map(|(group, p)| p * group.delta).sum::<f64>();
        });
        sum / self.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlisted_moves_form_one_group_except_the_move_played() {
        let terms = Terms::default();
        let turn = TurnValues { legal: 30, values: vec![50, 20, 20], place: Some(1), played: 20 };
        let choices = Choices::new([&turn], &terms);
        assert_eq!(choices.groups.len(), 4);
        assert_eq!(choices.groups[3].moves, 27.0);
        let last = choices.groups[2].delta;
        assert!((choices.groups[3].delta - last - 0.30).abs() < 1e-12);
        assert_eq!(choices.played, [1]);
        // A move far below the others comes after the tail.
        let blunder = TurnValues { place: None, played: -900, ..turn.clone() };
        let choices = Choices::new([&blunder], &terms);
        assert_eq!((choices.groups.len(), choices.groups[3].moves), (5, 26.0));
        assert_eq!(choices.played, [4]);
        // An unlisted move never counts as better than the last listed one.
        let better = TurnValues { place: None, played: 40, ..turn.clone() };
        let choices = Choices::new([&better], &terms);
        assert_eq!((choices.groups[3].delta, choices.played[0]), (last, 3));
        // All moves are listed.
        let all = TurnValues { legal: 3, ..turn };
        assert_eq!(Choices::new([&all], &terms).groups.len(), 3);
    }

    #[test]
    fn mates_count_as_the_cap_and_decided_turns_are_recognised() {
        let turn =
            TurnValues { legal: 2, values: vec![31_998, -31_990], place: Some(1), played: -31_990 };
        assert_eq!((turn.best(), turn.loss()), (10.0, 20.0));
        assert!(turn.is_decided(&Terms::default()));
        let even = TurnValues { legal: 2, values: vec![300, 0], place: Some(0), played: 300 };
        assert!(!even.is_decided(&Terms::default()));
        assert!((even.accuracy() - 100.0).abs() < 1e-3);
    }

    #[test]
    fn differences_across_zero_add_up() {
        let terms = Terms::default();
        let turn = TurnValues { legal: 2, values: vec![20, -30], place: Some(1), played: -30 };
        assert!((Choices::new([&turn], &terms).error() - 0.444686).abs() < 5e-7);
        assert_eq!(Choices::default().error(), 0.0);
        assert_eq!(
            Choices::default()
                .expected(Skill { sensitivity: 0.1, consistency: 0.5 }, ChoiceModel::Powers),
            Expected::default()
        );
    }
}
