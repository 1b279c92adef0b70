//! Recognises the series of events that Event tags name.

use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use thiserror::Error;

use super::known_results::KnownResults;
use super::name_words::roman;
use super::tag_token::{Token, key_of, number, tokens};
use crate::games::MONTHS;
use crate::games::lexicon::{self, Class};
use crate::players::fold;
use crate::wikidata::WikidataId;

/// How the name of a series is combined with place, year and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SeriesForm {
    /// `Interzonal, Portorož 1958`.
    Place,
    /// `AVRO 1938`.
    Bare,
    /// `14th USSR Championship, Moscow 1945`.
    Numbered,
}

/// The edition of a series that an Event tag names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeriesEdition {
    /// `USSR Championship`.
    pub name: String,
    pub form: SeriesForm,
    /// The number of the edition, if the tag contains it and the series is usually numbered.
    pub number: Option<u16>,
    /// The item of Wikidata about the series, if the table has it.
    pub wikidata: Option<WikidataId>,
}

/// A series of events with its item of Wikidata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentifiedSeries {
    /// `USSR Championship`.
    pub name: String,
    /// The item about the series.
    pub wikidata: WikidataId,
}

/// A table of series that cannot be read.
#[derive(Debug, Error)]
#[error("not a table of series (CSV with the columns key, place, name, form): {0}")]
pub struct SeriesError(#[from] csv::Error);

/// The known series, abbreviations, names and results of events.
#[derive(Clone, Debug)]
pub struct EventWords {
    /// Each series, by key and place.
    listed_series: FxHashMap<(String, String), ListedSeries>,
    /// The field and the usual name of each event with an identifier in the table.
    names: FxHashMap<String, (String, String)>,
    /// The known results of events.
    pub results: KnownResults,
}

/// A row of the table of events whose usual name is not in their tags.
#[derive(Deserialize)]
struct KnownName {
    event_id: String,
    field: String,
    name: String,
}

#[derive(Clone, Debug)]
struct ListedSeries {
    name: String,
    form: SeriesForm,
    wikidata: Option<WikidataId>,
}

impl ListedSeries {
    /// Names the edition that a tag denotes, with its number and its age group.
    fn edition(self, base: &str, tokens: &[Token], number: Option<u16>) -> SeriesEdition {
        let ListedSeries { name, form, wikidata } = self;
        let number = number.filter(|_| form == SeriesForm::Numbered);
        // A league has the number of its teams: `Top 16`.
        let of_top = tokens.windows(2).find(|two| two[0].text == "top" && two[1].is_number);
        let words = name.split(' ').map(|word| match of_top {
            Some([_, number]) if word == "Top" => format!("{word} {}", number.text),
            _ => word.to_owned(),
        });
        let name = words.collect::<Vec<_>>().join(" ");
        let aged = add_age_group(name.clone(), base, tokens);
        // The item is about the series of all ages.
        let wikidata = wikidata.filter(|_| aged == name);
        SeriesEdition { name: aged, form, number, wikidata }
    }
}

#[derive(Deserialize)]
struct SeriesRow {
    key: String,
    place: String,
    name: String,
    form: SeriesForm,
    /// A user's table may lack this column.
    #[serde(default)]
    wikidata: Option<WikidataId>,
}

impl Default for EventWords {
    fn default() -> EventWords {
        static BUNDLED: LazyLock<EventWords> = LazyLock::new(|| {
            let mut words = EventWords {
                listed_series: FxHashMap::default(),
                names: FxHashMap::default(),
                results: KnownResults::default(),
            };
            let table = include_str!("../../../../data/events/series.csv");
            let table = csv::Reader::from_reader(table.as_bytes());
            words.add(table).expect("the bundled table is valid");
            let table = include_str!("../../../../data/events/names.csv");
            let mut table = csv::Reader::from_reader(table.as_bytes());
            for line in table.deserialize() {
                let KnownName { event_id, field, name } = line.expect("the bundled table is valid");
                words.names.insert(event_id, (field, name));
            }
            words
        });
        BUNDLED.clone()
    }
}

impl EventWords {
    /// Adds the series of a CSV file. Its columns are:
    ///
    /// - `key`: the words of the Event tag in small letters, without numbers;
    /// - `place`: where the words have this meaning only at one place or in one country (`FRA`);
    ///   mostly empty;
    /// - `name`: the name without year, number and place;
    /// - `form`: `place`, `bare` or `numbered`;
    /// - `wikidata`, optional: the item about the series, such as `Q1`; mostly empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or lacks these columns.
    pub fn read(&mut self, path: &Path) -> Result<(), SeriesError> {
        Ok(self.add(csv::Reader::from_path(path)?)?)
    }

    fn add<R: std::io::Read>(&mut self, mut reader: csv::Reader<R>) -> Result<(), csv::Error> {
        for line in reader.deserialize() {
            let SeriesRow { key, place, name, form, wikidata } = line?;
            let series = ListedSeries { name, form, wikidata };
            self.listed_series.insert((key_of(&tokens(&key)), fold(&place)), series);
        }
        Ok(())
    }

    /// Returns the usual name of an event whose tags do not contain it, if its field agrees.
    pub(super) fn known_name(&self, id: &str, field: impl FnOnce() -> String) -> Option<&str> {
        let (players, name) = self.names.get(id)?;
        (fold(players) == fold(&field())).then_some(name)
    }

    /// Returns the known series that a name denotes at a place of a country, given by its code.
    pub(super) fn find_series(
        &self,
        base: &str,
        place: &str,
        country: &str,
    ) -> Option<SeriesEdition> {
        let tokens = tokens(base);
        if let Some(known) = self.listed(&tokens, place, country) {
            return Some(known.clone().edition(base, &tokens, number(&tokens)));
        }
        // `FSIM July`: a tournament of every month.
        if let [code, month] = &tokens[..]
            && let Some(month) = MONTHS.iter().find(|name| fold(name) == month.text)
            && let Some(name) = monthly_series(&code.text)
        {
            let listed = ListedSeries {
                name: format!("{name} {month}"),
                form: SeriesForm::Place,
                wikidata: None,
            };
            return Some(listed.edition(base, &tokens, None));
        }
        if let Some((first, rest)) = tokens.split_first()
            && let Some(roman) = roman(&first.text.to_uppercase()).filter(|number| *number > 1)
            && !matches!(&*first.text, "l")
            && let Some(known) = self.listed(rest, place, country)
        {
            return Some(known.clone().edition(base, &tokens, Some(roman)));
        }
        self.stage_of_cycle(base, place)
            .or_else(|| self.national_championship(base, place, &tokens))
    }

    /// Recognises a stage of the world championship whose tag begins with its place: `Biel izt`.
    fn stage_of_cycle(&self, base: &str, place: &str) -> Option<SeriesEdition> {
        let (first, stage) = base.rsplit_once(' ')?;
        let tokens = tokens(stage);
        let is_stage = lexicon::means(Class::Series, &key_of(&tokens), "cycle");
        let series = self.listed(&tokens, "", "");
        let series = series.filter(|_| is_stage && fold(first) == fold(place))?;
        Some(series.clone().edition(stage, &tokens, None))
    }

    /// Looks up a series by its words: first for the place, then for the country, then for any
    /// place.
    fn listed(&self, tokens: &[Token], place: &str, country: &str) -> Option<&ListedSeries> {
        let key = key_of(tokens);
        [place, country, ""]
            .iter()
            .find_map(|place| self.listed_series.get(&(key.clone(), fold(place))))
    }
}

/// Returns the series that has a tournament every month: `First Saturday GM` for `fsgm`.
pub(super) fn monthly_series(code: &str) -> Option<&'static str> {
    lexicon::written(code).filter(|_| lexicon::meaning(Class::Series, code).is_some())
}

/// Adds the age group to a name: that of seniors, or the one after `U`, `WYb` and similar words.
///
/// Players under 20 are juniors.
fn add_age_group(name: String, base: &str, tokens: &[Token]) -> String {
    // `65+` and `+65`: seniors of at least that age. A plus at the end of a tag may be lost.
    let mut numbers = base.split_whitespace().map(|word| word.trim_matches('+'));
    let seniors = numbers.find(|number| matches!(*number, "50" | "60" | "65" | "75"));
    if let Some(age) = seniors.filter(|_| name.contains("Senior")) {
        return format!("{name} {age}+");
    }
    let is_youth = name.contains("Youth");
    let age = tokens.windows(2).find_map(|two| {
        let is_of_youth = match &*two[0].text {
            "u" | "wyb" | "wyg" | "eyb" | "eyg" => true,
            // `b14` and `g14` of a youth championship.
            "b" | "g" => is_youth && two[1].is_joined,
            _ => false,
        };
        let age: u16 = two[1].text.parse().ok().filter(|_| is_of_youth && two[1].is_number)?;
        (6..=26).contains(&age).then_some(age)
    });
    match age {
        Some(20) if name.contains("Youth") => name.replace("Youth", "Junior"),
        Some(20) if name.contains("Junior") => name,
        Some(age) if !name.contains(&format!("U{age}")) => format!("{name} U{age}"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &str) -> usize {
        table.lines().count() - 1
    }

    #[test]
    fn every_row_of_the_tables_is_read() {
        let words = EventWords::default();
        // The table has several spellings that fold to the same key.
        assert!(
            words.listed_series.len() * 100
                > rows(include_str!("../../../../data/events/series.csv")) * 98
        );
    }

    #[test]
    fn series_are_recognised_by_their_words() {
        let words = EventWords::default();
        for (base, place, name, number) in [
            ("URS-ch14", "Moscow", "USSR Championship", Some(14)),
            ("DSB-09.Kongress", "Leipzig", "DSB Congress", Some(9)),
            ("XX SuperGM", "Linares", "Linares", None),
            ("81st ch-FRA 2006", "", "French Championship", Some(81)),
            ("USA-ch (Women)", "", "US Women's Championship", None),
            ("TCh-ESP", "", "Spanish Team Championship", None),
            ("GER-chI", "Dortmund", "German International Championship", None),
            ("ch-CHI", "", "Chilean Championship", None),
            ("TCh-POR 1st Div Final", "", "Portuguese Team Championship 1st Division Final", None),
            ("CAN-op", "", "Canadian Open", None),
            ("Asia-ch", "", "Asian Championship", None),
            ("ch-HUN U18", "", "Hungarian U18 Championship", None),
        ] {
            let series = words.find_series(base, place, "").expect("a series");
            assert_eq!((series.name.as_str(), series.number), (name, number));
        }
        for (base, place) in [("Holland 1938", "Amsterdam"), ("Vienna", "Vienna")] {
            assert_eq!(words.find_series(base, place, ""), None);
        }
    }

    #[test]
    fn an_item_of_wikidata_is_about_the_series_of_all_ages() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let table = "key,place,name,form,wikidata\nnautilus,,Nautilus Open,place,Q1\n\
                     nautilus u,,Nautilus Open,place,Q1\n";
        std::fs::write(file.path(), table).expect("written");
        let mut words = EventWords::default();
        words.read(file.path()).expect("a table");
        for (base, name, item) in [
            ("Nautilus", "Nautilus Open", Some("Q1".to_owned())),
            ("Nautilus U18", "Nautilus Open U18", None),
        ] {
            let series = words.find_series(base, "", "").expect("a series");
            let found = series.wikidata.map(|item| item.to_string());
            assert_eq!((series.name.as_str(), found), (name, item));
        }
        std::fs::write(file.path(), table.replace("Q1", "1")).expect("written");
        assert!(words.read(file.path()).is_err());
    }

    #[test]
    fn words_may_name_a_series_of_one_country() {
        let words = EventWords::default();
        for (base, country, name) in [
            ("TOP 16 GpA", "FRA", Some("French Team Championship Top 16 Group A")),
            ("TOP 16 GpA", "BEL", None),
            ("National I", "FRA", Some("French Team Championship National I")),
            ("National I", "", None),
        ] {
            let found = words.find_series(base, "Bordeaux", country).map(|series| series.name);
            assert_eq!(found.as_deref(), name);
        }
    }
}
