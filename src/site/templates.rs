//! The templates and static files, which are part of the program.

use std::borrow::Cow;

use rust_embed::Embed;
use tera::{Context, Tera};

/// The folder `templates`.
#[derive(Embed)]
#[folder = "templates"]
struct TemplateFolder;

/// Files that the site has unchanged: style, scripts, icon.
pub(super) const ASSETS: [&str; 7] =
    ["style.css", "theme.js", "archive.js", "search.js", "compare.js", "any.js", "icon.svg"];

/// The script of the board, for sites that have one.
pub(super) const GAMES_SCRIPT: &str = "games.js";

/// The page of the review server, which is no template.
const DESK: &str = "desk.html";

/// A file of the folder `templates`.
///
/// # Panics
///
/// If there is no such file, which is an error of the program.
pub(super) fn asset(name: &str) -> Cow<'static, [u8]> {
    TemplateFolder::get(name).unwrap_or_else(|| panic!("templates/{name} is missing")).data
}

/// All templates with their texts, by the names by which they include each other. All names end in
/// `.html`, so Tera escapes every value.
pub(super) fn template_texts() -> impl Iterator<Item = (Cow<'static, str>, String)> {
    let names = TemplateFolder::iter().filter(|name| name.ends_with(".html") && name != DESK);
    names.map(|name| {
        let text = String::from_utf8(asset(&name).into_owned()).expect("templates are UTF-8");
        (name, text)
    })
}

/// Loads the templates.
///
/// # Errors
///
/// If a template is malformed, which is an error of the program.
pub(super) fn templates() -> Result<Tera, tera::Error> {
    let mut tera = Tera::new();
    tera.add_raw_templates(template_texts())?;
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
