//! The properties from which an event is named and identified.

use crate::games::Tempo;
use crate::tournament::Kind;

/// The properties from which an event's name is formed.
#[derive(Clone, Copy, Debug)]
pub struct NamingInput<'a> {
    /// The event's own name from its tag.
    pub base: &'a str,
    /// The common name of its place; may be empty.
    pub place: &'a str,
    /// Its place in the spelling of the tag.
    pub tagged_place: &'a str,
    /// The place in its identifier: that of the Site tag, even if the name contains several places.
    pub id_place: &'a str,
    /// The code of the country of its place; empty if it is unknown.
    pub country: &'a str,
    /// First and last year.
    pub years: Option<(i16, i16)>,
    /// Month of the first day, which distinguishes events of one year.
    pub month: Option<&'a str>,
    /// Month of the last day.
    pub last_month: Option<&'a str>,
    /// The kind of competition.
    pub kind: Kind,
    /// How fast it was played.
    pub tempo: Tempo,
    /// The number of players.
    pub field: usize,
    /// The surnames of the two players of a match, the winner's first.
    pub players: Option<[&'a str; 2]>,
    /// The full names and spellings of the two players. Their words add nothing to the name of a
    /// match.
    pub spellings: &'a [String],
    /// The surnames as displayed, with additions that distinguish namesakes.
    pub shown_players: Option<[&'a str; 2]>,
}
