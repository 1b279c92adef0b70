//! Compares the results of a cluster on this machine with those of one program.
//!
//! They must be equal even if executors or the build itself are killed.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use greatness::archive::{Settings, Silent, WorkFolder, build, write_exports};

const PROGRAM: &str = env!("CARGO_BIN_EXE_greatness-cluster");

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

/// Finds a port that no process uses.
fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A process that is killed when the test ends.
struct Process(Child);

/// Environment variables of all processes of a cluster.
type Variables = Vec<(&'static str, String)>;

impl Process {
    fn start(arguments: &[&str], variables: &Variables) -> Process {
        let child = Command::new(PROGRAM)
            .args(arguments)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Process(child)
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A scheduler, and executors with one core each.
struct Cluster {
    scheduler: String,
    _process: Process,
    executors: Vec<Process>,
    folder: tempfile::TempDir,
    store: String,
    variables: Variables,
}

impl Cluster {
    fn with_executors(executors: usize) -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("store");
        fs::create_dir(&store).unwrap();
        Cluster::with(executors, folder, store.to_str().unwrap().to_owned(), Variables::new())
    }

    fn with(
        executors: usize,
        folder: tempfile::TempDir,
        store: String,
        variables: Variables,
    ) -> Cluster {
        let scheduler = format!("127.0.0.1:{}", port());
        let arguments = ["scheduler", "--bind", &scheduler, "--silence", "6"];
        let process = Process::start(&arguments, &variables);
        wait_for(&scheduler);
        let mut cluster = Cluster {
            executors: Vec::new(),
            scheduler,
            _process: process,
            folder,
            store,
            variables,
        };
        (0..executors).for_each(|_| cluster.add_executor());
        cluster
    }

    fn add_executor(&mut self) {
        let (bind, grpc) = (format!("127.0.0.1:{}", port()), port().to_string());
        let at = ["--scheduler", &self.scheduler, "--bind", &bind, "--grpc-port", &grpc];
        let arguments = [&["executor", "--cores", "1"], &at[..]].concat();
        self.executors.push(Process::start(&arguments, &self.variables));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str, more: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args([name, "--scheduler", &self.scheduler, "--partitions", "8", "--store"])
            .arg(&self.store)
            .args(more)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // The tests must not read a settings file of the folder in which they run.
            .current_dir(self.folder.path());
        command
    }

    /// The command that builds a collection into a folder.
    fn build(&self, collection: &[PathBuf], out: &Path) -> Command {
        let mut command = self.command("build", &["--range", "1"]);
        for file in collection {
            command.arg("--pgn").arg(file);
        }
        command.arg("--out").arg(out);
        command
    }

    /// Waits until an executor has delivered a task of a stage.
    fn wait_for_receipt(&self, stage: &str) {
        let start = Instant::now();
        let folder = Path::new(&self.store).join("stages").join(stage);
        while !files(&folder).keys().any(|name| name.ends_with(".receipt")) {
            assert!(start.elapsed() < Duration::from_secs(300), "no task of {stage} within 300 s");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Runs a command to its end. Returns its messages.
fn finish(child: Child) -> String {
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    said
}

/// The counts of each stage of a build, which no loss may change.
fn counts(out: &Path) -> Vec<String> {
    ["read", "ratings", "events"]
        .map(|stage| {
            let text = fs::read(out.join(format!("manifests/{stage}.json"))).unwrap();
            let manifest: serde_json::Value = serde_json::from_slice(&text).unwrap();
            let names = ["stage", "input", "tasks", "bytes_in", "rows_in", "rows_out", "set_aside"];
            let more = ["bytes_out", "checksum"];
            let counts = names.iter().chain(&more).map(|name| manifest[*name].to_string());
            counts.collect::<Vec<_>>().join(" ")
        })
        .into()
}

/// Waits until a scheduler answers, because a program that starts earlier fails.
fn wait_for(address: &str) {
    let start = Instant::now();
    while std::net::TcpStream::connect(address).is_err() {
        assert!(start.elapsed() < Duration::from_secs(60), "no scheduler answers at {address}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Writes a collection of two plain files.
fn collection(folder: &Path) -> Vec<PathBuf> {
    ["1880s", "1890s"]
        .map(|decade| {
            let packed = fs::read(data().join(format!("games/{decade}.pgn.zst"))).unwrap();
            let path = folder.join(format!("{decade}.pgn"));
            fs::write(&path, zstd::decode_all(&packed[..]).unwrap()).unwrap();
            path
        })
        .into()
}

/// Builds an archive with the library and returns its exports.
fn exports(settings: Settings, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let archive = build(settings.with_bundled_data(&data()).unwrap(), &Silent).unwrap();
    fs::create_dir_all(folder).unwrap();
    write_exports(&archive, folder).unwrap();
    files(folder)
}

/// The default settings with a collection.
fn of_collection(files: &[PathBuf]) -> Settings {
    let mut settings = Settings::default();
    settings.input.pgn = files.to_vec();
    settings
}

/// Reads all files of a folder, by name. A folder that does not exist has none. Files that go while
/// they are read are left out.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = files(&path).into_iter();
            all.extend(inner.map(|(inside, bytes)| (format!("{name}/{inside}"), bytes)));
        } else {
            all.extend(fs::read(&path).ok().map(|bytes| (name, bytes)));
        }
    }
    all
}

fn assert_same(ours: &BTreeMap<String, Vec<u8>>, theirs: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    assert!(ours.len() > 60, "only {} exports", ours.len());
    for (name, bytes) in ours {
        assert!(bytes == &theirs[name], "{name} differs");
    }
}

#[test]
fn two_executors_give_the_exports_of_one_program_and_later_builds_reuse_their_work() {
    let cluster = Cluster::with_executors(2);
    let collection = collection(cluster.folder.path());
    let out = cluster.path("out");
    finish(cluster.build(&collection, &out).spawn().unwrap());
    let of_one = exports(of_collection(&collection), &cluster.path("one"));
    assert_same(&files(&out.join("exports")), &of_one);

    // The store keeps nothing that was exchanged with executors.
    assert_eq!(files(Path::new(&cluster.store)).keys().collect::<Vec<_>>(), [""; 0]);

    // A build from the work folder reuses its results and gives the same exports.
    let work = WorkFolder::at(&out);
    let mut settings = of_collection(&[work.games()]);
    settings.input.from = Some(out.clone());
    assert_same(&exports(settings, &cluster.path("from")), &of_one);

    // A second build on the cluster only reads the games again.
    let said = finish(cluster.build(&collection, &out).spawn().unwrap());
    assert_eq!(said.matches("sent to executors").count(), 1, "{said}");
}

#[test]
fn executors_killed_in_each_stage_cost_no_row() {
    let mut cluster = Cluster::with_executors(2);
    let collection = collection(cluster.folder.path());
    let undisturbed = cluster.path("undisturbed");
    finish(cluster.build(&collection, &undisturbed).spawn().unwrap());
    let (of_one, counts_of_one) = (files(&undisturbed.join("exports")), counts(&undisturbed));
    let mut again = 0;
    for kill in 0..10 {
        let stage = ["read", "ratings", "events"][kill % 3];
        let out = cluster.path(&format!("out-{kill}"));
        let running = cluster.build(&collection, &out).spawn().unwrap();
        cluster.wait_for_receipt(stage);
        cluster.executors.remove(0).kill();
        cluster.add_executor();
        let said = finish(running);
        assert_eq!(counts(&out), counts_of_one, "{said}");
        assert_same(&files(&out.join("exports")), &of_one);
        again += said.matches("the others run again").count();
    }
    // A kill can come after the last task of its executor, but not ten times.
    assert!(again > 0, "no kill interrupted a stage");
    println!("{again} of 10 kills interrupted a stage");
}

/// Starts a build, and kills it when the first rating system is done.
fn kill_in_the_ratings(cluster: &Cluster, collection: &[PathBuf], out: &Path) {
    let mut running = cluster.build(collection, out).spawn().unwrap();
    cluster.wait_for_receipt("ratings");
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn a_killed_build_goes_on_after_its_last_finished_stage() {
    let cluster = Cluster::with_executors(2);
    let collection = collection(cluster.folder.path());
    let out = cluster.path("out");
    kill_in_the_ratings(&cluster, &collection, &out);
    let said = finish(cluster.build(&collection, &out).spawn().unwrap());
    assert!(said.contains("read: finished by an earlier build"), "{said}");
    assert!(said.contains("tasks were done before"), "{said}");
    let of_one = exports(of_collection(&collection), &cluster.path("one"));
    assert_same(&files(&out.join("exports")), &of_one);
}

#[test]
fn an_output_that_is_damaged_in_the_store_is_made_again() {
    let cluster = Cluster::with_executors(1);
    let collection = collection(cluster.folder.path());
    let out = cluster.path("out");
    kill_in_the_ratings(&cluster, &collection, &out);
    let read = Path::new(&cluster.store).join("stages/read/1");
    let outputs = files(&read).into_iter().find(|(name, _)| name.ends_with(".output"));
    let (name, mut bytes) = outputs.unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(read.join(&name), bytes).unwrap();
    let refused = cluster.build(&collection, &out).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("was damaged"), "{said}");
    let said = finish(cluster.build(&collection, &out).spawn().unwrap());
    assert!(said.contains("read: 1 tasks sent to executors"), "{said}");
    let of_one = exports(of_collection(&collection), &cluster.path("one"));
    assert_same(&files(&out.join("exports")), &of_one);
}

/// A server on this machine that speaks S3, with the bucket `greatness` in a folder.
fn bucket(folder: &Path) -> Variables {
    fs::create_dir_all(folder.join("greatness")).unwrap();
    let files = s3s_fs::FileSystem::new(folder).unwrap();
    let mut service = s3s::service::S3ServiceBuilder::new(files);
    service.set_auth(s3s::auth::SimpleAuth::from_single("greatness", "greatness"));
    let service = service.build();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let executor = hyper_util::rt::TokioExecutor::new();
            let server = hyper_util::server::conn::auto::Builder::new(executor);
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let socket = hyper_util::rt::TokioIo::new(socket);
                let connection = server.serve_connection(socket, service.clone()).into_owned();
                tokio::spawn(async move {
                    // A client that is killed ends its connection with an error.
                    let _ = connection.await;
                });
            }
        });
    });
    let address = told.recv().unwrap();
    vec![
        ("AWS_ACCESS_KEY_ID", "greatness".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "greatness".to_owned()),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ENDPOINT", format!("http://{address}")),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
    ]
}

#[test]
fn a_bucket_serves_as_store_and_as_source() {
    let folder = tempfile::tempdir().unwrap();
    let variables = bucket(&folder.path().join("s3"));
    let collection = collection(folder.path());
    let cluster = Cluster::with(2, folder, "s3://greatness/work".to_owned(), variables);
    let out = cluster.path("out");
    finish(cluster.build(&collection, &out).spawn().unwrap());
    let of_one = exports(of_collection(&collection), &cluster.path("one"));
    assert_same(&files(&out.join("exports")), &of_one);

    // The same games from the bucket: as many rows and bytes, under the names of the bucket.
    let games = cluster.path("s3/greatness/games");
    fs::create_dir(&games).unwrap();
    for file in &collection {
        fs::copy(file, games.join(file.file_name().unwrap())).unwrap();
    }
    let from_bucket = cluster.path("from-bucket");
    let mut command = cluster.command("build", &["--range", "1", "--pgn", "s3://greatness/games"]);
    finish(command.arg("--out").arg(&from_bucket).spawn().unwrap());
    let read = |out: &Path| {
        let text = fs::read(out.join("manifests/read.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&text).unwrap();
        [manifest["rows_out"].clone(), manifest["bytes_in"].clone()]
    };
    assert_eq!(read(&out), read(&from_bucket));
    let list = |out: &Path| fs::read(out.join("exports/greatness.csv")).unwrap();
    assert_eq!(list(&out), list(&from_bucket));
}

#[test]
fn a_missing_scheduler_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = format!("127.0.0.1:{}", port());
    let out = Command::new(PROGRAM)
        .args(["build", "--scheduler", &nowhere, "--pgn"])
        .arg(data().join("games/1790s.pgn.zst"))
        .arg("--store")
        .arg(folder.path())
        .arg("--out")
        .arg(folder.path().join("out"))
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(1));
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains(&nowhere), "{said}");
}

#[test]
fn executors_analyse_positions_into_a_cache() {
    let has_engine = Command::new("stockfish").stdin(Stdio::null()).output().is_ok();
    if !has_engine {
        eprintln!("skipped: stockfish is not installed");
        return;
    }
    let cluster = Cluster::with_executors(2);
    let games = cluster.path("match.pgn");
    let game = |round: usize, white: &str, black: &str| {
        format!(
            "[Event \"Match\"]\n[Site \"Berlin\"]\n[Date \"1990.01.0{round}\"]\n[Round \"{round}\"]\n\
             [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 \
             10. d4 Nbd7 1{round}. a4 1-0\n\n"
        )
    };
    let text: String = (1..=4)
        .map(|round| match round % 2 {
            0 => game(round, "Adams, A", "Brown, B"),
            _ => game(round, "Brown, B", "Adams, A"),
        })
        .collect();
    fs::write(&games, text).unwrap();
    let run = || {
        let more = ["--nodes", "500", "--multipv", "2", "--shard", "1", "--pgn"];
        let out = cluster
            .command("intrinsic", &more)
            .arg(&games)
            .arg("--cache")
            .arg(cluster.path("cache.redb"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "{said}");
        said
    };
    let first = run();
    assert!(!first.contains(" 0 to do"), "{first}");
    let second = run();
    assert!(second.contains(" 0 to do"), "{second}");
}
