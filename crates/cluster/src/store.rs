//! Reads and writes places that all machines can reach: a folder mounted everywhere, or a bucket.

use std::fmt;
use std::path::Path as FilePath;
use std::sync::Arc;

use anyhow::{Context, bail};
use futures::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, parse_url_opts};
use url::Url;

/// A place, with the object store that holds its files.
///
/// A store takes its address from the URL. It takes keys, region and endpoint from the environment
/// variables that AWS defines.
#[derive(Clone)]
pub struct Place {
    url: Url,
    store: Arc<dyn ObjectStore>,
    path: Path,
}

impl fmt::Debug for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.url)
    }
}

/// Converts the address of a place, a URL or a path of this machine, to a URL.
///
/// # Errors
///
/// Fails if the text is neither.
pub fn address(text: &str) -> anyhow::Result<Url> {
    if text.contains("://") {
        return Url::parse(text).with_context(|| format!("{text} is not a valid URL"));
    }
    let path = std::path::absolute(FilePath::new(text))
        .with_context(|| format!("{text} is not a valid path"))?;
    match Url::from_file_path(&path) {
        Ok(url) => Ok(url),
        Err(()) => bail!("{text} is not a valid path"),
    }
}

impl Place {
    /// Opens a place by its address.
    ///
    /// # Errors
    ///
    /// Fails if no store has such addresses.
    pub fn at(text: &str) -> anyhow::Result<Place> {
        let url = address(text)?;
        let (store, path) = parse_url_opts(&url, std::env::vars()).with_context(|| {
            format!("cannot use {url} as a store; give a folder or s3://BUCKET/PREFIX")
        })?;
        Ok(Place { url, store: store.into(), path })
    }

    /// The URL of the place.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The URL of a file or folder in the place.
    pub fn url_of(&self, name: &str) -> String {
        format!("{}/{name}", self.url.as_str().trim_end_matches('/'))
    }

    fn path_of(&self, name: &str) -> Path {
        name.split('/').fold(self.path.clone(), |path, part| path.join(part))
    }

    /// The name of a file in the place; `None` if the path is elsewhere.
    fn name_of(&self, path: &Path) -> Option<String> {
        let parts: Vec<_> = path.prefix_match(&self.path)?.collect();
        Some(parts.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("/"))
    }

    /// Reads a file of the place. If the name is empty, reads the place itself as a file.
    ///
    /// # Errors
    ///
    /// Fails if the file does not exist or cannot be read.
    pub async fn get(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        let path = if name.is_empty() { self.path.clone() } else { self.path_of(name) };
        let found = self.store.get(&path).await;
        let bytes = match found {
            Ok(found) => found.bytes().await,
            Err(error) => Err(error),
        };
        Ok(bytes.with_context(|| format!("cannot read {path} of {}", self.url))?.into())
    }

    /// Reads a range of bytes of the place itself, which must be a file.
    ///
    /// # Errors
    ///
    /// Fails if the bytes cannot be read.
    pub async fn range(&self, range: std::ops::Range<u64>) -> anyhow::Result<Vec<u8>> {
        let bytes = self.store.get_range(&self.path, range).await;
        Ok(bytes.with_context(|| format!("cannot read {}", self.url))?.into())
    }

    /// The size (bytes) of the place itself, which must be a file.
    ///
    /// # Errors
    ///
    /// Fails if the place is not a file.
    pub async fn size(&self) -> anyhow::Result<u64> {
        let head = self.store.head(&self.path).await;
        Ok(head.with_context(|| format!("cannot read {}", self.url))?.size)
    }

    /// The size (bytes) of the place itself, which must be a file, and what the store says of its
    /// version: a tag of the content or, if there is none, the time of the last change.
    ///
    /// # Errors
    ///
    /// Fails if the place is not a file.
    pub async fn version(&self) -> anyhow::Result<(u64, String)> {
        let head = self.store.head(&self.path).await;
        let head = head.with_context(|| format!("cannot read {}", self.url))?;
        let tag = head.e_tag.unwrap_or_else(|| head.last_modified.to_rfc3339());
        Ok((head.size, tag))
    }

    /// Writes a file to the place. It appears there whole or not at all.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        let path = self.path_of(name);
        self.store
            .put(&path, bytes.into())
            .await
            .with_context(|| format!("cannot write {path} of {}", self.url))?;
        Ok(())
    }

    /// Removes a file, or a folder with all its files. Nothing happens if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the files cannot be listed or removed.
    pub async fn remove(&self, name: &str) -> anyhow::Result<()> {
        let message = || format!("cannot remove {name} of {}", self.url);
        let prefix = self.path_of(name);
        let all: Vec<_> =
            self.store.list(Some(&prefix)).try_collect().await.with_context(message)?;
        for one in all {
            self.store.delete(&one.location).await.with_context(message)?;
        }
        // The list of a folder does not contain the path itself, which may be a file.
        match self.store.delete(&prefix).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            // The path is a folder.
            Err(_) if self.store.head(&prefix).await.is_err() => Ok(()),
            Err(error) => Err(error).with_context(message),
        }
    }

    /// Lists the names and sizes (bytes) of all files in a folder, sorted by name. If the name is
    /// empty, lists the whole place.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be listed.
    pub async fn list(&self, name: &str) -> anyhow::Result<Vec<(String, u64)>> {
        let prefix = if name.is_empty() { self.path.clone() } else { self.path_of(name) };
        let all: Vec<_> = self
            .store
            .list(Some(&prefix))
            .try_collect()
            .await
            .with_context(|| format!("cannot list {name} of {}", self.url))?;
        let mut names: Vec<(String, u64)> =
            all.iter().filter_map(|one| Some((self.name_of(&one.location)?, one.size))).collect();
        names.sort();
        Ok(names)
    }
}

/// Runs a future to its end on a separate thread.
///
/// The functions of a query use it, because they are called on threads that must not wait for one
/// another.
///
/// # Errors
///
/// Fails if no runtime can be started, or if the future fails.
pub fn wait<T: Send>(work: impl Future<Output = anyhow::Result<T>> + Send) -> anyhow::Result<T> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
        });
        match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => bail!("a thread that accessed the store panicked"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_files_are_listed_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::at(folder.path().to_str().unwrap()).unwrap();
        let work = async {
            place.put("a/b", b"one".to_vec()).await?;
            place.put("c", b"three".to_vec()).await?;
            assert_eq!(place.list("").await?, [("a/b".to_owned(), 3), ("c".to_owned(), 5)]);
            assert_eq!(place.get("a/b").await?, b"one");
            place.remove("a").await?;
            assert_eq!(place.list("").await?, [("c".to_owned(), 5)]);
            place.remove("c").await?;
            place.remove("c").await?;
            assert_eq!(place.list("").await?, []);
            Ok(())
        };
        wait(work).unwrap();
    }

    #[test]
    fn an_address_without_a_store_is_reported() {
        let error = Place::at("gopher://old").unwrap_err();
        assert!(error.to_string().contains("gopher://old"), "{error}");
    }
}
