//! Defines the options of the Tournament App.

use bitcode::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::basic_system::K_ELO;
use crate::kind::Kind;

/// Fewest games in the event for a player's rating to be corrected. Source: Berard, the PRA paper.
pub const MINIMUM_GAMES: usize = 6;

/// Largest number of players whose event is treated as a competition. The limit is ours. A
/// server's games of a year under one name have more, and the time of some steps grows with the
/// square of the field.
pub const LARGEST_FIELD: usize = 5000;

/// The treatment of a full set of ratings that fails the fit test.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    Encode,
    Decode,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Policy {
    /// Out-of-spec ratings are corrected to the line, once.
    #[default]
    Correct,
    /// Out-of-spec ratings are deleted and estimated again from the estimator line.
    Rebuild,
    /// No rating changes; the failure is recorded.
    Keep,
}

impl Policy {
    /// The word used in settings and decisions.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The options of the Tournament App.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Encode, Decode)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Treatment of ratings that fail the test.
    pub policy: Policy,
    /// Treatment in knock-outs, which fail because of their format and not because of their
    /// ratings.
    pub knock_out_policy: Policy,
    /// Whether a policy changes ratings under pressure as well as those out of spec.
    pub move_pressure: bool,
    /// Fewest games for a player's rating to be corrected.
    pub minimum_games: usize,
    /// Whether the estimator line leaves out known ratings that do not fit, in the kinds of events
    /// for which [this is allowed](Options::omits_ratings). Otherwise they stay and the failure is
    /// recorded.
    pub omit_ratings: bool,
    /// K-factor (rating points per point scored) of the Elo ratings after the event.
    pub elo_k: f64,
    /// Whether to compute the order spread (200 random orders) if the order is unknown.
    pub order_spread: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            policy: Policy::Correct,
            knock_out_policy: Policy::Keep,
            move_pressure: false,
            minimum_games: MINIMUM_GAMES,
            omit_ratings: true,
            elo_k: K_ELO,
            order_spread: true,
        }
    }
}

impl Options {
    /// Returns the options that apply to a field of this size. More than [`LARGEST_FIELD`] players
    /// have no order spread, and none of their ratings is left out.
    pub(super) fn for_field(self, players: usize) -> Options {
        if players > LARGEST_FIELD {
            Options { order_spread: false, omit_ratings: false, ..self }
        } else {
            self
        }
    }

    /// Returns the policy for an event of this kind.
    pub fn policy_for(&self, kind: Kind) -> Policy {
        match kind {
            Kind::KnockOut => self.knock_out_policy,
            _ => self.policy,
        }
    }

    /// Whether the estimator line leaves out known ratings that do not fit, in an event of this
    /// kind.
    ///
    /// They stay in a knock-out whose ratings are kept: most of its players lose one match, which
    /// says little about their strength. They also stay in a Swiss: a week among unrated players
    /// says less about the rated players than their list does.
    pub fn omits_ratings(&self, kind: Kind) -> bool {
        let may = match kind {
            Kind::KnockOut => self.knock_out_policy != Policy::Keep,
            Kind::Swiss => false,
            _ => true,
        };
        self.omit_ratings && may
    }
}
