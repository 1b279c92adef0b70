//! The description of a rating system: its names and its capabilities.

/// Describes a rating system before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The word for commands, settings and `computed:WORD`.
    pub word: &'static str,
    /// The name in tables of systems.
    pub name: &'static str,
    /// The name of its lists, as labels show it. It begins with `Computed`.
    pub list_name: &'static str,
    /// A sentence without a full stop that says what the system is, for the help.
    pub summary: &'static str,
    /// The number of years that each list covers, from its day on: 5 for half decades. `None` if a
    /// list holds the ratings on its day. Pages name lists that cover years by these years, and
    /// show every player's best year.
    pub period_years: Option<i16>,
    /// Whether ratings also rest on later games. Such ratings are the best estimates of strength,
    /// but cannot predict results.
    pub knows_later_games: bool,
    /// How its lists are used.
    pub role: Role,
    /// The list whose best players lead the scale of this system's lists, if it is another system's
    /// list. A list of an event's players does not contain the best of the world.
    pub led_by: Option<&'static str>,
    /// The name of the lists of another system, whose fit this system can use; see
    /// [`RatingSystem::rate_after`](super::RatingSystem::rate_after).
    pub follows: Option<&'static str>,
    /// A name short enough for a chart's legend. `None` if [`About::name`] is short enough.
    pub short_name: Option<&'static str>,
    /// The name of lists that others publish by the same formulas.
    pub published_as: Option<&'static str>,
    /// Whether every other system is compared with this one. This is true of exactly one system.
    pub is_standard: bool,
    /// Whether it lists all active players year by year, so that the rating pool can be studied.
    pub has_pool: bool,
    /// Whether its lists are used to study how players change with age.
    pub shows_ageing: bool,
    /// Whether the games of a list's line are unweighted counts. Other systems weight games, or
    /// list only players with many games.
    pub counts_games: bool,
    /// Whether it rates whole periods, so that a rating on a day is interpolated between two
    /// periods.
    pub rates_periods: bool,
    /// Whether it reads published ratings. Such a system knows results that the games lack, so it
    /// is not judged with systems from games alone, and rates no events.
    pub reads_published_ratings: bool,
    /// Whether it reads the players' years of birth.
    pub reads_births: bool,
    /// Whether it differs from another system only if games belong to events.
    pub needs_events: bool,
    /// The laboratory's words for this system with particular parameters.
    pub shorthands: &'static [Shorthand],
    /// The names of parameter settings on charts: the setting as it is written, and its name.
    pub variants: &'static [(&'static str, &'static str)],
}

impl About {
    /// A basic system without any capability. It supplies the fields that a system leaves out.
    pub const PLAIN: About = About {
        word: "",
        name: "",
        list_name: "",
        summary: "",
        period_years: None,
        knows_later_games: false,
        role: Role::Basic,
        led_by: None,
        follows: None,
        short_name: None,
        published_as: None,
        is_standard: false,
        has_pool: false,
        shows_ageing: false,
        counts_games: false,
        rates_periods: false,
        reads_published_ratings: false,
        reads_births: false,
        needs_events: false,
        shorthands: &[],
        variants: &[],
    };

    /// The name for a chart's legend.
    pub fn chart_name(&self) -> &'static str {
        self.short_name.unwrap_or(self.name)
    }
}

/// A word of the laboratory for a system with particular parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shorthand {
    /// The word, such as `elo-tiers`. It may be the system's own word.
    pub word: &'static str,
    /// The name on charts.
    pub name: &'static str,
    /// Parameters and their values, as they are written.
    pub set: &'static [(&'static str, &'static str)],
    /// The parameters that a number after the word sets, as in `elo:16`.
    pub numbers: &'static [&'static str],
    /// The parameter that a second word sets, as in `elo:16:normal`.
    pub words: Option<&'static str>,
}

/// How the lists of a system are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The lists have pages, serve as a source of ratings, and are evaluated.
    Whole,
    /// A variant of another system: its lists serve as a source of ratings and are evaluated.
    Variant,
    /// A source of ratings only: a list contains the players of the events that begin on its day.
    Events,
    /// A basic system: its lists serve as a source of ratings and are evaluated, but have no pages.
    Basic,
    /// A basic system that ranks players without measuring strength. It is evaluated, but is not a
    /// source of ratings.
    Order,
    /// A historical system. It is evaluated and its points are compared, but it is not a source of
    /// ratings.
    Past,
    /// For forecasts only: it follows what others published, so its ratings serve no event and
    /// rank no one. It is compared with published ratings.
    Forecasts,
}

impl Role {
    /// Whether the site has pages of its lists.
    pub fn has_pages(self) -> bool {
        self == Role::Whole
    }

    /// Whether events can take their ratings from its lists.
    pub fn is_source(self) -> bool {
        !matches!(self, Role::Order | Role::Past | Role::Forecasts)
    }
}
