//! An entry of the registry of pages.

use super::{Frame, Section, Site};
use crate::changes::ChangeLog;
use crate::errors::PublishError;
use crate::page_writer::PageWriter;
use archive::WrittenTable;

/// A page that an archive has at most once.
pub(crate) struct Page {
    /// Relative to the archive's folder.
    pub path: &'static str,
    pub title: &'static str,
    pub section: Section,
    pub listed: Listed,
    /// Whether an archive has the page; `None` if every archive has.
    pub when: Option<fn(&Site) -> bool>,
    pub write: fn(&Inputs, &Page) -> Result<(), PublishError>,
}

/// Where readers find a page.
pub(crate) enum Listed {
    /// In the site map and in the search: its place among the pages there, and further titles that
    /// a reader may type.
    InSearch(usize, &'static [&'static str]),
    InMap,
    /// Nowhere: the page for missing addresses, and that of the board, which links open at a game.
    ByLinks,
    /// As the page of any event or player without their own page. It is not counted.
    AsAny,
}

/// Pages of one kind, of which an archive has any number.
pub(crate) struct PageGroup {
    pub paths: fn(&Site) -> Vec<String>,
    pub write: fn(&PageWriter) -> Result<(), PublishError>,
}

pub(crate) enum Entry {
    One(Page),
    Many(PageGroup),
}

/// What the pages of the registry are made from.
pub(crate) struct Inputs<'a> {
    pub writer: &'a PageWriter<'a>,
    pub site: &'a Site<'a>,
    pub changes: &'a ChangeLog,
    pub tables: &'a [WrittenTable],
    /// The entries that this archive has.
    pub present: &'a [&'static Entry],
}

impl Entry {
    pub fn write(&self, inputs: &Inputs) -> Result<(), PublishError> {
        match self {
            Entry::One(page) => (page.write)(inputs, page),
            Entry::Many(group) => (group.write)(inputs.writer),
        }
    }

    /// The number of its pages.
    pub fn count(&self, site: &Site) -> usize {
        match self {
            Entry::One(page) => usize::from(!matches!(page.listed, Listed::AsAny)),
            Entry::Many(group) => (group.paths)(site).len(),
        }
    }

    /// The paths of its pages that a search engine should know.
    pub fn mapped(&self, site: &Site) -> Vec<String> {
        match self {
            Entry::One(page) => match page.listed {
                Listed::InSearch(..) | Listed::InMap => vec![page.path.to_owned()],
                Listed::ByLinks | Listed::AsAny => Vec::new(),
            },
            Entry::Many(group) => (group.paths)(site),
        }
    }
}

impl Page {
    pub fn frame(&self, site: &Site, description: impl Into<String>) -> Frame {
        site.frame(self.path, self.section, self.title.to_owned(), description.into())
    }

    /// The frame if readers may cite the page.
    pub fn cited_frame(&self, site: &Site, description: impl Into<String>) -> Frame {
        site.cited_frame(self.path, self.section, self.title.to_owned(), description.into())
    }
}
