//! Makes identifiers that are safe as file names and in URLs.

use deunicode::deunicode;
use rustc_hash::{FxHashMap, FxHashSet};

/// Converts a text to lower-case ASCII letters and digits joined by `-`.
///
/// The result is `unnamed` if nothing remains, and never longer than 80 bytes.
///
/// ```
/// assert_eq!(chess_history::players::slug("Capablanca, José Raúl"), "capablanca-jose-raul");
/// assert_eq!(chess_history::players::slug("../../etc/passwd"), "etc-passwd");
/// ```
pub fn slug(text: &str) -> String {
    // Judged: readable in a URL, and with an ending far below the 255 bytes of file systems.
    const LONGEST: usize = 80;
    let mut slug = String::new();
    for c in deunicode(text).chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') && c != '\'' && c != '.' {
            slug.push('-');
        }
    }
    let slug = slug.trim_matches('-');
    // Windows reserves the names of devices, with any extension.
    let port = slug.strip_prefix("com").or_else(|| slug.strip_prefix("lpt"));
    let is_device = matches!(slug, "con" | "prn" | "aux" | "nul")
        || port.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']));
    match slug {
        "" => "unnamed".into(),
        _ if is_device => format!("{slug}-name"),
        _ if slug.len() <= LONGEST => slug.into(),
        _ => {
            // The year at the end distinguishes events, so it is kept.
            let year = slug
                .rsplit('-')
                .next()
                .filter(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()));
            let room = LONGEST - year.map_or(0, |year| year.len() + 1);
            let head = slug[..room].trim_end_matches('-');
            year.map_or_else(|| head.into(), |year| format!("{head}-{year}"))
        }
    }
}

/// Assigns slugs, so that no two names have the same one.
#[derive(Debug, Default)]
pub struct Slugs {
    taken: FxHashSet<String>,
    /// The next number to try after a base. It makes many equal names as fast as others.
    next: FxHashMap<String, usize>,
}

impl Slugs {
    /// Takes the first free candidate, or else the last one with a number.
    pub fn take(&mut self, candidates: &[String]) -> String {
        for candidate in candidates {
            if self.taken.insert(candidate.clone()) {
                return candidate.clone();
            }
        }
        let base = candidates.last().map_or("unnamed", String::as_str);
        let next = self.next.entry(base.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{base}-{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain_for_every_text() {
        assert_eq!(slug("Grünfeld, Ernst"), "grunfeld-ernst");
        assert_eq!(slug("O'Kelly de Galway, Albéric"), "okelly-de-galway-alberic");
        assert_eq!(slug("<script>alert(1)</script>"), "script-alert-1-script");
        assert_eq!(slug("!!!"), "unnamed");
        assert!(slug(&"long ".repeat(100)).len() <= 80);
        for device in ["CON", "aux", "Lpt1", "Nul."] {
            assert!(slug(device).ends_with("-name"), "{device}");
        }
        assert_eq!(slug("Conn"), "conn");
        let long = slug(&format!("{} 1994", "long ".repeat(100)));
        assert!(long.len() <= 80 && long.ends_with("-long-1994"), "{long}");
    }

    #[test]
    fn the_next_candidate_comes_before_a_number() {
        let mut slugs = Slugs::default();
        let candidates = ["london-1946".to_owned(), "london-a-1946".to_owned()];
        assert_eq!(slugs.take(&candidates), "london-1946");
        assert_eq!(slugs.take(&candidates), "london-a-1946");
        assert_eq!(slugs.take(&candidates), "london-a-1946-2");
    }
}
