//! The facts of a tournament, as the tags that mean the same.

use super::nations;
use crate::bytes::{big_endian, little_endian, text_field};
use crate::pgn_text::{PackedDate, write_known, write_number, write_tag};

/// The kinds of tournaments, by their numbers, as ChessBase writes them in an EventType tag.
const KINDS: [&str; 9] = ["", "game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev"];

/// The bit of a tournament's flags which states that the database has all of its games.
const COMPLETE: u64 = 2;

/// Writes the name and the place of a tournament.
pub(super) fn write_names(tournament: &[u8], out: &mut Vec<u8>) {
    for (tag, value) in
        [(&b"Event"[..], text_field(tournament, 0, 40)), (b"Site", text_field(tournament, 40, 30))]
    {
        write_tag(out, tag, if value.is_empty() { b"?" } else { value });
    }
}

/// Writes the other facts of a tournament that are known.
pub(super) fn write_facts(tournament: &[u8], out: &mut Vec<u8>) {
    let start = PackedDate(little_endian(tournament, 70, 3) as u32 & 0x1f_ffff);
    if start.is_known() {
        start.write(out, "EventDate");
    }
    let byte = |at| big_endian(tournament, at, 1);
    write_known(out, "EventType", event_type(byte(74), byte(75)).as_bytes());
    write_number(out, "EventRounds", byte(80) as u32);
    write_known(out, "EventCountry", nations::code(byte(76)).as_bytes());
    write_number(out, "EventCategory", byte(78) as u32);
    // The tag is our own, because the PGN standard has none.
    write_known(out, "EventComplete", if byte(79) & COMPLETE > 0 { b"yes" } else { b"" });
}

/// The EventType tag: `swiss`, `team-tourn`, `match (rapid)`.
fn event_type(kind: u64, teams: u64) -> String {
    let word = KINDS.get((kind & 31) as usize).copied().unwrap_or_default();
    let tempo = match kind >> 5 {
        1 => "(blitz)",
        2 => "(rapid)",
        4 => "(corr)",
        _ => "",
    };
    let team = if teams & 1 == 1 && word != "team" { "team" } else { "" };
    let form: Vec<&str> = [team, word].into_iter().filter(|part| !part.is_empty()).collect();
    let parts = [form.join("-"), tempo.to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_tournament_has_a_form_and_a_tempo() {
        assert_eq!(event_type(0, 0), "");
        assert_eq!(event_type(4, 0), "swiss");
        assert_eq!(event_type(3, 1), "team-tourn");
        assert_eq!(event_type(5, 1), "team");
        assert_eq!(event_type(2 | 64, 0), "match (rapid)");
        assert_eq!(event_type(128, 0), "(corr)");
        assert_eq!(event_type(31, 0), "", "an unknown kind");
    }
}
