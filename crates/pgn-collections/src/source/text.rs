//! Converts encodings and line ends.

use std::borrow::Cow;
use std::io::{self, BufReader, Cursor, Read};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};
use memchr::memchr;

use super::code_page::CodePages;
use super::unpacker::DeferredError;

/// Number of bytes at the beginning of a text by which its form is recognised.
pub const HEAD: usize = 64 << 10;

/// The form of a text. All forms are converted to [`TextForm::Plain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// Lines that end in LF or CR LF, in UTF-8 or an encoding with one byte per character.
    Plain,
    /// The plain form after a byte order mark, which is dropped.
    ByteOrderMark,
    /// UTF-16 in little-endian order.
    Utf16Le,
    /// UTF-16 in big-endian order.
    Utf16Be,
    /// Lines that end in CR alone, as on the classic Mac OS.
    CarriageReturns,
}

/// The UTF-8 byte order mark.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl TextForm {
    /// Recognises the form by the first bytes of a text (up to [`HEAD`]).
    pub fn detect(head: &[u8]) -> TextForm {
        if let Some(form) = utf_16(head) {
            return form;
        }
        // A single CR among line feeds is damage.
        if memchr(b'\n', head).is_none()
            && memchr(b'\r', head).is_some_and(|end| end + 1 < head.len())
        {
            TextForm::CarriageReturns
        } else if head.starts_with(BYTE_ORDER_MARK) {
            TextForm::ByteOrderMark
        } else {
            TextForm::Plain
        }
    }

    /// Returns the note about the form, or `None` for the plain form.
    pub fn note(self) -> Option<&'static str> {
        match self {
            TextForm::Plain => None,
            TextForm::ByteOrderMark => Some("begins with a byte order mark"),
            TextForm::Utf16Le | TextForm::Utf16Be => Some("is UTF-16; read as such"),
            TextForm::CarriageReturns => Some("has lines that end in CR alone; read as lines"),
        }
    }
}

/// Length in bytes of a run of ASCII that no UTF-16 has.
///
/// Two ASCII bytes in one place are a character like U+4E2D. A third of the Chinese characters are
/// such, so 32 in succession do not occur.
const ASCII_RUN: usize = 64;

/// Recognises UTF-16 by its NUL bytes.
///
/// Names of tags, moves and digits all have one, at places of the same parity. A byte order mark
/// alone may be damage, and so may a piece of UTF-16 in a text with one byte per character.
fn utf_16(head: &[u8]) -> Option<TextForm> {
    let first = &head[..head.len().min(1024)];
    if first.len() < 8 {
        return None;
    }
    // At least half of the characters are ASCII or Latin-1, so a quarter of all bytes are NUL. At
    // the other parity NUL is damage or a rare character like U+0100.
    let [even, odd] = [0, 1]
        .map(|parity| first.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count());
    let form = if 4 * odd >= first.len() && 20 * even <= first.len() {
        TextForm::Utf16Le
    } else if 4 * even >= first.len() && 20 * odd <= first.len() {
        TextForm::Utf16Be
    } else {
        return None;
    };
    let is_ascii = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let has_run = head
        .chunk_by(|a, b| is_ascii(a) == is_ascii(b))
        .any(|run| run.len() >= ASCII_RUN && run.first().is_some_and(is_ascii));
    (!has_run).then_some(form)
}

/// Converts a stream of text to the plain form. Returns the original form with it.
///
/// # Errors
///
/// Returns an error if not even the first bytes can be read. A later fault is returned by the
/// converted stream, after the bytes before it.
pub fn plain<'a>(stream: &'a mut dyn Read) -> io::Result<(TextForm, Box<dyn Read + 'a>)> {
    let mut head = Vec::new();
    let fault = stream.take(HEAD as u64).read_to_end(&mut head).err();
    if head.is_empty()
        && let Some(error) = fault
    {
        return Err(error);
    }
    let form = TextForm::detect(&head);
    if head.starts_with(BYTE_ORDER_MARK) {
        head.drain(..BYTE_ORDER_MARK.len());
    }
    let whole = Cursor::new(head).chain(DeferredError(fault)).chain(stream);
    Ok((
        form,
        match form {
            TextForm::Plain | TextForm::ByteOrderMark => Box::new(whole),
            TextForm::Utf16Le => Box::new(decoded(UTF_16LE, whole)),
            TextForm::Utf16Be => Box::new(decoded(UTF_16BE, whole)),
            TextForm::CarriageReturns => Box::new(LineFeeds(whole)),
        },
    ))
}

/// Decodes a stream. The buffer is needed because the decoder splits characters when few bytes are
/// requested.
fn decoded<R: Read>(
    encoding: &'static Encoding,
    stream: R,
) -> BufReader<DecodeReaderBytes<R, Vec<u8>>> {
    let decoder = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).build(stream);
    BufReader::with_capacity(HEAD, decoder)
}

/// A stream that replaces carriage returns by line feeds.
struct LineFeeds<R>(R);

impl<R: Read> Read for LineFeeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        for byte in &mut buffer[..read] {
            if *byte == b'\r' {
                *byte = b'\n';
            }
        }
        Ok(read)
    }
}

/// Decodes a text alone.
///
/// The text is UTF-8, whose byte order mark is dropped, or in an encoding with one byte per
/// character that is detected. The flag is `true` if the text was not UTF-8.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match utf_8(bytes) {
        Some(text) => (text, false),
        None => (CodePages::choose([bytes]).decode(bytes), true),
    }
}

/// Decodes a text of a file. The flag is `true` if the text was not UTF-8.
pub(crate) fn decode_with<'t>(pages: Option<&CodePages>, bytes: &'t [u8]) -> (Cow<'t, str>, bool) {
    match (utf_8(bytes), pages) {
        (Some(text), _) => (text, false),
        (None, Some(pages)) => (pages.decode(bytes), true),
        (None, None) => decode(bytes),
    }
}

/// Returns a text that is UTF-8, without the byte order mark.
///
/// Two mistakes of programs are repaired. UTF-8 that was read as Windows-1252 and encoded again is
/// decoded twice (`NovÃ¡k`). Characters from U+0080 to U+009F are Windows-1252 that was read as
/// Latin-1: `Franti\u{9a}ek` becomes `František`.
fn utf_8(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).ok()?;
    if let Some(once) = encoded_twice(text) {
        return Some(Cow::Owned(once));
    }
    if text.contains(is_c1) {
        let repaired = text.chars().map(|c| if is_c1(c) { windows_1252(c) } else { c });
        return Some(Cow::Owned(repaired.collect()));
    }
    Some(Cow::Borrowed(text))
}

/// Returns whether a text was encoded twice.
pub(crate) fn is_encoded_twice(text: &str) -> bool {
    encoded_twice(text).is_some()
}

/// Returns the text that was encoded twice, or `None` if it was not.
fn encoded_twice(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(c) {
            // Latin-1, or a byte that Windows-1252 lacks.
            Ok(byte) => bytes.push(byte),
            Err(_) => {
                let mut buffer = [0; 4];
                let (encoded, _, is_other) = WINDOWS_1252.encode(c.encode_utf8(&mut buffer));
                if is_other {
                    return None;
                }
                bytes.extend_from_slice(&encoded);
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns whether a character is a C1 control character, which no text intends.
fn is_c1(c: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&c)
}

fn windows_1252(c1: char) -> char {
    let byte = [c1 as u32 as u8];
    WINDOWS_1252.decode_without_bom_handling(&byte).0.chars().next().unwrap_or(c1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (TextForm, String) {
        let mut stream = bytes;
        let (form, mut text) = plain(&mut stream).unwrap();
        let mut plain = String::new();
        text.read_to_string(&mut plain).unwrap();
        (form, plain)
    }

    #[test]
    fn every_form_is_converted_to_plain() {
        let text = "[Event \"Sämisch\"]\n";
        assert_eq!(read(text.as_bytes()), (TextForm::Plain, text.to_owned()));
        let marked = format!("\u{feff}{text}");
        assert_eq!(read(marked.as_bytes()), (TextForm::ByteOrderMark, text.to_owned()));
        for marked in [marked.as_str(), text] {
            let low: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(read(&low), (TextForm::Utf16Le, text.to_owned()));
            let high: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert_eq!(read(&high), (TextForm::Utf16Be, text.to_owned()));
        }
        assert_eq!(read(b"a\rb\r"), (TextForm::CarriageReturns, "a\nb\n".to_owned()));
        assert_eq!(read(b"a\r\nb\r\n").0, TextForm::Plain);
        assert_eq!(read(b"a\r\r\nb\r\n").0, TextForm::Plain);
        let marked = "\u{feff}a\rb\r".as_bytes();
        assert_eq!(read(marked), (TextForm::CarriageReturns, "a\nb\n".to_owned()));
        assert_eq!(read(b""), (TextForm::Plain, String::new()));
    }

    #[test]
    fn text_that_is_not_utf_8_is_read_as_windows_1252() {
        assert_eq!(decode(b"S\xe4misch"), (Cow::from("Sämisch"), true));
        assert_eq!(decode("Franti\u{9a}ek".as_bytes()).0, "František");
        assert_eq!(decode("\u{feff}Sämisch".as_bytes()), (Cow::from("Sämisch"), false));
    }

    #[test]
    fn a_piece_of_utf_16_in_a_text_is_damage() {
        let piece: Vec<u8> =
            "round\t1 August 1921\n".repeat(20).encode_utf16().flat_map(u16::to_le_bytes).collect();
        let tags =
            b"[Event \"Vienna\"]\n[Site \"Vienna\"]\n[White \"Tarrasch\"]\n[Black \"Pillsbury\"]\n";
        assert_eq!(TextForm::detect(&piece), TextForm::Utf16Le);
        for text in [[&tags[..], &piece].concat(), [&b"\0[".repeat(700)[..], tags].concat()] {
            assert_eq!(TextForm::detect(&text), TextForm::Plain);
        }
        let chinese: Vec<u8> =
            "\u{4e2d}".repeat(20).encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(TextForm::detect(&[&piece[..], &chinese].concat()), TextForm::Utf16Le);
    }

    #[test]
    fn text_that_was_encoded_twice_is_decoded_twice() {
        for (twice, once) in [
            ("NovÃ¡k, JiÅ™Ã\u{ad}", "Novák, Jiří"),
            ("SÃ¤misch", "Sämisch"),
            ("Ä\u{8c}ernÃ½", "Černý"),
            ("Đoković", "Đoković"),
            ("Ãlvares", "Ãlvares"),
            ("Bogotá", "Bogotá"),
        ] {
            assert_eq!(decode(twice.as_bytes()), (Cow::from(once), false), "{twice}");
        }
    }
}
