//! Reads a settings file and reports all of its errors at once.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use crate::settings::{Settings, SettingsError};
use pgn_collections::source::{STANDARD_INPUT, read_text};

/// The number of errors after which no more are looked for. Judged: more than fills a screen. Each
/// further error costs another reading of the file.
const MOST: usize = 50;

impl Settings {
    /// Reads a settings file. Relative paths in it are relative to its folder.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read or has an unknown key or a value of the wrong shape.
    pub fn read(path: &Path) -> Result<Settings, SettingsError> {
        let shown = path.display().to_string();
        let text =
            read_text(path).map_err(|error| SettingsError::Read { path: shown.clone(), error })?;
        let mut settings =
            read(&text).map_err(|errors| SettingsError::Toml { path: shown, errors })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let input = &mut settings.input;
        for paths in [
            &mut input.pgn,
            &mut input.ratings,
            &mut input.leaders,
            &mut input.published,
            &mut input.results,
            &mut input.aliases,
            &mut input.names,
            &mut input.places,
            &mut input.series,
            &mut input.history,
            &mut input.spelling,
            &mut input.decisions,
            &mut input.intrinsic,
            &mut input.calibration,
        ] {
            for path in paths.iter_mut().filter(|path| path.as_os_str() != STANDARD_INPUT) {
                *path = folder.join(&*path);
            }
        }
        settings.output.directory = folder.join(&settings.output.directory);
        Ok(settings)
    }
}

/// Reads the settings from a text.
///
/// # Errors
///
/// Returns all errors in their order: either invalid TOML, or else every key that is unknown,
/// duplicated or has a wrong value.
fn read(text: &str) -> Result<Settings, Vec<Error>> {
    let (_, mut unreadable) = DeTable::parse_recoverable(text);
    // Each error holds the whole text.
    unreadable.truncate(MOST);
    if !unreadable.is_empty() {
        return Err(with_text(text, unreadable));
    }
    // A wrong entry is replaced by blanks, which moves no line, and the rest is read again.
    let mut rest = text.to_owned();
    let mut wrong = Vec::new();
    loop {
        let error = match toml::from_str::<Settings>(&rest) {
            Ok(settings) if wrong.is_empty() => return Ok(settings),
            Ok(_) => break,
            Err(error) => error,
        };
        let place = error.span().and_then(|span| entry(&rest, &span));
        wrong.push(error);
        let Some(place) = place.filter(|_| wrong.len() < MOST) else { break };
        blank(&mut rest, place);
    }
    wrong.sort_by_key(|error| error.span().map_or(0, |span| span.start));
    Err(with_text(text, wrong))
}

/// Replaces a part of a text by blanks.
fn blank(text: &mut String, place: Range<usize>) {
    let blank: String = text[place.clone()]
        .chars()
        .map(|c| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) })
        .collect();
    text.replace_range(place, &blank);
}

/// Gives errors the text as it was written.
fn with_text(text: &str, mut errors: Vec<Error>) -> Vec<Error> {
    for error in &mut errors {
        error.set_input(Some(text));
    }
    errors
}

/// The range of the innermost entry that contains an error.
fn entry(text: &str, error: &Range<usize>) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let (key, value) = innermost(text, table.get_ref(), error)?;
    let end = match value.get_ref() {
        // A table extends to the next table, or to the end.
        DeValue::Table(_) if !is_inline(text, value) => {
            let behind = &text[key.start..];
            behind.find("\n[").map_or(text.len(), |end| key.start + end)
        }
        _ => value.span().end.max(key.end),
    };
    let start = text[..key.start].rfind('\n').map_or(0, |end| end + 1);
    // An entry in braces, or after another key on its line, is only itself.
    let before = text[start..key.start].trim_start();
    let start = if before.is_empty() || before.starts_with('[') { start } else { key.start };
    (start < end).then_some(start..end)
}

/// Whether a value is in braces or brackets. Parts of such a value cannot be removed without the
/// commas around them.
fn is_inline(text: &str, value: &Spanned<DeValue<'_>>) -> bool {
    let written = &text[value.span()];
    match value.get_ref() {
        DeValue::Table(_) => written.starts_with('{'),
        _ => written.starts_with('[') && !written.starts_with("[["),
    }
}

/// The innermost key and value that contain a place and can be removed.
fn innermost<'t, 'i>(
    text: &str,
    table: &'t DeTable<'i>,
    place: &Range<usize>,
) -> Option<(Range<usize>, &'t Spanned<DeValue<'i>>)> {
    let mut found = None;
    for (key, value) in table {
        let inner = match value.get_ref() {
            DeValue::Table(inner) if !is_inline(text, value) => innermost(text, inner, place),
            DeValue::Array(items) if !is_inline(text, value) => {
                items.iter().find_map(|item| match item.get_ref() {
                    DeValue::Table(inner) => innermost(text, inner, place),
                    _ => None,
                })
            }
            _ => None,
        };
        if inner.is_some() {
            return inner;
        }
        let entry = key.span().start..value.span().end;
        let spans = [key.span(), value.span(), entry];
        if spans.iter().any(|span| span.start <= place.start && place.end <= span.end) {
            found = Some((key.span(), value));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_errors_are_reported_at_once_with_their_lines() {
        let text = "[lists]\nminimum_g_score = nan\nminimun_games = 5\nminimum_coverage = 90\n\
                    [site]\nurl = \"ftp://x\"\n[nowhere]\nx = 1\ny = 2\n\
                    [systems.elo]\nflor = 3\n[analysis]\npolicy = \"kep\"\n\
                    [input]\nlimits = { ratio = -1, member = 3 }\nvalidate = \"yes\"\n";
        let wrong = read(text).unwrap_err();
        let lines: Vec<usize> = wrong
            .iter()
            .map(|error| {
                let start = error.span().unwrap_or_default().start;
                text[..start].matches('\n').count() + 1
            })
            .collect();
        let messages: Vec<String> = wrong.iter().map(|error| error.message().to_owned()).collect();
        assert_eq!(lines, [2, 3, 4, 6, 7, 11, 13, 15, 16], "{messages:#?}");
        assert!(wrong[0].to_string().contains("minimum_g_score = nan"), "{}", wrong[0]);
    }

    #[test]
    fn a_list_in_place_of_a_table_is_refused() {
        for text in ["input.limits = [1]", "lists = [5]", "site = []", "events = [[3]]"] {
            let found = read(text).unwrap_err()[0].to_string();
            assert!(found.contains("expected a table") && found.contains(text), "{found}");
        }
        // An error within a table keeps its line.
        let wrong = read("[input.limits]\nratio = 2\nmember = 3\n").unwrap_err();
        let within = wrong[0].to_string();
        assert!(within.contains("line 3"), "{within}");
    }

    #[test]
    fn duplicate_keys_and_invalid_toml_are_reported_together() {
        let wrong = read("[lists]\ntempo = [\"rapid\"]\ntempo = [\"blitz\"]\n[site]\nurl = \n")
            .unwrap_err();
        assert_eq!(wrong.len(), 2, "{wrong:?}");
    }

    #[test]
    fn valid_settings_are_read() {
        assert_eq!(read("").unwrap(), Settings::default());
        assert!(read("[site]\ngames = true\n").unwrap().site.games);
    }

    #[test]
    fn a_contact_is_a_mail_or_web_address() {
        for (text, expected) in [
            ("", ""),
            ("ra@example.org", "mailto:ra@example.org"),
            ("mailto:ra@example.org", "mailto:ra@example.org"),
            ("https://example.org/new?a={title}", "https://example.org/new?a={title}"),
        ] {
            let settings = read(&format!("[site]\ncontact = '{text}'\n")).unwrap();
            assert_eq!(settings.site.contact, expected);
        }
        for wrong in
            ["javascript:alert(1)", "ra", "a b@example.org", "a@b.c?cc=d@e.f", "a@b.c,d@e.f"]
        {
            let errors = read(&format!("[site]\ncontact = '{wrong}'\n")).unwrap_err();
            assert!(errors[0].to_string().contains("one e-mail address"), "{wrong}: {errors:?}");
        }
    }
}
