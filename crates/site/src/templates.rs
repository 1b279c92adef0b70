//! The templates and static files, which are part of the program.

use std::borrow::Cow;

use rust_embed::Embed;
use tera::{Context, Kwargs, State, Tera, TeraResult, Value};

use tables::Codebook;

#[derive(Embed)]
#[folder = "../../templates"]
struct TemplateFolder;

/// Files that the site has unchanged: style, scripts, icon.
pub(super) const ASSETS: [&str; 10] = [
    "style.css",
    "theme.js",
    "archive.js",
    "search.js",
    "charts.js",
    "compare.js",
    "any.js",
    "race.js",
    "moved.js",
    "icon.svg",
];

/// The script of the board, for sites that have one.
pub(super) const GAMES_SCRIPT: &str = "games.js";

/// The files of the page that answers queries, for sites that have it: its script, the engine with
/// its worker (hyparquet, fzstd and sql.js, bundled by `xtask/sql-page`), and SQLite.
pub(super) const SQL_FILES: [&str; 3] = ["sql.js", "sql-worker.js", "sql.wasm"];

/// The page of the review server, which is not a template.
const DESK: &str = "desk.html";

/// A file of the folder `templates`.
///
/// # Panics
///
/// Panics if there is no such file, which is an error of the program.
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
/// Returns an error if a template is malformed, which is an error of the program.
pub(super) fn templates() -> Result<Tera, tera::Error> {
    let mut tera = Tera::new();
    super::filters::register(&mut tera);
    tera.register_filter("breakable", breakable);
    let codebook = Codebook::read().ok();
    tera.register_filter("meaning", move |column: &str, _: Kwargs, state: &State| {
        Ok::<Value, tera::Error>(Value::safe_string(&meaning(codebook.as_ref(), column, state)?))
    });
    tera.add_raw_templates(template_texts())?;
    Ok(tera)
}

/// The filter `breakable`: escapes a name, and allows a line break between two words joined by a
/// slash, so that `London/Leningrad` fits a narrow column. `1964/65` stays whole.
fn breakable(name: &str, _: Kwargs, state: &State) -> TeraResult<Value> {
    let escaped = state.escape(name)?;
    let mut parts = escaped.split('/');
    let mut broken = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_word = part.starts_with(char::is_alphabetic);
        broken.push_str(if is_word { "/<wbr>" } else { "/" });
        broken.push_str(part);
    }
    Ok(Value::safe_string(&broken))
}

/// The filter `meaning`: what the codebook says of a column, given as `table.column`.
fn meaning(codebook: Option<&Codebook>, column: &str, state: &State) -> TeraResult<String> {
    let definition = codebook.and_then(|codebook| {
        let (table, column) = column.split_once('.')?;
        codebook.column(table, column)
    });
    let Some(definition) = definition else {
        return Err(tera::Error::message(format!("the codebook has no column {column}")));
    };
    state.escape(&definition.meaning)
}

pub(super) fn render(
    tera: &Tera,
    template: &str,
    view: &impl serde::Serialize,
) -> Result<String, tera::Error> {
    tera.render(template, &Context::from_serialize(view)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_break_between_words_and_is_escaped() {
        let mut tera = templates().expect("templates");
        tera.add_raw_template("name.html", "{{ name | breakable }}").expect("a template");
        let render = |name: &str| {
            let mut view = Context::new();
            view.insert("name", name);
            tera.render("name.html", &view).expect("a text")
        };
        assert_eq!(render("London/Leningrad"), "London/<wbr>Leningrad");
        assert_eq!(render("Hastings 1964/65"), "Hastings 1964/65");
        assert_eq!(render("<b>/Ö&"), "&lt;b&gt;/<wbr>Ö&amp;");
    }

    #[test]
    fn a_header_has_the_meaning_of_its_column_from_the_codebook() {
        let mut tera = templates().expect("templates");
        let mut render = |text: &str| {
            tera.add_raw_template("one.html", text).expect("a template");
            tera.render("one.html", &Context::new())
        };
        let meaning = render("{{ 'greatness.rank' | meaning }}").expect("a text");
        assert!(meaning.contains("rank"), "{meaning}");
        assert!(render("{{ 'greatness.none' | meaning }}").is_err());
    }
}
