//! A preview of an archive in the browser: a small server for this machine alone, whose pages load again
//! when the archive was built anew.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use tiny_http::{Header, Response, Server};

/// Where a page asks which archive it is of.
const EDITION: &str = "/.greatness/edition";

/// What is added to every page: it asks once a second, and loads again after a new build.
const RELOAD: &str = "<script>(() => { let mine; setInterval(async () => { try { \
    const now = await (await fetch('/.greatness/edition')).text(); \
    if (mine && now && now !== mine) location.reload(); mine = now || mine; } catch {} }, 1000); })();</script>";

/// A server of a folder.
pub struct Preview {
    server: Server,
    folder: PathBuf,
}

impl Preview {
    /// Begins to listen on this machine; port 0 takes any that is free.
    ///
    /// # Errors
    ///
    /// Where the port is taken.
    pub fn of(folder: &Path, port: u16) -> io::Result<Preview> {
        let server = Server::http(("127.0.0.1", port)).map_err(io::Error::other)?;
        Ok(Preview { server, folder: folder.to_owned() })
    }

    /// Where readers find it.
    pub fn address(&self) -> String {
        format!("http://{}/", self.server.server_addr())
    }

    /// Answers requests, for ever.
    pub fn run(&self) {
        for request in self.server.incoming_requests() {
            let (status, kind, bytes) = answer(&self.folder, request.url());
            let mut response = Response::from_data(bytes).with_status_code(status);
            for (name, value) in [("Content-Type", kind), ("Cache-Control", "no-store")] {
                if let Ok(header) = Header::from_bytes(name, value) {
                    response.add_header(header);
                }
            }
            // A reader who went away is no fault.
            let _ = request.respond(response);
        }
    }
}

/// Status, type and body for an address.
fn answer(folder: &Path, address: &str) -> (u16, &'static str, Vec<u8>) {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    if path == EDITION {
        return (200, "text/plain", edition(folder).into_bytes());
    }
    let found = inside(path).and_then(|path| {
        let file = folder.join(&path);
        let file = if file.is_dir() { file.join("index.html") } else { file };
        Some((kind(&file), fs::read(&file).ok()?))
    });
    match found {
        Some((kind, bytes)) => (200, kind, with_reload(kind, bytes)),
        None => {
            let kind = "text/html; charset=utf-8";
            let page = fs::read(folder.join("404.html")).unwrap_or_else(|_| b"Not found".to_vec());
            // Its links are those of the folder, wherever it is shown.
            let text =
                String::from_utf8_lossy(&page).replacen("<head>", "<head><base href=\"/\">", 1);
            (404, kind, with_reload(kind, text.into_bytes()))
        }
    }
}

/// The path that an address names inside of the folder; `None` where it would lead out of it.
fn inside(address: &str) -> Option<PathBuf> {
    let text = decoded(address.trim_start_matches('/'))?;
    let path = Path::new(&text);
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && !text.contains(['\0', '\\'])).then(|| path.to_owned())
}

/// `%20` and the like as the letters that they stand for.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// When the archive was made: a text that is another after each build.
fn edition(folder: &Path) -> String {
    let time = fs::metadata(folder).and_then(|found| found.modified()).ok();
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map(|since| since.as_nanos().to_string()).unwrap_or_default()
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("xml") => "application/xml",
        Some("csv") => "text/csv; charset=utf-8",
        Some("pgn") => "application/x-chess-pgn",
        _ => "application/octet-stream",
    }
}

fn with_reload(kind: &str, mut bytes: Vec<u8>) -> Vec<u8> {
    if kind.starts_with("text/html") {
        bytes.extend_from_slice(RELOAD.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("archive/events")).unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        fs::write(folder.path().join("archive/index.html"), "front").unwrap();
        fs::write(folder.path().join("archive/events/a.html"), "event").unwrap();
        folder
    }

    #[test]
    fn pages_are_given_with_their_type() {
        let folder = folder();
        let archive = folder.path().join("archive");
        for (address, text) in
            [("/", "front"), ("/index.html?x", "front"), ("/events/%61.html", "event")]
        {
            let (status, kind, bytes) = answer(&archive, address);
            assert_eq!((status, kind), (200, "text/html; charset=utf-8"), "{address}");
            assert!(String::from_utf8(bytes).unwrap().starts_with(text), "{address}");
        }
        assert_eq!(answer(&archive, EDITION).0, 200);
    }

    #[test]
    fn no_address_leads_out_of_the_folder() {
        let folder = folder();
        let archive = folder.path().join("archive");
        for address in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/events/..%2f..%2fsecret.txt",
            "//etc/passwd",
            "/%2fetc/passwd",
            "/events/%00",
            "/%ff",
            "/%",
        ] {
            let (status, _, bytes) = answer(&archive, address);
            assert_eq!(status, 404, "{address}");
            assert!(!String::from_utf8_lossy(&bytes).contains("secret"), "{address}");
        }
    }

    #[test]
    fn a_new_build_is_another_edition() {
        let folder = folder();
        let archive = folder.path().join("archive");
        let before = edition(&archive);
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::remove_file(archive.join("index.html")).unwrap();
        assert_ne!(edition(&archive), before);
    }
}
