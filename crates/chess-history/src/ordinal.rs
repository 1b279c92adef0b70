//! English ordinals.

/// Writes a number as an ordinal: `1st`, `22nd`, `113th`.
pub fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_have_english_endings() {
        let written: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 19, 21, 102, 111].map(ordinal).into();
        assert_eq!(
            written,
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "19th", "21st", "102nd", "111th"]
        );
    }
}
