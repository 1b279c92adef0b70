//! Renders Markdown as safe HTML.

use pulldown_cmark::{CowStr, Event, Parser, Tag, html};

/// Renders a text. HTML in it is shown as text. Links lead only to web pages or within the site,
/// and images become links.
pub(super) fn render(note: &str) -> String {
    let events = Parser::new(note).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: harmless(dest_url), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: harmless(dest_url), title, id })
        }
        Event::End(pulldown_cmark::TagEnd::Image) => Event::End(pulldown_cmark::TagEnd::Link),
        event => event,
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    text
}

fn harmless(target: CowStr) -> CowStr {
    let plain = target.starts_with("https://") || target.starts_with("http://");
    // A target without a colon has no scheme, so it cannot run a script.
    if plain || !target.contains(':') { target } else { "#".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendered_texts_are_safe() {
        assert_eq!(render("*Lasker* won."), "<p><em>Lasker</em> won.</p>\n");
        assert_eq!(
            render("<script>x</script>\n\n[a](javascript:x) ![b](data:text/html,x) [c](https://d)"),
            "&lt;script&gt;x&lt;/script&gt;\n<p><a href=\"#\">a</a> <a href=\"#\">b</a> \
             <a href=\"https://d\">c</a></p>\n"
        );
    }
}
