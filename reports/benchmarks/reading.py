#!/usr/bin/env python3
"""How fast collections are read, beside other programs on the same files.

    python3 reports/benchmarks/reading.py [--rounds N] [--peer-rounds N] [--games N] [PGN]...

Makes a file of a million games by repeating and perturbing the given collections (without any: the
bundled games, which have results only), and measures that and each collection: our reading with one
thread and with two against a scan for line feeds by memchr (cargo bench --bench reading), and wc, rg,
pgn-extract and Scid's import where they are installed. All take turns; medians are told. Instructions
are counted by valgrind's callgrind, where that is installed. Writes reading.md and reading.json beside
this script.
"""

import argparse
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Debian keeps chess programs among the games.
PATH = os.environ["PATH"] + ":/usr/games"
ENVIRONMENT = {**os.environ, "PATH": PATH}
# Games of a file into a new database of Scid, by Scid's own interpreter.
IMPORT = """
set base [sc_base create SCID4 [lindex $argv 0]]
sc_base import $base [lindex $argv 1]
sc_base close $base
exit 0
"""
OURS = ["scan", "one-thread", "two-threads"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("pgn", nargs="*", type=Path)
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("--peer-rounds", type=int, default=1, help="of programs that take minutes")
    arguments.add_argument("--games", type=int, default=1_000_000, help="of the file that is made")
    arguments = arguments.parse_args()
    bench = build()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        sources = arguments.pgn or [bundled(folder)]
        # In a process of its own: a child counts the memory of its parent as its own.
        made = folder / "made.pgn"
        maker = multiprocessing.Process(target=make, args=(sources[0], made, arguments.games))
        maker.start()
        maker.join()
        files = [*arguments.pgn, made]
        results = [measure(bench, file, arguments, folder) for file in files]
        instructions = count_instructions(bench, sources[0], folder)
    report = {"machine": machine(), "files": results, "instructions": instructions}
    (HERE / "reading.json").write_text(json.dumps(report, indent=2) + "\n")
    (HERE / "reading.md").write_text(markdown(report))


def build():
    """Builds the benchmark; its program."""
    command = ["cargo", "bench", "--bench", "reading", "--no-run", "--message-format=json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = (json.loads(line) for line in lines.splitlines())
    return [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "reading"][-1]


def bundled(folder):
    """The bundled games in one file."""
    path = folder / "bundled.pgn"
    with path.open("wb") as out:
        for packed in sorted((ROOT / "data/games").glob("*.pgn.zst")):
            subprocess.run(["zstd", "-dc", packed], check=True, stdout=out)
    return path


def make(source, path, games):
    """Repeats a collection until there are enough games; each copy with years and names of its own."""
    text = source.read_bytes()
    made = copy = 0
    starts = [match.start() for match in re.finditer(rb"^\[Event ", text, re.M)] + [len(text)]
    with path.open("wb") as out:
        while made < games:
            part = text[: starts[min(games - made, len(starts) - 1)]]
            made += min(games - made, len(starts) - 1)
            if copy:
                mark = b" %d" % copy
                part = re.sub(rb'^(\[(?:White|Black|Event) "[^",]+)', lambda m: m[1] + mark, part, flags=re.M)
            out.write(part)
            copy += 1


def measure(bench, file, arguments, folder):
    print(f"{file.name}: {file.stat().st_size} bytes", file=sys.stderr)
    for _ in range(2):
        run([bench, "--once", "scan", file])
    ways = json.loads(run([bench, "--json", "--rounds", str(arguments.rounds), file])[1])
    peers = {}
    for name, command, rounds in commands(file, folder, arguments):
        if shutil.which(command[0], path=PATH):
            peers[name] = {"command": [Path(str(word)).name for word in command], "runs": [], "rounds": rounds}
    for turn in range(arguments.rounds):
        for name, command, rounds in commands(file, folder, arguments):
            if name in peers and turn < rounds:
                seconds, _, memory = run(command)
                peers[name]["runs"].append(seconds)
                peers[name]["memory"] = memory
    scan = ways["ways"]["scan"]["seconds"]
    for peer in peers.values():
        peer["seconds"] = median(peer.pop("runs"))
        peer["scans"] = peer["seconds"] / scan
    memory = run([bench, "--once", "two-threads", file])[2]
    return {"file": file.name, **ways, "peers": peers, "memory": memory}


def commands(file, folder, arguments):
    for left in folder.glob("scid-database*"):
        left.unlink()
    script = folder / "import.tcl"
    script.write_text(IMPORT)
    return [
        ("wc -l", ["wc", "-l", file], arguments.rounds),
        ("rg -c", ["rg", "-c", "-a", r"^\[Event ", file], arguments.rounds),
        ("pgn-extract -r", ["pgn-extract", "-s", "-r", file], arguments.peer_rounds),
        ("Scid's import", ["tkscid", script, folder / "scid-database", file], arguments.peer_rounds),
    ]


def run(command):
    """Seconds, output, and the most memory (bytes) of one run."""
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        program = shutil.which(str(command[0]), path=PATH) or command[0]
        child = subprocess.Popen([str(program), *map(str, command[1:])], stdout=out, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        _, _, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        out.seek(0)
        return seconds, out.read(), usage.ru_maxrss * 1024


def count_instructions(bench, source, folder):
    """Instructions a byte, on the first 16 MiB."""
    if not shutil.which("valgrind"):
        return None
    sample = folder / "sample.pgn"
    with source.open("rb") as file:
        sample.write_bytes(file.read(16 << 20))
    counted = {}
    for way in ["scan", "parse", "one-thread"]:
        out = folder / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", bench, "--once", way, sample]
        told = subprocess.run([str(word) for word in command], capture_output=True, text=True).stderr
        counted[way] = int(re.search(r"Collected : (\d+)", told)[1]) / sample.stat().st_size
    return counted


def machine():
    cores = os.cpu_count()
    name = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "?")
    return f"{name}, {cores} cores"


def markdown(report):
    lines = [
        "# Reading collections",
        "",
        f"Measured by `reports/benchmarks/reading.py` on {report['machine']}. A *scan* is the time that one thread",
        "needs to go from line feed to line feed through the mapped file with memchr. *Reading* goes from the",
        "file to the game table and the games grouped by their tags. Files are in the page cache; programs are",
        "interleaved; figures are medians.",
    ]
    for file in report["files"]:
        size, games = file["bytes"], file["games"]
        lines += [
            "",
            f"## {file['file']}: {size / 1e6:,.0f} MB, {games:,} games of {size / games:.0f} bytes",
            "",
            "| | seconds | scans | GB/s | million games/s |",
            "|---|--:|--:|--:|--:|",
        ]
        rows = [(f"ours, {way}" if way != "scan" else "scan", file["ways"][way]["seconds"]) for way in OURS]
        rows += [(name, peer["seconds"]) for name, peer in file["peers"].items()]
        scan = file["ways"]["scan"]["seconds"]
        for name, seconds in rows:
            lines.append(
                f"| {name} | {seconds:.3f} | {seconds / scan:.2f} | {size / seconds / 1e9:.2f} | {games / seconds / 1e6:.2f} |"
            )
        spare = (file["memory"] - 300e6) / games
        lines += ["", f"Memory with two threads: {file['memory'] / 1e6:.0f} MB (300 MB and {spare:.0f} bytes a game)."]
        if spare < 0:
            lines[-1] = f"Memory with two threads: {file['memory'] / 1e6:.0f} MB."
    if report["instructions"]:
        lines += ["", "## Instructions a byte (callgrind, 32-byte vectors, one thread, 16 MiB)", ""]
        lines += [f"- {way}: {count:.2f}" for way, count in report["instructions"].items()]
    notes = HERE / "reading-notes.md"
    if notes.exists():
        lines += ["", notes.read_text().rstrip()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
