//! The project's texts avoid phrases that read as translated, and comments fit into 100 columns.

use std::fs;
use std::path::{Path, PathBuf};

/// Phrases to avoid, each with a plain replacement.
const BANNED: [(&str, &str); 24] = [
    ("anybody", "any player, anyone"),
    ("are told", "are reported, are shown"),
    ("beside", "next to, in addition to, compared with"),
    ("but for", "except"),
    ("by itself", "alone, separately"),
    ("by themselves", "alone, separately"),
    ("everybody", "all players"),
    ("for want of", "because there is no"),
    ("foretell", "predict"),
    ("foretells", "predicts"),
    ("foretold", "predicted, expected"),
    ("in hand", "(say what is meant)"),
    ("is told", "is reported, is shown"),
    ("lest", "so that ... not"),
    ("no more than", "at most, only"),
    ("nobody", "no player, no one"),
    ("nothing but", "only"),
    ("nought", "zero"),
    ("oftener", "more often"),
    ("reckoned", "computed"),
    ("somebody", "a player, a person"),
    ("told apart", "distinguished"),
    ("whatever", "any, for every"),
    ("whoever", "any player who"),
];

/// Widest line of a comment (columns).
const WIDEST: usize = 100;

/// Most words of a sentence that does not count as long.
const LONG: usize = 30;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below some folders of the project with one of the given extensions.
fn files(folders: &[&str], extensions: &[&str]) -> Vec<PathBuf> {
    let all = folders
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(root().join(folder)).sort_by_file_name())
        .map(|entry| entry.unwrap().into_path());
    all.filter(|path| {
        let is_generated = path.components().any(|part| {
            matches!(
                part.as_os_str().to_str(),
                Some("target" | "node_modules" | "archive" | "corpus")
            ) && !path.starts_with(root().join("src"))
        });
        let extension = path.extension().and_then(|extension| extension.to_str());
        !is_generated && extension.is_some_and(|extension| extensions.contains(&extension))
    })
    .collect()
}

fn documents() -> Vec<PathBuf> {
    let mut paths = files(&["docs", "reports/benchmarks", "data", "crates"], &["md"]);
    paths.extend(
        ["README.md", "DESIGN.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name)),
    );
    paths
}

/// A text with code in backticks replaced by one letter.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(place, part)| if place % 2 == 0 { part } else { "x" }).collect()
}

/// The lines of a document outside of its code blocks, each with its number.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with("    ") {
            lines.push((number, without_code(line)));
        }
    }
    lines
}

/// The comment of a line, if it is one.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']))
}

/// The texts with a space between double quotes in a line of code, which are messages.
fn messages(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2).filter(|text| text.contains(' '))
}

/// The text of a page's template: without tags, expressions and statements.
fn visible(template: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find(['<', '{']) {
        text.push_str(&rest[..start]);
        let end = match rest.as_bytes().get(start..start + 2) {
            Some(b"{{") => "}}",
            Some(b"{%") => "%}",
            Some(b"{#") => "#}",
            Some([b'<', _]) => ">",
            _ => "",
        };
        let length = rest[start..].find(end).map_or(rest.len() - start, |at| at + end.len().max(1));
        text.extend(rest[start..start + length].chars().filter(|letter| *letter == '\n'));
        rest = &rest[start + length..];
    }
    text + rest
}

/// A paragraph split after full stops, question and exclamation marks, and at the cells of tables.
fn sentences_of(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (place, letter) in paragraph.char_indices() {
        let is_end = matches!(letter, '.' | '!' | '?')
            && paragraph[place + 1..].starts_with(char::is_whitespace);
        if is_end || letter == '|' {
            found.push(&paragraph[start..place]);
            start = place + 1;
        }
    }
    found.push(&paragraph[start..]);
    found
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn has_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(start, _)| {
        !text[..start].ends_with(is_word) && !text[start + phrase.len()..].starts_with(is_word)
    })
}

/// Adds `path:line: phrase` for each banned phrase of a line.
fn look(path: &Path, number: usize, text: &str, found: &mut Vec<String>) {
    let text = text.to_lowercase();
    for (phrase, instead) in BANNED.iter().filter(|(phrase, _)| has_phrase(&text, phrase)) {
        let path = path.strip_prefix(root()).unwrap().display();
        found.push(format!("{path}:{number}: \"{phrase}\"; write {instead}"));
    }
}

#[test]
fn documents_avoid_phrases_that_read_as_translated() {
    let mut found = Vec::new();
    for path in documents() {
        for (number, line) in prose(&fs::read_to_string(&path).unwrap()) {
            look(&path, number, &line, &mut found);
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn pages_avoid_phrases_that_read_as_translated() {
    let mut found = Vec::new();
    for path in files(&["templates"], &["html", "txt", "svg"]) {
        let text = visible(&fs::read_to_string(&path).unwrap());
        for (number, line) in (1..).zip(text.lines()) {
            look(&path, number, line, &mut found);
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn comments_and_messages_avoid_phrases_that_read_as_translated() {
    let mut found = Vec::new();
    for path in files(&["src", "crates", "xtask", "examples", "benches", "fuzz/src"], &["rs"]) {
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        for (number, line) in (1..).zip(fs::read_to_string(&path).unwrap().lines()) {
            match comment(line) {
                Some(text) => look(&path, number, &without_code(text), &mut found),
                None if is_test => {}
                None => messages(line).for_each(|text| look(&path, number, text, &mut found)),
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn comments_fit_into_a_hundred_columns() {
    let folders = ["src", "crates", "xtask", "examples", "benches", "fuzz/src", "tests"];
    let mut wide = Vec::new();
    for path in files(&folders, &["rs"]) {
        for (number, line) in (1..).zip(fs::read_to_string(&path).unwrap().lines()) {
            if comment(line).is_some() && line.chars().count() > WIDEST {
                wide.push(format!("{}:{number}", path.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert_eq!(wide, Vec::<String>::new());
}

#[test]
fn few_sentences_of_the_documents_are_long() {
    let (mut sentences, mut long) = (0, Vec::new());
    for path in documents() {
        let mut paragraph = String::new();
        for (_, line) in prose(&fs::read_to_string(&path).unwrap()) {
            paragraph.push_str(if line.trim().is_empty() { ". " } else { &line });
            paragraph.push(' ');
        }
        for sentence in sentences_of(&paragraph) {
            let words = sentence.split_whitespace().count();
            sentences += usize::from(words > 2);
            if words > LONG {
                long.push(format!("{}: {words} words: {}", path.display(), sentence.trim()));
            }
        }
    }
    assert!(long.len() * 20 <= sentences, "{} of {sentences}:\n{}", long.len(), long.join("\n"));
}
