//! How the app is run.

use bitcode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::kind::Kind;

/// Games that a player needs in the event before his rating may be moved. Source: Berard, the PRA paper.
pub const MINIMUM_GAMES: usize = 6;

/// What to do when a full set of ratings fails the fit test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Out-of-spec ratings move to the line, once.
    #[default]
    Correct,
    /// Out-of-spec ratings are deleted and filled again by the estimator line.
    Rebuild,
    /// Nothing moves; the failure is noted.
    Keep,
}

impl Policy {
    /// The word used in settings and decisions.
    pub fn word(self) -> &'static str {
        match self {
            Policy::Correct => "correct",
            Policy::Rebuild => "rebuild",
            Policy::Keep => "keep",
        }
    }
}

/// How to run the app.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Encode, Decode)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// What to do with ratings that fail the test.
    pub policy: Policy,
    /// The same for knock-outs, which fail because of their format, not their ratings.
    pub knock_out_policy: Policy,
    /// Whether a policy moves players under pressure as well as those out of spec.
    pub move_pressure: bool,
    /// Games that a player needs before his rating may be corrected.
    pub minimum_games: usize,
    /// Whether known ratings that do not fit are left out of the line that supplies the missing
    /// ones, in the kinds of events where [they may be](Options::omits_ratings). Without it they
    /// stay, and what fails is noted.
    pub omit_ratings: bool,
    /// Whether to work out the order spread (200 runs) where the order is not known.
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
            order_spread: true,
        }
    }
}

impl Options {
    /// The policy that applies to an event of this kind.
    pub fn policy_for(&self, kind: Kind) -> Policy {
        match kind {
            Kind::KnockOut => self.knock_out_policy,
            _ => self.policy,
        }
    }

    /// Whether known ratings that do not fit are left out of the line that supplies the missing
    /// ones, in an event of this kind. Not in a knock-out whose ratings are kept: most of its
    /// players lose one match, and that says little of them. Nor in a Swiss, where the list knows
    /// more of the rated than a week among the unrated does.
    pub fn omits_ratings(&self, kind: Kind) -> bool {
        let may = match kind {
            Kind::KnockOut => self.knock_out_policy != Policy::Keep,
            Kind::Swiss => false,
            _ => true,
        };
        self.omit_ratings && may
    }
}
