//! Characters that no text from outside may have.

/// Returns whether a character is invisible or changes the direction of the text around it.
///
/// Noncharacters count as invisible, because XML must not contain them.
pub(crate) fn is_invisible(c: char) -> bool {
    let is_noncharacter = u32::from(c) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c);
    is_noncharacter
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}
