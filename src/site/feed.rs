//! The feed of changes (RSS 2.0, whose entries need no dates) and the site map.

use super::changes::ChangeLog;

/// Addresses that one site map may hold (sitemaps.org).
const LARGEST_MAP: usize = 50_000;

/// The editions as a feed. Its links are absolute if the site's address is known.
pub(super) fn feed(url: &str, changes: &ChangeLog) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel>\n\
         <title>The Greatness Archive</title>\n\
         <description>What each edition of the archive changed</description>\n",
    );
    text.push_str(&format!("<link>{}index.html</link>\n", escaped(url)));
    for edition in &changes.editions {
        let changes: Vec<&str> = edition.items.iter().map(|item| item.text.as_str()).collect();
        text.push_str(&format!(
            "<item><title>{}</title><link>{}index.html</link>\
             <guid isPermaLink=\"false\">edition-{}</guid><description>{}</description></item>\n",
            escaped(&edition.summary),
            escaped(url),
            edition.number,
            // A description is HTML, so it is escaped once more for XML.
            escaped(&escaped(&changes.join("; ")))
        ));
    }
    text.push_str("</channel></rss>\n");
    text
}

/// The site map of pages. A very large archive has the first fifty thousand, the limit of a site
/// map.
pub(super) fn sitemap(url: &str, paths: &[String]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for path in paths.iter().take(LARGEST_MAP) {
        let path = path.strip_suffix("index.html").unwrap_or(path);
        text.push_str(&format!("<url><loc>{}{}</loc></url>\n", escaped(url), escaped(path)));
    }
    text.push_str("</urlset>\n");
    text
}

/// Escapes text for XML, and removes control characters, which XML does not allow.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() && c != '\n' && c != '\t' => {}
            '\u{fffe}' | '\u{ffff}' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::changes::{ArchiveEdition, Change};
    use super::*;

    #[test]
    fn names_with_marks_of_their_own_do_no_harm() {
        let item = Change { text: "<script>&\u{1}\"".into(), href: String::new() };
        let edition = ArchiveEdition { number: 1, summary: "A & B".into(), items: vec![item] };
        let feed = feed("https://example.org/", &ChangeLog { editions: vec![edition] });
        assert!(feed.contains("&amp;lt;script&amp;gt;&amp;amp;&amp;quot;</description>"), "{feed}");
        assert!(feed.contains("<title>A &amp; B</title>"));
    }

    #[test]
    fn a_site_map_has_whole_addresses() {
        let map =
            sitemap("https://example.org/a/", &["index.html".into(), "years/1895.html".into()]);
        assert!(map.contains("<loc>https://example.org/a/</loc>"));
        assert!(map.contains("<loc>https://example.org/a/years/1895.html</loc>"));
    }
}
