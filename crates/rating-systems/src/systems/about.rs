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
    /// A name short enough for the line of a chart; [`About::name`] where there is none.
    pub short_name: Option<&'static str>,
    /// The name of lists that others publish by the same formulas.
    pub published_as: Option<&'static str>,
    /// Whether it is the system with which every other is compared. One system is.
    pub is_standard: bool,
    /// Whether it lists all who play, year by year, so that its pool can be watched.
    pub has_pool: bool,
    /// Whether its lists show how players change with age.
    pub tells_ages: bool,
    /// Whether its lists count plain games. Others weigh them, or list only who played enough.
    pub counts_games: bool,
    /// Whether it rates periods as a whole, so that a rating on a day lies between two of them.
    pub rates_periods: bool,
    /// Whether it differs from another system only where games belong to events.
    pub wants_events: bool,
    /// Words of the laboratory for this system with some parameters set.
    pub shorthands: &'static [Shorthand],
    /// What parameters are called on charts: the setting as it is written, and its name.
    pub variants: &'static [(&'static str, &'static str)],
}

impl About {
    /// A basic system without any capability, for the fields that a system leaves out.
    pub const PLAIN: About = About {
        word: "",
        name: "",
        list_name: "",
        summary: "",
        period_years: None,
        knows_later_games: false,
        role: Role::Basic,
        led_by: None,
        short_name: None,
        published_as: None,
        is_standard: false,
        has_pool: false,
        tells_ages: false,
        counts_games: false,
        rates_periods: false,
        wants_events: false,
        shorthands: &[],
        variants: &[],
    };

    /// The name for the line of a chart.
    pub fn chart_name(&self) -> &'static str {
        self.short_name.unwrap_or(self.name)
    }
}

/// A word of the laboratory for a system with parameters of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shorthand {
    /// The word, as in `elo-tiers`; it may be that of the system.
    pub word: &'static str,
    /// Its name on charts.
    pub name: &'static str,
    /// Parameters and their values, as they are written.
    pub set: &'static [(&'static str, &'static str)],
    /// Parameters that a number behind the word sets: `elo:16`.
    pub numbers: &'static [&'static str],
    /// The parameter that a word behind it sets: `elo:16:normal`.
    pub words: Option<&'static str>,
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
