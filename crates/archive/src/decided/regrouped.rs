//! Regroups the games of an event's inputs: merges, splits, moved games and merged persons.

use crate::record::eligibility::Eligibility;
use crate::record::event_inputs::EventInputs;
use chess_history::events::recognise_pairs;
use pgn_collections::games::Round;
use tournament_app::EventPart;

/// A game that a decision names.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSearch<'a> {
    /// Index of White in the event.
    pub white: usize,
    /// Index of Black in the event.
    pub black: usize,
    /// The round tag, if it is given.
    pub round: Option<&'a str>,
    /// Whether the game belongs to a play-off; `None` for any part.
    pub play_off: Option<bool>,
}

impl EventInputs {
    /// The place of the only game that fits; `None` if there are several or none.
    pub(super) fn game(&self, sought: GameSearch<'_>) -> Option<usize> {
        match self.games(sought)[..] {
            [place] => Some(place),
            _ => None,
        }
    }

    /// The places of the games that fit.
    pub(super) fn games(&self, sought: GameSearch<'_>) -> Vec<usize> {
        let round = sought.round.map(Round::parse);
        let mut places = Vec::new();
        for (place, game) in self.input.games.iter().enumerate() {
            let is_in_play_off = game.part == EventPart::PlayOff;
            // As in a build, a game without a round is not of the round that is given.
            if (game.white, game.black) == (sought.white, sought.black)
                && sought.play_off.is_none_or(|play_off| is_in_play_off == play_off)
                && round.is_none_or(|round| self.facts.round(place) == round)
            {
                places.push(place);
            }
        }
        places
    }

    /// The inputs with all games of another event added.
    pub(super) fn merged(&self, other: &EventInputs) -> EventInputs {
        let all: Vec<usize> = (0..other.input.games.len()).collect();
        let mut case = self.with_games_of(other, &all);
        case.input.number_two = case.input.number_two.or(other.input.number_two);
        case.eligibility.programs = case.eligibility.programs.max(other.eligibility.programs);
        case
    }

    /// The inputs with some games of another event added.
    pub(super) fn with_games_of(&self, other: &EventInputs, places: &[usize]) -> EventInputs {
        let mut case = self.clone();
        let mut games = Vec::new();
        for place in places {
            let game = other.input.games[*place];
            let white = case.index_of_player(&other.input.players[game.white]);
            let black = case.index_of_player(&other.input.players[game.black]);
            games.push(tournament_app::Game { white, black, ..game });
        }
        if !self.facts.rounds.is_empty() || !other.facts.rounds.is_empty() {
            let own = (0..self.input.games.len()).map(|place| self.facts.round(place));
            let added = places.iter().map(|place| other.facts.round(*place));
            case.facts.rounds = own.chain(added).collect();
        }
        case.input.games.extend(games);
        // The order among the games of both events is unknown here.
        for game in &mut case.input.games {
            game.sequence = None;
        }
        case.with_new_table()
    }

    /// The index of the player of this name, who is added if there is none.
    fn index_of_player(&mut self, player: &tournament_app::Player) -> usize {
        let known = self.input.players.iter().position(|known| known.name == player.name);
        known.unwrap_or_else(|| {
            self.input.players.push(player.clone());
            self.input.players.len() - 1
        })
    }

    /// The inputs with only some games, by place, and with the players of these.
    pub(super) fn with_only(
        &self,
        keep: impl Fn(usize, &tournament_app::Game) -> bool,
    ) -> EventInputs {
        let mut case = self.clone();
        let kept: Vec<usize> = (0..self.input.games.len())
            .filter(|place| keep(*place, &self.input.games[*place]))
            .collect();
        let mut has_games = vec![false; self.input.players.len()];
        for place in &kept {
            let game = &self.input.games[*place];
            has_games[game.white] = true;
            has_games[game.black] = true;
        }
        // The new index of each player who is left.
        let mut indices = vec![0; self.input.players.len()];
        case.input.players.clear();
        for (player, index) in indices.iter_mut().enumerate() {
            if has_games[player] {
                *index = case.input.players.len();
                case.input.players.push(self.input.players[player].clone());
            }
        }
        case.input.games = kept
            .iter()
            .map(|place| {
                let game = self.input.games[*place];
                let (white, black) = (indices[game.white], indices[game.black]);
                tournament_app::Game { white, black, ..game }
            })
            .collect();
        let rounds = kept.iter().filter_map(|place| self.facts.rounds.get(*place).copied());
        case.facts.rounds = rounds.collect();
        case.with_new_table()
    }

    /// The inputs with several players as one, who keeps the first one's name and the first known
    /// rating; `None` if two of them met.
    pub(super) fn with_one_person(&self, places: &[usize]) -> Option<EventInputs> {
        let [first, ..] = *places else { return Some(self.clone()) };
        let mut games = self.input.games.iter();
        if games.any(|game| places.contains(&game.white) && places.contains(&game.black)) {
            return None;
        }
        let mut case = self.clone();
        let ratings = places.iter().filter_map(|place| self.input.players[*place].initial_rating);
        case.input.players[first].initial_rating = ratings.into_iter().next();
        for game in &mut case.input.games {
            for player in [&mut game.white, &mut game.black] {
                if places.contains(player) {
                    *player = first;
                }
            }
        }
        Some(case.with_only(|_, _| true))
    }

    /// Recognises kind and length from the pairings, as a build does.
    fn with_new_table(mut self) -> EventInputs {
        let main = self.input.games.iter().filter(|game| game.part == EventPart::Main);
        let pairs: Vec<(usize, usize)> = main.map(|game| (game.white, game.black)).collect();
        let table = recognise_pairs(self.input.players.len(), &pairs);
        self.input.kind = table.kind;
        self.eligibility = Eligibility {
            kind: table.kind,
            expected_games: table.expected_games,
            placed_games: table.placed_games,
            players_to_the_end: self.input.players.len() - table.withdrawn.len(),
            cycles: table.cycles,
            expected_of: table.expected_of,
            is_certain: table.is_certain,
            ..self.eligibility
        };
        self
    }
}
