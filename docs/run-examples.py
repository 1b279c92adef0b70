#!/usr/bin/env python3
"""Runs the examples of docs/data.md.

    docs/run-examples.py ARCHIVE PROGRAM

The questions run in the folder of an archive. The script that calls the program runs in an empty
folder with a small collection. Prints each result. Fails if an example fails or gives no rows.
Blocks in R are not run.
"""

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import duckdb

DOCS = Path(__file__).resolve().parent


def run_python(block: str) -> str:
    """Returns the tables that a script prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(block, {})
    tables = out.getvalue()
    shapes = re.findall(r"shape: \((\d+)", tables)
    assert shapes and "0" not in shapes, "no rows"
    return tables


def run(language: str, block: str, archive: Path) -> str:
    """Returns the result of an example."""
    if "subprocess" in block:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(DOCS / "../tests/cases/site/small.pgn", f"{folder}/games.pgn")
            os.chdir(folder)
            tables = run_python(block)
            os.chdir(archive)
            return tables
    os.chdir(archive)
    if language == "python":
        return run_python(block)
    rows = duckdb.sql(block).fetchall()
    assert rows, "no rows"
    return "\n".join(map(str, rows))


def main() -> None:
    archive, program = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    examples = re.findall(r"```(sql|python)\n(.*?)```", (DOCS / "data.md").read_text(), flags=re.S)
    for language, block in examples:
        print(f"-- {block.strip().splitlines()[0]}")
        print(run(language, block, archive))
    assert len(examples) == 7, f"{len(examples)} examples were run"
    print(f"{len(examples)} examples run")


main()
