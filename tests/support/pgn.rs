//! Valid and damaged games, which the tests and the fuzz targets share.

use greatness::games::GameTable;

/// Returns a game with all required tags.
pub fn valid_game(number: usize, white: &str, black: &str, moves: &str) -> String {
    let result =
        ["1/2-1/2", "1-0", "0-1"].into_iter().find(|result| moves.ends_with(result)).unwrap_or("*");
    format!(
        "[Event \"Event {number}\"]\n[Site \"Vienna\"]\n[Date \"1898.06.??\"]\n[Round \"{}\"]\n\
         [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[WhiteElo \"2600\"]\n\n\
         {moves}\n\n",
        number % 30 + 1
    )
}

/// Returns five games, and the same five games with a part of one replaced.
///
/// The part begins at `place` (thousandths of the game's length) and has `length` bytes. The blank
/// line after the game stays if tags may be inserted: tags right before an Event tag are of its
/// game.
pub fn damaged(game: usize, place: usize, length: usize, inserted: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let moves = [
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 {the closed defence} 6.Re1 b5 1-0",
        "1. d4 d5 2. c4 e6 (2... c6 3. Nf3) 3. Nc3 Nf6 4. Bg5 $1 Be7 1/2-1/2",
        "0-1",
        "1.e4 c5 2.Nf3 d6 ; a line\n3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 1/2-1/2",
        "1.c4 e5 2.Nc3 Nf6 0-1",
    ];
    let games: Vec<Vec<u8>> = (0..5)
        .map(|number| {
            let (white, black) = (format!("White, {number}"), format!("Black, {number}"));
            let text = valid_game(number, &white, &black, moves[number]);
            text.replace("Event \"Event", "Event \"Neighbour").into_bytes()
        })
        .collect();
    let mut broken = games.clone();
    let bytes = &mut broken[game];
    let last = if inserted.contains(&b'[') { bytes.len() - 2 } else { bytes.len() };
    let start = (bytes.len() * place / 1000).min(last);
    let end = (start + length).min(last);
    bytes.splice(start..end, inserted.iter().copied());
    (games.concat(), broken.concat())
}

/// Returns the games other than the damaged one that were changed or lost.
pub fn harmed(before: &GameTable, after: &GameTable, damaged: usize) -> Vec<String> {
    let found = neighbours(after, damaged);
    neighbours(before, damaged).into_iter().filter(|game| !found.contains(game)).collect()
}

/// Returns everything known about the games other than the damaged one.
fn neighbours(table: &GameTable, damaged: usize) -> Vec<String> {
    let names: Vec<String> = (0..5)
        .filter(|number| *number != damaged)
        .map(|number| format!("Neighbour {number}"))
        .collect();
    table
        .games()
        .iter()
        .filter(|game| names.iter().any(|name| name == table.text(game.event)))
        .map(|game| {
            let names =
                [game.event, game.site, game.white, game.black].map(|name| table.text(name));
            format!(
                "{} {} {} {:?} {} {} {:x} {:?}",
                names.join(" "),
                game.date,
                game.round,
                game.result,
                game.white_elo,
                game.plies,
                game.fingerprint,
                game.flags
            )
        })
        .collect()
}
