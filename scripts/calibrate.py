#!/usr/bin/env python3
"""Proposes the goals of exercises from what `grade` measured on a GPU: of the solutions, and of naive kernels.

    grade level2 --from solutions --json solutions.json
    grade level2 --from tests/naive --json naive.json
    python scripts/calibrate.py [--write] solutions.json naive.json

A great kernel comes within 5 % of the solution's share of PyTorch's speed, a good one within 15 %. A pass lies half
way between the naive kernel of tests/naive/ (right, but slow in the way that the exercise is about) and a good one;
without a naive kernel it is 60 % of the solution. --write puts the proposals into exercise.toml.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from grader.discover import select
from grader.exercise import Exercise, Goals

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = Console()
Key = tuple[str, str]
"""An exercise and a track."""


def propose(solution: float, naive: float | None) -> Goals:
    """Goals from the shares of the baseline's speed that the solution and the naive kernel reach."""
    good = 0.85 * solution
    passing = (naive + good) / 2 if naive is not None and naive < good else 0.6 * solution
    return Goals(round(passing, 2), round(good, 2), round(0.95 * solution, 2))


def write(exercise: Exercise, track: str, goals: Goals) -> None:
    """Replace the table [goals.`track`] in exercise.toml, or append it."""
    path = exercise.folder / "exercise.toml"
    text = path.read_text(encoding="utf-8")
    table = f"[goals.{track}]\npass  = {goals.passing:.2f}\ngood  = {goals.good:.2f}\ngreat = {goals.great:.2f}\n"
    old = re.compile(rf"^\[goals\.{track}\]\n(?:[^\[\n].*\n)*", re.MULTILINE)
    path.write_text(old.sub(table, text) if old.search(text) else f"{text.rstrip()}\n\n{table}", encoding="utf-8")


def read(path: Path) -> tuple[str, dict[Key, float | None]]:
    """The card, and each track's share of PyTorch's speed, None where that was not timed. May raise ValueError."""
    record = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(record, dict) and record.get("trouble"):
        raise ValueError(f"it is not finished: {record['trouble']}")
    ratios = {
        (row["exercise"], row["track"]): row["timing"]["ratio"] if row["timing"] else None
        for row in record["results"]
    }
    return str(record["device"]["name"]), ratios


def proposals(
    solutions: Mapping[Key, float | None], naive: Mapping[Key, float | None]
) -> dict[Key, tuple[float, float | None, Goals]]:
    """For each track whose solution was timed: its ratio, the naive kernel's, and the goals."""
    return {key: (ratio, naive.get(key), propose(ratio, naive.get(key))) for key, ratio in solutions.items() if ratio}


def main() -> int:
    parser = argparse.ArgumentParser(description="Propose goals from what `grade --json` measured on a GPU.")
    parser.add_argument("solutions", type=Path, help="the record of `grade ... --from solutions --json FILE`")
    parser.add_argument("naive", type=Path, help="the record of `grade ... --from tests/naive --json FILE`")
    parser.add_argument("--write", action="store_true", help="put the proposals into exercise.toml")
    options = parser.parse_args()
    records = {}
    for path in (options.solutions, options.naive):
        try:
            records[path] = read(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"{path}: not a record of `grade --json`: {error!r}", file=sys.stderr)
            return 2
    (card, solutions), (other, naive) = records.values() if len(records) == 2 else [*records.values()] * 2
    if card != other:
        print(f"{options.solutions} is of {card}, {options.naive} of {other}: goals need one card", file=sys.stderr)
        return 2
    rows = proposals(solutions, naive)
    table = Table("exercise", "track", "solution", "naive", "pass", "good", "great", title=card)
    exercises = {one.id: one for one in select(ROOT, ["all"])}
    for (name, track), (ratio, slow, goals) in rows.items():
        shown = f"{slow:.2f}" if slow else "-"
        figures = (f"{value:.2f}" for value in (goals.passing, goals.good, goals.great))
        table.add_row(name, track, f"{ratio:.2f}", shown, *figures)
        if options.write:
            write(exercises[name], track, goals)
    CONSOLE.print(table)
    untimed = [f"{name} ({track})" for (name, track), ratio in solutions.items() if not ratio]
    if untimed:
        CONSOLE.print(f"not timed, goals left as they are: {', '.join(untimed)}")
    return 0 if rows else 3


if __name__ == "__main__":
    sys.exit(main())
