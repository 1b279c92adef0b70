//! Events by decade and players by letter: what the index pages and the pages of groups share.

use std::collections::BTreeMap;

use archive::Archive;

/// Events of one decade.
#[derive(Clone, Debug, PartialEq)]
pub struct Decade {
    /// Its first year; `None` for events without a date.
    pub first: Option<i16>,
    pub events: Vec<usize>,
}

impl Decade {
    pub fn name(&self) -> String {
        self.first.map_or_else(|| "Date unknown".into(), |first| format!("{first}s"))
    }

    pub fn path(&self) -> String {
        format!("decades/{}.html", self.slug())
    }

    pub fn slug(&self) -> String {
        self.first.map_or_else(|| "unknown".into(), |first| format!("{first}s"))
    }
}

/// The decades of all events, earliest first.
pub fn decades(archive: &Archive) -> Vec<Decade> {
    let mut decades: BTreeMap<(bool, Option<i16>), Vec<usize>> = Default::default();
    for (index, record) in archive.records.iter().enumerate() {
        let first = record.event.start.year().map(|year| year - year % 10);
        decades.entry((first.is_none(), first)).or_default().push(index);
    }
    decades.into_iter().map(|((_, first), events)| Decade { first, events }).collect()
}

/// Players whose identifiers begin with one letter or figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The letter, as a capital.
    pub name: String,
    /// Places of the players among the archive's rows.
    pub rows: Vec<usize>,
}

impl Letter {
    pub fn path(&self) -> String {
        format!("letters/{}.html", self.name.to_lowercase())
    }
}

/// The letters of all players, in their order.
pub fn letters(archive: &Archive) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    for (place, row) in archive.lists.player_rows.iter().enumerate() {
        let id = &archive.players.get(row.player).id;
        let name =
            id.chars().next().map(|c| c.to_ascii_uppercase().to_string()).unwrap_or_default();
        match letters.last_mut() {
            Some(letter) if letter.name == name => letter.rows.push(place),
            _ => letters.push(Letter { name, rows: vec![place] }),
        }
    }
    letters
}
