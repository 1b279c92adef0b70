//! The feed of changes (RSS 2.0).
//!
//! An entry is a change of one page. Its date is that of the data, the last day of a game when the
//! edition was built: a build has no clock, so that the same input gives the same bytes.

use jiff::civil::Date;

use super::changes::{ArchiveEdition, Change, ChangeLog};
use super::xml::escaped;

/// The number of entries. Readers of feeds fetch the whole file each time.
const ENTRIES: usize = 200;

/// The latest changes as a feed. Its links are absolute if the site's address is known.
pub(super) fn feed(url: &str, changes: &ChangeLog) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel>\n\
         <title>The Greatness Archive</title>\n\
         <description>What each edition of the archive changed</description>\n",
    );
    text.push_str(&format!("<link>{}index.html</link>\n", escaped(url)));
    let entries = changes.editions.iter().flat_map(|edition| {
        let summary = Change { text: edition.summary.clone(), href: "index.html".into() };
        let changes = std::iter::once(summary).chain(edition.items.iter().cloned());
        changes.zip(0..).map(move |(change, place)| entry(url, edition, place, &change))
    });
    text.extend(entries.take(ENTRIES));
    text.push_str("</channel></rss>\n");
    text
}

/// An entry: the summary of an edition at place 0, then its changes.
fn entry(url: &str, edition: &ArchiveEdition, place: usize, change: &Change) -> String {
    let day: Option<Date> = edition.data_to.parse().ok();
    let day = day.map(|day| format!("<pubDate>{}</pubDate>", of_mail(day)));
    let number = edition.number;
    let name = match place {
        0 => format!("edition-{number}"),
        place => format!("edition-{number}-{place}"),
    };
    format!(
        "<item><title>{}</title><link>{}{}</link><guid isPermaLink=\"false\">{name}</guid>{}</item>\n",
        escaped(&change.text),
        escaped(url),
        escaped(&change.href),
        day.unwrap_or_default()
    )
}

/// A day as in mails (RFC 822, 5), which RSS requires: `Thu, 12 Dec 2024 00:00:00 GMT`.
fn of_mail(day: Date) -> String {
    day.strftime("%a, %d %b %Y 00:00:00 GMT").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edition(items: Vec<Change>) -> ArchiveEdition {
        ArchiveEdition { number: 3, summary: "A & B".into(), items, data_to: "2024-12-12".into() }
    }

    fn change(text: &str, href: &str) -> Change {
        Change { text: text.into(), href: href.into() }
    }

    #[test]
    fn an_entry_links_to_the_changed_page_and_has_the_date_of_the_data() {
        let changes = vec![change("Vienna 1898: new event", "events/vienna-1898.html")];
        let feed = feed("https://example.org/", &ChangeLog { editions: vec![edition(changes)] });
        assert!(
            feed.contains("<title>A &amp; B</title><link>https://example.org/index.html</link>")
        );
        assert!(
            feed.contains(
                "<item><title>Vienna 1898: new event</title>\
             <link>https://example.org/events/vienna-1898.html</link>\
             <guid isPermaLink=\"false\">edition-3-1</guid>\
             <pubDate>Thu, 12 Dec 2024 00:00:00 GMT</pubDate></item>"
            ),
            "{feed}"
        );
    }

    #[test]
    fn names_with_marks_of_their_own_do_no_harm() {
        let changes = vec![change("<script>&\u{1}\"", "events.html")];
        let feed = feed("", &ChangeLog { editions: vec![edition(changes)] });
        assert!(feed.contains("<title>&lt;script&gt;&amp;&quot;</title>"), "{feed}");
    }

    #[test]
    fn a_feed_has_a_limited_number_of_entries() {
        let many = (0..150).map(|_| change("a", "a.html")).collect::<Vec<_>>();
        let log = ChangeLog { editions: vec![edition(many.clone()), edition(many)] };
        assert_eq!(feed("", &log).matches("<item>").count(), ENTRIES);
    }
}
