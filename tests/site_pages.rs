//! The pages of a small archive: the text of each kind of page, and that hostile names are
//! harmless.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{case, greatness, stderr};

/// The second game of 1972 was forfeited, so the twenty played games are all games.
const FORFEIT: &str = "[fischer-spassky-reykjavik-1972]\nauthor = \"A. Archivist\"\ndate = 2026-11-21\n\
    reason = \"The second game was not played.\"\nexpected_games = 20\n";

/// Builds an archive of one collection in a new folder.
fn archive(pgn: &Path, settings: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    built_in(folder.path(), pgn, settings);
    folder
}

/// Builds an archive of one collection in a folder, and returns its own folder.
fn built_in(folder: &Path, pgn: &Path, settings: &str) -> PathBuf {
    fs::write(folder.join("greatness.toml"), settings).unwrap();
    fs::write(folder.join("decisions.toml"), FORFEIT).unwrap();
    let pgn = pgn.to_string_lossy();
    let arguments =
        ["build", "--config", "greatness.toml", "--pgn", &pgn, "--ratings", "none", "--out", "out"];
    fs::create_dir(folder.join("none")).unwrap();
    let output = greatness(folder, &arguments);
    let out = folder.join("out");
    assert!(out.join("index.html").is_file(), "{}", stderr(&output));
    out
}

/// Returns the text of a file of an archive.
fn read(out: &Path, file: &str) -> String {
    fs::read_to_string(out.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All files of an archive, relative to its folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(folder).unwrap().to_owned())
        .collect();
    files.sort();
    files
}

/// The front page of an archive with these settings.
fn front_page(settings: &str, published: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.csv"), published).unwrap();
    let out = built_in(folder.path(), &case("site/small.pgn"), settings);
    read(&out, "index.html")
}

#[test]
fn the_front_page_names_the_paper_only_for_its_own_figures() {
    let published = "player,event,g\nPolgar,Isle_of_Lewis_1995,203.15\n";
    let own = front_page("[input]\npublished = [\"mine.csv\"]\n", published);
    assert!(own.contains("Of the figures given as published, this archive has 1 of 1 G-scores"));
    assert!(!own.contains("PRA paper"));
    let unknown = "player,event,g\nTal,Riga_1979,200\n";
    let none = front_page("[input]\npublished = [\"mine.csv\"]\n", unknown);
    assert!(none.contains("Of the figures given as published, this archive has none."));
    let of_paper = front_page("", published);
    assert!(of_paper.contains("Of the figures printed in the PRA paper, this archive has 2 of 52"));
}

#[test]
fn each_kind_of_page_has_the_expected_text() {
    let decided = "[input]\ndecisions = [\"decisions.toml\"]\n";
    let folder = archive(&case("site/small.pgn"), decided);
    let out = folder.path().join("out");
    for page in [
        "index.html",
        "greatness.html",
        "greatest-players.html",
        "tournaments.html",
        "events.html",
        "decades/1970s.html",
        "events/isle-of-lewis-1995.html",
        "events/fischer-spassky-reykjavik-1972.html",
        "players/fischer-bobby.html",
        "players.html",
        "letters/f.html",
        "years.html",
        "years/1972.html",
        "review.html",
        "pairs/fischer-bobby--spassky-boris-vasilievich.html",
        "champions.html",
        "compare.html",
        "method.html",
        "laboratory.html",
        "about.html",
        "downloads.html",
        "404.html",
        "feed.xml",
        "search/s-.js",
        "search/n-0.js",
    ] {
        let text =
            fs::read_to_string(out.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        // The frame is the same on all pages except the front page.
        let main = match text.split_once("<main") {
            Some((_, main)) if page != "index.html" => main.to_owned(),
            _ => text,
        };
        insta::assert_snapshot!(page.replace(['/', '.'], "_"), main);
    }
}

/// Lists of Chessmetrics before an event and after it. Short, rated highest, came third of four.
const TWO_LISTS: &str = "year,rank,name,rating\n\
    1972,1,Bobby Fischer,2895\n1972,2,Boris Spassky,2793\n\
    1995,1,Nigel Short,2780\n1995,2,Judit Polgar,2660\n1995,3,Simen Agdestein,2600\n\
    1995,4,Paul Motwani,2510\n\
    1997,1,Judit Polgar,2690\n1997,2,Nigel Short,2670\n1997,3,Simen Agdestein,2590\n\
    1997,4,Paul Motwani,2500\n";

#[test]
fn archives_with_lists_of_chessmetrics_rank_by_it_and_judge_corrections_by_later_lists() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("lists")).unwrap();
    fs::write(folder.path().join("lists/chessmetrics-yearly.csv"), TWO_LISTS).unwrap();
    let settings = "[ratings]\norder = [\"Chessmetrics\"]\ncompute = false\n";
    fs::write(folder.path().join("greatness.toml"), settings).unwrap();
    let pgn = case("site/small.pgn").to_string_lossy().into_owned();
    let arguments = [
        "build",
        "--config",
        "greatness.toml",
        "--pgn",
        &pgn,
        "--ratings",
        "lists",
        "--out",
        "out",
    ];
    let output = greatness(folder.path(), &arguments);
    for page in ["chessmetrics.html", "foresight.html"] {
        let text = fs::read_to_string(folder.path().join("out").join(page))
            .unwrap_or_else(|error| panic!("{page}: {error}: {}", stderr(&output)));
        let main = text.split_once("<main").expect("a page").1.to_owned();
        insta::assert_snapshot!(page.replace('.', "_"), main);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_and_a_second_build_writes_nothing() {
    let settings = "[site]\nurl = \"https://example.org/chess\"\n";
    let [one, two] = [(), ()].map(|()| archive(&case("site/small.pgn"), settings));
    let (a, b) = (one.path().join("out"), two.path().join("out"));
    assert_eq!(files(&a), files(&b));
    for file in files(&a) {
        assert!(
            fs::read(a.join(&file)).unwrap() == fs::read(b.join(&file)).unwrap(),
            "{}",
            file.display()
        );
    }
    let pgn = case("site/small.pgn");
    let arguments = [
        "build",
        "--config",
        "greatness.toml",
        "--pgn",
        &pgn.to_string_lossy(),
        "--ratings",
        "none",
        "--out",
        "out",
    ];
    let again = greatness(one.path(), &arguments);
    assert!(stderr(&again).contains(" 0 files written"), "{}", stderr(&again));
    for file in files(&a) {
        assert!(
            fs::read(a.join(&file)).unwrap() == fs::read(b.join(&file)).unwrap(),
            "{}",
            file.display()
        );
    }
    let map = fs::read_to_string(a.join("sitemap.xml")).unwrap();
    assert!(map.contains("<loc>https://example.org/chess/events/isle-of-lewis-1995.html</loc>"));
    let page = fs::read_to_string(a.join("events/isle-of-lewis-1995.html")).unwrap();
    assert!(page.contains("<link rel=\"canonical\" href=\"https:&#x2F;&#x2F;example.org")
        || page.contains("<link rel=\"canonical\" href=\"https://example.org/chess/events/isle-of-lewis-1995.html\">"));
}

#[test]
fn the_front_page_reports_changes_since_the_last_build() {
    let text = fs::read_to_string(case("site/small.pgn")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let build = ["build", "--pgn", "games.pgn", "--ratings", "none", "--out", "out"];
    fs::create_dir(folder.path().join("none")).unwrap();
    let at = text.find("[Event \"Isle of Lewis\"]").unwrap();
    fs::write(&pgn, &text[..at]).unwrap();
    greatness(folder.path(), &build);
    let front = fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    assert!(front.contains("The first edition: 1 event with 20 games"), "{front}");
    fs::write(&pgn, &text).unwrap();
    greatness(folder.path(), &build);
    let front = fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    assert!(front.contains("Edition 2: 1 new event"), "{front}");
    let before = fs::read(folder.path().join("out/data/changes.json")).unwrap();
    greatness(folder.path(), &build);
    assert!(fs::read(folder.path().join("out/data/changes.json")).unwrap() == before);
}

/// Three players with hostile names, two games each against each other, in an event with one.
fn hostile() -> String {
    let names = [
        "<script>alert(1)</script>, A",
        "\\\"><img src=x onerror=alert(2)>, B",
        "=cmd()|' /C calc'!A0",
        "\u{202e}../../etc/passwd",
        "{{ frame.title }}{% include \\\"base.html\\\" %}",
    ];
    let long = "x".repeat(10_000);
    let names: Vec<&str> = names.into_iter().chain([long.as_str()]).collect();
    let mut pgn = String::new();
    for white in 0..names.len() {
        for black in 0..names.len() {
            if white != black {
                pgn.push_str(&format!(
                    "[Event \"</title><script>alert(3)</script>\"]\n[Site \"..\\\\..\\\\x\"]\n\
                     [Date \"1999.01.01\"]\n[Round \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n\
                     [Result \"{}\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2500\"]\n\n*\n\n",
                    white + black,
                    names[white],
                    names[black],
                    if white < black { "1-0" } else { "1/2-1/2" },
                ));
            }
        }
    }
    pgn.replace("\n\n*\n\n", "\n\n1/2-1/2\n\n")
}

#[test]
fn hostile_names_are_harmless_in_pages_pictures_tables_and_file_names() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("hostile.pgn");
    fs::write(&pgn, hostile()).unwrap();
    let built = archive(&pgn, "");
    let out = built.path().join("out");
    let mut pages = 0;
    for file in files(&out) {
        let name = file.to_string_lossy().into_owned();
        assert!(
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./".contains(&b))
                && name.len() < 140,
            "{name}"
        );
        let Ok(text) = fs::read_to_string(out.join(&file)) else { continue };
        assert!(!text.contains('\u{202e}'), "{name} reverses the direction of its text");
        if name.ends_with(".html") {
            pages += 1;
            assert!(!text.contains("Report an error"), "{name}: no contact is set");
            for bad in ["<script>alert", "<img", "onerror=alert(2)>"] {
                assert!(!text.contains(bad), "{name} has {bad}");
            }
            // A page that redirects to a new address has no scripts.
            let scripts = match name.as_str() {
                _ if text.contains("http-equiv=\"refresh\"") => 0,
                "404.html" | "compare.html" | "event.html" | "first-ten.html" | "player.html" => 3,
                _ => 2,
            };
            let described = text.matches(LINKED_DATA).count();
            assert_eq!(text.matches("<script").count(), scripts + described, "{name}");
            linked_data(&name, &text);
            assert!(!text.contains("<title></title>"), "{name}");
        }
        if name.ends_with(".svg") || name.ends_with(".xml") {
            let mut reader = quick_xml::Reader::from_str(&text);
            loop {
                match reader.read_event() {
                    Ok(quick_xml::events::Event::Eof) => break,
                    Ok(quick_xml::events::Event::Start(tag)) => {
                        assert_ne!(tag.name().as_ref(), b"script", "{name}");
                    }
                    Ok(_) => {}
                    Err(error) => panic!("{name}: {error}"),
                }
            }
        }
        if name.ends_with(".json") {
            serde_json::from_str::<serde_json::Value>(&text)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let is_data = ["search/", "compare/", "event-records/", "games/"];
        if name.ends_with(".js") && is_data.iter().any(|folder| name.starts_with(folder)) {
            assert!(!text.contains('<'), "{name}");
        }
        if name.ends_with(".csv") {
            let mut rows =
                csv::ReaderBuilder::new().has_headers(true).from_path(out.join(&file)).unwrap();
            for row in rows.records() {
                for cell in &row.unwrap() {
                    assert!(!cell.starts_with(['=', '@', '\t']), "{name}: {cell}");
                }
            }
        }
    }
    assert!(pages > 15, "{pages} pages");
}

/// The beginning of the script with the linked data of a page.
const LINKED_DATA: &str = "<script type=\"application/ld+json\">";

/// The linked data of a page. Each item has the properties that its type requires.
fn linked_data(name: &str, page: &str) -> Vec<Value> {
    let Some((_, rest)) = page.split_once(LINKED_DATA) else { return Vec::new() };
    let (text, rest) = rest.split_once("</script>").unwrap_or_else(|| panic!("{name} has no end"));
    assert!(!text.contains('<'), "{name}: {text}");
    assert!(!rest.contains(LINKED_DATA), "{name} has two");
    let data: Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
    assert_eq!(data["@context"], "https://schema.org", "{name}");
    let things = data["@graph"].as_array().unwrap_or_else(|| panic!("{name}: no graph"));
    for thing in things {
        let required: &[&str] = match thing["@type"].as_str().unwrap_or_default() {
            "BreadcrumbList" => &["itemListElement"],
            "SportsEvent" => &["name", "url", "sport", "startDate"],
            "Person" => &["name", "url"],
            "Dataset" => &["name", "description", "url", "license", "version", "distribution"],
            other => panic!("{name} describes a {other}"),
        };
        for key in required {
            assert!(!thing[key].is_null(), "{name}: {thing} has no {key}");
        }
        for (step, position) in thing["itemListElement"].as_array().into_iter().flatten().zip(1..) {
            assert_eq!(step["position"], position, "{name}");
            assert!(step["name"].is_string() && step["item"].is_string(), "{name}: {step}");
        }
    }
    things.clone()
}

/// Returns the first linked data of a type on a page.
fn linked_thing(out: &Path, page: &str, kind: &str) -> Value {
    let things = linked_data(page, &read(out, page));
    things.into_iter().find(|thing| thing["@type"] == kind).expect(kind)
}

#[test]
fn pages_say_to_search_engines_what_they_describe() {
    let settings =
        "[input]\nnames = [\"names.csv\"]\n[site]\nurl = \"https://example.org/chess\"\n";
    let folder = tempfile::tempdir().unwrap();
    let names = "name,family,given,order,federation,born,died,wikidata\n\
                 \"Fischer, Robert James\",Fischer,Bobby,w,USA,1943,2008,Q41314\n";
    fs::write(folder.path().join("names.csv"), names).unwrap();
    let out = built_in(folder.path(), &case("site/small.pgn"), settings);
    let mut types: BTreeMap<String, usize> = BTreeMap::new();
    for file in files(&out).iter().filter(|file| file.extension().is_some_and(|end| end == "html"))
    {
        let text = fs::read_to_string(out.join(file)).unwrap();
        for thing in linked_data(&file.to_string_lossy(), &text) {
            *types.entry(thing["@type"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    assert_eq!((types["SportsEvent"], types["Dataset"]), (2, 1), "{types:?}");
    assert!(types["Person"] >= 2 && types["BreadcrumbList"] > 15, "{types:?}");
    let fischer = linked_thing(&out, "players/fischer-bobby.html", "Person");
    assert_eq!(fischer["sameAs"], serde_json::json!(["https://www.wikidata.org/wiki/Q41314"]));
    assert_eq!(fischer["url"], "https://example.org/chess/players/fischer-bobby.html");
    assert_eq!(fischer["birthDate"], "1943");
    let reykjavik = linked_thing(&out, "events/fischer-spassky-reykjavik-1972.html", "SportsEvent");
    assert_eq!(reykjavik["competitor"][0]["name"], "Bobby Fischer");
    assert!(reykjavik["startDate"].as_str().unwrap().starts_with("1972"), "{reykjavik}");
    let steps = linked_thing(&out, "events/fischer-spassky-reykjavik-1972.html", "BreadcrumbList");
    assert_eq!(steps["itemListElement"][1]["item"], "https://example.org/chess/tournaments.html");
    let page = fs::read_to_string(out.join("players/fischer-bobby.html")).unwrap();
    assert!(page.contains("<a href=\"https://www.wikidata.org/wiki/Q41314\">"), "{page}");
}

#[test]
fn events_players_and_lists_can_be_cited_with_version_and_date_of_the_data() {
    let settings = "[site]\nurl = \"https://example.org/chess\"\n";
    let folder = archive(&case("site/small.pgn"), settings);
    let out = folder.path().join("out");
    let version = env!("CARGO_PKG_VERSION");
    for page in [
        "events/fischer-spassky-reykjavik-1972.html",
        "players/fischer-bobby.html",
        "greatness.html",
        "greatest-players.html",
        "tournaments.html",
        "matches.html",
    ] {
        let text = read(&out, page);
        let (_, cited) = text.split_once("<summary>Cite this page</summary>").expect(page);
        let (cited, _) = cited.split_once("</details>").unwrap();
        assert!(cited.contains(&format!("version {version}, data to 1995-")), "{page}: {cited}");
        assert!(cited.contains(&format!("note = {{Version {version}, data to 1995-")), "{cited}");
        assert!(cited.contains(&format!("url = {{https://example.org/chess/{page}}}")), "{cited}");
        let csl = cited.split("<pre>").nth(2).and_then(|rest| rest.split("</pre>").next());
        let csl: Value = serde_json::from_str(&csl.unwrap().replace("&quot;", "\"")).unwrap();
        assert_eq!(csl[0]["version"], version, "{csl}");
        assert_eq!(csl[0]["URL"], format!("https://example.org/chess/{page}"));
    }
    assert!(!read(&out, "review.html").contains("Cite this page"));
}

#[test]
fn an_archive_states_its_own_licence_and_sources() {
    let settings = "[site]\ndata_licence = \"CC-BY-4.0\"\n";
    let folder = archive(&case("site/small.pgn"), settings);
    let out = folder.path().join("out");
    let address = "https://creativecommons.org/licenses/by/4.0/";
    for page in ["about.html", "downloads.html"] {
        assert!(read(&out, page).contains(&format!("<a href=\"{address}\">")), "{page}");
    }
    for file in ["data/datapackage.json", "data/croissant.json", "downloads.html"] {
        assert!(read(&out, file).contains(address), "{file}");
    }
    let about = read(&out, "about.html");
    assert!(!about.contains("CC0 also waives"), "only for CC0");
    assert!(about.contains("<dt>Games</dt><dd>small.pgn</dd>"), "{about}");
    assert!(about.contains("<td>GPL-2.0-or-later</td>"), "the terms of a source");
}

#[test]
fn a_site_with_an_address_has_a_map_a_search_engine_and_rules_for_robots() {
    let [at_root, below, without] = [
        "[site]\nurl = \"https://example.org\"\n",
        "[site]\nurl = \"https://example.org/chess\"\n",
        "",
    ]
    .map(|settings| archive(&case("site/small.pgn"), settings));
    let [at_root, below, without] =
        [&at_root, &below, &without].map(|folder| folder.path().join("out"));
    let robots = read(&at_root, "robots.txt");
    assert!(robots.contains("Sitemap: https://example.org/sitemap.xml"), "{robots}");
    assert!(!below.join("robots.txt").exists());
    let search = read(&below, "opensearch.xml");
    assert!(search.contains("https://example.org/chess/search.html?q={searchTerms}"), "{search}");
    let page = read(&below, "events/isle-of-lewis-1995.html");
    assert!(page.contains("type=\"application/opensearchdescription+xml\" title=\"Greatness\" href=\"../opensearch.xml\""));
    for file in ["sitemap.xml", "robots.txt", "opensearch.xml"] {
        assert!(!without.join(file).exists(), "{file}");
    }
    assert!(!read(&without, "index.html").contains("opensearch.xml"));
    let map = read(&below, "sitemap.xml");
    assert!(map.contains("<loc>https://example.org/chess/search.html</loc>"), "{map}");
}

#[test]
fn with_a_contact_every_page_has_a_link_to_report_an_error_and_decisions_answer_it() {
    let settings = "[input]\ndecisions = [\"decisions.toml\"]\n\
                    [site]\ncontact = \"ra@example.org\"\nurl = \"https://example.org/\"\n";
    let folder = archive(&case("site/small.pgn"), settings);
    let out = folder.path().join("out");
    let mut pages = 0;
    for file in files(&out).iter().filter(|file| file.extension().is_some_and(|end| end == "html"))
    {
        let (name, text) = (file.display(), fs::read_to_string(out.join(file)).unwrap());
        if text.contains("http-equiv=\"refresh\"") {
            continue;
        }
        pages += 1;
        let link = "<a href=\"mailto:ra@example.org?subject=Error%3A%20";
        assert_eq!(text.matches(link).count(), 1, "{name}");
        assert!(text.contains("&amp;body=Page%3A%20https%3A%2F%2Fexample.org%2F"), "{name}");
    }
    assert!(pages > 15, "{pages} pages");
    let event = "events/fischer-spassky-reykjavik-1972.html";
    assert!(read(&out, event).contains("id=\"decision\""));
    let player = read(&out, "players/fischer-bobby.html");
    assert!(player.contains(&format!("<a href=\"../{event}#decision\">")), "{player}");
    assert!(player.contains("The second game was not played."), "{player}");
}

#[test]
fn with_games_enabled_the_site_has_the_legal_moves() {
    let folder = archive(&case("site/board.pgn"), "[site]\ngames = true\n");
    let out = folder.path().join("out");
    assert!(read(&out, "events/testville-1901.html").contains("games.html#testville-1901,1"));
    assert!(read(&out, "games.html").contains("games.js") && out.join("games.js").is_file());
    insta::assert_snapshot!("games_of_the_board_js", read(&out, "games/0.js"));
    insta::assert_snapshot!("games_of_the_board_pgn", read(&out, "data/events/testville-1901.pgn"));
    let without = archive(&case("site/board.pgn"), "");
    let out = without.path().join("out");
    assert!(!out.join("games.html").exists() && !out.join("games").exists());
    let page = fs::read_to_string(out.join("events/testville-1901.html")).unwrap();
    assert!(!page.contains("games.html"));
    let results = fs::read_to_string(out.join("data/events/testville-1901.pgn")).unwrap();
    assert!(!results.contains("1. e4"), "{results}");
}

/// The texts of all files of a folder.
fn texts(folder: &Path) -> String {
    let Ok(entries) = fs::read_dir(folder) else { return String::new() };
    entries.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
}

/// Identifiers in the first column of a table.
fn identifiers(table: &Path) -> Vec<String> {
    let text = fs::read_to_string(table).unwrap();
    text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

fn game(event: &str, date: &str, white: &str, black: &str, result: &str) -> String {
    format!(
        "[Event \"{event}\"]\n[Site \"Ghent\"]\n[Date \"{date}\"]\n[Round \"?\"]\n\
         [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n"
    )
}

#[test]
fn other_events_and_players_share_a_page_unless_the_settings_give_each_its_own() {
    // A tournament of five who play ten games, and a match of three between two others.
    let mut pgn = String::new();
    let names = ["Alders", "Berg", "Claes", "Dubois", "Evers"];
    for (place, white) in names.iter().enumerate() {
        for black in &names[place + 1..] {
            pgn += &game("Ghent", "1923.08.01", white, black, "1-0");
            pgn += &game("Ghent", "1924.08.01", black, white, "1/2-1/2");
            pgn += &game("Ghent", "1926.08.01", black, white, "0-1");
        }
    }
    for day in 1..=3 {
        pgn += &game("Match", &format!("1925.03.0{day}"), "Few, A", "Games, B", "1-0");
    }
    let folder = tempfile::tempdir().unwrap();
    let collection = folder.path().join("games.pgn");
    fs::write(&collection, pgn).unwrap();

    let few = archive(&collection, "[ratings]\ncompute = false\n");
    let out = few.path().join("out");
    let (events, players) = (texts(&out.join("event-records")), texts(&out.join("compare")));
    let mut without = Vec::new();
    for id in identifiers(&out.join("data/events.csv")) {
        assert_eq!(crate::support::document(&out, &id)["event_id"], id.as_str());
        let is_shared = events.contains(&format!("\"{id}\":{{"));
        assert_ne!(is_shared, out.join(format!("events/{id}.html")).is_file(), "{id}");
        if is_shared {
            without.push(id);
        }
    }
    assert_eq!(without.len(), 1, "only the match: {without:?}");
    let ids = identifiers(&out.join("data/players.csv"));
    let pages = ids.iter().filter(|id| out.join(format!("players/{id}.html")).is_file());
    // The winner, whose performance is listed.
    assert_eq!((pages.count(), ids.len()), (1, 7));
    assert!(ids.iter().all(|id| players.contains(&format!("greatnessDossier(\"{id}\", "))));
    let decade = fs::read_to_string(out.join("decades/1920s.html")).unwrap();
    assert!(
        decade.contains(&format!("../event.html?e={}", without[0])),
        "tables do not link to it"
    );
    assert!(out.join("event.html").is_file() && out.join("player.html").is_file());

    let all = archive(&collection, "[ratings]\ncompute = false\n[site]\npages = \"all\"\n");
    let out = all.path().join("out");
    assert!(!out.join("event.html").exists() && !out.join("event-records").exists());
    assert!(out.join(format!("events/{}.html", without[0])).is_file());
    assert!(ids.iter().all(|id| out.join(format!("players/{id}.html")).is_file()));
}
