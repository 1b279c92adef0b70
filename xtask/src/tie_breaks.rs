//! `cargo xtask tie-breaks`: writes the tie-breaks of the bundled knock-outs from collections.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use greatness::archive::{Grouped, Input, Selected, Settings};
use greatness::cli::{Terminal, report};
use greatness::events::{Event, tie_breaks};
use greatness::games::{Game, GameTable};
use greatness::pgn::write_results;
use greatness::tournament::Kind;
use rustc_hash::FxHashMap;

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
        let known: FxHashMap<&str, &Event> = bundled
            .events
            .iter()
            .filter(|event| event.kind == Kind::KnockOut)
            .map(|event| (event.id.as_str(), event))
            .collect();
        let input = Input { pgn: self.pgn, spelling: self.spelling, ..Input::default() };
        let found = grouped(Settings { input, ..Settings::default() })?;
        let file =
            fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut out = zstd::Encoder::new(file, LEVEL)?;
        let (mut games, mut events) = (0, 0);
        for event in &found.events {
            let Some(of_bundle) = known.get(event.id.as_str()) else { continue };
            let Selected { table, players, .. } = &found.games;
            let rows = tie_breaks(event, &found.faster, table, players);
            for &row in &rows {
                let (facts, game) = facts_of(of_bundle, row, &found.games);
                let names = [game.white, game.black].map(|name| facts.text(name));
                write_results(&mut out, &facts, &game, names)?;
            }
            games += rows.len();
            events += usize::from(!rows.is_empty());
        }
        out.finish()?;
        println!("wrote {games} tie-breaks of {events} of {} knock-outs", known.len());
        Ok(())
    }
}

fn grouped(settings: Settings) -> anyhow::Result<Grouped> {
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings, &Terminal::new(), &mut diagnostics)?;
    report(&diagnostics);
    Ok(games.group(settings.events, &mut diagnostics))
}

/// The facts of a game, without moves, with the name and place of the bundled event.
fn facts_of(event: &Event, row: usize, games: &Selected) -> (GameTable, Game) {
    let mut facts = GameTable::default();
    let game = games.table.games()[row];
    let tag = if event.tag.is_empty() { &event.name } else { &event.tag };
    let site = if event.tagged_site.is_empty() { "?" } else { &event.tagged_site };
    let person = |name| match games.players.of_name(name) {
        Some(id) => games.players.get(id).fullest_spelling.as_str(),
        None => games.table.text(name),
    };
    let [event, site, white, black] =
        [tag, site, person(game.white), person(game.black)].map(|text| facts.names.intern(text));
    (facts, Game { event, site, white, black, ..game })
}
