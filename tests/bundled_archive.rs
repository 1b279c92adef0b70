//! Tests the archive of the bundled data: its content, and its figures against known ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{Bundled, player, printed};

/// Returns the first row with a text in a column.
fn row_of<'a>(rows: &'a [serde_json::Value], column: &str, text: &str) -> &'a serde_json::Value {
    rows.iter().find(|row| row[column] == text).unwrap_or_else(|| panic!("no {column} {text}"))
}

fn integer(row: &serde_json::Value, column: &str) -> u64 {
    row[column].as_u64().unwrap()
}

fn number(row: &serde_json::Value, column: &str) -> f64 {
    row[column].as_f64().unwrap()
}

#[test]
fn all_bundled_events_exist_and_most_are_listed() {
    let events = Bundled::get().table("events");
    let listed = events.iter().filter(|event| event["status"] == "listed").count();
    assert_eq!((events.len(), listed), (2198, 1864));
    // Those are the events of the list of strengths; the parts have no rank of their own.
    assert_eq!(Bundled::get().table("strength").len(), listed);
    assert_eq!(events.iter().filter(|event| event["status"] == "part").count(), 62);
}

#[test]
fn the_bundled_events_agree_with_historical_sources_or_give_a_reason() {
    let archive = Bundled::get();
    for row in archive.table("history-check") {
        assert!(row["explanation"].as_str().is_some_and(|why| !why.is_empty()), "{row}");
    }
    let page = std::fs::read_to_string(archive.path().join("checked.html")).expect("the page");
    let agreeing: usize = page
        .split_once("class=\"lead\">")
        .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok())
        .expect("how many agree");
    assert!(agreeing >= 700, "{agreeing}");
}

#[test]
fn winners_agree_with_historical_sources() {
    let events = Bundled::get().table("events");
    for (id, won) in [
        // Exceptions: a play-off, a knock-out, a match that was stopped.
        ("vienna-1873", "Steinitz, Wilhelm"),
        ("london-1851", "Anderssen, Adolf"),
        ("karpov-kasparov-moscow-1984", ""),
        // Exceptions: draw odds, rapid tie-breaks, a play-off.
        ("lasker-schlechter-vienna-berlin-1910", "Lasker, Emanuel"),
        ("carlsen-karjakin-new-york-2016", "Carlsen, Magnus"),
        ("ding-nepomniachtchi-astana-2023", "Ding Liren"),
        ("saint-louis-2019", "Ding Liren"),
    ] {
        let event = row_of(&events, "event_id", id);
        assert_eq!(event["winner"].as_str().unwrap_or_default(), won, "{id}");
    }
}

#[test]
fn every_game_is_used_or_set_aside_for_a_reason() {
    let messages = &Bundled::get().messages;
    let line = messages
        .lines()
        .find(|line| line.contains("games read ="))
        .unwrap_or_else(|| panic!("no counts in {messages}"));
    let numbers: Vec<usize> =
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [read, used, set_aside] = numbers[..] else { panic!("{line}") };
    assert_eq!(read, used + set_aside);
    assert!(read >= 60_000, "{read} games");
}

#[test]
fn vienna_1898_has_all_354_games_and_tarrasch_leads_the_tournaments() {
    let vienna = Bundled::get().event("vienna-1898");
    let segments: Vec<_> =
        vienna["segments"].as_array().unwrap().iter().map(|s| &s["games"]).collect();
    assert_eq!(segments, [342, 8, 4]);
    let tarrasch = player(&vienna, "Tarrasch, Siegbert");
    assert_eq!(tarrasch["games"], 41);
    let g_score = tarrasch["g_score"].as_f64().unwrap();
    assert!((380.0..400.0).contains(&g_score), "{g_score}");
    let list = Bundled::get().table("greatness");
    // The paper's number one is ours.
    assert_eq!(list[0]["event_id"], "blackburne-steinitz-london-1876");
    assert_eq!(printed(&list[0]["g_score"], 2), "397.44");
    assert_eq!(list[1]["event_id"], "vienna-1898");
}

#[test]
fn alekhine_wins_san_remo_1930() {
    let san_remo = Bundled::get().event("san-remo-1930");
    assert_eq!(san_remo["players"][0]["name"], "Alekhine, Alexander");
    let g_score = san_remo["players"][0]["g_score"].as_f64().unwrap();
    assert!((335.0..360.0).contains(&g_score), "{g_score}");
}

#[test]
fn fischer_wins_the_interzonal_of_1970() {
    let palma = Bundled::get().event("palma-de-mallorca-1970");
    assert_eq!(palma["players"][0]["name"], "Fischer, Bobby");
    assert_eq!(palma["players"].as_array().unwrap().len(), 24);
}

/// The paper gives these strengths for events of the FIDE era. The ratings are those of the games'
/// tags.
#[test]
fn published_strengths_of_the_fide_era_are_exact_to_the_last_digit() {
    for (id, strength) in [
        ("las-palmas-1996", "97.5214"),
        ("saint-louis-2014", "98.4786"),
        ("moscow-2009", "95.3126"),
    ] {
        assert_eq!(printed(&Bundled::get().event(id)["strength"], 4), strength, "{id}");
    }
    let las_palmas = Bundled::get().event("las-palmas-1996");
    assert_eq!(printed(&las_palmas["fit_test"]["constant_low"], 1), "187.6");
    assert_eq!(printed(&las_palmas["fit_test"]["constant_high"], 1), "1812.8");
    let moscow = Bundled::get().event("moscow-2009");
    assert_eq!(printed(&moscow["fit_test"]["constant_low"], 1), "183.2");
    assert_eq!(printed(&moscow["fit_test"]["constant_high"], 1), "931.9");
    let sinquefield = Bundled::get().event("saint-louis-2014");
    assert_eq!(printed(&player(&sinquefield, "Caruana, Fabiano")["g_score"], 2), "302.89");
}

/// The comparison finds each event in the archive under its own name, and a published figure that
/// agrees needs no reason.
#[test]
fn published_strengths_and_intervals_stand_next_to_ours() {
    let rows = Bundled::get().table("published-strengths");
    for (event, id, is_explained) in [
        ("World_Championship_1972", "fischer-spassky-reykjavik-1972", false),
        ("Linares_1994", "linares-1994", false),
        ("Las_Palmas_1996", "las-palmas-1996", false),
        ("Tal_Memorial_2009", "moscow-2009", false),
        ("Sinquefield_Cup_2014", "saint-louis-2014", false),
        ("Frankfurt_Chess_1997", "frankfurt-rapid-1997", false),
        ("Norway_Supreme_Masters_2013", "sandnes-2013", true),
        ("Isle_of_Lewis_1995", "isle-of-lewis-1995", false),
    ] {
        let row = row_of(&rows, "event", event);
        assert_eq!(row["event_id"], id);
        assert_eq!(!row["why"].as_str().unwrap_or("").is_empty(), is_explained, "{row}");
    }
    let g_scores = Bundled::get().table("published");
    let lombardy = row_of(&g_scores, "player", "Lombardy");
    assert!(lombardy["g_score"].is_null());
    assert_eq!(lombardy["why"], "this archive has too few ratings for a G-score");
}

/// The paper's figures of two tournaments of 1994. Shirov's tags have 2705; FIDE's list of January
/// has 2715, by which the figures are exact.
#[test]
fn an_official_list_goes_before_a_tag() {
    let linares = Bundled::get().event("linares-1994");
    assert_eq!(printed(&linares["strength"], 4), "92.7961");
    assert_eq!(printed(&linares["fit_test"]["constant_low"], 1), "1039.2");
    assert_eq!(printed(&linares["fit_test"]["constant_high"], 1), "3944.3");
    assert_eq!(printed(&player(&linares, "Karpov, Anatoly")["g_score"], 2), "308.89");
    assert_eq!(player(&linares, "Shirov, Alexei")["initial_rating"], 2715.0);
    let steps = linares["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["fact"]["is"] == "list_before_tag"));
    let las_palmas = Bundled::get().event("las-palmas-1994");
    assert_eq!(printed(&player(&las_palmas, "Kamsky, Gata")["g_score"], 2), "169.79");
}

#[test]
fn an_estimate_216_points_outside_the_known_ratings_makes_new_york_1915_weak() {
    let event = Bundled::get().event("new-york-1915");
    assert_eq!(event["status"], "weak");
    assert_eq!(printed(&event["before"]["line"]["intercept"], 2), "2514.55");
    assert_eq!(printed(&event["before"]["line"]["slope"], 4), "5.4932");
    for (name, rating) in
        [("Bernstein, Jacob", 2492.0), ("Hodges, Albert", 2273.0), ("Michelsen, Einar", 2272.0)]
    {
        assert_eq!(player(&event, name)["initial_rating"], rating, "{name}");
    }
    assert_eq!(printed(&player(&event, "Marshall, Frank")["g_score"], 2), "225.56");
}

#[test]
fn no_line_puts_karpov_below_the_number_two_at_buenos_aires_1980() {
    let event = Bundled::get().event("buenos-aires-1980");
    let karpov = player(&event, "Karpov, Anatoly");
    assert_eq!(
        (&karpov["initial_rating"], &karpov["rating_origin"]),
        (&2725.0.into(), &"given".into())
    );
}

#[test]
fn elo_ratings_after_the_candidates_of_2013_are_those_of_the_paper() {
    let candidates = Bundled::get().event("london-2013");
    for (name, published) in [
        ("Carlsen, Magnus", "2866.25"),
        ("Kramnik, Vladimir", "2818.58"),
        ("Svidler, Peter", "2765.70"),
        ("Aronian, Levon", "2812.13"),
        ("Gelfand, Boris", "2746.35"),
        ("Grischuk, Alexander", "2764.40"),
        ("Ivanchuk, Vassily", "2755.54"),
        ("Radjabov, Teimour", "2763.06"),
    ] {
        assert_eq!(printed(&player(&candidates, name)["elo_after"], 2), published, "{name}");
    }
}

/// The paper changes no rating of the World Cup of 2013, and reports a failed test.
#[test]
fn a_failed_test_changes_no_rating_in_a_knock_out() {
    let tromso = Bundled::get().event("tromso-2013");
    assert_eq!(player(&tromso, "Wei Yi")["initial_rating"], 2551.0);
    assert_eq!(tromso["fit_test"]["result"], "failed");
    let mut players = tromso["players"].as_array().unwrap().iter();
    assert!(players.all(|player| player["rating_origin"] == "given"));
}

/// The paper counts the rapid and blitz tie-breaks of the World Cup of 2013.
#[test]
fn a_knock_out_has_figures_with_its_tie_breaks() {
    let tromso = Bundled::get().event("tromso-2013");
    let caruana = player(&tromso, "Caruana, Fabiano");
    assert_eq!(printed(&caruana["g_score_all_games"], 2), "146.28");
    let vachier_lagrave = number(player(&tromso, "Vachier-Lagrave, Maxime"), "g_score_all_games");
    assert!((vachier_lagrave - 170.28).abs() < 0.05);
    // The paper has all 128 players; eleven of them are missing here, and one has no rating.
    let kamsky = number(player(&tromso, "Kamsky, Gata"), "g_score_all_games");
    assert!((kamsky - 101.38).abs() < 0.5);
    let kramnik = player(&tromso, "Kramnik, Vladimir");
    assert_eq!(kramnik["number_all_games"], 22);
    assert!((kramnik["p_zero_all_games"].as_f64().unwrap() - 40.17).abs() < 0.15);
}

#[test]
fn no_event_has_a_player_twice_and_identifiers_are_unique() {
    let events = Bundled::get().table("events");
    let ids: BTreeSet<&str> =
        events.iter().filter_map(|event| event["event_id"].as_str()).collect();
    assert_eq!(ids.len(), events.len());
    for id in ids {
        let event = Bundled::get().event(id);
        let names: Vec<&str> = event["players"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|p| p["name"].as_str())
            .collect();
        let distinct: BTreeSet<&&str> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{id}");
    }
}

#[test]
fn p_zeros_of_every_event_sum_to_zero() {
    for row in Bundled::get().table("events") {
        let event = Bundled::get().event(row["event_id"].as_str().unwrap());
        let sum: f64 =
            event["players"].as_array().unwrap().iter().filter_map(|p| p["p_zero"].as_f64()).sum();
        assert!(sum.abs() < 1e-9, "{}: {sum}", row["event_id"]);
    }
}

#[test]
fn scores_above_expectation_sum_to_zero_where_all_ratings_were_known() {
    let bundled = Bundled::get();
    let mut whole = 0;
    for row in bundled.table("events").iter().take(400) {
        let event = bundled.event(row["event_id"].as_str().unwrap());
        let players = event["players"].as_array().unwrap();
        if players.iter().any(|one| one["forecast"]["games"].as_f64() != one["games"].as_f64()) {
            continue;
        }
        whole += 1;
        let over: f64 = players
            .iter()
            .map(|player| &player["forecast"])
            .map(|forecast| number(forecast, "score") - number(forecast, "expected"))
            .sum();
        assert!(over.abs() < 1e-9, "{}: {over}", row["event_id"]);
    }
    assert!(whole > 20, "{whole}");
}

#[test]
fn wijk_aan_zee_1975_has_category_12_and_a_grandmaster_norm_of_nine_points() {
    let norms = Bundled::get().table("norms");
    let rows: Vec<_> = norms.iter().filter(|row| row["event_id"] == "wijk-aan-zee-1975").collect();
    assert!(rows.iter().all(|row| row["category"] == "12" && row["average"] == 2534.0));
    let [made_gm, made_im] = ["GM", "IM"].map(|title| {
        let of_title = rows.iter().filter(|row| row["title"] == title);
        of_title
            .map(|row| (row["player"].as_str().unwrap(), number(row, "needed")))
            .collect::<Vec<_>>()
    });
    let grandmasters = ["Portisch, Lajos", "Hort, Vlastimil", "Smejkal, Jan", "Kavalek, Lubomir"];
    assert_eq!(made_gm, grandmasters.map(|name| (name, 9.0)));
    assert_eq!(made_im.len(), 8, "{rows:?}");
}

#[test]
fn categories_exist_only_on_fides_scale() {
    let bundled = Bundled::get();
    let sources: BTreeMap<String, String> = bundled
        .table("events")
        .iter()
        .map(|row| {
            (
                row["event_id"].as_str().unwrap().into(),
                row["rating_source"].as_str().unwrap_or("").into(),
            )
        })
        .collect();
    let norms = bundled.table("norms");
    let by_fide = norms.iter().filter(|row| row["by"] == "fide");
    assert!(by_fide.clone().count() > 1000);
    for row in by_fide {
        assert_eq!(sources[row["event_id"].as_str().unwrap()], "Elo", "{row}");
    }
    let earlier = norms.iter().filter(|row| row["by"] == "historical-elo");
    assert!(earlier.map(|row| row["year"].as_i64().unwrap()).all(|year| year < 1971));
}

#[test]
fn tournaments_and_matches_are_numbered_separately_from_one() {
    for kind_is_match in [true, false] {
        let table = Bundled::get().table("strength");
        let rows = table.iter().filter(|row| (row["kind"] == "match") == kind_is_match);
        let ranks: Vec<u64> = rows.map(|row| row["rank_of_kind"].as_u64().unwrap()).collect();
        assert_eq!(ranks, (1..=ranks.len() as u64).collect::<Vec<_>>());
        assert!(ranks.len() > 100, "{}", ranks.len());
    }
}

#[test]
fn exports_have_the_columns_of_the_contract() {
    for (name, columns) in [
        (
            "greatness",
            "rank,g_score,player,player_id,event,event_id,year,kind,games,points,p_zero,resistance,\
             stamina,band,rating_label,coverage,order,order_spread,tempo,games_known,games_expected,\
             supplied,g_error,g_error_ratings,g_error_order,rank_best,rank_worst,first,\
             g_bias,g_bias_number_two,g_bias_order,g_median,g_low,g_high,played_points",
        ),
        (
            "strength",
            "rank,strength,event,event_id,year,kind,players,games,number_two,rating_label,coverage,\
             tempo,supplied,strength_error,rank_best,rank_worst,first,rank_of_kind,\
             strength_median,strength_low,strength_high",
        ),
        (
            "events",
            "event_id,name,site,start,end,kind,players,games,expected_games,coverage,rating_source,\
             known_ratings,filled,omitted,corrected,slope,intercept,r,fit_statistic,fit_critical,\
             fit_lower,fit_result,constant_low,constant_high,number_two,strength,order,status,\
             tempo,tempo_reason,known_games,supplied,winner,strength_error,withdrew,\
             winner_ids,date_from,date_to,date_precision,country,part_of,\
             r_significant,favourite_won,first_three_in_order,inversions,\
             winner_lost_elo",
        ),
        (
            "fragments",
            "event_id,event,year,kind,tempo,players,games,known_games,expected_games,coverage,strength,\
             status",
        ),
        ("history-check", "event_id,event,year,aspect,found,known,explanation"),
        ("missing-games", "event_id,event,year,round,player,player_id,opponent,opponent_id,games"),
        ("missing-games-form", "event_id,event,site,date,round,player,colour,opponent,result"),
        (
            "players",
            "player_id,name,names_seen,events,games,first_year,last_year,best_g,best_event,born,died,\
             federation,titles,fide_id,other_names,wikidata",
        ),
        ("diagnostics", "file,line,severity,kind,message"),
        ("forecasts", "event_id,player_id,games,expected,sigma,z,chance,chance_with_error,scored"),
        (
            "match-forecasts",
            "event_id,date,source,higher,higher_id,lower,lower_id,higher_rating,lower_rating,difference,\
             games,expected_score,expected,scored,over,sigma_book,sigma_without_draws,sigma,z,chance,win,\
             drawn,winner",
        ),
        ("norms", "event_id,year,category,average,by,player_id,player,title,games,score,needed"),
        (
            "curves",
            "source,from_difference,to_difference,games,draws,scored,error,normal,logistic,table,linear",
        ),
        (
            "pool",
            "system,year,listed,established,came,left,mean,deviation,median,best_ten,ranks_3_to_20,over_ten_best,\
             over_second,rank_50,rank_100,mean_age,watched,watched_mean,watched_change,watched_error,watched_t,\
             from_normal,from_maxwell,critical_5,critical_1",
        ),
        ("ages", "source,generation,age,players,mean,error"),
        ("careers", "player_id,from,age,rating,error,curve,deviation"),
        (
            "balance",
            "system,year,at_start,came,came_back,left,beginning,exchanged,at_end,carried_off",
        ),
        ("consistency", "system,list,games_of,games,players,of_ratings,of_scores"),
        ("improvement", "from,to,number,mean,moved,best_ten,best_fifty,level_error"),
        (
            "tie-breaks",
            "event_id,player_id,points,direct_encounter,sonneborn_berger,buchholz,koya,over,under,dominance,\
             linear,berkin,bradley_terry,power",
        ),
        (
            "intrinsic",
            "event_id,player_id,turns,left_out,s,c,ipr,low,high,projected_low,projected_high,ae,ae_expected,mm,\
             mm_expected,loss,accuracy,elo,engine,method,quality,games,difference,mm_sigma",
        ),
        (
            "intrinsic-years",
            "year,player_id,turns,left_out,s,c,ipr,low,high,projected_low,projected_high,ae,ae_expected,mm,\
             mm_expected,loss,accuracy,elo,engine,method,quality,games,mm_sigma",
        ),
        (
            "intrinsic-aggregates",
            "kind,set,turns,left_out,s,c,ipr,low,high,projected_low,projected_high,ae,ae_expected,mm,\
             mm_expected,loss,accuracy,elo,engine,method,quality,games,difference,mm_sigma",
        ),
        ("worths", "source,games,worth,white"),
        (
            "comparison",
            "system,games,rated,judged,log_loss,brier_score,white,log_loss_with_white,best_white,best_slope,\
             log_loss_at_best,behind,behind_error,recalibrated,recalibrated_squared,recalibrated_slope,\
             beside_elo,beside_elo_error,behind_best,behind_best_error,three_way",
        ),
        (
            "trials",
            "way,games,log_loss,log_loss_of_elo,better,better_error,slope,recalibrated,recalibrated_of_elo,\
             recalibrated_better,recalibrated_better_error,recalibrated_squared,recalibrated_slope,three_way,\
             three_way_of_elo",
        ),
        (
            "curve-runs",
            "made_by,judged_by,games,log_loss,chi_squared,cells,probability,chi_squared_of_book",
        ),
        ("exchange", "half_decade,first,second,players,difference,error,slope"),
        ("titles", "player_id,player,title,awarded,age,rating,by_rules,norms"),
        (
            "greatest-players",
            "rank,player,player_id,first_year,last_year,performances,band_sum,band_sum_error,rank_best,\
             rank_worst,first,best_g,best_g_error,best_event,best_event_id,three_years,three_years_error,\
             three_years_from,three_years_to,above_200,above_200_error,field_rank,field_band_sum,\
             field_band_sum_error,field_rank_best,field_rank_worst,field_first,field_best_g,\
             field_best_g_error,field_best_event,field_best_event_id,field_three_years,\
             field_three_years_error,field_three_years_from,field_three_years_to,field_above_200,\
             field_above_200_error",
        ),
        (
            "chessmetrics-performances",
            "rank,padded,raw,mean_opponent,player,player_id,event,event_id,year,kind,games,points,list,edition,shift",
        ),
        (
            "chessmetrics-matches",
            "rank,event,event_id,year,stronger,stronger_id,stronger_rank,stronger_rating,weaker,weaker_id,\
             weaker_rank,weaker_rating,games,list,edition,shift",
        ),
        (
            "foresight",
            "system,signal,direction,ratings,players,same,opposite,unchanged,share,share_error,change,\
             change_error,nearer,distance,distance_corrected",
        ),
        (
            "foresight-ratings",
            "event_id,event,year,player,player_id,system,signal,direction,residual,rating,used,later,\
             later_list,change,moved,nearer",
        ),
        (
            "decided-ratings",
            "author,event_id,player,player_id,rating,used,later,later_list,same_way,nearer",
        ),
        ("administrators", "author,events,ratings,judged,same,nearer,share,share_error"),
        (
            "five-year-averages",
            "player_id,player,rating,error,from,to,games,is_established,born,book",
        ),
        ("longevity", "player_id,player,years,first,last,best,rise,born"),
        ("follow-ups", "event_id,event,month,players,corrected,uncorrected,initial,lower,upper"),
        ("shared-points", "from,events,pairs,claimed,share,error"),
        ("follow-up-means", "month,events,corrected,uncorrected,initial"),
        (
            "constants",
            "constant,passed,failed,too_close,published_passed,published_failed,published_too_close",
        ),
        (
            "chessmetrics-tournaments",
            "by_mean,by_class,event,event_id,year,mean,category,class,top_ten,listed,players,list,\
             edition,shift",
        ),
        ("title-odds", "ahead,from_games,to_games,performances,reached,share,error,expected"),
        ("draws", "decade,games,draws_between_equals,from_plain_part,white,white_error,davidson"),
    ] {
        let path = Bundled::get().path().join("data").join(format!("{name}.csv"));
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(text.lines().next(), Some(columns), "{name}");
    }
}

#[test]
fn careers_count_each_performance_of_the_greatness_list_once() {
    let bundled = Bundled::get();
    let mut scores: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in bundled.table("greatness") {
        let player = row["player_id"].as_str().unwrap().to_owned();
        scores.entry(player).or_default().push(row["g_score"].as_f64().unwrap());
    }
    let careers = bundled.table("greatest-players");
    assert_eq!(careers.len(), scores.len());
    for row in &careers {
        let own = &scores[row["player_id"].as_str().unwrap()];
        assert_eq!(row["performances"].as_u64(), Some(own.len() as u64), "{row}");
        let weights = own.iter().map(|score| 2f64.powf(((score - 100.0) / 50.0).floor().min(6.0)));
        assert_eq!(row["band_sum"].as_f64(), Some(weights.sum()), "{row}");
        let best = own.iter().copied().fold(0.0, f64::max);
        assert_eq!(row["best_g"].as_f64(), Some(best), "{row}");
        let above = own.iter().filter(|score| **score >= 200.0).count();
        assert_eq!(row["above_200"].as_f64(), Some(above as f64), "{row}");
        assert!(row["three_years"].as_f64().unwrap() <= best, "{row}");
    }
    let sums: Vec<f64> = careers.iter().map(|row| row["band_sum"].as_f64().unwrap()).collect();
    assert!(sums.is_sorted_by(|a, b| a >= b));
}

#[test]
fn the_career_list_and_the_pages_of_its_players_agree_on_ranks_and_counts() {
    let bundled = Bundled::get();
    let list = std::fs::read_to_string(bundled.path().join("greatest-players.html")).unwrap();
    for row in bundled.table("greatest-players").iter().take(50) {
        let id = row["player_id"].as_str().unwrap();
        let page =
            std::fs::read_to_string(bundled.path().join(format!("players/{id}.html"))).unwrap();
        let line = page.lines().find(|line| line.contains("in the career list")).unwrap();
        assert!(line.contains(&format!("Rank {} ", row["rank"])), "{id}: {line}");
        let count = format!(": {} performance", row["performances"]);
        assert!(line.contains(&count), "{id}: {line}");
        assert!(line.contains(&format!(" over bands of {}", row["band_sum"].as_f64().unwrap())));
        assert!(list.contains(&format!("players/{id}.html")), "{id} is on the list");
    }
}

/// Sonas names Fischer's matches of 1971 and Karpov at Linares 1994 among the greatest
/// performances.
#[test]
fn fischer_in_1971_and_karpov_in_1994_are_among_the_greatest_by_chessmetrics() {
    let rows = Bundled::get().table("chessmetrics-performances");
    for (player, event) in
        [("Karpov", "linares-1994"), ("Fischer", "larsen"), ("Fischer", "taimanov")]
    {
        let row = rows.iter().find(|row| {
            row["player"].as_str().unwrap_or_default().starts_with(player)
                && row["event_id"].as_str().unwrap_or_default().contains(event)
        });
        let rank = integer(row.unwrap_or_else(|| panic!("no {player} at {event}")), "rank");
        assert!(rank <= 20, "{player} at {event}: {rank}");
    }
    let padded: Vec<f64> = rows.iter().map(|row| row["padded"].as_f64().unwrap()).collect();
    assert!(padded.is_sorted_by(|a, b| a >= b));
}

#[test]
fn classes_of_tournaments_are_nearly_those_that_chessmetrics_prints() {
    // Sonas, "Event formulas": class and mean rating.
    let printed = [
        ("vienna-1882", 21, 2622.0),
        ("nottingham-1936", 20, 2644.0),
        ("avro-1938", 20, 2736.0),
        ("london-1883", 19, 2649.0),
        ("hastings-1895", 19, 2664.0),
        ("baden-baden-1870", 18, 2628.0),
        ("san-sebastian-1911", 18, 2693.0),
        ("st-petersburg-1914", 18, 2725.0),
        ("carlsbad-1929", 18, 2646.0),
        ("zurich-1953", 18, 2722.0),
    ];
    let rows = Bundled::get().table("chessmetrics-tournaments");
    let mut exact = 0;
    for (event, class, mean) in printed {
        let row = row_of(&rows, "event_id", event);
        let found = integer(row, "class");
        assert!(found.abs_diff(class) <= 2, "{row}");
        exact += usize::from(found == class);
        // Hastings 1895 is the farthest; the others are within ten points.
        let limit = if event == "hastings-1895" { 45.0 } else { 10.0 };
        assert!((number(row, "mean") - mean).abs() <= limit, "{row}");
    }
    assert!(exact >= 6, "{exact}");
}

#[test]
fn the_strongest_matches_by_chessmetrics_are_those_of_the_two_best() {
    let rows = Bundled::get().table("chessmetrics-matches");
    for row in &rows {
        assert!(integer(row, "stronger_rank") <= integer(row, "weaker_rank"), "{row}");
        let above =
            rows.iter().filter(|other| integer(other, "weaker_rank") < integer(row, "weaker_rank"));
        assert_eq!(integer(row, "rank"), 1 + above.count() as u64, "{row}");
    }
    for title_match in ["karpov-kasparov-moscow-1984", "karpov-korchnoi-merano-1981"] {
        let row = row_of(&rows, "event_id", title_match);
        assert_eq!([integer(row, "rank"), integer(row, "weaker_rank")], [1, 2], "{title_match}");
    }
}

/// Returns the row of `foresight` with all systems and both directions of a signal.
fn group_of<'a>(groups: &'a [serde_json::Value], signal: &str) -> &'a serde_json::Value {
    let group = groups.iter().find(|row| {
        row["system"] == "all" && row["signal"] == signal && row["direction"] == "both"
    });
    group.unwrap_or_else(|| panic!("no {signal}"))
}

#[test]
fn later_lists_move_towards_performances_more_often_under_pressure_than_without() {
    let groups = Bundled::get().table("foresight");
    let (corrected, quiet) = (group_of(&groups, "corrected"), group_of(&groups, "none"));
    assert!(number(corrected, "ratings") >= 40.0, "{corrected}");
    let gain = number(corrected, "share") - number(quiet, "share");
    let error = number(corrected, "share_error").hypot(number(quiet, "share_error"));
    assert!(gain > 2.0 * error, "{gain} ± {error}");
    for row in &groups {
        let sum = number(row, "same") + number(row, "opposite") + number(row, "unchanged");
        assert_eq!(sum, number(row, "ratings"), "{row}");
    }
    // Every single rating is counted once.
    let singles = Bundled::get().table("foresight-ratings").len() as f64;
    let counted: f64 = ["corrected", "out_of_spec", "pressure"]
        .map(|signal| number(group_of(&groups, signal), "ratings"))
        .iter()
        .sum();
    assert_eq!(singles, counted);
}

#[test]
fn every_link_of_every_page_leads_to_a_file_of_the_archive() {
    let root = Bundled::get().path();
    let mut pages = Vec::new();
    html_files(root, &mut pages);
    assert!(pages.len() > 2000, "{} pages", pages.len());
    let shared = ["event-records", "compare"].map(|folder| scripts(&root.join(folder)));
    let mut to_shared = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if is_outer(target) {
                continue;
            }
            assert!(!target.contains("://"), "{}: {link} leads elsewhere", page.display());
            let (path, query) = target.split_once('?').unwrap_or((target, ""));
            let path = page.parent().unwrap().join(path);
            assert!(path.exists(), "{}: {link} leads nowhere", page.display());
            // The page for any event, or for any player, finds what the address names.
            let is_known = match query.split_once('=') {
                Some(("e", id)) => shared[0].contains(&format!("\"{id}\":{{")),
                Some(("p", id)) => shared[1].contains(&format!("greatnessDossier(\"{id}\", ")),
                _ => query.is_empty(),
            };
            assert!(is_known, "{}: nothing is known of {link}", page.display());
            to_shared += usize::from(!query.is_empty());
        }
    }
    assert!(to_shared > 100, "{to_shared}");
}

#[test]
fn every_table_is_printed_as_csv() {
    let archive = Bundled::get().path();
    let folder = archive.to_string_lossy();
    let data = |arguments: &[&str]| {
        let arguments = [&["data", "--archive", &folder], arguments].concat();
        let output = crate::support::greatness_here(&arguments);
        (output.status.code(), crate::support::stdout(&output), crate::support::stderr(&output))
    };
    let (_, tables, _) = data(&[]);
    assert!(tables.lines().any(|table| table == "crosstables"), "{tables}");
    // This table has a CSV file, and a Parquet file with the same rows.
    let (_, performances, _) = data(&["performances", "--csv"]);
    let file = std::fs::read_to_string(archive.join("data/performances.csv")).unwrap();
    assert_eq!(performances, file);
    // This one is Parquet only: each pair of an event has two rows.
    assert!(!archive.join("data/crosstables.csv").exists());
    let (_, crosstables, _) = data(&["crosstables", "--csv"]);
    let rows: Vec<&str> = crosstables.lines().collect();
    assert!(rows[0].starts_with("event_id,player_id,opponent_id"), "{}", rows[0]);
    assert!(rows.len() > 50_000 && rows.len() % 2 == 1, "{}", rows.len());
    let (code, _, message) = data(&["crosstable"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("did you mean crosstables?"), "{message}");
}

/// The texts of all scripts in a folder.
fn scripts(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).unwrap().flatten();
    files.map(|file| std::fs::read_to_string(file.path()).unwrap()).collect()
}

/// All facts of an event that an archive publishes are published once: in the files of its own, or
/// in those that events without their own page share.
#[test]
fn every_event_has_its_document_and_its_games() {
    let archive = Bundled::get();
    let folder = archive.path().join("data/events");
    let mut own = 0;
    for row in archive.table("events") {
        let id = row["event_id"].as_str().unwrap();
        let document = archive.event(id);
        // The tie-breaks of a knock-out are games of the event and no input of its analysis.
        let analysed = document["input"]["games"].as_array().unwrap().len() as u64;
        assert!((1..=row["games"].as_u64().unwrap()).contains(&analysed), "{id}: {analysed}");
        assert_eq!(document["name"], row["name"]);
        let has_page = archive.path().join(format!("events/{id}.html")).is_file();
        for ending in ["json", "pgn"] {
            assert_eq!(folder.join(format!("{id}.{ending}")).is_file(), has_page, "{id}");
        }
        own += usize::from(has_page);
    }
    let games_in = |bytes: &[u8]| memchr::memmem::find_iter(bytes, b"[Result ").count();
    let (mut games, mut shared) = (0, 0);
    for file in std::fs::read_dir(&folder).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap();
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".pgn.zst") {
            games += games_in(&zstd::decode_all(&bytes[..]).unwrap());
        } else if name.ends_with(".jsonl.zst") {
            shared +=
                zstd::decode_all(&bytes[..]).unwrap().split(|byte| *byte == b'\n').count() - 1;
        } else if name.ends_with(".pgn") {
            games += games_in(&bytes);
        }
    }
    let events = archive.table("events");
    let expected: u64 = events.iter().map(|row| row["games"].as_u64().unwrap()).sum();
    assert_eq!(games as u64, expected);
    assert_eq!(own + shared, events.len());
    assert!(shared > 20, "{shared}");
}

/// Whether a link leads to one of the few kinds of pages elsewhere that pages may link to: a player
/// at FIDE or Wikidata, and the licence of the data.
fn is_outer(link: &str) -> bool {
    for start in ["https://ratings.fide.com/profile/", "https://www.wikidata.org/wiki/Q"] {
        if let Some(number) = link.strip_prefix(start) {
            return !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        }
    }
    link == "https://creativecommons.org/publicdomain/zero/1.0/"
}

#[test]
fn only_known_kinds_of_pages_elsewhere_are_linked() {
    assert!(is_outer("https://ratings.fide.com/profile/1503014"));
    assert!(!is_outer("https://ratings.fide.com/profile/1503014/chart"));
    assert!(!is_outer("https://ratings.fide.com/profile/"));
    assert!(!is_outer("https://example.org/1"));
}

fn html_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            html_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "html") {
            found.push(path);
        }
    }
}

#[test]
fn an_event_is_found_by_its_name_and_a_wrong_name_gets_a_suggestion() {
    let archive = Bundled::get().path();
    let archive = archive.to_string_lossy();
    let output = crate::support::greatness_here(&["event", "vienna-1898", "--archive", &archive]);
    assert!(crate::support::stdout(&output).starts_with("Vienna 1898\n"));
    let output = crate::support::greatness_here(&["event", "viennna-1898", "--archive", &archive]);
    assert_eq!(output.status.code(), Some(1));
    assert!(crate::support::stderr(&output).contains("did you mean vienna-1898?"));
    let output = crate::support::greatness_here(&["event", "../greatness", "--archive", &archive]);
    assert_eq!(output.status.code(), Some(1), "a name is never a path");
}

#[test]
fn the_points_of_the_pool_balance_every_year_to_a_hundredth() {
    let path = Bundled::get().path().join("data").join("balance.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut years = 0;
    for row in reader.records() {
        let row = row.unwrap();
        let value = |place: usize| row[place].parse::<f64>().unwrap();
        let sum = value(2) + value(3) + value(4) - value(5) + value(6) + value(7);
        assert!((sum - value(8)).abs() < 0.01, "{row:?}");
        years += 1;
    }
    assert!(years > 100, "{years}");
}

#[test]
fn variants_are_compared_with_elo_and_no_system_of_the_past_rates_an_event() {
    let folder = Bundled::get().path().join("data");
    let mut reader = csv::Reader::from_path(folder.join("trials.csv")).unwrap();
    let found: Vec<(String, usize, f64, f64)> = reader
        .records()
        .map(|row| {
            let row = row.unwrap();
            // Systems without their own curve are evaluated with the fitted one.
            let (better, error) =
                if row[4].is_empty() { (&row[9], &row[10]) } else { (&row[4], &row[5]) };
            let (better, error) = (better.parse().unwrap(), error.parse().unwrap());
            (row[0].to_owned(), row[1].parse().unwrap(), better, error)
        })
        .collect();
    // A performance of few games is reduced as in the book (8.85); without this, Elo predicts worse
    // than Harkness.
    for past in ["Ingo", "Harkness", "BCF", "CCLA", "Elo, few games not reduced"] {
        let (_, games, better, error) = found.iter().find(|(name, ..)| name == past).expect(past);
        assert!(*games > 10_000 && *better < -*error, "{past}: {games} {better} {error}");
    }
    // The amendment in 1.62: long events split into parts predict better than whole ones.
    let whole = found.iter().find(|(name, ..)| name == "Elo, long events whole").unwrap();
    assert!(whole.2 < 0.0, "{whole:?}");
    let players = std::fs::read_to_string(folder.join("players.csv")).unwrap();
    assert!(!players.contains("Computed Ingo"));
}

/// The ranks of values; equal values get their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    values
        .iter()
        .map(|value| {
            let below = values.iter().filter(|other| *other < value).count() as f64;
            let equal = values.iter().filter(|other| *other == value).count() as f64;
            below + (equal + 1.0) / 2.0
        })
        .collect()
}

/// Pearson's correlation.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let [mean_x, mean_y] =
        [one, other].map(|values| values.iter().sum::<f64>() / values.len() as f64);
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in one.iter().zip(other) {
        xy += (x - mean_x) * (y - mean_y);
        xx += (x - mean_x).powi(2);
        yy += (y - mean_y).powi(2);
    }
    xy / (xx * yy).sqrt()
}

#[test]
fn world_championship_matches_rank_by_their_moves_as_in_regans_table() {
    let path = Bundled::get().path().join("data").join("intrinsic.csv");
    let mut ours: BTreeMap<String, (f64, usize)> = Default::default();
    for row in csv::Reader::from_path(path).unwrap().records() {
        let row = row.unwrap();
        if row[1].is_empty()
            && let Ok(ipr) = row[6].parse()
        {
            ours.insert(row[0].to_owned(), (ipr, row[2].parse().unwrap()));
        }
    }
    let mut published: std::collections::BTreeMap<String, (f64, f64)> = Default::default();
    for row in
        csv::Reader::from_path(crate::support::case("intrinsic/published.csv")).unwrap().records()
    {
        let row = row.unwrap();
        let table: u32 = row[0].parse().unwrap();
        if let (9..=12, Ok(ipr), Ok(turns)) = (table, row[9].parse(), row[15].parse()) {
            published.entry(row[2].to_owned()).or_insert((ipr, turns));
        }
    }
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for row in
        csv::Reader::from_path(crate::support::case("intrinsic/matches.csv")).unwrap().records()
    {
        let row = row.unwrap();
        let (theirs, turns) = published[&row[0]];
        let Some((ipr, our_turns)) = ours.get(&row[1]) else { continue };
        // The same games, apart from what each source counts as a turn.
        let part = *our_turns as f64 / turns;
        assert!((0.8..1.35).contains(&part), "{}: {our_turns} of {turns}", &row[0]);
        pairs.push((*ipr, theirs));
    }
    assert!(pairs.len() >= 40, "{} matches were analysed", pairs.len());
    let (mine, theirs): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    let rank_correlation = correlation(&ranks(&mine), &ranks(&theirs));
    assert!(rank_correlation >= 0.8, "{rank_correlation}");
}

/// Returns the intrinsic rating of all players together in the row with a text in a column.
fn ipr_of_both(rows: &[serde_json::Value], column: &str, text: &str) -> f64 {
    let row = rows.iter().find(|row| row[column] == text && row["player_id"].is_null());
    row.expect(text)["ipr"].as_f64().expect("a rating")
}

#[test]
fn aggregate_runs_by_year_and_by_band_cover_the_analysed_games() {
    let archive = Bundled::get();
    let runs = archive.table("intrinsic-aggregates");
    let [years, bands] = ["year", "band"]
        .map(|kind| runs.iter().filter(|run| run["kind"] == kind).collect::<Vec<_>>());
    assert!(years.len() > 30 && bands.len() >= 3, "{} {}", years.len(), bands.len());
    let [turns_of_years, turns_of_bands] =
        [&years, &bands].map(|runs| runs.iter().map(|run| integer(run, "turns")).sum::<u64>());
    assert!(turns_of_bands <= turns_of_years);
    for band in &bands {
        let elo = band["elo"].as_f64().unwrap();
        let middle: f64 = band["set"].as_str().unwrap().parse().unwrap();
        assert!((elo - middle).abs() <= 50.0, "{band}");
    }
    // One match of 2000 was analysed, so the run of that year is the rating of the match.
    let of_match =
        ipr_of_both(&archive.table("intrinsic"), "event_id", "kasparov-kramnik-london-2000");
    assert_eq!(ipr_of_both(&runs, "set", "2000"), of_match);
}
