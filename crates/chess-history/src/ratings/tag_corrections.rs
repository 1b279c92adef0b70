//! Corrects rating tags that cannot be right.

use jiff::civil::Date;

use super::edition::{Edition, Listed};
use super::list_file::FIDE_SYSTEM;
use super::lookup::RatingLookup;
use super::tags::{MISTAKE, TagHistory};
use crate::players::{Player, PlayerId};
use crate::tournament::{Step, TagCorrection};

/// How far (points) a tag may be from the player's other tags before these replace it.
///
/// Judged: it is twice as far as from a list because young players gain hundreds of points in a
/// year.
const FAR: f64 = 2.0 * MISTAKE;

impl RatingLookup<'_> {
    /// Corrects the tags of an event's players, and returns the corrections to report.
    ///
    /// A tag that is far from the rating on FIDE's list in force gives way to that rating. If no
    /// list rates the player, it gives way to the player's other tags of the time.
    pub(super) fn corrected_tags(
        &self,
        field: &[PlayerId],
        day: Date,
        mut tags: Vec<Option<f64>>,
    ) -> (Vec<Option<f64>>, Vec<Step>) {
        let mut steps = Vec::new();
        let of_fide = self.lists().filter(|list| list.system == FIDE_SYSTEM);
        let editions: Vec<Edition<'_>> = of_fide.filter_map(|list| list.in_force(day)).collect();
        for (player, tag) in field.iter().zip(&mut tags) {
            let Some(given) = *tag else { continue };
            let person = self.players.get(*player);
            // Several tags of the time that agree are not all mistakes.
            let usual = self.context.tags.usual_rating(*player, day);
            if usual.is_some_and(|usual| !TagHistory::is_mistaken(given, usual)) {
                continue;
            }
            let found = editions.iter().find_map(|edition| edition.find_player(person));
            let listed = found.filter(|line| is_full_name(person, line)).map(|line| line.rating);
            let usual = usual.filter(|usual| (given - usual).abs() > FAR);
            let Some(rating) = listed.or(usual) else { continue };
            if TagHistory::is_mistaken(given, rating) {
                let source = match listed {
                    Some(_) => TagCorrection::EloList,
                    None => TagCorrection::OtherTags,
                };
                let player = person.name.clone();
                steps.push(Step::MistakenTag { player, tag: given, rating, source });
                *tag = Some(rating);
            }
        }
        (tags, steps)
    }
}

/// Returns whether a line has the player's full given names.
///
/// On an extract of the best, a namesake may be the only candidate for an initial.
pub(super) fn is_full_name(player: &Player, line: &Listed<'_>) -> bool {
    player.names.iter().any(|mine| {
        mine.given.first().is_some_and(|word| word.len() > 1)
            && line.readings.iter().any(|theirs| theirs.given == mine.given)
    })
}
