//! Places that all machines of a cluster see: a folder that is mounted everywhere, or a bucket.

use std::fmt;
use std::path::Path as FilePath;
use std::sync::Arc;

use anyhow::{Context, bail};
use futures::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, parse_url_opts};
use url::Url;

/// A place, and what stores what lies there. What a store needs beside its address (keys, region, endpoint) it takes from the
/// environment, by the names that AWS gave it.
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

/// The address of a place: a URL, or a path of this machine.
///
/// # Errors
///
/// Where it is neither.
pub fn address(text: &str) -> anyhow::Result<Url> {
    if text.contains("://") {
        return Url::parse(text).with_context(|| format!("{text} is no address"));
    }
    let path =
        std::path::absolute(FilePath::new(text)).with_context(|| format!("{text} is no path"))?;
    match Url::from_file_path(&path) {
        Ok(url) => Ok(url),
        Err(()) => bail!("{text} is no path"),
    }
}

impl Place {
    /// A place by its address.
    ///
    /// # Errors
    ///
    /// Where nothing can be stored at such an address.
    pub fn at(text: &str) -> anyhow::Result<Place> {
        let url = address(text)?;
        let (store, path) = parse_url_opts(&url, std::env::vars())
            .with_context(|| format!("{url} cannot be used as a store"))?;
        Ok(Place { url, store: store.into(), path })
    }

    /// Its address, as a URL.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The address of something in it.
    pub fn url_of(&self, name: &str) -> String {
        format!("{}/{name}", self.url.as_str().trim_end_matches('/'))
    }

    fn path_of(&self, name: &str) -> Path {
        name.split('/').fold(self.path.clone(), |path, part| path.join(part))
    }

    /// What lies there under a name; of the place itself where the name is empty.
    ///
    /// # Errors
    ///
    /// Where it is not there, or cannot be read.
    pub async fn get(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        let path = if name.is_empty() { self.path.clone() } else { self.path_of(name) };
        let told = || format!("{path} of {} cannot be read", self.url);
        let bytes = self.store.get(&path).await.with_context(told)?.bytes().await;
        Ok(bytes.with_context(told)?.into())
    }

    /// Some bytes of the place itself.
    ///
    /// # Errors
    ///
    /// Where they cannot be read.
    pub async fn range(&self, range: std::ops::Range<u64>) -> anyhow::Result<Vec<u8>> {
        let bytes = self.store.get_range(&self.path, range).await;
        Ok(bytes.with_context(|| format!("{} cannot be read", self.url))?.into())
    }

    /// How large the place itself is (bytes).
    ///
    /// # Errors
    ///
    /// Where it is no file.
    pub async fn size(&self) -> anyhow::Result<u64> {
        let head = self.store.head(&self.path).await;
        Ok(head.with_context(|| format!("{} cannot be read", self.url))?.size)
    }

    /// Writes something there: whole, or not at all.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        let path = self.path_of(name);
        let told = || format!("{path} of {} cannot be written", self.url);
        self.store.put(&path, bytes.into()).await.with_context(told)?;
        Ok(())
    }

    /// Takes away what lies under a name.
    ///
    /// # Errors
    ///
    /// Where it cannot be listed or taken away.
    pub async fn remove(&self, name: &str) -> anyhow::Result<()> {
        let told = || format!("{name} of {} cannot be taken away", self.url);
        let prefix = self.path_of(name);
        let all: Vec<_> = self.store.list(Some(&prefix)).try_collect().await.with_context(told)?;
        for one in all {
            self.store.delete(&one.location).await.with_context(told)?;
        }
        // It may be a file of its own, which is not below itself.
        match self.store.delete(&prefix).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            // Of a folder.
            Err(_) if self.store.head(&prefix).await.is_err() => Ok(()),
            Err(error) => Err(error).with_context(told),
        }
    }

    /// Names and sizes (bytes) of all that lies under a name, in order; of all where it is empty.
    ///
    /// # Errors
    ///
    /// Where it cannot be listed.
    pub async fn list(&self, name: &str) -> anyhow::Result<Vec<(String, u64)>> {
        let prefix = if name.is_empty() { self.path.clone() } else { self.path_of(name) };
        let all: Vec<_> = self
            .store
            .list(Some(&prefix))
            .try_collect()
            .await
            .with_context(|| format!("{name} of {} cannot be listed", self.url))?;
        let own = |path: &Path| -> Option<String> {
            let parts: Vec<_> = path.prefix_match(&self.path)?.collect();
            Some(parts.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("/"))
        };
        let mut names: Vec<(String, u64)> =
            all.iter().filter_map(|one| Some((own(&one.location)?, one.size))).collect();
        names.sort();
        Ok(names)
    }
}

/// Waits for what a function that may not wait needs: functions of a query are called on threads that must not wait for one
/// another.
///
/// # Errors
///
/// Where no thread can be had, or the work itself fails.
pub fn wait<T: Send>(work: impl Future<Output = anyhow::Result<T>> + Send) -> anyhow::Result<T> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
        });
        match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => bail!("a thread that read or wrote gave up"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_listed_and_comes_back() {
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
    fn a_place_that_nothing_is_stored_at_is_told() {
        let error = Place::at("gopher://old").unwrap_err();
        assert!(error.to_string().contains("gopher://old"), "{error}");
    }
}
