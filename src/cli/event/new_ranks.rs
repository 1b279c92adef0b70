//! States the ranks that an event from a file would have on the lists of an archive.

use std::fmt::Write as _;
use std::path::Path;

use crate::archive::{ListOf, of_strengths};
use crate::archive_reader;
use crate::cli::logging::harmless;
use crate::games::Tempo;
use crate::tournament::greatness::LIST_THRESHOLD;
use crate::tournament::report::wrapped;
use crate::tournament::{Analysis, Kind};

/// The ranks of the strength and of each G-score that is high enough for the list. Empty without an
/// archive that this version can read. `tempo` is that of a faster event.
pub(super) fn new_ranks(
    archive: &Path,
    analysis: &Analysis,
    kind: Kind,
    tempo: Option<Tempo>,
) -> String {
    let Ok(lists) = archive_reader::published_lists(archive) else { return String::new() };
    let mut text = String::from("\nRanks on the lists of the archive\n");
    if let Some(strength) = analysis.strength {
        let list = of_strengths(kind, tempo);
        let (rank, of) = lists.rank_of_new(list, strength);
        let _ = writeln!(
            text,
            "{:<26} {strength:>8.2}  no. {rank} {} ({of})",
            "strength",
            list.words()
        );
    }
    for player in &analysis.players {
        let Some(g_score) = player.g_score.filter(|g_score| *g_score >= LIST_THRESHOLD) else {
            continue;
        };
        let list = ListOf::Performances(tempo);
        let (rank, of) = lists.rank_of_new(list, g_score);
        let name: String = harmless(&player.name).chars().take(26).collect();
        let _ = writeln!(text, "{name:<26} {g_score:>8.2}  no. {rank} {} ({of})", list.words());
    }
    let note = format!(
        "The archive is {}. Whether the event is complete enough for its lists is not asked here. If \
         it has the event, its own lines are counted too.",
        archive.display()
    );
    text.push_str(&wrapped("", &note));
    text
}
