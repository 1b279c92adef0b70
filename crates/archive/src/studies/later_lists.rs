//! Finds the rating of a player on the list of a system that is in force on a later day.

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use chess_history::players::{PlayerId, Players};
use chess_history::ratings::{FIDE_SYSTEM, RatingContext, RatingList, Source};

/// The months for which an official rating is taken to be in force. Judged: FIDE published at least
/// twice a year from 1981 on.
const IN_FORCE_MONTHS: i32 = 6;

/// The rating lists of an archive by system, with the rating tags of its games.
pub(super) struct LaterLists<'a> {
    players: &'a Players,
    by_system: FxHashMap<&'a str, &'a RatingList>,
    pub world: &'a RatingContext,
}

impl<'a> LaterLists<'a> {
    pub fn new(
        players: &'a Players,
        sources: &'a [Source],
        world: &'a RatingContext,
    ) -> LaterLists<'a> {
        let lists = sources.iter().filter_map(|source| match source {
            Source::List(list) => Some(list),
            Source::Tags(_) => None,
        });
        let mut by_system: FxHashMap<&str, &RatingList> = FxHashMap::default();
        // A list of the world's best serves where no other list of its system is read.
        for list in lists.chain(&world.best) {
            by_system.entry(&list.system).or_insert(list);
        }
        LaterLists { players, by_system, world }
    }

    /// The rating (points) of a player on the list of a system that is in force on a day, and the
    /// day of that list.
    pub fn rating_on_list(&self, system: &str, player: PlayerId, day: Date) -> Option<(f64, Date)> {
        let edition = self.by_system.get(system)?.in_force(day)?;
        let line = edition.find_player(self.players.get(player))?;
        Some((line.rating, edition.day))
    }

    /// The official rating (points) of a player on each of these days: that of FIDE's list, or that
    /// of the player's tags, if either is at most half a year old.
    pub fn official(&self, player: PlayerId, days: &[Date]) -> Vec<Option<f64>> {
        let list = self.by_system.get(FIDE_SYSTEM);
        let listed = list.map(|list| list.in_force_on(self.players.get(player), days));
        let mut ratings = Vec::new();
        for (place, day) in days.iter().enumerate() {
            let oldest = day.saturating_sub(IN_FORCE_MONTHS.months());
            let listed = listed.as_ref().and_then(|listed| listed[place]);
            let listed = listed.filter(|(_, edition)| *edition >= oldest);
            let tagged = || {
                let (tagged, rating) = self.world.tags.latest(player, *day)?;
                (tagged >= oldest).then_some(rating)
            };
            ratings.push(listed.map(|(rating, _)| rating).or_else(tagged));
        }
        ratings
    }
}
