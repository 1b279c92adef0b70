//! What a rating system is called, and what its lists are about.

/// What is to be known of a system before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The word for commands, settings and `computed:WORD`.
    pub word: &'static str,
    /// Its name, for tables of systems.
    pub name: &'static str,
    /// The name of its lists, as labels show it; begins with `Computed`.
    pub list_name: &'static str,
    /// What it is, in a sentence without a full stop; for the help.
    pub summary: &'static str,
    /// How many years each list is about, beginning with its day: 5 of half decades. `None` where a list holds what
    /// ratings were on its day. Pages call such lists by their years, and show everybody's best.
    pub period_years: Option<i16>,
    /// Whether its ratings rest on later games too: then they tell best what strength was, and predict nothing.
    pub knows_later_games: bool,
    /// What its lists are there for.
    pub role: Role,
    /// The list whose best lead the scale of this one's, where that is another: those of events have no best.
    pub led_by: Option<&'static str>,
}

/// What the lists of a system are there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To be looked at and looked up, and to be judged.
    Whole,
    /// To be looked up and judged, beside those of the system of which it is a variant.
    Variant,
    /// To be looked up: a list has only the players of the events that begin on its day.
    Events,
    /// To be looked up and judged: a basic system, without pages of its lists.
    Basic,
    /// To be looked at as an order, and judged likewise: a basic system whose points are no scale of strength, no source of ratings.
    Order,
    /// To be judged, and compared in its points: a system that was once in use, no source of ratings.
    Past,
}

impl Role {
    /// Whether there are pages of its lists.
    pub fn has_pages(self) -> bool {
        self == Role::Whole
    }

    /// Whether its ratings can serve events.
    pub fn is_source(self) -> bool {
        !matches!(self, Role::Order | Role::Past)
    }
}
