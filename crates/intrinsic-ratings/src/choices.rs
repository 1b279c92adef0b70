//! What an engine said of turns, made ready to be rated.

use super::model::{CAP, ChoiceModel, MoveGroup, Skill, chances_of, scaled};

/// What an engine said of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnValues {
    /// Moves that the rules allow.
    pub legal: u8,
    /// Values (centipawns) of the listed moves, the best first.
    pub values: Vec<i16>,
    /// Place of the move played among them, from 0; nothing where it is not listed.
    pub place: Option<usize>,
    /// Value (centipawns) of the move played, at most that of the last listed where it is not listed.
    pub played: i16,
}

/// A value in pawns.
fn pawns(centipawns: i16) -> f64 {
    (f64::from(centipawns) / 100.0).clamp(-CAP, CAP)
}

impl TurnValues {
    /// The best move's value (pawns).
    pub fn best(&self) -> f64 {
        self.values.first().copied().map_or(0.0, pawns)
    }

    /// Whether one side is too far ahead.
    pub fn is_decided(&self, terms: &Terms) -> bool {
        self.best().abs() > terms.cut
    }

    /// What the move played gave away (pawns, from 0).
    pub fn loss(&self) -> f64 {
        (self.best() - pawns(self.played)).max(0.0)
    }

    /// How near (percent, 0 to 100) the move played came to the chances of the best.
    ///
    /// Source: lichess.org, *Accuracy metric*: Win% = 50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1).
    pub fn accuracy(&self) -> f64 {
        let win =
            |pawns: f64| 50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * 100.0 * pawns).exp()) - 1.0);
        let lost = (win(self.best()) - win(pawns(self.played))).max(0.0);
        (103.1668 * (-0.043_54 * lost).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// How values become differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// A of the scale (pawns, above 0).
    pub scale_pawns: f64,
    /// How much worse (scaled) than the last listed move those count that are not listed.
    pub tail: f64,
    /// Turns with a best value beyond this (pawns) are left out.
    pub cut: f64,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { scale_pawns: 1.0, tail: 0.30, cut: 3.0 }
    }
}

/// Turns as groups of differences.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    groups: Vec<MoveGroup>,
    /// Logarithms of the differences.
    logs: Vec<f64>,
    /// Where the groups of each turn end.
    ends: Vec<usize>,
    /// The group that was played, in each turn.
    played: Vec<usize>,
    loss: f64,
    accuracy: f64,
}

/// What one skill lets expect of turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// Mean error (scaled pawns), and its standard error.
    pub error: f64,
    /// Standard error of that.
    pub error_sigma: f64,
    /// Part, in [0, 1], of turns in which the engine's best move is made.
    pub matches: f64,
    /// Standard error of that.
    pub matches_sigma: f64,
}

impl Choices {
    /// Turns in their order; those that are decided must not be among them.
    pub fn of<'t>(turns: impl IntoIterator<Item = &'t TurnValues>, terms: &Terms) -> Choices {
        let mut choices = Choices::default();
        turns.into_iter().for_each(|turn| choices.push(turn, terms));
        choices
    }

    /// Adds a turn.
    pub fn push(&mut self, turn: &TurnValues, terms: &Terms) {
        let Some(&best) = turn.values.first() else { return };
        let best = scaled(pawns(best), terms.scale_pawns);
        let delta = |value: i16| (best - scaled(pawns(value), terms.scale_pawns)).max(0.0);
        let start = self.groups.len();
        for value in &turn.values {
            self.groups.push(MoveGroup { delta: delta(*value), moves: 1.0 });
        }
        let last = self.groups[self.groups.len() - 1].delta;
        let mut unlisted = usize::from(turn.legal).saturating_sub(turn.values.len());
        let mut played = turn.place.map_or(start, |place| start + place);
        if turn.place.is_none() {
            unlisted = unlisted.saturating_sub(1);
            played = self.groups.len();
            self.groups.push(MoveGroup { delta: delta(turn.played).max(last), moves: 1.0 });
        }
        if unlisted > 0 {
            let tail = MoveGroup { delta: last + terms.tail, moves: unlisted as f64 };
            // The best first.
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

    /// How many turns.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Mean loss (pawns) of the moves played; nought of none.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.len().max(1) as f64
    }

    /// Mean accuracy (percent) of the moves played; nought of none.
    pub fn mean_accuracy(&self) -> f64 {
        self.accuracy / self.len().max(1) as f64
    }

    /// Mean error (scaled pawns) of the moves played; nought of none.
    pub fn error(&self) -> f64 {
        let sum: f64 = self.turns().map(|(groups, _, played)| groups[played].delta).sum();
        sum / self.len().max(1) as f64
    }

    /// Part of the turns in which the engine's best move was made; nought of none.
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

    /// Gives each turn's groups, their chances, and the one that was played.
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

    /// What a skill lets expect of these turns; noughts of none.
    ///
    /// Source: K. Regan, *Intrinsic Ratings Compendium* (2012), with the exact variance of a choice among several.
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

    /// Mean error (scaled pawns) that a skill lets expect; nought of none.
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
    fn moves_that_are_not_listed_are_one_column_and_the_played_one_is_its_own() {
        let terms = Terms::default();
        let turn = TurnValues { legal: 30, values: vec![50, 20, 20], place: Some(1), played: 20 };
        let choices = Choices::of([&turn], &terms);
        assert_eq!(choices.groups.len(), 4);
        assert_eq!(choices.groups[3].moves, 27.0);
        let last = choices.groups[2].delta;
        assert!((choices.groups[3].delta - last - 0.30).abs() < 1e-12);
        assert_eq!(choices.played, [1]);
        // Far below the others: behind the tail.
        let blunder = TurnValues { place: None, played: -900, ..turn.clone() };
        let choices = Choices::of([&blunder], &terms);
        assert_eq!((choices.groups.len(), choices.groups[3].moves), (5, 26.0));
        assert_eq!(choices.played, [4]);
        // Never above the last listed.
        let better = TurnValues { place: None, played: 40, ..turn.clone() };
        let choices = Choices::of([&better], &terms);
        assert_eq!((choices.groups[3].delta, choices.played[0]), (last, 3));
        // All are listed.
        let all = TurnValues { legal: 3, ..turn };
        assert_eq!(Choices::of([&all], &terms).groups.len(), 3);
    }

    #[test]
    fn mates_count_as_the_cap_and_decided_turns_are_known() {
        let turn =
            TurnValues { legal: 2, values: vec![31_998, -31_990], place: Some(1), played: -31_990 };
        assert_eq!((turn.best(), turn.loss()), (10.0, 20.0));
        assert!(turn.is_decided(&Terms::default()));
        let even = TurnValues { legal: 2, values: vec![300, 0], place: Some(0), played: 300 };
        assert!(!even.is_decided(&Terms::default()));
        assert!((even.accuracy() - 100.0).abs() < 1e-3);
    }

    #[test]
    fn one_side_of_nought_and_the_other_are_alike() {
        let terms = Terms::default();
        let of = |values: Vec<i16>| {
            let turn = TurnValues { legal: 2, place: Some(1), played: values[1], values };
            Choices::of([&turn], &terms).error()
        };
        assert!((of(vec![20, -30]) - 0.444686).abs() < 5e-7);
        assert_eq!(Choices::default().error(), 0.0);
        assert_eq!(
            Choices::default()
                .expected(Skill { sensitivity: 0.1, consistency: 0.5 }, ChoiceModel::Powers),
            Expected::default()
        );
    }
}
