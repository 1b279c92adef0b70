//! The game table, with interned names.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::date::PartialDate;
use super::details::DetailTable;
use super::game::Game;
use super::names::{NameId, NameTable};
use super::round::Round;
use super::sources::{MemberOrder, Sources};

/// All games that were read, in the order of reading.
#[derive(Clone, Debug, Default)]
pub struct GameTable {
    /// The interned values of tags.
    pub names: NameTable,
    /// Names of the members, by number.
    pub members: Vec<Arc<str>>,
    sources: Sources,
    games: Vec<Game>,
    details: Option<DetailTable>,
}

impl GameTable {
    /// Creates a table that also keeps the details of its games (see
    /// [`GameDetails`](super::GameDetails)).
    pub fn with_details() -> GameTable {
        GameTable { details: Some(DetailTable::default()), ..GameTable::default() }
    }

    /// Returns the details of the games, if the table keeps them.
    pub fn details(&self) -> Option<&DetailTable> {
        self.details.as_ref()
    }

    /// Returns the details of the games to change them, if the table keeps them.
    pub fn details_mut(&mut self) -> Option<&mut DetailTable> {
        self.details.as_mut()
    }

    /// Appends a game. Its names must be interned in this table.
    pub fn push(&mut self, game: Game) {
        self.games.push(game);
    }

    /// Appends games. `complete` may change each game and intern new names for it.
    pub fn append(
        &mut self,
        games: impl IntoIterator<Item = Game>,
        mut complete: impl FnMut(&mut NameTable, &mut Game),
    ) {
        let GameTable { names, games: all, .. } = self;
        all.extend(games.into_iter().map(|mut game| {
            complete(names, &mut game);
            game
        }));
    }

    /// Sorts the members into an order that depends only on their games.
    ///
    /// Results then do not depend on the names of files, on their order, or on where a collection
    /// was split. Members are sorted by their earliest date, then by their first round and a hash
    /// of their games. A member that continues another follows it. Within a member the games keep
    /// their order, which may be the order of play. Details are dropped.
    #[must_use]
    pub fn in_order_of_facts(self) -> GameTable {
        let mut rounds: Vec<Option<Round>> = vec![None; self.members.len()];
        let mut facts: Vec<(Option<PartialDate>, u64, usize)> =
            (0..self.members.len()).map(|member| (None, 0, member)).collect();
        for game in &self.games {
            rounds[game.member as usize].get_or_insert(game.round);
            let (earliest, digest, _) = &mut facts[game.member as usize];
            if game.date.year().is_some() {
                *earliest = Some(earliest.map_or(game.date, |known| known.min(game.date)));
            }
            let names = [game.event, game.site, game.white, game.black];
            let mut hasher = FxHasher::default();
            (*digest, names.map(|name| self.names.hash_of(name))).hash(&mut hasher);
            (game.fingerprint, game.plies, game.date, game.round, game.result).hash(&mut hasher);
            (game.event_date, game.flags.bits(), game.trace).hash(&mut hasher);
            (game.event_rounds, game.event_category).hash(&mut hasher);
            let ratings = (game.white_elo, game.black_elo);
            (ratings, game.white_fide_id, game.black_fide_id).hash(&mut hasher);
            *digest = hasher.finish();
        }
        // Members without a date come last. The order of equal members does not matter.
        facts.sort_by_key(|(earliest, digest, member)| {
            (earliest.is_none(), *earliest, rounds[*member], *digest, *member)
        });
        let preferred: Vec<usize> = facts.iter().map(|(.., member)| *member).collect();
        let MemberOrder { members: order, sources } = MemberOrder::new(&preferred, &self.games);
        if order.iter().enumerate().all(|(place, member)| place == *member) {
            return GameTable { sources, details: None, ..self };
        }
        let mut rank = vec![0; order.len()];
        for (place, member) in order.iter().enumerate() {
            rank[*member] = place as u32;
        }
        let GameTable { names, members, mut games, .. } = self;
        for game in &mut games {
            game.member = rank[game.member as usize];
        }
        games.sort_by_key(|game| game.member);
        // Number the names in the order of the games.
        let mut ordered = NameTable::default();
        let mut numbers: Vec<Option<NameId>> = vec![None; names.len()];
        for game in &mut games {
            for name in [&mut game.event, &mut game.site, &mut game.white, &mut game.black] {
                *name = *numbers[name.index()].get_or_insert_with(|| {
                    ordered.intern_hashed(names.text(*name), names.hash_of(*name))
                });
            }
        }
        let members = order.iter().map(|member| Arc::clone(&members[*member])).collect();
        GameTable { names: ordered, members, sources, games, details: None }
    }

    /// Keeps only the given number of games, from the first on.
    pub fn truncate(&mut self, games: usize) {
        self.games.truncate(games);
        if let Some(details) = &mut self.details {
            details.truncate(games);
        }
    }

    /// Keeps only the games with the given rows, which are in ascending order.
    pub fn keep(&mut self, rows: &[usize]) {
        self.games = rows.iter().filter_map(|row| self.games.get(*row).copied()).collect();
        if let Some(details) = &mut self.details {
            details.keep(rows);
        }
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns whether the table has no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns all games, in the order of the rows.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Returns all games, so that copies can complete them.
    pub fn games_mut(&mut self) -> &mut [Game] {
        &mut self.games
    }

    /// Returns the text of a name.
    pub fn text(&self, id: NameId) -> &str {
        self.names.text(id)
    }

    /// Returns the first and last year of the games of each name in the White and Black columns.
    ///
    /// The order is that of the names. Names without a dated game are left out.
    pub fn years_of_names(&self) -> Vec<(NameId, (i16, i16))> {
        let mut years = vec![(i16::MAX, i16::MIN); self.names.len()];
        for game in &self.games {
            let Some(year) = game.date.year() else { continue };
            for name in [game.white, game.black] {
                let (first, last) = &mut years[name.index()];
                *first = year.min(*first);
                *last = year.max(*last);
            }
        }
        let names = self.names.iter().map(|(name, _)| name);
        names.zip(years).filter(|(_, (first, last))| first <= last).collect()
    }

    /// Returns the source of each game. Members that continue each other are one source.
    ///
    /// The sources are known after [`in_order_of_facts`](GameTable::in_order_of_facts).
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the name of the member from which a game was read.
    pub fn member_of(&self, game: &Game) -> &Arc<str> {
        &self.members[game.member as usize]
    }
}
