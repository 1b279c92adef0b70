//! Writes the analysis of one event as text, 80 columns wide.

use std::fmt::Write;

use super::analysis::{Analysis, PlayerAnalysis};
use super::correction::{RatingOrigin, Spec};
use super::fit_test::{FitResult, FitTest};
use super::greatness::{GreatnessBand, LIST_THRESHOLD};
use super::line::Line;
use super::steps::Step;
use super::words::sentence;

/// Width of the report in columns.
const WIDTH: usize = 80;

/// Width of the names in tables.
const NAME: usize = 24;

/// How headings and results are highlighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// No escape sequences.
    #[default]
    Plain,
    /// ANSI bold and colours, for a terminal.
    Colour,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    fn heading(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    fn bad(self, text: &str) -> String {
        self.paint("31", text)
    }
}

/// Writes the report: what happened to the ratings, regression and residuals, the fit test, ratings
/// before and after, G-scores, strength.
pub fn report(analysis: &Analysis, style: Style) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut text, analysis, style);
    text
}

fn write_report(out: &mut String, analysis: &Analysis, style: Style) -> std::fmt::Result {
    let name = wrapped("", &analysis.name);
    writeln!(out, "{}", style.heading(name.trim_end()))?;
    let games: usize = analysis.players.iter().map(|player| player.games).sum::<usize>() / 2;
    out.push_str(&wrapped(
        "",
        &format!(
            "{}, {} players, {games} games, order of games {}, ratings {}",
            analysis.kind.words(),
            analysis.players.len(),
            analysis.order.word(),
            if analysis.rating_label.is_empty() { "none" } else { &analysis.rating_label },
        ),
    ));

    section(out, style, "What happened to the ratings")?;
    if analysis.steps.is_empty() {
        writeln!(out, "All ratings are used as given.")?;
    }
    for step in &analysis.steps {
        out.push_str(&wrapped("- ", &sentence(step)));
    }

    section(out, style, "Regression analysis")?;
    match &analysis.line {
        Some(line) => regression(out, line)?,
        None if is_steep(analysis) => writeln!(
            out,
            "No line: the results differ too little, so the line would be too steep."
        )?,
        None => writeln!(out, "No line: fewer than two players have both games and a rating.")?,
    }
    if let Some(favourite) = &analysis.favourite {
        out.push_str(&wrapped(
            "",
            &format!(
                "favourite: {favourite}, sweep probability {:.6}",
                analysis.sweep_probability.unwrap_or_default()
            ),
        ));
    }

    section(out, style, "Residual analysis by rank")?;
    residuals(out, analysis, style)?;

    section(out, style, "Ratings Goodness of Fit Test")?;
    fit_test(out, analysis, style)?;

    section(out, style, "Before and after")?;
    before_and_after(out, analysis)?;

    section(out, style, "G-scores")?;
    g_scores(out, analysis)?;

    section(out, style, "Strength")?;
    match analysis.strength {
        Some(strength) => writeln!(out, "strength of the event: {strength:.4}")?,
        None => writeln!(out, "Unknown: ratings or games are missing.")?,
    }
    if let Some(number_two) = analysis.number_two {
        writeln!(out, "world number two: {number_two:.0}")?;
    }
    inversions(out, analysis)
}

/// Whether the line is not shown because it is too steep to be meaningful.
fn is_steep(analysis: &Analysis) -> bool {
    analysis.steps.iter().any(Step::is_of_steep_line)
}

fn section(out: &mut String, style: Style, title: &str) -> std::fmt::Result {
    writeln!(out, "\n{}", style.heading(title))
}

fn regression(out: &mut String, line: &Line) -> std::fmt::Result {
    write!(
        out,
        "rating = {:.2} {} {:.4} P-Zero",
        line.intercept,
        sign(line.slope),
        line.slope.abs()
    )?;
    if let Some(r) = line.r {
        write!(out, ", r = {r:.2}")?;
    }
    writeln!(out)?;
    if line.slope < 0.0 {
        writeln!(out, "The slope is negative; performance ratings use its absolute value.")?;
    }
    if let Some(p) = line.p_value {
        let verdict = if p < super::fit_test::ALPHA {
            "the order of finish should follow the order of the ratings"
        } else {
            "no significant correlation"
        };
        out.push_str(&wrapped("", &format!("test on r, one-sided: p = {p:.4}; {verdict}")));
    }
    Ok(())
}

fn sign(number: f64) -> char {
    if number < 0.0 { '-' } else { '+' }
}

fn residuals(out: &mut String, analysis: &Analysis, style: Style) -> std::fmt::Result {
    writeln!(
        out,
        "{:>4} {:<NAME$} {:>6} {:>8} {:>9} {:>7} {:>6}  ",
        "rank", "name", "points", "P-Zero", "performed", "resid.", "z"
    )?;
    for player in &analysis.players {
        let flag = match player.spec {
            Some(Spec::Out) => style.bad("**LR**"),
            Some(Spec::PressureUp) => "up".into(),
            Some(Spec::PressureDown) => "down".into(),
            Some(Spec::In) | None => String::new(),
        };
        let row = format!(
            "{:>4} {:<NAME$} {:>6} {:>8} {:>9} {:>7} {:>6}  {flag}",
            player.rank,
            short(&player.name, NAME),
            points(player.points),
            number(player.p_zero, 2),
            number(player.performance_rating, 2),
            number(player.residual, 2),
            number(player.z_score, 2),
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    Ok(())
}

fn fit_test(out: &mut String, analysis: &Analysis, style: Style) -> std::fmt::Result {
    let before = &analysis.before.fit_test;
    let test = &analysis.fit_test;
    let moved = analysis.players.iter().any(|player| {
        matches!(player.rating_origin, RatingOrigin::Filled | RatingOrigin::Corrected)
    });
    writeln!(out, "H0: the players performed as expected from their ratings")?;
    writeln!(out, "H1: they did not")?;
    if moved && before.result != FitResult::NotApplicable {
        writeln!(out, "as found:")?;
        verdict(out, analysis, before, style)?;
        writeln!(out, "as used:")?;
    }
    verdict(out, analysis, test, style)?;
    if let (Some(low), Some(high)) = (test.constant_low, test.constant_high) {
        writeln!(out, "constant interval: ({low:.1}, {high:.1})")?;
    }
    Ok(())
}

fn verdict(
    out: &mut String,
    analysis: &Analysis,
    test: &FitTest,
    style: Style,
) -> std::fmt::Result {
    let (Some(statistic), Some(critical), Some(lower)) =
        (test.statistic, test.critical, test.lower)
    else {
        let why = match test.degrees_of_freedom {
            1 => "two points always lie on a line",
            _ if is_steep(analysis) => "the results differ too little for a line",
            _ => "fewer than two players have both games and a rating",
        };
        return writeln!(out, "not applicable: {why}");
    };
    let word = match test.result {
        FitResult::Passed => style.good("passed"),
        FitResult::Failed => style.bad("failed"),
        FitResult::TooClose => style.good("passed, unusually close to expectation"),
        FitResult::NotApplicable => "not applicable".into(),
    };
    writeln!(
        out,
        "chi-squared {statistic:.3}, critical {critical:.3}, lower {lower:.3}, {} degrees of freedom",
        test.degrees_of_freedom
    )?;
    writeln!(out, "verdict: {word}")
}

fn before_and_after(out: &mut String, analysis: &Analysis) -> std::fmt::Result {
    writeln!(
        out,
        "{:<NAME$} {:>8} {:<9} {:>8} {:>9} {:>9}",
        "name", "initial", "", "Elo", "PRA", "performed"
    )?;
    for player in &analysis.players {
        let origin = match player.rating_origin {
            RatingOrigin::Filled => "filled",
            RatingOrigin::Corrected => "corrected",
            RatingOrigin::Decided => "decided",
            RatingOrigin::Given | RatingOrigin::Missing => "",
        };
        writeln!(
            out,
            "{:<NAME$} {:>8} {origin:<9} {:>8} {:>9} {:>9}",
            short(&player.name, NAME),
            number(player.initial_rating, 0),
            number(player.elo_after, 2),
            number(player.pra_after, 2),
            number(player.performance_rating, 2),
        )?;
    }
    Ok(())
}

fn g_scores(out: &mut String, analysis: &Analysis) -> std::fmt::Result {
    let mut listed: Vec<(f64, &PlayerAnalysis)> = analysis
        .players
        .iter()
        .filter_map(|player| Some((player.g_score?, player)))
        .filter(|(score, _)| *score >= LIST_THRESHOLD)
        .collect();
    listed.sort_by(|a, b| b.0.total_cmp(&a.0));
    if listed.is_empty() {
        return writeln!(out, "No G-score of 100 or more.");
    }
    for (score, player) in listed {
        writeln!(
            out,
            "{:<NAME$} {score:>8.2}  {}",
            short(&player.name, NAME),
            GreatnessBand::from_g_score(score).map_or("", GreatnessBand::name),
        )?;
        let spread = player
            .g_order_spread
            .map(|spread| format!(", order spread {:.2}", spread.abs()))
            .unwrap_or_default();
        out.push_str(&wrapped(
            "    ",
            &format!(
                "P-Zero {:.2} in {} games, resistance {:.4}, stamina {:.2}{spread}",
                player.p_zero.unwrap_or_default(),
                player.games,
                player.resistance.unwrap_or_default(),
                player.stamina,
            ),
        ));
    }
    Ok(())
}

fn inversions(out: &mut String, analysis: &Analysis) -> std::fmt::Result {
    const SHOWN: usize = 6;
    for inversion in analysis.inversions.iter().take(SHOWN) {
        let [more, higher] = analysis.names_of(*inversion);
        out.push_str(&wrapped(
            "",
            &format!("Inversion: {more} has more points, {higher} the higher P-Zero."),
        ));
    }
    match analysis.inversions.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        1 => writeln!(out, "... and 1 more inversion."),
        more => writeln!(out, "... and {more} more inversions."),
    }
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.decimals$}"))
}

fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points}") }
}

/// Replaces control characters. Names come from files, and escape sequences must not reach a
/// terminal.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn short(name: &str, width: usize) -> String {
    let name = clean(name);
    if name.chars().count() <= width {
        return name;
    }
    let mut short: String = name.chars().take(width - 1).collect();
    short.push('…');
    short
}

/// Wraps a paragraph at 80 columns and replaces control characters. `lead` is placed before the
/// first line, and the other lines are indented by its width.
pub fn wrapped(lead: &str, text: &str) -> String {
    let text = clean(text);
    let mut out = lead.to_owned();
    let mut column = lead.chars().count();
    let indent = column;
    for (index, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
    out
}
