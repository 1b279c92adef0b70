//! A player for search engines, and in other collections: `Person` of schema.org.

use serde_json::{Value, json};

use super::{Link, Site};
use crate::figures::spoken;
use chess_history::players::{Life, Player, PlayerId};

/// The address of a player's page at FIDE.
pub(super) fn page_at_fide(number: u32) -> String {
    format!("https://ratings.fide.com/profile/{number}")
}

/// The addresses of a player in other collections: Wikidata and FIDE, as far as known.
fn elsewhere(player: &Player) -> Vec<String> {
    let item = player.life.as_ref().and_then(|life| life.wikidata);
    let item = item.map(|item| item.address());
    item.into_iter().chain(player.fide_id().map(page_at_fide)).collect()
}

/// Describes a player: name, address, dates, FIDE number, and addresses elsewhere.
pub(super) fn person(site: &Site, of: PlayerId) -> Value {
    let player = site.archive.players.get(of);
    let link = Link::to_player(site.archive, of);
    let mut described = json!({
        "@type": "Person",
        "name": spoken(&player.name),
        "url": site.address("../", &link.href),
    });
    if let Some(life) = &player.life {
        if let Some(born) = born(life) {
            described["birthDate"] = json!(born);
        }
        if let Some(died) = life.died {
            described["deathDate"] = json!(format!("{died:04}"));
        }
    }
    if let Some(number) = player.fide_id() {
        let number = number.to_string();
        described["identifier"] =
            json!({ "@type": "PropertyValue", "propertyID": "FIDE ID", "value": number });
    }
    let elsewhere = elsewhere(player);
    if !elsewhere.is_empty() {
        described["sameAs"] = json!(elsewhere);
    }
    described
}

/// The date of birth, as far as known: `1943` or `1943-03-09`.
fn born(life: &Life) -> Option<String> {
    let year = life.born?;
    Some(match life.birthday {
        Some((month, day)) => format!("{year:04}-{month:02}-{day:02}"),
        None => format!("{year:04}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_birthday_completes_its_year() {
        let life = Life { born: Some(1943), ..Life::default() };
        assert_eq!(born(&life), Some("1943".into()));
        assert_eq!(born(&Life { birthday: Some((3, 9)), ..life }), Some("1943-03-09".into()));
        assert_eq!(born(&Life { birthday: Some((3, 9)), ..Life::default() }), None);
    }
}
