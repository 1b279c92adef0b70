//! Reads the sources of ratings: published lists, computed lists, rating tags, and lists of the
//! world's best.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::inputs::selected::Selected;
use crate::rated_players::computed::ComputedRatings;
use crate::settings::source_name::SourceName;
use crate::settings::{Input, RatingSettings};
use chess_history::events::Event;
use chess_history::players::{BEST_RATINGS, PersonName};
use chess_history::ratings::{
    Activity, Deviations, FIDE_SYSTEM, ListOptions, NearbyTags, RatingContext, RatingList,
    ReadLists, Source, TagHistory, read_lists, system_of,
};
use error_hints::nearest;
use pgn_collections::games::Duplicate;
use pgn_collections::source::{Diagnostic, DiagnosticKind, Wanted, find};

/// The lists whose rankings and histories the pages show: published lists as they are, computed
/// ones by year.
pub fn shown<'a>(
    sources: &'a [Source],
    computed: Option<&'a ComputedRatings>,
) -> Vec<&'a RatingList> {
    let of_others = sources.iter().filter_map(|source| match source {
        Source::List(list) if !ComputedRatings::is_name(&list.system) => Some(list),
        _ => None,
    });
    let own = computed.into_iter().flat_map(|computed| &computed.by_year);
    of_others.chain(own).collect()
}

/// Reads the rating lists and puts all sources in the order of the settings. Lists of one system
/// are one source.
pub fn read_ratings(
    input: &Input,
    settings: &RatingSettings,
    games: &Selected,
    computed: Option<&ComputedRatings>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Source> {
    let lists = read_published_lists(input, settings, games, diagnostics);
    in_order(lists, computed, settings)
}

/// Reads the published rating lists. Lists of one system are one list.
pub fn read_published_lists(
    input: &Input,
    settings: &RatingSettings,
    games: &Selected,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<RatingList> {
    let known = games.players.known_names();
    let files = find(&input.ratings, Wanted::Ratings, diagnostics);
    let limits = input.limits;
    let options =
        ListOptions { system: &system_of, limits, occurs: &|readings| known.may_contain(readings) };
    let ReadLists { mut lists, diagnostics: of_lists } = read_lists(files, options);
    diagnostics.extend(of_lists);
    if !games.spelled.is_empty() {
        // FIDE's ratings, from the histories of the spelling files.
        let mut list = RatingList::new(FIDE_SYSTEM);
        for player in &games.spelled {
            let is_player = known.may_contain(&PersonName::readings(&player.name));
            let ratings = player.ratings.iter().copied();
            let kept = ratings.filter(|(_, rating)| is_player || *rating >= BEST_RATINGS);
            list.add_history(&player.name, player.fide_id, kept);
        }
        // Players who are not in the games are kept only if they are among the best.
        let days: Vec<Date> = list.editions().map(|edition| edition.day).collect();
        for day in days {
            list.set_complete_from(day, f64::from(BEST_RATINGS));
        }
        match lists.iter_mut().find(|known| known.system == list.system) {
            Some(known) => known.merge(list),
            None => lists.push(list),
        }
    }
    // The default order names systems that may be missing. A system in a written order is intended.
    if settings.order != RatingSettings::default().order {
        for name in &settings.order {
            let SourceName::List(name) = name else { continue };
            if !lists.iter().any(|list| list.system == *name) {
                let ours = SourceName::ours();
                let systems = lists.iter().map(|list| list.system.as_str());
                let hint = nearest(name, systems.chain(ours.iter().map(String::as_str)))
                    .map(|hint| format!("; did you mean {hint}?"))
                    .unwrap_or_default();
                diagnostics.push(Diagnostic::warning(
                    "ratings.order",
                    0,
                    DiagnosticKind::RatingList,
                    format!("no rating list of the system {name}{hint}"),
                ));
            }
        }
    }
    lists
}

/// Puts published lists, computed lists and rating tags in the order of the settings.
pub fn in_order(
    mut lists: Vec<RatingList>,
    computed: Option<&ComputedRatings>,
    settings: &RatingSettings,
) -> Vec<Source> {
    for list in &mut lists {
        list.active_only = settings.active_only.contains(&list.system);
    }
    let mut sources = Vec::new();
    for name in &settings.order {
        match name {
            SourceName::Tags => sources.push(Source::Tags(FIDE_SYSTEM.into())),
            SourceName::Computed(system) => {
                let list = computed.and_then(|computed| computed.list(system));
                sources.extend(list.cloned().map(Source::List));
            }
            SourceName::List(name) => {
                if let Some(place) = lists.iter().position(|list| list.system == *name) {
                    sources.push(Source::List(lists.remove(place)));
                }
            }
        }
    }
    sources.extend(lists.into_iter().map(Source::List));
    sources
}

/// Collects what is known of the world: which players were active, the lists of the best, and the
/// rating tags of all games.
pub fn read_world(
    input: &Input,
    settings: &RatingSettings,
    games: &Selected,
    events: &[Event],
    computed: Option<&ComputedRatings>,
    diagnostics: &mut Vec<Diagnostic>,
) -> RatingContext {
    let files = find(&input.leaders, Wanted::Ratings, diagnostics);
    let limits = input.limits;
    let options = ListOptions { system: &system_of, limits, occurs: &|_| true };
    let ReadLists { lists: best, diagnostics: of_lists } = read_lists(files, options);
    diagnostics.extend(of_lists);
    let copies = games.duplicates.iter().map(|copy| copy.game);
    let nearby =
        NearbyTags::new(&games.table, games.rows.iter().copied().chain(copies), &games.players);
    RatingContext {
        activity: Activity::new(&games.table, events, &games.players),
        best,
        scales: computed.map(ComputedRatings::scales).unwrap_or_default(),
        nearby,
        copies: copies_by_game(&games.duplicates),
        discarded: games.discarded_tags.clone(),
        tags: TagHistory::new(&games.table, &games.rows, &games.players),
        deviations: Deviations::new(settings.deviations.clone()),
    }
}

/// The rows of the copies of each game, by its row.
fn copies_by_game(duplicates: &[Duplicate]) -> FxHashMap<usize, Vec<usize>> {
    let mut copies: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for copy in duplicates {
        copies.entry(copy.kept).or_default().push(copy.game);
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use jiff::civil::date;

    #[test]
    fn a_list_from_a_spelling_file_is_known_to_be_cut() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, spelling) = (folder.path().join("games.pgn"), folder.path().join("names.ssp"));
        let game = "[Event \"E\"]\n[Site \"S\"]\n[Date \"1972.01.02\"]\n[Round \"1\"]\n\
                    [White \"Mayer, A\"]\n[Black \"Berg, B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
        std::fs::write(&pgn, game).unwrap();
        let names = "@PLAYER\n\nMayer, A #- AUT [2300] 1940\n   %Elo 1971:2300\n\
                     Strong, S #GM AUT [2600] 1940\n   %Elo 1971:2600\n";
        std::fs::write(&spelling, names).unwrap();
        let input = Input { pgn: vec![pgn], spelling: vec![spelling], ..Input::default() };
        let mut diagnostics = Vec::new();
        let games = Selected::read(&input, &Silent, &mut diagnostics).unwrap();
        let order = RatingSettings::default();
        let sources = read_ratings(&input, &order, &games, None, &mut diagnostics);
        let list = sources.iter().find_map(|source| match source {
            Source::List(list) if list.system == FIDE_SYSTEM => Some(list),
            _ => None,
        });
        let list = list.unwrap();
        let day = list.editions().next().unwrap().day;
        assert_eq!((day, list.complete_from(day)), (date(1971, 7, 1), 2500.0));
    }
}
