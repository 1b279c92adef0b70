//! The feed of changes (RSS 2.0).
//!
//! An entry is a change of one page. Its date is that of the data, the last day of a game when the
//! edition was built: a build has no clock, so that the same input gives the same bytes.

use std::io;

use jiff::civil::Date;

use super::changes::{ArchiveEdition, Change, ChangeLog};
use super::xml::{XmlWriter, document, end_line, write_text};

/// The number of entries. Judged: readers of feeds fetch the whole file each time, and 200 entries
/// are about 50 KB.
const ENTRIES: usize = 200;

/// The latest changes as a feed. Its links are absolute if the site's address is known.
pub(super) fn feed(url: &str, changes: &ChangeLog) -> Vec<u8> {
    document(|writer| {
        writer.create_element("rss").with_attribute(("version", "2.0")).write_inner_content(
            |writer| {
                let channel = writer.create_element("channel");
                channel.write_inner_content(|writer| write_channel(writer, url, changes))?;
                Ok(())
            },
        )?;
        Ok(())
    })
}

fn write_channel(writer: &mut XmlWriter, url: &str, changes: &ChangeLog) -> io::Result<()> {
    end_line(writer)?;
    write_text(writer.create_element("title"), "The Greatness Archive")?;
    end_line(writer)?;
    let description = "What each edition of the archive changed";
    write_text(writer.create_element("description"), description)?;
    end_line(writer)?;
    write_text(writer.create_element("link"), &format!("{url}index.html"))?;
    end_line(writer)?;
    let entries = changes.editions.iter().flat_map(|edition| {
        let summary = Change { text: edition.summary.clone(), href: "index.html".into() };
        let changes = std::iter::once(summary).chain(edition.items.iter().cloned());
        changes.zip(0..).map(move |(change, place)| (edition, place, change))
    });
    for (edition, place, change) in entries.take(ENTRIES) {
        let item = writer.create_element("item");
        item.write_inner_content(|writer| write_entry(writer, url, edition, place, &change))?;
        end_line(writer)?;
    }
    Ok(())
}

/// Writes an entry: the summary of an edition at place 0, then its changes.
fn write_entry(
    writer: &mut XmlWriter,
    url: &str,
    edition: &ArchiveEdition,
    place: usize,
    change: &Change,
) -> io::Result<()> {
    let number = edition.number;
    let name = match place {
        0 => format!("edition-{number}"),
        place => format!("edition-{number}-{place}"),
    };
    write_text(writer.create_element("title"), &change.text)?;
    write_text(writer.create_element("link"), &format!("{url}{}", change.href))?;
    let guid = writer.create_element("guid").with_attribute(("isPermaLink", "false"));
    write_text(guid, &name)?;
    if let Ok(day) = edition.data_to.parse() {
        write_text(writer.create_element("pubDate"), &date_of_mail(day))?;
    }
    Ok(())
}

/// A day as in mails (RFC 822, 5), which RSS requires: `Thu, 12 Dec 2024 00:00:00 GMT`.
fn date_of_mail(day: Date) -> String {
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

    fn feed_text(url: &str, editions: Vec<ArchiveEdition>) -> String {
        String::from_utf8(feed(url, &ChangeLog { editions })).expect("a feed is UTF-8")
    }

    #[test]
    fn an_entry_links_to_the_changed_page_and_has_the_date_of_the_data() {
        let changes = vec![change("Vienna 1898: new event", "events/vienna-1898.html")];
        let feed = feed_text("https://example.org/", vec![edition(changes)]);
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
    fn marks_in_names_are_escaped() {
        let changes = vec![change("<script>&\u{1}\"", "events.html")];
        let feed = feed_text("", vec![edition(changes)]);
        assert!(feed.contains("<title>&lt;script&gt;&amp;\"</title>"), "{feed}");
    }

    #[test]
    fn a_feed_has_a_limited_number_of_entries() {
        let many = (0..150).map(|_| change("a", "a.html")).collect::<Vec<_>>();
        let feed = feed_text("", vec![edition(many.clone()), edition(many)]);
        assert_eq!(feed.matches("<item>").count(), ENTRIES);
    }
}
