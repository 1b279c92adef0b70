//! Compares the rating tags of a spelling with a player's history on FIDE's lists.

use jiff::civil::Date;

use super::evidence::DISTINCTIVE_RATING;
use super::spelling_file::SpelledPlayer;
use crate::games::{Game, GameTable, PartialDate};

/// The days by which a tag may precede its list: games of a month have the next list's ratings.
///
/// Judged: a month and a half. Twice as many would span two lists since 2000.
const DAYS_BEFORE: i32 = 45;

/// The days for which the ratings of a list remain in force, at most. Lists were yearly once.
///
/// Judged: a year and a month, because some lists were late. With twice as many, an outdated rating
/// that a namesake has now would count.
const DAYS_IN_FORCE: i32 = 400;

/// The part of the tags, in quarters, that must be ratings of the history.
///
/// Judged: sources have wrong and national ratings, so not all; with a half, two namesakes whose
/// games a spelling mixes would both fit.
const QUARTERS: usize = 3;

/// The rating tags of a spelling, each with the period of its game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpellingTags {
    /// First and last possible day of the game, and the rating (points). Each month counts once.
    tags: Vec<(Date, Date, u16)>,
}

impl SpellingTags {
    /// Collects the rating tags of each name of a table, by the number of the name.
    pub fn of_names(table: &GameTable) -> Vec<SpellingTags> {
        let mut histories = vec![SpellingTags::default(); table.names.len()];
        for game in table.games() {
            let Some((first, last)) = period(game.date) else { continue };
            for (name, rating) in tags(game) {
                let tags = &mut histories[name.index()].tags;
                let tag = (first, last, rating);
                // The games of an event follow each other, so this keeps the memory small.
                if tags.last().is_none_or(|before| month(before) != month(&tag)) {
                    tags.push(tag);
                }
            }
        }
        for history in &mut histories {
            history.tags.sort_unstable();
            history.tags.dedup_by_key(|tag| month(tag));
        }
        histories
    }

    /// Collects tags of known days.
    #[cfg(test)]
    pub(super) fn of_days(tags: impl IntoIterator<Item = (Date, u16)>) -> SpellingTags {
        SpellingTags { tags: tags.into_iter().map(|(day, rating)| (day, day, rating)).collect() }
    }

    /// Whether the games have no rating tags.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// Whether the tags are the ratings of a player of the spelling file.
    ///
    /// Three quarters of the tags must be ratings that the player had at the time. These must have
    /// two different values, or one that few players share.
    pub fn is_of(&self, player: &SpelledPlayer) -> bool {
        let mut listed: Vec<u16> = Vec::new();
        for &(first, last, rating) in &self.tags {
            // The ratings of a player are in the order of their lists.
            let begin = player
                .ratings
                .partition_point(|(list, _)| (first - *list).get_days() > DAYS_IN_FORCE);
            let mut in_force = player.ratings[begin..]
                .iter()
                .take_while(|(list, _)| (*list - last).get_days() <= DAYS_BEFORE);
            if in_force.any(|(_, listed)| *listed == rating) {
                listed.push(rating);
            }
        }
        let is_most = 4 * listed.len() >= QUARTERS * self.tags.len();
        let is_strong = listed.iter().any(|rating| *rating >= DISTINCTIVE_RATING);
        listed.sort_unstable();
        listed.dedup();
        is_most && (listed.len() >= 2 || is_strong)
    }
}

/// Returns the month and the rating of a tag. Tags that have both in common count once.
fn month((first, _, rating): &(Date, Date, u16)) -> (i16, i8, u16) {
    (first.year(), first.month(), *rating)
}

/// Returns the first and the last day that a date may mean; `None` without a year.
fn period(date: PartialDate) -> Option<(Date, Date)> {
    date.earliest().zip(date.latest())
}

/// Returns the names of a game that have a rating tag, with the rating (points).
fn tags(game: &Game) -> impl Iterator<Item = (crate::games::NameId, u16)> {
    let sides = [(game.white, game.white_elo), (game.black, game.black_elo)];
    sides.into_iter().filter(|(_, rating)| *rating > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn history(tags: &[(i16, i8, u16)]) -> SpellingTags {
        SpellingTags::of_days(tags.iter().map(|&(year, month, elo)| (date(year, month, 10), elo)))
    }

    fn listed(ratings: &[(i16, i8, u16)]) -> SpelledPlayer {
        let ratings = ratings.iter().map(|&(year, month, elo)| (date(year, month, 1), elo));
        SpelledPlayer { ratings: ratings.collect(), ..SpelledPlayer::default() }
    }

    #[test]
    fn tags_are_a_players_if_three_quarters_were_ratings_at_the_time() {
        let player = listed(&[(1990, 1, 2300), (1990, 7, 2310), (1991, 1, 2325)]);
        let own = [(1990, 3, 2300), (1990, 9, 2310), (1991, 3, 2325)];
        assert!(history(&own).is_of(&player));
        let one_of_four_differs = [own[0], own[1], own[2], (1991, 4, 2200)];
        assert!(history(&one_of_four_differs).is_of(&player));
        assert!(!history(&[own[0], own[1], (1991, 3, 2200), (1991, 4, 2205)]).is_of(&player));
        assert!(!history(&[(1994, 3, 2300), (1994, 9, 2310)]).is_of(&player));
    }

    #[test]
    fn one_rating_is_evidence_only_if_few_players_share_it() {
        assert!(!history(&[(1990, 3, 2300)]).is_of(&listed(&[(1990, 1, 2300)])));
        assert!(history(&[(1990, 3, 2600)]).is_of(&listed(&[(1990, 1, 2600)])));
        assert!(!history(&[]).is_of(&listed(&[(1990, 1, 2600)])));
    }
}
