//! The kinds of damage that are measured, with their goals.

use super::spoil::{Damage, Missing};

/// A form in which a collection is spoilt.
pub struct SpoiltForm {
    pub name: &'static str,
    pub damage: Damage,
    /// What the lists of strengths and of G-scores must reach; `None` if whole events are not the
    /// question.
    pub goal: Option<Goal>,
}

/// What a ranked list of a spoilt collection should reach, as fractions.
#[derive(Clone, Copy)]
pub struct Goal {
    /// Sound rows, of the rows whose events are whole in the spoilt collection.
    pub kept: f64,
    /// Sound rows, of the listed rows.
    pub sound: f64,
}

/// Forms with a goal. They are like the databases that most people have: layers of tags, no weak
/// players, old ratings.
pub const FORMS_WITH_GOALS: [SpoiltForm; 5] = [
    SpoiltForm {
        name: "two layers of tags",
        damage: Damage { layers: 2, ..Damage::NONE },
        goal: Some(Goal { kept: 0.90, sound: 0.97 }),
    },
    SpoiltForm {
        name: "three layers of tags",
        damage: Damage { layers: 3, ..Damage::NONE },
        goal: Some(Goal { kept: 0.85, sound: 0.97 }),
    },
    // A quarter of the events without a fifth of the players are whole round robins of the others.
    // If nothing contradicts them, they stay listed, with the mark that their field is unconfirmed.
    SpoiltForm {
        name: "half of the events without the last fifth of the players",
        damage: Damage { floor: 0.2, share: 0.5, ..Damage::NONE },
        goal: Some(Goal { kept: 0.97, sound: 0.93 }),
    },
    SpoiltForm {
        name: "a tenth of the events in a file with old ratings",
        damage: Damage { stale: 0.1, ..Damage::NONE },
        goal: Some(Goal { kept: 0.98, sound: 0.98 }),
    },
    SpoiltForm {
        name: "six tenths of the events without 30% of the games and a fifth of the players",
        damage: Damage { missing: 0.3, floor: 0.2, share: 0.6, ..Damage::NONE },
        goal: Some(Goal { kept: 0.90, sound: 0.97 }),
    },
];

/// Forms whose goals are tests of their own.
pub const OTHER_FORMS: [SpoiltForm; 9] = [
    without_goal("respelt, 30% of the players", Damage { respelt: 0.3, ..Damage::NONE }),
    without_goal("half of the events in two sources", Damage { copied: 0.5, ..Damage::NONE }),
    without_goal(
        "respelt, 20% of the players; 40% of the events in two sources",
        Damage { respelt: 0.2, copied: 0.4, ..Damage::NONE },
    ),
    without_goal(
        "30% of the events without a kind of tag",
        Damage { dropped: 0.3, ..Damage::NONE },
    ),
    without_goal("40% of the games missing", Damage { missing: 0.4, ..Damage::NONE }),
    without_goal("30% of the games missing, draws first", missing(Missing::Draws)),
    without_goal("30% of the games missing, late rounds first", missing(Missing::Late)),
    without_goal("30% of the games missing, the lower half first", missing(Missing::Weak)),
    without_goal("games among 30% of the players missing", missing(Missing::OneSource)),
];

const fn without_goal(name: &'static str, damage: Damage) -> SpoiltForm {
    SpoiltForm { name, damage, goal: None }
}

const fn missing(which: Missing) -> Damage {
    Damage { missing: 0.3, which, ..Damage::NONE }
}
