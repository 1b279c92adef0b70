//! Reads tables of results without moves: tournament reports and crosstables.
//!
//! A table states each game from the sides of both its players, or of one. The readers find the two
//! sides of each game, report those that differ, and return each game once. Points by forfeit are
//! rows that are marked as not played. Byes and pairings without a result are not games.

mod crosstable;
mod report_games;
mod report_line;
mod report_tournament;
mod results_draft;
mod results_read;
mod side;
mod tournament_report;

use crate::source::ResultsForm;

use results_draft::ResultsDraft;
pub use results_read::ResultsRead;

/// Reads a table of results.
///
/// `name` is the name of the file. Without its folder and ending, it names the event if the table
/// does not.
pub fn read_results(form: ResultsForm, name: &str, bytes: &[u8]) -> ResultsRead {
    let mut draft = ResultsDraft::new(stem(name), bytes);
    match form {
        ResultsForm::Report => report_games::read(bytes, &mut draft),
        ResultsForm::Crosstable => crosstable::read(bytes, &mut draft),
    }
    draft.finish()
}

/// Returns the name of a file without its folder and endings.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let end = file.find('.').filter(|end| *end > 0).unwrap_or(file.len());
    &file[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_an_event_without_its_folder_and_endings() {
        assert_eq!(stem("all.zip/1953/Zurich 1953.csv.gz"), "Zurich 1953");
        assert_eq!(stem("-"), "-");
        assert_eq!(stem(".trf"), ".trf");
    }
}
