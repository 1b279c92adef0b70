//! Compares the results of a cluster on this machine with those of one program.
//!
//! They must be equal even if an executor is killed.

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

impl Process {
    fn start(arguments: &[&str]) -> Process {
        let child = Command::new(PROGRAM)
            .args(arguments)
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
}

impl Cluster {
    fn of(executors: usize) -> Cluster {
        let scheduler = format!("127.0.0.1:{}", port());
        let process = Process::start(&["scheduler", "--bind", &scheduler, "--silence", "6"]);
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("store")).unwrap();
        let executor = |_| {
            let (bind, grpc) = (format!("127.0.0.1:{}", port()), port().to_string());
            let at = ["--scheduler", &scheduler, "--bind", &bind, "--grpc-port", &grpc];
            Process::start(&[&["executor", "--cores", "1"], &at[..]].concat())
        };
        let executors = (0..executors).map(executor).collect();
        Cluster { executors, scheduler, _process: process, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str, more: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args([name, "--scheduler", &self.scheduler, "--partitions", "8", "--store"])
            .arg(self.path("store"))
            .args(more)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // The tests must not read a settings file of the folder in which they run.
            .current_dir(self.folder.path());
        command
    }
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

/// Reads all files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            true => {
                let inner = files(&path).into_iter();
                all.extend(inner.map(|(inside, bytes)| (format!("{name}/{inside}"), bytes)));
            }
            false => {
                all.insert(name, fs::read(&path).unwrap());
            }
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
    let cluster = Cluster::of(2);
    wait_for(&cluster.scheduler);
    let collection = collection(cluster.folder.path());
    let out = cluster.path("out");
    let mut command = cluster.command("build", &["--range", "1"]);
    for file in &collection {
        command.arg("--pgn").arg(file);
    }
    let done = command.arg("--out").arg(&out).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let of_one = exports(of_collection(&collection), &cluster.path("one"));
    assert_same(&files(&out.join("exports")), &of_one);

    // The store keeps nothing that was exchanged with executors.
    assert_eq!(files(&cluster.path("store")).keys().collect::<Vec<_>>(), [""; 0]);

    // A build from the work folder reuses its results and gives the same exports.
    let work = WorkFolder::at(&out);
    let mut settings = of_collection(&[work.games()]);
    settings.input.from = Some(out.clone());
    assert_same(&exports(settings, &cluster.path("from")), &of_one);

    // A second build on the cluster sends nothing to executors.
    let mut again = cluster.command("build", &["--range", "1"]);
    for file in &collection {
        again.arg("--pgn").arg(file);
    }
    let again = again.arg("--out").arg(&out).output().unwrap();
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(again.status.success(), "{said}");
    assert!(!said.contains("to executors"), "{said}");
}

#[test]
fn a_killed_executor_does_not_change_the_exports() {
    let mut cluster = Cluster::of(2);
    wait_for(&cluster.scheduler);
    let collection = collection(cluster.folder.path());
    let out = cluster.path("out");
    let mut command = cluster.command("build", &[]);
    for file in &collection {
        command.arg("--pgn").arg(file);
    }
    let running = command.arg("--out").arg(&out).spawn().unwrap();
    // When the first system is done, executors are computing others.
    let start = Instant::now();
    let systems = cluster.path("store").join("systems");
    while fs::read_dir(&systems).map_or(0, |systems| systems.count()) == 0 {
        assert!(start.elapsed() < Duration::from_secs(300), "no system was computed within 300 s");
        std::thread::sleep(Duration::from_millis(20));
    }
    cluster.executors[0].kill();
    let done = running.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let of_one = exports(of_collection(&collection), &cluster.path("one"));
    assert_same(&files(&out.join("exports")), &of_one);
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
    let cluster = Cluster::of(2);
    wait_for(&cluster.scheduler);
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
