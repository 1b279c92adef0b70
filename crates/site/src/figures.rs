//! Formats numbers for readers.

/// Replaces a leading hyphen by a minus sign.
fn minus(text: String) -> String {
    match text.strip_prefix('-') {
        // A number that rounds to zero has no sign: `-0.00` is `0.00`.
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("\u{2212}{rest}"),
        None => text,
    }
}

/// A number with this number of decimals.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    minus(format!("{value:.decimals$}"))
}

/// A number with this number of decimals; empty if it is unknown.
pub(super) fn fixed_or_empty(value: Option<f64>, decimals: usize) -> String {
    value.map(|value| fixed(value, decimals)).unwrap_or_default()
}

/// A standard error with about two significant digits.
pub(super) fn margin(error: f64) -> String {
    fixed(error, decimals_of(error))
}

/// The decimals of two significant digits of a standard error.
fn decimals_of(error: f64) -> usize {
    match error {
        10.0.. => 0,
        1.0.. => 1,
        _ => 2,
    }
}

/// A figure with as many decimals as its standard error allows; two if the error is unknown.
pub(super) fn as_certain(value: f64, error: Option<f64>) -> String {
    fixed(value, error.map_or(2, decimals_of))
}

/// A figure in full, as the tables to download have it.
pub(super) fn in_full(value: f64) -> String {
    minus(value.to_string())
}

/// A whole number for prose: in words up to twelve, in digits from thirteen.
pub(super) fn spelt_out(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(number).map_or_else(|| thousands(number), |word| (*word).to_owned())
}

/// Game points: `31`, `14½`, `½`.
pub(super) fn points(points: f64) -> String {
    let whole = points.floor();
    let rest = points - whole;
    if rest.abs() < 1e-9 {
        format!("{whole:.0}")
    } else if (rest - 0.5).abs() < 1e-9 {
        if whole == 0.0 { "½".into() } else { format!("{whole:.0}½") }
    } else {
        format!("{points:.2}")
    }
}

/// A whole number with commas between groups of three digits.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A percentage with its article: `a 69%`, `an 80%`.
pub(super) fn with_article(percentage: &str) -> String {
    let is_with_vowel = percentage.starts_with('8') || matches!(percentage, "11%" | "18%");
    format!("{} {percentage}", if is_with_vowel { "an" } else { "a" })
}

/// `1 game`, `12 games`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A rating list with its edition, and the points that moved it to another scale:
/// `Elo +3, 1994`.
pub(super) fn list_with_shift(list: &str, edition: impl std::fmt::Display, shift: f64) -> String {
    if shift == 0.0 {
        format!("{list}, {edition}")
    } else {
        format!("{list} {shift:+.0}, {edition}")
    }
}

/// A name in spoken order: `Siegbert Tarrasch` for `Tarrasch, Siegbert`.
pub(super) fn spoken(name: &str) -> String {
    match name.split_once(',') {
        Some((surname, given)) if !given.trim().is_empty() && !given.contains(',') => {
            format!("{} {}", given.trim(), surname.trim())
        }
        _ => name.to_owned(),
    }
}

/// A day in words: `1 January 1898`.
pub(super) fn day(date: jiff::civil::Date) -> String {
    pgn_collections::games::PartialDate::of_day(date).in_words().unwrap_or_default()
}

/// A fraction as a percentage, rounded down so that only the whole is 100%.
pub(super) fn percent(part: f64) -> String {
    format!("{:.0}%", (part * 100.0).floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_fractions_and_separators() {
        assert_eq!(fixed(-3.456, 2), "−3.46");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(points(14.5), "14½");
        assert_eq!(points(0.5), "½");
        assert_eq!(points(31.0), "31");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(354), "354");
        assert_eq!([margin(13.93), margin(1.557), margin(0.927)], ["14", "1.6", "0.93"]);
        let strength = 84.671875;
        assert_eq!(
            [as_certain(strength, Some(4.1)), as_certain(strength, None)],
            ["84.7", "84.67"]
        );
        assert_eq!(in_full(strength), "84.671875");
        assert_eq!([spelt_out(6), spelt_out(23)], ["six", "23"]);
        assert_eq!(percent(0.999), "99%");
        assert_eq!(spoken("Tarrasch, Siegbert"), "Siegbert Tarrasch");
        assert_eq!(spoken("Ding Liren"), "Ding Liren");
        assert_eq!(counted(1, "game", "games"), "1 game");
        assert_eq!([with_article("69%"), with_article("80%")], ["a 69%", "an 80%"]);
    }
}
