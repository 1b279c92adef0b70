//! Holds an event with its ratings, its analysis and its eligibility for the lists.

pub mod all_games;
mod analysed_event;
mod decided;
pub mod eligibility;
pub mod event_facts;
pub mod event_figures;
pub mod event_forecast;
pub mod event_inputs;
pub mod event_norms;
pub mod review_reason;
pub mod scoring;
pub mod status;

pub use analysed_event::{AnalysedEvent, BracketResult};
pub use decided::Decided;

use crate::record::all_games::AllGamesFigures;
use crate::record::eligibility::Eligibility;
use crate::record::event_facts::EventFacts;
use crate::record::event_forecast::EventForecast;
use crate::record::event_inputs::EventInputs;
use crate::record::event_norms::EventNorms;
use crate::record::status::Status;
use crate::settings::ListSettings;
use chess_history::events::{Event, Scoring, SegmentKind};
use chess_history::gazetteer::{Places, country_code};
use chess_history::ratings::InitialRatings;
use tournament_app::order_test::{OrderTest, has_equal_games};
use tournament_app::pairing::{OtherOrders, other_orders};
use tournament_app::{Analysis, Kind, Options, RatingOrigin};

/// The figures of an event that follow from the analyses of all events.
#[derive(Clone, Debug)]
pub struct LaterFigures {
    pub status: Status,
    pub performances: Status,
    pub bracket_result: Option<BracketResult>,
    pub all_games: Vec<Option<AllGamesFigures>>,
    pub forecast: EventForecast,
    pub norms: Option<EventNorms>,
}

impl EventRecord {
    pub fn new(analysed: AnalysedEvent, later: LaterFigures) -> EventRecord {
        let winners = analysed.winners_with(later.bracket_result);
        let withdrawn = withdrawn(&analysed.event, &analysed.analysis);
        EventRecord {
            event: analysed.event,
            winners,
            withdrawn,
            bracket_result: later.bracket_result,
            ratings: analysed.ratings,
            input: analysed.input,
            options: analysed.options,
            analysis: analysed.analysis,
            decided: analysed.decided,
            undecided: analysed.undecided,
            eligibility: analysed.eligibility,
            facts: analysed.facts,
            status: later.status,
            performances: later.performances,
            all_games: later.all_games,
            forecast: later.forecast,
            norms: later.norms,
            great: analysed.great,
            has_page: true,
        }
    }

    /// The record, with or without its own page.
    #[must_use]
    pub fn with_page(self, has_page: bool) -> EventRecord {
        EventRecord { has_page, ..self }
    }

    /// The code of the country of the event, from its tags or from the table of places. `None` if
    /// it was in several countries.
    pub fn country(&self, places: &Places) -> Option<&'static str> {
        let tagged = self.event.tagged_site.split_whitespace().next_back().and_then(country_code);
        // Several places: `Moscow/Tbilisi`.
        let mut of_places = self.event.site.split('/').map(|place| places.country(place.trim()));
        let first = of_places.next().flatten();
        let common = first.filter(|first| of_places.all(|country| country == Some(*first)));
        tagged.or_else(|| common.and_then(country_code))
    }

    /// The proportion of players, in `[0, 1]`, whose ratings were estimated from the
    /// estimator line.
    pub fn supplied(&self) -> f64 {
        eligibility::supplied(&self.analysis)
    }

    /// The inputs of the event's analysis, after decisions.
    pub fn case(&self) -> EventInputs {
        let (input, facts) = (self.input.clone(), self.facts.clone());
        EventInputs { input, options: self.options, eligibility: self.eligibility.clone(), facts }
    }

    /// Other rankings of the event (tie-breaks and others); `None` for matches. They are computed
    /// on demand: stored for every event they would take a fifth of all memory.
    pub fn orders(&self) -> Option<OtherOrders> {
        other_orders(&self.input)
    }

    /// The places in the analysis of the winners; see [`AnalysedEvent::winners_with`].
    pub fn winners(&self) -> Vec<usize> {
        self.winners.clone()
    }

    /// The winners by the known games alone.
    pub fn winners_by_points(&self) -> Vec<usize> {
        self.eligibility.winners_by_points(&self.analysis)
    }

    /// How the places follow from the games, by decision or by historical sources.
    pub fn scoring(&self) -> Scoring {
        self.event.scoring()
    }

    /// Whether a player withdrew: none of the player's games counts in the table of the event.
    /// `standing` is the player's place in the analysis, from 0.
    pub fn withdrew(&self, standing: usize) -> bool {
        self.withdrawn.binary_search(&standing).is_ok()
    }

    /// The number of players whose rating has this origin.
    pub fn ratings_of_origin(&self, origin: RatingOrigin) -> usize {
        self.analysis.players.iter().filter(|player| player.rating_origin == origin).count()
    }

    /// The places in the analysis of the players who withdrew.
    pub fn withdrawn(&self) -> &[usize] {
        &self.withdrawn
    }

    /// The number of players who did not withdraw. Pages that show a number of players show this.
    pub fn finishers(&self) -> usize {
        self.event.players.len() - self.withdrawn.len()
    }

    /// The G-score that pages show. That of a player who withdrew has a meaning only if it is
    /// ranked.
    pub fn shown_g_score(&self, standing: usize) -> Option<f64> {
        let g_score = self.analysis.players[standing].g_score;
        g_score.filter(|_| self.great[standing].is_some() || !self.withdrew(standing))
    }

    /// Why a performance can enter no ranked list, in a few words; empty if it can.
    ///
    /// Lists, best performances and pages share this rule. `standing` is the player's place in the
    /// analysis, from 0.
    pub fn unranked(&self, standing: usize, lists: &ListSettings) -> &'static str {
        let (known, expected) = self.games_of(standing);
        if self.event.ranked_elsewhere {
            match self.event.part_of {
                Some(_) => "ranked with the whole event",
                None => "ranked match by match",
            }
        } else if self.performances != Status::Listed {
            self.performances.note()
        } else if self.withdrew(standing) && self.great[standing].is_none() {
            "withdrew"
        } else if known != expected && self.eligibility.listed != Some(true) {
            "some of the games missing"
        } else if !lists.has_enough_games(&self.analysis.players[standing]) {
            "too few games"
        } else {
            ""
        }
    }

    /// Whether a G-score is high enough for a list but not ranked, which pages say next to it.
    pub fn is_unranked_g(&self, standing: usize, lists: &ListSettings) -> bool {
        self.shown_g_score(standing).is_some_and(|g_score| g_score >= lists.minimum_g_score)
            && !self.unranked(standing, lists).is_empty()
    }

    /// The number of a player's games that are known, and that a complete event would have.
    /// `standing` is the player's place in the analysis, from 0.
    pub fn games_of(&self, standing: usize) -> (usize, usize) {
        self.eligibility.games_of(&self.analysis.players[standing])
    }

    /// Whether the event is a round robin with equal numbers of games, all of them known.
    pub fn is_whole_round_robin(&self) -> bool {
        let is_round_robin = matches!(
            self.event.kind,
            Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::MultipleRoundRobin
        );
        is_round_robin && self.event.coverage() == 1.0 && has_equal_games(&self.analysis)
    }

    /// Whether the winner lost rating by Elo and gained by the PRA; `None` without a single winner
    /// whose rating is known.
    ///
    /// Source: Berard, the PRA paper, on the world championship of 1972 and the Candidates of 2013.
    pub fn winner_lost_elo(&self) -> Option<bool> {
        let [place] = self.winners[..] else { return None };
        let winner = &self.analysis.players[place];
        let (before, elo, pra) = (winner.initial_rating?, winner.elo_after?, winner.pra_after?);
        Some(elo < before && pra > before)
    }

    /// The order test of a whole round robin; `None` for other events.
    pub fn order_test(&self) -> Option<OrderTest> {
        self.is_whole_round_robin().then(|| OrderTest::new(&self.analysis)).flatten()
    }
}

/// Returns the places in the analysis of the players none of whose games counts in the table.
fn withdrawn(event: &Event, analysis: &Analysis) -> Vec<usize> {
    // All games, and those that are no extra ones.
    let mut games = vec![(0, 0); event.players.len()];
    for game in &event.games {
        let counts = usize::from(game.segment != SegmentKind::Extra);
        for player in [game.white, game.black] {
            games[player].0 += 1;
            games[player].1 += counts;
        }
    }
    let players = analysis.players.iter().enumerate();
    let withdrawn = players.filter(|(_, player)| {
        let (all, counting) = games[player.index];
        player.main_games == 0 && all > 0 && counting == 0
    });
    withdrawn.map(|(standing, _)| standing).collect()
}

#[derive(Clone, Debug)]
pub struct EventRecord {
    pub event: Event,
    /// The places in the analysis of the winners.
    winners: Vec<usize>,
    /// The places in the analysis of the players who withdrew, in order.
    withdrawn: Vec<usize>,
    /// What the bracket shows of a knock-out or one of its matches; `None` for other events, and if
    /// the games do not show it.
    pub bracket_result: Option<BracketResult>,
    /// The ratings that were found.
    pub ratings: InitialRatings,
    /// The event as the app received it.
    pub input: tournament_app::Event,
    pub options: Options,
    pub analysis: Analysis,
    pub decided: Option<Decided>,
    /// The inputs before the decision; `None` without a decision.
    pub undecided: Option<Box<EventInputs>>,
    /// What decides, in addition to its figures, whether the event enters the lists.
    pub eligibility: Eligibility,
    /// What is known of it and does not enter the analysis.
    pub facts: EventFacts,
    pub status: Status,
    /// Whether performances in it enter the lists.
    pub performances: Status,
    /// For a knock-out with known tie-breaks, each player's figures with these; parallel to the
    /// players of the analysis, or empty.
    pub all_games: Vec<Option<AllGamesFigures>>,
    /// The scores that ratings predicted for its players.
    pub forecast: EventForecast,
    /// Its category and the norms that were achieved; `None` where the rules of categories do not
    /// apply or too few ratings are known.
    pub norms: Option<EventNorms>,
    /// The G-scores of performances that enter a list, by place in the analysis; `None` for the
    /// others. Lists, pages and search share this rule; see `Eligibility::great`.
    pub great: Vec<Option<f64>>,
    /// Whether it has its own page (see [`OwnPages`](super::OwnPages)). One page shows all other
    /// events.
    pub has_page: bool,
}
