#!/usr/bin/env python3
"""Writes RESULTS.md: every solution beside its peers, from what tests/bench_solutions.py measured.

    pytest tests/bench_solutions.py --benchmark-json=bench.json && python scripts/results.py bench.json

All rows of a problem come from one run. Of several files (`-k level2`, `-k level3`, on one machine) the last that
has a problem counts.
"""

from __future__ import annotations

import argparse
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
    parser = argparse.ArgumentParser(description="Write RESULTS.md from what tests/bench_solutions.py measured.")
    parser.add_argument("reports", nargs="+", type=Path, metavar="bench.json", help="what --benchmark-json wrote")
    parser.add_argument("-o", "--output", type=Path, default=Path("RESULTS.md"))
    options = parser.parse_args()
    exercises: dict[str, dict[str, Row]] = {}
    machines = []
    for report in options.reports:
        try:
            found, device, date = read(report)
            lines(found)
        except (OSError, ValueError, KeyError, IndexError) as error:
            print(f"{report}: not the JSON of tests/bench_solutions.py: {error!r}", file=sys.stderr)
            return 2
        exercises |= found
        stack = ", ".join(f"{name} {device[name]}" for name in ("torch", "triton", "cupy", "nvrtc"))
        machines.append((device["name"], stack))
    if len(set(machines)) > 1:
        print(f"these are of different machines: {machines}; measure again, on one", file=sys.stderr)
        return 2
    (name, stack), table = machines[0], "\n".join(lines(dict(sorted(exercises.items()))))
    text = f"""# Results

Every solution beside the fastest of its peers (PyTorch eager, torch.compile, and the libraries that the exercise
names), on {name}, {date}; {stack}. Medians of the device's own time with a cold L2 cache, fresh data for
each call. Made by `scripts/results.py`; do not edit.

{table}
"""
    options.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
