#!/usr/bin/env python3
"""Writes RESULTS.md: every solution beside its peers, from one run of tests/bench_solutions.py.

pytest tests/bench_solutions.py --benchmark-json=bench.json && python scripts/results.py bench.json [RESULTS.md]
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TRACKS = ("cuda", "triton")
Row = Mapping[str, Any]


def read(path: Path) -> tuple[dict[str, dict[str, Row]], Row, str]:
    """The benchmarks by problem (the first two cells of its rows) and contestant, the device, and the date."""
    report = json.loads(path.read_text(encoding="utf-8"))
    exercises: dict[str, dict[str, Row]] = defaultdict(dict)
    for benchmark in report["benchmarks"]:
        info = benchmark["extra_info"]
        row = {**info, "seconds": benchmark["stats"]["median"], "spread": benchmark["stats"]["iqr"]}
        sizes = ", ".join(f"{name}={value}" for name, value in info["case"].items())
        exercises[f"{info['exercise']} | {sizes}, {info['dtype']}"][info["contestant"]] = row
    return exercises, report["benchmarks"][0]["extra_info"]["device"], report["datetime"][:10]


def cell(row: Row) -> str:
    return f"{row['seconds'] * 1e6:.1f} us · {row['rate']} ({row['share']:.0%})"


def lines(exercises: Mapping[str, Mapping[str, Row]]) -> list[str]:
    """The rows of the table. The ratio is the solution's speed over that of its fastest peer."""
    names = ("exercise", "problem", "solution", "time · rate (share of the ceiling)", "fastest peer", "its figures")
    table = [f"| {' | '.join(names)} | ratio |", f"{'|---' * (len(names) + 1)}|"]
    for exercise, rows in exercises.items():
        peers = {name: row for name, row in rows.items() if name not in TRACKS}
        if not peers:
            raise KeyError(f"{exercise}: no peer was timed")
        best = min(peers, key=lambda name: peers[name]["seconds"])
        for track in TRACKS:
            if track in rows:
                ratio = peers[best]["seconds"] / rows[track]["seconds"]
                ours, theirs = cell(rows[track]), cell(peers[best])
                table.append(f"| {exercise} | {track} | {ours} | {best} | {theirs} | {ratio:.2f} |")
    return table


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        exercises, device, date = read(Path(sys.argv[1]))
        rows = lines(exercises)
    except (OSError, ValueError, KeyError, IndexError) as error:
        print(f"{sys.argv[1]}: not the JSON of tests/bench_solutions.py: {error!r}", file=sys.stderr)
        return 2
    table = "\n".join(rows)
    stack = ", ".join(f"{name} {device[name]}" for name in ("torch", "triton", "cupy", "nvrtc"))
    text = f"""# Results

Every solution beside the fastest of its peers (PyTorch eager, torch.compile, and the libraries that the exercise
names), on {device["name"]}, {date}; {stack}. Medians of the device's own time with a cold L2 cache, fresh data for
each call. Made by `scripts/results.py`; do not edit.

{table}
"""
    Path(sys.argv[2] if len(sys.argv) == 3 else "RESULTS.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
