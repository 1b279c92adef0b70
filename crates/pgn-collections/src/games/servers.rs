//! Decides by the Event and Site tags whether a game was played on a server.
//!
//! Servers also broadcast games played over the board, so their name alone does not decide.

use super::lexicon::{Class, rows_of};

/// Whether the tags show that a game was played on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Online {
    Yes,
    /// It was, unless it has a round: broadcasts number their rounds, and games that a server pairs
    /// have none.
    WithoutRounds,
    No,
}

impl Online {
    pub fn judge(event: &str, site: &str) -> Online {
        let (event, place) = (event.to_lowercase(), site.to_lowercase());
        let on_server = is_server(site);
        let is_broadcast = names_server("broadcast", &place);
        let is_of_server = (on_server || place.is_empty() || place == "?")
            && server_words("game").any(|words| event.starts_with(words));
        let is_online = is_nowhere(site)
            || is_of_server
            || on_server && event.ends_with(" arena")
            || server_words("tournament").any(|words| event.contains(words))
            || names_server("play", &place) && !is_broadcast;
        if is_online {
            Online::Yes
        } else if on_server && !is_broadcast {
            Online::WithoutRounds
        } else {
            Online::No
        }
    }
}

/// Returns whether a Site tag names a server and no place.
pub fn is_server(site: &str) -> bool {
    let lower = site.to_lowercase();
    lower.starts_with("http://")
        || lower.starts_with("https://")
        || is_nowhere(site)
        || ["site", "play", "broadcast"].iter().any(|meaning| names_server(meaning, &lower))
}

/// Returns whether a Site tag has the code of no country, as in `chess.com INT`.
fn is_nowhere(site: &str) -> bool {
    site.split_whitespace().any(|word| word == "INT")
}

/// Returns whether a Site tag in lower case names a server with a meaning. `chess.com` is not named
/// by `idchess.com`.
fn names_server(meaning: &str, place: &str) -> bool {
    server_words(meaning).any(|server| {
        let is_path = server.starts_with('/');
        place
            .match_indices(server)
            .any(|(start, _)| is_path || !place[..start].ends_with(|c: char| c.is_alphanumeric()))
    })
}

/// Returns the words that name a server that has a `site`, that is there to `play` or to
/// `broadcast`; a `game`, or a `tournament` on it.
fn server_words(of: &str) -> impl Iterator<Item = &'static str> {
    rows_of(Class::Server).filter(move |row| row.meaning == of).map(|row| row.word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_as_the_site_makes_an_online_game_unless_it_broadcasts() {
        for (event, site, online) in [
            ("Tata Steel", "chess.com INT", Online::Yes),
            ("Testville", "Ruschess.com INT", Online::Yes),
            ("Rated Blitz game", "https://lichess.org/AbCdEfGh", Online::Yes),
            ("Live Chess", "Chess.com", Online::Yes),
            ("Titled Tuesday 12th", "?", Online::Yes),
            ("Testville Cup", "Chess.com", Online::Yes),
            ("Testville Cup", "https://www.chess.com/game/live/123", Online::Yes),
            ("Testville Cup", "Playchess.com", Online::Yes),
            ("Testville Cup", "play.chessbase.com", Online::Yes),
            ("FICS rated standard game", "FICS freechess.org", Online::Yes),
            ("FICS rated standard game", "?", Online::Yes),
            ("Testville Cup", "Internet Chess Club, chessclub.com", Online::Yes),
            ("Testville Swiss", "https://lichess.org/AbCdEfGh", Online::WithoutRounds),
            ("Testville Swiss", "lichess.org", Online::WithoutRounds),
            ("Round 1: Aronian - Bacrot", "https://lichess.org/broadcast/-/-/AbCd", Online::No),
            ("Testville", "https://lichess.org/study/AbCdEfGh/IjKlMnOp", Online::No),
            ("Testville", "https://www.chess.com/events/2024-testville/01", Online::No),
            ("FIDE Chess.com Grand Swiss 2019", "Douglas ENG", Online::No),
            ("chess.com IoM Masters", "Douglas ENG", Online::No),
            ("Testville", "idChess.com", Online::No),
            ("Testville", "live.chessbase.com", Online::No),
            ("Rated Open", "Zurich", Online::No),
            ("Testville", "Interlaken", Online::No),
            ("Testville", "?", Online::No),
        ] {
            assert_eq!(Online::judge(event, site), online, "{event}, {site}");
        }
    }
}
