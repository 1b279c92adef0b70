//! The page that answers queries over the tables in the reader's browser.

use serde::Serialize;

use super::Site;
use super::page::Page;
use crate::report::percent_encoded;
use archive::WrittenTable;

const EXAMPLES: [(&str, &str); 5] = [
    (
        "Which players have the most performances above 200?",
        "SELECT player, count(*) AS performances\nFROM greatness\nWHERE g_score >= 200\n\
         GROUP BY player\nORDER BY performances DESC, player\nLIMIT 10",
    ),
    (
        "Who did best in matches for the world championship?",
        "SELECT p.name, o.name AS opponent, sum(c.points) AS points, sum(c.games) AS games\n\
         FROM crosstables c\nJOIN events e USING (event_id)\n\
         JOIN players p ON p.player_id = c.player_id\nJOIN players o ON o.player_id = c.opponent_id\n\
         WHERE e.kind = 'match' AND e.name LIKE 'World Championship%'\nGROUP BY p.name, o.name\n\
         HAVING sum(c.games) >= 20\nORDER BY 1.0 * sum(c.points) / sum(c.games) DESC\nLIMIT 10",
    ),
    (
        "How large was White's advantage, decade by decade?",
        "SELECT substr(date, 1, 3) || '0s' AS decade, round(avg(white_score), 3) AS white, count(*) AS games\n\
         FROM games\nWHERE played AND NOT repeats\nGROUP BY 1\nHAVING games >= 100\nORDER BY 1",
    ),
    (
        "How strong were the ten strongest tournaments of each decade?",
        "SELECT year / 10 * 10 AS decade, round(avg(strength), 1) AS strength\nFROM (\n  SELECT *, \
         row_number() OVER (PARTITION BY year / 10 ORDER BY strength DESC) AS place\n  FROM strength \
         WHERE kind <> 'match'\n)\nWHERE place <= 10\nGROUP BY 1\nORDER BY 1",
    ),
    (
        "Which results did the ratings least expect?",
        "SELECT p.name, f.event_id, f.expected, f.scored, round(f.z, 2) AS z\n\
         FROM forecasts f\nJOIN players p USING (player_id)\nWHERE f.z IS NOT NULL\n\
         ORDER BY f.z DESC\nLIMIT 20",
    ),
];

pub fn sql(site: &Site, page: &Page, written: &[WrittenTable]) -> impl Serialize {
    let frame =
        page.frame(site, "Ask the tables of the archive in SQL. The query runs in this browser.");
    let examples =
        EXAMPLES.map(|(question, query)| view!(question, query = percent_encoded(query)));
    view!(frame, examples, tables = written.iter().filter_map(queried).collect::<Vec<_>>())
}

/// A table that queries may name: one that is a single file.
fn queried(table: &WrittenTable) -> Option<impl Serialize> {
    let declared = &table.declaration;
    let [parquet, json] = ["parquet", "json"].map(|format| table.paths(format));
    let (([file], _) | ([], [file])) = (&parquet[..], &json[..]) else { return None };
    let columns = declared.columns.iter().map(|one| format!("{} {}", one.name, one.kind.word()));
    let names: Vec<&str> = declared.columns.iter().map(|one| one.name).collect();
    Some(view!(
        // Its name in queries.
        name = table.name.replace(['-', '/'], "_"),
        // The lists of faster events have the declaration of the classical one.
        title = match table.name.rsplit_once('-') {
            Some((_, tempo @ ("rapid" | "blitz"))) => format!("{}, {tempo}", declared.title),
            _ => declared.title.clone(),
        },
        // The file that is loaded.
        file = format!("data/{file}"),
        // The columns with their types, as the script of the page reads them.
        columns = columns.collect::<Vec<_>>().join(","),
        // The names of the columns, for readers.
        names = names.join(", ")
    ))
}
