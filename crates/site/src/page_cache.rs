//! Decides which files of the published archive need not be rendered again.
//!
//! A file of the site is made from a template and a view. If the last build made a file of the same
//! path from the same template and view, and the file is still as it was, it is linked.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use bitcode::{Decode, Encode};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::errors::PublishError;
use super::folder::Folder;
use super::templates::template_texts;
use archive::{BuildCache, CacheKey, CacheKind, content_hash};

/// The rendered files of the last build and of this one.
#[derive(Debug)]
pub(super) struct PageCache<'a> {
    /// `None`: every file is rendered.
    cache: Option<&'a BuildCache>,
    /// A hash of all templates, since these include each other.
    templates: [u8; 16],
    /// The rendered files of the last build, by their path.
    old: FxHashMap<String, RenderedFile>,
    new: Mutex<Vec<(String, RenderedFile)>>,
}

/// What is known of a rendered file.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct RenderedFile {
    /// The key of its template and view.
    made_from: CacheKey,
    /// A hash of its content.
    content: u64,
}

impl<'a> PageCache<'a> {
    /// Reads what the last build rendered.
    pub fn new(cache: Option<&'a BuildCache>) -> PageCache<'a> {
        let texts: Vec<(Cow<str>, String)> = template_texts().collect();
        let texts = texts.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]);
        let texts: Vec<&[u8]> = texts.collect();
        let templates = cache.map(|cache| cache.key(CacheKind::Page, &texts).to_bytes());
        let files = cache.and_then(|cache| {
            let bytes = cache.replaced(PageCache::entry(cache))?;
            bitcode::decode::<Vec<(String, RenderedFile)>>(&bytes).ok()
        });
        let old = files.into_iter().flatten().collect();
        PageCache { cache, templates: templates.unwrap_or_default(), old, new: Mutex::default() }
    }

    /// The key of the entry that holds all rendered files.
    fn entry(cache: &BuildCache) -> CacheKey {
        cache.key(CacheKind::Page, &[b"all rendered files"])
    }

    /// The key of files made from a template and a view; `None` without a cache.
    pub fn key(&self, template: &str, view: &impl Serialize) -> Option<CacheKey> {
        let of_view = self.cache?.key_of_written(CacheKind::Page, |writer| {
            writer.write_all(&self.templates).map_err(serde_json::Error::io)?;
            writer.write_all(template.as_bytes()).map_err(serde_json::Error::io)?;
            serde_json::to_writer(writer, view)
        });
        of_view.ok()
    }

    /// Saves a file, which is rendered only if the last build did not make it from the same key.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be rendered or written.
    pub fn save(
        &self,
        folder: &Folder,
        path: &str,
        key: Option<CacheKey>,
        render: impl FnOnce() -> Result<String, tera::Error>,
    ) -> Result<(), PublishError> {
        let (Some(cache), Some(made_from)) = (self.cache, key) else {
            return folder.save(path, render()?.as_bytes());
        };
        let known = self.old.get(path).filter(|known| known.made_from == made_from);
        let is_kept = known.is_some_and(|known| folder.keep(path, known.content));
        cache.count(CacheKind::Page, is_kept);
        let content = match known.filter(|_| is_kept) {
            Some(known) => known.content,
            None => {
                let text = render()?;
                folder.save(path, text.as_bytes())?;
                content_hash(text.as_bytes())
            }
        };
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.push((path.to_owned(), RenderedFile { made_from, content }));
        Ok(())
    }

    /// Keeps what this build rendered for the next one.
    pub fn keep(self) {
        if let Some(cache) = self.cache {
            let mut files = self.new.into_inner().unwrap_or_else(PoisonError::into_inner);
            files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            cache.put(PageCache::entry(cache), &bitcode::encode(&files));
        }
    }
}
