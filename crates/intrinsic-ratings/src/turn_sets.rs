//! Divides games into sets of turns that are rated together: by event, player, year or rating, or
//! all in one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::move_quality::CollectedTurns;
use super::turn_table::AnsweredGame;

/// How turns are divided into sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnDivision {
    /// One set for each event.
    Events,
    /// All turns in one set.
    Together,
    /// One set for each player: the turns in which that player was to move.
    Players,
    /// One set for each calendar year.
    Years,
    /// One set for each band of ratings: the turns of players whose rating is near a multiple of
    /// 100 (see [`band`]).
    Bands {
        /// Largest distance (points) from the multiple of 100, at most 50.
        within: u16,
    },
}

/// The multiple of 100 that is nearest to a rating (points), if it is at most `within` points away.
///
/// Source: K. Regan and G. Haworth, *Intrinsic Chess Ratings* (2011), whose training sets have
/// players within 10 points of 2700, 2600 and so on. With 50 points every rating is in a band.
pub fn band(rating: u16, within: u16) -> Option<u16> {
    let nearest = rating.saturating_add(50) / 100 * 100;
    (nearest.abs_diff(rating) <= within).then_some(nearest)
}

/// A game whose turns are to be divided, with what is known about its players.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredGame<'g> {
    /// The game with its turns.
    pub game: &'g AnsweredGame,
    /// Ratings (points) of White and Black at the time; `None` if unknown.
    pub ratings: [Option<u16>; 2],
    /// White's score: 1, 0.5 or 0; `None` without a result.
    pub white_score: Option<f64>,
}

impl MeasuredGame<'_> {
    fn player(&self, is_white: bool) -> &Arc<str> {
        if is_white { &self.game.white } else { &self.game.black }
    }

    fn side(&self, is_white: bool) -> GameSide {
        let [white, black] = self.ratings;
        let (rating, opponent) = if is_white { (white, black) } else { (black, white) };
        let score = self.white_score.map(|score| if is_white { score } else { 1.0 - score });
        GameSide { rating, opponent, score }
    }
}

/// The rating and the result of one player in one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameSide {
    /// The player's rating (points).
    pub rating: Option<u16>,
    /// The opponent's rating (points).
    pub opponent: Option<u16>,
    /// The player's score: 1, 0.5 or 0.
    pub score: Option<f64>,
}

/// Whose turns a set has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Movers {
    /// Those of all players.
    All,
    /// Those of the player with this identifier.
    Player(Arc<str>),
    /// Those of the opponents of the player with this identifier.
    OpponentsOf(Arc<str>),
}

/// A set of turns that are rated together.
#[derive(Clone, Debug)]
pub struct TurnSet<'g> {
    /// The event, the player, the year or the band; `all` for the set of all turns. Turns without
    /// an event or a year are in the set `unknown`.
    pub name: String,
    /// Whose turns they are.
    pub movers: Movers,
    /// The turns that belong to the set.
    pub turns: CollectedTurns<'g>,
    /// The rating and the result of each player who made the moves, game by game.
    pub sides: Vec<GameSide>,
}

impl TurnSet<'_> {
    /// The mean rating (points) of the players who made the moves, weighted by their games. `None`
    /// unless all ratings are known.
    pub fn mean_rating(&self) -> Option<f64> {
        let ratings: Vec<f64> =
            self.sides.iter().map(|side| side.rating.map(f64::from)).collect::<Option<_>>()?;
        (!ratings.is_empty()).then(|| ratings.iter().sum::<f64>() / ratings.len() as f64)
    }
}

/// Name of the set of all turns, and of the set of turns without an event or a year.
pub const ALL_TURNS: &str = "all";
const UNKNOWN: &str = "unknown";

/// The place of a set among the others, and its name.
type SetKey = (i64, String);

/// Divides the turns of games into sets.
///
/// Each set is followed by its parts. With a `focus` (the identifier of a player), these are the
/// turns of that player and those of the opponents. Otherwise an event, and the set of all turns,
/// are followed by their players. Events keep the order of the games, years ascend, bands descend.
/// A turn that belongs to no set, because the rating is unknown or in no band, is left out.
pub fn turn_sets<'g>(
    games: &[MeasuredGame<'g>],
    division: TurnDivision,
    focus: Option<&str>,
) -> Vec<TurnSet<'g>> {
    let mut sets: BTreeMap<(SetKey, Movers), TurnSet<'g>> = BTreeMap::new();
    let mut events: BTreeMap<&str, i64> = BTreeMap::new();
    for game in games {
        let next = events.len() as i64;
        let event = *events.entry(&game.game.event).or_insert(next);
        let keys = [true, false].map(|is_white| set_key(game, is_white, division, event));
        match &keys {
            [Some(white), Some(black)] if white == black => {
                add_turns(&mut sets, game, white, Movers::All, &[true, false]);
            }
            [white, black] => {
                for (key, is_white) in [(white, true), (black, false)] {
                    if let Some(key) = key {
                        add_turns(&mut sets, game, key, Movers::All, &[is_white]);
                    }
                }
            }
        }
        for (key, is_white) in keys.iter().zip([true, false]) {
            if let (Some(key), Some(movers)) = (key, part_of_set(game, is_white, division, focus)) {
                add_turns(&mut sets, game, key, movers, &[is_white]);
            }
        }
    }
    sets.into_values().collect()
}

/// Adds the turns of one side or both sides of a game to a set. A side is `true` for White.
fn add_turns<'g>(
    sets: &mut BTreeMap<(SetKey, Movers), TurnSet<'g>>,
    game: &MeasuredGame<'g>,
    key: &SetKey,
    movers: Movers,
    sides: &[bool],
) {
    let set = sets.entry((key.clone(), movers.clone())).or_insert_with(|| TurnSet {
        name: key.1.clone(),
        movers,
        turns: CollectedTurns::default(),
        sides: Vec::new(),
    });
    set.turns.take(game.game, if let [side] = sides { Some(*side) } else { None });
    set.sides.extend(sides.iter().map(|side| game.side(*side)));
}

/// The set of a player's turns in a game. `event` is the place of the event among all events.
fn set_key(
    game: &MeasuredGame<'_>,
    is_white: bool,
    division: TurnDivision,
    event: i64,
) -> Option<SetKey> {
    Some(match division {
        TurnDivision::Events if game.game.event.is_empty() => (event, UNKNOWN.to_owned()),
        TurnDivision::Events => (event, game.game.event.to_string()),
        TurnDivision::Together => (0, ALL_TURNS.to_owned()),
        TurnDivision::Players => (0, game.player(is_white).to_string()),
        TurnDivision::Years => match game.game.year {
            Some(year) => (year.into(), year.to_string()),
            None => (i64::MAX, UNKNOWN.to_owned()),
        },
        TurnDivision::Bands { within } => {
            let band = band(game.side(is_white).rating?, within)?;
            (-i64::from(band), band.to_string())
        }
    })
}

/// The part of a set to which a player's turns in a game belong, if the set has parts.
fn part_of_set(
    game: &MeasuredGame<'_>,
    is_white: bool,
    division: TurnDivision,
    focus: Option<&str>,
) -> Option<Movers> {
    let (own, other) = (game.player(is_white), game.player(!is_white));
    match (division, focus) {
        (TurnDivision::Players, _) => None,
        (_, Some(focus)) if **own == *focus => Some(Movers::Player(Arc::clone(own))),
        (_, Some(focus)) => (**other == *focus).then(|| Movers::OpponentsOf(Arc::clone(other))),
        (TurnDivision::Events | TurnDivision::Together, None) => {
            Some(Movers::Player(Arc::clone(own)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::AnsweredTurn;
    use crate::choices::TurnValues;

    /// A game of two moves by White and one by Black.
    fn game(event: &str, year: i16, white: &str, black: &str) -> AnsweredGame {
        let values = TurnValues { legal: 20, values: vec![30, 10], place: Some(0), played: 30 };
        let turn = AnsweredTurn { left_out: None, values: Some(values) };
        AnsweredGame {
            event: event.into(),
            year: Some(year),
            white: white.into(),
            black: black.into(),
            number: 1,
            fingerprint: 1,
            turns: vec![turn; 3],
        }
    }

    fn games() -> Vec<AnsweredGame> {
        vec![game("wien", 1898, "a", "b"), game("", 1896, "b", "a"), game("wien", 1898, "c", "a")]
    }

    fn measured(games: &[AnsweredGame]) -> Vec<MeasuredGame<'_>> {
        let ratings = [[Some(2710), Some(2650)], [Some(2649), Some(2690)], [None, Some(2700)]];
        games
            .iter()
            .zip(ratings)
            .map(|(game, ratings)| MeasuredGame { game, ratings, white_score: Some(1.0) })
            .collect()
    }

    /// Each set with its movers, turns and games.
    fn shown(division: TurnDivision, focus: Option<&str>) -> Vec<String> {
        let games = games();
        turn_sets(&measured(&games), division, focus)
            .iter()
            .map(|set| {
                let movers = match &set.movers {
                    Movers::All => String::new(),
                    Movers::Player(player) => format!(" {player}"),
                    Movers::OpponentsOf(player) => format!(" against {player}"),
                };
                format!("{}{movers}: {} of {}", set.name, set.turns.len(), set.turns.games())
            })
            .collect()
    }

    #[test]
    fn events_are_followed_by_their_players() {
        assert_eq!(
            shown(TurnDivision::Events, None),
            [
                "wien: 6 of 2",
                "wien a: 3 of 2",
                "wien b: 1 of 1",
                "wien c: 2 of 1",
                "unknown: 3 of 1",
                "unknown a: 1 of 1",
                "unknown b: 2 of 1"
            ]
        );
    }

    #[test]
    fn a_chosen_player_is_followed_by_the_opponents() {
        assert_eq!(
            shown(TurnDivision::Together, Some("b")),
            ["all: 9 of 3", "all b: 3 of 2", "all against b: 3 of 2"]
        );
        assert_eq!(
            shown(TurnDivision::Years, Some("b")),
            [
                "1896: 3 of 1",
                "1896 b: 2 of 1",
                "1896 against b: 1 of 1",
                "1898: 6 of 2",
                "1898 b: 1 of 1",
                "1898 against b: 2 of 1"
            ]
        );
    }

    #[test]
    fn players_and_bands_are_sets_of_the_player_to_move() {
        assert_eq!(shown(TurnDivision::Players, None), ["a: 4 of 3", "b: 3 of 2", "c: 2 of 1"]);
        // 2650 is the lowest rating of the band of 2700; a player without a rating is in none.
        assert_eq!(
            shown(TurnDivision::Bands { within: 50 }, None),
            ["2700: 5 of 3", "2600: 2 of 1"]
        );
        assert_eq!(shown(TurnDivision::Bands { within: 10 }, None), ["2700: 4 of 3"]);
    }

    #[test]
    fn the_mean_rating_needs_all_ratings() {
        let games = games();
        let sets = turn_sets(&measured(&games), TurnDivision::Events, None);
        for (movers, mean) in [(Movers::Player("a".into()), Some(2705.0)), (Movers::All, None)] {
            let set = sets.iter().find(|set| set.name == "wien" && set.movers == movers).unwrap();
            assert_eq!(set.mean_rating(), mean, "{movers:?}");
        }
        let sides = &sets[1].sides;
        let won = GameSide { rating: Some(2710), opponent: Some(2650), score: Some(1.0) };
        let lost = GameSide { rating: Some(2700), opponent: None, score: Some(0.0) };
        assert_eq!(sides, &[won, lost]);
    }
}
