//! Writes XML files: the feed, the site maps and the description of the search.

use std::io;

use quick_xml::escape::partial_escape;
use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::writer::{ElementWriter, Writer};

/// A writer of XML to memory.
pub(super) type XmlWriter = Writer<Vec<u8>>;

/// The bytes of a file: the declaration, the element that `root` writes, and a line end.
///
/// # Panics
///
/// Panics if `root` returns an error. Writing to memory never fails.
pub(super) fn document(root: impl FnOnce(&mut XmlWriter) -> io::Result<()>) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    write_document(&mut writer, root).expect("memory takes all bytes");
    writer.into_inner()
}

fn write_document(
    writer: &mut XmlWriter,
    root: impl FnOnce(&mut XmlWriter) -> io::Result<()>,
) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    end_line(writer)?;
    root(writer)?;
    end_line(writer)
}

/// Ends a line between elements, so that people can read the file.
pub(super) fn end_line(writer: &mut XmlWriter) -> io::Result<()> {
    writer.write_event(Event::Text(BytesText::from_escaped("\n")))
}

/// Writes an element that has only text.
pub(super) fn write_text(element: ElementWriter<'_, Vec<u8>>, text: &str) -> io::Result<()> {
    // Between tags, quotation marks need no escape.
    let text = without_forbidden(text);
    element.write_text_content(BytesText::from_escaped(partial_escape(text)))?;
    Ok(())
}

/// The text without control characters and others that XML does not allow.
fn without_forbidden(text: &str) -> String {
    let allowed = text.chars().filter(|c| match c {
        '\n' | '\t' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    });
    allowed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_escaped_and_control_characters_removed() {
        let bytes =
            document(|writer| write_text(writer.create_element("a"), "<a b=\"&\">\u{1}\u{fffe}\n"));
        let text = String::from_utf8(bytes).expect("UTF-8");
        assert_eq!(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>&lt;a b=\"&amp;\"&gt;\n</a>\n"
        );
    }
}
