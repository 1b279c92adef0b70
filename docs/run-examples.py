#!/usr/bin/env python3
"""Runs the examples of docs/data.md in the folder of an archive.

    docs/run-examples.py ARCHIVE

Prints each result. Fails if an example fails or gives no rows. Blocks that call the program or R are
not run.
"""

import contextlib
import io
import os
import re
import sys
from pathlib import Path

import duckdb

text = (Path(__file__).parent / "data.md").read_text()
os.chdir(sys.argv[1])
done = 0
for language, block in re.findall(r"```(sql|python)\n(.*?)```", text, flags=re.S):
    if "subprocess" in block:
        continue
    print(f"-- {block.strip().splitlines()[0]}")
    if language == "sql":
        rows = duckdb.sql(block).fetchall()
        assert rows, "no rows"
        print(*rows, sep="\n")
    else:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(block, {})
        assert re.search(r"shape: \([1-9]", out.getvalue()), "no rows"
        print(out.getvalue())
    done += 1
assert done == 5, f"{done} examples were run"
print(f"{done} examples run")
