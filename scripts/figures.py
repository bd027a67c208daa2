#!/usr/bin/env python3
"""Puts what `grade` measured on a GPU into the pages of the exercises: each track's time beside PyTorch's.

    grade all --from solutions --json record.json
    python scripts/figures.py record.json

In a page's section Measure, what stands between the two marks is replaced; a page without marks gets them at the
section's end. Nothing there is typed by hand.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- measured: scripts/figures.py -->", "<!-- /measured -->"
BLOCK = re.compile(rf"{BEGIN}\n.*?{END}\n", re.DOTALL)
NEXT = "\n## Next\n"
Row = Mapping[str, Any]


def block(name: str, rows: Sequence[Row], device: Row) -> str:
    """The lines between the marks, marks included, for the tracks of one exercise."""
    timing = rows[0]["timing"]
    case = ", ".join(f"{size} = {value}" for size, value in timing["case"].items())
    stack = f"torch {device['torch'].split('+')[0]}, triton {device['triton']}"
    lines = [
        BEGIN,
        f"On an {device['name']} ({stack}), {case}, {timing['dtype']}: `grade {name} --from solutions`,",
        "PyTorch in turns with each track.",
        "",
        "| track | time | PyTorch's | speed over PyTorch's | of the card's ceiling |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        one = row["timing"]
        lines.append(
            f"| {row['track']} | {spoken(one['seconds'])} | {spoken(one['baseline_seconds'])} | {one['ratio']:.2f} "
            f"({one['low']:.2f}-{one['high']:.2f}) | {one['rate']}, {one['share']:.0%} |"
        )
    return "\n".join([*lines, END, ""])


def spoken(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"


def put(page: str, text: str) -> str:
    """`page` with the block `text` where the marks are, or at the end of the section Measure."""
    if BLOCK.search(page):
        return BLOCK.sub(lambda _: text, page)
    if page.count(NEXT) != 1:
        raise ValueError("has no section Next, before which the figures would stand")
    return page.replace(NEXT, f"\n{text}{NEXT}")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        record = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        timed: dict[str, list[Row]] = defaultdict(list)
        for row in record["results"]:
            if row["timing"] and row["status"] == "CORRECT":
                timed[row["exercise"]].append(row)
        blocks = {
            name: block(re.sub(r".*/(\d+_)?", "", name), rows, record["device"]) for name, rows in timed.items()
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"{sys.argv[1]}: not a record of `grade --json`: {error!r}", file=sys.stderr)
        return 2
    for name, text in blocks.items():
        path = ROOT / "levels" / name / "README.md"
        try:
            path.write_text(put(path.read_text(encoding="utf-8"), text), encoding="utf-8")
        except (OSError, ValueError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
    print(f"{len(blocks)} pages written")
    return 0 if blocks else 3


if __name__ == "__main__":
    sys.exit(main())
