//! Describes the files from which decisions were read.

/// A file of decisions, with the number of its decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionFile {
    pub file: String,
    /// The number of events that it decides.
    pub decisions: usize,
    pub rules: usize,
    /// The number of its decisions that gave way to the user's. Only the bundled file has any.
    pub replaced: usize,
}

impl DecisionFile {
    /// The counts in words: `17 decisions, 1 of them replaced`.
    pub fn words(&self) -> String {
        let plural = if self.decisions == 1 { "" } else { "s" };
        let mut text = format!("{} decision{plural}", self.decisions);
        if self.rules > 0 {
            let plural = if self.rules == 1 { "" } else { "s" };
            text.push_str(&format!(", {} rule{plural}", self.rules));
        }
        if self.replaced > 0 {
            text.push_str(&format!(", {} of them replaced", self.replaced));
        }
        text
    }

    /// The name of the file without its folder, for pages: an archive contains no paths of the
    /// machine that built it.
    pub fn name(&self) -> &str {
        file_name(&self.file)
    }
}

/// Separates the file and the line of a place like `decisions.toml:12`. The line is 0 for a place
/// without one.
pub fn file_and_line(place: &str) -> (&str, u64) {
    let parts = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    parts.unwrap_or((place, 0))
}

/// The part of a path after its last separator.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
