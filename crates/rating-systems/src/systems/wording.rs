//! Numbers with nouns for messages.

/// A number with its noun in the singular or, with an `s`, in the plural: `1 game`, `2 games`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_zero_is_plural() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "game")), ["0 games", "1 game", "2 games"]);
    }
}
