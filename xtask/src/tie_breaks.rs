//! `cargo xtask tie-breaks`: writes the tie-breaks of the bundled knock-outs from collections.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use greatness::archive::{Grouped, Input, Selected, Settings};
use greatness::cli::{Terminal, report};
use greatness::events::{Event, tie_breaks};
use greatness::games::{Game, GameTable};
use greatness::pgn::write_results;
use greatness::tournament::Kind;

/// Write the rapid and blitz games that decided level matches of the bundled knock-outs
///
/// They do not count as classical games. The archive shows what the players reached with them.
#[derive(Debug, Args)]
pub struct TieBreaks {
    /// Game collection that has them
    #[arg(long, value_name = "PATH", required = true)]
    pgn: Vec<PathBuf>,
    /// SCID's spelling file, for the names of the players
    #[arg(long, value_name = "FILE")]
    spelling: Vec<PathBuf>,
    /// Folder of the bundled data
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

/// zstd level. The level does not affect the speed of reading.
const LEVEL: i32 = 19;

impl TieBreaks {
    pub fn run(self) -> anyhow::Result<()> {
        let path = self.out.join("games").join("tie-breaks.pgn.zst");
        // An old file would make its games known.
        if path.exists() {
            fs::remove_file(&path).with_context(|| format!("cannot replace {}", path.display()))?;
        }
        let bundled = grouped(Settings::default().with_bundled_data(&self.out)?)?;
        let input = Input { pgn: self.pgn, spelling: self.spelling, ..Input::default() };
        let found = grouped(Settings { input, ..Settings::default() })?;
        let knock_outs: Vec<KnockOut> = bundled
            .events
            .iter()
            .filter(|event| event.kind == Kind::KnockOut)
            .filter_map(|event| KnockOut::new(event, &found))
            .collect();
        write(&path, &knock_outs, &found.games)?;
        // The classical games must not change with them.
        let after = grouped(Settings::default().with_bundled_data(&self.out)?)?;
        let (kept, changed): (Vec<KnockOut>, Vec<KnockOut>) = knock_outs
            .into_iter()
            .partition(|knock_out| !knock_out.changes_events(&bundled, &after));
        for KnockOut { event, .. } in &changed {
            println!("{}: left out, because its classical games would change", event.id);
        }
        let games = write(&path, &kept, &found.games)?;
        println!("wrote {games} tie-breaks of {} knock-outs", kept.len());
        Ok(())
    }
}

/// A bundled knock-out with its tie-breaks in the collection.
struct KnockOut<'a> {
    event: &'a Event,
    /// Rows of the collection's game table.
    rows: Vec<usize>,
}

impl<'a> KnockOut<'a> {
    /// The tie-breaks that the collection has of a knock-out; `None` without any.
    fn new(event: &'a Event, collection: &Grouped) -> Option<KnockOut<'a>> {
        let Selected { table, players, .. } = &collection.games;
        let same = collection.events.iter().find(|other| other.id == event.id)?;
        let rows = tie_breaks(same, &collection.faster, table, players);
        (!rows.is_empty()).then_some(KnockOut { event, rows })
    }

    /// Whether the tie-breaks change the games of the knock-out or of its matches, or make events
    /// of some of its players.
    fn changes_events(&self, before: &Grouped, after: &Grouped) -> bool {
        if self.numbers_of_games(before) != self.numbers_of_games(after) {
            return true;
        }
        let field = names_of(self.event, before);
        after.events.iter().any(|event| {
            event.start.year() == self.event.start.year()
                && names_of(event, after).is_subset(&field)
                && !before.events.iter().any(|known| known.id == event.id)
        })
    }

    /// Returns the knock-out and its matches, each with its number of games.
    fn numbers_of_games(&self, grouped: &Grouped) -> Vec<(String, usize)> {
        let id = &self.event.id;
        let events = grouped.events.iter();
        events
            .filter(|event| event.id == *id || event.part_of.as_ref() == Some(id))
            .map(|event| (event.id.clone(), event.games.len()))
            .collect()
    }
}

/// The identifiers of the players of an event.
fn names_of<'a>(event: &Event, grouped: &'a Grouped) -> BTreeSet<&'a str> {
    event.players.iter().map(|player| grouped.games.players.get(*player).id.as_str()).collect()
}

/// Writes the games of the knock-outs. Returns their number.
fn write(path: &Path, knock_outs: &[KnockOut], games: &Selected) -> anyhow::Result<usize> {
    let file =
        fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = zstd::Encoder::new(file, LEVEL)?;
    for KnockOut { event, rows } in knock_outs {
        for &row in rows {
            let (facts, game) = facts_of(event, row, games);
            let names = [game.white, game.black].map(|name| facts.text(name));
            write_results(&mut out, &facts, &game, names)?;
        }
    }
    out.finish()?;
    Ok(knock_outs.iter().map(|knock_out| knock_out.rows.len()).sum())
}

fn grouped(settings: Settings) -> anyhow::Result<Grouped> {
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
    report(&diagnostics);
    Ok(games.group(settings.events, &mut diagnostics))
}

/// The facts of a game, without moves, with the name and place of the bundled event.
fn facts_of(event: &Event, row: usize, games: &Selected) -> (GameTable, Game) {
    let mut facts = GameTable::default();
    let game = games.table.games()[row];
    let tag = if event.tag.is_empty() { &event.name } else { &event.tag };
    let site = if event.tagged_site.is_empty() { "?" } else { &event.tagged_site };
    let [white, black] = [game.white, game.black].map(|name| match games.players.of_name(name) {
        Some(id) => games.players.get(id).fullest_spelling.as_str(),
        None => games.table.text(name),
    });
    let [event, site, white, black] =
        [tag, site, white, black].map(|text| facts.names.intern(text));
    (facts, Game { event, site, white, black, ..game })
}
