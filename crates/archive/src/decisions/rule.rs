//! Defines a rule: one decision for all events whose names match.

use pgn_collections::source::{CleanName, CleanText};
use serde::Deserialize;
use wildmatch::WildMatch;

use super::decision::Decision;
use super::error::{DecisionError, signature};
use chess_history::players::fold;
use pgn_collections::games::Tempo;
use tournament_app::{Kind, Policy};

/// The key of rules in a file.
pub(super) const RULES: &str = "rule";

/// A decision about all events whose names match.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The pattern for names or ids of events: `Bundesliga*`. `*` stands for any text and `?` for
    /// one letter; case and accents are ignored.
    pub event: String,
    /// The author. A missing one counts as empty, which is reported with all other errors.
    #[serde(default)]
    pub author: CleanName,
    pub date: Option<toml::value::Datetime>,
    #[serde(default)]
    pub reason: CleanText,
    /// Whether they enter the lists.
    pub listed: Option<bool>,
    /// Whether all of their games are known.
    #[serde(default)]
    pub complete: bool,
    pub tempo: Option<Tempo>,
    pub kind: Option<Kind>,
    /// The policy for ratings that do not fit.
    pub policy: Option<Policy>,
    /// Whether ratings under pressure are corrected as well.
    pub move_pressure: Option<bool>,
    /// Whether a person has reviewed them and keeps them as they are.
    #[serde(default)]
    pub reviewed: bool,
    /// Special conditions such as changed time controls, illness or fraud.
    #[serde(default)]
    pub special_conditions: Vec<CleanText>,
    /// A note in Markdown.
    pub note: Option<CleanText>,
    /// The file and line of the rule, for messages.
    #[serde(skip)]
    pub place: String,
}

impl Rule {
    /// Whether the rule covers an event with this name and id.
    pub fn covers(&self, name: &str, id: &str) -> bool {
        let pattern = WildMatch::new(&fold(&self.event));
        pattern.matches(&fold(name)) || pattern.matches(id)
    }

    /// The errors of the rule that do not depend on the events.
    pub(super) fn check(&self) -> Vec<DecisionError> {
        let mut wrong = Vec::new();
        let empty = Rule {
            event: self.event.clone(),
            author: self.author.clone(),
            date: self.date,
            reason: self.reason.clone(),
            place: self.place.clone(),
            ..Rule::default()
        };
        if *self == empty {
            wrong.push("this rule has no effect; add what it decides".into());
        }
        if !fold(&self.event).chars().any(char::is_alphanumeric) {
            wrong.push("`event` matches nothing; write at least one letter of the name".into());
        }
        self.check_signature()
            .into_iter()
            .chain(wrong.into_iter().map(|it| self.wrong(it)))
            .collect()
    }

    /// The errors of author, date and reason.
    pub(super) fn check_signature(&self) -> Vec<DecisionError> {
        let wrong = signature(&self.author, self.date, &self.reason).into_iter();
        wrong.map(|message| self.wrong(message)).collect()
    }

    fn wrong(&self, message: String) -> DecisionError {
        DecisionError::Wrong { place: self.place.clone(), event: self.event.clone(), message }
    }

    /// The decision about an event that has no other decision.
    pub(super) fn decision(&self) -> Decision {
        Decision {
            author: self.author.clone(),
            date: self.date,
            reason: self.reason.clone(),
            kind: self.kind,
            policy: self.policy,
            move_pressure: self.move_pressure,
            listed: self.listed,
            complete: self.complete,
            tempo: self.tempo,
            reviewed: self.reviewed,
            special_conditions: self.special_conditions.clone(),
            note: self.note.clone(),
            place: self.place.clone(),
            ..Decision::default()
        }
    }

    /// Adds the matters that a decision does not mention.
    pub(super) fn complete(&self, decision: &mut Decision) {
        decision.kind = decision.kind.or(self.kind);
        decision.policy = decision.policy.or(self.policy);
        decision.move_pressure = decision.move_pressure.or(self.move_pressure);
        decision.listed = decision.listed.or(self.listed);
        decision.complete |= self.complete && decision.expected_games.is_none();
        decision.tempo = decision.tempo.or(self.tempo);
        decision.reviewed |= self.reviewed;
        for condition in &self.special_conditions {
            if !decision.special_conditions.contains(condition) {
                decision.special_conditions.push(condition.clone());
            }
        }
        if decision.note.is_none() {
            decision.note.clone_from(&self.note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Decisions;

    const HEAD: &str = "author = \"A\"\ndate = 2026-11-21\nreason = \"R\"\n";

    fn decisions(text: &str) -> Decisions {
        let mut decisions = Decisions::default();
        decisions.add(text, "d.toml").unwrap();
        decisions
    }

    #[test]
    fn a_rule_covers_all_events_whose_names_match() {
        let text = format!("[[rule]]\nevent = \"Bundesliga*\"\n{HEAD}listed = false\n");
        let decisions = decisions(&text);
        let rule = &decisions.rules()[0];
        assert!(rule.covers("BUNDESLIGA 1999/2000", "bundesliga-1999"));
        assert!(rule.covers("German League", "bundesliga-1999"));
        assert!(!rule.covers("2nd Bundesliga 1999", "second-bundesliga-1999"));
    }

    #[test]
    fn an_own_decision_has_priority_over_rules_and_earlier_rules_over_later_ones() {
        let mut decisions = decisions(&format!(
            "[x-1900]\n{HEAD}policy = \"keep\"\n[[rule]]\nevent = \"X*\"\n{HEAD}policy = \"rebuild\"\nlisted = false\n\
             [[rule]]\nevent = \"*\u{e9}\"\n{HEAD}listed = true\ntempo = \"blitz\"\n"
        ));
        let rules = decisions.rules().to_vec();
        for event in ["x-1900", "y-1900"] {
            decisions.with_rules(event, &rules.iter().collect::<Vec<_>>());
        }
        let own = decisions.get("x-1900").unwrap();
        assert_eq!(own.policy.unwrap().word(), "keep");
        assert_eq!((own.listed, own.tempo.unwrap().word()), (Some(false), "blitz"));
        assert_eq!(decisions.get("y-1900").unwrap().policy.unwrap().word(), "rebuild");
    }
}
