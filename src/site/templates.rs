//! The templates, which are part of the program.

use tera::{Context, Tera};

/// The style sheet.
pub(super) const STYLE: &str = include_str!("../../templates/style.css");

/// All templates by the name under which they call each other. All of them end in `.html`, so that
/// whatever is put into them is escaped.
const TEMPLATES: [(&str, &str); 11] = [
    ("base.html", include_str!("../../templates/base.html")),
    ("front.html", include_str!("../../templates/front.html")),
    ("greatness.html", include_str!("../../templates/greatness.html")),
    ("strength.html", include_str!("../../templates/strength.html")),
    ("events.html", include_str!("../../templates/events.html")),
    ("players.html", include_str!("../../templates/players.html")),
    ("event.html", include_str!("../../templates/event.html")),
    ("plot.html", include_str!("../../templates/plot.html")),
    ("review.html", include_str!("../../templates/review.html")),
    ("rating_chart.html", include_str!("../../templates/rating_chart.html")),
    ("player.html", include_str!("../../templates/player.html")),
];

/// Loads the templates.
///
/// # Errors
///
/// Where one of them is malformed: a fault of the program.
pub(super) fn templates() -> Result<Tera, tera::Error> {
    let mut tera = Tera::new();
    tera.add_raw_templates(TEMPLATES)?;
    Ok(tera)
}

/// Fills a template with a view.
pub(super) fn render(
    tera: &Tera,
    template: &str,
    view: &impl serde::Serialize,
) -> Result<String, tera::Error> {
    tera.render(template, &Context::from_serialize(view)?)
}
