//! Sums up an event in a few sentences: the field, the winner, and how it ended.

use super::outcome::{broken_off, is_whole, official_points, official_score};
use crate::figures::{counted, points, spelt_out, spoken};
use archive::{EventRecord, points_by};
use chess_history::events::{Ending, Event, Scoring};
use tournament_app::{Kind, PlayerAnalysis};

/// The event in a few sentences.
pub(super) fn verdict(record: &EventRecord) -> String {
    let (event, analysis) = (&record.event, &record.analysis);
    let mut text = field_sentence(record);
    match (event.kind, &analysis.players[..]) {
        _ if is_decided(event) => {
            text.push_str(&decided_text(record));
        }
        (Kind::KnockOut, _) => {
            let known = event.known.as_ref();
            let known =
                known.and_then(|it| Some((*it.winners.first()?, it.runners_up.first().copied())));
            let found = record.bracket_result.map(|found| (found.winner, found.loser));
            let won = match (known, found) {
                (Some((winner, None)), Some((found, loser))) if winner == found => {
                    Some((winner, Some(loser)))
                }
                (None, Some((winner, loser))) => Some((winner, Some(loser))),
                (known, _) => known,
            };
            text.push_str(&match won {
                Some((winner, Some(loser))) => {
                    format!(" {} beat {} in the final.", name(record, winner), name(record, loser))
                }
                // A level final may be among the games, so nothing is said about it.
                Some((winner, None)) => format!(" {} won.", name(record, winner)),
                None => String::new(),
            });
        }
        (Kind::Match, [_, _]) => {
            text.push_str(&match_text(record));
            text.push_str(&resigned_text(record));
        }
        _ => {
            if let Some(verb) = broken_off(record) {
                text.push_str(&format!(" It was {verb}."));
            }
            text.push_str(&winners_text(record));
            if let Some(official) = official_points(record) {
                let official = points(official);
                text.push_str(&format!(" Historical sources give the winner {official} points."));
            }
        }
    }
    text
}

/// The name of a player of the event in spoken order.
fn name(record: &EventRecord, player: usize) -> String {
    spoken(&record.input.players[player].name)
}

/// The name of the player at this place of the standings.
fn name_at(record: &EventRecord, place: usize) -> String {
    name(record, record.analysis.players[place].index)
}

/// The kind and size of an event: `A 20-player double round robin.`
fn field_sentence(record: &EventRecord) -> String {
    let event = &record.event;
    if event.kind == Kind::Match {
        return format!("A match of {}.", counted(event.games.len(), "game", "games"));
    }
    let players = record.finishers();
    let article = if matches!(players, 8 | 11 | 18 | 80..=89) { "An" } else { "A" };
    let withdrawn = match record.withdrawn().len() {
        0 => String::new(),
        1 => "; one player withdrew".into(),
        players => format!("; {} players withdrew", spelt_out(players)),
    };
    format!("{article} {players}-player {}{withdrawn}.", event.kind.words())
}

/// The winner and the score of a match.
fn match_text(record: &EventRecord) -> String {
    let players = &record.analysis.players;
    let won = record.winners();
    let (one, other) = if *won == [1] { (1, 0) } else { (0, 1) };
    let [for_one, for_other] = [one, other].map(|place| points(players[place].main_points));
    let found = format!("{for_one}–{for_other}");
    let of_known = if is_whole(record) {
        String::new()
    } else {
        format!(" in the {}", counted(players[0].main_games, "known game", "known games"))
    };
    let is_level = players[0].main_points == players[1].main_points;
    match (broken_off(record), &won[..], official_score(record)) {
        (Some(verb), [winner], _) => {
            format!(
                " It was {verb} at {found}{of_known}; {} was declared the winner.",
                name_at(record, *winner)
            )
        }
        (Some(verb), ..) => match score_without_winner(record) {
            Some(score) => {
                format!(" It was {verb} at {score}, without a winner. The games here give {found}.")
            }
            None => format!(" It was {verb} at {found}{of_known}, without a winner."),
        },
        (_, [winner], Some((most, least))) => {
            let winner = name_at(record, *winner);
            let how = decided_by(record).unwrap_or("went on");
            let score = format!("{}–{}", points(most), points(least));
            let won = if most > least {
                format!("{winner} won {score}")
            } else {
                format!("They tied {score}; {winner} {how}")
            };
            format!(" {won}. The games here give {found}.")
        }
        (_, [winner], None) => match decided_by(record).filter(|_| is_level) {
            Some(how) => format!(" They tied {found}; {} {how}.", name_at(record, *winner)),
            None => match record.bracket_result.filter(|_| is_level || !is_whole(record)) {
                Some(result) => {
                    let how = if result.is_final { "won the final" } else { "went on" };
                    let score = if is_whole(record) { "They tied" } else { "The score is" };
                    format!(" {score} {found}{of_known}; {} {how}.", name_at(record, *winner))
                }
                None => format!(" {} won {found}.", name_at(record, *winner)),
            },
        },
        _ if is_level && is_whole(record) => format!(" It was drawn, {found}."),
        _ => format!(" The score is {found}{of_known}."),
    }
}

/// The score of a match without a winner by historical sources, if the games here give another.
fn score_without_winner(record: &EventRecord) -> Option<String> {
    let score = record.event.official_score()?;
    let [one, other] = &record.analysis.players[..] else { return None };
    let found = (one.main_points, other.main_points);
    let is_other = score != found && score != (found.1, found.0);
    is_other.then(|| format!("{}–{}", points(score.0), points(score.1)))
}

/// Who resigned the event; empty if no one did.
fn resigned_text(record: &EventRecord) -> String {
    let has_resigned = record.event.ending() == Some(Ending::Resigned);
    match (&record.winners()[..], record.analysis.players.len()) {
        ([winner], 2) if has_resigned => {
            format!(" {} resigned the match.", name_at(record, 1 - winner))
        }
        _ => String::new(),
    }
}

/// Whether a decision states who won, or that no one did.
fn is_decided(event: &Event) -> bool {
    let facts = &event.decided;
    facts.winners.is_some() || (facts.ending.is_some() && event.declared_winners().is_some())
}

/// The winners and the end of an event as the Ratings Administrator decided them.
fn decided_text(record: &EventRecord) -> String {
    let players = &record.analysis.players;
    let score = match (record.event.kind, &players[..], &record.winners()[..]) {
        (Kind::Match, [first, other], won) => {
            // The winner's points come first.
            let (one, two) = if *won == [1] { (other, first) } else { (first, other) };
            format!(", {}–{}", points(one.main_points), points(two.main_points))
        }
        _ => String::new(),
    };
    let won = match &record.winners()[..] {
        [] => " It had no winner".to_owned(),
        [one] => format!(" {} won", name_at(record, *one)),
        [a, b] => {
            let [a, b] = [*a, *b].map(|place| name_at(record, place));
            format!(" {a} and {b} shared first place")
        }
        several => format!(" {} players shared first place", several.len()),
    };
    let ending = record.event.ending().filter(|ending| *ending != Ending::Whole);
    let ended = ending.map(|ending| format!(" It was {}.", ending.participle()));
    format!("{}{won}{score}.", ended.unwrap_or_default())
}

/// What is said of a tie that a play-off broke.
const PLAY_OFF: &str = "won the play-off";

/// How a tie was broken, by the reference table.
fn decided_by(record: &EventRecord) -> Option<&'static str> {
    let known = record.event.known.as_ref()?;
    match known.result.decided_by.as_str() {
        "rapid" => Some("won the rapid tie-break"),
        "blitz" => Some("won the blitz tie-break"),
        "armageddon" => Some("won the armageddon game"),
        "play-off" => Some(PLAY_OFF),
        "tie-break" => Some("won on tie-break"),
        "draw-odds" => Some("kept the title with a draw"),
        "lot" => Some("won by lot"),
        "agreement" => Some("won by agreement"),
        _ => None,
    }
}

/// The winners by the points of the main event, and the results of play-offs.
fn winners_text(record: &EventRecord) -> String {
    if let Some(text) = scored_text(record) {
        return text;
    }
    let players = &record.analysis.players;
    let Some(first) = players.first() else { return String::new() };
    let won = record.winners();
    let first = won.first().map_or(first, |place| &players[*place]);
    let place = won.first().copied().unwrap_or(0);
    let score = score_of(record, place);
    let (known, expected) = record.games_of(place);
    let mut play_offs = play_offs(record);
    let for_first = match play_offs.first() {
        Some(PlayOff::Two { place: 1, players: [a, b], tied: 2 })
            if won.len() == 1
                && decided_by(record).is_none_or(|how| how == PLAY_OFF)
                && players[won[0]].index == a.index
                && a.play_off_points > b.play_off_points =>
        {
            Some((*a, *b))
        }
        _ => None,
    };
    let tied = players.iter().filter(|player| player.main_points == first.main_points).count();
    let text = match (&won[..], decided_by(record)) {
        ([], _) => return String::new(),
        ([_], _) if for_first.is_some() => {
            let [a, b] = for_first.map(|(a, b)| [a, b]).expect("checked by the guard");
            play_offs.remove(0);
            let won = play_off_score(a, b);
            let winner = name(record, a.index);
            format!(
                " {winner} and {} tied for first with {score}; {winner} won the play-off {won}",
                name(record, b.index)
            )
        }
        // With missing games the known points do not show who was level.
        ([one], Some(how)) if known < expected => {
            format!(" {} scored {score} and {how}", name_at(record, *one))
        }
        ([one], Some(how)) if tied > 1 => {
            let others = counted(tied - 1, "other player", "other players");
            format!(" {} scored {score}, level with {others}, and {how}", name_at(record, *one))
        }
        ([one], None) if tied > 1 && known >= expected => {
            let others = counted(tied - 1, "other player", "other players");
            format!(" {} won with {score}, level with {others}", name_at(record, *one))
        }
        ([one], _) => format!(" {} won with {score}", name_at(record, *one)),
        ([a, b], _) => {
            let [a, b] = [*a, *b].map(|place| name_at(record, place));
            format!(" {a} and {b} shared first place with {score}")
        }
        (several, _) => format!(" {} players shared first place with {score}", several.len()),
    };
    if play_offs.is_empty() && for_first.is_none() {
        return format!("{text}.");
    }
    let others = play_offs.iter().map(|play_off| format!("; {}", play_off.words(record)));
    format!("{text}{}. P-Zero and G include the play-off games.", others.collect::<String>())
}

/// The winner of an event whose places do not follow from game points.
fn scored_text(record: &EventRecord) -> Option<String> {
    let scored = points_by(record.scoring(), &record.input)?;
    let [winner] = record.winners()[..] else { return None };
    let player = &record.analysis.players[winner];
    let own = scored[player.index];
    let what = match record.scoring() {
        Scoring::ThreeForWin => format!("{} points (3 for a win, 1 for a draw)", points(own)),
        _ => format!("{} match points", points(own)),
    };
    let level = scored.iter().filter(|points| **points == own).count() - 1;
    let tie = match (level, decided_by(record)) {
        (0, _) => String::new(),
        (others, how) => format!(
            ", level with {}{}",
            counted(others, "other player", "other players"),
            how.map(|how| format!(", and {how}")).unwrap_or_default()
        ),
    };
    let verb = if level > 0 && decided_by(record).is_some() { "scored" } else { "won with" };
    Some(format!(
        " {} {verb} {what}{tie}. In game points: {} of {}.",
        name_at(record, winner),
        points(player.main_points),
        player.main_games
    ))
}

/// The points of a winner: `12½ of 19`, `9½ points (9 of 13 in the known games)`.
fn score_of(record: &EventRecord, place: usize) -> String {
    let player = &record.analysis.players[place];
    let (known, expected) = record.games_of(place);
    let found = format!("{} of {}", points(player.main_points), player.main_games);
    if known >= expected {
        return found;
    }
    let official = record.event.known.as_ref().and_then(|event| event.result.points);
    match official.filter(|_| record.event.decided.winners.is_none()) {
        Some(official) => format!("{} points ({found} in the known games)", points(official)),
        None => format!("{found} known games"),
    }
}

/// `2½–1½`: the points of two players in their play-off.
fn play_off_score(a: &PlayerAnalysis, b: &PlayerAnalysis) -> String {
    let [a, b] = [a, b].map(|player| points(player.play_off_points.unwrap_or_default()));
    format!("{a}–{b}")
}

/// A play-off for a place among players with the same points.
enum PlayOff<'a> {
    /// Two of the `tied` players played it; the first has at least as many points in it.
    Two {
        place: usize,
        players: [&'a PlayerAnalysis; 2],
        tied: usize,
    },
    Several {
        place: usize,
        players: Vec<&'a PlayerAnalysis>,
    },
}

/// The play-offs of an event, by place.
fn play_offs(record: &EventRecord) -> Vec<PlayOff<'_>> {
    let mut players: Vec<&PlayerAnalysis> = record.analysis.players.iter().collect();
    players.sort_by_key(|player| player.points_rank);
    let mut play_offs = Vec::new();
    for tied in players.chunk_by(|a, b| a.main_points == b.main_points) {
        let played: Vec<&PlayerAnalysis> =
            tied.iter().copied().filter(|player| player.play_off_points.is_some()).collect();
        let place = 1 + players.iter().filter(|p| p.main_points > tied[0].main_points).count();
        match played[..] {
            [a, b] => play_offs.push(PlayOff::Two { place, players: [a, b], tied: tied.len() }),
            [_, _, _, ..] => play_offs.push(PlayOff::Several { place, players: played }),
            _ => {}
        }
    }
    play_offs
}

impl PlayOff<'_> {
    /// `in the play-off for place 3, Lasker beat Marco 2–0`.
    fn words(&self, record: &EventRecord) -> String {
        match self {
            PlayOff::Two { place, players: [a, b], .. } => {
                let is_drawn = a.play_off_points == b.play_off_points;
                let verb = if is_drawn { "drew with" } else { "beat" };
                format!(
                    "in the play-off for place {place}, {} {verb} {} {}",
                    name(record, a.index),
                    name(record, b.index),
                    play_off_score(a, b)
                )
            }
            PlayOff::Several { place, players } => {
                let names: Vec<String> = players
                    .iter()
                    .map(|player| {
                        let own = player.play_off_points.unwrap_or_default();
                        format!("{} {}", name(record, player.index), points(own))
                    })
                    .collect();
                format!("the play-off for place {place} ended {}", names.join(", "))
            }
        }
    }
}
