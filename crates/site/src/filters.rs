//! The filters of templates that format figures. An unknown figure is an empty text.

use tera::{Kwargs, State, Tera, TeraResult, Value};

use super::{figures, markdown};

pub(super) fn register(tera: &mut Tera) {
    tera.register_filter("fixed", fixed);
    tera.register_filter("markdown", markdown);
    tera.register_filter("plural", plural);
    tera.register_filter("points", points);
    tera.register_filter("thousands", thousands);
}

/// `2.50 | fixed(decimals=1)` is `2.5`.
fn fixed(figure: Value, arguments: Kwargs, _: &State) -> TeraResult<String> {
    let decimals = arguments.must_get("decimals")?;
    formatted(&figure, |figure| figures::fixed(figure, decimals))
}

/// `14.5 | points` is `14½`.
fn points(figure: Value, _: Kwargs, _: &State) -> TeraResult<String> {
    formatted(&figure, figures::points)
}

/// `2708.3 | thousands` is `2,708`.
fn thousands(figure: Value, _: Kwargs, _: &State) -> TeraResult<String> {
    formatted(&figure, |figure| figures::thousands(whole(figure)))
}

/// `1 | plural(one="game", many="games")` is `1 game`.
fn plural(number: Value, arguments: Kwargs, _: &State) -> TeraResult<String> {
    let (one, many): (&str, &str) = (arguments.must_get("one")?, arguments.must_get("many")?);
    formatted(&number, |number| figures::counted(whole(number), one, many))
}

/// Renders Markdown as safe HTML.
fn markdown(text: &str, _: Kwargs, _: &State) -> TeraResult<Value> {
    Ok(Value::safe_string(&markdown::render(text)))
}

fn whole(figure: f64) -> usize {
    figure.round().max(0.0) as usize
}

fn formatted(figure: &Value, format: impl Fn(f64) -> String) -> TeraResult<String> {
    if figure.is_none() {
        return Ok(String::new());
    }
    match figure.as_number() {
        Some(number) => Ok(format(number.as_float())),
        None => Err(tera::Error::message(format!("{figure} is no figure"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tera::Context;

    use super::*;

    fn rendered(template: &str, view: serde_json::Value) -> Result<String, tera::Error> {
        let mut tera = Tera::new();
        register(&mut tera);
        tera.add_raw_template("figure.html", template)?;
        tera.render("figure.html", &Context::from_serialize(&view)?)
    }

    #[test]
    fn figures_are_formatted_and_unknown_ones_are_empty() {
        let template = "{{ x | fixed(decimals=1) }}|{{ x | points }}|{{ x | thousands }}|\
                        {{ x | plural(one=\"game\", many=\"games\") }}";
        let of = |x| rendered(template, json!({ "x": x })).unwrap();
        assert_eq!(of(json!(1)), "1.0|1|1|1 game");
        assert_eq!(of(json!(2.25)), "2.2|2.25|2|2 games");
        assert_eq!(of(json!(2708.5)), "2708.5|2708½|2,709|2,709 games");
        assert_eq!(of(json!(null)), "|||");
    }

    #[test]
    fn a_text_is_no_figure() {
        assert!(rendered("{{ x | fixed(decimals=1) }}", json!({ "x": "1.25" })).is_err());
    }
}
