//! Numbers as people read them.

/// A true minus sign in place of the hyphen.
fn minus(text: String) -> String {
    match text.strip_prefix('-') {
        // Rounding to nothing leaves no sign: `-0.00` is 0.00.
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("\u{2212}{rest}"),
        None => text,
    }
}

/// A number with so many decimals.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    minus(format!("{value:.decimals$}"))
}

/// A number with so many decimals; empty where unknown.
pub(super) fn fixed_or_empty(value: Option<f64>, decimals: usize) -> String {
    value.map(|value| fixed(value, decimals)).unwrap_or_default()
}

/// A standard error: two figures of it are enough.
pub(super) fn margin(error: f64) -> String {
    let decimals = match error {
        10.0.. => 0,
        1.0.. => 1,
        _ => 2,
    };
    fixed(error, decimals)
}

/// A whole number as prose has it: in words up to twelve.
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

/// A whole number with thousands separated, for prose.
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

/// `1 game`, `12 games`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A name as it is said: `Siegbert Tarrasch` for `Tarrasch, Siegbert`.
pub(super) fn spoken(name: &str) -> String {
    match name.split_once(',') {
        Some((surname, given)) if !given.trim().is_empty() && !given.contains(',') => {
            format!("{} {}", given.trim(), surname.trim())
        }
        _ => name.to_owned(),
    }
}

/// A day as it is said: `1 January 1898`.
pub(super) fn day(date: jiff::civil::Date) -> String {
    crate::games::PartialDate::of_day(date).in_words().unwrap_or_default()
}

/// A part as a percentage, never rounded up to the whole.
pub(super) fn percent(part: f64) -> String {
    format!("{:.0}%", (part * 100.0).floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_set_as_in_print() {
        assert_eq!(fixed(-3.456, 2), "−3.46");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(points(14.5), "14½");
        assert_eq!(points(0.5), "½");
        assert_eq!(points(31.0), "31");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(354), "354");
        assert_eq!([margin(13.93), margin(1.557), margin(0.927)], ["14", "1.6", "0.93"]);
        assert_eq!([spelt_out(6), spelt_out(23)], ["six", "23"]);
        assert_eq!(percent(0.999), "99%");
        assert_eq!(spoken("Tarrasch, Siegbert"), "Siegbert Tarrasch");
        assert_eq!(spoken("Ding Liren"), "Ding Liren");
        assert_eq!(counted(1, "game", "games"), "1 game");
    }
}
