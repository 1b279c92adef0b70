//! Assembles a group of games into an event.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::context::EventContext;
use super::event::{DecidedFacts, Event, EventGame, lacks_name, lead_of_first};
use super::event_format::recognise;
use super::group::{GameGroup, GroupedGame};
use super::joining::MISDATED;
use super::knock_out::shows_lengths;
use super::known_results::{EventLookup, KnownEvent};
use super::naming;
use super::naming_input::NamingInput;
use super::pairing_table::Pairing;
use super::recognised::{Circumstances, MatchLength, Recognised};
use super::season::season;
use super::stated_facts::StatedFacts;
use super::tag::{SegmentKind, TeamWords, names_countries, team_words};
use super::thresholds::EventThresholds;
use crate::games::{
    Game, GameFlags, GameResult, GameTable, PartialDate, REAL_MOVES, Rateable, Round, Tempo,
    TempoReason, may_name_a_program,
};
use crate::gazetteer::Places;
use crate::players::{Player, PlayerId};
use crate::tournament::Kind;

/// Assembles a group into an event, with the parts of its name. Its identifier and final name are
/// still empty.
///
/// Returns `None` for a group with too few games.
pub(super) fn assemble(
    context: EventContext<'_>,
    group: &GameGroup,
    tempo: Tempo,
) -> Option<(naming::EventName, Event)> {
    if !is_large_enough(group, context.thresholds) {
        return None;
    }
    let mut assembly = Assembly::new(context, group, tempo);
    let has_unknown_tie_breaks = assembly.separate_tie_breaks();
    let (mut recognised, known) = assembly.recognise();
    if has_unknown_tie_breaks {
        recognised.is_certain = false;
        recognised.notes.push("which games are tie-breaks is unknown".to_owned());
    }
    assembly.move_to_extra(&recognised.withdrawn);
    if let Some(known) = &known
        && assembly.mark_forfeits(known.result.forfeits)
    {
        recognised.notes.push(match known.result.forfeits {
            1 => "history knows of a forfeited game; it is the one without moves".to_owned(),
            games => {
                format!("history knows of {games} forfeited games; they are those without moves")
            }
        });
    }
    let (start, end) = first_and_last(context.table, &assembly.games);
    let venue = Venue::from_group(group, context.places);
    if lacks_name(&group.base) && (venue.place.is_empty() || start.year().is_none()) {
        recognised.notes.push("the tags do not identify the event".to_owned());
    }
    let name = assembly.name(recognised.kind, &venue, assembly.days_of_name([start, end]));
    let Assembly { field, games, .. } = assembly;
    let event = Event {
        id: String::new(),
        name: String::new(),
        tag: group.base.clone(),
        site: venue.place,
        tagged_site: group.city.clone(),
        start,
        end,
        kind: recognised.kind,
        tempo: Tempo::default(),
        tempo_reason: TempoReason::default(),
        detected: None,
        decided: DecidedFacts::default(),
        programs: programs(context.table, &field, &games),
        reasons: [group.reasons.clone(), recognised.notes.clone()].concat(),
        stated: StatedFacts::of_group(context.table, group),
        recognised,
        players: field,
        games,
        known,
        part_of: None,
        days_of_parts: Default::default(),
        ranked_elsewhere: false,
        series: name.series.clone(),
    };
    Some((name, event))
}

/// A group that becomes an event.
struct Assembly<'a> {
    context: EventContext<'a>,
    group: &'a GameGroup,
    tempo: Tempo,
    /// The players, in the order of their ids.
    field: Vec<PlayerId>,
    /// The games, in playing order.
    games: Vec<EventGame>,
    /// Whether the second part of the round tag numbers the games: `8.1`, `8.2`.
    ///
    /// It does in a match that was a round of a larger event.
    is_numbered_by_part: bool,
}

impl<'a> Assembly<'a> {
    fn new(context: EventContext<'a>, group: &'a GameGroup, tempo: Tempo) -> Assembly<'a> {
        let table = context.table;
        let field = group.players();
        let index: FxHashMap<PlayerId, usize> =
            field.iter().enumerate().map(|(index, player)| (*player, index)).collect();
        let games = in_order(table, group, &index);
        // A game of another source may have no round.
        let mut rounds = games.iter().filter_map(|game| game.round.number());
        let first_round = rounds.next();
        let is_numbered_by_part = field.len() == 2
            && rounds.all(|round| Some(round) == first_round)
            && games.iter().any(|game| game.round.part().is_some());
        Assembly { context, group, tempo, field, games, is_numbered_by_part }
    }

    /// Returns a game as a pairing of the pairing table.
    fn pairing(&self, game: &EventGame) -> Pairing {
        let row = &self.context.table.games()[game.row];
        let (round, part) = if self.is_numbered_by_part {
            (game.round.part(), None)
        } else {
            (game.round.number(), game.round.part())
        };
        let white_score = row.result.white_score();
        let ratings = [row.white_elo, row.black_elo];
        Pairing { white: game.white, black: game.black, round, part, white_score, ratings }
    }

    /// Recognises the kind of the event and looks up its known result.
    fn recognise(&self) -> (Recognised, Option<KnownEvent>) {
        let (table, group, players) = (self.context.table, self.group, self.field.len());
        let has_main = self.games.iter().any(|game| game.segment == SegmentKind::Main);
        let main: Vec<Pairing> = self
            .games
            .iter()
            .filter(|game| !has_main || game.segment == SegmentKind::Main)
            .map(|game| self.pairing(game))
            .collect();
        let known_match = (players == 2).then(|| self.known_event(&main, Kind::Match)).flatten();
        let stated = StatedFacts::of_group(table, group);
        let about = Circumstances {
            year: group.first_year(table),
            rounds: stated.rounds,
            form: stated.form,
            is_complete: stated.is_complete,
            left: players - players_of(&main, players),
            is_cycle: group.members.iter().any(|member| member.stage > 0),
            length: known_match.as_ref().and_then(|known| {
                let forfeited = known.result.forfeits as u16;
                Some(MatchLength { games: known.result.games? as u16, forfeited })
            }),
        };
        let mut recognised = recognise(players, &main, about);
        let known = match players {
            0..=2 => known_match,
            _ => self.known_event(&main, recognised.kind),
        };
        let has_other_segments = main.len() < self.games.len();
        // The known result includes players who withdrew; the table of main pairings does not.
        if let Some(known) = known.as_ref().filter(|_| players > 2 && !has_other_segments) {
            recognised.apply_known_result(&known.result, main.len(), || shows_lengths(&main));
        }
        if players > 3 && self.is_of_teams(&recognised) {
            recognised.convert_to_teams(&main);
        }
        if has_other_segments {
            recognised.fill_places(players, &self.pairings_before_play_offs(&main));
        } else if self.is_whole_report() {
            recognised.take_as_whole(players, &main);
        }
        if known.is_none() && !group.may_continue.is_empty() {
            recognised.is_certain = false;
            let names = group.may_continue.join("\", \"");
            recognised.notes.push(format!("it may continue under another name: \"{names}\""));
        }
        (recognised, known)
    }

    /// Returns whether reports that have the results of all their pairings have all games.
    fn is_whole_report(&self) -> bool {
        self.group.members.iter().all(|member| member.in_whole_report)
    }

    /// Looks up the event in the table of known results, which has only classical events.
    fn known_event(&self, main: &[Pairing], kind: Kind) -> Option<KnownEvent> {
        let EventContext { table, players, places, words, .. } = self.context;
        let years = self.group.years(table).filter(|_| self.tempo == Tempo::Classical)?;
        let persons: Vec<&Player> = self.field.iter().map(|player| players.get(*player)).collect();
        // Games without a result give no points.
        let mut points = vec![0.0; persons.len()];
        for pairing in main {
            let Some(white) = pairing.white_score else { continue };
            points[pairing.white] += white;
            points[pairing.black] += 1.0 - white;
        }
        let dates = self.group.members.iter().map(|member| member.game(table).date);
        let with_month: Vec<PartialDate> = dates.filter(|date| date.known_parts() >= 2).collect();
        let first = with_month.iter().filter_map(|date| date.earliest()).min();
        let last = with_month.iter().filter_map(|date| date.latest()).max();
        words.results.find(&EventLookup {
            players: &persons,
            points: &points,
            years,
            season: season(&self.group.base, years),
            days: first.zip(last),
            place: self.group.city.as_str(),
            title: &self.group.base,
            kind,
            games: main.len(),
            places,
        })
    }

    /// Returns whether teams played, according to the team tags or the words of the name.
    ///
    /// The pairings alone would mislead, because a collection often has only the first boards of an
    /// olympiad. Team tags always decide. Words that certainly mean teams decide except in a match.
    /// Other words, and the names of two countries, may belong to an event of individuals, so
    /// pairings of a match or a round robin outweigh them.
    fn is_of_teams(&self, recognised: &Recognised) -> bool {
        let is_round_robin = recognised.kind.is_round_robin();
        let is_match = recognised.kind == Kind::Match;
        let is_whole_round_robin = is_round_robin && recognised.coverage() >= 0.95;
        let by_words = match team_words(&self.group.key) {
            TeamWords::Certain => !is_match,
            TeamWords::Doubtful => !(is_match || is_whole_round_robin),
            TeamWords::None => names_countries(&self.group.base) && !is_round_robin && !is_match,
        };
        self.group.with_team_tags || self.group.has_pairs_of_teams || by_words
    }

    /// Returns the pairings outside the play-offs among the players of the main segment.
    ///
    /// Replays are included, because their results may count for the table: at London 1883 drawn
    /// games were replayed.
    fn pairings_before_play_offs(&self, main: &[Pairing]) -> Vec<Pairing> {
        let mut is_of_main = vec![false; self.field.len()];
        for pairing in main {
            (is_of_main[pairing.white], is_of_main[pairing.black]) = (true, true);
        }
        self.games
            .iter()
            .filter(|game| game.segment != SegmentKind::PlayOff)
            .map(|game| self.pairing(game))
            .filter(|pairing| is_of_main[pairing.white] && is_of_main[pairing.black])
            .collect()
    }

    /// Marks the games after the known length of a match as its play-off, if tie-breaks decided it.
    ///
    /// Returns whether it has more games than its known length, but not all of them are known to be
    /// later: a source without numbers has tie-breaks too.
    fn separate_tie_breaks(&mut self) -> bool {
        if self.field.len() != 2 {
            return false;
        }
        let is_main = |game: &&EventGame| game.segment == SegmentKind::Main;
        let main: Vec<Pairing> =
            self.games.iter().filter(is_main).map(|game| self.pairing(game)).collect();
        let known = self.known_event(&main, Kind::Match);
        let known = known.filter(|known| {
            matches!(&known.result.decided_by[..], "rapid" | "blitz" | "armageddon")
        });
        let Some(length) = known.and_then(|known| known.result.games) else { return false };
        // Other games may be numbered by the rounds of a larger event.
        let Some(surplus) = main.len().checked_sub(length).filter(|surplus| *surplus > 0) else {
            return false;
        };
        let is_later = |game: &EventGame| {
            game.segment == SegmentKind::Main
                && self.pairing(game).round.is_some_and(|round| usize::from(round) > length)
        };
        let later: Vec<bool> = self.games.iter().map(is_later).collect();
        let are_numbered = main.iter().all(|pairing| pairing.round.is_some());
        if !are_numbered && later.iter().filter(|later| **later).count() != surplus {
            return true;
        }
        for (game, _) in self.games.iter_mut().zip(later).filter(|(_, later)| *later) {
            game.segment = SegmentKind::PlayOff;
        }
        false
    }

    /// Marks the games that historical sources know as forfeited as not played, if as many decisive
    /// games lack moves, and no other game does. Returns whether it marked any.
    fn mark_forfeits(&mut self, forfeits: usize) -> bool {
        let game_of = |game: &EventGame| &self.context.table.games()[game.row];
        let is_without_moves = |game: &&EventGame| game_of(game).plies < REAL_MOVES;
        let without: Vec<&EventGame> = self.games.iter().filter(is_without_moves).collect();
        let are_forfeits = without.len() == forfeits
            && without.iter().all(|game| {
                game.played && matches!(game_of(game).result, GameResult::White | GameResult::Black)
            });
        if without.is_empty() || !are_forfeits {
            return false;
        }
        let rows: Vec<usize> = without.iter().map(|game| game.row).collect();
        for game in self.games.iter_mut().filter(|game| rows.contains(&game.row)) {
            game.played = false;
        }
        true
    }

    /// Moves the games of players who withdrew from the main segment to the extra one.
    fn move_to_extra(&mut self, withdrawn: &[usize]) {
        for game in self.games.iter_mut().filter(|game| game.segment == SegmentKind::Main) {
            if [game.white, game.black].iter().any(|player| withdrawn.contains(player)) {
                game.segment = SegmentKind::Extra;
            }
        }
    }

    /// Returns the first and the last day of the games that name the event.
    ///
    /// A play-off of the next year does not. `of_all` are those of all games.
    fn days_of_name(&self, of_all: [PartialDate; 2]) -> [PartialDate; 2] {
        let main: Vec<EventGame> = self
            .games
            .iter()
            .filter(|game| game.segment != SegmentKind::PlayOff)
            .copied()
            .collect();
        if main.is_empty() || main.len() == self.games.len() {
            of_all
        } else {
            first_and_last(self.context.table, &main).into()
        }
    }

    /// Returns the name of the file that has all games, without its ending, if no tag names the
    /// event: `Candidates 2022` for `Candidates_2022.pgn`.
    fn name_of_file(&self) -> Option<String> {
        let table = self.context.table;
        let first = table.member_of(&table.games()[self.games.first()?.row]);
        let mut rows = self.games.iter().map(|game| &table.games()[game.row]);
        let has_words = self.group.base.chars().any(char::is_alphanumeric);
        if has_words || rows.any(|game| table.member_of(game) != first) {
            return None;
        }
        let name = first.rsplit(['/', '\\']).next()?;
        Some(name.split('.').next()?.replace('_', " "))
    }

    /// Names the event by its tags, place, dates, kind and, in a match, players.
    fn name(&self, kind: Kind, venue: &Venue, [start, end]: [PartialDate; 2]) -> naming::EventName {
        let EventContext { table, players, words, .. } = self.context;
        let is_match = kind == Kind::Match && self.field.len() == 2;
        let spellings: Vec<String> = self
            .field
            .iter()
            .filter(|_| is_match)
            .map(|player| players.get(*player))
            .flat_map(|player| player.spellings.iter().take(8).chain([&player.name]).cloned())
            .collect();
        let winner_and_loser: Option<[&Player; 2]> = is_match.then(|| {
            let winner = usize::from(lead_of_first(table, &self.games) < 0.0);
            [winner, 1 - winner].map(|place| players.get(self.field[place]))
        });
        let file = self.name_of_file().filter(|_| venue.place.is_empty());
        let about = NamingInput {
            base: file.as_deref().unwrap_or(&self.group.base),
            place: &venue.place,
            tagged_place: &venue.tagged_place,
            id_place: &venue.id_place,
            country: self.context.places.country(&venue.id_place).unwrap_or_default(),
            years: start.year().zip(end.year()),
            month: start.month_name(),
            last_month: last_month(start, end),
            kind,
            tempo: self.tempo,
            field: self.field.len(),
            players: winner_and_loser.map(|pair| pair.map(Player::surname)),
            spellings: &spellings,
            shown_players: winner_and_loser.map(|pair| pair.map(Player::surname_among_namesakes)),
        };
        naming::name(about, words)
    }
}

/// The place of an event in three forms.
struct Venue {
    /// The common name of the place, or of several with `/` between them.
    place: String,
    /// The place as the tags write it.
    tagged_place: String,
    /// The common name of the Site, for the identifier.
    id_place: String,
}

impl Venue {
    /// Finds the place of a group: its Site, or the two to four places that the Event tag names if
    /// the Site is one of them. An example is `Moscow/Leningrad m`, played in Leningrad.
    fn from_group(group: &GameGroup, places: &Places) -> Venue {
        let id_place = places.name(&group.city).unwrap_or(&group.city).to_owned();
        let words: Vec<&str> = group.base.split_whitespace().collect();
        let words = match words.split_last() {
            Some((last, rest)) if last.starts_with('m') && last.len() < 4 => rest,
            _ => &words[..],
        };
        let joined = words.join(" ");
        let parts: Option<Vec<&str>> = joined
            .split('/')
            .map(|part| places.name(part.trim()).filter(|name| !name.is_empty()))
            .collect();
        match parts {
            Some(parts)
                if (2..=4).contains(&parts.len())
                    && !id_place.contains('/')
                    && parts.contains(&id_place.as_str()) =>
            {
                Venue { place: parts.join("/"), tagged_place: joined.clone(), id_place }
            }
            _ => Venue { place: id_place.clone(), tagged_place: group.city.clone(), id_place },
        }
    }
}

/// Counts the players of a field of `players` who have games among some pairings.
fn players_of(pairings: &[Pairing], players: usize) -> usize {
    let mut is_playing = vec![false; players];
    for pairing in pairings {
        (is_playing[pairing.white], is_playing[pairing.black]) = (true, true);
    }
    is_playing.iter().filter(|is_playing| **is_playing).count()
}

/// Returns the month of the last day of an event of more than a month.
pub(super) fn last_month(start: PartialDate, end: PartialDate) -> Option<&'static str> {
    /// Days. Technical: no month is longer, so such an event has days in two months.
    const LONG: i32 = 31;
    let (first, last) = start.latest().zip(end.earliest())?;
    end.month_name().filter(|_| (last - first).get_days() > LONG)
}

/// Returns the first and the last date of some games, as precisely as known.
///
/// The EventDate tags count for the first date, too. Vague dates do not count if others are precise
/// (see [`DatedGames::are_precise`]), or if the round of the game is after the first one with a
/// precise date; for the last date, before the last one.
fn first_and_last(table: &GameTable, games: &[EventGame]) -> (PartialDate, PartialDate) {
    let wrong_years = wrong_years(table, games);
    let has_right_year = |game: &&EventGame| {
        let year = table.games()[game.row].date.year();
        year.is_none_or(|year| !wrong_years.contains(&year))
    };
    let games: Vec<&EventGame> = games.iter().filter(has_right_year).collect();
    let mut of_period: FxHashMap<(i16, Option<u8>), DatedGames> = FxHashMap::default();
    for game in &games {
        let date = table.games()[game.row].date;
        let Some(year) = date.year() else { continue };
        of_period.entry((year, None)).or_default().add(game.round, date.known_parts() >= 2);
        if date.month().is_some() {
            let of_month = of_period.entry((year, date.month())).or_default();
            of_month.add(game.round, date.known_parts() == 3);
        }
    }
    let counts =
        |game: &EventGame, date: PartialDate, is_outside: fn(&DatedGames, Round) -> bool| {
            let Some(year) = date.year() else { return false };
            let of_period = of_period.get(&(year, date.month())).copied().unwrap_or_default();
            match date.known_parts() {
                3 => true,
                2 if game.round.is_known() => is_outside(&of_period, game.round),
                2 => !of_period.are_precise(MONTHS_IN),
                _ => !of_period.are_precise(YEARS_IN) && is_outside(&of_period, game.round),
            }
        };
    let mut starts: Vec<PartialDate> = Vec::new();
    let mut ends: Vec<PartialDate> = Vec::new();
    for game in games {
        let Game { date, event_date, .. } = table.games()[game.row];
        for date in [date, event_date] {
            starts.extend(Some(date).filter(|date| counts(game, *date, DatedGames::begin_after)));
        }
        ends.extend(Some(date).filter(|date| counts(game, *date, DatedGames::end_before)));
    }
    let start = starts.iter().min_by_key(|date| (date.earliest(), Reverse(date.known_parts())));
    let start = start.copied().unwrap_or_default();
    let end = ends.iter().max_by_key(|date| (date.latest(), date.known_parts())).copied();
    (start, end.unwrap_or(start))
}

/// Returns the years of few games that are more than a year from that of most games: misprints.
fn wrong_years(table: &GameTable, games: &[EventGame]) -> Vec<i16> {
    let mut of_year: FxHashMap<i16, usize> = FxHashMap::default();
    for year in games.iter().filter_map(|game| table.games()[game.row].date.year()) {
        *of_year.entry(year).or_default() += 1;
    }
    let most = of_year.iter().max_by_key(|(year, games)| (**games, Reverse(**year)));
    let Some((&most, &of_most)) = most else { return Vec::new() };
    let is_wrong = |(year, games): &(&i16, &usize)| {
        (i32::from(**year) - i32::from(most)).abs() > 1 && *games * MISDATED <= of_most
    };
    of_year.iter().filter(is_wrong).map(|(year, _)| *year).collect()
}

/// Bare years do not count if at least one in this many games of the year has a month.
///
/// Judged: a half. A few games with a month may have a wrong one.
const YEARS_IN: usize = 2;

/// Months without a day do not count if at least one in this many games of the month has a day.
///
/// Judged: one of three sources of an event has days, and by chance a quarter of the games. A
/// single day among many months may be wrong.
const MONTHS_IN: usize = 4;

/// How many games of an event are dated in a period.
#[derive(Clone, Copy, Default)]
struct DatedGames {
    precise: usize,
    all: usize,
    /// The first and the last known round of those that are dated more precisely.
    rounds: Option<(Round, Round)>,
}

impl DatedGames {
    fn add(&mut self, round: Round, is_precise: bool) {
        self.precise += usize::from(is_precise);
        self.all += 1;
        if is_precise && round.is_known() {
            let (first, last) = self.rounds.unwrap_or((round, round));
            self.rounds = Some((first.min(round), last.max(round)));
        }
    }

    /// Returns whether the precise dates may begin only after a round.
    ///
    /// If all of them have one round, it may be the number that a source gives to all games.
    fn begin_after(&self, round: Round) -> bool {
        self.rounds.is_none_or(|(first, last)| {
            round.number() < first.number()
                || round.number() == first.number() && first.number() == last.number()
        })
    }

    /// Returns whether the precise dates may end before a round.
    fn end_before(&self, round: Round) -> bool {
        self.rounds.is_none_or(|(first, last)| {
            !round.is_known()
                || round.number() > last.number()
                || round.number() == last.number() && first.number() == last.number()
        })
    }

    /// Returns whether at least one in `share` games is dated more precisely than by the period.
    fn are_precise(self, share: usize) -> bool {
        self.all > 0 && share * self.precise >= self.all
    }
}

/// Returns whether a group has enough games for a match of two players, or for a tournament of
/// more.
pub(super) fn is_large_enough(group: &GameGroup, thresholds: EventThresholds) -> bool {
    let Some(first) = group.members.first() else { return false };
    let pair = [first.white, first.black];
    let is_of_two = group
        .members
        .iter()
        .all(|member| pair.contains(&member.white) && pair.contains(&member.black));
    let least = if is_of_two { thresholds.match_games } else { thresholds.event_games };
    group.members.len() >= least
}

/// Counts the players that are programs.
///
/// Some names certainly belong to programs, others possibly. If one player is certainly a program,
/// the possible ones count as well.
pub(super) fn programs(table: &GameTable, field: &[PlayerId], games: &[EventGame]) -> usize {
    let mut rateable = Rateable::default();
    let mut is_program = vec![false; field.len()];
    let mut may_be = vec![false; field.len()];
    let mut is_checked = vec![false; field.len()];
    for game in games {
        let row = &table.games()[game.row];
        let sides = [(game.white, row.white, true), (game.black, row.black, false)];
        for (player, name, is_white) in sides {
            // Check each name only once. Later games can add nothing except the tag of a program.
            let was_checked = std::mem::replace(&mut is_checked[player], true);
            if !was_checked || row.is_tagged_program(is_white) {
                is_program[player] |= rateable.is_program(table, row, is_white);
                may_be[player] |= may_name_a_program(table.text(name));
            }
        }
    }
    let certain = is_program.iter().filter(|is_program| **is_program).count();
    let possible = is_program.iter().zip(&may_be).filter(|(is, may)| **is || **may).count();
    if certain > 0 { possible } else { 0 }
}

/// Returns whether a key, such as the round or the day, orders the games of each player.
///
/// At least nine tenths of the players' games must have different keys.
fn determines_order<K: Ord>(games: &[Dated], key: impl Fn(&Dated) -> K) -> bool {
    let mut seen: Vec<(PlayerId, K)> = games
        .iter()
        .flat_map(|game| [(game.member.white, key(game)), (game.member.black, key(game))])
        .collect();
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    10 * seen.len() >= 9 * all
}

/// A game with its round and day, which determine its place in the order.
#[derive(Clone, Copy)]
struct Dated {
    member: GroupedGame,
    round: Round,
    /// The date of the game, if its day is known.
    day: Option<PartialDate>,
}

impl Dated {
    /// Returns the place of the game in a known order: its stage, round and day.
    ///
    /// Every stage of a cycle begins with a first round and ends with its play-off.
    fn sort_key(
        &self,
        is_cycle: bool,
        by_rounds: bool,
    ) -> (u8, bool, Option<Round>, Option<PartialDate>) {
        let is_play_off = is_cycle && self.member.segment == SegmentKind::PlayOff;
        (self.member.stage, is_play_off, Some(self.round).filter(|_| by_rounds), self.day)
    }
}

/// Sorts the games of a group in playing order, and numbers them if that order is known.
///
/// Play-offs come last, except in a cycle, where the play-off of a stage precedes the next stage.
fn in_order(
    table: &GameTable,
    group: &GameGroup,
    index: &FxHashMap<PlayerId, usize>,
) -> Vec<EventGame> {
    let is_cycle = group.members.iter().any(|member| member.stage > 0);
    let mut ordered: Vec<(GroupedGame, Option<u32>)> = Vec::new();
    let mut place = 0;
    for are_last in [false, true] {
        let members = group
            .members
            .iter()
            .filter(|member| are_last == (!is_cycle && member.segment == SegmentKind::PlayOff));
        let games = members.map(|&member| {
            let game = member.game(table);
            let day = Some(game.date).filter(|date| date.is_exact());
            Dated { member, round: member.round, day }
        });
        ordered.extend(numbered(games.collect(), is_cycle, place));
        place = ordered.iter().filter_map(|(_, sequence)| *sequence).max().unwrap_or(place) + 1;
    }
    ordered
        .into_iter()
        .map(|(member, sequence)| {
            let (white, black) = (index[&member.white], index[&member.black]);
            EventGame {
                row: member.row,
                white,
                black,
                round: member.round,
                segment: member.segment,
                stage: member.stage,
                played: !member.game(table).flags.contains(GameFlags::UNPLAYED),
                analysed: true,
                sequence,
            }
        })
        .collect()
}

/// Sorts games in playing order, and numbers them from `place` + 1 if that order is known.
///
/// Within each stage of a cycle, games are sorted:
///
/// - by round, day and row, if every game has a round and rounds and days
///   [determine the order](determines_order);
/// - by day and row, if every game has a day and the days determine the order;
/// - otherwise by day, if every game has one, and by row.
fn numbered(
    mut games: Vec<Dated>,
    is_cycle: bool,
    mut place: u32,
) -> Vec<(GroupedGame, Option<u32>)> {
    // One round number for all games, or one day for all games, determines no order.
    let all_days = games.iter().all(|game| game.day.is_some());
    let by_rounds = games.iter().all(|game| game.round.is_known())
        && determines_order(&games, |game| (game.member.stage, game.round, game.day));
    let is_known =
        by_rounds || (all_days && determines_order(&games, |game| (game.member.stage, game.day)));
    let first_round = games.first().map(|game| game.round);
    let rounds_differ = games.iter().any(|game| Some(game.round) != first_round);
    if is_known {
        games.sort_unstable_by_key(|game| (game.sort_key(is_cycle, by_rounds), game.member.row));
    } else {
        games.sort_unstable_by_key(|game| {
            (game.member.stage, game.day.filter(|_| all_days), game.member.row)
        });
    }
    let mut numbered = Vec::with_capacity(games.len());
    let mut previous = None;
    for game in games {
        let sequence = if is_known {
            let key = Some(game.sort_key(is_cycle, by_rounds));
            place += u32::from(key != previous);
            previous = key;
            Some(place)
        } else if rounds_differ && (game.round.is_known() || game.day.is_some()) {
            // The complete order is unknown. Games with a round are numbered by it.
            game.round.number().map(|round| place + u32::from(round))
        } else {
            None
        };
        numbered.push((game.member, sequence));
    }
    numbered
}
