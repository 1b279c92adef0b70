//! Renders the pages of a site and saves them in the folder of the new archive.

use serde::Serialize;
use tera::Tera;

use super::errors::PublishError;
use super::folder::Folder;
use super::long_table::LongTable;
use super::page_cache::PageCache;
use super::pages::Site;
use super::templates::{asset, render};

pub(crate) struct PageWriter<'a> {
    pub site: &'a Site<'a>,
    pub tera: Tera,
    pub cache: PageCache<'a>,
    pub folder: &'a Folder,
}

impl PageWriter<'_> {
    /// Renders a page and saves it.
    pub fn page(
        &self,
        path: &str,
        template: &str,
        view: &impl Serialize,
    ) -> Result<(), PublishError> {
        let key = self.cache.key(template, view);
        self.cache.save(self.folder, path, key, || render(&self.tera, template, view))
    }

    /// Saves the rows of a table that its page does not show.
    ///
    /// `prefix` leads from the page to the archive's folder.
    pub fn rest<T: Serialize>(
        &self,
        table: &LongTable<T>,
        template: &str,
        prefix: &str,
    ) -> Result<(), PublishError> {
        let mut files = table.files(prefix);
        files.try_for_each(|file| {
            let key = self.cache.key(template, &file.view);
            self.cache.save(self.folder, &file.path, key, || file.text(&self.tera, template))
        })
    }

    /// Saves a static file of the program.
    pub fn asset(&self, name: &str) -> Result<(), PublishError> {
        self.folder.save(name, &asset(name))
    }
}
