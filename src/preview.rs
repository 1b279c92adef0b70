//! A preview of an archive in the browser: a small server for this machine only. Its pages reload
//! after a build.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use percent_encoding::percent_decode_str;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeFile;
use tower_http::timeout::TimeoutLayer;

/// The address at which a page asks for the edition of the archive.
const EDITION: &str = "/.greatness/edition";

/// The address of the script that reloads a page after a build.
const RELOAD: &str = "/.greatness/reload.js";

/// The script, which asks once a second.
const RELOAD_SCRIPT: &str = "let mine; setInterval(async () => { try { \
    const now = await (await fetch('/.greatness/edition')).text(); \
    if (mine && now && now !== mine) location.reload(); mine = now || mine; } catch {} }, 1000);";

/// The content security policy: pages load only their own files, and no site may frame them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/// The policy for the page that answers queries, which compiles SQLite's WebAssembly.
const SQL_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'self'; \
    frame-ancestors 'none'";

/// The time limit for an answer. Judged: the largest table takes seconds on a slow disk.
const LONGEST: Duration = Duration::from_secs(60);

/// The time limit for receiving a request. Judged: a browser sends its headers in one packet.
const LONGEST_HEADERS: Duration = Duration::from_secs(10);

/// The number of simultaneous connections. Further ones wait. Judged: a browser opens at most six,
/// and most systems allow a process 1,024 open files.
const CONNECTIONS: usize = 256;

/// A server of a folder.
pub struct Preview {
    listener: TcpListener,
    folder: PathBuf,
    routes: Router,
}

impl Preview {
    /// Listens on an address. Port 0 takes any free port. Requests are answered only if they name
    /// this machine, at any address.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine does not have the address, or the port is in use.
    pub fn bind(folder: &Path, address: SocketAddr) -> io::Result<Preview> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Preview { listener, folder: folder.to_owned(), routes: Router::new() })
    }

    /// Adds pages that are not files.
    #[must_use]
    pub fn with(self, routes: Router) -> Preview {
        Preview { routes, ..self }
    }

    /// The address of the server.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not report it.
    pub fn address(&self) -> io::Result<String> {
        let address = self.listener.local_addr()?;
        // A browser that opens 0.0.0.0 names no machine, so its request would be refused.
        Ok(if address.ip().is_unspecified() {
            format!("http://localhost:{}/", address.port())
        } else {
            format!("http://{address}/")
        })
    }

    /// Answers requests until the process ends. Connections are concurrent, so a slow reader does
    /// not delay the others.
    ///
    /// # Errors
    ///
    /// Returns an error if the system provides no thread or socket.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            serve(listener, app(&self.folder, self.routes), LONGEST_HEADERS).await
        })
    }
}

/// Answers each connection separately, and closes those that send no request in time.
async fn serve(
    listener: tokio::net::TcpListener,
    app: Router,
    longest_headers: Duration,
) -> io::Result<()> {
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return Ok(()) };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // The client is gone already, or the system has no free file descriptor.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let app = TowerToHyperService::new(app.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(longest_headers)
                .serve_connection(TokioIo::new(stream), app);
            // An error of a closed connection has no reader.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// The routes of the server, without its socket.
fn app(folder: &Path, routes: Router) -> Router {
    let files = Router::new().fallback(answer).with_state(Arc::new(folder.to_owned()));
    routes
        .fallback_service(files)
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, LONGEST))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn(for_this_machine))
}

/// Refuses requests with another host name, so that a foreign site cannot reach this server by a
/// name that resolves to this machine.
async fn for_this_machine(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !host.ends_with(']') => (name, port),
        _ => (host, ""),
    };
    let is_alone = request.headers().get_all(HOST).iter().count() == 1;
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    let is_here = matches!(name, "127.0.0.1" | "localhost" | "[::1]");
    let policy = match request.uri().path() {
        "/sql.html" | "/sql-worker.js" => SQL_POLICY,
        _ => POLICY,
    };
    let mut response = if is_here && is_port && is_alone {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "This preview is only for this machine.\n").into_response()
    };
    for (header, value) in [
        (CONTENT_SECURITY_POLICY, policy),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        response.headers_mut().insert(header, HeaderValue::from_static(value));
    }
    response
}

/// An answer with these bytes, which no browser may store.
fn uncached(status: StatusCode, kind: &str, bytes: Vec<u8>) -> Response {
    let headers = [(CONTENT_TYPE, kind.to_owned()), (CACHE_CONTROL, "no-store".to_owned())];
    (status, headers, bytes).into_response()
}

/// Answers with a page or file of the folder, or with the page for missing addresses.
async fn answer(State(folder): State<Arc<PathBuf>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")]).into_response();
    }
    let path = request.uri().path();
    if path == EDITION {
        return uncached(StatusCode::OK, "text/plain", edition(&folder).into_bytes());
    }
    if path == RELOAD {
        return uncached(StatusCode::OK, &kind(Path::new(RELOAD)), RELOAD_SCRIPT.into());
    }
    let file = file_of(&folder, path);
    match file {
        Some(file) if kind(&file).starts_with("text/html") => match fs::read(&file) {
            Ok(bytes) => uncached(StatusCode::OK, &kind(&file), with_reload(&kind(&file), bytes)),
            Err(_) => uncached(StatusCode::NOT_FOUND, "text/plain", b"Not found".to_vec()),
        },
        Some(file) => {
            let Ok(mime) = kind(&file).parse() else {
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            };
            match ServeFile::new_with_mime(&file, &mime).try_call(request).await {
                Ok(response) => {
                    let mut response = response.into_response();
                    response
                        .headers_mut()
                        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
                    response
                }
                Err(_) => StatusCode::NOT_FOUND.into_response(),
            }
        }
        None => {
            let kind = "text/html; charset=utf-8";
            let page = fs::read(folder.join("404.html")).unwrap_or_else(|_| b"Not found".to_vec());
            // Its links are relative to the folder, for every address.
            let text =
                String::from_utf8_lossy(&page).replacen("<head>", "<head><base href=\"/\">", 1);
            uncached(StatusCode::NOT_FOUND, kind, with_reload(kind, text.into_bytes()))
        }
    }
}

/// The file of an address; `None` if there is none, or if a link leads out of the folder.
fn file_of(folder: &Path, address: &str) -> Option<PathBuf> {
    let file = folder.join(inside(address)?);
    let file = if file.is_dir() { file.join("index.html") } else { file };
    let (file, folder) = (file.canonicalize().ok()?, folder.canonicalize().ok()?);
    (file.starts_with(folder) && file.is_file()).then_some(file)
}

/// The path of an address inside the folder; `None` if it would lead out of it.
fn inside(address: &str) -> Option<PathBuf> {
    let text = percent_decode_str(address.trim_start_matches('/')).decode_utf8().ok()?;
    let path = Path::new(&*text);
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && !text.contains(['\0', '\\'])).then(|| path.to_owned())
}

/// The time of the build, as a text that differs after each build.
fn edition(folder: &Path) -> String {
    let time = fs::metadata(folder).and_then(|found| found.modified()).ok();
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map(|since| since.as_nanos().to_string()).unwrap_or_default()
}

/// The media type of a file, by its name.
fn kind(file: &Path) -> String {
    let kind = mime_guess::from_path(file).first_or_octet_stream();
    let is_text = kind.type_() == mime_guess::mime::TEXT;
    if is_text { format!("{kind}; charset=utf-8") } else { kind.to_string() }
}

fn with_reload(kind: &str, mut bytes: Vec<u8>) -> Vec<u8> {
    if kind.starts_with("text/html") {
        bytes.extend_from_slice(format!("<script src=\"{RELOAD}\"></script>").as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use tower::ServiceExt;

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("archive/events")).unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        fs::write(folder.path().join("archive/index.html"), "front").unwrap();
        fs::write(folder.path().join("archive/events/a.html"), "event").unwrap();
        fs::write(folder.path().join("archive/games.csv"), "rank,g\n".repeat(1000)).unwrap();
        folder
    }

    /// Status, headers and text of the answer to a request.
    fn ask(archive: &Path, request: Request) -> (u16, axum::http::HeaderMap, Vec<u8>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let response = app(archive, Router::new()).oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let bytes = to_bytes(body, 1 << 20).await.unwrap();
            (parts.status.as_u16(), parts.headers, bytes.to_vec())
        })
    }

    fn get(address: &str) -> axum::http::request::Builder {
        Request::builder().uri(address).header("host", "127.0.0.1:8800")
    }

    fn uncached(archive: &Path, address: &str) -> (u16, String) {
        let (status, _, bytes) = ask(archive, get(address).body(Body::empty()).unwrap());
        (status, String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn pages_are_given_with_their_type() {
        let folder = folder();
        let archive = folder.path().join("archive");
        for (address, text) in
            [("/", "front"), ("/index.html?x", "front"), ("/events/%61.html", "event")]
        {
            let (status, headers, bytes) = ask(&archive, get(address).body(Body::empty()).unwrap());
            assert_eq!(
                (status, headers["content-type"].to_str().unwrap()),
                (200, "text/html; charset=utf-8")
            );
            assert!(String::from_utf8(bytes).unwrap().starts_with(text), "{address}");
        }
        assert_eq!(uncached(&archive, EDITION).0, 200);
    }

    #[test]
    fn no_address_leads_out_of_the_folder() {
        let folder = folder();
        let archive = folder.path().join("archive");
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), archive.join("link.txt"))
            .unwrap();
        for address in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/events/..%2f..%2fsecret.txt",
            "//etc/passwd",
            "/%2fetc/passwd",
            "/events/%00",
            "/%ff",
            "/%",
            "/link.txt",
        ] {
            let (status, text) = uncached(&archive, address);
            assert_eq!(status, 404, "{address}");
            assert!(!text.contains("secret"), "{address}");
        }
    }

    #[test]
    fn tables_come_compressed_and_in_parts() {
        let folder = folder();
        let archive = folder.path().join("archive");
        let packed = get("/games.csv").header("accept-encoding", "gzip").body(Body::empty());
        let (status, headers, bytes) = ask(&archive, packed.unwrap());
        assert_eq!((status, headers["content-encoding"].to_str().unwrap()), (200, "gzip"));
        assert!(bytes.len() < 1000);
        let part = get("/games.csv").header("range", "bytes=0-5").body(Body::empty());
        let (status, _, bytes) = ask(&archive, part.unwrap());
        assert_eq!((status, &bytes[..]), (206, &b"rank,g"[..]));
    }

    #[test]
    fn only_reading_is_allowed_and_only_by_the_names_of_this_machine() {
        let folder = folder();
        let archive = folder.path().join("archive");
        let post = get("/").method("POST").body(Body::from("x")).unwrap();
        assert_eq!(ask(&archive, post).0, 405);
        let other = Request::builder().uri("/").header("host", "evil.example");
        assert_eq!(ask(&archive, other.body(Body::empty()).unwrap()).0, 403);
        for (host, status) in [
            ("localhost", 200),
            ("localhost:8800", 200),
            ("[::1]", 200),
            ("[::1]:8800", 200),
            ("127.0.0.1:8800.evil.example", 403),
            ("127.0.0.1:8800@evil.example", 403),
        ] {
            let request = Request::builder().uri("/").header("host", host);
            assert_eq!(ask(&archive, request.body(Body::empty()).unwrap()).0, status, "{host}");
        }
        let twice = get("/").header("host", "evil.example").body(Body::empty());
        assert_eq!(ask(&archive, twice.unwrap()).0, 403);
    }

    #[test]
    fn the_address_of_a_container_is_shown_by_the_name_that_is_answered() {
        let folder = folder();
        let shown = |ip: [u8; 4]| {
            let preview = Preview::bind(folder.path(), SocketAddr::from((ip, 0))).unwrap();
            let port = preview.listener.local_addr().unwrap().port();
            preview.address().unwrap().replace(&format!(":{port}/"), "")
        };
        assert_eq!(shown([127, 0, 0, 1]), "http://127.0.0.1");
        assert_eq!(shown([0, 0, 0, 0]), "http://localhost");
    }

    #[test]
    fn answers_have_a_content_policy_and_forbid_frames() {
        let folder = folder();
        let archive = folder.path().join("archive");
        for address in ["/", "/nowhere", "/games.csv"] {
            let (_, headers, _) = ask(&archive, get(address).body(Body::empty()).unwrap());
            let policy = headers["content-security-policy"].to_str().unwrap();
            assert!(policy.contains("frame-ancestors 'none'"), "{address}");
            assert!(!policy.contains("unsafe"), "{address}");
            assert_eq!(headers["x-frame-options"], "DENY", "{address}");
        }
        for address in ["/sql.html", "/sql-worker.js"] {
            let (_, headers, _) = ask(&archive, get(address).body(Body::empty()).unwrap());
            let policy = headers["content-security-policy"].to_str().unwrap();
            assert!(
                policy.contains("'wasm-unsafe-eval'") && !policy.contains("'unsafe"),
                "{policy}"
            );
        }
        assert!(uncached(&archive, "/").1.contains("<script src=\"/.greatness/reload.js\">"));
        assert_eq!(uncached(&archive, RELOAD).0, 200);
    }

    #[test]
    fn unfinished_requests_are_closed_and_do_not_delay_others() {
        use std::io::{Read, Write};
        let folder = folder();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let app = app(&folder.path().join("archive"), Router::new());
        std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                serve(listener, app, Duration::from_millis(200)).await
            })
        });
        let connect = || {
            let stream = std::net::TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
            stream
        };
        let mut slow: Vec<_> = (0..8).map(|_| connect()).collect();
        slow.iter_mut().for_each(|stream| stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap());
        let mut other = connect();
        other.write_all(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
        let mut text = String::new();
        other.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.0 200"), "{text}");
        for stream in &mut slow {
            let mut rest = Vec::new();
            // The server closes the connection. Otherwise reading fails with a timeout.
            if let Err(error) = stream.read_to_end(&mut rest) {
                assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
            }
            let answer = String::from_utf8_lossy(&rest);
            assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
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
