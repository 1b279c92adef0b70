//! Groups games by equal tags, as the first and cheapest step of grouping.

use rustc_hash::FxHashMap;

use crate::games::{GameTable, NameId};

/// Games with the same Event and Site tags and the same year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameTags {
    /// The Event tag, as a text of the game table.
    pub event: NameId,
    /// The Site tag, as a text of the game table.
    pub site: NameId,
    /// The year of the Date tag, if known.
    pub year: Option<i16>,
    /// Rows of the game table, in their order.
    pub rows: Vec<u32>,
}

/// Groups rows of the table by their tags, in the order of their first games.
pub fn by_tags(table: &GameTable, rows: impl IntoIterator<Item = usize>) -> Vec<SameTags> {
    let mut groups: Vec<SameTags> = Vec::new();
    type TagKey = (NameId, NameId, Option<i16>);
    let mut known: FxHashMap<TagKey, u32> = FxHashMap::default();
    let mut last: Option<(TagKey, u32)> = None;
    for row in rows {
        let game = &table.games()[row];
        let key = (game.event, game.site, game.date.year());
        // Games of one event are usually adjacent.
        let group = match last {
            Some((same, group)) if same == key => group,
            _ => *known.entry(key).or_insert_with(|| {
                let (event, site, year) = key;
                groups.push(SameTags { event, site, year, rows: Vec::new() });
                groups.len() as u32 - 1
            }),
        };
        last = Some((key, group));
        groups[group as usize].rows.push(row as u32);
    }
    groups
}
