//! Reads decisions from TOML. The [module](super) describes the format.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, de};

use super::decision::Decision;
use super::decision_file::DecisionFile;
use super::error::DecisionError;
use super::replaced_decision::ReplacedDecision;
use super::rule::{RULES, Rule};
use error_hints::{for_unknown_key, readable};
use pgn_collections::source::read_text;

/// All decisions: by event id, and by rules for many events.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    by_event: BTreeMap<String, Decision>,
    rules: Vec<Rule>,
    files: Vec<DecisionFile>,
    replaced: Vec<ReplacedDecision>,
}

/// Reads a table of a file. On failure returns the error of every wrong key, and what the other
/// keys say, if that can be read.
fn read<'de, T: Deserialize<'de>>(
    value: Spanned<DeValue<'de>>,
) -> Result<T, (Vec<de::Error>, Option<T>)> {
    let whole = match T::deserialize(de::ValueDeserializer::from(value.clone())) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else { return Err((vec![whole], None)) };
    let empty = read_table::<T>(DeTable::new(), &span).err();
    let empty = empty.map(|error| error.message().to_owned());
    let (mut errors, mut rest) = (Vec::new(), DeTable::new());
    for (key, value) in table {
        let mut one = DeTable::new();
        one.insert(key.clone(), value.clone());
        // A key that is required is missing here only because it stands alone.
        match read_table::<T>(one, &span) {
            Err(error) if empty.as_deref() != Some(error.message()) => errors.push(error),
            _ => drop(rest.insert(key, value)),
        }
    }
    if errors.is_empty() {
        errors.push(whole);
    }
    Err((errors, read_table(rest, &span).ok()))
}

/// Reads a table that is at this span of the file.
fn read_table<'de, T: Deserialize<'de>>(
    table: DeTable<'de>,
    span: &Range<usize>,
) -> Result<T, de::Error> {
    let value = Spanned::new(span.clone(), DeValue::Table(table));
    T::deserialize(de::ValueDeserializer::from(value))
}

/// Errors of texts that are not TOML. A table that occurs twice is one error, although each of its
/// keys occurs twice, too.
fn distinct(errors: Vec<de::Error>, text: &str) -> Vec<de::Error> {
    let mut kept: Vec<de::Error> = Vec::new();
    for error in errors {
        let start = error.span().map_or(0, |span| span.start);
        let header = text[..start].rfind("\n[").map_or(0, |end| end + 1);
        let is_repeated = error.message() == "duplicate key"
            && kept.iter().any(|earlier| {
                earlier.message() == error.message()
                    && earlier
                        .span()
                        .is_some_and(|span| (header..=header + 1).contains(&span.start))
            });
        if !is_repeated {
            kept.push(error);
        }
    }
    kept
}

fn toml_error(mut error: de::Error, text: &str, file: &str) -> DecisionError {
    error.set_input(Some(text));
    let hint = for_unknown_key(error.message());
    // Converted to text at once, because each error would hold the whole file.
    DecisionError::Toml { file: file.to_owned(), hint, error: readable(&error.to_string()) }
}

/// A byte of a file as `FILE:LINE`. `ends` are the positions of the ends of its lines.
fn place_in_file(file: &str, ends: &[usize], position: usize) -> String {
    format!("{file}:{}", ends.partition_point(|end| *end < position) + 1)
}

/// The number of errors of a file that are shown. Judged: a few screens. A file with more errors
/// usually has one error thousands of times.
const SHOWN: usize = 100;

/// Combines the first errors of a file with the number of the others. `count` is the number of all.
fn shown(mut errors: Vec<DecisionError>, count: usize, file: &str) -> Result<(), DecisionError> {
    errors.truncate(SHOWN);
    if count > errors.len() {
        errors.push(DecisionError::More { file: file.to_owned(), count: count - errors.len() });
    }
    DecisionError::of_all(errors).map_or(Ok(()), Err)
}

impl Decisions {
    /// Sets the decision for an event, in place of any other.
    pub fn put(&mut self, event: &str, decision: Decision) {
        self.by_event.insert(event.to_owned(), decision);
    }

    /// Keeps only the decisions for events whose id passes.
    pub fn retain(&mut self, passes: impl Fn(&str) -> bool) {
        self.by_event.retain(|id, _| passes(id));
        self.replaced.retain(|replaced| passes(&replaced.event));
    }

    /// Adds the decisions of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, has a wrong format, or contains a decision
    /// about an event that another file decides.
    pub fn read(&mut self, path: &Path) -> Result<(), DecisionError> {
        let file = path.display().to_string();
        let text =
            read_text(path).map_err(|error| DecisionError::Read { file: file.clone(), error })?;
        let (decisions, rules) = (self.by_event.len(), self.rules.len());
        let added = self.add(&text, &file);
        self.files.push(DecisionFile {
            file,
            decisions: self.by_event.len() - decisions,
            rules: self.rules.len() - rules,
            replaced: 0,
        });
        added
    }

    /// Adds the bundled decisions below the user's.
    ///
    /// A user's decision about an event replaces the bundled one as a whole: each decision has one
    /// author, who answers for all of it. A bundled decision about an event that the user merges
    /// into another is void. Of two rules, the user's has priority.
    pub fn add_bundled(&mut self, mut bundled: Decisions) {
        let merges = self.by_event.values().flat_map(|by| by.merge.iter().map(move |id| (id, by)));
        let merged: BTreeMap<&String, &Decision> = merges.collect();
        let mut kept = BTreeMap::new();
        for (event, decision) in std::mem::take(&mut bundled.by_event) {
            let by = self.by_event.get(&event).or_else(|| merged.get(&event).copied());
            match by {
                Some(by) => self.replaced.push(ReplacedDecision::new(&event, &decision, by)),
                None => {
                    kept.insert(event, decision);
                }
            }
        }
        for file in &mut bundled.files {
            let places = self.replaced.iter().filter_map(|one| one.place.rsplit_once(':'));
            file.replaced = places.filter(|(of, _)| *of == file.file).count();
        }
        self.by_event.append(&mut kept);
        self.rules.append(&mut bundled.rules);
        self.files.splice(0..0, bundled.files);
    }

    /// The files that were read, the bundled ones first.
    pub fn files(&self) -> &[DecisionFile] {
        &self.files
    }

    /// The bundled decisions that the user's replace.
    pub fn replaced(&self) -> &[ReplacedDecision] {
        &self.replaced
    }

    /// Adds the decisions of a text. Valid tables are added even if other tables are wrong.
    ///
    /// # Errors
    ///
    /// Returns all errors of the text at once: those of [`read`](Decisions::read), except for
    /// reading.
    pub fn add(&mut self, text: &str, file: &str) -> Result<(), DecisionError> {
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        let (tables, unreadable) = DeTable::parse_recoverable(text);
        if !unreadable.is_empty() {
            // If the text is not TOML, its tables cannot be trusted.
            let unreadable = distinct(unreadable, text);
            let count = unreadable.len();
            let first = unreadable.into_iter().take(SHOWN);
            let errors = first.map(|error| toml_error(error, text, file)).collect();
            return shown(errors, count, file);
        }
        let mut tables: Vec<(Spanned<de::DeString<'_>>, Spanned<DeValue<'_>>)> =
            tables.into_inner().into_iter().collect();
        tables.sort_by_key(|(_, value)| value.span().start);
        let (mut errors, mut unshown) = (Vec::new(), 0);
        for (key, value) in tables {
            if errors.len() > SHOWN {
                unshown += errors.len() - SHOWN;
                errors.truncate(SHOWN);
            }
            if key.get_ref().as_ref() == RULES
                && let DeValue::Array(rules) = value.get_ref()
            {
                for rule in rules.iter().cloned() {
                    let place = place_in_file(file, &ends, rule.span().start);
                    match read::<Rule>(rule) {
                        Ok(mut rule) => {
                            rule.place = place;
                            errors.extend(rule.check());
                            self.rules.push(rule);
                        }
                        Err((wrong, rest)) => {
                            errors.extend(
                                wrong.into_iter().map(|error| toml_error(error, text, file)),
                            );
                            if let Some(mut rest) = rest {
                                rest.place = place;
                                errors.extend(rest.check_signature());
                            }
                        }
                    }
                }
                continue;
            }
            let place = place_in_file(file, &ends, value.span().start);
            let event = key.into_inner().into_owned();
            let mut decision = match read::<Decision>(value) {
                Ok(decision) => decision,
                Err((wrong, rest)) => {
                    errors.extend(wrong.into_iter().map(|error| toml_error(error, text, file)));
                    if let Some(rest) = rest {
                        errors.extend(Decision { place, ..rest }.check(&event));
                    }
                    continue;
                }
            };
            decision.place = place;
            errors.extend(decision.check(&event));
            if let Some(first) = self.by_event.get(&event) {
                errors.push(DecisionError::Twice {
                    event,
                    first: first.place.clone(),
                    second: decision.place,
                });
                continue;
            }
            self.by_event.insert(event, decision);
        }
        let count = errors.len() + unshown;
        shown(errors, count, file)
    }

    /// The rules for many events, in the order of the files.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Completes the decision about an event by rules. Its own decision has priority, then the
    /// first rule that mentions a matter.
    pub fn with_rules(&mut self, event: &str, rules: &[&Rule]) {
        for rule in rules {
            match self.by_event.get_mut(event) {
                Some(decision) => rule.complete(decision),
                None => {
                    self.by_event.insert(event.to_owned(), rule.decision());
                }
            }
        }
    }

    pub fn get(&self, event: &str) -> Option<&Decision> {
        self.by_event.get(event)
    }

    /// All decisions, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Decision)> {
        self.by_event.iter().map(|(event, decision)| (event.as_str(), decision))
    }

    /// The merges that are impossible for any games: of an event into itself, of an event
    /// that another decision merges, and of an event with its own decision, which would become
    /// void.
    pub fn wrong_merges(&self) -> Vec<DecisionError> {
        let mut errors = Vec::new();
        let mut merged_by: BTreeMap<&str, (&str, &Decision)> = BTreeMap::new();
        for (id, decision) in self.iter() {
            for other in &decision.merge {
                if other == id {
                    errors.push(decision.wrong(id, "merge: an event cannot be merged into itself"));
                } else if let Some((first, by)) = merged_by.get(other.as_str()) {
                    let message = if *first == id {
                        format!("merge: {other} is named twice; keep one")
                    } else {
                        format!(
                            "merge: {other} is already merged into {first} ({}); keep one of the two",
                            by.place
                        )
                    };
                    errors.push(decision.wrong(id, message));
                } else {
                    if let Some(own) = self.get(other) {
                        let message = format!(
                            "merge: {other} has its own decision ({}), which would become void; \
                             remove one of the two",
                            own.place
                        );
                        errors.push(decision.wrong(id, message));
                    }
                    merged_by.insert(other, (id, decision));
                }
            }
        }
        errors
    }

    /// Official names that two decisions give to two events. Lists could not distinguish them.
    pub fn names_alike(&self) -> Vec<DecisionError> {
        let mut by_name: BTreeMap<&str, (&str, &Decision)> = BTreeMap::new();
        let mut errors = Vec::new();
        for (id, decision) in self.iter() {
            let Some(name) = decision.name.as_deref().map(str::trim) else { continue };
            if let Some((first, by)) = by_name.get(name) {
                let message = format!(
                    "name: {first} ({}) is called {name}, too; give the events different names",
                    by.place
                );
                errors.push(decision.wrong(id, message));
            } else {
                by_name.insert(name, (id, decision));
            }
        }
        errors
    }

    /// The number of events with a decision.
    pub fn len(&self) -> usize {
        self.by_event.len()
    }

    /// Whether there are no decisions about events.
    pub fn is_empty(&self) -> bool {
        self.by_event.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament_app::Policy;

    const HEAD: &str = "author = \"A\"\ndate = 2026-11-21\nreason = \"R\"\n";

    fn error(text: &str) -> String {
        Decisions::default().add(text, "d.toml").unwrap_err().to_string()
    }

    /// The errors of decisions about the first events that merge the second ones into them.
    fn wrong_merges(merges: &[(&str, &str)]) -> Vec<String> {
        let text: String = merges
            .iter()
            .map(|(id, other)| format!("[{id}]\n{HEAD}merge = [\"{other}\"]\n"))
            .collect();
        let mut decisions = Decisions::default();
        decisions.add(&text, "d.toml").unwrap();
        decisions.wrong_merges().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_decision_needs_author_and_reason() {
        assert!(error("[x]\nauthor = \"A\"\n").contains("`reason` is missing"));
        assert!(
            error("[x]\nauthor = \" \"\ndate = 2026-11-21\nreason = \"R\"\n")
                .contains("`author` is missing")
        );
    }

    #[test]
    fn an_event_is_merged_only_once_and_only_without_its_own_decision() {
        assert!(wrong_merges(&[("a-1900", "b-1900")]).is_empty());
        let twice = wrong_merges(&[("a-1900", "b-1900"), ("c-1900", "b-1900")]);
        assert!(twice[0].contains("b-1900 is already merged into a-1900 (d.toml:1)"), "{twice:?}");
        let chain = wrong_merges(&[("a-1900", "b-1900"), ("b-1900", "c-1900")]);
        assert!(chain[0].contains("b-1900 has its own decision (d.toml:6)"), "{chain:?}");
        let own = wrong_merges(&[("a-1900", "a-1900")]);
        assert!(own[0].contains("cannot be merged into itself"), "{own:?}");
    }

    #[test]
    fn two_events_do_not_get_one_name() {
        let mut decisions = Decisions::default();
        let text = format!(
            "[a-1900]\n{HEAD}name = \"Paris 1900\"\n[b-1900]\n{HEAD}name = \"Paris B 1900\"\n"
        );
        decisions.add(&text, "d.toml").unwrap();
        assert!(decisions.names_alike().is_empty());
        let text = format!("[c-1900]\n{HEAD}name = \"Paris 1900\"\n");
        decisions.add(&text, "e.toml").unwrap();
        let errors = decisions.names_alike();
        assert!(errors[0].to_string().contains("a-1900 (d.toml:1) is called Paris 1900, too"));
    }

    #[test]
    fn only_the_first_of_thousands_of_errors_are_shown() {
        let text: String =
            (0..3000).map(|number| format!("[x-{number}]\n{HEAD}polciy = \"keep\"\n")).collect();
        let message = error(&text);
        assert!(message.contains("line 5"), "{message}");
        assert!(message.ends_with("and 2900 more errors; correct these first"), "{message}");
        assert!(message.len() < 50_000, "{}", message.len());
    }

    #[test]
    fn unknown_keys_are_errors_with_their_line() {
        let message = error(&format!("[x]\n{HEAD}polciy = \"keep\"\n"));
        assert!(
            message.contains("line 5") && message.contains("unknown field `polciy`"),
            "{message}"
        );
        assert!(message.ends_with("did you mean `policy`?"), "{message}");
    }

    #[test]
    fn a_rating_is_either_set_or_deleted() {
        let message = error(&format!(
            "[x]\n{HEAD}ratings = [{{ player = \"P\", set = 2500, delete = true }}]"
        ));
        assert_eq!(message, "d.toml:1: x: P: give either `set = RATING` or `delete = true`");
    }

    #[test]
    fn a_second_decision_about_an_event_is_refused() {
        let mut decisions = Decisions::default();
        decisions.add(&format!("[x]\n{HEAD}"), "a.toml").unwrap();
        let error = decisions.add(&format!("[x]\n{HEAD}"), "b.toml").unwrap_err();
        assert_eq!(
            error.to_string(),
            "b.toml:1: x is already decided in a.toml:1; keep one of the two"
        );
    }

    #[test]
    fn a_users_decision_replaces_the_bundled_one_and_names_what_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let mut decisions = Decisions::default();
            decisions.read(&path).unwrap();
            decisions
        };
        let bundled = format!(
            "[x-1900]\n{HEAD}policy = \"keep\"\nnote = \"N\"\n[y-1901]\n{HEAD}listed = false\n\
             [z-1902]\n{HEAD}listed = true\n"
        );
        let own = format!("[x-1900]\n{HEAD}note = \"M\"\n[w-1903]\n{HEAD}merge = [\"z-1902\"]\n");
        let mut decisions = read("own.toml", &own);
        decisions.add_bundled(read("bundled.toml", &bundled));
        assert_eq!(decisions.len(), 3);
        let x = decisions.get("x-1900").unwrap();
        assert_eq!((x.note.as_deref(), x.policy), (Some("M"), None));
        assert!(decisions.get("z-1902").is_none(), "it is merged into another");
        assert!(decisions.wrong_merges().is_empty());
        let words: Vec<(&str, String)> =
            decisions.files().iter().map(|file| (file.name(), file.words())).collect();
        let own = ("own.toml", "2 decisions".to_owned());
        assert_eq!(words, [("bundled.toml", "3 decisions, 2 of them replaced".to_owned()), own]);
        let warning = decisions.replaced()[0].warning().unwrap();
        assert!(warning.contains("its `policy` no longer applies; repeat it here"), "{warning}");
    }

    #[test]
    fn all_errors_of_a_file_are_reported_at_once_with_their_lines() {
        let message = error(&format!(
            "[a]\n{HEAD}polciy = \"keep\"\n[b]\n{HEAD}number_two = 0\n[c]\n{HEAD}\n[d]\nauthor = \"\"\n\
             date = 0001-01-01\nreason = \"R\"\n[[rule]]\nevent = \"Bundesliga*\"\n{HEAD}"
        ));
        assert!(message.starts_with("5 errors in decisions:\n"), "{message}");
        for part in [
            "line 5",
            "did you mean `policy`?",
            "d.toml:6: b: number_two: 0 is not a possible rating",
            "d.toml:16: d: `author` is missing; fill it in",
            "d.toml:16: d: `date` is 0001-01-01; write the day of the decision",
            "d.toml:20: Bundesliga*: this rule has no effect",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn all_errors_of_one_table_are_reported_at_once() {
        let message = error(
            "[a]\nreason = \"R\"\nwiner = \"W\"\nlisted = \"yes\"\nexpected_games = \"342\"\n\
             outcome = \"stoped\"\nnumber_two = 0\n\
             [[rule]]\nevent = \"X*\"\nreason = \"R\"\nlisted = \"no\"\ntempo = \"fast\"\n",
        );
        assert!(message.starts_with("9 errors in decisions:\n"), "{message}");
        for part in [
            "did you mean `winner`?",
            "invalid type: string \"yes\", expected true or false",
            "invalid type: string \"342\", expected a whole number",
            "unknown variant `stoped`",
            "did you mean `stopped`?",
            "a: `author` is missing",
            "a: number_two: 0 is not a possible rating",
            "X*: `author` is missing",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn a_table_that_occurs_twice_is_one_error() {
        let message = error(&format!("[x]\n{HEAD}[y]\n{HEAD}[x]\n{HEAD}"));
        assert_eq!(message.matches("duplicate key").count(), 1, "{message}");
        assert!(message.contains("line 9"), "{message}");
        let message = error(&format!("[x]\n{HEAD}{HEAD}"));
        assert_eq!(message.matches("duplicate key").count(), 3, "{message}");
    }

    #[test]
    fn a_written_decision_is_read_back_unchanged() {
        let mut decisions = Decisions::default();
        let text = format!(
            "[x]\n{HEAD}listed = false\ntempo = \"rapid\"\ncomplete = true\nratings = [{{ player = \"P\", delete = true }}]"
        );
        decisions.add(&text, "d.toml").unwrap();
        let decision = decisions.get("x").unwrap();
        let written = toml::to_string(decision).unwrap();
        let mut again: Decision = toml::from_str(&written).unwrap();
        again.place.clone_from(&decision.place);
        assert_eq!(&again, decision);
    }

    #[test]
    fn one_line_of_toml_is_enough() {
        let mut decisions = Decisions::default();
        decisions
            .add(
                "x-1900 = { policy = \"keep\", author = \"A\", date = 2026-11-21, reason = \"R\" }",
                "d.toml",
            )
            .unwrap();
        assert_eq!(decisions.get("x-1900").unwrap().policy, Some(Policy::Keep));
    }
}
