//! Identifiers that are safe as file names and in URLs.

use deunicode::deunicode;
use rustc_hash::FxHashSet;

/// Lower-case ASCII letters and digits joined by `-`; `unnamed` where nothing remains. Never
/// longer than 80 bytes.
///
/// ```
/// assert_eq!(greatness::players::slug("Capablanca, José Raúl"), "capablanca-jose-raul");
/// assert_eq!(greatness::players::slug("../../etc/passwd"), "etc-passwd");
/// ```
pub fn slug(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut slug = String::new();
    for c in deunicode(text).chars() {
        if slug.len() >= LONGEST {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') && c != '\'' && c != '.' {
            slug.push('-');
        }
    }
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "unnamed".into() } else { slug.into() }
}

/// Gives out slugs, each once.
#[derive(Debug, Default)]
pub struct Slugs {
    taken: FxHashSet<String>,
}

impl Slugs {
    /// The first of the candidates that is free, or else the last with a number behind it.
    pub fn take(&mut self, candidates: &[String]) -> String {
        for candidate in candidates {
            if self.taken.insert(candidate.clone()) {
                return candidate.clone();
            }
        }
        let base = candidates.last().map_or("unnamed", String::as_str);
        (2..)
            .map(|number| format!("{base}-{number}"))
            .find(|numbered| self.taken.insert(numbered.clone()))
            // The numbers do not run out before the memory does.
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain_whatever_comes() {
        assert_eq!(slug("Grünfeld, Ernst"), "grunfeld-ernst");
        assert_eq!(slug("O'Kelly de Galway, Albéric"), "okelly-de-galway-alberic");
        assert_eq!(slug("<script>alert(1)</script>"), "script-alert-1-script");
        assert_eq!(slug("!!!"), "unnamed");
        assert!(slug(&"long ".repeat(100)).len() <= 80);
    }

    #[test]
    fn clashes_take_the_next_candidate_before_a_number() {
        let mut slugs = Slugs::default();
        let candidates = ["london-1946".to_owned(), "london-a-1946".to_owned()];
        assert_eq!(slugs.take(&candidates), "london-1946");
        assert_eq!(slugs.take(&candidates), "london-a-1946");
        assert_eq!(slugs.take(&candidates), "london-a-1946-2");
    }
}
