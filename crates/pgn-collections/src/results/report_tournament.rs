//! What a tournament report states about the whole tournament.

use super::report_line::ReportLine;
use super::results_draft::ResultsDraft;
use crate::games::{GameFlags, PartialDate, tag_flags};

/// What a report states about the whole tournament.
#[derive(Default)]
pub(super) struct Tournament {
    pub name: String,
    pub city: String,
    pub federation: String,
    pub start: PartialDate,
    pub end: PartialDate,
    pub kind: String,
    /// The time control in words.
    pub allotted_times: String,
    /// The time control as in a PGN tag.
    pub time_control: String,
    pub rounds: u8,
    /// The text with the dates of the rounds, and its line.
    pub dates: Option<(u32, String)>,
}

impl Tournament {
    /// The place, as PGN tags write it: the city and the code of its federation.
    pub fn site(&self) -> String {
        let Tournament { city, federation, .. } = self;
        if city.ends_with(federation.as_str()) {
            city.clone()
        } else {
            format!("{city} {federation}")
        }
    }

    /// What is known about the day of a game without a date: the parts in which the first and the
    /// last day agree.
    fn day(&self) -> PartialDate {
        let (start, end) = (self.start, self.end);
        if start == end {
            return start;
        }
        let year = start.year().map_or(0, i16::unsigned_abs);
        match start.month() {
            Some(month) if start.year() == end.year() && end.month() == Some(month) => {
                PartialDate::parse(&format!("{year}.{month:02}")).unwrap_or_default()
            }
            _ => PartialDate::of_year(year),
        }
    }

    /// Returns the dates of the rounds that the days of the tournament show: of the first round,
    /// and of the last one if the report has all rounds.
    fn days_of_ends(&self, rounds: usize) -> Vec<PartialDate> {
        let mut dates = vec![self.day(); rounds];
        if let Some(first) = dates.first_mut()
            && self.start.is_exact()
        {
            *first = self.start;
        }
        if let Some(last) = dates.last_mut()
            && self.end.is_exact()
            && rounds > 1
            && rounds >= usize::from(self.rounds)
        {
            *last = self.end;
        }
        dates
    }

    pub fn dates_of_rounds(&self, rounds: usize, draft: &mut ResultsDraft) -> Vec<PartialDate> {
        let unknown = self.days_of_ends(rounds);
        let Some((number, text)) = &self.dates else { return unknown };
        let line = ReportLine::new(text);
        let mut by_columns = (0..rounds).map(|round| match line.of_round(round, 1, 10) {
            "" => Some(unknown[round]),
            text => self.day_of_round(text),
        });
        if let Some(dates) = by_columns.by_ref().collect::<Option<Vec<_>>>()
            && dates != unknown
        {
            return dates;
        }
        // Some programs write the dates one after the other, from the fifth column on.
        let words = line.rest(5).split_whitespace().map(|word| self.day_of_round(word));
        match words.collect::<Option<Vec<_>>>() {
            Some(dates) if dates.len() == rounds => dates,
            _ => {
                let message = "the dates of the rounds are not in the columns of the format; they \
                               are not read";
                draft.bad_value(*number, message);
                unknown
            }
        }
    }

    /// Parses the date of a round, whose year has two digits or four. The year is first, unless the
    /// day would be outside the days of the tournament.
    fn day_of_round(&self, text: &str) -> Option<PartialDate> {
        let day_first = || {
            let mut parts: Vec<&str> = text.split(['/', '.', '-']).collect();
            parts.reverse();
            self.day_with_year_first(&parts.join("/"))
        };
        let first = self.day_with_year_first(text);
        let is_within =
            |day: PartialDate| !self.end.is_exact() || self.start <= day && day <= self.end;
        first
            .filter(|day| is_within(*day))
            .or_else(|| day_first().filter(|day| is_within(*day)))
            .or(first)
    }

    /// Parses a date whose year is first or has four digits. The century is that of the first day.
    fn day_with_year_first(&self, text: &str) -> Option<PartialDate> {
        let year = text.split(['/', '.', '-']).next()?;
        let last = text.rsplit(['/', '.', '-']).next()?;
        let date = match (year.len(), self.start.year()) {
            _ if last.len() == 4 => written_day(text)?,
            (2, Some(start)) => {
                let within: i16 = year.parse().ok()?;
                // A tournament that begins in 1999 may end in 2000.
                let years = [start - start % 100 + within, start - start % 100 + 100 + within];
                let year = years.into_iter().find(|year| *year >= start)?;
                PartialDate::parse(&format!("{year}{}", &text[2..]))?
            }
            (4, _) => PartialDate::parse(text)?,
            _ => return None,
        };
        date.is_exact().then_some(date)
    }

    /// What the time control and the type state about all games.
    pub fn flags(&self) -> GameFlags {
        let tempo = [self.time_control.as_str(), self.allotted_times.as_str()]
            .into_iter()
            .map(tag_flags::of_time_control)
            .find(|flags| !flags.is_empty());
        tempo.unwrap_or_default() | tag_flags::of_event_type(&self.kind)
    }
}

/// Parses a day in one of the forms of reports.
///
/// With dots the day is first (`18.12.2009`, `28. 07. 2005`). With slashes it may be the month.
pub(super) fn written_day(text: &str) -> Option<PartialDate> {
    let year_first = match text.split('.').map(str::trim).collect::<Vec<_>>()[..] {
        [day, month, year] if year.len() == 4 => Some(format!("{year}.{month}.{day}")),
        _ => None,
    };
    PartialDate::parse(year_first.as_deref().unwrap_or(text))
        .or_else(|| PartialDate::parse_other_form(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_without_a_date_has_what_is_common_to_the_days_of_the_tournament() {
        for (start, end, expected) in [
            ("2024/05/01", "2024/05/01", "2024.05.01"),
            ("2024/05/01", "2024/05/09", "2024.05.??"),
            ("2024/05/28", "2024/06/02", "2024.??.??"),
            ("2024/05/28", "", "2024.??.??"),
        ] {
            let [start, end] = [start, end].map(|text| PartialDate::parse(text).unwrap());
            let tournament = Tournament { start, end, ..Tournament::default() };
            assert_eq!(tournament.day().to_string(), expected);
        }
    }

    #[test]
    fn the_days_of_the_tournament_are_those_of_its_first_and_last_round() {
        let days = |end: &str, stated: u8| {
            let [start, end] = ["2024/05/01", end].map(|text| PartialDate::parse(text).unwrap());
            let tournament = Tournament { start, end, rounds: stated, ..Tournament::default() };
            tournament.days_of_ends(3).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(days("2024/05/03", 0), ["2024.05.01", "2024.05.??", "2024.05.03"]);
        // Of a report after three of nine rounds the last day is not that of the third round.
        assert_eq!(days("2024/05/09", 9), ["2024.05.01", "2024.05.??", "2024.05.??"]);
        assert_eq!(days("", 3), ["2024.05.01", "2024.??.??", "2024.??.??"]);
    }

    #[test]
    fn the_year_of_a_round_is_in_the_century_of_the_tournament() {
        let start = PartialDate::parse("1999/12/27").unwrap();
        let tournament = Tournament { start, ..Tournament::default() };
        for (text, expected) in [
            ("99/12/28", Some("1999.12.28")),
            ("00/01/02", Some("2000.01.02")),
            ("2000/01/02", Some("2000.01.02")),
            ("é/01/02", None),
            ("00/13/02", None),
        ] {
            let day = tournament.day_of_round(text).map(|day| day.to_string());
            assert_eq!(day.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_day_of_a_round_is_first_if_only_that_is_within_the_tournament() {
        let [start, end] =
            ["2019/08/01", "2019/08/09"].map(|text| PartialDate::parse(text).unwrap());
        let tournament = Tournament { start, end, ..Tournament::default() };
        for (text, expected) in [
            ("19/08/05", "2019.08.05"),
            ("05/08/19", "2019.08.05"),
            ("05.08.19", "2019.08.05"),
            // A round after the last day has the usual form.
            ("19/08/12", "2019.08.12"),
        ] {
            let day = tournament.day_of_round(text).map(|day| day.to_string());
            assert_eq!(day.as_deref(), Some(expected), "{text}");
        }
    }
}
