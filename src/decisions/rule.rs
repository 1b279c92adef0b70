//! A rule: one decision for all events of a name.

use serde::Deserialize;
use wildmatch::WildMatch;

use super::decision::Decision;
use super::error::{DecisionError, signature};
use crate::games::Tempo;
use crate::players::fold;
use crate::tournament::{Kind, Policy};

/// The key under which rules stand.
pub(super) const RULES: &str = "rule";

/// What was decided for all events of a name.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The names (or ids) of the events: `Bundesliga*`, where `*` stands for any text and `?` for one letter; capitals and accents
    /// make no difference.
    pub event: String,
    /// Who decided.
    pub author: String,
    /// When: a day.
    pub date: Option<toml::value::Datetime>,
    /// Why.
    pub reason: String,
    /// Whether they enter the lists.
    pub listed: Option<bool>,
    /// Whether all of their games are there.
    #[serde(default)]
    pub complete: bool,
    /// How fast they were played.
    pub tempo: Option<Tempo>,
    /// What sort of competition they are.
    pub kind: Option<Kind>,
    /// What to do with ratings that do not fit.
    pub policy: Option<Policy>,
    /// Whether players under pressure move as well.
    pub move_pressure: Option<bool>,
    /// Whether a person has looked at them, and they stand as they are.
    #[serde(default)]
    pub reviewed: bool,
    /// Changing time controls, illness, fraud.
    #[serde(default)]
    pub special_conditions: Vec<String>,
    /// A note in Markdown.
    pub note: Option<String>,
    /// The file that it stands in and its line, for messages.
    #[serde(skip)]
    pub place: String,
}

impl Rule {
    /// Whether it is about an event of this name and identifier.
    pub fn is_about(&self, name: &str, id: &str) -> bool {
        let pattern = WildMatch::new(&fold(&self.event));
        pattern.matches(&fold(name)) || pattern.matches(id)
    }

    /// What is wrong with it, whatever the events.
    pub(super) fn check(&self) -> Vec<DecisionError> {
        let mut wrong = signature(&self.author, self.date, &self.reason);
        let empty = Rule {
            event: self.event.clone(),
            author: self.author.clone(),
            date: self.date,
            reason: self.reason.clone(),
            place: self.place.clone(),
            ..Rule::default()
        };
        if *self == empty {
            wrong.push("this rule decides nothing".into());
        }
        if !fold(&self.event).chars().any(char::is_alphanumeric) {
            wrong.push("`event` names no event; say at least a letter of the name".into());
        }
        let wrong = wrong.into_iter();
        wrong
            .map(|message| DecisionError::Wrong {
                place: self.place.clone(),
                event: self.event.clone(),
                message,
            })
            .collect()
    }

    /// The decision for an event of which nothing else was decided.
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

    /// Adds what a decision says nothing of.
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
    fn a_rule_is_about_all_events_of_a_name() {
        let text = format!("[[rule]]\nevent = \"Bundesliga*\"\n{HEAD}listed = false\n");
        let decisions = decisions(&text);
        let rule = &decisions.rules()[0];
        assert!(rule.is_about("BUNDESLIGA 1999/2000", "bundesliga-1999"));
        assert!(rule.is_about("German League", "bundesliga-1999"));
        assert!(!rule.is_about("2nd Bundesliga 1999", "second-bundesliga-1999"));
    }

    #[test]
    fn an_event_s_own_decision_goes_before_rules_and_the_first_rule_before_the_next() {
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
