//! The analysis of one event as a document: `events/<event_id>.json`.

use serde::Serialize;

use super::record::{Decided, EventRecord};
use crate::games::PartialDate;
use crate::tournament::{self, Analysis, Options};

/// What is written to `events/<event_id>.json` and printed by `greatness event --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct EventDocument<'a> {
    /// Where the event stands in an archive; absent for an event that comes from no archive.
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub archive: Option<InArchive<'a>>,
    /// Everything the app says.
    #[serde(flatten)]
    pub analysis: &'a Analysis,
    /// What the app was given: from this the analysis can be made again.
    pub input: &'a tournament::Event,
    /// How it was run.
    pub options: Options,
    /// What the Ratings Administrator decided.
    pub decision: Option<&'a Decided>,
}

/// What an archive knows of an event beside its analysis.
#[derive(Clone, Debug, Serialize)]
pub struct InArchive<'a> {
    event_id: &'a str,
    site: &'a str,
    start: PartialDate,
    end: PartialDate,
    expected_games: Option<usize>,
    coverage: Option<f64>,
    rating_source: &'a str,
    number_two_name: Option<&'a str>,
    status: &'static str,
    segments: Vec<Segment>,
    reasons: &'a [String],
}

#[derive(Clone, Debug, Serialize)]
struct Segment {
    kind: &'static str,
    games: usize,
}

impl<'a> EventDocument<'a> {
    /// The document of an event of an archive.
    pub fn of(record: &'a EventRecord) -> EventDocument<'a> {
        let event = &record.event;
        EventDocument {
            archive: Some(InArchive {
                event_id: &event.id,
                site: &event.site,
                start: event.start,
                end: event.end,
                expected_games: event.recognised.expected_games,
                coverage: event.coverage(),
                rating_source: &record.ratings.system,
                number_two_name: record.ratings.number_two.as_ref().map(|two| two.name.as_str()),
                status: record.status.word(),
                segments: event
                    .segments()
                    .into_iter()
                    .map(|(kind, games)| Segment { kind: kind.words(), games })
                    .collect(),
                reasons: &event.reasons,
            }),
            analysis: &record.analysis,
            input: &record.input,
            options: record.options,
            decision: record.decided.as_ref(),
        }
    }
}
