//! The links by which readers report errors.

use std::fmt::Write as _;

/// The longest title of a page in a report, in letters. Judged: names of events are shorter, and
/// some mail programs and servers refuse long addresses.
const LONGEST_TITLE: usize = 120;

/// The address that opens a prefilled issue or mail about a page; empty without a contact.
///
/// `contact` is `mailto:` with an address, or the web address of a form for issues (see
/// [`SiteSettings`](archive::SiteSettings)). `page` is the address of the page.
pub(super) fn report_link(contact: &str, title: &str, page: &str) -> String {
    let title: String = title.chars().take(LONGEST_TITLE).collect();
    let title = percent_encoded(&format!("Error: {title}"));
    // Lines of mails end with CR and LF (RFC 6068, 5). Forms accept both.
    let text = percent_encoded(&format!(
        "Page: {page}\r\n\r\nWhat is wrong:\r\n\r\nWhat is right:\r\n\r\nSource (book, magazine or link):\r\n"
    ));
    if contact.is_empty() {
        return String::new();
    }
    if contact.contains("{title}") || contact.contains("{text}") {
        return contact.replace("{title}", &title).replace("{text}", &text);
    }
    let mark = if contact.contains('?') { '&' } else { '?' };
    if contact.starts_with("mailto:") {
        format!("{contact}{mark}subject={title}&body={text}")
    } else {
        format!("{contact}{mark}title={title}&body={text}")
    }
}

/// A text in which every byte except the unreserved ones is percent-encoded (RFC 3986, 2).
pub(super) fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string never fails.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_prefilled_mail_or_issue() {
        let mail = report_link("mailto:ra@example.org", "Vienna 1898", "events/vienna-1898.html");
        assert!(
            mail.starts_with(
                "mailto:ra@example.org?subject=Error%3A%20Vienna%201898&body=Page%3A%20events%2Fvienna-1898.html%0D%0A"
            ),
            "{mail}"
        );
        let issue = report_link("https://example.org/new?labels=data", "A & B", "a.html");
        assert!(
            issue.starts_with(
                "https://example.org/new?labels=data&title=Error%3A%20A%20%26%20B&body="
            ),
            "{issue}"
        );
        let form = report_link("https://example.org/new?issue[title]={title}", "A", "a.html");
        assert_eq!(form, "https://example.org/new?issue[title]=Error%3A%20A");
        assert_eq!(report_link("", "A", "a.html"), "");
    }

    #[test]
    fn names_cannot_add_fields_or_markup() {
        let link = report_link("mailto:a@b.org", "\"><script>&cc=x@y.org\u{e9}", "a.html");
        assert!(
            link.contains("Error%3A%20%22%3E%3Cscript%3E%26cc%3Dx%40y.org%C3%A9&body="),
            "{link}"
        );
    }
}
