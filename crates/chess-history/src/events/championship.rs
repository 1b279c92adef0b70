//! Recognises championships of countries, continents and towns: `ch-FRA`, `USA-ch (Women)`.

use super::series::{EventWords, SeriesEdition, SeriesForm};
use super::tag::{before_capital, counts, is_organisation};
use super::tag_token::{Token, is_ordinal_ending, number};
use crate::games::lexicon::{self, Class};
use crate::gazetteer::{country, country_of_name};
use crate::players::fold;

impl EventWords {
    /// Recognises the championship of a country by its code, or that of the town where it is held.
    ///
    /// Examples are `ch-FRA`, `USA-ch (Women)`, `81st ch-FRA 2006` and `TCh-ESP`.
    pub(super) fn national_championship(
        &self,
        base: &str,
        place: &str,
        tokens: &[Token],
    ) -> Option<SeriesEdition> {
        let Championship { noun, adjective, begins_with_noun, last } =
            ChampionshipTag::parse(base, place).find(tokens)?;
        let Additions { mut before, mut behind, has_division } =
            self.additions(noun, &tokens[last + 1..]);
        // `Eastpointe ch-MI` is the championship of Michigan.
        if adjective == place && !begins_with_noun && !behind.is_empty() {
            return None;
        }
        // `Ch Hungary (team)`
        let is_of_teams = noun == "Championship"
            && behind.first().is_some_and(|word| matches!(&**word, "team" | "teams"));
        if is_of_teams {
            behind.remove(0);
        }
        // `ch-FRA Top 16`: the first division of the teams.
        let is_league = behind.first().is_some_and(|word| names_league(word, adjective));
        let noun = if is_league || is_of_teams { "Team Championship" } else { noun };
        // The league is the team championship.
        if noun == "Team Championship" && behind == ["League"] {
            behind.clear();
        }
        // A number after it is that of a division (`1st Div`), except when it is alone (`27th`).
        let until = tokens.len().min(last + 2);
        let mut number = number(&tokens[..until]).filter(|_| !has_division);
        if let ([ordinal], None) = (&behind[..], number)
            && let Ok(counted) = ordinal.trim_end_matches(char::is_alphabetic).parse()
            && ordinal.ends_with(char::is_alphabetic)
        {
            (number, behind) = (Some(counted), Vec::new());
        }
        // `CSR-ch Havirov`, at Havířov: the place follows anyway.
        if !place.is_empty() && fold(&behind.join(" ")) == fold(place) {
            behind.clear();
        }
        // Juniors are under 20.
        before.dedup_by(|age, juniors| age == "U20" && juniors == "Junior");
        // The `Boys' U20` are juniors.
        let noun = match noun {
            "Junior Championship" if before.iter().any(|word| word.starts_with('U')) => {
                "Championship"
            }
            noun => noun,
        };
        let mut parts = [vec![adjective.to_owned()], before, vec![noun.to_owned()], behind];
        // The championship of the world is the `Women's World Championship`.
        if adjective == WORLD && parts[1] == ["Women's"] {
            parts.swap(0, 1);
        }
        let name = parts.concat().join(" ");
        Some(SeriesEdition { name, form: SeriesForm::Numbered, number, wikidata: None })
    }

    /// Expands the tokens after a championship into additions to its name.
    fn additions(&self, noun: &str, tokens: &[Token]) -> Additions {
        let (mut before, mut behind): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut rest = tokens.iter().peekable();
        // The digit of `CZE-chT2` is a division; the number of `USA-ch12` is that of the edition.
        let division = division(tokens).filter(|_| noun == "Team Championship");
        let has_division = division.is_some();
        if let Some((division, length)) = division {
            rest = tokens[length..].iter().peekable();
            behind.push(division);
        } else {
            // The ending of `RUS-ch49th` too.
            if rest.next_if(|token| token.is_number && token.is_joined).is_some() {
                rest.next_if(|token| is_ordinal_ending(token));
            }
        }
        while let Some(token) = rest.next() {
            let next = rest.peek();
            match lexicon::meaning(Class::Adjective, &token.text) {
                Some("") => {}
                Some(meaning) => before.push(meaning.to_owned()),
                None if is_under(token) && next.is_some_and(|next| next.is_number) => {
                    before.push(format!("U{}", rest.next().map_or("", |age| &age.text)));
                }
                // `(juniors) (under 20) (g)`
                None if token.text == "g" && next.is_none() && !before.is_empty() => {
                    before.push("Girls'".to_owned());
                }
                None if token.text == "teams" && noun == "Team Championship" => {}
                // `Div 1a` and `1a`: a division; `Gp1A`: a group.
                None if token.is_number && next.is_some_and(|next| is_part_of_division(next)) => {
                    if !behind.last().is_some_and(|word| matches!(&**word, "Division" | "Group")) {
                        behind.push("Division".to_owned());
                    }
                    let letter = rest.next().map_or_else(String::new, |next| fold(&next.shown));
                    behind.push(format!("{}{}", token.text, letter.to_uppercase()));
                }
                None if token.is_number && next.is_some_and(|next| is_ordinal_ending(next)) => {
                    let ending = rest.next().map_or("", |ending| &ending.text);
                    behind.push(format!("{}{ending}", token.text));
                }
                // `b20` and `g-20`: boys and girls under 20.
                None if next.is_some_and(|next| is_age_of_youth(next)) && is_of_youth(token) => {
                    let whose = if token.text == "b" { "Boys'" } else { "Girls'" };
                    let age = rest.next().map_or("", |age| &age.text);
                    before.extend([format!("U{age}"), whose.to_owned()]);
                }
                // `GP` is a Grand Prix, but a group before a letter or a number.
                None if token.text == "gp" && !next.is_some_and(|next| counts(&next.shown)) => {
                    behind.push("Grand Prix".to_owned());
                }
                None if matches!(&*token.text, "gp" | "gr") => behind.push("Group".to_owned()),
                None if token.text == "g" && next.is_some_and(|next| next.is_number) => {
                    behind.push("Group".to_owned());
                }
                None => behind.push(self.meaning(token)),
            }
        }
        // `Women's` comes first, in any order of the words in the tag.
        before.sort_by_key(|word| word != "Women's");
        Additions { before, behind, has_division }
    }

    /// Expands a token if it is an abbreviation, or one with a letter: `DivA` is `Division A`.
    fn meaning(&self, token: &Token) -> String {
        if let Some(meaning) = lexicon::written(&token.text) {
            return meaning.to_owned();
        }
        if let Some((known, letter)) = before_capital(&token.shown)
            && let Some(meaning) = lexicon::written(&fold(known))
        {
            return format!("{meaning} {letter}");
        }
        token.shown.clone()
    }
}

/// Words added to the name of a championship.
struct Additions {
    /// Words that go before the noun: `Women's`, `U18`.
    before: Vec<String>,
    /// Words that go after the noun: `Group A`.
    behind: Vec<String>,
    /// Whether the first word after the noun is the division of a team championship.
    has_division: bool,
}

/// A championship in the tokens of an Event tag.
struct Championship<'a> {
    /// `Championship`, `Team Championship`, `Open`, `Cup`.
    noun: &'static str,
    /// The adjective of a country or continent, or the name of a town.
    adjective: &'a str,
    /// Whether the noun is the first of the two tokens: `ch-FRA`, not `FRA-ch`.
    begins_with_noun: bool,
    /// The index of the second of the two tokens.
    last: usize,
}

/// What the championship of the world has instead of the adjective of a country.
const WORLD: &str = "World";

/// An Event tag that may name a championship.
struct ChampionshipTag<'a> {
    base: &'a str,
    place: &'a str,
    /// Whether `chI` in the tag is an international championship, and not the country `CHI`.
    is_international: bool,
}

impl<'a> ChampionshipTag<'a> {
    fn parse(base: &'a str, place: &'a str) -> ChampionshipTag<'a> {
        let is_international = base.contains("-chI") && !base.contains("-CHI");
        ChampionshipTag { base, place, is_international }
    }

    /// Finds the first two adjacent words that are a noun and a country.
    fn find(&self, tokens: &[Token]) -> Option<Championship<'a>> {
        let words: Vec<(usize, &Token)> = tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| !token.is_number && !is_ordinal_ending(token))
            .collect();
        words.windows(2).find_map(|two| {
            let [(_, first), (last, second)] = [two[0], two[1]];
            let begins_with_noun = self.noun(first).is_some();
            let forward = self.noun(first).filter(|noun| !self.is_club(first, noun));
            let forward =
                forward.and_then(|noun| Some((noun, self.adjective_behind(noun, second)?)));
            let found = forward.or_else(|| self.noun(second).zip(self.adjective(first)));
            let (noun, adjective) = found?;
            // `Copenhagen Open` needs no adjective.
            let is_open_of_town = noun == "Open" && adjective == self.place;
            (!is_open_of_town).then_some(Championship { noun, adjective, begins_with_noun, last })
        })
    }

    fn noun(&self, token: &Token) -> Option<&'static str> {
        match (&*token.text, self.is_international) {
            ("chi", true) => Some("International Championship"),
            // `SVK-Cup` is Slovakia's, but `Kettler Cup CZE-USA` is a match.
            ("cup", _)
                if !self.base.split_whitespace().any(|word| {
                    word.rsplit_once('-')
                        .is_some_and(|(code, rest)| code.len() == 3 && rest == token.shown)
                }) =>
            {
                None
            }
            _ => lexicon::meaning(Class::Kind, &token.text),
        }
    }

    /// Returns whether a noun is the first word of the name of a club: `SF Berlin`.
    fn is_club(&self, token: &Token, noun: &str) -> bool {
        noun.ends_with("Semifinal") && self.base.starts_with(&format!("{} ", token.shown))
    }

    /// Returns the adjective of what a token after a championship names: also the world (`Ch
    /// World`) or a country (`Ch Spain`).
    fn adjective_behind(&self, noun: &str, token: &Token) -> Option<&'a str> {
        let adjective = self.adjective(token);
        if adjective.is_some() || !noun.ends_with("Championship") {
            return adjective;
        }
        if token.text == "world" {
            return Some(WORLD);
        }
        country_of_name(&token.shown).map(|country| country.adjective)
    }

    /// Returns the adjective of the continent, town or country that a token names.
    fn adjective(&self, token: &Token) -> Option<&'a str> {
        // `ch-Moscow`, at Moscow.
        let is_town = !self.place.is_empty() && fold(self.place) == token.text;
        lexicon::meaning(Class::Continent, &token.text).or(is_town.then_some(self.place)).or_else(
            || {
                // `City-ch` and `78th ch-City`, at Moscow.
                let is_of_city = token.text == "city"
                    && !self.place.is_empty()
                    && (self.base.starts_with("City-") || self.base.ends_with("ch-City"));
                if is_of_city {
                    return Some(self.place);
                }
                let shown = &token.shown;
                // `Open Aut` is in autumn, and `ch-Aut` is Austria's championship.
                let is_code = token.text.len() == 3
                    && ((shown.chars().all(char::is_uppercase) && !is_organisation(shown))
                        || self.base.contains(&format!("-{shown}"))
                        || self.base.contains(&format!("{shown}-")))
                    && !(token.text == "chi" && self.is_international);
                is_code.then(|| country(&token.text.to_uppercase())).flatten().map(|c| c.adjective)
            },
        )
    }
}

/// Parses the division after the code of a team championship: `CZE-chT1a`.
///
/// Returns its name and the number of its tokens.
fn division(behind: &[Token]) -> Option<(String, usize)> {
    let digit = behind.first().filter(|token| token.is_number && token.is_joined)?;
    if digit.text.len() > 1 {
        return None;
    }
    let group = behind.get(1).filter(|token| token.is_joined && !is_ordinal_ending(token));
    let name = match group {
        Some(Token { shown, .. }) if matches!(&**shown, "a" | "b" | "c" | "d") => {
            format!("Division {} Group {}", digit.text, shown.to_uppercase())
        }
        // In German, `O` is the east: `AUT-chT2O`.
        Some(Token { shown, .. }) if shown == "O" => format!("Division {} East", digit.text),
        Some(Token { shown, .. }) if shown == "W" => format!("Division {} West", digit.text),
        Some(Token { shown, .. }) => format!("Division {} {shown}", digit.text),
        None => format!("Division {}", digit.text),
    };
    Some((name, 1 + usize::from(group.is_some())))
}

/// Returns whether a letter follows the number of a division.
fn is_part_of_division(token: &Token) -> bool {
    token.is_joined && matches!(&*token.text, "a" | "b" | "c" | "d")
}

/// Returns whether a word behind the championship of a country names its league of teams.
fn names_league(word: &str, adjective: &str) -> bool {
    lexicon::rows(&fold(word)).any(|row| {
        row.meaning == "league"
            && country(row.country).is_some_and(|country| country.adjective == adjective)
    })
}

/// Returns whether a word stands before the age of a youth championship.
fn is_under(token: &Token) -> bool {
    matches!(&*token.text, "u" | "under")
}

/// Returns whether a letter stands for boys or girls.
fn is_of_youth(token: &Token) -> bool {
    matches!(&*token.text, "b" | "g")
}

/// Returns whether a number is the age of a youth championship: even, from 8 to 20.
fn is_age_of_youth(token: &Token) -> bool {
    token.is_number
        && token.text.parse::<u8>().is_ok_and(|age| (8..=20).contains(&age) && age % 2 == 0)
}
