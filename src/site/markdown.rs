//! Notes in Markdown to HTML that can do no harm.

use pulldown_cmark::{CowStr, Event, Parser, Tag, html};

/// Renders a note. HTML in it is shown as text; links lead to web pages or within the site, nowhere
/// else; pictures become links.
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
    // Without a colon there is no scheme that could run anything.
    if plain || !target.contains(':') { target } else { "#".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_rendered_and_can_do_no_harm() {
        assert_eq!(render("*Lasker* won."), "<p><em>Lasker</em> won.</p>\n");
        assert_eq!(
            render("<script>x</script>\n\n[a](javascript:x) ![b](data:text/html,x) [c](https://d)"),
            "&lt;script&gt;x&lt;/script&gt;\n<p><a href=\"#\">a</a> <a href=\"#\">b</a> \
             <a href=\"https://d\">c</a></p>\n"
        );
    }
}
