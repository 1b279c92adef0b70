//! Writes the analysis of one event as a document: `events/<event_id>.json`.

use serde::{Serialize, Serializer};

use crate::record::all_games::AllGamesFigures;
use crate::record::eligibility::Eligibility;
use crate::record::event_facts::EventFacts;
use crate::record::event_figures::chessmetrics_performances;
use crate::record::event_forecast::{EventForecast, PlayerForecast};
use crate::record::event_inputs::EventInputs;
use crate::record::event_norms::EventNorms;
use crate::record::{Decided, EventRecord};
use pgn_collections::games::PartialDate;
use tournament_app::pairing::OtherOrders;
use tournament_app::words::documents;
use tournament_app::{
    self, Analysis, BeforeCorrection, FitTest, Kind, Line, NumberTwoOrigin, Options,
    PlayerAnalysis, PlayingOrder, Policy, Step,
};

/// The content of `events/<event_id>.json`, which `greatness event --format json` prints.
#[derive(Clone, Debug)]
pub struct EventDocument<'a> {
    /// What the archive knows of the event; absent for an event that comes from no archive.
    pub archive: Option<InArchive<'a>>,
    pub analysis: &'a Analysis,
    /// The scores that ratings predicted, which are written with each player.
    pub forecast: Option<&'a EventForecast>,
    /// The figures of a knock-out with its tie-breaks, which are written with each player.
    pub all_games: &'a [Option<AllGamesFigures>],
    pub orders: Option<OtherOrders>,
    /// The event as the app received it, from which the analysis can be repeated.
    pub input: &'a tournament_app::Event,
    pub options: Options,
    pub decision: Option<&'a Decided>,
}

impl Serialize for EventDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Every field is named, so that the compiler reports a new field of the app.
        let Analysis {
            name,
            kind,
            rating_system,
            rating_label,
            order,
            policy,
            players,
            line,
            fit_test,
            before,
            weak,
            number_two,
            number_two_origin,
            strength,
            strength_error,
            strength_median,
            strength_low,
            strength_high,
            strength_draws: _,
            favourite,
            sweep_probability,
            inversions,
            steps,
        } = self.analysis;
        let forecasts = self.forecast.map_or(&[][..], |forecast| &forecast.players);
        let chessmetrics = chessmetrics_performances(self.input, self.analysis);
        let players = players.iter().zip(chessmetrics).enumerate();
        let players = players.map(|(place, (player, chessmetrics))| PlayerDocument {
            player,
            all_games: self.all_games.get(place).copied().flatten().map(AllGamesDocument::new),
            chessmetrics_raw: chessmetrics.map(|performance| performance.raw),
            chessmetrics_padded: chessmetrics.and_then(|performance| performance.padded),
            forecast: forecasts.get(place).map(Option::as_ref),
        });
        DocumentText {
            archive: self.archive.as_ref(),
            name,
            kind: *kind,
            rating_system,
            rating_label,
            order: *order,
            policy: *policy,
            players: players.collect(),
            line: *line,
            fit_test,
            before,
            weak: *weak,
            number_two: *number_two,
            number_two_origin: *number_two_origin,
            strength: *strength,
            strength_error: *strength_error,
            strength_median: *strength_median,
            strength_low: *strength_low,
            strength_high: *strength_high,
            favourite: favourite.as_deref(),
            sweep_probability: *sweep_probability,
            inversions: inversions
                .iter()
                .map(|inversion| {
                    let [by_points, by_p_zero] = self.analysis.names_of(*inversion);
                    InversionDocument { by_points, by_p_zero }
                })
                .collect(),
            steps,
            input: self.input,
            options: self.options,
            decision: self.decision,
            rankings: self.orders.as_ref(),
        }
        .serialize(serializer)
    }
}

/// The fields of a document in their order: identification, figures, inputs.
#[derive(Serialize)]
struct DocumentText<'a> {
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    archive: Option<&'a InArchive<'a>>,
    name: &'a str,
    kind: Kind,
    rating_system: &'a str,
    rating_label: &'a str,
    order: PlayingOrder,
    policy: Policy,
    players: Vec<PlayerDocument<'a>>,
    line: Option<Line>,
    fit_test: &'a FitTest,
    before: &'a BeforeCorrection,
    weak: bool,
    number_two: Option<f64>,
    number_two_origin: NumberTwoOrigin,
    strength: Option<f64>,
    strength_error: Option<f64>,
    strength_median: Option<f64>,
    strength_low: Option<f64>,
    strength_high: Option<f64>,
    favourite: Option<&'a str>,
    sweep_probability: Option<f64>,
    inversions: Vec<InversionDocument<'a>>,
    #[serde(serialize_with = "documents")]
    steps: &'a [Step],
    input: &'a tournament_app::Event,
    options: Options,
    decision: Option<&'a Decided>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rankings: Option<&'a OtherOrders>,
}

/// Two players of whom one has more points and the other the higher P-Zero.
#[derive(Serialize)]
struct InversionDocument<'a> {
    by_points: &'a str,
    by_p_zero: &'a str,
}

/// The app's figures of a player and the prediction; `null` if there is no prediction.
#[derive(Serialize)]
struct PlayerDocument<'a> {
    #[serde(flatten)]
    player: &'a PlayerAnalysis,
    #[serde(flatten)]
    all_games: Option<AllGamesDocument>,
    /// The raw performance by Chessmetrics (points), from the ratings used.
    chessmetrics_raw: Option<f64>,
    /// The padded performance by Chessmetrics (points), from five games on.
    chessmetrics_padded: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast: Option<Option<&'a PlayerForecast>>,
}

/// A player's figures with the tie-breaks of a knock-out.
#[derive(Serialize)]
struct AllGamesDocument {
    number_all_games: usize,
    points_all_games: f64,
    p_zero_all_games: f64,
    g_score_all_games: Option<f64>,
}

impl AllGamesDocument {
    fn new(figures: AllGamesFigures) -> AllGamesDocument {
        let AllGamesFigures { games, points, p_zero, g_score } = figures;
        AllGamesDocument {
            number_all_games: games,
            points_all_games: points,
            p_zero_all_games: p_zero,
            g_score_all_games: g_score,
        }
    }
}

/// What an archive knows of an event in addition to its analysis.
#[derive(Clone, Debug, Serialize)]
pub struct InArchive<'a> {
    event_id: &'a str,
    site: &'a str,
    start: PartialDate,
    end: PartialDate,
    tempo: &'static str,
    tempo_reason: &'static str,
    expected_games: usize,
    coverage: f64,
    /// The proportion of players whose ratings were estimated from the estimator line.
    supplied: f64,
    rating_source: &'a str,
    /// Day of the rating list that was used; absent if it was not a list.
    rating_edition: Option<String>,
    /// The day for which ratings were looked up.
    rating_day: Option<String>,
    /// Whether the rating tags determined that day.
    rating_day_from_tags: bool,
    /// Sources in the order in which they were tried, with the number of players that each knows.
    rating_sources: &'a [(String, usize)],
    number_two_name: Option<&'a str>,
    top_ten: Vec<TopTen<'a>>,
    class: Option<u32>,
    status: &'static str,
    /// What decides, in addition to the figures, whether the event enters the lists.
    #[serde(rename = "standing")]
    eligibility: &'a Eligibility,
    /// Days, declared winners, end and rounds, which do not enter the analysis.
    facts: &'a EventFacts,
    /// The inputs before the decision; absent without a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<&'a EventInputs>,
    segments: Vec<DocumentSegment>,
    reasons: &'a [String],
    /// The games of the decade: the proportion of games between equals that are drawn, and White's
    /// advantage (points; 0 where colours are unknown).
    draws_between_equals: f64,
    white_advantage: f64,
    /// The category with its norms; absent where the rules do not apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    norms: Option<Norms<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part_of: Option<&'a str>,
}

/// The category of an event, and the norms that were achieved in it.
#[derive(Clone, Debug, Serialize)]
struct Norms<'a> {
    average: f64,
    category: u32,
    is_womens: bool,
    by: &'static str,
    /// The conditions of the rules: met or not, or `null` where it is unknown.
    conditions: Vec<(&'static str, Option<bool>)>,
    made: Vec<NormMade<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct NormMade<'a> {
    name: &'a str,
    title: &'static str,
    games: usize,
    score: f64,
    needed: f64,
}

impl<'a> Norms<'a> {
    fn new(record: &'a EventRecord, norms: &EventNorms) -> Norms<'a> {
        let made = norms.made.iter().map(|norm| NormMade {
            name: &record.analysis.players[norm.place].name,
            title: norm.title.word(),
            games: norm.games,
            score: norm.score,
            needed: norm.needed,
        });
        let conditions = norms.conditions.iter();
        Norms {
            average: norms.average,
            category: norms.category,
            is_womens: norms.is_womens,
            by: norms.by.word(),
            conditions: conditions
                .map(|(condition, met)| (condition.words(norms.is_womens), *met))
                .collect(),
            made: made.collect(),
        }
    }
}

/// One of the best ten active players of the list in force.
#[derive(Clone, Debug, Serialize)]
struct TopTen<'a> {
    rank: usize,
    name: &'a str,
    rating: f64,
    plays: bool,
}

#[derive(Clone, Debug, Serialize)]
struct DocumentSegment {
    kind: &'static str,
    games: usize,
}

impl<'a> EventDocument<'a> {
    /// The document as JSON, with a line feed at its end.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string(self).expect("numbers, texts and lists of them always serialize");
        text.push('\n');
        text
    }

    pub fn new(record: &'a EventRecord) -> EventDocument<'a> {
        let event = &record.event;
        EventDocument {
            archive: Some(InArchive {
                event_id: &event.id,
                site: &event.site,
                start: event.start,
                end: event.end,
                tempo: event.tempo.word(),
                tempo_reason: event.tempo_reason.word(),
                supplied: record.supplied(),
                expected_games: event.recognised.expected_games,
                coverage: event.coverage(),
                rating_source: record.ratings.origin.name(),
                rating_edition: record.ratings.edition.map(|day| day.to_string()),
                rating_day: record.ratings.lookup_day.map(|day| day.to_string()),
                rating_day_from_tags: record.ratings.day_from_tags,
                rating_sources: &record.ratings.tried,
                top_ten: record
                    .ratings
                    .leaders
                    .iter()
                    .map(|leader| TopTen {
                        rank: leader.rank,
                        name: &leader.name,
                        rating: leader.rating,
                        plays: leader.player.is_some(),
                    })
                    .collect(),
                class: record.class(),
                number_two_name: record.ratings.number_two.as_ref().map(|two| two.name.as_str()),
                status: record.status.word(),
                eligibility: &record.eligibility,
                facts: &record.facts,
                undecided: record.undecided.as_deref(),
                segments: event
                    .segments()
                    .into_iter()
                    .map(|(kind, games)| DocumentSegment { kind: kind.words(), games })
                    .collect(),
                reasons: &event.reasons,
                draws_between_equals: record.forecast.draws,
                white_advantage: record.forecast.white,
                norms: record.norms.as_ref().map(|norms| Norms::new(record, norms)),
                part_of: event.part_of.as_deref(),
            }),
            analysis: &record.analysis,
            forecast: Some(&record.forecast),
            all_games: &record.all_games,
            orders: record.orders(),
            input: &record.input,
            options: record.options,
            decision: record.decided.as_ref(),
        }
    }
}
