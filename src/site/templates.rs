//! The templates and static files, which are part of the program.

use tera::{Context, Tera};

/// Files that the site has unchanged: style, scripts, icon.
pub(super) const ASSETS: [(&str, &str); 7] = [
    ("style.css", include_str!("../../templates/style.css")),
    ("theme.js", include_str!("../../templates/theme.js")),
    ("archive.js", include_str!("../../templates/archive.js")),
    ("search.js", include_str!("../../templates/search.js")),
    ("compare.js", include_str!("../../templates/compare.js")),
    ("any.js", include_str!("../../templates/any.js")),
    ("icon.svg", include_str!("../../templates/icon.svg")),
];

/// The script of the board, for sites that have one.
pub(super) const GAMES_SCRIPT: &str = include_str!("../../templates/games.js");

/// All templates, by the names by which they include each other. All names end in `.html`, so Tera
/// escapes every value.
pub(super) const TEMPLATES: [(&str, &str); 65] = [
    ("base.html", include_str!("../../templates/base.html")),
    ("front.html", include_str!("../../templates/front.html")),
    ("moved.html", include_str!("../../templates/moved.html")),
    ("scatter.html", include_str!("../../templates/scatter.html")),
    ("laboratory.html", include_str!("../../templates/laboratory.html")),
    ("forecasts.html", include_str!("../../templates/forecasts.html")),
    ("moves.html", include_str!("../../templates/moves.html")),
    ("error_plot.html", include_str!("../../templates/error_plot.html")),
    ("titles.html", include_str!("../../templates/titles.html")),
    ("pool.html", include_str!("../../templates/pool.html")),
    ("ages.html", include_str!("../../templates/ages.html")),
    ("line_chart.html", include_str!("../../templates/line_chart.html")),
    ("histogram.html", include_str!("../../templates/histogram.html")),
    ("greatness.html", include_str!("../../templates/greatness.html")),
    ("strength.html", include_str!("../../templates/strength.html")),
    ("fragments.html", include_str!("../../templates/fragments.html")),
    ("checked_rows.html", include_str!("../../templates/checked_rows.html")),
    ("checked.html", include_str!("../../templates/checked.html")),
    ("missing.html", include_str!("../../templates/missing.html")),
    ("published.html", include_str!("../../templates/published.html")),
    ("faster.html", include_str!("../../templates/faster.html")),
    ("events.html", include_str!("../../templates/events.html")),
    ("event_rows.html", include_str!("../../templates/event_rows.html")),
    ("decade.html", include_str!("../../templates/decade.html")),
    ("players.html", include_str!("../../templates/players.html")),
    ("player_rows.html", include_str!("../../templates/player_rows.html")),
    ("letter.html", include_str!("../../templates/letter.html")),
    ("years.html", include_str!("../../templates/years.html")),
    ("words.html", include_str!("../../templates/words.html")),
    ("year.html", include_str!("../../templates/year.html")),
    ("event.html", include_str!("../../templates/event.html")),
    ("plot.html", include_str!("../../templates/plot.html")),
    ("card.svg.html", include_str!("../../templates/card.svg.html")),
    ("rating_chart.html", include_str!("../../templates/rating_chart.html")),
    ("champions.html", include_str!("../../templates/champions.html")),
    ("any.html", include_str!("../../templates/any.html")),
    ("compare.html", include_str!("../../templates/compare.html")),
    ("games.html", include_str!("../../templates/games.html")),
    ("pair.html", include_str!("../../templates/pair.html")),
    ("game_rows.html", include_str!("../../templates/game_rows.html")),
    ("residual_chart.html", include_str!("../../templates/residual_chart.html")),
    ("player.html", include_str!("../../templates/player.html")),
    ("review.html", include_str!("../../templates/review.html")),
    ("review_rows.html", include_str!("../../templates/review_rows.html")),
    ("glossary.html", include_str!("../../templates/glossary.html")),
    ("method.html", include_str!("../../templates/method.html")),
    ("about.html", include_str!("../../templates/about.html")),
    ("downloads.html", include_str!("../../templates/downloads.html")),
    ("ratings.html", include_str!("../../templates/ratings.html")),
    ("ranking.html", include_str!("../../templates/ranking.html")),
    ("comparison.html", include_str!("../../templates/comparison.html")),
    ("performance_rows.html", include_str!("../../templates/performance_rows.html")),
    ("performance_table.html", include_str!("../../templates/performance_table.html")),
    ("strength_rows.html", include_str!("../../templates/strength_rows.html")),
    ("strength_table.html", include_str!("../../templates/strength_table.html")),
    ("parts.html", include_str!("../../templates/parts.html")),
    ("greatness_part.html", include_str!("../../templates/greatness_part.html")),
    ("strength_part.html", include_str!("../../templates/strength_part.html")),
    ("event_table.html", include_str!("../../templates/event_table.html")),
    ("player_table.html", include_str!("../../templates/player_table.html")),
    ("player_event_rows.html", include_str!("../../templates/player_event_rows.html")),
    ("opponent_rows.html", include_str!("../../templates/opponent_rows.html")),
    ("untitled_rows.html", include_str!("../../templates/untitled_rows.html")),
    ("award_rows.html", include_str!("../../templates/award_rows.html")),
    ("404.html", include_str!("../../templates/404.html")),
];

/// Loads the templates.
///
/// # Errors
///
/// If a template is malformed, which is an error of the program.
pub(super) fn templates() -> Result<Tera, tera::Error> {
    let mut tera = Tera::new();
    tera.add_raw_templates(TEMPLATES)?;
    Ok(tera)
}

/// Renders a template with a view.
pub(super) fn render(
    tera: &Tera,
    template: &str,
    view: &impl serde::Serialize,
) -> Result<String, tera::Error> {
    tera.render(template, &Context::from_serialize(view)?)
}
